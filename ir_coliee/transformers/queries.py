"""Transformers of queries and texts: rewriting, splitting into passages, and selection of terms.

`SelectTerms` selects the best terms of long queries. `CleanCase`, `DropFrench`, `ExtractSummary`,
`ExtractCitingContext`, `NormaliseJapanese` and `RewriteText` change texts. `SplitParagraphs`, `SplitSentenceWindows`,
`SplitProvisions` and `SplitArticles` split texts into one row for each passage, and `AggregatePassages` aggregates
passages into documents again. `QueriesFromDataset` takes the text of queries from another dataset, `CitationWindows`
that of fragments from their base cases.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any, Literal, get_args

import ir_datasets
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.datasets.folds import fragments_with_base_cases
from ir_coliee.editions import Dataset, as_dataset_id, as_split, id_of_task
from ir_coliee.engine.scoring import row_sums
from ir_coliee.engine.term_counts import HashedVocabulary, TermCounts
from ir_coliee.engine.weightings import Collection
from ir_coliee.errors import ColieeError
from ir_coliee.frames import (
    Floats,
    Integers,
    check_ids,
    check_language,
    check_share,
    instance_of,
    integer_at_least,
    number_ids,
    one_of,
    places_of,
    sort_results,
    take_rows,
    text_values,
)
from ir_coliee.models.language_model import LanguageModel, Question
from ir_coliee.models.stores import ReplyStore, get_replies
from ir_coliee.models.templates import Conversation, Turn
from ir_coliee.text import Language
from ir_coliee.text.citations import citation_windows, citing_context
from ir_coliee.text.cleaning import FrenchPassage, Unit, clean_case, french_passages, remove_french
from ir_coliee.text.decisions import case_sections, summary
from ir_coliee.text.japanese import normalise_japanese
from ir_coliee.text.sentences import leading_words, sentences, windows
from ir_coliee.text.statutes import level_number, provision_texts, quoted_bodies
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.retrieval.lexical import (
    INPUT_COLUMNS,
    PASSAGE_SEPARATOR,
    LexicalIndex,
    check_aggregate,
    numbered_paragraphs,
    query_frequencies,
)


class TextTransformer(BaseTransformer):
    """Base of transformers that change texts: Q to Q, D to D, R to R.

    Each of the columns ``query`` and ``text`` that a frame has is changed, or only the column ``on``. Rows, their order
    and all other columns are kept, including ``query_toks``. Missing texts (None, NaN) stay missing; empty texts are
    changed like any other. A subclass implements `changed`. Each distinct text of a column is changed once.

    Parameters
    ----------
    on : str, optional
        The column to change. By default ``query`` and ``text``, if the frame has them.
    """

    def __init__(self, *, on: str | None = None) -> None:
        self.on = on

    def changed(self, text: str) -> str:
        """Return the changed text."""
        raise NotImplementedError

    def all_changed(self, texts: list[str]) -> dict[str, str]:
        """Return the changed text of each of several distinct texts."""
        return {text: self.changed(text) for text in texts}

    def transform_inputs(self) -> list[list[str]]:
        """Return the columns of queries and of documents; if a column is chosen, that column."""
        usual = [["qid", "query"], ["docno", "text"]]
        if self.on is None:
            return usual
        return [columns for columns in (*usual, [self.on]) if self.on in columns]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Change the texts of a frame; raise `ColieeError` for a value that is neither a string nor missing."""
        changed = {column: self._changed_column(inp[column]) for column in self._columns(inp)}
        frame: pd.DataFrame = inp.assign(**changed).reset_index(drop=True)
        return frame

    def _columns(self, inp: pd.DataFrame) -> list[str]:
        with pt.validate.any(inp, context=self) as frame:
            for columns in self.transform_inputs():
                frame.columns(includes=columns, mode=" ".join(columns))
        return [self.on] if self.on is not None else [name for name in ("query", "text") if name in inp.columns]

    def _changed_column(self, column: pd.Series) -> pd.Series:
        values = column.to_numpy(dtype=object)
        rows = np.flatnonzero(column.notna())
        texts = values[rows]
        if pd.api.types.infer_dtype(texts, skipna=False) not in ("string", "empty"):
            row, kind = next((row, type(values[row]).__name__) for row in rows if not isinstance(values[row], str))
            raise ColieeError(f"Row {row}: {column.name} must be a string, got a value of type {kind}.")
        changed = self.all_changed(list(dict.fromkeys(texts)))
        values = values.copy()
        values[rows] = [changed[text] for text in texts]
        dtype = object if isinstance(column.dtype, pd.CategoricalDtype) else column.dtype
        series: pd.Series = pd.Series(values, index=column.index, dtype=dtype)
        return series


