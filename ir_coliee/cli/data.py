"""Commands about datasets and the user's local releases: list, status, audit, purge."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import ir_datasets
import typer

from ir_coliee import editions
from ir_coliee.cli.app import (
    MAX_SIMILAR,
    AsJson,
    DatasetId,
    Quiet,
    app,
    err,
    example,
    out,
    print_commands,
    print_next,
    print_table,
    print_written,
    safe,
    safe_lines,
)
from ir_coliee.display import Table, table_lines
from ir_coliee.errors import ColieeError, printable
from ir_coliee.releases.search import ORGANISERS_URL, is_without_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ir_coliee.editions import Split
    from ir_coliee.releases.audit import Audit
    from ir_coliee.releases.release import SplitStatus


# Commands about datasets and the user's local releases: list, status, audit, purge.


_MAX_MISSING = 3  # the number of missing files that are named in a row of the table


Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="[WORD]...", help="Only ids with these words, such as task1, 2026, test or r05; or an id."),
]
Language = Annotated[str | None, typer.Option(metavar="en|ja", help="Only datasets in this language.")]


@app.command("list", epilog=example("ir_coliee list task3 2026 --language ja"))
def list_ids(words: Words = None, language: Language = None, as_json: AsJson = False) -> None:
    """List the editions and their tasks; with words or --json, dataset ids with their names and official measures."""
    if not (words or language or as_json):
        rows_of_editions = [edition.overview for edition in editions.editions().values()]
        header = list(rows_of_editions[0])
        print_table(Table(header, [list(row.values()) for row in rows_of_editions], fold=["tasks"]))
        purpose = "\nWords of an id list ids with their measures; ID/full gives the same queries with all fields:"
        print_commands(purpose, ["list", "task1"], ["list", "2025", "task3", "r05"], ["list", "--json"])
        return
    rows = []
    for dataset_id in sorted(editions.select_ids(words or (), language=language)):
        documentation = ir_datasets.load(dataset_id).documentation()
        measures = ", ".join(documentation["official_measures"])
        rows.append({"id": dataset_id, "name": documentation["pretty_name"], "measure": measures})
    if as_json:
        out.print_json(json.dumps(rows))
        return
    table = Table(["id", "official measure", "name"], [[row["id"], row["measure"], row["name"]] for row in rows])
    if max(map(len, table_lines(table, sys.maxsize))) <= out.width:
        print_table(table)
    else:
        print_table(Table(table.header[:2], [row[:2] for row in table.rows]))
        out.print("The names need a wider terminal; --json has them.")


@app.command(epilog=example("ir_coliee status task1 2026"))
def status(
    words: Words = None,
    language: Language = None,
    show_all: Annotated[bool, typer.Option("--all", help="Show each split, also those that were not found.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show which releases were found in the data folder, in which layout, and which files are missing."""
    from ir_coliee.releases.release import inventory

    rows = inventory(editions.select_ids(words or (), language=language))
    if as_json:
        folders = [str(folder) for folder in editions.data_folders()]
        splits = [
            {**row._asdict(), "files": {role: file._asdict() for role, file in row.files.items()}} for row in rows
        ]
        out.print_json(json.dumps({"data_folders": folders, "splits": splits}))
        return
    for folder in editions.data_folders():
        problem = "" if folder.is_dir() else " (not a folder)" if folder.exists() else " (does not exist)"
        out.print(f"Data folder: {safe(folder.absolute())}{problem}. Set COLIEE_HOME to use another one.")
    is_filtered = bool(words or language)
    shown = [row for row in rows if is_filtered or show_all or row.state not in ("built in", "missing")]
    _print_status(shown)
    _print_others(rows, shown)
    if any(row.missing for row in rows):
        filters = [*(words or ()), *(["--language", language] if language else [])]
        command = " ".join(["ir_coliee status", *filters, "--json"] if filters else ["ir_coliee status task1 2025"])
        out.print(
            f"Put missing files anywhere below the data folder, in folders or ZIP archives. `{command}` lists "
            f"{'all accepted names' if is_filtered else 'the expected files'}. "
            f"The organisers give the data to participants who sign the data-use agreement: {ORGANISERS_URL}"
        )


