"""A collection as a sparse matrix of term counts, scored exhaustively and exactly.

In task 1 a query is a decision of thousands of words, which touches nearly every document anyway:
skipping documents saves nothing, so all are scored, with 64-bit sums.
"""

from __future__ import annotations

import json
import os
import unicodedata
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import ir_datasets
import pyterrier as pt

from ir_coliee._version import __version__
from ir_coliee.data_agreement import KeptHere
from ir_coliee.engine import storage
from ir_coliee.engine.adding import with_documents
from ir_coliee.engine.building import count_each, count_terms, source
from ir_coliee.engine.documents import content_column
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.errors import ColieeError, ColieeHint
from ir_coliee.progress import shown_if
from ir_coliee.releases import cache
from ir_coliee.releases.corpus_files import CorpusFiles, corpus_files
from ir_coliee.releases.search import ORGANISERS
from ir_coliee.text.analysers import Analysis, described, of_text, version
from ir_coliee.transformers.retrieval.retrievers import Retrievers

_CACHED = "index"


class LexicalIndex(KeptHere, TermCounts, Retrievers, pt.Artifact):
    """Term counts of every document of a collection: a PyTerrier artifact, in memory or in a folder.

    ``docnos`` are sorted; row i of ``counts`` (documents x terms) belongs to ``docnos[i]``;
    ``vocabulary`` maps a term to its column; ``lengths`` are the documents' tokens.
    """

    ARTIFACT_TYPE = storage.ARTIFACT_TYPE
    ARTIFACT_FORMAT = storage.ARTIFACT_FORMAT
    NOT_UPLOADED = (
        "An index is not sent to anybody: it holds the words of every document, and the memorandum that COLIEE's data "
        "are under forbids to pass them on, in processed form too. Whoever has the data builds the same index from "
        "them."
    )

    def __init__(self, source: TermCounts | str | os.PathLike[str]) -> None:
        """``source``: term counts, or the folder of a stored index, which is opened and not read.

        Raises `ColieeError` for a folder that holds no index, a damaged one, or one of another analyser's version.
        """
        in_memory = isinstance(source, TermCounts)
        counts = source if isinstance(source, TermCounts) else storage.load(Path(source))
        pt.Artifact.__init__(self, pt.Artifact.NO_PATH if in_memory else source)
        super().__init__(counts.docnos, counts.vocabulary, counts._matrix, counts.analyser, counts.fingerprint)

    @classmethod
    def build(cls, corpus: Iterable[Mapping[str, Any]], *, analyser: Analysis = "words") -> LexicalIndex:
        """Count the terms of a PyTerrier corpus: an iterable of dicts with ``docno`` and ``text``.

        ``analyser`` is a name of `ir_coliee.text.language.ANALYSERS` or a value of `ir_coliee.text.analysers`; with
        `Pretokenised` of these, documents have their tokens in ``toks`` instead.
        A large corpus is counted by several processes.
        Raises `ColieeError` for documents that come twice and for one without a number or a text, `ValueError` for an
        unknown analyser.

        >>> index = LexicalIndex.build([{"docno": "d1", "text": "a lamp, a gate"}, {"docno": "d2", "text": "a well"}])
        >>> len(index), int(index.counts.sum())
        (2, 6)
        """
        return cls(count_terms(corpus, analyser))

    @classmethod
    def build_each(cls, corpus: Iterable[Mapping[str, Any]], analysers: Sequence[Analysis]) -> list[LexicalIndex]:
        """An index by each of these analysers, from one reading of the corpus: words and shingles of several lengths.

        Raises as `build`, and `ValueError` where they are not made from the same tokens.

        >>> from ir_coliee.text.analysers import Shingles
        >>> corpus = [{"docno": "d1", "text": "a lamp, a gate"}, {"docno": "d2", "text": "a lamp"}]
        >>> words, pairs = LexicalIndex.build_each(corpus, ["words", Shingles(2)])
        >>> pairs.counts.toarray().tolist(), "a lamp" in pairs.vocabulary
        ([[1], [1]], True)
        """
        return [cls(counts) for counts in count_each(corpus, analysers)]

    @classmethod
    def from_dataset(
        cls,
        dataset: str,
        *,
        analyser: Analysis | None = None,
        path: str | os.PathLike[str] | None = None,
        verbose: bool = False,
    ) -> LexicalIndex:
        """Index all documents of an ir_datasets id by their default text.

        ``analyser`` is by default ``bigrams`` for Japanese and ``words`` for anything else; for court
        decisions ``case`` leaves out suppressed citations and paragraph marks. ``verbose`` shows a progress
        bar.

        The index of tasks 1 to 3 is kept in the cache below the data folder, and the next call opens it there,
        unless the files, the analyser or this package have changed; what a password protects is not kept. With
        ``path`` the index lies there instead: it is opened where it is there, else built. Raises `ColieeError` where
        it is one of other documents or another analyser, `ValueError` for an analyser that reads no text.
        """
        docs = ir_datasets.load(dataset)
        analyser = of_text(analyser or ("bigrams" if docs.docs_lang() == "ja" else "words"))
        if path is None:
            return cls.each_from_dataset(dataset, [analyser], verbose=verbose)[0]
        files = corpus_files(dataset)
        fingerprint = files.fingerprint if files else _fingerprint_of_texts(docs)
        if not os.path.lexists(path):
            storage.save(count_terms(_corpus(dataset, verbose), analyser, fingerprint=fingerprint), Path(path))
        return cls(path)._checked(dataset, fingerprint, analyser)

    @classmethod
    def each_from_dataset(
        cls, dataset: str, analysers: Sequence[Analysis], *, verbose: bool = False
    ) -> list[LexicalIndex]:
        """An index of an ir_datasets id by each of these analysers, as `from_dataset` makes one without ``path``.

        Each is kept in the cache, and opened from there, by itself. Those that are not there are made together: the
        documents are read and tokenised once for all that start from the same tokens, such as words and shingles of
        several lengths. Raises as `from_dataset`.

        >>> from ir_coliee.text.analysers import Shingles
        >>> case, runs = LexicalIndex.each_from_dataset(
        ...     "coliee/task1/sample/test", ["case", Shingles(5, of="case")]
        ... )  # doctest: +SKIP
        """
        files = corpus_files(dataset)
        kept = files if files and not files.locked else None
        wanted = list(dict.fromkeys(map(of_text, analysers)))
        found = _opened(kept, wanted) if kept else {}
        for together in _by_source(analyser for analyser in wanted if analyser not in found):
            for counts in count_each(_corpus(dataset, verbose), together, fingerprint=files and files.fingerprint):
                found[counts.analyser] = counts
                if kept:
                    _keep(kept, counts)
        return [cls(found[analyser]) for analyser in analysers]

    def with_documents(self, corpus: Iterable[Mapping[str, Any]]) -> LexicalIndex:
        """An index of these documents and of all that are in this one, which stays as it is.

        ``corpus``: as of `build`, for this index's analyser. It alone is tokenised, and the result is the index that
        `build` makes of all documents at once; `save` keeps it. What an indexing pipeline makes of documents is added
        by ``index.with_documents(pipeline.transform_iter(corpus))``. In memory are the new index and, beside what is
        added, of this one what is not on disk.

        Raises `ColieeError` for documents that come twice or are in this index already, as `build` for what is no
        document, and for shingles with bounds of document frequency, which forget what a bound leaves out.

        >>> index = LexicalIndex.build([{"docno": "d2", "text": "a lamp"}])
        >>> index.with_documents([{"docno": "d1", "text": "a gate"}]).docnos.tolist()
        ['d1', 'd2']
        """
        return type(self)(with_documents(self, corpus))

    def _checked(self, dataset: str, fingerprint: str, analyser: Analysis) -> LexicalIndex:
        """This index. Raises `ColieeError` where it is not of these documents and this analyser."""
        if (self.fingerprint, self.analyser) != (fingerprint, analyser):
            raise ColieeError(
                f"{self.path} is an index of the corpus {self.fingerprint or '(not known)'} by the analyser "
                f"{self.analyser!r}, and {dataset} is the corpus {fingerprint}, the analyser to be used {analyser!r}. "
                "Give another path, or delete the folder."
            )
        return self

    def save(self, path: str | os.PathLike[str]) -> LexicalIndex:
        """Write the index as the folder ``path``, and open it. Raises `ExistingFileError` where something is there."""
        storage.save(self, Path(path))
        return type(self)(path)


