"""Read a set of numbered candidates from a language model's reply."""

from __future__ import annotations

import re

from ir_coliee.text.reply_lists import ListForm, Refused, answer_part, listed_numbers

_SELECTION = ListForm(
    ("selected", "selection", "answer"), re.compile(" ?(?:[,;、](?: ?and )?|and|&|および|及び|と) ?| ")
)
_NONE = re.compile(
    r"(?:none(?: of (?:them|the candidates|these candidates))?|no candidates?"
    "|(?:該当)?なし|該当する候補はありません)[.。]?",
    re.IGNORECASE,
)


def read_selection(reply: str, number: int) -> tuple[int, ...] | Refused:
    r"""Read which of ``number`` candidates a reply such as ``{"selected": [2, 5]}`` or ``[2], [5]`` selects.

    A reply is read strictly: a list in one of the forms of `ir_coliee.text.reply_lists`, or a word for none such as
    "None" or 「該当なし」, after the reasoning and after the last label such as "Answer:". Repeated numbers count
    once. A reply is refused if it contains anything else, such as a range, or a number that is not that of a candidate.

    Parameters
    ----------
    reply : str
        Any text.
    number : int
        The number of candidates, which are numbered from 1.

    Returns
    -------
    tuple of int or Refused
        The numbers of the selected candidates, ascending; empty for none.

    Examples
    --------
    >>> read_selection('{"selected": [5, 2]}', 6), read_selection("Answer: none", 6)
    ((2, 5), ())
    >>> read_selection("[2], [9]", 6), read_selection("paragraphs 2 and 3, but not 1", 6)
    (Refused(reason='it has the number of no candidate'), Refused(reason='it is not a list of numbers'))
    """
    answer = answer_part(reply)
    if isinstance(answer, str) and _NONE.fullmatch(answer):
        return ()
    listed = answer if isinstance(answer, Refused) else listed_numbers(answer, number, _SELECTION)
    if isinstance(listed, Refused):
        return listed
    if any(each > number for each in listed):
        return Refused("it has the number of no candidate")
    return tuple(sorted({*listed}))
