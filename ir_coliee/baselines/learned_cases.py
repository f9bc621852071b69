"""What was learned of noticed cases, as a transformer and as a folder that holds no text.

In the folder are the learner's trees in LightGBM's own text form (names of features, thresholds and values), and a
manifest: which candidates it takes, its cut-off, what it was learned from and how good it was on queries held out.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyterrier as pt

from ir_coliee.baselines.case_search import Filters
from ir_coliee.data_agreement import KeptHere
from ir_coliee.engine import storage
from ir_coliee.engine.group_statistics import Floats
from ir_coliee.errors import ColieeError, MalformedFileError, MissingExtraError
from ir_coliee.frames import sort_results
from ir_coliee.transformers import CompetitionFeatures, ExpectedFCutoff, RatioCutoff, ScoreFeatures, ThresholdCutoff
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.transformers.features.features import feature_matrix, feature_names

ARTIFACT_TYPE, ARTIFACT_FORMAT = "learned_cases", "coliee"
FORMAT_VERSION = 1

_KIND = {"type": ARTIFACT_TYPE, "format": ARTIFACT_FORMAT}
_MANIFEST = "pt_meta.json"
_TREES = ("round1.txt", "round2.txt")
_RULES: dict[str, Callable[..., Cutoff]] = {
    rule.__name__: rule for rule in (ThresholdCutoff, RatioCutoff, ExpectedFCutoff)
}
_AS_WRITTEN = "the file as it was written; delete the folder and learn anew"


class Lesson(NamedTuple):
    """What was learned.

    ``features``: the names of those that candidates must have. ``rounds``: the trees of each round, in LightGBM's text
    form; a second one learns from the first one's probabilities too. ``filters`` and ``share``: which candidates, and
    what share of the noticed cases is among them. ``cutoff``: the best on train queries by models that had not seen
    them, and ``value`` its micro F1 there. ``split`` and ``fingerprint``: what was learned from.
    """

    features: tuple[str, ...]
    rounds: tuple[str, ...]
    filters: Filters
    share: float
    cutoff: Cutoff
    value: float
    split: str
    fingerprint: str


class LearnedCases(KeptHere, pt.Transformer, pt.Artifact):
    """Scores the candidates of task 1 by the probability that they are noticed: R to R.

    The candidates of any split serve, as `ir_coliee.baselines.case_search.CaseSearch` finds them and with its features,
    of all queries at once: ``search.candidates(learned.filters) >> search.features >> learned >> learned.cutoff``.
    `ir_coliee.baselines.noticed_cases.learn` makes one from a train split; ``LearnedCases.load(folder)`` opens
    one that was saved.
    """

    ARTIFACT_TYPE = ARTIFACT_TYPE
    ARTIFACT_FORMAT = ARTIFACT_FORMAT
    NOT_UPLOADED = (
        "What was learned is not sent to anybody: it comes from labels and decisions, and the memorandum that COLIEE's "
        "data are under forbids to pass them on, in processed form too. Whoever has the data learns the same from them."
    )

    schematic = BaseTransformer.schematic
    LABEL = "Learned cases"

    def __init__(self, source: Lesson | str | os.PathLike[str]) -> None:
        """``source``: what was learned, or the folder that it was saved in.

        Raises `ColieeError` for a folder that holds nothing of the kind or is of another version, `MalformedFileError`
        for a damaged one.
        """
        in_memory = isinstance(source, Lesson)
        pt.Artifact.__init__(self, pt.Artifact.NO_PATH if in_memory else source)
        self.lesson = source if isinstance(source, Lesson) else _read(Path(source))

    @property
    def filters(self) -> Filters:
        """Which decisions were no candidates."""
        return self.lesson.filters

    @property
    def cutoff(self) -> Cutoff:
        """How many candidates become the answer."""
        return self.lesson.cutoff

    def save(self, path: str | os.PathLike[str]) -> LearnedCases:
        """Write the folder ``path``, and open it. Raises `ExistingFileError` where something is there."""
        storage.refuse_existing(Path(path))
        with storage.new_folder(Path(path)) as folder:
            write(self.lesson, folder)
        return type(self)(path)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score candidates with features. Raises `ColieeError` for others, `MissingExtraError` without LightGBM."""
        pt.validate.result_frame(inp, extra_columns=["features"], context=self)
        if inp.empty:
            return sort_results(inp.assign(score=pd.Series(dtype=float)))
        scored = inp.reset_index(drop=True)
        for number, learner in enumerate(self._learners):
            scored = with_probabilities(scored, learner, second_round(scored) if number else scored)
        return scored

    @cached_property
    def _learners(self) -> list[Any]:
        return [loaded(trees) for trees in self.lesson.rounds]

    def __repr__(self) -> str:
        about = f"{len(self.lesson.features)} features, {len(self.lesson.rounds)} rounds, of {self.lesson.split}"
        return f"LearnedCases(<{about}>)"


