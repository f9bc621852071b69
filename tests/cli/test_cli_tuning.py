"""The commands tune and compare."""

import json
import shlex
from pathlib import Path

import ir_datasets
import pandas as pd
import pytest
from test_cli import call, empty_world, process, refused, saved  # noqa: F401  (fixtures)

from ir_coliee import transformers
from ir_coliee.evaluation.comparison import Comparison, as_table, for_publication
from ir_coliee.evaluation.comparison import compare as compared
from ir_coliee.evaluation.scoring import as_text
from ir_coliee.evaluation.tuning import tune as tuned

TRAIN, TEST = "coliee/task3/sample/en/train", "coliee/task3/sample/en/test"
RATIONALE = "coliee/pilot/sample/rationale/train"


def frame(dataset_id, wrong=3):
    """All gold, and a wrong item before or behind it for every third label (or so)."""
    rows = []
    for n, qrel in enumerate(ir_datasets.load(dataset_id).qrels_iter()):
        if n % wrong == 0:
            rows.append((qrel.query_id, "no-item", 2.05 + n * 7 % 10))
        if qrel.relevance > 0:
            rows.append((qrel.query_id, qrel.doc_id, 2.0 + n / 10))
    return pd.DataFrame(rows, columns=["qid", "docno", "score"]).drop_duplicates(["qid", "docno"])


def ranked(name, dataset_id, wrong=3):
    run = frame(dataset_id, wrong)
    return saved(name, "".join(f"{row.qid} Q0 {row.docno} 1 {row.score} mine\n" for row in run.itertuples()))


def without_unknown_items(path):
    lines = path.read_text().splitlines(keepends=True)
    return saved(path, "".join(line for line in lines if "no-item" not in line))


def line_of(text, beginning):
    (line,) = (line.strip() for line in text.splitlines() if line.strip().startswith(beginning))
    return line


@pytest.mark.parametrize("prefix", ["irds:coliee/", "coliee:"])
def test_tune_and_compare_take_ids_with_a_prefix(call, prefix):  # noqa: F811
    one, two, dataset_id = ranked("a.run", TRAIN), ranked("b.run", TRAIN, 2), TRAIN.replace("coliee/", prefix)
    for command in (["tune", "ID", one, "--json"], ["compare", "ID", one, two, "--format", "csv"]):
        with_prefix, without = (
            call(*(each if word == "ID" else word for word in command)) for each in (dataset_id, TRAIN)
        )
        assert with_prefix.status == 0, with_prefix.err
        assert with_prefix.out == without.out


def test_tune_prints_the_best_cut_off_as_python_and_what_it_is_worth(call):  # noqa: F811
    finished = call("tune", TRAIN, ranked("a.run", TRAIN))
    assert finished.status == 0, finished.err
    wanted = tuned(TRAIN, frame(TRAIN))
    best = wanted.best
    assert best.held_out < best.optimistic < wanted.oracle
    assert f"best cut-off for MacroF2, of {wanted.tried} tried\n{best.cutoff!r}\n" in finished.out
    assert line_of(finished.out, f"{best.optimistic:.4f} on the queries that it was chosen on")
    assert line_of(finished.out, f"{best.held_out:.4f} on held-out queries, each fold")
    assert line_of(finished.out, "oracle").endswith(
        f"{wanted.oracle:.4f}; lost by ranking: {wanted.lost_by_ranking:.4f}; "
        f"lost by cutting: {wanted.lost_by_cutting:.4f}"
    )
    for row in wanted.rules.itertuples():
        assert line_of(finished.out, f"{row.cutoff!r}  ").split()[-2:] == [
            f"{row.optimistic:.4f}",
            f"{row.held_out:.4f}",
        ]
    for row in wanted.recall.itertuples():
        assert [str(row.depth), str(row.tp), f"{row.MicroR:.4f}", f"{row.MacroR:.4f}"] in map(
            str.split, finished.out.splitlines()
        )
    assert "by exam year" not in finished.out
    for items in ("gold", "returned"):
        (mean,) = wanted.items.loc[wanted.items["items"] == items, "mean"]
        assert line_of(finished.out, f"train  {items}").split()[3] == f"{mean:.4f}"
    assert "scores on it say nothing about COLIEE" in finished.out


