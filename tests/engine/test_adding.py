"""Documents that are added to term counts: as if all had been counted at once, without reading the rest again."""

import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.engine import document_addition, storage, workers
from ir_coliee.engine.building import count_terms
from ir_coliee.engine.document_addition import add_documents
from ir_coliee.errors import ColieeError
from ir_coliee.text import tokenisers
from ir_coliee.text.analysers import English, Pretokenised, Shingles

WHOLE_SHINGLES = {"min_df": 1, "max_share": 1}
ANALYSERS = [
    "words",
    "bigrams",
    English(stem=False),
    Shingles(2, **WHOLE_SHINGLES),
    Shingles(3, hashed=False, binary=True, **WHOLE_SHINGLES),
    Shingles(2, base=English(stem=False), binary=True, **WHOLE_SHINGLES),
    Pretokenised(),
]

tokens = st.lists(st.sampled_from(["the", "lamp", "Gate", "été", "灯台", "well"]), max_size=8)
documents = st.dictionaries(st.text(min_size=1, max_size=3), tokens, max_size=8)


def corpus_of(texts):
    return [{"docno": docno, "text": " ".join(tokens), "toks": tokens} for docno, tokens in texts.items()]


def same(one, other):
    """To the last bit."""
    assert one.docnos.tolist() == other.docnos.tolist()
    assert list(one.vocabulary.items()) == list(other.vocabulary.items())
    assert type(one.vocabulary) is type(other.vocabulary)
    for array, expected in zip(arrays(one), arrays(other)):
        assert array.dtype == expected.dtype
        assert array.tobytes() == expected.tobytes()
    assert one.counts.shape == other.counts.shape
    assert (one.analyser, one.counts.has_sorted_indices) == (other.analyser, True)


def arrays(counts):
    matrix = counts.counts
    return matrix.indptr, matrix.indices, matrix.data, counts.lengths


@pytest.mark.slow
@given(documents, st.data(), st.sampled_from(ANALYSERS))
@settings(max_examples=120, deadline=None)
def test_counts_that_were_added_to_are_those_of_all_documents_at_once(texts, data, analyser):
    corpus = corpus_of(texts)
    first, second = sorted(data.draw(st.tuples(*[st.integers(0, len(corpus))] * 2)))
    counts = count_terms(corpus[:first], analyser)
    for part in (corpus[first:second], corpus[second:]):
        counts = add_documents(counts, iter(part))
    same(counts, count_terms(corpus, analyser))


@pytest.mark.slow
@pytest.mark.parametrize("analyser", ["words", Shingles(2, **WHOLE_SHINGLES), Pretokenised()])
def test_many_documents_are_added_by_several_processes_to_a_stored_index(tmp_path, monkeypatch, analyser):
    monkeypatch.setattr(workers, "_BATCH", 2_000)
    monkeypatch.setattr(workers, "_SMALL", 2_000)
    rng = np.random.default_rng(3)
    names = rng.permutation(900)
    corpus = corpus_of({f"{900000 + n}": rng.choice(["the", "lamp", f"w{n}"], 30).tolist() for n in names})
    storage.save(count_terms(corpus[:500], analyser), tmp_path / "index")
    stored = storage.load(tmp_path / "index")
    same(add_documents(stored, corpus[500:], processes=3), count_terms(corpus, analyser))
    assert len(stored) == 500


def test_what_is_there_is_not_tokenised_again(monkeypatch):
    counts = count_terms([{"docno": "1", "text": "lamp"}], "words")
    seen = []
    monkeypatch.setitem(tokenisers.ANALYSERS, "words", tokenisers.Analyser(lambda t: seen.append(t) or t.split(), 1))
    add_documents(counts, [{"docno": "2", "text": "gate"}])
    assert seen == ["gate"]


def test_what_is_added_to_stays_as_it_was():
    counts = count_terms([{"docno": "1", "text": "lamp"}], "words")
    add_documents(counts, [{"docno": "0", "text": "gate lamp"}])
    same(counts, count_terms([{"docno": "1", "text": "lamp"}], "words"))


