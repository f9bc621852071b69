"""The waterfall adds up for every run, and its levels are those of a plain count."""

from __future__ import annotations

import ir_datasets
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.analysis import evaluate, false_answers, largest_loss, losses, miss_causes
from ir_coliee.analysis.runs import EvaluatedRuns
from ir_coliee.evaluation.gold import candidates

SAMPLE = {
    f"coliee/{name}": candidates
    for name in (
        "task1/sample/test",
        "task1/sample/train",
        "task2/sample/test",
        "task3/sample/en/test",
        "task3/sample/ja/test",
        "task4/sample/en/test",
        "task4/sample/ja/test",
        "pilot/sample/prediction/test",
        "pilot/sample/rationale/test",
    )
}
SINGLE_ANSWER = ("task4", "prediction")


def random_run(dataset: str, seed: int, share: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A random ranking of candidates, unknown items among them, with an answer set that is not only a prefix of it."""
    random, pool = np.random.default_rng(seed), SAMPLE[dataset]
    rows = []
    for query in ir_datasets.load(dataset).queries_iter():
        items = np.array([*sorted(pool(query.query_id)), "unknown"])
        for rank, item in enumerate(random.permutation(items)[: random.integers(0, len(items) + 1)]):
            rows.append((query.query_id, str(item), 100.0 - rank // 2))  # scores are tied in pairs
    ranking = pd.DataFrame(rows, columns=["qid", "docno", "score"])
    answers = ranking[random.random(len(ranking)) < share]
    if any(task in dataset for task in SINGLE_ANSWER):
        answers = answers[answers["docno"] != "unknown"].drop_duplicates("qid")
    return ranking, answers


def plain_levels(runs: EvaluatedRuns, dataset: str, ranking: pd.DataFrame | None) -> list[int]:
    """The number of items on each level, by a loop over the gold labels."""
    run = runs.runs["mine"]
    gold = [(qrel.query_id, qrel.doc_id) for qrel in ir_datasets.load(dataset).qrels_iter() if qrel.relevance > 0]
    answered = {*zip(run.answers["qid"], run.answers["docno"])}
    ranks: dict[tuple[str, str], int] = {}
    for query_id, items in [] if run.ranking is None else run.ranking.groupby("qid"):
        ranks |= {(query_id, docno): rank for rank, docno in enumerate(items["docno"])}
    kept = [pair for pair in gold if pair in answered]
    lost = [pair for pair in gold if pair not in answered]
    reachable = [pair for pair in lost if pair[1] in SAMPLE[dataset](pair[0])]
    ranked = [pair for pair in reachable if pair in ranks]
    if any(task in dataset for task in SINGLE_ANSWER):
        queries = {*run.answers["qid"]}
        levels = [gold, [pair for pair in gold if pair[0] in queries], kept]
    elif ranking is None:
        levels = [gold, kept + reachable, kept]
    else:
        levels = [gold, kept + reachable, kept + ranked, kept]
    return [*map(len, levels)]


@pytest.fixture(scope="module", autouse=True)
def pools() -> None:
    for dataset in SAMPLE:
        SAMPLE[dataset] = candidates(evaluate(dataset, {"mine": {}}).split)


@pytest.mark.slow
@pytest.mark.parametrize("dataset", SAMPLE)
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32), share=st.sampled_from([0.05, 0.5, 1.0]), is_ranked=st.booleans())
def test_levels_are_those_of_a_plain_count(dataset: str, seed: int, share: float, is_ranked: bool) -> None:
    ranking, answers = random_run(dataset, seed, share)
    has_ranking = is_ranked and not ranking.empty and not any(task in dataset for task in SINGLE_ANSWER)
    runs = evaluate(dataset, {"mine": answers}, rankings={"mine": ranking} if has_ranking else None)
    frame = losses(runs)
    levels = frame[frame["type"] == "level"]
    assert levels["items"].tolist() == plain_levels(runs, dataset, ranking if has_ranking else None)
    assert adds_up(frame)
    assert levels["items"].iloc[-1] == runs.counts.tp.sum()
    assert len(miss_causes(runs, "mine")) == frame.loc[frame["type"] == "loss", "items"].sum()
    assert false_answers(runs)["items"].sum() == runs.counts.returned.sum() - runs.counts.tp.sum()


def adds_up(frame: pd.DataFrame) -> bool:
    changes = frame["items"].where(frame["type"] != "loss", -frame["items"])
    steps = frame["type"] == "level"
    between = changes.where(~steps, 0).groupby(steps.cumsum().shift(fill_value=0)).sum()
    levels = frame.loc[steps, "items"].to_numpy()
    return levels[0] + between.iloc[1:].cumsum().tolist()[-1] == levels[-1] and (
        np.diff(levels).tolist() == between.iloc[1 : len(levels)].tolist()
    )


def test_the_largest_loss_of_each_run_is_named_first() -> None:
    ranked = {"900656": {"900557": 3.0, "900664": 2.0, "900912": 1.0}}
    runs = evaluate(
        "coliee/task1/sample/test",
        {"one": {"900656": {"900557": 1.0}}, "none": {}},
        rankings={"one": ranked, "none": ranked},
    )
    gold = len(runs.gold)
    rest = f"{gold - 2} of {gold} relevant items ({100 * (gold - 2) / gold:.1f} %) are not among the candidates"
    assert largest_loss(runs, "one") == f"largest loss: {rest}"
    assert losses(runs).notes[0] == f"one: largest loss: {rest}"
    only = evaluate("coliee/task4/sample/en/test", {"gold": runs_of_gold("coliee/task4/sample/en/test")})
    assert largest_loss(only, "gold") == "nothing is lost: all 20 relevant items are returned"
    assert losses(only)["type"].tolist() == ["level"] * 3


def runs_of_gold(dataset: str) -> dict[str, dict[str, float]]:
    return {qrel.query_id: {qrel.doc_id: 1.0} for qrel in ir_datasets.load(dataset).qrels_iter()}


def test_a_strict_cut_off_is_named_with_the_number_of_ranks() -> None:
    dataset = "coliee/task1/sample/test"
    gold = evaluate(dataset, {"mine": {}}).gold
    ranked = {
        query: {item: -float(rank) for rank, item in enumerate([f"other{query}", *items["doc_id"]])}
        for query, items in gold.groupby("query_id")
    }
    runs = evaluate(dataset, {"mine": {query: {f"other{query}": 1.0} for query in ranked}}, rankings={"mine": ranked})
    below = sorted(rank for items in ranked.values() for rank in range(1, len(items)))
    half = below[(len(below) - 1) // 2]
    assert largest_loss(runs, "mine") == (
        f"largest loss: {len(gold)} of {len(gold)} relevant items (100.0 %) are ranked below the cut-off, "
        f"half of them by at most {half} ranks"
    )
