"""What holds for the tests and for the examples in docstrings."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Cache indexes of the sample below a temporary folder instead of the user's home."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("IR_DATASETS_HOME", str(tmp_path_factory.mktemp("home")))
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Make examples in docstrings fail if they show a warning, as a reader who copies them would see it."""
    for item in items:
        if isinstance(item, pytest.DoctestItem):
            item.add_marker(pytest.mark.filterwarnings("error::UserWarning"))
