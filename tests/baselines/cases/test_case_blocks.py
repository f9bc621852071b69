"""Candidates of a pool and their features: which are found, which documents they stand for, and what is kept."""

import numpy as np
import pandas as pd
import pytest

from ir_coliee.baselines.cases.evidence import COMPACT, LEAN, TOTAL, TOTAL_OF, CasePool, case_scores, whole_pool
from ir_coliee.baselines.cases.retrieval import block_arrays, block_of, case_block
from ir_coliee.engine.cases.candidates import (
    KINDS,
    PAIR_FEATURES,
    CandidateGraph,
    Candidates,
    graph_features,
    pair_features,
    pool_kinds,
    total_score,
)
from ir_coliee.engine.cases.contexts import CONTEXT_SCORES, context_scores, later_texts
from ir_coliee.engine.cases.scores import latent_scores
from ir_coliee.engine.cases.terms import bigram_vectors
from ir_coliee.engine.cases.texts import CaseCollection, TextPool

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


def same(one, other):
    assert one.name == other.name
    assert one.table.names == other.table.names
    assert [*one.table.qids, *one.table.docnos] == [*other.table.qids, *other.table.docnos]
    assert one.table.values.tobytes() == other.table.values.tobytes()
    assert one.duplicates == other.duplicates
    if one.graph:
        for mine, theirs in zip(one.graph[2:], other.graph[2:]):
            assert (mine != theirs).sum() == 0


@pytest.mark.parametrize(("features", "number"), [(LEAN, 66), (COMPACT, 120)])
def test_the_recipes_have_as_many_features_as_measured(features, number):
    assert len(features.names) == len(set(features.names)) == number
    assert set(TOTAL_OF) < {*features.scores}
    assert set(LEAN.names) <= set(COMPACT.names)
    assert {name for name in COMPACT.names if name.startswith("total.")} == {f"{TOTAL}_{kind}" for kind in KINDS}


def test_without_pool_features_no_feature_looks_at_other_queries():
    for features, number in ((LEAN, 32), (COMPACT, 56)):
        alone = features.without_pool_features()
        assert len(alone.names) == number
        assert not any("_query_r" in name or "0drr" in name or "5drr" in name for name in alone.names)
        assert not any(name.startswith("exclusive") for name in alone.names)


def of_q1(collection, features, *others):
    """The features of q1 in a pool with other queries, by candidate."""
    table = case_block(POOL._replace(queries=("q1", *others)), collection, features).table.of_queries(["q1"])
    return pd.DataFrame(table.values, index=table.docnos, columns=[*table.names]).sort_index()


def test_without_pool_features_queries_are_not_compared_but_what_is_counted_is_that_of_the_pool(collection):
    for features in (LEAN, COMPACT):
        alone = features.without_pool_features()
        alone = alone._replace(scores=tuple(each for each in alone.scores if not each.startswith("latent.")))
        once = of_q1(collection, alone, "q0")
        # the query again under another id: nothing is counted anew, only another query is asked
        pd.testing.assert_frame_equal(of_q1(collection, alone, "q0", "q0 again"), once, check_exact=True)
        compared = of_q1(collection, features, "q0"), of_q1(collection, features, "q0", "q0 again")
        assert not compared[0].equals(compared[1])
        assert not of_q1(collection, alone, "q0", "q2").equals(once)  # document frequencies are those of the pool


@pytest.mark.parametrize("features", [LEAN, COMPACT, LEAN.without_pool_features()], ids=["lean", "compact", "alone"])
def test_each_column_is_the_kind_of_its_score_in_the_pool(collection, features):
    block = case_block(POOL, collection, features)
    numbers = np.unique(collection.text_numbers(DOCUMENTS))
    pool = TextPool(collection.sequences, collection.text_numbers(QUERIES), numbers)
    allowed = pool.queries[:, None] != numbers
    scores = case_scores(pool, {*features.scores} - {TOTAL}, excluded=later_texts(pool) | ~allowed)
    scores[TOTAL] = total_score([scores[name] for name in TOTAL_OF], allowed)
    rows = np.array([QUERIES.index(qid) for qid in block.table.qids])
    columns = np.searchsorted(numbers, collection.text_numbers(block.table.docnos))
    candidates = Candidates(rows, columns)
    for name in features.scores:
        kinds = pool_kinds(scores[name], allowed, candidates)
        for place, kind in enumerate(features.kinds):
            assert (block.table.column(f"{name}_{kind}") == kinds[:, place]).all()
    pairs = pair_features(pool, rows, columns)
    for name in features.pair_features:
        np.testing.assert_array_equal(block.table.column(name), pairs[:, PAIR_FEATURES.index(name)])
    assert block.table.names == features.names
    total = scores[TOTAL][rows, columns]
    assert all(a >= b for q, p, a, b in zip(rows, rows[1:], total, total[1:]) if q == p)  # best first
    if features.pool_features:
        graph = CandidateGraph.of(candidates, *bigram_vectors(pool, 0.1))
        p = np.linspace(0, 1, len(rows))
        second = block.query_block().second(p)
        np.testing.assert_array_equal(np.column_stack([*second.values()]), graph_features(graph, p))
        assert {name.partition(".")[0] for name in second} == {"second"}
    else:
        assert block.query_block().second is None


