"""Indexes of paragraphs: the corpus of paragraphs, and the paragraphs of an index grouped by case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy import sparse

from ir_coliee.engine.weightings import Collection
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Integers
from ir_coliee.transformers.passage_ids import PASSAGE_SEPARATOR, document_id, numbered_paragraphs
from ir_coliee.transformers.retrieval.query_vectors import query_column, query_frequencies

if TYPE_CHECKING:
    from ir_coliee.transformers.retrieval.lexical_index import LexicalIndex


def paragraph_corpus(corpus: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    r"""Split court decisions into a corpus of paragraphs, ready to be indexed.

    Parameters
    ----------
    corpus : iterable of dict
        Decisions with ``docno`` and ``text``.

    Yields
    ------
    dict
        ``docno`` is the decision's id, ``%p`` and the paragraph's position; position 0 is the text before the first
        paragraph mark, see `ir_coliee.text.case_paragraphs.paragraphs`. ``text`` is the paragraph. Paragraphs without
        text are left out; a decision without any text yields one empty paragraph.

    Raises
    ------
    ColieeError
        If a decision has no ``docno`` or no ``text``.

    Examples
    --------
    >>> decision = {"docno": "900001", "text": "[1]\nA lamp.\n[2]\nA gate."}
    >>> [paragraph["docno"] for paragraph in paragraph_corpus([decision])]
    ['900001%p1', '900001%p2']
    """
    for position, decision in enumerate(corpus):
        docno, text = (decision.get("docno"), decision.get("text")) if isinstance(decision, Mapping) else (None, None)
        if not (isinstance(docno, str) and isinstance(text, str)):
            name = printable(docno) if isinstance(docno, str) else f"{position}, counted from 0,"
            raise ColieeError(f"Decision {name} needs a docno and a text that are strings.")
        for number, paragraph in numbered_paragraphs(text).items():
            yield {"docno": f"{docno}{PASSAGE_SEPARATOR}{number}", "text": paragraph}


class ParagraphGroups:
    """The paragraphs of an index, grouped by case.

    Parameters
    ----------
    index : LexicalIndex
        Its documents are paragraphs.
    cases : mapping of str to str, optional
        The case of each paragraph. By default the part of the paragraph's id before ``%p``.

    Attributes
    ----------
    names : numpy.ndarray of str
        The cases, sorted.
    order : numpy.ndarray of int64
        The rows of the index, grouped by case.
    bounds : numpy.ndarray of int64
        The paragraphs of case i are ``order[bounds[i]:bounds[i + 1]]``.
    """

    def __init__(self, index: LexicalIndex, cases: Mapping[str, str] | None = None) -> None:
        self.index = index
        case_of_paragraph = np.array(_cases_of_paragraphs(index, cases), dtype=object)
        self.names, numbers = np.unique(case_of_paragraph, return_inverse=True)
        self.order = np.argsort(numbers, kind="stable")
        self.bounds = np.searchsorted(numbers[self.order], np.arange(len(self.names) + 1))
        self._numbers = {name: number for number, name in enumerate(self.names)}

    @property
    def collection(self) -> Collection:
        """The statistics of all paragraphs."""
        return self.index.collection

    def numbers(self, cases: Iterable[str]) -> Integers:
        """Return the positions of cases in ``names``; raise `ColieeError` for a case that the index lacks."""
        try:
            return np.fromiter((self._numbers[case] for case in cases), dtype=np.int64)
        except KeyError as error:
            name = printable(str(error.args[0]))
            raise ColieeError(
                f"Case {name} has no paragraph in {self.index!r}. "
                "Check that the index is of the same dataset and split."
            ) from None

    def members(self, cases: Integers) -> tuple[Integers, Integers]:
        """Return the rows of the cases' paragraphs, case by case, and the bounds of each case's rows."""
        bounds = np.concatenate([[0], np.cumsum(np.diff(self.bounds)[cases])])
        shifts = self.bounds[cases] - bounds[:-1]
        return self.order[np.arange(bounds[-1]) + shifts.repeat(np.diff(bounds))], bounds


def _cases_of_paragraphs(index: LexicalIndex, case_of: Mapping[str, str] | None) -> list[str]:
    if case_of is None:
        return [document_id(docno) for docno in index.docnos]
    try:
        cases = [case_of[docno] for docno in index.docnos]
    except KeyError as error:
        name = printable(str(error.args[0]))
        raise ColieeError(f"The paragraph {name} of {index!r} has no case in `cases`.") from None
    for docno, case in zip(index.docnos, cases):
        if not isinstance(case, str):
            kind = type(case).__name__
            raise ColieeError(
                f"The case of {printable(docno)} in `cases` must be a string, got a value of type {kind}."
            )
    return cases


def query_paragraphs(
    index: LexicalIndex, groups: ParagraphGroups, queries: pd.DataFrame
) -> tuple[sparse.csr_matrix, Integers]:
    """Return the term frequencies of the paragraphs of queries.

    A text is split at its paragraph marks. A case of the index (``query_docno``) is split already. Weighted tokens
    count as one paragraph.

    Returns
    -------
    vectors : scipy.sparse.csr_matrix
        One row for each paragraph, query by query.
    bounds : numpy.ndarray of int64
        The paragraphs of query i are the rows ``bounds[i]`` to ``bounds[i + 1]``.
    """
    column = query_column(queries)
    if column == "query_docno":
        rows, bounds = groups.members(groups.numbers(queries[column]))
        return index.counts[rows].astype(np.float64), bounds
    if column == "query":
        texts = [numbered_paragraphs(query).values() for query in queries[column]]
        bounds = np.cumsum([0, *map(len, texts)])
        return index.query_vectors(text for paragraphs in texts for text in paragraphs), bounds
    return query_frequencies(index, queries), np.arange(len(queries) + 1)
