"""Each architecture, small and with the published classes: it learns, and its scores depend on one text alone."""

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("sentence_transformers")

import torch
import transformers
from sentence_transformers import SentenceTransformer
from tiny_layouts import PUBLISHED, tiny_like, with_layer

from ir_coliee.models import LoadOptions, LocalModel, Question, TrainingOptions, get_replies
from ir_coliee.models.templates import Conversation, Turn
from ir_coliee.transformers import EntailmentClassifier, PairScorer
from ir_coliee.transformers.rerankers.checkpoints import load_cross_encoder

torch.set_num_threads(1)

CPU = LoadOptions(device="cpu")
CROSS_ENCODERS = [
    "bert-base-uncased",
    "google/electra-base-discriminator",
    "sentence-transformers/all-mpnet-base-v2",
    "roberta-base",
    "allenai/longformer-base-4096",
    "FacebookAI/xlm-roberta-base",
    "studio-ousia/luke-japanese-base-lite",
    "microsoft/deberta-v3-large",
    "answerdotai/ModernBERT-base",
    "cl-tohoku/bert-base-japanese-whole-word-masking",
    "Qwen/Qwen3-4B",
    "google/gemma-2-2b-it",
]
OTHERS = [
    "studio-ousia/luke-base",
    "cl-tohoku/bert-base-japanese-char-whole-word-masking",
    "cross-encoder/ms-marco-MiniLM-L6-v2",
    "BAAI/bge-reranker-v2-m3",
    "Alibaba-NLP/gte-reranker-modernbert-base",
]
INFERENCE = ["FacebookAI/roberta-large-mnli", "microsoft/deberta-large-mnli", "cross-encoder/nli-deberta-v3-base"]
LANGUAGE_MODELS = [
    "t5-large",
    "google/flan-t5-xxl",
    "csebuetnlp/mT5_multilingual_XLSum",
    "openai-community/gpt2",
    "Qwen/Qwen3-4B",
    "meta-llama/Llama-3.1-8B-Instruct",
    "meta-llama/Llama-2-7b-hf",
    "google/gemma-2-2b-it",
]
ENCODERS = [name for name, layout in PUBLISHED.items() if layout.modules]

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
QRELS = RESULTS[["qid", "docno"]].assign(label=(RESULTS["docno"] == "d0").astype(int))
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


def cross_entropy(scorer):
    probabilities = np.clip(scores(scorer, RESULTS), 1e-9, 1 - 1e-9)
    labels = QRELS.sort_values(["qid", "docno"])["label"].to_numpy()
    return -np.log(np.where(labels == 1, probabilities, 1 - probabilities)).mean()


@pytest.mark.slow
@pytest.mark.parametrize("like", CROSS_ENCODERS)
def test_a_cross_encoder_learns_which_texts_are_relevant(like):
    training = TrainingOptions(epochs=8, learning_rate=4e-3, batch_size=8)
    scorer = PairScorer(folder(like), max_tokens=64, training=training, load=CPU)
    before = cross_entropy(scoring(like, max_tokens=64))
    after = cross_entropy(scorer.fit(RESULTS, QRELS))
    assert after < min(before, 0.6365)  # the loss of the best constant: a third is relevant


@pytest.mark.parametrize("like", CROSS_ENCODERS + OTHERS)
def test_a_score_does_not_depend_on_batch_order_or_neighbours(like):
    together = scores(scoring(like, batch_size=16), LONG)
    assert together == pytest.approx(scores(scoring(like, batch_size=1), LONG[::-1]), abs=1e-5)
    assert len(set(together.round(6))) == len(LONG)


@pytest.mark.parametrize("like", ["microsoft/deberta-v3-large", "roberta-base", "Qwen/Qwen3-4B"])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_scores_in_half_precision_are_near_those_in_full(like, dtype):
    half = scores(scoring(like, load=LoadOptions(device="cpu", dtype=dtype)), LONG)
    assert half == pytest.approx(scores(scoring(like), LONG), abs=0.1)


