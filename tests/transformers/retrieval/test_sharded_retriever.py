"""Shards and pipelines on a real cluster of processes, and without one: the same results, to the last bit."""

import collections
import os
import pickle
import shutil
import signal
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.engine import weightings
from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.frames import sort_results
from ir_coliee.text.analysers import English, Shingles
from ir_coliee.transformers import LexicalIndex, Retriever
from ir_coliee.transformers.retrieval.dask import Cluster, OnCluster, ShardedIndex, ShardedRetriever

pytestmark = pytest.mark.slow

WORDS = ["lamp", "gate", "well", "road", "mill", "barn", "ford", "weir", "dike", "quay", "lock", "pier", "tarn", "moor"]


RNG = np.random.default_rng(7)

#: Short documents, of which many are alike, so that there are ties.
TEXTS = {f"9{place * 37 % 71:05}": " ".join(RNG.choice(WORDS, 2 + place % 7)) for place in range(71)}
DOCUMENTS = [{"docno": docno, "text": text} for docno, text in TEXTS.items()]
TOPICS = pd.DataFrame({"qid": [f"q{number}" for number in range(9)], "query": list(TEXTS.values())[:9]})
QUERIES = {
    "text": TOPICS,
    "tokens": pd.DataFrame({"qid": ["q1", "q2"], "query_toks": [{"lamp": 2.0, "weir": 0.3}, {"moor": 1.0, "no": 1.0}]}),
    "document": pd.DataFrame({"qid": ["q1", "q2", "q3"], "query_docno": ["900070", "900000", "900035"]}),
}
WEIGHTINGS = [
    weightings.BM25(3.0, 1.0),
    weightings.BM25(k3=8.0, idf="robertson"),
    weightings.Dirichlet(20.0),
    weightings.JelinekMercer(),
    weightings.TfIdf(),
    weightings.TfIdf("binary"),
    weightings.SharedIdf(),
]
every_weighting = pytest.mark.parametrize("weighting", WEIGHTINGS, ids=repr)


def equal(found, expected):
    pd.testing.assert_frame_equal(found, expected, check_exact=True)


@pytest.fixture(scope="module")
def one():
    return LexicalIndex.build(DOCUMENTS)


@pytest.fixture(scope="module")
def sharded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shards")
    return {
        number: ShardedIndex.build(DOCUMENTS, folder / str(number), documents_per_shard=size)
        for number, size in {1: 71, 3: 30, 7: 11}.items()
    }


@pytest.fixture(scope="module")
def cluster():
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as started:
        yield Cluster(started.scheduler_address)


# --- shards ------------------------------------------------------------------------------------------------


@every_weighting
@pytest.mark.parametrize("kind", QUERIES)
def test_the_ranking_is_that_of_one_index_to_the_last_bit(one, sharded, weighting, kind):
    expected = Retriever(one, weighting, num_results=10)(QUERIES[kind])
    assert len(expected) >= 20
    for index in sharded.values():
        equal(ShardedRetriever(index, weighting, num_results=10)(QUERIES[kind]), expected)


@pytest.mark.parametrize(
    "analyser",
    [
        English(stem=False),
        Shingles(2),
        Shingles(2, min_df=1, max_df=3),
        Shingles(2, hashed=False, min_df=3, max_df=5),
        Shingles(2, binary=True, min_df=2, max_df=4),
        Shingles(8, min_df=70),
    ],
)
def test_every_analyser_gives_what_one_index_gives_with_bounds_of_the_whole_collection(tmp_path, analyser):
    whole = LexicalIndex.build(DOCUMENTS, analyser=analyser)
    index = ShardedIndex.build(DOCUMENTS, tmp_path / "shards", analyser=analyser, documents_per_shard=20)
    assert list(index.terms.vocabulary) == list(whole.vocabulary)
    assert (index.terms.analyser, index.shards) == (analyser, 4)
    rows = index.rows(np.arange(len(whole)))
    assert ((rows != whole.counts).nnz, rows.dtype) == (0, whole.counts.dtype)
    if whole.counts.nnz > 100:
        equal(index.bm25()(QUERIES["document"]), whole.bm25()(QUERIES["document"]))


@every_weighting
@pytest.mark.parametrize("statistics", ["collection", "pool"])
@pytest.mark.parametrize("by", ["query", "query_docno"])
def test_pools_are_scored_as_by_one_index(one, sharded, weighting, statistics, by):
    pools = TOPICS.assign(query_docno=list(TEXTS)[:9])[["qid", by]].merge(
        pd.DataFrame({"docno": list(TEXTS)[::5]}), how="cross"
    )
    expected = Retriever(one, weighting, statistics=statistics, num_results=8)(pools)
    equal(ShardedRetriever(sharded[7], weighting, statistics=statistics, num_results=8)(pools), expected)


def test_no_document_is_an_index_without_results(tmp_path):
    index = ShardedIndex.build([], tmp_path / "shards")
    with pytest.warns(match="no term"):
        assert ShardedRetriever(index)(TOPICS).empty
    assert len(index.terms) == 0


