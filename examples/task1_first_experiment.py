"""Task 1 in a few declarative lines: the effect of the year filter and of the cut-off.

Run: python examples/task1_first_experiment.py [ID]
The default is the built-in sample, whose scores say nothing about COLIEE.
"""

import sys

import pyterrier as pt

from ir_coliee import MicroF1, MicroP, MicroR
from ir_coliee.transformers import DropQueries, DropSelf, DynamicCutoff, LexicalIndex, YearFilter

ID = sys.argv[1] if len(sys.argv) > 1 else "coliee/task1/sample/test"

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
    ).to_string(index=False)
)
