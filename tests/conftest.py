"""Having this file here puts the folder on the path, so that tests of every room can `import strategies`."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Indexes of the sample are cached: not in the home of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("IR_DATASETS_HOME", str(tmp_path_factory.mktemp("home")))
        yield
