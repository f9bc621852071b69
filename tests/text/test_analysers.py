"""Analysers with and without parameters, and tokens with their places."""

import hashlib
import json
import pickle
import re
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ir_coliee.errors import MissingExtraError
from ir_coliee.text import analysers, japanese
from ir_coliee.text.decisions import paragraph_spans

english = st.builds(
    analysers.English, base=st.sampled_from(["words", "case"]), stem=st.booleans(), remove_stop_words=st.booleans()
)
shingles = st.builds(
    analysers.Shingles,
    n=st.integers(2, 8),
    base=st.sampled_from(["words", "bigrams"]) | english | st.just(analysers.JapaneseWords()),
    hashed=st.booleans(),
    binary=st.booleans(),
    min_df=st.integers(1, 5),
    max_df=st.integers(1, 50),
    max_share=st.floats(0, 1),
)


others = st.sampled_from(["words", "case", "bigrams", analysers.JapaneseWords(), analysers.JapaneseLemmas()])


@given(english | shingles | others)
def test_an_analyser_is_a_value_that_repr_json_and_pickle_give_back(analyser):
    rebuilt = eval(repr(analyser), {**vars(analysers)})
    description = json.loads(json.dumps(analysers.describe_analyser(analyser)))
    assert rebuilt == analysers.analyser_from_description(description) == analyser
    assert pickle.loads(pickle.dumps(analyser)) == analyser
    assert hash(rebuilt) == hash(analyser)


def test_stop_words_are_left_out_and_order_and_repetition_kept():
    assert analysers.English(stem=False)("To the lamp, and a gate; this lamp") == ["lamp", "gate", "lamp"]
    assert analysers.English("case", stem=False, remove_stop_words=True)("[1]\nThe lamp") == ["lamp"]
    assert analysers.English(stem=False, remove_stop_words=False)("To the lamp") == ["to", "the", "lamp"]


def test_words_are_brought_to_their_stems():
    pytest.importorskip("Stemmer")
    assert analysers.English()("The owners owned a lamp of the owner's") == ["owner", "own", "lamp", "owner", "s"]
    assert analysers.English()("being in this") == ["be"]  # words are stopped, stems are not
    stems = analysers.English(remove_stop_words=False)
    assert stems("This decision decides") == ["this", "decis", "decid"]  # no stop word was "thi"
    assert stems("été 門番 2004 \ud800") == ["été", "門番", "2004"]


@given(st.lists(st.sampled_from(["a", "lamp", "gate", "well"]), max_size=12), st.integers(2, 8))
def test_shingles_are_the_runs_of_so_many_words(tokens, length):
    found = analysers.Shingles(length)(" ".join(tokens))
    assert len(found) == max(len(tokens) - length + 1, 0)
    assert [shingle.split(" ")[0] for shingle in found] == tokens[: len(found)]
    assert all(shingle.split(" ") == tokens[place : place + length] for place, shingle in enumerate(found))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *(({"n": n}, f"n must be an integer from 2 to 8, got {n}") for n in (1, 9, 2.0)),
        *(({"min_df": least}, f"min_df must be an integer >= 1, got {least}") for least in (0, 1.5)),
        ({"max_df": None}, "max_df must be an integer >= 0, got None"),
        ({"max_share": 1.1}, r"max_share must be in \[0, 1\], got 1\.1"),
        ({"base": "stems"}, "analyser must be one of words, case, bigrams, .*; got 'stems'"),
        *(({"base": base}, f"analyser must be one of .*; got {re.escape(repr(base))}") for base in (None, ["words"])),
        ({"base": analysers.Pretokenised()}, r"Pretokenised\(\) cannot tokenise texts"),
        ({"base": analysers.Shingles(3)}, r"base must be one of words, .*, English, JapaneseWords; got Shingles\(n=3"),
    ],
)
def test_parameters_out_of_range_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        analysers.Shingles(**{"n": 2} | arguments)


@pytest.mark.parametrize(
    "description",
    [
        *("stems", {}, {"kind": "Stems"}, {"kind": ["English"]}, {"kind": "Shingles"}),
        *({"kind": "Shingles", "words": 1}, {"kind": "English", "x": 1}),
    ],
)
def test_a_description_of_no_analyser_is_refused(description):
    with pytest.raises(ValueError, match=r"must be one of|does not take|n must be"):
        analysers.analyser_from_description(description)


