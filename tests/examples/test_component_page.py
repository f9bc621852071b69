"""The page of components is that of its table, and what it names is tested."""

import pytest
from component_page import PAGE, page

if not PAGE.parent.is_dir():
    pytest.skip("the examples are in the repository alone", allow_module_level=True)


def test_the_page_is_the_one_of_the_table():
    assert PAGE.read_text(encoding="utf-8") == page(), "run python tests/examples/component_page.py"
