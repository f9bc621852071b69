"""Every public callable that takes a dataset takes each form of it: ids with and without prefix, and the objects."""

import importlib
import inspect
import os
import pickle
import pkgutil
from unittest import mock

import ir_datasets
import pandas as pd
import pyterrier as pt
import pytest

import ir_coliee
from ir_coliee.analysis import difference, evaluate, explain, of
from ir_coliee.analysis.observed_pipeline import ObservedPipeline
from ir_coliee.analysis.report import report
from ir_coliee.analysis.stage_losses import stage_losses
from ir_coliee.baselines import plan_baseline, run_baseline
from ir_coliee.baselines.training_data import qrels
from ir_coliee.datasets.folds import edition_blocks, task2_id, unseen_queries
from ir_coliee.editions import as_dataset_id, as_split, split
from ir_coliee.engine.articles.article_collection import ArticleCollection
from ir_coliee.errors import ColieeError, UnknownIdError
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.comparison import compare
from ir_coliee.evaluation.fusion import fit_weights, fuse
from ir_coliee.evaluation.runs import load_run, read_run
from ir_coliee.evaluation.scoring import Scorer, score
from ir_coliee.evaluation.submission import submit, validate_submission, vote
from ir_coliee.evaluation.tuning import tune
from ir_coliee.evaluation.writing import write_long_list, write_ranking, write_run
from ir_coliee.releases.article_references import article_references, release_with_articles
from ir_coliee.releases.audit import audit, seal
from ir_coliee.releases.release import LocalRelease
from ir_coliee.synthetic import write_release
from ir_coliee.text.analysers import Shingles
from ir_coliee.transformers import (
    AddDuplicates,
    ArticleKernelRidge,
    CandidateGraphFeatures,
    CandidatePool,
    CaseFeatures,
    CitationWindows,
    CitedYearRetriever,
    CitingContextRetriever,
    DropQueries,
    ExclusiveSharingRetriever,
    FewShotExamples,
    JudgeMentionRetriever,
    LatentSemanticRetriever,
    LexicalIndex,
    NameRetriever,
    PastQuestionRetriever,
    QueriesFromDataset,
    QuestionNumberFeatures,
    QuotationIndex,
    QuotedArticles,
    QuotedElsewhereFeatures,
    ReferenceExpansion,
    ReferenceFeatures,
    SiblingFeatures,
    StructureFeatures,
    TranslationModel,
    WordVectorModel,
    YearFilter,
)
from ir_coliee.transformers.articles.base import ArticleEstimator, ArticleFeatures, ScoreArticleFeatures
from ir_coliee.transformers.candidates.filters import task1_id
from ir_coliee.transformers.cases.base import CaseEvidenceRetriever

TASK1, TASK2 = "coliee/task1/sample/train", "coliee/task2/sample/train"
TASK3, TASK4 = "coliee/task3/sample/en/train", "coliee/task4/sample/en/train"
FORMS = {
    "id": lambda dataset_id: dataset_id,
    "irds:": lambda dataset_id: f"irds:{dataset_id}",
    "coliee:": lambda dataset_id: f"coliee:{dataset_id.removeprefix('coliee/')}",
    "ir_datasets": ir_datasets.load,
    "PyTerrier irds:": lambda dataset_id: pt.get_dataset(f"irds:{dataset_id}"),
    "PyTerrier coliee:": lambda dataset_id: pt.get_dataset(f"coliee:{dataset_id.removeprefix('coliee/')}"),
    "Split": split,
}


def gold_run(dataset_id):
    gold = qrels(split(dataset_id)).query("label > 0")
    return pd.DataFrame({"qid": gold["qid"], "docno": gold["docno"], "score": 1.0})


RUN1, RUN3, RUN4 = (gold_run(dataset_id) for dataset_id in (TASK1, TASK3, TASK4))


def written(write, suffix=""):
    """Return a function that gives the bytes of the files that ``write`` writes into a folder."""

    def call(dataset, folder):
        write(dataset, folder / f"task{suffix}")
        return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}

    return call


def with_file(dataset_id, run, use):
    """Return a function that calls ``use`` with a dataset and a written run."""

    def call(dataset, folder):
        return use(dataset, write_run(split(dataset_id), run, folder / "task1.a", "a") or folder / "task1.a")

    return call


def copy(path):
    return path.with_name("b").write_bytes(path.read_bytes()) and path.with_name("b")


