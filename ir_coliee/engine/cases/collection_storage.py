"""The texts of a `CaseCollection` in a folder: arrays that are memory-mapped when opened, JSON, and a manifest.

A folder may be damaged, or come from somebody else. It contains no code, and what its readers rely upon is checked.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ir_coliee.engine.cases.text_chunks import is_token
from ir_coliee.engine.cases.token_sequences import TokenSequences
from ir_coliee.engine.manifests import ManifestForm
from ir_coliee.engine.storage import mapped
from ir_coliee.frames import Hashes, Integers, save_array
from ir_coliee.storage import INDEX_STRINGS
from ir_coliee.text.case_properties import CaseProperties

#: The version of the format and of the rules by which texts are read.
FORMAT_VERSION = 1
_FORM = ManifestForm(
    "a collection of decisions", FORMAT_VERSION, "start again", {"type": "case_collection", "format": "coliee"}
)
_ARRAYS = {
    "tokens": np.int32,
    "capitalised": np.bool_,
    "bounds": np.int64,
    "markers": np.int32,
    "marker_bounds": np.int64,
    "paragraphs": np.int32,
    "paragraph_bounds": np.int64,
    "keys": np.uint64,
}
_LARGEST = np.iinfo(np.int32).max
_STRINGS = ("vocabulary", "properties", "documents", "queries")


class StoredTexts(NamedTuple):
    """The attributes of a `CaseCollection`."""

    sequences: TokenSequences
    keys: Hashes
    documents: dict[str, int]
    queries: dict[str, int]


def write(texts: StoredTexts, folder: Path) -> None:
    """Write texts into an empty folder."""
    values = {**vars(texts.sequences), **texts._asdict()}
    for name in _ARRAYS:
        save_array(folder / f"{name}.npy", values[name])
    for name in _STRINGS:
        (folder / f"{name}.json").write_text(json.dumps(values[name]), encoding="ascii")
    _FORM.write(folder, {})


def load(folder: Path) -> StoredTexts:
    """Open the texts in a folder.

    Raises
    ------
    ColieeError
        For a folder that contains something else, or has another format version.
    MalformedFileError
        For a damaged file, or a file of another collection.
    """
    _FORM.read(folder)
    arrays: dict[str, Any] = {name: _array(folder / f"{name}.npy", kind) for name, kind in _ARRAYS.items()}
    strings = {name: _json(folder / f"{name}.json") for name in _STRINGS}
    keys, documents, queries = arrays.pop("keys"), strings.pop("documents"), strings.pop("queries")
    strings["properties"] = _properties(strings["properties"], folder)
    sequences = TokenSequences(**arrays, **strings)
    _check(sequences, len(keys), folder)
    for name, files in (("documents", documents), ("queries", queries)):
        if not _are_files(files, len(keys)):
            raise _FORM.malformed(folder / f"{name}.json", f"not ids with numbers of {len(keys):,} texts")
    return StoredTexts(sequences, keys, documents, queries)


def _array(path: Path, kind: npt.DTypeLike) -> npt.NDArray[Any]:
    array = mapped(path, "r", _FORM)
    if array.ndim != 1 or array.dtype != kind:
        raise _FORM.malformed(path, "not an array of numbers of the expected type")
    return array


def _json(path: Path) -> Any:
    try:
        return _FORM.json(path, INDEX_STRINGS)
    except OSError as error:
        raise _FORM.malformed(path, f"it cannot be read ({error.strerror})") from None


def _check(sequences: TokenSequences, texts: int, folder: Path) -> None:
    """Check that all numbers are within what they count: compiled loops have no bounds checks."""
    vocabulary = sequences.vocabulary
    if not (_is_list_of(vocabulary, str) and all(map(is_token, vocabulary)) and len({*vocabulary}) == len(vocabulary)):
        raise _FORM.malformed(folder / "vocabulary.json", "not a list of different tokens")
    tokens = sequences.tokens.view(np.uint32)  # a negative number is large as unsigned
    if tokens.max(initial=0) >= max(len(vocabulary), 1):
        raise _FORM.malformed(folder / "tokens.npy", "a token outside the vocabulary")
    if len(sequences.capitalised) != len(tokens) or sequences.capitalised.view(np.uint8).max(initial=0) > 1:
        raise _FORM.malformed(folder / "capitalised.npy", "not true or false for each token")
    if len(sequences.properties) != texts:
        raise _FORM.malformed(folder / "properties.json", f"not the properties of {texts:,} texts")
    _check_bounds(folder / "bounds.npy", sequences.bounds, len(tokens), texts)
    for name in ("marker", "paragraph"):
        bounds, positions = getattr(sequences, f"{name}_bounds"), getattr(sequences, f"{name}s")
        _check_bounds(folder / f"{name}_bounds.npy", bounds, len(positions), texts)
        sizes = np.diff(bounds)
        places = positions + np.repeat(sequences.bounds[:-1], sizes)
        ends = np.repeat(sequences.bounds[1:], sizes)  # a marker may be behind the last token
        if (positions < 0).any() or (places > ends).any() or (places[1:] < places[:-1]).any():
            raise _FORM.malformed(folder / f"{name}s.npy", "a position outside its text or not in order")


def _check_bounds(path: Path, bounds: Integers, length: int, texts: int) -> None:
    """Check that bounds divide a number of values into a number of texts."""
    in_order = len(bounds) == texts + 1 and bounds[0] == 0 and bounds[-1] == length
    if not in_order or (bounds[1:] < bounds[:-1]).any():
        raise _FORM.malformed(path, f"not the bounds of {texts:,} texts")


def _are_files(value: Any, texts: int) -> bool:
    return isinstance(value, dict) and all(_is_number(text) and text < texts for text in value.values())


def _properties(values: Any, folder: Path) -> list[CaseProperties]:
    if not (isinstance(values, list) and all(map(_are_properties, values))):
        raise _FORM.malformed(folder / "properties.json", "not the properties of decisions")
    as_written = (CaseProperties(*each) for each in values)
    return [
        each._replace(judges_mentioned=tuple(each.judges_mentioned), pinpoints=tuple(each.pinpoints))
        for each in as_written
    ]


def _are_properties(value: Any) -> bool:
    if not (isinstance(value, list) and len(value) == len(CaseProperties._fields)):
        return False
    each = CaseProperties(*value)
    sizes = [each.num_paragraphs, each.num_characters, each.num_markers]
    dates = [date for date in (each.year, each.header_date) if date is not None]
    return (
        isinstance(each.judge, str)
        and _is_list_of(each.judges_mentioned, str)
        and isinstance(each.pinpoints, list)
        and all(map(_is_number, [*each.pinpoints, *sizes, *dates]))
    )


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _LARGEST


def _is_list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(type(each) is kind for each in value)
