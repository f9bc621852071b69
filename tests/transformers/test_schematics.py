"""PyTerrier's drawings of pipelines: labels, the columns between the steps, parameters and links."""

import html
import re

import pyterrier as pt
import pytest
from sklearn.linear_model import LogisticRegression

import ir_coliee.transformers as ct
from ir_coliee.models import ServedModel
from ir_coliee.transformers.base import REFERENCE
from ir_coliee.transformers.retrieval.dask import ShardedIndex

TASK1, TASK4 = "coliee/task1/sample/test", "coliee/task4/sample/en/test"
CORPUS = [{"docno": "900001", "text": "a lamp"}, {"docno": "900002", "text": "a gate"}]
INDEX = ct.LexicalIndex.build(CORPUS)
BM25 = INDEX.bm25(k1=3.0, num_results=100)


def sharded(tmp_path):
    return ShardedIndex.build(CORPUS, tmp_path / "shards").bm25() >> ct.TopK(3)


ENTAILMENT = ct.Entailment(ServedModel("a-model"), examples=ct.FewShotExamples(TASK4))
ANSWERED = ct.QuotedArticles(TASK4) >> ENTAILMENT >> ct.AnswersAsDocuments()

#: Each pipeline with its steps and the kinds of the frames before, between and after them.
PIPELINES = {
    "a retriever": (BM25, "Q BM25 R"),
    "filters and a cut-off": (
        BM25 >> ct.DropSelf() >> ct.DropQueries(TASK1) >> ct.YearFilter(TASK1) >> ct.DynamicCutoff(),
        "Q BM25 R Drop-self R Drop-queries R Year-filter R Dynamic-cut-off R",
    ),
    "fusion": (ct.ReciprocalRank(BM25, INDEX.dirichlet()) >> ct.TopK(5), "Q Reciprocal-rank R Top-5 R"),
    "features and a learner": (
        BM25 >> ct.ScoreFeatures() >> ct.CaseFeatures(TASK1) >> ct.LearnedRanker(LogisticRegression()),
        "Q BM25 R Score-features R_f Case-features R_f Learned-ranker R_f",
    ),
    "shards": (sharded, "Q BM25 R Top-3 R"),
    "answers of a language model": (ANSWERED, "Q Quoted-articles Q Entailment A Answers-as-documents R"),
    "a vote": (ct.MajorityVote(ANSWERED, ANSWERED), "Q Majority-vote R"),
    "terms of a query": (ct.CleanCase() >> ct.SelectTerms(INDEX) >> BM25, "Q Clean-case Q Select-terms Q BM25 R"),
    "indexing of cleaned cases": (
        lambda folder: ct.CleanCase() >> ct.LexicalIndexer(folder / "i"),
        "D Clean-case D Lexical-index -",
    ),
}


@pytest.fixture(autouse=True)
def _without_network(monkeypatch):
    """PyTerrier looks up the pages of its own operators on the network; ours need no look-up."""
    monkeypatch.setattr(pt.documentation, "url_for_class", lambda transformer: None)


def kind_of(columns):
    """The letter with which PyTerrier draws a frame; ``?`` for unknown columns, ``-`` for none."""
    return "?" if columns is None else pt.model.frame_info(columns)["label"] if columns else "-"


@pytest.mark.parametrize("name", PIPELINES)
def test_a_drawing_has_the_steps_the_kinds_of_frames_readable_parameters_and_links(name, tmp_path):
    pipeline, expected = PIPELINES[name]
    if not isinstance(pipeline, pt.Transformer):
        pipeline = pipeline(tmp_path)
    drawing = pt.schematic.transformer_schematic(pipeline)
    steps = drawing["transformers"] if drawing["type"] == "pipeline" else [drawing]
    chain = [kind_of(steps[0]["input_columns"])]
    for step in steps:
        chain += [step["label"].replace(" ", "-"), kind_of(step["output_columns"])]
        assert "input_validation_error" not in step
    assert " ".join(chain) == expected
    code = html.unescape(pipeline._repr_html_())
    assert "object at 0x" not in code
    assert "Unknown/incompatible columns" not in code
    links = re.findall(r'<a href="([^"]*)"', code)
    assert links
    assert [link for link in links if not link.startswith(f"{REFERENCE}/")] == []


def test_a_missing_column_is_drawn_as_an_error(tmp_path):
    drawing = pt.schematic.transformer_schematic(ct.QuotedArticles(TASK4) >> ct.LexicalIndexer(tmp_path / "index"))
    assert drawing["transformers"][-1]["input_validation_error"].modes[0].missing_columns == ["docno"]
