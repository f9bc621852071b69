"""JNLP at COLIEE 2023, task 2: the sum of the scores of several encoders with different losses, first paragraph.

Published: F1 .6818, 75 of 100 returned, sixth place (Bui et al. 2023; overview of 2023, section 3.3).
Same: N models, each trained with its own loss, score each pair of fragment and paragraph; the scores are summed; the
answer is the first paragraph.
Differs: their synthetic training data are omitted, because the overview does not say how they were generated. Their
three runs are not told apart.
Ours: N = 3, the losses and the checkpoints, which are not named: a loss on single paragraphs, one on pairs of
paragraphs and a contrastive one; the models are cross-encoders whose scores, from 0 to 1, are added without
normalisation; they learn from the 10 best paragraphs by BM25 for each query that are not relevant; epochs and learning
rates are our defaults.
Run: python examples/systems/task2_jnlp.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from neural import cross_encoder
from steps import hardest, labelled, paragraphs
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee

MODELS = {
    "bert-base-uncased": "binary cross-entropy",
    "roberta-base": "RankNet",
    "nlpaueb/legal-bert-base-uncased": "contrastive",
}


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    bm25 = coliee.LexicalIndex.from_dataset(train.id, analyser="case").bm25(statistics="pool")
    pairs = hardest(labelled(train, paragraphs(train) >> bm25), 10)
    unfitted = [cross_encoder(models, name, seed, loss=loss) for seed, (name, loss) in enumerate(MODELS.items())]
    encoders = [encoder.fit(*pairs) for encoder in unfitted]
    return paragraphs(split) >> coliee.WeightedSum(*encoders, normalise=None) >> coliee.TopK(1)


if __name__ == "__main__":
    main("task2", "JNLP", pipeline, __doc__)
