"""The prompts of a language model on a pair, with its stored replies."""

from __future__ import annotations

import pandas as pd

from ir_coliee.analysis.evidence.pair import Pair
from ir_coliee.analysis.evidence.record import Evidence
from ir_coliee.display import MarkedText
from ir_coliee.transformers.answers.prompting import Entailment, QuestionText, YesNoPrompting, reply_answer


def judge_replies(pair: Pair, judge: YesNoPrompting) -> Evidence | None:
    """Look up what a language model was asked about a pair, and what it replied.

    Parameters
    ----------
    pair : Pair
        A query and an item of any task.
    judge : Entailment or CandidateEntailment
        The transformer with the model, the template and the reply store of the run. The model is not asked. For
        `Entailment`, the text of the question is that of the articles of task 4; for `CandidateEntailment`, it is that
        of the item.

    Returns
    -------
    Evidence or None
        A row for each reply with the answer that was read from it, and each prompt with its reply. None if the store
        has no reply, as for a question that was asked with another text.
    """
    text = getattr(pair.query, "t1", "") if isinstance(judge, Entailment) else pair.item_text
    replies = judge.stored_replies(QuestionText(pair.query_id, pair.query_text, text))
    if not replies:
        return None
    rows = [[question.sample, reply.yes, reply_answer(reply) or ""] for question, reply in replies.items()]
    texts = [
        (f"[{role}]", MarkedText(content))
        for question, reply in replies.items()
        for role, content in (*question.conversation, ("reasoning", reply.reasoning), ("reply", reply.text))
        if content or role == "reply"
    ]
    return Evidence(
        "judge_replies",
        "Replies of a language model",
        {"model": judge.model.identity, "template": judge.template},
        pd.DataFrame(rows, columns=["sample", "yes", "answer"]),
        tuple(texts),
    )
