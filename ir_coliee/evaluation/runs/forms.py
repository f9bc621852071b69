"""How a run of a split is written: columns, ids, names of files, and what else the organisers asked for, by edition.

Sources: the calls of 2017 and 2019, the samples in the statute packages, the evaluation pages of 2024 to 2026, and
the pilot's template.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ir_coliee.editions import SPLITS, Split
from ir_coliee.errors import ColieeError
from ir_coliee.releases.layouts import ITEMS, number

#: The columns of an answer set, and those of the form of TREC.
SET_COLUMNS = ("query", "item", "tag")
RANKED_COLUMNS = ("query", "Q0", "item", "rank", "score", "tag")

#: How many articles of a question a list of task 3 may have.
LONGEST_LIST = 100

#: The largest score: trec_eval keeps scores in 32 bits.
LARGEST_SCORE = 3.4028234663852886e38

#: What a column may hold: ASCII without blanks.
WORD = re.compile("[!-~]+")

#: The run tags that the calls ask for: at most 12 letters or digits. Accepted runs have had others.
OFFICIAL_TAG = re.compile("[A-Za-z0-9]{1,12}")

# That R03 belonged to 2023 is said by its call alone, not by its overview; of 2024 nothing has been seen.
_REFERENCE_YEARS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "2023": ("H30", "R01", "R02", "R03"),
        "2024": ("H30", "R01", "R02"),
        "2025": ("H30", "R01", "R02"),
    }
)

_THREE_RUNS = "at most three runs of a group are assessed, each with a run tag of its own"
_ONE_LANGUAGE = "a run must not use both languages of a question"
_OPEN_WEIGHTS = "only models whose weights are public may be used"
_LONG_LIST = "beside the answer set goes the long list of up to 100 articles a question: both files are required"
_DESCRIPTION = "a text file that describes the system goes with the runs"


class RunForm(NamedTuple):
    """The official form of a run.

    ``columns``: of a line; none where the file is the pilot's test file with its nulls filled in. ``file``: its
    name, with ``{tag}``; where the exam year is in it, ``{year}``; of the pilot, ``{test}``, ``{team}`` and
    ``{affiliation}``. The organisers ask for no certain name in tasks 1, 2 and 5: there it is like those of the
    others. ``long_file``: the name of the long list of task 3; ``answers_file``: of the Y and N that task 3 wants
    since 2026; ``description_file``: of the text that describes the systems; all three empty where there is none.
    ``prefix`` stands before the query's number; ``is_padded``: whether ids keep their zeros. ``rules``: what is
    asked of a run and cannot be seen in the file. ``reference_years``: of task 4, exam years whose answers were
    wanted beside the test's. ``is_unverified``: no text of that edition has been seen; the form is that of its
    neighbours.
    """

    columns: tuple[str, ...]
    file: str
    long_file: str = ""
    answers_file: str = ""
    description_file: str = ""
    prefix: str = ""
    is_padded: bool = True
    rules: tuple[str, ...] = (_THREE_RUNS,)
    reference_years: tuple[str, ...] = ()
    is_unverified: bool = False

    @property
    def has_scores(self) -> bool:
        """Whether the form ranks: each line has a rank and a score."""
        return "score" in self.columns

    def query(self, query_id: str) -> str:
        """A query id as the organisers want it written.

        >>> RunForm(SET_COLUMNS, "task1.{tag}", prefix="t1-", is_padded=False).query("001")
        't1-1'
        """
        return self.prefix + self._padded(query_id)

    def item(self, split: Split, docno: str) -> str:
        """A document id as the organisers want it written: an item of a query's own folder by its number alone."""
        return self._padded(item_of(split, docno))

    def _padded(self, name: str) -> str:
        return name if self.is_padded else str(number(name))


def docno_of(split: Split, query_id: str, item: str) -> str:
    """The document id of an item as a run file writes it: items of a query's own folder by their number alone."""
    return f"{query_id}_{item}" if split.layout in ITEMS else item


def item_of(split: Split, docno: str) -> str:
    """A document id as a run file writes it, the reverse of `docno_of`."""
    return docno.partition("_")[2] if split.layout in ITEMS else docno


