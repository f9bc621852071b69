"""Candidate pools, from which the answer of a query must be chosen; filters of what cannot be an answer; duplicates.

Some editions of task 1 contain a decision twice, and the labels may name either document, or both.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import ir_datasets
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ir_coliee import frames
from ir_coliee.editions import Dataset, as_split, id_of_task, id_with_records
from ir_coliee.engine.counting import check_is_corpus
from ir_coliee.engine.term_counts import count_terms
from ir_coliee.errors import ColieeError, ColieeWarning, printable
from ir_coliee.frames import check_ids, sort_results
from ir_coliee.releases import cases
from ir_coliee.releases.release import LocalRelease
from ir_coliee.text.analysers import Shingles
from ir_coliee.text.decisions import normalised_digest
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
    frames.check_id_column(results, column)
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
        self.rule = frames.one_of("rule", rule, list(YEAR_RULES))

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

    The queries are documents, as in task 1. A candidate is kept if it or the query has no topic. UFAM used this rule at
    COLIEE 2023 with topics from BERTopic; any assignment of topics can be used.

    Parameters
    ----------
    topics : mapping of str to sequence
        The topics of each document, the dominant one first. From an array of probabilities of shape (n_documents,
        n_topics): ``dict(zip(docnos, (-array).argsort(axis=1)))``.
    k : int
        The number of a candidate's topics that are compared, >= 1.

    Examples
    --------
    >>> run = pd.DataFrame({"qid": "900001", "docno": ["900002", "900003"], "score": [2.0, 1.0]})
    >>> topics = {"900001": ["lamps"], "900002": ["gates", "lamps"], "900003": ["wells"]}
    >>> TopicFilter(topics, k=2)(run).docno.tolist(), TopicFilter(topics, k=1)(run).docno.tolist()
    (['900002'], [])
    """

    LABEL = "Topic filter"

    def __init__(self, topics: Mapping[str, Sequence[Hashable] | npt.NDArray[np.generic]], k: int) -> None:
        self.topics = frames.instance_of("topics", topics, Mapping, "a dict from document id to topics")
        self.k = frames.integer_at_least("k", k, 1)

    def keeps(self, results: pd.DataFrame) -> pd.Series:
        """Return for each row whether it is kept."""
        of_query = {qid: self._first(qid, 1) for qid in results["qid"].unique()}
        of_candidate = {docno: self._first(docno, self.k) for docno in results["docno"].unique()}

        def is_kept(qid: str, docno: str) -> bool:
            dominant, topics = of_query[qid], of_candidate[docno]
            return not dominant or not topics or dominant[0] in topics

        return pd.Series([*map(is_kept, results["qid"], results["docno"])], index=results.index, dtype=bool)

    def _first(self, name: str, k: int) -> list[Hashable]:
        """Return the first ``k`` topics of a query or document; raise `ColieeError` if they are not a list."""
        of_name = self.topics.get(name, ())
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
        self.dataset = id_with_records(dataset)
        if not ir_datasets.load(self.dataset).has_scoreddocs():
            raise ValueError(f"{self.dataset} has no candidate pools; its queries are answered from all documents.")

    def transform_inputs(self) -> list[list[str]]:
        """Return the columns of queries and of results. A pool alone does not need the text of a query."""
        return [["qid", "query"], ["qid"], ["qid", "docno", "score"]]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Retrieve the pools. A query without a pool has no result. Results need the columns qid and docno."""
        with pt.validate.any(inp, context=self) as mode:
            mode.query_frame()
            mode.result_frame()
        check_ids(inp)
        pairs = ir_datasets.load(self.dataset).scoreddocs_iter()
        pools = pd.DataFrame([(pair.query_id, pair.doc_id, 0.0) for pair in pairs], columns=["qid", "docno", "score"])
        if len(inp) and not inp["qid"].isin(pools["qid"]).any():
            message = f"No query has a pool in {self.dataset} (the first is {printable(inp['qid'].iloc[0])})"
            warnings.warn(f"{message}, so there are no results.", ColieeWarning, stacklevel=3)
        if "docno" in inp.columns:
            known, given = (pd.MultiIndex.from_frame(frame[["qid", "docno"]]) for frame in (pools, inp))
            return sort_results(inp[given.isin(known)])
        queries = frames.share_strings(inp.drop(columns=["score", "rank"], errors="ignore"))
        results = queries.merge(pools, on="qid")
        return results.assign(rank=results.groupby("qid", sort=False, observed=True).cumcount())


# Duplicates, documents with the same text under different ids: finding, dropping and adding them.


Pairs = npt.NDArray[np.int64]

_AT_A_TIME = 2**12  # the number of pairs of documents that are compared at a time


def near_duplicates(
    corpus: Iterable[Mapping[str, Any]], *, overlap: float | None = None, words: int = 5
) -> dict[str, str]:
    """Find documents with duplicate texts.

    Parameters
    ----------
    corpus : iterable of dict
        Documents with ``docno`` and ``text``.
    overlap : float, optional
        In (0, 1]. Texts are also duplicates if their resemblance [1]_, the Jaccard similarity of their sets of
        shingles, is at least this high. It is computed exactly. None to compare normalised texts only. A text that is
        shorter than a shingle has only duplicates with the same words.
    words : int
        The number of words of a shingle, in [2, 8].

    Returns
    -------
    dict of str to str
        For each document with duplicates the docno that represents them, the lowest one. Texts are duplicates if they
        differ only in case, white space and punctuation. The relation is transitive.

    Raises
    ------
    ColieeError
        If a document has no docno or text, or if a docno occurs twice.
    ValueError
        For a parameter out of range.

    References
    ----------
    .. [1] A. Z. Broder, On the resemblance and containment of documents, 1997.

    Examples
    --------
    >>> lamps = [{"docno": "900002", "text": "A LAMP."}, {"docno": "900001", "text": "a lamp"}]
    >>> near_duplicates([*lamps, {"docno": "900003", "text": "A gate."}])
    {'900001': '900001', '900002': '900001'}
    """
    if overlap is not None and not 0 < overlap <= 1:
        raise ValueError(f"overlap must be a number in (0, 1], got {overlap!r}.")
    check_is_corpus(corpus)
    wordings: dict[str, bytes] = {}

    def noted() -> Iterator[Mapping[str, Any]]:
        for document in corpus:
            yield document  # the consumer validates this document before it requests the next one
            wordings[document["docno"]] = normalised_digest(document["text"])

    counted = count_terms(noted(), Shingles(words, binary=True, min_df=1, max_share=1.0))
    docnos = counted.docnos
    first: dict[bytes, int] = {}
    same = [(first.setdefault(wordings[docno], number), number) for number, docno in enumerate(docnos)]
    pairs = np.array(same, dtype=np.int64).reshape(-1, 2)
    if overlap is not None:
        pairs = np.concatenate([pairs, _resembling(counted.counts, overlap)])
    graph = sparse.coo_matrix((np.ones(len(pairs)), pairs.T), shape=(len(docnos), len(docnos)))
    groups = connected_components(graph, directed=False)[1]
    firsts = np.unique(groups, return_index=True)[1]
    shared = np.bincount(groups) > 1 if len(groups) else groups
    return {docno: docnos[firsts[group]] for docno, group in zip(docnos, groups) if shared[group]}


def _resembling(shingles: sparse.csr_matrix, overlap: float) -> Pairs:
    """Find the pairs of rows whose sets of columns have at least this Jaccard similarity.

    Prefix filter: if a row may lack m of its columns in a similar row, similar rows share one of its m + 1 rarest
    columns (S. Chaudhuri, V. Ganti and R. Kaushik, A primitive operator for similarity joins in data cleaning, ICDE
    2006). Only pairs of rows that share one of these columns are compared.
    """
    rarest_first = np.argsort(np.bincount(shingles.indices, minlength=shingles.shape[1]), kind="stable")
    rank = np.empty_like(rarest_first)
    rank[rarest_first] = np.arange(len(rank))
    sizes = np.diff(shingles.indptr)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((rank[shingles.indices], rows))
    place = np.arange(len(order)) - np.repeat(shingles.indptr[:-1], sizes)
    needed = sizes - np.ceil(overlap * sizes - 1e-9).astype(np.int64) + 1
    rare = order[place < np.repeat(needed, sizes)]
    prefixes = sparse.csr_matrix((np.ones(len(rare)), (rows[rare], shingles.indices[rare])), shape=shingles.shape)
    candidates = sparse.triu(prefixes @ prefixes.T, k=1).tocoo()
    found = [np.empty((0, 2), dtype=np.int64)]
    for start in range(0, candidates.nnz, _AT_A_TIME):
        a, b = (side[start : start + _AT_A_TIME] for side in (candidates.row, candidates.col))
        common = np.asarray(shingles[a].multiply(shingles[b]).sum(axis=1)).ravel()
        alike = common >= overlap * (sizes[a] + sizes[b] - common) - 1e-9
        found.append(np.stack([a[alike], b[alike]], axis=1).astype(np.int64))
    return np.concatenate(found)


class _Duplicates(BaseTransformer):
    """Base class of the transformers of duplicates, which are given by their representatives."""

    def __init__(self, representatives: Mapping[str, str]) -> None:
        expected = "a dict as near_duplicates returns it"
        self.representatives = frames.instance_of("representatives", representatives, Mapping, expected)


class DropDuplicates(_Duplicates):
    """Keep only the best-ranked document of each group of duplicates: R to R.

    Of documents with equal scores, the one with the better rank is kept, or the one with the lowest docno if there are
    no ranks. Use it before `DropSelf`, so that duplicates of the query case are removed as well.

    Parameters
    ----------
    representatives : mapping of str to str
        The representative of each document with duplicates, as `near_duplicates` returns them.

    Examples
    --------
    >>> corpus = [{"docno": "900001", "text": "A lamp."}, {"docno": "900002", "text": "A lamp."}]
    >>> representatives = near_duplicates(corpus)
    >>> run = pd.DataFrame({"qid": "1", "docno": ["900001", "900002", "900003"], "score": [1.0, 2.0, 1.5]})
    >>> DropDuplicates(representatives)(run).docno.tolist()
    ['900002', '900003']
    """

    LABEL = "Drop duplicates"

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Remove duplicates. Requires the columns qid and docno; without score, the rows are a set in their order."""
        check_ranking_or_set(inp, self)
        check_ids(inp)
        ordered = sort_results(inp)
        docs, docnos = frames.number_ids(ordered["docno"])
        groups = pd.factorize(pd.Index([self.representatives.get(docno, docno) for docno in docnos], dtype=object))[0]
        pairs = pd.DataFrame({"query": frames.number_grouped_ids(ordered["qid"])[0], "group": groups[docs]})
        return sort_results(ordered[~pairs.duplicated().to_numpy()])


