"""References of one article to others in the text of a code, Japanese and English.

An article is named by number (第五条, ``Article 5``), by position (前二条, ``the preceding Article``), as
lying between two ends (第五条から第九条まで, ``Articles 5 through 9``) or as part of a unit of the code
(前章第一節第二款, ``this Section``). What a name stands for depends on where the article that says it
stands; `ir_coliee.datasets.references` finds that out, over all articles of a code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from ir_coliee.text.statutes import kanji_to_int

#: The units of a code, the largest first.
LEVELS = ("part", "chapter", "section", "subsection", "division")


@dataclass(frozen=True)
class Number:
    """An article by its number in arabic digits, ``398-2``."""

    number: str


@dataclass(frozen=True)
class Relative:
    """Neighbouring articles: ``offset`` -2 is the two before, 1 the next."""

    offset: int


@dataclass(frozen=True)
class Step:
    """A unit of a `level`: the one of this number, or the neighbours by ``offset`` (0 the unit one stands in)."""

    level: str
    number: str = ""
    offset: int = 0


@dataclass(frozen=True)
class Unit:
    """A unit of the code, from the largest step to the smallest."""

    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Range:
    """All articles from one end to the other, both included."""

    first: Number | Relative | Unit
    last: Number | Relative | Unit


Name = Number | Relative | Unit | Range


class Mention(NamedTuple):
    """A reference in a text.

    ``words`` are those of the text, from character ``start`` on. ``mutatis_mutandis`` marks what the
    sentence applies mutatis mutandis; ``exceptions`` are the articles that a bracket behind takes out.
    """

    name: Name
    words: str
    start: int
    mutatis_mutandis: bool
    exceptions: tuple[Name, ...] = ()


def mentions(text: str, language: str) -> list[Mention]:
    """The references in a text to other articles of the same code, in order.

    ``language`` is ``ja`` or ``en``. Left out are articles and units of other laws with the numbers joined
    to them (仲裁法第二条又は第三条), the article itself (この条, ``this Article``), its paragraphs and items (前項),
    and positions in quoted words, which are those of another article. 同条 and ``that Article`` repeat the
    article named before.

    Mutatis mutandis are the references that stand, as one list, directly before の規定は … 準用する or
    の規定を準用する, or directly behind 準用する; in English, those directly before ``apply mutatis
    mutandis``, or behind ``provisions of`` in its clause; in both, those that a bracket calls so (準用).
    What they are applied to (第九条の場合について) is not.

    >>> [(m.name, m.mutatis_mutandis) for m in mentions("前条の規定は、第九条の場合について準用する。", "ja")]
    [(Relative(offset=-1), True), (Number(number='9'), False)]
    >>> [m.name for m in mentions("Articles 5 through 9 apply, except Article 3 of the Ferry Act.", "en")]
    [Range(first=Number(number='5'), last=Number(number='9'))]
    """
    grammar = _ENGLISH if language == "en" else _JAPANESE
    found: list[_Found] = []
    for passage in _passages(text, grammar):
        # a bracket inside a reference to another law speaks of that law
        if any(one.other and one.start <= passage.start < one.reach for one in found):
            continue
        inside = _in_passage(passage, grammar)
        if inside and grammar.exception.fullmatch(_without(passage, inside)):
            _except(found, inside, text[: passage.start], grammar)
        found += inside
    for one in found:
        one.applied = one.applied or bool(_APPLIED_IN_BRACKET.search(text, one.end, one.reach))
    found.sort(key=lambda one: one.start)
    return [
        Mention(one.name, one.words or text[one.start : one.end], one.start, one.applied, tuple(one.exceptions))
        for one in _repeats_resolved(found)
        if one.name and not one.other
    ]


def unit_number(heading: str) -> str:
    """The number of a heading of either language in arabic digits, empty where it has none.

    >>> unit_number("第三節の二　灯"), unit_number("Part IV Lamps"), unit_number("Section 2-3 Gates")
    ('3-2', '4', '2-3')
    """
    if found := re.match(_JA_STEP, heading):
        return _japanese_step(found[0]).number
    found = re.match(rf"{_EN_UNIT}\s+({_EN_UNIT_NUMBER})", heading)
    return _english_number(found[1]) if found else ""


# --- what both languages share ---------------------------------------------------------------------

_APPLIED_IN_BRACKET = re.compile(r"[（(](?:準用|mutatis mutandis)[）)]")


@dataclass
class _Found:
    """A name in the text; without ``name`` it repeats the article before. ``reach`` is where its details end.

    ``words`` are given where those of the text do not stand alone (the 2 of ``Sections 1 and 2``).
    """

    start: int
    end: int
    name: Name | None
    other: bool = False
    applied: bool = False
    exceptions: Sequence[Name] = ()
    reach: int = 0
    words: str = ""


class _Passage(NamedTuple):
    """A text, or what stands in a bracket or in quotes, with the brackets inside it blanked out."""

    start: int
    words: str
    quoted: bool


@dataclass(frozen=True)
class _Grammar:
    closers: dict[str, str]  # of brackets and quotes
    quotes: frozenset[str]
    names: re.Pattern[str]
    read: Callable[[re.Match[str]], Iterator[_Found]]
    details: re.Pattern[str]  # paragraph and item, behind a name
    joint: re.Pattern[str]  # between names of one list
    loose_joint: re.Pattern[str]  # the same, with "the provisions of" repeated
    from_to: re.Pattern[str]  # between the ends of a range
    to_end: re.Pattern[str]  # behind the last end
    other_before: re.Pattern[str]  # the words that give a name to another law
    other_after: re.Pattern[str]
    exception: re.Pattern[str]  # what a bracket that takes articles out says beside their names
    host: re.Pattern[str]  # between the name taken out from and such a bracket
    applied: Callable[[str, list[list[_Found]]], Iterator[list[_Found]]]
    shared_step_follows: bool  # "Section 1 and Section 2 of Chapter 3" against 第三章第一節及び第二節


def _passages(text: str, grammar: _Grammar) -> list[_Passage]:
    """The text and the contents of its brackets, outer ones first. A bracket left open ends with the text."""
    passages: list[_Passage] = []
    opened: list[tuple[int, str, list[str]]] = [(0, "", [])]
    at = 0

    def close(end: int) -> None:
        start, mark, pieces = opened.pop()
        passages.append(_Passage(start, "".join([*pieces, text[at:end]]), mark in grammar.quotes))
        if opened:
            opened[-1][2].append(" " * (end - start))

    for found in re.finditer(f"[{re.escape(''.join(grammar.closers) + ''.join(grammar.closers.values()))}]", text):
        mark, place = found[0], found.start()
        if mark == grammar.closers.get(opened[-1][1]):
            close(place)
            at = place
        elif mark in grammar.closers:
            opened[-1][2].append(text[at : place + 1])
            opened.append((place + 1, mark, []))
            at = place + 1
    while opened:
        close(len(text))
        at = len(text)
    return sorted(passages)


def _in_passage(passage: _Passage, grammar: _Grammar) -> list[_Found]:
    """The names in a passage, those of other laws marked, at their places in the whole text."""
    words = passage.words
    found = [one for match in grammar.names.finditer(words) for one in grammar.read(match)]
    if passage.quoted:
        found = [one for one in found if isinstance(one.name, Number)]
    for one in found:
        details = grammar.details.match(words, one.end)
        one.reach = details.end() if details else one.end
    for run in _lists(found, words, grammar.joint, grammar.from_to):
        _mark_other_laws(run, words, grammar)
        _share_steps(run, grammar)
    found = _ranges_folded(found, words, grammar)
    for group in grammar.applied(words, _lists(found, words, grammar.loose_joint)):
        for one in group:
            one.applied = True
    for one in found:
        one.start, one.end, one.reach = (place + passage.start for place in (one.start, one.end, one.reach))
    return found


def _lists(found: Sequence[_Found], words: str, *joints: re.Pattern[str]) -> list[list[_Found]]:
    """The names in lists: each is joined to the one before."""
    lists: list[list[_Found]] = []
    for one in found:
        if lists and any(joint.fullmatch(words, lists[-1][-1].end, one.start) for joint in joints):
            lists[-1].append(one)
        else:
            lists.append([one])
    return lists


def _mark_other_laws(run: list[_Found], words: str, grammar: _Grammar) -> None:
    """Mark the names of another law: from the first with a law before it on, or all with a law behind the last."""
    law_behind = grammar.other_after.match(words, run[-1].end)
    if law_behind:
        run[-1].reach = law_behind.end()
    other = bool(law_behind)
    for one in run:
        if isinstance(one.name, Relative):
            continue
        # no name of a law is longer than this
        other = other or bool(grammar.other_before.search(words[max(0, one.start - 200) : one.start]))
        one.other = other


def _share_steps(run: list[_Found], grammar: _Grammar) -> None:
    """Give the larger units that are written once in a list to all its names."""
    for one, neighbour in pairwise(reversed(run) if grammar.shared_step_follows else run):
        if isinstance(one.name, Unit) and isinstance(neighbour.name, Unit) and neighbour.name.steps[0].number:
            first = neighbour.name.steps[0].level
            levels = [step.level for step in one.name.steps]
            if first in levels:
                neighbour.name = Unit(one.name.steps[: levels.index(first)] + neighbour.name.steps)


def _ranges_folded(found: list[_Found], words: str, grammar: _Grammar) -> list[_Found]:
    folded: list[_Found] = []
    for one in found:
        before = folded[-1] if folded else None
        if (
            before
            and isinstance(before.name, Number | Relative | Unit)
            and isinstance(one.name, Number | Relative | Unit)
            and isinstance(before.name, Unit) == isinstance(one.name, Unit)
            and grammar.from_to.fullmatch(words, before.end, one.start)
            and grammar.to_end.match(words, one.end)
        ):
            folded[-1] = replace(one, start=before.start, name=Range(before.name, one.name), words="")
        else:
            folded.append(one)
    return folded


def _without(passage: _Passage, found: Iterable[_Found]) -> str:
    """The words of a passage beside its names."""
    rest, at = "", 0
    for one in found:
        rest += passage.words[at : one.start - passage.start]
        at = one.end - passage.start
    return rest + passage.words[at:]


def _except(found: list[_Found], exceptions: Iterable[_Found], before: str, grammar: _Grammar) -> None:
    """Take articles out of the name that their bracket stands behind."""
    for host in found:
        if grammar.host.fullmatch(before, host.end):
            host.exceptions = [one.name for one in exceptions if one.name and not one.other]


def _repeats_resolved(found: Iterable[_Found]) -> Iterator[_Found]:
    """The names, with 同条 replaced by the article that was named last; nothing where none was."""
    last: _Found | None = None
    for one in found:
        if one.name is None:
            if last:
                yield replace(one, name=last.name.last if isinstance(last.name, Range) else last.name, other=last.other)
        else:
            if not isinstance(one.name, Unit):
                last = one
            yield one


# --- Japanese --------------------------------------------------------------------------------------

_K = "[〇一二三四五六七八九十百千]"
_N = f"{_K}{{1,12}}"  # no numeral is longer
_NOT_IN_COMPOUND = "(?<![一-龥])"  # 事前条件, 日本款
# 枝番号 begin at 二; the counters are for 前二条の二人
_JA_BRANCH = rf"(?:の(?!一(?!{_K})){_N}(?![〇一二三四五六七八九十百千人個つ分者箇名以]))*"
_JA_BRACKET = "[（(][^（）()]*[）)]"
_JA_CONNECTIVE = "(?:、|及び|又は|若しくは|並びに|、?かつ)"
_JA_DETAILS = (
    rf"(?:(?:{_JA_CONNECTIVE}|から)?(?:第{_N}[項号]{_JA_BRANCH}|[前次同](?:{_N})?[項号]|[前次]?各[項号])"
    rf"|本文|ただし書|前段|後段|まで|{_JA_BRACKET})*"
)
_JA_LEVEL = dict(zip("編章節款目", LEVELS))
_JA_UNIT = "[編章節款目](?![的次録標])"
_JA_NUMBERED_STEP = rf"第{_N}{_JA_UNIT}{_JA_BRANCH}"
_JA_STEP = rf"(?:{_JA_NUMBERED_STEP}|(?:この|{_NOT_IN_COMPOUND}(?:本|同|[前次](?:{_N})?)){_JA_UNIT})"
_JA_NAMES = re.compile(
    rf"第(?P<number>{_N})条(?P<branches>{_JA_BRANCH})"
    rf"|{_NOT_IN_COMPOUND}(?P<side>[前次])(?P<count>(?:{_N})?)条(?![件例約理])"
    rf"|(?P<same>同条)(?![件例約理])"
    rf"|(?P<unit>{_JA_STEP}(?:(?:{_JA_BRACKET})?{_JA_NUMBERED_STEP})*)"
)
_JA_APPLIED_BEFORE = re.compile("準用(?:する|される|した)$")
_JA_APPLIED_AFTER = re.compile(
    rf"{_JA_DETAILS}(?:の規定)?(?:{_JA_BRACKET})?"
    r"(?:は(?:(?!適用[しせす])[^。\n])*(?<!を)準用(?:(?:する|される)(?=[。\n]|$)|し、|され、)"
    r"|を(?:(?!適用|規定)[^。\n])*準用(?:す|し(?!な)|され(?!な)))"
)


def _japanese_names(match: re.Match[str]) -> Iterator[_Found]:
    name: Name | None = None
    if match["number"]:
        name = Number(_arabic(match["number"], match["branches"]))
    elif match["side"]:
        count = kanji_to_int(match["count"]) if match["count"] else 1
        name = Relative(-count if match["side"] == "前" else count)
    elif match["unit"]:
        steps = re.findall(_JA_STEP, match["unit"])
        if steps[0][0] == "同":
            return
        name = Unit(tuple(_japanese_step(step) for step in steps))
    yield _Found(*match.span(), name)


def _arabic(number: str, branches: str) -> str:
    """A number and its branches (の二の三) in arabic digits."""
    return "-".join(str(kanji_to_int(numeral)) for numeral in [number, *branches.split("の")[1:]])


def _japanese_step(words: str) -> Step:
    if words[0] == "第":
        number, level, branches = re.split("([編章節款目])", words[1:], maxsplit=1)
        return Step(_JA_LEVEL[level], number=_arabic(number, branches))
    count = kanji_to_int(words[1:-1]) if words[0] in "前次" and words[1:-1] else 1
    return Step(_JA_LEVEL[words[-1]], offset={"前": -count, "次": count}.get(words[0], 0))


def _japanese_applied(words: str, groups: list[list[_Found]]) -> Iterator[list[_Found]]:
    for group in groups:
        before = words[max(0, group[0].start - 10) : group[0].start]
        if _JA_APPLIED_BEFORE.search(before) or _JA_APPLIED_AFTER.match(words, group[-1].end):
            yield group


_JAPANESE = _Grammar(
    closers={"（": "）", "(": ")", "「": "」"},
    quotes=frozenset("「"),
    names=_JA_NAMES,
    read=_japanese_names,
    details=re.compile(_JA_DETAILS),
    joint=re.compile(rf"{_JA_DETAILS}{_JA_CONNECTIVE}"),
    loose_joint=re.compile(rf"{_JA_DETAILS}(?:の規定)?{_JA_CONNECTIVE}"),
    from_to=re.compile(rf"{_JA_DETAILS}から"),
    to_end=re.compile(rf"{_JA_DETAILS}(?<=まで)"),
    # 民法 and 本法 are the code itself; behind a bracket a number can only be that of the law before it
    other_before=re.compile(rf"(?:(?:(?<![民本])法律?|令|規則|条約|条例|協定|附則|号)(?:{_JA_BRACKET})?|[）)])$"),
    other_after=re.compile(r"(?!)"),
    exception=re.compile(rf"(?:{_JA_CONNECTIVE}|から|まで)*(?:の規定)?を除く。?"),
    host=re.compile(rf"{_JA_DETAILS}(?:の規定)?[（(]"),
    applied=_japanese_applied,
    shared_step_follows=False,
)

# --- English ---------------------------------------------------------------------------------------

_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50}
_EN_NUMBER = r"[0-9]{1,5}(?:-[0-9]{1,5})*\b(?!-\d)"
_EN_BRACKET = r"\([^()]*\)"
_EN_COUNT = f"(?:{'|'.join(_COUNTS)})"
_EN_SIDE = "(?:preceding|following|next)"
# how many "the preceding Articles" are is not said
_EN_NEAR = (
    rf"(?:[Tt]he\s+)?(?:{_EN_SIDE}\s+(?:{{0}})|(?:{_EN_COUNT}\s+{_EN_SIDE}|{_EN_SIDE}\s+{_EN_COUNT})\s+(?:{{0}})s)\b"
)
_EN_UNIT = r"(?:Part|Chapter|Section|Subsection|Division)"
_EN_UNIT_NUMBER = r"(?:[IVXL]{1,9}|[0-9]{1,3})(?:-[0-9]{1,3})?\b"
_EN_SAME = r"(?:[Tt]he\s+same|[Tt]hat|[Ss]aid)"
_EN_STEP = rf"(?:(?:[Tt]his|{_EN_SAME})\s+{_EN_UNIT}\b|{_EN_NEAR.format(_EN_UNIT)}|{_EN_UNIT}\s+{_EN_UNIT_NUMBER})"
# "Articles 5 and 30 days" has one article
_EN_NO_TIME = r"(?!\s+(?:days?|weeks?|months?|years?|percent))"
_EN_MORE = rf"(?:,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|through|to)\s+)(?:{{0}}){_EN_NO_TIME}"
_EN_NAMES = re.compile(
    rf"\b(?:Article\s+{_EN_NUMBER}(?:\s+or\s+{_EN_NUMBER}{_EN_NO_TIME})*"
    rf"|Articles\s+{_EN_NUMBER}(?:{_EN_MORE.format(_EN_NUMBER)})*)"
    rf"|\b(?P<relative>{_EN_NEAR.format('Article')})"
    rf"|\b(?P<same>{_EN_SAME}\s+Article\b)"
    rf"|\b(?P<units>{_EN_UNIT}s\s+{_EN_UNIT_NUMBER}(?:{_EN_MORE.format(_EN_UNIT_NUMBER)})*)"
    rf"(?P<within>(?:\s*{_EN_BRACKET})?(?:,?\s+of\s+{_EN_STEP})*)"
    rf"|\b(?P<unit>{_EN_STEP}(?:(?:\s*{_EN_BRACKET})?(?:,?\s+(?:of\s+)?){_EN_STEP})*)"
)
_EN_CLAUSE = r"(?:(?:first|second|third|last|main|latter|former)\s+(?:sentence|clause|part|half)|proviso)"
_EN_DETAILS = (
    rf"(?:,?\s*(?:(?:paragraphs?|items?|and|or|through|to)\s+)*{_EN_BRACKET}|,?\s+(?:and\s+|or\s+)?the\s+{_EN_CLAUSE})*"
)
_EN_MARKS = rf"(?:paragraphs?|items?)\s+{_EN_BRACKET}(?:(?:,|\s+(?:and|or|through|to))*\s+{_EN_BRACKET})*"
_EN_DETAILS_OF = rf"(?:(?:the\s+)?(?:{_EN_MARKS}|{_EN_CLAUSE})\s+(?:of|to)\s+)*"
_EN_CONNECTIVE = r"(?:,|,?\s+and|,?\s+or|,?\s+as\s+well\s+as)\s+"
_EN_PROVISIONS = r"(?:[Tt]he\s+)?[Pp]rovisions\s+of\s+"
_EN_LAW = r"(?:Act|Code|Law|Constitution|Ordinance|Order|Decree|Rules?|Regulations?|Convention|Treaty|Provisions)\b"
_EN_IN_LAW_NAME = r"(?:the|that|said|same|on|of|for|and|to|in|concerning|relating|regarding|[A-Z][\w'’&-]*)"
_EN_MUTATIS_MUTANDIS = r"appl(?:y|ies|ied)\s*,?\s*mutatis\s+mutandis"
_EN_APPLIED = re.compile(rf"{_EN_DETAILS}(?:\s+(?:shall|also|as|is|are|to|be))*\s+{_EN_MUTATIS_MUTANDIS}")
_EN_PROVISIONS_BEFORE = re.compile(rf"{_EN_PROVISIONS}{_EN_DETAILS_OF}$")
_EN_PROVISIONS_APPLIED = re.compile(rf"{_EN_DETAILS}(?:(?!\bnot\b)[^.;,\n])*\s{_EN_MUTATIS_MUTANDIS}")


def _english_names(match: re.Match[str]) -> Iterator[_Found]:
    if match["same"]:
        yield _Found(*match.span(), None)
    elif match["relative"]:
        yield _Found(*match.span(), Relative(_english_offset(match["relative"])))
    elif match["unit"]:
        yield from _english_chains(match)
    elif match["units"]:
        yield from _english_unit_list(match)
    else:
        for start, end, number in _numbers_of_list(match, match.end(), _EN_NUMBER):
            yield _Found(start, end, Number(number))


def _numbers_of_list(match: re.Match[str], end: int, number: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and digits of each number; the first begins with the word before the list, the last ends the match."""
    found = list(re.compile(rf"\b{number}").finditer(match.string, match.start(), end))
    starts = [match.start(), *(one.start() for one in found[1:])]
    ends = [*(one.end() for one in found[:-1]), match.end()]
    return zip(starts, ends, (one[0] for one in found))


