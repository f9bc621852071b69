"""The commands on editions and local releases: list, status, audit, purge, synth, irds, measures."""

import json
import shlex
from pathlib import Path

import ir_datasets
import pytest
from calls import REAL, TASK1, TASK3, process, refused, saved
from zips import write_zip

import ir_coliee
from ir_coliee.editions import SPLITS, dataset_ids, editions
from ir_coliee.releases import cache

LABELS = "copies/task1_test_labels_2025.json"


def put_zip(password=None):
    texts = {f"task1_test_files_2025/90000{n}.txt": f"Decision {n}." for n in range(1, 5)}
    saved(LABELS, '{"900003.txt": ["900001.txt"]}')
    return write_zip(Path("copies/task1_test_files_2025.zip"), texts, password)


# --- list, status ----------------------------------------------------------------------------------


def test_list_shows_a_line_for_each_edition_and_how_to_list_its_ids(call):
    lines = call("list").out.splitlines()
    assert [line.split()[0] for line in lines[1 : lines.index("")]] == list(editions())
    (line,) = (line for line in lines if line.startswith("2026"))
    for word in ("task1 en, task2 en, task3 ja, task4 ja", "train, test", "h18 to r07"):
        assert word in line
    for command in (line.split()[2:] for line in lines[lines.index("") + 2 :]):
        assert call(*command).status == 0


def test_list_takes_words_and_gives_ids_names_and_measures_as_json(call):
    rows = {row["id"]: row for row in json.loads(call("list", "--json").out)}
    assert list(rows) == sorted(dataset_ids())
    assert {*SPLITS} <= rows.keys() <= {*ir_datasets.registry}
    name = "COLIEE sample Statute Law Retrieval (English), test"
    assert rows[TASK3] == {"id": TASK3, "name": name, "measure": "MacroF2"}
    _, line = call("list", "2026", "task3", "test", "ja").out.splitlines()
    assert line.split() == ["coliee/task3/2026/ja/test", "GatedAccuracy"]
    assert len(json.loads(call("list", "task2", "2026", "--json").out)) == 2


def test_status_says_what_is_built_in_and_what_is_missing(call):
    finished = call("status", "test")
    assert finished.status == 0
    lines = {line.split()[0]: line for line in finished.out.splitlines() if line.strip().startswith("coliee/")}
    assert set(lines) == {name for name in SPLITS if name.endswith("/test")}
    assert "built in" in lines[TASK1]
    assert lines[REAL].split()[1:] == ["missing", "task1_test_files_2025,", "task1_test_labels_2025.json"]
    assert str(Path("copies").absolute()) in finished.out
    assert "https://coliee.org" in finished.out
    content = json.loads(call("status", "--json").out)
    assert content["data_folders"] == [str(Path("copies").absolute())]
    rows = {row["id"]: row for row in content["splits"]}
    assert (rows[TASK1]["state"], rows[TASK1]["missing"]) == ("built in", {})
    assert {file["kind"] for file in rows[TASK1]["files"].values()} == {"folder"}
    accepted = {role: [*names, *SPLITS[REAL].undated_names(role)] for role, names in SPLITS[REAL].files.items()}
    assert rows[REAL]["missing"] == accepted


@pytest.mark.parametrize(("password", "kind"), [(None, "zip"), ("sesame", "zip with password")])
def test_status_tells_in_which_shape_a_copy_is(call, password, kind):
    put_zip(password)
    (row,) = (row for row in json.loads(call("status", REAL, "--json").out)["splits"] if row["id"] == REAL)
    assert row["state"] == "complete, synthetic"
    assert {role: file["kind"] for role, file in row["files"].items()} == {"corpus": kind, "labels": "folder"}
    (line,) = (line for line in call("status", "task1").out.splitlines() if line.split()[:1] == [REAL])
    assert f"flat: {kind}, folder" in line


# --- audit, purge, synth -----------------------------------------------------------------------------


def test_an_audit_as_json_has_all_ids(call):
    put_zip()
    saved(LABELS, json.dumps({"900003.txt": [f"{900_010 + n}.txt" for n in range(30)]}))
    finished = call("audit", REAL, "--json")
    content = json.loads(finished.out)
    assert finished.status == 1
    assert content["counts"] == {"docs": 4, "queries": 1, "qrels": 30}
    assert content["is_wrong"] is True
    assert {"check", "level", "count", "ids", "message", "advice"} == set(content["findings"][0])
    assert len(content["findings"][0]["ids"]) == 30


