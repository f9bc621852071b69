"""Reports: one page on runs, with figures, losses, groups, curves, the files' check and how the page was made."""

from __future__ import annotations

import hashlib
import inspect
import os
import platform
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import ir_coliee
from ir_coliee.analysis import page as pages
from ir_coliee.analysis.agreement import comparison
from ir_coliee.analysis.catalogue import ANALYSES
from ir_coliee.analysis.causes import (
    AS_DUPLICATE,
    AS_QUERY,
    BELOW,
    BESIDE,
    BY_YEAR,
    CUT,
    DUPLICATE,
    LATER,
    NO_RANKING,
    NOT_ANSWERED,
    NOT_CANDIDATE,
    NOT_IN_COLLECTION,
    NOTICED,
    OF_NEAR_DUPLICATE,
    REFERRED,
    REFERS,
    miss_causes,
)
from ir_coliee.analysis.explanation import QueryExplanation
from ir_coliee.analysis.frame import AnalysisFrame, plain_rows
from ir_coliee.analysis.groups import groups
from ir_coliee.analysis.losses import loss_by_cause
from ir_coliee.analysis.page import page, write_page
from ir_coliee.analysis.plots import PLOTS
from ir_coliee.analysis.runs import EvaluatedRuns, evaluate
from ir_coliee.display import Block, Details, Heading, Preformatted, Table, WarningText, displayed, number_cell, words
from ir_coliee.editions import Dataset
from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.comparison import compare_counts
from ir_coliee.evaluation.runs import Runs, file_beside, path_name
from ir_coliee.evaluation.scoring import Scores, as_table, score_notes, score_warnings, synthetic_notes
from ir_coliee.evaluation.statistics import intervals
from ir_coliee.progress import progress
from ir_coliee.releases.audit import audit, compute_seal

__all__ = ["Report", "report"]


# What would mend a cause of misses or a kind of false answers, in one sentence each.


#: What would mend the misses of a cause that are not in the ranking.
OF_CAUSE = {
    NOT_IN_COLLECTION: "Check the local release (ir_coliee audit); no ranking can find these items.",
    BY_YEAR: "Remove or loosen the year filter, if there is one: the ranking has no later case.",
    AS_QUERY: "Keep the queries of the split among the candidates, if they were dropped: the ranking has none.",
    AS_DUPLICATE: "Keep duplicates among the candidates, if they were dropped: no ranking has equal texts.",
    NOT_CANDIDATE: "Retrieve more candidates for each query, or fuse with a ranking that has these items.",
    NO_RANKING: "Pass the ranking that the run was cut from (--ranking); the page then says more.",
    NOT_ANSWERED: "Answer every question.",
}

#: What would mend misses that are in the ranking, by whether the best cut-off of the ranking returns more items.
OF_RANKED = {
    True: "Return more items for each query, as the best cut-off of this ranking does.",
    False: "Rank better, for example by re-ranking the candidates: more items would add too many false answers.",
}

#: What would mend the false answers of a kind.
OF_KIND = {
    DUPLICATE: "Of several items with the same text only one is relevant; the text does not tell which.",
    OF_NEAR_DUPLICATE: "Two queries have nearly the same text and other labels.",
    LATER: "Filter by year, after a check that this drops no relevant items.",
    NOTICED: "These decisions are noticed by a relevant one, not by the query itself.",
    REFERS: "These articles refer to a relevant one.",
    REFERRED: "A relevant article refers to these.",
    BESIDE: "These items stand next to a relevant one.",
}


# What the sections of a report are made from: evaluated runs, their files, and analyses that are made once.


_PICTURED_ROWS = 8  # a longer table below a picture is folded


