"""Measure how fast a release is read, beside a bare loop and zipfile, with bounds.

It writes a synthetic release of the size of 2025 into a temporary folder. Run it as ``python benchmarks/reading.py``.
"""

from __future__ import annotations

import os
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import ir_datasets
from side_by_side import Row, beside, print_rows, seconds

from ir_coliee import synthetic
from ir_coliee.releases.cache import forget

TRAIN, FOLDER = "coliee/task1/2025/train", "task1_train_files_2025"


def bare_loop(folder: Path) -> int:
    """Read and decode every file, as any program must."""
    return sum(len(path.read_text(encoding="utf-8")) for path in folder.iterdir())


def bare_zip(path: Path) -> int:
    """Read and decode every entry of an archive."""
    with zipfile.ZipFile(path) as archive:
        return sum(len(archive.read(entry).decode()) for entry in archive.infolist())


def ours(home: Path) -> int:
    """Iterate the documents."""
    os.environ["COLIEE_HOME"] = str(home)
    forget()
    return sum(len(doc.text) for doc in ir_datasets.load(TRAIN).docs_iter())


def statutes(home: Path, dataset_id: str) -> int:
    """Read articles and questions of both splits."""
    os.environ["COLIEE_HOME"] = str(home)
    forget()
    datasets = [ir_datasets.load(f"{dataset_id}/{name}/full") for name in ("train", "test")]
    return sum(sum(1 for _ in each.docs_iter()) + sum(1 for _ in each.queries_iter()) for each in datasets)


def rows() -> Iterator[Row]:
    """Time folders, archives and statutes."""
    with tempfile.TemporaryDirectory() as temporary:
        plain, zipped, code = (Path(temporary, name) for name in ("plain", "zipped", "code"))
        os.environ["IR_DATASETS_HOME"] = str(Path(temporary, "parent"))
        synthetic.write_release("coliee/task1/2025", plain)
        synthetic.write_release("coliee/task1/2025", zipped, archive=True)
        synthetic.write_release("coliee/task3/2025/en", code)
        yield beside("a folder", lambda: ours(plain), "bare loop", lambda: bare_loop(plain / FOLDER), bound=1.5)
        yield beside("a zip", lambda: ours(zipped), "zipfile", lambda: bare_zip(zipped / f"{FOLDER}.zip"), bound=1.3)
        yield Row("task 3", seconds(lambda: statutes(code, "coliee/task3/2025/en")) * 1000, "ms", bound=300)


if __name__ == "__main__":
    sys.exit(print_rows(rows()))
