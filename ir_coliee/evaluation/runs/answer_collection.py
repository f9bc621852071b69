"""Collect the answers of a file as columns, with the ids of the split."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from ir_coliee.arrays import Floats, Integers, Numbers
from ir_coliee.errors import MalformedFileError
from ir_coliee.evaluation.runs.answers import Answers, categories, encoded, numbers_of
from ir_coliee.evaluation.runs.run_ids import RunIds
from ir_coliee.evaluation.runs.written_answers import Parsed, UnreadableLines

_ERRORS_LISTED = 1000
_MAX_ANSWERS = 3_000_000  # the largest split has 2,001 queries, for which rankings have up to 1,000 items
_MAX_DIFFERENT = 200_000  # the releases have at most 10,000 queries and 60,000 documents


class _Texts:
    """A column of texts, of which equal ones are stored once."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._columns = [np.zeros(0, dtype=np.int32)]

    def __len__(self) -> int:
        return len(self._numbers)

    def extend(self, texts: Iterable[str], count: int) -> None:
        """Add texts."""
        self._columns.append(np.fromiter(map(self._numbers.__getitem__, texts), np.int32, count))

    @property
    def numbers(self) -> Numbers:
        """The number of each text."""
        return np.concatenate(self._columns)

    @property
    def names(self) -> list[str]:
        """The text of each number."""
        return list(self._numbers)


def collect_answers(file: object, entries: Iterable[Parsed], ids: RunIds) -> Answers:
    """Collect the answers of a file.

    Parameters
    ----------
    file : object
        The file; its ``str`` is its path.
    entries : iterable of WrittenAnswers, UnreadableLines or MalformedFileError
        Groups of answers, groups of lines that cannot be parsed, and errors.
    ids : RunIds
        The ids of the split.

    Returns
    -------
    Answers
        None, but an error, if the file has more than 3,000,000 answers, or more than 200,000 different queries, items,
        ranks or tags.
    """
    texts = {name: _Texts() for name in ("queries", "items", "ranks", "tags")}
    lines, scores, has_score = [np.zeros(0, dtype=np.int64)], [np.zeros(0)], [np.zeros(0, dtype=np.bool_)]
    errors: list[MalformedFileError] = []
    num_errors = num_answers = 0
    for entry in entries:
        if isinstance(entry, MalformedFileError):
            entry = UnreadableLines(1, iter([entry]))
        if isinstance(entry, UnreadableLines):
            num_errors += entry.num_lines
            errors += itertools.islice(entry.errors, _ERRORS_LISTED - len(errors))
            continue
        count = len(entry.queries)
        num_answers += count
        for name, column in texts.items():
            column.extend(getattr(entry, name) or [""] * count, count)
        if error := _too_many(file, num_answers, texts):
            return Answers(Answers.of([]).table, [*errors, error])
        lines.append(np.asarray(entry.lines, dtype=np.int64))
        scores.append(np.zeros(count) if entry.scores is None else np.asarray(entry.scores, dtype=np.float64))
        has_score.append(np.full(count, entry.scores is not None))
    num_more = max(0, num_errors - _ERRORS_LISTED)
    if num_more:
        last = errors[-1]
        problem = f"{num_more} lines after this one cannot be read either"
        errors.append(MalformedFileError(last.path, last.line, problem, last.expected))
    scored = np.concatenate(has_score)
    columns = {
        "line": np.concatenate(lines),
        "score": np.where(scored, np.concatenate(scores), _scores_by_order(texts["ranks"])),
        "has_score": scored,
        **_resolved(texts["queries"], texts["items"], ids),
        "rank": categories(texts["ranks"].numbers, texts["ranks"].names),
        "tag": categories(texts["tags"].numbers, texts["tags"].names),
    }
    return Answers(pd.DataFrame(columns), errors, max(0, num_more - 1))


def _too_many(file: object, num_answers: int, texts: Mapping[str, _Texts]) -> MalformedFileError | None:
    if num_answers > _MAX_ANSWERS:
        expected = "the answers of a run; rank at most 1,000 items for each query"
        return MalformedFileError(file, None, f"more than {_MAX_ANSWERS:,} answers", expected)
    for name, column in texts.items():
        if len(column) > _MAX_DIFFERENT:
            problem = f"more than {_MAX_DIFFERENT:,} different {name}"
            return MalformedFileError(file, None, problem, "queries, items, ranks and tags of a run")
    return None


def _resolved(queries: _Texts, items: _Texts, ids: RunIds) -> dict[str, pd.Categorical]:
    """Return queries and items as written, and the ids of the split, each of which is looked up once."""
    query_ids = encoded([ids.query(written) for written in queries.names])
    written = queries.numbers.astype(np.int64), items.numbers.astype(np.int64)
    labels = [ids.label(item) for item in items.names]
    if ids.depend_on_query:
        pairs, places = np.unique(written[0] * len(labels) + written[1], return_inverse=True)
        rows: Integers = places.reshape(-1)
        of_pairs = ((query_ids[pair // len(labels)], labels[pair % len(labels)]) for pair in pairs.tolist())
    else:
        rows = written[1]
        of_pairs = ((query_ids[0], label) for label in labels)
    docnos = encoded([ids.docno(query_id, label) for query_id, label in of_pairs])
    return {
        "query_id": query_ids.take(written[0]),
        "docno": docnos.take(rows),
        "written_query": categories(queries.numbers, queries.names),
        "written_item": categories(items.numbers, items.names),
    }


def _scores_by_order(ranks: _Texts) -> Floats:
    """Return scores for answers without one: the best rank is the best answer, or else the first one."""
    numbers = numbers_of(ranks.names)[ranks.numbers]
    return np.where(np.isfinite(numbers), -numbers, -np.arange(1.0, len(numbers) + 1))
