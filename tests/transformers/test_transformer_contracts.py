"""What holds for every transformer of the package. One that is added must be added to EXAMPLES."""

import functools
import importlib
import importlib.util
import inspect
import pickle
import pkgutil
import sys
import tempfile
import unittest
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import ir_datasets
import ir_measures
import numpy as np
import pandas as pd
import pyterrier as pt
import pytest
from sklearn.linear_model import LogisticRegression

import ir_coliee
import ir_coliee.transformers as ct
from ir_coliee.engine import weightings
from ir_coliee.errors import ColieeError
from ir_coliee.models import Embedder, Reply
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.transformers.answers.classifiers import EmbeddingClassifier, MajorityAnswer, TfidfClassifier
from ir_coliee.transformers.answers.features import AlignmentFeatures, PastAnswerFeatures
from ir_coliee.transformers.base import Ranker
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.transformers.candidates.filters import TopicFilter
from ir_coliee.transformers.estimators import FittableTransformer
from ir_coliee.transformers.features import evidence
from ir_coliee.transformers.features.learning import FeatureTransformer, feature_matrix
from ir_coliee.transformers.queries.passages import SplitArticles, SplitProvisions, SplitSentenceWindows
from ir_coliee.transformers.queries.texts import CitationWindows, RewriteText, TextTransformer
from ir_coliee.transformers.rerankers.prompting import ListwiseReranker, SetSelection
from ir_coliee.transformers.retrieval.dask import OnCluster, ShardedIndex, ShardedRetriever

BASES = {
    *("_Duplicates", "_Filter", "BaseEstimator", "BaseTransformer", "CandidatePrompting", "CrossEncoderTransformer"),
    *("Cutoff", "EvidenceRanker", "FeaturesOfScores", "FeatureTransformer", "FittableTransformer", "Fusion"),
    *("PassageSplitter", "Ranker", "TextClassifier", "TextTransformer", "YesNoPrompting"),
}


def letter_counts(texts: list[str]) -> list[list[int]]:
    """An encoder that survives pickling."""
    return [[text.count(letter) for letter in "aeg"] for text in texts]


TASK1, TASK2 = "coliee/task1/sample/test", "coliee/task2/sample/test"
TASK4, TASK4_JA = "coliee/task4/sample/en/test", "coliee/task4/sample/ja/test"

CORPUS = [{"docno": "Y", "text": "lamp gate"}, {"docno": "N", "text": "gate well"}]
INDEX = ct.LexicalIndex.build(CORPUS)
FOLDER = tempfile.TemporaryDirectory()
SHARDS = ShardedIndex.build(CORPUS, f"{FOLDER.name}/shards", documents_per_shard=1)
PARAGRAPHS = ct.LexicalIndex.build(
    [{"docno": "Y%p1", "text": "lamp gate"}, {"docno": "Y%p2", "text": "road"}, {"docno": "N%p0", "text": "gate well"}]
)

QUERIES = pd.DataFrame({"qid": ["R99-01-I", "R99-01-A"], "query": ["lamp", "a gate"]})
RESULTS = pd.DataFrame(
    {
        "qid": ["R99-01-I", "R99-01-A", "R99-01-I", "R99-01-A"],
        "query": ["lamp", "a gate", "lamp", "a gate"],
        "docno": ["N", "N", "Y", "Y"],
        "score": [1.0, 2.0, 3.0, 2.0],
    },
    index=[3, 3, 1, 0],
)
READ = RESULTS.assign(text=["lamp", "gate", "gate", "lamp"])
GOLD = pd.DataFrame(
    {
        "qid": ["R99-01-I", "R99-01-A", "900656", "900009", "900011"],
        "docno": ["Y", "N", "900557", "900009_004", "Y"],
        "label": 1,
    }
)

