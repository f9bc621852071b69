"""What the tests of several folders use. This file puts its folder on the path: tests can `import strategies`."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the data folder."""
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """Let torch compute in one thread, so that equal calls give equal bits."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def fixture_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Path]:
    """A function that makes a copy of a static release the data folder: ``fixture_home("task1/2025")``."""

    def copied(name: str, *, irregular: bool = True, archive: bool = False) -> Path:
        from fixture_releases import copy_of_release

        from ir_coliee.releases.cache import forget

        home = copy_of_release(name, tmp_path / "data", irregular=irregular, archive=archive)
        monkeypatch.setenv("COLIEE_HOME", str(home))
        forget()
        return home

    return copied
