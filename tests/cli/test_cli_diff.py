"""The command `diff`: two runs in the terminal, as a page and as JSON."""

import json
from pathlib import Path

import pytest
from calls import TASK1, TEST_IDS, refused

from ir_coliee.analysis import diff
from ir_coliee.evaluation.scoring import Scorer


def gold_run(split, name, keep):
    """Write the relevant items of some queries as a run, the third column of which is its name."""
    gold = Scorer(split).gold
    gold = gold[(gold["relevance"] > 0) & gold["query_id"].map(keep)]
    lines = [f"{query_id} {doc_id} {name}\n" for query_id, doc_id in zip(gold["query_id"], gold["doc_id"])]
    Path(name).write_text("".join(lines), encoding="utf-8")
    return name


@pytest.fixture
def runs():
    """Two runs of task 1: A finds all, B misses nine queries and has a false answer and a ranking."""
    a = gold_run(TASK1, "a.run", lambda _: True)
    b = gold_run(TASK1, "b.run", lambda query_id: query_id in ("900545", "900577", "900583"))
    with Path(b).open("a", encoding="utf-8") as file:
        file.write("900656 900664 b.run\n")
    Path("b.run.trec").write_text("900656 Q0 900664 1 2.5 b\n900656 Q0 900557 2 1.5 b\n", encoding="utf-8")
    return a, b


#: The runs of rationale extraction are files in the form of the release.
WITH_LINES = [dataset_id for dataset_id in TEST_IDS if "rationale" not in dataset_id]


@pytest.mark.parametrize("dataset_id", WITH_LINES)
def test_two_runs_of_each_task_are_compared(call, dataset_id):
    first = min(Scorer(dataset_id).checker.query_ids)
    a, b = gold_run(dataset_id, "a.run", lambda _: True), gold_run(dataset_id, "b.run", lambda query: query != first)
    finished = call("diff", dataset_id, a, b)
    assert finished.status == 0
    assert "A: a.run\nB: b.run\n" in finished.out
    assert finished.out.splitlines()[-1] == f"next: ir_coliee show {dataset_id} {first} a.run b.run"
    assert "A is better in 1, equal in " in finished.out


@pytest.mark.slow
def test_the_page_has_all_queries_and_no_text_and_is_not_written_over(call, runs):
    command = ("diff", TASK1, *runs, "--html", "page.html")
    assert "file: page.html" in call(*command).out.splitlines()
    page = Path("page.html").read_text(encoding="utf-8")
    found = diff(TASK1, *runs)
    assert all(f">{query_id}<" in page for query_id in found.queries["query_id"])
    assert "The rankings of query 900656" in page
    assert "Topic" not in page
    assert "data-use agreement" not in page
    assert json.loads(call("diff", TASK1, *runs, "--json").out) == json.loads(json.dumps(found.as_json()))
    assert "is a file that this command reads" in refused(call("diff", TASK1, *runs, "--html", "a.run", "--overwrite"))


@pytest.mark.parametrize(
    ("content", "message"),
    [("000001 000002 x\n", "None of the run's query ids are known"), (None, "b.run"), ("900656\n", "b.run, line 1")],
)
def test_a_wrong_run_is_refused(call, runs, content, message):
    Path("b.run").unlink() if content is None else Path("b.run").write_text(content, encoding="utf-8")
    assert message in refused(call("diff", TASK1, *runs))
    assert "a.run was given twice" in refused(call("diff", TASK1, "a.run", "a.run"))
