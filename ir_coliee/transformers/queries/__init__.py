"""Transformers of queries and texts.

`KLITerms`, `IDFTerms`, `TfIdfTerms` and `PLMTerms` select the best terms of long queries; `LeadTerms` and `CitingTerms`
use the terms of a part of the text. `CleanCase`, `DropFrench`, `ExtractSummary`, `ExtractCitingContext`,
`NormaliseJapanese` and `RewriteText` change texts. `SplitParagraphs`, `SplitSentenceWindows`, `SplitProvisions` and
`SplitArticles` split texts into one row for each passage, and `AggregatePassages` aggregates passages into documents
again. `QueriesFromDataset` takes the text of queries from another dataset, `CitationWindows` that of fragments from
their base cases.
"""

from ir_coliee.transformers.queries.passages import (
    AggregatePassages,
    PassageSplitter,
    SplitParagraphs,
    SplitSentenceWindows,
)
from ir_coliee.transformers.queries.texts import (
    CitationWindows,
    CleanCase,
    DropFrench,
    ExtractCitingContext,
    ExtractSummary,
    NormaliseJapanese,
    QueriesFromDataset,
    RewriteText,
    SplitArticles,
    SplitProvisions,
    TextTransformer,
    provision_corpus,
)
from ir_coliee.transformers.queries.tokens import CitingTerms, IDFTerms, KLITerms, LeadTerms, PLMTerms, TfIdfTerms

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
