"""The schema of an edition file: the keys that each section may have, and the values of each key."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from ir_coliee.display import Block, Table, displayed
from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.storage import EDITION

# Counts of queries, documents and gold labels, with their certainty.


#: Each certainty by its letter.
CERTAINTIES: dict[str, str] = {
    "M": "measured on files of the edition",
    "O": "the organisers' text",
    "R": "read in programs that package, score or read the edition",
    "C": "seen in participants' programs",
    "D": "derived from such numbers",
    "U": "unverified",
}

#: A count as an edition file writes it: a number and its certainty.
WRITTEN_COUNT = re.compile(rf"([1-9][0-9]{{0,8}}) ([{''.join(CERTAINTIES)}])")


class Count(int):
    """An official number of queries, documents or gold labels, with its certainty.

    Parameters
    ----------
    number : int
        The number.
    certainty : str
        A letter of `CERTAINTIES`: M (measured on files of the edition), O (the organisers' text), R (read in programs
        that package, score or read the edition), C (seen in participants' programs), D (derived from such numbers) or
        U (unverified).

    Examples
    --------
    >>> Count(400, "M") + 1, Count(400, "M").certainty
    (401, 'M')
    """

    certainty: str

    def __new__(cls, number: int, certainty: str) -> Count:
        """Create a count of this number."""
        count = super().__new__(cls, number)
        count.certainty = certainty
        return count

    def __reduce__(self) -> tuple[type[Count], tuple[int, str]]:
        return Count, (int(self), self.certainty)

    @property
    def is_certain(self) -> bool:
        """Whether a release with another number is probably incomplete or damaged."""
        return self.certainty in ("M", "O", "R")


def parse_counts(written: Mapping[str, str]) -> dict[str, Count]:
    """Return counts from the text of an edition file.

    Parameters
    ----------
    written : mapping of str to str
        A text such as ``"400 M"`` for each of ``queries``, ``docs`` and ``qrels`` that is known.

    Returns
    -------
    dict of str to Count
        The counts under the same keys.

    Examples
    --------
    >>> parse_counts({"queries": "650 M", "qrels": "3297 D"})
    {'queries': 650, 'qrels': 3297}
    """
    found = {entity: WRITTEN_COUNT.fullmatch(text) for entity, text in written.items()}
    return {entity: Count(int(match[1]), match[2]) for entity, match in found.items() if match}


# Years of the Japanese bar exam, as the questions of tasks 3 and 4 name them.


#: One exam year, or the first and the last of several: ``R06``, ``H18-R05``.
WRITTEN_EXAM_YEARS = re.compile(r"([HR])([0-9]{2})(?:-([HR])([0-9]{2}))?")

_LAST_OF_HEISEI = 30  # the exam of the year 31 of Heisei is that of the first year of Reiwa, R01


def parse_exam_years(written: str) -> tuple[str, ...]:
    """Return the exam years from the first to the last.

    Parameters
    ----------
    written : str
        One exam year, or the first and the last joined by a hyphen: ``R06``, ``H18-R05``.

    Returns
    -------
    tuple of str
        The exam years in order; empty where the last comes before the first, and where one of them does not exist, such
        as ``R00`` or ``H31``.

    Raises
    ------
    ValueError
        If the text is not of this form.

    Examples
    --------
    >>> parse_exam_years("H29-R02")
    ('H29', 'H30', 'R01', 'R02')
    """
    match = WRITTEN_EXAM_YEARS.fullmatch(written)
    if match is None:
        raise ValueError(f"{written!r} is no exam year such as R06 and no range such as H18-R05.")
    first, start, last, end = match[1], int(match[2]), match[3] or match[1], int(match[4] or match[2])
    if not (_is_year(first, start) and _is_year(last, end)):
        return ()
    if first == last:
        return tuple(f"{first}{year:02}" for year in range(start, end + 1))
    if first == "R":
        return ()
    heisei = (f"H{year:02}" for year in range(start, _LAST_OF_HEISEI + 1))
    return (*heisei, *(f"R{year:02}" for year in range(1, end + 1)))


def _is_year(era: str, year: int) -> bool:
    """Whether an era has an exam of this year."""
    return year >= 1 and (era == "R" or year <= _LAST_OF_HEISEI)


# Building blocks of the schema of an edition file.


#: Placeholders in file names.
FILE_PLACEHOLDERS = ("task", "split", "edition", "language", "exam_year")


class Value(NamedTuple):
    """A value that is not a mapping.

    Attributes
    ----------
    expected : str
        Description of a valid value, for messages.
    is_valid : callable
        Function that decides whether a value is valid.
    """

    expected: str
    is_valid: Callable[[Any], bool]


class Keyed(NamedTuple):
    """A mapping whose keys are data, such as languages or exam years.

    Attributes
    ----------
    expected : str
        Description of a valid key, for messages.
    is_key : callable
        Function that decides whether a key is valid.
    of : Schema
        The schema of each value.
    """

    expected: str
    is_key: Callable[[str], bool]
    of: Any


class Either(NamedTuple):
    """A value that may be a mapping or not, with the schema of either.

    Attributes
    ----------
    value : Value
        The schema of a value that is not a mapping.
    mapping : Schema
        The schema of a mapping.
    """

    value: Value
    mapping: Any


Schema = Value | Keyed | Either | Mapping[str, Any]


def one_of(values: Iterable[str]) -> Value:
    """Return the schema of a value that is one of several."""
    known = tuple(values)
    return Value(f"one of: {', '.join(known)}", lambda value: value in known)


def is_list_of(is_item: Callable[[Any], object]) -> Callable[[Any], bool]:
    """Return the function that decides whether a value is a list of such texts."""
    return lambda value: isinstance(value, list) and all(isinstance(item, str) and is_item(item) for item in value)


def has_placeholders(text: object, known: tuple[str, ...]) -> bool:
    """Return whether a value is a text without placeholders other than the known ones."""
    if not isinstance(text, str):
        return False
    try:
        fields = [(field, spec, flag) for _, field, spec, flag in string.Formatter().parse(text) if field is not None]
    except ValueError:
        return False
    return all(field in known and not spec and not flag for field, spec, flag in fields)


TEXT = Value("text", lambda value: isinstance(value, str))
FLAG = Value("true or false", lambda value: isinstance(value, bool))


# The official form of a submitted run: its columns, ids and file names, and the organisers' rules.


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


# Names of the irregularities that a synthetic release can contain.


#: Irregularities of folders and files, with one sentence for each.
_OF_FILES = {
    "nested folder": "The documents lie in a second folder of the same name inside their folder.",
    "nested folder named cases": "The cases lie in a folder named cases inside their folder.",
    "unrelated files": "System files and the label file of another year lie among the documents.",
    "renamed label file": "Label files have the names that participants' tools give them.",
    "queries without gold": "The queries of the test are also given as a file without gold.",
    "file that no label names": "A document is neither a query nor gold.",
    "identical text that is not gold": "A document that no label names has the text of a gold document.",
    "LF twin of a CRLF text": "Two documents differ only in their line ends.",
    "near-identical text": "Two documents differ only in capital letters.",
    "name of another text in train": "Train and test use the same file name for different texts.",
}
_OF_CASE_LABELS = {
    "query that is noticed": "A query is also gold of another query.",
    "query of both splits": "A query has gold in train and other gold in test; both splits share their documents.",
    "repeated gold": "A gold item of a query is written twice.",
    "repeated key": "A query is written twice with different gold; the last one counts.",
    "gold without a file": "A gold item has no file.",
    "self-citation": "A query is its own gold.",
    "candidates from 000": "The candidates of a query are numbered from 000 instead of 001.",
    "candidate without a file": "The label file names a candidate that has no file.",
    "gold of the query's own number": "A noticed case has the same number as its query.",
    "gold of the case's own number": "An entailing paragraph has the same number as its case.",
    "no answer element": "A query of an XML label file has no element for its answers.",
    "empty answer element": "A query of an XML label file has an empty element for its answers.",
    "label file of the call": "The XML label file has the form shown in the call for participation.",
}
_OF_DECISIONS = {
    "CRLF": "A text has the line ends CRLF.",
    "no-break space": "A text contains a no-break space.",
    "soft hyphen": "A text contains a soft hyphen.",
    "glued marks": "Suppression marks are joined to the words around them.",
    "no first mark": "The first paragraph of a decision is not number 1.",
    "repeated mark": "A decision has a paragraph number twice.",
    "skipped mark": "A decision omits a paragraph number.",
    "spaced marks": "Paragraph numbers are surrounded by blanks.",
    "text on the line of a mark": "The text begins on the line of its paragraph number.",
    "translation": "A decision is marked as a translation.",
    "bilingual notice": "A notice announces that another language version follows.",
    "bilingual notice before a mark": "A notice of another language version precedes a suppression mark.",
    "bilingual notice alone": "A notice of another language version is given in one language.",
    "French double": "The French version of a decision follows the English one.",
    "headnote": "A headnote precedes the decision.",
    "no end mark": "A decision ends without its end mark.",
    "blank lines": "All lines of a decision are separated by blank lines.",
    "not UTF-8": "A text contains a byte that is not UTF-8.",
}
_OF_PARAGRAPHS = {
    "mark unlike the file name": "A paragraph's number differs from its file name.",
    "spaced mark": "A paragraph's number is surrounded by blanks.",
    "blank line before the mark": "A blank line precedes a paragraph's number.",
    "mark without bracket": "A paragraph's number lacks its opening bracket.",
    "no mark": "A paragraph has no number.",
    "fragment of several lines": "A fragment is written on several lines.",
}
_OF_QUESTIONS = {
    "paragraphs missing": "An article is quoted without all of its paragraphs.",
    "quotation marks": "A statement contains quotation marks.",
    "trailing blanks": "Blanks follow the tag that closes the articles.",
    "single quotes": "The attributes of a question have single quotes.",
    "stray heading": "A heading of the code follows a quoted article.",
    "several lines": "A statement is written on several lines.",
    "statement on the line of its tags": "A statement is written on the line of its tags.",
    "article not in the code": "A gold article is not in the civil code.",
    "label neither Y nor N": "A question has the label '?'.",
    "question given twice": "A question is written twice.",
    "other characters": "An English statement contains characters that are not ASCII.",
    "empty items": "A quoted article ends with items that have no text.",
    "head without its first character": "A Japanese article head lacks its first character.",
    "option before the statement": "A statement begins with the letter of its option.",
    "no article": "A question has no gold article.",
}
_OF_STATUTE_FILES = {
    "test without labels": "The answers of the test are not published.",
    "test without labels too": "The test is given with labels and, as another file, without.",
    "file twice": "Some exam years are given again in the package of a second test.",
    "example answers": "Example answers lie beside the questions.",
    "code with CRLF": "The English civil code has the line ends CRLF.",
    "line like a head": "Lines of the wrapped civil code look like article heads and headings.",
    "wrapped caption": "A caption of the wrapped civil code is written on two lines.",
    "caption with brackets": "A caption of the wrapped civil code contains brackets.",
    "derived files missing": "The files that the organisers' program derives have not been derived yet.",
    "first exam year as in the call": "The first exam year has the form shown in the call for participation.",
    "first exam year with article tags": "The first exam year names its articles in tags instead of quoting them.",
}
_OF_TORTS = {
    "byte order mark": "The train file begins with a byte order mark and ends with a line feed.",
    "escaped characters": "An instance is written with escaped characters.",
    "no facts": "An instance has no undisputed facts.",
    "no claim of the plaintiff": "An instance has no claim of the plaintiff.",
    "no claim accepted": "No claim of an instance was accepted.",
    "several lines and full-width digits": "A fact has several lines and full-width digits.",
    "labels missing": "Further files contain the test without all or some of its labels.",
}

#: Every irregularity by name, with one sentence that describes it.
IRREGULARITIES: Mapping[str, str] = MappingProxyType(
    {
        **_OF_FILES,
        **_OF_CASE_LABELS,
        **_OF_DECISIONS,
        **_OF_PARAGRAPHS,
        **_OF_QUESTIONS,
        **_OF_STATUTE_FILES,
        **_OF_TORTS,
    }
)


# The schema of the section ``synthetic`` of an edition file, which `ir_coliee.synthetic` reads.


#: Styles of the label files of tasks 1 and 2.
LABEL_STYLES: Mapping[str, str] = MappingProxyType(
    {
        "indented": "a JSON object, indented by four blanks",
        "lines": "a JSON object with one query per line",
        "line": "a JSON object on one line",
        "entry XML": "XML with an element <entry> for each query",
        "instance XML": "XML with an element <instance> for each query",
    }
)

#: Forms of the files of exam questions.
PAIR_FORMS: Mapping[str, str] = MappingProxyType(
    {
        "articles run together": "caption, head and paragraphs of an English article on one line",
        "article tags in t1": "the articles named in tags inside of <t1>",
        "Japanese with two kinds of blanks": "Japanese articles with a full-width or a plain blank after the head",
        "head behind the caption": "the head of an English article on the line of its caption",
        "head on its own line": "the head of an English article on a line of its own, without caption",
        "head before the text": "the head of an English article on the line of its text, without caption",
        "captions and several heads": "English articles with captions and with several forms of heads",
        "captions and joined heads": "English articles with captions and with heads joined to a paragraph number",
        "captions and heads before the text": "English articles with captions and with heads before the text",
        "unlabelled in English": "English articles with captions and with heads before the text, without labels",
        "unlabelled in Japanese": "Japanese articles, without labels",
        "Japanese": "Japanese articles with a plain blank after the head",
        "unlabelled without articles": "questions without articles and labels",
        "article tags": "the articles named in tags <article>",
        "Japanese from article tags": "Japanese articles as the organisers' program inserts them for the tags",
    }
)

_RANGE = re.compile(r"\d+ (?:to|through|and) \d+")


def _is_path(value: object) -> bool:
    return has_placeholders(value, FILE_PLACEHOLDERS) and not str(value).startswith("/") and ".." not in str(value)


def _is_number(value: object) -> bool:
    return type(value) is int and value > 0


def _are_numbers(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_number, value))


_PATH = Value(f"a relative path, which may contain the placeholders {{{'}, {'.join(FILE_PLACEHOLDERS)}}}", _is_path)
_NUMBER = Value("a number from 1", _is_number)
_NUMBERS = Value("a list of numbers from 1", _are_numbers)
_IRREGULARITIES = Value(
    "a list of names of ir_coliee.editions.IRREGULARITIES", is_list_of(lambda name: name in IRREGULARITIES)
)

_CASE_LAW_SPLIT = {
    "folder": _PATH,
    "label_file": _PATH,
    "label_style": one_of(LABEL_STYLES),
    "unlabelled_file": _PATH,
    "unlabelled_style": one_of(("labels", "array")),
    "query_file": _PATH,
    "summary_file": _PATH,
    "answer_file": _PATH,
    "numbering": one_of(("continued", "restarted")),
    "gains_digit": FLAG,
    "distinct_candidates": FLAG,
    "gold_values": one_of(("lists", "strings", "mixed")),
}
#: The section of tasks 1 and 2.
SYNTHETIC_CASE_LAW: Mapping[str, Any] = {
    **_CASE_LAW_SPLIT,
    "irregularities": _IRREGULARITIES,
    "train": _CASE_LAW_SPLIT,
    "test": _CASE_LAW_SPLIT,
}

_OUTLINE = {
    "last_article": _NUMBER,
    "branches": _NUMBER,
    "deleted": _NUMBERS,
    "deleted_ranges": Value('a list of ranges such as "38 to 84"', is_list_of(_RANGE.fullmatch)),
    "parts": _NUMBERS,
    "ends_in_branch": FLAG,
}
_STATUTES_IN_A_LANGUAGE = {
    "folder": _PATH,
    "code_folder": _PATH,
    "derived_code_file": _PATH,
    "train_folder": _PATH,
    "test_folder": _PATH,
    "derived_train_file": _PATH,
    "pair_form": one_of(PAIR_FORMS),
    "unlabelled_test_file": _PATH,
    "always_unlabelled": FLAG,
    "second_folder": _PATH,
    "repeated_exam_years": Value("a list of exam years", is_list_of(re.compile(r"[HR]\d\d").fullmatch)),
    "example_answers": Value("a list of file names", is_list_of(_is_path)),
    "irregularities": _IRREGULARITIES,
}
#: The section of the statute tasks.
SYNTHETIC_STATUTES: Mapping[str, Any] = {
    **_STATUTES_IN_A_LANGUAGE,
    "outline": _OUTLINE,
    "en": _STATUTES_IN_A_LANGUAGE,
    "ja": _STATUTES_IN_A_LANGUAGE,
}

#: The section of the pilot.
SYNTHETIC_PILOT: Mapping[str, Any] = {"folder": _PATH, "irregularities": _IRREGULARITIES}


# The tasks of COLIEE, and the sections of an edition file that describe them.


#: The official name of each task.
TASK_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "task1": "Legal Case Retrieval",
        "task2": "Legal Case Entailment",
        "task3": "Statute Law Retrieval",
        "task4": "Legal Textual Entailment",
        "task5": "Statute Law Question Answering",
        "prediction": "Legal Judgment Prediction for Japanese Tort Cases: Tort Prediction",
        "rationale": "Legal Judgment Prediction for Japanese Tort Cases: Rationale Extraction",
    }
)

#: The section of an edition file that describes the files of each task: several tasks can use the same files.
PACKAGE_SECTIONS: Mapping[str, str] = MappingProxyType(
    {
        "task1": "task1",
        "task2": "task2",
        "task3": "statutes",
        "task4": "statutes",
        "task5": "statutes",
        "prediction": "pilot",
        "rationale": "pilot",
    }
)

#: Languages of the datasets, with the abbreviation that file names have.
LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "en", "ja": "jp"})

#: The name of each language.
LANGUAGE_NAMES: Mapping[str, str] = MappingProxyType({"en": "English", "ja": "Japanese"})

#: The name of the folder that contains each query's items, by layout.
ITEM_FOLDERS: Mapping[str, str] = MappingProxyType({"pools": "candidates", "cases": "paragraphs"})

#: Layouts of the files of a release.
LAYOUTS: Mapping[str, str] = MappingProxyType(
    {
        "flat": "all decisions in one folder, named by a number; the label file names the queries",
        "pools": "a folder for each query, with its candidate decisions",
        "cases": "a folder for each query, with the paragraphs of the noticed case",
        "pairs": "a file for each exam year, with the text of the gold articles of each question",
        "simple pairs": "a file for each exam year, with the numbers of the gold articles of each question",
        "JSON Lines": "a line for each tort instance",
    }
)

#: Formats of gold labels.
LABEL_FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "JSON": "an object of lists, by query",
        "XML": "an index of queries with their items",
        "article heads": "the heads of the articles that a question quotes",
        "article tags": "an <article> element for each gold article of a question",
        "label attribute": "the attribute label of a question: Y or N",
        "true or false": "true, false or null in a line of JSON",
    }
)

#: Formats of the Civil Code.
CODE_FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "wrapped text": "plain text, partly wrapped, with all five parts of the code",
        "text": "plain text with a line for each article, paragraph and item",
        "law XML": "the XML of the public law service, or the organisers' civil.xml made of it",
    }
)


# Reader for edition files: plain values together with the line of each value.


#: The keys and list positions that lead to a value.
Keys = tuple[str | int, ...]

_PREFIX = "tag:yaml.org,2002:"

# the kinds of value that each form may have
_KINDS = {
    "mapping": {"map"},
    "sequence": {"seq"},
    "scalar": {"str", "int", "float", "bool", "null", "timestamp", "merge", "value"},
}
_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_DEEPEST = 20  # the largest depth of nested values; an edition has about five
_PLAIN_INTEGER = re.compile(r"[1-9][0-9]{0,17}")


class EditionFile(NamedTuple):
    """The content of an edition file.

    Attributes
    ----------
    path : pathlib.Path
        The file.
    data : dict
        Its content: dicts, lists, str, int, bool and None.
    lines : dict
        The line of each value, counted from 1, by the keys that lead to it.
    """

    path: Path
    data: dict[str, Any]
    lines: dict[Keys, int]

    def line(self, keys: Keys) -> int:
        """Return the line of a value, or of the nearest enclosing value if it is not in the file."""
        while keys and keys not in self.lines:
            keys = keys[:-1]
        return self.lines.get(keys, 1)


def read_edition_file(path: Path) -> EditionFile:
    """Read an edition file.

    Parameters
    ----------
    path : pathlib.Path
        A YAML file in UTF-8.

    Returns
    -------
    EditionFile
        Its content and the line of each value.

    Raises
    ------
    MalformedFileError
        If the file is too large, not YAML or not a mapping, repeats a key, nests values too deeply, or uses anchors or
        tags.
    """
    root = _compose(path)
    lines: dict[Keys, int] = {}
    data = _value(path, root, (), lines, set()) if root is not None else None
    if not isinstance(data, dict):
        raise MalformedFileError(path, 1, "the file is not a mapping of keys to values", "a line such as edition: 2027")
    return EditionFile(path, data, lines)


def _compose(path: Path) -> Any:
    """Return the root node of a YAML file; None if the file has no value."""
    import yaml  # its import is slow, and importing the package needs no edition file

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        text = EDITION.read_file(path).decode("utf-8-sig")
        depth = 0
        for event in yaml.parse(text, Loader=loader):  # composing takes quadratic time in the depth
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                line = event.start_mark.line + 1 if event.start_mark else None
                raise MalformedFileError(
                    path, line, f"too many nested values, more than {_DEEPEST}", "the keys of an edition"
                )
        return yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = str(error.problem or error.context)
        raise MalformedFileError(path, mark.line + 1 if mark else None, problem, "YAML") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise MalformedFileError(path, None, printable(str(error).partition("\n")[0]), "YAML in UTF-8") from None


def _value(path: Path, node: Any, keys: Keys, lines: dict[Keys, int], seen: set[int]) -> Any:
    """Return the plain value of a node; notes its line under its keys."""
    line = node.start_mark.line + 1
    lines.setdefault(keys, line)
    if id(node) in seen:
        raise MalformedFileError(
            path, line, "YAML anchors are not supported", "values without anchors, or like: EDITION"
        )
    seen.add(id(node))
    kind = node.tag.removeprefix(_PREFIX)
    if kind not in _KINDS[node.id]:  # only a tag that the file states can differ from the form of the value
        raise MalformedFileError(
            path, line, f"the YAML tag {printable(node.tag)} is not supported", "a value without a tag"
        )
    if node.id == "mapping":
        result = {}
        for key, child in _entries(path, node):
            inner: Keys = (*keys, key)
            lines[inner] = child[0]
            result[key] = _value(path, child[1], inner, lines, seen)
        return result
    if node.id == "sequence":
        return [_value(path, child, (*keys, number), lines, seen) for number, child in enumerate(node.value)]
    return _scalar(kind, node.value)


def _scalar(kind: str, text: str) -> str | int | bool | None:
    """Return the plain value of a scalar. A text that is not of its kind stays a text, which the schema reports."""
    if kind == "null" and text.lower() in ("", "~", "null"):
        return None
    if kind == "bool" and text.lower() in _FLAGS:
        return _FLAGS[text.lower()]
    if kind == "int" and _PLAIN_INTEGER.fullmatch(text):
        return int(text)
    return text


def _entries(path: Path, node: Any) -> Iterator[tuple[str, tuple[int, Any]]]:
    """The entries of a mapping, each key with its line and its value's node."""
    known: dict[str, int] = {}
    for key_node, child in node.value:
        line = key_node.start_mark.line + 1
        if key_node.id != "scalar":
            raise MalformedFileError(path, line, f"a {key_node.id} is not a valid key", "a word followed by a colon")
        key = str(key_node.value)
        if key_node.tag != f"{_PREFIX}str" and not key.isdecimal():
            raise MalformedFileError(path, line, f"{printable(key)} is not a valid key", "a word followed by a colon")
        if key in known:
            raise MalformedFileError(
                path, line, f"the key {printable(key)} is already on line {known[key]}", "each key once"
            )
        known[key] = line
        yield key, (line, child)


# The schema of an edition file: the keys that each section may have, and the values of each key.


_LONGEST_SHOWN = 30  # characters of a key or a value in a message

#: Name of an edition: a year, or a word such as ``sample``.
EDITION_NAME = re.compile(r"20\d\d|[a-z][a-z0-9]*")

MEASURES = ("MicroF1", "MacroF2", "GatedAccuracy", "AnswerAccuracy", "MacroF")

_LEADERBOARDS = Path(__file__).parents[1] / "etc" / "leaderboards"
_QUESTION_ID = re.compile(r"[HR]\d{1,2}-\d+-\w+")
_CONTINUED = re.compile(r"20\d\d (?:train|test)")


def _is_name(value: object) -> bool:
    return has_placeholders(value, FILE_PLACEHOLDERS) and bool(value) and "/" not in str(value)


def _is_names(value: object) -> bool:
    return _is_name(value) or (isinstance(value, list) and bool(value) and all(map(_is_name, value)))


def _is_exam_years(value: object) -> bool:
    return isinstance(value, str) and bool(WRITTEN_EXAM_YEARS.fullmatch(value)) and bool(parse_exam_years(value))


def _is_exam_year(value: str) -> bool:
    return _is_exam_years(value) and "-" not in value


def _is_language(value: str) -> bool:
    return value in LANGUAGES


_LIKE = Value("the name of another edition", lambda value: bool(EDITION_NAME.fullmatch(str(value))))
_SUBJECT = Value("a text, which may contain the placeholder {team}", lambda value: has_placeholders(value, ("team",)))
_PLAIN_NAMES = Value(
    f"a file name or a list of file names, which may contain the placeholders {{{'}, {'.join(FILE_PLACEHOLDERS)}}}",
    _is_names,
)
_NAMES = Either(_PLAIN_NAMES, Keyed("a language: en or ja", _is_language, _PLAIN_NAMES))
_COUNT = Value(
    'a number and its certainty (M, O, R, C, D or U), such as "400 M"',
    lambda value: isinstance(value, str) and bool(WRITTEN_COUNT.fullmatch(value)),
)
_COUNTS = {"queries": _COUNT, "docs": _COUNT, "qrels": _COUNT}
_COUNTS_BY_LANGUAGE = Keyed("a language: en or ja", _is_language, _COUNTS)
_QUESTIONS = Value("a list of question ids", is_list_of(_QUESTION_ID.fullmatch))
_YEAR_COUNTS = Value(
    "a list of the number of questions and, where known, of gold articles",
    lambda value: (
        isinstance(value, list) and len(value) in (1, 2) and all(type(number) is int and number > 0 for number in value)
    ),
)
_SENTENCES = Value("a list of sentences", is_list_of(bool))


def _submission(*placeholders: str) -> dict[str, Value]:
    """The keys of a submission form, whose file names may contain these placeholders beside those of every task."""
    known = ("tag", "team", "affiliation", *placeholders)
    file = Value(
        f"a file name without a folder, which may contain the placeholders {{{'}, {'.join(known)}}}",
        lambda value: has_placeholders(value, known) and not re.search(r"[/\\]", str(value)),
    )
    return {
        "format": one_of(LINE_FORMATS),
        "file": file,
        "long_file": file,
        "answers_file": file,
        "description_file": file,
        "mail_subject": _SUBJECT,
        "prefix": TEXT,
        "padded_ids": FLAG,
        "one_language": FLAG,
        "rules": _SENTENCES,
        "reference_years": Value("a list of exam years", is_list_of(_is_exam_year)),
        "unverified": FLAG,
    }


def _package(
    roles: tuple[str, ...], optional_roles: tuple[str, ...], split: Mapping[str, Any], synthetic: Mapping[str, Any]
) -> dict[str, Any]:
    """The keys of a section that describes files."""
    names = {
        "files": dict.fromkeys(roles, _NAMES),
        "undated_files": dict.fromkeys(roles, _NAMES),
        "optional_files": dict.fromkeys(optional_roles, _NAMES),
        "unverified": FLAG,
    }
    splits = {key: {**names, **split} for key in ("train", "test")}
    languages = Value("a list of languages: en, ja", is_list_of(_is_language))
    return {
        "like": _LIKE,
        "languages": languages,
        "layout": one_of(LAYOUTS),
        **names,
        "notes": _SENTENCES,
        "synthetic": synthetic,
        **splits,
    }


def _is_leaderboard(value: Any) -> bool:
    return (
        isinstance(value, str) and bool(re.fullmatch(r"[\w-]+", value)) and (_LEADERBOARDS / f"{value}.csv").is_file()
    )


def _task(counts: Any, split: Mapping[str, Any], submission: Mapping[str, Value]) -> dict[str, Any]:
    """The keys of a section that describes a task."""
    splits = {key: {"counts": counts, **split} for key in ("train", "test")}
    return {
        "like": _LIKE,
        "measure": one_of(MEASURES),
        "labels": one_of(LABEL_FORMATS),
        "leaderboard": Value("the name of a leaderboard of the package, such as 2026-task1", _is_leaderboard),
        "notes": _SENTENCES,
        "submission": submission,
        **splits,
    }


_CONTINUES = {
    "continues": Value(
        'a list of earlier splits, such as ["2019 train", "2019 test"]', is_list_of(_CONTINUED.fullmatch)
    )
}
_CASES = _package(("corpus", "labels"), ("gold of a case",), {"counts": _COUNTS, **_CONTINUES}, SYNTHETIC_CASE_LAW)
_CASE_LAW = {**_task(_COUNTS, {}, _submission()), **_CASES, "shares_corpus": FLAG, "answers_are_positions": FLAG}
_STATUTES = {
    **_package(
        ("articles", "questions"),
        ("gold", "answers"),
        {
            "exam_years": Value("one exam year such as R06 or a range such as H18-R05", _is_exam_years),
            "exam_year_counts": Keyed(
                "a language: en or ja", _is_language, Keyed("an exam year such as R06", _is_exam_year, _YEAR_COUNTS)
            ),
            "excluded": _QUESTIONS,
            "as_distributed": _COUNTS,
        },
        SYNTHETIC_STATUTES,
    ),
    "code_format": one_of(CODE_FORMATS),
}
_STATUTE_TASK = _task(_COUNTS_BY_LANGUAGE, {"excluded": _QUESTIONS}, _submission("year"))
_PILOT = {
    **_package(("instances",), (), {}, SYNTHETIC_PILOT),
    "edition_mark": TEXT,
    "edition_mark_required": FLAG,
}
_PILOT_TASK = _task(_COUNTS, {}, _submission("test"))

#: The schema of an edition file.
SCHEMA: Mapping[str, Any] = {
    "edition": Value("a year, or a word in lower case", lambda value: bool(EDITION_NAME.fullmatch(str(value)))),
    "year": Value("a year from 2000 to 2099", lambda value: type(value) is int and 2000 <= value < 2100),
    "built_in": FLAG,
    "task1": _CASE_LAW,
    "task2": _CASE_LAW,
    "statutes": _STATUTES,
    "task3": _STATUTE_TASK,
    "task4": _STATUTE_TASK,
    "task5": _STATUTE_TASK,
    "pilot": _PILOT,
    "prediction": _PILOT_TASK,
    "rationale": _PILOT_TASK,
}

#: The sections of an edition file.
SECTIONS = tuple(name for name, schema in SCHEMA.items() if not isinstance(schema, Value))


def validate_edition_file(file: EditionFile) -> None:
    """Check an edition file on its own.

    Parameters
    ----------
    file : EditionFile
        The content of the file.

    Raises
    ------
    MalformedFileError
        If a key is unknown or a value is invalid. The error has the line of the first one.
    """
    for keys, problem, expected in _problems(SCHEMA, file.data, ()):
        raise MalformedFileError(file.path, file.line(keys), problem, expected)
    if "edition" not in file.data:
        raise MalformedFileError(file.path, 1, "the key edition is missing", f"edition: {printable(file.path.stem)}")
    if str(file.data["edition"]) != file.path.stem:
        name = printable(str(file.data["edition"]))
        problem = f"edition is {name}, but the file has another name"
        raise MalformedFileError(file.path, file.line(("edition",)), problem, f"a file named {name}.yaml")


def _problems(schema: Schema | None, value: object, keys: Keys) -> Iterator[tuple[Keys, str, str]]:
    """Yield keys, problem and expected value of each invalid value. A null removes a value taken from ``like``."""
    if isinstance(schema, Either):
        schema = schema.mapping if isinstance(value, dict) else schema.value
    if schema is None or (value is None and keys):
        return
    name = printable(str(keys[-1]), _LONGEST_SHOWN) if keys else "the file"
    if isinstance(schema, Value):
        if isinstance(value, dict) or not schema.is_valid(value):
            yield keys, f"{name} is {_described(value)}", schema.expected
    elif not isinstance(value, dict):
        yield keys, f"{name} is {_described(value)}", "a mapping of keys to values"
    else:
        yield from _problems_of_entries(schema, value, keys)


def _problems_of_entries(
    schema: Keyed | Mapping[str, Any], value: Mapping[str, object], keys: Keys
) -> Iterator[tuple[Keys, str, str]]:
    for key, inner in value.items():
        if isinstance(schema, Keyed):
            known, of, near, expected = schema.is_key(key), schema.of, "", schema.expected
        else:
            known, of, near = key in schema, schema.get(key), _near(key, schema)
            expected = f"one of: {', '.join(schema)}"
        if known:
            yield from _problems(of, inner, (*keys, key))
        else:
            yield (*keys, key), f"unknown key {printable(key, _LONGEST_SHOWN)}{near}", expected


def _described(value: object) -> str:
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else f"the list {printable(str(value), _LONGEST_SHOWN)}"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return "empty" if value in ("", None) else printable(text, _LONGEST_SHOWN)


def _near(key: str, known: Iterable[str]) -> str:
    import difflib  # its import is slow

    near = difflib.get_close_matches(key, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


# Sections that follow another edition: the key ``like`` of an edition file.


#: Keys of facts that hold for one edition alone: ``like`` leaves them out, at any level of a section.
OWN_FACTS = frozenset(
    {
        "as_distributed",
        "continues",
        "counts",
        "edition_mark",
        "edition_mark_required",
        "exam_year_counts",
        "exam_years",
        "excluded",
        "leaderboard",
        "notes",
        "optional_files",
        "reference_years",
        "shares_corpus",
        "unverified",
    }
)


def resolved_section(file: EditionFile, name: str, read: Callable[[str], EditionFile | None]) -> dict[str, Any]:
    """Return a section of an edition with the values that it takes from the edition named by ``like``.

    A mapping is completed key by key. Any other value, lists included, replaces that of the other edition, and a null
    removes it. File names for both splits replace those that the other edition has for each split. The keys in
    `OWN_FACTS` are left out.

    Parameters
    ----------
    file : EditionFile
        The file of the edition.
    name : str
        The name of the section.
    read : callable
        Function that returns the file of an edition by name, or None where there is none.

    Returns
    -------
    dict
        The section, without ``like``.

    Raises
    ------
    MalformedFileError
        If ``like`` names an unknown edition or one without that section, or if editions follow each other in a circle.
    """
    return _resolved(file, name, read, ())


def _resolved(
    file: EditionFile, name: str, read: Callable[[str], EditionFile | None], above: tuple[str, ...]
) -> dict[str, Any]:
    section = {key: value for key, value in (file.data[name] or {}).items() if key != "like"}
    like = (file.data[name] or {}).get("like")
    if like is None:
        return _merged({}, section)
    path, line = file.path, file.line((name, "like"))
    chain = (*above, str(file.data["edition"]))
    if str(like) in chain:
        raise MalformedFileError(
            path, line, f"like: {like} follows this edition in turn", "an edition that does not follow this one"
        )
    other = read(str(like))
    if other is None:
        problem = f"like: {printable(str(like))} names no edition"
        raise MalformedFileError(
            path, line, problem, "the name of another edition, whose file is in the package or in the data folder"
        )
    if not other.data.get(name):
        raise MalformedFileError(path, line, f"COLIEE {like} has no section {name}", f"an edition with {name}")
    base = _without_own_facts(_resolved(other, name, read, chain))
    return _merged(_without_replaced_names(base, section), section)


def _without_replaced_names(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the names of each split where the section that follows states names of both splits."""
    left = dict(base)
    for key in ("files", "undated_files"):
        for split in ("train", "test"):
            of_split = (left.get(split) or {}).get(key)
            if of_split and own.get(key):
                kept = {role: names for role, names in of_split.items() if role not in own[key]}
                left[split] = {**left[split], key: kept}
    return left


def _without_own_facts(section: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: _without_own_facts(value) if isinstance(value, dict) else value
        for key, value in section.items()
        if key not in OWN_FACTS
    }


def _merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in own.items():
        if isinstance(value, dict):
            before = merged.get(key)
            merged[key] = _merged(before if isinstance(before, dict) else {}, value)
        elif value is None:
            merged.pop(key, None)
        else:
            merged[key] = value
    return merged


# Checks that an edition has all keys that its splits need, including keys that it takes from other editions.


Section = Mapping[str, Any]

_OF_TASK = ("measure", "labels", "submission", "submission.format", "submission.file")
_OF_PACKAGE = ("languages", "layout")
_ROLES: Mapping[str, tuple[str, ...]] = {
    "task1": ("corpus", "labels"),
    "task2": ("corpus", "labels"),
    "statutes": ("articles", "questions"),
    "pilot": ("instances",),
}


def split_names(section: Section) -> list[str]:
    """Return the splits that a section describes.

    Parameters
    ----------
    section : mapping
        A section of an edition file.

    Returns
    -------
    list of str
        ``train`` and ``test``, if the section has them.
    """
    return [name for name in ("train", "test") if name in section]


def check_complete(file: EditionFile, sections: Mapping[str, Section]) -> None:
    """Check that the sections of an edition have all keys that its splits need, and that its splits are distinct.

    Parameters
    ----------
    file : EditionFile
        The file of the edition.
    sections : mapping of str to mapping
        Its sections, completed with the values that they take from other editions.

    Raises
    ------
    MalformedFileError
        If a key is missing; if a split continues one that is not earlier; if train
        and test have an exam year in common.
    """
    for task, package in PACKAGE_SECTIONS.items():
        if task not in sections:
            continue
        if package not in sections:
            problem = f"{task} is described, but not its files"
            raise MalformedFileError(file.path, file.line((task,)), problem, f"a section {package}")
        missing = [(task, key) for key in _OF_TASK if not _get(sections[task], key)]
        missing += [(package, key) for key in _missing_in_package(sections[package], package, sections[task])]
        for section, key in missing:
            line = file.line((section, *key.split(".")))
            raise MalformedFileError(file.path, line, f"{section} has no {key}", f"{key}, or like: EDITION")
        for name in split_names(sections[task]):
            _check_continued(file, package, name, sections[package][name].get("continues", ()))
    if "statutes" in sections:
        _check_exam_years(file, sections["statutes"])


def _check_continued(file: EditionFile, package: str, name: str, continued: Sequence[str]) -> None:
    """Check that a split continues splits of earlier editions, so that none continues itself."""
    edition = str(file.data["edition"])
    for earlier in continued:
        if edition.isdecimal() and earlier[: len(edition)] >= edition:
            problem = f"continues names {earlier}, which is not earlier than {edition}"
            line = file.line((package, name, "continues"))
            raise MalformedFileError(file.path, line, problem, "splits of earlier editions")


def _check_exam_years(file: EditionFile, section: Section) -> None:
    """Check that no exam year is in both splits, because each exam year is a split with one id."""
    written = [str(_get(section, f"{name}.exam_years") or "") for name in ("train", "test")]
    train, test = (parse_exam_years(text) if text else () for text in written)
    if common := [year for year in test if year in train]:
        problem = f"train and test both have the exam year {common[0]}"
        line = file.line(("statutes", "test", "exam_years"))
        raise MalformedFileError(file.path, line, problem, "each exam year in one split")


def _get(section: Section, key: str) -> object:
    """Return the value of a key; nested keys are joined with dots."""
    value: object = section
    for name in key.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _missing_in_package(section: Section, package: str, task: Section) -> Iterator[str]:
    """Yield the keys that the section of the files lacks for the splits of a task."""
    yield from (key for key in _OF_PACKAGE if not section.get(key))
    for name in split_names(task):
        if name not in section:
            yield name
            continue
        for role in _ROLES[package]:
            if not _get(section, f"files.{role}") and not _get(section, f"{name}.files.{role}"):
                yield f"{name}.files.{role}"
        if package == "statutes" and "exam_years" not in section[name]:
            yield f"{name}.exam_years"
