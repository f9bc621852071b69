"""Mutated releases of every era, in folders and ZIP archives, read through ir_datasets: as `attack` states.

`test_mutated_files` mutates each kind of file for itself and more often; here files of all kinds are mutated together.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import ir_datasets
import pytest
from attack import Reader, attack
from file_trees import read_tree

from ir_coliee.releases.files import forget
from ir_coliee.synthetic import write_release

pytestmark = pytest.mark.slow

RELEASES = [
    *("coliee/task1/2018", "coliee/task1/2019", "coliee/task1/2020", "coliee/task1/2021", "coliee/task1/2025"),
    *("coliee/task2/2018", "coliee/task2/2019", "coliee/task2/2026"),
    *("coliee/task3/2017/en", "coliee/task3/2017/ja", "coliee/task3/2024/en", "coliee/task3/2025/ja"),
    *("coliee/task3/2026/ja", "coliee/pilot/2025", "coliee/pilot/2026"),
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
    planted = write_release(release, tmp_path / "release", scale=0.002, irregularities=True, archive=archive)

    def load(folder: Path) -> Iterator[Callable[[], object]]:
        monkeypatch.setenv("COLIEE_HOME", str(folder))
        forget()
        for dataset_id in planted.splits:
            if dataset_id.endswith(("/train", "/test")) and dataset_id not in UNLABELLED:
                yield from entities(dataset_id)

    reader = Reader(read_tree(tmp_path / "release"), load, r"^(?!.*(\.pdf$|__MACOSX))")
    attack(reader, f"{release} {archive}", seed, inputs_per_entity // 25, tmp_path, outcomes)
