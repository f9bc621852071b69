"""Commands that make, score, compare and submit runs."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from ir_coliee import editions
from ir_coliee.cli import options
from ir_coliee.cli.app import app, err, example, out, print_after_answers, print_error, safe
from ir_coliee.display import Table
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, ExistingFileError, MalformedRunError, MissingLabelsError
from ir_coliee.progress import progress, stage
from ir_coliee.storage import existing_file_error, require_writable

if TYPE_CHECKING:
    import pandas as pd

    from ir_coliee.baselines import BaselineRun
    from ir_coliee.evaluation.checks import Finding
    from ir_coliee.evaluation.scoring import Scorer, Scores
    from ir_coliee.evaluation.tuning import Ranking

# Official figures.


@app.command(epilog=example("ir_coliee score coliee/task1/sample/test my.run other.run"))
def score(
    dataset_id: options.DatasetId,
    runs: options.Runs,
    long_lists: options.LongListPerRun = None,
    answers: options.AnswersPerRun = None,
    per_query: Annotated[bool, Option("--per-query", help="Print the figures of each query as well.")] = False,
    as_json: options.AsJson = False,
    as_csv: options.AsCsv = False,
    quiet: options.Quiet = False,
) -> None:
    """Score runs with the official measures: intervals, and places on the official leaderboard."""
    from ir_coliee.evaluation import scoring
    from ir_coliee.evaluation.runs import named_runs

    options.one_form(as_json, as_csv)
    scorer = scoring.Scorer(dataset_id)
    none: list[Path | None] = [None] * len(runs)
    lists = options.one_per_run("--long-list", long_lists, runs) or none
    labels = options.one_per_run("--answers", answers, runs) or none
    files = dict(zip(named_runs(runs), zip(runs, lists, labels)))
    matched = {  # all of them, before figures are computed
        name: scorer.match(run, long_list=long_list, answers=of_run)
        for name, (run, long_list, of_run) in progress(files.items(), "reading", unit="runs")
    }
    scores = {name: scorer.compute(*read) for name, read in progress(matched.items(), "scoring", unit="runs")}
    if as_json:
        out.print_json(scoring.as_record(scores, queries=per_query))
    elif as_csv:
        err.print_each(scoring.score_warnings(scores), "warning: ")
        frame = scoring.per_query(scores) if per_query else scoring.as_frame(scores)
        out.print_csv(frame)
        err.print_each(scoring.score_notes(scores))  # because stdout goes into a file
    else:
        short = _short_names(scorer.split, scores)
        scores = {short[name]: scored for name, scored in scores.items()}
        _print_scores(scores)
        if per_query:
            out.print_blocks([Table.of_frame(scoring.per_query(scores))._replace(key=2)])
        if len(runs) > 1:
            of_runs = [word for file in answers or () for word in ("--answers", file)]
            out.print_next("compare", scorer.split.id, *runs, *of_runs)


def _short_names(split: Split, names: Iterable[str]) -> dict[str, str]:
    """Return what tells the files of runs from each other: long names take many lines."""
    from ir_coliee.evaluation.runs import stem

    short = {name: os.path.basename(name).removeprefix(f"{stem(split)}.") for name in names}
    return short if len({*short.values()}) == len(short) else {name: name for name in short}


def _print_scores(scores: dict[str, Scores]) -> None:
    """Print a table of the scores of each run, by the name of its row, and their notes."""
    from ir_coliee.evaluation.scoring import as_table, score_notes, score_warnings

    err.print_each(score_warnings(scores), "warning: ")
    out.print_blocks([as_table(scores)])
    out.print_each(score_notes(scores))


@app.command(epilog=example("ir_coliee leaderboard 2023 task1"))
def leaderboard(
    words: Annotated[list[str] | None, Argument(metavar="[EDITION] [TASK]", help="Year, task, both or an id.")] = None,
    as_json: options.AsJson = False,
) -> None:
    """Show the official results of past editions as published by the organisers."""
    from ir_coliee.evaluation.leaderboards import find_leaderboards

    found = find_leaderboards(*words or ())
    if as_json:
        frames = [entry.frame() for entry in found]
        out.print_json([record for frame in frames for record in json.loads(frame.to_json(orient="records"))])
        return
    for number, entry in enumerate(found):
        out.print("\n" * (number > 0) + f"COLIEE {entry.edition} {entry.task}")
        out.print_blocks(entry.frame().display())


@app.command(epilog=example("ir_coliee compare coliee/task1/sample/test my.run other.run"))
def compare(
    dataset_id: options.DatasetId,
    runs: options.Runs,
    answers: options.AnswersPerRun = None,
    verbose: options.Verbose = False,
    as_json: options.AsJson = False,
    as_csv: options.AsCsv = False,
    quiet: options.Quiet = False,
) -> None:
    """Compare each pair of runs with a randomisation test and a bootstrap interval."""
    from ir_coliee.evaluation import comparison
    from ir_coliee.evaluation.runs import named_runs
    from ir_coliee.evaluation.scoring import synthetic_notes

    split = editions.as_split(dataset_id)
    options.one_form(as_json, as_csv)
    with stage(f"comparing {len(runs)} runs"):
        compared = comparison.compare(split, runs, answers=options.one_per_run("--answers", answers, runs))
    title = f"{split.pretty_name}, {compared.measure}"
    if as_json:
        out.print_json(json.loads(compared.to_json(orient="records", double_precision=15)))
        return
    if as_csv:
        out.print_csv(compared)
        err.print_each([title, *synthetic_notes(split)])  # because stdout goes into a file
        return
    out.print(title)
    if compared.measure != split.measure:
        out.print(f"Comparing the tie-breaking measure. To compare {split.measure}, pass --answers.")
    names = _short_names(split, named_runs(runs))
    shown = compared.replace({"run_a": names, "run_b": names})
    out.print_blocks([comparison.as_table(shown if verbose else shown[comparison.MAIN_COLUMNS])])
    if verbose:
        out.print_each(f"{column}: {meaning}" for column, meaning in comparison.COLUMNS.items())
    else:
        out.print("low, high: 95 % interval of the difference. p holm: below .05 it is significant.")
    out.print_each(synthetic_notes(split))


# Run files that are made of others.

_Top = Annotated[int | None, Option(min=1, metavar="K", help="Keep the first K items of each query.")]
_Cutoff = Annotated[str, Option(metavar="RULE", help="Cut-off, such as 'DynamicCutoff(ratio=0.5, max_items=5)'.")]


@app.command(epilog=example("ir_coliee cut coliee/task1/2025/test test.trec --fit train.trec --out task1.mine"))
def cut(
    dataset_id: options.DatasetId,
    run: Annotated[Path, Argument(metavar="RUN", help="Ranking to cut.")],
    file: options.OutFile,
    top: _Top = None,
    cutoff: _Cutoff = "",
    fit: Annotated[
        Path | None, Option(metavar="TRAIN_RUN", help="Choose the cut-off on this ranking of train.")
    ] = None,
    tag: Annotated[str, Option(help="Run tag: 1 to 12 letters or digits; by default that of RUN.")] = "",
    overwrite: options.Overwrite = False,
    quiet: options.Quiet = False,
) -> None:
    """Cut a ranking, and write the answer set in the official form."""
    from ir_coliee.evaluation.cutoffs import parse_cutoff
    from ir_coliee.evaluation.scoring import Scorer
    from ir_coliee.evaluation.tuning import load_ranking
    from ir_coliee.evaluation.writing import write_run

    split = editions.as_split(dataset_id)
    if (top is not None) + bool(cutoff) + (fit is not None) != 1:
        raise ColieeError("Give one of --top, --cutoff and --fit.")
    options.check_out(file, [], run, fit)
    ranking = load_ranking(Scorer(split), run)
    answers = _cut_as_on_train(ranking, fit) if fit else ranking.cut(parse_cutoff(cutoff or f"TopK({top})"))
    tag = tag or ranking.tag or "run"
    write_run(split, answers, file, tag, overwrite=overwrite)
    _print_remarks(ranking.scorer, answers, ranking.notes)
    queries = len(ranking.scorer.checker.query_ids)
    out.print(f"{len(answers)} of {len(ranking.frame)} items kept, {len(answers) / queries:.2f} per query")
    out.print_files(file)
    print_after_answers(ranking.scorer, file, tag, ranking=run)


def _train_split(split: Split) -> Split:
    """Return the train split that --fit uses; refuse to fit on the queries that the result answers."""
    if not split.is_test or split.train is None:
        raise ColieeError(f"--fit is for a test split with a train split; {split.id} is none.\nUse `ir_coliee tune`.")
    return split.train


def _cut_as_on_train(ranking: Ranking, train_run: Path) -> pd.DataFrame:
    """Choose the cut-off on the train split, as `ir_coliee tune` does, and print it with its value."""
    from ir_coliee.evaluation.scoring import Scorer
    from ir_coliee.evaluation.tuning import load_ranking, tune, warn_of_other_sizes

    train = _train_split(ranking.scorer.split)
    with stage(f"choosing a cut-off on {train.id}"):
        if ranking.has_scores:
            tuned = tune(train, train_run)
        else:  # so that only depths are tried
            tuned = tune(train, load_ranking(Scorer(train), train_run).frame.drop(columns="score"))
    best = tuned.best
    out.print(f"best cut-off on {train.id}: {best.cutoff!r}")
    out.print(f"  {tuned.measure}: {best.held_out:.4f} on held-out queries; {best.optimistic:.4f} on all (optimistic)")
    out.print_each(tuned.notes, "note: ")
    answers = ranking.cut(best.cutoff)
    warn_of_other_sizes(tuned, answers, len(ranking.scorer.checker.query_ids))
    return answers


@app.command(epilog=example("ir_coliee fuse coliee/task1/2025/test a.trec b.trec --out fused.trec"))
def fuse(
    dataset_id: options.DatasetId,
    runs: options.Runs,
    file: options.OutFile,
    weights: Annotated[str, Option(metavar="W,W…", help="Add up scores with these weights, instead of ranks.")] = "",
    fit: Annotated[list[Path] | None, options.per_run("--fit", "Choose weights on this ranking of train.")] = None,
    num_results: Annotated[int, Option(min=1, metavar="N", help="Results to keep for each query.")] = 1000,
    tag: Annotated[str, Option(help="Run tag.")] = "fused",
    overwrite: options.Overwrite = False,
    quiet: options.Quiet = False,
) -> None:
    """Fuse several rankings into one, and write it in TREC's format."""
    from ir_coliee.evaluation import fusion
    from ir_coliee.evaluation.scoring import Scorer
    from ir_coliee.evaluation.writing import write_ranking

    split = editions.as_split(dataset_id)
    if weights and fit:
        raise ColieeError("--weights and --fit exclude each other; give only one of them.")
    options.check_out(file, [], *runs, *(fit or []))
    scorer = Scorer(split)
    rankings = fusion.load_rankings(scorer, runs, with_scores=bool(weights or fit))  # before weights are searched for
    chosen: Sequence[float] | None = None
    if fit:
        train = _train_split(split)
        found = fusion.fit_weights(train, options.one_per_run("--fit", fit, runs) or [], verbose=True)
        chosen = found.weights
        out.print(f"best weights on {train.id}: {','.join(map(str, chosen))}")
        value = f"{found.cells.columns[-1]}: {found.fitted.value:.4f} with {found.fitted.cutoff!r}"
        out.print(f"  {value}, on the queries that both were chosen on (optimistic)")
    try:
        chosen = [float(weight) for weight in weights.split(",")] if weights else chosen
        fused = fusion.fuse_rankings(rankings, chosen, num_results)
    except ValueError as error:
        raise ColieeError(f"--weights must be a number for each run, with commas.\n{error}") from None
    write_ranking(split, fused, file, tag, overwrite=overwrite)
    _print_remarks(scorer, fused, fusion.notes_on_rankings(rankings))
    options_used = ["--weights", ",".join(map(str, chosen))] if chosen else []
    _print_ranking(split, fused, [file], "fuse", *(fit or [Path("TRAIN_RUN")] * len(runs)), *options_used)


