"""Synthetic releases of the pilot: counts, labels and irregularities."""

import json

import pytest

from ir_coliee.synthetic import write_release

TINY = 0.002
FILES = {
    "2025": {"train": "LJPJT25/train001.jsonl", "test": "LJPJT25/test001.jsonl"},
    "2026": {"train": "LJPJT26/LJPJT26-train001.jsonl", "test": "LJPJT26/LJPJT26-test001.jsonl"},
}
SIDES = ("plaintiff_claims", "defendant_claims")


def instances_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8-sig").splitlines()]


def claims_of(instance):
    return [claim for side in SIDES for claim in instance[side]]


@pytest.mark.parametrize("edition", ["2025", "2026"])
@pytest.mark.parametrize("irregularities", [False, True])
def test_a_release_has_the_planted_counts_and_all_labels(tmp_path, edition, irregularities):
    planted = write_release(f"coliee/pilot/{edition}", tmp_path, scale=0.01, irregularities=irregularities)
    for name, place in FILES[edition].items():
        found = instances_of(tmp_path / place)
        claims = [claim for instance in found for claim in claims_of(instance)]
        assert tuple(planted.splits[f"coliee/pilot/{edition}/prediction/{name}"]) == (len(found), 2, len(found))
        assert tuple(planted.splits[f"coliee/pilot/{edition}/rationale/{name}"]) == (
            len(found),
            len(claims),
            len(claims),
        )
        assert {type(instance["court_decision"]) for instance in found} == {bool}
        assert {claim["is_accepted"] for claim in claims} == {True, False}
        assert {instance["version"] for instance in found} == {place.rpartition("/")[2]}


@pytest.mark.parametrize("scale", [TINY, 0.1])
def test_ids_begin_at_900000_and_continue_in_the_test(tmp_path, scale):
    write_release("coliee/pilot/2026", tmp_path, scale=scale)
    ids = [int(one["tort_id"]) for place in FILES["2026"].values() for one in instances_of(tmp_path / place)]
    assert ids == list(range(900_000, 900_000 + len(ids)))
    for instance in instances_of(tmp_path / FILES["2026"]["train"]):
        for side in ("undisputed_facts", *SIDES):
            assert [entry["id"] for entry in instance[side]] == [str(i) for i in range(len(instance[side]))]


def test_the_keys_are_those_of_the_format_in_their_order(tmp_path):
    write_release("coliee/pilot/2025", tmp_path, scale=TINY)
    for instance in instances_of(tmp_path / FILES["2025"]["test"]):
        assert list(instance) == ["version", "tort_id", "undisputed_facts", *SIDES, "court_decision"]
        assert all(list(claim) == ["id", "description", "is_accepted"] for claim in claims_of(instance))


@pytest.mark.slow
def test_accepted_claims_differ_in_their_words_from_rejected_ones(tmp_path):
    write_release("coliee/pilot/2025", tmp_path, scale=0.01)
    claims = [claim for one in instances_of(tmp_path / FILES["2025"]["train"]) for claim in claims_of(one)]

    def words(accepted):
        texts = [claim["description"] for claim in claims if claim["is_accepted"] is accepted]
        pairs = [text[i : i + 2] for text in texts for i in range(len(text) - 1)]
        return {pair for pair in set(pairs) if pairs.count(pair) > len(pairs) / 100}

    assert len(words(True) ^ words(False)) > 5


@pytest.fixture(scope="module")
def irregular(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pilot")
    return folder, write_release("coliee/pilot/2025", folder, scale=TINY, irregularities=True)


def planted_instances(irregular, irregularity):
    folder, planted = irregular
    found = {one["tort_id"]: one for place in FILES["2025"].values() for one in instances_of(folder / place)}
    assert len(planted.irregularities[irregularity]) == 2
    return [found[tort_id] for tort_id in planted.irregularities[irregularity]]


def test_irregular_instances(irregular):
    assert all(one["undisputed_facts"] == [] for one in planted_instances(irregular, "no facts"))
    assert all(one["plaintiff_claims"] == [] for one in planted_instances(irregular, "no claim of the plaintiff"))
    for one in planted_instances(irregular, "no claim accepted"):
        assert not any(claim["is_accepted"] for claim in claims_of(one))
    for one in planted_instances(irregular, "several lines and full-width digits"):
        assert "\n" in one["undisputed_facts"][0]["description"]
        assert "２０" in one["undisputed_facts"][0]["description"]


def test_bytes_of_the_files(irregular):
    folder, planted = irregular
    train, test = ((folder / place).read_bytes() for place in FILES["2025"].values())
    assert train.startswith(b"\xef\xbb\xbf")
    assert train.endswith(b"}\n")
    assert test.startswith(b"{")
    assert test.endswith(b"}")
    for tort_id, data in zip(planted.irregularities["escaped characters"], (train, test)):
        (line,) = [line for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n") if tort_id.encode() in line]
        assert line.isascii()
        assert b"\\u" in line


def test_further_files_without_labels_and_with_one_label_missing(irregular):
    folder, planted = irregular
    labelled = instances_of(folder / FILES["2025"]["test"])
    opened = {}
    for place in planted.irregularities["labels missing"]:
        further = instances_of(folder / place)
        claims = [claim["is_accepted"] for one in further for claim in claims_of(one)]
        opened[place.rpartition("/")[2]] = [one["court_decision"] for one in further].count(None), claims.count(None)
        assert [one["tort_id"] for one in further] == [one["tort_id"] for one in labelled]
    all_claims = sum(len(claims_of(one)) for one in labelled)
    assert opened == {
        "handed_out.jsonl": (len(labelled), all_claims),
        "one_claim_open.jsonl": (0, 1),
        "one_decision_open.jsonl": (1, 0),
    }
