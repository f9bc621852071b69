"""Shorter queries from whole decisions: their most telling terms, their lead, the context of their citations.

Each adds the column ``query_toks``, a dict from term to weight, which retrievers take before the text. The terms are
those of an index, made by its analyser; one that no document has is left out before anything is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.arguments import integer_at_least
from ir_coliee.engine import term_selection
from ir_coliee.engine.scoring import Floats
from ir_coliee.engine.shingles import HashedVocabulary
from ir_coliee.engine.term_selection import Counted, best_share
from ir_coliee.engine.weightings import Collection
from ir_coliee.frames import check_ids
from ir_coliee.text.case_sections import summary
from ir_coliee.text.citing import citing_context
from ir_coliee.text.leads import leading_paragraphs, leading_words
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.retrieval.query_vectors import QUERY_COLUMNS, query_column, query_frequencies

if TYPE_CHECKING:
    from ir_coliee.transformers.retrieval.lexical_index import LexicalIndex


class _QueryTokens(BaseTransformer):
    """Base: Q to Q and R to R with ``query_toks`` added, or replaced. Rows, their order and other columns stay."""

    _READS: tuple[str, ...] = QUERY_COLUMNS

    def __init__(self, index: LexicalIndex) -> None:
        self.index = index

    def _weights(self, queries: pd.DataFrame) -> sparse.csr_matrix:
        """The weight of each kept term, queries x terms."""
        raise NotImplementedError

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Add ``query_toks``. In a frame of results the first row of a query tells what it is.

        Raises `ColieeError` for a query without an id, a text or known document.
        """
        with pt.validate.any(inp, context=self) as frame:
            for column in self._READS:
                frame.columns(includes=["qid", column], mode=column)
        check_ids(inp)
        of_row = pd.factorize(inp["qid"])[0] if "docno" in inp.columns else np.arange(len(inp))
        _, first_rows = np.unique(of_row, return_index=True)
        tokens = np.empty(len(first_rows), dtype=object)
        tokens[:] = list(self._dicts(self._weights(inp.iloc[first_rows])))
        return inp.reset_index(drop=True).assign(query_toks=pd.Series(tokens[of_row], dtype=object))

    def _dicts(self, weights: sparse.csr_matrix) -> Iterator[dict[str, float]]:
        terms, values = self._known().terms(weights.indices), weights.data.tolist()
        return (dict(zip(terms[start:end], values[start:end])) for start, end in pairwise(weights.indptr.tolist()))

    def _known(self) -> _Known:
        return self._cached(self.index, lambda: _Known(self.index))


class _Known:
    """What an index knows of its terms."""

    def __init__(self, index: LexicalIndex) -> None:
        self._index = index

    @cached_property
    def _spelled(self) -> npt.NDArray[np.object_]:
        return np.array([*self._index.vocabulary], dtype=object)

    def terms(self, columns: npt.NDArray[np.integer]) -> list[str]:
        """The terms of these columns."""
        vocabulary = self._index.vocabulary
        if isinstance(vocabulary, HashedVocabulary):  # too many to spell all
            return [f"{number:016x}" for number in vocabulary.hashes[columns].tolist()]
        terms: list[str] = self._spelled[columns].tolist()
        return terms


class _BestTerms(_QueryTokens):
    """Base of those that keep the best share of a query's terms, with the weights that they have in the query."""

    index: LexicalIndex
    share: float
    of: Counted

    def __init__(self, index: LexicalIndex, share: float, of: Counted) -> None:
        super().__init__(index)
        if not 0 < share <= 1:
            raise ValueError(f"share={share!r} is not above 0 and at most 1")
        if of not in ("terms", "tokens"):
            raise ValueError(f"of={of!r} is neither 'terms' nor 'tokens'")
        self.share = share
        self.of = of

    def _scores(self, queries: sparse.csr_matrix, collection: Collection) -> Floats:
        """How telling each term of the queries is."""
        raise NotImplementedError

    def _weights(self, queries: pd.DataFrame) -> sparse.csr_matrix:
        vectors = query_frequencies(self.index, queries)
        return best_share(vectors, self._scores(vectors, self.index.collection), self.share, self.of)


