"""CAPTAIN at COLIEE 2023, task 2: monoT5 checkpoints interpolated with BM25, and a margin cut-off.

Published: F1 .7456, 85 of 108 returned, first place (Nguyen and Nguyen 2023; overview of 2023, section 3.3).
Same: checkpoints of monoT5-large with searched weights; score = a * monoT5 + (1 - a) * BM25; the answer is the best
paragraph and those of the first k that score less than a margin below it. The search covers the published ranges: a
from .5 to 1, k from 1 to 3, margin from 0 to 5.
Differs: the two checkpoints are the published ones from which they started; their fine-tuning with hard negatives mined
in rounds is omitted, so the whole train split chooses the weights.
Ours: the steps of the search (a .1, margin .25, weights of checkpoints .25); BM25's k1 and b, with statistics of the
candidate pool; scores are added without normalisation.
Run: python examples/systems/task2_captain.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from steps import fitted_sum, labelled, monot5, paragraphs
from system import Models, Split, main, train_split

from ir_coliee import MicroF1
from ir_coliee import transformers as coliee

CHECKPOINTS = "castorini/monot5-large-msmarco", "castorini/monot5-large-msmarco-10k"
SHARES = [share / 10 for share in range(5, 11)]  # a, of monoT5
WEIGHTS = [(1 - a, a * first / 4, a * (1 - first / 4)) for a in SHARES for first in range(5)]
CUTOFFS = [coliee.MarginCutoff(margin / 4, max_items=n) for n in (1, 2, 3) for margin in range(21)]


def pipeline(split: Split, models: Models) -> pt.Transformer:
    checkpoints = [monot5(models, name, seed) for seed, name in enumerate(CHECKPOINTS)]

    def rankings(split: Split) -> list[pt.Transformer]:
        return [coliee.LexicalIndex.from_dataset(split.id, analyser="case").bm25(statistics="pool"), *checkpoints]

    train = train_split(split)
    pairs = labelled(train, paragraphs(train))
    choice = fitted_sum(rankings, split, pairs, MicroF1, weights=WEIGHTS, cutoffs=CUTOFFS, normalise=None)
    return paragraphs(split) >> choice


if __name__ == "__main__":
    main("task2", "CAPTAIN", pipeline, __doc__)
