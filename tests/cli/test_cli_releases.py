"""Commands about local releases: status of ZIP archives, audit, purge, irds, measures, synth."""

import json
import os
import re
import shlex
from pathlib import Path

import pytest
from test_cli import (  # noqa: F401  (fixtures)
    REAL,
    call,
    empty_world,
    own_copy,
    refused,
    saved,
    synthetic_release,
)
from zips import write_zip

from ir_coliee.releases import files

TRAIN = "coliee/task2/sample/train"


def put_zip(password=None):
    texts = {f"task1_test_files_2025/90000{n}.txt": f"Decision {n}." for n in range(1, 5)}
    saved("copies/task1_test_labels_2025.json", '{"900003.txt": ["900001.txt"]}')
    return write_zip(Path("copies/task1_test_files_2025.zip"), texts, password)


def status_of(call, dataset_id):  # noqa: F811
    return {row["id"]: row for row in json.loads(call("status", "--json").out)["splits"]}[dataset_id]


@pytest.mark.slow
@pytest.mark.parametrize(("password", "kind"), [(None, "zip"), ("sesame", "zip with password")])
def test_status_tells_in_which_shape_a_copy_is(call, password, kind):  # noqa: F811
    put_zip(password)
    row = status_of(call, REAL)
    assert row["state"] == "complete, synthetic"
    assert row["files"]["corpus"]["kind"] == kind
    assert row["files"]["labels"]["kind"] == "folder"
    (line,) = (line for line in call("status").out.splitlines() if line.split()[:1] == [REAL])
    assert f"flat: {kind}, folder" in line


def ids_of(finished):
    """The ids in the first column of a table, in order."""
    assert finished.status == 0
    return [line.split()[0] for line in finished.out.splitlines() if line.startswith("coliee/")]


def test_list_takes_words_and_a_language(call):  # noqa: F811
    finished = call("list", "2026", "task3", "test", "ja")
    assert ids_of(finished) == ["coliee/task3/2026/ja/test"]
    assert finished.out.splitlines()[1].split()[1] == "GatedAccuracy"
    assert len(json.loads(call("list", "task2", "2026", "--json").out)) == 2


@pytest.mark.parametrize("command", ["list", "status"])
def test_a_word_that_matches_nothing_is_an_error_that_names_the_nearest(call, command):  # noqa: F811
    assert "task1" in refused(call(command, "tsk1", "2025"))
    assert "coliee/task3/2026/ja/test" in refused(call(command, "task3", "2026", "test", "en"))


# --- audit -----------------------------------------------------------------------------------------


def test_an_audit_without_anything_wrong_has_status_0(call):  # noqa: F811
    finished = call("audit", TRAIN)
    assert finished.status == 0
    assert finished.out.startswith(
        "COLIEE sample Legal Case Entailment (English), train: 102 docs, 8 queries, 12 qrels"
    )
    assert "\nwrong: nothing\n" in finished.out


def test_an_audit_speaks_in_three_groups_with_what_to_do(call):  # noqa: F811
    put_zip()
    saved("copies/task1_test_labels_2025.json", '{"900003.txt": ["900001.txt", "900009.txt"]}')
    finished = call("audit", REAL)
    assert finished.status == 1
    lines = finished.out.splitlines()
    groups = [lines.index(group) for group in ("wrong", "changes your score: nothing", "information")]
    assert groups == sorted(groups)
    at = lines.index("  gold-without-document: gold labels that name no document: 1 (900003 900009)")
    assert groups[0] < at < groups[1]
    assert lines[at + 1].startswith("    Unpack the organisers' archive again")
    assert "docs: 4 in the local copy, official count 2159; the data are synthetic" in finished.out
    assert "Decision" not in finished.out


def test_an_audit_without_the_label_file_has_status_1(call):  # noqa: F811
    put_zip()
    Path("copies/task1_test_labels_2025.json").unlink()
    finished = call("audit", REAL)
    assert finished.status == 1
    assert "task1_test_labels_2025.json" in finished.out


def test_an_audit_as_json_has_all_ids(call):  # noqa: F811
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


