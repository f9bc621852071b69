"""Curves against plain recomputation on small runs, and the runs for which they have nothing to show."""

import itertools

import numpy as np
import pandas as pd
import pytest

from ir_coliee.analysis import (
    ANALYSES,
    answers_per_query,
    calibration,
    cutoff_curve,
    evaluate,
    precision_recall,
    recall_by_depth,
)
from ir_coliee.errors import ColieeError, MissingLabelsError
from ir_coliee.evaluation.leaderboards import leaderboards

TASK1, TASK4 = "coliee/task1/sample/test", "coliee/task4/sample/en/test"


@pytest.fixture(scope="module")
def gold():
    labels = evaluate(TASK1, {"none": {"900656": {"900557": 1.0}}}).gold
    return {query: set(rows["doc_id"]) for query, rows in labels.groupby("query_id")}


@pytest.fixture(scope="module")
def rankings(gold):
    """Return two rankings with ties, errors and queries without answers."""
    documents = sorted(set().union(*gold.values()))
    random = np.random.default_rng(7)

    def ranking(share):
        queries = [query for query in gold if random.random() < 0.9]
        pairs = [(q, d) for q, d in itertools.product(queries, documents) if q != d and random.random() < 0.6]
        scores = {(q, d): round(float(random.random() + share * (d in gold[q])), 2) for q, d in pairs}
        run = {}
        for (query, document), score in scores.items():
            run.setdefault(query, {})[document] = score
        return run

    return {"good": ranking(0.5), "bad": ranking(0.0)}


@pytest.fixture(scope="module")
def runs(rankings):
    return evaluate(TASK1, {name: first(run, 3) for name, run in rankings.items()}, rankings=rankings)


def ordered(scores):
    return sorted(scores, key=lambda document: (-scores[document], document))


def first(run, number):
    return {
        query: {document: scores[document] for document in ordered(scores)[:number]} for query, scores in run.items()
    }


def with_ranks(scores):
    return {document: -float(rank) for rank, document in enumerate(ordered(scores))}


def kept(run, rule, setting):
    if rule == "rank":
        return first(run, int(setting))
    lowest = {
        query: setting if rule == "threshold" else setting * max(scores.values()) for query, scores in run.items()
    }
    return {query: {d: s for d, s in scores.items() if s >= lowest[query]} for query, scores in run.items()}


def f1(run, gold):
    returned = sum(len(answers) for answers in run.values())
    hits = sum(len(gold[query] & answers.keys()) for query, answers in run.items())
    return 2 * hits / (returned + sum(map(len, gold.values()))), returned / len(gold)


def test_each_point_of_a_cut_off_curve_is_the_figure_of_the_cut_answers(runs, rankings, gold):
    frame = cutoff_curve(runs)
    grid = frame[frame["setting"].notna()]
    assert set(grid["cutoff"]) == {"rank", "threshold", "ratio"}
    for row in grid.itertuples():
        answers = kept(rankings[row.run], row.cutoff, row.setting)
        assert (row.value, row.returned) == pytest.approx(f1(answers, gold)), row


def test_the_chosen_the_best_and_the_oracle_of_a_cut_off_curve(runs, rankings, gold):
    frame = cutoff_curve(runs)
    for name, of_run in frame.groupby("run"):
        points = of_run[of_run["point"] != "grid"].set_index("point")
        assert sorted(points.index) == ["best", "chosen", "oracle"]
        assert points.loc["chosen", ["value", "returned"]].tolist() == pytest.approx(f1(first(rankings[name], 3), gold))
        curve = of_run[of_run["setting"].notna()]
        assert points.loc["best", "value"] == curve["value"].max()
        assert points.loc["oracle", "value"] >= points.loc["best", "value"]
    assert "optimistic" in frame.notes[0]


def test_no_rank_threshold_or_ratio_is_better_than_the_best_of_a_curve(runs, rankings, gold):
    points = cutoff_curve(runs).query("point == 'best'").set_index("run")
    for name, ranking in rankings.items():
        settings = {
            "rank": range(1, 1 + max(map(len, ranking.values()))),
            "threshold": {score for scores in ranking.values() for score in scores.values()},
            "ratio": {score / max(scores.values()) for scores in ranking.values() for score in scores.values()},
        }
        every = [f1(kept(ranking, rule, each), gold) for rule, values in settings.items() for each in values]
        assert points.loc[name, "value"] >= max(every)[0] - 1e-12


