"""Term counts in a folder: arrays that are memory-mapped when opened, and a manifest.

``pt_meta.json`` describes the content; PyTerrier identifies its artifacts by it. A folder is written as an
unfinished folder and then renamed, so an incomplete folder never has the final name.

Folders of other people may be opened: that runs no code of theirs. Everything that scoring relies upon is checked,
because its loops have no bounds checks: a damaged folder raises an error, and any other gives finite scores.
"""

from __future__ import annotations

import json
import operator
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine.shingles import HashedVocabulary
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.errors import ColieeError, ExistingFileError, MalformedFileError, printable
from ir_coliee.frames import Hashes, compact_counts, is_rising, save_array, shown
from ir_coliee.storage import INDEX_STRINGS, MANIFEST, SizeLimit, unfinished_folder, writing
from ir_coliee.text.analysers import Analysis, Shingles, analyser_from_description, analyser_version, describe_analyser
from ir_coliee.text.tokenisers import ANALYSERS

# Manifests: the JSON file by which the folder of an artifact says what it is and what it contains.


class ManifestForm(NamedTuple):
    """The form of the manifests of one kind of artifact.

    Attributes
    ----------
    content : str
        The kind of artifact with its article, for messages.
    format_version : int
        The version of the format that is read and written.
    again : str
        The way to make the artifact again, for messages.
    kind : mapping of str to str
        The fields that tell this kind of artifact from others; PyTerrier reads ``type`` and ``format``.
    file : str
        The name of the file; PyTerrier reads ``pt_meta.json``.
    """

    content: str
    format_version: int
    again: str
    kind: Mapping[str, str]
    file: str = "pt_meta.json"

    @property
    def unchanged(self) -> str:
        """The expected file, and the next step if it is damaged."""
        return f"the unchanged file of {self.content}; delete the folder and {self.again}"

    def write(self, folder: Path, fields: Mapping[str, object]) -> None:
        """Write the manifest of a folder."""
        manifest = {**self.kind, "format_version": self.format_version, **fields}
        (folder / self.file).write_text(json.dumps(manifest, indent=2), encoding="ascii")

    def read(self, folder: Path) -> dict[str, Any]:
        """Read the manifest of a folder.

        Returns
        -------
        dict
            The fields; only those of the kind and of the format version are checked.

        Raises
        ------
        ColieeError
            For a folder without a manifest, and for an artifact of another kind or in another format version.
        MalformedFileError
            If the manifest is not JSON, or is larger than any manifest.
        """
        try:
            fields = self.json(folder / self.file, MANIFEST)
        except ColieeError:
            raise
        except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
            reason = getattr(error, "strerror", error)
            problem = f"{printable(str(folder), 1000)} is not {self.content}: {self.file} cannot be read ({reason})"
            raise ColieeError(f"{problem}. Give the folder of {self.content}.") from None
        if not isinstance(fields, dict) or {key: fields.get(key) for key in self.kind} != self.kind:
            raise ColieeError(f"{folder} contains another kind of artifact. Give the folder of {self.content}.")
        if (found := fields.get("format_version")) != self.format_version:
            problem = f"{folder} is {self.content} in format {shown(found)}"
            readable = f"this version of ir_coliee reads format {self.format_version}"
            raise ColieeError(f"{problem}; {readable}. Delete the folder and {self.again}.")
        return fields

    def json(self, path: Path, limit: SizeLimit) -> Any:
        """Return the content of a JSON file of the folder; raise `OSError` as `open` does, or `MalformedFileError`."""
        content = limit.read_file(path)
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise self.malformed(path, "not JSON") from None

    def malformed(self, path: Path, problem: str) -> MalformedFileError:
        """Return the error for a damaged file of the folder."""
        return MalformedFileError(path, None, problem, self.unchanged)


ARTIFACT_TYPE, ARTIFACT_FORMAT = "lexical_index", "coliee"

FORMAT_VERSION = 2
_FORM = ManifestForm(
    "an index",
    FORMAT_VERSION,
    "build the index again",
    {"type": ARTIFACT_TYPE, "format": ARTIFACT_FORMAT, "package_hint": "ir_coliee"},
)
_DOCNOS, _VOCABULARY, _HASHES = "docnos.json", "vocabulary.json", "hashes.npy"
_ENDS, _TERMS, _COUNTS = "ends.npy", "terms.npy", "counts.npy"
_FILES = (_DOCNOS, _ENDS, _TERMS, _COUNTS)  # and one file for the vocabulary
_MOST_OCCURRENCES = np.iinfo(np.int32).max  # of a term in a document
_TOGETHER = 2**20  # postings that are checked at once


class _Manifest(NamedTuple):
    """Fields of the manifest that describe the counts."""

    analyser: str | dict[str, Any]
    analyser_version: int | str
    fingerprint: str | None
    documents: int
    terms: int
    postings: int
    files: dict[str, int]


