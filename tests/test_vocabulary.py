"""One term for one thing: words that the glossary replaces do not occur in docstrings, messages and pages."""

import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = sorted(path for path in (ROOT / "ir_coliee").rglob("*.py"))
PROGRAMS = sorted([*(ROOT / "examples").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")])
#: The glossary itself lists the replaced words.
PAGES = sorted(
    {*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")}
    - {ROOT / "docs" / "reference" / "glossary.md"}
)

#: The word to avoid as a pattern, and the term that takes its place.
REPLACED = {
    r"made[ _-]?up": "synthetic",
    r"(?<!key)(?<!dash)(?<!white)boards?": "leaderboard",
    r"verbs?(?! form)": "command",
    r"traits?": "case features",
    r"lessons?": "fitted model",
    r"standings?": "group statistics",
    r"memorand(?:um|a)": "data-use agreement",
    r"parted": "split",
    r"(?:train|test|exam|whole|each|every|a|this) parts?(?! of)": "split",
    r"runs? of (?:words|tokens|letters)": "n-grams, shingles",
    r"shared runs?": "shared n-grams",
    r"(?<!local )(?<!local-)cop(?:y|ies)": "release, local copy; duplicates",
    r"(?:the|a|this|these|our) (?:house|rooms?)": "package",
    r"made ready": "prepared",
    r"quirks?": "irregularities",
    r"what (?:is|was) (?:here|there)": "the files that were found",
    r"in which it stands": "place",
}
PATTERN = re.compile("|".join(rf"(?P<g{i}>\b{word}\b)" for i, word in enumerate(REPLACED)), re.IGNORECASE)


def prose_of(source):
    """Line and text of each comment and each string of a program, doctest code left out."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if (
            token.type == tokenize.COMMENT
            or token.type == tokenize.STRING
            or "FSTRING" in tokenize.tok_name[token.type]
        ):
            for number, line in enumerate(token.string.split("\n")):
                if not line.lstrip().startswith((">>>", "...")):
                    yield token.start[0] + number, line


def prose_of_page(text):
    """Line and text of a page, code blocks and code spans left out."""
    in_code = False
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("```"):
            in_code = not in_code
        elif not in_code:  # neither code spans nor the targets of links
            yield number, re.sub(r"`[^`]*`|\]\([^)]*\)", "", line)


def replaced_words(lines):
    for number, line in lines:
        for found in PATTERN.finditer(line):
            term = [*REPLACED.values()][int(found.lastgroup[1:])]
            yield f"line {number}: {found[0]!r}, write {term!r}"


@pytest.mark.slow
@pytest.mark.parametrize("file", [*PACKAGE, *PROGRAMS], ids=lambda file: str(file.relative_to(ROOT)))
def test_docstrings_comments_and_messages_use_the_terms_of_the_glossary(file):
    assert list(replaced_words(prose_of(file.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_use_the_terms_of_the_glossary(page):
    assert list(replaced_words(prose_of_page(page.read_text(encoding="utf-8")))) == []


def test_the_search_finds_a_replaced_word():
    assert list(replaced_words(prose_of('def f():\n    """A made-up board."""\n'))) == [
        "line 2: 'made-up', write 'synthetic'",
        "line 2: 'board', write 'leaderboard'",
    ]
    assert list(replaced_words(prose_of_page("`board` is code\n\nthe train part\n"))) == [
        "line 3: 'train part', write 'split'"
    ]
    assert list(replaced_words([(1, "the leaderboard, a local copy and part of a text")])) == []
