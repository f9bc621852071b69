"""NOWJ at COLIEE 2023, task 4: a multilingual BERT trained on retrieval and entailment.

Published: accuracy .5446, 55 of 101 correct, nineteenth place (NOWJ.multi-v1-jp; Vuong et al. 2023; overview of 2023,
section 5.3). NOWJ.multijp, with another inference: .5248, 53 of 101; NOWJ.multi-v1-en: .4851, 49 of 101.
Same: the named multilingual BERT; one network for several tasks; trained on the Japanese questions, or on the English
ones (NOWJ.multi-v1-en with --run, and a --dataset of that language).
Differs: the overview says neither which tasks the network has nor how they are trained: we train two, one after the
other, first which articles are relevant to a question (the train split of task 3), then the answer (the train split of
task 4). multijp is omitted, because its inference is not described.
Ours: this order; the first three non-relevant articles of BM25 for each question, for one epoch; other epochs and the
learning rates are our defaults.
Run: python examples/systems/task4_nowj.py [--dataset ID] [--model tiny]
     python examples/systems/task4_nowj.py --run NOWJ.multi-v1-en --dataset coliee/task4/sample/en/test
"""

import tempfile

import pyterrier as pt
from article_scorer import article_scorer
from neural import entailment_classifier
from steps import labelled
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee

BERT = "bert-base-multilingual-uncased"


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    relevance = article_scorer(train, models, BERT, negatives=3)
    with tempfile.TemporaryDirectory() as folder:
        judge = entailment_classifier(models, BERT, learned=relevance.save(f"{folder}/task3"))
        judge.fit(*labelled(train, coliee.QuotedArticles(train.id)))
    return coliee.QuotedArticles(split.id) >> judge >> coliee.AnswersAsDocuments()


if __name__ == "__main__":
    main("task4", "NOWJ", pipeline, __doc__, language="ja", others={"NOWJ.multi-v1-en": pipeline})
