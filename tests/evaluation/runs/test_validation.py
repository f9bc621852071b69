"""The validator: each finding with its line and its level."""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_lines import saved
from samples import PREDICTION, RATIONALE, SAMPLE, TASK1, TASK2, TASK3, TASK4, TORTS

from ir_coliee.editions import SPLITS
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.gold import candidates, query_ids

SIX = "900656 Q0 900557 1 2.0 mine\n900656 Q0 900912 2 1.0 mine\n"
ARTICLE = "R99-01-A Q0 55 1 1.0 mine\n"


def findings(folder, dataset, content):
    return validate(dataset, saved(folder, content))


def of_lines(folder, dataset, content):
    """The findings but for the one about unanswered queries, which short files always have."""
    return [f for f in findings(folder, dataset, content) if "have no answer" not in f.message]


def torts():
    return [json.loads(line) for line in TORTS.read_text(encoding="utf-8").splitlines()]


def as_lines(records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def complete_task4():
    return "".join(f"{query_id} Y mine\n" for query_id in query_ids(TASK4))


@pytest.mark.parametrize("dataset", [TASK1, TASK2], ids=["task1", "task2"])
def test_the_gold_as_a_run_has_no_findings(tmp_path, dataset):
    labels = json.loads((SAMPLE / f"{dataset.task}_test_labels_sample.json").read_text(encoding="utf-8"))
    lines = [
        f"{query} {item.strip()} mine\n"
        for query, items in labels.items()
        for item in (items if isinstance(items, list) else items.split(","))
    ]
    assert findings(tmp_path, dataset, "".join(lines).replace(".txt", "")) == []
    (suffixed,) = findings(tmp_path, dataset, "".join(lines))
    assert (suffixed.level, suffixed.line) == ("error", 1)
    ids = "".join(lines).count(".txt")
    assert f"ends in .txt; write {lines[0].split('.txt')[0].split()[-1]!r} ({ids} times, " in suffixed.message


def test_a_complete_run_of_each_other_task_has_no_findings(tmp_path):
    assert findings(tmp_path, TASK3, complete_task4().replace(" Y ", " Q0 9 1 1.0 ")) == []
    assert findings(tmp_path, TASK4, complete_task4()) == []
    records = torts()
    for dataset in (PREDICTION, RATIONALE):
        assert findings(tmp_path, dataset, as_lines(records)) == []
    for record in records:  # labels of the other subtask may be null, and a court may accept no claim
        record["court_decision"] = None
        for claim in record["plaintiff_claims"] + record["defendant_claims"]:
            claim["is_accepted"] = False
    assert findings(tmp_path, RATIONALE, as_lines(records)) == []


@pytest.mark.parametrize(
    ("dataset", "line", "level", "words"),
    [
        (TASK1, "900656 900557", "error", ["2 columns", "Expected: 3 columns: query item tag"]),
        (TASK1, "900001 900557 mine", "error", ["unknown query", "'900001'"]),
        (TASK4, "R99-1-I Y mine", "error", ["unknown query 'R99-1-I'", "must match exactly"]),
        (TASK4, "R99-02-A N mine", "error", ["R99-02-A has another answer"]),
        (TASK2, "900009 011 mine", "error", ["'011'", "not in the query's pool"]),  # case 900011 has it
        (TASK1, "900795 900754 mine", "warning", ["900795 already has the answer '900754'"]),
        (TASK1, "900656 900001 mine", "error", ["'900001'", "not in the collection", "900656"]),
        (TASK2, "900009 3 mine", "error", ["'3' has lost its leading zeros; write '003'"]),
        (TASK2, "t2-900009 003 mine", "warning", ["'t2-900009' is spelled differently; write '900009'"]),
        (TASK4, "R99-01-I Z mine", "error", ["'Z' is not a valid answer to question R99-01-I, expected N or Y"]),
        (TASK4, "R99-01-I y mine", "error", ["'y' is spelled differently; write 'Y'"]),
        (TASK1, "900656 900656 mine", "warning", ["900656", "itself"]),
    ],
)
def test_a_bad_line_is_found_with_its_number_and_level(tmp_path, dataset, line, level, words):
    good = {"task1": "900795 900754 mine", "task2": "900010 011 mine", "task4": "R99-02-A Y mine"}[dataset.task]
    (finding,) = of_lines(tmp_path, dataset, f"{good}\n\n{line}\n")
    assert (finding.level, finding.line) == (level, 3)
    assert [word for word in words if word not in finding.message] == []


DEFECTS = [
    lambda records: records[0]["plaintiff_claims"][0].update(description="Made up."),
    lambda records: records[0]["plaintiff_claims"].pop(0),
    lambda records: records.reverse(),
]


@pytest.mark.parametrize("dataset", [PREDICTION, RATIONALE], ids=["prediction", "rationale"])
@pytest.mark.parametrize("defect", DEFECTS, ids=["description", "missing claim", "order"])
def test_an_answer_file_is_the_test_file_with_only_labels_changed(tmp_path, dataset, defect):
    records = torts()
    defect(records)
    assert findings(tmp_path, dataset, as_lines(records)) != []


queries, items = ["900656", "900795", "900001"], ["900557", "900912", "900001", "900656"]


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(queries), st.sampled_from(items)), min_size=1, max_size=8))
def test_the_first_errors_and_warnings_of_each_kind_are_those_that_a_plain_count_gives(tmp_path_factory, rows):
    rows = [("900931", "900664"), *rows]  # so that one query is known
    first = {}
    for line, (query, item) in enumerate(rows, start=1):
        is_second = (query, item) in rows[: line - 1]
        if query == "900001":
            first.setdefault("unknown query", ("error", line))
        elif item == "900001" and not is_second:
            first.setdefault("unknown item", ("error", line))
        if is_second:
            first.setdefault("repeated", ("warning", line))
        if query == item:
            first.setdefault("itself", ("warning", line))
    content = "".join(f"{query} {item} mine\n" for query, item in rows)
    found = of_lines(tmp_path_factory.getbasetemp(), TASK1, content)
    assert sorted((f.level, f.line) for f in found) == sorted(first.values())


