"""Transformers that change the texts of queries and documents."""

from __future__ import annotations

from functools import partial
from typing import get_args

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.datasets.folds import fragments_with_base_cases
from ir_coliee.editions import Dataset, as_dataset_id, as_split, id_of_task
from ir_coliee.errors import ColieeError
from ir_coliee.frames import check_ids, integer_at_least, one_of, places_of
from ir_coliee.models.language_model import LanguageModel, Question
from ir_coliee.models.stores import ReplyStore, get_replies
from ir_coliee.models.templates import Conversation, Turn
from ir_coliee.text.citations import citation_windows, citing_context
from ir_coliee.text.cleaning import FrenchPassage, Unit, clean_case, french_passages, remove_french
from ir_coliee.text.decisions import case_sections, summary
from ir_coliee.text.japanese import normalise_japanese
from ir_coliee.text.sentences import leading_words
from ir_coliee.transformers.base import BaseTransformer


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
        return inp.assign(**changed).reset_index(drop=True)

    def _columns(self, inp: pd.DataFrame) -> list[str]:
        with pt.validate.any(inp, context=self) as frame:
            for columns in self.transform_inputs():
                frame.columns(includes=columns, mode=" ".join(columns))
        return [self.on] if self.on is not None else [name for name in ("query", "text") if name in inp.columns]

    def _changed_column(self, column: pd.Series) -> pd.Series:
        values = column.to_numpy(dtype=object, copy=True)
        rows = np.flatnonzero(column.notna())
        for row in rows:
            if not isinstance(values[row], str):
                kind = type(values[row]).__name__
                raise ColieeError(f"Row {row}: {column.name} must be a string, got a value of type {kind}.")
        changed = self.all_changed(list(dict.fromkeys(values[rows])))
        values[rows] = [changed[text] for text in values[rows]]
        dtype = object if isinstance(column.dtype, pd.CategoricalDtype) else column.dtype
        return pd.Series(values, index=column.index, dtype=dtype)


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
        return pd.concat([report, ids], axis=1)


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
        return without_tokens.assign(query=queries).reset_index(drop=True)

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
        prompts = {text: "\n\n".join(filter(None, (self.instruction, text))) for text in texts if text.strip()}
        questions = {text: Question(Conversation([Turn("user", prompt)])) for text, prompt in prompts.items()}
        replied = get_replies(self.model, questions.values(), self.reply_store, verbose=self.verbose)
        rewritten = {text: replied[question].text.strip() for text, question in questions.items()}
        return {text: rewritten.get(text) or text for text in texts}


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
