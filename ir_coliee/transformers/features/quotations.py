"""Features of the passages that a query and a candidate share verbatim.

They need a `QuotationIndex`, which stores the positions of each shingle of a collection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Dataset, as_dataset_id
from ir_coliee.engine.corpus import check_corpus
from ir_coliee.engine.quotations import Occurrences, find_occurrences, fractions, read_tokens, shared_passages
from ir_coliee.engine.shingles import HashedVocabulary
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, Integers, instance_of, true_or_false
from ir_coliee.progress import progress, stage
from ir_coliee.text.analysers import Shingles
from ir_coliee.text.case_paragraphs import paragraphs
from ir_coliee.transformers.features.base import FeatureTransformer, rows_by_query
from ir_coliee.transformers.retrieval.query_vectors import query_column

_QUERY_COLUMNS = ("query_docno", "query")


class QuotationIndex:
    """The positions of the shingles of a collection in its documents and their paragraphs, without any text.

    The shingles are those of an index with the analyser `ir_coliee.text.analysers.Shingles`, whose bounds leave out
    shingles of one document only and of many documents. The documents are read once more to find the positions. Each
    position takes 12 bytes of memory; with shingles of 8 words, that is a few hundred megabytes at most. Use `build` or
    `from_dataset` to create one.

    Parameters
    ----------
    shingles : TermCounts
        The index of hashed shingles.
    docnos : iterable of str
        The documents.
    found : Occurrences
        The shingles of these documents.
    """

    def __init__(self, shingles: TermCounts, docnos: Iterable[str], found: Occurrences) -> None:
        self.shingles = shingles
        self.occurrences = found
        self._positions = {docno: position for position, docno in enumerate(docnos)}

    @classmethod
    def build(cls, shingles: TermCounts, corpus: Iterable[Mapping[str, Any]]) -> QuotationIndex:
        """Find the shingles of an index in a corpus.

        Parameters
        ----------
        shingles : TermCounts
            An index with the analyser `Shingles`.
        corpus : iterable of dict
            Documents with ``docno`` and ``text``.

        Returns
        -------
        QuotationIndex

        Raises
        ------
        ValueError
            If the index is not of hashed shingles.
        ColieeError
            If a document occurs twice, or has no docno or text.

        Examples
        --------
        >>> from ir_coliee.text.analysers import Shingles
        >>> from ir_coliee.transformers import LexicalIndex
        >>> corpus = [{"docno": "d1", "text": "a lamp at the gate"}, {"docno": "d2", "text": "at the gate a lamp"}]
        >>> QuotationIndex.build(LexicalIndex.build(corpus, analyser=Shingles(2)), corpus)
        QuotationIndex(<2 documents, 6 places>)
        """
        if not (isinstance(shingles.analyser, Shingles) and isinstance(shingles.vocabulary, HashedVocabulary)):
            raise ValueError(f"shingles must be an index with the analyser Shingles, got {shingles!r}.")
        docnos, found = _found(shingles, corpus)
        return cls(shingles, docnos, found)

    @classmethod
    def from_dataset(cls, shingles: TermCounts, dataset: Dataset, *, verbose: bool = False) -> QuotationIndex:
        """Find the shingles of an index in all documents of a dataset.

        Parameters
        ----------
        shingles : TermCounts
            An index with the analyser `Shingles`.
        dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
            The dataset, also one that is not of COLIEE.
        verbose : bool
            Whether to show progress.

        Returns
        -------
        QuotationIndex
        """
        dataset, verbose = as_dataset_id(dataset), true_or_false("verbose", verbose)
        docs = ir_datasets.load(dataset)
        corpus = ({"docno": doc.doc_id, "text": doc.default_text()} for doc in docs.docs_iter())
        with stage(f"quotations in {dataset}", verbose=verbose):
            total = docs.docs_count()
            return cls.build(shingles, progress(corpus, "reading", total=total, unit="documents", verbose=verbose))

    def positions(self, docnos: Iterable[str]) -> Integers:
        """Return the rows of documents. Raises `ColieeError` for a document that the index does not contain."""
        try:
            return np.fromiter((self._positions[docno] for docno in docnos), dtype=np.int64)
        except KeyError as error:
            name = printable(str(error.args[0]))
            raise ColieeError(f"Document {name} is not in {self!r}. Is it of the same split?") from None

    def of_queries(self, queries: pd.DataFrame) -> tuple[Occurrences, Integers]:
        """Return the shingles of queries, which are documents (``query_docno``) or texts, and the row of each query."""
        if query_column(queries[queries.columns.intersection(list(_QUERY_COLUMNS)).union(["qid"])]) == "query_docno":
            return self.occurrences, self.positions(queries["query_docno"])
        texts = ({"docno": str(row), "text": text} for row, text in enumerate(queries["query"].to_numpy(object)))
        return _found(self.shingles, texts)[1], np.arange(len(queries))

    def __len__(self) -> int:
        return len(self._positions)

    def __repr__(self) -> str:
        return f"QuotationIndex(<{len(self)} documents, {len(self.occurrences.places)} places>)"


def _found(shingles: TermCounts, corpus: Iterable[Mapping[str, Any]]) -> tuple[list[str], Occurrences]:
    assert isinstance(shingles.analyser, Shingles)
    assert isinstance(shingles.vocabulary, HashedVocabulary)
    docnos: list[str] = []
    paragraph_counts: list[int] = []

    def split_paragraphs() -> Iterator[dict[str, str]]:
        for docno, text in check_corpus(corpus, "words"):
            texts = paragraphs(str(text))
            docnos.append(docno)
            paragraph_counts.append(len(texts))
            yield from ({"docno": f"{docno}%p{number}", "text": text} for number, text in enumerate(texts))

    batches, tokens = read_tokens(split_paragraphs(), shingles.analyser)
    return docnos, find_occurrences(batches, tokens, shingles.vocabulary, np.array(paragraph_counts, dtype=np.int64))


class QuotationFeatures(FeatureTransformer):
    r"""Compute features of the passages that query and candidate share verbatim: R to R.

    A passage is a sequence of consecutive words that both texts contain, as long as possible, and of which every
    shingle is in the index. It therefore has at least as many words as a shingle. The query is a document of the index
    (``query_docno``) or text (``query``). All features are 0 if no passage is shared:

    * ``passages``: the number of passages.
    * ``longest_passage``: the number of words of the longest passage.
    * ``candidate_share_quoted``, ``query_share_quoted``: the share of the words that are in passages.
    * ``query_paragraphs_quoted``, ``candidate_paragraphs_quoted``: the number of paragraphs with passages.
    * ``longest_place_in_query``, ``longest_place_in_candidate``: the paragraph of the longest passage, counted from 1,
      divided by the number of paragraphs.

    These features are not from the literature.

    Parameters
    ----------
    index : QuotationIndex
        Contains the candidates, and the queries that are documents.

    Examples
    --------
    >>> from ir_coliee.text.analysers import Shingles
    >>> from ir_coliee.transformers import LexicalIndex
    >>> texts = ["[1]\nHe said: a lamp at the gate.", "[1]\nA well.\n[2]\nA lamp at the gate stood."]
    >>> corpus = [{"docno": f"d{number}", "text": text} for number, text in enumerate(texts)]
    >>> index = LexicalIndex.build(corpus, analyser=Shingles(3, base="case"))
    >>> features = QuotationFeatures(QuotationIndex.build(index, corpus))
    >>> found = features(pd.DataFrame({"qid": ["1"], "query_docno": ["d0"], "docno": ["d1"]})).features[0]
    >>> dict(zip(features.feature_names, found.round(2).tolist()))["longest_passage"]
    5.0
    """

    LABEL = "Quotations"

    def __init__(self, index: QuotationIndex) -> None:
        self.index = instance_of("index", index, QuotationIndex, "a QuotationIndex")

    @property
    def feature_names(self) -> list[str]:
        """The names of the eight features."""
        return [
            "passages",
            "longest_passage",
            "candidate_share_quoted",
            "query_share_quoted",
            "query_paragraphs_quoted",
            "candidate_paragraphs_quoted",
            "longest_place_in_query",
            "longest_place_in_candidate",
        ]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Append the features to each row. Raises `ColieeError` for a document that the index does not contain."""
        with pt.validate.any(inp, context=self) as frame:
            for column in _QUERY_COLUMNS:
                frame.result_frame(extra_columns=[column], mode=f"by {column}")
        return super().transform(inp)

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the eight features."""
        pools = rows_by_query(results)
        candidates = self.index.positions(results["docno"])
        queries, rows = self.index.of_queries(results.iloc[[rows[0] for rows in pools]])
        documents, vocabulary = self.index.occurrences, self.index.shingles.vocabulary
        assert isinstance(vocabulary, HashedVocabulary)
        found = shared_passages(
            queries, rows, documents, [candidates[rows] for rows in pools], vocabulary.words, len(vocabulary)
        )
        values = np.zeros((len(results), len(self.feature_names)))
        for row, pool, shared in zip(rows, pools, found):
            query_rows = np.full(len(pool), row)
            candidate_rows = candidates[pool]
            has_passage = shared.number > 0
            values[pool] = np.column_stack(
                [
                    shared.number,
                    shared.longest,
                    fractions(shared.document_words, documents.tokens[candidate_rows]),
                    fractions(shared.query_words, queries.tokens[query_rows]),
                    shared.query_parts,
                    shared.document_parts,
                    fractions(shared.query_place + has_passage, queries.paragraph_counts[query_rows]),
                    fractions(shared.document_place + has_passage, documents.paragraph_counts[candidate_rows]),
                ]
            )
        return values
