"""One page on runs: what they get right and wrong, and how the page was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ir_coliee.analysis.evaluated_runs import evaluate
from ir_coliee.analysis.pages import page, pictures, write_page
from ir_coliee.analysis.report.analysis_sections import Section, analysis_sections
from ir_coliee.analysis.report.comparison import comparison
from ir_coliee.analysis.report.files_check import files_check
from ir_coliee.analysis.report.findings import findings
from ir_coliee.analysis.report.hardest_queries import hardest_queries
from ir_coliee.analysis.report.inputs import Inputs, first_line
from ir_coliee.analysis.report.official_figures import official_figures
from ir_coliee.analysis.report.origins import origins, versions
from ir_coliee.analysis.report.run_metadata import run_metadata
from ir_coliee.display import Block, Heading, displayed
from ir_coliee.editions import Dataset
from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.evaluation.runs import Runs
from ir_coliee.progress import progress

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
        **({"Comparison of the runs": comparison} if len(inputs.runs.runs) > 1 else {}),
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
    return [] if pictures.can_draw() else [f"The page has no pictures. {MissingExtraError('Plotting', 'plot')}"]


def _paths(files: Runs | None) -> list[Path]:
    """Return the files that were passed; no file if some of them are in memory."""
    given = [*(files.values() if isinstance(files, Mapping) else files or [])]
    return [Path(file) for file in given] if all(isinstance(file, (str, Path)) for file in given) else []