def test_an_index_is_its_folder_when_it_is_compared_and_pickled(sharded):
    index = sharded[3]
    assert pickle.loads(pickle.dumps(index)) == index == ShardedIndex(str(index.path)) != sharded[1]
    assert len(pickle.dumps(ShardedRetriever(index))) < 1000
    assert len({index, ShardedIndex(index.path)}) == 1


TWICE = [*DOCUMENTS[:30], DOCUMENTS[3], DOCUMENTS[11]]


@pytest.mark.parametrize(
    ("corpus", "options", "error", "message"),
    [
        (TWICE, {}, ColieeError, f"more than once: {DOCUMENTS[3]['docno']}, {DOCUMENTS[11]['docno']}"),
        ([*DOCUMENTS[:5], {"docno": "9a"}], {}, ColieeError, "Document 9a must have a string as text"),
        ([*DOCUMENTS[:15], {"text": "a"}], {}, ColieeError, "Document 15, counted from 0"),
        (DOCUMENTS, {"documents_per_shard": 0}, ValueError, "documents_per_shard must be an integer >= 1"),
        (DOCUMENTS, {"analyser": "stems"}, ValueError, "analyser must be one of"),
    ],
)
def test_a_corpus_that_cannot_be_indexed_is_named_and_leaves_nothing(tmp_path, corpus, options, error, message):
    with pytest.raises(error, match=message):
        ShardedIndex.build(corpus, tmp_path / "shards", **{"documents_per_shard": 10, **options})
    assert list(tmp_path.iterdir()) == []


def cut_short(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def replaced(make):
    return lambda path: np.save(path, make(np.load(path)))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        *((name, cut_short) for name in ("df.npy", "shard_of_document.npy", "pt_meta.json", "collection/docnos.json")),
        ("1/terms.npy", cut_short),
        ("1/ends.npy", replaced(lambda ends: ends[:-1])),
        ("1/terms.npy", replaced(lambda terms: terms + 10_000)),
        ("shard_of_document.npy", replaced(lambda shards: shards + 1)),
        ("shard_of_document.npy", replaced(lambda shards: shards[:-1])),
        ("df.npy", replaced(lambda df: df * np.nan)),
        ("df.npy", replaced(lambda df: df + 71)),
        ("cf.npy", replaced(lambda cf: cf[:-1])),
        ("pt_meta.json", lambda path: path.write_text('{"type": "lexical_index"}')),
    ],
)
def test_a_damaged_folder_is_refused_by_name(tmp_path, sharded, name, change):
    shutil.copytree(sharded[3].path, tmp_path / "copy")
    change(tmp_path / "copy" / name)
    with pytest.raises(ColieeError, match=str(tmp_path / "copy")):
        ShardedRetriever(ShardedIndex(tmp_path / "copy"))(TOPICS)


def test_an_index_is_not_taken_for_shards_nor_shards_for_an_index(tmp_path, one, sharded):
    with pytest.raises(TypeError, match="index must be a ShardedIndex, got a value of type LexicalIndex"):
        ShardedRetriever(one)
    with pytest.raises(TypeError, match="index must be a LexicalIndex, got a value of type ShardedIndex"):
        Retriever(sharded[1])
    with pytest.raises(ColieeError, match=r"not a sharded index: pt_meta.json cannot be read"):
        ShardedIndex(tmp_path)


# --- pipelines ---------------------------------------------------------------------------------------------


class Reranker(pt.Transformer):
    """Scores by the length of the query, and notes each batch; it can kill its worker once."""

    def __init__(self, folder, *, deadly=None):
        self.folder, self.deadly = Path(folder), deadly

    def transform(self, inp):
        pt.validate.result_frame(inp, extra_columns=["query"], context=self)
        if self.deadly in inp["qid"].values and not (self.folder / "killed").exists():
            (self.folder / "killed").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.05)
        (self.folder / f"{','.join(dict.fromkeys(inp['qid']))} {os.getpid()}").touch()
        return sort_results(inp.drop(columns="rank", errors="ignore").assign(score=inp["query"].str.len() % 5 * 1.0))

    def __setstate__(self, state):
        self.__dict__.update(state)
        (self.folder / f"unpickled {os.getpid()} {time.monotonic_ns()}").touch()


def notes(folder, *, unpickled):
    names = (path.name.split() for path in folder.iterdir())
    return [name[1] if unpickled else tuple(name) for name in names if (name[0] == "unpickled") == unpickled]


def candidates(queries):
    """Results whose queries are not in the order of their ids, with all types of columns."""
    rows = [
        {"qid": f"q{number * 7 % queries}", "query": "lamp " * (number % 4), "docno": f"d{place}", "rank": place}
        for number in range(queries)
        for place in range(3)
    ]
    run = pd.DataFrame(rows)
    return run.assign(score=0.5, label=run["rank"].astype("int8"), seen=True, kind=pd.Categorical(run["docno"]))


