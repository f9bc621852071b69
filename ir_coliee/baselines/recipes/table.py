"""Candidates with named features, and blocks of queries that are held out together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.errors import ColieeError
from ir_coliee.frames import Booleans, Floats, sort_results
from ir_coliee.transformers.estimators import label_values

#: Features of candidates, one a row: 32-bit floating-point numbers. NaN is a missing value.
Features: TypeAlias = npt.NDArray[np.float32]
#: Columns of further features by name, with an entry for each row of a table.
Columns: TypeAlias = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Candidates of some queries, one a row, with named features.

    Attributes
    ----------
    qids, docnos : object array of shape (rows,)
        The ids of query and candidate.
    values : float32 array of shape (rows, features)
        The features. They are finite, or NaN if missing.
    names : tuple of str
        The name of each feature, ``family.feature``. Features of a family belong together, such as all that come from
        citing contexts: an ablation leaves them out together.

    Raises
    ------
    ValueError
        If a name has no family or occurs twice, or if a value is infinite.

    Examples
    --------
    >>> table = FeatureTable.of(["q1", "q1"], ["a", "b"], {"words.bm25": [2.0, 1.0], "words.rank": [0, 1]})
    >>> table
    <FeatureTable of 2 candidates with features: words (2)>
    >>> table.with_features({"length.characters": np.array([20, 90])}).families
    ('words', 'length')
    """

    qids: npt.NDArray[np.object_]
    docnos: npt.NDArray[np.object_]
    values: Features
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.names)) < len(self.names) or not all(map(family_of, self.names)):
            raise ValueError(f"Names of features must be distinct and of the form family.feature, got {self.names}.")
        if (infinite := np.isinf(self.values).any(axis=0)).any():
            raise ValueError(f"Features must be finite or NaN; {self.names[infinite.argmax()]} has an infinite value.")

    @classmethod
    def of(cls, qids: Sequence[str], docnos: Sequence[str], columns: Mapping[str, Any]) -> FeatureTable:
        """Create a table from ids and from columns by name."""
        empty = cls(np.array(qids, object), np.array(docnos, object), np.empty((len(qids), 0), np.float32), ())
        return empty.with_features(columns)

    @classmethod
    def concatenated(cls, tables: Sequence[FeatureTable]) -> FeatureTable:
        """Concatenate the rows of tables, at least one; raise `ColieeError` if they have different features."""
        if len({table.names for table in tables}) > 1:
            raise ColieeError("The tables of one recipe must have the same features.\nCompute them by the same recipe.")
        qids, docnos, values = (
            np.concatenate([getattr(table, name) for table in tables]) for name in ("qids", "docnos", "values")
        )
        return cls(qids, docnos, values, tables[0].names)

    @property
    def families(self) -> tuple[str, ...]:
        """The families, in the order of their first features."""
        return tuple(dict.fromkeys(map(family_of, self.names)))

    def column(self, name: str) -> Features:
        """Return the values of a feature."""
        return self.values[:, self.names.index(name)]

    def with_features(self, columns: Columns) -> FeatureTable:
        """Return the table with further features."""
        added = [np.asarray(column, np.float32)[:, None] for column in columns.values()]
        return replace(self, values=np.hstack([self.values, *added]), names=(*self.names, *columns))

    def without(self, family: str) -> FeatureTable:
        """Return the table without the features of a family."""
        kept = [number for number, name in enumerate(self.names) if family_of(name) != family]
        return replace(self, values=self.values[:, kept], names=tuple(self.names[number] for number in kept))

    def rows(self, chosen: slice | Booleans) -> FeatureTable:
        """Return some of the rows."""
        return replace(self, qids=self.qids[chosen], docnos=self.docnos[chosen], values=self.values[chosen])

    def of_queries(self, qids: Collection[str]) -> FeatureTable:
        """Return the rows of some queries."""
        wanted = set(qids)
        return self.rows(np.array([qid in wanted for qid in self.qids], dtype=bool))

    def __len__(self) -> int:
        return len(self.qids)

    def __repr__(self) -> str:
        sizes = (f"{family} ({sum(family_of(name) == family for name in self.names)})" for family in self.families)
        return f"<FeatureTable of {len(self)} candidates with features: {', '.join(sizes)}>"


def family_of(name: str) -> str:
    """Return the family of a feature: what stands before the first dot; empty if there is none.

    >>> family_of("contexts.reciprocal_rank")
    'contexts'
    """
    family, _, feature = name.partition(".")
    return family if feature else ""


