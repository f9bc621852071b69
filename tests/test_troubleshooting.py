"""The page Troubleshooting has a section for each class of errors and explains messages of the code."""

import re
from pathlib import Path

import pytest

from ir_coliee import errors
from ir_coliee.errors import ColieeError

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
