"""Shards and pipelines on a real cluster of processes, and without one: the same results, to the last bit."""

import collections
import hashlib
import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.engine import cluster as clusters
from ir_coliee.engine import folders, shards, weightings
from ir_coliee.errors import ColieeError, ExistingFileError, MalformedFileError, MissingExtraError
from ir_coliee.frames import save_array, sort_results
from ir_coliee.text.analysers import English, Pretokenised, Shingles
from ir_coliee.transformers import (
    Cluster,
    LexicalIndex,
    OnCluster,
    Retriever,
    ShardedIndex,
    ShardedRetriever,
    local_cluster,
)

pytestmark = pytest.mark.slow

WORDS = [
    "lamp",
    "gate",
    "well",
    "road",
    "mill",
    "barn",
    "ford",
    "weir",
    "dike",
    "quay",
    "lock",
    "pier",
    "tarn",
    "moor",
    "glen",
]


def synthetic_documents(documents):
    """Short documents, of which many are alike, so that there are ties."""
    rng = np.random.default_rng(7)
    return [
        {"docno": f"9{place * 37 % documents:05}", "text": " ".join(rng.choice(WORDS, 2 + place % 7))}
        for place in range(documents)
    ]


DOCUMENTS = synthetic_documents(71)
TEXTS = {document["docno"]: document["text"] for document in DOCUMENTS}
TOPICS = pd.DataFrame({"qid": [f"q{number}" for number in range(9)], "query": list(TEXTS.values())[:9]})
QUERIES = {
    "text": TOPICS,
    "tokens": pd.DataFrame({"qid": ["q1", "q2"], "query_toks": [{"lamp": 2.0, "weir": 0.3}, {"moor": 1.0, "no": 1.0}]}),
    "document": pd.DataFrame({"qid": ["q1", "q2", "q3"], "query_docno": ["900070", "900000", "900035"]}),
}

WEIGHTINGS = {
    "bm25": (weightings.BM25(3.0, 1.0), lambda index, **of: index.bm25(k1=3.0, b=1.0, **of)),
    "robertson": (
        weightings.BM25(k3=8.0, idf="robertson"),
        lambda index, **of: index.bm25(k3=8.0, idf="robertson", **of),
    ),
    "dirichlet": (weightings.Dirichlet(20.0), lambda index, **of: index.dirichlet(mu=20.0, **of)),
    "jelinek_mercer": (weightings.JelinekMercer(), lambda index, **of: index.jelinek_mercer(**of)),
    "tfidf": (weightings.TfIdf(), lambda index, **of: index.tf_idf(**of)),
    "binary": (weightings.TfIdf("binary"), lambda index, **of: index.tf_idf(tf="binary", **of)),
    "shared_idf": (weightings.SharedIdf(), lambda index, **of: index.shared_idf(**of)),
}
every_weighting = pytest.mark.parametrize("name", WEIGHTINGS)


def shown(results):
    """A hash of the documents, their order, and every bit of their scores."""
    lines = (results["qid"] + " " + results["docno"] + " " + results["rank"].astype(str)).str.cat(sep="\n")
    return hashlib.sha256(lines.encode() + results["score"].to_numpy(np.float64).tobytes()).hexdigest()


@pytest.fixture(scope="module")
def one():
    return LexicalIndex.build(DOCUMENTS)


@pytest.fixture(scope="module")
def sharded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shards")
    sizes = {1: 71, 2: 36, 3: 30, 7: 11}
    return {
        number: ShardedIndex.build(DOCUMENTS, folder / str(number), documents_per_shard=size)
        for number, size in sizes.items()
    }


@pytest.fixture(scope="module", autouse=True)
def patience():
    """Other programs may use the machine: Dask waits longer than by default, here and in workers."""
    import dask
    import distributed  # noqa: F401  its own settings, which would be lost with those that are set before

    with dask.config.set({f"distributed.comm.timeouts.{phase}": "120s" for phase in ("connect", "tcp")}):
        yield


@pytest.fixture(scope="module")
def cluster(patience):
    with local_cluster(2) as started:
        yield started


# --- shards ------------------------------------------------------------------------------------------------


def test_a_collection_is_cut_into_shards_of_so_many_documents(sharded, one):
    assert {index.shards: len(index) for index in sharded.values()} == {1: 71, 2: 71, 3: 71, 7: 71}
    assert list(sharded) == [index.shards for index in sharded.values()]
    for index in sharded.values():
        assert index.docnos.tolist() == one.docnos.tolist()
        assert dict(index.terms.vocabulary) == dict(one.vocabulary)


