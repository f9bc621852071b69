"""Scores of the articles of a code for exam questions: the table `EVIDENCE`, and what its rows are computed by.

Scores are float64 arrays, questions x articles. `ArticleEvidence` has all scores of some questions; a question is never
scored by labels of its own exam year.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.articles.collection import ArticleQuestions, ExamQuestions, best_ratios
from ir_coliee.engine.cases.texts import computed_once
from ir_coliee.engine.scoring import one_blas_thread
from ir_coliee.engine.term_counts import TermCounts, count_terms
from ir_coliee.engine.weightings import BM25, TfIdf, Weighting, document_weights, query_weights
from ir_coliee.frames import Booleans, Floats, Integers
from ir_coliee.text.analysers import Analysis, English, Shingles

# Translation from the words of articles to the words of questions: IBM model 1, learned from relevant articles.


def translation_tables(
    questions: sparse.csr_matrix, articles: sparse.csr_matrix, relevant: sparse.csr_matrix
) -> Callable[..., sparse.csr_matrix]:
    """Return a function that learns translations of words, from pairs of a text and an article.

    The pairs are each question with each of its relevant articles, and each article with itself.

    Parameters
    ----------
    questions : csr_matrix, questions x terms
        Term counts of the labelled questions.
    articles : csr_matrix, articles x terms
        Term counts of the articles, with the same terms.
    relevant : csr_matrix, questions x articles
        1 for each relevant article.

    Returns
    -------
    callable
        It takes the rows of the questions whose pairs are not learned from, by default none, and the number of rounds
        of expectation maximisation, at least 1 and by default 4. It returns a csr_matrix, terms x terms. Row w, column
        t: P(w | t), the probability that the word t of an article is translated into the word w of a question. A column
        sums to 1, or to 0 if its word is in no pair.

    Notes
    -----
    Each round distributes every word of a text over the words of the article in proportion to the current
    probabilities. They start with 1, and 5 for a word and itself.
    """
    gold = sparse.coo_matrix(relevant)
    order = np.lexsort((gold.col, gold.row))
    rows, columns = gold.row[order].astype(np.int64), gold.col[order].astype(np.int64)
    itself = np.arange(articles.shape[0])
    of_pairs = np.concatenate([columns, itself])
    questions_of_pairs = np.concatenate([rows, np.full(len(itself), -1)])
    texts = sparse.csr_matrix(sparse.vstack([questions[rows], articles]))
    sizes = np.diff(articles.indptr)[of_pairs].astype(np.int64)

    # an occurrence is a word of a text in a pair, and has a cell for each distinct word of the article; a cell is a
    # pair of a text's word and an article's word that occur together in a pair, and cells are sorted by the two words
    occurrences = np.arange(texts.shape[0]).repeat(np.diff(texts.indptr))
    text_words, counts = texts.indices.astype(np.int64), texts.data.astype(np.float64)
    known = sizes[occurrences] > 0  # an article may have no word
    occurrences, text_words, counts = occurrences[known], text_words[known], counts[known]
    lengths = sizes[occurrences]
    starts = lengths.cumsum() - lengths
    within = np.arange(lengths.sum()) - starts.repeat(lengths)
    first = articles.indptr.astype(np.int64)[of_pairs[occurrences]]
    source_words = articles.indices[first.repeat(lengths) + within].astype(np.int64)
    terms = articles.shape[1]
    keys, cells = np.unique(text_words.repeat(lengths) * terms + source_words, return_inverse=True)
    words, sources = keys // max(terms, 1), keys % max(terms, 1)

    def table(left_out: Integers | None = None, rounds: int = 4) -> sparse.csr_matrix:
        learned = counts
        if left_out is not None:
            learned = np.where(np.isin(questions_of_pairs, left_out)[occurrences], 0.0, counts)
        probabilities = np.where(words == sources, 5.0, 1.0)
        for _ in range(rounds):
            of_cells = probabilities[cells]
            totals = np.add.reduceat(of_cells, starts) if len(starts) else np.empty(0)
            scale = np.divide(learned, totals, out=np.zeros(len(counts)), where=(learned > 0) & (totals > 0))
            expected = np.bincount(cells, weights=of_cells * scale.repeat(lengths), minlength=len(words))
            of_sources = np.bincount(sources, weights=expected, minlength=terms)[sources]
            probabilities = np.divide(expected, of_sources, out=np.zeros(len(expected)), where=of_sources > 0)
        found = sparse.csr_matrix((probabilities, (words, sources)), shape=(terms, terms))
        found.eliminate_zeros()
        return found

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
        Translations, see `translation_tables`.
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


# Scores of articles by the labelled questions to which they are relevant (questions x articles).


def cosines(counts: TermCounts) -> Floats:
    """Return the TF-IDF cosines of all pairs of texts; the statistics are those of these texts.

    Examples
    --------
    >>> cosines(counted(["a gate", "a lamp"], "words")).round(3).tolist()
    [[1.0, 0.336], [0.336, 1.0]]
    """
    weights = document_weights(TfIdf(), counts.counts, counts.lengths, counts.collection)
    return np.asarray((weights @ weights.T).toarray())


def nearest(similarities: Floats, seen: Booleans, relevant: sparse.csr_matrix) -> Floats:
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
    >>> nearest(similarities, seen, relevant).tolist(), squares(similarities, seen, relevant).tolist()
    ([[0.0, 0.5]], [[0.0, 0.3125]])
    """
    of_seen, by_article = np.where(seen, similarities, 0.0), sparse.csc_matrix(relevant)
    scores = np.zeros((len(seen), relevant.shape[1]))
    for article in np.flatnonzero(np.diff(by_article.indptr)):
        questions = by_article.indices[by_article.indptr[article] : by_article.indptr[article + 1]]
        scores[:, article] = of_seen[:, questions].max(axis=1)
    return scores


