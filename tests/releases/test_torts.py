"""The tort instances of the pilot."""

import json

import pytest
from hypothesis import given, settings
from strategies import tort_instances

from ir_coliee.editions import Split
from ir_coliee.errors import MissingLabelsError
from ir_coliee.releases import torts
from ir_coliee.releases.release import LocalRelease
from ir_coliee.releases.torts import read_instances


def claim(number, text="門は閉まっていた。", accepted=None):
    return {"id": str(number), "description": text, "is_accepted": accepted}


def instance(tort_id="900001", facts=(), plaintiff=(), defendant=(), decision=None):
    return {
        "version": "test001.jsonl",
        "tort_id": tort_id,
        "undisputed_facts": [{"id": str(n), "description": text} for n, text in enumerate(facts)],
        "plaintiff_claims": list(plaintiff),
        "defendant_claims": list(defendant),
        "court_decision": decision,
    }


def read(folder, *records, data=None):
    path = folder / "test001.jsonl"
    lines = "\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    path.write_bytes(lines.encode() if data is None else data)
    return read_instances(path)


FULL = instance(
    facts=["門を開けた。"],
    plaintiff=[claim(0, "門は閉まっていた。", True), claim(1, "灯は消えていた。", False)],
    defendant=[claim(0, "門は１つ開いていた。\n灯もあった。", None)],
    decision=True,
)


@pytest.mark.slow
@settings(max_examples=60)
@given(tort_instances)
def test_any_instances_are_read_as_they_were_meant(tmp_path_factory, meant):
    records = [
        instance(f"9{n}", facts, *([claim(i, *pair) for i, pair in enumerate(side)] for side in sides), decision)
        for n, (facts, *sides, decision) in enumerate(meant)
    ]
    found = read(tmp_path_factory.getbasetemp(), *records)
    for n, (tort, (facts, plaintiff, defendant, decision)) in enumerate(zip(found, meant, strict=True)):
        claims = [*plaintiff, *defendant]
        places = [f"p{i}" for i in range(len(plaintiff))] + [f"d{i}" for i in range(len(defendant))]
        assert (tort.query_id, tort.court_decision) == (f"9{n}", decision)
        assert list(zip((c.text for c in tort.claims), tort.accepted)) == claims
        assert [c.doc_id for c in tort.claims] == [f"9{n}_{place}" for place in places]
        assert tort.dispute.split("\n") == [*facts, *(text for text, _ in claims)] or not tort.dispute


# --- as a split -------------------------------------------------------------------------------------

PREDICTION = Split("prediction", "2098", "ja", "test", {"instances": ("test001.jsonl",)})
RATIONALE = Split("rationale", "2098", "ja", "test", {"instances": ("test001.jsonl",)})


def test_the_gold_of_both_subtasks_leaves_null_out(home):
    read(
        home,
        instance("1", plaintiff=[claim(0, accepted=True), claim(1)], decision=False),
        instance("2", defendant=[claim(0, accepted=False)]),
        instance("3", decision=True),
    )
    assert torts.court_decisions(LocalRelease.open(PREDICTION)) == [("1", "False", 1), ("3", "True", 1)]
    assert torts.accepted_claims(LocalRelease.open(RATIONALE)) == [("1", "1_p0", 1), ("2", "2_d0", 0)]


def test_a_test_without_labels_loads_and_each_gold_says_what_is_missing(home):
    read(home, instance("1", plaintiff=[claim(0)]))
    assert [dispute.query_id for dispute in torts.disputes(LocalRelease.open(PREDICTION))] == ["1"]
    with pytest.raises(MissingLabelsError, match=r"(?s)prediction/test.*court_decision.*test001\.jsonl"):
        torts.court_decisions(LocalRelease.open(PREDICTION))
    with pytest.raises(MissingLabelsError, match=r"(?s)rationale/test.*is_accepted.*test001\.jsonl"):
        torts.accepted_claims(LocalRelease.open(RATIONALE))
