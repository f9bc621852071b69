"""`LocalRelease`: the user's files of one split, found once and read by all parts of the package."""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, cast

from ir_coliee.editions import SPLITS, Dataset, Split, as_dataset_id, as_split, data_folders, split_behind
from ir_coliee.editions.edition import FIRST_SYNTHETIC_NUMBER
from ir_coliee.errors import ColieeError, ColieeWarning, MissingLabelsError
from ir_coliee.releases import cache, cases, civil_code, statutes, torts
from ir_coliee.releases.files import File, Folder
from ir_coliee.releases.search import Found, Listing, in_zip, listing, missing_error, search
from ir_coliee.releases.zips import has_password

# The table of readers: how documents, queries, gold labels and candidates of each task are read.


class Reader(NamedTuple):
    """A function that reads entities of a `LocalRelease`, and the type of their records."""

    read: Callable[[LocalRelease], Sequence[Any]]
    type: type


@dataclass(frozen=True)
class TaskReaders:
    """The readers of one task.

    Attributes
    ----------
    documents : Reader
    queries : Reader
        Returns queries with their id and one text.
    full_queries : Reader
        Returns queries with every field.
    qrels : callable
        Returns the gold labels.
    grades : mapping from int to str
        The meaning of each relevance grade.
    candidates : callable or None
        Returns pairs of query id and document id; None if any document may answer any query.
    """

    documents: Reader
    queries: Reader
    full_queries: Reader
    qrels: Callable[[LocalRelease], Sequence[Any]]
    grades: Mapping[int, str]
    candidates: Callable[[LocalRelease], Iterable[tuple[str, str]]] | None = None


_TASK4 = TaskReaders(
    documents=Reader(lambda release: statutes.ANSWERS, statutes.Answer),
    queries=Reader(statutes.statements, statutes.Statement),
    full_queries=Reader(statutes.questions, statutes.Question),
    qrels=statutes.correct_answers,
    grades={1: "the correct answer"},
    candidates=statutes.answer_candidates,
)

#: The readers of each task.
READERS: Mapping[str, TaskReaders] = {
    "task1": TaskReaders(
        documents=Reader(cases.documents, cases.Decision),
        queries=Reader(cases.queries, cases.DecisionQuery),
        full_queries=Reader(cases.full_queries, cases.DecisionWithSummary),
        qrels=cases.gold,
        grades={1: "noticed: the query cites this case"},
        candidates=cases.candidates,
    ),
    "task2": TaskReaders(
        documents=Reader(cases.documents, cases.Paragraph),
        queries=Reader(cases.queries, cases.Fragment),
        full_queries=Reader(cases.full_queries, cases.FragmentInCase),
        qrels=cases.gold,
        grades={1: "entailing: the fragment follows from this paragraph"},
        candidates=cases.candidates,
    ),
    "task3": TaskReaders(
        documents=Reader(civil_code.articles, civil_code.Article),
        queries=Reader(statutes.statements, statutes.Statement),
        full_queries=Reader(statutes.questions, statutes.Question),
        qrels=statutes.relevant_articles,
        grades={1: "relevant: the statement is decided by this article"},
    ),
    "task4": _TASK4,
    "task5": _TASK4,  # task 5 has the questions of task 4, for systems that are not given the articles
    "prediction": TaskReaders(
        documents=Reader(lambda release: torts.ANSWERS, statutes.Answer),
        queries=Reader(torts.disputes, torts.Dispute),
        full_queries=Reader(torts.instances, torts.TortInstance),
        qrels=torts.court_decisions,
        grades={1: "the court's decision"},
        candidates=torts.answer_candidates,
    ),
    "rationale": TaskReaders(
        documents=Reader(torts.claims, torts.Claim),
        queries=Reader(torts.disputes, torts.Dispute),
        full_queries=Reader(torts.instances, torts.TortInstance),
        qrels=torts.accepted_claims,
        grades={0: "the court rejected this claim", 1: "the court accepted this claim"},
        candidates=torts.claim_candidates,
    ),
}


# The files that entities are read from, and cache keys that change with their content.


class SourceFiles(NamedTuple):
    """The files that cached data are derived from.

    Attributes
    ----------
    fingerprint : str
        A key that changes with the files.
    origin : str
        The path of one of the files; caches are stored below its data folder.
    is_encrypted : bool
        Whether a password protects one of the files. Data derived from it must not be cached.
    """

    fingerprint: str
    origin: str
    is_encrypted: bool


