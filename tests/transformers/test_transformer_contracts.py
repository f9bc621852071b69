"""What holds for every transformer of the package. One that is added must be added to EXAMPLES."""

import importlib
import inspect
import pickle
import pkgutil
import unittest
from collections.abc import Callable
from typing import Literal, NamedTuple

import ir_measures
import pandas as pd
import pyterrier as pt
import pytest

import ir_coliee.transformers
from ir_coliee.engine import weightings
from ir_coliee.transformers import (
    BM25,
    CandidatePool,
    Dirichlet,
    DropQueries,
    DropSelf,
    DynamicCutoff,
    GapCutoff,
    JelinekMercer,
    LexicalIndex,
    MarginCutoff,
    ParagraphRetriever,
    RatioCutoff,
    SharedIdf,
    TextScorer,
    TfIdf,
    ThresholdCutoff,
    TopK,
    YearFilter,
)
from ir_coliee.transformers.classifiers import MajorityAnswer, TfidfClassifier

BASES = {"Declared", "Cutoff", "Retriever", "TextTransformer", "_Estimator", "_Filter"}
INDEX = LexicalIndex.build([{"docno": "Y", "text": "lamp gate"}, {"docno": "N", "text": "gate well"}])
PARAGRAPHS = LexicalIndex.build(
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
GOLD = pd.DataFrame({"qid": ["R99-01-I", "R99-01-A"], "docno": ["Y", "N"], "label": [1, 1]})

DOCUMENTS = pd.DataFrame({"docno": ["Y", "N"], "text": ["A lamp.", "A gate."]}, index=[7, 7])


class Example(NamedTuple):
    """A maker of a transformer, and of one with another parameter; a frame that it takes, and what it makes of it."""

    make: Callable[[], pt.Transformer]
    other: Callable[[], pt.Transformer]
    frame: pd.DataFrame = RESULTS
    # "results": ranked anew, best first; "rows": queries, documents, passages or features, in the order of the frame
    gives: Literal["results", "rows"] = "results"


EXAMPLES = {
    BM25: Example(lambda: INDEX.bm25(k1=3.0), lambda: INDEX.bm25(k1=2.0)),
    CandidatePool: Example(
        lambda: CandidatePool("coliee/task4/sample/en/test"),
        lambda: CandidatePool("coliee/task4/sample/ja/test"),
        QUERIES,
    ),
    Dirichlet: Example(lambda: INDEX.dirichlet(mu=10.0), lambda: INDEX.dirichlet(mu=20.0)),
    DropQueries: Example(
        lambda: DropQueries("coliee/task1/sample/test"),
        lambda: DropQueries("coliee/task1/sample/train"),
    ),
    DropSelf: Example(DropSelf, lambda: TopK(1)),
    DynamicCutoff: Example(lambda: DynamicCutoff(p=0.5, l=1, h=2), lambda: DynamicCutoff(p=0.5, l=0, h=2)),
    GapCutoff: Example(lambda: GapCutoff(l=1, h=2), lambda: GapCutoff(l=2, h=2)),
    JelinekMercer: Example(lambda: INDEX.jelinek_mercer(lambda_=0.1), lambda: INDEX.jelinek_mercer(lambda_=0.2)),
    MajorityAnswer: Example(lambda: MajorityAnswer().fit(RESULTS, GOLD), lambda: TopK(1)),
    MarginCutoff: Example(lambda: MarginCutoff(0.5, 2), lambda: MarginCutoff(0.5, 3)),
    ParagraphRetriever: Example(
        lambda: ParagraphRetriever(PARAGRAPHS, aggregate="mean", query_aggregate=2),
        lambda: ParagraphRetriever(PARAGRAPHS, weightings.TfIdf(), aggregate=2),
    ),
    RatioCutoff: Example(lambda: RatioCutoff(0.9, 2), lambda: RatioCutoff(0.8, 2)),
    SharedIdf: Example(lambda: INDEX.shared_idf(num_results=2), lambda: INDEX.shared_idf(num_results=1)),
    TextScorer: Example(
        lambda: TextScorer(weightings.Dirichlet()),
        lambda: TextScorer(statistics=INDEX),
        RESULTS.assign(text=["lamp gate", "gate well", "gate well", "lamp gate"]),
    ),
    TfIdf: Example(lambda: INDEX.tfidf(tf="count"), lambda: INDEX.tfidf(tf="binary")),
    TfidfClassifier: Example(
        lambda: TfidfClassifier("query", language="en").fit(RESULTS, GOLD),
        lambda: TfidfClassifier("query", language="ja").fit(RESULTS, GOLD),
    ),
    ThresholdCutoff: Example(lambda: ThresholdCutoff(1.5), lambda: ThresholdCutoff(2.5)),
    TopK: Example(lambda: TopK(1), lambda: TopK(2)),
    YearFilter: Example(
        lambda: YearFilter("coliee/task1/sample/test"),
        lambda: YearFilter("coliee/task1/sample/test", latest=1990),
    ),
}

# what an estimator has learned is no parameter: two that are to be equal have learned nothing
UNFITTED = {
    MajorityAnswer: (MajorityAnswer, lambda: TopK(1)),
    TfidfClassifier: (
        lambda: TfidfClassifier("query", language="en"),
        lambda: TfidfClassifier("text", language="ja"),
    ),
}


def makers_of(kind):
    return UNFITTED.get(kind, EXAMPLES[kind][:2])


def of(kinds):
    return pytest.mark.parametrize("kind", kinds, ids=lambda kind: kind.__name__)


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
    assert set(EXAMPLES) == transformers_of_the_package()


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
def test_its_drawing_needs_no_network(kind):
    schematic = EXAMPLES[kind].make().schematic
    assert schematic["label"]
    assert schematic["help_url"]


@every_transformer
def test_it_never_changes_its_input(kind):
    inp = frame_for(kind).copy()
    before = inp.copy()
    EXAMPLES[kind].make()(inp)
    pd.testing.assert_frame_equal(inp, before)


@every_transformer
def test_writing_into_its_output_does_not_change_its_input(kind):
    inp = frame_for(kind).copy()
    before = inp.copy()
    results = EXAMPLES[kind].make()(inp)
    for column in results.columns.intersection(["qid", "docno", "query", "text"]):
        results.loc[:, column] = "changed"
    if "score" in results:
        results.loc[:, "score"] = -7.0
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


@every_rewriter
def test_it_keeps_the_order_of_the_rows_and_numbers_them(kind):
    inp = frame_for(kind)
    rows = EXAMPLES[kind].make()(inp)
    assert not rows.empty
    assert rows.index.tolist() == list(range(len(rows)))
    for name in {"qid", "docno"} & set(inp.columns):
        before = rows[name].str.partition("%p")[0]
        assert before.drop_duplicates().tolist() == inp[name].drop_duplicates().tolist()


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
        if kind is CandidatePool and columns == ["qid"]:
            continue  # the pool of a query needs no text
        with pytest.raises(pt.validate.InputValidationError, match=kind.__name__):
            EXAMPLES[kind].make()(RESULTS[columns])


@every_transformer
def test_its_repr_rebuilds_it(kind):
    transformer = makers_of(kind)[0]()
    if any(isinstance(value, LexicalIndex) for value in vars(transformer).values()):
        pytest.skip("an index in memory cannot be written as an expression")
    names = {example.__name__: example for example in EXAMPLES}
    if kind is TextScorer:  # its formula is the engine's, of the same name as the retriever
        names |= vars(weightings)
    rebuilt = eval(repr(transformer), names)
    assert (type(rebuilt), repr(rebuilt)) == (kind, repr(transformer))
    assert rebuilt == transformer


@every_transformer
def test_it_equals_one_with_the_same_parameters_and_no_other(kind):
    make, make_other = makers_of(kind)
    assert make() == make()
    assert hash(make()) == hash(make())
    assert make() != make_other()
    assert make() != repr(make())


@every_transformer
def test_its_parameters_are_attributes_that_can_be_set(kind):
    transformer, other = (make() for make in makers_of(kind))
    for name in inspect.signature(kind.__init__).parameters:
        if name != "self" and type(other) is kind:
            transformer.set_parameter(name, other.get_parameter(name))
    assert (transformer == other) is (type(other) is kind)


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
    queries = frame.drop_duplicates("qid")[[name for name in ("qid", "query") if name in frame.columns]]
    if "docno" in frame.columns:
        found = pt.Transformer.from_df(frame.reset_index(drop=True), uniform=True)
        return queries, [found >> EXAMPLES[kind].make(), found >> EXAMPLES[kind].other()]
    after = INDEX.bm25() if EXAMPLES[kind].gives == "rows" else pt.Transformer.identity()
    return queries, [EXAMPLES[kind].make() >> after, EXAMPLES[kind].other() >> after]


@every_transformer
def test_an_experiment_that_shares_the_beginnings_of_pipelines_gives_the_same_figures(kind):
    if "qid" not in frame_for(kind).columns:
        pytest.skip("takes documents alone")
    queries, systems = pipelines(kind)
    systems.append(systems[0] >> TopK(1))
    measures = [ir_measures.P @ 1, ir_measures.R @ 2]
    plain, shared = (pt.Experiment(systems, queries, GOLD, measures, plan=plan) for plan in ("linear", "tree"))
    pd.testing.assert_frame_equal(plain, shared)


@every_transformer
def test_its_docstring_has_an_example(kind):
    assert ">>>" in (inspect.getdoc(kind) or "")
