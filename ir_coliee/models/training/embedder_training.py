"""Fine-tuning of embedders on positives and hard negatives. It needs the extra ``neural``."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ir_coliee.errors import ColieeError, ColieeWarning, InsufficientTrainingDataError
from ir_coliee.models.language_models.language_model import encodable
from ir_coliee.models.training.trainer import check_training_packages, run_trainer
from ir_coliee.models.training.training_options import TrainingOptions
from ir_coliee.models.training.training_state import TrainingState

Columns = dict[str, list[str]]


class EmbeddingExample(NamedTuple):
    """A training example of an embedder.

    Attributes
    ----------
    query, positive : str
        A query, and a document that is relevant to it.
    negatives : tuple of str
        Documents that are not relevant to the query, by preference highly ranked ones.
    """

    query: str
    positive: str
    negatives: tuple[str, ...] = ()


def training_columns(examples: Sequence[EmbeddingExample]) -> Columns:
    """Return the columns of the training data: query, positive, negative_1, negative_2 and so on.

    All examples get as many negatives as the one that has the most; those with fewer repeat theirs.

    Raises
    ------
    ColieeError
        If there is no example, or if some have negatives and others have none.

    Examples
    --------
    >>> training_columns([EmbeddingExample("q", "p", ("a", "b")), EmbeddingExample("r", "s", ("c",))])["negative_2"]
    ['b', 'c']
    """
    without = sum(not example.negatives for example in examples)
    if not examples:
        raise InsufficientTrainingDataError(
            "There are no training examples. Check that relevant documents are in the results."
        )
    if 0 < without < len(examples):
        raise ColieeError(
            f"{without} of {len(examples)} training examples have no negatives.\nGive negatives to all or to none."
        )
    number = max(len(example.negatives) for example in examples)
    columns = {
        "query": [encodable(example.query) for example in examples],
        "positive": [encodable(example.positive) for example in examples],
    }
    for n in range(number):
        columns[f"negative_{n + 1}"] = [encodable(each.negatives[n % len(each.negatives)]) for each in examples]
    return columns


def fine_tune_encoder(
    encoder: Any,
    examples: Columns,
    valid: Columns | None,
    training: TrainingOptions,
    state: TrainingState,
    *,
    prompts: Mapping[str, str],
    chunk_size: int,
    verbose: bool,
) -> None:
    """Fine-tune an encoder in place: each positive must be closer to its query than all other texts of the batch.

    Parameters
    ----------
    encoder : sentence_transformers.SentenceTransformer
        The model.
    examples, valid : dict of str to list of str
        Training and validation data, see `training_columns`.
    training : TrainingOptions
        The options. The batch size is the number of examples that are compared.
    state : TrainingState
        The state of the training.
    prompts : mapping of str to str
        The instruction of each column.
    chunk_size : int
        The largest number of texts that are in memory together. For larger batches, gradients are cached (GradCache).
    verbose : bool
        Whether to show progress bars.

    Raises
    ------
    MissingExtraError
        If a package for training is not installed.
    """
    check_training_packages("Fine-tuning an embedder")
    from datasets import Dataset
    from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments
    from sentence_transformers.sentence_transformer import losses
    from sentence_transformers.sentence_transformer.training_args import BatchSamplers

    _warn_about_long_texts(encoder, examples)
    loss = losses.MultipleNegativesRankingLoss(encoder)
    if training.batch_size > chunk_size:
        loss = losses.CachedMultipleNegativesRankingLoss(encoder, mini_batch_size=chunk_size)
    arguments = training.arguments(
        str(state.folder),
        num_examples=len(examples["query"]),
        validate=valid is not None,
        device=encoder.device.type,
        verbose=verbose,
    )
    run_trainer(
        SentenceTransformerTrainer,
        state,
        model=encoder,
        args=SentenceTransformerTrainingArguments(
            **arguments,
            prompts={column: prompts["query" if column == "query" else "document"] for column in examples},
            batch_sampler=BatchSamplers.NO_DUPLICATES,  # or a text of the batch would be its own negative
        ),
        train_dataset=Dataset.from_dict(examples),
        eval_dataset=None if valid is None else Dataset.from_dict(valid),
        loss=loss,
    )


def _warn_about_long_texts(encoder: Any, columns: Columns) -> None:
    texts = list(dict.fromkeys(text for column in columns.values() for text in column))
    tokens = encoder.tokenizer(texts, truncation=False, verbose=False)["input_ids"]
    longer = sum(len(ids) > encoder.max_seq_length for ids in tokens)
    if longer:
        message = f"{longer} of {len(texts)} texts exceed the window of {encoder.max_seq_length} tokens; of these, only"
        warnings.warn(f"{message} the beginning is trained on. Split them to train on the rest.", ColieeWarning, 4)