def test_only_scores_of_the_recipe_are_computed(collection, monkeypatch):
    for name in ("latent_scores", "informative_bm25"):
        monkeypatch.setattr(f"ir_coliee.baselines.cases.evidence.{name}", None)
    assert set(case_scores(TextPool(collection.sequences, np.array([0]), np.array([5, 6])), {"contexts.cprr"})) == {
        "contexts.cprr"
    }


MARKER = "<FRAGMENT_SUPPRESSED>"
CITED = {"d0": "brass lamp", "d1": "a brass gate, among many other words"}


def ratios(block, query, score):
    rows = block.table.qids == query
    return dict(zip(block.table.docnos[rows], block.table.column(f"{score}_ratio")[rows].tolist()))


def test_the_own_text_of_a_query_takes_no_rank_among_those_that_its_contexts_find():
    texts = {"q0": f"brass lamp {MARKER}", "q1": f"a well {MARKER}", **CITED}
    collection = CaseCollection.of(texts.items(), workers=1)
    block = case_block(CasePool("block 1", ("q0", "q1"), tuple(texts)), collection, COMPACT)
    assert ratios(block, "q0", "contexts.cprr") == {"d0": 1, "d1": pytest.approx((1 / 4) / (1 / 3)), "q1": 0}


def test_texts_outside_the_given_pool_of_a_query_take_no_rank():
    queries = {"001": f"brass lamp {MARKER}", "002": f"a well {MARKER}"}
    documents = {"001_0": CITED["d0"], "001_1": CITED["d1"], "002_0": "brass brass lamp lamp", "002_1": "lamp brass"}
    collection = CaseCollection.of(documents.items(), queries.items(), workers=1)
    pairs = [(document[:3], document) for document in documents]
    pool = whole_pool([*queries], [*documents], pairs, queries_are_candidates=False)
    for score in ("contexts.cprr", "contexts.cdrr"):
        found = ratios(case_block(pool, collection, LEAN), "001", score)
        assert found == {"001_0": 1, "001_1": pytest.approx((1 / 4) / (1 / 3))}


def test_contexts_of_a_query_do_not_compete_for_its_own_text():
    citing = " ".join(f"brass lamp {MARKER} {'of ' * 9}" for _ in range(25))
    texts = {"q0": citing, "q1": f"some brass {MARKER}", "d0": "a gate"}
    collection = CaseCollection.of(texts.items(), workers=1)
    block = case_block(CasePool("block 1", ("q0", "q1"), tuple(texts)), collection, COMPACT)
    assert ratios(block, "q1", "contexts.c25drr") == {"q0": 1, "d0": 0}


def test_what_is_excluded_is_so_from_all_scores_of_contexts(collection):
    texts = np.unique(collection.text_numbers(DOCUMENTS))
    pool = TextPool(collection.sequences, collection.text_numbers(QUERIES), texts)
    excluded = later_texts(pool) | (pool.queries[:, None] == texts)
    names = {*(f"contexts.{name}" for name in CONTEXT_SCORES), "latent.ls_rr"}
    expected = {f"contexts.{name}": each for name, each in context_scores(pool, excluded=excluded).items()}
    expected["latent.ls_rr"] = latent_scores(pool, excluded=excluded).rr
    found, of_default = case_scores(pool, names, excluded=excluded), case_scores(pool, names)
    for name in names:
        np.testing.assert_array_equal(found[name], expected[name])
        assert (found[name] != of_default[name]).any()


