"""HUKB at COLIEE 2023, task 4: a Japanese BERT on sub-articles selected by retrieval.

Published: accuracy .5941, 60 of 101 correct, twelfth place (HUKB2; Yoshioka and Aoki 2023; overview of 2023, section
5.3). HUKB1, with whole articles, and HUKB3, with passages selected by BERT: .5545, 56 of 101.
Same: articles are split into sub-articles; the retrieval system of task 3 (BM25 over the sub-articles of the code)
selects among those of the quoted articles; the named BERT, fine-tuned on the train split, answers. HUKB1 (--run) has no
selection. In HUKB3 (--run), BERT selects, fine-tuned on task 3.
Differs: their task 3 system has several settings, of which this is one.
Ours: a sub-article is a paragraph, and two are selected; BM25's k1 and b are our defaults, over character bigrams
(words in English); the BERT that selects learns for one epoch from whole articles, three of BM25 for each question that
are not relevant; three epochs with learning rate 2e-5.
Run: python examples/systems/task4_hukb.py [--dataset ID] [--model tiny] [--run HUKB3]
"""

from collections.abc import Callable

import pyterrier as pt
from article_scorer import article_scorer
from neural import entailment_classifier
from steps import labelled
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee
from ir_coliee.transformers.queries.passages import SplitArticles, SplitProvisions

BERT = "cl-tohoku/bert-base-japanese-whole-word-masking"


def apart(split: Split) -> pt.Transformer:
    parted = SplitArticles(split.language) >> SplitProvisions(split.language)
    return coliee.QuotedArticles(split.id) >> parted


def sub_articles(split: Split) -> pt.Transformer:
    code = pt.get_dataset(f"irds:{split.id}").get_corpus_iter(verbose=False)
    analyser = "bigrams" if split.language == "ja" else "words"
    index = coliee.LexicalIndex.build(SplitProvisions(split.language).transform_iter(code), analyser=analyser)
    return apart(split) >> coliee.TextScorer(statistics=index) % 2


def whole_articles(split: Split) -> pt.Transformer:
    return coliee.QuotedArticles(split.id)


def answered(split: Split, models: Models, texts: Callable[[Split], pt.Transformer]) -> pt.Transformer:
    train = train_split(split)
    judge = entailment_classifier(models, BERT)
    judge.fit(*labelled(train, texts(train)))
    return texts(split) >> judge >> coliee.AnswersAsDocuments()


def pipeline(split: Split, models: Models) -> pt.Transformer:
    return answered(split, models, sub_articles)


def hukb1(split: Split, models: Models) -> pt.Transformer:
    return answered(split, models, whole_articles)


def hukb3(split: Split, models: Models) -> pt.Transformer:
    bert = article_scorer(train_split(split), models, BERT, negatives=3)
    return answered(split, models, lambda split: apart(split) >> bert % 2)


if __name__ == "__main__":
    main("task4", "HUKB", pipeline, __doc__, language="ja", others={"HUKB1": hukb1, "HUKB3": hukb3})
