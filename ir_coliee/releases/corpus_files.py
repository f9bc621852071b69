"""The files that the documents of tasks 1 to 3 are read from: which they are, without reading decisions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from ir_coliee.editions import COLLECTIONS, SPLITS, Split
from ir_coliee.releases import cache, cases, encrypted_zips
from ir_coliee.releases import search as copies
from ir_coliee.releases.folders import File, ZipFolder
from ir_coliee.releases.reading import Readable

_DELETED = "/deleted"


class CorpusFiles(NamedTuple):
    """``fingerprint`` changes with the files. ``origin`` is one of them; ``locked``: a password protects some."""

    fingerprint: str
    origin: str
    locked: bool


def corpus_files(dataset: str) -> CorpusFiles | None:
    """The files of the documents of an ir_datasets id, None where they are no decisions, paragraphs or articles.

    Raises `MissingReleaseError` where the copy is not in the data folder.
    """
    split = SPLITS.get(dataset.removesuffix("/full")) or COLLECTIONS.get(dataset.removesuffix(_DELETED))
    if split is not None and split.task in ("task1", "task2"):
        return _of_cases(split)
    if split is not None and split.task == "task3":
        return _of_articles(split, "all" if dataset.endswith(_DELETED) else "live")
    return None


def training_files(split: Split) -> CorpusFiles:
    """The files of a task 1 split with its queries and its gold: the fingerprint changes with what is learned from them.

    Raises `MissingReleaseError`, and `MissingLabelsError` where the copy has no gold.
    """
    documents, queries = cases.decisions(split), cases.decision_queries(split)
    gold = [(query, *items) for query, items in cases.raw_gold(split).items()]
    of_both = _of_texts([*documents.ids, *queries.ids], [*documents.files, *queries.files])
    return of_both._replace(fingerprint=cache.key_of((of_both.fingerprint, *gold)))


def _of_cases(split: Split) -> CorpusFiles | None:
    documents = cases.documents(split)
    return _of_texts(documents.ids, documents.files) if documents.files else None


def _of_texts(ids: Sequence[str], readable: Sequence[Readable]) -> CorpusFiles:
    files = [file for file in readable if isinstance(file, File)]
    fingerprint = cache.key_of(piece for text_id, file in zip(ids, files) for piece in (text_id, _stamp(file)))
    return CorpusFiles(fingerprint, str(files[0]), any(map(_is_locked, files)))


def _of_articles(split: Split, which: str) -> CorpusFiles:
    file = copies.find_file(split, "articles")
    content = hashlib.sha256(file.read_bytes()).hexdigest()  # one small file: content tells more than a stamp
    return CorpusFiles(cache.key_of((which, split.language, content)), str(file), _is_locked(file))


def _stamp(file: File) -> object:
    """Changes with the content; that of a file in a zip is the zip's own check sum, wherever the zip lies."""
    if isinstance(file.folder, ZipFolder):
        info = file.folder.info_of(file.name)
        return info.CRC, info.file_size
    return file.stamp


def _is_locked(file: File) -> bool:
    return isinstance(file.folder, ZipFolder) and encrypted_zips.is_encrypted(file.folder.info_of(file.name))
