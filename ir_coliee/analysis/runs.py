"""Runs with their gold labels and rankings, read and checked once: what every analysis starts from."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import ir_datasets
import numpy as np
import pandas as pd

from ir_coliee.display import Block, Table, displayed
from ir_coliee.editions import Dataset, Split, as_split
from ir_coliee.errors import ColieeError, MissingLabelsError, printable
from ir_coliee.evaluation.checks import RunChecker
from ir_coliee.evaluation.comparison import Comparison, compare_counts
from ir_coliee.evaluation.runs import (
    Run,
    RunIds,
    Runs,
    check_is_runs,
    file_beside,
    named_runs,
    path_name,
    stem,
)
from ir_coliee.evaluation.scoring import Remarks, ScoredRun, Scorer
from ir_coliee.evaluation.statistics import RunCounts, merge_run_counts
from ir_coliee.evaluation.tuning import load_ranking
from ir_coliee.frames import instance_of, shown, sort_results
from ir_coliee.measures import ColieeMeasure
from ir_coliee.measures.counts import Counts
from ir_coliee.releases.article_references import article_references
from ir_coliee.releases.release import LocalRelease
from ir_coliee.text.decisions import normalised_digest
from ir_coliee.text.references.graph import ReferenceGraph
from ir_coliee.text.years import DecisionYears, decision_years

# A run of a split with its ranking and its gold labels.


@dataclass(frozen=True, eq=False)
class EvaluatedRun:
    """A run of a split.

    Attributes
    ----------
    name : str
        The name that the run was passed under; for a file of a list the shortest end of its name that tells it from
        the others, such as ``bm25`` for ``coliee-task1-sample-test.bm25``.
    answers : pandas.DataFrame
        The answer set: the columns qid, docno, score and rank, of queries of the split, each pair once, sorted.
    ranking : pandas.DataFrame or None
        The ranking that the answers were cut from, with the same columns; None if it was not passed and no file beside
        the run has it.
    scored : ScoredRun or None
        The run with the gold labels; None if the local release has no labels.
    remarks : Remarks
        Warnings and notes on the run and its ranking.
    files : dict of str to pathlib.Path
        The files: ``answer set``, and where there are such files ``ranking``, ``long list`` and ``answers``; empty for
        a run in memory.
    has_scores : bool
        Whether the ranking has scores, or the answer set if there is no ranking; if not, the scores in the frame only
        reproduce the order.
    stages : dict of str to pandas.DataFrame
        The results of the stages of an observed pipeline; empty for other runs.
    """

    name: str
    answers: pd.DataFrame
    ranking: pd.DataFrame | None
    scored: ScoredRun | None
    remarks: Remarks
    files: Mapping[str, Path] = field(default_factory=dict)
    has_scores: bool = True
    stages: Mapping[str, pd.DataFrame] = field(default_factory=dict)


# Years and texts of documents and queries, and references between articles, read when they are needed and once.


_RESEMBLANCE = 0.8  # from this Jaccard similarity of their shingles on, two queries are near-duplicates
_UNKNOWN = DecisionYears(None, None, "none")


class DocumentFacts:
    """Years and text digests of the documents and queries of a split, and the references between its articles.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs of the split, which keep this object as `EvaluatedRuns.facts`.
    """

    def __init__(self, runs: EvaluatedRuns) -> None:
        self._runs = runs
        self._digests: dict[str, bytes] = {}
        self._document_years: dict[str, DecisionYears] = {}
        self._query_years: dict[str, DecisionYears] = {}

    def _years(self, text: str) -> DecisionYears:
        return decision_years(text, self._runs.split.year) if self._runs.split.task == "task1" else _UNKNOWN

    def _text(self, doc_id: str) -> str | None:
        known = doc_id in self._runs.documents.ids()
        return str(self._runs.documents.get(doc_id).default_text()) if known else None

    def digest(self, doc_id: str) -> bytes:
        """Return a value that is equal for documents with the same normalised text; it is unique for an unknown one."""
        if doc_id not in self._digests:
            text = self._text(doc_id)
            unknown = f"unknown document {doc_id}".encode(errors="surrogatepass")
            self._digests[doc_id] = unknown if text is None else normalised_digest(text)
        return self._digests[doc_id]

    def years(self, doc_id: str) -> DecisionYears:
        """Return the years of a decision as `YearFilter` reads them; they are unknown in other tasks."""
        if doc_id not in self._document_years:
            text = self._text(doc_id)
            self._document_years[doc_id] = _UNKNOWN if text is None else self._years(text)
        return self._document_years[doc_id]

    def query_years(self, query_id: str) -> DecisionYears:
        """Return the years of a query of task 1."""
        if query_id not in self._query_years:
            self._query_years[query_id] = self._years(self._runs.queries[query_id].default_text())
        return self._query_years[query_id]

    def is_later(self, query_id: str, doc_id: str) -> bool:
        """Return whether `YearFilter` drops a document of task 1, because it was decided after the query."""
        latest = self.query_years(query_id).latest
        earliest = None if latest is None else self.years(doc_id).earliest
        return latest is not None and earliest is not None and earliest > latest

    def years_of_later(self, query_id: str, doc_id: str) -> str:
        """Return in words the evidence that a document was decided after a query."""
        item, query = self.years(doc_id), self.query_years(query_id)
        of_item = "'s header is dated" if item.source == "header" else " cites or reports a decision or a hearing of"
        of_query = "'s header is dated" if query.source == "header" else " mentions no year after"
        return f"The item{of_item} {item.earliest}, the query{of_query} {query.latest}"

    @functools.cached_property
    def references(self) -> ReferenceGraph:
        """The references between the articles of tasks 3 to 5. Raises `MissingReleaseError`."""
        return article_references(self._runs.split.id)

    @functools.cached_property
    def near_duplicate_queries(self) -> Mapping[str, frozenset[str]]:
        """The queries that have near-duplicates, each with the others of its group.

        Two queries are near-duplicates if their normalised texts are equal or if the resemblance of their texts is at
        least 0.8, see `ir_coliee.transformers.near_duplicates`.
        """
        from ir_coliee.transformers.candidates.filters import near_duplicates

        corpus: list[Mapping[str, Any]] = [
            {"docno": query_id, "text": query.default_text()} for query_id, query in self._runs.queries.items()
        ]
        groups: dict[str, set[str]] = {}
        representatives = near_duplicates(corpus, overlap=_RESEMBLANCE)
        for query_id, representative in representatives.items():
            groups.setdefault(representative, set()).add(query_id)
        return {query_id: frozenset(groups[group] - {query_id}) for query_id, group in representatives.items()}


def beta_of(measure: ColieeMeasure) -> float:
    """Return the beta of an F measure, from its value f = (1 + beta²) / (1 + 2 beta²) if P is 1 and R is 0.5.

    Examples
    --------
    >>> from ir_coliee.measures import MacroF, MicroF1
    >>> beta_of(MicroF1), beta_of(MacroF(beta=2))
    (1.0, 2.0)
    """
    f = float(measure.value(Counts(1, 1, 2)))
    return float(round(((1 - f) / (2 * f - 1)) ** 0.5, 9))


T = TypeVar("T")

#: The results of the stages of a pipeline, as `ir_coliee.analysis.observe` returns them.
Stages: TypeAlias = "Mapping[str, pd.DataFrame]"
#: Several runs, some of which may be the stages of pipelines.
ObservedRuns: TypeAlias = "Runs | Mapping[str, Run | Stages] | Sequence[Run | Stages]"


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
    def relevant(self) -> Mapping[str, list[str]]:
        """The relevant items of each query that has some, sorted. Raises `MissingLabelsError`."""
        return {str(query_id): [*of_query] for query_id, of_query in self.gold.groupby("query_id")["doc_id"]}

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
        return self._results[key]

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

    @functools.cached_property
    def comparison(self) -> Comparison:
        """Every pair of runs compared by the official measure. Raises `MissingLabelsError`."""
        made = compare_counts(*self.official_counts)
        made.measure = self.official_name
        return made

    @property
    def value_name(self) -> str:
        """The name of the measure for a single query, where pooling makes no difference: F1, F2, accuracy."""
        return "accuracy" if self.scorer.evaluation.single_answer else f"F{beta_of(self.measure):g}"

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
            (in the ranking, or in the answer set if the run has no ranking). Ranks count from 1, are of type
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
        table["answer_rank"] = table["answer_rank"].astype("Int64") + 1
        if run.ranking is None:
            table["rank"] = table["answer_rank"]
        else:
            ranking = run.ranking.rename(columns=names)[["query_id", "doc_id", "rank", "score"]]
            table = table.drop(columns="score").merge(ranking, how="left", on=["query_id", "doc_id"])
            table["rank"] = table["rank"].astype("Int64") + 1
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
    runs : sequence of path, pandas.DataFrame or dict; or dict from name to such a run
        The answer sets. A run can also be a dict with the results of the stages of a pipeline, as `observe` returns it.
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
    [['900557', 'hit', 1], ['900664', 'false', 2], ['900912', 'miss', <NA>]]
    """
    if isinstance(runs, EvaluatedRuns):
        raise TypeError(
            "These runs are already evaluated. Pass the runs themselves, or use functions of evaluated runs: "
            "losses(runs), QueryExplanation.of(runs, query_id), diff_between(runs, a, b)."
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
    scorer: Scorer, name: str, passed: Run | Stages, ranking: Run | None, labels: Run | None
) -> EvaluatedRun:
    stages: dict[str, pd.DataFrame] = {}
    run = cast("Run", passed)
    if isinstance(passed, Mapping) and passed and all(isinstance(each, pd.DataFrame) for each in passed.values()):
        stages = dict(cast("Stages", passed))
        *others, (last, run) = stages.items()
        if scorer.evaluation.single_answer:
            stages[last] = run = sort_results(run).groupby("qid", sort=False, observed=True).head(1)
        elif ranking is None:
            longer = [results for _, results in others if len(results) > len(run)]
            ranking = longer[-1] if longer and "score" in longer[-1].columns else None
    long_list = None
    files: dict[str, Path] = {}
    if isinstance(run, (str, Path)):
        path = Path(run)
        ranking = file_beside(path, ".trec") if ranking is None and not scorer.evaluation.single_answer else ranking
        labels = file_beside(path, ".answers") if labels is None and scorer.uses("answers") else labels
        long_list = file_beside(path, ".long") if scorer.uses("ranking") else None
        used = {"answer set": run, "ranking": ranking, "long list": long_list, "answers": labels}
        files = {role: Path(file) for role, file in used.items() if isinstance(file, (str, Path))}
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
    return EvaluatedRun(name, _known(scorer, answers), ranked, scored, remarks, files, has_scores, stages)


