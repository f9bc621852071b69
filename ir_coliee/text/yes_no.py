"""Read yes or no from a language model's reply.

Models that are asked for one word reply with sentences, repeat the question, or reason first and answer at the end.
Blocks of reasoning and quotations are left out. In the rest, the answer field of a JSON object decides. Otherwise the
text after the last label, such as "Answer:", is read for verdicts: yes or no at its beginning, alone in a line or after
words such as "therefore", and judgements such as "The statement is not correct". A reply has no answer if verdicts
contradict each other or depend on a condition, or if the model refuses to answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from ir_coliee.text.japanese import nfkc
from ir_coliee.text.json_answers import json_answers
from ir_coliee.text.reasoning import split_reasoning

Answer = Literal["Y", "N"]

_LONGEST = 2**16  # characters without reasoning; a longer reply is no answer
_BLANKS = re.compile(r"[^\S\n]+")
_IGNORED = re.compile(
    r"""
      ^[^\S\n]{0,3}(?:[-*+][ ])?(?:\[[ ]\]|☐|□)[^\n]*    # an option that is not ticked
    | ^[^\S\n]{0,3}>[ ][^\n]*                             # a quoted line
    | ~~[^~\n]{1,200}~~                                   # a deletion
    """,
    re.MULTILINE | re.VERBOSE,
)
_EMPHASIS = re.compile(r"\*{2,3}|_{2,3}")
_QUOTATION = re.compile(
    r""""[^"\n]{0,500}"|“[^”\n]{0,500}”|«[^»\n]{0,500}»|「[^」\n]{0,500}」|『[^』\n]{0,500}』|(?<!\w)'[^'\n]{0,500}'(?!\w)"""
)

