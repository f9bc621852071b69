"""Editions of COLIEE: what the organisers handed out each year, read from ``etc/editions/*.yaml``.

An edition has splits; a `Split` states which files it consists of, in which layout and label format, how many
queries, documents and gold labels it has, by which measure it was ranked, and how a run of it is submitted. Code that
differs between editions asks the split for a property and never for its year.
"""

from ir_coliee.editions.splits import (
    COLLECTIONS,
    FIRST_SYNTHETIC_NUMBER,
    OFFICIAL_MEASURES,
    SAMPLE,
    SPLITS,
    TASK_NAMES,
    Count,
    Split,
    collection_id,
    split,
    unknown_id,
)
from ir_coliee.editions.submission_form import LINE_FORMATS, SubmissionForm

__all__ = [
    "COLLECTIONS",
    "FIRST_SYNTHETIC_NUMBER",
    "LINE_FORMATS",
    "OFFICIAL_MEASURES",
    "SAMPLE",
    "SPLITS",
    "TASK_NAMES",
    "Count",
    "Split",
    "SubmissionForm",
    "collection_id",
    "split",
    "unknown_id",
]