@pytest.mark.parametrize("batch_size", [1, 2, 100, 10**30])
def test_a_pipeline_in_batches_gives_what_it_gives_at_once(tmp_path, batch_size):
    inp = candidates(5).sort_values("docno", kind="stable")
    before, pipeline = inp.copy(), Reranker(tmp_path)
    equal(OnCluster(pipeline, None, batch_size=batch_size)(inp), pipeline(inp))
    equal(inp, before)


def test_the_columns_keep_their_types_also_where_a_batch_gives_nothing():
    inp = candidates(4)
    none = pd.DataFrame(columns=inp.columns)  # of objects
    keep = pt.apply.generic(
        lambda rows: rows[rows["qid"] == "q1"] if "q1" in set(rows["qid"]) else none, required_columns=["qid"]
    )
    equal(OnCluster(keep, None, batch_size=1)(inp), inp[inp["qid"] == "q1"].reset_index(drop=True))
    nothing = OnCluster(pt.apply.generic(lambda rows: rows.iloc[:0], required_columns=["qid"]), None)(inp)
    assert (len(nothing), nothing.dtypes.tolist()) == (0, inp.dtypes.tolist())


# --- on a cluster ------------------------------------------------------------------------------------------


def test_shards_are_built_and_searched_on_a_cluster_with_the_same_ranking(tmp_path, cluster, one):
    index = ShardedIndex.build(iter(DOCUMENTS), tmp_path / "shards", documents_per_shard=15, cluster=cluster)
    assert (index.shards, index.cluster, index) == (5, cluster, ShardedIndex(index.path, cluster))
    for queries in QUERIES.values():
        equal(ShardedRetriever(index, num_results=10)(queries), Retriever(one, num_results=10)(queries))


def test_a_pipeline_on_a_cluster_gives_what_it_gives_here_and_is_sent_to_each_worker_once(tmp_path, cluster):
    inp = candidates(12)
    results = OnCluster(Reranker(tmp_path), cluster, batch_size=1)(inp)
    workers = {worker for _, worker in notes(tmp_path, unpickled=False)}
    assert (len(workers), str(os.getpid()) in workers) == (2, False)
    unpickled = collections.Counter(notes(tmp_path, unpickled=True))
    assert [unpickled[worker] for worker in workers] == [1, 1]
    equal(results, Reranker(tmp_path)(inp))


def test_the_batches_of_a_worker_that_is_killed_are_repeated(tmp_path, cluster):
    inp = candidates(16)
    results = OnCluster(Reranker(tmp_path, deadly="q10"), cluster, batch_size=1)(inp)
    assert (tmp_path / "killed").exists()
    equal(results, Reranker(tmp_path)(inp))


def test_an_error_of_the_corpus_is_raised_and_there_is_no_index(tmp_path, cluster):
    def corpus():
        yield from DOCUMENTS[:30]
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        ShardedIndex.build(corpus(), tmp_path / "shards", documents_per_shard=1, cluster=cluster)
    assert not (tmp_path / "shards").exists()


@pytest.mark.parametrize(
    "address",
    ["tcp://127.0.0.1:8786", "127.0.0.1:8786", "tls://localhost:1", "tcp://[::1]:8786", "inproc://10.0.0.1/7/1"],
)
def test_this_machine_needs_no_permission(address):
    assert Cluster(address).address == address


@pytest.mark.parametrize(
    "address",
    ["tcp://10.0.0.1:8786", "scheduler.example:8786", "tcp://127.0.0.1.example:1", "tcp://127.0.0.1:99999", ""],
)
def test_another_machine_needs_permission_and_the_data_use_agreement_is_named(address):
    with pytest.raises(ColieeError, match=r"(?s)data-use agreement.*allow_remote=True"):
        Cluster(address)
    assert Cluster(address, allow_remote=True).allow_remote


def test_a_localhost_that_leads_elsewhere_is_not_looked_up(cluster, monkeypatch):
    import socket

    looked_up = []
    resolve = socket.getaddrinfo

    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *given, **told: looked_up.append(given[0]) or resolve(*given, **told)
    )
    named = Cluster(cluster.address.replace("127.0.0.1", "localhost"))
    assert len(OnCluster(pt.apply.query(lambda row: row["query"]), named)(TOPICS)) == len(TOPICS)
    assert "127.0.0.1" in looked_up
    assert not {"localhost", b"localhost"} & set(looked_up)


def test_workers_on_another_machine_need_permission_too(cluster, monkeypatch):
    import distributed

    monkeypatch.setattr(distributed.Client, "nthreads", lambda self: {"tcp://10.0.0.1:1": 1})
    with pytest.raises(ColieeError, match=r"(?s)tcp://10.0.0.1:1 is not.*data-use agreement"):
        OnCluster(pt.apply.query(lambda row: row["query"]), cluster)(TOPICS)


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"ir_coliee\[cluster\]"):
        OnCluster(pt.Transformer.identity(), Cluster("tcp://[::1]:1"))(TOPICS)
