"""Three faults are planted in a pipeline on a synthetic edition; the causes of misses name each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.analysis import evaluate, largest_loss, losses, miss_causes, of
from ir_coliee.releases.release import LocalRelease
from ir_coliee.synthetic import write_release
from ir_coliee.transformers import (
    DropDuplicates,
    DropQueries,
    DropSelf,
    LexicalIndex,
    TopK,
    YearFilter,
    near_duplicates,
)

TEST = "coliee/task1/2025/test"


@pytest.fixture(scope="module")
def topics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pd.DataFrame]:
    """The queries of a release with misdated relevant items, some that occur twice, and one that is a query."""
    home = tmp_path_factory.mktemp("planted")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLIEE_HOME", str(home))
        write_release("coliee/task1/2025", home, scale=0.02)
        release = LocalRelease.open(TEST)
        relevant = sorted({qrel.doc_id for qrel in release.qrels()} - {query.query_id for query in release.queries()})
        folder = Path(str(release.corpus))
        for doc_id in relevant[::3]:
            with (folder / f"{doc_id}.txt").open("a") as file:
                file.write("\nSee [2025] 3 X.C. 9.\n")
        for number, doc_id in enumerate(relevant[1::3]):
            (folder / f"{900000 + number:06}.txt").write_text((folder / f"{doc_id}.txt").read_text().upper())
        labels = Path(str(release.file("labels")))
        of_queries = json.loads(labels.read_text())
        first, second, *_ = of_queries
        labels.write_text(json.dumps(of_queries | {first: [*of_queries[first], second]}))
        yield pt.get_dataset(f"irds:{TEST}").get_topics()


@pytest.fixture(scope="module")
def bm25(topics: pd.DataFrame) -> pt.Transformer:
    return LexicalIndex.from_dataset(TEST).bm25(num_results=1000) >> DropSelf()


def lost_by(
    ranker: pt.Transformer, fault: pt.Transformer, topics: pd.DataFrame
) -> tuple[dict[str, set[tuple[str, str]]], set[tuple[str, str]]]:
    """The misses by their cause, and the relevant items that the fault removed from the ranking."""
    before, after = ranker(topics), (ranker >> fault)(topics)
    runs = evaluate(TEST, {"mine": TopK(8)(after)}, rankings={"mine": after})
    gold = {*runs.gold.itertuples(index=False, name=None)}
    removed = gold & ({*zip(before["qid"], before["docno"])} - {*zip(after["qid"], after["docno"])})
    causes = miss_causes(runs, "mine")
    return {cause: {*zip(rows["query_id"], rows["doc_id"])} for cause, rows in causes.groupby("cause")}, removed


def test_a_year_filter_that_drops_relevant_items(bm25: pt.Transformer, topics: pd.DataFrame) -> None:
    causes, removed = lost_by(bm25, YearFilter(TEST), topics)
    assert removed
    assert causes["dropped by the year filter"] == removed


def test_a_pool_without_duplicates(bm25: pt.Transformer, topics: pd.DataFrame) -> None:
    corpus = pt.get_dataset(f"irds:{TEST}").get_corpus_iter(verbose=False)
    causes, removed = lost_by(bm25, DropDuplicates(near_duplicates(corpus)), topics)
    assert removed
    assert causes["dropped as a duplicate"] == removed


def test_queries_that_are_relevant_items_and_dropped(bm25: pt.Transformer, topics: pd.DataFrame) -> None:
    causes, removed = lost_by(bm25, DropQueries(TEST), topics)
    assert removed
    assert causes["dropped as a query"] == removed


def test_a_strict_cut_off_is_the_largest_loss(bm25: pt.Transformer, topics: pd.DataFrame) -> None:
    ranked = bm25(topics)
    runs = evaluate(TEST, {"mine": TopK(1)(ranked)}, rankings={"mine": ranked})
    assert " are ranked below the cut-off, half of them by at most " in largest_loss(runs, "mine")
    assert losses(runs).query("type == 'loss'")["name"].tolist() == ["ranked below the cut-off"]


def test_all_three_faults_in_one_pipeline(bm25: pt.Transformer, topics: pd.DataFrame) -> None:
    corpus = pt.get_dataset(f"irds:{TEST}").get_corpus_iter(verbose=False)
    ranker = bm25 >> DropDuplicates(near_duplicates(corpus)) >> YearFilter(TEST)
    observed = of(ranker >> TopK(1))
    runs = evaluate(TEST, {"answers": observed(topics), "observed": observed}, rankings={"answers": ranker(topics)})
    causes = {name: {*miss_causes(runs, name)["cause"]} for name in runs.runs}
    assert causes == {
        "answers": {"dropped as a duplicate", "dropped by the year filter", "ranked below the cut-off"},
        "observed": {"dropped by Drop duplicates", "dropped by Year filter", "dropped by Cut-off"},
    }
    assert observed.losses(TEST).query("type == 'loss'")["name"].tolist() == [
        "dropped by Drop duplicates",
        "dropped by Year filter",
        "dropped by Cut-off",
    ]