def test_the_version_of_an_analyser_tells_that_of_all_below_it(monkeypatch):
    pairs = analysers.Shingles(2, base=analysers.English("case", stem=False))
    before = analysers.analyser_version(pairs)
    monkeypatch.setitem(analysers.ANALYSERS, "case", analysers.Analyser(str.split, version=7))
    assert analysers.analyser_version(pairs) not in (before, analysers.analyser_version(analysers.Shingles(2)))
    assert analysers.analyser_version("words") == 1


@pytest.mark.parametrize(
    ("analyser", "module", "extra"),
    [
        (analysers.English(), "Stemmer", "learn"),
        (analysers.JapaneseWords(), "fugashi", "ja"),
        (analysers.JapaneseWords(), "unidic_lite", "ja"),
        (analysers.JapaneseLemmas(), "fugashi", "ja"),
    ],
)
@pytest.mark.parametrize("use", [lambda analyser: analyser("灯"), analysers.analyser_version])
def test_a_library_that_is_missing_is_named_by_its_extra(monkeypatch, analyser, module, extra, use):
    monkeypatch.setitem(sys.modules, module, None)
    japanese._tagger.cache_clear()
    with pytest.raises(MissingExtraError, match=rf"ir_coliee\[{extra}\]"):
        use(analyser)


@pytest.mark.parametrize(
    ("analyser", "text", "tokens"),
    [
        (analysers.JapaneseWords(), "門番は灯を売る。", ["門番", "は", "灯", "を", "売る"]),
        (analysers.JapaneseWords(), "第１２条", ["第", "12", "条"]),
        (analysers.JapaneseWords(), "灯。\n\n灯", ["灯", "灯"]),
        (analysers.JapaneseWords(), "灯\0灯 \ud800 灯", ["灯", "灯", "灯"]),
        *((analysers.JapaneseWords(), text, []) for text in ("。、 ", "")),
        (analysers.JapaneseLemmas(), "門番は船を売った。", ["門番", "船", "売る"]),
        (analysers.JapaneseLemmas(), "走らせ、走ります", ["走る", "走る"]),
        (analysers.JapaneseLemmas(), "第１２条のＡは、", ["第", "12", "条", "a"]),
        (analysers.JapaneseLemmas(), "。、 \0\ud800", []),
    ],
)
def test_japanese_text_is_split_into_words_or_lemmas_of_content_words(analyser, text, tokens):
    pytest.importorskip("fugashi")
    pytest.importorskip("unidic_lite")
    assert analyser(text) == tokens


# The analysers.


@example("é".join(map(chr, range(0x2000, 0x2040))))
@given(st.text(st.characters()) | st.text("aÉé’\u00a0\u2028İß_ 9²½門\ud800\x00"))
def test_words_are_what_a_pattern_for_runs_finds(text):
    assert analysers.words(text) == re.findall(r"[^\W_]+", text.lower())


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
    assert analysers.character_bigrams(text) == tokens


@given(st.lists(st.text(alphabet="門番灯をはのにカー々", min_size=2), max_size=5))
def test_the_bigrams_of_a_run_give_the_run_back(runs):
    runs = [unicodedata.normalize("NFKC", run) for run in runs]
    expected = [run[i : i + 2] for run in runs for i in range(len(run) - 1)]
    assert analysers.character_bigrams("、".join(runs)) == expected


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
        for name, analyser in analysers.ANALYSERS.items()
    }
    assert digests == DIGESTS


# Tokens with their places.


TEXTS = st.lists(
    st.sampled_from(
        ["a lamp", "\n[1]\n", "\n[12] ", " <FRAGMENT_SUPPRESSED> ", "DATE_SUPPRESSED", "İß", "ｶﾞ", "灯", "9"]
    )
    | st.text(max_size=6)
).map("".join)


@given(TEXTS, st.sampled_from(["en", "ja"]))
def test_each_token_stands_where_it_says(text, language):
    placed = analysers.PlacedTokens.of(text, language)
    assert placed.ends == sorted(placed.ends)
    paragraphs = paragraph_spans(text)
    for number, (token, paragraph) in enumerate(zip(placed.tokens, placed.paragraphs)):
        span = placed.span(number, 1)
        assert span.end > span.start
        within = paragraphs[paragraph]
        assert within.text.start <= span.start
        assert span.end <= within.text.end
        if language == "en":
            assert span.of(text).lower() == token


def test_markers_and_paragraph_marks_have_no_tokens():
    placed = analysers.PlacedTokens.of("[1]\nAs in<FRAGMENT_SUPPRESSED>and\n[2] so")
    assert placed.tokens == ["as", "in", "and", "so"]
    assert placed.paragraphs == [1, 1, 1, 2]
