"""The same queries through other engines, where they are installed.

What differs, and is allowed for here: bm25s leaves the factor k1 + 1 out, which changes no ranking. PISA has
Robertson's idf, and a small number where that is negative or nearly nothing. Its query likelihood takes a document's
length into account for the terms alone that the document has, and counts no term below zero. Both keep 32 bits.
"""

import contextlib
import os

import numpy as np
import pandas as pd
import pytest

from ir_coliee.transformers import LexicalIndex

WORDS = [f"{first}{vowel}{last}" for first in "bdgklmnprt" for vowel in "aeiou" for last in "lnr"]


def decisions(number, seed):
    """Word lists with repeats, in which no word is in more than half of the documents."""
    rng = np.random.default_rng(seed)
    chances = 1 / np.arange(40, len(WORDS) + 40)
    return [
        [WORDS[n] for n in rng.choice(len(WORDS), rng.integers(5, 60), p=chances / chances.sum())]
        for _ in range(number)
    ]


DOCS = decisions(300, seed=11)
QUERIES = decisions(20, seed=12)
TOPICS = pd.DataFrame({"qid": [str(n) for n in range(len(QUERIES))], "query": [" ".join(words) for words in QUERIES]})
CORPUS = [{"docno": f"{900_000 + number}", "text": " ".join(words)} for number, words in enumerate(DOCS)]


def scores_by_query(results):
    return {qid: dict(zip(rows["docno"], rows["score"])) for qid, rows in results.groupby("qid")}


def assert_same_ranking(ours, theirs, **tolerance):
    """The same documents with the same scores, which on the other side may be of 32 bits."""
    assert ours.keys() == theirs.keys()
    for qid, scores in ours.items():
        assert theirs[qid] == pytest.approx(scores, **(tolerance or {"rel": 1e-4}))


def test_bm25s_gives_the_same_scores():
    bm25s = pytest.importorskip("bm25s")
    engine = bm25s.BM25(method="lucene", k1=3.0, b=1.0)
    engine.index(DOCS, show_progress=False)
    found = engine.retrieve(QUERIES, k=len(DOCS), show_progress=False)
    theirs = {
        str(qid): {
            CORPUS[number]["docno"]: score * 4.0 for number, score in zip(*row) if score > 0
        }  # it leaves k1 + 1 out
        for qid, row in enumerate(zip(found.documents, found.scores))
    }
    ours = LexicalIndex.build(CORPUS).bm25(k1=3.0, b=1.0)(TOPICS)
    assert len(ours) > 3000
    assert_same_ranking(scores_by_query(ours), theirs)


@contextlib.contextmanager
def silent():
    kept = {stream: os.dup(stream) for stream in (1, 2)}
    with open(os.devnull, "wb") as nowhere:
        try:
            for stream in kept:
                os.dup2(nowhere.fileno(), stream)
            yield
        finally:
            for stream, copy in kept.items():
                os.dup2(copy, stream)
                os.close(copy)


def with_pisa(tmp_path, **parameters):
    pisa = pytest.importorskip("pyterrier_pisa")
    index = pisa.PisaIndex(str(tmp_path / "index"), text_field="text", stemmer="none", stops="none")
    with silent():
        index.index(CORPUS)
        engine = getattr(index, parameters.pop("scorer"))(query_algorithm="maxscore", query_weighted=True, **parameters)
        return scores_by_query(engine(TOPICS))


def test_pisa_gives_the_same_scores_for_bm25_with_robertsons_idf(tmp_path):
    theirs = with_pisa(tmp_path, scorer="bm25", k1=1.2, b=0.75, num_results=len(DOCS))
    ours = LexicalIndex.build(CORPUS).bm25(idf="robertson")(TOPICS)
    df = pd.Series([word for words in DOCS for word in set(words)]).value_counts()
    assert df.max() < len(DOCS) / 2  # beyond, PISA takes a small number for the idf
    assert_same_ranking(scores_by_query(ours), theirs)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tf", "options"), [("log", {"sublinear_tf": True}), ("count", {}), ("binary", {"binary": True})]
)
def test_scikit_learn_gives_the_same_cosines(tf, options):
    text = pytest.importorskip("sklearn.feature_extraction.text")
    vectorizer = text.TfidfVectorizer(**options)
    documents = vectorizer.fit_transform(document["text"] for document in CORPUS)
    cosines = (vectorizer.transform(TOPICS["query"]) @ documents.T).toarray()
    ours = LexicalIndex.build(CORPUS).tf_idf(tf=tf)(TOPICS)
    assert len(ours) > 3000
    assert_same_ranking(scores_by_query(ours), above_zero(cosines), rel=1e-12)


def above_zero(scores, least=0.0):
    return {
        str(qid): {document["docno"]: score for document, score in zip(CORPUS, row) if score > least}
        for qid, row in enumerate(scores)
    }
