"""Programs that are killed while they write: the same program, started again, has the results of one that was not.

A program is killed before one of its operations on files (so that each moment is reached, and not those that take
long), when a file has grown to a size, or after a time. Files that a person sees are old or new, never in between.
"""

import random
import signal

import attacked_writes
import pytest
from attacker import renewed

pytestmark = pytest.mark.slow


def kills(undisturbed, chance, inputs_per_entity):
    """Some moments of each way to be killed; in the long job every operation of nearly all programs."""
    operations = range(1, undisturbed.job["operations"] + 1)
    yield from (("kill", at) for at in chance.sample(operations, min(len(operations), inputs_per_entity // 50)))
    yield from (("size", int(2 ** chance.uniform(0, 18))) for _ in range(inputs_per_entity // 200))
    yield from (("timer", chance.uniform(1, 40)) for _ in range(inputs_per_entity // 200))


@pytest.mark.parametrize("kind", attacked_writes.WRITES)
def test_a_killed_program_can_be_started_again(forks, undisturbed, tmp_path, kind, seed, inputs_per_entity):
    chance = random.Random(f"{seed} {kind}")
    for fault, at in kills(undisturbed, chance, inputs_per_entity):
        place = renewed(undisturbed.before, tmp_path / "killed")
        ended = forks.run(kind, place, fault=fault, at=at)
        assert ended["outcome"] == "killed" or fault != "kill", (fault, at, ended)
        assert ended.get("signal") in (None, signal.SIGKILL, signal.SIGXFSZ)
        undisturbed.check_what_is_left(place)
        undisturbed.check_end(kind, place, forks.run(kind, place))
