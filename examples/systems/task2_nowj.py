"""NOWJ at COLIEE 2023, task 2: BERT and Longformer, weighted, a threshold, at least one paragraph.

Published: F1 .6079, 69 of 107 returned, the eleventh place (Vuong et al. 2023; the overview of 2023, section 3.3).
Same: a BERT and a Longformer, fine-tuned on the train part without external data; the weighted sum of their scores; a
threshold, and of each query the best paragraph in any case (their run is called non-empty).
Differs: the training data that they made of the decisions themselves are left out.
Ours: weights in tenths and thresholds in twentieths, the best on the last fifth of the train part; epochs and rates,
our defaults.
Run: python examples/systems/task2_nowj.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from steps import cross_encoder, fitted_sum, learn_and_choose, paragraphs
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
