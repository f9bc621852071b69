"""Search for the files and folders of a split below a data folder.

Files are found by their accepted names at any depth, in folders and in ZIP archives.
"""

from __future__ import annotations

import os
import re
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from ir_coliee.editions import Split, data_folders, labelled_later, readable_splits
from ir_coliee.editions.edition import LAYOUTS
from ir_coliee.errors import AmbiguousReleaseError, ColieeError, ColieeWarning, MissingLabelsError, MissingReleaseError
from ir_coliee.releases.files import DiskFolder, File, Folder, file_stamp
from ir_coliee.releases.zips import ZipFolder, open_archive

if TYPE_CHECKING:
    from ir_coliee.releases.release import LocalRelease


# Names in the corpus folders of tasks 1 and 2. Documents are in one folder, or in a folder of items
# (`Split.item_folder`) in the numbered folder of each query.


#: The optional role of the text files with the gold of a case, in its folder.
GOLD_OF_CASE = "gold of a case"
#: Patterns of files in folders of documents that are no documents.
NOT_DOCUMENTS = ("*.json", "*.xml", "mapping.txt", "*_id_mapping*.txt")
_MAX_DIGITS = 100  # much longer than any id, and much shorter than the longest text that Python converts to a number
_MAX_DEPTH = 5  # levels between a release's top folder and its documents: four in 2018


def is_number(name: str) -> bool:
    """Return whether a name consists of ASCII digits."""
    return name.isascii() and name.isdecimal() and len(name) <= _MAX_DIGITS


def as_number(name: str) -> int | str:
    """Convert a name to a number, so that leading zeros are ignored; return other names unchanged."""
    return int(name) if is_number(name) else name


