"""Commands about local releases: status of ZIP archives, audit, purge, irds, measures, synth."""

import json
import shlex
from pathlib import Path

import pytest
from calls import REAL, refused, saved
from zips import write_zip

from ir_coliee.releases import cache


def put_zip(password=None):
    texts = {f"task1_test_files_2025/90000{n}.txt": f"Decision {n}." for n in range(1, 5)}
    saved("copies/task1_test_labels_2025.json", '{"900003.txt": ["900001.txt"]}')
    return write_zip(Path("copies/task1_test_files_2025.zip"), texts, password)


def status_of(call, dataset_id):
    return {row["id"]: row for row in json.loads(call("status", "--json").out)["splits"]}[dataset_id]


@pytest.mark.slow
@pytest.mark.parametrize(("password", "kind"), [(None, "zip"), ("sesame", "zip with password")])
def test_status_tells_in_which_shape_a_copy_is(call, password, kind):
    put_zip(password)
    row = status_of(call, REAL)
    assert row["state"] == "complete, synthetic"
    assert row["files"]["corpus"]["kind"] == kind
    assert row["files"]["labels"]["kind"] == "folder"
    (line,) = (line for line in call("status", "task1").out.splitlines() if line.split()[:1] == [REAL])
    assert f"flat: {kind}, folder" in line


def ids_of(finished):
    """The ids in the first column of a table, in order."""
    assert finished.status == 0
    return [line.split()[0] for line in finished.out.splitlines() if line.startswith("coliee/")]


def test_list_takes_words_and_a_language(call):
    finished = call("list", "2026", "task3", "test", "ja")
    assert ids_of(finished) == ["coliee/task3/2026/ja/test"]
    assert finished.out.splitlines()[1].split()[1] == "GatedAccuracy"
    assert len(json.loads(call("list", "task2", "2026", "--json").out)) == 2


@pytest.mark.parametrize("command", ["list", "status"])
def test_a_word_that_matches_nothing_is_an_error_that_names_the_nearest(call, command):
    assert "task1" in refused(call(command, "tsk1", "2025"))
    assert "coliee/task3/2026/ja/test" in refused(call(command, "task3", "2026", "test", "en"))


# --- audit -----------------------------------------------------------------------------------------


def test_an_audit_as_json_has_all_ids(call):
    gold = json.dumps({"900003.txt": [f"{900_010 + n}.txt" for n in range(30)]})
    put_zip()
    saved("copies/task1_test_labels_2025.json", gold)
    finished = call("audit", REAL, "--json")
    content = json.loads(finished.out)
    assert finished.status == 1
    assert content["counts"] == {"docs": 4, "queries": 1, "qrels": 30}
    assert content["is_wrong"] is True
    assert {"check", "level", "count", "ids", "message", "advice"} == set(content["findings"][0])
    assert len(content["findings"][0]["ids"]) == 30


def test_an_audit_of_what_is_not_there_has_status_2(call):
    assert "task1_test_files_2025" in refused(call("audit", REAL))
    assert "coliee/task1/sample/test" in refused(call("audit", "coliee/task1/sample/tset"))


def test_an_audit_seals_a_copy_and_says_later_what_has_changed(call):
    put_zip()
    finished = call("audit", REAL)
    assert "\nwrong: nothing\n" in finished.out
    assert finished.out.endswith(f"\nnext: ir_coliee audit {REAL} --seal\n")
    finished = call("audit", REAL, "--seal")
    assert finished.status == 0
    assert finished.out.endswith(f"file: {Path('copies').absolute() / 'seals' / 'coliee-task1-2025-test.sha256'}\n")
    finished = call("audit", REAL, "--seal")
    assert finished.status == 0
    saved("copies/task1_test_labels_2025.json", '{"900003.txt": ["900002.txt"]}')
    finished = call("audit", REAL)
    assert finished.status == 1
    assert "only if each change is right, seal again with --seal --overwrite" in finished.out
    found = json.loads(call("audit", REAL, "--json").out)
    assert [finding["ids"] for finding in found["findings"] if finding["level"] == "wrong"] == [["labels"]]
    assert "Only if each change is right, pass --overwrite." in refused(call("audit", REAL, "--seal"))
    assert call("audit", REAL, "--seal", "--overwrite").status == 0


def test_a_copy_in_which_something_is_wrong_is_not_sealed_and_the_finding_is_shown(call):
    put_zip()
    saved("copies/task1_test_labels_2025.json", '{"900003.txt": ["900009.txt"]}')
    finished = call("audit", REAL, "--seal")
    assert finished.status == 1
    assert "gold-without-document" in finished.out
    assert finished.out.splitlines()[-1] == "not sealed, because something is wrong"
    assert json.loads(call("audit", REAL, "--seal", "--json").out)["seal"] == ""


# --- purge, and the parents' command lines -----------------------------------------------------------


def test_purge_deletes_the_cache_and_says_what(call):
    put_zip()
    cache.entry("thing", "0" * 24, "copies/task1_test_files_2025.zip", lambda folder: None)
    finished = call("purge")
    assert finished.status == 0
    assert finished.out.startswith("deleted ")
    assert sorted(path.name for path in Path("copies").iterdir()) == [
        "task1_test_files_2025.zip",
        "task1_test_labels_2025.json",
    ]
    assert call("purge").out == "no cache to delete\n"


def test_irds_knows_our_ids(call):
    finished = call("irds", "export", "coliee/task2/sample/test", "qrels")
    assert finished.status == 0
    assert len(finished.out.splitlines()) == 12
    assert "coliee/task1/2019/train" in call("irds", "list").out.splitlines()


def test_measures_knows_our_measures(call):
    saved("gold", "1 0 a 1\n1 0 b 1\n2 0 c 1\n")
    saved("run", "1 Q0 a 1 2.0 x\n1 Q0 z 2 1.0 x\n2 Q0 y 1 1.0 x\n")
    finished = call("measures", "gold", "run", "MicroP", "MicroR")
    assert sorted(finished.out.split()) == sorted(["MicroP", "0.3333", "MicroR", "0.3333"])


# --- leaderboard -----------------------------------------------------------------------------------------


def test_synth_says_first_which_splits_it_writes_and_then_how_to_use_them(call):
    finished = call("synth", "coliee/task1/2025/test", "--out", "new", "--scale", "0.001")
    assert finished.status == 0
    splits = "coliee/task1/2025/train, coliee/task1/2025/test"
    assert finished.err.splitlines()[0] == f"writing {splits}: 0.1 % of the real release"
    assert f"  export COLIEE_HOME={shlex.quote(str(Path('new').absolute()))}" in finished.out.splitlines()
