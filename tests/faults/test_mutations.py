"""Copies of every era with a few bytes changed: they load, with or without a warning, or are refused as a ColieeError.

Over 2,000 damaged copies: 15 releases, each with 140 damages to its label, question, article and instance files and
to its zips.
"""

import random
import warnings
from pathlib import Path

import ir_datasets
import pytest

from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.synthetic import write_release

pytestmark = pytest.mark.slow

RELEASES = [
    *("coliee/task1/2018", "coliee/task1/2019", "coliee/task1/2020", "coliee/task1/2021", "coliee/task1/2025"),
    *("coliee/task2/2018", "coliee/task2/2019", "coliee/task2/2026"),
    *("coliee/task3/2017/en", "coliee/task3/2017/ja", "coliee/task3/2024/en", "coliee/task3/2025/ja"),
    *("coliee/task3/2026/ja", "coliee/pilot/2025", "coliee/pilot/2026"),
]
DAMAGES = 140


def damaged(content, chance):
    """The content with a split cut out, doubled, overwritten or exchanged for what parsers stumble over."""
    start = chance.randrange(len(content) + 1)
    end = min(len(content), start + chance.choice([1, 1, 2, 8, 64, len(content)]))
    stumbling = [
        b"",
        b"<",
        b"&x;",
        b'"',
        b"\\u0000",
        b"\xff\xfe",
        b"]",
        b"{",
        b"null",
        b"-1e999",
        b",",
        b"<!DOCTYPE a [",
        b"\r",
    ]
    piece = chance.choice(
        [chance.choice(stumbling), bytes([chance.randrange(256)]), content[start:end] * 2, "第百条　".encode()]
    )
    return content[:start] + piece + content[end:]


def load(splits):
    for dataset_id in splits:
        dataset = ir_datasets.load(f"{dataset_id}/full")
        for entity in (dataset.docs_iter, dataset.queries_iter, dataset.qrels_iter):
            list(entity())
        if dataset.has_scoreddocs():
            list(dataset.scoreddocs_iter())
        store = dataset.docs_store()
        store.get_many(list(store.ids())[:1])


def files_of(folder):
    """The files that are parsed, the texts of two cases, and zips."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pdf")
    parsed = [path for path in files if not path.stem.isdecimal() and path.parent.name != "__MACOSX"]
    return parsed + [path for path in files if path.stem.isdecimal()][:2]


@pytest.mark.parametrize("archive", [False, True])
@pytest.mark.parametrize("release", RELEASES)
def test_any_damage_is_a_warning_or_an_error_of_ours(tmp_path, monkeypatch, release, archive):
    planted = write_release(release, tmp_path, scale=0.002, irregularities=True, archive=archive)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "parent"))
    chance = random.Random(release)
    splits = [name for name in planted.splits if name.endswith(("/train", "/test"))]
    seen = {"loaded": 0, "refused": 0}
    for _ in range(DAMAGES // 2):
        victim: Path = chance.choice(files_of(tmp_path))
        whole = victim.read_bytes()
        victim.write_bytes(damaged(whole, chance))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ColieeWarning)
            warnings.simplefilter("ignore", ResourceWarning)
            for split in splits:
                try:
                    load([split])
                    seen["loaded"] += 1
                except ColieeError as error:
                    assert str(error)  # noqa: PT017
                    seen["refused"] += 1
        victim.write_bytes(whole)
    assert all(seen.values()), seen
