"""Retrieval by each kind of evidence, as retriever, reranker and column of scores."""

import json
import warnings

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.engine.cases.scores import EVIDENCE, Evidence
from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.transformers import CaseRetriever, ScoreColumns, ScoreFeatures

# few texts share a rare name
pytestmark = pytest.mark.filterwarnings("ignore:.*get no result by:ir_coliee.errors.ColieeWarning")

TEST = "coliee/task1/2025/test"
SAMPLE = "coliee/task1/sample/test"
MARKER = "<FRAGMENT_SUPPRESSED>"


@pytest.fixture
def put(tmp_path, monkeypatch):
    """A function that adds files to a release of its own."""
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    folder = tmp_path / "task1_test_files_2025"
    folder.mkdir()

    def write(texts):
        for name, text in texts.items():
            (folder / f"{name}.txt").write_text(text)

    return write


def scores_of(results):
    return {(qid, docno): score for qid, docno, score in zip(results["qid"], results["docno"], results["score"])}


# --- one score function of the user's own ------------------------------------------------------------

LAMPS = {
    "900001": "lamp lamp lamp",
    "900002": "gate",
    "900003": "Lamp, lamp, lamp",
    "900004": "lamp",
    "900005": "lamp well",
}


def num_lamps(pool):
    """Score a text by the number of lamps, if the query has one."""
    sequences = pool.sequences
    lamps = np.array(sequences.vocabulary, object)[sequences.tokens] == "lamp"
    counts = np.array([lamps[a:b].sum() for a, b in zip(sequences.bounds, sequences.bounds[1:])])
    assert sorted(pool.texts) == [0, 1, 2, 3]  # each distinct text of the documents once
    return ((counts[pool.queries][:, None] > 0) * counts[pool.texts]).astype(np.float32)


@pytest.fixture
def lamps(put, monkeypatch):
    put(LAMPS)
    monkeypatch.setitem(EVIDENCE, "own.lamps", Evidence(num_lamps, "number of lamps"))
    return CaseRetriever(TEST, "own.lamps")


def found(retriever, **queries):
    results = retriever(pd.DataFrame({"qid": [*queries], "query": [*queries.values()]}))
    return [*results[["qid", "docno", "score", "rank"]].itertuples(index=False, name=None)]


def test_the_best_files_of_each_query_are_returned_but_its_own(lamps):
    queries = {"900004": "lamp", "900001": LAMPS["900001"], "q": "another lamp", "none": "a gate"}
    with pytest.warns(ColieeWarning, match="1 of 4 queries get no result by own.lamps: none"):
        results = found(lamps, **queries)
    assert results == [
        ("900004", "900001", 3.0, 0),
        ("900004", "900003", 3.0, 1),
        ("900004", "900005", 1.0, 2),
        ("900001", "900003", 3.0, 0),
        ("900001", "900004", 1.0, 1),
        ("900001", "900005", 1.0, 2),
        ("q", "900001", 3.0, 0),
        ("q", "900003", 3.0, 1),
        ("q", "900004", 1.0, 2),
        ("q", "900005", 1.0, 3),
    ]
    assert [row[1] for row in found(lamps % 2, q="lamp")] == ["900001", "900003"]


def test_files_that_have_changed_are_read_again(lamps, put):
    assert found(lamps, q="lamp")[-1] == ("q", "900005", 1.0, 3)
    put({"900005": "lamp lamp lamp lamp lamp"})
    assert found(lamps, q="lamp")[0] == ("q", "900005", 5.0, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("coliee/task2/2025/test", "name.judge"), "dataset must be a split of task 1"),
        ((TEST, "name.jugde"), r"evidence must be 'total\.sum', .* got 'name\.jugde'"),
        ((TEST, "name.judge", 0), "num_results must be an integer >= 1, got 0"),
    ],
)
def test_a_wrong_argument_is_named(arguments, message):
    dataset, evidence, *num_results = arguments
    with pytest.raises(ValueError, match=message):
        CaseRetriever(dataset, evidence, **dict(zip(["num_results"], num_results)))


# --- each kind of evidence ---------------------------------------------------------------------------

