"""What selects the epoch of a training, what it shows, and trainings by several processes."""

import os
import subprocess
import sys
from collections import Counter

import pytest
from ir_measures import R
from toy_candidates import toy_candidates

from ir_coliee import MicroF1
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.cutoffs import fit_cutoff
from ir_coliee.models import Embedder, EmbeddingExample, TrainingOptions, training
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.transformers import MonoT5, PairScorer

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("accelerate")
pytest.importorskip("sentence_transformers")

pytestmark = pytest.mark.slow

RUN, GOLD = toy_candidates(4, "lantern {q}", "{word} gate {n}")
CONTRARY = RUN.assign(text=RUN["text"].str.replace("yes", "no"))
SCORERS = {PairScorer: ("classifier", 32), MonoT5: ("seq2seq", 64)}


def scorer(kind, **options):
    checkpoint, max_tokens = SCORERS[kind]
    options = {"epochs": 3, "learning_rate": 3e-3, "batch_size": 4} | options
    return kind(tiny_checkpoint(checkpoint), max_tokens=max_tokens, training=TrainingOptions(**options))


def micro_f1(run, gold):
    return fit_cutoff(gold, run, MicroF1).value


def recall_at_one(ranking, gold):
    best = ranking[ranking["rank"] == 0].merge(gold, on=["qid", "docno"])
    return len(best) / gold["qid"].nunique()


class Weights(transformers.TrainerCallback):
    """Keeps the measure of each epoch and a copy of the weights."""

    def __init__(self, name):
        self.name, self.values, self.weights = name, [], []

    def on_evaluate(self, args, state, control, model, metrics, **_):
        self.values.append(metrics[f"eval_{self.name}"])
        self.weights.append({name: each.clone() for name, each in model.state_dict().items()})


@pytest.mark.parametrize("kind", SCORERS)
@pytest.mark.parametrize("measure", [R @ 1, micro_f1])
def test_the_epoch_with_the_best_measure_of_the_ranking_is_used(kind, measure, tmp_path):
    seen = Weights(getattr(measure, "__name__", None) if measure is micro_f1 else "R@1")
    fitted = scorer(kind, measure=measure, callbacks=[seen]).fit(RUN, GOLD, CONTRARY, GOLD)
    best = seen.values.index(max(seen.values))
    weights = fitted.fitted_model().network
    assert len(seen.values) == 3
    assert all(torch.equal(seen.weights[best][name], each) for name, each in weights.state_dict().items())
    ranking = fitted(CONTRARY)
    expected = micro_f1(ranking, GOLD) if measure is micro_f1 else recall_at_one(ranking, GOLD)
    assert max(seen.values) == pytest.approx(expected)


def test_early_stopping_ends_a_training_whose_measure_no_longer_rises():
    seen = Weights("constant")
    early = transformers.EarlyStoppingCallback(early_stopping_patience=2)

    def constant(run, gold):
        return 0.5

    scorer(PairScorer, epochs=6, measure=constant, callbacks=[seen, early]).fit(RUN, GOLD, RUN, GOLD)
    assert seen.values == [0.5] * 3


@pytest.mark.parametrize(("seconds", "is_shown"), [(0.0, True), (1e6, False)])
def test_a_long_training_shows_its_losses_and_measure(seconds, is_shown, capsys, monkeypatch):
    monkeypatch.setattr(training, "_SECONDS_WITHOUT_LOSSES", seconds)
    scorer(PairScorer, epochs=1, measure=R @ 1).fit(RUN, GOLD, RUN, GOLD)
    shown = Counter(line.partition(": ")[2].rpartition(" ")[0] for line in capsys.readouterr().err.splitlines())
    assert shown == ({"loss": 4, "validation loss": 1, "validation R@1": 1} if is_shown else {})


def test_a_measure_without_validation_data_or_a_ranking_is_refused():
    with pytest.raises(ColieeError, match="measure=R@1 needs validation data"):
        scorer(PairScorer, measure=R @ 1).fit(RUN, GOLD)
    examples, embedder = [EmbeddingExample("a lamp", "a gate")] * 2, Embedder(tiny_checkpoint("encoder"))
    with pytest.raises(ColieeError, match="measure=R@1 needs validation data"):
        embedder.fit(examples, examples, training=TrainingOptions(measure=R @ 1))


@pytest.mark.parametrize(("wrong", "message"), [("R@1", "a measure of ir_measures"), (MicroF1, "MicroF1@1")])
def test_a_measure_that_cannot_select_is_refused(wrong, message):
    with pytest.raises((TypeError, ValueError), match=message):
        TrainingOptions(measure=wrong)


@pytest.mark.long
def test_two_processes_train_together_with_and_without_a_folder(tmp_path):
    program = f"""
import pandas as pd, torch, os
from ir_measures import R
from ir_coliee.models import Embedder, EmbeddingExample, LoadOptions, TrainingOptions
from ir_coliee.transformers import MonoT5, PairScorer
run, gold = (pd.read_json({str(tmp_path)!r} + name, dtype=False) for name in ("/run", "/gold"))
load, weights = LoadOptions(device="cpu"), dict()
for folder in ({str(tmp_path / "state")!r}, None):
    training = TrainingOptions(epochs=2, learning_rate=3e-3, batch_size=2, folder=folder, measure=R @ 1)
    fitted = PairScorer({tiny_checkpoint("classifier")!r}, load=load, training=training, max_tokens=32)
    weights[folder] = fitted.fit(run, gold, run, gold).fitted_model().network.state_dict()
training = TrainingOptions(epochs=1, batch_size=2)
mono = MonoT5({tiny_checkpoint("seq2seq")!r}, load=load, training=training, max_tokens=64).fit(run, gold)
weights["mono"] = mono.fitted_model().network.state_dict()
embedder = Embedder({tiny_checkpoint("encoder")!r}, load=load)
examples = [EmbeddingExample("a lamp " + str(n), "a gate " + str(n)) for n in range(8)]
weights["embedder"] = embedder.fit(examples, training=training).encoder.state_dict()
torch.save(weights, {str(tmp_path)!r} + "/weights-" + os.environ["RANK"])
"""
    RUN.to_json(tmp_path / "run")
    GOLD.to_json(tmp_path / "gold")
    (tmp_path / "program.py").write_text(program)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    ended = subprocess.run([*command, tmp_path / "program.py"], env=environment, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()[-3000:]
    first, second = (torch.load(tmp_path / f"weights-{rank}") for rank in (0, 1))
    assert [*first] == [str(tmp_path / "state"), None, "mono", "embedder"]
    assert all(torch.equal(first[model][name], second[model][name]) for model in first for name in first[model])
    assert all(torch.equal(first[None][name], each) for name, each in first[str(tmp_path / "state")].items())
    untrained = scorer(PairScorer)._checkpoint().network.state_dict()
    assert not all(torch.equal(first[None][name], untrained[name]) for name in untrained)
