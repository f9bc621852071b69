"""Histograms of the similarities between all pairs of paragraphs of two cases, as features."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.engine.corpus import check_corpus, check_unique_documents
from ir_coliee.engine.histograms import pair_histograms
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, Integers, instance_of, integer_at_least, one_of
from ir_coliee.transformers.features.base import FeatureTransformer, rows_by_query
from ir_coliee.transformers.passage_ids import numbered_paragraphs
from ir_coliee.transformers.retrieval.query_vectors import query_column

if TYPE_CHECKING:
    pass


Vectors = npt.NDArray[np.floating[Any]]


class ParagraphVectors:
    r"""The paragraphs of documents as vectors of length 1, computed with an encoder of any library.

    The vectors are kept in memory. With 768 numbers of four bytes each, a million paragraphs take 3 GB. Use `build` to
    create them.

    Parameters
    ----------
    encode : callable
        Function from a list of texts to an array with a row of numbers for each text.
    docnos : iterable of str
        The documents.
    vectors : numpy.ndarray of shape (n_paragraphs, n_dimensions)
        The vectors of the paragraphs, one document after the other.
    bounds : numpy.ndarray of shape (n_documents + 1,)
        The rows at which the paragraphs of each document begin, and the number of rows.
    """

    def __init__(self, encode: Callable[[list[str]], Any], docnos: Iterable[str], vectors: Vectors, bounds: Integers):
        self.encode = encode
        self.vectors = vectors
        self.bounds = bounds
        self._numbers = {docno: number for number, docno in enumerate(docnos)}

    @classmethod
    def build(cls, corpus: Iterable[Mapping[str, Any]], encode: Callable[[list[str]], Any]) -> ParagraphVectors:
        r"""Encode the paragraphs of a corpus.

        Parameters
        ----------
        corpus : iterable of dict
            Documents with ``docno`` and ``text``. Texts are split at their paragraph markers, as by `paragraph_corpus`.
        encode : callable
            Function from a list of texts to an array with a row of numbers for each text, such as the method ``encode``
            of a ``SentenceTransformer``.

        Returns
        -------
        ParagraphVectors

        Raises
        ------
        ColieeError
            If a document occurs twice or has no docno or text, or if the encoder does not return a row of finite
            numbers for each text.

        Examples
        --------
        >>> corpus = [{"docno": "900001", "text": "[1]\nA lamp.\n[2]\nThe gate."}]
        >>> ParagraphVectors.build(corpus, lambda texts: [[len(text), 1.0] for text in texts])
        ParagraphVectors(<1 documents, 2 paragraphs of 2 numbers>)
        """
        documents = list(check_corpus(corpus, "words"))
        check_unique_documents([docno for docno, _ in documents])
        vectors, bounds = _encode_paragraphs(encode, (str(text) for _, text in documents))
        return cls(encode, (docno for docno, _ in documents), vectors, bounds)

    def members(self, docnos: Iterable[str]) -> tuple[Integers, Integers]:
        """Return the rows of the documents' paragraphs, and the bounds of each document among them."""
        try:
            numbers = np.fromiter((self._numbers[docno] for docno in docnos), dtype=np.int64)
        except KeyError as error:
            name = printable(str(error.args[0]))
            raise ColieeError(f"Document {name} is not in {self!r}. Is it of the same split?") from None
        sizes = np.diff(self.bounds)[numbers]
        ends = np.cumsum(sizes)
        rows = np.arange(sizes.sum()) + (self.bounds[numbers] - (ends - sizes)).repeat(sizes)
        return rows, np.concatenate([[0], ends])

    def of_queries(self, queries: pd.DataFrame) -> tuple[Vectors, Integers]:
        """Return the vectors of queries, which are documents (``query_docno``) or texts, and each query's bounds."""
        if query_column(queries) == "query_docno":
            rows, bounds = self.members(queries["query_docno"])
            return self.vectors[rows], bounds
        return _encode_paragraphs(self.encode, queries["query"])

    def __len__(self) -> int:
        return len(self._numbers)

    def __repr__(self) -> str:
        paragraphs, numbers = self.vectors.shape
        return f"ParagraphVectors(<{len(self)} documents, {paragraphs} paragraphs of {numbers} numbers>)"


