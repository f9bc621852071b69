"""The style of all plots: colours that the colour-blind can tell apart, and marks that print in black and white.

Nothing here uses pyplot or its state, so plots can be drawn in several threads.
"""

from __future__ import annotations

import functools
import hashlib
import io
import re
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np
import pandas as pd

from ir_coliee.display import Picture
from ir_coliee.errors import MissingExtraError, printable
from ir_coliee.frames import Floats, check_number
from ir_coliee.storage import write_file

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.container import Container
    from matplotlib.figure import Figure


#: The palette of Okabe and Ito (2008), from dark to light, without yellow, which is faint on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (6, 2, 1, 2)))
HATCHES = ("", "////", "xxxx", "----", "\\\\\\\\", "||||", "++++")  # dots and circles make large SVG files
GREY = "#767676"  # of auxiliary lines and of what is not a run of the user
FAINT = "#D9D9D9"  # of grids
LABEL_LENGTH = 36  # the largest number of characters in a legend
_LONGEST = 22  # characters of a line of a label of a row, at least
_SERIES = 6  # the number of series from which on a row does not become higher
_WIDTH = 5.5  # inches, the text width of most proceedings
_RATIO = 0.55  # height of the data area to its width
_SUBPLOT = 0.775  # the share of a new figure's width that its axes have before they are laid out


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
    ValueError
        If the width is not from 2 to 100 inches, as in less no data area is left.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("Plotting", "plot") from error
    size = _WIDTH if width is None else check_number("width", width, "from 2 to 100 inches", lambda n: 2 <= n <= 100)
    figure = Figure(figsize=(size, size * _RATIO), layout="constrained")
    FigureCanvasAgg(figure)  # it keeps the sizes of texts, which the layout needs several times
    axes: Axes = figure.subplots()
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


def dots(ax: Axes, index: int, frame: pd.DataFrame, value: str, other: str | Floats) -> Container:
    """Draw the values of a series as points, with intervals from the columns ``low`` to ``high``.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes.
    index : int
        The index of the series.
    frame : pandas.DataFrame
        The values.
    value : str
        The column with the values. They are on the y axis if ``other`` is a column.
    other : str or numpy.ndarray
        The column with the places on the x axis, or the places on the y axis.
    """
    values = frame[value].to_numpy(np.float64)
    sides = values - frame["low"].to_numpy(np.float64), frame["high"].to_numpy(np.float64) - values
    lengths = np.stack(sides).clip(min=0)
    style = {**line_style(index), "linestyle": "", "elinewidth": 0.8, "capsize": 1.5}
    if isinstance(other, str):
        return ax.errorbar(frame[other].to_numpy(np.float64), values, yerr=lengths, **style)
    return ax.errorbar(values, other, xerr=lengths, **style)


# --- text ------------------------------------------------------------------------------------------


def font_size(ax: Axes) -> float:
    """Return the size of all text in points: 7 in a column of 3.3 inches, 8.4 in 5.5 inches, at most 10."""
    return min(10.0, max(6.0, 4.9 + 0.64 * points(ax) / 72 / _SUBPLOT))


def label(name: object, longest: int = LABEL_LENGTH) -> str:
    r"""Return a name as matplotlib shows it: shortened, with control characters and dollar signs escaped.

    Examples
    --------
    >>> label("a$b"), label("coliee-task1-sample-test.learned")
    ('a\\$b', 'coliee-task1-sample-test.learned')
    """
    return printable(str(name), longest).replace("$", r"\$")


def legend(ax: Axes, handles: Sequence[Artist | Container], names: Sequence[object]) -> None:
    """Put a legend above the data area, in as many columns as fit the width. Call it after `label_rows`."""
    if not handles:
        return
    size, labels = font_size(ax), _distinct(names, [label(name) for name in names])
    on_right = has_rows(ax)  # above the labels of the rows there is room
    letters, around = 0.52 * max(map(len, labels)), 4.4  # in units of the size of text
    columns = max(1, int((points(ax) / size + 1.2) / (letters + around)))
    found = ax.legend(
        cast("list[Artist]", handles),
        ["."] * len(handles),  # a label that starts with an underscore would be left out
        loc="lower right" if on_right else "lower left",
        bbox_to_anchor=(int(on_right), 1.02),
        borderaxespad=0,
        borderpad=0.2,
        ncols=min(columns, len(handles)),
        fontsize=size,
        frameon=False,
        handlelength=2.4,
        columnspacing=1.2,
        labelspacing=0.3,
    )
    for text, name in zip(found.get_texts(), labels):
        text.set_text(name)