def test_scores_that_only_repeat_the_rank_have_no_thresholds(rankings, runs):
    ranks = {
        name: {q: {d: -float(i) for i, d in enumerate(ordered(s))} for q, s in run.items()}
        for name, run in rankings.items()
    }
    frame = cutoff_curve(evaluate(TASK1, ranks, rankings=ranks))
    assert set(frame["cutoff"]) == {"rank", ""}
    best = frame.loc[frame["cutoff"] == "rank"].groupby("run")["value"].max()
    everything = cutoff_curve(runs)
    pd.testing.assert_series_equal(best, everything.loc[everything["cutoff"] == "rank"].groupby("run")["value"].max())


def test_recall_by_depth_counts_the_relevant_items_up_to_it(runs, rankings, gold):
    frame = recall_by_depth(runs)
    total = sum(map(len, gold.values()))
    for row in frame.itertuples():
        cut = first(rankings[row.run], row.depth)
        hits = sum(len(gold[query] & answers.keys()) for query, answers in cut.items())
        assert row.recall == pytest.approx(hits / total)
    deepest = frame.groupby("run")["depth"].max().to_dict()
    assert deepest == {name: max(map(len, run.values())) for name, run in rankings.items()}


def test_precision_and_recall_give_the_figure(runs, rankings, gold):
    frame = precision_recall(runs)
    assert not frame["official"].any()
    assert "No official results" in frame.notes[0]
    for row in frame.itertuples():
        assert row.value == pytest.approx(f1(first(rankings[row.run], 3), gold)[0])
        assert row.value == pytest.approx(2 * row.precision * row.recall / (row.precision + row.recall))
        assert row.beta == 1


def test_official_runs_are_those_of_the_leaderboard(runs, monkeypatch):
    board = leaderboards()["2023", "task1"]
    monkeypatch.setattr(runs.scorer, "leaderboard", board)
    frame = precision_recall(runs)
    official = frame[frame["official"]]
    assert len(official) == 22
    first_row = official.iloc[0]
    assert (first_row["run"], first_row["precision"], first_row["recall"]) == ("THUIR thuirrun2", 0.2379, 0.4063)
    assert board.note in frame.notes
    monkeypatch.setattr(runs.scorer, "leaderboard", leaderboards()["2021", "task1"])
    without = precision_recall(runs)
    assert not without["official"].any()
    assert "left out: 3" in " ".join(without.notes)


def test_the_beta_of_task_3_is_2():
    frame = precision_recall(evaluate("coliee/task3/sample/en/test", {"mine": {"R99-01-A": {"1": 1.0}}}))
    assert frame["beta"].tolist() == [2.0]
    assert "mean over queries" in " ".join(frame.notes)


def test_answers_per_query_count_every_query_once(runs, rankings, gold):
    frame = answers_per_query(runs)
    assert frame.groupby("run")["num_queries"].sum().to_dict() == dict.fromkeys(["gold", "good", "bad"], len(gold))
    found = frame[(frame["run"] == "gold") & (frame["num_queries"] > 0)].set_index("items")["num_queries"].to_dict()
    assert found == pd.Series([*map(len, gold.values())]).value_counts().to_dict()
    returned = frame[frame["run"] == "bad"]
    assert (returned["items"] * returned["num_queries"]).sum() == sum(map(len, first(rankings["bad"], 3).values()))
    assert frame.notes[0] == f"gold: {sum(map(len, gold.values())) / len(gold):.4f} items per query, median 2"


def test_runs_without_a_ranking_are_named(rankings):
    mixed = evaluate(
        TASK1, {name: first(run, 3) for name, run in rankings.items()}, rankings={"good": rankings["good"]}
    )
    for analysis in (cutoff_curve, recall_by_depth):
        frame = analysis(mixed)
        assert set(frame["run"]) == {"good"}
        assert "No ranking found: bad." in frame.notes
    with pytest.raises(ColieeError, match="No ranking of bad was found"):
        cutoff_curve(evaluate(TASK1, {"bad": rankings["bad"]}))


