"""The fields of ir_metadata [1]_ that a report knows: platform, research goal, implementation, method, actor, data.

References
----------
.. [1] T. Breuer, J. Keller, P. Schaer, ir_metadata: an extensible metadata schema for IR experiments, SIGIR 2022,
   https://www.ir-metadata.org.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping

from ir_coliee.analysis.report.inputs import Inputs


def run_metadata(inputs: Inputs, versions: Mapping[str, str]) -> dict[str, object]:
    """Return the fields as nested dicts, as ir_metadata's YAML has them.

    Parameters
    ----------
    inputs : Inputs
        The runs.
    versions : mapping of str to str
        The versions of the software.
    """
    split = inputs.runs.split
    test = {"name": "paired randomisation test", "measure": [str(inputs.runs.measure)], "correction method": "Holm"}
    figures = [figure.label for figure in inputs.runs.scorer.evaluation.figures]
    return {
        "platform": {
            "hardware": {"cpu": {"architecture": platform.machine(), "number of cores": os.cpu_count()}},
            "operating system": {"kernel": platform.release(), "distribution": platform.system()},
            "software": {"libraries": {"python": [f"{name}=={number}" for name, number in versions.items()]}},
        },
        "research goal": {
            "venue": {"name": "COLIEE", "year": split.edition},
            "evaluation": {"reported measures": figures, "significance test": [test]},
        },
        "implementation": {"executable": {"cmd": inputs.command("report", "--out", "report.html")}},
        "data": {
            "test collection": {
                "name": split.pretty_name,
                "source": "https://coliee.org",
                "qrels": split.id,
                "topics": split.id,
                "language": split.language or "en",
                "ir_datasets": split.id,
            }
        },
        "runs": [{"tag": name} for name in inputs.runs.runs],
    }


def as_rows(fields: Mapping[str, object]) -> list[list[object]]:
    """Return nested fields as rows of a dotted name and a value.

    Examples
    --------
    >>> as_rows({"data": {"topics": "t", "measures": ["P", "R"]}})
    [['data.topics', 't'], ['data.measures', 'P, R']]
    """
    return [*_rows("", fields)]


def _rows(prefix: str, value: object) -> Iterator[list[object]]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _rows(f"{prefix}.{name}" if prefix else str(name), part)
    elif isinstance(value, list) and any(isinstance(part, Mapping) for part in value):
        for number, part in enumerate(value, start=1):
            yield from _rows(f"{prefix}.{number}", part)
    else:
        yield [prefix, ", ".join(map(str, value)) if isinstance(value, list) else value]