# Transformers of court decisions: cleaning, removal of French passages, summaries and citation contexts.


class CleanCase(TextTransformer):
    r"""Clean court decisions with `ir_coliee.text.cleaning.clean_case`: Q to Q, D to D, R to R.

    ``CleanCase(drop_header=True, drop_french=True, join_lines=True)`` is the cleaning of THUIR at COLIEE 2023.

    Parameters
    ----------
    drop_header, drop_french, join_lines : bool, default False
        The steps of `ir_coliee.text.cleaning.clean_case` that are off by default.
    on : str, optional
        The column to change. By default ``query`` and ``text``, if the frame has them.

    Examples
    --------
    >>> query = pd.DataFrame({"qid": ["900001"], "query": ["(FC)\n[1]\nSee <FRAGMENT_SUPPRESSED> for more."]})
    >>> CleanCase(drop_header=True)(query)["query"].tolist()
    ['See for more.']
    """

    LABEL = "Clean case"

    def __init__(
        self, *, drop_header: bool = False, drop_french: bool = False, join_lines: bool = False, on: str | None = None
    ) -> None:
        super().__init__(on=on)
        self.drop_header = drop_header
        self.drop_french = drop_french
        self.join_lines = join_lines

    def changed(self, text: str) -> str:
        """Return the cleaned text."""
        return clean_case(text, drop_header=self.drop_header, drop_french=self.drop_french, join_lines=self.join_lines)


class DropFrench(TextTransformer):
    r"""Remove the French passages of court decisions: Q to Q, D to D, R to R.

    Use it before `CleanCase`, which removes the paragraph marks by which French duplicates are recognised. See
    `ir_coliee.text.cleaning.remove_french`.

    Parameters
    ----------
    by : {"paragraph", "line"}, default "paragraph"
        The unit whose language is detected: numbered paragraphs or lines.
    duplicates_only : bool, default False
        Whether to remove only paragraphs that duplicate an English one.
    on : str, optional
        The column to change. By default ``query`` and ``text``, if the frame has them.

    Examples
    --------
    >>> decision = "[1]\nThe lamp was lit.\n[1]\nLa lampe était allumée."
    >>> DropFrench()(pd.DataFrame({"docno": ["900001"], "text": [decision]}))["text"].tolist()
    ['[1]\nThe lamp was lit.\n']
    """

    LABEL = "Drop French"

    def __init__(self, by: Unit = "paragraph", *, duplicates_only: bool = False, on: str | None = None) -> None:
        super().__init__(on=on)
        self.by = one_of("by", by, get_args(Unit))
        self.duplicates_only = duplicates_only

    def changed(self, text: str) -> str:
        """Return the text without its French passages."""
        return remove_french(text, self.by, duplicates_only=self.duplicates_only)

    def report(self, inp: pd.DataFrame) -> pd.DataFrame:
        r"""List the passages that are removed from the texts of a frame, without their text.

        Parameters
        ----------
        inp : pandas.DataFrame
            A frame that this transformer accepts.

        Returns
        -------
        pandas.DataFrame
            One row for each passage, with ``row`` (the position of the text in the frame, from 0), ``column``,
            ``start`` and ``end`` (offsets in the text), ``number`` of its paragraph (missing before the first mark),
            ``is_duplicate`` (whether it duplicates an English paragraph), and ``qid`` and ``docno``, if the frame has
            them.

        Examples
        --------
        >>> decision = "[1]\nThe lamp was lit.\n[1]\nLa lampe était allumée."
        >>> DropFrench().report(pd.DataFrame({"docno": ["900001"], "text": [decision]})).to_dict("records")
        [{'row': 0, 'column': 'text', 'start': 22, 'end': 49, 'number': 1, 'is_duplicate': True, 'docno': '900001'}]
        """
        rows = [
            (row, column, *passage)
            for column in self._columns(inp)
            for row, text in enumerate(inp[column].to_numpy(dtype=object))
            if isinstance(text, str)
            for passage in french_passages(text, self.by, duplicates_only=self.duplicates_only)
        ]
        report = pd.DataFrame(rows, columns=["row", "column", *FrenchPassage._fields]).astype({"number": "Int64"})
        ids = inp[inp.columns.intersection(["qid", "docno"])].iloc[report["row"]].reset_index(drop=True)
        with_ids: pd.DataFrame = pd.concat([report, ids], axis=1)
        return with_ids


