"""From a run to the official files: every edition's are accepted, and nothing is written by halves."""

import json
import random
import re
from pathlib import Path

import ir_datasets
import pandas as pd
import pytest
from fixture_releases import ids_of_release, releases
from hypothesis import given, settings
from hypothesis import strategies as st
from run_lines import saved
from samples import PREDICTION, RATIONALE, TASK1, TASK2, TASK3, TASK4, TORTS, frame

from ir_coliee.editions import SPLITS, split
from ir_coliee.errors import ColieeError, ColieeWarning, ExistingFileError
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.cutoffs import parse_cutoff
from ir_coliee.evaluation.gold import TASK_EVALUATIONS, candidates, query_ids
from ir_coliee.evaluation.runs import answers_split, load_run, without_own_cases
from ir_coliee.evaluation.submission import official_names, submit, validate_submission
from ir_coliee.releases.release import LocalRelease
from ir_coliee.transformers.candidates.cutoffs import (
    DynamicCutoff,
    GapCutoff,
    MarginCutoff,
    RatioCutoff,
    ThresholdCutoff,
    TopK,
)


def ranking(row, depth=5):
    """A TREC run with some candidates of each query, drawn at random, best first."""
    may_answer, draw = candidates(row), random.Random(1)
    return "".join(
        f"{query_id} Q0 {docno} {rank} {-rank}.5 whatever\n"
        for query_id in query_ids(row)
        if (pool := sorted({*may_answer(query_id)} - {query_id}))
        for rank, docno in enumerate(draw.sample(pool, min(depth, len(pool))), start=1)
    )


def contents(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} if folder.is_dir() else {}


def simplest(row, folder):
    """A run in the simplest form of a split, the options of its submission, and how many items a query keeps."""
    if not row.submission.columns:
        text = LocalRelease.open(row).file("instances").read_bytes().decode()
        filled = re.sub(r'("is_accepted"|"court_decision"): *(null|true|false)', r"\1: true", text)
        return saved(folder, filled), {"team": "ours", "affiliation": "here"}, 99
    run = saved(folder, ranking(row))
    if TASK_EVALUATIONS[row.task].single_answer:
        return run, {}, 1
    if row.submission.answers_file:
        return run, {"cutoff": TopK(2), "answers": saved(folder, ranking(answers_split(row), 1), "answers")}, 2
    return run, {"cutoff": TopK(2)}, 2


def answers_of(row, run, depth=99):
    """The first answers to each query."""
    found = load_run(row, run).frame
    return sorted(found.loc[found["rank"] < depth, ["qid", "docno"]].values.tolist())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*its name has no year")
@pytest.mark.parametrize("edition", [*releases("plain"), "sample"])
def test_a_submission_to_each_kind_of_edition_is_accepted_and_read_as_it_was_written(tmp_path, fixture_home, edition):
    if edition == "sample":
        tests = [TASK1, TASK2, TASK3, TASK4, PREDICTION, RATIONALE]
    else:
        fixture_home(edition, irregular=False)
        tests = [SPLITS[dataset_id] for dataset_id in ids_of_release(edition) if dataset_id.endswith("/test")]
    assert tests
    for row in tests:
        out = tmp_path / row.task
        run, options, depth = simplest(row, tmp_path)
        paths = submit(row.id, run, tag="mine", out=out, **options)
        names = official_names(row, "mine", "ours", "here")
        assert [path.name for path in paths] == list(names.values())
        assert sorted(path.name for path in out.iterdir()) == sorted(names.values())
        findings = validate_submission(row, {role: [out / name] for role, name in names.items()})
        assert {f.level for _, f in findings if "fields to be filled in" not in f.message} <= {"note"}
        if row.submission.reference_years:
            assert validate(row, paths[0]) == []
        assert answers_of(row, paths[0]) == answers_of(row, run, depth)


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
        (PREDICTION.id, ["test001_ours_here_mine.jsonl"]),
    ],
)
def test_the_official_names_of_an_edition(dataset_id, names):
    assert list(official_names(split(dataset_id), "mine", "ours", "here").values()) == names


# --- what is written ---------------------------------------------------------------------------------


def test_a_ranking_is_cut_and_written_with_official_ids(tmp_path):
    rows = [("900009.txt", "3", 9.0), ("900009.txt", "004", 8.0), ("900009.txt", "005", 1.0), ("900010", "011", 5.0)]
    run = saved(tmp_path, "".join(f"{query} Q0 {item} 1 {score} x\n" for query, item, score in rows))
    submit(TASK2, run, tag="mine", out=tmp_path / "out", cutoff=RatioCutoff(0.5, max_items=10))
    assert contents(tmp_path / "out")["task2.mine"] == "900009 003 mine\n900009 004 mine\n900010 011 mine\n"


