"""NOWJ at COLIEE 2023, task 1: paragraphs by BM25 and a cross-encoder, whole cases by a Longformer, weighted.

Published: F1 .2757, 303 of 1339 returned, the fifth place (Vuong et al. 2023; the overview of 2023, section 2.3).
Same: without French and later cases; BM25 between paragraphs narrows the cases down, and the best pair of paragraphs
counts; a fine-tuned encoder between paragraphs ("mono"), a Longformer between cases ("panorama"); an ensemble.
Differs: which paragraphs are important is left to BM25, which takes the nearest of each candidate's.
Ours: 10 candidates; the 3 nearest paragraphs to each of the query's; two paragraphs count as relevant in training where
their cases are, and of each paragraph of a query that has such ones the nearest wrong one is learned from; BERT for the
paragraphs, and 256 tokens of two; one epoch, the rates our defaults; weights in tenths and the cut-off, the best on the
last fifth of the train part; BM25's k1 and b.
Run: python examples/systems/task1_nowj.py [--dataset ID] [--model tiny]
"""

import pandas as pd
import pyterrier as pt
from steps import fitted_sum, learn_and_choose, texts
from system import Models, Split, main, train_split

from ir_coliee import MicroF1
from ir_coliee import transformers as coliee

CLEAN = coliee.DropFrench()


def paragraph_index(split: Split) -> coliee.LexicalIndex:
    corpus = CLEAN.transform_iter(pt.get_dataset(f"irds:{split.id}").get_corpus_iter(verbose=False))
    return coliee.LexicalIndex.build(coliee.paragraph_corpus(corpus), analyser="case")


def candidates(split: Split, index: coliee.LexicalIndex) -> pt.Transformer:
    start = CLEAN >> coliee.CandidatePool(split.id) if split.has_pools else CLEAN
    bm25 = coliee.ParagraphRetriever(index, aggregate="max", query_aggregate="max")
    return start >> bm25 >> coliee.DropSelf() >> coliee.YearFilter(split.id) % 10 >> texts(split) >> CLEAN


def pairs_of_paragraphs(index: coliee.LexicalIndex) -> pt.Transformer:
    both = coliee.Paragraphs(on="query") >> coliee.Paragraphs(on="text")
    return coliee.OnCluster(both >> coliee.TextScorer(statistics=index) % 3, None)  # a batch of queries at a time


def labels(pairs: pd.DataFrame, gold: pd.DataFrame) -> pd.DataFrame:
    """The labels of pairs of paragraphs, which are those of their cases."""
    cases = pairs[["qid", "docno"]].replace("%p.*", "", regex=True)
    return pairs[["qid", "docno"]].assign(label=cases.merge(gold, "left")["label"].fillna(0).to_numpy())


def pipeline(split: Split, models: Models) -> pt.Transformer:
    indexes = {each.id: paragraph_index(each) for each in (split, train_split(split))}
    train = train_split(split)
    learn, choose = learn_and_choose(train, candidates(train, indexes[train.id]))
    pairs = pairs_of_paragraphs(indexes[train.id])(learn.rows)
    mono = coliee.PairScorer(models.classifier("bert-base-uncased"), epochs=1, max_tokens=256)
    gold = labels(pairs, learn.qrels)
    mono.fit(coliee.hard_negatives(pairs, gold, 1), gold)
    panorama = coliee.PairScorer(models.classifier("allenai/longformer-base-4096", 1), epochs=1).fit(*learn)

    def rankings(split: Split) -> list[pt.Transformer]:
        best = coliee.AggregatePassages("max") >> coliee.AggregatePassages("max", on="qid")
        return [pt.Transformer.identity(), pairs_of_paragraphs(indexes[split.id]) >> mono >> best, panorama]

    return candidates(split, indexes[split.id]) >> fitted_sum(rankings, split, choose, MicroF1)


if __name__ == "__main__":
    main("task1", "NOWJ", pipeline, __doc__)
