"""Reranking by a cross-encoder."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyterrier as pt
from scipy.special import expit, softmax

from ir_coliee.errors import ColieeError, printable_list
from ir_coliee.frames import Floats, check_ids, one_of, sort_results, text_values
from ir_coliee.models.language_models.language_model import encodable
from ir_coliee.models.loading.load_options import LoadOptions
from ir_coliee.models.stores.score_store import ScoreStore
from ir_coliee.models.training.training_options import TrainingOptions
from ir_coliee.models.windows import POOLINGS, Pooling, pool_scores, warn_about_reading
from ir_coliee.transformers.rerankers.cross_encoder import CrossEncoderTransformer, labels_of_model
from ir_coliee.transformers.rerankers.fine_tuning import TrainingData
from ir_coliee.transformers.rerankers.losses import LOSSES, Candidate, TrainingColumns, training_columns
from ir_coliee.transformers.rerankers.pair_windows import PairWindows, pair_windows
from ir_coliee.transformers.training_labels import result_labels

_ONE_SCORE = {0: "relevant"}
_TWO_LABELS = {0: "not relevant", 1: "relevant"}


class PairScorer(CrossEncoderTransformer):
    """Score each candidate with a cross-encoder, which encodes query and text together: R to R.

    The score is in [0, 1]. For a model with one score it is the logistic function of the score, for a model with two
    labels the probability of the second. Without `fit`, the checkpoint is used unchanged, and needs a trained
    classification layer; `fit` gives a new one to a checkpoint without it.

    A text that does not fit into the model's window together with the query is read in overlapping windows, whose
    scores are pooled, and a warning tells how much is read. The query is read whole with each window if it takes at
    most half of the model's window, otherwise only its beginning. `fit` reads the beginning of texts.

    Parameters
    ----------
    model : str
        The Hugging Face name or the folder of a checkpoint.
    load : LoadOptions
        Number format, device, quantisation and other options of loading the weights.
    training : TrainingOptions
        The options of the training.
    loss : str, optional
        The loss function that the training minimises: ``"binary cross-entropy"`` or ``"cross-entropy"`` (each candidate
        by itself), ``"RankNet"`` or ``"margin"`` (pairs of candidates), ``"ListNet"``, ``"ListMLE"`` or ``"Lambda"``
        (all candidates of a query), ``"contrastive"`` (a relevant candidate, another one, and candidates of other
        queries). By default, binary cross-entropy for a model with one score, cross-entropy for one with two labels.
    batch_size : int
        The largest number of pairs in a batch, for scoring. A batch is halved when memory runs out.
    batch_tokens : int, optional
        The largest number of tokens in a batch, including padding, for scoring.
    max_tokens : int, optional
        The largest number of tokens of query and text together, >= 8. By default, the model's own limit.
    pooling : {"max", "mean", "first"}
        The score of a text that exceeds this limit: the highest score of its windows, because one passage makes a text
        relevant, or their mean. With ``"first"``, only the beginning is read, which takes least time.
    score_store : ScoreStore, optional
        A file of scores. Pairs that this model has scored before, in any process, are not computed again.
    verbose : bool
        Whether to show progress bars.

    Examples
    --------
    >>> scorer = PairScorer("cross-encoder/ms-marco-MiniLM-L6-v2", max_tokens=256)
    >>> scorer.model, scorer.training.epochs
    ('cross-encoder/ms-marco-MiniLM-L6-v2', 3)
    """

    LABEL = "Pair scorer"

    def __init__(
        self,
        model: str,
        *,
        load: LoadOptions = LoadOptions(),
        training: TrainingOptions = TrainingOptions(),
        loss: str | None = None,
        batch_size: int = 16,
        batch_tokens: int | None = None,
        max_tokens: int | None = None,
        pooling: Pooling = "max",
        score_store: ScoreStore | None = None,
        verbose: bool = False,
    ) -> None:
        self.pooling = one_of("pooling", pooling, POOLINGS)
        self.loss = None if loss is None else one_of("loss", loss, list(LOSSES))
        super().__init__(
            model,
            load=load,
            training=training,
            batch_size=batch_size,
            batch_tokens=batch_tokens,
            max_tokens=max_tokens,
            score_store=score_store,
            verbose=verbose,
        )

    def fit(
        self,
        topics_and_results: pd.DataFrame,
        qrels: pd.DataFrame,
        topics_and_results_valid: pd.DataFrame | None = None,
        qrels_valid: pd.DataFrame | None = None,
    ) -> PairScorer:
        """Fine-tune the checkpoint on candidates.

        Each call starts from the checkpoint, and is reproducible on the same machine. A classification layer that does
        not suit the loss is replaced: cross-entropy needs two labels, the other losses need one score. For a loss on
        pairs or lists of candidates, queries whose candidates are all relevant or all not are left out.

        Parameters
        ----------
        topics_and_results : pandas.DataFrame
            Candidates with the columns qid, query, docno and text; `hard_negatives` selects them.
        qrels : pandas.DataFrame
            The columns qid, docno and label. A candidate that they do not contain is not relevant. Labels above 1 need
            a loss on lists, ``"RankNet"`` or ``"margin"``.
        topics_and_results_valid, qrels_valid : pandas.DataFrame, optional
            The same for validation. With them, the model of the epoch with the lowest validation loss is used,
            otherwise that of the last epoch.

        Returns
        -------
        PairScorer
            This object, fitted.

        Raises
        ------
        ColieeError
            If all candidates are relevant or none is, if a label does not suit the loss, if the training diverges, or
            if the folder of ``training`` belongs to another training.
        """
        examples = self._examples(topics_and_results, qrels)
        valid = None
        if topics_and_results_valid is not None and qrels_valid is not None:
            valid = self._examples(topics_and_results_valid, qrels_valid)

        def prepare() -> TrainingData:
            encoder, loss = self._load_for_training()
            _windows(encoder, topics_and_results, "first")
            return TrainingData(encoder, loss, examples, valid)

        self._fine_tune((examples, valid), prepare, loss=self.loss)
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates; missing texts are empty. Raises `ColieeError` for a text that is not a string."""
        pt.validate.columns(inp, includes=["qid", "query", "docno", "text"], context=self)
        check_ids(inp)
        scores = self._pooled_scores(inp) if len(inp) else np.empty(0)
        return sort_results(inp.drop(columns="rank", errors="ignore").assign(score=scores))

    def _pooled_scores(self, results: pd.DataFrame) -> Floats:
        windows = _windows(self._encoder(), results, self.pooling)
        scores = self._scores(self._logits([pair for each in windows for pair in each.pairs]))
        return pool_scores(scores, [len(each.pairs) for each in windows], self.pooling)

    def _scores(self, logits: Floats) -> Floats:
        # in 64 bits, because scores near 1 would not be distinguishable in the model's 32 bits
        return np.asarray(expit(logits[:, 0]) if logits.shape[1] == 1 else softmax(logits, axis=1)[:, 1])

    def _load(self) -> Any:
        encoder = super()._load()
        if encoder.num_labels > 2:
            raise ColieeError(
                f"{self.model} has {encoder.num_labels} labels; a model with one score or two labels is needed.\n"
                f"Its labels are {printable_list(list(labels_of_model(encoder.config).values()))}. "
                "Give another model, or fine-tune this one with fit."
            )
        return encoder

    def _load_for_training(self) -> tuple[Any, str]:
        """Return the model, and the loss that it is trained with."""
        encoder = super()._load()
        loss = self.loss or ("cross-entropy" if encoder.num_labels == 2 else "binary cross-entropy")
        labels = _TWO_LABELS if loss == "cross-entropy" else _ONE_SCORE
        return encoder if encoder.num_labels == len(labels) else self._load_with_labels(labels), loss

    def _examples(self, results: pd.DataFrame, qrels: pd.DataFrame) -> TrainingColumns:
        pt.validate.columns(results, includes=["qid", "query", "docno", "text"], context=self)
        pt.validate.columns(qrels, includes=["qid", "docno", "label"], context=self)
        check_ids(results)
        candidates = [Candidate(qid, *pair) for qid, pair in zip(results["qid"], _pairs(results))]
        return training_columns(self.loss or "binary cross-entropy", candidates, result_labels(results, qrels))


def _windows(encoder: Any, results: pd.DataFrame, pooling: Pooling) -> list[PairWindows]:
    """Return the windows of results, with a warning about those that are not read at once."""
    windows = pair_windows(encoder, results["qid"].astype(str), _pairs(results), pooling)
    warn_about_reading([each.reading for each in windows], pooling)
    return windows


def _pairs(frame: pd.DataFrame) -> list[tuple[str, str]]:
    queries, texts = (map(encodable, text_values(frame, column)) for column in ("query", "text"))
    return list(zip(queries, texts))
