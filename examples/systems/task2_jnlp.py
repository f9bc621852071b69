"""JNLP at COLIEE 2023, task 2: several encoders, the sum of their scores, the first paragraph.

Published: F1 .6818, 75 of 100 returned, the sixth place (Bui et al. 2023; the overview of 2023, section 3.3).
Same: N models score each pair of fragment and paragraph, the scores are added up, the first paragraph is the answer.
Differs: each of their models was trained by a loss of its own; here all learn by binary cross-entropy and differ by
their checkpoints. Their synthetic training data are left out.
Ours: N = 3 and which checkpoints, which are not published; that the models are cross-encoders, whose probabilities
are added as they are; epochs and rates, our defaults.
Run: python examples/systems/task2_jnlp.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from steps import cross_encoder, labelled, paragraphs
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
