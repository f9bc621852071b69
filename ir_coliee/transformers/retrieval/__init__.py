"""Indexes of collections, and retrievers that search them or rescore candidates.

`LexicalIndex` holds the term counts of a collection. `Retriever` searches it with a weighting: `BM25`, `Dirichlet`,
`JelinekMercer`, `TfIdf` or `SharedIdf`. ``index.bm25(k1=3.0, b=1.0)`` equals ``Retriever(index, BM25(k1=3.0, b=1.0))``.
`ParagraphRetriever` scores cases by their paragraphs, `ShardedRetriever` searches collections that are too large for
one index, and `TextScorer` scores texts that no index holds.
`DenseRetriever` searches a `DenseIndex` of embeddings. `OnCluster` runs any pipeline on a cluster.
"""

from ir_coliee.engine.weightings import BM25, Dirichlet, JelinekMercer, SharedIdf, TfIdf, Weighting
from ir_coliee.transformers.retrieval.dask import Cluster, OnCluster, ShardedIndex, ShardedRetriever
from ir_coliee.transformers.retrieval.dense import DenseIndex, DenseRetriever, bi_encoder, embedding_examples
from ir_coliee.transformers.retrieval.indexes import LexicalIndex, LexicalIndexer
from ir_coliee.transformers.retrieval.paragraphs import ParagraphRetriever, paragraph_corpus
from ir_coliee.transformers.retrieval.retriever import Retriever, TextScorer

__all__ = [
    "BM25",
    "Cluster",
    "DenseIndex",
    "DenseRetriever",
    "Dirichlet",
    "JelinekMercer",
    "LexicalIndex",
    "LexicalIndexer",
    "OnCluster",
    "ParagraphRetriever",
    "Retriever",
    "ShardedIndex",
    "ShardedRetriever",
    "SharedIdf",
    "TextScorer",
    "TfIdf",
    "Weighting",
    "bi_encoder",
    "embedding_examples",
    "paragraph_corpus",
]
