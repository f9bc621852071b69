"""Dataset ids are selected by their parts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.editions import SPLITS, select_ids, split
from ir_coliee.errors import ColieeError

PARTS = ["task1", "task3", "pilot", "rationale", "2025", "2026", "sample", "en", "ja", "train", "test", "r05"]


@settings(max_examples=50)
@given(st.lists(st.sampled_from(PARTS), max_size=3))
def test_an_id_is_selected_if_it_has_all_parts(words):
    expected = {name for name in SPLITS if set(words) <= set(name.split("/"))}
    try:
        selected = set(select_ids(words))
    except ColieeError:
        selected = set()
    assert selected & set(SPLITS) == expected


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tsk3"], r"'tsk3'.\nThere are: task3"),
        (["2027"], r"'2027'.\nThere are: 2026"),
        (["dev"], "'dev'.\nThere are: task1, 2026, test"),
        (["task1", "r05"], r"task1 r05.\nThe nearest are: coliee/task1/"),
        (["task3", "2026", "test", "en"], r"task3 2026 test en.\nThe nearest are: coliee/task3/2026/ja/test"),
    ],
)
def test_words_that_select_nothing_are_errors_that_name_the_nearest(words, message):
    with pytest.raises(ColieeError, match=message):
        select_ids(words)


def test_a_collection_of_articles_is_no_split_and_names_one():
    with pytest.raises(
        ColieeError, match=r"without queries\.\nPass one of its splits, for example coliee/task3/2025/en/"
    ):
        split("coliee/task3/2025/en")