@every_weighting
@pytest.mark.parametrize("kind", QUERIES)
def test_the_ranking_is_that_of_one_index_to_the_last_bit(one, sharded, name, kind):
    weighting, of_one = WEIGHTINGS[name]
    expected = of_one(one, num_results=10)(QUERIES[kind])
    assert len(expected) >= 20
    found = [
        ShardedRetriever(index, weighting, num_results=10, batch_size=batch_size)(QUERIES[kind])
        for index in sharded.values()
        for batch_size in (2, 100)
    ]
    assert {shown(results) for results in found} == {shown(expected)}
    pd.testing.assert_frame_equal(found[0], expected)


@pytest.mark.parametrize("backend", ["scipy", "numba"])
@pytest.mark.parametrize("threads", [1, 3])
def test_backend_and_threads_change_no_bit(one, sharded, backend, threads):
    pytest.importorskip(backend)
    expected = Retriever(one, num_results=10)(TOPICS)
    found = ShardedRetriever(sharded[3], num_results=10, backend=backend, threads=threads)(TOPICS)
    assert shown(found) == shown(expected)


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
    assert (index.analyser, index.shards) == (analyser, 4)
    rows = index.rows(np.arange(len(whole)))
    assert ((rows != whole.counts).nnz, rows.dtype) == (0, whole.counts.dtype)
    if whole.counts.nnz > 100:
        queries = pd.DataFrame({"qid": ["q1", "q2"], "query_docno": ["900070", "900000"]})
        expected = Retriever(whole, num_results=9)(queries)
        assert shown(ShardedRetriever(index, num_results=9)(queries)) == shown(expected)


def test_given_tokens_are_sharded_too(tmp_path):
    corpus = [{"docno": f"d{number}", "toks": {"a b": number, "\n": 1}} for number in range(1, 4)]
    index = ShardedIndex.build(corpus, tmp_path / "shards", analyser=Pretokenised(), documents_per_shard=2)
    topics = pd.DataFrame({"qid": ["q"], "query_toks": [{"a b": 1.0}]})
    whole = LexicalIndex.build(corpus, analyser=Pretokenised())
    assert shown(ShardedRetriever(index)(topics)) == shown(Retriever(whole)(topics))


@every_weighting
@pytest.mark.parametrize("statistics", ["collection", "pool"])
@pytest.mark.parametrize("by", ["query", "query_docno"])
def test_pools_are_scored_as_by_one_index(one, sharded, name, statistics, by):
    weighting, of_one = WEIGHTINGS[name]
    pools = TOPICS.assign(query_docno=list(TEXTS)[:9])[["qid", by]].merge(
        pd.DataFrame({"docno": list(TEXTS)[::5]}), how="cross"
    )
    expected = of_one(one, statistics=statistics, num_results=8)(pools)
    found = ShardedRetriever(sharded[7], weighting, statistics=statistics, num_results=8)(pools)
    pd.testing.assert_frame_equal(found, expected, check_exact=True)


def test_more_pools_than_are_in_memory_at_once(one, sharded, monkeypatch):
    monkeypatch.setattr("ir_coliee.transformers.retrieval.dask._POOLS_AT_A_TIME", 2)
    pools = TOPICS.merge(pd.DataFrame({"docno": list(TEXTS)[::9]}), how="cross")
    pd.testing.assert_frame_equal(ShardedRetriever(sharded[3])(pools), Retriever(one)(pools), check_exact=True)


def test_a_query_without_a_known_term_gets_no_result_and_a_warning(sharded):
    with pytest.warns(match="1 of 2 queries have no term"):
        results = ShardedRetriever(sharded[2])(pd.DataFrame({"qid": ["1", "2"], "query": ["zebra", "lamp"]}))
    assert set(results["qid"]) == {"2"}


def test_ids_of_queries_that_are_numbers_are_an_error(one, sharded):
    for retriever in (ShardedRetriever(sharded[2]), Retriever(one)):
        with pytest.raises(ColieeError, match="The qid 0 is not a string"):
            retriever(TOPICS.assign(qid=range(9)))


def test_documents_that_come_twice_are_named_over_all_shards(tmp_path):
    twice = [*DOCUMENTS[:30], DOCUMENTS[3], DOCUMENTS[11]]
    with pytest.raises(ColieeError, match="more than once") as caught:
        ShardedIndex.build(twice, tmp_path / "shards", documents_per_shard=10)
    assert all(document["docno"] in str(caught.value) for document in (DOCUMENTS[3], DOCUMENTS[11]))
    assert list(tmp_path.iterdir()) == []


