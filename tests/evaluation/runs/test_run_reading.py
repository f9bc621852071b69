"""What the reader of runs accepts beside the official form, and what it makes of it."""

import gzip
import json
import os
import pickle
import tempfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.editions import split
from ir_coliee.errors import ColieeError, MalformedFileError, MissingReleaseError
from ir_coliee.evaluation import runs as run_reading
from ir_coliee.evaluation.runs import RunLine, as_frame, open_run, parse_run, read_run

TASK1 = split("coliee/task1/sample/test")
TASK2 = split("coliee/task2/sample/test")
TASK3 = split("coliee/task3/sample/en/test")
TASK4 = split("coliee/task4/sample/en/test")
POOLS = split("coliee/task1/2019/test")


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """Task 1 of 2019 with two queries and a few candidates each, two of them of one number."""
    folder = tmp_path / "copy" / "task1_test"
    for query, candidates in {"001": ["008", "018", "130"], "012": ["018", "018a", "045", "45", "200"]}.items():
        (folder / query / "candidates").mkdir(parents=True)
        (folder / query / "base_case.txt").write_text("A query.")
        for candidate in candidates:
            (folder / query / "candidates" / f"{candidate}.txt").write_text("A candidate.")
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "copy"))
    return folder


def run_of(folder, content):
    path = folder / "some.run"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def answers(folder, dataset, content):
    return [(line.query_id, line.docno) for line in read_run(dataset, run_of(folder, content))]


def errors(folder, dataset, content):
    """Line and problem of what cannot be read; nothing is raised."""
    entries = parse_run(dataset, open_run(run_of(folder, content)))
    return [(entry.line, entry.problem) for entry in entries if isinstance(entry, MalformedFileError)]


# --- ids -------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("copy")
@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("t1-1 18", ("001", "001_018")),
        ("t1-001 018", ("001", "001_018")),
        ("001 018", ("001", "001_018")),
        ("1 8", ("001", "001_008")),
        ("1 0008", ("001", "001_008")),
        ("001.txt 018.txt", ("001", "001_018")),
        ("t1-1.txt 18.txt", ("001", "001_018")),
        ("001 001_018", ("001", "001_018")),
        ("t1-12 200", ("012", "012_200")),
        # a number that two have is taken as it is written, if one is written so
        ("012 45", ("012", "012_45")),
        ("012 45.txt", ("012", "012_45")),
        ("012 045", ("012", "012_045")),
        ("012 0045", ("012", "012_0045")),
        # what matches nothing
        ("012 545", ("012", "012_545")),
        ("001 045", ("001", "001_045")),
        ("013 018", ("013", "013_018")),
        ("t2-1 18", ("t2-1", "t2-1_18")),
        ("t1-x 18", ("t1-x", "t1-x_18")),
        ("001 012_018", ("001", "001_012_018")),
        ("001 ١٨", ("001", "001_١٨")),
    ],
)
def test_ids_of_pools_are_found_by_name_then_by_number(tmp_path, written, read):
    [line] = read_run(POOLS, run_of(tmp_path, f"{written} mine\n"))
    assert (line.query_id, line.docno) == read
    assert line.written == tuple(written.split())


@pytest.mark.parametrize(
    ("dataset", "written", "read"),
    [
        (TASK1, "900656.txt 900557.txt", ("900656", "900557")),
        (TASK1, "t1-900656 0900557", ("900656", "900557")),
        (TASK1, "900656.txt.txt 900557", ("900656.txt.txt", "900557")),
        (TASK1, "123.txt 456.txt", ("123.txt", "456.txt")),
        (TASK2, "900009 3", ("900009", "900009_003")),
        (TASK2, "t2-900009 03.txt", ("900009", "900009_003")),
        (TASK2, "900009 900009_003", ("900009", "900009_003")),
        (TASK2, "900009 900010_003", ("900009", "900009_900010_003")),
        (TASK3, "R99-1-A 009", ("R99-1-A", "009")),
        (TASK3, "R99-01-A.txt 9.txt", ("R99-01-A.txt", "9.txt")),
        (TASK4, "t4-R99-01-A y", ("t4-R99-01-A", "Y")),
    ],
)
def test_ids_of_case_law_are_numbers_and_those_of_statutes_names(tmp_path, dataset, written, read):
    assert answers(tmp_path, dataset, f"{written} mine\n") == [read]


