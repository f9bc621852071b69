"""Frames of queries and of results, and the rows of results as tuples."""

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
