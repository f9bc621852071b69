"""Audits of synthetic local copies find what was planted, and nothing else."""

import json
import re
import shutil
import warnings
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_datasets.formats import GenericDoc, GenericQrel, GenericQuery

from ir_coliee.editions import SPLITS, Count
from ir_coliee.errors import ColieeWarning, MissingReleaseError, UnknownIdError
from ir_coliee.releases import cases as case_gold
from ir_coliee.releases import statutes
from ir_coliee.releases.audit import audit, normalised_text
from ir_coliee.releases.files import CHECKS, DiskFolder
from ir_coliee.releases.release import LocalRelease

TEST = replace(SPLITS["coliee/task1/2025/test"], counts={})
TRAIN = replace(SPLITS["coliee/task1/2025/train"], counts={})
TASK2 = replace(SPLITS["coliee/task2/2025/train"], counts={})
TASK3 = replace(SPLITS["coliee/task3/2025/en/r05"], counts={})
TASK4 = replace(SPLITS["coliee/task4/2025/en/r05"], counts={})
PREDICTION = replace(SPLITS["coliee/pilot/2025/prediction/train"], counts={})
RATIONALE = replace(SPLITS["coliee/pilot/2025/rationale/train"], counts={})


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    return tmp_path


def put_task1(home, texts, labels, split="test"):
    corpus = home / f"task1_{split}_files_2025"
    corpus.mkdir()
    for number, text in texts.items():
        (corpus / f"{number}.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
    if labels is not None:
        written = labels if isinstance(labels, str) else json.dumps(labels)
        (home / f"task1_{split}_labels_2025.json").write_text(written)


def put_task2(home, paragraphs, labels):
    for case, texts in paragraphs.items():
        folder = home / "task2_train_files_2025" / case
        (folder / "paragraphs").mkdir(parents=True)
        (folder / "base_case.txt").write_text(f"Base case {case}.")
        (folder / "entailed_fragment.txt").write_text(f"Fragment {case}.")
        for number, text in texts.items():
            (folder / "paragraphs" / f"{number}.txt").write_text(text)
    (home / "task2_train_labels_2025.json").write_text(json.dumps(labels))


def put_statutes(home, pairs):
    (home / "civil_code_en-1to724-2.txt").write_text(
        "Civil Code\nPart I Lamps\n(Lamps)\nArticle 1 A lamp is lit.\n(Gates)\nArticle 2 A gate is shut.\n"
    )
    (home / "riteval_R05_en.xml").write_bytes(b"<dataset>" + b"".join(pairs) + b"</dataset>")


def pair(number, heads, label="Y", statement=b"A lamp."):
    quoted = b"".join(b"Article %d\nQuoted.\n" % head for head in heads)
    return b'<pair id="H98-901-%d" label="%s"><t1>\n%s</t1><t2>%s</t2></pair>' % (
        number,
        label.encode(),
        quoted,
        statement,
    )


def put_torts(home, instances):
    lines = [
        {
            "version": "train001.jsonl",
            "tort_id": tort_id,
            "undisputed_facts": [],
            "plaintiff_claims": [
                {"id": str(n), "description": text, "is_accepted": label} for n, (text, label) in enumerate(claims)
            ],
            "defendant_claims": [],
            "court_decision": decision,
        }
        for tort_id, claims, decision in instances
    ]
    (home / "train001.jsonl").write_text("\n".join(map(json.dumps, lines)))


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

# --- the whole -------------------------------------------------------------------------------------


def test_a_local_copy_of_official_size_does_not_differ(home):
    put_task1(home, THREE, GOLD)
    result = audit(replace(TEST, counts={name: Count(n, "M") for name, n in result_counts(3, 1, 1).items()}))
    assert result.counts == result_counts(3, 1, 1)
    assert not result.is_wrong
    of_texts = {"no-first-mark", "no-end-mark"}
    about_others = {"query-is-document", "other-split-not-compared", "unnamed-document"}
    assert {finding.check for finding in result.findings} == of_texts | about_others
    assert {finding.level for finding in result.findings} == {"curious"}


def result_counts(docs, queries, qrels):
    return {"docs": docs, "queries": queries, "qrels": qrels}


@pytest.mark.parametrize(
    "split", [split for split in SPLITS.values() if split.edition == "sample"], ids=lambda split: split.id
)
def test_the_built_in_edition_agrees_with_its_table(split):
    assert audit(split).by_level["wrong"] == []


def test_the_most_serious_findings_come_first(home):
    put_task1(home, {**THREE, "900004": "Case two."}, {"900001.txt": ["900002.txt", "900009.txt"]})
    result = audit(TEST)
    levels = [finding.level for finding in result.findings]
    assert result.is_wrong
    assert [*dict.fromkeys(levels)] == ["wrong", "changes your score", "curious"] == [*result.by_level]
    assert levels == [finding.level for findings in result.by_level.values() for finding in findings]


def test_each_check_has_an_advice_of_one_sentence():
    for name, check in CHECKS.items():
        assert check.advice.endswith("."), name
        assert ". " not in check.advice, name


@pytest.mark.parametrize(
    ("split", "name"),
    [(TEST, "task1_test_labels_2025.json"), (TASK2, "task2_train_labels_2025.json")],
)
def test_a_missing_label_file_is_wrong(home, split, name):
    if split is TEST:
        put_task1(home, THREE, None)
    else:
        put_task2(home, {"901": {"001": "A"}}, {})
        (home / name).unlink()
    result = audit(split)
    assert found(result, "missing-file") == ("wrong", 1, (name,))
    assert found(result, "no-labels") is None
    assert result.is_wrong


def test_a_split_can_be_given_by_its_id_and_by_that_of_a_view(home):
    put_task1(home, THREE, GOLD)
    by_row = audit(SPLITS[TEST.id])
    assert by_row.id == "coliee/task1/2025/test"
    assert audit(TEST.id) == audit(f"{TEST.id}/full") == by_row


def test_an_unknown_id_and_a_missing_local_copy_are_errors(home):
    with pytest.raises(UnknownIdError):
        audit("coliee/task1/1999/test")
    with pytest.raises(MissingReleaseError):
        audit(TEST)


def test_progress_is_shown_of_the_documents_of_each_split_that_is_read(home, monkeypatch):
    put_task1(home, THREE, GOLD)
    put_task1(home, {"900004": "Four.", "900005": "Five."}, {"900004.txt": ["900005.txt"]}, "train")
    loops = []
    monkeypatch.setattr(
        "ir_coliee.releases.audit.progress",
        lambda documents, name, **options: loops.append((name, options)) or documents,
    )
    audit(TEST, verbose=True)
    options = {"unit": "documents", "verbose": True}
    assert loops == [
        ("reading coliee/task1/2025/test", {"total": 3, **options}),
        ("reading coliee/task1/2025/train", {"total": 2, **options}),
    ]


# --- against the table -----------------------------------------------------------------------------


@pytest.fixture
def real(monkeypatch):
    """Fictional data that are taken for real ones."""
    monkeypatch.setattr(LocalRelease, "is_synthetic", False)


def test_a_count_that_is_not_the_tables_is_wrong(home, real):
    put_task1(home, THREE, GOLD)
    result = audit(replace(TEST, counts={"docs": Count(5, "M"), "queries": Count(1, "R"), "qrels": Count(3, "O")}))
    assert found(result, "count-of-docs") == ("wrong", 2, ())
    assert found(result, "count-of-qrels") == ("wrong", 2, ())
    assert found(result, "count-of-queries") is None
    assert message(result, "count-of-docs") == "docs: 3 in the local copy, official count 5"


def test_a_count_of_synthetic_data_is_curious(home):
    put_task1(home, THREE, GOLD)
    result = audit(replace(TEST, counts={"docs": Count(5, "M")}))
    told = "docs: 3 in the local copy, official count 5; the data are synthetic"
    assert message(result, "differing-count-of-docs") == told
    assert not result.is_wrong


@pytest.mark.parametrize("certainty", ["D", "C", "U"])
def test_a_count_that_the_table_is_not_certain_of_is_curious(home, real, certainty):
    put_task1(home, THREE, GOLD)
    result = audit(replace(TEST, counts={"docs": Count(5, certainty)}))
    assert found(result, "differing-count-of-docs") == ("curious", 2, ())
    assert "not certain" in message(result, "differing-count-of-docs")
    assert not result.is_wrong


@pytest.mark.parametrize(("official", "is_wrong"), [(1, True), (2, False), (3, False), (4, True)])
def test_the_official_number_of_labels_may_count_repeated_names(home, real, official, is_wrong):
    put_task1(home, THREE, {"900001.txt": ["900002.txt", "900003.txt", "900002.txt"]})
    assert audit(replace(TEST, counts={"qrels": Count(official, "M")})).is_wrong == is_wrong


# --- labels ----------------------------------------------------------------------------------------


def test_gold_that_names_no_document_is_found(home):
    put_task1(home, THREE, {"900001.txt": ["900002.txt", "900009.txt", "900009.txt", "900008.txt"]})
    assert found(audit(TEST), "gold-without-document") == ("wrong", 2, ("900001 900009", "900001 900008"))


def test_a_query_that_names_itself_is_found(home):
    put_task1(home, THREE, {"900001.txt": ["900001.txt", "900002.txt"]})
    result = audit(TEST)
    assert found(result, "self-citation") == ("changes your score", 1, ("900001",))
    assert message(result, "self-citation") == "queries whose gold names themselves: 1 (900001)"
    assert found(result, "gold-is-query") is None
    assert result.counts["qrels"] == 1


def test_what_has_a_check_of_its_own_is_no_warning_too(home):
    put_task1(home, THREE, {"900001.txt": ["900001.txt", "900002.txt", "900009.txt"]})
    result = audit(TEST)
    assert found(result, "gold-without-document") == ("wrong", 1, ("900001 900009",))
    assert found(result, "self-citation") == ("changes your score", 1, ("900001",))
    assert found(result, "warning-of-reader") is None


def test_what_a_reader_of_labels_warns_of_is_reported_once(home):
    put_task1(home, THREE, {"900001.txt": ["900002.txt", "900009.txt"], "900008.txt": ["900002.txt"]})
    (warning,) = (finding for finding in audit(TEST).findings if finding.check == "warning-of-reader")
    assert "900008" in warning.message


def test_documents_that_are_neither_query_nor_gold_are_reported_of_the_flat_layout(home):
    put_task1(home, {**THREE, "900004": "Four."}, GOLD)
    assert found(audit(TEST), "unnamed-document") == ("curious", 2, ("900003", "900004"))
    put_task2(home, {"901": {"001": "A", "002": "B"}}, {"901": ["001.txt"]})
    assert found(audit(TASK2), "unnamed-document") is None


def test_a_gold_paragraph_of_the_number_of_its_case_is_reported(home):
    texts = {"001": "A", "901": "B", "902": "C"}
    put_task2(home, {"901": texts, "902": texts, "903": texts}, {"901": ["0901.txt"], "902": ["901.txt"], "903": []})
    result = audit(TASK2)
    assert found(result, "gold-of-own-number") == ("curious", 1, ("901 901_901",))
    assert found(result, "self-citation") is None


def test_a_query_without_gold_beside_others_is_found(home):
    put_task1(home, THREE, {**GOLD, "900003.txt": []})
    assert found(audit(TEST), "query-without-gold") == ("changes your score", 1, ("900003",))


def test_a_name_repeated_in_a_gold_list_is_reported_and_counts_once(home):
    put_task1(home, THREE, {"900001.txt": ["900002.txt", "900003.txt", "900002.txt"], "900003.txt": ["900002.txt"]})
    result = audit(TEST)
    assert found(result, "repeated-gold") == ("changes your score", 1, ("900001",))
    assert result.counts["qrels"] == 3
    assert not result.is_wrong


def test_gold_that_is_a_query_itself_is_reported(home):
    put_task1(home, THREE, {"900001.txt": ["900002.txt"], "900003.txt": ["900002.txt", "900001.txt"]})
    assert found(audit(TEST), "gold-is-query") == ("curious", 1, ("900003 900001",))


@pytest.mark.parametrize("labels", [["900001.txt"], {"900001.txt": []}])
def test_labels_that_are_not_published_are_reported_and_are_not_counted(home, labels):
    put_task1(home, THREE, labels)
    result = audit(replace(TEST, counts={name: Count(n, "M") for name, n in result_counts(3, 1, 7).items()}))
    assert found(result, "no-labels") == ("curious", 1, ())
    assert result.counts == {"docs": 3, "queries": 1}
    assert found(result, "query-without-gold") is None
    assert not result.is_wrong


def test_a_query_of_the_labels_without_a_text_is_wrong(home):
    put_task1(home, THREE, {**GOLD, "900008.txt": ["900003.txt"]})
    assert found(audit(TEST), "gold-without-query") == ("wrong", 1, ("900008",))
    put_task2(home, {"901": {"001": "A"}}, {"901": ["001.txt"], "902": ["001.txt"]})
    assert found(audit(TASK2), "gold-without-query") == ("wrong", 1, ("902",))


# --- readers ---------------------------------------------------------------------------------------


def test_bytes_that_cannot_be_decoded_are_reported_by_document_and_by_file(home):
    put_task1(home, {**THREE, "900001": b"caf\xe9"}, GOLD)  # a query, which is read as a document too
    result = audit(TEST)
    assert found(result, "undecodable-bytes") == ("wrong", 1, ("900001",))
    assert "900001.txt" in message(result, "warning-of-reader")


def test_what_a_reader_warns_of_is_reported_each_warning_once_and_warns_no_further(home):
    put_task1(home, THREE, '{"900001.txt": ["900002.txt"], "900001.txt": ["900003.txt"]}')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = audit(TEST)
    assert found(result, "warning-of-reader") == ("changes your score", 1, ())
    assert re.search(r"task1_test_labels_2025\.json.*900001", message(result, "warning-of-reader"))


def test_all_warnings_about_a_file_are_reported_also_those_that_a_reader_does_not_show(home):
    put_statutes(home, [pair(1, [1])] + [pair(1, [1])] * 12)
    findings = [finding for finding in audit(TASK3).findings if finding.check == "warning-of-reader"]
    assert sum(finding.count for finding in findings) == 12
    texts = [text for finding in findings for text in finding.ids or (finding.message,)]
    assert len(texts) == 12
    assert all("question H98-901-1 is repeated" in text for text in texts)


def test_other_warnings_are_passed_on(home, monkeypatch):
    put_task1(home, THREE, GOLD)
    given = case_gold.written_gold

    def written_gold(release):
        warnings.warn("out of fashion", DeprecationWarning, stacklevel=1)
        return given(release)

    monkeypatch.setattr(case_gold, "written_gold", written_gold)
    with pytest.warns(DeprecationWarning, match="out of fashion"):
        assert found(audit(TEST), "warning-of-reader") is None


def test_a_split_that_was_loaded_before_is_audited_as_if_it_was_not(home):
    put_statutes(home, [pair(1, [1]), pair(2, [2], statement=b"caf\xe9")])
    with pytest.warns(ColieeWarning, match="UTF-8"):
        statutes.questions(LocalRelease.open(TASK3))
    assert found(audit(TASK3), "warning-of-reader") is not None
    with pytest.warns(ColieeWarning, match="UTF-8"):
        statutes.questions(LocalRelease.open(TASK3))


# --- texts -----------------------------------------------------------------------------------------


def test_identical_documents_are_reported_whatever_their_line_ends(home):
    texts = {"900001": "Query.", "900002": "A\nB", "900003": "A\r\nB", "900004": "C", "900005": "C", "900006": "A B"}
    put_task1(home, texts, GOLD)
    result = audit(TEST)
    assert found(result, "identical-documents") == ("curious", 4, ("900002", "900003", "900004", "900005"))
    assert "2 different texts" in message(result, "identical-documents")
    assert not result.is_wrong


def test_near_identical_documents_differ_in_case_and_signs_alone(home):
    texts = {"900001": "Query.", "900002": "[1] The Lamp.", "900003": "[1]\nthe lamp", "900004": "[1]\nthe lamps"}
    put_task1(home, {**texts, "900005": "[1]\nthe lamps"}, GOLD)
    result = audit(TEST)
    assert found(result, "near-identical-documents") == ("curious", 2, ("900002", "900003"))
    assert found(result, "identical-documents") == ("curious", 2, ("900004", "900005"))


def test_documents_without_a_word_are_not_near_identical(home):
    put_task1(home, {"900001": "Query.", "900002": "...", "900003": "---"}, GOLD)
    assert found(audit(TEST), "near-identical-documents") is None


def test_gold_with_identical_copies_is_recognised_by_whether_they_are_gold_too(home):
    texts = {"900001": "Query.", "900002": "A", "900003": "A", "900004": "B", "900005": "B", "900006": "C"}
    put_task1(home, {**texts, "900007": "Another."}, {"900001.txt": ["900002", "900003", "900004", "900006"]})
    result = audit(TEST)
    assert found(result, "gold-with-duplicate") == (
        "changes your score",
        3,
        ("900001 900002", "900001 900003", "900001 900004"),
    )
    assert found(result, "gold-with-unlabelled-duplicate") == ("changes your score", 1, ("900001 900004",))
    assert found(result, "gold-repeats-text") == ("changes your score", 1, ("900001",))


def test_gold_of_another_query_is_an_unlabelled_copy(home):
    texts = {"900001": "Query.", "900002": "A", "900003": "A", "900004": "Another query."}
    put_task1(home, texts, {"900001.txt": ["900002.txt"], "900004.txt": ["900003.txt"]})
    assert found(audit(TEST), "gold-with-unlabelled-duplicate") == (
        "changes your score",
        2,
        ("900001 900002", "900004 900003"),
    )


def test_a_duplicate_in_another_case_is_no_duplicate_of_the_gold(home):
    put_task2(
        home,
        {"901": {"001": "A", "002": "B"}, "902": {"001": "A", "002": "C", "003": "C"}},
        {"901": ["001.txt"], "902": ["002.txt"]},
    )
    result = audit(TASK2)
    assert found(result, "identical-documents") == ("curious", 4, ("901_001", "902_001", "902_002", "902_003"))
    assert found(result, "gold-with-duplicate") == ("changes your score", 1, ("902 902_002",))
    assert found(result, "gold-with-unlabelled-duplicate") == ("changes your score", 1, ("902 902_002",))
    assert found(result, "null-label") is None  # what is not gold is known to be none
    assert not result.is_wrong


def test_gold_of_a_case_that_names_no_paragraph_is_found(home):
    put_task2(home, {"901": {"001": "A"}}, {"901": "001.txt, 007.txt"})
    assert found(audit(TASK2), "gold-without-document") == ("wrong", 1, ("901 901_007",))


# --- what is peculiar in the files ---


def test_features_of_texts_are_reported_with_the_ids_of_the_documents(home):
    usual = "[1]\nA lamp.\n[End of document]"
    texts = {"900001": usual, "900002": usual.replace("\n", "\r\n"), "900003": f"{usual}\u00a0", "900004": "[1]"}
    put_task1(home, texts, GOLD)
    result = audit(TEST)
    assert found(result, "crlf") == ("curious", 1, ("900002",))
    assert found(result, "no-break-space") == ("curious", 1, ("900003",))
    assert found(result, "no-end-mark") == ("curious", 1, ("900004",))
    assert message(result, "no-end-mark") == "decisions without [End of document]: 1 (900004)"
    assert found(result, "no-first-mark") is None
    assert not result.is_wrong


def test_features_of_paragraphs_and_of_fragments_are_distinguished(home):
    put_task2(home, {"901": {"001": "[1]\nA\nB", "002": "[3]\nB"}, "902": {"003": "[3]\nC"}}, {"901": ["001.txt"]})
    (home / "task2_train_files_2025" / "902" / "entailed_fragment.txt").write_text("\nFragment\nof two lines.\n")
    result = audit(TASK2)
    assert found(result, "mark-unlike-name") == ("curious", 1, ("901_002",))
    assert found(result, "several-lines") == ("curious", 1, ("902",))


def test_the_features_of_the_other_split_are_its_own(home):
    put_task1(home, {"900001": "[1]\nOne.\n[End of document]"}, {"900001.txt": ["900002.txt"]})
    put_task1(home, {"900011": "No mark."}, {"900011.txt": ["900012.txt"]}, "train")
    assert found(audit(TEST), "no-first-mark") is None
    assert found(audit(TRAIN), "no-first-mark") == ("curious", 1, ("900011",))


def test_a_document_is_read_once(home, monkeypatch):
    put_task1(home, THREE, GOLD)
    read = Counter()

    def counted(folder, name, given=DiskFolder.read):
        read[name] += 1
        return given(folder, name)

    monkeypatch.setattr(DiskFolder, "read", counted)
    audit(TEST)
    assert (read["900002.txt"], read["900003.txt"]) == (1, 1)
    assert read["900001.txt"] == 2  # as a query too


def litter(corpus):
    """Names in a corpus folder that are no documents."""
    names = [
        ".DS_Store",
        "__MACOSX/._900001.txt",
        "905",
        "notes.pdf",
        "inner/900009.txt",
        "task1_test_labels_2024.json",
    ]
    for name in names:
        (corpus / name).parent.mkdir(exist_ok=True)
        (corpus / name).write_text("[]")
    return tuple(sorted(names))


@pytest.mark.parametrize("packed", [False, True])
def test_files_that_are_ignored_are_reported_but_the_labels_in_use_are_not(home, packed):
    put_task1(home, THREE, GOLD)
    corpus = home / "task1_test_files_2025"
    (home / "task1_test_labels_2025.json").rename(corpus / "task1_test_labels_2025.json")
    names = litter(corpus)
    if packed:
        shutil.make_archive(str(corpus), "zip", home, corpus.name)
        shutil.rmtree(corpus)
    result = audit(TEST)
    assert result.counts == result_counts(3, 1, 1)
    assert found(result, "ignored-file") == ("curious", len(names), names)


def test_files_beside_and_in_the_cases_that_are_not_read_are_reported(home):
    put_task2(home, {"901": {"001": "A"}, "902": {"001": "B"}}, {"901": ["001.txt"], "902": ["001.txt"]})
    assert found(audit(TASK2), "ignored-file") is None
    names = litter(home / "task2_train_files_2025")
    hidden = home / "task2_train_files_2025" / "901" / ".DS_Store"
    hidden.write_text("")
    (hidden.parent / "entailing_paragraphs.txt").write_text("001\n")  # since 2020 the label file alone is read
    names = [*names, "901/.DS_Store", "901/entailing_paragraphs.txt"]
    assert found(audit(TASK2), "ignored-file") == ("curious", len(names), tuple(sorted(names)))


# --- the other split --------------------------------------------------------------------------------


def test_texts_known_from_the_other_split_are_reported(home):
    put_task1(
        home,
        {"900001": "Query a.", "900002": "Case b.", "900003": "Case c.", "900004": "Query d.", "900005": "Case b."},
        {"900001.txt": ["900002.txt"], "900004.txt": ["900003.txt"]},
    )
    put_task1(
        home,
        {"900001": "Query A.", "900012": "Case b.", "900013": "CASE C", "900014": "Query d.", "900015": "Query a."},
        {"900014.txt": ["900012.txt"]},
        "train",
    )
    result = audit(TEST)
    assert found(result, "document-in-other-split") == ("curious", 4, ("900001", "900002", "900004", "900005"))
    assert "(3 texts)" in message(result, "document-in-other-split")
    assert found(result, "near-identical-in-other-split") == ("curious", 1, ("900003",))
    assert found(result, "query-is-document-of-other-split") == ("changes your score", 2, ("900001", "900004"))
    assert found(result, "query-in-other-split") == ("changes your score", 1, ("900004",))
    assert not result.is_wrong
    assert found(audit(TRAIN), "query-in-other-split") == ("changes your score", 1, ("900014",))


def test_a_query_of_the_other_split_that_has_no_labels_there_is_not_known(home):
    put_task1(home, {"900001": "Query.", "900002": "Case."}, GOLD, "train")
    put_task1(home, {"900003": "Query.", "900004": "Else."}, ["900003.txt"])
    assert found(audit(TRAIN), "query-in-other-split") is None
    assert found(audit(TRAIN), "query-is-document-of-other-split") == ("changes your score", 1, ("900001",))


def test_one_name_of_two_texts_is_reported_in_both_splits_of_the_flat_layout(home):
    put_task1(home, {**THREE, "900004": "A\r\nB"}, GOLD)
    put_task1(home, {"900001": "Else.", "900002": "Case two.", "900004": "A\nB", "900005": "E"}, GOLD, "train")
    for split in (TEST, TRAIN):
        assert found(audit(split), "id-of-another-text") == ("curious", 1, ("900001",))


def test_documents_that_both_splits_share_are_not_known_from_the_other(home):
    corpus = home / "task1_files"
    corpus.mkdir()
    for number, text in THREE.items():
        (corpus / f"{number}.txt").write_text(text)
    (home / "train_labels.json").write_text(json.dumps(GOLD))
    (home / "task1_test_labels_2021.json").write_text('{"900001.txt": ["900003.txt"]}')
    result = audit(replace(SPLITS["coliee/task1/2021/test"], counts={}))
    assert found(result, "document-in-other-split") is None
    assert found(result, "query-is-document-of-other-split") is None
    assert found(result, "query-in-other-split") == ("changes your score", 1, ("900001",))


def test_findings_of_the_other_split_are_its_own(home):
    put_task1(home, THREE, GOLD)
    put_task1(home, {"900004": b"caf\xe9", "900005": "Five."}, {"900004.txt": ["900009.txt"]}, "train")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not audit(TEST).is_wrong
    assert audit(TRAIN).is_wrong


def test_another_part_that_is_missing_or_damaged_is_reported(home):
    put_task1(home, THREE, GOLD)
    assert "not in the data folder" in message(audit(TEST), "other-split-not-compared")
    put_task1(home, {"900004": "Four."}, "{", "train")
    result = audit(TEST)
    assert "task1_train_labels_2025.json" in message(result, "other-split-not-compared")
    assert not result.is_wrong


def test_an_exam_year_of_the_train_part_has_no_other_split(home):
    put_statutes(home, [pair(1, [1])])
    assert {finding.check for finding in audit(TASK3).findings} == {"quotation-differs"}


# --- statutes and torts ----------------------------------------------------------------------------


def test_questions_without_gold_and_gold_that_is_not_in_the_civil_code_are_reported(home):
    statements = [b"One.", b"Two.", b"Three.", b"One."]
    heads = [[1, 7], [], [2], [2]]
    put_statutes(home, [pair(n, *given) for n, given in enumerate(zip(heads, "YYNY", statements), start=1)])
    result = audit(TASK3)
    assert result.counts == result_counts(2, 4, 4)
    assert found(result, "gold-without-article") == ("changes your score", 1, ("H98-901-1 7",))
    assert found(result, "query-without-gold") == ("changes your score", 1, ("H98-901-2",))
    assert found(result, "identical-queries") == ("changes your score", 2, ("H98-901-1", "H98-901-4"))


def test_a_question_without_label_beside_others_is_found(home):
    put_statutes(home, [pair(1, [1]), pair(2, [2], label="", statement=b"A gate.")])
    assert found(audit(TASK4), "query-without-gold") == ("changes your score", 1, ("H98-901-2",))
    assert found(audit(TASK3), "query-without-gold") is None


@pytest.mark.parametrize("split", [TASK3, TASK4])
def test_articles_that_a_question_quotes_otherwise_are_reported(home, split):
    def quoting(number, quoted):
        return pair(number, [1]).replace(b"Article 1\nQuoted.", quoted)

    code = b"Article 1 A lamp\nis  lit.\n(Gates)\nArticle 2\nA gate is shut."
    put_statutes(home, [quoting(1, code), quoting(2, b"Article 1 A lamp"), quoting(3, b"Article 1 A key.")])
    result = audit(split)
    assert found(result, "quotation-shortened") == ("curious", 1, ("H98-901-2 1",))
    assert found(result, "quotation-differs") == ("curious", 1, ("H98-901-3 1",))
    assert not result.is_wrong


def test_a_question_without_a_civil_code_beside_it_is_not_compared(home):
    put_statutes(home, [pair(1, [1])])
    (home / "civil_code_en-1to724-2.txt").unlink()
    assert [finding.check for finding in audit(TASK4).findings] == ["missing-file"]


def test_what_we_quote_from_the_code_ourselves_is_not_compared(home):
    (home / "civil.xml").write_text(
        '<Articles><Article num="1"><caption/><text>第一条　灯は、灯す。</text></Article></Articles>'
    )
    (home / "simple_R06_jp.xml").write_text(
        '<dataset><pair id="H98-901-1" label="Y"><article>1</article><article>7</article><t2>灯。</t2></pair></dataset>'
    )
    result = audit(replace(SPLITS["coliee/task3/2026/ja/r06"], counts={}))
    assert found(result, "gold-without-article") == ("changes your score", 1, ("H98-901-1 7",))
    assert found(result, "quotation-differs") is None


def test_instances_that_lack_facts_or_the_claims_of_a_side_are_reported(home):
    put_torts(home, [("900000", [("Lamp.", True)], True), ("900001", [], False), ("900002", [("Key.", True)], True)])
    lines = (home / "train001.jsonl").read_text().splitlines()
    lines[2] = lines[2].replace('"undisputed_facts": []', '"undisputed_facts": [{"id": "0", "description": "A."}]')
    (home / "train001.jsonl").write_text("\n".join(lines))
    for split in (PREDICTION, RATIONALE):
        result = audit(split)
        assert found(result, "no-facts") == ("curious", 2, ("900000", "900001"))
        assert found(result, "no-claim-of-plaintiff") == ("curious", 1, ("900001",))
        assert found(result, "no-claim-of-defendant") == ("curious", 3, ("900000", "900001", "900002"))


def test_instances_without_true_claims_and_nulls_are_reported(home):
    put_torts(
        home,
        [
            ("900", [("Lamp.", True), ("Gate.", None)], True),
            ("901", [("Key.", False), ("Door.", False)], None),
            ("902", [], False),
        ],
    )
    result = audit(RATIONALE)
    assert found(result, "no-relevant-item") == ("curious", 2, ("901", "902"))
    assert found(result, "null-label") == ("curious", 1, ("900 900_p1",))
    assert result.counts == result_counts(4, 3, 3)
    assert not result.is_wrong
    assert found(audit(PREDICTION), "no-relevant-item") == ("curious", 1, ("901",))
    assert not audit(PREDICTION).is_wrong


# --- any dataset -----------------------------------------------------------------------------------


class ReleaseInMemory(LocalRelease):
    """A release of given texts by id and given pairs of query and document, for a split without another one."""

    def __init__(self, docs, queries, gold, pools=None):
        super().__init__(TASK3, [])
        self._documents = [GenericDoc(*doc) for doc in docs]
        self._queries = [GenericQuery(*query) for query in queries]
        self._qrels = [GenericQrel(query, doc, 1) for query, doc in gold]
        self._pools = pools

    missing = ()

    def documents(self):
        return self._documents

    def queries(self, full=False):
        return self._queries

    def qrels(self):
        return self._qrels

    def candidates(self):
        return self._pools


@pytest.fixture
def nothing(home, monkeypatch):
    return monkeypatch


def test_ids_given_more_than_once_are_reported(nothing):
    toy = ReleaseInMemory(
        [("1", "A"), ("2", "B"), ("1", "C")], [("q", "Q"), ("q", "R"), ("r", "S")], [("q", "1"), ("r", "2")]
    )
    result = audit(toy)
    assert found(result, "repeated-document-id") == ("wrong", 1, ("1",))
    assert found(result, "repeated-query-id") == ("wrong", 1, ("q",))


def test_gold_of_a_query_that_is_not_there_is_found(nothing):
    toy = ReleaseInMemory([("1", "A"), ("2", "B")], [("q", "Q")], [("q", "1"), ("r", "1"), ("r", "2")])
    assert found(audit(toy), "gold-without-query") == ("wrong", 1, ("r",))


def test_a_text_with_half_a_character_is_audited(nothing):
    result = audit(ReleaseInMemory([("1", "lamp \ud83d"), ("2", "Lamp\ud83d")], [("q", "Q")], [("q", "1")]))
    assert found(result, "near-identical-documents") == ("curious", 2, ("1", "2"))
    assert found(result, "identical-documents") is None


def test_line_ends_inside_of_a_record_do_not_count_either(nothing):
    result = audit(ReleaseInMemory([("1", "A\r\nB"), ("2", "A\nB")], [("q", "Q")], [("q", "1")]))
    assert found(result, "identical-documents") == ("curious", 2, ("1", "2"))


def test_all_ids_are_given_and_the_first_are_shown_safely(nothing):
    ids = ["1\n2", *(f"{n}" for n in range(100, 120))]
    toy = ReleaseInMemory([("1", "A")], [("q", "Q")], [("q", doc) for doc in ids])
    result = audit(toy)
    assert found(result, "gold-without-article") == ("changes your score", 21, tuple(f"q {doc}" for doc in ids))
    told = message(result, "gold-without-article")
    assert told.isprintable()
    assert told.endswith(", q 103 and 16 more)")


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
    same, akin = set(), set()
    for (one, text), (other, other_text) in combinations(docs, 2):
        if text == other_text:
            same |= {(one, other), (other, one)}
        elif bare(text) == bare(other_text) != "":
            akin |= {(one, other), (other, one)}
    alike = {one for one, _ in akin}
    copies = [
        (query, doc, other)
        for query, doc in gold
        for _, other in (p for p in same if p[0] == doc)
        if pools is None or (query, other) in pools
    ]
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("COLIEE_HOME", "")
        result = audit(ReleaseInMemory(docs, [("q0", "Q"), ("q1", "R"), ("q2", "S")], gold, pools))
    expected = {
        "identical-documents": {one for one, _ in same},
        "near-identical-documents": alike | {other for one, other in same if one in alike},
        "gold-with-duplicate": {f"{q} {d}" for q, d, _ in copies},
        "gold-with-unlabelled-duplicate": {f"{q} {d}" for q, d, other in copies if (q, other) not in gold},
        "gold-repeats-text": {q for q, d in gold for one, other in same if one == d and (q, other) in gold},
    }
    for check, ids in expected.items():
        finding = found(result, check)
        assert (finding[1] if finding else 0) == len(ids)
        assert set(finding[2] if finding else ()) == ids


def bare(text):
    return re.sub(r"\W", "", text.lower())


@given(st.text() | st.text(alphabet="aA1 .-_’\u00a0\u00ad\u0130ßé灯、　\n"))
def test_the_wording_is_the_lower_cased_text_without_what_is_no_word_character(text):
    assert normalised_text(text) == bare(text).encode()


# --- what is empty ---------------------------------------------------------------------------------


@pytest.mark.parametrize("nothing", [" \n", "\0\0", "\u200b", "\ufeff\ufeff", "-\u2029."])
def test_texts_without_a_letter_or_digit_are_reported_for_every_task_with_their_ids(home, nothing):
    put_task1(home, {**THREE, "900002": nothing}, GOLD)
    assert found(audit(TEST), "empty-text") == ("changes your score", 1, ("900002",))
    in_xml = nothing.replace("\0", ".").encode()
    put_statutes(home, [pair(1, [1]), pair(2, [2], statement=in_xml)])
    assert found(audit(TASK3), "empty-text") == ("changes your score", 1, ("H98-901-2",))
    assert found(audit(TASK3), "warning-of-reader") is None
