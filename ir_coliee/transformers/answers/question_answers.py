"""The correct answers of questions, for training."""

from __future__ import annotations

import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, InsufficientTrainingDataError, printable
from ir_coliee.text.yes_no import Answer
from ir_coliee.transformers.answers.votes import ANSWER_OF_DOCUMENT
from ir_coliee.transformers.training_labels import answers_by_query, relevant_pairs


def question_answers(topics: pd.DataFrame, qrels: pd.DataFrame, context: pt.Transformer) -> dict[str, Answer]:
    """Return the correct answers of the questions of a frame that the qrels answer, by qid.

    Parameters
    ----------
    topics : pandas.DataFrame
        Questions with the column qid.
    qrels : pandas.DataFrame
        The columns qid, docno (Y or N, in the pilot True or False) and label.
    context : pyterrier.Transformer
        The transformer that is fitted, for messages.

    Raises
    ------
    ColieeError
        If a question has two answers, or another one.
    InsufficientTrainingDataError
        If not both answers occur.
    """
    relevant = relevant_pairs(qrels, context)
    named = answers_by_query(relevant[relevant["qid"].isin(topics["qid"])])
    if (unknown := ~named.isin(ANSWER_OF_DOCUMENT).to_numpy()).any():
        qid = printable(str(named.index[int(unknown.argmax())]))
        raise ColieeError(f"Query {qid}: its answer in the qrels must be Y or N, or True or False in the pilot.")
    answers = {str(qid): ANSWER_OF_DOCUMENT[docno] for qid, docno in named.items()}
    if len({*answers.values()}) < 2:
        raise InsufficientTrainingDataError(
            f"The {len(answers)} answers are not of both kinds; training needs questions with yes and with no."
        )
    return answers
