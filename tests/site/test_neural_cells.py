"""The cells of a tutorial that the build of the site does not run, because they need torch."""

import re
from pathlib import Path

import pytest

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorials" / "task2.md"
CELL = re.compile(r"^```\{code-cell\}\n(?::tags: [^\n]*\n\n)?(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.slow
@pytest.mark.skipif(not TUTORIAL.exists(), reason="no docs here")
def test_all_cells_of_the_tutorial_of_task_2_run(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    cells = CELL.findall(TUTORIAL.read_text(encoding="utf-8"))
    code = "\n".join(line for cell in cells for line in cell.splitlines() if not line.startswith("!"))
    monkeypatch.chdir(tmp_path)
    variables = {"__name__": "__main__"}
    exec(compile(code, "task2", "exec"), variables)
    assert set(variables["answers"]["qid"]) <= set(variables["test"].get_topics()["qid"])
