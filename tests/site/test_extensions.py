"""The extensions of the site: their examples, and the frames that the reference says a transformer takes and gives."""

import doctest
import inspect

import pyterrier as pt
import pytest

import ir_coliee.transformers
from ir_coliee.transformers import AnswersAsDocuments, CleanCase, LexicalIndexer, OnCluster, Retriever, TopK

pytest.importorskip("myst_nb", reason="the extra docs is not installed")
api_pages = pytest.importorskip("api_pages", reason="no docs here")  # docs/_ext
notebooks = pytest.importorskip("notebooks", reason="no docs here")
streams = pytest.importorskip("streams", reason="no docs here")

PUBLIC = [getattr(ir_coliee.transformers, name) for name in ir_coliee.transformers.__all__]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (TopK, "R to R"),  # said by the base
        (Retriever, "Q to R, R to R"),  # said by transform
        (CleanCase, "Q to Q, D to D, R to R"),
        (AnswersAsDocuments, "Q or R to R"),
        (LexicalIndexer, "D to an index"),
        (OnCluster, ""),  # those of its pipelines
    ],
)
def test_frames_are_read_from_the_docstrings(kind, expected):
    assert api_pages.frames(kind) == expected


def test_only_what_is_made_of_pipelines_leaves_its_frames_to_them():
    kinds = [each for each in PUBLIC if inspect.isclass(each) and issubclass(each, pt.Transformer)]
    silent = {kind for kind in kinds if not api_pages.frames(kind)}
    assert silent <= {kind for kind in kinds if "pt.Transformer" in str(inspect.signature(kind.__init__))}


@pytest.mark.parametrize("extension", [notebooks, streams], ids=lambda extension: extension.__name__)
def test_the_examples_of_an_extension_run(extension):
    found = doctest.testmod(extension)
    assert found.attempted > 0
    assert found.failed == 0
