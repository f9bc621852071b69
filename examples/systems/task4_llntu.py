"""LLNTU at COLIEE 2023, task 4: the disjunctive union of the longest common subsequences of question and article.

Published: accuracy .6238, 63 of 101 correct, tenth place (LLNTUdulcsL; no paper; overview of 2023, section 5.3).
LLNTUdulcsS: .5644, 57 of 101; LLNTUdulcsO: .5545, 56 of 101.
Same: Japanese; the disjunctive union of the longest common subsequences, adjusted by similarity and by length.
Differs: nothing that is known; one sentence is published, which does not say how the three runs differ.
Ours: L is adjusted by length, S by similarity and O not at all (--run); the units that are compared (characters; words
in English); both adjustments; the nearest of several articles counts, and yes is answered below a threshold that is
chosen on the train split.
Run: python examples/systems/task4_llntu.py [--dataset ID] [--run LLNTUdulcsS]
"""

from functools import partial

import pyterrier as pt
from components.disjunctive_union import DisjunctiveUnion
from steps import labelled
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee


def pipeline(split: Split, models: Models, adjusted: str | None = "length") -> pt.Transformer:
    train = train_split(split)
    judge = DisjunctiveUnion(split.language, adjusted)
    judge.fit(*labelled(train, coliee.QuotedArticles(train.id)))
    return coliee.QuotedArticles(split.id) >> judge >> coliee.AnswersAsDocuments()


OTHERS = {"LLNTUdulcsS": partial(pipeline, adjusted="similarity"), "LLNTUdulcsO": partial(pipeline, adjusted=None)}

if __name__ == "__main__":
    main("task4", "LLNTU", pipeline, __doc__, language="ja", others=OTHERS)
