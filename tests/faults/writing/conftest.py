"""The attacked programs of the modules of this folder, and what they do if nothing disturbs them."""

import functools
import sys

import attacked_writes
import pytest
from attacker import attacker, finished, renewed, tree


@pytest.fixture(scope="session")
def forks():
    """What starts the attacked programs."""
    if sys.platform != "linux":
        pytest.skip("attacked programs are forks, which only Linux starts safely after numpy")
    with attacker() as started:
        yield started


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    """The folder that each program begins with."""
    place = tmp_path_factory.mktemp("template")
    attacked_writes.prepare(place)
    return place


class Undisturbed:
    """What a program makes of a folder if nothing disturbs it."""

    def __init__(self, forks, kind, template, place):
        self.before = renewed(template, place / "before")
        if attacked_writes.WRITES[kind].before:
            assert forks.run(kind, self.before, before=True)["outcome"] == "done"
        after = renewed(self.before, place / "after")
        self.job = forks.run(kind, after)
        assert self.job["outcome"] == "done", self.job["result"]
        self.old, self.new = tree(self.before), tree(after)

    def check_what_is_left(self, place):
        """Each finished file is old or new, and no file of the user's is missing."""
        left = finished(tree(place))
        wrong = {name for name, digest in left.items() if digest not in (self.old.get(name), self.new.get(name))}
        assert {name for name in wrong if ".sqlite" not in name} == set()
        assert {name for name in self.old if name in self.new and ".cache" not in name} <= left.keys()

    def check_end(self, kind, place, job):
        """A program that ran after a disturbed one has the results of an undisturbed one."""
        assert (job["outcome"], job["result"]) == ("done", self.job["result"])
        assert len(job["told"]) <= len(self.job["told"]), job["told"]
        if kind != "replies":  # the pages of a database may differ
            assert tree(place) == self.new


@pytest.fixture(scope="session")
def undisturbed_kinds(forks, template, tmp_path_factory):
    """Each kind of program is run undisturbed only once."""
    return functools.cache(lambda kind: Undisturbed(forks, kind, template, tmp_path_factory.mktemp("undisturbed")))


@pytest.fixture
def undisturbed(undisturbed_kinds, kind):
    """What a program makes of a folder if nothing disturbs it."""
    if kind == "stage":
        pytest.importorskip("lightgbm")
    return undisturbed_kinds(kind)
