"""`audit`: compares a local copy with the official counts, and reports what can mislead an experiment."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from ir_coliee.display import Block, Details, Heading, Table, displayed
from ir_coliee.editions import Dataset, as_split
from ir_coliee.errors import ColieeError, ColieeHint, ColieeWarning
from ir_coliee.releases import irregularities
from ir_coliee.releases.audit_checks import checks
from ir_coliee.releases.audit_content import read_content
from ir_coliee.releases.audit_overlap import overlap_checks
from ir_coliee.releases.check_table import LEVELS, Level
from ir_coliee.releases.findings import Finding, FindingWarning, MoreWarnings, finding, finding_on
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.releases.memory import forget
from ir_coliee.releases.sealed_state import SealedState, keep_seal, sealed_state
from ir_coliee.releases.seals import compute_seal


@displayed
class Audit(NamedTuple):
    """The result of an audit.

    Attributes
    ----------
    id : str
        The id of the split.
    counts : mapping from str to int
        The number of ``docs``, ``queries`` and ``qrels``. Labels that are not published are not counted.
    findings : tuple of Finding
        The most serious first.
    seal : SealedState or None
        The seal of the local copy, and what has changed since; None if it was not sealed.
    """

    id: str
    counts: Mapping[str, int]
    findings: tuple[Finding, ...]
    seal: SealedState | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether a finding shows that the local copy is damaged or incomplete."""
        return bool(self.by_level["wrong"])

    @property
    def by_level(self) -> Mapping[Level, list[Finding]]:
        """The findings of each level; empty lists included."""
        return {level: [finding for finding in self.findings if finding.level == level] for level in LEVELS}

    def display(self) -> Iterator[Block]:
        """Return the findings in their groups with the advice, as `ir_coliee.display` shows them."""
        counts = ", ".join(f"{number} {entity}" for entity, number in self.counts.items())
        yield Heading(f"{as_split(self.id).pretty_name}: {counts}")
        if self.seal:
            yield str(self.seal)
        for level, findings in self.by_level.items():
            yield Heading(level if findings else f"{level}: nothing")
            for advice, alike in groupby(findings, attrgetter("advice")):
                for found in alike:
                    yield f"  {found.check}: {found.message}"
                yield f"    {advice}"
        yield Heading(self._verdict())
        yield Details(
            "All ids", Table(["check", "ids"], [[found.check, ", ".join(found.ids)] for found in self.findings])
        )

    def _verdict(self) -> str:
        names = [finding.check for finding in self.by_level["wrong"]]
        if not names:
            return "Nothing is wrong."
        return f"{len(names)} {'finding is' if len(names) == 1 else 'findings are'} wrong: {', '.join(names)}"

    def __repr__(self) -> str:
        return str(self)


def audit(dataset: Dataset | LocalRelease, *, verbose: bool = False) -> Audit:
    """Audit the local copy of a split.

    Parameters
    ----------
    dataset : Split or str or ir_datasets.Dataset or pyterrier.datasets.Dataset or LocalRelease
        The split.
    verbose : bool, default False
        Whether to show progress.

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
    Each finding has a level, which `ir_coliee.releases.check_table.CHECKS` states with an advice:

    * *wrong*: the local copy is damaged or incomplete. A file is missing, a count differs from a certain official
      count, gold names no document or no query, an id is repeated, or bytes could not be decoded.
    * *changes your score*: figures differ from the organisers', or from those on other data. Gold has duplicates, a
      gold list repeats a name, queries name themselves or have no gold, questions name articles that the civil code
      does not have, queries are known from the other split of the edition, or a reader repaired or left out something.
    * *curious*: the rest, such as a count whose official number is not certain, labels that are not published yet,
      irregular texts, ignored files, and instances of the pilot without facts or claims. A synthetic release that is
      smaller than the real one is curious too.

    The number of gold labels may be the official number of distinct labels, or of the names that the lists have.

    Texts are identical if they differ at most in line ends (CR LF and LF), and near-identical if
    `ir_coliee.releases.text_fingerprints.normalised_text` is the same. Where queries have candidate pools, only a
    duplicate in the pool of the query counts as a duplicate of its gold.

    A split is read once, and only fingerprints of its texts are kept, so that an audit needs little memory.

    Examples
    --------
    >>> audit("coliee/task2/sample/test").is_wrong
    False
    """
    release = dataset if isinstance(dataset, LocalRelease) else LocalRelease.open(dataset)
    state = sealed_state(release, verbose=verbose)
    changes = [*state.findings()] if state else []
    try:
        result = _audit_of(release, verbose=verbose)
    except ColieeError:
        for change in changes:  # one may explain the error
            warnings.warn(change.message, ColieeWarning, stacklevel=2)
        raise
    return result._replace(findings=(*changes, *result.findings), seal=state)