# --- forms that the reader understands and the organisers do not ask for -----------------------------------


FORM = "expected lines of 3 columns: query item tag"
FOUND = [
    # queries: unknown, of another split, without an answer
    (TASK4, "1 Y mine\n2 N mine\n", [("error", None, "None of the run's query ids are known. .* 'R99-01-A'")]),
    # run tags
    (TASK1, "\n900656 900557 my-run\n900656 900912 my-run\n", [("warning", 2, "run tag 'my-run': the organisers")]),
    (TASK1, "900656 900557 one\n900656 900912 two\n", [("error", 2, "2 different run tags: one, two")]),
    # forms
    (TASK1, SIX, [("error", 1, r"6 columns, expected 3: query item tag \(2 times, this is the first\)")]),
    (TASK3, "R99-01-A 55 mine\n", [("error", 1, "3 columns, expected 6: query Q0 item rank score tag")]),
    (TASK1, '{"900656.txt": ["900557.txt"]}', [("warning", 1, f"the file is JSON; {FORM}")]),
    (TASK1, "qid,docno\n900656,900557\n", [("error", 1, rf"the file has another form \(table\); {FORM}")]),
    (PREDICTION, "900101 True mine\n", [("error", 1, "the file has another form .* expected the filled-in test file")]),
    (TASK3, f"/* begin */\n{ARTICLE}/* end */\n", [("error", 1, "a comment; .*2 times, this is the first")]),
    (TASK1, "900656  900557 mine\n900795\t900754 mine\n", [("warning", 1, r"columns must .* single blanks \(2 times")]),
    (TASK1, "900656 900557 läuft\n", [("warning", 1, "run tag")]),
    (TASK3, f"\ufeff{ARTICLE}", [("warning", 1, "the file begins with a byte order mark")]),
    (TASK3, ARTICLE.replace("\n", "\r\n"), [("warning", 1, "lines end in CR; use line feeds only")]),
    # spellings
    (
        TASK2,
        "900009 3 mine\n900009 4 mine\n900010.txt 011.txt mine\n900010 0009 mine\n",
        [
            ("error", 1, r"'3' has lost its leading zeros; write '003' \(2 times, this is the first\)"),
            ("error", 3, r"'900010.txt' ends in .txt; write '900010' \(2 times, this is the first\)"),
            ("warning", 4, "'0009' is spelled differently; write '009'"),
        ],
    ),
    # ranks and scores, of which trec_eval keeps 32 bits
    (TASK3, f"{ARTICLE}R99-01-A Q0 9 2 0.99999999 mine\n", [("warning", 2, "a tied score; trec_eval orders tied")]),
    (TASK3, f"{ARTICLE}R99-01-A Q0 9 2 0.9999999 mine\n", []),
    (
        TASK3,
        "R99-01-A Q0 9 2 0.1 mine\nR99-01-A Q0 55 1 0.5 mine\n",
        [
            ("warning", 1, r"the rank is '2', expected 1 \(2 times"),
            ("warning", 2, "the score rises from 0.1 to 0.5"),
        ],
    ),
    (
        TASK3,
        "".join(f"R99-01-A Q0 {n} {n} {200.0 - n} mine\n" for n in range(1, 104)),
        [("error", 101, "R99-01-A has more than 100 articles")],
    ),
]


