"""Cut-offs: how many items of a ranking become the answer set.

The official measures score sets, so a ranking has to be cut. A rule sees the scores of all queries as
one matrix, best first, and says how many items each query keeps; the transformer cuts, and the search
for the best rule (`ir_coliee.evaluation.cutoff_search`) counts, on the same answer.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.transformers.base import Declared, at_least, in_order

Scores = npt.NDArray[np.float64]
Sizes = npt.NDArray[np.int64]


class Cutoff(Declared):
    """Base of the cut-offs: R to R, with the first rows of each query kept.

    Rows come back best first with new ranks. Equal scores keep the order of their ranks. A missing
    score (NaN) counts as the lowest of all.
    """

    LABEL = "Cut-off"

    def sizes(self, scores: Scores, lengths: Sizes) -> Sizes:
        """How many items each query keeps.

        ``scores`` has a row for each query, best first, padded with -inf; ``lengths`` says how many
        of a row are real.
        """
        raise NotImplementedError

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Cut each query's results. Needs the columns qid, docno and score."""
        pt.validate.result_frame(inp, extra_columns=["score"], context=self)
        ordered = in_order(inp)
        if ordered.empty:
            return ordered
        scores, lengths = score_matrix(ordered)
        kept = np.minimum(self.sizes(scores, lengths), lengths)
        position = ordered["rank"].to_numpy()
        return ordered[position < np.repeat(kept, lengths)].reset_index(drop=True)


def score_matrix(ordered: pd.DataFrame) -> tuple[Scores, Sizes]:
    """The scores of a frame in order, a row for each query, padded with -inf, and the rows' lengths."""
    queries = pd.factorize(ordered["qid"])[0]
    lengths = np.bincount(queries).astype(np.int64)
    scores = np.full((len(lengths), lengths.max(initial=0)), -np.inf)
    given = ordered["score"].to_numpy(dtype=np.float64)
    scores[queries, ordered["rank"].to_numpy()] = np.where(np.isnan(given), -np.inf, given)
    return scores, lengths


def _share_of_best(scores: Scores, ratio: float) -> Sizes:
    """How many scores reach ``ratio`` times the best; best / ratio where the best is not positive."""
    best = scores[:, :1]
    least = np.where(best > 0, best * ratio, best / ratio)
    return np.asarray((scores >= least).sum(axis=1), dtype=np.int64)


class TopK(Cutoff):
    """Keep the first ``k`` items of each query.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 3, "docno": list("abc"), "score": [3.0, 2.0, 1.0]})
    >>> TopK(2)(run).docno.tolist()
    ['a', 'b']
    """

    def __init__(self, k: int) -> None:
        """``k``: how many items to keep, from 1."""
        self.k = at_least("k", k, 1)

    def sizes(self, scores: Scores, lengths: Sizes) -> Sizes:
        """Cutoff.sizes"""
        return np.minimum(lengths, self.k)

    def fuse_rank_cutoff(self, k: int) -> TopK | None:
        """Let PyTerrier merge ``% k`` into this cut-off."""
        return TopK(k) if k < self.k else self


class RatioCutoff(Cutoff):
    """Keep the items that score at least ``ratio`` times the best, at most ``h``.

    Where the best score is not positive, at least best / ratio. Known from COLIEE 2021 (NeuralMind).

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 3, "docno": list("abc"), "score": [4.0, 3.0, 1.0]})
    >>> RatioCutoff(0.5, 10)(run).docno.tolist()
    ['a', 'b']
    """

    def __init__(self, ratio: float, h: int) -> None:
        """``ratio``: in (0, 1]. ``h``: the most items to keep, from 1."""
        self.ratio = _share("ratio", ratio)
        self.h = at_least("h", h, 1)

    def sizes(self, scores: Scores, lengths: Sizes) -> Sizes:
        """Cutoff.sizes"""
        return np.minimum(_share_of_best(scores, self.ratio), self.h)


class DynamicCutoff(Cutoff):
    """Keep the first ``l`` always, then up to ``h`` while the score is at least ``p`` times the best.

    Where the best score is not positive, at least best / p. The rule and its published parameters
    p .34, l 3, h 7 are THUIR's, winner of task 1 in 2023.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 4, "docno": list("abcd"), "score": [10.0, 3.0, 2.0, 1.0]})
    >>> DynamicCutoff(p=0.25, l=1, h=3)(run).docno.tolist()
    ['a', 'b']
    """

    def __init__(self, p: float = 0.34, l: int = 3, h: int = 7) -> None:  # noqa: E741 the paper's letter
        """``p``: in (0, 1]. ``l``: the least items to keep, from 0. ``h``: the most, at least ``l``."""
        self.p = _share("p", p)
        self.l = at_least("l", l, 0)
        self.h = at_least("h", h, max(1, l))

    def sizes(self, scores: Scores, lengths: Sizes) -> Sizes:
        """Cutoff.sizes"""
        return np.clip(_share_of_best(scores, self.p), self.l, self.h)


class MarginCutoff(Cutoff):
    """Keep the best item, and of the first ``k`` those that score less than ``margin`` below it.

    The rule is CAPTAIN's, winner of task 2 in 2023.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 3, "docno": list("abc"), "score": [4.0, 3.5, 1.0]})
    >>> MarginCutoff(margin=1.0, k=3)(run).docno.tolist()
    ['a', 'b']
    """

    def __init__(self, margin: float, k: int) -> None:
        """``margin``: from 0, in units of the score. ``k``: the most items to keep, from 1."""
        if not margin >= 0:
            raise ValueError(f"margin={margin!r} is not a number from 0")
        self.margin = margin
        self.k = at_least("k", k, 1)

    def sizes(self, scores: Scores, lengths: Sizes) -> Sizes:
        """Cutoff.sizes"""
        with np.errstate(invalid="ignore"):  # inf - inf
            near = np.asarray((scores[:, :1] - scores < self.margin).sum(axis=1), dtype=np.int64)
        return np.clip(near, 1, self.k)


class ThresholdCutoff(Cutoff):
    """Keep the items that score at least ``threshold``; possibly none.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 2, "docno": list("ab"), "score": [0.8, 0.3]})
    >>> ThresholdCutoff(0.5)(run).docno.tolist()
    ['a']
    """

    def __init__(self, threshold: float) -> None:
        """``threshold``: in units of the score."""
        if np.isnan(threshold):
            raise ValueError("threshold=nan is not a number")
        self.threshold = threshold

    def sizes(self, scores: Scores, lengths: Sizes) -> Sizes:
        """Cutoff.sizes"""
        return np.asarray((scores >= self.threshold).sum(axis=1), dtype=np.int64)


def _share(name: str, value: float) -> float:
    if not 0 < value <= 1:
        raise ValueError(f"{name}={value!r} is not above 0 and at most 1")
    return float(value)
