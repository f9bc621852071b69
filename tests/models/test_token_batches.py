"""Batches by tokens, and what happens when memory runs out."""

import random

import pytest

from ir_coliee.errors import ColieeError
from ir_coliee.models import LocalModel, Question, get_replies
from ir_coliee.models.batches import halving, token_batches
from ir_coliee.models.local import Checkpoint
from ir_coliee.models.templates import Turn
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint

torch = pytest.importorskip("torch")


def lengths_of(number, seed=0):
    return [random.Random(seed + position).choice([1, 3, 8, 40, 200]) for position in range(number)]


@pytest.mark.parametrize(("size", "tokens"), [(1, None), (7, None), (7, 256), (100, 64), (3, 1)])
def test_each_text_is_in_one_batch_and_no_batch_is_above_its_limits(size, tokens):
    lengths = lengths_of(50)
    batches = token_batches(lengths, batch_size=size, batch_tokens=tokens)
    assert sorted(position for batch in batches for position in batch) == list(range(50))
    longest = [max(lengths[position] for position in batch) for batch in batches]
    assert longest == sorted(longest, reverse=True)
    for batch, width in zip(batches, longest):
        assert len(batch) <= size
        assert tokens is None or len(batch) == 1 or len(batch) * width <= tokens


def out_of_memory_above(limit, calls):
    def compute(batch):
        calls.append(len(batch))
        if len(batch) > limit:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return [10 * position for position in batch]

    return compute


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 100])
@pytest.mark.parametrize("size", [1, 8, 13])
def test_every_text_is_computed_once_in_the_order_of_the_batches_whatever_fits(limit, size, monkeypatch):
    monkeypatch.setattr("accelerate.utils.memory.clear_device_cache", lambda **_: None)  # which takes a while
    batches = token_batches(lengths_of(40), batch_size=size)
    calls = []
    results = list(halving(batches, out_of_memory_above(limit, calls)))
    done = [position for batch, _ in results for position in batch]
    assert done == [position for batch in batches for position in batch]
    assert all(values == [10 * position for position in batch] for batch, values in results)
    assert all(len(batch) <= limit for batch, _ in results)
    # what did not fit is not tried again: one failure per halving
    assert len(calls) - len(results) <= max(size, 2).bit_length()


@pytest.mark.parametrize(
    "message", ["CUDA out of memory. Tried", "MPS backend out of memory", "DefaultCPUAllocator: can't allocate memory"]
)
def test_a_text_that_does_not_fit_is_an_error_with_the_next_step(message):
    def compute(_batch):
        raise RuntimeError(f"[enforce fail] {message}: you tried to allocate 1 byte")

    with pytest.raises(ColieeError, match="too small for one text") as caught:
        list(halving([[0, 1, 2]], compute))
    assert 'LoadOptions(dtype="bfloat16"' in str(caught.value)


def test_other_errors_are_not_taken_for_it():
    def compute(_batch):
        raise RuntimeError("the sizes of tensors must match")

    with pytest.raises(RuntimeError, match="sizes of tensors"):
        list(halving([[0, 1]], compute))


QUESTIONS = [Question((Turn("user", "Is a lamp old? " * (1 + number % 5) + str(number)),)) for number in range(9)]


@pytest.mark.parametrize("kind", ["causal", "seq2seq"])
def test_a_language_model_replies_the_same_when_memory_runs_out(kind, monkeypatch):
    model = LocalModel(tiny_checkpoint(kind), max_tokens=4, batch_size=9)
    expected = get_replies(model, QUESTIONS)
    replying, sizes = Checkpoint.reply_tokens, []

    def limited(self, prompts, *others):
        if len(prompts) > 2:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        sizes.append(len(prompts))
        return replying(self, prompts, *others)

    monkeypatch.setattr(Checkpoint, "reply_tokens", limited)
    assert get_replies(model, QUESTIONS) == expected
    assert sum(sizes) == len(QUESTIONS)
