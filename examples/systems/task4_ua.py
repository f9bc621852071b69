"""UA at COLIEE 2023, task 4: DeBERTa fine-tuned on earlier questions.

Published: accuracy .6634, 67 of 101 correct, sixth place (UA_V2, DeBERTa-large; Rabelo, Kim and Goebel 2023; overview
of 2023, section 5.3). With DeBERTa-small (UA): .6238, 63 of 101.
Same: DeBERTa, fine-tuned for natural language inference, with the articles as the premise and the question as the
hypothesis; both sizes (the small one with --run).
Differs: they add semantic information to the model, which is not described further; we do not.
Ours: version 3 of DeBERTa; the language, which the table does not state (English by default); three epochs with
learning rate 1e-5.
Run: python examples/systems/task4_ua.py [--dataset ID] [--model tiny] [--run UA]
"""

from functools import partial

import pyterrier as pt
from neural import entailment_classifier
from steps import labelled
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee


def pipeline(split: Split, models: Models, checkpoint: str = "microsoft/deberta-v3-large") -> pt.Transformer:
    train = train_split(split)
    judge = entailment_classifier(models, checkpoint, learning_rate=1e-5)
    judge.fit(*labelled(train, coliee.QuotedArticles(train.id)))
    return coliee.QuotedArticles(split.id) >> judge >> coliee.AnswersAsDocuments()


if __name__ == "__main__":
    main("task4", "UA", pipeline, __doc__, others={"UA": partial(pipeline, checkpoint="microsoft/deberta-v3-small")})
