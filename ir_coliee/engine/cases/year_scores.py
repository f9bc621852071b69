"""Scores of years: how often a query names the year of a decision near a suppressed citation."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ir_coliee.engine.cases.citing_contexts import citing_contexts
from ir_coliee.engine.cases.text_pool import TextPool

TOKENS_BEFORE_MARKER, TOKENS_AFTER_MARKER = 12, 10


def year_near(pool: TextPool) -> npt.NDArray[np.float32]:
    """Count the citing contexts of each query that have the year of each text.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.

    Returns
    -------
    float32 array
        One row per query, one column per text; 0 for a text without a year.

    Notes
    -----
    A context extends from 12 tokens before the first marker of a citation to 10 tokens after its last one, see
    `ir_coliee.engine.cases.citing_contexts.citing_contexts`.
    """
    sequences = pool.sequences
    texts_of_year = defaultdict(list)
    for column, text in enumerate(pool.texts):
        if year := sequences.properties[text].year:
            texts_of_year[str(year)].append(column)
    years = {number: token for number, token in enumerate(sequences.vocabulary) if token in texts_of_year}
    contexts = citing_contexts(sequences, pool.queries, TOKENS_BEFORE_MARKER, TOKENS_AFTER_MARKER)
    scores = np.zeros((len(pool.queries), len(pool.texts)), np.float32)
    for row, (first, last) in enumerate(pairwise(contexts.bounds)):
        spans = zip(contexts.starts[first:last], contexts.ends[first:last])
        tokens = Counter(token for start, end in spans for token in {*sequences.tokens[start:end].tolist()})
        for token in tokens.keys() & years.keys():
            scores[row, texts_of_year[years[token]]] = tokens[token]
    return scores
