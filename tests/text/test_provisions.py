"""Articles parted into paragraphs, items and subitems."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import english_words, japanese_words, kanji

import ir_coliee  # noqa: F401 registers the sample
from ir_coliee.text.statutes import provision_texts, provisions


def parts(text, language):
    return [(one.label, text[one.start : one.end]) for one in provisions(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("", "en", [("1", "")]),
        ("   \n", "ja", [("1", "")]),
        ("A gate.", "en", [("1", "A gate.")]),
        # a caption above is in the first paragraph, whose mark then opens nothing
        ("Gates\n(1) A gate.\n(2) A lamp.", "en", [("1", "Gates\n(1) A gate."), ("2", "A lamp.")]),
        ("(2) A gate.\n(4) A lamp.", "en", [("2", "A gate."), ("4", "A lamp.")]),
        ("(1) A gate.\n(1) of the preceding Article", "en", [("1", "A gate.\n(1) of the preceding Article")]),
        ("(3) A gate.\n(2) A lamp.", "en", [("3", "A gate.\n(2) A lamp.")]),
        ("If:\n(a) a gate\n(2) A lamp.", "en", [("1", "If:\n(a) a gate"), ("1.0.1", "a gate"), ("2", "A lamp.")]),
        ("一　灯", "ja", [("1", "一　灯"), ("1.1", "灯")]),
        ("A gate.\r\n(2) A lamp.\r\n", "en", [("1", "A gate."), ("2", "A lamp.")]),
        ("(1) A gate.\nshall be closed.\n(2)\n", "en", [("1", "A gate.\nshall be closed."), ("2", "")]),
    ],
)
def test_unusual_articles_are_split_all_the_same(text, language, expected):
    assert parts(text, language) == expected


def test_the_letter_i_is_an_item_but_a_subitem_behind_h():
    letters = "abcdefghij"
    text = "\n".join(["(1) If:", "(i) one:", *(f"({letter}) lamp" for letter in letters), "(ii) two"])
    assert [one.label for one in provisions(text, "en")] == ["1", "1.1", *(f"1.1.{n}" for n in range(1, 11)), "1.2"]


def test_provisions_without_words_are_left_out_but_one():
    assert provision_texts("(1)\n(i) a lamp\n(2) \n(3) A gate.", "en", "item") == [("1.1", "a lamp"), ("3", "A gate.")]
    assert provision_texts("(1)\n(2)", "en") == [("1", "")]


_structure = st.lists(st.lists(st.integers(0, 3), max_size=4), min_size=1, max_size=4)
_ROMAN = ("i", "ii", "iii", "iv")


@given(_structure, english_words)
def test_any_english_article_is_split_as_it_was_written(structure, words):
    lines, expected = [], []
    for paragraph, items in enumerate(structure, start=1):
        lines.append(f"({paragraph}) {words}")
        expected.append(f"{paragraph}")
        for item, subitems in enumerate(items, start=1):
            lines.append(f"({_ROMAN[item - 1]}) {words}")
            lines += [f"({'abc'[n]}) {words}" for n in range(subitems)]
            expected += [f"{paragraph}.{item}", *(f"{paragraph}.{item}.{n + 1}" for n in range(subitems))]
    text = "\n".join(lines)
    assert [one.label for one in provisions(text, "en")] == expected
    assert provision_texts(text, "en", "subitem") == [(label, words) for label in expected]


@given(_structure, japanese_words)
def test_any_japanese_article_is_split_as_it_was_written(structure, words):
    lines, expected = [], []
    for paragraph, items in enumerate(structure, start=1):
        lines.append(f"{'０１２３４'[paragraph]}　{words}" if paragraph > 1 else words)
        expected.append(f"{paragraph}")
        for item, subitems in enumerate(items, start=1):
            lines.append(f"{kanji(item)}　{words}")
            lines += [f"{'イロハ'[n]}　{words}" for n in range(subitems)]
            expected += [f"{paragraph}.{item}", *(f"{paragraph}.{item}.{n + 1}" for n in range(subitems))]
    text = "\n".join(lines)
    assert provision_texts(text, "ja", "subitem") == [(label, words) for label in expected]


_MARKS = ["(1) ", "(2)", "(i) ", "(v)", "(x) ", "(a)", "(h) ", "２　", "10 ", "一　", "一の二　", "イ　", "", "灯"]
_lines = st.lists(st.builds(lambda mark, text: mark + text, st.sampled_from(_MARKS), st.text(max_size=4)), max_size=10)


@given(_lines.map("\n".join) | st.text(max_size=40), st.sampled_from(["en", "ja"]))
def test_any_text_is_split_into_provisions_within_each_other(text, language):
    found = provisions(text, language)
    assert len({one.label for one in found}) == len(found)
    assert found[0].level == 0
    for one in found:
        assert one.start <= one.lead_end <= one.end <= len(text)
        assert one.label.count(".") == one.level
    for before, one in pairwise(found):
        assert before.lead_end <= one.start
        assert before.end <= one.start or (before.level < one.level and one.end <= before.end)
