"""Reader for the pilot task: Japanese tort instances, one JSON object a line.

One file serves two subtasks. Tort prediction asks for the court's decision, rationale extraction for
the claims that the court accepted. A label is true, false or null (not published); null is not false.
"""

# Without postponed annotations: PyTerrier's text loader looks for record fields annotated with str itself.

import re
import warnings
from typing import Any, NamedTuple

from ir_datasets.formats import GenericQrel

from ir_coliee.editions import Split
from ir_coliee.errors import ColieeWarning, MalformedFileError, MissingLabelsError, shown
from ir_coliee.releases import search as copies
from ir_coliee.releases.answer_labels import Answer
from ir_coliee.releases.folders import File
from ir_coliee.releases.memory import kept
from ir_coliee.releases.reading import Readable, parse_json, read_text

#: The parties' lists of claims, with the letter that marks the party in an item's id.
SIDES = {"plaintiff_claims": "p", "defendant_claims": "d"}

ANSWERS = [Answer("True", "The court finds a tort."), Answer("False", "The court finds no tort.")]

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")

_INSTANCE = (
    "a JSON object with version, tort_id, undisputed_facts, plaintiff_claims, defendant_claims and court_decision"
)
_CLAIM = "a claim with the strings id and description, and is_accepted true, false or null"


class Claim(NamedTuple):
    """A claim of a party, a document of rationale extraction. ``side`` is ``p`` or ``d``."""

    doc_id: str
    text: str
    tort_id: str
    side: str

    def default_text(self) -> str:
        """The claim."""
        return self.text


class Dispute(NamedTuple):
    """A tort instance, a query of both subtasks: facts and claims, one a line."""

    query_id: str
    dispute: str

    def default_text(self) -> str:
        """Facts and claims."""
        return self.dispute


class TortInstance(NamedTuple):
    """A tort instance with its pieces and the three-valued labels."""

    query_id: str
    dispute: str
    undisputed_facts: tuple[str, ...]
    claims: tuple[Claim, ...]
    accepted: tuple[bool | None, ...]
    court_decision: bool | None

    def default_text(self) -> str:
        """Facts and claims."""
        return self.dispute


def instances(split: Split) -> list[TortInstance]:
    """The tort instances of a split, in file order."""
    path = copies.find_file(split, "instances")
    return _read(path, path.stamp)


@kept(8)
def _read(path: File, _stamp: Any) -> list[TortInstance]:
    return read_instances(path)


def read_instances(path: Readable) -> list[TortInstance]:
    """The tort instances of a file, with labels or null. Raises `MalformedFileError`, also for a repeated id."""
    found: dict[str, TortInstance] = {}
    for line, instance in enumerate(parse_instances(path), start=1):
        if instance.query_id in found:
            raise MalformedFileError(path, line, f"instance {shown(instance.query_id)} again", "each instance once")
        found[instance.query_id] = instance
    return list(found.values())


def parse_instances(path: Readable) -> list[TortInstance]:
    """An instance for each line, whether or not its id has come before. Raises `MalformedFileError`."""
    return [_instance(path, line, record) for line, record in enumerate(read_json_lines(path), start=1)]


def disputes(split: Split) -> list[Dispute]:
    """The tort instances of a split with their text alone."""
    return [Dispute(instance.query_id, instance.dispute) for instance in instances(split)]


def claims(split: Split) -> list[Claim]:
    """The claims of all instances of a split."""
    path = copies.find_file(split, "instances")
    return _claims(path, path.stamp)


@kept(8)
def _claims(path: File, stamp: Any) -> list[Claim]:
    return [claim for instance in _read(path, stamp) for claim in instance.claims]


def court_decisions(split: Split) -> list[GenericQrel]:
    """The gold of tort prediction."""
    decided = [(i.query_id, i.court_decision) for i in instances(split) if i.court_decision is not None]
    return [GenericQrel(query_id, str(decision), 1) for query_id, decision in decided] or _refuse(
        split, "court_decision"
    )


