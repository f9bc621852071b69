"""What the systems of this folder share: the command line, the models that they name, the published figures."""

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
from ir_coliee.models.tiny import Kind, tiny_checkpoint

__all__ = ["TINY", "Models", "Split", "main", "qrels", "topics", "train_split"]

TINY = "tiny"
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Models:
    """The checkpoints of a system: the published ones, or what ``--model`` puts in their place.

    Several models of a system that are one kind of network take different seeds, so that tiny ones differ, too. What
    takes several kinds asks for all before it loads or trains one, so that a name for all of them is refused in time.
    """

    chosen: Mapping[Kind, str] = field(default_factory=dict)
    otherwise: str | None = None  # for kinds that are not chosen
    asked: dict[str, Kind] = field(default_factory=dict)  # by the published names

    def tiny(self, kind: Kind) -> bool:
        """Whether models of a kind are seeded ones of random weights."""
        return self._name(kind) == TINY

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

    def _name(self, kind: Kind) -> str | None:
        return self.chosen.get(kind, self.otherwise)

    def _of(self, kind: Kind, published: str, seed: int) -> str:
        self.asked[published] = kind
        served = sorted(set(self.asked.values()) - set(self.chosen))
        if self.otherwise not in (None, TINY) and len(served) > 1:
            each = " ".join(f"--model {other}=NAME" for other in served)
            raise ColieeError(f"--model {self.otherwise} cannot be models of two kinds. Give one of each: {each}.")
        return tiny_checkpoint(kind, seed) if self.tiny(kind) else self._name(kind) or published


def _models(given: Sequence[str]) -> Models:
    """What ``--model`` says: KIND=NAME, or NAME for all kinds that have none of their own."""
    chosen: dict[str | None, str] = {}
    for each in given:
        kind, equals, name = each.partition("=")
        if not equals or Path(each).exists():  # a folder may have such a name
            kind, name = None, each
        elif kind not in KINDS:
            raise ColieeError(f"--model {each}: {kind} is no kind of model. Give one of {', '.join(KINDS)}.")
        if not name or kind in chosen:
            raise ColieeError(f"--model {each}: {'it is given before' if name else 'a name is missing'}. Give it once.")
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
        action="append",
        default=[],
        metavar="[KIND=]NAME",
        help="takes the place of published checkpoints, of all or of a kind, and may be given for several kinds "
        f"({', '.join(KINDS)}); {TINY}: random weights, no download",
    )
    others = others or {}
    if others:
        parser.add_argument("--run", choices=[*others], help="another run of the team, by its published name")
    chosen = parser.parse_args()
    if others and chosen.run:
        run, pipeline = chosen.run, others[chosen.run]
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")  # before the libraries that show them are imported
    try:
        _print_table(task, _published(task, team, run), pipeline, chosen.dataset, _models(chosen.model), default)
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
    split = editions.split(dataset)
    if split.task != task:
        raise ColieeError(f"{split.id} is no part of {task}. Give one, for example {default}.")
    scorer = Scorer(split)
    scorer.gold  # noqa: B018  # says now, not after an hour, that there are no labels
    figures = scorer.score(pipeline(split, models)(topics(split))).figures
    name = " ".join(str(published[column]) for column in ("team", "run") if published[column])
    rows = {f"this pipeline on {split.id}": figures, f"{name}, on the test of 2023": _same(published)}
    table = {row: {label: _shown(found.get(label)) for label in figures} for row, found in rows.items()}
    print(pd.DataFrame(table).T.to_string())
    if split.train and (optimistic := optimism_note(split.train, split)):
        print(f"The pipeline was {optimistic.removeprefix('; ')}.")
    if any(map(models.tiny, models.asked.values())):
        print("The models have random weights: the figures mean nothing.")
    if unused := sorted(set(models.chosen) - set(models.asked.values())):
        print(f"No model of this kind is asked for: {', '.join(unused)}.")
    for note in scorer.gold_notes:
        print(note)


def _published(task: str, team: str, run: str | None) -> dict[str, object]:
    """The row of the team's run on the leaderboard of 2023, by default of its first, which is its best."""
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


def _same(published: dict[str, object]) -> dict[str, object]:
    """The published figures by the names that ours have."""
    return {name: published[column] for column, name in _COLUMNS.items() if column in published}


def _shown(figure: object) -> str:
    return "" if figure is None else f"{figure:.4f}" if isinstance(figure, float) else str(figure)
