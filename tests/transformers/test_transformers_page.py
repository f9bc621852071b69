"""The page docs/reference/transformers.md is what the docstrings of the transformers say."""

import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pyterrier as pt
import pytest

import ir_coliee.transformers
from ir_coliee.transformers import AnswersAsDocuments, CleanCase, LexicalIndexer, OnCluster, Retriever, TopK
from ir_coliee.transformers.base import REFERENCE_PAGE, help_url
from ir_coliee.transformers.documentation import frames, page, paragraphs, sub_packages

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "transformers.md"
PUBLIC = [getattr(ir_coliee.transformers, name) for name in ir_coliee.transformers.__all__]


def section(name):
    return page().partition(f"### {name}\n")[2].partition("\n##")[0]


@pytest.mark.skipif(not PAGE.exists(), reason="no docs here")
def test_the_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(), (
        "run: python -m ir_coliee.transformers > docs/reference/transformers.md"
    )


def test_the_command_prints_the_page():
    finished = subprocess.run([sys.executable, "-m", "ir_coliee.transformers"], capture_output=True, check=True)
    assert finished.stdout.decode() == page()


def test_every_public_name_has_one_section_and_every_module_a_chapter():
    assert sorted(re.findall(r"^### (\w+)$", page(), re.MULTILINE)) == sorted(ir_coliee.transformers.__all__)
    chapters = [name.rpartition(".")[2].capitalize() for name in sub_packages()]
    assert re.findall(r"^## (\w+)$", page(), re.MULTILINE) == chapters
    modules = [name for _, name, is_package in pkgutil.iter_modules(ir_coliee.transformers.__path__) if is_package]
    assert sorted(chapters) == sorted(name.capitalize() for name in modules)


def test_every_class_has_a_help_page_on_the_reference_page():
    headings = re.findall(r"^### (\w+)$", page(), re.MULTILINE)
    for each in PUBLIC:
        address, _, name = help_url(each).partition("#")
        assert address == REFERENCE_PAGE
        assert name in map(str.lower, headings)


@pytest.mark.parametrize("each", PUBLIC, ids=lambda each: each.__name__)
def test_a_section_has_the_first_paragraph_and_each_parameter_with_its_default(each):
    said = section(each.__name__)
    assert paragraphs(each)[0] in said
    made = each.__init__ if inspect.isclass(each) else each
    parameters = {} if made is object.__init__ else dict(inspect.signature(made).parameters)
    parameters.pop("self", None)
    for name, parameter in parameters.items():
        default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
        assert re.search(rf"`{each.__name__}\(.*\b{re.escape(name + default)}[,)]", said), name


def test_a_section_says_what_the_parameters_are():
    assert "**Parameters**\n\n* `k` (int): The number of items to keep" in section("TopK")
    assert "* `template` (str): The name of one of" in section("Entailment")
    assert "* `build(corpus, *, analyser='words')`: Build an index of a PyTerrier corpus." in section("LexicalIndex")
    assert "R to R: `DropSelf()`" in section("DropSelf")
    assert ">>>" not in page()
    assert "``" not in page()


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (TopK, "R to R"),  # said by the base
        (Retriever, "Q to R, R to R"),  # said by transform
        (CleanCase, "Q to Q, D to D, R to R"),
        (AnswersAsDocuments, "Q or R to R"),
        (LexicalIndexer, "D to an index"),
        (OnCluster, "as its pipelines"),
    ],
)
def test_what_goes_in_and_out_is_read_from_the_docstrings(kind, expected):
    assert frames(kind) == expected
    assert f"\n{expected}: `{kind.__name__}(" in page()


def test_only_what_is_made_of_pipelines_leaves_its_frames_to_them():
    kinds = [each for each in PUBLIC if inspect.isclass(each) and issubclass(each, pt.Transformer)]
    silent = {kind for kind in kinds if frames(kind) == "as its pipelines"}
    made_of_pipelines = {kind for kind in kinds if "pt.Transformer" in str(inspect.signature(kind.__init__))}
    assert silent <= made_of_pipelines


def test_the_page_for_pyterriers_own_documentation_names_each_of_them_once():
    text = (Path(ir_coliee.transformers.__file__).parents[1] / "pt_docs" / "index.rst").read_text(encoding="utf-8")
    named = re.findall(r"^\.\. auto(class|function):: ir_coliee\.transformers\.(\w+)$", text, re.MULTILINE)
    kinds = [("class" if inspect.isclass(each) else "function", each.__name__) for each in PUBLIC]
    assert sorted(named) == sorted(kinds)
