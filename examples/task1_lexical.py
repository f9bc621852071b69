"""Task 1 with lexical methods: cleaned decisions, selected query terms, BM25, filters, a cut-off, and an ablation.

Run: python examples/task1_lexical.py [--dataset ID]
The default is the built-in sample, whose scores say nothing about COLIEE. The run is written to coliee-runs/. The
stages are those of THUIR and IITDLI at COLIEE 2023. Each row of the table omits one stage; its cut-off is the best on
the train split.
"""

import argparse
from functools import reduce
from operator import rshift
from pathlib import Path

import pyterrier as pt

from ir_coliee import MicroF1, MicroP, MicroR, editions, fit_cutoff
from ir_coliee import transformers as coliee
from ir_coliee.evaluation.writing import write_run
from ir_coliee.storage import require_writable

SWITCHED = ("cleaning", "KLI terms", "year filter", "drop self", "drop queries", "dynamic cut-off")
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--dataset", default="coliee/task1/sample/test", metavar="ID", help="default: %(default)s")
split = editions.as_split(parser.parse_args().dataset)
path = Path("coliee-runs") / f"{split.id.replace('/', '-')}.lexical"
require_writable(path)


def rankings(split):
    """The ranking with all stages and without each one of them, by the name of the omitted stage."""
    corpus = list(pt.get_dataset(f"irds:{split.id}").get_corpus_iter(verbose=False))
    clean = coliee.CleanCase(drop_header=True, drop_french=True, join_lines=True)
    cleaned, raw = (coliee.LexicalIndex.build(texts) for texts in (clean.transform_iter(corpus), corpus))

    def without(left_out):
        index = raw if left_out == "cleaning" else cleaned
        stages = {
            "cleaning": clean,
            "pool": coliee.CandidatePool(split.id) if split.has_pools else pt.Transformer.identity(),
            "KLI terms": coliee.SelectTerms(index, 0.4),
            "BM25": index.bm25(k1=3.0, b=1.0, num_results=1000),
            "year filter": coliee.YearFilter(split.id),
            "drop self": coliee.DropSelf(),
            "drop queries": coliee.DropQueries(split.id),
        }
        return reduce(rshift, (stage for name, stage in stages.items() if name != left_out)) % 100

    return {name: without(name) for name in ("nothing", *SWITCHED)}


train, test = (pt.get_dataset(f"irds:{each.id}") for each in (split.train, split))
seen = {name: ranking(train.get_topics()) for name, ranking in rankings(split.train).items()}
bounds = [{"min_items": n, "max_items": m} for m in range(4, 20) for n in range(1, m)]
dynamic = [coliee.DynamicCutoff(share / 100, **bound) for share in range(10, 99, 2) for bound in bounds]
fixed = [coliee.TopK(k) for k in range(1, 20)]
grids = dict.fromkeys(seen, dynamic) | {"dynamic cut-off": fixed}
cutoffs = {name: fit_cutoff(train.get_qrels(), run, MicroF1, grids[name]).cutoff for name, run in seen.items()}
answers = {name: ranking >> cutoffs[name] for name, ranking in rankings(split).items()}
write_run(split, answers["nothing"](test.get_topics()), path, "lexical")
measured = test.get_topics(), test.get_qrels(), [MicroF1, MicroP, MicroR]
table = pt.Experiment(answers, *measured, round=4, plan="tree", verbose=False)
print(f"wrote {path}\nScores without a stage\n{table.to_string(index=False)}")