def document_sources(dataset_id: str) -> SourceFiles | None:
    """Return the files that the documents of a dataset id are read from.

    Parameters
    ----------
    dataset_id : str
        Any ir_datasets id.

    Returns
    -------
    SourceFiles or None
        None if the documents are neither decisions nor paragraphs nor articles, or if there are none.

    Raises
    ------
    MissingReleaseError
        If the files are not in the data folder.
    """
    split = split_behind(dataset_id)
    if split is None:
        return None
    release = LocalRelease.open(split)
    if "corpus" in split.files:
        documents = cases.documents(release)
        return _of_texts(documents) if documents.files else None
    if split.task == "task3":
        kind = "all" if dataset_id.endswith("/deleted") else "live"
        return _of_files([release.file("articles")], kind, split.language)
    return None


def sources_of_decisions(release: LocalRelease) -> SourceFiles:
    """Return the files of the decisions of a split of task 1: its documents, and queries that are not documents.

    Raises
    ------
    MissingReleaseError
        If the files are not in the data folder.
    """
    documents = cases.documents(release)
    if not release.split.item_folder:
        return _of_texts(documents)
    return _of_texts(documents, cases.queries(release))


def fingerprint_of_base_cases(release: LocalRelease) -> str:
    """Return a key that changes with the base cases of a split of task 2, which `LocalRelease.sources` leaves out."""
    files = cases.base_case_files(release).items()
    return cache.key_of(piece for query_id, file in files if file for piece in (query_id, file.stamp))


def _of_texts(*texts: cases.TextFiles[Any]) -> SourceFiles:
    files = [file for each in texts for file in each.files]
    ids = [text_id for each in texts for text_id in each.ids]
    fingerprint = cache.key_of(piece for text_id, file in zip(ids, files) for piece in (text_id, file.stamp))
    return SourceFiles(fingerprint, str(files[0]), any(map(has_password, files)))


def _of_files(files: Sequence[File], *options: str) -> SourceFiles:
    # a few small files, whose content is more reliable than a stamp
    digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    return SourceFiles(cache.key_of((*options, *digests)), str(files[0]), any(map(has_password, files)))


# `LocalRelease`: the user's files of one split, found once and read by all parts of the package.


_SAMPLE_FOLDER = Path(__file__).parents[1] / "datasets" / "sample"
_SYNTHETIC_IDS = re.compile(rb"""\bid=["'][HR]\d+-9\d\d-|"tort_id": *"9\d{5}""")


