"""From a run to the official files: every edition's are accepted, and nothing is written by halves."""

import json
import re
from pathlib import Path

import ir_datasets
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ir_coliee
from ir_coliee.editions import split
from ir_coliee.errors import ColieeError, ExistingFileError, MalformedRunError
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.cutoffs import parse_cutoff
from ir_coliee.evaluation.gold import TASK_EVALUATIONS, candidates, query_ids
from ir_coliee.evaluation.runs import answers_split
from ir_coliee.evaluation.submission import official_names, submit, validate_submission
from ir_coliee.releases.release import LocalRelease
from ir_coliee.synthetic import splits_of_release, write_release
from ir_coliee.transformers.candidates.cutoffs import (
    DynamicCutoff,
    GapCutoff,
    MarginCutoff,
    RatioCutoff,
    ThresholdCutoff,
    TopK,
)

TASK1 = "coliee/task1/sample/test"
TASK2 = "coliee/task2/sample/test"
TASK3 = "coliee/task3/sample/en/test"
TASK4 = "coliee/task4/sample/en/test"
PREDICTION = "coliee/pilot/sample/prediction/test"
RATIONALE = "coliee/pilot/sample/rationale/test"
TORTS = Path(ir_coliee.__file__).parent / "datasets" / "sample" / "LJPJTsample" / "test001.jsonl"


def ranking(row, depth=5):
    """A TREC run with the first candidates of each query, best first."""
    may_answer = candidates(row)
    return "".join(
        f"{query_id} Q0 {docno} {rank} {-rank}.5 whatever\n"
        for query_id in query_ids(row)
        for rank, docno in enumerate(sorted(may_answer(query_id))[:depth], start=1)
        if docno != query_id
    )


def answer_set(row):
    """Lines of three columns, one answer for each query."""
    may_answer = candidates(row)
    return "".join(f"{query_id} {max(may_answer(query_id))} whatever\n" for query_id in query_ids(row))


def saved(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def contents(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} if folder.is_dir() else {}


def submit_any(row, folder):
    """A submission to any split, of the simplest run that its form takes."""
    out = folder / "out"
    form = row.submission
    if not form.columns:
        filled = [json.loads(line) for line in the_pilots_file(row).splitlines()]
        for record in filled:
            record["court_decision"] = False
            for claim in record["plaintiff_claims"] + record["defendant_claims"]:
                claim["is_accepted"] = True
        run = saved(folder, "run", "".join(json.dumps(record) + "\n" for record in filled))
        return submit(row.id, run, tag="mine", out=out, team="ours", affiliation="here")
    run = saved(folder, "run", ranking(row))
    if TASK_EVALUATIONS[row.task].single_answer:
        return submit(row.id, run, tag="mine", out=out)
    if form.answers_file:
        answers = saved(folder, "answers", answer_set(answers_split(row)))
        return submit(row.id, run, tag="mine", out=out, cutoff=TopK(2), answers=answers)
    return submit(row.id, run, tag="mine", out=out, cutoff=TopK(2))


def the_pilots_file(row):
    return LocalRelease.open(row).file("instances").read_bytes().decode()


def all_is_well(row, paths):
    names = official_names(row, "mine", "ours", "here")
    assert [path.name for path in paths] == list(names.values())
    assert sorted(path.name for path in paths[0].parent.iterdir()) == sorted(names.values())
    findings = validate_submission(row, {role: [paths[0].parent / name] for role, name in names.items()})
    unwritten = "fields to be filled in"
    assert [f for _, f in findings if f.level != "note" and unwritten not in f.message] == []


@pytest.mark.parametrize("dataset_id", [TASK1, TASK2, TASK3, TASK4, PREDICTION, RATIONALE])
def test_a_submission_to_the_sample_is_accepted(tmp_path, dataset_id):
    row = split(dataset_id)
    all_is_well(row, submit_any(row, tmp_path))


EDITIONS = [
    *(f"coliee/task1/{year}" for year in (2018, 2019, 2020, 2021, 2025)),
    *(f"coliee/task2/{year}" for year in (2018, 2019, 2026)),
    *(f"coliee/task3/{edition}" for edition in ("2017/en", "2018/ja", "2021/ja", "2023/en", "2025/en", "2026/ja")),
    "coliee/pilot/2025",
]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*its name has no year")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_submission_to_each_kind_of_edition_is_accepted(tmp_path, monkeypatch, edition):
    write_release(edition, tmp_path / "copy", scale=0.01)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "copy"))
    tests = [split for split in splits_of_release(edition) if split.name == "test"]
    assert tests
    for row in tests:
        folder = tmp_path / row.task
        folder.mkdir()
        paths = submit_any(row, folder)
        if row.submission.reference_years:
            assert validate(row, paths[0]) == []
        all_is_well(row, paths)


