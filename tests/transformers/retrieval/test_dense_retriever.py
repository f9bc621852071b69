"""Retrieval by embeddings: rankings, pools, the cache below the data folder, and the indexes of pyterrier_dr."""

import shutil

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.errors import ColieeError, ColieeHint, ColieeWarning
from ir_coliee.models import Embedder, EmbeddingStore, LoadOptions, TrainingOptions
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.releases import cache
from ir_coliee.synthetic import write_release
from ir_coliee.transformers import DenseIndex, DenseRetriever, hard_negatives
from ir_coliee.transformers.retrieval.dense import bi_encoder, embedding_examples

pytestmark = pytest.mark.slow

pytest.importorskip("sentence_transformers")

WORDS = ["lamp", "gate", "well", "bell", "oak", "road", "mill", "barn"]
CORPUS = [{"docno": f"{n:06}", "text": f"the {WORDS[n % 8]} by the {WORDS[n // 8]}"} for n in reversed(range(64))]
TWINS = [{"docno": docno, "text": "a lamp"} for docno in ("000900", "000100")]
QUERIES = pd.DataFrame({"qid": ["1", "2", "3"], "query": ["a lamp", "the bell by the mill", "oak"]})


@pytest.fixture(scope="module")
def embedder():
    return Embedder(tiny_checkpoint("encoder"), load=LoadOptions(device="cpu"), max_tokens=64, pooling="mean")


@pytest.fixture(scope="module")
def index(embedder):
    return DenseIndex.build(CORPUS + TWINS, embedder)


def same(one, other):
    assert one.docnos.tolist() == other.docnos.tolist()
    np.testing.assert_array_equal(one.embeddings.vectors, other.embeddings.vectors)


def test_each_form_of_a_dataset_gives_the_same_index(embedder):
    dataset = "coliee/task3/sample/en"
    expected = DenseIndex.from_dataset(dataset, embedder)
    for form in (f"irds:{dataset}", ir_datasets.load(dataset), pt.get_dataset(f"irds:{dataset}")):
        same(DenseIndex.from_dataset(form, embedder), expected)


def test_every_document_is_ranked_by_its_cosine_and_equal_ones_by_their_number(index, embedder):
    run = DenseRetriever(index)(QUERIES)
    assert run.groupby("qid").size().eq(66).all()
    texts = {document["docno"]: document["text"] for document in CORPUS + TWINS}
    queries = dict(zip(QUERIES["qid"], embedder.embed_queries(QUERIES["query"].tolist()).vectors))
    documents = dict(zip(texts, embedder.embed_documents([*texts.values()]).vectors))
    for qid, docno, score in zip(run["qid"], run["docno"], run["score"]):
        assert score == pytest.approx(float(queries[qid].astype(float) @ documents[docno]), abs=1e-6)
    expected = run.sort_values(["qid", "score", "docno"], ascending=[True, False, True])
    assert expected.index.tolist() == run.index.tolist()
    assert run["rank"].tolist() == [*range(66)] * 3
    twins = run[run["docno"].isin(["000100", "000900"])]
    assert twins.groupby("qid")["score"].nunique().eq(1).all()
    assert twins.groupby("qid")["docno"].first().eq("000100").all()


def assert_rescored(index, sample, number):
    """Candidates have the scores of the retrieval."""
    run = DenseRetriever(index)(QUERIES)
    pools = sample(run).assign(score=0.0, note="kept")
    merged = DenseRetriever(index)(pools).merge(run, on=["qid", "docno"])
    assert merged["note"].eq("kept").sum() == len(merged) == number
    assert (merged["score_x"] == merged["score_y"]).all()
    return pools


def test_candidates_have_the_scores_of_the_retrieval(index):
    pools = assert_rescored(index, lambda run: run.sample(50, random_state=0), 50)
    assert DenseRetriever(index, num_results=2)(pools).groupby("qid").size().eq(2).all()
    with pytest.raises(ColieeError, match="Document 777777 is not in the index"):
        DenseRetriever(index)(pools.assign(docno="777777"))


def test_windows_of_long_documents_count_by_their_best(embedder):
    long = {"docno": "long", "text": "the road by the barn " * 30 + CORPUS[9]["text"]}
    whole = Embedder(embedder.model, load=embedder.load, max_tokens=64)
    with pytest.warns(ColieeWarning, match="1 of 65 texts exceed"):
        index = DenseIndex.build([*CORPUS, long], whole)
    assert index.embeddings.counts.max() > 5
    assert_rescored(index, lambda run: run[run["docno"].isin(["long", "000003"])], 6)


