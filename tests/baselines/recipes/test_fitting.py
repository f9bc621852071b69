"""Held-out scores and fits of recipes, against plain loops; and no label reaches what its block is scored by."""

import numpy as np
import pandas as pd
import pytest

from ir_coliee import MicroF1
from ir_coliee.baselines.recipes import (
    BestCutoff,
    BoostedLearner,
    FeatureTable,
    LogisticLearner,
    QueryBlock,
    Recipe,
    fit,
    held_out,
)
from ir_coliee.errors import ColieeError, InsufficientTrainingDataError
from ir_coliee.transformers import ThresholdCutoff

pytest.importorskip("lightgbm")
pytest.importorskip("sklearn")

LEARNERS = (BoostedLearner(num_iterations=4, num_leaves=4, min_data_in_leaf=5), LogisticLearner(c=1.0))
CUT = BestCutoff(MicroF1, tuple(ThresholdCutoff(percent / 100, min_items=1) for percent in range(10, 90, 10)))
QUERIES, CANDIDATES = 6, 8


def second(probabilities):
    return {"second.value": probabilities, "second.rank": (-probabilities).argsort().argsort()}


def block(number, rows=QUERIES * CANDIDATES):
    values = np.random.default_rng(number).normal(size=(rows, 3))
    qids = [f"q{number}{row // CANDIDATES}" for row in range(rows)]
    columns = {"words.bm25": values[:, 0], "words.rank": values[:, 1], "names.judge": values[:, 2]}
    return QueryBlock(
        f"block {number}", FeatureTable.of(qids, [f"d{row % CANDIDATES}" for row in range(rows)], columns), second
    )


BLOCKS = [block(number) for number in range(4)]


def gold_of(blocks, seed=0):
    generator = np.random.default_rng(seed)
    table = FeatureTable.concatenated([each.table for each in blocks])
    relevant = table.values[:, 0] + generator.normal(size=len(table)) > 0.9
    return pd.DataFrame({"qid": table.qids[relevant], "docno": table.docnos[relevant], "label": 1})


GOLD = gold_of(BLOCKS)


def recipe(**options):
    return Recipe("tiny", **{"learners": LEARNERS, "cut": CUT, "measure": MicroF1, "second_round": True, **options})


def plain_probabilities(tables, labels, table, learners=LEARNERS):
    values, labels = np.vstack([each.values for each in tables]), np.concatenate(labels)
    models = [learner.fit(values, labels, np.ones(len(labels))) for learner in learners]
    return sum(model.probabilities(table.values) for model in models) / len(models)


def plain_held_out(blocks, gold, nested=LEARNERS):
    """Both rounds of each block, by loops."""
    labels = [each.labels(gold) for each in blocks]
    tables = [each.table for each in blocks]

    def first(number, unseen):
        seen = [other for other in range(len(blocks)) if other not in unseen]
        learners = nested if len(unseen) > 1 else LEARNERS
        return plain_probabilities([tables[o] for o in seen], [labels[o] for o in seen], tables[number], learners)

    for number in range(len(blocks)):
        of_block = first(number, {number})
        others = [other for other in range(len(blocks)) if other != number]
        second_tables = [tables[o].with_features(second(first(o, {o, number}))) for o in others]
        of_second = plain_probabilities(
            second_tables, [labels[o] for o in others], tables[number].with_features(second(of_block))
        )
        yield of_block, (of_block + of_second) / 2


def in_order(run):
    """The scores of a run, in the order of its ids."""
    return run.sort_values(["qid", "docno"])["score"].to_numpy()


@pytest.mark.parametrize("nested", [None, LEARNERS[1:]])
def test_both_rounds_equal_those_of_plain_loops(nested):
    scored = held_out(recipe(nested_learners=nested), BLOCKS, GOLD)
    for number, (first, final) in enumerate(plain_held_out(BLOCKS, GOLD, nested or LEARNERS)):
        assert scored.first[number] == pytest.approx(first, abs=1e-12)
        assert in_order(scored.runs[number]) == pytest.approx(in_order(BLOCKS[number].run(final)), abs=1e-12)


def test_the_final_fit_learns_from_held_out_probabilities_of_all_blocks():
    scored, asked = held_out(recipe(), BLOCKS, GOLD), block(9)
    labels = [each.labels(GOLD) for each in BLOCKS]
    first = plain_probabilities([each.table for each in BLOCKS], labels, asked.table)
    tables = [each.table.with_features(second(p)) for each, p in zip(BLOCKS, scored.first)]
    of_second = plain_probabilities(tables, labels, asked.table.with_features(second(first)))
    fitted = fit(scored)
    assert fitted.probabilities(asked) == pytest.approx((first + of_second) / 2, abs=1e-12)
    assert fitted.run(asked).equals(asked.run(fitted.probabilities(asked)))


@pytest.mark.parametrize("number", [0, 2])
def test_no_label_of_a_block_reaches_what_the_block_is_scored_by(number):
    scored = held_out(recipe(), BLOCKS, GOLD)
    permuted = GOLD[~GOLD["qid"].str.startswith(f"q{number}")]
    others = gold_of([BLOCKS[number]], seed=7)
    again = held_out(recipe(), BLOCKS, pd.concat([permuted, others]))
    assert not (BLOCKS[number].labels(GOLD) == BLOCKS[number].labels(others)).all()
    assert (again.first[number] == scored.first[number]).all()
    assert again.runs[number].equals(scored.runs[number])
    for other in {*range(4)} - {number}:  # the labels do count where they may
        assert (again.first[other] != scored.first[other]).any()


