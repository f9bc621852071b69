"""The official form of a submitted run: its columns, ids and file names, and the organisers' rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ir_coliee.display import Block, Table, displayed

#: The columns of each line format by the name that an edition file gives it. A run of the pilot has no columns: it is
#: the test file with its empty values filled in.
LINE_FORMATS: dict[str, tuple[str, ...]] = {
    "answer set": ("query", "item", "tag"),
    "ranked list": ("query", "Q0", "item", "rank", "score", "tag"),
    "filled test file": (),
}

#: The rule of the editions with ``one_language``.
ONE_LANGUAGE_RULE = "a run must not use both languages of a question"


@displayed
@dataclass(frozen=True)
class SubmissionForm:
    """The official form of a run of one split.

    Attributes
    ----------
    format : str
        Name of the line format, a key of `LINE_FORMATS`.
    file : str
        Name of the run file, with the placeholder ``{tag}``. ``{team}`` and ``{affiliation}`` stand for those of the
        group, ``{year}`` in tasks 3 to 5 for the exam year, and ``{test}`` in the pilot for the test file. The
        organisers prescribe no name in tasks 1, 2 and 5; their names follow those of the other tasks.
    long_file : str
        Name of the long list of task 3, or empty.
    answers_file : str
        Name of the file of answers Y and N that goes with a run of task 3, or empty.
    description_file : str
        Name of the text file that describes the systems, or empty.
    mail_subject : str
        Subject of the mail to the organisers, with the placeholder ``{team}``, or empty.
    prefix : str
        Text in front of the query's number.
    is_padded : bool
        Whether ids keep their leading zeros.
    rules : tuple of str
        Requirements on a submission that cannot be checked in the file.
    reference_years : tuple of str
        Exam years of task 4 whose answers were requested in addition to those of the test.
    one_language : bool
        Whether a run must not use both languages of a question; this is also one of the rules.
    is_unverified : bool
        Whether no text of that edition was available, so that the form is taken from neighbouring editions.
    """

    format: str
    file: str
    long_file: str = ""
    answers_file: str = ""
    description_file: str = ""
    mail_subject: str = ""
    prefix: str = ""
    is_padded: bool = True
    rules: tuple[str, ...] = ()
    reference_years: tuple[str, ...] = ()
    one_language: bool = False
    is_unverified: bool = False

    def display(self) -> Iterator[Block]:
        """Return the file names, the line format and the rules, as `ir_coliee.display` shows them."""
        yield Table.of_facts(
            {
                "format": " ".join((f"{self.format}:", *self.columns)) if self.columns else self.format,
                "file": self.file,
                "long list": self.long_file,
                "answers": self.answers_file,
                "description": self.description_file,
                "subject of the mail": self.mail_subject,
                "verified": "no" if self.is_unverified else "yes",
            }
        )
        yield from (f"rule: {rule}" for rule in self.rules)

    def __repr__(self) -> str:
        return f"<SubmissionForm: {self.format}, {self.file}>"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a line; empty if the run is the pilot's test file with its empty values filled in."""
        return LINE_FORMATS[self.format]

    @property
    def has_scores(self) -> bool:
        """Whether each line has a rank and a score."""
        return "score" in self.columns

    def format_query(self, query_id: str) -> str:
        """Return a query id in the form that the organisers require.

        Parameters
        ----------
        query_id : str
            The query id of the dataset.

        Returns
        -------
        str
            The id with the official prefix and padding.

        Examples
        --------
        >>> SubmissionForm("answer set", "task1.{tag}", prefix="t1-", is_padded=False).format_query("001")
        't1-1'
        """
        return self.prefix + self.format_item(query_id)

    def format_item(self, item: str) -> str:
        """Return an item id in the form that the organisers require.

        Parameters
        ----------
        item : str
            The item as returned by `Split.item_of`.

        Returns
        -------
        str
            The id, without leading zeros if the form omits them.
        """
        is_number = item.isascii() and item.isdecimal() and len(item) <= _LONGEST_NUMBER
        return str(int(item)) if is_number and not self.is_padded else item


_LONGEST_NUMBER = 100
