"""What the reader of runs accepts beside the official form, what it makes of it, and what it refuses."""

import csv
import gzip
import json
import os
import pickle
import string
import tempfile
import threading
from pathlib import Path

import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_lines import errors, pairs, read_lines, saved
from samples import PREDICTION, RATIONALE, TASK1, TASK2, TASK3, TASK4
from samples import TORTS as TORTS_FILE

from ir_coliee import score
from ir_coliee.editions import SPLITS, split
from ir_coliee.errors import ColieeError, MalformedFileError
from ir_coliee.evaluation import runs as run_reading
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.runs import load_run
from ir_coliee.evaluation.submission import submit
from ir_coliee.evaluation.writing import write_ranking, write_run
from ir_coliee.transformers import TopK

POOLS = split("coliee/task1/2019/test")
TORTS = TORTS_FILE.read_text("utf-8")
PAIRS = [("900656", "900557"), ("900656", "900912")]
OFFICIAL = "900656 900557 mine\n900656 900912 mine\n"

# --- the same two answers in every form --------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        OFFICIAL,
        OFFICIAL.replace("\n", "\r\n"),
        OFFICIAL.replace("\n", "\r"),
        OFFICIAL.replace(" ", " \t "),
        f"\ufeff\n  \n{OFFICIAL}/* a comment */\n  /*\t*/  ",
        OFFICIAL.replace(" 900", ".txt 900").replace(" mine", ".txt mine"),
        OFFICIAL.replace("900656", "t1-900656").replace(" 900", " 0900"),
        OFFICIAL.replace(" mine", ".0 mine"),
        "900656 Q0 900557 1 2.5 mine\n900656 Q0 900912 2 1.5 mine\n",
        "900656.txt 557\n900656\t900912\n".replace("557", "900557"),
        "qid,docno,score,rank\n900656,900557,2.5,0\n900656,900912,1.5,1\n",
        ',qid,query,docno,score\n0,900656,"a, text\nof ""lines""",900557,2.5\n1,900656,x,900912,1.5\n',
        "query_id\tdoc_id\tscore\n900656\t900557\t2.5\n900656\t900912\t1.5\n",
        "Query;Document;Score\r\n900656;900557;2,5\r\n900656;900912;1.5\r\n",
        "\ufeffq_id,doc_id,score\n900656,900557,2.5\n\n900656,900912,1.5\n",
        "query Q0 item rank score tag\n900656 Q0 900557 0 2.5 mine\n900656 Q0  900912 1 1.5 mine\n",
        "/* sample */\nscore, docno, qid\n2.5, 900557, 900656\n1.5, 900912, 900656\n",
        "qid,docno\n900656,900557\n900656,900912\n",
        "qid,docno,rank\n900656,900912,1\n900656,900557,0\n",
        '{"900656.txt": ["900557.txt", "900912.txt"]}',
        '\ufeff\r\n{"900656": "900557, 900912"}',
        '{"900656": [900557, 900912]}',
        '{"900656": {"900912": 0.5, "900557": 2}}',
        '{"900656": {"900912": 1, "900557": 1}, "900795": {}, "900545": ""}',
    ],
)
def test_every_form_gives_the_same_answers(tmp_path, content):
    path = saved(tmp_path, content)
    assert sorted(pairs(read_lines(TASK1, path))) == PAIRS
    compressed = saved(tmp_path, gzip.compress(path.read_bytes()), "compressed.txt")
    pd.testing.assert_frame_equal(load_run(TASK1, compressed).table, load_run(TASK1, path).table)
    assert any("the file is compressed" in finding.message for finding in validate(TASK1, compressed))


