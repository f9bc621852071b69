"""Every irregularity planted in a synthetic release is found by the audit of its split."""

import re
import shutil

import pytest

from ir_coliee.editions import SPLITS
from ir_coliee.releases.audit import audit
from ir_coliee.synthetic import write_release
from ir_coliee.text.text_irregularities import (
    DECISION_IRREGULARITIES,
    FRAGMENT_IRREGULARITIES,
    PARAGRAPH_IRREGULARITIES,
)

pytestmark = pytest.mark.slow

TINY = 0.002

#: The check or checks, each sufficient, that find a irregularity.
FOUND_BY = {
    # labels
    "query that is noticed": {"gold-is-query"},
    "query of both splits": {"query-in-other-split"},
    "repeated gold": {"repeated-gold"},
    "gold without a file": {"gold-without-document"},
    "self-citation": {"self-citation"},
    "repeated key": {"warning-of-reader"},
    "no answer element": {"query-without-gold"},
    "empty answer element": {"query-without-gold"},
    "gold of the query's own number": {"gold-of-own-number"},
    "gold of the case's own number": {"gold-of-own-number"},
    # files
    "identical text that is not gold": {"identical-documents"},
    "LF twin of a CRLF text": {"identical-documents"},
    "near-identical text": {"near-identical-documents"},
    "file that no label names": {"unnamed-document"},
    "name of another text in train": {"id-of-another-text"},
    "not UTF-8": {"undecodable-bytes"},
    "unrelated files": {"ignored-file"},
    # decisions
    "CRLF": {"crlf"},
    "no-break space": {"no-break-space"},
    "soft hyphen": {"soft-hyphen"},
    "glued marks": {"glued-suppression"},
    "no first mark": {"no-first-mark"},
    "repeated mark": {"repeated-mark"},
    "French double": {"repeated-mark"},
    "skipped mark": {"skipped-mark"},
    "spaced marks": {"spaced-mark"},
    "text on the line of a mark": {"text-on-mark-line"},
    "translation": {"translation"},
    "bilingual notice": {"bilingual-notice"},
    "bilingual notice before a mark": {"bilingual-notice-before-suppression"},
    "bilingual notice alone": {"bilingual-notice-alone"},
    "headnote": {"headnote"},
    "no end mark": {"no-end-mark"},
    "blank lines": {"blank-line"},
    # paragraphs and fragments
    "mark unlike the file name": {"mark-unlike-name"},
    "spaced mark": {"spaced-mark"},
    "blank line before the mark": {"line-above-mark"},
    "mark without bracket": {"mark-without-bracket"},
    "no mark": {"no-mark"},
    "fragment of several lines": {"several-lines"},
    # questions
    "article not in the code": {"gold-without-article"},
    "no article": {"query-without-gold"},
    "label neither Y nor N": {"query-without-gold"},
    "question given twice": {"warning-of-reader"},
    "paragraphs missing": {"quotation-shortened"},
    "stray heading": {"quotation-differs"},
    # an article may have items of the same numbers, of which the text is then missing
    "empty items": {"quotation-differs", "quotation-shortened"},
    "test without labels": {"no-labels"},
    # tort instances
    "no facts": {"no-facts"},
    "no claim of the plaintiff": {"no-claim-of-plaintiff"},
    "no claim accepted": {"no-relevant-item"},
}

#: Ways of writing that lose nothing when they are read, and files that are not asked for.
NOT_TO_BE_FOUND = {
    "quotation marks": "entities are the characters that they stand for",
    "several lines": "the lines of a statement are joined",
    "trailing blanks": "blanks behind a tag are no text",
    "statement on the line of its tags": "line ends around a statement are no text",
    "single quotes": "XML has two kinds of quotation marks",
    "other characters": "UTF-8 has all characters",
    "head without its first character": "the number of an article can be read without it",
    "option before the statement": "it is in the statement as it was asked",
    "line like a head": "articles only rise, so the reader knows it for a reference",
    "wrapped caption": "the lines of a caption are joined",
    "caption with brackets": "brackets in a caption are split of it",
    "code with CRLF": "line ends of a code are no text",
    "file twice": "with the same bytes, it is read once",
    "example answers": "an example that lies beside the questions",
    "test without labels too": "the file with labels is read",
    "queries without gold": "the file with labels is read",
    "candidates from 000": "a candidate's number is a name",
    "nested folder": "the folder is found by its content",
    "nested folder named cases": "the folder is found by its content",
    "renamed label file": "the file is found by its content",
    "label file of the call": "both forms of the file are read",
    "first exam year as in the call": "both forms of the file are read",
    "first exam year with article tags": "both forms of the file are read",
    "derived files missing": "they are not needed",
    "byte order mark": "it is no text",
    "candidate without a file": "the folder says which candidates there are",
    "escaped characters": "JSON has two ways to write a character",
    "several lines and full-width digits": "a fact may have lines and any digits",
    "labels missing": "in copies of the file, each audited in its place below",
}

