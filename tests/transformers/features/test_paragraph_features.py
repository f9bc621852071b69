"""Rhetoric and quotations of paragraphs, as features of the rows of a frame."""

import numpy as np
import pandas as pd
import pytest
from fixture_releases import write_task1

from ir_coliee.datasets.folds import FragmentCases
from ir_coliee.editions import SPLITS
from ir_coliee.engine.paragraphs import quoted_names
from ir_coliee.synthetic import write_release
from ir_coliee.transformers.features.evidence import QuotedElsewhereFeatures, RhetoricFeatures

ID = "coliee/task2/sample/test"


def test_cues_are_counted_in_the_text_of_each_row():
    rows = pd.DataFrame(
        {"qid": ["1", "1", "2"], "docno": ["a", "b", "a"], "text": ["[3]\nTherefore I find no error.", "", None]}
    )
    found = RhetoricFeatures()(rows).features
    first = dict(zip(RhetoricFeatures().feature_names, found[0].tolist()))
    assert {name: value for name, value in first.items() if value} == {
        **{"conclusion": 1.0, "voice": 1.0, "negation": 1.0},
        **{"conclusion_per_word": 0.2, "voice_per_word": 0.2, "negation_per_word": 0.2},
    }
    assert not np.any(found[1])
    assert not np.any(found[2])


def test_rows_get_the_features_of_their_paragraphs_in_any_order():
    cases = FragmentCases.of(SPLITS[ID])
    rows = pd.DataFrame({"qid": [docno.partition("_")[0] for docno in cases.docnos], "docno": cases.docnos})
    features = QuotedElsewhereFeatures(ID)
    whole = features(rows)
    few = features(rows.iloc[[40, 3, 17]])
    assert [row.tolist() for row in few.features] == [whole.features[row].tolist() for row in (40, 3, 17)]
    values = np.vstack(whole.features)
    assert (values[:, 0] == 0).all() or values[:, 2].any()
    of_first = values[: cases.sizes[0]]
    value, rank, z = of_first[:, 18], of_first[:, 19], of_first[:, 20]  # the share that any decision has
    assert rank.tolist() == [(value > own).sum() for own in value]
    assert z == pytest.approx((value - value.mean()) / (value.std() or 1))


def test_decisions_of_task_1_are_searched_and_otherwise_the_base_cases_of_others(tmp_path, monkeypatch):
    write_release("coliee/task2/2025", tmp_path, scale=0.01, seed=3)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    first, second = sorted((tmp_path / "task2_test_files_2025").glob("9*"))[:2]
    words = (first / "paragraphs" / "001.txt").read_text(encoding="utf-8").split("\n", 1)[1].split()[:15]
    base_case = second / "base_case.txt"
    base_case.write_text(f"{base_case.read_text(encoding='utf-8')} {' '.join(words)}", encoding="utf-8")
    row = pd.DataFrame({"qid": [first.name], "docno": [f"{first.name}_001"]})
    share = quoted_names().index("most_shared")
    found = QuotedElsewhereFeatures("coliee/task2/2025/test")(row).features[0]
    assert found[share] == pytest.approx(np.log(1 + 10))
    write_task1(tmp_path, {"900001": f"[1]\nIt was late. {' '.join(words[:9])}"}, split="train")
    found = QuotedElsewhereFeatures("coliee/task2/2025/test")(row).features[0]
    assert found[share] == pytest.approx(np.log(1 + 4))
