"""Transformers that split questions and articles into condition and statement.

CAPTAIN (`RulePart`) and KIS (`SamePolarity`) at COLIEE 2023, task 4.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd
import pyterrier as pt

from components.rules import Rule, article_rules, question_rule, same_polarity
from ir_coliee.frames import check_ids, check_language, text_values
from ir_coliee.text import Language
from ir_coliee.text.statutes import quoted_bodies
from ir_coliee.transformers.answers.prompting import answered, question_texts
from ir_coliee.transformers.base import BaseTransformer


class RulePart(BaseTransformer):
    """Reduce questions and articles to the conditions, or the statements, of their rules: Q to Q, R to R.

    ``query`` becomes the condition or statement of the question's claim, ``text`` those of all sentences of the
    articles, one per line; see `components.rules`. A rule without a condition gives an empty string. Headings and
    captions of quoted articles are dropped. Missing texts count as empty.

    Parameters
    ----------
    component : {"condition", "statement"}
        Which of the two to keep.
    language : {"en", "ja"}
        Language of the questions and articles.

    Examples
    --------
    >>> question = {"qid": ["R99-01-A"], "query": ["If B breaks a lamp, B pays."], "text": ["Article 1 A lamp is lit."]}
    >>> RulePart("condition", "en")(pd.DataFrame(question))[["query", "text"]].to_numpy().tolist()
    [['If B breaks a lamp', '']]
    """

    LABEL = "Rule part"

    def __init__(self, component: Literal["condition", "statement"], language: Language) -> None:
        if component not in Rule._fields:
            raise ValueError(f"component must be 'condition' or 'statement', got {component!r}.")
        self.component = component
        self.language = check_language(language)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Replace both columns.

        Raises
        ------
        ColieeError
            For a query or text that is neither a string nor missing.
        """
        pt.validate.columns(inp, includes=["qid", "query", "text"], context=self)
        queries = [question_rule(query, self.language) for query in text_values(inp, "query")]
        texts = [_rules(text, self.language) for text in text_values(inp, "text")]
        selected = {
            "query": [getattr(rule, self.component) for rule in queries],
            "text": ["\n".join(filter(None, (getattr(rule, self.component) for rule in rules))) for rules in texts],
        }
        columns = {name: pd.Series(values, dtype=object) for name, values in selected.items()}
        return inp.reset_index(drop=True).assign(**columns)


class SamePolarity(BaseTransformer):
    """Answer yes if the question and the nearest rule of its articles have the same polarity: Q to Q, R to R.

    A baseline without a model, useful as one vote of an ensemble; see `components.rules.same_polarity`. Rows and
    columns stay; ``qanswer`` (Y or N) and ``yes`` (1 or 0) are added, as by `ir_coliee.transformers.Entailment`.

    Parameters
    ----------
    language : {"en", "ja"}
        Language of the questions and articles.

    Examples
    --------
    >>> question = {"qid": ["R99-01-A"], "query": ["A lamp cannot be lent."], "text": ["Article 1 A lamp may be lent."]}
    >>> SamePolarity("en")(pd.DataFrame(question)).qanswer.tolist()
    ['N']
    """

    LABEL = "Same polarity"

    def __init__(self, language: Language) -> None:
        self.language = check_language(language)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Answer the queries.

        Raises
        ------
        ColieeError
            For a row without a query id, and for a query or text that is not a string.
        """
        pt.validate.columns(inp, includes=["qid", "query", "text"], context=self)
        check_ids(inp)
        asked = question_texts(inp)
        same = [same_polarity(query, _rules(text, self.language), self.language) for _, query, text in asked]
        return answered(inp, np.array(same, dtype=np.float64))


def _rules(text: str, language: Language) -> list[Rule]:
    return [rule for body in quoted_bodies(text, language) for rule in article_rules(body, language)]
