"""Reports: one page on runs, with what to do next, figures, losses, groups, curves, and how the page was made."""

from __future__ import annotations

import hashlib
import platform
import shlex
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

import ir_coliee
from ir_coliee.analysis import plots
from ir_coliee.analysis.catalogue import ANALYSES
from ir_coliee.analysis.curves import curve_cutoffs
from ir_coliee.analysis.explanation import QueryExplanation
from ir_coliee.analysis.frame import AnalysisFrame, plain_rows
from ir_coliee.analysis.losses import NO_RANKING, NOT_IN_COLLECTION, loss_by_cause, miss_causes
from ir_coliee.analysis.page import page, write_page
from ir_coliee.analysis.properties import CHANGED
from ir_coliee.analysis.runs import EvaluatedRuns, evaluate
from ir_coliee.display import Block, Details, Heading, Preformatted, Table, WarningText, displayed, number_cell, words
from ir_coliee.editions import Dataset
from ir_coliee.errors import ColieeError, ColieeWarning, MissingExtraError
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.cutoffs import cross_validate_cutoffs
from ir_coliee.evaluation.runs import Runs, path_name
from ir_coliee.evaluation.scoring import Scores, as_table, score_notes, score_warnings, synthetic_notes
from ir_coliee.progress import progress
from ir_coliee.releases.audit import compute_seal
from ir_coliee.transformers.candidates.cutoffs import Cutoff, RatioCutoff, ThresholdCutoff

_NAMED = 4  # runs in a title
_PICTURED_ROWS = 8  # a longer table below a picture is folded
_LISTED = 20  # findings of a run file
_NOTES = 10  # more notes on an analysis are folded
_EXPLAINED = 5  # hardest queries with texts
_SMALL = 0.05  # a loss of fewer relevant items, or a kind of fewer returned items, is not among the findings
_SIGNIFICANT = 0.05
_GAIN = 0.005  # a change with less gain is not worth it
_GROUPS = 3  # named groups

#: What a cause means for the next step, where ids and ranks alone tell it.
ADVICE = {
    NOT_IN_COLLECTION: "No ranking can find these items: check the local release (ir_coliee audit).",
    NO_RANKING: "Pass the ranking that the run was cut from (--ranking); the page then says more.",
}


@dataclass(frozen=True, eq=False)
class Inputs:
    """Evaluated runs and what was passed for them.

    Attributes
    ----------
    runs : EvaluatedRuns
        The runs.
    options : list of str
        The options of commands for the rankings and answers that were passed as files.
    with_texts : bool
        Whether the report shows texts of the release.
    """

    runs: EvaluatedRuns
    options: list[str]
    with_texts: bool

    def is_for(self, name: str) -> bool:
        """Return whether an analysis is made for the task and the number of runs."""
        analysis = ANALYSES[name]
        return analysis.is_for(self.runs.split) and (len(self.runs.runs) > 1 or not analysis.needs_several_runs)

    def result(self, name: str) -> AnalysisFrame:
        """Return the result of an analysis, which is made once. Raises `ColieeError` if it cannot be made."""
        return self.runs.once(("report", name), lambda: ANALYSES[name](self.runs))

    def command(self, name: str, *options: str, query_id: str | None = None) -> str:
        """Return a command line on the split, a query and the runs that are files."""
        runs = [path_name(run.files["answer set"]) for run in self.runs.runs.values() if run.files]
        query = [] if query_id is None else [query_id]
        return shlex.join(["ir_coliee", name, self.runs.split.id, *query, *runs, *self.options, *options])


Section = Callable[[Inputs], Iterator[Block]]


def _first_line(error: ColieeError) -> str:
    return str(error).split("\n", maxsplit=1)[0]


# --- the first section: what a reader does next ----------------------------------------------------


#: The number of items that a finding is worth, and the sentence. A gain of the measure is worth as many more hits.
Finding: TypeAlias = "tuple[float, str]"


