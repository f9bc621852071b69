"""Task 1, a start in 2026: candidates of the learned baseline, a reranker with LoRA, a cut-off on held-out queries.

The 20 best candidates of `ir_coliee baseline` are scored by a cross-encoder (BAAI/bge-reranker-v2-m3). It reads what
the query says around its citations, and the paragraph of the candidate that has most of these words. The weights of
both scores and the threshold are the best on the train queries: each is ranked by a baseline and by a reranker that
have not seen its block. `--run judged` adds a language model (Qwen/Qwen3-4B), which learns nothing and judges the 5
best.
Plan for one card of 24 GB and the edition of 2025, estimated from the layers' operations, not measured: training
0.8 h (4 rerankers, 3 GB), scoring 0.1 h (3 GB), judging 0.7 h (9 GB); the baseline takes minutes. The hours assume 30
Tflop/s and texts of the largest size. The checkpoints are suggestions that were not run here; `--model KIND=NAME`
takes others.
Run: python examples/task1_neural.py [--dataset ID] [--model tiny] [--run judged] [--out FOLDER]
The options are those of the systems of 2023 (examples/README.md). The same command continues an interrupted run.
"""

from functools import partial

import pyterrier as pt
from neural_steps import Models, Split, main, reranked

from ir_coliee import MicroF1
from ir_coliee import transformers as coliee

CANDIDATES = 20
CUTOFFS = [coliee.ThresholdCutoff(p / 50, min_items=1, max_items=n) for n in (5, 8, 12) for p in range(1, 40)]


def pipeline(split: Split, models: Models, *, ask: bool = False) -> pt.Transformer:
    return reranked(split, models, CANDIDATES, MicroF1, CUTOFFS, ask=ask)


if __name__ == "__main__":
    main("task1", "neural", pipeline, __doc__, others={"judged": partial(pipeline, ask=True)})
