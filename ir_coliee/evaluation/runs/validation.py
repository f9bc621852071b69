"""Validate a run file before it is submitted, and report all findings at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ir_coliee.editions import Dataset, Split, as_split
from ir_coliee.evaluation.runs.answers import Answers
from ir_coliee.evaluation.runs.content_checks import CONTENT_CHECKS, check_parsing
from ir_coliee.evaluation.runs.format_checks import FORMAT_CHECKS, check_file
from ir_coliee.evaluation.runs.format_rules import remark_on_tag
from ir_coliee.evaluation.runs.in_memory import Run
from ir_coliee.evaluation.runs.loading import answers_of
from ir_coliee.evaluation.runs.parsed_run import Finding, ParsedRun
from ir_coliee.evaluation.runs.reading import RunFile, open_run
from ir_coliee.evaluation.task_evaluation import task_evaluation


def validate(dataset: Dataset, run: Run | RunFile) -> list[Finding]:
    """Validate a run file, or the answers of a run in memory.

    Findings that concern several files of a submission come from
    `ir_coliee.evaluation.runs.submission_validation.validate_submission`.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the run answers. The long list of task 3 is validated like its answer set, the answers Y and N
        of 2026 as a run of `ir_coliee.evaluation.runs.format_rules.answers_split`.
    run : path, RunFile, pandas.DataFrame or dict
        The run file. A run in memory has no form, so only its answers are validated.

    Returns
    -------
    list of Finding
        In the order of the lines, findings about the whole file first.

    Raises
    ------
    MalformedFileError
        If the file cannot be opened.
    """
    split = as_split(dataset)
    if not isinstance(run, (str, Path, RunFile)):
        return content_findings(split, answers_of(split, run))
    file = run if isinstance(run, RunFile) else open_run(Path(run))
    parsed = ParsedRun(split, file, file.answers(split))
    return _run_checks(parsed, (check_parsing, check_file, *CONTENT_CHECKS, *FORMAT_CHECKS))


def content_findings(split: Split, answers: Answers) -> list[Finding]:
    """Return the findings about answers that remain if the answers are written in the official form.

    Parameters
    ----------
    split : Split
        The split that the run answers.
    answers : Answers
        The answers, from `ir_coliee.evaluation.runs.reading.parse_run`.
    """
    return _run_checks(ParsedRun(split, RunFile(Path(), b""), answers), (check_parsing, *CONTENT_CHECKS))


class Rewriting(NamedTuple):
    """What `ir_coliee.evaluation.runs.submissions.submit` needs to write a run of another form in the official one.

    Attributes
    ----------
    tag : str
        The run tag of the file; empty if it has none that the organisers ask for.
    is_ranking : bool
        Whether the run is a ranking, which needs a cut-off.
    """

    tag: str
    is_ranking: bool


def rewriting(split: Split, file: RunFile) -> Rewriting | None:
    """Return how to rewrite a run in the official form; None if its answers are wrong, or in the pilot."""
    answers = file.answers(split)
    if not split.submission.columns or any(finding.level == "error" for finding in content_findings(split, answers)):
        return None
    tag = answers.tag
    is_ranking = not split.submission.has_scores and not task_evaluation(split).single_answer
    return Rewriting("" if remark_on_tag(tag) else tag, is_ranking and answers.has_ranks)


def _run_checks(run: ParsedRun, checks: Iterable[Callable[[ParsedRun], Iterator[Finding]]]) -> list[Finding]:
    findings = [finding for check in checks for finding in check(run)]
    return sorted(findings, key=lambda finding: (finding.line is not None, finding.line or 0))
