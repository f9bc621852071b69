"""An edition of COLIEE, and how its splits follow from the sections of its file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from ir_coliee.display import Block, Heading, Table, displayed
from ir_coliee.editions.completeness import check_complete, split_names
from ir_coliee.editions.counts import Count, parse_counts
from ir_coliee.editions.exam_years import parse_exam_years
from ir_coliee.editions.inheritance import resolved_section
from ir_coliee.editions.schema import SECTIONS
from ir_coliee.editions.split import Split
from ir_coliee.editions.submission_form import ONE_LANGUAGE_RULE, SubmissionForm
from ir_coliee.editions.tasks import LANGUAGES, PACKAGE_SECTIONS
from ir_coliee.editions.yaml_reader import EditionFile
from ir_coliee.errors import MalformedFileError

AS_DISTRIBUTED = "as-distributed"


@displayed
@dataclass(frozen=True)
class Edition:
    """An edition, as its file describes it.

    Attributes
    ----------
    name : str
        The year, or a word such as ``sample``.
    year : int
        The year. For an edition whose name is a word, the year of the layout that it follows.
    path : pathlib.Path
        The file that describes the edition.
    splits : mapping of str to Split
        Every split by id: train and test, each exam year, and those with the questions that were not scored.
    """

    name: str
    year: int
    path: Path
    splits: Mapping[str, Split]

    def display(self) -> Iterator[Block]:
        """Return the train and test splits, as `ir_coliee.display` shows them."""
        yield Heading(f"COLIEE {self.name}")
        entities = ("docs", "queries", "qrels")
        rows = [[each.id, each.measure, *map(each.counts.get, entities)] for each in self.main_splits]
        yield Table(["id", "official measure", *entities], rows)
        yield f"described by {self.path}"

    def __repr__(self) -> str:
        return f"<Edition {self.name}: {len(self.splits)} splits>"

    @property
    def main_splits(self) -> list[Split]:
        """The train and test splits."""
        return [split for split in self.splits.values() if split.name in ("train", "test")]

    @property
    def collections(self) -> dict[str, Split]:
        """The collections of articles by id; the value is a split with that collection."""
        splits = (split for split in self.main_splits if split.task == "task3")
        return {collection_id(split): split for split in sorted(splits, key=lambda split: split.name == "train")}


def collection_id(split: Split) -> str:
    """Return the id of the articles that all splits of an edition and language of task 3 share.

    Parameters
    ----------
    split : Split
        A split of task 3.

    Returns
    -------
    str
        The id, such as ``coliee/task3/2025/en``.
    """
    return f"coliee/task3/{split.edition}/{split.language}"


def build_edition(file: EditionFile, read: Callable[[str], EditionFile | None]) -> Edition:
    """Return the edition that a file describes.

    Parameters
    ----------
    file : EditionFile
        The content of the file, which follows the schema.
    read : callable
        Function that returns the file of an edition by name, for ``like``; None where there is none.

    Returns
    -------
    Edition
        The edition with all its splits.

    Raises
    ------
    MalformedFileError
        If a required key is missing, or if ``like`` cannot be resolved.
    """
    name = str(file.data["edition"])
    year = file.data.get("year") or (int(name) if name.isdecimal() else None)
    if year is None:
        raise MalformedFileError(
            file.path, file.line(("edition",)), "the key year is missing", "the year of the layout"
        )
    sections = {key: resolved_section(file, key, read) for key in SECTIONS if file.data.get(key) is not None}
    check_complete(file, sections)
    splits: dict[str, Split] = {}
    for task, package in PACKAGE_SECTIONS.items():
        if task in sections:
            is_built_in = bool(file.data.get("built_in"))
            rows = _Sections(name, year, is_built_in, task, sections[package], sections[task]).rows()
            splits.update((split.id, split) for split in _with_derived(rows, sections[package]))
    return Edition(name, year, file.path, splits)


class _Sections(NamedTuple):
    """The sections of an edition file that describe a task: the edition, the files and the task itself."""

    edition: str
    year: int
    is_built_in: bool
    task: str
    package: Mapping[str, Any]
    section: Mapping[str, Any]

    def rows(self) -> list[Split]:
        """The train and test splits in each language."""
        return [
            self._row(language, name) for language in self.package["languages"] for name in split_names(self.section)
        ]

    def _row(self, language: str, name: str) -> Split:
        package, section, files_of, own = self.package, self.section, self.package[name], self.section[name]
        years = parse_exam_years(files_of["exam_years"]) if "exam_years" in files_of else ()
        counts = own.get("counts", {})
        excluded = files_of.get("excluded", ())
        return Split(
            self.task,
            self.edition,
            language,
            name,
            self._names("files", language, name, years),
            parse_counts(counts.get(language, {}) if years else counts),
            years,
            (*excluded, *(question for question in own.get("excluded", ()) if question not in excluded)),
            layout=package["layout"],
            labels=section["labels"],
            optional_files=self._names("optional_files", language, name, ()),
            is_unverified=bool(files_of.get("unverified", package.get("unverified"))),
            undated_files=self._names("undated_files", language, name, ()),
            year=self.year,
            measure=section["measure"],
            submission=_submission(section["submission"]),
            leaderboard=section.get("leaderboard", ""),
            continues=tuple(_id(self.task, earlier) for earlier in files_of.get("continues", ())),
            is_built_in=self.is_built_in,
            shares_corpus=package.get("shares_corpus", False),
            answers_are_positions=package.get("answers_are_positions", False),
            edition_mark=package.get("edition_mark", ""),
            requires_edition_mark=package.get("edition_mark_required", False),
            code_format=package.get("code_format", ""),
            notes=tuple(dict.fromkeys((*package.get("notes", ()), *section.get("notes", ())))),
            synthetic=package.get("synthetic", {}),
        )

    def _names(self, key: str, language: str, name: str, exam_years: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the names of each role with placeholders filled in; the questions of each exam year are a role."""
        filled: dict[str, tuple[str, ...]] = {}
        fill = {"task": self.task, "split": name, "edition": self.edition, "language": LANGUAGES[language]}
        for role, value in {**self.package.get(key, {}), **self.package[name].get(key, {})}.items():
            names = value.get(language, []) if isinstance(value, dict) else value
            names = [names] if isinstance(names, str) else names
            for year in exam_years if role == "questions" else [""]:
                filled[year or role] = tuple(dict.fromkeys(text.format(**fill, exam_year=year) for text in names))
        return filled


