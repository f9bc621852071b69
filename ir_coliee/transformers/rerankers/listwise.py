"""Listwise reranking by a language model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ir_coliee.frames import integer_at_least
from ir_coliee.models.language_models.language_model import LanguageModel
from ir_coliee.models.stores.reply_store import ReplyStore
from ir_coliee.progress import progress
from ir_coliee.text.permutations import Permutation, read_permutation
from ir_coliee.text.reply_lists import Refused
from ir_coliee.transformers.rerankers.candidate_prompting import CandidateGroup, CandidatePrompting


class ListwiseReranker(CandidatePrompting):
    """Rerank candidates by a language model that sees a window of them and replies with their ranking: R to R.

    The window slides from the last candidates to the first, as in RankGPT [1]_, so that the best of a long list reach
    its top in one pass. The windows of all queries at the same place are asked together. A new score is the number of
    the query's candidates that rank lower, plus 1.

    The model sees the numbers 1, 2, … and not the ids of the candidates. Replies are read by
    `ir_coliee.text.permutations.read_permutation`: candidates that a reply lacks keep their order at the end of the
    window. If a reply cannot be read with certainty, the window keeps its order.

    Parameters
    ----------
    model : LanguageModel
        A `ir_coliee.models.ServedModel` or `LocalModel`, or any object with its interface.
    template : str
        The name of one of `ir_coliee.text.templates`, or the path of a file. ``{text}`` is replaced by the candidates.
        ``rank.ja`` is for Japanese.
    window : int
        The number of candidates in a window, >= 2.
    stride : int
        By how many candidates a window moves, from 1 to ``window``.
    passes : int
        The number of passes, >= 1.
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
        self,
        model: LanguageModel,
        template: str = "rank.en",
        *,
        window: int = 20,
        stride: int = 10,
        passes: int = 1,
        words: int = 300,
        reply_store: ReplyStore | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(model, template, words=words, reply_store=reply_store, verbose=verbose)
        self.window = integer_at_least("window", window, 2)
        self.stride = integer_at_least("stride", stride, 1)
        if self.stride > self.window:
            raise ValueError(f"stride must be at most window={self.window}, got {self.stride}.")
        self.passes = integer_at_least("passes", passes, 1)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Rerank the candidates.

        Raises the errors of the model, and `ColieeError` for a text that is not a string and for a window of candidates
        that does not fit the model's context window.
        """
        results, queries = self._candidates(inp)
        orders = [list(range(len(query.texts))) for query in queries]
        starts = [window_starts(len(order), self.window, self.stride) for order in orders]
        replies: list[tuple[str, Permutation | Refused]] = []
        places = [*range(max(map(len, starts), default=0))] * self.passes
        for step in progress(places, "ranking in windows", unit="windows", verbose=self.verbose):
            replies += self._step(queries, orders, [each[step : step + 1] for each in starts])
        self._warn_about(replies)
        scores = np.empty(len(results))
        first_rows = np.cumsum([0, *map(len, orders)])
        for first_row, order in zip(first_rows, orders):
            scores[[first_row + place for place in order]] = range(len(order), 0, -1)
        reranked = results.assign(score=scores)
        rows = [first_row + place for first_row, order in zip(first_rows, orders) for place in order]
        frame: pd.DataFrame = reranked.iloc[rows].reset_index(drop=True).assign(rank=results["rank"])
        return frame

    def _step(
        self, queries: Sequence[CandidateGroup], orders: Sequence[list[int]], starts: Sequence[Sequence[int]]
    ) -> list[tuple[str, Permutation | Refused]]:
        """Ask about one window of each query that has one, and reorder the candidates in it."""
        windows = [(query, order, start) for query, order, at in zip(queries, orders, starts) for start in at]
        shown = [
            query._replace(texts=tuple(query.texts[place] for place in order[start : start + self.window]))
            for query, order, start in windows
        ]
        replies = self._ask(shown, read_permutation)
        for (_, order, start), reply in zip(windows, replies):
            if isinstance(reply, Permutation):
                before = order[start : start + self.window]
                order[start : start + self.window] = [before[number - 1] for number in reply.order]
        return [(query.qid, reply) for (query, _, _), reply in zip(windows, replies)]

    def _warn_about(self, replies: Sequence[tuple[str, Permutation | Refused]]) -> None:
        refused = [(qid, reply) for qid, reply in replies if isinstance(reply, Refused)]
        self._warn_refused(refused, len(replies), "windows kept their order")
        read = [(qid, reply) for qid, reply in replies if isinstance(reply, Permutation)]
        if num_unknown := sum(reply.num_unknown for _, reply in read):
            ids = [*dict.fromkeys(qid for qid, reply in read if reply.num_unknown)]
            self._warn(f"{num_unknown} numbers of no candidate were left out of the replies", ids)
        if num_missing := sum(reply.num_missing for _, reply in read):
            ids = [*dict.fromkeys(qid for qid, reply in read if reply.num_missing)]
            self._warn(f"{num_missing} candidates that replies lack were ranked last in their windows", ids)


def window_starts(number: int, window: int, stride: int) -> list[int]:
    """Return the first candidates of the windows, from the last window to the first; none for a single candidate.

    Examples
    --------
    >>> window_starts(45, 20, 10), window_starts(8, 20, 10), window_starts(1, 20, 10)
    ([25, 15, 5, 0], [0], [])
    """
    return [*range(number - window, 0, -stride), 0] if number > 1 else []
