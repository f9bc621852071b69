"""A release whose gold is told by one kind of evidence alone: its retriever finds it, and the others do not."""

import json

import numpy as np
import pandas as pd
import pytest

from ir_coliee.baselines.training import qrels, topics
from ir_coliee.editions import split
from ir_coliee.transformers import CitedYearRetriever, JudgeMentionRetriever, NameRetriever

TEST = "coliee/task1/2025/test"
QUERIES, OTHERS = 12, 60
SYLLABLES = ("ka", "ru", "to", "mi", "se", "lo", "ba", "ne")
RETRIEVERS = {"names": NameRetriever, "judges": JudgeMentionRetriever, "years": CitedYearRetriever}


def invented(chance):
    return "".join(chance.choice(SYLLABLES, 4)).capitalize()


def planted(evidence):
    """What stands in the head of the noticed case of each query, and near a citation of the query."""
    chance = np.random.default_rng(17)
    names = [*dict.fromkeys(invented(chance) for _ in range(99))][:QUERIES]
    return {
        "names": [(f"Before {name} began.", f"in {name}") for name in names],
        "judges": [(f"{name}, J.", f"{name} J. in") for name in names],
        "years": [(f"Heard in {1950 + number}.", f"({1950 + number})") for number in range(QUERIES)],
    }[evidence]


@pytest.fixture(params=[*RETRIEVERS])
def evidence(request, tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    folder = tmp_path / "task1_test_files_2025"
    folder.mkdir()
    chance = np.random.default_rng(99)

    def body():
        return " ".join(chance.choice(["lamp", "gate", "well", "road", "field", "wall"], 40))

    labels = {}
    for number, (head, mention) in enumerate(planted(request.param)):
        query, noticed = f"{900001 + number}.txt", f"{900501 + number}.txt"
        labels[query] = [noticed]
        citation = f"{body()} {mention} <FRAGMENT_SUPPRESSED> {body()}"
        (folder / query).write_text(f"A query.\n[1]\n{body()}\n[2]\n{citation}")
        (folder / noticed).write_text(f"{head}\n[1]\n{body()}\n[2]\n{body()}")
    for number in range(OTHERS):
        (folder / f"{900801 + number}.txt").write_text(f"Another.\n[1]\n{body()}\n[2]\n{body()}")
    (tmp_path / "task1_test_labels_2025.json").write_text(json.dumps(labels))
    return request.param


def share_found(kind):
    """The share of the queries whose best case is noticed."""
    best = kind(TEST)(topics(split(TEST))).query("rank == 0")
    gold = qrels(split(TEST))
    return len(pd.merge(best, gold, on=["qid", "docno"])) / QUERIES


def test_each_kind_of_evidence_is_found_by_its_own_retriever(evidence):
    found = {name: share_found(kind) for name, kind in RETRIEVERS.items()}
    assert found[evidence] == 1
    # a judge is named in the head as well; nothing else is told by two kinds
    others = {name: share for name, share in found.items() if name != evidence}
    assert others == ({"names": 1, "years": 0} if evidence == "judges" else dict.fromkeys(others, 0))
