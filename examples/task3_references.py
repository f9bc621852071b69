"""Task 3: does following the references between articles find what shares no words with the question?

Run: python examples/task3_references.py [ID]
The default is the built-in sample, whose scores say nothing about COLIEE. In another edition, try the options on
its earlier exam years (…/h18 and so on) before its test.

The organisers' overview of 2023 (section 4.5) has the question that no system answered: the right article was found,
but not the second one, which applies it mutatis mutandis. From the first only the reference backwards leads there.
"""

import sys

import pyterrier as pt
from ir_measures import R

from ir_coliee import MacroF2
from ir_coliee.transformers import LexicalIndex, RatioCutoff, ReferenceExpansion

ID = sys.argv[1] if len(sys.argv) > 1 else "coliee/task3/sample/en/test"

dataset = pt.get_dataset(f"irds:{ID}")
bm25 = LexicalIndex.from_dataset(ID).bm25(num_results=100)
rankings = {
    "BM25": bm25,
    "+ applied by it": bm25 >> ReferenceExpansion(ID, direction="outgoing", mutatis_mutandis=True) % 100,
    "+ that apply it": bm25 >> ReferenceExpansion(ID, direction="incoming", mutatis_mutandis=True) % 100,
    "+ all, both ways": bm25 >> ReferenceExpansion(ID) % 100,
    "+ all, two steps": bm25 >> ReferenceExpansion(ID, depth=2) % 100,
    "+ all, fainter": bm25 >> ReferenceExpansion(ID, decay=0.3) % 100,
    "+ all, summed": bm25 >> ReferenceExpansion(ID, decay=0.3, combine="sum") % 100,
}


def table(systems, measures):
    """The measures of the systems, printed."""
    topics, qrels = dataset.get_topics(), dataset.get_qrels()
    found = pt.Experiment(systems, topics, qrels, measures, round=4, plan="tree", verbose=False)
    print(found.to_string(index=False), end="\n\n")


print("Recall of the rankings")
table(rankings, [R @ 5, R @ 10, R @ 30, R @ 100])
print("Mean F2 of the answers: what scores at least 0.5 times the best, at most 5")
table({name: ranking >> RatioCutoff(0.5, max_items=5) for name, ranking in rankings.items()}, [MacroF2, R @ 5])