def test_without_the_copy_ids_of_case_law_are_not_guessed(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    with pytest.raises(MissingReleaseError):
        read_run(POOLS, run_of(tmp_path, "001 018 mine\n"))
    assert answers(tmp_path, split("coliee/task4/2025/en/test"), "R99-01-A Y mine\n") == [("R99-01-A", "Y")]


def test_no_text_is_read_to_find_out_what_ids_mean(tmp_path, monkeypatch, copy):
    for file in copy.rglob("*.txt"):
        file.write_bytes(b"")
    monkeypatch.setattr("ir_coliee.releases.files.read_text", None)
    assert answers(tmp_path, POOLS, "1 18 mine\n") == [("001", "001_018")]
    assert answers(tmp_path, TASK2, "900009 3 mine\n") == [("900009", "900009_003")]


# --- lines -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("blank", [" ", "\t", "   ", " \t "])
@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("columns", ["900656 900557 mine", "900656 Q0 900557 1 0.5 mine"])
def test_blanks_line_ends_and_marks_make_no_difference(tmp_path, end, blank, start, columns):
    lines = [blank.join(columns.split()), "", f"{blank}{columns.replace('900557', '900912').replace('0.5', '0.4')}"]
    entries = read_run(TASK1, run_of(tmp_path, start + end.join(lines)))
    assert [(e.line, e.query_id, e.docno, e.tag) for e in entries] == [
        (1, "900656", "900557", "mine"),
        (3, "900656", "900912", "mine"),
    ]


@pytest.mark.parametrize("comment", ["/* sample */", "/**/", "  /* one   two three */  ", "/* a b */\r", "/*\t*/"])
def test_a_line_that_is_a_comment_is_passed_over(tmp_path, comment):
    line = "R99-01-A Q0 9 1 0.5 mine"
    [read] = read_run(TASK3, run_of(tmp_path, f"{comment}\n{line}\n{comment}"))
    assert (read.line, read.docno) == (2, "9")


@pytest.mark.parametrize("line", ["/* open", "close */", "/* a */ b"])
def test_half_a_comment_is_no_comment(tmp_path, line):
    [(number, problem)] = errors(tmp_path, TASK3, f"R99-01-A Q0 9 1 0.5 mine\n{line}\n")
    assert (number, problem) == (2, f"{len(line.split())} columns")


@pytest.mark.parametrize("dataset", [TASK1, TASK2, TASK3, TASK4])
def test_six_columns_are_read_where_three_are_due_and_the_reverse(tmp_path, dataset):
    [ranked] = read_run(dataset, run_of(tmp_path, "900009 Q0 7 3 0.25 mine\n"))
    assert (ranked.query_id, ranked.score, ranked.rank, ranked.tag) == ("900009", 0.25, "3", "mine")
    assert ranked.written == ("900009", "7")
    first, second = read_run(dataset, run_of(tmp_path, "900009 7 mine\n900009 8 mine\n"))
    assert (first.rank, first.tag, first.written) == ("", "mine", ("900009", "7"))
    assert first.score > second.score


@pytest.mark.parametrize(
    ("content", "line", "expected"),
    [
        ("900656 900557 mine\n900656 Q0 900557 1 0.5 mine\n", 2, "3 columns"),
        ("900656 Q0 900557 1 0.5 mine\n900656 900557 mine\n", 2, "6 columns"),
        ("900656 900557\n900656 Q0 900557 1 0.5 mine\n", 1, "6 columns"),
        ("900656\n900656 Q0 900557 1 0.5 mine\n", 1, "6 columns"),
        ("900656 900557\n900656\n", 1, "3 columns"),
        ("900656,900557\n900656,900912,1\n", 2, "2 columns"),
    ],
)
def test_the_first_line_with_a_tag_tells_how_many_columns_a_file_has(tmp_path, content, line, expected):
    with pytest.raises(MalformedFileError) as caught:
        read_run(TASK1, run_of(tmp_path, content))
    assert caught.value.line == line
    assert caught.value.expected.startswith(expected)


def test_one_line_without_its_tag_is_the_only_error(tmp_path):
    content = "900656 900557\n900656 900912 mine\n900795 900754 mine\n"
    assert errors(tmp_path, TASK1, content) == [(1, "2 columns")]


@pytest.mark.parametrize(
    "content", ["900656 900557 0.5\n900656 900912 1.5\n", "900656\t900557\t1\n900656\t900912\t0\n"]
)
def test_scores_in_the_place_of_the_tag_are_refused(tmp_path, content):
    [(line, problem)] = errors(tmp_path, TASK1, content)
    assert (line, problem) == (1, "the third column has scores or other numbers, but there is no header")
    assert len(answers(tmp_path, TASK1, f"qid docno score\n{content}".replace("\t", " "))) == 2


@pytest.mark.parametrize("tags", [("1", "1"), ("run2", "run2"), ("0.5", "b")])
def test_a_number_may_be_a_tag(tmp_path, tags):
    first, second = tags
    assert len(answers(tmp_path, TASK1, f"900656 900557 {first}\n900656 900912 {second}\n")) == 2


@pytest.mark.parametrize("form", ["{}, {}\n", "{},{}\n", "{};{}\n", '"{}";"{}"\r\n', " {} , {} \n"])
def test_lists_may_be_separated_by_commas_or_semicolons(tmp_path, form):
    pairs = [("R99-01-A", "Y"), ("R99-01-I", "n")]
    assert answers(tmp_path, TASK4, "".join(form.format(*pair) for pair in pairs)) == [*pairs[:1], ("R99-01-I", "N")]


def test_a_comma_in_a_tag_is_part_of_it(tmp_path):
    [line] = read_run(TASK1, run_of(tmp_path, "900656 900557 a,b\n"))
    assert (line.docno, line.tag) == ("900557", "a,b")


def test_order_is_by_score_then_by_rank_then_by_line(tmp_path):
    lines = ["5 2 0.5", "6 1 0.5", "7 9 0.75", "8 first 0.5", "9 12 0.5", "10 first 0.5"]
    content = "".join(f"R99-01-A Q0 {line} mine\n" for line in lines)
    frame = as_frame(read_run(TASK3, run_of(tmp_path, content)))
    assert frame["docno"].tolist() == ["7", "6", "5", "9", "8", "10"]
    assert frame["rank"].tolist() == [0, 1, 2, 3, 4, 5]
    assert list(frame.columns) == ["qid", "docno", "score", "rank"]


# --- JSON --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dataset", "content", "read"),
    [
        (
            TASK1,
            {"900656.txt": ["900557.txt", "900912.txt"]},
            [("900656", "900557", -1), ("900656", "900912", -2)],
        ),
        (TASK1, {"900656": "900557.txt, 900912.txt"}, [("900656", "900557", -1), ("900656", "900912", -2)]),
        (TASK1, {"900656": ["900557"], "900795": ["900754"]}, [("900656", "900557", -1), ("900795", "900754", -2)]),
        (TASK1, {"900656": {"900912": 0.5, "900557": 2}}, [("900656", "900912", 0.5), ("900656", "900557", 2)]),
        (TASK1, {"900656": {"900912": False, "900557": True}}, [("900656", "900557", -1)]),
        (TASK1, {"900656": [], "900795": "", "900545": {}}, []),
        (TASK1, {}, []),
        (TASK2, {"900009": "3,5"}, [("900009", "900009_003", -1), ("900009", "900009_005", -2)]),
        (TASK2, {"t2-900009": ["003.txt", " "]}, [("900009", "900009_003", -1)]),
        (TASK3, {"R99-01-A": ["12-2"]}, [("R99-01-A", "12-2", -1)]),
        (TASK4, {"R99-01-A": "Y", "R99-01-I": ["N"]}, [("R99-01-A", "Y", -1), ("R99-01-I", "N", -2)]),
        (TASK4, {"R99-01-A": {"Y": True, "N": False}}, [("R99-01-A", "Y", -1)]),
    ],
)
def test_json_in_every_shape_of_values(tmp_path, dataset, content, read):
    path = run_of(tmp_path, json.dumps(content))
    lines = read_run(dataset, path)
    assert [(line.query_id, line.docno, line.score) for line in lines] == read
    assert open_run(path).is_json
    assert {(line.tag, line.rank) for line in lines} <= {("", "")}


