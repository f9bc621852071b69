"""Grammar of references between articles in English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ir_coliee.text.numerals import roman_to_int
from ir_coliee.text.references.grammar import Found, Grammar, Number, Relative, Step, Unit
from ir_coliee.text.statutes import LEVELS

_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_NUMBER = r"[0-9]{1,5}(?:-[0-9]{1,5})*\b(?!-\d)"
_BRACKET = r"\([^()]*\)"
_COUNT = f"(?:{'|'.join(_COUNTS)})"
_SIDE = "(?:preceding|following|next)"
# how many "the preceding Articles" are is not said
_NEAR = rf"(?:[Tt]he\s+)?(?:{_SIDE}\s+(?:{{0}})|(?:{_COUNT}\s+{_SIDE}|{_SIDE}\s+{_COUNT})\s+(?:{{0}})s)\b"
_UNIT = r"(?:Part|Chapter|Section|Subsection|Division)"
_UNIT_NUMBER = r"(?:[IVXL]{1,9}|[0-9]{1,3})(?:-[0-9]{1,3})?\b"
_SAME = r"(?:[Tt]he\s+same|[Tt]hat|[Ss]aid)"
_STEP = rf"(?:(?:[Tt]his|{_SAME})\s+{_UNIT}\b|{_NEAR.format(_UNIT)}|{_UNIT}\s+{_UNIT_NUMBER})"
# "Articles 5 and 30 days" has one article
_NO_TIME = r"(?!\s+(?:days?|weeks?|months?|years?|percent))"
_MORE = rf"(?:,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|through|to)\s+)(?:{{0}}){_NO_TIME}"
_NAMES = re.compile(
    rf"\b(?:Article\s+{_NUMBER}(?:\s+or\s+{_NUMBER}{_NO_TIME})*"
    rf"|Articles\s+{_NUMBER}(?:{_MORE.format(_NUMBER)})*)"
    rf"|\b(?P<relative>{_NEAR.format('Article')})"
    rf"|\b(?P<same>{_SAME}\s+Article\b)"
    rf"|\b(?P<units>{_UNIT}s\s+{_UNIT_NUMBER}(?:{_MORE.format(_UNIT_NUMBER)})*)"
    rf"(?P<within>(?:\s*{_BRACKET})?(?:,?\s+of\s+{_STEP})*)"
    rf"|\b(?P<unit>{_STEP}(?:(?:\s*{_BRACKET})?(?:,?\s+(?:of\s+)?){_STEP})*)"
)
_CLAUSE = r"(?:(?:first|second|third|last|main|latter|former)\s+(?:sentence|clause|part|half)|proviso)"
_DETAILS = (
    rf"(?:,?\s*(?:(?:paragraphs?|items?|and|or|through|to)\s+)*{_BRACKET}|,?\s+(?:and\s+|or\s+)?the\s+{_CLAUSE})*"
)
_MARKS = rf"(?:paragraphs?|items?)\s+{_BRACKET}(?:(?:,|\s+(?:and|or|through|to))*\s+{_BRACKET})*"
_DETAILS_OF = rf"(?:(?:the\s+)?(?:{_MARKS}|{_CLAUSE})\s+(?:of|to)\s+)*"
_CONNECTIVE = r"(?:,|,?\s+and|,?\s+or|,?\s+as\s+well\s+as)\s+"
_PROVISIONS = r"(?:[Tt]he\s+)?[Pp]rovisions\s+of\s+"
_LONGEST_WITHIN = 200  # characters; each unit of a list is followed by the larger units
_LAW = r"(?:Act|Code|Law|Constitution|Ordinance|Order|Decree|Rules?|Regulations?|Convention|Treaty|Provisions)\b"
_IN_LAW_NAME = r"(?:the|that|said|same|on|of|for|and|to|in|concerning|relating|regarding|[A-Z][\w'’&-]*)"
# hereinafter referred to as "lender" in | the same applies hereinafter in; what stands in quotes is blank
_HEREINAFTER = (
    r"\b[Hh]ereinafter(?:,?\s+(?:the|same|shall|appl(?:y|ies)|is|are|to|also|simply|collectively|respectively|referred|as|an?"
    r'|and|or|[“"]\s*[”"]))*,?\s+in\s+$'
)
_MUTATIS_MUTANDIS = r"appl(?:y|ies|ied)\s*,?\s*mutatis\s+mutandis"
_APPLIED = re.compile(rf"{_DETAILS}(?:\s+(?:shall|also|as|is|are|to|be))*\s+{_MUTATIS_MUTANDIS}")
_PROVISIONS_BEFORE = re.compile(rf"{_PROVISIONS}{_DETAILS_OF}$")
_PROVISIONS_APPLIED = re.compile(rf"{_DETAILS}(?:(?!\bnot\b)[^.;,\n]){{0,500}}\s{_MUTATIS_MUTANDIS}")


def _names(match: re.Match[str]) -> Iterator[Found]:
    if match["same"]:
        yield Found(*match.span(), None)
    elif match["relative"]:
        yield Found(*match.span(), Relative(_offset(match["relative"])))
    elif match["unit"]:
        yield from _chains(match)
    elif match["units"]:
        yield from _unit_list(match)
    else:
        for start, end, number in _numbers_of_list(match, match.end(), _NUMBER):
            yield Found(start, end, Number(number))


def _numbers_of_list(match: re.Match[str], end: int, number: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and digits of each number of a list; the first includes the word before the list."""
    found = list(re.compile(rf"\b{number}").finditer(match.string, match.start(), end))
    starts = [match.start(), *(one.start() for one in found[1:])]
    ends = [*(one.end() for one in found[:-1]), match.end()]
    return zip(starts, ends, (one[0] for one in found))