def test_a_document_without_a_text_is_named_by_its_place_in_all(tmp_path):
    with pytest.raises(ColieeError, match="Document 9a must have a string as text"):
        ShardedIndex.build([*DOCUMENTS[:5], {"docno": "9a"}], tmp_path / "shards", documents_per_shard=2)
    with pytest.raises(ColieeError, match="Document 5, counted from 0"):
        ShardedIndex.build([*DOCUMENTS[:5], {"text": "a"}], tmp_path / "shards", documents_per_shard=2)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_is_taken_is_refused(tmp_path):
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(ExistingFileError):
        ShardedIndex.build(DOCUMENTS, tmp_path / "mine")
    assert (tmp_path / "mine").read_text() == "mine"


@pytest.mark.parametrize("name", ["terms.npy", "df.npy", "docnos.json", "documents.npy", "shards.json"])
def test_shards_that_cannot_be_written_leave_nothing_behind(tmp_path, monkeypatch, name):
    def unless_full(write):
        def written(path, *given, **options):
            if path.name == name:
                raise OSError(28, "No space left on device")
            return write(path, *given, **options)

        return written

    for module in (folders, shards):
        monkeypatch.setattr(module, "save_array", unless_full(save_array))
    monkeypatch.setattr(Path, "write_text", unless_full(Path.write_text))
    with pytest.raises(ColieeError, match=r"shards.* cannot be written \(No space left on device\)"):
        ShardedIndex.build(DOCUMENTS, tmp_path / "shards")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="what is open cannot be seen here")
@pytest.mark.parametrize("hashed", [True, False])
def test_no_file_is_deleted_while_it_is_open(tmp_path, monkeypatch, hashed):
    deleted = []

    def noting(path, **_options):
        deleted.append(Path(path).name)
        assert str(path) not in Path("/proc/self/maps").read_text()

    delete = shutil.rmtree
    monkeypatch.setattr(shards.shutil, "rmtree", lambda path, **options: noting(path) or delete(path, **options))
    analyser = Shingles(2, hashed=hashed, min_df=2)
    ShardedIndex.build(DOCUMENTS, tmp_path / "shards", analyser=analyser, documents_per_shard=20)
    assert deleted.count("index") == 4


def test_no_document_is_an_index_without_results(tmp_path):
    index = ShardedIndex.build([], tmp_path / "shards")
    with pytest.warns(match="no term"):
        assert ShardedRetriever(index)(TOPICS).empty
    assert (len(index), index.shards) == (0, 1)


@pytest.mark.parametrize("size", [0, -1, 2.5])
def test_a_shard_has_a_document_at_least(tmp_path, size):
    with pytest.raises(ValueError, match="documents_per_shard"):
        ShardedIndex.build(DOCUMENTS, tmp_path / "shards", documents_per_shard=size)


def damaged(path, sharded, change):
    shutil.copytree(sharded[2].path, path)
    change(path)
    return path


def cut_short(name):
    def change(path):
        data = (path / name).read_bytes()
        (path / name).write_bytes(data[: len(data) // 2])

    return change


@pytest.mark.parametrize(
    "name",
    ["df.npy", "cf.npy", "00001/documents.npy", "collection/docnos.json", "collection/pt_meta.json", "shards.json"],
)
def test_a_file_that_was_cut_short_is_refused_when_it_is_opened(tmp_path, sharded, name):
    with pytest.raises(MalformedFileError, match=name.rpartition("/")[2]):
        ShardedIndex(damaged(tmp_path / "copy", sharded, cut_short(name)))


def test_terms_whose_differences_overflow_are_refused_when_they_are_searched(tmp_path, sharded):
    """The differences of these numbers are all positive in 64 bits, and scipy read foreign memory."""

    def overflowing(terms):
        terms[-2:] = 2**62 + 2**61, -(2**62)
        return terms

    index = ShardedIndex(damaged(tmp_path / "copy", sharded, array_replaced("00001/terms.npy", overflowing)))
    with pytest.raises(MalformedFileError, match=r"terms\.npy: terms that are unknown or not in order"):
        ShardedRetriever(index)(TOPICS)


@pytest.mark.parametrize("name", ["00001/terms.npy", "00001/index/counts.npy"])
def test_a_file_of_a_shard_that_was_cut_short_is_refused_when_it_is_searched(tmp_path, sharded, name):
    index = ShardedIndex(damaged(tmp_path / "copy", sharded, cut_short(name)))
    with pytest.raises(MalformedFileError, match=name.rpartition("/")[2]) as caught:
        ShardedRetriever(index)(TOPICS)
    assert "the queries q0, q1" in str(caught.value.__cause__)
    assert "in shard 1" in str(caught.value.__cause__)


def array_replaced(name, make):
    return lambda path: np.save(path / name, make(np.load(path / name)))


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("00001/documents.npy", lambda documents: documents[::-1]),
        ("df.npy", np.zeros_like),
        ("df.npy", lambda df: df * np.nan),
        ("df.npy", lambda df: df + 71),
        ("cf.npy", lambda cf: -cf),
        ("cf.npy", lambda cf: cf * np.inf),
        ("cf.npy", lambda cf: cf * 0 + 1e308),
    ],
)
def test_numbers_that_no_collection_has_are_refused_when_it_is_opened(tmp_path, sharded, name, make):
    with pytest.raises(MalformedFileError):
        ShardedIndex(damaged(tmp_path / "copy", sharded, array_replaced(name, make)))


