"""Pictures that take no time, for tests that are not about them: `from analysis.pages.small_pictures import …`."""

import pytest

from ir_coliee.display import Picture

SVG = '<svg xmlns="http://www.w3.org/2000/svg"></svg>'


@pytest.fixture
def small_pictures(monkeypatch):
    """Pages with pictures of nothing in place of plots."""
    monkeypatch.setattr(
        "ir_coliee.analysis.plots.picture",
        lambda frame: Picture(SVG, f"{frame.title}. The table has the same figures."),
    )
