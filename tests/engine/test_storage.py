"""Term counts in a folder: as they were when they were written, or refused."""

import json
import mmap
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import whole

from ir_coliee.engine import folders
from ir_coliee.engine.term_counts import TermCounts, count_terms
from ir_coliee.errors import ColieeError, MalformedFileError
from ir_coliee.text.analysers import English, Shingles

ENGLISH = English(stem=False)
CORPUS = [{"docno": "900002", "text": "Lamp, gate; lamp"}, {"docno": "900001", "text": "A well, d'été"}]
FILES = ["counts.npy", "docnos.json", "ends.npy", "pt_meta.json", "terms.npy", "vocabulary.json"]


@pytest.fixture
def folder(tmp_path):
    folders.save(count_terms(CORPUS, "words"), tmp_path / "index")
    return tmp_path / "index"


texts = st.lists(st.sampled_from(["lamp", "gate", "well", "\ud800", "été", "\n", "9"]), max_size=300).map(" ".join)


@pytest.mark.slow
@given(
    st.dictionaries(st.text(min_size=1, max_size=4), texts, max_size=4),
    st.sampled_from(["words", ENGLISH, *(Shingles(2, min_df=1, hashed=hashed) for hashed in (True, False))])
    | st.builds(Shingles, st.just(2), st.just(ENGLISH), binary=st.booleans(), min_df=st.just(1)),
)
@settings(max_examples=100)
def test_any_counts_and_their_analyser_survive_the_disk(tmp_path_factory, documents, analyser):
    counts = count_terms(({"docno": docno, "text": text} for docno, text in documents.items()), analyser)
    path = tmp_path_factory.mktemp("written") / "index"
    folders.save(counts, path)
    opened, queries = folders.load(path), [*documents.values(), "lamp gate"]
    assert whole(opened) == whole(counts)
    assert (opened.query_vectors(queries) != counts.query_vectors(queries)).nnz == 0


@pytest.mark.parametrize(("most", "bytes_each"), [(255, 1), (256, 2), (65_535, 2), (65_536, 4)])
def test_counts_take_the_fewest_bytes_that_hold_them_and_are_opened_in_32_bits(tmp_path, most, bytes_each):
    folders.save(count_terms([{"docno": "1", "text": "lamp " * most + "gate"}], "words"), tmp_path / "index")
    assert np.load(tmp_path / "index" / "counts.npy").itemsize == bytes_each
    counts = folders.load(tmp_path / "index").counts
    assert (counts.data.dtype, counts.indices.dtype) == (np.int32, np.int32)
    assert counts.data.tolist() == [1, most]


def test_the_arrays_stay_on_disk_and_changes_to_them_in_memory(folder):
    counts = folders.load(folder).counts
    assert is_mapped(counts.indices)
    before = (folder / "terms.npy").read_bytes()
    counts.indices[:] = 0
    assert (folder / "terms.npy").read_bytes() == before


def is_mapped(array):
    return array is not None and (isinstance(array, mmap.mmap) or is_mapped(getattr(array, "base", None)))


def test_nothing_is_left_of_an_index_that_could_not_be_written(tmp_path, monkeypatch):
    def full(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folders, "save_array", full)
    with pytest.raises(ColieeError, match="No space left on device"):
        folders.save(count_terms(CORPUS, "words"), tmp_path / "index")
    assert os.listdir(tmp_path) == []


def test_numbers_of_terms_that_scipy_has_widened_are_opened_again(tmp_path):
    counts = count_terms(CORPUS, "words")
    wide = counts.counts.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    folders.save(TermCounts(counts.docnos, counts.vocabulary, wide, "words"), tmp_path / "index")
    assert folders.load(tmp_path / "index").counts.toarray().tolist() == counts.counts.toarray().tolist()


ODD = [b"", b"\0" * 500, b"[1, 2]", b'"lamp"', b"[" * 100_000, b"PK\x03\x04junk", b"\x80\x04K\x01."]


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_cut_short_or_missing_or_of_another_kind_is_named(folder, name):
    content = (folder / name).read_bytes()
    for odd in (content[:-1], *ODD):
        (folder / name).write_bytes(odd)
        with pytest.raises(ColieeError, match=str(folder)):
            folders.load(folder)
    (folder / name).unlink()
    with pytest.raises(ColieeError, match=rf"{name}:? .*cannot be read"):
        folders.load(folder)
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / name)
        with pytest.raises(ColieeError, match=name):
            folders.load(folder)


