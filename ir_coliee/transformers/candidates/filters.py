"""Candidate pools, from which the answer of a query must be chosen, and filters of what cannot be an answer."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterator, Mapping, Sequence

import ir_datasets
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Dataset, as_dataset_id, as_split, id_of_task
from ir_coliee.errors import ColieeError, ColieeWarning, printable
from ir_coliee.frames import (
    check_id_column,
    check_ids,
    instance_of,
    integer_at_least,
    one_of,
    share_strings,
    sort_results,
)
from ir_coliee.releases import cases
from ir_coliee.releases.release import LocalRelease
from ir_coliee.text.years import YEAR_RULES, DecisionYears
from ir_coliee.transformers.base import BaseTransformer, check_ranking_or_set


class _Filter(BaseTransformer):
    """Base class of the filters (R to R): remove rows and number the ranks again. A subclass defines `keeps`."""

    def keeps(self, results: pd.DataFrame) -> pd.Series:
        """Return for each row whether it is kept."""
        raise NotImplementedError

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Remove rows. Requires the columns qid and docno; without score, the rows are a set in their order."""
        check_ranking_or_set(inp, self)
        check_ids(inp)
        return sort_results(inp[self.keeps(inp).to_numpy(dtype=bool)])


def case_texts(dataset: str) -> Iterator[tuple[str, str]]:
    """Generate the documents of a split with their texts, then its queries if they are not documents."""
    loaded = ir_datasets.load(dataset)
    yield from ((doc.doc_id, doc.text) for doc in loaded.docs_iter())
    if loaded.has_scoreddocs():  # in layouts in which queries have candidate pools
        yield from ((query.query_id, query.case) for query in loaded.queries_iter())


def _query_cases(results: pd.DataFrame) -> pd.Series:
    """Return the query case of each row: ``query_docno`` if the frame has that column, otherwise the qid."""
    column = "query_docno" if "query_docno" in results.columns else "qid"
    check_id_column(results, column)
    return results[column].astype(object)  # categories of different columns cannot be compared


class DropSelf(_Filter):
    """Remove the query case itself, which is a document of the collection: R to R.

    The query case is ``query_docno`` if the frame has that column, otherwise the qid.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1", "1"], "docno": ["1", "2"], "score": [9.0, 3.0]})
    >>> DropSelf()(run).docno.tolist()
    ['2']
    """

    LABEL = "Drop self"

    def keeps(self, results: pd.DataFrame) -> pd.Series:
        """Return for each row whether it is kept."""
        return _query_cases(results) != results["docno"].astype(object)


class DropQueries(_Filter):
    """Remove every document that is a query of the dataset: R to R.

    In the test splits of 2022, 2023 and 2025 no query is a noticed case; in other splits some are. The filter, which
    THUIR used in 2023, is therefore suitable for some editions only; the task does not imply it.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The task 1 split whose queries are removed.

    Examples
    --------
    >>> import pandas as pd
    >>> DropQueries("coliee/task1/sample/test")(pd.DataFrame({"qid": [], "docno": [], "score": []})).empty
    True
    """

    LABEL = "Drop queries"

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = id_of_task(dataset, "task1")

    def keeps(self, results: pd.DataFrame) -> pd.Series:
        """Return for each row whether it is kept."""
        return ~results["docno"].isin(cases.query_ids(LocalRelease.open(self.dataset)))


