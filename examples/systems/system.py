"""What the systems of this folder share: the command line, the models that they name, the published figures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
import pyterrier as pt

from ir_coliee.baselines.runs import qrels, topics, train_of
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
    """The checkpoints of a system: the published ones, or what ``--model`` puts in their place."""

    chosen: str | None = None

    @property
    def tiny(self) -> bool:
        """Whether all models are seeded ones of random weights."""
        return self.chosen == TINY

    def encoder(self, published: str) -> str:
        """An encoder of sentences, by the name of a checkpoint or its folder; so the others."""
        return self._of("encoder", published)

    def classifier(self, published: str) -> str:
        """A classifier of pairs with one score."""
        return self._of("classifier", published)

    def entailment(self, published: str) -> str:
        """A classifier of pairs with the labels of natural language inference."""
        return self._of("entailment", published)

    def seq2seq(self, published: str) -> str:
        """A T5 or the like."""
        return self._of("seq2seq", published)

    def causal(self, published: str) -> str:
        """A GPT or the like."""
        return self._of("causal", published)

    def _of(self, kind: str, published: str) -> str:
        return tiny_checkpoint(kind) if self.tiny else self.chosen or published


Pipeline = Callable[[Part, Models], pt.Transformer]


def main(task: str, team: str, pipeline: Pipeline, description: str) -> None:
    """Run a system on a part and print its official figures, with the published ones of the team's best run below."""
    default = {"task1": "task1/sample/test", "task2": "task2/sample/test"}.get(task, f"{task}/sample/en/test")
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default=f"coliee/{default}", metavar="ID", help="default: %(default)s")
    parser.add_argument(
        "--model",
        metavar="NAME",
        help=f"takes the place of published checkpoints; {TINY}: random weights, no download",
    )
    chosen = parser.parse_args()
    try:
        part = releases.part(chosen.dataset)
        if part.task != task:
            raise ColieeError(f"{part.id} is no part of {task}. Give one, for example coliee/{default}.")
        models = Models(chosen.model)
        figures = Scorer(part).score(pipeline(part, models)(topics(part))).figures
    except ColieeError as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None
    published = next(row for row in official_board(2023, task).frame().to_dict("records") if row["team"] == team)
    rows = {
        f"this pipeline on {part.id}": figures,
        f"{team}, {published['run']}, on the test of 2023": _same(published),
    }
    print(pd.DataFrame(rows).T.reindex(columns=[*figures]).to_string(na_rep="", float_format="{:.4f}".format))
    if models.tiny:
        print("The models have random weights: the figures mean nothing.")
    if part.edition == releases.SAMPLE:
        print("The sample is made up: its figures say nothing about COLIEE.")


_COLUMNS = {"f1": "F1", "f2": "F2", "precision": "P", "recall": "R", "map": "MAP", "accuracy": "accuracy"}


def _same(published: dict[str, object]) -> dict[str, object]:
    """The published figures by the names that ours have."""
    return {name: float(str(published[column])) for column, name in _COLUMNS.items() if column in published}
