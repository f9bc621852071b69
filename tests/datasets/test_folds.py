import itertools
from collections import Counter

import ir_datasets
import numpy as np
import pandas as pd
import pytest
from fixture_releases import write_task1
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.datasets.folds import (
    Folds,
    FragmentCases,
    by_block,
    by_exam_year,
    by_group,
    by_shared_cases,
    decisions,
    task1_splits,
    unseen_queries,
)
from ir_coliee.editions import SPLITS, id_of_task
from ir_coliee.errors import ColieeError, MissingReleaseError


def sizes(folds):
    return np.bincount(list(folds.values())).tolist()


# --- the value -------------------------------------------------------------------------------------


@given(st.dictionaries(st.text("0123456789", min_size=1, max_size=4), st.integers(0, 3), min_size=1))
def test_each_query_is_tested_once_and_never_trained_on_then(of_query):
    folds = Folds(of_query)
    splits = list(folds.splits())
    assert sorted(itertools.chain.from_iterable(test for _, test in splits)) == sorted(of_query)
    for train, test in splits:
        assert not set(train) & set(test)
        assert train == [query for query in of_query if query not in test]
        assert len({of_query[query] for query in test}) == 1
    assert len(splits) == len(set(of_query.values()))


# --- whole groups ----------------------------------------------------------------------------------

groups = st.dictionaries(st.text("0123456789", min_size=1, max_size=3), st.integers(0, 9), min_size=2, max_size=40)


@given(groups, st.integers(2, 5), st.integers(0, 3), st.randoms())
@settings(max_examples=60)
def test_groups_stay_together_and_folds_are_as_even_as_the_largest_group_allows(groups, number, seed, shuffle):
    sizes_of_groups = Counter(groups.values())
    if number > len(sizes_of_groups):
        with pytest.raises(ValueError, match="folds must be an integer"):
            by_group(groups, number)
        return
    folds = by_group(groups, number, seed=seed)
    assert list(folds) == list(groups)
    assert len({(group, folds[query]) for query, group in groups.items()}) == len(sizes_of_groups)
    assert set(folds.values()) == set(range(number))
    assert max(sizes(folds)) - min(sizes(folds)) <= max(sizes_of_groups.values())
    mixed = list(groups.items())
    shuffle.shuffle(mixed)
    assert by_group(dict(mixed), number, seed=seed) == folds


# --- exam years ------------------------------------------------------------------------------------


def test_each_exam_year_is_a_fold_in_the_order_of_the_years_or_whole_years_make_a_number_of_folds():
    queries = ["R99-1-A", "H99-1-1", "H98-2-1", "R98-1-A", "H98-1-1"]
    assert dict(by_exam_year(queries)) == {"R99-1-A": 3, "H99-1-1": 1, "H98-2-1": 0, "R98-1-A": 2, "H98-1-1": 0}
    folds = by_exam_year(["R99-1-A", "H99-1-1", "H98-2-1", "H98-1-1"], 2)
    assert folds["H98-2-1"] == folds["H98-1-1"]
    assert repr(folds) == "<Folds of 4 queries: 2 + 2>"


# --- blocks ----------------------------------------------------------------------------------------


@given(st.integers(2, 30), st.integers(2, 30))
def test_blocks_follow_each_other_and_are_equal_to_one(number, blocks):
    queries = [f"{900_000 - n}" for n in range(number)]
    if blocks > number:
        with pytest.raises(ValueError, match=f"blocks must be .*got {blocks}"):
            by_block(queries, blocks)
        return
    folds = by_block(queries, blocks)
    assert list(folds) == queries
    assert list(folds.values()) == sorted(folds.values())
    assert len(sizes(folds)) == blocks
    assert max(sizes(folds)) - min(sizes(folds)) <= 1


# --- shared cases ----------------------------------------------------------------------------------


def qrels_of(*pairs):
    return pd.DataFrame(pairs, columns=["qid", "docno"]).assign(label=1)


documents = st.sampled_from([f"9{n:02}" for n in range(12)])
gold = st.lists(
    st.tuples(st.sampled_from([f"9{n:02}" for n in range(9)]), documents), min_size=1, max_size=12, unique=True
)


def hang_together(pairs, copies):
    """The groups of queries, by joining sets that share a document until none do."""
    groups = []
    for query, doc in pairs:
        joined = {copies.get(query, query), copies.get(doc, doc)}
        for group in [group for group in groups if group & joined]:
            groups.remove(group)
            joined |= group
        groups.append(joined)
    return [{query for query, _ in pairs if copies.get(query, query) in group} for group in groups]


