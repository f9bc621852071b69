"""Scores of cross-encoders do not depend on batches, order and neighbours, and are complete when memory runs out."""

import pandas as pd
import pytest
from tiny_layouts import tiny_like, with_layer

from ir_coliee.models import LoadOptions
from ir_coliee.transformers import PairScorer

torch = pytest.importorskip("torch")
sentence_transformers = pytest.importorskip("sentence_transformers")
pytest.importorskip("ipadic")

WORDS = ["the", "owner", "of", "the", "lamp", "may", "rescind", "the", "contract", "契約を解除する"]
RUN = pd.DataFrame(
    {
        "qid": [str(number % 3) for number in range(12)],
        "query": [f"A lamp {number % 3}" for number in range(12)],
        "docno": [str(number) for number in range(12)],
        "text": [" ".join(WORDS[: 1 + number % 9] * (1 + number % 4)) for number in range(12)],
    }
)
ENCODERS = [
    None,
    "cross-encoder/ms-marco-MiniLM-L6-v2",
    "google/electra-base-discriminator",
    "roberta-base",
    "allenai/longformer-base-4096",
    "microsoft/deberta-large-mnli",
    "microsoft/deberta-v3-large",
    "studio-ousia/luke-base",
    "studio-ousia/mluke-base",
    "BAAI/bge-reranker-v2-m3",
    "cl-tohoku/bert-base-japanese-whole-word-masking",
    "answerdotai/ModernBERT-base",
]


def scores_of(scorer, run=RUN):
    results = scorer(run)
    return dict(zip(zip(results["qid"], results["docno"]), results["score"]))


def scorer_of(like, **options):
    kind = "entailment" if like == "microsoft/deberta-large-mnli" else "classifier"
    folder = tiny_like(like) if kind == "entailment" else with_layer(tiny_like(like))
    scorer = PairScorer(folder, load=LoadOptions(device="cpu"), **options)
    if kind == "entailment":  # its three labels are not scores
        scorer._load_trained = lambda: scorer._load_with_labels({0: "relevant"})
    return scorer


@pytest.mark.parametrize("like", ENCODERS)
def test_the_score_of_a_pair_is_the_same_in_any_batch_order_and_company(like):
    alone = scores_of(scorer_of(like, batch_size=1))
    assert len({round(score, 4) for score in alone.values()}) > 3
    ways = [
        scores_of(scorer_of(like, batch_size=12)),
        scores_of(scorer_of(like, batch_size=5), RUN.iloc[::-1]),
        scores_of(scorer_of(like, batch_size=12, batch_tokens=64)),
        scores_of(scorer_of(like, batch_size=12), RUN.iloc[:3]),
    ]
    for scores in ways:
        assert scores == pytest.approx({pair: alone[pair] for pair in scores}, abs=1e-5)


@pytest.mark.parametrize("limit", [1, 3])
def test_each_pair_is_scored_once_when_memory_runs_out(limit, monkeypatch):
    scorer = scorer_of(None, batch_size=8)
    expected = scores_of(scorer)
    predict, sizes = sentence_transformers.CrossEncoder.predict, []

    def limited(self, pairs, **options):
        if len(pairs) > limit:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        sizes.append(len(pairs))
        return predict(self, pairs, **options)

    monkeypatch.setattr(sentence_transformers.CrossEncoder, "predict", limited)
    monkeypatch.setattr("ir_coliee.models.batches._free_memory", lambda: None)  # which takes a while
    assert scores_of(scorer) == pytest.approx(expected, abs=1e-5)
    assert sum(sizes) == len(RUN)


def test_a_batch_has_no_more_tokens_than_it_may(monkeypatch):
    scorer = scorer_of(None, batch_size=8, batch_tokens=120)
    predict, batches = sentence_transformers.CrossEncoder.predict, []

    def noted(self, pairs, **options):
        batches.append(self.tokenizer([tuple(pair) for pair in pairs], padding=True)["input_ids"])
        return predict(self, pairs, **options)

    monkeypatch.setattr(sentence_transformers.CrossEncoder, "predict", noted)
    scorer(RUN)
    assert all(len(batch) == 1 or len(batch) * len(batch[0]) <= 120 for batch in batches)
    assert sum(map(len, batches)) == len(RUN)