class LocalRelease:
    """The user's files of one split, with the readers for its entities.

    Create it with `open`. The file or folder of each role is searched for when it is first needed, and only once.
    Opening a split again gives the same object, unless files were added to the data folder or removed from it; readers
    remember files that have not changed.

    Parameters
    ----------
    split : Split
        The split, as the edition describes it.
    listings : sequence of Listing
        The listings of the data folders, in the order in which they are searched.

    Examples
    --------
    >>> release = LocalRelease.open("coliee/task3/sample/en/test")
    >>> len(release.documents()), len(release.queries()), len(release.qrels())
    (105, 20, 27)
    >>> release.missing, release.is_synthetic
    ((), True)
    """

    def __init__(self, split: Split, listings: Sequence[Listing]) -> None:
        self.split = split
        self.listings = tuple(listings)
        self._found: dict[str, Found] = {}

    @classmethod
    def open(cls, dataset: Dataset) -> LocalRelease:
        """Open the local release of a split.

        Parameters
        ----------
        dataset : Split or str or ir_datasets.Dataset or pyterrier.datasets.Dataset
            The split. A collection of articles stands for the split that it comes from.

        Raises
        ------
        UnknownIdError
            If there is no such dataset id. Missing files raise an error only when they are needed.
        """
        if isinstance(dataset, Split):
            split = dataset
        else:
            dataset_id = as_dataset_id(dataset)
            split = split_behind(dataset_id) or as_split(dataset_id)
        folders = [_SAMPLE_FOLDER] if split.is_built_in else data_folders()
        listings = tuple(listing(str(folder.absolute())) for folder in folders)
        opened = listings[0].opened.get(split.id)
        if opened is None or opened.split is not split or opened.listings != listings:
            opened = listings[0].opened[split.id] = cls(split, listings)
        return opened

    def __repr__(self) -> str:
        return f"<LocalRelease of {self.split.id}>"

    # --- files -------------------------------------------------------------------------------------

    def find(self, role: str) -> Found | None:
        """Find the file or folder of a role.

        Parameters
        ----------
        role : str
            A key of ``split.files`` or ``split.optional_files``.

        Returns
        -------
        Found or None
            The file or folder, and why it was chosen if there was a choice; None if there is none.

        Raises
        ------
        AmbiguousReleaseError
            If several files or folders have an accepted name and different content.
        """
        if role in self._found:
            return self._found[role]
        found = next(filter(None, (search(listing, self.split, role) for listing in self.listings)), None)
        # a missing file is searched for again, because the listing does not notice new files in folders of cases
        if found is not None:
            self._found[role] = found
        return found

    def has(self, role: str) -> bool:
        """Return whether there is a file or folder of a role. Raises the errors of `find`."""
        return self.find(role) is not None

    def file(self, role: str) -> File:
        """Return the file of a role.

        Raises
        ------
        MissingReleaseError
            If there is none; the message names the data folders, the accepted names and the next step.
        AmbiguousReleaseError
            If several files have an accepted name and different content.
        """
        return cast(File, self._required(role))

    @property
    def corpus(self) -> Folder:
        """The folder of documents of task 1 or 2. Raises the errors of `file`."""
        return cast(Folder, self._required("corpus"))

    def _required(self, role: str) -> File | Folder:
        found = self.find(role)
        if found is None:
            raise missing_error(self, role)
        return found.node

    @property
    def files(self) -> Mapping[str, Found]:
        """The files and folders that were found by role, optional ones left out. Raises `AmbiguousReleaseError`."""
        return {role: found for role in self.split.files if (found := self.find(role))}

    @property
    def missing(self) -> tuple[str, ...]:
        """The roles without a file or folder. Gold in each case folder replaces a label file."""
        roles = [role for role in self.split.files if not self.has(role)]
        if "labels" in roles and cases.gold_of_cases(self):
            roles.remove("labels")
        return tuple(roles)

    @property
    def accepted_names(self) -> Mapping[str, tuple[str, ...]]:
        """The names under which the file or folder of each role is found."""
        return {role: (*names, *self.split.undated_names(role)) for role, names in self.split.files.items()}

    @cached_property
    def is_synthetic(self) -> bool:
        """Whether the data are fictional: the sample edition, or ids from 900000 on."""
        if self.split.is_built_in:
            return True
        if "corpus" in self.split.files:
            numbers = cases.numbers(self)
            return bool(numbers) and min(numbers) >= FIRST_SYNTHETIC_NUMBER
        found = next(filter(None, map(self.find, reversed([*self.split.files]))), None)  # ids are in any exam year
        return found is not None and bool(_SYNTHETIC_IDS.search(cast(File, found.node).read_bytes()))

    # --- entities ----------------------------------------------------------------------------------

    def documents(self) -> Sequence[Any]:
        """Return the documents. The same object is returned as long as the files do not change.

        Raises
        ------
        MissingReleaseError
            If their files are not in the data folder.
        MalformedFileError
            If a file breaks its format.
        """
        return READERS[self.split.task].documents.read(self)

    def document_ids(self) -> Sequence[str]:
        """Return the ids of the documents. Raises the errors of `documents`."""
        documents = self.documents()
        return documents.ids if isinstance(documents, cases.TextFiles) else [document.doc_id for document in documents]

    def queries(self, full: bool = False) -> Sequence[Any]:
        """Return the queries.

        Parameters
        ----------
        full : bool, default=False
            Whether records have every field of the files, instead of the id and one text.

        Raises
        ------
        MissingReleaseError
            If their files are not in the data folder.
        MalformedFileError
            If a file breaks its format.
        """
        readers = READERS[self.split.task]
        return (readers.full_queries if full else readers.queries).read(self)

    def qrels(self) -> Sequence[Any]:
        """Return the gold labels as ``ir_datasets.formats.GenericQrel``.

        Raises
        ------
        MissingLabelsError
            If the documents were found and the labels are not published or not in the data folder.
        MissingReleaseError
            If other files are missing.
        MalformedFileError
            If a file breaks its format.
        """
        return READERS[self.split.task].qrels(self)

    def candidates(self) -> Iterable[tuple[str, str]] | None:
        """Return pairs of query id and document id; None if any document may answer any query."""
        read = READERS[self.split.task].candidates
        return read(self) if read and self.split.has_pools else None

    # --- caches ------------------------------------------------------------------------------------

    @property
    def sources(self) -> SourceFiles:
        """The files of documents, queries and gold: the key of caches for models fitted on the split.

        Raises `MissingReleaseError` if the files are not in the data folder. Gold may be missing.
        """
        if "corpus" not in self.split.files:
            return _of_files([self.file(role) for role in self.split.files])
        files = _of_texts(cases.documents(self), cases.queries(self))
        gold: cases.Labels = {}
        with suppress(MissingLabelsError):
            gold = cases.written_gold(self)
        key = (files.fingerprint, *((query, *items) for query, items in gold.items()))
        return files._replace(fingerprint=cache.key_of(key))


