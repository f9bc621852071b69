"""Readers with faults that the attack must find."""

import re

from text_growth import Reader

BACKTRACKS = re.compile(r"(?:a|A|aA)*!")


def readers():
    """Readers whose time doubles with each character, or grows with the square, or that fail; and a good one."""
    return {
        "backtracks": Reader("backtracks", BACKTRACKS.match, [BACKTRACKS]),
        "searches again": Reader("searches again", lambda text: [text.count("ab") for _ in text[::64]], []),
        "fails": Reader("fails", lambda text: text.encode("cp932"), []),
        "reads once": Reader("reads once", str.split, []),
    }
