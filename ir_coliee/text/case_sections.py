"""The parts of a decision: header with counsel and summary, body, trailer.

The labels are those of the collection's publisher; where a part ends without a label, the rule is ours.
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
    """The parts of a decision by their offsets, without blanks at their ends. A part that is missing is empty.

    Header, body and trailer together are the decision; counsel and summary are parts of the header.
    """

    header: Span
    counsel: Span
    summary: Span
    body: Span
    trailer: Span


def case_sections(text: str) -> CaseSections:
    """The parts of a decision.

    The body begins at the first mark ``[1]``, else at the first mark; a text without marks is all body, and the parts
    of a header are looked for in it. The trailer is the last lines that only tell the editor and the end of the
    document. Counsel: from a line ``Counsel:`` or ``Solicitors of Record:`` to the next label of another kind. The
    summary lies between ``Summary:`` and the line that names the first topic, which is the one before ``- Topic``
    (THUIR at COLIEE 2023) or has ``- Topic`` itself; without topics it goes to the next label.

    >>> decision = "Kestry Court\\nSummary:\\nA lamp was lent.\\nLamps\\n- Topic 7\\n[1]\\nI allow it.\\n"
    >>> parts = case_sections(decision)
    >>> parts.summary.of(decision), parts.body.of(decision), parts.counsel
    ('A lamp was lent.', '[1]\\nI allow it.', Span(start=0, end=0))
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
    """The summary of a decision, see `case_sections`; an empty string without one.

    >>> summary("Summary: A lamp was lent.\\n[1]\\nI allow it.")
    'A lamp was lent.'
    """
    return case_sections(text).summary.of(text)


def _counsel(header: str) -> Span:
    """Offsets in the text of which the header is the beginning with a line feed in front."""
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
    """Where the line begins that says which topic: this one, or the one above that ends no sentence."""
    line = header.rfind("\n", 0, topic)
    above = header[:line].rstrip()
    if header[line:topic].strip() or above.endswith(_ENDS_OF_SENTENCES):
        return line
    return above.rfind("\n")