_NEGATED = r"not\s+(?:true|correct|right|entailed)"
_NO = rf"{_NEGATED}|untrue|incorrect|false|wrong|no|non|faux"
_YES = r"true|correct|right|entailed|yes|oui|vrai"
_NO_EAST = (
    r"正しくない|正しくありません|正しいとは[い言]えない|正しいとは[い言]えません|誤って(?:いる|います)|誤り"
    r"|間違[いっ](?:ている|ています)?|いいえ|偽|[×✕✗]|不正确|错误|不是|不对|否"
)
_YES_EAST = r"正しい|はい|真|[○〇◯]|正确|是的|是|对"
# a letter counts only at the end of its line, unlike in "N.B.", "N/A" and "n'est"
_LETTER_ENDS = r"(?=[\s.)*\]\"'`_<]{0,5}(?:\n|$|/))(?!/\w)"
_WORD = rf"(?:(?P<no>\b(?:{_NO})\b|\bn{_LETTER_ENDS}|{_NO_EAST})|(?P<yes>\b(?:{_YES})\b|\by{_LETTER_ENDS}|{_YES_EAST}))"
_DECORATION = r"[\s*_`'\"“”‘’「『\[(<{}\\>|#☑☒✅❌✓:-]{0,9}(?:text\{)?"
_JUDGEMENT = re.compile(rf"{_DECORATION}(?:\[x\]\s)?(?:\d{{1,3}}[.)]\s?)?{_DECORATION}{_WORD}", re.IGNORECASE)
_LINE = re.compile(
    rf"^\W{{0,9}}(?:\[x\]\s)?(?:\d{{1,3}}[.)]\s?)?\W{{0,9}}{_WORD}(?:です|である)?[^\w?]{{0,9}}$", re.I | re.M
)
_SENTENCE = r"(?:^|(?<=[.!:。、;\n]))[^\S\n]?[*_#]{0,3}"
_THEREFORE = (
    r"(?:so|therefore|thus|hence|accordingly|consequently|in\s+conclusion|in\s+short|overall|finally|actually|rather|but|wait"
    r"|however|no\s+wait|i\s+(?:would\s+)?say|よって|したがって|従って|ゆえに|以上より|以上から|つまり|しかし|結論として)"
)
_CONCLUDED = re.compile(
    rf"(?:{_SENTENCE}|[,;]\s|\band\s){_THEREFORE}[,、]?\s?(?:it(?:['’]s|\s+is)\s|that(?:['’]s|\s+is)\s|a\s)?{_DECORATION}{_WORD}",
    re.IGNORECASE | re.MULTILINE,
)
_DISCOURSE_WORDS = ("right", "correct", "wrong")  # "Right, let me think"
_STATEMENT = (
    r"(?:the|this|that|cette|l['’])\s?(?:given\s|above\s)?(?:statement|hypothesis|proposition|claim|affirmation)"
)
_SAID = re.compile(
    rf"""{_SENTENCE}(?:{_THEREFORE}[,、]?\s?|[^\W\d_]{{2,12}},\s)?(?:
      {_STATEMENT}\W{{1,3}}(?:is|est)\b{_DECORATION}(?:therefore\s+|thus\s+|indeed\s+)?{_WORD}
    | {_STATEMENT}\W{{1,3}}(?:therefore\s+|thus\s+)?
      (?:(?P<follows>follows|holds)|(?:does\s+not|doesn['’]t)\s+(?:follow|hold))
    | (?:この|その|当該|本|上記の?)?(?:記述|命題|文章?|主張)は{_DECORATION}(?P<east>{_NO_EAST}|(?P<true>{_YES_EAST}))
    )""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_LABEL = re.compile(
    rf"""
      (?<!/)\b(?:answer|conclusion|verdict|label|réponse)\b[*_"'`)\]]{{0,4}}[ ]?
      (?:\(?\b(?:yes|no|y|n|true|false)\s?(?:or|/)\s?(?:yes|no|y|n|true|false)\b\)?[*_]{{0,2}}[ ]?)?(?:[:=>|—]|-[ >])
    | (?<!/)\b(?:answer|conclusion|verdict|réponse)[ ](?:is|est)\b
      (?={_DECORATION}(?:(?:{_NO}|{_YES})\b|{_NO_EAST}|{_YES_EAST}))
    | ^[#*_ ]{{0,9}}(?:final[ ])?(?:answer|conclusion|verdict|réponse)[*_: ]{{0,4}}$
    | \\boxed\{{(?:\\text\{{)?
    | (?:答え?|答案|回答|解答|結論|结论|判定)[ ]?(?:は(?!い(?!い))|是(?=:)|[:=\->】\]*、—]|\n){{1,9}}
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
# "No obligation arises", "No-fault liability" and "No. 5" do not say no
_ENDS = re.compile(
    r"""[*_`"'”’」』)\]}>\\]{0,9}(?:
      \s*\Z | [ ]?\n | [.](?![ ]?\d) | [,;:!。、<|] | [ ][-—–] | [ ]?\( | —
    | (?:です|だ|である|と(?:考え|思い|言え|いえ|判断し|なり)(?:る|ます)|となる)[ ]?(?:[。、.,!]|\s|\Z)
    | [ ](?:because|since|as|under|according|from|the|it|this|that)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_CONDITION = re.compile(
    r"""\W{0,5}(?:(?:if|unless|only|when|provided|except|partly|in\s+part|at\s+first|on\s+its\s+face|prima|in\s+principle
    |or|ou|si|mais|and\s+(?:also\s+)?(?:yes|no|true|false|not)|but\s+(?:also\s+)?(?:yes|no|not)|et\s+non|et\s+oui)\b
    |か|ただし|\d{1,2}[.)]\s)""",
    re.IGNORECASE | re.VERBOSE,
)
_ADVERSATIVE = re.compile(
    r"\W{0,3},[^.\n。]{0,300}?(?:\b(?:but|however|yet|although|though|except|mais)\b)", re.IGNORECASE
)
_REFUSAL = re.compile(
    r"""\b(?:cannot|can['’]?t|can\snot|could\snot|unable\sto|not\sable\sto|won['’]t|refuse\sto|impossible\sto)\s(?:\w+\s){0,3}?
    (?:answer|say|tell|determine|decide|help|provide|judge|assess|conclude|give|assist)\b|\bit\sdepends\b""",
    re.IGNORECASE | re.VERBOSE,
)


def yes_or_no(text: str) -> Answer | None:
    r"""Answer of a reply.

    Returns
    -------
    {"Y", "N"} or None
        None if the text gives neither answer, or both, or is longer than 65,536 characters without its reasoning.
        Full-width letters are read as ASCII.

    Examples
    --------
    >>> yes_or_no("The answer is: **No**, because Article 5 asks for a deed.")
    'N'
    >>> yes_or_no("Article 5 asks for a deed. There was one.\nConclusion: Yes"), yes_or_no("I cannot say.")
    ('Y', None)
    >>> yes_or_no("答え：正しくない"), yes_or_no("はい。"), yes_or_no("<think>Yes?</think> No")
    ('N', 'Y', 'N')
    """
    text = split_reasoning(text).answer
    if len(text) > _LONGEST:
        return None
    text = _BLANKS.sub(" ", nfkc(text)).strip()
    values = json_answers(text)
    if values is not None:
        answers = {_single_answer(value) for value in values}
        return answers.pop() if len(answers) == 1 else None
    text = _QUOTATION.sub(
        lambda quoted: quoted[0] if _single_answer(quoted[0]) else " ", _IGNORED.sub(" ", _EMPHASIS.sub("", text))
    )
    labels = [*_LABEL.finditer(text)]
    text = text[labels[-1].end() :] if labels else text
    answers = set(_verdicts(text.strip(), is_labelled=bool(labels)))
    return answers.pop() if len(answers) == 1 and not _REFUSAL.search(text) else None


def _verdicts(text: str, *, is_labelled: bool) -> Iterator[Answer]:
    first = _JUDGEMENT.match(text)
    if first and not is_labelled and _is_discourse(first):
        first = None
    if first and not _ADVERSATIVE.match(text, first.end()) and _is_definite(text, first):
        yield _answer(first)
    for pattern in (_CONCLUDED, _SAID):
        yield from (_answer(found) for found in pattern.finditer(text) if _is_definite(text, found))
    yield from map(_answer, _LINE.finditer(text))


def _is_discourse(judgement: re.Match[str]) -> bool:
    return judgement[0].split()[-1].lower().strip("*_'\"") in _DISCOURSE_WORDS


def _is_definite(text: str, judgement: re.Match[str]) -> bool:
    """Whether a judgement ends its clause, without a condition and without the opposite after it."""
    end = _ENDS.match(text, judgement.end())
    if not end or _CONDITION.match(text, judgement.end()):
        return False
    following = _JUDGEMENT.match(text, end.end())
    return following is None or _answer(following) == _answer(judgement) or not _ENDS.match(text, following.end())


def _answer(judgement: re.Match[str]) -> Answer:
    groups = judgement.groupdict()
    return "Y" if groups["yes"] or groups.get("follows") or groups.get("true") else "N"


def begins_with_answer(text: str) -> bool:
    """Whether a reply begins with yes or no, so that it has an answer although its end is missing.

    Examples
    --------
    >>> begins_with_answer("**Yes**"), begins_with_answer("No, because Art"), begins_with_answer("No obligation")
    (True, True, False)
    """
    text = _EMPHASIS.sub("", _BLANKS.sub(" ", nfkc(text)).strip())
    if _single_answer(text):
        return True
    first = _JUDGEMENT.match(text)
    return bool(first and not _is_discourse(first) and _is_definite(text, first) and yes_or_no(text) == _answer(first))


def _single_answer(text: str) -> Answer | None:
    found = _LINE.fullmatch(nfkc(text).strip())
    return _answer(found) if found else None
