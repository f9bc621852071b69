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
from ir_coliee.transformers.training_labels import label_values

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
        If the shapes do not agree, if a name has no family or occurs twice, or if a value is infinite.

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
        rows = len(self.qids)
        if (len(self.docnos), self.values.shape) != (rows, (rows, len(self.names))):
            shapes = f"{rows} qids, {len(self.docnos)} docnos, values {self.values.shape}, {len(self.names)} names"
            raise ValueError(f"The shapes of a feature table must agree, got {shapes}.")
        if len(set(self.names)) < len(self.names) or not all(family_of(name) for name in self.names):
            raise ValueError(f"Names of features must be distinct and of the form family.feature, got {self.names}.")
        if np.isinf(self.values).any():
            name = self.names[int(np.isinf(self.values).any(axis=0).argmax())]
            raise ValueError(f"Features must be finite or NaN; {name} has an infinite value.")

    @classmethod
    def of(cls, qids: Sequence[str], docnos: Sequence[str], columns: Mapping[str, Any]) -> FeatureTable:
        """Create a table from ids and from columns by name."""
        empty = cls(np.array(qids, object), np.array(docnos, object), np.empty((len(qids), 0), np.float32), ())
        return empty.with_features(columns)

    @classmethod
    def concatenated(cls, tables: Sequence[FeatureTable]) -> FeatureTable:
        """Concatenate the rows of tables, at least one; raise `ColieeError` if they have different features."""
        if len({table.names for table in tables}) > 1:
            advice = "Compute them by the same recipe; 'ir_coliee purge' deletes those that are kept."
            raise ColieeError(f"The tables of one recipe must have the same features.\n{advice}")
        qids, docnos = ([getattr(table, name) for table in tables] for name in ("qids", "docnos"))
        values = np.concatenate([table.values for table in tables])
        return cls(np.concatenate(qids), np.concatenate(docnos), values, tables[0].names)

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

    def of_queries(self, qids: Collection[str]) -> FeatureTable:
        """Return the rows of some queries."""
        wanted = set(qids)
        rows = np.array([qid in wanted for qid in self.qids], dtype=bool)
        return replace(self, qids=self.qids[rows], docnos=self.docnos[rows], values=self.values[rows])

    def __len__(self) -> int:
        return len(self.qids)

    def __repr__(self) -> str:
        sizes = (f"{family} ({sum(family_of(name) == family for name in self.names)})" for family in self.families)
        return f"<FeatureTable of {len(self)} candidates with features: {', '.join(sizes)}>"


def family_of(name: str) -> str:
    """Return the family of a feature: what stands before the first dot; empty if there is none.

    >>> family_of("contexts.cprr_rank")
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
        second, table_without = self.second, self.table_without

        def remaining(probabilities: Floats) -> Columns:
            assert second is not None
            return {name: column for name, column in second(probabilities).items() if family_of(name) != family}

        def remaining_table(blocks: frozenset[str]) -> FeatureTable:
            assert table_without is not None
            return table_without(blocks).without(family)

        return replace(
            self,
            table=self.table.without(family),
            second=second and remaining,
            table_without=table_without and remaining_table,
        )

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
        table_without = self.table_without

        def extended(blocks: frozenset[str]) -> FeatureTable:
            assert table_without is not None
            return _extended(table_without(blocks), compute)

        return replace(self, table=_extended(self.table, compute), table_without=table_without and extended)

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


def _extended(table: FeatureTable, compute: Callable[[FeatureTable], Columns]) -> FeatureTable:
    return table.with_features(compute(table))