class ExtractSummary(TextTransformer):
    r"""Replace court decisions by their summaries, or else by their first words: Q to Q, D to D, R to R.

    Most decisions have no summary. See `ir_coliee.text.decisions.summary`.

    Parameters
    ----------
    lead : int, default 200
        The number of words from the beginning of the cleaned body for a decision without a summary, >= 0. The default
        is a choice of this package.
    on : str, optional
        The column to change. By default ``query`` and ``text``, if the frame has them.

    Examples
    --------
    >>> cases = ["Summary: A lamp was lent.\n[1]\nI allow it.", "[1]\nI see no reason for doubt. I allow it."]
    >>> ExtractSummary(lead=3)(pd.DataFrame({"qid": ["900001", "900002"], "query": cases}))["query"].tolist()
    ['A lamp was lent.', 'I see no']
    """

    LABEL = "Extract summary"

    def __init__(self, *, lead: int = 200, on: str | None = None) -> None:
        super().__init__(on=on)
        self.lead = integer_at_least("lead", lead, 0)

    def changed(self, text: str) -> str:
        """Return the summary or the first words of the text."""
        if found := summary(text):
            return found
        return leading_words(clean_case(case_sections(text).body.of(text)), self.lead)


class ExtractCitingContext(TextTransformer):
    r"""Replace court decisions by the sentences around their citations: Q to Q, D to D, R to R.

    Use it before `CleanCase`, which removes the markers of suppressed citations. See
    `ir_coliee.text.citations.citing_context`.

    Parameters
    ----------
    words : int, default 512
        Shorter contexts are filled up to this number of words with the beginning of the decision, >= 0.
    on : str, optional
        The column to change. By default ``query`` and ``text``, if the frame has them.

    Examples
    --------
    >>> decision = "The lamp was lit. I agree with <FRAGMENT_SUPPRESSED> there. The gate was shut."
    >>> ExtractCitingContext(words=0)(pd.DataFrame({"qid": ["900001"], "query": [decision]}))["query"].tolist()
    ['I agree with there.\nThe gate was shut.']
    """

    LABEL = "Citing context"

    def __init__(self, *, words: int = 512, on: str | None = None) -> None:
        super().__init__(on=on)
        self.words = integer_at_least("words", words, 0)

    def changed(self, text: str) -> str:
        """Return the sentences around the citations of the text."""
        return citing_context(text, self.words)


# Texts of queries from another dataset, such as the same questions in Japanese.


