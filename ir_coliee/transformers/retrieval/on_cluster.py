"""A transformer that applies any pipeline to batches of queries on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.engine.cluster import Batch, Cluster, worker_pool
from ir_coliee.errors import printable_list
from ir_coliee.frames import check_ids, integer_at_least
from ir_coliee.progress import progress
from ir_coliee.transformers.base import BaseTransformer


class OnCluster(BaseTransformer):
    """Apply a pipeline to batches of queries on a cluster; it takes and returns the same frames as the pipeline.

    Suitable pipelines process each query independently of the others, such as rerankers and language models. The
    results then equal those of the pipeline, in the order of the queries. All rows of a query are in one batch.

    Parameters
    ----------
    pipeline : pyterrier.Transformer
        The pipeline, which is sent to each worker once per call. Models and folders that it needs must exist on the
        workers.
    cluster : Cluster or None
        The cluster, see `local_cluster`. With None, the batches are processed on this machine, one after another.
    batch_size : int, default 16
        The number of queries in a batch, >= 1. Each thread has two batches in progress; if a worker is killed, its
        batches are processed again by another worker.
    verbose : bool, default False
        Whether to show progress.

    Notes
    -----
    The threads of a worker share the pipeline. Give each worker one thread if the pipeline is not thread-safe.
    Warnings are shown on the workers where they are raised.

    Examples
    --------
    >>> from ir_coliee.transformers import TopK
    >>> rows = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["d1", "d2", "d1"], "score": [1.0, 2.0, 3.0]})
    >>> OnCluster(TopK(1), None, batch_size=1)(rows).docno.tolist()
    ['d2', 'd1']
    """

    LABEL = "On a cluster"

    def __init__(
        self, pipeline: pt.Transformer, cluster: Cluster | None, *, batch_size: int = 16, verbose: bool = False
    ) -> None:
        self.pipeline = pipeline
        self.cluster = cluster
        self.batch_size = integer_at_least("batch_size", batch_size, 1)
        self.verbose = verbose

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Apply the pipeline. The cause of an error that the pipeline raises names the queries of the batch.

        Raises
        ------
        ColieeError
            If a row has no ``qid``, the pipeline cannot be sent, a batch kills every worker that it is sent to, or the
            connection to the cluster is lost.
        """
        with pt.validate.any(inp, context=self) as frame:
            for columns in pt.inspect.transformer_inputs(self.pipeline, strict=False) or [[]]:
                frame.columns(includes=list(dict.fromkeys(["qid", *columns])), mode=" ".join(columns))
        check_ids(inp)
        if inp.empty:
            empty: pd.DataFrame = self.pipeline(inp)
            return empty
        batches = list(self._batches(inp))
        results: list[pd.DataFrame] = [inp] * len(batches)
        with worker_pool(self.cluster, self.pipeline) as workers:
            finished = workers.finished(batches)
            for number, result in progress(
                finished, self.LABEL, total=len(batches), unit="batches", verbose=self.verbose
            ):
                results[number] = result
        # the columns of a result without rows may have other types
        return pd.concat([result for result in results if len(result)] or results[:1], ignore_index=True)

    def _batches(self, inp: pd.DataFrame) -> Iterator[Batch]:
        numbers, qids = pd.factorize(inp["qid"])
        of_batch = numbers // min(self.batch_size, len(inp))
        order = np.argsort(of_batch, kind="stable")
        bounds = np.searchsorted(of_batch[order], np.arange(of_batch[order][-1] + 2))
        for number, (first, last) in enumerate(pairwise(bounds)):
            names = [str(qid) for qid in qids[number * self.batch_size : (number + 1) * self.batch_size]]
            yield Batch(inp.iloc[order[first:last]].reset_index(drop=True), f"the queries {printable_list(names)}")
