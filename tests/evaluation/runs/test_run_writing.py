"""Run files: what is written, and what is never overwritten."""

import errno
import io
import json
import math
import os
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import ir_datasets
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_lines import saved
from samples import PREDICTION, RATIONALE, TASK1, TASK2, TASK3, TASK4, TORTS, frame

from ir_coliee import storage
from ir_coliee.editions import split
from ir_coliee.errors import ColieeError, ColieeWarning, ExistingFileError, MalformedRunError
from ir_coliee.evaluation.submission import submit
from ir_coliee.evaluation.writing import strictly_decreasing, write_long_list, write_run
from ir_coliee.storage import require_writable

# --- writing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["task3/2019/en", "task3/sample/en", "task3/2026/ja"])
def test_a_question_of_task_3_has_at_most_100_articles(tmp_path, edition):
    of = split(f"coliee/{edition}/test")
    hundred = [("R99-01-A", str(number)) for number in range(1, 101)]
    write_run(of, frame([*hundred, ("R99-01-I", "9")]), tmp_path / "out", "mine")
    assert (tmp_path / "out").read_text().count("\n") == 101
    with pytest.raises(MalformedRunError, match="'R99-01-A' has more than 100 articles"):
        write_run(of, frame([("R99-01-I", "9"), *hundred, ("R99-01-A", "101")]), tmp_path / "more", "mine")
    assert not (tmp_path / "more").exists()


def test_of_a_long_list_the_first_100_articles_of_each_question_are_written(tmp_path):
    ranking = frame({"R99-01-A": range(1, 151), "R99-01-I": [9]}).sample(frac=1, random_state=1)
    write_long_list(TASK3, ranking, tmp_path / "out", "mine")
    expected = [f"R99-01-A Q0 {n} {n} {101.0 - n} mine" for n in range(1, 101)]
    assert sorted((tmp_path / "out").read_text().splitlines()) == sorted([*expected, "R99-01-I Q0 9 1 100.0 mine"])
    assert len(ranking) == 151


def test_an_item_that_a_query_has_twice_is_written_once_at_its_best_place(tmp_path):
    rows = frame([("R99-01-A", "9"), ("R99-01-A", "55"), ("R99-01-A", "9"), ("R99-01-A", "12"), ("R99-01-I", "9")])
    with pytest.warns(ColieeWarning, match="1 repeated answers, the first of query R99-01-A"):
        write_run(TASK3, rows, tmp_path / "out", "mine")
    ranks = [tuple(line.split()[2:4]) for line in (tmp_path / "out").read_text().splitlines()]
    assert ranks == [("9", "1"), ("55", "2"), ("12", "3"), ("9", "1")]


@pytest.mark.parametrize("tag", ["my-run", "run.v2", "A234567890123"])
def test_a_tag_that_is_not_asked_for_is_written_with_a_warning(tmp_path, tag):
    with pytest.warns(ColieeWarning, match="1 to 12 letters or digits"):
        write_run(TASK1, ONE, tmp_path / "out", tag)
    assert (tmp_path / "out").read_text() == f"900656 900557 {tag}\n"


@pytest.mark.filterwarnings("ignore:.*half a character")
def test_half_a_character_of_the_pilots_test_file_is_written_back_as_it_came(home):
    claim = {"id": "0", "description": "half \ud83d, backslash \\ and \u4e00", "is_accepted": None}
    record = json.loads(TORTS.read_text("utf-8").splitlines()[0]) | {"court_decision": None}
    record |= {"version": "LJPJT26-test001.jsonl", "plaintiff_claims": [claim], "defendant_claims": []}
    (home / "LJPJT26-test001.jsonl").write_text(json.dumps(record), encoding="utf-8")
    prediction = split("coliee/pilot/2026/prediction/test")
    write_run(prediction, frame([(record["tort_id"], "False")]), home / "out", "mine")
    assert json.loads((home / "out").read_text(encoding="utf-8")) == record | {"court_decision": False}


def test_an_answer_to_the_pilot_is_the_test_file_with_its_own_labels_alone(tmp_path):
    records = [json.loads(line) for line in TORTS.read_text(encoding="utf-8").splitlines()]
    decisions = {record["tort_id"]: ["True", "False"][:: 1 - n % 2 * 2] for n, record in enumerate(records)}
    claims = {"900101": ["900101_p0", "900101_d1"], "900102": ["900102_p1"]}
    for dataset, run in ((PREDICTION, decisions), (RATIONALE, claims)):
        write_run(dataset, frame(run), tmp_path / dataset.task, "mine")
        for record in records:
            tort = record["tort_id"]
            record["court_decision"] = decisions[tort][0] == "True" if dataset is PREDICTION else None
            for side in ("plaintiff", "defendant"):
                for claim in record[f"{side}_claims"]:
                    accepted = f"{tort}_{side[0]}{claim['id']}" in claims.get(tort, ())
                    claim["is_accepted"] = accepted if dataset is RATIONALE else None
        assert [*map(json.loads, (tmp_path / dataset.task).read_text(encoding="utf-8").splitlines())] == records


