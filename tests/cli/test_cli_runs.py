"""The commands that score and compare runs, and make new ones of others: what is printed first, last and once."""

import json
from pathlib import Path

import ir_datasets
import pytest
from calls import TASK1, TASK4, next_commands, saved
from run_lines import read_lines

from ir_coliee import MacroF2, leaderboard, transformers
from ir_coliee.errors import MissingLabelsError
from ir_coliee.evaluation.comparison import as_table, compare
from ir_coliee.evaluation.fusion import fit_weights, fuse
from ir_coliee.evaluation.runs import load_run
from ir_coliee.evaluation.tuning import tune

TRAIN, TEST = "coliee/task3/sample/en/train", "coliee/task3/sample/en/test"


def ranked(name, dataset_id, step, wrong="{}-9"):
    """All gold with a wrong item among it, in a different place for each step."""
    lines = []
    for n, qrel in enumerate(ir_datasets.load(dataset_id).qrels_iter()):
        if n % step == step - 1:
            lines.append(f"{qrel.query_id} Q0 {wrong.format(qrel.doc_id)} 1 {2.05 + n * 7 % 10} mine\n")
        lines.append(f"{qrel.query_id} Q0 {qrel.doc_id} 1 {2 + n / 10} mine\n")
    return saved(name, "".join(dict.fromkeys(lines)))


def last_lines(finished, number):
    return [line for line in finished.out.splitlines() if not line.startswith("note: ")][-number:]


# --- score, leaderboard ------------------------------------------------------------------------------


def test_warnings_come_before_the_table_whatever_its_form(call):
    saved("one.run", "900862 900593 a\n")
    for form in ([], ["--csv"]):
        finished = call("score", TASK1, "one.run", "--quiet", "--per-query", *form)
        assert finished.status == 0
        assert finished.err.startswith("warning: one.run: 11 of 12 queries have no answer, which counts as wrong: 9006")
        assert "warning" not in finished.out
    content = json.loads(call("score", TASK1, "one.run", "--json").out)
    assert content["one.run"]["warnings"][0].startswith("11 of 12 queries have no answer")


def test_two_scored_runs_can_be_compared_as_printed(call, two_runs):
    command = call("score", TASK1, *two_runs).out.splitlines()[-1]
    assert command == f"next: ir_coliee compare {TASK1} a.run b.run"
    assert call(*command.split()[2:]).status == 0


def test_each_run_has_its_place_and_the_caveats_of_the_leaderboard_come_once(call, monkeypatch):
    call("synth", "coliee/task1/2025", "--out", "copies", "--scale", "0.01")
    monkeypatch.setattr("ir_coliee.releases.release.LocalRelease.is_synthetic", False)
    labels = json.loads(Path("copies/task1_test_labels_2025.json").read_text(encoding="utf-8"))
    pairs = [(query[:-4], item[:-4]) for query, items in labels.items() for item in items]
    for name, first in (("one.run", 0), ("two.run", 1)):
        saved(name, "".join(f"{query} {item} {name}\n" for query, item in pairs[first:]))
    finished = call("score", "coliee/task1/2025/test", "one.run", "two.run")
    assert finished.status == 0
    assert "one.run: 1.0000 would have ranked 1st of 21, before JNLP JNLP_001 (0.3353)" in finished.out
    assert finished.out.count("would have ranked") == 2
    assert finished.out.count("Caveat:") == finished.out.count("the figures are not comparable") == 1


def test_all_runs_are_read_before_one_is_scored(call, two_runs, monkeypatch):
    monkeypatch.setattr("ir_coliee.evaluation.scoring.Scorer.compute", lambda *_: pytest.fail("scored"))
    finished = call("score", TASK1, "a.run", "gone.run")
    assert finished.status == 2
    assert finished.err.startswith("error: gone.run: no such run file")


def test_the_leaderboards_of_a_year_are_printed_one_after_another(call):
    out = call("leaderboard", "2024").out
    boards = [line for line in out.splitlines() if line.startswith("COLIEE")]
    assert boards == [f"COLIEE 2024 task{number}" for number in (1, 2, 3, 4)]
    assert out.count("Caveat:") == 4
    records = json.loads(call("leaderboard", "2023", "task1", "--json").out)
    assert [record["MicroF1"] for record in records] == leaderboard("task1", 2023)["MicroF1"].tolist()


# --- cut -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", [["--top", "1"], ["--cutoff", "TopK(1)"]])
def test_cut_keeps_the_first_items_and_the_next_command_works(call, option):
    run = ranked("a.trec", TEST, 2)
    finished = call("cut", f"irds:{TEST}", run, *option, "--out", "a.run")
    assert finished.status == 0, finished.err
    queries = load_run(TEST, run).frame["qid"].nunique()
    assert last_lines(finished, 3) == [
        f"{queries} of {len(read_lines(TEST, run))} items kept, 1.00 per query",
        "file: a.run",
        f"next: ir_coliee score {TEST} a.run",
    ]
    written = read_lines(TEST, Path("a.run"))
    assert len(written) == queries
    assert {line.tag for line in written} == {"mine"}  # the tag of the ranking
    assert call("score", TEST, "a.run").status == 0


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
    (command,) = next_commands(finished.out)
    folder = f"submission/{TASK1.replace('/', '-')}"
    assert command == ["submit", TASK1, "a.run", "--tag", "mine", "--out", folder]
    assert call(*command).status == 0


