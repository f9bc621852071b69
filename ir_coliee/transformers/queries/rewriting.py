"""Rewriting of texts by a language model, such as summaries of articles and cases or reformulated queries."""

from __future__ import annotations

from ir_coliee.models.language_models.language_model import LanguageModel, Question
from ir_coliee.models.language_models.requests import get_replies
from ir_coliee.models.stores.reply_store import ReplyStore
from ir_coliee.text.templates import Conversation, Turn
from ir_coliee.transformers.queries.text_transformer import TextTransformer


class RewriteText(TextTransformer):
    """Replace each text by the reply of a language model: Q to Q, D to D, R to R.

    Each distinct text is sent once. A text is not changed if it or the reply is blank.

    Parameters
    ----------
    model : LanguageModel
        A `ir_coliee.models.LocalModel`, a `ir_coliee.models.ServedModel`, or any object with their interface.
    instruction : str, default ""
        The instruction, which is sent before the text. A model that was trained for one task needs none.
    on : str, optional, default "text"
        The column to rewrite. None rewrites ``query`` and ``text``.
    reply_store : ReplyStore, optional
        A file in which replies are stored, so that an interrupted run can continue.
    verbose : bool, default False
        Whether to show progress.

    Examples
    --------
    >>> import pandas as pd
    >>> from ir_coliee.models import Reply
    >>> class Brief:
    ...     identity = "brief"
    ...     def ask(self, questions, on_reply):
    ...         for question in questions:
    ...             on_reply(question, Reply("A lamp shines."))
    >>> article = pd.DataFrame({"docno": ["1"], "text": ["A lamp is a movable that shines, whoever has lit it."]})
    >>> RewriteText(Brief(), "Say it in short:")(article).text.tolist()
    ['A lamp shines.']
    """

    LABEL = "Rewrite text"

    def __init__(
        self,
        model: LanguageModel,
        instruction: str = "",
        *,
        on: str | None = "text",
        reply_store: ReplyStore | None = None,
        verbose: bool = False,
    ) -> None:
        self.model = model
        self.instruction = instruction
        self.reply_store = reply_store
        self.verbose = verbose
        super().__init__(on=on)

    def all_changed(self, texts: list[str]) -> dict[str, str]:
        """Return the model's reply to each of several distinct texts."""
        questions = {text: Question(Conversation([Turn("user", self._prompt(text))])) for text in texts if text.strip()}
        replied = get_replies(self.model, questions.values(), self.reply_store, verbose=self.verbose)
        rewritten = {text: replied[question].text.strip() for text, question in questions.items()}
        return {text: rewritten.get(text) or text for text in texts}

    def _prompt(self, text: str) -> str:
        return "\n\n".join(filter(None, (self.instruction, text)))