def test_json_answers_keep_what_is_written_and_the_line_of_their_key(tmp_path):
    content = '\ufeff\r\n {"900656.txt":\r\n ["557",\r\n "t\\u0031-1"],\r\n\r\n"900795" : "900754" }\r\n'
    lines = read_run(TASK1, run_of(tmp_path, content))
    assert [(line.line, line.written) for line in lines] == [
        (2, ("900656.txt", "557")),
        (2, ("900656.txt", "t1-1")),
        (6, ("900795", "900754")),
    ]


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        ('{"900656": 1}', 1, "neither names nor scores"),
        ('{"900656": null}', 1, "neither names nor scores"),
        ('{"900656": true}', 1, "neither names nor scores"),
        ('{"900656": [true]}', 1, "neither names nor scores"),
        ('{"900656": [["900557", 0.5]]}', 1, "neither names nor scores"),
        ('{"900656": {"900557": "0.5"}}', 1, "neither names nor scores"),
        ('{\n"900656": {"900557": NaN}}', 2, "neither names nor scores"),
        ('{\n"900656": {"900557": -Infinity}}', 2, "neither names nor scores"),
        ('{"900656": {"900557": 4e38}}', 1, "neither names nor scores"),
        ('{"900656": {"900557": 1%s}}' % ("0" * 400), 1, "neither names nor scores"),
        ('{"900656": {"900557": null}}', 1, "neither names nor scores"),
        ('{\n\n"900656": ["a\\u0000b"]}', 3, "a control character"),
        ('{"900\\ud800": ["900557"]}', 1, "a control character"),
        ('{"%s": 1}' % ("9" * 200), 1, "neither names nor scores"),
        ('{"%s": "a\\u0000b"}' % ("9" * 200), 1, "a control character"),
        ('{"900656": ["900557"]', 1, "not a JSON object"),
        ('{"900656":\n["900557"],}', 2, "not a JSON object"),
        ('{"900656": ["900557"]}\n{"900795": ["900754"]}', 2, "not a JSON object"),
        ('["900656", "900557"]', 1, "not a JSON object"),
        ("[]", 1, "not a JSON object"),
        ("{" * 100_000, 1, "not a JSON object"),
        ('{"900656": %s}' % ("[" * 100_000), 1, "not a JSON object"),
        ('{"900656": ' + "[" * 980 + "]" * 980 + "}", 1, ""),
        ('{"900656": %s}' % ("1" * 5_000), 1, "not a JSON object"),
    ],
)
def test_json_that_is_no_run_is_refused_with_its_line(tmp_path, content, line, problem):
    [(number, found)] = errors(tmp_path, TASK1, content)
    assert number == line
    assert problem in found
    assert found.isprintable()
    assert len(found.partition("\n")[0]) <= 100


