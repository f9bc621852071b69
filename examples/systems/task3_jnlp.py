"""JNLP at COLIEE 2023, task 3: BM25 in Japanese and monoT5 in English, one sum.

Published: F2 .753, 98 of 194 returned, the third place (Bui et al. 2023; the overview of 2023, section 4.3).
Same: BM25 over the Japanese articles, monoT5 over the English ones, both scores in an ensemble.
Differs: monoT5 is the published checkpoint, not fine-tuned. Needs both languages: 2026 has one, and is
refused.
Ours: monoT5 reads the 30 best English articles by BM25; Japanese as character bigrams; k1 and b, our defaults; the
weights, in tenths of scores between 0 and 1, and a cut-off by the share of the best, for F2 on the train part.
Run: python examples/systems/task3_jnlp.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from steps import F2_CUTOFFS, fitted_sum, in_language, labelled, monot5, texts
from system import Models, Split, main, train_split

from ir_coliee import MacroF2
from ir_coliee import transformers as coliee


def bm25(split: Split) -> pt.Transformer:
    return coliee.QueriesOf(split.id) >> coliee.LexicalIndex.from_dataset(split.id).bm25(num_results=100)


def pipeline(split: Split, models: Models) -> pt.Transformer:
    t5 = monot5(models)

    def rankings(split: Split) -> list[pt.Transformer]:
        english = in_language(split, "en")
        return [bm25(in_language(split, "ja")), bm25(english) % 30 >> texts(english) >> t5]

    questions = labelled(train_split(split), pt.Transformer.identity())
    return fitted_sum(rankings, split, questions, MacroF2, cutoffs=F2_CUTOFFS)


if __name__ == "__main__":
    main("task3", "JNLP", pipeline, __doc__)