def _known(scorer: Scorer, answers: Any) -> pd.DataFrame:
    """Return the answers to queries of the split, each once, sorted and with ranks."""
    known = answers[answers["qid"].isin(scorer.checker.query_ids)]
    known = known.assign(score=pd.to_numeric(known["score"]).astype(np.float64))
    known = sort_results(known.astype({"qid": object, "docno": object}))
    distinct = known[~known.duplicated(["qid", "docno"])]
    return sort_results(distinct)[["qid", "docno", "score", "rank"]]


# The query and the items that a person means, in any spelling that the readers of runs accept.


_MAX_NEAREST = 3


def find_query(checker: RunChecker, written: str) -> str:
    """Return the id of the query that is meant.

    Parameters
    ----------
    checker : RunChecker
        Has the query ids of the split.
    written : str
        The query id as a run could write it, such as ``900656.txt``.

    Raises
    ------
    ColieeError
        If the split has no such query. The message names the nearest ids and how to list the hardest queries.
    TypeError
        If it is not a string.
    """
    instance_of("query_id", written, str, "a string")
    known = checker.query_ids
    query_id = RunIds(checker.split).query(written)
    if query_id in known:
        return query_id
    problem = (
        f"{checker.split.id} has no query {printable(repr(written), 30)}." if written else "No query id was given."
    )
    raise ColieeError(
        f"{problem}\n{_nearest(written, known)}\n"
        f"`ir_coliee analyse {checker.split.id} RUN --only hardest_queries` lists the hardest ones."
    )


