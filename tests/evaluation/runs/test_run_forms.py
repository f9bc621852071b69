"""Files as people have them: compressed, tables with a header, lists of query and item, results of a transformer."""

import bz2
import gzip
import io
import json
import lzma
import string
import tempfile
from pathlib import Path

import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee import compare, score
from ir_coliee.editions import split
from ir_coliee.errors import ColieeError, MalformedFileError
from ir_coliee.evaluation import runs as run_reading
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.gold import query_ids
from ir_coliee.evaluation.runs import as_frame, load_run, open_run, parse_run, read_run
from ir_coliee.evaluation.submission import submit
from ir_coliee.evaluation.writing import write_ranking, write_run
from ir_coliee.transformers import TopK

TASK1, TASK2, TASK3, TASK4 = map(
    split,
    (
        "coliee/task1/sample/test",
        "coliee/task2/sample/test",
        "coliee/task3/sample/en/test",
        "coliee/task4/sample/en/test",
    ),
)
PREDICTION, RATIONALE = split("coliee/pilot/sample/prediction/test"), split("coliee/pilot/sample/rationale/test")
COMPRESS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress}
OFFICIAL = b"900656 900557 mine\n900656 900912 mine\n"
PAIRS = [("900656", "900557"), ("900656", "900912")]


def saved(folder, content, name="some.run"):
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def pairs(lines):
    return [(line.query_id, line.docno) for line in lines]


def error(dataset, path):
    """The first error of a file."""
    with pytest.raises(MalformedFileError) as caught:
        read_run(dataset, path)
    assert len(str(caught.value).replace(f"{path}", "some.run").splitlines()[0]) <= 100
    return caught.value


# --- compressed files ------------------------------------------------------------------------------


@pytest.mark.parametrize("form", COMPRESS)
def test_a_compressed_file_is_read_whatever_its_name(tmp_path, form):
    path = saved(tmp_path, COMPRESS[form](OFFICIAL))
    assert read_run(TASK1, path) == read_run(TASK1, saved(tmp_path, OFFICIAL, "plain.gz"))
    assert open_run(path).compression == form
    json_run = saved(tmp_path, COMPRESS[form](json.dumps({"900656": ["900557", "900912"]}).encode()))
    assert pairs(read_run(TASK1, json_run)) == PAIRS


@pytest.mark.parametrize("form", COMPRESS)
def test_a_compressed_file_is_not_the_official_form(tmp_path, form):
    path = saved(tmp_path, COMPRESS[form](OFFICIAL))
    messages = [finding.message for finding in validate(TASK1, path) if finding.level == "error"]
    assert messages == [f"the file is compressed ({form}); expected a text file"]


@pytest.mark.parametrize("form", COMPRESS)
@pytest.mark.parametrize(
    "damage", [lambda data: data[:-6], lambda data: data[:12], lambda data: data[:11] + b"\xff" * 40]
)
def test_a_damaged_compressed_file_is_named(tmp_path, form, damage):
    path = saved(tmp_path, damage(COMPRESS[form](OFFICIAL * 50)))
    problem = error(TASK1, path)
    assert problem.problem.startswith(f"the {form} file is damaged, it")
    assert problem.path == path


@pytest.mark.parametrize("form", COMPRESS)
def test_the_limit_of_the_size_is_that_of_the_decompressed_file(tmp_path, monkeypatch, form):
    monkeypatch.setattr(run_reading, "RUN", run_reading.RUN._replace(max_bytes=2000))
    path = saved(tmp_path, COMPRESS[form](b"\n" * 2000))
    assert read_run(TASK1, path) == []
    path = saved(tmp_path, COMPRESS[form](b"\n" * 2001))
    assert path.stat().st_size < 200
    assert "more than 2,000 bytes" in error(TASK1, path).problem


def test_what_pt_experiment_saves_is_read(tmp_path):
    results = pd.DataFrame({"qid": "900656", "docno": ["900912", "900557"], "score": [1.5, 2.5], "rank": [1, 0]})
    pt.io.write_results(results, str(tmp_path / "BM25.res.gz"))
    frame = as_frame(read_run(TASK1, tmp_path / "BM25.res.gz"))
    assert frame[["qid", "docno", "score"]].values.tolist() == [["900656", "900557", 2.5], ["900656", "900912", 1.5]]