def _print_status(rows: Sequence[SplitStatus]) -> None:
    """Print a table of splits, and below it what cannot be read and why a file was chosen."""
    if rows:
        cells = [_status_row(row) for row in rows]
        columns = ["id", "state", "layout", "missing"]
        filled = [number for number in range(len(columns)) if any(row[number] for row in cells)]
        shown = [[row[number] for number in filled] for row in cells]
        print_table(Table([columns[number] for number in filled], shown, fold=columns[2:]))
    for row in rows:
        if row.state.startswith(("cannot be read", "labels only")):
            state, _, reason = row.state.partition(": ")
            out.print(f"{row.id}: {state}: {safe_lines(reason.removeprefix(f'{row.id}: '))}")
        for file in row.files.values():
            if file.reason:
                out.print(f"{row.id}: {safe(file.path)} is {file.reason}")


def _print_others(rows: Sequence[SplitStatus], shown: Sequence[SplitStatus]) -> None:
    """Print a line for each edition with its tasks and splits that are not in the table."""
    of_table = {row.id for row in shown}
    splits = [editions.split(row.id) for row in rows]
    others = {row.id: row.state for row in rows if row.id not in of_table}
    names: dict[tuple[str, str], dict[str, None]] = {}
    for split in splits:
        if split.id in others:
            state = "built in" if others[split.id] == "built in" else "not found"
            names.setdefault((split.edition, state), {})[_shortest_name(split, splits, others)] = None
    for (edition, state), of_edition in sorted(names.items()):
        out.print(f"{edition}: {state} ({', '.join(of_edition)})")


def _shortest_name(split: Split, splits: Sequence[Split], others: Collection[str]) -> str:
    """Return the name of a split's task, with language and split name only as far as other splits are in the table."""
    of_task = [other for other in splits if (other.edition, other.task) == (split.edition, split.task)]
    of_language = [other for other in of_task if other.language == split.language]
    if all(other.id in others for other in of_task):
        return split.task
    language = f" {split.language}" if len(of_language) < len(of_task) else ""
    is_whole = all(other.id in others for other in of_language)
    return f"{split.task}{language}" if is_whole else f"{split.task}{language} {split.name}"


def _status_row(row: SplitStatus) -> list[str]:
    kinds = dict.fromkeys(file.kind for file in row.files.values())
    missing = [names[0] for names in row.missing.values()]
    if [*row.missing] == ["labels"]:  # the documents of a test were found: its queries are enough
        missing = [" or ".join([*missing, *[*filter(is_without_labels, row.missing["labels"])][:1]])]
    if len(missing) > _MAX_MISSING:  # one file for each exam year
        missing = [*missing[: _MAX_MISSING - 1], f"{len(missing) - _MAX_MISSING + 1} more"]
    state, _, _reason = row.state.partition(":")  # the reason is printed below the table
    return [row.id, safe(state), f"{row.layout}: {', '.join(kinds)}" if kinds else "", ", ".join(missing)]


