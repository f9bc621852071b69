"""Any pipeline, mapped over batches of queries on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.arguments import integer_at_least
from ir_coliee.engine.cluster import Batch, Cluster, team
from ir_coliee.errors import listed
from ir_coliee.frames import check_ids
from ir_coliee.progress import shown_if
from ir_coliee.transformers.base import BaseTransformer


class OnCluster(BaseTransformer):
    """A pipeline (a reranker, a language model) that a cluster applies to batches of queries.

    All rows of a query are in one batch; the results are in the order of the queries. So it gives what the pipeline
    gives, as long as that looks at one query at a time. The pipeline is sent to each worker once in a call; what it
    needs (models, folders) has to be there. Its threads share it: give workers one thread where it does not allow that.
    Warnings are shown where they are raised, on the workers.

    >>> from ir_coliee.transformers import TopK
    >>> rows = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["d1", "d2", "d1"], "score": [1.0, 2.0, 3.0]})
    >>> OnCluster(TopK(1), None, batch_size=1)(rows).docno.tolist()
    ['d2', 'd1']
    """

    LABEL = "On a cluster"

    def __init__(
        self, pipeline: pt.Transformer, cluster: Cluster | None, *, batch_size: int = 16, verbose: bool = False
    ) -> None:
        """Parameters.

        ``cluster``: who works, such as `local_cluster` starts; None does it here, one batch after the other.
        ``batch_size``, from 1: the queries of a batch. Two batches for each thread are under way at a time; a worker
        that is killed costs those that it had. ``verbose``: show a progress bar.
        """
        self.pipeline = pipeline
        self.cluster = cluster
        self.batch_size = integer_at_least("batch_size", batch_size, 1)
        self.verbose = verbose

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Apply the pipeline. The cause of an error that it raises names the queries.

        Raises `ColieeError` for a row without a qid, a pipeline that cannot be sent, queries that end every worker they
        are given to, and where the cluster is lost.
        """
        with pt.validate.any(inp, context=self) as frame:
            for columns in pt.inspect.transformer_inputs(self.pipeline, strict=False) or [[]]:
                frame.columns(includes=list(dict.fromkeys(["qid", *columns])), mode=" ".join(columns))
        check_ids(inp)
        if inp.empty:
            return self.pipeline(inp)
        batches = list(self._batches(inp))
        results: list[pd.DataFrame] = [inp] * len(batches)
        with team(self.cluster, self.pipeline) as workers:
            finished = workers.finished(batches)
            for number, result in pt.tqdm(
                finished, desc=self.LABEL, unit="batch", total=len(batches), **shown_if(self.verbose)
            ):
                results[number] = result
        # one without rows may have columns of any type
        return pd.concat([result for result in results if len(result)] or results[:1], ignore_index=True)

    def _batches(self, inp: pd.DataFrame) -> Iterator[Batch]:
        numbers, qids = pd.factorize(inp["qid"])
        of_batch = numbers // min(self.batch_size, len(inp))
        order = np.argsort(of_batch, kind="stable")
        bounds = np.searchsorted(of_batch[order], np.arange(of_batch[order][-1] + 2))
        for number, (first, last) in enumerate(pairwise(bounds)):
            names = [str(qid) for qid in qids[number * self.batch_size : (number + 1) * self.batch_size]]
            yield Batch(inp.iloc[order[first:last]].reset_index(drop=True), f"the queries {listed(names)}")