class LexicalIndexer(pt.Indexer):
    """Builds a `LexicalIndex` in a folder, as the end of an indexing pipeline.

    >>> import tempfile
    >>> folder = f"{tempfile.mkdtemp()}/index"
    >>> LexicalIndexer(folder).index([{"docno": "900001", "text": "a lamp"}])
    LexicalIndex(<1 documents, 2 terms>, analyser='words')
    >>> pt.Artifact.load(folder).lengths.tolist()  # doctest: +SKIP
    [2.0]
    """

    def __init__(self, path: str | os.PathLike[str], *, analyser: Analysis = "words", verbose: bool = False) -> None:
        """``path``: the folder, which must not be there yet; ``analyser``, ``verbose``: as of `LexicalIndex`."""
        self.path = Path(path)
        self.analyser = analyser
        self.verbose = verbose

    schematic = {"label": "LexicalIndexer", "help_url": ORGANISERS}

    def index_inputs(self) -> list[list[str]]:
        """The columns that `index` needs."""
        return [["docno", content_column(self.analyser)]]

    def index(self, iter: Iterable[Mapping[str, Any]], **_options: object) -> LexicalIndex:
        """Index a corpus: dicts with these columns. Raises as `LexicalIndex.build` and `LexicalIndex.save`."""
        storage.refuse_existing(self.path)
        corpus = pt.tqdm(iter, desc="indexing", unit="document", **shown_if(self.verbose))
        return LexicalIndex.build(corpus, analyser=self.analyser).save(self.path)

    def __repr__(self) -> str:
        return f"LexicalIndexer({str(self.path)!r}, analyser={self.analyser!r}, verbose={self.verbose!r})"


