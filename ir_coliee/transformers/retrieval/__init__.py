"""Indexes of collections, and retrievers that search them or rescore candidates.

`LexicalIndex` holds the term counts of a collection. `Retriever` searches it with a weighting: `BM25`, `Dirichlet`,
`JelinekMercer`, `TfIdf` or `SharedIdf`. ``index.bm25(k1=3.0, b=1.0)`` equals ``Retriever(index, BM25(k1=3.0, b=1.0))``.
`ParagraphRetriever` scores cases by their paragraphs, `ShardedRetriever` searches collections that are too large for
one index, and `TextScorer` scores texts that no index holds.
`DenseRetriever` searches a `DenseIndex` of embeddings. `OnCluster` runs any pipeline on a cluster.
"""

from ir_coliee.engine.cluster import Cluster, local_cluster
from ir_coliee.engine.weightings import BM25, Dirichlet, JelinekMercer, SharedIdf, TfIdf, Weighting
from ir_coliee.transformers.retrieval.bi_encoder import bi_encoder
from ir_coliee.transformers.retrieval.dense_index import DenseIndex
from ir_coliee.transformers.retrieval.dense_retriever import DenseRetriever
from ir_coliee.transformers.retrieval.embedding_examples import embedding_examples
from ir_coliee.transformers.retrieval.lexical_index import LexicalIndex
from ir_coliee.transformers.retrieval.lexical_indexer import LexicalIndexer
from ir_coliee.transformers.retrieval.on_cluster import OnCluster
from ir_coliee.transformers.retrieval.paragraph_groups import paragraph_corpus
from ir_coliee.transformers.retrieval.paragraph_retriever import ParagraphRetriever
from ir_coliee.transformers.retrieval.retriever import Retriever
from ir_coliee.transformers.retrieval.sharded_index import ShardedIndex
from ir_coliee.transformers.retrieval.sharded_retriever import ShardedRetriever
from ir_coliee.transformers.retrieval.text_scorer import TextScorer

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
    "local_cluster",
    "paragraph_corpus",
]
