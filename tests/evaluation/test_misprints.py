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


def figure_of(edition, task, run, column):
    """A printed figure; the run's name must be on the leaderboard once."""
    found = leaderboard(edition, task)
    (value,) = found.loc[found["run"] == run, column]
    return value


# --- the overview of 2023 --------------------------------------------------------------------------


def test_no_1_f1_has_the_factor_2():
    f1 = MicroF1.aggregate(*counts((349, 1467, 859)))
    precision, recall = 349 / 1467, 349 / 859
    assert f1 == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-15)
    assert str(round_half_up(f1, 4)) == "0.3001"
    assert str(round_half_up(f1 / 2, 4)) == "0.1500"  # as printed


@pytest.mark.parametrize("key", sorted(leaderboards()), ids=" ".join)
def test_no_2_no_column_is_called_retrieved(key):
    assert not {"retrieved (tp)", "return", "articles"} & set(leaderboard(*key).columns)


def test_no_2_returned_are_the_answers_and_tp_the_right_ones():
    best = leaderboard("task3", 2023).iloc[0]
    assert (best["returned"], best["tp"]) == (142, 92)


def test_no_3_and_22_f2_is_taken_for_each_query_and_then_averaged():
    queries = counts((1, 1, 2), (1, 3, 1))
    precision, recall = MacroP.aggregate(*queries), MacroR.aggregate(*queries)
    assert MacroF2.aggregate(*queries) == pytest.approx((5 / 9 + 5 / 7) / 2)
    assert MacroF2.aggregate(*queries) != pytest.approx(5 * precision * recall / (4 * precision + recall), abs=0.01)


def test_no_4_the_best_f2_of_2023_is_that_of_the_table():
    assert leaderboard("task3", 2023)["MacroF2"].max() == 0.764
    assert place("task3", 2023, 0.757).rank == 2
    assert figure_of(2023, "task3-first-release", "allEnssMissq", "MacroF2") == 0.7569
    assert "replaced by 2023 task3" in place("task3-first-release", 2023, 0.757).note


@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_5_tasks_3_and_4_of_2023_score_other_questions(language):
    task3, task4 = (split(f"coliee/{task}/2023/{language}/test") for task in ("task3", "task4"))
    assert (task3.counts["queries"], task4.counts["queries"]) == (100, 101)
    assert set(task4.excluded) < set(task3.excluded)
    assert len(task3.excluded) == len(task4.excluded) + 1
    assert (official_leaderboard("task3", 2023).queries, official_leaderboard("task4", 2023).queries) == (100, 101)


@pytest.mark.parametrize("task", ["task3", "task4"])
def test_no_6_the_exam_of_2023_is_r04(task):
    assert split(f"coliee/{task}/2023/en/test").exam_years == ("R04",)


@pytest.mark.parametrize(("questions", "suffix", "yes"), [(101, "", 49), (81, "_r02", 38), (111, "_r01", 59)])
def test_no_7_the_baseline_is_the_more_frequent_answer_and_no_run(questions, suffix, yes):
    gold = {f"R99-{n:03d}": {"Y" if n < yes else "N": 1} for n in range(questions)}
    answers = {"Y": yes, "N": questions - yes}
    accuracies = {}
    for label in answers:
        run = {query: {label: 1.0} for query in gold}
        accuracies[label] = ir_measures.calc_aggregate([AnswerAccuracy], gold, run)[AnswerAccuracy]
    (baseline,) = (row for row in official_leaderboard("task4", 2023).rows if row["team"] == "Baseline")
    assert str(round_half_up(max(accuracies.values()), 4)) == baseline[f"AnswerAccuracy{suffix}"]
    assert int(baseline[f"correct{suffix}"]) == max(answers.values())
    assert "Baseline" not in {run.team for run in official_leaderboard("task4", 2023).runs}


def test_no_8_amhr02_and_amhr03_stand_as_in_the_table_and_carry_the_note():
    rows = {row["run"]: row for row in official_leaderboard("task4", 2023).rows}
    assert [(rows[run]["correct"], rows[run]["formal"]) for run in ("AMHR02", "AMHR03")] == [
        ("82", "no"),
        ("65", "yes"),
    ]
    assert "the text calls AMHR02" in rows["AMHR02"]["note"]
    assert "the text calls AMHR03" in rows["AMHR03"]["note"]
    assert "AMHR02 and AMHR03 contradict the text" in place("task4", 2023, 0.8).note


def test_no_9_the_best_accuracy_outside_of_the_ranking_is_above_the_winners():
    assert figure_of(2023, "task4", "AMHR02", "AnswerAccuracy") == 0.8119
    assert place("task4", 2023, 0.8119).ties == ()
    assert place("task4", 2023, 0.7823).rank == 1


