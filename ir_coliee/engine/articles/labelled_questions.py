"""Labelled questions: texts, exams and relevant articles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine.articles.exams import ExamQuestions


@dataclass(frozen=True, eq=False)
class LabelledQuestions:
    """Questions with a relevant article.

    Attributes
    ----------
    texts : list of str
        Texts of the questions.
    exams : ExamQuestions
        Their exam years and numbers.
    relevant : csr_matrix, questions x articles
        1 for each relevant article.
    docnos : object array
        Numbers of the articles.
    """

    texts: list[str]
    exams: ExamQuestions
    relevant: sparse.csr_matrix
    docnos: npt.NDArray[np.object_]

    @classmethod
    def of(
        cls, questions: Mapping[str, str], gold: Iterable[tuple[str, str]], docnos: Sequence[str]
    ) -> LabelledQuestions:
        """Labelled questions among the given ones.

        Parameters
        ----------
        questions : mapping from str to str
            Texts by query id.
        gold : iterable of pairs of str
            Query id and number of the article of each relevant article. Other questions and articles that the
            collection lacks are ignored.
        docnos : sequence of str
            Numbers of the articles in the order of the code.

        Examples
        --------
        >>> questions = {"R98-01-A": "A lamp.", "R98-01-I": "A gate."}
        >>> labelled = LabelledQuestions.of(questions, [("R98-01-I", "3"), ("R98-01-A", "724")], ["2", "3"])
        >>> labelled.texts, labelled.relevant.toarray().tolist()
        (['A gate.'], [[0.0, 1.0]])
        """
        column_of = {docno: column for column, docno in enumerate(docnos)}
        pairs = {(qid, column_of[docno]) for qid, docno in gold if qid in questions and docno in column_of}
        labelled = {qid for qid, _ in pairs}
        qids = [qid for qid in questions if qid in labelled]
        row_of = {qid: row for row, qid in enumerate(qids)}
        cells = np.array(sorted((row_of[qid], column) for qid, column in pairs), dtype=np.int64).reshape(-1, 2)
        relevant = sparse.csr_matrix((np.ones(len(cells)), (cells[:, 0], cells[:, 1])), shape=(len(qids), len(docnos)))
        return cls([questions[qid] for qid in qids], ExamQuestions.of(qids), relevant, np.array(docnos, dtype=object))
