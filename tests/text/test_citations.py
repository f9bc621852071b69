"""Where a decision cites, places of fragments in base cases, and windows around suppressed citations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.analysers import case_words
from ir_coliee.text.citations import citation_windows, citing_context, citing_sentences, place_fragment, without_markers
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


# Places of fragments in base cases, and windows around suppressed citations.


BASE = "We follow FRAGMENT_SUPPRESSED on loans.\n\nThe  lamp is lent. It was late. The lamp\nis lent. So be it."


@pytest.mark.parametrize(
    ("fragment", "base_case", "distance"),
    [
        ("The lamp is lent.", BASE, 11),  # blanks and the words "on loans."
        ("on loans.", BASE, 1),
        ("follow FRAGMENT_SUPPRESSED on", BASE, 0),
        ("loans", "CITATION_SUPPRESSEDloans", 0),
        ("loans", "loans and xDATE_SUPPRESSED", 6),
        ("loans", "DATE_SUPPRESSED far away loans near REFERENCE_SUPPRESSED", 6),
        ("The gate.", BASE, None),
        ("The lamp.", "The lamp.", None),
        ("The lamp.", "The lamp. It was late.", None),
        ("", BASE, None),
        ("The lamp.", "", None),
    ],
)
def test_the_distance_is_the_number_of_characters_to_the_nearest_marker(fragment, base_case, distance):
    assert place_fragment(fragment, base_case).distance == distance


EDITED = (
    "Temp. Cite: [2098] 3 X.C. 9\nOdd v. Karu\nEditor's note: a lamp.\n[1]\nWe follow FRAGMENT_SUPPRESSED on loans.\n"
    "[Translation] The lamp\n[2] is lent.\n  Editor: Nobody/xyz\n[End of document]"
)


@pytest.mark.parametrize("fragment", ["The lamp\n[2] is lent.", "The lamp [2] is lent.", "[Translation] The lamp"])
def test_editorial_lines_are_removed_where_they_are_lines(fragment):
    """In a text of one line, the analyser of decisions would take all of it for the publisher's line."""
    placed = place_fragment(fragment, EDITED)
    assert placed.text == "Odd v. Karu [1] We follow FRAGMENT_SUPPRESSED on loans. The lamp [2] is lent."
    assert placed.fragment.start == placed.text.index("The lamp")
    assert placed.distance == len(" on loans. ")
    assert case_words(without_markers(placed.text))[:4] == ["odd", "v", "karu", "1"]
    windows = citation_windows(fragment, EDITED, width=700, number=1)
    assert windows == " ".join([without_markers(placed.text)] * 2)


def plain_window(text, start, end, width):
    """The words that overlap a window, found character by character."""
    first, last = max(start - width, 0), min(end + width, len(text))
    while first > 0 and text[first] != " " and text[first - 1] != " ":
        first -= 1
    while last < len(text) and text[last] != " " and text[last - 1] != " ":
        last += 1
    return " ".join(text[first:last].replace("FRAGMENT_SUPPRESSED", " ").split())


@pytest.mark.parametrize("width", [*range(1, 30), 700])
@pytest.mark.parametrize("delete", [False, True])
def test_windows_are_those_around_the_first_markers_and_the_fragment(width, delete):
    fragment = "Then the lamp is lent."
    text = "On loans FRAGMENT_SUPPRESSED says so, and FRAGMENT_SUPPRESSED too, and FRAGMENT_SUPPRESSED not. " + fragment
    text += " So be it, as was held."
    left = text.replace(fragment + " ", "") if delete else text
    starts = [place for place in range(len(left)) if left.startswith("FRAGMENT_SUPPRESSED", place)]
    places = [(start, start + len("FRAGMENT_SUPPRESSED")) for start in starts[:2]]
    at = text.index(fragment)
    places.append((at - 1, at - 1) if delete else (at, at + len(fragment)))
    expected = " ".join(filter(None, (plain_window(left, *place, width) for place in places)))
    assert citation_windows(fragment, text, width=width, number=2, delete_fragment=delete) == expected