@pytest.mark.parametrize("make", [lambda terms: terms + 10_000, lambda terms: terms - 1, lambda terms: terms[::-1]])
def test_terms_that_the_collection_does_not_have_are_refused(tmp_path, sharded, make):
    index = ShardedIndex(damaged(tmp_path / "copy", sharded, array_replaced("00001/terms.npy", make)))
    with pytest.raises(MalformedFileError, match=r"00001.terms.npy: terms that are unknown or not in order"):
        ShardedRetriever(index)(TOPICS)
    with pytest.raises(MalformedFileError, match=r"00001.terms.npy: terms that are unknown or not in order"):
        index.rows(np.arange(len(index)))


@pytest.mark.parametrize("name", ["df.npy", "00001/documents.npy"])
def test_what_numpy_would_unzip_is_no_array_of_a_shard(tmp_path, sharded, name):
    def change(path):
        (path / name).write_bytes(b"PK\x03\x04junk")

    with pytest.raises(MalformedFileError, match="not an array"):
        ShardedIndex(damaged(tmp_path / "copy", sharded, change))


def test_shards_that_were_deleted_after_they_were_opened_are_named(tmp_path, sharded):
    path = damaged(tmp_path / "copy", sharded, lambda path: None)
    index = ShardedIndex(path)
    shutil.rmtree(path)
    with pytest.raises(ColieeError, match=r"copy no longer exists: shards.json cannot be read"):
        ShardedRetriever(index)(TOPICS)


def test_an_index_is_not_taken_for_shards_nor_shards_for_an_index(one, sharded):
    with pytest.raises(TypeError, match="ShardedRetriever needs a ShardedIndex, got a value of type LexicalIndex"):
        ShardedRetriever(one)
    with pytest.raises(TypeError, match="Retriever needs a LexicalIndex, got a value of type ShardedIndex"):
        Retriever(sharded[1])


def test_a_batch_may_be_larger_than_any_number(one):
    pd.testing.assert_frame_equal(OnCluster(Retriever(one), None, batch_size=10**30)(TOPICS), Retriever(one)(TOPICS))


def test_the_shards_of_two_collections_do_not_go_together(tmp_path, sharded):
    def change(path):
        shutil.copy(path / "00000" / "documents.npy", path / "00001" / "documents.npy")

    with pytest.raises(MalformedFileError, match="each document once"):
        ShardedIndex(damaged(tmp_path / "copy", sharded, change))


def test_another_folder_and_another_format_are_refused(tmp_path, sharded):
    with pytest.raises(ColieeError, match=r"not a sharded index: shards.json cannot be read"):
        ShardedIndex(tmp_path)
    path = damaged(tmp_path / "copy", sharded, lambda path: (path / "shards.json").write_text('{"format_version": 9}'))
    with pytest.raises(ColieeError, match="format 9"):
        ShardedIndex(path)
    (path / "shards.json").write_text('{"format_version": 1, "shards": "2"}')
    for number in ('"2"', "0", "-1"):
        (path / "shards.json").write_text(f'{{"format_version": 1, "shards": {number}}}')
        with pytest.raises(MalformedFileError, match="shards is missing or not a valid number"):
            ShardedIndex(path)


def test_an_index_is_its_folder_when_it_is_compared_and_pickled(sharded):
    index = sharded[2]
    assert pickle.loads(pickle.dumps(index)) == index == ShardedIndex(str(index.path)) != sharded[3]
    assert len(pickle.dumps(ShardedRetriever(index))) < 1000
    assert eval(repr(index)) == index
    assert len({index, ShardedIndex(index.path)}) == 1


