"""How similar the paragraphs of two cases are, all pairs of them, as features."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.arguments import integer_at_least
from ir_coliee.engine.documents import checked, refuse_repeated
from ir_coliee.engine.histograms import pair_histograms
from ir_coliee.engine.scoring import Floats, Integers
from ir_coliee.engine.weightings import TfIdf, document_weights, query_weights
from ir_coliee.errors import ColieeError, shown
from ir_coliee.transformers.features.features import FeatureTransformer
from ir_coliee.transformers.queries.passaging import numbered_paragraphs
from ir_coliee.transformers.retrieval.passages import Cases, query_members
from ir_coliee.transformers.retrieval.retrievers import QUERY_COLUMNS, query_column

if TYPE_CHECKING:
    from ir_coliee.transformers.retrieval.lexical_index import LexicalIndex


class _Histogram(FeatureTransformer):
    """Base: the histogram of the similarities of all pairs of members, one of the query and one of the document."""

    bins: int
    limits: tuple[float, float]
    norm: Literal["l1"] | None
    query_columns: tuple[str, ...] = QUERY_COLUMNS

    def _histograms(self, results: pd.DataFrame, queries: list[Integers]) -> Iterator[Floats]:
        """Of each query, whose rows are given, how many pairs each of its documents has in each bin."""
        raise NotImplementedError

    def _check(self) -> None:
        if not (math.isfinite(self.limits[0]) and math.isfinite(self.limits[1]) and self.limits[0] < self.limits[1]):
            raise ValueError(f"limits={self.limits!r} are not two finite numbers, the lower first")
        if self.norm not in ("l1", None):
            raise ValueError(f"norm={self.norm!r} is neither 'l1' nor None")
        integer_at_least("bins", self.bins, 1)

    @property
    def feature_names(self) -> list[str]:
        """Of each bin ``similarity_`` and its lower edge."""
        return [f"similarity_{edge:g}" for edge in np.linspace(*self.limits, self.bins + 1)[:-1]]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Put the features of each row behind those that it has."""
        with pt.validate.any(inp, context=self) as frame:
            for column in self.query_columns:
                frame.result_frame(extra_columns=[column], mode=f"by {column}")
        return super().transform(inp)

    def values(self, results: pd.DataFrame) -> Floats:
        """FeatureTransformer.values"""
        queries = list(results.groupby("qid", sort=False, observed=True).indices.values())
        histograms = np.empty((len(results), self.bins))
        for rows, of_query in zip(queries, self._histograms(results, queries)):
            histograms[rows] = of_query
        return histograms / histograms.sum(axis=1, keepdims=True) if self.norm else histograms


