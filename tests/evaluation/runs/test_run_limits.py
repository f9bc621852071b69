"""Run files and system descriptions at and above their limits: what is refused, and how long the others take."""

import gzip
import io
import json
import time
import zipfile

import pytest

from ir_coliee.editions import SPLITS, split
from ir_coliee.errors import ColieeError, MalformedFileError, MalformedRunError
from ir_coliee.evaluation import runs as answer_collection
from ir_coliee.evaluation import runs as json_runs
from ir_coliee.evaluation import runs as parsed_run
from ir_coliee.evaluation import runs as reading
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.runs import Answers, RunLine, load_run, open_run, read_run
from ir_coliee.evaluation.submission import read_descriptions, submit

TASK1 = "coliee/task1/sample/test"
TASK3 = "coliee/task3/sample/en/test"
LINE = b"900656 900557 mine\n"


def saved(folder, content):
    path = folder / "some.run"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refusal(folder, content):
    with pytest.raises(MalformedFileError) as caught:
        load_run(TASK1, saved(folder, content))
    assert len(str(caught.value).split("\n")[0].removeprefix(str(folder))) <= 100
    return str(caught.value)


@pytest.fixture
def ten_answers(monkeypatch):
    monkeypatch.setattr(answer_collection, "_MAX_ANSWERS", 10)


@pytest.mark.parametrize("line_end", [b"\n", b"\r", b"\r\n"])
def test_a_run_has_at_most_so_many_answers(tmp_path, ten_answers, line_end):
    line = LINE.replace(b"\n", line_end)
    assert len(read_run(TASK1, saved(tmp_path, line * 10))) == 10
    assert "more than 10 answers.\nExpected: the answers of a run; rank at most" in refusal(tmp_path, line * 11)


def test_answers_of_json_are_counted(tmp_path, ten_answers):
    assert len(read_run(TASK1, saved(tmp_path, json.dumps({"900656": ["900557"] * 10})))) == 10
    assert "more than 10 answers" in refusal(tmp_path, json.dumps({"900656": ["900557"] * 11}))


def test_lines_of_a_text_in_another_column_are_no_answers(tmp_path, ten_answers):
    text = '"' + "A lamp.\n" * 20 + '"'
    table = "qid,docno,score,query\n" + "".join(f"900656,900557,{score},{text}\n" for score in range(10))
    assert len(read_run(TASK1, saved(tmp_path, table))) == 10


def test_a_ranking_of_a_thousand_items_for_each_query_is_within_the_limit():
    largest = max(split.counts.get("queries", 0) for split in SPLITS.values() if split.task == "task1")
    assert 1.4 * 1_000 * largest < answer_collection._MAX_ANSWERS


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    with open(tmp_path / "some.run", "wb") as file:
        file.truncate(reading.RUN.max_bytes + 1)
    with pytest.raises(MalformedFileError, match=r"128,000,001 bytes are too many for a run file\.\n.*Save only"):
        open_run(tmp_path / "some.run")


@pytest.mark.slow
def test_a_bomb_is_not_decompressed_beyond_the_limit(tmp_path):
    path = saved(tmp_path, gzip.compress(b"\n" * (reading.RUN.max_bytes + 1)))
    before = time.process_time()
    with pytest.raises(MalformedFileError, match="more than 128,000,000 bytes are too many for a run file"):
        open_run(path)
    assert time.process_time() - before < 10


def archive():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as folder:
        folder.writestr("my.run", LINE)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (archive(), "this is a ZIP archive.\nExpected: the run file itself: unpack the archive."),
        (gzip.compress(gzip.compress(LINE)), "the file is compressed twice.\nExpected: a text file, compressed once"),
        ('[{"qid": "900656", "docno": "900557", "score": 1.0}]', "save records as CSV, in pandas with frame.to_csv"),
        ('{"qid": "900656", "docno": "900557"}\n{"qid": "900795", "docno": "1"}\n', "save records as CSV, in pandas"),
        ("qid,docno,score,score\n900656,900557,1,2\n", "line 1: the header has two columns named score."),
        ("qid,qid,docno\n900656,900795,900557\n", "line 1: the header has two columns named qid."),
    ],
    ids=["zip", "compressed twice", "records", "records in lines", "two scores", "two queries"],
)
def test_what_is_no_run_is_refused_with_what_to_do(tmp_path, content, message):
    assert message in refusal(tmp_path, content)


