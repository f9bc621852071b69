"""Checks a copy against the table, and for what in it can mislead an experiment.

A part is read once, through ir_datasets as everybody reads it, whatever its task and edition. Of its
texts only fingerprints are kept, so that an audit needs little memory.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from operator import attrgetter
from typing import Any, Literal, NamedTuple

import ir_datasets
from ir_datasets.formats import GenericQrel

from ir_coliee.datasets import cases, copies, releases
from ir_coliee.datasets.registration import READERS
from ir_coliee.datasets.releases import PARTS, Part
from ir_coliee.errors import ColieeError, ColieeWarning, MissingCopyError, MissingLabelsError, shown

Level = Literal["difference", "note"]
Progress = Callable[[Iterable[int]], Iterable[int]]

_SHOWN = 10  # ids in a finding
_MAY_LACK_GOLD = ("prediction", "rationale")  # null is a label, and a court may accept no claim
_LABEL_LISTS = ("task1", "task2")  # whose gold is handed out as lists of names

_NON_ASCII_GAPS = re.compile(r"[^\w\x00-\x7f]+")
_ASCII_GAPS = bytes(code for code in range(128) if re.match(r"\W", chr(code)))


class Finding(NamedTuple):
    """Something about a copy.

    ``check`` is a stable name (``gold-without-document``), ``count`` the number of things that it was
    found in, ``ids`` the first of them: of queries or documents, of gold labels ``query document``.
    """

    check: str
    level: Level
    count: int  # type: ignore[assignment]  # a field here, a method of tuples
    ids: tuple[str, ...]
    message: str


class Audit(NamedTuple):
    """What was found in the copy of a part: its ``docs``, ``queries`` and ``qrels``, and the findings,
    differences first. Labels that are not published are not counted."""

    id: str
    counts: Mapping[str, int]
    findings: tuple[Finding, ...]

    @property
    def differs(self) -> bool:
        """Whether one of the findings is a difference."""
        return any(finding.level == "difference" for finding in self.findings)


def audit(part: Part | str, *, progress: Progress = iter) -> Audit:
    """Everything worth knowing about the copy of a part, given by its row or its id.

    A *difference* is what can make scores differ from the organisers': a count that is not the table's
    (if the table is certain of it), gold that names no document or no query, a query that names itself or
    has no gold, an id given twice, bytes that could not be decoded, and whatever the readers mended or
    left out, of which they warn. Some differences are the organisers' own: they too are to be known.

    A *note* is a property that changes no score: labels not published yet, a count that the table is not
    certain of, a name repeated in a gold list (it counts once, in the table too), identical texts (most
    editions have them), gold of which an identical copy is no gold, queries that are documents, texts
    known from the other part of the edition, null labels and instances without true claim of the pilot.

    Texts are identical if no character differs but for CR LF and LF, near-identical if `wording` is the
    same. Where queries have pools, only a copy in the pool of the query counts as a copy of its gold.
    ``progress`` wraps the loop over the documents of each part that is read.

    Raises `MissingCopyError` where there is no copy, and what else loading it raises.

    >>> audit("coliee/task2/sample/test").differs
    False
    """
    part = releases.part(part) if isinstance(part, str) else part
    with _empty_caches(part):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ColieeWarning)
            copy = _read(part, progress)
            written = _gold_as_written(part, copy)
        findings = [
            *_warnings(caught),
            *_compared_with_table(part, copy),
            *_repeated_ids(copy),
            *_undecodable(copy),
            *_labels(part, copy, written),
            *_identical_texts(copy),
            *_copies_of_gold(copy),
            *_queries_among_documents(copy),
            *_compared_with_other_part(part, copy, progress),
        ]
    return Audit(part.id, copy.counts, tuple(sorted(findings, key=attrgetter("level"))))


def wording(text: str) -> bytes:
    r"""The text in lower case without anything but word characters (``\w``), in UTF-8.

    >>> wording("[1]\nThe gate-keeper’s LAMP.") == wording("[1] The gatekeeper's lamp")
    True
    """
    text = text.lower()
    if not text.isascii():
        text = _NON_ASCII_GAPS.sub("", text)
    return _encoded(text).translate(None, _ASCII_GAPS)  # several times as fast as a pattern for all


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")  # JSON can hold half a character


# --- reading ---------------------------------------------------------------------------------------


class _Text(NamedTuple):
    """A document or query by the fingerprints of its text."""

    id: str
    whole: bytes
    wording: bytes
    is_damaged: bool


@dataclass(frozen=True)
class _Copy:
    """A part as it is loaded. Without labels ``qrels`` is None, and in some layouts ``queries`` too."""

    docs: list[_Text]
    queries: list[_Text] | None
    qrels: list[GenericQrel] | None
    pools: dict[str, set[str]] | None
    grades: Mapping[int, str]

    @property
    def counts(self) -> dict[str, int]:
        """The number of entities of each kind."""
        entities = {"docs": self.docs, "queries": self.queries, "qrels": self.qrels}
        return {entity: len(found) for entity, found in entities.items() if found is not None}

    @cached_property
    def gold(self) -> dict[str, list[str]]:
        """Query to its gold documents."""
        gold: dict[str, list[str]] = {}
        for qrel in self.qrels or ():
            if qrel.relevance > 0:
                gold.setdefault(qrel.query_id, []).append(qrel.doc_id)
        return gold


@contextmanager
def _empty_caches(part: Part) -> Iterator[None]:
    """Readers do not warn again of a file that they have kept: let them read anew, and so afterwards too."""
    _forget_what_was_read(part)
    try:
        yield
    finally:
        _forget_what_was_read(part)


def _forget_what_was_read(part: Part) -> None:
    readers = READERS[part.task]
    for module in {reader.__module__ for reader in (readers.docs, readers.queries, readers.gold)}:
        for kept in vars(sys.modules[module]).values():
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()


def _read(part: Part, progress: Progress) -> _Copy:
    dataset = ir_datasets.load(part.id)
    loop = progress(range(dataset.docs_handler().docs_count()))  # the dataset's own method may give the table's count
    docs = [_text(doc.doc_id, doc.default_text()) for _, doc in zip(loop, dataset.docs_iter())]
    queries = _unless_missing(lambda: [_text(query.query_id, query.default_text()) for query in dataset.queries_iter()])
    qrels = _unless_missing(lambda: list(dataset.qrels_iter()))
    return _Copy(docs, queries, qrels, _pools(dataset), dataset.qrels_defs())


def _unless_missing(load: Callable[[], list[Any]]) -> list[Any] | None:
    try:
        return load()
    except MissingLabelsError:  # before they are published
        return None


def _text(text_id: str, text: str) -> _Text:
    whole = _encoded(text.replace("\r\n", "\n"))
    # without a word character the wording says nothing
    return _Text(text_id, _fingerprint(whole), _fingerprint(wording(text) or whole), "\ufffd" in text)


def _fingerprint(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


def _pools(dataset: Any) -> dict[str, set[str]] | None:
    if not dataset.has_scoreddocs():
        return None
    pools: dict[str, set[str]] = {}
    for pair in dataset.scoreddocs_iter():
        pools.setdefault(pair.query_id, set()).add(pair.doc_id)
    return pools


def _gold_as_written(part: Part, copy: _Copy) -> Mapping[str, Sequence[str]]:
    """Query to gold documents as the label file has them: with repeats, and with what loading leaves out."""
    return cases.raw_gold(part) if part.task in _LABEL_LISTS and copy.qrels is not None else copy.gold


# --- checks ----------------------------------------------------------------------------------------


def _found(check: str, level: Level, what: str, ids: Iterable[str]) -> Iterator[Finding]:
    """A finding about the things with these ids, if there are any."""
    if found := list(ids):
        first = tuple(found[:_SHOWN])
        names = ", ".join(map(shown, first)) + (", …" if len(found) > _SHOWN else "")
        yield Finding(check, level, len(found), first, f"{what}: {len(found)} ({names})")


def _warnings(caught: Sequence[warnings.WarningMessage]) -> Iterator[Finding]:
    """What the readers warned of, each warning once. Other warnings are passed on."""
    own = [warning for warning in caught if issubclass(warning.category, ColieeWarning)]
    for warning in caught:
        if warning not in own:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    for message in dict.fromkeys(str(warning.message) for warning in own):
        yield Finding("warning-of-reader", "difference", 1, (), message)


def _compared_with_table(part: Part, copy: _Copy) -> Iterator[Finding]:
    made_up = "; this copy is made up" if copies.is_made_up(part) else ""
    for entity, number in copy.counts.items():
        official = part.counts.get(entity)
        if official is None or official == number:
            continue
        level: Level = "difference" if official.is_certain else "note"
        doubt = "" if official.is_certain else ", which is not certain"
        message = f"{entity}: {number} here, {official} in the table{doubt}{made_up}"
        yield Finding(f"count-of-{entity}", level, abs(number - official), (), message)


def _repeated_ids(copy: _Copy) -> Iterator[Finding]:
    for name, texts in (("document", copy.docs), ("query", copy.queries or [])):
        repeated = (group[0].id for group in _groups(texts, attrgetter("id")))
        yield from _found(f"repeated-{name}-id", "difference", f"{name} ids given more than once", repeated)


def _undecodable(copy: _Copy) -> Iterator[Finding]:
    what = "texts with U+FFFD, which stands for bytes that could not be decoded"
    damaged = dict.fromkeys(text.id for text in (*copy.docs, *(copy.queries or ())) if text.is_damaged)
    yield from _found("undecodable-bytes", "difference", what, damaged)


def _labels(part: Part, copy: _Copy, written: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    if copy.queries is None or copy.qrels is None:
        yield Finding("no-labels", "note", 1, (), "no labels in this copy")
        return
    docs = {doc.id for doc in copy.docs}
    queries = {query.id: None for query in copy.queries}
    pairs = dict.fromkeys((query, doc) for query, items in written.items() for doc in items)

    def labels(which: Callable[[str, str], bool]) -> Iterator[str]:
        return (f"{query} {doc}" for query, doc in pairs if which(query, doc))

    yield from _found(
        "gold-without-document", "difference", "gold labels that name no document", labels(lambda _, d: d not in docs)
    )
    unknown = dict.fromkeys(query for query, _ in pairs if query not in queries)
    yield from _found("gold-without-query", "difference", "gold lists of queries that are not there", unknown)
    selves = (query for query, doc in pairs if query == doc)
    yield from _found("self-citation", "difference", "queries whose gold names themselves", selves)
    level: Level = "note" if part.task in _MAY_LACK_GOLD else "difference"
    without = (query for query in queries if query not in copy.gold)
    yield from _found("query-without-gold", level, "queries without gold", without)
    repeats = (query for query, items in written.items() if len(set(items)) < len(items))
    yield from _found("repeated-gold", "note", "gold lists that repeat a name, which counts once", repeats)
    gold_queries = labels(lambda query, doc: doc in queries and doc != query)
    yield from _found("gold-is-query", "note", "gold labels that name another query", gold_queries)
    if 0 in copy.grades:  # what is not gold is judged too
        judged = {(qrel.query_id, qrel.doc_id) for qrel in copy.qrels}
        pooled = ((query, doc) for query in queries for doc in sorted((copy.pools or {}).get(query, ())))
        nulls = (f"{query} {doc}" for query, doc in pooled if (query, doc) not in judged)
        yield from _found("null-label", "note", "candidates whose label is null", nulls)


def _groups(texts: Iterable[_Text], key: Callable[[_Text], Any]) -> list[list[_Text]]:
    """The texts that share their key with another one, by key."""
    groups: dict[Any, list[_Text]] = {}
    for text in texts:
        groups.setdefault(key(text), []).append(text)
    return [group for group in groups.values() if len(group) > 1]


def _identical_texts(copy: _Copy) -> Iterator[Finding]:
    for name, texts in (("documents", copy.docs), ("queries", copy.queries or [])):
        identical = _groups(texts, attrgetter("whole"))
        similar = [g for g in _groups(texts, attrgetter("wording")) if len({text.whole for text in g}) > 1]
        for kind, groups in (("identical", identical), ("near-identical", similar)):
            what = f"{kind} {name}, in groups of one text ({len(groups)} groups)"
            yield from _found(f"{kind}-{name}", "note", what, (text.id for group in groups for text in group))


def _copies_of_gold(copy: _Copy) -> Iterator[Finding]:
    """Gold of which the same text lies there under another id, labelled or not."""
    text_of = {doc.id: doc.whole for doc in copy.docs}
    copies_of = {group[0].whole: {doc.id for doc in group} for group in _groups(copy.docs, attrgetter("whole"))}
    with_copy, with_unlabelled_copy, twice = [], [], []
    for query, gold in copy.gold.items():
        labelled = [doc for doc in gold if doc in text_of]
        for doc in labelled:
            identical = copies_of.get(text_of[doc], set()) - {doc}
            if copy.pools is not None:
                identical &= copy.pools.get(query, set())
            if identical:
                with_copy.append(f"{query} {doc}")
            if identical.difference(gold):
                with_unlabelled_copy.append(f"{query} {doc}")
        if len({text_of[doc] for doc in labelled}) < len(set(labelled)):
            twice.append(query)
    yield from _found("gold-with-copy", "note", "gold labels with an identical copy", with_copy)
    what = "gold labels with an identical copy that is not gold for the query"
    yield from _found("gold-with-unlabelled-copy", "note", what, with_unlabelled_copy)
    yield from _found("gold-text-twice", "note", "gold lists that hold one text under two ids", twice)


def _queries_among_documents(copy: _Copy) -> Iterator[Finding]:
    known = {doc.whole for doc in copy.docs}
    found = (query.id for query in copy.queries or () if query.whole in known)
    yield from _found("query-is-document", "note", "queries that are documents too", found)


# --- the other part of the edition -----------------------------------------------------------------


def _other_part(part: Part) -> Part | None:
    """The train part; of the train part the test part. None where there is none, or where it has the part in it."""
    if part.name == "train":
        return PARTS.get(f"{part.id.removesuffix('train')}test")
    return part.train


def _compared_with_other_part(part: Part, copy: _Copy, progress: Progress) -> Iterator[Finding]:
    other = _other_part(part)
    if other is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColieeWarning)  # they are for the audit of the other part
        try:
            theirs = _read(other, progress)
        except MissingCopyError:
            message = f"{other.id} is not in the data folder, and was not compared"
            yield Finding("other-part-not-compared", "note", 1, (), message)
            return
        except ColieeError as error:
            yield Finding("other-part-not-compared", "note", 1, (), f"{other.id} was not compared: {error}")
            return
    if {doc[:2] for doc in copy.docs} != {doc[:2] for doc in theirs.docs}:  # else they share their documents
        yield from _known_documents(other, copy, theirs)
    yield from _known_queries(other, copy, theirs)


def _known_documents(other: Part, copy: _Copy, theirs: _Copy) -> Iterator[Finding]:
    known = {doc.whole for doc in theirs.docs}
    known_wordings = {doc.wording for doc in theirs.docs}
    identical = [doc for doc in copy.docs if doc.whole in known]
    texts = len({doc.whole for doc in identical})
    what = f"documents that are identical to one of {other.id} ({texts} texts)"
    yield from _found("document-known", "note", what, (doc.id for doc in identical))
    similar = (doc.id for doc in copy.docs if doc.whole not in known and doc.wording in known_wordings)
    yield from _found("document-nearly-known", "note", f"documents near-identical to one of {other.id}", similar)
    queries = (query.id for query in copy.queries or () if query.whole in known)
    yield from _found("query-is-known-document", "note", f"queries that are documents of {other.id}", queries)


def _known_queries(other: Part, copy: _Copy, theirs: _Copy) -> Iterator[Finding]:
    labelled = {query.whole for query in theirs.queries or () if query.id in theirs.gold}
    found = (query.id for query in copy.queries or () if query.whole in labelled)
    yield from _found("query-known", "note", f"queries that are queries of {other.id}, with labels there", found)