def test_tune_says_how_the_best_cut_off_was_chosen(call):  # noqa: F811
    rules = tuned(TRAIN, frame(TRAIN, 4)).rules
    out = call("tune", TRAIN, ranked("a.run", TRAIN, 4)).out
    assert "The best cut-off has the highest optimistic value; of equal values the first kind" in out
    best = rules["rule"][rules["held_out"].idxmax()]
    assert best != rules["rule"][0]
    assert f"On held-out queries the best of these kinds is {best} ({rules['held_out'].max():.4f})." in out
    assert "On held-out queries the best" not in call("tune", TRAIN, ranked("b.run", TRAIN, 3)).out


def test_the_next_command_works_as_printed(call):  # noqa: F811
    path = without_unknown_items(ranked("my test.run", TEST, 2))
    finished = call("tune", TRAIN, ranked("a.run", TRAIN), "--test", path)
    _, program, *words = shlex.split(line_of(finished.out, "next: "))
    cutoff = words[words.index("--cutoff") + 1]
    folder = "submission/coliee-task3-sample-en-test"
    assert [program, *words] == (
        ["ir_coliee", "submit", TEST, "my test.run", "--cutoff", cutoff, "--tag", "mytest", "--out", folder]
    )
    assert eval(cutoff, vars(transformers)) == tuned(TRAIN, frame(TRAIN)).best.cutoff
    assert call(*words).status == 0


def test_the_run_of_the_test_split_is_found_beside_that_of_the_train_split(call):  # noqa: F811
    train = ranked("runs/coliee-task3-sample-en-train.mine.trec", TRAIN)
    alone = call("tune", TRAIN, train)
    assert "next: " not in alone.out
    assert f"pass the ranking of {TEST} by the same system as RUN:\n  ir_coliee submit {TEST} RUN --" in alone.out
    test = without_unknown_items(ranked("runs/coliee-task3-sample-en-test.mine.trec", TEST))
    words = shlex.split(line_of(call("tune", TRAIN, train).out, "next: "))
    assert words[3:5] == [TEST, str(test)]
    assert words[words.index("--tag") + 1] == "mine"
    assert call(*words[2:]).status == 0


def test_the_run_of_the_test_stands_beside(call):  # noqa: F811
    finished = call("tune", TRAIN, ranked("a.run", TRAIN), "--test", ranked("b.run", TEST, 2))
    wanted = tuned(TRAIN, frame(TRAIN), test_run=frame(TEST, 2))
    assert line_of(finished.out, f"{wanted.test_value:.4f} on the test split")
    assert line_of(finished.out, "test   returned").split()[3] == f"{wanted.items['mean'].iloc[3]:.4f}"


def test_tune_on_the_test_warns_and_names_no_next_step(call):  # noqa: F811
    finished = call("tune", TEST, ranked("b.run", TEST))
    assert finished.status == 0
    assert "must not be used" in line_of(finished.out, f"note: {TEST}")
    assert "next: " not in finished.out


def test_a_rationale_run_is_tuned_for_both_readings_of_its_measure(call):  # noqa: F811
    finished = call("tune", RATIONALE, ranked("a.run", RATIONALE))
    assert finished.status == 0, finished.err
    assert all(f"best cut-off for {measure}, of " in finished.out for measure in ("MacroF", "MacroF(empty=1)"))
    assert f"\n  ir_coliee cut {RATIONALE.replace('train', 'test')} RUN --cutoff " in finished.out
    notes = [line for line in finished.out.splitlines() if line.startswith("note: ")]
    assert notes
    assert len(notes) == len(set(notes))


def test_tune_as_json_has_all_digits(call):  # noqa: F811
    finished = call("tune", TRAIN, ranked("a.run", TRAIN), "--json")
    assert finished.status == 0
    assert json.loads(finished.out) == [json.loads(json.dumps(tuned(TRAIN, Path("a.run")).record()))]
    assert [
        record["measure"] for record in json.loads(call("tune", RATIONALE, ranked("b.run", RATIONALE), "--json").out)
    ] == [
        "MacroF",
        "MacroF(empty=1)",
    ]


