"""NOWJ at COLIEE 2023, task 1: BM25 and a cross-encoder on paragraphs, a Longformer on cases, a weighted sum.

Published: F1 .2757, 303 of 1339 returned, fifth place (Vuong et al. 2023; overview of 2023, section 2.3).
Same: French is removed; years are read at the end of dates or after a bracket, and later cases are removed; BM25
between paragraphs selects candidate cases by their best pair of paragraphs; a fine-tuned encoder between paragraphs
("mono"), a Longformer between cases ("panorama"); an ensemble.
Differs: redundant characters are not removed, because the overview does not say which they are. Their detection of
important passages is not described: here BM25 takes the nearest paragraphs of each candidate. Their three runs are not
told apart.
Ours: the year of a case is the latest of those that are read; 10 candidates; the 3 nearest paragraphs of each query
paragraph; two paragraphs count as relevant in training if their cases are, and each query paragraph with relevant ones
also gives its nearest non-relevant one; BERT for paragraphs, with 256 tokens for each pair; one epoch, our default
learning rates; weights in steps of a tenth and the cut-off, both the best on the last fifth of the train split; BM25's
k1 and b.
Run: python examples/systems/task1_nowj.py [--dataset ID] [--model tiny]
"""

import pandas as pd
import pyterrier as pt
from neural import cross_encoder
from steps import fitted_sum, learn_and_choose, texts
from system import Models, Split, main, train_split

from ir_coliee import MicroF1
from ir_coliee import transformers as coliee
from ir_coliee.transformers.retrieval.dask import OnCluster
from ir_coliee.transformers.retrieval.paragraphs import paragraph_corpus

CLEAN = coliee.DropFrench()


def paragraph_index(split: Split) -> coliee.LexicalIndex:
    corpus = CLEAN.transform_iter(pt.get_dataset(f"irds:{split.id}").get_corpus_iter(verbose=False))
    return coliee.LexicalIndex.build(paragraph_corpus(corpus), analyser="case")


def candidates(split: Split, index: coliee.LexicalIndex) -> pt.Transformer:
    start = CLEAN >> coliee.CandidatePool(split.id) if split.has_pools else CLEAN
    bm25 = coliee.ParagraphRetriever(index, aggregate="max", query_aggregate="max")
    in_time = coliee.DropSelf() >> coliee.YearFilter(split.id, rule="latest dated year")
    return start >> bm25 >> in_time % 10 >> texts(split) >> CLEAN


def pairs_of_paragraphs(index: coliee.LexicalIndex) -> pt.Transformer:
    both = coliee.SplitParagraphs(on="query") >> coliee.SplitParagraphs(on="text")
    return OnCluster(both >> coliee.TextScorer(statistics=index) % 3, None)  # a batch of queries at a time


def labels(pairs: pd.DataFrame, gold: pd.DataFrame) -> pd.DataFrame:
    """The labels of pairs of paragraphs, which are those of their cases."""
    cases = pairs[["qid", "docno"]].replace("%p.*", "", regex=True)
    return pairs[["qid", "docno"]].assign(label=cases.merge(gold, "left")["label"].fillna(0).to_numpy())


def pipeline(split: Split, models: Models) -> pt.Transformer:
    indexes = {each.id: paragraph_index(each) for each in (split, train_split(split))}
    train = train_split(split)
    learn, choose = learn_and_choose(train, candidates(train, indexes[train.id]))
    pairs = pairs_of_paragraphs(indexes[train.id])(learn.rows)
    mono = cross_encoder(models, "bert-base-uncased", epochs=1, max_tokens=256)
    gold = labels(pairs, learn.qrels)
    mono.fit(coliee.hard_negatives(pairs, gold, 1), gold)
    panorama = cross_encoder(models, "allenai/longformer-base-4096", 1, epochs=1).fit(*learn)

    def rankings(split: Split) -> list[pt.Transformer]:
        best = coliee.AggregatePassages("max") >> coliee.AggregatePassages("max", on="qid")
        return [pt.Transformer.identity(), pairs_of_paragraphs(indexes[split.id]) >> mono >> best, panorama]

    return candidates(split, indexes[split.id]) >> fitted_sum(rankings, split, choose, MicroF1)


if __name__ == "__main__":
    main("task1", "NOWJ", pipeline, __doc__)
