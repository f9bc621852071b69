"""Verbs about what is mailed: is it right, and the files in their official form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ir_coliee import editions
from ir_coliee.cli.commands import app
from ir_coliee.cli.terminal import SHOWN_ALIKE, DatasetId, err, out, shown_safely
from ir_coliee.errors import MalformedFileError, MalformedRunError

if TYPE_CHECKING:
    from ir_coliee.evaluation.runs import RunFile
    from ir_coliee.evaluation.runs.validation import Finding


@app.command()
def validate(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Run files in the official form.")],
    long: Annotated[list[Path] | None, typer.Option(help="A long list of task 3; once for each run.")] = None,
    answers: Annotated[
        list[Path] | None, typer.Option(help="The file of Y and N that task 3 wants since 2026; once for each run.")
    ] = None,
) -> None:
    """Check run files before they are mailed. Exit status 1 when one has errors, 2 when one cannot be read."""
    split = editions.split(dataset_id)
    from ir_coliee.evaluation.runs import format_rules, open_run, submission_validation, validation

    roles = submission_validation.group_by_role(split, runs)
    labels = [*roles["answers"], *(answers or [])]
    splits = [
        (split, roles["run"]),
        (split, [*roles["long"], *(long or [])]),
        (format_rules.answers_split(split) if labels else split, labels),
    ]
    opened: list[list[RunFile]] = []
    failed = unreadable = False
    for file_split, paths in splits:
        opened.append([])
        for path in paths:
            try:
                run = open_run(path)
                findings = validation.validate(file_split, run)
            except MalformedFileError as error:
                if str(error.path) != str(path):  # a file of the copy, without which no run can be checked
                    raise
                err.print(f"error: {shown_safely(error)}")
                unreadable = True
                continue
            opened[-1].append(run)
            failed = _print_findings(path, findings) or failed
    if opened[0]:
        of_all = submission_validation.validate_submission(split, opened[0], long_lists=opened[1], answers=opened[2])
        for finding in of_all:
            out.print(shown_safely(f"{finding.level}: {finding.message}"))
        failed = failed or any(finding.level == "error" for finding in of_all)
    if unreadable:
        raise typer.Exit(2)
    if failed:
        raise typer.Exit(1)


def _print_findings(path: Path, findings: Sequence[Finding]) -> bool:
    """Print the findings about a file, of many alike the first; whether there is an error among them."""
    alike = Counter(finding.kind or finding.message for finding in findings)
    printed: Counter[str] = Counter()
    for finding in findings:
        kind = finding.kind or finding.message
        printed[kind] += 1
        if printed[kind] <= SHOWN_ALIKE:
            place = f"{path}, line {finding.line}" if finding.line else f"{path}"
            out.print(shown_safely(f"{place}: {finding.level}: {finding.message}"))
        elif printed[kind] == alike[kind]:
            out.print(f"{shown_safely(path)}: {alike[kind] - SHOWN_ALIKE} more lines like this")
    errors = sum(finding.level == "error" for finding in findings)
    out.print(f"{shown_safely(path)}: {f'errors: {errors}' if errors else 'accepted'}")
    return errors > 0


@app.command()
def submit(
    dataset_id: DatasetId,
    run: Annotated[Path, typer.Argument(metavar="RUN", help="An answer set, or a ranking and where to cut it.")],
    tag: Annotated[str, typer.Option(help="The run tag: 1 to 12 letters or digits. The pilot's name of the system.")],
    out_dir: Annotated[Path, typer.Option("--out", help="The folder to write the files into.")],
    top: Annotated[int | None, typer.Option(help="Keep the first K items of each query.", metavar="K")] = None,
    cutoff: Annotated[
        str, typer.Option(help="Cut the ranking so, for example 'DynamicCutoff(ratio=0.5, min_items=1, max_items=5)'.")
    ] = "",
    long: Annotated[Path | None, typer.Option(help="The long list of task 3, if RUN is not cut.")] = None,
    answers: Annotated[Path | None, typer.Option(help="The file of Y and N that task 3 wants since 2026.")] = None,
    team: Annotated[str, typer.Option(help="The group: for the pilot's file name and the mail.")] = "",
    affiliation: Annotated[str, typer.Option(help="For the pilot's file name.")] = "",
    models: Annotated[str, typer.Option(help="System description: the machine learning models.")] = "",
    resources: Annotated[str, typer.Option(help="System description: external resources.")] = "",
    explanation: Annotated[str, typer.Option(help="System description: how it works, in 1 to 3 lines.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are there already.")] = False,
) -> None:
    """Write the official files of a run, checked. Exit status 1, and nothing written, when the run has errors."""
    split = editions.split(dataset_id)
    from ir_coliee.evaluation.runs import submissions

    if top is not None and cutoff:
        raise typer.BadParameter("--top and --cutoff exclude each other")
    cut = f"TopK({top})" if top is not None else cutoff
    try:
        paths = submissions.submit(
            dataset_id,
            run,
            tag=tag,
            folder=out_dir,
            cutoff=submissions.parse_cutoff(cut) if cut else None,
            long_list=long,
            answers=answers,
            team=team,
            affiliation=affiliation,
            models=models,
            resources=resources,
            explanation=explanation,
            overwrite=force,
        )
    except MalformedRunError as error:
        err.print(f"error: {shown_safely(error)}")
        raise typer.Exit(1) from None
    for path in paths:
        out.print(f"wrote {shown_safely(path)}")
    names = submissions.official_names(split, tag, team, affiliation)
    for place, finding in submissions.check(split, out_dir, names):
        out.print(shown_safely(f"{place}: {finding.level}: {finding.message}"))
    if subject := submissions.mail_subject(split, team):
        out.print(f"subject of the mail: {shown_safely(subject)}")


@app.command()
def vote(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Run files of the same questions, two or more.")],
    tag: Annotated[str, typer.Option(help="The run tag: 1 to 12 letters or digits.")],
    out_file: Annotated[Path, typer.Option("--out", metavar="FILE", help="The run file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there already.")] = False,
) -> None:
    """Write the answers, yes or no, that most of several runs give, in the official form. Equal votes are a no."""
    split = editions.split(dataset_id)
    from ir_coliee.evaluation.runs import require_writable, voting, write_run

    require_writable(out_file, overwrite=force)
    answers = voting.vote(split, runs)
    write_run(split, answers, out_file, tag, overwrite=force)
    ties = int((answers["score"] == 0.5).sum())
    equal = f", {ties} of them with as many votes for each side and taken as a no" if ties else ""
    out.print(f"{len(answers)} questions{equal}")
    out.print(f"wrote {shown_safely(out_file)}")