@pytest.mark.parametrize("text", ["", "R98-01-A Q0 5 1 nan mine\n", "R97-01-A Q0 5 1 1.0 mine\n", "R98-01-A\n", "\0"])
def test_a_run_that_cannot_be_tuned_is_refused(call, text):  # noqa: F811
    refused(call("tune", TRAIN, saved("a.run", text)))


def test_a_run_of_one_query_without_hits_is_tuned_with_notes(call):  # noqa: F811
    finished = call("tune", TRAIN, saved("a.run", "R98-01-A Q0 no-item 1 1.0 mine\n"))
    assert finished.status == 0
    assert "contains no relevant item" in finished.out
    assert "29 of 30" in finished.out


@pytest.mark.parametrize("dataset_id", ["coliee/task4/sample/en/train", "coliee/pilot/sample/prediction/train"])
def test_a_task_without_a_cut_off_is_refused_with_the_reason(call, dataset_id):  # noqa: F811
    assert "the label with the higher score" in refused(call("tune", dataset_id, "a.run"))


@pytest.mark.parametrize("command", ["tune", "compare"])
def test_without_copy_id_or_file_the_commands_are_refused(call, command):  # noqa: F811
    one, two = ranked("one.run", TRAIN), ranked("two.run", TRAIN)
    runs = [one] if command == "tune" else [one, two]
    assert "coliee/task1/2025/train" in refused(call(command, "coliee/task1/2025/train", *runs))
    assert "no-such-id" in refused(call(command, "no-such-id", *runs))
    assert "gone.run" in refused(call(command, TRAIN, *runs[1:], "gone.run"))


@pytest.mark.slow
def test_tune_in_a_pipe_is_not_cut_to_the_width_of_a_terminal(tmp_path):
    path = ranked(tmp_path / "a.run", TRAIN)
    finished = process("tune", TRAIN, path, COLUMNS="20")
    assert finished.status == 0
    assert repr(tuned(TRAIN, frame(TRAIN)).rules["cutoff"].iloc[-1]) in finished.out


# --- compare ---------------------------------------------------------------------------------------


def test_compare_prints_the_table_and_what_its_columns_mean(call):  # noqa: F811
    paths = [ranked(name, TEST, wrong) for name, wrong in (("a.run", 2), ("b.run", 3), ("c.run", 4))]
    finished = call("compare", TEST, *paths)
    assert finished.status == 0, finished.err
    table = as_table(compared(TEST, {"a.run": frame(TEST, 2), "b.run": frame(TEST, 3), "c.run": frame(TEST, 4)}))
    assert all(text in finished.out for row in table.rows for text in row)
    assert "MacroF2" in finished.out.splitlines()[0]
    for column in table.header:
        if column not in ("run a", "run b", "value a", "value b", "difference"):
            assert [line for line in finished.out.splitlines() if ":" in line and column in line]
    for beginning in ("low, high: 95 % interval", "p: ", "p holm: ", "detectable: the smallest"):
        assert line_of(finished.out, beginning)


def test_compare_as_json_has_all_digits(call):  # noqa: F811
    finished = call("compare", TEST, ranked("a.run", TEST, 2), ranked("b.run", TEST, 3), "--format", "json")
    (row,) = json.loads(finished.out)
    (wanted,) = compared(TEST, {"a.run": frame(TEST, 2), "b.run": frame(TEST, 3)}).to_dict("records")
    assert row == pytest.approx(wanted, abs=1e-14)


def test_compare_as_csv_has_all_columns_and_digits(call):  # noqa: F811
    finished = call("compare", TEST, ranked("a.run", TEST, 2), ranked("b.run", TEST, 3), "--format", "csv")
    wanted = compared(TEST, {"a.run": frame(TEST, 2), "b.run": frame(TEST, 3)})
    assert finished.out == wanted.to_csv(index=False)


