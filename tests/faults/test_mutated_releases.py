"""Mutated releases of every era, in folders and ZIP archives, read through ir_datasets: as `attack` states.

`test_mutated_files` mutates each kind of file for itself and more often; here files of all kinds are mutated together.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import ir_datasets
import pytest
from attack import Reader, attack
from file_trees import read_tree
from fixture_releases import copy_of_release, ids_of_release

from ir_coliee.releases.files import forget

pytestmark = pytest.mark.slow

RELEASES = [
    *("task1/2018", "task1/2019", "task1/2020", "task1/2021", "task1/2025", "task2/2018", "task2/2019", "task2/2026"),
    *("task3/2017/en", "task3/2017/ja", "task3/2024/en", "task3/2025/ja", "task3/2026/ja", "pilot/2025", "pilot/2026"),
]
UNLABELLED = ["coliee/task3/2026/ja/test"]


def entities(dataset_id: str) -> Iterator[Callable[[], object]]:
    dataset = ir_datasets.load(f"{dataset_id}/full")
    for entity in (dataset.docs_iter, dataset.queries_iter, dataset.qrels_iter):
        yield lambda entity=entity: [*entity()]
    if dataset.has_scoreddocs():
        yield lambda: [*dataset.scoreddocs_iter()]
    yield lambda: dataset.docs_store().get_many([*dataset.docs_store().ids()][:1])


@pytest.mark.parametrize("archive", [False, True])
@pytest.mark.parametrize("release", RELEASES)
def test_a_mutated_release_is_read_or_refused(
    tmp_path, monkeypatch, release, archive, seed, inputs_per_entity, outcomes
):
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "parent"))
    home = copy_of_release(release, tmp_path / "release", archive=archive)
    splits = [split for split in ids_of_release(release) if split.endswith(("/train", "/test"))]

    def load(folder: Path) -> Iterator[Callable[[], object]]:
        monkeypatch.setenv("COLIEE_HOME", str(folder))
        forget()
        for dataset_id in splits:
            if dataset_id not in UNLABELLED:
                yield from entities(dataset_id)

    reader = Reader(read_tree(home), load, r"^(?!.*(\.pdf$|__MACOSX))")
    attack(reader, f"{release} {archive}", seed, inputs_per_entity // 25, tmp_path, outcomes)
