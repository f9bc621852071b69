"""Notebooks that are executed by Jupyter: every result is shown as HTML, and nothing is printed beside it."""

from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")


EXAMPLE = Path(__file__).parents[1] / "examples" / "look_at_results.ipynb"


def executed(notebook, folder):
    """The outputs of each cell of a notebook, by its code."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLIEE_HOME", str(folder))
        nbclient.NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(folder)}}).execute()
    return {cell.source: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}


@pytest.mark.slow
def test_the_example_shows_a_result_in_each_cell(tmp_path):
    notebook = nbformat.read(EXAMPLE, 4)
    assert all(cell.outputs == [] for cell in notebook.cells if cell.cell_type == "code")
    for source, (*others, output) in executed(notebook, tmp_path).items():
        assert all(each.output_type == "display_data" for each in others), source  # progress, and no warning
        assert output.output_type == "execute_result", source
        assert "text/html" in output.data, source
