"""The learned baseline of task 1: noticed cases by gradient boosting within pools, in two rounds."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial

from ir_coliee.baselines.cases.best_recipe import BestRecipe
from ir_coliee.baselines.cases.case_blocks import CaseBlock, block_arrays, block_of, case_block
from ir_coliee.baselines.cases.case_features import CaseFeatureSet
from ir_coliee.baselines.cases.case_pools import (
    CasePool,
    NoticedQueries,
    block_sizes,
    noticed_queries,
    train_pools,
    whole_pool,
)
from ir_coliee.baselines.cases.case_recipes import FEATURES, case_recipe
from ir_coliee.baselines.finished_stages import FinishedStages
from ir_coliee.baselines.learned_baseline import Choices, LearnedBaseline
from ir_coliee.baselines.recipes import QueryBlock
from ir_coliee.baselines.training_data import TrainingData
from ir_coliee.editions import Split
from ir_coliee.engine.cases.case_collection import CaseCollection, case_collection
from ir_coliee.engine.cases.text_terms import BIGRAMS, NGrams, shared_ngrams, word_counts
from ir_coliee.engine.workers import available_cores
from ir_coliee.progress import progress, stage
from ir_coliee.releases.cases import documents, query_ids
from ir_coliee.releases.release import LocalRelease

_TRAIN, _TEST = "features of the train queries", "features of the queries"
_KIND = "caseblock"
_BEST = "best"

_POOL_NOTE = (
    "Some features compare all test queries. They help because in a test split few queries cite the same decision. "
    "In a library of decisions many may: --no-pool-features (pool_features=False) runs without them."
)
_NO_POOL_NOTE = (
    "without the features that compare the queries of the pool; document frequencies, latent dimensions, duplicates "
    "and the threshold of the cut-off are still those of the pool"
)


def prepare_cases(split: Split, training: TrainingData, choices: Choices) -> LearnedBaseline:
    """Return the learned baseline of a split of task 1. Nothing is computed yet.

    Parameters
    ----------
    split : Split
        A split of task 1.
    training : TrainingData
        The labelled queries.
    choices : Choices
        The recipe, and whether features may compare the queries of a pool. The recipe ``best`` is ``compact`` if its
        value on held-out blocks is higher than that of ``lean`` by more than .01, and ``lean`` otherwise.

    Returns
    -------
    LearnedBaseline
    """
    if choices.recipe == _BEST:
        lean, compact = (prepare_cases(split, training, choices._replace(recipe=name)) for name in FEATURES)
        return BestRecipe.of(lean, compact)
    recipe, features = case_recipe(choices.recipe, pool_features=choices.pool_features)
    search = CaseSearch(split, training, features)
    return LearnedBaseline(
        split,
        training,
        recipe,
        search.train_blocks,
        search.block,
        stages=(_TRAIN,) if training.split.files == split.files else (_TRAIN, _TEST),
        notes=(search.pools_note, _POOL_NOTE if choices.pool_features else _NO_POOL_NOTE),
        is_kept=search.are_kept,
    )


class CaseSearch:
    """The candidates of the queries of a split and of its train split, pool by pool.

    Parameters
    ----------
    split : Split
        A split of task 1.
    training : TrainingData
        The labelled queries.
    features : CaseFeatureSet
        The features.
    """

    def __init__(self, split: Split, training: TrainingData, features: CaseFeatureSet) -> None:
        self.split, self.training, self.features = split, training, features

    @cached_property
    def train_pools(self) -> list[CasePool]:
        """The pools of the train queries."""
        release = LocalRelease.open(self.training.split)
        queries = query_ids(release)
        sizes = block_sizes(self.training.split, len(queries))
        return train_pools(sizes, queries, documents(release).ids, self.training.qrels(), release.candidates())

    @cached_property
    def noticed_queries(self) -> NoticedQueries:
        """The noticed cases of the train queries that are queries of the same block."""
        return noticed_queries((pool.queries for pool in self.train_pools), self.training.qrels())

    @property
    def pools_note(self) -> str:
        """What the pools of the train queries are."""
        blocks = f"train queries in blocks of {', '.join(str(len(pool.queries)) for pool in self.train_pools)}"
        if self.split.has_pools:
            return f"{blocks}, each query with its candidate pool"
        number, of = self.noticed_queries
        role = "candidates" if self.noticed_queries.are_many else "not candidates"
        reason = f"{number:,} of {of:,} noticed cases in train are queries of the same block"
        return f"{blocks}, each with a pool of what they notice; query cases are {role}, because {reason}"

    def train_blocks(self) -> list[QueryBlock]:
        """Return the candidates of the train queries. Each block is kept when it is finished."""
        finished = FinishedStages(self.training)
        with stage(_TRAIN):
            return self._blocks(finished, self.training.split, self.train_pools)

    def block(self) -> QueryBlock:
        """Return the candidates of the queries of the split."""
        release = LocalRelease.open(self.split)
        pool = whole_pool(
            query_ids(release),
            documents(release).ids,
            release.candidates(),
            queries_are_candidates=self.noticed_queries.are_many,
        )
        with stage(_TEST):
            [block] = self._blocks(FinishedStages(self.split), self.split, [pool])
        return block

    def are_kept(self) -> bool:
        """Return whether the candidates of all train queries are kept from an earlier run."""
        return self._are_kept(FinishedStages(self.training), self.train_pools)

    def _are_kept(self, finished: FinishedStages, pools: Sequence[CasePool]) -> bool:
        return all(finished.has(pool.name, _KIND, *self._key(pool)) for pool in pools)

    def _blocks(self, finished: FinishedStages, split: Split, pools: Sequence[CasePool]) -> list[QueryBlock]:
        """Return the candidates of several pools of a split, computed side by side in threads."""
        cores = available_cores()
        threads = max(1, cores // len(pools))
        counted = None if self._are_kept(finished, pools) else _counted(split, cores)

        def computed(pool: CasePool) -> CaseBlock:
            return case_block(pool, counted or _counted(split, cores), self.features, threads=threads)

        def block(pool: CasePool) -> QueryBlock:
            return finished.result(
                pool.name,
                partial(computed, pool),
                block_arrays,
                partial(block_of, pool.name),
                kind=_KIND,
                parameters=self._key(pool),
            ).query_block()

        with ThreadPoolExecutor(min(cores, len(pools))) as executor:
            return list(progress(executor.map(block, pools), "pools", total=len(pools), unit="blocks"))

    def _key(self, pool: CasePool) -> tuple[object, ...]:
        return self.features, pool.queries, pool.documents


def _counted(split: Split, threads: int) -> CaseCollection:
    """Return the texts of a split. Their words and n-grams are counted once, not by each pool."""
    collection = case_collection(LocalRelease.open(split))
    with ThreadPoolExecutor(threads) as executor:
        words = executor.submit(word_counts, collection.sequences)
        list(executor.map(partial(shared_ngrams, collection.sequences), (BIGRAMS, NGrams(3), NGrams(5))))
        words.result()
    return collection
