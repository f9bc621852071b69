"""`attack`: gives a reader mutated folders and collects what breaks its promises.

A mutated folder loads, with or without a `ColieeWarning`, or is refused as a `ColieeError` whose first line has at most
100 characters. Error or warning name the mutated file or its folder, and quote no text. What was loaded can be written
in UTF-8. Nothing in the folder changes, and no input takes 10 s of processor time.
"""

import os
import re
import signal
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from file_trees import Tree, read_tree, remove_tree, write_tree
from minimisation import minimised
from mutations import apply, changed_places, draw

from ir_coliee.errors import ColieeError, ColieeWarning

_LONGEST_FIRST_LINE = 100
_LONGEST_CPU = 10.0  # seconds of one input
_HANG = 60  # seconds after which an input is given up, as when a pipe is read that nobody writes to
_MOST_SHOWN = 12  # problems
_WORD = re.compile(r"[一-鿿ぁ-んァ-ン]|[^\W\d_一-鿿ぁ-んァ-ン]+|\n")

#: Reads a folder and returns what was read; each element is called for itself.
Load = Callable[[Path], Iterable[Callable[[], object]]]


class Shown:
    """What a command shows of a folder, which quotes no text either."""

    def __init__(self, value: object) -> None:
        self.text = str(value)


class Reader(NamedTuple):
    """A reader under attack.

    Attributes
    ----------
    tree : dict
        The files that it reads.
    load : callable
        Returns the calls that read them; each may raise a `ColieeError`.
    pattern : str
        Only files whose path matches are mutated.
    share_of_folders : float
        The share of mutations of files and folders as a whole.
    """

    tree: Tree
    load: Load
    pattern: str = ""
    share_of_folders: float = 0.1


def attack(reader: Reader, name: str, seed: int, count: int, folder: Path, outcomes: dict[str, int]) -> None:
    """Give a reader mutated folders and fail with the distinct problems.

    Parameters
    ----------
    reader : Reader
    name : str
        The entity, which the inputs depend on.
    seed : int
    count : int
        The number of inputs.
    folder : Path
        An empty folder.
    outcomes : dict
        The inputs by outcome, to be counted.
    """
    trial = _Trial(reader, folder)
    assert trial.outcome(reader.tree) == ("loaded", ""), "the files are read before they are mutated"
    problems: dict[str, str] = {}
    for number in range(count):
        mutations = draw(
            reader.tree, f"{seed} {name} {number}", pattern=reader.pattern, share_of_folders=reader.share_of_folders
        )
        outcome, problem = trial.outcome(apply(mutations, reader.tree))
        outcomes["failed" if problem else outcome] += 1
        if problem and (kind := _kind(problem)) not in problems and len(problems) < _MOST_SHOWN:
            smallest = minimised(mutations, reader.tree, lambda tree, k=kind: _kind(trial.outcome(tree)[1]) == k)
            problems[kind] = f"input {number}: {problem}\n{smallest}"
    assert not problems, f"{outcomes['failed']} of {count} inputs fail:\n\n" + "\n\n".join(problems.values())


def _kind(problem: str) -> str:
    """Return what problems of one cause have in common: their words, without paths, ids and what is in brackets."""
    return " ".join(
        re.findall(r"[a-z]{3,}", re.sub(r"\S*/\S*|\(.*?\)|\[.*?\]|<.*?>|'.*?'", "", problem.partition("\n")[0]))
    )[:100]