class QueriesFromDataset(BaseTransformer):
    """Replace the text of each query by its text in another dataset, such as the same question in Japanese: Q to Q.

    Use it to search an index in another language with the same queries. The column ``query_toks``, which was computed
    from the previous text, is dropped.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A dataset whose queries have the same ids.

    Examples
    --------
    >>> questions = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A pledge of a boat"]})
    >>> QueriesFromDataset("coliee/task3/sample/ja/test")(questions)["query"].str.contains("質").tolist()
    [True]
    """

    LABEL = "Queries from dataset"

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = as_dataset_id(dataset)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Replace the texts; raise `ColieeError` for a query that is not in the dataset."""
        pt.validate.columns(inp, includes=["qid", "query"], context=self)
        check_ids(inp)
        texts = self._cached(tuple(self.arguments().values()), lambda: pd.Series(self._texts(), dtype=object))
        problem = f"{self.dataset} has no query {{}}. Use the topics of this dataset."
        queries = texts.iloc[places_of(inp["qid"], texts.index, problem)].set_axis(inp.index)
        without_tokens = inp.drop(columns="query_toks", errors="ignore")
        replaced: pd.DataFrame = without_tokens.assign(query=queries).reset_index(drop=True)
        return replaced

    def _texts(self) -> dict[str, str]:
        return {query.query_id: query.default_text() for query in ir_datasets.load(self.dataset).queries_iter()}


# Windows around the suppressed citations of the base case of a fragment.


class CitationWindows(QueriesFromDataset):
    """Replace each fragment by windows of its base case, around suppressed citations and the fragment itself: Q to Q.

    A fragment that was not taken from beside a citation shares few words with the paragraphs that entail it; what the
    base case says around its citations shares more. See `ir_coliee.text.citations.citation_windows`.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split of task 2 that the queries are of.
    width : int, default 700
        Characters on either side of a marker and of the fragment, >= 1; windows are widened to the edges of words.
    number : int, default 3
        Markers that have a window, from the first one, >= 0.
    delete_fragment : bool, default False
        Delete the fragment from the base case first, so that its words are not in the query. Its window is then around
        its former place. Use it to fit a model for fragments that are far from citations, when those of the train split
        are close to them.

    Examples
    --------
    >>> fragment = pd.DataFrame({"qid": ["900009"], "query": ["A person who has left Norvalle may still"]})
    >>> windows = CitationWindows("coliee/task2/sample/test", width=60, number=1)(fragment)
    >>> windows["query"].str.contains("for the reasons given in").tolist()
    [True]
    """

    LABEL = "Citation windows"

    def __init__(self, dataset: Dataset, *, width: int = 700, number: int = 3, delete_fragment: bool = False) -> None:
        super().__init__(id_of_task(dataset, "task2"))
        self.width = integer_at_least("width", width, 1)
        self.number = integer_at_least("number", number, 0)
        self.delete_fragment = delete_fragment

    def _texts(self) -> dict[str, str]:
        windows = partial(citation_windows, width=self.width, number=self.number, delete_fragment=self.delete_fragment)
        texts = fragments_with_base_cases(as_split(self.dataset))
        return {qid: windows(text.fragment, text.base_case) for qid, text in texts.items()}


# Rewriting of texts by a language model, such as summaries of articles and cases or reformulated queries.


class RewriteText(TextTransformer):
    """Replace each text by the reply of a language model: Q to Q, D to D, R to R.

    Each distinct text is sent once. A text is not changed if it or the reply is blank.

    Parameters
    ----------
    model : LanguageModel
        A `ir_coliee.models.LocalModel`, a `ir_coliee.models.ServedModel`, or any object with their interface.
    instruction : str, default ""
        The instruction, which is sent before the text. A model that was trained for one task needs none.
    on : str, optional, default "text"
        The column to rewrite. None rewrites ``query`` and ``text``.
    reply_store : ReplyStore, optional
        A file in which replies are stored, so that an interrupted run can continue.
    verbose : bool, default False
        Whether to show progress.

    Examples
    --------
    >>> from ir_coliee.models import Reply
    >>> class Brief:
    ...     identity = "brief"
    ...     def ask(self, questions, on_reply):
    ...         for question in questions:
    ...             on_reply(question, Reply("A lamp shines."))
    >>> article = pd.DataFrame({"docno": ["1"], "text": ["A lamp is a movable that shines, whoever has lit it."]})
    >>> RewriteText(Brief(), "Say it in short:")(article).text.tolist()
    ['A lamp shines.']
    """

    LABEL = "Rewrite text"

    def __init__(
        self,
        model: LanguageModel,
        instruction: str = "",
        *,
        on: str | None = "text",
        reply_store: ReplyStore | None = None,
        verbose: bool = False,
    ) -> None:
        self.model = model
        self.instruction = instruction
        self.reply_store = reply_store
        self.verbose = verbose
        super().__init__(on=on)

    def all_changed(self, texts: list[str]) -> dict[str, str]:
        """Return the model's reply to each of several distinct texts."""
        questions = {text: Question(Conversation([Turn("user", self._prompt(text))])) for text in texts if text.strip()}
        replied = get_replies(self.model, questions.values(), self.reply_store, verbose=self.verbose)
        rewritten = {text: replied[question].text.strip() for text, question in questions.items()}
        return {text: rewritten.get(text) or text for text in texts}

    def _prompt(self, text: str) -> str:
        return "\n\n".join(filter(None, (self.instruction, text)))


class NormaliseJapanese(TextTransformer):
    """Normalise the widths and the punctuation of Japanese text: Q to Q, D to D, R to R.

    Questions of most years use ，where the civil code uses 、. An index of character bigrams folds widths itself. See
    `ir_coliee.text.japanese.normalise_japanese`.

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


# Splitting of documents and queries into passages, one row each.


_ID_COLUMNS = {"query": "qid", "text": "docno"}


class PassageSplitter(BaseTransformer):
    """Base of transformers that split texts into passages, one row each: D to D, Q to Q, R to R.

    A row of a document gets the passage's ``text`` and ``docno``. A row of a query without a document gets the
    passage's ``query`` and ``qid``; the columns ``query_toks`` and ``query_docno``, which describe the whole query, are
    dropped. Ranks are dropped. An empty or missing text (None, NaN) gives one empty passage. A subclass implements
    `passages` and sets ``on``.
    """

    on: Literal["query", "text"] | None

    def passages(self, text: str) -> dict[Any, str]:
        """Return the passages of a text by their numbers or labels; at least one."""
        raise NotImplementedError

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Split the texts; raise `ColieeError` for a row without an id, or with a text that is not a string."""
        with pt.validate.any(inp, context=self) as frame:
            if self.on is not None:
                frame.columns(includes=[_ID_COLUMNS[self.on], self.on], mode=self.on)
            else:
                frame.columns(includes=["docno", "text"], mode="text")
                frame.query_frame(extra_columns=["query"], mode="query")
        check_ids(inp)
        text_column = frame.mode
        id_column = _ID_COLUMNS[text_column]
        texts = text_values(inp, text_column, by=id_column)
        known = {text: self.passages(text) for text in dict.fromkeys(texts)}  # a text of several rows is split once
        passages = [
            (row, f"{whole}{PASSAGE_SEPARATOR}{number}", passage)
            for row, (whole, text) in enumerate(zip(inp[id_column], texts))
            for number, passage in known[text].items()
        ]
        new_columns = pd.DataFrame(passages, columns=["row", id_column, text_column], dtype=object)
        dropped = ["rank", *(("query_toks", "query_docno") if text_column == "query" else ())]
        rows = new_columns.pop("row").to_numpy(np.int64)
        split: pd.DataFrame = take_rows(inp.drop(columns=dropped, errors="ignore"), rows).assign(**new_columns)
        return split


