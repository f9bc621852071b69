"""Run files: what is written, and what is never overwritten."""

import errno
import io
import json
import os
import re
import tempfile
import threading
import warnings
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_lines import pairs, read_lines, saved

import ir_coliee
from ir_coliee import storage as file_writing
from ir_coliee import storage as unfinished_folders
from ir_coliee.editions import SPLITS, split
from ir_coliee.errors import ColieeError, ColieeWarning, ExistingFileError, MalformedRunError
from ir_coliee.evaluation.gold import TASK_EVALUATIONS, candidates, query_ids
from ir_coliee.evaluation.writing import write_long_list, write_run
from ir_coliee.storage import require_writable
from ir_coliee.synthetic import splits_of_release, write_release

TASK1 = split("coliee/task1/sample/test")
TASK2 = split("coliee/task2/sample/test")
TASK3 = split("coliee/task3/sample/en/test")
TASK4 = split("coliee/task4/sample/en/test")
PREDICTION = split("coliee/pilot/sample/prediction/test")
RATIONALE = split("coliee/pilot/sample/rationale/test")
TORTS = Path(ir_coliee.__file__).parent / "datasets" / "sample" / "LJPJTsample" / "test001.jsonl"


def frame(rows):
    """A result frame of (qid, docno) pairs, best first, with scores that fall by 1."""
    table = pd.DataFrame(rows, columns=["qid", "docno"]).astype(str)
    ranks = table.groupby("qid", sort=False).cumcount()
    return table.assign(score=100.0 - ranks, rank=ranks)


def tort(**changes):
    """One synthetic tort instance as a line."""
    record = {
        "version": "synthetic",
        "tort_id": "900001",
        "undisputed_facts": [{"id": "0", "description": "A tree fell."}],
        "plaintiff_claims": [
            {"id": "0", "description": "The tree was rotten.", "is_accepted": True},
            {"id": "1", "description": "The owner knew it.", "is_accepted": False},
        ],
        "defendant_claims": [{"id": "0", "description": "There was a storm.", "is_accepted": True}],
        "court_decision": True,
    }
    return json.dumps(record | changes) + "\n"


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
    rows = [("R99-01-A", str(number)) for number in range(1, 151)] + [("R99-01-I", "9")]
    ranking = frame(rows).sample(frac=1, random_state=1)
    write_long_list(TASK3, ranking, tmp_path / "out", "mine")
    lines = [line.split(" ") for line in (tmp_path / "out").read_text().splitlines()]
    first = [line for line in lines if line[0] == "R99-01-A"]
    assert [(line[2], line[3]) for line in first] == [(str(n), str(n)) for n in range(1, 101)]
    assert [line for line in lines if line[0] != "R99-01-A"] == [["R99-01-I", "Q0", "9", "1", "100.0", "mine"]]
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


def pilot_copy(folder, monkeypatch, content):
    folder.mkdir()
    (folder / "LJPJT26-test001.jsonl").write_text(content, encoding="utf-8")
    monkeypatch.setenv("COLIEE_HOME", str(folder))
    return split("coliee/pilot/2026/prediction/test")


@pytest.mark.filterwarnings("ignore:.*half a character")
def test_half_a_character_of_the_pilots_test_file_is_written_back_as_it_came(tmp_path, monkeypatch):
    claim = {"id": "0", "description": "half \ud83d, backslash \\ and \u4e00", "is_accepted": None}
    content = tort(version="LJPJT26-test001.jsonl", plaintiff_claims=[claim], defendant_claims=[], court_decision=None)
    prediction = pilot_copy(tmp_path / "copy", monkeypatch, content)
    write_run(prediction, frame([("900001", "False")]), tmp_path / "out", "mine")
    written = json.loads((tmp_path / "out").read_text(encoding="utf-8"))
    assert written == json.loads(content) | {"court_decision": False}


def test_a_prediction_is_the_test_file_with_decisions_and_nothing_else(tmp_path):
    given_records = [json.loads(line) for line in TORTS.read_text(encoding="utf-8").splitlines()]
    ids = [record["tort_id"] for record in given_records]
    rows = frame([pair for n, i in enumerate(ids) for pair in ((i, str(n % 2 == 0)), (i, str(n % 2 == 1)))])
    write_run(PREDICTION, rows, tmp_path / "out", "mine")
    written = [json.loads(line) for line in (tmp_path / "out").read_text(encoding="utf-8").splitlines()]
    expected = [without_labels(record) for record in given_records]
    for n, record in enumerate(expected):
        record["court_decision"] = n % 2 == 0
    assert written == expected


