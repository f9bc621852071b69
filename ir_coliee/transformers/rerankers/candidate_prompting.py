"""Base class of the transformers that show a language model several candidates of a query in one prompt."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, ColieeWarning, printable, printable_list
from ir_coliee.frames import check_ids, integer_at_least, sort_results, text_values
from ir_coliee.models.language_models.language_model import HasWindow, LanguageModel, Question, shown_model
from ir_coliee.models.language_models.requests import get_replies
from ir_coliee.models.stores.reply_store import ReplyStore
from ir_coliee.text.reply_lists import Refused
from ir_coliee.text.templates import template as template_of
from ir_coliee.transformers.base import BaseTransformer

T = TypeVar("T")

_LETTER = "\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff"  # of Japanese, which does not separate words
_WORD = re.compile(rf"[{_LETTER}]|[^\s{_LETTER}]+")
_NUMBER = re.compile(r"[\[【]([0-9０-９]{1,9})[\]】]")
_TRUNCATED = Refused("it was cut off at the token limit")


class CandidateGroup(NamedTuple):
    """Candidates that one prompt shows.

    Attributes
    ----------
    qid : str
        The id of the query.
    query : str
        The text of the query.
    texts : tuple of str
        The texts of the candidates, in the order of their numbers, which begin at 1.
    """

    qid: str
    query: str
    texts: tuple[str, ...]


class CandidatePrompting(BaseTransformer):
    """Base class: ask a language model about numbered candidates. See `ListwiseReranker` for the parameters."""

    def __init__(
        self, model: LanguageModel, template: str, *, words: int, reply_store: ReplyStore | None, verbose: bool
    ) -> None:
        template_of(template)  # raises for an unknown template
        self.model = model
        self.template = template
        self.words = integer_at_least("words", words, 1)
        self.reply_store = reply_store
        self.verbose = verbose

    def _candidates(self, inp: pd.DataFrame) -> tuple[pd.DataFrame, list[CandidateGroup]]:
        """Return the results in their order, and all candidates of each query with shortened texts."""
        pt.validate.columns(inp, includes=["qid", "query", "docno", "text", "score"], context=self)
        check_ids(inp)
        results = sort_results(inp)
        queries, texts = text_values(results, "query"), text_values(results, "text")
        shortened = [leading_part(text, self.words) for text in texts]
        docnos = [docno for docno, text, part in zip(results["docno"], texts, shortened) if len(part) < len(text)]
        if docnos:
            self._warn(f"{len(docnos)} of {len(texts)} candidates were shortened to {self.words} words", docnos)
        groups = [
            CandidateGroup(str(qid), queries[rows[0]], tuple(shortened[row] for row in rows))
            for qid, rows in results.groupby("qid", sort=False).indices.items()
        ]
        return results, groups

    def _ask(self, groups: Sequence[CandidateGroup], read: Callable[[str, int], T | Refused]) -> list[T | Refused]:
        """Ask about all groups at once, and read each reply."""
        questions = [self._question(group) for group in groups]
        replies = get_replies(self.model, questions, self.reply_store, verbose=self.verbose)
        return [
            _TRUNCATED if replies[question].truncated else read(replies[question].text, len(group.texts))
            for question, group in zip(questions, groups)
        ]

    def _question(self, group: CandidateGroup) -> Question:
        template = template_of(self.template)
        conversation = template.conversation(group.query, numbered(group.texts), num=len(group.texts))
        if isinstance(self.model, HasWindow) and not self.model.fits(conversation):
            raise ColieeError(
                f"Query {printable(group.qid)} with {len(group.texts)} candidates exceeds the model's window.\n"
                f"The model is {shown_model(self.model)}. Show fewer candidates, or fewer words of each, in one "
                "prompt, or use a model with a longer window."
            )
        return Question(conversation, schema=template.schema)

    def _warn_refused(self, refused: Sequence[tuple[str, Refused]], num_asked: int, consequence: str) -> None:
        """Warn about replies that were refused, with the ids of their queries."""
        if refused:
            reasons = "; ".join(dict.fromkeys(problem.reason for _, problem in refused))
            what = f"{len(refused)} of {num_asked} replies could not be read (reason: {reasons}), so {consequence}"
            self._warn(what, [*dict.fromkeys(qid for qid, _ in refused)])

    def _warn(self, what: str, ids: Sequence[str]) -> None:
        warnings.warn(f"{self.LABEL}: {what}: {printable_list([*map(str, ids)])}.", ColieeWarning, stacklevel=4)


def numbered(texts: Sequence[str]) -> str:
    """Write texts one below the other, each after its number in brackets.

    Numbers in brackets within the texts, such as those of paragraphs, get other brackets, as in RankLLM, so that a
    model does not take them for those of candidates.

    Examples
    --------
    >>> print(numbered(["[12] The lamp is lit.", "A gate."]))
    [1] (12) The lamp is lit.
    [2] A gate.
    """
    shown = (_NUMBER.sub(r"(\1)", text).strip() for text in texts)
    return "\n".join(f"[{number}] {text}" for number, text in enumerate(shown, start=1))


def leading_part(text: str, words: int) -> str:
    """Return a text up to a number of words. In Japanese, whose words are not separated, each letter is a word.

    Examples
    --------
    >>> leading_part("The lamp, at the gate", 2), leading_part("門番は灯を持つ。", 3)
    ('The lamp,', '門番は')
    """
    found = None
    for number, found in enumerate(_WORD.finditer(text), start=1):  # noqa: B007 the last one counts
        if number > words:
            break
    else:
        return text
    return text[: found.start()].rstrip()
