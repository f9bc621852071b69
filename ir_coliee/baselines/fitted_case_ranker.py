"""A fitted ranker of noticed cases as a PyTerrier transformer and artifact."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
import pyterrier as pt

from ir_coliee.arrays import Floats
from ir_coliee.baselines import case_ranker_storage
from ir_coliee.baselines.case_candidates import CandidateFilters
from ir_coliee.baselines.case_ranker_storage import CaseRankerState
from ir_coliee.data_agreement import LocalArtifact
from ir_coliee.errors import ColieeError
from ir_coliee.frames import sort_results
from ir_coliee.transformers import CrossQueryFeatures, ScoreFeatures
from ir_coliee.transformers.base import help_url
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.transformers.features import feature_matrix, feature_names


class FittedCaseRanker(LocalArtifact, pt.Transformer, pt.Artifact):
    """Score the candidates of task 1 by the probability that they are noticed cases (R to R).

    A folder may be from other people: opening it runs no code of theirs, and its trees are checked before LightGBM
    reads them. The ranker can score the candidates of any split. Candidates and features must come from
    `ir_coliee.baselines.case_candidates.CaseSearch`, and all queries must be passed at once::

        search.candidates(ranker.filters) >> search.features >> ranker >> ranker.cutoff

    Parameters
    ----------
    source : CaseRankerState or path
        The contents, or a folder written by `save`. The function
        `ir_coliee.baselines.case_ranker_fitting.fit_case_ranker` fits a ranker on a train split;
        ``FittedCaseRanker.load(folder)`` opens a saved one.

    Attributes
    ----------
    state : CaseRankerState
        The fitted trees, and the filters and the cut-off that were chosen on the train split.

    Raises
    ------
    ColieeError
        If the folder contains no fitted ranker, or one in another format version.
    MalformedFileError
        If a file of the folder is damaged.
    """

    ARTIFACT_TYPE = case_ranker_storage.ARTIFACT_TYPE
    ARTIFACT_FORMAT = case_ranker_storage.ARTIFACT_FORMAT
    UPLOAD_REFUSAL = (
        "A model fitted on COLIEE data cannot be uploaded: the data-use agreement forbids redistribution,\n"
        "also in processed form. Everyone who has the data can fit the same model."
    )

    def __init__(self, source: CaseRankerState | str | os.PathLike[str]) -> None:
        in_memory = isinstance(source, CaseRankerState)
        pt.Artifact.__init__(self, pt.Artifact.NO_PATH if in_memory else source)
        self.state = source if isinstance(source, CaseRankerState) else case_ranker_storage.read_state(Path(source))

    @property
    def schematic(self) -> dict[str, str]:
        """Label and documentation page for PyTerrier's schematics."""
        return {"label": "Fitted case ranker", "help_url": help_url(type(self))}

    @property
    def filters(self) -> CandidateFilters:
        """The decisions that are excluded from the candidates."""
        return self.state.filters

    @property
    def cutoff(self) -> Cutoff:
        """The cut-off that was chosen on held-out train queries."""
        return self.state.cutoff

    def save(self, path: str | os.PathLike[str]) -> FittedCaseRanker:
        """Write the ranker to a new folder and open it.

        Parameters
        ----------
        path : path
            The folder to create.

        Returns
        -------
        FittedCaseRanker
            The ranker as read from the folder.

        Raises
        ------
        ExistingFileError
            If the path exists.
        ColieeError
            If it cannot be written.
        """
        case_ranker_storage.save_state(self.state, Path(path))
        return type(self)(path)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score candidates.

        Parameters
        ----------
        inp : pandas.DataFrame
            Candidates with ``features``.

        Returns
        -------
        pandas.DataFrame
            The same rows, best first, with a probability as ``score``.

        Raises
        ------
        ColieeError
            If the number of features differs from that of the fitted model.
        MissingExtraError
            If LightGBM is not installed.
        """
        pt.validate.result_frame(inp, extra_columns=["features"], context=self)
        if inp.empty:
            return sort_results(inp.assign(score=pd.Series(dtype=float)))
        scored: pd.DataFrame = inp.reset_index(drop=True)
        for number, booster in enumerate(self._boosters):
            scored = with_probabilities(scored, booster, with_second_round_features(scored) if number else scored)
        return scored

    @cached_property
    def _boosters(self) -> list[Any]:
        return [trees.booster() for trees in self.state.rounds]

    def __repr__(self) -> str:
        features, rounds = len(self.state.features), len(self.state.rounds)
        return f"FittedCaseRanker(<{features} features, {rounds} rounds, fitted on {self.state.split}>)"


_SECOND_ROUND = ScoreFeatures(["first", "first_share"]) >> CrossQueryFeatures(["first"])
SECOND_ROUND_FEATURES = tuple(
    name if name.startswith("first") else f"first_{name}" for name in feature_names(_SECOND_ROUND)
)


def with_second_round_features(scored: pd.DataFrame) -> pd.DataFrame:
    """Add features of the first round's probabilities.

    Parameters
    ----------
    scored : pandas.DataFrame
        Candidates with ``features``, and the probability of the first round as ``score``.

    Returns
    -------
    pandas.DataFrame
        The same rows with more features: statistics of the probability among the candidates of the query, and among
        the queries that have the same candidate. ``first_share`` is the probability divided by the sum of the
        probabilities of the candidate over all queries, 0 if the sum is 0.
    """
    sums = scored.groupby("docno", sort=False)["score"].transform("sum")
    shares = (scored["score"] / sums).where(sums > 0, 0.0)
    featured: pd.DataFrame = _SECOND_ROUND(scored.assign(first=scored["score"], first_share=shares))
    return featured


def with_probabilities(candidates: pd.DataFrame, booster: Any, featured: pd.DataFrame) -> pd.DataFrame:
    """Score candidates by a booster.

    Parameters
    ----------
    candidates : pandas.DataFrame
        The rows to score.
    booster : lightgbm.Booster
        The fitted trees.
    featured : pandas.DataFrame
        The same rows with the ``features`` that the booster needs.

    Returns
    -------
    pandas.DataFrame
        ``candidates``, best first, with the probability as ``score``.

    Raises
    ------
    ColieeError
        If the number of features differs from that of the booster.
    """
    features = feature_matrix(featured)
    if features.shape[1] != booster.num_feature():
        problem = f"The model was fitted on {booster.num_feature()} features, got {features.shape[1]}"
        raise ColieeError(f"{problem}. Use the features of CaseSearch.")
    scores: Floats = booster.predict(features, num_threads=1)
    return sort_results(candidates.drop(columns="rank", errors="ignore").assign(score=scores))