ARTICLES = ["Article 5 If it is dark, a lamp is lit.\nArticle 6 A lamp shines.", "(Gates)\nArticle 7(1) A gate."]
DOCUMENTS = pd.DataFrame({"docno": ["Y", "N"], "text": ["A lamp.", "A gate."]}, index=[7, 7])

# shingles that both have, and results with features
SHARED = [{"docno": "Y", "text": "a lamp at the gate"}, {"docno": "N", "text": "at the gate"}]
VECTORS = evidence.ParagraphVectors.build(SHARED, letter_counts)
DECISIONS = pd.DataFrame([*ir_datasets.load(TASK1).queries_iter()][:2], columns=["qid", "query"], index=[5, 5])
CASES = pd.DataFrame({"qid": "900656", "docno": ["900557", "900912"], "score": [2.0, 1.0]}, index=[4, 4])
FEATURES = ct.ScoreFeatures()(RESULTS)

# questions and articles of task 3
CODE, CODE_JA = "coliee/task3/sample/en", "coliee/task3/sample/ja"
BM25 = [2.0, 1.0, 1.0, 4.0]
ARTICLE_RESULTS = RESULTS.assign(docno=["5", "5", "6", "6"])
EXAM = RESULTS.drop_duplicates("qid"), pd.DataFrame({"qid": QUERIES["qid"], "docno": ["5", "6"], "label": 1})


class Example(NamedTuple):
    """A maker of a transformer; another one, or the arguments in which it differs; a frame, and what is made of it."""

    new: Callable[[], pt.Transformer]
    other: Callable[[], pt.Transformer] | dict[str, object]
    frame: pd.DataFrame = RESULTS
    # "results": ranked anew, best first; "rows": queries, documents, passages or features, in the order of the frame
    gives: Literal["results", "rows"] = "results"
    fit_on: tuple[pd.DataFrame, ...] = ()

    def new_other(self):
        transformer = self.new()
        return self.other() if callable(self.other) else type(transformer)(**transformer.arguments() | self.other)

    def make(self, other=False):
        transformer = self.new_other() if other else self.new()
        return transformer.fit(*self.fit_on) if self.fit_on and hasattr(transformer, "fit") else transformer


@dataclass(frozen=True)
class Model:
    """A language model that gives one reply, or is fond of lamps."""

    reply: str = ""
    identity: str = "a model"

    def ask(self, questions, on_reply):
        for question in questions:
            on_reply(question, Reply(self.reply or ("Yes" if "lamp" in question.conversation[-1].content else "No")))


JUDGE = Model("[2], [1]")

