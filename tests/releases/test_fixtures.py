"""The static releases of every edition are read as they were when they were written."""

import pytest
from fixture_releases import contents_of_release, expected


@pytest.mark.parametrize("release", expected())
def test_a_release_is_read_as_before(release, fixture_home):
    variant, _, name = release.partition("/")
    fixture_home(name, irregular=variant == "irregular")
    assert contents_of_release(name) == expected()[release]["ids"]