def index_of(dataset, _folder):
    return LexicalIndex.from_dataset(dataset).docnos.tolist()


def quotations_of(dataset, _folder):
    shingles = LexicalIndex.from_dataset(TASK1, analyser=Shingles(8, base="case"))
    return repr(QuotationIndex.from_dataset(shingles, dataset))


def seal_of(dataset, folder):
    with mock.patch.dict(os.environ, COLIEE_HOME=str(folder)):
        return seal(dataset).seal.hash


#: Each callable with an id that it accepts, and a function of the dataset and an empty folder that calls it.
CALLABLES = {
    "ArticleCollection.of": (TASK3, lambda dataset, _: ArticleCollection.of(dataset).docnos.tolist()),
    "ArticleEstimator": (TASK3, lambda dataset, _: ArticleEstimator(dataset, "words", 5)),
    "ArticleFeatures": (TASK3, lambda dataset, _: ArticleFeatures(dataset)),
    "ArticleKernelRidge": (TASK3, lambda dataset, _: ArticleKernelRidge(dataset)),
    "CandidatePool": (TASK4, lambda dataset, _: CandidatePool(dataset)),
    "CaseEvidenceRetriever": (TASK1, lambda dataset, _: CaseEvidenceRetriever(dataset)),
    "CaseFeatures": (TASK1, lambda dataset, _: CaseFeatures(dataset)),
    "CandidateGraphFeatures": (TASK1, lambda dataset, _: CandidateGraphFeatures(dataset)),
    "CitedYearRetriever": (TASK1, lambda dataset, _: CitedYearRetriever(dataset)),
    "CitingContextRetriever": (TASK1, lambda dataset, _: CitingContextRetriever(dataset)),
    "ExclusiveSharingRetriever": (TASK1, lambda dataset, _: ExclusiveSharingRetriever(dataset)),
    "JudgeMentionRetriever": (TASK1, lambda dataset, _: JudgeMentionRetriever(dataset)),
    "LatentSemanticRetriever": (TASK1, lambda dataset, _: LatentSemanticRetriever(dataset)),
    "NameRetriever": (TASK1, lambda dataset, _: NameRetriever(dataset)),
    "CitationWindows": (TASK2, lambda dataset, _: CitationWindows(dataset)),
    "DropQueries": (TASK1, lambda dataset, _: DropQueries(dataset)),
    "FewShotExamples": (TASK4, lambda dataset, _: FewShotExamples(dataset)),
    "LexicalIndex.each_from_dataset": (TASK1, lambda d, _: LexicalIndex.each_from_dataset(d, ["words"])[0].fingerprint),
    "LexicalIndex.from_dataset": (TASK1, index_of),
    "LocalRelease.open": (TASK1, lambda dataset, _: LocalRelease.open(dataset).split),
    "PastQuestionRetriever": (TASK3, lambda dataset, _: PastQuestionRetriever(dataset)),
    "QueriesFromDataset": (TASK3, lambda dataset, _: QueriesFromDataset(dataset)),
    "QuestionNumberFeatures": (TASK3, lambda dataset, _: QuestionNumberFeatures(dataset)),
    "QuotationIndex.from_dataset": (TASK1, quotations_of),
    "QuotedArticles": (TASK4, lambda dataset, _: QuotedArticles(dataset)),
    "QuotedElsewhereFeatures": (TASK2, lambda dataset, _: QuotedElsewhereFeatures(dataset)),
    "ReferenceExpansion": (TASK3, lambda dataset, _: ReferenceExpansion(dataset)),
    "ReferenceFeatures": (TASK3, lambda dataset, _: ReferenceFeatures(dataset)),
    "ScoreArticleFeatures": (TASK3, lambda dataset, _: ScoreArticleFeatures(dataset)),
    "Scorer": (TASK1, lambda dataset, _: Scorer(dataset).split),
    "SiblingFeatures": (TASK3, lambda dataset, _: SiblingFeatures(dataset)),
    "StructureFeatures": (TASK3, lambda dataset, _: StructureFeatures(dataset)),
    "TranslationModel": (TASK3, lambda dataset, _: TranslationModel(dataset)),
    "WordVectorModel": (TASK3, lambda dataset, _: WordVectorModel(dataset)),
    "YearFilter": (TASK1, lambda dataset, _: YearFilter(dataset)),
    "article_references": (TASK3, lambda dataset, _: len(article_references(dataset).references)),
    "as_dataset_id": (TASK1, lambda dataset, _: as_dataset_id(dataset)),
    "as_split": (TASK1, lambda dataset, _: as_split(dataset)),
    "audit": ("coliee/task2/sample/train", lambda dataset, _: audit(dataset).counts),
    "evaluate": (TASK1, lambda dataset, _: evaluate(dataset, {"a": RUN1}).per_query.to_csv()),
    "ObservedPipeline": (TASK1, lambda dataset, _: ObservedPipeline(AddDuplicates({}), dataset=dataset)),
    "of": (TASK1, lambda dataset, _: of(AddDuplicates({}), dataset=dataset).dataset),
    "stage_losses": (TASK1, lambda dataset, _: stage_losses({"a": RUN1}, dataset).to_csv()),
    "explain": (TASK4, lambda dataset, _: explain(dataset, "R98-01-A", {"a": RUN4}).as_json()),
    "difference": (TASK4, lambda dataset, _: difference(dataset, {"R98-01-A": {"Y": 1.0}}, RUN4).as_json()),
    "report": (TASK4, lambda dataset, _: report(dataset, {"a": RUN4}).title),
    "compare": (TASK1, lambda dataset, _: compare(dataset, {"a": RUN1, "b": RUN1[:5]}, permutations=10).to_csv()),
    "edition_blocks": ("coliee/task1/2024/train", lambda dataset, _: edition_blocks(dataset)),
    "fit_weights": (TASK1, lambda dataset, _: fit_weights(dataset, [RUN1, RUN1[::-1]]).weights),
    "fuse": (TASK1, lambda dataset, _: fuse(dataset, [RUN1, RUN1]).ranking.to_csv()),
    "load_run": (TASK1, with_file(TASK1, RUN1, lambda d, path: load_run(d, path).frame.to_csv())),
    "read_run": (TASK1, with_file(TASK1, RUN1, lambda d, path: read_run(d, path).values.tolist())),
    "release_with_articles": (TASK3, lambda dataset, _: release_with_articles(dataset).split),
    "plan_baseline": (TASK1, lambda dataset, _: plan_baseline(dataset, fast=True).split),
    "run_baseline": (
        "coliee/task2/sample/test",
        lambda dataset, _: [(run.tag, run.answers.to_csv()) for run in run_baseline(dataset, fast=True)],
    ),
    "score": (TASK1, lambda dataset, _: score(dataset, RUN1).figures),
    "seal": ("coliee/task2/sample/train", seal_of),
    "submit": (TASK1, written(lambda d, path: submit(d, RUN1, tag="a", folder=path))),
    "task2_id": (TASK2, lambda dataset, _: task2_id(dataset)),
    "task1_id": (TASK1, lambda dataset, _: task1_id(dataset)),
    "tune": (TASK1, lambda dataset, _: repr(tune(dataset, RUN1).best.cutoff)),
    "unseen_queries": ("coliee/task1/sample/test", lambda dataset, _: unseen_queries(dataset)),
    "validate": (TASK1, with_file(TASK1, RUN1, validate)),
    "validate_submission": (
        TASK1,
        with_file(TASK1, RUN1, lambda d, path: len(validate_submission(d, [path]))),
    ),
    "vote": (TASK4, with_file(TASK4, RUN4, lambda d, path: vote(d, [path, copy(path)]).to_csv())),
    "write_long_list": (TASK3, written(lambda d, path: write_long_list(d, RUN3, path, "a"), "3-L.a")),
    "write_ranking": (TASK1, written(lambda d, path: write_ranking(d, RUN1, path, "a"), "1.a")),
    "write_release": ("coliee/task2/2025/test", written(lambda d, path: write_release(d, path, scale=0.01))),
    "write_run": (TASK1, written(lambda d, path: write_run(d, RUN1, path, "a"), "1.a")),
}


