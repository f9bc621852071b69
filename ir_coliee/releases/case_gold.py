"""Readers for the gold labels of tasks 1 and 2, in every label format and layout."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ir_datasets.formats import GenericQrel

from ir_coliee.errors import ColieeWarning, MalformedFileError, printable_list
from ir_coliee.releases import cases
from ir_coliee.releases.case_labels import Labels, read_gold_of_cases, read_json_labels, read_xml_labels
from ir_coliee.releases.layouts import number
from ir_coliee.releases.missing_files import unpublished_labels_error
from ir_coliee.text.statutes import unique

if TYPE_CHECKING:
    from ir_coliee.releases.local_release import LocalRelease


def gold(release: LocalRelease) -> list[GenericQrel]:
    """Return the gold labels of a split, each pair once.

    In the flat layout, a query that notices itself is removed from its gold with a `ColieeWarning`; in the other
    layouts, an item with the query's number is a different case. Gold labels of unknown documents are kept, with a
    warning. If only the label file is at hand, the ids are those of the label file.

    Raises
    ------
    MissingLabelsError
        If there are no labels.
    """
    pairs = [(query, item) for query, items in written_gold(release).items() for item in unique(items)]
    source = _source(release)
    # only possible in the flat layout: in the others the id of an item begins with that of its query
    if self_citing := [query for query, item in pairs if query == item]:
        message = f"{source}: cases that notice themselves were left out: {printable_list(self_citing)}"
        warnings.warn(message, ColieeWarning, stacklevel=2)
        pairs = [(query, item) for query, item in pairs if query != item]
    known = set(cases.documents(release).ids) if release.has("corpus") else {item for _, item in pairs}
    if unknown := unique(item for _, item in pairs if item not in known):
        message = f"{source}: gold that names no document of this local copy is kept: {printable_list(unknown)}"
        warnings.warn(message, ColieeWarning, stacklevel=2)
    return [GenericQrel(query, item, 1) for query, item in pairs]


def written_gold(release: LocalRelease) -> Labels:
    """Return the ids of the gold documents of each query as they are written, repeats included.

    Raises
    ------
    MissingLabelsError
        If there are no labels.
    """
    labels = _read_labels(release)
    source = _source(release)
    if not any(labels.values()):
        found = release.find("labels")
        raise unpublished_labels_error(release.split, "labels", [found.node if found else release.corpus])
    layout = release.layout
    if not release.has("corpus"):
        prefixes = {query: "" if layout.queries_are_documents else f"{query}_" for query in labels}
        return {query: tuple(prefixes[query] + item for item in items) for query, items in labels.items()}
    # a query without a file or folder has no text and is not scored
    if layout.queries_are_documents:
        ids = cases.decisions(release).ids
        existing_name = cases.name_finder(ids)
        known = cases.known_queries(release, labels, ids, source)
        return {query: tuple(existing_name(item) or item for item in items) for query, items in known.items()}
    folders = {folder.name: folder for folder in layout.query_folders(release.corpus)}
    known = cases.known_queries(release, labels, [*folders], source)
    gold: Labels = {}
    for query, items in known.items():
        existing_name = cases.name_finder(file.stem for file in layout.items(folders[query]))
        gold[query] = tuple(f"{query}_{existing_name(item) or item}" for item in items)
    return gold


def labelled_queries(release: LocalRelease) -> list[str]:
    """Return the queries as the label file names them, also if its labels are not published.

    Raises
    ------
    MissingReleaseError
        If there is no label file.
    MalformedFileError
        If the label file has no query.
    """
    if not (labels := _read_labels(release)):
        raise MalformedFileError(release.file("labels"), None, "the file has no query", "labels of at least one query")
    return [*labels]


def queries_without_text(release: LocalRelease) -> list[str]:
    """Return the queries of the labels that have no file or folder, and are therefore left out.

    Raises
    ------
    MissingLabelsError
        If there is no label file.
    """
    layout = release.layout
    if layout.queries_are_documents:
        names: Sequence[str] = cases.decisions(release).ids
    else:
        names = [folder.name for folder in layout.query_folders(release.corpus)]
    existing_name = cases.name_finder(names)
    return [query for query in _read_labels(release) if existing_name(query) is None]


def _read_labels(release: LocalRelease) -> Labels:
    """Read the labels from the label file, else from the files in the case folders."""
    per_case: Labels = {}
    if release.has_gold_per_case:
        per_case = read_gold_of_cases(release.corpus, release.names_of_gold_per_case)
        if not release.has("labels"):
            return per_case
    file = release.file("labels")
    labels = _LABEL_FORMATS.get(release.split.labels, _json_labels)(release)
    if not any(labels.values()):  # the label file of a test whose labels are not published yet
        return per_case or labels
    if per_case and (differing := _differing_queries(labels, per_case)):
        message = f"{file}: the gold in the case folders differs; this file is used: {printable_list(differing)}"
        warnings.warn(message, ColieeWarning, stacklevel=3)
    return labels


def _json_labels(release: LocalRelease) -> Labels:
    return read_json_labels(release.file("labels"))


def _xml_labels(release: LocalRelease) -> Labels:
    items = _item_names(release) if release.split.answers_are_positions else None
    return read_xml_labels(release.file("labels"), item_names=items)


#: How the label file of each label format is read.
_LABEL_FORMATS: dict[str, Callable[[LocalRelease], Labels]] = {"JSON": _json_labels, "XML": _xml_labels}


def _differing_queries(one: Labels, other: Labels) -> list[str]:
    """Return the queries whose items differ between the two, ignoring repeats and leading zeros."""
    left, right = ({number(q): set(map(number, items)) for q, items in labels.items()} for labels in (one, other))
    queries = {number(query): query for query in (*one, *other)}
    return [name for query, name in queries.items() if left.get(query, set()) != right.get(query, set())]


def _item_names(release: LocalRelease) -> Callable[[str], list[str]]:
    """Return a function that gives the names of the items in a query's folder."""
    layout = release.layout
    names = {
        number(folder.name): [file.stem for file in layout.items(folder)]
        for folder in layout.query_folders(release.corpus)
    }
    return lambda query: names.get(number(query), [])


def _source(release: LocalRelease) -> str:
    """Return the path of the gold labels, for messages."""
    found = release.find("labels")
    return str(found.node if found else release.corpus)