def test_little_is_in_memory_beside_both_and_the_counts_of_what_is_added(monkeypatch):
    monkeypatch.setattr(document_addition, "_ROWS", 16)
    rng = np.random.default_rng(1)
    texts = [{"docno": f"{n}", "text": " ".join(map(str, rng.integers(0, 5000, 1500)))} for n in range(700)]
    counts = count_terms(texts[1:], "words", processes=1)
    size = counts.counts.nnz * 5  # bytes: a term's number, and how often it is there
    assert size > 4e6
    counts = pickle.loads(pickle.dumps(counts))  # without what it has widened
    tracemalloc.start()
    add_documents(counts, texts[:1], processes=1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1.5 * size  # the result, and the places of a few rows


@pytest.mark.parametrize(
    "analyser",
    [
        Shingles(2),
        Shingles(2, min_df=1),
        Shingles(2, min_df=1, max_share=0.5),
        Shingles(2, max_share=1),
        Shingles(2, min_df=1, max_df=10**9, max_share=0, hashed=False),
    ],
)
def test_nothing_is_added_where_shingles_may_have_been_left_out(analyser):
    counts = count_terms([{"docno": "1", "text": "a lamp"}], analyser)
    added = iter([{"docno": "2", "text": "a lamp"}])
    with pytest.raises(
        ColieeError,
        match=r"(?s)Shingles\(n=2.*outside the bounds of document frequency.*Build the index again from all documents",
    ):
        add_documents(counts, added)
    assert len(list(added)) == 1


def test_documents_that_are_there_already_or_come_twice_are_named():
    counts = count_terms([{"docno": f"{n}", "text": "lamp"} for n in (3, 1, 2)], "words")
    with pytest.raises(ColieeError, match=r"The index already contains the documents 1, 3\. Add only new documents\."):
        add_documents(counts, [{"docno": number, "text": "gate"} for number in ("3", "4", "1")])
    with pytest.raises(ColieeError, match=r"occur more than once: 4\."):
        add_documents(counts, [{"docno": number, "text": "gate"} for number in ("4", "4", "1")])


@pytest.mark.parametrize("fingerprint", [None, "abc"])
@pytest.mark.parametrize("document", [{"docno": "2", "text": None}, {"docno": 2, "text": "lamp"}, "lamp", None])
def test_what_is_no_document_is_refused(fingerprint, document):
    counts = count_terms([{"docno": "1", "text": "lamp"}], "words", fingerprint=fingerprint)
    with pytest.raises(ColieeError, match=r"Document (2|0, counted from 0,) "):
        add_documents(counts, [document])


def test_the_fingerprint_tells_what_was_there_and_what_was_added():
    def fingerprint(before, *added, analyser="words"):
        counts = count_terms([{"docno": "1", "text": "lamp", "toks": ["lamp"]}], analyser, fingerprint=before)
        return add_documents(counts, added).fingerprint

    two, three = {"docno": "2", "text": "gate"}, {"docno": "3", "text": "\ud800well"}
    assert fingerprint("abc", two, three) == fingerprint("abc", three, two)
    assert fingerprint("abc", two) == fingerprint("abc", two, analyser="bigrams")
    different = [
        fingerprint("abc"),
        fingerprint("abc", two),
        fingerprint("abd", two),
        fingerprint("abc", two, three),
        fingerprint("abc", {**two, "docno": "3"}),
        fingerprint("abc", {**two, "text": "Gate"}),
        fingerprint("abc", {"docno": "2", "toks": {"gate": 1}}, analyser=Pretokenised()),
        fingerprint("abc", {"docno": "2", "toks": {"gate": 2}}, analyser=Pretokenised()),
    ]
    assert len(set(different)) == len(different)
    assert different[0] == "abc"
    assert fingerprint(None, two) is None
    as_list, as_floats = ({"docno": "2", "toks": toks} for toks in (["b", "a", "b"], {"b": 2.0, "a": 1}))
    assert fingerprint("abc", as_list, analyser=Pretokenised()) == fingerprint(
        "abc", as_floats, analyser=Pretokenised()
    )