QUERY = (
    f"Karu, J.\nMay 1, 2015.\n[1]\nKestry v. Tammsaare, {MARKER} (1998): the brass lamp must burn until dusk."
    "\n[2]\nJustice Odd decided it."
)
DECISIONS = {
    "900001": QUERY,
    "900002": "Odd, J.\nMay 1, 1998.\n[1]\nKestry asks.\n[2]\nThe brass lamp must burn until dusk.",
    "900003": "Odd, J.\nMay 1, 1998.\n[1]\nTammsaare asks for a lamp.",
    "900004": "Odd, J.\nMay 1, 1998.\n[1]\nTammsaare asks for a lamp.",
    "900005": "Vares, J.\nMay 1, 2003.\n[1]\nNothing of it is here.",
}
FILLER = {f"91{number:04}": f"[1]\nNumber {number} is grey." for number in range(20)}
every_kind = pytest.mark.parametrize("name", [*EVIDENCE])
CASES = pd.DataFrame(
    {"qid": ["900001", "q"], "query": [QUERY, f"Kestry, {MARKER} (1998), by Justice Odd: a brass lamp must burn."]}
)
PAIRS = CASES.merge(pd.DataFrame({"docno": [*DECISIONS]}), how="cross")


@pytest.fixture
def home(put):
    put(DECISIONS | FILLER)


@every_kind
def test_pairs_have_their_scores_of_retrieval_and_0_if_they_are_not_retrieved(home, name):
    found = scores_of(CaseRetriever(TEST, name)(CASES))
    rescored = CaseRetriever(TEST, name)(PAIRS.sample(frac=1, random_state=0))
    assert {qid for qid, _ in found} >= {"900001"}
    assert scores_of(rescored) == {pair: found.get(pair, 0.0) for pair in zip(PAIRS["qid"], PAIRS["docno"])}
    assert ("900001", "900001") not in found
    for _, rows in rescored.groupby("qid"):
        assert [*zip(-rows["score"], rows["docno"])] == sorted(zip(-rows["score"], rows["docno"]))
        assert rows["rank"].tolist() == list(range(len(DECISIONS)))


@every_kind
def test_it_is_a_column_of_scores_and_of_features(home, name):
    everything = pt.Transformer.from_df(PAIRS.assign(score=1.0), uniform=True)
    columns = ScoreColumns({"all": everything, "evidence": CaseRetriever(TEST, name)}, 50)
    features = (columns >> ScoreFeatures(["evidence"]))(CASES)
    found = scores_of(CaseRetriever(TEST, name)(CASES))
    pairs = [*zip(features["qid"], features["docno"])]
    assert {*pairs} == {*zip(PAIRS["qid"], PAIRS["docno"]), *found}
    assert features["evidence"].tolist() == [found.get(pair, 0.0) for pair in pairs]
    assert {len(values) for values in features["features"]} == {4}


def test_columns_of_given_results_are_computed_from_all_queries_at_once(home):
    documents = CaseRetriever(TEST, "context.by_text_25")
    alone = documents(PAIRS[PAIRS["qid"] == "q"])
    found = ScoreColumns({"documents": documents})(PAIRS)
    assert dict(zip(zip(found["qid"], found["docno"]), found["documents"])) == scores_of(documents(PAIRS))
    assert not scores_of(alone).items() <= scores_of(documents(PAIRS)).items()


def test_rows_given_twice_come_back_twice_and_the_first_text_of_a_query_counts(home):
    given = pd.concat([PAIRS[1:2], PAIRS[1:2], PAIRS[2:3].assign(query="nothing")])
    assert CaseRetriever(TEST, "name.judge")(given)["score"].tolist() == [1.0, 1.0, 1.0]
    repeated = pd.concat([CASES[:1], CASES[:1].assign(query="nothing")])
    pd.testing.assert_frame_equal(
        CaseRetriever(TEST, "name.judge")(repeated), CaseRetriever(TEST, "name.judge")(CASES[:1])
    )


@every_kind
def test_an_empty_frame_computes_nothing(home, name, monkeypatch):
    monkeypatch.setitem(EVIDENCE, name, None)
    for empty in (CASES[:0], PAIRS[:0]):
        results = CaseRetriever(TEST, name)(empty)
        assert results.empty
        assert {*results.columns} == {"qid", "query", "docno", "score", "rank"}
        assert (results["score"].dtype, results["rank"].dtype) == ("float64", "int64")


@every_kind
def test_all_files_of_a_text_are_found_however_many_results_are_asked_for(home, name):
    scores = scores_of(CaseRetriever(TEST, name, num_results=10**6)(CASES[:1]))
    assert scores.get(("900001", "900003")) == scores.get(("900001", "900004"))


