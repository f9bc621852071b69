"""Commands about datasets and the user's local releases: list, status, audit, purge."""

from __future__ import annotations

import json
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated

import ir_datasets
import typer

from ir_coliee import editions
from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import MAX_SIMILAR, out, print_table, safe
from ir_coliee.cli.options import AsJson, DatasetId
from ir_coliee.display import Table
from ir_coliee.errors import ColieeError, printable
from ir_coliee.releases.missing_files import ORGANISERS_URL

if TYPE_CHECKING:
    from ir_coliee.editions import Split
    from ir_coliee.releases.audit import Audit
    from ir_coliee.releases.inventory import SplitStatus

_MAX_MISSING = 3  # the number of missing files that are named in a row of the table


@app.command("list", epilog=example("ir_coliee list --json"))
def list_ids(as_json: AsJson = False) -> None:
    """List all dataset ids with their names and official measures. ID/full gives the same queries with all fields."""
    ids = [name for name in editions.dataset_ids() if not name.endswith("/full")]
    rows = []
    for dataset_id in sorted(ids):
        documentation = ir_datasets.load(dataset_id).documentation()
        measures = ", ".join(documentation["official_measures"])
        rows.append({"id": dataset_id, "name": documentation["pretty_name"], "measure": measures})
    if as_json:
        out.print_json(json.dumps(rows))
        return
    print_table(Table(["id", "name", "official measure"], [[*row.values()] for row in rows], fold=["name"]))


@app.command(epilog=example("ir_coliee status"))
def status(as_json: AsJson = False) -> None:
    """Show which releases were found in the data folder, in which layout, and which files are missing."""
    from ir_coliee.releases.inventory import inventory

    rows = inventory()
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
    columns = ["id", "state", "layout", "missing"]
    print_table(Table(columns, [_status_row(row) for row in rows], fold=columns[2:]))
    for row in rows:
        if row.state.startswith("cannot be read"):
            out.print(f"{row.id}: {safe(row.state)}")
        for file in row.files.values():
            if file.reason:
                out.print(f"{row.id}: {safe(file.path)} is {file.reason}")
    if any(row.missing for row in rows):
        out.print(
            "Put missing files anywhere below the data folder, in folders or ZIP archives. "
            "`ir_coliee status --json` lists all accepted names. "
            f"The organisers give the data to participants who sign the data-use agreement: {ORGANISERS_URL}"
        )


def _status_row(row: SplitStatus) -> list[str]:
    kinds = dict.fromkeys(file.kind for file in row.files.values())
    missing = [names[0] for names in row.missing.values()]
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
) -> None:
    """Check a local release: what is wrong, what changes your score, what is curious. Status 1: something is wrong."""
    from ir_coliee.datasets.resolution import as_split
    from ir_coliee.releases import audit as audits

    split = as_split(dataset_id)
    if check:
        _check_name(check)
    result = audits.audit(split, verbose=True)
    if check:
        result = result._replace(findings=tuple(finding for finding in result.findings if finding.check == check))
    if as_json:
        findings = [finding._asdict() for finding in result.findings]
        record = {"id": result.id, "counts": result.counts, "is_wrong": result.is_wrong, "findings": findings}
        out.print_json(json.dumps(record))
    elif check:
        for finding in result.findings:
            for line in finding.ids or (finding.message,):
                out.print(safe(line), soft_wrap=True)
    else:
        _print_audit(split, result)
    if result.is_wrong:
        raise typer.Exit(1)


def _check_name(check: str) -> None:
    """Raise an error that names the nearest checks if there is no check of this name."""
    import difflib

    from ir_coliee.releases.check_table import CHECKS

    if check not in CHECKS:
        nearest = difflib.get_close_matches(check, CHECKS, n=3, cutoff=0)
        raise ColieeError(f"There is no check {printable(check)!r}.\nThe nearest are: {', '.join(nearest)}.")


def _print_audit(split: Split, result: Audit) -> None:
    counts = ", ".join(f"{number} {entity}" for entity, number in result.counts.items())
    out.print(f"{split.pretty_name}: {counts}")
    for level, findings in result.by_level.items():
        out.print(f"\n{level}{'' if findings else ': nothing'}")
        for advice, alike in groupby(findings, attrgetter("advice")):
            for finding in alike:
                out.print(f"  {finding.check}: {safe(finding.message)}")
            out.print(f"    {advice}")
    if any(len(finding.ids) > MAX_SIMILAR for finding in result.findings):
        out.print(f"\nAll ids of a finding, one a line: ir_coliee audit {split.id} --check NAME", soft_wrap=True)


@app.command(epilog=example("ir_coliee purge"))
def purge() -> None:
    """Delete the caches of this package. Local releases stay unchanged."""
    from ir_coliee.releases import cache

    deleted = cache.purge()
    for folder in deleted:
        out.print(f"deleted {safe(folder)}")
    if not deleted:
        out.print("no cache to delete")