def _english_unit_list(match: re.Match[str]) -> Iterator[_Found]:
    noun = match["units"].split("s", maxsplit=1)[0]
    if re.search(_EN_SAME, match["within"]):
        return
    larger = [_english_step(step[0]) for step in re.finditer(_EN_STEP, match["within"])]
    for start, end, number in _numbers_of_list(match, match.end("units"), _EN_UNIT_NUMBER):
        steps = [Step(noun.lower(), number=_english_number(number)), *larger]
        yield _Found(start, end, _unit(steps), words=f"{noun} {number}{match['within']}")


def _english_chains(match: re.Match[str]) -> Iterator[_Found]:
    """The units of a row of steps; a level that comes again begins a new unit. ``That Section`` names none anew."""
    chains: list[list[re.Match[str]]] = [[]]
    for step in re.compile(_EN_STEP).finditer(match.string, *match.span()):
        level = _english_step(step[0]).level
        if any(_english_step(other[0]).level == level for other in chains[-1]):
            chains.append([])
        chains[-1].append(step)
    for chain in chains:
        if not any(re.match(_EN_SAME, step[0]) for step in chain):
            yield _Found(chain[0].start(), chain[-1].end(), _unit(_english_step(step[0]) for step in chain))


def _unit(steps: Iterable[Step]) -> Unit:
    return Unit(tuple(sorted(steps, key=lambda step: LEVELS.index(step.level))))


