"""Commands that make, score, compare and submit runs."""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ir_coliee import editions
from ir_coliee.cli.app import (
    MAX_SIMILAR,
    AnswersPerRun,
    AsJson,
    DatasetId,
    Force,
    Format,
    OutputFormat,
    Quiet,
    app,
    check_out,
    err,
    example,
    file_state,
    one_per_run,
    out,
    print_after_answers,
    print_blocks,
    print_error,
    print_help,
    print_next,
    print_submit,
    print_table,
    print_written,
    safe,
    safe_lines,
)
from ir_coliee.display import Table
from ir_coliee.editions import Split
from ir_coliee.errors import (
    ColieeError,
    MalformedFileError,
    MalformedRunError,
    MissingLabelsError,
    printable,
    printable_list,
)
from ir_coliee.progress import progress, stage

if TYPE_CHECKING:
    import pandas as pd

    from ir_coliee.baselines import BaselineRun, Plan
    from ir_coliee.evaluation.checks import Finding
    from ir_coliee.evaluation.runs import RunFile
    from ir_coliee.evaluation.scoring import Scorer, Scores
    from ir_coliee.transformers.candidates.cutoffs import Cutoff

# --- official figures ----------------------------------------------------------------------------------

_RunFiles = tuple[Path, Path | None, Path | None]  # answer set, long list, answers


@app.command(epilog=example("ir_coliee score coliee/task1/sample/test my.run other.run"))
def score(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Run files; one row each.")],
    long_lists: Annotated[
        list[Path] | None,
        typer.Option("--long", metavar="FILE", help="Task 3: the long list. Once per run, in the order of the runs."),
    ] = None,
    answers: AnswersPerRun = None,
    per_query: Annotated[
        bool, typer.Option("--per-query", help="Print the counts and the measure of each query as well.")
    ] = False,
    output_format: OutputFormat = Format.table,
    quiet: Quiet = False,
) -> None:
    """Score runs with the official measures: intervals, and places on the official leaderboard."""
    from ir_coliee.evaluation import scoring

    scorer = scoring.Scorer(dataset_id)
    none: list[Path | None] = [None] * len(runs)
    lists, labels = one_per_run("--long", long_lists, runs), one_per_run("--answers", answers, runs)
    matched = {  # all of them, before figures are computed
        name: scorer.match(run, long_list=long_list, answers=of_run)
        for name, (run, long_list, of_run) in progress(
            _row_names(list(zip(runs, lists or none, labels or none))).items(), "reading", unit="runs"
        )
    }
    scores = {name: scorer.compute(*read) for name, read in progress(matched.items(), "scoring", unit="runs")}
    if output_format is Format.json:
        out.print_json(scoring.as_json(scores, queries=per_query))
    elif output_format is Format.table:
        scores = _without_common_folder(scores)
        _print_scores(scores)
        if per_query:
            print_table(Table.of_frame(scoring.per_query(scores))._replace(key=2))
        if len(set(runs)) > 1:
            of_runs = [argument for file in labels for argument in ("--answers", str(file))]
            print_next("compare", scorer.split.id, *map(str, runs), *of_runs)
    else:
        frame = scoring.per_query(scores) if per_query else scoring.as_frame(scores)
        for warning in scoring.score_warnings(scores):
            err.print(f"warning: {safe(warning)}")
        out.print_text(scoring.as_text(frame.assign(run=frame["run"].map(safe)), output_format.value))
        for note in scoring.score_notes(scores):  # on stderr, because stdout goes into a file
            err.print(safe(note))


def _print_scores(scores: dict[str, Scores]) -> None:
    """Print a table of the scores of each run, by the name of its row, and their notes."""
    from ir_coliee.evaluation.scoring import as_table, score_notes, score_warnings

    for warning in score_warnings(scores):
        err.print(f"warning: {safe(warning)}")
    print_table(as_table(scores))
    for note in score_notes(scores):
        out.print(safe(note))


