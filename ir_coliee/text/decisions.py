"""Parts of court decisions: paragraphs, sections, lines of the publisher and suppressed citations.

A paragraph mark ``[12]`` begins a line. It is alone on the line, possibly with blanks around it, or text follows on it.
At the very beginning of a text, as in the paragraph files of task 2, it may lack its opening bracket. Numbers
repeat (quoted decisions, French translations) and are skipped, so a paragraph is identified by its position. The labels
of sections are those of the publisher of the collection; where a section ends without a label, the rule is our own.

Suppressed citations are replaced by markers. Since 2021 a program writes `` <FRAGMENT_SUPPRESSED> ``. Before, this word
and three others were written by hand, without brackets. A marker may be joined to letters, digits or another marker,
and may lack a bracket.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

# Parts of a text as offsets, so that results can be located in the original text.


class Span(NamedTuple):
    """A part of a text.

    Attributes
    ----------
    start : int
        Offset of the first character.
    end : int
        Offset after the last character; equal to ``start`` for an empty span.
    """

    start: int
    end: int

    def of(self, text: str) -> str:
        """Text of the span.

        Examples
        --------
        >>> Span(2, 6).of("A lamp.")
        'lamp'
        """
        return text[self.start : self.end]

    def stripped(self, text: str) -> Span:
        """Span without white space at both ends.

        Examples
        --------
        >>> Span(1, 7).stripped("A lamp .")
        Span(start=2, end=6)
        """
        piece = text[self.start : self.end]
        end = self.start + len(piece.rstrip())
        return Span(min(self.start + len(piece) - len(piece.lstrip()), end), end)


def remove_spans(text: str, spans: Iterable[Span], filler: str = "") -> str:
    """Replace each span of a text by ``filler``.

    Parameters
    ----------
    text : str
        The text.
    spans : iterable of Span
        Spans in ascending order that do not overlap.
    filler : str
        Replacement of each span.

    Examples
    --------
    >>> remove_spans("A dim lamp.", [Span(2, 6)])
    'A lamp.'
    """
    pieces, end = [], 0
    for span in spans:
        pieces.append(text[end : span.start])
        end = span.end
    return filler.join([*pieces, text[end:]])


# --- Lines of the publisher -----------------------------------------------------------------------


BLANKS = r"[ \t\u00a0]*"

#: The notices that a decision is in two languages, in pairs: each of a pair says it in one language.
NOTICES = (
    "[French language version follows English language version]",
    "[La version française vient à la suite de la version anglaise]",
    "[English language version follows French language version]",
    "[La version anglaise vient à la suite de la version française]",
)
#: What stands before words of which the decision gives a translation.
TRANSLATIONS = ("[Translation]", "[translation]", "[TRANSLATION]")

_END = r"Editor: .*|\[?(?i:editor['’]s note).*|\[End of document\]"
_LABEL = r"MLB unedited judgment|MLB headnote and full text|Temp\. Cite.*"
_NOTICE = "|".join(map(re.escape, NOTICES))
_LAST_LINE = re.compile(_END)
# opens with a line feed, which a text is given in front: the search leaps from line to line
_EDITORIAL_LINE = re.compile(rf"\n{BLANKS}(?:{_END}|{_LABEL}|{_NOTICE})")


def remove_editorial_lines(text: str) -> str:
    r"""Remove the publisher's lines and ``[Translation]``; header and counsel stay.

    If a line continues after a bilingual notice, only the notice is removed.

    Examples
    --------
    >>> remove_editorial_lines("MLB unedited judgment\nA lamp.\n[End of document]").split()
    ['A', 'lamp.']
    """
    text = _EDITORIAL_LINE.sub("\n", "\n" + text)[1:]
    for word in TRANSLATIONS:
        text = text.replace(word, " ")
    return text


def opens_editorial_line(text: str) -> bool:
    """Whether the first line of a text is one of the publisher's.

    Examples
    --------
    >>> opens_editorial_line("Editor's note: a lamp."), opens_editorial_line("An editor's note.")
    (True, False)
    """
    return _EDITORIAL_LINE.match("\n" + text) is not None


def trailer_start(text: str) -> int:
    r"""Offset of the final lines that only name the editor and the end of the document, else the text's length.

    Examples
    --------
    >>> trailer_start("A lamp.\nEditor: Nobody/xyz\n[End of document]\n")
    8
    """
    start = end = len(text)
    while end > 0:
        first = text.rfind("\n", 0, end) + 1
        line = text[first:end].strip()
        if line and not _LAST_LINE.fullmatch(line):
            break
        start = first if line else start
        end = first - 1
    return start


#: The pattern of a mark at the beginning of a line. One of four digits stands alone: before text it is a report's year.
MARK = rf"{BLANKS}\[(?:\d{{1,3}}\]|\d{{4}}\](?={BLANKS}\r?(?:\n|\Z)))"
# Opens with a literal, so that the search leaps from line to line: a corpus has hundreds of megabytes.
_MARK = re.compile(rf"\n(?:{MARK}|(?<![\s\S]\n)\s*\d{{1,3}}\])")
_LINE_MARK = re.compile(MARK)
_NUMBER = re.compile(r"\d+")
_FIRST_MARK = re.compile(rf"\n{BLANKS}\[1\]")


class Paragraph(NamedTuple):
    """A paragraph of a decision, by offsets.

    Attributes
    ----------
    number : int or None
        Number of the mark; None for the text before the first mark.
    mark : Span
        The mark with the blanks before it; empty before the first mark.
    text : Span
        The text, without white space at its ends.
    """

    number: int | None
    mark: Span
    text: Span


def paragraph_spans(text: str) -> list[Paragraph]:
    r"""Paragraphs of a decision: the text before the first mark, then the text after each mark, in order.

    Examples
    --------
    >>> [(it.number, it.text) for it in paragraph_spans("(FC)\n[1]\nA lamp.")]
    [(None, Span(start=0, end=4)), (1, Span(start=9, end=16))]
    """
    # the line feed that is given in front is the character -1
    marks = [Span(mark.start(), mark.end() - 1) for mark in _MARK.finditer("\n" + text)]
    ends = [*(mark.start for mark in marks), len(text)]
    return [
        Paragraph(_number(mark.of(text)), mark, Span(mark.end, end).stripped(text))
        for mark, end in zip([Span(0, 0), *marks], ends)
    ]


def _number(mark: str) -> int | None:
    number = _NUMBER.search(mark)
    return int(number[0]) if number else None


def paragraphs(text: str) -> list[str]:
    r"""Texts of `paragraph_spans`: the text before the first mark, then the text after each mark, in order.

    The position in the list identifies a paragraph, because the numbers of marks repeat and are skipped. White space at
    both ends is removed; a paragraph may be empty.

    Examples
    --------
    >>> paragraphs("Summary: a lamp.\n[1]\nA lamp was lent.\n [1] \n\n[7] It was lost.")
    ['Summary: a lamp.', 'A lamp was lent.', '', 'It was lost.']
    """
    return [paragraph.strip() for paragraph in _MARK.split("\n" + text)]


def remove_marks(text: str) -> str:
    r"""Remove the paragraph marks; line feeds stay.

    Examples
    --------
    >>> remove_marks("(FC)\n[1]\nA lamp.")
    '(FC)\n\nA lamp.'
    """
    return _MARK.sub("\n", "\n" + text)[1:]


def first_mark(text: str) -> int | None:
    r"""Offset of the line with the mark ``[1]``, otherwise with the first mark; None without any mark.

    Examples
    --------
    >>> first_mark("(FC)\n[1]\nA lamp.")
    5
    """
    mark = _FIRST_MARK.search("\n" + text) or _MARK.search("\n" + text)
    return mark.start() if mark else None


def opens_paragraph(line: str) -> bool:
    """Whether a line within a text begins with a paragraph mark.

    Examples
    --------
    >>> opens_paragraph("[12] A lamp."), opens_paragraph("[2098] 3 X.C. 9"), opens_paragraph("12] A lamp.")
    (True, False, False)
    """
    return _LINE_MARK.match(line) is not None


# --- Suppressed citations -------------------------------------------------------------------------


_WORDS, _SUPPRESSED = ("FRAGMENT", "REFERENCE", "CITATION", "DATE"), "_SUPPRESSED"


def marker_spans(text: str) -> list[Span]:
    """Spans of the suppressed markers of a text, including their brackets, in order.

    Examples
    --------
    >>> marker_spans("as inFRAGMENT_SUPPRESSEDand <DATE_SUPPRESSED>")
    [Span(start=5, end=24), Span(start=28, end=45)]
    """
    spans = []
    # several times as fast as a pattern: what all have in common is searched for, then the word before it
    place = text.find(_SUPPRESSED)
    while place >= 0:
        end = place + len(_SUPPRESSED)
        for word in _WORDS:
            if text.endswith(word, 0, place):
                start = place - len(word)
                spans.append(Span(start - text.endswith("<", 0, start), end + text.startswith(">", end)))
        place = text.find(_SUPPRESSED, end)
    return spans


def remove_markers(text: str) -> str:
    """Replace each suppressed marker by a blank; letters that are joined to a marker stay.

    Examples
    --------
    >>> remove_markers("as inFRAGMENT_SUPPRESSEDand")
    'as in and'
    """
    return remove_spans(text, marker_spans(text), " ")


# --- Sections -------------------------------------------------------------------------------------


_COUNSEL = re.compile(rf"\n{BLANKS}(?:(?i:Counsel|Solicitors of Record){BLANKS}:)")
_SUMMARY = re.compile(rf"\n{BLANKS}Summary:")
# what opens another part of a header: a label, a notice, or the sentence on the hearing
_HEADER_LABEL = re.compile(
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
    next_label = _HEADER_LABEL.search(header, label.end())
    return Span(label.start(), (next_label.start() if next_label else len(header) - 1))


def _summary(header: str) -> Span:
    label = _SUMMARY.search(header)
    if label is None:
        return Span(0, 0)
    ends = [found.start() for pattern in (_HEADER_LABEL, _COUNSEL) if (found := pattern.search(header, label.end()))]
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


# --- Digests of texts -----------------------------------------------------------------------------


_NON_ASCII_GAPS = re.compile(r"[^\w\x00-\x7f]+")
_ASCII_GAPS = bytes(code for code in range(128) if re.match(r"\W", chr(code)))


def text_digest(text: str) -> bytes:
    """Return a digest that is equal for identical texts; CR LF and LF are equal."""
    return _digest(text.replace("\r\n", "\n").encode(errors="surrogatepass"))


def normalised_digest(text: str) -> bytes:
    """Return a digest that is equal for texts with the same `normalised_text`, or identical ones without any."""
    normalised = normalised_text(text)
    return _digest(normalised) if normalised else text_digest(text)


def normalised_text(text: str) -> bytes:
    r"""Return the word characters (``\w``) of a text in lower case, in UTF-8.

    Examples
    --------
    >>> normalised_text("[1]\nThe gate-keeper’s LAMP.") == normalised_text("[1] The gatekeeper's lamp")
    True
    """
    text = text.lower()
    if not text.isascii():
        text = _NON_ASCII_GAPS.sub("", text)
    data = text.encode(errors="surrogatepass")  # JSON can contain a lone surrogate
    return data.translate(None, _ASCII_GAPS)  # several times faster than one regular expression


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()
