"""The functions that the pages name in their prose and tables exist, with the arguments that are shown."""

import inspect
import re
from types import SimpleNamespace

import ir_datasets
import ir_measures
import pages
import pyterrier as pt
import pytest

import ir_coliee
from ir_coliee import analysis, baselines, models, progress, transformers
from ir_coliee.baselines import recipes
from ir_coliee.datasets import folds
from ir_coliee.evaluation import cutoffs as cutoff_search
from ir_coliee.evaluation import cutoffs as cutoff_validation
from ir_coliee.evaluation import runs
from ir_coliee.models import tiny_checkpoints
from ir_coliee.text import analysers
from ir_coliee.text.references.graph import ReferenceGraph
from ir_coliee.transformers.candidates import filters
from ir_coliee.transformers.features import learning
from ir_coliee.transformers.retrieval import dask, dense

CODE_BLOCK = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
CODE_SPAN = re.compile(r"`([^`]+)`")
CALL = re.compile(r"(?P<name>[A-Za-z_][\w.]*)\((?P<arguments>.*?)\)(?:[.\[ ].*)?", re.DOTALL)
ARGUMENT = re.compile(r"(\w+)=")
DATASET = ir_datasets.load("coliee/task1/sample/test")
VARIABLES = SimpleNamespace(
    pt=pt,
    ir_coliee=ir_coliee,
    ir_datasets=ir_datasets,
    ir_measures=ir_measures,
    dataset=DATASET,
    index=transformers.LexicalIndex,
    graph=ReferenceGraph,
    explanation=analysis.QueryExplanation,
    found=analysis.RunDifference,
    round=round,
)
PLACES = [
    *(VARIABLES, ir_coliee, transformers, transformers.LexicalIndex, transformers.LearnedRanker, analysers, learning),
    *(filters, dask, dense),
    *(
        analysis,
        baselines,
        recipes,
        models,
        tiny_checkpoints,
        progress,
        folds,
        folds.Folds,
        cutoff_search,
        cutoff_validation,
        runs,
        DATASET,
    ),
]
CALLS = [
    pytest.param(call["name"], call["arguments"], id=f"{page.stem}: {span}")
    for page in pages.PAGES
    for span in dict.fromkeys(CODE_SPAN.findall(CODE_BLOCK.sub("", page.read_text(encoding="utf-8"))))
    if (call := CALL.fullmatch(span))
]


def found(name):
    if name == "PisaIndex":  # of a library that no extra installs
        return pytest.importorskip("pyterrier_pisa").PisaIndex
    first, *others = name.split(".")
    value = next((getattr(place, first) for place in PLACES if hasattr(place, first)), None)
    for each in others:
        value = getattr(value, each, None)
    return value


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_a_function_that_a_page_names_exists_and_has_the_arguments(name, arguments):
    assert found(name) is not None
    parameters = inspect.signature(found(name)).parameters
    if all(each.kind is not each.VAR_KEYWORD for each in parameters.values()):
        assert set(ARGUMENT.findall(arguments)) <= set(parameters)
