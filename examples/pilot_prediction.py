"""The pilot's prediction: does the court find a tort? The majority, words, embeddings, and a language model.

Run: python examples/pilot_prediction.py [--dataset ID] [--model NAME]
The default is the sample, whose scores say nothing about COLIEE. What learns does so from the train part. The
organisers keep a test's labels; of a train part, what learns has not seen the block (one in five) that it answers.
"""

import argparse
import functools
import os

import ir_datasets
import pandas as pd
import pyterrier as pt

from ir_coliee import editions
from ir_coliee import transformers as coliee
from ir_coliee.baselines.training_data import qrels
from ir_coliee.datasets import folds as splits
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.models import LocalModel
from ir_coliee.models.tiny import tiny_checkpoint

ENCODER, MODEL = "sentence-transformers/paraphrase-multilingual-mpnet-base-v2", "Qwen/Qwen2.5-1.5B-Instruct"
READ = 10_000  # characters of a dispute that a language model reads; a tiny one, whose window is small, a few


def instances(split):
    """The parties' claims of each instance as a query, what is not in dispute as its text."""
    full = ir_datasets.load(f"{split.id}/full").queries_iter()
    rows = [(instance.query_id, instance.dispute, "\n".join(instance.undisputed_facts)) for instance in full]
    return pd.DataFrame(rows, columns=["qid", "query", "text"])


def learned(split, make):
    """What a classifier answers that has learned from the train part, without the block that it answers."""
    asked, seen = (coliee.CandidatePool(each.id)(instances(each)) for each in (split, split.train))
    if split != split.train:
        return make().fit(seen, qrels(split.train))(asked)
    block = asked["qid"].map(splits.by_block(asked["qid"].drop_duplicates().tolist(), 5))
    return pd.concat([make().fit(seen[block != own], qrels(split))(asked[block == own]) for own in range(5)])


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default="coliee/pilot/sample/prediction/test", metavar="ID")
    parser.add_argument("--model", default=MODEL, metavar="NAME", help="a language model; tiny: random weights")
    chosen = parser.parse_args()
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    tiny = chosen.model == "tiny"
    encoder, model = (tiny_checkpoint("encoder"), tiny_checkpoint("causal")) if tiny else (ENCODER, chosen.model)
    begin = pt.apply.query(lambda row: row["query"][: 300 if tiny else READ])
    split = editions.split(chosen.dataset)
    judge = coliee.Entailment(LocalModel(model, max_tokens=8, probabilities=True), "tort.ja")
    answers = {
        "always no": (coliee.AlwaysNo() >> coliee.AnswersAsDocuments("True", "False"))(instances(split)),
        "majority": learned(split, coliee.MajorityAnswer),
        "TF-IDF": learned(split, functools.partial(coliee.TfidfClassifier, "query", language="ja")),
        "embeddings": learned(split, functools.partial(coliee.EmbeddingClassifier, encoder, "query")),
        "language model": (begin >> judge >> coliee.AnswersAsDocuments("True", "False"))(instances(split)),
    }
    answers["vote of the last three"] = coliee.majority_vote([*answers.values()][-3:])
    scorer = Scorer(split)
    figures = {name: scorer.score(coliee.TopK(1)(answer)).figures for name, answer in answers.items()}
    print(pd.DataFrame(figures).T.to_string(float_format="{:.4f}".format))


if __name__ == "__main__":
    main()
