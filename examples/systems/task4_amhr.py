"""AMHR at COLIEE 2023, task 4: a language model with the most similar solved questions as examples.

Published: accuracy .6535, 66 of 101 correct, seventh place (AMHR01; Bilgin et al. 2023; overview of 2023, section 5.3).
AMHR03: .6436, 65 of 101; AMHR02, not ranked: .8119, 82 of 101. (The overview describes AMHR03 as GPT-4 with six
examples and AMHR02 as an ensemble of public models, but its table has AMHR02 among the runs with external services.)
Same: flan-t5-xxl with two solved questions of the train split, one with yes and one with no, selected for each question
by TF-IDF; AMHR03 (--run): GPT-4 with six; AMHR02 (--run): an ensemble of several public models with examples.
Differs: the data-use agreement forbids sending texts to others, so GPT-4 is the model that a server on this machine
offers under that name. The models of AMHR02 and their combination are not published.
Ours: AMHR02 is the vote of three flan models with two examples each; the prompt; examples come from other exam years
than the question, with the nearest one last; the model reads 4096 tokens, more than the 512 of its training, which its
relative positions allow.
Run: python examples/systems/task4_amhr.py [--dataset ID] [--model tiny] [--run AMHR02]
"""

import pyterrier as pt
from neural import language_model, served_model, stored_replies
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee
from ir_coliee.models import LanguageModel

SEVERAL = "google/flan-t5-xxl", "declare-lab/flan-alpaca-xxl", "google/flan-t5-large"


def few_shots(split: Split, models: Models, model: LanguageModel, number: int) -> pt.Transformer:
    solved = coliee.FewShotExamples(train_split(split).id, number)
    judge = coliee.Entailment(model, f"plain.{split.language}", examples=solved, **stored_replies(models))
    return coliee.QuotedArticles(split.id) >> judge >> coliee.AnswersAsDocuments()


def pipeline(split: Split, models: Models) -> pt.Transformer:
    model = language_model(models, "google/flan-t5-xxl", max_tokens=8, probabilities=True)
    return few_shots(split, models, model, number=2)


def several(split: Split, models: Models) -> pt.Transformer:
    unlike = [language_model(models, name, seed, max_tokens=8, probabilities=True) for seed, name in enumerate(SEVERAL)]
    return coliee.MajorityVote(*(few_shots(split, models, model, number=2) for model in unlike))


def gpt4(split: Split, models: Models) -> pt.Transformer:
    return few_shots(split, models, served_model(models, "gpt-4", max_tokens=8), number=6)


if __name__ == "__main__":
    main("task4", "AMHR", pipeline, __doc__, others={"AMHR02": several, "AMHR03": gpt4})
