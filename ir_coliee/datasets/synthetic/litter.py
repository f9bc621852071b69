"""What lies in real folders and is no part of the release."""

from __future__ import annotations

from collections.abc import Iterator

from ir_coliee.datasets.releases import Part
from ir_coliee.datasets.synthetic import labels
from ir_coliee.datasets.synthetic.release import Release, ReleaseFile


def files(folder: str, part: Part, made: Release) -> Iterator[ReleaseFile]:
    """What participants' systems leave in a folder, and a label file of another year."""
    stray = f"{part.task}_{part.name}_labels_{part.year - 1}.json"
    made.plant("litter", *(f"{folder}/{name}" for name in (".DS_Store", "__MACOSX/._900001.txt", stray)))
    yield f"{folder}/.DS_Store", b"\0\0\0\1Bud1"
    yield f"{folder}/__MACOSX/._900001.txt", b"\0\5\x16\7"
    yield f"{folder}/{stray}", labels.json_object([("900001.txt", ["900002.txt"])], "line")
