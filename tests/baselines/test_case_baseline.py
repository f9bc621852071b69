"""The learned baseline of task 1: pools, candidates, features, what it answers and keeps, and that no label leaks."""

import re
from dataclasses import replace

import ir_datasets
import numpy as np
import pages
import pandas as pd
import pytest

from ir_coliee.baselines import cases as module
from ir_coliee.baselines.cases import (
    NUM_CANDIDATES,
    CaseBaseline,
    CasePool,
    block_arrays,
    block_of,
    block_sizes,
    case_recipe,
    feature_names,
    noticed_queries,
    pool_cutoff,
    queries_are_candidates,
    recipe_scores,
    row_weights,
    train_pools,
    whole_pool,
)
from ir_coliee.baselines.recipes import BoostedLearner, FeatureTable, held_out
from ir_coliee.baselines.training import TrainingData, training_data
from ir_coliee.editions import SPLITS
from ir_coliee.engine.cases.candidates import (
    GRAPH_FEATURES,
    KINDS,
    PAIR_FEATURES,
    CandidateGraph,
    Candidates,
    graph_features,
    pair_features,
    pool_kinds,
)
from ir_coliee.engine.cases.scores import EVIDENCE, TOTAL, evidence_scores
from ir_coliee.engine.cases.terms import bigram_vectors
from ir_coliee.engine.cases.texts import CaseCollection, TextPool
from ir_coliee.synthetic import write_release

# --- pools -------------------------------------------------------------------------------------------


def gold_of(*pairs):
    return pd.DataFrame(pairs, columns=["qid", "docno"]).assign(label=1)


