"""The same queries through other engines, where they are installed.

What differs, and is allowed for here: bm25s leaves the factor k1 + 1 out, which changes no ranking. PISA has
Robertson's idf, and a small number where that is negative or nearly nothing. Its query likelihood takes a document's
length into account for the terms alone that the document has, and counts no term below zero. Both keep 32 bits.
"""

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


def above_zero(rows):
    """Scores by query and document, of pairs of a document's number and its score for each query."""
    return {
        str(qid): {CORPUS[number]["docno"]: score for number, score in row if score > 0} for qid, row in enumerate(rows)
    }


def assert_same_ranking(ours, theirs, **tolerance):
    """The same documents with the same scores, which on the other side may be of 32 bits."""
    ours = scores_by_query(ours)
    assert ours.keys() == theirs.keys()
    for qid, scores in ours.items():
        assert theirs[qid] == pytest.approx(scores, **(tolerance or {"rel": 1e-4}))


def test_bm25s_gives_the_same_scores():
    bm25s = pytest.importorskip("bm25s")
    engine = bm25s.BM25(method="lucene", k1=3.0, b=1.0)
    engine.index(DOCS, show_progress=False)
    found = engine.retrieve(QUERIES, k=len(DOCS), show_progress=False)
    theirs = above_zero(zip(*row) for row in zip(found.documents, found.scores * 4.0))  # it leaves k1 + 1 out
    ours = LexicalIndex.build(CORPUS).bm25(k1=3.0, b=1.0)(TOPICS)
    assert len(ours) > 3000
    assert_same_ranking(ours, theirs)


def test_pisa_gives_the_same_scores_for_bm25_with_robertsons_idf(tmp_path):
    pisa = pytest.importorskip("pyterrier_pisa")
    index = pisa.PisaIndex(str(tmp_path / "index"), text_field="text", stemmer="none", stops="none")
    index.index(CORPUS)
    options = {"query_algorithm": "maxscore", "query_weighted": True}
    theirs = scores_by_query(index.bm25(k1=1.2, b=0.75, num_results=len(DOCS), **options)(TOPICS))
    ours = LexicalIndex.build(CORPUS).bm25(idf="robertson")(TOPICS)
    df = pd.Series([word for words in DOCS for word in set(words)]).value_counts()
    assert df.max() < len(DOCS) / 2  # beyond, PISA takes a small number for the idf
    assert_same_ranking(ours, theirs)


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
    assert_same_ranking(ours, above_zero(enumerate(row) for row in cosines), rel=1e-12)
