"""Sentences of a decision that cite, and their context."""

from __future__ import annotations

from bisect import bisect_right

from ir_coliee.text.case_cleaning import clean_case
from ir_coliee.text.sentences import english_sentences
from ir_coliee.text.spans import Span
from ir_coliee.text.suppressed_markers import marker_spans


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
