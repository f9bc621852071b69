"""Commands about datasets and releases: list, status, audit, purge, synth."""

from __future__ import annotations

import itertools
import os
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import ir_datasets
import typer
from typer import Argument, Option

from ir_coliee import editions
from ir_coliee.cli import options
from ir_coliee.cli.app import app, err, example, out, safe
from ir_coliee.display import Table
from ir_coliee.releases.search import ORGANISERS_URL

if TYPE_CHECKING:
    from ir_coliee.releases.release import SplitStatus

_MAX_MISSING = 3  # the number of missing files that are named in a row of the table

Words = Annotated[list[str] | None, Argument(metavar="[WORD]...", help="Only ids with these words; or an id.")]


@app.command("list", epilog=example("ir_coliee list task3 2026 ja"))
def list_ids(words: Words = None, as_json: options.AsJson = False) -> None:
    """List the editions and their tasks; with words, ids with their official measures; with --json, also names."""
    if not (words or as_json):
        of_editions = [edition.overview for edition in editions.editions().values()]
        rows = [[*overview.values()] for overview in of_editions]
        out.print_blocks([Table([*of_editions[0]], rows, fold=["tasks and languages"])])
        out.print(
            "\nTo list ids with their measures, name words of them; ID/full has the same queries with all fields:"
        )
        for command in (["task1"], ["2025", "task3", "r05"], ["--json"]):
            out.print_next("list", *command)
        return
    found = []
    for dataset_id in sorted(editions.select_ids(words or ())):
        documentation = ir_datasets.load(dataset_id).documentation()
        measure = ", ".join(documentation["official_measures"])
        found.append({"id": dataset_id, "name": documentation["pretty_name"], "measure": measure})
    if as_json:
        out.print_json(found)
    else:
        out.print_blocks([Table(["id", "official measure"], [[row["id"], row["measure"]] for row in found])])


@app.command(epilog=example("ir_coliee status task1 2026"))
def status(words: Words = None, verbose: options.Verbose = False, as_json: options.AsJson = False) -> None:
    """Show which releases were found in the data folder, in which layout, and which files are missing."""
    from ir_coliee.releases.release import inventory

    rows = inventory(editions.select_ids(words or ()))
    if as_json:
        folders = [str(folder) for folder in editions.data_folders()]
        files = [{role: file._asdict() for role, file in row.files.items()} for row in rows]
        splits = [{**row._asdict(), "files": of_row} for row, of_row in zip(rows, files)]
        out.print_json({"data_folders": folders, "splits": splits})
        return
    for folder in editions.data_folders():
        problem = "" if folder.is_dir() else " (not a folder)" if folder.exists() else " (does not exist)"
        out.print(f"Data folder: {safe(folder.absolute())}{problem}. Set COLIEE_HOME to use another one.")
    found = {_parent(row) for row in rows if row.state not in ("built in", "missing")}
    shown = [row for row in rows if words or verbose or _parent(row) in found]
    if words or verbose:
        _print_table(["id", "state", "layout", "missing"], map(_status_row, shown))
    else:
        states = itertools.groupby(shown, lambda row: (_parent(row), *_status_row(row)[1::2]))
        cells = [[f"{key[0]}/{','.join(map(_name, of_row))}", *key[1:]] for key, of_row in states]
        _print_table(["id", "state", "missing"], cells)
    _print_reasons(shown)
    if not found and not words:
        out.print("Only the built-in sample was found.")
    if any(row.missing for row in shown) or not found:
        out.print(
            "Put missing files anywhere below the data folder, in folders or ZIP archives. `ir_coliee status ID` names "
            f"those of an id, --json all accepted names. The organisers give the data: {ORGANISERS_URL}"
        )


def _parent(row: SplitStatus) -> str:
    return row.id.rpartition("/")[0]


def _name(row: SplitStatus) -> str:
    return row.id.rpartition("/")[2]


