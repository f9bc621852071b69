"""`Trial`: gives a reader a mutated folder and tells what breaks its promises.

A mutated folder loads, with or without a `ColieeWarning`, or is refused as a `ColieeError` whose first line has at most
100 characters. Error or warning name the mutated file or its folder, and quote no text. What was loaded can be written
in UTF-8. Nothing in the folder changes, and no input takes 10 s of processor time.
"""

import re
import shutil
import signal
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from mutations import Tree, read_tree, write_tree

from ir_coliee.errors import ColieeError, ColieeWarning

_LONGEST_FIRST_LINE = 100
_LONGEST_CPU = 10.0  # seconds of one input
_HANG = 60  # seconds after which an input is given up, as when a pipe is read that nobody writes to
_WORD = re.compile(r"[一-鿿ぁ-んァ-ン]|[^\W\d_一-鿿ぁ-んァ-ン]+|\n")

#: Reads a folder and returns what was read; each element is called for itself.
Load = Callable[[Path], Iterable[Callable[[], object]]]


class Reader(NamedTuple):
    """A reader under attack.

    Attributes
    ----------
    tree : dict
        The files that it reads.
    load : callable
        Returns the calls that read them; each may raise a `ColieeError`. What a command shows is a string.
    pattern : str
        Only files whose path matches are mutated.
    share_of_folders : float
        The share of mutations of files and folders as a whole.
    """

    tree: Tree
    load: Load
    pattern: str = ""
    share_of_folders: float = 0.1


class Trial:
    """A reader and the folder below which each input has one of its own, so that no cache knows its files."""

    def __init__(self, reader: Reader, folder: Path) -> None:
        self._reader = reader
        self._folder = folder
        self._inputs = 0
        self._quoted = {*_runs_of_words(_texts(reader.tree))}
        self._of_whole_files: set[str] = set()  # errors that no mutation causes, such as labels to be published

    def problems(self, tree: Tree) -> list[str]:
        """Return what breaks a promise."""
        self._inputs += 1
        folder = self._folder / f"{self._inputs:x}"
        write_tree(tree, folder)
        try:
            return [*self._problems(folder, tree)]
        finally:
            shutil.rmtree(folder)

    def _problems(self, folder: Path, tree: Tree) -> Iterator[str]:
        errors: list[str] = []
        before = time.process_time()
        if hasattr(signal, "SIGALRM"):
            signal.alarm(_HANG)  # its default action ends the process
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                for call in self._reader.load(folder):
                    try:
                        value = call()
                        yield from _unwritable(value)
                        yield from self._quotation(value, folder) if isinstance(value, str) else ()
                    except ColieeError as error:
                        errors.append(str(error))
            except ColieeError as error:
                errors.append(str(error))
            except Exception as error:
                yield "".join(traceback.format_exception(error)[-3:])
        if hasattr(signal, "SIGALRM"):
            signal.alarm(0)
        if time.process_time() - before > _LONGEST_CPU:
            yield f"more than {_LONGEST_CPU} s of processor time"
        if read_tree(folder) != tree:
            yield "the folder was changed"
        told = [str(warned.message) for warned in caught if issubclass(warned.category, ColieeWarning)]
        yield from (str(warned) for warned in caught if not issubclass(warned.category, ColieeWarning))
        changed = sorted(
            place for place in {*tree, *self._reader.tree} if tree.get(place) != self._reader.tree.get(place)
        )
        is_told = any(_names(message, folder, place) for message in told for place in changed)
        for message in errors:
            first = re.sub(rf"{re.escape(str(folder))}[^\n,:]*(?:: [^\s:]+/[^\s:]+)?", "", message.partition("\n")[0])
            if len(first) > _LONGEST_FIRST_LINE:
                yield f"first line too long: {message}"
            alone = message.replace(str(folder), "")
            if not changed:
                self._of_whole_files.add(alone)
            elif not (is_told or alone in self._of_whole_files or any(_names(message, folder, it) for it in changed)):
                yield f"names none of {changed}: {message}"
        yield from (f"names no file: {message}" for message in told if str(folder) not in message)
        for message in (*errors, *told):
            yield from self._quotation(message, folder)

    def _quotation(self, message: str, folder: Path) -> Iterator[str]:
        for run in _runs_of_words([message.replace(str(folder), "")]):
            if run in self._quoted:
                yield f"quotes a text, {run}: {message}"
                return


def _names(message: str, folder: Path, place: str) -> bool:
    """Return whether a message names a file or the folder of it; of a file that is missing, the name is enough."""
    path = folder / place
    above = [parent for parent in path.parents if parent.is_relative_to(folder)]
    plain = re.sub(r" \(\d+\)", "", path.name).removeprefix("clean_")
    return (
        str(path) in message
        or any(re.search(rf"{re.escape(str(parent))}(?![\w/])", message) for parent in above)
        or (not path.is_file() and plain in message)
    )


def _unwritable(value: object) -> Iterator[str]:
    """Yield a problem if a string in a value cannot be written in UTF-8."""
    values = [value]
    while values:
        one = values.pop()
        values += one if isinstance(one, tuple | list) else ()
        if isinstance(one, str) and one != one.encode(errors="replace").decode():
            yield "loaded what UTF-8 cannot hold"


def _texts(tree: Tree) -> Iterator[str]:
    for place, content in tree.items():
        if isinstance(content, bytes) and not place.endswith((".zip", ".yaml")):
            yield re.sub(r'<[^<>]*>|"\w+":', "\n1 ", content.decode(errors="replace"))


def _runs_of_words(texts: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield each five consecutive words, or twelve Japanese letters."""
    for text in texts:
        words = _WORD.findall(text)
        for at in range(len(words) - 4):
            size = 12 if all(len(word) == 1 for word in words[at : at + 5]) else 5
            if at + size <= len(words):
                yield tuple(words[at : at + size])
