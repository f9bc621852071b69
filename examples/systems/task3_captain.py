"""CAPTAIN at COLIEE 2023, task 3: several checkpoints of a Japanese BERT; monoT5 in English for unanswered questions.

Published: F2 .764, 92 of 142 returned, first place (Nguyen and Nguyen 2023; overview of 2023, section 4.3).
Same: Tohoku BERT scores the 150 best articles by TF-IDF in Japanese; the answers of several checkpoints at local optima
are united; a fine-tuned monoT5 scores the English articles and answers the questions that BERT leaves unanswered.
Differs: the checkpoints come from trainings with different seeds instead of the optima of one training. The system
needs both languages: editions with one language are refused. Their other two runs (F2 .754 and .749) are not described.
Ours: three checkpoints; 10 negative articles for each question; monoT5 scores the 30 best articles by TF-IDF; a
threshold for each checkpoint and a margin for monoT5, both optimised for F2 on the last fifth of the train split;
character bigrams for Japanese; epochs and learning rates are our defaults.
Run: python examples/systems/task3_captain.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from neural import cross_encoder, mono_t5
from steps import hardest, in_language, learn_and_choose, texts, with_cutoff
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee

BERT = "cl-tohoku/bert-base-japanese-whole-word-masking"
THRESHOLDS = [coliee.ThresholdCutoff(threshold / 20, max_items=n) for n in range(1, 6) for threshold in range(1, 20)]
MARGINS = [coliee.MarginCutoff(margin / 4, max_items=n) for n in range(1, 6) for margin in range(21)]


def candidates(split: Split, number: int) -> pt.Transformer:
    tfidf = coliee.LexicalIndex.from_dataset(split.id).tf_idf(num_results=number)
    return coliee.QueriesFromDataset(split.id) >> tfidf >> texts(split)


def pipeline(split: Split, models: Models) -> pt.Transformer:
    japanese, english = in_language(split, "ja"), in_language(split, "en")
    learn, choose = learn_and_choose(train_split(japanese), candidates(train_split(japanese), 150))
    berts, t5 = [cross_encoder(models, BERT, seed) for seed in range(3)], mono_t5(models)
    checkpoints = [bert.fit(*hardest(learn, 10)) for bert in berts]
    union = coliee.WeightedSum(*(with_cutoff(bert, choose, THRESHOLDS) for bert in checkpoints), normalise=None)

    learn, choose = learn_and_choose(train_split(english), candidates(train_split(english), 30))
    second = candidates(english, 30) >> with_cutoff(t5.fit(*hardest(learn, 10)), choose, MARGINS)
    return coliee.Backfill(candidates(japanese, 150) >> union, second)


if __name__ == "__main__":
    main("task3", "CAPTAIN", pipeline, __doc__)
