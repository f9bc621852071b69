"""Task 2: gradient boosting over the paragraphs of each noticed case, for near or for far fragments.

The recipe was developed for this package and measured on the edition of 2025. The measurement may have used a longer
list of stop words than the 33 of Lucene's English analyser, which are left out here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.baselines.kept import FinishedStages
from ir_coliee.baselines.plan import Choices, LearnedBaseline
from ir_coliee.baselines.recipes import BoostedLearner, FeatureTable, QueryBlock, Recipe
from ir_coliee.baselines.training import TrainingData, shares_labels
from ir_coliee.datasets.folds import Folds, FragmentCases, by_block, decisions, edition_blocks, task1_splits
from ir_coliee.editions import Split
from ir_coliee.engine.paragraphs.features import (
    FORM,
    NEIGHBOURS,
    PLACES,
    cosines,
    cue_features,
    cue_names,
    form_features,
    mean_bm25,
    neighbour_features,
    place_features,
    quoted_features,
    quoted_names,
)
from ir_coliee.engine.paragraphs.texts import (
    ContentWords,
    Pools,
    TokenTexts,
    character_counts,
    character_tf_idf,
    latent_vectors,
    tf_idf,
)
from ir_coliee.errors import ColieeError, InsufficientTrainingDataError
from ir_coliee.evaluation.cutoffs import fit_cutoff
from ir_coliee.frames import Floats
from ir_coliee.measures import MicroF1
from ir_coliee.progress import stage
from ir_coliee.releases.release import LocalRelease, fingerprint_of_base_cases, sources_of_decisions
from ir_coliee.text.citation_windows import FAR_DISTANCE, citation_windows, place_fragment, without_markers
from ir_coliee.transformers import ThresholdCutoff
from ir_coliee.transformers.candidates.cutoffs import Cutoff

__all__ = ["prepare_paragraphs"]


# The features of the paragraphs of all cases, for the texts of their queries.


_KINDS = ("", "_ratio", "_rank", "_gap", "_z")
_WHOLE_CASE = "base"  # a query text that is too long for character n-grams
#: The features of a paragraph that are compared with those of the other paragraphs of its case.
_COMPARED = ("log_length", *NEIGHBOURS, "voice", "conclusion", "citation", "facts", "quotation_marks")


def case_features(
    cases: FragmentCases, queries: Mapping[str, Sequence[str]], decisions: Iterable[str] | None = None
) -> FeatureTable:
    """Compute the features of the paragraphs of all cases.

    Parameters
    ----------
    cases : FragmentCases
        The cases.
    queries : mapping of str to sequence of str
        Texts of the query of each case, by family (see `Role.query_texts`).
    decisions : iterable of str, optional
        Decisions that are searched for the words of paragraphs, each once; by default the base cases are.

    Returns
    -------
    FeatureTable
        A row for each paragraph, with 25 features of each query text (20 of a whole base case), 2 of the paragraph's
        neighbours for the first one, and besides 4 of the paragraph's place, 48 others of the paragraph, and 24 of its
        words in other decisions.
    """
    number = len(cases.texts)
    with stage("texts of the cases"):
        tokens = TokenTexts.of([*cases.texts, *(text for texts in queries.values() for text in texts)])
    with stage("scores of the paragraphs"):
        starts = {family: number + place * len(cases.qids) for place, family in enumerate(queries)}
        columns = _of_vectors(tokens, starts, cases)
        columns |= {f"places.{name}": values for name, values in zip(PLACES, place_features(cases.pools).T)}
    with stage("quoted elsewhere"):
        quoted = quoted_features(tokens.first(number), cases.pools, cases.base_cases, decisions)
        columns |= {f"quoted.{name}": values for name, values in zip(quoted_names(), quoted.T)}
    qids = np.array(cases.qids, dtype=object).repeat(cases.sizes)
    return FeatureTable.of(qids.tolist(), cases.docnos, columns)


def _of_vectors(tokens: TokenTexts, starts: Mapping[str, int], cases: FragmentCases) -> dict[str, Floats]:
    """Compute the features that need vectors, which take much memory and are not kept."""
    number = len(cases.texts)
    vectors = _Vectors(tokens, number, starts.get(_WHOLE_CASE, len(tokens)))
    scores = _scores(vectors, starts, cases.pools)
    return scores | _style(cases.texts, tokens.first(number), vectors, cases.pools)


def _scores(vectors: _Vectors, starts: Mapping[str, int], pools: Pools) -> dict[str, Floats]:
    columns: dict[str, Floats] = {}
    for family, start in starts.items():
        for name, scores in vectors.scores(slice(start, start + len(pools.sizes)), pools):
            fivefold = pools.fivefold(scores).T
            columns |= {f"{family}.{name}{kind}": values for kind, values in zip(_KINDS, fivefold)}
    first = next(iter(starts))
    for name, step in (("previous", -1), ("next", 1)):
        columns[f"{first}.words_z_of_{name}"] = pools.neighbour(columns[f"{first}.words_z"], step)
    return columns


def _style(texts: Sequence[str], paragraphs: TokenTexts, vectors: _Vectors, pools: Pools) -> dict[str, Floats]:
    form = form_features(texts, paragraphs.sizes.astype(np.float64))
    neighbours = neighbour_features(vectors.words[: len(texts)], vectors.latent[: len(texts)], pools)
    values = np.hstack([form, neighbours, cue_features(paragraphs)]).T
    columns = {f"paragraph.{name}": column for name, column in zip([*FORM, *NEIGHBOURS, *cue_names()], values)}
    for name in _COMPARED:
        ranks, z = pools.rank_and_z(columns[f"paragraph.{name}"]).T
        columns |= {f"paragraph.{name}_rank": ranks, f"paragraph.{name}_z": z}
    return columns


class _Vectors:
    """Paragraphs, which are the first rows, and query texts as vectors of each kind of terms.

    Parameters
    ----------
    tokens : TokenTexts
        The texts.
    paragraphs : int
        The number of paragraphs.
    with_characters : int
        The number of texts, from the first one, of which character n-grams are counted.
    """

    def __init__(self, tokens: TokenTexts, paragraphs: int, with_characters: int) -> None:
        content = ContentWords.of(tokens)
        self.paragraphs = paragraphs
        self.counts = content.counts()
        self.words = tf_idf(self.counts, paragraphs)
        self.pairs = tf_idf(content.pair_counts(), paragraphs)
        ngrams = character_counts(self.counts[:with_characters], content.vocabulary)
        self.characters = character_tf_idf(ngrams, paragraphs)
        self.latent = latent_vectors(self.words, paragraphs)

    def scores(self, queries: slice, pools: Pools) -> Iterator[tuple[str, Floats]]:
        """Yield each score of the paragraphs for the query texts in some rows, with its name."""
        named = {"words": self.words, "pairs": self.pairs, "characters": self.characters}
        for name, vectors in named.items():
            if queries.stop <= vectors.shape[0]:
                yield name, cosines(vectors[: self.paragraphs], vectors[queries], pools)
        yield "latent", (self.latent[: self.paragraphs] * self.latent[queries][pools.numbers]).sum(axis=1)
        yield "bm25", mean_bm25(self.counts[: self.paragraphs], self.counts[queries], pools)


# Whether the fragments of a split stand near citations or far from them, and the query texts that follow from it.


class Role(NamedTuple):
    """The role of the fragments of a split, from the split's inputs alone.

    Attributes
    ----------
    cases : int
        The number of cases.
    distances : list of int
        The distance of the fragment from the nearest citation, in each case in which both were found.
    """

    cases: int
    distances: list[int]

    @classmethod
    def of(cls, cases: FragmentCases) -> Role:
        """Measure the distances in the base cases of a split."""
        distances = (place_fragment(*pair).distance for pair in zip(cases.fragments, cases.base_cases))
        return cls(len(cases.qids), [distance for distance in distances if distance is not None])

    @property
    def is_far(self) -> bool:
        """Whether the median distance is above 300 characters; False if no distance is known."""
        return bool(self.distances) and float(np.median(self.distances)) > FAR_DISTANCE

    @property
    def name(self) -> str:
        """``far`` or ``near``."""
        return "far" if self.is_far else "near"

    def query_texts(self, cases: FragmentCases, *, delete_fragment: bool) -> dict[str, list[str]]:
        """Make two texts of each query, by the family of the features that are computed of them.

        Parameters
        ----------
        cases : FragmentCases
            Cases of any split.
        delete_fragment : bool
            Delete far fragments from their base cases first. Near fragments are never deleted.

        Returns
        -------
        dict of str to list of str
            For far fragments ``windows`` (around the first three citations and the fragment) and ``base`` (the whole
            base case); for near ones ``fragment`` and ``windows`` (around the fragment alone).
        """
        pairs = [*zip(cases.fragments, cases.base_cases)]
        if not self.is_far:
            return {"fragment": cases.fragments, "windows": [citation_windows(*pair, number=0) for pair in pairs]}
        placed = [place_fragment(*pair, delete=delete_fragment) for pair in pairs]
        return {
            "windows": [citation_windows(*pair, delete_fragment=delete_fragment) for pair in pairs],
            "base": [without_markers(place.text) for place in placed],
        }

    def __str__(self) -> str:
        if not self.distances:
            return "fragments count as near, because none was found in a base case with a suppressed citation"
        median = f"{np.median(self.distances):,.0f}"
        distance = f"{median} character{'' if median == '1' else 's'} to the nearest suppressed citation"
        found = f"found in {len(self.distances)} of {self.cases} cases"
        return f"fragments count as {self.name}: median distance {distance} (far: more than {FAR_DISTANCE}; {found})"


# The recipe of task 2: its learner for near and for far fragments, and its cut-off.


_THRESHOLDS = tuple(percent / 100 for percent in range(2, 61))
_MAX_ITEMS = (2, 3, 5)
_NEAR_TIE = 0.005


@dataclass(frozen=True)
class NearTieCutoff:
    """The best threshold on the probability, with the smallest max_items within .005 of the best: 2, 3 or 5.

    At least one paragraph is returned. A near tie is decided by the shorter answer, because test splits differ in the
    number of relevant paragraphs.
    """

    def __call__(self, runs: Sequence[pd.DataFrame], gold: pd.DataFrame) -> Cutoff:
        """Choose a cut-off, see `ir_coliee.baselines.recipes.Cut`."""
        run = pd.concat(runs, ignore_index=True)
        fitted = [
            fit_cutoff(run, gold, MicroF1, [ThresholdCutoff(t, min_items=1, max_items=items) for t in _THRESHOLDS])
            for items in _MAX_ITEMS
        ]
        best = max(each.value for each in fitted)
        return next(each.cutoff for each in fitted if each.value >= best - _NEAR_TIE)


def paragraph_recipe(role: Role) -> Recipe:
    """Return the recipe for the fragments of a role; leaves are smaller for near ones, which tell more."""
    learner = BoostedLearner(
        rounds=300,
        rate=0.03,
        leaves=15,
        rows_per_leaf=200 if role.is_far else 60,
        rows=0.8,
        columns=0.3,
        l2=5.0,
        bins=255,
        seeds=3,
    )
    return Recipe("standard", (learner,), NearTieCutoff(), MicroF1)


# The learned baseline of task 2: the cases with their features, and the recipe for the role of their fragments.


_BLOCKS = 5  # if the number of cases that each edition added is not known
_FEATURES = "features of the paragraphs"


def prepare_paragraphs(split: Split, training: TrainingData, choices: Choices) -> LearnedBaseline:
    """Return the learned baseline of a split of task 2.

    Parameters
    ----------
    split : Split
        A split of task 2. In a train split, each block of cases is answered by a model fitted on the others.
    training : TrainingData
        The labelled cases.
    choices : Choices
        Not used: there is one recipe.
    """
    cases = LabelledCases(split, training)
    return LearnedBaseline(
        split,
        training,
        paragraph_recipe(cases.role),
        cases.train_blocks,
        cases.block,
        (_FEATURES,),
        notes=cases.notes,
    )


@dataclass(frozen=True, eq=False)
class LabelledCases:
    """The cases of the train split and of the split to answer, with the features of their paragraphs.

    The features are computed together: those of train cases depend on the role of the fragments to answer, and document
    frequencies on the paragraphs of both.

    Attributes
    ----------
    split : Split
        The split to answer.
    training : TrainingData
        The labelled cases.
    """

    split: Split
    training: TrainingData

    @cached_property
    def role(self) -> Role:
        """The role of the fragments of the split to answer."""
        return Role.of(self._cases)

    @property
    def notes(self) -> tuple[str, ...]:
        """The role, where the words of paragraphs are searched, and why train cases are in equal blocks (if so)."""
        searched = " and ".join(split.id for split in self._task1) or "the base cases of other queries"
        notes = str(self.role), f"quotations of paragraphs were searched in {searched}"
        if self._edition_folds:
            return notes
        why = "how many of these each edition added is not known"
        return *notes, f"train cases are held out in equal blocks: {why}"

    def train_blocks(self) -> list[QueryBlock]:
        """Return the train cases: one block per added edition if their number is official, otherwise five equal blocks.

        If fragments are far, the features of train cases are computed without the fragment.

        Raises
        ------
        InsufficientTrainingDataError
            If there is only one case.
        """
        cases = self._train
        if len(cases.qids) < 2:
            raise InsufficientTrainingDataError("the train split has only one case, so none can be held out")
        folds = self._edition_folds or by_block(cases.qids, min(_BLOCKS, len(cases.qids)))
        table = _rows(self._table, 0, len(cases.docnos))
        tables = (table.of_queries(held) for _, held in folds.splits())
        return [QueryBlock(f"block {place}", of_block) for place, of_block in enumerate(tables) if len(of_block)]

    def block(self) -> QueryBlock:
        """Return the cases of the split to answer, which is not the train split."""
        number = len(self._train.docnos)
        return QueryBlock(self.split.name, _rows(self._table, number, len(self._table)))

    @cached_property
    def _train(self) -> FragmentCases:
        return FragmentCases.of(self.training.split)

    @cached_property
    def _cases(self) -> FragmentCases:
        """The cases of the split to answer."""
        return self._train if shares_labels(self.training.split, self.split) else FragmentCases.of(self.split)

    @cached_property
    def _edition_folds(self) -> Folds | None:
        """The train cases by the edition that added them, also those without a paragraph; None if this is not known."""
        qids = [qid for qid, _ in LocalRelease.open(self.training.split).queries()]
        try:
            sizes = edition_blocks(self.training.split)
        except ColieeError:
            return None
        return by_block(qids, sizes) if sum(sizes) == len(qids) else None

    @cached_property
    def _task1(self) -> list[Split]:
        return task1_splits(self.split)

    @cached_property
    def _finished(self) -> FinishedStages:
        sources = [sources_of_decisions(LocalRelease.open(split)) for split in self._task1]
        if any(files.is_encrypted for files in sources):
            return FinishedStages()  # keeps nothing
        base_cases = [fingerprint_of_base_cases(LocalRelease.open(each)) for each in (self.training.split, self.split)]
        searched = [files.fingerprint for files in sources]
        return FinishedStages(self.split, self.training, parameters=[*base_cases, *searched])

    @cached_property
    def _table(self) -> FeatureTable:
        """The features of the paragraphs of the train cases, followed by those of the split to answer."""
        return self._finished.table(_FEATURES, self._computed)

    def _computed(self) -> FeatureTable:
        cases, queries = self._train, self.role.query_texts(self._train, delete_fragment=True)
        if not shares_labels(self.training.split, self.split):
            to_answer = self.role.query_texts(self._cases, delete_fragment=False)
            queries = {family: [*texts, *to_answer[family]] for family, texts in queries.items()}
            cases += self._cases
        return case_features(cases, queries, decisions(self._task1) if self._task1 else None)


def _rows(table: FeatureTable, start: int, end: int) -> FeatureTable:
    return FeatureTable(table.qids[start:end], table.docnos[start:end], table.values[start:end], table.names)
