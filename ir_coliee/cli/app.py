"""The Typer application that the commands are added to."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import textwrap
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TextIO

import typer
from typer.core import TyperGroup

import ir_coliee
from ir_coliee.display import Block, Heading, Preformatted, Table, as_text, table_lines
from ir_coliee.errors import ColieeError, ColieeWarning, MissingLabelsError, printable
from ir_coliee.progress import above_bar, quiet

if TYPE_CHECKING:
    from ir_coliee.editions import Split
    from ir_coliee.evaluation.scoring import Scorer


# Printing for all commands: the two output streams, tables, and text that is safe for a terminal.


MAX_SIMILAR = 5  # the number of printed findings per kind

_PYTHON_ARGUMENT = re.compile(r"(?<![a-z-])(--[a-z-]+) \([a-z_]+=\w*\)")  # as in "--force (overwrite=True)"
_STATUS_OF_SIGPIPE = 128 + 13  # as a shell reports a command that the signal has ended
#: Control characters, marks of the direction of writing and lone surrogates; all are within strings of JSON.
_NOT_FOR_TERMINALS = re.compile(r"[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
_LONGEST_WORD = 60  # characters, so that most first lines of errors have at most 100
_PATH_PART = re.compile(rf"[^ /{re.escape(os.sep)}]+")


class Stream:
    """An output stream, the width of which is known if it is a terminal."""

    def __init__(self, name: Literal["stdout", "stderr"]) -> None:
        self._name = name

    @property
    def file(self) -> TextIO:
        """The stream of this moment: tests and notebooks replace it."""
        stream: TextIO = getattr(sys, self._name)
        return stream

    @property
    def width(self) -> int:
        """The number of columns of a terminal; unlimited for a file or a pipe."""
        return shutil.get_terminal_size().columns if self.file.isatty() else sys.maxsize

    def print(self, text: object = "", *, soft_wrap: bool = False) -> None:
        """Print a text. On a terminal its lines are wrapped between words.

        Parameters
        ----------
        text : object
            The text; it is converted to a string.
        soft_wrap : bool, default False
            Leave the wrapping to the terminal, so that a command or path can be copied as a whole.
        """
        lines = str(text).split("\n")
        if not soft_wrap:
            lines = [_wrapped(line, self.width) for line in lines]
        with self.written(), above_bar():
            print(*lines, sep="\n", file=self.file, flush=True)

    def print_text(self, text: str) -> None:
        """Print lines that are for programs, as they are."""
        self.print(text.removesuffix("\n"), soft_wrap=True)

    def flush(self) -> None:
        """Write what is still in the buffer of the stream."""
        with self.written():
            self.file.flush()

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

    def print_json(self, text: str) -> None:
        """Print JSON with indentation. Control characters are escaped, as JSON allows in any string."""
        written = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
        self.print(_NOT_FOR_TERMINALS.sub(lambda match: json.dumps(match[0])[1:-1], written), soft_wrap=True)


out = Stream("stdout")
err = Stream("stderr")


def _wrapped(line: str, width: int) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def safe(message: object) -> str:
    """Escape control characters and shorten long words of user files in a message.

    Messages name an option with the argument of Python that it stands for: ``--force (overwrite=True)``. Here only the
    option is kept.

    Parameters
    ----------
    message : object
        The message; it is converted to a string.

    Returns
    -------
    str
        A message that is safe for a terminal. Paths are not shortened.
    """
    return _PATH_PART.sub(lambda match: printable(match[0], _LONGEST_WORD), _PYTHON_ARGUMENT.sub(r"\1", str(message)))


def safe_lines(message: object) -> str:
    """Return a message of several lines, as those of exceptions, with each line made safe for a terminal."""
    return "\n".join(map(safe, str(message).split("\n")))


def print_error(error: object) -> None:
    """Print an error on stderr: what is wrong, and on the next lines what was expected and what to do."""
    err.print(f"error: {safe_lines(error)}")


def print_help(error: object) -> None:
    """Print the address of the documentation on an error of this package, on one line."""
    if isinstance(error, ColieeError):
        err.print(f"Help: {error.help_url}", soft_wrap=True)


def print_warnings_once() -> None:
    """Print each warning of this package once from now on, without its location."""
    warnings.simplefilter("always", ColieeWarning)  # they are messages, also with PYTHONWARNINGS=error
    warnings.showwarning = partial(_show_warning, set())


def _show_warning(
    printed: set[str], message: Warning | str, category: type[Warning], *location: Any, **options: Any
) -> None:
    """Print each warning of this package once, without its location. Print other warnings as Python does."""
    if not issubclass(category, ColieeWarning):
        sys.stderr.write(warnings.formatwarning(message, category, *location[:2]))
        return
    text = safe_lines(message)
    if text not in printed:
        err.print(f"warning: {text}")
    printed.add(text)


def file_state(path: Path) -> tuple[int, int] | None:
    """Return what changes when a file is replaced, None if there is no file; for `print_written`."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def print_written(path: Path, before: tuple[int, int] | None = None) -> None:
    """Print the path of a file that was written, or had the same content before, on one line."""
    word = "unchanged" if before and before == file_state(path) else "wrote"
    out.print(f"{word} {printable(str(path), sys.maxsize)}", soft_wrap=True)


def print_next(*command: str) -> None:
    """Print the arguments of `ir_coliee` that carry on from here, on one line, so that it can be copied."""
    out.print(f"next: {_command_line(command)}", soft_wrap=True)


def print_commands(purpose: str, *commands: Sequence[str]) -> None:
    """Print commands that need files which only the user knows, below a sentence that says which."""
    out.print(purpose)
    for command in commands:
        out.print(f"  {_command_line(command)}", soft_wrap=True)


