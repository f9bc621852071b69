"""The scores of all articles for all questions: those that no label enters, and those that are learned from labels."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ir_coliee.baselines.articles.article_questions import ArticleQuestions
from ir_coliee.baselines.articles.lexical_scores import article_scores, content_words, paragraph_scores, stem_scores
from ir_coliee.engine.articles.exams import ExamQuestions
from ir_coliee.engine.articles.kernel_ridge import RidgeRegression
from ir_coliee.engine.articles.past_questions import cosines, gold_frequency, nearest_past, past_squares
from ir_coliee.engine.articles.question_numbers import question_number_density
from ir_coliee.engine.articles.text_scores import counted
from ir_coliee.engine.articles.translations import TranslationPairs, translation_scores
from ir_coliee.frames import Booleans, Floats, Integers
from ir_coliee.text.analysers import Analysis


class ArticleEvidence:
    """The scores of all articles for some questions.

    Parameters
    ----------
    questions : ArticleQuestions
        The train questions, and the questions to answer.
    rows : int64 array
        The numbers of the questions to score.
    stems : Analysis
        The analyser of stems.

    Notes
    -----
    The texts of all questions are used for statistics of terms. What no label enters is computed at once. So are the
    pairs of the translation model, which is then fitted without those whose labels are hidden.
    """

    def __init__(self, questions: ArticleQuestions, rows: Integers, stems: Analysis) -> None:
        collection, texts, scored = questions.collection, questions.texts, [questions.texts[row] for row in rows]
        self.questions = questions
        self.rows = rows
        self._lexical = {
            **article_scores(collection, scored),
            **stem_scores(collection, scored, stems),
            **paragraph_scores(collection, scored, stems),
        }
        analysers: dict[str, Analysis] = {"stems": stems, "characters": "characters"}
        self._similarities = {  # with all questions
            name: cosines(counted(texts, analyser))[rows]
            for name, analyser in {"words": content_words(collection.language), **analysers}.items()
        }
        both = {name: counted([*collection.texts(), *texts], analyser) for name, analyser in analysers.items()}
        self._kernels = {name: cosines(counts) for name, counts in both.items()}
        counts, articles = both["stems"].counts, len(collection.docnos)
        self._counts = counts[:articles], counts[articles:]
        self._frequencies = both["stems"].collection.cf
        self._pairs = TranslationPairs.of(counts[articles:], counts[:articles], questions.relevant)
        self._translated: dict[frozenset[int], Floats] = {}

    def scores(self, hidden: frozenset[int] = frozenset()) -> dict[str, Floats]:
        """Return all scores by name, ``family.score``.

        Parameters
        ----------
        hidden : frozenset of int
            The folds whose labels are not used.

        Returns
        -------
        dict of str to float64 array, rows x articles
            A question is scored by labels of other exam years (by the translation model: of other folds) that are not
            hidden.
        """
        visible = self.questions.visible(hidden)
        return {
            **{f"lexical.{name}": values for name, values in self._lexical.items()},
            **self._past(visible),
            **{f"ridge.{name}": self._ridge(kernel, visible) for name, kernel in self._kernels.items()},
            "translation.ibm1": self._translation(hidden),
            "number.density": self._number_density(visible),
        }

    def _past(self, visible: Booleans) -> dict[str, Floats]:
        seen, relevant = self.questions.seen(visible, self.rows), self.questions.relevant
        scores = {"past.frequency": gold_frequency(seen, relevant)}
        for name, similarities in self._similarities.items():
            scores[f"past.{name}_nearest"] = nearest_past(similarities, seen, relevant)
            if name != "stems":
                scores[f"past.{name}_squares"] = past_squares(similarities, seen, relevant)
        return scores

    def _ridge(self, kernel: Floats, visible: Booleans) -> Floats:
        rows, articles, labelled = self.rows, len(self.questions.collection.docnos), np.flatnonzero(visible)
        examples = np.concatenate([np.arange(articles), articles + labelled])
        targets = sparse.vstack([sparse.identity(articles), self.questions.relevant[labelled]], format="csr")
        fitted = RidgeRegression.fit(kernel[np.ix_(examples, examples)], targets)
        years = self.questions.exams.years
        return fitted.scores_of_exams(kernel[articles + rows][:, examples], years[rows], years[labelled])

    def _translation(self, hidden: frozenset[int]) -> Floats:
        folds = self.questions.folds[self.rows]
        scores = np.zeros((len(folds), len(self.questions.collection.docnos)))
        for fold in np.unique(folds).tolist():
            unseen = hidden if fold < 0 else hidden | {fold}
            scores[folds == fold] = self.translation_without(unseen)[folds == fold]
        return scores

    def translation_without(self, folds: frozenset[int]) -> Floats:
        """Return the scores by a translation model that was not fitted on some folds."""
        if folds not in self._translated:
            articles, questions = self._counts
            table = self._pairs.table(np.flatnonzero(~self.questions.visible(folds)))
            self._translated[folds] = translation_scores(questions[self.rows], articles, table, self._frequencies)
        return self._translated[folds]

    def _number_density(self, visible: Booleans) -> Floats:
        exams = self.questions.exams
        scored, labelled = (ExamQuestions(*(values[of] for values in exams)) for of in (self.rows, visible))
        return question_number_density(scored, labelled, self.questions.relevant[visible])
