"""Groups of queries: values, differences, p-values and names against plain computations by loops."""

import itertools
import math
import random

import ir_datasets
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_runs import gold_of

from ir_coliee.analysis import evaluate, groups, hard_for_all, interactions, query_properties
from ir_coliee.analysis.groups import UNKNOWN, group_names
from ir_coliee.errors import ColieeError
from ir_coliee.synthetic import write_release

TASK1, TASK2, TASK3 = "coliee/task1/sample/test", "coliee/task2/sample/test", "coliee/task3/sample/en/test"
TASK4, RATIONALE = "coliee/task4/sample/en/test", "coliee/pilot/sample/rationale/test"
PREDICTION = "coliee/pilot/sample/prediction/test"
RUNS = [("first", 1), ("second", 2), ("third", 3)]


def random_run(dataset_id, seed):
    """Some relevant and some other items of each query; one query is not answered."""
    chance = random.Random(seed)
    gold = gold_of(dataset_id)
    others = sorted(set().union(*gold.values()))
    run = {}
    for query_id, relevant in list(gold.items())[1:]:
        if dataset_id in (TASK4, PREDICTION):
            items = {chance.choice(["Y", "N"] if dataset_id == TASK4 else ["True", "False"])}
        else:
            of_query = [item for item in others if "_" not in item or item.startswith(f"{query_id}_")]
            items = {item for item in relevant if chance.random() < 0.6} | {
                *chance.sample(of_query, min(1, len(of_query)))
            }
        run[query_id] = dict.fromkeys(items - {query_id}, 1.0)
    return run


def f(hits, returned, relevant, beta):
    below = beta**2 * relevant + returned
    return (1 + beta**2) * hits / below if below else 0.0


def value(dataset_id, gold, run, query_ids):
    """The official measure over some queries, from its definition; NaN without queries."""
    if not query_ids:
        return math.nan
    returned = {query_id: set(run.get(query_id, ())) for query_id in query_ids}
    if dataset_id in (TASK1, TASK2):
        hits = sum(len(returned[query_id] & gold[query_id]) for query_id in query_ids)
        num_returned, num_relevant = (sum(len(sets[query_id]) for query_id in query_ids) for sets in (returned, gold))
        return f(hits, num_returned, num_relevant, 1)
    if dataset_id in (TASK4, PREDICTION):
        return sum(returned[query_id] == gold[query_id] for query_id in query_ids) / len(query_ids)
    beta = 2 if dataset_id == TASK3 else 1
    of_queries = [f(len(returned[each] & gold[each]), len(returned[each]), len(gold[each]), beta) for each in query_ids]
    return sum(of_queries) / len(of_queries)


@pytest.mark.parametrize("dataset_id", [TASK1, TASK2, TASK3, TASK4, PREDICTION, RATIONALE])
def test_each_value_difference_and_p_value_follows_from_the_items(dataset_id):
    run, gold = random_run(dataset_id, 5), gold_of(dataset_id)
    runs = evaluate(dataset_id, {"mine": run})
    properties = query_properties(runs).set_index("query_id")
    found = groups(runs)
    assert not found.empty
    for row in found.itertuples():
        labels, _ = group_names(properties[row.property])
        members = [query_id for query_id, label in zip(properties.index, labels) if label == row.group]
        others = [query_id for query_id in properties.index if query_id not in members]
        assert row.num_queries == len(members) > 0
        inside, outside = (value(dataset_id, gold, run, query_ids) for query_ids in (members, others))
        assert row.value == pytest.approx(inside)
        assert row.difference == pytest.approx(inside - outside, nan_ok=True)
        if min(len(members), len(others)) < 2:
            assert math.isnan(row.p)
            assert math.isnan(row.p_holm)
        elif math.comb(len(properties), len(members)) <= 300:
            sets = [set(each) for each in itertools.combinations(properties.index, len(members))]
            differences = [
                value(dataset_id, gold, run, sorted(each)) - value(dataset_id, gold, run, sorted({*gold} - each))
                for each in sets
            ]
            reached = sum(abs(each) >= abs(inside - outside) - 1e-9 for each in differences)
            assert row.p == pytest.approx(reached / len(sets))


def test_an_interval_is_that_of_the_group_alone():
    run, gold = random_run(TASK3, 3), gold_of(TASK3)
    row = groups(evaluate(TASK3, {"mine": run}), ["subject"]).set_index("group").loc["real rights"]
    properties = query_properties(evaluate(TASK3, {"mine": run}))
    members = sorted(properties.loc[properties["subject"] == "real rights", "query_id"])
    values = np.array([value(TASK3, gold, run, [query_id]) for query_id in members])
    drawn = np.random.default_rng(0).integers(len(members), size=(10_000, len(members)))
    assert [row["low"], row["high"]] == pytest.approx(np.quantile(values[drawn].mean(axis=1), [0.025, 0.975]).tolist())


def test_a_run_has_the_same_figures_beside_other_runs():
    one, other = random_run(TASK1, 1), random_run(TASK1, 2)
    both = groups(evaluate(TASK1, {"one": one, "other": other}))
    alone = groups(evaluate(TASK1, {"one": one}))
    pd.testing.assert_frame_equal(pd.DataFrame(both[both["run"] == "one"]).reset_index(drop=True), pd.DataFrame(alone))


