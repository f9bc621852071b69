"""Cut-offs and weights of a fusion are searched for as ir_measures would score each of them."""

import itertools
import json
import math
import random
from collections import Counter

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_measures import PLAIN
from run_lines import saved

from ir_coliee import (
    AnswerAccuracy,
    MacroF,
    MacroF2,
    MacroP,
    MacroR,
    MicroF,
    MicroF1,
    MicroP,
    MicroR,
    compare,
    frames,
    score,
)
from ir_coliee.editions import split
from ir_coliee.errors import ColieeWarning
from ir_coliee.evaluation import cutoffs as search
from ir_coliee.evaluation.cutoffs import cross_validate_cutoffs, cutoff_values, encode_run, fit_cutoff, standard_grid
from ir_coliee.evaluation.fusion import search_weights, weight_grid
from ir_coliee.evaluation.gold import scored_gold
from ir_coliee.evaluation.runs import load_run
from ir_coliee.frames import sort_results
from ir_coliee.transformers import (
    AdaptiveCutoff,
    DynamicCutoff,
    ExpectedFCutoff,
    GapCutoff,
    MarginCutoff,
    RatioCutoff,
    ThresholdCutoff,
    TopK,
)
from ir_coliee.transformers.fusion import NORMALISATIONS, weighted_sum

pytestmark = pytest.mark.slow


def results_of(rows):
    return pd.DataFrame(rows, columns=["qid", "docno", "score"]).astype({"score": float})


def qrels_of(rows):
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


def value_of(cutoff, results, qrels, measure):
    """A candidate's value the long way: cut, then ir_measures."""
    run = cutoff(results).rename(columns={"qid": "query_id", "docno": "doc_id"})
    return ir_measures.calc_aggregate([measure], qrels, run)[measure]


GRID = [
    *(TopK(1), TopK(3), RatioCutoff(0.5, max_items=4), RatioCutoff(0.5, threshold=1.0, min_items=1, max_items=4)),
    *(DynamicCutoff(0.7, min_items=0, max_items=3), DynamicCutoff(0.3, min_items=2, max_items=5)),
    *(MarginCutoff(1.0, max_items=2), MarginCutoff(0.0, max_items=3), GapCutoff(min_items=1, max_items=3)),
    *(ThresholdCutoff(1.0), ThresholdCutoff(99.0), ThresholdCutoff(99.0, min_items=1, max_items=2)),
    *(ExpectedFCutoff(beta=2.0, max_items=3), AdaptiveCutoff(2.2, -1.3, depth=3, min_items=0)),
]
RESULTS = results_of([("1", "a", 3.0), ("2", "x", 9.0), ("1", "b", 2.0), ("2", "c", 8.5), ("1", "x", 0.5)])
QRELS = qrels_of([("1", "a", 1), ("1", "b", 1), ("2", "c", 1), ("3", "d", 1)])

ids = st.tuples(st.sampled_from("12345"), st.sampled_from("abcdef"))
scores = st.one_of(st.sampled_from([0.0, 1.0, 2.0, -1.0, float("nan"), float("inf")]), st.floats(-5, 5))
runs = st.lists(st.tuples(ids, scores), unique_by=lambda row: row[0], max_size=20)
gold = st.dictionaries(ids, st.integers(0, 1), min_size=1, max_size=12)
MEASURES = [MicroF1, MicroP, MicroR, MicroF(beta=2), MacroF2, MacroP, MacroF(empty=1), MacroF(beta=0.5)]
measures = st.sampled_from(MEASURES)


def frames_of(run, gold):
    results = results_of([(*pair, score) for pair, score in run])
    return results, qrels_of([(*pair, relevance) for pair, relevance in gold.items()])


# --- a run as arrays ----------------------------------------------------------------------------------


def expected_of(results, qrels, rel):
    """The same by dictionaries, a query at a time."""
    rows = {}
    for query in sorted(set(qrels["query_id"])):
        wanted = {doc for q, doc, label in zip(*map(qrels.get, qrels)) if q == query and label >= rel}
        best_first = {}
        own = sort_results(results[results["qid"] == query])
        for doc, value in zip(own["docno"], own["score"]):
            best_first.setdefault(doc, -math.inf if math.isnan(value) else value)
        hits = [0]
        for doc in best_first:
            hits.append(hits[-1] + (doc in wanted))
        rows[query] = list(best_first.values()), hits, len(wanted)
    return rows


