"""Runs with their gold labels and rankings, read and checked once: what every analysis starts from."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import ir_datasets
import numpy as np
import pandas as pd

from ir_coliee.analysis.document_facts import DocumentFacts
from ir_coliee.analysis.evaluated_run import EvaluatedRun
from ir_coliee.analysis.observed_pipeline import ObservedPipeline
from ir_coliee.analysis.stage_losses import Stage, with_single_answers
from ir_coliee.display import Block, Table, displayed
from ir_coliee.editions import Dataset, Split, as_split
from ir_coliee.errors import ColieeError, MissingLabelsError, printable
from ir_coliee.evaluation.runs import (
    Run,
    Runs,
    check_is_runs,
    file_beside,
    named_runs,
    path_name,
    stem,
)
from ir_coliee.evaluation.scoring import Remarks, Scorer
from ir_coliee.evaluation.statistics import RunCounts, merge_run_counts
from ir_coliee.evaluation.tuning import load_ranking
from ir_coliee.frames import sort_results
from ir_coliee.measures import ColieeMeasure
from ir_coliee.releases.release import LocalRelease

T = TypeVar("T")

#: Several runs, some of which may be observed pipelines.
ObservedRuns: TypeAlias = "Runs | Mapping[str, Run | ObservedPipeline] | Sequence[Run | ObservedPipeline]"


@displayed
@dataclass(frozen=True, eq=False)
class EvaluatedRuns:
    """Runs of one split with its gold labels.

    Attributes
    ----------
    scorer : Scorer
        The split, its queries, candidates and gold labels.
    runs : dict of str to EvaluatedRun
        The runs by name.
    """

    scorer: Scorer
    runs: Mapping[str, EvaluatedRun]
    _results: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def display(self) -> Iterator[Block]:
        """Return the sizes of the runs, as `ir_coliee.display` shows them."""
        yield self.split.pretty_name
        rows = [
            [run.name, run.answers["qid"].nunique(), len(run.answers), "yes" if run.ranking is not None else "no"]
            for run in self.runs.values()
        ]
        yield Table(["run", "queries answered", "returned", "ranking"], rows)

    def __repr__(self) -> str:
        return f"<EvaluatedRuns of {self.split.id}: {len(self.runs)} runs>"

    def run(self, name: str) -> EvaluatedRun:
        """Return the run of a name. Raises `ColieeError` for an unknown one."""
        if name not in self.runs:
            known = ", ".join(map(printable, self.runs))
            raise ColieeError(f"No run {printable(str(name), 40)} was evaluated.\nThe runs are: {known}.")
        return self.runs[name]

    @property
    def split(self) -> Split:
        """The split that the runs answer."""
        return self.scorer.split

    @property
    def measure(self) -> ColieeMeasure:
        """The set measure of the split, by which queries and runs are compared."""
        return self.scorer.evaluation.measure

    @functools.cached_property
    def release(self) -> LocalRelease:
        """The user's files of the split."""
        return LocalRelease.open(self.split)

    @functools.cached_property
    def has_gold(self) -> bool:
        """Whether the local release has gold labels."""
        try:
            _ = self.scorer.gold
        except MissingLabelsError:
            return False
        return True

    @functools.cached_property
    def gold(self) -> pd.DataFrame:
        """The relevant items: the columns query_id and doc_id, each pair once, sorted.

        Raises
        ------
        MissingLabelsError
            If the local release has no gold labels.
        """
        labels = self.scorer.gold
        relevant: pd.DataFrame = labels.loc[labels["relevance"] >= self.measure["rel"], ["query_id", "doc_id"]]
        return relevant.drop_duplicates().sort_values(["query_id", "doc_id"], ignore_index=True)

    @functools.cached_property
    def query_ids(self) -> tuple[str, ...]:
        """The scored queries, sorted; all queries of the split if there are no labels."""
        return tuple(sorted(self.scorer.gold["query_id"].unique() if self.has_gold else self.scorer.checker.query_ids))

    @functools.cached_property
    def queries(self) -> Mapping[str, Any]:
        """The query records of the split with all fields, by query id. Raises `MissingReleaseError`."""
        return {query.query_id: query for query in self.release.queries(full=True)}

    @functools.cached_property
    def documents(self) -> Any:
        """The document store of ir_datasets: ``get(doc_id)`` reads a document. Raises `MissingReleaseError`."""
        return ir_datasets.load(self.split.id).docs_store()

    @property
    def has_documents(self) -> bool:
        """Whether the texts of the documents are at hand."""
        return self.scorer.checker.has_documents

    @functools.cached_property
    def facts(self) -> DocumentFacts:
        """Years and text digests of documents and queries, read when they are needed."""
        return DocumentFacts(self)

    def once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return what ``compute`` returns, computed only the first time that this key is passed."""
        if key not in self._results:
            self._results[key] = compute()
        result: T = self._results[key]
        return result

    @functools.cached_property
    def counts(self) -> RunCounts:
        """True positives, returned and relevant items of each run and query. Raises `MissingLabelsError`."""
        _ = self.scorer.gold
        return merge_run_counts({name: run.scored.counts for name, run in self.runs.items() if run.scored is not None})

    @functools.cached_property
    def official_counts(self) -> tuple[ColieeMeasure, RunCounts]:
        """The measure that ranks the runs, and the counts that it is computed from. Raises `MissingLabelsError`.

        In task 3 of 2026, that is the accuracy of gated counts if all runs have answers Y and N; otherwise `measure`.
        """
        scored = {name: run.scored for name, run in self.runs.items() if run.scored is not None}
        official = {name: counts for name, run in scored.items() if (counts := self.scorer.official_counts(run))}
        if len(official) < len(self.runs):
            return self.measure, self.counts
        measure, _ = next(iter(official.values()))
        return measure, merge_run_counts({name: counts for name, (_, counts) in official.items()})

    @property
    def official_name(self) -> str:
        """The name of the measure of `official_counts`, such as ``MicroF1`` or ``GatedAccuracy``."""
        measure, _ = self.official_counts
        return str(measure) if measure == self.measure else self.split.measure

    @functools.cached_property
    def per_query(self) -> pd.DataFrame:
        """A row for each run and query: run, query_id, tp, returned, relevant and value, that of `measure`."""
        return self.counts.per_query(self.measure)

    def outcomes(self, name: str) -> pd.DataFrame:
        """Compare a run with the gold labels, item by item.

        Parameters
        ----------
        name : str
            The name of the run.

        Returns
        -------
        pandas.DataFrame
            A row for each returned and each relevant item of a scored query, sorted by query and rank: query_id,
            doc_id, outcome (``hit``, ``false`` or ``miss``), answer_rank (the rank in the answer set), rank and score
            (in the ranking, or in the answer set if the run has no ranking). Ranks count from 0, are of type
            ``Int64`` and missing for items that are not in the file.

        Raises
        ------
        MissingLabelsError
            If the local release has no gold labels.
        """
        run = self.run(name)
        names = {"qid": "query_id", "docno": "doc_id"}
        answers = run.answers[run.answers["qid"].isin(self.query_ids)].rename(columns=names)
        answers = answers[["query_id", "doc_id", "rank", "score"]].rename(columns={"rank": "answer_rank"})
        table = answers.merge(self.gold, how="outer", on=["query_id", "doc_id"], indicator="outcome")
        meanings = {"both": "hit", "left_only": "false", "right_only": "miss"}
        table["outcome"] = table["outcome"].astype(str).map(meanings)
        table["answer_rank"] = table["answer_rank"].astype("Int64")
        if run.ranking is None:
            table["rank"] = table["answer_rank"]
        else:
            ranking = run.ranking.rename(columns=names)[["query_id", "doc_id", "rank", "score"]]
            table = table.drop(columns="score").merge(ranking, how="left", on=["query_id", "doc_id"])
            table["rank"] = table["rank"].astype("Int64")
        columns = ["query_id", "doc_id", "outcome", "answer_rank", "rank", "score"]
        return table[columns].sort_values(["query_id", "answer_rank", "rank", "doc_id"], ignore_index=True)


def evaluate(
    dataset: Dataset,
    runs: ObservedRuns,
    *,
    rankings: Runs | None = None,
    answers: Runs | None = None,
) -> EvaluatedRuns:
    """Read runs, check them and combine them with the gold labels of a split.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the runs answer.
    runs : sequence of path, pandas.DataFrame, dict or ObservedPipeline; or dict from name to such a run
        The answer sets. An observed pipeline brings the results of its stages.
    rankings : sequence or dict, optional
        The ranking that each run was cut from, in the order of the runs, or by their names. By default the file beside
        a run that has its name with ``.trec``, as `baseline` writes it.
    answers : sequence or dict, optional
        Task 3 of 2026: the answers Y and N of each run; by default the file beside the run.

    Returns
    -------
    EvaluatedRuns
        Without labels in the local release, its runs have no counts and outcomes.

    Raises
    ------
    MalformedFileError
        If a file cannot be read.
    MalformedRunError
        If fewer than half of the query ids of a run are known, as for a run of another edition.
    ColieeError
        If there is no run, if rankings or answers are not given once per run, or if the task has no rankings.

    Examples
    --------
    >>> runs = evaluate("coliee/task1/sample/test", {"mine": {"900656": {"900557": 2.0, "900664": 1.0}}})
    >>> outcomes = runs.outcomes("mine")
    >>> outcomes.loc[outcomes["query_id"] == "900656", ["doc_id", "outcome", "rank"]].to_numpy().tolist()
    [['900557', 'hit', 0], ['900664', 'false', 1], ['900912', 'miss', <NA>]]
    """
    if isinstance(runs, EvaluatedRuns):
        raise TypeError(
            "These runs are already evaluated. Pass the runs themselves, or use functions of evaluated runs: "
            "losses(runs), QueryExplanation.of(runs, query_id), difference_between(runs, a, b)."
        )
    split = as_split(dataset)
    named = _with_short_names(split, named_runs(cast("Runs", runs)))
    if not named:
        raise ColieeError("No run was passed. Expected at least one.")
    scorer = Scorer(split)
    of_runs = _for_each_run("rankings", rankings, named)
    labels = _for_each_run("answers", answers, named)
    return EvaluatedRuns(
        scorer, {name: _evaluated(scorer, name, run, of_runs[name], labels[name]) for name, run in named.items()}
    )


def _with_short_names(split: Split, runs: Mapping[str, Run]) -> dict[str, Run]:
    """Name files that are named by their paths by their file names, or by their tags, where these differ."""
    if not all(isinstance(run, (str, Path)) and name == path_name(run) for name, run in runs.items()):
        return dict(runs)
    names = [Path(name).name for name in runs]
    for shorter in ([name.removeprefix(f"{stem(split)}.") for name in names], names):
        if len({*shorter}) == len(runs):
            return dict(zip(shorter, runs.values()))
    return dict(runs)


def _for_each_run(argument: str, files: Runs | None, runs: Mapping[str, Run]) -> dict[str, Run | None]:
    """Assign files to the runs: by name, or in their order."""
    if files is None:
        return dict.fromkeys(runs)
    check_is_runs(argument, files)
    if isinstance(files, Mapping):
        if unknown := [str(name) for name in files if str(name) not in runs]:
            known = ", ".join(map(printable, runs))
            raise ColieeError(f"{argument} has the unknown run {printable(unknown[0], 40)}.\nThe runs are: {known}.")
        by_name = {str(name): file for name, file in files.items()}
        return {name: by_name.get(name) for name in runs}
    if len(files) != len(runs):
        raise ColieeError(f"{argument} has {len(files)} entries for {len(runs)} runs; pass one per run, in order.")
    return dict(zip(runs, files))


def _evaluated(
    scorer: Scorer, name: str, run: Run | ObservedPipeline, ranking: Run | None, labels: Run | None
) -> EvaluatedRun:
    stages: Sequence[Stage] = ()
    if isinstance(run, ObservedPipeline):
        one_answer = scorer.evaluation.single_answer
        ranking = run.ranking if ranking is None and not one_answer else ranking
        stages = with_single_answers(run.stages) if one_answer else run.stages
        run = stages[-1].results
    path = Path(run) if isinstance(run, (str, Path)) else None
    if path is not None:
        ranking = file_beside(path, ".trec") if ranking is None and not scorer.evaluation.single_answer else ranking
        labels = file_beside(path, ".answers") if labels is None and scorer.uses("answers") else labels
    long_list = file_beside(path, ".long") if path is not None and scorer.uses("ranking") else None
    try:
        scored, remarks = scorer.match(run, long_list=long_list, answers=labels)
        answers, has_scores = scored.answer_set, scored.has_scores
    except MissingLabelsError:
        loaded, notes = scorer.checker.load(run)
        scored, remarks, answers, has_scores = None, Remarks([], notes), loaded.frame, loaded.has_scores
    ranked = None
    if ranking is not None:
        loaded_ranking = load_ranking(scorer, ranking)
        has_scores = loaded_ranking.has_scores
        ranked = loaded_ranking.frame.astype({"qid": object, "docno": object})
        remarks.add("ranking", Remarks([], loaded_ranking.notes))
    return EvaluatedRun(name, _known(scorer, answers), ranked, scored, remarks, path, has_scores, stages)


def _known(scorer: Scorer, answers: Any) -> pd.DataFrame:
    """Return the answers to queries of the split, each once, sorted and with ranks."""
    known = answers[answers["qid"].isin(scorer.checker.query_ids)]
    known = known.assign(score=pd.to_numeric(known["score"]).astype(np.float64))
    known = sort_results(known.astype({"qid": object, "docno": object}))
    distinct = known[~known.duplicated(["qid", "docno"])]
    return sort_results(distinct)[["qid", "docno", "score", "rank"]]
