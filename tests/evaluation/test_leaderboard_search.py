"""Leaderboards are found by year, by task, by both in any order, and by dataset id."""

import pytest

from ir_coliee.errors import ColieeError, UnknownIdError
from ir_coliee.evaluation.leaderboards import find_leaderboards, leaderboards, overview


def keys(*words):
    return [(board.edition, board.task) for board in find_leaderboards(*words)]


def test_a_year_or_a_task_finds_all_its_leaderboards():
    assert keys() == [*leaderboards()]
    assert keys("2026") == [("2026", f"task{number}") for number in (1, 2, 3, 4)]
    assert keys("task2") == [(year, "task2") for year in ("2021", "2022", "2023", "2024", "2025", "2026")]
    assert ("2023", "task3-first-release") in keys("2023")
    assert ("2023", "task3-first-release") not in keys("task3")


def test_one_is_found_by_both_words_in_any_order_and_by_an_id():
    for words in (("2023", "task1"), ("Task1", "2023"), ("irds:coliee/task1/2023/test",), ("coliee:task1/2023",)):
        assert keys(*words) == [("2023", "task1")]
    assert keys("coliee/task3/2025/en/test") == keys("coliee/task3/2025/en") == [("2025", "task3")]


@pytest.mark.parametrize("words", [("1999",), ("2022", "task1"), ("task9",), ("2023", "x"), ("",)])
def test_an_unknown_one_is_refused_with_the_known_ones(words):
    with pytest.raises(ColieeError, match=r"(?m)Known leaderboards: 2021 task1, 2021 task2, .*, 2026 task4\.$"):
        find_leaderboards(*words)


def test_an_id_without_leaderboard_and_an_unknown_id_are_told_apart():
    with pytest.raises(ColieeError, match="coliee/task1/2022/test has no published leaderboard"):
        find_leaderboards("coliee/task1/2022/test")
    with pytest.raises(UnknownIdError):
        find_leaderboards("coliee/task1/2023/dev")


def test_the_overview_has_the_best_run_of_each():
    rows = overview(find_leaderboards()).set_index(["edition", "task"])
    assert len(rows) == len(leaderboards())
    assert rows.loc[("2023", "task1")].tolist() == ["micro F1", "THUIR thuirrun2", "0.3001", "22 of 22"]
    assert rows.loc[("2026", "task1"), "runs known"] == "54 of 54"
