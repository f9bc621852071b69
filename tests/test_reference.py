"""What the pages of the reference say of transformers, files and editions is true, and no public name is missing."""

import importlib
import inspect
import re
from collections import Counter
from pathlib import Path

import pyterrier as pt
import pytest

import ir_coliee
import ir_coliee.transformers
from ir_coliee import editions
from ir_coliee.evaluation.runs import load_run
from ir_coliee.evaluation.writing import write_run
from ir_coliee.transformers.base import REFERENCE, help_url

REFERENCE_PAGES = Path(__file__).parents[1] / "docs" / "reference"
PT_DOCS = Path(ir_coliee.__file__).parent / "pt_docs"
FILE_FORMS = REFERENCE_PAGES / "file-forms.md"

pytestmark = pytest.mark.skipif(not REFERENCE_PAGES.exists(), reason="no docs here")


def public_names(package):
    """The names that a package exports, by the identity of what they name."""
    exported = {name: getattr(package, name) for name in getattr(package, "__all__", vars(package)) if name[0] != "_"}
    own = {name: value for name, value in exported.items() if getattr(value, "__module__", "").startswith("ir_coliee")}
    return {id(value): f"{package.__name__}.{name}" for name, value in own.items()}


def test_every_public_name_is_described_once():
    described = Counter()
    for page in (*REFERENCE_PAGES.rglob("*.md"), *PT_DOCS.glob("*.rst")):
        entries = r"^\.\. auto(?:class|function|data|exception):: (\S+)$|^    (ir_coliee\.\S+)$"
        for entry in map("".join, re.findall(entries, page.read_text(encoding="utf-8"), re.MULTILINE)):
            module, _, name = entry.rpartition(".")
            described[id(getattr(importlib.import_module(module), name))] += 1
    for package in ("", ".transformers", ".analysis", ".baselines", ".models"):
        names = public_names(importlib.import_module(f"ir_coliee{package}"))
        assert {name: described[value] for value, name in names.items() if described[value] != 1} == {}


def test_the_help_of_a_transformer_leads_to_its_description():
    for each in vars(ir_coliee.transformers).values():
        if inspect.isclass(each) and issubclass(each, pt.Transformer):
            page, _, place = help_url(each).partition(".html#")
            text = (PT_DOCS / f"{page.removeprefix(REFERENCE)[1:]}.rst").read_text(encoding="utf-8")
            assert f".. autoclass:: {place}\n" in text


def test_the_example_for_pyterriers_site_runs():
    text = (PT_DOCS / "index.rst").read_text(encoding="utf-8")
    (example,) = re.findall(r"^\.\. code-block:: python\n\n((?: {4}.*\n|\n)+)", text, re.MULTILINE)
    variables = {}
    exec(compile(inspect.cleandoc(example), "index.rst", "exec"), variables)
    topics = variables["dataset"].get_topics()
    assert variables["pipeline"](topics).qid.nunique() == len(topics)


def test_the_examples_of_file_forms_are_read_written_and_known(tmp_path, monkeypatch):
    text = FILE_FORMS.read_text(encoding="utf-8")
    examples = re.findall(r"^<!-- (\w+): (\S+) -->\n```\w+\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    for kind, dataset_id, example in examples:
        if kind == "read":
            (tmp_path / "read").write_text(example, encoding="utf-8")
            frame = load_run(dataset_id, tmp_path / "read").frame
            assert len(frame) == 3
            if example.split()[-1] == "example":  # an official file
                write_run(dataset_id, frame, tmp_path / "written", "example", overwrite=True)
                assert (tmp_path / "written").read_text(encoding="utf-8") == example
    (example,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    (tmp_path / "editions").mkdir()
    (tmp_path / "editions" / "2099.yaml").write_text(example, encoding="utf-8")
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    assert "coliee/task1/2099/test" in editions.dataset_ids()