def test_a_query_that_json_gives_twice_is_told_and_the_last_counts(tmp_path):
    content = '{"900656": ["900557"],\n"900795": ["900754"],\n"900656": ["900912"]}'
    assert errors(tmp_path, TASK1, content) == [(3, "query 900656 has different items on line 1")]
    entries = parse_run(TASK1, open_run(tmp_path / "some.run"))
    read = [(entry.query_id, entry.docno) for entry in entries if isinstance(entry, RunLine)]
    assert read == [("900656", "900912"), ("900795", "900754")]
    with pytest.raises(MalformedFileError, match="line 3"):
        read_run(TASK1, tmp_path / "some.run")


def test_a_query_that_json_gives_twice_alike_is_read_once(tmp_path):
    content = '{"900656": ["900557"], "900656": "900557"}'
    assert answers(tmp_path, TASK1, content) == [("900656", "900557")]


def test_an_item_that_json_scores_twice_is_there_twice(tmp_path):
    lines = read_run(TASK1, run_of(tmp_path, '{"900656": {"900557": 1, "900557": 2}}'))
    assert [(line.docno, line.score) for line in lines] == [("900557", 1), ("900557", 2)]


# --- what no run is --------------------------------------------------------------------------------


def test_a_line_of_more_than_a_megabyte_is_refused_and_reading_goes_on(tmp_path):
    longest = "900656 900557 ".ljust(2**20 - 1, "m")
    content = f"{longest}m\n{longest}mm\n900656 900912 mine\n"
    assert errors(tmp_path, TASK1, content) == [(2, f"{2**20 + 1} characters in one line")]
    entries = list(parse_run(TASK1, open_run(tmp_path / "some.run")))
    assert [entry.line for entry in entries] == [1, 2, 3]


def test_a_file_beyond_all_runs_is_refused_without_being_read_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr(run_reading, "RUN", run_reading.RUN._replace(max_bytes=40))
    path = run_of(tmp_path, "900656 900557 mine\n" * 2 + "\n\n")
    assert len(read_run(TASK1, path)) == 2
    with pytest.raises(MalformedFileError, match="41 bytes"):
        read_run(TASK1, run_of(tmp_path, "900656 900557 mine\n" * 2 + "\n\n\n"))
    if os.path.exists("/dev/zero"):
        with pytest.raises(MalformedFileError, match="more than 40 bytes"):
            read_run(TASK1, Path("/dev/zero"))


