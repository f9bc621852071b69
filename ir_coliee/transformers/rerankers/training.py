"""Fine-tuning of cross-encoders: hard negatives, rounds, losses. Training needs the extra ``neural``."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import pandas as pd
import pyterrier as pt
from ir_measures.measures import Measure

from ir_coliee.errors import ColieeError, ColieeWarning, InsufficientTrainingDataError, printable_list, warn
from ir_coliee.frames import Floats, check_ids, integer_at_least, sort_results
from ir_coliee.progress import stage
from ir_coliee.transformers.answers.prompting import QuestionText
from ir_coliee.transformers.estimators import check_both_classes, result_labels


def hard_negatives(run: pd.DataFrame, qrels: pd.DataFrame, number: int) -> pd.DataFrame:
    """Select each query's relevant candidates and its highest-ranked non-relevant ones, as training data.

    Use the run of any first model for the first round of training, and the run of the fitted model for the next round,
    as CAPTAIN did for task 2 in 2023.

    Parameters
    ----------
    run : pandas.DataFrame
        Results with scores, and with the texts for the training.
    qrels : pandas.DataFrame
        The columns qid, docno and label. A candidate that they do not contain is not relevant.
    number : int
        The number of hard negatives of each query, >= 1.

    Returns
    -------
    pandas.DataFrame
        The selected rows of the run, in descending order of score. Queries without a relevant candidate in the run are
        left out.

    Raises
    ------
    ColieeError
        If all candidates are relevant or none is, or if an id is not a string.

    Warns
    -----
    ColieeWarning
        For queries without a relevant candidate in the run.

    Examples
    --------
    >>> run = pd.DataFrame({"qid": "1", "docno": list("abcd"), "score": [4.0, 3.0, 2.0, 1.0]})
    >>> qrels = pd.DataFrame({"qid": ["1"], "docno": ["c"], "label": [1]})
    >>> hard_negatives(run, qrels, number=1).docno.tolist()
    ['a', 'c']
    """
    number = integer_at_least("number", number, 1)
    pt.validate.result_frame(run)
    pt.validate.columns(qrels, includes=["qid", "docno", "label"])
    check_ids(run)  # a relevant candidate whose id is a number would count as not relevant
    ordered = sort_results(run)
    labels = result_labels(ordered, qrels)
    check_both_classes(labels)
    relevant = pd.Series(labels > 0)
    has_relevant = relevant.groupby(ordered["qid"]).transform("any").to_numpy()
    if not has_relevant.all():
        qids = list(dict.fromkeys(ordered["qid"][~has_relevant]))
        problem = "queries have no relevant candidate in the run and are left out"
        warn(f"{len(qids)} {problem}: {printable_list(qids)}.")
    rank = (~relevant).groupby(ordered["qid"]).cumsum().to_numpy()  # from 1, among the query's non-relevant candidates
    hard = ~relevant.to_numpy() & (rank <= number)
    return ordered[has_relevant & np.logical_or(relevant, hard)].reset_index(drop=True)


# Fine-tuning in rounds, each with the hard negatives of the round before.


S = TypeVar("S", bound=Any)  # MonoT5 or PairScorer


def ranking_value(scorer: Any, model: Any, results: Any, qrels: Any) -> float:
    """Return the measure of a scorer's training for its ranking of validation candidates.

    Parameters
    ----------
    scorer : MonoT5 or PairScorer
        The scorer.
    model : object
        Its model, which is being trained.
    results : pandas.DataFrame
        The candidates.
    qrels : pandas.DataFrame
        The columns qid, docno and label. Those of queries without candidates do not count.
    """
    trained = type(scorer)(**{**scorer.arguments(), "score_store": None, "verbose": False})
    trained._fitted_model = model
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColieeWarning)  # which fit has shown before
        ranking = trained.transform(results)
    measure, gold = scorer.training.measure, qrels[qrels["qid"].isin(ranking["qid"])]
    if not isinstance(measure, Measure):
        return float(measure(ranking, gold))
    names = {"qid": "query_id", "docno": "doc_id", "label": "relevance"}
    return float(measure.calc_aggregate(gold.rename(columns=names), ranking.rename(columns=names)))


def mined_rounds(scorer: S, run: pd.DataFrame, qrels: pd.DataFrame, *, rounds: int, negatives: int) -> list[S]:
    """Fine-tune a scorer in rounds, as CAPTAIN did for task 2 in 2023, and return the scorer of each round.

    The first round learns from each query's relevant candidates and its highest-ranked non-relevant ones in the run,
    for example of BM25; each later round learns from those in the ranking of the same candidates by the round before.
    The scorers of all rounds can be combined by `WeightedSum`.

    Parameters
    ----------
    scorer : MonoT5 or PairScorer
        The scorer as it is before the first round. It is not changed. If its `TrainingOptions` have a folder, each
        round stores the state of its training in a folder there, so that an interrupted call continues when it is
        repeated.
    run : pandas.DataFrame
        Candidates with scores, queries and texts.
    qrels : pandas.DataFrame
        The columns qid, docno and label. A candidate that they do not contain is not relevant.
    rounds : int
        The number of rounds, >= 1.
    negatives : int
        As ``number`` of `hard_negatives`.

    Returns
    -------
    list of MonoT5 or PairScorer
        The fitted scorers, in the order of the rounds.

    Raises
    ------
    ColieeError
        If all candidates are relevant or none is, or if an id is not a string.

    Notes
    -----
    The sources say that negatives are mined in rounds and that checkpoints are combined. They give neither the number
    of rounds and negatives, nor whether a round continues the training of the round before. Here, each round starts
    from the checkpoint, with a seed of its own, so that the scorers differ as members of an ensemble should.

    References
    ----------
    Nguyen et al. CAPTAIN at COLIEE 2023: Efficient Methods for Legal Information Retrieval and Entailment Tasks. 2023.
    """
    scorers: list[S] = []
    ranked = run
    for number in range(integer_at_least("rounds", rounds, 1)):
        with stage(f"round {number + 1} of {rounds}", verbose=bool(scorer.arguments().get("verbose"))):
            if scorers:
                ranked = scorers[-1].transform(run)
            scorers.append(_of_round(scorer, number).fit(hard_negatives(ranked, qrels, negatives), qrels))
    return scorers


def _of_round(scorer: S, number: int) -> S:
    """Return an unfitted scorer with the seed and the folder of a round."""
    training = scorer.training
    folder = None if training.folder is None else Path(training.folder, f"round-{number + 1}")
    of_round = replace(training, seed=training.seed + number, folder=folder)
    return type(scorer)(**{**scorer.arguments(), "training": of_round})


# The loss functions of cross-encoders by name, and the training data in the form that each expects.


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
    """

    class_name: str
    form: Literal["pairs", "lists", "preferences"]
    is_graded: bool


