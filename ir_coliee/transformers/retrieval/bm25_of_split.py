"""The BM25 retriever of the baselines: which texts, parameters and statistics it takes for each task."""

from __future__ import annotations

from ir_coliee.editions import Split
from ir_coliee.transformers.retrieval.lexical_index import LexicalIndex
from ir_coliee.transformers.retrieval.retriever import Retriever


def bm25_of_split(split: Split, *, num_results: int = 1000) -> Retriever:
    """Return the BM25 retriever of a split, with progress.

    Parameters
    ----------
    split : Split
        A split of tasks 1 to 3.
    num_results : int, default 1000
        The largest number of documents for each query.

    Returns
    -------
    Retriever
        Task 1: of whole decisions, with k1 = 3 and b = 1, which two teams independently found to be best for whole
        decisions as queries. Task 2: of paragraphs, with the statistics of each query's candidates. Task 3: of
        articles, Japanese ones as character bigrams.

    Raises
    ------
    MissingReleaseError
        If the local release is missing.
    """
    analyser = "case" if split.task in ("task1", "task2") else None
    index = LexicalIndex.from_dataset(split.id, analyser=analyser, verbose=True)
    if split.task == "task1":
        return index.bm25(k1=3.0, b=1.0, num_results=num_results, verbose=True)
    statistics = "pool" if split.task == "task2" else "collection"
    return index.bm25(statistics=statistics, num_results=num_results, verbose=True)
