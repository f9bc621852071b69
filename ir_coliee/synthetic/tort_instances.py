"""Releases of the pilot: tort instances, one JSON object per line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ir_coliee.editions import FIRST_SYNTHETIC_NUMBER, Split
from ir_coliee.synthetic.release import Release, ReleaseFile, Settings, SplitCounts
from ir_coliee.synthetic.sentences import SentenceWriter
from ir_coliee.synthetic.styles import tort_style

_INSTANCES = 6508  # default if the edition states no counts
_SHARE_OF_TORTS, _SHARE_OF_ACCEPTED = 0.395, 0.4
_MAX_CLAIMS = 12
_SIDES = ("plaintiff_claims", "defendant_claims")

Instance = dict[str, Any]


def tort_release(splits: Sequence[Split], settings: Settings) -> Release:
    """Return a release of the pilot: a file for train and one for the test."""
    style = tort_style(splits[0], irregular=settings.irregular)
    release = Release([style.folder])
    release.files = _files(splits, style.folder, style.irregularities, settings, release)
    return release


def _files(
    splits: Sequence[Split], folder: str, requested: frozenset[str], settings: Settings, release: Release
) -> Iterator[ReleaseFile]:
    first_number = FIRST_SYNTHETIC_NUMBER
    by_name = {split.name: split for split in reversed(splits)}  # both subtasks have the same files
    for split in (by_name[name] for name in ("train", "test") if name in by_name):
        size = settings.scaled(split.counts.get("queries", _INSTANCES), minimum=12 if settings.irregular else 3)
        name = split.files["instances"][0]
        instances = list(_instances(name, first_number, size, settings))
        first_number += size
        _plant(instances, requested, release)
        _count([other for other in splits if other.name == split.name], instances, release)
        # the organisers' files end without a line feed; those that programs write have one
        has_mark = "byte order mark" in requested and split.name == "train"
        if has_mark:
            release.plant("byte order mark", name)
        before, after = ("\ufeff", "\n") if has_mark else ("", "")
        lines = [
            json.dumps(instance, ensure_ascii="escaped characters" in requested and number == 0)
            for number, instance in enumerate(instances)
        ]
        yield f"{folder}/{name}", (before + "\n".join(lines) + after).encode()
        if "labels missing" in requested and split.name == "test":
            yield from _unlabelled_files(folder, instances, release)


def _instances(version: str, first_number: int, size: int, settings: Settings) -> Iterator[Instance]:
    random, writer = settings.random, SentenceWriter("ja", settings.random)
    # accepted and rejected statements have different words, so that a classifier can learn the difference
    rejected_topic, accepted_topic = random.integers(100, 2_000, (2, 12))
    for number in settings.numbers(size, version, "instances"):
        is_tort = bool(random.random() < _SHARE_OF_TORTS)
        claims = {}
        for side in _SIDES:
            accepted = (random.random(int(random.integers(0, _MAX_CLAIMS))) < _SHARE_OF_ACCEPTED).tolist()
            claims[side] = [
                {
                    "id": str(i),
                    "description": writer.sentence(accepted_topic if is_accepted else rejected_topic),
                    "is_accepted": is_accepted,
                }
                for i, is_accepted in enumerate(accepted)
            ]
        n_facts = int(random.integers(1, 7)) if random.random() < 0.1 else 0
        facts = [
            {"id": str(i), "description": writer.sentence(accepted_topic if is_tort else rejected_topic)}
            for i in range(n_facts)
        ]
        yield {
            "version": version,
            "tort_id": str(first_number + number),
            "undisputed_facts": facts,
            **claims,
            "court_decision": is_tort,
        }


def _plant(instances: list[Instance], requested: frozenset[str], release: Release) -> None:
    """Plant one irregularity in each of the first instances."""
    if not requested:
        return
    escaped, no_facts, no_plaintiff, nothing_accepted, several_lines = instances[:5]
    if "escaped characters" in requested:
        release.plant("escaped characters", escaped["tort_id"])
    if "no facts" in requested:
        no_facts["undisputed_facts"] = []
        release.plant("no facts", no_facts["tort_id"])
    if "no claim of the plaintiff" in requested:
        no_plaintiff["plaintiff_claims"] = []
        release.plant("no claim of the plaintiff", no_plaintiff["tort_id"])
    if "no claim accepted" in requested:
        nothing_accepted["plaintiff_claims"] = []
        for claim in nothing_accepted["defendant_claims"]:
            claim["is_accepted"] = False
        release.plant("no claim accepted", nothing_accepted["tort_id"])
    if "several lines and full-width digits" in requested:
        several_lines["undisputed_facts"] = [{"id": "0", "description": "門は開いていた。\n灯は２０個であった。"}]
        release.plant("several lines and full-width digits", several_lines["tort_id"])


def _unlabelled_files(folder: str, instances: Sequence[Instance], release: Release) -> Iterator[ReleaseFile]:
    """Yield the test without one claim's label, without one decision, and as it was handed out."""
    claims = [claim for instance in instances for side in _SIDES for claim in instance[side]]
    claims[-1]["is_accepted"] = None
    yield _further_file(f"{folder}/one_claim_open.jsonl", instances, release)
    claims[-1]["is_accepted"], instances[-1]["court_decision"] = False, None
    yield _further_file(f"{folder}/one_decision_open.jsonl", instances, release)
    for instance in instances:
        instance["court_decision"] = None
    for claim in claims:
        claim["is_accepted"] = None
    yield _further_file(f"{folder}/handed_out.jsonl", instances, release)


def _further_file(place: str, instances: Sequence[Instance], release: Release) -> ReleaseFile:
    release.plant("labels missing", place)
    return place, "\n".join(json.dumps(instance, ensure_ascii=False) for instance in instances).encode()


def _count(splits: Sequence[Split], instances: Sequence[Instance], release: Release) -> None:
    """Record the counts of both subtasks: of the instances and of their claims."""
    claims = sum(len(instance[side]) for instance in instances for side in _SIDES)
    for split in splits:
        docs, qrels = (2, len(instances)) if split.task == "prediction" else (claims, claims)
        release.splits[split.id] = SplitCounts(len(instances), docs, qrels)