# --- fuse, vote --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "weights"),
    [([], None), (["--weights", "0.7,0.3"], [0.7, 0.3]), (["--weights", "1, -2"], [1.0, -2.0])],
)
def test_fuse_writes_the_ranking_of_the_python_function(call, options, weights):
    runs = [ranked("a.trec", TEST, 2), ranked("b.trec", TEST, 3)]
    finished = call("fuse", f"irds:{TEST}", *runs, *options, "--num-results", "2", "--out", "f.trec")
    assert finished.status == 0, finished.err
    expected = fuse(TEST, runs, weights=weights).query("rank < 2")
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
    fitted, weights = found.fitted, ",".join(map(str, found.weights))
    assert finished.out.splitlines()[:2] == [
        f"best weights on {TRAIN}: {weights}",
        f"  {MacroF2}: {fitted.value:.4f} with {fitted.cutoff!r}, on the queries that both were chosen on (optimistic)",
    ]
    of_train = call("fuse", TRAIN, *train, "--weights", weights, "--out", "TRAIN_RUN")
    assert next_commands(of_train.out) == [["tune", TRAIN, "TRAIN_RUN"]]
    assert call("tune", TRAIN, "TRAIN_RUN").status == 0
    for command in next_commands(finished.out):  # the first is of the rankings of train with the same weights
        cut = call(*(word.replace("TRAIN_RUN", "f-train.trec") for word in command))
        assert cut.status == 0, cut.err
    assert cut.out.startswith(f"best cut-off on {TRAIN}: ")
    assert call(*next_commands(cut.out)[0]).status == 0


@pytest.mark.parametrize(
    ("votes", "ties", "majority"), [(["YN", "YY", "NN"], 0, "YN"), (["YY", "NY"], 1, "NY")], ids=["no tie", "a tie"]
)
def test_the_majority_is_written_in_the_official_form(call, votes, ties, majority):
    def lines(answers, tag):
        return "".join(f"{question} {a} {tag}\n" for question, a in zip(("R99-01-A", "R99-01-I"), answers))

    runs = [saved(name, lines(answers, name)) for name, answers in zip("abc", votes)]
    finished = call("vote", TASK4, *runs, "--tag", "all", "--out", "voted")
    assert (finished.status, finished.err) == (0, "")
    sizes = f"2 questions, of which {ties} had a tie and get the answer no"
    assert finished.out == f"{sizes}\nfile: voted\nnext: ir_coliee score {TASK4} voted\n"
    assert Path("voted").read_text(encoding="utf-8") == lines(majority, "all")


# --- tune, compare -----------------------------------------------------------------------------------


def test_tune_prints_what_the_best_cut_off_is_worth_and_the_next_command_works(call):
    train, test = ranked("a.run", TRAIN, 3), ranked("my test.run", TEST, 2, wrong="9")
    finished, wanted = call("tune", TRAIN, train), tune(TRAIN, train)
    assert finished.status == 0, finished.err
    best = wanted.best
    assert best.held_out < best.optimistic < wanted.oracle
    assert f"best cut-off for MacroF2, of {wanted.tried} tried\n{best.cutoff!r}\n" in finished.out
    assert "scores on it say nothing about COLIEE" in finished.out
    ((_, *words),) = next_commands(finished.out)
    cutoff = words[words.index("--cutoff") + 1]
    assert words == [TEST, "RUN", "--cutoff", cutoff, "--out", "RUN-cut.run"]
    assert eval(cutoff, vars(transformers)) == best.cutoff
    assert call("cut", *(test if word == "RUN" else word for word in words)).status == 0
    as_json = call("tune", TRAIN, train, "--json")
    assert json.loads(as_json.out) == [json.loads(json.dumps(wanted.record()))]


def test_tune_on_the_test_warns_and_names_no_next_step(call):
    finished = call("tune", TEST, ranked("b.run", TEST, 3))
    assert finished.status == 0
    assert f"note: {TEST}" in finished.out
    assert "must not be used" in finished.out
    assert "next: " not in finished.out


def test_compare_prints_the_table_and_what_its_columns_mean(call):
    paths = [ranked(f"{step}.run", TEST, step) for step in (2, 3, 4)]
    finished = call("compare", TEST, *paths, "--verbose")
    assert finished.status == 0, finished.err
    wanted = compare(TEST, paths)
    assert all(text in finished.out for row in as_table(wanted).rows for text in row)
    assert "MacroF2" in finished.out.splitlines()[0]
    assert "\nlow, high: 95 % interval" in finished.out
    assert call("compare", TEST, *paths, "--csv").out.startswith("run_a,run_b,value_a,value_b,difference,")
    rows = json.loads(call("compare", TEST, *paths, "--json").out)
    for row, expected in zip(rows, wanted.to_dict("records"), strict=True):
        assert row == pytest.approx(expected, abs=1e-14)
