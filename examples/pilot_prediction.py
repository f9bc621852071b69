"""The pilot's tort prediction: does the court find a tort? Majority, TF-IDF, embeddings and a language model.

Run: python examples/pilot_prediction.py [--dataset ID] [--model NAME]
The default is the sample, whose scores say nothing about COLIEE. Classifiers are fitted on the train split. The
organisers do not publish the labels of a test split; on a train split, each of five blocks is answered by a classifier
that was fitted on the other four.
"""

import argparse
import functools
import os

import ir_datasets
import pandas as pd
import pyterrier as pt

from ir_coliee import editions
from ir_coliee import transformers as coliee
from ir_coliee.baselines.training import qrels
from ir_coliee.datasets.folds import by_block
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.models import LocalModel
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.transformers.answers.classifiers import EmbeddingClassifier
from ir_coliee.transformers.answers.votes import majority_vote

ENCODER, MODEL = "sentence-transformers/paraphrase-multilingual-mpnet-base-v2", "Qwen/Qwen2.5-1.5B-Instruct"
MAX_CHARACTERS = 10_000  # of a dispute for the language model; fewer for a tiny model with a small window


def instances(split):
    """The instances as queries with the parties' claims, and the undisputed facts as their texts."""
    full = ir_datasets.load(f"{split.id}/full").queries_iter()
    rows = [(instance.query_id, instance.dispute, "\n".join(instance.undisputed_facts)) for instance in full]
    return pd.DataFrame(rows, columns=["qid", "query", "text"])


def fitted_answers(split, make_classifier):
    """The answers of a classifier fitted on the train split, without the block that it answers."""
    questions, examples = (coliee.CandidatePool(each.id)(instances(each)) for each in (split, split.train))
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
        "--dataset", default="coliee/pilot/sample/prediction/test", metavar="ID", help="default: %(default)s"
    )
    parser.add_argument("--model", default=MODEL, metavar="NAME", help="a language model; tiny: random weights")
    chosen = parser.parse_args()
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    tiny = chosen.model == "tiny"
    encoder, model = (tiny_checkpoint("encoder"), tiny_checkpoint("causal")) if tiny else (ENCODER, chosen.model)
    begin = pt.apply.query(lambda row: row["query"][: 300 if tiny else MAX_CHARACTERS])
    split = editions.as_split(chosen.dataset)
    no = pt.apply.qanswer(lambda _row: "N")
    judge = coliee.Entailment(LocalModel(model, max_tokens=8, probabilities=True), "tort.ja")
    answers = {
        "always no": (no >> coliee.AnswersAsDocuments("True", "False"))(instances(split)),
        "majority": fitted_answers(split, coliee.MajorityAnswer),
        "TF-IDF": fitted_answers(split, functools.partial(coliee.TfidfClassifier, "query", language="ja")),
        "embeddings": fitted_answers(split, functools.partial(EmbeddingClassifier, encoder, "query")),
        "language model": (begin >> judge >> coliee.AnswersAsDocuments("True", "False"))(instances(split)),
    }
    answers["vote of the last three"] = majority_vote([*answers.values()][-3:])
    scorer = Scorer(split)
    figures = {name: scorer.score(coliee.TopK(1)(answer)).figures for name, answer in answers.items()}
    print(pd.DataFrame(figures).T.to_string(float_format="{:.4f}".format))


if __name__ == "__main__":
    main()
