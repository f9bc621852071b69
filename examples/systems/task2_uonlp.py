"""UONLP at COLIEE 2023, task 2: what two differently trained RoBERTa classifiers both accept.

Published: F1 .6387, 76 of 118 returned, the ninth place (Custeau and Inkpen 2023; the overview of 2023, section 3.3).
Same: two RoBERTa models, one that has read court decisions and one that was trained on annotated pairs for entailment
before, both fine-tuned on the train part; kept is what both accept, and where they share nothing, what the more
confident one does.
Differs: their first model was pre-trained on Canadian decisions and is not published; Legal-RoBERTa has read those of
several countries, Canada among them. For the second stands a large RoBERTa that has learned entailment from MultiNLI;
its three labels give way to one score, which is learned on the train part.
Ours: a paragraph is accepted from probability .5, the best one always; epochs and rates, our defaults.
Run: python examples/systems/task2_uonlp.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from steps import cross_encoder, labelled, paragraphs
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
