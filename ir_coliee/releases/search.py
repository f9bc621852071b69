"""Search for the files and folders of a split below a data folder.

Files are found by their accepted names at any depth, in folders and in ZIP archives.
"""

from __future__ import annotations

from collections.abc import Iterable

from ir_coliee.editions import Split
from ir_coliee.releases.disambiguation import Found, choose
from ir_coliee.releases.folders import File, Folder
from ir_coliee.releases.layouts import CORPUS_LAYOUTS, is_without_labels
from ir_coliee.releases.listing import Candidate, Listing
from ir_coliee.releases.matching import matches, names_exam_year, warn_of_unofficial_size


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
    names = sorted((*split.names(role), *split.undated_names(role)), key=is_without_labels)

    # matching reads files, so a name is only tried if no earlier one matches
    def matching(name: str) -> list[Candidate]:
        return _distinct(found for found in listing.named(name) if matches(listing, split, role, name, found))

    if role in split.exam_years:
        dated = (matching(name) for name in names if names_exam_year(name, role))
        # a test is handed out without articles, with them, and with answers, under either name; the fullest is chosen
        undated = (found for name in names if not names_exam_year(name, role) for found in matching(name))
        return choose(split, [*next(filter(None, dated), []), *undated])
    for name in names:
        candidates = matching(name)
        if role == "corpus":
            candidates = [
                Candidate(node, found.parents, found.is_exact)
                for found in candidates
                for node in _corpora(split, found)
            ]
        if found := choose(split, _distinct(candidates)):
            if role == "labels" and split.edition not in name:
                warn_of_unofficial_size(split, found.node)
            return found
    return None


def _distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Leave out candidates that are links to others."""
    return list({found.real_path: found for found in reversed(list(candidates))}.values())[::-1]


def _corpora(split: Split, found: Candidate) -> list[Folder]:
    return [] if isinstance(found.node, File) else CORPUS_LAYOUTS[split.layout].find_corpora(found.node)
