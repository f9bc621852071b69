"""IITDLI at COLIEE 2023, task 2: BM25, a T5 that was not fine-tuned, and GPT-3.5, one after the other.

Published: F1 .6727, 74 of 100 returned, the seventh place (Debbarma et al. 2023; the overview of 2023, section 3.3).
Same: BM25 chooses paragraphs of the pool, a zero-shot T5 reranks them, GPT-3.5 reranks the best of those; the first is
the answer.
Differs: the memorandum forbids to send texts to others, so GPT-3.5 is whatever model a server on this machine gives
that name. It is asked about one paragraph at a time; the score is how probable its yes is.
Ours: the prompt; which T5 (monoT5-large); that 10 paragraphs go on from BM25 and 3 from T5; BM25's k1 and b, our
defaults.
Run: python examples/systems/task2_iitdli.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from steps import monot5, texts
from system import Models, Split, main

from ir_coliee import transformers as coliee
from ir_coliee.models import LocalModel, ServedModel


def pipeline(split: Split, models: Models) -> pt.Transformer:
    bm25 = coliee.LexicalIndex.from_dataset(split.id, analyser="case").bm25(statistics="pool", num_results=10)
    server = LocalModel if models.tiny("causal") else ServedModel
    gpt = server(models.causal("gpt-3.5-turbo"), probabilities=True)
    t5 = monot5(models)
    pool = coliee.CandidatePool(split.id)
    return pool >> bm25 >> texts(split) >> t5 % 3 >> coliee.CandidateEntailment(gpt, "entails.en") >> coliee.TopK(1)


if __name__ == "__main__":
    main("task2", "IITDLI", pipeline, __doc__)
