"""What is planted as evidence of exclusive sharing is found by it."""

import numpy as np
import pandas as pd
import pytest

from ir_coliee.transformers import ExclusiveSharingRetriever

TEST = "coliee/task1/2025/test"
QUERIES, NOTICED = range(900001, 900011), range(900011, 900021)


@pytest.fixture(params=["words", "bigrams", "ngrams"])
def planted(request, tmp_path, monkeypatch):
    """Decisions of frequent words; each query shares one thing of a unit with the decision that it notices."""
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    random = np.random.default_rng(3)
    letters = "abcd" if request.param == "bigrams" else "abcdefghijklmnopqrst"  # all decisions have all of their pairs
    frequent = [f"word{letter}" for letter in letters]
    pairs = [(f"lamp{letter}", f"gate{letter}") for letter in "abcdefghij"]  # all decisions have all of their words
    apart = [word for pair in pairs for each in pair for word in (each, "worda")]
    texts = {number: [*random.choice(frequent, 150), *apart] for number in [*QUERIES, *NOTICED]}
    for query, noticed, pair in zip(QUERIES, NOTICED, pairs):
        shared = {
            "words": [f"name{pair[0]}"],
            "bigrams": [pair[0], "of", "the", pair[1]],
            "ngrams": [*random.permutation(frequent)[:12]],
        }[request.param]
        for decision in (query, noticed):
            start = random.integers(0, 150)
            texts[decision][start:start] = shared
    folder = tmp_path / "task1_test_files_2025"
    folder.mkdir()
    for number, words in texts.items():
        (folder / f"{number}.txt").write_text(" ".join(words))
    queries = pd.DataFrame({"qid": [*map(str, QUERIES)], "query": [" ".join(texts[number]) for number in QUERIES]})
    return request.param, queries


def test_each_unit_finds_what_it_tells(planted):
    unit, queries = planted
    best = ExclusiveSharingRetriever(TEST, unit, num_results=1)(queries)
    assert best["docno"].tolist() == [*map(str, NOTICED)]
    assert (best["score"] >= 1).all()


def test_words_do_not_tell_what_frequent_words_are_planted_together(planted):
    unit, queries = planted
    assert ExclusiveSharingRetriever(TEST, "words")(queries).empty == (unit != "words")