@pytest.mark.parametrize(
    ("dataset_id", "names"),
    [
        ("coliee/task1/2019/test", ["task1.mine"]),
        ("coliee/task2/2026/test", ["task2.mine", "SystemDescription.txt"]),
        ("coliee/task3/2017/en/test", ["H28.task1.mine"]),
        ("coliee/task4/2017/ja/h20", ["H20.task2.mine"]),
        ("coliee/task3/2023/en/test", ["task3.mine", "task3-L.mine"]),
        ("coliee/task4/2021/en/test", ["task4.mine"]),
        ("coliee/task4/2025/en/test", ["R06.task4.mine", "SystemDescription.txt"]),
        ("coliee/task4/2025/en/h30", ["H30.task4.mine", "SystemDescription.txt"]),
        ("coliee/task3/2026/ja/test", ["task3-IR.mine", "task3-QA.mine", "SystemDescription.txt"]),
        (PREDICTION, ["test001_ours_here_mine.jsonl"]),
    ],
)
def test_the_official_names_of_an_edition(dataset_id, names):
    assert list(official_names(split(dataset_id), "mine", "ours", "here").values()) == names


@pytest.mark.parametrize("tag", ["", "a b", "a/b", "..\\a", "läuft", "a\n"])
def test_a_tag_that_no_file_or_column_can_bear_is_refused(tmp_path, tag):
    run = saved(tmp_path, "run", "900656 900557 x\n")
    with pytest.raises(ColieeError, match="run tag"):
        submit(TASK1, run, tag=tag, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["", "a-b", "\x1b"])
@pytest.mark.parametrize("what", ["team", "affiliation", "tag"])
def test_a_name_that_the_pilots_template_would_split_is_refused(name, what):
    names = {"tag": "mine", "team": "ours", "affiliation": "here"} | {what: name}
    with pytest.raises(ColieeError, match=f"{what} "):
        official_names(split(PREDICTION), **names)


# --- what is written ---------------------------------------------------------------------------------


def test_a_ranking_is_cut_and_written_with_official_ids(tmp_path):
    run = saved(
        tmp_path,
        "run",
        "900009.txt Q0 3 1 9.0 x\n900009.txt Q0 004 2 8.0 x\n900009.txt Q0 005 3 1.0 x\n900010 Q0 011 1 5.0 x\n",
    )
    submit(TASK2, run, tag="mine", out=tmp_path / "out", cutoff=RatioCutoff(0.5, max_items=10))
    expected = "900009 003 mine\n900009 004 mine\n900010 011 mine\n"
    assert (tmp_path / "out" / "task2.mine").read_text() == expected


