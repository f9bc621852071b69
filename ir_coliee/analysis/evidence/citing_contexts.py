"""The suppressed citations of a query whose context fits the item best: task 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from ir_coliee.analysis.evidence.extracts import extract, heading, place
from ir_coliee.analysis.evidence.pair import Pair, placed_tokens
from ir_coliee.analysis.evidence.record import Evidence
from ir_coliee.display import Mark, MarkedText
from ir_coliee.engine.scoring import row_sums
from ir_coliee.engine.term_counts import sparse_rows
from ir_coliee.engine.weightings import BM25, document_weights
from ir_coliee.text.citations import CitationPlace, citation_places
from ir_coliee.text.decisions import Paragraph, paragraph_spans
from ir_coliee.text.sentences import english_sentences
from ir_coliee.text.spans import Span
from ir_coliee.text.tokenisers import PlacedTokens
from ir_coliee.transformers.retrieval.indexes import LexicalIndex

_CITATIONS = 80  # as in engine.cases.citing_contexts
_ROWS = 3
_MAX_SHARE, _FREE_DF, _LETTERS = 0.05, 20, 3  # rare terms, as in engine.cases.context_scores


class _Match(NamedTuple):
    """A citation of the query with the paragraph of the item that its context fits best."""

    score: float
    citation: CitationPlace
    words: dict[str, int]
    paragraph: Paragraph
    place: str


def citing_contexts(pair: Pair) -> Evidence:
    """Find the suppressed citations of a decision that may cite the item.

    Parameters
    ----------
    pair : Pair
        A query and an item of task 1.

    Returns
    -------
    Evidence
        The three citations whose context fits a paragraph of the item best, with both paragraphs, the citing sentence
        and the shared rare words. The score is BM25(1.2, 0.5) of the rare words of a context, 50 words to either side,
        as `ir_coliee.engine.cases.contexts` computes it among the pieces of a pool; here the idf is that of our
        index. Rare words have at least three letters and occur in at most 5 % of the collection. Markers above the
        first numbered paragraph stand in the header and cite nothing; they are left out.
    """
    tokens = placed_tokens(pair.query_text)
    paragraphs = paragraph_spans(pair.query_text)
    body = paragraphs[1].mark.start if len(paragraphs) > 1 else 0
    citations = [it for it in citation_places(pair.query_text, tokens) if it.markers[0].start >= body]
    facts = {"suppressed citations below the header of the query": len(citations)}
    if not citations:
        return Evidence("citing_contexts", "Citing contexts", facts, notes=("The query has no suppressed citation.",))
    matches = _matches(pair, tokens, citations[:_CITATIONS])
    if not matches:
        note = "No context of a citation shares a rare word with the item."
        return Evidence("citing_contexts", "Citing contexts", facts, notes=(note,))
    table = pd.DataFrame(
        [[match.score, place(_paragraph_of(paragraphs, match.citation), paragraphs), match.place] for match in matches],
        columns=["score", "query_paragraph", "item_paragraph"],
    )
    sentences = english_sentences(pair.query_text)
    texts = tuple(text for match in matches for text in _texts(pair, match, paragraphs, sentences))
    notes = (
        "The score is that of the words around a citation and the best paragraph of the item, by our index.",
        "Marked in the item: the rare words that are also within 50 words of the citation.",
    )
    return Evidence("citing_contexts", "Citing contexts", facts, table, texts, notes)


def _matches(pair: Pair, tokens: PlacedTokens, citations: list[CitationPlace]) -> list[_Match]:
    """Return the best citations with a score above 0."""
    index = pair.bm25.index
    contexts = [_rare_words(index, tokens.tokens[citation.first : citation.last]) for citation in citations]
    paragraphs = paragraph_spans(pair.item_text)
    pieces = index.query_vectors(paragraph.text.of(pair.item_text) for paragraph in paragraphs)
    lengths = row_sums(pieces)
    mean = lengths[lengths > 0].mean() if lengths.any() else 1.0
    collection = index.collection._replace(tokens=float(mean * len(index)))
    weights = document_weights(BM25(1.2, 0.5), pieces, lengths, collection)
    vectors = sparse_rows(([(number, 1.0) for number in words.values()] for words in contexts), weights.shape[1])
    scores = (vectors @ weights.T).toarray()
    best = [paragraphs[int(row.argmax())] for row in scores]
    found = [
        _Match(float(row.max()), citation, words, paragraph, place(paragraph, paragraphs))
        for row, citation, words, paragraph in zip(scores, citations, contexts, best)
    ]
    return [match for match in sorted(found, key=lambda match: -match.score)[:_ROWS] if match.score > 0]


def _rare_words(index: LexicalIndex, words: list[str]) -> dict[str, int]:
    """Return the words of at least three letters that occur in few documents, with their numbers in the index."""
    most = max(_MAX_SHARE * len(index), _FREE_DF)
    known = {word: index.vocabulary[word] for word in words if len(word) >= _LETTERS and word in index.vocabulary}
    return {
        word: number for word, number in known.items() if not word.isdigit() and index.collection.df[number] <= most
    }


def _paragraph_of(paragraphs: list[Paragraph], citation: CitationPlace) -> Paragraph:
    """Return the paragraph of the query that has the first marker of a citation."""
    return [paragraph for paragraph in paragraphs if paragraph.mark.start <= citation.markers[0].start][-1]


def _texts(
    pair: Pair, match: _Match, paragraphs: list[Paragraph], sentences: list[Span]
) -> Iterator[tuple[str, MarkedText]]:
    """Yield the citing sentence, and the paragraph of the item with the rare words that both have."""
    markers = match.citation.markers
    start = _paragraph_of(paragraphs, match.citation).text.start
    citing = [span for span in sentences if span.start < markers[-1].end and span.end > markers[0].start]
    within = Span(max(citing[0].start, start), citing[-1].end)
    cited = [Mark(*marker, "suppressed citation") for marker in markers]
    yield "citing sentence of the query", extract(pair.query_text, within, cited)
    start = match.paragraph.text.start
    tokens = PlacedTokens.of(match.paragraph.text.of(pair.item_text))
    shared = [
        Mark(start + first, start + end, "word of the context")
        for token, first, end in zip(tokens.tokens, tokens.starts, tokens.ends)
        if token in match.words
    ]
    yield heading("item", match.place), extract(pair.item_text, match.paragraph.text, shared)
