"""A fitted ranker of noticed cases as a folder that contains no text.

The folder contains the trees in LightGBM's text format (names of features, thresholds and values) and a manifest in
JSON. Opening a folder executes no code of its author.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ir_coliee.baselines.case_candidates import CandidateFilters
from ir_coliee.errors import ColieeError, MalformedFileError
from ir_coliee.transformers import ExpectedFCutoff, RatioCutoff, ThresholdCutoff
from ir_coliee.transformers.candidates.cutoffs import Cutoff

ARTIFACT_TYPE, ARTIFACT_FORMAT = "fitted_case_ranker", "coliee"
FORMAT_VERSION = 2

_KIND = {"type": ARTIFACT_TYPE, "format": ARTIFACT_FORMAT}
_MANIFEST = "pt_meta.json"
_TREES = ("round1.txt", "round2.txt")
_CUTOFFS: dict[str, Callable[..., Cutoff]] = {
    cutoff.__name__: cutoff for cutoff in (ThresholdCutoff, RatioCutoff, ExpectedFCutoff)
}
_EXPECTED = "the unchanged file; delete the folder and fit the model again"


class CaseRankerState(NamedTuple):
    """The contents of a fitted ranker of noticed cases.

    Attributes
    ----------
    features : tuple of str
        The names of the features that candidates must have.
    rounds : tuple of str
        The trees of each round in LightGBM's text format. A second round uses the probabilities of the first one.
    filters : CandidateFilters
        The decisions that are excluded from the candidates.
    share : float
        The share of noticed cases that are among the candidates, in [0, 1].
    cutoff : Cutoff
        The best cut-off on held-out train queries.
    value : float
        The micro F1 on held-out train queries.
    split : str
        The id of the train split.
    fingerprint : str
        The fingerprint of the files of the train split.
    """

    features: tuple[str, ...]
    rounds: tuple[str, ...]
    filters: CandidateFilters
    share: float
    cutoff: Cutoff
    value: float
    split: str
    fingerprint: str


def write_state(state: CaseRankerState, folder: Path) -> None:
    """Write a fitted ranker into an empty folder.

    Parameters
    ----------
    state : CaseRankerState
        The contents.
    folder : pathlib.Path
        An existing folder.
    """
    rounds = [trees.encode("ascii") for trees in state.rounds]
    for name, content in zip(_TREES, rounds):
        (folder / name).write_bytes(content)
    manifest = {
        **_KIND,
        "package_hint": "ir_coliee",
        "format_version": FORMAT_VERSION,
        **state._asdict(),
        "rounds": [_digest(content) for content in rounds],
        "filters": state.filters._asdict(),
        "cutoff": {"rule": type(state.cutoff).__name__, **state.cutoff.arguments()},
    }
    (folder / _MANIFEST).write_text(json.dumps(manifest, indent=2), encoding="ascii")


def read_state(folder: Path) -> CaseRankerState:
    """Read a fitted ranker from a folder.

    Parameters
    ----------
    folder : pathlib.Path
        A folder written by `write_state`.

    Returns
    -------
    CaseRankerState
        The contents.

    Raises
    ------
    ColieeError
        If the folder contains no fitted ranker, or one in another format version.
    MalformedFileError
        If a file is damaged.
    """
    manifest = folder / _MANIFEST
    try:
        fields = json.loads(manifest.read_bytes())
    except OSError as error:
        reason = f"{_MANIFEST} cannot be read ({error.strerror})"
        raise ColieeError(f"{folder} contains no fitted model: {reason}.") from None
    except (ValueError, RecursionError):
        raise MalformedFileError(manifest, None, "not JSON", _EXPECTED) from None
    if not isinstance(fields, dict) or {key: fields.get(key) for key in _KIND} != _KIND:
        raise ColieeError(f"{folder} contains another kind of artifact. Expected a folder saved by FittedCaseRanker.")
    if (found := fields.get("format_version")) != FORMAT_VERSION:
        problem = f"{folder} is in format {found}; this version of ir_coliee reads format {FORMAT_VERSION}"
        raise ColieeError(f"{problem}. Delete the folder and fit the model again.")
    try:
        cutoff = dict(fields["cutoff"])
        if len(fields["rounds"]) not in range(1, len(_TREES) + 1):
            problem = f"{len(fields['rounds'])} rounds of trees instead of 1 or 2"
            raise MalformedFileError(manifest, None, problem, _EXPECTED)
        return CaseRankerState(
            tuple(map(str, fields["features"])),
            tuple(_read_trees(folder / name, digest) for name, digest in zip(_TREES, fields["rounds"])),
            CandidateFilters(**fields["filters"]),
            float(fields["share"]),
            _CUTOFFS[cutoff.pop("rule")](**cutoff),
            float(fields["value"]),
            str(fields["split"]),
            str(fields["fingerprint"]),
        )
    except MalformedFileError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        problem = f"an unexpected field ({type(error).__name__}: {error})"
        raise MalformedFileError(manifest, None, problem, _EXPECTED) from None


def _read_trees(path: Path, digest: str) -> str:
    """Read a file of trees and check its digest, because LightGBM does not check its input."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise MalformedFileError(path, None, f"it cannot be read ({error.strerror})", _EXPECTED) from None
    if _digest(content) != digest:
        raise MalformedFileError(path, None, "its content differs from the digest in the manifest", _EXPECTED)
    return content.decode("ascii")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
