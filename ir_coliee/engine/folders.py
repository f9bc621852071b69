"""Folders of arrays that are memory-mapped when opened, with a manifest: term counts, and what other modules store.

``pt_meta.json`` describes the content; PyTerrier identifies its artifacts by it. A folder is written as an
unfinished folder and then renamed, so an incomplete folder never has the final name.

Folders of other people may be opened: that runs no code of theirs. Everything that scoring relies upon is checked,
because its loops have no bounds checks: a damaged folder raises an error, and any other gives finite scores.
"""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee import frames
from ir_coliee.engine.term_counts import HashedVocabulary, TermCounts
from ir_coliee.errors import ColieeError, MalformedFileError, printable
from ir_coliee.frames import compact_counts, is_rising, save_array, shown
from ir_coliee.storage import INDEX_STRINGS, MANIFEST, SizeLimit, unfinished_folder, writing
from ir_coliee.text.analysers import (
    ANALYSERS,
    Analysis,
    Shingles,
    analyser_from_description,
    analyser_version,
    describe_analyser,
)

ARTIFACT_TYPE, ARTIFACT_FORMAT = "lexical_index", "coliee"

_DOCNOS, _VOCABULARY, _HASHES = "docnos.json", "vocabulary.json", "hashes.npy"
_ENDS, _TERMS, _COUNTS = "ends.npy", "terms.npy", "counts.npy"
_MOST_OCCURRENCES = np.iinfo(np.int32).max  # of a term in a document


@dataclass(frozen=True)
class Artifact:
    """A kind of stored folder, which its manifest identifies.

    Attributes
    ----------
    content : str
        The kind of artifact with its article, for messages.
    kind : str
        The name of the kind in the manifest.
    version : int
        The version of the format that is read and written.
    """

    content: str
    kind: str
    version: int

    def write(self, folder: Path, fields: Mapping[str, object]) -> None:
        """Write the manifest of a folder."""
        kind = {"type": self.kind, "format": ARTIFACT_FORMAT, "package_hint": "ir_coliee"}  # read by PyTerrier
        manifest = {**kind, "format_version": self.version, **fields}
        (folder / "pt_meta.json").write_text(json.dumps(manifest, indent=2), encoding="ascii")

    def read(self, folder: Path) -> dict[str, Any]:
        """Read the manifest of a folder; only its kind and format version are checked.

        Raises
        ------
        ColieeError
            For a folder without a manifest, and for an artifact of another kind or in another format version.
        MalformedFileError
            If the manifest is not JSON, or is larger than any manifest.
        """
        try:
            fields = self.json(folder / "pt_meta.json", MANIFEST)
        except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
            if isinstance(error, ColieeError):
                raise
            reason = getattr(error, "strerror", error)
            problem = f"{printable(str(folder), 1000)} is not {self.content}: pt_meta.json cannot be read ({reason})"
            raise ColieeError(f"{problem}. Give the folder of {self.content}.") from None
        if not isinstance(fields, dict) or (fields.get("type"), fields.get("format")) != (self.kind, ARTIFACT_FORMAT):
            raise ColieeError(f"{folder} contains another kind of artifact. Give the folder of {self.content}.")
        if (found := fields.get("format_version")) != self.version:
            problem = f"{folder} is {self.content} in format {shown(found)}"
            readable = f"this version of ir_coliee reads format {self.version}"
            raise ColieeError(f"{problem}; {readable}. Delete the folder and build it again.")
        return fields

    def json(self, path: Path, limit: SizeLimit = INDEX_STRINGS) -> Any:
        """Return the content of a JSON file of the folder; raise `OSError` as `open` does, or `MalformedFileError`."""
        content = limit.read_file(path)
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise self.malformed(path, "not JSON") from None

    def strings(self, path: Path) -> list[str]:
        """Return the list of strings in a JSON file of the folder."""
        try:
            strings = self.json(path)
            if not isinstance(strings, list):
                raise TypeError
            "".join(strings)  # several times faster than isinstance for each value
        except OSError as error:
            raise self.malformed(path, f"it cannot be read ({error.strerror})") from None
        except TypeError:
            raise self.malformed(path, "not a list of strings") from None
        return strings

    def array(self, path: Path, *kinds: type[np.generic], mode: Literal["r", "c"] = "r") -> npt.NDArray[Any]:
        """Memory-map the one-dimensional array in a ``.npy`` file; arrays of Python objects are refused.

        Parameters
        ----------
        path : Path
            The file.
        *kinds : type
            The types of number that are accepted.
        mode : {"r", "c"}
            Read-only, or with changes that are kept in memory.

        Raises
        ------
        MalformedFileError
            If the file is not such an array, or has another size than its header states.
        """
        try:
            status = path.stat()
            if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for its writer
                raise self.malformed(path, "not an array")
            array = np.lib.format.open_memmap(path, mode)
        except OSError as error:
            raise self.malformed(path, f"it cannot be read ({error.strerror})") from None
        except Exception:  # numpy parses the header as a Python literal, and a damaged one raises various errors
            raise self.malformed(path, "not an array") from None
        # a damaged header may state another size, or move the numbers to an address that compiled loops cannot read
        if array.offset + array.nbytes != status.st_size or not array.flags.aligned:
            raise self.malformed(path, "an array of another size or at an odd address")
        if array.ndim != 1 or array.dtype not in kinds:
            raise self.malformed(path, "not an array of numbers of the expected type")
        return np.asarray(array)

    def matrix(self, folder: Path, documents: int, terms: int) -> sparse.csr_matrix:
        """Open the term counts (documents x terms) that `write_matrix` has written into a folder."""
        ends = self.array(folder / _ENDS, np.int32, np.int64, mode="c")
        columns = self.array(folder / _TERMS, np.int32, mode="c")
        counts = self.array(folder / _COUNTS, np.uint8, np.uint16, np.uint32, mode="c")
        try:
            matrix = sparse.csr_matrix((counts, columns, ends), shape=(documents, terms))
            matrix.check_format(full_check=True)
        except ValueError as error:
            raise self.malformed(folder / _TERMS, f"not the terms of the documents ({error})") from None
        # scipy subtracts the ends from each other, which can overflow; a repeated term would give an idf of NaN
        if (ends[1:] < ends[:-1]).any() or not matrix.has_canonical_format:
            raise self.malformed(folder / _TERMS, "terms that repeat or are not in order")
        if counts.min(initial=1) < 1 or counts.max(initial=0) > _MOST_OCCURRENCES:
            raise self.malformed(folder / _COUNTS, "a term that occurs no or too many times")
        return matrix

    def malformed(self, path: Path, problem: str) -> MalformedFileError:
        """Return the error for a damaged file of the folder, with the next step."""
        return MalformedFileError(
            path, None, problem, f"the unchanged file of {self.content}; delete the folder and build it again"
        )


