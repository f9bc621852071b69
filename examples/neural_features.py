"""Tasks 1 to 3: scores of neural models as features of the learned baseline, held out by blocks, with an ablation.

Candidates and features are those of `ir_coliee baseline`. The best candidates of each query get two further features
of a reranker with LoRA (BAAI/bge-reranker-v2-m3) and of a judge (Qwen/Qwen3-4B): score and rank. The judge learns
nothing. Train queries are scored by a reranker that was fine-tuned without their block, those to answer by one that
was fine-tuned on all. The blocks are those of the baseline: what each edition added, in task 3 folds of exam years. So
no label of a query reaches its own features. The held-out values are those of stacking, and may be slightly too high:
the features of the other blocks, which the baseline learns from, come from rerankers that have seen the held-out
block. To avoid this, a reranker would be needed for each pair of blocks. Figures of a labelled test split do not have
this flaw.
Plan for one card of 24 GB: that of task1_neural.py, task2_neural.py or task3_neural.py with `--run judged`, but with a
training for each block; four fits of the baseline are added.
Run: python examples/neural_features.py [--dataset ID] [--model tiny] [--out FOLDER]
The default is the sample of task 2. The sample of task 3 has one exam year, so that no baseline is fitted; use a
release, or write a synthetic one (`ir_coliee synth coliee/task3/2025/en --out FOLDER --scale 0.02`).
"""

from collections.abc import Callable
from functools import partial, reduce
from typing import NamedTuple

import pandas as pd
import pyterrier as pt
from neural_steps import Models, Split, candidates, fitted, held_out, judged, main, reranker

from ir_coliee.baselines import plan_baseline
from ir_coliee.baselines.recipes import Columns, FeatureTable, QueryBlock, fit
from ir_coliee.baselines.recipes import held_out as held_out_blocks
from ir_coliee.datasets.folds import Folds
from ir_coliee.errors import ColieeError, MissingLabelsError
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.transformers.candidates.cutoffs import Cutoff

CANDIDATES = {"task1": 20, "task2": 10, "task3": 30}
WITHOUT = {"all": (), "no reranker": ("reranker",), "no judge": ("judge",), "neither": ("reranker", "judge")}


class Run(NamedTuple):
    """A ranking with the cut-off that was chosen for it."""

    ranking: pd.DataFrame
    cutoff: Cutoff


def columns(scores: dict[str, pd.DataFrame]) -> Callable[[FeatureTable], Columns]:
    """The features of a table, from scores by family; missing for a candidate that a model has not read."""

    def of(table: FeatureTable) -> Columns:
        pairs = pd.DataFrame({"qid": table.qids, "docno": table.docnos})
        found = {family: pairs.merge(rows, "left", on=["qid", "docno"]) for family, rows in scores.items()}
        names = [(family, name) for family in scores for name in ("score", "rank")]
        return {f"{family}.{name}": found[family][name].to_numpy() for family, name in names}

    return of


def pipeline(split: Split, models: Models) -> pt.Transformer:
    baseline = plan_baseline(split).ablated()
    if split == baseline.training.split:
        raise ColieeError(f"{split.id} has the queries that the models learn from.\nUse the test split.")
    blocks = baseline.train_blocks()
    folds = Folds({qid: number for number, block in enumerate(blocks) for qid in block.table.qids})
    found = candidates(split, CANDIDATES[split.task])
    made, judge = partial(reranker, models), judged(split, models)
    unseen = held_out(made, found.train, found.qrels, folds)
    whole = fitted(made("whole"), found.train, found.qrels)
    of_train = columns({"reranker": unseen, "judge": judge(found.train)})
    of_asked = columns({"reranker": whole(found.asked), "judge": judge(found.asked)})
    train, asked = [block.with_features(of_train) for block in blocks], baseline.block().with_features(of_asked)
    runs, table = {}, {}
    for name, families in WITHOUT.items():
        blocks = [reduce(QueryBlock.without, families, block) for block in train]
        scored = held_out_blocks(baseline.recipe, blocks, found.qrels)
        runs[name] = Run(fit(scored).run(reduce(QueryBlock.without, families, asked)), scored.cutoff)
        table[name] = {f"{baseline.recipe.measure}, held-out {baseline.group}s": scored.value} | figure(
            split, runs[name]
        )
    print(pd.DataFrame(table).T.to_string(float_format="{:.4f}".format))
    return pt.Transformer.from_df(runs["all"].ranking) >> runs["all"].cutoff


def figure(split: Split, run: Run) -> dict[str, float]:
    """The official figure of a run, if there are labels."""
    try:
        name, value = next(iter(Scorer(split).score(run.cutoff(run.ranking)).figures.items()))
    except MissingLabelsError:
        return {}
    return {f"{name}, {split.id}": value}


if __name__ == "__main__":
    main(("task2", "task1", "task3"), "features", pipeline, __doc__)
