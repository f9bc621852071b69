"""The commands `analyse`, `diff`, `show` and `report`: what they print and write, in which form."""

import csv
import io
import json
import re
import stat
from pathlib import Path

import pytest
from analysis.pages.page_checks import problems
from analysis.pages.small_pictures import small_pictures  # noqa: F401  (fixture)
from analysis.random_runs import gold_of
from calls import REAL, RUNS, TASK1, TEST_IDS, refused, saved

from ir_coliee.analysis import agreement, answered_by, diff, evaluate, hardest_queries, show
from ir_coliee.analysis.catalogue import ANALYSES, MAIN, chosen
from ir_coliee.analysis.page import TEXTS_NOTICE
from ir_coliee.editions import split
from ir_coliee.evaluation.scoring import Scorer


def gold_run(dataset_id, name, keep=lambda number: True):
    """Write a run with the relevant items of the queries whose number is kept; the third column is its name."""
    gold = sorted((query_id, *sorted(items)) for query_id, items in gold_of(dataset_id).items() if items)
    kept = [(query_id, item) for number, (query_id, *items) in enumerate(gold) if keep(number) for item in items]
    return saved(name, "".join(f"{query_id} {item} {name}\n" for query_id, item in kept))


# --- analyse ---------------------------------------------------------------------------------------


def analysed(text):
    """The analyses that are printed, in order."""
    return [name for name in (line.split(": ")[0] for line in text.splitlines()) if name in ANALYSES]


@pytest.mark.slow
def test_all_analyses_of_the_task_are_printed_with_titles_tables_and_notes(call, two_runs):
    finished = call("analyse", TASK1, *two_runs, "--verbose")
    assert finished.status == 0
    lines = finished.out.splitlines()
    assert analysed(finished.out) == [each.name for each in chosen(split(TASK1)) if each.name != "calibration"]
    evaluated = evaluate(TASK1, two_runs)
    for frame in (answered_by(evaluated), agreement(evaluated)):
        assert "\n".join(str(frame).splitlines()[1:-1]) in finished.out
    assert "not made: calibration: No run has probabilities as scores." in lines
    assert lines[-2].startswith("this data is synthetic")
    assert lines[-1] == f"next: ir_coliee show {TASK1} {hardest_queries(evaluated)['query_id'].iloc[0]} a.run b.run"
    assert call(*lines[-1].split()[2:]).status == 0
    assert "warning: all runs: " in finished.err or "warning: a.run: " in finished.err


@pytest.mark.slow
@pytest.mark.parametrize("dataset_id", TEST_IDS)
def test_every_task_is_analysed_with_what_is_known_of_a_single_run(call, dataset_id):
    gold_run(dataset_id, "my.run", keep=bool)
    short = call("analyse", dataset_id, "my.run")
    assert (short.status, analysed(short.out)) == (0, [*MAIN])
    finished = call("analyse", dataset_id, "my.run", "--verbose")
    assert finished.status == 0
    reasons = [line for line in finished.out.splitlines() if line.startswith("not made: ")]
    assert any(line.startswith("not made: agreement: At least two runs are needed") for line in reasons)
    not_made = {name for name in ANALYSES if any(f" {name}:" in line for line in reasons)}
    assert {*analysed(finished.out), *not_made} == {analysis.name for analysis in chosen(split(dataset_id))}
    assert {"hardest_queries", "answered_by", "groups", "losses"} <= {*analysed(finished.out)} - not_made


@pytest.mark.slow
def test_csv_and_json_have_the_complete_frames_with_all_digits(call, two_runs):
    finished = call("analyse", TASK1, *two_runs, "--only", "hardest_queries", "--csv")
    rows = [*csv.DictReader(io.StringIO(finished.out))]
    frame = hardest_queries(evaluate(TASK1, two_runs))
    assert [(row["query_id"], row["run"], float(row["value"])) for row in rows] == [
        *zip(frame["query_id"], frame["run"], frame["value"])
    ]
    assert all(note in finished.err for note in frame.notes)
    rows = [*csv.DictReader(io.StringIO(call("analyse", TASK1, *two_runs, "--only", "items", "--csv").out))]
    assert [*rows[0]] == ["run", "query_id", "doc_id", "outcome", "stage", "cause", "detail", "evidence"]
    found = {(row["query_id"], row["doc_id"]): row for row in rows if row["run"] == "a.run"}
    assert found["900656", "900912"]["cause"] == "ranked below the cut-off"
    assert found["900656", "900664"]["outcome"] == "false"
    content = json.loads(call("analyse", TASK1, *two_runs, "--json").out)
    assert content["dataset_id"] == TASK1
    assert content["analyses"].keys() | content["not_made"].keys() == {each.name for each in chosen(split(TASK1))}
    assert content["not_made"] == {"calibration": "No run has probabilities as scores."}
    assert all(set(frame) == {"title", "notes", "rows"} for frame in content["analyses"].values())
    assert len(content["analyses"]["hardest_queries"]["rows"]) == 24
    assert None in [row["p"] for row in content["analyses"]["groups"]["rows"]]  # not NaN, which JSON does not have


