"""Horizontal bars in groups, as an SVG picture that is small, has its texts as text, and fits light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

WIDTH, NAMES, VALUES = 560, 124, 84  # pixels: of the picture, left of the bars, and right of them
LINE, HEADING, GAP = 22, 26, 14
STYLE = """
text { font: 15px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #1b1f24 }
.heading { font-weight: 600 } .small { font-size: 13px; fill: #57606a } .card { fill: #ffffff }
.a { fill: #8c959f } .b { fill: #0969da } .c { fill: #bf5700 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .small { fill: #9da7b3 } .card { fill: #131416 }
.a { fill: #768390 } .b { fill: #4493f8 } .c { fill: #e8853a } }
"""


class Bar(NamedTuple):
    """A bar: its name, its length from the start of the scale, the text behind it, and its colour a, b or c."""

    name: str
    value: float
    text: str
    colour: str


class Group(NamedTuple):
    """Bars under a heading."""

    heading: str
    bars: Sequence[Bar]


class Scale(NamedTuple):
    """The values at the start and at the end of the longest bars."""

    low: float
    high: float
    is_logarithmic: bool = False

    def position(self, value: float) -> float:
        """Return the place of a value on the scale, in pixels."""
        low, high, at = (math.log(each) if self.is_logarithmic else each for each in (self.low, self.high, value))
        share = min(max((at - low) / (high - low), 0.0), 1.0)
        return NAMES + share * (WIDTH - NAMES - VALUES)


def bar_chart(title: str, description: str, groups: Sequence[Group], scale: Scale, notes: Sequence[str]) -> str:
    """Return the picture as SVG.

    Parameters
    ----------
    title, description : str
        What screen readers read; neither is shown.
    groups : sequence of Group
        The bars, from top to bottom.
    scale : Scale
        The scale of all bars.
    notes : sequence of str
        Lines below the bars.
    """
    shapes, top = [], 8
    for group in groups:
        shapes.append(_text(12, top + 18, group.heading, "heading"))
        top += HEADING
        for bar in group.bars:
            shapes += _shapes(bar, top, scale)
            top += LINE
        top += GAP
    for note in notes:
        shapes.append(_text(12, top + 10, note, "small"))
        top += 19
    height = top + 6
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-labelledby="title description">'
    )
    lines = [
        head,
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="description">{escape(description)}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="card" width="{WIDTH}" height="{height}" rx="6"/>',
        *shapes,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _shapes(bar: Bar, top: int, scale: Scale) -> list[str]:
    start, end = scale.position(scale.low), scale.position(bar.value)
    place = f'x="{start:.1f}" y="{top + 2}" width="{max(end - start, 2):.1f}" height="16" rx="2"'
    return [
        f'<text x="{NAMES - 8}" y="{top + 15}" text-anchor="end">{escape(bar.name)}</text>',
        f'<rect class="{bar.colour}" {place}/>',
        _text(end + 6, top + 15, bar.text, ""),
    ]


def _text(x: float, y: float, text: str, style: str) -> str:
    style = f' class="{style}"' if style else ""
    return f'<text x="{x:.1f}" y="{y}"{style}>{escape(text)}</text>'
