"""Texts in a language model's words: summaries of articles and cases, other words for a query."""

from __future__ import annotations

from ir_coliee.models.asking import replies
from ir_coliee.models.kept_replies import KeptReplies
from ir_coliee.models.questions import LanguageModel, Question
from ir_coliee.text.templates import Turn
from ir_coliee.transformers.queries.texts import TextTransformer


class Rewritten(TextTransformer):
    """Puts what a model replies to a text in the text's place: Q to Q, D to D, R to R.

    ``model``: a `ir_coliee.models.LocalModel`, a `ir_coliee.models.ServedModel`, or anything that
    replies. ``instruction``: what it is asked to do; the text stands below. A model that does one thing needs none.
    ``on``: the column that is rewritten; None stands for ``query`` and ``text``. ``kept``: a file of replies, so that a
    stopped run goes on. ``verbose``: a progress bar.

    Each different text is asked about once. A blank text stays, and one to which the reply is blank.

    >>> import pandas as pd
    >>> from ir_coliee.models import Reply
    >>> class Brief:
    ...     identity = "brief"
    ...     def ask(self, questions, heard):
    ...         for question in questions:
    ...             heard(question, Reply("A lamp shines."))
    >>> article = pd.DataFrame({"docno": ["1"], "text": ["A lamp is a movable that shines, whoever has lit it."]})
    >>> Rewritten(Brief(), "Say it in short:")(article).text.tolist()
    ['A lamp shines.']
    """

    LABEL = "Rewritten"

    def __init__(
        self,
        model: LanguageModel,
        instruction: str = "",
        *,
        on: str | None = "text",
        kept: KeptReplies | None = None,
        verbose: bool = False,
    ) -> None:
        self.model = model
        self.instruction = instruction
        self.kept = kept
        self.verbose = verbose
        super().__init__(on=on)

    def all_changed(self, texts: list[str]) -> dict[str, str]:
        """TextTransformer.all_changed"""
        asked = {text: Question((Turn("user", self._asked(text)),)) for text in texts if text.strip()}
        said = replies(self.model, asked.values(), self.kept, verbose=self.verbose)
        written = {text: said[question].text.strip() for text, question in asked.items()}
        return {text: written.get(text) or text for text in texts}

    def _asked(self, text: str) -> str:
        return "\n\n".join(filter(None, (self.instruction, text)))
