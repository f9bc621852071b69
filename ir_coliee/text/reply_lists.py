r"""Read a list of numbers from a language model's reply, where the whole reply, or its labelled end, is such a list.

A reply is read strictly, because a number that does not belong to the list would name another candidate. A list is

- JSON: a list of integers, or an object with one list under a known key; or
- numbers such as ``[2]``, ``【2】`` or ``2``, all in the same brackets, between separators or blanks, or one per line,
  also with bullets or enumerated.

It can follow a label at the beginning of a line, such as ``Answer:``, ``Here is the final ranking:`` or ``<answer>``.
The last label counts, and the text before it is not read. A reason can follow the list, as in ``[2] > [1] because …``.
Every other reply is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ir_coliee.text.reasoning import split_reasoning

_LONGEST = 2**16  # characters without reasoning; a longer reply is no list
# Letters, digits and brackets of full width become ASCII. NFKC would also join circled digits and powers to one number.
_FULL_WIDTH = {0xFF01 + offset: 0x21 + offset for offset in range(94)} | {0x3000: 0x20}
_LABEL = re.compile(
    r"""^[ \t*#>_]{0,9}(?:
      (?:(?:sure|certainly|ok|okay)[,.!]{1,2}[ ])?(?:(?:here(?:['’]s|[ ]is)|this[ ]is)[ ])?
      (?:(?:the|my)[ ])?(?:final[ ])?(?:answer|ranking|ranked[ ]list|order|selection|result|list)(?:[ ]is)?[*_]{0,3}:
    | (?:最終的な)?(?:答え|回答|解答|順位|順番|ランキング|結果|選択)(?:は|[*_]{0,3}:)
    | <answer>
    )[*_]{0,3}""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_REASON = re.compile(
    r"(?<=[\])】])[ \t]*[,;.]?[ \t]*\b(?:because|since)\b(?![^\n]*[\[【][0-9]).*\Z", re.IGNORECASE | re.DOTALL
)
_FENCED = re.compile(r"```[a-z]{0,9}\n(.*)\n```", re.DOTALL | re.IGNORECASE)
_BLANKS = re.compile(r"[^\S\n]+")
_BULLET = re.compile(r"[-•・] ")
_ENUMERATION = re.compile(r"([0-9]{1,4})[.)] ")
_CANDIDATE = re.compile(r"(?:\bcandidates? |候補 ?)(?=[\[(【〔「『#]?[0-9])", re.IGNORECASE)
_NUMBER = re.compile(r"([\[(【〔「『#]?)([0-9]{1,40})([\])】〕」』]?)")
_BRACKETS = ("", "#", "[]", "()", "【】", "〔〕", "「」", "『』")


class ListForm(NamedTuple):
    """The form of the lists that a prompt asks for.

    Attributes
    ----------
    keys : tuple of str
        The keys of a JSON object that have the list as their value, in lower case.
    separator : re.Pattern
        The separators of the numbers, including blanks.
    """

    keys: tuple[str, ...]
    separator: re.Pattern[str]


@dataclass(frozen=True)
class Refused:
    """A reply that cannot be read with certainty.

    Attributes
    ----------
    reason : str
        Description of the problem, without the text of the reply.
    """

    reason: str


_NO_LIST = Refused("it is not a list of numbers")


def answer_part(reply: str) -> str | Refused:
    r"""Return the part of a reply that has to be a list: without reasoning, and after the last label.

    Examples
    --------
    >>> answer_part("<think>Is it 1?</think>The gate decides.\nFinal answer: [2]")
    '[2]'
    """
    text = split_reasoning(reply).answer.strip()
    if len(text) > _LONGEST:
        return Refused("it is too long")
    text = text.translate(_FULL_WIDTH)
    labels = [*_LABEL.finditer(text)]
    text = text[labels[-1].end() :].removesuffix("</answer>").strip() if labels else text
    fenced = _FENCED.fullmatch(text)
    text = fenced[1].strip() if fenced else _REASON.sub("", text)
    return text or Refused("it has no answer")


def listed_numbers(answer: str, number: int, form: ListForm) -> list[int] | Refused:
    """Read a list of candidates' numbers.

    Parameters
    ----------
    answer : str
        The result of `answer_part`.
    number : int
        The number of candidates, which are numbered from 1.
    form : ListForm
        The form of the list.

    Returns
    -------
    list of int or Refused
        The numbers in their order, which may be repeated or above ``number``.

    Examples
    --------
    >>> form = ListForm(("ranking",), re.compile(" ?> ?| "))
    >>> listed_numbers("[2] > [1]", 3, form), listed_numbers('{"ranking": [3]}', 3, form)
    ([2, 1], [3])
    >>> listed_numbers("1-3", 3, form)
    Refused(reason='it is not a list of numbers')
    """
    numbers = _json_numbers(answer, form) if answer[:1] in ("{", "[") else None
    if numbers is None:
        numbers = _text_numbers(answer, number, form)
    if isinstance(numbers, Refused):
        return numbers
    if 0 in numbers:
        return Refused("it has the number 0, but candidates are numbered from 1")
    if len(numbers) > 2 * number:
        return Refused("it has more than twice as many numbers as there are candidates")
    return numbers


def _json_numbers(answer: str, form: ListForm) -> list[int] | Refused | None:
    """Return the numbers of a list in JSON, None if the text is not JSON."""
    try:
        value = json.loads(answer, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, _Pairs):
        named = [each for key, each in value.pairs if key.lower() in form.keys]
        others = [each for key, each in value.pairs if key.lower() not in form.keys]
        if len(named) != 1 or any(isinstance(each, (list, _Pairs)) for each in others):
            return Refused("its JSON object does not have one list under a known key")
        value = named[0]
    if not isinstance(value, list):
        return _NO_LIST
    numbers = [_json_number(each) for each in value]
    return _NO_LIST if None in numbers else [each for each in numbers if each is not None]


@dataclass(frozen=True)
class _Pairs:
    """A JSON object with all its keys, also repeated ones."""

    pairs: Sequence[tuple[str, Any]]


def _json_number(value: object) -> int | None:
    if isinstance(value, str) and (found := _bracketed(value.strip())):
        return found[1]
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _text_numbers(answer: str, number: int, form: ListForm) -> list[int] | Refused:
    lines = [_CANDIDATE.sub("", line) for line in _lines(answer)]
    pieces = [form.separator.split(line) for line in lines]
    if any(len(parts) > 1 for parts in pieces):  # not one number per line
        if any(parts[-1] for parts in pieces[:-1]):  # and a line that does not continue, as in a table
            return _NO_LIST
        pieces = [*(parts[:-1] for parts in pieces[:-1]), *pieces[-1:]]
    found = [_bracketed(part) for parts in pieces for part in parts]
    numbers = [each[1] for each in found if each is not None]
    if not numbers or None in found or len({each[0] for each in found if each is not None}) > 1:
        return _NO_LIST
    closed = answer.endswith((".", "。")) or found[-1] is None or len(found[-1][0]) == 2
    if not closed and _may_be_cut(numbers, number):
        return Refused("it may be cut off within its last number")
    return numbers


def _lines(answer: str) -> list[str]:
    """Return the lines that are not blank, without emphasis, bullets, enumeration and the final full stop."""
    text = _BLANKS.sub(" ", answer.replace("*", " ").replace("`", " ")).strip()
    lines = [_BULLET.sub("", line.strip(), count=1) for line in text.removesuffix(".").removesuffix("。").split("\n")]
    lines = [line for line in lines if line]
    marks = [_ENUMERATION.match(line) for line in lines]
    if len(lines) > 1 and [mark and int(mark[1]) for mark in marks] == [*range(1, len(lines) + 1)]:
        return [line[mark.end() :] for line, mark in zip(lines, marks) if mark]
    return lines


def _bracketed(text: str) -> tuple[str, int] | None:
    """Return the brackets and the number of a text such as ``[2]``, None for another text."""
    found = _NUMBER.fullmatch(text)
    return (found[1] + found[3], int(found[2])) if found and found[1] + found[3] in _BRACKETS else None


def _may_be_cut(numbers: Sequence[int], number: int) -> bool:
    """Whether the last number is the beginning of that of a candidate that the list does not contain."""
    begin = str(numbers[-1])
    return any(str(other).startswith(begin) for other in {*range(1, number + 1)} - {*numbers})
