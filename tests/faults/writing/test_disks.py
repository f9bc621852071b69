"""Full, read-only and vanishing disks, unusual paths and links.

A program ends as always, or with an error of this package, and nothing is left that a later program would believe.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import attacked_writes
import pytest
from attacker import UNFINISHED, attacker, renewed, tree

pytestmark = pytest.mark.slow

NOBODY = 65534
#: One that is cached, one that has several files, and a database; the others are for the long job.
USUAL = ("index", "submission", "replies")
KINDS = [kind if kind in USUAL else pytest.param(kind, marks=pytest.mark.long) for kind in attacked_writes.WRITES]
#: May create a file system that only it and its children see.
IN_OWN_NAMESPACE = ["unshare", "--mount", "--map-root-user"]


def failures(undisturbed, chance, inputs_per_entity):
    """Some moments from which on a disk fails in each way."""
    operations = undisturbed.job["operations"]
    if operations:
        for fault in ("ENOSPC", "EDQUOT", "EROFS", "vanish home/.cache", "vanish out", "vanish home"):
            yield from ((fault, chance.randint(1, operations)) for _ in range(inputs_per_entity // 200))
    yield from (("EFBIG", int(2 ** chance.uniform(0, 18))) for _ in range(inputs_per_entity // 200))


@pytest.mark.long
@pytest.mark.parametrize("kind", attacked_writes.WRITES)
def test_a_disk_that_fails_leaves_nothing_that_is_believed_later(
    forks, undisturbed, tmp_path, kind, seed, inputs_per_entity
):
    chance = random.Random(f"{seed} {kind}")
    for fault, at in failures(undisturbed, chance, inputs_per_entity):
        place = renewed(undisturbed.before, tmp_path / "failed")
        ended = forks.run(kind, place, fault=fault, at=at)
        assert ended["outcome"] in ("done", "refused"), (fault, at, ended["result"])
        if ended["outcome"] == "done" and fault != "vanish out":
            assert ended["result"] == undisturbed.job["result"]
        if not fault.startswith("vanish"):
            undisturbed.check_what_is_left(place)
            undisturbed.check_end(kind, place, forks.run(kind, place))


@pytest.mark.long
@pytest.mark.skipif(
    shutil.which("unshare") is None
    or subprocess.run(
        [*IN_OWN_NAMESPACE, "sh", "-c", "mount -t tmpfs tmpfs /mnt"], capture_output=True, check=False
    ).returncode
    != 0,
    reason="no file system can be mounted here",
)
def test_on_a_small_disk_that_is_full(tmp_path, template, seed, inputs_per_entity):
    chance, disk = random.Random(seed), tmp_path / "disk"
    disk.mkdir()
    mount = f'mount -t tmpfs -o size=2400k tmpfs "{disk}" && exec "$@"'
    with attacker([*IN_OWN_NAMESPACE, "sh", "-c", mount, "sh"]) as forks:
        for kind in attacked_writes.WRITES:
            for _ in range(inputs_per_entity // 200):
                job = {
                    "write": kind,
                    "place": disk / "place",
                    "template": str(template),
                    "free": 0.9 * chance.random() ** 3,
                }
                full, again, anew = forks.together(job)
                assert full["outcome"] in ("done", "refused"), (kind, full["result"])
                assert (again["outcome"], again["result"]) == ("done", anew["result"]), (kind, again["result"])
                assert again["tree"] == anew["tree"] or kind == "replies"
                assert not [name for name in again["tree"] if UNFINISHED in name]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be another user")
@pytest.mark.parametrize("kind", KINDS)
def test_read_only_folders_of_somebody_else(forks, undisturbed, kind):
    if kind == "purge":
        pytest.skip("what it deletes is not its own")
    with tempfile.TemporaryDirectory() as folder:  # others may not enter the folders of pytest
        place = renewed(undisturbed.before, Path(folder, "place"))
        for path in (place.parent, place):
            path.chmod(0o755)
        before = tree(place)
        job = forks.run(kind, place, user=NOBODY)
        assert job["outcome"] in ("done", "refused"), job["result"]
        assert job["outcome"] == "refused" or job["result"] == undisturbed.job["result"]
        assert tree(place) == before


NAMES = ["with blanks", "é ß 日本", "a'quote\"s", "%20 #? [a] {b} $HOME *", "-o", "a\\b", "new\nline"]


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
@pytest.mark.parametrize("kind", attacked_writes.WRITES)
def test_folders_with_unusual_names(forks, undisturbed, tmp_path, kind, seed, inputs_per_entity):
    for name in random.Random(f"{seed} {kind}").sample(NAMES, min(len(NAMES), inputs_per_entity // 100)):
        place = renewed(undisturbed.before, tmp_path / name)
        undisturbed.check_end(kind, place, forks.run(kind, place))


@pytest.mark.parametrize("kind", KINDS)
def test_folders_that_are_links(forks, undisturbed, tmp_path, kind):
    place, elsewhere = renewed(undisturbed.before, tmp_path / "linked"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("home", "out"):
        (place / name).rename(elsewhere / name)
        (place / name).symlink_to(elsewhere / name, target_is_directory=True)
    job = forks.run(kind, place)
    for name in ("home", "out"):
        (place / name).unlink()
        (elsewhere / name).rename(place / name)
    undisturbed.check_end(kind, place, job)