@dataclass(frozen=True, eq=False)
class Inputs:
    """Evaluated runs and what was passed for them.

    Attributes
    ----------
    runs : EvaluatedRuns
        The runs.
    files : dict of str to list of path
        The files that were passed, in the order of the runs: ``rankings`` and ``answers``; empty if they were found
        beside the runs or are not files.
    with_texts : bool
        Whether the report shows texts of the release.
    """

    runs: EvaluatedRuns
    files: dict[str, list[Path]]
    with_texts: bool

    def is_for(self, name: str) -> bool:
        """Return whether an analysis is made for the task and the number of runs."""
        analysis = ANALYSES[name]
        return analysis.is_for(self.runs.split) and (len(self.runs.runs) > 1 or not analysis.needs_several_runs)

    def result(self, name: str) -> AnalysisFrame:
        """Return the result of an analysis, which is made once. Raises `ColieeError` if it cannot be made."""
        return self.runs.once(("report", name), lambda: ANALYSES[name](self.runs))

    def blocks(self, names: Iterable[str]) -> Iterator[Block]:
        """Yield what each analysis shows: its title, picture, table and notes; then why others cannot be made."""
        missing: dict[str, list[str]] = {}
        for name in names:
            try:
                yield from _blocks(self.result(name))
            except ColieeError as error:
                missing.setdefault(first_line(error), []).append(words(name))
        yield from (f"Not available: {', '.join(without)}. {problem}" for problem, without in missing.items())

    def command(self, name: str, *options: str, query_id: str | None = None) -> str:
        """Return a command line on the split, a query and the runs that are files."""
        runs = [path_name(run.path) for run in self.runs.runs.values() if run.path]
        rankings, answers = (
            [argument for file in files for argument in (option, path_name(file))]
            for option, files in (("--ranking", self.files["rankings"]), ("--answers", self.files["answers"]))
        )
        query = [] if query_id is None else [query_id]
        return shlex.join(["ir_coliee", name, self.runs.split.id, *query, *runs, *rankings, *answers, *options])


def first_line(error: ColieeError) -> str:
    """Return what is wrong, without the details."""
    return str(error).split("\n", maxsplit=1)[0]


def _blocks(frame: AnalysisFrame) -> Iterator[Block]:
    yield Heading(frame.title, 2)
    table = frame.table()
    if frame.kind in PLOTS and len(frame) and pages.can_draw():
        yield pages.picture(frame)
        yield Details(f"{frame.title}: {len(table.rows)} rows", table) if len(table.rows) > _PICTURED_ROWS else table
    else:
        yield table
    yield from frame.notes


# The sections that are analyses of the catalogue: each with its picture, table and notes.


Section = Callable[[Inputs], Iterator[Block]]

_TITLES = {
    "Losses and false answers": ("losses", "false_answers"),
    "Cut-offs and curves": ("cutoff_curve", "recall_by_depth", "precision_recall", "answers_per_query", "calibration"),
    "Groups of queries": ("groups",),
    "Agreement of the runs": ("overlap", "correlation", "significance"),
}


def analysis_sections(inputs: Inputs) -> dict[str, Section]:
    """Return the sections by their headings. The last one has the analyses that no other section has."""
    placed = {name for names in _TITLES.values() for name in names} | {"hardest_queries"}
    titles = {**_TITLES, "More about the queries": tuple(name for name in ANALYSES if name not in placed)}
    names = {title: [name for name in names if inputs.is_for(name)] for title, names in titles.items()}
    return {title: partial(Inputs.blocks, names=of_title) for title, of_title in names.items() if of_title}


# The section that compares the runs: differences, intervals and significance.


def comparison_table(inputs: Inputs) -> Iterator[Block]:
    """Yield the table of all pairs of runs."""
    yield from comparison(inputs.runs).display()


# The section on files: what is wrong in the run files and in the local release.


_LISTED = 20  # findings of a run


