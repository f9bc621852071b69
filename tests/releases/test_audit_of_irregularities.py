"""Every irregularity of the static releases that bears on a figure is found by the audit of its split."""

import re

import pytest
from fixture_releases import ids_of_release, irregularities, releases

from ir_coliee.releases.audit import audit

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
    if finding.check == "warning-of-reader":
        return place in finding.message
    if irregularity == "test without labels":
        return True
    return any(id_of(place) in found.split() for found in finding.ids)


@pytest.mark.parametrize("release", releases("irregular"))
def test_each_irregularity_is_found_in_its_split(fixture_home, release):
    fixture_home(release)
    findings = audits(release)
    missed = [
        (irregularity, place)
        for irregularity, places in irregularities(release).items()
        for position, place in enumerate(places)
        if irregularity in FOUND_BY
        and not any(
            is_found(finding, irregularity, place)
            for finding in findings[part_of(irregularity, position, place)]
            if finding.check == FOUND_BY[irregularity]
        )
    ]
    assert missed == []


@pytest.mark.parametrize("release", releases("plain"))
def test_without_irregularities_an_audit_finds_nothing(fixture_home, release):
    fixture_home(release, irregular=False)
    for findings in audits(release).values():
        found = {finding.check for finding in findings if "though its name has no year" not in finding.message}
        # instances may have the same facts and claims
        assert found <= {"noticed-cases", "differing-count"} | (
            {"identical-queries"} if release.startswith("pilot") else set()
        )
