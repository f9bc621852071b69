"""The command that writes synthetic releases."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ir_coliee import editions
from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import MAX_SIMILAR, err, out, print_written
from ir_coliee.cli.options import Quiet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ir_coliee.editions import Split
    from ir_coliee.synthetic import WrittenRelease


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
    irregularities: Annotated[
        bool, typer.Option("--irregularities", help="Plant the irregularities of real releases.")
    ] = False,
    archive: Annotated[bool, typer.Option("--zip", help="Write each folder as a ZIP archive.")] = False,
    quiet: Quiet = False,
) -> None:
    """Write a synthetic release in the official layout, with planted relevant items."""
    from ir_coliee import synthetic
    from ir_coliee.evaluation.runs import require_writable_folder

    require_writable_folder(folder)
    splits = synthetic.splits_of_release(editions.as_dataset_id(dataset_id))
    if not quiet:
        err.print(f"writing {', '.join(split.id for split in splits)}: {100 * scale:g} % of {_size(splits)}")
    planted = synthetic.write_release(
        dataset_id,
        folder,
        scale=scale,
        seed=seed,
        irregularities=irregularities,
        archive=archive,
        verbose=True,
    )
    for path in planted.paths:
        print_written(path)
    for irregularity, places in planted.irregularities.items():
        more = ", …" if len(places) > MAX_SIMILAR else ""
        out.print(f"planted {irregularity}: {', '.join(places[:MAX_SIMILAR])}{more}")
    out.print("All texts are fictional. To use the release:")
    described = _own_edition_file(planted)
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


def _own_edition_file(written: WrittenRelease) -> Path | None:
    """Return the user's edition file, which the data folder must have too; None for an edition of this package."""
    edition = editions.edition(editions.split(next(iter(written.splits))).edition)
    assert edition is not None
    return edition.path if edition.name not in {known.name for known in editions.built_in_editions()} else None