def test_compare_prints_tables_for_papers(call):  # noqa: F811
    paths = [ranked(name, TEST, wrong) for name, wrong in (("a_1.run", 2), ("b|2.run", 3), ("c.run", 4))]
    (first, *_) = compared(TEST, {str(path): path for path in paths}).itertuples()
    interval, p = f"{first.low:.4f} to {first.high:.4f}", f"{first.p:.4f}"
    finished = call("compare", TEST, *paths, "--format", "markdown")
    assert finished.out.splitlines()[:3] == [
        "| A | B | MacroF2 of A | MacroF2 of B | difference | 95 % interval | p | p (Holm) |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        f"| a_1.run | b\\|2.run | {first.value_a:.4f} | {first.value_b:.4f} | {first.difference:.4f} "
        f"| {interval} | {p} | {first.p_holm:.4f} |",
    ]
    assert "MacroF2. Difference: A - B" in finished.err
    assert "p (Holm): " in finished.err
    lines = call("compare", TEST, *paths, "--format", "latex").out.splitlines()
    assert lines[1] == r"\toprule"
    assert lines[4].startswith(rf"a\_1.run & b|2.run & {first.value_a:.4f} & ")
    pair = call("compare", TEST, *paths[:2], "--format", "markdown")
    assert "| p |\n" in pair.out  # a single pair needs no correction
    assert "Holm" not in pair.err


def test_a_tiny_p_value_is_a_bound_in_latex_too():
    row = {"run_a": "a", "run_b": "b", "value_a": 0.9, "value_b": 0.1, "difference": 0.8, "low": 0.7, "high": 0.9}
    comparison = Comparison([{**row, "p": 1e-5, "p_holm": 1e-5}])
    comparison.measure = "MicroF1"
    assert for_publication(comparison)["p"].tolist() == ["<0.0001"]
    assert "& $<$0.0001 " in as_text(for_publication(comparison), "latex")


def test_compare_says_nothing_where_nothing_is_defined(call):  # noqa: F811
    text = ranked("a.run", TEST).read_text()
    finished = call("compare", TEST, "a.run", saved("b.run", text), "--format", "json")
    (row,) = json.loads(finished.out)
    assert (row["p"], row["effect_size"], row["detectable"]) == (1.0, None, None)


def test_compare_notes_what_of_a_run_does_not_count(call):  # noqa: F811
    saved("b.run", ranked("a.run", TEST).read_text() + "R97-01-A Q0 5 1 1.0 mine\n")
    finished = call("compare", TEST, "a.run", "b.run")
    assert finished.status == 0
    assert "b.run: answers to unknown queries, ignored: 1" in finished.err


@pytest.mark.parametrize("runs", [["a.run"], ["a.run", "a.run"]])
def test_one_run_has_nothing_to_be_compared_with(call, runs):  # noqa: F811
    ranked("a.run", TEST)
    assert "At least two different runs" in refused(call("compare", TEST, *runs))


def test_a_run_of_another_edition_is_refused_by_name(call):  # noqa: F811
    ranked("a.run", TEST)
    assert "b.run" in refused(call("compare", TEST, "a.run", ranked("b.run", TRAIN)))


@pytest.mark.parametrize("name", ["run[final].txt", "run[/final].txt", "run\x1b[31m.txt"])
def test_names_are_printed_safely(call, name):  # noqa: F811
    ranked("a.run", TEST)
    Path(name).parent.mkdir(exist_ok=True, parents=True)
    for finished in (call("compare", TEST, "a.run", ranked(name, TEST, 2)), call("tune", TEST, name)):
        assert finished.status == 0
        assert "\x1b" not in finished.out + finished.err
        assert name.replace("\x1b", "\\x1b") in finished.out


def test_compare_wants_answers_for_each_run_or_for_none(call):  # noqa: F811
    one, two = ranked("a.run", TRAIN), ranked("b.run", TRAIN, 2)
    assert "--answers was given once for 2 runs" in refused(call("compare", TRAIN, one, two, "--answers", one))
    complaint = refused(call("compare", TRAIN, one, one))
    assert "got 1" in complaint
    assert "given twice" in refused(call("compare", TRAIN, one, two, one))