@app.command(epilog=example("ir_coliee rerank coliee/task2/2025/test bm25.trec --model NAME --out reranked.trec"))
def rerank(  # noqa: PLR0913 (one parameter per option)
    dataset_id: options.DatasetId,
    run: Annotated[Path, Argument(metavar="RUN", help="Ranking to rerank.")],
    model: Annotated[str, Option(metavar="NAME", help="Hugging Face name or folder of a checkpoint.")],
    file: options.OutFile,
    top: Annotated[
        int, Option(min=1, metavar="K", help="Rerank the first K items of each query, and keep them.")
    ] = 100,
    batch_size: Annotated[int, Option(min=1, metavar="N", help="Pairs in a batch.")] = 16,
    dtype: Annotated[str, Option(help="Number format: float32, bfloat16, float16; else that of the model.")] = "",
    store: Annotated[Path | None, Option(metavar="FILE", help="Store of scores, to continue; else OUT.scores.")] = None,
    tag: Annotated[str, Option(help="Run tag.")] = "reranked",
    overwrite: options.Overwrite = False,
    quiet: options.Quiet = False,
) -> None:
    """Rerank a ranking by a neural model: a cross-encoder, monoT5 or Qwen3-Reranker. Continues if it was interrupted.

    The configuration of the checkpoint tells which of them it is. NAME may be the folder of a fine-tuned model.
    """
    import pyterrier as pt

    from ir_coliee.evaluation.runs import check_tag
    from ir_coliee.evaluation.scoring import Scorer
    from ir_coliee.evaluation.tuning import load_ranking
    from ir_coliee.evaluation.writing import write_ranking
    from ir_coliee.models.loading import LoadOptions
    from ir_coliee.transformers.candidates.cutoffs import TopK
    from ir_coliee.transformers.rerankers.reranking import reranked, reranker_of

    split = editions.as_split(dataset_id)
    store = store or file.with_name(f"{file.name}.scores")
    if os.path.abspath(store) == os.path.abspath(file):
        raise ColieeError(f"--store {store} is the file of --out.\nChoose another path (--store).")
    options.check_out(file, [], run, store)
    check_tag(tag)
    if file.exists() and not overwrite:  # before the scoring, which can take hours
        err.print(f"note: {file} exists; it is compared at the end, and not replaced without --overwrite")
    try:
        load = LoadOptions(dtype=dtype or None)  # type: ignore[arg-type]
    except ValueError as error:
        raise ColieeError(f"--dtype: {error}") from None
    ranking = load_ranking(Scorer(split), run)
    reranker = reranker_of(model, load=load, batch_size=batch_size, store=store)
    candidates = ranking.cut(TopK(top)).astype({"qid": str, "docno": str})
    found = reranked(pt.get_dataset(f"irds:{split.id}"), candidates, reranker, verbose=True)
    write_ranking(split, found, file, tag, overwrite=overwrite)
    _print_remarks(ranking.scorer, found, ranking.notes)
    used = ["--model", model, "--top", str(top), *(["--dtype", dtype] if dtype else [])]
    _print_ranking(split, found, [file, store], "rerank", "TRAIN_RUN", *used)


