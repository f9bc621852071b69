"""Training examples of embedders from labelled candidates."""

from __future__ import annotations

import pandas as pd
import pyterrier as pt

from ir_coliee.frames import check_ids, text_values
from ir_coliee.models.training.embedder_training import EmbeddingExample
from ir_coliee.transformers.training_labels import check_both_classes, result_labels


def embedding_examples(results: pd.DataFrame, qrels: pd.DataFrame) -> list[EmbeddingExample]:
    """Return a training example for each relevant candidate; the other candidates of its query are the negatives.

    Parameters
    ----------
    results : pandas.DataFrame
        Candidates with the columns qid, query, docno and text; `hard_negatives` selects them.
    qrels : pandas.DataFrame
        The columns qid, docno and label. A candidate that they do not contain is not relevant.

    Returns
    -------
    list of EmbeddingExample
        The argument of ``Embedder.fit``.

    Raises
    ------
    ColieeError
        If all candidates are relevant or none is.

    Examples
    --------
    >>> rows = {"qid": "1", "query": "light", "docno": list("abc"), "text": ["A gate.", "A lamp.", "A well."]}
    >>> embedding_examples(pd.DataFrame(rows), pd.DataFrame({"qid": ["1"], "docno": ["b"], "label": [1]}))
    [EmbeddingExample(query='light', positive='A lamp.', negatives=('A gate.', 'A well.'))]
    """
    pt.validate.columns(results, includes=["qid", "query", "docno", "text"])
    pt.validate.columns(qrels, includes=["qid", "docno", "label"])
    check_ids(results)
    labels = result_labels(results, qrels)
    check_both_classes(labels)
    relevant = labels > 0
    queries, texts = (text_values(results, column) for column in ("query", "text"))
    examples = []
    for rows in results.groupby("qid", sort=False, observed=True).indices.values():
        negatives = tuple(texts[row] for row in rows if not relevant[row])
        examples += [EmbeddingExample(queries[row], texts[row], negatives) for row in rows if relevant[row]]
    return examples