class _Trial:
    """A reader and the folder below which each input has one of its own, so that no cache knows its files."""

    def __init__(self, reader: Reader, folder: Path) -> None:
        self._reader = reader
        self._folder = folder
        self._inputs = 0
        self._quoted = {*_runs_of_words(_texts(reader.tree))}

    def outcome(self, tree: Tree) -> tuple[str, str]:
        """Return whether an input was loaded or refused, and what breaks a promise; empty if nothing does."""
        self._inputs += 1
        folder = self._folder / f"{self._inputs:x}"
        write_tree(tree, folder)
        try:
            return self._read(folder, tree)
        finally:
            remove_tree(folder)

    def _read(self, folder: Path, tree: Tree) -> tuple[str, str]:
        errors: list[str] = []
        problems: list[str] = []
        before = time.process_time()
        with warnings.catch_warnings(record=True) as caught, _given_up_after(_HANG):
            warnings.simplefilter("always")
            try:
                for call in self._reader.load(folder):
                    try:
                        value = call()
                        problems += _unwritable(value)
                        if isinstance(value, Shown):
                            problems += [f"shown: {problem}" for problem in self._quotation(value.text, folder)]
                    except ColieeError as error:
                        errors.append(str(error))
            except ColieeError as error:
                errors.append(str(error))
            except Exception as error:
                problems.append(f"{type(error).__name__}: {error} ({_places_of(error)})")
        seconds = time.process_time() - before
        if seconds > _LONGEST_CPU:
            problems.append(f"{seconds:.0f} s of processor time")
        told = [f"{w.message}" for w in caught if issubclass(w.category, ColieeWarning)]
        problems += [f"{w.category.__name__}: {w.message}" for w in caught if not issubclass(w.category, ColieeWarning)]
        if read_tree(folder) != tree:
            problems.append("the folder was changed")
        changed = changed_places(tree, self._reader.tree)
        if any(_names(message, folder, place) for message in told for place in changed):
            changed = []  # the user is told
        problems += [f"error: {problem}" for error in errors for problem in self._of_message(error, folder, changed)]
        problems += [f"warning: {problem}" for message in told for problem in self._of_message(message, folder, None)]
        return ("refused" if errors else "loaded"), "\n".join(dict.fromkeys(problems))

    def _of_message(self, message: str, folder: Path, changed: list[str] | None) -> Iterator[str]:
        """Yield what is wrong with a message: of an error, if the changed files are given."""
        if changed is not None and len(_without_paths(message.partition("\n")[0], folder)) > _LONGEST_FIRST_LINE:
            yield f"first line too long: {message}"
        if changed is None and str(folder) not in message:
            yield f"names no file: {message}"
        if changed and not any(_names(message, folder, place) for place in changed):
            yield f"names none of {changed}: {message}"
        yield from self._quotation(message, folder)

    def _quotation(self, message: str, folder: Path) -> Iterator[str]:
        runs = _runs_of_words([message.replace(str(folder), "")])
        if quoted := next((run for run in runs if run in self._quoted), None):
            yield f"quotes a text, {quoted}: {message}"


@contextmanager
def _given_up_after(seconds: int) -> Iterator[None]:
    """Raise `TimeoutError` after some seconds, where the system has alarms."""

    def give_up(number: int, frame: object) -> None:
        raise TimeoutError(f"no end after {seconds} s")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _names(message: str, folder: Path, place: str) -> bool:
    """Return whether a message names a file or the folder of it; of a file that is missing, the name is enough."""
    path = folder / place
    above = [parent for parent in path.parents if parent.is_relative_to(folder)]
    return (
        str(path) in message
        or any(re.search(rf"{re.escape(str(parent))}(?![\w/])", message) for parent in above)
        or (not path.is_file() and _plain(path.name) in message)
    )


def _plain(name: str) -> str:
    """Return a name without what participants' tools add to it."""
    return re.sub(r" \(\d+\)", "", name).removeprefix("clean_")


def _without_paths(line: str, folder: Path) -> str:
    """Return a line without the paths of files and of the entries of archives, which may be long."""
    return re.sub(rf"{re.escape(str(folder))}[^\n,:]*(?:: [^\s:]+/[^\s:]+)?", "", line)


def _places_of(error: BaseException) -> str:
    """Return the innermost place of this package in a traceback."""
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if f"{os.sep}ir_coliee{os.sep}" in frame.filename
    ]
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "outside of ir_coliee"


def _unwritable(value: object) -> Iterator[str]:
    """Yield a problem if a string in a value cannot be written in UTF-8."""
    try:
        repr(value).encode()
        _encode(value)
    except UnicodeEncodeError as error:
        yield f"loaded what UTF-8 cannot hold: {error.reason}"


def _encode(value: object) -> None:
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, tuple | list):
        for each in value:
            _encode(each)


def _texts(tree: Tree) -> Iterator[str]:
    for place, content in tree.items():
        if isinstance(content, bytes) and not place.endswith((".zip", ".yaml")):
            yield re.sub(r'<[^<>]*>|"\w+":', "\n1 ", content.decode(errors="replace"))


def _runs_of_words(texts: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield each five consecutive words, or twelve Japanese letters."""
    for text in texts:
        words = _WORD.findall(text)
        for at in range(len(words) - 4):
            run = tuple(words[at : at + 5])
            if all(len(word) == 1 for word in run):
                run = tuple(words[at : at + 12])
                if len(run) < 12:
                    continue
            yield run
