"""Every public callable that takes a dataset takes each form of it: ids with and without prefix, and the objects."""

import ir_datasets
import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.baselines.training import qrels
from ir_coliee.datasets.folds import edition_blocks, unseen_queries
from ir_coliee.editions import as_dataset_id, as_split, id_of_task, split
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.scoring import score
from ir_coliee.evaluation.tuning import tune
from ir_coliee.releases.article_references import article_references
from ir_coliee.releases.release import LocalRelease
from ir_coliee.transformers import LexicalIndex, QuotedArticles, YearFilter

TASK1, TASK2 = "coliee/task1/sample/train", "coliee/task2/sample/train"
TASK3, TASK4 = "coliee/task3/sample/en/train", "coliee/task4/sample/en/train"
FORMS = {
    "id": lambda dataset_id: dataset_id,
    "irds:": lambda dataset_id: f"irds:{dataset_id}",
    "coliee:": lambda dataset_id: f"coliee:{dataset_id.removeprefix('coliee/')}",
    "ir_datasets": ir_datasets.load,
    "PyTerrier irds:": lambda dataset_id: pt.get_dataset(f"irds:{dataset_id}"),
    "PyTerrier coliee:": lambda dataset_id: pt.get_dataset(f"coliee:{dataset_id.removeprefix('coliee/')}"),
    "Split": split,
}


def gold_run(dataset_id):
    gold = qrels(split(dataset_id)).query("label > 0")
    return pd.DataFrame({"qid": gold["qid"], "docno": gold["docno"], "score": 1.0})


RUN1 = gold_run(TASK1)

#: Callables of each kind, with an id that they accept, and a function of the dataset that calls them.
CALLABLES = {
    "YearFilter": (TASK1, lambda dataset: YearFilter(dataset)),
    "QuotedArticles": (TASK4, lambda dataset: QuotedArticles(dataset)),
    "LexicalIndex.from_dataset": (TASK1, lambda dataset: LexicalIndex.from_dataset(dataset).docnos.tolist()),
    "LocalRelease.open": (TASK1, lambda dataset: LocalRelease.open(dataset).split),
    "article_references": (TASK3, lambda dataset: len(article_references(dataset).references)),
    "as_dataset_id": (TASK1, lambda dataset: as_dataset_id(dataset)),
    "as_split": (TASK1, lambda dataset: as_split(dataset)),
    "edition_blocks": ("coliee/task1/2024/train", lambda dataset: edition_blocks(dataset)),
    "score": (TASK1, lambda dataset: score(dataset, RUN1).figures),
    "id_of_task": (TASK2, lambda dataset: id_of_task(dataset, "task2")),
    "tune": (TASK1, lambda dataset: repr(tune(dataset, RUN1).best.cutoff)),
    "unseen_queries": ("coliee/task1/sample/test", lambda dataset: unseen_queries(dataset)),
}


@pytest.mark.parametrize("name", CALLABLES)
def test_each_form_of_a_dataset_gives_the_same(name):
    dataset_id, call = CALLABLES[name]
    values = {form: call(convert(dataset_id)) for form, convert in FORMS.items()}
    assert all(value == values["id"] for value in values.values()), values


@pytest.mark.parametrize("name", CALLABLES)
def test_something_else_is_an_error_that_says_what_is_expected(name):
    with pytest.raises(ColieeError, match="of the type NoneType is not supported") as caught:
        CALLABLES[name][1](None)
    assert "an id such as" in str(caught.value)