def test_documents_that_cannot_be_indexed_and_queries_without_text_are_named(index, embedder):
    with pytest.raises(ColieeError, match="more than once: 000001"):
        DenseIndex.build([{"docno": "000001", "text": "a"}] * 2, embedder)
    for wrong in ({"docno": "1"}, {"text": "a"}, {"docno": 1, "text": "a"}):
        with pytest.raises(ColieeError, match="must have a string as"):
            DenseIndex.build([wrong], embedder)
    with pytest.raises(TypeError, match="index must be a DenseIndex"):
        DenseRetriever(embedder)
    with pytest.raises(ColieeError, match="Query 1: query must be a string"):
        DenseRetriever(index)(pd.DataFrame({"qid": ["1"], "query": [7]}))


# the cache


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "irds"))
    write_release("coliee/task3/2025/en", tmp_path / "data", scale=0.02)
    return tmp_path / "data"


@pytest.mark.filterwarnings("ignore:.*exceed the window")
def test_embeddings_of_a_dataset_are_stored_below_its_data_folder_and_purged_with_it(home, embedder, monkeypatch):
    embedded, compute = [], Embedder._vectors
    monkeypatch.setattr(Embedder, "_vectors", lambda it, *given: embedded.extend(given[0]) or compute(it, *given))
    first = DenseIndex.from_dataset("coliee/task3/2025/en", embedder)
    once = len(embedded)
    assert once >= len(first) > 10
    again = DenseIndex.from_dataset("coliee/task3/2025/en", embedder)
    assert len(embedded) == once
    same(again, first)
    (entry,) = (home / ".cache" / "ir_coliee").glob("embeddings-*")
    (entry / "embeddings.sqlite").write_bytes(b"damaged")
    with pytest.warns(ColieeHint, match="Damaged entries"):
        same(DenseIndex.from_dataset("coliee/task3/2025/en", embedder), first)
    assert len(embedded) == 2 * once
    assert cache.purge() == [home / ".cache" / "ir_coliee"]
    assert not (home / ".cache").exists()


@pytest.mark.filterwarnings("ignore:.*exceed the window")
def test_an_embedder_with_a_store_uses_its_own(home, embedder, tmp_path):
    own = Embedder(embedder.model, load=embedder.load, store=EmbeddingStore(tmp_path / "own.sqlite"))
    assert DenseIndex.from_dataset("coliee/task3/2025/en", own).embedder == own
    assert not (home / ".cache").exists()


# pyterrier_dr


@pytest.mark.parametrize(
    "retriever", ["np_retriever", "torch_retriever", "faiss_flat_retriever", "faiss_hnsw_retriever"]
)
def test_indexes_of_pyterrier_dr_rank_as_the_exact_retriever_does(retriever, index, embedder, tmp_path):
    pyterrier_dr = pytest.importorskip("pyterrier_dr")
    if retriever.startswith("faiss"):
        pytest.importorskip("faiss")
    encoder = bi_encoder(embedder)
    flex = pyterrier_dr.FlexIndex(str(tmp_path / "index"), sim_fn="dot", verbose=False)
    (encoder >> flex).index(CORPUS)
    theirs = (encoder >> getattr(flex, retriever)() % 5)(QUERIES)
    ours = DenseRetriever(DenseIndex.build(CORPUS, embedder), num_results=5)(QUERIES)
    merged = ours.merge(theirs, on=["qid", "docno"])
    assert len(merged) == len(ours) == len(theirs) == 15
    np.testing.assert_allclose(merged["score_x"], merged["score_y"], atol=1e-5)
    assert encoder == encoder
    shutil.rmtree(tmp_path / "index")


def test_several_embeddings_of_a_text_are_refused_by_pyterrier_drs_index(embedder):
    pytest.importorskip("pyterrier_dr")
    with pytest.raises(ColieeError, match='Use pooling="mean"'):
        bi_encoder(Embedder(embedder.model))


# fine-tuning

TOPICS = pd.DataFrame({"qid": [word[:2] for word in WORDS], "query": [f"a {word}" for word in WORDS]})
GOLD = pd.DataFrame({"qid": TOPICS["qid"], "docno": [f"{9 * n:06}" for n in range(8)], "label": 1})


def test_an_embedder_learns_from_the_hard_negatives_of_its_own_ranking(embedder):
    pytest.importorskip("accelerate")
    texts = {document["docno"]: document["text"] for document in CORPUS}
    with_texts = pt.apply.text(lambda row: texts[row["docno"]])

    def ranking(embedder):
        return DenseRetriever(DenseIndex.build(CORPUS, embedder))

    pool = hard_negatives((ranking(embedder) >> with_texts)(TOPICS), GOLD, number=3)
    examples = embedding_examples(pool, GOLD)
    assert len(examples) == 8
    assert {len(example.negatives) for example in examples} == {3}
    fitted = embedder.fit(examples, training=TrainingOptions(epochs=12, learning_rate=3e-3, batch_size=8))

    def mean_rank(embedder):
        return ranking(embedder)(pool).merge(GOLD, on=["qid", "docno"])["rank"].mean()

    assert mean_rank(fitted) < mean_rank(embedder)
