"""The analysers."""

import hashlib
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.analysers import ANALYSERS, character_bigrams, words


@given(st.text(st.characters()) | st.text("aÉé’\u00a0\u2028İß_ 9²½門\ud800\x00"))
def test_words_are_what_a_pattern_for_runs_finds(text):
    assert words(text) == re.findall(r"[^\W_]+", text.lower())


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


#: What each version of an analyser makes of one text. Whoever changes its rules raises its version with its digest.
DIGESTS = {
    ("words", 1): "6007c92b39589cca",
    ("case", 2): "d2563081ff02f7e2",
    ("bigrams", 1): "8c7979fe9fd7d6c1",
    ("characters", 1): "bace9d964b0a2ff1",
}


def test_other_rules_are_another_version_so_that_no_old_index_is_asked():
    text = (
        " [1]\tThe FRAGMENT_SUPPRESSED Board’s décision_no. 14(2)(b), <DATE_SUPPRESSED>İ²\n[2] Soft\u00adware; ok.\n"
        "Editor: Nobody/xyz\n[2004] 1 門番Ａは、灯を々\n[Translation]\n[End of document]\nTOO_MANY x\u00a0 y\u200bz"
    )
    digests = {
        (name, analyser.version): hashlib.sha256("\n".join(analyser(text)).encode()).hexdigest()[:16]
        for name, analyser in ANALYSERS.items()
    }
    assert digests == DIGESTS
