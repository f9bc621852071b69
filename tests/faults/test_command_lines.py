"""Command lines of random arguments: no traceback, a status of 0, 1 or 2, and nothing of the user's changed."""

import os
import sys
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ir_coliee
from ir_coliee.cli import main
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation import submission as submissions
from ir_coliee.evaluation.comparison import compare
from ir_coliee.evaluation.fusion import fuse
from ir_coliee.evaluation.tuning import tune

TASK1 = "coliee/task1/sample/test"
IDS = [f"coliee/task{task}/sample/{split}" for task in (1, 2) for split in ("train", "test")]
IDS += [f"coliee/task{task}/sample/{language}/test" for task in (3, 4) for language in ("en", "ja")]
IDS += ["coliee/pilot/sample/prediction/test", "coliee/pilot/sample/rationale/test"]
#: A name that is not UTF-8, and one that changes a terminal, where files can have them.
NO_UTF8 = os.fsdecode(b"g\xff.run") if sys.platform == "linux" else "g.run"
SEQUENCE = "h.run" if sys.platform == "win32" else "h \x1b[2J.run"
FILES = {
    "a.run": b"900656 900557 mine\n900795 900754 mine\n",
    "b.run": b"900656 900912 other\n900795 900754 other\n",
    "c.trec": b"R99-01-A Q0 9 1 2.0 c\nR99-01-A Q0 55 2 1.0 c\nR99-02-A Q0 9 1 1.0 c\n",
    "d.trec": b"900656 Q0 900557 1 2.0 d\n900656 Q0 900912 2 1.0 d\n900795 Q0 900754 1 0.5 d\n",
    "i.trec": b"900656 Q0 900912 1 2.0 i\n900795 Q0 900754 1 1.5 i\n",
    "e.run": b"R99-01-A Y e\nR99-01-I N e\n",
    "f.run": b"R99-01-A N f\nR99-01-I N f\n",
    "empty.run": b"",
    "binary.run": bytes(range(256)),
    NO_UTF8: b"900656 900557 mine\n",
    SEQUENCE: b"900656 900557\n",
}
ODD = ["", " ", "-", "--", "\x1b[2J", "a\nb", "x" * 5000, "../..", "/proc/x", "nowhere/file", "0", "-1", "1e999", "nan"]
ODD += ["mine", "coliee/task1/2025/test", "coliee/task9/x", "第百条", "%s", "{tag}", "'", "*"]
VALUES = [*ODD, *IDS, *FILES, "TopK(3)", "TopK(" * 60, "__import__('os')", "rrf", "1,2", "json", "x"]
OPTIONS = [
    "--json",
    "--csv",
    "--answers",
    "--ranking",
    "--long-list",
    "--top",
    "--cutoff",
    "--tag",
    "--weights",
    "--html",
]
#: A command line of each command that succeeds; ``OUT`` is a new place.
VALID = {
    command.split()[0]: command.split()
    for command in f"""
tune {TASK1} d.trec
compare {TASK1} a.run b.run
analyse {TASK1} a.run b.run
report {TASK1} a.run --out OUT
cut {TASK1} d.trec --top 1 --out OUT
fuse {TASK1} d.trec i.trec --out OUT
validate {TASK1} a.run
submit {TASK1} a.run --tag mine --out OUT
vote coliee/task4/sample/en/test e.run f.run --tag v --out OUT
leaderboard coliee/task1/2023/test
irds export {TASK1} qrels
measures {TASK1} d.trec MicroF1
score {TASK1} a.run
diff {TASK1} a.run b.run --html OUT
show {TASK1} 900656 a.run --html OUT
list
status task1
audit {TASK1}
""".strip().splitlines()
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with runs, in which the commands are called, without local copies."""
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "copies").mkdir()
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "copies"))
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "copies"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("command", VALID)
def test_a_command_ends_with_a_status_and_without_a_traceback(folder, monkeypatch, capfd, command, is_long):
    options = st.lists(st.sampled_from(OPTIONS) | st.sampled_from(VALUES), max_size=2)

    examples = 200 if is_long else 2 if command in ("report", "analyse") else 4

    @settings(max_examples=examples, database=None, suppress_health_check=HealthCheck)
    @given(options, st.integers(0, 4), st.none() | st.sampled_from(VALUES), st.integers(0, 2**32))
    def check(options, at, replaced, number):
        arguments = [f"out/{number}" if argument == "OUT" else argument for argument in VALID[command][1:]]
        if replaced is not None and at < len(arguments):
            arguments[at] = replaced
        monkeypatch.setattr(sys, "argv", ["ir_coliee", command, *arguments, *options])
        with pytest.raises(SystemExit) as left, warnings.catch_warnings():
            main()
        printed = capfd.readouterr()
        assert left.value.code in (None, 0, 1, 2)
        assert "Traceback" not in printed.err
        assert "\x1b" not in printed.out + printed.err
        first = next((line for line in printed.err.splitlines() if line.startswith("error: ")), "")
        assert len(first.removeprefix("error: ")) <= 100
        assert {name: (folder / name).read_bytes() for name in FILES} == FILES

    check()


RUN = {"900656": {"900557": 1.0}}


@pytest.mark.parametrize(
    "call",
    [
        lambda: compare(TASK1, []),
        lambda: compare(TASK1, ["a.run"]),
        lambda: compare(TASK1, ["a\0b", "a.run"]),
        lambda: fuse(TASK1, []),
        lambda: fuse(TASK1, ["a\0b", "d.trec"]),
        lambda: tune("coliee/task1/sample/train", "a\0b"),
        lambda: submissions.submit(TASK1, RUN, tag="a\0b", out="out"),
        lambda: submissions.submit(TASK1, RUN, tag="mine", out="o\0t"),
        lambda: submissions.submit("coliee/task3/sample/en/test", RUN, tag="mine", out="out", long_list="a\0b"),
        lambda: ir_coliee.score(TASK1, "a\0b"),
    ],
)
def test_wrong_runs_and_files_are_refused_as_errors_of_the_package(folder, call):
    with pytest.raises(ColieeError):
        call()
