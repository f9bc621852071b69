"""Misprints and contradictions of the official texts, by their number in the list of them, and what we do instead.

Not here are those that ask nothing of a program: 15, 17, 19, 26, 32, 33 and 34. Of 16 nothing is here either: we
print counts, no averages of a data set.
"""

import json

import ir_measures
import numpy as np
import pytest
from run_lines import saved
from samples import PREDICTION, RATIONALE, TASK1, TASK3, TORTS, frame

from ir_coliee import AnswerAccuracy, MacroF, MacroF2, MacroP, MacroR, MicroF1
from ir_coliee.editions import split
from ir_coliee.errors import MalformedFileError, MalformedRunError
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.leaderboards import leaderboard, leaderboards, official_leaderboard, place, round_half_up
from ir_coliee.evaluation.runs import load_run
from ir_coliee.evaluation.scoring import FIGURES, score
from ir_coliee.evaluation.writing import write_run


def counts(*queries):
    """Arrays of (tp, returned, relevant) of queries."""
    return np.array(queries).T


def column(edition, task, name, **where):
    """The values of a column of a leaderboard, in the rows with these values of others."""
    found = leaderboard(edition, task)
    for other, value in where.items():
        found = found[found[other] == value]
    return found[name].dropna().tolist()


def baseline(edition):
    (row,) = (row for row in official_leaderboard("task4", edition).rows if row["team"] == "Baseline")
    return row


def of_split(name):
    return split(f"coliee/{name}/test")


def ties(edition, task, value):
    """The rank of a figure, those of the runs that share it, and the next ones."""
    placed = place(task, edition, value)
    return placed.rank, len(placed.ties), {run.rank for run in placed.below}


