"""Verbs about copies: what is here, is it whole, made-up ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import ir_datasets
import typer

from ir_coliee import editions
from ir_coliee.cli.commands import app
from ir_coliee.cli.terminal import SHOWN_ALIKE, AsJson, DatasetId, out, print_table, shown_safely
from ir_coliee.releases import search as copies

if TYPE_CHECKING:
    from ir_coliee.releases.inventory import SplitStatus

_MISSING_SHOWN = 3  # names of missing files in a row of the table


@app.command("list")
def list_ids(
    as_json: AsJson = False,
) -> None:
    """All dataset ids with their names. Behind a split, …/full gives its queries with every field."""
    ids = [name for name in editions.dataset_ids() if not name.endswith("/full")]
    rows = []
    for dataset_id in sorted(ids):
        words = ir_datasets.load(dataset_id).documentation()
        rows.append({"id": dataset_id, "name": words["pretty_name"], "measure": ", ".join(words["official_measures"])})
    if as_json:
        out.print_json(json.dumps(rows))
        return
    print_table(["id", "name", "official measure"], [list(row.values()) for row in rows])


@app.command()
def status(
    as_json: AsJson = False,
) -> None:
    """What is in the data folder and in which shape, what is missing, and where it goes."""
    from ir_coliee.releases.inventory import inventory

    rows = inventory()
    if as_json:
        folders = [str(folder) for folder in editions.data_folders()]
        splits = [{**row._asdict(), "files": {r: p._asdict() for r, p in row.files.items()}} for row in rows]
        out.print_json(json.dumps({"data_folders": folders, "splits": splits}))
        return
    for folder in editions.data_folders():
        absent = "" if folder.is_dir() else " (is no folder)" if folder.exists() else " (does not exist)"
        out.print(f"Data folder: {shown_safely(folder.absolute())}{absent}; set COLIEE_HOME to use another")
    print_table(["id", "here", "shape", "missing"], [_status_row(row) for row in rows])
    for row in rows:
        if row.here.startswith("cannot be read"):
            out.print(f"{row.id} {shown_safely(row.here)}")
        for place in row.files.values():
            if place.why:
                out.print(f"{row.id}: {shown_safely(place.path)} is {place.why}")
    if any(row.missing for row in rows):
        out.print(
            "Missing files go anywhere below the data folder, in folders or zips, under these names "
            "or others that are accepted: `ir_coliee status --json` lists them. The organisers give the data to "
            f"participants who sign their memorandum: {copies.ORGANISERS}"
        )


def _status_row(row: SplitStatus) -> list[str]:
    kinds = dict.fromkeys(place.kind for place in row.files.values())
    missing = [names[0] for names in row.missing.values()]
    if len(missing) > _MISSING_SHOWN:  # an exam year each
        missing = [*missing[: _MISSING_SHOWN - 1], f"{len(missing) - _MISSING_SHOWN + 1} more"]
    here, _, _reason = row.here.partition(":")  # why something cannot be read stands below the table
    return [row.id, shown_safely(here), f"{row.layout}: {', '.join(kinds)}" if kinds else "", ", ".join(missing)]


@app.command()
def audit(
    dataset_id: DatasetId,
    as_json: AsJson = False,
) -> None:
    """Check a copy: against the table, and for what can mislead. Exit status 1 when something differs."""
    from tqdm.auto import tqdm

    from ir_coliee.releases import audit as audits

    split = editions.split(dataset_id)
    found = audits.audit(split, progress=lambda loop: tqdm(loop, desc="reading", unit="document"))
    if as_json:
        findings = [finding._asdict() for finding in found.findings]
        out.print_json(
            json.dumps({"id": found.id, "counts": found.counts, "differs": found.differs, "findings": findings})
        )
    else:
        out.print(f"{split.pretty_name}: {', '.join(f'{number} {entity}' for entity, number in found.counts.items())}")
        for finding in found.findings:
            out.print(f"{finding.level}: {shown_safely(finding.message)}")
        out.print("differs from what is expected" if found.differs else "as expected")
    if found.differs:
        raise typer.Exit(1)


@app.command()
def purge() -> None:
    """Delete what is cached of the copies. The copies themselves stay as they are."""
    from ir_coliee.releases import cache

    deleted = cache.purge()
    for folder in deleted:
        out.print(f"deleted {shown_safely(folder)}")
    if not deleted:
        out.print("no cache to delete")


@app.command()
def synth(
    dataset_id: Annotated[str, typer.Argument(metavar="ID", help="An edition, for example coliee/task1/2025.")],
    folder: Annotated[Path, typer.Option("--out", help="The folder to write into.")],
    scale: Annotated[float, typer.Option(help="The share of the true size, in (0, 1].")] = 1.0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
    irregularities: Annotated[
        bool, typer.Option("--irregularities", help="Plant the irregularities of real releases.")
    ] = False,
    archive: Annotated[bool, typer.Option("--zip", help="Write each folder as a zip.")] = False,
) -> None:
    """Write a made-up release in the true layout, with something in it to be found."""
    from tqdm.auto import tqdm

    from ir_coliee import synthetic

    planted = synthetic.write_release(
        dataset_id,
        folder,
        scale=scale,
        seed=seed,
        irregularities=irregularities,
        archive=archive,
        progress=lambda loop: tqdm(loop, desc="writing", unit="file"),
    )
    for path in planted.paths:
        out.print(f"wrote {shown_safely(path)}")
    for irregularity, places in planted.irregularities.items():
        out.print(
            f"planted {irregularity}: {', '.join(places[:SHOWN_ALIKE])}{', …' if len(places) > SHOWN_ALIKE else ''}"
        )
    out.print(f"Every word is made up. Use it with COLIEE_HOME={shown_safely(folder)}")
