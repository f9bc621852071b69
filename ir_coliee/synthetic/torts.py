"""The pilot: made-up tort instances, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ir_coliee.editions import FIRST_SYNTHETIC_NUMBER, Split
from ir_coliee.synthetic.law import Writer
from ir_coliee.synthetic.release import Order, Release, ReleaseFile, SplitCounts

_INSTANCES = 6508  # of the train split, where the table gives no number
_SHARE_OF_TORTS, _SHARE_OF_ACCEPTED = 0.395, 0.4
_MOST_CLAIMS = 12
_SIDES = ("plaintiff_claims", "defendant_claims")

Instance = dict[str, Any]


def release(splits: Sequence[Split], order: Order) -> Release:
    """A made-up release of an edition of the pilot: a file for train, one for test."""
    predictions = [split for split in splits if split.task == "prediction"]
    made = Release([f"LJPJT{splits[0].edition[2:]}"], iter(()))
    made.files = _files(predictions, order, made)
    return made


def _files(splits: Sequence[Split], order: Order, made: Release) -> Iterator[ReleaseFile]:
    first = FIRST_SYNTHETIC_NUMBER
    for split in splits:
        size = order.scaled(split.counts.get("queries", _INSTANCES), least=12 if order.irregularities else 3)
        name = split.files["instances"][0]
        instances = list(_instances(name, first, size, order))
        first += size
        if order.irregularities:
            _plant(instances, made)
        _count(split, instances, made)
        # the organisers' files end without a line feed; those that programs write have one
        before, after = ("\ufeff", "\n") if order.irregularities and split.name == "train" else ("", "")
        lines = [json.dumps(one, ensure_ascii=order.irregularities and i == 0) for i, one in enumerate(instances)]
        yield f"{made.targets[0]}/{name}", (before + "\n".join(lines) + after).encode()
        if order.irregularities and split.name == "test":
            yield from _unlabelled(made.targets[0], instances, made)


def _instances(version: str, first: int, size: int, order: Order) -> Iterator[Instance]:
    writer = Writer("ja", order.random)
    random = order.random
    # what is true and what is not is said in other words, so that it can be learned
    rejecting, accepting = random.integers(100, 2_000, (2, 12))
    for number in order.progress(range(size)):
        is_tort = bool(random.random() < _SHARE_OF_TORTS)
        sides = {}
        for side in _SIDES:
            accepted = (random.random(int(random.integers(0, _MOST_CLAIMS))) < _SHARE_OF_ACCEPTED).tolist()
            sides[side] = [
                {
                    "id": str(i),
                    "description": writer.sentence(accepting if true else rejecting),
                    "is_accepted": true,
                }
                for i, true in enumerate(accepted)
            ]
        n_facts = int(random.integers(1, 7)) if random.random() < 0.1 else 0
        facts = [
            {"id": str(i), "description": writer.sentence(accepting if is_tort else rejecting)} for i in range(n_facts)
        ]
        yield {
            "version": version,
            "tort_id": str(first + number),
            "undisputed_facts": facts,
            **sides,
            "court_decision": is_tort,
        }


def _plant(instances: list[Instance], made: Release) -> None:
    escaped, no_facts, no_plaintiff, nothing_accepted, several_lines = instances[:5]
    made.plant("escaped characters", escaped["tort_id"])
    no_facts["undisputed_facts"] = []
    made.plant("no facts", no_facts["tort_id"])
    no_plaintiff["plaintiff_claims"] = []
    made.plant("no claim of the plaintiff", no_plaintiff["tort_id"])
    nothing_accepted["plaintiff_claims"] = []
    for claim in nothing_accepted["defendant_claims"]:
        claim["is_accepted"] = False
    made.plant("no claim accepted", nothing_accepted["tort_id"])
    several_lines["undisputed_facts"] = [{"id": "0", "description": "門は開いていた。\n灯は２０個であった。"}]
    made.plant("several lines and full-width digits", several_lines["tort_id"])


def _unlabelled(folder: str, instances: Sequence[Instance], made: Release) -> Iterator[ReleaseFile]:
    """The test as it was handed out, and answers of which one is missing."""
    claims = [claim for one in instances for side in _SIDES for claim in one[side]]
    claims[-1]["is_accepted"] = None
    yield _copy(f"{folder}/one_claim_open.jsonl", instances, made)
    claims[-1]["is_accepted"], instances[-1]["court_decision"] = False, None
    yield _copy(f"{folder}/one_decision_open.jsonl", instances, made)
    for one in instances:
        one["court_decision"] = None
    for claim in claims:
        claim["is_accepted"] = None
    yield _copy(f"{folder}/handed_out.jsonl", instances, made)


def _copy(place: str, instances: Sequence[Instance], made: Release) -> ReleaseFile:
    made.plant("labels missing", place)
    return place, "\n".join(json.dumps(one, ensure_ascii=False) for one in instances).encode()


def _count(split: Split, instances: Sequence[Instance], made: Release) -> None:
    claims = sum(len(one[side]) for one in instances for side in _SIDES)
    made.splits[split.id] = SplitCounts(len(instances), 2, len(instances))
    rationale = replace(split, task="rationale")
    made.splits[rationale.id] = SplitCounts(len(instances), claims, claims)
