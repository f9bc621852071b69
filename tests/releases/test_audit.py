"""Audits find what was planted, and nothing else: in small local copies and in the static releases."""

import json
import re
from dataclasses import replace

import pytest
from fixture_releases import ids_of_release, irregularities, releases, write_task1
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_datasets.formats import GenericDoc, GenericQrel, GenericQuery

from ir_coliee.editions import SPLITS, Count
from ir_coliee.releases.audit import audit
from ir_coliee.releases.release import LocalRelease

TEST = replace(SPLITS["coliee/task1/2025/test"], counts={})
TRAIN = replace(SPLITS["coliee/task1/2025/train"], counts={})
TASK2 = replace(SPLITS["coliee/task2/2025/train"], counts={})
TASK3 = replace(SPLITS["coliee/task3/2025/en/r05"], counts={})
TASK4 = replace(SPLITS["coliee/task4/2025/en/r05"], counts={})


def put_task2(home, paragraphs, labels):
    for case, texts in paragraphs.items():
        folder = home / "task2_train_files_2025" / case
        (folder / "paragraphs").mkdir(parents=True)
        pieces = {"base_case": f"Base case {case}.", "entailed_fragment": f"Fragment {case}."}
        for name, text in (pieces | {f"paragraphs/{number}": text for number, text in texts.items()}).items():
            (folder / f"{name}.txt").write_text(text)
    (home / "task2_train_labels_2025.json").write_text(json.dumps(labels))


def put_statutes(home, pairs):
    (home / "civil_code_en-1to724-2.txt").write_text(
        "Civil Code\nPart I Lamps\n(Lamps)\nArticle 1 A lamp is lit.\n(Gates)\nArticle 2 A gate is shut.\n"
    )
    (home / "riteval_R05_en.xml").write_text(f"<dataset>{''.join(pairs)}</dataset>")


def pair(number, heads, label="Y", statement="A lamp."):
    quoted = "".join(f"Article {head}\nQuoted.\n" for head in heads)
    return f'<pair id="R05-901-{number}" label="{label}"><t1>\n{quoted}</t1><t2>{statement}</t2></pair>'


def found(audit_of_split, check):
    """Level, count and ids of the only finding of a check; None where there is none."""
    findings = [finding for finding in audit_of_split.findings if finding.check == check]
    assert len(findings) <= 1
    return (findings[0].level, findings[0].count, findings[0].ids) if findings else None


def message(audit_of_split, check):
    (only,) = (finding.message for finding in audit_of_split.findings if finding.check == check)
    return only


THREE = {"900001": "Query one.", "900002": "Case two.", "900003": "Case three."}
GOLD = {"900001.txt": ["900002.txt"]}
TWO = {**GOLD, "900003": ["900002"]}
SAME = {**THREE, "900003": "Query one."}
SCORE = "changes your score"

# --- against the table -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("official", "check"),
    [
        ({"docs": Count(5, "M")}, "count-of-docs"),
        ({"docs": Count(5, "U")}, "differing-count"),
        ({"qrels": Count(1, "O")}, "count-of-qrels"),
        ({"qrels": Count(2, "M")}, None),  # distinct labels
        ({"qrels": Count(3, "M")}, None),  # names in the lists
        ({"docs": Count(3, "M"), "queries": Count(1, "R")}, None),
    ],
)
def test_counts_are_compared_with_the_official_ones(home, monkeypatch, official, check):
    monkeypatch.setattr(LocalRelease, "is_synthetic", False)
    write_task1(home, THREE, {"900001.txt": ["900002.txt", "900003.txt", "900002.txt"]})
    result = audit(replace(TEST, counts=official))
    assert result.counts == {"docs": 3, "queries": 1, "qrels": 2}
    assert [finding.check for finding in result.findings if "count" in finding.check] == ([check] if check else [])
    assert result.is_wrong == (check is not None and check.startswith("count-of"))


