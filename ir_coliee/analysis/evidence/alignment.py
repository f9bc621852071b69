"""A statement aligned with passages that may support it, as figures and as marked texts."""

from __future__ import annotations

from ir_coliee.analysis.evidence.extracts import extract
from ir_coliee.display import Mark, MarkedText
from ir_coliee.engine.overlaps import AlignedText, coverage, longest_match, text_passages
from ir_coliee.text.spans import Span
from ir_coliee.text.tokenisers import PlacedTokens

LONGEST = 10_000  # characters of a text that are aligned: the longest match takes a time that grows with its square
_PHRASE = {"en": 2, "ja": 4}  # tokens, as in engine.alignments


def cut(text: str) -> str:
    """Return the beginning of a text, as far as it is aligned."""
    return text[:LONGEST]


def notes_on_cut(*texts: str) -> tuple[str, ...]:
    """Return a note if one of the texts is cut."""
    is_cut = any(len(text) > LONGEST for text in texts)
    return (f"Of each text, the first {LONGEST:,} characters are aligned.",) if is_cut else ()


def aligned(statement: str, text: str, language: str) -> dict[str, float]:
    """Return how a statement is covered by a text: shares of its tokens and phrases, and the longest match.

    Examples
    --------
    >>> aligned("A lamp is lit.", "A lamp is lit at night.", "en")
    {'tokens_covered': 1.0, 'phrases_covered': 1.0, 'longest_match': 4}
    """
    covered, covering = AlignedText.of(statement, language), AlignedText.of(text, language)
    return {
        "tokens_covered": coverage(covered.tokens, covering.tokens),
        "phrases_covered": coverage(covered.phrases, covering.phrases),
        "longest_match": longest_match(covered.units, covering.units),
    }


def marked(
    statement: tuple[str, str], other: tuple[str, str], language: str
) -> tuple[tuple[str, MarkedText], tuple[str, MarkedText]]:
    """Mark the phrases that two texts, given with their names, share."""
    (name, text), (other_name, other_text) = statement, other
    here, there = PlacedTokens.of(text, language), PlacedTokens.of(other_text, language)
    passages = text_passages(here, there, _PHRASE[language])
    marks = [Mark(*here.span(it.first, it.size), f"shared with {other_name}") for it in passages]
    other_marks = [Mark(*there.span(it.second, it.size), f"shared with {name}") for it in passages]
    return (
        (name, extract(text, Span(0, len(text)), marks)),
        (other_name, extract(other_text, Span(0, len(other_text)), other_marks)),
    )
