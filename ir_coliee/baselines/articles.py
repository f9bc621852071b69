"""Task 3: kernel ridge, translation, sibling questions, structure and past questions, learned without any download.

The recipe was developed for this package and measured on English and Japanese editions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial

import numpy as np
import pandas as pd

from ir_coliee.baselines.bm25 import RANKING_LENGTH, bm25_ranker
from ir_coliee.baselines.learned import LearnedBaseline, kept_table
from ir_coliee.baselines.recipes import BoostedLearner, FeatureTable, GivenCutoff, LogisticLearner, QueryBlock, Recipe
from ir_coliee.baselines.training import TrainingData, topics
from ir_coliee.editions import Split
from ir_coliee.engine.articles import collection as engine
from ir_coliee.engine.articles.collection import ArticleCollection, ArticleQuestions
from ir_coliee.engine.articles.evidence import EVIDENCE, TOTAL, ArticleEvidence
from ir_coliee.errors import InsufficientTrainingDataError
from ir_coliee.frames import Booleans, Floats, Integers, sort_results
from ir_coliee.measures import MacroF2
from ir_coliee.text.analysers import Stems
from ir_coliee.text.statutes import LEVELS, exam_id
from ir_coliee.transformers import ExpectedFCutoff

# The candidate articles of questions, with the features of the recipe of task 3.


def of_candidates(scores: Floats, candidates: Integers) -> Floats:
    """Return the scores of the candidates (questions x candidates)."""
    return np.take_along_axis(scores, candidates, axis=1)


_CANDIDATES = 40

#: The scores with features of siblings and of structure, by the names in these.
_SCORES = {
    "total": TOTAL,
    "ridge": "ridge.characters",
    "paragraph_bm25": "lexical.paragraph_bm25",
    "paragraph_stems": "lexical.paragraph_stems",
    "ibm1": "translation.ibm1",
}
_MEANS = tuple(kind for kind in engine.SIBLING_FEATURES if kind.startswith("mean"))
#: The power of the siblings' evidence, and the kinds of features.
_SIBLINGS = {
    **dict.fromkeys(("total", "ridge", "paragraph_bm25"), (2.0, engine.SIBLING_FEATURES)),
    "ibm1": (3.0, _MEANS),
}
_STRUCTURE = {
    **dict.fromkeys(
        ("paragraph_bm25", "ridge", "paragraph_stems"),
        (*(f"best_{level}" for level in engine.UNITS), "near_1", "near_2"),
    ),
    "total": tuple(f"sum_{level}" for level in LEVELS),
    "ibm1": ("best_finest", "best_chapter", "near_1"),
}


def article_features(article_evidence: ArticleEvidence, hidden: frozenset[int] = frozenset()) -> FeatureTable:
    """Find the candidate articles of questions and compute their features, without the labels of hidden folds.

    The evidence is for all questions that have the same exam year and number, or for none of them. The candidates are
    the 40 articles of each question with the highest sum of scores, each divided by the question's best.
    """
    questions, rows = article_evidence.questions, article_evidence.rows
    scores = article_evidence.scores([*EVIDENCE], hidden)
    candidates = np.argsort(-scores[TOTAL], axis=1, kind="stable")[:, :_CANDIDATES]  # ties in the order of the code
    groups = questions.exams.groups[rows]
    columns = {
        name: of_candidates(values, candidates)
        for features in _of_articles(scores, groups, questions.collection)
        for name, values in features.items()
    }
    columns["siblings.group_size"] = _of_questions(engine.group_sizes(groups), candidates)
    columns["number.number"] = _of_questions(questions.exams.numbers[rows], candidates)
    columns["number.place"] = candidates.astype(np.float64)
    columns |= _lengths([questions.texts[row] for row in rows], questions.collection, candidates)
    docnos = questions.collection.docnos[candidates].ravel().tolist()
    qids = questions.qids[rows].repeat(candidates.shape[1]).tolist()
    return FeatureTable.of(qids, docnos, {name: values.ravel() for name, values in columns.items()})


def _of_articles(
    scores: Mapping[str, Floats], groups: Integers, collection: ArticleCollection
) -> Iterator[dict[str, Floats]]:
    """Yield the features of each score (questions x articles), so that few matrices are kept at a time."""
    units = collection.units
    for name in (name for name, each in EVIDENCE.items() if each.has_forms):
        yield {f"{name}{form}": values for form, values in zip(engine.FORMS, engine.fourfold(scores[name]))}
    for name, (power, kinds) in _SIBLINGS.items():
        found = engine.sibling_features(engine.evidence(scores[_SCORES[name]], power), groups, units, kinds)
        yield _named(f"siblings.{name}_", found)
    for name, kinds in _STRUCTURE.items():
        yield _named(f"structure.{name}_", engine.structure_features(scores[_SCORES[name]], units, kinds))
    yield _named("references.", engine.reference_features(scores[TOTAL], collection))


def _named(prefix: str, features: Mapping[str, Floats]) -> dict[str, Floats]:
    return {f"{prefix}{name}": values for name, values in features.items()}


def _of_questions(values: Integers | Floats, candidates: Integers) -> Floats:
    """Return the value of each question for each of its candidates."""
    return np.broadcast_to(values[:, None].astype(np.float64), candidates.shape)


def _lengths(texts: Sequence[str], collection: ArticleCollection, candidates: Integers) -> dict[str, Floats]:
    """Return the logarithms of the numbers of characters of question, article and caption."""
    of_questions = np.log1p([len(text) for text in texts])
    of_texts, of_captions = (
        np.log1p([len(getattr(article, name)) for article in collection.articles])
        for name in ("text", "effective_caption")
    )
    return {
        "lengths.question": _of_questions(of_questions, candidates),
        "lengths.article": of_texts[candidates],
        "lengths.caption": of_captions[candidates],
    }


# The recipe of task 3: its learners and its cut.

#: As many of the one to five best articles as have the highest expected F2, by the probabilities of the 14 best.
CUTOFF = ExpectedFCutoff(2.0, average="macro", min_items=1, max_items=5, depth=14)

STANDARD = Recipe(
    "standard",
    learners=(
        BoostedLearner(
            num_iterations=150,
            learning_rate=0.06,
            num_leaves=8,
            min_data_in_leaf=60,
            feature_fraction=0.25,
            lambda_l2=10.0,
        ),
        LogisticLearner(c=0.02, signed_log=True),
    ),
    cut=GivenCutoff(CUTOFF),
    measure=MacroF2,
)


# The questions as blocks: folds of whole exam years, and the questions to answer.

#: The stages in which features are computed.
TRAIN_FEATURES, FEATURES = "features of the train questions", "features of the questions"
_TRANSDUCTIVE = (
    "the questions of an exam are used together, without labels: those of the same number ask about one subject, and "
    "all count for the frequencies of terms"
)


class ArticleBaseline(LearnedBaseline):
    """The questions of a split of task 3 and of its training data.

    In a train split, each exam year is answered by models that were fitted on other years. The features of train
    questions do not depend on the split to answer, so that they are kept for all splits. The ranking contains the
    candidates, followed by other articles in the order of BM25, up to 100 articles.

    Raises
    ------
    InsufficientTrainingDataError
        If the training data are of one exam year.
    """

    group = "exam year"

    def __init__(self, split: Split, training: TrainingData, *, pool_features: bool = True) -> None:
        super().__init__(split, training, pool_features=pool_features)
        check_exam_years(training)
        self._stems = Stems.of(split.language)

    @property
    def recipe(self) -> Recipe:
        """The recipe, in which questions without a relevant article are not learned from."""
        return replace(STANDARD, row_weights=self.row_weights)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the questions of an exam share, and the stems."""
        return (_TRANSDUCTIVE, *self._stems.notes)

    def whole_ranking(self, split: Split, run: pd.DataFrame) -> pd.DataFrame:
        """Return the run of a split, followed by other articles."""
        return long_list(split, topics(split) if split == self.split else self.training.topics(), run)

    def train_blocks(self) -> list[QueryBlock]:
        """Return a block for each fold of exam years.

        Raises
        ------
        InsufficientTrainingDataError
            If the training data are of one exam year.
        """
        questions = self._train
        folds = questions.folds[questions.train]
        qids = [questions.qids[questions.train][folds == fold].tolist() for fold in range(folds.max() + 1)]
        names = [", ".join(sorted({exam_id(qid).year or "no exam year" for qid in of_fold})) for of_fold in qids]
        evidence = ArticleEvidence(questions, questions.train, self._stems.analyser)
        without = cache(partial(article_features, evidence))  # the labels of some folds; threads may call it
        table = kept_table(TRAIN_FEATURES, lambda: without(frozenset()), [self.training], *self._stems.parameters)

        def block_of(fold: int) -> QueryBlock:
            def table_without(blocks: frozenset[str]) -> FeatureTable:
                return without(frozenset(map(names.index, blocks))).of_queries(qids[fold])

            return QueryBlock(names[fold], table.of_queries(qids[fold]), table_without=table_without)

        return [*map(block_of, range(len(names)))]

    def block(self) -> QueryBlock:
        """Return the questions to answer."""

        def compute() -> FeatureTable:
            questions = self._questions(topics(self.split))
            return article_features(ArticleEvidence(questions, questions.to_answer, self._stems.analyser))

        table = kept_table(FEATURES, compute, [self.split, self.training], *self._stems.parameters)
        return QueryBlock("questions to answer", table)

    def row_weights(self, table: FeatureTable, _labels: Booleans) -> Floats:
        """Return 1 for the candidates of a question with a relevant article in the code, else 0."""
        questions = self._train
        return np.isin(table.qids, questions.qids[questions.labelled]).astype(np.float64)

    @cached_property
    def _train(self) -> ArticleQuestions:
        return self._questions(None)

    def _questions(self, to_answer: pd.DataFrame | None) -> ArticleQuestions:
        collection = ArticleCollection.of(self.split.id)
        return ArticleQuestions.of(collection, self.training.topics(), self.training.qrels(), to_answer)


