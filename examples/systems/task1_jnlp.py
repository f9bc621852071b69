"""JNLP at COLIEE 2023, task 1: an encoder fine-tuned on real and synthetic training cases, and a cut-off.

Published: F1 .2604, 308 of 1507 returned, ninth place (Bui et al. 2023; overview of 2023, section 2.3).
Same: synthetic cases with the attributes of the original ones enlarge the training data; a pre-trained encoder is
fine-tuned on pairs of cases and retrieves.
Differs: they used a variety of language models, which the overview does not name; ours is a single encoder, which
encodes each case alone. The overview does not say how synthetic cases were generated: here each query case yields two,
with every other of its paragraphs, which notice the same cases. Their three runs are not told apart.
Ours: the encoder, its loss (the other pairs of a batch are the negatives), one epoch, batches of 16, in training only
the beginning of a case; retrieval averages its windows; the cut-off, a share of the best score, is chosen on the last
fifth of the train queries; the query case is removed.
Run: python examples/systems/task1_jnlp.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from neural import fitted_embedder
from steps import Labelled, learn_and_choose
from system import Models, Split, main, train_split

from ir_coliee import MicroF1, fit_cutoff
from ir_coliee import transformers as coliee
from ir_coliee.models import EmbeddingExample
from ir_coliee.text.decisions import paragraphs

CUTOFFS = [coliee.RatioCutoff(share / 100, max_items=n) for share in range(50, 100, 2) for n in range(1, 11)]


def with_synthetic_cases(train: Split, learn: Labelled) -> list[EmbeddingExample]:
    """Queries and what they notice: each as it is, and as two synthetic cases."""
    cases = {case["docno"]: case["text"] for case in pt.get_dataset(f"irds:{train.id}").get_corpus_iter(verbose=False)}
    queries = learn.rows.drop_duplicates("qid").set_index("qid")["query"]
    noticed = [(queries[qid], cases[docno]) for qid, docno in zip(learn.qrels["qid"], learn.qrels["docno"])]
    halves = [("\n".join(paragraphs(query)[start::2]), case) for query, case in noticed for start in (0, 1)]
    return [EmbeddingExample(query, case) for query, case in noticed + halves]


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    learn, choose = learn_and_choose(train, pt.Transformer.identity())
    examples = with_synthetic_cases(train, learn)
    encoder = fitted_embedder(models, "sentence-transformers/all-mpnet-base-v2", examples, epochs=1, learning_rate=5e-5)

    def ranking(split: Split) -> pt.Transformer:
        start = coliee.CandidatePool(split.id) if split.has_pools else pt.Transformer.identity()
        corpus = pt.get_dataset(f"irds:{split.id}").get_corpus_iter(verbose=False)
        return start >> coliee.DenseRetriever(coliee.DenseIndex.build(corpus, encoder)) >> coliee.DropSelf()

    return ranking(split) >> fit_cutoff(choose.qrels, ranking(train)(choose.rows), MicroF1, CUTOFFS).cutoff


if __name__ == "__main__":
    main("task1", "JNLP", pipeline, __doc__)