@pytest.mark.parametrize("name", ["context.reciprocal_rank", "exclusive.words", "name.judge", "year.near_citation"])
def test_queries_without_result_are_counted_when_retrieving_alone(home, name):
    plain = CASES.assign(query=[QUERY, "unheard words"])
    with pytest.warns(ColieeWarning, match=rf"^1 of 2 queries get no result by {name}: q\.") as seen:
        assert {*CaseRetriever(TEST, name)(plain)["qid"]} == {"900001"}
    assert [warning.filename for warning in seen] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CaseRetriever(TEST, name)(PAIRS.assign(query="unheard words"))


def test_a_document_of_another_split_and_a_missing_text_are_named(home):
    with pytest.raises(ColieeError, match=f"document 900099 is not in {TEST}"):
        CaseRetriever(TEST, "name.in_head")(PAIRS.assign(docno="900099"))
    for frame in (CASES, PAIRS):
        with pytest.raises(ColieeError, match="Query q: query must be a string, got a value of type"):
            CaseRetriever(TEST, "name.in_head")(frame.assign(query=frame["query"].where(frame["qid"] != "q")))


# --- planted evidence --------------------------------------------------------------------------------

CITING = {
    "900001": f"Heard: May 1, 2015.\n[1]\nThe brass lamp must burn, {MARKER}.\n[2]\n{'Nothing else was argued. ' * 20}"
    f"\n[3]\nThe oak gate, {MARKER}, stays open.",
    "900002": "Heard: May 1, 2010.\n[1]\nA gate.\n[2]\nThe brass lamp must burn.",
    "900003": "Heard: May 1, 2010.\n[1]\nA brass road.\n[2]\nA lamp.",
    "900004": "Heard: May 1, 2010.\n[1]\nAn oak gate stays open.",
    "900005": "Heard: May 1, 2020.\n[1]\nThe brass lamp must burn. The oak gate stays open.",
    "900006": "Heard: May 1, 2010.\n[1]\nAn oak gate stays open.",
}


def test_each_citation_is_a_query_and_later_years_are_left_out(put):
    """The first context finds 900002 and then 900003, the second 900004 and then, by one word, 900002."""
    put(CITING)
    for name in ("context.reciprocal_rank_25", "context.maximum", "context.whole_texts", "context.by_text_25"):
        results = CaseRetriever(TEST, name)(pd.DataFrame({"qid": ["900001"], "query": [CITING["900001"]]}))
        scores = dict(zip(results["docno"], results["score"]))
        assert {*scores} == {"900002", "900003", "900004", "900006"}
        assert scores["900004"] == scores["900006"]  # files of one text
        assert scores["900002"] > scores["900003"]


def test_latent_semantics_find_words_that_occur_together(put, monkeypatch):
    """The context has no word of the paragraphs with wicks, but "lamp" stands beside both."""
    monkeypatch.setattr("ir_coliee.engine.cases.scores._DIMENSIONS", 2)
    words = {"900002": "wicks lamp", "900003": "brass lamp", "900004": "oak gate"}
    put({name: "\n".join(f"[{number}]\n{text}" for number in range(1, 8)) for name, text in words.items()})
    for name in ("latent.reciprocal_rank", "latent.cosine"):
        scores = {row[1]: row[2] for row in found(CaseRetriever(TEST, name), q=f"brass {MARKER}")}
        assert scores["900002"] > scores.get("900004", 0)


def test_latent_scores_do_not_depend_on_the_order_of_the_queries():
    topics = pt.get_dataset(f"irds:{SAMPLE}").get_topics()
    retriever = CaseRetriever(SAMPLE, "latent.reciprocal_rank")
    new = topics.assign(qid="q" + topics["qid"], query=topics["query"] + " Other lamps.")  # texts that no document has
    both = pd.concat([topics, new], ignore_index=True)
    first, other = (
        retriever(queries).set_index(["qid", "docno"])["score"].sort_index()
        for queries in (both, both.sample(frac=1, random_state=3))
    )
    assert len(first) > 100
    assert first.index.equals(other.index)
    assert (first - other).abs().max() <= 1e-6


QUERIES, NOTICED = range(900001, 900011), range(900011, 900021)