class SplitParagraphs(PassageSplitter):
    r"""Split court decisions into their numbered paragraphs, as `paragraph_corpus` does: D to D, Q to Q, R to R.

    Parameters
    ----------
    on : {"query", "text"}, optional
        The column to split. By default ``text`` if the frame has documents, otherwise ``query``.

    Examples
    --------
    >>> decision = pd.DataFrame({"docno": ["900001"], "text": ["[1]\nA lamp.\n[2]\nA gate."]})
    >>> SplitParagraphs()(decision).docno.tolist()
    ['900001%p1', '900001%p2']
    """

    LABEL = "Split paragraphs"

    def __init__(self, *, on: Literal["query", "text"] | None = None) -> None:
        self.on = one_of("on", on, ("query", "text", None))

    def passages(self, text: str) -> dict[int, str]:
        """Return the paragraphs of a text by their positions; at least one."""
        return numbered_paragraphs(text)


class SplitSentenceWindows(PassageSplitter):
    """Split texts into overlapping windows of neighbouring sentences: D to D, Q to Q, R to R.

    The defaults are the segments of NeuralMind at COLIEE 2021.

    Parameters
    ----------
    size : int, default 10
        The number of sentences in a window, >= 1.
    stride : int, default 5
        The number of sentences between the starts of two windows, >= 1.
    max_windows : int, optional, default 25
        The largest number of windows of a text, >= 1. None keeps all.
    language : {"en", "ja"}, default "en"
        The language of the sentences, see `ir_coliee.text.sentences`.
    on : {"query", "text"}, optional
        The column to split. By default ``text`` if the frame has documents, otherwise ``query``.

    Examples
    --------
    >>> query = pd.DataFrame({"qid": ["1"], "query": ["A lamp. A gate. A well."]})
    >>> SplitSentenceWindows(size=2, stride=1)(query)[["qid", "query"]].to_numpy().tolist()
    [['1%p0', 'A lamp. A gate.'], ['1%p1', 'A gate. A well.']]
    """

    LABEL = "Split windows"

    def __init__(
        self,
        *,
        size: int = 10,
        stride: int = 5,
        max_windows: int | None = 25,
        language: Language = "en",
        on: Literal["query", "text"] | None = None,
    ) -> None:
        self.size = integer_at_least("size", size, 1)
        self.stride = integer_at_least("stride", stride, 1)
        self.max_windows = None if max_windows is None else integer_at_least("max_windows", max_windows, 1)
        self.language = check_language(language)
        self.on = one_of("on", on, ("query", "text", None))

    def passages(self, text: str) -> dict[int, str]:
        """Return the windows of a text by their positions; at least one."""
        spans = windows(
            sentences(text, self.language), size=self.size, stride=self.stride, max_windows=self.max_windows
        )
        return dict(enumerate(span.of(text) for span in spans)) or {0: ""}


Level = Literal["paragraph", "item", "subitem"]


