"""Coverage and longest matches, against plain loops."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.engine.overlaps import AlignedText, coverage, idf_coverage, longest_match, token_idf, unmatched_idf

SEQUENCES = st.lists(st.sampled_from("abc"), max_size=12)


@given(SEQUENCES, SEQUENCES)
def test_the_longest_match_is_that_of_all_pairs_of_places(one, other):
    def match(start, place):
        length = 0
        while (
            start + length < len(one) and place + length < len(other) and one[start + length] == other[place + length]
        ):
            length += 1
        return length

    lengths = [match(start, place) for start in range(len(one)) for place in range(len(other))]
    assert longest_match(one, other) == max(lengths, default=0)


@given(SEQUENCES.map(set), SEQUENCES.map(set))
def test_coverage_is_a_share(part, whole):
    assert coverage(part, whole) == (len(part & whole) / len(part) if part else 0)


def test_a_japanese_text_is_compared_by_characters():
    text = AlignedText.of("灯は、Ａの灯。", "ja")
    assert text.units == ("灯", "は", "a", "の", "灯")
    assert text.tokens == {"灯は", "a", "の灯"}
    assert text.phrases == {("灯", "は", "a", "の"), ("は", "a", "の", "灯")}
    assert text.characters == {("灯", "は", "a"), ("は", "a", "の"), ("a", "の", "灯")}


def test_idf_coverage_and_what_is_unmatched():
    lamp, gate = AlignedText.of("a lamp, a lit lamp", "en"), AlignedText.of("the lamp and the gate", "en")
    idf = token_idf([lamp, gate])
    lit, common = math.log(1 + 1.5 / 1.5), math.log(1 + 0.5 / 2.5)
    assert idf == pytest.approx({"lamp": common, "lit": lit, "gate": lit})
    assert idf_coverage(lamp, gate, idf) == pytest.approx(common / (common + lit))
    assert unmatched_idf(lamp, gate, idf) == pytest.approx([lit])
    assert idf_coverage(AlignedText.of("", "en"), gate, idf) == 0
    assert unmatched_idf(AlignedText.of("unknown", "en"), gate, idf) == [0]
