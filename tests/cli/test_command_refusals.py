"""What commands refuse: status 2 and one error that says what is wrong; nothing is computed, written or changed."""

import re
import shlex
from pathlib import Path

import pytest
from calls import RATIONALE, REAL, RUNS, TASK1, TASK2, TASK3, TASK4, refused, saved

TRAIN = "coliee/task3/sample/en/train"
FILES = {
    **RUNS,
    "a.trec": "R99-01-A Q0 9 1 2.0 mine\nR99-01-A Q0 55 2 1.0 mine\n",
    "b.trec": "R99-01-A Q0 55 1 2.0 mine\nR99-01-A Q0 9 2 1.0 mine\n",
    "a.train": "R98-01-A Q0 5 1 2.0 mine\n",
    "b.train": "R98-01-A Q0 5 1 2.0 mine\nR98-01-I Q0 6 1 1.0 mine\n",
    "set.run": "R99-01-A 9 mine\n",
    "yes.run": "R99-01-A Y yes\nR99-01-I Y yes\n",
    "one.run": "R99-01-A Y one\n",
    "both.run": "R99-01-A Y both\nR99-01-I Y both\n",
    "odd.run": "R99-01-A Y odd\nR99-01-I U odd\n",
    "empty": "",
    "unknown.run": "000001 000002 x\n",
    "short.run": "900656\n",
}
CUT, FUSE = f"cut {TASK3} a.trec --out out", f"fuse {TASK3} a.trec b.trec --out out"
SUBMIT, RERANK = f"submit {TASK1} a.run --tag mine --out out", f"rerank {TASK2} a.trec --model no/such-model --out out"
#: Commands that write, without the place.
WRITING = [
    f"report {TASK1} a.run",
    f"cut {TASK3} a.trec --top 1",
    f"fuse {TASK3} a.trec b.trec",
    f"vote {TASK4} yes.run both.run --tag v",
    f"submit {TASK1} a.run --tag mine",
    f"baseline {TASK1}",
]
PLACES = [*(["/proc/x"] if Path("/proc/self").exists() else []), "a.run/x", "x" * 300]
LACKING = "COLIEE 2025 … copies … task1_test_ … https://coliee.org … COLIEE_HOME"
#: Command lines, and what their errors say; parts of it are separated by `` … ``.
REFUSED = [
    *((f"{command} --out {out}", "cannot be written") for command in WRITING for out in PLACES),
    (f"cut {TASK3} a.trec --top 1 --out a.trec --overwrite", "is a file that this command reads"),
    (f"cut {TASK3} a.trec --fit a.train --out a.train --overwrite", "is a file that this command reads"),
    (f"fuse {TASK3} a.trec b.trec --out ./b.trec --overwrite", "is a file that this command reads"),
    (f"{FUSE} --fit a.train --fit b.train --out b.train --overwrite", "is a file that this command reads"),
    # ids and releases
    *(
        (f"score {wrong} a.run", f"{wrong!r} … {TASK1}")
        for wrong in (f"{TASK1[:-4]}tset", TASK1[:-5], "task1/sample/test")
    ),
    *((command, LACKING) for command in (f"baseline {REAL}", f"score {REAL} a.run", f"validate {REAL} a.run")),
    *((f"{command} tsk1 2025", "task1") for command in ("list", "status")),
    *((f"{command} task3 2026 test en", "coliee/task3/2026/ja/test") for command in ("list", "status")),
    ("irds export coliee/task1 docs", "'coliee/task1' … Nearest known ids: coliee/task1/"),
    (f"audit {REAL}", "task1_test_files_2025"),
    ("audit coliee/task1/sample/tset", TASK1),
    # analyses
    (f"analyse {TASK1} a.run --plots a.run", "a.run/hardest_queries.pdf cannot be written"),
    (f"analyse {TASK1} a.run --only losses --only loss", "no analysis 'loss'.\nThe analyses are: drift, "),
    (f"analyse {TASK1} a.run --csv", "--csv prints one table. Choose one by --only NAME.\nNames: drift"),
    (f"score {TASK1} a.run --json --csv", "--json and --csv exclude each other"),
    (f"diff {TASK1} a.run unknown.run", "None of the run's query ids are known"),
    (f"diff {TASK1} a.run gone.run", "gone.run"),
    (f"diff {TASK1} a.run short.run", "short.run, line 1"),
    (f"diff {TASK1} a.run a.run", "a.run was given twice"),
    (f"diff {TASK1} a.run b.run --html a.run --overwrite", "is a file that this command reads"),
    (f"report {TASK2} a.run --out out", "query ids are known"),
    (f"report {TASK1} gone.run --out out", "gone.run"),
    (f"report {TASK1} a.run b.run --ranking a.run.trec --out out", "rankings has 1 entries for 2 runs"),
    (f"report {TASK1} a.run --out . --overwrite", "cannot be written"),
    *(
        (f"show {TASK1} {query}", f"900656 … `ir_coliee analyse {TASK1} RUN --only hardest_queries`")
        for query in ("", "900657")
    ),
    # run files
    (CUT, "Give one of --top, --cutoff and --fit"),
    (f"{CUT} --top 2 --cutoff TopK(2)", "Give one of --top, --cutoff and --fit"),
    (f"{CUT} --cutoff RatioCutof(0.5)", "Cut-off 'RatioCutof(0.5)' is not valid … (did you mean RatioCutoff?)"),
    (f"{CUT} --fit gone.trec", "gone.trec: no such run file"),
    (f"cut {TRAIN} a.train --fit a.train --out out", "--fit is for a test split with a train split"),
    (f"fuse {TRAIN} a.train b.train --fit a.train --fit b.train --out out", "--fit is for a test split with a train"),
    (f"fuse {TASK3} a.trec --out out", "Fusion needs at least two runs, got 1"),
    (f"fuse {TASK3} a.trec a.trec --out out", "a.trec was given twice"),
    (f"fuse {TASK3} a.trec empty --out out", "empty: the file has no answer"),
    (f"{FUSE} --weights 1", "weights must be 2 finite numbers, one for each ranking, got [1.0]"),
    (f"{FUSE} --weights 0,0", "weights must contain a number > 0, got [0.0, 0.0]"),
    (f"{FUSE} --weights '0.5;0.5'", "--weights must be a number for each run"),
    (f"{FUSE} --fit a.train", "--fit was given 1 times for 2 runs"),
    (f"{FUSE} --fit a.train --fit b.train --weights 1,1", "--weights and --fit exclude each other"),
    (f"fuse {TASK3} a.trec a.train --out out", "a.train: None of the run's query ids are known"),
    (f"fuse {TASK3} a.trec set.run --weights 1,1 --out out", "set.run has no scores to add up"),
    (f"vote {TASK4} yes.run --tag all --out out", "at least two runs, got 1"),
    (f"vote {TASK4} yes.run one.run --tag all --out out", "one.run: no answer to R99-01-I"),
    (f"vote {TASK4} yes.run odd.run --tag all --out out", "odd.run: 'U' is not a valid answer to question R99-01-I"),
    (f"vote {TASK4} yes.run both.run --tag 'no tag' --out out", "tag 'no tag' has a blank"),
    (f"vote {TASK1} yes.run both.run --tag all --out out", "no single answer per question"),
    (f"{RERANK} --dtype int3", "dtype must be"),
    (f"{RERANK} --store ./out", "is the file of --out"),
    (f"{RERANK} --tag 'my run'", "has a blank"),
    (f"rerank {TASK2} gone.trec --model tiny --out out", "gone.trec: no such run file"),
    # submissions
    (f"validate {TASK3} a.trec --long-list gone", "gone: no such run file.\nExpected: the path of a run file.\nHelp: "),
    (f"{SUBMIT} --cutoff __import__('os')", "is not valid"),
    (f"{SUBMIT} --cutoff TopK(\x1b)", "is not valid"),
    (f"{SUBMIT} --long-list a.run", "has no long list"),
    (f"{SUBMIT} --answers a.run", "has no file of answers"),
    (f"{SUBMIT} --tag a/b", "tag"),
    (f"{SUBMIT} --tag \x1b[31m", "tag"),
    # baselines
    (f"baseline {RATIONALE} --fast", "has no recipe to leave out.\nOmit --fast."),
    (f"baseline {TASK3} --ablate", f"the run learned was left out: {TRAIN} has only one exam year"),
    (f"baseline {TASK2} --no-pool-features", f"--no-pool-features has no effect on the runs of {TASK2}."),
    (f"baseline {RATIONALE} --ablate", "there is nothing to ablate.\nThis baseline has no recipe."),
    (f"baseline {TASK2} --ablate --fast", "there is nothing to ablate.\nOmit --fast."),
    (f"baseline {TASK2} --train all-but", f"--train all-but is for an exam year of a train split; {TASK2} is none."),
    (f"baseline {TASK2} --out a.run", "a.run is not a folder"),
    (f"baseline {TASK2} --out a.run --overwrite", "a.run is not a folder"),
]