def test_never_more_shards_are_held_than_was_said(sharded, monkeypatch):
    held = shards._Held()
    monkeypatch.setattr(shards, "_HELD", held)
    made = []
    weighted = shards._weighted

    def noted(path, number, weighting):
        assert len(held._values) < 2
        made.append(number)
        return weighted(path, number, weighting)

    monkeypatch.setattr(shards, "_weighted", noted)
    retriever = ShardedRetriever(sharded[7], shards_in_memory=2, batch_size=3)
    retriever(TOPICS)
    assert (made, len(held._values)) == ([0, 1, 2, 3, 4, 5, 6], 2)
    few = ShardedRetriever(sharded[2], shards_in_memory=2)
    few(TOPICS)
    few(TOPICS)
    assert made[7:] == [0, 1]


def test_weights_are_made_anew_when_the_shards_were_built_anew(tmp_path):
    def build(text):
        shutil.rmtree(tmp_path / "shards", ignore_errors=True)
        corpus = [{"docno": "d1", "text": text}, {"docno": "d2", "text": "gate"}]
        return ShardedIndex.build(corpus, tmp_path / "shards")

    assert ShardedRetriever(build("lamp")).search("lamp").docno.tolist() == ["d1"]
    time.sleep(0.01)
    assert ShardedRetriever(build("gate")).search("gate").docno.tolist() == ["d1", "d2"]


def test_a_cutoff_is_pushed_down(sharded, one):
    fused = (ShardedRetriever(sharded[2], num_results=9) % 3).compile()
    assert fused == ShardedRetriever(sharded[2], num_results=3)
    assert shown(fused(TOPICS)) == shown(Retriever(one, num_results=3)(TOPICS))


# --- pipelines ---------------------------------------------------------------------------------------------


class Reranker(pt.Transformer):
    """Scores by the length of the query; of each batch it notes the beginning and the end."""

    def __init__(self, folder, *, deadly=None, bad=None):
        self.folder, self.deadly, self.bad = Path(folder), deadly, bad

    def transform(self, inp):
        pt.validate.result_frame(inp, extra_columns=["query"], context=self)
        if not len(inp):
            return inp.assign(score=0.0, rank=0)
        batch = ",".join(dict.fromkeys(inp["qid"]))
        self.note("begun", batch)
        if self.deadly in inp["qid"].values and not (self.folder / "killed").exists():
            (self.folder / "killed").write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        if self.bad in inp["qid"].values:
            raise LookupError("no such weights")
        time.sleep(0.05)
        self.note("ended", batch)
        return sort_results(inp.drop(columns="rank", errors="ignore").assign(score=inp["query"].str.len() % 5 * 1.0))

    def note(self, what, batch):
        (self.folder / f"{what} {batch} {os.getpid()} {time.monotonic_ns()}").touch()

    def __setstate__(self, state):
        self.__dict__.update(state)
        (self.folder / f"unpacked {os.getpid()} {time.monotonic_ns()}").touch()


def notes(folder, what):
    return [name.split() for name in sorted(os.listdir(folder)) if name.startswith(f"{what} ")]


def candidates(queries, of_each=3):
    """Results whose queries are not in the order of their ids, with all types of columns."""
    rows = [
        {"qid": f"q{number * 7 % queries}", "query": "lamp " * (number % 4), "docno": f"d{place}", "rank": place}
        for number in range(queries)
        for place in range(of_each)
    ]
    return pd.DataFrame(rows).assign(
        score=0.5,
        label=lambda frame: frame["rank"].astype("int8"),
        seen=True,
        kind=lambda frame: pd.Categorical(frame["docno"]),
    )


@pytest.mark.parametrize("batch_size", [1, 2, 100])
def test_a_pipeline_in_batches_gives_what_it_gives_at_once(tmp_path, batch_size):
    inp = candidates(5)
    before = inp.copy()
    pipeline = Reranker(tmp_path)
    pd.testing.assert_frame_equal(OnCluster(pipeline, None, batch_size=batch_size)(inp), pipeline(inp))
    pd.testing.assert_frame_equal(inp, before)


def test_all_rows_of_a_query_are_in_one_batch(tmp_path):
    mixed = candidates(4).sort_values("docno", kind="stable")
    results = OnCluster(Reranker(tmp_path), None, batch_size=3)(mixed)
    assert [note[1] for note in notes(tmp_path, "begun")] == ["q0,q3,q2", "q1"]
    pd.testing.assert_frame_equal(results, Reranker(tmp_path)(mixed))


