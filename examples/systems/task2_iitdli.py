"""IITDLI at COLIEE 2023, task 2: BM25, then a zero-shot T5, then GPT-3.5.

Published: F1 .6727, 74 of 100 returned, seventh place (Debbarma et al. 2023; overview of 2023, section 3.3).
Same: BM25, a zero-shot T5 and a reranker based on GPT-3.5; the answer is the first paragraph.
Differs: the overview does not say which of the three runs has which of these: here BM25 selects paragraphs of the pool,
T5 reranks them, and GPT-3.5 the best of those. The data-use agreement forbids sending texts to others, so GPT-3.5 is
the model that a server on this machine offers under that name. It judges one paragraph at a time; the score is the
probability of yes.
Ours: the prompt; the T5 (monoT5-large); 10 paragraphs from BM25 and 3 from T5 are reranked; BM25's k1 and b are our
defaults.
Run: python examples/systems/task2_iitdli.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from neural import mono_t5, served_model, stored_replies
from steps import texts
from system import Models, Split, main

from ir_coliee import transformers as coliee


def pipeline(split: Split, models: Models) -> pt.Transformer:
    bm25 = coliee.LexicalIndex.from_dataset(split.id, analyser="case").bm25(statistics="pool", num_results=10)
    gpt = served_model(models, "gpt-3.5-turbo", probabilities=True)
    best_3 = coliee.CandidatePool(split.id) >> bm25 >> texts(split) >> mono_t5(models) % 3
    return best_3 >> coliee.CandidateEntailment(gpt, "entails.en", **stored_replies(models)) >> coliee.TopK(1)


if __name__ == "__main__":
    main("task2", "IITDLI", pipeline, __doc__)
