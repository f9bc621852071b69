"""Questions to a language model, each asked once: what it replied is kept, and a run that was stopped goes on."""

from __future__ import annotations

from collections.abc import Iterable

import pyterrier as pt

from ir_coliee.language_models.kept_replies import KeptReplies
from ir_coliee.language_models.questions import LanguageModel, Question, Reply
from ir_coliee.progress import shown_if


def replies(
    model: LanguageModel, questions: Iterable[Question], kept: KeptReplies | None = None, *, verbose: bool = False
) -> dict[Question, Reply]:
    """The reply to each question. Those that are kept are not asked again; each new one is kept when it comes.

    Raises what the model raises; what was answered until then is kept.
    """
    asked = list(dict.fromkeys(questions))
    found = kept.known(model.identity, asked) if kept else {}
    missing = [question for question in asked if question not in found]
    with pt.tqdm(total=len(asked), initial=len(found), desc="asking", unit="question", **shown_if(verbose)) as bar:

        def heard(question: Question, reply: Reply) -> None:
            if kept:
                kept.keep(model.identity, question, reply)
            found[question] = reply
            bar.update()

        if missing:
            model.ask(missing, heard)
    return found
