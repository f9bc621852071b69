"""The Typer application that the commands are added to."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TextIO

import typer
from typer.core import TyperGroup

import ir_coliee
from ir_coliee.display import Block, Heading, as_text
from ir_coliee.errors import ColieeError, ColieeWarning, MissingLabelsError, printable
from ir_coliee.progress import above_bar

if TYPE_CHECKING:
    import pandas as pd

    from ir_coliee.evaluation.scoring import Scorer

# Printing for all commands: the two output streams, and text that is safe for a terminal.

_PYTHON_ARGUMENT = re.compile(r"(?<![a-z-])(--[a-z-]+) \([a-z_]+=\w*\)")  # as in "--overwrite (overwrite=True)"
_STATUS_OF_SIGPIPE = 128 + 13  # as a shell reports a command that the signal has ended
#: Control characters, marks of the direction of writing and lone surrogates; all are within strings of JSON.
_NOT_FOR_TERMINALS = re.compile(r"[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
_LONGEST_WORD = 60  # characters, so that most first lines of errors have at most 100
_PATH_PART = re.compile(rf"[^ /{re.escape(os.sep)}]+")


class Stream:
    """An output stream, and what commands print on it. Its width is known if it is a terminal."""

    def __init__(self, name: Literal["stdout", "stderr"]) -> None:
        self._name = name

    @property
    def file(self) -> TextIO:
        """The stream of this moment: tests and notebooks replace it."""
        return getattr(sys, self._name)

    @property
    def width(self) -> int:
        """The number of columns of a terminal; unlimited for a file or a pipe."""
        return shutil.get_terminal_size().columns if self.file.isatty() else sys.maxsize

    def print(self, text: object = "") -> None:
        """Print a text; the terminal wraps its lines, so that a command or path can be copied as a whole."""
        with self.written(), above_bar():
            print(text, file=self.file, flush=True)

    def print_each(self, messages: Iterable[object], before: str = "") -> None:
        """Print messages, each made safe for a terminal, with the same word before each of them."""
        for message in messages:
            self.print(safe(f"{before}{message}"))

    def print_json(self, value: object) -> None:
        """Print JSON with indentation. Control characters are escaped, as JSON allows in any string."""
        written = json.dumps(value, indent=2, ensure_ascii=False)
        self.print(_NOT_FOR_TERMINALS.sub(lambda match: json.dumps(match[0])[1:-1], written))

    def print_blocks(self, blocks: Iterable[Block]) -> None:
        """Print what a result shows of itself, see `ir_coliee.display`."""
        for number, block in enumerate(blocks):
            if number and isinstance(block, Heading):
                self.print()
            if text := as_text([block], self.width):
                self.print(text)

    def print_csv(self, frame: pd.DataFrame) -> None:
        """Print a frame as CSV."""
        text = frame.map(lambda value: safe(value) if isinstance(value, str) else value).to_csv(index=False)
        self.print(text.removesuffix("\n"))

    def print_files(self, *paths: Path) -> None:
        """Print the paths of the files that a command makes. They may have had the same content before."""
        for path in paths:
            self.print(f"file: {printable(str(path), sys.maxsize)}")

    def print_next(self, *command: object) -> None:
        """Print the arguments of `ir_coliee` that carry on from here, on one line, so that it can be copied."""
        line = shlex.join(["ir_coliee", *map(str, command)])
        self.print(f"next: {printable(line, sys.maxsize)}")

    @contextmanager
    def written(self) -> Iterator[None]:
        """Say that output was lost, as on a full disk, or end without a message if its reader has ended.

        Other tools are ended by the signal SIGPIPE. Python ignores it: it would also end the command if a process that
        it has started was killed.
        """
        try:
            yield
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())  # Python flushes the stream when it exits
            if isinstance(error, BrokenPipeError):
                sys.exit(_STATUS_OF_SIGPIPE)
            raise ColieeError(f"The output could not be written to {self._name} ({error.strerror}).") from None


out = Stream("stdout")
err = Stream("stderr")


def safe(message: object) -> str:
    """Escape control characters and shorten long words of user files in each line of a message.

    Messages name an option with the argument of Python that it stands for: ``--overwrite (overwrite=True)``. Here only
    the option is kept.

    Parameters
    ----------
    message : object
        The message; it is converted to a string.

    Returns
    -------
    str
        A message that is safe for a terminal. Paths are not shortened.
    """
    lines = _PYTHON_ARGUMENT.sub(r"\1", str(message)).split("\n")
    return "\n".join(_PATH_PART.sub(lambda match: printable(match[0], _LONGEST_WORD), line) for line in lines)


def print_error(error: object) -> None:
    """Print an error on stderr: what is wrong, on the next lines what to do, and where the documentation is."""
    err.print(f"error: {safe(error)}")
    if isinstance(error, ColieeError):
        err.print(f"Help: {error.help_url}")


def print_warnings_once() -> None:
    """Print each warning of this package once from now on, without its location. Print others as Python does."""
    printed: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *location: Any, **_options: Any) -> None:
        if not issubclass(category, ColieeWarning):
            sys.stderr.write(warnings.formatwarning(message, category, *location[:2]))
        elif str(message) not in printed:
            err.print(f"warning: {safe(message)}")
        printed.add(str(message))

    warnings.simplefilter("always", ColieeWarning)  # they are messages, also with PYTHONWARNINGS=error
    warnings.showwarning = show


# The Typer application that the commands are added to.


class _Commands(TyperGroup):
    """The list of commands, each with the whole first sentence of its help."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list. The inherited method would end a sentence that is longer than a line with "..."."""
        helps = {name: command.help or "" for name, command in self.commands.items()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, text.split("\n")[0].split(". ")[0].rstrip(".")) for name, text in helps.items()])


app = typer.Typer(
    name="ir_coliee",
    help="The COLIEE tasks for ir_datasets, ir-measures and PyTerrier.",
    cls=_Commands,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # without boxes, which break words on a narrow terminal
)


def example(command: str) -> str:
    r"""Format the example of a help page. Its line is not wrapped, so that it can be copied.

    Examples
    --------
    >>> example("ir_coliee list")
    '\x08\nExample:\n  ir_coliee list'
    """
    return f"\b\nExample:\n  {command}"


@app.callback(invoke_without_command=True)
def _print_version(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        out.print(ir_coliee.__version__)
        raise typer.Exit


# The command that takes an answer set.


def print_after_answers(scorer: Scorer, file: Path, tag: str, ranking: Path | None = None) -> None:
    """Print the command that takes an answer set: score where there are labels, else submit.

    FILE and TEAM stand for what is not known.

    Parameters
    ----------
    scorer : Scorer
        Of the split that the answer set answers.
    file : pathlib.Path
        The answer set.
    tag : str
        Its run tag.
    ranking : pathlib.Path, optional
        The ranking that it was cut from, which is the long list of task 3.
    """
    from ir_coliee.evaluation.runs import file_beside, stem, tag_in_letters

    split, form = scorer.split, scorer.split.submission
    try:
        _ = scorer.gold
    except MissingLabelsError:
        long_list = ["--long-list", ranking or "FILE"] if form.long_file else []
        answers = ["--answers", file_beside(ranking or file, ".answers") or "FILE"] if form.answers_file else []
        names = [] if form.columns else ["--team", "TEAM", "--affiliation", "AFFILIATION"]
        named = ["--tag", tag_in_letters(tag), *names, "--out", f"submission/{stem(split)}"]
        out.print_next("submit", split.id, file, *named, *long_list, *answers)
    else:
        out.print_next("score", split.id, file)
