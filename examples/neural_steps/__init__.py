"""What the neural examples share: candidates of a learned baseline, a reranker with LoRA, a judge, and held-out scores.

All of it runs in the frame of the systems of 2023 (`examples/systems`), whose options and files it has.
"""

import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pyterrier as pt

from ir_coliee import transformers as coliee
from ir_coliee.baselines import run_baseline
from ir_coliee.datasets.folds import Folds, by_block, by_exam_year, exam_year
from ir_coliee.evaluation.fusion import search_weights
from ir_coliee.measures import ColieeMeasure
from ir_coliee.models import LocalModel, TrainingOptions
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.transformers.retrieval.dask import OnCluster

sys.path.append(str(Path(__file__).parents[1] / "systems"))

from neural import stored_replies
from steps import texts
from system import Models, Split, main, qrels, topics, train_split

__all__ = ["Models", "Split", "main", "qrels", "stored_replies", "texts", "topics", "train_split"]

RERANKER, JUDGE = "BAAI/bge-reranker-v2-m3", "Qwen/Qwen3-4B"
FOLDS, NEGATIVES, JUDGED = 3, 5, 5
_FOLDER = Path(__file__).parent  # with prompts in our words
_BATCH = 16  # examples after which the weights change


class Candidates(NamedTuple):
    """The best candidates of a split and of its train split, with texts, and the qrels of the train split.

    Each train query is ranked by a baseline that was fitted on other queries.
    """

    train: pd.DataFrame
    asked: pd.DataFrame
    qrels: pd.DataFrame


def candidates(split: Split, number: int) -> Candidates:
    """Return this number of candidates of each query by the learned baseline, or by BM25 if that cannot be fitted."""
    best = run_baseline(split.id)[-1]
    print(f"candidates: the {number} best of the run {best.tag}; {best.notes[0]}")

    def of(each: Split, ranking: pd.DataFrame) -> pd.DataFrame:
        found = ranking[ranking["rank"] < number].drop(columns="query", errors="ignore").merge(topics(each), on="qid")
        read = (best_paragraphs if split.task == "task1" else texts)(each)
        return found.drop(columns="query").merge(read(found)[["qid", "docno", "query", "text"]], on=["qid", "docno"])

    train = train_split(split)
    return Candidates(of(train, best.train_ranking), of(split, best.ranking), qrels(train))


def best_paragraphs(split: Split) -> pt.Transformer:
    """Task 1: the contexts of the query's citations, and the candidate's paragraph that is most like them: R to R."""
    words = coliee.LexicalIndex.from_dataset(split.id, analyser="case")
    clean = coliee.ExtractCitingContext(words=100, on="query") >> coliee.CleanCase()
    passages = coliee.SplitParagraphs(on="text") >> coliee.TextScorer(statistics=words) >> coliee.AggregatePassages()
    return texts(split) >> clean >> OnCluster(passages, None)  # a batch of queries at a time


def reranker(models: Models, name: str) -> coliee.PairScorer:
    """A cross-encoder with LoRA; the state of its training is in a folder of this name."""
    tiny = models.tiny("classifier")
    return coliee.PairScorer(
        models.classifier(RERANKER),
        load=replace(models.load, dtype=models.load.dtype or ("float32" if tiny else "bfloat16")),
        training=lora(models, name, batch_size=16, tiny=tiny),
        batch_size=models.batch_size or 64,
        max_tokens=64 if tiny else 512,
        pooling="first" if tiny else "max",
        score_store=models.folder.scores,
        verbose=True,
    )


def judge(models: Models) -> LocalModel:
    """A language model on this machine that answers with one word."""
    return LocalModel(
        models.causal(JUDGE),
        load=models.load,
        batch_size=models.batch_size or 8,
        max_tokens=1,
        probabilities=True,
        chat_options={} if models.tiny("causal") else {"enable_thinking": False},
    )


