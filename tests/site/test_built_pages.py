"""The pages of the built documentation site: links, pictures, headings, weight, and nothing from elsewhere."""

import re
from itertools import pairwise
from pathlib import Path
from urllib.parse import urldefrag

import pytest
from built_site import REPOSITORY, SITE, external_links, is_external, page, pages

ROOT = Path(__file__).parents[2]
WEIGHT = 500_000  # bytes of a page with its pictures, scripts and style sheets, before compression
WEIGHT_OF_SEARCH = 750_000  # the page of the search alone loads the index of all pages
#: Pages that Sphinx makes.
GENERATED = {"search.html", "genindex.html", "py-modindex.html"}
#: What the text of a tutorial quotes from the outputs of its cells.
QUOTED = re.compile(r"\b0\.\d{4}\b|(?<=--cutoff ')[^']*")
TAG = re.compile(r"<[^>]*>")

pytestmark = pytest.mark.skipif(not pages(), reason="no built site: .ci/run docs builds it")
each_page = pytest.mark.parametrize("name", pages())


@each_page
def test_every_link_leads_to_a_file_and_to_a_place_in_it(name):
    this = page(SITE / name)
    for link in filter(lambda link: not is_external(link), this.links):
        target = this.target(link)
        assert target.exists(), link
        place = urldefrag(link).fragment
        assert not place or target.suffix != ".html" or place in page(target).anchors, link


@each_page
def test_every_picture_has_an_alternative_text(name):
    assert [source for source, text in page(SITE / name).pictures if not text] == []


@each_page
def test_headings_begin_with_one_of_the_first_level_and_leave_none_out(name):
    levels = page(SITE / name).headings
    assert levels.count(1) == 1 or name in GENERATED
    assert [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1] == []


@each_page
def test_nothing_is_loaded_from_elsewhere(name):
    this = page(SITE / name)
    assert [file for file in [*this.files, *(source for source, _ in this.pictures)] if is_external(file)] == []


@each_page
def test_a_page_is_light(name):
    this = page(SITE / name)
    sources = [source for source, _ in this.pictures if not source.startswith("data:")]
    files = {this.path, *map(this.target, [*this.files, *sources])}
    assert sum(file.stat().st_size for file in files) < (WEIGHT_OF_SEARCH if name == "search.html" else WEIGHT)


@pytest.mark.parametrize("source", sorted((ROOT / "docs" / "tutorials").glob("*.md")), ids=lambda path: path.stem)
def test_what_a_tutorial_quotes_is_in_an_output(source):
    text = source.read_text(encoding="utf-8")
    shown = TAG.sub("", (SITE / "tutorials" / f"{source.stem}.html").read_text(encoding="utf-8"))
    assert [each for each in {*QUOTED.findall(text)} if shown.count(each) <= text.count(each)] == []


def test_the_links_that_leave_the_site_are_listed():
    listed = (ROOT / "docs" / "external_links.txt").read_text(encoding="utf-8").split()
    assert external_links() == listed, "run: COLIEE_SITE=… python tests/site/built_site.py > docs/external_links.txt"


def test_links_to_the_repository_lead_to_files_of_it():
    names = [
        link.split("/main/", 1)[1] for link in external_links() if link.startswith(REPOSITORY) and "/main/" in link
    ]
    assert names
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_style_sheets_load_nothing_from_elsewhere():
    for sheet in SITE.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert [word for word in ("url(http", "@import") if word in text] == [], sheet.name