class KLITerms(_BestTerms):
    """The terms of a query with the highest KL informativeness: P(t|Q) ln(P(t|Q) / P(t|C)).

    Tomokiyo and Hurst 2003; for case retrieval Locke, Zuccon and Scells 2017. The default is the 40 % that were best at
    COLIEE 2022, with BM25 by k1 = 2.8 and b = .9.
    See `ir_coliee.engine.term_selection.kl_informativeness`, and `best_share` there for rounding and ties.

    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "1", "text": "the lamp the gate"}, {"docno": "2", "text": "the well"}])
    >>> query = pd.DataFrame({"qid": ["1"], "query": ["the lamp and the lamp"]})
    >>> KLITerms(index, share=0.5)(query).query_toks.tolist()
    [{'lamp': 2.0}]
    """

    LABEL = "KLI terms"

    def __init__(self, index: LexicalIndex, share: float = 0.4, *, of: Counted = "terms") -> None:
        """Parameters.

        ``index``: what P(t|C) and the terms are of. ``share``, in (0, 1]: how many terms are kept, as a share of the
        query's distinct ``terms`` or, with ``of="tokens"``, of its tokens: 10 % of those was best in 2021 (that the
        number of tokens is meant, not their sum over the kept terms, is our reading).
        """
        super().__init__(index, share, of)

    def _scores(self, queries: sparse.csr_matrix, collection: Collection) -> Floats:
        return term_selection.kl_informativeness(queries, collection)


class IDFTerms(_BestTerms):
    """The terms of a query that the fewest documents have: IDF-r, r being the share that is kept.

    Koopman, Cripwell and Zuccon 2017; for case retrieval Locke, Zuccon and Scells 2017.

    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "1", "text": "the lamp the gate"}, {"docno": "2", "text": "the well"}])
    >>> IDFTerms(index, 0.5).search("the lamp").query_toks.tolist()
    [{'lamp': 1.0}]
    """

    LABEL = "IDF-r"

    def __init__(self, index: LexicalIndex, share: float, *, of: Counted = "terms") -> None:
        """``index``, ``share``, ``of``: as of `KLITerms`."""
        super().__init__(index, share, of)

    def _scores(self, queries: sparse.csr_matrix, collection: Collection) -> Floats:
        return term_selection.idf(queries, collection)


class TfIdfTerms(_BestTerms):
    """The terms of a query with the highest tf ln(N / df) (Salton and Buckley 1988).

    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "1", "text": "the lamp the gate"}, {"docno": "2", "text": "the well"}])
    >>> TfIdfTerms(index, 0.4).search("the lamp gate lamp").query_toks.tolist()
    [{'lamp': 2.0}]
    """

    LABEL = "TF-IDF terms"

    def __init__(self, index: LexicalIndex, share: float, *, of: Counted = "terms") -> None:
        """``index``, ``share``, ``of``: as of `KLITerms`."""
        super().__init__(index, share, of)

    def _scores(self, queries: sparse.csr_matrix, collection: Collection) -> Floats:
        return term_selection.tf_idf(queries, collection)


