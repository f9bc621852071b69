"""THUIR at COLIEE 2023, task 2: an ensemble of BM25, query likelihood, monoT5 and a cross-encoder, first paragraph.

Published: F1 .7182, 79 of 100 returned, third place (Li et al. 2023; overview of 2023, section 3.3). That run is monoT5
alone; the ensemble has .6930, 79 of 108.
Same: BM25 and query likelihood with Dirichlet smoothing; a fine-tuned monoT5; a cross-encoder fine-tuned on the train
split from LEGAL-BERT-base, which they found better than larger models without legal pre-training; an ensemble of the
scores; the answer is the first paragraph.
Differs: the cross-encoder is trained with binary cross-entropy instead of a contrastive loss.
Ours: the combination of the scores, which is not published: a sum with weights in steps of a quarter, the best on the
last fifth of the train split, where monoT5 alone, their best run, is one of the combinations; monoT5 learns from
the 10 best paragraphs by BM25 for each query that are not relevant; k1, b, mu, epochs and learning rates are our
defaults.
Run: python examples/systems/task2_thuir.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from neural import cross_encoder, mono_t5
from steps import Labelled, fitted_sum, hardest, learn_and_choose, paragraphs
from system import Models, Split, main, train_split

from ir_coliee import MicroF1
from ir_coliee import transformers as coliee
from ir_coliee.evaluation.weight_search import weight_grid


def index(split: Split) -> coliee.LexicalIndex:
    return coliee.LexicalIndex.from_dataset(split.id, analyser="case")


def bm25(split: Split) -> pt.Transformer:
    return index(split).bm25(statistics="pool")


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    learn, choose = learn_and_choose(train, paragraphs(train))
    legal_bert, t5 = cross_encoder(models, "nlpaueb/legal-bert-base-uncased"), mono_t5(models)
    legal_bert.fit(*learn)
    t5.fit(*hardest(Labelled(bm25(train)(learn.rows), learn.qrels), 10))

    def rankings(split: Split) -> list[pt.Transformer]:
        return [bm25(split), index(split).dirichlet(statistics="pool"), t5, legal_bert]

    weights, first = weight_grid(4, steps=4), [coliee.TopK(1)]
    return paragraphs(split) >> fitted_sum(rankings, split, choose, MicroF1, weights=weights, cutoffs=first)


if __name__ == "__main__":
    main("task2", "THUIR", pipeline, __doc__)
