"""The sample edition has its official counts and its documented properties."""

import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

import ir_datasets
import pytest

import ir_coliee
from ir_coliee.text.case_years import decision_year

SAMPLE = Path(ir_coliee.__file__).parent / "datasets" / "sample"
FRENCH = {"le", "la", "les", "des", "une", "est", "qu", "dans", "que", "pour"}
each_split = pytest.mark.parametrize("split", ["train", "test"])
both_languages = pytest.mark.parametrize("language", ["en", "ja"])


def load(name):
    return ir_datasets.load(f"coliee/{name}")


def gold(name):
    found = {}
    for qrel in load(name).qrels:
        found.setdefault(qrel.query_id, []).append(qrel.doc_id)
    return found


def paragraphs(text):
    """Number and text of each paragraph of a decision, by the marks on lines of their own."""
    pieces = re.split(r"^[ \u00a0]*\[(\d+)\][ \u00a0]*$", text, flags=re.MULTILINE)[1:]
    return list(zip(pieces[::2], pieces[1::2]))


def is_french(text):
    words = re.findall(r"[a-zà-ÿ]+", text.lower())
    return sum(word in FRENCH for word in words) > len(words) / 12


# --- task 1 ----------------------------------------------------------------------------------------


@each_split
def test_task_1_has_enough_decisions_of_the_promised_length(split):
    docs = list(load(f"task1/sample/{split}").docs)
    assert len(docs) >= 28
    assert [doc.doc_id for doc in docs if not 300 <= len(doc.text.split()) <= 900] == []


@pytest.mark.parametrize(("split", "queries"), [("train", 10), ("test", 12)])
def test_task_1_has_its_queries_with_one_to_six_noticed_cases(split, queries):
    numbers = [len(cases) for cases in gold(f"task1/sample/{split}").values()]
    assert len(numbers) == queries
    assert min(numbers) >= 1
    assert max(numbers) <= 6
    assert len(set(numbers)) > 2


@each_split
def test_every_decision_has_numbered_paragraphs_and_some_a_summary(split):
    docs = list(load(f"task1/sample/{split}").docs)
    # in a few real decisions the text follows on the line of the mark
    assert [doc.doc_id for doc in docs if len(re.findall(r"^\s*\[\d+\]", doc.text, re.MULTILINE)) < 3] == []
    assert len([doc for doc in docs if len(paragraphs(doc.text)) >= 3]) >= len(docs) - 2
    with_summary = [doc for doc in docs if re.search(r"^\s*Summary:", doc.text, re.MULTILINE)]
    assert 2 <= len(with_summary) < len(docs)


@each_split
def test_citations_are_suppressed_and_no_case_is_named_by_its_number(split):
    docs = list(load(f"task1/sample/{split}").docs)
    queries = gold(f"task1/sample/{split}")
    assert [doc.doc_id for doc in docs if doc.doc_id in queries and "<FRAGMENT_SUPPRESSED>" not in doc.text] == []
    assert [doc.doc_id for doc in docs if re.search(r"9\d{5}", doc.text)] == []


@each_split
def test_decisions_are_dated_and_of_many_years(split):
    years = [decision_year(doc.text, latest=2025) for doc in load(f"task1/sample/{split}").docs]
    assert None not in years
    assert len(set(years)) > 5


@each_split
def test_the_year_filter_keeps_nearly_all_gold_and_drops_something(split):
    years = {doc.doc_id: decision_year(doc.text, latest=2025) for doc in load(f"task1/sample/{split}").docs}
    pairs = [(query, case) for query, cases in gold(f"task1/sample/{split}").items() for case in cases]
    kept = [case for query, case in pairs if years[case] <= years[query]]
    assert len(kept) > 0.8 * len(pairs)
    assert any(years[doc] > years[query] for query in gold(f"task1/sample/{split}") for doc in years)


@each_split
def test_some_french_paragraphs_repeat_english_ones(split):
    doubled = 0
    for doc in load(f"task1/sample/{split}").docs:
        numbers = Counter(number for number, _ in paragraphs(doc.text))
        for number in (number for number, times in numbers.items() if times == 2):
            both = [text for other, text in paragraphs(doc.text) if other == number]
            doubled += sorted(map(is_french, both)) == [False, True]
    assert doubled >= 2


def test_one_pair_of_texts_is_identical_under_two_names():
    pairs = []
    for split in ("train", "test"):
        names = {}
        for path in (SAMPLE / f"task1_{split}_files_sample").iterdir():
            names.setdefault(path.read_bytes(), []).append(path.stem)
        pairs += [same for same in names.values() if len(same) > 1]
    assert [len(same) for same in pairs] == [2]


