"""Shared passages: planted quotations are found in their paragraphs."""

import pytest
from analysis.evidence.sample_pairs import cases, pair_of

from ir_coliee.analysis.evidence import shared_passages

RULE = "the carrier pleads the moisture of the cargo and bears the burden"
PHRASE = "it is the view of this"


def test_a_quotation_is_found_with_the_paragraphs_of_both_texts():
    query = f"Header\n[1]\nNothing.\n[7] He said: {RULE}, so far."
    item = f"[3]\nOther words.\n[4]\n{RULE.title()} - and more"
    evidence = shared_passages(cases(query, item))
    (row,) = evidence.table.to_dict("records")
    assert (row["words"], row["query_paragraph"], row["item_paragraph"]) == (12, "[7]", "[4]")
    assert row["passage"] == RULE
    assert evidence.facts["passages"] == 1
    assert evidence.facts["share of the query"] == pytest.approx(12 / 18)
    headings = [heading for heading, _ in evidence.texts]
    assert headings == ["query, paragraph [7]", "item, paragraph [4]"]
    for (_, extract), label in zip(evidence.texts, ["shared with item [4]", "shared with query [7]"]):
        (mark,) = extract.marks
        assert extract.text[mark.start : mark.end].lower() == RULE
        assert mark.label == label


def test_a_quotation_with_rare_words_comes_before_a_phrase():
    query = f"[1]\n{PHRASE} {PHRASE} lamp.\n[2]\n{RULE}"
    item = f"[1]\n{RULE}\n[2]\nbut {PHRASE} {PHRASE} gate"
    table = shared_passages(cases(query, item)).table
    assert table["words"].tolist() == [12, 12]
    assert table["passage"].iloc[0] == RULE
    assert table["idf"].is_monotonic_decreasing


def test_extracts_show_the_passage_of_a_long_paragraph():
    filling = "lamp " * 5_000
    evidence = shared_passages(cases(f"[1]\n{filling}{RULE} {filling}", f"[1]\n{RULE}"))
    extract = evidence.texts[0][1]
    (mark,) = extract.marks
    assert extract.text[mark.start : mark.end] == RULE
    assert extract.text.startswith("…")
    assert extract.text.endswith("…")
    assert len(extract.text) < 400


def test_ten_passages_are_listed_and_all_are_counted():
    passages = [f"{RULE} number{number} and what follows{number} from it" for number in range(15)]
    query = "".join(f"[{number}]\n{text}\n" for number, text in enumerate(passages, start=1))
    item = "".join(f"[{number}]\n{text}\n" for number, text in enumerate(reversed(passages), start=1))
    evidence = shared_passages(cases(query, item))
    assert evidence.facts["passages"] >= 15
    assert len(evidence.table) == 10
    assert set(evidence.table["query_paragraph"]) <= {f"[{number}]" for number in range(1, 16)}


def test_an_article_has_no_column_of_paragraphs():
    evidence = shared_passages(pair_of("coliee/task3/sample/en/test"))
    assert evidence.table.columns.tolist() == ["words", "idf", "passage"]


def test_without_a_shared_passage_the_table_is_empty():
    evidence = shared_passages(cases("[1]\nA lamp.", "[1]\nA gate."))
    assert evidence.table.empty
    assert evidence.facts["passages"] == 0
    assert evidence.texts == ()


def test_text_above_the_first_paragraph_is_the_header():
    evidence = shared_passages(cases(f"{RULE}\n[1]\nA lamp.", f"{RULE}"))
    assert evidence.table["query_paragraph"].tolist() == ["header"]
    assert [heading for heading, _ in evidence.texts] == ["query, header", "item"]
    assert "item_paragraph" not in evidence.table.columns


def test_no_word_is_cut():
    filling = " ".join(f"word{number}" for number in range(100))
    evidence = shared_passages(cases(f"[1]\n{filling} {RULE} {filling}", RULE))
    extract = evidence.texts[0][1].text
    assert set(extract.strip("…").split()) <= {*filling.split(), *RULE.split()}
    assert set(extract.strip("…").split()) & {*filling.split()}


def test_words_of_overlapping_passages_count_once():
    evidence = shared_passages(cases("[1]\na b c d e f g h i j", "[1]\na b c d e f g\n[2]\nd e f g h i j"))
    assert evidence.table["words"].tolist() == [7, 7]
    assert evidence.facts["share of the query"] == 1.0
    assert evidence.facts["share of the item"] == 1.0
    assert [len(extract.marks) for _, extract in evidence.texts] == [2, 1, 1]


def test_a_statement_is_compared_with_the_articles_that_are_given_with_it():
    articles = (
        "(Lamps)\nArticle 18 A lamp that burns is a movable. (2) A gate is not a movable.\nArticle 20 Wells are deep."
    )
    pair = pair_of(
        "coliee/task4/sample/en/test", query={"statement": "A gate is not a movable at noon.", "t1": articles}
    )
    evidence = shared_passages(pair)
    assert evidence.table[["words", "passage"]].to_numpy().tolist() == [[6, "A gate is not a movable"]]
    japanese = {"statement": "灯は動産でない。", "t1": "第十八条　燃える灯は動産である。"}
    table = shared_passages(pair_of("coliee/task4/sample/ja/test", query=japanese)).table
    assert table[["letters", "passage"]].to_numpy().tolist() == [[5, "灯は動産で"]]
