"""The submission forms by edition, until the edition files state them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ir_coliee.editions.submission_form import SubmissionForm

if TYPE_CHECKING:
    from ir_coliee.editions.splits import Split

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


def _case_law(split: Split) -> SubmissionForm:
    """Tasks 1 and 2. Until 2020 ids are ``t1-1 18`` in the official text, ``001 018`` in programs of participants."""
    rules = [_THREE_RUNS]
    if split.year >= 2025:
        rules.append(_DESCRIPTION)
    if split.year >= 2026:
        rules.append(_OPEN_WEIGHTS)
    early = split.year <= 2020
    return SubmissionForm(
        "answer set",
        f"{split.task}.{{tag}}",
        description_file=_description_file(split),
        prefix=f"t{split.task[-1]}-" if early else "",
        is_padded=not early,
        rules=tuple(rules),
        mail_subject="[submission] {team}" if split.year >= 2025 else "",
        is_unverified=(split.task, split.year) == ("task1", 2018) or split.year in (2020, 2022, 2023),
    )


def _statute_retrieval(split: Split) -> SubmissionForm:
    if split.year == 2017:  # the statute tasks were numbered 1 and 2
        return SubmissionForm("answer set", "{year}.task1.{tag}", rules=(_THREE_RUNS,))
    rules = (_THREE_RUNS, *_rules_of_statutes(split))
    if split.year >= 2026:
        return SubmissionForm(
            "ranked list",
            "task3-IR.{tag}",
            answers_file="task3-QA.{tag}",
            description_file=_description_file(split),
            rules=(*rules, "beside the articles goes a file of the answers, Y or N: both files are required"),
        )
    return SubmissionForm(
        "ranked list",
        "task3.{tag}",
        long_file="task3-L.{tag}",
        description_file=_description_file(split),
        rules=(*rules, _LONG_LIST),
        is_unverified=split.year == 2018,
    )


def _statute_entailment(split: Split) -> SubmissionForm:
    if split.year == 2017:
        return SubmissionForm("answer set", "{year}.task2.{tag}", rules=(_THREE_RUNS,))
    of_years = 2023 <= split.year <= 2025  # then each exam year has a file
    return SubmissionForm(
        "answer set",
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


def _torts(_part: Split) -> SubmissionForm:
    """The pilot: the template's program writes the names in this order, whatever its README says."""
    return SubmissionForm(
        "filled test file",
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


def submission_form(split: Split) -> SubmissionForm:
    """Return the official form of a run of a split."""
    return _FAMILIES[split.task](split)
