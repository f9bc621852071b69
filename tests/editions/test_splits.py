"""The splits of this package's editions, the official numbers as the overviews report them, and how ids are found."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ir_coliee  # noqa: F401  (registers the measures)
from ir_coliee.editions import SPLITS, as_split, id_segments, nearest_ids, select_ids, unknown_id
from ir_coliee.errors import ColieeError

# --- the numbers -----------------------------------------------------------------------------------

# Queries, documents and different gold labels of the train and the test split, from the description of the data; None
# where it has no number. Until 2020 each query has 200 candidates.
CASE_RETRIEVAL = {
    "2018": ((285, 57000, None), (59, None, None)),
    "2019": ((285, 57000, 1486), (61, 12200, None)),
    "2020": ((520, 104000, None), (130, 26000, None)),
    "2021": ((650, 4415, 3297), (250, 4415, 900)),
    "2022": ((898, 4415, 4192), (300, 1563, 1263)),
    "2023": ((959, 4400, 4451), (319, 1335, 859)),
    "2024": ((1278, 5616, 5282), (400, 1734, 1562)),
    "2025": ((1678, 7350, 6844), (400, 2159, 1759)),
    "2026": ((2001, 7708, 8251), (400, 1848, 1750)),
}
CASE_ENTAILMENT = {
    "2018": ((181, 8794, 239), (44, None, None)),
    "2019": ((181, None, 202), (44, None, 45)),
    "2020": ((325, None, 374), (100, None, 125)),
    "2021": ((425, None, 499), (100, None, 117)),
    "2022": ((525, None, 616), (100, None, 118)),
    "2023": ((625, 22018, 734), (100, 3765, 120)),
    "2024": ((725, 25783, 854), (100, 3651, 147)),
    "2025": ((825, 29434, 1001), (100, 3283, 181)),
    "2026": ((925, 32717, 1182), (100, None, 294)),
}


def counted(dataset_id, *entities):
    """The counts of a split, None where the table has none."""
    return tuple(SPLITS[dataset_id].counts.get(entity) for entity in entities)


@pytest.mark.parametrize(("task", "reported"), [("task1", CASE_RETRIEVAL), ("task2", CASE_ENTAILMENT)])
def test_the_numbers_of_case_law_are_the_reported_ones(task, reported):
    assert {split.edition for split in SPLITS.values() if split.task == task} == {*reported, "sample"}
    for edition, numbers in reported.items():
        splits = [f"coliee/{task}/{edition}/{name}" for name in ("train", "test")]
        assert tuple(counted(split, "queries", "docs", "qrels") for split in splits) == numbers, edition


def numbers(table):
    """The questions and gold articles of each exam year, None where the table has none."""
    rows = (row.split() for row in table.split(", "))
    return {year: (int(questions), int(gold[0]) if gold else None) for year, questions, *gold in rows}


EXAM_YEARS_OF_2017 = numbers("h18 36, h19 42, h20 45, h21 56, h22 47, h23 41, h24 79, h25 66, h26 95, h27 74")
EXAM_YEARS_OF_2025 = numbers(
    "h18 36 53, h19 37 49, h20 41 55, h21 54 68, h22 47 49, h23 41 54, h24 79 92, h25 60 80, "
    "h26 74 96, h27 49 76, h28 49 71, h29 58 72, h30 70 87, r01 111 138, r02 81 101, r03 109 131, "
    "r04 101 130, r05 109 130"
)
EXAM_YEARS_OF_2026 = numbers(
    "h18 28 40, h19 36 48, h20 35 48, h21 45 51, h22 46 48, h23 41 54, h24 79 92, h25 57 77, "
    "h26 71 93, h27 48 74, h28 47 69, h29 41 50, h30 67 83, r01 110 137, r02 81 101, r03 108 130, "
    "r04 101 123, r05 109 130, r06 73 92"
)
OF_EXAM_YEARS = {
    "2017/en": EXAM_YEARS_OF_2017,
    "2017/ja": EXAM_YEARS_OF_2017,
    "2024/en": EXAM_YEARS_OF_2025,  # the last is the test
    "2025/en": EXAM_YEARS_OF_2025 | {"r06": (73, 92)},  # the test, without what was not scored
    "2026/ja": EXAM_YEARS_OF_2026,
}


@pytest.mark.parametrize("collection", OF_EXAM_YEARS)
def test_the_numbers_of_the_exam_years_are_the_reported_ones(collection):
    reported = OF_EXAM_YEARS[collection]
    train, test = (SPLITS[f"coliee/task3/{collection}/{name}"].exam_years for name in ("train", "test"))
    assert {year.lower() for year in train} <= set(reported) <= {year.lower() for year in train + test}
    for year, (questions, articles) in reported.items():
        assert counted(f"coliee/task3/{collection}/{year}", "queries", "qrels") == (questions, articles), year
        answers = counted(f"coliee/task4/{collection}/{year}", "queries", "docs", "qrels")
        assert answers == (questions, 2, questions), year


# Questions of the train split; of the test in task 3 with their gold articles, and in task 4.
STATUTE_EDITIONS = {
    "2017": (581, (78, None), 78),
    "2018": (651, (69, None), 69),
    "2019": (696, (98, None), 98),
    "2020": (695, (111, 138), 111),
    "2021": (806, (81, 101), 81),
    "2022": (887, (109, 131), 109),
    "2023": (996, (100, 128), 101),
    "2024": (1097, (109, 130), 109),
    "2025": (1206, (73, 92), 73),
    "2026": (1223, (82, None), 82),
}


def test_the_numbers_of_the_editions_on_the_statutes_are_the_reported_ones():
    tests = [s for s in SPLITS.values() if s.task == "task3" and s.name == "test" and s.edition != "sample"]
    assert {split.edition for split in tests} == set(STATUTE_EDITIONS)
    for split in tests:
        train, retrieval, answers = STATUTE_EDITIONS[split.edition]
        assert counted(split.id, "queries", "qrels") == retrieval
        assert counted(split.id.replace("task3", "task4"), "queries", "qrels") == (answers, answers)
        assert counted(split.train.id, "queries") == (train,)
        assert counted(split.train.id.replace("task3", "task4"), "queries", "qrels") == (train, train)
        years = split.train.exam_years + split.exam_years  # those of the train split are all before the test
        assert list(years) == sorted({*years})


# --- asking ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", ["task1/2025", "task4/sample/ja", "task3/2025/en", "pilot/sample/rationale"])
def test_a_split_names_its_train_split(base):
    splits = [SPLITS[name] for name in SPLITS if name.startswith((f"coliee/{base}/te", f"coliee/{base}/tr"))]
    assert {split.train.id for split in splits} == {f"coliee/{base}/train"}


PARTS = ["task1", "task3", "pilot", "rationale", "2025", "2026", "sample", "en", "ja", "train", "test", "r05"]


@settings(max_examples=30)
@given(st.lists(st.sampled_from(PARTS), max_size=3))
def test_an_id_is_selected_if_it_has_all_parts(words):
    expected = {name for name in SPLITS if set(words) <= set(name.split("/"))}
    if expected:
        assert {*select_ids(words)} & {*SPLITS} == expected
    else:
        with pytest.raises(ColieeError, match=r"nearest are|There are"):
            select_ids(words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tsk3"], r"'tsk3'.\nThere are: task3"),
        (["2027"], r"'2027'.\nThere are: 2026"),
        (["dev"], "'dev'.\nThere are: task1, 2026, test"),
        (["task1", "r05"], r"task1 r05.\nThe nearest are: coliee/task1/"),
        (["task3", "2026", "test", "en"], r"task3 2026 test en.\nThe nearest are: coliee/task3/2026/ja/test"),
    ],
)
def test_words_that_select_nothing_are_errors_that_name_the_nearest(words, message):
    with pytest.raises(ColieeError, match=message):
        select_ids(words)


def test_a_collection_of_articles_is_no_split_and_names_one():
    expected = r"without queries\.\nPass one of its splits, for example coliee/task3/2025/en/"
    with pytest.raises(ColieeError, match=expected):
        as_split("coliee/task3/2025/en")


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
    found = unknown_id(wrong).nearest
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
