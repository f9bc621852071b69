"""Files in real folders that do not belong to the release."""

from __future__ import annotations

from collections.abc import Iterator

from ir_coliee.editions import Split
from ir_coliee.synthetic import label_files
from ir_coliee.synthetic.release import Release, ReleaseFile


def unrelated_files(folder: str, split: Split, release: Release) -> Iterator[ReleaseFile]:
    """Yield system files and the label file of another year, and record them as an irregularity."""
    label_file = f"{split.task}_{split.name}_labels_{split.year - 1}.json"
    files = {
        f"{folder}/.DS_Store": b"\0\0\0\1Bud1",
        f"{folder}/__MACOSX/._900001.txt": b"\0\5\x16\7",
        f"{folder}/{label_file}": label_files.json_object([("900001.txt", ["900002.txt"])], "line"),
    }
    release.plant("unrelated files", *files)
    yield from files.items()
