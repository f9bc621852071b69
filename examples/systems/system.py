"""Shared parts of the systems: the command line, the choice of checkpoints, and the published figures."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

import pandas as pd
import pyterrier as pt

from ir_coliee import editions
from ir_coliee.baselines.training_data import optimism_note, qrels, topics, train_split
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.leaderboards import official_leaderboard
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.models.tiny_checkpoints import Kind, tiny_checkpoint

__all__ = ["TINY", "Models", "Split", "main", "qrels", "topics", "train_split"]

TINY = "tiny"
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Models:
    """The checkpoints of a system: the published ones, or those of ``--model``.

    Several models of one kind have different seeds, so that tiny models differ as well. A system with several
    kinds of models requests all of them before it loads or trains one, so that an unsuitable name is refused at once.
    """

    chosen: Mapping[Kind, str] = field(default_factory=dict)
    otherwise: str | None = None  # the name for kinds without their own
    requested: dict[str, Kind] = field(default_factory=dict)  # kind by published name

    def tiny(self, kind: Kind) -> bool:
        """Return whether models of a kind have random weights."""
        return self._name(kind) == TINY

    def encoder(self, published: str, seed: int = 0) -> str:
        """Name or folder of a sentence encoder."""
        return self._of("encoder", published, seed)

    def classifier(self, published: str, seed: int = 0) -> str:
        """Name or folder of a classifier of text pairs with one score."""
        return self._of("classifier", published, seed)

    def entailment(self, published: str, seed: int = 0) -> str:
        """Name or folder of a classifier of text pairs with the labels of natural language inference."""
        return self._of("entailment", published, seed)

    def seq2seq(self, published: str, seed: int = 0) -> str:
        """Name or folder of a sequence-to-sequence model such as T5."""
        return self._of("seq2seq", published, seed)

    def causal(self, published: str, seed: int = 0) -> str:
        """Name or folder of a causal language model such as GPT."""
        return self._of("causal", published, seed)

    def _name(self, kind: Kind) -> str | None:
        return self.chosen.get(kind, self.otherwise)

    def _of(self, kind: Kind, published: str, seed: int) -> str:
        self.requested[published] = kind
        kinds = sorted(set(self.requested.values()) - set(self.chosen))
        if self.otherwise not in (None, TINY) and len(kinds) > 1:
            each = " ".join(f"--model {other}=NAME" for other in kinds)
            raise ColieeError(
                f"--model {self.otherwise} cannot serve two kinds of models. Give one for each kind: {each}."
            )
        return tiny_checkpoint(kind, seed) if self.tiny(kind) else self._name(kind) or published


def _models(arguments: Sequence[str]) -> Models:
    """Parse ``--model``: KIND=NAME, or NAME for all kinds without their own."""
    chosen: dict[str | None, str] = {}
    for each in arguments:
        kind, equals, name = each.partition("=")
        if not equals or Path(each).exists():  # a folder may have such a name
            kind, name = None, each
        elif kind not in KINDS:
            raise ColieeError(f"--model {each}: {kind} is not a kind of model. Use one of {', '.join(KINDS)}.")
        if not name or kind in chosen:
            raise ColieeError(
                f"--model {each}: {'given more than once' if name else 'the name is missing'}. Give each kind once."
            )
        chosen[kind] = name
    otherwise = chosen.pop(None, None)
    return Models(chosen, otherwise)


Pipeline = Callable[[Split, Models], pt.Transformer]


def main(
    task: str,
    team: str,
    pipeline: Pipeline,
    description: str,
    *,
    run: str | None = None,
    language: str = "en",
    others: Mapping[str, Pipeline] | None = None,
) -> None:
    """Run a system on a split and print its official figures with the published ones of the team.

    Parameters
    ----------
    task, team : str
        The task, such as ``task1``, and the team as on the leaderboard of 2023.
    pipeline : callable
        Makes the pipeline for a split with these models.
    description : str
        Text of ``--help``.
    run : str, optional
        Published name of the run; by default the team's best.
    language : str
        Language of the sample's split in tasks 3 and 4.
    others : mapping, optional
        Further runs of the team by name, selected by ``--run``.
    """
    folder = f"{task}/sample" if task in ("task1", "task2") else f"{task}/sample/{language}"
    default = f"coliee/{folder}/test"
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default=default, metavar="ID", help="default: %(default)s")
    parser.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="[KIND=]NAME",
        help="replaces the published checkpoints, all or those of one kind; may be repeated for several kinds "
        f"({', '.join(KINDS)}); {TINY}: random weights, no download",
    )
    others = others or {}
    if others:
        parser.add_argument("--run", choices=[*others], help="another run of the team, by its published name")
    chosen = parser.parse_args()
    if others and chosen.run:
        run, pipeline = chosen.run, others[chosen.run]
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")  # before the libraries that show progress are imported
    try:
        _print_table(task, _published(task, team, run), pipeline, chosen.dataset, _models(chosen.model), default)
    except (ColieeError, OSError) as error:  # OSError: a checkpoint is neither found nor downloaded
        _stop(error)
    except ImportError as error:
        _stop(f"A library is missing ({error}): pip install 'ir_coliee[systems]' (in a clone '.[systems]').")


def _stop(reason: object) -> None:
    print(reason, file=sys.stderr)
    raise SystemExit(2) from None


def _print_table(
    task: str, published: dict[str, object], pipeline: Pipeline, dataset: str, models: Models, default: str
) -> None:
    split = editions.as_split(dataset)
    if split.task != task:
        raise ColieeError(f"{split.id} is not a split of {task}. Use a dataset such as {default}.")
    scorer = Scorer(split)
    scorer.gold  # noqa: B018  (missing labels are reported before the work begins)
    figures = scorer.score(pipeline(split, models)(topics(split))).figures
    name = " ".join(str(published[column]) for column in ("team", "run") if published[column])
    rows = {f"this pipeline on {split.id}": figures, f"{name}, on the test of 2023": _with_our_names(published)}
    table = {row: {label: _formatted(found.get(label)) for label in figures} for row, found in rows.items()}
    print(pd.DataFrame(table).T.to_string())
    if split.train and (optimistic := optimism_note(split.train, split)):
        print(f"The pipeline was {optimistic.removeprefix('; ')}.")
    if any(map(models.tiny, models.requested.values())):
        print("The models have random weights: the figures mean nothing.")
    if unused := sorted(set(models.chosen) - set(models.requested.values())):
        print(f"The system uses no model of this kind: {', '.join(unused)}.")
    for note in scorer.gold_notes:
        print(note)


def _published(task: str, team: str, run: str | None) -> dict[str, object]:
    """Row of the team's run on the leaderboard of 2023; by default its first run, which is its best."""
    rows = official_leaderboard(2023, task).frame().to_dict("records")
    return next(row for row in rows if row["team"] == team and run in (None, row["run"]))


_COLUMNS = {
    "f1": "F1",
    "f2": "F2",
    "precision": "P",
    "recall": "R",
    "map": "MAP",
    "returned": "return",
    "tp": "retrieved (tp)",
    "accuracy": "accuracy",
    "correct": "correct",
}


def _with_our_names(published: dict[str, object]) -> dict[str, object]:
    """Rename the published figures to the columns of `Scorer`."""
    return {name: published[column] for column, name in _COLUMNS.items() if column in published}


def _formatted(figure: object) -> str:
    return "" if figure is None else f"{figure:.4f}" if isinstance(figure, float) else str(figure)
