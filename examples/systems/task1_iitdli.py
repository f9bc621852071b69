"""IITDLI at COLIEE 2023, task 1: query term selection, BM25, a year filter and a threshold.

Published: F1 .2874, 299 of 1222 returned, third place (Debbarma et al. 2023; overview of 2023, section 2.3). The other
two runs return the first 5 (F1 .2738, 336 of 1595, and .2681, 329 of 1595).
Same: French is removed; single words are the terms of the queries, selected by Kullback-Leibler informativeness, by
term frequency and inverse document frequency (tf-idf with --run), or by inverse document frequency alone (idf with
--run); BM25; a filter by years; a threshold on the scores, or the first 5.
Differs: the overview does not say how the three measures of a term were combined, nor which run had which: each of our
runs uses one. Their filters that made results worse are omitted, as in their runs.
Ours: the best run has KL informativeness, the other two return the first 5; the share of terms and BM25's k1 and b are
the best values found in 2022 and 2021 with KL informativeness (40 %, 2.8, .9); the year of a case is the latest that it
mentions; the threshold is a share of the best score, chosen on the train split.
Run: python examples/systems/task1_iitdli.py [--dataset ID] [--run tf-idf]
"""

from functools import partial

import pyterrier as pt
from system import Models, Split, main, qrels, topics, train_split

from ir_coliee import MicroF1, fit_cutoff
from ir_coliee import transformers as coliee

CUTOFFS = [coliee.RatioCutoff(share / 100, max_items=n) for share in range(30, 100, 2) for n in range(1, 11)]


def ranking(split: Split, by: str = "kli") -> pt.Transformer:
    clean = coliee.DropFrench()
    corpus = pt.get_dataset(f"irds:{split.id}").get_corpus_iter(verbose=False)
    index = coliee.LexicalIndex.build(clean.transform_iter(corpus), analyser="case")
    start = clean >> coliee.CandidatePool(split.id) if split.has_pools else clean
    bm25 = coliee.SelectTerms(index, 0.4, by=by) >> index.bm25(k1=2.8, b=0.9, num_results=1000)
    return start >> bm25 >> coliee.DropSelf() >> coliee.YearFilter(split.id, rule="latest year") % 100


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    return ranking(split) >> fit_cutoff(qrels(train), ranking(train)(topics(train)), MicroF1, CUTOFFS).cutoff


def first_5(split: Split, models: Models, by: str) -> pt.Transformer:
    return ranking(split, by) >> coliee.TopK(5)


OTHERS = {by: partial(first_5, by=by) for by in ("tf-idf", "idf")}

if __name__ == "__main__":
    main("task1", "IITDLI", pipeline, __doc__, others=OTHERS)
