"""Each architecture, small and with the published classes: it learns, and its scores depend on one text alone."""

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("sentence_transformers")

import torch
from tiny_layouts import tiny_like, with_layer

from ir_coliee.models import LoadOptions, LocalModel, Question, get_replies
from ir_coliee.models.templates import Conversation, Turn
from ir_coliee.transformers import EntailmentClassifier, PairScorer
from ir_coliee.transformers.rerankers.checkpoints import load_cross_encoder

torch.set_num_threads(1)

CPU = LoadOptions(device="cpu")
CROSS_ENCODERS = [
    "bert-base-uncased",
    "roberta-base",
    "allenai/longformer-base-4096",
    "FacebookAI/xlm-roberta-base",
    "studio-ousia/mluke-base",
    "microsoft/deberta-v3-base",
    "answerdotai/ModernBERT-base",
    "cl-tohoku/bert-base-japanese-whole-word-masking",
    "Qwen/Qwen3-0.6B",
    "google/gemma-2-2b-it",
]
LANGUAGE_MODELS = [
    "castorini/monot5-large-msmarco",
    "google/flan-t5-large",
    "csebuetnlp/mT5_multilingual_XLSum",
    "openai-community/gpt2",
    "Qwen/Qwen3-0.6B",
    "meta-llama/Llama-3.1-8B-Instruct",
    "google/gemma-2-2b-it",
]

RESULTS = pd.DataFrame(
    [
        {
            "qid": f"q{query}",
            "query": f"lamp {query} 灯台",
            "docno": f"d{number}",
            "text": f"{'yes' if number == 0 else 'no'} the owner may rescind the contract {query}{number} 契約",
        }
        for query in range(8)
        for number in range(3)
    ]
)
LONG = RESULTS.head(6).assign(
    text=[" ".join([text] * (1 + number**2)) for number, text in enumerate(RESULTS["text"][:6])]
)
QUESTIONS = [
    Question(Conversation([Turn("system", "You are a judge."), Turn("user", f"Is a lamp {'very ' * number}old? 灯台")]))
    for number in range(5)
]


def folder(like):
    return tiny_like(like)


def scoring(like, **options):
    return PairScorer(with_layer(folder(like)), **{"load": CPU, **options})


def scores(scorer, results):
    return scorer.transform(results).sort_values(["qid", "docno"])["score"].to_numpy()


@pytest.mark.parametrize("like", CROSS_ENCODERS)
def test_a_score_does_not_depend_on_batch_order_or_neighbours(like):
    together = scores(scoring(like, batch_size=16), LONG)
    assert together == pytest.approx(scores(scoring(like, batch_size=1), LONG[::-1]), abs=1e-5)
    assert len(set(together.round(6))) == len(LONG)


@pytest.mark.parametrize("like", ["microsoft/deberta-v3-base", "Qwen/Qwen3-0.6B"])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_scores_in_half_precision_are_near_those_in_full(like, dtype):
    half = scores(scoring(like, load=LoadOptions(device="cpu", dtype=dtype)), LONG)
    assert half == pytest.approx(scores(scoring(like), LONG), abs=0.1)


def test_weights_that_are_published_in_half_precision_are_trained_in_full():
    encoder = load_cross_encoder(folder("microsoft/deberta-v3-base"), None, 0, CPU)
    assert {weights.dtype for weights in encoder.parameters()} == {torch.float32}


def test_longformer_reads_beyond_its_attention_window():
    """The score is that of the first token, which a far word reaches by the global attention alone."""
    text = "the owner may rescind the contract. " * 60
    results = RESULTS.head(2).assign(text=[text + "yes", text + "no"])
    scorer = scoring("allenai/longformer-base-4096")
    assert len(scorer._checkpoint().network.tokenizer(text)["input_ids"]) > 400
    first, second = scores(scorer, results)
    assert first != pytest.approx(second, abs=1e-6)


def test_a_model_for_inference_answers_by_its_published_labels():
    like = "microsoft/deberta-large-mnli"
    topics = RESULTS.drop_duplicates("qid").assign(text=lambda frame: frame["text"] * 3)
    answers = EntailmentClassifier(folder(like), load=CPU).transform(topics)
    encoder = EntailmentClassifier(folder(like), load=CPU)._checkpoint().network
    labels = {label.lower(): number for number, label in encoder.config.id2label.items()}
    pairs = list(zip(topics["text"], topics["query"]))
    logits = encoder.predict(pairs, activation_fn=torch.nn.Identity()).astype(float)
    difference = logits[:, labels["entailment"]] - logits[:, labels["contradiction"]]
    assert answers["yes"].to_numpy() == pytest.approx(1 / (1 + np.exp(-difference)), abs=1e-5)


@pytest.mark.parametrize("like", LANGUAGE_MODELS)
def test_a_language_model_replies_without_regard_to_batch_and_order(like):
    together, alone = (
        LocalModel(folder(like), max_tokens=4, probabilities=True, batch_size=size, load=CPU) for size in (8, 1)
    )
    replies, expected = get_replies(together, QUESTIONS), get_replies(alone, QUESTIONS[::-1])
    assert [replies[each].text for each in QUESTIONS] == [expected[each].text for each in QUESTIONS]
    yes = [replies[each].yes for each in QUESTIONS]
    assert yes == pytest.approx([expected[each].yes for each in QUESTIONS], abs=1e-5)
    assert len({round(each, 6) for each in yes}) > 1
