"""Reader for the pilot task: Japanese tort instances, one JSON object per line.

One file serves two subtasks. Tort prediction asks for the court's decision, rationale extraction for the claims that
the court accepted. A label is true, false or null (not published); null is not false.
"""

# Without postponed annotations: PyTerrier's text loader compares the annotations of record fields with str.

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_datasets.formats import GenericQrel

from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.releases.cache import remember
from ir_coliee.releases.files import File, Readable, parse_json, read_lines, warnings_about
from ir_coliee.releases.search import unpublished_labels_error
from ir_coliee.releases.statutes import Answer
from ir_coliee.storage import INSTANCE

if TYPE_CHECKING:
    from ir_coliee.releases.release import LocalRelease

#: The parties' lists of claims, with the letter that marks the party in the id of a claim.
SIDES = {"plaintiff_claims": "p", "defendant_claims": "d"}

#: The answers of tort prediction.
ANSWERS = [Answer("True", "The court finds a tort."), Answer("False", "The court finds no tort.")]

_INSTANCE = "an object with version, tort_id, undisputed_facts, plaintiff_claims, defendant_claims, court_decision"
_CLAIM = "a claim with the strings id and description, and is_accepted true, false or null"


class Claim(NamedTuple):
    """A claim of a party, a document of rationale extraction. ``side`` is ``p`` or ``d``."""

    doc_id: str
    text: str
    tort_id: str
    side: str

    def default_text(self) -> str:
        """Return the claim."""
        return self.text


class Dispute(NamedTuple):
    """A tort instance, a query of both subtasks: facts and claims, one per line."""

    query_id: str
    dispute: str

    def default_text(self) -> str:
        """Return facts and claims."""
        return self.dispute


class TortInstance(NamedTuple):
    """A tort instance with its facts, its claims and the labels, which are true, false or None (not published).

    Attributes
    ----------
    query_id : str
    dispute : str
        Facts and claims, one per line.
    undisputed_facts : tuple of str
    claims : tuple of Claim
    accepted : tuple of bool or None
        For each claim whether the court accepted it.
    court_decision : bool or None
        Whether the court found a tort.
    """

    query_id: str
    dispute: str
    undisputed_facts: tuple[str, ...]
    claims: tuple[Claim, ...]
    accepted: tuple[bool | None, ...]
    court_decision: bool | None

    def default_text(self) -> str:
        """Return facts and claims."""
        return self.dispute


def instances(release: "LocalRelease") -> list[TortInstance]:
    """Return the tort instances of a split, in file order."""
    file = release.file("instances")
    return _read(file, file.stamp)


@remember
def _read(file: File, _stamp: Hashable) -> list[TortInstance]:
    return read_instances(file)


def read_instances(file: Readable) -> list[TortInstance]:
    """Read the tort instances of a file.

    Raises
    ------
    MalformedFileError
        If a line breaks the format, or an id is repeated.
    """
    found: dict[str, TortInstance] = {}
    for line, instance in enumerate(parse_instances(file), start=1):
        if instance.query_id in found:
            problem = f"instance {printable(instance.query_id, 30)} is repeated"
            raise MalformedFileError(file, line, problem, "each instance once")
        found[instance.query_id] = instance
    return list(found.values())


def parse_instances(file: Readable) -> list[TortInstance]:
    """Read the tort instance of each line of a file; ids may be repeated.

    Raises
    ------
    MalformedFileError
        If a line breaks the format.
    """
    return [_instance(file, line, record) for line, record in enumerate(read_json_lines(file), start=1)]


def disputes(release: "LocalRelease") -> list[Dispute]:
    """Return the tort instances of a split with their text alone."""
    return [Dispute(instance.query_id, instance.dispute) for instance in instances(release)]


def claims(release: "LocalRelease") -> list[Claim]:
    """Return the claims of all instances of a split."""
    file = release.file("instances")
    return _claims(file, file.stamp)


@remember
def _claims(file: File, stamp: Hashable) -> list[Claim]:
    return [claim for instance in _read(file, stamp) for claim in instance.claims]


def court_decisions(release: "LocalRelease") -> list[GenericQrel]:
    """Return the gold of tort prediction.

    Raises
    ------
    MissingLabelsError
        If all labels are null.
    """
    decided = [(i.query_id, i.court_decision) for i in instances(release) if i.court_decision is not None]
    if not decided:
        raise unpublished_labels_error(release.split, "court_decision labels", [release.file("instances")])
    return [GenericQrel(query_id, str(decision), 1) for query_id, decision in decided]


