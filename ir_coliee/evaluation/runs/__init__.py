"""A run as a file: read as participants write it, written as the organisers want it, checked before it is mailed."""

from ir_coliee.evaluation.runs.new_files import refuse_taken
from ir_coliee.evaluation.runs.reading import (
    RunFile,
    RunLine,
    as_frame,
    disagreeing,
    open_run,
    parse_run,
    read_answers,
    read_run,
)
from ir_coliee.evaluation.runs.writing import falling, refuse_malformed, write_long_list, write_run

__all__ = [
    "RunFile",
    "RunLine",
    "as_frame",
    "disagreeing",
    "falling",
    "open_run",
    "parse_run",
    "read_answers",
    "read_run",
    "refuse_malformed",
    "refuse_taken",
    "write_long_list",
    "write_run",
]
