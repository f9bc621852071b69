"""Properties of queries, read from small releases of which each property is known."""

import shutil

import ir_datasets
import pandas as pd
import pytest
from small_releases import write_cases, write_fragments, write_questions, write_torts

from ir_coliee.analysis import evaluate, groups, query_properties
from ir_coliee.analysis.properties import PROPERTIES
from ir_coliee.transformers import YearFilter, near_duplicates

TASK1, TASK2 = "coliee/task1/2025/test", "coliee/task2/2025/test"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    return tmp_path


def properties(dataset_id, run):
    return query_properties(evaluate(dataset_id, {"mine": run})).set_index("query_id")


def values(frame, name):
    return [None if pd.isna(value) else value for value in frame[name].tolist()]


# --- task 1 ----------------------------------------------------------------------------------------

ENGLISH = "[1]\nThe lamp of the keeper was lit in 2003, as in <FRAGMENT_SUPPRESSED> and <FRAGMENT_SUPPRESSED>.\n"
FRENCH = "[2]\nLa lampe du gardien est allumée par la cour, comme dans <FRAGMENT_SUPPRESSED>.\n"
CASES = {
    "900001": ENGLISH,
    "900002": ENGLISH + FRENCH,
    "900003": FRENCH.replace("[2]", "[1]"),
    "900004": "[1]\nA gate was shut in 1999.\n",
    "900005": "[1]\nA gate was shut, as was decided in 2010.\n",
    "900006": "[1]\nThe well is dry.\n",
    "900007": "[1]\nThe WELL, is dry!\n",
}
GOLD = {"900001": ["900004", "900006"], "900002": ["900005"], "900003": ["900001", "900005"]}


def test_a_case_has_year_language_citations_and_paragraphs(folder):
    write_cases(folder, CASES, GOLD)
    found = properties(TASK1, {"900001": {"900004": 1.0}})
    assert found.index.tolist() == ["900001", "900002", "900003"]
    assert values(found, "relevant_items") == [2, 1, 2]
    assert values(found, "words") == [len(CASES[each].split()) for each in found.index]
    assert values(found, "year") == [2003, 2003, None]
    assert values(found, "language") == ["English", "English", "French"]
    share = round(100 * len(FRENCH) / len(ENGLISH + FRENCH))
    assert values(found, "french_percent") == [0, share, 100]
    assert values(found, "suppressed_citations") == [2, 3, 1]
    assert values(found, "numbered_paragraphs") == [1, 2, 1]


def test_relevant_cases_are_queries_later_or_duplicates(folder):
    write_cases(folder, CASES, GOLD)
    found = properties(TASK1, {"900001": {"900004": 1.0}})
    assert values(found, "relevant_is_query") == [False, False, True]
    assert values(found, "relevant_is_later") == [False, True, False]  # the year of 900003 is unknown
    assert values(found, "relevant_is_duplicate") == [True, False, False]


def test_duplicates_of_an_edition_with_pools_are_those_of_the_same_pool(folder):
    case = folder / "task1_test" / "900001"
    (case / "candidates").mkdir(parents=True)
    (case / "base_case.txt").write_text("A lamp in 2003.", encoding="utf-8")
    shutil.copytree(case, case.with_name("900002"))
    (case / "candidates" / "900003.txt").write_text("A well.", encoding="utf-8")
    (case / "candidates" / "900004.txt").write_text("a WELL", encoding="utf-8")
    (case.with_name("900002") / "candidates" / "900003.txt").write_text("A well.", encoding="utf-8")
    gold = "".join(
        f'<instance id="{query}"><cases_noticed>{item}</cases_noticed></instance>'
        for query, item in (("900001", "900003"), ("900002", "900003"))
    )
    labels = f'<?xml version="1.0"?>\n<noticed_cases_index>{gold}</noticed_cases_index>\n'
    (case.parent / "task1_test_golden-labels.xml").write_text(labels, encoding="utf-8")
    found = properties("coliee/task1/2019/test", {"900001": {"900001_900003": 1.0}})
    assert values(found, "relevant_is_duplicate") == [True, False]
    assert values(found, "relevant_is_query") == [False, False]


