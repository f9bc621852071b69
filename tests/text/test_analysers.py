"""Analysers with parameters: what they make of texts, and that they are values."""

import json
import pickle
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.errors import MissingExtraError
from ir_coliee.text import japanese
from ir_coliee.text.analysers import (
    English,
    JapaneseWords,
    Pretokenised,
    Shingles,
    described,
    from_description,
    function,
    version,
)
from ir_coliee.text.language import words

english = st.builds(English, of=st.sampled_from(["words", "case"]), stemmed=st.booleans(), stopped=st.booleans())
shingles = st.builds(
    Shingles,
    words=st.integers(2, 8),
    of=st.sampled_from(["words", "bigrams"]) | english | st.just(JapaneseWords()),
    hashed=st.booleans(),
    binary=st.booleans(),
    fewest=st.integers(1, 5),
    most=st.integers(1, 50),
    share=st.floats(0, 1),
)


@given(english | shingles | st.sampled_from(["words", "case", "bigrams", JapaneseWords()]))
def test_an_analyser_is_a_value_that_repr_json_and_pickle_give_back(analyser):
    assert eval(repr(analyser)) == analyser
    assert from_description(json.loads(json.dumps(described(analyser)))) == analyser
    assert pickle.loads(pickle.dumps(analyser)) == analyser
    assert hash(eval(repr(analyser))) == hash(analyser)


def test_stop_words_are_left_out_and_order_and_repetition_kept():
    assert English(stemmed=False)("To the lamp, and a gate; this lamp") == ["lamp", "gate", "lamp"]
    assert English("case", stemmed=False, stopped=True)("[1]\nThe lamp") == ["lamp"]
    assert English(stemmed=False, stopped=False)("To the lamp") == ["to", "the", "lamp"]


def test_words_are_brought_to_their_stems():
    pytest.importorskip("Stemmer")
    assert English()("The owners owned a lamp of the owner's") == ["owner", "own", "lamp", "owner", "s"]
    assert English()("being in this") == ["be"]  # words are stopped, stems are not
    assert English(stopped=False)("This decision decides") == ["this", "decis", "decid"]  # no stop word was "thi"
    assert English(stopped=False)("été 門番 2004 \ud800") == ["été", "門番", "2004"]


@given(st.lists(st.sampled_from(["a", "lamp", "gate", "well"]), max_size=12), st.integers(2, 8))
def test_shingles_are_the_runs_of_so_many_words(tokens, length):
    found = Shingles(length)(" ".join(tokens))
    assert len(found) == max(len(tokens) - length + 1, 0)
    assert [shingle.split(" ")[0] for shingle in found] == tokens[: len(found)]
    assert all(shingle.split(" ") == tokens[place : place + length] for place, shingle in enumerate(found))


def test_shingles_may_be_of_content_words():
    assert Shingles(2, of=English(stemmed=False))("the lamp at the gate") == ["lamp gate"]


@pytest.mark.parametrize(
    ("documents", "bounds"),
    [(100, (2, 20)), (1000, (2, 20)), (1049, (2, 20)), (1050, (2, 21)), (9500, (2, 190))],
)
def test_the_most_documents_are_a_number_or_a_share_whichever_is_more(documents, bounds):
    assert Shingles(3).bounds(documents) == bounds


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"words": 1}, "words=1 is not an int from 2 to 8"),
        ({"words": 9}, "words=9 is not an int from 2 to 8"),
        ({"words": 2, "of": "stems"}, "no analyser 'stems'; there are words, case, bigrams"),
        ({"words": 2.0}, r"words=2\.0 is not an int from 2 to 8"),
        ({"words": 2, "fewest": 0}, "fewest=0 is not an int from 1"),
        ({"words": 2, "fewest": 1.5}, r"fewest=1\.5 is not an int from 1"),
        ({"words": 2, "most": None}, "most=None is not an int from 0"),
        ({"words": 2, "share": 1.1}, r"share=1\.1 is not from 0 to 1"),
        ({"words": 2, "of": None}, "no analyser None"),
        ({"words": 2, "of": ["words"]}, r"no analyser \['words'\]"),
        ({"words": 2, "of": Pretokenised()}, r"Pretokenised\(\) reads no text"),
        ({"words": 2, "of": Shingles(3)}, r"of=Shingles\(words=3.* is none of words, .*, English, JapaneseWords"),
    ],
)
def test_parameters_out_of_range_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Shingles(**arguments)