def test_the_columns_keep_their_types_also_where_a_batch_gives_nothing(tmp_path):
    inp = candidates(4)
    none = pd.DataFrame(columns=inp.columns)  # of objects
    keep = pt.apply.generic(
        lambda rows: rows[rows["qid"] == "q1"] if "q1" in set(rows["qid"]) else none, required_columns=["qid"]
    )
    results = OnCluster(keep, None, batch_size=1)(inp)
    pd.testing.assert_frame_equal(results, inp[inp["qid"] == "q1"].reset_index(drop=True))
    nothing = OnCluster(pt.apply.generic(lambda rows: rows.iloc[:0], required_columns=["qid"]), None)(inp)
    assert (len(nothing), nothing.dtypes.tolist()) == (0, inp.dtypes.tolist())


def test_an_empty_frame_needs_no_cluster(tmp_path):
    nobody = Cluster("tcp://127.0.0.1:1")
    results = OnCluster(Reranker(tmp_path), nobody)(candidates(3).iloc[:0])
    assert results.empty
    assert "score" in results.columns


def test_what_the_pipeline_needs_is_what_is_needed(tmp_path):
    with pytest.raises(pt.validate.InputValidationError, match=r"OnCluster.*query"):
        OnCluster(Reranker(tmp_path), None)(candidates(2).drop(columns="query"))
    with pytest.raises(ColieeError, match="row 0 has no id"):
        OnCluster(Reranker(tmp_path), None)(candidates(2).assign(qid=None))
    assert pt.inspect.transformer_outputs(
        OnCluster(Retriever(LexicalIndex.build(DOCUMENTS)), None), ["qid", "query"]
    ) == [
        "qid",
        "query",
        "docno",
        "score",
        "rank",
    ]


def test_an_error_here_is_the_pipelines_own_and_its_cause_names_the_queries(tmp_path):
    with pytest.raises(LookupError, match="no such weights") as caught:
        OnCluster(Reranker(tmp_path, bad="q3"), None, batch_size=1)(candidates(4))
    assert str(caught.value.__cause__) == "It was raised for the queries q3."


# --- on a cluster ------------------------------------------------------------------------------------------


def test_shards_are_built_and_searched_on_a_cluster_with_the_same_ranking(tmp_path, cluster, one):
    index = ShardedIndex.build(iter(DOCUMENTS), tmp_path / "shards", documents_per_shard=15, cluster=cluster)
    assert (index.shards, [path for path in index.path.iterdir() if path.name.startswith(".")]) == (5, [])
    for name, (weighting, of_one) in WEIGHTINGS.items():
        retriever = ShardedRetriever(index, weighting, cluster=cluster, num_results=10, batch_size=4)
        assert shown(retriever(TOPICS)) == shown(of_one(one, num_results=10)(TOPICS)), name
    by_document = ShardedRetriever(index, cluster=cluster, num_results=10, shards_in_memory=3)(QUERIES["document"])
    assert shown(by_document) == shown(Retriever(one, num_results=10)(QUERIES["document"]))


def test_a_pipeline_on_a_cluster_gives_what_it_gives_here_and_is_sent_to_each_worker_once(tmp_path, cluster):
    inp = candidates(12)
    results = OnCluster(Reranker(tmp_path), cluster, batch_size=1)(inp)
    workers = {note[2] for note in notes(tmp_path, "begun")}
    unpacked = collections.Counter(note[1] for note in notes(tmp_path, "unpacked"))
    pd.testing.assert_frame_equal(results, Reranker(tmp_path)(inp))
    assert len(workers) == 2
    assert str(os.getpid()) not in workers
    assert unpacked == dict.fromkeys(workers, 1)


def test_a_function_of_the_users_own_travels(cluster):
    length = 3
    upper = pt.apply.query(lambda row: row["query"].upper()[:length])
    results = OnCluster(upper, cluster, batch_size=2)(TOPICS)
    assert results["query"].tolist() == [text.upper()[:3] for text in TOPICS["query"]]


def test_a_worker_that_is_killed_costs_the_batches_that_it_had_and_nothing_else(tmp_path, cluster):
    inp = candidates(16)
    results = OnCluster(Reranker(tmp_path, deadly="q10"), cluster, batch_size=1)(inp)
    killed = (tmp_path / "killed").read_text()
    begun = collections.defaultdict(list)
    for _, batch, worker, _ in notes(tmp_path, "begun"):
        begun[batch].append(worker)
    pd.testing.assert_frame_equal(results, Reranker(tmp_path / "")(inp))
    assert set(begun) == {f"q{number}" for number in range(16)}
    again = {batch: workers for batch, workers in begun.items() if len(workers) > 1}
    assert "q10" in again
    assert all(killed in workers for workers in again.values())


