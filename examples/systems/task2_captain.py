"""CAPTAIN at COLIEE 2023, task 2: monoT5 checkpoints interpolated with BM25, and a margin cut-off.

Published: F1 .7456, 85 of 108 returned, first place (Nguyen and Nguyen 2023; overview of 2023, section 3.3).
Same: two checkpoints of monoT5-large, fine-tuned with hard negatives that are mined in rounds; an ensemble of the
checkpoints of all rounds with searched weights; score = a * monoT5 + (1 - a) * BM25; the answer is the best paragraph
and those of the first k that score less than a margin below it. The search covers the published ranges: a from .5 to 1,
k from 1 to 3, margin from 0 to 5.
Differs: nothing that the sources tell. Their other two runs (F1 .7265 and .7054) are not described.
Ours: two rounds, the first with the negatives of BM25, each from the published checkpoint; 10 negatives for each query;
epochs and learning rates are our defaults; weights and margin are chosen on the last fifth of the train split; the
steps of the search (a .1, margin .25, weights of checkpoints .25); BM25's k1 and b, with statistics of the candidate
pool; scores are added without normalisation.
Run: python examples/systems/task2_captain.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from neural import mono_t5
from steps import fitted_sum, learn_and_choose, paragraphs
from system import Models, Split, main, train_split

from ir_coliee import MicroF1
from ir_coliee import transformers as coliee
from ir_coliee.evaluation.fusion import weight_grid
from ir_coliee.transformers.rerankers.training import mined_rounds

CHECKPOINTS = "castorini/monot5-large-msmarco", "castorini/monot5-large-msmarco-10k"
SHARES = [share / 10 for share in range(5, 11)]  # a, of monoT5
ROUNDS, NEGATIVES = 2, 10
WEIGHTS = [(1 - a, *(a * share for share in shares)) for a in SHARES for shares in weight_grid(2 * ROUNDS, steps=4)]
CUTOFFS = [coliee.MarginCutoff(margin / 4, max_items=n) for n in (1, 2, 3) for margin in range(21)]


def bm25(split: Split) -> pt.Transformer:
    return coliee.LexicalIndex.from_dataset(split.id, analyser="case").bm25(statistics="pool")


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    learn, choose = learn_and_choose(train, paragraphs(train))
    run = bm25(train)(learn.rows)
    published = [mono_t5(models, name, ROUNDS * number) for number, name in enumerate(CHECKPOINTS)]
    checkpoints = [
        fitted for t5 in published for fitted in mined_rounds(t5, run, learn.qrels, rounds=ROUNDS, negatives=NEGATIVES)
    ]

    def rankings(split: Split) -> list[pt.Transformer]:
        return [bm25(split), *checkpoints]

    choice = fitted_sum(rankings, split, choose, MicroF1, weights=WEIGHTS, cutoffs=CUTOFFS, normalise=None)
    return paragraphs(split) >> choice


if __name__ == "__main__":
    main("task2", "CAPTAIN", pipeline, __doc__)
