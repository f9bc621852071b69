"""A PyTerrier pipeline that keeps the results of its stages, so that the losses of each stage can be counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import pyterrier as pt

from ir_coliee.analysis.analysis_frame import AnalysisFrame
from ir_coliee.analysis.stage_losses import Stage, StageItems, stage_losses
from ir_coliee.editions import Dataset, as_split
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import instance_of
from ir_coliee.transformers.base import BaseTransformer

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