@pytest.mark.parametrize(
    "content",
    [
        '{"900656": [900557, 900912]}',
        "qid,docno\n900656.0,900557.0\n900656.0,900912.0\n",
        "900656.0 900557 mine\n900656 900912.0 mine\n",
    ],
)
def test_ids_that_were_numbers_are_read(tmp_path, content):
    read = [(line.query_id, line.docno) for line in read_run(TASK1, saved(tmp_path, content))]
    assert read == [("900656", "900557"), ("900656", "900912")]


def test_ranks_that_are_no_numbers_are_told(tmp_path):
    path = saved(tmp_path, "900656 Q0 900557 x 1.5 mine\n900656 Q0 900912 2 1.0 mine\n")
    assert load_run(TASK1, path).notes == ["ranks that are not numbers: 1; the scores are used, and then the order"]


# --- many findings -----------------------------------------------------------------------------------


def test_of_many_findings_of_a_kind_the_last_stands_for_the_others(tmp_path):
    path = saved(tmp_path, LINE + b"".join(b"900656 %d mine\n" % number for number in range(10**6, 10**6 + 3000)))
    unknown = [finding for finding in validate(TASK1, path) if finding.kind == "unknown item"]
    assert len(unknown) == parsed_run._FINDINGS_LISTED + 1
    assert sum(finding.num_lines for finding in unknown) == 3000
    assert [finding.line for finding in unknown] == [*range(2, 1003)]


def test_of_many_lines_that_cannot_be_read_the_last_error_states_how_many_more(tmp_path):
    path = saved(tmp_path, LINE + b"one two\n" * 3000)
    errors = open_run(path).answers(split(TASK1)).errors
    assert len(errors) == answer_collection._ERRORS_LISTED + 1
    assert errors[-1].problem == "2000 lines after this one cannot be read either"
    with pytest.raises(MalformedFileError, match="line 2: 2 columns"):
        load_run(TASK1, path)
    assert sum(finding.num_lines for finding in validate(TASK1, path) if finding.level == "error") == 3000


def test_submit_counts_all_errors(tmp_path):
    path = saved(tmp_path, LINE + b"".join(b"900656 %d mine\n" % number for number in range(10**6, 10**6 + 3000)))
    with pytest.raises(MalformedRunError, match="has 3,000 errors; no file was written"):
        submit(TASK1, path, tag="mine", folder=tmp_path / "out")


def counted(rows, monkeypatch, folder, content):
    """The errors that are made of a file."""
    made = []
    former = MalformedFileError.__init__
    monkeypatch.setattr(MalformedFileError, "__init__", lambda *given: made.append(given) or former(*given))
    answers = open_run(saved(folder, content)).answers(split(TASK1))
    assert len(answers) == rows
    return len(made)


@pytest.mark.parametrize(
    ("start", "wrong"),
    [
        ("900656 900557 mine\n", "one two\n"),
        ("900656 Q0 900557 1 1.5 mine\n", "900656 Q0 900557 1 x mine\n"),
        ("qid,docno,score\n900656,900557,1\n", "900656,900557,x\n"),
    ],
)
def test_no_more_errors_are_made_than_are_listed(tmp_path, monkeypatch, start, wrong):
    assert counted(1, monkeypatch, tmp_path, start + wrong * 5000) == answer_collection._ERRORS_LISTED + 1