def _without_common_folder(scores: dict[str, Scores]) -> dict[str, Scores]:
    """Name runs of one folder by their file names, and print the folder once, because long names take many lines."""
    folders = {os.path.dirname(name) for name in scores}
    folder = folders.pop()
    if len(scores) < 2 or folders or not folder or any(" + " in name for name in scores):
        return scores
    out.print(f"runs in {safe(folder)}{os.sep}", soft_wrap=True)
    return {os.path.basename(name): scored for name, scored in scores.items()}


def _row_names(files: list[_RunFiles]) -> dict[str, _RunFiles]:
    """Name each row by the path of the run; if a run is given several times, by its other files as well."""
    from ir_coliee.evaluation.runs import path_name

    runs = [run for run, *_ in files]
    names = {}
    for row in files:
        name = " + ".join(path_name(file) for file in row if file) if runs.count(row[0]) > 1 else path_name(row[0])
        if name in names:
            raise ColieeError(f"{name} was given twice. Give each run once.")
        names[name] = row
    return names


@app.command(epilog=example("ir_coliee leaderboard 2023 task1"))
def leaderboard(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[EDITION] [TASK]",
            help="Year and task in any order, or one of them, or a dataset id; without them, a list of all.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the official results of past editions as published by the organisers."""
    from ir_coliee.evaluation.leaderboards import find_leaderboards, overview

    found = find_leaderboards(*(words or ()))
    if as_json:
        frames = [entry.frame() for entry in found] if words else [overview(found)]
        records = [record for frame in frames for record in json.loads(frame.to_json(orient="records"))]
        out.print_json(json.dumps(records))
    elif words:
        for number, entry in enumerate(found):
            out.print("\n" * (number > 0) + f"COLIEE {entry.edition} {entry.task}")
            print_blocks(entry.frame().display())
    else:
        rows = overview(found)
        print_table(Table([*rows.columns], rows.to_numpy(object).tolist(), fold=["measure", "best known run"], key=2))


@app.command(epilog=example("ir_coliee compare coliee/task1/sample/test my.run other.run"))
def compare(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Two or more answer sets.")],
    answers: AnswersPerRun = None,
    output_format: OutputFormat = Format.table,
    quiet: Quiet = False,
) -> None:
    """Compare each pair of runs with a randomisation test and a bootstrap interval."""
    from ir_coliee.evaluation import comparison
    from ir_coliee.evaluation.scoring import as_text, synthetic_notes

    split = editions.as_split(dataset_id)
    if len(set(runs)) < 2:
        raise ColieeError(f"At least two different runs are needed for a comparison, got {len(set(runs))}.")
    labels = one_per_run("--answers", answers, runs)
    with stage(f"comparing {len(set(runs))} runs"):
        compared = comparison.compare(split, runs, answers=labels or None)
    if output_format is Format.json:
        out.print_json(compared.to_json(orient="records", double_precision=15))
        return
    notes = synthetic_notes(split)
    if output_format is not Format.table:
        frame = compared if output_format is Format.csv else comparison.for_publication(compared)
        names = {name: frame[name].map(safe) for name in frame.columns[:2]}
        out.print_text(as_text(frame.assign(**names), output_format.value))
        for note in (f"{split.pretty_name}, {compared.measure}. {comparison.caption(compared)}", *notes):
            err.print(note)  # because stdout goes into a file
        return
    out.print(f"{split.pretty_name}, {compared.measure}\n")
    if compared.measure != split.measure:
        out.print(f"Comparing the tie-breaking measure. To compare {split.measure}, pass --answers.\n")
    print_table(comparison.as_table(compared))
    out.print()
    for column, meaning in comparison.COLUMNS.items():
        out.print(f"{column}: {meaning}")
    for note in notes:
        out.print(note)


# --- run files that are made of others -----------------------------------------------------------------

_OutFile = Annotated[Path, typer.Option("--out", metavar="FILE", help="Run file to write.")]


@app.command(epilog=example("ir_coliee cut coliee/task1/2025/test test.trec --fit train.trec --out task1.mine"))
def cut(
    dataset_id: DatasetId,
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Ranking to cut.")],
    file: _OutFile,
    top: Annotated[int | None, typer.Option(min=1, metavar="K", help="Keep the first K items of each query.")] = None,
    cutoff: Annotated[
        str, typer.Option(metavar="RULE", help="Cut-off, for example 'DynamicCutoff(ratio=0.5, max_items=5)'.")
    ] = "",
    fit: Annotated[
        Path | None,
        typer.Option(
            metavar="TRAIN_RUN", help="Choose the cut-off on this ranking of the train split by the same system."
        ),
    ] = None,
    tag: Annotated[str, typer.Option(help="Run tag: 1 to 12 letters or digits; by default that of RUN.")] = "",
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Cut a ranking, and write the answer set in the official form."""
    from ir_coliee.evaluation.cutoffs import parse_cutoff
    from ir_coliee.evaluation.scoring import Scorer
    from ir_coliee.evaluation.tuning import load_ranking
    from ir_coliee.evaluation.writing import write_run

    split = editions.as_split(dataset_id)
    if (top is not None) + bool(cutoff) + (fit is not None) != 1:
        raise ColieeError(
            "Give one of --top, --cutoff and --fit.\nFor example --top 5, or --fit TRAIN_RUN with a ranking of the "
            "train split by the same system."
        )
    before = check_out(file, [], run, fit)
    ranking = load_ranking(Scorer(split), run)
    chosen = _fit_cutoff(split, run, fit) if fit else parse_cutoff(f"TopK({top})" if top is not None else cutoff)
    answers = ranking.cut(chosen)
    tag = tag or ranking.tag or "run"
    write_run(split, answers, file, tag, overwrite=force)
    _print_remarks(ranking.scorer, answers, ranking.notes)
    queries = len(ranking.scorer.checker.query_ids)
    out.print(f"{len(answers)} of {len(ranking.frame)} items kept, {len(answers) / queries:.2f} per query")
    print_written(file, before)
    print_after_answers(ranking.scorer, file, tag, ranking=run)


def _fit_cutoff(split: Split, run: Path, train_run: Path) -> Cutoff:
    """Choose the cut-off on the train split, as `ir_coliee tune` does, and print it with its value."""
    from ir_coliee.evaluation.tuning import tune

    train = _train_split(split)
    with stage(f"choosing a cut-off on {train.id}"):
        tuned = tune(train, train_run, test_run=run)
    best = tuned.best
    out.print(f"best cut-off on {train.id}: {best.cutoff!r}")
    held_out = "" if math.isnan(best.held_out) else f"{best.held_out:.4f} on held-out queries; "
    out.print(f"  {tuned.measure}: {held_out}{best.optimistic:.4f} on the queries that it was chosen on (optimistic)")
    _print_notes(note for note in tuned.notes if not note.startswith("test run: "))
    return best.cutoff


def _train_split(split: Split) -> Split:
    if not split.is_test or split.train is None:
        raise ColieeError(
            f"--fit is for a test split; {split.id} is none, or has no train split.\n"
            "Choose the cut-off with `ir_coliee tune`, and pass it as --cutoff."
        )
    return split.train


@app.command(epilog=example("ir_coliee fuse coliee/task1/2025/test a.trec b.trec --out fused.trec"))
def fuse(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Two or more rankings.")],
    file: _OutFile,
    weights: Annotated[
        str,
        typer.Option(
            metavar="W,W…",
            help="A weight for each run, for example 0.7,0.3: weighted sum of normalised scores, not reciprocal ranks.",
        ),
    ] = "",
    fit: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="TRAIN_RUN",
            help="Choose the weights on rankings of the train split by the same systems. Once per run, in order.",
        ),
    ] = None,
    num_results: Annotated[int, typer.Option(min=1, metavar="N", help="Results to keep for each query.")] = 1000,
    tag: Annotated[str, typer.Option(help="Run tag.")] = "fused",
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Fuse several rankings into one, and write it in TREC's format."""
    from ir_coliee.evaluation import fusion
    from ir_coliee.evaluation.scoring import Scorer
    from ir_coliee.evaluation.writing import write_ranking

    split = editions.as_split(dataset_id)
    before = check_out(file, [], *runs, *(fit or []))
    scorer = Scorer(split)
    rankings = fusion.load_rankings(scorer, runs, with_scores=bool(weights or fit))  # before weights are searched for
    if weights and fit:
        raise ColieeError("--weights and --fit exclude each other; give only one of them.")
    chosen = _parse_weights(weights, len(runs)) if weights else None
    if fit:
        chosen = _fit_weights(_train_split(split), one_per_run("--fit", fit, runs))
    fused = fusion.fuse_rankings(rankings, chosen, num_results)
    write_ranking(split, fused.ranking, file, tag, overwrite=force)
    _print_remarks(scorer, fused.ranking, fused.notes)
    out.print(f"{len(fused.ranking)} results for {fused.ranking['qid'].nunique()} queries")
    print_written(file, before)
    _print_after_fusion(split, runs, file, fit, chosen)


def _print_after_fusion(
    split: Split, runs: list[Path], file: Path, fit: list[Path] | None, weights: list[float] | None
) -> None:
    """Print the commands that follow: tune on a train split, else cut, with the same fusion of the train split."""
    from ir_coliee.evaluation.runs import run_of_other_split

    if not split.is_test or split.train is None:
        print_next("tune", split.id, str(file))
        return
    train_runs = fit or [run_of_other_split(run, split, split.train) or Path("TRAIN_RUN") for run in runs]
    of_train = str(file.with_name(f"{file.stem}-train{file.suffix}"))
    options = ["--weights", ",".join(map(str, weights))] if weights else []
    print_next("fuse", split.train.id, *map(str, train_runs), *options, "--out", of_train)
    print_next("cut", split.id, str(file), "--out", str(file.with_name(f"{file.stem}-cut.run")), "--fit", of_train)


def _parse_weights(written: str, number: int) -> list[float]:
    from ir_coliee.transformers.fusion.rank_fusion import check_weights

    try:
        weights = [float(weight) for weight in written.split(",")]
    except ValueError:
        weights = []
    try:
        check_weights(weights, number)
    except ValueError as error:
        expected = f"{number} numbers with commas, one for each run"
        raise ColieeError(f"--weights must be {expected}, got {printable(written, 20)!r}.\n{error}") from None
    return weights


def _fit_weights(train: Split, train_runs: list[Path]) -> list[float]:
    """Choose the weights on the train split, and print them with their value."""
    from ir_coliee.evaluation.fusion import fit_weights

    found = fit_weights(train, train_runs, verbose=True)
    measure = found.cells.columns[-1]
    out.print(f"best weights on {train.id}: {','.join(map(str, found.weights))}")
    out.print(
        f"  {measure}: {found.fitted.value:.4f} with {found.fitted.cutoff!r}, "
        "on the queries that both were chosen on (optimistic)"
    )
    return list(found.weights)


def _print_remarks(scorer: Scorer, results: pd.DataFrame, notes: Iterable[str]) -> None:
    """Print a warning if queries have no result, and the notes."""
    from ir_coliee.evaluation.checks import warnings_on_unanswered

    for warning in warnings_on_unanswered(scorer.checker, results, scorer.checker.query_ids):
        err.print(f"warning: {safe(warning)}")
    _print_notes(notes)


def _print_notes(notes: Iterable[str]) -> None:
    for note in notes:
        out.print(safe(f"note: {note}"))


# --- submissions ---------------------------------------------------------------------------------------


def _own_tag(tag: str) -> str:
    """Refuse the placeholder of the documentation, which organisers would get as the name of a system."""
    if tag == "TAG":
        raise typer.BadParameter("TAG stands for the name of your run. Give a name of 1 to 12 letters or digits.")
    return tag


_Tag = Annotated[
    str,
    typer.Option(callback=_own_tag, help="Run tag: 1 to 12 letters or digits. Pilot: the name of the system."),
]


@app.command(epilog=example("ir_coliee validate coliee/task1/2026/test submission/task1.mine"))
def validate(
    dataset_id: DatasetId,
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN", help="Run files in the official format, or a folder of them.")
    ],
    long_lists: Annotated[
        list[Path] | None, typer.Option("--long", metavar="FILE", help="Task 3: a long list. Once per run.")
    ] = None,
    answers: Annotated[
        list[Path] | None,
        typer.Option("--answers", metavar="FILE", help="Task 3 since 2026: a file of Y and N answers. Once per run."),
    ] = None,
) -> None:
    """Check run files before submission. Exit status 1: a file has errors; 2: a file cannot be read."""
    split = editions.as_split(dataset_id)
    from ir_coliee.evaluation.runs import answers_split
    from ir_coliee.evaluation.submission import group_by_role, validate_submission

    outcome = _Outcome()
    files = [file for path in runs for file in _files_at(split, path, outcome)]
    roles = group_by_role(split, files)
    answer_files = [*roles["answers"], *(answers or [])]
    run_files = _validate_files(split, roles["run"], outcome)
    lists = _validate_files(split, [*roles["long"], *(long_lists or [])], outcome)
    labels = _validate_files(answers_split(split) if answer_files else split, answer_files, outcome)
    if run_files:
        findings = validate_submission(split, run_files, long_lists=lists, answers=labels)
        for finding in findings:
            out.print(safe(f"{finding.level}: {finding.message}"))
        outcome.has_errors |= any(finding.level == "error" for finding in findings)
    for run in run_files:
        if run.path in outcome.wrong:
            _print_how_to_rewrite(split, run)
    if outcome.unreadable:
        print_help(outcome.unreadable)
        raise typer.Exit(2)
    if outcome.has_errors:
        raise typer.Exit(1)


@dataclass
class _Outcome:
    """Whether there are errors, and in which files, and why a file or folder cannot be read.

    The other files are checked all the same.
    """

    has_errors: bool = False
    unreadable: Exception | None = None
    wrong: list[Path] = field(default_factory=list)


def _files_at(split: editions.Split, path: Path, outcome: _Outcome) -> list[Path]:
    """Return the files of a submission folder, or the path of a file."""
    from ir_coliee.evaluation.submission import files_of_folder

    if not path.is_dir():
        return [path]
    try:
        named, others = files_of_folder(split, path)
    except (ColieeError, OSError) as error:
        print_error(error)
        outcome.unreadable = error
        return []
    for other in others:
        out.print(safe(f"{other}: not checked, because it is not named as a file of {split.id}"))
    return named


def _validate_files(split: editions.Split, paths: list[Path], outcome: _Outcome) -> list[RunFile]:
    """Print the findings about each file, and return those that can be read."""
    from ir_coliee.evaluation.checks import validate
    from ir_coliee.evaluation.runs import open_run
    from ir_coliee.evaluation.submission import split_of_file

    opened = []
    for path in paths:
        try:
            run = open_run(path)
            findings = validate(split_of_file(split, path), run)
        except MalformedFileError as error:
            if str(error.path) != str(path):  # a file of the local release, which is needed to check any run
                raise
            print_error(error)
            outcome.unreadable = error
            continue
        opened.append(run)
        if _print_findings(path, findings):
            outcome.has_errors = True
            outcome.wrong.append(path)
    return opened


def _print_how_to_rewrite(split: editions.Split, run: RunFile) -> None:
    """Print the command that writes a run in the official form, if nothing else is wrong with it."""
    from ir_coliee.evaluation.checks import rewriting as rewriting_of
    from ir_coliee.evaluation.runs import tag_of_run
    from ir_coliee.evaluation.submission import split_of_file

    split = split_of_file(split, run.path)
    if rewriting := rewriting_of(split, run):
        out.print(f"{safe(run.path)}: only the form is wrong; submit writes the answers in the official form")
        tag, is_ranking = rewriting
        print_submit(split, run.path, "--tag", tag or tag_of_run(run.path), *(["--top", "5"] * is_ranking))


def _print_findings(path: Path, findings: Sequence[Finding]) -> bool:
    """Print the findings of a file, the first five of each kind; return whether there is an error."""
    totals: Counter[str] = Counter()
    for finding in findings:
        totals[finding.kind or finding.message] += finding.num_lines
    printed: Counter[str] = Counter()
    for finding in findings:
        kind = finding.kind or finding.message
        printed[kind] += finding.num_lines
        if printed[kind] <= MAX_SIMILAR:
            place = f"{path}, line {finding.line}" if finding.line else f"{path}"
            out.print(safe(f"{place}: {finding.level}: {finding.message}"))
        elif printed[kind] == totals[kind]:
            out.print(f"{safe(path)}: {totals[kind] - MAX_SIMILAR:,} more findings of this kind")
    errors = sum(finding.num_lines for finding in findings if finding.level == "error")
    out.print(f"{safe(path)}: {f'errors: {errors}' if errors else 'accepted'}")
    return errors > 0


@app.command(epilog=example("ir_coliee submit coliee/task1/2026/test my.trec --top 5 --tag mine --out submission"))
def submit(  # noqa: PLR0913 (one parameter per option)
    dataset_id: DatasetId,
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Answer set, or a ranking with --top or --cutoff.")],
    tag: _Tag,
    folder: Annotated[Path, typer.Option("--out", help="Folder to write the files to.")],
    top: Annotated[int | None, typer.Option(min=1, metavar="K", help="Keep the first K items of each query.")] = None,
    cutoff: Annotated[
        str,
        typer.Option(help="Cut-off of the ranking, for example 'DynamicCutoff(ratio=0.5, min_items=1, max_items=5)'."),
    ] = "",
    long_list: Annotated[
        Path | None, typer.Option("--long", metavar="FILE", help="Task 3: the long list, if RUN is an answer set.")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Task 3 since 2026: the file of Y and N answers.")
    ] = None,
    team: Annotated[str, typer.Option(help="Team name, for the mail and for the pilot's file name.")] = "",
    affiliation: Annotated[str, typer.Option(help="Affiliation, for the pilot's file name.")] = "",
    models: Annotated[str, typer.Option(help="System description: machine learning models.")] = "",
    resources: Annotated[str, typer.Option(help="System description: external resources.")] = "",
    explanation: Annotated[str, typer.Option(help="System description: explanation in 1 to 3 lines.")] = "",
    force: Force = False,
) -> None:
    """Write a run as official submission files and check them. Exit status 1: errors in the run; nothing is written."""
    split = editions.as_split(dataset_id)
    from ir_coliee.evaluation import submission
    from ir_coliee.evaluation.cutoffs import parse_cutoff

    if top is not None and cutoff:
        raise typer.BadParameter("--top and --cutoff exclude each other; give only one of them.")
    cutoff = f"TopK({top})" if top is not None else cutoff
    names = submission.official_names(split, tag, team, affiliation)
    states = {folder / name: file_state(folder / name) for name in names.values()}
    try:
        paths = submission.submit(
            dataset_id,
            run,
            tag=tag,
            folder=folder,
            cutoff=parse_cutoff(cutoff) if cutoff else None,
            long_list=long_list,
            answers=answers,
            team=team,
            affiliation=affiliation,
            description={"models": models, "resources": resources, "explanation": explanation},
            overwrite=force,
        )
    except MalformedRunError as error:
        print_error(error)
        print_help(error)
        raise typer.Exit(1) from None
    for path in paths:
        print_written(path, states[path])
    for place, finding in submission.validate_files(split, folder, names):
        message = f"{finding.level}: {finding.message}"
        out.print(safe(f"{place}: {message}" if place else message))
    out.print("files to send:")
    for name in names.values():
        out.print(f"  {safe(folder / name)}", soft_wrap=True)
    others = sorted(path.name for path in folder.iterdir() if path.is_file() and path.name not in names.values())
    if others:
        out.print(f"also in this folder, for the same mail if it is of your group: {printable_list(others)}")
    if subject := submission.mail_subject(split, team):
        hint = "" if team else " (GROUP stands for the name of your group; --team fills it in)"
        out.print(f"subject of the mail: {safe(subject)}{hint}")
    print_next("validate", split.id, str(folder))


@app.command(epilog=example("ir_coliee vote coliee/task4/2026/ja/test a.run b.run c.run --tag vote --out vote.run"))
def vote(
    dataset_id: DatasetId,
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN", help="Two or more run files that answer the same questions.")
    ],
    tag: _Tag,
    file: Annotated[Path, typer.Option("--out", metavar="FILE", help="Run file to write.")],
    force: Force = False,
) -> None:
    """Answer each question with the majority of several runs, and write the run. Ties are answered with no."""
    split = editions.as_split(dataset_id)
    from ir_coliee.evaluation import submission
    from ir_coliee.evaluation.scoring import Scorer
    from ir_coliee.evaluation.writing import write_run

    before = check_out(file, [], *runs)
    answers = submission.vote(split, runs)
    write_run(split, answers, file, tag, overwrite=force)
    ties = int((answers["score"] == 0.5).sum())
    out.print(f"{len(answers)} questions{f'; {ties} ties, answered with no' if ties else ''}")
    print_written(file, before)
    print_after_answers(Scorer(split), file, tag)


