"""What holds for the tests and for the examples in docstrings."""

import os
from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from hypothesis import settings

# Numerical libraries read it when they are imported. Each worker of pytest-xdist would otherwise take all cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")
settings.register_profile("usual", max_examples=50, deadline=None)
settings.register_profile("long", deadline=None)
settings.load_profile("long" if os.environ.get("COLIEE_FAULTS") == "long" else "usual")  # as in tests/faults

collect_ignore_glob = ["tests/*conftest.py"]  # they have no examples, and their names are alike


@pytest.fixture(autouse=True, scope="session")
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Cache indexes of the sample below a temporary folder instead of the user's home."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("IR_DATASETS_HOME", str(tmp_path_factory.mktemp("home")))
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Make examples in docstrings fail if they show a warning, as a reader who copies them would see it.

    Those with a tiny checkpoint need the extra ``neural``: `.ci/run systems` runs them. Long tests are slow, too.
    """
    without_models = pytest.mark.skipif(find_spec("torch") is None, reason="needs the extra neural")
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.slow)
        if isinstance(item, pytest.DoctestItem):
            item.add_marker(pytest.mark.filterwarnings("error::UserWarning"))
            if any("tiny_checkpoint" in example.source for example in item.dtest.examples):
                item.add_marker(without_models)
