"""Shingles, stems and stop words as analysers of an index: against plain Python, and bad input named."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import whole

from ir_coliee.engine import folders
from ir_coliee.engine.term_counts import HashedVocabulary, count_each, count_terms, shingle_hashes, token_hashes
from ir_coliee.errors import MalformedFileError
from ir_coliee.text.analysers import English, Shingles

texts = st.lists(
    st.lists(st.sampled_from(["the", "lamp", "gate", "Well", "été"]), max_size=15).map(" ".join), max_size=8
)


def corpus_of(texts):
    return [{"docno": f"{900000 + number}", "text": text} for number, text in enumerate(texts)]


def check(counts, analyser, texts):
    """Against plain counters; a hashed term is found by its words."""
    counters = [Counter(analyser(text)) for text in texts]
    if isinstance(analyser, Shingles):
        df = Counter(term for counter in counters for term in counter)
        most = max(analyser.max_df, int(analyser.max_share * len(texts)))
        kept = {term for term in df if analyser.min_df <= df[term] <= most}
        counters = [{t: 1 if analyser.binary else counter[t] for t in counter.keys() & kept} for counter in counters]
    terms = {term for counter in counters for term in counter}
    columns = [counts.vocabulary[term] for term in terms]
    assert (sorted(columns), counts.counts.shape[1]) == ([*range(len(terms))], len(terms))
    expected = [[counter.get(term, 0) for term in terms] for counter in counters]
    assert counts.counts.toarray()[:, columns].tolist() == expected
    assert len(counts.vocabulary) == len(terms)
    assert counts.lengths.tolist() == [*map(sum, expected)]
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
    english = English(stem=False)
    analysers = ["words", english, Shingles(2), Shingles(3, min_df=1), Shingles(2, base=english)]
    together = count_each(corpus_of(texts), analysers)
    assert [whole(counts) for counts in together] == [whole(count_terms(corpus_of(texts), one)) for one in analysers]


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
    hashes = [0x2E3A97906CABDA5E, 0x6B04F701E315FC2A, 0xD8205061B72151BC, 0x680D7D923E780842]
    assert tokens.tolist() == hashes
    assert shingle_hashes(tokens, 3).tolist() == [0x8DBE2E697797865D, 0x34658FEA51B9AD24]


def test_a_hashed_vocabulary_is_a_mapping_by_hash_or_by_words():
    hashes = np.sort(shingle_hashes(token_hashes(["a", "lamp", "a", "gate"]), 2))
    vocabulary = HashedVocabulary(hashes, 2)
    assert [vocabulary[term] for term in vocabulary] == [0, 1, 2]
    assert sorted(vocabulary[term] for term in ("a lamp", "lamp a", "a gate")) == [0, 1, 2]
    for term in ("gate a", "a lamp a", "a", "", "0" * 16, "f" * 16, "g" * 16, "-" + "1" * 15, 5, None, ("a", "lamp")):
        assert term not in vocabulary
    assert "a lamp" not in HashedVocabulary(hashes[:0], 2)


def test_no_word_of_a_hashed_index_is_stored_and_hashes_out_of_order_are_refused(tmp_path):
    folder = tmp_path / "index"
    folders.save(count_terms(corpus_of(["a red lamp", "a red lamp"]), Shingles(2)), folder)
    assert all(b"lamp" not in file.read_bytes() for file in folder.iterdir())
    np.save(folder / "hashes.npy", np.load(folder / "hashes.npy")[::-1])
    with pytest.raises(MalformedFileError, match=r"hashes\.npy: the hashes are not in order"):
        folders.load(folder)
