"""NOWJ at COLIEE 2023, task 2: BERT and Longformer, weighted sum, threshold, at least one paragraph.

Published: F1 .6079, 69 of 107 returned, eleventh place (Vuong et al. 2023; overview of 2023, section 3.3).
Same: a BERT and a Longformer, fine-tuned on the train split without external data; the weighted sum of their scores; a
threshold, and at least the best paragraph of each query (their run is named non-empty).
Differs: the training data that they generated from the given data are omitted, because the overview does not say how.
Their other two runs (F1 .6036 and .5982) are not described.
Ours: weights in steps of a tenth and thresholds in steps of a twentieth, the best on the last fifth of the train split;
epochs and learning rates are our defaults.
Run: python examples/systems/task2_nowj.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from neural import cross_encoder
from steps import fitted_sum, learn_and_choose, paragraphs
from system import Models, Split, main, train_split

from ir_coliee import MicroF1
from ir_coliee import transformers as coliee

CHECKPOINTS = "bert-base-uncased", "allenai/longformer-base-4096"
CUTOFFS = [coliee.ThresholdCutoff(threshold / 20, min_items=1) for threshold in range(1, 20)]


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    learn, choose = learn_and_choose(train, paragraphs(train))
    encoders = [cross_encoder(models, name, seed).fit(*learn) for seed, name in enumerate(CHECKPOINTS)]
    choice = fitted_sum(lambda _: encoders, split, choose, MicroF1, cutoffs=CUTOFFS, normalise=None)
    return paragraphs(split) >> choice


if __name__ == "__main__":
    main("task2", "NOWJ", pipeline, __doc__)
