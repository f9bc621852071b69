"""The references between the articles of a local release."""

from __future__ import annotations

import warnings

from ir_coliee.editions import Dataset, as_dataset_id
from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.releases.civil_code import all_articles
from ir_coliee.releases.release import LocalRelease
from ir_coliee.text.references.graph import ReferenceGraph, reference_graph


def article_references(dataset: Dataset) -> ReferenceGraph:
    """Return the references between the articles of a dataset of task 3, 4 or 5, or of a collection of articles.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles.

    Raises
    ------
    UnknownIdError
        If there is no such dataset id.
    ColieeError
        If it has no articles.
    MissingReleaseError
        If the civil code is not in the data folder.

    Examples
    --------
    >>> graph = article_references("coliee/task3/sample/en")
    >>> {edge.kind for edge in graph.references} <= {"number", "range", "relative", "structural"}
    True
    """
    release = release_with_articles(dataset)
    split, articles = release.split, all_articles(release)
    if not any(article.part for article in articles):
        message = (
            f"{as_dataset_id(dataset)}: the local civil code has no parts and chapters.\n"
            "References to whole units (この節, this Section) are therefore not resolved. "
            f"Put the XML file of the law ({split.files['articles'][0]}) into the same folder."
        )
        warnings.warn(message, ColieeWarning, stacklevel=2)
    return reference_graph(articles, split.language)


def release_with_articles(dataset: Dataset) -> LocalRelease:
    """Open the release of a dataset of task 3, 4 or 5, or of a collection of articles.

    The parameters and errors are those of `article_references`.
    """
    dataset_id = as_dataset_id(dataset)
    release = LocalRelease.open(dataset_id)
    if "articles" not in release.split.files:
        raise ColieeError(f"{dataset_id} has no articles.\nGive an id of task 3, 4 or 5, like coliee/task3/sample/ja.")
    return release