def test_the_results_are_the_same_from_run_to_run_and_with_any_number_of_threads(monkeypatch):
    one = held_out(recipe(), BLOCKS, GOLD)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(1), raising=False)
    other = held_out(recipe(), BLOCKS, GOLD)
    assert one.run.equals(other.run)
    assert (fit(one).probabilities(BLOCKS[0]) == fit(other).probabilities(BLOCKS[0])).all()


def test_two_blocks_have_no_second_round():
    scored = held_out(recipe(), BLOCKS[:2], GOLD)
    one_round = held_out(recipe(second_round=False), BLOCKS[:2], GOLD)
    assert scored.first == ()
    assert scored.run.equals(one_round.run)
    assert len(fit(scored).rounds) == 1


def test_rows_of_weight_0_are_not_learned_from():
    def upper_half(table, labels):
        assert len(table) == len(labels)
        return np.where(table.column("words.bm25") > 0, 2.0, 0.0)

    def halved(each):
        rows = each.table.column("words.bm25") > 0
        table = each.table
        return QueryBlock(
            each.name, FeatureTable(table.qids[rows], table.docnos[rows], table.values[rows], table.names)
        )

    one_round = {"second_round": False, "learners": LEARNERS[:1]}
    weighted = held_out(recipe(row_weights=upper_half, **one_round), BLOCKS, GOLD)
    everything = recipe(row_weights=lambda table, _labels: np.full(len(table), 2.0), **one_round)
    for number in range(4):
        blocks = [each if other == number else halved(each) for other, each in enumerate(BLOCKS)]
        assert held_out(everything, blocks, GOLD).runs[number].equals(weighted.runs[number])


def test_the_value_is_that_of_blocks_cut_by_the_cutoffs_of_the_others():
    scored = held_out(recipe(second_round=False), BLOCKS, GOLD)
    tp = returned = 0
    pairs = set(zip(GOLD["qid"], GOLD["docno"]))
    for number in range(4):
        others = [run for other, run in enumerate(scored.runs) if other != number]
        queries = {qid for run in others for qid in run["qid"]}
        answers = CUT(others, GOLD[GOLD["qid"].isin(queries)])(scored.runs[number])
        answers = answers[answers["qid"].isin(GOLD["qid"])]  # a query without gold is not one of the measure
        returned += len(answers)
        tp += sum(pair in pairs for pair in zip(answers["qid"], answers["docno"]))
    assert scored.value == pytest.approx(2 * tp / (returned + len(GOLD)), abs=1e-12)
    assert scored.cutoff == CUT(scored.runs, GOLD)


def test_too_little_to_learn_from_is_said():
    with pytest.raises(InsufficientTrainingDataError, match="only one block of queries"):
        held_out(recipe(), BLOCKS[:1], GOLD)
    with pytest.raises(InsufficientTrainingDataError, match="None of the 144 candidates are relevant"):
        held_out(recipe(), BLOCKS, GOLD[:0])


def test_no_relevant_candidate_in_the_others_leaves_no_cutoff():
    of_two = GOLD[GOLD["qid"].str.startswith(("q0", "q1"))]
    scored = held_out(recipe(second_round=False), BLOCKS, of_two)
    assert scored.value >= 0
    missing = scored.gold.assign(docno="elsewhere")
    with pytest.raises(InsufficientTrainingDataError, match="no relevant item is found"):
        _ = type(scored)(scored.recipe, scored.blocks, missing, scored.first, scored.runs).cutoff


def test_other_features_than_those_fitted_on_are_refused():
    fitted = fit(held_out(recipe(second_round=False), BLOCKS, GOLD))
    with pytest.raises(ColieeError, match=r"fitted on: names\.judge\."):
        fitted.run(block(9).without("names"))
    reordered = FeatureTable(
        *(getattr(block(9).table, part) for part in ("qids", "docnos", "values")), ("a.b", "a.c", "a.d")
    )
    with pytest.raises(ColieeError, match="The features differ"):
        fitted.run(QueryBlock("other", reordered))


def blocks_that_learn_from_labels(gold):
    """Blocks with a feature of the relevant candidates of the other blocks, and candidates that depend on it."""

    def popularity(docno, number, hidden):
        others = [f"q{other}" for other in range(4) if other != number and f"block {other}" not in hidden]
        relevant = gold[gold["qid"].str[:2].isin(others)]
        return (relevant["docno"] == docno).sum()

    def of(number):
        everything = block(number).table

        def table_without(hidden):
            popular = np.array([popularity(docno, number, hidden) for docno in everything.docnos])
            table = everything.with_features({"past.popularity": popular})
            rows = popular >= np.median(popular)
            return FeatureTable(table.qids[rows], table.docnos[rows], table.values[rows], table.names)

        return QueryBlock(f"block {number}", table_without(frozenset()), table_without=table_without)

    return [of(number) for number in range(4)]


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 3])
def test_no_label_of_a_block_reaches_it_through_features_of_other_blocks(number):
    one_round = recipe(second_round=False, learners=LEARNERS[:1])
    scored = held_out(one_round, blocks_that_learn_from_labels(GOLD), GOLD)
    permuted = pd.concat([GOLD[~GOLD["qid"].str.startswith(f"q{number}")], gold_of([BLOCKS[number]], seed=7)])
    again = held_out(one_round, blocks_that_learn_from_labels(permuted), permuted)
    assert again.runs[number].equals(scored.runs[number])
    assert any(not one.equals(other) for one, other in zip(again.runs, scored.runs))
    assert fit(scored).run(scored.blocks[0]).equals(scored.blocks[0].run(fit(scored).probabilities(scored.blocks[0])))


def test_features_learned_from_labels_and_a_second_round_exclude_each_other():
    with pytest.raises(ValueError, match="both a second round and features learned from labels"):
        QueryBlock("1", BLOCKS[0].table, second, table_without=lambda hidden: BLOCKS[0].table)