# --- what a local copy of task 1 or 2 can have -------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "labels", "check", "expected"),
    [
        (THREE, {"900001": ["900002", "900009", "900009"]}, "gold-without-document", ("wrong", 1, ("900001 900009",))),
        (THREE, {**GOLD, "900008": ["900003"]}, "gold-without-query", ("wrong", 1, ("900008",))),
        (THREE, {"900001": ["900001", "900002"]}, "self-citation", (SCORE, 1, ("900001",))),
        (THREE, {**GOLD, "900003": []}, "query-without-gold", (SCORE, 1, ("900003",))),
        (THREE, {"900001": ["900002", "900002.txt"]}, "repeated-gold", (SCORE, 1, ("900001",))),
        (THREE, None, "missing-file", ("wrong", 1, ("task1_test_labels_2025.json",))),
        (THREE, ["900001.txt"], "no-labels", ("information", 1, ())),
        (THREE, {"900001.txt": []}, "no-labels", ("information", 1, ())),
        ({**THREE, "900003": "caf\ufffd"}, GOLD, "undecodable-bytes", ("wrong", 1, ("900003",))),
        ({**THREE, "900002": " \n"}, GOLD, "empty-text", (SCORE, 1, ("900002",))),
        ({**THREE, "900002 (1)": "Copy."}, GOLD, "misnamed-file", (SCORE, 1, ("900002 (1).txt",))),
        ({**THREE, "900003": "query ONE"}, TWO, "near-identical-queries", (SCORE, 2, ("900001", "900003"))),
        (SAME, TWO, "identical-queries", (SCORE, 2, ("900001", "900003"))),
        (SAME, TWO, "near-identical-queries", None),
    ],
)
def test_findings_in_a_local_copy_of_task_1(home, texts, labels, check, expected):
    write_task1(home, texts, labels)
    result = audit(TEST)
    assert found(result, check) == expected
    assert result.is_wrong == bool(expected and expected[0] == "wrong")


#: A text twice in the pool of a query, and once in that of another.
DOUBLED = {"901": {"001": "A"}, "902": {"001": "A", "002": "C", "003": "C"}}
OF_EACH = {"901": ["001.txt"], "902": ["002.txt"]}


@pytest.mark.parametrize(
    ("paragraphs", "labels", "check", "expected"),
    [
        ({"901": {"001": "A"}}, {"901": "001.txt, 007.txt"}, "gold-without-document", ("wrong", 1, ("901 901_007",))),
        ({"901": {"001": "A"}}, {"901": ["001.txt"], "902": ["001.txt"]}, "gold-without-query", ("wrong", 1, ("902",))),
        ({"901": {"001": "Fragment 901."}}, {"901": ["001.txt"]}, "fragment-is-paragraph", (SCORE, 1, ("901",))),
        ({"901": {"001": "A", "901": "B"}}, {"901": ["901.txt"]}, "self-citation", None),
        ({"901": {"001": "A", "003": "B"}}, {"901": ["001.txt"]}, "skipped-paragraph", (SCORE, 1, ("901 002",))),
        (DOUBLED, OF_EACH, "gold-with-unlabelled-duplicate", (SCORE, 1, ("902 902_002",))),
    ],
)
def test_findings_in_a_local_copy_of_task_2(home, paragraphs, labels, check, expected):
    put_task2(home, paragraphs, labels)
    assert found(audit(TASK2), check) == expected


def test_a_case_without_base_case_is_wrong(home):
    put_task2(home, {"901": {"001": "A"}, "902": {"001": "A"}}, {"901": ["001.txt"]})
    (home / "task2_train_files_2025" / "902" / "base_case.txt").unlink()
    assert found(audit(TASK2), "missing-base-case") == ("wrong", 1, ("902",))


# --- damaged files ---------------------------------------------------------------------------------

CONFLICT = b"One.\n<<<<<<< HEAD\nTwo.\n=======\nThree.\n>>>>>>> other\n"
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 7\n"
NUL = "files with NUL bytes, as after a power failure or in UTF-16"
DAMAGE = {
    "conflict": (CONFLICT, "files with a conflict marker of Git: 1 ({}, line 2)"),
    "pointer": (POINTER, "pointers of Git LFS in place of the files: 1 ({}, line 1)"),
    "NUL": (b"One.\n\nTwo\0\0\0", f"{NUL}: 1 ({{}}, line 3)"),
    "Latin 1": (b"One.\ncaf\xe9", "files that are not UTF-8: 1 ({}, line 2)"),
}
KINDS = {
    "decision": (TEST, "task1_test_files_2025/900002.txt"),
    "labels": (TEST, "task1_test_labels_2025.json"),
    "base case": (TASK2, "task2_train_files_2025/901/base_case.txt"),
    "civil code": (TASK3, "civil_code_en-1to724-2.txt"),
    "questions": (TASK4, "riteval_R05_en.xml"),
}


@pytest.fixture
def whole(home):
    write_task1(home, THREE, GOLD)
    put_task2(home, {"901": {"001": "A"}}, {"901": ["001.txt"]})
    put_statutes(home, [pair(1, [1])])
    return home


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_of_any_kind_is_wrong_and_named_with_the_line(whole, kind, damage):
    split, name = KINDS[kind]
    assert not audit(split).is_wrong
    content, expected = DAMAGE[damage]
    (whole / name).write_bytes(content)
    result = audit(split)
    assert message(result, "damaged-file") == expected.format((whole / name).name)
    assert result.is_wrong
    assert found(result, "unreadable-file") is None


