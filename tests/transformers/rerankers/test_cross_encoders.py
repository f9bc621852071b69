"""Cross-encoders: what they score, what they learn, and what they refuse."""

import pickle

import numpy as np
import pandas as pd
import pytest
from tiny_layouts import tiny_like
from toy_candidates import toy_candidates

from ir_coliee.errors import ColieeError, ColieeWarning, ExistingFileError
from ir_coliee.models import LoadOptions, ScoreStore, TrainingOptions
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.transformers import EntailmentClassifier, PairScorer
from ir_coliee.transformers.answers.prompting import QuestionText, candidate_texts

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

torch = pytest.importorskip("torch")
sentence_transformers = pytest.importorskip("sentence_transformers")

RUN = pd.DataFrame(
    {
        "qid": ["900", "900", "901"],
        "query": ["it shines", "it shines", "it opens"],
        "docno": ["1", "2", "1"],
        "text": ["A lamp.", "A gate of iron, with a bell beside it.", "A gate."],
        "score": [1.0, 2.0, 3.0],
    }
)
TRAINING = TrainingOptions(epochs=8, learning_rate=3e-3)
LESSON = {"training": TRAINING, "load": LoadOptions(device="cpu"), "max_tokens": 32}


@pytest.fixture(scope="module")
def classifier():
    return tiny_checkpoint("classifier")


@pytest.fixture(scope="module")
def entailment():
    return tiny_checkpoint("entailment")


def with_labels(folder, labels, kind="classifier"):
    """A checkpoint of ours whose head has other labels."""
    number = dict(enumerate(labels))
    encoder = sentence_transformers.CrossEncoder(
        tiny_checkpoint(kind),
        device="cpu",
        config_kwargs={"num_labels": len(labels), "id2label": number, "label2id": {v: k for k, v in number.items()}},
        model_kwargs={"ignore_mismatched_sizes": True},
    )
    encoder.save_pretrained(str(folder), create_model_card=False)
    return str(folder)


def scores_of(results):
    return dict(zip(zip(results["qid"], results["docno"]), results["score"]))


def by_hand(folder, first, second):
    """The logits of one pair, by transformers alone."""
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        return model(**tokenizer(first, second, return_tensors="pt")).logits[0].double().numpy()


def test_the_score_is_the_logistic_function_of_the_models_one_number(classifier):
    scores = scores_of(PairScorer(classifier, load=LoadOptions(device="cpu"))(RUN))
    for qid, query, docno, text in zip(RUN["qid"], RUN["query"], RUN["docno"], RUN["text"]):
        (logit,) = by_hand(classifier, query, text)
        assert scores[qid, docno] == pytest.approx(1 / (1 + np.exp(-logit)), abs=1e-5)


def test_of_two_labels_the_score_is_the_probability_of_the_second(tmp_path):
    folder = with_labels(tmp_path / "two", ["no", "yes"])
    scores = scores_of(PairScorer(folder, load=LoadOptions(device="cpu"))(RUN))
    first, second = np.exp(by_hand(folder, "it shines", "A lamp."))
    assert scores["900", "1"] == pytest.approx(second / (first + second), abs=1e-5)


def counted_predictions(monkeypatch):
    """The pairs that are computed from here on."""
    computed, predict = [], sentence_transformers.CrossEncoder.predict

    def counting(self, pairs, **options):
        computed.extend(pairs)
        return predict(self, pairs, **options)

    monkeypatch.setattr(sentence_transformers.CrossEncoder, "predict", counting)
    return computed


def test_stored_scores_are_not_computed_again_by_the_same_model_with_the_same_settings(
    classifier, entailment, tmp_path, monkeypatch
):
    store = ScoreStore(tmp_path / "scores.sqlite")
    scored = PairScorer(classifier, score_store=store)(RUN)
    computed = counted_predictions(monkeypatch)
    again = PairScorer(classifier, batch_size=1, score_store=ScoreStore(store.path))
    pd.testing.assert_frame_equal(
        again(RUN.assign(docno=["7", "8", "9"])).drop(columns="docno"), scored.drop(columns="docno")
    )
    assert computed == []
    for other in (
        PairScorer(classifier, max_tokens=30, score_store=store),
        PairScorer(tiny_checkpoint("classifier", seed=1), score_store=store),
        EntailmentClassifier(entailment, score_store=store),
    ):
        computed.clear()
        assert len(other(RUN)) == len(RUN)
        assert computed
        computed.clear()
        assert len(other(RUN)) == len(RUN)
        assert computed == []