UNHEARD_OF = {"retrieved (tp)", "return", "articles"}
#: Number, what we have, and what it is.
FACTS = [
    # no column is called so: returned are the answers, and tp the right ones
    *((2, lambda key=key: {*leaderboard(*key).columns} & UNHEARD_OF, set()) for key in leaderboards()),
    (2, lambda: [column(2023, "task3", name)[0] for name in ("returned", "tp")], [142, 92]),
    # the best F2 of 2023 is that of the table
    (4, lambda: max(column(2023, "task3", "MacroF2")), 0.764),
    (4, lambda: place("task3", 2023, 0.757).rank, 2),
    (4, lambda: column(2023, "task3-first-release", "MacroF2", run="allEnssMissq"), [0.7569]),
    # tasks 3 and 4 of 2023 score other questions
    *(
        (5, lambda name=name: (of_split(name).counts["queries"], len(of_split(name).excluded)), expected)
        for language in ("en", "ja")
        for name, expected in ((f"task3/2023/{language}", (100, 5)), (f"task4/2023/{language}", (101, 4)))
    ),
    (5, lambda: [official_leaderboard(task, 2023).queries for task in ("task3", "task4")], [100, 101]),
    (5, lambda: {*of_split("task3/2023/en").excluded} > {*of_split("task4/2023/en").excluded}, True),
    (5, lambda: {*of_split("task3/2023/ja").excluded} > {*of_split("task4/2023/ja").excluded}, True),
    (6, lambda: [of_split(f"{task}/2023/en").exam_years for task in ("task3", "task4")], [("R04",)] * 2),
    # AMHR02 and AMHR03 stand as in the table
    (8, lambda: column(2023, "task4", "correct", team="AMHR", run="AMHR02"), [82]),
    (8, lambda: column(2023, "task4", "formal", run="AMHR02"), ["no"]),
    (8, lambda: column(2023, "task4", "formal", run="AMHR03"), ["yes"]),
    (8, lambda: column(2023, "task4", "correct", run="AMHR03"), [65]),
    # the best accuracy outside of the ranking is above the winner's
    (9, lambda: column(2023, "task4", "AnswerAccuracy", run="AMHR02"), [0.8119]),
    (9, lambda: (place("task4", 2023, 0.8119).ties, place("task4", 2023, 0.7823).rank), ((), 1)),
    # runs outside of the ranking are told by the column formal
    (10, lambda: sorted(column(2023, "task4", "team", formal="no")), ["AMHR", "Baseline", *["TRLABS"] * 3]),
    (10, lambda: (len(column(2023, "task4", "team", formal="yes")), place("task4", 2023, 0.5).of), (22, 22)),
    (11, lambda: max(column(2023, "task4", "correct_r01", formal="yes")), 79),
    (11, lambda: sorted(column(2023, "task4", "correct_r01", formal="no")), [59, 87, 87, 89, 90]),
    (12, lambda: {name[-4:] for name in leaderboard("task4", 2023).columns if "_" in name}, {"_r02", "_r01"}),
    # runs have the names of the table
    (13, lambda: sorted(column(2023, "task4", "run", team="UA")), ["UA", "UA_V2"]),
    (14, lambda: column(2023, "task4", "language", run="NOWJ.multi-v1-en"), ["E"]),
    (14, lambda: column(2023, "task4", "language", run="NOWJ.multi-v1-jp"), ["J"]),
    (31, lambda: [figure.name for figure in FIGURES["task4"]], ["AnswerAccuracy", "correct"]),
    # the divisor is not the number of questions
    (35, lambda: official_leaderboard("task3", 2024).queries, 109),
    (35, lambda: {round(value * 200 % 1, 9) for value in column(2024, "task3", "MacroR")} - {0.0, 1.0}, set()),
    # 24 rows and 23 runs
    (36, lambda: (len(official_leaderboard("task4", 2024).listed), place("task4", 2024, 0.5).of), (24, 24)),
    (36, lambda: official_leaderboard("task4", 2024).official_runs, 23),
    # 147 paragraphs for 100 queries
    (37, lambda: [of_split("task2/2024").counts[entity] for entity in ("queries", "qrels")], [100, 147]),
    (37, lambda: official_leaderboard("task2", 2024).queries, 100),
    (37, lambda: official_leaderboard("task2", 2024).gold_total, 147),
    # no ranks
    (39, lambda: leaderboard("task1", 2025)["rank"].isna().all(), True),
    (39, lambda: (place("task1", 2025, 0.34).rank, place("task1", 2025, 0.34).worst), (2, 13)),
    # the baseline is no run
    (41, lambda: (str(round_half_up(37 / 73, 3)), str(round_half_up(36 / 73, 3)) == "0.507"), ("0.507", False)),
    (41, lambda: baseline(2025)["AnswerAccuracy"], "0.507"),
    (41, lambda: "Baseline" in {run.team for run in official_leaderboard("task4", 2025).runs}, False),
    # ten questions are not scored
    *((42, lambda t=t: len(of_split(f"{t}/2025/ja").excluded), 10) for t in ("task3", "task4")),
    *((42, lambda t=t: of_split(f"{t}/2025/ja").counts["queries"], 73) for t in ("task3", "task4")),
    *((42, lambda t=t: official_leaderboard(t, 2025).queries, 73) for t in ("task3", "task4")),
    # another measure ranks
    *((43, lambda y=y: official_leaderboard(y, "task3").measure, "mean of per-query F2") for y in (2023, 2024, 2025)),
    (43, lambda: official_leaderboard("task3", 2026).measure, "gated accuracy; F2 on ties"),
    (43, lambda: "MacroF2" in leaderboard("task3", 2026).columns, False),
    # runs of one team with one figure share a rank
    (44, lambda: [run.run for run in place("task3", 2026, 0.89).ties], ["NOWJ_run2", "NOWJ_run3"]),
    (44, lambda: ties(2026, "task3", 0.89)[:2], (3, 2)),
    (45, lambda: place("task3", 2026, 0.9).of, 22),
    (46, lambda: of_split("task1/2026").counts["docs"], 1848),
    # zero rows stay in the ranking
    (47, lambda: MicroF1.aggregate(*counts((0, 5, 3), (0, 0, 2))), 0.0),
    (47, lambda: ties(2023, "task1", 0.0), (21, 2, set())),
    (47, lambda: ties(2026, "task1", 0.0), (45, 10, set())),
    (47, lambda: ties(2026, "task2", 0.0), (33, 3, set())),
    # equal figures share a rank and the next is skipped
    (48, lambda: ties(2023, "task1", 0.2345), (16, 2, {18})),
    (48, lambda: ties(2023, "task3", 0.669), (7, 2, {9})),
    (48, lambda: ties(2024, "task2", 0.6235), (4, 2, {6})),
    (48, lambda: ties(2026, "task2", 0.3942), (12, 2, {14})),
    (48, lambda: ties(2023, "task4", 0.5545), (16, 3, {19})),
    # the table is cut and not rounded
    (49, lambda: column(2021, "task2", "MicroF1", run="UA_reg_pp.txt"), [0.6274]),
    (49, lambda: str(round_half_up(MicroF1.aggregate(*counts((64, 87, 117))), 4)), "0.6275"),
    (49, lambda: str(MicroF1.aggregate(*counts((64, 87, 117))))[:6], "0.6274"),
    *((51, lambda t=t: official_leaderboard(t, 2024).confidence, "medium") for t in ("task3", "task4")),
    *((51, lambda t=t: "second-hand" in official_leaderboard(t, 2024).source, True) for t in ("task3", "task4")),
    # participants' own figures do not replace the official ones
    (0, lambda: column(2023, "task1", "MicroR", run="thuirrun1"), [0.3783]),
    (0, lambda: column(2024, "task2", "MicroF1", run="captainzs2.txt"), [0.6235]),
    (0, lambda: column(2024, "task1", "MicroF1", run="captain_mstr.txt"), [0.1688]),
    (0, lambda: column(2024, "task1", "MicroF1", run="captain_ft5.txt"), [0.1574]),
    (0, lambda: column(2021, "task2", "MicroF1", run="Run_task2_DebertaT5.txt"), [0.6912]),
]


