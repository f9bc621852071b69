"""KIS at COLIEE 2023, task 4: more questions by other letters for persons; LUKE, BERT and rules vote.

Published: accuracy .6931, 70 of 101 correct, the fourth place (KIS2; Onaga, Fujita and Kano 2023; the overview of 2023,
section 5.3). KIS1, whose LUKE was not fine-tuned so: .6733, 68 of 101; KIS3, fine-tuned without the questions whose
persons have letters: .6535, 66 of 101.
Same: Japanese; the train part grows by copies with other persons; models of BERT's kind, the LUKE of that name among
them, and a rule in one ensemble. KIS3 (by --run) learns from the questions without lettered persons, of which there are
no copies.
Differs: their rules compare predicates and their arguments. Ours is one: question and nearest sentence of its articles
both deny, or both grant. Their system of 2022, whose BERT it is and how it is combined, is described elsewhere. KIS1
is left out: how a LUKE that is not fine-tuned answers is not told.
Ours: which BERT; one copy of a question; a plain vote of three; epochs and rates, our defaults.
Run: python examples/systems/task4_kis.py [--dataset ID] [--model tiny] [--run KIS3]
"""

from functools import partial

import pyterrier as pt
from components.person_letters import swapped_persons
from components.persons import FindPersons
from components.rule_parts import SamePolarity
from steps import labelled
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee

CHECKPOINTS = "studio-ousia/luke-japanese-base-lite", "cl-tohoku/bert-base-japanese-whole-word-masking"


def pipeline(split: Split, models: Models, lettered: bool = True) -> pt.Transformer:
    train = train_split(split)
    questions, gold = labelled(train, coliee.QuotedArticles(train.id) >> FindPersons())
    without = questions[questions["persons"].str.len() == 0]
    learned = swapped_persons(questions, gold) if lettered else (without, gold)
    names = [models.entailment(name, seed) for seed, name in enumerate(CHECKPOINTS)]
    judges = [coliee.EntailmentClassifier(name).fit(*learned) for name in names]
    voters = [judge >> coliee.AnswersAsDocuments() for judge in (*judges, SamePolarity(split.language))]
    return coliee.QuotedArticles(split.id) >> coliee.MajorityVote(*voters)


if __name__ == "__main__":
    main("task4", "KIS", pipeline, __doc__, language="ja", others={"KIS3": partial(pipeline, lettered=False)})
