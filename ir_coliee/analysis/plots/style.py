"""The style of all plots: colours that the colour-blind can tell apart, and marks that print in black and white."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir_coliee.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The palette of Okabe and Ito (2008), from dark to light, without yellow, which is faint on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES = ("-", "--", ":", "-.")
HATCHES = ("", "//", "..", "xx", "\\\\", "++", "oo")
_WIDTH = 5.5  # inches, the text width of most proceedings
_RATIO = 0.62


def new_axes(width: float | None = None) -> Axes:
    """Return the axes of a new figure.

    Parameters
    ----------
    width : float, optional
        The width of the figure in inches; by default 5.5.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("Plotting", "plot") from error
    size = width or _WIDTH
    axes: Axes = Figure(figsize=(size, size * _RATIO), layout="constrained").subplots()
    return axes
