"""The commands cut and fuse: new run files of others."""

import shlex
from pathlib import Path

import ir_datasets
import pytest
from calls import TASK1, refused, saved
from run_lines import read_lines

from ir_coliee import MacroF2
from ir_coliee.errors import MissingLabelsError
from ir_coliee.evaluation.fusion import fit_weights
from ir_coliee.evaluation.fusion import fuse as fused
from ir_coliee.evaluation.runs import load_run

TRAIN, TEST = "coliee/task3/sample/en/train", "coliee/task3/sample/en/test"


def ranked(name, dataset_id, step):
    """All gold with a wrong item among it, in a different place for each step."""
    lines = []
    for n, qrel in enumerate(ir_datasets.load(dataset_id).qrels_iter()):
        if n % step == step - 1:
            lines.append(f"{qrel.query_id} Q0 {qrel.doc_id}-9 1 {2.05 + n * step % 7} mine\n")
        lines.append(f"{qrel.query_id} Q0 {qrel.doc_id} 1 {2 + n * step % 5} mine\n")
    return saved(name, "".join(dict.fromkeys(lines)))


def next_commands(finished):
    """The arguments of each command that is named as the next one."""
    lines = [line.removeprefix("next: ") for line in finished.out.splitlines() if line.startswith("next: ")]
    return [shlex.split(line)[1:] for line in lines]


def last_lines(finished, number):
    return [line for line in finished.out.splitlines() if not line.startswith("note: ")][-number:]


# --- cut -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", [["--top", "1"], ["--cutoff", "TopK(1)"]])
def test_cut_keeps_the_first_items_and_the_next_command_works(call, option):
    run = ranked("a.trec", TEST, 2)
    finished = call("cut", f"irds:{TEST}", run, *option, "--out", "a.run")
    assert finished.status == 0, finished.err
    queries = load_run(TEST, run).frame["qid"].nunique()
    items = len(read_lines(TEST, run))
    assert last_lines(finished, 3) == [
        f"{queries} of {items} items kept, 1.00 per query",
        "file: a.run",
        f"next: ir_coliee score {TEST} a.run",
    ]
    written = read_lines(TEST, Path("a.run"))
    assert len(written) == queries
    assert {line.tag for line in written} == {"mine"}  # the tag of the ranking
    (command,) = next_commands(finished)
    assert call(*command).status == 0


def test_a_cut_off_is_fitted_on_train_as_the_run_of_the_test_can_be_cut(call):
    train, test = ranked("train.trec", TRAIN, 2), ranked("a.trec", TEST, 2)
    plain = saved("a.run", "".join(f"{line.qid} {line.docno} mine\n" for line in read_lines(TEST, test)))
    for run, rule in ((test, ""), (plain, "TopK(")):
        finished = call("cut", TEST, run, "--fit", train, "--out", f"{run}.cut")
        assert finished.status == 0, finished.err
        assert f"best cut-off on {TRAIN}: {rule}" in finished.out


def test_cut_warns_if_far_more_is_kept_than_on_train(call):
    gold = [f"{qrel.query_id} Q0 {qrel.doc_id} 1 9 x\n" for qrel in ir_datasets.load(TRAIN).qrels_iter()]
    wrong = [f"{query.query_id} Q0 {n} 1 1 x\n" for query in ir_datasets.load(TRAIN).queries_iter() for n in "12"]
    train = saved("train.trec", "".join(dict.fromkeys(gold + wrong)))
    queries = ir_datasets.load(TEST).queries_iter()
    test = saved("a.trec", "".join(f"{query.query_id} Q0 {n} 1 9 x\n" for query in queries for n in range(1, 40)))
    assert "may come from different systems" in call("cut", TEST, test, "--fit", train, "--out", "a.run").err


def test_without_labels_the_next_command_is_submit_and_works(call, monkeypatch):
    def no_labels(split):
        raise MissingLabelsError(f"{split.id} has no labels")

    run = ranked("a.trec", TASK1, 1000)  # no wrong item
    monkeypatch.setattr("ir_coliee.evaluation.scoring.scored_gold", no_labels)
    finished = call("cut", TASK1, run, "--top", "1", "--out", "a.run")
    assert finished.status == 0, finished.err
    (command,) = next_commands(finished)
    folder = f"submission/{TASK1.replace('/', '-')}"
    assert command == ["submit", TASK1, "a.run", "--tag", "mine", "--out", folder]
    assert call(*command).status == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Give one of --top, --cutoff and --fit"),
        (["--top", "2", "--cutoff", "TopK(2)"], "Give one of --top, --cutoff and --fit"),
        (["--cutoff", "Best(2)"], "Cut-off 'Best(2)' is not valid"),
        (["--fit", "gone.trec"], "gone.trec: no such run file"),
    ],
)
def test_cut_refuses_what_it_cannot_do_and_writes_nothing(call, arguments, message):
    complaint = refused(call("cut", TEST, ranked("a.trec", TEST, 2), *arguments, "--out", "a.run"))
    assert message in complaint
    assert len(complaint.removeprefix("error: ").splitlines()[0]) <= 100
    assert not Path("a.run").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["cut", "a.trec", "--top", "1", "--out", "a.trec"],
        ["cut", "a.trec", "--fit", "train", "--out", "train"],
        ["fuse", "a.trec", "b.trec", "--out", "./b.trec"],
        ["fuse", "a.trec", "b.trec", "--fit", "train", "--fit", "other", "--out", "other"],
    ],
)
def test_a_command_does_not_replace_what_it_reads(call, arguments):
    files = [ranked("a.trec", TEST, 2), ranked("b.trec", TEST, 3), ranked("train", TRAIN, 2), ranked("other", TRAIN, 3)]
    before = [file.read_text() for file in files]
    command, *others = arguments
    assert "is a file that this command reads" in refused(call(command, TEST, *others, "--overwrite"))
    assert [file.read_text() for file in files] == before


