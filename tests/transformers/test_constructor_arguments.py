"""Arguments that are wrong are named when a transformer or an index is made, not when it is first used."""

import functools
import math
import re

import pandas as pd
import pyterrier as pt
import pytest

import ir_coliee.transformers as ct
from ir_coliee.engine.weightings import BM25
from ir_coliee.text.references.graph import ReferenceGraph
from ir_coliee.transformers.candidates.filters import TopicFilter
from ir_coliee.transformers.features.evidence import EmbeddingHistogram, ParagraphVectors, QuotedElsewhereFeatures
from ir_coliee.transformers.queries.passages import SplitArticles, SplitProvisions, SplitSentenceWindows
from ir_coliee.transformers.queries.texts import CitationWindows

TASK1, TASK2, CODE = "coliee/task1/sample/test", "coliee/task2/sample/test", "coliee/task3/sample/en"
NAN, INF = math.nan, math.inf
INDEX = ct.LexicalIndex.build([{"docno": "900001%p1", "text": "a lamp"}])
select = functools.partial(ct.SelectTerms, INDEX)
paragraphs = functools.partial(ct.ParagraphRetriever, INDEX)
expand = functools.partial(ct.ReferenceExpansion, ReferenceGraph((), ()))
windows = functools.partial(CitationWindows, TASK2)
histogram = functools.partial(EmbeddingHistogram, ParagraphVectors(len, {}))

cut_by_ratio = functools.partial(ct.RatioCutoff, ratio=0.5)
above, within = functools.partial(ct.ThresholdCutoff, 0.5), functools.partial(ct.MarginCutoff, 1.0)
adapt = functools.partial(ct.AdaptiveCutoff, intercept=1.0, slope=1.0)

#: Cut-offs, and the smallest value of their ``min_items``.
CUTOFFS = [
    *((kind, 0) for kind in (cut_by_ratio, above, ct.DynamicCutoff, ct.ExpectedFCutoff, adapt)),
    *((kind, 1) for kind in (within, ct.GapCutoff)),
]

#: Calls whose error begins with the name of the argument.
NAMED = [
    *((expand, {"decay": decay}) for decay in (0, 1.5, NAN)),
    *((expand, argument) for argument in ({"depth": 0}, {"depth": 1.5}, {"direction": "up"}, {"combine": "mean"})),
    *((windows, argument) for argument in ({"width": 0}, {"number": -1})),
    *((histogram, argument) for argument in ({"bins": 0}, {"limits": (1.0, 0.0)}, {"limits": (0.0, INF)})),
    *((select, {"share": share}) for share in (0, -0.1, 1.01, NAN)),
    *((paragraphs, {"aggregate": value}) for value in ("best", 0, -1, 1.5, None)),
    *((paragraphs, {"query_aggregate": value}) for value in ("best", 0, -1, 1.5)),
    *(
        (INDEX.bm25, argument)
        for argument in ({"num_results": 0}, {"k1": -1.0}, {"threads": 0}, {"statistics": "none"})
    ),
    *((kind, {"scores": scores}) for kind in (ct.ScoreFeatures, ct.CrossQueryFeatures) for scores in ("bm25", [])),
    (ct.SplitParagraphs, {"on": "docno"}),
    *((SplitSentenceWindows, argument) for argument in ({"size": 0}, {"max_windows": 0})),
    *((ct.AggregatePassages, argument) for argument in ({"aggregate": "best"}, {"aggregate": 1.5}, {"on": "text"})),
    *((ct.TopK, {"k": k}) for k in (0, 2.5)),
    *((ct.RatioCutoff, {"ratio": ratio}) for ratio in (0.0, 1.1, NAN)),
    *((ct.MarginCutoff, {"margin": margin}) for margin in (-0.1, NAN)),
    *((ct.PoolCutoff, {"recall": recall}) for recall in (0.0, 1.5, NAN)),
    *((ct.ExpectedFCutoff, argument) for argument in ({"beta": 0.0}, {"beta": NAN}, {"depth": 4, "max_items": 5})),
    *((cut_by_ratio, {"threshold": NAN}), (ct.ThresholdCutoff, {"threshold": NAN})),
    *((adapt, argument) for argument in ({"intercept": NAN}, {"slope": INF}, {"depth": 0})),
    *(
        (kind, argument)
        for kind, smallest in CUTOFFS
        for argument in (
            *({"min_items": smallest - 1, "max_items": 3}, {"max_items": 0, "min_items": 1}),
            *({"max_items": 2, "min_items": 3}, {"max_items": 2.5, "min_items": 1}),
        )
    ),
]


