"""LLNTU at COLIEE 2023, task 3: TF-IDF with emphasis on named entities, the first article.

Published: F2 .660, 74 of 100 returned, the tenth place (no paper; the overview of 2023, section 4.3).
Same: TF-IDF, with weight on the words that name an entity; one article a question.
Differs: a named entity recogniser marked them; here it takes no model: what the code itself gives a name, the words of
its articles' captions, is emphasised.
Ours: that; the weight of an emphasised word, of five the best for F2 on the train part; the cosine with logarithmic
frequencies; Japanese as character bigrams.
Run: python examples/systems/task3_llntu.py [--dataset ID]
"""

from collections import Counter

import ir_datasets
import pyterrier as pt
from system import Models, Split, main, qrels, topics, train_split

from ir_coliee import MacroF2
from ir_coliee import transformers as coliee
from ir_coliee.evaluation.cutoff_search import fit_cutoff
from ir_coliee.text.analysers import function

WEIGHTS = 1.0, 1.5, 2.0, 3.0, 5.0
FIRST = coliee.TopK(1)


def ranking(split: Split, weight: float) -> pt.Transformer:
    index = coliee.LexicalIndex.from_dataset(split.id)
    terms = function(index.analyser)
    named = {term for article in ir_datasets.load(split.id).docs_iter() for term in terms(article.caption or "")}

    def emphasised(row: dict[str, str]) -> dict[str, float]:
        return {term: n * (weight if term in named else 1) for term, n in Counter(terms(row["query"])).items()}

    return pt.apply.query_toks(emphasised) >> index.tfidf(num_results=100)


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)

    def value(weight: float) -> float:
        return fit_cutoff(ranking(train, weight)(topics(train)), qrels(train), MacroF2, [FIRST]).value

    return ranking(split, max(WEIGHTS, key=value)) >> FIRST


if __name__ == "__main__":
    main("task3", "LLNTU", pipeline, __doc__)
