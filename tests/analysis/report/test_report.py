"""A report on runs of each task: what it says, what it must not say, and how it is written."""

import functools
import html
import json
import re
import shutil
import stat
import sys

import ir_datasets
import pytest
from analysis.pages.page_checks import problems
from analysis.pages.small_pictures import SVG, small_pictures  # noqa: F401  (fixture)
from analysis.report.sample_runs import DATASETS, report_of, sample_runs

from ir_coliee.analysis import runs as evaluated_runs
from ir_coliee.analysis.page import TEXTS_NOTICE
from ir_coliee.analysis.properties import PropertyTable
from ir_coliee.analysis.report import report
from ir_coliee.display import Heading, Picture
from ir_coliee.editions import as_split
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.releases.release import LocalRelease
from ir_coliee.synthetic import write_release

TASK1 = "coliee/task1/sample/test"
pytestmark = pytest.mark.slow


@functools.cache
def sample_report(dataset_id):
    """The report on two runs of a task, which is made once; that of task 1 with its pictures, which take long."""
    with pytest.MonkeyPatch.context() as patched:
        if dataset_id != TASK1:
            patched.setattr("ir_coliee.analysis.plots.picture", lambda frame: Picture(SVG, frame.title))
        return report_of(dataset_id)


def words_of(text):
    return re.findall(r"\w+", text.lower())


def word_grams(texts):
    return {tuple(words[i : i + 6]) for words in map(words_of, texts) for i in range(len(words) - 5)}


