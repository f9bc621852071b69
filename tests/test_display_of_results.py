"""What a person sees of each result in Python and in a notebook."""

import functools
import html
import re

import ir_datasets
import pandas as pd
import pytest

from ir_coliee import compare, editions, leaderboard, score, tune
from ir_coliee.analysis import diff, show
from ir_coliee.baselines import run_baseline
from ir_coliee.models.templates import template
from ir_coliee.releases.audit import audit
from ir_coliee.transformers import DropSelf, LexicalIndex, TopK

TEST, TRAIN = "coliee/task1/sample/test", "coliee/task1/sample/train"


def queries_of(dataset_id):
    return pd.DataFrame([(q.query_id, q.default_text()) for q in ir_datasets.load(dataset_id).queries_iter()])


@functools.cache
def ranking(dataset_id):
    queries = queries_of(dataset_id).set_axis(["qid", "query"], axis=1)
    return (LexicalIndex.from_dataset(dataset_id).bm25(num_results=6) >> DropSelf())(queries)


@functools.cache
def gold():
    return pd.DataFrame(ir_datasets.load(TRAIN).qrels_iter())


# each result with what its text must say
RESULTS = {
    "scores": (lambda _: score(TEST, TopK(2)(ranking(TEST))), ["F1", "95 % interval", "synthetic"]),
    "comparison": (lambda _: compare(TEST, {f"top {k}": TopK(k)(ranking(TEST)) for k in (1, 2)}), ["top 1", "p holm"]),
    "tuning": (lambda _: tune(TRAIN, ranking(TRAIN)), ["best cut-off for MicroF1", "held-out", "oracle", "MacroR"]),
    "official results": (lambda _: leaderboard("task1", 2023), ["THUIR", "0.3001", "Caveat", "Source"]),
    "difference": (
        lambda _: diff(TEST, *(TopK(k)(ranking(TEST)) for k in (1, 3))),
        ["run 2", "union", "A is better", "95 % interval", "false B"],
    ),
    "explained query": (
        lambda _: show(TEST, "900656", {"top 2": TopK(2)(ranking(TEST))}),
        ["900557", "top 2: hit", "Shared terms"],
    ),
    "baseline": (lambda _: run_baseline(editions.split(TEST), fast=True)[0], ["run bm25", "cut-off", "900656"]),
    "audit": (
        lambda _: audit(TEST),
        ["wrong: nothing", "changes your score", "information", "  gold-with-duplicate: "],
    ),
    "index": (lambda _: LexicalIndex.from_dataset(TEST), ["documents", "32", "analyser"]),
    "template": (lambda _: template("plain.en"), ["[system]", "{query}"]),
    "prompt": (lambda _: template("plain.en").conversation("A <lamp>.", "Article 1"), ["[user]", "A <lamp>."]),
}
RAW = re.compile(r"mappingproxy|PosixPath|dtype|NaN|\bnan\b|<NA>|\[\d+ rows x|object at 0x|Interval\(|Decimal\(")


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_readable_as_text_and_as_html(name, tmp_path):
    make, expected = RESULTS[name]
    result = make(tmp_path)
    text, code = str(result), result._repr_html_()
    assert [words for words in expected if words not in text] == []
    assert [words for words in expected if html.escape(words) not in code] == []
    for shown in (text, repr(result), code):
        assert not RAW.search(shown), RAW.search(shown)
        assert not re.search(r"\d\.\d{8}", shown), "a figure has more than four decimals"
    assert len(repr(result)) < 5000
    assert not re.search(r"<(?!/?(div|p|strong|table|thead|tbody|tr|th|td|details|summary|pre|mark|br)\b)", code)
