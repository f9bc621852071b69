"""`audit`: compares a local copy with the official counts, and reports what can mislead an experiment."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import NamedTuple

from ir_coliee.editions import Dataset
from ir_coliee.errors import ColieeError, ColieeHint, ColieeWarning
from ir_coliee.releases import irregularities
from ir_coliee.releases.audit_checks import checks
from ir_coliee.releases.audit_content import Progress, read_content
from ir_coliee.releases.audit_overlap import overlap_checks
from ir_coliee.releases.findings import Finding
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.releases.memory import forget


class Audit(NamedTuple):
    """The result of an audit.

    Attributes
    ----------
    id : str
        The id of the split.
    counts : mapping from str to int
        The number of ``docs``, ``queries`` and ``qrels``. Labels that are not published are not counted.
    findings : tuple of Finding
        Differences first.
    """

    id: str
    counts: Mapping[str, int]
    findings: tuple[Finding, ...]

    @property
    def differs(self) -> bool:
        """Whether one of the findings is a difference."""
        return any(finding.level == "difference" for finding in self.findings)


def audit(dataset: Dataset | LocalRelease, *, progress: Progress = iter) -> Audit:
    """Audit the local copy of a split.

    Parameters
    ----------
    dataset : Split or str or ir_datasets.Dataset or pyterrier.datasets.Dataset or LocalRelease
        The split.
    progress : callable, optional
        Wraps the loop over the documents of each split that is read.

    Returns
    -------
    Audit

    Raises
    ------
    MissingReleaseError
        If the files are not in the data folder.
    ColieeError
        If they cannot be read.

    Notes
    -----
    A *difference* can make scores differ from the organisers': a count that differs from a certain official count; gold
    that names no document or no query; a query that names itself or has no gold; a repeated id; bytes that could not be
    decoded; and everything that the readers repair or omit with a warning. Some differences are the
    organisers' own; these are reported as well.

    A *note* does not change scores: labels that are not published yet; a count whose official number is not certain; a
    name repeated in a gold list (it counts once, in the official counts too); identical texts (most editions have
    them); gold with a duplicate that is no gold; queries that are documents; documents that no label names; texts and
    names known from the other split of the edition; null labels and instances without accepted claim of the pilot;
    and irregularities of the files: texts of cases with one of the irregularities of
    `ir_coliee.text.text_irregularities`, ignored files, articles that a question quotes with another text than the
    civil code has, tort instances without facts or without claims of a side.

    Texts are identical if they differ at most in line ends (CR LF and LF), and near-identical if
    `ir_coliee.releases.text_fingerprints.normalised_text` is the same. Where queries have candidate pools, only a
    duplicate in the pool of the query counts as a duplicate of its gold.

    A split is read once, and only fingerprints of its texts are kept, so that an audit needs little memory.

    Examples
    --------
    >>> audit("coliee/task2/sample/test").differs
    False
    """
    release = dataset if isinstance(dataset, LocalRelease) else LocalRelease.open(dataset)
    with _forgetful_readers():
        with _recorded() as caught:
            features = irregularities.of_documents(release.split), irregularities.of_queries(release.split)
            content = read_content(release, progress, *features)
            on_files = [*irregularities.findings(release)]
        findings = [
            *_warnings(caught),
            *checks(content, is_synthetic=release.is_synthetic),
            *overlap_checks(content, progress),
            *(finding for record in features for finding in record.findings()),
            *on_files,
        ]
    return Audit(release.split.id, content.counts, tuple(sorted(findings, key=attrgetter("level"))))


@contextmanager
def _forgetful_readers() -> Iterator[None]:
    """Clear the readers' cached results before and after this context, so that warnings are repeated."""
    forget()
    try:
        yield
    finally:
        forget()


@contextmanager
def _recorded() -> Iterator[list[warnings.WarningMessage]]:
    """Record the warnings of the readers; if reading fails, show them, because one may explain the error."""
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ColieeWarning)
            yield caught
    except ColieeError:
        for warning in caught:
            warnings.warn(warning.message, stacklevel=4)
        raise


def _warnings(caught: Sequence[warnings.WarningMessage]) -> Iterator[Finding]:
    """Report each warning of the readers once. Hints and warnings of other libraries are passed on."""
    of_readers = [w for w in caught if issubclass(w.category, ColieeWarning) and not issubclass(w.category, ColieeHint)]
    for warning in caught:
        if warning not in of_readers:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    for message in dict.fromkeys(str(warning.message) for warning in of_readers):
        yield Finding("warning-of-reader", "difference", 1, (), message)