def test_the_table_of_a_run_has_what_is_written(tmp_path):
    [line] = read_lines(TASK2, saved(tmp_path, "\n900009.txt Q0 3 7 0.25 mine\n"))
    assert (line.line, line.qid, line.docno, line.score, line.rank) == (2, "900009", "900009_003", 0.25, "7")
    assert (line.tag, line.written_query, line.written_item, line.has_score) == ("mine", "900009.txt", "3", True)
    [line] = read_lines(TASK3, saved(tmp_path, "R99-01-A 55 a,b\n"))
    assert (line.docno, line.rank, line.tag, line.has_score) == ("55", "", "a,b", False)
    lines = read_lines(TASK1, saved(tmp_path, 'qid,text,docno\n900656,"a\nb\nc",900557\n900656,d,900912\n'))
    assert [line.line for line in lines] == [2, 5]
    lines = read_lines(TASK1, saved(tmp_path, '{"900656":\r\n ["557",\r\n "t\\u0031-1"],\r\n"900795" : "900754" }\r\n'))
    assert [(line.line, line.written_item) for line in lines] == [(1, "557"), (1, "t1-1"), (4, "900754")]
    for nothing in ("", "{}", "qid,docno\n"):
        with pytest.raises(MalformedFileError, match="the file has no answer"):
            load_run(TASK1, saved(tmp_path, nothing))


def test_order_is_by_score_then_by_rank_then_by_line(tmp_path):
    lines = ["5 2 .5", "6 1 5E-1", "7 9 +0.75", "8 first 0.5", "9 12 0.50", "10 first 0.5"]
    loaded = load_run(TASK3, saved(tmp_path, "".join(f"R99-01-A Q0 {line} mine\n" for line in lines)))
    assert loaded.frame["docno"].tolist() == ["7", "6", "5", "9", "8", "10"]
    assert loaded.frame["rank"].tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "content", ["900656 900912 a\n900656 900557 a\n", "qid,docno,rank\n900656,900557,1\n900656,900912,0"]
)
def test_without_scores_the_rank_or_the_order_of_the_file_counts(tmp_path, content):
    loaded = load_run(TASK1, saved(tmp_path, content))
    assert loaded.frame["docno"].tolist() == ["900912", "900557"]
    assert not loaded.has_scores


# --- ids -------------------------------------------------------------------------------------------


@pytest.fixture
def copy(home):
    """Task 1 of 2019 with two queries and a few candidates each, two of them of one number."""
    for query, candidates in {"001": "008 018 130", "012": "018 018a 045 45 200"}.items():
        (home / "task1_test" / query / "candidates").mkdir(parents=True)
        for name in ("base_case", *(f"candidates/{candidate}" for candidate in candidates.split())):
            (home / "task1_test" / query / f"{name}.txt").write_text("A case.")


#: Ids as they are written, and the candidate. A number that two have is taken as it is written, if one is written so.
OF_POOLS = [
    *(("t1-1 18", "001_018"), ("1 0008", "001_008"), ("t1-1.txt 18.txt", "001_018"), ("001 001_018", "001_018")),
    *(("012 45.txt", "012_45"), ("012 045", "012_045"), ("012 0045", "012_0045"), ("012 545", "012_545")),
    *(("013 018", "013_018"), ("t2-1 18", "t2-1_18"), ("001 012_18", "012_018"), ("001 ١٨", "001_١٨")),
]


@pytest.mark.usefixtures("copy")
@pytest.mark.parametrize(("written", "docno"), OF_POOLS)
def test_ids_of_pools_are_found_by_name_then_by_number(tmp_path, written, docno):
    query, item = written.split()
    found = load_run(POOLS, {query: {item: 1.0}}).frame[["qid", "docno"]].values.tolist()
    assert [*map(list, pairs(read_lines(POOLS, saved(tmp_path, f"{written} mine\n"))))] == found
    assert [read for _, read in found] == [docno]
    assert [qid for qid, _ in found] == [{"t1-1": "001", "1": "001", "t1-1.txt": "001"}.get(query, query)]


@pytest.mark.parametrize(
    ("dataset", "written", "read"),
    [
        (TASK1, "900656.txt.txt 900557", ("900656.txt.txt", "900557")),
        (TASK1, "123.txt 456.txt", ("123.txt", "456.txt")),
        (TASK2, "t2-900009 03.txt", ("900009", "900009_003")),
        (TASK3, "R99-1-A 009", ("R99-1-A", "009")),
        (TASK3, "R99-01-A.txt 9.txt", ("R99-01-A.txt", "9.txt")),
        (TASK4, "t4-R99-01-A y", ("t4-R99-01-A", "Y")),
        (TASK4, "R99-01-A maybe", ("R99-01-A", "maybe")),
    ],
)
def test_ids_of_case_law_are_numbers_and_those_of_statutes_names(tmp_path, dataset, written, read):
    assert pairs(read_lines(dataset, saved(tmp_path, f"{written} mine\n"))) == [read]


