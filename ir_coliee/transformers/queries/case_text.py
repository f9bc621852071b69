"""Court decisions made ready: cleaned, without their French, or what they say first and where they cite."""

from __future__ import annotations

import pandas as pd

from ir_coliee.arguments import integer_at_least
from ir_coliee.text.case_cleaning import clean_case
from ir_coliee.text.case_sections import case_parts, summary
from ir_coliee.text.citing import citing_context
from ir_coliee.text.french import FrenchPassage, Unit, known_unit, passages_to_drop, without_french
from ir_coliee.text.leads import leading_words
from ir_coliee.transformers.queries.texts import TextTransformer


class CleanCase(TextTransformer):
    """A decision's words alone: `ir_coliee.text.case_cleaning.clean_case`, each step with its switch.

    ``CleanCase(drop_header=True, drop_french=True, join_lines=True)`` is the cleaning of THUIR at COLIEE 2023.

    >>> import pandas as pd
    >>> query = pd.DataFrame({"qid": ["900001"], "query": ["(FC)\\n[1]\\nSee <FRAGMENT_SUPPRESSED> for more."]})
    >>> CleanCase(drop_header=True)(query)["query"].tolist()
    ['See for more.']
    """

    LABEL = "Clean"

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
        """The switches as of `ir_coliee.text.case_cleaning.clean_case`; ``on`` as of `TextTransformer`."""
        super().__init__(on=on)
        self.drop_markers = drop_markers
        self.drop_marks = drop_marks
        self.drop_editorial = drop_editorial
        self.fold_blanks = fold_blanks
        self.drop_header = drop_header
        self.drop_french = drop_french
        self.join_lines = join_lines

    def changed(self, text: str) -> str:
        """What a text becomes."""
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
    """A decision without its French: `ir_coliee.text.french.without_french`.

    It goes before `CleanCase`, which takes away the paragraph marks by which copies are known.

    >>> import pandas as pd
    >>> decision = "[1]\\nThe lamp was lit.\\n[1]\\nLa lampe était allumée."
    >>> DropFrench()(pd.DataFrame({"docno": ["900001"], "text": [decision]}))["text"].tolist()
    ['[1]\\nThe lamp was lit.\\n']
    """

    LABEL = "Drop French"

    def __init__(self, by: Unit = "paragraph", *, duplicates_only: bool = False, on: str | None = None) -> None:
        """``by``: whether numbered paragraphs are judged as one (``paragraph``) or by ``line``; ``duplicates_only``: only
        paragraphs that double an English one go; ``on`` as of `TextTransformer`."""
        super().__init__(on=on)
        self.by = known_unit(by)
        self.duplicates_only = duplicates_only

    def changed(self, text: str) -> str:
        """What a text becomes."""
        return without_french(text, self.by, duplicates_only=self.duplicates_only)

    def report(self, inp: pd.DataFrame) -> pd.DataFrame:
        """What goes from the texts of a frame: one row for each passage, without its text.

        Columns: ``row``, the place of the text in the frame from 0; ``column``; ``start`` and ``end``, offsets in the
        text; ``number`` of its paragraph, missing before the first mark; ``is_copy``; and ``qid`` and ``docno`` of the
        row, as far as the frame has them.

        >>> decision = "[1]\\nThe lamp was lit.\\n[1]\\nLa lampe était allumée."
        >>> DropFrench().report(pd.DataFrame({"docno": ["900001"], "text": [decision]})).to_dict("records")
        [{'row': 0, 'column': 'text', 'start': 22, 'end': 49, 'number': 1, 'is_copy': True, 'docno': '900001'}]
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
        return pd.concat([report, ids], axis=1)


class Summary(TextTransformer):
    """The summary of a decision: `ir_coliee.text.case_sections.summary`; the first words of one that has none.

    Most decisions have no summary. To put it there is a choice of ours.

    >>> import pandas as pd
    >>> cases = ["Summary: A lamp was lent.\\n[1]\\nI allow it.", "[1]\\nI see no reason for doubt. I allow it."]
    >>> Summary(lead=3)(pd.DataFrame({"qid": ["900001", "900002"], "query": cases}))["query"].tolist()
    ['A lamp was lent.', 'I see no']
    """

    LABEL = "Summary"

    def __init__(self, *, lead: int = 200, on: str | None = None) -> None:
        """``lead``: where there is no summary, so many words from the beginning of the cleaned body (ours); 0: nothing.
        ``on`` as of `TextTransformer`."""
        super().__init__(on=on)
        self.lead = integer_at_least("lead", lead, 0)

    def changed(self, text: str) -> str:
        """What a text becomes."""
        if found := summary(text):
            return found
        return leading_words(clean_case(case_parts(text).body.of(text)), self.lead)


class CitingContext(TextTransformer):
    """What a decision says where it cites: `ir_coliee.text.citing.citing_context`.

    It goes before `CleanCase`, which takes away the suppressed markers.

    >>> import pandas as pd
    >>> decision = "The lamp was lit. I agree with <FRAGMENT_SUPPRESSED> there. The gate was shut."
    >>> CitingContext(words=0)(pd.DataFrame({"qid": ["900001"], "query": [decision]}))["query"].tolist()
    ['I agree with there.\\nThe gate was shut.']
    """

    LABEL = "Citing context"

    def __init__(self, *, words: int = 512, on: str | None = None) -> None:
        """``words``: shorter ones go on with the beginning of the decision, up to so many words. ``on`` as of
        `TextTransformer`."""
        super().__init__(on=on)
        self.words = integer_at_least("words", words, 0)

    def changed(self, text: str) -> str:
        """What a text becomes."""
        return citing_context(text, self.words)
