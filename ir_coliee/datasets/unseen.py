"""Queries of a split whose text does not occur in the train split of the same edition."""

from __future__ import annotations

from typing import Literal

from ir_coliee.editions import Dataset, as_split
from ir_coliee.errors import ColieeError
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.releases.text_fingerprints import text_digest


def unseen_queries(dataset: Dataset, *, known: Literal["queries", "texts"] = "queries") -> list[str]:
    """Return the ids of the queries that a model cannot know from the train split of the same edition.

    Some test queries have the text of a train query, whose labels were published with the train split. A run can find
    their relevant items there; the official scores count these queries like all others.

    Parameters
    ----------
    dataset : str or Split or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A test split, or another split with a train split of other queries.
    known : {"queries", "texts"}, default="queries"
        The texts of the train split that a query is compared with: ``queries``, its labelled queries; ``texts``, all
        its queries and documents.

    Returns
    -------
    list of str
        The ids of the queries whose text is none of these, in the order of the dataset.

    Raises
    ------
    ColieeError
        If the dataset is a train split, or has no train split of other queries.
    MissingReleaseError
        If the files of the split or of its train split are not in the data folder.

    Notes
    -----
    Texts are equal if they differ at most in line ends. If train and test split have one common folder of documents, as
    in task 1 of 2021, each query is among ``texts``, so that the list is empty.

    Examples
    --------
    The topics of an experiment without the queries that are train queries too:

    >>> import ir_datasets, pandas as pd
    >>> ID = "coliee/task1/sample/test"
    >>> topics = pd.DataFrame(ir_datasets.load(ID).queries_iter()).rename(columns={"query_id": "qid"})
    >>> len(topics[topics.qid.isin(unseen_queries(ID))])
    12
    """
    split = as_split(dataset)
    train = split.train
    if train is None or train.id == split.id:
        raise ColieeError(
            f"{split.id} has no train split of other queries to compare with.\nPass the id of a test split."
        )
    if known not in ("queries", "texts"):
        raise ValueError(f"known must be 'queries' or 'texts', got {known!r}.")
    release = LocalRelease.open(train)
    labelled = {qrel.query_id for qrel in release.qrels()}
    seen = {
        text_digest(query.default_text())
        for query in release.queries()
        if known == "texts" or query.query_id in labelled
    }
    if known == "texts":
        seen.update(text_digest(document.default_text()) for document in release.documents())
    queries = LocalRelease.open(split).queries()
    return [query.query_id for query in queries if text_digest(query.default_text()) not in seen]