_SECOND = ScoreFeatures(["first", "first_share"]) >> CompetitionFeatures(["first"])
SECOND_ROUND = tuple(name if name.startswith("first") else f"first_{name}" for name in feature_names(_SECOND))


def second_round(scored: pd.DataFrame) -> pd.DataFrame:
    """The candidates, in their order, with features of the first round's probabilities behind those they have.

    They tell how a candidate stands in the query, and how the query stands among all that have the candidate;
    ``first_share`` is the query's share of the candidate's sum.
    """
    sums = scored.groupby("docno", sort=False)["score"].transform("sum")
    shares = (scored["score"] / sums).where(sums > 0, 0.0)
    return _SECOND(scored.assign(first=scored["score"], first_share=shares))


def with_probabilities(candidates: pd.DataFrame, learner: Any, featured: pd.DataFrame) -> pd.DataFrame:
    """The candidates, best first, scored by what a learner makes of the features of these rows, which are the same.

    Raises `ColieeError` for other features than it has learned from.
    """
    features = feature_matrix(featured)
    if features.shape[1] != learner.num_feature():
        raise ColieeError(f"Learned from {learner.num_feature()} features, and given {features.shape[1]}.")
    scores: Floats = learner.predict(features, num_threads=1)
    return sort_results(candidates.drop(columns="rank", errors="ignore").assign(score=scores))


def loaded(trees: str) -> Any:
    """A learner from LightGBM's text form. Raises `MissingExtraError` without LightGBM."""
    try:
        import lightgbm
    except ImportError:
        raise MissingExtraError("Gradient boosting", "learn") from None
    return lightgbm.Booster(model_str=trees)


def write(lesson: Lesson, folder: Path) -> None:
    """Write what was learned into an empty folder."""
    rounds = [trees.encode("ascii") for trees in lesson.rounds]
    for number, content in enumerate(rounds):
        (folder / _TREES[number]).write_bytes(content)
    manifest = {
        **_KIND,
        "package_hint": "ir_coliee",
        "format_version": FORMAT_VERSION,
        **lesson._asdict(),
        "rounds": [_digest(content) for content in rounds],
        "filters": lesson.filters._asdict(),
        "cutoff": {"rule": type(lesson.cutoff).__name__, **lesson.cutoff.arguments()},
    }
    (folder / _MANIFEST).write_text(json.dumps(manifest, indent=2), encoding="ascii")


def _read(path: Path) -> Lesson:
    place = path / _MANIFEST
    try:
        fields = json.loads(place.read_bytes())
    except OSError as error:
        raise ColieeError(f"{path} holds nothing learned: {_MANIFEST} cannot be read ({error.strerror}).") from None
    except (ValueError, RecursionError):
        raise MalformedFileError(place, None, "no JSON", _AS_WRITTEN) from None
    if not isinstance(fields, dict) or {key: fields.get(key) for key in _KIND} != _KIND:
        raise ColieeError(f"{path} holds another artifact. Give the folder of one that LearnedCases has saved.")
    if (found := fields.get("format_version")) != FORMAT_VERSION:
        problem = f"{path} is in format {found}, and this ir_coliee reads format {FORMAT_VERSION}"
        raise ColieeError(f"{problem}. Delete the folder and learn anew.")
    try:
        rule = dict(fields["cutoff"])
        if len(fields["rounds"]) not in range(1, len(_TREES) + 1):
            raise MalformedFileError(place, None, "no trees, or too many", _AS_WRITTEN)
        return Lesson(
            tuple(map(str, fields["features"])),
            tuple(_trees(path / name, digest) for name, digest in zip(_TREES, fields["rounds"])),
            Filters(**fields["filters"]),
            float(fields["share"]),
            _RULES[rule.pop("rule")](**rule),
            float(fields["value"]),
            str(fields["split"]),
            str(fields["fingerprint"]),
        )
    except MalformedFileError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        problem = f"not what was written ({type(error).__name__}: {error})"
        raise MalformedFileError(place, None, problem, _AS_WRITTEN) from None


def _trees(path: Path, digest: str) -> str:
    """The trees in a file. LightGBM does not check what it reads, so a file that was changed never reaches it."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise MalformedFileError(path, None, f"it cannot be read ({error.strerror})", _AS_WRITTEN) from None
    if _digest(content) != digest:
        raise MalformedFileError(path, None, "another content than the manifest says", _AS_WRITTEN)
    return content.decode("ascii")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
