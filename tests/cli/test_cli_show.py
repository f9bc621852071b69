"""The command `show`: one query in the terminal, as a page and as JSON."""

import json
from pathlib import Path

import pytest
from calls import REAL, TASK1, TEST_IDS, refused

from ir_coliee.analysis import show
from ir_coliee.analysis.page import TEXTS_NOTICE


@pytest.fixture
def runs():
    """Two runs of task 1; the first one has a ranking beside it."""
    Path("a.run").write_text("900656 900557 a\n900656 900664 a\n", encoding="utf-8")
    Path("a.run.trec").write_text(
        "900656 Q0 900557 1 3.5 a\n900656 Q0 900664 2 2.5 a\n900656 Q0 900912 3 1.5 a\n", encoding="utf-8"
    )
    Path("b.run").write_text("900656 900557 b\n", encoding="utf-8")
    return "a.run", "b.run"


@pytest.mark.parametrize("dataset_id", TEST_IDS)
def test_a_query_of_each_task_is_shown(call, dataset_id):
    query_id = show(dataset_id, min(shown_ids(dataset_id))).query_id
    finished = call("show", dataset_id, query_id)
    assert finished.status == 0
    assert finished.out.startswith(f"Query {query_id} of {dataset_id}\n")
    assert finished.err == ""
    full = call("show", dataset_id, query_id, "--verbose")
    assert len(finished.out.splitlines()) < 30
    assert full.out.splitlines()[:3] == finished.out.splitlines()[:3]


def shown_ids(dataset_id):
    from ir_coliee.evaluation.scoring import Scorer

    return Scorer(dataset_id).checker.query_ids


def test_the_page_has_all_and_is_not_written_over(call, runs):
    command = ("show", TASK1, "900656", *runs, "--html", "page.html")
    finished = call(*command)
    assert "file: page.html" in finished.out.splitlines()
    page = Path("page.html").read_text(encoding="utf-8")
    assert "Topic 2217" in page
    assert "data-use agreement" not in finished.out + page  # the sample is free
    assert Path("page.html").stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_json_is_the_explanation(call, runs):
    expected = show(TASK1, "900656", runs).as_json()
    assert json.loads(call("show", TASK1, "900656", *runs, "--json").out) == expected
    chosen = json.loads(call("show", TASK1, "900656.txt", *runs, "--item", "900912", "--json").out)
    assert [item["doc_id"] for item in chosen["items"]] == ["900912"]


@pytest.mark.parametrize("query", [[], ["900657"]])
def test_without_a_known_query_the_nearest_and_the_hardest_are_named(call, query):
    message = refused(call("show", TASK1, *query))
    assert "900656" in message
    assert f"`ir_coliee analyse {TASK1} RUN --only hardest_queries` lists the hardest ones." in message


def test_a_page_with_texts_of_a_local_release_must_not_be_passed_on(call, fixture_home):
    fixture_home("task1/2025")
    finished = call("show", REAL, min(shown_ids(REAL)), "--html", "page.html")
    assert finished.out.splitlines()[-2:] == ["file: page.html", TEXTS_NOTICE]