def test_corrected_p_values_count_a_group_and_its_complement_once():
    found = groups(evaluate(TASK3, {"mine": random_run(TASK3, 4)}), ["anonymised", "polarity"])
    p = found.drop_duplicates("property")["p"].tolist()
    assert found["p"].tolist() == [p[0], p[0], p[1], p[1]]
    low, high = min(p), max(p)
    expected = {low: min(1, 2 * low), high: max(min(1, 2 * low), high)}
    assert found["p_holm"].tolist() == pytest.approx([expected[each] for each in found["p"]])
    again = groups(evaluate(TASK3, {"mine": random_run(TASK3, 4)}), ["relevant_items", "relevant_articles"])
    assert again["p_holm"].tolist() == again["p"].tolist()  # one division under two names is one test


def test_a_group_of_all_queries_and_one_of_a_single_query_are_shown_without_a_test():
    found = groups(evaluate(TASK1, {"mine": random_run(TASK1, 1)}), ["language", "relevant_is_duplicate"])
    every, single = found.iloc[0], found[found["num_queries"] == 1].iloc[0]
    assert every[["difference", "p", "p_holm"]].isna().all()
    assert not every[["value", "low", "high"]].isna().any()
    assert single[["low", "high", "p", "p_holm"]].isna().all()
    assert not single[["value", "difference"]].isna().any()


def test_equal_seeds_give_equal_figures_and_notes_say_what_they_mean():
    runs = evaluate(TASK3, {"mine": random_run(TASK3, 1)})
    first, again, other = groups(runs), groups(runs), groups(runs, seed=1)
    pd.testing.assert_frame_equal(pd.DataFrame(first), pd.DataFrame(again))
    assert first["p"].tolist() != other["p"].tolist()
    assert first["value"].tolist() == other["value"].tolist()
    text = " ".join(first.notes)
    assert "p below .05 by chance alone; look at p holm" in text
    assert "fewer than 10 queries" in text
    assert "anonymised: whether the statement names persons" in text
    assert str(first).startswith("MacroF2 by group of queries: coliee/task3/sample/en/test\n")


def test_an_unknown_property_is_named_with_the_known_ones():
    runs = evaluate(TASK3, {"mine": random_run(TASK3, 1)})
    with pytest.raises(TypeError, match="names must be a list of properties, got 'polarity'"):
        groups(runs, "polarity")
    with pytest.raises(ColieeError) as caught:
        groups(runs, ["colour"])
    assert str(caught.value).splitlines()[0] == "No property 'colour'."
    assert "Known are: relevant_items, words, exam_year, anonymised," in str(caught.value)


def test_a_planted_difference_is_significant_and_others_are_not(tmp_path, monkeypatch):
    write_release("coliee/task4/2025/ja/train", tmp_path, scale=0.1)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    dataset_id = "coliee/task4/2025/ja/train"
    gold = gold_of(dataset_id)
    always = {query_id: {"Y": 1.0} for query_id in gold}
    chance = random.Random(1)
    at_random = {query_id: {chance.choice("YN"): 1.0} for query_id in gold}
    runs = evaluate(dataset_id, {"always Y": always, "at random": at_random})
    found = groups(runs, ["label", "polarity", "exam_year"])
    by_label = found[(found["property"] == "label") & (found["run"] == "always Y")]
    assert by_label["value"].tolist() == [1.0, 0.0]
    assert by_label["p"].tolist() == [1 / 10_001] * 2
    assert (by_label["p_holm"] < 0.05).all()
    assert (found.loc[found["run"] == "at random", "p_holm"].dropna() > 0.05).all()


def test_gated_accuracy_where_every_run_has_answers_else_f2(tmp_path, monkeypatch):
    write_release("coliee/task3/2026/ja", tmp_path, scale=0.01)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    dataset_id = "coliee/task3/2026/ja/train"
    gold = gold_of(dataset_id)
    labels = {label.query_id: label.doc_id for label in ir_datasets.load("coliee/task4/2026/ja/train").qrels_iter()}
    run = {
        query_id: dict.fromkeys(sorted(items)[: 1 + place % 2], 1.0)
        for place, (query_id, items) in enumerate(gold.items())
    }
    answers = {query_id: {"Y": 1.0} for query_id in gold}
    found = groups(evaluate(dataset_id, {"mine": run}, answers={"mine": answers}), ["relevant_items"])
    properties = query_properties(evaluate(dataset_id, {"mine": run}))
    assert found.title.startswith("GatedAccuracy ")
    labels_of = dict(zip(properties["query_id"], group_names(properties["relevant_items"])[0]))
    for row in found.itertuples():
        members = [query_id for query_id, label in labels_of.items() if label == row.group]
        passed = [labels[query_id] == "Y" and gold[query_id] <= set(run[query_id]) for query_id in members]
        assert row.value == pytest.approx(sum(passed) / len(passed))
    without = groups(evaluate(dataset_id, {"mine": run}), ["relevant_items"])
    assert without.title.startswith("MacroF2 ")
    assert any("needs the answers Y and N of each run" in note for note in without.notes)