def files_check(inputs: Inputs) -> Iterator[Block]:
    """Yield the findings on each run file and on the local release."""
    yield Heading("Run files", 2)
    for name, run in inputs.runs.runs.items():
        if run.path is None:
            yield f"{name}: passed from memory, so that there is no file to check."
            continue
        try:
            findings = validate(inputs.runs.split, run.path)
        except ColieeError as error:
            yield f"{name}: not checked. {first_line(error)}"
            continue
        yield f"{name}: {_numbers(Counter(finding.level for finding in findings))}"
        if findings:
            rows = [[each.level, each.line, each.message] for each in findings[:_LISTED]]
            more = f"; the first {_LISTED}" if len(findings) > _LISTED else ""
            yield Details(f"Findings on {name}{more}", Table(["level", "line", "finding"], rows))
    yield Heading("Local release", 2)
    result = audit(inputs.runs.release)
    by_level = {level: len(findings) for level, findings in result.by_level.items()}
    yield f"{', '.join(f'{number:,} {entity}' for entity, number in result.counts.items())}. {_numbers(by_level)}"
    if result.findings:
        rows = [[found.level, found.check, found.count, found.advice] for found in result.findings]
        yield Details("Findings on the local release", Table(["level", "check", "count", "advice"], rows))


def _numbers(counts: Mapping[Any, int]) -> str:
    """Return the number of findings of each level, as a sentence.

    Examples
    --------
    >>> _numbers({"error": 2, "note": 1}), _numbers({})
    ('Findings by level: error 2, note 1.', 'Findings: none.')
    """
    found = ", ".join(f"{level} {number}" for level, number in counts.items() if number)
    return f"Findings by level: {found}." if found else "Findings: none."


# The section of the queries with the lowest values: a table, commands that show them, and with texts the queries.


_EXPLAINED = 5


def hardest_queries(inputs: Inputs) -> Iterator[Block]:
    """Yield the hardest queries with the value of each run."""
    frame = inputs.result("hardest_queries")
    table = frame.table()
    yield f"The first {min(_LISTED, len(table.rows))} of {len(table.rows)} queries, the hardest first."
    yield table._replace(rows=table.rows[:_LISTED])
    yield from frame.notes
    query_ids = [str(query_id) for query_id in frame["query_id"].drop_duplicates()[:_EXPLAINED]]
    yield "To see what each run returned for a query, and why:"
    yield Preformatted("\n".join(inputs.command("show", query_id=query_id) for query_id in query_ids))
    if inputs.with_texts:
        for query_id in query_ids:
            title, *blocks = QueryExplanation.of(inputs.runs, query_id).display()
            yield from (_lower(title, 1), *(_lower(block, 2) for block in blocks))


def _lower(block: Block, levels: int) -> Block:
    """Lower the level of a heading, because a query is here a part of a section."""
    return block._replace(level=block.level + levels) if isinstance(block, Heading) else block


# The section of official figures: intervals, places on the leaderboard, warnings and notes.


def scores(inputs: Inputs) -> dict[str, Scores]:
    """Return the official figures of each run, which are computed once. Raises `MissingLabelsError`."""
    _ = inputs.runs.gold
    return inputs.runs.once(("report", "scores"), lambda: _scores(inputs.runs))


def _scores(runs: EvaluatedRuns) -> dict[str, Scores]:
    return {
        name: runs.scorer.compute(run.scored, run.remarks) for name, run in runs.runs.items() if run.scored is not None
    }


def official_figures(inputs: Inputs) -> Iterator[Block]:
    """Yield the figures of each run, and the numbers that they come from."""
    of_runs = scores(inputs)
    yield from map(WarningText, score_warnings(of_runs))
    yield as_table(of_runs)
    yield from score_notes(of_runs)
    counts = inputs.runs.counts
    sums = zip(counts.runs, counts.tp.sum(axis=1), counts.returned.sum(axis=1), counts.relevant.sum(axis=1))
    rows = [[name, len(counts.query_ids), *map(int, numbers)] for name, *numbers in sums]
    yield Heading("Numbers of items", 2)
    yield Table(["run", "queries", "hits", "returned", "relevant"], rows)


# The first section: the main findings on each run in plain words, and what would mend them.