EXAMPLES = {
    AlignmentFeatures: Example(lambda: AlignmentFeatures("en"), {"language": "ja"}, READ, "rows"),
    ct.AnswersAsDocuments: Example(
        ct.AnswersAsDocuments, {"yes": "True", "no": "False"}, QUERIES.assign(qanswer=["Y", "N"], yes=[0.75, 0.25])
    ),
    ct.CandidateEntailment: Example(lambda: ct.CandidateEntailment(Model()), {"samples": 2}, READ),
    ct.Entailment: Example(lambda: ct.Entailment(Model()), {"template": "steps.en"}, QUERIES, "rows"),
    ct.QuotedArticles: Example(lambda: ct.QuotedArticles(TASK4), {"dataset": TASK4_JA}, QUERIES, "rows"),
    ct.AdaptiveCutoff: Example(lambda: ct.AdaptiveCutoff(2.0, -1.0), {"slope": 1.0, "depth": 1}),
    ct.ArticleScores: Example(
        lambda: ct.ArticleScores(CODE, "ridge.characters"),
        {"evidence": "past.words_nearest", "num_results": 2},
        ARTICLE_RESULTS,
        fit_on=EXAM,
    ),
    ct.ArticleFeatures: Example(
        lambda: ct.ArticleFeatures(CODE),
        {"scores": ["bm25"], "families": ["siblings"]},
        ARTICLE_RESULTS.assign(bm25=BM25),
        "rows",
    ),
    ct.AddDuplicates: Example(lambda: ct.AddDuplicates({"N": "N", "X": "N"}), {"representatives": {}}),
    ct.AggregatePassages: Example(
        lambda: ct.AggregatePassages("mean"),
        {"aggregate": 2, "on": "qid"},
        RESULTS.assign(docno=["N%p0", "N%p2", "Y%p1", "Y%p10"]),
    ),
    ct.Agreement: Example(
        lambda: ct.Agreement(ct.TopK(1), ct.DropSelf()), lambda: ct.Agreement(ct.TopK(2), ct.DropSelf())
    ),
    ct.Backfill: Example(
        lambda: ct.Backfill(ct.TopK(1), ct.DropSelf()), lambda: ct.Backfill(ct.DropSelf(), ct.TopK(1))
    ),
    ct.Retriever: Example(lambda: INDEX.bm25(k1=3.0), lambda: INDEX.bm25(k1=2.0)),
    ct.CandidatePool: Example(lambda: ct.CandidatePool(TASK4), {"dataset": TASK4_JA}, QUERIES),
    ct.CaseFeatures: Example(lambda: ct.CaseFeatures(TASK1), lambda: ct.TopK(1), CASES, "rows"),
    ct.CaseRetriever: Example(
        lambda: ct.CaseRetriever(TASK1, "exclusive.words", num_results=3), {"evidence": "exclusive.5grams"}, DECISIONS
    ),
    ct.CrossQueryFeatures: Example(ct.CrossQueryFeatures, {"scores": ["bm25"]}, RESULTS.assign(bm25=BM25), "rows"),
    ct.LearnedRanker: Example(
        lambda: ct.LearnedRanker(LogisticRegression()),
        {"learner": LogisticRegression(C=0.5), "fit_kwargs": {"sample_weight": None}},
        FEATURES,
        fit_on=(FEATURES, GOLD),
    ),
    PastAnswerFeatures: Example(lambda: PastAnswerFeatures("en"), {"language": "ja"}, RESULTS, "rows", (RESULTS, GOLD)),
    ct.PoolCutoff: Example(ct.PoolCutoff, {"recall": 0.5}),
    ct.QueriesFromDataset: Example(lambda: ct.QueriesFromDataset(TASK4_JA), {"dataset": TASK4}, gives="rows"),
    CitationWindows: Example(
        lambda: CitationWindows(TASK2, width=5000),
        {"delete_fragment": True},
        pd.DataFrame({"qid": ["900011", "900013"], "query": ["A lamp.", "A gate."]}),
        "rows",
    ),
    evidence.RhetoricFeatures: Example(
        evidence.RhetoricFeatures, lambda: ct.TopK(1), RESULTS.assign(text="I find that this is not the test."), "rows"
    ),
    evidence.QuotedElsewhereFeatures: Example(
        lambda: evidence.QuotedElsewhereFeatures(TASK2),
        lambda: ct.TopK(1),
        pd.DataFrame({"qid": "900009", "docno": ["900009_001", "900009_004"], "score": [2.0, 1.0]}),
        "rows",
    ),
    ct.ScoreFeatures: Example(ct.ScoreFeatures, {"scores": ["bm25"]}, RESULTS.assign(bm25=BM25), "rows"),
    ct.ScoreColumns: Example(
        lambda: ct.ScoreColumns({"bm25": INDEX.bm25(), "shared": INDEX.shared_idf()}),
        lambda: ct.ScoreColumns({"bm25": INDEX.bm25()}, num_results=1),
    ),
    ct.ExtractCitingContext: Example(ct.ExtractCitingContext, {"words": 1}, QUERIES, "rows"),
    ct.CleanCase: Example(lambda: ct.CleanCase(join_lines=True), {"on": "query"}, DOCUMENTS, "rows"),
    ct.DropDuplicates: Example(lambda: ct.DropDuplicates({"N": "N", "Y": "N"}), {"representatives": {}}),
    ct.DropFrench: Example(ct.DropFrench, {"by": "line"}, DOCUMENTS, "rows"),
    ct.DropQueries: Example(lambda: ct.DropQueries(TASK1), {"dataset": "coliee/task1/sample/train"}),
    ct.DropSelf: Example(ct.DropSelf, lambda: ct.TopK(1)),
    ct.DynamicCutoff: Example(lambda: ct.DynamicCutoff(0.5, min_items=1, max_items=2), {"min_items": 0}),
    ct.ExpectedFCutoff: Example(lambda: ct.ExpectedFCutoff(min_items=1), {"average": "micro"}),
    ct.GapCutoff: Example(lambda: ct.GapCutoff(min_items=1, max_items=2), {"min_items": 2}),
    ListwiseReranker: Example(lambda: ListwiseReranker(JUDGE, window=2, stride=1), {"window": 20, "stride": 5}, READ),
    SetSelection: Example(lambda: SetSelection(JUDGE, group=2), {"template": "select.ja"}, READ),
    MajorityAnswer: Example(MajorityAnswer, lambda: ct.TopK(1), fit_on=(RESULTS, GOLD)),
    ct.MajorityVote: Example(
        lambda: ct.MajorityVote(ct.TopK(1), ct.DropSelf(), ct.TopK(2)), lambda: ct.MajorityVote(ct.TopK(1), default="Y")
    ),
    ct.MarginCutoff: Example(lambda: ct.MarginCutoff(0.5, max_items=2), {"max_items": 3}),
    ct.NormaliseJapanese: Example(lambda: ct.NormaliseJapanese(numerals=True), {"on": "query"}, DOCUMENTS, "rows"),
    OnCluster: Example(lambda: OnCluster(ct.TopK(1), None), {"batch_size": 1}),
    ct.ParagraphRetriever: Example(
        lambda: ct.ParagraphRetriever(PARAGRAPHS, aggregate="mean", query_aggregate=2),
        {"weighting": weightings.TfIdf(), "aggregate": 2},
    ),
    ct.SplitParagraphs: Example(ct.SplitParagraphs, {"on": "text"}, DOCUMENTS, "rows"),
    ct.RatioCutoff: Example(lambda: ct.RatioCutoff(0.9, max_items=2), {"ratio": 0.8}),
    SplitProvisions: Example(lambda: SplitProvisions("en"), {"language": "ja", "level": "item"}, DOCUMENTS, "rows"),
    ct.ReciprocalRank: Example(
        lambda: ct.ReciprocalRank(ct.TopK(1), ct.DropSelf()), lambda: ct.ReciprocalRank(ct.TopK(1), ct.DropSelf(), k=1)
    ),
    ct.ReferenceExpansion: Example(
        lambda: ct.ReferenceExpansion(CODE),
        {"graph": CODE_JA, "decay": 0.3, "depth": 2, "direction": "incoming", "combine": "sum"},
        RESULTS.assign(docno=["5", "5", "20", "900"]),
    ),
    SplitArticles: Example(lambda: SplitArticles("en"), {"language": "ja"}, QUERIES.assign(text=ARTICLES)),
    ct.SelectTerms: Example(lambda: ct.SelectTerms(INDEX), {"by": "plm"}, QUERIES, "rows"),
    RewriteText: Example(
        lambda: RewriteText(Model(), "Say it in short:"), {"instruction": "", "on": None}, DOCUMENTS, "rows"
    ),
    SplitSentenceWindows: Example(
        lambda: SplitSentenceWindows(size=2), {"max_windows": None, "on": "query"}, QUERIES, "rows"
    ),
    ShardedRetriever: Example(lambda: ShardedRetriever(SHARDS), {"weighting": weightings.TfIdf()}),
    evidence.EmbeddingHistogram: Example(lambda: evidence.EmbeddingHistogram(VECTORS), {"bins": 2}, RESULTS, "rows"),
    ct.ExtractSummary: Example(ct.ExtractSummary, {"lead": 1}, QUERIES, "rows"),
    ct.TextScorer: Example(
        lambda: ct.TextScorer(weightings.Dirichlet()),
        {"statistics": INDEX},
        RESULTS.assign(text=["lamp gate", "gate well", "gate well", "lamp gate"]),
    ),
    TfidfClassifier: Example(
        lambda: TfidfClassifier("query", language="en"), {"language": "ja"}, fit_on=(RESULTS, GOLD)
    ),
    ct.ThresholdCutoff: Example(lambda: ct.ThresholdCutoff(1.5), {"threshold": 2.5}),
    TopicFilter: Example(lambda: TopicFilter({"N": [1, 2], "Y": [2], "R99-01-I": [1]}, 1), {"topics": {"N": [1]}}),
    ct.TopK: Example(lambda: ct.TopK(1), {"k": 2}),
    ct.WeightedSum: Example(
        lambda: ct.WeightedSum(ct.TopK(1), ct.DropSelf(), weights=(1.0, 2.0)),
        lambda: ct.WeightedSum(ct.TopK(1), ct.DropSelf()),
    ),
    ct.YearFilter: Example(lambda: ct.YearFilter(TASK1), {"rule": "latest dated year"}),
}


