"""Prompt templates: text files with placeholders for the question, the articles and solved examples.

A file has sections, each after its name in brackets: ``[system]`` (optional), ``[question]``, and ``[question without
text]`` for a question without articles. ``{query}`` and ``{text}`` are replaced by the question and the articles, and
``{num}`` in a prompt that lists candidates by their number.
``{answer}`` in ``[answer]`` is replaced by the answer of a solved example (``Yes`` and ``No``, or the text of the
sections ``[yes]`` and ``[no]``). ``[schema]`` (optional) is the JSON schema of the reply, for models that can be
restricted to one. Lines that begin with ``#`` before the first section describe the source of the template. Solved
examples become earlier turns of the conversation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from ir_coliee.display import Block, Heading, Preformatted, displayed
from ir_coliee.errors import ColieeError, MalformedFileError
from ir_coliee.storage import TEMPLATE
from ir_coliee.text.japanese import is_japanese

_SECTION = re.compile(r"\[(system|question|question without text|answer|yes|no|schema)\]")
_PLACE = re.compile(r"\{(query|text|answer|num)\}")


class Turn(NamedTuple):
    """A turn of a conversation.

    Attributes
    ----------
    role : {"system", "user", "assistant"}
    content : str
    """

    role: str
    content: str


@displayed
class Conversation(tuple[Turn, ...]):
    """The turns of a prompt."""

    __slots__ = ()

    def display(self) -> Iterator[Block]:
        """Return the turns with their roles, as `ir_coliee.display` shows them."""
        for turn in self:
            yield Heading(f"[{turn.role}]")
            yield Preformatted(turn.content)


class Solved(NamedTuple):
    """A solved example.

    Attributes
    ----------
    query : str
        The question.
    text : str
        Its articles.
    answer : {"Y", "N"}
    """

    query: str
    text: str
    answer: str


@displayed
@dataclass(frozen=True)
class Template:
    """A prompt template; see the module for its sections."""

    name: str
    question: str
    question_without_text: str
    system: str = ""
    answer: str = "{answer}"
    yes: str = "Yes"
    no: str = "No"
    schema: str = ""

    def display(self) -> Iterator[Block]:
        """Return the sections, as `ir_coliee.display` shows them."""
        yield Heading(f"prompt template {self.name}")
        for section in ("system", "question", "question_without_text", "answer", "yes", "no", "schema"):
            yield Heading(f"[{section.replace('_', ' ')}]")
            yield Preformatted(getattr(self, section))

    def __repr__(self) -> str:
        return f"<Template {self.name}>"

    @property
    def japanese(self) -> bool | None:
        """Whether the text of the template is Japanese; None if it has no letters."""
        return is_japanese(_PLACE.sub("", f"{self.system}{self.question}{self.question_without_text}"))

    def conversation(
        self, query: str, text: str, solved: Iterable[Solved] = (), *, num: int | None = None
    ) -> Conversation:
        """Conversation that ends with the question.

        Parameters
        ----------
        query : str
            The question.
        text : str
            The articles; blank if there are none.
        solved : iterable of Solved
            Examples that come before the question.
        num : int, optional
            The number of candidates in the text.

        Examples
        --------
        >>> template("plain.en").conversation("A lamp is a movable.", "Article 1 A lamp is a movable.")[-1].role
        'user'
        """
        turns = [Turn("system", self.system)] if self.system else []
        for example in solved:
            turns += [
                Turn("user", self._asked(example.query, example.text)),
                Turn("assistant", self.reply(example.answer)),
            ]
        return Conversation([*turns, Turn("user", self._asked(query, text, num))])

    def _asked(self, query: str, text: str, num: int | None = None) -> str:
        places = {"query": query, "text": text, **({} if num is None else {"num": str(num)})}
        return _filled(self.question if text.strip() else self.question_without_text, **places)

    def reply(self, answer: str) -> str:
        """Reply with an answer, Y or N, as the template writes that of a solved example.

        Examples
        --------
        >>> template("steps.en").reply("N")
        'Answer: No'
        """
        return _filled(self.answer, answer=self.yes if answer == "Y" else self.no)


def _filled(words: str, **places: str) -> str:
    """Fill all placeholders in one pass, so that braces in a question are not placeholders."""
    return _PLACE.sub(lambda place: places.get(place[1], place[0]), words)


def template(name: str) -> Template:
    """Template of the package by its name, such as ``plain.en``, or your own by its path.

    Raises
    ------
    ColieeError
        For an unknown name; the message lists the known ones.
    MalformedFileError
        For a file that is not a template, or too large for one.
    """
    ours = _ours()
    if name in ours:
        return ours[name]
    try:
        text = TEMPLATE.read_file(name).decode("utf-8-sig")
    except MalformedFileError:
        raise
    except (OSError, ValueError):  # ValueError: no UTF-8, or no path at all
        raise ColieeError(
            f"{name!r} is neither a template nor a readable text file in UTF-8.\nTemplates: {', '.join(ours)}."
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
    try:
        json.loads(parts.get("schema") or "{}")
    except ValueError:
        raise _malformed(path, None, "its [schema] is not JSON") from None
    return Template(name, **parts)


def _malformed(path: str, line: int | None, problem: str) -> MalformedFileError:
    return MalformedFileError(path, line, problem, "the sections of ir_coliee.models.templates")
