"""Read yes or no from a language model's reply.

Models that are asked for one word reply with sentences, repeat the question, or reason first and answer at the end.
Blocks of reasoning are left out. In the rest, the text after the last "answer:" decides, then a judgement of the
statement, then the first word, then the last line.
"""

from __future__ import annotations

import re
from typing import Literal

from ir_coliee.text.compatibility import nfkc
from ir_coliee.text.reasoning import split_reasoning

Answer = Literal["Y", "N"]

_NO = r"not\s+(?:true|correct|right|entailed)|untrue|incorrect|false|wrong|no|n(?!\w)"
_YES = r"true|correct|right|entailed|yes|y(?!\w)"
_NO_JA = r"正しくない|正しくありません|正しいとは[い言]えない|誤って(?:いる|います)|誤り|間違[いっ]|いいえ|偽|[×✕✗]"
_YES_JA = r"正しい|はい|真|[○〇◯]"
_WORD = rf"(?:(?P<no>(?:{_NO})\b|{_NO_JA})|(?P<yes>(?:{_YES})\b|{_YES_JA}))"
_OR = (
    r"\s*(?:or|/|か|又は|または)\s*(?:yes|no|true|false|y\b|n\b|はい|いいえ|正しい|誤り)"  # a question, not its answer
)
_DECORATION = r"[\s*_`'\"“”‘’「『\[(<]{0,9}"

_MARKED = re.compile(
    rf"(?:\b(?:answer|conclusion|verdict|label)\b\W{{0,4}}(?:\bis\b)?|\bor\s+(?:yes|no|n|y|false|true)\b\W{{0,3}}[:?]"
    rf"|答え?|回答|解答|結論|判定)(?:は|[:=\-—>】\]*、\s]){{0,9}}{_DECORATION}{_WORD}(?!{_OR})",
    re.IGNORECASE,
)
_SAID = re.compile(
    rf"(?:\b(?:statement|hypothesis|proposition|claim)\b\W{{1,3}}\bis\b|(?:この|その|当該)?(?:記述|命題|文章?|主張)は)"
    rf"{_DECORATION}(?:therefore\s+|thus\s+)?{_WORD}",
    re.IGNORECASE,
)
# "No obligation arises" does not say no; a word that is not English needs no such care
_AS_A_WORD = r"(?:(?<=[^\x00-\x7f])|(?=[^\w\s]|\s*(?:\n|$)|\s(?:because|since|as|the|it|this|that)\b))"
_FIRST = re.compile(rf"(?:\W|\d{{1,3}}[.)]){{0,20}}?{_WORD}{_AS_A_WORD}(?!{_OR})", re.IGNORECASE)
_ALONE = re.compile(rf"\W{{0,9}}?{_WORD}(?:です|である)?\W{{0,9}}", re.IGNORECASE)
_BLANKS = re.compile(r"[^\S\n]+")


def is_single_answer(text: str) -> bool:
    """Whether a reply is yes or no in a single word.

    Examples
    --------
    >>> is_single_answer("**Yes**"), is_single_answer("いいえ。"), is_single_answer("No obligation")
    (True, True, False)
    """
    return bool(_ALONE.fullmatch(nfkc(text).strip()))


def yes_or_no(text: str) -> Answer | None:
    r"""Answer of a reply.

    Returns
    -------
    {"Y", "N"} or None
        None if the text gives neither answer. Full-width letters are read as ASCII.

    Examples
    --------
    >>> yes_or_no("The answer is: **No**, because Article 5 asks for a deed.")
    'N'
    >>> yes_or_no("Article 5 asks for a deed. There was one.\nConclusion: Yes"), yes_or_no("I cannot say.")
    ('Y', None)
    >>> yes_or_no("答え：正しくない"), yes_or_no("はい。")
    ('N', 'Y')
    """
    text = _BLANKS.sub(" ", nfkc(split_reasoning(text).answer)).strip()
    found = None
    for pattern in (_MARKED, _SAID):
        for found in pattern.finditer(text):  # noqa: B007 the last one counts
            pass
        if found:
            return _answer(found)
    lines = [line for line in text.splitlines() if line.strip()]
    found = _FIRST.match(text) or (_ALONE.fullmatch(lines[-1]) if lines else None)
    return _answer(found) if found else None


def _answer(found: re.Match[str]) -> Answer:
    return "Y" if found["yes"] else "N"
