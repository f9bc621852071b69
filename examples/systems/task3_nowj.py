"""NOWJ at COLIEE 2023, task 3: BM25, then a multilingual BERT, in English and in Japanese.

Published: F2 .735, 90 of 154 returned, fifth place (Vuong et al. 2023; overview of 2023, section 4.3).
Same: BM25 selects articles, bert-base-multilingual-uncased scores them in each language, and the scores of both
languages are combined.
Differs: nothing that the overview reports; two more runs were withdrawn. The system needs both languages: editions with
one language are refused.
Ours: the 30 best articles by BM25; one model for both languages, fine-tuned on the pairs of both; 10 negative articles
for each question; character bigrams for Japanese; k1, b, epochs and learning rates are our defaults; the weights of the
languages in steps of a tenth, and a cut-off as a share of the best score, both optimised for F2 on the last fifth of
the train split.
Run: python examples/systems/task3_nowj.py [--dataset ID] [--model tiny]
"""

import pandas as pd
import pyterrier as pt
from neural import cross_encoder
from steps import F2_CUTOFFS, fitted_sum, hardest, in_language, learn_and_choose, texts
from system import Models, Split, main, train_split

from ir_coliee import MacroF2
from ir_coliee import transformers as coliee


def candidates(split: Split) -> pt.Transformer:
    bm25 = coliee.LexicalIndex.from_dataset(split.id).bm25(num_results=30)
    return coliee.QueriesFromDataset(split.id) >> bm25 >> texts(split)


def pipeline(split: Split, models: Models) -> pt.Transformer:
    def both(split: Split) -> list[Split]:
        return [in_language(split, "en"), in_language(split, "ja")]

    train = train_split(split)
    pairs = [hardest(learn_and_choose(each, candidates(each))[0], 10) for each in both(train)]
    bert = cross_encoder(models, "bert-base-multilingual-uncased")
    bert.fit(pd.concat([rows for rows, _ in pairs], ignore_index=True), pairs[0].qrels)

    def rankings(split: Split) -> list[pt.Transformer]:
        return [candidates(each) >> bert for each in both(split)]

    _, choose = learn_and_choose(train, pt.Transformer.identity())
    return fitted_sum(rankings, split, choose, MacroF2, cutoffs=F2_CUTOFFS, normalise=None)


if __name__ == "__main__":
    main("task3", "NOWJ", pipeline, __doc__)