def test_an_error_on_a_worker_comes_home_with_its_type_its_message_and_the_queries(tmp_path, cluster):
    with pytest.raises(LookupError, match="no such weights") as caught:
        OnCluster(Reranker(tmp_path, bad="q3"), cluster, batch_size=2)(candidates(6))
    cause = str(caught.value.__cause__)
    assert cause.startswith("It was raised for the queries q")
    assert "q3" in cause.partition(", on a worker:\n")[0]
    assert 'raise LookupError("no such weights")' in cause


class StubbornError(Exception):
    """It can be pickled, but not unpickled."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def stubborn(_):
    raise StubbornError(1, 2)


def test_an_error_that_cannot_travel_is_told(cluster):
    with pytest.raises(ColieeError, match="StubbornError: 1 and 2"), clusters.worker_pool(cluster, stubborn) as workers:
        list(workers.finished([clusters.Batch(1, "one")]))


def test_what_cannot_be_sent_is_refused(tmp_path, cluster):
    pipeline = Reranker(tmp_path)
    with open(tmp_path / "file", "w") as pipeline.file, pytest.raises(ColieeError, match="cannot be sent to another"):
        OnCluster(pipeline, cluster)(candidates(2))


def given(number):
    return number


def test_no_more_batches_are_taken_than_are_under_way(cluster):
    taken = []

    def batches():
        for number in range(30):
            taken.append(number)
            yield clusters.Batch(number, str(number))

    with clusters.worker_pool(cluster, given) as workers:
        finished = workers.finished(batches(), ahead=2)
        next(finished)
        assert len(taken) == 2 * workers.size
        assert len(list(finished)) == 29


@pytest.mark.parametrize("somewhere", [True, False])
def test_progress_is_shown_when_asked_for(cluster, tmp_path, sharded, monkeypatch, somewhere):
    seen = []
    for module in ("on_cluster", "sharded_retriever"):
        monkeypatch.setattr(
            f"ir_coliee.transformers.retrieval.{module}.progress",
            lambda steps, _name, **options: seen.append(options) or steps,
        )
    chosen = cluster if somewhere else None
    OnCluster(Reranker(tmp_path), chosen, batch_size=2, verbose=True)(candidates(5))
    ShardedRetriever(sharded[3], cluster=chosen, batch_size=5, verbose=True)(TOPICS)
    assert seen == [{"total": total, "unit": "batches", "verbose": True} for total in (3, 6)]


SCRIPT = """
import pandas as pd
from ir_coliee.transformers import OnCluster, TopK, local_cluster

if __name__ == "__main__":
    rows = pd.DataFrame({"qid": ["1", "2"], "docno": ["d1", "d2"], "score": [1.0, 2.0]})
    with local_cluster(1) as cluster:
        print(OnCluster(TopK(1), cluster, batch_size=1)(rows).docno.tolist())
