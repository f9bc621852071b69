"""Mutated files of every kind that a user brings: each loads or is refused, as `attack` states."""

import pytest
from attack import attack
from readers_under_attack import READERS

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", READERS)
def test_a_mutated_file_is_read_or_refused(name, tmp_path, monkeypatch, seed, inputs_per_entity, outcomes):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))  # the readers set it to the folder of each input
    monkeypatch.setenv("COLIEE_PASSWORD", "lamp")
    attack(READERS[name](tmp_path), name, seed, inputs_per_entity, tmp_path, outcomes)
