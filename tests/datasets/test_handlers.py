"""Slicing as ir_datasets slices, and the document store over a sequence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_datasets.indices import PickleLz4FullStore

from ir_coliee.datasets.handlers import Docs, SequenceStore, SliceableIterator
from ir_coliee.releases.statutes import Answer

RECORDS = [Answer(f"d{number}", f"Document {number}.") for number in range(7)]


class Reading(list):
    """A sequence that notes which positions are read."""

    read = ()

    def __getitem__(self, position):
        self.read = (*self.read, position)
        return super().__getitem__(position)


@pytest.fixture(scope="module")
def peer(tmp_path_factory):
    """The store that ir_datasets keeps its own collections in, with the same records."""
    store = PickleLz4FullStore(
        str(tmp_path_factory.mktemp("peer") / "store"), lambda: iter(RECORDS), Answer, "doc_id", ["doc_id"]
    )
    store.build()
    return store


def ids(documents):
    return [document.doc_id for document in documents]


starts = st.none() | st.integers(-7, 9)
stops = st.none() | st.integers(-7, 9)
fractions = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(lambda pair: slice(*sorted(pair)))
keys = st.builds(slice, starts, stops, st.none() | st.integers(1, 4)) | fractions


@settings(max_examples=60)
@given(st.lists(keys, min_size=1, max_size=3))
def test_slices_of_slices_are_those_of_ir_datasets(peer, chain):
    ours, theirs = SliceableIterator(RECORDS), iter(peer)
    for key in chain:
        ours, theirs = ours[key], theirs[key]
        if theirs.slice.start < 0:  # there it wraps round; ours stops at the first document, see below
            return
    assert ids(ours) == ids(theirs)


def test_a_position_in_a_slice_counts_from_its_start_and_in_its_steps():
    documents = SliceableIterator(RECORDS)
    assert ids([documents[2:5][1], documents[2:5][-1], documents[::3][1]]) == ["d3", "d4", "d3"]
    with pytest.raises(IndexError):
        documents[2:5][3]


# --- the store -------------------------------------------------------------------------------------


@pytest.fixture
def store():
    return SequenceStore(RECORDS, Answer, ids(RECORDS))


def test_of_many_ids_those_that_exist_come_back(store, peer):
    wanted = ["d5", "nowhere", "d1"]
    assert store.get_many(wanted) == {"d5": RECORDS[5], "d1": RECORDS[1]}
    assert store.get_many(wanted) == peer.get_many(wanted)
    assert store.get_many(wanted, "text") == {"d5": "Document 5.", "d1": "Document 1."}
    assert list(store.get_many_iter(wanted)) == [RECORDS[5], RECORDS[1]]
    assert store.get_many([]) == {}
    assert [*store.ids()] == ids(RECORDS)


def test_documents_are_looked_up_by_their_id_alone():
    with pytest.raises(ValueError, match="field must be 'doc_id', got 'text'"):
        Docs(lambda: RECORDS, Answer, "en").docs_store("text")


def test_a_look_up_reads_that_document_alone():
    records = Reading(RECORDS)
    SequenceStore(records, Answer, ids(RECORDS)).get("d4")
    assert records.read == (4,)


# --- the entities ----------------------------------------------------------------------------------


def test_the_store_is_opened_once_while_the_records_stay_the_same():
    versions = [RECORDS]
    docs = Docs(lambda: versions[-1], Answer, "en")
    first = docs.docs_store()
    assert docs.docs_store() is first
    versions.append(RECORDS[:2])
    assert docs.docs_store() is not first
    assert docs.docs_store().get_many(["d1", "d6"]) == {"d1": RECORDS[1]}