_SMALL = 0.05  # a loss of fewer relevant items, or a kind of fewer returned items, is not among the findings
_SIGNIFICANT = 0.05
_GAIN = 0.005  # a better cut-off with less gain is not worth a change
_GROUPS = 3  # named groups
_COMPARED = "the best rank, threshold or ratio for all queries"  # what the cut-off of a run is compared with

Row = dict[str, Any]


def findings(inputs: Inputs) -> Iterator[Block]:
    """Yield for each run its figure, its losses, its false answers, its cut-off, and the groups that differ."""
    of_runs = scores(inputs)
    yield from (f"Note: {note}." for note in synthetic_notes(inputs.runs.split))
    if len(of_runs) > 1:
        yield _best_run(inputs)
    for name, scored in of_runs.items():
        if len(of_runs) > 1:
            yield Heading(f"Findings on {name}", 2)
        yield _figure(inputs, name, scored)
        for part in (_losses, _cutoff, _false_answers, _groups):
            try:
                yield from part(inputs, name)
            except ColieeError as error:
                yield f"  Not available: {first_line(error)}"


def _best_run(inputs: Inputs) -> str:
    """Name the best run, and say whether the next one is significantly worse."""
    frame = comparison(inputs.runs)
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


def _losses(inputs: Inputs, name: str) -> Iterator[str]:
    """Yield a sentence on each large loss, the largest first."""
    lost = inputs.result("losses").query("run == @name and type == 'loss' and share >= @_SMALL")
    for row in plain_rows(lost.sort_values("items", ascending=False, kind="stable")):
        cause = row["name"]
        if cause in (BELOW, CUT):
            advice = OF_RANKED[inputs.is_for("cutoff_curve") and _best_cutoff(inputs, name).is_weaker]
        else:
            advice = OF_CAUSE.get(cause, "")
        lost_items = f"{loss_by_cause(inputs.runs, cause, row['items'])}."
        yield " ".join(filter(None, (f"  Loss: {lost_items}", advice, _if_returned(inputs.runs, name, cause))))


def _if_returned(runs: EvaluatedRuns, name: str, cause: str) -> str:
    """Return what the run would reach if it also returned the items that are lost by a cause, and nothing else."""
    if runs.scorer.evaluation.single_answer or runs.runs[name].stages:
        return ""
    counts, lost = runs.counts, miss_causes(runs, name).query("cause == @cause")["query_id"].value_counts()
    found = lost.reindex(counts.query_ids, fill_value=0).to_numpy()
    tp, returned, relevant = (each[counts.runs.index(name)] for each in (counts.tp, counts.returned, counts.relevant))
    value = float(runs.measure.aggregate(tp + found, returned + found, relevant))
    return f"With these items {runs.measure} would be {value:.4f}."


def _false_answers(inputs: Inputs, name: str) -> Iterator[str]:
    """Yield a sentence on each frequent kind of false answers that can be explained."""
    found = plain_rows(inputs.result("false_answers").query("run == @name and share >= @_SMALL"))
    if inputs.runs.scorer.evaluation.single_answer and found:
        wrong = [f"{row['kind']} ({row['items']})" for row in found]
        yield f"  Wrong answers: {', '.join(wrong)}."
    for row in found:
        if row["kind"] in OF_KIND:
            share = f"{100 * row['share']:.1f} % of the returned items"
            yield f"  False answers: {row['items']} ({share}) are of the kind “{row['kind']}”. {OF_KIND[row['kind']]}"


class _BestCutoff(NamedTuple):
    """The points of the cut-off curve of a run: itself, the best of those compared, and the best cut of each query."""

    chosen: Row
    best: Row
    oracle: Row

    @property
    def gain(self) -> float:
        return float(self.best["value"] - self.chosen["value"])

    @property
    def is_weaker(self) -> bool:
        """Whether it returns more items than the run, and gains by that."""
        return self.gain >= _GAIN and bool(self.best["returned"] > self.chosen["returned"])

    @property
    def judgement(self) -> str:
        """What is wrong with the cut-off of the run."""
        more = self.best["returned"] - self.chosen["returned"]
        if more == 0:
            return "not the best one that returns so many items"
        return "too strict: return more items" if more > 0 else "too weak: return fewer items"