def text(ax: Axes, x: float, y: float, words: str, *, size: float = 1.0, **style: Any) -> None:
    """Write words at a point of the data, in the size of all text or a share of it."""
    ax.text(x, y, words, fontsize=size * font_size(ax), **style)


def grid(ax: Axes, axis: Literal["both", "x", "y"] = "both") -> None:
    """Draw faint lines at the ticks."""
    ax.grid(axis=axis, color=FAINT, linewidth=0.5)


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
    """Label the rows of a plot, from the top, and set their heights.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes.
    names : sequence
        The labels. Long ones are broken into two lines, or shortened.
    series : int
        The number of series: the more, the higher are the rows.
    headings : collection of int
        The rows that are headings: they are bold and have no series.
    """
    longest = max(_LONGEST, int(0.4 * points(ax) / (0.55 * font_size(ax))))
    labels = _distinct(names, [_broken(str(name), longest) for name in names])
    of_series = 0.8 * min(series, _SERIES)
    lowest = [1.4 if "\n" in words else 1.0 for words in labels]
    heights = np.array([low if row in headings else max(of_series, low) for row, low in enumerate(lowest)])
    centres = heights.cumsum() - heights / 2
    ax.set_yticks(centres, labels, linespacing=1.0)
    for row in headings:
        ax.get_yticklabels()[row].set_fontweight("bold")
    ax.set_ylim(heights.sum(), 0)
    ax.tick_params(axis="y", length=0)
    return Rows(centres, series, 0.85 * max(of_series, 1.0) / series)


def has_rows(ax: Axes) -> bool:
    """Return whether `label_rows` has labelled the rows of axes."""
    from matplotlib.ticker import FixedLocator

    return isinstance(ax.yaxis.get_major_locator(), FixedLocator)


def _broken(name: str, longest: int) -> str:
    """Break a long name at the space next to its middle, and shorten what is too long for a line."""
    spaces = [match.start() for match in re.finditer(" ", name) if 4 <= match.start() < len(name) - 4]
    if len(name) <= longest or not spaces:
        return label(name, longest)
    middle = min(spaces, key=lambda space: abs(space - len(name) / 2))
    return "\n".join(label(part, longest) for part in (name[:middle], name[middle + 1 :]))


def _distinct(names: Sequence[object], labels: Sequence[str]) -> list[str]:
    """Number the labels if different names have the same one."""
    if len({*labels}) == len({*map(str, names)}):
        return [*labels]
    return [f"{number}: {words}" for number, words in enumerate(labels, 1)]


def points(ax: Axes) -> float:
    """Return the width of new axes in points, before they are laid out."""
    return float(72 * ax.get_position(original=True).width * figure_of(ax).get_figwidth())


# --- layout ----------------------------------------------------------------------------------------


def figure_of(ax: Axes) -> Figure:
    """Return the figure of axes, also if they are in a subfigure."""
    figure: Any = ax.figure
    while figure is not figure.figure:
        figure = figure.figure
    found: Figure = figure
    return found