# --- fuse ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "weights"),
    [
        ([], None),
        (["--weights", "0.7,0.3"], [0.7, 0.3]),
        (["--weights", "1, -2"], [1.0, -2.0]),
    ],
)
def test_fuse_writes_the_ranking_of_the_python_function(call, options, weights):
    runs = [ranked("a.trec", TEST, 2), ranked("b.trec", TEST, 3)]
    finished = call("fuse", f"irds:{TEST}", *runs, *options, "--num-results", "2", "--out", "f.trec")
    assert finished.status == 0, finished.err
    expected = fused(TEST, runs, weights=weights).query("rank < 2")
    written = load_run(TEST, Path("f.trec"))
    assert written.tag == "fused"
    assert written.frame[["qid", "docno"]].to_numpy().tolist() == expected[["qid", "docno"]].to_numpy().tolist()
    assert max(expected["rank"]) == 1
    weighted = f" --weights {','.join(map(str, weights))}" if weights else ""
    assert last_lines(finished, 4) == [
        f"{len(expected)} results for {expected['qid'].nunique()} queries",
        "file: f.trec",
        f"next: ir_coliee fuse {TRAIN} TRAIN_RUN TRAIN_RUN{weighted} --out f-train.trec",
        f"next: ir_coliee cut {TEST} f.trec --out f-cut.run --fit f-train.trec",
    ]


@pytest.mark.slow
def test_fuse_fits_the_weights_on_the_train_split_and_the_next_commands_work(call):
    train = [ranked("a.train", TRAIN, 2), ranked("b.train", TRAIN, 3)]
    test = [ranked("a.test", TEST, 2), ranked("b.test", TEST, 3)]
    found = fit_weights(TRAIN, train)
    finished = call("fuse", TEST, *test, "--fit", train[0], "--fit", train[1], "--out", "f.trec")
    assert finished.status == 0, finished.err
    first, second, weights = finished.out.splitlines()[:2], found.fitted, ",".join(map(str, found.weights))
    assert first == [
        f"best weights on {TRAIN}: {weights}",
        f"  {MacroF2}: {second.value:.4f} with {second.cutoff!r}, on the queries that both were chosen on (optimistic)",
    ]
    of_train = call("fuse", TRAIN, *train, "--weights", weights, "--out", "TRAIN_RUN")
    assert next_commands(of_train) == [["tune", TRAIN, "TRAIN_RUN"]]
    assert call(*next_commands(of_train)[0]).status == 0
    for command in next_commands(finished):  # the first is of the rankings of train with the same weights
        cut = call(*(word.replace("TRAIN_RUN", "f-train.trec") for word in command))
        assert cut.status == 0, cut.err
    assert cut.out.startswith(f"best cut-off on {TRAIN}: ")
    assert call(*next_commands(cut)[0]).status == 0


@pytest.mark.parametrize("command", [["cut", "a", "--fit", "a"], ["fuse", "a", "b", "--fit", "a", "--fit", "b"]])
def test_nothing_is_fitted_on_the_queries_that_it_is_applied_to(call, command):
    ranked("a", TRAIN, 2), ranked("b", TRAIN, 3)
    name, *arguments = command
    assert "--fit is for a test split with a train split" in refused(call(name, TRAIN, *arguments, "--out", "f.trec"))
    assert not Path("f.trec").exists()


@pytest.mark.parametrize(
    ("runs", "arguments", "message"),
    [
        (["a"], [], "Fusion needs at least two runs, got 1"),
        (["a", "a"], [], "a was given twice"),
        (["a", "empty"], [], "empty: the file has no answer"),
        (["a", "b"], ["--weights", "1"], "weights must be 2 finite numbers, one for each ranking, got [1.0]"),
        (["a", "b"], ["--weights", "0,0"], "weights must contain a number > 0, got [0.0, 0.0]"),
        (["a", "b"], ["--weights", "0.5;0.5"], "--weights must be a number for each run"),
        (["a", "b"], ["--fit", "a"], "--fit was given 1 times for 2 runs"),
        (["a", "b"], ["--fit", "a", "--fit", "b", "--weights", "1,1"], "--weights and --fit exclude each other"),
        (["a", "other"], [], "other: None of the run's query ids are known"),
        (["a", "set"], ["--weights", "1,1"], "set has no scores to add up"),
    ],
)
def test_fuse_refuses_what_it_cannot_do_and_writes_nothing(call, runs, arguments, message):
    (
        ranked("a", TEST, 2),
        ranked("b", TEST, 3),
        saved("empty", ""),
        ranked("other", TRAIN, 2),
        saved("set", "R99-01-A 9 mine\n"),
    )
    complaint = refused(call("fuse", TEST, *runs, *arguments, "--out", "f.trec"))
    assert message in complaint
    assert len(complaint.removeprefix("error: ").splitlines()[0]) <= 100
    assert not Path("f.trec").exists()
