"""Answers of tasks 4 and 5, the pilot and, in editions that ask for them, of task 3.

There are the more frequent answer, TF-IDF with a linear classifier, and for task 4 the alignment of statements with
their articles. Notes tell whether the answers to held-out train queries are above chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any, NamedTuple

import ir_datasets
import numpy as np
import pandas as pd

from ir_coliee.baselines.articles import CUTOFF
from ir_coliee.baselines.learned import LearnedBaseline, kept_table
from ir_coliee.baselines.recipes import BoostedLearner, FeatureTable, GivenCutoff, LogisticLearner, QueryBlock, Recipe
from ir_coliee.baselines.training import BaselineRun, TrainingData, held_out_note, left_out_note, optimism_note, topics
from ir_coliee.editions import Split
from ir_coliee.engine.articles.collection import ArticleCollection, ExamQuestions, group_sizes, sibling_means
from ir_coliee.errors import ColieeError, InsufficientTrainingDataError
from ir_coliee.evaluation.cutoffs import encode_run, index_of_best
from ir_coliee.evaluation.gold import TASK_EVALUATIONS
from ir_coliee.evaluation.runs import answers_split
from ir_coliee.evaluation.statistics import count_runs, intervals
from ir_coliee.frames import Booleans, Floats, Integers, sort_results
from ir_coliee.measures import AnswerAccuracy, ColieeMeasure, MacroF2
from ir_coliee.text.statutes import exam_id
from ir_coliee.transformers import CandidatePool, MajorityAnswer, TfidfClassifier, ThresholdCutoff, TopK
from ir_coliee.transformers.answers.features import AlignmentFeatures, PastAnswerFeatures
from ir_coliee.transformers.estimators import label_values
from ir_coliee.transformers.features.learning import feature_matrix

# Whether the answers to held-out train queries are above chance.


_FOLDS = 5  # of the queries, if there are not several exam years


class HeldOutAnswers(NamedTuple):
    """Answers to train queries by models that were fitted on other queries.

    Attributes
    ----------
    answers : pandas.DataFrame
        ``qid``, ``docno``, ``score`` and ``rank``.
    gold : pandas.DataFrame
        The gold of these queries: ``qid``, ``docno`` and ``label``.
    """

    answers: pd.DataFrame
    gold: pd.DataFrame

    def are_right(self, qids: Sequence[str]) -> Booleans:
        """Return whether the answer to each of these queries is right; a query without an answer has none."""
        right = self.answers.merge(self.gold[label_values(self.gold) > 0], on=["qid", "docno"])["qid"]
        return np.asarray(pd.Index(qids).isin(right), dtype=np.bool_)

    def note(self, measure: ColieeMeasure, name: str, chance: pd.DataFrame) -> str:
        """Compare the answers with chance.

        Parameters
        ----------
        measure : ColieeMeasure
            The official measure.
        name : str
            What they are compared with.
        chance : pandas.DataFrame
            The same as answers.

        Returns
        -------
        str
            The value with its 95 % bootstrap interval, that of chance, and whether the whole interval is above it.
        """
        runs = {"answers": self.answers, "chance": chance}
        counts = count_runs(runs, self.gold, measure)
        value, of_chance = (measure.aggregate(*each) for each in zip(counts.tp, counts.returned, counts.relevant))
        low, high, _ = intervals(measure, counts)["answers"]
        return (
            f"{len(counts.query_ids)} held-out train queries: {measure} {value:.3f} (95 % interval {low:.3f} to "
            f"{high:.3f}), {name} {of_chance:.3f}: {'' if low > of_chance else 'not '}above chance"
        )

    def note_on_frequency(self) -> str:
        """Compare the answers Y and N with the more frequent one, as `note` does."""
        return self.note(AnswerAccuracy, "the more frequent answer", more_frequent_answer(self.gold))


def held_out_answers(
    pool: pd.DataFrame, gold: pd.DataFrame, answer: Callable[[pd.DataFrame, pd.DataFrame, pd.DataFrame], pd.DataFrame]
) -> HeldOutAnswers:
    """Answer each group of held-out queries by a model of the other queries, see `held_out_groups`.

    Of queries without exam years only the first group is answered, because fitting takes long in the pilot. ``answer``
    takes the pool and the gold of the other queries, and the pool of the held-out ones.
    """
    groups = [*held_out_groups(pool["qid"].tolist()).values()]
    if not any(exam_id(qid).year for group in groups for qid in group):
        groups = groups[:1]  # fitting takes long in the pilot
    found = [
        answer(pool[~pool["qid"].isin(group)], gold[~gold["qid"].isin(group)], pool[pool["qid"].isin(group)])
        for group in groups
    ]
    queries = {qid for group in groups for qid in group}
    return HeldOutAnswers(pd.concat(found, ignore_index=True), gold[gold["qid"].isin(queries)])


def held_out_groups(qids: Sequence[str]) -> dict[str, list[str]]:
    """Queries that are held out together, by the name of the group.

    These are the exam years, or if there is only one, five groups of its questions by number. Of queries without exam
    years, each group has every fifth one.

    Examples
    --------
    >>> held_out_groups(["R98-1-A", "R98-2-A", "R99-1-A"])
    {'R98': ['R98-1-A', 'R98-2-A'], 'R99': ['R99-1-A']}
    >>> held_out_groups(["R98-1-A", "R98-1-I", "R98-2-A"])
    {'R98 1': ['R98-1-A', 'R98-1-I'], 'R98 2': ['R98-2-A']}
    >>> held_out_groups(["t1", "t2", "t3", "t4", "t5", "t6"])
    {'fifth 1': ['t1', 't6'], 'fifth 2': ['t2'], 'fifth 3': ['t3'], 'fifth 4': ['t4'], 'fifth 5': ['t5']}
    """
    ids = {qid: exam_id(qid) for qid in qids}
    years = {each.year for each in ids.values()}
    if years <= {""}:
        return {f"fifth {first + 1}": [*ids][first::_FOLDS] for first in range(min(_FOLDS, len(ids)))}
    groups: dict[str, list[str]] = {}
    for qid, (year, number, _) in ids.items():
        name = year if len(years) > 1 else f"{year} {int(number) % _FOLDS}"
        groups.setdefault(name, []).append(qid)
    return groups


def more_frequent_answer(gold: pd.DataFrame) -> pd.DataFrame:
    """Return the answer that is most often correct, given to each query of the gold."""
    correct = gold.loc[gold["label"] > 0, "docno"]
    most = correct.value_counts().sort_index().idxmax()
    return pd.DataFrame({"qid": gold["qid"].unique(), "docno": most, "score": 1.0, "rank": 0})


# Classifiers for tasks 4 and 5, the pilot and the answers of task 3: majority, and TF-IDF with a linear model.


_ACCEPTED_FROM = 0.5  # the minimum probability of an accepted claim


def classify_answers(split: Split, training: TrainingData) -> list[BaselineRun]:
    """Answer tasks 4 and 5 and tort prediction by majority and by a TF-IDF classifier.

    Parameters
    ----------
    split : Split
        A split of task 4, task 5 or tort prediction.
    training : TrainingData
        The labelled queries.

    Returns
    -------
    list of BaselineRun
        The run ``majority``, and the run ``tfidf``, fitted on statements with their articles, or without them if the
        split has none. If scikit-learn is not installed, or if all labels are the same, the second one is left out, and
        a warning of the first one gives the reason.

    Raises
    ------
    MissingReleaseError
        If files are missing.
    """
    queries = ir_datasets.load(f"{split.id}/full").queries_iter()
    with_articles = bool(split.exam_years) and any(query.t1.strip() for query in queries)  # there are none in task 5
    read = partial(_pool_of_texts, with_articles=with_articles)
    train_pool, pool = training.load(read), read(split)
    train_gold = training.qrels()
    majority = MajorityAnswer().fit(train_pool, train_gold)
    optimism = optimism_note(training.split, split)
    note = f"always the more frequent answer of {training}{optimism}"
    of_majority = BaselineRun("majority", TopK(1)(majority(pool)), None, [note])
    try:
        classifier = TfidfClassifier("query", language=split.language).fit(train_pool, train_gold)
    except ColieeError as error:
        return [of_majority.with_warnings([left_out_note("tfidf", error)])]
    tfidf = BaselineRun("tfidf", TopK(1)(classifier(pool)), None, [f"fitted on {training}{optimism}"])
    return [
        of_majority,
        with_chance(tfidf, lambda: _held_out(train_pool, train_gold, split.language).note_on_frequency()),
    ]


def with_chance(run: BaselineRun, compare: Callable[[], str]) -> BaselineRun:
    """Return a run with its comparison with chance, as a warning if it is not above chance or cannot be compared."""
    try:
        note = compare()
    except ColieeError as error:
        note = f"without held-out train queries: {error}"
    if note.endswith(": above chance"):
        return run._replace(notes=[*run.notes, note])
    return run.with_warnings([note])


def _held_out(pool: pd.DataFrame, gold: pd.DataFrame, language: str) -> HeldOutAnswers:
    """Answer held-out train queries by TF-IDF."""

    def answer(train_pool: pd.DataFrame, train_gold: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
        classifier = TfidfClassifier("query", language=language).fit(train_pool, train_gold)
        return TopK(1)(classifier(candidates))

    return held_out_answers(pool, gold, answer)


class QuestionAnswers(NamedTuple):
    """Answers to the questions of a split of task 3, and to its train questions by models of other exam years.

    Attributes
    ----------
    labels : pandas.DataFrame
        The answers to the questions of the split, as of task 4.
    held_out : HeldOutAnswers
        Those to the train questions.
    note : str
        How the questions are answered, and how often rightly.
    """

    labels: pd.DataFrame
    held_out: HeldOutAnswers
    note: str


def answer_statements(split: Split, training: TrainingData) -> QuestionAnswers:
    """Answer the questions of a split of task 3 with Y or N, in editions that ask for it, from the statement alone.

    Parameters
    ----------
    split : Split
        A split of task 3.
    training : TrainingData
        The labelled questions.

    Returns
    -------
    QuestionAnswers
        The answers of TF-IDF and a linear classifier. Without scikit-learn, or if all labels are the same, the more
        frequent answer is given.
    """
    questions, train = answers_split(split), replace(training, split=answers_split(training.split))
    train_pool, train_gold = train.load(_pool), train.qrels()
    note = f"answers Y and N by {{}}, fitted on {train}{optimism_note(train.split, questions)}"
    try:
        fitted = TfidfClassifier("query", language=split.language).fit(train_pool, train_gold)
        held_out = _held_out(train_pool, train_gold, split.language)
        note = note.format("TF-IDF and a linear classifier of the statement alone")
        note += f"; {held_out.note_on_frequency()}"
    except ColieeError as error:
        fitted = MajorityAnswer().fit(train_pool, train_gold)
        held_out = HeldOutAnswers(more_frequent_answer(train_gold), train_gold)
        note = note.format("majority") + f" ({error})"
    return QuestionAnswers(TopK(1)(fitted(_pool(questions))), held_out, note)


def _pool(split: Split) -> pd.DataFrame:
    return CandidatePool(split.id)(topics(split))


def _pool_of_texts(split: Split, with_articles: bool) -> pd.DataFrame:
    """Return the pools with the text to classify as query: the statement, with or without its articles, or the case."""

    def text(query: Any) -> str:
        statement: str = query.statement if split.exam_years else query.dispute
        return f"{statement}\n{query.t1}" if with_articles else statement

    texts = [(query.query_id, text(query)) for query in ir_datasets.load(f"{split.id}/full").queries_iter()]
    return CandidatePool(split.id)(pd.DataFrame(texts, columns=["qid", "query"]))


def classify_claims(split: Split, training: TrainingData) -> list[BaselineRun]:
    """Accept the claims of a tort instance by a TF-IDF classifier.

    Parameters
    ----------
    split : Split
        A split of rationale extraction.
    training : TrainingData
        The labelled instances.

    Returns
    -------
    list of BaselineRun
        The run ``tfidf``: claims whose probability of being accepted is at least 0.5.

    Raises
    ------
    MissingExtraError
        If scikit-learn is not installed.
    MissingReleaseError
        If files are missing.
    """
    train, gold = training.split, training.qrels()
    train_pool, pool = (_claim_pool(each) for each in (train, split))

    def accept(labelled: pd.DataFrame, labels: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
        classifier = TfidfClassifier("text", language=split.language).fit(labelled, labels)
        return ThresholdCutoff(_ACCEPTED_FROM)(classifier(candidates))

    accepted = accept(train_pool, gold, pool)
    note = f"fitted on {train.id}{optimism_note(train, split)}; accepts claims with a probability >= {_ACCEPTED_FROM}"

    def compare() -> str:
        held_out = held_out_answers(train_pool, gold, accept)
        of_all = train_pool[train_pool["qid"].isin(held_out.gold["qid"])]
        return held_out.note(TASK_EVALUATIONS[split.task].measure, "all claims accepted", of_all.assign(score=1.0))

    return [with_chance(BaselineRun("tfidf", accepted, None, [note]), compare)]


def _claim_pool(split: Split) -> pd.DataFrame:
    claims = [(claim.doc_id, claim.text) for claim in ir_datasets.load(split.id).docs_iter()]
    return _pool(split).merge(pd.DataFrame(claims, columns=["docno", "text"]), on="docno")


# Task 4 by alignment: statements are compared with the articles that they are judged by.


_RETRIEVED = "features of the train statements with retrieved articles"
_COMPARED = 40  # features of the alignment, which are compared with those of the siblings

ALIGNMENT = Recipe(
    "alignment",
    learners=(
        LogisticLearner(c=0.003, signed_log=False, without=("siblings",)),
        BoostedLearner(num_iterations=120, learning_rate=0.03, num_leaves=6, min_data_in_leaf=20, seeds=3),
    ),
    cut=GivenCutoff(TopK(1)),  # the more probable answer
    measure=AnswerAccuracy,
)


class AnswerBlock(QueryBlock):
    """Statements with one row each, of the candidate Y, whose probability decides between Y and N."""

    def run(self, probabilities: Floats) -> pd.DataFrame:
        """Return both answers of each statement: ``qid``, ``docno``, ``score``, ``text_id`` and ``rank``."""
        qids = self.table.qids
        answers = [
            pd.DataFrame({"qid": qids, "docno": docno, "score": scores, "text_id": docno})
            for docno, scores in (("N", 1 - probabilities), ("Y", probabilities))
        ]
        return sort_results(pd.concat(answers, ignore_index=True))


class StatementBaseline(LearnedBaseline):
    """Task 4: statements are compared with the articles that they are judged by.

    The recipe was developed for this package; its lists of cue words are not tuned. It is the mean of a logistic
    regression and of gradient boosting over features of the alignment, answers of similar past statements, and cue
    words. Gradient boosting also has the difference of a statement's alignment from the mean of its siblings, the other
    questions of the same exam and number. In a train split, each exam year is answered by a model fitted on the others.

    Parameters
    ----------
    split, training, pool_features
        As of `LearnedBaseline`.
    retrieved : mapping of str to str, optional
        The texts of the articles that a statement is answered from, by its id, of the split and of the held-out train
        statements; a model is fitted on train statements with their gold articles nevertheless, so that the labels of a
        held-out year are not in what others learn from. None: the gold articles.

    Raises
    ------
    InsufficientTrainingDataError
        If the statements to answer have no articles.
    """

    tag = "alignment"
    recipe = ALIGNMENT

    def __init__(
        self,
        split: Split,
        training: TrainingData,
        *,
        pool_features: bool = True,
        retrieved: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(split, training, pool_features=pool_features)
        self.retrieved = retrieved
        if not self._asked["text"].str.strip().any():
            raise InsufficientTrainingDataError(f"{split.id} has no articles with its statements")

    @property
    def parameters(self) -> tuple[object, ...]:
        """The articles that are retrieved."""
        return (*self.retrieved.items(),) if self.retrieved else ()

    @property
    def group(self) -> str:
        """What is held out together."""
        return "exam year" if {*self._groups} == {exam_id(qid).year for qid in self._train["qid"]} else "fifth"

    def train_blocks(self) -> list[AnswerBlock]:
        """Return the train statements: one block per exam year, or five if there are not several years."""
        aligned = to_answer = self._features("features of the train statements", self._train, self.training)
        if self.retrieved is not None:
            statements = self._with_retrieved(self._train)
            to_answer = self._features(_RETRIEVED, statements, self.training, *self.parameters)
        return [
            self._block(name, aligned.of_queries(qids), to_answer.of_queries(qids))
            for name, qids in self._groups.items()
        ]

    def block(self) -> AnswerBlock:
        """Return the statements of the split to answer, which is not the train split."""
        table = self._features("features of the statements", self._asked, self.split, *self.parameters)
        return self._block(self.split.name, table, table)

    def run(self) -> BaselineRun:
        """Answer the statements, with a note that compares the answers to held-out train statements with chance."""
        run, held_out = self.answered()
        return with_chance(BaselineRun(self.tag, run.answers, None, run.notes), held_out.note_on_frequency)

    def answered(self) -> tuple[BaselineRun, HeldOutAnswers]:
        """Return the run with its ranking of both answers, and the answers to held-out train statements."""
        run = super().run()
        assert run.train_ranking is not None
        return run, HeldOutAnswers(TopK(1)(run.train_ranking), self.training.qrels())

    def _features(
        self, stage: str, statements: pd.DataFrame, data: Split | TrainingData, *parameters: object
    ) -> FeatureTable:
        return kept_table(stage, lambda: alignment_table(statements, self.split.language), [data], *parameters)

    def _block(self, name: str, to_learn_from: FeatureTable, to_answer: FeatureTable) -> AnswerBlock:
        """Return a block; its gold articles are labels, so it is answered without them while it is held out."""
        past_names = PastAnswerFeatures(self.split.language).feature_names

        def with_past(left_out: frozenset[str] = frozenset()) -> FeatureTable:
            table, values = to_answer if name in left_out else to_learn_from, self._past(left_out)
            columns = np.array([values[qid] for qid in table.qids]).T
            return table.with_features(dict(zip(past_names, columns)))

        return AnswerBlock(name, with_past(), table_without=with_past)

    def _with_retrieved(self, statements: pd.DataFrame) -> pd.DataFrame:
        assert self.retrieved is not None
        return statements.assign(text=[self.retrieved.get(qid, "") for qid in statements["qid"]])

    @cached_property
    def _train(self) -> pd.DataFrame:
        return self.training.load(statements_with_articles)

    @cached_property
    def _asked(self) -> pd.DataFrame:
        if self.retrieved is None:
            return statements_with_articles(self.split)
        return self._with_retrieved(topics(self.split).assign(docno="Y"))

    @cached_property
    def _groups(self) -> dict[str, list[str]]:
        return held_out_groups(self._train["qid"].tolist())

    @cached_property
    def _past(self) -> Callable[[frozenset[str]], dict[str, Floats]]:
        """Compute the answers of past statements for each statement, without the labels of some blocks."""
        train, gold = self._train, self.training.qrels()
        everything = pd.concat([train, self._asked], ignore_index=True).drop_duplicates("qid")

        @cache
        def past(left_out: frozenset[str]) -> dict[str, Floats]:
            unused = [qid for name in left_out for qid in self._groups[name]]
            fitted = PastAnswerFeatures(self.split.language).fit(train[~train["qid"].isin(unused)], gold)
            found = fitted(everything)
            return dict(zip(found["qid"], found["features"]))

        return past


def statements_with_articles(split: Split) -> pd.DataFrame:
    """Read statements of task 4: ``qid``, ``query``, ``text`` (the articles), and ``docno``, which is Y."""
    rows = [(q.query_id, q.statement, q.t1, "Y") for q in ir_datasets.load(f"{split.id}/full").queries_iter()]
    return pd.DataFrame(rows, columns=["qid", "query", "text", "docno"])


def alignment_table(statements: pd.DataFrame, language: str) -> FeatureTable:
    """Compute the features of statements without labels, each exam year by itself.

    These are `AlignmentFeatures`, and in the family ``siblings`` the first 40 of them minus their mean over the other
    questions of the same exam and number, 0 without such questions.
    """
    features = AlignmentFeatures(language)
    names = features.feature_names
    years = statements["qid"].map(lambda qid: exam_id(qid).year)
    tables = []
    for _, rows in statements.groupby(years.to_numpy(), sort=False):
        values = feature_matrix(features(rows))
        groups = ExamQuestions.of(rows["qid"].tolist()).groups
        compared = values[:, :_COMPARED]
        differences = np.where(group_sizes(groups)[:, None] > 1, compared - sibling_means(compared, groups), 0.0)
        siblings = {f"siblings.{name}": column for name, column in zip(names, differences.T)}
        columns = dict(zip(names, values.T)) | siblings
        tables.append(FeatureTable.of(rows["qid"].tolist(), rows["docno"].tolist(), columns))
    return FeatureTable.concatenated(tables)


# Runs for the measure of 2026: questions count that are rightly answered and whose relevant articles are all returned.
# Superfluous articles cost nothing but ties, so a run has more of them than is best for F2.


#: The tag of the run that is cut for F2.
SHORT = "learnedF2"


@dataclass(frozen=True, eq=False)
class GatedQuestions:
    """Train questions, ranked and answered by models of other exam years, as the measure of 2026 counts them.

    Attributes
    ----------
    qids : list of str
        The questions that have relevant articles.
    right : bool array of shape (questions,)
        Whether the answer is right.
    found : bool array of shape (questions, depth)
        Whether all relevant articles are among the first 1, 2, 3, … articles.
    f2 : float64 array of shape (questions, depth)
        The F2 of these articles.

    Examples
    --------
    >>> found = np.array([[False, True, True], [True, True, True]])
    >>> f2 = np.array([[0.0, 0.5, 0.4], [1.0, 0.5, 0.4]])
    >>> questions = GatedQuestions(["R98-1-A", "R99-1-A"], np.array([True, True]), found, f2)
    >>> questions.best_number(), questions.held_out_numbers().tolist()
    (2, [1, 2])
    """

    qids: list[str]
    right: Booleans
    found: Booleans
    f2: Floats

    @classmethod
    def of(cls, ranking: pd.DataFrame, gold: pd.DataFrame, answers: HeldOutAnswers) -> GatedQuestions:
        """Return the questions of the gold, whose articles are ranked and which are answered with Y or N."""
        encoded = encode_run(ranking, gold)
        found = encoded.hits[:, 1:] == encoded.relevant[:, None]
        f2, _ = encoded.terms_at_each_depth(MacroF2)
        return cls(encoded.queries, answers.are_right(encoded.queries), found, f2[:, 1:])

    def best_number(self, rows: Booleans | slice = slice(None)) -> int:
        """Return the number of articles with the best gated accuracy on some questions; of equal ones, the best F2."""
        gated = (self.found & self.right[:, None])[rows].sum(axis=0)
        return 1 + index_of_best(np.where(gated == gated.max(), self.f2[rows].mean(axis=0), -1.0))

    def held_out_numbers(self) -> Integers:
        """Return for each question the number of articles that is best on the other exam years, if there are any."""
        years = np.array([exam_id(qid).year for qid in self.qids], dtype=object)
        others = {year: years != year for year in years}
        best = {year: self.best_number(rows if rows.any() else slice(None)) for year, rows in others.items()}
        return np.array([best[year] for year in years], dtype=np.int64)

    def counted(self, numbers: Integers) -> Booleans:
        """Return whether each question counts if as many articles of each are returned."""
        return self.right & self.found[np.arange(len(numbers)), numbers - 1]

    def figures(self, numbers: Integers) -> str:
        """Return the gated accuracy, its two parts and F2 of as many articles of each question."""
        cells = np.arange(len(numbers)), numbers - 1
        return (
            f"GatedAccuracy {self.counted(numbers).mean():.4f} (answers right {self.right.mean():.4f}, all relevant "
            f"articles found {self.found[cells].mean():.4f}), MacroF2 {self.f2[cells].mean():.4f}"
        )


def gated_runs(
    split: Split, training: TrainingData, runs: Sequence[BaselineRun], of_statements: QuestionAnswers
) -> list[BaselineRun]:
    """Answer the questions of rankings, and cut these by the measure of 2026.

    Parameters
    ----------
    split : Split
        A split of task 3 of an edition that asks for answers.
    training : TrainingData
        The labelled questions.
    runs : sequence of BaselineRun
        The run ``bm25``, and the run ``learned`` if there is one.
    of_statements : QuestionAnswers
        The answers from the statements alone.

    Returns
    -------
    list of BaselineRun
        ``bm25``, with these answers; of ``learned`` a run as short as is best for F2, see `SHORT`, and itself. They are
        answered from the articles of the short run, unless held-out train questions are more often answered rightly
        from the statement alone.
    """
    bm25, *others = runs
    found = [_cut(bm25, split, training, of_statements)]
    for learned in others:
        assert learned.train_ranking is not None
        train_short = CUTOFF(learned.train_ranking[learned.train_ranking["score"] >= 0])
        answers = _answers(split, training, learned.answers, train_short, of_statements)
        questions = GatedQuestions.of(learned.train_ranking, training.qrels(), answers.held_out)
        sizes = train_short.groupby("qid").size()[questions.qids].to_numpy(np.int64)
        note = f"cut for F2; held-out exam years: {questions.figures(sizes)}"
        found.append(BaselineRun(SHORT, learned.answers, None, [*learned.notes, note], labels=answers.labels))
        found.append(_cut(learned, split, training, answers))
    return found


def _cut(run: BaselineRun, split: Split, training: TrainingData, answers: QuestionAnswers) -> BaselineRun:
    """Return a run with answers and with as many articles as are best by the measure of 2026."""
    assert run.ranking is not None
    assert run.train_ranking is not None
    questions = GatedQuestions.of(run.train_ranking, training.qrels(), answers.held_out)
    numbers, cutoff = questions.held_out_numbers(), TopK(questions.best_number())
    note = (
        f"cut-off {cutoff}, chosen on {training} by GatedAccuracy, of equal ones by MacroF2; held-out exam years: "
        f"{questions.figures(numbers)}{held_out_note(training.split, split, 'exam year')}"
    )
    return run._replace(
        answers=cutoff(run.ranking),
        labels=answers.labels,
        notes=[note, answers.note],
        warnings=[*run.warnings, *([answers.note] if "not above chance" in answers.note else [])],
        train_value=float(questions.counted(numbers).mean()),
    )


def _answers(
    split: Split, training: TrainingData, short: pd.DataFrame, train_short: pd.DataFrame, of_statements: QuestionAnswers
) -> QuestionAnswers:
    """Return the answers from the articles of short runs, or those of the statements if these are more often right."""
    of_answers = replace(training, split=answers_split(training.split))
    retrieved = retrieved_texts(split, pd.concat([train_short, short]).drop_duplicates(["qid", "docno"]))
    try:
        run, held_out = StatementBaseline(answers_split(split), of_answers, retrieved=retrieved).answered()
    except InsufficientTrainingDataError as error:
        return of_statements._replace(note=f"{of_statements.note}; not by alignment: {error}")
    note = "answers Y and N by alignment of the statements with the retrieved articles, fitted on gold articles of "
    note += f"{of_answers}; {held_out.note_on_frequency()}"
    rights = [each.are_right(of_answers.topics()["qid"].tolist()).mean() for each in (held_out, of_statements.held_out)]
    if rights[0] < rights[1]:
        taken = f"the statement alone is more often answered rightly ({rights[1]:.3f}) and decides"
        return of_statements._replace(note=f"{note}; {taken}")
    return QuestionAnswers(run.answers, held_out, note)


def retrieved_texts(split: Split, run: pd.DataFrame) -> dict[str, str]:
    """Return the texts of the articles that are retrieved for each question, the best one first."""
    collection = ArticleCollection.of(split.id)
    text_of = {article.doc_id: article.text for article in collection.articles}
    texts = run.sort_values("rank", kind="stable").groupby("qid")["docno"]
    return {str(qid): "\n".join(map(text_of.__getitem__, docnos)) for qid, docnos in texts}
