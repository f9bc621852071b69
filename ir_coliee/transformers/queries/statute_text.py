"""Transformers for statutes and exam questions: normalise Japanese, split articles, take the text of another split."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.arguments import check_language
from ir_coliee.errors import ColieeError, shown
from ir_coliee.frames import check_ids, sort_results, take_rows, text_values
from ir_coliee.text.japanese_writing import normalise_japanese
from ir_coliee.text.language import Language
from ir_coliee.text.provisions import level_number, provision_texts
from ir_coliee.text.statutes import quoted_bodies
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.passage_ids import PASSAGE_SEPARATOR
from ir_coliee.transformers.queries.passaging import _Passager
from ir_coliee.transformers.queries.texts import TextTransformer

Level = Literal["paragraph", "item", "subitem"]


class NormaliseJapanese(TextTransformer):
    """Japanese in one width and one punctuation, see `ir_coliee.text.japanese_writing.normalise_japanese`.

    Questions of most years write ，where the civil code writes 、. An index of character bigrams folds widths itself.

    >>> NormaliseJapanese()(pd.DataFrame({"qid": ["1"], "query": ["Ａは，門を閉めた．"]}))["query"].tolist()
    ['Aは、門を閉めた。']
    """

    LABEL = "Normalise Japanese"

    def __init__(self, *, numerals: bool = False, on: str | None = None) -> None:
        """``numerals``: write kanji numerals that count in arabic digits, too. ``on``: the one column that is changed;
        None stands for ``query`` and ``text``.
        """
        self.numerals = numerals
        super().__init__(on=on)

    def changed(self, text: str) -> str:
        """What a text becomes."""
        return normalise_japanese(text, numerals=self.numerals)


class Provisions(_Passager):
    """Articles parted into paragraphs, or down to items or subitems: D to D, R to R, a row for each provision.

    Paragraph 2 of article 398-2 is ``398-2%p2``, its first item ``398-2%p2.1``, so that
    `ir_coliee.transformers.AggregatePassages` and `ir_coliee.transformers.ParagraphRetriever` lead back to the article.
    See `ir_coliee.text.provisions` for how an article is parted.

    >>> article = pd.DataFrame({"docno": ["398-2"], "text": ["(1) A lamp.\\n(2) If:\\n(i) a gate; or\\n(ii) a well."]})
    >>> Provisions("en")(article).docno.tolist()
    ['398-2%p1', '398-2%p2']
    >>> Provisions("en", "item")(article)[["docno", "text"]].to_numpy().tolist()[2:]
    [['398-2%p2.1', 'a gate; or'], ['398-2%p2.2', 'a well.']]
    """

    LABEL = "Into provisions"
    on = "text"

    def __init__(self, language: Language, level: Level = "paragraph") -> None:
        """``language``: of the articles. ``level``: how far they are parted: ``paragraph``, ``item``, ``subitem``; of
        a paragraph that has items, the words before them are then a provision of their own.
        """
        level_number(level)
        self.language = check_language(language)
        self.level = level

    def passages(self, text: str) -> dict[str, str]:
        """The provisions of an article's text by their labels; at least one."""
        return dict(provision_texts(text, self.language, self.level))


class ArticlesApart(BaseTransformer):
    """Parts the quoted articles of each question, a row for each article: Q to R.

    The ``text`` of a row is an article's words, without its head and caption; its docno is the article's place among
    those that the question quotes, from 1, so that `Provisions` and a scorer of texts can follow. All scores are 0. A
    question whose text is blank has one row with an empty text.

    >>> question = {"qid": ["1"], "query": ["A lamp"], "text": ["(Lamps)\\nArticle 5 A lamp.\\nArticle 6(1) A gate."]}
    >>> ArticlesApart("en")(pd.DataFrame(question))[["docno", "text"]].to_numpy().tolist()
    [['1', 'A lamp.'], ['2', '(1) A gate.']]
    """

    LABEL = "Articles apart"

    def __init__(self, language: Language) -> None:
        self.language = check_language(language)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Part the articles. Raises `ColieeError` for a query without an id, and a text that is no string."""
        pt.validate.columns(inp, includes=["qid", "query", "text"], context=self)
        check_ids(inp)
        texts = text_values(inp, "text")
        parts = [quoted_bodies(text, self.language) or ("",) for text in texts]
        rows = np.arange(len(inp)).repeat(np.array([len(of_one) for of_one in parts], dtype=np.int64))
        places = [place for of_one in parts for place in range(1, len(of_one) + 1)]
        made = {
            "docno": pd.Series(list(map(str, places)), dtype=object),
            "text": pd.Series([text for of_one in parts for text in of_one], dtype=object),
        }
        return sort_results(take_rows(inp, rows).assign(**made, score=0.0, rank=places))


def provision_corpus(
    corpus: Iterable[Mapping[str, Any]], language: Language, level: Level = "paragraph"
) -> Iterator[dict[str, str]]:
    """The provisions of articles, as a corpus to be indexed; see `Provisions`.

    ``corpus``: dicts with ``docno`` and ``text``, the articles without their heads. Raises `ColieeError` for an article
    without a number or a text.

    >>> article = {"docno": "12", "text": "門番は、門を閉める。\\n２　門番は、灯を持つ。"}
    >>> list(provision_corpus([article], "ja"))[1]
    {'docno': '12%p2', 'text': '門番は、灯を持つ。'}
    """
    part = Provisions(language, level).passages
    for position, article in enumerate(corpus):
        docno, text = article.get("docno"), article.get("text")
        if not (isinstance(docno, str) and isinstance(text, str)):
            name = shown(docno) if isinstance(docno, str) else f"{position}, counted from 0,"
            raise ColieeError(f"Article {name} needs a docno and a text that are strings.")
        for label, words in part(text).items():
            yield {"docno": f"{docno}{PASSAGE_SEPARATOR}{label}", "text": words}


class QueriesOf(BaseTransformer):
    """Gives queries the words that another part has for them, such as its twin in Japanese: Q to Q, R to R.

    So a pipeline searches in one language beside the other, each with an index of its articles. The column is
    ``query``; ``query_toks``, which are made of the words before, are dropped.

    >>> questions = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A pledge of a boat"]})
    >>> QueriesOf("coliee/task3/sample/ja/test")(questions)["query"].str.contains("質").tolist()
    [True]
    """

    LABEL = "Queries of"

    def __init__(self, dataset: str) -> None:
        """``dataset``: an ir_datasets id whose queries have the same ids."""
        self.dataset = dataset

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Put in the words. Raises `ColieeError` for a query that the other part does not have."""
        pt.validate.columns(inp, includes=["qid", "query"], context=self)
        check_ids(inp)
        words = self._cached(self.dataset, self._words)
        if (strange := ~inp["qid"].isin(words.keys()).to_numpy()).any():
            raise ColieeError(f"{self.dataset} has no query {shown(str(inp['qid'].iloc[strange.argmax()]))}.")
        queries = pd.Series([words[qid] for qid in inp["qid"]], index=inp.index, dtype=object)
        return inp.drop(columns="query_toks", errors="ignore").assign(query=queries).reset_index(drop=True)

    def _words(self) -> dict[str, str]:
        return {query.query_id: query.default_text() for query in ir_datasets.load(self.dataset).queries_iter()}
