"""The checks of an audit on texts that occur in both the train and the test split of an edition."""

from __future__ import annotations

from collections.abc import Iterator

from ir_coliee.editions import SPLITS, Split
from ir_coliee.errors import ColieeError, MissingReleaseError
from ir_coliee.releases.audit_content import SplitContent, no_warnings, read_content
from ir_coliee.releases.findings import Finding, finding, finding_on
from ir_coliee.releases.irregularities import FeatureRecord
from ir_coliee.releases.layouts import CORPUS_LAYOUTS
from ir_coliee.releases.local_release import LocalRelease


def overlap_checks(content: SplitContent, *, verbose: bool) -> Iterator[Finding]:
    """Compare a split with the train split of its edition, or the train split with the test split."""
    other = _other_split(content.split)
    if other is None:
        return
    with no_warnings():  # they belong to the audit of the other split
        try:
            others = read_content(
                LocalRelease.open(other), FeatureRecord("documents"), FeatureRecord("queries"), verbose=verbose
            )
        except MissingReleaseError:
            message = f"not compared with {other.id}, which is not in the data folder"
            yield finding("other-split-not-compared", message)
            return
        except ColieeError as error:
            yield finding("other-split-not-compared", f"not compared with {other.id}: {error}")
            return
    layout = CORPUS_LAYOUTS.get(content.split.layout)
    if layout is not None and layout.queries_are_documents:
        text_of = {document.id: document.whole for document in others.documents}
        renamed = (
            document.id for document in content.documents if text_of.get(document.id, document.whole) != document.whole
        )
        description = f"documents whose id is that of another text in {other.id}"
        yield from finding_on("id-of-another-text", description, renamed)
    if {document[:2] for document in content.documents} != {document[:2] for document in others.documents}:
        yield from _known_documents(content, others)  # splits of one collection share their documents
    yield from _known_queries(content, others)


def _other_split(split: Split) -> Split | None:
    """Return the train split, or the test split of a train split; None if it is missing or includes this split."""
    if split.name == "train":
        return SPLITS.get(f"{split.id.removesuffix('train')}test")
    return split.train


def _known_documents(content: SplitContent, others: SplitContent) -> Iterator[Finding]:
    other = others.split.id
    known = {document.whole for document in others.documents}
    known_normalised = {document.normalised for document in others.documents}
    identical = [document for document in content.documents if document.whole in known]
    texts = len({document.whole for document in identical})
    description = f"documents that are identical to one of {other} ({texts} texts)"
    yield from finding_on("document-in-other-split", description, (document.id for document in identical))
    similar = (
        document.id
        for document in content.documents
        if document.whole not in known and document.normalised in known_normalised
    )
    yield from finding_on("near-identical-in-other-split", f"documents near-identical to one of {other}", similar)
    queries = (query.id for query in content.queries or () if query.whole in known)
    yield from finding_on("query-is-document-of-other-split", f"queries that are documents of {other}", queries)


def _known_queries(content: SplitContent, others: SplitContent) -> Iterator[Finding]:
    with_labels = {qrel.query_id for qrel in others.qrels or ()}
    labelled = {query.whole for query in others.queries or () if query.id in with_labels}
    queries = (query.id for query in content.queries or () if query.whole in labelled)
    description = f"queries that are queries of {others.split.id}, with labels there"
    yield from finding_on("query-in-other-split", description, queries)
