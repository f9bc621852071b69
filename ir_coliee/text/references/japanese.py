"""Grammar of references between articles in Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ir_coliee.text.numerals import KANJI_NUMERAL as _N
from ir_coliee.text.numerals import branched_number, kanji_to_int
from ir_coliee.text.references.grammar import Found, Grammar, Name, Number, Relative, Step, Unit
from ir_coliee.text.statutes import JAPANESE_LEVELS

_NOT_IN_COMPOUND = "(?<![一-龥])"  # 事前条件, 日本款
# 枝番号 begin at 二; the counters are for 前二条の二人
_BRANCH = rf"(?:の(?!一(?![〇一二三四五六七八九十百千])){_N}(?![〇一二三四五六七八九十百千人個つ分者箇名以]))*"
_BRACKET = "[（(][^（）()]*[）)]"
_JOINED = "及び|又は|若しくは|並びに"
_CONNECTIVE = f"(?:、|{_JOINED}|、?かつ)"
_DETAILS = (
    rf"(?:(?:{_CONNECTIVE}|から)?(?:第{_N}[項号]{_BRANCH}|[前次同](?:{_N})?[項号]|[前次]?各[項号])"
    rf"|本文|ただし書|前段|後段|まで|{_BRACKET})*"
)
_UNIT = "[編章節款目](?![的次録標])"
_NUMBERED_STEP = rf"第{_N}{_UNIT}{_BRANCH}"
_STEP = rf"(?:{_NUMBERED_STEP}|(?:この|{_NOT_IN_COMPOUND}(?:本|同|[前次](?:{_N})?)){_UNIT})"
_NAMES = re.compile(
    rf"第(?P<number>{_N})条(?P<branches>{_BRANCH})"
    rf"|{_NOT_IN_COMPOUND}(?P<side>[前次])(?P<count>(?:{_N})?)条(?![件例約理])"
    rf"|(?P<same>同条)(?![件例約理])"
    rf"|(?P<unit>{_STEP}(?:(?:{_BRACKET})?{_NUMBERED_STEP}){{0,{len(JAPANESE_LEVELS) - 1}}})"
)
_APPLIED_BEFORE = re.compile("準用(?:する|される|した)$")
_APPLIED_AFTER = re.compile(
    rf"{_DETAILS}(?:の規定)?(?:{_BRACKET})?"
    r"(?:は(?:(?!適用[しせす])[^。\n]){0,500}(?<!を)準用(?:(?:する|される)(?=[。\n]|$)|し、|され、)"
    r"|を(?:(?!適用|規定)[^。\n]){0,500}準用(?:す|し(?!な)|され(?!な)))"
)


def _names(match: re.Match[str]) -> Iterator[Found]:
    name: Name | None = None
    if match["number"]:
        name = Number(branched_number(match["number"], match["branches"]))
    elif match["side"]:
        count = kanji_to_int(match["count"]) if match["count"] else 1
        name = Relative(-count if match["side"] == "前" else count)
    elif match["unit"]:
        steps = re.findall(_STEP, match["unit"])
        if steps[0][0] == "同":
            return
        name = Unit(tuple(_step(step) for step in steps))
    yield Found(*match.span(), name)


def _step(words: str) -> Step:
    if words[0] == "第":
        number, level, branches = re.split("([編章節款目])", words[1:], maxsplit=1)
        return Step(JAPANESE_LEVELS[level], number=branched_number(number, branches))
    count = kanji_to_int(words[1:-1]) if words[0] in "前次" and words[1:-1] else 1
    return Step(JAPANESE_LEVELS[words[-1]], offset={"前": -count, "次": count}.get(words[0], 0))


def unit_number(heading: str) -> str:
    """Number of a Japanese heading in arabic digits; empty if it has none."""
    found = re.match(_STEP, heading)
    return _step(found[0]).number if found else ""


def _applied(words: str, groups: list[list[Found]]) -> Iterator[list[Found]]:
    for group in groups:
        before = words[max(0, group[0].start - 10) : group[0].start]
        if _APPLIED_BEFORE.search(before) or _APPLIED_AFTER.match(words, group[-1].end):
            yield group


GRAMMAR = Grammar(
    closers={"（": "）", "(": ")", "「": "」"},
    quotes=frozenset("「"),
    names=_NAMES,
    read=_names,
    details=re.compile(_DETAILS),
    joint=re.compile(rf"{_DETAILS}{_CONNECTIVE}"),
    loose_joint=re.compile(rf"{_DETAILS}(?:の規定)?{_CONNECTIVE}"),
    from_to=re.compile(rf"{_DETAILS}から"),
    to_end=re.compile(rf"{_DETAILS}(?<=まで)"),
    # 民法 and 本法 are the code itself; behind a bracket a number can only be that of the law before it
    other_before=re.compile(rf"(?:(?:(?<![民本])法律?|令|規則|条約|条例|協定|附則|号)(?:{_BRACKET})?|[）)])$"),
    definition_before=re.compile("以下、?$"),
    definition_after=re.compile("において"),
    exception=re.compile(f"(?:、|{_JOINED}|かつ|から|まで)*(?:の規定)?を除く。?"),
    host=re.compile(rf"{_DETAILS}(?:の規定)?[（(]"),
    applied=_applied,
)
