"""`LocalRelease`: the user's files of one split, found once and read by all parts of the package."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ir_coliee.display import Block, Heading, Table, displayed
from ir_coliee.editions import (
    COLLECTIONS,
    FIRST_SYNTHETIC_NUMBER,
    SPLITS,
    Dataset,
    Split,
    as_dataset_id,
    as_split,
    data_folders,
)
from ir_coliee.releases.case_gold import labelled_queries
from ir_coliee.releases.disambiguation import Found
from ir_coliee.releases.folders import File, Folder
from ir_coliee.releases.layouts import CORPUS_LAYOUTS, Layout, is_number, numbered_files, numbered_folders
from ir_coliee.releases.listing import Listing, listing
from ir_coliee.releases.missing_files import missing_error
from ir_coliee.releases.readers import READERS
from ir_coliee.releases.search import search
from ir_coliee.releases.source_files import SourceFiles, sources_of_documents, sources_of_split

_SAMPLE_FOLDER = Path(__file__).parents[1] / "datasets" / "sample"
_SYNTHETIC_IDS = re.compile(rb"""\bid=["'][HR]\d+-9\d\d-|"tort_id": *"9\d{5}""")
#: The optional role of the text files with the gold of a case, in its folder.
GOLD_OF_CASE = "gold of a case"


@displayed
class LocalRelease:
    """The user's files of one split, with the readers for its entities.

    Create it with `open`. The file or folder of each role is searched for when it is first needed, and only once. Open
    the split again after files were added to the data folder or removed from it; opening is cheap, because the data
    folder is only listed again when it has changed, and readers remember files that have not changed.

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
        self._found: dict[str, Found | None] = {}

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
            split = COLLECTIONS.get(dataset_id.removesuffix("/deleted")) or as_split(dataset_id)
        folders = [_SAMPLE_FOLDER] if split.is_built_in else data_folders()
        return cls(split, [listing(str(folder.absolute())) for folder in folders])

    def __repr__(self) -> str:
        return f"<LocalRelease of {self.split.id}>"

    def display(self) -> Iterator[Block]:
        """Return the files that were found and the missing ones, as `ir_coliee.display` shows them."""
        yield Heading(self.split.pretty_name)
        found = [[role, "found", found.node] for role, found in self.files.items()]
        missing = [[role, "missing", ", ".join(self.accepted_names[role])] for role in self.missing]
        yield Table(["role", "state", "file or folder"], [*found, *missing])

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
        if role not in self._found:
            self._found[role] = next(filter(None, (self._found_in(listing, role) for listing in self.listings)), None)
        return self._found[role]

    def _found_in(self, listing: Listing, role: str) -> Found | None:
        key = self.split.id, role
        known = listing.results.get(key)
        if isinstance(known, Found):
            return known
        # a missing file is searched for again, because the listing does not notice new files in folders of cases
        found = search(listing, self.split, role)
        if found is not None:
            listing.results[key] = found
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
        node = self._required(role)
        assert isinstance(node, File)
        return node

    @property
    def corpus(self) -> Folder:
        """The folder of documents of task 1 or 2. Raises the errors of `file`."""
        node = self._required("corpus")
        assert not isinstance(node, File)
        return node

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
        if "labels" in roles and self.has_gold_per_case:
            roles.remove("labels")
        return tuple(roles)

    @property
    def accepted_names(self) -> Mapping[str, tuple[str, ...]]:
        """The names under which the file or folder of each role is found."""
        return {role: (*names, *self.split.undated_names(role)) for role, names in self.split.files.items()}

    @property
    def layout(self) -> Layout:
        """The layout of the folder of documents of task 1 or 2."""
        return CORPUS_LAYOUTS[self.split.layout]

    @property
    def names_of_gold_per_case(self) -> tuple[str, ...]:
        """The names of the text files with the gold of a case, in its folder; empty if the edition has none."""
        return self.split.optional_files.get(GOLD_OF_CASE, ())

    @cached_property
    def has_gold_per_case(self) -> bool:
        """Whether a case folder has a text file with its gold."""
        names = self.names_of_gold_per_case
        if not names or not self.has("corpus"):
            return False
        # a case without gold may have no such file
        return any(file.name in names for case in numbered_folders(self.corpus) for file in case.files())

    @cached_property
    def is_synthetic(self) -> bool:
        """Whether the data are fictional: the sample edition, or ids from 900000 on."""
        if self.split.is_built_in:
            return True
        found = self.find("corpus" if "corpus" in self.split.files else [*self.split.files][-1])
        if found is None:
            numbers = [*filter(is_number, labelled_queries(self))] if self.has("labels") else []
        elif isinstance(found.node, File):
            return bool(_SYNTHETIC_IDS.search(found.node.read_bytes()))
        else:
            numbers = [file.stem for file in numbered_files(found.node)]
            numbers += [case.name for case in numbered_folders(found.node)]
        return bool(numbers) and min(map(int, numbers)) >= FIRST_SYNTHETIC_NUMBER

    @property
    def stamp(self) -> Hashable:
        """A value that changes when the files of the split change; it is computed without reading them.

        It does not change with the content of single files in a folder of documents; `fingerprint` does.
        """
        return tuple(
            (role, str(found.node), found.node.stamp if isinstance(found.node, File) else self.corpus_stamp)
            for role, found in self.files.items()
        )

    @property
    def corpus_stamp(self) -> Hashable:
        """A value that changes when documents are added to the folder of documents or removed from it."""
        return self.layout.stamp(self.corpus)

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
        return READERS[self.split.task].documents(self)

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
        return (readers.full_queries if full else readers.queries)(self)

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
        """The files of documents, queries and gold: the key of caches for models fitted on the split."""
        return sources_of_split(self)

    @property
    def fingerprint(self) -> str:
        """A key that changes with the content of the documents, the queries and the gold."""
        return self.sources.fingerprint


def document_sources(dataset_id: str) -> SourceFiles | None:
    """Return the files that the documents of a dataset id are read from.

    Parameters
    ----------
    dataset_id : str
        Any ir_datasets id.

    Returns
    -------
    SourceFiles or None
        None if the documents are not decisions, paragraphs or articles.

    Raises
    ------
    MissingReleaseError
        If the files are not in the data folder.
    """
    split = SPLITS.get(dataset_id.removesuffix("/full")) or COLLECTIONS.get(dataset_id.removesuffix("/deleted"))
    if split is None:
        return None
    return sources_of_documents(LocalRelease.open(split), with_deleted=dataset_id.endswith("/deleted"))