def findings(inputs: Inputs) -> Iterator[Block]:
    """Yield for each run its figure and what loses most, the largest loss first, with changes that were tried."""
    yield from (f"Note: {note}." for note in synthetic_notes(inputs.runs.split))
    yield from _drift(inputs)
    of_runs = scores(inputs)
    if len(of_runs) > 1:
        yield _best_run(inputs)
    for name, scored in of_runs.items():
        if len(of_runs) > 1:
            yield Heading(f"Findings on {name}", 2)
        yield _figure(inputs, name, scored)
        found: list[Finding] = []
        for part in (_losses, _cutoff, _without_later, _wrong_answers):
            try:
                found += part(inputs, name)
            except ColieeError as error:
                found.append((0.0, f"  Not available: {_first_line(error)}"))
        yield from (sentence for _, sentence in sorted(found, key=lambda each: -each[0]))


def _drift(inputs: Inputs) -> Iterator[str]:
    """Yield what differs between the train queries and these; of the numbers of answers only without labels."""
    try:
        rows = plain_rows(inputs.result("drift").dropna().query("figure != 'queries'"))
    except ColieeError:
        return
    rows = [row for row in rows if not inputs.runs.has_gold or not row["figure"].startswith("returned")]
    changed = [row for row in rows if not 1 / CHANGED < row["ratio"] < CHANGED]
    figures = "; ".join(f"{row['figure']}: {row['test']:.2f}, train {row['train']:.2f}" for row in changed or rows)
    if rows:
        yield f"{'Unlike' if changed else 'Like'} the train queries: {figures}."


def _best_run(inputs: Inputs) -> str:
    """Name the best run, and say whether the next one is significantly worse."""
    frame = inputs.runs.comparison
    values = {**dict(zip(frame["run_a"], frame["value_a"])), **dict(zip(frame["run_b"], frame["value_b"]))}
    best, second = sorted(values, key=lambda name: -values[name])[:2]
    if values[best] == values[second]:
        return f"Of {len(values)} runs {best} and {second} have the same {frame.measure}, {values[best]:.4f}, the best."
    pair = frame[frame["run_a"].isin([best, second]) & frame["run_b"].isin([best, second])].iloc[0]
    without = "" if pair["p_holm"] < _SIGNIFICANT else "not "
    return (
        f"Of {len(values)} runs {best} is the best with {frame.measure} {values[best]:.4f}, before {second} with "
        f"{values[second]:.4f}. The difference is {without}significant (p {pair['p_holm']:.4f}, corrected)."
    )


def _figure(inputs: Inputs, name: str, scored: Scores) -> str:
    counts = inputs.runs.counts
    tp, returned, relevant = (
        int(array[counts.runs.index(name)].sum()) for array in (counts.tp, counts.returned, counts.relevant)
    )
    label, value = next(iter(scored.figures.items()))
    label = label[:1].upper() + label[1:]
    certainty = f" (95 % interval {scored.interval.low:.4f} to {scored.interval.high:.4f})" if scored.interval else ""
    place = f" {scored.place.sentence}." if scored.place else ""
    if inputs.runs.scorer.evaluation.single_answer:
        return f"{label} is {value:.4f}{certainty}.{place} {tp} of {relevant} answers are right."
    return (
        f"{label} is {value:.4f}{certainty}.{place} Of {relevant} relevant items {tp} are returned and "
        f"{relevant - tp} are missed; {returned - tp} of {returned} returned items are false."
    )


def _losses(inputs: Inputs, name: str) -> Iterator[Finding]:
    """Yield each large loss by cause and by group of queries, and hints on filters."""
    causes = miss_causes(inputs.runs, name)["cause"].value_counts()
    of_groups = inputs.result("losses_by_group").query("run == @name and p_holm < @_SIGNIFICANT")
    rows = plain_rows(of_groups.drop_duplicates(["property", "cause"]))[:_GROUPS]
    yield from ((row["excess"], _loss_of_group(row, int(causes[row["cause"]]))) for row in rows)
    for cause, number in causes[causes >= _SMALL * len(inputs.runs.gold)].items():
        explained = max((row["excess"] for row in rows if row["cause"] == cause), default=0.0)  # said of the group
        sentence = f"  Loss: {loss_by_cause(inputs.runs, str(cause), int(number))}. {ADVICE.get(str(cause), '')}"
        yield float(number) - explained, sentence.rstrip()
    hints = [
        note.partition("hint: ")[2] for note in inputs.result("losses").notes if note.startswith(f"{name}: hint: ")
    ]
    yield from ((0.0, f"  Hint: {hint}.") for hint in hints)


def _worth(inputs: Inputs, name: str, gain: float) -> float:
    """Return how many more hits would raise the measure so much, if as many items are returned."""
    counts = inputs.runs.counts
    row = counts.runs.index(name)
    return gain * float(counts.returned[row].sum() + counts.relevant[row].sum()) / 2


