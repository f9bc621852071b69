"""Blocks of train queries, and the pool of each: built as the organisers build a test split."""

import pandas as pd
import pytest

from ir_coliee.baselines.cases.evidence import block_sizes, noticed_queries, train_pools, whole_pool
from ir_coliee.editions import SPLITS


def gold_of(*pairs):
    return pd.DataFrame(pairs, columns=["qid", "docno"]).assign(label=1)


@pytest.mark.parametrize(
    ("edition", "queries", "sizes"),
    [
        ("2025", 1678, [480, 479, 319, 400]),  # what each edition added; the first block is too large
        ("2024", 1278, [480, 479, 319]),
        ("2023", 959, [320, 320, 319]),  # at least three
        ("2026", 2001, [401, 400, 400, 400, 400]),  # continues no earlier train split
        ("2025", 1677, [420, 419, 419, 419]),  # not the official size
        ("2025", 50, [17, 17, 16]),
        ("2025", 6, [2, 2, 2]),
        ("2025", 5, [3, 2]),  # a pool of one query has relevant documents alone
        ("2025", 2, [2]),
        ("2025", 1, [1]),
        ("2018", 285, [95, 95, 95]),  # 200 candidates each
        ("2020", 520, [130, 130, 130, 130]),
    ],
)
def test_blocks_are_what_editions_added_or_equal(edition, queries, sizes):
    assert block_sizes(SPLITS[f"coliee/task1/{edition}/train"], queries) == sizes


def test_the_pool_of_a_block_has_what_its_queries_notice_and_not_the_queries():
    documents = ["q1", "q2", "q3", "q4", "a", "b", "c", "d"]
    gold = gold_of(("q1", "b"), ("q2", "a"), ("q2", "q3"), ("q3", "a"), ("q4", "c"), ("q4", "missing"))
    gold.loc[len(gold)] = ["q1", "d", 0]  # not noticed by anyone
    pools = train_pools([1, 1, 2], ["q1", "q2", "q3", "q4"], documents, gold)
    assert [pool.queries for pool in pools] == [("q1",), ("q2",), ("q3", "q4")]
    # d, which nobody notices, is in the last pool but one; q3 is a candidate of another block
    assert [pool.documents for pool in pools] == [("b",), ("q3", "a", "d"), ("a", "c")]
    assert all(pool.given is None for pool in pools)


def test_queries_stay_candidates_where_queries_of_the_same_block_are_noticed():
    queries = [f"q{number}" for number in range(4)]
    others = [("q0", f"d{number}") for number in range(98)]
    within = gold_of(*others, ("q0", "q1"), ("q2", "q3"), ("q0", "d98"))
    assert noticed_queries([queries[:2], queries[2:]], within) == (2, 101)
    assert not noticed_queries([queries[:2], queries[2:]], within).are_many
    more = pd.concat([within, gold_of(("q3", "q2"))])
    assert noticed_queries([queries[:2], queries[2:]], more).are_many
    assert not noticed_queries([queries[::2], queries[1::2]], more).are_many  # of other blocks
    assert not noticed_queries([queries], gold_of()).are_many
    documents = [*queries, *(f"d{number}" for number in range(99))]
    pools = train_pools([2, 2], queries, documents, more)
    assert [pool.documents[:3] for pool in pools] == [("q0", "q1", "d0"), ("q2", "q3")]


def test_a_test_split_is_one_pool_without_its_queries():
    documents = ["q1", "a", "q2", "b"]
    assert whole_pool(["q2", "q1"], documents, None, queries_are_candidates=False).documents == ("a", "b")
    assert whole_pool(["q2"], documents, None, queries_are_candidates=True).documents == ("q1", "a", "q2", "b")


def test_given_pools_are_kept():
    pairs = [("1", "1_7"), ("1", "1_3"), ("2", "2_3")]
    pools = train_pools([1, 2], ["1", "2", "3"], ["1_3", "1_7", "2_3"], gold_of(("1", "1_7")), pairs)
    assert [(pool.queries, pool.documents) for pool in pools] == [(("1",), ("1_3", "1_7")), (("2", "3"), ("2_3",))]
    assert pools[1].given == {"2": {"2_3"}, "3": ()}
    whole = whole_pool(["2"], ["1_3", "1_7", "2_3"], pairs, queries_are_candidates=False)
    assert (whole.documents, whole.given) == (("2_3",), {"2": {"2_3"}})
