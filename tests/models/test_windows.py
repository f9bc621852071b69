"""Windows: what they cover, how long they are, and how their scores are pooled."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.errors import ColieeWarning
from ir_coliee.models.batches import (
    POOLINGS,
    Reading,
    pool_scores,
    query_tokens_read,
    text_windows,
    token_windows,
    warn_about_reading,
)


@given(st.integers(0, 3000), st.integers(1, 600), st.sampled_from(POOLINGS))
def test_windows_cover_every_token_in_order_and_none_is_longer_than_the_limit(length, size, pooling):
    windows = token_windows(length, size, pooling)
    assert all(len(each) <= size for each in windows)
    assert [each.start for each in windows] == sorted({each.start for each in windows})
    if length <= size or pooling == "first":
        assert windows == [range(min(length, size))]
    else:
        assert set().union(*windows) == set(range(length))
        assert {len(each) for each in windows} == {size}
        shared = [before.stop - after.start for before, after in pairwise(windows)]
        assert min(shared) >= size // 4


@given(st.integers(0, 2000), st.integers(0, 2000), st.integers(8, 512))
def test_of_a_query_half_of_the_room_is_read_and_more_where_the_text_leaves_it(query, text, room):
    read = query_tokens_read(query, text, room)
    assert read == query or read >= room // 2
    assert read + min(text, room - read) <= room
    assert query + text > room or read == query
    assert text == 0 or room - read >= min(text, room // 2)


@given(st.lists(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=9), max_size=9))
def test_pooled_scores_are_those_of_a_plain_loop(of_texts):
    scores = np.array([score for of_text in of_texts for score in of_text])
    counts = [len(of_text) for of_text in of_texts]
    assert pool_scores(scores, counts, "max").tolist() == [max(of_text) for of_text in of_texts]
    means = [sum(of_text) / len(of_text) for of_text in of_texts]
    assert pool_scores(scores, counts, "mean").tolist() == pytest.approx(means, rel=1e-9, abs=1e-9)
    assert pool_scores(scores[: len(counts)], [1] * len(counts), "first").tolist() == scores[: len(counts)].tolist()


def test_what_is_read_is_told_once_by_share_and_query():
    whole, long = Reading("900", 5, 5, 20, 20, 1), Reading("901", 5, 5, 300, 300, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_about_reading([whole, whole], "max")
    with pytest.warns(ColieeWarning, match=r"1 of 4 texts \(25%\) exceed .* each is read in up to 4 windows.*highest"):
        warn_about_reading([whole, long, whole, whole], "max")
    with pytest.warns(ColieeWarning, match=r"1 of 2 texts .* only their beginning is read, 20% of their tokens"):
        warn_about_reading([whole, long._replace(text_read=60, windows=1)], "first")
    with pytest.warns(
        ColieeWarning, match=r"exceed half of the window: only their beginning is read, 10% of their tokens: 901\."
    ):
        warn_about_reading([whole, Reading("901", 500, 50, 9, 9, 1)], "max")


ALPHABET = "ab é漢."


@pytest.mark.parametrize("fast", [True, False])
def test_windows_of_a_text_are_pieces_of_it_that_fit(fast):
    pytest.importorskip("torch")
    tokenizer = _tokenizer(fast)

    def count(text):
        return len(tokenizer(text, add_special_tokens=False)["input_ids"])

    numbers = np.random.default_rng(0)
    for _ in range(60):
        text = "".join(numbers.choice(list(ALPHABET), numbers.integers(0, 120)))
        size = int(numbers.integers(3, 40))
        windows = text_windows(tokenizer, text, size)
        assert max(map(count, windows)) <= size
        assert text_windows(tokenizer, text, size, "first") == windows[:1]
        if len(windows) == 1:
            assert windows == [text]
        elif fast:
            assert set("".join(windows)) - {" "} == set(text) - {" "}
            starts = [text.index(each) for each in windows]
            assert text[starts[0] :].startswith(windows[0])
            assert text.rstrip().endswith(windows[-1].rstrip())


def _tokenizer(fast):
    from transformers import AutoTokenizer, ByT5Tokenizer

    from ir_coliee.models.tiny_checkpoints import tiny_checkpoint

    return AutoTokenizer.from_pretrained(tiny_checkpoint("classifier")) if fast else ByT5Tokenizer()
