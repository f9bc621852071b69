"""The files that entities are read from, and cache keys that change with their content."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ir_coliee.errors import MissingLabelsError
from ir_coliee.releases import cache, case_gold, cases
from ir_coliee.releases.folders import File
from ir_coliee.releases.reading import Readable
from ir_coliee.releases.text_files import TextFiles
from ir_coliee.releases.zip_folders import ZipFolder, has_password

if TYPE_CHECKING:
    from ir_coliee.releases.local_release import LocalRelease


class SourceFiles(NamedTuple):
    """The files that cached data are derived from.

    Attributes
    ----------
    fingerprint : str
        A key that changes with the files.
    origin : str
        The path of one of the files; caches are stored below its data folder.
    is_encrypted : bool
        Whether a password protects one of the files. Data derived from it must not be cached.
    """

    fingerprint: str
    origin: str
    is_encrypted: bool


def sources_of_documents(release: LocalRelease, *, with_deleted: bool = False) -> SourceFiles | None:
    """Return the files of the documents of a split of tasks 1 to 3.

    Parameters
    ----------
    release : LocalRelease
    with_deleted : bool, default=False
        Whether deleted articles are documents too.

    Returns
    -------
    SourceFiles or None
        None if the documents are neither decisions nor paragraphs nor articles, or if there are none.

    Raises
    ------
    MissingReleaseError
        If the files are not in the data folder.
    """
    if "corpus" in release.split.files:
        documents = cases.documents(release)
        return _of_texts(documents.ids, documents.files) if documents.files else None
    if release.split.task == "task3":
        return _of_files([release.file("articles")], "all" if with_deleted else "live", release.split.language)
    return None


def sources_of_decisions(release: LocalRelease) -> SourceFiles:
    """Return the files of the decisions of a split of task 1: its documents, and queries that are not documents.

    Raises
    ------
    MissingReleaseError
        If the files are not in the data folder.
    """
    documents = cases.decisions(release)
    if release.layout.queries_are_documents:
        return _of_texts(documents.ids, documents.files)
    queries = cases.decision_queries(release)
    return _of_texts([*documents.ids, *queries.ids], [*documents.files, *queries.files])


def fingerprint_of_base_cases(release: LocalRelease) -> str:
    """Return a key that changes with the base cases of a split of task 2, which `sources_of_split` leaves out."""
    files = cases.base_case_files(release).items()
    return cache.key_of(piece for query_id, file in files if file for piece in (query_id, _stamp(file)))


def sources_of_split(release: LocalRelease) -> SourceFiles:
    """Return the files of the documents, the queries and the gold of a split.

    Raises
    ------
    MissingReleaseError
        If the files are not in the data folder. Gold may be missing.
    """
    if "corpus" not in release.split.files:
        return _of_files([release.file(role) for role in release.split.files])
    documents, queries = cases.documents(release), release.queries()
    assert isinstance(queries, TextFiles)
    files = _of_texts([*documents.ids, *queries.ids], [*documents.files, *queries.files])
    return files._replace(fingerprint=cache.key_of((files.fingerprint, *_gold(release))))


def _gold(release: LocalRelease) -> Iterator[tuple[str, ...]]:
    try:
        yield from ((query, *items) for query, items in case_gold.written_gold(release).items())
    except MissingLabelsError:
        return


def _of_texts(ids: Sequence[str], readable: Sequence[Readable]) -> SourceFiles:
    files = [file for file in readable if isinstance(file, File)]
    fingerprint = cache.key_of(piece for text_id, file in zip(ids, files) for piece in (text_id, _stamp(file)))
    return SourceFiles(fingerprint, str(files[0]), any(map(has_password, files)))


def _of_files(files: Sequence[File], *options: str) -> SourceFiles:
    # a few small files, whose content is more reliable than a stamp
    digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    return SourceFiles(cache.key_of((*options, *digests)), str(files[0]), any(map(has_password, files)))


def _stamp(file: File) -> object:
    """Return a value that changes with the content; for a file in an archive, its check sum."""
    if isinstance(file.folder, ZipFolder):
        info = file.folder.info_of(file.name)
        return info.CRC, info.file_size
    return file.stamp
