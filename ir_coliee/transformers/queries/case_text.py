"""Transformers of court decisions: cleaning, removal of French passages, summaries and citation contexts."""

from __future__ import annotations

import pandas as pd

from ir_coliee.frames import integer_at_least
from ir_coliee.text.case_cleaning import clean_case
from ir_coliee.text.case_sections import case_sections, summary
from ir_coliee.text.citing_context import citing_context
from ir_coliee.text.french import FrenchPassage, Unit, check_unit, passages_to_drop, remove_french
from ir_coliee.text.leading_text import leading_words
from ir_coliee.transformers.queries.text_transformer import TextTransformer


class CleanCase(TextTransformer):
    r"""Clean court decisions with `ir_coliee.text.case_cleaning.clean_case`: Q to Q, D to D, R to R.

    ``CleanCase(drop_header=True, drop_french=True, join_lines=True)`` is the cleaning of THUIR at COLIEE 2023.

    Parameters
    ----------
    drop_markers, drop_marks, drop_editorial, fold_blanks : bool, default True
        The steps of `ir_coliee.text.case_cleaning.clean_case` that are on by default.
    drop_header, drop_french, join_lines : bool, default False
        The steps that are off by default.
    on : str, optional
        The column to change. By default ``query`` and ``text``, if the frame has them.

    Examples
    --------
    >>> import pandas as pd
    >>> query = pd.DataFrame({"qid": ["900001"], "query": ["(FC)\n[1]\nSee <FRAGMENT_SUPPRESSED> for more."]})
    >>> CleanCase(drop_header=True)(query)["query"].tolist()
    ['See for more.']
    """

    LABEL = "Clean case"

    def __init__(
        self,
        *,
        drop_markers: bool = True,
        drop_marks: bool = True,
        drop_editorial: bool = True,
        fold_blanks: bool = True,
        drop_header: bool = False,
        drop_french: bool = False,
        join_lines: bool = False,
        on: str | None = None,
    ) -> None:
        super().__init__(on=on)
        self.drop_markers = drop_markers
        self.drop_marks = drop_marks
        self.drop_editorial = drop_editorial
        self.fold_blanks = fold_blanks
        self.drop_header = drop_header
        self.drop_french = drop_french
        self.join_lines = join_lines

    def changed(self, text: str) -> str:
        """Return the cleaned text."""
        return clean_case(
            text,
            drop_markers=self.drop_markers,
            drop_marks=self.drop_marks,
            drop_editorial=self.drop_editorial,
            fold_blanks=self.fold_blanks,
            drop_header=self.drop_header,
            drop_french=self.drop_french,
            join_lines=self.join_lines,
        )


class DropFrench(TextTransformer):
    r"""Remove the French passages of court decisions: Q to Q, D to D, R to R.

    Use it before `CleanCase`, which removes the paragraph marks by which French duplicates are recognised. See
    `ir_coliee.text.french.remove_french`.

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
    >>> import pandas as pd
    >>> decision = "[1]\nThe lamp was lit.\n[1]\nLa lampe était allumée."
    >>> DropFrench()(pd.DataFrame({"docno": ["900001"], "text": [decision]}))["text"].tolist()
    ['[1]\nThe lamp was lit.\n']
    """

    LABEL = "Drop French"

    def __init__(self, by: Unit = "paragraph", *, duplicates_only: bool = False, on: str | None = None) -> None:
        super().__init__(on=on)
        self.by = check_unit(by)
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
            for passage in passages_to_drop(text, self.by, duplicates_only=self.duplicates_only)
        ]
        report = pd.DataFrame(rows, columns=["row", "column", *FrenchPassage._fields]).astype({"number": "Int64"})
        ids = inp[inp.columns.intersection(["qid", "docno"])].iloc[report["row"]].reset_index(drop=True)
        with_ids: pd.DataFrame = pd.concat([report, ids], axis=1)
        return with_ids


class ExtractSummary(TextTransformer):
    r"""Replace court decisions by their summaries, or else by their first words: Q to Q, D to D, R to R.

    Most decisions have no summary. See `ir_coliee.text.case_sections.summary`.

    Parameters
    ----------
    lead : int, default 200
        The number of words from the beginning of the cleaned body for a decision without a summary, >= 0. The default
        is a choice of this package.
    on : str, optional
        The column to change. By default ``query`` and ``text``, if the frame has them.

    Examples
    --------
    >>> import pandas as pd
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
    `ir_coliee.text.citing_context.citing_context`.

    Parameters
    ----------
    words : int, default 512
        Shorter contexts are filled up to this number of words with the beginning of the decision, >= 0.
    on : str, optional
        The column to change. By default ``query`` and ``text``, if the frame has them.

    Examples
    --------
    >>> import pandas as pd
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