SPELLINGS = "Y y yes Yes true TRUE 1", "N n no NO false False 0"


@pytest.mark.parametrize(("dataset", "labels"), [(TASK4, ("Y", "N")), (PREDICTION, ("True", "False"))])
def test_yes_and_no_may_be_spelled_in_many_ways(tmp_path, dataset, labels):
    spelled = [(spelling, label) for spellings, label in zip(SPELLINGS, labels) for spelling in spellings.split()]
    for spelling, label in spelled:
        for form in ("a-query {}\n", "qid,answer\na-query,{}\n", "query;label\na-query;{}\n"):
            assert pairs(read_lines(dataset, saved(tmp_path, form.format(spelling)))) == [("a-query", label)]
        assert load_run(dataset, {"a-query": {spelling: 1.0}}).frame["docno"].tolist() == [label]


# --- what is refused -------------------------------------------------------------------------------

ROW = "900656 Q0 900557 1 0.5 mine\n"
NO_NAMES, NO_JSON, NO_ID = "neither names nor scores", "not a JSON object", "has a control character"


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        # columns
        ("900656 900557 mine\n900656 Q0 900557 1 0.5 mine\n", 2, "6 columns"),
        (f"{ROW}900656 900557 mine\n", 2, "3 columns"),
        (f"900656 900557\n{ROW}", 1, "2 columns"),
        ("900656 900557\n900656\n", 1, "2 columns"),
        ("900656,900557\n900656,900912\n", 1, "1 columns"),
        ("900656 900557 0.5\n900656 900912 1.5\n", None, "the third column has scores or other numbers"),
        *((f"{ROW}{comment}\n", 2, " columns") for comment in ("/* open", "close */", "/* a */ b")),
        *((f"900656\x1c{blank}900557 mine\n", 1, "") for blank in "\x0b\x1b\x7f\x85\xa0\u200b\u3000"),
        *((f"{ROW}900656 9005{blank}57 mine\n", 2, "") for blank in "\x0b\x1b\x1c\x7f\x85\xa0\u200b\u3000"),
        *(
            (ROW.replace("0.5", number), 1, f"the score {number!r} is not a finite 32-bit number")
            for number in ("nan", "inf", "1_000", "１２", "٣", "3.5e38", "1e999", "0x10", "1e", ".", "high")
        ),
        # tables
        ("qid,score\n900656,1\n", 1, "the header has no item, such as docno"),
        ("docno,score\n900656,1\n", 1, "the header has no query, such as qid"),
        ("qid,qid,docno\n900656,900795,900557\n", 1, "the header has two columns named qid"),
        ("qid,docno,score,label\n900656,900557,1,1\n", 1, "a column label beside docno: these look like labels"),
        ("qid,docno,score\n900656,900557\n", 2, "2 columns"),
        ("qid,docno,score\n900656,900557,high\n", 2, "the score 'high' is not a finite 32-bit number"),
        ('qid,docno,score\n900656,900557,"0,98"\n', 2, "the score '0,98' is not"),
        ("qid,docno,score\n900656,900557,\n", 2, "the score '' is not"),
        ("qid,docno,rank\n900656,900557,first\n", 2, "the rank 'first' is not"),
        ("qid,docno,score\n900656,,1\n", 2, "a column is empty"),
        ('qid,docno,score\n900656,900557,1\n900656,"9005"57,1\n', 3, "the row cannot be read"),
        ('qid,text,docno\n900656,"never closed,900557\n', 2, "the row cannot be read"),
        # JSON
        *((f'{{"900656": {value}}}', 1, NO_NAMES) for value in ("1", "null", "true", "[true]", '[["900557", 0.5]]')),
        *(
            (f'{{\n"900656": {{"900557": {value}}}}}', 2, NO_NAMES)
            for value in ('"0.5"', "NaN", "-Infinity", "4e38", f"1{'0' * 400}", "null", 'true, "900912": 0.5')
        ),
        ('{"900656": {"900557": 1, "900912": 0}}', 1, "these look like labels"),
        ('{"900656": {"900557": true, "900912": false}}', 1, "these look like labels"),
        ('{\n\n"900656": ["a\\u0000b"]}', 3, NO_ID),
        ('{"900\\ud800": ["900557"]}', 1, NO_ID),
        ('{"900656": ["900557"]', 1, NO_JSON),
        ('{"900656":\n["900557"],}', 2, NO_JSON),
        ('{"900656": ["900557"]}\n{"900795": ["900754"]}', 2, NO_JSON),
        ("[]", 1, NO_JSON),
        ("{" * 100_000, 1, NO_JSON),
        ('{"900656": %s}' % ("[" * 100_000), 1, NO_JSON),
        ('{"900656": %s}' % ("1" * 5_000), 1, NO_JSON),
        ('{"900656": ["900557"],\n"900656": ["900912"]}', 2, "query 900656 is on line 1 as well"),
    ],
)
def test_what_is_no_run_is_refused_with_its_line(tmp_path, content, line, problem):
    path = saved(tmp_path, content)
    assert (line, problem) in [
        (number, problem if problem in found else found) for number, found in errors(TASK1, path)
    ]
    with pytest.raises(MalformedFileError) as caught:
        load_run(TASK1, path)
    first, *_ = str(caught.value).replace(str(path), "some.run").split("\n")
    assert len(first) <= 100
    assert first.isprintable()


