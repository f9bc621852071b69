"""What the sections of a report are made from: evaluated runs, their files, and analyses that are made once."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ir_coliee.analysis.analysis_frame import AnalysisFrame
from ir_coliee.analysis.catalogue import ANALYSES
from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.pages import pictures
from ir_coliee.analysis.plots import PLOTS
from ir_coliee.display import Block, Details, Heading, words
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.runs import path_name

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
    if frame.kind in PLOTS and len(frame) and pictures.can_draw():
        yield pictures.picture(frame)
        yield Details(f"{frame.title}: {len(table.rows)} rows", table) if len(table.rows) > _PICTURED_ROWS else table
    else:
        yield table
    yield from frame.notes
