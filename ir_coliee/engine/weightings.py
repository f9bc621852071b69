"""Weightings: the formulae by which a query term contributes to the score of a document.

A score is the sum, over the terms that query and document share, of a query weight times a document weight; query
likelihood adds a component that depends on the document's length. A document without a query term has no score.

References
----------
[1] S. Robertson and H. Zaragoza. The Probabilistic Relevance Framework: BM25 and Beyond. 2009.
[2] Lucene's BM25Similarity (the idf that is never negative).
[3] G. Salton and C. Buckley. Term-Weighting Approaches in Automatic Text Retrieval. 1988. The idf is that of
    scikit-learn's TfidfVectorizer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.frames import Floats, check_number, one_of

#: Term numbers: scipy stores the column indices of a matrix in 32 or 64 bits.
TermNumbers: TypeAlias = npt.NDArray[np.integer[Any]]


class Collection(NamedTuple):
    """Statistics of a collection.

    Attributes
    ----------
    documents : int
        Number of documents, N.
    tokens : float
        Number of tokens.
    df : float64 array
        Document frequency of each term.
    cf : float64 array
        Collection frequency of each term.
    """

    documents: int
    tokens: float
    df: Floats
    cf: Floats

    @classmethod
    def of(cls, counts: sparse.csr_matrix, lengths: Floats) -> Collection:
        """Statistics from the counts (documents x terms) and the tokens of all documents."""
        df = np.bincount(counts.indices, minlength=counts.shape[1]).astype(np.float64)
        cf = np.bincount(counts.indices, weights=counts.data, minlength=counts.shape[1]).astype(np.float64)
        return cls(len(lengths), float(lengths.sum()), df, cf)


@dataclass(frozen=True)
class Weighting:
    """Base of the weightings.

    Attributes
    ----------
    cosine : bool
        Whether the weights of both sides are divided by their Euclidean norm.
    label : str
        The name in PyTerrier's schematics and on progress bars; empty for that of the class.
    """

    cosine: ClassVar[bool] = False
    label: ClassVar[str] = ""

    def in_document(self, tf: Floats, terms: TermNumbers, lengths: Floats, collection: Collection) -> Floats:
        """Weights of terms in documents.

        Parameters
        ----------
        tf : float64 array
            Frequency of each term in its document.
        terms : int64 array
            Term numbers.
        lengths : float64 array
            Length of the document of each term.
        collection : Collection
            Statistics of the collection.
        """
        raise NotImplementedError

    def in_query(self, tf: Floats, terms: TermNumbers, collection: Collection) -> Floats:
        """Weights of terms in a query; ``tf`` is the frequency, or the given weight of a weighted token."""
        return tf

    def length_weights(self, lengths: Floats) -> Floats | None:
        """Contribution of each document by its length, for a query weight of 1; None if there is none."""
        return None

    def __repr__(self) -> str:
        """Return an expression that rebuilds the weighting, with the parameters that differ from their defaults."""
        changed = [
            f"{field.name}={value!r}"
            for field in fields(self)
            if repr(value := getattr(self, field.name)) != repr(field.default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


def lucene_idf(df: Floats, documents: int) -> Floats:
    """Inverse document frequency ln(1 + (N - df + .5) / (df + .5)), never negative [2]."""
    return np.log1p((documents - df + 0.5) / (df + 0.5))


def robertson_idf(df: Floats, documents: int) -> Floats:
    """Inverse document frequency ln((N - df + .5) / (df + .5)), negative if df > N / 2 [1]."""
    return np.log((documents - df + 0.5) / (df + 0.5))


def smooth_idf(df: Floats, documents: int) -> Floats:
    """Inverse document frequency ln((1 + N) / (1 + df)) + 1, as if one more document had every term [3]."""
    return np.log((1 + documents) / (1 + df)) + 1


_IDF = {"lucene": lucene_idf, "robertson": robertson_idf}


@dataclass(frozen=True, repr=False)
class BM25(Weighting):
    """BM25, by Robertson and Zaragoza (2009), and with the parameter ``k3`` of Okapi at TREC-3 (1994).

    Parameters
    ----------
    k1 : float
        Saturation of the term frequency, at least 0.
    b : float
        Length normalisation, in [0, 1].
    k3 : float, optional
        Saturation of the query term frequency, at least 0; None uses the frequencies unchanged.
    idf : {"lucene", "robertson"}
        ``"lucene"`` is ln(1 + (N - df + .5) / (df + .5)), which is never negative; ``"robertson"`` is
        ln((N - df + .5) / (df + .5)), which is negative for terms of more than half of the documents.

    Notes
    -----
    A shared term adds::

        idf * tf (k1 + 1) / (tf + k1 (1 - b + b length / mean length)) * qtf (k3 + 1) / (qtf + k3)
    """

    k1: float = 1.2
    b: float = 0.75
    k3: float | None = None
    idf: Literal["lucene", "robertson"] = "lucene"

    def __post_init__(self) -> None:
        check_number("k1", self.k1, "a finite number >= 0", lambda k1: 0 <= k1 < math.inf)
        check_number("b", self.b, "a number in [0, 1]", lambda b: 0 <= b <= 1)
        if self.k3 is not None:
            check_number("k3", self.k3, "None or a finite number >= 0", lambda k3: 0 <= k3 < math.inf)
        one_of("idf", self.idf, tuple(_IDF))

    def in_document(self, tf: Floats, terms: TermNumbers, lengths: Floats, collection: Collection) -> Floats:
        """Weights of terms in documents."""
        norm = self.k1 * (1 - self.b + self.b * lengths / (collection.tokens / collection.documents))
        idf = _IDF[self.idf](collection.df, collection.documents)
        return idf[terms] * tf * (self.k1 + 1) / (tf + norm)

    def in_query(self, tf: Floats, terms: TermNumbers, collection: Collection) -> Floats:
        """Weights of terms in a query."""
        return tf if self.k3 is None else tf * (self.k3 + 1) / (tf + self.k3)


@dataclass(frozen=True, repr=False)
class Dirichlet(Weighting):
    """Query likelihood with Dirichlet smoothing, by Zhai and Lafferty (2004).

    Parameters
    ----------
    mu : float
        Weight of the collection's model in tokens, above 0.

    Notes
    -----
    The score is, with the sum over the shared terms and the number n of known query tokens::

        Σ qtf ln(1 + tf / (mu p(t|C))) + n ln(mu / (mu + length))

    The ranking is that of the likelihood itself, which differs by a sum that depends only on the query.
    """

    mu: float = 1000.0

    def __post_init__(self) -> None:
        check_number("mu", self.mu, "a finite number > 0", lambda mu: 0 < mu < math.inf)

    def in_document(self, tf: Floats, terms: TermNumbers, lengths: Floats, collection: Collection) -> Floats:
        """Weights of terms in documents."""
        return np.log1p(tf * collection.tokens / (self.mu * collection.cf[terms]))

    def length_weights(self, lengths: Floats) -> Floats:
        """Contribution ln(mu / (mu + length)) of each document."""
        return -np.log1p(lengths / self.mu)


@dataclass(frozen=True, repr=False)
class JelinekMercer(Weighting):
    """Query likelihood with Jelinek-Mercer smoothing, by Zhai and Lafferty (2004).

    Parameters
    ----------
    lambda_ : float
        Share of the collection's model, in (0, 1); the authors recommend .7 for long queries, .1 for short ones.

    Notes
    -----
    The score is, with the sum over the shared terms::

        Σ qtf ln(1 + (1 - lambda) tf / length / (lambda p(t|C)))

    The ranking is that of the likelihood itself.
    """

    lambda_: float = 0.7

    label: ClassVar[str] = "Jelinek-Mercer"

    def __post_init__(self) -> None:
        check_number("lambda_", self.lambda_, "a number in (0, 1)", lambda share: 0 < share < 1)

    def in_document(self, tf: Floats, terms: TermNumbers, lengths: Floats, collection: Collection) -> Floats:
        """Weights of terms in documents."""
        share = (1 - self.lambda_) / self.lambda_
        return np.log1p(share * tf / lengths * collection.tokens / collection.cf[terms])


@dataclass(frozen=True, repr=False)
class TfIdf(Weighting):
    """Cosine similarity of tf-idf vectors, in (0, 1], with the idf of scikit-learn's ``TfidfVectorizer``.

    Parameters
    ----------
    tf : {"log", "count", "binary"}
        ``"log"`` is 1 + ln tf (query weights below 1 are unchanged), ``"count"`` is tf itself, ``"binary"`` is 1.

    Notes
    -----
    idf = ln((1 + N) / (1 + df)) + 1. The norm of the query is that of its known terms.
    """

    tf: Literal["log", "count", "binary"] = "log"

    cosine: ClassVar[bool] = True
    label: ClassVar[str] = "TF-IDF"

    def __post_init__(self) -> None:
        one_of("tf", self.tf, ("log", "count", "binary"))

    def in_document(self, tf: Floats, terms: TermNumbers, lengths: Floats, collection: Collection) -> Floats:
        """Weights of terms in documents, before division by the norm."""
        return self.in_query(tf, terms, collection)

    def in_query(self, tf: Floats, terms: TermNumbers, collection: Collection) -> Floats:
        """Weights of terms in a query, before division by the norm."""
        idf = smooth_idf(collection.df, collection.documents)[terms]
        if self.tf == "binary":
            return idf
        return idf * (tf if self.tf == "count" else np.where(tf < 1, tf, 1 + np.log(np.maximum(tf, 1))))


@dataclass(frozen=True, repr=False)
class SharedIdf(Weighting):
    """Sum of the idf of the shared terms, regardless of their frequencies.

    The idf is ln(1 + (N - df + .5) / (df + .5)), as that of `BM25`.
    """

    label: ClassVar[str] = "Shared IDF"

    def in_document(self, tf: Floats, terms: TermNumbers, lengths: Floats, collection: Collection) -> Floats:
        """Weights of terms in documents."""
        return lucene_idf(collection.df, collection.documents)[terms]

    def in_query(self, tf: Floats, terms: TermNumbers, collection: Collection) -> Floats:
        """Weight 1 for every term."""
        return np.ones_like(tf)


def document_weights(
    weighting: Weighting, counts: sparse.csr_matrix, lengths: Floats, collection: Collection
) -> sparse.csr_matrix:
    """Weight of each term in each document.

    Parameters
    ----------
    weighting : Weighting
        The formula.
    counts : csr_matrix, documents x terms
        Term counts.
    lengths : float64 array
        Tokens of each document.
    collection : Collection
        Statistics of the collection.

    Returns
    -------
    csr_matrix, documents x terms
    """
    if not counts.nnz:
        return sparse.csr_matrix(counts.shape)
    of_row = np.arange(counts.shape[0]).repeat(np.diff(counts.indptr))
    tf = counts.data.astype(np.float64)
    weights = weighted(counts, weighting.in_document(tf, counts.indices, lengths[of_row], collection))
    return unit_rows(weights) if weighting.cosine else weights


def query_weights(weighting: Weighting, vectors: sparse.csr_matrix, collection: Collection) -> sparse.csr_matrix:
    """Weight of each term in each query (queries x terms), from term frequencies or given weights."""
    weights = weighted(vectors, weighting.in_query(vectors.data.astype(np.float64), vectors.indices, collection))
    return unit_rows(weights) if weighting.cosine else weights


def weighted(matrix: sparse.csr_matrix, weights: Floats) -> sparse.csr_matrix:
    """Return a matrix with other values in the same places."""
    return sparse.csr_matrix((weights, matrix.indices, matrix.indptr), shape=matrix.shape)


def unit_rows(matrix: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return a matrix whose rows have the Euclidean length 1; a row without entries stays empty."""
    rows = np.arange(matrix.shape[0]).repeat(np.diff(matrix.indptr))
    norms = np.sqrt(np.bincount(rows, weights=matrix.data**2, minlength=matrix.shape[0]))
    return weighted(matrix, matrix.data / norms[rows])