@pytest.mark.parametrize("name", ["gone.run", "some.run/deeper", "n" * 300, "null\0", "."])
def test_a_file_that_cannot_be_opened_is_named_with_the_reason(tmp_path, name):
    saved(tmp_path, OFFICIAL)
    for dataset in (TASK1, PREDICTION):
        with pytest.raises(MalformedFileError, match=r"no such run file|cannot be read") as caught:
            load_run(dataset, tmp_path / name)
        assert caught.value.path == tmp_path / name


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize(("dataset", "content"), [(TASK1, OFFICIAL), (RATIONALE, TORTS)])
def test_a_pipe_is_read_once(tmp_path, dataset, content):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=[content], daemon=True)
    writer.start()
    read = load_run(dataset, tmp_path / "pipe").table
    writer.join(timeout=10)
    assert not writer.is_alive()
    pd.testing.assert_frame_equal(read, load_run(dataset, saved(tmp_path, content)).table)


BINARY = [b"\x7fELF\xff\n\x80", pickle.dumps({}, 4), gzip.compress(gzip.compress(b"a", mtime=0), mtime=0)]
CUT_OFF = gzip.compress(OFFICIAL.encode() * 50)[:-6]


@pytest.mark.parametrize("dataset", [TASK1, TASK3, PREDICTION])
@pytest.mark.parametrize("content", [*BINARY, CUT_OFF])
def test_what_is_no_text_or_is_cut_off_is_refused_with_its_line(tmp_path, dataset, content):
    problem, line = (r"cannot be read", None) if content is CUT_OFF else (r"is not UTF-8|is NUL", 1)
    with pytest.raises(MalformedFileError, match=problem) as caught:
        load_run(dataset, saved(tmp_path, content))
    assert caught.value.line == line


# --- limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_a_file_is_not_read_beyond_the_limit(tmp_path, monkeypatch, compress):
    monkeypatch.setattr(run_reading, "RUN", run_reading.RUN._replace(max_bytes=2000))
    line = b"900656 900557 mine\n"
    assert len(load_run(TASK1, saved(tmp_path, compress(line.rjust(2000, b"\n")))).table) == 1
    with pytest.raises(MalformedFileError, match="more than 2,000 bytes"):
        load_run(TASK1, saved(tmp_path, compress(b"\n" * 2001)))
    if os.path.exists("/dev/zero"):
        with pytest.raises(MalformedFileError, match="more than 2,000 bytes"):
            load_run(TASK1, Path("/dev/zero"))


