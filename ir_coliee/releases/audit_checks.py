"""The checks of an audit on one split."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter

from ir_coliee.releases.audit_content import SplitContent
from ir_coliee.releases.findings import Finding, finding, finding_on
from ir_coliee.releases.layouts import CORPUS_LAYOUTS, number
from ir_coliee.releases.readers import READERS
from ir_coliee.releases.text_fingerprints import groups_by


def checks(content: SplitContent, *, is_synthetic: bool) -> Iterator[Finding]:
    """Run all checks on a split.

    Parameters
    ----------
    content : SplitContent
    is_synthetic : bool
        Whether the data are fictional, which is mentioned if a count differs from the official one.
    """
    yield from _missing_files(content)
    yield from _counts(content, is_synthetic)
    yield from _repeated_ids(content)
    yield from _undecodable(content)
    yield from _labels(content)
    yield from _identical_texts(content)
    yield from _duplicates_of_gold(content)
    yield from _queries_among_documents(content)


def _missing_files(content: SplitContent) -> Iterator[Finding]:
    names = (role_names[0] for role_names in content.missing.values())
    yield from finding_on("missing-file", "files that were not found", names)


def _counts(content: SplitContent, is_synthetic: bool) -> Iterator[Finding]:
    names = sum(map(len, content.written_gold.values()))  # the number that some tables of the organisers count
    for entity, size in content.counts.items():
        official = content.split.counts.get(entity)
        if official is None or official == size or (entity == "qrels" and official == names):
            continue
        reason = "; the data are synthetic" if is_synthetic else "" if official.is_certain else ", which is not certain"
        check = f"differing-count-of-{entity}" if reason else f"count-of-{entity}"
        message = f"{entity}: {size} in the local copy, official count {int(official)}{reason}"
        yield finding(check, message, count=abs(size - official))


def _repeated_ids(content: SplitContent) -> Iterator[Finding]:
    for name, texts in (("document", content.documents), ("query", content.queries or [])):
        repeated = (group[0].id for group in groups_by(texts, attrgetter("id")))
        yield from finding_on(f"repeated-{name}-id", f"{name} ids that occur more than once", repeated)


def _undecodable(content: SplitContent) -> Iterator[Finding]:
    description = "texts with U+FFFD, which replaces bytes that could not be decoded"
    damaged = dict.fromkeys(text.id for text in (*content.documents, *(content.queries or ())) if text.is_damaged)
    yield from finding_on("undecodable-bytes", description, damaged)


def _labels(content: SplitContent) -> Iterator[Finding]:
    known = {query.id for query in content.queries or ()}
    unknown = dict.fromkeys([*content.queries_without_text, *(q for q in content.written_gold if q not in known)])
    yield from finding_on("gold-without-query", "queries of the labels that have no text", unknown)
    if content.queries is None or content.qrels is None:
        if "labels" not in content.missing:
            yield finding("no-labels", "the local copy has no labels")
        return
    documents = {document.id for document in content.documents}
    queries = {query.id: None for query in content.queries}
    written = content.written_gold
    pairs = dict.fromkeys((query, item) for query, items in written.items() for item in items)

    def labels(condition: Callable[[str, str], bool]) -> Iterator[str]:
        return (f"{query} {item}" for query, item in pairs if condition(query, item))

    unknown_items = labels(lambda query, item: item not in documents)
    check = "gold-without-article" if content.split.exam_years else "gold-without-document"
    yield from finding_on(check, "gold labels that name no document", unknown_items)
    self_citing = (query for query, item in pairs if query == item)
    yield from finding_on("self-citation", "queries whose gold names themselves", self_citing)
    check = "no-relevant-item" if READERS[content.split.task].may_lack_gold else "query-without-gold"
    without_gold = (query for query in queries if query not in content.gold)
    yield from finding_on(check, "queries without gold", without_gold)
    repeating = (query for query, items in written.items() if len(set(items)) < len(items))
    yield from finding_on("repeated-gold", "gold lists that repeat a name, which counts once", repeating)
    gold_queries = labels(lambda query, item: item in queries and item != query)
    yield from finding_on("gold-is-query", "gold labels that name another query", gold_queries)
    yield from _null_labels(content, queries)
    yield from _labels_of_layout(content, documents_named=queries.keys() | {item for _, item in pairs}, labels=labels)


def _null_labels(content: SplitContent, queries: dict[str, None]) -> Iterator[Finding]:
    """Report candidates without label, in tasks in which all candidates are labelled."""
    if 0 not in READERS[content.split.task].grades:
        return
    judged = {(qrel.query_id, qrel.doc_id) for qrel in content.qrels or ()}
    candidates = ((query, item) for query in queries for item in sorted((content.candidates or {}).get(query, ())))
    unjudged = (f"{query} {item}" for query, item in candidates if (query, item) not in judged)
    yield from finding_on("null-label", "candidates whose label is null", unjudged)


def _labels_of_layout(
    content: SplitContent, documents_named: set[str], labels: Callable[[Callable[[str, str], bool]], Iterator[str]]
) -> Iterator[Finding]:
    layout = CORPUS_LAYOUTS.get(content.split.layout)
    if layout is None:
        return
    if layout.queries_are_documents:
        unnamed = (document.id for document in content.documents if document.id not in documents_named)
        yield from finding_on("unnamed-document", "documents that no label of this split names", unnamed)
    else:
        of_own_number = labels(lambda query, item: number(item.rpartition("_")[2]) == number(query))
        description = "gold labels that name an item of the query's own number"
        yield from finding_on("gold-of-own-number", description, of_own_number)


def _identical_texts(content: SplitContent) -> Iterator[Finding]:
    for name, texts in (("documents", content.documents), ("queries", content.queries or [])):
        identical = groups_by(texts, attrgetter("whole"))
        similar = [
            group for group in groups_by(texts, attrgetter("normalised")) if len({text.whole for text in group}) > 1
        ]
        for kind, groups in (("identical", identical), ("near-identical", similar)):
            description = f"{kind} {name}, {len(groups)} different texts"
            ids = (text.id for group in groups for text in group)
            yield from finding_on(f"{kind}-{name}", description, ids)


def _duplicates_of_gold(content: SplitContent) -> Iterator[Finding]:
    """Report gold whose text also occurs under another id, whether that is labelled or not."""
    text_of = {document.id: document.whole for document in content.documents}
    groups = groups_by(content.documents, attrgetter("whole"))
    ids_of_text = {group[0].whole: {document.id for document in group} for group in groups}
    with_duplicate, with_unlabelled_duplicate, same_text = [], [], []
    for query, gold in content.gold.items():
        known = [item for item in gold if item in text_of]
        for item in known:
            duplicates = ids_of_text.get(text_of[item], set()) - {item}
            if content.candidates is not None:
                duplicates &= content.candidates.get(query, set())
            if duplicates:
                with_duplicate.append(f"{query} {item}")
            if duplicates.difference(gold):
                with_unlabelled_duplicate.append(f"{query} {item}")
        if len({text_of[item] for item in known}) < len(set(known)):
            same_text.append(query)
    yield from finding_on("gold-with-duplicate", "gold labels with a duplicate", with_duplicate)
    description = "gold labels with a duplicate that is not gold for the query"
    yield from finding_on("gold-with-unlabelled-duplicate", description, with_unlabelled_duplicate)
    yield from finding_on("gold-repeats-text", "gold lists that have one text under two ids", same_text)


def _queries_among_documents(content: SplitContent) -> Iterator[Finding]:
    known = {document.whole for document in content.documents}
    among_documents = [query.id for query in content.queries or () if query.whole in known]
    if content.split.task == "task2":
        yield from finding_on("fragment-is-paragraph", "fragments whose text is that of a paragraph", among_documents)
    else:
        yield from finding_on("query-is-document", "queries that are documents too", among_documents)
