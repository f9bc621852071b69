"""UA at COLIEE 2023, task 3: BM25 or TF-IDF with a threshold.

Published: F2 .570, 67 of 109 returned, thirteenth place (Rabelo et al. 2023; overview of 2023, section 4.3). The other
two runs have .560 and .556. The overview does not say which run is which: by its figure the best one is the run
TfIdf_threshold2 of the organisers' first list, whereas others report it as UA.BM25.
Same: BM25 (UA.BM25 with --run) and TF-IDF (UA.tfidf with --run).
Differs: nothing that is published.
Ours: each returns the articles above a threshold, at least one, though the two runs that return one article for each
question may have no threshold; the thresholds are optimised for F2 on the train split, which by default also decides
which of the two is run; k1 and b are our defaults.
Run: python examples/systems/task3_ua.py [--dataset ID] [--run UA.BM25]
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pyterrier as pt
from system import Models, Split, main, qrels, topics, train_split

from ir_coliee import MacroF2
from ir_coliee import transformers as coliee
from ir_coliee.evaluation.cutoffs import FittedCutoff, fit_cutoff

BM25, TFIDF = 0, 1


def rankings(split: Split) -> list[pt.Transformer]:
    index = coliee.LexicalIndex.from_dataset(split.id)
    return [index.bm25(num_results=100), index.tf_idf(num_results=100)]


def threshold(ranking: pt.Transformer, train: Split) -> FittedCutoff:
    results = ranking(topics(train))
    scores = np.unique(np.quantile(results["score"], np.arange(0.9, 1.0, 0.001)))
    cutoffs = [coliee.ThresholdCutoff(float(score), min_items=1) for score in scores]
    return fit_cutoff(qrels(train), results, MacroF2, cutoffs)


def pipeline(split: Split, models: Models, places: Sequence[int] = (BM25, TFIDF)) -> pt.Transformer:
    train = train_split(split)
    fitted = {place: threshold(rankings(train)[place], train) for place in places}
    best = max(places, key=lambda place: fitted[place].value)
    return rankings(split)[best] >> fitted[best].cutoff


OTHERS = {"UA.BM25": partial(pipeline, places=[BM25]), "UA.tfidf": partial(pipeline, places=[TFIDF])}

if __name__ == "__main__":
    main("task3", "UA", pipeline, __doc__, others=OTHERS)
