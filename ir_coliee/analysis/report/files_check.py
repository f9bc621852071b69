"""The section on files: what is wrong in the run files and in the local release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ir_coliee.analysis.report.inputs import Inputs, first_line
from ir_coliee.display import Block, Details, Heading, Table
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.checks import validate
from ir_coliee.releases.audit import audit

_LISTED = 20  # findings of a run


def files_check(inputs: Inputs) -> Iterator[Block]:
    """Yield the findings on each run file and on the local release."""
    yield Heading("Run files", 2)
    for name, run in inputs.runs.runs.items():
        if run.path is None:
            yield f"{name}: passed from memory, so that there is no file to check."
            continue
        try:
            findings = validate(inputs.runs.split, run.path)
        except ColieeError as error:
            yield f"{name}: not checked. {first_line(error)}"
            continue
        yield f"{name}: {_numbers(Counter(finding.level for finding in findings))}"
        if findings:
            rows = [[each.level, each.line, each.message] for each in findings[:_LISTED]]
            more = f"; the first {_LISTED}" if len(findings) > _LISTED else ""
            yield Details(f"Findings on {name}{more}", Table(["level", "line", "finding"], rows))
    yield Heading("Local release", 2)
    result = audit(inputs.runs.release)
    by_level = {level: len(findings) for level, findings in result.by_level.items()}
    yield f"{', '.join(f'{number:,} {entity}' for entity, number in result.counts.items())}. {_numbers(by_level)}"
    if result.findings:
        rows = [[found.level, found.check, found.count, found.advice] for found in result.findings]
        yield Details("Findings on the local release", Table(["level", "check", "count", "advice"], rows))


def _numbers(counts: Mapping[Any, int]) -> str:
    """Return the number of findings of each level, as a sentence.

    Examples
    --------
    >>> _numbers({"error": 2, "note": 1}), _numbers({})
    ('Findings by level: error 2, note 1.', 'Findings: none.')
    """
    found = ", ".join(f"{level} {number}" for level, number in counts.items() if number)
    return f"Findings by level: {found}." if found else "Findings: none."