# The state of each split in the data folder, as ``ir_coliee status`` shows it.


#: The states of a split, in the order in which `inventory` returns them.
STATES = ("cannot be read", "incomplete", "labels only", "complete", "built in", "missing")


class FoundFile(NamedTuple):
    """A file or folder of a split that was found.

    Attributes
    ----------
    path : str
    kind : str
        ``folder``, ``zip`` or ``zip with password``: where it is stored.
    reason : str
        Why it was chosen; empty if there was no choice.
    """

    path: str
    kind: str
    reason: str


class SplitStatus(NamedTuple):
    """The state of a split in the data folder.

    Attributes
    ----------
    id : str
    state : str
        Begins with one of `STATES`; details follow after a comma or a colon.
    layout : str
    files : mapping from str to FoundFile
        The files and folders that were found, by role.
    missing : mapping from str to tuple of str
        The accepted names of the others, by role.
    """

    id: str
    state: str
    layout: str
    files: Mapping[str, FoundFile]
    missing: Mapping[str, tuple[str, ...]]

    def __repr__(self) -> str:
        return f"<SplitStatus {self.id}: {self.state}>"


def inventory(dataset_ids: Iterable[str]) -> list[SplitStatus]:
    """Return the status of the splits among some dataset ids.

    Parameters
    ----------
    dataset_ids : iterable of str
        Ids of splits and of collections, which have no files of their own. If there are train and test splits among
        them, their exam years are left out.

    Returns
    -------
    list of SplitStatus
        What cannot be read or is incomplete comes first, and what is missing comes last.
    """
    splits = [SPLITS[dataset_id] for dataset_id in dataset_ids if dataset_id in SPLITS]
    main = [split for split in splits if split.name in ("train", "test")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColieeWarning)
        rows = [_status(split) for split in main or splits]
    cache.forget()  # so that the readers repeat the warnings
    return sorted(rows, key=lambda row: next(at for at, state in enumerate(STATES) if row.state.startswith(state)))


def _status(split: Split) -> SplitStatus:
    """Return the status of a split; an error while reading is reported in ``state`` instead of being raised."""
    try:
        release = LocalRelease.open(split)
        files = {
            role: FoundFile(str(found.node), _kind(found.node), found.reason) for role, found in release.files.items()
        }
        missing = {role: release.accepted_names[role] for role in release.missing}
        return SplitStatus(split.id, _state(release), split.layout, files, missing)
    except (ColieeError, OSError) as error:
        return SplitStatus(split.id, f"cannot be read: {error}", split.layout, {}, {})


def _state(release: LocalRelease) -> str:
    if not release.files:
        return "missing"
    if release.missing in (("corpus",), ("articles",)) and not _is_unlabelled(release):
        return "labels only: score, compare, tune and validate work; the documents are missing"
    if release.missing:
        return "incomplete"
    if release.split.is_built_in:
        return "built in"
    without_labels = ", without labels" if _is_unlabelled(release) else ""
    return f"complete{without_labels}{', synthetic' if release.is_synthetic else ''}"


def _is_unlabelled(release: LocalRelease) -> bool:
    """Return whether a test has no labels, as before they are published."""
    if release.split.name == "test":
        try:
            release.qrels()
        except MissingLabelsError:
            return True
    return False


def _kind(node: File | Folder) -> str:
    if not in_zip(node):
        return "folder"
    files = [node] if isinstance(node, File) else node.files()[:1]
    return "zip with password" if any(map(has_password, files)) else "zip"