def seal(dataset: Dataset | LocalRelease, *, overwrite: bool = False, verbose: bool = False) -> Audit:
    """Audit the local copy of a split and seal it: keep a fingerprint of each file, so that changes are noticed later.

    A local copy in which something is wrong is not sealed; the findings tell what to mend first. `audit` of a sealed
    one reports which files changed, are missing or were added since. Two participants can compare the hash of their
    seals: it is equal if the files that are read have the same content.

    Parameters
    ----------
    dataset : Split or str or ir_datasets.Dataset or pyterrier.datasets.Dataset or LocalRelease
        The split.
    overwrite : bool, default False
        Whether to replace a seal of other content, or one that cannot be read.
    verbose : bool, default False
        Whether to show progress.

    Returns
    -------
    Audit
        ``seal`` has the path and the hash; it is None if a finding is wrong, so that the local copy was not sealed.

    Raises
    ------
    ColieeError
        If the files cannot be read, or the seal cannot be written.
    ExistingFileError
        If there is a seal of other content and ``overwrite`` is False.

    Notes
    -----
    The seal is written to ``seals`` in the data folder and stays there when caches are deleted. It has no text, but the
    fingerprint of a short file can be guessed: keep it where the data may be, and pass on the hash alone.
    `ir_coliee.releases.seals` defines the hash.

    Examples
    --------
    >>> import os, tempfile
    >>> from unittest import mock
    >>> with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, COLIEE_HOME=folder):
    ...     sealed = seal("coliee/task2/sample/test")
    ...     len(sealed.seal.hash), audit("coliee/task2/sample/test").seal.changes
    (64, ())
    """
    release = dataset if isinstance(dataset, LocalRelease) else LocalRelease.open(dataset)
    computed = compute_seal(release, verbose=verbose)  # before the audit, so that no later content is sealed
    result = _audit_of(release, verbose=verbose)
    if result.is_wrong:
        return result
    return result._replace(seal=keep_seal(release, computed, overwrite=overwrite))


def _audit_of(release: LocalRelease, *, verbose: bool) -> Audit:
    with _forgetful_readers():
        with _recorded() as caught:
            features = irregularities.of_documents(release.split), irregularities.of_queries(release.split)
            content = read_content(release, *features, verbose=verbose)
            on_files = [*irregularities.findings(release)]
        findings = [
            *_warnings(caught),
            *checks(content, is_synthetic=release.is_synthetic),
            *overlap_checks(content, verbose=verbose),
            *(finding for record in features for finding in record.findings()),
            *on_files,
        ]
    return Audit(
        release.split.id, content.counts, tuple(sorted(findings, key=lambda finding: LEVELS.index(finding.level)))
    )


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
    ids: dict[tuple[str, str], dict[str, None]] = {}
    for message in dict.fromkeys(warning.message for warning in of_readers):
        if isinstance(message, FindingWarning):
            ids.setdefault((message.check, message.description), {}).update(dict.fromkeys(message.ids))
    for (check, description), concerned in ids.items():
        yield from finding_on(check, description, concerned)
    others = (warning.message for warning in of_readers if not isinstance(warning.message, FindingWarning))
    for text, more in {(str(message), _more(message)): None for message in others}:
        yield finding("warning-of-reader", text, count=len(more) or 1, ids=more)


def _more(message: Warning | str) -> tuple[str, ...]:
    """Return the warnings that a warning stands for; empty for a usual one."""
    return message.problems if isinstance(message, MoreWarnings) else ()
