"""The command line: every command, its exit status, and that nobody ever sees a traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import ir_datasets
import pytest
from calls import PREDICTION, REAL, TASK1, TASK3, refused, saved

import ir_coliee
from ir_coliee.editions import SPLITS, editions

SAMPLE = Path(ir_coliee.__file__).parent / "datasets" / "sample"
COLLECTIONS = {
    f"coliee/task3/{split.edition}/{split.language}{deleted}"
    for split in SPLITS.values()
    for deleted in ("", "/deleted")
    if split.task == "task3"
}
LISTED = sorted([*SPLITS, *COLLECTIONS])


# --- list, status, version -------------------------------------------------------------------------


@pytest.mark.slow
def test_list_shows_a_line_for_each_edition_and_how_to_list_its_ids(call):
    finished = call("list")
    lines = finished.out.splitlines()
    assert finished.status == 0
    assert [line.split()[0] for line in lines[1 : lines.index("")]] == list(editions())
    (line,) = (line for line in lines if line.startswith("2026"))
    for word in ("task1 en, task2 en, task3 ja, task4 ja", "train, test", "h18 to r07"):
        assert word in line
    for command in (line.split()[2:] for line in lines[lines.index("") + 2 :]):
        assert call(*command).status == 0


def test_list_as_json_gives_ids_names_and_measures(call):
    finished = call("list", "--json")
    rows = {row["id"]: row for row in json.loads(finished.out)}
    assert finished.status == 0
    assert list(rows) == LISTED
    assert rows[TASK3] == {
        "id": TASK3,
        "name": "COLIEE sample Statute Law Retrieval (English), test",
        "measure": "MacroF2",
    }


def test_list_has_the_ids_that_ir_datasets_lists(call):
    listed = {row["id"] for row in json.loads(call("list", "--json").out)}
    assert {*SPLITS} <= listed <= {*ir_datasets.registry}


def test_status_says_what_is_built_in_and_what_is_missing(call):
    finished = call("status", "test")
    assert finished.status == 0
    lines = {line.split()[0]: line for line in finished.out.splitlines() if line.strip().startswith("coliee/")}
    assert set(lines) == {name for name in SPLITS if name.endswith("/test")}
    assert "built in" in lines[TASK1]
    assert lines[REAL].split()[1:] == ["missing", "task1_test_files_2025,", "task1_test_labels_2025.json"]
    assert str(Path("copies").absolute()) in finished.out
    assert "https://coliee.org" in finished.out


def accepted(role):
    return [*SPLITS[REAL].files[role], *SPLITS[REAL].undated_names(role)]


def test_status_as_json(call):
    finished = call("status", "--json")
    content = json.loads(finished.out)
    assert finished.status == 0
    assert content["data_folders"] == [str(Path("copies").absolute())]
    rows = {row["id"]: row for row in content["splits"]}
    assert rows[TASK1]["state"] == "built in"
    assert rows[TASK1]["missing"] == {}
    assert {file["kind"] for file in rows[TASK1]["files"].values()} == {"folder"}
    assert rows[REAL]["missing"] == {role: accepted(role) for role in SPLITS[REAL].files}


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["no-such-command"],
        ["list", "--no-such-option"],
        ["baseline"],
        ["score"],
        ["score", TASK1],
        ["validate", TASK1],
        ["synth", "coliee/task1/2025"],
        ["synth", "coliee/task1/2025", "--out", "synthetic", "--scale", "much"],
    ],
)
def test_a_call_of_the_wrong_form_has_status_2(call, arguments):
    finished = call(*arguments)
    assert finished.status == 2
    assert "Traceback" not in finished.err


# --- score and validate ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="no /dev/stdin here")
@pytest.mark.parametrize(("command", "words"), [("validate", "/dev/stdin: accepted"), ("score", "stdin  1.0000")])
def test_a_run_may_come_through_a_pipe(command, words):
    content = (SAMPLE / "LJPJTsample" / "test001.jsonl").read_text(encoding="utf-8")
    command = [sys.executable, "-m", "ir_coliee", command, PREDICTION, "/dev/stdin"]
    finished = subprocess.run(
        command, input=content, capture_output=True, text=True, encoding="utf-8", check=True, timeout=60
    )
    assert " ".join(words.split()) in " ".join(finished.stdout.split())


# --- unknown ids and missing copies ----------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["coliee/task1/sample/tset", "coliee/task1/sample", "task1/sample/test"])
def test_an_unknown_id_names_the_nearest_ids(call, wrong):
    line = refused(call("score", wrong, "some.run"))
    assert repr(wrong) in line
    assert TASK1 in line


@pytest.mark.parametrize("command", ["baseline", "score", "validate"])
def test_a_missing_copy_names_edition_folder_names_and_where_to_ask(call, command):
    run = [saved("some.run", "900656 900557 a\n")] if command != "baseline" else []
    line = refused(call(command, REAL, *run))
    for words in ("COLIEE 2025", str(Path("copies").absolute()), "task1_test_", "https://coliee.org", "COLIEE_HOME"):
        assert words in line


# --- in processes of their own: nothing that a test runner could hide --------------------------------


@pytest.mark.slow
def test_scoring_a_file_imports_no_pyterrier(tmp_path):
    run = tmp_path / "run.txt"
    qrel = next(ir_datasets.load(TASK1).qrels_iter())
    run.write_text(f"{qrel.query_id} {qrel.doc_id} first\n", encoding="utf-8")
    code = (
        "import sys\nfrom ir_coliee.cli import main\nsys.argv[:] = ['ir_coliee', *sys.argv[1:]]\n"
        "try:\n    main()\nfinally:\n    print('pyterrier' in sys.modules, file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", code, "score", TASK1, str(run)]
    environment = {**os.environ, "PYTHONPATH": str(Path(ir_coliee.__file__).parents[1])}
    finished = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert "F1" in finished.stdout, finished.stderr
    assert finished.stderr.split()[-1] == "False"
