import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.transformers import LexicalIndex

CORPUS = [{"docno": "900002", "text": "Lamp, gate; lamp"}, {"docno": "900001", "text": "A well"}]


def term_counts(index, docno):
    row = index.counts[index.docnos.tolist().index(docno)].toarray().ravel()
    return {term: int(row[column]) for term, column in index.vocabulary.items() if row[column]}


def test_every_term_of_every_document_is_counted():
    index = LexicalIndex.build(CORPUS)
    assert term_counts(index, "900002") == {"lamp": 2, "gate": 1}
    assert term_counts(index, "900001") == {"a": 1, "well": 1}


def test_documents_are_sorted_by_number_and_keep_their_lengths():
    index = LexicalIndex.build(CORPUS)
    assert index.docnos.tolist() == ["900001", "900002"]
    assert index.lengths.tolist() == [2.0, 3.0]
    assert len(index) == 2


words = st.lists(st.sampled_from(["lamp", "gate", "well", "well2"]), max_size=6)


@given(st.dictionaries(st.text("0123456789", min_size=1, max_size=4), words, max_size=6))
@settings(max_examples=100, deadline=None)
def test_counts_equal_those_of_plain_counters(documents):
    index = LexicalIndex.build({"docno": docno, "text": " ".join(tokens)} for docno, tokens in documents.items())
    assert index.docnos.tolist() == sorted(documents)
    for docno, tokens in documents.items():
        assert term_counts(index, docno) == Counter(tokens)
    assert index.lengths.tolist() == [len(documents[docno]) for docno in sorted(documents)]


def test_a_document_without_a_token_keeps_its_place():
    index = LexicalIndex.build([*CORPUS, {"docno": "900000", "text": " ... "}])
    assert index.docnos.tolist() == ["900000", "900001", "900002"]
    assert index.lengths.tolist() == [0.0, 2.0, 3.0]


def test_an_empty_corpus_is_an_empty_index():
    index = LexicalIndex.build([])
    assert (len(index), index.counts.shape, index.vocabulary) == (0, (0, 0), {})


def test_a_docno_that_comes_twice_is_refused_by_name():
    with pytest.raises(ValueError, match=r"more than once: 900001$"):
        LexicalIndex.build([*CORPUS, {"docno": "900001", "text": "A gate"}])


def test_analysers_read_the_same_text_differently():
    document = {"docno": "1", "text": "[1]\nSee <FRAGMENT_SUPPRESSED> 代金を"}
    vocabularies = {
        name: sorted(LexicalIndex.build([document], analyser=name).vocabulary) for name in ("words", "case", "bigrams")
    }
    assert vocabularies == {
        "words": ["1", "fragment", "see", "suppressed", "代金を"],
        "case": ["see", "代金を"],
        "bigrams": ["1", "fragment", "see", "suppressed", "代金", "金を"],
    }


def test_the_refusal_of_an_analyser_names_those_that_exist():
    with pytest.raises(ValueError, match=r"stems.*bigrams"):
        LexicalIndex.build(CORPUS, analyser="stems")


def test_query_vectors_keep_frequencies_and_leave_out_unknown_terms():
    index = LexicalIndex.build(CORPUS)
    vectors = index.query_vectors(["lamp unknown LAMP well", "", "unknown"]).toarray()
    expected = np.zeros((3, 4))
    expected[0, index.vocabulary["lamp"]] = 2
    expected[0, index.vocabulary["well"]] = 1
    assert vectors.tolist() == expected.tolist()


def test_no_query_gives_no_vector():
    assert LexicalIndex.build(CORPUS).query_vectors([]).shape == (0, 4)


def test_positions_are_rows_and_an_unknown_document_is_named():
    index = LexicalIndex.build(CORPUS)
    assert index.positions(["900002", "900001", "900002"]).tolist() == [1, 0, 1]
    with pytest.raises(KeyError, match="'900003' is not in LexicalIndex"):
        index.positions(["900001", "900003"])


def test_a_dataset_is_indexed_whole(capsys):
    index = LexicalIndex.from_dataset("coliee/task1/sample/test", analyser="case")
    assert len(index) == 32
    assert index.lengths.min() > 100


def test_captions_of_articles_are_indexed():
    assert len(LexicalIndex.from_dataset("coliee/task3/sample/ja", analyser="bigrams")) == 105


def test_a_pickled_index_is_the_same():
    index = LexicalIndex.build(CORPUS)
    copied = pickle.loads(pickle.dumps(index))
    assert copied.docnos.tolist() == index.docnos.tolist()
    assert copied.vocabulary == index.vocabulary
    assert copied.counts.toarray().tolist() == index.counts.toarray().tolist()
    assert copied.positions(["900002"]).tolist() == [1]


def test_the_repr_is_short():
    assert repr(LexicalIndex.build(CORPUS)) == "LexicalIndex(<2 documents, 4 terms>, analyser='words')"
