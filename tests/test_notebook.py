"""Notebooks that are executed by Jupyter: every result is shown as HTML, and nothing is printed beside it."""

import re
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")

SETUP = """
import ir_datasets
import pandas as pd
import pyterrier as pt
from ir_coliee import MicroF1, compare, editions, leaderboard, score, tune
from ir_coliee.analysis import difference, explain
from ir_coliee.baselines import run_baseline
from ir_coliee.datasets.folds import by_shared_cases
from ir_coliee.releases.audit import audit
from ir_coliee.releases.release import LocalRelease
from ir_coliee.text.templates import template
from ir_coliee.transformers import *

TRAIN, TEST = "coliee/task1/sample/train", "coliee/task1/sample/test"

def ranked(dataset_id):
    queries = pt.get_dataset(f"irds:{dataset_id}").get_topics()
    return (LexicalIndex.from_dataset(dataset_id, analyser="case").bm25(k1=3.0, b=1.0) >> DropSelf())(queries)

gold = pd.DataFrame(ir_datasets.load(TRAIN).qrels_iter())
"""

#: The cells, each with words of its HTML.
CELLS = {
    "score(TEST, TopK(2)(ranked(TEST)))": ["95 % interval", "12 queries"],
    'compare(TEST, {"first 2": TopK(2)(ranked(TEST)), "first 6": TopK(6)(ranked(TEST))})': ["p holm", "first 6"],
    "difference(TEST, TopK(2)(ranked(TEST)), TopK(6)(ranked(TEST)))": ["A is better", "All 12 queries"],
    'explain(TEST, "900656", {"first 2": TopK(2)(ranked(TEST))})': ["900557", "first 2: hit", "the whole decision"],
    "tune(TRAIN, ranked(TRAIN))": ["best cut-off for MicroF1", "MacroR", "oracle"],
    "audit(TEST)": ["changes your score", "gold-with-duplicate"],
    "by_shared_cases(gold, 3)": ["queries in 3 folds"],
    'LexicalIndex.from_dataset(TEST, analyser="case")': ["documents", "analyser"],
    'template("plain.en")': ["{query}", "[system]"],
    'template("plain.en").conversation("A lamp is a movable.", "Article 1 A lamp is a movable.")': ["[user]", "A lamp"],
    'leaderboard(2023, "task1")': ["THUIR", "0.3001"],
    "run_baseline(editions.split(TEST), fast=True)[0]": ["run bm25"],
    "LocalRelease.open(TEST)": ["task1_test_files_sample"],
    'CandidatePool("coliee/task2/sample/test")': ["Pool", "CandidatePool"],
    'LexicalIndex.from_dataset(TEST, analyser="case").bm25() >> DropSelf() >> TopK(5)': ["BM25", "Drop self", "Top 5"],
}


EXAMPLE = Path(__file__).parents[1] / "examples" / "look_at_results.ipynb"


def executed(notebook, folder):
    """The outputs of each cell of a notebook, by its code."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLIEE_HOME", str(folder))
        nbclient.NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(folder)}}).execute()
    return {cell.source: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    cells = [nbformat.v4.new_code_cell(source) for source in (SETUP, *CELLS)]
    return executed(nbformat.v4.new_notebook(cells=cells), tmp_path_factory.mktemp("notebook"))


@pytest.mark.slow
def test_the_first_cell_prints_nothing(outputs):
    assert outputs[SETUP] == []


@pytest.mark.slow
@pytest.mark.parametrize("source", CELLS)
def test_a_cell_shows_its_result_as_html(outputs, source):
    *_, output = outputs[source]  # on a slow machine, the line of the progress comes first
    assert output.output_type == "execute_result"
    code = output.data["text/html"]
    assert [words for words in CELLS[source] if words not in code] == []
    assert not re.search(r"object at 0x|mappingproxy|PosixPath", code)
    assert "text/plain" in output.data


@pytest.mark.slow
def test_the_example_shows_a_result_in_each_cell(tmp_path):
    notebook = nbformat.read(EXAMPLE, 4)
    assert all(cell.outputs == [] for cell in notebook.cells if cell.cell_type == "code")
    for source, (*others, output) in executed(notebook, tmp_path).items():
        assert all(each.output_type == "display_data" for each in others), source  # progress, and no warning
        assert output.output_type == "execute_result", source
        assert "text/html" in output.data, source