def _command_line(arguments: Sequence[str]) -> str:
    return printable(shlex.join([*_program(), *arguments]), sys.maxsize)


def _program() -> list[str]:
    """Return how this program is called: as a module if it was, and the shell does not find its name."""
    is_module = sys.argv[0].endswith(os.path.join("ir_coliee", "__main__.py"))
    return [sys.executable, "-m", "ir_coliee"] if is_module and not shutil.which("ir_coliee") else ["ir_coliee"]


def print_blocks(blocks: Iterable[Block]) -> None:
    """Print what a result shows of itself, see `ir_coliee.display`."""
    for number, block in enumerate(blocks):
        if number and isinstance(block, Heading):
            out.print()
        if text := as_text([block], out.width):
            out.print(text, soft_wrap=isinstance(block, Table | Preformatted))


def print_table(table: Table) -> None:
    """Print a table in the form that fits the terminal, see `ir_coliee.display.fitting_lines`."""
    out.print("\n".join(table_lines(table, out.width)), soft_wrap=True)


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
    add_completion=False,
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


# Arguments and options that are used by several commands.


DatasetId = Annotated[str, typer.Argument(metavar="ID", help="Dataset id, for example coliee/task1/sample/test.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


class Format(str, Enum):
    """Output formats of tables of figures."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"


def _quiet(context: typer.Context, is_quiet: bool) -> bool:
    """Show no progress until the command ends, if the option is given."""
    if is_quiet:
        context.with_resource(quiet())
    return is_quiet


Quiet = Annotated[bool, typer.Option("--quiet", callback=_quiet, help="Show no progress.")]
OutputFormat = Annotated[
    Format, typer.Option("--format", help="json and csv have all digits, the others four decimals.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace existing files of other content.")]
AnswersPerRun = Annotated[
    list[Path] | None,
    typer.Option(
        "--answers",
        metavar="FILE",
        help="Task 3 of 2026: the file of Y and N answers. Once per run, in the order of the runs.",
    ),
]
RankingPerRun = Annotated[
    list[Path] | None,
    typer.Option(
        "--ranking",
        metavar="FILE",
        help="The ranking that a run was cut from; by default RUN.trec. Once per run, in the order of the runs.",
    ),
]


def one_per_run(option: str, files: list[Path] | None, runs: list[Path]) -> list[Path]:
    """Return the files of an option in the order of the runs, none if it was not given.

    Raises
    ------
    ColieeError
        If the number of files differs from the number of runs.
    """
    if files and len(files) != len(runs):
        times = "once" if len(files) == 1 else f"{len(files)} times"
        of_runs = "1 run" if len(runs) == 1 else f"{len(runs)} runs"
        raise ColieeError(f"{option} was given {times} for {of_runs}; give it once per run, in order.")
    return files or []


def check_out(
    file: Path, runs: Sequence[Path] = (), *others: Path | None, option: str = "--out"
) -> tuple[int, int] | None:
    """Check that the file of an option can be written, and is none of those that the command reads.

    A file that exists is compared when the content of the new one is known.

    Parameters
    ----------
    file : pathlib.Path
        The file of the option.
    runs : sequence of pathlib.Path
        Runs. The rankings, answers and long lists beside them are read as well.
    *others : pathlib.Path or None
        Other files that are read.
    option : str, default "--out"
        The option, for the message.

    Returns
    -------
    tuple of int, or None
        The state of the file, for `print_written`.

    Raises
    ------
    ColieeError
        If it cannot be written, or is one of the inputs.
    """
    from ir_coliee.evaluation.runs import answers_of_run, long_list_of_run, ranking_of_run
    from ir_coliee.storage import require_writable

    beside = (find(run) for run in runs for find in (ranking_of_run, answers_of_run, long_list_of_run))
    inputs = [path for path in (*runs, *others, *beside) if path]
    if os.path.exists(file) and any(os.path.exists(path) and path.samefile(file) for path in inputs):
        raise ColieeError(f"{option} {file} is a file that this command reads.\nChoose another path ({option}).")
    require_writable(file)
    return file_state(file)


# The commands that follow an answer set, as several commands print them.


def print_after_answers(scorer: Scorer, file: Path, tag: str, ranking: Path | None = None) -> None:
    """Print the command that follows: score where there are labels, else submit, or for the pilot validate.

    Parameters
    ----------
    scorer : Scorer
        Of the split that the answer set answers.
    file : pathlib.Path
        The answer set.
    tag : str
        Its run tag.
    ranking : pathlib.Path, optional
        The ranking that it was cut from.
    """
    from ir_coliee.evaluation.runs import tag_in_letters

    try:
        _ = scorer.gold
    except MissingLabelsError:
        if scorer.split.submission.columns:
            print_submit(scorer.split, file, "--tag", tag_in_letters(tag), ranking=ranking)
        else:
            print_next("validate", scorer.split.id, str(file))
        return
    print_next("score", scorer.split.id, str(file))


def print_submit(split: Split, file: Path, *options: str, ranking: Path | None = None) -> None:
    """Print the command that writes the official files of a run, with FILE for a file that is not known.

    Parameters
    ----------
    split : Split
        The split that the run answers.
    file : pathlib.Path
        The run.
    *options : str
        Options of `ir_coliee submit`.
    ranking : pathlib.Path, optional
        The ranking before the cut-off: the long list of task 3.
    """
    from ir_coliee.evaluation.runs import answers_of_run, submission_folder

    form = split.submission
    is_cut = "--cutoff" in options or "--top" in options  # then the file is the long list
    long_list = ["--long", str(ranking or "FILE")] if form.long_file and not is_cut else []
    answers = ["--answers", str(answers_of_run(ranking or file) or "FILE")] if form.answers_file else []
    print_next("submit", split.id, str(file), *options, "--out", submission_folder(split), *long_list, *answers)
