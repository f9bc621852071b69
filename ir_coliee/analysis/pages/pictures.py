"""The plot of an analysis as a picture of a page."""

from __future__ import annotations

import importlib.util
import io
import warnings
from typing import TYPE_CHECKING, cast

from ir_coliee.display import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
    axes = frame.plot()
    import matplotlib

    written = io.StringIO()
    # letters as shapes look the same everywhere; the salt makes the ids in the picture repeatable
    salted = matplotlib.rc_context({"svg.fonttype": "path", "svg.hashsalt": frame.kind})
    with salted, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # of a name, which the table has
        figure = cast("Figure", axes.get_figure(root=True))
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    text = written.getvalue()
    return Picture(text[text.index("<svg") :], f"{frame.title}. The table has the same figures.")
