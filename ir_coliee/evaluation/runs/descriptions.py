"""The system description of a submission: a text file with one block per run, required since 2025."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ir_coliee.errors import ColieeError, ExistingFileError, MalformedFileError, printable
from ir_coliee.evaluation.runs.file_writing import write_file
from ir_coliee.size_limits import DESCRIPTION
from ir_coliee.unfinished_folders import one_at_a_time

#: The fields as the organisers spell them, in their order.
_LABELS = {
    "task": "Task",
    "tag": "Run tag",
    "models": "- Machine learning models",
    "resources": "- External resources",
    "explanation": "- Explaination",
}
_FIELD = re.compile(
    r"\ufeff?\s*(?:[-*•]\s*)?(?:(?P<task>task)|(?P<tag>run\s*tag)|(?P<models>machine\s+learning\s+models?)"
    r"|(?P<resources>external\s+resources?)|(?P<explanation>expl(?:ai|a)nation))\s*:",
    re.IGNORECASE,
)
_TASK_NUMBER = re.compile(r"(?<!\d)[1-5](?!\d)")


class Description(NamedTuple):
    """The description of the system that produced a run.

    Attributes
    ----------
    task : str
        The number of the task, or the text in its place.
    tag : str
        The run tag.
    models, resources, explanation : str
        Free text, the explanation in one to three lines; empty if missing.
    """

    task: str
    tag: str
    models: str = ""
    resources: str = ""
    explanation: str = ""

    @property
    def run(self) -> tuple[str, str]:
        """The number of the task and the tag, which identify the block of a run.

        Examples
        --------
        >>> Description("COLIEE 2025, Task 3", "mine").run == Description("3", "mine").run
        True
        """
        number = _TASK_NUMBER.search(self.task)
        return (number[0] if number else self.task.casefold()), self.tag

    @property
    def missing(self) -> dict[str, str]:
        """The organisers' names of the empty fields, by our names."""
        return {name: _LABELS[name].removeprefix("- ") for name, value in self._asdict().items() if not value}

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said about the system."""
        return not (self.models or self.resources or self.explanation)


class _Block(NamedTuple):
    """A block of a file, with its lines from ``start`` up to ``end``."""

    start: int
    end: int
    description: Description


def read_descriptions(path: Path) -> list[Description]:
    """Read a system description.

    Field names are recognised in any case, with or without dashes, and in both spellings of "Explanation". A line
    without a field name continues the field before it; text before the first block is skipped.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    list of Description
        The blocks, in the order of the file.

    Raises
    ------
    MalformedFileError
        If the file cannot be read.
    """
    return [block.description for block in _blocks(_lines(_content(path)))]


def write_description(path: Path, description: Description, *, overwrite: bool = False) -> None:
    """Add a block to a system description, which is created if missing; arguments and errors as of `with_block`."""
    with one_at_a_time(path.parent):
        write_file(path, with_block(path, description, overwrite=overwrite), overwrite=True)


def with_block(path: Path, description: Description, *, overwrite: bool = False) -> bytes:
    """Return the content of a system description with the block of a run added; nothing is written.

    Parameters
    ----------
    path : Path
        The system description; it may be missing.
    description : Description
        The block.
    overwrite : bool, default False
        Whether to replace a different block of the same run.

    Returns
    -------
    bytes
        The content; all other blocks are unchanged.

    Raises
    ------
    ExistingFileError
        If the run has a different block that is not empty and ``overwrite`` is False.
    ColieeError
        If a text would be read as something else, for example because a line begins with the name of a field.
    """
    block = _block_text(description)
    content = _content(path) if os.path.lexists(path) else b""
    lines = _lines(content)
    newline = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    written = [line + newline for line in block.split("\n")]
    existing = next((known for known in _blocks(lines) if known.description.run == description.run), None)
    if existing is None:
        if lines and not lines[-1].endswith(("\n", "\r")):
            lines[-1] += newline
        lines += [newline, *written] if lines else written
    elif existing.description == next(_blocks(_lines(block.encode()))).description:
        return content
    elif overwrite or existing.description.is_empty:
        lines[existing.start : existing.end] = written
    else:
        raise ExistingFileError(
            f"{path} already has a different description of run {printable(description.tag)}.\nEdit the file, or pass "
            "--force (overwrite=True) to replace that block."
        )
    return "".join(lines).encode(errors="surrogateescape")


def _content(path: Path) -> bytes:
    try:
        return DESCRIPTION.read_file(path)
    except MalformedFileError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        problem = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise MalformedFileError(path, None, problem, "a system description, a text file") from None


def _lines(data: bytes) -> list[str]:
    """Return the lines with their line ends; joined they give the file again, whatever its encoding."""
    return list(io.StringIO(data.decode(errors="surrogateescape"), newline=""))


def _blocks(lines: list[str]) -> Iterator[_Block]:
    """Yield the blocks. A block ends at the next task or tag; a block without a task has the task before it."""
    starts: list[int] = []
    named: set[str] = set()
    for number, line in enumerate(lines):
        if field := _FIELD.match(line):
            name = str(field.lastgroup)
            if not starts or (name in ("task", "tag") and named - ({"task", "tag"} - {name})):
                starts.append(number)
                named = set()
            named.add(name)
    task = ""
    for start, end in zip(starts, [*starts[1:], len(lines)]):
        while not lines[end - 1].strip():
            end -= 1
        description = _description(lines[start:end])
        task = description.task or task
        yield _Block(start, end, description._replace(task=task))


def _description(lines: list[str]) -> Description:
    values: dict[str, list[str]] = {name: [] for name in _LABELS}
    name = ""
    for line in lines:
        if field := _FIELD.match(line):
            name, line = str(field.lastgroup), line[field.end() :]
        values[name].append(" ".join(line.split()))
    return Description(**{name: "\n".join(filter(None, texts)) for name, texts in values.items()})


def _block_text(description: Description) -> str:
    """Return the lines of a block. Raises `ColieeError` if they would not be read back unchanged."""
    lines = []
    for name, value in description._asdict().items():
        first, *more = value.strip().split("\n")
        lines += [f"{_LABELS[name]}: {first}".rstrip(), *more]
    text = "\n".join(" ".join(line.split()) for line in lines if line.strip())
    if not all(line.isprintable() for line in text.split("\n")):
        raise ColieeError(
            f"The description of run {printable(description.tag, 30)} has control characters.\nRemove them."
        )
    if len([*filter(_FIELD.match, text.split("\n"))]) != len(_LABELS):
        names = ", ".join(_LABELS.values())
        raise ColieeError(
            f"The description of run {printable(description.tag, 30)} has a line that reads as another field.\n"
            f"No line may begin with one of: {names}."
        )
    return text
