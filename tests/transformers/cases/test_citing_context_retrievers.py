"""Retrieval by citing contexts: what a researcher gets from a release."""

import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.transformers import CitingContextRetriever, LatentSemanticRetriever

TEST = "coliee/task1/2025/test"
MARKER = "<FRAGMENT_SUPPRESSED>"
TEXTS = {
    "900001": f"Heard: May 1, 2015.\n[1]\nThe brass lamp must burn, {MARKER}.\n[2]\nNothing else was argued or said."
    f"\n[3]\nThe oak gate, {MARKER}, stays open.",
    "900002": "Heard: May 1, 2010.\n[1]\nA gate.\n[2]\nThe brass lamp must burn.",
    "900003": "Heard: May 1, 2010.\n[1]\nA brass road.\n[2]\nA lamp.",
    "900004": "Heard: May 1, 2010.\n[1]\nAn oak gate stays open.",
    "900005": "Heard: May 1, 2020.\n[1]\nThe brass lamp must burn. The oak gate stays open.",
    "900006": "Heard: May 1, 2010.\n[1]\nAn oak gate stays open.",
}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    folder = tmp_path / "task1_test_files_2025"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / f"{name}.txt").write_text(text)
    return folder


def found(retriever, qid="900001", query=TEXTS["900001"]):
    results = retriever(pd.DataFrame({"qid": [qid], "query": [query]}))
    return dict(zip(results["docno"], results["score"]))


@pytest.mark.parametrize("against", ["pieces", "texts"])
@pytest.mark.parametrize("aggregate", ["rr", "max", "document"])
def test_the_cases_that_a_context_matches_are_found_without_later_years_and_the_query(against, aggregate):
    scores = found(CitingContextRetriever(TEST, 5, against, aggregate))
    assert {*scores} == {"900002", "900003", "900004", "900006"}
    assert scores["900004"] == scores["900006"]  # files of one text
    assert scores["900002"] > scores["900003"]


def test_each_citation_is_a_query():
    """The first context finds 900002 and then 900003, the second 900004 and then, by one word, 900002."""
    scores = found(CitingContextRetriever(TEST, 5))
    assert scores["900002"] == pytest.approx(1 / 3 + 1 / 4)
    assert scores["900004"] == pytest.approx(1 / 3)


def test_softmax_shares_each_context_among_all_cases():
    scores = found(CitingContextRetriever(TEST, 5, aggregate="softmax"))
    by_text = {name: score for name, score in scores.items() if name != "900006"}
    own = 2 - sum(by_text.values())  # the query's own text has a share of nearly 0
    assert 0 < own < 1e-2


def test_latent_semantics_find_words_that_occur_together(home):
    """The context has no word of the paragraphs with wicks, but "lamp" stands beside both."""
    pytest.importorskip("sklearn")
    for name, words in {"900002": "wicks lamp", "900003": "brass lamp", "900004": "oak gate"}.items():
        (home / f"{name}.txt").write_text("\n".join(f"[{number}]\n{words}" for number in range(1, 8)))
    rr, document = (
        found(LatentSemanticRetriever(TEST, 2, aggregate=aggregate), "q", f"brass {MARKER}")
        for aggregate in ("rr", "document")
    )
    for scores in (rr, document):
        assert scores["900002"] > scores.get("900004", 0)
    assert document["900002"] > 0.9


def test_a_query_without_markers_finds_nothing():
    assert found(CitingContextRetriever(TEST), query="The brass lamp must burn.") == {}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CitingContextRetriever(TEST, 0), "width must be an integer >= 1, got 0"),
        (lambda: CitingContextRetriever(TEST, against="cases"), "against must be 'pieces' or 'texts', got 'cases'"),
        (lambda: CitingContextRetriever(TEST, aggregate="mean"), "aggregate must be 'rr', 'max', .* got 'mean'"),
        (lambda: LatentSemanticRetriever(TEST, 0), "dimensions must be an integer >= 1, got 0"),
        (lambda: LatentSemanticRetriever(TEST, aggregate="max"), "aggregate must be 'rr' or 'document', got 'max'"),
    ],
)
def test_a_wrong_argument_is_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_collection_with_a_single_latent_term_has_scores(home):
    for file in home.iterdir():
        file.write_text(f"lamp word{'x' * int(file.stem[-1])}")
    scores = found(LatentSemanticRetriever(TEST), "mine", f"a lamp {MARKER}")
    assert scores == {f"90000{rank + 1}": pytest.approx(1 / (rank + 3)) for rank in range(6)}


def test_scores_do_not_depend_on_the_order_of_the_queries():
    dataset = pt.get_dataset("irds:coliee/task1/sample/test")
    topics = dataset.get_topics()
    retriever = LatentSemanticRetriever("coliee/task1/sample/test", dimensions=10)
    new = topics.assign(qid="q" + topics["qid"], query=topics["query"] + " Other lamps.")  # texts that no document has
    both = pd.concat([topics, new], ignore_index=True)

    def scores(queries):
        return retriever(queries).set_index(["qid", "docno"])["score"].sort_index()

    first, other = scores(both), scores(both.sample(frac=1, random_state=3))
    assert len(first) > 100
    assert first.index.equals(other.index)
    assert (first - other).abs().max() <= 1e-6
    shuffled = both.sample(frac=1, random_state=4)
    assert retriever(shuffled)["qid"].drop_duplicates().tolist() == shuffled["qid"].tolist()
