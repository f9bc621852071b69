"""The answers of a run as columns: an object for each answer would take ten times as much time and memory."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.arrays import Booleans, Floats, Integers
from ir_coliee.errors import MalformedFileError
from ir_coliee.evaluation.runs.written_answers import parse_number, parse_numbers
from ir_coliee.frames import sort_results

_COLUMNS = ("line", "query_id", "docno", "score", "tag", "rank", "written_query", "written_item", "has_score")
_TEXTS = ("query_id", "docno", "tag", "rank", "written_query", "written_item")


class RunLine(NamedTuple):
    """An answer of a run file.

    Attributes
    ----------
    line : int
        The line, counted from 1.
    query_id, docno : str
        Ids of the split.
    score : float
        The score; if the file has none, earlier answers have higher scores.
    tag, rank : str
        As written in the file; empty if missing. The rank breaks ties between equal scores.
    written : tuple of str
        Query and item as written in the file.
    has_score : bool
        Whether the file has scores.
    """

    line: int
    query_id: str
    docno: str
    score: float
    tag: str
    rank: str
    written: tuple[str, str]
    has_score: bool = True


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of a run. Iterating gives a `RunLine` for each answer, and the errors, in the order of the lines.

    Attributes
    ----------
    table : pandas.DataFrame
        A row for each answer, in the order of the file, with the fields of `RunLine` as columns; ``written`` is two
        columns, written_query and written_item. Texts are categories.
    errors : list of MalformedFileError
        The lines that cannot be parsed. If there are more than a thousand, the last error states how many more.
    num_unlisted : int, default 0
        The number of further lines that the last error stands for.
    """

    table: pd.DataFrame
    errors: list[MalformedFileError]
    num_unlisted: int = 0

    @classmethod
    def of(cls, lines: Iterable[RunLine]) -> Answers:
        """Return lines as columns."""
        rows = [(*line[:6], *line.written, line.has_score) for line in lines]
        table = pd.DataFrame(rows, columns=[*_COLUMNS]).astype({"line": np.int64, "score": float, "has_score": bool})
        return cls(table.assign(**{name: encoded(table[name]) for name in _TEXTS}), [])

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Iterator[RunLine | MalformedFileError]:
        errors = sorted(self.errors, key=lambda error: error.line or 0)  # a thousand at most
        for answer in self.lines(np.arange(len(self))):
            while errors and (errors[0].line or 0) <= answer.line:
                yield errors.pop(0)
            yield answer
        yield from errors

    def lines(self, rows: Integers) -> Iterator[RunLine]:
        """Yield the answers in these rows."""
        selected = self.table.iloc[rows]
        for *fields, query, item, has_score in zip(*(selected[name].tolist() for name in _COLUMNS)):
            yield RunLine._make([*fields, (query, item), has_score])

    def column(self, name: str) -> tuple[Integers, list[str]]:
        """Return a column of texts as a number for each row, and the text of each number."""
        texts = self.table[name].cat
        numbers: Integers = texts.codes.to_numpy().astype(np.int64)
        return numbers, texts.categories.tolist()

    def first_rows(self, *columns: str) -> Integers:
        """Return for each row the first row that has the same texts in these columns."""
        keys = np.zeros(len(self), dtype=np.int64)
        for column in columns:
            numbers, texts = self.column(column)
            keys = keys * len(texts) + numbers
        _, first, places = np.unique(keys, return_index=True, return_inverse=True)
        return first[places.reshape(-1)]

    @property
    def num_pairs(self) -> int:
        """The number of different pairs of query and item."""
        return len(np.unique(self.first_rows("query_id", "docno")))

    def pairs_outside(self, other: Answers) -> int:
        """Return the number of different pairs of query and item that other answers do not have."""
        pairs, others = np.zeros(len(self), dtype=np.int64), np.zeros(len(other), dtype=np.int64)
        for column in ("query_id", "docno"):
            numbers, names = self.column(column)
            other_numbers, other_names = other.column(column)
            shared = {name: number for number, name in enumerate(other_names)}
            of_names = [shared.setdefault(name, len(shared)) for name in names]
            pairs = pairs * len(shared) + np.array(of_names, dtype=np.int64)[numbers]
            others = others * len(shared) + other_numbers
        return len(np.setdiff1d(pairs, others))

    def select(self, rows: Booleans) -> Answers:
        """Return the answers in some rows, with all errors."""
        table = self.table[rows]
        used = {name: table[name].cat.remove_unused_categories() for name in _TEXTS}
        return replace(self, table=table.assign(**used))

    @property
    def has_scores(self) -> bool:
        """Whether every answer has a score."""
        return bool(self.table["has_score"].all())

    @property
    def has_ranks(self) -> bool:
        """Whether an answer has a rank."""
        return bool((self.table["rank"] != "").any())

    @property
    def tag(self) -> str:
        """The tag of the first answer; empty if there is no answer."""
        return str(self.table["tag"].iat[0]) if len(self) else ""

    def as_frame(self) -> pd.DataFrame:
        """Return a result frame: qid, docno, score and rank from 0, sorted by score, ties by rank, then as given."""
        ranks, written = self.column("rank")
        columns = {"qid": self.table["query_id"], "docno": self.table["docno"], "score": self.table["score"]}
        results = sort_results(pd.DataFrame({**columns, "rank": numbers_of(written)[ranks]}))
        return results.astype({"qid": object, "docno": object})

    def queries_with_conflicting_ranks(self) -> list[str]:
        """Return the queries that have a rank on every answer and rank an answer before one with a higher score."""
        queries, names = self.column("query_id")
        codes, written = self.column("rank")
        is_rank = np.array([rank.isascii() and rank.isdecimal() and len(rank) < 10 for rank in written], dtype=np.bool_)
        order = np.lexsort((numbers_of(written)[codes], queries))
        in_order, scores = queries[order], self.table["score"].to_numpy()[order]
        conflicting = np.zeros(len(names), dtype=np.bool_)
        conflicting[in_order[1:][(in_order[1:] == in_order[:-1]) & (scores[1:] > scores[:-1])]] = True
        conflicting[queries[~is_rank[codes]]] = False
        return [names[query] for query in pd.unique(queries).tolist() if conflicting[query]]


def numbers_of(ranks: list[str]) -> Floats:
    """Return written ranks as numbers; infinity where one is not a number, so that it sorts last."""
    if (parsed := parse_numbers(ranks)) is not None:  # all at once is much faster than one by one
        return parsed
    numbers = map(parse_number, ranks)
    return np.array([math.inf if number is None else number for number in numbers], dtype=np.float64)


def encoded(texts: Any) -> pd.Categorical:
    """Return texts as categories, in the order in which they first appear."""
    numbers, names = pd.factorize(np.asarray(texts, dtype=object))
    return categories(numbers, names)


def categories(numbers: npt.NDArray[np.integer[Any]], names: Any) -> pd.Categorical:
    """Return the text of each number as a category."""
    return pd.Categorical.from_codes(numbers, categories=pd.Index(names, dtype=object))