def name_finder(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return a function that finds the names for a spelling: the name itself, else all of the same number."""
    by_number: dict[int | str, list[str]] = {}
    for name in names:
        by_number.setdefault(as_number(name), []).append(name)

    def find(written: str) -> list[str]:
        alike = by_number.get(as_number(written), [])
        return [written] if written in alike else alike

    return find


def numbered_files(folder: Folder) -> list[File]:
    """Return the text files of a folder whose names are numbers, in numerical order."""
    stems = (name.removesuffix(".txt") for name in folder.file_names() if name.endswith(".txt"))
    return [File(folder, f"{stem}.txt") for stem in sorted(filter(is_number, stems), key=_in_order)]


def numbered_folders(folder: Folder) -> list[Folder]:
    """Return the folders in a folder whose names are numbers, in numerical order."""
    return sorted((inner for inner in folder.folders() if is_number(inner.name)), key=lambda f: _in_order(f.name))


def _in_order(name: str) -> tuple[int, str]:
    return int(name), name


def folder_of_items(query_folder: Folder, item_folder: str) -> list[Folder]:
    """Return the folder of a query's items as a list with one element; empty if it is missing."""
    return [inner for inner in query_folder.folders() if inner.name == item_folder]


def items_of_query(query_folder: Folder, item_folder: str) -> list[File]:
    """Return the files of a query's items in numerical order, ignoring additions to their names."""
    folders = folder_of_items(query_folder, item_folder)
    return [file for folder in folders for file in numbered_files(folder) or _files_with_other_names(folder)]


def _files_with_other_names(folder: Folder) -> list[File]:
    files = [file for file in folder.files() if not any(fnmatchcase(file.name, name) for name in NOT_DOCUMENTS)]
    return sorted(files, key=lambda file: re.sub(r"\d+", lambda digits: digits[0].zfill(_MAX_DIGITS), file.name))


def find_corpora(folder: Folder, item_folder: str) -> list[Folder]:
    """Find the corpus folders in a folder: the folder itself, else the nearest ones, at most five levels below it.

    A release is often unpacked into a folder of its own name, or is in a folder ``cases`` or ``corpus``.
    """

    def is_corpus(folder: Folder) -> bool:
        if not item_folder:
            return any(is_number(name.removesuffix(".txt")) for name in folder.file_names() if name.endswith(".txt"))
        queries = numbered_folders(folder)[:3]  # a case may lack its items
        return any(folder_of_items(query, item_folder) for query in queries)

    level = [folder]
    for _ in range(_MAX_DEPTH):
        if found := [inner for inner in level if is_corpus(inner)]:
            return found
        level = [inner for outer in level for inner in outer.folders() if not is_number(inner.name)]
    return []


# Listings of the data folders by name, created once and renewed if a folder or a ZIP archive has changed.


#: The number of files and folders, documents not counted, after which the listing of a data folder ends. All releases
#: together have fewer than 5,000.
MAX_ENTRIES = 100_000
_BROWSER_SUFFIX = re.compile(r" ?\(\d+\)(?=(?:\.[a-z]+)?$)")
_WILDCARD = re.compile(r"[*?]")
# a change within this time after a listing may not change the time stamp
_RACY_NS = 100_000_000


class Found(NamedTuple):
    """A file or folder that has a name that was searched for.

    Attributes
    ----------
    node : File or Folder
    parents : tuple of str
        The names of the folders that contain it, from the data folder down.
    is_exact : bool
        Whether the name is without the additions of participants' tools (``clean_``, ``(1)``).
    reason : str
        Why it was chosen from several; empty if there was no choice.
    """

    node: File | Folder
    parents: tuple[str, ...]
    is_exact: bool = True
    reason: str = ""


def in_zip(node: File | Folder) -> bool:
    """Return whether a file or folder is in a ZIP archive, or is one."""
    return isinstance(node.folder if isinstance(node, File) else node, ZipFolder)


class Listing:
    """The files and folders below a data folder by name.

    Parameters
    ----------
    root : str
        The data folder, which need not exist.

    Attributes
    ----------
    name : str
        The name of the data folder.
    opened : dict
        The local releases that were opened with this listing, by the id of their split.
    """

    def __init__(self, root: str) -> None:
        self.name = os.path.basename(root)
        self.opened: dict[str, LocalRelease] = {}
        self._created = time.time_ns()
        self._stamps = {root: _stamp(root)}
        self._by_name: dict[str, list[Found]] = {}
        if not os.path.isdir(root):
            return
        self._add(DiskFolder(root), ())  # it may be the corpus folder itself
        for parents, folder, inner in walk(DiskFolder(root)):
            files = [file for file in folder.files() if not is_number(file.stem)]  # documents are not listed
            nodes: list[File | Folder] = [*inner, *files]
            for node in nodes:
                self._add(node, parents)
            if isinstance(folder, DiskFolder):  # archives too, which may be replaced in place
                paths = [str(folder), *(str(file) for file in files if file.name.lower().endswith(".zip"))]
                self._stamps |= {path: _stamp(path) for path in paths}

    def _add(self, node: File | Folder, parents: tuple[str, ...]) -> None:
        plain = _plain(node.name)
        self._by_name.setdefault(plain, []).append(Found(node, parents, plain == node.name))

    def named(self, name: str) -> Iterator[Found]:
        """Find files and folders by a name or pattern (``*``, ``?``), nearest to the data folder first.

        The prefix ``clean_`` and a browser's ``(1)`` at the end of a name are ignored.
        """
        if not _WILDCARD.search(name):
            yield from self._by_name.get(name, ())
            return
        for known, candidates in self._by_name.items():
            if fnmatchcase(known, name):
                yield from candidates

    def is_current(self) -> bool:
        """Return whether nothing was added to the listed folders or removed from them since they were listed."""
        return all(
            stamp == _stamp(path) and (stamp or (0,))[0] < self._created - _RACY_NS
            for path, stamp in self._stamps.items()
        )


def _plain(name: str) -> str:
    """Remove what participants' tools add to a name."""
    return (_BROWSER_SUFFIX.sub("", name) if "(" in name else name).removeprefix("clean_")


def _stamp(path: str) -> tuple[int, ...]:
    try:
        return file_stamp(os.stat(path))
    except OSError:
        return ()


def walk(root: Folder) -> Iterator[tuple[tuple[str, ...], Folder, list[Folder]]]:
    """Walk the folders below a folder, outermost first, the folder itself included.

    Links are followed, but each folder is visited once, and none that contains the first: a link to it would lead to
    everything on the disk. A folder that cannot be listed is skipped with a `ColieeWarning`. The walk ends with another
    one after `MAX_ENTRIES` files and folders.

    Parameters
    ----------
    root : Folder

    Yields
    ------
    tuple
        The names of the folders from ``root`` down to the folder, its own last; the folder; and the folders in it,
        each ZIP archive as a folder of its name.
    """
    visited = {str(above) for above in Path(os.path.realpath(str(root))).parents}
    waiting: list[tuple[tuple[str, ...], Folder]] = [((), root)]
    listed = 0
    for parents, folder in waiting:
        if listed > MAX_ENTRIES:
            message = (
                f"{root}: the search for files ended before {folder}, after more than {MAX_ENTRIES:,} files and "
                "folders. Set COLIEE_HOME to a folder that has the organisers' files alone."
            )
            warnings.warn(message, ColieeWarning, stacklevel=2)
            return
        if isinstance(folder, DiskFolder):
            real_path = os.path.realpath(folder.path)
            if real_path in visited:
                continue
            visited.add(real_path)
        try:
            names = folder.file_names()
            inner = [*folder.folders(), *_archives(folder, names)]
        except ColieeError as error:
            warnings.warn(f"{error} It is skipped.", ColieeWarning, stacklevel=2)
            continue
        listed += len(inner) + sum(not is_number(os.path.splitext(name)[0]) for name in names)  # without documents
        yield parents, folder, inner
        for below in inner:
            if not is_number(below.name) or re.fullmatch(r"20\d\d", below.name):  # a numbered folder is a case
                waiting.append(((*parents, below.name), below))


def _archives(folder: Folder, names: list[str]) -> Iterator[Folder]:
    """Open the ZIP archives in a folder. Warn of unreadable archives and of archives within two others."""
    for name in names:
        if not name.lower().endswith(".zip"):
            continue
        try:
            yield open_archive(File(folder, name))
        except ColieeError as error:
            warnings.warn(f"{error} It is skipped.", ColieeWarning, stacklevel=2)


_LISTINGS: dict[str, Listing] = {}


def listing(root: str) -> Listing:
    """Return the current listing of a data folder; it is empty where the folder does not exist."""
    latest = _LISTINGS.get(root)
    if latest is None or not latest.is_current():
        latest = _LISTINGS[root] = Listing(root)
    return latest


# Choice between several files or folders that match the same split and role.


#: Marks of articles and answers in a file of questions or tort instances.
_LABELS = re.compile(rb"label=|<t1|<article|\"(?:court_decision|is_accepted)\": *(?:true|false)")


def choose(split: Split, candidates: list[Found]) -> Found | None:
    """Choose between candidates that all have an accepted name and content.

    Parameters
    ----------
    split : Split
    candidates : list of Found

    Returns
    -------
    Found or None
        None if there are no candidates. Of several candidates, these rules choose one, in this order: a file or folder
        on disk before one in an archive; the first one if all are identical; the file with the most labels; the exact
        name, if all are in one folder.

    Raises
    ------
    AmbiguousReleaseError
        If no rule decides.
    """
    by_path = {os.path.realpath(str(found.node)): found for found in reversed(candidates)}  # without links to others
    candidates = list(by_path.values())[::-1]
    if len(candidates) < 2:
        return candidates[0] if candidates else None
    on_disk = [found for found in candidates if not in_zip(found.node)] or candidates
    first, *others = on_disk
    if not others:
        return first._replace(reason="read from the folder, not from the ZIP archive of the same name")
    if all(_same_content(first.node, other.node) for other in others):
        return first._replace(reason=f"the first of {len(on_disk)} with the same content")
    labels = [_count_labels(found.node) for found in on_disk]
    if labels.count(max(labels)) == 1:
        reason = f"the file with the most articles and answers, of {len(on_disk)}"
        return on_disk[labels.index(max(labels))]._replace(reason=reason)
    exact = [found for found in on_disk if found.is_exact]
    if len(exact) == 1 and len({found.parents for found in on_disk}) == 1:
        return exact[0]._replace(reason="the file with the exact name, of several in one folder")
    raise AmbiguousReleaseError(
        f"{split.id}: several files of an accepted name differ in content.\n"
        f"They are: {', '.join(str(found.node) for found in on_disk)}.\n"
        "Set COLIEE_HOME to the folder of the intended one, or move the others out of the data folder."
    )


def _count_labels(node: File | Folder) -> int:
    """Count the articles and answers in a file of questions or instances; 0 for anything else."""
    if not isinstance(node, File) or not node.name.endswith((".xml", ".jsonl")):
        return 0
    return len(_LABELS.findall(node.read_bytes()))


def _same_content(one: File | Folder, other: File | Folder) -> bool:
    """Return whether two files or folders have the same content, ignoring line ends, and the same file names."""
    if isinstance(one, File) and isinstance(other, File):
        return one.read_bytes().replace(b"\r\n", b"\n") == other.read_bytes().replace(b"\r\n", b"\n")
    if isinstance(one, File) or isinstance(other, File):
        return False
    left: list[File | Folder] = [*one.folders(), *one.files()]
    right: list[File | Folder] = [*other.folders(), *other.files()]
    return [a.name for a in left] == [b.name for b in right] and all(map(_same_content, left, right))


# Decision whether a file or folder with an accepted name belongs to a split.


_NAMES_AN_EDITION = re.compile(r"coliee|task|^\d+$", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)20[12]\d(?!\d)")
_TASK = re.compile(r"task[ _-]?(\d)", re.IGNORECASE)
_SPLIT_NAME = re.compile(r"(?<![a-z])(train|test)(?:ing)?(?![a-z])", re.IGNORECASE)
_LANGUAGE_MARK = re.compile(r"_(?:en|jp|ja)\.")
_HEAD_OF_INSTANCES = 200  # the first characters of a file of tort instances, with the mark of its edition
_KANA = re.compile("[\u3041-\u30ff]")
_FIRST_ARTICLE = re.compile(r"^第一条\s|^Article 1\s", re.MULTILINE)


def matches(listing: Listing, split: Split, role: str, name: str, candidate: Found) -> bool:
    """Return whether a candidate can be the file or folder of a role.

    Parameters
    ----------
    listing : Listing
        The listing of the data folder in which the candidate lies.
    split : Split
    role : str
    name : str
        The accepted name, or the pattern, that the candidate has.
    candidate : Found

    Returns
    -------
    bool
        Whether its kind, the folders around it and its content agree with the split. What a name of participants does
        not state, the edition and the task of labels, the folders must state.
    """
    if isinstance(candidate.node, File) == (role == "corpus"):
        return False
    editions = [year for folder in reversed(candidate.parents) for year in _years(folder)]
    if split.edition not in name and not editions:  # the name of the data folder is used last
        editions = _years(listing.name)
    if editions and editions[0] != split.edition:
        return False
    is_dated = bool(editions) or split.edition in name or split.is_built_in
    if role in ("corpus", "labels"):
        return _is_of_task_and_split(split, role, name, candidate, is_dated)
    if role in split.exam_years:
        return _is_of_exam_year(split, role, name, candidate)
    if role == "instances":
        return is_dated or _has_edition_mark(split, candidate)
    if role == "articles" and "*" in name and name.endswith(".txt"):
        return bool(_FIRST_ARTICLE.search(_text(candidate))) and _is_in_language(split, _text(candidate))
    return True


def _years(folder: str) -> list[str]:
    """Return the edition in the name of a folder; empty if there is none, or several."""
    years = set(_YEAR.findall(folder)) if _NAMES_AN_EDITION.search(folder) else set()
    return list(years) if len(years) == 1 else []


def _is_of_task_and_split(split: Split, role: str, name: str, candidate: Found, is_dated: bool) -> bool:
    """Return whether no parent folder names another task or split, if the candidate's own name states none."""
    tasks, splits = (
        [match.lower() for folder in reversed(candidate.parents) for match in pattern.findall(folder)]
        for pattern in (_TASK, _SPLIT_NAME)
    )
    is_official = name in split.files[role]
    if tasks and split.task not in name and tasks[0] != split.task[-1]:
        return False
    if splits and split.name not in name and not (split.shares_corpus and is_official) and splits[0] != split.name:
        return False
    return is_official or (is_dated and (role == "corpus" or bool(tasks) or split.task in name))


def _is_of_exam_year(split: Split, exam_year: str, name: str, candidate: Found) -> bool:
    """Return whether a file of questions has this exam year and the split's language, by its name or content."""
    states_language = bool(_LANGUAGE_MARK.search(name))
    if exam_year in name and states_language:
        return True
    text = _text(candidate)
    if not re.search(rf"""\bid=["']{exam_year[0]}0?{exam_year[1:].lstrip("0")}-""", text):
        return False
    return states_language or _is_in_language(split, text)


def _has_edition_mark(split: Split, candidate: Found) -> bool:
    """Return whether the name or the first line of a file of tort instances names the edition, if that is required."""
    head = candidate.node.name + _text(candidate)[:_HEAD_OF_INSTANCES]
    known = dict.fromkeys(other.edition_mark for other in readable_splits() if other.edition_mark)
    patterns = dict.fromkeys(re.sub(r"\d", r"\\d", mark) for mark in known)
    marks = [mark for pattern in patterns for mark in re.findall(pattern, head)]
    return split.edition_mark in marks if marks else not split.requires_edition_mark


def _is_in_language(split: Split, text: str) -> bool:
    return bool(_KANA.search(text)) == (split.language == "ja")


def _text(candidate: Found) -> str:
    return cast(File, candidate.node).read_bytes().decode("utf-8", errors="replace")


# Search for the files and folders of a split below a data folder.


def search(listing: Listing, split: Split, role: str) -> Found | None:
    """Find the file or folder of a role below a data folder.

    Parameters
    ----------
    listing : Listing
        The listing of the data folder.
    split : Split
    role : str
        A key of ``split.files`` or ``split.optional_files``.

    Returns
    -------
    Found or None
        None if there is none. The accepted names are tried in the order of the edition's description, label files
        with labels before those without; a prefix ``clean_`` and a browser's ``(1)`` are ignored. Files in a folder
        that names another edition, task or split are not accepted.

    Raises
    ------
    AmbiguousReleaseError
        If several are accepted and no rule decides between them.
    """
    # the names of files with the queries of a test, without their labels, are tried last
    names = sorted((*split.names(role), *split.undated_names(role)), key=lambda name: "no_labels" in name)

    def matching(name: str) -> list[Found]:
        return [found for found in listing.named(name) if matches(listing, split, role, name, found)]

    if role in split.exam_years:
        dated = (matching(name) for name in names if role in name)
        # a test is handed out without articles, with them, and with answers, under either name; the fullest is chosen
        undated = (found for name in names if role not in name for found in matching(name))
        return choose(split, [*next(filter(None, dated), []), *undated])
    for name in names:  # matching may read files, so a name is only tried if no earlier one matches
        candidates = matching(name)
        if role == "corpus":
            candidates = [
                found._replace(node=node)
                for found in candidates
                if not isinstance(found.node, File)
                for node in find_corpora(found.node, split.item_folder)
            ]
        if candidates:
            return choose(split, candidates)
    return None


# The errors for a file or folder of a split that is not in the data folder, and for labels that are not published.


#: The organisers' site, where the data can be requested.
ORGANISERS_URL = "https://coliee.org"

_ROLES = {
    "corpus": "folder of documents",
    "labels": "label file",
    "articles": "civil code",
    "instances": "file of tort instances",
}
_MAX_LISTED = 3


def missing_error(release: LocalRelease, role: str) -> MissingReleaseError:
    """Return the error for a role whose file or folder was not found.

    Returns
    -------
    MissingReleaseError
        Its message names the split, the data folders, the accepted names and the next step. It is a
        `MissingLabelsError` if the documents were found and the label file was not.
    """
    split, names = release.split, release.split.names(role)
    undated = split.undated_names(role)
    are_labels_alone_missing = role == "labels" and release.has("corpus")
    folders = (f"{folder}{'' if folder.is_dir() else ' (no such folder)'}" for folder in data_folders())
    accepted = ", ".join(names)
    if undated:
        accepted += f"; below a folder that names the edition and the task also: {', '.join(undated)}"
    if role == "labels" and (per_case := split.optional_files.get(GOLD_OF_CASE)):
        accepted += f"; or {', '.join(per_case)} in each case folder"
    lines = [
        f"{split.id}: the {_ROLES.get(role, f'file with the questions of {role}')} of COLIEE {split.edition} was not "
        "found.",
        f"Searched, at any depth, in folders and ZIP archives: {', '.join(folders)}.",
        f"Accepted names: {accepted}.",
        f"Expected content: {LAYOUTS[split.layout]}." if role == "corpus" else "",
        _later_labels(split) if are_labels_alone_missing else "",
    ]
    found = [str(node.node) for each in release.listings for name in (*names, *undated) for node in each.named(name)]
    if found:
        dated = [name for name in names if split.edition in name]
        remedy = f"Rename the right one to {dated[0]}" if dated else f"Put it into a folder COLIEE{split.edition}"
        problem = "Not accepted, because they seem to be of another edition, split or task, or have another content"
        lines.append(f"{problem}: {', '.join(found[:_MAX_LISTED])}. {remedy}, if it is among these.")
    lines += [
        "Put the organisers' files there, or set COLIEE_HOME to the folder that holds them; "
        f"`ir_coliee status {split.id}` shows what was found.",
        f"The organisers give the data to participants who sign the data-use agreement: {ORGANISERS_URL}.",
    ]
    error = MissingLabelsError if are_labels_alone_missing else MissingReleaseError
    return error("\n".join(filter(None, lines)))


def unpublished_labels_error(split: Split, labels: str, files: Sequence[File | Folder]) -> MissingLabelsError:
    """Return the error for files that were found and have no labels.

    Parameters
    ----------
    split : Split
    labels : str
        The labels, for the message.
    files : sequence of File or Folder
        The files that were read.
    """
    roles = {**split.files, **split.optional_files}
    names = [accepted[0] for role, accepted in roles.items() if role not in ("corpus", "articles")]
    lines = [
        f"{split.id}: the local copy has no {labels} yet.",
        f"Files without them: {', '.join(map(str, files[:_MAX_LISTED]))}.",
        _later_labels(split),
        f"Once the organisers publish them, put their files beside these: {', '.join(names)}.",
    ]
    return MissingLabelsError("\n".join(filter(None, lines)))


def _later_labels(split: Split) -> str:
    """Return the sentence that names the later edition whose train split has the labels."""
    later = labelled_later(split)
    return f"The train files of COLIEE {later.edition} have the labels of these queries: {later.id}." if later else ""
