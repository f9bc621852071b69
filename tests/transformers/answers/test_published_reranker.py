"""The recipe of Qwen3-Reranker's model card, by a plain forward pass: the same scores."""

import pandas as pd
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch
import transformers
from tiny_layouts import tiny_like

from ir_coliee.errors import ColieeError
from ir_coliee.models import LoadOptions, LocalModel, ServedModel
from ir_coliee.transformers import CandidateEntailment

INSTRUCTION = "Given a web search query, retrieve relevant passages that answer the query"
PREFIX = (
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct "
    'provided. Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n'
)
SUFFIX = "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
RUN = pd.DataFrame(
    {
        "qid": ["1"] * 3 + ["2"] * 3,
        "query": ["Is the lamp lit?"] * 3 + ["May the buyer rescind the contract?"] * 3,
        "docno": list("abcdef"),
        "text": [f"The keeper lights the lamp {'of the harbour ' * number}at night. 契約" for number in range(6)],
    }
)


def published(folder, pairs):
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, padding_side="left")
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    texts = [f"<Instruct>: {INSTRUCTION}\n<Query>: {query}\n<Document>: {text}" for query, text in pairs]
    around = [tokenizer.encode(part, add_special_tokens=False) for part in (PREFIX, SUFFIX)]
    tokens = tokenizer(texts, padding=False, return_attention_mask=False)
    tokens["input_ids"] = [around[0] + ids + around[1] for ids in tokens["input_ids"]]
    inputs = tokenizer.pad(tokens, padding=True, return_tensors="pt")
    with torch.no_grad():
        logits = model(**inputs).logits[:, -1, :]
    yes, no = (logits[:, tokenizer.convert_tokens_to_ids(word)] for word in ("yes", "no"))
    return torch.nn.functional.log_softmax(torch.stack([no, yes], dim=1), dim=1)[:, 1].exp().tolist()


def scorer(batch_size):
    model = LocalModel(
        tiny_like("Qwen/Qwen3-0.6B"),
        max_tokens=1,
        probabilities=("yes", "no"),
        chat_options={"enable_thinking": False},
        batch_size=batch_size,
        load=LoadOptions(device="cpu"),
    )
    return CandidateEntailment(model, "qwen3-reranker.en")


@pytest.mark.parametrize("batch_size", [1, 6])
def test_the_published_recipe_is_one_call(batch_size):
    expected = published(tiny_like("Qwen/Qwen3-0.6B"), zip(RUN["query"], RUN["text"]))
    found = scorer(batch_size)(RUN).set_index("docno")["score"]
    assert found[RUN["docno"]].tolist() == pytest.approx(expected, abs=1e-6)
    assert found.round(4).nunique() > 3


def test_words_of_several_tokens_cannot_be_compared():
    model = LocalModel(tiny_like("Qwen/Qwen3-0.6B"), max_tokens=1, probabilities=("entailed", "not entailed"))
    with pytest.raises(ColieeError, match="entailed is not a single token"):
        CandidateEntailment(model)(RUN)


@pytest.mark.parametrize("kind", [LocalModel, ServedModel])
def test_what_names_no_two_tokens_is_refused(kind):
    for given in ("yes", ("yes",), ("yes", "yes"), ("yes", 0), ("", "no")):
        with pytest.raises(ValueError, match="probabilities must be True, False, or the tokens of yes and no, got"):
            kind("a-model", probabilities=given)