def test_no_10_runs_outside_of_the_ranking_are_told_by_the_column_formal():
    found = leaderboard("task4", 2023)
    outside = found.loc[found["formal"] == "no", "team"]
    assert sorted(outside) == ["AMHR", "Baseline", "TRLABS", "TRLABS", "TRLABS"]
    assert (found["formal"] == "yes").sum() == place("task4", 2023, 0.5).of == 22


def test_no_11_the_best_formal_run_on_r01_has_79():
    found = leaderboard("task4", 2023)
    assert found.loc[found["formal"] == "yes", "correct_r01"].max() == 79
    outside = found.loc[(found["formal"] == "no") & (found["team"] != "Baseline"), "correct_r01"]
    assert sorted(outside) == [87, 87, 89, 90]


def test_no_12_the_reference_years_are_r02_and_r01_alone():
    columns = leaderboard("task4", 2023).columns
    assert [column for column in columns if "_" in column] == [
        "correct_r02",
        "AnswerAccuracy_r02",
        "correct_r01",
        "AnswerAccuracy_r01",
    ]


def test_no_13_and_14_runs_have_the_names_of_the_table():
    found = leaderboard("task4", 2023)
    assert sorted(found.loc[found["team"] == "UA", "run"]) == ["UA", "UA_V2"]
    languages = dict(zip(found["run"], found["language"]))
    assert (languages["NOWJ.multi-v1-en"], languages["NOWJ.multi-v1-jp"]) == ("E", "J")
    assert "NOWJ.multiv1-en" not in languages


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


def test_no_31_task_4_scores_labels_alone():
    assert [figure.name for figure in FIGURES["task4"]] == ["AnswerAccuracy", "correct"]


# --- later pages and tables ------------------------------------------------------------------------


def test_no_35_task_3_of_2024_says_that_its_divisor_is_not_the_number_of_questions():
    found = official_leaderboard("task3", 2024)
    assert found.queries == 109
    recalls = [float(row["MacroR"]) for row in found.rows]
    assert all(recall * 200 == pytest.approx(round(recall * 200)) for recall in recalls)
    assert "a run that is scored over the 109 questions cannot be compared strictly" in place("task3", 2024, 0.8).note


def test_no_36_task_4_of_2024_has_24_rows_and_23_runs():
    found = official_leaderboard("task4", 2024)
    assert (len(found.listed), found.official_runs, place("task4", 2024, 0.5).of) == (24, 23, 24)
    assert "the abstract says 23 runs" in found.note


def test_no_37_task_2_of_2024_has_147_paragraphs_for_100_queries():
    found = official_leaderboard("task2", 2024)
    assert (found.gold_total, found.queries) == (147, 100)
    assert [split("coliee/task2/2024/test").counts[entity] for entity in ("queries", "qrels")] == [100, 147]


def test_no_38_the_baseline_of_2024_answers_yes():
    gold = {f"R99-{n:03d}": {"Y" if n < 60 else "N": 1} for n in range(109)}
    value = ir_measures.calc_aggregate([AnswerAccuracy], gold, {query: {"Y": 1.0} for query in gold})[AnswerAccuracy]
    (baseline,) = (row for row in official_leaderboard("task4", 2024).rows if row["team"] == "Baseline")
    assert (baseline["correct"], baseline["AnswerAccuracy"]) == ("60", str(round_half_up(value, 4)))


def test_no_39_task_1_of_2025_has_no_ranks_and_says_why():
    assert leaderboard("task1", 2025)["rank"].isna().all()
    placed = place("task1", 2025, 0.34)
    assert (placed.rank, placed.worst) == (2, 13)
    assert "gives 0.3604 as top F1 against 0.3353 here" in placed.note


def test_no_40_task_1_of_2025_is_of_low_confidence():
    assert "confidence low" in place("task1", 2025, 0.2).note
    for run in ("AIIR_bi", "UB3"):
        recall = figure_of(2025, "task1", run, "MicroR")
        assert str(round_half_up(recall, 4)) not in {str(round_half_up(hits / 1759, 4)) for hits in range(1760)}
        assert run in official_leaderboard("task1", 2025).caveat


def test_no_41_the_baseline_of_2025_is_no_run_and_carries_the_note():
    (baseline,) = (row for row in official_leaderboard("task4", 2025).rows if row["team"] == "Baseline")
    assert "do not fit" in baseline["note"]
    assert str(round_half_up(36 / 73, 3)) != baseline["AnswerAccuracy"] == str(round_half_up(37 / 73, 3))
    assert "Baseline" not in {run.team for run in official_leaderboard("task4", 2025).runs}


