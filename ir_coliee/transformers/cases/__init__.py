"""Retrieval of noticed cases by single families of evidence, and features of whole pools.

Each retriever scores the distinct texts of a split of task 1 by one kind of evidence. It finds documents for queries,
or scores the rows of a frame of results, so it can be used by itself, as a reranker, in a fusion, or as a column of
`ScoreColumns`. `CitingContextRetriever` matches the contexts of citations with paragraphs,
`LatentSemanticRetriever` compares them in a few dimensions, and `ExclusiveSharingRetriever` finds what hardly any other
decision has. `NameRetriever`, `JudgeMentionRetriever` and `CitedYearRetriever` look for what a query says about a
suppressed citation: parties, judge and year.

`PoolFeatures` and `CandidateGraphFeatures` compare all queries and candidates of a pool, for learning to rank.
"""

from ir_coliee.transformers.cases.candidate_graph_features import CandidateGraphFeatures
from ir_coliee.transformers.cases.cited_year_retriever import CitedYearRetriever
from ir_coliee.transformers.cases.citing_context_retriever import CitingContextRetriever
from ir_coliee.transformers.cases.exclusive_sharing import ExclusiveSharingRetriever
from ir_coliee.transformers.cases.judge_mention_retriever import JudgeMentionRetriever
from ir_coliee.transformers.cases.latent_semantic_retriever import LatentSemanticRetriever
from ir_coliee.transformers.cases.name_retriever import NameRetriever
from ir_coliee.transformers.cases.pool_features import PoolFeatures

__all__ = [
    "CandidateGraphFeatures",
    "CitedYearRetriever",
    "CitingContextRetriever",
    "ExclusiveSharingRetriever",
    "JudgeMentionRetriever",
    "LatentSemanticRetriever",
    "NameRetriever",
    "PoolFeatures",
]