def test_task_3_has_its_answer_set_and_its_long_list_from_one_ranking(tmp_path):
    docs, queries = [doc.doc_id for doc in ir_datasets.load(TASK3.id).docs_iter()], query_ids(TASK3)
    assert len(docs) > 100
    lines = "".join(f"{q} Q0 {d} {n} {-n} x\n" for q in queries for n, d in enumerate(docs, start=1))
    submit(TASK3, saved(tmp_path, lines), tag="mine", out=tmp_path / "out", cutoff=TopK(3))
    written = contents(tmp_path / "out")
    assert written["task3.mine"].count("\n") == 3 * len(queries)
    assert written["task3-L.mine"].count("\n") == 100 * len(queries)
    assert written["task3-L.mine"].split("\n")[99].split(" ")[:4] == [queries[0], "Q0", docs[99], "100"]


def test_of_a_ranking_of_labels_the_first_is_the_answer(tmp_path):
    lines = "".join(f"{q} Q0 Y 1 0.6 x\n{q} Q0 N 2 0.4 x\n" for q in query_ids(TASK4))
    submit(TASK4, saved(tmp_path, lines), tag="mine", out=tmp_path / "out")
    assert contents(tmp_path / "out")["R99.task4.mine"] == "".join(f"{q} Y mine\n" for q in query_ids(TASK4))


def scored(row, depth):
    """The first candidates of each query with decreasing scores."""
    may_answer = candidates(row)
    return frame({query_id: sorted({*may_answer(query_id)} - {query_id})[:depth] for query_id in query_ids(row)})


def test_a_run_with_the_size_of_a_ranking_is_cut_and_a_frame_that_was_cut_is_an_answer_set(tmp_path):
    ranked = scored(TASK1, 20)
    ranked.to_csv(tmp_path / "rank.csv", index=False)
    for n, run in enumerate((ranked, tmp_path / "rank.csv")):
        with pytest.raises(ColieeError, match=r"is a ranking\.\nPass a cut-off"):
            submit(TASK1, run, tag="mine", out=tmp_path / "out")
        assert not (tmp_path / "out").exists()
        submit(TASK1, run, tag="mine", out=tmp_path / str(n), cutoff=TopK(2))
    submit(TASK1, TopK(2)(ranked), tag="mine", out=tmp_path / "2")
    assert contents(tmp_path / "0") == contents(tmp_path / "1") == contents(tmp_path / "2")
    assert contents(tmp_path / "0")["task1.mine"].count("\n") == 2 * len(query_ids(TASK1))


def test_a_long_list_may_be_as_long_as_a_ranking(tmp_path):
    answers, long = scored(TASK3, 1), scored(TASK3, 40)
    submit(TASK3, answers, tag="mine", out=tmp_path / "out", long_list=long)
    assert contents(tmp_path / "out")["task3-L.mine"].count("\n") == len(long)
    with pytest.raises(ColieeError, match="is a ranking"):
        submit(TASK3, long, tag="mine", out=tmp_path / "other", long_list=long)


@pytest.mark.parametrize("dataset", [PREDICTION, RATIONALE], ids=["prediction", "rationale"])
def test_the_pilots_file_keeps_the_answers_to_both_subtasks(tmp_path, dataset):
    (path,) = submit(dataset, TORTS, tag="mine", out=tmp_path / "out", team="ours", affiliation="here")
    assert path.name == "test001_ours_here_mine.jsonl"
    written, expected = (map(json.loads, each.read_text(encoding="utf-8").splitlines()) for each in (path, TORTS))
    assert [*written] == [*expected]


# --- what is refused ---------------------------------------------------------------------------------


LINE, UNWRITTEN = "900656 Q0 900557 1 3 x\n", "no file was written"
NAMES = {"team": "ours", "affiliation": "here"}
REFUSED = [
    # names that no file or column can bear, and that the pilot's template would split
    *((TASK1.id, LINE, {"tag": tag}, ["run tag"]) for tag in ("", "a b", "a/b", "..\\a", "läuft", "a\n")),
    *(
        (PREDICTION.id, "", {**NAMES, what: name}, [f"{what} "])
        for what in ("team", "affiliation", "tag")
        for name in ("", "a-b", "\x1b")
    ),
    # what the edition wants and what it does not have
    (TASK1.id, LINE, {}, ["--top or --cutoff"]),
    ("coliee/task4/2025/en/train", LINE, {}, ["several exam years, each with its own file"]),
    (TASK3.id, LINE, {}, ["requires a long list"]),
    ("coliee/task3/2026/ja/test", LINE, {"cutoff": TopK(1)}, ["requires the answers Y and N"]),
    (TASK1.id, LINE, {"long_list": Path("x")}, ["has no long list"]),
    (TASK3.id, LINE, {"answers": Path("x")}, ["has no file of answers"]),
    (TASK4.id, LINE, {"cutoff": TopK(1)}, ["does not use a cut-off"]),
    (PREDICTION.id, LINE, {"cutoff": TopK(1), **NAMES}, ["does not use a cut-off"]),
    # errors of the run, all of them
    (
        TASK1.id,
        "900656 900557 x\nbad\n900656 900001 x\n",
        {},
        [UNWRITTEN, "has 2 errors", "line 2: 1 columns", "line 3: '900001'"],
    ),
    (TASK1.id, "900001 900557 x\n", {}, [UNWRITTEN, "None of the run's query ids are known"]),
    (TASK1.id, "", {}, [UNWRITTEN, "the file has no answer"]),
    (TASK4.id, "R99-01-A Y x\nR99-01-A N x\n", {}, [UNWRITTEN, "line 2: query R99-01-A has another answer"]),
    (TASK4.id, "R99-01-A Q0 Y 1 1.0 x\n", {}, [UNWRITTEN, "19 of 20 queries have no answer"]),
    (PREDICTION.id, "{}\n", NAMES, [UNWRITTEN, "line 1: ", "version"]),
    (TASK1.id, LINE + "900656 Q0 900001 2 2 x\n", {"cutoff": TopK(2)}, ["line 2: '900001'"]),
    (
        TASK3.id,
        ranking(TASK3) + "R99-01-A Q0 9999 6 -6.5 x\n",
        {"cutoff": TopK(1)},
        [f"{UNWRITTEN}.\ntask3-L.mine: '9999' is not in the collection"],
    ),
]