#: The loss functions by the name that `PairScorer` takes.
LOSSES = {
    "binary cross-entropy": Loss("BinaryCrossEntropyLoss", "pairs", False),  # Nogueira and Cho 2019, arXiv:1901.04085
    "cross-entropy": Loss("CrossEntropyLoss", "pairs", False),
    "RankNet": Loss("RankNetLoss", "lists", True),  # Burges et al. 2005, doi:10.1145/1102351.1102363
    "margin": Loss("MarginMSELoss", "preferences", True),  # Hofstätter et al. 2020, arXiv:2010.02666
    "ListNet": Loss("ListNetLoss", "lists", True),  # Cao et al. 2007, doi:10.1145/1273496.1273513
    "ListMLE": Loss("ListMLELoss", "lists", True),  # Xia et al. 2008, doi:10.1145/1390156.1390306
    "Lambda": Loss("LambdaLoss", "lists", True),  # Wang et al. 2018, doi:10.1145/3269206.3271784
    "contrastive": Loss("MultipleNegativesRankingLoss", "preferences", False),  # van den Oord 2018, arXiv:1807.03748
}


def training_columns(name: str, candidates: Sequence[QuestionText], labels: Floats) -> TrainingColumns:
    """Return training data in the form that a loss function expects.

    For losses on lists and preferences, queries whose candidates all have the same label are left out.

    Parameters
    ----------
    name : str
        A key of `LOSSES`.
    candidates : sequence of QuestionText
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
    >>> candidates = [QuestionText("1", "a query", "one text"), QuestionText("1", "a query", "another text")]
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
        _, queries, texts = map(list, zip(*candidates))
        return {"query": queries, "text": texts, "label": labels.tolist()}
    groups = list(_groups(candidates, labels))
    if not groups:
        raise InsufficientTrainingDataError(
            f"No query has both relevant and other candidates, which the loss {name!r} compares.\n"
            "Add candidates, or use the loss 'binary cross-entropy'."
        )
    if loss.form == "lists":
        return {
            "query": [group[0][0].query for group in groups],
            "texts": [[candidate.text for candidate, _ in group] for group in groups],
            "labels": [[label for _, label in group] for group in groups],
        }
    rows = [
        (higher.query, higher.text, lower.text, label - other)
        for group in groups
        for higher, label in group
        for lower, other in group
        if label > other
    ]
    columns = ("query", "higher", "lower", "label")[: 4 if loss.is_graded else 3]
    return dict(zip(columns, map(list, zip(*rows))))


_Group = list[tuple[QuestionText, float]]


def _groups(candidates: Sequence[QuestionText], labels: Floats) -> Iterator[_Group]:
    """Yield the candidates of each query in descending order of their labels, if these differ."""
    groups: dict[str, _Group] = {}
    for candidate, label in zip(candidates, labels.tolist()):
        groups.setdefault(candidate.qid, []).append((candidate, label))
    for group in groups.values():
        group.sort(key=lambda item: -item[1])
        if group[0][1] > group[-1][1]:
            yield group