@pytest.mark.parametrize(
    ("start", "line"), [("", "900656 900557 mine\r"), ("qid,docno,text\n", '900656,900557,"a\nb"\n'), ("", "json")]
)
def test_a_run_has_at_most_so_many_answers(tmp_path, monkeypatch, start, line):
    monkeypatch.setattr(run_reading, "_MAX_ANSWERS", 10)

    def content(number):
        return json.dumps({"900656": ["900557"] * number}) if line == "json" else start + line * number

    assert len(load_run(TASK1, saved(tmp_path, content(10))).table) == 10
    with pytest.raises(MalformedFileError, match=r"more than 10 answers\.\nExpected: .*at most 1,000 items"):
        load_run(TASK1, saved(tmp_path, content(11)))
    assert 1.4e6 * max(s.counts.get("queries", 0) for s in SPLITS.values() if s.task == "task1") < 3e9


def test_a_text_longer_than_the_limit_of_the_csv_module_is_read(tmp_path):
    before = csv.field_size_limit()
    path = saved(tmp_path, f"qid,query,docno\n900656,{'x' * (before + 1)},900557\n")
    assert pairs(read_lines(TASK1, path)) == PAIRS[:1]
    assert csv.field_size_limit() == before


def test_of_many_wrong_lines_the_first_of_each_kind_is_shown(tmp_path):
    path = saved(tmp_path, OFFICIAL + "one two\n" * 3000)
    assert len(errors(TASK1, path)) == run_reading.MAX_ERRORS
    messages = [finding.message for finding in validate(TASK1, path)]
    assert any("later lines were not checked" in message for message in messages)
    assert not any("have no answer" in message for message in messages)
    path = saved(tmp_path, OFFICIAL + "".join(f"900656 {number} mine\n" for number in range(10**6, 10**6 + 3000)))
    (unknown,) = [finding for finding in validate(TASK1, path) if "not in the collection" in finding.message]
    assert unknown.line == 3
    assert unknown.message.endswith(" (3,000 times, this is the first)")
    with pytest.raises(ColieeError, match="has 1 error; no file was written"):
        submit(TASK1, path, tag="mine", out=tmp_path / "out")


# --- the pilot's answer files ----------------------------------------------------------------------


def tort(**changes):
    """One synthetic tort instance as a line."""
    record = json.loads(TORTS.splitlines()[0])
    return json.dumps(record | {"tort_id": "900001", "court_decision": True} | changes) + "\n"


def claim(is_accepted):
    return {"id": "0", "description": "There was a storm.", "is_accepted": is_accepted}


def test_decisions_and_accepted_claims_are_answers(tmp_path):
    sides = {"plaintiff_claims": [claim(True), claim(False) | {"id": "1"}], "defendant_claims": [claim(True)]}
    path = saved(tmp_path, tort(**sides) + tort(tort_id="900002", court_decision=False))
    assert [(a.line, a.qid, a.docno) for a in read_lines(PREDICTION, path)] == [
        (1, "900001", "True"),
        (2, "900002", "False"),
    ]
    assert [line.docno for line in read_lines(RATIONALE, path) if line.qid == "900001"] == ["900001_p0", "900001_d0"]
    path = saved(tmp_path, "900101 Q0 900101_p0 1 0.5 mine\n")
    assert pairs(read_lines(RATIONALE, path)) == [("900101", "900101_p0")]


@pytest.mark.parametrize(
    ("dataset", "line", "problem"),
    [
        (PREDICTION, tort(court_decision=None), "court_decision of 900001 is null"),
        (RATIONALE, tort(defendant_claims=[claim(None)]), "is_accepted of claim 900001_d0 is null"),
        *((PREDICTION, line, "") for line in ("{", "[]", "3", "", "[" * 100_000, '{"tort_id": %s}' % ("1" * 5_000))),
        *((PREDICTION, tort(court_decision=value), "") for value in ("true", 1)),
        *((PREDICTION, tort(plaintiff_claims=value), "") for value in (None, ["a"], [{"id": "0"}], [claim(0)])),
        (PREDICTION, tort(tort_id=900001), ""),
    ],
)
def test_a_malformed_instance_is_named_with_its_line(tmp_path, dataset, line, problem):
    path = saved(tmp_path, TORTS.splitlines()[0] + "\n" + line.rstrip("\n") + "\n" + tort(tort_id="900003"))
    with pytest.raises(MalformedFileError, match=problem) as caught:
        load_run(dataset, path)
    assert caught.value.line == 2
    with pytest.raises(MalformedFileError, match="is empty"):
        load_run(PREDICTION, saved(tmp_path, ""))


