"""The examples in the docstrings of the components run."""

import doctest
import importlib
import pkgutil

import components
import pytest

MODULES = sorted(f"components.{module.name}" for module in pkgutil.iter_modules(components.__path__))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_component_run(name):
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.attempted > 0
    assert outcome.failed == 0