def test_tasks_with_one_answer_say_why_they_have_no_curves():
    runs = evaluate("coliee/task4/sample/en/test", {"mine": {"R99-01-A": {"Y": 1.0}}})
    with pytest.raises(ColieeError, match="one answer per question"):
        precision_recall(runs)
    with pytest.raises(ColieeError, match="one answer per question"):
        recall_by_depth(runs)
    assert set(answers_per_query(runs)["run"]) == {"gold", "mine"}


@pytest.mark.parametrize("analysis", [each for each in ANALYSES.values() if each.name not in ("drift", "agreement")])
def test_without_labels_the_error_says_so(analysis, rankings, monkeypatch):
    def no_labels(split):
        raise MissingLabelsError("no labels")

    monkeypatch.setattr("ir_coliee.evaluation.scoring.scored_gold", no_labels)
    unlabelled = evaluate(TASK1, rankings, rankings=rankings)
    with pytest.raises(MissingLabelsError, match="no labels"):
        analysis(unlabelled)


# --- calibration ------------------------------------------------------------------------------------


def evaluated(scores):
    """Return a run of task 1 whose ranking is itself."""
    return evaluate(TASK1, {"mine": scores}, rankings={"mine": scores})


def probabilities():
    runs = evaluate(TASK1, {"none": {"900656": {"900557": 1.0}}})
    documents = sorted(set(runs.gold["doc_id"]))
    random = np.random.default_rng(3)
    scores = {q: {d: float(random.random()) for d in documents if d != q} for q in runs.query_ids}
    scores[runs.query_ids[0]][documents[0]] = 1.0
    scores[runs.query_ids[0]][documents[1]] = 0.3  # on the border of two bins
    return runs, scores


def test_bins_against_plain_loops():
    runs, scores = probabilities()
    pairs = set(runs.gold.itertuples(index=False, name=None))
    bins = {}
    for query, of_query in scores.items():
        for document, score in of_query.items():
            bins.setdefault(min(int(score * 10), 9), []).append((score, (query, document) in pairs))
    frame = calibration(evaluated(scores))
    assert frame["items"].tolist() == [len(bins[number]) for number in sorted(bins)]
    error = 0.0
    for row, number in zip(frame.itertuples(), sorted(bins)):
        predicted, observed = (sum(column) / len(bins[number]) for column in zip(*bins[number]))
        assert (row.predicted, row.observed, row.from_score) == pytest.approx((predicted, observed, number / 10))
        for bound in {row.low, row.high} - {0, 1}:  # the shares that a normal test at 5 % just does not refuse
            assert (observed - bound) ** 2 * row.items == pytest.approx(1.959964**2 * bound * (1 - bound), rel=1e-5)
        error += len(bins[number]) * abs(observed - predicted) * (number > 0)
    number = sum(len(bins[number]) for number in bins if number > 0)
    assert frame.notes[0] == f"mine: expected calibration error {error / number:.4f} of the {number} items from 0.1 on"


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ({"900557": 12.5, "900912": 0.5}, "from 0.5 to 12.5, not in [0, 1]"),
        ({"900557": 0.5, "900912": 0.5}, "all are equal"),
    ],
)
def test_scores_that_are_no_probabilities(scores, reason):
    with pytest.raises(ColieeError) as error:
        calibration(evaluated({"900656": scores}))
    assert reason in str(error.value)


def test_runs_without_probabilities_are_left_out_by_name():
    _, scores = probabilities()
    lengths = {"900656": {"900557": 12.5, "900912": 0.5}}
    both = {"mine": scores, "lengths": lengths}
    frame = calibration(evaluate(TASK1, both, rankings=both))
    assert set(frame["run"]) == {"mine"}
    assert "Left out: lengths has scores from" in " ".join(frame.notes)


def test_answers_with_probabilities_of_a_task_with_one_answer():
    ids = evaluate(TASK4, {"none": {"R99-01-A": {"Y": 1.0}}}).query_ids
    scores = {query: {"Y": 0.55 + 0.02 * number} for number, query in enumerate(ids)}
    frame = calibration(evaluate(TASK4, {"mine": scores}))
    assert frame["items"].sum() == len(ids)
    assert (frame["observed"] * frame["items"]).sum() == pytest.approx(10)  # half of the statements are true
    with pytest.raises(ColieeError, match="no scores"):
        calibration(evaluate(TASK4, {"mine": {query: {"Y": 1.0} for query in ids}}))
