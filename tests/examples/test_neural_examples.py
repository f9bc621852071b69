"""The neural examples: no label of a query reaches its own scores."""

import sys
from pathlib import Path

import pandas as pd
import pytest

from ir_coliee.datasets.folds import by_block
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint

LoraConfig = pytest.importorskip("peft").LoraConfig

pytest.importorskip("sentence_transformers")
pytest.importorskip("peft")
EXAMPLES = Path(__file__).parents[2] / "examples"
if not EXAMPLES.is_dir():
    pytest.skip("the examples are in the repository alone", allow_module_level=True)

pytestmark = pytest.mark.slow
TRAIN = "coliee/task2/sample/train"


@pytest.fixture
def steps(monkeypatch):
    """The shared steps of the neural examples."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.delitem(sys.modules, "neural_steps", raising=False)
    import neural_steps

    return neural_steps


def scorer(name):
    from ir_coliee.models import TrainingOptions
    from ir_coliee.transformers import PairScorer

    training = TrainingOptions(epochs=1, learning_rate=1e-2, adapter=LoraConfig(r=2, lora_alpha=32, lora_dropout=0.05))
    return PairScorer(tiny_checkpoint("classifier"), training=training, max_tokens=24, pooling="first")


def test_scores_of_a_fold_do_not_depend_on_its_labels_and_those_of_others_do(steps):
    from ir_coliee.editions import split
    from ir_coliee.transformers import CandidatePool, LexicalIndex

    train = split(TRAIN)
    bm25 = LexicalIndex.from_dataset(TRAIN, analyser="case").bm25(statistics="pool")
    rows = (CandidatePool(TRAIN) >> bm25 % 4 >> steps.texts(train))(steps.topics(train))
    gold = steps.qrels(train)
    folds = by_block(list(dict.fromkeys(rows["qid"])), 2)
    first, other = (set(unseen) for _, unseen in folds.splits())
    own = rows["qid"].isin(first)
    wrong = rows[own & ~rows["docno"].isin(gold["docno"])].groupby("qid").head(1)[["qid", "docno"]].assign(label=1)
    permuted = pd.concat([gold[~gold["qid"].isin(first)], wrong], ignore_index=True)
    before, after = (steps.held_out(scorer, rows, labels, folds) for labels in (gold, permuted))

    def scores(frame, queries):
        return frame[frame["qid"].isin(queries)].sort_values(["qid", "docno"])["score"].tolist()

    assert {*before["qid"]} == first | other
    assert scores(before, first) == scores(after, first)
    assert scores(before, other) != scores(after, other)