def test_a_text_beyond_the_window_is_read_in_windows_and_the_highest_score_or_the_mean_counts(classifier):
    text = "A lamp for the gate, " + "with a bell beside it, " * 9
    long = RUN.iloc[:2].assign(text=["A lamp.", text])
    whole = PairScorer(classifier, max_tokens=60)
    windows = [each.texts for each in whole._checkpoint().windows(candidate_texts(long, whole), "max")]
    assert windows[0] == [("it shines", "A lamp.")]
    assert {query for query, _ in windows[1]} == {"it shines"}
    assert all(piece in text for _, piece in windows[1])
    assert set("".join(piece for _, piece in windows[1])) >= set(text) - {" "}
    encode = whole._checkpoint().network.tokenizer
    assert all(50 < len(encode(*pair)["input_ids"]) <= 60 for pair in windows[1])
    loop = [1 / (1 + np.exp(-by_hand(classifier, *pair)[0])) for pair in windows[1]]
    assert len(set(loop)) > 2
    with pytest.warns(
        ColieeWarning, match=r"1 of 2 texts \(50%\) exceed the window: each is read in up to \d"
    ) as caught:
        assert scores_of(whole(long))["900", "2"] == pytest.approx(max(loop), abs=1e-5)
    assert [each.filename for each in caught] == [__file__]
    mean = PairScorer(classifier, max_tokens=60, pooling="mean")
    assert scores_of(mean(long))["900", "2"] == pytest.approx(np.mean(loop), abs=1e-5)
    with pytest.warns(ColieeWarning, match=r"only their beginning is read, \d+% of their tokens"):
        first = scores_of(PairScorer(classifier, max_tokens=60, pooling="first")(long))
    assert first["900", "2"] == pytest.approx(loop[0], abs=1e-5)
    assert first["900", "1"] == scores_of(whole(long))["900", "1"]


def test_a_missing_text_is_empty(classifier):
    scorer = PairScorer(classifier)
    blank, missing = (scorer(RUN.assign(text=[text, "x", "y"])) for text in ("", None))
    assert scores_of(missing) == scores_of(blank)
    assert scorer(RUN.iloc[:0]).empty


def fit(*given):
    return PairScorer(tiny_checkpoint("classifier")).fit(*given)


WITHOUT_TEXTS = r"'text'.*which pt\.text\.get_text\(dataset"
THREE_LABELS = r"(?s)has 3 labels; .* one score or two .*\nIts labels are entailment, neutral, contradiction.*with fit"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: PairScorer("a")(RUN.assign(text=["x", "y", 3])), ColieeError, "Query 901: text must be a string"),
        (lambda: PairScorer("a")(RUN.drop(columns="text")), KeyError, WITHOUT_TEXTS),
        (lambda: PairScorer("a", batch_size=0), ValueError, "batch_size"),
        (lambda: EntailmentClassifier("a", max_tokens=1), ValueError, "max_tokens"),
        (lambda: PairScorer(tiny_checkpoint("entailment"))(RUN), ColieeError, THREE_LABELS),
        (lambda: fit(TOY, TOY_GOLD.assign(docno="7")), ColieeError, "None of the 48 candidates are relevant"),
        (lambda: fit(TOY[TOY["docno"] == "2"], TOY_GOLD), ColieeError, "All of the"),
        (lambda: fit(TOY.iloc[:0], TOY_GOLD), ColieeError, "None of the"),
        (lambda: fit(TOY.drop(columns="text"), TOY_GOLD), KeyError, WITHOUT_TEXTS),
        (lambda: fit(TOY, TOY_GOLD.drop(columns="label")), KeyError, "label"),
    ],
)
def test_what_cannot_be_scored_or_learned_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


# learning

TOY, TOY_GOLD = toy_candidates(12)
TOY = TOY.assign(score=0.0)


def apart(scores, right):
    """How far the right ones are above the wrong ones, on average."""
    return scores[right].mean() - scores[~right].mean()


@pytest.fixture(scope="module")
def learned(classifier):
    pytest.importorskip("accelerate")
    pytest.importorskip("datasets")
    return PairScorer(classifier, **LESSON).fit(TOY, TOY_GOLD)