def test_a_check_of_an_audit_is_printed_with_all_ids_one_a_line(call):  # noqa: F811
    put_zip()
    items = [f"{900_010 + n}" for n in range(30)]
    saved("copies/task1_test_labels_2025.json", json.dumps({"900003.txt": items}))
    printed = call("audit", f"irds:{REAL}").out
    assert "\nAll ids of a finding, one a line; NAME is the word before the colon:\n" in printed
    assert f"\nnext: ir_coliee audit {REAL} --check NAME\n" in printed
    finished = call("audit", REAL.replace("/", ":", 1), "--check", "gold-without-document")
    assert finished.status == 1
    assert finished.out.splitlines() == [f"900003 {item}" for item in items]
    assert call("audit", REAL, "--check", "repeated-gold").out == ""
    assert "2159" in call("audit", REAL, "--check", "differing-count").out
    assert "query-in-other-split" in refused(call("audit", REAL, "--check", "query-in-other"))


def test_an_audit_of_what_is_not_there_has_status_2(call):  # noqa: F811
    assert "task1_test_files_2025" in refused(call("audit", REAL))
    assert "coliee/task1/sample/test" in refused(call("audit", "coliee/task1/sample/tset"))


def test_an_audit_seals_a_copy_and_says_later_what_has_changed(call):  # noqa: F811
    put_zip()
    finished = call("audit", REAL)
    assert finished.out.endswith(f"\nNothing is wrong.\nnext: ir_coliee audit {REAL} --seal\n")
    finished = call("audit", REAL, "--seal")
    assert finished.status == 0
    assert re.search(
        r"\nsealed now, 5 files\nhash of the seal: [0-9a-f]{64}\nCompare this hash with other participants",
        finished.out,
    )
    assert finished.out.endswith(f"file: {Path('copies').absolute() / 'seals' / 'coliee-task1-2025-test.sha256'}\n")
    finished = call("audit", REAL)
    assert finished.status == 0
    assert "sealed, unchanged since\n" in finished.out
    assert finished.out.endswith("\nNothing is wrong.\n")
    again = call("audit", REAL, "--seal").out
    assert "file: " not in again
    saved("copies/task1_test_labels_2025.json", '{"900003.txt": ["900002.txt"]}')
    finished = call("audit", REAL)
    assert finished.status == 1
    assert "sealed, changed since\n" in finished.out
    assert "  changed-since-sealed: files that are changed since the seal: 1 (labels)" in finished.out
    old, now = re.search(r"\nhash of the seal: (\w{64})\nhash of the files now: (\w{64})\n", finished.out).groups()
    assert old != now
    assert finished.out.endswith(
        "\n1 finding is wrong: changed-since-sealed\n"
        f"\nOnly if each change is right:\nnext: ir_coliee audit {REAL} --seal --force\n"
    )
    assert call("audit", REAL, "--check", "changed-since-sealed").out == "labels\n"
    content = json.loads(call("audit", REAL, "--json").out)
    assert [(c["kind"], c["file"]) for c in content["seal"]["changes"]] == [("changed", "labels")]
    assert (content["seal"]["hash"], content["seal"]["hash_now"]) == (old, now)
    refusal = refused(call("audit", REAL, "--seal"))
    assert "files that are changed since the seal: 1 (labels)" in refusal
    assert "Look first at what changed." in refusal
    assert f"\n  ir_coliee audit {REAL} --seal --force\n" in refusal
    assert call("audit", REAL, "--seal", "--force").status == 0
    assert json.loads(call("audit", REAL, "--json").out)["seal"]["changes"] == []


