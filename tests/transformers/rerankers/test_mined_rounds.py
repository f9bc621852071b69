"""Rounds of training: what each learns from, and which folder has its state."""

from pathlib import Path

import pandas as pd
import pytest

from ir_coliee.models.adapters import TrainingOptions
from ir_coliee.transformers.rerankers.training import mined_rounds

RUN = pd.DataFrame(
    {
        "qid": "900",
        "query": "light",
        "docno": list("abcde"),
        "text": ["yes", "no", "lamp", "gate", "true"],
        "score": [5.0, 4.0, 3.0, 2.0, 1.0],
    }
)
GOLD = pd.DataFrame({"qid": ["900"], "docno": ["e"], "label": [1]})


class Reversing:
    """A scorer that ranks the last document number first, once it is fitted, and then the reverse in the next round."""

    def __init__(self, training=TrainingOptions()):
        self.training, self.learned = training, None

    def arguments(self):
        return {"training": self.training}

    def fit(self, results, qrels):
        self.learned = "".join(results["docno"])
        return self

    def transform(self, results):
        sign = -1 if self.training.seed % 2 else 1
        return results.assign(score=[sign * ord(docno) for docno in results["docno"]])


def test_each_round_learns_from_what_the_round_before_ranks_high():
    scorer = Reversing(TrainingOptions(seed=4, folder="state"))
    rounds = mined_rounds(scorer, RUN, GOLD, rounds=3, negatives=2)
    assert [each.learned for each in rounds] == ["abe", "edc", "abe"]
    assert [each.training.seed for each in rounds] == [4, 5, 6]
    assert [each.training.folder for each in rounds] == [Path("state", f"round-{n}") for n in (1, 2, 3)]
    assert scorer.learned is None
    with pytest.raises(ValueError, match="rounds must be an integer >= 1, got 0"):
        mined_rounds(scorer, RUN, GOLD, rounds=0, negatives=2)
