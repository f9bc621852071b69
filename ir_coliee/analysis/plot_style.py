"""The style of all plots: colours that the colour-blind can tell apart, and marks that print in black and white.

Nothing here uses pyplot. What matplotlib has only as a setting of the process is set while a plot is drawn or saved, by
one thread at a time.
"""

from __future__ import annotations

import functools
import io
import math
import textwrap
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.display import Picture
from ir_coliee.errors import MissingExtraError, printable
from ir_coliee.frames import Floats, check_number
from ir_coliee.storage import write_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: The palette of Okabe and Ito (2008), from dark to light, without yellow, which is faint on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (6, 2, 1, 2)))
HATCHES = ("", "////", "xxxx", "----", "\\\\\\\\", "||||", "++++")  # dots and circles make large SVG files
GREY = "#767676"  # of auxiliary lines and of what is not a run of the user
FAINT = "#D9D9D9"  # of grids
LABEL_LENGTH = 36  # the largest number of characters in a legend, and of a line of a label
_SIZE = 8  # points, of all text
_SERIES = 6  # the number of series from which on a row does not become higher
_WIDTH, _RATIO = 5.5, 0.55  # inches, the text width of most proceedings; height of the data area to the width
_SETTINGS: dict[Any, Any] = {
    "font.size": _SIZE,
    "axes.labelsize": _SIZE,
    "xtick.labelsize": _SIZE,
    "ytick.labelsize": _SIZE,
    "legend.fontsize": _SIZE,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.5,
    "hatch.linewidth": 0.6,
    "errorbar.capsize": 1.5,
    "pdf.fonttype": 42,  # TrueType, as publishers want
    "svg.hashsalt": "ir_coliee",
}
_SETTING = threading.RLock()


@contextmanager
def settings() -> Iterator[None]:
    """Give matplotlib the settings of all plots for some time. Raises `MissingExtraError` if it is not installed."""
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError as error:
        raise MissingExtraError("Plotting", "plot") from error
    with _SETTING, matplotlib.rc_context(_SETTINGS):
        yield


def new_axes(width: float | None = None) -> Axes:
    """Return the axes of a new figure, which notebooks show as a picture.

    Parameters
    ----------
    width : float, optional
        The width of the figure in inches; by default 5.5.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    ValueError
        If the width is not from 2 to 100 inches, as in less no data area is left.
    """
    size = _WIDTH if width is None else check_number("width", width, "from 2 to 100 inches", lambda n: 2 <= n <= 100)
    with settings():
        from matplotlib.figure import Figure

        axes: Axes = Figure(figsize=(size, size * _RATIO), layout="constrained").subplots()
    axes._repr_svg_ = functools.partial(_svg, axes)  # type: ignore[attr-defined]  # pyplot does not know the figure
    return axes


# --- series ----------------------------------------------------------------------------------------


def line_style(index: int) -> dict[str, Any]:
    """Return colour, marker and line of the series with this index. Marker and line together tell 28 series apart."""
    return {
        "color": COLOURS[index % len(COLOURS)],
        "marker": MARKERS[index % len(MARKERS)],
        "linestyle": LINES[index % len(LINES)],
        "markersize": 4,
        "linewidth": 1.2,
        "markeredgecolor": "white",
        "markeredgewidth": 0.4,
    }


