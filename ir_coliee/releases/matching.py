"""Decision whether a file or folder with an accepted name belongs to a split.

A name alone is not sufficient: participants rename folders, most files of the statute tasks name no edition, and the
organisers hand out a test file again under another name. Therefore the parent folders, the content and the official
counts are used as well.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator

from ir_coliee.editions import Split, readable_splits
from ir_coliee.errors import ColieeWarning
from ir_coliee.releases.folders import File, Folder
from ir_coliee.releases.layouts import CORPUS_LAYOUTS
from ir_coliee.releases.listing import Candidate, Listing

_NAMES_AN_EDITION = re.compile(r"coliee|task|^\d+$", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)20[12]\d(?!\d)")
_TASK = re.compile(r"task[ _-]?(\d)", re.IGNORECASE)
_SPLIT_NAME = re.compile(r"(?<![a-z])(train|test)(?:ing)?(?![a-z])", re.IGNORECASE)
_LANGUAGE_MARK = re.compile(r"_(?:en|jp|ja)\.")
_HEAD_OF_INSTANCES = 200  # the first characters of a file of tort instances, with the mark of its edition
_KANA = re.compile("[\u3041-\u30ff]")
_FIRST_ARTICLE = re.compile(r"^第一条\s|^Article 1\s", re.MULTILINE)


def matches(listing: Listing, split: Split, role: str, name: str, candidate: Candidate) -> bool:
    """Return whether a candidate can be the file or folder of a role.

    Parameters
    ----------
    listing : Listing
        The listing of the data folder in which the candidate lies.
    split : Split
    role : str
    name : str
        The accepted name, or the pattern, that the candidate has.
    candidate : Candidate

    Returns
    -------
    bool
        Whether its kind, the folders around it and its content agree with the split. A label file whose name and
        folders state no task does not agree if its number of queries is official for another task only.
    """
    if candidate.is_folder != (role == "corpus"):
        return False
    editions = [year for folder in reversed(candidate.parents) for year in _years(folder)]
    if split.edition not in name and not editions:  # the name of the data folder is used last
        editions = _years(listing.name)
    if editions and editions[0] != split.edition:
        return False
    is_dated = bool(editions) or split.edition in name or split.is_built_in
    if role in ("corpus", "labels"):
        return _is_of_task_and_split(split, role, name, candidate) and (
            is_dated or _is_plausible(listing, split, role, name, candidate)
        )
    if role in split.exam_years:
        return _is_of_exam_year(split, role, name, candidate)
    if role == "instances":
        return is_dated or _has_edition_mark(split, candidate)
    if role == "articles" and "*" in name and name.endswith(".txt"):
        return bool(_FIRST_ARTICLE.search(_text(candidate))) and _is_in_language(split, _text(candidate))
    return True


def names_exam_year(name: str, exam_year: str) -> bool:
    """Return whether the name of a file of questions states their exam year."""
    return exam_year in name


def warn_of_unofficial_size(split: Split, labels: File | Folder) -> None:
    """Warn if a label file without a year in its name does not have the official number of queries."""
    expected = split.counts.get("queries")
    for size in _number_of_queries(labels) if isinstance(labels, File) else ():
        if size != expected:
            warnings.warn(
                f"{labels}: taken for the labels of {split.id}, although its name has no year and it has "
                f"{size} queries instead of {expected}. If that is right, add the year to its name.",
                ColieeWarning,
                stacklevel=2,
            )


def _years(folder: str) -> list[str]:
    """Return the edition in the name of a folder; empty if there is none, or several."""
    years = set(_YEAR.findall(folder)) if _NAMES_AN_EDITION.search(folder) else set()
    return list(years) if len(years) == 1 else []


def _is_of_task_and_split(split: Split, role: str, name: str, candidate: Candidate) -> bool:
    """Return whether no parent folder names another task or split, if the candidate's own name states none."""
    tasks, splits = (
        [match.lower() for folder in reversed(candidate.parents) for match in pattern.findall(folder)]
        for pattern in (_TASK, _SPLIT_NAME)
    )
    is_shared = split.shares_corpus and name in split.files[role]
    other_task = tasks and split.task not in name and tasks[0] != split.task[-1]
    other_split = splits and split.name not in name and not is_shared and splits[0] != split.name
    if other_task or other_split:
        return False
    return role == "corpus" or bool(tasks) or split.task in name or not _fits_another_task(split, name, candidate)