@pytest.mark.parametrize(
    ("edition", "queries", "sizes"),
    [
        ("2025", 1678, [480, 479, 319, 400]),  # what each edition added; the first block is too large
        ("2023", 959, [320, 320, 319]),  # at least three
        ("2026", 2001, [401, 400, 400, 400, 400]),  # continues no earlier train split
        ("2025", 1677, [420, 419, 419, 419]),  # not the official size
        ("2025", 5, [3, 2]),  # a pool of one query has relevant documents alone
        ("2025", 1, [1]),
        ("2018", 285, [95, 95, 95]),  # 200 candidates each
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
    assert not queries_are_candidates(*noticed_queries([queries[:2], queries[2:]], within))
    more = pd.concat([within, gold_of(("q3", "q2"))])
    assert queries_are_candidates(*noticed_queries([queries[:2], queries[2:]], more))
    assert not queries_are_candidates(*noticed_queries([queries[::2], queries[1::2]], more))  # of other blocks
    assert not queries_are_candidates(*noticed_queries([queries], gold_of()))
    documents = [*queries, *(f"d{number}" for number in range(99))]
    pools = train_pools([2, 2], queries, documents, more)
    assert [pool.documents[:3] for pool in pools] == [("q0", "q1", "d0"), ("q2", "q3")]


def test_a_test_split_is_one_pool_without_its_queries():
    documents = ["q1", "a", "q2", "b"]
    assert whole_pool(["q2", "q1"], documents, None, with_queries=False).documents == ("a", "b")
    assert whole_pool(["q2"], documents, None, with_queries=True).documents == ("q1", "a", "q2", "b")


def test_given_pools_are_kept():
    pairs = [("1", "1_7"), ("1", "1_3"), ("2", "2_3")]
    pools = train_pools([1, 2], ["1", "2", "3"], ["1_3", "1_7", "2_3"], gold_of(("1", "1_7")), pairs)
    assert [(pool.queries, pool.documents) for pool in pools] == [(("1",), ("1_3", "1_7")), (("2", "3"), ("2_3",))]
    assert pools[1].given == {"2": {"2_3"}, "3": ()}
    whole = whole_pool(["2"], ["1_3", "1_7", "2_3"], pairs, with_queries=False)
    assert (whole.documents, whole.given) == (("2_3",), {"2": {"2_3"}})


# --- candidates and features -------------------------------------------------------------------------

WORDS = ["lamp", "harbour", "gate", "well", "road", "bridge", "tower", "orchard", "mill", "quay", "roof", "ladder"]


def text(random, marker=False):
    words = [*random.choice(WORDS, 40), "<FRAGMENT_SUPPRESSED>" * marker, *random.choice(WORDS, 20)]
    return (
        f"Odd v. Karu\nIn 209{random.integers(6, 9)}\n[1]\n{' '.join(words)}\n[2]\n{' '.join(random.choice(WORDS, 30))}"
    )


@pytest.fixture(scope="module")
def collection():
    """Five queries and twelve documents; d2 is a duplicate of d1, d3 and "q0 again" have the text of the query q0."""
    random = np.random.default_rng(5)
    texts = {f"q{number}": text(random, marker=True) for number in range(4)}
    texts |= {f"d{number}": text(random) for number in range(12)}
    texts["d2"], texts["d3"], texts["q0 again"] = texts["d1"].upper(), texts["q0"], texts["q0"]
    return CaseCollection.of(texts.items(), workers=1)


QUERIES = ("q0", "q1", "q2", "q3")
DOCUMENTS = tuple(f"d{number}" for number in range(12))
POOL = CasePool("block 1", QUERIES, DOCUMENTS)


def case_block(pool, collection, **options):
    return block_of(pool.name, block_arrays(pool, collection, **options))


def of_q1(collection, pool_features, *others):
    """The features of q1 in a pool with other queries, by candidate."""
    pool = POOL._replace(queries=("q1", *others))
    table = case_block(pool, collection, pool_features=pool_features).table.of_queries(["q1"])
    frame = pd.DataFrame(table.values, index=table.docnos, columns=[*table.names]).sort_index()
    return frame[[name for name in frame if not name.startswith("latent.")]]


def test_without_pool_features_queries_are_not_compared_but_what_is_counted_is_that_of_the_pool(collection):
    once = of_q1(collection, False, "q0")
    # the query again under another id: nothing is counted anew, only another query is asked
    pd.testing.assert_frame_equal(of_q1(collection, False, "q0", "q0 again"), once, check_exact=True)
    assert not of_q1(collection, True, "q0").equals(of_q1(collection, True, "q0", "q0 again"))
    assert not of_q1(collection, False, "q0", "q2").equals(once)  # document frequencies are those of the pool


@pytest.mark.parametrize("pool_features", [True, False])
def test_each_column_is_the_kind_of_its_score_in_the_pool(collection, pool_features):
    block = case_block(POOL, collection, pool_features=pool_features)
    numbers = np.unique(collection.text_numbers(DOCUMENTS))
    pool = TextPool(collection.sequences, collection.text_numbers(QUERIES), numbers)
    scores = evidence_scores(pool, recipe_scores(pool_features=pool_features))
    rows = np.array([QUERIES.index(qid) for qid in block.table.qids])
    columns = np.searchsorted(numbers, collection.text_numbers(block.table.docnos))
    candidates = Candidates(rows, columns)
    for name, of_pool in scores.items():
        kinds = pool_kinds(of_pool, pool.allowed, candidates)
        for place, kind in enumerate(KINDS if pool_features else KINDS[:2]):
            assert (block.table.column(f"{name}.{kind}") == kinds[:, place]).all()
    pairs = pair_features(pool, rows, columns)
    for place, name in enumerate(PAIR_FEATURES):
        np.testing.assert_array_equal(block.table.column(name), pairs[:, place])
    assert block.table.names == feature_names(pool_features=pool_features)
    total = scores[TOTAL][rows, columns]
    assert all(a >= b for q, p, a, b in zip(rows, rows[1:], total, total[1:]) if q == p)  # best first
    if pool_features:
        graph = CandidateGraph.of(candidates, *bigram_vectors(pool, 0.1))
        p = np.linspace(0, 1, len(rows))
        second = block.second(p)
        np.testing.assert_array_equal(np.column_stack([*second.values()]), graph_features(graph, p))
        assert {name.partition(".")[0] for name in second} == {"second"}
    else:
        assert block.second is None


def test_duplicates_are_one_candidate_and_the_own_text_is_none(collection):
    block = case_block(POOL, collection)
    of_query = block.table.qids == "q0"
    assert sorted(block.table.docnos[of_query]) == sorted({*DOCUMENTS} - {"d2", "d3"})
    assert "d3" in block.table.docnos[block.table.qids == "q1"]
    assert block.duplicates == {(query, "d1"): ["d1", "d2"] for query in QUERIES}
    run = block.run(np.ones(len(block.table)))
    assert run.set_index(["qid", "docno"])["score"][("q1", "d2")] == 0.5


def test_with_given_pools_only_their_pairs_are_candidates():
    random = np.random.default_rng(5)
    texts = {name: text(random, marker=True) for name in ("001", "002", "003")}
    numbered = {number: text(random) for number in range(5)}
    given = {"001": {0: 0, 1: 1, 2: "001"}, "002": {0: 1, 1: 2, 2: 1, 3: 3}, "003": {}}
    documents = {
        f"{query}_{number}": numbered.get(which, texts.get(which))
        for query, pool in given.items()
        for number, which in pool.items()
    }
    collection = CaseCollection.of(documents.items(), texts.items(), workers=1)
    pairs = [(document[:3], document) for document in documents]
    pool = whole_pool(["001", "002", "003"], [*documents], pairs, with_queries=False)
    block = case_block(pool, collection)
    found = {query: sorted(block.table.docnos[block.table.qids == query]) for query in texts}
    assert found == {"001": ["001_0", "001_1"], "002": ["002_0", "002_1", "002_3"], "003": []}
    run = block.run(np.ones(len(block.table)))
    assert set(zip(run["docno"], run["score"])) == {
        *(("001_0", 1.0), ("001_1", 1.0)),
        *(("002_0", 0.5), ("002_2", 0.5), ("002_1", 1.0), ("002_3", 1.0)),
    }


@pytest.mark.parametrize(
    "pool",
    [
        POOL._replace(queries=("q1",)),
        POOL._replace(documents=("d5",)),
        POOL._replace(queries=("q0",), documents=("d3",)),
        POOL._replace(documents=()),
    ],
    ids=["one query", "one document", "the own text alone", "no document"],
)
def test_the_smallest_pools_have_finite_features(collection, pool):
    block = case_block(pool, collection)
    table = block.second_table(np.full(len(block.table), 0.5))
    assert table.values.shape[1] == len(feature_names()) + 22
    assert not np.isinf(table.values).any()
    assert len(block.run(np.full(len(block.table), 0.5))) == len(block.table) + sum(
        len(each) - 1 for each in block.duplicates.values()
    )


@pytest.mark.parametrize("threads", [1, 2])
def test_the_number_of_threads_and_repetition_change_nothing(collection, threads):
    first, again = block_arrays(POOL, collection), block_arrays(POOL, collection, threads=threads)
    assert first.keys() == again.keys()
    for name, array in first.items():
        assert (array.tolist() if array.dtype == object else array.tobytes()) == (
            again[name].tolist() if array.dtype == object else again[name].tobytes()
        )


def test_similar_texts_that_are_out_of_range_are_refused(collection):
    arrays = block_arrays(POOL, collection)
    entry = {"columns": np.array([99], np.int32), "nearest": np.ones(1, np.float32)}
    bounds = np.minimum(np.arange(len(arrays["bounds"]), dtype=np.int32), 1)
    with pytest.raises(ValueError, match="indices"):
        block_of("block 1", {**arrays, **entry, "bounds": bounds})


pytest.importorskip("lightgbm")

TEST = SPLITS["coliee/task1/2025/test"]
TRAIN = TEST.train


@pytest.fixture(scope="module")
def few_trees():
    """20 trees of one seed instead of 160 of three: these tests do not depend on their quality."""

    def recipe(*, pool_features=True):
        few = BoostedLearner(num_iterations=20, learning_rate=0.3, min_data_in_leaf=5)
        return replace(case_recipe(pool_features=pool_features), learners=(few,))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "case_recipe", recipe)
        yield recipe


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """A small synthetic release of 2025."""
    home = tmp_path_factory.mktemp("release")
    write_release("coliee/task1/2025", home, scale=0.008, seed=3)
    return home


@pytest.fixture
def home(release, few_trees, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(release))
    return release


def answered(split, **choices):
    return CaseBaseline(split, training_data(split), **choices).run()


# --- what is answered ------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_query_is_answered_and_the_notes_tell_how(home):
    run, of_train = answered(TEST), answered(TRAIN)
    loaded = ir_datasets.load(TEST.id)
    asked = [query.query_id for query in loaded.queries_iter()]
    assert run.answers["qid"].unique().tolist() == asked
    assert not set(run.answers["docno"]) & set(asked)
    assert set(run.ranking["docno"]) <= {doc.doc_id for doc in loaded.docs_iter()}
    assert run.ranking["score"].between(0, 1).all()
    assert run.ranking.groupby("qid")["text_id"].nunique().max() <= NUM_CANDIDATES
    text = "\n".join(run.notes)
    assert "recipe standard, fitted on coliee/task1/2025/train in two rounds" in text
    assert re.search(r"chosen on held-out blocks \(MicroF1 [01]\.\d{4}\)", text)
    assert "each with a pool of what they notice; query cases are not candidates, because 0 of " in text
    assert "--no-pool-features (pool_features=False) runs without them" in text
    assert of_train.notes[0].endswith("by a model of the others, but the cut-off is fitted on all: optimistic")
    pd.testing.assert_frame_equal(of_train.ranking, run.train_ranking)


@pytest.mark.slow
def test_without_pool_features_there_is_one_round_and_the_notes_tell_what_is_still_of_the_pool(home):
    run = answered(TEST, pool_features=False)
    assert "in one round" in run.notes[0]
    assert run.notes[1].startswith(f"{len(feature_names(pool_features=False))} features")
    assert "document frequencies, latent dimensions, duplicates and the threshold" in run.notes[-1]


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["2020", "2021"])
def test_editions_with_pools_and_with_one_corpus_for_both_splits_are_answered(
    few_trees, edition, tmp_path, monkeypatch
):
    write_release(f"coliee/task1/{edition}", tmp_path, scale=0.02, seed=1)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    split = SPLITS[f"coliee/task1/{edition}/test"]
    run = answered(split)
    loaded = ir_datasets.load(split.id)
    assert set(run.answers["qid"]) == {query.query_id for query in loaded.queries_iter()}
    if split.has_pools:
        assert set(zip(run.ranking["qid"], run.ranking["docno"])) <= {
            (pair.query_id, pair.doc_id) for pair in loaded.scoreddocs_iter()
        }
        assert "each query with its candidate pool" in run.notes[2]


