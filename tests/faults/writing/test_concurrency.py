"""Two and four programs at the same time, and one that purges the cache: results are equal bit for bit."""

import random

import pytest
from attacker import UNFINISHED, finished, renewed, tree

pytestmark = [pytest.mark.slow, pytest.mark.long]

CACHED = ["index", "stage"]
SHARED = ["run", "replaced run", "baseline", "submission", "replies", "seal", "damaged index"]
CREATED = ["saved index", "shards", "synthetic release"]


@pytest.fixture
def together(forks, tmp_path, seed):
    """Run programs in one folder, each with a short delay."""
    chance = random.Random(seed)

    def run(*jobs):
        return forks.together(
            *({"place": tmp_path / "shared", "delay": chance.uniform(0, 0.01), **job} for job in jobs)
        )

    return run


@pytest.mark.parametrize("programs", [2, 4])
@pytest.mark.parametrize("kind", [*CACHED, *SHARED])
def test_programs_at_the_same_time_have_the_same_results(
    together, undisturbed, tmp_path, kind, programs, inputs_per_entity
):
    for _ in range(inputs_per_entity // 200):
        place = renewed(undisturbed.before, tmp_path / "shared")
        for job in together(*[{"write": kind}] * programs):
            assert (job["outcome"], job["result"]) == ("done", undisturbed.job["result"])
            assert job["told"] == [] or kind == "damaged index"
        assert kind == "replies" or tree(place) == undisturbed.new


@pytest.mark.parametrize("kind", CREATED)
def test_of_programs_that_create_one_folder_one_succeeds_and_the_others_are_told(
    together, undisturbed, tmp_path, kind, inputs_per_entity
):
    for _ in range(inputs_per_entity // 200):
        place = renewed(undisturbed.before, tmp_path / "shared")
        jobs = together(*[{"write": kind}] * 4)
        assert "done" in [job["outcome"] for job in jobs]
        for job in jobs:
            if job["outcome"] == "done":
                assert job["result"] == undisturbed.job["result"]
            else:
                assert job["result"].startswith("ExistingFileError: "), job["result"]
        assert tree(place) == undisturbed.new


@pytest.mark.parametrize("kind", CACHED)
def test_a_purge_meanwhile_changes_no_result(together, undisturbed, tmp_path, kind, inputs_per_entity):
    for _ in range(inputs_per_entity // 200):
        place = renewed(undisturbed.before, tmp_path / "shared")
        *jobs, purge = together(*[{"write": kind, "times": 5}] * 2, {"write": "purge", "times": 30})
        assert purge["outcome"] == "done", purge["result"]
        for job in jobs:
            assert (job["outcome"], job["result"]) == ("done", undisturbed.job["result"])
        left = tree(place)
        assert left == finished(left)
        assert left.items() <= undisturbed.new.items()  # in the data folder, where entries belong


@pytest.mark.parametrize("kind", ["submission"])
def test_descriptions_of_runs_that_are_submitted_at_the_same_time_are_all_kept(
    together, undisturbed, tmp_path, inputs_per_entity
):
    tags = [f"run{number}" for number in range(4)]
    for _ in range(inputs_per_entity // 200):
        place = renewed(undisturbed.before, tmp_path / "shared")
        for job in together(*({"write": "submission", "tag": tag} for tag in tags)):
            assert job["outcome"] == "done", job["result"]
        description = (place / "out" / "mailed" / "SystemDescription.txt").read_text()
        assert [tag for tag in tags if tag not in description] == []
        assert not [name for name in tree(place) if UNFINISHED in name]
