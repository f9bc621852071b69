"""Mutated files of every kind that a user brings: each loads or is refused, as `attack` states."""

import pytest
from attack import attack
from readers_under_attack import READERS

pytestmark = pytest.mark.slow

MANY_FILES = 20  # take the operating system longer to write than the readers to read


@pytest.mark.parametrize("name", READERS)
def test_a_mutated_file_is_read_or_refused(name, tmp_path, monkeypatch, seed, inputs_per_entity, outcomes):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))  # the readers set it to the folder of each input
    monkeypatch.setenv("COLIEE_PASSWORD", "lamp")
    reader = READERS[name](tmp_path)
    is_slow = len(reader.tree) > MANY_FILES and inputs_per_entity < 2_000
    attack(reader, name, seed, inputs_per_entity // 5 if is_slow else inputs_per_entity, tmp_path, outcomes)