@pytest.mark.parametrize(("make", "argument"), NAMED, ids=str)
def test_an_argument_out_of_range_is_named(make, argument):
    name, value = next(iter(argument.items()))
    with pytest.raises(ValueError, match=rf"^{name} must be .*, got {re.escape(repr(value))}"):
        make(**argument)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ct.SelectTerms(TASK1, 0.4), "index must be a LexicalIndex, got a value of type str"),
        (lambda: EmbeddingHistogram(TASK1), "vectors must be ParagraphVectors, got a value of type str"),
        (lambda: ct.DropDuplicates(["a"]), "representatives must be a dict as near_duplicates returns it, got .* list"),
        (lambda: ct.AddDuplicates(pd.DataFrame()), "representatives must be a dict .* DataFrame"),
        (lambda: TopicFilter(None, 2), "topics must be a dict from document id to topics, got .* NoneType"),
        (lambda: select(share_of="words"), r"^share_of must be .*, got .words."),
        (lambda: select(by="bm25"), r"^by must be 'kli', 'idf', 'tf-idf' or 'plm', got 'bm25'"),
        (lambda: ct.DropFrench("word"), "by must be .*, got 'word'"),
        (lambda: ct.ExtractSummary(lead=-1), "lead must be an integer >= 0, got -1"),
        (lambda: ct.ExtractCitingContext(words=-1), "words must be an integer >= 0, got -1"),
        (lambda: SplitProvisions("fr"), "fr"),
        (lambda: SplitProvisions("en", "chapter"), "chapter"),
        (lambda: SplitArticles("fr"), "'en' or 'ja'"),
        (lambda: ct.TextScorer(statistics="pool"), "statistics must be 'frame' or a LexicalIndex, got 'pool'"),
        (lambda: ct.TextScorer(analyser="letters"), "got 'letters'"),
        (lambda: ct.TextScorer(BM25), "must be a weighting"),
        (lambda: ct.CaseRetriever(TASK2, "name.judge"), "dataset must be a split of task 1"),
        (lambda: ct.CaseFeatures(TASK2), "must be a split of task 1, got coliee/task2/sample/test"),
        (lambda: QuotedElsewhereFeatures(TASK1), "must be a split of task 2, got coliee/task1/sample/test"),
        (lambda: ct.CaseRetriever(TASK1, "name.jugde"), r"evidence must be 'total\.sum', .* got 'name\.jugde'"),
        (lambda: ct.CaseRetriever(TASK1, "name.judge", num_results=0), "num_results must be an integer >= 1, got 0"),
        (lambda: ct.ArticleScores(CODE, "past.frequency", num_results=0), "num_results must be an integer >= 1, got 0"),
        (lambda: ct.ArticleScores(CODE, "ridge"), "evidence must be"),
        (lambda: ct.ArticleFeatures(CODE, families=["words"]), "families must be"),
        (lambda: ct.WeightedSum(), "needs at least one transformer"),
        (lambda: ct.Agreement(ct.TopK(1), pd.DataFrame()), "argument must be a transformer .* got .* type DataFrame"),
        (lambda: ct.WeightedSum(ct.TopK(1), weights=(1.0, 2.0)), "weights must be 1 finite numbers"),
        (lambda: ct.WeightedSum(ct.TopK(1), weights=(NAN,)), "weights must be 1 finite numbers"),
        (lambda: ct.WeightedSum(ct.TopK(1), ct.TopK(2), weights=(0.0, -1.0)), "weights must contain a number > 0"),
        (lambda: ct.WeightedSum(ct.TopK(1), ct.TopK(2), weights=(1e308, 1e308)), "weights must have .* 32-bit number"),
        (lambda: ct.WeightedSum(ct.TopK(1), normalise="softmax"), "normalise must be .* or None, got 'softmax'"),
        (lambda: ct.WeightedSum(ct.TopK(1), missing=INF), "missing must be .*, got inf"),
        (lambda: ct.ReciprocalRank(ct.TopK(1), k=-1), "k must be a finite number >= 0, got -1"),
        (lambda: ct.ReciprocalRank(ct.TopK(1), k=NAN), "k must be a finite number >= 0, got nan"),
    ],
)
def test_a_wrong_argument_is_named(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


@pytest.mark.parametrize("corpus", [pt.get_dataset(f"irds:{TASK1}"), TASK1, None], ids=lambda it: type(it).__name__)
@pytest.mark.parametrize("build", [ct.LexicalIndex.build, ct.near_duplicates])
def test_a_dataset_is_not_a_corpus(build, corpus):
    with pytest.raises(TypeError, match=r"^corpus must be an iterable.*\n.*from_dataset\(.*get_corpus_iter\(\)"):
        build(corpus)