@pytest.mark.parametrize(("dataset_id", "lines", "options", "words"), REFUSED)
def test_what_cannot_be_submitted_is_refused_and_nothing_is_written(tmp_path, dataset_id, lines, options, words):
    run = saved(tmp_path, lines)
    with pytest.raises(ColieeError) as caught:
        submit(dataset_id, run, **{"tag": "mine", "out": tmp_path / "out", **options})
    for word in words:
        assert word in str(caught.value)
    assert len(str(caught.value).replace(str(run), "run").splitlines()[0]) <= 100
    assert not (tmp_path / "out").exists()


def test_what_the_cut_leaves_out_is_no_error(tmp_path):
    run = saved(tmp_path, f"{LINE}900656 Q0 900001 2 2 x\n")
    submit(TASK1, run, tag="mine", out=tmp_path / "out", cutoff=TopK(1))
    assert contents(tmp_path / "out")["task1.mine"] == "900656 900557 mine\n"


def test_of_several_files_none_is_written_when_one_would_be_overwritten(tmp_path):
    run, out = saved(tmp_path, ranking(TASK3)), tmp_path / "out"
    out.mkdir()
    saved(out, "notes\n", "task3-L.mine")
    with pytest.raises(ExistingFileError, match=r"task3-L\.mine already exists with other content\.\n.*--overwrite"):
        submit(TASK3, run, tag="mine", out=out, cutoff=TopK(1))
    assert contents(out) == {"task3-L.mine": "notes\n"}
    submit(TASK3, run, tag="mine", out=out, cutoff=TopK(1), overwrite=True)
    assert contents(out)["task3-L.mine"].startswith("R99-01-A Q0")


def test_the_same_submission_again_changes_nothing(tmp_path):
    written = []
    for _ in range(2):
        submit(TASK3, saved(tmp_path, ranking(TASK3)), tag="mine", out=tmp_path / "out", cutoff=TopK(1))
        written.append(contents(tmp_path / "out"))
    assert written[0] == written[1]


def test_a_description_grows_run_by_run_and_what_it_has_stays(tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    saved(out, "Our systems\n", "SystemDescription.txt")
    run = saved(tmp_path, "900656 900557 x\n")
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


# --- what the files of a user may lack or have too much of -------------------------------------------


def test_a_file_without_scores_is_cut_by_its_order_alone(tmp_path):
    path = saved(tmp_path, "".join(f"{query_id} 900557 x\n" for query_id in query_ids(TASK1)), "a.run")
    with pytest.raises(ColieeError, match=r"a\.run has no scores, which RatioCutoff.*\nUse --top"):
        submit(TASK1, path, tag="mine", out=tmp_path / "out", cutoff=RatioCutoff(0.5, max_items=5))
    assert contents(tmp_path / "out") == {}
    submit(TASK1, path, tag="mine", out=tmp_path / "out", cutoff=TopK(1))
    assert "task1.mine" in contents(tmp_path / "out")


OWN = pd.DataFrame({"qid": "900656", "docno": ["900656", "900557", "900912"], "score": [3.0, 2.0, 1.0]}, dtype=object)


def test_a_ranking_of_task_1_is_cut_after_the_query_itself_was_dropped_and_a_set_stays_as_it_is(tmp_path):
    assert without_own_cases(TASK3, OWN) == (OWN, [])  # only task 1 has query cases
    kept, notes = without_own_cases(TASK1, OWN)
    assert (kept["docno"].tolist(), notes) == (["900557", "900912"], ["dropped 1 answer that is the query itself"])
    assert without_own_cases(TASK1, kept)[1] == []
    with pytest.warns(ColieeWarning, match=notes[0]):
        submit(TASK1, OWN, tag="mine", out=tmp_path / "cut", cutoff=TopK(1))
    submit(TASK1, OWN, tag="mine", out=tmp_path / "set")
    assert contents(tmp_path / "cut")["task1.mine"] == "900656 900557 mine\n"
    assert contents(tmp_path / "set")["task1.mine"].startswith("900656 900656 mine\n")
