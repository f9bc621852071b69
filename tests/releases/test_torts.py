"""The tort instances of the pilot."""

import json
import os

import pytest
from hypothesis import given, settings
from strategies import tort_instances

from ir_coliee.editions import Split
from ir_coliee.errors import MalformedFileError, MissingLabelsError, MissingReleaseError
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


def test_an_instance_is_read_with_all_its_pieces(tmp_path):
    (found,) = read(tmp_path, FULL)
    assert found.query_id == "900001"
    assert found.undisputed_facts == ("門を開けた。",)
    assert found.claims == (
        ("900001_p0", "門は閉まっていた。", "900001", "p"),
        ("900001_p1", "灯は消えていた。", "900001", "p"),
        ("900001_d0", "門は１つ開いていた。\n灯もあった。", "900001", "d"),
    )
    assert found.accepted == (True, False, None)
    assert found.court_decision is True
    text = "門を開けた。\n門は閉まっていた。\n灯は消えていた。\n門は１つ開いていた。\n灯もあった。"
    assert found.dispute == found.default_text() == text


def test_null_is_kept_apart_from_false(tmp_path):
    records = [
        instance(str(n), plaintiff=[claim(0, accepted=v)], decision=v) for n, v in enumerate((True, False, None))
    ]
    found = read(tmp_path, *records)
    assert [tort.court_decision for tort in found] == [True, False, None]
    assert [tort.accepted for tort in found] == [(True,), (False,), (None,)]


def test_empty_lists_are_well(tmp_path):
    (found,) = read(tmp_path, instance(defendant=[claim(0, "門")]))
    assert (found.undisputed_facts, len(found.claims), found.dispute) == ((), 1, "門")
    (found,) = read(tmp_path, instance())
    assert (found.claims, found.accepted, found.dispute) == ((), (), "")


def test_order_and_ids_are_those_of_the_file(tmp_path):
    records = [instance(tort_id, plaintiff=[claim(5), claim(2)]) for tort_id in ("900010", "9", "900002")]
    found = read(tmp_path, *records)
    assert [tort.query_id for tort in found] == ["900010", "9", "900002"]
    assert [c.doc_id for c in found[0].claims] == ["900010_p5", "900010_p2"]


LINES = [json.dumps(instance(n, plaintiff=[claim(0, "門\u2028灯", True)]), ensure_ascii=False) for n in ("1", "2")]


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("ends", [0, 1, 3])
def test_bom_line_ends_and_the_number_of_last_ones_change_nothing(tmp_path, bom, end, ends):
    data = bom + end.join(line.encode() for line in LINES) + end * ends
    found = read(tmp_path, data=data)
    assert [tort.query_id for tort in found] == ["1", "2"]
    assert found[1].claims[0].text == "門\u2028灯"


def test_escaped_letters_are_letters(tmp_path):
    data = json.dumps(FULL, ensure_ascii=True).encode()
    assert b"\\u9580" in data
    assert read(tmp_path, data=data) == read(tmp_path, FULL)


def test_the_order_of_the_keys_does_not_matter(tmp_path):
    assert read(tmp_path, dict(reversed(FULL.items()))) == read(tmp_path, FULL)


@settings(max_examples=60, deadline=None)
@given(tort_instances)
def test_any_instances_are_read_as_they_were_meant(tmp_path_factory, meant):
    records = [
        instance(
            f"9{n}",
            facts,
            [claim(i, *pair) for i, pair in enumerate(plaintiff)],
            [claim(i, *pair) for i, pair in enumerate(defendant)],
            decision,
        )
        for n, (facts, plaintiff, defendant, decision) in enumerate(meant)
    ]
    found = read(tmp_path_factory.getbasetemp(), *records)
    for n, (tort, (facts, plaintiff, defendant, decision)) in enumerate(zip(found, meant, strict=True)):
        assert tort.query_id == f"9{n}"
        assert list(zip((c.text for c in tort.claims), tort.accepted)) == [*plaintiff, *defendant]
        sides = [f"p{i}" for i in range(len(plaintiff))] + [f"d{i}" for i in range(len(defendant))]
        assert [c.doc_id for c in tort.claims] == [f"9{n}_{side}" for side in sides]
        assert tort.court_decision is decision
        assert tort.dispute.split("\n") == [*facts, *(text for text, _ in plaintiff + defendant)] or not tort.dispute