def test_it_learns_what_can_be_told_apart(learned, classifier):
    before, after = PairScorer(classifier)(TOY), learned(TOY)
    assert after.groupby("qid").first()["docno"].eq("2").all()
    assert apart(after["score"], after["docno"] == "2") > apart(before["score"], before["docno"] == "2") + 0.01


def test_what_is_learned_survives_pickling_and_saving_without_a_text(learned, tmp_path):
    written = pickle.dumps(learned)
    pd.testing.assert_frame_equal(pickle.loads(written)(TOY), learned(TOY))
    folder = learned.save(tmp_path / "checkpoint")
    pd.testing.assert_frame_equal(PairScorer(folder, max_tokens=32)(TOY), learned(TOY))
    assert b"light" not in written
    assert not any(b"light" in file.read_bytes() for file in (tmp_path / "checkpoint").rglob("*") if file.is_file())
    assert learned.save(folder) == folder  # the same weights
    with pytest.raises(ExistingFileError, match="checkpoint exists already"):
        PairScorer(tiny_checkpoint("classifier"), max_tokens=32).save(folder)
    pd.testing.assert_frame_equal(PairScorer(folder, max_tokens=32)(TOY), learned(TOY))
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint"]


def test_stored_scores_of_a_fitted_model_are_its_own(learned, tmp_path, monkeypatch):
    store = ScoreStore(tmp_path / "scores.sqlite")
    PairScorer(learned.model, max_tokens=32, score_store=store)(TOY)  # the model that is not fitted
    scorers = [pickle.loads(pickle.dumps(learned)) for _ in range(2)]
    computed = counted_predictions(monkeypatch)
    for scorer in scorers:
        scorer.score_store = store
        pd.testing.assert_frame_equal(scorer(TOY), learned(TOY))
    assert len(computed) == 2 * 3  # two distinct pairs, by both of `learned` and once by the others


def test_of_the_epochs_the_one_is_kept_that_is_best_on_the_queries_to_validate_with(learned, classifier):
    contrary = TOY.assign(text=TOY["text"].map({"yes": "no", "no": "yes"}))
    kept = PairScorer(classifier, **LESSON).fit(TOY, TOY_GOLD, contrary, TOY_GOLD)

    def loss(scorer):
        scores, right = scorer(contrary)["score"], scorer(contrary)["docno"] == "2"
        return -np.log(scores.where(right, 1 - scores)).mean()

    assert loss(kept) < loss(learned)  # what was learned last is the most wrong there


# yes or no

ASKED = pd.DataFrame({"qid": ["R99-01-A", "R99-01-I"], "query": ["a lamp", "a gate"], "text": ["A lamp.", "Iron."]})


def test_yes_is_entailment_beside_contradiction_with_the_text_as_the_premise(entailment):
    answers = EntailmentClassifier(entailment, load=LoadOptions(device="cpu"))(ASKED)
    for query, text, yes, answer in zip(ASKED["query"], ASKED["text"], answers["yes"], answers["qanswer"]):
        entailed, _, contradicted = np.exp(by_hand(entailment, text, query))
        assert yes == pytest.approx(entailed / (entailed + contradicted), abs=1e-5)
        assert answer == ("Y" if yes > 0.5 else "N")


def test_labels_are_found_by_name_wherever_they_stand(tmp_path):
    folder = with_labels(tmp_path / "turned", ["CONTRADICTION", "Entailment"])
    yes = EntailmentClassifier(folder, load=LoadOptions(device="cpu"))(ASKED)["yes"]
    contradicted, entailed = np.exp(by_hand(folder, "A lamp.", "a lamp"))
    assert yes[0] == pytest.approx(entailed / (entailed + contradicted), abs=1e-5)
    two = with_labels(tmp_path / "two", ["entailment", "not_entailment"])
    assert EntailmentClassifier(two)(ASKED)["yes"].between(0, 1).all()


def test_a_model_without_these_labels_is_refused_with_those_that_it_has(tmp_path):
    folder = with_labels(tmp_path / "odd", ["true", "false"])
    with pytest.raises(ColieeError, match=r"no labels entailment and contradiction.\nIts labels are true, false"):
        EntailmentClassifier(folder)(ASKED)


