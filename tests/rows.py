"""Frames of queries and of results, the rows of results as tuples, and what an index holds."""

import pandas as pd


def topics(column, *values):
    """Queries 1, 2, … with a value each."""
    return pd.DataFrame({"qid": [str(n + 1) for n in range(len(values))], column: pd.Series(values, dtype=object)})


def run(*rows, **columns):
    """Results from rows of query, document and score, with more columns."""
    frame = pd.DataFrame(rows, columns=["qid", "docno", "score"])
    return frame.astype({"score": float}).assign(**columns)


def answers(results):
    """Query, document, score and rank of each row."""
    return list(zip(results["qid"], results["docno"], results["score"], results["rank"]))


def whole(counts):
    """All that counts of terms hold, with the types of the arrays."""
    matrix = counts.counts
    arrays = (matrix.indptr, matrix.indices, matrix.data, counts.lengths)
    held = [(array.dtype.str, array.tolist()) for array in arrays]
    return counts.docnos.tolist(), dict(counts.vocabulary), counts.analyser, held