def _loss_of_group(row: Mapping[str, Any], lost: int) -> str:
    group = f"{words(row['property'])}: {row['group']}"
    return (
        f"  Loss of a group: the {row['num_queries']} queries with “{group}” have {row['lost']} of the {lost} items "
        f"that are {row['cause']}: {100 * row['share']:.0f} % of their relevant items, of the others "
        f"{100 * row['share_of_others']:.0f} % (p {row['p_holm']:.4f}, corrected)."
    )


def _cutoff(inputs: Inputs, name: str) -> Iterator[Finding]:
    """Yield what the best rank, threshold or ratio brings on queries that did not choose it, and the limit of all."""
    runs, run = inputs.runs, inputs.runs.runs[name]
    if run.ranking is None or run.scored is None or not inputs.is_for("cutoff_curve") or len(runs.query_ids) < 2:
        return
    folds = min(5, len(runs.query_ids))
    tried = cross_validate_cutoffs(runs.scorer.gold, run.ranking, runs.measure, curve_cutoffs(run.ranking), folds=folds)
    points = inputs.result("cutoff_curve").query("run == @name and point != 'grid'")
    of_point = {row["point"]: row for row in plain_rows(points)}
    value, measure = run.scored.value(runs.measure), runs.measure
    gain = tried.held_out - value
    limit = f"No cut-off of this ranking reaches more than {measure} {of_point['oracle']['value']:.4f}."
    held_out = (
        f"chosen on other queries of this split ({folds} folds), has {measure} {tried.held_out:.4f}, now {value:.4f}"
    )
    if gain < _GAIN:
        yield 0.0, f"  Cut-off: one rank, threshold or ratio for all queries, {held_out}: no gain. {limit}"
        return
    items = f"{of_point['best']['returned']:.2f} per query instead of {of_point['chosen']['returned']:.2f}"
    yield (
        _worth(inputs, name, gain),
        f"  Cut-off: return {_described(tried.cutoff)}, {items}. Such a cut-off, {held_out}; ir_coliee tune chooses "
        f"one on the train split. {limit}",
    )


def _described(cutoff: Cutoff) -> str:
    """Return the rule of a cut-off with its number."""
    if isinstance(cutoff, ThresholdCutoff):
        return f"all items with a score of at least {number_cell(cutoff.threshold)}"
    if isinstance(cutoff, RatioCutoff):
        return f"all items with at least {cutoff.ratio:g} times the highest score of the query"
    return f"the first {getattr(cutoff, 'k', 0)} items"


def _without_later(inputs: Inputs, name: str) -> Iterator[Finding]:
    """Yield what a year filter on the answers of task 1 brings, if it brings something."""
    runs, counts = inputs.runs, inputs.runs.counts
    if runs.split.task != "task1" or not runs.has_documents:
        return
    outcomes, known = runs.outcomes(name).query("outcome != 'miss'"), runs.documents.ids()
    pairs = zip(outcomes["query_id"], outcomes["doc_id"])
    is_later = [doc_id in known and runs.facts.is_later(query_id, doc_id) for query_id, doc_id in pairs]
    later = outcomes[np.array(is_later, dtype=np.bool_)]
    numbers = [
        each["query_id"].value_counts().reindex([*counts.query_ids], fill_value=0).to_numpy()
        for each in (later[later["outcome"] == "hit"], later)
    ]
    hits, dropped = numbers
    tp, returned, relevant = (each[counts.runs.index(name)] for each in (counts.tp, counts.returned, counts.relevant))
    before = float(runs.measure.aggregate(tp, returned, relevant))
    after = float(runs.measure.aggregate(tp - hits, returned - dropped, relevant))
    if after - before >= _GAIN:
        yield (
            _worth(inputs, name, after - before),
            f"  Year filter: returned items of a later year by what they and the query mention: {len(later)}, "
            f"{hits.sum()} of them relevant. Without them {runs.measure} is {after:.4f}, now "
            f"{before:.4f}.",
        )


