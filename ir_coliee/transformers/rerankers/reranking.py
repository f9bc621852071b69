"""Reranking by a checkpoint of any kind, as its own configuration says, and of rankings that do not fit into memory."""

from __future__ import annotations

import os

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import MissingExtraError
from ir_coliee.models.adapters import is_adapter, read_base_model
from ir_coliee.models.loading import LoadOptions, explained
from ir_coliee.models.local import LocalModel
from ir_coliee.models.stores import ReplyStore, ScoreStore
from ir_coliee.progress import progress
from ir_coliee.transformers.answers.prompting import CandidateEntailment
from ir_coliee.transformers.rerankers.checkpoints import is_causal
from ir_coliee.transformers.rerankers.mono_t5 import MonoT5
from ir_coliee.transformers.rerankers.pairs import PairScorer

_PAIRS_AT_ONCE = 1000  # whose texts are in memory together


def reranker_of(
    model: str,
    *,
    load: LoadOptions = LoadOptions(),
    batch_size: int = 16,
    store: str | os.PathLike[str] | None = None,
) -> PairScorer | MonoT5 | CandidateEntailment:
    """Return the reranker that suits a checkpoint: without training, or as it was fine-tuned.

    Parameters
    ----------
    model : str
        The Hugging Face name or the folder of a checkpoint, or the folder of an adapter: one with a classification
        layer, a sequence-to-sequence model such as monoT5, or a causal language model that answers yes or no, such as
        Qwen3-Reranker, whose prompt is used.
    load : LoadOptions
        Number format, device and other options of loading the weights.
    batch_size : int
        The largest number of pairs in a batch.
    store : str or path, optional
        The file of a `ScoreStore`, for a language model of a `ReplyStore`, so that an interrupted call continues.

    Raises
    ------
    MissingExtraError
        If the libraries for neural models are not installed.
    ColieeError
        If the checkpoint cannot be loaded.
    """
    try:
        import torch  # noqa: F401
        from transformers import AutoConfig
    except ImportError:
        raise MissingExtraError("A reranker", "neural") from None
    base = read_base_model(model) if is_adapter(model) else None
    name, options = (model, load) if base is None else (base.name, base.options(load))
    with explained(name, "The reranker"):
        architectures = AutoConfig.from_pretrained(name, **options.source()).architectures or []
        answers = (base is None or base.labels is None) and is_causal(name, options.source())
    if answers:
        language_model = LocalModel(
            name,
            load=options,
            batch_size=batch_size,
            max_tokens=1,
            probabilities=("yes", "no"),
            chat_options={"enable_thinking": False},
            adapter=None if base is None else model,
        )
        replies = None if store is None else ReplyStore(store)
        return CandidateEntailment(language_model, "qwen3-reranker.en", reply_store=replies)
    kind = MonoT5 if any(each.endswith("ForConditionalGeneration") for each in architectures) else PairScorer
    return kind(model, load=load, batch_size=batch_size, score_store=None if store is None else ScoreStore(store))


def reranked(
    dataset: pt.datasets.Dataset, ranking: pd.DataFrame, reranker: pt.Transformer, *, verbose: bool = False
) -> pd.DataFrame:
    """Rerank a ranking, a few queries at a time, so that the texts of all candidates are never in memory together.

    Parameters
    ----------
    dataset : pyterrier.datasets.Dataset
        The dataset of the queries and the texts.
    ranking : pandas.DataFrame
        Results with the columns qid, docno, score and rank.
    reranker : pyterrier.Transformer
        Scores candidates with query and text.
    verbose : bool
        Whether to show progress.

    Returns
    -------
    pandas.DataFrame
        The results whose texts the dataset has, with the columns qid, docno, score and rank.
    """
    documents = dataset.irds_ref().docs_store()
    candidates = ranking[["qid", "docno", "score", "rank"]].merge(dataset.get_topics()[["qid", "query"]], on="qid")
    numbers = pd.factorize(candidates["qid"])[0]
    block_of_query = (np.cumsum(np.bincount(numbers)) - 1) // _PAIRS_AT_ONCE
    blocks = [block for _, block in candidates.groupby(block_of_query[numbers])]
    done = []
    for block in progress(blocks, "reranking", unit="blocks of queries", verbose=verbose):
        texts = {docno: document.text for docno, document in documents.get_many(set(block["docno"])).items()}
        found = block.assign(text=block["docno"].map(texts)).dropna(subset="text")
        done.append(reranker(found)[["qid", "docno", "score", "rank"]])
    return pd.concat(done, ignore_index=True)