"""


def test_a_script_prints_what_it_prints_and_nothing_of_the_clusters(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    finished = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "['d1', 'd2']\n", "")


# --- where it is -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    ["tcp://127.0.0.1:8786", "127.0.0.1:8786", "tls://localhost:1", "tcp://[::1]:8786", "inproc://10.0.0.1/7/1"],
)
def test_this_machine_needs_no_permission(address):
    assert Cluster(address).address == address


@pytest.mark.parametrize(
    "address",
    ["tcp://10.0.0.1:8786", "scheduler.example:8786", "tcp://127.0.0.1.example:1", "tcp://127.1:1", "tcp://[::2]:1"],
)
def test_another_machine_needs_permission_and_the_data_use_agreement_is_named(address):
    with pytest.raises(ColieeError, match=r"data-use agreement.*allow_remote=True"):
        Cluster(address)
    assert Cluster(address, allow_remote=True).allow_remote


@pytest.mark.parametrize("allow_remote", [True, False])
@pytest.mark.parametrize("address", ["", None, 5])
def test_what_is_no_address_is_refused(address, allow_remote):
    with pytest.raises(ColieeError, match="is not the address of a scheduler"):
        Cluster(address, allow_remote=allow_remote)


@pytest.mark.parametrize("address", ["tcp://dask_scheduler:8786", "ucxx://gpu-1:8786", "gateway://gateway:8786/a"])
def test_dask_decides_about_the_addresses_of_other_machines(address):
    assert Cluster(address, allow_remote=True).connection == address
    with pytest.raises(ColieeError, match="data-use agreement"):
        Cluster(address)


@pytest.mark.parametrize(
    "address",
    [
        "tcp://",
        "tcp://[::1",
        "tcp://127.0.0.1",
        "tcp://127.0.0.1:x",
        "tcp://127.0.0.1:1/a",
        "http://127.0.0.1:1",
        "xyz://127.0.0.1:1",
        "inproc://" + "a" * 1000,
        "tcp://" + "a" * 300 + ":1",
    ],
)
def test_an_address_that_dask_cannot_read_is_an_error_of_ours_and_leaves_no_thread(address):
    """The garbage collector closes clients that are left, and Dask then waits for a thread, which may be its own."""
    before = set(threading.enumerate())
    with (
        pytest.raises(ColieeError, match=r"^No scheduler of Dask answers at ") as caught,
        clusters.worker_pool(Cluster(address, allow_remote=True), given),
    ):
        pass
    assert len(str(caught.value).partition("\n")[0]) <= 100
    assert [thread.name for thread in set(threading.enumerate()) - before if "IO loop" in thread.name] == []


@pytest.mark.parametrize("allow_remote", [True, False])
@pytest.mark.parametrize("port", ["99999", "65536", "0", "08786"])
def test_a_port_that_none_has_is_named(port, allow_remote):
    with pytest.raises(ColieeError, match=rf"^The port in 'tcp://127.0.0.1:{port}' must be 1 to 65535\."):
        Cluster(f"tcp://127.0.0.1:{port}", allow_remote=allow_remote)


def test_an_address_to_which_dask_cannot_connect_is_an_error_of_ours():
    with (
        pytest.raises(ColieeError, match=r"No scheduler of Dask answers at"),
        clusters.worker_pool(Cluster("tls://127.0.0.1:1"), given),
    ):
        pass


def test_a_localhost_that_leads_elsewhere_is_not_looked_up(cluster, monkeypatch):
    looked_up = []
    resolve = socket.getaddrinfo

    def elsewhere(host, *arguments, **options):
        looked_up.append(host)
        return resolve("192.0.2.1" if host in ("localhost", b"localhost") else host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", elsewhere)
    named = Cluster(cluster.address.replace("127.0.0.1", "localhost"))
    assert "localhost" in named.address
    with clusters.worker_pool(named, given) as workers:
        assert list(workers.finished([clusters.Batch(7, "seven")])) == [(0, 7)]
    assert "127.0.0.1" in looked_up
    assert not {"localhost", b"localhost"} & set(looked_up)


def test_workers_on_another_machine_need_permission_too(cluster, monkeypatch):
    import distributed

    monkeypatch.setattr(distributed.Client, "nthreads", lambda self: {"tcp://10.0.0.1:1": 1})
    with pytest.raises(ColieeError, match=r"(?s)tcp://10.0.0.1:1 is not.*data-use agreement"):
        OnCluster(pt.apply.query(lambda row: row["query"]), cluster)(TOPICS)


def test_a_scheduler_that_is_not_there_is_named():
    import dask

    with (
        dask.config.set({"distributed.comm.timeouts.connect": "0.2s"}),
        pytest.raises(ColieeError, match=r"^No scheduler of Dask answers at tcp://127.0.0.1:1\.\n"),
    ):
        OnCluster(pt.apply.query(lambda row: row["query"]), Cluster("tcp://127.0.0.1:1"))(TOPICS)


def test_a_cluster_without_workers_is_not_waited_for_for_ever(monkeypatch):
    monkeypatch.setattr(clusters, "_PATIENCE", 0.3)
    with local_cluster(0) as nobody, pytest.raises(ColieeError, match="no worker for"):
        OnCluster(pt.apply.query(lambda row: row["query"]), nobody)(TOPICS)


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(clusters, "find_spec", lambda name: None)
    for start in (lambda: local_cluster().__enter__(), lambda: OnCluster(None, Cluster("tcp://[::1]:1"))(TOPICS)):
        with pytest.raises(MissingExtraError, match=r"ir_coliee\[cluster\]"):
            start()


def test_dask_is_imported_when_a_cluster_is_used():
    code = (
        "import sys, ir_coliee.transformers; print([name for name in ('dask', 'distributed') if name in sys.modules])"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert finished.stdout == "[]\n"
