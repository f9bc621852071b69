"""JNLP at COLIEE 2023, task 1: an encoder fine-tuned on real and synthetic training cases, and a cut-off.

Published: F1 .2604, 308 of 1507 returned, ninth place (Bui et al. 2023; overview of 2023, section 2.3).
Same: synthetic cases with the attributes of the original ones enlarge the training data; a pre-trained encoder is
fine-tuned on pairs of cases and retrieves.
Differs: the paper does not detail how synthetic cases were generated: here each query case yields two, with every other
of its paragraphs, which notice the same cases. The published encoders read a pair of cases together; ours, a single
one, encodes each case alone and compares the embeddings.
Ours: the encoder, its loss (the other pairs of a batch are the negatives), one epoch, batches of 16; the cut-off, a
share of the best score, is chosen on the last fifth of the train queries; the query case is removed.
Run: python examples/systems/task1_jnlp.py [--dataset ID] [--model tiny]
"""

import tempfile

import pyterrier as pt
from dense import FOLDER, dense_retrieval, sentence_encoder
from steps import Labelled, learn_and_choose
from system import Models, Split, main, train_split

from ir_coliee import MicroF1, fit_cutoff
from ir_coliee import transformers as coliee
from ir_coliee.text.case_paragraphs import paragraphs

CUTOFFS = [coliee.RatioCutoff(share / 100, max_items=n) for share in range(50, 100, 2) for n in range(1, 11)]


def with_synthetic_cases(train: Split, learn: Labelled) -> dict[str, list[str]]:
    """Queries and what they notice: each as it is, and as two synthetic cases."""
    cases = {case["docno"]: case["text"] for case in pt.get_dataset(f"irds:{train.id}").get_corpus_iter(verbose=False)}
    queries = learn.rows.drop_duplicates("qid").set_index("qid")["query"]
    noticed = [(queries[qid], cases[docno]) for qid, docno in zip(learn.qrels["qid"], learn.qrels["docno"])]
    halves = [("\n".join(paragraphs(query)[start::2]), case) for query, case in noticed for start in (0, 1)]
    queries, positives = zip(*noticed, *halves)
    return {"anchor": [*queries], "positive": [*positives]}


def fine_tuned(checkpoint: str, pairs: dict[str, list[str]]) -> str:
    """The folder of a checkpoint that has learned from pairs."""
    from datasets import Dataset
    from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer, losses
    from sentence_transformers import SentenceTransformerTrainingArguments as Arguments
    from sentence_transformers.training_args import BatchSamplers

    model, folder = SentenceTransformer(checkpoint), tempfile.mkdtemp(dir=FOLDER)
    model.model_card_data.generate_widget_examples = False  # they would quote decisions
    arguments = Arguments(
        folder,
        num_train_epochs=1,
        per_device_train_batch_size=16,
        batch_sampler=BatchSamplers.NO_DUPLICATES,  # or a case of the batch would be its own negative
        seed=0,
        disable_tqdm=True,
        report_to="none",
        save_strategy="no",
        logging_strategy="no",
    )
    loss = losses.MultipleNegativesRankingLoss(model)
    SentenceTransformerTrainer(model, arguments, train_dataset=Dataset.from_dict(pairs), loss=loss).train()
    model.save(folder, create_model_card=False)
    return folder


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    learn, choose = learn_and_choose(train, pt.Transformer.identity())
    checkpoint = fine_tuned(
        models.encoder("sentence-transformers/all-mpnet-base-v2"), with_synthetic_cases(train, learn)
    )
    encoder = sentence_encoder(checkpoint)

    def ranking(split: Split) -> pt.Transformer:
        start = coliee.CandidatePool(split.id) if split.has_pools else pt.Transformer.identity()
        corpus = pt.get_dataset(f"irds:{split.id}").get_corpus_iter(verbose=False)
        return start >> dense_retrieval(encoder, corpus) >> coliee.DropSelf()

    return ranking(split) >> fit_cutoff(ranking(train)(choose.rows), choose.qrels, MicroF1, CUTOFFS).cutoff


if __name__ == "__main__":
    main("task1", "JNLP", pipeline, __doc__)
