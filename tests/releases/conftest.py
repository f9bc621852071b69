"""A fixture for tests that write local copies."""

import pytest


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Return an empty folder that is the data folder."""
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    return tmp_path
