"""`ir_coliee rerank`: the scores of the transformers, by a model of each kind; continued without computing again."""

import sys
from pathlib import Path

import pyterrier as pt
import pytest
from calls import TASK2, refused, saved

from ir_coliee.evaluation.runs import load_run
from ir_coliee.models import LocalModel
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.transformers import CandidateEntailment, CandidatePool, MonoT5, PairScorer, TopK
from ir_coliee.transformers.rerankers import reranking

pytest.importorskip("torch")
pytest.importorskip("sentence_transformers")
tiny_like = pytest.importorskip("tiny_layouts").tiny_like

TOP = 3


@pytest.fixture
def candidates():
    """The first paragraphs of each query, in a file and as a frame with texts."""
    dataset = pt.get_dataset(f"irds:{TASK2}")
    pool = CandidatePool(TASK2)(dataset.get_topics())
    pool = pool.assign(score=[float(-(n % 7)) for n in range(len(pool))])
    saved("a.trec", "".join(f"{row.qid} Q0 {row.docno} 1 {row.score} mine\n" for row in pool.itertuples()))
    return pt.text.get_text(dataset, "text", verbose=False)(TopK(TOP)(pool))


def written(path="b.trec"):
    frame = load_run(TASK2, Path(path)).frame
    return frame.sort_values(["qid", "rank"])[["qid", "docno"]].to_numpy().tolist()


def qwen(name):
    model = LocalModel(name, max_tokens=1, probabilities=("yes", "no"), chat_options={"enable_thinking": False})
    return CandidateEntailment(model, "qwen3-reranker.en")


@pytest.mark.parametrize(
    ("checkpoint", "scorer"),
    [
        (lambda: tiny_checkpoint("classifier"), PairScorer),
        (lambda: tiny_checkpoint("seq2seq"), MonoT5),
        (lambda: tiny_like("Qwen/Qwen3-0.6B"), qwen),
    ],
)
def test_the_ranking_is_that_of_the_transformer_for_the_checkpoint(checkpoint, scorer, call, candidates, monkeypatch):
    monkeypatch.setattr(reranking, "_PAIRS_AT_ONCE", 7)
    name = checkpoint()
    finished = call("rerank", TASK2, "a.trec", "--model", name, "--top", TOP, "--out", "b.trec")
    assert finished.status == 0, finished.err
    expected = scorer(name)(candidates).sort_values(["qid", "rank"])
    assert written() == expected[["qid", "docno"]].to_numpy().tolist()
    assert f"{len(candidates)} results for" in finished.out
    assert "file: b.trec.scores" in finished.out
    of_train = f"rerank {TASK2.replace('/test', '/train')} TRAIN_RUN"
    assert f"next: ir_coliee {of_train} --model {name} --top {TOP} " in finished.out


def test_an_interrupted_call_computes_only_what_is_missing(call, candidates, monkeypatch):
    monkeypatch.setattr(reranking, "_PAIRS_AT_ONCE", 7)
    scored, compute = [], PairScorer._computed

    def counted(self, pairs):
        if len(scored) > 12:
            raise KeyboardInterrupt
        scored.extend(pairs)
        return compute(self, pairs)

    arguments = ["rerank", TASK2, "a.trec", "--model", tiny_checkpoint("classifier"), "--top", TOP, "--out", "b.trec"]
    with monkeypatch.context() as patch:
        patch.setattr(PairScorer, "_computed", counted)
        assert call(*arguments).status != 0
    done, scored[:] = [*scored], []
    assert not Path("b.trec").exists()
    monkeypatch.setattr(PairScorer, "_computed", lambda self, pairs: scored.extend(pairs) or compute(self, pairs))
    assert call(*arguments).status == 0
    assert not {*done} & {*scored}
    ranked = PairScorer(tiny_checkpoint("classifier"))(candidates).sort_values(["qid", "rank"])
    assert written() == ranked[["qid", "docno"]].to_numpy().tolist()
    assert call(*arguments).status == 0  # a finished command can be repeated


def test_a_model_that_is_not_there_is_named(call, candidates, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert "no/such-model" in refused(call("rerank", TASK2, "a.trec", "--model", "no/such-model", "--out", "b.trec"))
    assert not Path("b.trec").exists()


def test_an_existing_file_is_named_before_the_scoring_and_kept(call, candidates):
    saved("b.trec", "1 Q0 1 1 1.0 mine\n")
    ended = call("rerank", TASK2, "a.trec", "--model", "no/such-model", "--dtype", "int3", "--out", "b.trec")
    assert ended.status == 2
    assert "note: b.trec exists" in ended.err
    assert Path("b.trec").read_text() == "1 Q0 1 1 1.0 mine\n"


def test_without_the_libraries_the_message_names_the_extra(call, candidates, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert "ir_coliee[neural]" in refused(call("rerank", TASK2, "a.trec", "--model", "tiny", "--out", "b.trec"))
