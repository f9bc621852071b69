"""Splits a split's queries into folds, so that nothing that one fold learns from is asked in another.

A question paper is one year's work, a label file has the tests of the past as blocks of keys, and cases that notice
the same case know each other's answers. Each split is a value, `Folds`, for the search of a cut-off as for learning.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_coliee import editions
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, shown
from ir_coliee.text.statutes import exam_id

if TYPE_CHECKING:
    import pandas as pd


class Folds(Mapping[str, int]):
    """The fold of each query, by number from 0; goes where a mapping from query to group is wanted.

    >>> folds = Folds({"900001": 0, "900002": 1, "900003": 0})
    >>> list(folds.splits())
    [(['900002'], ['900001', '900003']), (['900001', '900003'], ['900002'])]
    """

    def __init__(self, of_query: Mapping[str, int]) -> None:
        """``of_query``: the fold of each query."""
        self.of_query = dict(of_query)

    def __getitem__(self, query: str) -> int:
        return self.of_query[query]

    def __iter__(self) -> Iterator[str]:
        return iter(self.of_query)

    def __len__(self) -> int:
        return len(self.of_query)

    def __repr__(self) -> str:
        return f"Folds({self.of_query!r})"

    def splits(self) -> Iterator[tuple[list[str], list[str]]]:
        """For each fold the queries of all others, to train on, and its own, to test on, in the queries' order."""
        for fold in sorted(set(self.of_query.values())):
            yield (
                [query for query, its in self.of_query.items() if its != fold],
                [query for query, its in self.of_query.items() if its == fold],
            )


def by_group(groups: Mapping[str, Hashable], folds: int, *, seed: int = 0) -> Folds:
    """Folds of whole groups, dealt so that sizes come out near: the largest group first, each to the smallest fold.

    ``groups``: the group of each query. ``seed`` shuffles groups of one size; the order of the mapping plays no role.
    A group that is larger than a fold's share makes that fold larger. Raises `ValueError` for fewer than two folds or
    fewer groups than folds.

    >>> dict(by_group({"1": "a", "2": "b", "3": "a", "4": "b", "5": "a"}, 2))
    {'1': 0, '2': 1, '3': 0, '4': 1, '5': 0}
    """
    members: dict[Hashable, list[str]] = {}
    for query in sorted(groups):
        members.setdefault(groups[query], []).append(query)
    if folds not in range(2, len(members) + 1):
        raise ValueError(f"folds={folds!r} is not a whole number from 2 to {len(members)}, the number of groups")
    shuffled = [list(members.values())[place] for place in np.random.default_rng(seed).permutation(len(members))]
    sizes = [0] * folds
    fold_of: dict[str, int] = {}
    for queries in sorted(shuffled, key=len, reverse=True):
        smallest = sizes.index(min(sizes))
        sizes[smallest] += len(queries)
        fold_of |= dict.fromkeys(queries, smallest)
    return Folds({query: fold_of[query] for query in groups})


def exam_year(query_id: str) -> str:
    """The exam year of a statute question, a group of queries. Raises `ColieeError` for another id.

    >>> exam_year("R98-04-E")
    'R98'
    """
    if year := exam_id(query_id).year:
        return year
    raise ColieeError(f"{shown(query_id)!r} is no id of an exam question, as R98-04-E is: it has no exam year.")


def by_exam_year(queries: Iterable[str], folds: int | None = None, *, seed: int = 0) -> Folds:
    """Each exam year a fold, in the order of the years; or ``folds`` folds of whole years, dealt as by `by_group`.

    Raises `ColieeError` for the id of no exam question.

    >>> dict(by_exam_year(["R99-01-A", "H98-01-A", "H98-01-I"]))
    {'R99-01-A': 1, 'H98-01-A': 0, 'H98-01-I': 0}
    """
    years = {query: exam_year(query) for query in queries}
    if folds is not None:
        return by_group(years, folds, seed=seed)
    number = {year: place for place, year in enumerate(sorted(set(years.values())))}  # Heisei was before Reiwa
    return Folds({query: number[year] for query, year in years.items()})


