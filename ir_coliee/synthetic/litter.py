"""What lies in real folders and is no split of the release."""

from __future__ import annotations

from collections.abc import Iterator

from ir_coliee.editions import Split
from ir_coliee.synthetic import labels
from ir_coliee.synthetic.release import Release, ReleaseFile


def files(folder: str, split: Split, made: Release) -> Iterator[ReleaseFile]:
    """What participants' systems leave in a folder, and a label file of another year."""
    stray = f"{split.task}_{split.name}_labels_{split.year - 1}.json"
    made.plant("litter", *(f"{folder}/{name}" for name in (".DS_Store", "__MACOSX/._900001.txt", stray)))
    yield f"{folder}/.DS_Store", b"\0\0\0\1Bud1"
    yield f"{folder}/__MACOSX/._900001.txt", b"\0\5\x16\7"
    yield f"{folder}/{stray}", labels.json_object([("900001.txt", ["900002.txt"])], "line")
