"""UONLP at COLIEE 2023, task 2: the agreement of two differently trained RoBERTa classifiers.

Published: F1 .6387, 76 of 118 returned, ninth place (Custeau and Inkpen 2023; overview of 2023, section 3.3).
Same: two RoBERTa models, one pre-trained on court decisions and one trained on annotated entailment pairs, both
fine-tuned on the train split; the answer is what both accept, or if they share nothing, what the more confident model
accepts.
Differs: the overview does not name the two models. Instead of the one pre-trained on Canadian decisions, ours is
Legal-RoBERTa, pre-trained on legal texts of several countries; instead of the one trained on annotated pairs, a large
RoBERTa trained on MultiNLI, whose three labels are replaced by one score that is learned on the train split.
Ours: both checkpoints; a paragraph is accepted at a probability of at least .5, the best one always; epochs and
learning rates are our defaults.
Run: python examples/systems/task2_uonlp.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from neural import cross_encoder
from steps import labelled, paragraphs
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee

CHECKPOINTS = "lexlms/legal-roberta-base", "FacebookAI/roberta-large-mnli"


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    pairs = labelled(train, paragraphs(train))
    law, entailment = (cross_encoder(models, name, seed).fit(*pairs) for seed, name in enumerate(CHECKPOINTS))
    accepted = coliee.ThresholdCutoff(0.5, min_items=1)
    return paragraphs(split) >> coliee.Agreement(law >> accepted, entailment >> accepted)


if __name__ == "__main__":
    main("task2", "UONLP", pipeline, __doc__)
