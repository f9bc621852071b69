"""Find references in a text with the grammar of its language."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from ir_coliee.text.decisions import Span, remove_spans
from ir_coliee.text.references import english, japanese
from ir_coliee.text.references.grammar import Found, Grammar, Name, Number, Range, Relative, Unit

_DEEPEST = 20  # brackets inside brackets: what stands deeper is read as their text
_LONGEST_DETAILS = 1_000  # characters between a name and the bracket of its exceptions
_APPLIED_IN_BRACKET = re.compile(r"[（(](?:準用|mutatis mutandis)[）)]")


class Mention(NamedTuple):
    """A reference in a text.

    Attributes
    ----------
    name : Name
        The articles that are referred to.
    words : str
        Text of the reference.
    start : int
        Offset of the reference.
    mutatis_mutandis : bool
        Whether the sentence applies the articles mutatis mutandis.
    exceptions : tuple of Name
        Articles that a following bracket excludes.
    """

    name: Name
    words: str
    start: int
    mutatis_mutandis: bool
    exceptions: tuple[Name, ...] = ()


def mentions(text: str, language: str) -> list[Mention]:
    """References of a text to other articles of the same code, in order.

    Parameters
    ----------
    text : str
        Text of an article.
    language : {"ja", "en"}
        Its language.

    Notes
    -----
    Excluded are articles and units of other laws with the numbers joined to them (仲裁法第二条又は第三条), the article
    itself (この条, ``this Article``), its paragraphs and items (前項), and relative positions in quotations, which
    refer to another article. So are units in which a defined term is used (以下この節において「灯」という,
    ``hereinafter referred to as "lamp" in this Section``). 同条 and ``that Article`` repeat the previously named
    article.

    References are mutatis mutandis if they are, as one list, directly before の規定は … 準用する or の規定を準用する,
    or directly after 準用する; in English, directly before ``apply mutatis mutandis`` or after ``provisions of`` in its
    clause; in both languages, if a bracket says so (準用). The cases to which they are applied (第九条の場合について)
    are not.

    Examples
    --------
    >>> [(m.name, m.mutatis_mutandis) for m in mentions("前条の規定は、第九条の場合について準用する。", "ja")]
    [(Relative(offset=-1), True), (Number(number='9'), False)]
    >>> [m.name for m in mentions("Articles 5 through 9 apply, except Article 3 of the Ferry Act.", "en")]
    [Range(first=Number(number='5'), last=Number(number='9'))]
    """
    grammar = english.GRAMMAR if language == "en" else japanese.GRAMMAR
    found: list[Found] = []
    excepting: list[tuple[int, list[Found]]] = []
    other_laws: list[tuple[int, int]] = []  # start and reach of the references to them, the first on top
    reach = 0
    for passage in _passages(text, grammar):
        while other_laws and other_laws[0][0] <= passage.start:
            reach = max(reach, heappop(other_laws)[1])
        if passage.start < reach:  # a bracket inside a reference to another law speaks of that law
            continue
        inside = _in_passage(passage, grammar)
        spans = (Span(one.start - passage.start, one.end - passage.start) for one in inside)
        if inside and grammar.exception.fullmatch(remove_spans(passage.words, spans)):
            excepting.append((passage.start, inside))
        for one in inside:
            if one.other:
                heappush(other_laws, (one.start, one.reach))
        found += inside
    _except(found, excepting, text, grammar)
    for one in found:
        one.applied = one.applied or bool(_APPLIED_IN_BRACKET.search(text, one.end, one.reach))
    found.sort(key=lambda one: one.start)
    return [
        Mention(one.name, one.words or text[one.start : one.end], one.start, one.applied, tuple(one.exceptions))
        for one in _repeats_resolved(found)
        if one.name and not one.other
    ]


def unit_number(heading: str) -> str:
    """Number of a heading of either language in arabic digits; empty if it has none.

    Examples
    --------
    >>> unit_number("第三節の二　灯"), unit_number("Part IV Lamps"), unit_number("Section 2-3 Gates")
    ('3-2', '4', '2-3')
    """
    return japanese.unit_number(heading) or english.unit_number(heading)


class _Passage(NamedTuple):
    """A text, or the content of a bracket or quotation, with nested brackets replaced by blanks."""

    start: int
    words: str
    quoted: bool


def _passages(text: str, grammar: Grammar) -> list[_Passage]:
    """The text and the contents of its brackets, outer ones first; an unclosed bracket ends with the text.

    Only a limited depth of nesting is resolved, because the work would grow with the square of the text otherwise.
    """
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
        elif mark in grammar.closers and len(opened) <= _DEEPEST:
            opened[-1][2].append(text[at : place + 1])
            opened.append((place + 1, mark, []))
            at = place + 1
    while opened:
        close(len(text))
        at = len(text)
    return sorted(passages)


def _in_passage(passage: _Passage, grammar: Grammar) -> list[Found]:
    """References in a passage, with those to other laws marked, and offsets in the whole text."""
    words = passage.words
    found = [one for match in grammar.names.finditer(words) for one in grammar.read(match)]
    if passage.quoted:
        found = [one for one in found if isinstance(one.name, Number)]
    for one in found:
        details = grammar.details.match(words, one.end)
        one.reach = details.end() if details else one.end
    for run in _lists(found, words, grammar.joint, grammar.from_to):
        before = words[max(0, run[0].start - 200) : run[0].start]
        # units that state where a defined term is used are no references
        if grammar.definition_before.search(before) and grammar.definition_after.match(words, run[-1].end):
            found = [one for one in found if one not in run or not isinstance(one.name, Unit)]
            continue
        _mark_other_laws(run, words, grammar)
        _share_steps(run, grammar)
    found = _ranges_folded(found, words, grammar)
    for group in grammar.applied(words, _lists(found, words, grammar.loose_joint)):
        for one in group:
            one.applied = True
    for one in found:
        one.start, one.end, one.reach = (place + passage.start for place in (one.start, one.end, one.reach))
    return found


def _lists(found: Sequence[Found], words: str, *joints: re.Pattern[str]) -> list[list[Found]]:
    """References grouped into lists, in which each is joined to the previous one."""
    lists: list[list[Found]] = []
    for one in found:
        if lists and any(joint.fullmatch(words, lists[-1][-1].end, one.start) for joint in joints):
            lists[-1].append(one)
        else:
            lists.append([one])
    return lists


def _mark_other_laws(run: list[Found], words: str, grammar: Grammar) -> None:
    """Mark references to another law.

    With a law after the last reference this is the whole list, otherwise all from the first reference with a law before
    it.
    """
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


def _share_steps(run: list[Found], grammar: Grammar) -> None:
    """Add larger units that a list states only once to all its references."""
    for one, neighbour in pairwise(reversed(run) if grammar.shared_step_follows else run):
        if isinstance(one.name, Unit) and isinstance(neighbour.name, Unit) and neighbour.name.steps[0].number:
            first = neighbour.name.steps[0].level
            levels = [step.level for step in one.name.steps]
            if first in levels:
                neighbour.name = Unit(one.name.steps[: levels.index(first)] + neighbour.name.steps)


def _ranges_folded(found: list[Found], words: str, grammar: Grammar) -> list[Found]:
    folded: list[Found] = []
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


def _except(found: Iterable[Found], excepting: list[tuple[int, list[Found]]], text: str, grammar: Grammar) -> None:
    """Add the exceptions of each bracket, which are given with its start, to the reference that it follows."""
    end = attrgetter("end")
    by_end = sorted(found, key=end)
    for start, exceptions in excepting:
        near = slice(bisect_left(by_end, start - _LONGEST_DETAILS, key=end), bisect_right(by_end, start, key=end))
        for host in by_end[near]:
            if grammar.host.fullmatch(text, host.end, start):
                host.exceptions = [one.name for one in exceptions if one.name and not one.other]


def _repeats_resolved(found: Iterable[Found]) -> Iterator[Found]:
    """References with 同条 replaced by the previously named article; dropped if there is none."""
    last: Found | None = None
    for one in found:
        if one.name is None:
            if last:
                yield replace(one, name=last.name.last if isinstance(last.name, Range) else last.name, other=last.other)
        else:
            if not isinstance(one.name, Unit):
                last = one
            yield one
