"""Task 1 in a few declarative lines: the effect of the year filter and of the cut-off.

Run: python examples/task1_first_experiment.py [--dataset ID]
The default is the built-in sample, whose scores say nothing about COLIEE.
"""

import argparse

import pyterrier as pt

from ir_coliee import MicroF1, MicroP, MicroR, editions
from ir_coliee.transformers import DropQueries, DropSelf, DynamicCutoff, LexicalIndex, YearFilter

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--dataset", default="coliee/task1/sample/test", metavar="ID", help="default: %(default)s")
ID = editions.as_split(parser.parse_args().dataset).id

dataset = pt.get_dataset(f"irds:{ID}")
bm25 = LexicalIndex.from_dataset(ID, analyser="case").bm25(k1=3.0, b=1.0, num_results=100)
candidates = bm25 >> DropSelf() >> DropQueries(ID)
in_time = candidates >> YearFilter(ID)

print(
    pt.Experiment(
        [
            candidates % 5,
            in_time % 5,
            in_time >> DynamicCutoff(ratio=0.34, min_items=3, max_items=7),
            in_time >> DynamicCutoff(ratio=0.5, min_items=1, max_items=5),
        ],
        dataset.get_topics(),
        dataset.get_qrels(),
        [MicroF1, MicroP, MicroR],
        names=["BM25, first 5", "+ year filter", "+ cut-off of THUIR 2023", "+ narrower cut-off"],
        round=4,
        plan="tree",
        verbose=False,
    ).to_string(index=False)
)
