"""Features of what query and candidate quote word by word: the passages that they share.

In the recipe that the package's task 1 pipeline follows, shared shingles brought the last step; how long the longest
shared passage is and how much of the candidate is quoted were left untried there. The features here are ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.engine.documents import checked
from ir_coliee.engine.group_statistics import Floats, Integers
from ir_coliee.engine.quotations import Occurrences, occurrences, passages, read_tokens, shares
from ir_coliee.engine.shingles import HashedVocabulary
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.errors import ColieeError, shown
from ir_coliee.progress import shown_if
from ir_coliee.text.analysers import Shingles
from ir_coliee.text.cases import paragraphs
from ir_coliee.transformers.features.features import FeatureTransformer
from ir_coliee.transformers.retrieval.retrievers import query_column

_QUERY_COLUMNS = ("query_docno", "query")


class QuotationIndex:
    """Where the shingles of a collection stand in its documents, paragraph by paragraph. It holds no words.

    Which shingles those are, an index of hashed shingles says (`ir_coliee.text.analysers.Shingles`, whose bounds leave
    out what stands in one document only and what stands in many). They have to be found again, so the documents are
    read once more. In memory are 12 bytes for each place: with shingles of 8 words a few hundred megabytes at most.
    """

    def __init__(self, shingles: TermCounts, docnos: Iterable[str], found: Occurrences) -> None:
        """See `build`. ``found``: the shingles of these documents."""
        self.shingles = shingles
        self.occurrences = found
        self._positions = {docno: position for position, docno in enumerate(docnos)}

    @classmethod
    def build(cls, shingles: TermCounts, corpus: Iterable[Mapping[str, Any]]) -> QuotationIndex:
        """Find the shingles of an index in a corpus: an iterable of dicts with ``docno`` and ``text``.

        Raises `ValueError` for an index of anything but hashed shingles, `ColieeError` for documents that come twice
        and for one without a number or a text.

        >>> from ir_coliee.text.analysers import Shingles
        >>> from ir_coliee.transformers import LexicalIndex
        >>> corpus = [{"docno": "d1", "text": "a lamp at the gate"}, {"docno": "d2", "text": "at the gate a lamp"}]
        >>> QuotationIndex.build(LexicalIndex.build(corpus, analyser=Shingles(2)), corpus)
        QuotationIndex(<2 documents, 6 places>)
        """
        if not (isinstance(shingles.analyser, Shingles) and isinstance(shingles.vocabulary, HashedVocabulary)):
            raise ValueError(f"an index of hashed shingles is needed, and {shingles!r} is none")
        docnos, found = _found(shingles, corpus)
        return cls(shingles, docnos, found)

    @classmethod
    def from_dataset(cls, shingles: TermCounts, dataset: str, *, verbose: bool = False) -> QuotationIndex:
        """Find the shingles of an index in all documents of an ir_datasets id; raises as `build`.

        ``verbose``: a progress bar.
        """
        docs = ir_datasets.load(dataset)
        corpus = ({"docno": doc.doc_id, "text": doc.default_text()} for doc in docs.docs_iter())
        bar = pt.tqdm(corpus, desc=f"quotations in {dataset}", total=docs.docs_count(), **shown_if(verbose))
        return cls.build(shingles, bar)

    def positions(self, docnos: Iterable[str]) -> Integers:
        """The rows of these documents. Raises `ColieeError`, which names one that is not here."""
        try:
            return np.fromiter((self._positions[docno] for docno in docnos), dtype=np.int64)
        except KeyError as error:
            name = shown(str(error.args[0]))
            raise ColieeError(f"Document {name} is not in {self!r}. Is it of these documents' part?") from None

    def of_queries(self, queries: pd.DataFrame) -> tuple[Occurrences, Integers]:
        """The shingles of queries, and the row of each: documents of this index (``query_docno``), else texts."""
        if query_column(queries[queries.columns.intersection(_QUERY_COLUMNS).union(["qid"])]) == "query_docno":
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
    parts: list[int] = []

    def split() -> Iterator[dict[str, str]]:
        for docno, text in checked(corpus, "words"):
            texts = paragraphs(str(text))
            docnos.append(docno)
            parts.append(len(texts))
            yield from ({"docno": f"{docno}%p{number}", "text": text} for number, text in enumerate(texts))

    lots, tokens = read_tokens(split(), shingles.analyser)
    return docnos, occurrences(lots, tokens, shingles.vocabulary, np.array(parts, dtype=np.int64))


class QuotationFeatures(FeatureTransformer):
    """The passages that query and candidate share: how many, how long, how much of both they are, and where.

    A passage is a run of neighbouring words that both have, of which every shingle is in the index; so it has at least
    as many words as a shingle. The features are the number of passages; the words of the longest; the share of the
    candidate's words that lies in passages, and of the query's; the paragraphs of the query that hold passages, and
    those of the candidate; and where the longest passage stands, in the query and in the candidate: its paragraph,
    counted from 1, over the number of paragraphs. All are 0 where nothing is shared.

    A query is a document of the index (``query_docno``) or text (``query``). Raises `ColieeError` for a document that
    the index does not have.

    >>> from ir_coliee.text.analysers import Shingles
    >>> from ir_coliee.transformers import LexicalIndex
    >>> texts = ["[1]\\nHe said: a lamp at the gate.", "[1]\\nA well.\\n[2]\\nA lamp at the gate stood."]
    >>> corpus = [{"docno": f"d{number}", "text": text} for number, text in enumerate(texts)]
    >>> index = LexicalIndex.build(corpus, analyser=Shingles(3, of="case"))
    >>> features = QuotationFeatures(QuotationIndex.build(index, corpus))
    >>> found = features(pd.DataFrame({"qid": ["1"], "query_docno": ["d0"], "docno": ["d1"]})).features[0]
    >>> dict(zip(features.feature_names, found.round(2).tolist()))["longest_passage"]
    5.0
    """

    LABEL = "Quotations"

    def __init__(self, index: QuotationIndex) -> None:
        """``index``: of the candidates, and of the queries that are documents."""
        self.index = index

    @property
    def feature_names(self) -> list[str]:
        """FeatureTransformer.feature_names"""
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
        """Put the features of each row behind those that it has."""
        with pt.validate.any(inp, context=self) as frame:
            for column in _QUERY_COLUMNS:
                frame.result_frame(extra_columns=[column], mode=f"by {column}")
        return super().transform(inp)

    def values(self, results: pd.DataFrame) -> Floats:
        """FeatureTransformer.values"""
        pools = list(results.groupby("qid", sort=False, observed=True).indices.values())
        candidates = self.index.positions(results["docno"])
        queries, rows = self.index.of_queries(results.iloc[[rows[0] for rows in pools]])
        documents, vocabulary = self.index.occurrences, self.index.shingles.vocabulary
        assert isinstance(vocabulary, HashedVocabulary)
        found = passages(
            queries, rows, documents, [candidates[rows] for rows in pools], vocabulary.words, len(vocabulary)
        )
        values = np.zeros((len(results), len(self.feature_names)))
        for row, of_pool, shared in zip(rows, pools, found):
            here = np.full(len(of_pool), row)
            there = candidates[of_pool]
            some = shared.number > 0
            values[of_pool] = np.column_stack(
                [
                    shared.number,
                    shared.longest,
                    shares(shared.document_words, documents.tokens[there]),
                    shares(shared.query_words, queries.tokens[here]),
                    shared.query_parts,
                    shared.document_parts,
                    shares(shared.query_place + some, queries.parts[here]),
                    shares(shared.document_place + some, documents.parts[there]),
                ]
            )
        return values
