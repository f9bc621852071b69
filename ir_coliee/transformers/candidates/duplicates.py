"""Duplicates, documents with the same text under different ids: functions and transformers to find, drop and add them.

Some editions of task 1 contain a decision twice, and the labels may name either document, or both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ir_coliee.engine.building import count_terms
from ir_coliee.engine.counting import check_is_corpus
from ir_coliee.frames import check_ids, instance_of, number_grouped_ids, number_ids, sort_results
from ir_coliee.text.analysers import Shingles
from ir_coliee.text.decisions import normalised_digest
from ir_coliee.transformers.base import BaseTransformer, check_ranking_or_set

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


def _check_representatives(representatives: Mapping[str, str]) -> Mapping[str, str]:
    return instance_of("representatives", representatives, Mapping, "a dict as near_duplicates returns it")


class DropDuplicates(BaseTransformer):
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

    def __init__(self, representatives: Mapping[str, str]) -> None:
        self.representatives = _check_representatives(representatives)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Remove duplicates. Requires the columns qid and docno; without score, the rows are a set in their order."""
        check_ranking_or_set(inp, self)
        check_ids(inp)
        ordered = sort_results(inp)
        docs, docnos = number_ids(ordered["docno"])
        groups = pd.factorize(pd.Index([self.representatives.get(docno, docno) for docno in docnos], dtype=object))[0]
        pairs = pd.DataFrame({"query": number_grouped_ids(ordered["qid"])[0], "group": groups[docs]})
        return sort_results(ordered[~pairs.duplicated().to_numpy()])


class AddDuplicates(BaseTransformer):
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

    def __init__(self, representatives: Mapping[str, str]) -> None:
        self.representatives = _check_representatives(representatives)

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