# --- labels alone ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("labels", "wrong"), [(json.dumps(GOLD), []), ("{", ["unreadable-file"])])
def test_labels_without_documents_are_audited_alone(home, labels, wrong):
    (home / "task1_test_labels_2025.json").write_text(labels)
    result = audit(TEST)
    assert [finding.check for finding in result.by_level["wrong"]] == wrong
    if not wrong:
        assert result.counts == {"queries": 1, "qrels": 1}
        assert {finding.check for finding in result.findings} == {"documents-missing", "noticed-cases"}


# --- warnings of readers ---------------------------------------------------------------------------


def test_all_warnings_about_a_file_are_reported_also_those_that_a_reader_does_not_show(home):
    put_statutes(home, [pair(1, [1])] + [pair(1, [1])] * 12)
    findings = [finding for finding in audit(TASK3).findings if finding.check == "warning-of-reader"]
    texts = [text for finding in findings for text in finding.ids or (finding.message,)]
    assert sum(finding.count for finding in findings) == len(texts) == 12
    assert all("question R05-901-1 is repeated" in text for text in texts)


# --- the other split --------------------------------------------------------------------------------


def test_queries_known_from_the_other_split_are_reported(home):
    texts = {"900001": "Query a.", "900002": "Case b.", "900003": "Case c.", "900004": "Query d."}
    write_task1(home, texts, {"900001.txt": ["900002.txt"], "900004.txt": ["900003.txt"]})
    texts = {"900001": "Query A.", "900012": "Case b.", "900014": "Query d.", "900015": "Query a."}
    write_task1(home, texts, {"900014.txt": ["900012.txt"]}, "train")
    result = audit(TEST)
    assert found(result, "query-is-document-of-other-split") == (SCORE, 2, ("900001", "900004"))
    assert found(result, "query-in-other-split") == (SCORE, 1, ("900004",))
    assert found(result, "id-of-another-text") == ("information", 1, ("900001",))
    assert found(audit(TRAIN), "query-in-other-split") == (SCORE, 1, ("900014",))


def test_another_part_that_is_missing_or_damaged_is_reported_and_its_findings_are_its_own(home):
    write_task1(home, THREE, GOLD)
    assert "not in the data folder" in message(audit(TEST), "other-split-not-compared")
    write_task1(home, {"900004": "Four."}, "{", "train")
    result = audit(TEST)
    assert "task1_train_labels_2025.json" in message(result, "other-split-not-compared")
    assert not result.is_wrong
    assert audit(TRAIN).is_wrong


# --- statutes ----------------------------------------------------------------------------


def test_questions_without_gold_and_gold_that_is_not_in_the_civil_code_are_reported(home):
    statements = ["One.", "Two.", "Three.", "One.", " "]
    heads = [[1, 7], [], [2], [2], [1]]
    put_statutes(home, [pair(n, *given) for n, given in enumerate(zip(heads, ["Y", "Y", "", "N", "N"], statements), 1)])
    result = audit(TASK3)
    assert result.counts == {"docs": 2, "queries": 5, "qrels": 5}
    assert found(result, "gold-without-article") == (SCORE, 1, ("R05-901-1 7",))
    assert found(result, "query-without-gold") == (SCORE, 1, ("R05-901-2",))
    assert found(result, "identical-queries") == (SCORE, 2, ("R05-901-1", "R05-901-4"))
    assert found(result, "empty-text") == (SCORE, 1, ("R05-901-5",))
    assert found(audit(TASK4), "query-without-gold") == (SCORE, 1, ("R05-901-3",))


# --- any dataset -----------------------------------------------------------------------------------


class ReleaseInMemory(LocalRelease):
    """A release of given texts by id and given pairs of query and document, for a split without another one."""

    missing = ()
    files = {}

    def __init__(self, docs, queries, gold, pools=None):
        super().__init__(TASK3, [])
        self.documents = lambda: [GenericDoc(*doc) for doc in docs]
        self.queries = lambda full=False: [GenericQuery(*query) for query in queries]
        self.qrels = lambda: [GenericQrel(query, doc, 1) for query, doc in gold]
        self.candidates = lambda: pools


texts = st.sampled_from(["lamp", "Lamp.", "gate", "gate", "GATE!", "key", "...", ""])
toys = st.tuples(
    st.lists(texts, min_size=1, max_size=8), st.lists(st.tuples(st.integers(0, 2), st.integers(0, 7)), max_size=8)
)