@functools.cache
def dense_index(seed=0):
    return ct.DenseIndex.build(CORPUS, Embedder(tiny_checkpoint("encoder", seed)))


# what needs the extra neural, which is there in few environments
NEURAL = {
    ct.EntailmentClassifier: Example(
        lambda: ct.EntailmentClassifier(tiny_checkpoint("entailment")),
        lambda: ct.EntailmentClassifier(tiny_checkpoint("entailment", seed=1)),
        QUERIES.assign(text=["a lamp", "the gate"]),
        "rows",
    ),
    ct.MonoT5: Example(
        lambda: ct.MonoT5(tiny_checkpoint("seq2seq")), lambda: ct.MonoT5(tiny_checkpoint("seq2seq", seed=1)), READ
    ),
    ct.PairScorer: Example(
        lambda: ct.PairScorer(tiny_checkpoint("classifier")),
        lambda: ct.PairScorer(tiny_checkpoint("classifier", seed=1)),
        READ,
    ),
    ct.DenseRetriever: Example(
        lambda: ct.DenseRetriever(dense_index()), lambda: ct.DenseRetriever(dense_index(seed=1))
    ),
    EmbeddingClassifier: Example(
        lambda: EmbeddingClassifier(tiny_checkpoint("encoder"), "query"),
        lambda: EmbeddingClassifier(tiny_checkpoint("encoder", seed=1), "query"),
        fit_on=(RESULTS, GOLD),
    ),
}
if importlib.util.find_spec("sentence_transformers"):
    EXAMPLES |= NEURAL

