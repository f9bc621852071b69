"""Documents of the same text under several names: which they are, one for all, and all for one.

Of the decisions of task 1 some editions hold a text twice, and the labels may name either copy, or both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ir_coliee.engine.building import count_terms
from ir_coliee.frames import number_grouped_ids, number_ids, sort_results
from ir_coliee.releases.text_fingerprints import normalised_text
from ir_coliee.text.analysers import Shingles
from ir_coliee.transformers.base import BaseTransformer

Pairs = npt.NDArray[np.int64]

_AT_A_TIME = 2**12  # pairs of documents that are compared at once


def near_duplicates(
    corpus: Iterable[Mapping[str, Any]], *, overlap: float | None = None, words: int = 5
) -> dict[str, str]:
    """The documents that have copies, each with the copy of the lowest docno, which stands for all of them.

    ``corpus``: dicts with ``docno`` and ``text``. Copies are texts of the same words: lower case and upper, white
    space and punctuation apart. With ``overlap``, above 0 and at most 1, so are texts that share at least that of their
    different shingles, runs of ``words`` words (2 to 8), over those that either has: the resemblance of A. Z. Broder,
    On the resemblance and containment of documents (1997), exact, not estimated. A text shorter than a shingle has only
    copies of the same words. Copies of a copy are copies. Raises `ColieeError` for a document without a number or a
    text, and for one that comes twice; `ValueError` for a parameter out of range.

    >>> lamps = [{"docno": "900002", "text": "A LAMP."}, {"docno": "900001", "text": "a lamp"}]
    >>> near_duplicates([*lamps, {"docno": "900003", "text": "A gate."}])
    {'900001': '900001', '900002': '900001'}
    """
    if overlap is not None and not 0 < overlap <= 1:
        raise ValueError(f"overlap={overlap!r} is not above 0 and at most 1")
    wordings: dict[str, bytes] = {}

    def noted() -> Iterator[Mapping[str, Any]]:
        for document in corpus:
            yield document  # it is checked before the next one is asked for
            text = document["text"]
            wordings[document["docno"]] = _digest(normalised_text(text) or text.encode(errors="surrogatepass"))

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


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


def _resembling(shingles: sparse.csr_matrix, overlap: float) -> Pairs:
    """The pairs of rows that share at least this part of what either has.

    Two such rows share one of the rarest columns of each: as many as it may lack, and one (S. Chaudhuri, V. Ganti and
    R. Kaushik, A primitive operator for similarity joins in data cleaning, ICDE 2006). So only pairs that share one of
    those are compared.
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


class DropDuplicates(BaseTransformer):
    """Keep of each query's documents that are copies of each other the one that ranks first: R to R.

    Of equal scores that is the one with the better rank, without ranks the one of the lowest docno. Put it before
    `DropSelf`, so that copies of the query case go with it.

    >>> copies = near_duplicates([{"docno": "900001", "text": "A lamp."}, {"docno": "900002", "text": "A lamp."}])
    >>> run = pd.DataFrame({"qid": "1", "docno": ["900001", "900002", "900003"], "score": [1.0, 2.0, 1.5]})
    >>> DropDuplicates(copies)(run).docno.tolist()
    ['900002', '900003']
    """

    LABEL = "Drop copies"

    def __init__(self, copies: Mapping[str, str]) -> None:
        """``copies``: documents by what stands for them, as `near_duplicates` gives; the others have no copy."""
        self.copies = copies

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Leave copies out. Needs the columns qid, docno and score."""
        pt.validate.result_frame(inp, extra_columns=["score"], context=self)
        ordered = sort_results(inp)
        docs, docnos = number_ids(ordered["docno"])
        groups = pd.factorize(pd.Index([self.copies.get(docno, docno) for docno in docnos], dtype=object))[0]
        pairs = pd.DataFrame({"query": number_grouped_ids(ordered["qid"])[0], "group": groups[docs]})
        return sort_results(ordered[~pairs.duplicated().to_numpy()])


class AddDuplicates(BaseTransformer):
    """Bring in all copies of each document that is there, right behind it and with its score: R to R.

    For behind a cut-off: where one copy is an answer, so are the others. A copy that is there already stays where it
    is. One that is brought in takes all other columns from the document that brings it.

    >>> run = pd.DataFrame({"qid": "1", "docno": ["900002", "900003"], "score": [2.0, 1.5]})
    >>> AddDuplicates({"900001": "900001", "900002": "900001"})(run).docno.tolist()
    ['900002', '900001', '900003']
    """

    LABEL = "Add copies"

    def __init__(self, copies: Mapping[str, str]) -> None:
        """``copies``: documents by what stands for them, as `near_duplicates` gives; the others have no copy."""
        self.copies = copies

    def _pairs(self) -> pd.DataFrame:
        """Each document with each of its copies, by docno."""
        groups = pd.DataFrame({"docno": list(self.copies), "group": list(self.copies.values())}, dtype=object)
        pairs = groups.merge(groups.rename(columns={"docno": "copy"}), on="group")[["docno", "copy"]]
        return pairs[pairs["docno"] != pairs["copy"]].sort_values("copy", kind="stable")

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Add copies. Needs the columns qid, docno and score."""
        pt.validate.result_frame(inp, extra_columns=["score"], context=self)
        ordered = sort_results(inp)
        pairs = self._pairs()
        has_copy = ordered["docno"].isin(pairs["docno"]).to_numpy()
        brought = ordered[has_copy].astype({"docno": object}).merge(pairs, on="docno")
        if brought.empty:
            return ordered
        brought = brought.assign(docno=brought["copy"]).drop(columns="copy")
        together = pd.concat([ordered.astype({"docno": object}), brought], ignore_index=True)
        return sort_results(together[~together.duplicated(["qid", "docno"]).to_numpy()])
