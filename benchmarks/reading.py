"""Measure how fast a release is read, beside a bare loop, zipfile and the document store of ir_datasets.

It writes a synthetic release of the size of 2025 into a temporary folder, and prints ratios of times measured in this
run, the best of three, with their bounds. Run it as ``python benchmarks/reading.py``.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
import tracemalloc
import zipfile
from pathlib import Path

import ir_datasets
from ir_datasets.indices import PickleLz4FullStore
from timing import seconds

from ir_coliee import synthetic
from ir_coliee.editions import SPLITS
from ir_coliee.releases import cases
from ir_coliee.releases.cache import forget

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from zips import write_zip

TRAIN = "coliee/task1/2025/train"
FOLDER = "task1_train_files_2025"
PASSWORD = "sesame"
LOOK_UPS = 3000


def bare_loop(folder: Path) -> int:
    """Open, read and decode every file, as any program must."""
    length = 0
    for name in os.listdir(folder):
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            length += len(file.read())
    return length


def bare_zip(path: Path) -> int:
    with zipfile.ZipFile(path) as archive:
        return sum(len(archive.read(entry).decode()) for entry in archive.infolist())


def ours(home: Path) -> int:
    os.environ["COLIEE_HOME"] = str(home)
    forget()
    return sum(len(doc.text) for doc in ir_datasets.load(TRAIN).docs_iter())


def look_ups(store: object, ids: list[str]) -> float:
    start = time.perf_counter()
    for doc_id in ids:
        store.get(doc_id)  # type: ignore[attr-defined]
    return (time.perf_counter() - start) / len(ids)


def peak_memory() -> int:
    """Return the peak memory in bytes of iterating all documents, without the list of their names."""
    forget()
    documents = ir_datasets.load(TRAIN).docs_iter()
    tracemalloc.start()
    for _ in documents:
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def statute_data(dataset_id: str) -> int:
    """Read all statute data of an edition and language: articles, questions, gold labels and answers."""
    forget()
    entities = 0
    for task in ("task3", "task4"):
        for name in ("train", "test"):
            split = dataset_id.replace("task3", task) + f"/{name}/full"
            dataset = ir_datasets.load(split)
            entities += sum(1 for _ in dataset.docs_iter()) + sum(1 for _ in dataset.queries_iter())
    return entities


def report(what: str, value: float, bound: float, unit: str = "times") -> None:
    print(f"{what:76} {value:8.2f} {unit:5} bound {bound:g}: {'within' if value <= bound else 'MISSED'}")


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        plain, zipped, locked, parent = (work / name for name in ("plain", "zipped", "locked", "parent"))
        os.environ["IR_DATASETS_HOME"] = str(parent)
        synthetic.write_release("coliee/task1/2025", plain)
        synthetic.write_release("coliee/task1/2025", zipped, archive=True)

        size = sum(file.stat().st_size for file in (plain / FOLDER).iterdir()) / 1e6
        print(f"{len(list((plain / FOLDER).iterdir()))} decisions, {size:.0f} MB\n")
        loop = seconds(lambda: bare_loop(plain / FOLDER))
        report("a folder, iterated, to a bare loop", seconds(lambda: ours(plain)) / loop, 1.5)
        bare = seconds(lambda: bare_zip(zipped / f"{FOLDER}.zip"))
        report("a zip, iterated, to zipfile", seconds(lambda: ours(zipped)) / bare, 1.3)

        # the encryption is written by plain Python, so that a tenth must do
        tenth = {f"{file.name}": file.read_bytes() for file in sorted((plain / FOLDER).iterdir())[::10]}
        for home, password in ((work / "tenth", None), (locked, PASSWORD)):
            write_zip(home / f"{FOLDER}.zip", tenth, password)
        os.environ["COLIEE_PASSWORD"] = PASSWORD
        unlocked = seconds(lambda: ours(work / "tenth"))
        report("a zip with a password, iterated, to the same without", seconds(lambda: ours(locked)) / unlocked, 3)

        ours(plain)
        dataset = ir_datasets.load(TRAIN)
        opening = seconds(
            lambda: (forget(), dataset.docs_store().get(dataset.docs_store().ids().__iter__().__next__()))
        )
        report("the first look-up in a folder, no store built, to a bare loop", opening / loop, 4)
        stored = PickleLz4FullStore(str(work / "store"), dataset.docs_iter, cases.Decision, "doc_id", ["doc_id"])
        stored.build()
        ids = random.Random(0).choices(list(dataset.docs_store().ids()), k=LOOK_UPS)
        theirs = min(look_ups(stored, ids) for _ in range(3))
        report(
            "a look-up in a folder, to PickleLz4FullStore",
            min(look_ups(dataset.docs_store(), ids) for _ in range(3)) / theirs,
            1,
        )
        ours(zipped)
        first = look_ups(dataset.docs_store(), ids[:1])
        report("the first look-up in a zip, its documents copied to the cache, to zipfile", first / bare, 2)
        report(
            "a later look-up in a zip, to PickleLz4FullStore",
            min(look_ups(dataset.docs_store(), ids) for _ in range(3)) / theirs,
            1,
        )

        os.environ["COLIEE_HOME"] = str(plain)
        largest = max(file.stat().st_size for file in (plain / FOLDER).iterdir())
        report("memory of iterating all documents, to the size of the largest", peak_memory() / largest, 5)

        for dataset_id in ("coliee/task3/2025/en", "coliee/task3/2026/ja"):
            home = work / dataset_id.replace("/", "-")
            synthetic.write_release(dataset_id, home)
            os.environ["COLIEE_HOME"] = str(home)
            found = len(SPLITS[f"{dataset_id}/train"].exam_years) + 1
            taken = seconds(lambda d=dataset_id: statute_data(d)) * 1000
            report(f"all statute data of {dataset_id}, {found} exam years", taken, 300, "ms")


if __name__ == "__main__":
    main()
