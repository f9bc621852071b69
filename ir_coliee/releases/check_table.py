"""The table of checks of an audit: how serious each finding is, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

from ir_coliee.text.text_irregularities import (
    DECISION_IRREGULARITIES,
    FRAGMENT_IRREGULARITIES,
    PARAGRAPH_IRREGULARITIES,
)

Level = Literal["wrong", "changes your score", "curious"]

#: The levels of findings, the most serious first.
LEVELS: tuple[Level, ...] = get_args(Level)


class Check(NamedTuple):
    """A check of an audit.

    Attributes
    ----------
    level : {"wrong", "changes your score", "curious"}
        ``wrong``: the local copy is damaged or incomplete. ``changes your score``: figures differ from the organisers',
        or are higher or lower than on other data. ``curious``: the rest.
    advice : str
        What to do about a finding, in one sentence.
    """

    level: Level
    advice: str


_RESTORE = "Unpack the organisers' archive again, and check that no file of another edition is among the files."
_RESTORE_SEALED = (
    "Look first at what changed, and restore these files; only if each change is right, seal again with --seal --force."
)
_KEEP_ONE = "Keep one file or entry of each id."
_CROSS_VALIDATION = "Keep them in one fold when you cross-validate."
_NO_COUNT = "Nothing to do: the official count is not certain, or the data are synthetic."
_ARE_EASIER = "Nothing to do: only queries with known labels are easier."
_INSTANCES = "Nothing to do: the organisers' files have such instances."
_COMPARE = "Nothing to do if the organisers' archive lacks them too."
_TEXT = "Nothing to do, unless your system depends on it; CleanCase and ir_coliee.text normalise texts."

_ADVICE: Mapping[Level, Mapping[str, str]] = {
    "wrong": {
        "missing-file": "Put it into the data folder, or wait for it if it has labels that are not published yet.",
        "count-of-docs": _RESTORE,
        "count-of-queries": _RESTORE,
        "count-of-qrels": _RESTORE,
        "repeated-document-id": _KEEP_ONE,
        "repeated-query-id": _KEEP_ONE,
        "undecodable-bytes": "Unpack the organisers' archive again, without converting its files.",
        "gold-without-document": _RESTORE,
        "gold-without-query": _RESTORE,
        "repeated-number": _KEEP_ONE,
        "query-without-candidates": _RESTORE,
        "missing-base-case": _RESTORE,
        "changed-since-sealed": _RESTORE_SEALED,
        "missing-since-sealed": _RESTORE_SEALED,
        "added-since-sealed": _RESTORE_SEALED,
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
        "identical-queries": _CROSS_VALIDATION,
        "near-identical-queries": _CROSS_VALIDATION,
        "query-in-other-split": "Report the test figure without them too: unseen_queries(ID) lists the other queries.",
        "query-is-document-of-other-split": (
            'Report the test figure without them too: unseen_queries(ID, known="texts") lists the other queries.'
        ),
    },
    "curious": {
        "differing-count-of-docs": _NO_COUNT,
        "differing-count-of-queries": _NO_COUNT,
        "differing-count-of-qrels": _NO_COUNT,
        "skipped-candidate": _COMPARE,
        "skipped-case": _COMPARE,
        "fragment-not-in-base-case": "Nothing to do if there are a few, as in the organisers' files.",
        "no-labels": "Put the file with the labels beside this one when the organisers publish it.",
        "no-relevant-item": _INSTANCES,
        "null-label": "Nothing to do: these candidates are not judged.",
        "gold-is-query": "Do not remove all queries from rankings (DropQueries): these are relevant.",
        "gold-of-own-number": "Nothing to do: the number names an item here, not the query.",
        "query-is-document": "Drop queries from their own results: ir_coliee cut does (in Python: DropSelf).",
        "unnamed-document": "Nothing to do: keep them in the collection, as in the official task.",
        "identical-documents": "Nothing to do: duplicates of gold are reported separately.",
        "near-identical-documents": "Nothing to do; near_duplicates finds them in a collection.",
        "id-of-another-text": "Never join the two splits by document id.",
        "document-in-other-split": _ARE_EASIER,
        "near-identical-in-other-split": _ARE_EASIER,
        "other-split-not-compared": "Nothing to do: texts that both splits have are not reported.",
        "ignored-file": "Nothing to do: these files are not read.",
        "quotation-shortened": "Nothing to do: the articles of the civil code are complete.",
        "quotation-differs": "Nothing to do: the civil code is what is searched.",
        "no-facts": _INSTANCES,
        "no-claim-of-plaintiff": _INSTANCES,
        "no-claim-of-defendant": _INSTANCES,
        **{
            irregularity.name: _TEXT
            for irregularity in (*DECISION_IRREGULARITIES, *PARAGRAPH_IRREGULARITIES, *FRAGMENT_IRREGULARITIES)
        },
    },
}

#: Every check by its name, which does not change between versions.
CHECKS: Mapping[str, Check] = MappingProxyType(
    {name: Check(level, advice) for level, advices in _ADVICE.items() for name, advice in advices.items()}
)
