"""The loss functions of cross-encoders by name, and the training data in the form that each expects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from ir_coliee.errors import ColieeError, InsufficientTrainingDataError
from ir_coliee.frames import Floats
from ir_coliee.transformers.training_labels import check_both_classes

TrainingColumns = dict[str, list[Any]]


class Loss(NamedTuple):
    """A loss function of sentence-transformers.

    Attributes
    ----------
    class_name : str
        The name of the class in ``sentence_transformers.cross_encoder.losses``.
    form : {"pairs", "lists", "preferences"}
        What a training example is: a query and a candidate; a query with all its candidates; or a query with two
        candidates, of which the first has the higher label.
    is_graded : bool
        Whether labels other than 0 and 1 have a meaning.
    reference : str
        The publication.
    """

    class_name: str
    form: Literal["pairs", "lists", "preferences"]
    is_graded: bool
    reference: str


#: The loss functions by the name that `PairScorer` takes.
LOSSES = {
    "binary cross-entropy": Loss("BinaryCrossEntropyLoss", "pairs", False, "Nogueira and Cho 2019, arXiv:1901.04085"),
    "cross-entropy": Loss("CrossEntropyLoss", "pairs", False, "Nogueira and Cho 2019, arXiv:1901.04085"),
    "RankNet": Loss("RankNetLoss", "lists", True, "Burges et al. 2005, doi:10.1145/1102351.1102363"),
    "margin": Loss("MarginMSELoss", "preferences", True, "Hofstätter et al. 2020, arXiv:2010.02666"),
    "ListNet": Loss("ListNetLoss", "lists", True, "Cao et al. 2007, doi:10.1145/1273496.1273513"),
    "ListMLE": Loss("ListMLELoss", "lists", True, "Xia et al. 2008, doi:10.1145/1390156.1390306"),
    "Lambda": Loss("LambdaLoss", "lists", True, "Wang et al. 2018, doi:10.1145/3269206.3271784"),
    "contrastive": Loss(
        "MultipleNegativesRankingLoss", "preferences", False, "van den Oord et al. 2018, arXiv:1807.03748"
    ),
}


class Candidate(NamedTuple):
    """A candidate of a query, for training."""

    qid: str
    query: str
    text: str


def training_columns(name: str, candidates: Sequence[Candidate], labels: Floats) -> TrainingColumns:
    """Return training data in the form that a loss function expects.

    For losses on lists and preferences, queries whose candidates all have the same label are left out.

    Parameters
    ----------
    name : str
        A key of `LOSSES`.
    candidates : sequence of Candidate
        The candidates of all queries.
    labels : numpy.ndarray of shape (n_candidates,)
        The label of each candidate. Labels below 0 count as 0.

    Returns
    -------
    dict of str to list
        The columns of the training data; a row is an example.

    Raises
    ------
    InsufficientTrainingDataError
        If all candidates are relevant or none is, or if no query has candidates of both kinds and the loss needs them.
    ColieeError
        If a label is above 0 but not 1, and the loss is not graded.

    Examples
    --------
    >>> candidates = [Candidate("1", "a query", "one text"), Candidate("1", "a query", "another text")]
    >>> training_columns("ListNet", candidates, np.array([0.0, 1.0]))
    {'query': ['a query'], 'texts': [['another text', 'one text']], 'labels': [[1.0, 0.0]]}
    >>> training_columns("margin", candidates, np.array([0.0, 1.0]))
    {'query': ['a query'], 'higher': ['another text'], 'lower': ['one text'], 'label': [1.0]}
    """
    loss, labels = LOSSES[name], np.maximum(labels, 0.0)
    check_both_classes(labels)
    if not loss.is_graded and (graded := labels[(labels != 0) & (labels != 1)]).size:
        names = ", ".join(each for each, graded in LOSSES.items() if graded.is_graded)
        raise ColieeError(
            f"The loss {name!r} needs labels that are 0 or 1, got {graded[0]:g}.\n"
            f"Set labels above 0 to 1 in the qrels, or use a loss for graded labels: {names}."
        )
    if loss.form == "pairs":
        queries, texts = ([getattr(each, column) for each in candidates] for column in ("query", "text"))
        return {"query": queries, "text": texts, "label": labels.tolist()}
    groups = list(_groups(candidates, labels))
    if not groups:
        raise InsufficientTrainingDataError(
            f"No query has both relevant and other candidates, which the loss {name!r} compares.\n"
            "Add candidates, or use the loss 'binary cross-entropy'."
        )
    return _lists(groups) if loss.form == "lists" else _preferences(groups, with_labels=loss.is_graded)


_Group = list[tuple[Candidate, float]]


def _groups(candidates: Sequence[Candidate], labels: Floats) -> Iterator[_Group]:
    """Yield the candidates of each query in descending order of their labels, if these differ."""
    groups: dict[str, _Group] = {}
    for candidate, label in zip(candidates, labels.tolist()):
        groups.setdefault(candidate.qid, []).append((candidate, label))
    for group in groups.values():
        group.sort(key=lambda item: -item[1])
        if group[0][1] > group[-1][1]:
            yield group


def _lists(groups: Sequence[_Group]) -> TrainingColumns:
    return {
        "query": [group[0][0].query for group in groups],
        "texts": [[candidate.text for candidate, _ in group] for group in groups],
        "labels": [[label for _, label in group] for group in groups],
    }


def _preferences(groups: Sequence[_Group], *, with_labels: bool) -> TrainingColumns:
    rows = [
        (higher.query, higher.text, lower.text, label - other)
        for group in groups
        for higher, label in group
        for lower, other in group
        if label > other
    ]
    *columns, differences = map(list, zip(*rows))
    return dict(zip(("query", "higher", "lower"), columns)) | ({"label": differences} if with_labels else {})
