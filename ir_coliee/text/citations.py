"""What stands around the suppressed citations of a decision and around the fragment of a base case."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from ir_coliee.text.cleaning import clean_case
from ir_coliee.text.decisions import Span, marker_spans, opens_editorial_line, remove_editorial_lines, remove_markers
from ir_coliee.text.sentences import english_sentences


def citing_sentences(text: str, *, with_neighbour: bool = False) -> list[Span]:
    """Spans of the sentences that have a suppressed marker, in order.

    Parameters
    ----------
    text : str
        A decision.
    with_neighbour : bool
        Add for each marker a neighbouring sentence: the previous one if the marker is in the first half of its
        sentence, otherwise the next one.

    Notes
    -----
    The method is that of THUIR at COLIEE 2023. Sentences are those of `ir_coliee.text.sentences.english_sentences`.

    Examples
    --------
    >>> decision = "I agree. <FRAGMENT_SUPPRESSED> says so too. The lamp was lit."
    >>> [sentence.of(decision) for sentence in citing_sentences(decision, with_neighbour=True)]
    ['I agree.', '<FRAGMENT_SUPPRESSED> says so too.']
    """
    markers = marker_spans(text)
    if not markers:
        return []
    sentences = english_sentences(text)
    starts = [sentence.start for sentence in sentences]
    cited = set()
    for marker in markers:
        place = bisect_right(starts, marker.start) - 1
        cited.add(place)
        if with_neighbour:
            start, end = sentences[place]
            cited.add(place - 1 if marker.start + marker.end < start + end else place + 1)
    return [sentences[place] for place in sorted(cited) if 0 <= place < len(sentences)]


def citing_context(text: str, words: int = 512) -> str:
    r"""Citing sentences of a decision with their neighbours, cleaned, one per line (THUIR at COLIEE 2023).

    Parameters
    ----------
    text : str
        A decision.
    words : int
        If the citing sentences have fewer words than this, the beginning of the decision is appended up to this number
        of words, cleaned as by THUIR (without header and French). 0 appends nothing. More words are not cut.

    Examples
    --------
    >>> citing_context("The lamp was lit. I agree with <FRAGMENT_SUPPRESSED> there. The gate was shut.", words=10)
    'I agree with there.\nThe gate was shut.\nThe lamp'
    """
    context = [clean_case(sentence.of(text)).split() for sentence in citing_sentences(text, with_neighbour=True)]
    missing = words - sum(map(len, context))
    if missing > 0:
        cleaned = clean_case(text, drop_header=True, drop_french=True, join_lines=True)
        context.append(cleaned.split(maxsplit=missing)[:missing])
    return "\n".join(map(" ".join, filter(None, context)))


# --- Fragments and windows ------------------------------------------------------------------------


#: A fragment is far from the citations if there are more characters between it and the nearest one.
FAR_DISTANCE = 300


class PlacedFragment(NamedTuple):
    """A base case on one line, and the places of its fragment and of its suppressed markers.

    Attributes
    ----------
    text : str
        The base case without editorial lines, every sequence of white space one blank.
    fragment : Span or None
        The fragment, or an empty span where it was deleted. None if the base case does not contain it or consists of
        nothing else.
    markers : list of Span
        The suppressed markers.
    """

    text: str
    fragment: Span | None
    markers: list[Span]

    @property
    def distance(self) -> int | None:
        """Number of characters between the fragment and the nearest marker; None without a fragment or a marker.

        It is 0 if a marker is in the fragment.
        """
        if self.fragment is None or not self.markers:
            return None
        start, end = self.fragment
        return min(max(marker.start - end, start - marker.end, 0) for marker in self.markers)


def place_fragment(fragment: str, base_case: str, *, delete: bool = False) -> PlacedFragment:
    r"""Find a fragment in its base case.

    Parameters
    ----------
    fragment, base_case : str
        The texts. Editorial lines are removed and white space is normalised before the search.
    delete : bool
        Delete the fragment from the base case, wherever it occurs; its span is then empty, at its first place.

    Examples
    --------
    >>> place_fragment("A\nlamp.", "See FRAGMENT_SUPPRESSED . A lamp.").distance
    3
    >>> place_fragment("A lamp.", "See there. A lamp. A gate.", delete=True)
    PlacedFragment(text='See there. A gate.', fragment=Span(start=10, end=10), markers=[])
    """
    # editorial lines cannot be told from the rest once all is one line
    fragment, text = (" ".join(remove_editorial_lines(each).split()) for each in (fragment, base_case))
    start = text.find(fragment) if fragment else -1
    end = start + len(fragment)
    is_whole = text == fragment
    if delete and start >= 0:
        pieces = [piece.strip() for piece in text.split(fragment)]
        text = " ".join(filter(None, pieces))
        start = end = len(pieces[0])
    return PlacedFragment(text, None if start < 0 or is_whole else Span(start, end), marker_spans(text))


def citation_windows(
    fragment: str, base_case: str, *, width: int = 700, number: int = 3, delete_fragment: bool = False
) -> str:
    """Windows around the first suppressed markers of a base case and around its fragment, joined.

    Parameters
    ----------
    fragment, base_case : str
        The texts.
    width : int
        Characters on either side of a marker and of the fragment, widened to the edges of words.
    number : int
        Markers that have a window, from the first one.
    delete_fragment : bool
        Delete the fragment from the base case first; its window is then around its former place.

    Returns
    -------
    str
        The windows without markers and editorial lines and with single spaces, separated by blanks. They may overlap. A
        fragment that is not found in its base case has no window, and stands for it unless it is to be deleted.

    Examples
    --------
    >>> base_case = "We see the rule of FRAGMENT_SUPPRESSED on loans. It was late. The lamp is returned."
    >>> citation_windows("The lamp is returned.", base_case, width=9)
    'rule of on loans. was late. The lamp is returned.'
    >>> citation_windows("The lamp is returned.", base_case, width=9, delete_fragment=True)
    'rule of on loans. was late.'
    """
    placed = place_fragment(fragment, base_case, delete=delete_fragment)
    return " ".join(filter(None, _windows(placed, "" if delete_fragment else fragment, width, number)))


def _windows(placed: PlacedFragment, fragment: str, width: int, number: int) -> Iterator[str]:
    for marker in placed.markers[:number]:
        yield _window(placed.text, marker, width)
    yield _window(placed.text, placed.fragment, width) if placed.fragment else " ".join(fragment.split())


def _window(text: str, span: Span, width: int) -> str:
    start = text.rfind(" ", 0, max(span.start - width, 0) + 1) + 1
    end = text.find(" ", span.end + width - 1)
    return without_markers(text[start : end if end >= 0 else len(text)])


def without_markers(text: str) -> str:
    """Text without suppressed markers and with single spaces.

    If its first words make it look like an editorial line, of which an analyser of decisions drops every word, it is
    returned without the first one.

    Examples
    --------
    >>> without_markers("as in FRAGMENT_SUPPRESSED  there")
    'as in there'
    """
    line = " ".join(remove_markers(text).split())
    return line.partition(" ")[2] if opens_editorial_line(line) else line
