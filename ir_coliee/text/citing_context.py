"""Where a decision cites: the sentences with suppressed markers, and what stands around them."""

from __future__ import annotations

from bisect import bisect_right

from ir_coliee.text.case_cleaning import clean_case
from ir_coliee.text.sentences import english_sentences
from ir_coliee.text.spans import Span
from ir_coliee.text.suppressed_markers import marker_spans


def citing_sentences(text: str, *, with_neighbour: bool = False) -> list[Span]:
    """The sentences of a decision that have a suppressed marker, in order, by their offsets.

    ``with_neighbour``: each marker also brings a neighbour of its sentence: the one before where the marker is in the
    first half of the sentence, else the one behind. Source: THUIR at COLIEE 2023; the sentences are those of
    `ir_coliee.text.sentences.english_sentences`.

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
    """What a decision says where it cites: its citing sentences with their neighbours, cleaned, one a line.

    Where these have fewer than ``words`` words, the beginning of the decision follows, cleaned as THUIR did (without
    header and French), up to so many words in all; with 0 nothing does. More words are not cut. Source: THUIR at
    COLIEE 2023.

    >>> citing_context("The lamp was lit. I agree with <FRAGMENT_SUPPRESSED> there. The gate was shut.", words=10)
    'I agree with there.\\nThe gate was shut.\\nThe lamp'
    """
    context = [clean_case(sentence.of(text)).split() for sentence in citing_sentences(text, with_neighbour=True)]
    missing = words - sum(map(len, context))
    if missing > 0:
        cleaned = clean_case(text, drop_header=True, drop_french=True, join_lines=True)
        context.append(cleaned.split(maxsplit=missing)[:missing])
    return "\n".join(map(" ".join, filter(None, context)))