def accepted_claims(release: "LocalRelease") -> list[GenericQrel]:
    """Return the gold of rationale extraction, rejected claims with relevance 0.

    Raises
    ------
    MissingLabelsError
        If all labels are null.
    """
    judged = [
        (instance.query_id, claim.doc_id, accepted)
        for instance in instances(release)
        for claim, accepted in zip(instance.claims, instance.accepted)
        if accepted is not None
    ]
    if not judged:
        raise unpublished_labels_error(release.split, "is_accepted labels", [release.file("instances")])
    return [GenericQrel(query_id, doc_id, int(accepted)) for query_id, doc_id, accepted in judged]


def answer_candidates(release: "LocalRelease") -> list[tuple[str, str]]:
    """Return query id and document id of tort prediction: each instance with both answers."""
    return [(instance.query_id, answer.doc_id) for instance in instances(release) for answer in ANSWERS]


def claim_candidates(release: "LocalRelease") -> list[tuple[str, str]]:
    """Return query id and document id of rationale extraction: each instance with its claims."""
    return [(claim.tort_id, claim.doc_id) for claim in claims(release)]


def read_json_lines(file: Readable) -> list[dict[str, Any]]:
    """Read the objects of a JSON Lines file; empty last lines are ignored.

    Raises
    ------
    MalformedFileError
        If a line is not a JSON object.
    """
    records = []
    with warnings_about(file) as warn:
        for number, line in read_lines(file, INSTANCE):
            record = parse_json(line, file, number, _INSTANCE, warn)
            if not isinstance(record, dict):
                raise MalformedFileError(file, number, "the line is not a JSON object", _INSTANCE)
            records.append(record)
    if not records:
        raise MalformedFileError(file, None, "the file is empty", _INSTANCE)
    return records


def _instance(file: Readable, line: int, record: dict[str, Any]) -> TortInstance:
    keys = ("version", "tort_id", "undisputed_facts", *SIDES, "court_decision")
    if missing := [key for key in keys if key not in record]:
        raise MalformedFileError(file, line, f"the key {missing[0]} is missing", _INSTANCE)
    tort_id, decision = record["tort_id"], record["court_decision"]
    if not isinstance(tort_id, str) or not _is_label(decision):
        raise MalformedFileError(file, line, "tort_id is not a string, or court_decision not a label", _INSTANCE)
    if not tort_id.strip() or not tort_id.isprintable():
        problem = f"tort_id {printable(tort_id, 30)!r} is empty or has a control character"
        raise MalformedFileError(file, line, problem, _INSTANCE)
    facts = tuple(_description(file, line, fact) for fact in _entries(file, line, record, "undisputed_facts"))
    claims: dict[str, Claim] = {}
    accepted: list[bool | None] = []
    for key, side in SIDES.items():
        for entry in _entries(file, line, record, key):
            if not isinstance(entry.get("id"), str) or not _is_label(entry.get("is_accepted", "missing")):
                raise MalformedFileError(file, line, f"a claim in {key} has no id or no label", _CLAIM)
            doc_id = f"{tort_id}_{side}{entry['id']}"
            if doc_id in claims or not doc_id.isprintable():
                problem = f"claim {printable(entry['id'], 30)} in {key} is repeated, or its id has a control character"
                raise MalformedFileError(file, line, problem, "each claim once")
            claims[doc_id] = Claim(doc_id, _description(file, line, entry), tort_id, side)
            accepted.append(entry["is_accepted"])
    text = "\n".join([*facts, *(claim.text for claim in claims.values())])
    return TortInstance(tort_id, text, facts, tuple(claims.values()), tuple(accepted), decision)


def _is_label(value: object) -> bool:
    return value is None or isinstance(value, bool)


def _entries(file: Readable, line: int, record: dict[str, Any], key: str) -> list[dict[str, Any]]:
    entries = record[key]
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise MalformedFileError(file, line, f"{key} is not a list of objects", _INSTANCE)
    return entries


def _description(file: Readable, line: int, entry: dict[str, Any]) -> str:
    description = entry.get("description")
    if not isinstance(description, str) or not isinstance(entry.get("id"), str):
        raise MalformedFileError(file, line, "an entry has no id or no description", "the strings id and description")
    return description
