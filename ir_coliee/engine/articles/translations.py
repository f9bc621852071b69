"""Translation from the words of articles to the words of questions: IBM model 1, learned from relevant articles."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.frames import Floats, Integers


class TranslationPairs(NamedTuple):
    """Pairs of a text and an article from which translations are learned, word by word.

    A cell is a pair of a text's word and an article's word that occur together in a pair; cells are sorted by the two
    words. An occurrence is a word of a text in a pair, and has a cell for each distinct word of the article.

    Attributes
    ----------
    questions : int64 array
        Row of the question of each pair; -1 for an article with itself.
    occurrences : int64 array
        Number of the pair of each occurrence.
    counts : float64 array
        How often the word of an occurrence is in the text.
    starts : int64 array
        First entry of each occurrence in ``cells``.
    cells : int64 array
        Cells of all occurrences.
    words, sources : int64 array
        The text's word and the article's word of each cell.
    terms : int
        Number of different words.
    """

    questions: Integers
    occurrences: Integers
    counts: Floats
    starts: Integers
    cells: Integers
    words: Integers
    sources: Integers
    terms: int

    @classmethod
    def of(
        cls, questions: sparse.csr_matrix, articles: sparse.csr_matrix, relevant: sparse.csr_matrix
    ) -> TranslationPairs:
        """Pairs of each question with each of its relevant articles, and of each article with itself.

        Parameters
        ----------
        questions : csr_matrix, questions x terms
            Term counts of the labelled questions.
        articles : csr_matrix, articles x terms
            Term counts of the articles, with the same terms.
        relevant : csr_matrix, questions x articles
            1 for each relevant article.
        """
        gold = sparse.coo_matrix(relevant)
        order = np.lexsort((gold.col, gold.row))
        rows, columns = gold.row[order].astype(np.int64), gold.col[order].astype(np.int64)
        itself = np.arange(articles.shape[0])
        sources = np.concatenate([columns, itself])
        texts = sparse.csr_matrix(sparse.vstack([questions[rows], articles]))
        sizes = np.diff(articles.indptr)[sources].astype(np.int64)

        occurrences = np.arange(texts.shape[0]).repeat(np.diff(texts.indptr))
        words, counts = texts.indices.astype(np.int64), texts.data.astype(np.float64)
        known = sizes[occurrences] > 0  # an article may have no word
        occurrences, words, counts = occurrences[known], words[known], counts[known]
        lengths = sizes[occurrences]
        starts = lengths.cumsum() - lengths
        within = np.arange(lengths.sum()) - starts.repeat(lengths)
        first = articles.indptr.astype(np.int64)[sources[occurrences]]
        source_words = articles.indices[first.repeat(lengths) + within].astype(np.int64)
        terms = articles.shape[1]
        keys, cells = np.unique(words.repeat(lengths) * terms + source_words, return_inverse=True)
        return cls(
            np.concatenate([rows, np.full(len(itself), -1)]),
            occurrences,
            counts,
            starts,
            cells.astype(np.int64),
            keys // max(terms, 1),
            keys % max(terms, 1),
            terms,
        )

    def table(self, left_out: Integers | None = None, rounds: int = 4) -> sparse.csr_matrix:
        """Probabilities that a word of an article is translated into a word of a question.

        Parameters
        ----------
        left_out : int64 array, optional
            Rows of the questions whose pairs are not learned from.
        rounds : int
            Rounds of expectation maximisation, at least 1.

        Returns
        -------
        csr_matrix, terms x terms
            Row w, column t: P(w | t). A column sums to 1, or to 0 if its word is in no pair.

        Notes
        -----
        Each round distributes every word of a text over the words of the article in proportion to the current
        probabilities. They start with 1, and 5 for a word and itself.
        """
        counts = self.counts
        if left_out is not None:
            counts = np.where(np.isin(self.questions, left_out)[self.occurrences], 0.0, counts)
        lengths = np.diff(self.starts, append=len(self.cells))
        probabilities = np.where(self.words == self.sources, 5.0, 1.0)
        for _ in range(rounds):
            of_cells = probabilities[self.cells]
            totals = np.add.reduceat(of_cells, self.starts) if len(self.starts) else np.empty(0)
            scale = np.divide(counts, totals, out=np.zeros(len(counts)), where=(counts > 0) & (totals > 0))
            expected = np.bincount(self.cells, weights=of_cells * scale.repeat(lengths), minlength=len(self.words))
            of_sources = np.bincount(self.sources, weights=expected, minlength=self.terms)[self.sources]
            probabilities = np.divide(expected, of_sources, out=np.zeros(len(expected)), where=of_sources > 0)
        table = sparse.csr_matrix((probabilities, (self.words, self.sources)), shape=(self.terms, self.terms))
        table.eliminate_zeros()
        return table


def translation_scores(
    questions: sparse.csr_matrix,
    articles: sparse.csr_matrix,
    table: sparse.csr_matrix,
    collection: Floats,
    *,
    translated: float = 0.7,
) -> Floats:
    """Scores of the articles by the probability that they are translated into the question.

    Parameters
    ----------
    questions : csr_matrix, questions x terms
        Term counts of the questions.
    articles : csr_matrix, articles x terms
        Term counts of the articles.
    table : csr_matrix, terms x terms
        Translations, see `TranslationPairs.table`.
    collection : float64 array
        Frequency of each term in the collection.
    translated : float
        Share of the translations, in [0, 1].

    Returns
    -------
    float64 array, questions x articles

    Notes
    -----
    P(w | a) = .7 Σ_t P(w | t) tf(t, a) / |a| + .3 tf(w, a) / |a|. The score is the sum of max(0, ln(.7 P(w | a) / p(w)
    + .3)) over the distinct words w of the question, with p(w) = frequency of w / frequency of all words. A word that
    the collection lacks adds nothing.
    """
    lengths = np.asarray(articles.sum(axis=1), dtype=np.float64).ravel()
    shares = sparse.diags(np.divide(1.0, lengths, out=np.zeros(len(lengths)), where=lengths > 0)) @ articles
    shares = sparse.csr_matrix(shares.T)  # terms x articles
    words = np.flatnonzero(np.bincount(questions.indices, minlength=len(collection)) * collection)
    probabilities = (translated * (table[words] @ shares) + (1 - translated) * shares[words]).toarray()
    background = collection[words] / max(collection.sum(), 1.0)
    gains = np.log(0.7 * probabilities / background[:, None] + 0.3)
    has_word = sparse.csr_matrix(questions[:, words] > 0, dtype=np.float64)
    return np.asarray(has_word @ np.maximum(gains, 0.0))
