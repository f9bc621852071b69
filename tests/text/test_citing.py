"""Where a decision cites."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.citations import citing_context, citing_sentences
from ir_coliee.text.decisions import marker_spans

M = "<FRAGMENT_SUPPRESSED>"


def cited(text, **options):
    return [span.of(text) for span in citing_sentences(text, **options)]


def test_sentences_with_a_marker_are_found():
    text = f"One. Two {M} there. Three. FourREFERENCE_SUPPRESSED. Five."
    assert cited(text) == [f"Two {M} there.", "FourREFERENCE_SUPPRESSED."]


@pytest.mark.parametrize(
    ("sentence", "neighbours"),
    [
        (f"{M} says so and the lamp was lit.", ["Before."]),
        (f"The lamp was lit as it is said in {M} .", ["Behind."]),
        (f"{M} says that the lamp was lit as in {M} .", ["Before.", "Behind."]),
    ],
)
def test_the_half_in_which_a_marker_stands_chooses_the_neighbour(sentence, neighbours):
    text = f"Far before. Before. {sentence} Behind. Far behind."
    assert [found for found in cited(text, with_neighbour=True) if found != sentence] == neighbours


def test_the_context_is_filled_up_with_the_beginning_of_the_cleaned_text():
    text = f"[1]\nOne two three.\n[2]\nFour five {M} ."
    assert citing_context(text, words=0) == "Four five ."
    assert citing_context(text, words=5) == "Four five .\nOne two"
    assert citing_context(text, words=500) == "Four five .\nOne two three. Four five ."


def test_a_decision_that_cites_nothing_gives_its_beginning():
    assert citing_context("One two three.", words=2) == "One two"
    assert citing_context("One two three.", words=0) == ""
    assert citing_context("", words=5) == ""


@given(
    st.lists(st.sampled_from([M, "DATE_SUPPRESSED", "One.", "two", "[3]", "\n", "?", "v.", "\ud800"])).map(" ".join)
    | st.text()
)
def test_every_marker_is_in_a_sentence_and_no_sentence_is_without(text):
    sentences, markers = citing_sentences(text), marker_spans(text)
    for marker in markers:
        assert any(sentence.start <= marker.start < sentence.end for sentence in sentences)
    for sentence in sentences:
        assert any(sentence.start <= marker.start < sentence.end for marker in markers)
    assert "SUPPRESSED" in text or citing_context(text, words=0) == ""