@pytest.mark.parametrize(("number", "found", "expected"), FACTS)
def test_the_official_table_is_kept_and_its_contradictions_are_settled(number, found, expected):
    assert found() == expected


#: Number, leaderboard, figure, and what is said beside its place.
NOTES = [
    (4, "task3-first-release", 2023, 0.757, "replaced by 2023 task3"),
    (8, "task4", 2023, 0.8, "AMHR02 and AMHR03 contradict the text"),
    (35, "task3", 2024, 0.8, "a run that is scored over the 109 questions cannot be compared strictly"),
    (36, "task4", 2024, 0.8, "the abstract says 23 runs"),
    (39, "task1", 2025, 0.34, "gives 0.3604 as top F1 against 0.3353 here"),
    (40, "task1", 2025, 0.2, "confidence low"),
    (43, "task3", 2026, 0.9, "not comparable with Task 3 of other editions"),
    (49, "task2", 2021, 0.6274, "all 12 values fit truncation, 11 fit rounding"),
    *((51, task, 2024, 0.5, "confidence medium") for task in ("task3", "task4")),
]


@pytest.mark.parametrize(("number", "task", "edition", "value", "words"), NOTES)
def test_a_contradiction_is_said_beside_a_place(number, task, edition, value, words):
    assert words in place(task, edition, value).note


def test_no_8_and_41_a_row_that_the_text_contradicts_carries_a_note():
    notes = {row["run"]: row["note"] for row in official_leaderboard("task4", 2023).rows}
    assert all(f"the text calls {run}" in notes[run] for run in ("AMHR02", "AMHR03"))
    assert "do not fit" in baseline(2025)["note"]


@pytest.mark.parametrize("run", ["AIIR_bi", "UB3"])
def test_no_40_a_recall_that_no_counts_give_is_told_by_the_caveat(run):
    (recall,) = column(2025, "task1", "MicroR", run=run)
    assert str(round_half_up(recall, 4)) not in {str(round_half_up(hits / 1759, 4)) for hits in range(1760)}
    assert run in official_leaderboard("task1", 2025).caveat


# --- the overview of 2023 --------------------------------------------------------------------------


def test_no_1_f1_has_the_factor_2():
    f1 = MicroF1.aggregate(*counts((349, 1467, 859)))
    precision, recall = 349 / 1467, 349 / 859
    assert f1 == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-15)
    assert str(round_half_up(f1, 4)) == "0.3001"
    assert str(round_half_up(f1 / 2, 4)) == "0.1500"  # as printed


def test_no_3_and_22_f2_is_taken_for_each_query_and_then_averaged():
    queries = counts((1, 1, 2), (1, 3, 1))
    precision, recall = MacroP.aggregate(*queries), MacroR.aggregate(*queries)
    assert MacroF2.aggregate(*queries) == pytest.approx((5 / 9 + 5 / 7) / 2)
    assert MacroF2.aggregate(*queries) != pytest.approx(5 * precision * recall / (4 * precision + recall), abs=0.01)


@pytest.mark.parametrize(
    ("edition", "questions", "suffix", "yes"),
    [(2023, 101, "", 49), (2023, 81, "_r02", 38), (2023, 111, "_r01", 59), (2024, 109, "", 60)],
)
def test_no_7_and_38_the_baseline_is_the_more_frequent_answer_and_no_run(edition, questions, suffix, yes):
    gold = {f"R99-{n:03d}": {"Y" if n < yes else "N": 1} for n in range(questions)}
    frequent = max("YN", key={"Y": yes, "N": questions - yes}.get)
    run = {query: {frequent: 1.0} for query in gold}
    value = ir_measures.calc_aggregate([AnswerAccuracy], gold, run)[AnswerAccuracy]
    row = baseline(edition)
    assert int(row[f"correct{suffix}"]) == max(yes, questions - yes)
    assert str(round_half_up(value, 4)) == row[f"AnswerAccuracy{suffix}"]
    assert "Baseline" not in {run.team for run in official_leaderboard("task4", edition).runs}


# --- evaluation pages and call ---------------------------------------------------------------------