def _wrong_answers(inputs: Inputs, name: str) -> Iterator[Finding]:
    """Yield the confusions of labels and the groups of queries that differ, of tasks with one answer."""
    if not inputs.runs.scorer.evaluation.single_answer:
        return
    found = plain_rows(inputs.result("false_answers").query("run == @name and share >= @_SMALL"))
    wrong = [f"{row['kind']} ({row['items']})" for row in found]
    yield from [(0.0, f"  Wrong answers: {', '.join(wrong)}.")] if wrong else []
    of_run = inputs.result("groups").query("run == @name and p_holm < @_SIGNIFICANT").sort_values("p_holm")
    for row in plain_rows(of_run.drop_duplicates("property"))[:_GROUPS]:
        side = "higher" if row["difference"] > 0 else "lower"
        yield (
            0.0,
            f"  Queries with “{words(row['property'])}: {row['group']}” ({row['num_queries']} queries) differ: their "
            f"{inputs.runs.official_name} is {row['value']:.4f}, {abs(row['difference']):.4f} {side} than that of the "
            f"others (p {row['p_holm']:.4f}, corrected).",
        )


# --- figures and analyses --------------------------------------------------------------------------


def scores(inputs: Inputs) -> dict[str, Scores]:
    """Return the official figures of each run, which are computed once. Raises `MissingLabelsError`."""
    runs = inputs.runs
    _ = runs.gold
    return runs.once(
        ("report", "scores"),
        lambda: {
            name: runs.scorer.compute(run.scored, run.remarks)
            for name, run in runs.runs.items()
            if run.scored is not None
        },
    )


def official_figures(inputs: Inputs) -> Iterator[Block]:
    """Yield the figures of each run, and what is wrong in the run files."""
    of_runs = scores(inputs)
    yield from map(WarningText, score_warnings(of_runs))
    yield as_table(of_runs)
    yield from score_notes(of_runs)


def files_check(inputs: Inputs) -> Iterator[Block]:
    """Yield the errors and warnings on each run file."""
    for name, run in inputs.runs.runs.items():
        if not run.files:
            continue
        found = [each for each in validate(inputs.runs.split, run.files["answer set"]) if each.level != "note"]
        numbers = Counter(each.level for each in found)
        yield f"{name}: {', '.join(f'{level} {number}' for level, number in numbers.items()) or 'no errors'}"
        if found:
            more = f"; the first {_LISTED}" if len(found) > _LISTED else ""
            rows = [[each.level, each.line, each.message] for each in found[:_LISTED]]
            yield Details(f"Findings on {name}{more}", Table(["level", "line", "finding"], rows))


_TITLES = {
    "Train and test": ("drift",),
    "Losses and false answers": ("losses", "losses_by_group", "false_answers"),
    "Cut-offs and curves": ("cutoff_curve", "recall_by_depth", "precision_recall", "answers_per_query", "calibration"),
    "Groups of queries": ("groups", "interactions"),
    "Hard for all runs": ("answered_by", "hard_for_all"),
    "Agreement of the runs": ("agreement",),
}


def _results(inputs: Inputs, names: Iterable[str]) -> Iterator[Block]:
    """Yield what each analysis shows: its title, picture, table and notes; then why others cannot be made."""
    missing: dict[str, list[str]] = {}
    for name in names:
        try:
            frame = inputs.result(name)
        except ColieeError as error:
            missing.setdefault(_first_line(error), []).append(words(name))
            continue
        _, *others = frame.display(f"ir_coliee analyse --only {name} --csv prints all")
        if frame.title not in _TITLES:
            yield Heading(frame.title, 2)
        if len(notes := [block for block in others if isinstance(block, str)]) > _NOTES:
            others = [block for block in others if not isinstance(block, str)]
            others.append(Details(f"{frame.title}: {len(notes)} notes", "\n".join(notes)))
        if name == "hardest_queries":
            says_nothing = not frame["mean_value"].head(plots.QUERIES * len(inputs.runs.runs)).any()  # all are 0
        else:
            says_nothing = len(frame) < 2 and name == "agreement"  # a heat map of one cell
        if name not in plots.PLOTS or frame.empty or says_nothing:
            yield from others
            continue
        if plots.can_draw():
            yield plots.picture(frame)
        for block in others:
            if isinstance(block, Table) and len(block.rows) > _PICTURED_ROWS:
                block = Details(f"{frame.title}: {len(block.rows)} rows", block)
            yield block
    yield from (f"Not available: {', '.join(without)}. {problem}" for problem, without in missing.items())