INDEX = Artifact("an index", ARTIFACT_TYPE, 2)


def save(counts: TermCounts, path: Path) -> None:
    """Write term counts into a new folder.

    Raises
    ------
    ExistingFileError
        If something exists at the path.
    ColieeError
        If the path cannot be written.
    """
    frames.new_folder(path)
    with new_folder(path) as folder, writing(path):
        write(counts, folder)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Unfinished folder next to ``path``, renamed to it on success and deleted on failure.

    Raises
    ------
    ExistingFileError
        If something exists at the path in the end.
    ColieeError
        If the path cannot be written.
    """
    with ExitStack() as stack:
        with writing(path):
            unfinished = stack.enter_context(unfinished_folder(path.parent))
        yield unfinished
        with writing(path):
            try:
                unfinished.rename(path)
            except OSError:
                frames.new_folder(path)  # another process may have written it in the meantime
                raise


def write(counts: TermCounts, folder: Path) -> None:
    """Write term counts into an empty folder."""
    (folder / _DOCNOS).write_text(json.dumps(list(counts.docnos)), encoding="ascii")
    if isinstance(counts.vocabulary, HashedVocabulary):
        save_array(folder / _HASHES, counts.vocabulary.hashes)
    else:
        terms = sorted(counts.vocabulary, key=counts.vocabulary.__getitem__)
        # JSON, because a token may contain any character
        (folder / _VOCABULARY).write_text(json.dumps(terms), encoding="ascii")
    write_matrix(counts.stored_counts, folder)  # as stored: a conversion would allocate a second matrix
    rules = {"analyser": describe_analyser(counts.analyser), "analyser_version": analyser_version(counts.analyser)}
    INDEX.write(folder, rules)


def write_matrix(matrix: sparse.csr_matrix, folder: Path) -> None:
    """Write the arrays of a matrix of counts into a folder, which is created if it does not exist."""
    folder.mkdir(exist_ok=True)
    save_array(folder / _ENDS, matrix.indptr)
    save_array(folder / _TERMS, matrix.indices.astype(np.int32, copy=False))  # scipy uses int64 from 2**31 postings on
    save_array(folder / _COUNTS, compact_counts(matrix.data))


def load(path: Path) -> TermCounts:
    """Open the term counts in a folder, which may be from an untrusted source: no code of its author is run.

    The arrays are memory-mapped. They are read once to check them, and then when they are used. A process whose folder
    is changed by somebody else while it is open may give other scores, or end if a file becomes shorter.

    Raises
    ------
    ColieeError
        For a folder that is not an index, or is an index in another format or by another version of its analyser.
    MalformedFileError
        For a damaged file, or a file of another index.
    """
    fields = INDEX.read(path)
    analyser = _analyser(path, fields)
    docnos = np.array(INDEX.strings(path / _DOCNOS), dtype=object)
    if not is_rising(docnos):
        raise INDEX.malformed(path / _DOCNOS, "document ids that repeat or are not in order")
    vocabulary: Mapping[str, int]
    if isinstance(analyser, Shingles) and analyser.hashed:
        vocabulary = HashedVocabulary(INDEX.array(path / _HASHES, np.uint64), analyser.n)
        if not is_rising(vocabulary.hashes):
            raise INDEX.malformed(path / _HASHES, "the hashes are not in order")
    else:
        terms = INDEX.strings(path / _VOCABULARY)
        vocabulary = dict(zip(terms, range(len(terms))))
        if len(vocabulary) < len(terms):
            raise INDEX.malformed(path / _VOCABULARY, "terms that repeat")
    matrix = INDEX.matrix(path, len(docnos), len(vocabulary))
    return TermCounts(docnos, vocabulary, matrix, analyser)


def _analyser(path: Path, fields: Mapping[str, Any]) -> Analysis:
    """Analyser of an index. Raises `ColieeError` for an unknown analyser, or another version of a known one."""
    description, version = fields.get("analyser", ""), fields.get("analyser_version")
    built = f"{path} was built by version {shown(version)} of the analyser {shown(description)}"
    after = "so queries would get other terms. Delete the folder and build the index again."
    try:
        analyser = analyser_from_description(description)
    except (ValueError, AttributeError, RecursionError):
        raise ColieeError(f"{built}; this version of ir_coliee has only {', '.join(ANALYSERS)}, {after}") from None
    if (installed := analyser_version(analyser)) != version:
        raise ColieeError(f"{built}; this version of ir_coliee has version {installed} of it, {after}")
    return analyser