@app.command(epilog=example("ir_coliee audit coliee/task1/2025/test --check query-in-other-split"))
def audit(
    dataset_id: DatasetId,
    as_json: AsJson = False,
    check: Annotated[
        str | None, typer.Option(metavar="NAME", help="Print the ids of one check only, all of them, one a line.")
    ] = None,
    seal: Annotated[
        bool,
        typer.Option("--seal", help="Keep fingerprints of the files, if nothing is wrong, to notice changes later."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a seal of other content.")] = False,
    quiet: Quiet = False,
) -> None:
    """Check a local release: what is wrong, and what changes your score. Status 1: something is wrong."""
    from ir_coliee.releases import audit as audits

    if check:
        _check_name(check)
    if force and not seal:
        raise ColieeError("--force replaces a seal, so it needs --seal.")
    split = editions.as_split(dataset_id)
    result = audits.seal(split, overwrite=force, verbose=True) if seal else audits.audit(split, verbose=True)
    if check:
        result = result._replace(findings=tuple(finding for finding in result.findings if finding.check == check))
    if as_json:
        out.print_json(json.dumps(_audit_record(result)))
    elif check:
        for finding in result.findings:
            for line in finding.ids or (finding.message,):
                out.print(safe(line), soft_wrap=True)
    else:
        _print_audit(result)
        _print_seal(result, is_asked_for=seal)
    if result.is_wrong or (seal and result.seal is None):
        raise typer.Exit(1)


def _print_audit(result: Audit) -> None:
    out.print(result)
    if any(len(finding.ids) > MAX_SIMILAR for finding in result.findings):
        purpose = "\nAll ids of a finding, one a line; NAME is the word before the colon:"
        print_commands(purpose, ["audit", result.id, "--check", "NAME"])


def _print_seal(result: Audit, *, is_asked_for: bool) -> None:
    """Print whether a seal was written or kept, or else the command that seals."""
    state = result.seal
    if state is None and is_asked_for:
        out.print('\nnot sealed, because something is wrong. Follow the advice below "wrong", then seal again.')
    elif state is None and not result.is_wrong:
        print_next("audit", result.id, "--seal")
    elif state and state.is_new:
        print_written(Path(state.path))
    elif state and state.changes:
        print_commands("\nOnly if each change is right:", ["audit", result.id, "--seal", "--force"])
    elif state and is_asked_for:
        out.print(f"kept {safe(state.path)}, which has the same content", soft_wrap=True)


def _audit_record(result: Audit) -> dict[str, object]:
    findings = [finding._asdict() for finding in result.findings]
    state = result.seal
    seal = state and {**state._asdict(), "changes": [change._asdict() for change in state.changes]}
    counts = {"id": result.id, "counts": result.counts, "is_wrong": result.is_wrong}
    return {**counts, "findings": findings, "seal": seal}


def _check_name(check: str) -> None:
    """Raise an error that names the nearest checks if there is no check of this name."""
    import difflib

    from ir_coliee.releases.files import CHECKS

    if check not in CHECKS:
        nearest = difflib.get_close_matches(check, CHECKS, n=3, cutoff=0)
        raise ColieeError(f"There is no check {printable(check)!r}.\nThe nearest are: {', '.join(nearest)}.")


@app.command(epilog=example("ir_coliee purge"))
def purge() -> None:
    """Delete the caches of this package, and print their folders. Local releases stay unchanged.

    They are in .cache/ir_coliee of each data folder, and of the folder coliee of ir_datasets, which is used for the
    edition sample and where a data folder cannot be written.
    """
    from ir_coliee.releases import files as cache

    deleted = cache.purge()
    for folder in deleted:
        out.print(f"deleted {safe(folder)}", soft_wrap=True)
    if not deleted:
        out.print("no cache to delete")


# The command that writes synthetic releases.


@app.command(epilog=example("ir_coliee synth coliee/task1/2025 --out synthetic --scale 0.01"))
def synth(
    dataset_id: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="Task and edition, for example coliee/task1/2025; with the language for the statute tasks, as in "
            "coliee/task3/2025/en, whose files tasks 3 and 4 share.",
        ),
    ],
    folder: Annotated[Path, typer.Option("--out", help="Folder to write to.")],
    scale: Annotated[float, typer.Option(help="Size as a share of the real release, in (0, 1].")] = 1.0,
    seed: Annotated[int, typer.Option(help="Random seed. The same seed gives the same bytes.")] = 0,
    archive: Annotated[bool, typer.Option("--zip", help="Write each folder as a ZIP archive.")] = False,
    quiet: Quiet = False,
) -> None:
    """Write a synthetic release in the official layout, with planted relevant items."""
    from ir_coliee import synthetic
    from ir_coliee.storage import require_writable_folder

    require_writable_folder(folder)
    splits = synthetic.splits_of_release(editions.as_dataset_id(dataset_id))
    if not quiet:
        err.print(f"writing {', '.join(split.id for split in splits)}: {100 * scale:g} % of {_size(splits)}")
    written = synthetic.write_release(dataset_id, folder, scale=scale, seed=seed, archive=archive, verbose=True)
    for path in written.paths:
        if written.is_new:
            print_written(path)
        else:
            out.print(f"{safe(path)} exists already with this content; nothing was changed", soft_wrap=True)
    out.print("All texts are fictional. To use the release:")
    described = _own_edition_file(splits[0])
    if described and not (folder / editions.USER_FOLDER / described.name).exists():
        target = shlex.quote(str(folder / editions.USER_FOLDER))
        out.print(f"  mkdir -p {target} && cp {shlex.quote(str(described))} {target}", soft_wrap=True)
    out.print(f"  export COLIEE_HOME={shlex.quote(str(folder.absolute()))}", soft_wrap=True)


def _size(splits: Sequence[Split]) -> str:
    """Return the size of the real release: documents of tasks 1 and 2, otherwise queries, which subtasks share."""
    unit, name = ("docs", "documents") if splits[0].task in ("task1", "task2") else ("queries", "queries")
    folder = splits[0].id.rpartition("/")[0]
    number = sum(split.counts.get(unit, 0) for split in splits if split.id.rpartition("/")[0] == folder)
    return f"the {number:,} {name} of the real release" if number else "the real release"


def _own_edition_file(split: Split) -> Path | None:
    """Return the user's edition file, which the data folder must have too; None for an edition of this package."""
    edition = editions.edition(split.edition)
    assert edition is not None
    return edition.path if edition.name not in {known.name for known in editions.built_in_editions()} else None
