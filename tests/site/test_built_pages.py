"""The built documentation site: ``sphinx-build -W docs SITE``, then the tests with ``COLIEE_SITE=SITE``."""

import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SITE = Path(os.environ.get("COLIEE_SITE", "no site")).resolve()
PAGES = [path for path in sorted(SITE.rglob("*.html")) if "_static" not in path.parts]
LOADED = re.compile(
    r'<(?:img|script|iframe)\b[^>]*\bsrc="([^"]*)'
    r'|<link\b(?=[^>]*\brel="(?:stylesheet|[^"]*icon|preload)")[^>]*\bhref="([^"]*)'
)
REPOSITORY = re.compile(r'href="https://github\.com/ir-coliee/ir_coliee/blob/main/(?!docs/)([^"#]*)')
#: What the text of a tutorial quotes from the outputs of its cells.
QUOTED = re.compile(r"\b0\.\d{4}\b|(?<=--cutoff ')[^']*")

pytestmark = pytest.mark.skipif(not PAGES, reason="no built site: .ci/run docs builds it")


def test_pages_and_style_sheets_load_nothing_from_elsewhere():
    for page in PAGES:
        loaded = ["".join(found) for found in LOADED.findall(page.read_text(encoding="utf-8"))]
        assert loaded, page.name
        assert [address for address in loaded if address.startswith(("http:", "https:", "//"))] == [], page.name
    for sheet in SITE.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(?:http|//)|@import", sheet.read_text(encoding="utf-8")), sheet.name


def test_links_to_the_repository_lead_to_files_of_it():
    names = {name for page in PAGES for name in REPOSITORY.findall(page.read_text(encoding="utf-8"))}
    assert names
    assert [name for name in sorted(names) if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("source", sorted((ROOT / "docs" / "tutorials").glob("*.md")), ids=lambda path: path.stem)
def test_what_a_tutorial_quotes_is_in_an_output(source):
    text = source.read_text(encoding="utf-8")
    page = (SITE / "tutorials" / f"{source.stem}.html").read_text(encoding="utf-8")
    shown = re.sub(r"<[^>]*>", "", page)
    assert [each for each in {*QUOTED.findall(text)} if shown.count(each) <= text.count(each)] == []