def test_task_3_has_its_answer_set_and_its_long_list_from_one_ranking(tmp_path):
    row = split(TASK3)
    docs = [doc.doc_id for doc in ir_datasets.load(TASK3).docs_iter()]
    assert len(docs) > 100
    lines = [f"{q} Q0 {d} {n} {-n} x\n" for q in query_ids(row) for n, d in enumerate(docs, start=1)]
    submit(TASK3, saved(tmp_path, "run", "".join(lines)), tag="mine", out=tmp_path / "out", cutoff=TopK(3))
    written = contents(tmp_path / "out")
    assert written["task3.mine"].count("\n") == 3 * len(query_ids(row))
    assert written["task3-L.mine"].count("\n") == 100 * len(query_ids(row))
    assert written["task3-L.mine"].split("\n")[99].split(" ")[:4] == [query_ids(row)[0], "Q0", docs[99], "100"]


def test_of_a_ranking_of_labels_the_first_is_the_answer(tmp_path):
    row = split(TASK4)
    lines = "".join(f"{q} Q0 Y 1 0.6 x\n{q} Q0 N 2 0.4 x\n" for q in query_ids(row))
    submit(TASK4, saved(tmp_path, "run", lines), tag="mine", out=tmp_path / "out")
    assert (tmp_path / "out" / "R99.task4.mine").read_text() == "".join(f"{q} Y mine\n" for q in query_ids(row))


def scored(row, depth):
    """The first candidates of each query with decreasing scores, as a frame."""
    may_answer = candidates(row)
    rows = [
        (query_id, docno, -rank / 8)
        for query_id in query_ids(row)
        for rank, docno in enumerate([docno for docno in sorted(may_answer(query_id)) if docno != query_id][:depth])
    ]
    return pd.DataFrame(rows, columns=["qid", "docno", "score"])


@pytest.mark.parametrize(
    "as_run", [lambda frame, path: frame, lambda frame, path: frame.to_csv(path, index=False) or path]
)
def test_a_scored_run_with_the_size_of_a_ranking_is_no_answer_set(tmp_path, as_run):
    run = as_run(scored(split(TASK1), 20), tmp_path / "rank.csv")
    with pytest.raises(ColieeError, match=r"is a ranking\.\nPass a cut-off"):
        submit(TASK1, run, tag="mine", out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    submit(TASK1, run, tag="mine", out=tmp_path / "out", cutoff=TopK(2))
    assert (tmp_path / "out" / "task1.mine").read_text().count("\n") == 2 * len(query_ids(split(TASK1)))


def test_a_frame_that_a_cut_off_returned_is_an_answer_set(tmp_path):
    frame = TopK(3)(scored(split(TASK1), 20))
    assert "rank" in frame.columns
    submit(TASK1, frame, tag="mine", out=tmp_path / "out")
    assert (tmp_path / "out" / "task1.mine").read_text().count("\n") == len(frame)


def test_a_long_list_may_be_as_long_as_a_ranking(tmp_path):
    answers, long = scored(split(TASK3), 1), scored(split(TASK3), 40)
    submit(TASK3, answers, tag="mine", out=tmp_path / "out", long_list=long)
    assert contents(tmp_path / "out")["task3-L.mine"].count("\n") == len(long)
    with pytest.raises(ColieeError, match="is a ranking"):
        submit(TASK3, long, tag="mine", out=tmp_path / "other", long_list=long)


@pytest.mark.parametrize("dataset_id", [PREDICTION, RATIONALE])
def test_the_pilots_file_keeps_the_answers_to_both_subtasks(tmp_path, dataset_id):
    (path,) = submit(dataset_id, TORTS, tag="mine", out=tmp_path / "out", team="ours", affiliation="here")
    assert path.name == "test001_ours_here_mine.jsonl"
    written = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert written == [json.loads(line) for line in TORTS.read_text(encoding="utf-8").splitlines()]


# --- what is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dataset_id", "lines", "words"),
    [
        (TASK1, "900656 900557 x\nbad\n900656 900001 x\n", ["has 2 errors", "line 2: 1 columns", "line 3: '900001'"]),
        (TASK1, "900001 900557 x\n", ["None of the run's query ids are known"]),
        (TASK1, "", ["the file has no answer"]),
        (TASK4, "R99-01-A Y x\nR99-01-A N x\n", ["line 2: query R99-01-A has another answer"]),
        (TASK4, "R99-01-A Q0 Y 1 1.0 x\n", ["19 of 20 queries have no answer"]),
        (PREDICTION, "{}\n", ["line 1: ", "version"]),
    ],
)
def test_a_run_with_errors_is_refused_with_all_of_them_and_nothing_is_written(tmp_path, dataset_id, lines, words):
    run = saved(tmp_path, "run", lines)
    with pytest.raises(MalformedRunError) as caught:
        submit(dataset_id, run, tag="mine", out=tmp_path / "out", team="ours", affiliation="here")
    for word in ["no file was written", *words]:
        assert word in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_what_the_cut_leaves_out_is_no_error(tmp_path):
    lines = "900656 Q0 900557 1 3 x\n900656 Q0 900001 2 2 x\n"
    submit(TASK1, saved(tmp_path, "run", lines), tag="mine", out=tmp_path / "out", cutoff=TopK(1))
    with pytest.raises(MalformedRunError, match="line 2: '900001'"):
        submit(TASK1, saved(tmp_path, "run", lines), tag="other", out=tmp_path / "out", cutoff=TopK(2))


