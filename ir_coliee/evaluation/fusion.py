"""Fuse several ranked runs of a split into one, and choose the weights on the train split."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ir_coliee.arguments import integer_at_least
from ir_coliee.display import Block, Heading, Table, displayed
from ir_coliee.editions import Dataset
from ir_coliee.errors import ColieeError, printable_list
from ir_coliee.evaluation.rankings import Ranking, load_ranking
from ir_coliee.evaluation.runs.in_memory import Runs, named_runs
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.evaluation.weight_search import WeightSearch, search_weights
from ir_coliee.transformers.fusion import reciprocal_rank, weighted_sum

if TYPE_CHECKING:
    import pandas as pd


@displayed
class FusedRuns(NamedTuple):
    """Several runs as one ranking.

    Attributes
    ----------
    ranking : pandas.DataFrame
        The columns qid, docno, score and rank.
    notes : list of str
        Notes on the runs, such as queries that only some of them answer.
    """

    ranking: pd.DataFrame
    notes: list[str]

    def display(self) -> Iterator[Block]:
        """Return the size, the first results and the notes, as `ir_coliee.display` shows them."""
        yield Heading(f"{len(self.ranking)} results of {self.ranking['qid'].nunique()} queries")
        yield Table.of_frame(self.ranking.head())
        yield from self.notes

    def __repr__(self) -> str:
        return str(self)


def fuse(dataset: Dataset, runs: Runs, *, weights: Sequence[float] | None = None, num_results: int = 1000) -> FusedRuns:
    """Fuse ranked runs: by reciprocal rank fusion, or with ``weights`` by a weighted sum of their scores.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the runs answer.
    runs : sequence of path, pandas.DataFrame or dict
        Two or more rankings, or a dict from name to ranking.
    weights : sequence of float, optional
        One weight for each run, for `ir_coliee.transformers.weighted_sum`, which brings the scores of each query to the
        range from 0 to 1. None for `ir_coliee.transformers.reciprocal_rank`, which uses the ranks alone.
    num_results : int, default 1000
        The number of results to keep for each query.

    Returns
    -------
    FusedRuns

    Raises
    ------
    ColieeError
        If the task has one answer per question, for fewer than two runs, for a file that is passed twice, and if
        weights are passed for a run without scores.
    MalformedFileError
        If a file cannot be read.
    MalformedRunError
        If a run is empty or cannot be scored.
    ValueError
        If the number of weights differs from the number of runs, or if no weight is positive.

    Examples
    --------
    >>> runs = [{"R99-01-A": {"9": 2.0, "12": 1.0}}, {"R99-01-A": {"12": 8.0, "9": 1.0, "55": 0.5}}]
    >>> fuse("coliee/task3/sample/en/test", runs, weights=[0.3, 0.7]).ranking["docno"].tolist()
    ['12', '9', '55']
    """
    integer_at_least("num_results", num_results, 1)
    rankings = load_rankings(Scorer(dataset), runs, with_scores=weights is not None)
    return fuse_rankings(rankings, weights, num_results)


def fuse_rankings(rankings: Sequence[Ranking], weights: Sequence[float] | None, num_results: int) -> FusedRuns:
    """Fuse rankings that have been loaded with `load_rankings`; see `fuse`."""
    frames = [ranking.frame for ranking in rankings]
    fused = reciprocal_rank(frames) if weights is None else weighted_sum(frames, weights)
    notes = [f"{ranking.name}: {note}" for ranking in rankings for note in ranking.notes]
    return FusedRuns(fused[fused["rank"] < num_results], [*notes, *_notes_on_queries(rankings)])


def fit_weights(dataset: Dataset, runs: Runs, *, verbose: bool = False) -> WeightSearch:
    """Choose the weights of a weighted sum, together with the best cut-off, on a split with labels.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split with labels, usually a train split.
    runs : sequence of path, pandas.DataFrame or dict
        Two or more rankings of this split, or a dict from name to ranking.
    verbose : bool, default False
        Whether to show progress.

    Returns
    -------
    WeightSearch
        The weights with the highest official measure; see `ir_coliee.evaluation.weight_search.search_weights`.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ColieeError, MalformedFileError, MalformedRunError
        As raised by `fuse`.
    """
    scorer = Scorer(dataset)
    rankings = load_rankings(scorer, runs, with_scores=True)
    frames = [ranking.frame for ranking in rankings]
    return search_weights(frames, scorer.gold, scorer.evaluation.measure, verbose=verbose)


def load_rankings(scorer: Scorer, runs: Runs, *, with_scores: bool) -> list[Ranking]:
    """Load the rankings to be fused.

    Parameters
    ----------
    scorer : Scorer
        Of the split that the runs answer.
    runs : sequence of path, pandas.DataFrame or dict
        As in `fuse`.
    with_scores : bool
        Whether a run without scores is refused.

    Returns
    -------
    list of Ranking

    Raises
    ------
    ColieeError, MalformedFileError, MalformedRunError
        As raised by `fuse`.
    """
    named = named_runs(runs)
    if len(named) < 2:
        raise ColieeError(f"Fusion needs at least two runs, got {len(named)}.")
    rankings = [load_ranking(scorer, run, name) for name, run in named.items()]
    for ranking in rankings:
        if with_scores and not ranking.has_scores:
            raise ColieeError(f"{ranking.name} has no scores to add up.\nFuse it by its ranks: --method rrf.")
    return rankings


def _notes_on_queries(rankings: Sequence[Ranking]) -> list[str]:
    answered = [set(ranking.frame["qid"].unique()) for ranking in rankings]
    everything = set().union(*answered)
    return [
        f"{ranking.name}: no results for {len(missing)} of the {len(everything)} queries: {printable_list(missing)}"
        for ranking, queries in zip(rankings, answered)
        if (missing := sorted(everything - queries))
    ]