@pytest.fixture
def files():
    return [saved(name, content) for name, content in FILES.items()]


@pytest.mark.parametrize(("command", "message"), REFUSED)
def test_what_cannot_be_done_is_refused_before_the_work(call, files, monkeypatch, command, message):
    for work in ("ir_coliee.baselines.Plan.run", "ir_coliee.analysis.evaluate"):
        monkeypatch.setattr(work, lambda *_, **__: pytest.fail("the work has begun"))
    finished = call(*shlex.split(command))
    complaint = refused(finished)
    assert all(part in complaint for part in message.split(" … "))
    assert len(complaint.removeprefix("error: ").partition("\n")[0]) <= 100 or "cannot be written (" in complaint
    assert "\x1b" not in finished.err
    assert {str(path): path.read_text() for path in Path().rglob("*") if path.is_file()} == FILES
    assert {path.name for path in Path().iterdir()} == {*FILES}


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "no-such-command",
        "list --no-such-option",
        "baseline",
        "score",
        f"score {TASK1}",
        f"validate {TASK1}",
        "synth coliee/task1/2025",
        "synth coliee/task1/2025 --out synthetic --scale much",
        f"{SUBMIT} --top 0",
        f"{SUBMIT} --top 1 --cutoff TopK(1)",
        f"irds lookup {TASK1} --qid 900656",
        f"irds export {TASK1} docs --fields nope",
        "irds export nope docs",
        "irds nope",
        f"measures {TASK1} a.run MicroF1",
        "measures no-such-file a.run MicroP",
        f"measures {TASK1} a.run.trec No\x1b[31mMeasure",
    ],
)
def test_a_call_of_the_wrong_form_has_status_2(call, files, arguments):
    finished = call(*shlex.split(arguments))
    assert finished.status == 2
    assert not re.search("Traceback|\x1b", finished.err + finished.out)
    if finished.err.startswith("error: ir_"):
        assert len(finished.err.splitlines()) == 2  # what failed, and the next step
