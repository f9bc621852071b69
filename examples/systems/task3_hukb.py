"""HUKB at COLIEE 2023, task 3: a weighted sum of BM25 in several settings and a Japanese BERT.

Published: F2 .679, 85 of 172 returned, sixth place (Yoshioka and Aoki 2023; overview of 2023, section 4.3).
Same: an ensemble of keyword-based retrieval by BM25 in several settings and of Tohoku BERT, in Japanese.
Differs: the overview gives neither their settings nor what tells their three runs apart.
Ours: the settings, which index whole articles and single paragraphs; k1 1.2 and .9 with b .75 and .4; character bigrams
for Japanese; BERT scores the 30 best articles by BM25 and is trained with 10 negative articles for each question;
weights in steps of a quarter of scores between 0 and 1, and a cut-off as a share of the best score, both optimised for
F2 on the last fifth of the train split; epochs and learning rates are our defaults.
Run: python examples/systems/task3_hukb.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from neural import cross_encoder
from steps import F2_CUTOFFS, fitted_sum, hardest, learn_and_choose, texts
from system import Models, Split, main, train_split

from ir_coliee import MacroF2
from ir_coliee import transformers as coliee
from ir_coliee.engine.weightings import BM25
from ir_coliee.evaluation.fusion import weight_grid
from ir_coliee.transformers.queries.passages import SplitProvisions


def settings(split: Split) -> list[pt.Transformer]:
    index = coliee.LexicalIndex.from_dataset(split.id)
    corpus = pt.get_dataset(f"irds:{split.id}").get_corpus_iter(verbose=False)
    split_corpus = SplitProvisions(split.language).transform_iter(corpus)
    provisions = coliee.LexicalIndex.build(split_corpus, analyser=index.analyser)
    by_paragraph = coliee.ParagraphRetriever(provisions, BM25(k1=0.9, b=0.4), num_results=100)
    return [index.bm25(num_results=100), index.bm25(k1=0.9, b=0.4, num_results=100), by_paragraph]


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    learn, choose = learn_and_choose(train, settings(train)[0] % 30 >> texts(train))
    bert = cross_encoder(models, "cl-tohoku/bert-base-japanese-whole-word-masking").fit(*hardest(learn, 10))

    def rankings(split: Split) -> list[pt.Transformer]:
        bm25, *others = settings(split)
        return [bm25, *others, bm25 % 30 >> texts(split) >> bert]

    _, choose = learn_and_choose(train, pt.Transformer.identity())
    return fitted_sum(rankings, split, choose, MacroF2, weights=weight_grid(4, steps=4), cutoffs=F2_CUTOFFS)


if __name__ == "__main__":
    main("task3", "HUKB", pipeline, __doc__, language="ja")