# the components of examples/systems keep the same contracts
SYSTEMS = Path(__file__).parents[2] / "examples" / "systems"
COMPONENTS = {}
if SYSTEMS.is_dir():
    sys.path.append(str(SYSTEMS))
    from components.disjunctive_union import DisjunctiveUnion
    from components.persons import FindPersons
    from components.phrases import SplitPhrases
    from components.rule_parts import RulePart, SamePolarity

    COMPONENTS = {
        DisjunctiveUnion: Example(
            lambda: DisjunctiveUnion("en"),
            lambda: DisjunctiveUnion("ja", "length"),
            QUERIES.assign(text=["a lamp", "the gate"]),
            "rows",
            (RESULTS.assign(text=["lamp", "gate", "lamp", "gate"]), GOLD),
        ),
        FindPersons: Example(FindPersons, {"on": "qid"}, QUERIES, "rows"),
        RulePart: Example(
            lambda: RulePart("statement", "en"), {"language": "ja"}, QUERIES.assign(text=ARTICLES), "rows"
        ),
        SamePolarity: Example(lambda: SamePolarity("en"), {"language": "ja"}, QUERIES.assign(text=ARTICLES), "rows"),
        SplitPhrases: Example(SplitPhrases, lambda: SplitPhrases(2), DOCUMENTS, "rows"),
    }
    EXAMPLES |= COMPONENTS