def test_a_text_beyond_the_window_is_read_in_windows_whose_mean_counts(entailment):
    classifier = EntailmentClassifier(entailment, max_tokens=24)
    text = "lamp gate oak well bell tar"
    with pytest.warns(ColieeWarning, match=r"(?s)1 of 1 texts .* windows, of which the mean score counts"):
        (whole,) = classifier(pd.DataFrame({"qid": ["1"], "query": ["a lamp"], "text": [text]}))["yes"]
    (found,) = classifier._checkpoint().windows([QuestionText("1", "a lamp", text)], "mean")
    windows = [window for _, window in found.texts]
    parts = [
        classifier(pd.DataFrame({"qid": ["1"], "query": ["a lamp"], "text": [each]}))["yes"][0] for each in windows
    ]
    assert len(set(parts)) > 1
    assert whole == pytest.approx(np.mean(parts), abs=1e-6)


QUESTIONS = pd.DataFrame({"qid": [f"R99-{n:02}-A" for n in range(24)], "query": ["yes", "no"] * 12, "text": "A lamp."})
ANSWERS = pd.DataFrame({"qid": QUESTIONS["qid"], "docno": ["Y", "N"] * 12, "label": 1})


@pytest.mark.parametrize("kind", ["entailment", "classifier", "encoder"])
def test_it_learns_yes_and_no_and_what_is_saved_answers_the_same(kind, tmp_path):
    pytest.importorskip("accelerate")
    pytest.importorskip("datasets")
    classifier = EntailmentClassifier(
        tiny_checkpoint(kind),
        **LESSON | ({} if kind == "entailment" else {"training": TrainingOptions(epochs=10, learning_rate=1e-2)}),
    ).fit(QUESTIONS, ANSWERS)
    answered = classifier(QUESTIONS)
    if kind == "entailment":
        assert apart(answered["yes"], ANSWERS["docno"] == "Y") > 0.01
    else:  # of what has random weights for its labels ten epochs make what knows that half of the answers are yes
        assert 0.25 < answered["yes"].mean() < 0.75
    saved = EntailmentClassifier(classifier.save(tmp_path / "saved"), max_tokens=32)
    pd.testing.assert_frame_equal(saved(QUESTIONS), answered)


@pytest.mark.parametrize("positions", [40, 514])
def test_the_positions_of_roberta_begin_behind_the_padding(tmp_path, positions):
    import transformers

    words = transformers.AutoTokenizer.from_pretrained(tiny_checkpoint("classifier"))
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    config = transformers.RobertaConfig(
        vocab_size=len(words), num_labels=1, pad_token_id=1, max_position_embeddings=positions, **sizes
    )
    transformers.RobertaForSequenceClassification(config).save_pretrained(tmp_path)
    swapped = {"[PAD]": 1, "[UNK]": 0}  # as the padding of RoBERTa
    transformers.BertTokenizer(vocab=words.get_vocab() | swapped, do_lower_case=False).save_pretrained(tmp_path)
    long = RUN.assign(text="a gate and a lamp " * 100)
    assert PairScorer(str(tmp_path), load=LoadOptions(device="cpu"))(long)["score"].between(0, 1).all()


def test_fine_tuning_gives_a_checkpoint_of_three_labels_one_score(entailment):
    pytest.importorskip("accelerate")
    qrels = pd.DataFrame({"qid": ["900", "901"], "docno": ["1", "1"], "label": [1, 1]})
    tuned = PairScorer(entailment, **LESSON | {"training": TrainingOptions(epochs=1)}).fit(RUN, qrels)
    assert tuned(RUN)["score"].between(0, 1).all()


@pytest.mark.parametrize(
    ("kind", "like"),
    [
        ("encoder", None),
        ("classifier", "roberta-base"),
        ("classifier", "microsoft/deberta-v3-base"),
        ("seq2seq", "google/flan-t5-large"),
        ("causal", "Qwen/Qwen3-0.6B"),
        ("causal", "Qwen/Qwen3-Embedding-0.6B"),
    ],
)
def test_a_checkpoint_without_a_classification_layer_has_to_be_fitted(kind, like, tmp_path):
    scorer = PairScorer(tiny_like(like, kind), max_tokens=32, training=TrainingOptions(epochs=1))
    for use in (scorer, lambda _run: scorer.save(tmp_path / "saved")):
        with pytest.raises(
            ColieeError, match=r"(?s)no trained classification layer\..*Fine-tune it with fit.*revision"
        ):
            use(TOY)
    fitted = scorer.fit(TOY, TOY_GOLD)
    saved = PairScorer(fitted.save(tmp_path / "saved"), max_tokens=32)
    pd.testing.assert_frame_equal(saved(TOY), fitted(TOY))
