"""The articles that are given with a statement, aligned with it: task 4."""

from __future__ import annotations

import pandas as pd

from ir_coliee.analysis.evidence.alignment import aligned, cut, marked, notes_on_cut
from ir_coliee.analysis.evidence.pair import Pair
from ir_coliee.analysis.evidence.record import Evidence
from ir_coliee.engine.overlaps import AlignedText, coverage
from ir_coliee.text.cues import negations, quantities
from ir_coliee.text.sentences import last_clause, sentences
from ir_coliee.text.statutes import quoted_bodies

_ROWS = 5


def quoted_articles(pair: Pair) -> Evidence:
    """Align a statement with the articles that are given with it.

    Parameters
    ----------
    pair : Pair
        A query and an item of task 4 or 5. The evidence does not depend on the item, Y or N.

    Returns
    -------
    Evidence
        The five sentences of the articles that have most tokens of the statement, with the shares of its tokens and
        phrases and the longest match, as `ir_coliee.engine.overlaps` computes them. The facts are those of all
        articles and of the statement's last clause, its negations, and the words and quantities that the articles lack.
    """
    language = pair.runs.split.language
    given = "\n".join(quoted_bodies(pair.query.t1, language))
    statement, articles = cut(pair.query_text), cut(given)
    if not articles:
        return Evidence("quoted_articles", "Articles of the statement", notes=("The statement quotes no article.",))
    covered = AlignedText.of(statement, language)
    found = [span.of(articles) for span in sentences(articles, language)]
    found.sort(key=lambda sentence: -coverage(covered.tokens, AlignedText.of(sentence, language).tokens))
    rows = [
        {**aligned(statement, sentence, language), "negations": negations(sentence, language), "sentence": sentence}
        for sentence in found[:_ROWS]
    ]
    clause = last_clause(statement, language).of(statement)
    whole, of_clause = (aligned(text, articles, language) for text in (statement, clause))
    stated, known = (quantities(text, language) for text in (statement, articles))
    facts = {
        "share of the statement's tokens in the articles": whole["tokens_covered"],
        "share of its phrases in the articles": whole["phrases_covered"],
        "longest match": whole["longest_match"],
        "share of its last clause's tokens in the articles": of_clause["tokens_covered"],
        "negations of the statement": negations(statement, language),
        "tokens that the articles lack": _unmatched(statement, articles, language),
        "quantities that the articles lack": sum(each not in known for each in stated),
    }
    texts = marked(("statement", statement), ("articles", articles), language)
    notes = notes_on_cut(pair.query_text, given)
    return Evidence("quoted_articles", "Articles of the statement", facts, pd.DataFrame(rows), texts, notes)


def _unmatched(statement: str, articles: str, language: str) -> str:
    """List the tokens of the statement that the articles lack, in its order."""
    covered, covering = (AlignedText.of(text, language) for text in (statement, articles))
    missing = covered.tokens - covering.tokens
    if language == "ja":  # bigrams, in the order of the text
        return "、".join(sorted(missing, key=statement.find))
    return ", ".join(unit for unit in dict.fromkeys(covered.units) if unit in missing)