def test_a_noticed_case_is_also_a_query_in_train():
    found = gold("task1/sample/train")
    assert set(found) & {case for cases in found.values() for case in cases}


def test_no_name_is_in_both_splits_with_the_same_text():
    train, test = ({doc.doc_id: doc.text for doc in load(f"task1/sample/{split}").docs} for split in ("train", "test"))
    assert [name for name in set(train) & set(test) if train[name] == test[name]] == []


# --- task 2 ----------------------------------------------------------------------------------------


@each_split
def test_task_2_has_its_cases_paragraphs_and_gold(split):
    dataset = load(f"task2/sample/{split}")
    sizes = Counter(doc.case_id for doc in dataset.docs)
    assert len(sizes) == 8
    assert all(8 <= size <= 20 for size in sizes.values())
    numbers = [len(items) for items in gold(f"task2/sample/{split}").values()]
    assert len(numbers) == 8
    assert set(numbers) <= {1, 2, 3}
    assert len(set(numbers)) > 1


@each_split
def test_a_fragment_was_taken_from_its_base_case(split):
    for query in load(f"task2/sample/{split}/full").queries:
        assert " ".join(query.fragment.split()) in " ".join(query.base_case.split()), query.query_id


@each_split
def test_a_fragment_is_no_copy_of_a_paragraph(split):
    dataset = load(f"task2/sample/{split}")
    texts = {doc.doc_id: " ".join(doc.text.split()) for doc in dataset.docs}
    for query in dataset.queries:
        assert [name for name, text in texts.items() if " ".join(query.fragment.split()) in text] == []


# --- tasks 3 and 4 ---------------------------------------------------------------------------------


@both_languages
def test_the_civil_code_has_every_element(language):
    articles = list(load(f"task3/sample/{language}/deleted").docs)
    assert len([article for article in articles if not article.deleted]) >= 70
    assert "12-2" in {article.doc_id for article in articles}
    assert [article for article in articles if article.deleted and ":" not in article.doc_id]
    assert [article for article in articles if article.deleted and ":" in article.doc_id]
    for level in ("part", "chapter", "section"):
        assert len({getattr(article, level) for article in articles}) > 2
    assert any(article.caption for article in articles)
    assert any(not article.caption for article in articles if not article.deleted)
    assert any(len(article.paragraphs) > 1 for article in articles)
    assert any(article.items for article in articles)
    text = "\n".join(article.text for article in articles)
    reference, mutatis_mutandis = {"en": (r"Article \d", "mutatis mutandis"), "ja": (r"第[一-十百]+条", "準用")}[
        language
    ]
    assert len(re.findall(reference, text)) >= 5
    assert mutatis_mutandis in text


@both_languages
def test_the_numbers_of_the_articles_rise(language):
    numbers = [[int(n) for n in re.split(r"[-:]", a.doc_id)[:2]] for a in load(f"task3/sample/{language}").docs]
    assert numbers == sorted(numbers)


def code_lines(language):
    (path,) = SAMPLE.glob(f"*/text/civil_code_{language}-1to724-2.txt")
    return path.read_text(encoding="utf-8-sig").splitlines()


def kind(line):
    """What a line of the civil code is, told from its first signs in either language."""
    forms = {
        "deleted": r"Articles? \d.*  Deleted|第.+条.*　削除",
        "article": r"Article \d|第[^　]+条(?:の[^　]+)?　",
        "caption": r"\((?!\d+\)|[ivx]+\)|[a-z]\)).+\)$|（.+）$",
        "paragraph": r"\(\d+\) |[０-９]+　",
        "item": r"\([ivx]+\) |[一二三四五六七八九十]+　",
        "subitem": r"\([a-d]\) |[イロハニ]　",
        "Part": r"Part |第.+編　",
        "Chapter": r"Chapter |第.+章　",
        "Section": r"Section |第.+節　",
        "Subsection": r"Subsection |第.+款　",
        "Division": r"Division |第.+目　",
    }
    return next((name for name, form in forms.items() if re.match(form, line)), "other")


def test_both_codes_are_aligned_line_by_line():
    english, japanese = code_lines("en"), code_lines("jp")
    assert len(english) == len(japanese) > 200
    rows = enumerate(zip(english[1:], japanese[1:]), start=2)
    assert [number for number, (one, other) in rows if kind(one) != kind(other)] == []
    assert [line for line in english[1:] + japanese[1:] if kind(line) == "other"] == []


def test_both_codes_have_the_same_articles_of_the_same_build():
    def build(article):
        place = (article.part, article.chapter, article.section, article.subsection, article.division)
        pieces = (len(article.paragraphs), len(article.items), bool(article.caption), article.deleted)
        return article.doc_id, [bool(level) for level in place], pieces

    english, japanese = (list(load(f"task3/sample/{language}/deleted").docs) for language in ("en", "ja"))
    assert [build(article) for article in english] == [build(article) for article in japanese]


