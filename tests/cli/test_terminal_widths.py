"""At any width of the terminal, each command prints every figure, id and name that it prints into a pipe."""

import json
import re

import pytest
from cli.terminal import in_terminal

TASK3, TASK4 = "coliee/task3/sample/en", "coliee/task4/sample/en"
RUNS = "coliee-runs/coliee-task3-sample-en"
COMMANDS = f"""
status
list task3
audit {TASK3}/test
leaderboard
leaderboard 2023 task1
baseline {TASK3}/test --fast
tune {TASK3}/train {RUNS}-train.bm25.trec
score {TASK3}/test {RUNS}-test.bm25 --long-list {RUNS}-test.bm25.long
cut {TASK3}/test {RUNS}-test.bm25.trec --top 1 --tag first --out runs-of-this-test/task3-first.run
fuse {TASK3}/test {RUNS}-test.bm25.trec {RUNS}-test.bm25.long --out runs-of-this-test/task3-fused.trec
cut {TASK3}/test {RUNS}-test.bm25.trec --fit {RUNS}-train.bm25.trec --out runs-of-this-test/task3-fitted.run
cut {TASK3}/train {RUNS}-train.bm25.trec --top 5 --tag five --out runs-of-this-test/task3-train.run
fuse {TASK3}/test {RUNS}-test.bm25.trec {RUNS}-test.bm25.long --fit {RUNS}-train.bm25.trec \
--fit runs-of-this-test/task3-train.run --out runs-of-this-test/task3-weighted.trec
score {TASK3}/test {RUNS}-test.bm25 runs-of-this-test/task3-first.run --per-query
compare {TASK3}/test {RUNS}-test.bm25 runs-of-this-test/task3-first.run
show {TASK3}/test R99-01-I {RUNS}-test.bm25 runs-of-this-test/task3-first.run --html runs-of-this-test/page.html
diff {TASK3}/test {RUNS}-test.bm25 runs-of-this-test/task3-first.run --html runs-of-this-test/diff.html
analyse {TASK3}/test {RUNS}-test.bm25 runs-of-this-test/task3-first.run
report {TASK3}/test {RUNS}-test.bm25 runs-of-this-test/task3-first.run --with-texts \
--out runs-of-this-test/report.html
submit {TASK3}/test {RUNS}-test.bm25 --long-list {RUNS}-test.bm25.long --tag bm25 --out submission/of-this-test
validate {TASK3}/test submission/of-this-test/task3.bm25
vote {TASK4}/test a.run b.run c.run --tag vote --out runs-of-this-test/task4-vote.run
synth coliee/task2/2025 --out synthetic --scale 0.001
purge
score {TASK3}/test no-such-file-of-this-test.run
score coliee/task3/2025/test a.run
score {TASK3}/test a.run
audit coliee/task1/2025/test
--help
"""
HELP = [f"{name} --help" for name in sorted(set(re.findall(r"^[a-z]+", COMMANDS, re.MULTILINE)))]
CALLS = [*COMMANDS.strip().splitlines(), *HELP]
WIDTHS = [60, *(pytest.param(width, marks=pytest.mark.long) for width in (80, 120))]

#: Runs the commands one after another in one process, because most of their time is the import of libraries.
PROGRAM = """
import json, os, shlex, sys
from ir_coliee.analysis import plots
from ir_coliee.cli import main
plots.can_draw = lambda: False  # they take long, and are in files
folder, calls = sys.argv[1:]
os.makedirs(folder)
os.chdir(folder)
for name in "abc":
    open(f"{name}.run", "w").write("R99-01-A Y mine\\n")
for call in json.loads(calls):
    print(f"$ {call}", flush=True)
    sys.argv = ["ir_coliee", *shlex.split(call)]
    try:
        main()
    except SystemExit:
        pass
"""


def by_call(text):
    """The output of each call."""
    outputs = {}
    for line in text.splitlines():
        if line.startswith("$ "):
            lines = outputs[line[2:]] = []
        else:
            lines.append(line)
    return outputs


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_of_a_table_is_wider_than_the_terminal_and_none_has_escape_sequences(width, tmp_path):
    environment = {"COLIEE_HOME": str(tmp_path / "data"), "IR_DATASETS_HOME": str(tmp_path / "irds")}
    program = ("-c", PROGRAM, str(tmp_path / "folder"))
    screen = in_terminal(json.dumps(CALLS), columns=width, program=program, PYTHONUTF8="1", **environment)
    assert screen.status == 0
    outputs = by_call(screen.text.replace("\r", "\n").replace(str(tmp_path / "folder"), "FOLDER"))
    assert [*outputs] == CALLS
    for call, lines in outputs.items():
        for line in lines:
            is_of_table = re.search(r"\S  +\S", line)
            assert len(line) <= width or not is_of_table or len(line.split()) <= 3, (call, line)
    raw = by_call(screen.raw)
    for call in ("leaderboard 2023 task1", "--help", "score --help", f"score {TASK3}/test a.run"):
        assert not [line for line in raw[call] if "\x1b" in line], call