TESTED_WITH_MODELS = {"DenseIndex.from_dataset"}  # in tests/transformers/retrieval/test_dense_retriever.py


def public_callables():
    """Yield the name of each public function, class or class method of the package with an argument ``Dataset``."""
    for found in pkgutil.walk_packages(ir_coliee.__path__, "ir_coliee."):
        if ".cli" in found.name or found.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(found.name)).items():
            if name.startswith("_") or getattr(value, "__module__", None) != found.name:
                continue
            if inspect.isfunction(value):
                yield name, value
            elif inspect.isclass(value):
                yield name, value.__init__
                methods = {key: each.__func__ for key, each in vars(value).items() if isinstance(each, classmethod)}
                yield from ((f"{name}.{key}", each) for key, each in methods.items() if not key.startswith("_"))


def test_the_table_has_every_callable_that_takes_a_dataset():
    annotated = {
        name
        for name, function in public_callables()
        if any("Dataset" in str(kind).split(" | ") for kind in getattr(function, "__annotations__", {}).values())
    }
    assert annotated - TESTED_WITH_MODELS == CALLABLES.keys()


def test_no_dataset_argument_takes_ids_only():
    only_ids = {
        name
        for name, function in public_callables()
        if getattr(function, "__annotations__", {}).get("dataset") in ("str", str, "Split")
    }
    called_with_resolved_ids = {"case_texts", "counts_of_dataset", "count_dataset", "fingerprint_of_dataset"}
    assert only_ids == called_with_resolved_ids