@pytest.mark.parametrize(
    ("name", "array"),
    [
        *(("ends.npy", np.array(ends, np.int32)) for ends in ([0, 9, 6], [0, 3, 7], [0, -3, 6], [0, 6])),
        ("ends.npy", np.array([0, 3, 6], np.float64)),
        # a repeated term gave an idf of NaN
        *(("terms.npy", np.array([0, *terms], np.int32)) for terms in ([1, 2, 3, 4, 4], [2, 1, 3, 4, 5])),
        *(("terms.npy", np.array([0, 1, 2, 3, 4, beyond], np.int32)) for beyond in (6, -1)),
        ("counts.npy", np.array([1, 1, 1, 1, 1, 0], np.uint8)),  # gave scores of NaN
        ("counts.npy", np.array([1, 1, 1, 1, 1, 2**31], np.uint32)),
        ("terms.npy", np.array([0, 1, 2, 3, 4, 5], np.int64)),
        ("counts.npy", np.array([1, 1, 1, 1, 1, -1], np.int8)),
        ("counts.npy", np.array([[1, 1, 1, 1, 1, 1]], np.uint8)),
        ("counts.npy", np.array([1, 1, 1, 1, 1, None], object)),
    ],
)
def test_an_array_that_would_lead_beyond_the_others_is_refused(folder, name, array):
    with open(folder / name, "wb") as file:
        np.save(file, array, allow_pickle=True)
    with pytest.raises(MalformedFileError, match=r"(?s)\.npy: .*build it again"):
        folders.load(folder)


def test_ends_whose_differences_overflow_are_refused(tmp_path):
    """The differences of these numbers are all positive in 32 bits, and scipy read foreign memory."""
    corpus = [{"docno": str(number), "text": "a lamp"} for number in range(4)]
    folders.save(count_terms(corpus, "words"), tmp_path / "index")
    np.save(tmp_path / "index" / "ends.npy", np.array([0, 2**31 - 1, -(2**31), -1, 8], np.int32))
    with pytest.raises(MalformedFileError, match="terms that repeat or are not in order"):
        folders.load(tmp_path / "index")


def test_numbers_at_an_address_that_is_no_multiple_of_their_size_are_refused(folder):
    content = (folder / "terms.npy").read_bytes()
    odd = content[:8] + bytes([content[8] - 2]) + content[9:125] + b"\n" + content[128:]
    (folder / "terms.npy").write_bytes(odd)
    with pytest.raises(MalformedFileError, match=r"terms\.npy: an array of another size or at an odd address"):
        folders.load(folder)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("vocabulary.json", '["a", "a", "b", "c", "d", "e"]', "terms that repeat"),
        ("vocabulary.json", '["a", "b"]', "not the terms of the documents"),
        ("docnos.json", '["900002", "900001"]', "document ids that repeat or are not in order"),
        ("docnos.json", '["900002", 5]', "not a list of strings"),
    ],
)
def test_strings_of_another_index_are_refused(folder, name, content, message):
    (folder / name).write_text(content)
    with pytest.raises(MalformedFileError, match=message):
        folders.load(folder)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"type": "dense_index"}, "contains another kind of artifact"),
        ({"format_version": 1}, "in format 1; this version of ir_coliee reads format 2"),
        ({"analyser": "stems"}, "the analyser 'stems'; this version of ir_coliee has only words, case, bigrams"),
        *(
            ({"analyser": odd}, "this version of ir_coliee has only words, case, bigrams")
            for odd in (None, [], {"kind": ["words"]}, {"kind": "Stems"}, {"kind": "Shingles", "words": [2]})
        ),
        ({"analyser_version": 0}, "version 0 of the analyser 'words'; this version of ir_coliee has version 1 of it"),
    ],
)
def test_another_manifest_is_refused(folder, fields, message):
    path = folder / "pt_meta.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))
    with pytest.raises(ColieeError, match=message):
        folders.load(folder)


@pytest.mark.parametrize("name", ["nothing", "file"])
def test_a_path_without_an_index_is_named_with_the_next_step(tmp_path, name):
    (tmp_path / "file").write_text("lamp")
    with pytest.raises(ColieeError, match=rf"{name} is not an index.*Give the folder of an index"):
        folders.load(tmp_path / name)
    with pytest.raises(ColieeError, match=r"^a\\x00b is not an index: "):
        folders.load(Path("a\0b"))
