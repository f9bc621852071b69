"""AMHR at COLIEE 2023, task 4: the most similar earlier questions, half of them with yes, shown to a language model.

Published: accuracy .6535, 66 of 101 correct, the seventh place (AMHR01; Bilgin et al. 2023; the overview of 2023,
section 5.3). AMHR03, six examples for GPT-4: .6436, 65 of 101.
Same: flan-t5-xxl with two solved questions of the train part, one with yes and one with no, chosen for each question by
TF-IDF; AMHR03 (by --run) with six.
Differs: the memorandum forbids to send texts to others, so GPT-4 is whatever model a server on this machine gives that
name. AMHR02 (.8119, outside the ranking), an ensemble of several models, is left out: which ones is not told.
Ours: the prompt; that an example is of another exam year than the question, and the nearest comes last; that the model
takes 4096 tokens, beyond the 512 that it was trained on, which its relative positions allow.
Run: python examples/systems/task4_amhr.py [--dataset ID] [--model tiny] [--run AMHR03]
"""

import pyterrier as pt
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee
from ir_coliee.models import LanguageModel, LocalModel, ServedModel


def few_shots(split: Split, model: LanguageModel, number: int) -> pt.Transformer:
    solved = coliee.SolvedQuestions(train_split(split).id, number)
    judge = coliee.Entailment(model, f"plain.{split.language}", solved=solved)
    return coliee.QuotedArticles(split.id) >> judge >> coliee.AnswersAsDocuments()


def pipeline(split: Split, models: Models) -> pt.Transformer:
    model = LocalModel(models.seq2seq("google/flan-t5-xxl"), max_tokens=8, probabilities=True, window=4096)
    return few_shots(split, model, number=2)


def gpt4(split: Split, models: Models) -> pt.Transformer:
    if models.tiny("causal"):
        return few_shots(
            split, LocalModel(models.seq2seq("gpt-4"), max_tokens=1, probabilities=True, window=2**14), number=6
        )
    return few_shots(split, ServedModel(models.causal("gpt-4"), max_tokens=8), number=6)


if __name__ == "__main__":
    main("task4", "AMHR", pipeline, __doc__, others={"AMHR03": gpt4})