@given(
    st.lists(st.tuples(ids, scores), max_size=20),
    st.dictionaries(ids, st.integers(0, 2), max_size=12),
    st.integers(1, 2),
    *[st.booleans()] * 4,
)
@settings(max_examples=40)
def test_encoding_gives_what_dictionaries_give(rows, judged, rel, ordered, ranked, categorical, table):
    results, qrels = frames_of(rows, judged)
    if ranked:
        results["rank"] = range(len(results))
    if ordered:
        results = sort_results(results)
    expected = expected_of(results, qrels, rel)
    if categorical:
        results = results.astype({"qid": "category", "docno": "category"})
    with pytest.MonkeyPatch.context() as patch:
        if not table:  # as for a collection that is too large for one
            patch.setattr(frames, "_TABLE_SIZE", 0)
        encoded = encode_run(results, qrels, rel=rel)
    assert encoded.queries == list(expected)
    assert encoded.depth == max((len(scores) for scores, _, _ in expected.values()), default=0)
    for row, (own, hits, relevant) in enumerate(expected.values()):
        padding = encoded.depth - len(own)
        assert encoded.scores[row].tolist() == own + [-math.inf] * padding
        assert encoded.hits[row].tolist() == hits + hits[-1:] * padding
        assert (encoded.lengths[row], encoded.relevant[row]) == (len(own), relevant)


def test_ids_of_another_type_are_warned_of():
    with pytest.warns(ColieeWarning, match="qids of the run are like"):
        encode_run(RESULTS.assign(qid=1), QRELS)


# --- the search -----------------------------------------------------------------------------------------


@given(runs, gold, measures)
@settings(max_examples=12)
def test_every_cut_off_has_the_value_that_ir_measures_gives_it_and_the_first_of_the_best_is_fitted(run, gold, measure):
    results, qrels = frames_of(run, gold)
    values = [value_of(cutoff, results, qrels, measure) for cutoff in GRID]
    assert cutoff_values(encode_run(results, qrels), measure, GRID).tolist() == pytest.approx(values, abs=1e-12)
    best = fit_cutoff(qrels, results, measure, iter(GRID))
    assert best.value == pytest.approx(max(values), abs=1e-12)
    assert best.cutoff is GRID[next(place for place, value in enumerate(values) if value >= max(values) - 1e-12)]


def test_a_search_in_blocks_gives_the_same(monkeypatch):
    encoded = encode_run(RESULTS, QRELS)
    whole = cutoff_values(encoded, MacroF2, standard_grid(encoded))
    monkeypatch.setattr(search, "_BLOCK_SIZE", 10)
    assert (cutoff_values(encoded, MacroF2, standard_grid(encoded)) == whole).all()


GOLD_OF_5 = pd.concat([QRELS.assign(query_id=query) for query in "0258"])
ROWS = results_of([(str(q), str(n), 30.0 - n * (1 + q / 9)) for q in range(9) for n in range(20)])
RULES = {TopK, GapCutoff, DynamicCutoff, MarginCutoff, ThresholdCutoff, RatioCutoff, AdaptiveCutoff}


@pytest.mark.parametrize(
    ("results", "rules"), [(ROWS, RULES), (ROWS.assign(score=(ROWS["score"] + 30) / 60), RULES | {ExpectedFCutoff})]
)
def test_the_standard_grid_has_every_rule_and_no_cut_off_twice(results, rules):
    grid = standard_grid(encode_run(results, GOLD_OF_5))
    assert {type(cutoff) for cutoff in grid} == rules
    assert len(set(map(repr, grid))) == len(grid)
    assert [cutoff.k for cutoff in grid if isinstance(cutoff, TopK)] == list(range(1, 21))


@pytest.mark.parametrize("results", [RESULTS.iloc[:0], RESULTS.assign(score=math.inf), RESULTS.assign(score=math.nan)])
def test_the_standard_grid_can_be_made_of_any_scores(results):
    assert fit_cutoff(QRELS, results, MicroF1).cutoff in standard_grid(encode_run(results, QRELS))