def _best_cutoff(inputs: Inputs, name: str) -> _BestCutoff:
    points = {row["point"]: row for row in plain_rows(inputs.result("cutoff_curve").query("run == @name"))}
    return _BestCutoff(points["chosen"], points["best"], points["oracle"])


def _cutoff(inputs: Inputs, name: str) -> Iterator[str]:
    """Yield how much the best rank, threshold or ratio for all queries would gain."""
    if inputs.runs.runs[name].ranking is None or not inputs.is_for("cutoff_curve"):
        return
    found = _best_cutoff(inputs, name)
    chosen, best = found.chosen, found.best
    kept = f"{chosen['returned']:.2f} items per query are returned"
    if found.gain < _GAIN:
        value = f"{inputs.runs.measure} {best['value']:.4f}"
        compared = "better than" if found.gain <= -_GAIN else "about as good as"
        judgement = f"The cut-off is {compared} {_COMPARED} ({value})"
        yield f"  {judgement}: {kept}. {_limit(inputs, found)}"
        return
    yield (
        f"  The cut-off is {found.judgement}. Now {kept}. {_COMPARED.capitalize()} ({_described(best)}) returns "
        f"{best['returned']:.2f} and has {inputs.runs.measure} {best['value']:.4f} instead of {chosen['value']:.4f}. "
        "This figure is optimistic, because the cut-off was chosen on these labels; ir_coliee tune chooses one on the "
        f"train split. {_limit(inputs, found)}"
    )


def _limit(inputs: Inputs, found: _BestCutoff) -> str:
    """Return what no cut-off can exceed."""
    return f"No cut-off of this ranking reaches more than {inputs.runs.measure} {found.oracle['value']:.4f}."


def _described(point: Row) -> str:
    """Return the rule of a cut-off with its number."""
    setting = point["setting"]
    return {
        "rank": f"the first {setting:g} items",
        "threshold": f"all items with a score of at least {number_cell(setting)}",
        "ratio": f"all items with at least {setting:g} times the highest score of the query",
    }[point["cutoff"]]


def _groups(inputs: Inputs, name: str) -> Iterator[str]:
    """Yield the groups of queries that differ most clearly from the others."""
    of_run = inputs.result("groups").query("run == @name and p_holm < @_SIGNIFICANT").sort_values("p_holm")
    if of_run.empty:
        yield "  No group of queries differs significantly from the other queries."
    for row in plain_rows(of_run.drop_duplicates("property"))[:_GROUPS]:
        group = f"{row['property'].replace('_', ' ')}: {row['group']}"
        side = "higher" if row["difference"] > 0 else "lower"
        yield (
            f"  Queries with “{group}” ({row['num_queries']} queries) differ: their {inputs.runs.official_name} is "
            f"{row['value']:.4f}, {abs(row['difference']):.4f} {side} than that of the others (p {row['p_holm']:.4f}, "
            "corrected)."
        )


# The fields of ir_metadata [1]_ that a report knows: platform, research goal, implementation, method, actor, data.