class SplitProvisions(PassageSplitter):
    r"""Split articles into paragraphs, items or subitems, one row each: D to D, R to R.

    Paragraph 2 of article 398-2 is ``398-2%p2``, its first item ``398-2%p2.1``, so that `AggregatePassages` and
    `ParagraphRetriever` can aggregate them into the article. See `ir_coliee.text.statutes`.

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

    A corpus of provisions, ready to be indexed:

    >>> corpus = [{"docno": "12", "text": "門番は、門を閉める。\n２　門番は、灯を持つ。"}]
    >>> list(SplitProvisions("ja").transform_iter(corpus))[1]
    {'docno': '12%p2', 'text': '門番は、灯を持つ。'}
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
        articles = [
            (row, str(position), article, position)
            for row, text in enumerate(text_values(inp, "text"))
            for position, article in enumerate(quoted_bodies(text, self.language) or ("",), 1)
        ]
        found = pd.DataFrame(articles, columns=["row", "docno", "text", "rank"], dtype=object)
        rows = take_rows(inp, found["row"].to_numpy(np.int64))
        return sort_results(rows.assign(docno=found["docno"], text=found["text"], score=0.0, rank=found["rank"]))


# Aggregation of passage results into results of whole documents or queries.


_PASSAGE_ID = r"(?s)\A(?P<whole>.+)%p(?P<number>[0-9]{1,9})(?:[.-][0-9]{1,9}){0,9}\Z"


class AggregatePassages(BaseTransformer):
    """Aggregate results of passages into results of whole documents or queries: R to R.

    It corresponds to PyTerrier's ``max_passage``, ``mean_passage``, ``kmaxavg_passage`` and ``first_passage``.

    Parameters
    ----------
    aggregate : {"max", "mean", "first"} or int, default "max"
        The score of a document: the maximum or the mean of its passages' scores, the score of its first passage in the
        results, or for an integer k the mean of its k best passages.
    on : {"docno", "qid"}, default "docno"
        Whether the documents or the queries are passages. An id that does not end in ``%p`` and a number is a whole
        document or query.

    Notes
    -----
    With ``max`` and ``first``, the other columns are those of the selected passage. Otherwise only the query columns
    are kept (none with ``on="qid"``). Passages without a score (NaN) are ignored; a document has the score NaN if all
    its passages have no score.

    Examples
    --------
    >>> run = pd.DataFrame({"qid": "1", "docno": ["a%p0", "a%p1", "b%p4"], "score": [1.0, 4.0, 3.0]})
    >>> AggregatePassages("mean")(run)[["docno", "score"]].to_numpy().tolist()
    [['b', 3.0], ['a', 2.5]]
    """

    LABEL = "Aggregate passages"

    def __init__(
        self, aggregate: Literal["max", "mean", "first"] | int = "max", *, on: Literal["docno", "qid"] = "docno"
    ) -> None:
        self.aggregate = check_aggregate("aggregate", aggregate, ("max", "mean", "first"))
        self.on = one_of("on", on, ("docno", "qid"))

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Aggregate the results; raise `ColieeError` for a row without an id."""
        pt.validate.result_frame(inp, extra_columns=["score"], context=self)
        check_ids(inp)
        results = inp.reset_index(drop=True)
        of_row, ids = number_ids(results[self.on])  # each id is divided once, because many rows have the same
        parts = pd.Series(ids, dtype=object).str.extract(_PASSAGE_ID)
        results[self.on] = parts["whole"].fillna(pd.Series(ids)).to_numpy()[of_row]
        numbers = parts["number"].fillna("0").astype(np.int64).to_numpy()[of_row]
        pairs = np.asarray(results.groupby(["qid", "docno"], sort=False, observed=True).ngroup(), dtype=np.int64)
        scores = inp["score"].to_numpy(dtype=np.float64)
        order = np.lexsort((numbers, numbers if self.aggregate == "first" else -scores, pairs))
        starts = np.flatnonzero(np.diff(pairs[order], prepend=-1))
        whole = results.iloc[order[starts]].drop(columns=["rank", "docid"], errors="ignore")
        if self.aggregate not in ("max", "first"):
            query = pt.model.query_columns(inp) if self.on == "docno" else ["qid"]
            whole = whole[[name for name in inp.columns if name in {*query, "docno", "score"}]]
            maximum = self.aggregate if isinstance(self.aggregate, int) else len(inp)
            whole = whole.assign(score=_means(pairs[order], scores[order], starts, maximum))
        return sort_results(whole)


def _means(groups: Integers, scores: Floats, starts: Integers, maximum: int) -> Floats:
    """Return the mean of the first ``maximum`` scores of each group without missing ones; groups are contiguous."""
    places = np.arange(len(groups)) - starts[groups]
    counted = (places < maximum) & ~np.isnan(scores)
    groups = groups[counted]
    sums = np.bincount(groups, weights=scores[counted], minlength=len(starts))
    numbers = np.bincount(groups, minlength=len(starts))
    return np.where(numbers > 0, sums / np.maximum(numbers, 1), np.nan)


# Selection of terms


CountedUnit = Literal["terms", "tokens"]

_OWN_SHARE, _ITERATIONS = 0.1, 50  # of the parsimonious model


