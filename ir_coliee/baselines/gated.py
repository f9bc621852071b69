"""Runs for the measure of 2026: questions count that are rightly answered and whose relevant articles are all returned.

Superfluous articles cost nothing but ties, so a run has more of them than is best for F2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ir_coliee.baselines.answers import HeldOutAnswers, QuestionAnswers, StatementBaseline
from ir_coliee.baselines.articles import CUTOFF
from ir_coliee.baselines.training import BaselineRun, TrainingData, held_out_note
from ir_coliee.editions import Split
from ir_coliee.engine.articles.collection import ArticleCollection
from ir_coliee.errors import InsufficientTrainingDataError
from ir_coliee.evaluation.cutoffs import encode_run, index_of_best
from ir_coliee.evaluation.runs import answers_split
from ir_coliee.frames import Booleans, Floats, Integers
from ir_coliee.measures import MacroF2
from ir_coliee.text.statutes import exam_id
from ir_coliee.transformers import TopK

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
