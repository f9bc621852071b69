"""The analysers."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.language import ANALYSERS, case_words, character_bigrams, words


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The Board's decision", ["the", "board", "s", "decision"]),
        ("s. 14(2)(b)", ["s", "14", "2", "b"]),
        ("élève à l'ÉCOLE", ["élève", "à", "l", "école"]),
        ("FRAGMENT_SUPPRESSED", ["fragment", "suppressed"]),
        ("", []),
        (" .,;\n", []),
    ],
)
def test_words_are_lower_case_runs_of_letters_and_digits(text, tokens):
    assert words(text) == tokens


@given(st.lists(st.sampled_from(["ferry", "Board", "14", "É", "b2"])), st.sampled_from([" ", "_", "'s-", "\n", "."]))
def test_words_do_not_depend_on_what_parts_them(pieces, separator):
    expected = [piece.lower() for piece in pieces]
    found = words(separator.join(pieces))
    assert [token for token in found if token != "s"] == expected


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("売主は", ["売主", "主は"]),
        ("売", ["売"]),
        ("売主Ａは、代金を", ["売主", "a", "は", "代金", "金を"]),
        ("第１２条", ["第", "12", "条"]),
        ("ｶﾞｽ", ["ガス"]),
        ("データ", ["デー", "ータ"]),
        ("人々", ["人々"]),
        ("ABC co.", ["abc", "co"]),
        ("門。灯", ["門", "灯"]),
        ("", []),
    ],
)
def test_bigrams_are_pairs_of_neighbours_within_a_run(text, tokens):
    assert character_bigrams(text) == tokens


@given(st.lists(st.text(alphabet="門番灯をはのにカー々", min_size=2), max_size=5))
def test_the_bigrams_of_a_run_give_the_run_back(runs):
    runs = [unicodedata.normalize("NFKC", run) for run in runs]
    expected = [run[i : i + 2] for run in runs for i in range(len(run) - 1)]
    assert character_bigrams("、".join(runs)) == expected


def test_the_words_of_a_case_lack_what_the_organisers_and_editors_put_in():
    text = "MLB unedited judgment\n[1]\nThe FRAGMENT_SUPPRESSED Board [2] erred.\nEditor: Nobody/xyz\n[End of document]"
    assert case_words(text) == ["the", "board", "2", "erred"]


def test_the_analysers_differ_on_a_text_that_tells_them_apart():
    text = "[1]\nFerry 門番は"
    assert {name: analyse(text) for name, analyse in ANALYSERS.items()} == {
        "words": ["1", "ferry", "門番は"],
        "case": ["ferry", "門番は"],
        "bigrams": ["1", "ferry", "門番", "番は"],
    }