def squares(similarities: Floats, seen: Booleans, relevant: sparse.csr_matrix) -> Floats:
    """Score an article by the sum of squared similarities of the seen questions to which it is relevant.

    Parameters and result are those of `nearest`.
    """
    return np.asarray(np.where(seen, similarities**2, 0.0) @ relevant)


# Evidence from the number of a question: exams go through the code in order.


_NEAREST_YEARS = 6
_NUMBER_DEVIATION, _PLACE_DEVIATION = 1.0, 8.0  # standard deviations of the Gaussians


def question_number_density(questions: ExamQuestions, labelled: ExamQuestions, relevant: sparse.csr_matrix) -> Floats:
    """Density of the relevant articles of other exam years around the question's number and the article's place.

    A relevant article at place p of a labelled question with number m adds exp(-(n - m)² / 2σ²) exp(-(a - p)² / 2τ²) to
    the article at place a for a question with number n, with σ = 1 and τ = 8. The sum is not normalised. The labelled
    questions of the six exam years nearest to the question's own are used, of two equally near years the earlier first,
    and never those of its own. A question without an exam number has 0.

    Examples
    --------
    >>> questions, labelled = ExamQuestions.of(["R99-02-A"]), ExamQuestions.of(["R98-02-A", "R99-02-A"])
    >>> relevant = sparse.csr_matrix(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))
    >>> question_number_density(questions, labelled, relevant).round(3).tolist()
    [[0.992, 1.0, 0.992]]
    """
    places = np.arange(relevant.shape[1], dtype=np.float64)
    around = relevant @ _gaussian(places[:, None] - places, _PLACE_DEVIATION)
    weights = _gaussian((questions.numbers[:, None] - labelled.numbers).astype(np.float64), _NUMBER_DEVIATION)
    weights[~_near_years(questions.years, labelled.years)] = 0.0
    weights[questions.numbers == 0] = weights[:, labelled.numbers == 0] = 0.0
    return np.asarray(sparse.csr_matrix(weights) @ around)


def _gaussian(differences: Floats, deviation: float) -> Floats:
    return np.exp(-(differences**2) / (2 * deviation**2))


def _near_years(years: Integers, labelled_years: Integers) -> Booleans:
    """Whether each labelled question (column) is of one of the years nearest to that of each question (row)."""
    known = np.unique(labelled_years[labelled_years > 0])
    near = np.zeros((len(years), len(labelled_years)), dtype=np.bool_)
    for year in np.unique(years):
        others = known[known != year]
        closest = others[np.argsort(np.abs(others - year), kind="stable")[:_NEAREST_YEARS]]
        near[years == year] = np.isin(labelled_years, closest)
    return near