@pytest.mark.parametrize("name", CALLABLES)
def test_each_form_of_a_dataset_gives_the_same(name, tmp_path):
    dataset_id, call = CALLABLES[name]
    values = {}
    for number, (form, convert) in enumerate(FORMS.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        values[form] = call(convert(dataset_id), folder)
    assert all(value == values["id"] for value in values.values()), values


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name in CALLABLES for value in (5, None) if value or name not in ("ObservedPipeline", "of")],
)
def test_something_else_is_an_error_that_says_what_is_expected(name, value, tmp_path):
    with pytest.raises(ColieeError, match=r"of the type (int|NoneType) is not supported") as caught:
        CALLABLES[name][1](value, tmp_path)
    assert "an id such as" in str(caught.value)


TRANSFORMERS = [name for name, (dataset_id, call) in CALLABLES.items() if name[0].isupper() and "." not in name]


@pytest.mark.parametrize("name", sorted({*TRANSFORMERS} - {"Scorer"}))
@pytest.mark.parametrize("form", FORMS)
def test_a_transformer_stores_the_id(name, form):
    dataset_id, build = CALLABLES[name]
    built = build(FORMS[form](dataset_id), None)
    assert f"{dataset_id!r}" in repr(built)
    assert hash(built) == hash(build(dataset_id, None))
    assert pickle.loads(pickle.dumps(built)) == built


def test_views_and_collections_keep_their_id():
    assert as_dataset_id(pt.get_dataset("coliee:task3/sample/en")) == "coliee/task3/sample/en"
    assert as_dataset_id(ir_datasets.load(f"{TASK4}/full")) == f"{TASK4}/full"
    articles = [LexicalIndex.from_dataset(form("coliee/task3/sample/en")).docnos.tolist() for form in (str, pt_dataset)]
    assert articles[0] == articles[1]
    assert len(LexicalIndex.from_dataset(pt_dataset("coliee/task3/sample/en/deleted"))) > len(articles[0])
    questions = pd.DataFrame({"qid": ["R98-01-A"], "query": [""]})
    assert QuotedArticles(f"{TASK4}/full")(questions).equals(QuotedArticles(TASK4)(questions))


def pt_dataset(dataset_id):
    return pt.get_dataset(f"irds:{dataset_id}")


def test_questions_that_were_dropped_from_scoring_are_a_dataset_of_their_own():
    with_dropped = "coliee/task3/2025/en/test/as-distributed"
    assert as_split(ir_datasets.load(with_dropped)) == split(with_dropped) != split("coliee/task3/2025/en/test")


@pytest.mark.parametrize("name", CALLABLES)
def test_an_id_without_coliee_is_an_error_that_names_the_nearest(name, tmp_path):
    with pytest.raises(UnknownIdError, match="coliee/task1/sample/test"):
        CALLABLES[name][1]("task1/sample/test", tmp_path)


def test_datasets_of_ir_datasets_itself_can_be_indexed():
    assert as_dataset_id("irds:vaswani") == as_dataset_id(ir_datasets.load("vaswani")) == "vaswani"


@pytest.mark.parametrize("name", ["DropQueries", "YearFilter", "QuotedArticles", "audit", "score", "write_release"])
def test_an_unknown_id_is_an_error_whatever_its_prefix(name, tmp_path):
    for unknown in ("irds:coliee/task1/sample/tset", "coliee:task1/sample/tset"):
        with pytest.raises(ColieeError if name == "write_release" else UnknownIdError, match="task1/sample/tset"):
            CALLABLES[name][1](unknown, tmp_path)
