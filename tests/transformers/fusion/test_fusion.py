"""Fusion of rankings, against plain Python."""

import math
import statistics

import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import run

from ir_coliee.errors import ColieeError
from ir_coliee.transformers import Agreement, Backfill, DropSelf, ReciprocalRank, TopK, WeightedSum, fusion

NAN, INF = math.nan, math.inf


def scored(results):
    return {(row.qid, row.docno): row.score for row in results.itertuples()}


# --- the definitions, in plain Python: a ranking is query -> [(docno, score)], best first --------------


def plain(rows):
    queries = {}
    for qid, docno, score in rows:
        queries.setdefault(qid, []).append((docno, score))
    return {
        qid: sorted(own, key=lambda item: (math.isnan(item[1]), 0 if math.isnan(item[1]) else -item[1], item[0]))
        for qid, own in queries.items()
    }


def scale(own, by):
    """docno -> the score on one scale, of the items of one query."""
    if by == "rank":
        return {docno: (len(own) - rank) / len(own) for rank, (docno, _) in enumerate(own)}
    finite = {docno: score for docno, score in own if math.isfinite(score)}
    if not finite or by is None:
        return finite
    best, least = max(finite.values()), min(finite.values())
    if by == "minmax":
        return {d: (s - least) / (best - least) if best > least else 1.0 for d, s in finite.items()}
    if by == "max":
        return {d: s / best if best > 0 else best / s if s else 1.0 for d, s in finite.items()}
    mean, sd = statistics.fmean(finite.values()), statistics.pstdev(finite.values())
    return {d: (s - mean) / sd if best > least else 0.0 for d, s in finite.items()}


def plain_sum(rankings, weights, by, missing):
    plains = [plain(rows) for rows in rankings]
    sums = {}
    for pair in {row[:2] for rows in rankings for row in rows}:
        total = 0.0
        for own, weight in zip(plains, weights):
            scores = scale(own.get(pair[0], []), by)
            default = missing
            if missing is None:
                default = min(scores.values(), default=0.0) if by in ("z", None) else 0.0
            total += weight * scores.get(pair[1], default)
        sums[pair] = total
    return sums


values = st.sampled_from([0.0, 1.0, 2.0, 3.5, -1.0, -2.5, NAN, INF, -INF])
rankings = st.lists(
    st.lists(st.tuples(st.sampled_from("12"), st.sampled_from("abcde"), values), unique_by=lambda row: row[:2]),
    min_size=1,
    max_size=3,
)


def is_in_order(results):
    for _, own in results.groupby("qid", sort=False):
        assert own["rank"].tolist() == list(range(len(own)))
        keys = [(row.score != row.score, -row.score if row.score == row.score else 0.0) for row in own.itertuples()]
        assert keys == sorted(keys)
    assert results.index.tolist() == list(range(len(results)))


@pytest.mark.slow
@given(
    rankings,
    st.sampled_from([*fusion.NORMALISATIONS, None]),
    st.sampled_from([None, 0.0, -1.5]),
    st.lists(st.sampled_from([0.0, 1.0, 0.3, -2.0]), min_size=2, max_size=2).map(lambda others: [0.3, *others]),
)
@settings(max_examples=40)
def test_a_weighted_sum_is_the_sum_of_its_parts(rankings, by, missing, weights):
    frames = [run(*rows) for rows in rankings]
    weights = weights[: len(frames)]
    results = fusion.weighted_sum(frames, weights, by, missing)
    assert scored(results) == pytest.approx(plain_sum(rankings, weights, by, missing), abs=1e-12)
    is_in_order(results)
    assert list(dict.fromkeys(results["qid"])) == list(dict.fromkeys(qid for f in frames for qid in f["qid"]))


@pytest.mark.slow
@given(rankings, st.sampled_from([0, 1, 60]))
@settings(max_examples=60)
def test_reciprocal_ranks_are_added_up(rankings, k):
    expected = {}
    for rows in rankings:
        for qid, own in plain(rows).items():
            for rank, (docno, _) in enumerate(own, start=1):
                expected[qid, docno] = expected.get((qid, docno), 0.0) + 1 / (k + rank)
    results = fusion.reciprocal_rank([run(*rows) for rows in rankings], k)
    assert scored(results) == pytest.approx(expected)
    is_in_order(results)


def with_query(qid, scores):
    return {(qid, docno): score for docno, score in scores.items()}


