"""The leaderboards: their tables, and a run's place among the official ones."""

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.evaluation.leaderboards import (
    Leaderboard,
    find_leaderboards,
    leaderboard,
    leaderboards,
    official_leaderboard,
    place,
    place_on,
    round_half_up,
)

KEYS = sorted(leaderboards())
WHOLE = {"rank", "returned", "tp", "correct", "total", "correct_r02", "correct_r01"}
TEXT = {"team", "run", "language", "formal", "note"}
of_every_board = pytest.mark.parametrize("key", KEYS, ids=" ".join)


def decimals(printed):
    return len(printed.partition(".")[2])


def synthetic_leaderboard(figures, ranks=None, *, digits=2, missing=0, top=None):
    """A leaderboard of these printed figures."""
    ranks = ranks or [""] * len(figures)
    rows = [
        {"rank": str(rank), "team": f"T{number}", "run": "", "MicroF1": figure}
        for number, (rank, figure) in enumerate(zip(ranks, figures))
    ]
    return Leaderboard(
        "1999", "task1", tuple(rows), "micro F1", "MicroF1", digits, len(rows) + missing, not missing, "",
        top, "high", 9, 9, "source", "caveat",
    )  # fmt: skip


# --- the tables ------------------------------------------------------------------------------------


@of_every_board
def test_printed_ranks_are_competition_ranks_of_the_figures(key):
    found = official_leaderboard(*key)
    ranked = [run for run in found.listed if run.rank is not None]
    assert ranked or key == ("2025", "task1")
    assert ranked == sorted(ranked, key=lambda run: run.rank)
    for run in ranked:
        better = sum(other.value > run.value for other in found.listed)
        assert run.rank == better + 1 if found.complete else better < run.rank <= found.size
        placed = place(*key, float(run.value))
        assert (placed.rank, placed.worst) == (run.rank, run.rank)
        assert run in placed.ties
    assert len(ranked) == len(found.listed) or not found.complete


@of_every_board
def test_an_accuracy_is_the_right_answers_over_the_questions(key):
    for row in official_leaderboard(*key).rows:
        if "AnswerAccuracy" not in row or (key == ("2025", "task4") and row["team"] == "Baseline"):  # misprint 41
            continue
        assert int(row["total"]) == official_leaderboard(*key).queries
        digits = decimals(row["AnswerAccuracy"])
        assert str(round_half_up(int(row["correct"]) / int(row["total"]), digits)) == row["AnswerAccuracy"]


# --- as frames -------------------------------------------------------------------------------------


@of_every_board
def test_a_frame_has_the_rows_of_its_table_as_numbers_and_text(key):
    frame, found = leaderboard(*key), official_leaderboard(*key)
    assert list(frame.columns) == list(found.rows[0])
    assert len(frame) == len(found.rows)
    for column in frame.columns:
        printed = [row[column] for row in found.rows]
        if column in TEXT:
            assert frame[column].tolist() == printed
        else:
            assert str(frame[column].dtype) == ("Int64" if column in WHOLE else "float64")
            assert frame[column].isna().tolist() == [cell == "" for cell in printed]
            assert [float(number) for number in frame[column].dropna()] == [float(cell) for cell in printed if cell]


# --- rounding --------------------------------------------------------------------------------------


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.integers(0, 6))
@settings(max_examples=60)
def test_rounding_a_ratio_of_counts_is_exact(ratio, digits):
    number, scale = Fraction(*ratio), 10**digits
    rounded = round_half_up(ratio[0] / ratio[1], digits)
    assert Fraction(rounded) == Fraction(math.floor(number * scale + Fraction(1, 2)), scale)
    assert decimals(str(rounded)) == digits


# --- places ----------------------------------------------------------------------------------------


def test_a_figure_is_rounded_to_the_boards_precision_before_it_is_placed():
    placed = [place_on(synthetic_leaderboard(["0.30", "0.20"]), value) for value in (0.295, 0.2949)]
    assert [(str(each.value), each.rank) for each in placed] == [("0.30", 1), ("0.29", 2)]


tenths = st.integers(1, 9)


