"""What shows only across the files of a submission; system descriptions."""

import os
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from run_lines import saved
from samples import TASK1, TASK3

from ir_coliee.editions import SPLITS, split
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.gold import candidates, query_ids
from ir_coliee.evaluation.runs import answers_split
from ir_coliee.evaluation.submission import files_of_folder, validate_submission, with_block

TASK4 = split("coliee/task4/2025/ja/test")


def run(folder, name, tag, line="900656 900557"):
    return saved(folder, f"{line} {tag}\n", name)


def articles(folder, name, tag, number=2):
    docs = sorted(candidates(TASK3)("R99-01-A"))[:number]
    return saved(folder, "".join(f"R99-01-A Q0 {doc} {n} {-n}.0 {tag}\n" for n, doc in enumerate(docs, start=1)), name)


def described(folder, task, *tags):
    blocks = (f"Task: {task}\nRun tag: {tag}\nExternal resources: none\n" for tag in tags)
    saved(folder, "\n".join(blocks), "SystemDescription.txt")


def of_group(split, runs, long_lists=(), answers=()):
    found = validate_submission(split, {"run": runs, "long": long_lists, "answers": answers})
    return [finding for path, finding in found if path is None]


def found(*arguments, **files):
    return [(f.level, f.message) for f in of_group(*arguments, **files) if f.level != "note"]


def test_a_described_run_has_notes_alone_and_the_rules_come_last(tmp_path):
    described(tmp_path, "1", "one")
    findings = of_group(TASK1, [run(tmp_path, "a", "one")])
    assert [f.message for f in findings] == list(TASK1.submission.rules)
    assert {f.level for f in findings} == {"note"}


ACROSS = [
    # split, tags of its runs, of its long lists and of its files of answers, and what is found
    (TASK1, "one two three", "", "", None, ""),
    (TASK1, "one two three four", "", "", "warning", "^4 runs"),
    (TASK1, "one two one", "", "", "error", ": run0, run2"),
    (TASK1, "one", "one", "", "error", f"^{TASK1.id} has no long list; omit --long-list"),
    (TASK1, "one", "", "one", "error", f"^{TASK1.id} has no file of answers; omit --answers"),
    (TASK3, "one", "one", "", None, ""),
    (TASK3, "one", "one-L", "", None, ""),  # the suffix that the call of 2019 put behind the tag
    (TASK3, "one", "", "", "warning", "the long list with the tag 'one' is missing.*task3-L.one"),
    (TASK3, "one two", "one", "", "error", "'two'"),
    (TASK3, "one", "one two", "", "error", "no run has the tag 'two' of this long list"),
]


@pytest.mark.parametrize(("dataset", "runs", "long_lists", "answers", "level", "words"), ACROSS)
def test_what_the_files_of_a_submission_lack_together_is_found(
    tmp_path, monkeypatch, dataset, runs, long_lists, answers, level, words
):
    monkeypatch.chdir(tmp_path)  # long paths are shortened
    described(Path(), dataset.task[-1], *{*runs.split()})
    write = run if dataset is TASK1 else articles
    named = {"run": runs, "long": long_lists, "answers": answers}
    files = {of: [write(Path(), f"{of}{n}", tag) for n, tag in enumerate(tags.split())] for of, tags in named.items()}
    findings = found(dataset, files["run"], files["long"], files["answers"])
    assert [found_level for found_level, _ in findings] == [level] * bool(level)
    assert all(re.search(words, message) for _, message in findings)
    assert "run tag" not in str([validate(TASK3, path) for path in files["long"]])


def test_the_articles_of_2026_want_their_answers(tmp_path, fixture_home):
    fixture_home("task3/2026/ja", irregular=False)
    row = SPLITS["coliee/task3/2026/ja/test"]
    described(tmp_path, "3", "one")
    query_id = query_ids(row)[0]
    one = run(tmp_path, "task3-IR.one", "one", f"{query_id} Q0 1 1 1.0")
    labels, others = (run(tmp_path, f"task3-QA.{tag}", tag, f"{query_id} Y") for tag in ("one", "two"))
    assert answers_split(row).task == "task4"
    assert found(row, [one], answers=[labels]) == []
    assert [level for level, _ in found(row, [one])] == ["warning"]
    assert [level for level, _ in found(row, [one], answers=[others])] == ["error", "error"]


def test_an_answer_set_that_looks_like_a_ranking_is_a_warning(tmp_path):
    described(tmp_path, "3", "one")
    answers, long = articles(tmp_path, "task3.one", "one", 20), articles(tmp_path, "task3-L.one", "one", 20)
    gated = replace(TASK3, measure="GatedAccuracy")  # as in 2026, when only ties depend on superfluous articles
    for dataset, reason in ((TASK3, "every item counts as an answer"), (gated, "accuracy does not penalise")):
        ((level, message),) = found(dataset, [answers], long_lists=[long])
        assert level == "warning"
        assert f"20 items per query look like a ranking: {reason}" in message
    assert found(TASK3, [articles(tmp_path, "task3.one", "one", 19)], long_lists=[long]) == []


def test_the_files_of_a_folder_are_those_with_an_official_name(tmp_path):
    for name in ("task1.one", "task1.two", "task2.one", "notes.md", ".hidden", "SystemDescription.txt"):
        saved(tmp_path, "", name)
    (tmp_path / "task1.folder").mkdir()
    unread = ["notes.md", "task1.folder", "task2.one"]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "task1.pipe")
        unread.insert(2, "task1.pipe")
    named, others = files_of_folder(split("coliee/task1/2026/test"), tmp_path)
    assert [path.name for path in named] == ["task1.one", "task1.two"]
    assert [path.name for path in others] == unread


