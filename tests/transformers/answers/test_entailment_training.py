"""Fine-tuning of the language models that answer questions and judge candidates."""

import pickle

import pandas as pd
import pytest

pytest.importorskip("torch")
pytest.importorskip("peft")

import torch
from tiny_layouts import tiny_like

from ir_coliee.errors import ColieeError, InsufficientTrainingDataError
from ir_coliee.models import LocalModel
from ir_coliee.models.adapters import TrainingOptions
from ir_coliee.transformers import CandidateEntailment, Entailment
from ir_coliee.transformers.answers.prompting import balanced_rows

LoraConfig = pytest.importorskip("peft").LoraConfig

torch.set_num_threads(1)

TRAINING = TrainingOptions(epochs=12, learning_rate=1e-2, batch_size=4, adapter=LoraConfig(lora_alpha=32))
QUESTIONS = pd.DataFrame(
    {
        "qid": [f"R99-01-{letter}" for letter in "ABCDEFGH"],
        "query": ["A lamp is lit.", "A gate is lit."] * 4,
        "text": [f"Article {number} A lamp is lit." for number in range(900, 908)],
    }
)
QRELS = pd.DataFrame({"qid": QUESTIONS["qid"], "docno": ["Y", "N"] * 4, "label": 1})
POOL = QUESTIONS.assign(qid="900", docno=QUESTIONS["qid"], score=0.0)
RELEVANT = pd.DataFrame({"qid": "900", "docno": POOL["docno"][::2], "label": 1})


def model(**options):
    return LocalModel(tiny_like("Qwen/Qwen3-0.6B", "causal"), max_tokens=4, window=2048, **options)


def entailment(**options):
    return Entailment(model(probabilities=True), training=TRAINING, **options)


def judge():
    return CandidateEntailment(model(), training=TRAINING)


@pytest.fixture(scope="module")
def fitted():
    return entailment().fit(QUESTIONS, QRELS)


def test_answers_are_learned(fitted):
    answered = fitted(QUESTIONS)
    assert answered["qanswer"].tolist() == ["Y", "N"] * 4
    assert answered["yes"].round().tolist() == [1.0, 0.0] * 4


def test_a_fitted_judge_is_saved_loaded_and_pickled(fitted, tmp_path):
    folder = fitted.save(tmp_path / "judge")
    loaded = Entailment(model(probabilities=True, adapter=folder))
    expected = fitted(QUESTIONS)
    pd.testing.assert_frame_equal(loaded(QUESTIONS), expected)
    pd.testing.assert_frame_equal(pickle.loads(pickle.dumps(fitted))(QUESTIONS), expected)
    assert fitted != entailment()
    assert fitted.model == model(probabilities=True)
    assert entailment() == entailment()


def test_candidates_are_learned():
    scored = judge().fit(POOL, RELEVANT)(POOL)
    assert scored["score"].tolist() == [1.0] * 4 + [0.0] * 4
    assert set(scored["docno"][:4]) == set(RELEVANT["docno"])


def test_what_the_model_learns_is_balanced_and_answered_as_the_template_says(monkeypatch):
    learned = []

    def fit(self, conversations, replies, training, *, verbose):
        learned.extend(zip(conversations, replies))
        return self

    monkeypatch.setattr(LocalModel, "fit", fit)
    Entailment(model(), "steps.en").fit(QUESTIONS[:4], QRELS[[True, True, False, True, *[True] * 4]])
    assert [reply for _, reply in learned] == ["Answer: Yes", "Answer: No", "Answer: No", "Answer: Yes"]
    asked = [conversation[-1].content for conversation, _ in learned]
    assert [text.partition("Statement: ")[2].partition("\n")[0] for text in asked] == [
        QUESTIONS["query"][row] for row in (0, 1, 3, 0)
    ]
    assert "Article 900 A lamp is lit." in asked[0]


@pytest.mark.parametrize("answers", ["", "Y", "N", "YN", "YYYYN", "NNYNNYN"])
def test_rows_are_balanced_by_repeating_the_rarer_answer(answers):
    rows = balanced_rows(answers)
    chosen = [answers[row] for row in rows]
    assert rows[: len(answers)] == [*range(len(answers))]
    if len(set(answers)) == 2:
        assert chosen.count("Y") == chosen.count("N") == max(answers.count("Y"), answers.count("N"))
        repeats = [rows.count(row) for row in range(len(answers)) if answers.count(answers[row]) < len(answers) / 2]
        assert max(repeats, default=1) - min(repeats, default=1) <= 1


TooFew = InsufficientTrainingDataError


class Served:
    identity = "served"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: Entailment(Served()).fit(QUESTIONS, QRELS),
            ColieeError,
            "fine-tuned.* instead of Served",
        ),
        (
            lambda: entailment().fit(QUESTIONS[::2], QRELS),
            InsufficientTrainingDataError,
            "The 4 answers are not of both",
        ),
        (lambda: entailment().fit(QUESTIONS, QRELS.iloc[:0]), TooFew, "The 0 answers are not"),
        (lambda: entailment().fit(QUESTIONS, QRELS.assign(docno="maybe")), ColieeError, "R99-01-A: its answer in the"),
        (
            lambda: judge().fit(POOL, RELEVANT.assign(label=0)),
            InsufficientTrainingDataError,
            "None of the 8 candidates",
        ),
        (lambda: entailment().save("folder"), ValueError, "is not fitted"),
        (lambda: Entailment(Served(), training=3), TypeError, "training must be"),
    ],
)
def test_what_cannot_be_fitted_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
