"""Probability of the answer yes, from the probabilities of a reply's first token."""

from __future__ import annotations

from collections.abc import Iterable

_YES, _NO = ("yes", "true", "はい", "正しい"), ("no", "false", "いいえ", "誤り")


def token_answer(token: str) -> bool | None:
    r"""Answer that a first token begins: True for yes, False for no, None if it begins neither or both.

    Examples
    --------
    >>> token_answer(" Yes"), token_answer("fal"), token_answer("い"), token_answer("Perhaps"), token_answer("\n")
    (True, False, False, None, None)
    """
    prefix = token.strip().casefold()
    begins = [any(word.startswith(prefix) for word in words) for words in (_YES, _NO)]
    return begins[0] if prefix and begins[0] != begins[1] else None


def yes_probability(weighed: Iterable[tuple[str, float]]) -> float | None:
    """Share of the weight of yes tokens in the weight of yes and no tokens.

    Parameters
    ----------
    weighed : iterable of (str, float)
        Candidates for the first token, with their probabilities or any weights of at least 0.

    Returns
    -------
    float or None
        A probability in [0, 1]; None if no token begins yes or no.

    Examples
    --------
    >>> yes_probability([("Yes", 0.25), (" yes", 0.125), ("No", 0.125), ("Perhaps", 0.5)])
    0.75
    """
    weights = {True: 0.0, False: 0.0, None: 0.0}
    for token, weight in weighed:
        weights[token_answer(token)] += weight
    return weights[True] / total if (total := weights[True] + weights[False]) else None