def _fits_another_task(split: Split, name: str, candidate: Candidate) -> bool:
    """Return whether a label file has as many queries as another task whose label file has the same name."""
    assert isinstance(candidate.node, File)
    sizes = _number_of_queries(candidate.node)
    tasks = {
        other.task
        for other in readable_splits()
        if other.name == split.name
        and name in (*other.files.get("labels", ()), *other.undated_files.get("labels", ()))
        and other.counts.get("queries") in sizes
    }
    return bool(tasks) and split.task not in tasks


def _is_of_exam_year(split: Split, exam_year: str, name: str, candidate: Candidate) -> bool:
    """Return whether a file of questions has this exam year and the split's language, by its name or content."""
    states_language = bool(_LANGUAGE_MARK.search(name))
    if names_exam_year(name, exam_year) and states_language:
        return True
    text = _text(candidate)
    if not re.search(rf"""\bid=["']{exam_year[0]}0?{exam_year[1:].lstrip("0")}-""", text):
        return False
    return states_language or _is_in_language(split, text)


def _has_edition_mark(split: Split, candidate: Candidate) -> bool:
    """Return whether the name or the first line of a file of tort instances names the edition, if that is required."""
    head = candidate.node.name + _text(candidate)[:_HEAD_OF_INSTANCES]
    known = dict.fromkeys(other.edition_mark for other in readable_splits() if other.edition_mark)
    patterns = dict.fromkeys(re.sub(r"\d", r"\\d", mark) for mark in known)
    marks = [mark for pattern in patterns for mark in re.findall(pattern, head)]
    return split.edition_mark in marks if marks else not split.requires_edition_mark


def _is_in_language(split: Split, text: str) -> bool:
    return bool(_KANA.search(text)) == (split.language == "ja")


def _text(candidate: Candidate) -> str:
    assert isinstance(candidate.node, File)
    return candidate.node.read_bytes().decode("utf-8", errors="replace")


def _is_plausible(listing: Listing, split: Split, role: str, name: str, candidate: Candidate) -> bool:
    """Return whether a file without a year is of this edition, by the official counts or by neighbouring files."""
    other_editions = [
        other
        for other in readable_splits()
        if other.id.startswith(f"coliee/{split.task}/")
        and other.name == split.name
        and other.edition != split.edition
        and not other.is_built_in
    ]
    for entity, size in _sizes(split, candidate):
        is_official = size == split.counts.get(entity)
        if is_official != any(size == other.counts.get(entity) for other in other_editions):
            return is_official
    if name in split.files[role]:
        return True
    if role == "corpus":
        dated = (label for n in split.files["labels"] if split.edition in n for label in listing.named(n))
        return any(_are_neighbours(label, candidate) for label in dated)
    names = (*split.files["corpus"], *split.undated_names("corpus"))
    corpora = [c for n in names for c in listing.named(n) if matches(listing, split, "corpus", n, c)]
    return any(_are_neighbours(candidate, corpus) for corpus in corpora)


def _are_neighbours(label: Candidate, corpus: Candidate) -> bool:
    """Return whether a label file is beside a corpus folder or in it."""
    return label.parents in (corpus.parents, (*corpus.parents, corpus.node.name))


def _sizes(split: Split, candidate: Candidate) -> Iterator[tuple[str, int]]:
    """Count the queries and documents of a corpus or label file, beginning with the faster count."""
    if isinstance(candidate.node, File):
        yield from (("queries", size) for size in _number_of_queries(candidate.node))
        return
    layout = CORPUS_LAYOUTS[split.layout]
    for corpus in layout.find_corpora(candidate.node)[:1]:
        if not layout.queries_are_documents:
            yield "queries", len(layout.query_folders(corpus))
        yield "docs", layout.count_documents(corpus)


def _number_of_queries(labels: File) -> list[int]:
    """Return the number of queries in a label file as a list with one element; empty if it is not JSON with queries."""
    try:
        content = json.loads(labels.read_bytes())
    except (ValueError, RecursionError):  # the reader reports the mistake
        return []
    return [len(content)] if isinstance(content, list | dict) else []
