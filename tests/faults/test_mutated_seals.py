"""A mutated seal is a seal or refused as a `ColieeError` that names its file, also where its hash was mended."""

import json
import warnings
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from byte_mutations import BYTE_MUTATIONS
from structure_mutations import change_json

from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeError
from ir_coliee.releases.audit import Seal, audit, seal

TEST = replace(SPLITS["coliee/task1/2025/test"], counts={})


@pytest.fixture
def sealed(tmp_path, monkeypatch) -> Path:
    """The file of the seal of a local copy."""
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    corpus = tmp_path / "task1_test_files_2025"
    corpus.mkdir()
    for name in ("900001.txt", "900002.txt"):
        (corpus / name).write_text(f"Case {name}.")
    (tmp_path / "task1_test_labels_2025.json").write_text('{"900001.txt": ["900002.txt"]}')
    return Path(seal(TEST).seal.path)


def with_its_hash(content: bytes) -> bytes:
    """Return an altered seal with the hash of its files, as somebody would write it who knows the format."""
    try:
        record = json.loads(content)
        return json.dumps({**record, "hash": Seal("", "", record["files"]).hash}).encode()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return content


def test_a_mutated_seal_is_a_seal_or_refused_with_its_file(sealed, inputs_per_entity, seed, outcomes):
    original = sealed.read_bytes()
    mutations = [*BYTE_MUTATIONS, *[change_json] * len(BYTE_MUTATIONS)]
    for number in range(inputs_per_entity):
        chance = Random(f"{seed} seal {number}")
        content = with_its_hash(chance.choice(mutations)(original, chance))
        sealed.write_bytes(content)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                str(audit(TEST))
            outcomes["loaded"] += 1
        except ColieeError as error:
            outcomes["refused" if str(error).startswith(str(sealed)) else "failed"] += 1
    assert not outcomes["failed"]
    assert outcomes["loaded"] > inputs_per_entity / 20
    assert outcomes["refused"] > inputs_per_entity / 20
