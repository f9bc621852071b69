"""Kernel ridge regression from texts to articles, with exact scores for questions that are left out in blocks.

Articles and labelled questions are examples: the target of an article is the article itself, that of a question its
relevant articles. For the kernel K and the ridge λ, G = (K + λI)⁻¹ and the coefficients are G Y.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from threading import RLock
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.articles.collection import (
    FORMS,
    UNITS,
    ArticleQuestions,
    ExamQuestions,
    best_ratios,
    fourfold,
    neighbour_sums,
    unit_sums,
)
from ir_coliee.engine.building import count_terms
from ir_coliee.engine.scoring import one_blas_thread
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.engine.weightings import BM25, TfIdf, Weighting, document_weights, query_weights
from ir_coliee.frames import Booleans, Floats, Integers
from ir_coliee.text.analysers import Analysis, English, Shingles

# Scores of articles by the labelled questions to which they are relevant (questions x articles).


def cosines(counts: TermCounts) -> Floats:
    """Return the TF-IDF cosines of all pairs of texts; the statistics are those of these texts.

    Examples
    --------
    >>> from ir_coliee.engine.articles.evidence import counted
    >>> cosines(counted(["a gate", "a lamp"], "words")).round(3).tolist()
    [[1.0, 0.336], [0.336, 1.0]]
    """
    weights = document_weights(TfIdf(), counts.counts, counts.lengths, counts.collection)
    return np.asarray((weights @ weights.T).toarray())


def nearest_past(similarities: Floats, seen: Booleans, relevant: sparse.csr_matrix) -> Floats:
    """Score an article by the most similar of the seen questions to which it is relevant.

    Parameters
    ----------
    similarities : float64 array, questions x questions
        None is negative.
    seen : bool array, questions x questions
        The questions (columns) that each question (row) learns from.
    relevant : csr_matrix, questions x articles
        1 for each relevant article.

    Returns
    -------
    float64 array, questions x articles
        0 for an article that is relevant to no seen question.

    Examples
    --------
    >>> similarities, seen = np.array([[1.0, 0.5, 0.25]]), np.array([[False, True, True]])
    >>> relevant = sparse.csr_matrix([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    >>> nearest_past(similarities, seen, relevant).tolist(), past_squares(similarities, seen, relevant).tolist()
    ([[0.0, 0.5]], [[0.0, 0.3125]])
    """
    of_seen, by_article = np.where(seen, similarities, 0.0), sparse.csc_matrix(relevant)
    scores = np.zeros((len(seen), relevant.shape[1]))
    for article in np.flatnonzero(np.diff(by_article.indptr)):
        questions = by_article.indices[by_article.indptr[article] : by_article.indptr[article + 1]]
        scores[:, article] = of_seen[:, questions].max(axis=1)
    return scores


def past_squares(similarities: Floats, seen: Booleans, relevant: sparse.csr_matrix) -> Floats:
    """Score an article by the sum of squared similarities of the seen questions to which it is relevant.

    Parameters and result are those of `nearest_past`.
    """
    return np.asarray(np.where(seen, similarities**2, 0.0) @ relevant)


def gold_frequency(seen: Booleans, relevant: sparse.csr_matrix) -> Floats:
    """Return the number of seen questions to which an article is relevant; see `nearest_past`."""
    return np.asarray(seen.astype(np.float64) @ relevant)


# Evidence from the number of a question: exams go through the code in order.


def question_number_density(
    questions: ExamQuestions,
    labelled: ExamQuestions,
    relevant: sparse.csr_matrix,
    *,
    nearest: int = 6,
    number_deviation: float = 1.0,
    place_deviation: float = 8.0,
) -> Floats:
    """Density of the relevant articles of other exam years around the question's number and the article's place.

    Parameters
    ----------
    questions : ExamQuestions
        The questions to score.
    labelled : ExamQuestions
        The labelled questions. Those of a question's own exam year are left out.
    relevant : csr_matrix, labelled questions x articles
        1 for each relevant article, with the articles in the order of the code.
    nearest : int
        Number of exam years to use: those nearest to the question's, of two equally near the earlier first.
    number_deviation, place_deviation : float
        Standard deviations of the Gaussians over numbers of questions and places of articles, above 0.

    Returns
    -------
    float64 array, questions x articles
        0 for a question without an exam number.

    Notes
    -----
    A relevant article at place p of a labelled question with number m adds exp(-(n - m)² / 2σ²) exp(-(a - p)² / 2τ²) to
    the article at place a for a question with number n. The sum is not normalised.

    Examples
    --------
    >>> questions, labelled = ExamQuestions.of(["R99-02-A"]), ExamQuestions.of(["R98-02-A", "R99-02-A"])
    >>> relevant = sparse.csr_matrix(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))
    >>> question_number_density(questions, labelled, relevant, place_deviation=1.0).round(3).tolist()
    [[0.607, 1.0, 0.607]]
    """
    places = np.arange(relevant.shape[1], dtype=np.float64)
    around = relevant @ _gaussian(places[:, None] - places, place_deviation)
    weights = _gaussian((questions.numbers[:, None] - labelled.numbers).astype(np.float64), number_deviation)
    weights[~_seen(questions.years, labelled.years, nearest)] = 0.0
    weights[questions.numbers == 0] = weights[:, labelled.numbers == 0] = 0.0
    return np.asarray(sparse.csr_matrix(weights) @ around)


def _gaussian(differences: Floats, deviation: float) -> Floats:
    return np.exp(-(differences**2) / (2 * deviation**2))


def _seen(years: Integers, labelled_years: Integers, nearest: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Whether each labelled question (column) is of one of the years nearest to that of each question (row)."""
    known = np.unique(labelled_years[labelled_years > 0])
    seen = np.zeros((len(years), len(labelled_years)), dtype=np.bool_)
    for year in np.unique(years):
        others = known[known != year]
        near = others[np.argsort(np.abs(others - year), kind="stable")[:nearest]]
        seen[years == year] = np.isin(labelled_years, near)
    return seen


# Evidence from the sibling questions: those of the same exam and number, which ask about one subject.


#: Names of the features that `sibling_features` computes.
SIBLING_FEATURES = (*(f"mean{form}" for form in FORMS), *(f"mean_{level}" for level in UNITS), "best", "near")


def sibling_means(evidence: Floats, groups: Integers) -> Floats:
    """Mean of the siblings' evidence, the question itself left out.

    Parameters
    ----------
    evidence : float64 array, questions x articles
        Any scores, computed without labels of these questions.
    groups : int64 array
        Group of each question, see `ExamQuestions`.

    Returns
    -------
    float64 array, questions x articles
        0 for a question without siblings.

    Examples
    --------
    >>> sibling_means(np.array([[1.0, 0.0], [0.0, 4.0], [0.0, 2.0]]), np.array([7, 7, 7])).tolist()
    [[0.0, 3.0], [0.5, 1.0], [0.5, 2.0]]
    """
    return _of_siblings(evidence, groups, lambda siblings: siblings.mean(axis=0))


def sibling_maxima(evidence: Floats, groups: Integers) -> Floats:
    """Largest evidence of a sibling, the question itself left out; 0 for a question without siblings.

    The parameters are those of `sibling_means`.

    Examples
    --------
    >>> sibling_maxima(np.array([[1.0, 0.0], [0.0, 4.0], [0.0, 2.0]]), np.array([7, 7, 8])).tolist()
    [[0.0, 4.0], [1.0, 0.0], [0.0, 0.0]]
    """
    return _of_siblings(evidence, groups, lambda siblings: siblings.max(axis=0))


def group_sizes(groups: Integers) -> Integers:
    """Number of questions of each question's group, itself included.

    Examples
    --------
    >>> group_sizes(np.array([7, 7, 8])).tolist()
    [2, 2, 1]
    """
    sizes: Integers = np.unique(groups, return_counts=True)[1][np.unique(groups, return_inverse=True)[1]]
    return sizes


def _of_siblings(evidence: Floats, groups: Integers, aggregate: Callable[[Floats], Floats]) -> Floats:
    found = np.zeros_like(evidence)
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        for question in members[: len(members) if len(members) > 1 else 0]:
            found[question] = aggregate(evidence[members[members != question]])
    return found


def sibling_features(
    evidence: Floats, groups: Integers, units: Mapping[str, Integers], kinds: Sequence[str] = SIBLING_FEATURES
) -> dict[str, Floats]:
    """Features of the evidence of the siblings.

    Parameters
    ----------
    evidence : float64 array, questions x articles
        Scores as `fourfold.evidence` has them, computed without labels of these questions.
    groups : int64 array
        Group of each question.
    units : mapping from str to int64 array
        Units of the articles by level, see `ArticleCollection.all_units`.
    kinds : sequence of str
        Some of `SIBLING_FEATURES`.

    Returns
    -------
    dict from str to float64 array, questions x articles
        The siblings' mean in its four forms (``mean``, ``mean_ratio``, ``mean_rank``, ``mean_gap``); the mean summed
        over each unit, as a ratio to the question's best (``mean_section``, …); the largest evidence of a sibling
        (``best``); the mean summed over the article and two places around it (``near``).
    """
    means = sibling_means(evidence, groups)
    found = {
        **{f"mean{form}": values for form, values in zip(FORMS, fourfold(means))},
        **{f"mean_{level}": best_ratios(unit_sums(means, units[level])) for level in UNITS},
        "best": sibling_maxima(evidence, groups),
        "near": neighbour_sums(means, 2),
    }
    return {kind: found[kind] for kind in kinds}


# Scores of articles by their texts, and by the best of their passages, as dense matrices.


def counted(texts: Sequence[str], analyser: Analysis) -> TermCounts:
    """Term counts of texts in their order.

    Parameters
    ----------
    texts : sequence of str
        The texts; row i of the counts belongs to ``texts[i]``.
    analyser : Analysis
        Analyser of the texts.

    Examples
    --------
    >>> counted(["a lamp", "a gate"], "words").counts.toarray().tolist()
    [[1, 0, 1], [1, 1, 0]]
    """
    # documents are sorted by their ids
    corpus = ({"docno": f"{number:08}", "text": text} for number, text in enumerate(texts))
    return count_terms(corpus, analyser, processes=1)


def text_scores(index: TermCounts, weighting: Weighting, questions: Sequence[str]) -> Floats:
    """Scores of all texts for all questions.

    Parameters
    ----------
    index : TermCounts
        The texts, see `counted`.
    weighting : Weighting
        `BM25` or `TfIdf`; the statistics are those of the index.
    questions : sequence of str
        The questions.

    Returns
    -------
    float64 array, questions x texts

    Examples
    --------
    >>> from ir_coliee.engine.weightings import TfIdf
    >>> text_scores(counted(["a lamp", "a gate"], "words"), TfIdf(), ["gate"]).round(2).tolist()
    [[0.0, 0.81]]
    """
    vectors = query_weights(weighting, index.query_vectors(questions), index.collection)
    weights = document_weights(weighting, index.counts, index.lengths, index.collection)
    scores: Floats = (vectors @ weights.T).toarray()
    return scores


def best_passages(scores: Floats, articles: Integers, size: int) -> Floats:
    """Score of the best passage of each article.

    Parameters
    ----------
    scores : float64 array, questions x passages
        Scores of the passages.
    articles : int64 array
        Row of the article of each passage, ascending, see `ArticleCollection.passages`.
    size : int
        Number of articles.

    Returns
    -------
    float64 array, questions x articles
        0 for an article without passages.

    Examples
    --------
    >>> best_passages(np.array([[1.0, 3.0, 2.0]]), np.array([0, 0, 2]), 3).tolist()
    [[3.0, 0.0, 2.0]]
    """
    best = np.zeros((len(scores), size))
    starts = np.flatnonzero(np.append(True, articles[1:] != articles[:-1])[: len(articles)])
    if len(starts):
        best[:, articles[starts]] = np.maximum.reduceat(scores, starts, axis=1)
    return best


class RidgeRegression(NamedTuple):
    """Solution of a kernel ridge regression.

    Attributes
    ----------
    inverse : float64 array, examples x examples
        G, the inverse of kernel and ridge.
    targets : csr_matrix, examples x articles
        Y, the relevant articles of the examples.
    """

    inverse: Floats
    targets: sparse.csr_matrix

    @classmethod
    def fit(cls, kernel: Floats, targets: sparse.csr_matrix, ridge: float = 0.5) -> RidgeRegression:
        """Solve the regression.

        Parameters
        ----------
        kernel : float64 array, examples x examples
            Similarities of the examples: symmetric and positive semidefinite.
        targets : csr_matrix, examples x articles
            1 for each relevant article of an example.
        ridge : float
            λ, above 0.

        Examples
        --------
        >>> fitted = RidgeRegression.fit(np.array([[1.0, 0.5], [0.5, 1.0]]), sparse.csr_matrix(np.eye(2)), ridge=0.5)
        >>> fitted.scores(np.array([[1.0, 0.0]])).round(3).tolist()
        [[0.75, -0.25]]
        """
        with one_blas_thread():
            inverse = np.asarray(np.linalg.inv(kernel + ridge * np.eye(len(kernel))), dtype=np.float64)
        return cls(inverse, targets)

    def scores(self, kernel: Floats, left_out: Integers | None = None) -> Floats:
        """Scores of the articles for other texts.

        Parameters
        ----------
        kernel : float64 array, texts x examples
            Similarities of the texts and the examples.
        left_out : int64 array, optional
            Numbers of the examples whose targets are not used: the scores are those of a regression without them.

        Returns
        -------
        float64 array, texts x articles

        Notes
        -----
        The coefficients without the block B are C - G_{:B} (G_BB)⁻¹ C_B for C = G Y. For the texts of the block itself
        this gives the scores Y_B - (G_BB)⁻¹ C_B. The targets of the block cancel out; they are set to 0 before, so that
        they do not even change the rounding.
        """
        block = np.empty(0, dtype=np.int64) if left_out is None else left_out
        kept = np.ones(len(self.inverse))
        kept[block] = 0.0
        with one_blas_thread():
            coefficients = np.asarray(self.inverse @ (sparse.diags(kept) @ self.targets))
            of_block = np.linalg.solve(self.inverse[np.ix_(block, block)], coefficients[block])
            coefficients -= self.inverse[:, block] @ of_block
            coefficients[block] = 0.0
            return np.asarray(kernel @ coefficients, dtype=np.float64)

    def scores_of_exams(self, kernel: Floats, years: Integers, example_years: Integers) -> Floats:
        """Scores of the articles for questions. No label of a question's own exam year is used.

        Parameters
        ----------
        kernel : float64 array, questions x examples
            Similarities of the questions and the examples.
        years : int64 array
            Exam year of each question, see `ExamQuestions`.
        example_years : int64 array
            Exam year of the labelled questions, which are the last examples.

        Returns
        -------
        float64 array, questions x articles
        """
        scores = np.zeros((len(kernel), self.targets.shape[1]))
        first = len(self.inverse) - len(example_years)
        for year in np.unique(years):
            left_out = first + np.flatnonzero(example_years == year)
            scores[years == year] = self.scores(kernel[years == year], left_out)
        return scores


# Translation from the words of articles to the words of questions: IBM model 1.


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


# The scores of a collection of questions, and the table of all of them.


class ArticleEvidence:
    """The scores of all articles for some questions.

    Parameters
    ----------
    questions : ArticleQuestions
        The labelled questions, and those to answer.
    rows : int64 array
        The numbers of the questions to score.
    stems : Analysis
        The analyser of stems.

    Notes
    -----
    The texts of all questions are used for statistics of terms. What no label enters is computed once. So are the pairs
    of the translation model, which is then fitted without those whose labels are hidden.
    """

    def __init__(self, questions: ArticleQuestions, rows: Integers, stems: Analysis) -> None:
        language = questions.collection.language
        words = "bigrams" if language == "ja" else "words"
        self.questions = questions
        self.rows = rows
        self._analysers: dict[str, Analysis] = {
            "words": "bigrams" if language == "ja" else English(stem=False),  # content words
            "pairs": Shingles(2, words, min_df=1, max_share=1.0),
            "triples": Shingles(3, words, min_df=1, max_share=1.0),
            "characters": "characters",
            "stems": stems,
        }
        self._kept: dict[tuple[str, ...], Any] = {}
        self._lock = RLock()
        self._translated: dict[frozenset[int], Floats] = {}

    def scores(self, names: Collection[str], hidden: frozenset[int] = frozenset()) -> dict[str, Floats]:
        """Return scores of `EVIDENCE` by name.

        Parameters
        ----------
        names : collection of str
            The scores to compute. What is not asked for is not computed.
        hidden : frozenset of int
            The folds whose labels are not used.

        Returns
        -------
        dict of str to float64 array, rows x articles
            A question is scored by labels of other exam years (by the translation model: of other folds) that are not
            hidden.
        """
        wanted = dict.fromkeys([*names, *(TOTAL_OF if TOTAL in names else ())])
        scores = {name: EVIDENCE[name].compute(self, hidden) for name in wanted if name != TOTAL}
        if TOTAL in names:
            scores[TOTAL] = sum_of_ratios(scores[name] for name in TOTAL_OF)
        return {name: scores[name] for name in names}

    def lexical(self, part: str, terms: str, weighting: Weighting) -> Floats:
        """Return the scores of parts of articles (articles, captions, full texts or paragraphs) by shared terms."""
        key = ("scores", part, terms, type(weighting).__name__)
        scores: Floats = self._once(key, lambda: self._lexical(part, terms, weighting))
        return scores

    def seen(self, hidden: frozenset[int]) -> Booleans:
        """Return which questions (columns) each scored question (row) learns from."""
        return self.questions.seen(self.questions.visible(hidden), self.rows)

    def similarities(self, terms: str) -> Floats:
        """Return the cosines of the scored questions with all questions."""
        analyser = self._analysers[terms]
        found: Floats = self._once(
            ("similarities", terms), lambda: cosines(counted(self.questions.texts, analyser))[self.rows]
        )
        return found

    def ridge(self, terms: str, hidden: frozenset[int]) -> Floats:
        """Return the scores of kernel ridge regression."""
        questions, rows = self.questions, self.rows
        kernel: Floats = self._once(("kernel", terms), lambda: cosines(self._with_articles(terms)))
        articles, labelled = len(questions.collection.docnos), np.flatnonzero(questions.visible(hidden))
        examples = np.concatenate([np.arange(articles), articles + labelled])
        targets = sparse.vstack([sparse.identity(articles), questions.relevant[labelled]], format="csr")
        fitted = RidgeRegression.fit(kernel[np.ix_(examples, examples)], targets)
        years = questions.exams.years
        return fitted.scores_of_exams(kernel[articles + rows][:, examples], years[rows], years[labelled])

    def translation(self, hidden: frozenset[int]) -> Floats:
        """Return the scores of translation models that were not fitted on the fold of a question."""
        folds = self.questions.folds[self.rows]
        scores = np.zeros((len(folds), len(self.questions.collection.docnos)))
        for fold in np.unique(folds).tolist():
            unseen = hidden if fold < 0 else hidden | {fold}
            scores[folds == fold] = self._translation_without(unseen)[folds == fold]
        return scores

    def number_density(self, hidden: frozenset[int]) -> Floats:
        """Return the density of relevant articles around the number of a question and the place of an article."""
        exams, visible = self.questions.exams, self.questions.visible(hidden)
        scored, labelled = (ExamQuestions(*(values[of] for values in exams)) for of in (self.rows, visible))
        return question_number_density(scored, labelled, self.questions.relevant[visible])

    def _once(self, key: tuple[str, ...], compute: Callable[[], Any]) -> Any:
        """Return what is computed once; threads may ask for it."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = compute()
            return self._kept[key]

    def _lexical(self, part: str, terms: str, weighting: Weighting) -> Floats:
        collection = self.questions.collection
        scored = [self.questions.texts[row] for row in self.rows]
        texts, owners = {
            "articles": lambda: (collection.texts(), None),
            "captions": lambda: ([article.effective_caption for article in collection.articles], None),
            "full texts": lambda: (collection.full_texts(), None),
            "paragraphs": collection.passages,
        }[part]()
        counts = self._once(("counts", part, terms), lambda: counted(texts, self._analysers[terms]))
        scores = text_scores(counts, weighting, scored)
        return scores if owners is None else best_passages(scores, owners, len(collection.articles))

    def _with_articles(self, terms: str) -> TermCounts:
        texts = [*self.questions.collection.texts(), *self.questions.texts]
        counts: TermCounts = self._once(("with articles", terms), lambda: counted(texts, self._analysers[terms]))
        return counts

    def _translation_without(self, folds: frozenset[int]) -> Floats:
        if folds not in self._translated:
            index, size = self._with_articles("stems"), len(self.questions.collection.docnos)
            articles, questions = index.counts[:size], index.counts[size:]
            pairs = self._once(("pairs",), lambda: TranslationPairs.of(questions, articles, self.questions.relevant))
            table = pairs.table(np.flatnonzero(~self.questions.visible(folds)))
            self._translated[folds] = translation_scores(questions[self.rows], articles, table, index.collection.cf)
        return self._translated[folds]


def sum_of_ratios(scores: Iterable[Floats]) -> Floats:
    """Add scores, each divided by the best one of its question.

    Examples
    --------
    >>> sum_of_ratios([np.array([[2.0, 4.0]]), np.array([[3.0, 0.0]])]).tolist()
    [[1.5, 1.0]]
    """
    first, *others = map(best_ratios, scores)
    return np.asarray(sum(others, start=first))


class Evidence(NamedTuple):
    """A score of the table `EVIDENCE`.

    Attributes
    ----------
    compute : callable
        Takes an `ArticleEvidence` and the folds whose labels are hidden, and returns a float64 array, questions x
        articles.
    formula : str
        The score in words.
    source : str
        Where it was published.
    has_forms : bool
        Whether the learned baseline of task 3 uses it in four forms, see `fourfold`.
    """

    compute: Callable[[ArticleEvidence, frozenset[int]], Floats]
    formula: str
    source: str = "this package"
    has_forms: bool = True


def _lexical(part: str, terms: str, weighting: Weighting | None = None) -> Callable[..., Floats]:
    return lambda evidence, _hidden: evidence.lexical(part, terms, weighting or TfIdf())


def _nearest(terms: str) -> Callable[..., Floats]:
    return lambda evidence, hidden: nearest_past(
        evidence.similarities(terms), evidence.seen(hidden), evidence.questions.relevant
    )


def _squares(terms: str) -> Callable[..., Floats]:
    return lambda evidence, hidden: past_squares(
        evidence.similarities(terms), evidence.seen(hidden), evidence.questions.relevant
    )


#: The sum of the scores that choose the candidates of the learned baseline, see `TOTAL_OF`.
TOTAL = "total.sum"

_RIDGE = "kernel ridge regression from articles and labelled questions to articles, kernel: cosine of "
_SAUNDERS = "Saunders, Gammerman and Vovk 1998"

#: All scores by name, ``family.score``, in the order of the columns of the learned baseline. Terms are words without
#: stop words, stems of such words, or characters; in Japanese, words are character bigrams.
EVIDENCE: dict[str, Evidence] = {
    "lexical.words": Evidence(_lexical("articles", "words"), "TF-IDF cosine of words with the article"),
    "lexical.pairs": Evidence(_lexical("articles", "pairs"), "the same of word pairs"),
    "lexical.triples": Evidence(_lexical("articles", "triples"), "the same of word triples"),
    "lexical.characters": Evidence(_lexical("articles", "characters"), "the same of character n-grams"),
    "lexical.caption": Evidence(_lexical("captions", "words"), "the same of words with the caption"),
    "lexical.bm25": Evidence(_lexical("articles", "words", BM25()), "BM25 of words", "Robertson et al. 1994"),
    "lexical.stems_bm25": Evidence(
        _lexical("articles", "stems", BM25()), "BM25 of stems", "Robertson et al. 1994", has_forms=False
    ),
    "lexical.full": Evidence(
        _lexical("full texts", "stems"), "TF-IDF cosine of stems, of the article with its headings", has_forms=False
    ),
    "lexical.paragraph_stems": Evidence(
        _lexical("paragraphs", "stems"), "TF-IDF cosine of stems with the best paragraph"
    ),
    "lexical.paragraph_characters": Evidence(_lexical("paragraphs", "characters"), "the same of character n-grams"),
    "lexical.paragraph_bm25": Evidence(
        _lexical("paragraphs", "stems", BM25()), "BM25 of stems with the best paragraph", "Robertson et al. 1994"
    ),
    TOTAL: Evidence(
        lambda evidence, hidden: evidence.scores([TOTAL], hidden)[TOTAL],
        "sum of the lexical, past (without past.frequency) and ridge scores, each divided by the question's best",
    ),
    "past.words_nearest": Evidence(
        _nearest("words"), "largest cosine of words with a question of another year that the article decided"
    ),
    "past.words_squares": Evidence(_squares("words"), "sum of the squares of these cosines"),
    "past.characters_nearest": Evidence(_nearest("characters"), "as past.words_nearest, of character n-grams"),
    "past.characters_squares": Evidence(_squares("characters"), "as past.words_squares, of character n-grams"),
    "past.stems_nearest": Evidence(_nearest("stems"), "as past.words_nearest, of stems", has_forms=False),
    "past.frequency": Evidence(
        lambda evidence, hidden: gold_frequency(evidence.seen(hidden), evidence.questions.relevant),
        "number of questions of other years that the article decided",
    ),
    "ridge.stems": Evidence(lambda evidence, hidden: evidence.ridge("stems", hidden), f"{_RIDGE}stems", _SAUNDERS),
    "ridge.characters": Evidence(
        lambda evidence, hidden: evidence.ridge("characters", hidden), f"{_RIDGE}character n-grams", _SAUNDERS
    ),
    "translation.ibm1": Evidence(
        ArticleEvidence.translation,
        "log of the probability that stems of the article are translated into those of the question (IBM model 1), "
        "against their frequency",
        "Brown et al. 1993, Berger and Lafferty 1999",
    ),
    "number.density": Evidence(
        ArticleEvidence.number_density, "density of relevant articles around the question's number and the place"
    ),
}

#: The scores that `TOTAL` is the sum of.
TOTAL_OF = tuple(
    name for name in EVIDENCE if name.startswith(("lexical.", "past.", "ridge.")) and name != "past.frequency"
)
