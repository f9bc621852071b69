"""NOWJ at COLIEE 2023, task 4: a multilingual BERT that has learned to find articles and to answer from them.

Published: accuracy .5446, 55 of 101 correct, the nineteenth place (NOWJ.multi-v1-jp; Vuong et al. 2023; the overview of
2023, section 5.3). NOWJ.multijp, with another way to infer: .5248, 53 of 101; NOWJ.multi-v1-en: .4851, 49 of 101.
Same: the multilingual BERT of that name; one network for the tasks of retrieval and entailment; trained on the Japanese
questions, or on the English ones (--dataset of that language).
Differs: theirs learns both tasks at a time; ours one after the other: first which articles belong to a question (the
train part of task 3), then the answer (that of task 4). multijp is left out: what its inference does is not told.
Ours: that order; the first three wrong articles of BM25's for a question, which are read once; epochs and rates
else, our defaults.
Run: python examples/systems/task4_nowj.py [--dataset ID] [--model tiny]
"""

import tempfile

import pyterrier as pt
from steps import labelled, texts
from system import Models, Split, main, train_split

from ir_coliee import editions
from ir_coliee import transformers as coliee


def retriever(split: Split, checkpoint: str, folder: str) -> str:
    """The checkpoint, fine-tuned on the articles of a part of task 3, in a folder."""
    analyser = "bigrams" if split.language == "ja" else "words"
    bm25 = coliee.LexicalIndex.from_dataset(split.id, analyser=analyser).bm25(num_results=50)
    found, gold = labelled(split, bm25 >> texts(split))
    pairs = coliee.hard_negatives(found, gold, 3)
    return coliee.PairScorer(checkpoint, epochs=1).fit(pairs, gold).save(folder)


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    task3 = editions.split(train.id.replace("/task4/", "/task3/"))
    with tempfile.TemporaryDirectory() as folder:
        bert = retriever(task3, models.classifier("bert-base-multilingual-uncased"), f"{folder}/task3")
        judge = coliee.EntailmentClassifier(bert).fit(*labelled(train, coliee.QuotedArticles(train.id)))
    return coliee.QuotedArticles(split.id) >> judge >> coliee.AnswersAsDocuments()


if __name__ == "__main__":
    main("task4", "NOWJ", pipeline, __doc__, language="ja")
