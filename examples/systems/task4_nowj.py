"""NOWJ at COLIEE 2023, task 4: a multilingual BERT trained on retrieval and entailment.

Published: accuracy .5446, 55 of 101 correct, nineteenth place (NOWJ.multi-v1-jp; Vuong et al. 2023; overview of 2023,
section 5.3). NOWJ.multijp, with another inference: .5248, 53 of 101; NOWJ.multi-v1-en: .4851, 49 of 101.
Same: the named multilingual BERT; one network for the retrieval task and the entailment task; trained on the Japanese
questions, or on the English ones (--dataset of that language).
Differs: they train both tasks at once; we train them one after the other: first which articles are relevant to a
question (the train split of task 3), then the answer (the train split of task 4). multijp is omitted, because its
inference is not described.
Ours: this order; the first three non-relevant articles of BM25 for each question, for one epoch; other epochs and the
learning rates are our defaults.
Run: python examples/systems/task4_nowj.py [--dataset ID] [--model tiny]
"""

import tempfile

import pyterrier as pt
from neural import cross_encoder, entailment_classifier
from steps import labelled, texts
from system import Models, Split, main, train_split

from ir_coliee import editions
from ir_coliee import transformers as coliee

BERT = "bert-base-multilingual-uncased"


def retriever(split: Split, models: Models) -> coliee.PairScorer:
    """The multilingual BERT, fine-tuned on the articles of a part of task 3."""
    analyser = "bigrams" if split.language == "ja" else "words"
    bm25 = coliee.LexicalIndex.from_dataset(split.id, analyser=analyser).bm25(num_results=50)
    found, gold = labelled(split, bm25 >> texts(split))
    pairs = coliee.hard_negatives(found, gold, 3)
    return cross_encoder(models, BERT, epochs=1, max_tokens=512).fit(pairs, gold)


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    task3 = editions.split(train.id.replace("/task4/", "/task3/"))
    with tempfile.TemporaryDirectory() as folder:
        judge = entailment_classifier(models, BERT, learned=retriever(task3, models).save(f"{folder}/task3"))
        judge.fit(*labelled(train, coliee.QuotedArticles(train.id)))
    return coliee.QuotedArticles(split.id) >> judge >> coliee.AnswersAsDocuments()


if __name__ == "__main__":
    main("task4", "NOWJ", pipeline, __doc__, language="ja")
