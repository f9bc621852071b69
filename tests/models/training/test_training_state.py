"""Trainings that are interrupted and continued give what uninterrupted ones give; their folders hold no text."""

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from toy_candidates import toy_candidates

from ir_coliee.errors import ColieeError, ExistingFileError
from ir_coliee.models import TrainingOptions, training
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.models.training import open_training_state
from ir_coliee.transformers import PairScorer

torch = pytest.importorskip("torch")
pytest.importorskip("accelerate")
pytest.importorskip("datasets")
pytest.importorskip("sentence_transformers")

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

RUN, GOLD = toy_candidates(6, "lantern {q}", "{word} gate {n}")
TRAINING = TrainingOptions(epochs=3, learning_rate=3e-3, batch_size=4)
STEPS = 18


class Killed(Exception):  # noqa: N818
    """What ends a training in the middle."""


@pytest.fixture
def checkpoint_of_each_step(monkeypatch):
    monkeypatch.setattr(training, "_SECONDS_BETWEEN_CHECKPOINTS", 0.0)


class Steps:
    """The steps of the trainings of a test, one of which is ended by an exception."""

    def __init__(self):
        self.done = []
        self.killed_at = None

    def of(self, kind):
        steps = self

        class Trainer(kind):
            def training_step(self, *args, **kwargs):
                if self.state.global_step == steps.killed_at:
                    raise Killed
                steps.done.append(self.state.global_step)
                return super().training_step(*args, **kwargs)

        return Trainer


@pytest.fixture
def steps(monkeypatch):
    steps, made = Steps(), training._class
    monkeypatch.setattr(training, "_class", lambda *arguments: steps.of(made(*arguments)))
    return steps


def scorer(training, **options):
    return PairScorer(tiny_checkpoint("classifier"), training=training, max_tokens=32, **options)


def weights_of(fitted):
    return dict(fitted.fitted_model().network.model.state_dict())


def assert_same_weights(one, other):
    one, other = weights_of(one), weights_of(other)
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)


@pytest.fixture(scope="module")
def uninterrupted():
    return scorer(TRAINING).fit(RUN, GOLD)


def interrupted(folder, steps, step, *data, **options):
    """A scorer whose training has ended in a step."""
    stored = scorer(replace(TRAINING, folder=folder), **options)
    steps.killed_at = step
    with pytest.raises(Killed):
        stored.fit(*data)
    steps.killed_at = None
    steps.done.clear()
    return stored


@pytest.mark.parametrize("step", [1, 12])  # in the first epoch, after the last step of the second
def test_a_training_that_is_continued_gives_the_same_weights_to_the_last_bit(
    step, tmp_path, uninterrupted, checkpoint_of_each_step, steps
):
    stored = interrupted(tmp_path / "state", steps, step, RUN, GOLD)
    assert [path.name for path in (tmp_path / "state").glob("checkpoint-*")] == [f"checkpoint-{step}"]
    assert_same_weights(stored.fit(RUN, GOLD), uninterrupted)
    assert steps.done == list(range(step, STEPS))


def test_the_best_epoch_is_remembered_when_a_training_is_continued(tmp_path, checkpoint_of_each_step, steps):
    contrary = RUN.assign(text=RUN["text"].str.replace("yes", "no"))  # so that the first epoch is the best
    data = RUN, GOLD, contrary, GOLD
    whole = scorer(TRAINING).fit(*data)
    steps.done.clear()
    moved = tmp_path / "moved"
    interrupted(tmp_path / "state", steps, 14, *data)
    (tmp_path / "state").rename(moved)
    assert_same_weights(scorer(replace(TRAINING, folder=moved)).fit(*data), whole)
    assert steps.done == list(range(14, STEPS))


@pytest.mark.long
def test_a_process_that_is_killed_while_it_writes_continues_from_the_checkpoint_before(tmp_path, uninterrupted, steps):
    program = f"""
import os, signal
import pandas as pd
from ir_coliee.models import TrainingOptions
from ir_coliee.models import training as trainer
from ir_coliee.transformers import PairScorer
run, gold = (pd.read_json({str(tmp_path)!r} + name, dtype=False) for name in ("/run", "/gold"))
trainer._SECONDS_BETWEEN_CHECKPOINTS = 0.0
made = trainer._class

def killed(*arguments):
    class Trainer(made(*arguments)):
        def _save_rng_state(self, output_dir):  # the weights of this checkpoint are written, its state is not
            if self.state.global_step == 8:
                os.kill(os.getpid(), signal.SIGKILL)
            super()._save_rng_state(output_dir)

    return Trainer

trainer._class = killed
training = TrainingOptions(epochs=3, learning_rate=3e-3, batch_size=4, folder={str(tmp_path / "state")!r})
PairScorer({tiny_checkpoint("classifier")!r}, training=training, max_tokens=32).fit(run, gold)
"""
    RUN.to_json(tmp_path / "run")
    GOLD.to_json(tmp_path / "gold")
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -signal.SIGKILL
    assert {path.name for path in (tmp_path / "state").glob("checkpoint-*")} == {"checkpoint-7", "checkpoint-8"}
    assert_same_weights(scorer(replace(TRAINING, folder=tmp_path / "state")).fit(RUN, GOLD), uninterrupted)
    assert steps.done == list(range(7, STEPS))