def _print_ranking(split: Split, results: pd.DataFrame, files: list[Path], command: str, *arguments: object) -> None:
    """Print the size of a ranking and its files, and how it is cut as the same command makes the ranking of train."""
    out.print(f"{len(results)} results for {results['qid'].nunique()} queries")
    out.print_files(*files)
    file = files[0]
    if split.is_test and split.train:
        of_train = file.with_name(f"{file.stem}-train{file.suffix}")
        out.print_next(command, split.train.id, *arguments, "--out", of_train)
        out.print_next("cut", split.id, file, "--out", file.with_name(f"{file.stem}-cut.run"), "--fit", of_train)
    else:
        out.print_next("tune", split.id, file)


def _print_remarks(scorer: Scorer, results: pd.DataFrame, notes: Sequence[str]) -> None:
    """Print a warning if queries have no result, and the notes."""
    from ir_coliee.evaluation.checks import warnings_on_unanswered

    err.print_each(warnings_on_unanswered(scorer.checker, results, scorer.checker.query_ids), "warning: ")
    out.print_each(notes, "note: ")


# Submissions.


_Tag = Annotated[str, Option(help="Run tag: 1 to 12 letters or digits; pilot: the system.")]


@app.command(epilog=example("ir_coliee validate coliee/task1/2026/test submission/task1.mine"))
def validate(
    dataset_id: options.DatasetId,
    runs: Annotated[list[Path], Argument(metavar="RUN", help="Official run files, or a folder of them.")],
    long_lists: options.LongListPerRun = None,
    answers: options.AnswersPerRun = None,
) -> None:
    """Check run files before submission. Exit status 1: a file has errors; 2: a file cannot be read."""
    split = editions.as_split(dataset_id)
    from ir_coliee.evaluation.submission import group_by_role, validate_submission

    roles = group_by_role(split, [file for path in runs for file in _files_at(split, path)])
    roles["long"] += long_lists or []
    roles["answers"] += answers or []
    found = validate_submission(split, roles)
    for path in (*itertools.chain.from_iterable(roles.values()), None):
        of_file = [finding for place, finding in found if place == path]
        _print_findings(path, of_file)
        if path:
            errors = sum(finding.level == "error" for finding in of_file)
            out.print(f"{safe(path)}: {f'errors: {errors}' if errors else 'accepted'}")
    if any(finding.level == "error" for _, finding in found):
        out.print("If only the form is wrong, `ir_coliee submit` writes the answers in the official form.")
        raise typer.Exit(1)