@pytest.mark.parametrize(("split", "number", "year"), [("train", 30, "R98"), ("test", 20, "R99")])
@both_languages
def test_the_statements_are_of_two_exam_years_with_both_answers(language, split, number, year):
    questions = list(load(f"task4/sample/{language}/{split}/full").queries)
    assert len(questions) == number
    assert {question.query_id[:3] for question in questions} == {year}
    answers = Counter(question.label for question in questions)
    assert set(answers) == {"Y", "N"}
    assert min(answers.values()) >= number / 4
    assert {len(question.articles) for question in questions} == {1, 2}


@each_split
def test_some_statements_are_of_persons_a_and_b(split):
    english = [q.statement for q in load(f"task3/sample/en/{split}").queries]
    assert [text for text in english if re.search(r"\bA\b", text) and re.search(r"\bB\b", text)]
    japanese = [q.statement for q in load(f"task3/sample/ja/{split}").queries]
    assert [text for text in japanese if re.search("[AＡ]", text) and re.search("[BＢ]", text)]


@each_split
def test_questions_gold_and_answers_are_the_same_in_both_languages(split):
    for task in ("task3", "task4"):
        assert list(load(f"{task}/sample/en/{split}").qrels) == list(load(f"{task}/sample/ja/{split}").qrels)
    english, japanese = (list(load(f"task3/sample/{language}/{split}/full").queries) for language in ("en", "ja"))
    assert [(q.query_id, q.label, q.articles) for q in english] == [(q.query_id, q.label, q.articles) for q in japanese]


@each_split
@both_languages
def test_every_gold_article_is_live(language, split):
    live = {article.doc_id for article in load(f"task3/sample/{language}").docs}
    assert {number for numbers in gold(f"task3/sample/{language}/{split}").values() for number in numbers} <= live


@each_split
@both_languages
def test_statements_are_written_in_their_language(language, split):
    for question in load(f"task3/sample/{language}/{split}").queries:
        assert bool(re.search("[ぁ-ん]", question.statement)) is (language == "ja"), question.query_id


def test_the_heads_of_the_english_questions_are_of_several_styles():
    text = "".join(path.read_text() for path in SAMPLE.glob("*/*/riteval_*_en.xml"))
    for style in (r"^Article \S+$", r"^Article [\d-]+ \S", r"^Article [\d-]+\(1\)", r"^\([A-Z].*\)$"):
        assert re.search(style, text, re.MULTILINE), style


def test_the_pair_files_are_plain_xml():
    paths = list(SAMPLE.glob("*/*/riteval_*.xml"))
    assert len(paths) == 4
    assert {ElementTree.parse(path).getroot().tag for path in paths} == {"dataset"}


# --- the pilot -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("split", "number"), [("train", 12), ("test", 6)])
def test_the_pilot_has_its_instances_with_both_decisions(split, number):
    torts = list(load(f"pilot/sample/prediction/{split}/full").queries)
    assert len(torts) == number
    assert {tort.court_decision for tort in torts} == {True, False}
    assert {label for tort in torts for label in tort.accepted} == {True, False}
    assert {claim.side for tort in torts for claim in tort.claims} == {"p", "d"}
    assert all(re.search("[ぁ-ん]", tort.dispute) for tort in torts)


@each_split
def test_the_instances_are_of_the_organisers_form(split):
    (path,) = SAMPLE.glob(f"*/{split}001.jsonl")
    for line in path.read_text(encoding="utf-8").splitlines():
        tort = json.loads(line)
        assert list(tort) == [
            "version",
            "tort_id",
            "undisputed_facts",
            "plaintiff_claims",
            "defendant_claims",
            "court_decision",
        ]
        assert tort["version"] == path.name
        for key in ("undisputed_facts", "plaintiff_claims", "defendant_claims"):
            assert [entry["id"] for entry in tort[key]] == [str(number) for number in range(len(tort[key]))]


# --- all of it -------------------------------------------------------------------------------------


def test_the_licence_is_cc0_and_the_readmes_say_that_it_is_fictional():
    assert "CC0" in (SAMPLE / "LICENSE-CC0.txt").read_text(encoding="utf-8")
    readmes = list(SAMPLE.rglob("README.txt"))
    assert readmes
    assert [path for path in readmes if "fiction" not in path.read_text(encoding="utf-8").lower()] == []


def test_every_text_file_is_utf8_and_not_empty():
    for path in (path for path in SAMPLE.rglob("*") if path.is_file()):
        assert path.read_bytes().decode("utf-8").strip(), path
