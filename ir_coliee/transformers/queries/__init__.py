"""Transformers of queries and texts.

`SelectTerms` selects the best terms of long queries. `CleanCase`, `DropFrench`, `ExtractSummary`,
`ExtractCitingContext`, `NormaliseJapanese` and `RewriteText` change texts. `SplitParagraphs`, `SplitSentenceWindows`,
`SplitProvisions` and `SplitArticles` split texts into one row for each passage, and `AggregatePassages` aggregates
passages into documents again. `QueriesFromDataset` takes the text of queries from another dataset, `CitationWindows`
that of fragments from their base cases.
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
)
from ir_coliee.transformers.queries.tokens import SelectTerms

__all__ = [
    "AggregatePassages",
    "CitationWindows",
    "CleanCase",
    "DropFrench",
    "ExtractCitingContext",
    "ExtractSummary",
    "NormaliseJapanese",
    "PassageSplitter",
    "QueriesFromDataset",
    "RewriteText",
    "SelectTerms",
    "SplitArticles",
    "SplitParagraphs",
    "SplitProvisions",
    "SplitSentenceWindows",
    "TextTransformer",
]