# --- names of groups -------------------------------------------------------------------------------


@given(st.lists(st.one_of(st.none(), st.integers(-3, 12)), min_size=1, max_size=60))
def test_numbers_are_cut_in_at_most_four_ordered_groups_with_ties_together(numbers):
    labels, order = group_names(pd.Series(numbers, dtype="Int64"))
    assert sorted({*labels}) == sorted(order)
    assert len(order) == len({*order})
    assert [label == UNKNOWN for label in labels] == [number is None for number in numbers]
    known = [name for name in order if name != UNKNOWN]
    assert len(known) <= 4
    spans = [[number for number, label in zip(numbers, labels) if label == name] for name in known]
    for name, span in zip(known, spans):
        assert name == (str(min(span)) if min(span) == max(span) else f"{min(span)} to {max(span)}")
    assert all(max(low) < min(high) for low, high in itertools.pairwise(spans))


@given(st.sets(st.integers(0, 10_000), min_size=4, max_size=80))
def test_different_numbers_are_cut_in_quarters_of_equal_size(numbers):
    labels, order = group_names(pd.Series(sorted(numbers), dtype="Int64"))
    sizes = [labels.count(name) for name in order]
    assert len(sizes) == 4
    assert max(sizes) - min(sizes) <= 1


def test_categories_are_in_their_own_order_and_yes_comes_before_no():
    ordered = pd.Series(["b", None, "c", "b"], dtype=pd.CategoricalDtype(["c", "b", "a"], ordered=True))
    assert group_names(ordered) == (["b", UNKNOWN, "c", "b"], ["c", "b", UNKNOWN])
    assert group_names(pd.Series(["R98", "R99", "R98"], dtype=object))[1] == ["R98", "R99"]
    assert group_names(pd.Series([False, None, True], dtype="boolean")) == (
        ["no", UNKNOWN, "yes"],
        ["yes", "no", UNKNOWN],
    )
    assert group_names(pd.Series([None, None], dtype="Int64")) == ([UNKNOWN, UNKNOWN], [UNKNOWN])


def test_unanswered_queries_of_groups_are_counted():
    answers = {name: {q: d for q, d in random_run(TASK3, seed).items() if int(q[4:6]) % 3} for name, seed in RUNS}
    runs, gold = evaluate(TASK3, answers), gold_of(TASK3)
    found_by_some = {q for run in answers.values() for q in run if gold[q] & {*run[q]}}
    unanswered = {*gold} - found_by_some
    properties = query_properties(runs).set_index("query_id")
    found = hard_for_all(runs)
    assert len(found)
    for row in found.itertuples():
        labels, _ = group_names(properties[row.property])
        members = {query_id for query_id, label in zip(properties.index, labels) if label == row.group}
        share, others = len(members & unanswered) / len(members), len(unanswered - members) / len({*gold} - members)
        assert (row.num_queries, row.unanswered) == (len(members), len(members & unanswered))
        assert (row.share, row.share_of_others) == (pytest.approx(share), pytest.approx(others))
        assert row.excess == pytest.approx(len(members) * (share - others))
        assert share > others


@pytest.mark.parametrize("dataset_id", [TASK1, TASK3])
def test_an_interaction_is_the_difference_of_a_run_from_the_mean_of_the_runs(dataset_id):
    answers = {name: random_run(dataset_id, seed) for name, seed in RUNS}
    runs, gold = evaluate(dataset_id, answers), gold_of(dataset_id)
    properties = query_properties(runs).set_index("query_id")
    found = interactions(runs)
    for (name, group), rows in found.groupby(["property", "group"]):
        labels, _ = group_names(properties[name])
        inside = [query_id for query_id, label in zip(properties.index, labels) if label == group]
        outside = [query_id for query_id in properties.index if query_id not in inside]
        differences = {
            run: value(dataset_id, gold, answers[run], inside) - value(dataset_id, gold, answers[run], outside)
            for run in answers
        }
        mean = sum(differences.values()) / len(differences)
        for row in rows.itertuples():
            assert row.interaction == pytest.approx(differences[row.run] - mean)


def test_a_planted_interaction_is_found_and_none_is_found_in_equal_runs():
    gold = gold_of(TASK3)
    properties = query_properties(evaluate(TASK3, {"mine": {}})).set_index("query_id")
    right = {query_id: dict.fromkeys(relevant, 1.0) for query_id, relevant in gold.items()}
    for_some = {query_id: items for query_id, items in right.items() if properties.loc[query_id, "anonymised"]}
    others = {query_id: items for query_id, items in right.items() if query_id not in for_some}
    first = interactions(evaluate(TASK3, {"some": for_some, "others": others})).iloc[0]
    assert (first["property"], first["p_holm"] < 0.05) == ("anonymised", True)
    assert interactions(evaluate(TASK3, {"a": for_some, "b": for_some}))["p_holm"].min() == 1
    with pytest.raises(ColieeError, match="At least two runs"):
        interactions(evaluate(TASK3, {"a": right}))
