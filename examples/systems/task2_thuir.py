"""THUIR at COLIEE 2023, task 2: an ensemble of BM25, query likelihood, monoT5 and a cross-encoder, first paragraph.

Published: F1 .7182, 79 of 100 returned, third place (Li et al. 2023; overview of 2023, section 3.3). That run is monoT5
alone; the ensemble has .6930, 79 of 108.
Same: BM25 and query likelihood with Dirichlet smoothing; monoT5; a cross-encoder fine-tuned on the train split from
LEGAL-BERT-base, which they found better than larger models without legal pre-training; an ensemble of the scores; the
answer is the first paragraph.
Differs: the cross-encoder is trained with binary cross-entropy instead of a contrastive loss; monoT5 is the published
checkpoint, not fine-tuned.
Ours: the combination of the scores, which is not published: a sum with weights in steps of a quarter, the best on the
last fifth of the train split, where monoT5 alone, their best run, is one of the combinations; k1, b, mu, epochs and
learning rates are our defaults.
Run: python examples/systems/task2_thuir.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from neural import cross_encoder
from steps import fitted_sum, learn_and_choose, monot5, paragraphs
from system import Models, Split, main, train_split

from ir_coliee import MicroF1
from ir_coliee import transformers as coliee
from ir_coliee.evaluation.weight_search import weight_grid


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    learn, choose = learn_and_choose(train, paragraphs(train))
    legal_bert, t5 = cross_encoder(models, "nlpaueb/legal-bert-base-uncased"), monot5(models)
    legal_bert.fit(*learn)

    def rankings(split: Split) -> list[pt.Transformer]:
        index = coliee.LexicalIndex.from_dataset(split.id, analyser="case")
        return [index.bm25(statistics="pool"), index.dirichlet(statistics="pool"), t5, legal_bert]

    weights, first = weight_grid(4, steps=4), [coliee.TopK(1)]
    return paragraphs(split) >> fitted_sum(rankings, split, choose, MicroF1, weights=weights, cutoffs=first)


if __name__ == "__main__":
    main("task2", "THUIR", pipeline, __doc__)
