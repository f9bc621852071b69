"""Commands that make a new run file of others: cut, fuse."""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ir_coliee import editions
from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import err, out, print_commands, print_next, print_written, safe
from ir_coliee.cli.next_steps import print_after_answers
from ir_coliee.cli.options import DatasetId, Quiet, check_out, one_per_run
from ir_coliee.errors import ColieeError, printable
from ir_coliee.progress import stage

if TYPE_CHECKING:
    import pandas as pd

    from ir_coliee.editions import Split
    from ir_coliee.evaluation.scoring import Scorer
    from ir_coliee.transformers.candidates.cutoffs import Cutoff

_OutFile = Annotated[Path, typer.Option("--out", metavar="FILE", help="Run file to write.")]
_Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]


class Method(str, Enum):
    """Methods of fusion."""

    rrf = "rrf"
    weighted = "weighted"


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
    force: _Force = False,
    quiet: Quiet = False,
) -> None:
    """Cut a ranking, and write the answer set in the official form."""
    from ir_coliee.evaluation.rankings import load_ranking
    from ir_coliee.evaluation.runs import write_run
    from ir_coliee.evaluation.runs.cutoff_expressions import parse_cutoff
    from ir_coliee.evaluation.scoring import Scorer

    split = editions.as_split(dataset_id)
    if (top is not None) + bool(cutoff) + (fit is not None) != 1:
        raise ColieeError(
            "Give one of --top, --cutoff and --fit.\nFor example --top 5, or --fit TRAIN_RUN with a ranking of the "
            "train split by the same system."
        )
    check_out(file, [run, *([fit] if fit else [])], overwrite=force)
    ranking = load_ranking(Scorer(split), run)
    chosen = _fit_cutoff(split, run, fit) if fit else parse_cutoff(f"TopK({top})" if top is not None else cutoff)
    answers = ranking.cut(chosen)
    tag = tag or ranking.tag or "run"
    write_run(split, answers, file, tag, overwrite=force)
    _print_remarks(ranking.scorer, answers, ranking.notes)
    queries = len(ranking.scorer.checker.query_ids)
    out.print(f"{len(answers)} of {len(ranking.frame)} items kept, {len(answers) / queries:.2f} per query")
    print_written(file)
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
    method: Annotated[
        Method | None,
        typer.Option(
            help="rrf: reciprocal ranks. weighted: weighted sum of normalised scores, the default with weights."
        ),
    ] = None,
    weights: Annotated[str, typer.Option(metavar="W,W…", help="A weight for each run, for example 0.7,0.3.")] = "",
    fit: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="TRAIN_RUN",
            help="Choose the weights on rankings of the train split by the same systems. Once per run, in order.",
        ),
    ] = None,
    num_results: Annotated[int, typer.Option(min=1, metavar="N", help="Results to keep for each query.")] = 1000,
    tag: Annotated[str, typer.Option(help="Run tag.")] = "fused",
    force: _Force = False,
    quiet: Quiet = False,
) -> None:
    """Fuse several rankings into one, and write it in TREC's format."""
    from ir_coliee.evaluation import fusion
    from ir_coliee.evaluation.runs import write_ranking
    from ir_coliee.evaluation.scoring import Scorer

    split = editions.as_split(dataset_id)
    check_out(file, [*runs, *(fit or [])], overwrite=force)
    scorer = Scorer(split)
    is_weighted = bool(weights or fit or method is Method.weighted)
    rankings = fusion.load_rankings(scorer, runs, with_scores=is_weighted)  # before weights are searched for
    chosen = _choose_weights(split, runs, method, weights, fit)
    fused = fusion.fuse_rankings(rankings, chosen, num_results)
    write_ranking(split, fused.ranking, file, tag, overwrite=force)
    _print_remarks(scorer, fused.ranking, fused.notes)
    out.print(f"{len(fused.ranking)} results for {fused.ranking['qid'].nunique()} queries")
    print_written(file)
    _print_after_fusion(split, runs, file, fit, chosen)


def _choose_weights(
    split: Split, runs: list[Path], method: Method | None, weights: str, fit: list[Path] | None
) -> list[float] | None:
    """Return the weights that the options ask for; None for reciprocal ranks."""
    if weights and fit:
        raise ColieeError("--weights and --fit exclude each other; give only one of them.")
    if method is Method.rrf and (weights or fit):
        raise ColieeError("--method rrf has no weights; omit --weights and --fit, or use --method weighted.")
    if fit:
        return _fit_weights(_train_split(split), [run for run in one_per_run("--fit", fit, runs) if run])
    if weights:
        return _parse_weights(weights, len(runs))
    return [1.0] * len(runs) if method is Method.weighted else None


def _print_after_fusion(
    split: Split, runs: list[Path], file: Path, fit: list[Path] | None, weights: list[float] | None
) -> None:
    """Print the commands that follow: tune on a train split, else cut, with the same fusion of the train split."""
    from ir_coliee.evaluation.runs.run_names import run_of_other_split

    if not split.is_test or split.train is None:
        print_next("tune", split.id, str(file))
        return
    train = split.train
    train_runs = fit or [beside for run in runs if (beside := run_of_other_split(run, split, train))]
    is_complete = len(train_runs) == len(runs)
    of_train = str(file.with_name(f"{file.stem}-train{file.suffix}"))
    fuse_train = ["fuse", train.id, *(map(str, train_runs) if is_complete else ["TRAIN_RUN"] * len(runs))]
    fuse_train += ["--weights", ",".join(map(str, weights))] if weights else []
    commands = [
        [*fuse_train, "--out", of_train],
        ["cut", split.id, str(file), "--out", str(file.with_name(f"{file.stem}-cut.run")), "--fit", of_train],
    ]
    if is_complete:
        for command in commands:
            print_next(*command)
    else:
        systems = f"the rankings of {train.id} by the same systems as TRAIN_RUN, in the same order"
        print_commands(f"To choose a cut-off, fuse {systems}, and cut by the result:", *commands)


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
    from ir_coliee.evaluation.score_warnings import warnings_on_unanswered

    for warning in warnings_on_unanswered(scorer.checker, results, scorer.checker.query_ids):
        err.print(f"warning: {safe(warning)}")
    _print_notes(notes)


def _print_notes(notes: Iterable[str]) -> None:
    for note in notes:
        out.print(safe(f"note: {note}"))