def kl_informativeness(queries: sparse.csr_matrix, collection: Collection) -> Floats:
    """Contribution of each term to the divergence of the query from the collection: P(t|Q) ln(P(t|Q) / P(t|C)) [1].

    This is the informativeness of [1]. Their phraseness, the other component, is 0 for single terms.

    Examples
    --------
    >>> collection = Collection(2, 8.0, np.array([2.0, 1.0]), np.array([7.0, 1.0]))
    >>> kl_informativeness(sparse.csr_matrix([[3.0, 1.0]]), collection).round(3).tolist()
    [-0.116, 0.173]
    """
    share = queries.data / row_sums(queries)[_rows(queries)]
    informativeness: Floats = share * np.log(share / _background(queries, collection))
    return informativeness


def parsimonious_model(queries: sparse.csr_matrix, collection: Collection) -> Floats:
    """P(t|Q) of the parsimonious model, in which the collection explains frequent terms [2].

    Notes
    -----
    The start is P(t|Q) = tf / |Q|. Each step computes e(t) = tf lambda P(t|Q) / ((1 - lambda) P(t|C) + lambda P(t|Q)),
    then P(t|Q) = e(t) / sum of e. The share lambda of the query's own model is 0.1, after 50 steps.

    Examples
    --------
    >>> collection = Collection(2, 8.0, np.array([2.0, 1.0]), np.array([7.0, 1.0]))
    >>> query = sparse.csr_matrix([[3.0, 1.0]])
    >>> parsimonious_model(query, collection).round(3).tolist()
    [0.0, 1.0]
    """
    rows, tf = _rows(queries), queries.data.astype(np.float64)
    by_collection = (1 - _OWN_SHARE) * _background(queries, collection)
    model: Floats = tf / row_sums(queries)[rows]
    for _ in range(_ITERATIONS):
        by_query = _OWN_SHARE * model
        expected = tf * by_query / (by_query + by_collection)
        model = expected / np.bincount(rows, weights=expected, minlength=queries.shape[0])[rows]
    return model


def idf(queries: sparse.csr_matrix, collection: Collection) -> Floats:
    """Inverse document frequency ln(N / df) [3]."""
    values: Floats = np.log(collection.documents / np.maximum(collection.df[queries.indices], 1))
    return values


def tf_idf(queries: sparse.csr_matrix, collection: Collection) -> Floats:
    """Product of term frequency and idf: tf ln(N / df) [4]."""
    weights: Floats = queries.data * idf(queries, collection)
    return weights


def select_terms(
    queries: sparse.csr_matrix, scores: Floats, share: float, of: CountedUnit = "terms"
) -> sparse.csr_matrix:
    """Keep the best terms of each query; among equal scores the first terms.

    Parameters
    ----------
    queries : csr_matrix, queries x terms
        Term frequencies.
    scores : float64 array
        Score of each term frequency.
    share : float
        Share of the terms to keep.
    of : {"terms", "tokens"}
        Whether it is a share of the query's distinct terms or of its tokens. Halves are rounded up, and a query with a
        term keeps at least one.

    Returns
    -------
    csr_matrix, queries x terms

    Examples
    --------
    >>> query = sparse.csr_matrix([[4.0, 1.0, 2.0, 1.0, 1.0]])
    >>> select_terms(query, np.array([0.1, 0.9, 0.3, 0.9, 0.9]), 0.5).toarray().tolist()
    [[0.0, 1.0, 0.0, 1.0, 1.0]]
    """
    rows, distinct = _rows(queries), np.diff(queries.indptr)
    counted = distinct if of == "terms" else row_sums(queries)
    sizes = np.maximum(np.floor(share * counted + 0.5), 1)
    order = np.lexsort((-scores, rows))  # stable: ties are ordered by term
    places = np.arange(queries.nnz) - queries.indptr[rows]
    selected = np.sort(order[places < sizes[rows]])
    bounds = np.concatenate([[0], np.cumsum(np.bincount(rows[selected], minlength=queries.shape[0]))])
    return sparse.csr_matrix((queries.data[selected], queries.indices[selected], bounds), shape=queries.shape)


def _rows(queries: sparse.csr_matrix) -> Integers:
    """Row number of each term frequency."""
    return np.arange(queries.shape[0]).repeat(np.diff(queries.indptr))


def _background(queries: sparse.csr_matrix, collection: Collection) -> Floats:
    """P(t|C) of each term of the queries."""
    shares: Floats = np.maximum(collection.cf[queries.indices], 1) / collection.tokens
    return shares


#: How informative each term of the queries is, by name.
_SCORES: dict[str, Callable[[sparse.csr_matrix, Collection], Floats]] = {
    "kli": kl_informativeness,
    "idf": idf,
    "tf-idf": tf_idf,
    "plm": parsimonious_model,
}