def run_metadata(inputs: Inputs, versions: Mapping[str, str]) -> dict[str, object]:
    """Return the fields as nested dicts, as ir_metadata's YAML has them.

    Parameters
    ----------
    inputs : Inputs
        The runs.
    versions : mapping of str to str
        The versions of the software.
    """
    split = inputs.runs.split
    test = {"name": "paired randomisation test", "measure": [str(inputs.runs.measure)], "correction method": "Holm"}
    figures = [figure.label for figure in inputs.runs.scorer.columns]
    return {
        "platform": {
            "hardware": {"cpu": {"architecture": platform.machine(), "number of cores": os.cpu_count()}},
            "operating system": {"kernel": platform.release(), "distribution": platform.system()},
            "software": {"libraries": {"python": [f"{name}=={number}" for name, number in versions.items()]}},
        },
        "research goal": {
            "venue": {"name": "COLIEE", "year": split.edition},
            "evaluation": {"reported measures": figures, "significance test": [test]},
        },
        "implementation": {"executable": {"cmd": inputs.command("report", "--out", "report.html")}},
        "data": {
            "test collection": {
                "name": split.pretty_name,
                "source": "https://coliee.org",
                "qrels": split.id,
                "topics": split.id,
                "language": split.language or "en",
                "ir_datasets": split.id,
            }
        },
        "runs": [{"tag": name} for name in inputs.runs.runs],
    }


def as_rows(fields: Mapping[str, object]) -> list[list[object]]:
    """Return nested fields as rows of a dotted name and a value.

    Examples
    --------
    >>> as_rows({"data": {"topics": "t", "measures": ["P", "R"]}})
    [['data.topics', 't'], ['data.measures', 'P, R']]
    """
    return [*_rows("", fields)]


def _rows(prefix: str, value: object) -> Iterator[list[object]]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _rows(f"{prefix}.{name}" if prefix else str(name), part)
    elif isinstance(value, list) and any(isinstance(part, Mapping) for part in value):
        for number, part in enumerate(value, start=1):
            yield from _rows(f"{prefix}.{number}", part)
    else:
        yield [prefix, ", ".join(map(str, value)) if isinstance(value, list) else value]


# The section that says how a page was made: commands, versions, fingerprints of data and runs, seeds.


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
    if any(run.path is None for run in inputs.runs.runs.values()):
        yield "Some runs were passed from memory, so that no command line makes this page again."
    else:
        yield "This page is made again by:"
        yield Preformatted(page_command(inputs))
        yield "To look further:"
        yield Preformatted("\n".join(_next_commands(inputs)))
    yield Heading("Files of the runs", 2)
    yield Table(["run", "file", "name", "SHA-256"], [*_files(inputs)])
    yield Heading("Data", 2)
    yield from _data(inputs)
    yield Heading("Seeds", 2)
    yield _seeds()
    yield Heading("Versions", 2)
    yield Table(["software", "version"], [*versions().items()])
    yield Heading("Fields of ir_metadata", 2)
    yield (
        "The fields of ir_metadata that are known here; the page has them as a JSON data block too. The platform is "
        "that of this page. The fields of the actor and of the method must come from the author of a run."
    )
    yield Details("Fields of ir_metadata", Table(["field", "value"], as_rows(run_metadata(inputs, versions()))))


def page_command(inputs: Inputs) -> str:
    """Return the command line that makes the page again."""
    return inputs.command("report", "--out", "report.html", *["--with-texts"] * inputs.with_texts)


def _next_commands(inputs: Inputs) -> Iterator[str]:
    """Yield the commands that look further into the runs."""
    runs = [*inputs.runs.runs.values()]
    yield inputs.command("analyse")
    if len(runs) == 2:
        yield inputs.command("diff")
    yield inputs.command("score")


def _files(inputs: Inputs) -> Iterator[list[object]]:
    """Yield a row for each file of each run, as it is now."""
    for number, (name, run) in enumerate(inputs.runs.runs.items()):
        if run.path is None:
            yield [name, "answer set", "in memory", ""]
            continue
        given = {role: files[number] for role, files in inputs.files.items() if files}
        files = {
            "answer set": run.path,
            "ranking": given.get("rankings") or file_beside(run.path, ".trec"),
            "long list": file_beside(run.path, ".long"),
            "answers": given.get("answers") or file_beside(run.path, ".answers"),
        }
        seen: set[Path] = set()
        for role, path in files.items():
            if path is not None and path not in seen:
                seen.add(path)
                yield [name, role, path.name, hashlib.sha256(path.read_bytes()).hexdigest()]


