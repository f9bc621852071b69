"""Drift: what differs between the train queries of an edition and those that runs answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pandas as pd

from ir_coliee.analysis.frame import AnalysisFrame
from ir_coliee.analysis.properties import LENGTHS
from ir_coliee.analysis.runs import EvaluatedRuns
from ir_coliee.errors import ColieeError, MissingReleaseError
from ir_coliee.evaluation.cutoffs import depth_values, encode_run
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.transformers.candidates.filters import CandidatePool, DropSelf
from ir_coliee.transformers.retrieval.lexical import LexicalIndex, bm25_of_split

_QUERIES, _DOCUMENTS = 100, 500  # of a split, for the plain ranking, so that it takes seconds
_RANKED = ("task1", "task2", "task3")
#: A figure that is larger or smaller by this factor has changed.
CHANGED = 1.25


def drift(runs: EvaluatedRuns) -> AnalysisFrame:
    """Compare the queries that runs answer with the train queries of the edition.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs; the labels of their split are not needed.

    Returns
    -------
    AnalysisFrame
        The columns figure, train, test and ratio, of test to train. The figures are the number of queries, the median
        of their lengths, the mean number of relevant items, the measure of the first items by BM25 (of at most 100
        queries, in task 1 among their relevant and at most 500 other documents; as many items as a train query has
        relevant ones), and the mean number of items that each run returns, compared with the relevant items of a train
        query. What is not known of the test is missing.

    Raises
    ------
    ColieeError
        If the edition has no train split, or the runs answer it.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> frame = drift(evaluate("coliee/task3/sample/en/test", {"mine": {"R99-01-A": {"55": 1.0, "56": 1.0}}}))
    >>> frame[["figure", "train", "test"]].round(2).to_numpy().tolist()[0]
    ['queries', 30.0, 20.0]
    """
    split = runs.split.train
    if split is None or split.id == runs.split.id:
        raise ColieeError(f"{runs.split.id} has no train split to compare it with.")
    train = EvaluatedRuns(Scorer(split), {})
    depth = max(1, round(_relevant(train) or 1))
    of_train, of_test = (dict(_figures(each, depth)) for each in (train, runs))
    if not runs.scorer.evaluation.single_answer:
        for name, run in runs.runs.items():
            of_train[f"returned per query by {name}"] = _relevant(train)
            of_test[f"returned per query by {name}"] = len(run.answers) / len(runs.query_ids)
    frame = pd.DataFrame({"train": of_train, "test": of_test}, dtype=float).rename_axis("figure").reset_index()
    frame["ratio"] = frame["test"] / frame["train"]
    notes = [f"Train: {split.id}. Of returned items, the figure of train is that of the relevant ones."]
    return AnalysisFrame.of(frame, kind="drift", title="Train and test", notes=notes)


def _figures(runs: EvaluatedRuns, depth: int) -> Iterator[tuple[str, float | None]]:
    yield "queries", len(runs.query_ids)
    unit = LENGTHS[runs.split.language]
    try:
        lengths = unit.frame(runs).iloc[:, 0]
        yield f"{lengths.name} per query (median)", lengths.median()
    except MissingReleaseError:
        return
    if runs.scorer.evaluation.single_answer:
        return
    yield "relevant items per query", _relevant(runs)
    if runs.split.task in _RANKED:
        yield f"{runs.measure} of the first {depth} by BM25", _of_bm25(runs, depth)


def _relevant(runs: EvaluatedRuns) -> float | None:
    return len(runs.gold) / len(runs.query_ids) if runs.has_gold else None


def _of_bm25(runs: EvaluatedRuns, depth: int) -> float | None:
    """Return the measure of the first items of BM25, of some of the queries among some of the documents."""
    if not runs.has_gold or not runs.has_documents:
        return None
    chosen = sorted(pd.Series(runs.query_ids).sample(min(_QUERIES, len(runs.query_ids)), random_state=0))
    gold = runs.scorer.gold[runs.scorer.gold["query_id"].isin(chosen)]
    if runs.split.has_pools:
        pools = map(runs.scorer.checker.candidates, chosen)
        ranker = CandidatePool(runs.split.id) >> _index(runs, set().union(*pools)).bm25(statistics="pool")
    elif runs.split.task == "task1":
        known = pd.Series([*runs.documents.ids()])
        some = {*known.sample(min(_DOCUMENTS, len(known)), random_state=0)}
        ranker = _index(runs, some | ({*gold["doc_id"]} & {*known})).bm25(k1=3.0, b=1.0, num_results=depth + 1)
    else:
        ranker = bm25_of_split(runs.split, num_results=depth)
    topics = pd.DataFrame({"qid": chosen, "query": [runs.queries[qid].default_text() for qid in chosen]})
    values = depth_values(encode_run((ranker >> DropSelf())(topics), gold, rel=runs.measure["rel"]), runs.measure)
    return float(values[min(depth, len(values) - 1)])


def _index(runs: EvaluatedRuns, documents: Iterable[str]) -> LexicalIndex:
    texts = ({"docno": docno, "text": runs.documents.get(docno).default_text()} for docno in sorted(documents))
    return LexicalIndex.build(texts, analyser="case")