@pytest.mark.parametrize("task", ["task3", "task4"])
def test_no_42_ten_questions_of_2025_are_not_scored(task):
    row = split(f"coliee/{task}/2025/ja/test")
    assert (row.counts["queries"], len(row.excluded)) == (73, 10)
    assert official_leaderboard(task, 2025).queries == 73


def test_no_43_task_3_of_2026_ranks_by_another_measure():
    earlier = {official_leaderboard(year, "task3").measure for year in (2023, 2024, 2025)}
    assert earlier == {"mean of per-query F2"}
    assert official_leaderboard("task3", 2026).measure == "gated accuracy; F2 on ties"
    assert "not comparable with Task 3 of other editions" in place("task3", 2026, 0.9).note
    assert "MacroF2" not in leaderboard("task3", 2026).columns


def test_no_44_runs_of_one_team_with_one_figure_share_a_rank():
    placed = place("task3", 2026, 0.89)
    assert [(run.run, run.rank) for run in placed.ties] == [("NOWJ_run2", 3), ("NOWJ_run3", 3)]
    assert placed.rank == 3


def test_no_45_task_3_of_2026_has_22_runs():
    assert place("task3", 2026, 0.9).of == 22


def test_no_46_the_test_part_of_task_1_of_2026_has_1848_files():
    assert split("coliee/task1/2026/test").counts["docs"] == 1848


@pytest.mark.parametrize(
    ("edition", "task", "zeros", "rank"), [(2023, "task1", 2, 21), (2026, "task1", 10, 45), (2026, "task2", 3, 33)]
)
def test_no_47_zero_rows_stay_in_the_ranking(edition, task, zeros, rank):
    value = MicroF1.aggregate(*counts((0, 5, 3), (0, 0, 2)))
    assert value == 0.0
    placed = place(task, edition, value)
    assert (len(placed.ties), placed.rank, placed.of) == (zeros, rank, rank - 1 + zeros)


@pytest.mark.parametrize(
    ("edition", "task", "value", "runs", "rank"),
    [
        (2023, "task1", 0.2345, 2, 16),
        (2023, "task3", 0.669, 2, 7),
        (2024, "task2", 0.6235, 2, 4),
        (2026, "task2", 0.3942, 2, 12),
        (2023, "task4", 0.5545, 3, 16),
    ],
)
def test_no_48_equal_figures_share_a_rank_and_the_next_is_skipped(edition, task, value, runs, rank):
    placed = place(task, edition, value)
    assert [run.rank for run in placed.ties] == [rank] * runs
    assert {run.rank for run in placed.below} == {rank + runs}
    assert placed.rank == rank


def test_no_49_the_table_of_task_2_of_2021_is_cut_and_not_rounded():
    printed = figure_of(2021, "task2", "UA_reg_pp.txt", "MicroF1")
    value = MicroF1.aggregate(*counts((64, 87, 117)))
    assert (printed, str(value)[:6], str(round_half_up(value, 4))) == (0.6274, "0.6274", "0.6275")
    assert "all 12 values fit truncation, 11 fit rounding" in place("task2", 2021, value).note


def test_no_50_the_version_of_an_instance_is_not_checked(tmp_path):
    records = [json.loads(line) for line in TORTS.read_text(encoding="utf-8").splitlines()]
    for version in ("test001.jsonl", "1.0.0"):
        text = "".join(json.dumps(record | {"version": version}, ensure_ascii=False) + "\n" for record in records)
        assert validate(PREDICTION, saved(tmp_path, text)) == []


@pytest.mark.parametrize("task", ["task3", "task4"])
def test_no_51_the_statute_tables_of_2024_are_of_medium_confidence(task):
    assert official_leaderboard(task, 2024).confidence == "medium"
    assert "second-hand" in official_leaderboard(task, 2024).source
    assert "confidence medium" in place(task, 2024, 0.5).note


# --- values in participants' texts: the official table is kept -------------------------------------


@pytest.mark.parametrize(
    ("edition", "task", "run", "column", "official"),
    [
        (2023, "task1", "thuirrun1", "MicroR", 0.3783),
        (2024, "task2", "captainzs2.txt", "MicroF1", 0.6235),
        (2024, "task1", "captain_mstr.txt", "MicroF1", 0.1688),
        (2024, "task1", "captain_ft5.txt", "MicroF1", 0.1574),
        (2021, "task2", "Run_task2_DebertaT5.txt", "MicroF1", 0.6912),
    ],
)
def test_participants_own_figures_do_not_replace_the_official_ones(edition, task, run, column, official):
    assert figure_of(edition, task, run, column) == official