# --- bad input -------------------------------------------------------------------------------------


def without(record, key):
    return {name: value for name, value in record.items() if name != key}


@pytest.mark.parametrize(
    "key",
    [
        "version",
        "tort_id",
        "undisputed_facts",
        "plaintiff_claims",
        "defendant_claims",
        "court_decision",
    ],
)
def test_a_missing_key_is_refused_with_its_line_and_is_no_null(tmp_path, key):
    with pytest.raises(MalformedFileError, match=rf"test001\.jsonl, line 2: the key {key} is missing"):
        read(tmp_path, FULL, without(FULL, key))


@pytest.mark.parametrize("key", ["id", "description", "is_accepted"])
@pytest.mark.parametrize("side", ["plaintiff", "defendant"])
def test_a_claim_that_lacks_a_key_is_refused_with_its_line(tmp_path, key, side):
    with pytest.raises(MalformedFileError) as caught:
        read(tmp_path, FULL, instance(**{side: [claim(0), without(claim(1), key)]}))
    assert caught.value.line == 2


def test_a_claim_whose_id_no_file_can_hold_is_refused(tmp_path):
    with pytest.raises(MalformedFileError, match=r"line 1: a claim's id in plaintiff_claims has a control character"):
        read(tmp_path, data=json.dumps(instance(plaintiff=[claim("\ud800")])).encode())


@pytest.mark.parametrize("key", ["description", "id"])
def test_a_fact_that_lacks_a_key_is_refused_with_its_line(tmp_path, key):
    record = instance()
    record["undisputed_facts"] = [without({"id": "0", "description": "門"}, key)]
    with pytest.raises(MalformedFileError) as caught:
        read(tmp_path, FULL, record)
    assert caught.value.line == 2


@pytest.mark.parametrize("label", [0, 1, "true", "", [], {}])
def test_a_label_that_is_neither_true_false_nor_null_is_refused(tmp_path, label):
    with pytest.raises(MalformedFileError, match="line 1"):
        read(tmp_path, instance(decision=label))
    with pytest.raises(MalformedFileError, match="line 1"):
        read(tmp_path, instance(plaintiff=[claim(0, accepted=label)]))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tort_id", 900001),
        ("tort_id", None),
        ("undisputed_facts", None),
        ("undisputed_facts", "門"),
        ("plaintiff_claims", {"id": "0"}),
        ("defendant_claims", ["門"]),
    ],
)
def test_a_value_of_another_type_is_refused_with_its_line(tmp_path, key, value):
    with pytest.raises(MalformedFileError) as caught:
        read(tmp_path, FULL | {key: value})
    assert caught.value.line == 1


@pytest.mark.parametrize(("entry", "value"), [("id", 0), ("id", None), ("description", None), ("description", 3)])
def test_a_claim_with_a_value_of_another_type_is_refused(tmp_path, entry, value):
    with pytest.raises(MalformedFileError, match="line 1"):
        read(tmp_path, instance(plaintiff=[claim(0) | {entry: value}]))


@pytest.mark.parametrize("line", [b"{", b"not json", b"{} {}", b"[]", b'"a"', b"null", b"3"])
def test_a_line_that_is_no_json_object_is_refused_with_its_number(tmp_path, line):
    with pytest.raises(MalformedFileError, match=r"line 2: (?:the line is )?not") as caught:
        read(tmp_path, data=json.dumps(FULL).encode() + b"\n" + line + b"\n")
    assert caught.value.line == 2


def test_an_empty_line_between_instances_is_refused_with_its_number(tmp_path):
    data = json.dumps(FULL).encode()
    with pytest.raises(MalformedFileError, match="line 2"):
        read(tmp_path, data=data + b"\n\n" + data)


