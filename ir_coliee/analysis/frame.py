"""The result of an analysis: a tidy frame with a title, notes and a plot."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from ir_coliee.display import Block, Heading, Table, number_cell, words
from ir_coliee.frames import ShownFrame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Values and rows of frames as JSON has them: plain types, and None for what is missing.


def plain(value: Any) -> Any:
    """Return a value without types of numpy; None if it is missing or infinite.

    Examples
    --------
    >>> plain(pd.Series([3])[0]), plain(float("nan")), plain(pd.NA), plain("a")
    (3, None, None, 'a')
    """
    value = value.item() if hasattr(value, "item") else value
    is_missing = value is pd.NA or (isinstance(value, float) and not math.isfinite(value))
    return None if is_missing else value


def plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame as dicts.

    Examples
    --------
    >>> plain_rows(pd.DataFrame({"run": ["mine", "other"], "rank": pd.array([0, None], dtype="Int64")}))
    [{'run': 'mine', 'rank': 0}, {'run': 'other', 'rank': None}]
    """
    return [{str(name): plain(value) for name, value in row.items()} for row in frame.to_dict("records")]


MAX_SHOWN = 30  # rows of a table
_NAMES = {"run", "property", "group", "cause"}
_MAX_SPREAD = 8  # columns that one column is spread over


def _with_keys(table: Table, columns: Sequence[str]) -> Table:
    """Return a table that repeats its first columns with names in each block on a narrow terminal, and folds them."""
    keys = list(itertools.takewhile(_NAMES.__contains__, columns))
    return table._replace(fold=keys or ("run",), key=min(3, max(1, len(keys))))


class AnalysisFrame(ShownFrame):
    """A `pandas.DataFrame` with one observation per row, which Python and notebooks show with its title and notes.

    Attributes
    ----------
    title : str
        What the frame shows, for headings and plots.
    kind : str
        The name of the analysis, a key of `ir_coliee.analysis.plots.PLOTS`.
    notes : tuple of str
        Definitions and reservations that a reader needs.
    spread : tuple of two str, optional
        A column of names and one of values. The table that is shown has a column for each name.
    main_rows : str
        A condition, as `pandas.DataFrame.query` takes it, for the rows that are shown of a long table; by default the
        significant or the first ones.
    numbers : tuple of str
        Columns of numbers of any size, such as scores and thresholds. The table shows them with six significant digits,
        and other numbers with four decimals.
    runs : tuple of str
        The runs in the order in which they were passed, where that of the rows is another: a plot has the colours of
        this order.
    """

    _metadata = ["title", "kind", "notes", "spread", "main_rows", "numbers", "runs"]
    title: str = ""
    kind: str = ""
    notes: tuple[str, ...] = ()
    spread: tuple[str, str] | None = None
    main_rows: str = ""
    numbers: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        frame: pd.DataFrame,
        kind: str,
        title: str,
        notes: Sequence[str] = (),
        *,
        spread: tuple[str, str] | None = None,
        main_rows: str = "",
        numbers: Sequence[str] = (),
        runs: Iterable[str] = (),
    ) -> AnalysisFrame:
        """Give a frame a kind, a title and notes, and state how its table is shown.

        Examples
        --------
        >>> counts = pd.DataFrame({"query_id": ["a", "a"], "run": ["x", "y"], "found": [2, 0]})
        >>> print(AnalysisFrame.of(counts, kind="found", title="Items found", spread=("run", "found")))
        Items found
        query id  x  y
        a         2  0
        """
        result = cls(frame)
        result.kind, result.title, result.notes = kind, title, tuple(notes)
        result.spread, result.main_rows, result.numbers, result.runs = spread, main_rows, tuple(numbers), tuple(runs)
        return result

    def table(self) -> Table:
        """Return the table that is shown, with all rows and columns."""
        return self._table_of(self)

    def _table_of(self, frame: pd.DataFrame) -> Table:
        frame = frame.assign(**{name: frame[name].map(number_cell) for name in self.numbers})
        if "property" in frame.columns:
            frame = frame.assign(property=frame["property"].map(words))
        if self.spread is None:
            return _with_keys(Table.of_frame(frame), [str(name) for name in frame.columns])
        names, values = self.spread
        keys = self._keys()
        columns = [*dict.fromkeys(frame[names])]
        cells: dict[str, dict[object, object]] = {}
        of_rows: dict[str, list[object]] = {}
        for *key, name, value in frame[[*keys, names, values]].to_numpy(object).tolist():
            of_rows.setdefault(repr(key), key)
            cells.setdefault(repr(key), {})[name] = value
        rows = [[*key, *(cells[row].get(name) for name in columns)] for row, key in of_rows.items()]
        return Table([*map(words, keys), *map(str, columns)], rows, fold=["causes"])

    def _keys(self) -> list[str]:
        return [str(name) for name in self.columns if name not in (self.spread or ())]

    def display(self, rest: str = "the frame has all") -> Iterator[Block]:
        """Return the title, the table and the notes, as `ir_coliee.display` shows them.

        Of a long table it has the first or main rows, and of one that is spread over many columns the others.

        Parameters
        ----------
        rest : str
            How a reader gets all rows and columns.
        """
        yield Heading(self.title)
        if self.empty:
            yield "Nothing to show."
            return
        table = self.table()
        num_rows = len(table.rows)
        main_rows = self.main_rows or ("p_holm < 0.05" if "p_holm" in self else "")
        if num_rows > MAX_SHOWN and main_rows and len(main := self.query(main_rows)):
            table = self._table_of(main)
        keys = self._keys()
        num_left_out = len(table.header) - len(keys)
        if self.spread is not None and num_left_out > _MAX_SPREAD:
            yield f"without the columns of {num_left_out} {self.spread[0]}s; {rest}"
            if len(keys) == 1:  # which says nothing without them
                yield from self.notes
                return
            table = Table(table.header[: len(keys)], [row[: len(keys)] for row in table.rows])
        yield table._replace(rows=table.rows[:MAX_SHOWN])
        if num_rows > MAX_SHOWN:
            yield f"{min(len(table.rows), MAX_SHOWN)} of {num_rows} rows; {rest}"
        yield from self.notes

    def as_json(self) -> dict[str, object]:
        """Return the title, the notes and the rows as plain dicts and lists, with None for missing values."""
        return {"title": self.title, "notes": [*self.notes], "rows": plain_rows(self)}

    def plot(  # type: ignore[override]
        self, ax: Axes | None = None, *, width: float | None = None
    ) -> Axes:
        r"""Plot the analysis with matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw on; by default those of a new figure.
        width : float, optional
            The width of a new figure in inches, such as LaTeX's ``\columnwidth``; by default 5.5.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        MissingExtraError
            If matplotlib is not installed (extra ``plot``).
        ValueError
            If this analysis has no plot.
        """
        from ir_coliee.analysis.plots import plot

        return plot(self, ax, width=width)