def of(kinds):
    marks = {kind: () if kind in NEURAL else pytest.mark.without_models for kind in kinds}
    return pytest.mark.parametrize("kind", [pytest.param(kind, id=kind.__name__, marks=marks[kind]) for kind in kinds])


every_transformer = of(EXAMPLES)
every_ranker = of([kind for kind, example in EXAMPLES.items() if example.gives == "results"])
every_rewriter = of([kind for kind, example in EXAMPLES.items() if example.gives == "rows"])


def transformers_of_the_package():
    found = set()
    for module in pkgutil.walk_packages(ir_coliee.__path__, "ir_coliee."):
        members = vars(importlib.import_module(module.name)).values()
        found |= {member for member in members if inspect.isclass(member) and issubclass(member, pt.Transformer)}
    ours = {kind for kind in found if kind.__module__.startswith("ir_coliee.") and not issubclass(kind, pt.Indexer)}
    return {kind for kind in ours if kind.__name__ not in BASES}


def frame_for(kind):
    return EXAMPLES[kind].frame


def test_no_transformer_escapes():
    assert {*EXAMPLES, *NEURAL} - {*COMPONENTS} == transformers_of_the_package()


@pytest.mark.slow
@every_transformer
def test_pyterrier_can_inspect_and_draw_it(kind):
    make = EXAMPLES[kind].make
    case = type(f"Test{kind.__name__}", (pt.testing.TransformerTestCase,), {"get_transformer": staticmethod(make)})
    outcome = unittest.TestResult()
    # its reports are warnings of their own, hidden by tearDownClass only through the environment
    case.tearDownClass = classmethod(lambda cls: None)
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(outcome)
    assert outcome.testsRun > 0
    assert [trace for _, trace in outcome.failures + outcome.errors] == []


@every_transformer
def test_its_inputs_are_known_to_inspection(kind):
    transformer = EXAMPLES[kind].make()
    needed = pt.inspect.transformer_inputs(transformer)
    assert needed
    kept = {"qid", "docno", "score", "rank"} if EXAMPLES[kind].gives == "results" else set()
    for columns in needed:
        assert kept <= set(pt.inspect.transformer_outputs(transformer, columns))


@every_transformer
def test_it_never_changes_its_input(kind):
    inp = frame_for(kind).copy()
    before = inp.copy()
    EXAMPLES[kind].make()(inp)
    pd.testing.assert_frame_equal(inp, before)


@every_ranker
def test_it_gives_results_best_first_and_ranked_from_zero(kind):
    results = EXAMPLES[kind].make()(frame_for(kind))
    assert not results.empty
    assert results.index.tolist() == list(range(len(results)))
    assert list(dict.fromkeys(results["qid"])) == list(dict.fromkeys(frame_for(kind)["qid"]))
    for _, rows in results.groupby("qid"):
        assert rows["score"].is_monotonic_decreasing
        assert rows["rank"].tolist() == list(range(len(rows)))


@of([kind for kind in EXAMPLES if issubclass(kind, FeatureTransformer)])
def test_named_features_of_numbers_follow_those_of_the_row(kind):
    transformer, inp = EXAMPLES[kind].make(), frame_for(kind).reset_index(drop=True)
    features = feature_matrix(transformer(inp))
    assert features.shape == (len(inp), len(transformer.feature_names))
    assert np.isfinite(features).all()
    before = [np.array([7.0]) for _ in inp.index]
    both = transformer(inp.assign(features=before))
    np.testing.assert_array_equal(feature_matrix(both), np.column_stack([np.full(len(inp), 7.0), features]))
    both["features"][0][:] = 5.0  # no row shares its array with another, or with the input
    assert (before[0] == 7.0).all()
    np.testing.assert_array_equal(feature_matrix(both)[1:, 1:], features[1:])


