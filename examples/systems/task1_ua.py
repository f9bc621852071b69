"""UA at COLIEE 2023, task 1: gradient boosting on the similarities of all paragraph pairs of two cases.

Published: F1 .2555, 199 of 699 returned, eleventh place (Rabelo et al. 2023; overview of 2023, section 2.3).
Same: paragraph embeddings; the histogram of all similarities between the paragraphs of two cases, in 10 bins; a
gradient boosting classifier; a threshold on its probability.
Differs: the overview does not say what their heuristics before and after classification are; here the query case and
later cases are removed. Their three runs are not told apart.
Ours: the encoder; bins from 0 to 1, as shares of all pairs; only the 100 best candidates by BM25 are classified;
scikit-learn's gradient boosting with its defaults; the threshold is the best on train queries out of fold.
Run: python examples/systems/task1_ua.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from neural import embedder
from steps import labelled
from system import Models, Split, main, train_split

from ir_coliee import MicroF1, fit_cutoff
from ir_coliee import transformers as coliee
from ir_coliee.datasets.folds import by_block
from ir_coliee.transformers.features.evidence import EmbeddingHistogram, ParagraphVectors

THRESHOLDS = [coliee.ThresholdCutoff(percent / 100, max_items=20) for percent in range(5, 100)]


def histograms(split: Split, models: Models) -> pt.Transformer:
    encoder = embedder(models, "sentence-transformers/all-mpnet-base-v2")
    corpus = list(pt.get_dataset(f"irds:{split.id}").get_corpus_iter(verbose=False))
    bm25 = coliee.LexicalIndex.build(corpus, analyser="case").bm25(k1=3.0, b=1.0)
    # where queries are cases of the collection, their paragraphs are encoded already
    start = coliee.CandidatePool(split.id) if split.has_pools else pt.apply.query_docno(lambda query: query["qid"])
    candidates = start >> bm25 >> coliee.DropSelf() >> coliee.YearFilter(split.id, rule="latest year") % 100
    vectors = ParagraphVectors.build(corpus, lambda texts: encoder.embed_documents(texts).vectors)
    return candidates >> EmbeddingHistogram(vectors, bins=10, limits=(0.0, 1.0))


def pipeline(split: Split, models: Models) -> pt.Transformer:
    from sklearn.ensemble import GradientBoostingClassifier

    train = train_split(split)
    rows, gold = labelled(train, histograms(train, models))
    boosted = coliee.LearnedRanker(GradientBoostingClassifier(random_state=0))
    unseen = coliee.out_of_fold(boosted, rows, gold, by_block(rows["qid"].unique().tolist(), 5))
    return histograms(split, models) >> boosted.fit(rows, gold) >> fit_cutoff(gold, unseen, MicroF1, THRESHOLDS).cutoff


if __name__ == "__main__":
    main("task1", "UA", pipeline, __doc__)