def by_block(queries: Sequence[str], blocks: int | Sequence[int]) -> Folds:
    """Folds of queries that follow each other in the label file: so many of equal size (to one), or of these sizes.

    ``queries``: in the order of the label file, as a split of tasks 1 and 2 gives them; keys are in order of age.
    ``blocks``: `edition_blocks` has the sizes of the tests of the past. Raises `ValueError` for fewer than two blocks,
    an empty one, sizes that do not add up to the number of queries, and a query that comes twice.

    >>> by_block(["900001", "900002", "900003"], 2)
    Folds({'900001': 0, '900002': 0, '900003': 1})
    >>> by_block(["900001", "900002", "900003"], [1, 2])
    Folds({'900001': 0, '900002': 1, '900003': 1})
    """
    if len(set(queries)) < len(queries):
        raise ValueError("a query comes twice, as in qrels: give each query once, in the order of the label file")
    if isinstance(blocks, int):
        if blocks not in range(2, len(queries) + 1):
            raise ValueError(f"blocks={blocks!r} is not a whole number from 2 to {len(queries)}, the number of queries")
        sizes: Sequence[int] = [len(split) for split in np.array_split(np.arange(len(queries)), blocks)]
    else:
        sizes = blocks
        if len(sizes) < 2 or min(sizes) < 1 or sum(sizes) != len(queries):
            raise ValueError(f"blocks={sizes!r} are not sizes, two or more, that add up to {len(queries)} queries")
    return Folds(dict(zip(queries, np.repeat(np.arange(len(sizes)), sizes).tolist())))


def edition_blocks(dataset: str) -> list[int]:
    """How many queries of a train split each earlier edition brought, in the order of the label file, for `by_block`.

    In task 2 since 2020, and in task 1 of 2024 and 2025, the train split is that of the edition before with its test
    behind it, so that the last block is the test of the year before; in task 2 of 2020 new cases stand there. The sizes
    are the official ones. Raises `ColieeError` for another split, `UnknownIdError` for an unknown id.

    >>> edition_blocks("coliee/task1/2024/train")
    [959, 319]
    """
    split = editions.split(dataset)
    if not split.continues:
        raise ColieeError(f"{dataset} is no train split to which earlier tests were appended: it has no known blocks.")
    return _blocks(split)


def _blocks(split: Split) -> list[int]:
    """The number of queries of each block of a split; one block where it continues no earlier split."""
    earlier = [size for dataset_id in split.continues for size in _blocks(editions.split(dataset_id))]
    added = int(split.counts["queries"]) - sum(earlier)
    return [*earlier, added] if added else earlier


def by_shared_cases(
    qrels: pd.DataFrame, folds: int, *, copies: Mapping[str, str] | None = None, seed: int = 0
) -> Folds:
    """Folds that share no document: queries that notice a common case are together, dealt as by `by_group`.

    ``qrels``: a frame with qid and docno, or query_id and doc_id; all its queries are dealt, those with label 0 alone
    each for itself. A query that is noticed by another one is together with it, as task 1 has them. ``copies``:
    documents by what stands for them, as `ir_coliee.transformers.near_duplicates` gives; so a text that comes under two
    names does not leak either. Queries hang together over several cases; where most of them do, one fold is large.
    Raises `ColieeError` for a missing column, a missing id, and labels that are no numbers, `ValueError` as `by_group`.

    >>> import pandas as pd
    >>> qrels = pd.DataFrame({"qid": list("1234"), "docno": ["a", "b", "a", "c"], "label": 1})
    >>> by_shared_cases(qrels, 3)["1"] == by_shared_cases(qrels, 3)["3"]
    True
    """
    import pandas as pd
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    qrels = qrels.rename(columns={"query_id": "qid", "doc_id": "docno", "relevance": "label"})
    for column in ("qid", "docno", "label"):
        if column not in qrels.columns:
            raise ColieeError(f"The qrels have no column {column!r}, only {', '.join(map(str, qrels.columns))}.")
    for column in ("qid", "docno"):
        if qrels[column].isna().any():
            raise ColieeError(f"The qrels have a row without a {column}. Read ids as strings.")
    try:
        noticed = qrels[pd.to_numeric(qrels["label"]) > 0]
    except (TypeError, ValueError) as error:
        raise ColieeError(f"The column label of the qrels must be numbers. {error}") from None
    stands: Mapping[str, str] = copies or {}
    numbers: dict[str, int] = {}

    def numbered(documents: Iterable[Any]) -> list[int]:
        return [numbers.setdefault(stands.get(each, each), len(numbers)) for each in documents]

    queries = list(dict.fromkeys(qrels["qid"]))
    own = numbered(queries)
    pairs = numbered(noticed["qid"]), numbered(noticed["docno"])
    graph = sparse.coo_matrix((np.ones(len(noticed)), pairs), shape=(len(numbers), len(numbers)))
    component = connected_components(graph, directed=False)[1]
    return by_group({query: int(component[number]) for query, number in zip(queries, own)}, folds, seed=seed)
