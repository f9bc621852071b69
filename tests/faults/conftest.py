"""The project's own attack: mutated files, hostile texts, kills, full disks.

A mutated input loads, with or without a `ColieeWarning`, or is refused as a `ColieeError`. Hypothesis draws the inputs,
shrinks what fails and prints how to reproduce it. The usual test run tries a few inputs of each entity,
``COLIEE_FAULTS=long`` many more; ``.ci/run long`` does so. Other inputs are drawn with a seed, which a failure prints
and ``COLIEE_FAULTS_SEED`` sets.
"""

import os
from collections.abc import Iterator

import pytest

IS_LONG = os.environ.get("COLIEE_FAULTS") == "long"
SEED = int(os.environ.get("COLIEE_FAULTS_SEED", "16"))


@pytest.fixture(scope="session")
def is_long() -> bool:
    """Whether this is the long job."""
    return IS_LONG


@pytest.fixture(scope="session")
def inputs_per_entity() -> int:
    """The number of inputs that a test tries of each entity."""
    return 2_000 if IS_LONG else 50


@pytest.fixture(scope="session")
def seed() -> int:
    """The seed that inputs are drawn with."""
    return SEED


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Name the seed below each failure."""
    report = yield
    if report.failed:
        report.sections.append(("seed", f"COLIEE_FAULTS_SEED={SEED}{' COLIEE_FAULTS=long' * IS_LONG}"))
    return report
