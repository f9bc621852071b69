"""The answers that came after a test in files of their own: the articles of 2020, the labels of 2026."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from ir_coliee.errors import ColieeWarning, MalformedFileError, shown
from ir_coliee.releases.reading import Readable, read_text

_GOLD = "a line such as `R98-1-A 0 7 1`, the article in the third column"
_LABEL = "a line such as `R98-1-A<tab>Y`"


def read_gold_file(file: Readable) -> dict[str, tuple[str, ...]]:
    """Question id to relevant articles, from a file of lines like those of a run or of qrels: the id stands in the
    first column, the article in the third. Raises `MalformedFileError`.
    """
    gold: dict[str, tuple[str, ...]] = {}
    for line, words in _rows(file):
        if len(words) < 3:
            raise MalformedFileError(file, line, f"{len(words)} columns", _GOLD)
        gold[words[0]] = tuple(dict.fromkeys((*gold.get(words[0], ()), words[2])))
    return gold


def read_answer_file(file: Readable) -> dict[str, str]:
    """Question id to Y or N. A question given twice counts as it stands first, with a warning.

    Raises `MalformedFileError`.
    """
    answers: dict[str, str] = {}
    for line, words in _rows(file):
        if len(words) < 2 or words[1] not in ("Y", "N"):
            raise MalformedFileError(file, line, "no question id followed by Y or N", _LABEL)
        if answers.setdefault(words[0], words[1]) != words[1]:
            message = f"{file}, line {line}: question {shown(words[0])} has both answers; the first counts"
            warnings.warn(message, ColieeWarning, stacklevel=2)
    return answers


def _rows(file: Readable) -> Iterator[tuple[int, list[str]]]:
    for line, text in enumerate(read_text(file).split("\n"), start=1):
        if words := text.split():
            yield line, words