@app.command(epilog=example("ir_coliee tune coliee/task1/2025/train train.trec --test test.trec"))
def tune(
    dataset_id: DatasetId,
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="Ranked run of a split with labels, usually the train split.")
    ],
    test: Annotated[
        Path | None,
        typer.Option("--test", metavar="RUN", help="Ranked run of the test split, to apply the cut-off to."),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Choose the best cut-off of a ranked run, and estimate its value on other queries."""
    split = editions.as_split(dataset_id)
    from ir_coliee.evaluation import tuning

    with stage(f"choosing cut-offs on {split.id}"):
        measures = tuning.tuning_measures(split)
        tunings = [tuning.tune(split.id, run, test_run=test, measure=measure) for measure in measures]
    if as_json:
        out.print_json(json.dumps([tuned.record() for tuned in tunings]))
        return
    out.print(f"{split.pretty_name}: {safe(run)}")
    for tuned in tunings:
        out.print()
        print_blocks(tuned.figures())
    out.print()
    for note in dict.fromkeys(note for tuned in tunings for note in tuned.notes):
        out.print(safe(f"note: {note}"))
    if not split.is_test:  # cut-offs that were chosen on the test split must not be submitted
        _print_next_step(split, run, test, repr(tunings[0].best.cutoff))


def _print_next_step(split: Split, run: Path, test_run: Path | None, cutoff: str) -> None:
    """Print the command that submits the test run, or RUN if it is not known."""
    from ir_coliee.evaluation import tuning
    from ir_coliee.evaluation.runs import run_of_other_split, tag_of_run

    submitted = tuning.submitted_split(split)
    test_run = test_run or run_of_other_split(run, split, submitted)
    known = test_run or run
    if submitted.submission.columns:
        print_submit(submitted, test_run or Path("RUN"), "--cutoff", cutoff, "--tag", tag_of_run(known))
    else:  # the pilot's own file has to be filled in; `submit` then checks and names it
        written = str(known.with_suffix(".jsonl"))
        print_next("cut", submitted.id, str(test_run or "RUN"), "--cutoff", cutoff, "--out", written)


# --- the built-in pipelines of a task --------------------------------------------------------------------


class TrainingYears(str, Enum):
    """The labelled questions that an exam year of the train split is answered from."""

    earlier = "earlier"
    all_but = "all-but"


@app.command(epilog=example("ir_coliee baseline coliee/task1/sample/test"))
def baseline(
    dataset_id: DatasetId,
    folder: Annotated[Path, typer.Option("--out", help="Folder to write the files to.")] = Path("coliee-runs"),
    train: Annotated[
        TrainingYears,
        typer.Option(
            "--train", help="An exam year of the train split: learn from the earlier years, or from all but this one."
        ),
    ] = TrainingYears.earlier,
    fast: Annotated[bool, typer.Option("--fast", help="Tasks 1 to 3: run only BM25.")] = False,
    recipe: Annotated[
        str | None,
        typer.Option(
            "--recipe",
            metavar="NAME",
            help="Recipe of the learned run. Task 1: lean (default), compact, best; task 2: standard; task 3: standard "
            "(default), both-languages; task 4: alignment.",
        ),
    ] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option(
            "--max-seconds",
            metavar="N",
            help="Use the richest recipe that is estimated to take at most N seconds: in task 1 compact or lean, in "
            "tasks 2 to 4 the default. If there is none, its run is left out.",
        ),
    ] = None,
    no_pool_features: Annotated[
        bool,
        typer.Option("--no-pool-features", help="Task 1: no features that compare the queries of the test pool."),
    ] = False,
    ablate: Annotated[
        bool,
        typer.Option(
            "--ablate",
            help="Tasks 1 to 4: print what each family of features adds on held-out queries; write no run.",
        ),
    ] = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Run pipelines that need no download, print the official measures, and write rankings and official files."""
    from ir_coliee import baselines
    from ir_coliee.baselines.baseline_files import file_names, next_commands, require_writable_files, write_files
    from ir_coliee.baselines.baseline_run import is_on_another_run
    from ir_coliee.editions import as_split

    split = as_split(dataset_id)
    pool_features = not no_pool_features
    plan = baselines.plan_baseline(
        split, train=train.value, fast=fast, recipe=recipe, pool_features=pool_features, max_seconds=max_seconds
    )
    if ablate:
        _print_ablation(plan)
        return
    files = {tag: {role: folder / name for role, name in file_names(plan, tag).items()} for tag in plan.tags}
    states = {path: file_state(path) for path in require_writable_files(files)}
    is_kept = states and not force
    kept = ["files of this run exist; they are compared at the end, and not replaced without --force"] * bool(is_kept)
    for note in (*kept, *plan.notes):
        err.print(f"note: {safe_lines(note)}")
    if plan.estimate:
        err.print(plan.estimate)
    runs = _run(plan)
    with stage("writing the files"):  # before printing, because the reader of a pipe may exit early
        written = write_files(plan, runs, files, overwrite=force)
    out.print(f"{split.pretty_name}\n")
    for run in runs:
        for note in run.notes:
            out.print(safe_lines(f"note: {note}" if is_on_another_run(note) else f"{run.tag}: {note}"))
    try:
        _print_scores(_scores(split, runs, written))
    except MissingLabelsError:
        has_gold = False
        out.print("not scored: the local release has no labels")
    else:
        has_gold = True
    for path in (path for of_run in written.values() for path in of_run.values()):
        print_written(path, states.get(path))
    for command in next_commands(plan, written, has_gold=has_gold):
        print_next(*command)


def _print_ablation(plan: Plan) -> None:
    plan.ablated()  # raises its errors before anything is printed
    if plan.estimate:
        err.print(plan.estimate.of_ablation)
    ablation = plan.ablation()
    out.print(f"{plan.split.pretty_name}\n")
    print_blocks(ablation.display())


def _run(plan: Plan) -> list[BaselineRun]:
    """Run the pipelines. What is finished when the user stops them is kept, see `baselines.finished_stages`."""
    from ir_coliee.baselines.finished_stages import kept_stages

    kept_before = kept_stages()
    try:
        return plan.run()
    except KeyboardInterrupt:
        if kept := kept_stages() - kept_before:
            err.print(f"Finished stages that are kept: {kept}. Run the same command again to continue.")
        else:
            err.print("No finished stage is kept. The same command starts again.")
        raise


def _scores(split: Split, runs: list[BaselineRun], written: Mapping[str, Mapping[str, Path]]) -> dict[str, Scores]:
    """Score the runs, with the long lists as they are written."""
    from ir_coliee.evaluation.scoring import Scorer

    scorer = Scorer(split)
    return {
        run.tag: scorer.score(
            run.answers,
            long_list=written[run.tag].get("long"),
            answers=run.labels if scorer.uses("answers") else None,
        )
        for run in runs
    }