def _english_step(words: str) -> Step:
    level = next(level for level in LEVELS if level.capitalize() in words)
    if numbered := re.fullmatch(rf"{_EN_UNIT}\s+({_EN_UNIT_NUMBER})", words):
        return Step(level, number=_english_number(numbered[1]))
    return Step(level, offset=_english_offset(words))


def _english_offset(words: str) -> int:
    """How many before (negative) or behind; 0 for ``this``."""
    side = re.search(_EN_SIDE, words)
    if not side:
        return 0
    count = next((_COUNTS[word] for word in words.split() if word in _COUNTS), 1)
    return -count if side[0] == "preceding" else count


def _english_number(number: str) -> str:
    """A number with its roman numeral in arabic digits."""
    main, *branches = number.split("-")
    if main[0] in _ROMAN:
        values = [_ROMAN[letter] for letter in main]
        main = str(sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0])))
    return "-".join([main, *branches])


def _english_applied(words: str, groups: list[list[_Found]]) -> Iterator[list[_Found]]:
    taken = 0  # what stands between "provisions of" and the verb belongs to another name's clause
    for group in groups:
        start, end = group[0].start, group[-1].end
        if start < taken:
            continue
        if _EN_PROVISIONS_BEFORE.search(words[max(0, start - 200) : start]):
            clause = _EN_PROVISIONS_APPLIED.match(words, end)
        else:
            clause = _EN_APPLIED.match(words, end)
        if clause:
            taken = clause.end()
            yield group


