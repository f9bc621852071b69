"""Task 2: gradient boosting over the paragraphs of each noticed case, for near or for far fragments.

The recipe was developed for this package and measured on the edition of 2025. The measurement may have used a longer
list of stop words than the 33 of Lucene's English analyser, which are left out here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.baselines.learned import Data, LearnedBaseline, kept_table
from ir_coliee.baselines.recipes import BoostedLearner, FeatureTable, QueryBlock, Recipe
from ir_coliee.baselines.training import added_queries
from ir_coliee.datasets.folds import Folds, FragmentCases, by_block, decisions, task1_splits
from ir_coliee.editions import Split
from ir_coliee.engine import paragraphs as engine
from ir_coliee.engine.paragraphs import Pools, TokenTexts
from ir_coliee.errors import InsufficientTrainingDataError
from ir_coliee.evaluation.cutoffs import fit_cutoff
from ir_coliee.frames import Floats
from ir_coliee.measures import MicroF1
from ir_coliee.progress import stage
from ir_coliee.releases.release import LocalRelease, fingerprint_of_base_cases, sources_of_decisions
from ir_coliee.text.citations import FAR_DISTANCE, citation_windows, place_fragment, without_markers
from ir_coliee.transformers import ThresholdCutoff
from ir_coliee.transformers.candidates.cutoffs import Cutoff

_BLOCKS = 5  # if the number of cases that each edition added is not known


class ParagraphBaseline(LearnedBaseline):
    """The paragraphs of the cases of the train split and of the split to answer, for fragments of the latter's role.

    Features are computed together: those of train cases depend on the role of the fragments to answer, and document
    frequencies on the paragraphs of both. In a train split, each block of cases is answered by a model fitted on the
    others.
    """

    depends_on_split = True

    @cached_property
    def role(self) -> Role:
        """The role of the fragments of the split to answer."""
        return Role.of(self._cases)

    @property
    def recipe(self) -> Recipe:
        """The recipe for this role."""
        return paragraph_recipe(self.role)

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
        table = self._table.rows(slice(len(cases.docnos)))
        tables = (table.of_queries(held) for _, held in folds.splits())
        return [QueryBlock(f"block {place}", of_block) for place, of_block in enumerate(tables) if len(of_block)]

    def block(self) -> QueryBlock:
        """Return the cases of the split to answer, which is not the train split."""
        return QueryBlock(self.split.name, self._table.rows(slice(len(self._train.docnos), None)))

    @cached_property
    def _train(self) -> FragmentCases:
        return FragmentCases.of(self.training.split)

    @cached_property
    def _cases(self) -> FragmentCases:
        """The cases of the split to answer."""
        return self._train if self.answers_train else FragmentCases.of(self.split)

    @cached_property
    def _edition_folds(self) -> Folds | None:
        """The train cases by the edition that added them, also those without a paragraph; None if this is not known."""
        qids = [qid for qid, _ in LocalRelease.open(self.training.split).queries()]
        sizes = added_queries(self.training.split, len(qids))
        return by_block(qids, sizes) if sizes else None

    @cached_property
    def _task1(self) -> list[Split]:
        return task1_splits(self.split)

    @cached_property
    def _table(self) -> FeatureTable:
        """The features of the paragraphs of the train cases, followed by those of the split to answer."""
        sources = [sources_of_decisions(LocalRelease.open(split)) for split in self._task1]
        base_cases = [fingerprint_of_base_cases(LocalRelease.open(each)) for each in (self.training.split, self.split)]
        data: Data = [] if any(files.is_encrypted for files in sources) else [self.split, self.training]
        files = [*base_cases, *(each.fingerprint for each in sources)]
        return kept_table("features of the paragraphs", self._computed, data, *files)

    def _computed(self) -> FeatureTable:
        cases, queries = self._train, self.role.query_texts(self._train, delete_fragment=True)
        if not self.answers_train:
            to_answer = self.role.query_texts(self._cases, delete_fragment=False)
            queries = {family: [*texts, *to_answer[family]] for family, texts in queries.items()}
            cases += self._cases
        return case_features(cases, queries, decisions(self._task1) if self._task1 else None)


class Role(NamedTuple):
    """Whether the fragments of a split stand near citations or far from them, from the split's inputs alone.

    In train splits, a fragment is the sentence around a suppressed citation. In the test split of 2025, it is a
    conclusion elsewhere in the base case, which shares few words with the paragraphs that entail it. A model for far
    fragments learns from base cases without the fragment, and looks at the windows around the citations.

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
        """Return two texts of each query, by the family of the features that are computed of them.

        For far fragments these are ``windows`` (around the first three citations and the fragment) and ``base`` (the
        whole base case); for near ones ``fragment`` and ``windows`` (around the fragment alone). With
        ``delete_fragment``, far fragments are deleted from their base cases first; near ones never are.
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


# The recipe of task 2.

_THRESHOLDS = tuple(percent / 100 for percent in range(2, 61))
_MAX_ITEMS = (2, 3, 5)
_NEAR_TIE = 0.005


def paragraph_recipe(role: Role) -> Recipe:
    """Return the recipe for the fragments of a role; leaves are smaller for near ones, which tell more."""
    learner = BoostedLearner(
        num_iterations=300,
        learning_rate=0.03,
        num_leaves=15,
        min_data_in_leaf=200 if role.is_far else 60,
        feature_fraction=0.3,
        lambda_l2=5.0,
        max_bin=255,
        seeds=3,
    )
    return Recipe("standard", (learner,), near_tie_cutoff, MicroF1)


def near_tie_cutoff(runs: Sequence[pd.DataFrame], gold: pd.DataFrame) -> Cutoff:
    """Choose the best threshold on the probability, with the smallest max_items within .005 of the best: 2, 3 or 5.

    At least one paragraph is returned. A near tie is decided by the shorter answer, because test splits differ in the
    number of relevant paragraphs. Parameters and result are those of `ir_coliee.baselines.recipes.Cut`.
    """
    run = pd.concat(runs, ignore_index=True)
    fitted = [
        fit_cutoff(gold, run, MicroF1, [ThresholdCutoff(t, min_items=1, max_items=items) for t in _THRESHOLDS])
        for items in _MAX_ITEMS
    ]
    best = max(each.value for each in fitted)
    return next(each.cutoff for each in fitted if each.value >= best - _NEAR_TIE)


# The features of the paragraphs of all cases, for the texts of their queries.

_KINDS = ("", "_ratio", "_rank", "_gap", "_z")
_WHOLE_CASE = "base"  # a query text that is too long for character n-grams
#: The features of a paragraph that are compared with those of the other paragraphs of its case.
_COMPARED = (
    *("log_length", "previous", "next", "others", "earlier", "latent_mean"),
    *("voice", "conclusion", "citation", "facts", "quotation_marks"),
)


def case_features(
    cases: FragmentCases, queries: Mapping[str, Sequence[str]], decisions: Iterable[str] | None = None
) -> FeatureTable:
    """Compute the features of the paragraphs of all cases, one a row, from the texts alone.

    Document frequencies and latent vectors are those of all paragraphs that are given together, which are those of the
    train split and of the split to answer. The words of paragraphs are searched in the decisions, each once; by default
    in the base cases. There are 25 features of each query text (20 of a whole base case), 2 of the paragraph's
    neighbours for the first one, and besides 4 of the paragraph's place, 48 others of the paragraph, and 24 of its
    words in other decisions.
    """
    number, pools = len(cases.texts), Pools.of_sizes(cases.sizes)
    with stage("texts of the cases"):
        tokens = TokenTexts.of([*cases.texts, *(text for texts in queries.values() for text in texts)])
    with stage("scores of the paragraphs, and in how many decisions their words are"), ThreadPoolExecutor(1) as beside:
        quoted = beside.submit(engine.quoted_features, tokens.first(number), pools, cases.base_cases, decisions)
        starts = {family: number + place * len(cases.qids) for place, family in enumerate(queries)}
        columns = _scores_and_style(tokens, starts, cases)
        columns |= {f"places.{name}": values for name, values in engine.place_features(pools).items()}
        columns |= {f"quoted.{name}": values for name, values in zip(engine.quoted_names(), quoted.result().T)}
    qids = np.array(cases.qids, dtype=object).repeat(cases.sizes)
    return FeatureTable.of(qids.tolist(), cases.docnos, columns)


def _scores_and_style(tokens: TokenTexts, starts: Mapping[str, int], cases: FragmentCases) -> dict[str, Floats]:
    """Compute the features that need vectors of paragraphs, the first texts, and of the queries behind them."""
    number, pools = len(cases.texts), Pools.of_sizes(cases.sizes)
    counts, pair_counts = engine.word_counts(tokens)
    with_characters = counts[: starts.get(_WHOLE_CASE, len(tokens))]
    vectors = {
        "words": engine.tf_idf(counts, number),
        "pairs": engine.tf_idf(pair_counts, number),
        "characters": engine.tf_idf(
            engine.character_counts(with_characters, tokens.vocabulary), number, min_df=3, max_terms=200_000
        ),
    }
    latent = engine.latent_vectors(vectors["words"], number)
    columns: dict[str, Floats] = {}
    for family, start in starts.items():
        queries = slice(start, start + len(pools.sizes))
        scores = {
            name: engine.cosines(of_texts[:number], of_texts[queries], pools)
            for name, of_texts in vectors.items()
            if queries.stop <= of_texts.shape[0]
        }
        scores["latent"] = (latent[:number] * latent[queries][pools.numbers]).sum(axis=1)
        scores["bm25"] = engine.mean_bm25(counts[:number], counts[queries], pools)
        for name, values in scores.items():
            fivefold = pools.fivefold(values).T
            columns |= {f"{family}.{name}{kind}": column for kind, column in zip(_KINDS, fivefold)}
    first = next(iter(starts))
    for name, step in (("previous", -1), ("next", 1)):
        columns[f"{first}.words_z_of_{name}"] = pools.neighbour(columns[f"{first}.words_z"], step)
    paragraphs = tokens.first(number)
    style = engine.form_features(cases.texts, paragraphs.sizes)
    style |= engine.neighbour_features(vectors["words"][:number], latent[:number], pools)
    style |= dict(zip(engine.cue_names(), engine.cue_features(paragraphs).T))
    for name in _COMPARED:
        style[f"{name}_rank"], style[f"{name}_z"] = pools.rank_and_z(style[name]).T
    return columns | {f"paragraph.{name}": column for name, column in style.items()}
