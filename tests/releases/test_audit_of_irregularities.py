"""Every irregularity of the static releases that bears on a figure or a text is found by the audit of its split."""

import re
import shutil

import pytest
from fixture_releases import ids_of_release, irregularities, releases

from ir_coliee.releases.audit import audit

#: The check or checks, each sufficient, that find an irregularity.
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

#: Planted in the train split and in the test split, and told by an id.
IN_BOTH_PARTS = {
    "gold of the case's own number",
    "fragment of several lines",
    "no answer element",
    "empty answer element",
    "no facts",
    "no claim of the plaintiff",
    "no claim accepted",
}


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
    if finding.check == "warning-of-reader":
        return place in finding.message
    if irregularity == "test without labels":
        return True
    if irregularity == "unrelated files":
        return any(place.endswith(f"/{inner}") for inner in finding.ids)
    return any(id_of(place) in found.split() for found in finding.ids)


PACKED = {"task1/2018", "task1/2020", "task1/2021", "task1/2025", "task2/2026"}


@pytest.mark.parametrize(
    ("release", "archive"),
    [
        (release, archive)
        for release in releases("irregular")
        for archive in (False, True)
        if release in PACKED or not archive
    ],
)
def test_each_irregularity_is_found_in_its_split(fixture_home, release, archive):
    fixture_home(release, archive=archive)
    findings = audits(release)
    missed = [
        (irregularity, place)
        for irregularity, places in irregularities(release).items()
        for position, place in enumerate(places)
        if irregularity in FOUND_BY
        and not any(
            is_found(finding, irregularity, place)
            for finding in findings[part_of(irregularity, position, place)]
            if finding.check in FOUND_BY[irregularity]
        )
    ]
    assert missed == []


def test_the_releases_have_each_irregularity_that_is_to_be_found():
    assert set(FOUND_BY) <= {
        irregularity for release in releases("irregular") for irregularity in irregularities(release)
    }


@pytest.mark.parametrize("release", releases("plain"))
def test_without_irregularities_an_audit_finds_nothing_in_files_labels_and_texts(fixture_home, release):
    fixture_home(release, irregular=False)
    of_instances = {"no-facts", "no-claim-of-plaintiff", "no-claim-of-defendant", "no-relevant-item"}
    allowed = {
        "task1/2018": {"identical-documents"},  # a decision may be a candidate of several queries
        "task1/2019": {"identical-documents", "ignored-file"},
        "task1/2020": {"identical-documents"},
        "task1/2021": {"unnamed-document", "query-is-document"},
        "task1/2025": {"unnamed-document", "query-is-document"},
        "task2/2019": {"ignored-file"},  # the file that came before the answers
        "pilot/2025": {*of_instances, "query-is-document", "identical-queries", "identical-documents"},
        "pilot/2026": {*of_instances, "query-is-document", "identical-queries", "identical-documents"},
    }
    for findings in audits(release).values():
        checks = {finding.check for finding in findings if "though its name has no year" not in finding.message}
        of_size = {check for check in checks if check.startswith("differing-count-of-")}
        assert checks - of_size <= allowed.get(release, set())


@pytest.mark.parametrize(
    ("copy", "task", "check"),
    [
        ("one_claim_open", "rationale", "null-label"),
        ("one_decision_open", "prediction", "no-relevant-item"),
        ("handed_out", "prediction", "no-labels"),
        ("handed_out", "rationale", "no-labels"),
    ],
)
def test_labels_that_are_missing_in_the_pilot_are_found(fixture_home, copy, task, check):
    home = fixture_home("pilot/2025")
    (place,) = (place for place in irregularities("pilot/2025")["labels missing"] if copy in place)
    before = {finding.check for finding in audit(f"coliee/pilot/2025/{task}/test").findings}
    shutil.copy(home / place, home / "LJPJT25" / "test001.jsonl")
    findings = [f for f in audit(f"coliee/pilot/2025/{task}/test").findings if f.check == check]
    assert [(finding.level, finding.count) for finding in findings] == [("curious", 1)]
    assert check not in before
