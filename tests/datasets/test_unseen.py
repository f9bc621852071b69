"""Queries are unseen if their text is not in the train split of their edition."""

import pytest
from fixture_releases import write_task1

from ir_coliee.datasets.folds import unseen_queries
from ir_coliee.errors import ColieeError, MissingReleaseError

TEST = "coliee/task1/2025/test"


def put_test(home):
    texts = {"900011": "A lamp.\r\nIt is lit.", "900012": "A gate.", "900013": "A bell.", "900014": "A key."}
    write_task1(home, texts, {f"{number}.txt": ["900014.txt"] for number in ("900011", "900012", "900013")})


def test_queries_with_the_text_of_a_train_query_or_of_a_train_document_are_told_apart(home):
    put_test(home)
    train = {"900001": "A lamp.\nIt is lit.", "900002": "A gate.", "900003": "A door."}
    write_task1(home, train, {"900001.txt": ["900003.txt"]}, "train")
    assert unseen_queries(TEST) == ["900012", "900013"]
    assert unseen_queries(TEST, known="texts") == ["900013"]


def test_a_train_query_without_labels_is_not_known_as_a_query(home):
    put_test(home)
    train = {"900001": "A bell.", "900002": "A gate.", "900003": "A door."}
    write_task1(home, train, {"900001.txt": [], "900002.txt": ["900003.txt"]}, "train")
    assert unseen_queries(TEST) == ["900011", "900013"]


def test_a_missing_train_split_and_a_train_split_are_errors(home):
    put_test(home)
    with pytest.raises(MissingReleaseError, match="task1/2025/train"):
        unseen_queries(TEST)
    with pytest.raises(ColieeError, match="no train split of other queries"):
        unseen_queries("coliee/task1/2025/train")
    with pytest.raises(ValueError, match="documents"):
        unseen_queries("coliee/task1/sample/test", known="documents")
