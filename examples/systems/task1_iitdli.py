"""IITDLI at COLIEE 2023, task 1: query term selection, BM25, a year filter and a threshold.

Published: F1 .2874, 299 of 1222 returned, third place (Debbarma et al. 2023; overview of 2023, section 2.3).
Same: French passages are removed; query terms are selected by Kullback-Leibler informativeness, which combines term
frequency and inverse document frequency; BM25; later cases are removed; a threshold on the scores. Two of their three
runs return the first 5.
Differs: terms are single words, selected by KL alone; the year of a case is the latest year in its text, as in THUIR's
system.
Ours: the share of terms and BM25's k1 and b are the best values found in 2022 and 2021 with these terms (40 %, 2.8,
.9); the cut-off is a share of the best score, chosen on the train split.
Run: python examples/systems/task1_iitdli.py [--dataset ID]
"""

import pyterrier as pt
from system import Models, Split, main, qrels, topics, train_split

from ir_coliee import MicroF1, fit_cutoff
from ir_coliee import transformers as coliee

CUTOFFS = [coliee.RatioCutoff(share / 100, max_items=n) for share in range(30, 100, 2) for n in range(1, 11)]


def ranking(split: Split) -> pt.Transformer:
    clean = coliee.DropFrench()
    corpus = pt.get_dataset(f"irds:{split.id}").get_corpus_iter(verbose=False)
    index = coliee.LexicalIndex.build(clean.transform_iter(corpus), analyser="case")
    start = clean >> coliee.CandidatePool(split.id) if split.has_pools else clean
    bm25 = coliee.KLITerms(index, 0.4) >> index.bm25(k1=2.8, b=0.9, num_results=1000)
    return start >> bm25 >> coliee.DropSelf() >> coliee.YearFilter(split.id) % 100


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    return ranking(split) >> fit_cutoff(ranking(train)(topics(train)), qrels(train), MicroF1, CUTOFFS).cutoff


if __name__ == "__main__":
    main("task1", "IITDLI", pipeline, __doc__)
