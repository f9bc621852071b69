"""Transformers that show a language model several candidates in one prompt: listwise reranking, selection of a set."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd

from ir_coliee.errors import ColieeError, printable, printable_list, warn
from ir_coliee.frames import integer_at_least, sort_results, text_values
from ir_coliee.models.language_model import HasWindow, LanguageModel, Question, shown_model
from ir_coliee.models.replies import Permutation, Refused, read_permutation, read_selection
from ir_coliee.models.stores import ReplyStore, get_replies
from ir_coliee.models.templates import template as template_of
from ir_coliee.progress import progress
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.estimators import check_candidates

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
        self,
        model: LanguageModel,
        template: str,
        *,
        words: int = 300,
        reply_store: ReplyStore | None = None,
        verbose: bool = False,
    ) -> None:
        template_of(template)  # raises for an unknown template
        self.model = model
        self.template = template
        self.words = integer_at_least("words", words, 1)
        self.reply_store = reply_store
        self.verbose = verbose

    def _candidates(self, inp: pd.DataFrame) -> tuple[pd.DataFrame, list[CandidateGroup]]:
        """Return the results in their order, and all candidates of each query with shortened texts."""
        check_candidates(inp, self, "score")
        results = sort_results(inp)
        queries, texts = text_values(results, "query"), text_values(results, "text")
        shortened = [leading_part(text, self.words) for text in texts]
        docnos = [docno for docno, text, part in zip(results["docno"], texts, shortened) if len(part) < len(text)]
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

    def _warn_refused(self, replies: Sequence[tuple[str, object]], consequence: str) -> None:
        """Warn about replies that were refused, with the ids of their queries."""
        refused = [(qid, reply.reason) for qid, reply in replies if isinstance(reply, Refused)]
        reasons = "; ".join(dict.fromkeys(reason for _, reason in refused))
        what = f"{len(refused)} of {len(replies)} replies could not be read (reason: {reasons}), so {consequence}"
        self._warn(what, [qid for qid, _ in refused])

    def _warn(self, what: str, ids: Sequence[str]) -> None:
        """Warn with the different ids that it is about, if there are any."""
        if ids:
            warn(f"{self.LABEL}: {what}: {printable_list([*dict.fromkeys(map(str, ids))])}.")


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
    found = [*islice(_WORD.finditer(text), words + 1)]
    return text if len(found) <= words else text[: found[words].start()].rstrip()


# Listwise reranking by a language model.


class ListwiseReranker(CandidatePrompting):
    """Rerank candidates by a language model that sees a window of them and replies with their ranking: R to R.

    The window slides from the last candidates to the first, as in RankGPT [1]_, so that the best of a long list reach
    its top in one pass. The windows of all queries at the same place are asked together. A new score is the number of
    the query's candidates that rank lower, plus 1.

    The model sees the numbers 1, 2, … and not the ids of the candidates. Replies are read by
    `ir_coliee.models.replies.read_permutation`: candidates that a reply lacks keep their order at the end of the
    window. If a reply cannot be read with certainty, the window keeps its order.

    Parameters
    ----------
    model : LanguageModel
        A `ir_coliee.models.ServedModel` or `LocalModel`, or any object with its interface.
    template : str
        The name of one of `ir_coliee.models.templates`, or the path of a file. ``{text}`` is replaced by the
        candidates. ``rank.ja`` is for Japanese.
    window : int
        The number of candidates in a window, >= 2.
    stride : int
        By how many candidates a window moves, from 1 to ``window``.
    words : int
        The largest number of words of a candidate in a prompt. Of Japanese text, each letter counts as a word. A
        warning lists the candidates that were shortened.
    reply_store : ReplyStore, optional
        A file of replies, from which a stopped run continues.
    verbose : bool
        Whether to show progress.

    Warns
    -----
    ColieeWarning
        For replies that were refused, for numbers of no candidate, for candidates that replies lack, and for candidates
        that were shortened; each with the number of cases and ids.

    References
    ----------
    .. [1] W. Sun et al., Is ChatGPT good at search? Investigating large language models as re-ranking agents, EMNLP
       2023.

    Examples
    --------
    >>> from ir_coliee.models import Reply
    >>> class Backwards:
    ...     identity = "backwards"
    ...     def ask(self, questions, on_reply):
    ...         for question in questions:
    ...             on_reply(question, Reply("[3] > [2] > [1]"))
    >>> pool = pd.DataFrame({"qid": "900", "query": "It shines.", "docno": ["1", "2", "3"], "score": [9.0, 8.0, 7.0]})
    >>> ListwiseReranker(Backwards())(pool.assign(text=["A gate.", "A well.", "A lamp."])).docno.tolist()
    ['3', '2', '1']
    """

    LABEL = "Listwise reranker"

    def __init__(
        self, model: LanguageModel, template: str = "rank.en", *, window: int = 20, stride: int = 10, **options: Any
    ) -> None:
        super().__init__(model, template, **options)
        self.window = integer_at_least("window", window, 2)
        self.stride = integer_at_least("stride", stride, 1)
        if self.stride > self.window:
            raise ValueError(f"stride must be at most window={self.window}, got {self.stride}.")

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Rerank the candidates.

        Raises the errors of the model, and `ColieeError` for a text that is not a string and for a window of candidates
        that does not fit the model's context window.
        """
        results, queries = self._candidates(inp)
        orders = [[*range(len(query.texts))] for query in queries]
        starts = [window_starts(len(order), self.window, self.stride) for order in orders]
        replies: list[tuple[str, Permutation | Refused]] = []
        steps = range(max(map(len, starts), default=0))
        for step in progress(steps, "ranking in windows", unit="windows", verbose=self.verbose):
            windows = [
                (query, order, slice(at[step], at[step] + self.window))
                for query, order, at in zip(queries, orders, starts)
                if step < len(at)
            ]
            groups = [
                query._replace(texts=tuple(query.texts[place] for place in order[window]))
                for query, order, window in windows
            ]
            for (query, order, window), reply in zip(windows, self._ask(groups, read_permutation)):
                replies.append((query.qid, reply))
                if isinstance(reply, Permutation):
                    before = order[window]
                    order[window] = [before[number - 1] for number in reply.order]
        self._warn_about(replies)
        first_rows = np.cumsum([0, *map(len, orders)])
        rows = [first_row + place for first_row, order in zip(first_rows, orders) for place in order]
        scores = np.array([score for order in orders for score in range(len(order), 0, -1)], dtype=np.float64)
        reranked = results.iloc[rows].reset_index(drop=True)
        return reranked.assign(score=scores, rank=results["rank"])

    def _warn_about(self, replies: Sequence[tuple[str, Permutation | Refused]]) -> None:
        self._warn_refused(replies, "windows kept their order")
        read = [(qid, reply) for qid, reply in replies if isinstance(reply, Permutation)]
        for attribute, what in (
            ("num_unknown", "numbers of no candidate were left out of the replies"),
            ("num_missing", "candidates that replies lack were ranked last in their windows"),
        ):
            counts = [(qid, getattr(reply, attribute)) for qid, reply in read]
            self._warn(f"{sum(count for _, count in counts)} {what}", [qid for qid, count in counts if count])