def _print_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table of splits, without columns that are empty."""
    if columns := [column for column in zip(header, *rows) if any(column[1:])]:
        names, *cells = zip(*columns)
        out.print_blocks([Table(names, cells, fold=["layout", "missing"])])


def _print_reasons(rows: Sequence[SplitStatus]) -> None:
    """Print what cannot be read and why a file was chosen."""
    for row in rows:
        state, _, reason = row.state.partition(": ")
        if reason:
            out.print(f"{row.id}: {state}: {safe(reason.removeprefix(f'{row.id}: '))}")
        out.print_each(f"{row.id}: {file.path} is {file.reason}" for file in row.files.values() if file.reason)


def _status_row(row: SplitStatus) -> list[str]:
    kinds = dict.fromkeys(file.kind for file in row.files.values())
    missing = [names[0] for names in row.missing.values()]
    if len(missing) > _MAX_MISSING:  # one file for each exam year
        missing = [*missing[: _MAX_MISSING - 1], f"{len(missing) - _MAX_MISSING + 1} more"]
    state, _, _reason = row.state.partition(":")
    return [row.id, state, f"{row.layout}: {', '.join(kinds)}" if kinds else "", ", ".join(missing)]


@app.command(epilog=example("ir_coliee audit coliee/task1/2025/test"))
def audit(
    dataset_id: options.DatasetId,
    verbose: options.Verbose = False,
    as_json: options.AsJson = False,
    seal: Annotated[bool, Option("--seal", help="Keep fingerprints of the files if nothing is wrong.")] = False,
    overwrite: Annotated[bool, Option("--overwrite", help="With --seal: replace a seal of other content.")] = False,
    quiet: options.Quiet = False,
) -> None:
    """Check a local release: what is wrong, and what changes your score. Status 1: something is wrong."""
    from ir_coliee.releases import audit as audits

    split = editions.as_split(dataset_id)
    result = audits.seal(split, overwrite=overwrite, verbose=True) if seal else audits.audit(split, verbose=True)
    if as_json:
        findings = [finding._asdict() for finding in result.findings]
        out.print_json({**result._asdict(), "is_wrong": result.is_wrong, "findings": findings})
    else:
        out.print_blocks(result.display() if verbose else result.main_findings())
        if seal and result.seal:
            out.print_files(Path(result.seal))
        elif seal:
            out.print("not sealed, because something is wrong")
        elif not (result.seal or result.is_wrong):
            out.print_next("audit", result.id, "--seal")
    if result.is_wrong or (seal and not result.seal):
        raise typer.Exit(1)


@app.command(epilog=example("ir_coliee purge"))
def purge() -> None:
    """Delete the caches of this package, and print their folders. Local releases stay unchanged.

    They are in .cache/ir_coliee of each data folder, and of the folder coliee of ir_datasets, which is used for the
    edition sample and where a data folder cannot be written.
    """
    from ir_coliee.releases import cache

    deleted = cache.purge()
    for folder in deleted:
        out.print(f"deleted {safe(folder)}")
    if not deleted:
        out.print("no cache to delete")


@app.command(epilog=example("ir_coliee synth coliee/task1/2025 --out synthetic --scale 0.01"))
def synth(
    dataset_id: Annotated[
        str, Argument(metavar="ID", help="Task and edition, coliee/task1/2025, coliee/task3/2025/en.")
    ],
    folder: options.OutFolder,
    scale: Annotated[float, Option(help="Size as a share of the real release, in (0, 1].")] = 1.0,
    seed: Annotated[int, Option(min=0, help="Random seed. The same seed gives the same bytes.")] = 0,
    archive: Annotated[bool, Option("--archive", help="Write each folder as a ZIP archive.")] = False,
    quiet: options.Quiet = False,
) -> None:
    """Write a synthetic release in the official layout, with planted relevant items."""
    from ir_coliee import synthetic

    splits = synthetic.splits_of_release(editions.as_dataset_id(dataset_id))
    if not quiet:
        err.print(f"writing {', '.join(split.id for split in splits)}: {100 * scale:g} % of the real release")
    written = synthetic.write_release(dataset_id, folder, scale=scale, seed=seed, archive=archive, verbose=True)
    out.print_files(*written)
    out.print("All texts are fictional. To use the release:")
    own = [] if editions.is_of_package(splits[0].edition) else editions.data_folders()  # with the edition's file
    home = os.pathsep.join(map(str, [folder.absolute(), *own]))
    out.print(f"  export COLIEE_HOME={shlex.quote(home)}")
