"""What the systems of this folder share: the command line, the models that they name, the published figures."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pandas as pd
import pyterrier as pt

from ir_coliee.baselines.runs import qrels, topics, train_of, warning
from ir_coliee.datasets import releases
from ir_coliee.datasets.releases import Part
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.boards import official_board
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.language_models.tiny import tiny_checkpoint

__all__ = ["TINY", "Models", "Part", "main", "qrels", "topics", "train_of"]

TINY = "tiny"


@dataclass(frozen=True)
class Models:
    """The checkpoints of a system: the published ones, or what ``--model`` puts in their place.

    Several models of a system that are one kind of network take different seeds, so that tiny ones differ, too.
    """

    chosen: str | None = None
    asked: list[str] = field(default_factory=list)  # the published names

    @property
    def tiny(self) -> bool:
        """Whether all models are seeded ones of random weights."""
        return self.chosen == TINY

    def encoder(self, published: str, seed: int = 0) -> str:
        """An encoder of sentences, by the name of a checkpoint or its folder; so the others."""
        return self._of("encoder", published, seed)

    def classifier(self, published: str, seed: int = 0) -> str:
        """A classifier of pairs with one score."""
        return self._of("classifier", published, seed)

    def entailment(self, published: str, seed: int = 0) -> str:
        """A classifier of pairs with the labels of natural language inference."""
        return self._of("entailment", published, seed)

    def seq2seq(self, published: str, seed: int = 0) -> str:
        """A T5 or the like."""
        return self._of("seq2seq", published, seed)

    def causal(self, published: str, seed: int = 0) -> str:
        """A GPT or the like."""
        return self._of("causal", published, seed)

    def _of(self, kind: str, published: str, seed: int) -> str:
        self.asked.append(published)
        return tiny_checkpoint(kind, seed) if self.tiny else self.chosen or published


Pipeline = Callable[[Part, Models], pt.Transformer]


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
    """Run a system on a part and print its official figures, with the published ones of the team below.

    ``run``: the one whose figures are printed, by its published name; by default the team's best. ``language``: of
    the sample's part in tasks 3 and 4. ``others``: further runs of the team, which ``--run`` chooses by their names.
    """
    folder = f"{task}/sample" if task in ("task1", "task2") else f"{task}/sample/{language}"
    default = f"coliee/{folder}/test"
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default=default, metavar="ID", help="default: %(default)s")
    parser.add_argument(
        "--model",
        metavar="NAME",
        help=f"takes the place of published checkpoints; {TINY}: random weights, no download",
    )
    others = others or {}
    if others:
        parser.add_argument("--run", choices=[*others], help="another run of the team, by its published name")
    chosen = parser.parse_args()
    if others and chosen.run:
        run, pipeline = chosen.run, others[chosen.run]
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")  # before the libraries that show them are imported
    try:
        _print_table(task, _published(task, team, run), pipeline, chosen.dataset, Models(chosen.model), default)
    except (ColieeError, OSError) as error:  # a checkpoint that can neither be found nor downloaded is the latter
        _stop(error)
    except ImportError as error:
        _stop(f"A library is missing ({error}): pip install 'ir_coliee[systems]' (in a clone '.[systems]').")


def _stop(reason: object) -> None:
    print(reason, file=sys.stderr)
    raise SystemExit(2) from None


def _print_table(
    task: str, published: dict[str, object], pipeline: Pipeline, dataset: str, models: Models, default: str
) -> None:
    part = releases.part(dataset)
    if part.task != task:
        raise ColieeError(f"{part.id} is no part of {task}. Give one, for example {default}.")
    scorer = Scorer(part)
    scorer.gold  # noqa: B018  # says now, not after an hour, that there are no labels
    figures = scorer.score(pipeline(part, models)(topics(part))).figures
    name = " ".join(str(published[column]) for column in ("team", "run") if published[column])
    rows = {f"this pipeline on {part.id}": figures, f"{name}, on the test of 2023": _same(published)}
    table = {row: {label: _shown(found.get(label)) for label in figures} for row, found in rows.items()}
    print(pd.DataFrame(table).T.to_string())
    if part.train and (optimistic := warning(part.train, part)):
        print(f"The pipeline was {optimistic.removeprefix('; ')}.")
    if models.tiny and models.asked:
        print("The models have random weights: the figures mean nothing.")
    if part.edition == releases.SAMPLE:
        print("The sample is made up: its figures say nothing about COLIEE.")


def _published(task: str, team: str, run: str | None) -> dict[str, object]:
    """The row of the team's run on the board of 2023, by default of its first, which is its best."""
    rows = official_board(2023, task).frame().to_dict("records")
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


def _same(published: dict[str, object]) -> dict[str, object]:
    """The published figures by the names that ours have."""
    return {name: published[column] for column, name in _COLUMNS.items() if column in published}


def _shown(figure: object) -> str:
    return "" if figure is None else f"{figure:.4f}" if isinstance(figure, float) else str(figure)
