"""TRLABS at COLIEE 2023, task 4: GPT-4 with plain prompts and with prompts for legal reasoning.

Published: accuracy .7822, 79 of 101 correct (TRLABS_D and TRLABS_I), .7525, 76 of 101 (TRLABS_T), none of them ranked,
because the model is not reproducible (no paper; overview of 2023, section 5.3).
Same: zero-shot; TRLABS_I asks for the form IRAC, TRLABS_T for the form TREACC (--run).
Differs: the data-use agreement forbids sending texts to others, so GPT-4 is the model that a server on this machine
offers under that name. TRLABS_D asked for an analysis of the question in the light of its articles; here it asks for
one word.
Ours: the wording of all prompts; temperature 0.
Run: python examples/systems/task4_trlabs.py [--dataset ID] [--model tiny] [--run TRLABS_I]
"""

from functools import partial

import pyterrier as pt
from neural import served_model, stored_replies
from system import Models, Split, main

from ir_coliee import transformers as coliee


def pipeline(split: Split, models: Models, form: str = "plain") -> pt.Transformer:
    gpt4 = served_model(models, "gpt-4", max_tokens=1024)
    judge = coliee.Entailment(gpt4, f"{form}.{split.language}", **stored_replies(models))
    return coliee.QuotedArticles(split.id) >> judge >> coliee.AnswersAsDocuments()


OTHERS = {"TRLABS_I": partial(pipeline, form="irac"), "TRLABS_T": partial(pipeline, form="treacc")}

if __name__ == "__main__":
    main("task4", "TRLABS", pipeline, __doc__, others=OTHERS)