def test_an_unknown_article_behind_the_cut_is_refused_for_the_long_list(tmp_path):
    run = saved(tmp_path, "run", ranking(split(TASK3)) + "R99-01-A Q0 9999 6 -6.5 x\n")
    with pytest.raises(
        MalformedRunError, match=r"no file was written\.\ntask3-L\.mine: '9999' is not in the collection"
    ):
        submit(TASK3, run, tag="mine", out=tmp_path / "out", cutoff=TopK(1))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("dataset_id", "given", "words"),
    [
        (TASK1, {}, "--top or --cutoff"),
        ("coliee/task4/2025/en/train", {}, "several exam years, each with its own file"),
        (TASK3, {}, "requires a long list"),
        ("coliee/task3/2026/ja/test", {"cutoff": TopK(1)}, "requires the answers Y and N"),
        (TASK1, {"long_list": Path("x")}, "has no long list"),
        (TASK3, {"answers": Path("x")}, "has no file of answers"),
        (TASK4, {"cutoff": TopK(1)}, "does not use a cut-off"),
        (PREDICTION, {"cutoff": TopK(1), "team": "ours", "affiliation": "here"}, "does not use a cut-off"),
    ],
)
def test_what_the_edition_wants_and_what_it_does_not_have_is_told(tmp_path, dataset_id, given, words):
    run = saved(tmp_path, "run", "900656 Q0 900557 1 3 x\n")
    with pytest.raises(ColieeError, match=words) as caught:
        submit(dataset_id, run, tag="mine", out=tmp_path / "out", **given)
    assert len(str(caught.value).splitlines()[0]) <= 100
    assert not (tmp_path / "out").exists()


def test_of_several_files_none_is_written_when_one_would_be_overwritten(tmp_path):
    row = split(TASK3)
    run = saved(tmp_path, "run", ranking(row))
    out = tmp_path / "out"
    out.mkdir()
    saved(out, "task3-L.mine", "notes\n")
    with pytest.raises(ExistingFileError, match=r"task3-L\.mine already exists with other content\.\n.*--overwrite"):
        submit(TASK3, run, tag="mine", out=out, cutoff=TopK(1))
    assert contents(out) == {"task3-L.mine": "notes\n"}
    submit(TASK3, run, tag="mine", out=out, cutoff=TopK(1), overwrite=True)
    assert contents(out)["task3-L.mine"].startswith("R99-01-A Q0")


def test_the_same_submission_again_changes_nothing(tmp_path):
    row, out = split(TASK3), tmp_path / "out"
    run = saved(tmp_path, "run", ranking(row))
    submit(TASK3, run, tag="mine", out=out, cutoff=TopK(1))
    before = contents(out)
    submit(TASK3, run, tag="mine", out=out, cutoff=TopK(1))
    assert contents(out) == before


