"""Quotations of exam questions are split into articles and compared with the civil code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.releases.audit import differing_quotations, split_quotation
from ir_coliee.releases.civil_code import Article
from ir_coliee.text.statutes import quoted_articles


def article(number, text):
    return Article(number, "", "", text, "", "", "", "", "", (), (), False)


CODE = {
    "12": article("12", "(1) A lamp is lit:\n(i) by day; or\n(ii) by night.\n(2) A gate is shut."),
    "13-2": article("13-2", "A key opens a gate."),
}
WHOLE = "(1) A lamp is lit:\n(i) by day; or\n(ii) by night.\n(2) A gate is shut."
KEYS = "A key opens a gate."


@pytest.mark.parametrize(
    "t1",
    [
        f"Article 12\n{WHOLE}\nArticle 13-2\n{KEYS}",
        f"Article 12 {WHOLE}\n(Keys)\nArticle 13-2 {KEYS}",
        f"(Lamps)\nArticle 12{WHOLE}\n(Keys) Article 13-2 {KEYS}",
        f"(Lamps)Article 12{WHOLE.replace(chr(10), '')}(Keys)Article 13-2 {KEYS}\n",
        f"Article 13-2(1) {KEYS}\nArticle 12 {WHOLE.removeprefix('(1) ')}",
        f"Article 13-2  A  key\nopens\u00a0a gate.\nArticle 12 {WHOLE}",
    ],
)
def test_an_article_that_is_quoted_whole_in_any_form_is_as_in_the_code(t1):
    assert {number for number, _ in split_quotation(t1, "en")} == {"12", "13-2"}
    assert list(differing_quotations(t1, "en", CODE)) == []


@pytest.mark.parametrize(
    ("quoted", "is_shortened"),
    [
        ("(1) A lamp is lit:\n(i) by day; or\n(ii) by night.", True),
        ("(2) A gate is shut.", True),
        ("(1) A lamp is lit:\n(i)\n(ii)\n(2) A gate is shut.", True),
        ("(1) A lamp is lit:\n(i) by day; or\n(ii) by night.\n(2) A gate is open.", False),
        (f"{WHOLE}\nSection 3 Lamps", False),
        (f"{WHOLE}\n(3) A gate is a gate.", False),
    ],
)
def test_of_an_article_that_is_quoted_with_another_text_the_result_says_whether_only_some_is_omitted(
    quoted, is_shortened
):
    t1 = f"Article 13-2\n{KEYS}\nArticle 12\n{quoted}"
    assert list(differing_quotations(t1, "en", CODE)) == [("12", is_shortened)]


def test_what_the_code_does_not_have_is_not_compared():
    assert list(differing_quotations("Article 99\nA lock.", "en", CODE)) == []
    assert list(split_quotation("", "en")) == list(split_quotation("No head at all.", "en")) == []


def test_japanese_articles_are_cut_at_their_heads_and_captions():
    t1 = "（門）\n第十二条　門は、閉める。\n２　灯は、消す。\n（鍵）\n第十三条の二 鍵は、門を開ける。"
    assert list(split_quotation(t1, "ja")) == [
        ("12", ["門は、閉める。", "２　灯は、消す。"]),
        ("13-2", ["鍵は、門を開ける。"]),
    ]
    code = {"12": article("12", "門は、閉める。\n２　灯は、消す。"), "13-2": article("13-2", "鍵は、箱を開ける。")}
    assert list(differing_quotations(t1, "ja", code)) == [("13-2", False)]


def test_a_reference_within_an_article_does_not_end_it():
    t1 = "Article 12 A lamp under\n(2) Article 13-2 applies.\nArticle 7, paragraph (1) too."
    assert [number for number, _ in split_quotation(t1, "en")] == ["12"]


lines = st.sampled_from(
    ["Article 12", "(Lamps)Article 13-2 A key.", "(Keys)", "(1) A lamp.", "A gate. (Locks)Article 14(1)A lock.", "x"]
)


@given(st.lists(lines, max_size=8))
def test_the_articles_quoted_are_those_that_the_reader_takes_for_gold(written):
    t1 = "\n".join(written)
    assert {number for number, _ in split_quotation(t1, "en")} == set(quoted_articles(t1, "en"))