def save(counts: TermCounts, path: Path) -> None:
    """Write term counts into a new folder.

    Parameters
    ----------
    counts : TermCounts
        The counts.
    path : Path
        Folder to create.

    Raises
    ------
    ExistingFileError
        If something exists at the path.
    ColieeError
        If the path cannot be written.
    """
    check_new_path(path)
    with new_folder(path) as folder, writing(path):
        write(counts, folder)


def check_new_path(path: Path) -> None:
    """Check that nothing exists at a path.

    Raises
    ------
    ExistingFileError
        If something exists at the path.
    """
    if os.path.lexists(path):
        raise ExistingFileError(f"{path} exists already. Choose another folder, or delete this one.")


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
                check_new_path(path)  # another process may have written it in the meantime
                raise


def write(counts: TermCounts, folder: Path) -> None:
    """Write term counts into an empty folder."""
    matrix = counts.stored_counts  # as stored: a conversion would allocate a second matrix
    (folder / _DOCNOS).write_text(json.dumps(list(counts.docnos)), encoding="ascii")
    if isinstance(counts.vocabulary, HashedVocabulary):
        save_array(folder / _HASHES, counts.vocabulary.hashes)
    else:
        terms = sorted(counts.vocabulary, key=counts.vocabulary.__getitem__)
        # JSON, because a token may contain any character
        (folder / _VOCABULARY).write_text(json.dumps(terms), encoding="ascii")
    save_array(folder / _ENDS, matrix.indptr)
    save_array(folder / _TERMS, matrix.indices.astype(np.int32, copy=False))  # scipy uses int64 from 2**31 postings on
    save_array(folder / _COUNTS, compact_counts(matrix.data))
    manifest = _Manifest(
        describe_analyser(counts.analyser),
        analyser_version(counts.analyser),
        counts.fingerprint,
        len(counts),
        len(counts.vocabulary),
        matrix.nnz,
        {name: (folder / name).stat().st_size for name in _files(counts.analyser)},
    )
    _FORM.write(folder, manifest._asdict())


def _files(analyser: Analysis) -> tuple[str, ...]:
    """Names of the files of an index built with an analyser."""
    return (*_FILES, _HASHES if isinstance(analyser, Shingles) and analyser.hashed else _VOCABULARY)


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
    manifest, analyser = _manifest(path)
    for name, size in manifest.files.items():
        _check_size(path / name, size)
    ends = _array(path / _ENDS, manifest.documents + 1, (np.int32, np.int64))
    terms = _array(path / _TERMS, manifest.postings, (np.int32,))
    data = _array(path / _COUNTS, manifest.postings, (np.uint8, np.uint16, np.uint32))
    # the loops of scipy and numba have no bounds checks: an invalid number would access memory outside the arrays
    if ends[0] != 0 or ends[-1] != manifest.postings or (ends[1:] < ends[:-1]).any():
        raise _FORM.malformed(path / _ENDS, "the ends of the documents are not in order")
    if terms.view(np.uint32).max(initial=0) >= max(manifest.terms, 1):  # a negative number is large as unsigned
        raise _FORM.malformed(path / _TERMS, "a term outside the vocabulary")
    if not _rise_within_rows(terms, ends):
        raise _FORM.malformed(path / _TERMS, "the terms of a document repeat or are not in order")
    if not (data.min(initial=1) > 0 and data.max(initial=0) <= _MOST_OCCURRENCES):
        raise _FORM.malformed(path / _COUNTS, "a term that occurs no or too many times")
    docnos = np.array(_docnos(path / _DOCNOS, manifest.documents), dtype=object)
    vocabulary: Mapping[str, int]
    if isinstance(analyser, Shingles) and analyser.hashed:
        vocabulary = HashedVocabulary(_hashes(path / _HASHES, manifest.terms), analyser.n)
    else:
        vocabulary = _vocabulary(path / _VOCABULARY, manifest.terms)
    matrix = sparse.csr_matrix((data, terms, ends), shape=(manifest.documents, manifest.terms))
    return TermCounts(docnos, vocabulary, matrix, analyser, manifest.fingerprint)


def _rise_within_rows(numbers: npt.NDArray[Any], ends: npt.NDArray[Any]) -> bool:
    """Whether the numbers of each row rise, so that all places where they do not are the beginnings of rows."""
    starts = np.unique(ends[(ends > 0) & (ends < len(numbers))])
    falls_between_rows = np.count_nonzero(numbers[starts] <= numbers[starts - 1])
    falls = np.intp(0)
    for first in range(0, len(numbers), _TOGETHER):
        block = numbers[first : first + _TOGETHER + 1]
        falls += np.count_nonzero(block[1:] <= block[:-1])
    return bool(falls == falls_between_rows)


