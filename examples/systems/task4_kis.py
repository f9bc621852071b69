"""KIS at COLIEE 2023, task 4: data augmentation with other letters for persons; LUKE, BERT and a rule vote.

Published: accuracy .6931, 70 of 101 correct, fourth place (KIS2; Onaga, Fujita and Kano 2023; overview of 2023, section
5.3). KIS1, whose LUKE was not fine-tuned in this way: .6733, 68 of 101; KIS3, fine-tuned without the questions whose
persons have letters: .6535, 66 of 101.
Same: Japanese; the train split is augmented by questions with other letters for persons; BERT-like models, the named
LUKE among them, and a rule in one ensemble. KIS3 (--run) is trained on the questions without lettered persons, which
are not augmented.
Differs: their rules compare predicates and their arguments. We have one rule: the question and the nearest sentence of
its articles are both negated or both affirmative. Their system of 2022, whose BERT is used and how it is combined, is
described elsewhere. KIS1 is omitted: how a LUKE without fine-tuning answers is not described.
Ours: the BERT; one augmented question for each question; a vote of three with equal weights; epochs and learning rates
are our defaults.
Run: python examples/systems/task4_kis.py [--dataset ID] [--model tiny] [--run KIS3]
"""

from functools import partial

import pyterrier as pt
from components.person_letters import swapped_persons
from components.persons import FindPersons
from components.rule_parts import SamePolarity
from neural import entailment_classifier
from steps import labelled
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee

CHECKPOINTS = "studio-ousia/luke-japanese-base-lite", "cl-tohoku/bert-base-japanese-whole-word-masking"


def pipeline(split: Split, models: Models, lettered: bool = True) -> pt.Transformer:
    train = train_split(split)
    questions, gold = labelled(train, coliee.QuotedArticles(train.id) >> FindPersons())
    without = questions[questions["persons"].str.len() == 0]
    learned = swapped_persons(questions, gold) if lettered else (without, gold)
    judges = [entailment_classifier(models, name, seed).fit(*learned) for seed, name in enumerate(CHECKPOINTS)]
    voters = [judge >> coliee.AnswersAsDocuments() for judge in (*judges, SamePolarity(split.language))]
    return coliee.QuotedArticles(split.id) >> coliee.MajorityVote(*voters)


if __name__ == "__main__":
    main("task4", "KIS", pipeline, __doc__, language="ja", others={"KIS3": partial(pipeline, lettered=False)})