def hardest_queries(inputs: Inputs) -> Iterator[Block]:
    """Yield the hardest queries with the value of each run and the causes of their misses."""
    yield from _results(inputs, ["hardest_queries"])
    query_ids = inputs.result("hardest_queries")["query_id"].drop_duplicates()[:_EXPLAINED]
    yield "To see what each run returned for a query, and why:"
    yield Preformatted("\n".join(inputs.command("show", query_id=query_id) for query_id in query_ids))
    if inputs.with_texts:
        for query_id in query_ids:
            title, *blocks = QueryExplanation.of(inputs.runs, query_id).display()
            yield from (_lower(title, 1), *(_lower(block, 2) for block in blocks))


def _lower(block: Block, levels: int) -> Block:
    """Lower the level of a heading, because a query is here a part of a section."""
    return block._replace(level=block.level + levels) if isinstance(block, Heading) else block


# --- how the page was made -------------------------------------------------------------------------

#: The libraries that figures depend on.
LIBRARIES = (
    "ir_datasets",
    "ir_measures",
    "pyterrier",
    "pytrec-eval-terrier",
    "numpy",
    "scipy",
    "pandas",
    "matplotlib",
    "lightgbm",
    "scikit-learn",
    "numba",
    "fugashi",
    "PyStemmer",
)


def versions() -> dict[str, str]:
    """Return the versions of Python, of this package and of the libraries that are installed.

    Examples
    --------
    >>> [*versions()][:3]
    ['Python', 'ir_coliee', 'ir_datasets']
    """
    found = {"Python": platform.python_version(), "ir_coliee": ir_coliee.__version__}
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def origins(inputs: Inputs) -> Iterator[Block]:
    """Yield what is needed to make the page again, and the commands to go on with."""
    yield Heading("Commands", 2)
    if not all(run.files for run in inputs.runs.runs.values()):
        yield "Some runs were passed from memory, so that no command line makes this page again."
    else:
        yield "This page is made again by the first line; the others look further:"
        further = ["analyse", *["diff"] * (len(inputs.runs.runs) == 2), "score"]
        made = inputs.command("report", "--out", "report.html", *["--with-texts"] * inputs.with_texts)
        yield Preformatted("\n".join([made, *map(inputs.command, further)]))
    yield Heading("Files of the runs", 2)
    yield Table(["run", "file", "name", "SHA-256"], [*_files(inputs.runs)])
    yield Heading("Data", 2)
    yield from _data(inputs)
    yield Heading("Versions", 2)
    yield Table(["software", "version"], [*versions().items()])
    yield "What is random on the page, resamples and permutations, has the seed 0."


def _files(runs: EvaluatedRuns) -> Iterator[list[object]]:
    """Yield a row for each file of each run, as it is now."""
    for name, run in runs.runs.items():
        for role, path in run.files.items():
            yield [name, role, path.name, hashlib.sha256(path.read_bytes()).hexdigest()]
        if not run.files:
            yield [name, "answer set", "in memory", ""]


def _data(inputs: Inputs) -> Iterator[Block]:
    split = inputs.runs.split
    facts = {"dataset": split.id, "name": split.pretty_name, "official measure": split.measure}
    yield Table.of_facts(facts | {"synthetic": "yes" if inputs.runs.release.is_synthetic else "no"})
    try:
        seal = compute_seal(inputs.runs.release)
    except ColieeError as error:
        yield f"The files of the split have no fingerprint. {_first_line(error)}"
        return
    yield (
        f"Fingerprint of the {len(seal.files):,} files that the split is read from, the same for every participant who "
        f"has the same files (ir_coliee audit {split.id} --seal prints it): {seal.hash}"
    )


# --- the report ------------------------------------------------------------------------------------