@dataclass(frozen=True, eq=False)
class QueryBlock:
    """Queries that are scored together and held out together, such as the queries that one edition added.

    Attributes
    ----------
    name : str
        The name of the block, for messages.
    table : FeatureTable
        The candidates of its queries.
    second : callable, optional
        Computes the features of a second round. It takes the probability of each row by the first round, and returns
        columns by name (family ``second``). None: there is no second round.
    duplicates : mapping of (str, str) to sequence of str
        All documents with the text of a candidate, by query and candidate, if there are several; the candidate is one
        of them. By default each candidate is its only document.
    table_without : callable, optional
        Computes the table as it is without the labels of some train blocks, from their names: for features that are
        learned from the labels of other queries, such as those of similar questions. The candidates may differ. None:
        no label enters the features.

    Raises
    ------
    ValueError
        If a block with features of a second round has ``table_without`` too.
    """

    name: str
    table: FeatureTable
    second: Callable[[Floats], Columns] | None = None
    duplicates: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    table_without: Callable[[frozenset[str]], FeatureTable] | None = None

    def __post_init__(self) -> None:
        if self.second and self.table_without:
            raise ValueError(f"Block {self.name} cannot have both a second round and features learned from labels.")

    def labels(self, gold: pd.DataFrame) -> Booleans:
        """Return whether each candidate is relevant: whether gold has a document with its text.

        Parameters
        ----------
        gold : pandas.DataFrame
            ``qid``, ``docno`` and ``label``.

        Returns
        -------
        bool array of shape (rows,)
        """
        relevant = gold[label_values(gold) > 0]
        pairs = set(zip(relevant["qid"], relevant["docno"]))
        rows = zip(self.table.qids, self._documents())
        return np.array([any((qid, docno) in pairs for docno in docnos) for qid, docnos in rows], dtype=bool)

    def run(self, probabilities: Floats) -> pd.DataFrame:
        """Return the run of probabilities.

        Parameters
        ----------
        probabilities : float64 array of shape (rows,)
            The probability of each candidate.

        Returns
        -------
        pandas.DataFrame
            ``qid``, ``docno``, ``score``, ``text_id`` and ``rank``, best first. Documents with the same text share its
            probability equally, because nothing tells which of them is relevant; their ``text_id`` is the candidate
            that stands for them.
        """
        documents = self._documents()
        numbers = np.array([len(docnos) for docnos in documents], dtype=np.int64)
        columns = {
            "qid": self.table.qids.repeat(numbers),
            "docno": np.array([*chain.from_iterable(documents)], dtype=object),
            "score": (probabilities / numbers).repeat(numbers),
            "text_id": self.table.docnos.repeat(numbers),
        }
        return sort_results(pd.DataFrame(columns))

    def without(self, family: str) -> QueryBlock:
        """Return the block without the features of a family, in both rounds."""
        block, second = self._with_tables(lambda table: table.without(family)), self.second
        if second is None:
            return block

        def remaining(probabilities: Floats) -> Columns:
            return {name: column for name, column in second(probabilities).items() if family_of(name) != family}

        return replace(block, second=remaining)

    def with_features(self, compute: Callable[[FeatureTable], Columns]) -> QueryBlock:
        """Return the block with further features.

        Parameters
        ----------
        compute : callable
            Computes them from the table of the block, and from its table without the labels of some train blocks if it
            has ``table_without``.

        Returns
        -------
        QueryBlock
        """
        return self._with_tables(lambda table: table.with_features(compute(table)))

    def _with_tables(self, change: Callable[[FeatureTable], FeatureTable]) -> QueryBlock:
        """Return the block with a change of its table, also of that without the labels of some blocks."""
        table_without = self.table_without
        changed = table_without and (lambda blocks: change(table_without(blocks)))
        return replace(self, table=change(self.table), table_without=changed)

    def without_labels(self, blocks: Iterable[str]) -> QueryBlock:
        """Return the block as it is without the labels of some train blocks, which are given by their names."""
        return replace(self, table=self.table_without(frozenset(blocks))) if self.table_without else self

    def second_table(self, probabilities: Floats) -> FeatureTable:
        """Return the table with the features of the second round; raise `ValueError` if the block has none."""
        if self.second is None:
            raise ValueError(f"Block {self.name} has no features of a second round.")
        return self.table.with_features(self.second(probabilities))

    def _documents(self) -> list[Sequence[str]]:
        return [self.duplicates.get(pair) or pair[1:] for pair in zip(self.table.qids, self.table.docnos)]