def test_an_audit_seals_a_copy_and_says_later_what_has_changed(call):
    put_zip()
    finished = call("audit", REAL)
    assert "\nwrong: nothing\n" in finished.out
    assert finished.out.endswith(f"\nnext: ir_coliee audit {REAL} --seal\n")
    for _ in range(2):
        finished = call("audit", REAL, "--seal")
        assert finished.status == 0
        assert finished.out.endswith(f"file: {Path('copies').absolute() / 'seals' / 'coliee-task1-2025-test.sha256'}\n")
    saved(LABELS, '{"900003.txt": ["900002.txt"]}')
    finished = call("audit", REAL)
    assert finished.status == 1
    assert "only if each change is right, seal again with --seal --overwrite" in finished.out
    found = json.loads(call("audit", REAL, "--json").out)
    assert [finding["ids"] for finding in found["findings"] if finding["level"] == "wrong"] == [["labels"]]
    assert "Only if each change is right, pass --overwrite." in refused(call("audit", REAL, "--seal"))
    assert call("audit", REAL, "--seal", "--overwrite").status == 0


def test_a_copy_in_which_something_is_wrong_is_not_sealed_and_the_finding_is_shown(call):
    put_zip()
    saved(LABELS, '{"900003.txt": ["900009.txt"]}')
    finished = call("audit", REAL, "--seal")
    assert finished.status == 1
    assert "gold-without-document" in finished.out
    assert finished.out.splitlines()[-1] == "not sealed, because something is wrong"
    assert json.loads(call("audit", REAL, "--seal", "--json").out)["seal"] == ""


def test_purge_deletes_the_cache_and_says_what(call):
    put_zip()
    cache.entry("thing", "0" * 24, "copies/task1_test_files_2025.zip", lambda folder: None)
    finished = call("purge")
    assert finished.status == 0
    assert finished.out.startswith("deleted ")
    assert sorted(path.name for path in Path("copies").iterdir()) == ["task1_test_files_2025.zip", Path(LABELS).name]
    assert call("purge").out == "no cache to delete\n"


def test_synth_says_first_which_splits_it_writes_and_then_how_to_use_them(call):
    finished = call("synth", "coliee/task1/2025/test", "--out", "new", "--scale", "0.001")
    assert finished.status == 0
    splits = "coliee/task1/2025/train, coliee/task1/2025/test"
    assert finished.err.splitlines()[0] == f"writing {splits}: 0.1 % of the real release"
    assert f"  export COLIEE_HOME={shlex.quote(str(Path('new').absolute()))}" in finished.out.splitlines()


# --- the parents' command lines, and the whole -------------------------------------------------------


def test_the_parents_command_lines_know_our_ids_and_measures(call):
    assert len(call("irds", "export", "coliee/task2/sample/test", "qrels").out.splitlines()) == 12
    assert "coliee/task1/2019/train" in call("irds", "list").out.splitlines()
    saved("gold", "1 0 a 1\n1 0 b 1\n2 0 c 1\n")
    saved("run", "1 Q0 a 1 2.0 x\n1 Q0 z 2 1.0 x\n2 Q0 y 1 1.0 x\n")
    finished = call("measures", "gold", "run", "MicroP", "MicroR")
    assert sorted(finished.out.split()) == sorted(["MicroP", "0.3333", "MicroR", "0.3333"])


def test_the_version_is_printed(call):
    assert call("--version").out == f"{ir_coliee.__version__}\n"


@pytest.mark.slow
def test_scoring_a_file_imports_no_pyterrier():
    saved("run.txt", "900656 900557 first\n")
    code = (
        "import sys\nfrom ir_coliee.cli import main\n"
        "try:\n    main()\nfinally:\n    print('pyterrier' in sys.modules, file=sys.stderr)\n"
    )
    finished = process("score", TASK1, "run.txt", program=("-c", code))
    assert "F1" in finished.out, finished.err
    assert finished.err.split()[-1] == "False"
