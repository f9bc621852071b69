"""No code asks which edition or year it has: what differs between editions is stated in their files."""

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "ir_coliee"
MODULES = sorted(PACKAGE.rglob("*.py"))

#: Names of editions and years, as a literal would write them.
_EDITION = re.compile(r"20[12]\d(?:\D.*)?|sample|coliee/.*/(?:20[12]\d|sample)(?:/.*)?", re.DOTALL)
_ASKED = {"edition", "year"}


def is_edition(node):
    """Whether an expression is the name or year of an edition, or a collection that has one."""
    if isinstance(node, ast.Constant):
        value = node.value
        return (isinstance(value, str) and bool(_EDITION.fullmatch(value))) or (
            type(value) is int and 2010 <= value <= 2030
        )
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(map(is_edition, node.elts))
    if isinstance(node, ast.Call):
        return any(map(is_edition, node.args))
    return False


def asks(node):
    """Whether an expression is, or has in it, ``….edition`` or ``….year``, or a variable of that name."""
    return any(
        (isinstance(inner, ast.Attribute) and inner.attr in _ASKED)
        or (isinstance(inner, ast.Name) and inner.id in _ASKED)
        for inner in ast.walk(node)
    )


def conditionals(tree):
    """The lines where an edition or a year is compared with a certain one, or looked up in a table of certain ones."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(map(is_edition, sides)):
                yield node.lineno
        elif isinstance(node, ast.Dict) and any(key is not None and is_edition(key) for key in node.keys):
            yield node.lineno
        elif isinstance(node, ast.match_case) and any(
            isinstance(inner, ast.MatchValue) and is_edition(inner.value) for inner in ast.walk(node.pattern)
        ):
            yield node.pattern.lineno
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "startswith"
            and asks(node.func.value)
            and any(map(is_edition, node.args))
        ):
            yield node.lineno


@pytest.mark.parametrize(
    ("code", "number"),
    [
        ("split.edition == '2026'", 1),
        ("split.edition in ('2018', '2019')", 1),
        ("(split.task, split.edition) == ('task2', '2018')", 1),
        ("split.year >= 2025", 1),
        ("2023 <= split.year <= 2025", 1),
        ("split.edition != 'sample'", 1),
        ("int(split.edition) in range(2020, 2023)", 1),
        ("{'2018': 1}.get(split.edition)", 1),
        ("{('2020', 'test'): 1}", 1),
        ("match split.edition:\n    case '2018':\n        pass", 1),
        ("split.id == 'coliee/task1/2018/test'", 1),
        ("split.edition.startswith('2018')", 1),
        ("split.edition in name", 0),
        ("other.edition != split.edition", 0),
        ("split.is_built_in", 0),
        ("text = 'COLIEE 2018'", 0),
        ("count > 2000", 0),
    ],
)
def test_the_search_sees_conditionals_on_an_edition(code, number):
    assert len(list(conditionals(ast.parse(code)))) == number


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_no_code_asks_which_edition_it_has(file):
    found = list(conditionals(ast.parse(file.read_bytes())))
    assert found == [], f"{file.relative_to(PACKAGE.parent)} compares with an edition; state a property in its file."
