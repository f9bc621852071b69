"""Embedders: windows, pooling and instructions, independence of the batch, stored embeddings, and fine-tuning."""

import json
from dataclasses import replace

import numpy as np
import pytest
from tiny_layouts import tiny_like

from ir_coliee.errors import ColieeError, ColieeWarning, ExistingFileError
from ir_coliee.models import Embedder, EmbeddingExample, EmbeddingStore, LoadOptions, TrainingOptions
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint

LoraConfig = pytest.importorskip("peft").LoraConfig

pytestmark = pytest.mark.slow

pytest.importorskip("sentence_transformers")

CPU = LoadOptions(device="cpu")
LONG = "a lamp by the gate of the well " * 20
TEXTS = ["x", "a gate", "It shines at night, says the keeper.", "a lamp", "a gate"]


def like(published):
    return tiny_like(published)


@pytest.fixture(scope="module")
def embedder():
    return Embedder(tiny_checkpoint("encoder"), load=CPU, max_tokens=32)


def by_hand(folder, text, pooling="mean"):
    """The embedding of one text, by transformers alone."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        tokens = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]
    vector = {"mean": tokens.mean(0), "cls": tokens[0], "lasttoken": tokens[-1]}[pooling].double().numpy()
    return vector / np.linalg.norm(vector)


@pytest.mark.parametrize(
    ("published", "pooling"),
    [
        ("intfloat/e5-base-v2", "mean"),
        ("BAAI/bge-base-en-v1.5", "cls"),
        ("Qwen/Qwen3-Embedding-0.6B", "lasttoken"),
        ("CSHaitao/SAILER_en_finetune", "mean"),
    ],
)
def test_an_embedding_is_that_of_the_published_pooling_and_does_not_depend_on_the_batch(published, pooling):
    embedder = Embedder(like(published), document_instruction="", load=CPU, max_tokens=64)
    together = embedder.embed_documents(TEXTS)
    assert together.counts.tolist() == [1] * 5
    for text, vector in zip(TEXTS, together.vectors):
        np.testing.assert_allclose(embedder.embed_documents([text]).vectors[0], vector, atol=1e-5)
        np.testing.assert_allclose(by_hand(embedder.model, text, pooling), vector, atol=1e-5)
    assert (together.vectors[1] == together.vectors[4]).all()


def test_the_pooling_of_tokens_can_be_chosen():
    sailer = like("CSHaitao/SAILER_en_finetune")
    first = Embedder(sailer, token_pooling="cls", load=CPU).embed_queries(["a lamp"])
    np.testing.assert_allclose(first.vectors[0], by_hand(sailer, "a lamp", "cls"), atol=1e-5)


def test_instructions_are_put_before_the_texts_and_those_of_the_checkpoint_are_used_by_default(embedder):
    instructed = replace(embedder, query_instruction="query: ", document_instruction="passage: ")
    plain = embedder.embed_documents(["query: a lamp", "passage: a lamp"]).vectors
    np.testing.assert_allclose(instructed.embed_queries(["a lamp"]).vectors[0], plain[0], atol=1e-6)
    np.testing.assert_allclose(instructed.embed_documents(["a lamp"]).vectors[0], plain[1], atol=1e-6)
    qwen = Embedder(like("Qwen/Qwen3-Embedding-0.6B"), load=CPU, max_tokens=128)
    own = qwen.encoder.prompts["query"]
    assert own.startswith("Instruct: ")
    np.testing.assert_array_equal(
        qwen.embed_queries(["a lamp"]).vectors, replace(qwen, query_instruction=own).embed_queries(["a lamp"]).vectors
    )
    with pytest.raises(ColieeError, match=r"The query instruction has .* tokens; max_tokens is 16"):
        replace(qwen, max_tokens=16).embed_queries(["a lamp"])


def test_long_texts_are_read_in_windows_that_cover_them_and_this_is_said_once(embedder):
    with pytest.warns(ColieeWarning, match="1 of 2 texts exceed the window of 30 tokens") as caught:
        whole = embedder.embed_documents([LONG, "a lamp"])
    assert len(caught) == 1
    windows = int(whole.counts[0])
    assert windows > 10
    assert whole.counts.tolist() == [windows, 1]
    with pytest.warns(ColieeWarning, match=r"up to \d+ windows, of which the mean counts"):
        mean = replace(embedder, pooling="mean").embed_documents([LONG]).vectors
    expected = whole.vectors[:windows].mean(axis=0, dtype=np.float64)
    np.testing.assert_allclose(mean[0], expected / np.linalg.norm(expected), atol=1e-6)
    with pytest.warns(ColieeWarning, match="of which only the first is read"):
        first = replace(embedder, pooling="first").embed_documents([LONG]).vectors
    np.testing.assert_allclose(first[0], whole.vectors[0], atol=1e-6)
    with pytest.warns(ColieeWarning, match="1 of 1 texts"):
        changed = embedder.embed_documents([LONG[:-1] + "?"])  # the last word counts, too
    assert not np.allclose(changed.vectors[-1], whole.vectors[windows - 1], atol=1e-4)


def test_embeddings_can_be_cut_to_their_first_dimensions_and_left_unscaled(embedder):
    raw = replace(embedder, normalise=False).embed_documents(["a lamp"]).vectors
    assert np.linalg.norm(raw) > 1.5
    cut = replace(embedder, dimensions=8).embed_documents(["a lamp"]).vectors
    np.testing.assert_allclose(cut[0], raw[0, :8] / np.linalg.norm(raw[0, :8]), atol=1e-6)


def test_batches_by_tokens_and_no_text_at_all(embedder):
    by_tokens = replace(embedder, batch_tokens=40).embed_documents(TEXTS)
    np.testing.assert_allclose(by_tokens.vectors, embedder.embed_documents(TEXTS).vectors, atol=1e-5)
    assert embedder.embed_documents([]).counts.tolist() == []
    assert embedder.embed_documents(["", "\ud800"]).vectors.shape == (2, 32)


class StoppedError(Exception):
    pass


def counted(embedder, monkeypatch, stop_after=None):
    """The texts that are embedded from here on."""
    embedded, encode = [], type(embedder.encoder).encode_document

    def counting(self, texts, **options):
        if stop_after is not None and len(embedded) >= stop_after:
            raise StoppedError
        embedded.extend(texts)
        return encode(self, texts, **options)

    monkeypatch.setattr(type(embedder.encoder), "encode_document", counting)
    return embedded


def test_after_an_interruption_only_the_texts_that_are_not_stored_are_embedded(embedder, tmp_path, monkeypatch):
    stored = replace(embedder, store=EmbeddingStore(tmp_path / "embeddings.sqlite"), batch_size=2)
    texts = [f"lamp {number}" for number in range(10)]
    with monkeypatch.context() as patch:
        counted(embedder, patch, stop_after=4)
        with pytest.raises(StoppedError):
            stored.embed_documents(texts)
    rest = counted(embedder, monkeypatch)
    again = replace(stored, store=EmbeddingStore(tmp_path / "embeddings.sqlite"))
    vectors = again.embed_documents(texts).vectors
    assert len(rest) == 6
    again.embed_documents(texts)
    assert len(rest) == 6
    np.testing.assert_allclose(vectors, embedder.embed_documents(texts).vectors, atol=1e-6)


OTHERS = {"max_tokens": 31, "pooling": "mean", "normalise": False, "dimensions": 8, "token_pooling": "cls"}
OTHERS |= {"document_instruction": "passage: ", "load": LoadOptions(device="cpu", dtype="bfloat16"), "model": "seed 1"}


@pytest.mark.parametrize("change", [{name: value} for name, value in OTHERS.items()])
def test_stored_embeddings_of_other_settings_are_not_used(embedder, tmp_path, change):
    stored = replace(embedder, store=EmbeddingStore(tmp_path / "embeddings.sqlite"))
    stored.embed_documents(["a lamp"])
    stored.store.add(json.dumps([stored.identity, "document", None]), {("a gate",): np.full((1, 32), 7, np.float32)})
    assert (stored.embed_documents(["a gate"]).vectors == 7).all()
    if "model" in change:
        change = {"model": tiny_checkpoint("encoder", seed=1)}
    assert not (replace(stored, **change).embed_documents(["a gate"]).vectors == 7).any()
    assert not (stored.embed_queries(["a gate"]).vectors == 7).any()


@pytest.mark.parametrize("wrong", [{"max_tokens": 1}, {"pooling": "sum"}, {"token_pooling": "max"}, {"batch_size": 0}])
def test_a_parameter_that_cannot_be_is_refused_by_name(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Embedder("a model", **wrong)


# fine-tuning

EXAMPLES = [EmbeddingExample(f"lamp {a}", f"it shines {a}", (f"it opens {a}", "gate")) for a in "abcdefgh"]
TRAINING = TrainingOptions(epochs=6, learning_rate=3e-3, batch_size=4)


def loss(embedder, examples=EXAMPLES):
    """The cross-entropy of the positives among all texts."""
    queries = embedder.embed_queries([example.query for example in examples]).vectors
    texts = [example.positive for example in examples] + [text for each in examples for text in each.negatives]
    logits = 20 * queries @ embedder.embed_documents(texts).vectors.T
    return float(np.mean(np.log(np.exp(logits).sum(axis=1)) - np.diagonal(logits)))


@pytest.fixture(scope="module")
def fitted(embedder):
    pytest.importorskip("accelerate")
    pytest.importorskip("datasets")
    return embedder.fit(EXAMPLES, training=TRAINING)


def test_fine_tuning_lowers_the_loss_and_leaves_the_embedder_as_it_was(embedder, fitted):
    before = embedder.embed_queries(["lamp a"]).vectors
    assert loss(fitted) < loss(embedder) - 0.5
    assert fitted == replace(embedder, model=fitted.model)
    np.testing.assert_array_equal(embedder.embed_queries(["lamp a"]).vectors, before)


def weights(embedder):
    return {name: value.numpy().copy() for name, value in embedder.encoder.state_dict().items()}


def test_an_adapter_is_saved_without_the_weights_and_loads_again(embedder, tmp_path):
    training = replace(TRAINING, adapter=LoraConfig(r=4, lora_alpha=32, lora_dropout=0.05), learning_rate=3e-2)
    adapted = embedder.fit(EXAMPLES, training=training)
    assert loss(adapted) < loss(embedder) - 0.1
    saved = replace(adapted, model=adapted.save(tmp_path / "saved"))
    np.testing.assert_allclose(
        saved.embed_queries(["a lamp"]).vectors, adapted.embed_queries(["a lamp"]).vectors, atol=1e-6
    )
    names = {path.name for path in (tmp_path / "saved").rglob("*")}
    assert "adapter_model.safetensors" in names
    assert "model.safetensors" not in names
    with pytest.raises(ExistingFileError, match="saved exists already"):
        embedder.save(tmp_path / "saved")


def test_an_interrupted_training_continues_and_gives_the_same_model_without_a_text(
    embedder, fitted, tmp_path, monkeypatch
):
    from sentence_transformers import SentenceTransformerTrainer as Trainer

    training = replace(TRAINING, folder=tmp_path / "state")
    step, steps = Trainer.training_step, []

    def stopping(self, *args, **kwargs):
        if len(steps) == 7:
            raise StoppedError
        steps.append(1)
        return step(self, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "training_step", stopping)
        with pytest.raises(StoppedError):
            embedder.fit(EXAMPLES, training=training)
    stored = weights(embedder.fit(EXAMPLES, training=training))
    assert stored.keys() == weights(fitted).keys()
    assert all(np.array_equal(stored[name], value) for name, value in weights(fitted).items())
    assert not any(b"lamp" in path.read_bytes() for path in training.folder.rglob("*") if path.is_file())
    monkeypatch.setattr("ir_coliee.models.training._run", None)  # a training that has ended is not repeated
    assert embedder.fit(EXAMPLES, training=training).model == str(training.folder / "model")
    with pytest.raises(ColieeError, match="belongs to another training"):
        embedder.fit(EXAMPLES[1:], training=training)


def test_what_cannot_be_trained_on_is_refused_and_what_is_cut_is_said(embedder):
    with pytest.raises(ColieeError, match="There are no training examples"):
        embedder.fit([])
    with pytest.raises(ColieeError, match="1 of 2 training examples have no negatives"):
        embedder.fit([EXAMPLES[0], EmbeddingExample("a", "b")])
    pytest.importorskip("accelerate")
    with pytest.warns(
        ColieeWarning, match=r"1 of 6 texts exceed the window of 32 tokens; of these, only the beginning"
    ):
        embedder.fit([EmbeddingExample("lamp", LONG, ("a",)), EmbeddingExample("gate", "b", ("c",))], training=TRAINING)
