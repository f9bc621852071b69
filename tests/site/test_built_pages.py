"""The built documentation site: ``sphinx-build -W docs SITE``, then these tests with ``COLIEE_SITE=SITE``."""

import os
from pathlib import Path

import html5lib
import pytest

SITE = Path(os.environ.get("COLIEE_SITE", "no site"))
PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))

pytestmark = pytest.mark.skipif(not PAGES, reason="no built site: .ci/run docs builds it")


@pytest.mark.parametrize("page", PAGES)
def test_every_picture_has_an_alternative_text(page):
    tree = html5lib.parse((SITE / page).read_bytes(), namespaceHTMLElements=False)
    assert [picture.get("src") for picture in tree.iter("img") if not picture.get("alt")] == []
