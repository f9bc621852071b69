"""Task 1 with the recipe of the learned baseline, and what each family of its features adds; no downloaded model.

Run: python examples/task1_ltr.py [--dataset ID]
The default is the sample, whose scores say nothing about COLIEE. Candidates and features are computed within pools that
are built as the organisers build tests; models and cut-offs are fitted on blocks of train queries. In the table, "all"
is the submitted run, and each other row lacks a family of features.
"""

import argparse
from pathlib import Path

import pyterrier as pt

from ir_coliee import MicroF1, MicroP, MicroR, editions
from ir_coliee.baselines.cases import CaseBaseline
from ir_coliee.baselines.recipes import fit, held_out
from ir_coliee.baselines.training import training_data
from ir_coliee.evaluation.writing import write_run
from ir_coliee.storage import require_writable


def answers(blocks, asked):
    """The answers of models and of a cut-off that are fitted on the blocks."""
    scored = held_out(baseline.recipe, blocks, gold)
    return scored.cutoff(fit(scored).run(asked))


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--dataset", default="coliee/task1/sample/test", metavar="ID", help="default: %(default)s")
arguments = parser.parse_args()
split = editions.as_split(arguments.dataset)
require_writable(path := Path("coliee-runs", f"{split.id.replace('/', '-')}.ltr"))
dataset, training = pt.get_dataset(f"irds:{split.id}"), training_data(split)
baseline, gold = CaseBaseline(split, training), training.qrels()
train, test = baseline.train_blocks(), baseline.block()
rows = {"all": answers(train, test)}
for family in test.table.families:
    rows[f"no {family}"] = answers([block.without(family) for block in train], test.without(family))
write_run(split, rows["all"], path, "ltr")
measures = [MicroF1, MicroP, MicroR]
table = pt.Experiment(rows, dataset.get_topics(), dataset.get_qrels(), measures, round=4)
print(f"wrote {path}\nScores without a family of features\n{table.to_string(index=False)}")