def test_an_instance_for_the_second_time_is_refused_with_its_line(tmp_path):
    with pytest.raises(MalformedFileError, match="line 2"):
        read(tmp_path, FULL, FULL)


def test_a_claim_id_for_the_second_time_on_one_side_is_refused(tmp_path):
    with pytest.raises(MalformedFileError, match="line 1"):
        read(tmp_path, instance(plaintiff=[claim(0, accepted=True), claim(0, accepted=False)]))


def test_errors_show_no_text_of_an_instance(tmp_path):
    with pytest.raises(MalformedFileError) as caught:
        read(tmp_path, instance(plaintiff=[claim(0, "門") | {"is_accepted": "はい"}]))
    assert "門" not in str(caught.value)


# --- as a split -------------------------------------------------------------------------------------

PREDICTION = Split("prediction", "2098", "ja", "test", {"instances": ("test001.jsonl",)})
RATIONALE = Split("rationale", "2098", "ja", "test", {"instances": ("test001.jsonl",)})


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    return tmp_path


def test_the_gold_of_both_subtasks_leaves_null_out(home):
    read(
        home,
        instance("1", plaintiff=[claim(0, accepted=True), claim(1)], decision=False),
        instance("2", defendant=[claim(0, accepted=False)]),
        instance("3", decision=True),
    )
    assert torts.court_decisions(LocalRelease.open(PREDICTION)) == [("1", "False", 1), ("3", "True", 1)]
    assert torts.accepted_claims(LocalRelease.open(RATIONALE)) == [("1", "1_p0", 1), ("2", "2_d0", 0)]


def test_the_pools_are_both_answers_and_the_instances_own_claims(home):
    read(home, instance("1", plaintiff=[claim(0)], defendant=[claim(0)]), instance("2"))
    assert list(torts.answer_candidates(LocalRelease.open(PREDICTION))) == [
        ("1", "True"),
        ("1", "False"),
        ("2", "True"),
        ("2", "False"),
    ]
    assert list(torts.claim_candidates(LocalRelease.open(RATIONALE))) == [("1", "1_p0"), ("1", "1_d0")]
    assert [answer.doc_id for answer in torts.ANSWERS] == ["True", "False"]


def test_a_test_without_labels_loads_and_each_gold_says_what_is_missing(home):
    read(home, instance("1", plaintiff=[claim(0)]))
    assert [dispute.query_id for dispute in torts.disputes(LocalRelease.open(PREDICTION))] == ["1"]
    with pytest.raises(MissingLabelsError, match=r"(?s)prediction/test.*court_decision.*test001\.jsonl"):
        torts.court_decisions(LocalRelease.open(PREDICTION))
    with pytest.raises(MissingLabelsError, match=r"(?s)rationale/test.*is_accepted.*test001\.jsonl"):
        torts.accepted_claims(LocalRelease.open(RATIONALE))


def test_a_single_null_leaves_the_other_subtask_whole(home):
    read(home, instance("1", plaintiff=[claim(0)], decision=True))
    assert torts.court_decisions(LocalRelease.open(PREDICTION)) == [("1", "True", 1)]
    with pytest.raises(MissingLabelsError):
        torts.accepted_claims(LocalRelease.open(RATIONALE))


def test_claims_without_any_accepted_one_are_gold_all_the_same(home):
    read(home, instance("1", defendant=[claim(0, accepted=False)]))
    assert torts.accepted_claims(LocalRelease.open(RATIONALE)) == [("1", "1_d0", 0)]


def test_an_answer_file_that_changes_is_read_again(home):
    read(home, instance("1", defendant=[claim(0, "門")]))
    os.utime(home / "test001.jsonl", ns=(1, 1))
    assert [c.text for c in torts.claims(LocalRelease.open(RATIONALE))] == ["門"]
    read(home, instance("1", defendant=[claim(0, "灯")]))
    assert [c.text for c in torts.claims(LocalRelease.open(RATIONALE))] == ["灯"]


def test_without_a_file_the_release_is_missing(home):
    with pytest.raises(MissingReleaseError, match=r"(?s)tort instances.*test001\.jsonl"):
        torts.instances(LocalRelease.open(PREDICTION))