def without_labels(record):
    """The instance as the organisers hand it out for a test: every label is null."""
    sides = {
        side: [claim | {"is_accepted": None} for claim in record[side]]
        for side in ("plaintiff_claims", "defendant_claims")
    }
    return record | sides | {"court_decision": None}


def test_a_rationale_is_the_test_file_with_every_claim_answered(tmp_path):
    rows = frame([("900101", "900101_p0"), ("900101", "900101_d1"), ("900102", "900102_p1")])
    write_run(RATIONALE, rows, tmp_path / "out", "mine")
    accepted = []
    for line in (tmp_path / "out").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        assert record["court_decision"] is None
        for side in ("plaintiff", "defendant"):
            for claim in record[f"{side}_claims"]:
                assert claim["is_accepted"] in (True, False)
                if claim["is_accepted"]:
                    accepted.append(f"{record['tort_id']}_{side[0]}{claim['id']}")
    assert accepted == ["900101_p0", "900101_d1", "900102_p1"]


def _written_and_read(dataset, rows):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        write_run(dataset, frame(rows), path, "mine")
        return read_lines(dataset, path)


ERAS = [
    *(f"coliee/task1/{year}" for year in (2018, 2019, 2020, 2021, 2026)),
    *(f"coliee/task2/{year}" for year in (2018, 2019, 2020, 2021, 2026)),
    *("coliee/task3/2017/en", "coliee/task3/2018/ja", "coliee/task3/2021/en", "coliee/task3/2024/ja"),
    *("coliee/task3/2026/ja", "coliee/pilot/2025", "coliee/pilot/2026", "coliee/task3/sample/en"),
]


@pytest.fixture(scope="module", params=ERAS)
def era(request, tmp_path_factory):
    """The splits of a synthetic edition: each with its queries and what may answer them."""
    folder = tmp_path_factory.mktemp("era")
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore", ColieeWarning)
        if "sample" in request.param:
            ids = [dataset_id for dataset_id in SPLITS if "sample" in dataset_id]
        else:
            write_release(request.param, folder, scale=0.004)
            ids = [split.id for split in splits_of_release(request.param)]
            patch.setenv("COLIEE_HOME", str(folder))
        yield [
            (SPLITS[i], query_ids(SPLITS[i]), candidates(SPLITS[i])) for i in ids if SPLITS[i].name in ("train", "test")
        ]


@pytest.mark.slow
@settings(max_examples=4, deadline=None)
@given(st.data())
@pytest.mark.filterwarnings("ignore::ir_coliee.errors.ColieeWarning")
def test_a_run_of_every_part_of_every_era_reads_as_it_was_written(era, data):
    for of, queries, may_answer in era:
        pools = {query: sorted(may_answer(query)) for query in queries}
        answered = [query for query in queries if pools[query]]
        if not TASK_EVALUATIONS[of.task].single_answer:
            answered = data.draw(st.lists(st.sampled_from(answered), unique=True, min_size=1, max_size=4))
        most = 1 if TASK_EVALUATIONS[of.task].single_answer else 5
        rows = [
            (query, item)
            for query in answered
            for item in data.draw(st.lists(st.sampled_from(pools[query]), unique=True, min_size=1, max_size=most))
        ]
        lines = _written_and_read(of, rows)
        assert set(pairs(lines)) == set(rows)


# --- never over an existing file -------------------------------------------------------------------

ONE = frame([("900656", "900557")])
OTHER = frame([("900656", "900912")])


def test_an_existing_file_that_differs_is_left_alone(tmp_path):
    (tmp_path / "out").write_text("notes of mine\n")
    with pytest.raises(ExistingFileError, match=r"out already exists with other content\.\n.*--overwrite"):
        write_run(TASK1, ONE, tmp_path / "out", "mine")
    assert (tmp_path / "out").read_text() == "notes of mine\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_existing_file_with_the_same_content_is_not_written_again(tmp_path):
    write_run(TASK1, ONE, tmp_path / "out", "mine")
    before = (tmp_path / "out").stat()
    write_run(TASK1, ONE, tmp_path / "out", "mine")
    after = (tmp_path / "out").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


