"""The test splits of the sample, its files, and small runs on it."""

from pathlib import Path

import pandas as pd

import ir_coliee
from ir_coliee.editions import split

TASK1, TASK2, TASK3, TASK4 = (
    split(f"coliee/{name}/test") for name in ("task1/sample", "task2/sample", "task3/sample/en", "task4/sample/en")
)
PREDICTION, RATIONALE = (split(f"coliee/pilot/sample/{task}/test") for task in ("prediction", "rationale"))
SAMPLE = Path(ir_coliee.__file__).parent / "datasets" / "sample"
TORTS = SAMPLE / "LJPJTsample" / "test001.jsonl"


def frame(run):
    """A result frame of the answers to each query, best first: {query: items} or pairs."""
    pairs = [(query, item) for query, items in run.items() for item in items] if isinstance(run, dict) else run
    table = pd.DataFrame(pairs, columns=["qid", "docno"]).astype(str)
    ranks = table.groupby("qid", sort=False).cumcount()
    return table.assign(score=100.0 - ranks, rank=ranks)
