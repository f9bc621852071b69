"""The stages of a PyTerrier pipeline, and the waterfall of relevant items that they lose and gain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError
from ir_coliee.frames import instance_of
from ir_coliee.transformers.base import BaseTransformer

#: A query id and a document id.
Pair: TypeAlias = "tuple[str, str]"
#: The rank of each pair that a stage returns; None if its results have no ranks.
Ranks: TypeAlias = "dict[Pair, int | None]"
#: ``level``, ``loss`` or ``gain``, its name, and the number of items that are lost or gained.
Step: TypeAlias = "tuple[str, str, int]"


def observe(
    pipeline: pt.Transformer, topics: pd.DataFrame, *, names: Sequence[str] | None = None
) -> dict[str, pd.DataFrame]:
    """Run a pipeline and return the results of each of its stages.

    The stages are the transformers that ``>>`` connects; a nested ``**``, ``+``, ``|`` or fusion is one stage. Stages
    that return no documents, such as rewritten queries, are left out. Pass the result to `evaluate` as a run: the
    causes of misses then name the stages.

    Parameters
    ----------
    pipeline : pyterrier.Transformer
        The pipeline.
    topics : pandas.DataFrame
        The queries.
    names : sequence of str, optional
        The names of the stages, one for each. By default the label of a transformer of this package, or the class.

    Returns
    -------
    dict of str to pandas.DataFrame
        The results of the stages in their order; the last ones are those of the pipeline.

    Raises
    ------
    ColieeError
        If the number of names is not that of the stages, or if a name occurs twice.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate, losses
    >>> from ir_coliee.transformers import DropSelf, TopK
    >>> run = pd.DataFrame({"qid": "900656", "docno": ["900656", "900557", "900912"], "score": [3.0, 2.0, 1.0]})
    >>> stages = observe(pt.Transformer.from_df(run) >> DropSelf() >> TopK(1), pd.DataFrame({"qid": ["900656"]}))
    >>> [*stages], stages["Cut-off"].docno.tolist()
    (['SourceTransformer', 'Drop self', 'Cut-off'], ['900557'])
    >>> losses(evaluate("coliee/task1/sample/test", {"mine": stages}))["name"].tolist()[-2:]
    ['dropped by Cut-off', 'Cut-off']
    """
    instance_of("pipeline", pipeline, pt.Transformer, "a PyTerrier transformer")
    transformers = [*pipeline] if isinstance(pipeline, pt._ops.Compose) else [pipeline]
    names = [*_labels(transformers)] if names is None else names
    if len(names) != len(transformers):
        raise ColieeError(f"names has {len(names)} entries for {len(transformers)} stages; give one for each.")
    if len({*names}) < len(names):
        raise ColieeError("Two stages have the same name. Give each stage its own name.")
    results, stages = topics, {}
    for name, transformer in zip(names, transformers):
        results = transformer.transform(results)
        if "docno" in results.columns:
            stages[name] = results
    return stages


def _labels(transformers: Sequence[pt.Transformer]) -> Iterator[str]:
    """Yield the labels of transformers; those that occur again are numbered."""
    seen: Counter[str] = Counter()
    for transformer in transformers:
        label = transformer.LABEL if isinstance(transformer, BaseTransformer) else type(transformer).__name__
        seen[label] += 1
        yield label if seen[label] == 1 else f"{label} {seen[label]}"


def ranks_of_stages(stages: Mapping[str, pd.DataFrame]) -> dict[str, Ranks]:
    """Return the pairs that each stage returns, with their ranks if the results have ranks."""
    return {
        name: dict(
            zip(
                zip(results["qid"], results["docno"]),
                results["rank"].tolist() if "rank" in results.columns else [None] * len(results),
            )
        )
        for name, results in stages.items()
    }


class StageLoss(NamedTuple):
    """Where a pair is lost: the first of the stages that do not return it to the end.

    Attributes
    ----------
    stage : str
        The stage.
    before : str or None
        The stage before, which returns the pair; None if no stage does.
    rank : int or None
        The rank in the stage before, from 0; None if that has no ranks.
    """

    stage: str
    before: str | None
    rank: int | None

    @property
    def cause(self) -> str:
        """The cause of the miss, with the name of the stage."""
        return f"not returned by {self.stage}" if self.before is None else f"dropped by {self.stage}"


def stage_loss(ranks: Mapping[str, Ranks], pair: Pair) -> StageLoss:
    """Return where a pair is lost that the last stage does not return."""
    names = [*ranks]
    having = [number for number, of_stage in enumerate(ranks.values()) if pair in of_stage]
    if not having:
        return StageLoss(names[0], None, None)
    before = names[having[-1]]
    return StageLoss(names[having[-1] + 1], before, ranks[before][pair])


def stage_steps(stages: Mapping[str, pd.DataFrame], relevant: Collection[Pair]) -> Iterator[Step]:
    """Yield what each stage loses and gains of the relevant pairs that are left before the first one."""
    left, lost_by = {*relevant}, "not returned by"
    for name, ranks in ranks_of_stages(stages).items():
        found = {pair for pair in relevant if pair in ranks}
        yield "loss", f"{lost_by} {name}", len(left - found)
        yield "gain", f"added by {name}", len(found - left)
        yield "level", name, 0
        left, lost_by = found, "dropped by"


def waterfall(run: str, relevant: int, steps: Iterable[Step]) -> pd.DataFrame:
    """Return the rows of a waterfall: a level is the level before less the losses and with the gains between the two.

    Examples
    --------
    >>> waterfall("mine", 8, [("loss", "ranked below the cut-off", 3), ("level", "kept", 0)])["items"].tolist()
    [8, 3, 5]
    """
    rows, left = [("level", "gold", relevant)], relevant
    for kind, name, items in steps:
        left += {"level": 0, "loss": -items, "gain": items}[kind]
        if kind == "level" or items:
            rows.append((kind, name, left if kind == "level" else items))
    frame = pd.DataFrame(rows, columns=["type", "name", "items"])
    share = frame["items"] / (relevant or float("nan"))
    frame = frame.assign(run=run, step=range(len(frame)), share=share)
    return frame[["run", "step", "type", "name", "items", "share"]]