def test_no_more_errors_of_json_are_made_than_are_listed(tmp_path, monkeypatch):
    content = json.dumps({"900656": ["900557"], **{str(number): None for number in range(5000)}})
    assert counted(1, monkeypatch, tmp_path, content) == answer_collection._ERRORS_LISTED + 1


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("q%d Q0 9 1 1.5 mine\n", "queries"),
        ("R99-01-A Q0 i%d 1 1.5 mine\n", "items"),
        ("R99-01-A Q0 9 %d 1.5 mine\n", "ranks"),
        ("R99-01-A Q0 9 1 1.5 m%d\n", "tags"),
    ],
)
def test_a_file_of_too_many_different_texts_is_no_run(tmp_path, monkeypatch, line, column):
    monkeypatch.setattr(answer_collection, "_MAX_DIFFERENT", 10)
    path = saved(tmp_path, "".join(line % number for number in range(10)))
    assert len(load_run(TASK3, path).frame) == 10
    path = saved(tmp_path, "".join(line % number for number in range(11)))
    with pytest.raises(MalformedFileError, match=f"some.run: more than 10 different {column}"):
        load_run(TASK3, path)
    assert f"more than 10 different {column}" in validate(TASK3, path)[0].message


def test_a_row_of_too_many_columns_is_refused(tmp_path):
    assert "line 2: the row cannot be read (too many columns)" in refusal(tmp_path, "qid,docno\n" + "," * 2**21)


def test_json_has_at_most_so_many_queries(tmp_path, monkeypatch):
    monkeypatch.setattr(json_runs, "_MAX_QUERIES", 10)
    queries = {str(number): ["9"] for number in range(11)}
    assert "more than 10 queries" in refusal(tmp_path, json.dumps(queries))
    del queries["0"]
    assert len(load_run(TASK1, saved(tmp_path, json.dumps(queries))).frame) == 10


def test_pairs_are_compared_by_their_texts():
    def answers(*pairs):
        return Answers.of(RunLine(1, query, item, 1.0, "", "", ("", "")) for query, item in pairs)

    run = answers(("1", "9"), ("2", "8"), ("2", "8"), ("3", "9"))
    assert run.num_pairs == 3
    assert run.pairs_outside(answers(("2", "8"), ("1", "8"), ("2", "9"))) == 2
    assert run.pairs_outside(answers()) == 3
    assert answers().pairs_outside(run) == 0


# --- time --------------------------------------------------------------------------------------------


def seconds(function, *arguments):
    """The processor time of a call."""
    before = time.process_time()
    function(*arguments)
    return time.process_time() - before


TIMED = {
    "ranking": b"R99-01-A Q0 %d %d 0.125 mine\n",
    "answer set": b"R99-01-A %d mine%d\n",
    "lines of two columns, and one of three": b"R99-01-A %d%d\n",
    "CSV": b"R99-01-A,%d,%d,0.125\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("form", TIMED)
def test_a_row_is_read_and_checked_in_some_ten_microseconds(tmp_path, form):
    """2,000,000 rows are to take at most 10 s. The factor of four is for slow machines."""
    start = b"qid,docno,rank,score\n" if form == "CSV" else b"R99-01-A 9 mine\n" if "set" in form else b""
    path = saved(tmp_path, start + b"".join(TIMED[form] % (number, number) for number in range(50_000)))
    assert seconds(validate, TASK3, path) < 50_000 * 4 * 5e-6 + 0.5


def test_a_system_description_is_read_in_linear_time(tmp_path):
    """The white space of a line was matched in quadratic time: 100,000 blanks took minutes."""
    path = saved(tmp_path, " " * 900_000 + "\nTask: 3\nRun tag: mine\n")
    assert seconds(read_descriptions, path) < 5
    assert read_descriptions(path)[0].run == ("3", "mine")


def test_a_system_description_has_a_limit(tmp_path):
    with pytest.raises(ColieeError, match="1,000,001 bytes are too many for a system description"):
        read_descriptions(saved(tmp_path, b" " * 1_000_001))
