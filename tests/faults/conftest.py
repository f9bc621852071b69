"""The project's own attack: what is shared by its modules.

Each module gives one kind of reader, function or process what it must not stumble over: mutated files, hostile texts,
kills, full disks. A mutated input loads, with or without a `ColieeWarning`, or is refused as a `ColieeError`.

The usual test run tries 50 inputs of each entity, and 10 of one with many files. ``COLIEE_FAULTS=long`` tries 2,000 of
each; ``.ci/run long`` does so. Inputs are drawn with a seed, which a failure prints and ``COLIEE_FAULTS_SEED`` sets.

A test that counts its inputs in the fixture `outcomes` appears in the summary below the test run.
"""

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
IS_LONG = os.environ.get("COLIEE_FAULTS") == "long"
SEED = int(os.environ.get("COLIEE_FAULTS_SEED", "16"))
if importlib.util.find_spec("resource") is None:  # Windows has no limits of a process, which these set
    collect_ignore = ["planted_readers.py", "text_growth.py", "writing/fork_server.py"]


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


@pytest.fixture
def outcomes(record_property) -> dict[str, int]:
    """The inputs of a test by their outcome, which the test counts and the summary shows."""
    counts = {"loaded": 0, "refused": 0, "failed": 0}
    record_property("inputs", counts)
    return counts


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Name the seed below each failure."""
    report = yield
    if report.failed:
        report.sections.append(("seed", f"COLIEE_FAULTS_SEED={SEED}{' COLIEE_FAULTS=long' * IS_LONG}"))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show the inputs of each test by their outcome."""
    rows = [
        (report.nodeid.rpartition("::")[2], dict(report.user_properties)["inputs"])
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "call" and "inputs" in dict(report.user_properties)
    ]
    if not rows:
        return
    terminalreporter.section("inputs of the attack")
    total = {outcome: sum(counts[outcome] for _, counts in rows) for outcome in rows[0][1]}
    width = max(len(name) for name, _ in rows)
    for name, counts in [*sorted(rows), ("all", total)]:
        figures = "  ".join(f"{number:>7,} {outcome}" for outcome, number in counts.items())
        terminalreporter.write_line(f"{name:<{width}}  {sum(counts.values()):>7,} inputs: {figures}")
