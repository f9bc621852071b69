"""Indexing pipelines that end in a `LexicalIndex`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyterrier as pt

from ir_coliee.engine import storage
from ir_coliee.engine.corpus import content_column
from ir_coliee.progress import progress, stage
from ir_coliee.text.analysers import Analysis
from ir_coliee.transformers.base import help_url
from ir_coliee.transformers.retrieval.lexical_index import LexicalIndex


class LexicalIndexer(pt.Indexer):
    """Build a `LexicalIndex` in a folder, as the last step of an indexing pipeline: D to an index.

    Parameters
    ----------
    path : path-like
        The folder to write, which must not exist.
    analyser : str or analyser, default "words"
        As in `LexicalIndex.build`.
    verbose : bool, default False
        Whether to show progress.

    Examples
    --------
    >>> import tempfile
    >>> folder = f"{tempfile.mkdtemp()}/index"
    >>> LexicalIndexer(folder).index([{"docno": "900001", "text": "a lamp"}])
    LexicalIndex(<1 documents, 2 terms>, analyser='words')
    >>> pt.Artifact.load(folder).lengths.tolist()  # doctest: +SKIP
    [2.0]
    """

    def __init__(self, path: str | os.PathLike[str], *, analyser: Analysis = "words", verbose: bool = False) -> None:
        self.path = Path(path)
        self.analyser = analyser
        self.verbose = verbose

    @property
    def schematic(self) -> dict[str, str]:
        """Label and documentation page for PyTerrier's schematics."""
        return {"label": "Lexical index", "help_url": help_url(type(self))}

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
        storage.check_new_path(self.path)
        with stage("indexing", verbose=self.verbose):
            corpus = progress(iter, "reading", unit="documents", verbose=self.verbose)
            return LexicalIndex.build(corpus, analyser=self.analyser).save(self.path)

    def __repr__(self) -> str:
        analyser = f", analyser={self.analyser!r}" if self.analyser != "words" else ""
        verbose = f", verbose={self.verbose!r}" if self.verbose else ""
        return f"LexicalIndexer({str(self.path)!r}{analyser}{verbose})"
