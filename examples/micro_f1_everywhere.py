"""`pt.Experiment` averages over queries and still reports the pooled (micro-averaged) F1 of COLIEE.

Run: python examples/micro_f1_everywhere.py
The script compares five ways of calling `pt.Experiment` with a computation in ten lines of plain Python.
"""

import argparse
import warnings

import pyterrier as pt

from ir_coliee import MicroF1
from ir_coliee.transformers import DropSelf, LexicalIndex, RatioCutoff

argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
ID = "coliee/task1/sample/test"
dataset = pt.get_dataset(f"irds:{ID}")
topics, qrels = dataset.get_topics(), dataset.get_qrels()
bm25 = LexicalIndex.from_dataset(ID, analyser="case").bm25(num_results=20) >> DropSelf()
systems = [bm25 >> RatioCutoff(0.3, max_items=7), bm25 >> RatioCutoff(0.5, max_items=7)]


def pooled_and_mean_f1(answers):
    """Micro F1 and, for comparison, the mean of the per-query F1, in plain Python."""
    gold, returned = {}, {}
    for query, case in zip(qrels.qid, qrels.docno):
        gold.setdefault(query, set()).add(case)
    for query, case in zip(answers.qid, answers.docno):
        returned.setdefault(query, set()).add(case)
    counts = [(len(gold[q] & returned.get(q, set())), len(returned.get(q, set())), len(gold[q])) for q in gold]
    tp, n, g = map(sum, zip(*counts))
    return 2 * tp / (n + g), sum(2 * h / (r + w) for h, r, w in counts) / len(counts)


(pooled, mean), (pooled_of_second, _) = (pooled_and_mean_f1(system(topics)) for system in systems)
print(f"plain Python: micro F1 {pooled:.6f} and {pooled_of_second:.6f}; the mean of per-query F1 would be {mean:.6f}")
warnings.filterwarnings("ignore", "There are shared pipeline components")  # PyTerrier recommends plan="tree"
ways = {"plain": {}, "batch_size=3": {"batch_size": 3}, "baseline=0": {"baseline": 0}}
ways |= {'perquery="both"': {"perquery": "both"}, 'plan="tree"': {"plan": "tree", "verbose": False}}
for way, arguments in ways.items():
    table = pt.Experiment(systems, topics, qrels, [MicroF1], names=["first", "second"], **arguments)
    table = table.averages if way == 'perquery="both"' else table
    first, second = table["MicroF1"]
    print(f"{way:18} micro F1 {first:.6f} and {second:.6f}")
    if abs(first - pooled) > 1e-12 or abs(second - pooled_of_second) > 1e-12 or abs(pooled - mean) < 1e-3:
        raise SystemExit(f"{way} does not report the pooled figure")
