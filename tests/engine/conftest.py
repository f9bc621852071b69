"""Readings of texts by several processes."""

import pytest

from ir_coliee.engine import counting


@pytest.fixture
def soon_large(monkeypatch):
    """Have workers start at once, and read many batches."""
    monkeypatch.setattr(counting, "_BATCH", 2_000)
    monkeypatch.setattr(counting, "_SMALL", 2_000)
