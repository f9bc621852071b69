"""The page Troubleshooting has a section for each class of errors and explains messages of the code."""

import ast
import re
from pathlib import Path

import pytest

from ir_coliee import errors
from ir_coliee.errors import ColieeError, ColieeWarning

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "troubleshooting.md"
TEXT = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE))
CLASSES = [value for value in vars(errors).values() if isinstance(value, type) and value.__module__ == errors.__name__]
ERRORS = [each for each in CLASSES if issubclass(each, ColieeError)]

pytestmark = pytest.mark.skipif(not TEXT, reason="no docs here")


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_the_address_of_an_error_leads_to_the_section_that_begins_with_its_name(error):
    section = {anchor(heading): text for heading, text in SECTIONS.items()}[error.section]
    assert section.startswith(f"`{error.__name__}`")
    example = error("a", ["b"]) if error is errors.UnknownIdError else None
    assert example is None or example.help_url.endswith(f"/troubleshooting.html#{error.section}")


def test_every_class_has_one_section_and_every_section_of_a_class_names_one():
    described = [match[1] for text in SECTIONS.values() if (match := re.match(r"`(Coliee\w+|\w+Error)`", text))]
    assert sorted(described) == sorted(each.__name__ for each in CLASSES)
    assert len({error.section for error in ERRORS}) == len(ERRORS)
    assert ColieeWarning in CLASSES


def literals(node):
    """The text of each string of a program; what an f-string inserts is written as …"""
    if isinstance(node, ast.JoinedStr):
        yield "".join(value.value if isinstance(value, ast.Constant) else "…" for value in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    else:
        for child in ast.iter_child_nodes(node):
            yield from literals(child)


def test_every_message_that_the_page_explains_is_one_of_the_code():
    files = [file for file in (ROOT / "ir_coliee").rglob("*.py") if "Error" in file.read_text(encoding="utf-8")]
    files += [file for file in (ROOT / "ir_coliee").rglob("*.py") if "warn" in file.read_text(encoding="utf-8")]
    texts = "\n".join(
        text for file in {*files} for text in literals(ast.parse(file.read_text(encoding="utf-8"))) if " " in text
    )
    rows = re.findall(r"^\| (`.+?) \| ", TEXT, re.MULTILINE)
    messages = [message for row in rows for message in re.findall(r"`([^`]+)`", row)]
    assert len(messages) > 40
    fragments = {part.strip() for message in messages for part in re.split(r"….?|'\[", message)}
    assert [part for part in fragments if len(part) > 3 and part not in texts] == []
