"""MonoT5: what it scores, what it learns, and what it refuses."""

import pickle
import random
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tiny_layouts import tiny_like

from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.models.adapters import TrainingOptions
from ir_coliee.models.batches import token_windows
from ir_coliee.models.loading import LoadOptions
from ir_coliee.models.stores import ScoreStore
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.transformers import MonoT5

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

MMARCO = "unicamp-dl/mt5-base-mmarco-v2"
LIKE = {"t5": "castorini/monot5-large-msmarco", "mt5": "csebuetnlp/mT5_multilingual_XLSum"}


@pytest.fixture(scope="module")
def checkpoint():
    return tiny_checkpoint("seq2seq")


@pytest.fixture(scope="module", params=["default", "t5", "mt5"])
def architecture(request):
    return tiny_like(LIKE.get(request.param), "seq2seq")


def candidates(number, seed=0, longest=30):
    words = ["lamp", "gate", "iron", "true", "opens", "at", "night", "漢字", "é."]
    draw = random.Random(seed)
    return pd.DataFrame(
        {
            "qid": [str(900 + n % 3) for n in range(number)],
            "query": [("it shines", "it opens at night", "a")[n % 3] for n in range(number)],
            "docno": [f"{n:03}" for n in range(number)],
            "text": [" ".join(draw.choices(words, k=draw.randint(0, longest))) for _ in range(number)],
        }
    )


def scores_of(results):
    return results.set_index("docno")["score"].sort_index().to_numpy()


