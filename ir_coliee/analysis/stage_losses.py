"""Where relevant items are lost between the stages of a pipeline."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import pandas as pd

from ir_coliee.analysis.analysis_frame import AnalysisFrame
from ir_coliee.analysis.waterfall import Waterfall
from ir_coliee.editions import Dataset, as_split
from ir_coliee.errors import ColieeError, printable
from ir_coliee.evaluation.gold import scored_gold, task_evaluation
from ir_coliee.frames import check_ids, check_is_frame, sort_results

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
    if not isinstance(gold, pd.DataFrame) and task_evaluation(as_split(gold)).single_answer:
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
        labels, least = scored_gold(split).rename(columns=names), task_evaluation(split).measure["rel"]
    relevant: pd.DataFrame = labels.loc[labels["label"] >= least, ["qid", "docno"]]
    return relevant.drop_duplicates()
