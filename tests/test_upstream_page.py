"""The places of workarounds that docs/upstream.md names exist in the package."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "upstream.md"
TEXT = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
PLACES = re.findall(r"\[`([\w.]+)`\]\(https://github\.com/ir-coliee/ir_coliee/blob/main/([\w./]+)\)", TEXT)

pytestmark = pytest.mark.skipif(not TEXT, reason="no docs here")


def defined_names(file):
    """The names of a module's functions and classes, and of the methods as ``Class.method``."""
    for node in ast.parse(file.read_bytes()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from (f"{node.name}.{each.name}" for each in node.body if isinstance(each, ast.FunctionDef))
        if isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


@pytest.mark.parametrize(("name", "path"), PLACES)
def test_the_place_of_each_workaround_exists(name, path):
    file = ROOT / path
    names = defined_names(file) if file.suffix == ".py" else file.read_text(encoding="utf-8").split()
    assert name in names


def test_each_problem_has_a_reproduction_a_workaround_and_a_proposal():
    sections = re.split(r"^### ", TEXT, flags=re.MULTILINE)[1:]
    assert len(sections) > 15
    for words in (r"```\{code-cell\}", r"^\* \*\*Workaround:", r"^\* \*\*Proposed change:"):
        assert [section.split("\n")[0] for section in sections if not re.search(words, section, re.MULTILINE)] == []