@every_ranker
def test_a_rank_cutoff_behind_it_gives_its_first_results(kind):
    transformer, frame = EXAMPLES[kind].make(), frame_for(kind)
    for inp in [frame, *([frame[["qid", "query"]].drop_duplicates("qid")] if issubclass(kind, Ranker) else [])]:
        results = transformer(inp)
        cutting = (transformer % 1).compile()
        pd.testing.assert_frame_equal(cutting(inp), results[results["rank"] == 0].reset_index(drop=True))
    if issubclass(kind, Ranker):
        assert cutting == transformer.fuse_rank_cutoff(1)
        assert cutting.arguments() == {**transformer.arguments(), "num_results": 1}


@of([kind for kind in EXAMPLES if kind not in (ct.AddDuplicates, ct.AggregatePassages, ct.ReferenceExpansion)])
def test_other_columns_stay_with_their_rows(kind):
    inp = frame_for(kind)
    ids = [name for name in ("qid", "docno") if name in inp.columns]
    results = EXAMPLES[kind].make()(inp.assign(note=["/".join(row) for row in inp[ids].to_numpy()]))
    before_passages = [results[name].str.partition("%p")[0] for name in ids]
    assert ["/".join(row) for row in zip(*before_passages)] == results["note"].tolist()


@of([kind for kind in EXAMPLES if kind not in COMPONENTS and not issubclass(kind, TextTransformer)])
def test_a_row_without_an_id_is_refused(kind):
    inp, cuts = frame_for(kind), issubclass(kind, Cutoff)
    for name in {"qid", *(["docno"] if not cuts else [])} & {*inp.columns}:
        for missing in (None, float("nan"), pd.NA):
            with pytest.raises(ColieeError, match=rf"no .*id \({name}\)"):
                EXAMPLES[kind].make()(inp.assign(**{name: [missing, *inp[name][1:]]}))


@of([kind for kind in EXAMPLES if EXAMPLES[kind].fit_on and issubclass(kind, FittableTransformer)])
def test_an_estimator_that_is_not_fitted_says_so(kind):
    with pytest.raises(ValueError, match=r"is not fitted\. Call fit"):
        EXAMPLES[kind].new()(frame_for(kind))


@every_rewriter
def test_it_keeps_the_order_of_the_rows_and_numbers_them(kind):
    inp = frame_for(kind)
    rows = EXAMPLES[kind].make()(inp)
    assert not rows.empty
    assert rows.index.tolist() == list(range(len(rows)))
    for name in {"qid", "docno"} & set(inp.columns):
        before = rows[name].str.partition("%p")[0]
        assert before.drop_duplicates().tolist() == inp[name].drop_duplicates().tolist()


@pytest.mark.slow
@every_transformer
@pytest.mark.parametrize("string_type", [object, "string", "str"])
def test_any_string_type_of_pandas_gives_the_same(kind, string_type):
    inp = frame_for(kind)
    strings = dict.fromkeys(inp.columns.intersection(["qid", "query", "docno", "text"]), string_type)
    transformer = EXAMPLES[kind].make()
    expected, results = transformer(inp), transformer(inp.astype(strings))
    pd.testing.assert_frame_equal(results.astype(object), expected.astype(object), check_dtype=False)


@every_transformer
def test_an_empty_frame_gives_an_empty_frame_with_the_same_columns(kind):
    transformer, inp = EXAMPLES[kind].make(), frame_for(kind)
    results = transformer(inp.iloc[:0])
    assert results.empty
    assert set(results.columns) == set(transformer(inp).columns)