# --- never over an existing file -------------------------------------------------------------------

ONE = frame([("900656", "900557")])
OTHER = frame([("900656", "900912")])


def test_an_existing_file_is_written_neither_again_nor_over(tmp_path):
    write_run(TASK1, ONE, tmp_path / "out", "mine")
    before = (tmp_path / "out").stat()
    write_run(TASK1, ONE, tmp_path / "out", "mine")
    with pytest.raises(ExistingFileError, match=r"out already exists with other content\.\n.*--overwrite"):
        write_run(TASK1, OTHER, tmp_path / "out", "mine")
    after = (tmp_path / "out").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert (tmp_path / "out").read_text() == "900656 900557 mine\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


class FullDisk(io.FileIO):
    """A file on a disk that has room for three bytes."""

    def write(self, data):
        super().write(data[:3])
        raise OSError(errno.ENOSPC, "No space left on device")


def without_links(*_paths):
    raise OSError(errno.EPERM, "Operation not permitted")


def test_a_write_that_fails_leaves_the_old_file_as_it_was(tmp_path, monkeypatch):
    write_run(TASK1, ONE, tmp_path / "out", "mine")
    monkeypatch.setattr(storage, "open", FullDisk, raising=False)
    with pytest.raises(ColieeError):
        write_run(TASK1, OTHER, tmp_path / "out", "mine", overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out").read_text() == "900656 900557 mine\n"


def test_a_rival_that_comes_first_keeps_its_file(tmp_path, monkeypatch):
    link = os.link

    def after_the_rival(source, target):
        target.write_text("a rival's\n")
        link(source, target)

    monkeypatch.setattr(os, "link", after_the_rival)
    with pytest.raises(ExistingFileError, match="already exists with other content"):
        write_run(TASK1, ONE, tmp_path / "out", "mine")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out").read_text() == "a rival's\n"


def test_a_rival_with_the_same_content_is_no_obstacle(tmp_path, monkeypatch):
    has_content = storage._has_content

    def before_the_rival(path, data):
        found = has_content(path, data)
        path.write_bytes(data)
        return found

    monkeypatch.setattr(storage, "_has_content", before_the_rival)
    write_run(TASK1, ONE, tmp_path / "out", "mine")
    assert (tmp_path / "out").read_text() == "900656 900557 mine\n"


def test_a_submission_needs_no_links(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "link", without_links)
    queries = ir_datasets.load(TASK1.id).queries_iter()
    answers = {query.query_id: ["900557"] for query in queries}
    path, *_ = submit(TASK1, answers, tag="mine", out=tmp_path / "out")
    assert "900656 900557 mine\n" in path.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("links", [True, False])
def test_of_many_writers_at_once_one_wins_and_the_others_are_told(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(os, "link", without_links)
    start = threading.Barrier(6)

    def write(path, number):
        start.wait()
        try:
            write_run(TASK1, ONE, path, f"tag{number}")
        except ExistingFileError:
            return None
        return f"900656 900557 tag{number}\n"

    with ThreadPoolExecutor(6) as writers:
        for trial in range(10):
            path = tmp_path / f"out{trial}"
            outcomes = [*writers.map(write, [path] * 6, range(6))]
            assert [outcome for outcome in outcomes if outcome] == [path.read_text()]
    assert len(list(tmp_path.iterdir())) == 10


def test_a_place_can_be_asked_about_before_the_run_is_there_and_is_named_if_it_cannot_be_written(tmp_path):
    taken = saved(tmp_path, "mine")
    for write in (require_writable, lambda path: write_run(TASK1, ONE, path, "mine")):
        for path in (taken / "out", taken / "deeper" / "out", tmp_path / ("n" * 300)):
            with pytest.raises(ColieeError, match=r"cannot be written .*(a folder|directory|too long)"):
                write(path)
    require_writable(tmp_path / "a" / "b" / "out")
    require_writable(taken)  # its content is compared when that of the new file is known
    assert [path.name for path in tmp_path.iterdir()] == ["some.run"]


# --- what the form cannot hold -----------------------------------------------------------------------


def one_of_two(**cell):
    """Two answers, the second of which has this value."""
    rows = frame([("900656", "900557"), ("900795", "900754")]).astype(object)
    for column, value in cell.items():
        rows.loc[1, column] = value
    return rows


NO_PLACE = "Query {0!r}: the test file has no place for the answer {1!r}"
UNWRITABLE = ["900 656", "", "900656\n", "９００", "\x1b[31m", "a\u3000b", "\ud800"]
REFUSED = [
    *((TASK1, one_of_two(qid=value), f"Query {value!r}: the item '900754' cannot be written") for value in UNWRITABLE),
    *((TASK3, one_of_two(docno=value), f"the item {value!r} cannot be written") for value in UNWRITABLE),
    *((TASK1, one_of_two(docno=value), f"The docno {value!r} is not a string") for value in (900656, 1.5, None)),
    (PREDICTION, one_of_two(qid=float("nan")), "The qid nan is not a string"),
    *(
        (TASK3, one_of_two(score=value), f"'900795': the score of '900754', {value!r}, is not a finite 32-bit number")
        for value in (float("nan"), float("inf"), 3.5e38, -3.5e38, None, "high")
    ),
    (TASK4, frame([("R99-01-I", "yess")]), "'R99-01-I': the label must be Y or N, got 'yess'"),
    (TASK2, frame([("900009", "900010_3.txt")]), "Query '900009': '900010_003' is of another query"),
    *((PREDICTION, frame([pair]), NO_PLACE.format(*pair)) for pair in (("900101", "both"), ("900999", "True"))),
    *((RATIONALE, frame([pair]), NO_PLACE.format(*pair)) for pair in (("900101", "x_p9"), ("900102", "900101_p0"))),
]


@pytest.mark.parametrize(("dataset", "run", "message"), REFUSED)
def test_what_a_run_file_cannot_hold_is_refused_with_query_and_value(tmp_path, dataset, run, message):
    with pytest.raises(MalformedRunError, match=re.escape(message)):
        write_run(dataset, run, tmp_path / "out", "mine")
    assert list(tmp_path.iterdir()) == []


def test_a_run_tag_or_a_long_list_that_cannot_be_written_is_refused(tmp_path):
    for tag in ("", "my tag", "läuft", "\ud800", "tab\t"):
        with pytest.raises(ColieeError, match="run tag"):
            write_run(TASK1, ONE, tmp_path / "out", tag)
    with pytest.raises(ColieeError, match="no long list"):
        write_long_list(split("coliee/task3/2026/ja/test"), ONE, tmp_path / "out", "mine")
    assert list(tmp_path.iterdir()) == []


def test_a_frame_has_each_column_once(tmp_path):
    runs = [(column, 2, pd.concat([ONE, ONE[[column]]], axis=1)) for column in ("qid", "docno", "score")]
    runs += [(column, "no", ONE.drop(columns=column)) for column in ("qid", "docno")]  # without scores it is a set
    for column, number, run in runs:
        with pytest.raises(MalformedRunError, match=f"has {number} columns '{column}'"):
            write_run(TASK1, run, tmp_path / "out", "mine")


def test_the_callers_frame_is_not_changed(tmp_path):
    for dataset, rows in ((TASK1, [("900656", "900557")]), (TASK4, [("R99-01-A", "Y"), ("R99-01-A", "N")])):
        answers = frame(rows)
        before = answers.copy(deep=True)
        write_run(dataset, answers, tmp_path / dataset.task, "mine")
        pd.testing.assert_frame_equal(answers, before)


PLACES = {
    "folder": lambda place: place.mkdir(),
    "pipe": os.mkfifo,
    "link to nothing": lambda place: place.symlink_to("nowhere"),
    "link to a file": lambda place: place.symlink_to("file"),
    "link to a device": lambda place: place.symlink_to(os.devnull),
}


@pytest.mark.parametrize("kind", PLACES)
def test_only_regular_files_are_replaced(tmp_path, kind):
    place = tmp_path / "place"
    saved(tmp_path, "mine", "file")
    PLACES[kind](place)
    before = place.lstat()
    for write in (require_writable, lambda path: storage.write_file(path, b"text", overwrite=True)):
        with pytest.raises(ColieeError, match=rf"place cannot be written \(it is a .*{kind.split()[0]}"):
            write(place)
    assert place.lstat() == before
    assert (tmp_path / "file").read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"place", "file"}


# --- scores of a ranking decrease strictly, as 32-bit numbers -------------------------------------


LEAST = float(np.finfo(np.float32).min)
SCORES = st.floats(width=32, allow_nan=False, allow_infinity=False, min_value=LEAST / 2) | st.sampled_from(
    [-0.0, 1e-45]
)


def lowered_one_by_one(rows):
    last_query, last = None, None
    for query, score in rows:
        upper = np.float32(np.inf) if query != last_query else last
        last_query, last = query, min(np.float32(score), np.nextafter(upper, np.float32(-np.inf)))
        yield float(last)


@given(st.lists(st.tuples(st.sampled_from("123"), SCORES)))
def test_scores_are_lowered_only_where_needed_and_as_little_as_possible(rows):
    rows.sort(key=lambda row: (row[0], -row[1]))
    written = strictly_decreasing([query for query, _ in rows], [score for _, score in rows])
    assert written.dtype == np.float32
    assert written.tolist() == [*lowered_one_by_one(rows)]


@pytest.mark.parametrize(
    ("queries", "scores", "refused"),
    [*(("122", [1.0, 1.0, score], score) for score in (math.nan, math.inf, 3.5e38)), ("22", [LEAST, LEAST], -math.inf)],
)
def test_a_score_that_is_not_finite_or_cannot_fall_is_refused(queries, scores, refused):
    with pytest.raises(
        MalformedRunError, match=re.escape(f"Query '2': the score {refused} is not a finite 32-bit number")
    ):
        strictly_decreasing([*queries], scores)
    assert strictly_decreasing(["1"], [LEAST]).tolist() == [LEAST]
