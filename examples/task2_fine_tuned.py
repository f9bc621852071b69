"""Task 2 with fine-tuned cross-encoders, hard negatives mined in rounds, and an ensemble.

Run: python examples/task2_fine_tuned.py [--dataset ID] [--model NAME]
The method is that of CAPTAIN, the winner of 2023: a checkpoint of each round, an ensemble of the checkpoints with BM25,
and a margin cut-off. The first round is trained with the highest-ranked non-relevant paragraphs of BM25, each later
round with those of the previous round; weights and margin are chosen on held-out blocks of the train split. Model,
rounds, negatives and folds are ours. The default is the sample, whose scores say nothing about COLIEE. `--model tiny`
uses random weights, needs no download, and its scores mean nothing. A published model on a real edition needs a GPU.
"""

import argparse
from pathlib import Path

import pandas as pd
import pyterrier as pt

from ir_coliee import MicroF1, MicroP, MicroR, editions
from ir_coliee import transformers as coliee
from ir_coliee.baselines.training import qrels, topics, train_split
from ir_coliee.datasets.folds import by_block
from ir_coliee.evaluation.fusion import search_weights
from ir_coliee.evaluation.writing import write_run
from ir_coliee.models import TrainingOptions
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.storage import require_writable
from ir_coliee.transformers.rerankers.training import mined_rounds

ROUNDS, NEGATIVES = 2, 10
CUTOFFS = [coliee.MarginCutoff(margin / 50, max_items=n) for n in (1, 2, 3) for margin in range(51)]


def candidates(split):
    """The paragraphs of each query with their texts, ranked by BM25."""
    bm25 = coliee.LexicalIndex.from_dataset(split.id, analyser="case").bm25(statistics="pool")
    texts = pt.text.get_text(pt.get_dataset(f"irds:{split.id}"), "text", verbose=False)
    found = (coliee.CandidatePool(split.id) >> bm25 >> texts)(topics(split))
    return found.assign(text=found["text"].str[:read])


def checkpoints(run, gold):
    """Fine-tune a scorer in each round, with negatives from the previous ranking."""
    scorer = coliee.PairScorer(model, training=TrainingOptions(epochs=epochs), max_tokens=max_tokens)
    return mined_rounds(scorer, run, gold, rounds=ROUNDS, negatives=NEGATIVES)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--dataset", default="coliee/task2/sample/test", metavar="ID", help="default: %(default)s")
parser.add_argument(
    "--model", default="cross-encoder/ms-marco-MiniLM-L6-v2", metavar="NAME", help="tiny: random weights"
)
arguments = parser.parse_args()
tiny = arguments.model == "tiny"
model = tiny_checkpoint("classifier") if tiny else arguments.model
epochs, max_tokens = (1, 32) if tiny else (3, None)
folds, read = (2, 100) if tiny else (4, None)  # read: number of characters, small for random weights
split = editions.as_split(arguments.dataset)
require_writable(path := Path("coliee-runs", f"{split.id.replace('/', '-')}.tuned"))
train, test, gold = candidates(train_split(split)), candidates(split), qrels(train_split(split))

unseen = []  # for each fold the held-out ranking of each round
for learned, held_out in by_block(list(train["qid"].unique()), folds).splits():
    scorers = checkpoints(train[train["qid"].isin(learned)], gold)
    unseen.append([scorer(train[train["qid"].isin(held_out)]) for scorer in scorers])
found = search_weights([train, *map(pd.concat, zip(*unseen))], gold, MicroF1, cutoffs=CUTOFFS)

scorers = checkpoints(train, gold)
rounds = {f"round {n}, the best": (scorer >> coliee.TopK(1))(test) for n, scorer in enumerate(scorers, 1)}
ensemble = coliee.WeightedSum(pt.Transformer.identity(), *scorers, weights=found.weights) >> found.fitted.cutoff
rows = {"BM25, the best": coliee.TopK(1)(test)} | rounds | {"ensemble": ensemble(test)}
write_run(split, rows["ensemble"], path, "tuned")
for n, scorer in enumerate(scorers, 1):
    scorer.save(f"{path}-round{n}")  # PairScorer("coliee-runs/…-round1") loads it again
table = pt.Experiment(rows, topics(split), qrels(split), [MicroF1, MicroP, MicroR], round=4)
print(f"wrote {path}\nweights {found.weights}, {found.fitted.cutoff!r}\n{table.to_string(index=False)}")
