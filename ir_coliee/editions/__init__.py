"""Editions of COLIEE: what the organisers handed out each year, read from ``etc/editions/*.yaml``.

An edition has splits; a `Split` states which files it consists of, in which layout and label format, how many
queries, documents and gold labels it has, by which measure it was ranked, and how a run of it is submitted. Code that
differs between editions asks the split for a property and never for its year. A user adds an edition as
``$COLIEE_HOME/editions/2027.yaml``.
"""

from ir_coliee.editions.catalogue import (
    COLLECTIONS,
    SPLITS,
    USER_FOLDER,
    built_in_editions,
    edition,
    editions,
    is_of_package,
    readable_splits,
    split,
    unknown_id,
)
from ir_coliee.editions.counts import CERTAINTIES, Count
from ir_coliee.editions.data_folders import data_folders, ir_datasets_folder
from ir_coliee.editions.edition import Edition, collection_id
from ir_coliee.editions.index import dataset_ids
from ir_coliee.editions.irregularities import IRREGULARITIES
from ir_coliee.editions.nearest_ids import nearest_ids
from ir_coliee.editions.resolution import Dataset, as_dataset_id, as_split
from ir_coliee.editions.selection import select_ids
from ir_coliee.editions.split import FIRST_SYNTHETIC_NUMBER, Split
from ir_coliee.editions.submission_form import LINE_FORMATS, SubmissionForm
from ir_coliee.editions.synthetic_schema import LABEL_STYLES, PAIR_FORMS
from ir_coliee.editions.tasks import CODE_FORMATS, LABEL_FORMATS, LANGUAGE_NAMES, LANGUAGES, LAYOUTS, TASK_NAMES

__all__ = [
    "CERTAINTIES",
    "CODE_FORMATS",
    "COLLECTIONS",
    "FIRST_SYNTHETIC_NUMBER",
    "IRREGULARITIES",
    "LABEL_FORMATS",
    "LABEL_STYLES",
    "LANGUAGES",
    "LANGUAGE_NAMES",
    "LAYOUTS",
    "LINE_FORMATS",
    "PAIR_FORMS",
    "SPLITS",
    "TASK_NAMES",
    "USER_FOLDER",
    "Count",
    "Dataset",
    "Edition",
    "Split",
    "SubmissionForm",
    "as_dataset_id",
    "as_split",
    "built_in_editions",
    "collection_id",
    "data_folders",
    "dataset_ids",
    "edition",
    "editions",
    "ir_datasets_folder",
    "is_of_package",
    "nearest_ids",
    "readable_splits",
    "select_ids",
    "split",
    "unknown_id",
]