def bar_style(index: int) -> dict[str, Any]:
    """Return the colour, hatch and edge of the bars with this index."""
    return {
        "facecolor": tint(COLOURS[index % (len(COLOURS) - 1)], 0.6),  # a hatch cannot be seen on a dark colour
        "hatch": HATCHES[(index + index // len(HATCHES)) % len(HATCHES)],
        "edgecolor": "black",
        "linewidth": 0.5,
    }


def tint(colour: str, share: float) -> tuple[float, ...]:
    """Return a mixture of a colour, in this share, and white."""
    return tuple(1 - share * (1 - int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5))


def dots(ax: Axes, index: int, frame: pd.DataFrame, value: str, places: Floats, *, upright: bool = False) -> Any:
    """Draw the values of a series as points at places, with intervals from the columns ``low`` to ``high``."""
    values = frame[value].to_numpy(np.float64)
    sides = np.stack([values - frame["low"].to_numpy(np.float64), frame["high"].to_numpy(np.float64) - values])
    style = {**line_style(index), "linestyle": "", "elinewidth": 0.8}
    if upright:
        return ax.errorbar(places, values, yerr=sides.clip(min=0), **style)
    return ax.errorbar(values, places, xerr=sides.clip(min=0), **style)


# --- labels ----------------------------------------------------------------------------------------


def label(name: object, longest: int = LABEL_LENGTH) -> str:
    r"""Return a name as matplotlib shows it: shortened, with control characters and dollar signs escaped.

    Examples
    --------
    >>> label("a$b"), label("coliee-task1-sample-test.learned")
    ('a\\$b', 'coliee-task1-sample-test.learned')
    """
    return printable(str(name), longest).replace("$", r"\$")


def legend(ax: Axes, handles: Sequence[Any], names: Sequence[object]) -> None:
    """Put a legend above the data area, in as many columns as fit the figure."""
    labels = _distinct(names, [label(name) for name in names])
    width = 72 * ax.figure.get_figwidth() / _SIZE  # type: ignore[union-attr]
    columns = max(1, int(0.6 * width / (0.52 * max(map(len, labels), default=1) + 4.4)))
    found = ax.legend(
        handles,
        ["."] * len(handles),  # a label that starts with an underscore would be left out
        loc="lower left" if ax.get_ylim()[0] < ax.get_ylim()[1] else "lower right",  # above long labels there is room
        bbox_to_anchor=(float(ax.get_ylim()[0] > ax.get_ylim()[1]), 1.02),
        borderaxespad=0,
        borderpad=0.2,
        ncols=min(columns, max(len(handles), 1)),
        columnspacing=1.2,
        labelspacing=0.3,
    )
    for text, name in zip(found.get_texts(), labels):
        text.set_text(name)


class Rows(NamedTuple):
    """The rows of a plot with a label for each row, from the top, and places for several series in a row.

    Attributes
    ----------
    centres : numpy.ndarray
        The middle of each row.
    series : int
        The number of series.
    height : float
        The height of a series in a row.
    """

    centres: Floats
    series: int
    height: float

    def places(self, index: int) -> Floats:
        """Return the middles of a series in all rows."""
        return self.centres + (index - (self.series - 1) / 2) * self.height


def label_rows(ax: Axes, names: Sequence[object], *, series: int = 1, headings: Collection[int] = ()) -> Rows:
    """Label the rows of a plot, from the top, and set their heights: the more series, the higher are the rows.

    Long labels are broken into two lines, and shortened; rows that are headings are bold and have no series.
    """
    wide = ax.figure.get_figwidth() >= _WIDTH  # type: ignore[union-attr]
    labels = _distinct(names, [_broken(str(name), LABEL_LENGTH if wide else 24) for name in names])
    of_series = 0.8 * min(series, _SERIES)
    lowest = [1.4 if "\n" in words else 1.0 for words in labels]
    heights = np.array([low if row in headings else max(of_series, low) for row, low in enumerate(lowest)])
    centres = heights.cumsum() - heights / 2
    ax.set_yticks(centres, labels, linespacing=1.0)
    for row in headings:
        ax.get_yticklabels()[row].set_fontweight("bold")
    ax.set_ylim(heights.sum(), 0)
    ax.tick_params(axis="y", length=0)
    ax.locator_params(axis="x", nbins=4)
    return Rows(centres, series, 0.85 * max(of_series, 1.0) / series)


def _broken(name: str, longest: int) -> str:
    """Break a long name into two lines, and shorten them."""
    lines = textwrap.wrap(name, longest, break_long_words=False) if len(name) > longest else [name]
    return "\n".join(label(line, longest) for line in (lines[0], " ".join(lines[1:])) if line)


def _distinct(names: Sequence[object], labels: Sequence[str]) -> list[str]:
    """Number the labels if different names have the same one."""
    if len({*labels}) == len({*map(str, names)}):
        return [*labels]
    return [f"{number}: {words}" for number, words in enumerate(labels, 1)]


def fit_height(ax: Axes) -> None:
    """Give the figure of single axes the height of its rows, or of a curve, and of its legend and labels."""
    bottom, top = ax.get_ylim()
    is_of_rows = bottom > top
    if is_of_rows:
        ax.set_xlabel(ax.get_xlabel(), loc="right")  # the data area may be narrow
    size = _SIZE / 72
    found = ax.get_legend()
    legend_rows = math.ceil(len(found.get_texts()) / found._ncols) if found else 0  # type: ignore[attr-defined]
    width = ax.figure.get_figwidth()  # type: ignore[union-attr]
    data = max(0.5, 1.75 * size * (bottom - top)) if is_of_rows else width * _RATIO
    ax.figure.set_figheight(data + 1.4 * size * legend_rows + 0.6)  # type: ignore[union-attr]


# --- pictures and files ----------------------------------------------------------------------------


def _saved(ax: Axes, kind: str) -> bytes:
    """Return the figure in a format, without a date."""
    dates = {"svg": dict.fromkeys(("Date", "Creator", "Format", "Type")), "pdf": {"CreationDate": None}, "png": {}}
    buffer = io.BytesIO()
    with settings():
        ax.figure.savefig(buffer, format=kind, dpi=300, metadata=dates[kind])  # type: ignore[union-attr]
    return buffer.getvalue()


def _svg(ax: Axes) -> str:
    """Return the figure as an SVG element, without the declarations before it."""
    svg = _saved(ax, "svg").decode()
    return svg[svg.index("<svg") :].rstrip()


def as_picture(ax: Axes, description: str) -> Picture:
    """Return the figure of axes as an SVG element for a page; equal plots give equal elements.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes.
    description : str
        What the plot shows, for readers who cannot see it.

    Returns
    -------
    Picture
        Text is drawn as shapes, so that it looks the same without the font.
    """
    return Picture(_svg(ax), description)


def save(ax: Axes, path: Path | str, *, overwrite: bool = False) -> None:
    """Save the figure of axes. Equal plots give equal files.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes.
    path : path
        The file; its ending says the format: ``.svg``, ``.pdf`` or ``.png``.
    overwrite : bool
        Whether an existing file is replaced.

    Raises
    ------
    ExistingFileError
        If the file exists and ``overwrite`` is false.
    ValueError
        For another ending.
    """
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in ("svg", "pdf", "png"):
        raise ValueError(f"A plot is saved as .svg, .pdf or .png, got the name {printable(Path(path).name)!r}.")
    write_file(path, _saved(ax, kind), overwrite=overwrite)
