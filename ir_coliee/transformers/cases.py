"""Retrieval of noticed cases by single scores of evidence.

`CaseRetriever` scores the distinct texts of a split of task 1 by one kind of evidence: what their paragraphs have in
common with the contexts of citations, what hardly any other decision has, or what a query says about a suppressed
citation: parties, judge and year. It finds documents for queries, or scores the rows of a frame of results, so it can
be used by itself, as a reranker, in a fusion, or as a column of `ScoreColumns`. All scores are in the table
`ir_coliee.engine.cases.scores.EVIDENCE`.
"""

from __future__ import annotations

import warnings

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.editions import Dataset, as_split, id_of_task
from ir_coliee.engine.cases.scores import EVIDENCE
from ir_coliee.engine.cases.texts import TextPool, case_collection
from ir_coliee.errors import ColieeError, ColieeWarning, printable, printable_list
from ir_coliee.frames import Floats, integer_at_least, number_ids, one_of, take_rows
from ir_coliee.progress import stage
from ir_coliee.releases.release import LocalRelease
from ir_coliee.transformers.base import Ranker
from ir_coliee.transformers.retrieval.lexical import query_column

_ADVICE = "Queries should be whole decisions as they are distributed, not cleaned."


class CaseRetriever(Ranker):
    r"""Retrieve noticed cases by one kind of evidence: Q to R, R to R.

    For a frame of queries (Q), it returns the ``num_results`` best documents whose text scores above 0, except the
    query's own: the one whose id is the ``qid``. Equal scores are ordered by document id. For a frame of results (R),
    it returns the same rows with new scores; a document that would never be retrieved scores 0. Statistics such as
    document frequencies are those of all texts of the split and of the queries of the frame.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1, whose documents are retrieved. They are read once, and their tokens are kept in the cache of
        the data folder.
    evidence : str
        The name of a score of the table `ir_coliee.engine.cases.scores.EVIDENCE`, which has the formula and the source
        of each. Some of them:

        * ``context.reciprocal_rank``: the words around each suppressed citation are matched with each paragraph of each
          case; the sum over the citations of 1 / (rank + 3). Cases of later years than the query have no rank.
          ``context.by_text_25`` and ``latent.reciprocal_rank`` depend on the other queries of the frame.
        * ``exclusive.words``: what the query shares with hardly any other decision. In a library in which a decision is
          cited by hundreds of others, it says less than in the pools of COLIEE.
        * ``name.in_head``, ``name.judge``, ``year.near_citation``: parties, judge and year that the query names. Many
          queries name none and get no result, which a warning counts; if no query of a `pt.Experiment` gets one,
          PyTerrier ends it with "topics, but no results".
        * ``total.sum``: the sum of seven scores, which chooses the candidates of the learned baseline.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Notes
    -----
    Words of ASCII letters and numbers are read: no decisions in other scripts, and French words are cut at accents.
    With numba (the extra ``fast``), the contexts of 400 queries and 1,870 texts take about three seconds on one core,
    without it about 17, with the same scores.

    Examples
    --------
    >>> import pyterrier as pt
    >>> dataset = pt.get_dataset("irds:coliee/task1/sample/test")
    >>> sharing = CaseRetriever(dataset, "exclusive.5grams", num_results=2)
    >>> sharing(dataset.get_topics()[:1])[["qid", "docno", "rank"]].values.tolist()
    [['900656', '900557', 0], ['900656', '900912', 1]]
    >>> query = pd.DataFrame({"qid": ["mine"], "query": ["Dorrenkamp sued Tolland Tramways."]})
    >>> CaseRetriever(dataset, "name.in_head")(query)[["docno", "score"]].round(3).values.tolist()
    [['900593', 5.16], ['900532', 2.58]]
    """

    LABEL = "Case evidence"

    def __init__(self, dataset: Dataset, evidence: str, *, num_results: int = 1000, verbose: bool = False) -> None:
        self.dataset = id_of_task(dataset, "task1")
        self.evidence = one_of("evidence", evidence, tuple(EVIDENCE))
        self.num_results = integer_at_least("num_results", num_results, 1)
        self.verbose = verbose

    def _scores(self, results: pd.DataFrame) -> Floats:
        docnos, scores = self._document_scores(results.drop_duplicates("qid", ignore_index=True))
        columns = docnos.get_indexer(pd.Index(results["docno"], dtype=object))
        if (unknown := columns < 0).any():
            docno = printable(str(results["docno"][unknown].iloc[0]))
            raise ColieeError(f"The document {docno} is not in {self.dataset}. Check that results are of this split.")
        return scores[number_ids(results["qid"])[0], columns].astype(np.float64)

    def _retrieve(self, queries: pd.DataFrame) -> pd.DataFrame:
        queries = queries.drop_duplicates("qid", ignore_index=True)
        docnos, scores = self._document_scores(queries)
        sizes = np.count_nonzero(scores, axis=1).clip(max=self.num_results)
        if len(unanswered := queries["qid"].to_numpy(object)[sizes == 0]):
            message = f"{len(unanswered)} of {len(queries)} queries get no result by {self.evidence}"
            warnings.warn(f"{message}: {printable_list([*unanswered])}. {_ADVICE}", ColieeWarning, 4)
        best = [np.argsort(-row, kind="stable")[:size] for row, size in zip(scores, sizes)]
        rows, columns = np.repeat(np.arange(len(queries)), sizes), np.concatenate([np.empty(0, np.int64), *best])
        results = take_rows(queries.drop(columns=["score", "rank"], errors="ignore"), rows)
        return results.assign(
            docno=docnos.to_numpy()[columns],
            score=scores[rows, columns].astype(np.float64),
            rank=np.concatenate([np.empty(0, np.int64), *map(np.arange, sizes)]),
        )

    def _document_scores(self, queries: pd.DataFrame) -> tuple[pd.Index[str], npt.NDArray[np.float32]]:
        """Return the sorted ids of the documents, and their scores of at least 0 for each query."""
        query_column(queries[["qid", "query"]])  # each text is a string
        with stage(self.evidence, verbose=self.verbose):
            collection = case_collection(LocalRelease.open(self.dataset), verbose=self.verbose)
            self._cached(collection, lambda: collection)  # it stays in memory as long as the transformer does
            order = np.argsort(queries["qid"].to_numpy(object), kind="stable")  # scores are the same in any order
            sequences, numbers = collection.with_texts(queries["query"].iloc[order], as_split(self.dataset).year)
            docnos = pd.Index(sorted(collection.documents), dtype=object)
            texts, text_of_document = np.unique(collection.text_numbers(docnos), return_inverse=True)
            scores = np.zeros((0, len(texts)), np.float32)
            if len(queries):
                found = EVIDENCE[self.evidence].compute(TextPool(sequences, numbers, texts))
                scores = found[np.argsort(order)].clip(min=0)
        of_documents = scores[:, text_of_document]
        own = docnos.get_indexer(pd.Index(queries["qid"], dtype=object))
        of_documents[own >= 0, own[own >= 0]] = 0
        return docnos, of_documents