def test_without_the_decisions_what_the_labels_say_remains_and_a_note_names_the_rest(folder):
    write_cases(folder, CASES, GOLD)
    shutil.rmtree(folder / "task1_test_files_2025")
    runs = evaluate(TASK1, {"mine": {"900001": {"900004": 1.0}}})
    found = query_properties(runs)
    assert found.columns.tolist() == ["query_id", "relevant_items"]
    assert [note.split(".")[0] for note in found.notes] == [
        "Left out: words",
        "Left out: year, language, french_percent, suppressed_citations, numbered_paragraphs",
        "Left out: relevant_is_query, relevant_is_later, relevant_is_duplicate",
    ]
    by_group = groups(runs)
    assert {*by_group["property"]} == {"relevant_items"}
    assert [*by_group.notes[-3:]] == [*found.notes]


@pytest.mark.parametrize("split", ["train", "test"])
def test_later_and_duplicate_cases_are_those_of_the_transformers(split):
    dataset_id = f"coliee/task1/sample/{split}"
    dataset = ir_datasets.load(dataset_id)
    pairs = pd.DataFrame([(label.query_id, label.doc_id, 1.0) for label in dataset.qrels_iter()])
    pairs.columns = ["qid", "docno", "score"]
    kept = YearFilter(dataset_id)(pairs)
    later = {*zip(pairs["qid"], pairs["docno"])} - {*zip(kept["qid"], kept["docno"])}
    duplicates = near_duplicates([{"docno": doc.doc_id, "text": doc.text} for doc in dataset.docs_iter()])
    with_duplicate = {query_id for query_id, doc_id in zip(pairs["qid"], pairs["docno"]) if doc_id in duplicates}
    found = properties(dataset_id, {pairs["qid"][0]: {pairs["docno"][0]: 1.0}})
    assert {*found.index[found["relevant_is_later"]]} == {query_id for query_id, _ in later}
    assert {*found.index[found["relevant_is_duplicate"]]} == with_duplicate
    assert len(with_duplicate) == {"train": 0, "test": 1}[split]


# --- task 2 ----------------------------------------------------------------------------------------


def test_a_fragment_has_a_place_a_citation_and_a_pool(folder):
    fragment, filler, marker = "The lamp must be returned.", "It was a long night. ", " <FRAGMENT_SUPPRESSED> "
    write_fragments(
        folder,
        {
            "900001": (fragment, fragment + marker + 40 * filler, ["a", "b"]),
            "900002": (fragment, 40 * filler + marker + 40 * filler + fragment, ["a"]),
            "900003": (fragment, marker + 40 * filler, ["a", "b", "c"]),
            "900004": (fragment, 20 * filler + fragment + 20 * filler, ["a"]),
            "900005": (30 * filler.replace("night", "day"), 10 * filler + 30 * filler.replace("night", "day"), ["a"]),
        },
    )
    found = properties(TASK2, {"900001": {"900001_001": 1.0}})
    assert values(found, "fragment_found") == [True, True, False, True, True]
    assert values(found, "fragment_place") == ["first third", "last third", None, "second third", "second third"]
    assert values(found, "near_citation") == [True, False, None, None, None]
    assert values(found, "pool_size") == [2, 1, 3, 1, 1]


# --- tasks 3 and 4 ---------------------------------------------------------------------------------

CODE = """Civil Code
Part I General Provisions
Article 1  A lamp may be lit.
Part II Real Rights
Article 180  The provisions of Article 1 apply mutatis mutandis to gates.
Part III Claims
Article 500  A well is dug.
"""
QUESTIONS = [
    ("Y", "Article 1\nA lamp may be lit.", "A sold B a lamp."),
    ("N", "Article 180\nThe provisions.", "A gate may not be shut, unless it rains."),
    ("Y", "Article 1\nA lamp.\nArticle 500\nA well.", "Under Article 500, a well is never not dug."),
    ("N", "Article 750\nA name.", "A name is kept."),
    ("Y", "Article 900\nA share.", "A share is kept."),
]