def check_exam_years(training: TrainingData) -> None:
    """Raise `InsufficientTrainingDataError` if the training data are of one exam year, so that none can be held out."""
    if len({exam_id(qid).year for qid in training.topics()["qid"]}) > 1:
        return
    advice = "Choose a split whose train split has several exam years."
    if training.split.is_built_in:
        advice = "Try: ir_coliee synth coliee/task3/2025/en --out synthetic --scale 0.02"
    elif training.exam_years:
        advice = "--train all-but (train=) takes the later ones as well."
    raise InsufficientTrainingDataError(f"{training} has only one exam year, so none can be held out.\n{advice}")


def long_list(split: Split, questions: pd.DataFrame, run: pd.DataFrame) -> pd.DataFrame:
    """Rank other articles in the order of BM25 behind the articles of a run, up to 100 articles of each question.

    The run has ``qid``, ``docno`` and ``score``, a probability. The score of an article that it lacks is negative.
    """
    ranked = bm25_ranker(split)(questions)
    candidates = pd.MultiIndex.from_frame(run[["qid", "docno"]])
    others = ranked[~pd.MultiIndex.from_frame(ranked[["qid", "docno"]]).isin(candidates)]
    columns = ["qid", "docno", "score"]
    below = others[columns].assign(score=-1.0 - others["rank"])
    ordered = sort_results(pd.concat([run[columns], below], ignore_index=True))
    return ordered[ordered["rank"] < RANKING_LENGTH].reset_index(drop=True)