@every_transformer
def test_a_frame_without_its_columns_is_refused(kind):
    for columns in (["qid"], ["docno", "score"], []):
        if kind is ct.CandidatePool and columns == ["qid"]:
            continue  # the pool of a query needs no text
        with pytest.raises(pt.validate.InputValidationError, match=kind.__name__):
            EXAMPLES[kind].make()(RESULTS[columns])


@every_transformer
def test_its_repr_rebuilds_it(kind):
    transformer = EXAMPLES[kind].new()
    if " documents, " in repr(transformer):
        pytest.skip("an index in memory cannot be written as an expression")
    names = {example.__name__: example for example in [*EXAMPLES, LogisticRegression, Model, ShardedIndex]}
    names |= vars(weightings)
    rebuilt = eval(repr(transformer), names)
    assert (type(rebuilt), repr(rebuilt)) == (kind, repr(transformer))
    assert rebuilt == transformer


@every_transformer
def test_it_equals_one_with_the_same_parameters_and_no_other(kind):
    make, make_other = EXAMPLES[kind].new, EXAMPLES[kind].new_other  # those that have learned something are not equal
    assert make() == make()
    one, other = make(), make()
    assert {one: 1, other: 2}[one] == 1  # as keys of a grid
    assert make() != make_other()
    assert make() != repr(make())


@every_transformer
def test_its_signature_names_all_its_parameters(kind):
    parameters = inspect.signature(kind).parameters
    assert not any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    assert {*EXAMPLES[kind].new().arguments()} <= {*parameters}


def test_the_signature_of_a_subclass_names_the_options_that_it_passes_on():
    class Own(ct.PairScorer):
        def __init__(self, own, **options):
            super().__init__(**options)
            self.own = own

    assert [*inspect.signature(Own).parameters][:3] == ["model", "own", "load"]


@every_transformer
def test_its_parameters_are_attributes_that_can_be_set(kind):
    transformer, other = EXAMPLES[kind].new(), EXAMPLES[kind].new_other()
    for name in transformer.arguments():
        if type(other) is kind:
            transformer.set_parameter(name, other.get_parameter(name))
    assert (transformer == other) is (type(other) is kind)


@pytest.mark.slow
@every_transformer
def test_it_survives_pickling(kind):
    transformer, inp = EXAMPLES[kind].make(), frame_for(kind)
    copied = pickle.loads(pickle.dumps(transformer))
    assert type(copied) is kind
    assert repr(copied) == repr(transformer)
    pd.testing.assert_frame_equal(copied(inp), transformer(inp))


def pipelines(kind):
    """The transformer and one with another parameter, each in a pipeline from queries to results."""
    frame = frame_for(kind)
    queries = frame.drop_duplicates("qid")
    if "docno" in frame.columns:
        queries = queries[[name for name in ("qid", "query") if name in frame.columns]]
        found = pt.Transformer.from_df(frame.reset_index(drop=True), uniform=True)
        return queries, [found >> EXAMPLES[kind].make(), found >> EXAMPLES[kind].make(other=True)]
    after = INDEX.bm25() if EXAMPLES[kind].gives == "rows" else pt.Transformer.identity()
    return queries, [EXAMPLES[kind].make() >> after, EXAMPLES[kind].make(other=True) >> after]


@pytest.mark.slow
@every_transformer
def test_an_experiment_that_shares_the_beginnings_of_pipelines_gives_the_same_figures(kind):
    if "qid" not in frame_for(kind).columns:
        pytest.skip("takes documents alone")
    queries, systems = pipelines(kind)
    systems.append(systems[0] >> ct.TopK(1))
    measures = [ir_measures.P @ 1, ir_measures.R @ 2]
    plain, shared = (pt.Experiment(systems, queries, GOLD, measures, plan=plan) for plan in ("linear", "tree"))
    pd.testing.assert_frame_equal(plain, shared)
