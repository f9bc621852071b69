"""Transformers of statutes and exam questions: normalisation of Japanese, and splitting of articles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import check_ids, check_language, sort_results, take_rows, text_values
from ir_coliee.text.japanese_writing import normalise_japanese
from ir_coliee.text.language import Language
from ir_coliee.text.provisions import level_number, provision_texts
from ir_coliee.text.statutes import quoted_bodies
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.passage_ids import PASSAGE_SEPARATOR
from ir_coliee.transformers.queries.passages import PassageSplitter
from ir_coliee.transformers.queries.text_transformer import TextTransformer

Level = Literal["paragraph", "item", "subitem"]


class NormaliseJapanese(TextTransformer):
    """Normalise the widths and the punctuation of Japanese text: Q to Q, D to D, R to R.

    Questions of most years use ，where the civil code uses 、. An index of character bigrams folds widths itself. See
    `ir_coliee.text.japanese_writing.normalise_japanese`.

    Parameters
    ----------
    numerals : bool, default False
        Whether to write kanji numerals that express quantities in arabic digits.
    on : str, optional
        The column to change. By default ``query`` and ``text``, if the frame has them.

    Examples
    --------
    >>> NormaliseJapanese()(pd.DataFrame({"qid": ["1"], "query": ["Ａは，門を閉めた．"]}))["query"].tolist()
    ['Aは、門を閉めた。']
    """

    LABEL = "Normalise Japanese"

    def __init__(self, *, numerals: bool = False, on: str | None = None) -> None:
        self.numerals = numerals
        super().__init__(on=on)

    def changed(self, text: str) -> str:
        """Return the normalised text."""
        return normalise_japanese(text, numerals=self.numerals)


class SplitProvisions(PassageSplitter):
    r"""Split articles into paragraphs, items or subitems, one row each: D to D, R to R.

    Paragraph 2 of article 398-2 is ``398-2%p2``, its first item ``398-2%p2.1``, so that `AggregatePassages` and
    `ParagraphRetriever` can aggregate them into the article. See `ir_coliee.text.provisions`.

    Parameters
    ----------
    language : {"en", "ja"}
        The language of the articles.
    level : {"paragraph", "item", "subitem"}, default "paragraph"
        The smallest unit. Below ``paragraph``, the introductory words of a paragraph with items are a provision too.

    Examples
    --------
    >>> article = pd.DataFrame({"docno": ["398-2"], "text": ["(1) A lamp.\n(2) If:\n(i) a gate; or\n(ii) a well."]})
    >>> SplitProvisions("en")(article).docno.tolist()
    ['398-2%p1', '398-2%p2']
    >>> SplitProvisions("en", "item")(article)[["docno", "text"]].to_numpy().tolist()[2:]
    [['398-2%p2.1', 'a gate; or'], ['398-2%p2.2', 'a well.']]
    """

    LABEL = "Split provisions"
    on = "text"

    def __init__(self, language: Language, level: Level = "paragraph") -> None:
        level_number(level)
        self.language = check_language(language)
        self.level = level

    def passages(self, text: str) -> dict[str, str]:
        """Return the provisions of an article's text by their labels; at least one."""
        return dict(provision_texts(text, self.language, self.level))


class SplitArticles(BaseTransformer):
    r"""Split the quoted articles of each question, one row for each article: Q to R.

    The ``text`` of a row is the article without its head and caption. Its ``docno`` is the article's position among the
    quoted articles of the question, counted from 1, so that `SplitProvisions` and `TextScorer` can follow. All scores
    are 0. A question whose text is blank gives one row with an empty text.

    Parameters
    ----------
    language : {"en", "ja"}
        The language of the articles.

    Examples
    --------
    >>> question = {"qid": ["1"], "query": ["A lamp"], "text": ["(Lamps)\nArticle 5 A lamp.\nArticle 6(1) A gate."]}
    >>> SplitArticles("en")(pd.DataFrame(question))[["docno", "text"]].to_numpy().tolist()
    [['1', 'A lamp.'], ['2', '(1) A gate.']]
    """

    LABEL = "Split articles"

    def __init__(self, language: Language) -> None:
        self.language = check_language(language)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Split the articles; raise `ColieeError` for a query without an id, or a text that is not a string."""
        pt.validate.columns(inp, includes=["qid", "query", "text"], context=self)
        check_ids(inp)
        articles = [quoted_bodies(text, self.language) or ("",) for text in text_values(inp, "text")]
        rows = np.arange(len(inp)).repeat(np.array([len(of_question) for of_question in articles], dtype=np.int64))
        positions = [position for of_question in articles for position in range(1, len(of_question) + 1)]
        new_columns = {
            "docno": pd.Series(list(map(str, positions)), dtype=object),
            "text": pd.Series([text for of_question in articles for text in of_question], dtype=object),
        }
        return sort_results(take_rows(inp, rows).assign(**new_columns, score=0.0, rank=positions))


def provision_corpus(
    corpus: Iterable[Mapping[str, Any]], language: Language, level: Level = "paragraph"
) -> Iterator[dict[str, str]]:
    r"""Split articles into a corpus of provisions, ready to be indexed; see `SplitProvisions`.

    Parameters
    ----------
    corpus : iterable of dict
        Articles with ``docno`` and ``text``, without their heads.
    language : {"en", "ja"}
        The language of the articles.
    level : {"paragraph", "item", "subitem"}, default "paragraph"
        The smallest unit.

    Yields
    ------
    dict
        ``docno`` and ``text`` of each provision.

    Raises
    ------
    ColieeError
        If an article has no ``docno`` or no ``text``.

    Examples
    --------
    >>> article = {"docno": "12", "text": "門番は、門を閉める。\n２　門番は、灯を持つ。"}
    >>> list(provision_corpus([article], "ja"))[1]
    {'docno': '12%p2', 'text': '門番は、灯を持つ。'}
    """
    provisions = SplitProvisions(language, level).passages
    for position, article in enumerate(corpus):
        docno, text = article.get("docno"), article.get("text")
        if not (isinstance(docno, str) and isinstance(text, str)):
            name = printable(docno) if isinstance(docno, str) else f"{position}, counted from 0,"
            raise ColieeError(f"Article {name} needs a docno and a text that are strings.")
        for label, provision in provisions(text).items():
            yield {"docno": f"{docno}{PASSAGE_SEPARATOR}{label}", "text": provision}
