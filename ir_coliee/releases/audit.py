"""Checks a copy against the table, and for what in it can mislead an experiment.

A split is read once, as ir_datasets reads it for everybody, whatever its task and edition. Of its texts only
fingerprints are kept, so that an audit needs little memory.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

import ir_datasets
from ir_datasets.formats import GenericQrel

from ir_coliee import editions
from ir_coliee.datasets.handlers import pools_of
from ir_coliee.editions import SPLITS, Split
from ir_coliee.errors import ColieeError, ColieeHint, ColieeWarning, MissingLabelsError, MissingReleaseError
from ir_coliee.releases import cases
from ir_coliee.releases import irregularities as peculiarities
from ir_coliee.releases import search as copies
from ir_coliee.releases.findings import Finding, Level, found
from ir_coliee.releases.fingerprints import Fingerprint, fingerprint, sharing
from ir_coliee.releases.irregularities import Seen
from ir_coliee.releases.layouts import number as as_number
from ir_coliee.releases.memory import forget
from ir_coliee.text.case_features import Written

Progress = Callable[[Iterable[int]], Iterable[int]]

_MAY_LACK_GOLD = ("prediction", "rationale")  # null is a label, and a court may accept no claim
_LABEL_LISTS = ("task1", "task2")  # whose gold is handed out as lists of names

Loaded = TypeVar("Loaded")


class Audit(NamedTuple):
    """What was found in the copy of a split: its ``docs``, ``queries`` and ``qrels``, and the findings,
    differences first. Labels that are not published are not counted."""

    id: str
    counts: Mapping[str, int]
    findings: tuple[Finding, ...]

    @property
    def differs(self) -> bool:
        """Whether one of the findings is a difference."""
        return any(finding.level == "difference" for finding in self.findings)


def audit(split: Split | str, *, progress: Progress = iter) -> Audit:
    """Everything worth knowing about the copy of a split, given by its row or its id.

    A *difference* is what can make scores differ from the organisers': a count that is not the table's
    (if the table is certain of it), gold that names no document or no query, a query that names itself or
    has no gold, an id given twice, bytes that could not be decoded, and whatever the readers mended or
    left out, of which they warn. Some differences are the organisers' own: they too are to be known.

    A *note* is a property that changes no score: labels not published yet, a count that the table is not
    certain of, a name repeated in a gold list (it counts once, in the table too), identical texts (most
    editions have them), gold of which an identical copy is no gold, queries that are documents, documents
    that no label names, texts and names known from the other split of the edition, null labels and instances
    without true claim of the pilot, and what is peculiar in the files: texts of cases with one of the traits
    of `ir_coliee.text.case_features`, files passed over, articles that a question quotes otherwise than the
    civil code has them, tort instances that lack facts or the claims of a side.

    Texts are identical if no character differs but for CR LF and LF, near-identical if `wording` is the
    same. Where queries have pools, only a copy in the pool of the query counts as a copy of its gold.
    ``progress`` wraps the loop over the documents of each split that is read.

    Raises `MissingReleaseError` where there is no copy, and what else loading it raises.

    >>> audit("coliee/task2/sample/test").differs
    False
    """
    split = editions.split(split) if isinstance(split, str) else split
    with _forgetful_readers():
        with _recorded() as caught:
            traits = peculiarities.of_documents(split), peculiarities.of_queries(split)
            copy = _read(split, progress, *traits)
            peculiar = [*peculiarities.findings(split)]
        findings = [
            *_warnings(caught),
            *_compared_with_table(split, copy),
            *_repeated_ids(copy),
            *_undecodable(copy),
            *_labels(split, copy),
            *_identical_texts(copy),
            *_copies_of_gold(copy),
            *_queries_among_documents(copy),
            *_compared_with_other_split(split, copy, progress),
            *(finding for seen in traits for finding in seen.findings()),
            *peculiar,
        ]
    return Audit(split.id, copy.counts, tuple(sorted(findings, key=attrgetter("level"))))


# --- reading ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Copy:
    """A split as it is loaded. Without labels ``qrels`` is None, and in some layouts ``queries`` too.

    ``written`` has the gold of each query as the label file has it: with repeats, and with what loading leaves out.
    """

    docs: list[Fingerprint]
    queries: list[Fingerprint] | None
    qrels: list[GenericQrel] | None
    written: Mapping[str, Sequence[str]]
    pools: dict[str, set[str]] | None
    grades: Mapping[int, str]

    @property
    def counts(self) -> dict[str, int]:
        """The number of entities of each kind."""
        entities = {"docs": self.docs, "queries": self.queries, "qrels": self.qrels}
        return {entity: len(things) for entity, things in entities.items() if things is not None}

    @cached_property
    def gold(self) -> dict[str, list[str]]:
        """Query to its gold documents."""
        return _by_query(self.qrels or ())


def _by_query(qrels: Iterable[GenericQrel]) -> dict[str, list[str]]:
    gold: dict[str, list[str]] = {}
    for qrel in qrels:
        if qrel.relevance > 0:
            gold.setdefault(qrel.query_id, []).append(qrel.doc_id)
    return gold


@contextmanager
def _forgetful_readers() -> Iterator[None]:
    """Readers do not warn again of a file that they have kept: let them read anew, and so afterwards too."""
    forget()
    try:
        yield
    finally:
        forget()


def _read(split: Split, progress: Progress, doc_traits: Seen, query_traits: Seen) -> _Copy:
    dataset = ir_datasets.load(split.id)
    loop = progress(range(dataset.docs_handler().docs_count()))  # the dataset's own method may give the table's count
    docs = []
    for _, (doc_id, written) in zip(loop, peculiarities.documents(split, dataset)):
        docs.append(fingerprint(doc_id, written.text))
        doc_traits.look(doc_id, written)
    queries = _unless_missing(lambda: [*_queries(dataset, query_traits)])
    qrels, gold = _unless_missing(lambda: _gold(split, dataset)) or (None, {})
    return _Copy(docs, queries, qrels, gold, pools_of(dataset), dataset.qrels_defs())


def _queries(dataset: Any, traits: Seen) -> Iterator[Fingerprint]:
    for query in dataset.queries_iter():
        text = query.default_text()
        traits.look(query.query_id, Written(query.query_id, b"", text))
        yield fingerprint(query.query_id, text)


def _gold(split: Split, dataset: Any) -> tuple[list[GenericQrel], Mapping[str, Sequence[str]]]:
    """The labels of a split, as they are loaded and as they are written."""
    if split.task not in _LABEL_LISTS:
        qrels = list(dataset.qrels_iter())
        return qrels, _by_query(qrels)
    written = cases.raw_gold(split)
    with _no_warnings():  # of what is written, which are known by now, and of what is left out of it, which is checked
        return list(dataset.qrels_iter()), written


@contextmanager
def _recorded() -> Iterator[list[warnings.WarningMessage]]:
    """The warnings of the readers; where reading fails, they are shown after all: one may tell why."""
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ColieeWarning)
            yield caught
    except ColieeError:
        for warning in caught:
            warnings.warn(warning.message, stacklevel=4)
        raise


@contextmanager
def _no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColieeWarning)
        yield


def _unless_missing(load: Callable[[], Loaded]) -> Loaded | None:
    try:
        return load()
    except MissingLabelsError:  # before they are published
        return None


# --- checks ----------------------------------------------------------------------------------------


def _warnings(caught: Sequence[warnings.WarningMessage]) -> Iterator[Finding]:
    """What the readers warned of, each warning once. Hints and other warnings are passed on."""
    own = [w for w in caught if issubclass(w.category, ColieeWarning) and not issubclass(w.category, ColieeHint)]
    for warning in caught:
        if warning not in own:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    for message in dict.fromkeys(str(warning.message) for warning in own):
        yield Finding("warning-of-reader", "difference", 1, (), message)


def _compared_with_table(split: Split, copy: _Copy) -> Iterator[Finding]:
    made_up = "; this copy is made up" if copies.is_synthetic(split) else ""
    for entity, number in copy.counts.items():
        official = split.counts.get(entity)
        if official is None or official == number:
            continue
        level: Level = "difference" if official.is_certain else "note"
        doubt = "" if official.is_certain else ", which is not certain"
        message = f"{entity}: {number} here, {official} in the table{doubt}{made_up}"
        yield Finding(f"count-of-{entity}", level, abs(number - official), (), message)


def _repeated_ids(copy: _Copy) -> Iterator[Finding]:
    for name, texts in (("document", copy.docs), ("query", copy.queries or [])):
        repeated = (group[0].id for group in sharing(texts, attrgetter("id")))
        yield from found(f"repeated-{name}-id", "difference", f"{name} ids given more than once", repeated)


def _undecodable(copy: _Copy) -> Iterator[Finding]:
    what = "texts with U+FFFD, which stands for bytes that could not be decoded"
    damaged = dict.fromkeys(text.id for text in (*copy.docs, *(copy.queries or ())) if text.is_damaged)
    yield from found("undecodable-bytes", "difference", what, damaged)


def _labels(split: Split, copy: _Copy) -> Iterator[Finding]:
    if copy.queries is None or copy.qrels is None:
        yield Finding("no-labels", "note", 1, (), "no labels in this copy")
        return
    docs = {doc.id for doc in copy.docs}
    queries = {query.id: None for query in copy.queries}
    pairs = dict.fromkeys((query, doc) for query, items in copy.written.items() for doc in items)

    def labels(which: Callable[[str, str], bool]) -> Iterator[str]:
        return (f"{query} {doc}" for query, doc in pairs if which(query, doc))

    yield from found(
        "gold-without-document", "difference", "gold labels that name no document", labels(lambda _, d: d not in docs)
    )
    unknown = dict.fromkeys(query for query, _ in pairs if query not in queries)
    yield from found("gold-without-query", "difference", "gold lists of queries that are not there", unknown)
    selves = (query for query, doc in pairs if query == doc)
    yield from found("self-citation", "difference", "queries whose gold names themselves", selves)
    level: Level = "note" if split.task in _MAY_LACK_GOLD else "difference"
    without = (query for query in queries if query not in copy.gold)
    yield from found("query-without-gold", level, "queries without gold", without)
    repeats = (query for query, items in copy.written.items() if len(set(items)) < len(items))
    yield from found("repeated-gold", "note", "gold lists that repeat a name, which counts once", repeats)
    gold_queries = labels(lambda query, doc: doc in queries and doc != query)
    yield from found("gold-is-query", "note", "gold labels that name another query", gold_queries)
    if 0 in copy.grades:  # what is not gold is judged too
        judged = {(qrel.query_id, qrel.doc_id) for qrel in copy.qrels}
        pooled = ((query, doc) for query in queries for doc in sorted((copy.pools or {}).get(query, ())))
        nulls = (f"{query} {doc}" for query, doc in pooled if (query, doc) not in judged)
        yield from found("null-label", "note", "candidates whose label is null", nulls)
    if split.layout == "flat":
        named = queries.keys() | {doc for _, doc in pairs}
        unnamed = (doc.id for doc in copy.docs if doc.id not in named)
        yield from found("unnamed-document", "note", "documents that no label of this split names", unnamed)
    elif split.task in _LABEL_LISTS:
        own = labels(lambda query, doc: as_number(doc.rpartition("_")[2]) == as_number(query))
        yield from found("gold-of-own-number", "note", "gold labels that name an item of the query's number", own)


def _identical_texts(copy: _Copy) -> Iterator[Finding]:
    for name, texts in (("documents", copy.docs), ("queries", copy.queries or [])):
        identical = sharing(texts, attrgetter("whole"))
        similar = [g for g in sharing(texts, attrgetter("wording")) if len({text.whole for text in g}) > 1]
        for kind, groups in (("identical", identical), ("near-identical", similar)):
            what = f"{kind} {name}, in groups of one text ({len(groups)} groups)"
            yield from found(f"{kind}-{name}", "note", what, (text.id for group in groups for text in group))


def _copies_of_gold(copy: _Copy) -> Iterator[Finding]:
    """Gold of which the same text lies there under another id, labelled or not."""
    text_of = {doc.id: doc.whole for doc in copy.docs}
    copies_of = {group[0].whole: {doc.id for doc in group} for group in sharing(copy.docs, attrgetter("whole"))}
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
    yield from found("gold-with-copy", "note", "gold labels with an identical copy", with_copy)
    what = "gold labels with an identical copy that is not gold for the query"
    yield from found("gold-with-unlabelled-copy", "note", what, with_unlabelled_copy)
    yield from found("gold-text-twice", "note", "gold lists that hold one text under two ids", twice)


def _queries_among_documents(copy: _Copy) -> Iterator[Finding]:
    known = {doc.whole for doc in copy.docs}
    documents = (query.id for query in copy.queries or () if query.whole in known)
    yield from found("query-is-document", "note", "queries that are documents too", documents)


# --- the other split of the edition -----------------------------------------------------------------


def _other_split(split: Split) -> Split | None:
    """The train split; of the train split the test split. None where there is none, or where it has the split in it."""
    if split.name == "train":
        return SPLITS.get(f"{split.id.removesuffix('train')}test")
    return split.train


def _compared_with_other_split(split: Split, copy: _Copy, progress: Progress) -> Iterator[Finding]:
    other = _other_split(split)
    if other is None:
        return
    with _no_warnings():  # they are for the audit of the other split
        try:
            theirs = _read(other, progress, Seen("documents"), Seen("queries"))
        except MissingReleaseError:
            message = f"{other.id} is not in the data folder, and was not compared"
            yield Finding("other-split-not-compared", "note", 1, (), message)
            return
        except ColieeError as error:
            yield Finding("other-split-not-compared", "note", 1, (), f"{other.id} was not compared: {error}")
            return
    if split.layout == "flat":
        whole = {doc.id: doc.whole for doc in theirs.docs}
        others = (doc.id for doc in copy.docs if whole.get(doc.id, doc.whole) != doc.whole)
        what = f"documents that have the name of another text in {other.id}"
        yield from found("name-of-another-text", "note", what, others)
    if {doc[:2] for doc in copy.docs} != {doc[:2] for doc in theirs.docs}:  # else they share their documents
        yield from _known_documents(other, copy, theirs)
    yield from _known_queries(other, copy, theirs)


def _known_documents(other: Split, copy: _Copy, theirs: _Copy) -> Iterator[Finding]:
    known = {doc.whole for doc in theirs.docs}
    known_wordings = {doc.wording for doc in theirs.docs}
    identical = [doc for doc in copy.docs if doc.whole in known]
    texts = len({doc.whole for doc in identical})
    what = f"documents that are identical to one of {other.id} ({texts} texts)"
    yield from found("document-known", "note", what, (doc.id for doc in identical))
    similar = (doc.id for doc in copy.docs if doc.whole not in known and doc.wording in known_wordings)
    yield from found("document-nearly-known", "note", f"documents near-identical to one of {other.id}", similar)
    queries = (query.id for query in copy.queries or () if query.whole in known)
    yield from found("query-is-known-document", "note", f"queries that are documents of {other.id}", queries)


def _known_queries(other: Split, copy: _Copy, theirs: _Copy) -> Iterator[Finding]:
    labelled = {query.whole for query in theirs.queries or () if query.id in theirs.gold}
    queries = (query.id for query in copy.queries or () if query.whole in labelled)
    yield from found("query-known", "note", f"queries that are queries of {other.id}, with labels there", queries)