class FullDisk(io.FileIO):
    """A file on a disk that has room for three bytes."""

    def write(self, data):
        super().write(data[:3])
        raise OSError(errno.ENOSPC, "No space left on device")


def without_links(*_paths):
    raise OSError(errno.EPERM, "Operation not permitted")


def test_a_write_that_fails_leaves_the_old_file_as_it_was(tmp_path, monkeypatch):
    write_run(TASK1, ONE, tmp_path / "out", "mine")
    monkeypatch.setattr(unfinished_folders, "open", FullDisk, raising=False)
    with pytest.raises(ColieeError):
        write_run(TASK1, OTHER, tmp_path / "out", "mine", overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out").read_text() == "900656 900557 mine\n"


def test_a_file_that_cannot_be_replaced_or_made_is_named(tmp_path):
    (tmp_path / "out").mkdir()
    saved(tmp_path, "a file")
    with pytest.raises(ColieeError, match="out cannot be written"):
        write_run(TASK1, ONE, tmp_path / "out", "mine", overwrite=True)
    for path in (tmp_path / "some.run" / "out", tmp_path / "some.run" / "deeper" / "out", tmp_path / ("n" * 300)):
        with pytest.raises(ColieeError, match="cannot be written"):
            write_run(TASK1, ONE, path, "mine")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "some.run"]


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


@pytest.mark.slow
@pytest.mark.parametrize("links", [True, False])
def test_of_many_writers_at_once_one_wins_and_the_others_are_told(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(os, "link", without_links)
    for trial in range(10):
        start, outcomes = threading.Barrier(6), []

        def write(number, trial=trial, start=start, outcomes=outcomes):
            start.wait()
            try:
                write_run(TASK1, ONE, tmp_path / f"out{trial}", f"tag{number}")
                outcomes.append(number)
            except ExistingFileError:
                outcomes.append(None)

        writers = [threading.Thread(target=write, args=[number]) for number in range(6)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        [winner] = [number for number in outcomes if number is not None]
        assert len(outcomes) == 6
        assert (tmp_path / f"out{trial}").read_text() == f"900656 900557 tag{winner}\n"
    assert len(list(tmp_path.iterdir())) == 10


def test_a_place_can_be_asked_about_before_the_run_is_there(tmp_path):
    require_writable(tmp_path / "a" / "b" / "out")
    assert list(tmp_path.iterdir()) == []
    taken = saved(tmp_path, "mine")
    require_writable(taken)  # its content is compared when that of the new file is known
    with pytest.raises(ColieeError, match=r"out cannot be written \(.*some\.run is not a folder\)"):
        require_writable(taken / "deeper" / "out")
    with pytest.raises(ColieeError, match="name too long"):
        require_writable(tmp_path / ("a" * 300))


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


@pytest.mark.parametrize("column", ["qid", "docno", "score"])
def test_a_frame_has_each_column_once(tmp_path, column):
    runs = [(2, pd.concat([ONE, ONE[[column]]], axis=1))]
    if column != "score":  # without scores, the run is a set
        runs.append(("no", ONE.drop(columns=column)))
    for number, run in runs:
        with pytest.raises(MalformedRunError, match=f"has {number} columns '{column}'"):
            write_run(TASK1, run, tmp_path / "out", "mine")


def test_the_callers_frame_is_not_changed(tmp_path):
    for dataset, rows in ((TASK1, [("900656", "900557")]), (TASK4, [("R99-01-A", "Y"), ("R99-01-A", "N")])):
        answers = frame(rows)
        before = answers.copy(deep=True)
        write_run(dataset, answers, tmp_path / dataset.task, "mine")
        pd.testing.assert_frame_equal(answers, before)


@pytest.mark.parametrize("kind", ["folder", "pipe", "link to nothing", "link to a file", "link to a device"])
def test_only_regular_files_are_replaced(tmp_path, kind):
    place, target = tmp_path / "place", {"nothing": "nowhere", "file": "file", "device": os.devnull}
    (tmp_path / "file").write_text("mine")
    if kind == "folder":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to(target[kind.rpartition(" ")[2]])
    before = place.lstat()
    for write in (require_writable, lambda path: file_writing.write_file(path, b"text", overwrite=True)):
        with pytest.raises(ColieeError, match=rf"place cannot be written \(it is a .*{kind.split()[0]}"):
            write(place)
    assert place.lstat() == before
    assert (tmp_path / "file").read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"place", "file"}
