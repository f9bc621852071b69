"""Prompt templates: text files with a place for the question, for the articles and for solved examples.

A file has sections, each below its name in brackets: ``[system]`` (may be missing), ``[question]``, and ``[question
without text]`` for a question without articles. ``{query}`` and ``{text}`` stand for the question and the articles,
``{answer}`` in ``[answer]`` for the word with which a solved example is answered (``Yes`` and ``No``, or what the
sections ``[yes]`` and ``[no]`` say). Lines that begin with ``#`` before the first section say where the template is
from. A solved example is a question and its answer, as turns of the conversation before the true question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from ir_coliee.errors import ColieeError, MalformedFileError
from ir_coliee.text.japanese_writing import is_japanese

_SECTION = re.compile(r"\[(system|question|question without text|answer|yes|no)\]")
_PLACE = re.compile(r"\{(query|text|answer)\}")


class Turn(NamedTuple):
    """What a side of a conversation says: ``role`` is ``system``, ``user`` or ``assistant``."""

    role: str
    content: str


Conversation = tuple[Turn, ...]


class Solved(NamedTuple):
    """A question with its articles and its answer, Y or N."""

    query: str
    text: str
    answer: str


@dataclass(frozen=True)
class Template:
    """The words of a prompt; see the module for its parts."""

    name: str
    question: str
    question_without_text: str
    system: str = ""
    answer: str = "{answer}"
    yes: str = "Yes"
    no: str = "No"

    @property
    def japanese(self) -> bool | None:
        """Whether its own words are Japanese; None where it has none."""
        return is_japanese(_PLACE.sub("", f"{self.system}{self.question}{self.question_without_text}"))

    def conversation(self, query: str, text: str, solved: Iterable[Solved] = ()) -> Conversation:
        """The turns of a conversation that ends with the question. Blank ``text``: there are no articles.

        >>> template("plain.en").conversation("A lamp is a movable.", "Article 1 A lamp is a movable.")[-1].role
        'user'
        """
        turns = [Turn("system", self.system)] if self.system else []
        for example in solved:
            turns += [Turn("user", self._asked(example.query, example.text)), Turn("assistant", self._told(example))]
        return (*turns, Turn("user", self._asked(query, text)))

    def _asked(self, query: str, text: str) -> str:
        return _filled(self.question if text.strip() else self.question_without_text, query=query, text=text)

    def _told(self, example: Solved) -> str:
        return _filled(self.answer, answer=self.yes if example.answer == "Y" else self.no)


def _filled(words: str, **places: str) -> str:
    """The places filled in one go, so that a question with braces is no template."""
    return _PLACE.sub(lambda place: places.get(place[1], place[0]), words)


def template(name: str) -> Template:
    """A template of the package by its name, such as ``plain.en``, or one of yours by its path.

    Raises `ColieeError` with the names there are for an unknown one, `MalformedFileError` for a file that is none.
    """
    ours = _ours()
    if name in ours:
        return ours[name]
    try:
        text = Path(name).read_text(encoding="utf-8-sig")
    except (OSError, ValueError):  # ValueError: no UTF-8, or no path at all
        raise ColieeError(
            f"{name!r} is neither a template ({', '.join(ours)}) nor the path of a readable text file in UTF-8."
        ) from None
    return _parsed(Path(name).stem, text, name)


@cache
def _ours() -> dict[str, Template]:
    files = (resources.files("ir_coliee") / "etc" / "prompts").iterdir()
    texts = {file.name.removesuffix(".txt"): file for file in files if file.name.endswith(".txt")}
    return {name: _parsed(name, texts[name].read_text(encoding="utf-8"), name) for name in sorted(texts)}


def _parsed(name: str, text: str, path: str) -> Template:
    sections: dict[str, list[str]] = {}
    current: list[str] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if section := _SECTION.fullmatch(line.strip()):
            if section[1] in sections:
                raise _malformed(path, number, f"the section [{section[1]}] comes a second time")
            current = sections.setdefault(section[1], [])
        elif current is not None:
            current.append(line)
        elif line.strip() and not line.startswith("#"):
            raise _malformed(path, number, "a line before the first section")
    parts = {section.replace(" ", "_"): "\n".join(lines).strip() for section, lines in sections.items()}
    for needed, place in (("question", "{text}"), ("question_without_text", "{query}")):
        if place not in parts.get(needed, ""):
            raise _malformed(path, None, f"no section [{needed.replace('_', ' ')}] with {place} in it")
    return Template(name, **parts)


def _malformed(path: str, line: int | None, problem: str) -> MalformedFileError:
    return MalformedFileError(path, line, problem, "the sections of ir_coliee.text.templates")
