"""Folds of the queries of a split, for cross-validation without leakage between folds.

Queries that are not independent should be in the same fold: questions of the same exam year, queries that were added by
the same edition (consecutive blocks in the label file), and cases that notice the same case. Each function returns a
`Folds` object, which can be passed to the search for cut-offs and to learners.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal

import numpy as np

from ir_coliee.editions import SPLITS, Dataset, Split, as_split
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import one_of
from ir_coliee.releases import cases
from ir_coliee.releases.cases import FragmentInCase
from ir_coliee.releases.files import read_text
from ir_coliee.releases.release import LocalRelease
from ir_coliee.text.decisions import text_digest
from ir_coliee.text.statutes import exam_id

if TYPE_CHECKING:
    import pandas as pd


# Folds of the queries of a split, for cross-validation without leakage between folds.


class Folds(dict[str, int]):
    """The fold of each query, numbered from 0: a dict from query to fold.

    Parameters
    ----------
    of_query : mapping from str to int
        The fold of each query.

    Examples
    --------
    >>> folds = Folds({"900001": 0, "900002": 1, "900003": 0})
    >>> list(folds.splits())
    [(['900002'], ['900001', '900003']), (['900001', '900003'], ['900002'])]
    >>> folds
    <Folds of 3 queries: 2 + 1>
    """

    def __repr__(self) -> str:
        sizes = (str(size) for _, size in sorted(Counter(self.values()).items()))
        return f"<Folds of {len(self)} queries: {' + '.join(sizes)}>"

    def splits(self) -> Iterator[tuple[list[str], list[str]]]:
        """Yield for each fold the train queries (of all other folds) and the test queries (of this fold), in order."""
        for fold in sorted({*self.values()}):
            yield (
                [query for query, its_fold in self.items() if its_fold != fold],
                [query for query, its_fold in self.items() if its_fold == fold],
            )


def by_group(groups: Mapping[str, Hashable], folds: int, *, seed: int = 0) -> Folds:
    """Make folds of whole groups with sizes as equal as possible.

    Groups are assigned in descending order of size, each to the fold that is smallest at that point. A very large group
    leads to a larger fold.

    Parameters
    ----------
    groups : mapping from str to hashable
        The group of each query. The order of the queries has no effect.
    folds : int
        The number of folds, from 2 to the number of groups.
    seed : int, default=0
        Seed for the order of groups of the same size.

    Raises
    ------
    ValueError
        If ``folds`` is out of range.

    Examples
    --------
    >>> dict(by_group({"1": "a", "2": "b", "3": "a", "4": "b", "5": "a"}, 2))
    {'1': 0, '2': 1, '3': 0, '4': 1, '5': 0}
    """
    members: dict[Hashable, list[str]] = {}
    for query in sorted(groups):
        members.setdefault(groups[query], []).append(query)
    if folds not in range(2, len(members) + 1):
        raise ValueError(f"folds must be an integer from 2 to {len(members)} (the number of groups), got {folds!r}.")
    shuffled = [list(members.values())[position] for position in np.random.default_rng(seed).permutation(len(members))]
    sizes = [0] * folds
    fold_of: dict[str, int] = {}
    for queries in sorted(shuffled, key=len, reverse=True):
        smallest = sizes.index(min(sizes))
        sizes[smallest] += len(queries)
        fold_of |= dict.fromkeys(queries, smallest)
    return Folds({query: fold_of[query] for query in groups})


def exam_year(query_id: str) -> str:
    """Return the exam year of a statute question, for grouping.

    Raises
    ------
    ColieeError
        If the id is not that of an exam question.

    Examples
    --------
    >>> exam_year("R98-04-E")
    'R98'
    """
    if year := exam_id(query_id).year:
        return year
    raise ColieeError(f"{printable(query_id)!r} has no exam year: it is not an id like R98-04-E of an exam question.")


def by_exam_year(queries: Iterable[str], folds: int | None = None, *, seed: int = 0) -> Folds:
    """Make a fold of each exam year, or folds of whole exam years.

    Parameters
    ----------
    queries : iterable of str
        Ids of exam questions.
    folds : int, optional
        The number of folds, into which exam years are assigned as by `by_group`. By default each exam year is a fold,
        in chronological order.
    seed : int, default=0
        As in `by_group`.

    Raises
    ------
    ColieeError
        If an id is not that of an exam question.
    ValueError
        If ``folds`` is out of range.

    Examples
    --------
    >>> dict(by_exam_year(["R99-01-A", "H98-01-A", "H98-01-I"]))
    {'R99-01-A': 1, 'H98-01-A': 0, 'H98-01-I': 0}
    """
    years = {query: exam_year(query) for query in queries}
    if folds is not None:
        return by_group(years, folds, seed=seed)
    fold_of = {year: fold for fold, year in enumerate(sorted(set(years.values())))}  # Heisei (H) was before Reiwa (R)
    return Folds({query: fold_of[year] for query, year in years.items()})


def by_block(queries: Iterable[str], blocks: int | Sequence[int]) -> Folds:
    """Make folds of consecutive queries.

    Parameters
    ----------
    queries : iterable of str
        The queries in the order of the label file, from the oldest edition to the latest. Splits of tasks 1 and 2 have
        this order.
    blocks : int or sequence of int
        The number of blocks (their sizes differ by at most one), or the sizes of all blocks, for example from
        `edition_blocks`.

    Raises
    ------
    ValueError
        If there are fewer than two blocks, an empty one, sizes that do not add up to the number of queries, or a
        repeated query.

    Examples
    --------
    >>> dict(by_block(["900001", "900002", "900003"], 2))
    {'900001': 0, '900002': 0, '900003': 1}
    >>> dict(by_block(["900001", "900002", "900003"], [1, 2]))
    {'900001': 0, '900002': 1, '900003': 1}
    """
    queries = list(queries)
    if len(set(queries)) < len(queries):
        repeated = printable(max(queries, key=queries.count))
        raise ValueError(f"Query {repeated} is repeated. Give each query once, in the order of the label file.")
    if isinstance(blocks, int):
        sizes: Sequence[int] = [len(block) for block in np.array_split(queries, blocks)] if blocks > 0 else []
    else:
        sizes = blocks
    if len(sizes) < 2 or min(sizes) < 1 or sum(sizes) != len(queries):
        expected = f"a number from 2 to {len(queries)} (the number of queries), or positive sizes that add up to it"
        raise ValueError(f"blocks must be {expected}, got {blocks!r}.")
    return Folds(dict(zip(queries, np.repeat(np.arange(len(sizes)), sizes).tolist())))


def edition_blocks(dataset: Dataset) -> list[int]:
    """Return the number of queries that each edition added to a train split, for `by_block`.

    The train splits of task 2 since 2020, and of task 1 in 2024 and 2025, consist of the previous train split followed
    by the previous test split, so the last block is the test split of the previous year. In task 2 of 2020, the last
    block contains new cases.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A train split.

    Returns
    -------
    list of int
        The official sizes, in the order of the label file.

    Raises
    ------
    ColieeError
        If the split does not extend an earlier split.
    UnknownIdError
        If there is no such dataset id.

    Examples
    --------
    >>> edition_blocks("coliee/task1/2024/train")
    [959, 319]
    """
    split = as_split(dataset)
    if not split.continues:
        raise ColieeError(f"{split.id} continues no earlier train split.\nGive by_block a number of blocks instead.")
    return _blocks(split)


def _blocks(split: Split) -> list[int]:
    """Return the number of queries of each block; a single block if the split does not extend an earlier split."""
    if "queries" not in split.counts:
        remedy = "Add it to the counts of its edition file, or give by_block a number of blocks."
        raise ColieeError(f"The number of queries of {split.id} is not known.\n{remedy}")
    earlier = [size for dataset_id in split.continues for size in _blocks(as_split(dataset_id))]
    added = int(split.counts["queries"]) - sum(earlier)
    return [*earlier, added] if added else earlier


def by_shared_cases(
    qrels: pd.DataFrame, folds: int, *, duplicates: Mapping[str, str] | None = None, seed: int = 0
) -> Folds:
    """Make folds that share no noticed case.

    Queries with a common noticed case are in the same fold, and so are a query and the queries that notice its
    decision. Queries can thus be connected through several cases. If most are connected, one fold is very large.

    Parameters
    ----------
    qrels : pandas.DataFrame
        The columns qid and docno, or query_id and doc_id, and label, or relevance. Queries whose labels are all 0 form
        a group each.
    folds : int
        The number of folds, into which connected queries are assigned as by `by_group`.
    duplicates : mapping from str to str, optional
        Documents and their representatives, from `ir_coliee.transformers.near_duplicates`. Duplicates are then treated
        as one document.
    seed : int, default=0
        As in `by_group`.

    Raises
    ------
    ColieeError
        If a column or an id is missing.
    ValueError
        If ``folds`` is out of range, or if labels are not numbers.

    Examples
    --------
    >>> import pandas as pd
    >>> qrels = pd.DataFrame({"qid": list("1234"), "docno": ["a", "b", "a", "c"], "label": 1})
    >>> by_shared_cases(qrels, 3)["1"] == by_shared_cases(qrels, 3)["3"]
    True
    """
    import pandas as pd
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    from ir_coliee.frames import check_ids, check_is_frame

    check_is_frame("qrels", qrels, "qid, docno and label")
    qrels = qrels.rename(columns={"query_id": "qid", "doc_id": "docno", "relevance": "label"})
    for column in ("qid", "docno", "label"):
        if column not in qrels.columns:
            raise ColieeError(f"The qrels need the column {column!r}, got {', '.join(map(str, qrels.columns))}.")
    check_ids(qrels)
    noticed = qrels[pd.to_numeric(qrels["label"]) > 0]
    queries, representatives = qrels["qid"].unique(), duplicates or {}
    ids = [representatives.get(each, each) for each in (*queries, *noticed["qid"], *noticed["docno"])]
    numbers, distinct = pd.factorize(np.array(ids, dtype=object))
    of_queries, citing, cited = np.split(numbers, [len(queries), len(queries) + len(noticed)])
    graph = sparse.coo_matrix((np.ones(len(noticed)), (citing, cited)), shape=(len(distinct), len(distinct)))
    component = connected_components(graph, directed=False)[1]
    return by_group(dict(zip(queries, component[of_queries].tolist())), folds, seed=seed)


# The cases of task 2 with all of their texts: fragments, base cases, and pools of paragraphs; and other decisions.


@dataclass(frozen=True)
class FragmentCases:
    """Cases of task 2.

    Attributes
    ----------
    qids, fragments, base_cases : list of str
        The id, the fragment and the base case of each case, which is empty if its file is missing.
    docnos, texts : list of str
        The ids and texts of the paragraphs, case by case in their order.
    sizes : list of int
        The number of paragraphs of each case.
    """

    qids: list[str]
    fragments: list[str]
    base_cases: list[str]
    docnos: list[str]
    texts: list[str]
    sizes: list[int]

    @classmethod
    def of(cls, split: Split) -> FragmentCases:
        """Read the cases of a split; those without a paragraph are left out.

        Parameters
        ----------
        split : Split
            A split of task 2.

        Raises
        ------
        MissingReleaseError
            If the local release is missing.

        Examples
        --------
        >>> FragmentCases.of(as_split("coliee/task2/sample/test")).sizes[:3]
        [8, 14, 11]
        """
        texts = fragments_with_base_cases(split)
        documents = groupby(LocalRelease.open(split).documents(), key=lambda paragraph: paragraph.case_id)
        pools = {case: [*paragraphs] for case, paragraphs in documents}
        qids = [qid for qid in texts if qid in pools]
        return cls(
            qids,
            [texts[qid].fragment for qid in qids],
            [texts[qid].base_case for qid in qids],
            [paragraph.doc_id for qid in qids for paragraph in pools[qid]],
            [paragraph.text for qid in qids for paragraph in pools[qid]],
            [len(pools[qid]) for qid in qids],
        )

    def __add__(self, other: FragmentCases) -> FragmentCases:
        """Return these cases, followed by others."""
        return FragmentCases(*(mine + others for mine, others in zip(vars(self).values(), vars(other).values())))


def fragments_with_base_cases(split: Split) -> dict[str, FragmentInCase]:
    """Return the fragment and the base case of each query of a split of task 2; a base case without a file is empty.

    Raises
    ------
    MissingReleaseError
        If the local release is missing.
    """
    release = LocalRelease.open(split)
    files = cases.base_case_files(release)
    return {
        qid: FragmentInCase(qid, fragment, read_text(file) if (file := files[qid]) else "")
        for qid, fragment in release.queries()
    }


def task1_splits(split: Split) -> list[Split]:
    """Return the train and the test split of task 1 of the same edition whose decisions can be opened.

    Decisions that are missing, in doubt or protected by an unknown password are none of this task's concern.
    """
    ids = (f"coliee/task1/{split.edition}/{name}" for name in ("train", "test"))
    return [other for other in map(SPLITS.get, ids) if other and _has_documents(other)]


def _has_documents(split: Split) -> bool:
    try:
        return bool(LocalRelease.open(split).documents())
    except ColieeError:
        return False


def decisions(splits: Iterable[Split]) -> Iterator[str]:
    """Yield the texts of the decisions of splits of task 1, once if several are equal."""
    seen: set[int] = set()
    for split in splits:
        for decision in LocalRelease.open(split).documents():
            if (digest := hash(decision.text)) not in seen:
                seen.add(digest)
                yield decision.text


# Queries of a split whose text does not occur in the train split of the same edition.


def unseen_queries(dataset: Dataset, *, known: Literal["queries", "texts"] = "queries") -> list[str]:
    """Return the ids of the queries that a model cannot know from the train split of the same edition.

    Some test queries have the text of a train query, whose labels were published with the train split. A run can find
    their relevant items there; the official scores count these queries like all others.

    Parameters
    ----------
    dataset : str or Split or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A test split, or another split with a train split of other queries.
    known : {"queries", "texts"}, default="queries"
        The texts of the train split that a query is compared with: ``queries``, its labelled queries; ``texts``, all
        its queries and documents.

    Returns
    -------
    list of str
        The ids of the queries whose text is none of these, in the order of the dataset.

    Raises
    ------
    ColieeError
        If the dataset is a train split, or has no train split of other queries.
    MissingReleaseError
        If the files of the split or of its train split are not in the data folder.

    Notes
    -----
    Texts are equal if they differ at most in line ends. If train and test split have one common folder of documents, as
    in task 1 of 2021, each query is among ``texts``, so that the list is empty.

    Examples
    --------
    The topics of an experiment without the queries that are train queries too:

    >>> import ir_datasets, pandas as pd
    >>> ID = "coliee/task1/sample/test"
    >>> topics = pd.DataFrame(ir_datasets.load(ID).queries_iter()).rename(columns={"query_id": "qid"})
    >>> len(topics[topics.qid.isin(unseen_queries(ID))])
    12
    """
    split = as_split(dataset)
    train = split.train
    if train is None or train.id == split.id:
        raise ColieeError(f"{split.id} has no train split of other queries.\nPass the id of a test split.")
    one_of("known", known, ("queries", "texts"))
    release = LocalRelease.open(train)
    labelled = {qrel.query_id for qrel in release.qrels()}
    seen = {
        text_digest(query.default_text())
        for query in release.queries()
        if known == "texts" or query.query_id in labelled
    }
    if known == "texts":
        seen.update(text_digest(document.default_text()) for document in release.documents())
    queries = LocalRelease.open(split).queries()
    return [query.query_id for query in queries if text_digest(query.default_text()) not in seen]