@pytest.mark.slow
def test_plots_are_written_and_an_analysis_that_alone_cannot_be_made_is_an_error(call, two_runs):
    finished = call("analyse", TASK1, *two_runs, "--only", "hardest_queries", "--plots", "plots")
    assert "file: plots/hardest_queries.pdf" in finished.out.splitlines()
    assert Path("plots/hardest_queries.pdf").read_bytes().startswith(b"%PDF")
    assert "No run has probabilities" in refused(call("analyse", TASK1, *two_runs, "--only", "calibration"))


# --- diff ------------------------------------------------------------------------------------------

#: The runs of rationale extraction are files in the form of the release.
WITH_LINES = [dataset_id for dataset_id in TEST_IDS if "rationale" not in dataset_id]


@pytest.mark.parametrize("dataset_id", WITH_LINES)
def test_two_runs_of_each_task_are_compared(call, dataset_id):
    a, b = gold_run(dataset_id, "a.run"), gold_run(dataset_id, "b.run", keep=bool)
    first = a.read_text().split()[0]
    finished = call("diff", dataset_id, a, b)
    assert finished.status == 0
    assert "A: a.run\nB: b.run\n" in finished.out
    assert finished.out.splitlines()[-1] == f"next: ir_coliee show {dataset_id} {first} a.run b.run"
    assert "A is better in 1, equal in " in finished.out


@pytest.mark.slow
def test_the_page_of_two_runs_has_all_queries_and_no_text(call, two_runs):
    assert "file: page.html" in call("diff", TASK1, *two_runs, "--html", "page.html").out.splitlines()
    page = Path("page.html").read_text(encoding="utf-8")
    found = diff(TASK1, *two_runs)
    assert all(f">{query_id}<" in page for query_id in found.queries["query_id"])
    assert "The rankings of query 900656" in page
    assert not re.search("Topic|data-use agreement", page)
    assert json.loads(call("diff", TASK1, *two_runs, "--json").out) == json.loads(json.dumps(found.as_json()))


# --- show ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dataset_id", TEST_IDS)
def test_a_query_of_each_task_is_shown(call, dataset_id):
    query_id = min(Scorer(dataset_id).checker.query_ids)
    finished = call("show", dataset_id, query_id)
    assert (finished.status, finished.err) == (0, "")
    assert finished.out.startswith(f"Query {query_id} of {dataset_id}\n")
    assert len(finished.out.splitlines()) < 30
    full = call("show", dataset_id, query_id, "--verbose")
    assert full.out.splitlines()[:3] == finished.out.splitlines()[:3]


@pytest.mark.slow
def test_the_page_of_a_query_is_private_and_json_is_the_explanation(call, two_runs):
    finished = call("show", TASK1, "900656", *two_runs, "--html", "page.html")
    assert "file: page.html" in finished.out.splitlines()
    page = Path("page.html").read_text(encoding="utf-8")
    assert "Topic 2217" in page
    assert "data-use agreement" not in finished.out + page  # the sample is free
    assert stat.S_IMODE(Path("page.html").stat().st_mode) & 0o077 == 0
    expected = show(TASK1, "900656", two_runs).as_json()
    assert json.loads(call("show", TASK1, "900656", *two_runs, "--json").out) == expected
    chosen_item = json.loads(call("show", TASK1, "900656.txt", *two_runs, "--item", "900912", "--json").out)
    assert [item["doc_id"] for item in chosen_item["items"]] == ["900912"]


def test_a_page_with_texts_of_a_local_release_must_not_be_passed_on(call, fixture_home):
    fixture_home("task1/2025")
    finished = call("show", REAL, min(Scorer(REAL).checker.query_ids), "--html", "page.html")
    assert finished.out.splitlines()[-2:] == ["file: page.html", TEXTS_NOTICE]


# --- report ----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("small_pictures")
def test_a_page_on_runs_is_written_and_has_the_command_line_that_makes_it_again(call, two_runs):
    finished = call("report", TASK1, *two_runs, "--out", "report.html")
    assert (finished.status, finished.out) == (0, "file: report.html\n")
    text = Path("report.html").read_text(encoding="utf-8")
    assert problems(text) == []
    assert "ir_coliee report coliee/task1/sample/test a.run b.run --out report.html" in text
    assert "ir_coliee diff coliee/task1/sample/test a.run b.run" in text
    assert re.search(r'<th scope="row"[^>]*>a.run</th><td[^>]*>ranking</td><td[^>]*>a.run.trec</td>', text)


@pytest.mark.slow
@pytest.mark.usefixtures("small_pictures")
def test_a_page_on_runs_with_texts_is_private_and_its_command_line_names_rankings(call, two_runs):
    saved("elsewhere.trec", RUNS["a.run.trec"])
    command = f"report {TASK1} b.run --ranking elsewhere.trec"
    finished = call(*command.split(), "--with-texts", "--out", "report.html")
    assert "data-use agreement" not in finished.out  # the sample is free
    assert stat.S_IMODE(Path("report.html").stat().st_mode) == 0o600
    text = Path("report.html").read_text(encoding="utf-8")
    assert re.search(r"ir_coliee (report .*) --out report\.html", text.split("<script")[0])[1] == command
