"""Sections of a decision: header with counsel and summary, body, trailer.

The labels are those of the publisher of the collection. Where a section ends without a label, the rule is our own.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ir_coliee.text.case_paragraphs import first_mark
from ir_coliee.text.editorial_lines import BLANKS, NOTICES, trailer_start
from ir_coliee.text.spans import Span

_COUNSEL = re.compile(rf"\n{BLANKS}(?:(?i:Counsel|Solicitors of Record){BLANKS}:)")
_SUMMARY = re.compile(rf"\n{BLANKS}Summary:")
# what opens another part of a header: a label, a notice, or the sentence on the hearing
_LABEL = re.compile(
    rf"\n{BLANKS}(?:Summary:|(?:Cases|Statutes|Authors and Works) Noticed:|MLB |Temp\. Cite"
    rf"|{'|'.join(map(re.escape, NOTICES))}|This \w+ (?:was|were) heard)"
)
_TOPIC = "- Topic"
_ENDS_OF_SENTENCES = (".", "!", "?", ":", ";", "”", '"', ")")


class CaseSections(NamedTuple):
    """Sections of a decision, by offsets, without white space at their ends; a missing section is empty.

    Header, body and trailer together are the whole decision; counsel and summary lie in the header.

    Attributes
    ----------
    header, counsel, summary, body, trailer : Span
    """

    header: Span
    counsel: Span
    summary: Span
    body: Span
    trailer: Span


def case_sections(text: str) -> CaseSections:
    r"""Split a decision into its sections.

    Notes
    -----
    The body begins at the first mark ``[1]``, otherwise at the first mark. A text without marks is all body, and
    counsel and summary are searched in it. The trailer is the last lines that only name the editor and the end of the
    document. Counsel extends from a line ``Counsel:`` or ``Solicitors of Record:`` to the next label of another kind.
    The summary extends from ``Summary:`` to the line that names the first topic, which is the line before ``- Topic``
    (THUIR at COLIEE 2023) or has ``- Topic`` itself; without topics it extends to the next label.

    Examples
    --------
    >>> decision = "Kestry Court\nSummary:\nA lamp was lent.\nLamps\n- Topic 7\n[1]\nI allow it.\n"
    >>> parts = case_sections(decision)
    >>> parts.summary.of(decision), parts.body.of(decision), parts.counsel
    ('A lamp was lent.', '[1]\nI allow it.', Span(start=0, end=0))
    """
    trailer = trailer_start(text)
    mark = first_mark(text)
    body = 0 if mark is None else mark
    header = "\n" + text[: trailer if mark is None else body]
    return CaseSections(
        Span(0, body).stripped(text),
        _counsel(header).stripped(text),
        _summary(header).stripped(text),
        Span(body, trailer).stripped(text),
        Span(trailer, len(text)).stripped(text),
    )


def summary(text: str) -> str:
    r"""Summary of a decision (see `case_sections`); an empty string without one.

    Examples
    --------
    >>> summary("Summary: A lamp was lent.\n[1]\nI allow it.")
    'A lamp was lent.'
    """
    return case_sections(text).summary.of(text)


def _counsel(header: str) -> Span:
    """Span in the text, of which ``header`` is the beginning with a line feed prepended."""
    label = _COUNSEL.search(header)
    if label is None:
        return Span(0, 0)
    next_label = _LABEL.search(header, label.end())
    return Span(label.start(), (next_label.start() if next_label else len(header) - 1))


def _summary(header: str) -> Span:
    label = _SUMMARY.search(header)
    if label is None:
        return Span(0, 0)
    ends = [found.start() for pattern in (_LABEL, _COUNSEL) if (found := pattern.search(header, label.end()))]
    end = min(ends, default=len(header))
    topic = header.find(_TOPIC, label.end(), end)
    if topic >= 0:
        end = max(_line_of_topic(header, topic), label.end())
    return Span(label.end() - 1, end - 1)


def _line_of_topic(header: str, topic: int) -> int:
    """Start of the line that names the topic: this one, or the line above if that ends no sentence."""
    line = header.rfind("\n", 0, topic)
    above = header[:line].rstrip()
    if header[line:topic].strip() or above.endswith(_ENDS_OF_SENTENCES):
        return line
    return above.rfind("\n")
