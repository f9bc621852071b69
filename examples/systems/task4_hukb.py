"""HUKB at COLIEE 2023, task 4: a retriever chooses what of the articles a Japanese BERT reads.

Published: accuracy .5941, 60 of 101 correct, the twelfth place (HUKB2; Yoshioka and Aoki 2023; the overview of 2023,
section 5.3). HUKB1, the whole articles, and HUKB3, parts chosen by BERT: .5545, 56 of 101.
Same: articles parted into sub-articles; the retriever of task 3 (BM25 over the sub-articles of the code) chooses among
those of the quoted ones; the BERT of that name, fine-tuned on the train part, answers. HUKB1 (by --run) has no choice.
Differs: their retriever of task 3 had several settings, of which this is one; HUKB3 is left out.
Ours: that a sub-article is a paragraph, and two are chosen; BM25's k1 and b, our defaults, over pairs of characters (in
English words); three epochs at a rate of 2e-5.
Run: python examples/systems/task4_hukb.py [--dataset ID] [--model tiny] [--run HUKB1]
"""

from collections.abc import Callable

import pyterrier as pt
from steps import labelled
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee


def sub_articles(split: Split) -> pt.Transformer:
    code = pt.get_dataset(f"irds:{split.id}").get_corpus_iter(verbose=False)
    analyser = "bigrams" if split.language == "ja" else "words"
    index = coliee.LexicalIndex.build(coliee.provision_corpus(code, split.language), analyser=analyser)
    apart = coliee.ArticlesApart(split.language) >> coliee.Provisions(split.language)
    return coliee.QuotedArticles(split.id) >> apart >> coliee.TextScorer(statistics=index) % 2


def whole_articles(split: Split) -> pt.Transformer:
    return coliee.QuotedArticles(split.id)


def answered(split: Split, models: Models, texts: Callable[[Split], pt.Transformer]) -> pt.Transformer:
    train = train_split(split)
    judge = coliee.EntailmentClassifier(models.entailment("cl-tohoku/bert-base-japanese-whole-word-masking"))
    judge.fit(*labelled(train, texts(train)))
    return texts(split) >> judge >> coliee.AnswersAsDocuments()


def pipeline(split: Split, models: Models) -> pt.Transformer:
    return answered(split, models, sub_articles)


def hukb1(split: Split, models: Models) -> pt.Transformer:
    return answered(split, models, whole_articles)


if __name__ == "__main__":
    main("task4", "HUKB", pipeline, __doc__, language="ja", others={"HUKB1": hukb1})