@given(
    st.lists(st.tuples(tenths, st.booleans()), min_size=1, max_size=4),
    st.lists(st.integers(1, 19), min_size=1, max_size=3),
    tenths,
    st.booleans(),
)
@settings(max_examples=60)
def test_the_bounds_of_a_rank_are_those_of_all_rankings_that_fit(known, hidden, figure, reported):
    listed = sorted((2 * tenth for tenth, _ in known), reverse=True)
    given_ranks = [ranked for _, ranked in known]

    def rank_of(value, values):
        return 1 + sum(other > value for other in values)

    truth = [*listed, *hidden]
    ranks = [rank_of(value, truth) if ranked else "" for value, ranked in zip(listed, given_ranks)]
    top = max(truth) / 20 if reported else None
    fitting = [
        rank_of(2 * figure, values)
        for guess in itertools.combinations_with_replacement(range(1, 20), len(hidden))
        if (values := [*listed, *guess])
        and (top is None or max(values) == round(20 * top))
        and all(rank in ("", rank_of(value, values)) for value, rank in zip(listed, ranks))
    ]
    placed = place_on(
        synthetic_leaderboard([f"{value / 20:.2f}" for value in listed], ranks, missing=len(hidden), top=top),
        figure / 10,
    )
    assert (placed.rank, placed.worst) == (min(fitting), max(fitting))


# --- in words --------------------------------------------------------------------------------------


COMPLETE = synthetic_leaderboard(["0.90", "0.50", "0.50"], [1, 2, 2])
PARTIAL = synthetic_leaderboard(["0.90", "0.50", "0.50"], missing=2)
ORDINALS = [(3, "3rd"), (4, "4th"), (11, "11th"), (21, "21st"), (112, "112th")]
PLACES = [
    (COMPLETE, 0.95, "0.95 would have ranked 1st of 3, before T0 (0.90)"),
    (COMPLETE, 0.9, "0.90 would have ranked 1st of 3, tied with T0 (0.90), before T1, T2 (0.50)"),
    (COMPLETE, 0.7, "0.70 would have ranked 2nd of 3, between T0 (0.90) and T1, T2 (0.50)"),
    (COMPLETE, 0.5, "0.50 would have ranked 2nd of 3, tied with T1, T2 (0.50), after T0 (0.90)"),
    (COMPLETE, 0.1, "0.10 would have ranked below all 3, after T1, T2 (0.50)"),
    (PARTIAL, 0.7, "2nd of 5 at best and 4th of 5 at worst (3 of 5 runs are known), between T0 (0.90) and T1"),
    (PARTIAL, 0.1, "4th of 5 at best and below all 5 at worst (3 of 5 runs are known), after T1, T2 (0.50)"),
    (("2025", "task2"), 0.4, "1st of 18, before NOWJ NOWJ_003 (0.3195); 9 of 18 runs are known"),
    (("2026", "task1"), 0.0, "ClaUSurf task1_clsmhc13f, NIT26 task1_run1 and 7 more (0.0000)"),
    (("2026", "task2"), 0.1, "and 3 unnamed runs (0.0000)"),
    (("2021", "task1"), 0.05, "and an unnamed run (0.0456); 3 of 16 runs are known"),
    *(
        (synthetic_leaderboard(["0.90"] * (rank - 1) + ["0.10"]), 0.5, f"ranked {word} of {rank}, ")
        for rank, word in ORDINALS
    ),
]


@pytest.mark.parametrize(("board", "value", "words"), PLACES)
def test_a_place_is_said_in_words_with_what_is_known(board, value, words):
    placed = place_on(board if isinstance(board, Leaderboard) else official_leaderboard(*board), value)
    assert words in placed.sentence == str(placed)


def test_completeness_and_caveat_are_said_beside_a_place():
    assert place("task1", 2023, 0.3).note.startswith(
        "Leaderboard 2023 task1: micro F1, all 22 runs listed; confidence high. Caveat: run names known for 5 rows;"
    )
    assert "48 of 54 runs listed, the others have 0; confidence high" in place("task1", 2026, 0.3).note


# --- found by words ------------------------------------------------------------------------------------


FOUND = [
    ((), [*leaderboards()]),
    (("2026",), [("2026", f"task{number}") for number in (1, 2, 3, 4)]),
    (("task2",), [(str(year), "task2") for year in range(2021, 2027)]),
    (("2023", "task1"), [("2023", "task1")]),
    (("Task1", "2023"), [("2023", "task1")]),
    (("irds:coliee/task1/2023/test",), [("2023", "task1")]),
    (("coliee:task1/2023",), [("2023", "task1")]),
    (("coliee/task3/2025/en/test",), [("2025", "task3")]),
    (("coliee/task3/2025/en",), [("2025", "task3")]),
]


@pytest.mark.parametrize(("words", "expected"), FOUND)
def test_leaderboards_are_found_by_year_task_both_in_any_order_or_id(words, expected):
    found = [(board.edition, board.task) for board in find_leaderboards(*words)]
    assert found == expected