def _id(task: str, written: str) -> str:
    """The id of an earlier split that is written as ``2019 train``."""
    edition, _, name = written.partition(" ")
    return Split(task, edition, "en", name, {}).id


def _submission(written: Mapping[str, Any]) -> SubmissionForm:
    one_language = written.get("one_language", False)
    return SubmissionForm(
        format=written["format"],
        file=written["file"],
        long_file=written.get("long_file", ""),
        answers_file=written.get("answers_file", ""),
        description_file=written.get("description_file", ""),
        mail_subject=written.get("mail_subject", ""),
        prefix=written.get("prefix", ""),
        is_padded=written.get("padded_ids", True),
        rules=(*written.get("rules", ()), *([ONE_LANGUAGE_RULE] if one_language else [])),
        reference_years=tuple(written.get("reference_years", ())),
        one_language=one_language,
        is_unverified=written.get("unverified", False),
    )


# --- splits that follow from train and test ------------------------------------------------------------


def _with_derived(rows: Sequence[Split], package: Mapping[str, Any]) -> Iterator[Split]:
    """Return train and test, a split for each exam year, and all again with the questions that were not scored."""
    for row in rows:
        for split in (row, *(_of_year(row, year, package) for year in row.exam_years)):
            yield split
            if split.excluded:
                handed_out = parse_counts(package[row.name].get("as_distributed", {}))
                docs = {entity: count for entity, count in split.counts.items() if entity == "docs"}
                name = f"{split.name}/{AS_DISTRIBUTED}"
                yield replace(split, name=name, excluded=(), counts={**docs, **handed_out})


def _of_year(row: Split, year: str, package: Mapping[str, Any]) -> Split:
    """The split of one exam year of a train or test split."""
    counts = row.counts
    if len(row.exam_years) > 1:
        known = package[row.name].get("exam_year_counts", {}).get(row.language, {}).get(year, [])
        counts = {entity: count for entity, count in row.counts.items() if entity == "docs"}
        counts |= _counts_of_year(row.task, known)
    files = {"articles": row.files["articles"], year: row.files[year]}
    return replace(row, name=year.lower(), exam_years=(year,), counts=counts, files=files)


def _counts_of_year(task: str, known: Sequence[int]) -> dict[str, Count]:
    """The counts of an exam year: its questions and, where known, its gold articles; each question has one answer."""
    gold = known[1:] if task == "task3" else known[:1]
    return {
        entity: Count(number, "M")
        for entity, numbers in (("queries", known[:1]), ("qrels", gold))
        for number in numbers
    }