def plainly_cross_validated(results, qrels, measure, group_of):
    """Subsets, cuts and ir_measures for each group; the held-out answers scored together."""
    splits = []
    for group in sorted(set(group_of.values())):
        inside = {query for query, its in group_of.items() if its == group}
        elsewhere = results[~results["qid"].isin(inside)], qrels[~qrels["query_id"].isin(inside)]
        values = [value_of(cutoff, *elsewhere, measure) for cutoff in GRID]
        chosen = next(c for c, value in zip(GRID, values) if value >= max(values) - 1e-12)
        splits.append(chosen(results[results["qid"].isin(inside)]))
    answers = pd.concat(splits).rename(columns={"qid": "query_id", "docno": "doc_id"})
    return ir_measures.calc_aggregate([measure], qrels, answers)[measure]


@given(runs, gold, measures)
@settings(max_examples=6)
def test_held_out_values_are_those_of_cutting_each_group_by_the_others_best(run, gold, measure):
    results, qrels = frames_of(run, gold)
    group_of = {query: "even" if query in "24" else query for query in set(qrels["query_id"])}
    assume(len(set(group_of.values())) > 1)
    found = cross_validate_cutoffs(qrels, results, measure, GRID, groups=group_of)
    assert found.held_out == pytest.approx(plainly_cross_validated(results, qrels, measure, group_of), abs=1e-12)
    best = fit_cutoff(qrels, results, measure, GRID)
    assert found.cutoff == best.cutoff
    assert found.optimistic == pytest.approx(best.value, abs=1e-12)


def a_run(queries):
    draw = random.Random(1)
    rows = [(query, f"d{n}", draw.random()) for query in queries for n in range(8)]
    gold = [(query, f"d{draw.randrange(9)}", 1) for query in queries]
    return results_of(rows), qrels_of(gold)


def test_folds_are_equal_in_size_and_follow_the_seed():
    results, qrels = a_run([f"{900_000 + n}" for n in range(23)])
    encoded = encode_run(results, qrels)
    groups = search.shuffled_groups(encoded, 5, seed=3)
    assert sorted(Counter(groups).values()) == [4, 4, 5, 5, 5]
    assert groups != search.shuffled_groups(encoded, 5, seed=4)
    found = cross_validate_cutoffs(qrels, results, MicroF1, GRID, folds=5, seed=3)
    shuffled = qrels.sample(frac=1, random_state=2), results.sample(frac=1, random_state=1)
    assert cross_validate_cutoffs(*shuffled, MicroF1, GRID, folds=5, seed=3) == found


def finite_ratios(row):
    """The shares of the best score that keep one more item."""
    shares = [min(score / row[0], row[0] / score if score else 0) for score in row if math.isfinite(score) and row[0]]
    return [share for share in shares if 1e-9 < share <= 1]


@given(runs, gold, measures)
@settings(max_examples=40)
def test_no_rank_threshold_or_ratio_is_better_than_the_best_of_all_values(run, gold, measure):
    run = [(pair, score if math.isfinite(score) else 7.0) for pair, score in run]
    results, qrels = frames_of(run, gold)
    encoded = encode_run(results, qrels)
    assume(encoded.depth)
    rows = encoded.scores.tolist()
    every = {
        TopK: [TopK(k) for k in range(1, encoded.depth + 1)],
        ThresholdCutoff: [ThresholdCutoff(score) for row in rows for score in row if math.isfinite(score)],
        RatioCutoff: [RatioCutoff(math.nextafter(ratio, 0)) for row in rows for ratio in finite_ratios(row)],
    }
    for best in search.best_of_all_values(encoded, measure):
        value = value_of(best, results, qrels, measure)
        others = cutoff_values(encoded, measure, [best, *every[type(best)]])
        assert value == pytest.approx(max(others), abs=1e-12)


SET = RESULTS.drop(columns=["score", "rank"], errors="ignore")


def test_only_depths_are_tried_on_a_set():
    for fitted in (fit_cutoff(QRELS, SET, MicroF1), cross_validate_cutoffs(QRELS, SET, MicroF1, folds=3)):
        assert isinstance(fitted.cutoff, TopK)


TASK1_TRAIN = "coliee/task1/sample/train"


