"""Exam questions and their articles by condition and statement: one of the two alone, or both compared by rule."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.frames import check_ids, text_values
from ir_coliee.text.conditions import Language, Rule, article_rules, question_rule, same_polarity
from ir_coliee.text.statutes import quoted_bodies
from ir_coliee.transformers.answers.asked import with_their_texts
from ir_coliee.transformers.base import Declared


class RulePart(Declared):
    """Keeps one part of the rules that questions and articles state: Q to Q, R to R.

    Of ``query`` it is that of the question's claim, of ``text`` those of all sentences, a line each; see
    `ir_coliee.text.conditions`. What has no condition has an empty one. Heads and captions of quoted articles go.

    >>> question = {"qid": ["R99-01-A"], "query": ["If B breaks a lamp, B pays."], "text": ["Article 1 A lamp is lit."]}
    >>> RulePart("condition", "en")(pd.DataFrame(question))[["query", "text"]].to_numpy().tolist()
    [['If B breaks a lamp', '']]
    """

    LABEL = "Rule part"

    def __init__(self, part: Literal["condition", "statement"], language: Language) -> None:
        if part not in Rule._fields:
            raise ValueError(f"part={part!r} is neither 'condition' nor 'statement'")
        self.part = part
        self.language = _known(language)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Change both columns. Raises `ColieeError` for a query or a text that is no string; a missing one is empty."""
        pt.validate.columns(inp, includes=["qid", "query", "text"], context=self)
        queries = [question_rule(query, self.language) for query in text_values(inp, "query")]
        texts = [_rules(text, self.language) for text in text_values(inp, "text")]
        parts = {
            "query": [getattr(rule, self.part) for rule in queries],
            "text": ["\n".join(filter(None, (getattr(rule, self.part) for rule in rules))) for rules in texts],
        }
        columns = {name: pd.Series(of_rows, dtype=object) for name, of_rows in parts.items()}
        return inp.reset_index(drop=True).assign(**columns)


class SamePolarity(Declared):
    """Answers a query with yes if it denies what the nearest rule of its texts denies, or both grant: Q to Q, R to R.

    A rule without a model, as a vote beside others; see `ir_coliee.text.conditions.same_polarity`. Rows and columns
    stay; ``qanswer`` (Y or N) and ``yes`` (1 or 0) are added, as by `Entailment`.

    >>> question = {"qid": ["R99-01-A"], "query": ["A lamp cannot be lent."], "text": ["Article 1 A lamp may be lent."]}
    >>> SamePolarity("en")(pd.DataFrame(question)).qanswer.tolist()
    ['N']
    """

    LABEL = "Same polarity"

    def __init__(self, language: Language) -> None:
        self.language = _known(language)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Answer the queries. Raises `ColieeError` for a query without an id, and what is no string."""
        pt.validate.columns(inp, includes=["qid", "query", "text"], context=self)
        check_ids(inp)
        numbers, qids = pd.factorize(inp["qid"])
        asked = with_their_texts(inp, numbers, len(qids))
        same = [same_polarity(query, _rules(text, self.language), self.language) for _, query, text in asked]
        yes = np.array(same, dtype=np.float64)
        answers = np.where(yes > 0, "Y", "N").astype(object)
        return inp.assign(qanswer=answers[numbers], yes=yes[numbers]).reset_index(drop=True)


def _rules(text: str, language: Language) -> list[Rule]:
    return [rule for body in quoted_bodies(text, language) for rule in article_rules(body, language)]


def _known(language: Language) -> Language:
    if language not in ("en", "ja"):
        raise ValueError(f"language={language!r} is neither 'en' nor 'ja'")
    return language
