"""JNLP at COLIEE 2023, task 4: flan models without examples, asked in the best of many prompts.

Published: accuracy .7822, 79 of 101 correct, the first place (JNLP3; Bui et al. 2023; the overview of 2023, section
5.3). JNLP1 with flan-t5-xxl and JNLP2 with flan-ul2: .7525, 76 of 101.
Same: zero-shot; all prompts are tried on the train part, and the one with the highest accuracy answers the test; the
models by name (JNLP1 and JNLP2 by --run).
Differs: they tried 56 prompts for tasks of GLUE, from PromptSource. Our templates stand for them: five kinds of words
for this very task.
Ours: the templates; that a reply has at most 256 tokens; greedy decoding.
Run: python examples/systems/task4_jnlp.py [--dataset ID] [--model tiny] [--run JNLP1]
"""

from functools import partial

import pyterrier as pt
from steps import labelled
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee
from ir_coliee.evaluation.template_search import best_template
from ir_coliee.models import LocalModel

TEMPLATES = ["plain.en", "steps.en", "condition.en", "irac.en", "treacc.en"]


def pipeline(split: Split, models: Models, checkpoint: str = "declare-lab/flan-alpaca-xxl") -> pt.Transformer:
    train = train_split(split)
    tiny = {"max_tokens": 1, "probabilities": True} if models.tiny("seq2seq") else {"max_tokens": 256}
    model = LocalModel(models.seq2seq(checkpoint), window=4096, **tiny)
    templates = TEMPLATES[:2] if models.tiny("seq2seq") else TEMPLATES
    best = best_template(model, *labelled(train, coliee.QuotedArticles(train.id)), templates)
    return coliee.QuotedArticles(split.id) >> best.entailment >> coliee.AnswersAsDocuments()


OTHERS = {
    "JNLP1": partial(pipeline, checkpoint="google/flan-t5-xxl"),
    "JNLP2": partial(pipeline, checkpoint="google/flan-ul2"),
}

if __name__ == "__main__":
    main("task4", "JNLP", pipeline, __doc__, others=OTHERS)
