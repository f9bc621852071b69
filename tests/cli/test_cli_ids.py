"""Every command takes an id with PyTerrier's prefixes too."""

import sys

import pytest

from ir_coliee.cli import main

RUN, TRAIN_RUN = "runs/coliee-task1-sample-test.bm25.trec", "runs/coliee-task1-sample-train.bm25.trec"
#: What follows the id in each call, and the id.
COMMANDS = {
    "status": ("coliee/task1/sample/test", ""),
    "list": ("coliee/task1/sample/test", ""),
    "audit": ("coliee/task1/sample/test", ""),
    "baseline": ("coliee/task1/sample/test", "--fast --out again"),
    "score": ("coliee/task1/sample/test", RUN),
    "compare": ("coliee/task1/sample/test", f"{RUN} other.trec"),
    "show": ("coliee/task1/sample/test", f"900656 {RUN} --json"),
    "diff": ("coliee/task1/sample/test", f"{RUN} other.trec"),
    "analyse": ("coliee/task1/sample/test", f"{RUN} other.trec"),
    "report": ("coliee/task1/sample/test", f"{RUN} other.trec --out report.html"),
    "tune": ("coliee/task1/sample/train", TRAIN_RUN),
    "cut": ("coliee/task1/sample/test", f"{RUN} --top 2 --out cut.run"),
    "fuse": ("coliee/task1/sample/test", f"{RUN} other.trec --out fused.trec"),
    "validate": ("coliee/task1/sample/test", RUN),
    "submit": ("coliee/task1/sample/test", f"{RUN} --top 2 --tag mine --out submission"),
    "vote": ("coliee/task4/sample/en/test", "answers also.answers --tag V --out vote"),
    "leaderboard": ("coliee/task1/2023/test", ""),
    "synth": ("coliee/task1/2025/test", "--out synthetic --scale 0.01"),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with the files of a baseline, another run, and two runs of answers."""
    folder = tmp_path_factory.mktemp("ids")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        call = "ir_coliee baseline coliee/task1/sample/test --fast --quiet --out runs"
        patched.setattr(sys, "argv", call.split())
        with pytest.raises(SystemExit):
            main()
    (folder / "other.trec").write_bytes((folder / RUN).read_bytes())
    for name in ("answers", "also.answers"):
        (folder / name).write_text(f"R99-01-A Y {name[:1]}\n")
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_a_prefix_changes_nothing(command, runs, monkeypatch, capsys, tmp_path_factory):
    dataset_id, others = COMMANDS[command]
    seen = {}
    for form in (dataset_id, f"irds:{dataset_id}", f"coliee:{dataset_id.removeprefix('coliee/')}"):
        folder = tmp_path_factory.mktemp("call")
        for file in runs.iterdir():
            (folder / file.name).symlink_to(file)
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["ir_coliee", command, form, *others.split()])
        with pytest.raises(SystemExit) as left:
            main()
        seen[form] = left.value.code, capsys.readouterr().out.replace(form, dataset_id).replace(str(folder), "")
    first, *rest = seen.values()
    assert rest == [first, first], seen
    assert (first[0] or 0) < 2
    assert first[1]