class SimilarityHistogram(_Histogram):
    """The histogram of the similarities of all pairs of paragraphs, one of the query and one of the case (UA 2023).

    UA compared embeddings, as `EmbeddingHistogram` does; here it is the cosine of tf-idf vectors (see
    `ir_coliee.engine.weightings.TfIdf`), made from an index of paragraphs such as `paragraph_corpus` gives. A query is
    text, which is taken apart at its paragraph marks, a case of the index (``query_docno``), or weighted tokens
    (``query_toks``), which are one paragraph. A paragraph without a known term is similar to none. Raises `ColieeError`
    for a case that has no paragraph in the index.

    >>> from ir_coliee.transformers import LexicalIndex, paragraph_corpus
    >>> decision = {"docno": "900001", "text": "[1]\\nA lamp.\\n[2]\\nThe gate."}
    >>> pairs = pd.DataFrame({"qid": ["1"], "query": ["A lamp."], "docno": ["900001"]})
    >>> SimilarityHistogram(LexicalIndex.build(paragraph_corpus([decision])), bins=4)(pairs).features.tolist()
    [array([0.5, 0. , 0. , 0.5])]
    """

    LABEL = "Histogram"

    def __init__(
        self,
        index: LexicalIndex,
        *,
        bins: int = 10,
        limits: tuple[float, float] = (0.0, 1.0),
        norm: Literal["l1"] | None = "l1",
        tf: Literal["log", "count", "binary"] = "log",
    ) -> None:
        """Parameters.

        ``bins`` of equal width between the ``limits``; what lies beyond a limit counts in the outermost bin. ``norm``:
        ``l1`` gives shares of all pairs, None their numbers. Limits and norm are ours: UA does not give theirs.
        ``tf``: as of `ir_coliee.transformers.TfIdf`.
        """
        self.index = index
        self.bins = bins
        self.limits = limits
        self.norm = norm
        self.tf = tf
        self._check()
        TfIdf(tf)  # refuses what is none

    def _histograms(self, results: pd.DataFrame, queries: list[Integers]) -> Iterator[Floats]:
        """_Histogram._histograms"""
        cases, weights = self._cached((self.index, self.tf), self._weighted_cases)
        vectors, bounds = query_members(self.index, cases, results.iloc[[rows[0] for rows in queries]])
        documents = cases.numbers(results["docno"])
        return pair_histograms(
            query_weights(TfIdf(self.tf), vectors, cases.collection),
            bounds,
            weights,
            [cases.members(documents[rows]) for rows in queries],
            bins=self.bins,
            limits=self.limits,
        )

    def _weighted_cases(self) -> tuple[Cases, sparse.csr_matrix]:
        """The paragraphs case by case, and the weights of their terms in the order of the index."""
        cases = Cases(self.index)
        return cases, document_weights(TfIdf(self.tf), self.index.counts, self.index.lengths, cases.collection)


Vectors = npt.NDArray[np.floating[Any]]


class ParagraphVectors:
    """The paragraphs of decisions as vectors of length 1, made by an encoder of any library.

    In memory are as many numbers for each paragraph as the encoder gives: with 768 of four bytes 3 GB for a million.
    """

    def __init__(self, encode: Callable[[list[str]], Any], docnos: Iterable[str], vectors: Vectors, bounds: Integers):
        """See `build`. ``vectors``: the paragraphs, document by document, which begin and end at ``bounds``."""
        self.encode = encode
        self.vectors = vectors
        self.bounds = bounds
        self._numbers = {docno: number for number, docno in enumerate(docnos)}

    @classmethod
    def build(cls, corpus: Iterable[Mapping[str, Any]], encode: Callable[[list[str]], Any]) -> ParagraphVectors:
        """The paragraphs of a corpus, an iterable of dicts with ``docno`` and ``text``, as ``encode`` has them.

        ``encode``: from a list of texts to an array with a row of numbers for each, such as the method of that name of
        a ``SentenceTransformer``. A text is taken apart at its paragraph marks, see `paragraph_corpus`. Raises
        `ColieeError` for documents that come twice, for one without a number or a text, and for vectors that are no
        finite numbers or not as many as texts.

        >>> corpus = [{"docno": "900001", "text": "[1]\\nA lamp.\\n[2]\\nThe gate."}]
        >>> ParagraphVectors.build(corpus, lambda texts: [[len(text), 1.0] for text in texts])
        ParagraphVectors(<1 documents, 2 paragraphs of 2 numbers>)
        """
        documents = list(checked(corpus, "words"))
        refuse_repeated([docno for docno, _ in documents])
        vectors, bounds = _encoded(encode, (str(text) for _, text in documents))
        return cls(encode, (docno for docno, _ in documents), vectors, bounds)

    def members(self, docnos: Iterable[str]) -> tuple[Integers, Integers]:
        """The rows of these documents' paragraphs, and where each document's begin, and the end."""
        try:
            numbers = np.fromiter((self._numbers[docno] for docno in docnos), dtype=np.int64)
        except KeyError as error:
            name = shown(str(error.args[0]))
            raise ColieeError(f"Document {name} is not in {self!r}. Is it of these documents' part?") from None
        sizes = np.diff(self.bounds)[numbers]
        ends = np.cumsum(sizes)
        rows = np.arange(sizes.sum()) + (self.bounds[numbers] - (ends - sizes)).repeat(sizes)
        return rows, np.concatenate([[0], ends])

    def of_queries(self, queries: pd.DataFrame) -> tuple[Vectors, Integers]:
        """The vectors of queries, documents of these (``query_docno``) or texts, and where each query's begin."""
        if query_column(queries) == "query_docno":
            rows, bounds = self.members(queries["query_docno"])
            return self.vectors[rows], bounds
        return _encoded(self.encode, queries["query"])

    def __len__(self) -> int:
        return len(self._numbers)

    def __repr__(self) -> str:
        paragraphs, numbers = self.vectors.shape
        return f"ParagraphVectors(<{len(self)} documents, {paragraphs} paragraphs of {numbers} numbers>)"


