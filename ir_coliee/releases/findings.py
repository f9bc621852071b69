"""What readers and audits find: the table of checks, findings, and warnings that become findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ir_coliee.errors import ColieeWarning, printable_list

#: The levels of findings, the most serious first.
LEVELS = ("wrong", "changes your score", "information")


class Check(NamedTuple):
    """A check of an audit.

    Attributes
    ----------
    level : {"wrong", "changes your score", "information"}
        ``wrong``: the local copy is damaged or incomplete. ``changes your score``: figures differ from the organisers',
        or are higher or lower than on other data.
    advice : str
        What to do about a finding, in one sentence.
    """

    level: str
    advice: str


_RESTORE = "Unpack the organisers' archive again, and check that no file of another edition is among the files."

#: By level the names of checks, and what to do about their findings.
_ADVICE: Mapping[str, Mapping[str, str]] = {
    "wrong": {
        "missing-file": "Put it into the data folder, or wait for it if it has labels that are not published yet.",
        "damaged-file unreadable-file": "Restore these files from the organisers' archive, without converting them.",
        "count-of-docs count-of-queries count-of-qrels gold-without-document gold-without-query": _RESTORE,
        "query-without-candidates missing-base-case incomplete-code": _RESTORE,
        "repeated-number": "Keep one file or folder of each number.",
        "undecodable-bytes": "Unpack the organisers' archive again, without converting its files.",
        "changed-since-sealed missing-since-sealed added-since-sealed": (
            "Look first at what changed, and restore these files; only if each change is right, seal again with --seal "
            "--overwrite."
        ),
    },
    "changes your score": {
        "warning-of-reader": "Read the message: other programs may load the file differently.",
        "skipped-paragraph": "Restore the missing files: the organisers number the paragraphs of a case without gaps.",
        "misnamed-file": "Rename or remove them: a document is named by its number, such as 001.txt, and a case too.",
        "otherwise-padded-number": "Rename them like the others, because ids are names and a submission contains them.",
        "empty-text": "Restore the text from the organisers' archive.",
        "fragment-is-paragraph": "Compare the fragment and the paragraph with the organisers' archive.",
        "gold-without-article": "Nothing to do: no run can find these articles, and the organisers count them.",
        "self-citation": "Nothing to do: these labels are not loaded (ir_coliee cut drops queries from their results).",
        "query-without-gold": "Report how many there are: whatever a run answers for them is wrong.",
        "repeated-gold": "Count each label once, as this package does, when you compare with other figures.",
        "gold-with-duplicate": "Compare AddDuplicates and DropDuplicates after the ranking, on the train split.",
        "gold-with-unlabelled-duplicate": "Expect some loss of precision: the duplicate counts as wrong.",
        "gold-repeats-text": "Keep duplicates in the results: both ids of the text count as relevant.",
        "identical-queries near-identical-queries": "Keep them in one fold when you cross-validate.",
        "query-in-other-split": "Report the test figure without them too: unseen_queries(ID) lists the other queries.",
        "query-is-document-of-other-split": (
            'Report the test figure without them too: unseen_queries(ID, known="texts") lists the other queries.'
        ),
    },
    "information": {
        "documents-missing": "Put them into the data folder to check more; runs can be scored without them.",
        "differing-count": "Compare with the organisers' archive, unless the data are synthetic.",
        "no-labels": "Put the file with the labels beside this one when the organisers publish it.",
        "noticed-cases": "Say so where a system compares queries, and do not drop queries if some are noticed.",
        "id-of-another-text": "Never join the two splits by document id.",
        "other-split-not-compared": "Put it into the data folder to learn which queries both splits have.",
    },
}

#: Every check by its name, which does not change between versions.
CHECKS: Mapping[str, Check] = {
    name: Check(level, advice)
    for level, advices in _ADVICE.items()
    for names, advice in advices.items()
    for name in names.split()
}


class Finding(NamedTuple):
    """A result of an audit.

    Attributes
    ----------
    check : str
        The name of the check, a key of `ir_coliee.releases.findings.CHECKS`, such as ``gold-without-document``.
    level : {"wrong", "changes your score", "information"}
        What the finding means for the user.
    count : int
        The number of queries, documents, labels or files that it is about.
    ids : tuple of str
        All of them: ids of queries or documents, ``query document`` for gold labels, names of files or paths below the
        folder of documents, texts of further warnings. Empty if the finding is about the split as a whole.
    message : str
        The finding in words, with the first of the ids.
    advice : str
        What to do about it, in one sentence.
    """

    check: str
    level: str
    count: int  # type: ignore[assignment]  # a field here, a method of tuples
    ids: tuple[str, ...]
    message: str
    advice: str

    def __repr__(self) -> str:
        return f"<Finding, {self.level}: {self.message}>"


def finding(check: str, message: str, *, count: int = 1, ids: tuple[str, ...] = ()) -> Finding:
    """Return the finding of a check, with the level and the advice of the table of checks."""
    return Finding(check, CHECKS[check].level, count, ids, message, CHECKS[check].advice)


def finding_on(check: str, description: str, ids: Iterable[str]) -> Iterator[Finding]:
    """Yield a finding on the given ids, if there are any.

    Parameters
    ----------
    check : str
        A key of the table of checks.
    description : str
        A description of the ids, such as ``queries without gold``.
    ids : iterable of str
    """
    if concerned := tuple(ids):
        yield finding(check, _message(description, concerned), count=len(concerned), ids=concerned)


def _message(description: str, ids: Sequence[str]) -> str:
    return f"{description}: {len(ids)} ({printable_list(ids)})"


@dataclass(eq=False)
class FindingWarning(ColieeWarning):
    """A warning of a reader that an audit reports as a finding of its own.

    Parameters
    ----------
    place : object
        The file or folder.
    check : str
        A key of the table of checks.
    description : str
        A description of the ids.
    ids : sequence of str
    """

    place: object
    check: str
    description: str
    ids: Sequence[str]

    def __str__(self) -> str:
        return f"{self.place}: {_message(self.description, self.ids)}. {CHECKS[self.check].advice}"
