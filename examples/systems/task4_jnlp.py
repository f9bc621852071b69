"""JNLP at COLIEE 2023, task 4: zero-shot flan models with the best of several prompts.

Published: accuracy .7822, 79 of 101 correct, first place (JNLP3; Bui et al. 2023; overview of 2023, section 5.3). JNLP1
with flan-t5-xxl and JNLP2 with flan-ul2: .7525, 76 of 101.
Same: zero-shot; prompts for the GLUE tasks in the form of PromptSource's are all tried on the train split, and the one
with the highest accuracy answers the test; the named models (JNLP1 and JNLP2 with --run).
Differs: they tried 56 prompts of PromptSource; ours are a dozen in our own words, for RTE, MNLI, QNLI, WNLI, MRPC and
QQP (prompts/*.txt), without those that allow a third answer.
Ours: the wording of the prompts; at most 16 tokens for a reply; greedy decoding.
Run: python examples/systems/task4_jnlp.py [--dataset ID] [--model tiny] [--run JNLP1]
"""

from functools import partial
from pathlib import Path

import pyterrier as pt
from neural import language_model, stored_replies
from steps import labelled
from system import Models, Split, main, train_split

from ir_coliee import AnswerAccuracy
from ir_coliee import transformers as coliee

TEMPLATES = sorted(map(str, (Path(__file__).parent / "prompts").glob("*.en.txt")))


def pipeline(split: Split, models: Models, checkpoint: str = "declare-lab/flan-alpaca-xxl") -> pt.Transformer:
    train = train_split(split)
    model = language_model(models, checkpoint, max_tokens=16)
    systems = [
        coliee.Entailment(model, template=template, **stored_replies(models)) >> coliee.AnswersAsDocuments()
        for template in TEMPLATES
    ]
    questions, gold = labelled(train, coliee.QuotedArticles(train.id))
    tried = pt.Experiment(systems, questions, gold, [AnswerAccuracy])
    return coliee.QuotedArticles(split.id) >> systems[int(tried["AnswerAccuracy"].argmax())]


OTHERS = {
    "JNLP1": partial(pipeline, checkpoint="google/flan-t5-xxl"),
    "JNLP2": partial(pipeline, checkpoint="google/flan-ul2"),
}

if __name__ == "__main__":
    main("task4", "JNLP", pipeline, __doc__, others=OTHERS)