@pytest.mark.parametrize("of", [English(stemmed=False), JapaneseWords(), Shingles(2), Pretokenised()])
def test_english_words_are_made_of_an_analyser_with_a_name(of):
    with pytest.raises(ValueError, match=r"is none of words, case, bigrams, characters$|reads no text"):
        English(of=of)


@pytest.mark.parametrize(
    ("analyser", "keeps"),
    [
        (Shingles(2), False),
        (Shingles(2, fewest=1), False),
        (Shingles(2, share=1), False),
        (Shingles(2, fewest=1, share=1), True),
    ],
)
def test_shingles_without_bounds_are_all_kept(analyser, keeps):
    assert analyser.keeps_all is keeps
    assert (analyser.bounds(10**9) == (1, 10**9)) is keeps


@pytest.mark.parametrize(
    "description",
    [
        "stems",
        {},
        {"kind": "Stems"},
        {"kind": ["English"]},
        {"kind": "Shingles"},
        {"kind": "Shingles", "words": 1},
        {"kind": "English", "x": 1},
    ],
)
def test_a_description_of_no_analyser_is_refused(description):
    with pytest.raises(ValueError, match=r"no analyser|no kind|not what|words=1"):
        from_description(description)


def test_the_version_of_an_analyser_tells_that_of_all_below_it(monkeypatch):
    before = version(Shingles(2, of=English("case", stemmed=False)))
    monkeypatch.setitem(sys.modules["ir_coliee.text.language"].ANALYSERS, "case", type("Other", (), {"version": 7})())
    assert version(Shingles(2, of=English("case", stemmed=False))) not in (before, version(Shingles(2)))
    assert version("words") == 1


def test_a_stemmer_of_another_version_is_another_version(monkeypatch):
    stemmer = pytest.importorskip("Stemmer")
    before = version(English())
    monkeypatch.setattr(stemmer, "version", lambda: "0.1")
    assert version(English()) != before


@pytest.mark.parametrize(
    ("analyser", "module", "extra"),
    [(English(), "Stemmer", "stem"), (JapaneseWords(), "fugashi", "ja"), (JapaneseWords(), "unidic_lite", "ja")],
)
@pytest.mark.parametrize("use", [lambda analyser: analyser("灯"), version])
def test_a_library_that_is_missing_is_named_by_its_extra(monkeypatch, analyser, module, extra, use):
    monkeypatch.setitem(sys.modules, module, None)
    japanese._tagger.cache_clear()
    with pytest.raises(MissingExtraError, match=rf"ir_coliee\[{extra}\]"):
        use(analyser)


def test_what_needs_no_library_is_done_without(monkeypatch):
    for module in ("Stemmer", "fugashi", "unidic_lite"):
        monkeypatch.setitem(sys.modules, module, None)
    assert Shingles(2, of=English(stemmed=False))("a red lamp") == ["red lamp"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("門番は灯を売る。", ["門番", "は", "灯", "を", "売る"]),
        ("第１２条", ["第", "12", "条"]),
        ("灯。\n\n灯", ["灯", "灯"]),
        ("灯\0灯 \ud800 灯", ["灯", "灯", "灯"]),
        ("。、 ", []),
        ("", []),
    ],
)
def test_japanese_text_is_parted_into_words(text, tokens):
    pytest.importorskip("fugashi")
    pytest.importorskip("unidic_lite")
    assert JapaneseWords()(text) == tokens


def test_a_name_is_its_function():
    assert function("words")("A lamp") == words("A lamp")
