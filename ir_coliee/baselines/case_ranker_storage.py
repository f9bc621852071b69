"""A fitted ranker of noticed cases as a folder that contains no text.

The folder contains the trees in LightGBM's text format and a manifest in JSON. Folders of other people may be
opened: that runs no code of theirs, and the numbers are checked, so that a damaged folder raises an error and any other
gives finite scores. The digests of the trees show accidental damage; they do not show who fitted the trees.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ir_coliee.arguments import check_number, instance_of
from ir_coliee.baselines.boosted_trees import BoostedTrees
from ir_coliee.baselines.case_candidates import CandidateFilters
from ir_coliee.engine import storage
from ir_coliee.engine.manifests import ManifestForm
from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.size_limits import TREES
from ir_coliee.transformers import ExpectedFCutoff, RatioCutoff, ThresholdCutoff
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.unfinished_folders import writing

ARTIFACT_TYPE, ARTIFACT_FORMAT = "fitted_case_ranker", "coliee"

_RANKER = ManifestForm(
    "a fitted ranker of noticed cases",
    2,
    "fit the model again",
    {"type": ARTIFACT_TYPE, "format": ARTIFACT_FORMAT, "package_hint": "ir_coliee"},
)
_CHOICES = ManifestForm("the choices of a baseline", 1, "run the baseline again", {}, "choices.json")
_TREES = ("round1.txt", "round2.txt")
_CUTOFFS: dict[str, Callable[..., Cutoff]] = {
    cutoff.__name__: cutoff for cutoff in (ThresholdCutoff, RatioCutoff, ExpectedFCutoff)
}


class CandidateChoices(NamedTuple):
    """The decisions on candidates that are made before their features are computed.

    Attributes
    ----------
    filters : CandidateFilters
        The decisions that are excluded.
    share : float
        The share of noticed cases that are among the candidates, in [0, 1].
    features : tuple of str
        The names of the features.
    """

    filters: CandidateFilters
    share: float
    features: tuple[str, ...]


class CaseRankerState(NamedTuple):
    """The contents of a fitted ranker of noticed cases.

    Attributes
    ----------
    features : tuple of str
        The names of the features that candidates must have.
    rounds : tuple of BoostedTrees
        The trees of each round. A second round uses the probabilities of the first one.
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
    rounds: tuple[BoostedTrees, ...]
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
    rounds = [trees.text().encode("ascii") for trees in state.rounds]
    for name, content in zip(_TREES, rounds):
        (folder / name).write_bytes(content)
    fields = {
        **state._asdict(),
        "rounds": [_digest(content) for content in rounds],
        "filters": state.filters._asdict(),
        "cutoff": {"rule": type(state.cutoff).__name__, **state.cutoff.arguments()},
    }
    _RANKER.write(folder, fields)


def save_state(state: CaseRankerState, path: Path) -> None:
    """Write a fitted ranker into a new folder.

    Raises
    ------
    ExistingFileError
        If the path exists.
    ColieeError
        If it cannot be written.
    """
    storage.check_new_path(path)
    with storage.new_folder(path) as folder, writing(path):
        write_state(state, folder)


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
    fields = _RANKER.read(folder)
    try:
        choices, cutoff = _choices(fields), dict(fields["cutoff"])
        if len(digests := [*fields["rounds"]]) not in range(1, len(_TREES) + 1):
            raise ValueError(f"{len(digests)} rounds of trees instead of 1 or 2")
        state = CaseRankerState(
            choices.features,
            tuple(_read_trees(folder / name, digest) for name, digest in zip(_TREES, digests)),
            choices.filters,
            choices.share,
            _CUTOFFS[cutoff.pop("rule")](**cutoff),
            _share(fields, "value"),
            instance_of("split", fields["split"], str, "a string"),
            instance_of("fingerprint", fields["fingerprint"], str, "a string"),
        )
        if state.rounds[0].num_features != len(state.features):
            raise ValueError(f"{len(state.features)} features of trees with {state.rounds[0].num_features}")
        return state
    except MalformedFileError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise _unexpected(_RANKER, folder, error) from None


def write_choices(choices: CandidateChoices, folder: Path) -> None:
    """Write the choices on candidates into an empty folder."""
    _CHOICES.write(folder, {**choices._asdict(), "filters": choices.filters._asdict()})


def read_choices(folder: Path) -> CandidateChoices:
    """Read the choices on candidates from a folder; raise `ColieeError` if they are missing or damaged."""
    fields = _CHOICES.read(folder)
    try:
        return _choices(fields)
    except (KeyError, TypeError, ValueError) as error:
        raise _unexpected(_CHOICES, folder, error) from None


def _choices(fields: Mapping[str, Any]) -> CandidateChoices:
    filters = CandidateFilters(**fields["filters"])
    for name, value in filters._asdict().items():
        instance_of(name, value, bool, "true or false")
    features = instance_of("features", fields["features"], list, "a list")
    names = (instance_of("a feature", name, str, "a string") for name in features)
    return CandidateChoices(filters, _share(fields, "share"), tuple(names))


def _share(fields: Mapping[str, Any], name: str) -> float:
    return float(check_number(name, fields[name], "a number in [0, 1]", lambda share: 0 <= share <= 1))


def _unexpected(form: ManifestForm, folder: Path, error: Exception) -> MalformedFileError:
    problem = f"an unexpected field ({type(error).__name__}: {printable(str(error))})"
    return form.malformed(folder / form.file, problem)


def _read_trees(path: Path, digest: str) -> BoostedTrees:
    try:
        content = TREES.read_file(path)
    except OSError as error:
        raise _RANKER.malformed(path, f"it cannot be read ({error.strerror})") from None
    if _digest(content) != digest:
        raise _RANKER.malformed(path, "its content differs from the digest in the manifest")
    try:
        return BoostedTrees.parse(content.decode("ascii"))
    except ValueError as error:
        raise _RANKER.malformed(path, printable(str(error))) from None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
