"""A PyTerrier pipeline that keeps the results of its stages, so that the losses of each stage can be counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import pandas as pd
import pyterrier as pt

from ir_coliee.analysis.frame import AnalysisFrame
from ir_coliee.editions import Dataset, as_split
from ir_coliee.errors import ColieeError, printable
from ir_coliee.evaluation.gold import TASK_EVALUATIONS, scored_gold
from ir_coliee.frames import check_ids, check_is_frame, instance_of, sort_results
from ir_coliee.transformers.base import BaseTransformer

# A waterfall: levels of a number of items, with what is lost and gained between them.


COLUMNS = ("run", "step", "type", "name", "items", "share")


class Waterfall:
    """The rows of a waterfall. A level is the level before, less the losses and with the gains between the two.

    Parameters
    ----------
    relevant : int
        The number of relevant items, the first level.

    Examples
    --------
    >>> waterfall = Waterfall(8)
    >>> waterfall.lose("cut by the cut-off", 3)
    >>> waterfall.level("kept")
    >>> waterfall.rows("mine")["items"].tolist()
    [8, 3, 5]
    """

    def __init__(self, relevant: int) -> None:
        self.relevant = self._left = relevant
        self._rows = [("level", "gold", relevant)]

    def lose(self, name: str, items: int) -> None:
        """Add a loss, if items are lost."""
        self._change("loss", name, items, -items)

    def gain(self, name: str, items: int) -> None:
        """Add a gain, if items are gained."""
        self._change("gain", name, items, items)

    def _change(self, kind: str, name: str, items: int, difference: int) -> None:
        self._left += difference
        if items:
            self._rows.append((kind, name, items))

    def level(self, name: str) -> None:
        """Add the level that the losses and gains lead to."""
        self._rows.append(("level", name, self._left))

    def largest_loss(self) -> str:
        """Return a sentence on the loss of most items."""
        losses = [(items, name) for kind, name, items in self._rows if kind == "loss"]
        if not losses:
            return f"nothing is lost: all {self.relevant} relevant items are returned"
        items, name = max(losses, key=lambda loss: loss[0])
        return f"largest loss: {loss_in_words(name, items, self.relevant)}"

    def rows(self, run: str) -> pd.DataFrame:
        """Return the rows, with the columns of `COLUMNS`; the share is of the relevant items."""
        frame = pd.DataFrame(self._rows, columns=["type", "name", "items"])
        share = frame["items"] / (self.relevant or float("nan"))
        return frame.assign(run=run, step=range(len(frame)), share=share)[[*COLUMNS]]


def loss_in_words(cause: str, number: int, relevant: int, noun: str = "relevant items") -> str:
    """Return the number and the share of what is lost, with the cause.

    Examples
    --------
    >>> loss_in_words("cut by the cut-off", 214, 859)
    '214 of 859 relevant items (24.9 %) are cut by the cut-off'
    """
    return f"{number} of {relevant} {noun} ({100 * number / relevant:.1f} %) are {cause}"


# Where relevant items are lost between the stages of a pipeline.


#: A query id and a document id.
Pair: TypeAlias = "tuple[str, str]"


class Stage(NamedTuple):
    """The results of a stage of a pipeline.

    Attributes
    ----------
    name : str
        The name of the stage.
    results : pandas.DataFrame
        The columns qid and docno, and score and rank if the stage returns them.
    """

    name: str
    results: pd.DataFrame


class StageLoss(NamedTuple):
    """A stage that lost an item.

    Attributes
    ----------
    stage : Stage
        The stage that does not return the item, and after which no stage returns it.
    before : Stage or None
        The stage before, which returns the item; None if no stage does.
    rank : int or None
        The rank of the item in the stage before; None if that has no ranks.
    """

    stage: Stage
    before: Stage | None
    rank: int | None

    @property
    def cause(self) -> str:
        """The cause of the miss, with the name of the stage."""
        return f"not returned by {self.stage.name}" if self.before is None else f"dropped by {self.stage.name}"


class StageItems:
    """The pairs of query and document that each stage returns.

    Parameters
    ----------
    stages : sequence of Stage
        At least one stage.
    """

    def __init__(self, stages: Sequence[Stage]) -> None:
        self.stages = stages
        self._ranks = [_ranks(stage.results) for stage in stages]

    def loss(self, pair: Pair) -> StageLoss | None:
        """Return where an item is lost; None if the last stage returns it."""
        having = [number for number, ranks in enumerate(self._ranks) if pair in ranks]
        if not having:
            return StageLoss(self.stages[0], None, None)
        last = having[-1]
        if last == len(self.stages) - 1:
            return None
        return StageLoss(self.stages[last + 1], self.stages[last], self._ranks[last][pair])

    def add_to(self, waterfall: Waterfall, relevant: Collection[Pair]) -> None:
        """Add a level for each stage, with the relevant items that it loses and gains; ``relevant`` are those left."""
        left, lost_by = {*relevant}, "not returned by"
        for stage, ranks in zip(self.stages, self._ranks):
            found = {pair for pair in relevant if pair in ranks}
            waterfall.lose(f"{lost_by} {stage.name}", len(left - found))
            waterfall.gain(f"added by {stage.name}", len(found - left))
            waterfall.level(stage.name)
            left, lost_by = found, "dropped by"


def _ranks(results: pd.DataFrame) -> dict[Pair, int | None]:
    """Return the rank of each pair; None if the results have no ranks."""
    ranks = results["rank"].tolist() if "rank" in results.columns else [None] * len(results)
    return dict(zip(zip(results["qid"], results["docno"]), ranks))


def stage_losses(
    stages: Mapping[str, pd.DataFrame],
    gold: Dataset | pd.DataFrame,
    *,
    run: str = "pipeline",
    query_ids: Iterable[str] | None = None,
) -> AnalysisFrame:
    """Count the relevant items that each stage of a pipeline returns, loses and gains.

    Parameters
    ----------
    stages : dict of str to pandas.DataFrame
        The results of each stage by its name, in order: frames with qid and docno, and score and rank if there are any.
    gold : str or ir_datasets.Dataset or pyterrier.datasets.Dataset or pandas.DataFrame
        The split, or its qrels: a frame with qid, docno and label, or with query_id, doc_id and relevance.
    run : str
        The name of the pipeline in the column run.
    query_ids : iterable of str, optional
        The queries to count; by default all queries of the gold labels.

    Returns
    -------
    AnalysisFrame
        The columns of `losses`; a row is also of type ``gain``, if a stage returns relevant items that the stage before
        did not. In tasks with one answer for each query, the last stage returns the item with the highest score.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ColieeError
        If there is no stage, or if a frame lacks a column or has ids that are not strings.

    Examples
    --------
    >>> ranked = pd.DataFrame({"qid": "900656", "docno": ["900557", "900664", "900912"], "score": [3.0, 2.0, 1.0]})
    >>> stages = {"BM25": ranked, "Cut-off": ranked.head(2)}
    >>> frame = stage_losses(stages, "coliee/task1/sample/test", query_ids=["900656"])
    >>> frame[["type", "name", "items"]].to_numpy().tolist()[1:]
    [['level', 'BM25', 2], ['loss', 'dropped by Cut-off', 1], ['level', 'Cut-off', 1]]
    """
    if not stages:
        raise ColieeError("No stage was passed. Expected at least one.")
    relevant = _relevant(gold)
    if query_ids is not None:
        relevant = relevant[relevant["qid"].isin([*query_ids])]
    of_stages = [Stage(name, _checked(f"Stage {name}", results)) for name, results in stages.items()]
    if not isinstance(gold, pd.DataFrame) and TASK_EVALUATIONS[as_split(gold).task].single_answer:
        of_stages = with_single_answers(of_stages)
    waterfall = Waterfall(len(relevant))
    StageItems(of_stages).add_to(waterfall, [*zip(relevant["qid"], relevant["docno"])])
    notes = [f"{run}: {waterfall.largest_loss()}"]
    return AnalysisFrame.of(waterfall.rows(run), kind="losses", title="Where relevant items are lost", notes=notes)


def with_single_answers(stages: Sequence[Stage]) -> list[Stage]:
    """Return stages of which the last one returns only the item with the highest score of each query."""
    *others, last = stages
    best = sort_results(last.results).groupby("qid", sort=False, observed=True).head(1)
    return [*others, Stage(last.name, best)]


def _checked(name: str, frame: pd.DataFrame, columns: Sequence[str] = ("qid", "docno")) -> pd.DataFrame:
    check_is_frame(name, frame, ", ".join(columns))
    if missing := [column for column in columns if column not in frame.columns]:
        raise ColieeError(f"{printable(name, 60)} has no column {missing[0]}.\nIt needs {', '.join(columns)}.")
    check_ids(frame)
    return frame


def _relevant(gold: Dataset | pd.DataFrame) -> pd.DataFrame:
    """Return the relevant items with the columns qid and docno, each once."""
    names = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
    if isinstance(gold, pd.DataFrame):
        labels, least = _checked("The frame of qrels", gold.rename(columns=names), [*names.values()]), 1
    else:
        split = as_split(gold)
        labels, least = scored_gold(split).rename(columns=names), TASK_EVALUATIONS[split.task].measure["rel"]
    relevant: pd.DataFrame = labels.loc[labels["label"] >= least, ["qid", "docno"]]
    return relevant.drop_duplicates()


_COLUMNS = ("qid", "docno", "score", "rank")


@dataclass
class _Results:
    """The results of the stages for the queries that a pipeline was called with."""

    of_stages: dict[str, pd.DataFrame] = field(default_factory=dict)
    query_ids: set[str] = field(default_factory=set)

    def replace(self, name: str, results: pd.DataFrame, query_ids: set[str]) -> None:
        """Keep the results of a stage in place of the earlier ones of the same queries."""
        kept = results[[column for column in _COLUMNS if column in results.columns]].copy()
        if (earlier := self.of_stages.get(name)) is not None:
            others = earlier[~earlier["qid"].isin(query_ids)]
            kept = pd.concat([others, kept], ignore_index=True) if len(others) else kept
        self.of_stages[name] = kept


def of(
    pipeline: pt.Transformer, *, dataset: Dataset | None = None, names: Sequence[str] | None = None
) -> ObservedPipeline:
    """Return a pipeline with the same results that keeps the results of its stages.

    Parameters
    ----------
    pipeline, dataset, names
        As for `ObservedPipeline`, which also tells the errors and has an example.

    Returns
    -------
    ObservedPipeline
    """
    return ObservedPipeline(pipeline, dataset=dataset, names=names)


class ObservedPipeline(BaseTransformer):
    """A pipeline that keeps the results of its stages. It returns the same results as the pipeline.

    The stages are the transformers that ``>>`` connects; a nested ``**``, ``+``, ``|`` or fusion is one stage. Of their
    results the columns qid, docno, score and rank are kept. A call replaces the results of its queries, so that batches
    of queries add up; calls without queries, by which PyTerrier inspects pipelines, change nothing. Stages that return
    no documents, such as rewritten queries, are left out.

    Pass it to `evaluate` as a run to analyse its answers; the causes of misses then name the stages.

    Parameters
    ----------
    pipeline : pyterrier.Transformer
        The pipeline.
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset, optional
        The split whose gold labels `losses` uses.
    names : sequence of str, optional
        The names of the stages, one for each. By default the label of a transformer of this package, or the class.

    Raises
    ------
    ColieeError
        If the number of names is not that of the stages, or if a name occurs twice.

    Examples
    --------
    >>> from ir_coliee.transformers import DropSelf, TopK
    >>> run = pd.DataFrame({"qid": "900656", "docno": ["900656", "900557", "900912"], "score": [3.0, 2.0, 1.0]})
    >>> observed = of(pt.Transformer.from_df(run) >> DropSelf() >> TopK(1), dataset="coliee/task1/sample/test")
    >>> observed(pd.DataFrame({"qid": ["900656"]})).docno.tolist()
    ['900557']
    >>> observed.stage_of("900656", "900912")
    'Cut-off'
    >>> observed.losses()[["type", "name", "items"]].to_numpy().tolist()[-2:]
    [['loss', 'dropped by Cut-off', 1], ['level', 'Cut-off', 1]]
    """

    LABEL = "Observed pipeline"

    def __init__(
        self, pipeline: pt.Transformer, *, dataset: Dataset | None = None, names: Sequence[str] | None = None
    ) -> None:
        self.pipeline = instance_of("pipeline", pipeline, pt.Transformer, "a PyTerrier transformer")
        self.dataset = None if dataset is None else as_split(dataset).id
        self.names = None if names is None else [*names]
        self._named_transformers()

    def _named_transformers(self) -> dict[str, pt.Transformer]:
        """Return the stages by their names."""
        composed = isinstance(self.pipeline, pt._ops.Compose)
        transformers = [*self.pipeline] if composed else [self.pipeline]
        names = [*_labels(transformers)] if self.names is None else self.names
        if len(names) != len(transformers):
            raise ColieeError(f"names has {len(names)} entries for {len(transformers)} stages; give one for each.")
        if len({*names}) < len(names):
            raise ColieeError("Two stages have the same name. Give each stage its own name.")
        return dict(zip(names, transformers))

    @property
    def _results(self) -> _Results:
        """What is kept of the calls with the current arguments."""
        return self._cached((self.pipeline, tuple(self.names or ())), _Results)

    @property
    def schematic(self) -> dict[str, Any]:
        """Label and documentation page for PyTerrier's schematics."""
        return {"label": self.LABEL, "help_url": "https://ir-coliee.readthedocs.io/en/latest/how-to/analyse.html"}

    def transform_inputs(self) -> Any:
        """Return the columns that the pipeline needs."""
        return pt.inspect.transformer_inputs(self.pipeline)

    def transform_outputs(self, input_columns: list[str]) -> Any:
        """Return the columns that the pipeline returns."""
        return pt.inspect.transformer_outputs(self.pipeline, input_columns)

    def compile(self, verbose: bool = False) -> ObservedPipeline:
        """Return the pipeline itself: fused stages could not be observed."""
        return self

    def fit(self, *topics_and_qrels: Any) -> Any:
        """Fit the pipeline."""
        return self.pipeline.fit(*topics_and_qrels)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Return the results of the pipeline."""
        query_ids = set(inp["qid"]) if "qid" in inp.columns else set()
        kept, results = self._results, inp
        for name, transformer in self._named_transformers().items():
            results = transformer.transform(results)
            if query_ids and "docno" in results.columns:
                kept.replace(name, results, query_ids)
        kept.query_ids |= query_ids
        return results

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages that return documents, with their results. Raises `ColieeError` before the first call."""
        kept = self._results.of_stages
        if not kept:
            raise ColieeError(
                "The observed pipeline has no results with documents yet.\nCall it first: observed(topics)."
            )
        return tuple(Stage(name, kept[name]) for name in self._named_transformers() if name in kept)

    @property
    def query_ids(self) -> frozenset[str]:
        """The queries that the pipeline was called with."""
        return frozenset(self._results.query_ids)

    @property
    def ranking(self) -> pd.DataFrame | None:
        """The scored results of the last stage that returns more items than the last one; None if there is none."""
        *others, last = self.stages
        longer = [stage.results for stage in others if len(stage.results) > len(last.results)]
        return longer[-1] if longer and "score" in longer[-1].columns else None

    def losses(self, gold: Dataset | pd.DataFrame | None = None) -> AnalysisFrame:
        """Count the relevant items that each stage returns, loses and gains.

        Parameters
        ----------
        gold : str or ir_datasets.Dataset or pyterrier.datasets.Dataset or pandas.DataFrame, optional
            The split or its qrels; by default the dataset of the pipeline.

        Returns
        -------
        AnalysisFrame
            As `ir_coliee.analysis.stage_losses` returns it, for the queries that the pipeline was called with.

        Raises
        ------
        ColieeError
            If the pipeline was not called yet, or if neither a split nor qrels are given.
        MissingLabelsError
            If the local release has no gold labels.
        """
        gold = self.dataset if gold is None else gold
        if gold is None:
            raise ColieeError("No gold labels. Pass a split or qrels: observed.losses(dataset).")
        return stage_losses(dict(self.stages), gold, query_ids=self.query_ids)

    def stage_of(self, query_id: str, doc_id: str) -> str | None:
        """Return the name of the stage that lost an item, after which no stage returns it; None if it is returned.

        Raises `ColieeError` if the pipeline was not called with the query.
        """
        if query_id not in self.query_ids:
            asked = printable(str(query_id), 40)
            raise ColieeError(
                f"The observed pipeline was not called with query {asked}.\nCall it first: observed(topics)."
            )
        loss = StageItems(self.stages).loss((query_id, doc_id))
        return None if loss is None else loss.stage.name


def _labels(transformers: Sequence[pt.Transformer]) -> Iterator[str]:
    """Yield the labels of transformers; those that occur again are numbered."""
    seen: Counter[str] = Counter()
    for transformer in transformers:
        label = transformer.LABEL if isinstance(transformer, BaseTransformer) else type(transformer).__name__
        seen[label] += 1
        yield label if seen[label] == 1 else f"{label} {seen[label]}"