def test_a_folder_without_a_run_of_the_split_is_refused_with_the_expected_name(tmp_path):
    saved(tmp_path, "", "task2.one")
    expected = r"run of coliee/task3/2026/ja/test\.\nExpected: task3-IR\.\{tag\}\. Files in it: task2\.one\."
    with pytest.raises(ColieeError, match=expected):
        files_of_folder(split("coliee/task3/2026/ja/test"), tmp_path)


def test_a_tag_that_differs_from_the_name_of_the_file_is_a_warning(tmp_path):
    for name, expected in (("other", ["warning"]), ("one", [])):
        path = run(tmp_path, f"task1.{name}", "one", "900862 900593")
        message = f"{path}: its name states the run tag 'other', its lines 'one'; make both the same"
        found = [finding for finding in of_group(TASK1, [path]) if "its name states" in finding.message]
        assert [finding.level for finding in found] == expected
        assert {finding.message for finding in found} <= {message}


def test_the_files_of_several_exam_years_with_one_tag_are_one_run_and_other_years_are_asked_for(tmp_path, fixture_home):
    fixture_home("task3/2025/ja", irregular=False)
    described(tmp_path, "4", "one")
    runs = [run(tmp_path, f"{year}.task4.one", "one", f"{year}-901-A Y") for year in ("R06", "H30", "R01", "R02")]
    assert found(TASK4, runs) == []
    other = run(tmp_path, "R01.task4.two", "one", "R01-901-A Y")
    assert any(message.startswith("2 runs have the tag one") for _, message in found(TASK4, [*runs, other]))
    (note,) = [finding for finding in of_group(TASK4, runs[:1]) if "exam years" in finding.message]
    assert note.level == "note"
    assert all(year in note.message for year in TASK4.submission.reference_years)


# --- system descriptions: a block is added for each run, and nothing that people have written is changed -----


BLANK = """\
Task: 1
Run tag: mine
- Machine learning models:
- External resources:
- Explaination:
"""
FILLED = """\
Task: 1
Run tag: mine
- Machine learning models: a small encoder
- External resources: none
- Explaination: Rank, then cut.
"""
LAYOUTS = {
    "official": FILLED,
    "spelling": FILLED.replace("Explaination", "Explanation"),
    "no dash": FILLED.replace("- ", ""),
    "capitals": FILLED.upper().replace("MINE", "mine"),
    "CR LF": FILLED.replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + FILLED,
    "blank lines": "\n\n" + FILLED.replace("\n", "\n\n \n"),
    "heading": "The systems of a group\n======\n\n" + FILLED,
    "tabs": FILLED.replace(": ", " :\t").replace("mine", "mine  "),
    "text below its field": FILLED.replace(": a small", ":\na small"),
    "another run before it": "Task: COLIEE 2025, Task 1\nRun tag: other\n\n" + FILLED.replace("Task: 1\n", ""),
}


def warnings_on(folder, text):
    saved(folder, text, "SystemDescription.txt")
    return [message for level, message in found(TASK1, [run(folder, "task1.mine", "mine")]) if level == "warning"]


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_a_block_is_known_however_it_is_laid_out(tmp_path, text):
    assert warnings_on(tmp_path, text) == []
    path = tmp_path / "SystemDescription.txt"
    assert with_block(path, TASK1, "mine") == path.read_bytes()


@pytest.mark.parametrize(
    "text",
    [
        *(None, FILLED.replace("mine", "other"), FILLED.replace("Task: 1", "Task: 2"), "notes", b"caf\xe9\n"),
        *("\ufeffnotes\n", FILLED.replace("\n", "\r\n").replace("mine", "two")),
    ],
)
def test_a_further_block_leaves_every_byte_and_line_end_that_was_there(tmp_path, text):
    path = tmp_path / "new" if text is None else saved(tmp_path, text)
    before = b"" if text is None else path.read_bytes()
    content = with_block(path, TASK1, "mine")
    end = "\r\n" if b"\r" in before else "\n"
    assert content.startswith(before)
    assert content[len(before) :].lstrip() == BLANK.replace("\n", end).encode()
    assert content.endswith((2 * end * bool(before) + BLANK.replace("\n", end)).encode())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "the system description "),
        *((f"Task: {of}\n", "no block of task1, run tag mine") for of in ("2\nRun tag: mine", "1\nRun tag: two")),
        (BLANK.replace("resources:", "resources: none"), "filled in: - Machine learning models:, - Explaination:"),
    ],
)
def test_an_absent_or_incomplete_description_is_a_warning(tmp_path, text, words):
    if text is not None:
        saved(tmp_path, text, "SystemDescription.txt")
    ((level, message),) = found(TASK1, [run(tmp_path, "a", "mine")])
    assert level == "warning"
    assert words in message


def test_a_description_that_cannot_be_read_is_an_error(tmp_path):
    (tmp_path / "SystemDescription.txt").mkdir()
    ((level, message),) = found(TASK1, [run(tmp_path, "a", "one")])
    assert level == "error"
    assert "SystemDescription.txt: " in message


def test_a_system_description_is_read_in_linear_time_up_to_its_limit(tmp_path):
    """The white space of a line was matched in quadratic time: 100,000 blanks took minutes."""
    path = saved(tmp_path, " " * 900_000 + "\n" + FILLED, "SystemDescription.txt")
    before = time.process_time()
    assert with_block(path, TASK1, "mine") == path.read_bytes()
    assert warnings_on(tmp_path, path.read_text()) == []
    assert time.process_time() - before < 5
    with pytest.raises(ColieeError, match="1,000,001 bytes are too many for a system description"):
        with_block(saved(tmp_path, " " * 1_000_001), TASK1, "mine")
