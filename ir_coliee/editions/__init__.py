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
    Dataset,
    as_dataset_id,
    as_split,
    built_in_editions,
    data_folders,
    dataset_ids,
    edition,
    editions,
    ir_datasets_folder,
    is_of_package,
    nearest_ids,
    readable_splits,
    select_ids,
    split,
    unknown_id,
)
from ir_coliee.editions.edition import (
    CERTAINTIES,
    CODE_FORMATS,
    FIRST_SYNTHETIC_NUMBER,
    LABEL_FORMATS,
    LANGUAGE_NAMES,
    LANGUAGES,
    LAYOUTS,
    LINE_FORMATS,
    TASK_NAMES,
    Count,
    Edition,
    Split,
    SubmissionForm,
    collection_id,
)

__all__ = [
    "CERTAINTIES",
    "CODE_FORMATS",
    "COLLECTIONS",
    "FIRST_SYNTHETIC_NUMBER",
    "LABEL_FORMATS",
    "LANGUAGES",
    "LANGUAGE_NAMES",
    "LAYOUTS",
    "LINE_FORMATS",
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
