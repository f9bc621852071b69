"""Every function that reads a text takes a time in proportion to its length, whatever the text."""

import pytest

pytest.importorskip("resource", reason="Windows has no limit for the processor time of a process")

from hostile_texts import Seed
from text_growth import LARGEST_EXPONENT, NO_TEXT, attack, function_of, functions, measured, readers

pytestmark = pytest.mark.slow

MENTIONS = "references.finding.mentions"
#: Texts on which a function was once quadratic, or worse.
MENDED = [
    (f"{MENTIONS} (en)", Seed("", "that Article of ", "", "")),
    (f"{MENTIONS} (en)", Seed("", "provisions of Article 1 ", "", "")),
    (f"{MENTIONS} (ja)", Seed("", "第一条は", "", "")),
    (f"{MENTIONS} (en)", Seed("", "Article 1 (a) ", "", "")),
    (f"{MENTIONS} (en)", Seed("", "Article 1 (except Article 2) ", "", "")),
    (f"{MENTIONS} (en)", Seed("Article 1 (except Article 2", "\n", "", "x)")),
    (f"{MENTIONS} (en)", Seed("Sections 1", ", 1", " of this Part", "")),
    (f"{MENTIONS} (ja)", Seed("第一条（第二条", "、かつ", "", "x）")),
    (f"{MENTIONS} (ja)", Seed("", "第一編", "第一節、", "")),
    ("statutes.english_head", Seed("Article 1", " ", "x", "\nx")),
    ("statutes.japanese_head", Seed("第一条", " ", "x", "\nx")),
    ("civil_code_text.read_text_code (en)", Seed("Part I", " ", ".", "x.\nArticle 1 x")),
    ("civil_code_text.read_text_code (en)", Seed("Article 1 x\n", "x\n", "", "")),
    ("compatibility.nfkc", Seed("a", "\u0327\u0301", "", "")),
    ("statutes.article_number", Seed("a", "\u0f73", "", "")),
    ("japanese.japanese_words", Seed("", "A", "", "")),
    ("reasoning.split_reasoning", Seed("</think>", "\n", "", ")")),
]


@pytest.mark.parametrize(("name", "seed"), MENDED)
def test_a_function_that_was_mended_is_linear(name, seed):
    assert measured(readers()[name], seed, 2_000).exponent <= LARGEST_EXPONENT


def test_every_function_is_linear_on_hostile_texts(inputs_per_entity, is_long, seed):
    inputs = inputs_per_entity if is_long else 10
    assert attack(list(readers()), inputs, seed) == []


def test_every_public_function_is_attacked_or_reads_no_text():
    attacked = {function_of(name) for name in readers()}
    assert attacked.isdisjoint(NO_TEXT)
    assert functions() - attacked == NO_TEXT, "a new function reads a text, or belongs in NO_TEXT"


@pytest.mark.long
def test_the_attack_finds_planted_faults():
    failures = attack(["backtracks", "searches again", "fails", "reads once"], 60, 16, "planted_readers")
    assert {failure.reader for failure in failures} == {"backtracks", "searches again", "fails"}
    reasons = {failure.reader: failure.reason for failure in failures}
    assert "did not end" in reasons["backtracks"]
    assert "exponent" in reasons["searches again"]
    assert "UnicodeEncodeError" in reasons["fails"]
