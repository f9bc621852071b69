"""The pilot's rationale extraction: which claims does the court accept? TF-IDF, embeddings and a language model.

Run: python examples/pilot_rationale.py [--dataset ID] [--model NAME]
The default is the sample, whose scores say nothing about COLIEE. Classifiers are fitted on the train split. The
organisers do not publish the labels of a test split; on a train split, each of five blocks is answered by a classifier
that was fitted on the other four. An instance without an accepted claim scores 0 or 1 if nothing is returned: the
organisers do not say which.
"""

import argparse
import functools
import os

import ir_datasets
import pandas as pd
import pyterrier as pt

from ir_coliee import editions
from ir_coliee import transformers as coliee
from ir_coliee.baselines.training import qrels, topics
from ir_coliee.datasets.folds import by_block
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.models import LocalModel
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.transformers.answers.classifiers import EmbeddingClassifier

ENCODER, MODEL = "sentence-transformers/paraphrase-multilingual-mpnet-base-v2", "Qwen/Qwen2.5-1.5B-Instruct"
MAX_CHARACTERS = 10_000  # of a dispute for the language model; fewer for a tiny model with a small window


def claims(split):
    """The claims of each instance as candidates with texts; the query is the whole dispute."""
    texts = pd.DataFrame(ir_datasets.load(split.id).docs_iter()).rename(columns={"doc_id": "docno"})
    return coliee.CandidatePool(split.id)(topics(split)).merge(texts[["docno", "text"]], on="docno")


def fitted_answers(split, make_classifier):
    """The answers of a classifier fitted on the train split, without the block that it answers."""
    questions, examples = claims(split), claims(split.train)
    if split != split.train:
        return make_classifier().fit(examples, qrels(split.train))(questions)
    block = questions["qid"].map(by_block(questions["qid"].drop_duplicates().tolist(), 5))
    return pd.concat(
        [
            make_classifier().fit(examples[block != held_out], qrels(split))(questions[block == held_out])
            for held_out in range(5)
        ]
    )


def main():
    """Print a table of official measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--dataset", default="coliee/pilot/sample/rationale/test", metavar="ID", help="default: %(default)s"
    )
    parser.add_argument("--model", default=MODEL, metavar="NAME", help="a language model; tiny: random weights")
    chosen = parser.parse_args()
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    tiny = chosen.model == "tiny"
    encoder, model = (tiny_checkpoint("encoder"), tiny_checkpoint("causal")) if tiny else (ENCODER, chosen.model)
    begin = pt.apply.query(lambda row: row["query"][: 300 if tiny else MAX_CHARACTERS])
    split, accepted = editions.as_split(chosen.dataset), coliee.ThresholdCutoff(0.5)
    judge = coliee.CandidateEntailment(LocalModel(model, max_tokens=8, probabilities=True), "claim.ja")
    scored = {
        "TF-IDF": fitted_answers(split, functools.partial(coliee.TfidfClassifier, "text", language="ja")),
        "embeddings": fitted_answers(split, functools.partial(EmbeddingClassifier, encoder, "text")),
        "language model": (begin >> judge)(claims(split)),
    }
    scored["mean of the three"] = coliee.fusion.weighted_sum([*scored.values()], [1 / 3] * 3, normalise=None)
    answers = {"all claims": claims(split)} | {name: accepted(each) for name, each in scored.items()}
    scorer = Scorer(split)
    print(pd.DataFrame({name: scorer.score(each).figures for name, each in answers.items()}).T.round(4).to_string())


if __name__ == "__main__":
    main()
