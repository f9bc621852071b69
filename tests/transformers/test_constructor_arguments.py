"""Arguments that are wrong are named when a transformer or an index is made, not when it is first used."""

import functools
import math

import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.engine.weightings import BM25
from ir_coliee.text.references.graph import ReferenceGraph
from ir_coliee.transformers import (
    AddDuplicates,
    AggregatePassages,
    Agreement,
    ArticleFeatures,
    ArticleScores,
    CaseRetriever,
    CrossQueryFeatures,
    DropDuplicates,
    DropFrench,
    ExtractCitingContext,
    ExtractSummary,
    LexicalIndex,
    ParagraphRetriever,
    ReciprocalRank,
    ReferenceExpansion,
    ScoreFeatures,
    SelectTerms,
    SplitParagraphs,
    TextScorer,
    TopK,
    WeightedSum,
    near_duplicates,
)
from ir_coliee.transformers.candidates.filters import TopicFilter
from ir_coliee.transformers.features.evidence import EmbeddingHistogram, ParagraphVectors
from ir_coliee.transformers.queries.passages import SplitArticles, SplitProvisions, SplitSentenceWindows
from ir_coliee.transformers.queries.texts import CitationWindows

TASK1, TASK2, CODE = "coliee/task1/sample/test", "coliee/task2/sample/test", "coliee/task3/sample/en"
NAN, INF = math.nan, math.inf
INDEX = LexicalIndex.build([{"docno": "900001%p1", "text": "a lamp"}])
select = functools.partial(SelectTerms, INDEX)
paragraphs = functools.partial(ParagraphRetriever, INDEX)
expand = functools.partial(ReferenceExpansion, ReferenceGraph((), ()))
windows = functools.partial(CitationWindows, TASK2)
histogram = functools.partial(EmbeddingHistogram, ParagraphVectors(len, {}))

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
    *((kind, {"scores": scores}) for kind in (ScoreFeatures, CrossQueryFeatures) for scores in ("bm25", [])),
    (SplitParagraphs, {"on": "docno"}),
    *((SplitSentenceWindows, argument) for argument in ({"size": 0}, {"max_windows": 0})),
    *((AggregatePassages, argument) for argument in ({"aggregate": "best"}, {"aggregate": 1.5}, {"on": "text"})),
]


@pytest.mark.parametrize(("make", "argument"), NAMED, ids=str)
def test_an_argument_out_of_range_is_named(make, argument):
    with pytest.raises(ValueError, match=f"^{next(iter(argument))} must be "):
        make(**argument)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SelectTerms(TASK1, 0.4), "index must be a LexicalIndex, got a value of type str"),
        (lambda: EmbeddingHistogram(TASK1), "vectors must be ParagraphVectors, got a value of type str"),
        (lambda: DropDuplicates(["a"]), "representatives must be a dict as near_duplicates returns it, got .* list"),
        (lambda: AddDuplicates(pd.DataFrame()), "representatives must be a dict .* DataFrame"),
        (lambda: TopicFilter(None, 2), "topics must be a dict from document id to topics, got .* NoneType"),
        (lambda: select(share_of="words"), r"^share_of must be .*, got .words."),
        (lambda: select(by="bm25"), r"^by must be 'kli', 'idf', 'tf-idf' or 'plm', got 'bm25'"),
        (lambda: DropFrench("word"), "by must be .*, got 'word'"),
        (lambda: ExtractSummary(lead=-1), "lead must be an integer >= 0, got -1"),
        (lambda: ExtractCitingContext(words=-1), "words must be an integer >= 0, got -1"),
        (lambda: SplitProvisions("fr"), "fr"),
        (lambda: SplitProvisions("en", "chapter"), "chapter"),
        (lambda: SplitArticles("fr"), "'en' or 'ja'"),
        (lambda: TextScorer(statistics="pool"), "statistics must be 'frame' or a LexicalIndex, got 'pool'"),
        (lambda: TextScorer(analyser="letters"), "got 'letters'"),
        (lambda: TextScorer(BM25), "must be a weighting"),
        (lambda: CaseRetriever(TASK2, "name.judge"), "dataset must be a split of task 1"),
        (lambda: CaseRetriever(TASK1, "name.jugde"), r"evidence must be 'total\.sum', .* got 'name\.jugde'"),
        (lambda: CaseRetriever(TASK1, "name.judge", num_results=0), "num_results must be an integer >= 1, got 0"),
        (lambda: ArticleScores(CODE, "past.frequency", num_results=0), "num_results must be an integer >= 1, got 0"),
        (lambda: ArticleScores(CODE, "ridge"), "evidence must be"),
        (lambda: ArticleFeatures(CODE, power=0), "power must be a finite number > 0, got 0"),
        (lambda: ArticleFeatures(CODE, families=["words"]), "families must be"),
        (lambda: WeightedSum(), "needs at least one transformer"),
        (lambda: Agreement(TopK(1), pd.DataFrame()), "argument must be a transformer .* got .* type DataFrame"),
        (lambda: WeightedSum(TopK(1), weights=(1.0, 2.0)), "weights must be 1 finite numbers"),
        (lambda: WeightedSum(TopK(1), weights=(NAN,)), "weights must be 1 finite numbers"),
        (lambda: WeightedSum(TopK(1), TopK(2), weights=(0.0, -1.0)), "weights must contain a number > 0"),
        (lambda: WeightedSum(TopK(1), TopK(2), weights=(1e308, 1e308)), "weights must have .* 32-bit number"),
        (lambda: WeightedSum(TopK(1), normalise="softmax"), "normalise must be .* or None, got 'softmax'"),
        (lambda: WeightedSum(TopK(1), missing=INF), "missing must be .*, got inf"),
        (lambda: ReciprocalRank(TopK(1), k=-1), "k must be a finite number >= 0, got -1"),
        (lambda: ReciprocalRank(TopK(1), k=NAN), "k must be a finite number >= 0, got nan"),
    ],
)
def test_a_wrong_argument_is_named(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


@pytest.mark.parametrize("corpus", [pt.get_dataset(f"irds:{TASK1}"), TASK1, None], ids=lambda it: type(it).__name__)
@pytest.mark.parametrize("build", [LexicalIndex.build, near_duplicates])
def test_a_dataset_is_not_a_corpus(build, corpus):
    with pytest.raises(TypeError, match=r"^corpus must be an iterable.*\n.*from_dataset\(.*get_corpus_iter\(\)"):
        build(corpus)
