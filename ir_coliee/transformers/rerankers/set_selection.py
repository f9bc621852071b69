"""Selection of an answer set among several candidates by a language model."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ir_coliee.frames import integer_at_least
from ir_coliee.models.language_models.language_model import LanguageModel
from ir_coliee.models.stores.reply_store import ReplyStore
from ir_coliee.text.reply_lists import Refused
from ir_coliee.text.selections import read_selection
from ir_coliee.transformers.rerankers.candidate_prompting import CandidatePrompting


class SetSelection(CandidatePrompting):
    """Keep the candidates that a language model selects as those that entail the query: R to R.

    The model sees the candidates of a query together, with the numbers 1, 2, … and not with their ids. The rows of the
    selected candidates keep their scores. Replies are read by `ir_coliee.text.selections.read_selection`; a reply that
    cannot be read with certainty, or that has the number of no candidate, is refused and selects nothing.

    Parameters
    ----------
    model : LanguageModel
        A `ir_coliee.models.ServedModel` or `LocalModel`, or any object with its interface.
    template : str
        The name of one of `ir_coliee.text.templates`, or the path of a file. ``{text}`` is replaced by the candidates.
        ``select.ja`` is for task 3 in Japanese.
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
        self,
        model: LanguageModel,
        template: str = "select.en",
        *,
        group: int = 20,
        min_items: int = 1,
        words: int = 300,
        reply_store: ReplyStore | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(model, template, words=words, reply_store=reply_store, verbose=verbose)
        self.group = integer_at_least("group", group, 1)
        self.min_items = integer_at_least("min_items", min_items, 0)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Select candidates.

        Raises the errors of the model, and `ColieeError` for a text that is not a string and for a group of candidates
        that does not fit the model's context window.
        """
        results, queries = self._candidates(inp)
        starts = [(query, start) for query in queries for start in range(0, len(query.texts), self.group)]
        groups = [query._replace(texts=query.texts[start : start + self.group]) for query, start in starts]
        selected: dict[str, set[int]] = {query.qid: set() for query in queries}
        refused: list[tuple[str, Refused]] = []
        for (query, start), reply in zip(starts, self._ask(groups, read_selection)):
            if isinstance(reply, Refused):
                refused.append((query.qid, reply))
            else:
                selected[query.qid] |= {start + number - 1 for number in reply}
        self._warn_refused(refused, len(groups), "they selected nothing; at least the best-ranked candidate was kept")
        with_refused = {qid for qid, _ in refused}
        for query in queries:
            chosen = selected[query.qid]
            others = (rank for rank in range(len(query.texts)) if rank not in chosen)
            missing = max(self.min_items, int(query.qid in with_refused)) - len(chosen)
            chosen |= {rank for _, rank in zip(range(missing), others)}
        is_kept = [rank in selected[str(qid)] for qid, rank in zip(results["qid"], results["rank"])]
        kept = results[np.array(is_kept, dtype=bool)]
        frame: pd.DataFrame = kept.assign(rank=kept.groupby("qid").cumcount()).reset_index(drop=True)
        return frame
