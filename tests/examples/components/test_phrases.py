"""Phrases: overlapping word n-grams that cover a text."""

import pytest
from components.phrases import SplitPhrases
from hypothesis import given
from hypothesis import strategies as st


@given(st.lists(st.sampled_from("abc"), max_size=30), st.integers(2, 9))
def test_the_phrases_cover_the_text_in_order_and_overlap_by_half(words, size):
    phrases = [phrase.split() for phrase in SplitPhrases(size).passages(" ".join(words)).values()]
    beginnings = [word for phrase in phrases[:-1] for word in phrase[: size // 2]]
    assert beginnings + phrases[-1] == words
    assert all(len(phrase) == size for phrase in phrases[:-1])


def test_a_phrase_has_two_words_or_more():
    with pytest.raises(ValueError, match="size must be an integer >= 2, got 1"):
        SplitPhrases(1)