def by_hand(folder, query, text, words=("true", "false")):
    """The score of one pair, by transformers alone."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    relevant, other = (tokenizer(word, add_special_tokens=False)["input_ids"][0] for word in words)
    tokens = tokenizer(f"Query: {query} Document: {text} Relevant:", return_tensors="pt")
    start = torch.tensor([[model.config.decoder_start_token_id]])
    with torch.inference_mode():
        logits = model(**tokens, decoder_input_ids=start).logits[0, 0].double()
    return float(logits[relevant] - torch.logaddexp(logits[relevant], logits[other]))


def test_the_score_is_the_log_probability_of_true_after_the_published_prompt(architecture):
    run = candidates(6)
    expected = [by_hand(architecture, query, text) for query, text in zip(run["query"], run["text"])]
    assert scores_of(MonoT5(architecture)(run)) == pytest.approx(expected, abs=1e-5)


def test_scores_do_not_depend_on_batches_order_and_neighbours(architecture):
    run = candidates(24)
    alone = scores_of(MonoT5(architecture, batch_size=1)(run))
    assert np.unique(alone.round(8)).size > 10
    for scorer in (MonoT5(architecture, batch_size=24), MonoT5(architecture, batch_tokens=300)):
        assert scores_of(scorer(run)) == pytest.approx(alone, abs=1e-5)
        assert scores_of(scorer(run.sample(frac=1, random_state=0))) == pytest.approx(alone, abs=1e-5)
        assert scores_of(scorer(run.iloc[5:9])) == pytest.approx(alone[5:9], abs=1e-5)


def test_single_pairs_have_the_scores_of_pyterrier_t5(checkpoint):
    pytest.importorskip("sentencepiece")
    peer = pytest.importorskip("pyterrier_t5").MonoT5ReRanker(checkpoint, checkpoint, batch_size=1, verbose=False)
    run = candidates(12)
    assert scores_of(MonoT5(checkpoint)(run)) == pytest.approx(scores_of(peer(run)), abs=1e-5)


def test_the_words_of_multilingual_checkpoints_are_kept_when_they_are_saved(tmp_path, monkeypatch):
    from ir_coliee.transformers.rerankers import mono_t5

    folder, run = tiny_like(LIKE["mt5"]), candidates(3)
    monkeypatch.setitem(mono_t5._WORDS, folder, mono_t5._WORDS[MMARCO])
    scorer = MonoT5(folder)
    expected = [by_hand(folder, query, text, ("yes", "no")) for query, text in zip(run["query"], run["text"])]
    assert scores_of(scorer(run)) == pytest.approx(expected, abs=1e-5)
    assert scores_of(MonoT5(scorer.save(tmp_path / "saved"))(run)) == pytest.approx(expected, abs=1e-5)
    monkeypatch.setitem(mono_t5._WORDS, folder, ("yes", "yes"))
    with pytest.raises(ColieeError, match="yes and yes begin with the same token"):
        MonoT5(folder)(run)


def test_stored_scores_are_not_computed_again_and_belong_to_the_weights(checkpoint, tmp_path, monkeypatch):
    store, run = ScoreStore(tmp_path / "scores.sqlite"), candidates(6)
    scores = scores_of(MonoT5(checkpoint, score_store=store)(run))
    other = scores_of(MonoT5(tiny_checkpoint("seq2seq", seed=1), score_store=store)(run))
    monkeypatch.setattr("ir_coliee.transformers.rerankers.mono_t5.MonoT5Checkpoint.logits", None)
    again = MonoT5(checkpoint, score_store=store, batch_size=1, pooling="mean")
    assert scores_of(again(run.sample(frac=1, random_state=0))).tolist() == scores.tolist()
    assert not np.isclose(scores, other).any()


# long texts

LONG = pd.DataFrame(
    {
        "qid": ["900", "900"],
        "query": "it shines",
        "docno": ["1", "2"],
        "text": ["A lamp.", " ".join(f"gate {n} lamp" for n in range(30))],
    }
)


def test_a_text_beyond_the_limit_is_read_in_windows_and_the_highest_score_or_the_mean_counts(checkpoint):
    tokenizer = transformers.AutoTokenizer.from_pretrained(checkpoint)

    def ids(text):
        return tokenizer(text, add_special_tokens=False)["input_ids"]

    def prompt(tokens):
        return (" ".join(map(str, tokens)),)

    room = 100 - len(ids("Query: it shines Document: Relevant:")) - 1
    tokens = ids(LONG["text"][1])
    windows = [tokens[each.start : each.stop] for each in token_windows(len(tokens), room)]
    assert len(windows) > 2
    scorer = MonoT5(checkpoint, max_tokens=100)
    loop = [
        scorer._checkpoint().logits([prompt([*ids("Query: it shines Document:"), *each, *ids("Relevant:"), 1])])[0, 0]
        for each in windows
    ]
    with pytest.warns(ColieeWarning, match=r"1 of 2 texts \(50%\) .* up to \d+ windows, of which the highest score"):
        assert scores_of(scorer(LONG))[1] == pytest.approx(max(loop), abs=1e-5)
    with pytest.warns(ColieeWarning, match="of which the mean score counts"):
        mean = MonoT5(checkpoint, max_tokens=100, pooling="mean")(LONG)
    assert scores_of(mean)[1] == pytest.approx(np.mean(loop), abs=1e-5)
    with pytest.warns(ColieeWarning, match=r"only their beginning is read, \d+% of their tokens\."):
        first = MonoT5(checkpoint, max_tokens=100, pooling="first")(LONG)
    assert scores_of(first)[1] == pytest.approx(loop[0], abs=1e-5)
    assert scores_of(MonoT5(checkpoint, max_tokens=2000)(LONG))[1] == pytest.approx(
        by_hand(checkpoint, "it shines", LONG["text"][1]), abs=1e-5
    )


# learning

TOY = pd.DataFrame(
    {
        "qid": [str(number // 2) for number in range(16)],
        "query": "light",
        "docno": [str(number % 2) for number in range(16)],
        "text": ["yes" if number % 2 else "no" for number in range(16)],
        "score": 0.0,
    }
)
TOY_GOLD = pd.DataFrame({"qid": [str(number) for number in range(8)], "docno": "1", "label": 1})
TRAINING = TrainingOptions(epochs=24, learning_rate=1e-2)


def margin(results):
    return results[results["docno"] == "1"]["score"].mean() - results[results["docno"] == "0"]["score"].mean()


def test_it_learns_what_can_be_told_apart_and_what_is_saved_or_pickled_scores_the_same(checkpoint, tmp_path):
    pytest.importorskip("accelerate")
    learned = MonoT5(checkpoint, training=TRAINING).fit(TOY, TOY_GOLD)
    scores = learned(TOY)
    assert margin(scores) > margin(MonoT5(checkpoint)(TOY)) + 0.2
    written, folder = pickle.dumps(learned), learned.save(tmp_path / "saved")
    for again in (pickle.loads(written), MonoT5(folder), MonoT5(checkpoint, training=TRAINING).fit(TOY, TOY_GOLD)):
        pd.testing.assert_frame_equal(again(TOY), scores)
    assert again != learned  # each has weights of its own
    assert b"light" not in written + b"".join(file.read_bytes() for file in (tmp_path / "saved").iterdir())


def interrupted_after(steps, fit):
    """Call a fit that is interrupted after a number of training steps."""
    step, done = transformers.Trainer.training_step, 0

    def training_step(*arguments, **named):
        nonlocal done
        if done == steps:
            raise KeyboardInterrupt
        done += 1
        return step(*arguments, **named)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(transformers.Trainer, "training_step", training_step)
        with pytest.raises(KeyboardInterrupt):
            fit()


def test_a_training_that_was_interrupted_gives_the_model_of_an_uninterrupted_one(checkpoint, tmp_path):
    training = TrainingOptions(epochs=3, batch_size=4, learning_rate=1e-2)
    whole = MonoT5(checkpoint, training=training).fit(TOY, TOY_GOLD)
    stored = MonoT5(checkpoint, training=replace(training, folder=tmp_path / "state"))
    interrupted_after(10, lambda: stored.fit(TOY, TOY_GOLD))
    pd.testing.assert_frame_equal(stored.fit(TOY, TOY_GOLD)(TOY), whole(TOY))
    with pytest.raises(ColieeError, match="belongs to another training"):
        stored.fit(TOY.assign(query="lamp"), TOY_GOLD)


# what is refused


def byt5(folder):
    """A checkpoint whose tokenizer does not separate words at spaces."""
    config = transformers.AutoConfig.from_pretrained(tiny_checkpoint("seq2seq"), vocab_size=384)
    transformers.T5ForConditionalGeneration(config).save_pretrained(folder)
    transformers.ByT5Tokenizer().save_pretrained(folder)
    return str(folder)


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        (lambda _: tiny_checkpoint("causal"), {}, "is not a sequence-to-sequence model"),
        (lambda _: tiny_checkpoint("encoder"), {}, r"is not a (sequence-to-sequence|language) model"),
        (byt5, {}, "is not that of a T5 model"),
        (lambda _: tiny_checkpoint("seq2seq"), {"max_tokens": 20}, r"max_tokens must be >= \d+ for this model, got 20"),
    ],
)
def test_another_checkpoint_or_too_small_a_limit_is_refused(model, options, message, tmp_path):
    with pytest.raises(ColieeError, match=message):
        MonoT5(model(tmp_path), **options)(LONG)


def test_scores_that_overflow_are_refused_with_the_number_format_to_use(checkpoint):
    scorer = MonoT5(checkpoint, load=LoadOptions(dtype="float32"))
    with torch.no_grad():
        scorer._checkpoint().network.lm_head.weight.fill_(float("inf"))
    with pytest.raises(ColieeError, match=r"not a finite number.\nIn half precision large values overflow"):
        scorer(LONG)
