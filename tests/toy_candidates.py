"""Candidates to learn from: one of four of each query is relevant, and its text says yes."""

import pandas as pd


def toy_candidates(queries, query="light", text="{word}"):
    """Return candidates and qrels. ``{q}``, ``{n}`` and ``{word}`` are the query, the candidate, and yes or no."""
    numbers = range(4 * queries)
    words = ["yes" if n % 4 == 2 else "no" for n in numbers]
    columns = {
        "qid": [str(n // 4) for n in numbers],
        "query": [query.format(q=n // 4) for n in numbers],
        "docno": [str(n % 4) for n in numbers],
        "text": [text.format(q=n // 4, n=n, word=word) for n, word in zip(numbers, words)],
    }
    return pd.DataFrame(columns), pd.DataFrame({"qid": [*map(str, range(queries))], "docno": "2", "label": 1})