def shown_text(document):
    """The words that a page shows, without its style and script."""
    body = re.sub(r"<(style|script)\b.*?</\1>|src=\"[^\"]*\"", " ", document, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", " ", body))


def texts_of_release(dataset_id):
    dataset, release = ir_datasets.load(dataset_id), LocalRelease.open(as_split(dataset_id))
    yield from (document.default_text() for document in dataset.docs_iter())
    for query in release.queries(full=True):
        yield from (str(value) for value in query if isinstance(value, str | tuple))


@pytest.mark.parametrize("dataset_id", DATASETS)
def test_a_page_is_readable_for_everyone_and_loads_nothing(dataset_id):
    assert problems(sample_report(dataset_id).html()) == []


@pytest.mark.parametrize("dataset_id", DATASETS)
def test_a_page_has_no_text_of_the_release(dataset_id):
    shown = shown_text(sample_report(dataset_id).html())
    if "/ja/" in dataset_id:
        grams = {text[i : i + 8] for text in texts_of_release(dataset_id) for i in range(len(text) - 7)}
        in_page = {shown[i : i + 8] for i in range(len(shown) - 7)}
        grams = {gram for gram in grams if not gram.isascii()}
    else:
        grams, in_page = word_grams(texts_of_release(dataset_id)), word_grams([shown])
    assert len(grams) > 100
    assert grams & in_page == set()


def test_a_report_says_the_main_findings_first():
    headings = [block.text for block in sample_report(TASK1).blocks if isinstance(block, Heading) and block.level == 1]
    assert headings[0] == "In short"
    assert {"Comparison of the runs", "Agreement of the runs"} < {*headings}
    assert headings[-1] == "How this page was made"
    text = str(sample_report(TASK1))
    assert re.search(r"Of 2 runs \w+ is the best with MicroF1 0\.\d{4}", text)
    assert re.search(r"Loss: \d+ of \d+ relevant items \(\d+\.\d %\) are ranked below the cut-off\.", text)


@pytest.mark.usefixtures("small_pictures")
def test_a_cutoff_that_keeps_too_few_items_is_named():
    gold = {}
    for label in ir_datasets.load(TASK1).qrels_iter():
        gold.setdefault(label.query_id, {})[label.doc_id] = 9.0 - len(gold.get(label.query_id, ()))
    strict = {query_id: dict([*items.items()][:1]) for query_id, items in gold.items()}
    text = str(report(TASK1, {"strict": strict}, rankings={"strict": gold}))
    assert re.search(
        r"Cut-off: return .* Such a cut-off, chosen on other queries of this split \(5 folds\), has MicroF1", text
    )
    assert "No cut-off of this ranking reaches more than MicroF1 1.0000." in text
    lost = sum(map(len, gold.values())) - len(gold)
    assert f"Loss: {lost} of" in text
    for guessed in ("With these items", "Rank better", "fuse with", "Return more items"):
        assert guessed not in text


def test_two_reports_of_the_same_runs_are_equal():
    assert report_of(TASK1).html() == sample_report(TASK1).html()


def test_a_report_names_versions_fingerprints_and_seeds():
    text = str(sample_report(TASK1))
    for words in (
        "Fingerprint of the 33 files",
        "has the seed 0",
        "pyterrier",
        "ir_coliee audit coliee/task1/sample/test",
    ):
        assert words in text


@pytest.mark.usefixtures("small_pictures")
def test_a_report_with_texts_has_them_and_is_private(tmp_path):
    made, path = report_of(TASK1, with_texts=True), tmp_path / "report.html"
    made.write(path)
    document = path.read_text(encoding="utf-8")
    assert TEXTS_NOTICE not in document  # the sample is free
    assert problems(document) == []
    assert word_grams([shown_text(document)]) & word_grams(texts_of_release(TASK1))
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.usefixtures("small_pictures")
@pytest.mark.parametrize("with_texts", [True, False])
def test_a_report_with_texts_of_a_release_says_so(tmp_path, monkeypatch, with_texts):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    write_release("coliee/task2/2025", tmp_path, scale=0.01)
    first = {qrel.query_id: {qrel.doc_id: 1.0} for qrel in ir_datasets.load("coliee/task2/2025/test").qrels_iter()}
    made = report("coliee/task2/2025/test", {"first": first}, with_texts=with_texts)
    assert (TEXTS_NOTICE in made.html()) is made.is_restricted is with_texts


def test_without_matplotlib_the_tables_remain(monkeypatch):
    monkeypatch.setattr("ir_coliee.analysis.plots.can_draw", lambda: False)
    text = report_of("coliee/task2/sample/test").html()
    assert "The page has no pictures." in text
    assert "ir_coliee[plot]" in text
    assert "<img" not in text
    assert "by cut-off" in text
    assert problems(text) == []


@pytest.mark.usefixtures("small_pictures")
@pytest.mark.parametrize(
    "runs",
    [
        {"empty": {}},
        {"one query": {"900656": {"900557": 1.0}}},
        {"<b>$x$ & 第百条": {"900656": {"900557": 1.0, "900664": 1.0}, "900795": {"900754": 1.0}}, "a\x00b\u202e": {}},
    ],
    ids=["empty", "one query", "names and ties"],
)
def test_odd_runs_give_a_page(runs):
    rankings = {name: run for name, run in runs.items() if run}
    assert problems(report(TASK1, runs, rankings=rankings).html()) == []


@pytest.mark.usefixtures("small_pictures")
def test_without_labels_each_section_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    write_release("coliee/task2/2025", tmp_path, scale=0.02)
    for path in tmp_path.rglob("*labels*"):
        path.unlink()
    dataset_id = "coliee/task2/2025/test"
    query = next(ir_datasets.load(dataset_id).queries_iter())
    pair = next(pair for pair in ir_datasets.load(dataset_id).scoreddocs_iter() if pair.query_id == query.query_id)
    made = report(dataset_id, {"mine": {pair.query_id: {pair.doc_id: 1.0}}})
    text = str(made)
    assert len(re.findall(r"Not available: .*the label file of COLIEE 2025 was not found\.", text)) >= 6
    assert "numpy" in text
    assert problems(made.html()) == []


@pytest.mark.usefixtures("small_pictures")
def test_one_run_is_compared_with_no_other():
    answers, rankings = sample_runs(TASK1)
    text = str(report(TASK1, {"first": answers["first"]}, rankings=rankings))
    assert "Comparison of the runs" not in text
    assert "Agreement of the runs" not in text


@pytest.mark.usefixtures("small_pictures")
def test_with_the_labels_alone_the_page_has_what_they_tell(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    write_release("coliee/task1/2025", tmp_path, scale=0.01)
    labels = json.loads(next(tmp_path.rglob("task1_test_labels_2025.json")).read_text())
    for folder in tmp_path.rglob("task1_*_files_2025"):
        shutil.rmtree(folder)
    first = {name.removesuffix(".txt"): {noticed[0].removesuffix(".txt"): 1.0} for name, noticed in labels.items()}
    made = report("coliee/task1/2025/test", {"first": first}, rankings={"first": first}, with_texts=True)
    text = str(made)
    assert re.search(r"F1 is 0\.\d{4}", text)
    assert "Not available: " in text
    assert problems(made.html()) == []


@pytest.mark.usefixtures("small_pictures")
def test_figures_comparison_and_properties_are_computed_once(monkeypatch):
    calls = []

    def counted(owner, name):
        original = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *args, **kwargs: calls.append(name) or original(*args, **kwargs))

    counted(Scorer, "match")
    counted(Scorer, "compute")
    counted(evaluated_runs, "compare_counts")
    counted(PropertyTable, "frame")
    report_of("coliee/task4/sample/en/test")
    assert sorted(calls) == ["compare_counts", "compute", "compute", *["frame"] * 7, "match", "match"]
