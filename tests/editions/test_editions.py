"""From the plain release of each kind of edition to the scored run: the baseline's files are valid submissions."""

import pytest
from fixture_releases import ids_of_release, releases

from ir_coliee import baselines
from ir_coliee.editions import SPLITS
from ir_coliee.errors import MissingLabelsError
from ir_coliee.evaluation import scoring, writing
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.gold import TASK_EVALUATIONS, candidates
from ir_coliee.releases.release import READERS

pytestmark = pytest.mark.slow

LONG = ("task1/2019", "task1/2020", "task2/2019", "task2/2021", "task3/2020/en", "task3/2021/ja", "task3/2025/ja")
EDITIONS = [pytest.param(release, marks=pytest.mark.long if release in LONG else ()) for release in releases("plain")]


def test_every_task_has_readers_an_evaluation_and_a_pipeline():
    tasks = {split.task for split in SPLITS.values()}
    assert tasks == set(READERS) == set(TASK_EVALUATIONS) == set(baselines.plan.PIPELINES)


@pytest.mark.filterwarnings("ignore:.*its name has no year")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_baseline_of_an_edition_is_scored_and_its_files_are_accepted(tmp_path, fixture_home, edition):
    fixture_home(edition, irregular=False)
    for dataset_id in ids_of_release(edition):
        if not dataset_id.endswith("/test"):
            continue
        split = SPLITS[dataset_id]
        may_answer = candidates(split)
        for run in baselines.run_baseline(split, fast=not edition.startswith("pilot")):
            assert all(doc in may_answer(query) for query, doc in zip(run.answers["qid"], run.answers["docno"]))
            path = tmp_path / f"{split.task}.{run.tag}"
            writing.write_run(split, run.answers, path, run.tag)
            assert validate(split, path) == []
            try:
                figures = scoring.score(
                    split.id,
                    run.answers,
                    long_list=run.ranking if split.task == "task3" and split.edition != "2026" else None,
                ).figures
            except MissingLabelsError:
                assert edition == "task3/2026/ja"
                continue
            assert 0 <= next(iter(figures.values())) <= 1
            if split.task in ("task1", "task2", "task3"):
                assert max(figures.values()) > 0
