"""An unknown id is compared with the known ones segment by segment."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee import editions
from ir_coliee.editions import SPLITS, id_segments, nearest_ids


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("coliee/task3/2025/test", ["coliee/task3/2025/en/test", "coliee/task3/2025/ja/test"]),
        ("coliee/task1/2025", ["coliee/task1/2025/train", "coliee/task1/2025/test"]),
        ("coliee/2025/task1/test", ["coliee/task1/2025/test"]),
        ("task1/2025/test", ["coliee/task1/2025/test"]),
        ("COLIEE task1 2025 test", ["coliee/task1/2025/test"]),
        ("coliee-task1-2025-test", ["coliee/task1/2025/test"]),
        ("coliee/task1/2025/dev", ["coliee/task1/2025/train", "coliee/task1/2025/test"]),
        ("coliee/task1/2025/tset", ["coliee/task1/2025/test"]),
        ("coliee/task1/2025/en/test", ["coliee/task1/2025/test"]),
        ("coliee/task4/2026/en/test", ["coliee/task4/2025/en/test"]),
        ("coliee/task1/2027/test", [f"coliee/task1/{year}/test" for year in (2026, 2025, 2024)]),
        ("coliee/prediction/2026/test", ["coliee/pilot/2026/prediction/test"]),
        ("coliee/pilot/2026/test", ["coliee/pilot/2026/prediction/test", "coliee/pilot/2026/rationale/test"]),
        ("coliee/task3/2025/en/r5", ["coliee/task3/2025/en/r05"]),
        ("task1/test", [f"coliee/task1/{year}/test" for year in (2026, 2025, 2024)]),
        ("xyzzy", []),
        ("", []),
    ],
)
def test_the_nearest_ids_have_the_same_parts(wrong, nearest):
    found = editions.unknown_id(wrong).nearest
    assert set(nearest) <= set(found)
    assert len(found) <= (3 if nearest else 0)


@pytest.mark.slow
@settings(max_examples=15)
@given(st.sampled_from(sorted(SPLITS)), st.randoms(use_true_random=False), st.text(max_size=8))
def test_the_segments_of_an_id_in_any_order_lead_back_to_it(dataset_id, random, word):
    segments = id_segments(dataset_id)
    random.shuffle(segments)
    assert nearest_ids("/".join(segments), SPLITS)[0] == dataset_id
    assert len(nearest_ids(f"{dataset_id}/{word}", SPLITS)) <= 3
