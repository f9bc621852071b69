"""The system description that goes with the runs since 2025: a text file with a block for each run."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ir_coliee.errors import ColieeError, ExistingFileError, MalformedFileError, printable
from ir_coliee.evaluation.runs.file_writing import write_file

#: The fields as the organisers spell them, in their order.
_LABELS = {
    "task": "Task",
    "tag": "Run tag",
    "models": "- Machine learning models",
    "resources": "- External resources",
    "explanation": "- Explaination",
}
_FIELD = re.compile(
    r"\ufeff?\s*[-*•]?\s*(?:(?P<task>task)|(?P<tag>run\s*tag)|(?P<models>machine\s+learning\s+models?)"
    r"|(?P<resources>external\s+resources?)|(?P<explanation>expl(?:ai|a)nation))\s*:",
    re.IGNORECASE,
)
_TASK_NUMBER = re.compile(r"(?<!\d)[1-5](?!\d)")


class Description(NamedTuple):
    """What a run was made with, as the organisers ask for it.

    ``task``: its number, or what else stands there. ``tag``: the run's. ``models``, ``resources`` and
    ``explanation`` (one to three lines) are free text, empty where nothing is said.
    """

    task: str
    tag: str
    models: str = ""
    resources: str = ""
    explanation: str = ""

    @property
    def run(self) -> tuple[str, str]:
        """The number of the task and the tag: what the block of a run is known by.

        >>> Description("COLIEE 2025, Task 3", "mine").run == Description("3", "mine").run
        True
        """
        number = _TASK_NUMBER.search(self.task)
        return (number[0] if number else self.task.casefold()), self.tag

    @property
    def missing(self) -> list[str]:
        """The fields that nothing is said in, by the organisers' names."""
        return [_LABELS[name].removeprefix("- ") for name, value in self._asdict().items() if not value]


class _Block(NamedTuple):
    """A block of a file: its lines from ``start`` up to ``end``."""

    start: int
    end: int
    description: Description


def read_descriptions(path: Path) -> list[Description]:
    """The blocks of a system description, in the order of the file.

    Either spelling of "Explanation" is read, with or without dashes, in any case of letters; lines without a
    field's name go on with the field before them, and what stands before the first block is passed over.
    Raises `MalformedFileError` where the file cannot be read.
    """
    return [block.description for block in _blocks(_lines(_content(path)))]


def write_description(path: Path, description: Description, *, overwrite: bool = False) -> None:
    """Write a system description `with_block`. Raises `ColieeError` where that cannot be done."""
    content = with_block(path, description, overwrite=overwrite)
    if not path.is_file() or path.read_bytes() != content:
        write_file(path, content, overwrite=True)


def with_block(path: Path, description: Description, *, overwrite: bool = False) -> bytes:
    """The content of a system description, which need not be there, with the block of a run; all else stays as it is.

    Where the run has a block there already, nothing is changed if it says the same; if not, `ExistingFileError`
    is raised unless ``overwrite``. Raises `ColieeError` for a text that would be read otherwise than it is meant.
    """
    block = _block_text(description)
    content = _content(path) if os.path.lexists(path) else b""
    lines = _lines(content)
    newline = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    written = [line + newline for line in block.split("\n")]
    there = next((known for known in _blocks(lines) if known.description.run == description.run), None)
    if there is None:
        if lines and not lines[-1].endswith(("\n", "\r")):
            lines[-1] += newline
        lines += [newline, *written] if lines else written
    elif there.description == next(_blocks(_lines(block.encode()))).description:
        return content
    elif overwrite:
        lines[there.start : there.end] = written
    else:
        raise ExistingFileError(
            f"{path} describes run {printable(description.tag)} already, otherwise. Edit the file, or overwrite what it "
            "says of that run (overwrite=True, on the command line --force)."
        )
    return "".join(lines).encode(errors="surrogateescape")


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        problem = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise MalformedFileError(path, None, problem, "a system description, a text file") from None


def _lines(data: bytes) -> list[str]:
    """The lines with their ends, so that joined they are the file again, whatever its encoding."""
    return list(io.StringIO(data.decode(errors="surrogateescape"), newline=""))


def _blocks(lines: list[str]) -> Iterator[_Block]:
    """A block ends where a task or a tag is named again; one without a task is of the task before it."""
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
    """The lines of a block. Raises `ColieeError` for a text that does not come back as it is."""
    lines = []
    for name, value in description._asdict().items():
        first, *more = value.strip().split("\n")
        lines += [f"{_LABELS[name]}: {first}".rstrip(), *more]
    text = "\n".join(" ".join(line.split()) for line in lines if line.strip())
    if not all(line.isprintable() for line in text.split("\n")):
        raise ColieeError(f"The description of run {printable(description.tag)} has control characters. Leave them out.")
    if len([*filter(_FIELD.match, text.split("\n"))]) != len(_LABELS):
        names = ", ".join(_LABELS.values())
        raise ColieeError(
            f"The description of run {printable(description.tag)} has a line that would be read as a field of its own. "
            f"Begin no line with one of: {names}."
        )
    return text