class SelectTerms(BaseTransformer):
    """Keep the best terms of a query, with their frequencies in it, as ``query_toks``: Q to Q, R to R.

    Rows, their order and other columns are kept. A query is read from the first of ``query_toks``, ``query_docno`` and
    ``query`` that the frame has; in a frame of results, from the first row of each query.

    Parameters
    ----------
    index : LexicalIndex
        The index whose terms and statistics are used.
    share : float, default 0.4
        The share of terms to keep, in (0, 1].
    by : {"kli", "idf", "tf-idf", "plm"}, default "kli"
        The score of a term. ``"kli"``: its KL informativeness, P(t|Q) ln(P(t|Q) / P(t|C)) [1]_. ``"idf"``: ln(N / df)
        [2]_. ``"tf-idf"``: tf ln(N / df) [3]_. ``"plm"``: its probability in the parsimonious language model of the
        query [4]_, with a weight of the query's own model of 0.1, after 50 iterations (both chosen for this package).
    share_of : {"terms", "tokens"}, default "terms"
        Whether the share is of the query's distinct terms or of its tokens.

    Notes
    -----
    The best share of terms at COLIEE 2022 was 40 % by KL informativeness, with BM25 (k1 = 2.8, b = 0.9); by the
    parsimonious model it was 50 %. In 2021, 10 % of the tokens was best; this package takes that as the number of
    distinct terms to keep, not as the sum of their frequencies. Halves are rounded
    up, at least one term is kept, and among equal scores the first terms in the order of the index.

    References
    ----------
    .. [1] T. Tomokiyo and M. Hurst, A language model approach to keyphrase extraction, 2003; for case retrieval
       D. Locke, G. Zuccon and H. Scells, 2017.
    .. [2] B. Koopman, L. Cripwell and G. Zuccon, 2017, as IDF-r; for case retrieval Locke, Zuccon and Scells, 2017.
    .. [3] G. Salton and C. Buckley, Term-weighting approaches in automatic text retrieval, 1988.
    .. [4] D. Hiemstra, S. Robertson and H. Zaragoza, Parsimonious language models for information retrieval, 2004.

    Examples
    --------
    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "1", "text": "the lamp the gate"}, {"docno": "2", "text": "the well"}])
    >>> query = pd.DataFrame({"qid": ["1"], "query": ["the lamp and the lamp"]})
    >>> SelectTerms(index, share=0.5)(query).query_toks.tolist()
    [{'lamp': 2.0}]
    """

    LABEL = "Select terms"

    def __init__(
        self,
        index: LexicalIndex,
        share: float = 0.4,
        *,
        by: Literal["kli", "idf", "tf-idf", "plm"] = "kli",
        share_of: CountedUnit = "terms",
    ) -> None:
        self.index = instance_of("index", index, TermCounts, "a LexicalIndex")
        self.share = check_share("share", share)
        self.by = one_of("by", by, tuple(_SCORES))
        self.share_of = one_of("share_of", share_of, ("terms", "tokens"))

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Add ``query_toks``; raise `ColieeError` for a query without an id or text, or with an unknown document."""
        with pt.validate.any(inp, context=self) as frame:
            for column in INPUT_COLUMNS:
                frame.columns(includes=["qid", column], mode=column)
        check_ids(inp)
        query_of_row = pd.factorize(inp["qid"])[0] if "docno" in inp.columns else np.arange(len(inp))
        _, first_rows = np.unique(query_of_row, return_index=True)
        frequencies = query_frequencies(self.index, inp.iloc[first_rows])
        scores = _SCORES[self.by](frequencies, self.index.collection)
        selected = select_terms(frequencies, scores, self.share, self.share_of)
        names, weights = self._names(selected.indices), selected.data.tolist()
        tokens = np.empty(len(first_rows), dtype=object)
        for row, (start, end) in enumerate(pairwise(selected.indptr.tolist())):
            tokens[row] = dict(zip(names[start:end], weights[start:end]))
        query_toks = pd.Series(tokens[query_of_row], dtype=object)
        with_tokens: pd.DataFrame = inp.reset_index(drop=True).assign(query_toks=query_toks)
        return with_tokens

    def _names(self, columns: npt.NDArray[np.integer]) -> list[str]:
        """Return the terms of columns."""
        vocabulary = self.index.vocabulary
        if isinstance(vocabulary, HashedVocabulary):  # has too many terms to list all
            return [f"{number:016x}" for number in vocabulary.hashes[columns].tolist()]
        all_terms = self._cached(self.index, lambda: np.array([*vocabulary], dtype=object))
        names: list[str] = all_terms[columns].tolist()
        return names
