"""JNLP at COLIEE 2023, task 2: the sum of the scores of several encoders, first paragraph.

Published: F1 .6818, 75 of 100 returned, sixth place (Bui et al. 2023; overview of 2023, section 3.3).
Same: N models score each pair of fragment and paragraph, the scores are summed, the answer is the first paragraph.
Differs: each of their models was trained with a different loss; here all are trained with binary cross-entropy and
differ in their checkpoints. Their synthetic training data are omitted.
Ours: N = 3 and the checkpoints, which are not published; the models are cross-encoders whose probabilities are added
without normalisation; epochs and learning rates are our defaults.
Run: python examples/systems/task2_jnlp.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from neural import cross_encoder
from steps import labelled, paragraphs
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee

CHECKPOINTS = "bert-base-uncased", "roberta-base", "nlpaueb/legal-bert-base-uncased"


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    pairs = labelled(train, paragraphs(train))
    encoders = [cross_encoder(models, name, seed).fit(*pairs) for seed, name in enumerate(CHECKPOINTS)]
    return paragraphs(split) >> coliee.WeightedSum(*encoders, normalise=None) >> coliee.TopK(1)


if __name__ == "__main__":
    main("task2", "JNLP", pipeline, __doc__)