def run_form(split: Split) -> RunForm:
    """The official form of a run of a split.

    >>> from ir_coliee.editions import split
    >>> form = run_form(split("coliee/task3/sample/en/test"))
    >>> form.file, form.long_file
    ('task3.{tag}', 'task3-L.{tag}')
    """
    return _FAMILIES[split.task](split)


def _case_law(split: Split) -> RunForm:
    """Tasks 1 and 2. Until 2020 ids are ``t1-1 18`` in the official text, ``001 018`` in programs of participants."""
    rules = [_THREE_RUNS]
    if split.year >= 2025:
        rules.append(_DESCRIPTION)
    if split.year >= 2026:
        rules.append(_OPEN_WEIGHTS)
    early = split.year <= 2020
    return RunForm(
        SET_COLUMNS,
        f"{split.task}.{{tag}}",
        description_file=_description_file(split),
        prefix=f"t{split.task[-1]}-" if early else "",
        is_padded=not early,
        rules=tuple(rules),
        is_unverified=(split.task, split.year) == ("task1", 2018) or split.year in (2020, 2022, 2023),
    )


def _statute_retrieval(split: Split) -> RunForm:
    if split.year == 2017:  # the statute tasks were numbered 1 and 2
        return RunForm(SET_COLUMNS, "{year}.task1.{tag}")
    rules = (_THREE_RUNS, *_rules_of_statutes(split))
    if split.year >= 2026:
        return RunForm(
            RANKED_COLUMNS,
            "task3-IR.{tag}",
            answers_file="task3-QA.{tag}",
            description_file=_description_file(split),
            rules=(*rules, "beside the articles goes a file of the answers, Y or N: both files are required"),
        )
    return RunForm(
        RANKED_COLUMNS,
        "task3.{tag}",
        long_file="task3-L.{tag}",
        description_file=_description_file(split),
        rules=(*rules, _LONG_LIST),
        is_unverified=split.year == 2018,
    )


def _statute_entailment(split: Split) -> RunForm:
    if split.year == 2017:
        return RunForm(SET_COLUMNS, "{year}.task2.{tag}")
    of_years = 2023 <= split.year <= 2025  # then each exam year has a file
    return RunForm(
        SET_COLUMNS,
        f"{{year}}.{split.task}.{{tag}}" if of_years else f"{split.task}.{{tag}}",
        description_file=_description_file(split),
        rules=(_THREE_RUNS, *_rules_of_statutes(split)),
        reference_years=_REFERENCE_YEARS.get(split.edition, ()),
        is_unverified=split.year in (2018, 2026) or split.task == "task5",
    )


def _description_file(split: Split) -> str:
    return "SystemDescription.txt" if split.year >= 2025 else ""


def _rules_of_statutes(split: Split) -> list[str]:
    rules = []
    if split.year >= 2025:
        rules += [_ONE_LANGUAGE, _DESCRIPTION]
    if split.year >= 2026:
        rules.append(_OPEN_WEIGHTS)
    return rules


def _torts(_part: Split) -> RunForm:
    """The pilot: the template's program writes the names in this order, whatever its README says."""
    return RunForm(
        (),
        "{test}_{team}_{affiliation}_{tag}.jsonl",
        rules=(
            "the names of team, affiliation and system hold no hyphen, underscore or full stop",
            "the file is uploaded by the official template",
        ),
    )


_FAMILIES = {
    "task1": _case_law,
    "task2": _case_law,
    "task3": _statute_retrieval,
    "task4": _statute_entailment,
    "task5": _statute_entailment,
    "prediction": _torts,
    "rationale": _torts,
}


def answers_split(split: Split) -> Split:
    """The split of task 4 that asks the same questions as one of task 3, and whose runs are answers to them.

    Raises `ColieeError` for a split of another task.
    """
    if split.task != "task3":
        raise ColieeError(f"{split.id} is no split of task 3: only its runs can have a file of answers beside them.")
    return SPLITS[split.id.replace("/task3/", "/task4/")]
