"""A collection as a sparse matrix of term counts, every document of which is scored exactly.

In task 1 a query is a decision of thousands of words, which shares a term with nearly every document. Skipping
documents would save nothing, so all are scored, with 64-bit sums.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import ir_datasets
import pyterrier as pt

from ir_coliee.editions import Dataset, as_dataset_id
from ir_coliee.engine import storage
from ir_coliee.engine.building import count_each, count_terms
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.errors import ColieeError, ExistingFileError
from ir_coliee.text.analysers import Analysis, check_text_analyser
from ir_coliee.transformers.retrieval.index_cache import count_dataset, counts_of_dataset, fingerprint_of_dataset
from ir_coliee.transformers.retrieval.retriever_methods import RetrieverMethods


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

    ARTIFACT_TYPE = storage.ARTIFACT_TYPE
    ARTIFACT_FORMAT = storage.ARTIFACT_FORMAT

    def __init__(self, source: TermCounts | str | os.PathLike[str]) -> None:
        in_memory = isinstance(source, TermCounts)
        counts = source if isinstance(source, TermCounts) else storage.load(Path(source))
        pt.Artifact.__init__(self, pt.Artifact.NO_PATH if in_memory else source)
        super().__init__(counts.docnos, counts.vocabulary, counts.stored_counts, counts.analyser, counts.fingerprint)

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
            A name of `ir_coliee.text.tokenisers.ANALYSERS` or a value of `ir_coliee.text.analysers`.

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
    def from_dataset(
        cls,
        dataset: Dataset,
        *,
        analyser: Analysis | None = None,
        path: str | os.PathLike[str] | None = None,
        verbose: bool = False,
    ) -> LexicalIndex:
        """Index all documents of a dataset by their default text.

        Without ``path``, indexes of tasks 1 to 3 are cached below the data folder. The next call opens the cached
        index unless the files, the analyser or this package have changed. Files that are protected by a password are
        not cached.

        Parameters
        ----------
        dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
            The dataset, also one that is not of COLIEE.
        analyser : str or analyser, optional
            By default ``bigrams`` for Japanese and ``words`` otherwise. For court decisions, ``case`` ignores
            suppressed citations and paragraph marks.
        path : path-like, optional
            A folder for the index instead of the cache: it is opened if it exists, otherwise written.
        verbose : bool, default False
            Whether to show progress.

        Raises
        ------
        ColieeError
            If the index in ``path`` has other documents or another analyser.
        ValueError
            If the analyser does not read text.
        """
        dataset = as_dataset_id(dataset)
        language = ir_datasets.load(dataset).docs_lang()
        analyser = check_text_analyser(analyser or ("bigrams" if language == "ja" else "words"))
        if path is None:
            return cls.each_from_dataset(dataset, [analyser], verbose=verbose)[0]
        fingerprint = fingerprint_of_dataset(dataset)
        if not os.path.lexists(path):
            with suppress(ExistingFileError):  # another process has written it in the meantime
                storage.save(count_dataset(dataset, analyser, fingerprint, verbose=verbose), Path(path))
        return cls(path)._checked(dataset, fingerprint, analyser)

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
        dataset = as_dataset_id(dataset)
        return [cls(counts) for counts in counts_of_dataset(dataset, analysers, verbose=verbose)]

    def save(self, path: str | os.PathLike[str]) -> LexicalIndex:
        """Write the index as a folder and open it; raise `ExistingFileError` if ``path`` exists."""
        storage.save(self, Path(path))
        return type(self)(path)

    def _checked(self, dataset: str, fingerprint: str, analyser: Analysis) -> LexicalIndex:
        """Return this index; raise `ColieeError` if it has other documents or another analyser."""
        if (self.fingerprint, self.analyser) != (fingerprint, analyser):
            raise ColieeError(
                f"{self.path} holds an index of other documents or another analyser.\n"
                f"Its corpus is {self.fingerprint or '(unknown)'}, its analyser {self.analyser!r}; {dataset} is the "
                f"corpus {fingerprint}, and the analyser asked for is {analyser!r}. Give another path, or delete the "
                "folder."
            )
        return self