def _data(inputs: Inputs) -> Iterator[Block]:
    split = inputs.runs.split
    facts = {"dataset": split.id, "name": split.pretty_name, "official measure": split.measure}
    yield Table.of_facts(facts | {"synthetic": "yes" if inputs.runs.release.is_synthetic else "no"})
    try:
        seal = compute_seal(inputs.runs.release)
    except ColieeError as error:
        yield f"The files of the split have no fingerprint. {first_line(error)}"
        return
    yield (
        f"Fingerprint of the {len(seal.files):,} files that the split is read from, the same for every participant who "
        f"has the same files (ir_coliee audit {split.id} --seal prints it): {seal.hash}"
    )


def _seeds() -> Table:
    """Return what is random on the page, with the defaults that the sections use."""
    bootstrap, swaps, permutations = (
        inspect.signature(each).parameters for each in (intervals, compare_counts, groups)
    )
    rows = [
        ["bootstrap resamples of the intervals", bootstrap["resamples"].default, bootstrap["seed"].default],
        ["swaps of the comparison", swaps["permutations"].default, swaps["seed"].default],
        ["permutations of the groups of queries", permutations["permutations"].default, permutations["seed"].default],
    ]
    return Table(["what is random", "number", "seed"], rows)


# One page on runs: what they get right and wrong, and how the page was made.


_NAMED = 4  # runs in a title


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
    data : dict
        The fields of ir_metadata.
    with_texts : bool
        Whether it has texts of the release.
    is_restricted : bool
        Whether these texts are under a data-use agreement, as all are but those of built-in splits.
    """

    title: str
    blocks: tuple[Block, ...]
    data: Mapping[str, object]
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
        return page(self.title, self.blocks, with_texts=self.is_restricted, data=self.data)

    def write(self, path: str | Path, overwrite: bool = False) -> None:
        """Write the report as an HTML file. One with texts of the release is readable by the user alone.

        Parameters
        ----------
        path : path
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
        write_page(Path(path), self.html(), with_texts=self.with_texts, overwrite=overwrite)


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
    inputs = Inputs(evaluated, {"rankings": _paths(rankings), "answers": _paths(answers)}, with_texts)
    blocks = [
        block
        for title, section in progress(_sections(inputs).items(), "report", unit="sections")
        for block in _section(title, section, inputs)
    ]
    names = ", ".join(evaluated.runs) if len(evaluated.runs) <= _NAMED else f"{len(evaluated.runs)} runs"
    return Report(
        f"{evaluated.split.pretty_name}: {names}",
        (*_missing_pictures(), *blocks),
        run_metadata(inputs, versions()),
        with_texts,
        with_texts and not evaluated.split.is_built_in,
    )


def _sections(inputs: Inputs) -> dict[str, Section]:
    """Return the sections in the order of the page, by their headings."""
    return {
        "In short": findings,
        "Official figures": official_figures,
        **({"Comparison of the runs": comparison_table} if len(inputs.runs.runs) > 1 else {}),
        **analysis_sections(inputs),
        "Hardest queries": hardest_queries,
        "Check of the files": files_check,
        "How this page was made": origins,
    }


def _section(title: str, section: Section, inputs: Inputs) -> Iterator[Block]:
    yield Heading(title)
    try:
        yield from section(inputs)
    except ColieeError as error:
        yield f"Not available: {first_line(error)}"


def _missing_pictures() -> list[Block]:
    return [] if pages.can_draw() else [f"The page has no pictures. {MissingExtraError('Plotting', 'plot')}"]


def _paths(files: Runs | None) -> list[Path]:
    """Return the files that were passed; no file if some of them are in memory."""
    given = [*(files.values() if isinstance(files, Mapping) else files or [])]
    return [Path(file) for file in given] if all(isinstance(file, (str, Path)) for file in given) else []