def _print_findings(path: Path | None, findings: Sequence[Finding]) -> None:
    for finding in findings:
        place = f"{path}, line {finding.line}: " if finding.line else f"{path}: " if path else ""
        out.print(safe(f"{place}{finding.level}: {finding.message}"))


def _files_at(split: Split, path: Path) -> list[Path]:
    """Return the files of a submission folder, or the path of a file."""
    from ir_coliee.evaluation.submission import files_of_folder

    if not path.is_dir():
        return [path]
    named, others = files_of_folder(split, path)
    out.print_each(f"{other}: not checked, because it is not named as a file of {split.id}" for other in others)
    return named


@app.command(epilog=example("ir_coliee submit coliee/task1/2026/test my.trec --top 5 --tag mine --out submission"))
def submit(  # noqa: PLR0913 (one parameter per option)
    dataset_id: options.DatasetId,
    run: Annotated[Path, Argument(metavar="RUN", help="Answer set, or a ranking with --top or --cutoff.")],
    tag: _Tag,
    folder: options.OutFolder,
    top: _Top = None,
    cutoff: _Cutoff = "",
    long_list: Annotated[Path | None, Option("--long-list", metavar="FILE", help="Task 3: the long list.")] = None,
    answers: Annotated[Path | None, Option(metavar="FILE", help="Task 3 of 2026: the Y and N answers.")] = None,
    team: Annotated[str, Option(help="Team name, for the mail and for the pilot's file name.")] = "",
    affiliation: Annotated[str, Option(help="Affiliation, for the pilot's file name.")] = "",
    overwrite: options.Overwrite = False,
) -> None:
    """Write a run as official submission files and check them. Exit status 1: errors in the run; nothing is written."""
    split = editions.as_split(dataset_id)
    from ir_coliee.evaluation import submission
    from ir_coliee.evaluation.cutoffs import parse_cutoff

    if top is not None and cutoff:
        raise typer.BadParameter("--top and --cutoff exclude each other; give only one of them.")
    cutoff = f"TopK({top})" if top is not None else cutoff
    try:
        paths = submission.submit(
            dataset_id,
            run,
            tag=tag,
            out=folder,
            cutoff=parse_cutoff(cutoff) if cutoff else None,
            long_list=long_list,
            answers=answers,
            team=team,
            affiliation=affiliation,
            overwrite=overwrite,
        )
    except MalformedRunError as error:
        print_error(error)
        raise typer.Exit(1) from None
    _print_findings(None, [finding for finding in paths.findings if finding.level == "note"])  # `submit` has warned
    out.print("files to send:")
    out.print_files(*paths)
    if subject := split.submission.mail_subject.format(team=team or "GROUP"):
        out.print(f"subject of the mail: {safe(subject)}{'' if team else ' (--team fills in the name of your group)'}")
    out.print_next("validate", split.id, folder)


