"""The frame of the systems: the command line, the run with its files, and the official figures beside the published."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pandas as pd
import pyterrier as pt
from checkpoints import KINDS, TINY, Models, parse_checkpoints
from run_folder import RunFolder, answers_and_ranking

from ir_coliee import __version__, editions
from ir_coliee.baselines import training
from ir_coliee.baselines.training import optimism_note, qrels, topics
from ir_coliee.cli.app import out, print_after_answers, print_error, print_warnings_once
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, MissingLabelsError, MissingReleaseError
from ir_coliee.evaluation.leaderboards import official_leaderboard
from ir_coliee.evaluation.runs import stem, tag_in_letters
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.models import LoadOptions
from ir_coliee.models.loading import explained
from ir_coliee.progress import stage
from ir_coliee.releases.release import LocalRelease

__all__ = ["TINY", "Models", "Split", "main", "qrels", "topics", "train_split"]

_FITTING, _ANSWERING = "preparing and fitting the system", "answering the queries"
_STATUS_OF_CTRL_C = 130

Pipeline = Callable[[Split, Models], pt.Transformer]


def train_split(split: Split) -> Split:
    """Find the labelled split that a system is fitted on; an edition without labels is refused before work begins."""
    train = training.train_split(split)
    qrels(train)
    return train


def main(
    task: str | tuple[str, ...],
    team: str,
    pipeline: Pipeline,
    description: str,
    *,
    run: str | None = None,
    language: str = "en",
    others: Mapping[str, Pipeline] | None = None,
) -> None:
    """Run a system on a split, write its files, and print its official figures with the published ones of the team.

    Parameters
    ----------
    task : str or tuple of str
        The task, such as ``task1``; or several, of which the first one has the default split.
    team : str
        The team as on the leaderboard of 2023, or another name: then nothing is printed beside.
    pipeline : callable
        Makes the pipeline for a split with these models.
    description : str
        Text of ``--help``.
    run : str, optional
        Published name of the run; by default the team's best.
    language : str
        Language of the sample's split in tasks 3 and 4.
    others : mapping, optional
        Further runs of the team by their published names, or variants that no published run is known to be, by our
        names; selected by ``--run``.
    """
    tasks = (task,) if isinstance(task, str) else task
    folder = f"{tasks[0]}/sample" if tasks[0] in ("task1", "task2") else f"{tasks[0]}/sample/{language}"
    chosen = _parser(description, f"coliee/{folder}/test", others or {}).parse_args()
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")  # before the libraries that show progress are imported
    if others and chosen.run:
        run, pipeline = chosen.run, others[chosen.run]
    print_warnings_once()
    try:
        _run(tasks, team, run, pipeline, chosen)
    except (ColieeError, OSError) as error:  # OSError: a checkpoint is neither found nor downloaded
        _stop(error)
    except ImportError as error:
        _stop(f"A library is missing ({error}): pip install 'ir_coliee[systems]' (in a clone '.[systems]').")
    except KeyboardInterrupt:
        print("Stopped. Run the same command again to continue.", file=sys.stderr)
        raise SystemExit(_STATUS_OF_CTRL_C) from None


def _parser(description: str, dataset: str, others: Mapping[str, Pipeline]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default=dataset, metavar="ID", help="default: %(default)s")
    parser.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="[KIND=]NAME",
        help="replaces the published checkpoints, all or those of one kind; may be repeated for several kinds "
        f"({', '.join(KINDS)}); {TINY}: random weights, no download",
    )
    parser.add_argument(
        "--batch-size",
        type=_count,
        metavar="N",
        help="number of texts in memory together; a training has the same result",
    )
    parser.add_argument("--device", help="torch device; default: a GPU if there is one")
    parser.add_argument(
        "--dtype",
        choices=["float32", "bfloat16", "float16"],
        help="number format of language models, and of the computation where a model is fine-tuned",
    )
    parser.add_argument("--quantise", choices=["8bit", "4bit"], help="quantisation of language models on this machine")
    if others:
        parser.add_argument("--run", choices=[*others], help="another run, by its name")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="folder for the run, fitted models, replies and scores; the same command continues there; default: a "
        "folder of coliee-runs that is named after the dataset and the run",
    )
    parser.add_argument("--overwrite", action="store_true", help="overwrite a run with other settings")
    return parser


def _count(text: str) -> int:
    if not (text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"must be an integer >= 1, got {text}.")
    return int(text)


def _stop(reason: object) -> None:
    print_error(reason)
    raise SystemExit(2) from None


def _run(tasks: tuple[str, ...], team: str, run: str | None, pipeline: Pipeline, chosen: argparse.Namespace) -> None:
    split = editions.as_split(chosen.dataset)
    if split.task not in tasks:
        raise ColieeError(
            f"{split.id} is not a split of {' or '.join(tasks)}.\n`ir_coliee list {tasks[0]}` prints those of others."
        )
    tag = tag_in_letters(run or team)
    folder = RunFolder(chosen.out or Path("coliee-runs", f"{stem(split)}-{tag}"), split, tag)
    models = _models(chosen, folder)
    settings = _settings(split, team, run, chosen)
    folder.open(settings, overwrite=chosen.overwrite)
    with stage(f"{tag} on {split.id}"):
        with stage(_FITTING):
            system = pipeline(split, models)
        with stage(_ANSWERING):
            answers, ranking = answers_and_ranking(system, topics(split))
    written = folder.write_run(answers, ranking)
    computed = {"checkpoints": models.identities(), "device": chosen.device, "batch size": chosen.batch_size}
    folder.write_settings(settings | computed)
    _print_figures(split, _published(split.task, team, run), folder, answers, ranking)
    _print_notes(split, models)
    for path in written:
        out.print_files(path)
    print_after_answers(Scorer(split), written[0], tag)


def _models(chosen: argparse.Namespace, folder: RunFolder) -> Models:
    load = LoadOptions(dtype=chosen.dtype, device=chosen.device, quantise=chosen.quantise)
    if chosen.device:
        import torch

        with explained(chosen.device, "A model on"):  # an unknown device is refused before work begins
            load.place(torch.nn.Identity())
    return Models(*parse_checkpoints(chosen.model), load, chosen.batch_size, folder)


def _settings(split: Split, team: str, run: str | None, chosen: argparse.Namespace) -> dict[str, object]:
    """Return what a run depends on."""
    splits = [split] if split.train in (None, split) else [split, split.train]
    return {
        "system": f"{split.task} {team}",
        "run": run,
        "dataset": split.id,
        "fingerprints": {each.id: _fingerprint(each) for each in splits},
        "model": chosen.model,
        "dtype": chosen.dtype,
        "quantise": chosen.quantise,
        "ir_coliee": __version__,
    }


def _fingerprint(split: Split) -> str | None:
    try:
        return LocalRelease.open(split).sources.fingerprint
    except MissingReleaseError:  # reported by what needs its files
        return None


def _print_figures(
    split: Split,
    published: Mapping[str, object] | None,
    folder: RunFolder,
    answers: pd.DataFrame,
    ranking: pd.DataFrame | None,
) -> None:
    scorer = Scorer(split)
    try:
        figures = scorer.score(answers, long_list=ranking if scorer.uses("ranking") else None).figures
    except MissingLabelsError:
        print("not scored: the local release has no labels")
        return
    folder.write_figures(figures)
    _print_table(split, figures, published)
    for note in scorer.gold_notes:
        print(note)


def _print_table(split: Split, figures: Mapping[str, float], published: Mapping[str, object] | None) -> None:
    rows: dict[str, Mapping[str, object]] = {f"this pipeline on {split.id}": figures}
    if published:
        name = " ".join(str(published[column]) for column in ("team", "run") if published[column])
        rows[f"{name}, on the test of 2023"] = published
    table = {row: {label: _formatted(found.get(label)) for label in figures} for row, found in rows.items()}
    print(pd.DataFrame(table).T.to_string())


def _print_notes(split: Split, models: Models) -> None:
    if split.train and (optimistic := optimism_note(split.train, split)):
        print(f"The pipeline was {optimistic.removeprefix('; ')}.")
    if any(map(models.tiny, models.requested.values())):
        print("The models have random weights: the figures mean nothing.")
    if unused := sorted(set(models.chosen) - set(models.requested.values())):
        print(f"The system uses no model of this kind: {', '.join(unused)}.")


def _published(task: str, team: str, run: str | None) -> dict[str, object] | None:
    """Row of the team's run on the leaderboard of 2023; its first, which is its best, for an unknown name; or None."""
    rows = [row for row in official_leaderboard(task, 2023).frame().to_dict("records") if row["team"] == team]
    return next((row for row in rows if row["run"] == run), rows[0] if rows else None)


def _formatted(figure: object) -> str:
    return "" if figure is None else f"{figure:.4f}" if isinstance(figure, float) else str(figure)
