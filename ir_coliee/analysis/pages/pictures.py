"""The plot of an analysis as a picture of a page."""

from __future__ import annotations

import importlib.util
import warnings
from typing import TYPE_CHECKING

from ir_coliee.display import Picture

if TYPE_CHECKING:
    from ir_coliee.analysis.analysis_frame import AnalysisFrame


def can_draw() -> bool:
    """Return whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def picture(frame: AnalysisFrame) -> Picture:
    """Draw an analysis. Equal frames give equal pictures.

    Parameters
    ----------
    frame : AnalysisFrame
        The result of an analysis that has a plot.

    Returns
    -------
    Picture
        An SVG element with its own background.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    ValueError
        If the analysis has no plot.
    """
    from ir_coliee.analysis.plots.pictures import as_picture

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # of a name, which the table has
        return as_picture(frame.plot(), f"{frame.title}. The table has the same figures.")
