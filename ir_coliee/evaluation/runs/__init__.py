"""Run files: reading all forms that participants use, writing the official form, validation and submission."""

from ir_coliee.evaluation.runs.answers import RunLine
from ir_coliee.evaluation.runs.file_writing import require_writable, require_writable_folder
from ir_coliee.evaluation.runs.loading import load_run
from ir_coliee.evaluation.runs.reading import (
    RunFile,
    as_frame,
    open_run,
    parse_run,
    read_answers,
    read_run,
)
from ir_coliee.evaluation.runs.writing import strictly_decreasing, write_long_list, write_ranking, write_run

__all__ = [
    "RunFile",
    "RunLine",
    "as_frame",
    "load_run",
    "open_run",
    "parse_run",
    "read_answers",
    "read_run",
    "require_writable",
    "require_writable_folder",
    "strictly_decreasing",
    "write_long_list",
    "write_ranking",
    "write_run",
]