# --- tables with a header --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        "qid,docno,score,rank\n900656,900557,2.5,0\n900656,900912,1.5,1\n",
        ',qid,query,docno,score,rank\n0,900656,"a, text\nof ""lines""",900557,2.5,0\n1,900656,x,900912,1.5,1\n',
        "query_id\tdoc_id\tscore\n900656\t900557\t2.5\n900656\t900912\t1.5\n",
        "Query;Document;Score\r\n900656;900557;2.5\r\n900656;900912;1.5\r\n",
        "\ufeffq_id,doc_id,score\n900656,900557,2.5\n\n900656,900912,1.5\n",
        "query item score\n900656 900557 2.5\n900656  900912  1.5\n",
        '"qid","docno","score"\n"900656","900557","2.5"\n"900656","900912","1.5"',
        "score, docno, qid\n2.5, 900557, 900656\n1.5, 900912, 900656\n",
        "query Q0 item rank score tag\n900656 Q0 900557 0 2.5 mine\n900656 Q0 900912 1 1.5 mine\n",
    ],
)
def test_a_table_is_read_by_the_names_of_its_columns(tmp_path, content):
    lines = read_run(TASK1, saved(tmp_path, content))
    assert [(line.query_id, line.docno, line.score) for line in lines] == [
        ("900656", "900557", 2.5),
        ("900656", "900912", 1.5),
    ]
    assert all(line.has_score for line in lines)


def test_a_row_has_the_line_that_it_begins_on(tmp_path):
    lines = read_run(TASK1, saved(tmp_path, '/* sample */\nqid,text,docno\n900656,"a\nb\nc",900557\n900656,d,900912\n'))
    assert [line.line for line in lines] == [3, 6]