@displayed
@dataclass(frozen=True, eq=False)
class Report:
    """A report on runs, which notebooks show and which can be written as one HTML file.

    Attributes
    ----------
    title : str
        The title.
    blocks : tuple of Block
        The sections.
    with_texts : bool
        Whether it has texts of the release.
    is_restricted : bool
        Whether these texts are under a data-use agreement, as all are but those of built-in splits.
    """

    title: str
    blocks: tuple[Block, ...]
    with_texts: bool
    is_restricted: bool

    def display(self) -> Iterator[Block]:
        """Return the title and the sections, as `ir_coliee.display` shows them."""
        yield Heading(self.title)
        yield from self.blocks

    def __repr__(self) -> str:
        return f"<Report: {self.title}>"

    def html(self) -> str:
        """Return the report as an HTML document in one file."""
        return page(self.title, self.blocks, with_texts=self.is_restricted)

    def write(self, out: str | Path, overwrite: bool = False) -> None:
        """Write the report as an HTML file. One with texts of the release is readable by the user alone.

        Parameters
        ----------
        out : path
            The file.
        overwrite : bool, default False
            Whether to replace an existing file.

        Raises
        ------
        ExistingFileError
            If the file exists and ``overwrite`` is false.
        ColieeError
            If it cannot be written.
        """
        write_page(Path(out), self.html(), with_texts=self.with_texts, overwrite=overwrite)


def report(
    dataset: Dataset,
    runs: Runs,
    *,
    rankings: Runs | None = None,
    answers: Runs | None = None,
    with_texts: bool = False,
) -> Report:
    """Report on runs of a split: figures, comparison, losses, groups, curves, hard queries, files and versions.

    A section that cannot be made, for example because the local release has no labels, says why.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the runs answer.
    runs : sequence of path, pandas.DataFrame or dict; or dict from name to such a run
        The answer sets.
    rankings : sequence or dict, optional
        The ranking that each run was cut from, as for `ir_coliee.analysis.evaluate`.
    answers : sequence or dict, optional
        Task 3 of 2026: the answers Y and N of each run.
    with_texts : bool, default False
        Whether to show texts of the release. By default the report has ids and figures only, so that it can be passed
        on.

    Returns
    -------
    Report

    Raises
    ------
    MalformedFileError
        If a file cannot be read.
    MalformedRunError
        If fewer than half of the query ids of a run are known, as for a run of another edition.
    ColieeError
        If there is no run, or if rankings or answers are not given once per run.

    Examples
    --------
    >>> made = report("coliee/task1/sample/test", {"mine": {"900656": {"900557": 2.0, "900664": 1.0}}})
    >>> made
    <Report: COLIEE sample Legal Case Retrieval (English), test: mine>
    >>> made.html().count("<h1>")
    1
    """
    evaluated = evaluate(dataset, runs, rankings=rankings, answers=answers)
    passed = {"--ranking": _paths(rankings), "--answers": _paths(answers)}
    options = [part for option, files in passed.items() for file in files for part in (option, path_name(file))]
    inputs = Inputs(evaluated, options, with_texts)
    blocks: list[Block] = []
    if not plots.can_draw():
        blocks.append(f"The page has no pictures. {MissingExtraError('Plotting', 'plot')}")
        warnings.warn(str(blocks[0]), ColieeWarning, stacklevel=2)
    blocks += [
        block
        for title, section in progress(_sections(inputs).items(), "report", unit="sections")
        for block in _section(title, section, inputs)
    ]
    names = ", ".join(evaluated.runs) if len(evaluated.runs) <= _NAMED else f"{len(evaluated.runs)} runs"
    return Report(
        f"{evaluated.split.pretty_name}: {names}",
        tuple(blocks),
        with_texts,
        with_texts and not evaluated.split.is_built_in,
    )


def _sections(inputs: Inputs) -> dict[str, Section]:
    """Return the sections in the order of the page, by their headings."""
    analyses = {title: [name for name in names if inputs.is_for(name)] for title, names in _TITLES.items()}
    compared: dict[str, Section] = {"Comparison of the runs": lambda inputs: iter(inputs.runs.comparison.display())}
    return {
        "In short": findings,
        "Official figures": official_figures,
        **(compared if len(inputs.runs.runs) > 1 else {}),
        **{title: partial(_results, names=names) for title, names in analyses.items() if names},
        "Hardest queries": hardest_queries,
        "Check of the run files": files_check,
        "How this page was made": origins,
    }


def _section(title: str, section: Section, inputs: Inputs) -> Iterator[Block]:
    yield Heading(title)
    try:
        yield from section(inputs)
    except ColieeError as error:
        yield f"Not available: {_first_line(error)}"


def _paths(files: Runs | None) -> list[Path]:
    """Return the files that were passed; no file if some of them are in memory."""
    given = [*(files.values() if isinstance(files, Mapping) else files or [])]
    return [Path(file) for file in given] if all(isinstance(file, (str, Path)) for file in given) else []
