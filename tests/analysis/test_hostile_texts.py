"""Texts with markup, scripts, control characters and marks of the direction of writing: shown as text, never run."""

import json

import html5lib
import pytest
from analysis.hostile_sample import CONTROL, LONG, MARKUP, TEXTS, hostile_sample
from analysis.pages.page_checks import problems
from analysis.pages.small_pictures import small_pictures  # noqa: F401  (fixture)
from analysis.report.sample_runs import DATASETS, report_of
from cli.terminal import in_terminal

from ir_coliee.analysis import show
from ir_coliee.cli import main

QUERIES = {
    "coliee/task1/sample/test": ("900656", "900664"),
    "coliee/task2/sample/test": ("900009", "900009_001"),
    "coliee/task3/sample/en/test": ("R99-01-A", "9"),
    "coliee/task3/sample/ja/test": ("R99-01-A", "9"),
    "coliee/task4/sample/en/test": ("R99-01-A", "N"),
    "coliee/task4/sample/ja/test": ("R99-01-A", "N"),
    "coliee/pilot/sample/prediction/test": ("900101", "False"),
    "coliee/pilot/sample/rationale/test": ("900101", "900101_d0"),
}
pytestmark = pytest.mark.filterwarnings("ignore::ir_coliee.errors.ColieeWarning")
NAME = "<script>alert(9)</script> \x1b[2J \u202e"


@pytest.fixture(scope="module", autouse=True)
def sample(tmp_path_factory):
    with hostile_sample(tmp_path_factory.mktemp("hostile")) as folder:
        yield folder


@pytest.fixture(scope="module", params=QUERIES)
def explanation(request):
    query_id, doc_id = QUERIES[request.param]
    return show(request.param, query_id, {NAME: {query_id: {doc_id: 1.0}}})


def test_the_texts_are_planted_in_queries_and_items(explanation):
    assert len(TEXTS) == 19
    script = "<script>alert(1)</script>"
    assert any(script in text for text in explanation.texts.values())
    if not explanation.runs.scorer.evaluation.single_answer:  # whose items are the answers Y and N
        assert all(script in explanation.text_of(doc_id) for doc_id in explanation.items)


@pytest.mark.slow
def test_the_terminal_shows_no_control_characters(explanation):
    assert not CONTROL.search(str(explanation))


@pytest.mark.slow
def test_the_notebook_and_the_page_run_nothing_and_break_nothing(explanation):
    notebook, page = explanation._repr_html_(), explanation.page()
    for text in (notebook, page):
        assert not MARKUP.search(text)
        assert not CONTROL.search(text)
    assert problems(page) == []
    fragment = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parseFragment(notebook)
    assert {element.tag for element in fragment.iter() if isinstance(element.tag, str)} <= {
        *("DOCUMENT_FRAGMENT", "div", "strong", "br", "table", "thead", "tbody", "tr", "th", "td"),
        *("details", "summary", "mark", "pre"),
    }


def test_json_keeps_the_texts_and_prints_no_control_character(explanation, monkeypatch, capsys, tmp_path):
    split, query_id = explanation.runs.split, explanation.query_id
    (tmp_path / "a.run").write_text(f"{query_id} {split.item_of(QUERIES[split.id][1])} a\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["ir_coliee", "show", split.id, query_id, str(tmp_path / "a.run"), "--json"])
    with pytest.raises(SystemExit):
        main()
    printed = capsys.readouterr().out
    assert not CONTROL.search(printed)
    assert json.loads(printed)["texts"] == explanation.as_json()["texts"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "query_id", "doc_id"), [("task1", "900795", "900754"), ("task2", "900009", "900009_003")]
)
def test_a_line_of_two_megabytes_is_whole_on_the_page_and_shortened_on_the_terminal(task, query_id, doc_id):
    explanation = show(f"coliee/{task}/sample/test", query_id, items=[doc_id])
    assert any(LONG in text for text in explanation.texts.values())
    assert max(map(len, str(explanation).split("\n"))) < 1000
    assert LONG in explanation.page()


@pytest.mark.slow
@pytest.mark.usefixtures("small_pictures")
@pytest.mark.parametrize("dataset_id", [each for each in DATASETS if "/ja/" not in each])
def test_a_report_shows_them_as_texts(dataset_id):
    document = report_of(dataset_id, with_texts=True).html()
    assert problems(document) == []
    assert not MARKUP.search(document)
    assert not CONTROL.search(document)
    assert "&lt;script&gt;alert(1)" in document


#: Reads the sample of the folder that it is called with.
PROGRAM = """
import sys
from pathlib import Path
from ir_coliee.cli import main
from ir_coliee.releases import release
release._SAMPLE_FOLDER = Path(sys.argv.pop(1))
main()
"""


@pytest.mark.slow
def test_a_real_terminal_gets_no_escape_sequence(sample):
    screen = in_terminal(sample / "sample", "show", "coliee/task1/sample/test", "900656", program=("-c", PROGRAM))
    assert screen.status == 0
    assert "<script>alert(1)</script>" in screen.text
    assert not CONTROL.search(screen.raw.replace("\n", ""))
