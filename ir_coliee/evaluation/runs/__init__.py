"""A run as a file: read as participants write it, written as the organisers want it, checked before it is mailed."""

from ir_coliee.evaluation.runs.file_writing import require_writable
from ir_coliee.evaluation.runs.reading import (
    RunFile,
    RunLine,
    as_frame,
    open_run,
    parse_run,
    queries_with_conflicting_ranks,
    read_answers,
    read_run,
)
from ir_coliee.evaluation.runs.writing import strictly_decreasing, write_long_list, write_run

__all__ = [
    "RunFile",
    "RunLine",
    "as_frame",
    "queries_with_conflicting_ranks",
    "strictly_decreasing",
    "open_run",
    "parse_run",
    "read_answers",
    "read_run",
    "require_writable",
    "write_long_list",
    "write_run",
]