def test_a_copy_in_which_something_is_wrong_is_not_sealed_and_the_finding_is_shown(call):  # noqa: F811
    put_zip()
    saved("copies/task1_test_labels_2025.json", '{"900003.txt": ["900009.txt"]}')
    finished = call("audit", REAL, "--seal")
    assert finished.status == call("audit", REAL).status == 1
    assert "gold-without-document" in finished.out
    assert "\ninformation" in finished.out
    assert finished.out.splitlines()[-1].startswith("not sealed, because something is wrong")
    finished = call("audit", REAL, "--seal", "--json")
    assert finished.status == 1
    content = json.loads(finished.out)
    assert content["seal"] is None
    assert "gold-without-document" in {finding["check"] for finding in content["findings"]}
    assert call("audit", REAL, "--seal", "--check", "gold-without-document").out == "900003 900009\n"
    assert call("audit", REAL, "--seal", "--check", "repeated-gold").status == 1


def test_a_file_that_breaks_its_format_is_wrong_beside_the_changes_since_a_seal(call):  # noqa: F811
    put_zip()
    assert call("audit", REAL, "--seal").status == 0
    saved("copies/task1_test_labels_2025.json", "{")
    finished = call("audit", REAL)
    assert finished.status == 1
    assert "not JSON" in finished.out
    assert finished.out.splitlines()[-4] == "2 findings are wrong: changed-since-sealed, unreadable-file"


# --- purge, and the parents' command lines -----------------------------------------------------------


def test_purge_deletes_the_cache_and_says_what(call):  # noqa: F811
    put_zip()
    files.entry("thing", "0" * 24, "copies/task1_test_files_2025.zip", lambda folder: None)
    finished = call("purge")
    assert finished.status == 0
    assert finished.out.startswith("deleted ")
    assert sorted(path.name for path in Path("copies").iterdir()) == [
        "task1_test_files_2025.zip",
        "task1_test_labels_2025.json",
    ]
    assert call("purge").out == "no cache to delete\n"


def test_irds_knows_our_ids(call):  # noqa: F811
    finished = call("irds", "export", "coliee/task2/sample/test", "qrels")
    assert finished.status == 0
    assert len(finished.out.splitlines()) == 12
    assert "coliee/task1/2019/train" in call("irds", "list").out.splitlines()


def test_measures_knows_our_measures(call):  # noqa: F811
    saved("gold", "1 0 a 1\n1 0 b 1\n2 0 c 1\n")
    saved("run", "1 Q0 a 1 2.0 x\n1 Q0 z 2 1.0 x\n2 Q0 y 1 1.0 x\n")
    finished = call("measures", "gold", "run", "MicroP", "MicroR")
    assert sorted(finished.out.split()) == sorted(["MicroP", "0.3333", "MicroR", "0.3333"])


# --- synth -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_synth_writes_archives_on_request(call):  # noqa: F811
    finished = call("synth", "coliee/task1/2025", "--out", "copies", "--scale", "0.003", "--zip")
    assert finished.status == 0, finished.err
    assert any(name.endswith(".zip") for name in os.listdir("copies"))
    assert status_of(call, REAL)["files"]["corpus"]["kind"] == "zip"


# --- leaderboard -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_run_on_synthetic_data_gets_no_place(call):  # noqa: F811
    call("synth", "coliee/task1/2023", "--out", "copies", "--scale", "0.01")
    assert "would have ranked" not in call("baseline", "coliee/task1/2023/test").out


@pytest.mark.slow
def test_a_run_gets_its_place_on_the_leaderboard_of_its_edition(call, monkeypatch):  # noqa: F811
    call("synth", "coliee/task1/2023", "--out", "copies", "--scale", "0.01")
    monkeypatch.setattr("ir_coliee.releases.release.LocalRelease.is_synthetic", False)
    finished = call("baseline", "coliee/task1/2023/test")
    assert "would have ranked" in finished.out
    assert "of 22" in finished.out


def test_synth_says_first_which_splits_it_writes_and_then_how_to_use_them(call):  # noqa: F811
    finished = call("synth", "coliee/task1/2025/test", "--out", "new", "--scale", "0.001")
    assert finished.status == 0
    splits = "coliee/task1/2025/train, coliee/task1/2025/test"
    assert finished.err.splitlines()[0] == f"writing {splits}: 0.1 % of the real release"
    assert f"  export COLIEE_HOME={shlex.quote(str(Path('new').absolute()))}" in finished.out.splitlines()