def test_a_run_without_scores_is_a_set_in_the_order_of_its_rows(tmp_path):
    items = {"900014": ["900205", "900052"], "900020": ["900077"]}
    frame = pd.DataFrame([(query, item) for query, of_query in items.items() for item in of_query])
    frame.columns = ["qid", "docno"]
    path, qrels = saved(tmp_path, json.dumps(items)), qrels_of([("900014", "900052", 1)])
    figures = score(TASK1_TRAIN, path).figures
    for run in (items, {query: {*of_query} for query, of_query in items.items()}, frame, frame.assign(rank=[1, 0, 0])):
        assert score(TASK1_TRAIN, run).figures == figures
        assert not load_run(TASK1_TRAIN, run).has_scores
        assert compare(TASK1_TRAIN, {"a": run, "b": items}).value_a.tolist() == [figures["MicroF1"]]
    assert fit_cutoff(qrels, items, MicroF1, [TopK(1), TopK(2)]) == (TopK(2), 2 / 3)
    assert fit_cutoff(qrels, frame.assign(rank=[1, 0, 0]), MicroF1, [TopK(1), TopK(2)]) == (TopK(1), 1.0)
    at_first = ir_measures.calc_aggregate(
        [MicroF1 @ 1], qrels, frame.rename(columns={"qid": "query_id", "docno": "doc_id"})
    )
    assert at_first == {MicroF1 @ 1: 0.0}


def test_a_dataset_brings_the_labels_and_the_measure_of_a_cut_off(tmp_path):
    answers = {"900052": 2.0, "900205": 1.0}  # and the query itself, which does not count
    path = saved(tmp_path, json.dumps({"900014": {"900014": 3.0, **answers}}))
    expected = fit_cutoff(scored_gold(split(TASK1_TRAIN)), {"900014": answers}, MicroF1, [TopK(1), TopK(2)])
    assert fit_cutoff(TASK1_TRAIN, path, cutoffs=[TopK(1), TopK(2)]) == expected


def test_a_cut_off_that_looks_at_all_queries_is_searched_as_it_cuts():
    rng = np.random.default_rng(2)
    rows = [(str(q), f"d{d}", float(p)) for q in range(12) for d, p in enumerate(rng.beta(0.5, 2.0, 30))]
    results = results_of(rows)
    qrels = qrels_of([(row[0], row[1], 1) for row, drawn in zip(rows, rng.random(len(rows))) if drawn < row[2]])
    known = results[results["qid"].isin(qrels["query_id"])]
    for cutoff in (ExpectedFCutoff(average="micro"), ExpectedFCutoff(average="macro"), AdaptiveCutoff(4.0, 2.0)):
        encoded, both = encode_run(results, qrels), [TopK(40), cutoff]
        assert search.cutoff_counts(encoded, both)[1].sum(axis=1).tolist() == [len(known), len(cutoff(known))]
        assert cutoff_values(encoded, MicroF1, both)[1] == pytest.approx(value_of(cutoff, known, qrels, MicroF1))


# --- how much is lost by the ranking, and how much by the cut-off ----------------------------------------


LONG = results_of(
    [("1", "a", 9.0), ("1", "x", 8.0), ("1", "b", 7.0), ("2", "x", 3.0), ("2", "y", 2.0), ("2", "c", 1.0)]
)
LABELS = qrels_of([("1", "a", 1), ("1", "b", 1), ("2", "c", 1), ("3", "d", 1)])
rankings = st.lists(st.tuples(st.sampled_from("123"), st.sampled_from("abcd")), unique=True, max_size=10)
golds = st.dictionaries(st.tuples(st.sampled_from("1234"), st.sampled_from("abcde")), st.integers(0, 1), min_size=1)