# --- no label leaks --------------------------------------------------------------------------------


class Relabelled(TrainingData):
    """Training data in which the gold lists of the first block are given to other queries of the block."""

    def qrels(self):
        gold = super().qrels()
        block = CaseBaseline(TEST, TrainingData(self.split)).train_pools[0].queries
        others = dict(zip(block, [*block[1:], block[0]]))
        return gold.assign(qid=[others.get(qid, qid) for qid in gold["qid"]])


@pytest.mark.slow
def test_permuting_the_labels_of_a_block_changes_nothing_that_it_is_scored_by(home, few_trees):
    recipe = few_trees()
    (one, before), (other, after) = (
        (CaseBaseline(TEST, training).train_blocks(), training.qrels())
        for training in (TrainingData(TRAIN), Relabelled(TRAIN))
    )
    assert not before.equals(after)
    for mine, theirs in zip(one, other):
        assert [*mine.table.docnos] == [*theirs.table.docnos]
        assert mine.table.values.tobytes() == theirs.table.values.tobytes()
    scored, again = held_out(recipe, one, before), held_out(recipe, other, after)
    assert len(scored.first) == 3  # two rounds
    assert (scored.first[0] == again.first[0]).all()
    pd.testing.assert_frame_equal(scored.runs[0], again.runs[0], check_exact=True)
    assert not scored.runs[1].equals(again.runs[1])