@pytest.fixture(params=["words", "bigrams", "5grams"])
def planted(request, put):
    """Decisions of frequent words; each query shares one thing of a unit with the decision that it notices."""
    random = np.random.default_rng(3)
    letters = "abcd" if request.param == "bigrams" else "abcdefghijklmnopqrst"  # all decisions have all of their pairs
    frequent = [f"word{letter}" for letter in letters]
    pairs = [(f"lamp{letter}", f"gate{letter}") for letter in "abcdefghij"]  # all decisions have all of their words
    apart = [word for pair in pairs for each in pair for word in (each, "worda")]
    texts = {number: [*random.choice(frequent, 150), *apart] for number in [*QUERIES, *NOTICED]}
    for query, noticed, pair in zip(QUERIES, NOTICED, pairs):
        shared = {
            "words": [f"name{pair[0]}"],
            "bigrams": [pair[0], "of", "the", pair[1]],
            "5grams": [*random.permutation(frequent)[:12]],
        }[request.param]
        for decision in (query, noticed):
            start = random.integers(0, 150)
            texts[decision][start:start] = shared
    put({number: " ".join(words) for number, words in texts.items()})
    queries = pd.DataFrame({"qid": [*map(str, QUERIES)], "query": [" ".join(texts[number]) for number in QUERIES]})
    return request.param, queries


def test_each_unit_finds_what_it_tells(planted):
    unit, queries = planted
    best = CaseRetriever(TEST, f"exclusive.{unit}", num_results=1)(queries)
    assert best["docno"].tolist() == [*map(str, NOTICED)]
    assert (best["score"] >= 1).all()


def test_words_do_not_tell_what_frequent_words_are_planted_together(planted):
    unit, queries = planted
    assert CaseRetriever(TEST, "exclusive.words")(queries).empty == (unit != "words")


NAMING, OTHERS = 12, 60
SYLLABLES = ("ka", "ru", "to", "mi", "se", "lo", "ba", "ne")
FINDING = {"names": "name.in_head", "judges": "name.judge", "years": "year.near_citation"}


def invented(chance):
    return "".join(chance.choice(SYLLABLES, 4)).capitalize()


def planted_mentions(evidence):
    """What stands in the head of the noticed case of each query, and near a citation of the query."""
    chance = np.random.default_rng(17)
    names = [*dict.fromkeys(invented(chance) for _ in range(99))][:NAMING]
    return {
        "names": [(f"Before {name} began.", f"in {name}") for name in names],
        "judges": [(f"{name}, J.", f"{name} J. in") for name in names],
        "years": [(f"Heard in {1950 + number}.", f"({1950 + number})") for number in range(NAMING)],
    }[evidence]


@pytest.fixture(params=[*FINDING])
def evidence(request, put, tmp_path):
    chance = np.random.default_rng(99)

    def body():
        return " ".join(chance.choice(["lamp", "gate", "well", "road", "field", "wall"], 40))

    labels = {}
    for number, (head, mention) in enumerate(planted_mentions(request.param)):
        query, noticed = f"{900001 + number}.txt", f"{900501 + number}.txt"
        labels[query] = [noticed]
        citation = f"{body()} {mention} <FRAGMENT_SUPPRESSED> {body()}"
        put({query[:-4]: f"A query.\n[1]\n{body()}\n[2]\n{citation}"})
        put({noticed[:-4]: f"{head}\n[1]\n{body()}\n[2]\n{body()}"})
    for number in range(OTHERS):
        put({900801 + number: f"Another.\n[1]\n{body()}\n[2]\n{body()}"})
    (tmp_path / "task1_test_labels_2025.json").write_text(json.dumps(labels))
    return request.param


def share_found(name):
    """The share of the queries whose best case is noticed."""
    dataset = pt.get_dataset(f"irds:{TEST}")
    best = CaseRetriever(TEST, name)(dataset.get_topics()).query("rank == 0")
    return len(pd.merge(best, dataset.get_qrels(), on=["qid", "docno"])) / NAMING


def test_each_kind_of_evidence_is_found_by_its_own_retriever(evidence):
    shares = {kind: share_found(name) for kind, name in FINDING.items()}
    assert shares[evidence] == 1
    # a judge is named in the head as well; nothing else is told by two kinds
    others = {name: share for name, share in shares.items() if name != evidence}
    assert others == ({"names": 1, "years": 0} if evidence == "judges" else dict.fromkeys(others, 0))