def _corpus(dataset: str, verbose: bool) -> Any:
    """The documents of a dataset by their default text, with a progress bar."""
    docs = ir_datasets.load(dataset)
    corpus = ({"docno": doc.doc_id, "text": doc.default_text()} for doc in docs.docs_iter())
    return pt.tqdm(corpus, desc=f"indexing {dataset}", total=docs.docs_count(), **shown_if(verbose))


def _by_source(analysers: Iterable[Analysis]) -> Iterable[list[Analysis]]:
    """The analysers in groups, each of which starts from the same tokens."""
    groups: dict[Analysis, list[Analysis]] = {}
    for analyser in analysers:
        groups.setdefault(source(analyser), []).append(analyser)
    return groups.values()


def _key(files: CorpusFiles, analyser: Analysis) -> str:
    """The key of an index in the cache: it changes with all that the index depends on."""
    rules = (
        json.dumps(described(analyser)),
        version(analyser),
        storage.FORMAT_VERSION,
        __version__,
        unicodedata.unidata_version,
    )
    return cache.key_of((files.fingerprint, *rules))


def _opened(files: CorpusFiles, analysers: Iterable[Analysis]) -> dict[Analysis, TermCounts]:
    """The indexes of these files that are in the cache. One that is damaged is left out, with a `ColieeHint`."""
    opened: dict[Analysis, TermCounts] = {}
    for analyser in analysers:
        entry = cache.find(_CACHED, _key(files, analyser), files.origin)
        try:
            if entry:
                opened[analyser] = storage.load(entry)
        except ColieeError as error:
            message = f"The cache is damaged, and the index is built without it. `ir_coliee purge` deletes it. {error}"
            warnings.warn(message, ColieeHint, stacklevel=3)
    return opened


def _keep(files: CorpusFiles, counts: TermCounts) -> None:
    """Put an index into the cache, where that can be written."""
    key = _key(files, counts.analyser)
    cache.entry(_CACHED, key, files.origin, lambda folder: storage.write(counts, folder))


def _fingerprint_of_texts(docs: Any) -> str:
    return cache.key_of(piece for doc in docs.docs_iter() for piece in (doc.doc_id, doc.default_text()))
