"""Irregular forms of decisions and paragraphs, each as a function that changes a regular synthetic text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

_NO_BREAK_SPACE, _SOFT_HYPHEN = "\u00a0", "\u00ad"
_FRENCH_FIRST = (
    "[French language version follows English language version]",
    "[La version française vient à la suite de la version anglaise]",
)
_ENGLISH_FIRST = (
    "[English language version follows French language version]",
    "[La version anglaise vient à la suite de la version française]",
)
_FRENCH = "Lamotre bédarde sulifait gnévelle ; dupraise à l'ondrelle."
_LAST_LINE = "[End of document]"

#: Replaces line feeds by CRLF.
CRLF = "CRLF"
#: Changes some letters to capitals, so that the words stay the same.
NEAR_IDENTICAL = "near-identical text"


def _insert_before_first_mark(text: str, *lines: str) -> str:
    return text.replace("[1]\n", "".join(f"{line}\n" for line in lines) + "[1]\n", 1)


def _glue_marks(text: str) -> str:
    return text.replace("[1]\n", "[1]\nbeFRAGMENT_SUPPRESSEDREFERENCE_SUPPRESSEDgo CITATION_SUPPRESSED,", 1)


def _repeat_mark(text: str) -> str:
    return text.replace(_LAST_LINE, f"[1]\nLo gremmi dapo.\n{_LAST_LINE}")


def _skip_mark(text: str) -> str:
    last = int(re.findall(r"^\[(\d+)\]$", text, re.MULTILINE)[-1])
    return text.replace(_LAST_LINE, f"[{last + 2}]\nLo gremmi dapo.\n{_LAST_LINE}")


def _append_replacement(text: str) -> str:
    return f"{text}\ufffd"


def encode(text: str) -> bytes:
    """Return the bytes of a changed text: UTF-8, except for bytes that are planted not to be."""
    return text.encode(errors="surrogateescape")


#: Changes to a whole decision of task 1, by the name of the irregularity.
DECISION_CHANGES: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        CRLF: lambda text: text.replace("\n", "\r\n"),
        "no-break space": lambda text: text.replace("[1]\n", f"[1]\nLo{_NO_BREAK_SPACE}gremmi ", 1),
        "soft hyphen": lambda text: text.replace("[1]\n", f"[1]\nGrem{_SOFT_HYPHEN}mi ", 1),
        "glued marks": _glue_marks,
        "no first mark": lambda text: text.replace("[1]\n", "[1001]\n", 1),
        "repeated mark": _repeat_mark,
        "skipped mark": _skip_mark,
        "spaced marks": lambda text: re.sub(r"(?m)^(\[\d+\])$", r" \1 ", text),
        "text on the line of a mark": lambda text: text.replace("[1]\n", "[1] ", 1),
        "translation": lambda text: text.replace("[1]\n", "[1]\n[Translation] ", 1),
        "bilingual notice": lambda text: _insert_before_first_mark(text, *_FRENCH_FIRST),
        "bilingual notice before a mark": lambda text: _insert_before_first_mark(
            text, *(f" {line} <FRAGMENT_SUPPRESSED> " for line in _FRENCH_FIRST)
        ),
        "bilingual notice alone": lambda text: _insert_before_first_mark(text, _ENGLISH_FIRST[1]),
        "French double": lambda text: text.replace(_LAST_LINE, f"[1]\n{_FRENCH}\n{_LAST_LINE}"),
        "headnote": lambda text: _insert_before_first_mark(
            text, "MLB headnote and full text", "Temp. Cite: Lo", "  Summary:", "Lo gremmi dapo."
        ),
        "no end mark": lambda text: text.removesuffix(f"\n{_LAST_LINE}") + "\nEditor: Nobody/xyz\n",
        "blank lines": lambda text: text.replace("\n", "\n\n"),
        "not UTF-8": _append_replacement,
        NEAR_IDENTICAL: lambda text: text.replace("Decided in", "DECIDED IN"),
    }
)

#: Changes to a paragraph of task 2, which begins with its number on a line of its own, by name of the irregularity.
PARAGRAPH_CHANGES: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "mark unlike the file name": lambda text: re.sub(r"^\[\d+\]", "[7]", text),
        "spaced mark": lambda text: re.sub(r"^(\[\d+\])\n", r" \1 \n", text),
        "text on the line of a mark": lambda text: text.replace("]\n", "] ", 1),
        "blank line before the mark": lambda text: f"\n{text}",
        "mark without bracket": lambda text: text.removeprefix("["),
        "no mark": lambda text: text.partition("\n")[2],
        "not UTF-8": _append_replacement,
    }
)