class YearFilter(_Filter):
    """Remove candidates that were decided after the query case, which therefore cannot cite them: R to R.

    A candidate is removed if the earliest year in which it can have been made is after the latest one of the query
    case. It is kept if either is unknown. The query case is ``query_docno`` if the frame has that column, otherwise the
    qid.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1.
    latest : int, optional
        Numbers above it are not read as years. By default, the year of the edition.
    rule : {"decision years", "latest year", "latest dated year"}
        How the years of a decision are read from its text. ``"decision years"``: the date in its header, otherwise
        bounds by what it dates, see `ir_coliee.text.years.decision_years` (our own rule). ``"latest year"``: the
        latest year that it mentions (THUIR at COLIEE 2023), which may be the end of a patent or a sentence. ``"latest
        dated year"``: the latest year that stands at the end of a date or after a bracket (NOWJ at COLIEE 2023; that it
        is the latest was chosen for this package).

    Warns
    -----
    ColieeWarning
        If no query is a case of the dataset, so that all candidates are kept.

    Examples
    --------
    >>> import pandas as pd
    >>> YearFilter("coliee/task1/sample/test")(pd.DataFrame({"qid": [], "docno": [], "score": []})).empty
    True
    >>> YearFilter("coliee/task1/sample/test").years()["source"].value_counts().to_dict()
    {'header': 32}
    """

    LABEL = "Year filter"

    def __init__(self, dataset: Dataset, *, latest: int | None = None, rule: str = "decision years") -> None:
        self.dataset = id_of_task(dataset, "task1")
        self.latest = latest
        self.rule = one_of("rule", rule, list(YEAR_RULES))

    def years(self) -> pd.DataFrame:
        """Return the years of each case of the dataset, and how sure they are.

        Returns
        -------
        pandas.DataFrame
            A row for each case: docno, ``earliest`` and ``latest`` (missing if unknown) and ``source``, one of
            ``"header"``, ``"dated mention"`` and ``"none"``, see `ir_coliee.text.years.DecisionYears`.
        """
        rows = [(docno, *years) for docno, years in self._years().items()]
        frame = pd.DataFrame(rows, columns=["docno", *DecisionYears._fields])
        return frame.astype({"earliest": "Int64", "latest": "Int64"})

    def _years(self) -> dict[str, DecisionYears]:
        def read() -> dict[str, DecisionYears]:
            latest = as_split(self.dataset).year if self.latest is None else self.latest
            return {name: YEAR_RULES[self.rule](text, latest) for name, text in case_texts(self.dataset)}

        # the store is another object once the local release has changed
        store = ir_datasets.load(self.dataset).docs_store()
        return self._cached((self.dataset, self.latest, self.rule, store), read)

    def keeps(self, results: pd.DataFrame) -> pd.Series:
        """Return for each row whether it is kept."""
        years = self._years()
        queries = _query_cases(results)
        if len(results) and not queries.isin(years.keys()).any():
            message = f"No query is a case of {self.dataset} (the first is {printable(str(queries.iloc[0]))})"
            warnings.warn(f"{message}, so no candidate is removed.", ColieeWarning, stacklevel=4)
        # numpy floats, because comparisons with a missing year are neither true nor false with pyarrow
        earliest = results["docno"].astype(object).map({name: of.earliest for name, of in years.items()}).astype(float)
        latest = queries.astype(object).map({name: of.latest for name, of in years.items()}).astype(float)
        return ~(earliest > latest)


class TopicFilter(_Filter):
    """Keep the candidates that have the query's dominant topic among their first ``k`` topics: R to R.

    A candidate is kept if it or the query has no topic. UFAM used this rule at COLIEE 2023 with topics from BERTopic;
    any assignment of topics can be used.

    Parameters
    ----------
    topics : mapping of str to sequence
        The topics of each document, the dominant one first. From an array of probabilities of shape (n_documents,
        n_topics): ``dict(zip(docnos, (-array).argsort(axis=1)))``.
    k : int
        The number of a candidate's topics that are compared, >= 1.
    query_topics : mapping of str to sequence, optional
        The topics of each query, by qid. None if the queries are documents, as in task 1.

    Examples
    --------
    >>> run = pd.DataFrame({"qid": "900001", "docno": ["900002", "900003"], "score": [2.0, 1.0]})
    >>> topics = {"900001": ["lamps"], "900002": ["gates", "lamps"], "900003": ["wells"]}
    >>> TopicFilter(topics, k=2)(run).docno.tolist(), TopicFilter(topics, k=1)(run).docno.tolist()
    (['900002'], [])
    """

    LABEL = "Topic filter"

    def __init__(
        self,
        topics: Mapping[str, Sequence[Hashable] | npt.NDArray[np.generic]],
        k: int,
        query_topics: Mapping[str, Sequence[Hashable] | npt.NDArray[np.generic]] | None = None,
    ) -> None:
        expected = "a dict from document id to topics"
        self.topics = instance_of("topics", topics, Mapping, expected)
        self.k = integer_at_least("k", k, 1)
        if query_topics is not None:
            instance_of("query_topics", query_topics, Mapping, expected)
        self.query_topics = query_topics

    def keeps(self, results: pd.DataFrame) -> pd.Series:
        """Return for each row whether it is kept."""
        query_topics = self.topics if self.query_topics is None else self.query_topics
        of_query = {qid: _first_topics(query_topics, qid, 1) for qid in results["qid"].unique()}
        of_candidate = {docno: _first_topics(self.topics, docno, self.k) for docno in results["docno"].unique()}

        def is_kept(qid: str, docno: str) -> bool:
            dominant, topics = of_query[qid], of_candidate[docno]
            return not dominant or not topics or dominant[0] in topics

        return pd.Series([*map(is_kept, results["qid"], results["docno"])], index=results.index, dtype=bool)


