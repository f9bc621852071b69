"""Indexes: collections as sparse matrices of term counts, every document of which is scored exactly."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, NoReturn

import ir_datasets
import pyterrier as pt

from ir_coliee._version import __version__
from ir_coliee.editions import Dataset, Split, id_with_records
from ir_coliee.engine import folders, weightings
from ir_coliee.engine.counting import available_cores, content_column
from ir_coliee.engine.term_counts import TermCounts, count_each, count_terms, token_source
from ir_coliee.engine.weightings import BM25, Weighting
from ir_coliee.errors import ColieeError
from ir_coliee.frames import new_folder
from ir_coliee.progress import progress, stage
from ir_coliee.releases import cache
from ir_coliee.releases.release import SourceFiles, document_sources
from ir_coliee.text.analysers import Analysis, analyser_version, check_text_analyser, describe_analyser
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.retrieval.retriever import IdfFormula, Retriever

_FOLDER = "index"


class RetrieverMethods:
    """Base of indexes: a method for each weighting, all of which return a `Retriever` over the index.

    Each method takes the parameters of the weighting, and the options of `Retriever` (``num_results``,
    ``statistics``, ``threads``, ``verbose``) as keyword arguments.
    """

    def retriever(self: Any, weighting: Weighting, **options: Any) -> Retriever:
        """Return a retriever over this index with any weighting; ``options`` are those of `Retriever`."""
        return Retriever(self, weighting, **options)

    def bm25(
        self, *, k1: float = 1.2, b: float = 0.75, k3: float | None = None, idf: IdfFormula = "lucene", **options: Any
    ) -> Retriever:
        """Return a BM25 retriever.

        Parameters
        ----------
        k1 : float, default 1.2
            Saturation of term frequencies, >= 0. For whole decisions as queries, 3 is known to work well.
        b : float, default 0.75
            Length normalisation, in [0, 1]. For whole decisions as queries, 1 is known to work well.
        k3 : float, optional
            Saturation of the query's term frequencies, >= 0. By default they are used as they are.
        idf : {"lucene", "robertson"}, default "lucene"
            The formula of the inverse document frequency; that of Lucene is never negative.
        **options
            Options of `Retriever`.
        """
        return self.retriever(BM25(k1, b, k3, idf), **options)

    def dirichlet(self, *, mu: float = 1000.0, **options: Any) -> Retriever:
        """Return a query-likelihood retriever with Dirichlet smoothing.

        Parameters
        ----------
        mu : float, default 1000
            The amount of smoothing, > 0. Anserini and PISA use 1000, Terrier 2500.
        **options
            Options of `Retriever`.
        """
        return self.retriever(weightings.Dirichlet(mu), **options)

    def jelinek_mercer(self, *, lambda_: float = 0.7, **options: Any) -> Retriever:
        """Return a query-likelihood retriever with Jelinek-Mercer smoothing.

        Parameters
        ----------
        lambda_ : float, default 0.7
            The weight of the collection's language model, in (0, 1).
        **options
            Options of `Retriever`.
        """
        return self.retriever(weightings.JelinekMercer(lambda_), **options)

    def tf_idf(self, *, tf: Literal["log", "count", "binary"] = "log", **options: Any) -> Retriever:
        """Return a retriever by the cosine of tf-idf vectors.

        Parameters
        ----------
        tf : {"log", "count", "binary"}, default "log"
            The weight of a term frequency: 1 + ln tf, tf itself, or 1 (the cosine of sets weighted by idf).
        **options
            Options of `Retriever`.
        """
        return self.retriever(weightings.TfIdf(tf), **options)

    def shared_idf(self, **options: Any) -> Retriever:
        """Return a retriever by the summed idf of the terms that query and document share.

        Parameters
        ----------
        **options
            Options of `Retriever`.
        """
        return self.retriever(weightings.SharedIdf(), **options)


class LexicalIndex(TermCounts, RetrieverMethods, pt.Artifact):
    """Term counts of every document of a collection: a PyTerrier artifact, in memory or in a folder.

    Parameters
    ----------
    source : TermCounts or path-like
        Term counts, or the folder of a stored index, which is opened without being read into memory.

    Attributes
    ----------
    docnos : numpy.ndarray of str
        The ids of the documents, sorted.
    counts : scipy.sparse.csr_matrix
        Term counts; row i belongs to ``docnos[i]``.
    vocabulary : mapping of str to int
        The column of each term.
    lengths : numpy.ndarray of float
        The number of tokens of each document.

    Raises
    ------
    ColieeError
        If the folder holds no index, is damaged, or was written by another version of the analyser.

    See Also
    --------
    LexicalIndexer : The same index at the end of an indexing pipeline.
    ShardedIndex : Collections that are too large for one index.
    """

    ARTIFACT_TYPE = folders.ARTIFACT_TYPE
    ARTIFACT_FORMAT = folders.ARTIFACT_FORMAT

    def __init__(self, source: TermCounts | str | os.PathLike[str]) -> None:
        counts = source if isinstance(source, TermCounts) else folders.load(Path(source))
        pt.Artifact.__init__(self, pt.Artifact.NO_PATH if counts is source else source)
        super().__init__(counts.docnos, counts.vocabulary, counts.stored_counts, counts.analyser)

    def to_hf(self, *_arguments: object, **_options: object) -> NoReturn:
        """Refuse the upload, as ``to_zenodo`` and ``to_p2p`` do.

        Raises
        ------
        ColieeError
            Always; the message says why.
        """
        raise ColieeError(
            "An index cannot be uploaded, because it contains the words of every document.\n"
            "The data-use agreement of COLIEE forbids redistributing the data, also in processed form. "
            "Anyone who has the data can build the same index."
        )

    to_zenodo = to_p2p = to_hf

    @classmethod
    def build(cls, corpus: Iterable[Mapping[str, Any]], *, analyser: Analysis = "words") -> LexicalIndex:
        """Build an index of a PyTerrier corpus. A large corpus is counted by several processes.

        Parameters
        ----------
        corpus : iterable of dict
            Documents with ``docno`` and ``text``; with the analyser `Pretokenised`, with ``toks`` instead of ``text``.
        analyser : str or analyser, default "words"
            A name of `ir_coliee.text.analysers.ANALYSERS` or a value of `ir_coliee.text.analysers`.

        Raises
        ------
        ColieeError
            If two documents have the same ``docno``, or a document has no ``docno`` or no text.
        ValueError
            If the analyser is unknown.

        Examples
        --------
        >>> index = LexicalIndex.build([{"docno": "d1", "text": "a lamp, a gate"}, {"docno": "d2", "text": "a well"}])
        >>> len(index), int(index.counts.sum())
        (2, 6)
        """
        return cls(count_terms(corpus, analyser))

    @classmethod
    def build_each(cls, corpus: Iterable[Mapping[str, Any]], analysers: Sequence[Analysis]) -> list[LexicalIndex]:
        """Build one index by each analyser, with a single pass over the corpus.

        The analysers must start from the same tokens, such as words and shingles of several lengths; otherwise
        `ValueError` is raised. Other errors are those of `build`.

        Examples
        --------
        >>> from ir_coliee.text.analysers import Shingles
        >>> corpus = [{"docno": "d1", "text": "a lamp, a gate"}, {"docno": "d2", "text": "a lamp"}]
        >>> words, pairs = LexicalIndex.build_each(corpus, ["words", Shingles(2)])
        >>> pairs.counts.toarray().tolist(), "a lamp" in pairs.vocabulary
        ([[1], [1]], True)
        """
        return [cls(counts) for counts in count_each(corpus, analysers)]

    @classmethod
    def from_dataset(cls, dataset: Dataset, *, analyser: Analysis | None = None, verbose: bool = False) -> LexicalIndex:
        """Index all documents of a dataset by their default text.

        Indexes of tasks 1 to 3 are cached below the data folder. The next call opens the cached index unless the files,
        the analyser or this package have changed. Files that are protected by a password are not cached.

        Parameters
        ----------
        dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
            The dataset, also one that is not of COLIEE.
        analyser : str or analyser, optional
            By default ``bigrams`` for Japanese and ``words`` otherwise. For court decisions, ``case`` ignores
            suppressed citations and paragraph marks.
        verbose : bool, default False
            Whether to show progress.

        Raises
        ------
        ValueError
            If the analyser does not read text.
        """
        dataset = id_with_records(dataset)
        usual = "bigrams" if ir_datasets.load(dataset).docs_lang() == "ja" else "words"
        return cls.each_from_dataset(dataset, [analyser or usual], verbose=verbose)[0]

    @classmethod
    def each_from_dataset(
        cls, dataset: Dataset, analysers: Sequence[Analysis], *, verbose: bool = False
    ) -> list[LexicalIndex]:
        """Return one index of a dataset by each analyser, each of them cached as `from_dataset` does.

        Indexes that are not in the cache are built together: the documents are read and tokenised once for all
        analysers that start from the same tokens. The errors are those of `from_dataset`.

        Examples
        --------
        >>> from ir_coliee.text.analysers import Shingles
        >>> words, shingles = LexicalIndex.each_from_dataset(
        ...     "coliee/task1/sample/test", ["case", Shingles(5, base="case")]
        ... )  # doctest: +SKIP
        """
        dataset = id_with_records(dataset)
        files = document_sources(dataset)
        cacheable = files if files and not files.is_encrypted else None
        found: dict[Analysis, TermCounts] = {}
        by_source: dict[Analysis, list[Analysis]] = {}
        for analyser in dict.fromkeys(map(check_text_analyser, analysers)):
            counts = cacheable and cache.load(_FOLDER, _key(cacheable, analyser), cacheable.origin, folders.load)
            if counts is not None:
                found[analyser] = counts
            else:
                by_source.setdefault(token_source(analyser), []).append(analyser)
        for together in by_source.values():
            docs = ir_datasets.load(dataset)
            texts = ({"docno": doc.doc_id, "text": doc.default_text()} for doc in docs.docs_iter())
            with stage(f"indexing {dataset}", verbose=verbose):
                corpus = progress(texts, "reading", total=docs.docs_count(), unit="documents", verbose=verbose)
                counted = count_each(corpus, together, verbose=verbose)
            for counts in counted:
                found[counts.analyser] = counts
                if cacheable:
                    key = _key(cacheable, counts.analyser)  # nothing is stored if the cache cannot be written
                    cache.entry(_FOLDER, key, cacheable.origin, partial(folders.write, counts))
        return [cls(found[analyser]) for analyser in analysers]

    def save(self, path: str | os.PathLike[str]) -> LexicalIndex:
        """Write the index as a folder and open it; raise `ExistingFileError` if ``path`` exists."""
        folders.save(self, Path(path))
        return type(self)(path)


def _key(files: SourceFiles, analyser: Analysis) -> str:
    """Return the key of an index in the cache, which changes with everything that the index depends on."""
    rules = json.dumps(describe_analyser(analyser)), analyser_version(analyser), folders.INDEX.version
    return cache.key_of((files.fingerprint, *rules, __version__, unicodedata.unidata_version))


class LexicalIndexer(BaseTransformer, pt.Indexer):
    """Build a `LexicalIndex` in a folder, as the last step of an indexing pipeline: D to an index.

    Parameters
    ----------
    path : path-like
        The folder to write, which must not exist.
    analyser : str or analyser, default "words"
        As in `LexicalIndex.build`.

    Examples
    --------
    >>> import tempfile
    >>> folder = f"{tempfile.mkdtemp()}/index"
    >>> LexicalIndexer(folder).index([{"docno": "900001", "text": "a lamp"}])
    LexicalIndex(<1 documents, 2 terms>, analyser='words')
    >>> pt.Artifact.load(folder).lengths.tolist()  # doctest: +SKIP
    [2.0]
    """

    LABEL = "Lexical index"

    def __init__(self, path: str | os.PathLike[str], *, analyser: Analysis = "words") -> None:
        self.path = os.fspath(path)
        self.analyser = analyser

    def transform_outputs(self, input_columns: list[str]) -> list[str]:
        """Return no columns, because an indexer ends a pipeline; raise an error if a column that it needs is missing.

        PyTerrier uses this method to find out what the pipeline before the indexer must return.
        """
        (needed,) = self.index_inputs()
        pt.validate.columns(input_columns, includes=needed, context=self)
        return []

    def index_inputs(self) -> list[list[str]]:
        """Return the columns that `index` needs."""
        return [["docno", content_column(self.analyser)]]

    def index(self, iter: Iterable[Mapping[str, Any]], **_options: object) -> LexicalIndex:
        """Index a corpus of dicts with the columns of `index_inputs`.

        Raises the errors of `LexicalIndex.build` and `LexicalIndex.save`.
        """
        new_folder(self.path)
        return LexicalIndex.build(iter, analyser=self.analyser).save(self.path)


def bm25_of_split(split: Split, *, num_results: int = 1000) -> Retriever:
    """Return the BM25 retriever of a split, with progress.

    Parameters
    ----------
    split : Split
        A split of tasks 1 to 3.
    num_results : int, default 1000
        The largest number of documents for each query.

    Returns
    -------
    Retriever
        Task 1: of whole decisions, with k1 = 3 and b = 1, which two teams independently found to be best for whole
        decisions as queries. Task 2: of paragraphs, with the statistics of each query's candidates. Task 3: of
        articles, Japanese ones as character bigrams.

    Raises
    ------
    MissingReleaseError
        If the local release is missing.
    """
    analyser = "case" if split.task in ("task1", "task2") else None
    index = LexicalIndex.from_dataset(split.id, analyser=analyser, verbose=True)
    if split.task == "task1":
        return index.bm25(k1=3.0, b=1.0, num_results=num_results, threads=available_cores(), verbose=True)
    statistics = "pool" if split.task == "task2" else "collection"
    return index.bm25(statistics=statistics, num_results=num_results, verbose=True)