@app.command(epilog=example("ir_coliee vote coliee/task4/2026/ja/test a.run b.run c.run --tag vote --out vote.run"))
def vote(
    dataset_id: options.DatasetId,
    runs: options.Runs,
    tag: _Tag,
    file: options.OutFile,
    overwrite: options.Overwrite = False,
) -> None:
    """Answer each question with the majority of several runs, and write the run. The answer to a tie is no."""
    split = editions.as_split(dataset_id)
    from ir_coliee.evaluation import submission
    from ir_coliee.evaluation.scoring import Scorer
    from ir_coliee.evaluation.writing import write_run

    options.check_out(file, [], *runs)
    answers = submission.vote(split, runs)
    write_run(split, answers, file, tag, overwrite=overwrite)
    ties = int((answers["score"] == 0.5).sum())
    out.print(f"{len(answers)} questions, of which {ties} had a tie and get the answer no")
    out.print_files(file)
    print_after_answers(Scorer(split), file, tag)


@app.command(epilog=example("ir_coliee tune coliee/task1/2025/train train.trec"))
def tune(
    dataset_id: options.DatasetId,
    run: Annotated[Path, Argument(metavar="RUN", help="Ranked run of a split with labels, usually of train.")],
    verbose: options.Verbose = False,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Choose the best cut-off of a ranked run, and estimate its value on other queries."""
    split = editions.as_split(dataset_id)
    from ir_coliee.evaluation import tuning

    with stage(f"choosing cut-offs on {split.id}"):
        measures = tuning.tuning_measures(split)
        tunings = [tuning.tune(split.id, run, measure=measure) for measure in measures]
    if as_json:
        out.print_json([tuned.record() for tuned in tunings])
        return
    out.print(f"{split.pretty_name}: {safe(run)}")
    for tuned in tunings:
        out.print_blocks(tuned.figures() if verbose else tuned.main_figures())
    out.print_each(dict.fromkeys(note for tuned in tunings for note in tuned.notes), "note: ")
    if not split.is_test:  # cut-offs that were chosen on the test split must not be submitted
        cutoff = repr(tunings[0].best.cutoff)
        out.print_next("cut", tuning.submitted_split(split).id, "RUN", "--cutoff", cutoff, "--out", "RUN-cut.run")


# The built-in pipelines of a task.


class TrainingYears(str, Enum):
    """The labelled questions that an exam year of the train split is answered from."""

    earlier = "earlier"
    all_but = "all-but"


@app.command(epilog=example("ir_coliee baseline coliee/task1/sample/test"))
def baseline(
    dataset_id: options.DatasetId,
    folder: options.OutFolder = Path("coliee-runs"),
    train: Annotated[TrainingYears, Option(help="For an exam year: the years to learn from.")] = TrainingYears.earlier,
    fast: Annotated[bool, Option("--fast", help="Tasks 1 to 3: run only BM25.")] = False,
    pool_features: Annotated[
        bool, Option("--pool-features/--no-pool-features", help="Task 1: compare the queries of test as well.")
    ] = True,
    ablate: Annotated[bool, Option("--ablate", help="Print only what each family of features adds.")] = False,
    verbose: options.Verbose = False,
    as_json: options.AsJson = False,
    overwrite: options.Overwrite = False,
    quiet: options.Quiet = False,
) -> None:
    """Run pipelines that need no download, print the official measures, and write rankings and official files."""
    from ir_coliee import baselines
    from ir_coliee.baselines.plan import files_of, next_commands, write_files
    from ir_coliee.evaluation.scoring import as_record, messages_of_runs

    split = editions.as_split(dataset_id)
    plan = baselines.plan_baseline(split, train=train.value, fast=fast, pool_features=pool_features)
    if ablate:
        ablation = plan.ablated().ablation()
        if as_json:
            out.print_json(ablation.as_json())
        else:
            out.print(split.pretty_name)
            out.print_blocks(ablation.display())
        return
    files = files_of(plan, folder)
    planned = [path for of_run in files.values() for path in of_run.values()]
    for path in planned:
        require_writable(path)
    if not overwrite and any(path.exists() for path in planned):
        err.print("note: files of this run exist; they are compared at the end, and not replaced without --overwrite")
    err.print_each(plan.notes, "note: ")
    try:
        runs = plan.run()
    except KeyboardInterrupt:
        err.print("Finished stages are kept. Run the same command again to continue.")
        raise
    with stage("writing the files"):  # before printing, because the reader of a pipe may exit early
        written = write_files(plan, runs, files, overwrite=overwrite)
    err.print_each(messages_of_runs({run.tag: [*run.warnings] for run in runs}), "warning: ")
    scores = _scores(split, runs, written)
    if as_json:
        notes = {"notes": {run.tag: run.notes for run in runs}, "warnings": {run.tag: run.warnings for run in runs}}
        names = {tag: {role: str(path) for role, path in of_run.items()} for tag, of_run in written.items()}
        out.print_json({"dataset_id": split.id, "scores": as_record(scores), **notes, "files": names})
    else:
        _print_baseline(split, runs, scores, verbose=verbose)
    paths = [path for of_run in written.values() for path in of_run.values()]
    if beside := [path for path in paths if path not in planned]:
        error = existing_file_error(beside[0].with_suffix(""))
        raise ExistingFileError(f"{error}\nThe new files are beside it, with .new at the end of their names.")
    if not as_json:
        _print_written(paths, verbose=verbose)
        for command in next_commands(plan, written, has_gold=bool(scores)):
            out.print_next(*command)


def _print_baseline(split: Split, runs: list[BaselineRun], scores: dict[str, Scores], *, verbose: bool) -> None:
    """Print the scores of each run, and how it was fitted."""
    out.print(split.pretty_name)
    for run in runs:  # without --verbose the notes that a figure is optimistic
        out.print_each(f"{run.tag}: {note}" for note in run.notes if verbose or "optimistic" in note)
    if scores:
        _print_scores(scores)
    else:
        out.print("not scored: the local release has no labels")


def _scores(split: Split, runs: list[BaselineRun], written: Mapping[str, Mapping[str, Path]]) -> dict[str, Scores]:
    """Score the runs, with the long lists as they are written; return no scores if there are no labels."""
    from ir_coliee.evaluation.scoring import Scorer

    scorer = Scorer(split)
    scores = {}
    for run in runs:
        labels = run.labels if scorer.uses("answers") else None
        try:
            scores[run.tag] = scorer.score(run.answers, long_list=written[run.tag].get("long"), answers=labels)
        except MissingLabelsError:
            return {}
    return scores


def _print_written(paths: Sequence[Path], *, verbose: bool) -> None:
    """Print the files of a baseline, in one line unless all are asked for."""
    if verbose or len(paths) == 1:
        out.print_files(*paths)
        return
    out.print(f"{len(paths)} files in {safe(paths[0].parent)} (--verbose names them, and says how they were made)")
