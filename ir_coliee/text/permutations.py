"""Read a ranking of numbered candidates from a language model's reply."""

from __future__ import annotations

import re
from typing import NamedTuple

from ir_coliee.text.reply_lists import ListForm, Refused, answer_part, listed_numbers

_RANKING = ListForm(("ranking", "order", "permutation"), re.compile(" ?(?:[-=]?>|→|≻|[,;、]) ?| "))


class Permutation(NamedTuple):
    """A ranking of all candidates.

    Attributes
    ----------
    order : tuple of int
        The numbers of all candidates, from 1, best first.
    num_missing : int
        How many candidates the reply lacks. They come last, in their previous order.
    num_unknown : int
        How many numbers of the reply are not those of a candidate. They are left out.
    """

    order: tuple[int, ...]
    num_missing: int
    num_unknown: int


def read_permutation(reply: str, number: int) -> Permutation | Refused:
    r"""Read the ranking of ``number`` candidates from a reply such as ``[2] > [1] > [3]``.

    A reply is read strictly: a list in one of the forms of `ir_coliee.text.reply_lists`, after the reasoning and after
    the last label such as "Ranking:". Of a repeated number the first occurrence counts. A reply is refused if it
    contains anything else, if it has no number of a candidate, if at least half of its distinct numbers are not those
    of candidates, or if it has the number 0, because the model may have counted from 0.

    Parameters
    ----------
    reply : str
        Any text.
    number : int
        The number of candidates, which are numbered from 1.

    Returns
    -------
    Permutation or Refused

    Examples
    --------
    >>> read_permutation("[2] > [1] > [3]", 3)
    Permutation(order=(2, 1, 3), num_missing=0, num_unknown=0)
    >>> read_permutation("順位：【3】、【1】、【9】", 3)
    Permutation(order=(3, 1, 2), num_missing=1, num_unknown=1)
    >>> read_permutation("Candidate 2 is better than 1.", 3)
    Refused(reason='it is not a list of numbers')
    """
    answer = answer_part(reply)
    listed = answer if isinstance(answer, Refused) else listed_numbers(answer, number, _RANKING)
    if isinstance(listed, Refused):
        return listed
    distinct = dict.fromkeys(listed)
    known = [each for each in distinct if each <= number]
    num_unknown = len(distinct) - len(known)
    if len(known) <= num_unknown:
        return Refused("too few of its numbers are those of candidates")
    missing = [each for each in range(1, number + 1) if each not in distinct]
    return Permutation((*known, *missing), len(missing), num_unknown)
