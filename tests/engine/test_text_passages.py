"""The passages that two texts share, against a search word by word."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.engine.overlaps import text_passages
from ir_coliee.text.analysers import PlacedTokens

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d", "\n[1]\n", "\n[2]\n"]), max_size=40).map(" ".join)


def found(first, second, size):
    first, second = PlacedTokens.of(first), PlacedTokens.of(second)
    passages = text_passages(first, second, size)
    for it in passages:
        assert first.tokens[it.first : it.first + it.size] == second.tokens[it.second : it.second + it.size]
        assert len({*first.paragraphs[it.first : it.first + it.size]}) == 1
        assert len({*second.paragraphs[it.second : it.second + it.size]}) == 1
    return [(it.first, it.second, it.size) for it in passages]


@given(TEXTS, TEXTS, st.integers(2, 5))
def test_each_passage_is_in_both_texts_and_the_longest_one_is_found(first, second, size):
    passages = found(first, second, size)
    assert all(length >= size for _, _, length in passages)
    one, other = PlacedTokens.of(first), PlacedTokens.of(second)

    def common(i, j):
        """The length of the match that begins at two tokens."""
        length = 0
        while (
            max(i, 0) + length < len(one.tokens)
            and j + length < len(other.tokens)
            and one.tokens[i + length] == other.tokens[j + length]
            and one.paragraphs[i + length] == one.paragraphs[i]
            and other.paragraphs[j + length] == other.paragraphs[j]
        ):
            length += 1
        return length

    longest = max((common(i, j) for i in range(len(one.tokens)) for j in range(len(other.tokens))), default=0)
    if max(most_repeated(one, size), most_repeated(other, size)) <= 8:  # others are left out
        assert (passages[0][2] if passages else 0) == (longest if longest >= size else 0)


def most_repeated(text, size):
    """How often the most frequent n-gram of a text occurs."""
    ngrams = Counter(tuple(text.tokens[start : start + size]) for start in range(len(text.tokens)))
    return max(ngrams.values(), default=0)


def test_a_repeated_passage_is_listed_once():
    assert found("a b c", "a b c x a b c", 3) == [(0, 0, 3)]
    assert found("a b c d", "a b c x b c d", 3) == [(0, 0, 3), (1, 4, 3)]


def test_ngrams_that_a_text_repeats_often_are_no_evidence():
    assert found("the lamp", " ".join(["the lamp"] * 8), 2) == [(0, 0, 2)]
    assert found("the lamp", " ".join(["the lamp"] * 9), 2) == []
