"""Commands that validate and write submissions: validate, submit, vote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ir_coliee import editions
from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import MAX_SIMILAR, out, print_error, print_help, print_next, print_written, safe
from ir_coliee.cli.next_steps import print_after_answers, print_submit
from ir_coliee.cli.options import DatasetId
from ir_coliee.errors import ColieeError, MalformedFileError, MalformedRunError, printable_list

if TYPE_CHECKING:
    from ir_coliee.evaluation.runs import RunFile
    from ir_coliee.evaluation.runs.parsed_run import Finding


def _own_tag(tag: str) -> str:
    """Refuse the placeholder of the documentation, which organisers would get as the name of a system."""
    if tag == "TAG":
        raise typer.BadParameter("TAG stands for the name of your run. Give a name of 1 to 12 letters or digits.")
    return tag


_Tag = Annotated[
    str,
    typer.Option(callback=_own_tag, help="Run tag: 1 to 12 letters or digits. Pilot: the name of the system."),
]
_Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]


@app.command(epilog=example("ir_coliee validate coliee/task1/2026/test submission/task1.mine"))
def validate(
    dataset_id: DatasetId,
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN", help="Run files in the official format, or a folder of them.")
    ],
    long_lists: Annotated[
        list[Path] | None, typer.Option("--long", metavar="FILE", help="Task 3: a long list. Once per run.")
    ] = None,
    answers: Annotated[
        list[Path] | None,
        typer.Option("--answers", metavar="FILE", help="Task 3 since 2026: a file of Y and N answers. Once per run."),
    ] = None,
) -> None:
    """Check run files before submission. Exit status 1: a file has errors; 2: a file cannot be read."""
    split = editions.as_split(dataset_id)
    from ir_coliee.evaluation.runs import file_roles, format_rules, submission_validation

    outcome = _Outcome()
    files = [file for path in runs for file in _files_at(split, path, outcome)]
    roles = file_roles.group_by_role(split, files)
    answer_files = [*roles["answers"], *(answers or [])]
    run_files = _validate_files(split, roles["run"], outcome)
    lists = _validate_files(split, [*roles["long"], *(long_lists or [])], outcome)
    labels = _validate_files(format_rules.answers_split(split) if answer_files else split, answer_files, outcome)
    if run_files:
        findings = submission_validation.validate_submission(split, run_files, long_lists=lists, answers=labels)
        for finding in findings:
            out.print(safe(f"{finding.level}: {finding.message}"))
        outcome.has_errors |= any(finding.level == "error" for finding in findings)
    for run in run_files:
        if run.path in outcome.wrong:
            _print_how_to_rewrite(split, run)
    if outcome.unreadable:
        print_help(outcome.unreadable)
        raise typer.Exit(2)
    if outcome.has_errors:
        raise typer.Exit(1)


@dataclass
class _Outcome:
    """Whether there are errors, and in which files, and why a file or folder cannot be read.

    The other files are checked all the same.
    """

    has_errors: bool = False
    unreadable: Exception | None = None
    wrong: list[Path] = field(default_factory=list)


def _files_at(split: editions.Split, path: Path, outcome: _Outcome) -> list[Path]:
    """Return the files of a submission folder, or the path of a file."""
    from ir_coliee.evaluation.runs import file_roles

    if not path.is_dir():
        return [path]
    try:
        named, others = file_roles.files_of_folder(split, path)
    except (ColieeError, OSError) as error:
        print_error(error)
        outcome.unreadable = error
        return []
    for other in others:
        out.print(safe(f"{other}: not checked, because it is not named as a file of {split.id}"))
    return named


def _validate_files(split: editions.Split, paths: list[Path], outcome: _Outcome) -> list[RunFile]:
    """Print the findings about each file, and return those that can be read."""
    from ir_coliee.evaluation.runs import file_roles, open_run, validation

    opened = []
    for path in paths:
        try:
            run = open_run(path)
            findings = validation.validate(file_roles.split_of_file(split, path), run)
        except MalformedFileError as error:
            if str(error.path) != str(path):  # a file of the local release, which is needed to check any run
                raise
            print_error(error)
            outcome.unreadable = error
            continue
        opened.append(run)
        if _print_findings(path, findings):
            outcome.has_errors = True
            outcome.wrong.append(path)
    return opened


def _print_how_to_rewrite(split: editions.Split, run: RunFile) -> None:
    """Print the command that writes a run in the official form, if nothing else is wrong with it."""
    from ir_coliee.evaluation.runs import file_roles, run_names, validation

    split = file_roles.split_of_file(split, run.path)
    if rewriting := validation.rewriting(split, run):
        out.print(f"{safe(run.path)}: only the form is wrong; submit writes the answers in the official form")
        cutoff = ["--top", "5"] if rewriting.is_ranking else []
        print_submit(split, run.path, "--tag", rewriting.tag or run_names.tag_of_run(run.path), *cutoff)


def _print_findings(path: Path, findings: Sequence[Finding]) -> bool:
    """Print the findings of a file, the first five of each kind; return whether there is an error."""
    totals: Counter[str] = Counter()
    for finding in findings:
        totals[finding.kind or finding.message] += finding.num_lines
    printed: Counter[str] = Counter()
    for finding in findings:
        kind = finding.kind or finding.message
        printed[kind] += finding.num_lines
        if printed[kind] <= MAX_SIMILAR:
            place = f"{path}, line {finding.line}" if finding.line else f"{path}"
            out.print(safe(f"{place}: {finding.level}: {finding.message}"))
        elif printed[kind] == totals[kind]:
            out.print(f"{safe(path)}: {totals[kind] - MAX_SIMILAR:,} more findings of this kind")
    errors = sum(finding.num_lines for finding in findings if finding.level == "error")
    out.print(f"{safe(path)}: {f'errors: {errors}' if errors else 'accepted'}")
    return errors > 0


@app.command(epilog=example("ir_coliee submit coliee/task1/2026/test my.trec --top 5 --tag mine --out submission"))
def submit(  # noqa: PLR0913 (one parameter per option)
    dataset_id: DatasetId,
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Answer set, or a ranking with --top or --cutoff.")],
    tag: _Tag,
    folder: Annotated[Path, typer.Option("--out", help="Folder to write the files to.")],
    top: Annotated[int | None, typer.Option(min=1, metavar="K", help="Keep the first K items of each query.")] = None,
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
    split = editions.as_split(dataset_id)
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
        print_help(error)
        raise typer.Exit(1) from None
    for path in paths:
        print_written(path)
    names = submission_files.official_names(split, tag, team, affiliation)
    for place, finding in submission_files.validate_files(split, folder, names):
        message = f"{finding.level}: {finding.message}"
        out.print(safe(f"{place}: {message}" if place else message))
    out.print("files to send:")
    for name in names.values():
        out.print(f"  {safe(folder / name)}", soft_wrap=True)
    others = sorted(path.name for path in folder.iterdir() if path.is_file() and path.name not in names.values())
    if others:
        out.print(f"also in this folder, for the same mail if it is of your group: {printable_list(others)}")
    if subject := submission_files.mail_subject(split, team):
        hint = "" if team else " (GROUP stands for the name of your group; --team fills it in)"
        out.print(f"subject of the mail: {safe(subject)}{hint}")
    print_next("validate", split.id, str(folder))


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
    split = editions.as_split(dataset_id)
    from ir_coliee.evaluation.runs import require_writable, voting, write_run
    from ir_coliee.evaluation.scoring import Scorer

    require_writable(file, overwrite=force)
    answers = voting.vote(split, runs)
    write_run(split, answers, file, tag, overwrite=force)
    ties = int((answers["score"] == 0.5).sum())
    out.print(f"{len(answers)} questions{f'; {ties} ties, answered with no' if ties else ''}")
    print_written(file)
    print_after_answers(Scorer(split), file, tag)