def _encode_paragraphs(encode: Callable[[list[str]], Any], texts: Iterable[str]) -> tuple[Vectors, Integers]:
    """Return the paragraphs as vectors of length 1 (zero vectors stay zero), and the bounds of each text."""
    paragraphs = [list(numbered_paragraphs(text).values()) for text in texts]
    flat = [paragraph for paragraphs_of_text in paragraphs for paragraph in paragraphs_of_text]
    try:
        vectors = np.asarray(encode(flat) if flat else np.empty((0, 0)), dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise ColieeError(f"The encoder must return numbers, for {len(flat)} paragraphs it did not. {error}") from None
    if vectors.ndim != 2 or len(vectors) != len(flat) or not np.isfinite(vectors).all():
        raise ColieeError(
            f"The encoder must return {len(flat)} rows of finite numbers, one for each paragraph.\n"
            f"It returned an array of shape {vectors.shape}"
            f"{'' if np.isfinite(vectors).all() else ' with numbers that are not finite'}."
        )
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1), np.cumsum([0, *map(len, paragraphs)])


class EmbeddingHistogram(FeatureTransformer):
    r"""Compute the histogram of the cosines between all pairs of paragraph embeddings of query and document: R to R.

    UA used these features at COLIEE 2023. A query is text, which is split at its paragraph markers and encoded, or a
    document that has vectors already (``query_docno``).

    Parameters
    ----------
    vectors : ParagraphVectors
        The vectors of the documents' paragraphs.
    bins : int
        The number of bins of equal width, >= 1.
    limits : tuple of float
        The lower edge of the first and the upper edge of the last bin. Similarities outside are counted in the first or
        the last bin. UA report neither limits nor normalisation; the defaults were chosen for this package.
    norm : {'l1'} or None
        ``l1`` divides the counts by the number of pairs; with None they are not normalised.

    Examples
    --------
    >>> decision = {"docno": "900001", "text": "[1]\nA lamp.\n[2]\nThe gate."}
    >>> vectors = ParagraphVectors.build([decision], lambda texts: [[len(text) == 7, len(text) > 7] for text in texts])
    >>> pairs = pd.DataFrame({"qid": ["1"], "query": ["A lamp."], "docno": ["900001"]})
    >>> EmbeddingHistogram(vectors, bins=4)(pairs).features.tolist()
    [array([0.5, 0. , 0. , 0.5])]
    """

    LABEL = "Embedding histogram"

    def __init__(
        self,
        vectors: ParagraphVectors,
        *,
        bins: int = 10,
        limits: tuple[float, float] = (0.0, 1.0),
        norm: Literal["l1"] | None = "l1",
    ) -> None:
        self.vectors = instance_of("vectors", vectors, ParagraphVectors, "ParagraphVectors")
        self.bins = integer_at_least("bins", bins, 1)
        self.limits = limits
        self.norm = one_of("norm", norm, ("l1", None))
        if not (math.isfinite(limits[0]) and math.isfinite(limits[1]) and limits[0] < limits[1]):
            raise ValueError(f"limits must be two finite numbers, the lower first, got {limits!r}.")

    @property
    def feature_names(self) -> list[str]:
        """``similarity_`` and the lower edge of each bin."""
        return [f"similarity_{edge:g}" for edge in np.linspace(*self.limits, self.bins + 1)[:-1]]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Append the features to each row."""
        with pt.validate.any(inp, context=self) as frame:
            for column in ("query_docno", "query"):
                frame.result_frame(extra_columns=[column], mode=f"by {column}")
        return super().transform(inp)

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features, one for each bin."""
        rows_of = rows_by_query(results)
        first_rows = results.iloc[[rows[0] for rows in rows_of]].drop(columns="query_toks", errors="ignore")
        vectors, bounds = self.vectors.of_queries(first_rows)
        docnos = results["docno"].to_numpy(object)
        pools = [self.vectors.members(docnos[rows]) for rows in rows_of]
        found = pair_histograms(vectors, bounds, self.vectors.vectors, pools, bins=self.bins, limits=self.limits)
        histograms = np.empty((len(results), self.bins))
        for rows, of_query in zip(rows_of, found):
            histograms[rows] = of_query
        return histograms / histograms.sum(axis=1, keepdims=True) if self.norm else histograms
