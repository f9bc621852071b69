"""Transformers of queries and texts.

`KLITerms`, `IDFTerms`, `TfIdfTerms` and `PLMTerms` select the best terms of long queries; `LeadTerms` and `CitingTerms`
use the terms of a part of the text. `CleanCase`, `DropFrench`, `ExtractSummary`, `ExtractCitingContext`,
`NormaliseJapanese` and `RewriteText` change texts. `SplitParagraphs`, `SplitSentenceWindows`, `SplitProvisions` and
`SplitArticles` split texts into one row for each passage, and `AggregatePassages` aggregates passages into documents
again. `QueriesFromDataset` takes the text of queries from another dataset, `CitationWindows` that of fragments from
their base cases.
"""

from ir_coliee.transformers.queries.case_text import CleanCase, DropFrench, ExtractCitingContext, ExtractSummary
from ir_coliee.transformers.queries.citation_windows import CitationWindows
from ir_coliee.transformers.queries.dataset_queries import QueriesFromDataset
from ir_coliee.transformers.queries.passage_aggregation import AggregatePassages
from ir_coliee.transformers.queries.passages import PassageSplitter, SplitParagraphs, SplitSentenceWindows
from ir_coliee.transformers.queries.query_tokens import CitingTerms, LeadTerms
from ir_coliee.transformers.queries.rewriting import RewriteText
from ir_coliee.transformers.queries.statutes import (
    NormaliseJapanese,
    SplitArticles,
    SplitProvisions,
    provision_corpus,
)
from ir_coliee.transformers.queries.term_selection import IDFTerms, KLITerms, PLMTerms, TfIdfTerms
from ir_coliee.transformers.queries.text_transformer import TextTransformer

__all__ = [
    "AggregatePassages",
    "CitationWindows",
    "CitingTerms",
    "CleanCase",
    "DropFrench",
    "ExtractCitingContext",
    "ExtractSummary",
    "IDFTerms",
    "KLITerms",
    "LeadTerms",
    "NormaliseJapanese",
    "PLMTerms",
    "PassageSplitter",
    "QueriesFromDataset",
    "RewriteText",
    "SplitArticles",
    "SplitParagraphs",
    "SplitProvisions",
    "SplitSentenceWindows",
    "TextTransformer",
    "TfIdfTerms",
    "provision_corpus",
]