def test_weights_that_are_published_in_half_precision_are_trained_in_full():
    encoder = load_cross_encoder(folder("microsoft/deberta-v3-large"), None, 0, CPU)
    assert {weights.dtype for weights in encoder.parameters()} == {torch.float32}


def test_longformer_reads_beyond_its_attention_window():
    """The score is that of the first token, which a far word reaches by the global attention alone."""
    text = "the owner may rescind the contract. " * 60
    results = RESULTS.head(2).assign(text=[text + "yes", text + "no"])
    scorer = scoring("allenai/longformer-base-4096")
    assert len(scorer._encoder().tokenizer(text)["input_ids"]) > 400
    first, second = scores(scorer, results)
    assert first != pytest.approx(second, abs=1e-6)


@pytest.mark.parametrize("like", INFERENCE)
def test_models_for_inference_answer_by_their_published_labels(like):
    topics = RESULTS.drop_duplicates("qid").assign(text=lambda frame: frame["text"] * 3)
    answers = EntailmentClassifier(folder(like), load=CPU).transform(topics)
    encoder = EntailmentClassifier(folder(like), load=CPU)._encoder()
    labels = {label.lower(): number for number, label in encoder.config.id2label.items()}
    pairs = list(zip(topics["text"], topics["query"]))
    logits = encoder.predict(pairs, activation_fn=torch.nn.Identity()).astype(float)
    difference = logits[:, labels["entailment"]] - logits[:, labels["contradiction"]]
    assert answers["yes"].to_numpy() == pytest.approx(1 / (1 + np.exp(-difference)), abs=1e-5)


def test_a_model_for_inference_learns():
    topics = RESULTS.drop_duplicates("qid")[["qid", "query"]].assign(text=["yes", "no"] * 4)
    qrels = topics[["qid"]].assign(docno=["Y", "N"] * 4, label=1)
    training = TrainingOptions(epochs=12, learning_rate=4e-3, batch_size=4)
    judge = EntailmentClassifier(folder("microsoft/deberta-large-mnli"), training=training, load=CPU)
    assert judge.fit(topics, qrels).transform(topics)["qanswer"].tolist() == ["Y", "N"] * 4


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


def losses(network, batch, steps=12):
    """The losses of some steps of training."""
    optimiser = torch.optim.AdamW(network.parameters(), lr=5e-3)
    values = []
    for _ in range(steps):
        loss = network(**batch).loss
        values.append(loss.item())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return values


@pytest.mark.parametrize("like", LANGUAGE_MODELS)
def test_a_language_model_learns(like):
    is_seq2seq = PUBLISHED[like].is_seq2seq
    kind = transformers.AutoModelForSeq2SeqLM if is_seq2seq else transformers.AutoModelForCausalLM
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder(like))
    texts = [
        "the buyer may rescind the contract. 契約を解除する。",
        "the seller shall return the document. 権利を取得しない。",
    ]
    # the padding is not predicted; a tokenizer without a token for it gets the end of a text
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    batch = tokenizer(texts, padding=True, return_tensors="pt")
    batch["labels"] = batch["input_ids"].masked_fill(batch["attention_mask"] == 0, -100)
    found = losses(kind.from_pretrained(folder(like)), batch)
    assert found[-1] < 0.7 * found[0]


@pytest.mark.parametrize("like", ENCODERS)
def test_an_encoder_gives_each_text_its_own_unit_vector(like):
    encoder = SentenceTransformer(tiny_like(like, "encoder"), device="cpu")
    texts = LONG["text"].tolist()
    together, alone = encoder.encode(texts, batch_size=8), encoder.encode(texts[::-1], batch_size=1)[::-1]
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-5)
    assert together == pytest.approx(alone, abs=1e-5)
    assert np.abs(together[0] - together[-1]).max() > 0.01