def test_a_description_grows_run_by_run_and_what_it_has_stays(tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    saved(out, "SystemDescription.txt", "Our systems\n")
    run = saved(tmp_path, "run", "900656 900557 x\n")
    submit(TASK1, run, tag="one", out=out)
    submit(TASK1, run, tag="two", out=out)
    path = out / "SystemDescription.txt"
    assert re.findall("Our systems|Run tag: .*", path.read_text()) == ["Our systems", "Run tag: one", "Run tag: two"]
    filled = path.read_text().replace("resources:", "resources: none")
    path.write_text(filled)
    submit(TASK1, run, tag="one", out=out, overwrite=True)
    assert path.read_text() == filled


# --- cut-offs ----------------------------------------------------------------------------------------

SHARES = st.floats(0.01, 1)
CUTOFFS = st.one_of(
    st.builds(TopK, st.integers(1, 100)),
    st.builds(RatioCutoff, SHARES, threshold=st.none() | st.floats(-5, 5), max_items=st.integers(1, 9)),
    st.builds(DynamicCutoff, SHARES, min_items=st.integers(0, 3), max_items=st.integers(3, 9)),
    st.builds(MarginCutoff, st.floats(0, 9), min_items=st.integers(1, 2), max_items=st.integers(2, 9)),
    st.builds(ThresholdCutoff, st.floats(-9, 9), min_items=st.integers(0, 3), max_items=st.none() | st.integers(3, 9)),
    st.builds(GapCutoff, min_items=st.integers(1, 3), max_items=st.integers(3, 9)),
)


@settings(max_examples=60, deadline=None)
@given(CUTOFFS)
def test_a_cut_off_is_read_from_what_it_prints(cutoff):
    assert parse_cutoff(repr(cutoff)) == cutoff


@pytest.mark.parametrize(
    "text",
    [
        *("", "TopK", "TopK()", "TopK(0)", "TopK(-1)", "TopK(1.5)", "TopK(True)", "TopK('3')", "TopK(1j)"),
        *("TopK(*[1])", "TopK(**{'k': 1})", "TopK(1, 2)", "TopK(max_items=1)", "TopK(1)(2)"),
        *("TopK(len('a'))", "TopK(1) or 1", "cutoffs.TopK(1)", "Cutoff()", "Declared()", "__import__('os').getcwd()"),
        *("TopK(__import__('os').getpid())", "TopK(\0)", "RatioCutoff(2)", "RatioCutoff(0.5, 1)", "TopK(k=1, k=2)"),
        *("TopK(" + "(" * 180 + "1" + ")" * 10, "(" * 5000 + ")" * 5000, "TopK(" + "9" * 100_000 + ")"),
    ],
)
def test_anything_but_a_cut_off_with_numbers_is_refused(text):
    with pytest.raises(ColieeError, match=r"Use one of .*DynamicCutoff"):
        parse_cutoff(text)


# --- what the files of a user may lack or have too much of -------------------------------------------


def test_a_file_without_scores_is_cut_by_its_order_alone(tmp_path):
    path = saved(tmp_path, "a.run", answer_set(split(TASK1)))
    with pytest.raises(ColieeError, match=r"a\.run has no scores, which RatioCutoff.*\nUse --top"):
        submit(TASK1, path, tag="mine", out=tmp_path / "out", cutoff=RatioCutoff(0.5, max_items=5))
    assert contents(tmp_path / "out") == {}
    submit(TASK1, path, tag="mine", out=tmp_path / "out", cutoff=TopK(1))
    assert "task1.mine" in contents(tmp_path / "out")


@pytest.mark.parametrize("text", ['TopK(float("nan"))', "TopK(one)"])
def test_a_number_of_a_cut_off_is_written_out(text):
    with pytest.raises(ColieeError, match="is not a number") as caught:
        parse_cutoff(text)
    assert "<ast" not in str(caught.value)
