"""Names of the irregularities that a synthetic release can contain.

An edition file lists those that its synthetic release contains on request: most were seen in real releases, some only
test what an audit looks for. Each name is implemented once, by the writer of its task in `ir_coliee.synthetic`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

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