def window_starts(number: int, window: int, stride: int) -> list[int]:
    """Return the first candidates of the windows, from the last window to the first; none for a single candidate.

    Examples
    --------
    >>> window_starts(45, 20, 10), window_starts(8, 20, 10), window_starts(1, 20, 10)
    ([25, 15, 5, 0], [0], [])
    """
    return [*range(number - window, 0, -stride), 0] if number > 1 else []


# Selection of an answer set among several candidates by a language model.


class SetSelection(CandidatePrompting):
    """Keep the candidates that a language model selects as those that entail the query: R to R.

    The model sees the candidates of a query together, with the numbers 1, 2, … and not with their ids. The rows of the
    selected candidates keep their scores. Replies are read by `ir_coliee.models.replies.read_selection`; a reply that
    cannot be read with certainty, or that has the number of no candidate, is refused and selects nothing.

    Parameters
    ----------
    model : LanguageModel
        A `ir_coliee.models.ServedModel` or `LocalModel`, or any object with its interface.
    template : str
        The name of one of `ir_coliee.models.templates`, or the path of a file. ``{text}`` is replaced by the
        candidates. ``select.ja`` is for task 3 in Japanese.
    group : int
        The largest number of candidates in a prompt, >= 1. More candidates are asked about in groups of this size, in
        the order of their ranks, and all selected ones are kept.
    min_items : int
        The smallest number of candidates that are kept, >= 0. If the model selects fewer, the best-ranked others are
        kept as well. A query with a refused reply keeps at least 1.
    words, reply_store, verbose
        As in `ListwiseReranker`.

    Warns
    -----
    ColieeWarning
        For replies that were refused and for candidates that were shortened, with the number of cases and ids.

    Examples
    --------
    >>> from ir_coliee.models import Reply
    >>> class Strict:
    ...     identity = "strict"
    ...     def ask(self, questions, on_reply):
    ...         for question in questions:
    ...             on_reply(question, Reply('{"selected": [2]}'))
    >>> pool = pd.DataFrame({"qid": "900", "query": "It shines.", "docno": ["1", "2", "3"], "score": [9.0, 8.0, 7.0]})
    >>> SetSelection(Strict())(pool.assign(text=["A gate.", "A lamp.", "A well."])).docno.tolist()
    ['2']
    """

    LABEL = "Set selection"

    def __init__(
        self, model: LanguageModel, template: str = "select.en", *, group: int = 20, min_items: int = 1, **options: Any
    ) -> None:
        super().__init__(model, template, **options)
        self.group = integer_at_least("group", group, 1)
        self.min_items = integer_at_least("min_items", min_items, 0)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Select candidates.

        Raises the errors of the model, and `ColieeError` for a text that is not a string and for a group of candidates
        that does not fit the model's context window.
        """
        results, queries = self._candidates(inp)
        groups = [
            query._replace(texts=query.texts[start : start + self.group])
            for query in queries
            for start in range(0, len(query.texts), self.group)
        ]
        replies = [(group.qid, reply) for group, reply in zip(groups, self._ask(groups, read_selection))]
        self._warn_refused(replies, "they selected nothing; at least the best-ranked candidate was kept")
        refused = {qid for qid, reply in replies if isinstance(reply, Refused)}
        first_rows = np.cumsum([0, *(len(group.texts) for group in groups)])
        selected = pd.Series(data=False, index=results.index)
        for first_row, (_, reply) in zip(first_rows, replies):
            if not isinstance(reply, Refused):
                selected[[first_row + number - 1 for number in reply]] = True
        qids = results["qid"]
        smallest = np.maximum(self.min_items, qids.astype(str).isin(refused).astype(int))
        missing = smallest - selected.groupby(qids).transform("sum")
        is_filled_up = ~selected & ((~selected).groupby(qids).cumsum() <= missing)
        kept = results[selected | is_filled_up]
        return kept.assign(rank=kept.groupby("qid").cumcount()).reset_index(drop=True)
