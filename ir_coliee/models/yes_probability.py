"""The probability that the answer is yes, computed from the probabilities of the first token of the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate

from ir_coliee.text.reasoning import answer_start

_YES, _NO = ("yes", "true", "はい", "正しい"), ("no", "false", "いいえ", "誤り")
_BEFORE_ANSWER = re.compile(r"[^\w○〇◯×✕✗]*(?:answer[^\w○〇◯×✕✗]*)?", re.IGNORECASE)


def token_answer(token: str) -> bool | None:
    r"""Return the answer that begins with a token: True for yes, False for no, None for neither or for both.

    Examples
    --------
    >>> token_answer(" Yes"), token_answer("fal"), token_answer("い"), token_answer("Perhaps"), token_answer("\n")
    (True, False, False, None, None)
    """
    prefix = token.strip().casefold()
    may_be_yes, may_be_no = (any(word.startswith(prefix) for word in words) for words in (_YES, _NO))
    return may_be_yes if prefix and may_be_yes != may_be_no else None


def first_answer_token(tokens: Sequence[str], *, opened: bool = False) -> int | None:
    r"""Return the index of the token with which the answer of a reply begins.

    Reasoning is skipped, and then tokens without letters and digits and the word "answer", as in ``**Answer:** Yes``
    and ``{"answer": "yes"}``. If a reply without reasoning has only such tokens, it is the last one.

    Parameters
    ----------
    tokens : sequence of str
        The tokens of a reply, with the markers of its reasoning.
    opened : bool
        Whether the prompt ends within a block of reasoning.

    Returns
    -------
    int or None
        None if there is no token, or no answer after the reasoning.

    Examples
    --------
    >>> first_answer_token(["<think>", "Yes", "?", "</think>", "\n\n", "No", "."])
    5
    """
    start = answer_start("".join(tokens), opened=opened)
    if start is None or not tokens:
        return None
    ends = accumulate(map(len, tokens))
    for index, (token, end) in enumerate(zip(tokens, ends)):
        if end > start and not _BEFORE_ANSWER.fullmatch(token):
            return index
    return len(tokens) - 1 if start == 0 else None


def yes_probability(weighted_tokens: Iterable[tuple[str, float]], named: tuple[str, str] | None = None) -> float | None:
    """Return the weight of the yes tokens divided by the weight of all yes and no tokens.

    Parameters
    ----------
    weighted_tokens : iterable of (str, float)
        Candidates for the first token, with probabilities or other weights >= 0.
    named : tuple of str, optional
        The only token that is yes, and the only one that is no. By default each that yes or no can begin with.

    Returns
    -------
    float or None
        A probability in [0, 1]; None if no token is yes or no.

    Examples
    --------
    >>> yes_probability([("Yes", 0.25), (" yes", 0.125), ("No", 0.125), ("Perhaps", 0.5)])
    0.75
    >>> yes_probability([("Yes", 0.25), (" yes", 0.125), ("No", 0.25), ("Perhaps", 0.5)], ("Yes", "No"))
    0.5
    """
    answer = token_answer if named is None else {named[0]: True, named[1]: False}.get
    weights = {True: 0.0, False: 0.0, None: 0.0}
    for token, weight in weighted_tokens:
        weights[answer(token)] += weight
    return weights[True] / total if (total := weights[True] + weights[False]) else None
