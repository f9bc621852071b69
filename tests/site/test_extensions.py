"""The examples of the extensions of the site run."""

import doctest

import pytest

pytest.importorskip("myst_nb", reason="the extra docs is not installed")
notebooks = pytest.importorskip("notebooks", reason="no docs here")
streams = pytest.importorskip("streams", reason="no docs here")


@pytest.mark.parametrize("extension", [notebooks, streams], ids=lambda extension: extension.__name__)
def test_the_examples_of_an_extension_run(extension):
    found = doctest.testmod(extension)
    assert found.attempted > 0
    assert found.failed == 0