# --- what is kept ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_is_kept_has_no_word_of_a_decision(home):
    answered(TEST)
    kept = b"".join(path.read_bytes() for path in (home / ".cache" / "ir_coliee").glob("stage-*/*"))
    text = next(iter(ir_datasets.load(TEST.id).docs_iter())).text
    words = {word for word in text.split() if len(word) > 7 and word.isalpha()}
    assert len(words) > 10
    assert not [word for word in words if word.encode() in kept or word.encode("utf-32-le") in kept]


# --- the parts of the recipe -----------------------------------------------------------------------


def test_rows_are_learned_from_by_label_and_rank():
    table = FeatureTable.of(["1"] * 100 + ["2"] * 100, [*map(str, range(200))], {"a.b": np.zeros(200)})
    labels = np.zeros(200, bool)
    labels[[3, 60, 199]] = True
    weights = row_weights(table, labels)
    rest = [place for place in range(200) if place % 100 >= 25 and not labels[place]]
    assert (np.delete(weights, rest) == 1).all()
    assert set(weights[rest]) == {0, 1 / 0.3}
    assert 0.15 < (weights[rest] > 0).mean() < 0.45
    assert (row_weights(table, labels) == weights).all()
    # the labels of other rows do not decide which of the rest are chosen
    assert (row_weights(table, np.zeros(200, bool))[rest] == weights[rest]).all()


def test_the_recall_of_candidates_is_the_mean_over_blocks():
    gold = pd.DataFrame({"qid": list("1123"), "docno": list("abca"), "label": 1})
    runs = [
        pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "x"]}),
        pd.DataFrame({"qid": ["2", "2"], "docno": ["c", "y"]}),
    ]
    nothing = pd.DataFrame({"qid": ["4"], "docno": ["a"]})
    assert pool_cutoff(runs, gold).recall == pool_cutoff([*runs, nothing], gold).recall == 0.75
    many = pd.DataFrame({"qid": "1", "docno": [*map(str, range(30_000))], "label": 1})
    assert pool_cutoff([many[:1]], many).recall == 0.00003333  # not rounded to 0


# --- the page ------------------------------------------------------------------------------------------

PAGE = pages.ROOT / "docs" / "how-to" / "learn.md"


@pytest.mark.skipif(not PAGE.exists(), reason="no pages here")
def test_each_feature_is_explained_on_the_page():
    section = re.search(r"## What do the names of the features of task 1 mean.*?(?=\n## )", PAGE.read_text(), re.DOTALL)
    kinds, of_pairs, of_second_round = (
        [name for row in table.splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1])]
        for table in re.findall(r"\|---\|---\|\n((?:\|.*\n)+)", section[0])
    )
    assert kinds == [f".{kind}" for kind in KINDS]
    assert sorted(of_pairs) == sorted(PAIR_FEATURES)
    assert sorted(of_second_round) == sorted(GRAPH_FEATURES)
    assert {*recipe_scores()} < {*EVIDENCE}  # whose table the page prints
