"""Passages that documents share: against a plain search word by word."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.engine.building import count_terms
from ir_coliee.engine.quotations import SharedPassages, find_occurrences, read_tokens, shared_passages
from ir_coliee.text.analysers import Shingles

WORDS = ["lamp", "gate", "well", "road"]
paragraphs = st.lists(st.sampled_from(WORDS), max_size=12)
documents = st.lists(st.lists(paragraphs, min_size=1, max_size=3), min_size=1, max_size=5)


def located(texts, words, fewest=1, most=100):
    """The shingles of documents, and their vocabulary."""
    analyser = Shingles(words, min_df=fewest, max_df=most)
    corpus = [
        {"docno": f"{number:06}%p{part}", "text": " ".join(paragraph)}
        for number, text in enumerate(texts)
        for part, paragraph in enumerate(text)
    ]
    vocabulary = count_terms(corpus, analyser).vocabulary
    batches, hashes = read_tokens(iter(corpus), analyser)
    return find_occurrences(batches, hashes, vocabulary, np.array([len(text) for text in texts])), vocabulary


def in_engine(texts, words, **bounds):
    """Each document against all: number, longest and so on, as lists of a Passages for each query."""
    found, vocabulary = located(texts, words, **bounds)
    everybody = np.arange(len(texts))
    pools = [everybody] * len(texts)
    return [*shared_passages(found, everybody, found, pools, words, len(vocabulary))]


def plain(query, document, words, known):
    """The same of one pair, by definition."""
    here = [(part, place) for part, text in enumerate(query) for place in range(len(text) - words + 1)]
    there = [(part, place) for part, text in enumerate(document) for place in range(len(text) - words + 1)]

    def shingle(text, at):
        return tuple(text[at[0]][at[1] : at[1] + words])

    def usable(text, at, places):
        times = Counter(shingle(text, place) for place in places)
        return shingle(text, at) in known and times[shingle(text, at)] <= 8

    here = [at for at in here if usable(query, at, here)]
    there = [at for at in there if usable(document, at, there)]
    shared = {(a, b) for a in here for b in there if shingle(query, a) == shingle(document, b)}
    runs = []
    for (part, place), (other, position) in sorted(shared):
        if ((part, place - 1), (other, position - 1)) in shared:
            continue
        size = 0
        while ((part, place + size), (other, position + size)) in shared:
            size += 1
        runs.append((size + words - 1, (part, place), (other, position)))
    runs.sort(key=lambda run: (-run[0], run[1], run[2]))
    longest, at_query, at_document = runs[0] if runs else (0, (0, 0), (0, 0))
    covered = [
        {(part, place + step) for part, place in {pair[side] for pair in shared} for step in range(words)}
        for side in (0, 1)
    ]
    parts = [{pair[side][0] for pair in shared} for side in (0, 1)]
    sizes = [len(entries) for entries in (*covered, *parts)]
    return SharedPassages(len(runs), longest, *sizes, at_query[0], at_document[0])


@pytest.mark.slow
@given(documents, st.integers(2, 4), st.integers(1, 3), st.integers(1, 6))
@settings(max_examples=120, deadline=None)
def test_passages_equal_those_found_word_by_word(texts, words, fewest, most):
    holding = Counter(
        shingle
        for text in texts
        for paragraph in text
        for shingle in {tuple(paragraph[at : at + words]) for at in range(len(paragraph) - words + 1)}
    )
    known = {shingle for shingle, times in holding.items() if fewest <= times <= most}
    analyser = {"fewest": fewest, "most": most}
    found = in_engine(texts, words, **analyser) if len(texts) else []
    for query, of_query in zip(texts, found):
        for number, document in enumerate(texts):
            expected = plain(query, document, words, known)
            assert SharedPassages(*(values[number] for values in of_query)) == expected


def test_a_form_that_a_document_repeats_is_no_quotation():
    eight, nine = ([["lamp", "gate"]] * times for times in (8, 9))
    [of_eight, of_nine] = in_engine([eight, nine], 2)
    assert of_eight.number.tolist() == [64, 0]
    assert of_nine.number.tolist() == [0, 0]


def test_many_queries_are_measured_in_batches_that_change_nothing():
    texts = [[["lamp", "gate", "well", WORDS[number % 4]]] for number in range(70)]
    found = in_engine(texts, 3)
    assert [of_query.longest.tolist() for of_query in found] == [
        [4 if first % 4 == second % 4 else 3 for second in range(70)] for first in range(70)
    ]


def test_places_and_paragraphs_are_counted_in_the_document():
    found, vocabulary = located([[["lamp"]], [["gate", "well"], [], ["lamp", "gate", "well"]]], 2)
    assert found.bounds.tolist() == [0, 0, 3]
    assert found.places.tolist() == [0, 2, 3]
    assert found.paragraphs.tolist() == [0, 2, 2]
    assert (found.tokens.tolist(), found.paragraph_counts.tolist()) == ([1, 5], [1, 3])
    names = ["gate well", "lamp gate", "gate well"]
    assert found.shingles.tolist() == [vocabulary[name] for name in names]
