"""Ask a language model each question once and store the replies, so that an interrupted run can be continued."""

from __future__ import annotations

from collections.abc import Iterable

from ir_coliee.errors import ColieeError
from ir_coliee.models.language_models.language_model import (
    LanguageModel,
    Question,
    Reply,
    has_answer,
    is_valid,
    shown_model,
)
from ir_coliee.models.stores.reply_store import ReplyStore
from ir_coliee.progress import steps


def get_replies(
    model: LanguageModel,
    questions: Iterable[Question],
    store: ReplyStore | None = None,
    *,
    verbose: bool = False,
    description: str = "asking",
) -> dict[Question, Reply]:
    """Return a reply to each question, from the store if possible and otherwise from the model.

    Parameters
    ----------
    model : LanguageModel
        The model to ask.
    questions : iterable of Question
        The questions. Repeated questions are asked once.
    store : ReplyStore, optional
        Questions with a stored reply are not asked again. Each new reply is stored as soon as it arrives, unless it is
        blank or was cut off at the token limit before its answer: the question is then asked again in the next call.
    verbose : bool
        Whether to show progress.
    description : str
        What the progress is of.

    Returns
    -------
    dict of Question to Reply
        One entry for each distinct question.

    Raises
    ------
    ColieeError
        If the model does not reply to a question, or returns an invalid reply. Errors of the model are raised
        unchanged. Replies that arrived before the error are in the store.
    """
    distinct = list(dict.fromkeys(questions))
    found = store.find(model.identity, distinct) if store else {}
    missing = [question for question in distinct if question not in found]
    if found:
        description += f", {len(found)} replies found"
    with steps(description, total=len(distinct), done=len(found), unit="prompts", verbose=verbose) as advance:

        def on_reply(question: Question, reply: Reply) -> None:
            _check_reply(reply, model)
            if store and has_answer(reply):
                store.add(model.identity, question, reply)
            found[question] = reply
            advance()

        if missing:
            model.ask(missing, on_reply)
    if (unanswered := sum(question not in found for question in distinct)) > 0:
        raise ColieeError(f"{shown_model(model)} did not answer {unanswered} of {len(distinct)} questions.")
    return found


def _check_reply(reply: Reply, model: LanguageModel) -> None:
    if not is_valid(reply):
        raise ColieeError(
            f"{shown_model(model)} returned an invalid reply.\nIts text is of type {type(reply.text).__name__} "
            f"and its yes is {reply.yes!r}; expected a string, and None or a number in [0, 1]."
        )