def lora(models: Models, name: str, *, batch_size: int, tiny: bool) -> TrainingOptions:
    """Options of a training with LoRA, whose state is in a folder of this name."""
    from peft import LoraConfig

    size = min(_BATCH, models.batch_size or batch_size)
    return TrainingOptions(
        epochs=1 if tiny else 2,
        learning_rate=1e-4,
        batch_size=size,
        accumulate=math.ceil(_BATCH / size),
        checkpointing=not tiny,
        precision="float32" if tiny else models.load.dtype or "bfloat16",
        adapter=LoraConfig(r=16, lora_alpha=32, lora_dropout=0.05),
        folder=models.folder.model(name),
    )


def folds_of(split: Split, queries: Iterable[str]) -> Folds:
    """Blocks of consecutive train queries; in task 3, of whole exam years where there are enough."""
    qids = list(dict.fromkeys(queries))
    if split.task == "task3" and len({exam_year(qid) for qid in qids}) >= FOLDS:
        return by_exam_year(qids, FOLDS)
    return by_block(qids, FOLDS)


def held_out(
    made: Callable[[str], coliee.PairScorer], rows: pd.DataFrame, gold: pd.DataFrame, folds: Folds
) -> pd.DataFrame:
    """Score the candidates of each fold by a model that has learned from the other folds alone.

    Parameters
    ----------
    made : callable
        Returns an unfitted model, whose training has a folder of this name.
    rows, gold : pandas.DataFrame
        Candidates with texts, and the qrels of their queries.
    folds : Folds
        The fold of each query.
    """
    scored = []
    for number, (learned, unseen) in enumerate(folds.splits(), 1):
        scorer = fitted(made(f"without-fold-{number}"), rows[rows["qid"].isin(learned)], gold)
        scored.append(scorer(rows[rows["qid"].isin(unseen)]))
    return pd.concat(scored, ignore_index=True)


def fitted(scorer: coliee.PairScorer, rows: pd.DataFrame, gold: pd.DataFrame) -> coliee.PairScorer:
    """Fine-tune a model on the relevant candidates of each query and the highest-ranked others."""
    return scorer.fit(coliee.hard_negatives(rows, gold, NEGATIVES), gold)


def judged(split: Split, models: Models) -> pt.Transformer:
    """Score the best candidates of each query by a language model, which learns nothing: R to R."""
    prompt = {
        "task1": _FOLDER / "noticed.en.txt",
        "task2": "entails.en",
        "task3": _FOLDER / f"needed.{split.language}.txt",
    }
    entailment = coliee.CandidateEntailment(judge(models), str(prompt[split.task]), **stored_replies(models))
    return coliee.TopK(JUDGED) >> entailment


def reranked(
    split: Split, models: Models, number: int, measure: ColieeMeasure, cutoffs: Iterable[Cutoff], *, ask: bool = False
) -> pt.Transformer:
    """Rerank candidates by a weighted sum of the scores of baseline, reranker and, optionally, a judge: Q to R.

    Weights and cut-off are the best on the train queries, each scored by a reranker that has not seen its fold.

    Parameters
    ----------
    split, models
        The split to answer, and the models.
    number : int
        The number of candidates of each query.
    measure, cutoffs
        What is maximised, and the cut-offs to try.
    ask : bool
        Whether a language model judges the best candidates of the baseline.
    """
    found = candidates(split, number)
    judges = [judged(split, models)] if ask else []
    unseen = held_out(partial(reranker, models), found.train, found.qrels, folds_of(split, found.train["qid"]))
    runs = [found.train, unseen, *(each(found.train) for each in judges)]
    best = search_weights(runs, found.qrels, measure, cutoffs=cutoffs, normalise=None, missing=0.0)
    print(
        f"weights {best.weights}, {best.fitted.cutoff!r}, {measure} {best.fitted.value:.4f} on held-out train queries"
    )
    scorers = pt.Transformer.identity(), fitted(reranker(models, "whole"), found.train, found.qrels), *judges
    fused = coliee.WeightedSum(*scorers, weights=best.weights, normalise=None, missing=0.0)
    return pt.Transformer.from_df(found.asked) >> fused >> best.fitted.cutoff
