"""Indexes of collections, and retrievers that search them or rescore candidates.

`LexicalIndex` holds the term counts of a collection. `Retriever` searches it with a weighting: `BM25`, `Dirichlet`,
`JelinekMercer`, `TfIdf` or `SharedIdf`. ``index.bm25(k1=3.0, b=1.0)`` equals ``Retriever(index, BM25(k1=3.0, b=1.0))``.
`ParagraphRetriever` scores cases by their paragraphs, `ShardedRetriever` searches collections that are too large for
one index, and `TextScorer` scores texts that no index holds.
`CaseRetriever` and `ArticleScores` retrieve by single scores of evidence, `DenseRetriever` from a `DenseIndex` of
embeddings. `OnCluster` runs any pipeline on a cluster.
"""
