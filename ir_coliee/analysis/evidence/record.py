"""`Evidence`: one reason why a query and an item match, as a table and marked texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from ir_coliee.analysis.plain_values import plain
from ir_coliee.display import Block, Heading, Mark, MarkedText, Table, displayed, words
from ir_coliee.errors import printable

_LONGEST_CELL, _LONGEST_FACT = 60, 200  # characters of a text in a table


@displayed
@dataclass(frozen=True, eq=False)
class Evidence:
    """One kind of evidence on a query and an item.

    Attributes
    ----------
    kind : str
        The name of the kind, such as ``shared_terms``.
    title : str
        The heading.
    facts : dict of str to value
        Single values: strings, numbers or None.
    table : pandas.DataFrame
        The rows; without columns if there are none.
    texts : tuple of (str, MarkedText)
        Extracts of the texts with marked parts, each with its heading.
    notes : tuple of str
        Reservations that a reader needs, and what is missing.
    """

    kind: str
    title: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    table: pd.DataFrame = field(default_factory=pd.DataFrame)
    texts: tuple[tuple[str, MarkedText], ...] = ()
    notes: tuple[str, ...] = ()

    def display(self) -> Iterator[Block]:
        """Return the facts, the table, the texts and the notes, as `ir_coliee.display` shows them."""
        yield Heading(self.title, 2)
        if any(value not in (None, "") for value in self.facts.values()):
            yield Table.of_facts({name: _shown(value, _LONGEST_FACT) for name, value in self.facts.items()})
        if len(self.table):
            columns, rows = [words(str(name)) for name in self.table.columns], self._rows()
            texts = [name for name, *cells in zip(columns, *rows) if any(isinstance(cell, str) for cell in cells)]
            yield Table(columns, [[_shown(value, _LONGEST_CELL) for value in row] for row in rows], fold=texts)
        for heading, text in self.texts:
            yield f"{heading}:" if text.text else f"{heading}: none"
            if text.text:
                yield text
        yield from self.notes

    def as_json(self) -> dict[str, Any]:
        """Return the evidence as plain dicts and lists, with None for missing values."""
        columns = [*map(str, self.table.columns)]
        return {
            "kind": self.kind,
            "title": self.title,
            "facts": {name: plain(value) for name, value in self.facts.items()},
            "rows": [dict(zip(columns, row)) for row in self._rows()],
            "texts": [
                {"heading": heading, "text": text.text, "marks": [Mark._asdict(mark) for mark in text.marks]}
                for heading, text in self.texts
            ],
            "notes": list(self.notes),
        }

    def _rows(self) -> list[list[Any]]:
        return [[plain(value) for value in row] for row in self.table.to_numpy(object).tolist()]

    def __repr__(self) -> str:
        return f"<Evidence {self.kind}: {len(self.table)} rows, {len(self.texts)} texts>"


def _shown(value: Any, longest: int) -> Any:
    return printable(value, longest) if isinstance(value, str) else value