def finish(ax: Axes) -> None:
    """Give the axes the frame of all plots, and their labels the size of all text."""
    from matplotlib.ticker import MaxNLocator

    size = font_size(ax)
    for name in (ax.xaxis.label, ax.yaxis.label):
        name.set_fontsize(size)
    if has_rows(ax):  # the data area may be narrow
        ax.xaxis.set_label_text(ax.get_xlabel(), ha="right", x=1)
        if isinstance(ax.xaxis.get_major_locator(), MaxNLocator):
            ax.xaxis.set_major_locator(MaxNLocator(nbins=4, steps=[1, 2, 5, 10]))
    ax.tick_params(labelsize=size, width=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_linewidth(0.6)


def fit_height(ax: Axes) -> None:
    """Give the figure of single axes the height of its data and of what is around it: legend, labels, ticks."""
    figure = figure_of(ax)
    layout = figure.get_layout_engine()
    assert layout is not None
    figure.set_figheight(_fitting_height(ax))
    layout.execute(figure)
    figure.set_figheight(_fitting_height(ax))  # with the ticks of the height before


def _fitting_height(ax: Axes) -> float:
    """Return the height in inches that the figure would have with the present width and ticks of the data area."""
    dpi, area, everything = figure_of(ax).dpi, ax.get_window_extent(), ax.get_tightbbox()
    assert everything is not None
    height = area.width * _RATIO / dpi
    if has_rows(ax):
        bottom, top = ax.get_ylim()
        height = max(0.5, abs(top - bottom) * 1.75 * font_size(ax) / 72)
    around = (everything.height - area.height) / dpi
    return float(height + around + 0.1)


def nothing(ax: Axes) -> None:
    """Say that a frame has no rows."""
    ax.set_axis_off()
    text(ax, 0.5, 0.5, "nothing to show", ha="center", va="center", transform=ax.transAxes, color=GREY)


# Plots as pictures of a page, and as files.


_DPI = 300  # of PNG files
_SETTING = threading.Lock()
_ID = re.compile(r'(?<= id=")[^"]+(?=")')


def as_picture(ax: Axes, description: str) -> Picture:
    """Return the figure of axes as an SVG element for a page.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes.
    description : str
        What the plot shows, for readers who cannot see it.

    Returns
    -------
    Picture
        Equal plots give equal elements. The ids in them begin with a hash of the plot, so that a page can contain
        several. Text is drawn as shapes, so that it looks the same without the font.
    """
    return Picture(_svg_element(ax), description)


def shown_in_notebooks(ax: Axes) -> Axes:
    """Return axes that notebooks show as a picture. pyplot, which shows figures there, does not know their figure."""
    ax._repr_svg_ = functools.partial(_svg_element, ax)  # type: ignore[attr-defined]
    return ax


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
    dates = {"svg": {}, "pdf": {"CreationDate": None}, "png": {}}
    if kind not in dates:
        raise ValueError(f"A plot is saved as .svg, .pdf or .png, got the name {printable(Path(path).name)!r}.")
    if kind == "svg":
        data = _svg(ax).encode()
    else:
        buffer = io.BytesIO()
        with _true_type_fonts():
            figure_of(ax).savefig(buffer, format=kind, dpi=_DPI, metadata=dates[kind])
        data = buffer.getvalue()
    write_file(path, data, overwrite=overwrite)


@contextmanager
def _true_type_fonts() -> Iterator[None]:
    """Embed fonts in PDF files as publishers want them. matplotlib has this only as a setting of the process."""
    import matplotlib

    with _SETTING:
        before = matplotlib.rcParams["pdf.fonttype"]
        matplotlib.rcParams["pdf.fonttype"] = 42
        try:
            yield
        finally:
            matplotlib.rcParams["pdf.fonttype"] = before


def _svg_element(ax: Axes) -> str:
    """Return the figure without the declarations before the element."""
    svg = _svg(ax)
    return svg[svg.index("<svg") :].rstrip()


def _svg(ax: Axes) -> str:
    """Return the figure as SVG without a date, with ids that depend only on what is drawn."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    buffer = io.StringIO()
    nobody: dict[str, Any] = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    canvas: Any = FigureCanvasSVG(figure_of(ax))
    canvas.print_svg(buffer, metadata=nobody)  # savefig would draw the figure twice
    svg = buffer.getvalue()
    numbers = {found: str(number) for number, found in enumerate(dict.fromkeys(_ID.findall(svg)))}

    def renumbered(prefix: str) -> str:
        return re.sub(
            r'( id="|href="#|url\(#)([^")]+)',
            lambda match: f"{match[1]}{prefix}{numbers.get(match[2], match[2])}",
            svg,
        )

    return renumbered(f"p{hashlib.sha256(renumbered('').encode()).hexdigest()[:10]}-")