class PLMTerms(_BestTerms):
    """The terms of a query that its parsimonious model finds most likely (Hiemstra, Robertson and Zaragoza 2004).

    See `ir_coliee.engine.term_selection.parsimonious_model`. The best share at COLIEE was 50 %.

    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "1", "text": "the lamp the gate"}, {"docno": "2", "text": "the well"}])
    >>> PLMTerms(index).search("the lamp").query_toks.tolist()
    [{'lamp': 1.0}]
    """

    LABEL = "PLM terms"

    def __init__(
        self,
        index: LexicalIndex,
        share: float = 0.5,
        *,
        of: Counted = "terms",
        lambda_: float = 0.1,
        iterations: int = 50,
        weights: Literal["frequency", "model"] = "frequency",
    ) -> None:
        """Parameters.

        ``index``, ``share``, ``of``: as of `KLITerms`. ``lambda_``, above 0 and at most 1: the share of the query's
        own model; ``iterations``, from 0, of EM: both ours, COLIEE's papers give none. ``weights``: what a kept term
        weighs, its ``frequency`` in the query or its probability in the ``model``, by which the source ranks.
        """
        super().__init__(index, share, of)
        if not 0 < lambda_ <= 1:
            raise ValueError(f"lambda_={lambda_!r} is not above 0 and at most 1")
        if weights not in ("frequency", "model"):
            raise ValueError(f"weights={weights!r} is neither 'frequency' nor 'model'")
        self.lambda_ = lambda_
        self.iterations = integer_at_least("iterations", iterations, 0)
        self.weights = weights

    def _scores(self, queries: sparse.csr_matrix, collection: Collection) -> Floats:
        return term_selection.parsimonious_model(queries, collection, lambda_=self.lambda_, iterations=self.iterations)

    def _weights(self, queries: pd.DataFrame) -> sparse.csr_matrix:
        if self.weights == "frequency":
            return super()._weights(queries)
        vectors = query_frequencies(self.index, queries)
        model = self._scores(vectors, self.index.collection)
        return best_share(vectors, model, self.share, self.of, weights=model)


class _QueryPart(_QueryTokens):
    """Base of those that keep a part of a query's text, with the frequencies that its terms have there."""

    _READS = ("query",)

    def part(self, text: str) -> str:
        """What is kept of a text."""
        raise NotImplementedError

    def _weights(self, queries: pd.DataFrame) -> sparse.csr_matrix:
        query_column(queries[["qid", "query"]])
        return self.index.query_vectors(map(self.part, queries["query"]))


class LeadQuery(_QueryPart):
    """The beginning of a query: its first words or paragraphs, or the summary that stands before them.

    It reads the column ``query`` alone. White space parts words, so that marks and markers count as such: clean the
    text before, or take paragraphs.

    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "1", "text": "the lamp the gate"}])
    >>> LeadQuery(index, words=3).search("the lamp, the gate").query_toks.tolist()
    [{'lamp': 1.0, 'the': 2.0}]
    """

    LABEL = "Lead"

    def __init__(self, index: LexicalIndex, *, words: int | None = None, paragraphs: int | None = None) -> None:
        """Parameters.

        ``index``: what the terms are of. ``words``, ``paragraphs``: how many are kept, see `ir_coliee.text.leads`.
        Without either it is the summary, see `ir_coliee.text.case_sections`; a decision without one is taken whole.
        """
        super().__init__(index)
        if words is not None and paragraphs is not None:
            raise ValueError(f"words={words!r} and paragraphs={paragraphs!r}: give one of both")
        self.words = None if words is None else integer_at_least("words", words, 1)
        self.paragraphs = None if paragraphs is None else integer_at_least("paragraphs", paragraphs, 1)

    def part(self, text: str) -> str:
        """What is kept of a text."""
        if self.words is not None:
            return leading_words(text, self.words)
        if self.paragraphs is not None:
            return leading_paragraphs(text, self.paragraphs)
        return summary(text) or text


class CitingQuery(_QueryPart):
    """What a query case says where it cites: its citing sentences and their neighbours (THUIR at COLIEE 2023).

    It reads the column ``query`` alone, with its suppressed markers, so clean nothing before. See
    `ir_coliee.text.citing.citing_context`.

    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "1", "text": "the lamp the gate"}])
    >>> CitingQuery(index, words=0).search("As in <FRAGMENT_SUPPRESSED> the lamp.").query_toks.tolist()
    [{'lamp': 1.0, 'the': 1.0}]
    """

    LABEL = "Citing context"

    def __init__(self, index: LexicalIndex, words: int = 512) -> None:
        """``index``: what the terms are of. ``words``: up to so many, the beginning of the decision is put behind the
        citing sentences; 0 puts nothing behind."""
        super().__init__(index)
        self.words = integer_at_least("words", words, 0)

    def part(self, text: str) -> str:
        """What is kept of a text."""
        return citing_context(text, self.words)
