"""Transformers of queries and texts: rewriting, splitting into passages, and selection of terms.

`SelectTerms` selects the best terms of long queries. `CleanCase`, `DropFrench`, `ExtractSummary`,
`ExtractCitingContext`, `NormaliseJapanese` and `RewriteText` change texts. `SplitParagraphs`, `SplitSentenceWindows`,
`SplitProvisions` and `SplitArticles` split texts into one row for each passage, and `AggregatePassages` aggregates
passages into documents again. `QueriesFromDataset` takes the text of queries from another dataset, `CitationWindows`
that of fragments from their base cases.
"""