def accepted_claims(split: Split) -> list[GenericQrel]:
    """The gold of rationale extraction, rejected claims with relevance 0."""
    judged = [
        (instance.query_id, claim.doc_id, accepted)
        for instance in instances(split)
        for claim, accepted in zip(instance.claims, instance.accepted)
        if accepted is not None
    ]
    return [GenericQrel(*names, int(accepted)) for *names, accepted in judged] or _refuse(split, "is_accepted")


def answer_pools(split: Split) -> list[tuple[str, str]]:
    """Query and candidate of tort prediction: each instance with both labels."""
    return [(instance.query_id, answer.doc_id) for instance in instances(split) for answer in ANSWERS]


def claim_pools(split: Split) -> list[tuple[str, str]]:
    """Query and candidate of rationale extraction: each instance with its claims."""
    return [(claim.tort_id, claim.doc_id) for claim in claims(split)]


def _refuse(split: Split, key: str) -> list[GenericQrel]:
    raise MissingLabelsError(
        f"{split.id}: every {key} in this copy is null. Put the labelled file "
        f"({split.files['instances'][0]}) into the data folder once it is out."
    )


def read_json_lines(path: Readable) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file; empty last lines are passed over. Raises `MalformedFileError`."""
    records = []
    for number, line in enumerate(read_text(path).rstrip("\n").split("\n"), start=1):
        record = parse_json(line, path, number, _INSTANCE)
        if not isinstance(record, dict):
            raise MalformedFileError(path, number, "not a JSON object", _INSTANCE)
        records.append(record)
    return records


def _instance(path: Readable, line: int, record: dict[str, Any]) -> TortInstance:
    keys = ("version", "tort_id", "undisputed_facts", *SIDES, "court_decision")
    if missing := [key for key in keys if key not in record]:
        raise MalformedFileError(path, line, f"the key {missing[0]} is missing", _INSTANCE)
    tort_id, decision = record["tort_id"], record["court_decision"]
    if not isinstance(tort_id, str) or not _is_label(decision):
        raise MalformedFileError(path, line, "tort_id is no string, or court_decision no label", _INSTANCE)
    if not tort_id.strip() or not tort_id.isprintable():
        raise MalformedFileError(
            path, line, f"tort_id {shown(tort_id)!r} is empty or has a control character", _INSTANCE
        )
    facts = tuple(_description(path, line, fact) for fact in _entries(path, line, record, "undisputed_facts"))
    given: list[Claim] = []
    accepted: list[bool | None] = []
    for key, side in SIDES.items():
        for entry in _entries(path, line, record, key):
            if not isinstance(entry.get("id"), str) or not _is_label(entry.get("is_accepted", "missing")):
                raise MalformedFileError(path, line, f"a claim in {key} has no id or no label", _CLAIM)
            if any(claim.doc_id == f"{tort_id}_{side}{entry['id']}" for claim in given):
                raise MalformedFileError(path, line, f"claim {shown(entry['id'])} in {key} again", "each claim once")
            given.append(Claim(f"{tort_id}_{side}{entry['id']}", _description(path, line, entry), tort_id, side))
            accepted.append(entry["is_accepted"])
    text = "\n".join([*facts, *(claim.text for claim in given)])
    return TortInstance(tort_id, text, facts, tuple(given), tuple(accepted), decision)


def _is_label(value: object) -> bool:
    return value is None or isinstance(value, bool)


def _entries(path: Readable, line: int, record: dict[str, Any], key: str) -> list[dict[str, Any]]:
    entries = record[key]
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise MalformedFileError(path, line, f"{key} is no list of objects", _INSTANCE)
    return entries


def _description(path: Readable, line: int, entry: dict[str, Any]) -> str:
    description = entry.get("description")
    if not isinstance(description, str) or not isinstance(entry.get("id"), str):
        raise MalformedFileError(path, line, "an entry without id or description", "the strings id and description")
    if _HALF_CHARACTER.search(description):  # JSON can hold it, no text file can
        message = f"{path}, line {line}: half a character in a description; replaced by U+FFFD"
        warnings.warn(message, ColieeWarning, stacklevel=2)
    return _HALF_CHARACTER.sub("\ufffd", description)
