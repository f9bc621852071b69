"""TRLABS at COLIEE 2023, task 4: GPT-4, asked plainly or in the forms in which lawyers reason.

Published: accuracy .7822, 79 of 101 correct (TRLABS_D and TRLABS_I), .7525, 76 of 101 (TRLABS_T), all outside the
ranking, because the model cannot be had again as it was (no paper; the overview of 2023, section 5.3).
Same: zero-shot; TRLABS_D asks to analyse the question in the light of its articles, TRLABS_I in the form IRAC, TRLABS_T
in the form TREACC (by --run).
Differs: the memorandum forbids to send texts to others, so GPT-4 is whatever model a server on this machine gives that
name.
Ours: the words of all prompts; that plain ones ask for one word; temperature 0.
Run: python examples/systems/task4_trlabs.py [--dataset ID] [--model tiny] [--run TRLABS_I]
"""

from functools import partial

import pyterrier as pt
from system import Models, Split, main

from ir_coliee import transformers as coliee
from ir_coliee.models import LocalModel, ServedModel


def pipeline(split: Split, models: Models, form: str = "plain") -> pt.Transformer:
    gpt4 = models.causal("gpt-4")
    tiny = models.tiny("causal")
    model = LocalModel(gpt4, max_tokens=1, probabilities=True) if tiny else ServedModel(gpt4, max_tokens=1024)
    judge = coliee.Entailment(model, f"{form}.{split.language}")
    return coliee.QuotedArticles(split.id) >> judge >> coliee.AnswersAsDocuments()


OTHERS = {"TRLABS_I": partial(pipeline, form="irac"), "TRLABS_T": partial(pipeline, form="treacc")}

if __name__ == "__main__":
    main("task4", "TRLABS", pipeline, __doc__, others=OTHERS)
