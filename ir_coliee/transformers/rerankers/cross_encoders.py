"""Cross-encoders of sentence-transformers: a model reads query and text together, and is fine-tuned on labelled ones.

The extra ``neural`` is needed, which has what the training takes too. Models are named as on Hugging Face, or by their
folder; they are loaded when they are first used. What is learned is the model's weights: `PairScorer.save` writes them
to a folder without any text, which takes the place of a name.
"""

from __future__ import annotations

import math
import os
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyterrier as pt
from scipy.special import expit, softmax

from ir_coliee.arguments import check_checkpoint, integer_at_least
from ir_coliee.errors import ColieeError, ExistingFileError, MissingExtraError, listed, shown
from ir_coliee.frames import Floats, Integers, check_ids, sort_results, text_values
from ir_coliee.models.local import refuse_wordless
from ir_coliee.models.questions import encodable
from ir_coliee.transformers.answers.asked import halves, warn_of, with_their_texts
from ir_coliee.transformers.estimators import BaseEstimator
from ir_coliee.transformers.training_labels import answers_by_query, check_both_classes, relevant_pairs, result_labels

_WARM_UP = 0.1  # share of the steps in which the rate rises to its full value

# what models for natural language inference call their labels, in small letters
_YES = ("entailment", "entail")
_NO = ("contradiction", "contradict", "not_entailment")
_ANSWERS = {0: _NO[0], 1: _YES[0]}  # the labels that a model without such names is given
_RELEVANT = {0: "relevant"}


class _Examples(NamedTuple):
    """Pairs to learn from, and the label of each."""

    pairs: list[tuple[str, str]]
    labels: Integers


