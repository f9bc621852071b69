"""JNLP at COLIEE 2023, task 3: a weighted sum of BM25 in Japanese and monoT5 in English.

Published: F2 .753, 98 of 194 returned, third place (Bui et al. 2023; overview of 2023, section 4.3).
Same: BM25 on the Japanese articles, monoT5 on the English ones, an ensemble of both scores.
Differs: monoT5 is the published checkpoint, not fine-tuned. The system needs both languages: editions with one language
are refused.
Ours: monoT5 scores the 30 best English articles by BM25; character bigrams for Japanese; k1 and b are our defaults;
weights in steps of a tenth of scores between 0 and 1, and a cut-off as a share of the best score, both optimised for F2
on the train split.
Run: python examples/systems/task3_jnlp.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from steps import F2_CUTOFFS, fitted_sum, in_language, labelled, monot5, texts
from system import Models, Split, main, train_split

from ir_coliee import MacroF2
from ir_coliee import transformers as coliee


def bm25(split: Split) -> pt.Transformer:
    return coliee.QueriesFromDataset(split.id) >> coliee.LexicalIndex.from_dataset(split.id).bm25(num_results=100)


def pipeline(split: Split, models: Models) -> pt.Transformer:
    t5 = monot5(models)

    def rankings(split: Split) -> list[pt.Transformer]:
        english = in_language(split, "en")
        return [bm25(in_language(split, "ja")), bm25(english) % 30 >> texts(english) >> t5]

    questions = labelled(train_split(split), pt.Transformer.identity())
    return fitted_sum(rankings, split, questions, MacroF2, cutoffs=F2_CUTOFFS)


if __name__ == "__main__":
    main("task3", "JNLP", pipeline, __doc__)
