"""Split texts into phrases, which are word n-grams (CAPTAIN.run2 at COLIEE 2023, task 4).

The overview of 2023 says that the team "chunked articles to phrases (using an n-gram model)". The length of a phrase
and the distance between the beginnings of two phrases are our own choice.
"""

from __future__ import annotations

from ir_coliee.frames import integer_at_least
from ir_coliee.transformers.queries.passages import PassageSplitter


class SplitPhrases(PassageSplitter):
    """Split texts of languages with spaces into overlapping phrases, one row each: D to D, R to R.

    Parameters
    ----------
    size : int, default 8
        The number of words in a phrase, >= 2. Half of them are in the next phrase as well.

    Examples
    --------
    >>> import pandas as pd
    >>> article = pd.DataFrame({"docno": ["1"], "text": ["The keeper shuts the gate at night."]})
    >>> SplitPhrases(4)(article)["text"].tolist()
    ['The keeper shuts the', 'shuts the gate at', 'gate at night.']
    """

    LABEL = "Split phrases"
    on = "text"

    def __init__(self, size: int = 8) -> None:
        self.size = integer_at_least("size", size, 2)

    def passages(self, text: str) -> dict[int, str]:
        """Return the phrases of a text by their positions; at least one."""
        words, stride = text.split(), self.size // 2
        starts = range(0, max(len(words) - self.size + stride, 1), stride)
        return {number: " ".join(words[start : start + self.size]) for number, start in enumerate(starts)}
