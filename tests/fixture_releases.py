"""The static releases below `tests/fixtures/releases`: a data folder (``COLIEE_HOME``) of each edition.

`expected.json` there records what the readers gave when the releases were written, and where each irregularity is.
``python tests/fixture_releases.py`` records what they give now.
"""

import hashlib
import json
import os
import shutil
import warnings
import zipfile
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ir_datasets

from ir_coliee.editions import COLLECTIONS, SPLITS
from ir_coliee.errors import ColieeError
from ir_coliee.releases.cache import forget

FIXTURES = Path(__file__).parent / "fixtures" / "releases"
_EXPECTED = FIXTURES / "expected.json"


@cache
def expected() -> dict[str, dict[str, Any]]:
    """Ids with their digests, and irregularities with their places, by release: ``irregular/task1/2025``."""
    content: dict[str, dict[str, Any]] = json.loads(_EXPECTED.read_text(encoding="utf-8"))
    return content


def releases(variant: str, task: str = "") -> list[str]:
    """Names of the releases of a variant: ``task1/2025``, ``task3/2025/en``, ``pilot/2025``."""
    return [name.partition("/")[2] for name in expected() if name.startswith(f"{variant}/{task}")]


def fixture_release(name: str, *, irregular: bool = True) -> Path:
    """Return the folder of a release, which no test may change: the package would write its cache into it."""
    return FIXTURES / ("irregular" if irregular else "plain") / name


def copy_of_release(name: str, folder: Path, *, irregular: bool = True, archive: bool = False) -> Path:
    """Copy a release into a folder, which may exist, as folders or as ZIP archives of them."""
    shutil.copytree(fixture_release(name, irregular=irregular), folder, dirs_exist_ok=True)
    if archive:
        pack(folder)
    return folder


def pack(folder: Path) -> None:
    """Replace each folder in a data folder by a ZIP archive of it, as the organisers mail them."""
    for top in [path for path in sorted(folder.iterdir()) if path.is_dir()]:
        with zipfile.ZipFile(folder / f"{top.name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(top.rglob("*")):
                if path.is_file():  # with a fixed time, so that the bytes are the same each time
                    name = path.relative_to(folder).as_posix()
                    archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
        shutil.rmtree(top)


def write_task1(home: Path, texts: Mapping[str, str | bytes], labels: Any = None, split: str = "test") -> Path:
    """Write a split of task 1 of 2025: decisions by number, and labels as JSON, or as text if they are a string."""
    corpus = home / f"task1_{split}_files_2025"
    corpus.mkdir(exist_ok=True)
    for number, text in texts.items():
        (corpus / f"{number}.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
    if labels is not None:
        written = labels if isinstance(labels, str) else json.dumps(labels)
        (home / f"task1_{split}_labels_2025.json").write_text(written, encoding="utf-8")
    return corpus


def irregularities(name: str) -> dict[str, list[str]]:
    """Where each irregularity of a release is: the paths of files, or ids."""
    found: dict[str, list[str]] = expected()[f"irregular/{name}"]["irregularities"]
    return found


def ids_of_release(name: str) -> list[str]:
    """The ids of train and test of all tasks that have the files of a release, and its collections of articles."""
    task, edition, *language = name.split("/")
    tasks = {"task3": ("task3", "task4", "task5")}.get(task, (task,))
    prefixes = tuple("/".join(("coliee", each, edition, *language, "")) for each in tasks)
    splits = [split for split in SPLITS if split.startswith(prefixes) and {"train", "test"} & {*split.split("/")}]
    return [*splits, *(f"{each}/full" for each in splits), *(each for each in COLLECTIONS if f"{each}/" in prefixes)]


def contents(dataset_id: str) -> dict[str, str]:
    """Number of the rows of each entity and the first digits of the SHA-256 of their fields, or the error's name."""
    dataset = ir_datasets.load(dataset_id)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            entity: _digest(getattr(dataset, f"{entity}_iter"))
            for entity in ("docs", "queries", "qrels", "scoreddocs")
            if getattr(dataset, f"has_{entity}")()
        }


def _digest(rows_of: Callable[[], Iterable[Any]]) -> str:
    try:
        written = [repr(tuple(row)) for row in rows_of()]
    except ColieeError as error:  # a test whose labels are not published
        return type(error).__name__
    return f"{len(written)} {hashlib.sha256(chr(10).join(written).encode()).hexdigest()[:16]}"


def contents_of_release(name: str) -> dict[str, Any]:
    """The `contents` of all ids of a release, which lies in the data folder that is set."""
    return {dataset_id: contents(dataset_id) for dataset_id in ids_of_release(name)}


def _record() -> None:
    """Write `expected.json` anew: what the readers give now, and the irregularities as they are in it."""
    found = expected()
    with TemporaryDirectory() as temporary:
        for number, release in enumerate(found):
            variant, _, name = release.partition("/")
            home = copy_of_release(name, Path(temporary) / str(number), irregular=variant == "irregular")
            os.environ["COLIEE_HOME"] = str(home)
            forget()
            found[release]["ids"] = contents_of_release(name)
    _EXPECTED.write_text(_lines(found), encoding="utf-8")


def _lines(content: Any, depth: int = 0) -> str:
    """JSON with a line for each dataset id and each irregularity."""
    if depth == 3:
        return json.dumps(content, ensure_ascii=False)
    inner = ",\n".join(f'{" " * (depth + 1)}"{key}": {_lines(value, depth + 1)}' for key, value in content.items())
    return f"{{\n{inner}\n{' ' * depth}}}" + ("" if depth else "\n")


if __name__ == "__main__":
    _record()
