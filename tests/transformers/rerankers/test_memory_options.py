"""Options that save memory in training give the same model, or one of a lower precision that still learns."""

from dataclasses import replace

import numpy as np
import pytest
from toy_candidates import toy_candidates

from ir_coliee.models import TrainingOptions, training
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.transformers import PairScorer

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("sentence_transformers")
pytest.importorskip("datasets")

RUN, GOLD = toy_candidates(6, text="{word} gate {n}")
TRAINING = TrainingOptions(epochs=2, learning_rate=3e-3, batch_size=4)


@pytest.fixture(scope="module")
def without_dropout(tmp_path_factory):
    folder = tmp_path_factory.mktemp("without-dropout")
    network = transformers.AutoModelForSequenceClassification.from_pretrained(tiny_checkpoint("classifier"))
    network.config.hidden_dropout_prob = network.config.attention_probs_dropout_prob = 0.0
    network.save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(tiny_checkpoint("classifier")).save_pretrained(folder)
    return str(folder)


def fitted(model, training):
    return PairScorer(model, training=training, max_tokens=32).fit(RUN, GOLD)


def furthest(one, other):
    """The largest difference between two weights."""
    one, other = (fitted.fitted_model().network.model.state_dict() for fitted in (one, other))
    return max((one[name] - other[name]).abs().max().item() for name in one)


@pytest.fixture(scope="module")
def plain(without_dropout):
    return fitted(without_dropout, TRAINING)


@pytest.fixture
def gradients(monkeypatch):
    """The gradients after each batch of the trainings of a test."""
    collected, made = [], training._class

    def collecting(*arguments):
        class Trainer(made(*arguments)):
            def training_step(self, model, *args, **kwargs):
                loss = super().training_step(model, *args, **kwargs)
                collected.append({name: weights.grad.clone() for name, weights in model.named_parameters()})
                return loss

        return Trainer

    monkeypatch.setattr(training, "_class", collecting)
    return collected


@pytest.mark.parametrize("loss", ["binary cross-entropy", "ListNet"])
def test_two_batches_of_two_accumulated_are_one_of_four(loss, without_dropout, gradients):
    run = RUN[RUN["qid"].astype(int) < 4]  # of lists, a batch is the four queries
    once = replace(TRAINING, epochs=1)
    whole = PairScorer(without_dropout, training=once, loss=loss, max_tokens=32).fit(run, GOLD)
    of_four = gradients[0]
    gradients.clear()
    half = replace(once, batch_size=2, accumulate=2)
    accumulated = PairScorer(without_dropout, training=half, loss=loss, max_tokens=32).fit(run, GOLD)
    assert max((gradients[1][name] - of_four[name]).abs().max() for name in of_four) < 1e-5
    assert max(each.abs().max() for each in of_four.values()) > 1e-3
    if loss == "binary cross-entropy":
        # Adam turns the rounding errors of gradients that are 0 into steps: weights differ, scores do not; a loss on
        # lists has no gradient for what all scores have in common, so that there the scores may be shifted
        assert np.abs(whole(RUN)["score"].sort_index() - accumulated(RUN)["score"].sort_index()).max() < 1e-5


def test_a_training_that_ran_out_of_memory_continues_in_smaller_batches(
    plain, without_dropout, tmp_path, monkeypatch, capfd
):
    monkeypatch.setattr(training, "_SECONDS_BETWEEN_CHECKPOINTS", 0.0)
    stored, made, steps = replace(TRAINING, folder=tmp_path / "state"), training._class, []

    def failing(*arguments):
        class Trainer(made(*arguments)):
            def training_step(self, *args, **kwargs):
                if self.state.global_step == 4 and self.args.per_device_train_batch_size == 4:
                    raise torch.OutOfMemoryError
                steps.append(self.state.global_step)
                return super().training_step(*args, **kwargs)

        return Trainer

    monkeypatch.setattr(training, "_class", failing)
    with pytest.raises(torch.OutOfMemoryError):
        fitted(without_dropout, stored)
    continued = fitted(without_dropout, replace(stored, batch_size=2, accumulate=2))
    assert steps == [*range(4), *(step for step in range(4, 12) for _ in range(2))]
    assert np.abs(continued(RUN)["score"].sort_index() - plain(RUN)["score"].sort_index()).max() < 1e-5
    assert "do not match" not in capfd.readouterr().err  # transformers' warning about the batch size


def test_checkpointing_gives_the_same_weights(plain, without_dropout):
    assert furthest(fitted(without_dropout, replace(TRAINING, checkpointing=True)), plain) < 1e-6


def test_in_bfloat16_the_weights_stay_in_full_precision_and_it_learns(plain, without_dropout):
    mixed = fitted(without_dropout, replace(TRAINING, precision="bfloat16"))
    assert {weights.dtype for weights in mixed.fitted_model().network.parameters()} == {torch.float32}
    assert 0 < furthest(mixed, plain) < 0.05
    assert np.corrcoef(mixed(RUN)["score"].sort_index(), plain(RUN)["score"].sort_index())[0, 1] > 0.9