@pytest.mark.parametrize(
    ("content", "docnos"),
    [
        ("qid,docno\n900656,900557\n900656,900912\n", ["900557", "900912"]),
        ("qid,docno,rank\n900656,900912,1\n900656,900557,0\n", ["900557", "900912"]),
    ],
)
def test_without_scores_the_rank_or_the_order_of_the_file_counts(tmp_path, content, docnos):
    loaded = load_run(TASK1, saved(tmp_path, content))
    assert loaded.frame["docno"].tolist() == docnos
    assert not loaded.has_scores


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        ("qid,score\n900656,1\n", 1, "the header has no item, such as docno"),
        ("docno,score\n900656,1\n", 1, "the header has no query, such as qid"),
        ("qid,docno,score\n900656,900557\n", 2, "2 columns"),
        ("qid,docno,score\n900656;900557;1\n", 2, "1 columns"),
        ("qid,docno,score\n900656,900557,1,5\n", 2, "4 columns"),
        ("qid,docno,score\n900656,900557,high\n", 2, "the score 'high' is not a finite 32-bit number"),
        ("qid,docno,score\n900656,900557,\n", 2, "the score '' is not"),
        ("qid,docno,rank\n900656,900557,first\n", 2, "the rank 'first' is not"),
        ("qid,docno,score\n900656,,1\n", 2, "the column docno has no id"),
        ("qid,docno,score\n,900557,1\n", 2, "the column qid has no id"),
        ("qid,docno,score\n900656,900\x00557,1\n", 2, ""),
        ('qid,docno,score\n900656,900557,1\n900656,"9005"57,1\n', 3, "the row cannot be read"),
        ('qid,text,docno\n900656,"never closed,900557\n', 2, "the row cannot be read"),
        ("900656,900557,1\n", 1, "commas or semicolons, but no header"),
        ("900656, 900557, 0.5\n", 1, "commas or semicolons, but no header"),
        ("900656;900557;0,5\n", 1, "commas or semicolons, but no header"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_with_its_line(tmp_path, content, line, problem):
    found = error(TASK1, saved(tmp_path, content))
    assert found.line == line
    assert found.problem.startswith(problem)
    assert found.problem.isprintable()


@pytest.mark.parametrize("tag", ["item", "answer", "query", "score", "rank", "name"])
def test_a_tag_is_not_taken_for_a_header(tmp_path, tag):
    (line,) = read_run(TASK1, saved(tmp_path, f"900656 900557 {tag}\n"))
    assert (line.query_id, line.docno, line.tag) == ("900656", "900557", tag)


@pytest.mark.parametrize("judgement", ["label", "prediction", "relevance"])
@pytest.mark.parametrize("header", ["qid,docno,{}", "qid,docno,score,{}", "{},doc_id,query_id"])
def test_a_table_whose_rows_may_be_no_answers_is_refused(tmp_path, judgement, header):
    header = header.format(judgement)
    found = error(TASK1, saved(tmp_path, f"{header}\n{','.join('1' * len(header.split(',')))}\n"))
    assert (found.line, found.problem.split(" beside ")[0]) == (1, f"a column {judgement}")


def test_json_with_ones_and_zeros_only_selects_items(tmp_path):
    labels = {"900656": {"900557": 1, "900912": 0}, "900795": {"900754": 1}}
    assert pairs(read_run(TASK1, saved(tmp_path, json.dumps(labels)))) == [("900656", "900557"), ("900795", "900754")]
    scores = {**labels, "900795": {"900754": 2}}
    assert len(read_run(TASK1, saved(tmp_path, json.dumps(scores)))) == 3


def test_a_text_longer_than_the_limit_of_the_csv_module_is_read(tmp_path):
    import csv

    before = csv.field_size_limit()
    path = saved(tmp_path, f"qid,query,docno\n900656,{'x' * (before + 1)},900557\n")
    assert pairs(read_run(TASK1, path)) == [("900656", "900557")]
    assert csv.field_size_limit() == before


@pytest.mark.parametrize("dataset", [TASK1, TASK3, TASK4])
def test_a_table_is_not_the_official_form(tmp_path, dataset):
    for content in (
        "qid,docno\nx,y\n",
        "query item tag\nx y mine\n",
        "query Q0 item rank score tag\nx Q0 y 1 0.5 mine\n",
    ):
        findings = validate(dataset, saved(tmp_path, content))
        (found,) = (finding for finding in findings if "table with a header" in finding.message)
        assert (found.level, found.line) == ("error", 1)
        assert "; expected lines of " in found.message


# --- lists of query and item -----------------------------------------------------------------------


def test_a_list_of_two_columns_is_an_answer_set(tmp_path):
    path = saved(tmp_path, "900656.txt 557\n900656\t900912\n")
    lines = read_run(TASK1, path)
    assert [line.tag for line in lines] == ["", ""]
    assert not any(line.has_score for line in lines)
    errors = [finding.message for finding in validate(TASK1, path) if finding.level == "error"]
    assert any("2 columns, expected 3: query item tag" in message for message in errors)


def test_zeros_that_a_spreadsheet_has_lost_are_found_again_in_tasks_1_and_2(tmp_path):
    (line,) = read_run(TASK2, saved(tmp_path, "qid,docno\n900009,3\n"))
    assert line.docno == "900009_003"


SPELLINGS = {"Y": ["Y", "y", "yes", "Yes", "true", "TRUE", "1"], "N": ["N", "n", "no", "NO", "false", "False", "0"]}


@pytest.mark.parametrize(("dataset", "labels"), [(TASK4, ("Y", "N")), (PREDICTION, ("True", "False"))])
@pytest.mark.parametrize("form", ["{} {}\n", "{}\t{}\n", "qid,answer\n{},{}\n", "query;label\n{};{}\n"])
def test_yes_and_no_may_be_spelled_in_many_ways(tmp_path, dataset, labels, form):
    for spellings, label in zip(SPELLINGS.values(), labels):
        for spelling in spellings:
            assert pairs(read_run(dataset, saved(tmp_path, form.format("a-query", spelling)))) == [("a-query", label)]


def test_yes_and_no_are_read_in_the_official_form_but_validate_refuses_them(tmp_path):
    path = saved(tmp_path, "".join(f"{query} yes mine\n" for query in query_ids(TASK4)))
    assert {line.docno for line in read_run(TASK4, path)} == {"Y"}
    note = f"answers yes and no in an unofficial spelling: {len(query_ids(TASK4))} (submit writes them right)"
    assert note in score(TASK4, path).notes
    official = saved(tmp_path, path.read_text().replace("yes", "Y"), "official.run")
    assert score(TASK4, path).figures == score(TASK4, official).figures
    assert not any("spelling" in note for note in score(TASK4, official).notes)
    [message] = [finding.message for finding in validate(TASK4, path) if finding.level == "error"]
    assert message.startswith("'yes' is spelled differently; write 'Y'")


@pytest.mark.parametrize("spelling", ["yes", "Y", "1", "true"])
def test_yes_and_no_may_be_spelled_in_many_ways_in_json_and_in_memory(tmp_path, spelling):
    expected = score(TASK4, {query: {"Y": 1.0} for query in query_ids(TASK4)}).figures
    in_json = saved(tmp_path, json.dumps(dict.fromkeys(query_ids(TASK4), spelling)))
    in_memory = {query: {spelling: 1.0} for query in query_ids(TASK4)}
    frame = pd.DataFrame({"qid": query_ids(TASK4), "docno": spelling, "score": 1.0})
    for run in (in_json, in_memory, frame):
        assert score(TASK4, run).figures == expected


def test_other_tasks_keep_the_items_as_they_are(tmp_path):
    assert pairs(read_run(TASK3, saved(tmp_path, "R99-01-A 1\n"))) == [("R99-01-A", "1")]


def test_the_pilot_is_read_in_columns_but_not_accepted(tmp_path):
    path = saved(tmp_path, "900101 Q0 900101_p0 1 0.5 mine\n")
    assert pairs(read_run(RATIONALE, path)) == [("900101", "900101_p0")]
    assert "the file has columns; expected the filled-in test file" in [f.message for f in validate(RATIONALE, path)]


# --- each form, written and read -------------------------------------------------------------------

texts = st.text(alphabet=string.ascii_letters + " ,;\"'\n\té本", max_size=12)
rows = st.dictionaries(
    st.tuples(st.integers(900_000, 900_060).map(str), st.integers(900_000, 900_060).map(str)),
    st.tuples(st.floats(-1e6, 1e6), texts),
    min_size=1,
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(
    rows,
    st.sampled_from([",", "\t", ";"]),
    st.booleans(),
    st.permutations(["qid", "query", "docno", "score", "rank"]),
    st.sampled_from(
        [{}, {"qid": "query_id", "query": "text", "docno": "doc_id"}, {"qid": "q_id", "docno": "document"}]
    ),
    st.sampled_from(["", *COMPRESS]),
)
def test_a_frame_that_pandas_writes_is_read_as_it_was(run, delimiter, index, order, names, compression):
    frame = pd.DataFrame(
        [(query, text, item, score, n) for n, ((query, item), (score, text)) in enumerate(run.items())],
        columns=["qid", "query", "docno", "score", "rank"],
    )
    text = frame[order].rename(columns=names).to_csv(sep=delimiter, index=index)
    content = COMPRESS.get(compression, bytes)(text.encode())
    with tempfile.TemporaryDirectory() as folder:
        lines = read_run(TASK1, saved(Path(folder), content))
    assert [(line.query_id, line.docno, line.score, line.rank) for line in lines] == [
        (query, item, score, str(n)) for n, ((query, item), (score, _)) in enumerate(run.items())
    ]


@settings(max_examples=40, deadline=None)
@given(rows, st.sampled_from([" ", "\t"]), st.sampled_from(["", *COMPRESS]))
def test_a_list_is_read_as_it_was_written(run, blank, compression):
    content = "".join(f"{query}{blank}{item}\n" for query, item in run).encode()
    with tempfile.TemporaryDirectory() as folder:
        lines = read_run(TASK1, saved(Path(folder), COMPRESS.get(compression, bytes)(content)))
    assert pairs(lines) == list(run)


@settings(max_examples=40, deadline=None)
@given(rows)
def test_a_ranking_is_read_as_it_was_written(run):
    frame = pd.DataFrame([(*pair, score) for pair, (score, _) in run.items()], columns=["qid", "docno", "score"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.trec"
        write_ranking(TASK1, frame, path, "mine")
        lines = read_run(TASK1, path)
    expected = {
        query: group.sort_values(["score", "docno"], ascending=[False, True]) for query, group in frame.groupby("qid")
    }
    for query, group in expected.items():
        assert [line.docno for line in lines if line.query_id == query] == group["docno"].tolist()
        assert [line.rank for line in lines if line.query_id == query] == [str(n + 1) for n in range(len(group))]


# --- one loader for all forms ----------------------------------------------------------------------


def forms(folder):
    """The same run as a path, a frame, a dict, and the results of a transformer."""
    results = pd.DataFrame(
        {"qid": "900656", "query": "a text", "docno": ["900557", "900912"], "score": [2.0, 1.0], "rank": [0, 1]}
    )
    path = folder / "a.res.gz"
    pt.io.write_results(results, str(path))
    table = io.StringIO()
    results.to_csv(table)
    return [
        path,
        str(path),
        saved(folder, table.getvalue(), "a.csv"),
        {"900656": {"900557": 2.0, "900912": 1.0}},
        results,
        results.drop(columns="rank").astype({"qid": "category", "docno": "category"}),
        results.astype({"qid": "string", "docno": "string", "score": "Float64"}),
        results.rename(columns={"qid": "query_id", "docno": "doc_id"}),
    ]


def test_a_run_of_any_form_is_written_alike(tmp_path):
    written = set()
    for n, run in enumerate(forms(tmp_path)):
        write_run(TASK1, run, tmp_path / f"{n}.run", "mine")
        write_ranking(TASK1, run, str(tmp_path / f"{n}.trec"), "mine")
        written.add(((tmp_path / f"{n}.run").read_text(), (tmp_path / f"{n}.trec").read_text()))
    assert written == {
        (OFFICIAL.decode(), "900656 Q0 900557 1 2.0 mine\n900656 Q0 900912 2 1.0 mine\n"),
    }


@pytest.mark.parametrize("rank", [(1, 0), (1.0, 0.0), (2, 1)])
def test_ties_of_a_run_of_any_form_are_ordered_by_rank(tmp_path, rank):
    frame = pd.DataFrame({"qid": "900656", "docno": ["900557", "900912"], "score": 1.0, "rank": rank})
    for n, run in enumerate([frame, saved(tmp_path, frame.to_csv(index=False), "a.csv")]):
        path, _ = submit(TASK1, run, tag="mine", folder=tmp_path / str(n), cutoff=TopK(1))
        assert path.read_text() == "900656 900912 mine\n"
        write_run(TASK1, run, tmp_path / f"{n}.run", "mine")
        assert (tmp_path / f"{n}.run").read_text() == "900656 900912 mine\n900656 900557 mine\n"


def test_a_rank_that_is_missing_comes_last(tmp_path):
    frame = pd.DataFrame({"qid": "900656", "docno": ["900557", "900912"], "score": 1.0, "rank": [None, 4]})
    path, _ = submit(TASK1, frame, tag="mine", folder=tmp_path, cutoff=TopK(1))
    assert path.read_text() == "900656 900912 mine\n"


def test_two_runs_of_one_name_are_refused():
    run = {"900656": {"900557": 1.0}}
    with pytest.raises(ColieeError, match="Two runs have the name 1"):
        compare(TASK1, {1: run, "1": run})


def test_validate_reports_unknown_items_of_a_run_in_memory():
    findings = validate(TASK1, {"900656": {"900557": 1.0, "nothing": 0.5}})
    assert [finding.kind for finding in findings if finding.level == "error"] == ["unknown item"]


def test_any_form_is_parsed_or_refused_line_by_line(tmp_path):
    entries = list(parse_run(TASK1, open_run(saved(tmp_path, "qid,docno\n900656,900557\n900656\n900656,900912\n"))))
    assert [isinstance(entry, MalformedFileError) for entry in entries] == [False, True, False]


def figures(run):
    return score(TASK1, run).figures


def differences(run):
    comparison = compare(TASK1, [run, {"900656": {"900557": 2.0}}])
    return comparison.drop(columns=["run_a", "run_b"]).fillna(-1.0).to_numpy().tolist()


@pytest.mark.filterwarnings("ignore::ir_coliee.errors.ColieeWarning")
@pytest.mark.parametrize("function", [figures, differences])
def test_a_run_of_any_form_has_the_same_figures(tmp_path, function):
    first, *others = (function(run) for run in forms(tmp_path))
    assert all(other == first for other in others)


def test_a_table_of_a_spreadsheet_has_decimal_commas(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("qid;docno;score\n900656;900557;0,98\n900656;900912;0.5\n")
    assert [answer.score for answer in read_run(TASK1, path)] == [0.98, 0.5]
    path.write_text('qid,docno,score\n900656,900557,"0,98"\n')
    with pytest.raises(MalformedFileError, match=r"line 2: the score '0,98' is not .*\nExpected: a number with a"):
        read_run(TASK1, path)
