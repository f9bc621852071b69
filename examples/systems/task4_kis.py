"""KIS at COLIEE 2023, task 4: data augmentation with other letters for persons; LUKE, BERT and a rule vote.

Published: accuracy .6931, 70 of 101 correct, fourth place (KIS2; Onaga, Fujita and Kano 2023; overview of 2023, section
5.3). KIS1, with the pre-trained LUKE: .6733, 68 of 101; KIS3, whose LUKE was fine-tuned without the questions whose
persons have letters: .6535, 66 of 101.
Same: Japanese; augmented training data; BERT-based models, the named LUKE among them, and a rule in one ensemble. KIS3
(--run) is trained on the questions without lettered persons. In KIS1 (--run), LUKE is not fine-tuned.
Differs: their rules, the way their data are augmented, their BERT and the ensemble are those of their earlier system,
which the overview does not describe. Nor does it say how a LUKE without fine-tuning answers.
Ours: one rule: the question and the nearest sentence of its articles are both negated or both affirmative; augmented
questions, one for each question, have other letters for persons, so that those of KIS3 are not augmented; in KIS1,
logistic regression reads LUKE's embeddings of the question and of its articles; the BERT; a vote of three with equal
weights; epochs and learning rates are our defaults.
Run: python examples/systems/task4_kis.py [--dataset ID] [--model tiny] [--run KIS1]
"""

from functools import partial

import pyterrier as pt
from components.encoded_pairs import EncodedPairs
from components.person_letters import swapped_persons
from components.persons import FindPersons
from components.rule_parts import SamePolarity
from neural import embedder, entailment_classifier
from steps import labelled
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee

LUKE, BERT = "studio-ousia/luke-japanese-base-lite", "cl-tohoku/bert-base-japanese-whole-word-masking"


def pipeline(split: Split, models: Models, lettered: bool = True) -> pt.Transformer:
    train = train_split(split)
    questions, gold = labelled(train, coliee.QuotedArticles(train.id) >> FindPersons())
    without = questions[questions["persons"].str.len() == 0]
    learned = swapped_persons(questions, gold) if lettered else (without, gold)
    judges = [entailment_classifier(models, name, seed).fit(*learned) for seed, name in enumerate((LUKE, BERT))]
    return vote(split, *judges)


def kis1(split: Split, models: Models) -> pt.Transformer:
    from sklearn.linear_model import LogisticRegression

    train = train_split(split)
    questions, gold = labelled(train, coliee.QuotedArticles(train.id) >> FindPersons())
    luke = EncodedPairs(embedder(models, LUKE, token_pooling="mean"), LogisticRegression(max_iter=1000))
    bert = entailment_classifier(models, BERT)
    return vote(split, luke.fit(questions, gold), bert.fit(*swapped_persons(questions, gold)))


def vote(split: Split, *judges: pt.Transformer) -> pt.Transformer:
    voters = [judge >> coliee.AnswersAsDocuments() for judge in (*judges, SamePolarity(split.language))]
    return coliee.QuotedArticles(split.id) >> coliee.MajorityVote(*voters)


OTHERS = {"KIS1": kis1, "KIS3": partial(pipeline, lettered=False)}

if __name__ == "__main__":
    main("task4", "KIS", pipeline, __doc__, language="ja", others=OTHERS)