@pytest.mark.parametrize(("dataset", "content", "expected"), FOUND)
def test_a_deviation_is_found_once_with_its_first_line(tmp_path, dataset, content, expected):
    found = of_lines(tmp_path, dataset, content)
    found = [finding for finding in found if "is not in the collection" not in finding.message]
    assert [(finding.level, finding.line) for finding in found] == [(level, line) for level, line, _ in expected]
    for finding, (_, _, message) in zip(found, expected):
        assert re.search(message, finding.message)


def test_queries_without_an_answer_are_counted_where_each_needs_one(tmp_path):
    (finding,) = findings(tmp_path, TASK1, "900656 900557 mine\n900931 900664 mine\n")
    assert (finding.level, finding.line) == ("warning", None)
    assert finding.message.startswith("10 of 12 queries have no answer, which counts as wrong: 900795, 900608")
    empty, unanswered = findings(tmp_path, TASK3, "")
    assert (empty.level, empty.message.partition(".")[0]) == ("error", "the file has no answer")
    assert unanswered.message.startswith("20 of 20 queries have no answer")


def test_answers_to_dropped_questions_are_a_note_with_their_number(tmp_path):
    run = saved(tmp_path, complete_task4() + "R99-77-A Y mine\nR99-77-I N mine\n")
    (finding,) = validate(replace(TASK4, excluded=("R99-77-A", "R99-77-I")), run)
    assert (finding.level, finding.line) == ("note", None)
    assert finding.message.startswith("2 answers to questions that the organisers excluded")
    assert "R99-77-A, R99-77-I" in finding.message
    assert {f.level for f in validate(TASK4, run)} == {"error"}


# --- eras ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["task1/2018", "task1/2021", "task2/2019", "task2/2026"])
def test_the_official_ids_of_an_era_have_no_finding_and_others_do(tmp_path, fixture_home, edition):
    fixture_home(edition, irregular=False)
    row = SPLITS[f"coliee/{edition}/test"]
    form, may_answer = row.submission, candidates(row)
    answers = [(query_id, row.item_of(min({*may_answer(query_id)} - {query_id}))) for query_id in query_ids(row)]
    official = "".join(f"{form.format_query(query)} {form.format_item(item)} mine\n" for query, item in answers)
    assert of_lines(tmp_path, row, official) == []
    (suffixed,) = of_lines(tmp_path, row, official.replace(" mine", ".txt mine"))
    assert (suffixed.level, "ends in .txt" in suffixed.message) == ("error", True)
    for width in (0, 3):
        lines = "".join(f"{int(query):0{width}} {int(item):0{width}} mine\n" for query, item in answers)
        levels = {finding.level for finding in of_lines(tmp_path, row, lines)}
        assert lines == official or levels == ({"error"} if form.is_padded else {"warning"})