def find_items(checker: RunChecker, query_id: str, written: Iterable[str], others: Collection[str]) -> list[str]:
    """Return the ids of the items that are meant.

    Parameters
    ----------
    checker : RunChecker
        Has the candidates of the query.
    query_id : str
        The query.
    written : iterable of str
        Document ids, or items as a run could write them.
    others : collection of str
        Items that are known although the local release does not contain them: those of runs and labels.

    Raises
    ------
    ColieeError
        If an item is not known.
    TypeError
        If they are not a list of strings.
    """
    if isinstance(written, str):
        raise TypeError(f"items must be a list of document ids, got {shown(written)}.")
    ids = RunIds(checker.split)
    found = []
    for item in written:
        instance_of("Each of the items", item, str, "a string")
        doc_id = item if item in others else ids.docno(query_id, item)
        if checker.has_documents and doc_id not in others and doc_id not in checker.candidates(query_id):
            known = sorted({*others, *checker.candidates(query_id)})
            problem = f"{printable(repr(item), 30)} is no candidate of query {query_id}."
            raise ColieeError(f"{problem}\n{_nearest(item, known)}")
        found.append(doc_id)
    return [*dict.fromkeys(found)]


def _nearest(written: str, known: Sequence[str]) -> str:
    """Return a sentence with the ids that look most like an id, or with the first ones if none does."""
    near = difflib.get_close_matches(written, known, n=_MAX_NEAREST)
    if near:
        return f"Nearest known ids: {', '.join(near)}."
    return f"The {len(known)} known ids begin with {', '.join(map(printable, known[:_MAX_NEAREST]))}."


# Runs that `pyterrier.Experiment` has saved.


_SUFFIX = ".res.gz"


def saved_runs(folder: str | Path) -> dict[str, Path]:
    """Return the runs that `pyterrier.Experiment` saved with its argument ``save_dir``, by their names.

    Parameters
    ----------
    folder : str or pathlib.Path
        The folder that was passed as ``save_dir``.

    Returns
    -------
    dict of str to pathlib.Path
        The file of each run by the run's name, sorted, for the arguments ``runs`` and ``rankings`` of `evaluate`.

    Raises
    ------
    ColieeError
        If the folder has no run in the format of TREC, which is the default of ``save_format``.

    Examples
    --------
    >>> saved_runs("no-such-folder")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ir_coliee.errors.ColieeError: The folder no-such-folder has no saved run (*.res.gz).
    Save runs with ...
    """
    files = sorted(path for path in Path(folder).glob(f"*{_SUFFIX}") if path.is_file())
    if not files:
        raise ColieeError(
            f"The folder {printable(str(folder), 50)} has no saved run (*{_SUFFIX}).\n"
            "Save runs with pt.Experiment(..., save_dir=folder), without save_format."
        )
    return {path.name.removesuffix(_SUFFIX): path for path in files}
