"""Task 1 with learning to rank from scores, quotations and competition, without a downloaded model.

Run: python examples/task1_ltr.py [--dataset ID]
The default is the sample, whose scores say nothing about COLIEE. The last 900 train queries are used; the last 400 of
them choose the cut-off. The models of the ablation are fitted on the others, the submitted model on all. The row
"learning" is the sum of the scores without a learner.
"""

import argparse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyterrier as pt

from ir_coliee import MicroF1, MicroP, MicroR, editions
from ir_coliee import transformers as coliee
from ir_coliee.baselines.case_candidates import CaseSearch
from ir_coliee.evaluation import cutoff_search, runs
from ir_coliee.transformers.features import feature_matrix

CUTOFFS = [coliee.ThresholdCutoff(p / 100, min_items=1, max_items=10) for p in range(2, 61)] + [
    coliee.ExpectedFCutoff(1, average="micro", min_items=1, max_items=10)
]
LEFT_OUT = {"submitted": [], "nothing": [], "KLI terms": ["kli"], "citing context": ["citing"], "bigrams": ["bigram"]}
LEFT_OUT |= {"competition": ["queries", "_query_"]}
LEFT_OUT |= {"quotations": ["shingle", "passage", "quoted", "place"], "cases": ["year", "length", "marker", "is_query"]}


def candidates(split, first):
    """The best candidates of a split's queries from position ``first``, with features, and the features' names."""
    search = CaseSearch(split)
    topics = pt.get_dataset(f"irds:{split.id}").get_topics()[first:]
    return (search.candidates() >> search.features)(topics), coliee.feature_names(search.features)


def answers(left_out):
    """The answers of a model without a group of features."""
    kept = [place for place, name in enumerate(names) if not any(word in name for word in LEFT_OUT[left_out])]
    seen, unseen = (run.assign(features=[*feature_matrix(run)[:, kept]]) for run in (train, test))
    learner = coliee.LearnedRanker(coliee.boosted_classifier(n_jobs=1, min_child_samples=min(60, len(train) // 100)))
    scored = learner.fit(seen[~late], gold)(seen[late])
    cutoff = cutoff_search.fit_cutoff(scored, gold[gold["qid"].isin(scored["qid"])], MicroF1, CUTOFFS).cutoff
    return ((learner.fit(seen, gold) if left_out == "submitted" else learner) >> cutoff)(unseen)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--dataset", default="coliee/task1/sample/test", metavar="ID", help="default: %(default)s")
split = editions.as_split(parser.parse_args().dataset)
runs.require_writable(path := Path("coliee-runs", f"{split.id.replace('/', '-')}.ltr"))
(train, names), (test, _) = ThreadPoolExecutor(2).map(candidates, (split.train, split), (-900, 0))
gold, dataset = pt.get_dataset(f"irds:{split.train.id}").get_qrels(), pt.get_dataset(f"irds:{split.id}")
late = train["qid"].isin(train["qid"].unique()[-min(400, train["qid"].nunique() // 2) :])
rows = dict(zip(LEFT_OUT, ThreadPoolExecutor(2).map(answers, LEFT_OUT))) | {"learning": coliee.DynamicCutoff()(test)}
runs.write_run(split, rows["submitted"], path, "ltr")
table = pt.Experiment(rows, dataset.get_topics(), dataset.get_qrels(), [MicroF1, MicroP, MicroR], round=4)
print(f"wrote {path}\nScores without a group of features\n{table.to_string(index=False)}")