def test_duplicates_are_one_candidate_and_the_own_text_is_none(collection):
    block = case_block(POOL, collection, LEAN)
    of_query = block.table.qids == "q0"
    assert sorted(block.table.docnos[of_query]) == sorted({*DOCUMENTS} - {"d2", "d3"})
    assert "d3" in block.table.docnos[block.table.qids == "q1"]
    assert block.duplicates == {(query, "d1"): ["d1", "d2"] for query in QUERIES}
    run = block.query_block().run(np.ones(len(block.table)))
    assert run.set_index(["qid", "docno"])["score"][("q1", "d2")] == 0.5


def test_queries_can_be_candidates_of_other_queries(collection):
    block = case_block(POOL._replace(documents=(*QUERIES, *DOCUMENTS)), collection, LEAN)
    pairs = set(zip(block.table.qids, block.table.docnos))
    assert ("q0", "q1") in pairs
    assert not {(query, query) for query in QUERIES} & pairs
    assert block.duplicates == {
        **{(query, "d1"): ["d1", "d2"] for query in QUERIES},
        **{(query, "q0"): ["q0", "d3"] for query in QUERIES[1:]},
    }


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
    pool = whole_pool(["001", "002", "003"], [*documents], pairs, queries_are_candidates=False)
    block = case_block(pool, collection, LEAN)
    found = {query: sorted(block.table.docnos[block.table.qids == query]) for query in texts}
    assert found == {"001": ["001_0", "001_1"], "002": ["002_0", "002_1", "002_3"], "003": []}
    run = block.query_block().run(np.ones(len(block.table)))
    assert set(zip(run["docno"], run["score"])) == {
        *(("001_0", 1.0), ("001_1", 1.0)),
        *(("002_0", 0.5), ("002_2", 0.5), ("002_1", 1.0), ("002_3", 1.0)),
    }


def test_a_query_is_answered_with_documents_of_its_own_given_pool_alone(collection):
    given = {"q1": {"d1", "d2", "d5"}, "q2": {"d1", "d6"}}
    pool = CasePool("test", ("q1", "q2"), ("d1", "d2", "d5", "d6"), given)
    block = case_block(pool, collection, LEAN).query_block()
    run = block.run(np.ones(len(block.table)))
    assert {qid: {*rows["docno"]} for qid, rows in run.groupby("qid")} == given
    assert block.labels(pd.DataFrame({"qid": ["q2"], "docno": ["d2"], "label": [1]})).sum() == 0


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
@pytest.mark.parametrize("features", [LEAN, COMPACT], ids=["lean", "compact"])
def test_the_smallest_pools_have_finite_features(collection, pool, features):
    block = case_block(pool, collection, features).query_block()
    table = block.second_table(np.full(len(block.table), 0.5))
    assert table.values.shape[1] == len(features.names) + 22
    assert not np.isinf(table.values).any()
    assert len(block.run(np.full(len(block.table), 0.5))) == len(block.table) + sum(
        len(each) - 1 for each in block.duplicates.values()
    )


def test_the_number_of_threads_and_repetition_change_nothing(collection):
    first = case_block(POOL, collection, COMPACT)
    same(first, case_block(POOL, collection, COMPACT, threads=2))
    same(first, case_block(POOL, collection, COMPACT))


@pytest.mark.parametrize("features", [LEAN, LEAN.without_pool_features()], ids=["lean", "alone"])
def test_a_block_is_read_as_it_was_kept(collection, features):
    block = case_block(POOL, collection, features)
    read = block_of("block 1", block_arrays(block))
    same(block, read)
    if features.pool_features:
        p = np.linspace(0, 1, len(block.table))
        one, other = (each.query_block().second_table(p).values for each in (block, read))
        assert one.tobytes() == other.tobytes()


def test_similar_texts_that_are_out_of_range_are_refused(collection):
    arrays = block_arrays(case_block(POOL, collection, LEAN))
    entry = {"columns": np.array([99], np.int32), "nearest": np.ones(1, np.float32)}
    bounds = np.minimum(np.arange(len(arrays["bounds"]), dtype=np.int32), 1)
    with pytest.raises(ValueError, match="indices"):
        block_of("block 1", {**arrays, **entry, "bounds": bounds})


def test_a_run_has_the_columns_that_cut_offs_take(collection):
    block = case_block(POOL, collection, LEAN).query_block()
    gold = pd.DataFrame({"qid": ["q1", "q2"], "docno": ["d2", "d9"], "label": 1})
    relevant = block.labels(gold)
    assert {*zip(block.table.qids[relevant], block.table.docnos[relevant])} == {("q1", "d1"), ("q2", "d9")}
