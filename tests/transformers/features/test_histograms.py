"""Histograms of the similarities of paragraphs, against plain Python."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.engine import overlaps
from ir_coliee.errors import ColieeError
from ir_coliee.transformers import EmbeddingHistogram, ParagraphVectors
from ir_coliee.transformers.features import feature_names

DECISIONS = {
    "900001": "[1]\nlamp gate\n[2]\nlamp well well\n[3]\nroad",
    "900002": "[1]\ngate gate lamp",
    "900003": "",
    "900004": "sea\n[1]\nlamp gate\n[2]\nsea road road road",
}


def pairs(column="query", **queries):
    rows = [(qid, query, docno) for docno in DECISIONS for qid, query in queries.items()]
    return pd.DataFrame(rows, columns=["qid", column, "docno"])


def histogram(transformer, frame):
    return np.stack(transformer(frame)["features"].tolist())


def paragraphs_of(text):
    return [piece.split("]")[-1].strip() for piece in text.split("[") if piece.split("]")[-1].strip()] or [""]


words = st.sampled_from(["lamp", "gate", "well", "sea", "unknown"])
texts = st.lists(st.lists(words, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=40)


CORPUS = [{"docno": docno, "text": text} for docno, text in DECISIONS.items()]


def lengths_of_words(texts):
    """An encoder: how many words of 3, 4, 5 and more letters a text has."""
    return [[sum(len(word) == size for word in text.split()) for size in (3, 4, 5)] for text in texts]


VECTORS = ParagraphVectors.build(CORPUS, lengths_of_words)


def angle(first, second):
    """The cosine of two texts' vectors, in plain Python."""
    vectors = lengths_of_words([first, second])
    norms = [math.sqrt(sum(x * x for x in vector)) for vector in vectors]
    return sum(x * y for x, y in zip(*vectors)) / (math.prod(norms) or 1)


@given(texts, st.integers(1, 7))
@settings(max_examples=40)
def test_every_pair_of_embedded_paragraphs_is_counted_in_its_bin(query, bins):
    text = "".join(f"\n[{number}]\n{paragraph}" for number, paragraph in enumerate(query, 1))
    found = histogram(EmbeddingHistogram(VECTORS, bins=bins, norm=None), pairs(q=text))
    for counts, case in zip(found, DECISIONS.values()):
        cosines = [angle(mine, other) for mine in query for other in paragraphs_of(case)]
        # vectors are of 32 bits
        clear = [c for c in cosines if abs(c * bins - round(c * bins)) > 1e-5 or round(c * bins) in (0, bins)]
        expected = np.bincount([min(int(c * bins + 1e-5), bins - 1) for c in clear], minlength=bins)
        within = expected if bins == 1 else np.r_[expected[:-1], 0]  # an own cosine may be less than 1
        assert (counts >= within).all()
        assert counts.sum() == len(cosines)


def test_a_document_of_the_vectors_is_a_query_and_is_not_encoded_again():
    asked = []
    vectors = ParagraphVectors.build(CORPUS, lambda texts: asked.append(texts) or lengths_of_words(texts))
    by_number = histogram(EmbeddingHistogram(vectors), pairs("query_docno", a="900001", b="900004"))
    assert len(asked) == 1
    by_text = histogram(EmbeddingHistogram(vectors), pairs(a=DECISIONS["900001"], b=DECISIONS["900004"]))
    assert by_number.tolist() == by_text.tolist()
    assert len(asked) == 2


def test_embedded_rows_keep_their_order_and_are_the_same_query_by_query():
    rows = pairs(a="lamp gate", b="[1]\nsea\n[2]\nlampposts").sample(frac=1, random_state=2)
    with_histograms = EmbeddingHistogram(VECTORS)(rows)
    pd.testing.assert_frame_equal(with_histograms.drop(columns="features"), rows.reset_index(drop=True))
    alone = {(q, d): f.tolist() for q, d, f in with_histograms[["qid", "docno", "features"]].to_numpy()}
    for qid, of_query in rows.groupby("qid"):
        for docno, features in EmbeddingHistogram(VECTORS)(of_query)[["docno", "features"]].to_numpy():
            assert features.tolist() == alone[qid, docno]


def test_a_paragraph_of_zeros_is_similar_to_none():
    found = histogram(EmbeddingHistogram(VECTORS, bins=2, norm=None), pairs(a="a an"))
    assert found.tolist() == [[3, 0], [1, 0], [1, 0], [3, 0]]


def test_embeddings_of_a_document_that_is_not_there_are_asked_for_by_its_name():
    with pytest.raises(ColieeError, match="Document 900099 is not in ParagraphVectors"):
        EmbeddingHistogram(VECTORS)(pairs(a="lamp").assign(docno="900099"))
    with pytest.raises(ColieeError, match="Document 900099"):
        EmbeddingHistogram(VECTORS)(pairs("query_docno", a="900099"))


@pytest.mark.parametrize(
    "given",
    [
        lambda texts: [[1.0]],
        lambda texts: [1.0] * len(texts),
        lambda texts: [[math.nan]] * len(texts),
        lambda texts: [[1.0]] * (len(texts) - 1) + [[1.0, 2.0]],
        lambda texts: ["a"] * len(texts),
    ],
)
def test_an_encoder_that_gives_no_row_of_numbers_for_each_is_refused(given):
    with pytest.raises(ColieeError, match=r"^The encoder must return"):
        ParagraphVectors.build(CORPUS, given)


def test_embedding_histograms_refuse_arguments_out_of_range_by_name():
    for parameters in ({"bins": 0}, {"norm": "l2"}, {"limits": (1.0, 0.0)}):
        with pytest.raises(ValueError, match=rf"^{next(iter(parameters))} must be "):
            EmbeddingHistogram(VECTORS, **parameters)
    with pytest.raises(ColieeError):
        ParagraphVectors.build([*CORPUS, CORPUS[0]], lengths_of_words)


def test_what_lies_beyond_the_limits_counts_in_the_outermost_bins_in_one_step_or_in_many(monkeypatch):
    rows = pairs(a="".join(f"[{n}]\nlamp road\n" for n in range(1, 41)))
    narrow = EmbeddingHistogram(VECTORS, bins=2, limits=(0.4, 0.6), norm=None)
    expected = histogram(narrow, rows)
    assert expected.sum(axis=1).tolist() == [120, 40, 40, 120]
    monkeypatch.setattr(overlaps, "_PAIRS", 50)
    assert histogram(narrow, rows).tolist() == expected.tolist()
    shares = histogram(EmbeddingHistogram(VECTORS, bins=2, limits=(0.4, 0.6)), rows)
    assert shares.tolist() == (expected / expected.sum(axis=1, keepdims=True)).tolist()


def test_the_features_are_named_by_the_lower_edges_of_the_bins():
    transformer = EmbeddingHistogram(VECTORS, bins=4, limits=(0.0, 0.5))
    assert transformer.feature_names == ["similarity_0", "similarity_0.125", "similarity_0.25", "similarity_0.375"]
    assert len(feature_names(transformer >> EmbeddingHistogram(VECTORS, bins=2))) == 6
