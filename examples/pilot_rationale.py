"""The pilot's rationale extraction: which claims does the court accept? All, words, embeddings, and a language model.

Run: python examples/pilot_rationale.py [--dataset ID] [--model NAME]
The default is the sample, whose scores say nothing about COLIEE. What learns does so from the train part. The
organisers keep a test's labels; of a train part, what learns has not seen the block (one in five) that it answers.
An instance without any accepted claim counts as 0 or as 1 where nothing is returned: the organisers do not say which.
"""

import argparse
import functools
import os

import ir_datasets
import pandas as pd
import pyterrier as pt

from ir_coliee import editions
from ir_coliee import transformers as coliee
from ir_coliee.baselines.training_data import qrels, topics
from ir_coliee.datasets import folds as splits
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.models import LocalModel
from ir_coliee.models.tiny import tiny_checkpoint

ENCODER, MODEL = "sentence-transformers/paraphrase-multilingual-mpnet-base-v2", "Qwen/Qwen2.5-1.5B-Instruct"
READ = 10_000  # characters of a dispute that a language model reads; a tiny one, whose window is small, a few


def claims(split):
    """The claims of each instance as its candidates, with their texts; the query is what all of them say."""
    texts = pd.DataFrame(ir_datasets.load(split.id).docs_iter()).rename(columns={"doc_id": "docno"})
    return coliee.CandidatePool(split.id)(topics(split)).merge(texts[["docno", "text"]], on="docno")


def learned(split, make):
    """What a classifier answers that has learned from the train part, without the block that it answers."""
    asked, seen = claims(split), claims(split.train)
    if split != split.train:
        return make().fit(seen, qrels(split.train))(asked)
    block = asked["qid"].map(splits.by_block(asked["qid"].drop_duplicates().tolist(), 5))
    return pd.concat([make().fit(seen[block != own], qrels(split))(asked[block == own]) for own in range(5)])


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default="coliee/pilot/sample/rationale/test", metavar="ID")
    parser.add_argument("--model", default=MODEL, metavar="NAME", help="a language model; tiny: random weights")
    chosen = parser.parse_args()
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    tiny = chosen.model == "tiny"
    encoder, model = (tiny_checkpoint("encoder"), tiny_checkpoint("causal")) if tiny else (ENCODER, chosen.model)
    begin = pt.apply.query(lambda row: row["query"][: 300 if tiny else READ])
    split, accepted = editions.split(chosen.dataset), coliee.ThresholdCutoff(0.5)
    judge = coliee.CandidateEntailment(LocalModel(model, max_tokens=8, probabilities=True), "claim.ja")
    scored = {
        "TF-IDF": learned(split, functools.partial(coliee.TfidfClassifier, "text", language="ja")),
        "embeddings": learned(split, functools.partial(coliee.EmbeddingClassifier, encoder, "text")),
        "language model": (begin >> judge)(claims(split)),
    }
    scored["mean of the three"] = coliee.fusion.weighted_sum([*scored.values()], [1 / 3] * 3, normalise=None)
    answers = {"all claims": claims(split)} | {name: accepted(each) for name, each in scored.items()}
    scorer = Scorer(split)
    print(pd.DataFrame({name: scorer.score(each).figures for name, each in answers.items()}).T.round(4).to_string())


if __name__ == "__main__":
    main()