# Scores of articles by their texts, and by the best of their passages, as dense matrices.


def counted(texts: Sequence[str], analyser: Analysis) -> TermCounts:
    """Term counts of texts: row i of the counts belongs to ``texts[i]``.

    Examples
    --------
    >>> counted(["a lamp", "a gate"], "words").counts.toarray().tolist()
    [[1, 0, 1], [1, 1, 0]]
    """
    # documents are sorted by their ids
    corpus = ({"docno": f"{number:08}", "text": text} for number, text in enumerate(texts))
    return count_terms(corpus, analyser, processes=1)


def text_scores(index: TermCounts, weighting: Weighting, questions: Sequence[str]) -> Floats:
    """Scores of all texts of an index, see `counted`, for all questions; the statistics are those of the index.

    Examples
    --------
    >>> text_scores(counted(["a lamp", "a gate"], "words"), TfIdf(), ["gate"]).round(2).tolist()
    [[0.0, 0.81]]
    """
    vectors = query_weights(weighting, index.query_vectors(questions), index.collection)
    weights = document_weights(weighting, index.counts, index.lengths, index.collection)
    return (vectors @ weights.T).toarray()


def best_passages(scores: Floats, articles: Integers, size: int) -> Floats:
    """Score of the best passage of each of ``size`` articles, 0 for one without; see `ArticleCollection.passages`.

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


# Kernel ridge regression from texts to articles, with exact scores for questions that are left out in blocks.


def ridge_scores(
    kernel: Floats,
    targets: sparse.csr_matrix,
    asked: Floats,
    years: Integers,
    example_years: Integers,
    *,
    ridge: float = 0.5,
) -> Floats:
    """Scores of the articles for questions. No label of a question's own exam year is used.

    Articles and labelled questions are examples: the target of an article is the article itself, that of a question its
    relevant articles.

    Parameters
    ----------
    kernel : float64 array, examples x examples
        Similarities of the examples: symmetric and positive semidefinite.
    targets : csr_matrix, examples x articles
        1 for each relevant article of an example.
    asked : float64 array, questions x examples
        Similarities of the questions and the examples.
    years : int64 array
        Exam year of each question, see `ExamQuestions`.
    example_years : int64 array
        Exam year of the labelled questions, which are the last examples.
    ridge : float
        λ, above 0.

    Returns
    -------
    float64 array, questions x articles

    Notes
    -----
    For the kernel K, G = (K + λI)⁻¹ and the coefficients are C = G Y. Those without the block B of a year are
    C - G_{:B} (G_BB)⁻¹ C_B. The targets of the block cancel out; they are set to 0 before, so that they do not even
    change the rounding.

    Examples
    --------
    >>> kernel, asked, articles = np.array([[1.0, 0.5], [0.5, 1.0]]), np.array([[1.0, 0.0]]), sparse.identity(2)
    >>> ridge_scores(kernel, articles, asked, np.array([2117]), np.array([], dtype=int)).round(3).tolist()
    [[0.75, -0.25]]
    """
    scores = np.zeros((len(asked), targets.shape[1]))
    first = len(kernel) - len(example_years)
    with one_blas_thread():
        inverse = np.asarray(np.linalg.inv(kernel + ridge * np.eye(len(kernel))), dtype=np.float64)
        for year in np.unique(years):
            block = first + np.flatnonzero(example_years == year)
            kept = np.ones(len(kernel))
            kept[block] = 0.0
            coefficients = np.asarray(inverse @ (sparse.diags(kept) @ targets))
            of_block = np.linalg.solve(inverse[np.ix_(block, block)], coefficients[block])
            coefficients -= inverse[:, block] @ of_block
            coefficients[block] = 0.0
            scores[years == year] = asked[years == year] @ coefficients
    return scores


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
            scores[TOTAL] = reduce(np.add, (best_ratios(scores[name]) for name in TOTAL_OF))
        return {name: scores[name] for name in names}

    @computed_once
    def lexical(self, part: str, terms: str, weighting: Weighting) -> Floats:
        """Return the scores of parts of articles (articles, captions, full texts or paragraphs) by shared terms."""
        collection = self.questions.collection
        scored = [self.questions.texts[row] for row in self.rows]
        counts, owners = self._parts(part, terms)
        scores = text_scores(counts, weighting, scored)
        return scores if owners is None else best_passages(scores, owners, len(collection.articles))

    def seen(self, hidden: frozenset[int]) -> Booleans:
        """Return which questions (columns) each scored question (row) learns from: visible ones of other exam years."""
        years = self.questions.exams.years
        return np.asarray(self.questions.visible(hidden) & (years[self.rows, None] != years), dtype=np.bool_)

    @computed_once
    def similarities(self, terms: str) -> Floats:
        """Return the cosines of the scored questions with all questions."""
        return cosines(counted(self.questions.texts, self._analysers[terms]))[self.rows]

    def ridge(self, terms: str, hidden: frozenset[int]) -> Floats:
        """Return the scores of kernel ridge regression."""
        questions, rows = self.questions, self.rows
        kernel = self._kernel(terms)
        articles, labelled = len(questions.collection.docnos), np.flatnonzero(questions.visible(hidden))
        examples = np.concatenate([np.arange(articles), articles + labelled])
        targets = sparse.vstack([sparse.identity(articles), questions.relevant[labelled]], format="csr")
        years, asked = questions.exams.years, kernel[articles + rows][:, examples]
        return ridge_scores(kernel[np.ix_(examples, examples)], targets, asked, years[rows], years[labelled])

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

    @computed_once
    def _kernel(self, terms: str) -> Floats:
        return cosines(self._with_articles(terms))

    @computed_once
    def _parts(self, part: str, terms: str) -> tuple[TermCounts, Integers | None]:
        """Return the counts of parts of articles, and the article of each if it may have several."""
        collection = self.questions.collection
        texts, owners = {
            "articles": lambda: (collection.texts(), None),
            "captions": lambda: ([article.effective_caption for article in collection.articles], None),
            "full texts": lambda: (collection.full_texts(), None),
            "paragraphs": collection.passages,
        }[part]()
        return counted(texts, self._analysers[terms]), owners

    @computed_once
    def _with_articles(self, terms: str) -> TermCounts:
        texts = [*self.questions.collection.texts(), *self.questions.texts]
        return counted(texts, self._analysers[terms])

    @computed_once
    def _pairs(self) -> tuple[sparse.csr_matrix, sparse.csr_matrix, Callable[..., sparse.csr_matrix]]:
        """Return the terms of questions and of articles, and the function that learns from their pairs."""
        counts, size = self._with_articles("stems").counts, len(self.questions.collection.docnos)
        questions, articles = counts[size:], counts[:size]
        return questions, articles, translation_tables(questions, articles, self.questions.relevant)

    @computed_once
    def _translation_without(self, folds: frozenset[int]) -> Floats:
        questions, articles, learn = self._pairs()
        table = learn(np.flatnonzero(~self.questions.visible(folds)))
        frequencies = self._with_articles("stems").collection.cf
        return translation_scores(questions[self.rows], articles, table, frequencies)


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


def _past(score: Callable[..., Floats], terms: str) -> Callable[..., Floats]:
    return lambda evidence, hidden: score(
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
        _past(nearest, "words"), "largest cosine of words with a question of another year that the article decided"
    ),
    "past.words_squares": Evidence(_past(squares, "words"), "sum of the squares of these cosines"),
    "past.characters_nearest": Evidence(_past(nearest, "characters"), "as past.words_nearest, of character n-grams"),
    "past.characters_squares": Evidence(_past(squares, "characters"), "as past.words_squares, of character n-grams"),
    "past.stems_nearest": Evidence(_past(nearest, "stems"), "as past.words_nearest, of stems", has_forms=False),
    "past.frequency": Evidence(
        lambda evidence, hidden: np.asarray(evidence.seen(hidden).astype(np.float64) @ evidence.questions.relevant),
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
