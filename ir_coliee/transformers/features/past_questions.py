"""Articles by the exam questions of other years that they decide: the exams come back to the same articles."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar, Literal, NamedTuple, get_args

import ir_datasets
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.arguments import integer_at_least
from ir_coliee.engine.weightings import TfIdf, document_weights, query_weights
from ir_coliee.frames import Floats, check_ids, number_ids, sort_results, take_rows
from ir_coliee.text.analysers import Analysis, of_text
from ir_coliee.text.statutes import exam_id
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.retrieval.lexical_index import LexicalIndex
from ir_coliee.transformers.retrieval.retrievers import query_frequencies

Take = Literal["nearest", "squares", "count"]


class PastQuestions(BaseTransformer):
    """Scores an article by the labelled questions of other exam years whose gold has it: Q to R, and R to R.

    By ``take``: ``nearest``, the TF-IDF cosine of the most similar of these questions; ``squares``, the sum of the
    squared cosines of all; ``count``, how many they are. An article that decided none of them scores 0, and is not
    retrieved.

    No question sees itself or its exam year. A question of a year that the labelled ones do not have, as a test is
    made of, sees the years before it alone. Years are read from the ids, see `ir_coliee.text.statutes.exam_id`; a
    question with another id sees all that have a year.

    >>> past = PastQuestions("coliee/task3/sample/en/train", num_results=2)
    >>> question = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A pledge of a boat"]})
    >>> past(question)[["qid", "rank"]].values.tolist()
    [['R99-01-A', 0], ['R99-01-A', 1]]
    """

    LABEL = "Past questions"
    SIMILARITIES: ClassVar[tuple[Take, ...]] = ("nearest", "squares")

    def __init__(
        self,
        dataset: str,
        *,
        analyser: Analysis | None = None,
        take: Take = "nearest",
        num_results: int = 1000,
    ) -> None:
        """``dataset``: the id of a labelled split of task 3. ``analyser``: of the questions, see `LexicalIndex.build`;
        by default ``bigrams`` for Japanese and ``words`` for English. ``num_results``: at most so many articles a
        question, from 1."""
        if take not in get_args(Take):
            raise ValueError(f"take={take!r} is none of {', '.join(get_args(Take))}")
        self.dataset = dataset
        self.analyser = None if analyser is None else of_text(analyser)
        self.take = take
        self.num_results = integer_at_least("num_results", num_results, 1)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Find the articles of questions (Q to R), or score those given (R to R).

        Raises `ColieeError` for a row without an id and a question without a text, `MissingLabelsError` where the split
        has no gold.
        """
        with pt.validate.any(inp, context=self) as frame:
            frame.query_frame(extra_columns=["query"], mode="retrieve")
            frame.result_frame(extra_columns=["query"], mode="rescore")
        check_ids(inp)
        results = inp if frame.mode == "rescore" else self._found(inp)
        if frame.mode == "rescore":
            results = results.drop(columns="rank", errors="ignore").assign(score=self.scores(inp))
        ordered = sort_results(results)
        return ordered[ordered["rank"] < self.num_results].reset_index(drop=True)

    def scores(self, results: pd.DataFrame) -> Floats:
        """The score of each row (qid, query, docno) of results, in their order."""
        past = self._past()
        rows, qids = number_ids(results["qid"])
        asked = results.drop_duplicates("qid")
        columns = past.articles.get_indexer(results["docno"].to_numpy(object))
        scores = self._of_articles(asked)[rows, columns] if len(qids) and len(past.articles) else np.zeros(len(rows))
        return np.where(columns < 0, 0.0, scores)

    def _found(self, queries: pd.DataFrame) -> pd.DataFrame:
        asked = queries.drop_duplicates("qid", ignore_index=True)
        scores = self._of_articles(asked)
        rows, columns = np.nonzero(scores)
        found = take_rows(asked.drop(columns=["score", "rank"], errors="ignore"), rows)
        return found.assign(docno=self._past().articles.to_numpy(object)[columns], score=scores[rows, columns])

    def _of_articles(self, asked: pd.DataFrame) -> Floats:
        """The scores of all articles (questions x articles)."""
        past = self._past()
        seen = past.seen_by(asked["qid"])
        if self.take == "count":
            return np.asarray(seen.astype(np.float64) @ past.gold)
        weighting, index = TfIdf(), past.index
        vectors = query_weights(weighting, query_frequencies(index, asked[["qid", "query"]]), index.collection)
        of_past = document_weights(weighting, index.counts, index.lengths, index.collection)
        cosines = np.where(seen, (vectors @ of_past.T).toarray(), 0.0)
        if self.take == "squares":
            return np.asarray(cosines**2 @ past.gold)
        ends, questions = past.gold.indptr, past.gold.indices
        return np.column_stack(
            [
                np.empty((len(asked), 0)),
                *(cosines[:, questions[start:end]].max(axis=1) for start, end in pairwise(ends)),
            ]
        )

    def _past(self) -> _Past:
        # the store is another one once the copy has changed
        store = ir_datasets.load(self.dataset).docs_store()
        return self._cached((self.dataset, self.analyser, store), self._read)

    def _read(self) -> _Past:
        dataset = ir_datasets.load(self.dataset)
        analyser = self.analyser or ("bigrams" if dataset.queries_lang() == "ja" else "words")
        corpus = ({"docno": query.query_id, "text": query.default_text()} for query in dataset.queries_iter())
        index = LexicalIndex.build(corpus, analyser=analyser)
        position = {qid: row for row, qid in enumerate(index.docnos)}
        pairs = {(pair.query_id, pair.doc_id) for pair in dataset.qrels_iter() if pair.query_id in position}
        articles = pd.Index(sorted({docno for _, docno in pairs}), dtype=object)
        columns = articles.get_indexer([docno for _, docno in pairs])
        cells = [position[qid] for qid, _ in pairs], columns
        gold = sparse.csc_matrix((np.ones(len(pairs)), cells), shape=(len(position), len(articles)))
        return _Past(index, np.array([exam_id(qid).year for qid in index.docnos], dtype=object), articles, gold)


class _Past(NamedTuple):
    """The labelled questions as an index, their exam years, and which articles (columns) decide them (rows)."""

    index: LexicalIndex
    years: npt.NDArray[np.object_]
    articles: pd.Index[str]
    gold: sparse.csc_matrix

    def seen_by(self, asked: pd.Series[str]) -> npt.NDArray[np.bool_]:
        """Which of the labelled questions (columns) each question (a row) may see."""
        known = set(self.years)
        rows = []
        for qid in asked:
            year = exam_id(str(qid)).year
            others = (self.years != year) & (self.index.docnos != qid)
            rows.append(others if year in known or not year else others & (self.years < year))
        return np.array(rows, dtype=bool).reshape(len(asked), len(self.years))
