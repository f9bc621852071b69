"""The learned baseline of task 1: noticed cases by gradient boosting within pools, in two rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from scipy import sparse

from ir_coliee.baselines.cases.evidence import (
    COMPACT,
    LEAN,
    TOTAL,
    TOTAL_OF,
    CaseFeatureSet,
    CasePool,
    NoticedQueries,
    block_sizes,
    case_scores,
    noticed_queries,
    train_pools,
    whole_pool,
)
from ir_coliee.baselines.kept import Arrays, FinishedStages, table_arrays, table_of
from ir_coliee.baselines.plan import BaselineRun, Choices, LearnedBaseline
from ir_coliee.baselines.recipes import BoostedLearner, Columns, FeatureTable, QueryBlock, Recipe
from ir_coliee.baselines.recipes.fitting import Ablation
from ir_coliee.baselines.training import TrainingData
from ir_coliee.editions import Split
from ir_coliee.engine.cases.candidates import (
    GRAPH_FEATURES,
    KINDS,
    PAIR_FEATURES,
    CandidateGraph,
    Candidates,
    best_candidates,
    graph_features,
    pair_features,
    pool_kinds,
    total_score,
)
from ir_coliee.engine.cases.contexts import later_texts
from ir_coliee.engine.cases.terms import BIGRAMS, NGrams, Scores, shared_ngrams, word_counts
from ir_coliee.engine.cases.texts import CaseCollection, TextPool, case_collection
from ir_coliee.engine.parallel import available_cores
from ir_coliee.frames import Booleans, Floats, Integers, ranks_from_0
from ir_coliee.measures import MicroF1
from ir_coliee.progress import progress, stage
from ir_coliee.releases.cases import documents, query_ids
from ir_coliee.releases.release import LocalRelease
from ir_coliee.transformers import PoolCutoff
from ir_coliee.transformers.training_labels import label_values

# Candidates of the queries of a pool, with the features of a recipe of task 1.


NUM_CANDIDATES = 100  # texts of a query

_SECOND = "second"

#: The documents with the text of a column that are candidates of the query of a row.
_Documents: TypeAlias = Callable[[int, int], Sequence[str]]


class CaseBlock(NamedTuple):
    """The candidates of a block of queries, in the form in which they are kept.

    Attributes
    ----------
    name : str
        The name of the block.
    table : FeatureTable
        The candidates; a candidate is one of the documents with its text. Those of a query are in order of `TOTAL`.
    duplicates : dict of (str, str) to sequence of str
        All documents of its pool with the text of a candidate, by query and candidate, where there are several.
    graph : CandidateGraph or None
        What the second round uses; None without features of other queries.
    """

    name: str
    table: FeatureTable
    duplicates: dict[tuple[str, str], Sequence[str]]
    graph: CandidateGraph | None

    def query_block(self) -> QueryBlock:
        """Return the block for a recipe."""
        second = partial(_second_features, self.graph) if self.graph else None
        return QueryBlock(self.name, self.table, second, self.duplicates)


def case_block(pool: CasePool, collection: CaseCollection, features: CaseFeatureSet, *, threads: int = 1) -> CaseBlock:
    """Find the candidates of the queries of a pool, and compute their features.

    Parameters
    ----------
    pool : CasePool
        The queries and documents.
    collection : CaseCollection
        The texts of a split that has them.
    features : CaseFeatureSet
        The features.
    threads : int
        The number of threads. The result does not depend on it.

    Returns
    -------
    CaseBlock
        For each query the 100 texts with the highest sum of scores, see `TOTAL_OF`. A query's own text is no candidate.
    """
    texts, column = np.unique(collection.text_numbers(pool.documents), return_inverse=True)
    text_pool = TextPool(collection.sequences, collection.text_numbers(pool.queries), texts)
    documents, allowed = _candidate_documents(pool, column, len(texts))
    allowed &= text_pool.queries[:, None] != texts
    excluded = later_texts(text_pool) | ~allowed
    scores = case_scores(text_pool, {*features.scores, *TOTAL_OF} - {TOTAL}, excluded=excluded, threads=threads)
    scores[TOTAL] = total_score([scores[name] for name in TOTAL_OF], allowed)
    candidates = best_candidates(scores[TOTAL], allowed, NUM_CANDIDATES)
    of_candidates = [documents(*pair) for pair in zip(*candidates)]
    table = FeatureTable(
        np.array([pool.queries[row] for row in candidates.queries], object),
        np.array([each[0] for each in of_candidates], object),
        _values(text_pool, features, scores, allowed, candidates),
        features.names,
    )
    duplicates = {(qid, each[0]): each for qid, each in zip(table.qids, of_candidates) if len(each) > 1}
    graph = CandidateGraph.of_pool(text_pool, candidates) if features.pool_features else None
    return CaseBlock(pool.name, table, duplicates, graph)


def _values(
    pool: TextPool, features: CaseFeatureSet, scores: dict[str, Scores], allowed: Booleans, candidates: Candidates
) -> Scores:
    kinds = [KINDS.index(kind) for kind in features.kinds]
    of_scores = [pool_kinds(scores[name], allowed, candidates)[:, kinds] for name in features.scores]
    of_pairs = pair_features(pool, *candidates)[:, [PAIR_FEATURES.index(name) for name in features.pair_features]]
    return np.hstack([*of_scores, of_pairs])


def _candidate_documents(pool: CasePool, column: Integers, num_texts: int) -> tuple[_Documents, Booleans]:
    """Return the documents of each query and text, and the pairs that have any."""
    if pool.given is None:
        files: list[list[str]] = [[] for _ in range(num_texts)]
        for document, number in zip(pool.documents, column.tolist()):
            files[number].append(document)
        return lambda _row, number: files[number], np.ones((len(pool.queries), num_texts), dtype=np.bool_)
    column_of = dict(zip(pool.documents, column.tolist()))
    of_pairs: dict[tuple[int, int], list[str]] = {}
    for row, query in enumerate(pool.queries):
        for document in sorted(pool.given[query]):
            of_pairs.setdefault((row, column_of[document]), []).append(document)
    allowed = np.zeros((len(pool.queries), num_texts), dtype=np.bool_)
    for pair in of_pairs:
        allowed[pair] = True
    return lambda row, number: of_pairs[row, number], allowed


def _second_features(graph: CandidateGraph, probabilities: Floats) -> Columns:
    values = graph_features(graph, probabilities)
    return {f"{_SECOND}.{name}": values[:, number] for number, name in enumerate(GRAPH_FEATURES)}


# --- as arrays, which are kept -------------------------------------------------------------------------


def block_arrays(block: CaseBlock) -> Arrays:
    """Return a block as arrays of ids and numbers."""
    lists = [*block.duplicates.values()]
    arrays = {
        **table_arrays(block.table),
        "duplicates": np.array([document for each in lists for document in each], np.str_),
        "numbers": np.array([len(each) for each in lists], np.int64),
        "of_queries": np.array([qid for qid, _ in block.duplicates], np.str_),
    }
    if block.graph:
        candidates, shape, similar, nearest, queries = block.graph
        arrays |= {**candidates._asdict(), "shape": np.array(shape), "similar": similar, "similar_queries": queries}
        arrays |= {"nearest": nearest.data, "columns": nearest.indices, "bounds": nearest.indptr}
    return arrays


def block_of(name: str, arrays: Arrays) -> CaseBlock:
    """Return the block of such arrays."""
    ends = arrays["numbers"].cumsum()[:-1]
    lists = [each.tolist() for each in np.split(arrays["duplicates"], ends) if len(each)]
    duplicates = {(qid, each[0]): each for qid, each in zip(arrays["of_queries"].tolist(), lists, strict=True)}
    return CaseBlock(name, table_of(arrays), duplicates, _graph(arrays) if "shape" in arrays else None)


def _graph(arrays: Arrays) -> CandidateGraph:
    queries, texts = arrays["shape"].tolist()
    nearest = sparse.csr_matrix((arrays["nearest"], arrays["columns"], arrays["bounds"]), shape=(texts, texts))
    nearest.check_format(full_check=True)  # a damaged entry could end the program later
    candidates = Candidates(arrays["queries"], arrays["texts"])
    return CandidateGraph(candidates, (queries, texts), arrays["similar"], nearest, arrays["similar_queries"])


# The recipes of task 1: what is learned from which candidates, and how rankings are cut.


_ALL_BEFORE_RANK = 25  # candidates before this rank are all learned from
_SHARE_OF_OTHERS = 0.3  # share of the other candidates that is learned from

#: The features of each recipe.
FEATURES: dict[str, CaseFeatureSet] = {"lean": LEAN, "compact": COMPACT}


def case_recipe(name: str, *, pool_features: bool = True) -> tuple[Recipe, CaseFeatureSet]:
    """Return a recipe of task 1 and its features.

    Parameters
    ----------
    name : {"lean", "compact"}
        The name of the recipe.
    pool_features : bool
        Whether features may compare a query with the other queries of its pool.

    Returns
    -------
    tuple of Recipe and CaseFeatureSet

    Examples
    --------
    >>> recipe, features = case_recipe("lean")
    >>> recipe.second_round, len(features.names)
    (True, 66)
    """
    features = FEATURES[name] if pool_features else FEATURES[name].without_pool_features()
    learner = BoostedLearner(rounds=160, rate=0.08, leaves=31, rows_per_leaf=40, columns=0.4, bins=63, seeds=3)
    recipe = Recipe(
        name,
        learners=(learner,),
        cut=pool_cutoff,
        measure=MicroF1,
        row_weights=row_weights,
        second_round=pool_features,
        nested_learners=(replace(learner, seeds=1),),
    )
    return recipe, features


def row_weights(table: FeatureTable, labels: Booleans) -> Floats:
    """Return the weights of candidates in learning.

    Parameters
    ----------
    table : FeatureTable
        Candidates, those of a query together, best first.
    labels : bool array of shape (rows,)
        Whether each candidate is relevant.

    Returns
    -------
    float64 array of shape (rows,)
        1 for relevant candidates and for the 25 first of each query. Of the others, 30 % are chosen at random, the same
        in each run, with the weight 1 / .3; the rest have the weight 0.
    """
    ranks = ranks_from_0(pd.factorize(table.qids)[0])
    chosen = np.random.default_rng(0).random(len(table)) < _SHARE_OF_OTHERS
    weights = np.where(chosen, 1 / _SHARE_OF_OTHERS, 0.0)
    return np.where(labels | (ranks < _ALL_BEFORE_RANK), 1.0, weights)


def pool_cutoff(runs: Sequence[pd.DataFrame], gold: pd.DataFrame) -> PoolCutoff:
    """Return the cut-off by the highest expected micro F1 of a pool.

    Parameters
    ----------
    runs : sequence of pandas.DataFrame
        The candidates of each held-out block: ``qid`` and ``docno``.
    gold : pandas.DataFrame
        ``qid``, ``docno`` and ``label``.

    Returns
    -------
    PoolCutoff
        At least 1 and at most 10 texts of a query. Its recall is `candidate_recall` with four digits, the only value
        that depends on labels.

    Raises
    ------
    ValueError
        If no noticed case is among the candidates.
    """
    return PoolCutoff(float(f"{candidate_recall(runs, gold):.4g}"), min_items=1, max_items=10)


def candidate_recall(runs: Sequence[pd.DataFrame], gold: pd.DataFrame) -> float:
    """Return the share of the noticed cases that are among the candidates: the mean over blocks that have any.

    Parameters
    ----------
    runs, gold
        As of `pool_cutoff`.

    Returns
    -------
    float
        In [0, 1]; 0 if no block has a noticed case.
    """
    noticed = gold.loc[label_values(gold) > 0, ["qid", "docno"]].drop_duplicates()
    shares = []
    for run in runs:
        of_block = noticed[noticed["qid"].isin(run["qid"])]
        if len(of_block):
            shares.append(len(of_block.merge(run[["qid", "docno"]], on=["qid", "docno"])) / len(of_block))
    return float(np.mean(shares)) if shares else 0.0


# The better of two recipes of task 1, chosen on held-out blocks.


_MARGIN = 0.01  # what the features that only the richer recipe has must add


@dataclass(frozen=True, eq=False)
class BestRecipe(LearnedBaseline):
    """A recipe, and a richer one that takes its place if it is clearly better.

    Attributes
    ----------
    simple, richer : LearnedBaseline
        The recipe, and the richer one for the same split.
    """

    simple: LearnedBaseline = field(kw_only=True)
    richer: LearnedBaseline = field(kw_only=True)

    @classmethod
    def of(cls, simple: LearnedBaseline, richer: LearnedBaseline) -> BestRecipe:
        """Return the better of two recipes; nothing is computed yet."""
        values = {each.name: getattr(simple, each.name) for each in fields(LearnedBaseline)}
        values["is_kept"] = lambda: simple.is_kept() and richer.is_kept()
        return cls(**values, simple=simple, richer=richer)

    def runs(self) -> list[BaselineRun]:
        """Return the run of the first recipe, if its held-out value is within .01 of the richer one or above it.

        Otherwise the run of the richer recipe is returned. Raises what `LearnedBaseline.runs` raises.
        """
        chosen, note = self._choice()
        [run] = chosen.runs()
        return [run._replace(notes=[note, *run.notes])]

    def ablation(self) -> Ablation:
        """Return the ablation of the recipe that `runs` would use; raises what `LearnedBaseline.runs` raises."""
        chosen, note = self._choice()
        return chosen.ablation()._replace(note=note)

    def _choice(self) -> tuple[LearnedBaseline, str]:
        """Return the chosen baseline, and why it was chosen."""
        own, other = self.simple.held_out(), self.richer.held_out()
        is_enough = own.value >= other.value - _MARGIN
        note = (
            f"recipe {(own if is_enough else other).recipe.name} was chosen on held-out {self.group}s: "
            f"{own.recipe.name} {own.value:.4f}, {other.recipe.name} {other.value:.4f}; {own.recipe.name} if it is "
            f"within {_MARGIN}"
        )
        return self.simple if is_enough else self.richer, note


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
