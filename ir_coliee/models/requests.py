"""Questions to a language model, each asked once: what it replied is kept, and a run that was stopped goes on."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Real

import pyterrier as pt

from ir_coliee.errors import ColieeError, printable
from ir_coliee.models.language_model import LanguageModel, Question, Reply
from ir_coliee.models.reply_store import ReplyStore
from ir_coliee.progress import progress_bar_options


def get_replies(
    model: LanguageModel, questions: Iterable[Question], kept: ReplyStore | None = None, *, verbose: bool = False
) -> dict[Question, Reply]:
    """The reply to each question. Those that are kept are not asked again; each new one is kept when it comes.

    Raises what the model raises, and `ColieeError` where it leaves a question without a reply or replies with what is
    none; what was answered until then is kept.
    """
    asked = list(dict.fromkeys(questions))
    found = kept.known(model.identity, asked) if kept else {}
    missing = [question for question in asked if question not in found]
    with pt.tqdm(total=len(asked), initial=len(found), desc="asking", unit="question", **progress_bar_options(verbose)) as bar:

        def heard(question: Question, reply: Reply) -> None:
            _check(reply, model.identity)
            if kept:
                kept.keep(model.identity, question, reply)
            found[question] = reply
            bar.update()

        if missing:
            model.ask(missing, heard)
    if (left := sum(question not in found for question in asked)) > 0:
        raise ColieeError(f"{left} of {len(asked)} questions were not answered by {printable(model.identity)}.")
    return found


def _check(reply: Reply, identity: str) -> None:
    weighed = isinstance(reply.yes, Real) and 0 <= reply.yes <= 1
    if not isinstance(reply.text, str) or not (reply.yes is None or weighed):
        raise ColieeError(
            f"{printable(identity)} has given a reply whose text is of the type {type(reply.text).__name__}, and yes "
            f"{reply.yes!r}; a string is needed, and None or a number from 0 to 1."
        )
