r"""Read the replies of language models: yes or no, rankings and selections of candidates, the probability of yes.

A reply is read strictly, because a wrong reading is an answer that the model did not give. Reasoning is left out. Then
the reply is JSON with the answer, or, behind the last label such as "Answer:", a text of a known form. Everything else
is refused, so that the question can be asked again.

Reasoning models write a block of reasoning before the answer. Servers without a reasoning parser, and models on this
machine, return it as part of the text. The blocks of these families are known: ``<think>`` (DeepSeek, Qwen and most
others), ``<thinking>``, ``<thought>``, ``<reasoning>``, ``<analysis>``, ``[THINK]`` (Magistral), ``◁think▷`` (Kimi),
``<|START_THINKING|>`` (Command), ``<|begin_of_thought|>`` (OpenThinker), and the channels of gpt-oss and Gemma, for
gpt-oss also without their special tokens (``analysis…assistantfinal…``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Literal, NamedTuple

from ir_coliee.text.japanese import nfkc

Answer = Literal["Y", "N"]

_LONGEST = 2**16  # characters without reasoning; a longer reply is no answer

# Reasoning and answer.

# a marker behind an opening quotation mark is a quotation, not the boundary of a block
_MARKER = re.compile(
    r"""(?<![\s(]["'`])(?<![“‘「『«])(?:
      <(?P<slash>/)?(?:seed:)?(?P<name>think(?:ing)?|thought|reasoning|analysis)(?:\s[^<>]{0,100})?>
    | (?P<opening>\[THINK\] | ◁think▷ | <\|START_THINKING\|> | <\|begin_of_thought\|> | <\|channel>thought)
    | (?P<closing>\[/THINK\] | ◁/think▷ | <\|END_THINKING\|> | <\|end_of_thought\|> | <channel\|>)
    | (?:<\|start\|>assistant)?<\|channel\|>(?:(?P<final>final)|\w+)
      [^<]{0,100}(?:<\|constrain\|>[^<]{0,100})?<\|message\|>
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_MARKER_TOKEN = re.compile(
    r"""\[/?THINK\] | ◁/?think▷ | </?(?:seed:)?think(?:ing)?> | <\|(?:START|END)_THINKING\|>
    | <\|(?:begin|end)_of_thought\|> | <\|(?:channel|message|start|constrain)\|> | <\|channel> | <channel\|>""",
    re.VERBOSE,
)
_BARE_CHANNEL = re.compile(r"\A\s*(?:assistant)?analysis|assistant(?:(?P<final>final)|analysis|commentary)")
_HAS_BARE_CHANNELS = re.compile(r"\s*(?:assistant)?analysis(?:[A-Z]|.*assistantfinal)", re.DOTALL)
_END_OF_MESSAGE = re.compile(r"<\|(?:end|return)\|>\Z")
_PROMPT, _TAG, _CHANNEL = "the block that the prompt opens", "a tag without a name", "a channel"


class SplitReply(NamedTuple):
    """A reply whose reasoning is kept apart.

    Attributes
    ----------
    reasoning : str
        The text up to the end of the last block of reasoning, without the markers of the blocks; empty without a block.
    answer : str
        The text after it; empty if a block does not end, as in a reply that was cut off at the token limit.
    """

    reasoning: str
    answer: str


def split_reasoning(text: str, *, opened: bool = False) -> SplitReply:
    r"""Separate the reasoning of a reply from its answer.

    Parameters
    ----------
    text : str
        The reply.
    opened : bool
        Whether the prompt ends within a block of reasoning; see `opens_reasoning`. A closing marker without an opening
        one ends such a block in any case.

    Returns
    -------
    SplitReply
        Reasoning and answer, without surrounding blanks. A reply without reasoning is returned unchanged.

    Examples
    --------
    >>> split_reasoning("<think>It is true at first sight.</think> No")
    SplitReply(reasoning='It is true at first sight.', answer='No')
    >>> split_reasoning("It is true at first sight.\n</think>\nNo").answer, split_reasoning("<think>It is").answer
    ('No', '')
    """
    start = answer_start(text, opened=opened)
    if start == 0:
        return SplitReply("", text)
    before, answer = (text, "") if start is None else (text[:start], text[start:])
    if _HAS_BARE_CHANNELS.match(text):
        before = _BARE_CHANNEL.sub("", before)
    return SplitReply(_MARKER.sub("", before).strip(), _END_OF_MESSAGE.sub("", answer.strip()).strip())


def answer_start(text: str, *, opened: bool = False) -> int | None:
    """Return the offset at which the answer of a reply begins; None if its reasoning does not end.

    Parameters
    ----------
    text, opened
        As in `split_reasoning`.

    Examples
    --------
    >>> answer_start("<think></think>No"), answer_start("No"), answer_start("<think>No")
    (15, 0, None)
    """
    blocks = [_PROMPT] if opened else []
    start = 0
    for marker in _markers(text):
        name, closes = _block(marker)
        if not closes:
            if (name, blocks[-1:]) != (_CHANNEL, [_CHANNEL]):  # a channel ends the channel before it
                blocks.append(name)
        elif blocks in ([], [_PROMPT], [name]):
            blocks = []
        elif blocks[-1] == name:
            blocks.pop()
        if not blocks:
            start = marker.end()
    return None if blocks else start


def opens_reasoning(prompt: str) -> bool:
    r"""Whether a prompt ends within a block of reasoning, so that the reply has no opening marker.

    Examples
    --------
    >>> opens_reasoning("<|assistant|><think>\n"), opens_reasoning("<|assistant|><think>\n\n</think>\n\n")
    (True, False)
    """
    end = prompt[-200:]
    markers = [*_MARKER.finditer(end)]
    return bool(markers) and not _block(markers[-1])[1] and not end[markers[-1].end() :].strip()


def _markers(text: str) -> list[re.Match[str]]:
    markers = [*_MARKER.finditer(text)]
    if _HAS_BARE_CHANNELS.match(text):
        markers = sorted([*markers, *_BARE_CHANNEL.finditer(text)], key=re.Match.start)
    return markers


def _block(marker: re.Match[str]) -> tuple[str, bool]:
    """Return the kind of block that a marker belongs to, and whether the marker closes it."""
    groups = marker.groupdict()
    if name := groups.get("name"):
        return name.lower().replace("thinking", "think"), bool(groups["slash"])
    if groups.get("opening") or groups.get("closing"):
        return _TAG, bool(groups["closing"])
    return _CHANNEL, bool(groups["final"])


def is_marker_token(token: str) -> bool:
    """Whether a special token of a tokenizer is part of a marker, so that it must not be removed from a reply.

    Examples
    --------
    >>> is_marker_token("[THINK]"), is_marker_token("<|channel|>"), is_marker_token("<|im_end|>")
    (True, True, False)
    """
    return bool(_MARKER_TOKEN.fullmatch(token))


# JSON, strictly: single quotes, missing quotes and further commas are no JSON.


class _Object(list[tuple[str, Any]]):
    """The fields of a JSON object with all its keys, also repeated ones."""


_FENCED = re.compile(r"```[a-z0-9]{0,9}\s*([{\[][^`]*)```", re.IGNORECASE)


def _parsed(text: str) -> Any:
    """Return the value of a text in JSON, None for another text."""
    try:
        return json.loads(text, object_pairs_hook=_Object)
    except (ValueError, RecursionError):
        return None


# Yes or no.


_KEYS = ("answer", "final_answer", "final answer", "conclusion", "verdict", "label", "答え", "回答", "解答", "結論")
_BLANKS = re.compile(r"[^\S\n]+")
_EMPHASIS = re.compile(r"\*{2,3}|_{2,3}")
_QUOTATION = re.compile(
    r""""[^"\n]{0,500}"|“[^”\n]{0,500}”|«[^»\n]{0,500}»|「[^」\n]{0,500}」|『[^』\n]{0,500}』|(?<!\w)'[^'\n]{0,500}'(?!\w)"""
)
_NO = (
    r"not\s(?:true|correct|right|entailed)|untrue|incorrect|false|wrong|no|non|faux|n"
    r"|does\snot\s(?:follow|hold)|doesn['’]t\s(?:follow|hold)"
    r"|正しくない|正しくありません|正しいとは[い言]えない|正しいとは[い言]えません|誤って(?:いる|います)|誤り"
    r"|間違[いっ](?:ている|ています)?|いいえ|偽|[×✕✗]|不正确|错误|不是|不对|否"
)
_YES = r"true|correct|right|entailed|yes|oui|vrai|y|follows|holds|正しい|はい|真|[○〇◯]|正确|是的|是|对"
_WORD = rf"(?:(?P<no>{_NO})|(?P<yes>{_YES}))"
_THEREFORE = (
    r"so|therefore|thus|hence|accordingly|consequently|in\sconclusion|in\sshort|overall|finally|actually|rather|and|but|wait"
    r"|no\swait|i\s(?:would\s)?say|よって|したがって|従って|ゆえに|以上より|以上から|つまり|しかし|結論として"
)
_STATEMENT = (
    r"(?:the|this|that|cette|l['’])\s?(?:given\s|above\s)?(?:statement|hypothesis|proposition|claim|affirmation)"
    r"(?:\s(?:is|est))?|it(?:['’]s|\sis)|that(?:['’]s|\sis)|a|(?:この|その|当該|本|上記の?)?(?:記述|命題|文章?|主張)は"
)
# a clause that says yes or no, unlike "No obligation arises", "No-fault liability" and "Yes or no"
_VERDICT = re.compile(
    rf"(?!\W{{0,9}}\[ \])[^\w?]{{0,9}}(?:x\]\s)?(?:(?:{_THEREFORE})\s?)?(?:(?:{_STATEMENT})\s?)?"
    rf"(?:(?:therefore|thus|indeed)\s)?[\W_]{{0,9}}{_WORD}"
    r"(?:です|だ|である|となる|と(?:考え|思い|言え|いえ|判断し|なり)(?:る|ます))?(?:[^\w?]|_){0,9}",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.](?![ ]?\d)|[!。\n]")
_CLAUSE_END = re.compile(r"[,;:、(<|]|\s[-–]\s|—|\s(?=(?:because|since|as|under|according|from)\b)", re.IGNORECASE)
# a clause that takes back a verdict of the same sentence, or makes it depend on something
_DOUBT = re.compile(
    r"""\W{0,9}(?:(?:if|unless|only|when|provided|except|but|however|yet|although|though|partly|in\spart|at\sfirst
    |prima|in\sprinciple|or|ou|si|mais|et|and\salso|(?:i\s)?(?:cannot|can['’]t|can\snot|could\snot|am\sunable))\b|か|ただし)""",
    re.IGNORECASE | re.VERBOSE,
)
_DISCOURSE_WORDS = ("right", "correct", "wrong")  # "Right, let me think"
_LETTERS = ("y", "n")  # of no word, unlike in "N.B."
_LABEL = re.compile(
    rf"""
      (?<!/)\b(?:answer|conclusion|verdict|label|réponse)\b[*_"'`)\]]{{0,4}}[ ]?
      (?:\(?\b(?:yes|no|y|n|true|false)\s?(?:or|/)\s?(?:yes|no|y|n|true|false)\b\)?[*_]{{0,2}}[ ]?)?(?:[:=>|—]|-[ >])
    | (?<!/)\b(?:answer|conclusion|verdict|réponse)[ ](?:is|est)\b(?=[\W_]{{0,9}}(?:(?:{_NO}|{_YES})(?!\w)))
    | ^[#*_ ]{{0,9}}(?:final[ ])?(?:answer|conclusion|verdict|réponse)[*_: ]{{0,4}}$
    | \\boxed\{{(?:\\text\{{)?
    | (?:答え?|答案|回答|解答|結論|结论|判定)[ ]?(?:は(?!い(?!い))|是(?=:)|[:=\->】\]*、—]|\n){{1,9}}
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)


def yes_or_no(text: str) -> Answer | None:
    r"""Answer of a reply.

    The answer is the field of a JSON object, such as ``{"answer": "no"}``; or a clause that says yes or no by itself,
    such as "Yes", "therefore no" or "the statement is not correct", after the last label such as "Answer:".

    Returns
    -------
    {"Y", "N"} or None
        None if the text gives neither answer, or both, or one with a condition, or if it is longer than 65,536
        characters without its reasoning. Full-width letters are read as ASCII.

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
    text = _normalised(text)
    values = _json_answers(text)
    if values is not None:
        answers = {_verdict(value) for value in values}
        return answers.pop() if len(answers) == 1 else None
    text = _QUOTATION.sub(lambda quoted: quoted[0] if _verdict(quoted[0]) else " ", text)
    labels = [*_LABEL.finditer(text)]
    text = (text[labels[-1].end() :] if labels else text).strip()
    sentences = _SENTENCE_END.split(text)
    answers = {answer for each in sentences for answer in _verdicts(each, is_alone=bool(labels), reply=text)}
    return answers.pop() if len(answers) == 1 else None


def _normalised(text: str) -> str:
    return _EMPHASIS.sub("", _BLANKS.sub(" ", nfkc(text)).strip())


def _json_answers(text: str) -> list[str] | None:
    """Return the answers of a reply that is JSON or has JSON in it; None for a reply without."""
    start, end = text.find("{"), text.rfind("}")
    fenced = _FENCED.search(text)
    value = _parsed(fenced[1] if fenced else text[start : end + 1] if 0 <= start < end and text[:1] != "[" else text)
    if not isinstance(value, list):  # neither an object nor several
        return [] if fenced or text[:1] == "{" or text[:2] in ('["', "[{") else None
    objects = [value] if isinstance(value, _Object) else [each for each in value if isinstance(each, _Object)]
    found = [field for each in objects for key, field in each if key.strip().lower() in _KEYS]
    return [json.dumps(field) if isinstance(field, bool) else str(field) for field in found]


def _verdicts(sentence: str, *, is_alone: bool, reply: str) -> Iterator[Answer | None]:
    """Yield the answers of a sentence, None for one that depends on a condition or is taken back."""
    clauses = [clause for clause in _CLAUSE_END.split(sentence) if clause and clause.strip()]
    found = [each for each in map(_VERDICT.fullmatch, clauses) if each and _counts(each, clauses, is_alone, reply)]
    if found and any(map(_DOUBT.match, clauses)):
        yield None
    yield from map(_answer, found)


def _counts(verdict: re.Match[str], clauses: Sequence[str], is_alone: bool, reply: str) -> bool:
    word = (verdict["yes"] or verdict["no"]).lower()
    if word in _LETTERS:
        return len(reply.strip("*_`'\"()[]{}<>\\. ")) == 1
    return word not in _DISCOURSE_WORDS or is_alone or len(clauses) == 1 or verdict[0].strip().lower() != word


def _verdict(text: str) -> Answer | None:
    """Return the answer of a text that has nothing else."""
    found = _VERDICT.fullmatch(_normalised(text))
    return _answer(found) if found else None


def _answer(verdict: re.Match[str]) -> Answer:
    return "Y" if verdict["yes"] else "N"


def begins_with_answer(text: str) -> bool:
    """Whether a reply begins with yes or no, so that it has an answer although its end is missing.

    Examples
    --------
    >>> begins_with_answer("**Yes**"), begins_with_answer("No, because Art"), begins_with_answer("No obligation")
    (True, True, False)
    """
    first = _verdict(_CLAUSE_END.split(_SENTENCE_END.split(_normalised(text))[0])[0])
    return first is not None and yes_or_no(text) == first


# Lists of candidates' numbers. A number that does not belong to the list would name another candidate.


class Refused(NamedTuple):
    """A reply that cannot be read with certainty.

    Attributes
    ----------
    reason : str
        Description of the problem, without the text of the reply.
    """

    reason: str


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


_NO_LIST = Refused("it is not a list of numbers")
# Letters, digits and brackets of full width become ASCII. NFKC would also join circled digits and powers to one number.
_FULL_WIDTH = {0xFF01 + offset: 0x21 + offset for offset in range(94)} | {0x3000: 0x20}
_LABEL_OF_LIST = re.compile(
    r"""^[ \t*#>_]{0,9}(?:
      (?:(?:sure|certainly|ok|okay)[,.!]{1,2}[ ])?(?:(?:here(?:['’]s|[ ]is)|this[ ]is)[ ])?
      (?:(?:the|my)[ ])?(?:final[ ])?(?:answer|ranking|ranked[ ]list|order|selection|result|list)(?:[ ]is)?[*_]{0,3}:
    | (?:最終的な)?(?:答え|回答|解答|順位|順番|ランキング|結果|選択)(?:は|[*_]{0,3}:)
    | <answer>
    )[*_]{0,3}""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_REASON = re.compile(
    r"(?<=[\])】])[ \t]*(?:[,;.][ \t]*)?\b(?:because|since)\b(?![^\n]*[\[【][0-9]).*\Z", re.IGNORECASE | re.DOTALL
)
_BULLET = re.compile(r"[-•・] ")
_ENUMERATION = re.compile(r"([0-9]{1,4})[.)] ")
_CANDIDATE = re.compile(r"(?:\bcandidates? |候補 ?)(?=[\[(【〔「『#]?[0-9])", re.IGNORECASE)
_NUMBER = re.compile(r"([\[(【〔「『#]?)([0-9]{1,40})([\])】〕」』]?)")
_BRACKETS = ("", "#", "[]", "()", "【】", "〔〕", "「」", "『』")
_RANKED = ("ranking", "order", "permutation"), re.compile(" ?(?:[-=]?>|→|≻|[,;、]) ?| ")
_SELECTED = ("selected", "selection", "answer"), re.compile(" ?(?:[,;、](?: ?and )?|and|&|および|及び|と) ?| ")
_NONE = re.compile(
    r"(?:none(?: of (?:them|the candidates|these candidates))?|no candidates?"
    "|(?:該当)?なし|該当する候補はありません)[.。]?",
    re.IGNORECASE,
)


def read_permutation(reply: str, number: int) -> Permutation | Refused:
    r"""Read the ranking of ``number`` candidates from a reply such as ``[2] > [1] > [3]``.

    A reply is read strictly, after the reasoning and after the last label such as "Ranking:": a list of numbers in
    JSON, or numbers such as ``[2]``, ``【2】`` or ``2``, all in the same brackets, between separators or one per line.
    A reason can follow, as in ``[2] > [1] because …``. Of a repeated number the first occurrence counts. A reply is
    refused if it contains anything else, if it has no number of a candidate, if at least half of its distinct numbers
    are not those of candidates, or if it has the number 0, because the model may have counted from 0.

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
    listed = _listed(_labelled(reply), number, *_RANKED)
    if isinstance(listed, Refused):
        return listed
    distinct = dict.fromkeys(listed)
    known = [each for each in distinct if each <= number]
    num_unknown = len(distinct) - len(known)
    if len(known) <= num_unknown:
        return Refused("too few of its numbers are those of candidates")
    missing = [each for each in range(1, number + 1) if each not in distinct]
    return Permutation((*known, *missing), len(missing), num_unknown)


def read_selection(reply: str, number: int) -> tuple[int, ...] | Refused:
    r"""Read which of ``number`` candidates a reply such as ``{"selected": [2, 5]}`` or ``[2], [5]`` selects.

    A reply is read strictly, in the forms of `read_permutation`, or a word for none such as "None" or 「該当なし」.
    Repeated numbers count once. A reply is refused if it contains anything else, such as a range, or a number that is
    not that of a candidate.

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
    text = _labelled(reply)
    if _NONE.fullmatch(text):
        return ()
    listed = _listed(text, number, *_SELECTED)
    if isinstance(listed, Refused):
        return listed
    if any(each > number for each in listed):
        return Refused("it has the number of no candidate")
    return tuple(sorted({*listed}))


def _labelled(reply: str) -> str:
    """Return the part of a reply that has to be a list: without reasoning, and after the last label."""
    text = split_reasoning(reply).answer.strip()
    if len(text) > _LONGEST:
        return text
    text = text.translate(_FULL_WIDTH)
    labels = [*_LABEL_OF_LIST.finditer(text)]
    text = text[labels[-1].end() :].removesuffix("</answer>").strip() if labels else text
    fenced = _FENCED.fullmatch(text)
    return fenced[1].strip() if fenced else _REASON.sub("", text)


def _listed(text: str, number: int, keys: Sequence[str], separator: re.Pattern[str]) -> list[int] | Refused:
    """Read a list of candidates' numbers, which may be repeated or above ``number``."""
    if not text or len(text) > _LONGEST:
        return Refused("it is too long" if text else "it has no answer")
    value = _parsed(text) if text[:1] in ("{", "[") else None
    if isinstance(value, _Object):
        named = [each for key, each in value if key.lower() in keys]
        if len(named) != 1 or any(isinstance(each, list) for key, each in value if key.lower() not in keys):
            return Refused("its JSON object does not have one list under a known key")
        value = named[0] if isinstance(named[0], list) else [None]
    numbers = _text_numbers(text, number, separator) if value is None else _json_numbers(value)
    if numbers is None:
        return _NO_LIST
    if 0 in numbers:
        return Refused("it has the number 0, but candidates are numbered from 1")
    if len(numbers) > 2 * number:
        return Refused("it has more than twice as many numbers as there are candidates")
    return numbers


def _json_numbers(values: Sequence[object]) -> list[int] | None:
    found = [_bracketed(each.strip()) if isinstance(each, str) else ("", each) for each in values]
    numbers = [each[1] for each in found if each and type(each[1]) is int and each[1] >= 0]
    return numbers if len(numbers) == len(values) else None


def _text_numbers(text: str, number: int, separator: re.Pattern[str]) -> list[int] | None:
    pieces = [separator.split(_CANDIDATE.sub("", line)) for line in _lines(text)]
    if any(len(parts) > 1 for parts in pieces):  # not one number per line
        if any(parts[-1] for parts in pieces[:-1]):  # and a line that does not continue, as in a table
            return None
        pieces = [*(parts[:-1] for parts in pieces[:-1]), *pieces[-1:]]
    found = [_bracketed(part) for parts in pieces for part in parts]
    known = [each for each in found if each]
    if not known or len(known) < len(found) or len({brackets for brackets, _ in known}) > 1:
        return None
    numbers = [each for _, each in known]
    is_closed = text.endswith((".", "。")) or len(known[-1][0]) == 2
    # otherwise the last number may be the beginning of that of another candidate
    others = () if is_closed else {*range(1, number + 1)} - {*numbers}
    return None if any(str(other).startswith(str(numbers[-1])) for other in others) else numbers


def _lines(text: str) -> list[str]:
    """Return the lines that are not blank, without emphasis, bullets, enumeration and the final full stop."""
    text = _BLANKS.sub(" ", text.replace("*", " ").replace("`", " ")).strip()
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


# The probability that the answer is yes, computed from the probabilities of the first token of the answer.

_YES_BEGINNINGS, _NO_BEGINNINGS = ("yes", "true", "はい", "正しい"), ("no", "false", "いいえ", "誤り")
_BEFORE_ANSWER = re.compile(r"[^\w○〇◯×✕✗]*(?:answer[^\w○〇◯×✕✗]*)?", re.IGNORECASE)


def token_answer(token: str) -> bool | None:
    r"""Return the answer that begins with a token: True for yes, False for no, None for neither or for both.

    Examples
    --------
    >>> token_answer(" Yes"), token_answer("fal"), token_answer("い"), token_answer("Perhaps"), token_answer("\n")
    (True, False, False, None, None)
    """
    prefix = token.strip().casefold()
    may_be_yes, may_be_no = (
        any(word.startswith(prefix) for word in words) for words in (_YES_BEGINNINGS, _NO_BEGINNINGS)
    )
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
