"""What the pages of the reference say of transformers, files and editions is true."""

import inspect
import re
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

pytestmark = pytest.mark.skipif(not REFERENCE_PAGES.exists(), reason="no docs here")


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
    assert variables["pipeline"](variables["dataset"].get_topics()).qid.nunique() == len(
        variables["dataset"].get_topics()
    )


FILE_FORMS = REFERENCE_PAGES / "file-forms.md"
EXAMPLES = (
    re.findall(r"^<!-- (\w+): (\S+) -->\n```\w+\n(.*?)^```", FILE_FORMS.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    if FILE_FORMS.exists()
    else []
)


@pytest.mark.parametrize(
    ("dataset_id", "example"), [(where, example) for kind, where, example in EXAMPLES if kind == "read"]
)
def test_an_example_of_a_run_is_read_without_an_error(dataset_id, example, tmp_path):
    (tmp_path / "run").write_text(example, encoding="utf-8")
    assert len(load_run(dataset_id, tmp_path / "run").frame) == 3


@pytest.mark.parametrize(
    ("dataset_id", "example"),
    [(where, example) for kind, where, example in EXAMPLES if kind == "read" and example.split()[-1] == "example"],
)
def test_an_example_of_an_official_file_is_what_is_written(dataset_id, example, tmp_path):
    (tmp_path / "read").write_text(example, encoding="utf-8")
    write_run(dataset_id, load_run(dataset_id, tmp_path / "read").frame, tmp_path / "written", "example")
    assert (tmp_path / "written").read_text(encoding="utf-8") == example


def test_the_example_of_an_edition_is_one(tmp_path, monkeypatch):
    (example,) = re.findall(r"```yaml\n(.*?)```", FILE_FORMS.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "editions").mkdir()
    (tmp_path / "editions" / "2099.yaml").write_text(example, encoding="utf-8")
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    assert "coliee/task1/2099/test" in editions.dataset_ids()