@settings(max_examples=80)
@given(toys, st.none() | st.sets(st.tuples(st.integers(0, 2), st.integers(0, 7))))
def test_groups_and_duplicates_are_those_that_comparing_all_pairs_finds(toy, pooled):
    contents, labels = toy
    docs = [(str(n), text) for n, text in enumerate(contents)]
    gold = dict.fromkeys((f"q{q}", str(d)) for q, d in labels if d < len(docs))
    pools = None if pooled is None else [(f"q{q}", str(d)) for q, d in pooled]
    copies = {(one, other) for one, text in docs for other, other_text in docs if one != other and text == other_text}
    # query, gold document, and another one with its text
    found_twice = [(query, doc, other) for query, doc in gold for one, other in copies if one == doc]
    in_pool = [row for row in found_twice if pools is None or (row[0], row[2]) in pools]
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("COLIEE_HOME", "")
        result = audit(ReleaseInMemory(docs, [("q0", "Q"), ("q1", "R"), ("q2", "S")], gold, pools))
    expected = {
        "gold-with-duplicate": {f"{q} {d}" for q, d, _ in in_pool},
        "gold-with-unlabelled-duplicate": {f"{q} {d}" for q, d, other in in_pool if (q, other) not in gold},
        "gold-repeats-text": {q for q, _, other in found_twice if (q, other) in gold},
    }
    for check, ids in expected.items():
        _, number, found_ids = found(result, check) or ("", 0, ())
        assert (number, {*found_ids}) == (len(ids), ids)


#: The check that finds an irregularity.
FOUND_BY = {
    # labels
    "query of both splits": "query-in-other-split",
    "name of another text in train": "id-of-another-text",
    "repeated gold": "repeated-gold",
    "gold without a file": "gold-without-document",
    "self-citation": "self-citation",
    "repeated key": "warning-of-reader",
    "no answer element": "query-without-gold",
    "empty answer element": "query-without-gold",
    # files
    "not UTF-8": "undecodable-bytes",
    # questions
    "article not in the code": "gold-without-article",
    "no article": "query-without-gold",
    "label neither Y nor N": "query-without-gold",
    "question given twice": "warning-of-reader",
    "test without labels": "no-labels",
}

#: Planted in the train split and in the test split, and told by an id.
IN_BOTH_PARTS = {"no answer element", "empty answer element"}


def audits(name):
    """The findings of the train splits and of the test splits, of all tasks of a release."""
    ids = ids_of_release(name)
    return {
        part: [finding for split in ids if split.endswith(f"/{part}") for finding in audit(split).findings]
        for part in ("train", "test")
    }


def part_of(irregularity, position, place):
    """Train or test: where an irregularity lies."""
    if "/" in place:
        return "test" if re.search("(?i)test", place.partition("/")[0]) else "train"
    return "test" if irregularity == "test without labels" or (irregularity in IN_BOTH_PARTS and position) else "train"


def id_of(place):
    """The id of the document of a file, by its place; an id as it is."""
    *_, case, _, name = ["", "", *place.split("/")]
    stem = name.removesuffix(".txt")
    return f"{case}_{stem}" if "/paragraphs/" in place else stem


def is_found(finding, irregularity, place):
    if finding.check != FOUND_BY[irregularity]:
        return False
    if finding.check == "warning-of-reader":
        return place in finding.message
    return finding.check == "no-labels" or any(id_of(place) in found.split() for found in finding.ids)


@pytest.mark.parametrize("release", releases("irregular"))
def test_each_irregularity_is_found_in_its_split(fixture_home, release):
    fixture_home(release)
    findings = audits(release)
    planted = [
        (irregularity, place, part_of(irregularity, position, place))
        for irregularity, places in irregularities(release).items()
        for position, place in enumerate(places)
        if irregularity in FOUND_BY
    ]
    assert [
        (irregularity, place)
        for irregularity, place, part in planted
        if not any(is_found(finding, irregularity, place) for finding in findings[part])
    ] == []


@pytest.mark.parametrize("release", releases("plain"))
def test_without_irregularities_an_audit_finds_nothing(fixture_home, release):
    fixture_home(release, irregular=False)
    findings = [finding for of_part in audits(release).values() for finding in of_part]
    found = {finding.check for finding in findings if "though its name has no year" not in finding.message}
    same = {"identical-queries"} if release.startswith("pilot") else set()  # instances may have the same facts
    assert found <= {"noticed-cases", "differing-count"} | same
