"""THUIR at COLIEE 2023, task 2: a fine-tuned monoT5, or an ensemble of it with BM25, query likelihood and LEGAL-BERT.

Published: F1 .7182, 79 of 100 returned, third place (thuir-monot5; Li et al. 2023; overview of 2023, section 3.3). The
ensemble, thuir-ensemble_2: .6930, 79 of 108.
Same: thuir-monot5: the first paragraph by a fine-tuned monoT5. The ensemble (--run): the scores of BM25, of query
likelihood with Dirichlet smoothing, of monoT5, and of LEGAL-BERT-base, which they found better than larger models
without legal pre-training, fine-tuned with a contrastive loss.
Differs: of their models of different sizes, the ensemble has these two. Their third run (.6091) is not described.
Ours: the combination of the scores, which is not published: a sum with weights in steps of a quarter, and for some
queries a second paragraph with a share of the best score, both the best on the last fifth of the train split; the
models learn from the 10 best paragraphs by BM25 for each query that are not relevant; k1, b, mu, epochs and learning
rates are our defaults.
Run: python examples/systems/task2_thuir.py [--dataset ID] [--model tiny] [--run thuir-ensemble_2]
"""

import pyterrier as pt
from neural import cross_encoder, mono_t5
from steps import fitted_sum, hardest, labelled, learn_and_choose, paragraphs
from system import Models, Split, main, train_split

from ir_coliee import MicroF1
from ir_coliee import transformers as coliee
from ir_coliee.evaluation.fusion import weight_grid

FIRST_OR_TWO = [coliee.RatioCutoff(share / 20, min_items=1, max_items=2) for share in range(10, 21)]


def index(split: Split) -> coliee.LexicalIndex:
    return coliee.LexicalIndex.from_dataset(split.id, analyser="case")


def bm25(split: Split) -> pt.Transformer:
    return index(split).bm25(statistics="pool")


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    t5 = mono_t5(models).fit(*hardest(labelled(train, paragraphs(train) >> bm25(train)), 10))
    return paragraphs(split) >> t5 >> coliee.TopK(1)


def ensemble(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    learn, choose = learn_and_choose(train, paragraphs(train) >> bm25(train))
    legal_bert = cross_encoder(models, "nlpaueb/legal-bert-base-uncased", loss="contrastive")
    t5 = mono_t5(models)
    legal_bert.fit(*hardest(learn, 10))
    t5.fit(*hardest(learn, 10))

    def rankings(split: Split) -> list[pt.Transformer]:
        return [bm25(split), index(split).dirichlet(statistics="pool"), t5, legal_bert]

    weights = weight_grid(4, steps=4)
    return paragraphs(split) >> fitted_sum(rankings, split, choose, MicroF1, weights=weights, cutoffs=FIRST_OR_TWO)


if __name__ == "__main__":
    main("task2", "THUIR", pipeline, __doc__, others={"thuir-ensemble_2": ensemble})
