"""Histograms of the similarities of paragraphs, against plain Python."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.errors import ColieeError
from ir_coliee.transformers.features.evidence import EmbeddingHistogram, ParagraphVectors

DECISIONS = {
    "900001": "[1]\nlamp gate\n[2]\nlamp well well\n[3]\nroad",
    "900002": "[1]\ngate gate lamp",
    "900003": "",
    "900004": "sea\n[1]\nlamp gate\n[2]\nsea road road road",
}
CORPUS = [{"docno": docno, "text": text} for docno, text in DECISIONS.items()]


def pairs(column="query", **queries):
    rows = [(qid, query, docno) for docno in DECISIONS for qid, query in queries.items()]
    return pd.DataFrame(rows, columns=["qid", column, "docno"])


def histogram(transformer, frame):
    return np.stack(transformer(frame)["features"].tolist())


def paragraphs_of(text):
    return [piece.split("]")[-1].strip() for piece in text.split("[") if piece.split("]")[-1].strip()] or [""]


words = st.sampled_from(["lamp", "gate", "well", "sea", "unknown"])
texts = st.lists(st.lists(words, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=40)


def lengths_of_words(texts):
    """An encoder: how many words of 3, 4, 5 and more letters a text has."""
    return [[sum(len(word) == size for word in text.split()) for size in (3, 4, 5)] for text in texts]


VECTORS = ParagraphVectors.build(CORPUS, lengths_of_words)


def angle(first, second):
    """The cosine of two texts' vectors, in plain Python; 0 for one of zeros."""
    vectors = lengths_of_words([first, second])
    norms = [math.sqrt(sum(x * x for x in vector)) for vector in vectors]
    return sum(x * y for x, y in zip(*vectors)) / (math.prod(norms) or 1)


@given(texts, st.integers(1, 7), st.sampled_from([(0.0, 1.0), (0.4, 0.6)]))
@settings(max_examples=40)
def test_the_features_are_the_shares_of_all_pairs_in_each_bin(query, bins, limits):
    text = "".join(f"\n[{number}]\n{paragraph}" for number, paragraph in enumerate(query, 1))
    low, high = limits
    transformer = EmbeddingHistogram(VECTORS, bins=bins, limits=limits)
    found = histogram(transformer, pairs(q=text))
    assert transformer.feature_names[0] == f"similarity_{low:g}"
    for shares, case in zip(found, DECISIONS.values()):
        cosines = [angle(mine, other) for mine in query for other in paragraphs_of(case)]
        places = np.clip([(c - low) * bins / (high - low) for c in cosines], 0, bins - 1)
        below, above = ((places + shift).clip(0, bins - 1).astype(int) for shift in (-1e-5, 1e-5))
        counts, certain = shares * len(cosines), np.bincount(below[below == above], minlength=bins)
        assert (counts > certain - 1e-6).all()  # vectors have 32 bits: a cosine near an edge may be on either side
        assert counts.sum() == pytest.approx(len(cosines))


def test_a_document_of_the_vectors_is_a_query_and_is_not_encoded_again():
    asked = []
    vectors = ParagraphVectors.build(CORPUS, lambda texts: asked.append(texts) or lengths_of_words(texts))
    by_number = histogram(EmbeddingHistogram(vectors), pairs("query_docno", a="900001", b="900004"))
    assert len(asked) == 1
    by_text = histogram(EmbeddingHistogram(vectors), pairs(a=DECISIONS["900001"], b=DECISIONS["900004"]))
    assert by_number.tolist() == by_text.tolist()


def test_repeated_documents_and_encoders_without_a_row_for_each_paragraph_are_refused():
    for rows in ([[1.0]], [1.0] * 8, [[math.nan]] * 8):
        with pytest.raises(ColieeError, match=r"^The encoder must return 8 rows"):
            ParagraphVectors.build(CORPUS, lambda _, rows=rows: rows)
    with pytest.raises(ColieeError, match="900001"):
        ParagraphVectors.build([*CORPUS, CORPUS[0]], lengths_of_words)
