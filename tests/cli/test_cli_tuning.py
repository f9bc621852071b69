"""The commands tune and compare."""

import json
import shlex
from pathlib import Path

import ir_datasets
import pandas as pd
import pytest
from calls import saved

from ir_coliee import transformers
from ir_coliee.evaluation.comparison import as_table
from ir_coliee.evaluation.comparison import compare as compared
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


def test_tune_prints_the_best_cut_off_as_python_and_what_it_is_worth(call):
    finished = call("tune", TRAIN, ranked("a.run", TRAIN))
    assert finished.status == 0, finished.err
    wanted = tuned(TRAIN, frame(TRAIN))
    best = wanted.best
    assert best.held_out < best.optimistic < wanted.oracle
    assert f"best cut-off for MacroF2, of {wanted.tried} tried\n{best.cutoff!r}\n" in finished.out
    assert "scores on it say nothing about COLIEE" in finished.out


def test_the_next_command_works_as_printed(call):
    path = without_unknown_items(ranked("my test.run", TEST, 2))
    finished = call("tune", TRAIN, ranked("a.run", TRAIN))
    _, program, *words = shlex.split(line_of(finished.out, "next: "))
    cutoff = words[words.index("--cutoff") + 1]
    assert [program, *words] == ["ir_coliee", "cut", TEST, "RUN", "--cutoff", cutoff, "--out", "RUN-cut.run"]
    words[words.index("RUN")] = path
    assert eval(cutoff, vars(transformers)) == tuned(TRAIN, frame(TRAIN)).best.cutoff
    assert call(*words).status == 0


def test_tune_on_the_test_warns_and_names_no_next_step(call):
    finished = call("tune", TEST, ranked("b.run", TEST))
    assert finished.status == 0
    assert "must not be used" in line_of(finished.out, f"note: {TEST}")
    assert "next: " not in finished.out


def test_tune_as_json_has_all_digits(call):
    finished = call("tune", TRAIN, ranked("a.run", TRAIN), "--json")
    assert finished.status == 0
    assert json.loads(finished.out) == [json.loads(json.dumps(tuned(TRAIN, Path("a.run")).record()))]


# --- compare ---------------------------------------------------------------------------------------


def test_compare_prints_the_table_and_what_its_columns_mean(call):
    paths = [ranked(name, TEST, wrong) for name, wrong in (("a.run", 2), ("b.run", 3), ("c.run", 4))]
    finished = call("compare", TEST, *paths, "--verbose")
    assert finished.status == 0, finished.err
    table = as_table(compared(TEST, {"a.run": frame(TEST, 2), "b.run": frame(TEST, 3), "c.run": frame(TEST, 4)}))
    assert all(text in finished.out for row in table.rows for text in row)
    assert "MacroF2" in finished.out.splitlines()[0]
    assert line_of(finished.out, "low, high: 95 % interval")


def test_compare_as_json_has_all_digits(call):
    command = ("compare", TEST, ranked("a.run", TEST, 2), ranked("b.run", TEST, 3))
    assert call(*command, "--csv").out.startswith("run_a,run_b,value_a,value_b,difference,")
    (row,) = json.loads(call(*command, "--json").out)
    (wanted,) = compared(TEST, {"a.run": frame(TEST, 2), "b.run": frame(TEST, 3)}).to_dict("records")
    assert row == pytest.approx(wanted, abs=1e-14)