class _CrossEncoder(BaseEstimator):
    """A model that reads pairs; see `PairScorer` for the arguments."""

    def __init__(
        self,
        model: str,
        *,
        epochs: int,
        learning_rate: float,
        batch_size: int,
        max_tokens: int | None,
        seed: int,
        device: str | None,
        verbose: bool,
    ) -> None:
        if not (isinstance(learning_rate, (int, float)) and 0 < learning_rate < math.inf):
            raise ValueError(f"learning_rate={learning_rate!r} is not a number above 0")
        self.model = check_checkpoint(model)
        self.epochs = integer_at_least("epochs", epochs, 1)
        self.learning_rate = learning_rate
        self.batch_size = integer_at_least("batch_size", batch_size, 1)
        self.max_tokens = None if max_tokens is None else integer_at_least("max_tokens", max_tokens, 8)
        self.seed = integer_at_least("seed", seed, 0)
        self.device = device
        self.verbose = verbose
        super().__init__()

    def save(self, folder: str | os.PathLike[str]) -> str:
        """Write what is learned, or the model as it is, to a new folder, whose name it returns and that loads it again.

        The folder holds weights and the tokenizer, no text. Raises `ExistingFileError` where something is there.
        """
        path = Path(folder)
        if path.exists():
            raise ExistingFileError(f"{path} is there already. Give the name of a new folder, or delete it.")
        _save(self._encoder(), str(path))
        return str(path)

    def _encoder(self) -> Any:
        if self._fitted_model is not None:
            return self._fitted_model
        return self._cached((self.model, self.max_tokens, self.seed, self.device), self._loaded)

    def _loaded(self) -> Any:
        return _load(self.model, self.max_tokens, self.seed, self.device)

    def _loaded_with(self, labels: Mapping[int, str]) -> Any:
        """The model with other labels, the weights of which are new."""
        return _load(self.model, self.max_tokens, self.seed, self.device, labels)

    def _logits(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """What the model says of each pair, a row for each; of equal pairs the same, to the last bit."""
        import torch

        places = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
        said = self._encoder().predict(
            list(places),
            batch_size=self.batch_size,
            show_progress_bar=self.verbose,
            activation_fn=torch.nn.Identity(),
        )
        return np.asarray(said, dtype=np.float64).reshape(len(places), -1)[[places[pair] for pair in pairs]]

    def _learn(self, encoder: Any, examples: _Examples, valid: _Examples | None) -> None:
        """Fine-tune a model that was loaded for it, and keep what comes out."""
        steps = self.epochs * math.ceil(len(examples.pairs) / self.batch_size)
        with _seeded(self.seed), tempfile.TemporaryDirectory(prefix="cross-encoder-") as folder:
            _train(
                encoder,
                examples,
                valid,
                folder,
                num_train_epochs=self.epochs,
                learning_rate=self.learning_rate,
                warmup_steps=round(_WARM_UP * steps),
                per_device_train_batch_size=self.batch_size,
                per_device_eval_batch_size=self.batch_size,
                seed=self.seed,
                disable_tqdm=not self.verbose,
            )
            # the trainer leaves examples in the model's description: loaded anew it holds weights alone
            learned = f"{folder}/learned"
            _save(encoder, learned)
            self._fitted_model = _load(learned, self.max_tokens, self.seed, self.device)


class PairScorer(_CrossEncoder):
    """Scores each candidate by what a cross-encoder makes of query and text: R to R.

    The score is in [0, 1]: of a model with one score its logistic function, of one with two labels the probability of
    the second. Without `fit` the model scores as it is; a checkpoint that has not learned to classify gets random
    weights for that, by ``seed``.

    >>> scorer = PairScorer("cross-encoder/ms-marco-MiniLM-L6-v2", max_tokens=256)
    >>> scorer.model, scorer.epochs
    ('cross-encoder/ms-marco-MiniLM-L6-v2', 3)
    """

    LABEL = "Pair scorer"

    def __init__(
        self,
        model: str,
        *,
        epochs: int = 3,
        learning_rate: float = 2e-5,
        batch_size: int = 16,
        max_tokens: int | None = None,
        seed: int = 0,
        device: str | None = None,
        verbose: bool = False,
    ) -> None:
        """``model``: the name of a checkpoint, or its folder. ``epochs``, ``learning_rate`` (reached after a tenth of
        the steps, and falling to 0 at the end) and ``batch_size``, in pairs, are the training's; the defaults are ours.

        ``max_tokens``: of query and text together; of what is longer the model's tokenizer cuts off the end, of the
        longer of the two first. None for as many as the model takes. ``device``: as in torch; None for a graphics card
        where there is one. ``verbose``: progress bars.
        """
        super().__init__(
            model,
            epochs=epochs,
            learning_rate=learning_rate,
            batch_size=batch_size,
            max_tokens=max_tokens,
            seed=seed,
            device=device,
            verbose=verbose,
        )

    def fit(
        self,
        topics_and_results: pd.DataFrame,
        qrels: pd.DataFrame,
        topics_and_results_valid: pd.DataFrame | None = None,
        qrels_valid: pd.DataFrame | None = None,
    ) -> PairScorer:
        """Fine-tune the checkpoint by binary cross-entropy, on candidates (qid, query, docno, text) and qrels.

        A candidate that the qrels (qid, docno, label) do not have is not relevant; `hard_negatives` chooses candidates.
        A checkpoint of more than two labels gets one score in their place. The other two frames validate: of all epochs
        the one with the least loss on them is kept, else the last. Each call starts from the checkpoint, and gives the
        same again on one machine. Raises `ColieeError` where there is nothing to learn: all candidates are relevant, or
        none is.
        """
        examples = self._examples(topics_and_results, qrels)
        valid = None
        if topics_and_results_valid is not None and qrels_valid is not None:
            valid = self._examples(topics_and_results_valid, qrels_valid)
        self._learn(self._loaded_to_learn(), examples, valid)
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates. Raises `ColieeError` for a text that is no string; a missing one is empty."""
        pt.validate.columns(inp, includes=["qid", "query", "docno", "text"], context=self)
        check_ids(inp)
        scores = self._scores(self._logits(_pairs(inp))) if len(inp) else np.empty(0)
        return sort_results(inp.drop(columns="rank", errors="ignore").assign(score=scores))

    def _scores(self, logits: Floats) -> Floats:
        # in 64 bits: the model's own 32 would make equal what is near 1
        return np.asarray(expit(logits[:, 0]) if logits.shape[1] == 1 else softmax(logits, axis=1)[:, 1])

    def _loaded(self) -> Any:
        encoder = super()._loaded()
        if encoder.num_labels > 2:
            raise ColieeError(
                f"{self.model} has the labels {listed(list(_labels_of(encoder.config).values()))}; "
                "a model with one score or two labels is needed, or fine-tune this one with fit."
            )
        return encoder

    def _loaded_to_learn(self) -> Any:
        encoder = super()._loaded()
        return encoder if encoder.num_labels <= 2 else self._loaded_with(_RELEVANT)

    def _examples(self, results: pd.DataFrame, qrels: pd.DataFrame) -> _Examples:
        pt.validate.columns(results, includes=["qid", "query", "docno", "text"], context=self)
        pt.validate.columns(qrels, includes=["qid", "docno", "label"], context=self)
        check_ids(results)
        labels = result_labels(results, qrels)
        check_both_classes(labels)
        return _Examples(_pairs(results), (labels > 0).astype(np.int64))


class EntailmentClassifier(_CrossEncoder):
    """Answers each query with yes or no by natural language inference, its texts being the premise: Q to Q, R to R.

    Rows and columns stay; ``qanswer`` (Y or N) and ``yes`` are added, as by `Entailment`, so that `AnswersAsDocuments`
    follows. Several rows of a query are one premise in the order of the frame, each text once; one that does not fit
    the model's window is taken apart, between lines where that is possible, the mean of its parts counts, and a warning
    says so. ``yes`` is the probability of the model's label entailment beside contradiction; yes is what is above .5.

    >>> EntailmentClassifier("facebook/bart-large-mnli", device="cpu").model
    'facebook/bart-large-mnli'
    """

    LABEL = "NLI classifier"

    def __init__(
        self,
        model: str,
        *,
        epochs: int = 3,
        learning_rate: float = 2e-5,
        batch_size: int = 16,
        max_tokens: int | None = None,
        seed: int = 0,
        device: str | None = None,
        verbose: bool = False,
    ) -> None:
        """``max_tokens``: of question and part of the text together. The other arguments are those of `PairScorer`."""
        super().__init__(
            model,
            epochs=epochs,
            learning_rate=learning_rate,
            batch_size=batch_size,
            max_tokens=max_tokens,
            seed=seed,
            device=device,
            verbose=verbose,
        )

    def fit(
        self,
        topics: pd.DataFrame,
        qrels: pd.DataFrame,
        topics_valid: pd.DataFrame | None = None,
        qrels_valid: pd.DataFrame | None = None,
    ) -> EntailmentClassifier:
        """Fine-tune on questions with texts (qid, query, text) and qrels (qid, docno Y or N, label).

        A checkpoint without the labels entailment and contradiction gets them, with new weights. The other two validate
        as in `PairScorer.fit`. Raises `ColieeError` where all answers are the same, or one is neither Y nor N.
        """
        encoder = self._loaded_to_learn()
        examples = self._examples(encoder, topics, qrels)
        valid = None
        if topics_valid is not None and qrels_valid is not None:
            valid = self._examples(encoder, topics_valid, qrels_valid)
        self._learn(encoder, examples, valid)
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Answer the queries. Raises `ColieeError` for a model without the labels that it takes, and for a query that
        is longer than the model's window."""
        pt.validate.columns(inp, includes=["qid", "query", "text"], context=self)
        check_ids(inp)
        numbers, qids = pd.factorize(inp["qid"])
        yes = self._yes(with_their_texts(inp, numbers, len(qids))) if len(inp) else np.empty(0)
        answers = np.where(yes > 0.5, "Y", "N").astype(object)
        return inp.assign(qanswer=answers[numbers], yes=yes[numbers]).reset_index(drop=True)

    def _yes(self, asked: Sequence[tuple[str, str, str]]) -> Floats:
        encoder = self._encoder()
        places = _places(self.model, encoder.config)
        splits = [_splits(encoder, *each) for each in asked]
        if len(blank := [name for name, _, text in asked if not text.strip()]) < len(asked):
            warn_of(blank, "asked without a text, because theirs is blank")
        warn_of([name for (name, _, _), of_one in zip(asked, splits) if len(of_one) > 1], "split and voted on")
        logits = self._logits([pair for of_one in splits for pair in of_one])
        probable = expit(logits[:, places["Y"]] - logits[:, places["N"]])
        ends = np.cumsum([len(of_one) for of_one in splits])
        return np.array([of_one.mean() for of_one in np.split(probable, ends[:-1])], dtype=np.float64)

    def _loaded_to_learn(self) -> Any:
        encoder = self._loaded()
        if set(_answers_of(encoder.config)) == {"Y", "N"}:
            return encoder
        return self._loaded_with(_ANSWERS)

    def _examples(self, encoder: Any, topics: pd.DataFrame, qrels: pd.DataFrame) -> _Examples:
        pt.validate.columns(topics, includes=["qid", "query", "text"], context=self)
        pt.validate.columns(qrels, includes=["qid", "docno", "label"], context=self)
        check_ids(topics)
        right = relevant_pairs(qrels, self)
        if (unknown := ~right["docno"].isin(["Y", "N"]).to_numpy()).any():
            name = shown(str(right["qid"].iloc[unknown.argmax()]))
            raise ColieeError(f"Query {name}: its answer in the qrels is neither Y nor N.")
        answers = answers_by_query(right).to_dict()
        answered = topics[topics["qid"].isin(list(answers))]
        numbers, qids = pd.factorize(answered["qid"])
        if len(set(map(answers.__getitem__, qids))) < 2:
            raise ColieeError(f"Nothing to learn: of {len(qids)} questions with an answer not two differ in it.")
        splits = [_splits(encoder, *each) for each in with_their_texts(answered, numbers, len(qids))]
        places = _places(self.model, encoder.config)
        labels = [places[answers[qid]] for qid, of_one in zip(qids, splits) for _ in of_one]
        return _Examples([pair for of_one in splits for pair in of_one], np.array(labels))


def _pairs(frame: pd.DataFrame) -> list[tuple[str, str]]:
    queries, texts = (map(encodable, text_values(frame, column)) for column in ("query", "text"))
    return list(zip(queries, texts))


def _splits(encoder: Any, qid: str, query: str, text: str) -> list[tuple[str, str]]:
    """Pairs of a part of the text with the query, each of which fits the model's window."""
    window, query, text = encoder.max_seq_length, encodable(query), encodable(text)

    def fits(split: str) -> bool:
        return window is None or len(encoder.tokenizer(split, query, verbose=False)["input_ids"]) <= window

    if not fits(""):
        raise ColieeError(f"Query {shown(qid)} alone is longer than the {window} tokens that the model takes.")
    splits = [split for split in _that_fit(text, fits) if split.strip()]
    return [(split, query) for split in splits or [""]]


def _that_fit(text: str, fits: Callable[[str], bool]) -> list[str]:
    if len(text) < 2 or fits(text):
        return [text]
    return [split for half in halves(text) for split in _that_fit(half, fits)]


def _labels_of(config: Any) -> Mapping[int, str]:
    return {int(place): str(label) for place, label in config.id2label.items()}


def _answers_of(config: Any) -> dict[str, int]:
    """Where the model has entailment (Y) and contradiction (N), as far as it has them."""
    places = {label.lower(): place for place, label in _labels_of(config).items()}
    named = {answer: next(filter(places.__contains__, names), None) for answer, names in (("Y", _YES), ("N", _NO))}
    return {answer: places[name] for answer, name in named.items() if name is not None}


def _places(model: str, config: Any) -> dict[str, int]:
    if set(places := _answers_of(config)) != {"Y", "N"}:
        raise ColieeError(
            f"{model} has no labels entailment and contradiction, but {listed(list(_labels_of(config).values()))}. "
            "Give a model for natural language inference, or fine-tune this one with fit."
        )
    return places


def _load(
    name: str, max_tokens: int | None, seed: int, device: str | None, labels: Mapping[int, str] | None = None
) -> Any:
    """The model, whose labels are replaced where ``labels`` are given; weights that it lacks come from the seed."""
    try:
        from sentence_transformers import CrossEncoder
    except ImportError:
        raise MissingExtraError("A cross-encoder", "neural") from None
    import torch

    # in full precision, whatever the checkpoint is stored in: the steps of training vanish in half of it
    replaced: dict[str, Any] = {"model_kwargs": {"dtype": torch.float32}}
    if labels is not None:
        numbers = {label: number for number, label in labels.items()}
        replaced["config_kwargs"] = {"num_labels": len(labels), "id2label": dict(labels), "label2id": numbers}
        replaced["model_kwargs"]["ignore_mismatched_sizes"] = True
    with _seeded(seed), _without_progress(reports=labels is None):
        try:
            encoder = CrossEncoder(name, device=device, **replaced)
        except Exception as error:  # libraries for weights, words, devices and downloads raise what they like
            raise ColieeError(f"{name} cannot be loaded as a cross-encoder: {error}") from error
    refuse_wordless(name, encoder.tokenizer)
    limits = [limit for limit in (max_tokens, encoder.max_seq_length, _positions(encoder)) if limit is not None]
    if limits:
        encoder.max_seq_length = min(limits)
    return encoder


def _positions(encoder: Any) -> int | None:
    """How many tokens the model's table of positions has room for, None where it has none.

    RoBERTa and its kin begin behind the number of the padding, so that of 514 positions 512 can be used.
    """
    tables = (split for name, split in encoder.model.named_modules() if name.endswith("embeddings.position_embeddings"))
    table = next((table for table in tables if hasattr(table, "num_embeddings")), None)
    return None if table is None else table.num_embeddings - (0 if table.padding_idx is None else table.padding_idx + 1)


def _save(encoder: Any, folder: str) -> None:
    with _without_progress():
        encoder.save_pretrained(folder, create_model_card=False)  # the card would quote what was learned from


def _train(encoder: Any, examples: _Examples, valid: _Examples | None, folder: str, **arguments: Any) -> None:
    """Fine-tune in place. With examples to validate, the weights of the epoch with the least loss on them."""
    try:
        import accelerate  # noqa: F401
        from datasets import Dataset
    except ImportError:
        raise MissingExtraError("Fine-tuning a cross-encoder", "neural") from None
    from sentence_transformers.cross_encoder import CrossEncoderTrainer, CrossEncoderTrainingArguments
    from sentence_transformers.cross_encoder.losses import BinaryCrossEntropyLoss, CrossEntropyLoss
    from transformers.trainer_callback import PrinterCallback

    def dataset(of: _Examples) -> Any:
        first, second = zip(*of.pairs)
        labels = of.labels if encoder.num_labels > 1 else of.labels.astype(np.float64)
        return Dataset.from_dict({"first": first, "second": second, "label": labels})

    strategy = "no" if valid is None else "epoch"
    loss = BinaryCrossEntropyLoss if encoder.num_labels == 1 else CrossEntropyLoss
    device = encoder.device
    trainer = CrossEncoderTrainer(
        model=encoder,
        args=CrossEncoderTrainingArguments(
            output_dir=f"{folder}/trainer",
            use_cpu=device.type == "cpu",
            eval_strategy=strategy,
            save_strategy=strategy,
            save_total_limit=1,
            load_best_model_at_end=valid is not None,
            metric_for_best_model="eval_loss",
            logging_strategy="no",
            report_to="none",
            **arguments,
        ),
        train_dataset=dataset(examples),
        eval_dataset=None if valid is None else dataset(valid),
        loss=loss(encoder),
    )
    trainer.remove_callback(PrinterCallback)
    with _without_progress():  # of writing each epoch's weights
        trainer.train()
    encoder.to(device)


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Random numbers of Python, numpy and torch from a seed; afterwards they go on as if nothing had been."""
    import torch

    states = random.getstate(), np.random.get_state()
    with torch.random.fork_rng(range(torch.cuda.device_count())):
        random.seed(seed)
        np.random.seed(seed)
        torch.manual_seed(seed)
        try:
            yield
        finally:
            random.setstate(states[0])
            np.random.set_state(states[1])


@contextmanager
def _without_progress(*, reports: bool = True) -> Iterator[None]:
    """Without the bars of loading and writing weights, which take seconds; without ``reports`` also without what
    transformers says of weights that are new, where that is meant."""
    from transformers.utils import logging

    shown_before, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    if not reports:
        logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if shown_before:
            logging.enable_progress_bar()
