"""What a term of the query adds to the score of a document that has it.

A score is the sum, over the terms that query and document share, of a query weight times a document weight; query
likelihood adds a part that depends on the document's length. A document without a term of the query has no score.

Sources: [1] Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009. [2] Robertson et
al., Okapi at TREC-3, 1994 (k3). [3] Lucene's BM25Similarity (the idf that is never negative). [4] Zhai and Lafferty,
A Study of Smoothing Methods for Language Models Applied to Information Retrieval, 2004. [5] Salton and Buckley,
Term-Weighting Approaches in Automatic Text Retrieval, 1988; idf as in scikit-learn's TfidfVectorizer. [6] Spärck
Jones, A Statistical Interpretation of Term Specificity, 1972.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.arrays import Floats, Integers


class Collection(NamedTuple):
    """How many documents and tokens there are, and for each term the documents (df) and tokens (cf) that have it."""

    documents: int
    tokens: float
    df: Floats
    cf: Floats

    @classmethod
    def of(
        cls, terms: npt.NDArray[np.integer], counts: npt.NDArray[np.number], lengths: Floats, size: int
    ) -> Collection:
        """From the terms of all documents, one after the other, with their counts; ``size``: the number of terms."""
        df = np.bincount(terms, minlength=size).astype(np.float64)
        cf = np.bincount(terms, weights=counts, minlength=size).astype(np.float64)
        return cls(len(lengths), float(lengths.sum()), df, cf)


@dataclass(frozen=True)
class Weighting:
    """A formula. ``cosine``: both sides are divided by their Euclidean norm."""

    cosine: ClassVar[bool] = False

    def in_document(self, tf: Floats, terms: Integers, lengths: Floats, collection: Collection) -> Floats:
        """Weights of terms in documents: ``tf`` times there, in a document of this length."""
        raise NotImplementedError

    def in_query(self, tf: Floats, terms: Integers, collection: Collection) -> Floats:
        """Weights of terms in a query, ``tf`` times there (or with this weight, where weighted tokens are given)."""
        return tf

    def length_weights(self, lengths: Floats) -> Floats | None:
        """What a document adds by its length, for a query weight of 1; None for nothing."""
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
    """ln(1 + (N - df + .5) / (df + .5)), never negative [3]."""
    return np.log1p((documents - df + 0.5) / (df + 0.5))


def robertson_idf(df: Floats, documents: int) -> Floats:
    """ln((N - df + .5) / (df + .5)), negative for a term in more than half of the documents [1]."""
    return np.log((documents - df + 0.5) / (df + 0.5))


def smooth_idf(df: Floats, documents: int) -> Floats:
    """ln((1 + N) / (1 + df)) + 1, as if one more document had every term [5]."""
    return np.log((1 + documents) / (1 + df)) + 1


_IDF = {"lucene": lucene_idf, "robertson": robertson_idf}

_LARGEST = sys.float_info.max


def _is_within(value: object, least: float, most: float) -> bool:
    number = value.item() if isinstance(value, np.generic) else value
    return isinstance(number, (int, float)) and least <= number <= most


@dataclass(frozen=True, repr=False)
class BM25(Weighting):
    """idf * tf (k1 + 1) / (tf + k1 (1 - b + b length / mean length)) * qtf (k3 + 1) / (qtf + k3) [1, 2].

    ``k1``, from 0, and ``b``, in [0, 1]: saturation and length normalisation. ``k3``, from 0: saturation of the
    query's frequencies; None takes them as they are.
    """

    k1: float = 1.2
    b: float = 0.75
    k3: float | None = None
    idf: Literal["lucene", "robertson"] = "lucene"

    def __post_init__(self) -> None:
        if not _is_within(self.k1, 0, _LARGEST):
            raise ValueError(f"k1={self.k1!r} is not a finite number from 0")
        if not _is_within(self.b, 0, 1):
            raise ValueError(f"b={self.b!r} is not in [0, 1]")
        if self.k3 is not None and not _is_within(self.k3, 0, _LARGEST):
            raise ValueError(f"k3={self.k3!r} is neither None nor a finite number from 0")
        if self.idf not in tuple(_IDF):
            raise ValueError(f"idf={self.idf!r} is neither 'lucene' nor 'robertson'")

    def in_document(self, tf: Floats, terms: Integers, lengths: Floats, collection: Collection) -> Floats:
        """Weights of terms in documents."""
        norm = self.k1 * (1 - self.b + self.b * lengths / (collection.tokens / collection.documents))
        idf = _IDF[self.idf](collection.df, collection.documents)
        return idf[terms] * tf * (self.k1 + 1) / (tf + norm)

    def in_query(self, tf: Floats, terms: Integers, collection: Collection) -> Floats:
        """Weights of terms in a query."""
        return tf if self.k3 is None else tf * (self.k3 + 1) / (tf + self.k3)


@dataclass(frozen=True, repr=False)
class Dirichlet(Weighting):
    """Query likelihood with Dirichlet smoothing [4], as the sum over shared terms

    qtf ln(1 + tf / (mu p(t|C))), plus |q| ln(mu / (mu + length)), where |q| counts the query's known tokens. It ranks
    as the likelihood itself does, which differs by a sum that depends on the query alone. ``mu``: above 0.
    """

    mu: float = 1000.0

    def __post_init__(self) -> None:
        if not (_is_within(self.mu, 0, _LARGEST) and self.mu > 0):
            raise ValueError(f"mu={self.mu!r} is not a finite number above 0")

    def in_document(self, tf: Floats, terms: Integers, lengths: Floats, collection: Collection) -> Floats:
        """Weights of terms in documents."""
        return np.log1p(tf * collection.tokens / (self.mu * collection.cf[terms]))

    def length_weights(self, lengths: Floats) -> Floats:
        """ln(mu / (mu + length))."""
        return -np.log1p(lengths / self.mu)


@dataclass(frozen=True, repr=False)
class JelinekMercer(Weighting):
    """Query likelihood with Jelinek-Mercer smoothing [4], as the sum over shared terms

    qtf ln(1 + (1 - lambda) tf / length / (lambda p(t|C))). It ranks as the likelihood itself does. ``lambda_``, in
    (0, 1): the share of the collection's model; .7 is known to suit long queries, .1 short ones [4].
    """

    lambda_: float = 0.7

    def __post_init__(self) -> None:
        if not (_is_within(self.lambda_, 0, 1) and 0 < self.lambda_ < 1):
            raise ValueError(f"lambda_={self.lambda_!r} is not between 0 and 1")

    def in_document(self, tf: Floats, terms: Integers, lengths: Floats, collection: Collection) -> Floats:
        """Weights of terms in documents."""
        share = (1 - self.lambda_) / self.lambda_
        return np.log1p(share * tf / lengths * collection.tokens / collection.cf[terms])


@dataclass(frozen=True, repr=False)
class TfIdf(Weighting):
    """The cosine of tf-idf vectors [5], in (0, 1], with idf = ln((1 + N) / (1 + df)) + 1.

    ``tf``: ``log`` for 1 + ln tf (of query weights below 1: themselves), ``count`` for tf itself, ``binary`` for 1: the
    cosine of sets whose members are weighted by idf. The query's norm is that of its known terms.
    """

    tf: Literal["log", "count", "binary"] = "log"

    cosine: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.tf not in ("log", "count", "binary"):
            raise ValueError(f"tf={self.tf!r} is none of 'log', 'count', 'binary'")

    def in_document(self, tf: Floats, terms: Integers, lengths: Floats, collection: Collection) -> Floats:
        """Weights of terms in documents, before division by the norm."""
        return self.in_query(tf, terms, collection)

    def in_query(self, tf: Floats, terms: Integers, collection: Collection) -> Floats:
        """Weights of terms in a query, before division by the norm."""
        idf = smooth_idf(collection.df, collection.documents)[terms]
        if self.tf == "binary":
            return idf
        return idf * (tf if self.tf == "count" else np.where(tf < 1, tf, 1 + np.log(np.maximum(tf, 1))))


@dataclass(frozen=True, repr=False)
class SharedIdf(Weighting):
    """The sum of the idf [6] of the terms that query and document share, however often; idf as in `lucene_idf`."""

    def in_document(self, tf: Floats, terms: Integers, lengths: Floats, collection: Collection) -> Floats:
        """Weights of terms in documents."""
        return lucene_idf(collection.df, collection.documents)[terms]

    def in_query(self, tf: Floats, terms: Integers, collection: Collection) -> Floats:
        """1 for every term."""
        return np.ones_like(tf)


def document_weights(
    weighting: Weighting, counts: sparse.csr_matrix, lengths: Floats, collection: Collection
) -> sparse.csr_matrix:
    """The weight of every term in every document (documents x terms)."""
    if not counts.nnz:
        return sparse.csr_matrix(counts.shape)
    of_row = np.arange(counts.shape[0]).repeat(np.diff(counts.indptr))
    weights = weighting.in_document(counts.data.astype(np.float64), counts.indices, lengths[of_row], collection)
    if weighting.cosine:
        weights /= _norms(weights, of_row, counts.shape[0])[of_row]
    return sparse.csr_matrix((weights, counts.indices, counts.indptr), shape=counts.shape)


def query_weights(weighting: Weighting, vectors: sparse.csr_matrix, collection: Collection) -> sparse.csr_matrix:
    """The weight of every term in every query (queries x terms), from term frequencies."""
    of_row = np.arange(vectors.shape[0]).repeat(np.diff(vectors.indptr))
    weights = weighting.in_query(vectors.data.astype(np.float64), vectors.indices, collection)
    if weighting.cosine:
        weights = weights / _norms(weights, of_row, vectors.shape[0])[of_row]
    return sparse.csr_matrix((weights, vectors.indices, vectors.indptr), shape=vectors.shape)


def _norms(weights: Floats, of_row: Integers, rows: int) -> Floats:
    return np.sqrt(np.bincount(of_row, weights=weights**2, minlength=rows))