def _unit_list(match: re.Match[str]) -> Iterator[Found]:
    noun = match["units"].split(maxsplit=1)[0].removesuffix("s")
    within = match["within"][:_LONGEST_WITHIN]
    if re.search(_SAME, within):
        return
    larger = [_step(step[0]) for step in re.finditer(_STEP, within)]
    for start, end, number in _numbers_of_list(match, match.end("units"), _UNIT_NUMBER):
        steps = [Step(noun.lower(), number=_arabic(number)), *larger]
        yield Found(start, end, _unit(steps), words=f"{noun} {number}{within}")


def _chains(match: re.Match[str]) -> Iterator[Found]:
    """Units of a sequence of steps. A repeated level begins a new unit; ``that Section`` is skipped."""
    chains: list[list[re.Match[str]]] = [[]]
    for step in re.compile(_STEP).finditer(match.string, *match.span()):
        level = _step(step[0]).level
        if any(_step(other[0]).level == level for other in chains[-1]):
            chains.append([])
        chains[-1].append(step)
    for chain in chains:
        if not any(re.match(_SAME, step[0]) for step in chain):
            yield Found(chain[0].start(), chain[-1].end(), _unit(_step(step[0]) for step in chain))


def _unit(steps: Iterable[Step]) -> Unit:
    return Unit(tuple(sorted(steps, key=lambda step: LEVELS.index(step.level))))


def _step(words: str) -> Step:
    level = next(level for level in LEVELS if level.capitalize() in words)
    if numbered := re.fullmatch(rf"{_UNIT}\s+({_UNIT_NUMBER})", words):
        return Step(level, number=_arabic(numbered[1]))
    return Step(level, offset=_offset(words))


def _offset(words: str) -> int:
    """Number of units before (negative) or after; 0 for ``this``."""
    side = re.search(_SIDE, words)
    if not side:
        return 0
    count = next((_COUNTS[word] for word in words.split() if word in _COUNTS), 1)
    return -count if side[0] == "preceding" else count


def _arabic(number: str) -> str:
    """Number with its roman numeral in arabic digits."""
    main, *branches = number.split("-")
    return "-".join([main if main.isdigit() else str(roman_to_int(main)), *branches])


def unit_number(heading: str) -> str:
    """Number of an English heading in arabic digits; empty if it has none."""
    found = re.match(rf"{_UNIT}\s+({_UNIT_NUMBER})", heading)
    return _arabic(found[1]) if found else ""


def _applied(words: str, groups: list[list[Found]]) -> Iterator[list[Found]]:
    taken = 0  # what stands between "provisions of" and the predicate belongs to another name's clause
    for group in groups:
        start, end = group[0].start, group[-1].end
        if start < taken:
            continue
        if _PROVISIONS_BEFORE.search(words[max(0, start - 200) : start]):
            clause = _PROVISIONS_APPLIED.match(words, end)
        else:
            clause = _APPLIED.match(words, end)
        if clause:
            taken = clause.end()
            yield group


GRAMMAR = Grammar(
    closers={"(": ")", "“": "”", '"': '"'},
    quotes=frozenset('“"'),
    names=_NAMES,
    read=_names,
    details=re.compile(_DETAILS),
    joint=re.compile(rf"{_DETAILS}{_CONNECTIVE}{_DETAILS_OF}"),
    loose_joint=re.compile(rf"{_DETAILS}{_CONNECTIVE}(?:{_PROVISIONS}|of\s+)?{_DETAILS_OF}"),
    from_to=re.compile(rf"{_DETAILS},?\s+(?:through|to|until)\s+{_DETAILS_OF}"),
    other_before=re.compile(rf"(?<!Civil )(?<!this ){_LAW}(?:\s+No\.\s*\d+(?:\s+of\s+\d+)?)?(?:\s*{_BRACKET})?,?\s+$"),
    other_after=re.compile(
        rf"{_DETAILS},?\s+of\s+(?!(?:this|the\s+Civil)\s+(?:Code|Act|Law))"
        rf"(?:(?:{_IN_LAW_NAME}|{_BRACKET}),?\s+){{0,40}}?{_LAW}(?:\s*{_BRACKET})*"
    ),
    definition_before=re.compile(_HEREINAFTER),
    exception=re.compile(
        rf"(?:excluding|except(?:\s+for)?)\s+(?:{_PROVISIONS})?(?:(?:,|and|or|through|to)\s*)*(?:{_PROVISIONS})?"
    ),
    host=re.compile(rf"{_DETAILS}\s*\("),
    applied=_applied,
    shared_step_follows=True,
)