@pytest.mark.slow
@given(gold, st.sampled_from([{}, {"900": "911", "911": "911"}, {"901": "902", "902": "902"}]), st.randoms())
@settings(max_examples=60)
def test_no_document_is_shared_between_folds(pairs, copies, shuffle):
    together = hang_together(pairs, copies)
    qrels = qrels_of(*pairs)
    if len(together) < 2:
        with pytest.raises(ValueError, match="number of groups"):
            by_shared_cases(qrels, 2, duplicates=copies)
        return
    folds = by_shared_cases(qrels, len(together), duplicates=copies)
    assert sorted(sorted(test) for _, test in folds.splits()) == sorted(map(sorted, together))
    shuffle.shuffle(pairs)
    renamed = qrels_of(*pairs).rename(columns={"qid": "query_id", "docno": "doc_id", "label": "relevance"})
    assert by_shared_cases(renamed, len(together), duplicates=copies) == folds


def test_a_query_with_label_zero_alone_is_dealt_for_itself():
    qrels = pd.concat([qrels_of(("1", "a"), ("2", "a")), qrels_of(("3", "a")).assign(label=0)])
    folds = by_shared_cases(qrels, 2)
    assert folds["1"] == folds["2"] != folds["3"]


QRELS = qrels_of(("1", "a"), ("2", "b"))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: by_exam_year(["900001"]), ColieeError, "'900001' has no exam year"),
        (lambda: by_block(["1", "2", "1"], 2), ValueError, "Query 1 is repeated"),
        *(
            (lambda blocks=blocks: by_block(["1", "2", "3"], blocks), ValueError, "blocks must be")
            for blocks in (1, 0, [3], [1, 1], [0, 3], [], [4, -1])
        ),
        (lambda: by_shared_cases("coliee/task1/sample/train", 3), ColieeError, "qrels must be a data frame"),
        *(
            (lambda column=column: by_shared_cases(QRELS.drop(columns=column), 2), ColieeError, column)
            for column in QRELS.columns
        ),
        (lambda: id_of_task("coliee/task1/sample/train", "task2"), ValueError, "a split of task 2, got coliee/task1"),
    ],
)
def test_what_has_no_folds_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


# --- cases of task 2, and the decisions of task 1 ----------------------------------------------------

TASK2 = SPLITS["coliee/task2/sample/test"]


def test_the_cases_of_task_2_have_their_fragment_base_case_and_paragraphs_and_can_be_joined():
    cases = FragmentCases.of(TASK2)
    queries, docs = ir_datasets.load(f"{TASK2.id}/full").queries, ir_datasets.load(TASK2.id).docs
    assert [*zip(cases.qids, cases.fragments, cases.base_cases)] == [*map(tuple, queries)]
    case_of = np.repeat(cases.qids, cases.sizes).tolist()
    assert [*zip(cases.docnos, cases.texts, case_of)] == sorted(
        map(tuple, docs), key=lambda doc: cases.qids.index(doc[2])
    )
    assert (cases + cases) == FragmentCases(*(2 * values for values in vars(cases).values()))


def test_the_decisions_of_task_1_are_read_once_each_where_they_are_at_hand(tmp_path, monkeypatch):
    splits = task1_splits(TASK2)
    assert [split.id for split in splits] == ["coliee/task1/sample/train", "coliee/task1/sample/test"]
    documents = [doc.text for split in splits for doc in ir_datasets.load(split.id).docs]
    assert [*decisions([*splits, *splits])] == [*dict.fromkeys(documents)]
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    assert task1_splits(SPLITS["coliee/task2/2025/test"]) == []


# --- queries are unseen if their text is not in the train split of their edition ------------------------

TEST = "coliee/task1/2025/test"


def put_test(home, train, labels):
    texts = {"900011": "A lamp.\r\nIt is lit.", "900012": "A gate.", "900013": "A bell.", "900014": "A key."}
    write_task1(home, texts, {f"{number}.txt": ["900014.txt"] for number in ("900011", "900012", "900013")})
    if train:
        write_task1(home, train | {"900002": "A gate.", "900003": "A door."}, labels, "train")


def test_queries_with_the_text_of_a_labelled_train_query_or_of_a_train_document_are_told_apart(home):
    put_test(home, {"900001": "A lamp.\nIt is lit."}, {"900001.txt": ["900003.txt"]})
    assert unseen_queries(TEST) == ["900012", "900013"]
    assert unseen_queries(TEST, known="texts") == ["900013"]
    put_test(home, {"900001": "A bell."}, {"900001.txt": [], "900002.txt": ["900003.txt"]})
    assert unseen_queries(TEST) == ["900011", "900013"]


def test_a_missing_train_split_and_a_train_split_are_errors(home):
    put_test(home, {}, {})
    with pytest.raises(MissingReleaseError, match="task1/2025/train"):
        unseen_queries(TEST)
    with pytest.raises(ColieeError, match="no train split of other queries"):
        unseen_queries("coliee/task1/2025/train")
    with pytest.raises(ValueError, match="documents"):
        unseen_queries("coliee/task1/sample/test", known="documents")