def test_a_null_byte_is_named_with_its_line(tmp_path):
    with pytest.raises(MalformedFileError, match="line 2: byte 14 of the line is NUL"):
        errors(tmp_path, TASK3, b"R99-01-A Q0 9 1 1.0 mine\nR99-01-A Q0 9\0 1 1.0 mine\n")


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=4) | st.sampled_from(["900557", "Y"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=10,
)
pieces = st.sampled_from(
    [
        *(b"900656", b"t1-", b".txt", b"Q0", b"1", b"0.5", b"nan", b" ", b"\t", b"\n", b"\r", b"\0", b"/*", b"*/"),
        *(b"{", b"}", b"[", b"]", b":", b",", b'"', b"\\ud800", b"true", b"\xff", b"\xef\xbb\xbf", "ü".encode()),
    ]
)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(
    st.binary(max_size=60)
    | st.lists(pieces, max_size=25).map(b"".join)
    | st.dictionaries(st.text(max_size=6), json_values, max_size=4).map(lambda run: json.dumps(run).encode()),
    st.sampled_from([TASK1, TASK2, TASK3, TASK4]),
)
@pytest.mark.filterwarnings("ignore::ir_coliee.errors.ColieeWarning")
def test_whatever_the_bytes_are_they_are_read_or_refused_with_our_error(content, dataset):
    with tempfile.TemporaryDirectory() as folder:
        path = run_of(Path(folder), content)
        try:
            entries = list(parse_run(dataset, open_run(path)))
        except MalformedFileError:  # a damaged compressed file
            return
        assert all(isinstance(entry, RunLine | MalformedFileError) for entry in entries)
        assert all(entry.line >= 1 and str(entry.line) for entry in entries)
        assert all(
            f"{entry.problem} {entry.expected}".isprintable()
            for entry in entries
            if isinstance(entry, MalformedFileError)
        )
        try:
            assert len(as_frame(read_run(dataset, path))) == len(entries)
        except ColieeError:
            assert any(isinstance(entry, MalformedFileError) for entry in entries)


# --- the same answers, however they are written ----------------------------------------------------

QUERIES = ["900545", "900656", "900795"]
ITEMS = ["900532", "900557", "900593", "900754", "900912"]
spelled = st.builds(
    lambda prefix, zeros, suffix: lambda name: prefix + "0" * zeros + name + suffix,
    st.sampled_from(["", "t1-"]),
    st.integers(0, 2),
    st.sampled_from(["", ".txt"]),
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(QUERIES), st.sampled_from(ITEMS)), unique=True, max_size=8),
    st.data(),
    st.sampled_from(["lines", "ranked", "json"]),
)
def test_answers_in_any_spelling_read_like_the_official_ones(pairs, data, form):
    shape, item_shape = data.draw(spelled), data.draw(spelled.filter(lambda spell: "-" not in spell("")))
    written = [(shape(query), item_shape(item)) for query, item in pairs]
    if form == "json":
        by_query = {}
        for query, item in written:
            by_query.setdefault(query, []).append(item)
        content = json.dumps(by_query, indent=data.draw(st.none() | st.just(1)))
    elif form == "ranked":
        content = "".join(f"{query} Q0 {item} 1 {-n} mine\n" for n, (query, item) in enumerate(written))
    else:
        content = "".join(f"{query} {item} mine\n" for query, item in written)
    with tempfile.TemporaryDirectory() as folder:
        lines = read_run(TASK1, run_of(Path(folder), content))
    assert {(line.query_id, line.docno) for line in lines} == set(pairs)
    assert sorted(line.written for line in lines) == sorted(written)
    order = as_frame(lines)
    for query in QUERIES:
        assert order["docno"][order["qid"] == query].tolist() == [item for q, item in pairs if q == query]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("dataset", [TASK1, split("coliee/pilot/sample/prediction/test")])
def test_a_file_in_utf_16_is_called_that(tmp_path, dataset, encoding):
    path = tmp_path / "a.run"
    path.write_bytes("\ufeff900656 900557 mine\n".encode(encoding))
    with pytest.raises(MalformedFileError, match="the file is encoded in UTF-16"):
        read_run(dataset, path)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_a_pickle_is_called_that(tmp_path, protocol, compress):
    path = tmp_path / "bm25.mod"
    run = pd.DataFrame({"qid": ["900656"], "docno": ["900557"], "score": [1.0]})
    path.write_bytes(compress(pickle.dumps(run, protocol)))
    with pytest.raises(MalformedFileError, match="this is a pickle: load it in Python and pass the frame"):
        open_run(path)


def test_scores_and_true_do_not_mix_in_json(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"900656": {"900557": true, "900912": 0.5}}')
    with pytest.raises(MalformedFileError, match="line 1"):
        read_run(TASK1, path)


def test_an_answer_says_whether_the_file_gave_it_a_score(tmp_path):
    path = tmp_path / "a.run"
    for content, expected in [
        ("900656 900557 mine\n", False),
        ("900656 Q0 900557 1 -1 mine\n", True),
        ('{"900656": ["900557"]}', False),
        ('{"900656": {"900557": -1}}', True),
    ]:
        path.write_text(content)
        (answer,) = read_run(TASK1, path)
        assert (answer.score, answer.has_score) == (-1.0, expected)