def test_no_20_and_21_precision_is_the_mean_of_quotients():
    queries = counts((1, 1, 1), (1, 4, 1))
    assert MacroP.aggregate(*queries) == pytest.approx((1 / 1 + 1 / 4) / 2)
    assert MacroP.aggregate(*queries) != pytest.approx(2 / 5)  # a quotient of sums
    assert MacroR.aggregate(*counts((1, 1, 1), (1, 1, 2))) == pytest.approx((1 / 1 + 1 / 2) / 2)


def test_no_23_an_unanswered_query_counts_as_not_found_and_what_is_unknown_or_repeated_is_said():
    right = ("900656", "900557")
    plain = score(TASK1.id, frame([right]))
    assert plain.figures["MicroP"] == 1.0
    assert plain.figures["MicroR"] < 0.1
    for other, precision in ((right, 1.0), (("900002", "900557"), 1.0), (("900656", "900001"), 0.5)):
        scored = score(TASK1.id, frame([right, other]))
        assert scored.figures["MicroP"] == precision
        assert len(scored.notes) == len(plain.notes) + 1


def test_no_24_both_conventions_for_an_instance_without_accepted_claims_are_printed():
    figures = score(RATIONALE, frame([])).figures  # of six instances one has none
    assert list(figures)[:2] == ["MacroF", "MacroF(empty=1)"]
    assert list(figures.values())[:2] == [0.0, pytest.approx(1 / 6)]
    assert MacroF.aggregate(*counts((0, 0, 0))) == 0.0


def test_no_24_the_claims_of_both_sides_are_one_pool():
    gold = {"900101": {"900101_p0": 1, "900101_d0": 1}}
    run = {"900101": {"900101_p0": 1.0}}
    assert ir_measures.calc_aggregate([MacroF], gold, run)[MacroF] == pytest.approx(2 / 3)  # not the sides' mean, 1/2


def test_no_25_the_pilots_answer_file_is_json_lines(tmp_path):
    lines = TORTS.read_text(encoding="utf-8").splitlines()
    assert len(load_run(PREDICTION, TORTS).table) == len(lines) > 1
    with pytest.raises(MalformedFileError):
        load_run(PREDICTION, saved(tmp_path, json.dumps([json.loads(line) for line in lines], indent=1)))


def test_no_27_a_run_of_task_3_has_six_columns(tmp_path):
    (answer,) = load_run(TASK3, saved(tmp_path, "R99-01-A Q0 55 1 0.5 mine\n")).table.itertuples()
    assert (answer.qid, answer.docno, answer.rank, answer.score, answer.tag) == ("R99-01-A", "55", "1", 0.5, "mine")
    with pytest.raises(MalformedFileError, match="6 columns: query Q0 item rank score tag"):
        load_run(TASK3, saved(tmp_path, "R99-01-A Q0 55 1 mine\n"))


def test_no_28_columns_are_split_at_any_blank_and_written_with_one(tmp_path):
    spaced = load_run(TASK3, saved(tmp_path, "R99-01-A\tQ0   55 \t 1  0.5\tmine\n")).table
    assert spaced.equals(load_run(TASK3, saved(tmp_path, "R99-01-A Q0 55 1 0.5 mine\n")).table)
    write_run(TASK3, frame([("R99-01-A", "55")]), tmp_path / "written", "mine")
    assert (tmp_path / "written").read_bytes() == b"R99-01-A Q0 55 1 100.0 mine\n"


@pytest.mark.parametrize("tag", ["mine-L", "JNLP.task2.BM25", "aTagOfThirteen"])
def test_no_29_a_tag_against_the_rule_is_read_and_warned_of(tmp_path, tag):
    path = saved(tmp_path, f"900656 900557 {tag}\n")
    assert load_run(TASK1, path).table["tag"].tolist() == [tag]
    assert [finding.level for finding in validate(TASK1, path) if repr(tag) in finding.message] == ["warning"]


def test_no_30_a_run_with_ids_of_another_form_does_not_score_0():
    with pytest.raises(MalformedRunError, match=r"look like '9\d{5}', those of the run like '656'"):
        score(TASK1.id, frame([("656", "900557")]))
    assert score(TASK1.id, frame([("t1-900656", "900557")])).figures["MicroP"] == 1


# --- later pages and tables ------------------------------------------------------------------------


def test_no_50_the_version_of_an_instance_is_not_checked(tmp_path):
    records = [json.loads(line) for line in TORTS.read_text(encoding="utf-8").splitlines()]
    for version in ("test001.jsonl", "1.0.0"):
        text = "".join(json.dumps(record | {"version": version}, ensure_ascii=False) + "\n" for record in records)
        assert validate(PREDICTION, saved(tmp_path, text)) == []