def test_no_file_of_a_training_holds_a_text(tmp_path, checkpoint_of_each_step, steps):
    interrupted(tmp_path / "state", steps, 8, RUN, GOLD, RUN, GOLD)
    files = [path for path in (tmp_path / "state").rglob("*") if path.is_file()]
    assert {"training.json", "optimizer.pt", "model.safetensors"} <= {path.name for path in files}
    contents = [path.read_bytes() for path in files]
    assert not any(text.encode() in content for content in contents for text in (*RUN["text"], *RUN["query"]))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"epochs": 2}, "epochs was 3 and is 2 now"),
        ({"batch_size": 3, "accumulate": 2}, r"batch_size \* accumulate was 4 and is 6 now"),
    ],
)
def test_the_folder_of_another_training_is_refused_and_left_as_it_is(
    changed, message, tmp_path, checkpoint_of_each_step, steps
):
    interrupted(tmp_path / "state", steps, 2, RUN, GOLD)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    with pytest.raises(ColieeError, match=rf"state belongs to another training.\nThere {message}"):
        scorer(replace(TRAINING, folder=tmp_path / "state", **changed)).fit(RUN, GOLD)
    with pytest.raises(ColieeError, match="There its examples changed"):
        scorer(replace(TRAINING, folder=tmp_path / "state")).fit(RUN.iloc[1:], GOLD)
    with pytest.raises(ColieeError, match="There loss was None and is 'RankNet' now"):
        scorer(replace(TRAINING, folder=tmp_path / "state"), loss="RankNet").fit(RUN, GOLD)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be locked there")
def test_a_folder_serves_one_training_at_a_time_until_it_has_ended(tmp_path):
    training, settings = TrainingOptions(folder=tmp_path / "state"), {"model": "one"}
    second = open_training_state(training, settings, [])
    with (
        open_training_state(training, settings, []),
        pytest.raises(ColieeError, match=r"Another training is running in .*state\.\nWait for its end"),
    ):
        second.__enter__()
    with open_training_state(training, settings, []) as state:
        state.begin()
        state.end(lambda folder: Path(folder).mkdir())
    with open_training_state(training, settings, []) as one, open_training_state(training, settings, []) as other:
        assert one.has_ended
        assert other.has_ended


def test_a_training_whose_loss_compares_the_texts_of_a_batch_keeps_its_batches(
    tmp_path, checkpoint_of_each_step, steps
):
    interrupted(tmp_path / "state", steps, 1, RUN, GOLD, loss="contrastive")
    smaller = replace(TRAINING, folder=tmp_path / "state", batch_size=2, accumulate=2)
    with pytest.raises(ColieeError, match="There batch_size was 4 and is 2 now; accumulate was 1 and is 2 now"):
        scorer(smaller, loss="contrastive").fit(RUN, GOLD)


def test_a_folder_with_other_files_is_refused_and_one_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(ExistingFileError, match="exists and holds no training"):
        scorer(replace(TRAINING, folder=tmp_path)).fit(RUN, GOLD)
    with pytest.raises(ColieeError, match=r"The training cannot be stored in .*notes/state\.\nThe reason: "):
        scorer(replace(TRAINING, folder=tmp_path / "notes" / "state")).fit(RUN, GOLD)


def test_a_disk_that_is_full_ends_the_training_and_leaves_the_last_checkpoint(
    tmp_path, uninterrupted, checkpoint_of_each_step, steps, monkeypatch
):
    written = torch.save

    def full(content, path, *args, **kwargs):
        if "checkpoint-5" in str(path):
            raise RuntimeError("[enforce fail at inline_container.cc] . PytorchStreamWriter failed writing file")
        written(content, path, *args, **kwargs)

    stored = scorer(replace(TRAINING, folder=tmp_path / "state"))
    with monkeypatch.context() as patch:
        patch.setattr(torch, "save", full)
        with pytest.raises(
            ColieeError, match=r"The training cannot be stored in .*state\.\nThe reason: .*failed writing file"
        ):
            stored.fit(RUN, GOLD)
    steps.done.clear()
    assert_same_weights(stored.fit(RUN, GOLD), uninterrupted)
    assert steps.done == list(range(4, STEPS))


def test_a_training_that_diverges_says_so_and_gives_no_model(tmp_path):
    diverging = scorer(replace(TRAINING, learning_rate=1e30, folder=tmp_path / "state"))
    with pytest.raises(ColieeError, match=r"The training diverged: .*\nIts model is not used. Use a lower"):
        diverging.fit(RUN, GOLD)
    with pytest.raises(ValueError, match="is not fitted"):
        diverging.fitted_model()
    assert not (tmp_path / "state" / "model").exists()
