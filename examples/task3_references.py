"""Task 3: the effect of following the references between articles, for articles without a word of the question.

Run: python examples/task3_references.py [--dataset ID]
The default is the built-in sample, whose scores say nothing about COLIEE. On another edition, compare the options on
earlier exam years (…/h18 and so on) before the test.

The organisers' overview of 2023 (section 4.5) describes a question that no system answered: one relevant article was
found, but not the second one, which applies the first mutatis mutandis and is reachable only by the reversed reference.
"""

import argparse

import pyterrier as pt
from ir_measures import R

from ir_coliee import MacroF2, editions
from ir_coliee.transformers import LexicalIndex, RatioCutoff, ReferenceExpansion

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--dataset", default="coliee/task3/sample/en/test", metavar="ID", help="default: %(default)s")
ID = editions.as_split(parser.parse_args().dataset).id

dataset = pt.get_dataset(f"irds:{ID}")
bm25 = LexicalIndex.from_dataset(ID).bm25(num_results=100)
rankings = {
    "BM25": bm25,
    "+ articles it applies": bm25 >> ReferenceExpansion(ID, direction="outgoing", mutatis_mutandis=True) % 100,
    "+ articles that apply it": bm25 >> ReferenceExpansion(ID, direction="incoming", mutatis_mutandis=True) % 100,
    "+ all, both directions": bm25 >> ReferenceExpansion(ID) % 100,
    "+ all, depth 2": bm25 >> ReferenceExpansion(ID, depth=2) % 100,
    "+ all, lower decay": bm25 >> ReferenceExpansion(ID, decay=0.3) % 100,
    "+ all, summed": bm25 >> ReferenceExpansion(ID, decay=0.3, combine="sum") % 100,
}


def table(systems, measures):
    """Print the measures of the systems."""
    topics, qrels = dataset.get_topics(), dataset.get_qrels()
    found = pt.Experiment(systems, topics, qrels, measures, round=4, plan="tree", verbose=False)
    print(found.to_string(index=False), end="\n\n")


print("Recall of the rankings")
table(rankings, [R @ 5, R @ 10, R @ 30, R @ 100])
print("Mean F2 of the answers: at most 5 items with at least 0.5 times the best score")
table({name: ranking >> RatioCutoff(0.5, max_items=5) for name, ranking in rankings.items()}, [MacroF2, R @ 5])