#: WrittenRelease in the train split and in the test split, and told by an id.
IN_BOTH_PARTS = {
    "gold of the case's own number",
    "fragment of several lines",
    "no answer element",
    "empty answer element",
    "no facts",
    "no claim of the plaintiff",
    "no claim accepted",
}


def release_of(split):
    """The id that all splits of a release have in common."""
    if split.exam_years:
        return f"coliee/task3/{split.edition}/{split.language}"
    return split.id.rpartition("/")[0].removesuffix("/prediction").removesuffix("/rationale")


EDITIONS = sorted({release_of(split) for split in SPLITS.values() if split.edition != "sample"})
PACKED = ["coliee/task1/2018", "coliee/task1/2020", "coliee/task1/2021", "coliee/task1/2025", "coliee/task2/2026"]


def audits(planted, folder, monkeypatch):
    """The findings of the train splits and of the test splits, of all tasks of a release."""
    monkeypatch.setenv("COLIEE_HOME", str(folder))
    names = {name: [split for split in planted.splits if split.endswith(f"/{name}")] for name in ("train", "test")}
    return {name: [finding for split in splits for finding in audit(split).findings] for name, splits in names.items()}


def part_of(irregularity, position, place):
    """Train or test: where a irregularity lies."""
    if "/" in place:
        return "test" if re.search("(?i)test", place.partition("/")[0]) else "train"
    return "test" if irregularity == "test without labels" or (irregularity in IN_BOTH_PARTS and position) else "train"


def id_of(place):
    """The id of the document of a file, by its place; an id as it is."""
    *_, case, _, name = ["", "", *place.split("/")]
    stem = name.removesuffix(".txt")
    return f"{case}_{stem}" if "/paragraphs/" in place else stem


def is_found(finding, irregularity, place):
    if finding.check == "warning-of-reader":
        return place in finding.message
    if irregularity == "test without labels":
        return True
    if irregularity == "unrelated files":
        return any(place.endswith(f"/{inner}") for inner in finding.ids)
    return any(id_of(place) in found.split() for found in finding.ids)


@pytest.mark.parametrize(
    ("edition", "archive"), [*((edition, False) for edition in EDITIONS), *((edition, True) for edition in PACKED)]
)
def test_every_planted_irregularity_is_found_in_its_split(tmp_path, monkeypatch, edition, archive):
    planted = write_release(edition, tmp_path, scale=TINY, irregularities=True, archive=archive)
    findings = audits(planted, tmp_path, monkeypatch)
    missed = [
        (irregularity, place)
        for irregularity, places in planted.irregularities.items()
        if irregularity not in NOT_TO_BE_FOUND
        for position, place in enumerate(places)
        if not any(
            is_found(finding, irregularity, place)
            for finding in findings[part_of(irregularity, position, place)]
            if finding.check in FOUND_BY[irregularity]
        )
    ]
    assert missed == []


def test_the_lists_of_irregularities_name_each_irregularity_once_and_no_other(tmp_path):
    known = set()
    for number, edition in enumerate(EDITIONS):
        known |= set(write_release(edition, tmp_path / str(number), scale=TINY, irregularities=True).irregularities)
    # a short code may have no article of the numbers at which these are planted
    assert known | {"wrapped caption", "caption with brackets", "line like a head"} == {*FOUND_BY, *NOT_TO_BE_FOUND}
    assert not set(FOUND_BY) & set(NOT_TO_BE_FOUND)


#: Irregularities that bring another trait with them.
ALSO = {
    "repeated-mark": {"French double"},
    "skipped-mark": {"no first mark", "text on the line of a mark"},
    "bilingual-notice": {"bilingual notice before a mark", "bilingual notice alone"},
}


