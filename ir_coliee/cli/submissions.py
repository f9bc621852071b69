"""Commands that validate and write submissions: validate, submit, vote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ir_coliee import editions
from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import MAX_SIMILAR, out, print_error, print_written, safe
from ir_coliee.cli.options import DatasetId
from ir_coliee.errors import MalformedFileError, MalformedRunError

if TYPE_CHECKING:
    from ir_coliee.evaluation.runs import RunFile
    from ir_coliee.evaluation.runs.parsed_run import Finding

_Tag = Annotated[str, typer.Option(help="Run tag: 1 to 12 letters or digits. Pilot: the name of the system.")]
_Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]


@app.command(epilog=example("ir_coliee validate coliee/task1/2026/test submission/task1.mine"))
def validate(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Run files in the official format.")],
    long_lists: Annotated[
        list[Path] | None, typer.Option("--long", metavar="FILE", help="Task 3: a long list. Once per run.")
    ] = None,
    answers: Annotated[
        list[Path] | None,
        typer.Option("--answers", metavar="FILE", help="Task 3 since 2026: a file of Y and N answers. Once per run."),
    ] = None,
) -> None:
    """Check run files before submission. Exit status 1: a file has errors; 2: a file cannot be read."""
    split = editions.split(dataset_id)
    from ir_coliee.evaluation.runs import format_rules, open_run, submission_validation, validation

    roles = submission_validation.group_by_role(split, runs)
    answer_files = [*roles["answers"], *(answers or [])]
    files_of_roles = [
        (split, roles["run"]),
        (split, [*roles["long"], *(long_lists or [])]),
        (format_rules.answers_split(split) if answer_files else split, answer_files),
    ]
    opened: list[list[RunFile]] = []
    has_errors = unreadable = False
    for file_split, paths in files_of_roles:
        opened.append([])
        for path in paths:
            try:
                run = open_run(path)
                findings = validation.validate(file_split, run)
            except MalformedFileError as error:
                if str(error.path) != str(path):  # a file of the local release, which is needed to check any run
                    raise
                print_error(error)
                unreadable = True
                continue
            opened[-1].append(run)
            has_errors = _print_findings(path, findings) or has_errors
    if opened[0]:
        findings = submission_validation.validate_submission(split, opened[0], long_lists=opened[1], answers=opened[2])
        for finding in findings:
            out.print(safe(f"{finding.level}: {finding.message}"))
        has_errors = has_errors or any(finding.level == "error" for finding in findings)
    if unreadable:
        raise typer.Exit(2)
    if has_errors:
        raise typer.Exit(1)


def _print_findings(path: Path, findings: Sequence[Finding]) -> bool:
    """Print the findings of a file, the first five of each kind; return whether there is an error."""
    totals = Counter(finding.kind or finding.message for finding in findings)
    printed: Counter[str] = Counter()
    for finding in findings:
        kind = finding.kind or finding.message
        printed[kind] += 1
        if printed[kind] <= MAX_SIMILAR:
            place = f"{path}, line {finding.line}" if finding.line else f"{path}"
            out.print(safe(f"{place}: {finding.level}: {finding.message}"))
        elif printed[kind] == totals[kind]:
            out.print(f"{safe(path)}: {totals[kind] - MAX_SIMILAR} more findings of this kind")
    errors = sum(finding.level == "error" for finding in findings)
    out.print(f"{safe(path)}: {f'errors: {errors}' if errors else 'accepted'}")
    return errors > 0


@app.command(epilog=example("ir_coliee submit coliee/task1/2026/test my.trec --top 5 --tag mine --out submission"))
def submit(  # noqa: PLR0913 (one parameter per option)
    dataset_id: DatasetId,
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Answer set, or a ranking with --top or --cutoff.")],
    tag: _Tag,
    folder: Annotated[Path, typer.Option("--out", help="Folder to write the files to.")],
    top: Annotated[int | None, typer.Option(metavar="K", help="Keep the first K items of each query.")] = None,
    cutoff: Annotated[
        str,
        typer.Option(help="Cut-off of the ranking, for example 'DynamicCutoff(ratio=0.5, min_items=1, max_items=5)'."),
    ] = "",
    long_list: Annotated[
        Path | None, typer.Option("--long", metavar="FILE", help="Task 3: the long list, if RUN is an answer set.")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Task 3 since 2026: the file of Y and N answers.")
    ] = None,
    team: Annotated[str, typer.Option(help="Team name, for the mail and for the pilot's file name.")] = "",
    affiliation: Annotated[str, typer.Option(help="Affiliation, for the pilot's file name.")] = "",
    models: Annotated[str, typer.Option(help="System description: machine learning models.")] = "",
    resources: Annotated[str, typer.Option(help="System description: external resources.")] = "",
    explanation: Annotated[str, typer.Option(help="System description: explanation in 1 to 3 lines.")] = "",
    force: _Force = False,
) -> None:
    """Write a run as official submission files and check them. Exit status 1: errors in the run; nothing is written."""
    split = editions.split(dataset_id)
    from ir_coliee.evaluation.runs import cutoff_expressions, submission_files, submissions

    if top is not None and cutoff:
        raise typer.BadParameter("--top and --cutoff exclude each other; give only one of them.")
    cutoff = f"TopK({top})" if top is not None else cutoff
    try:
        paths = submissions.submit(
            dataset_id,
            run,
            tag=tag,
            folder=folder,
            cutoff=cutoff_expressions.parse_cutoff(cutoff) if cutoff else None,
            long_list=long_list,
            answers=answers,
            team=team,
            affiliation=affiliation,
            models=models,
            resources=resources,
            explanation=explanation,
            overwrite=force,
        )
    except MalformedRunError as error:
        print_error(error)
        raise typer.Exit(1) from None
    for path in paths:
        print_written(path)
    names = submission_files.official_names(split, tag, team, affiliation)
    for place, finding in submission_files.validate_files(split, folder, names):
        out.print(safe(f"{place}: {finding.level}: {finding.message}"))
    if subject := submission_files.mail_subject(split, team):
        out.print(f"subject of the mail: {safe(subject)}")


@app.command(epilog=example("ir_coliee vote coliee/task4/2026/ja/test a.run b.run c.run --tag vote --out vote.run"))
def vote(
    dataset_id: DatasetId,
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN", help="Two or more run files that answer the same questions.")
    ],
    tag: _Tag,
    file: Annotated[Path, typer.Option("--out", metavar="FILE", help="Run file to write.")],
    force: _Force = False,
) -> None:
    """Answer each question with the majority of several runs, and write the run. Ties are answered with no."""
    split = editions.split(dataset_id)
    from ir_coliee.evaluation.runs import require_writable, voting, write_run

    require_writable(file, overwrite=force)
    answers = voting.vote(split, runs)
    write_run(split, answers, file, tag, overwrite=force)
    ties = int((answers["score"] == 0.5).sum())
    out.print(f"{len(answers)} questions{f'; {ties} ties, answered with no' if ties else ''}")
    print_written(file)
