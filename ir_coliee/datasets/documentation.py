"""The documentation of each dataset, as ir_datasets reads it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from operator import attrgetter
from typing import Any

from ir_coliee.editions import TASK_NAMES, Split, is_of_package
from ir_coliee.releases.search import ORGANISERS_URL

#: The pages of the datasets: one for each task.
CATALOGUE = "https://ir-coliee.readthedocs.io/en/latest/catalogue"


#: The queries, the documents, and those that are relevant to a query, of the datasets of each task, in the plural.
CONTENTS: Mapping[str, tuple[str, str, str]] = {
    "task1": ("court decisions", "court decisions", "the decisions that the query cites (noticed cases)"),
    "task2": ("fragments of court decisions", "the paragraphs of a noticed case", "the entailing paragraphs"),
    "task3": ("bar-exam statements", "the articles of the Civil Code", "the articles that decide the statement"),
    "task4": ("bar-exam statements and their articles", "the labels Y and N", "the correct label"),
    "task5": ("bar-exam statements", "the labels Y and N", "the correct label"),
    "prediction": ("tort disputes", "the labels True and False", "the court's decision"),
    "rationale": ("tort disputes", "the claims of the parties", "the claims that the court accepted"),
}
_SAMPLE_DESCRIPTION = (
    "<p>A fictional edition in the organisers' layout: an invented court, an invented civil code, invented "
    "disputes, written for this project. Use it to try out programs. Scores on it say nothing about COLIEE.</p>"
)
_DATA_ACCESS = (
    "<p>The organisers give the data to participants who sign the data-use agreement; "
    f"see <a href='{ORGANISERS_URL}'>{ORGANISERS_URL}</a>. "
    "Put their files into <tt>$COLIEE_HOME</tt> (by default <tt>~/.ir_datasets/coliee</tt>) "
    "under their original names, and run <tt>ir_coliee status</tt>.</p>"
)


def describe(split: Split, dataset_id: str) -> dict[str, Any]:
    """Return the documentation of a dataset id, with the keys that ir_datasets reads.

    Parameters
    ----------
    split : Split
        The split that the dataset is a view of, or that the collection of articles comes from.
    dataset_id : str
        The id of the split, a view of it, or a collection.

    Returns
    -------
    dict
        ``pretty_name``, ``desc``, ``official_measures``, ``data_access``, ``bibtex_ids``, and in addition ``bibtex``,
        the entries of these ids, and ``info_url``.
    """
    unverified = " The names and the layout of its files are not verified." if split.is_unverified else ""
    description = f"<p>{split.pretty_name}, as the organisers handed it out.{unverified}</p>"
    papers = overview_papers(split.edition)
    return {
        "pretty_name": _pretty_name(split, dataset_id),
        "desc": (_SAMPLE_DESCRIPTION if split.is_built_in else description) + _contents(split, dataset_id),
        "official_measures": [split.measure] if dataset_id.startswith(split.id) else [],
        "data_access": "<p>Included in ir_coliee, CC0.</p>" if split.is_built_in else _DATA_ACCESS,
        "bibtex_ids": list(papers),
        "bibtex": "\n".join(papers.values()),
        "info_url": info_url(split),
    }


def describe_all(splits: Sequence[Split], dataset_id: str) -> dict[str, Any]:
    """Return the documentation of an id above those of splits, such as ``coliee/task1``, with the keys of `describe`.

    Examples
    --------
    >>> from ir_coliee.editions import splits_below
    >>> found = describe_all(splits_below("coliee/task1/2023"), "coliee/task1/2023")
    >>> found["pretty_name"], found["bibtex_ids"]
    ('COLIEE 2023 Legal Case Retrieval', ['Coliee2023'])
    """
    editions, tasks, pages = (
        [*dict.fromkeys(map(of, splits))] for of in (attrgetter("edition"), attrgetter("task"), page_name)
    )
    papers = {key: entry for edition in editions for key, entry in overview_papers(edition).items()}
    depth = len(dataset_id.split("/")) + 1
    children = dict.fromkeys("/".join(split.id.split("/")[:depth]) for split in splits)
    below = "".join(f"<li><kbd>{child}</kbd></li>" for child in children)
    words = ["COLIEE", *editions[: len(editions) == 1], *(TASK_NAMES[task] for task in tasks[: len(tasks) == 1])]
    return {
        "pretty_name": " ".join(words),
        "desc": f"<p>The ids below this one:</p><ul>{below}</ul>",
        "official_measures": [*dict.fromkeys(split.measure for split in splits)],
        "data_access": _DATA_ACCESS,
        "bibtex_ids": list(papers),
        "bibtex": "\n".join(papers.values()),
        "info_url": f"{CATALOGUE}/{pages[0] if len(pages) == 1 else 'index'}.html",
    }


def info_url(split: Split) -> str:
    """Return the address of a split's edition on the page of its task; of the catalogue for a user's own edition.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> info_url(split("coliee/task1/2025/test"))
    'https://ir-coliee.readthedocs.io/en/latest/catalogue/task1.html#task1-2025'
    """
    if not is_of_package(split.edition):
        return f"{CATALOGUE}/index.html"
    return f"{CATALOGUE}/{page_name(split)}.html#{page_name(split)}-{split.edition}"


def page_name(split: Split) -> str:
    """Return the name of the page of a split's task; both tasks of the pilot have one page.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> page_name(split("coliee/pilot/2025/rationale/test"))
    'pilot'
    """
    return split.id.split("/")[1]


def overview_papers(edition: str) -> dict[str, str]:
    """Return the BibTeX entries of the overview papers of an edition by their keys; none for most editions.

    Examples
    --------
    >>> list(overview_papers("2023"))
    ['Coliee2023']
    """
    return {key: entry for key, entry in _bibliography().items() if key == f"Coliee{edition}"}


@cache
def _bibliography() -> dict[str, str]:
    """Return the entries of ``etc/bibliography.bib`` by key."""
    text = resources.files("ir_coliee").joinpath("etc", "bibliography.bib").read_text(encoding="utf-8")
    return {key: entry for entry, key in re.findall(r"(@\w+\{(\w+),.*?\n\}\n)", text, re.DOTALL)}


def _contents(split: Split, dataset_id: str) -> str:
    queries, documents, relevant = CONTENTS[split.task]
    if not dataset_id.startswith(split.id):
        return f"<ul><li>Documents: {documents}</li></ul>"
    return f"<ul><li>Queries: {queries}</li><li>Documents: {documents}</li><li>Relevant: {relevant}</li></ul>"


def _pretty_name(split: Split, dataset_id: str) -> str:
    if dataset_id.startswith(split.id):
        return split.pretty_name + (", all fields" if dataset_id.endswith("/full") else "")
    articles = "articles, deleted ones included" if dataset_id.endswith("/deleted") else "articles"
    return split.pretty_name.removesuffix(split.name) + articles