def _first_topics(
    topics: Mapping[str, Sequence[Hashable] | npt.NDArray[np.generic]], name: str, k: int
) -> list[Hashable]:
    """Return the first ``k`` topics of a query or document; raise `ColieeError` if they are not a list."""
    of_name = topics.get(name, ())
    if isinstance(of_name, str) or not isinstance(of_name, (Sequence, np.ndarray)):
        kind = type(of_name).__name__
        raise ColieeError(f"The topics of {printable(str(name))} must be a list, got a value of type {kind}.")
    return list(of_name[:k])


class CandidatePool(BaseTransformer):
    """Retrieve all items of each query's pool with score 0, or keep the results that are in the pool: Q to R, R to R.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A dataset with ``scoreddocs``.

    Warns
    -----
    ColieeWarning
        If no query has a pool in the dataset, so that nothing is returned.

    Examples
    --------
    >>> import pandas as pd
    >>> query = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A lamp may be lent."]})
    >>> CandidatePool("coliee/task4/sample/en/test")(query).docno.tolist()
    ['Y', 'N']
    >>> run = pd.DataFrame({"qid": "R99-01-A", "docno": ["X", "N"], "score": [2.0, 1.0]})
    >>> CandidatePool("coliee/task4/sample/en/test")(run).docno.tolist()
    ['N']
    """

    LABEL = "Pool"

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = as_dataset_id(dataset)
        if not ir_datasets.load(self.dataset).has_scoreddocs():
            raise ValueError(
                f"{self.dataset} has no candidate pools: its queries are answered from the whole collection."
            )

    def transform_inputs(self) -> list[list[str]]:
        """Return the columns of queries and of results. A pool alone does not need the text of a query."""
        return [["qid", "query"], ["qid"], ["qid", "docno", "score"]]

    def _pools(self) -> pd.DataFrame:
        dataset = ir_datasets.load(self.dataset)
        pairs = [(pair.query_id, pair.doc_id) for pair in dataset.scoreddocs_iter()]
        frame: pd.DataFrame = pd.DataFrame(pairs, columns=["qid", "docno"]).assign(score=0.0)
        return frame

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Retrieve the pools. A query without a pool has no result. Results need the columns qid and docno."""
        with pt.validate.any(inp, context=self) as mode:
            mode.query_frame()
            mode.result_frame()
        check_ids(inp)
        pools = self._pools()
        if len(inp) and not inp["qid"].isin(pools["qid"]).any():
            message = f"No query has a pool in {self.dataset} (the first is {printable(inp['qid'].iloc[0])})"
            warnings.warn(f"{message}, so there are no results.", ColieeWarning, stacklevel=3)
        if "docno" in inp.columns:
            pairs = pd.MultiIndex.from_frame(pools[["qid", "docno"]])
            return sort_results(inp[pd.MultiIndex.from_frame(inp[["qid", "docno"]]).isin(pairs)])
        queries = share_strings(inp.drop(columns=["score", "rank"], errors="ignore"))
        results = queries.merge(pools, on="qid")
        frame: pd.DataFrame = results.assign(rank=results.groupby("qid", sort=False, observed=True).cumcount())
        return frame