# --- a run of any form, written and read -----------------------------------------------------------

texts = st.text(alphabet=string.ascii_letters + " ,;\"'\n\té本", max_size=12)
rows = st.dictionaries(
    st.tuples(st.integers(900_000, 900_060).map(str), st.integers(900_000, 900_060).map(str)),
    st.tuples(st.floats(-1e6, 1e6), texts),
    min_size=1,
    max_size=8,
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    rows,
    st.sampled_from([",", "\t", ";"]),
    st.booleans(),
    st.permutations(["qid", "query", "docno", "score", "rank"]),
    st.sampled_from(
        [{}, {"qid": "query_id", "query": "text", "docno": "doc_id"}, {"qid": "q_id", "docno": "document"}]
    ),
)
def test_a_frame_that_pandas_writes_is_read_as_it_was(run, delimiter, index, order, names):
    answers = [(*pair, score, n) for n, (pair, (score, _)) in enumerate(run.items())]
    frame = pd.DataFrame(answers, columns=["qid", "docno", "score", "rank"])
    frame["query"] = [text for _, text in run.values()]
    with tempfile.TemporaryDirectory() as folder:
        path = saved(Path(folder), frame[order].rename(columns=names).to_csv(sep=delimiter, index=index))
        lines = read_lines(TASK1, path)
        write_ranking(TASK1, frame, Path(folder) / "a.trec", "mine")
        ranking = load_run(TASK1, Path(folder) / "a.trec").table
    assert [(line.qid, line.docno, line.score, int(line.rank)) for line in lines] == answers
    best_first = frame.sort_values(["score", "rank"], ascending=[False, True])
    for query, group in best_first.groupby("qid"):
        assert ranking.loc[ranking["qid"] == query, "docno"].tolist() == group["docno"].tolist()


@pytest.mark.filterwarnings("ignore::ir_coliee.errors.ColieeWarning")
def test_a_run_of_any_form_is_written_and_scored_alike(tmp_path):
    results = pd.DataFrame({"qid": "900656", "query": "a text", "docno": ["900557", "900912"], "score": [2.0, 1.0]})
    results = results.assign(rank=[0, 1])
    pt.io.write_results(results, str(tmp_path / "a.res.gz"))
    forms = [
        tmp_path / "a.res.gz",
        str(saved(tmp_path, results.to_csv(), "a.csv")),
        {"900656": {"900557": 2.0, "900912": 1.0}},
        results.assign(qid="t1-900656.txt", docno=results["docno"] + ".txt"),
        results.drop(columns="rank").astype({"qid": "category", "docno": "category"}),
        results.astype({"qid": "string", "docno": "string", "score": "Float64"}),
        results.rename(columns={"qid": "query_id", "docno": "doc_id"}),
    ]
    figures = score(TASK1, results).figures
    for n, run in enumerate(forms):
        write_run(TASK1, run, tmp_path / f"{n}.run", "mine")
        write_ranking(TASK1, run, str(tmp_path / f"{n}.trec"), "mine")
        assert (tmp_path / f"{n}.run").read_text() == OFFICIAL
        assert (tmp_path / f"{n}.trec").read_text() == ("900656 Q0 900557 1 2.0 mine\n900656 Q0 900912 2 1.0 mine\n")
        assert score(TASK1, run).figures == figures


@pytest.mark.parametrize("rank", [(1, 0), (1.0, 0.0), (None, 4)])
def test_ties_of_a_run_of_any_form_are_ordered_by_rank(tmp_path, rank):
    frame = pd.DataFrame({"qid": "900656", "docno": ["900557", "900912"], "score": 1.0, "rank": rank})
    for n, run in enumerate([frame, saved(tmp_path, frame.fillna("x").to_csv(index=False), "a.csv")]):
        path, _ = submit(TASK1, run, tag="mine", out=tmp_path / str(n), cutoff=TopK(1))
        assert path.read_text() == "900656 900912 mine\n"
