"""Shingles, stems and stop words as analysers of an index: against plain Python, and bad input named."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.engine import folders
from ir_coliee.engine.term_counts import HashedVocabulary, count_each, count_terms, shingle_hashes, token_hashes
from ir_coliee.errors import MalformedFileError
from ir_coliee.text.analysers import English, Shingles

texts = st.lists(
    st.lists(st.sampled_from(["the", "lamp", "gate", "Well", "été"]), max_size=15).map(" ".join), max_size=8
)


def corpus_of(texts):
    return [{"docno": f"{900000 + number}", "text": text} for number, text in enumerate(texts)]


def plain(analyser, texts):
    """Term and count by document, by definition."""
    counters = [Counter(analyser(text)) for text in texts]
    if isinstance(analyser, Shingles):
        documents = Counter(term for counter in counters for term in counter)
        most = max(analyser.max_df, int(analyser.max_share * len(texts)))
        counters = [
            {
                term: 1 if analyser.binary else times
                for term, times in counter.items()
                if analyser.min_df <= documents[term] <= most
            }
            for counter in counters
        ]
    return [dict(counter) for counter in counters]


def found(counts, of_texts):
    """Term and count by document, as the index has them; a hashed term is found by its words."""
    rows = counts.counts.toarray()
    return [
        {
            term: int(row[counts.vocabulary[term]])
            for term in terms
            if term in counts.vocabulary and row[counts.vocabulary[term]]
        }
        for row, terms in zip(rows, of_texts)
    ]


def check(counts, analyser, texts):
    expected = plain(analyser, texts)
    assert found(counts, [set(analyser(text)) for text in texts]) == expected
    assert len(counts.vocabulary) == len({term for row in expected for term in row}) == counts.counts.shape[1]
    assert counts.lengths.tolist() == [sum(row.values()) for row in expected]
    assert counts.counts.has_sorted_indices
    assert (counts.counts.data.dtype, counts.counts.indices.dtype) == (np.int32, np.int32)


@pytest.mark.slow
@given(
    texts,
    st.builds(
        Shingles,
        n=st.integers(2, 8),
        base=st.sampled_from(["words", English(stem=False)]),
        hashed=st.booleans(),
        binary=st.booleans(),
        min_df=st.integers(1, 3),
        max_df=st.integers(1, 4),
        max_share=st.sampled_from([0, 0.5, 1]),
    ),
)
@settings(max_examples=80)
def test_shingles_of_any_texts_equal_plain_counters(texts, analyser):
    check(count_terms(corpus_of(texts), analyser), analyser, texts)


def test_words_of_one_stem_are_one_term():
    pytest.importorskip("Stemmer")
    documents = corpus_of(["The owner owned lamps", "A lamp, owners, a lamp", "the"])
    counts = count_terms(documents, English())
    assert counts.vocabulary == {"lamp": 0, "own": 1, "owner": 2}
    assert counts.counts.toarray().tolist() == [[1, 1, 1], [2, 0, 1], [0, 0, 0]]
    assert counts.query_vectors(["the LAMPS of an owner", "the"]).toarray().tolist() == [[1, 0, 1], [0, 0, 0]]
    pairs = count_terms(documents, Shingles(2, base=English(), min_df=1))
    assert [pairs.vocabulary[term] in range(4) for term in ("owner own", "own lamp", "lamp owner", "owner lamp")]


@pytest.mark.slow
@given(texts)
@settings(max_examples=60)
def test_several_analysers_of_one_reading_are_what_each_alone_is(texts):
    analysers = [
        "words",
        English(stem=False),
        Shingles(2),
        Shingles(3, min_df=1),
        Shingles(2, base=English(stem=False)),
    ]
    together = count_each(corpus_of(texts), analysers)
    assert [whole(counts) for counts in together] == [whole(count_terms(corpus_of(texts), one)) for one in analysers]


def whole(counts):
    matrix = counts.counts
    arrays = [(array.dtype.str, array.tolist()) for array in (matrix.indptr, matrix.indices, matrix.data)]
    return counts.docnos.tolist(), dict(counts.vocabulary), counts.analyser, arrays


@pytest.mark.slow
@pytest.mark.parametrize("analyser", [Shingles(3), English("case", stem=False)])
def test_the_counts_are_the_same_whatever_the_number_of_processes_and_the_order_of_documents(soon_large, analyser):
    rng = np.random.default_rng(5)
    documents = corpus_of([" ".join(rng.choice(["the", "gate", *map(str, range(30))], 60)) for _ in range(200)])
    alone = count_terms(documents, analyser, processes=1)
    check(alone, analyser, [document["text"] for document in documents])
    assert alone.counts.nnz > 100
    assert whole(count_terms(documents[::-1], analyser, processes=2)) == whole(alone)


def test_analysers_of_different_tokens_are_refused_before_a_document_is_read():
    documents = iter(corpus_of(["lamp"]))
    with pytest.raises(ValueError, match=r"one kind of tokens, not 2: \['words', 'case'\]"):
        count_each(documents, ["words", Shingles(2, base="case")])
    with pytest.raises(ValueError, match="got 'stems'"):
        count_each(documents, ["words", "stems"])
    assert len(list(documents)) == 1


@pytest.mark.parametrize("hashed", [True, False])
@pytest.mark.parametrize(("binary", "expected"), [(True, [[1], [1]]), (False, [[2], [1]])])
def test_a_query_is_cut_into_shingles_as_a_document_is(hashed, binary, expected):
    documents = corpus_of(["the lamp at the gate", "see: the lamp", "at sea"])
    counts = count_terms(documents, Shingles(2, hashed=hashed, binary=binary))
    vectors = counts.query_vectors(["the lamp! The LAMP", "to the lamp at once", "", "gate", "other words only"])
    assert vectors.toarray().tolist() == [*expected, [0], [0], [0]]


def test_hashes_are_those_that_stored_indexes_have():
    """Whoever changes them raises the version of `Shingles`."""
    tokens = token_hashes(["the", "lamp", "été", "\ud800"])
    assert [f"{number:016x}" for number in tokens.tolist()] == TOKENS
    assert [f"{number:016x}" for number in shingle_hashes(tokens, 3).tolist()] == SHINGLES


TOKENS = ["2e3a97906cabda5e", "6b04f701e315fc2a", "d8205061b72151bc", "680d7d923e780842"]
SHINGLES = ["8dbe2e697797865d", "34658fea51b9ad24"]


def test_a_hashed_vocabulary_is_a_mapping_by_hash_or_by_words():
    hashes = np.sort(shingle_hashes(token_hashes(["a", "lamp", "a", "gate"]), 2))
    vocabulary = HashedVocabulary(hashes, 2)
    assert [vocabulary[term] for term in vocabulary] == [0, 1, 2]
    assert sorted(vocabulary[term] for term in ("a lamp", "lamp a", "a gate")) == [0, 1, 2]
    for term in ("gate a", "a lamp a", "a", "", "0" * 16, "f" * 16, "g" * 16, "-" + "1" * 15, 5, None, ("a", "lamp")):
        assert term not in vocabulary
    assert "a lamp" not in HashedVocabulary(hashes[:0], 2)


@pytest.mark.parametrize(
    "analyser",
    [Shingles(2), Shingles(2, hashed=False), English(stem=False), Shingles(2, base=English(stem=False), binary=True)],
)
def test_an_index_is_stored_with_its_analyser(tmp_path, analyser):
    counts = count_terms(corpus_of(["a red lamp, a red lamp", "a red lamp", "red lamp"]), analyser)
    folders.save(counts, tmp_path / "index")
    opened = folders.load(tmp_path / "index")
    assert whole(opened) == whole(counts)
    queries = ["a red lamp", "lamp"]
    assert opened.query_vectors(queries).toarray().tolist() == counts.query_vectors(queries).toarray().tolist()


@pytest.fixture
def folder(tmp_path):
    folders.save(count_terms(corpus_of(["a red lamp", "a red lamp"]), Shingles(2)), tmp_path / "index")
    return tmp_path / "index"


def test_no_word_of_a_hashed_index_is_stored(folder):
    assert all(b"lamp" not in file.read_bytes() for file in folder.iterdir())
    assert "hashes.npy" in {file.name for file in folder.iterdir()}


def test_hashes_out_of_order_are_refused(folder):
    np.save(folder / "hashes.npy", np.load(folder / "hashes.npy")[::-1])
    with pytest.raises(MalformedFileError, match=r"hashes\.npy: the hashes are not in order"):
        folders.load(folder)
