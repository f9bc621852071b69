"""The result of an analysis: a tidy frame with a title, notes and a plot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from ir_coliee.display import Block, Heading, Table
from ir_coliee.evaluation.shown_frame import ShownFrame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    """

    _metadata = ["title", "kind", "notes"]
    title: str = ""
    kind: str = ""
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, frame: pd.DataFrame, *, kind: str, title: str, notes: Sequence[str] = ()) -> AnalysisFrame:
        """Give a frame a kind, a title and notes."""
        result = cls(frame)
        result.kind, result.title, result.notes = kind, title, tuple(notes)
        return result

    def display(self) -> Iterator[Block]:
        """Return the title, the table and the notes, as `ir_coliee.display` shows them."""
        yield Heading(self.title)
        yield Table.of_frame(self)
        yield from self.notes

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