def _manifest(path: Path) -> tuple[_Manifest, Analysis]:
    fields, place = _FORM.read(path), path / _FORM.file
    try:
        manifest = _Manifest(*(fields[field] for field in _Manifest._fields))
    except KeyError as error:
        raise _FORM.malformed(place, f"{error.args[0]} is missing") from None
    _check_fields(place, manifest)
    analyser = _analyser(path, manifest)
    if sorted(manifest.files) != sorted(_files(analyser)):
        raise _FORM.malformed(place, "the list of files is not that of an index")
    return manifest, analyser


def _check_fields(place: Path, manifest: _Manifest) -> None:
    kinds: tuple[Any, ...] = ((str, dict), (int, str), (str, type(None)), int, int, int, dict)
    for field, value, kind in zip(_Manifest._fields, manifest, kinds):
        if not isinstance(value, kind):
            raise _FORM.malformed(place, f"{field} has the type {type(value).__name__}")
    for number in (manifest.documents, manifest.terms, manifest.postings, *manifest.files.values()):
        if not isinstance(number, int) or number < 0:
            raise _FORM.malformed(place, "a size that is not an integer >= 0")


def _analyser(path: Path, manifest: _Manifest) -> Analysis:
    """Analyser of an index. Raises `ColieeError` for an unknown analyser, or another version of a known one."""
    built = f"{path} was built by version {manifest.analyser_version} of the analyser {manifest.analyser!r}"
    after = "so queries would get other terms. Delete the folder and build the index again."
    try:
        analyser = analyser_from_description(manifest.analyser)
    except ValueError:
        raise ColieeError(f"{built}; this version of ir_coliee has only {', '.join(ANALYSERS)}, {after}") from None
    if (installed := analyser_version(analyser)) != manifest.analyser_version:
        raise ColieeError(f"{built}; this version of ir_coliee has version {installed} of it, {after}")
    return analyser


def _check_size(path: Path, size: int) -> None:
    try:
        found = path.stat().st_size
    except OSError as error:
        raise _FORM.malformed(path, f"it cannot be read ({error.strerror})") from None
    if found != size:
        raise _FORM.malformed(path, f"{found:,} bytes instead of the {size:,} of the manifest")


def _array(path: Path, length: int, kinds: Sequence[type[np.integer[Any]]]) -> npt.NDArray[Any]:
    """Memory-mapped array of one of the given dtypes; changes are not written to the file."""
    array = mapped(path, "c", _FORM)
    if array.shape != (length,) or array.dtype not in kinds:
        raise _FORM.malformed(path, f"not an array of {length:,} numbers of the expected type")
    return array


def mapped(path: Path, mode: Literal["r", "c"], form: ManifestForm) -> npt.NDArray[Any]:
    """Memory-map the array in a file. No code of its author is run: arrays of Python objects are refused.

    Parameters
    ----------
    path : Path
        A ``.npy`` file.
    mode : {"r", "c"}
        Read-only, or with changes that are kept in memory.
    form : ManifestForm
        The kind of artifact that the file belongs to, for error messages.

    Raises
    ------
    MalformedFileError
        If the file is not an array, or has another size than its header states.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for its writer
            raise form.malformed(path, "not an array")
        array = np.lib.format.open_memmap(path, mode)
    except OSError as error:
        raise form.malformed(path, f"it cannot be read ({error.strerror})") from None
    except Exception:  # numpy parses the header as a Python literal, and a damaged one raises various errors
        raise form.malformed(path, "not an array") from None
    # a damaged header may state another size, or move the numbers to an address that compiled loops cannot read
    if array.offset + array.nbytes != status.st_size or not array.flags.aligned:
        raise form.malformed(path, "an array of another size or at an odd address")
    return np.asarray(array)


def _docnos(path: Path, length: int) -> list[str]:
    docnos = _strings(path, length, "document ids")
    if any(map(operator.ge, docnos, docnos[1:])):
        raise _FORM.malformed(path, "document ids that repeat or are not in order")
    return docnos


def _strings(path: Path, length: int, contents: str) -> list[str]:
    try:
        strings = _FORM.json(path, INDEX_STRINGS)
    except OSError as error:
        raise _FORM.malformed(path, f"it cannot be read ({error.strerror})") from None
    if not isinstance(strings, list) or len(strings) != length or not _are_strings(strings):
        raise _FORM.malformed(path, f"not a list of {length:,} {contents}")
    return strings


def _are_strings(values: list[Any]) -> bool:
    try:
        "".join(values)  # several times faster than isinstance for each value
    except TypeError:
        return False
    return True


def _hashes(path: Path, length: int) -> Hashes:
    hashes = _array(path, length, (np.uint64,))
    if not is_rising(hashes):
        raise _FORM.malformed(path, "the hashes are not in order")
    return hashes


def _vocabulary(path: Path, length: int) -> dict[str, int]:
    vocabulary = dict(zip(_strings(path, length, "terms"), range(length)))
    if len(vocabulary) < length:
        raise _FORM.malformed(path, f"not a list of {length:,} different terms")
    return vocabulary