def _encoded(encode: Callable[[list[str]], Any], texts: Iterable[str]) -> tuple[Vectors, Integers]:
    """The paragraphs of texts as vectors of length 1 (or 0, of zeros alone), and where each text's begin."""
    paragraphs = [list(numbered_paragraphs(text).values()) for text in texts]
    together = [paragraph for of_text in paragraphs for paragraph in of_text]
    try:
        vectors = np.asarray(encode(together) if together else np.empty((0, 0)), dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise ColieeError(
            f"An encoder gave something else than numbers for {len(together)} paragraphs. {error}"
        ) from None
    if vectors.ndim != 2 or len(vectors) != len(together) or not np.isfinite(vectors).all():
        raise ColieeError(
            f"An encoder gave an array of the shape {vectors.shape} for {len(together)} paragraphs, or numbers that "
            "are not finite; a row of finite numbers for each is needed."
        )
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1), np.cumsum([0, *map(len, paragraphs)])


class EmbeddingHistogram(_Histogram):
    """The histogram of the cosines of all pairs of paragraphs' embeddings, as UA had it at COLIEE 2023.

    A query is text, which is taken apart at its paragraph marks, or a document of the vectors (``query_docno``), which
    saves encoding it. `SimilarityHistogram` does the same without a model. Raises `ColieeError` for a document that has
    no vectors.

    >>> decision = {"docno": "900001", "text": "[1]\\nA lamp.\\n[2]\\nThe gate."}
    >>> vectors = ParagraphVectors.build([decision], lambda texts: [[len(text) == 7, len(text) > 7] for text in texts])
    >>> pairs = pd.DataFrame({"qid": ["1"], "query": ["A lamp."], "docno": ["900001"]})
    >>> EmbeddingHistogram(vectors, bins=4)(pairs).features.tolist()
    [array([0.5, 0. , 0. , 0.5])]
    """

    LABEL = "Histogram"

    query_columns = ("query_docno", "query")

    def __init__(
        self,
        vectors: ParagraphVectors,
        *,
        bins: int = 10,
        limits: tuple[float, float] = (0.0, 1.0),
        norm: Literal["l1"] | None = "l1",
    ) -> None:
        """``vectors``: of the documents' paragraphs. The rest as of `SimilarityHistogram`."""
        self.vectors = vectors
        self.bins = bins
        self.limits = limits
        self.norm = norm
        self._check()

    def _histograms(self, results: pd.DataFrame, queries: list[Integers]) -> Iterator[Floats]:
        """_Histogram._histograms"""
        asked = results.iloc[[rows[0] for rows in queries]].drop(columns="query_toks", errors="ignore")
        vectors, bounds = self.vectors.of_queries(asked)
        docnos = results["docno"].to_numpy(object)
        pools = [self.vectors.members(docnos[rows]) for rows in queries]
        return pair_histograms(vectors, bounds, self.vectors.vectors, pools, bins=self.bins, limits=self.limits)
