"""How probable a reply of yes is, by how probable its first tokens are."""

from __future__ import annotations

from collections.abc import Iterable

_YES, _NO = ("yes", "true", "はい", "正しい"), ("no", "false", "いいえ", "誤り")


def token_answer(token: str) -> bool | None:
    """Whether a reply that begins with this token begins to say yes. None for neither, and for both.

    >>> token_answer(" Yes"), token_answer("fal"), token_answer("い"), token_answer("Perhaps"), token_answer("\\n")
    (True, False, False, None, None)
    """
    start = token.strip().casefold()
    begins = [any(word.startswith(start) for word in words) for words in (_YES, _NO)]
    return begins[0] if start and begins[0] != begins[1] else None


def yes_probability(weighed: Iterable[tuple[str, float]]) -> float | None:
    """The weight of the tokens that begin to say yes, in that of all that say yes or no; None where none does.

    >>> yes_probability([("Yes", 0.25), (" yes", 0.125), ("No", 0.125), ("Perhaps", 0.5)])
    0.75
    """
    weights = {True: 0.0, False: 0.0, None: 0.0}
    for token, weight in weighed:
        weights[token_answer(token)] += weight
    return weights[True] / total if (total := weights[True] + weights[False]) else None
