"""Sentences and windows of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.decisions import Span
from ir_coliee.text.sentences import english_sentences, japanese_sentences, leading_words, sentences, windows


def english(text):
    return [sentence.of(text) for sentence in english_sentences(text)]


def japanese(text):
    return [sentence.of(text) for sentence in japanese_sentences(text)]


# --- English ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sentence",
    [
        "Lamp v. Gate and Mr. Well c. Road were read.",
        "See s. 12, ss. 3 and 4, para. 7, paras. 8 to 9, p. 10 and No. 11 of it.",
        *("It is in 2 K.C.R. 45 (T.D.) of that year.", "Under Reg. (EC) 7 it is lit.", "Lamp et al. (1990) said so."),
        *("It met on Sept. 4 at 10 a.m. in the hall.", "The rate is 3.5 per cent.", "She asked why? and went."),
        *("He waited . . . and went.", "The J. F. Lamp Company was heard.", "1. The lamp was lit."),
        *("iv. The lamp was lit.", "(b). The lamp was lit.", "[12]\nThe lamp\nwas lit."),
        *("It is in\n[1998] 3 K.C.R. 45, too.", "Without a stop at the end"),
    ],
)
def test_these_are_one_sentence(sentence):
    assert english(sentence) == [sentence]
    assert english(f"  {sentence}\n\nAnother one. And one more.\n") == [sentence, "Another one.", "And one more."]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A lamp.", "A gate."),
        ("A lamp?", "12 gates."),
        ("A lamp!", "(A gate.)"),
        ("“A lamp.”", "“A gate.”"),
        ("(A lamp.)", "[A gate]"),
        ("It is so.", "<FRAGMENT_SUPPRESSED> says so."),
        ("It was Lamp Ltd.", "The gate was shut."),
        ("The answer was no.", "He left."),
        ("At 10 a.m.", "The lamp was lit."),
        ("He wrote the paras.", "She read them."),
        ("In all 12.", "The lamp was lit."),
        ("It is so...", "She left."),
        ("(He read Sch.)", "The gate was shut."),
        ("Heading", "[7]\nThe lamp was lit"),
        ("Heading", " [7] The lamp was lit".strip()),
        ("Heading", "[1998]\nis a mark"),
        ("Issues\n 2. Is it lit?", "Yes"),
    ],
)
def test_these_are_two_sentences(first, second):
    assert english(f"{first}\n{second}") == [first, second]


def test_an_empty_line_ends_a_sentence_and_a_line_does_not():
    assert english("A lamp\nwas lit\n \t\nA gate") == ["A lamp\nwas lit", "A gate"]
    assert english("A lamp\r\n\r\nA gate\r\n[1]\r\nA well") == ["A lamp", "A gate", "[1]\r\nA well"]


@pytest.mark.parametrize("blank", ["\n\n", " \n\u00a0\n \n", "\r\n\r\n"])
def test_a_paragraph_mark_belongs_to_the_sentence_behind_it_over_empty_lines(blank):
    assert english(f"[1]{blank}A lamp.{blank}[2]{blank}A gate") == [f"[1]{blank}A lamp.", f"[2]{blank}A gate"]
    assert english(f"[1]{blank}[2]{blank}A gate") == ["[1]", f"[2]{blank}A gate"]
    assert english(f"[7] A lamp{blank}A gate") == ["[7] A lamp", "A gate"]


# --- Japanese --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("灯を貸す。門を売る。", ["灯を貸す。", "門を売る。"]),
        ("灯か？　門だ！井戸。", ["灯か？", "門だ！", "井戸。"]),
        ("甲（法人を含む。以下同じ。）は灯を貸す。", ["甲（法人を含む。以下同じ。）は灯を貸す。"]),
        ("「灯。（門。）井戸。」と言う。乙", ["「灯。（門。）井戸。」と言う。", "乙"]),
        ("（甲は灯を貸す。乙は返す。", ["（甲は灯を貸す。", "乙は返す。"]),
        ("甲は灯を貸す。）乙は返す。", ["甲は灯を貸す。", "）乙は返す。"]),
        ("（甲「乙。）丙。丁。", ["（甲「乙。）丙。", "丁。"]),
        ("灯は3．5倍．門", ["灯は3．5倍．", "門"]),
        ("一　灯\n二　門\r\n", ["一　灯", "二　門"]),
        ("灯。。門", ["灯。。", "門"]),
    ],
)
def test_japanese_sentences_end_outside_of_brackets(text, expected):
    assert japanese(text) == expected


# --- both ------------------------------------------------------------------------------------------

characters = st.sampled_from(
    [*"aA1.!?…。（）「」()[]\"'<\n\r\t \u00a0\u2028\x1c\x00\ud800灯．", "s.", "No.", "\n\n", "[1]"]
)


@pytest.mark.slow
@given(st.lists(characters).map("".join) | st.text(), st.sampled_from(["en", "ja"]))
def test_sentences_are_in_order_and_leave_white_space_alone_out(text, language):
    spans = sentences(text, language)
    end = 0
    for span in spans:
        assert not text[end : span.start].strip()
        assert span.of(text) == span.of(text).strip() != ""
        end = span.end
    assert not text[end:].strip()


# --- windows ---------------------------------------------------------------------------------------


def spans(number):
    return [Span(10 * place, 10 * place + 9) for place in range(number)]


def test_a_window_begins_every_stride_until_one_reaches_the_end():
    assert windows(spans(20)) == [Span(0, 99), Span(50, 149), Span(100, 199)]
    assert windows(spans(21)) == [Span(0, 99), Span(50, 149), Span(100, 199), Span(150, 209)]
    assert windows(spans(10)) == windows(spans(11))[:1] == [Span(0, 99)]
    assert windows(spans(3)) == [Span(0, 29)]
    assert windows([]) == []


def test_no_more_than_the_first_windows_are_taken():
    assert len(windows(spans(1000))) == 25
    assert windows(spans(1000), max_windows=2) == [Span(0, 99), Span(50, 149)]
    assert len(windows(spans(1000), max_windows=None)) == 199


@given(st.integers(0, 60), st.integers(1, 12), st.integers(1, 12))
def test_windows_cover_all_sentences_and_none_needlessly(number, size, stride):
    found = windows(spans(number), size=size, stride=stride, max_windows=None)
    starts = [place for place in range(0, number, stride) if place == 0 or place - stride + size < number]
    assert found == [Span(10 * place, 10 * min(place + size, number) - 1) for place in starts]


# --- leads -----------------------------------------------------------------------------------------


@given(st.text() | st.lists(characters).map("".join), st.integers(1, 5))
def test_a_lead_is_taken_of_any_text(text, number):
    assert text.startswith(leading_words(text, number))
    assert len(leading_words(text, number).split()) == min(number, len(text.split()))