@pytest.mark.filterwarnings("ignore:.*gold labels that this civil code lacks")
@pytest.mark.parametrize("task", ["task3", "task4"])
def test_a_question_has_a_subject_persons_and_polarity(folder, task):
    write_questions(folder, "en", QUESTIONS, CODE)
    dataset_id = f"coliee/{task}/2025/en/test"
    found = properties(dataset_id, {"R06-900-A": {"Y" if task == "task4" else "1": 1.0}})
    assert values(found, "exam_year") == ["R06"] * 5
    assert values(found, "anonymised") == [True, False, False, False, False]
    assert values(found, "polarity") == ["affirmative", "negative", "affirmative", "affirmative", "affirmative"]
    assert values(found, "exception") == [False, True, False, False, False]
    assert values(found, "mentions_articles") == [False, False, True, False, False]
    assert values(found, "subject") == ["general provisions", "real rights", "several", "family", "inheritance"]
    assert values(found, "relevant_articles") == ["one", "one", "several", "one", "one"]
    assert values(found, "mutatis_mutandis") == [False, True, False, False, False]
    if task == "task4":
        assert values(found, "label") == ["Y", "N", "Y", "N", "Y"]
        assert "relevant_items" not in found.columns
    else:
        assert values(found, "relevant_items") == [1, 1, 2, 1, 1]
        assert "label" not in found.columns


def test_the_subject_is_read_from_the_numbers_where_the_local_release_has_no_code(folder):
    package = write_questions(folder, "en", QUESTIONS, CODE)
    shutil.rmtree(package / "text")
    runs = evaluate("coliee/task4/2025/en/test", {"mine": {"R06-900-A": {"Y": 1.0}}})
    found = query_properties(runs)
    assert values(found, "subject") == ["general provisions", "real rights", "several", "family", "inheritance"]
    assert "mutatis_mutandis" not in found.columns
    assert [note.split(".")[0] for note in found.notes] == ["Left out: mutatis_mutandis"]


def test_the_part_of_the_code_comes_before_the_number(folder):
    write_questions(folder, "en", QUESTIONS, CODE.replace("Part I General Provisions", "Part III Claims"))
    found = properties("coliee/task4/2025/en/test", {"R06-900-A": {"Y": 1.0}})
    assert values(found, "subject")[0] == "claims"


def test_japanese_questions_have_characters_and_the_same_properties(folder):
    first, second = "第一条　灯は、貸すことができる。", "第百八十条　第一条の規定は、門について準用する。"
    code = f"民法\n第一編　総則\n{first}\n第二編　物権\n{second}\n"
    questions = [
        ("Y", first, "Ａは、甲土地を\nＢに売った。"),
        (
            "N",
            second,
            "門は、貸すことができない。ただし、昼は、この限りでない。",
        ),
    ]
    write_questions(folder, "ja", questions, code)
    found = properties("coliee/task3/2025/ja/test", {"R06-900-A": {"1": 1.0}})
    assert values(found, "characters") == [13, 28]
    assert values(found, "anonymised") == [True, False]
    assert values(found, "exception") == [False, True]
    assert values(found, "subject") == ["general provisions", "real rights"]
    assert values(found, "mutatis_mutandis") == [False, True]


# --- the pilot -------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["prediction", "rationale"])
def test_a_tort_instance_has_claims_facts_and_labels(folder, task):
    write_torts(
        folder,
        [
            (["門が閉じた。", "夜"], [("請求", True), ("請求二", False)], [("反論", False)], True),
            ([], [("請求", False)], [], False),
        ],
    )
    run = {"900100": {"True" if task == "prediction" else "900100_p0": 1.0}}
    found = properties(f"coliee/pilot/2025/{task}/test", run)
    assert values(found, "plaintiff_claims") == [2, 1]
    assert values(found, "defendant_claims") == [1, 0]
    assert values(found, "facts_characters") == [7, 0]
    assert values(found, "has_accepted_claim") == [True, False]
    assert values(found, "court_decision") == ["True", "False"]
    assert ("relevant_items" in found.columns) == (task == "rationale")


# --- all tasks -------------------------------------------------------------------------------------

SAMPLES = (
    "task1/sample/test",
    "task2/sample/test",
    "task3/sample/ja/test",
    "task4/sample/en/train",
    "pilot/sample/prediction/test",
    "pilot/sample/rationale/train",
)


@pytest.mark.parametrize("split", SAMPLES)
def test_each_property_is_typed_and_has_a_meaning(split):
    runs = evaluate(f"coliee/{split}", {"mine": pd.DataFrame({"qid": [], "docno": [], "score": []})})
    found = query_properties(runs)
    assert found["query_id"].tolist() == [*runs.query_ids]
    assert {*found.columns[1:]} <= {*PROPERTIES}
    types = {str(dtype) for dtype in found.dtypes[1:]}
    assert types <= {"Int64", "boolean", "category", "object"}
    assert found.notes == ()