_ENGLISH = _Grammar(
    closers={"(": ")", "“": "”", '"': '"'},
    quotes=frozenset('“"'),
    names=_EN_NAMES,
    read=_english_names,
    details=re.compile(_EN_DETAILS),
    joint=re.compile(rf"{_EN_DETAILS}{_EN_CONNECTIVE}{_EN_DETAILS_OF}"),
    loose_joint=re.compile(rf"{_EN_DETAILS}{_EN_CONNECTIVE}(?:{_EN_PROVISIONS})?{_EN_DETAILS_OF}"),
    from_to=re.compile(rf"{_EN_DETAILS},?\s+(?:through|to|until)\s+{_EN_DETAILS_OF}"),
    to_end=re.compile(""),
    other_before=re.compile(
        rf"(?<!Civil )(?<!this ){_EN_LAW}(?:\s+No\.\s*\d+(?:\s+of\s+\d+)?)?(?:\s*{_EN_BRACKET})?,?\s+$"
    ),
    other_after=re.compile(
        rf"{_EN_DETAILS},?\s+of\s+(?!(?:this|the\s+Civil)\s+(?:Code|Act|Law))"
        rf"(?:(?:{_EN_IN_LAW_NAME}|{_EN_BRACKET}),?\s+)*?{_EN_LAW}(?:\s*{_EN_BRACKET})*"
    ),
    exception=re.compile(
        rf"(?:excluding|except(?:\s+for)?)\s+(?:{_EN_PROVISIONS})?(?:,|and|or|through|to|\s)*(?:{_EN_PROVISIONS})?"
    ),
    host=re.compile(rf"{_EN_DETAILS}\s*\("),
    applied=_english_applied,
    shared_step_follows=True,
)