class AddDuplicates(_Duplicates):
    """Add all duplicates of each document, directly after it and with its score: R to R.

    Use it after a cut-off: if a document is an answer, its duplicates are answers as well. A duplicate that is already
    among the results keeps its rank. The other columns of an added row are those of the document that it duplicates.

    Parameters
    ----------
    representatives : mapping of str to str
        The representative of each document with duplicates, as `near_duplicates` returns them.

    Examples
    --------
    >>> run = pd.DataFrame({"qid": "1", "docno": ["900002", "900003"], "score": [2.0, 1.5]})
    >>> AddDuplicates({"900001": "900001", "900002": "900001"})(run).docno.tolist()
    ['900002', '900001', '900003']
    """

    LABEL = "Add duplicates"

    def _pairs(self, docnos: pd.Series[str]) -> pd.DataFrame:
        """Each of some documents with each of its duplicates, by docno."""
        members: dict[str, list[str]] = {}
        for docno, group in sorted(self.representatives.items()):
            members.setdefault(group, []).append(docno)
        groups = ((docno, members.get(self.representatives.get(docno, ""), [])) for docno in docnos.unique())
        pairs = [(docno, other) for docno, group in groups for other in group if other != docno]
        return pd.DataFrame(pairs, columns=["docno", "duplicate"], dtype=object)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Add duplicates. Requires the columns qid and docno; without score, the rows are a set in their order."""
        check_ranking_or_set(inp, self)
        check_ids(inp)
        ordered = sort_results(inp)
        pairs = self._pairs(ordered["docno"])
        if pairs.empty:
            return ordered
        added = ordered.astype({"docno": object}).merge(pairs, on="docno")
        # the order of a merge differs between versions of pandas; the best document that brings a duplicate comes first
        added = added.assign(docno=added["duplicate"]).drop(columns="duplicate").sort_values(["rank", "docno"])
        together = pd.concat([ordered.astype({"docno": object}), added], ignore_index=True)
        return sort_results(together[~together.duplicated(["qid", "docno"]).to_numpy()])