finite = st.sampled_from([0.0, 1.0, 2.0, 3.5, -1.0, -2.5])
answers = st.lists(
    st.lists(st.tuples(st.sampled_from("123"), st.sampled_from("abcde"), finite), unique_by=lambda row: row[:2]),
    min_size=1,
    max_size=3,
)


@pytest.mark.slow
@given(answers)
@settings(max_examples=100)
def test_shared_answers_stay_else_the_most_confident_and_later_rankings_fill_what_is_unanswered(rankings):
    plains = [{qid: dict(own) for qid, own in plain(rows).items()} for rows in rankings]
    agreed, filled = {}, {}
    for qid in {row[0] for rows in rankings for row in rows}:
        sets = [own.get(qid, {}) for own in plains]
        shared = set.intersection(*map(set, sets))
        chosen = max(sets, key=lambda own: max(own.values(), default=-INF))
        agreed |= {(qid, docno): statistics.fmean(own[docno] for own in sets) for docno in shared} or with_query(
            qid, chosen
        )
        filled |= with_query(qid, next(filter(None, sets)))
    for fuse, expected in ((fusion.agreement, agreed), (fusion.backfill, filled)):
        results = fuse([run(*rows) for rows in rankings])
        assert scored(results) == pytest.approx(expected)
        is_in_order(results)


def test_an_answer_without_a_score_is_an_answer_all_the_same():
    nothing = run(("1", "a", NAN))
    other = run(("1", "b", -5.0))
    assert scored(fusion.backfill([nothing, other])).keys() == {("1", "a")}
    assert scored(fusion.agreement([nothing, other])).keys() == {("1", "b")}
    assert scored(fusion.agreement([run(), nothing])).keys() == {("1", "a")}


def test_backfill_keeps_the_ranks_of_equal_scores():
    ranked = run(("1", "b", 1.0), ("1", "a", 1.0)).assign(rank=[0, 1])
    assert fusion.backfill([ranked, run()])["docno"].tolist() == ["b", "a"]


def test_an_item_that_comes_twice_counts_where_it_stands_first():
    twice = run(("1", "a", 3.0), ("1", "b", 2.0), ("1", "a", 1.0))
    assert scored(fusion.weighted_sum([twice], normalise=None)) == {("1", "a"): 3.0, ("1", "b"): 2.0}
    assert scored(fusion.reciprocal_rank([twice], k=0)) == {("1", "a"): 1.0, ("1", "b"): 0.5}
    assert fusion.align_rankings([twice]).ranks.tolist() == [[0.0], [1.0]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: fusion.weighted_sum([run()], normalise="softmax"), "normalise must be .* or None, got 'softmax'"),
        (lambda: fusion.reciprocal_rank([run()], k=-1), "k must be a finite number >= 0, got -1"),
        (lambda: fusion.weighted_sum([]), "rankings must contain at least one ranking"),
        (lambda: fusion.agreement([]), "rankings must contain at least one ranking"),
        (lambda: fusion.backfill(INPUT), "each ranking must be a data frame, got a value of type str"),
        (lambda: fusion.reciprocal_rank([run((1, "a", 2.0))]), "The qid 1 is not a string"),
        (lambda: WeightedSum(pt.Transformer.from_df(INPUT[["qid", "score"]]))(INPUT[["qid"]]), "WeightedSum"),
    ],
)
def test_what_cannot_be_fused_is_refused_by_name(make, message):
    with pytest.raises((ValueError, TypeError, ColieeError, pt.validate.InputValidationError), match=message):
        make()


INPUT = run(("1", "a", 3.0), ("1", "b", 2.0), ("2", "2", 5.0), ("2", "c", 1.0))


@pytest.mark.parametrize(
    ("transformer", "function"),
    [
        (
            WeightedSum(TopK(1), DropSelf(), weights=(2.0, 1.0), normalise="rank"),
            lambda f: fusion.weighted_sum(f, (2, 1), "rank"),
        ),
        (ReciprocalRank(TopK(1), DropSelf(), k=3), lambda f: fusion.reciprocal_rank(f, 3)),
        (Agreement(TopK(1), DropSelf()), fusion.agreement),
        (Backfill(TopK(1), DropSelf()), fusion.backfill),
    ],
    ids=lambda each: type(each).__name__,
)
def test_each_pipeline_gets_the_input(transformer, function):
    pd.testing.assert_frame_equal(transformer(INPUT), function([TopK(1)(INPUT), DropSelf()(INPUT)]))