@pytest.mark.parametrize("archive", [False, True])
@pytest.mark.parametrize(
    ("edition", "traits"),
    [
        ("coliee/task1/2025", DECISION_IRREGULARITIES),
        ("coliee/task1/2022", DECISION_IRREGULARITIES),
        ("coliee/task2/2018", (*PARAGRAPH_IRREGULARITIES, *FRAGMENT_IRREGULARITIES)),
        ("coliee/task2/2026", (*PARAGRAPH_IRREGULARITIES, *FRAGMENT_IRREGULARITIES)),
    ],
)
def test_texts_have_no_features_but_those_planted(tmp_path, monkeypatch, edition, traits, archive):
    planted = write_release(edition, tmp_path, scale=TINY, irregularities=True, archive=archive)
    for split, findings in audits(planted, tmp_path, monkeypatch).items():
        expected = {
            trait.name: {
                id_of(place)
                for irregularity, places in planted.irregularities.items()
                if trait.name in FOUND_BY.get(irregularity, ()) or irregularity in ALSO.get(trait.name, ())
                for position, place in enumerate(places)
                if part_of(irregularity, position, place) == split
            }
            for trait in traits
        }
        if "task2" in edition:  # the paragraph that has the number of its case
            own = planted.irregularities["gold of the case's own number"][split == "test"]
            expected["mark-unlike-name"].add(f"{own}_{own}")
        names = {trait.name for trait in traits}
        found = {finding.check: finding for finding in findings if finding.check in names}
        assert {name: set(finding.ids) for name, finding in found.items()} == {k: v for k, v in expected.items() if v}
        assert {finding.level for finding in found.values()} == {"curious"}
        assert all(finding.count == len(expected[name]) for name, finding in found.items())


@pytest.mark.parametrize("edition", EDITIONS)
def test_without_irregularities_an_audit_notes_nothing_of_files_labels_and_texts(tmp_path, monkeypatch, edition):
    planted = write_release(edition, tmp_path, scale=TINY)
    without = {"no-facts", "no-claim-of-plaintiff", "no-claim-of-defendant", "no-relevant-item"}
    of_instances = {*without, "query-is-document", "identical-queries", "identical-documents"}  # of one claim, of none
    allowed = {
        "coliee/task1/2018": {"identical-documents"},  # a decision may be a candidate of several queries
        "coliee/task1/2019": {"identical-documents", "ignored-file"},
        "coliee/task1/2020": {"identical-documents"},
        "coliee/task2/2019": {"ignored-file"},  # the file that came before the answers
        **{f"coliee/task1/{year}": {"unnamed-document", "query-is-document"} for year in range(2021, 2027)},
        "coliee/pilot/2025": of_instances,
        "coliee/pilot/2026": of_instances,
    }
    for findings in audits(planted, tmp_path, monkeypatch).values():
        checks = {finding.check for finding in findings if "though its name has no year" not in finding.message}
        of_size = {
            check for check in checks if check.startswith("differing-count-of-")
        }  # it is smaller than the true one
        assert checks - of_size <= allowed.get(edition, set())
        assert {finding.ids for finding in findings if finding.check == "ignored-file"} <= {(f"{edition[7:12]}.xml",)}


@pytest.mark.parametrize(
    ("copy", "task", "check"),
    [
        ("one_claim_open", "rationale", "null-label"),
        ("one_decision_open", "prediction", "no-relevant-item"),
        ("handed_out", "prediction", "no-labels"),
        ("handed_out", "rationale", "no-labels"),
    ],
)
def test_labels_that_are_missing_in_the_pilot_are_found(tmp_path, monkeypatch, copy, task, check):
    planted = write_release("coliee/pilot/2025", tmp_path, scale=TINY, irregularities=True)
    (place,) = (place for place in planted.irregularities["labels missing"] if copy in place)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    before = {finding.check for finding in audit(f"coliee/pilot/2025/{task}/test").findings}
    shutil.copy(tmp_path / place, tmp_path / "LJPJT25" / "test001.jsonl")
    findings = [f for f in audit(f"coliee/pilot/2025/{task}/test").findings if f.check == check]
    assert [(finding.level, finding.count) for finding in findings] == [("curious", 1)]
    assert check not in before