@given(rankings, golds, st.sampled_from([measure for measure in PLAIN if measure != AnswerAccuracy]))
@settings(max_examples=50)
def test_the_oracle_is_the_best_of_all_combinations_of_cuts(ranking, gold, measure):
    results = results_of([(*pair, -float(place)) for place, pair in enumerate(ranking)])
    qrels = qrels_of([(*pair, label) for pair, label in gold.items()])
    found = search.oracle(qrels, results, measure)

    wanted = {pair for pair, label in gold.items() if label}
    queries = sorted({query for query, _ in gold})
    lists = [[pair for pair in ranking if pair[0] == query] for query in queries]
    relevant = [sum(pair[0] == query for pair in wanted) for query in queries]
    values = {}
    for sizes in itertools.product(*(range(len(own) + 1) for own in lists)):
        hits = [len(wanted.intersection(own[:size])) for own, size in zip(lists, sizes)]
        values[sizes] = float(PLAIN[measure]([*zip(hits, sizes, relevant)]))
    assert found.value == pytest.approx(max(values.values()), abs=1e-12)
    assert found.sizes.index.tolist() == queries
    assert values[tuple(found.sizes)] == pytest.approx(found.value, abs=1e-12)


def test_the_attainable_recall_is_that_of_keeping_everything_down_to_a_depth():
    found = search.attainable_recall(LABELS, LONG, [1, 2, 3, 50])
    assert found.columns.tolist() == ["depth", "tp", "MicroR", "MacroR"]
    assert found.tp.tolist() == [1, 1, 3, 3]
    for depth, micro, macro in zip(found.depth, found.MicroR, found.MacroR):
        assert micro == pytest.approx(fit_cutoff(LABELS, LONG, MicroR, [TopK(depth)]).value, abs=1e-12)
        assert macro == pytest.approx(fit_cutoff(LABELS, LONG, MacroR, [TopK(depth)]).value, abs=1e-12)


# --- weights of a fusion ------------------------------------------------------------------------------------


CUTOFFS = [TopK(1), TopK(2), RatioCutoff(0.6, max_items=3), DynamicCutoff(0.3, min_items=1, max_items=4)]
few_scores = st.tuples(ids, st.sampled_from([0.0, 1.0, 2.0, 5.0, -1.0]))
few = st.lists(few_scores, unique_by=lambda row: row[0], max_size=9)


@given(few, few, gold, st.sampled_from([MicroF1, MacroF2]), st.sampled_from([*NORMALISATIONS, None]))
@settings(max_examples=8)
def test_each_value_is_that_of_fusing_cutting_and_scoring(one, other, gold, measure, normalise):
    (first, qrels), (second, _) = frames_of(one, gold), frames_of(other, gold)
    weights = [(0.5, 0.5), (1.0, 0.0), (0.2, 0.8)]
    found = search_weights(
        [first, second], qrels, measure, weights=weights, cutoffs=CUTOFFS, normalise=normalise, missing=0.1
    )
    values = [
        [value_of(cutoff, fused, qrels, measure) for cutoff in CUTOFFS]
        for fused in (weighted_sum([first, second], each, normalise, 0.1) for each in weights)
    ]
    best = [max(own) for own in values]
    assert found.cells[str(measure)].tolist() == pytest.approx(best, abs=1e-12)
    assert found.cells["weights"].tolist() == weights
    place = next(place for place, value in enumerate(best) if value >= max(best) - 1e-12)
    chosen = next(cutoff for cutoff, value in zip(CUTOFFS, values[place]) if value >= best[place] - 1e-12)
    assert (found.weights, found.fitted) == (weights[place], (chosen, pytest.approx(max(best))))
    assert found.cells["cutoff"][place] == chosen


@pytest.mark.parametrize(("number", "steps"), [(1, 3), (3, 4)])
def test_the_grid_has_all_weights_of_these_steps_once_the_most_even_first(number, steps):
    grid = list(weight_grid(number, steps))
    every = {
        tuple(share / steps for share in shares)
        for shares in itertools.product(range(steps + 1), repeat=number)
        if sum(shares) == steps
    }
    assert set(grid) == every
    assert len(grid) == len(every)
    unevenness = [round(float(np.square(weights).sum()), 9) for weights in grid]
    assert unevenness == sorted(unevenness)


A, B = results_of([("1", "a", 3.0), ("1", "b", 1.0)]), results_of([("1", "b", 9.0), ("1", "a", 1.0)])
B_IS_RIGHT = qrels_of([("1", "b", 1)])


def test_without_weights_and_cut_offs_there_is_a_grid_of_both():
    found = search_weights([A, B], B_IS_RIGHT, MicroF1)
    assert len(found.cells) == 11
    assert found.fitted == (TopK(1), 1.0)
    assert found.weights[1] > found.weights[0]
