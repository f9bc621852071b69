"""Plots as pictures of a page, and as files."""

from __future__ import annotations

import functools
import hashlib
import io
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ir_coliee.analysis.plots.style import figure_of
from ir_coliee.display import Picture
from ir_coliee.errors import printable
from ir_coliee.storage import write_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
