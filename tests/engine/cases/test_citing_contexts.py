"""Contexts of suppressed citations, pieces of decisions, and the counts of their terms."""

from collections import Counter

import numpy as np
import pytest
from plain_contexts import MARKER, contexts, made_texts, pieces

from ir_coliee.engine.cases.contexts import TokenSpans, citing_contexts, count_terms, paragraph_pieces, word_numbers
from ir_coliee.engine.cases.texts import TokenSequences

QUERIES, TEXTS = made_texts()
ALL = QUERIES + TEXTS
SEQUENCES = TokenSequences.of(ALL)


def tokens_of(sequences, spans):
    return [
        [
            [sequences.vocabulary[token] for token in sequences.tokens[start:end]]
            for start, end in zip(spans.starts[first:last], spans.ends[first:last])
        ]
        for first, last in zip(spans.bounds, spans.bounds[1:])
    ]


@pytest.mark.parametrize(("before", "after", "max_contexts"), [(5, 5, 80), (50, 50, 80), (40, 60, None), (2, 3, 1)])
def test_contexts_are_those_of_a_plain_computation(before, after, max_contexts):
    found = tokens_of(SEQUENCES, citing_contexts(SEQUENCES, range(len(ALL)), before, after, max_contexts))
    assert found == [contexts(text, before, after, max_contexts) for text in ALL]
    if max_contexts == 80:
        assert len(found[1]) == 80 < len(contexts(QUERIES[1], before, after, None))


def test_pieces_are_those_of_a_plain_computation():
    assert tokens_of(SEQUENCES, paragraph_pieces(SEQUENCES, range(len(ALL)))) == [pieces(text) for text in ALL]


def test_texts_are_taken_in_the_order_of_their_numbers_given():
    spans = paragraph_pieces(SEQUENCES, [9, 2])
    assert tokens_of(SEQUENCES, spans) == [pieces(ALL[9]), pieces(ALL[2])]


@pytest.mark.parametrize(("between", "expected"), [(8, 1), (9, 2)])
def test_markers_that_are_at_most_eight_tokens_apart_are_one_citation(between, expected):
    sequences = TokenSequences.of([f"As in {MARKER} {'and ' * between}{MARKER} we hold."])
    assert len(citing_contexts(sequences, [0], 5, 5)) == expected


@pytest.mark.parametrize(("length", "expected"), [(299, [300]), (300, [200, 101]), (599, [200, 200, 200])])
def test_a_paragraph_of_more_than_300_tokens_is_cut_every_200(length, expected):
    sequences = TokenSequences.of(["[1]\n" + "lamp " * length])
    assert paragraph_pieces(sequences, [0]).lengths.tolist() == expected


def test_counts_of_terms_are_those_of_a_plain_computation():
    spans = TokenSpans.of([(np.array([0, 3, 3]), np.array([9, 3, 40]))])
    counts = count_terms(SEQUENCES, spans)
    for row, (start, end) in enumerate(zip(spans.starts, spans.ends)):
        expected = Counter(SEQUENCES.tokens[start:end].tolist())
        assert dict(zip(*(each.tolist() for each in (counts[row].nonzero()[1], counts[row].data)))) == expected
    words = word_numbers(SEQUENCES)
    assert (count_terms(SEQUENCES, spans, words).toarray() == counts.toarray() * words).all()


def test_a_word_has_at_least_three_letters():
    sequences = TokenSequences.of(["it's o'b a lamp 1234 the of"])
    words = word_numbers(sequences)
    assert [token for token, is_word in zip(sequences.vocabulary, words) if is_word] == ["it's", "lamp", "the"]


def test_no_texts_have_no_spans():
    for spans in (citing_contexts(SEQUENCES, [], 5, 5), paragraph_pieces(SEQUENCES, [])):
        assert (len(spans), spans.bounds.tolist()) == (0, [0])
        assert count_terms(SEQUENCES, spans).shape == (0, len(SEQUENCES.vocabulary))
