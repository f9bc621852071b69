"""Past questions: what a question may see, and how articles are scored by it."""

from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest

from ir_coliee.text.statutes import exam_id
from ir_coliee.transformers import LexicalIndex, PastQuestionRetriever

sklearn_text = pytest.importorskip("sklearn.feature_extraction.text")

QUESTIONS = {
    "H98-1-1": "A lamp may be lent to a neighbour of the owner.",
    "H98-1-2": "A gate is a movable, and so is a lamp.",
    "H99-2-1": "The neighbour returns the lamp to the owner.",
    "R98-1-1": "The gate of a neighbour is a movable.",
    "R98-3-1": "Whoever finds a boat tells the owner of the boat.",
}
GOLD = {
    "H98-1-1": ["1", "2"],
    "H98-1-2": ["3"],
    "H99-2-1": ["2"],
    "R98-1-1": ["3", "2"],
    "R98-3-1": ["4"],
}
ASKED = {
    **QUESTIONS,
    "R99-1-1": "The owner lends a lamp and a boat.",
    "H97-1-1": "A gate",
    "keys": "a lamp of the owner",
}


def labelled(monkeypatch, gold=GOLD):
    """These questions as a split of task 3, and as a split for each exam year."""
    questions = [SimpleNamespace(query_id=q, default_text=lambda text=text: text) for q, text in QUESTIONS.items()]
    pairs = [SimpleNamespace(query_id=q, doc_id=docno) for q, docnos in gold.items() for docno in docnos]

    def load(dataset_id):
        name = dataset_id.rpartition("/")[2].upper()
        year = "" if name == "TRAIN" else name
        return SimpleNamespace(
            queries_iter=lambda: (each for each in questions if each.query_id.startswith(year)),
            qrels_iter=lambda: (each for each in pairs if each.query_id.startswith(year)),
            queries_lang=lambda: "en",
            docs_store=lambda: None,
            docs_iter=lambda: (SimpleNamespace(doc_id=docno) for docno in ("1", "2", "3", "4", "5")),
        )

    monkeypatch.setattr("ir_coliee.transformers.features.evidence.ir_datasets.load", load)

    def of_exam_years(split, years):
        return [replace(split, name=year.lower()) for year in years]

    monkeypatch.setattr("ir_coliee.editions.Split.of_exam_years", of_exam_years)


def pairs_of(asked):
    rows = [(qid, text, docno) for qid, text in asked.items() for docno in ("1", "2", "3", "4", "5")]
    return pd.DataFrame(rows, columns=["qid", "query", "docno"])


def may_see(qid, other):
    """Every other year, but of a year that no labelled question has those before it."""
    year, its = exam_id(qid).year, exam_id(other).year
    labelled_years = {exam_id(name).year for name in QUESTIONS}
    return its != year and (year in labelled_years or not year or its < year)


@pytest.mark.parametrize("aggregate", ["max", "squares", "count"])
@pytest.mark.parametrize("analyser", ["words", "characters"])
def test_past_questions_score_as_scikit_learn_and_a_loop_do(monkeypatch, aggregate, analyser):
    labelled(monkeypatch)
    forms = {"words": {"token_pattern": r"\w+"}, "characters": {"analyzer": "char", "ngram_range": (3, 5)}}
    vectorizer = sklearn_text.TfidfVectorizer(sublinear_tf=True, **forms[analyser])
    of_past = vectorizer.fit_transform(QUESTIONS.values())
    cosines = (vectorizer.transform(ASKED.values()) @ of_past.T).toarray()
    pool = {
        "max": lambda seen: max(seen, default=0),
        "squares": lambda seen: sum(x * x for x in seen),
        "count": len,
    }
    expected = [
        pool[aggregate](
            [
                cosines[row, column]
                for column, past in enumerate(QUESTIONS)
                if docno in GOLD[past] and may_see(qid, past)
            ]
        )
        for row, qid in enumerate(ASKED)
        for docno in ("1", "2", "3", "4", "5")
    ]
    past = PastQuestionRetriever("coliee/task3/sample/en/train", analyser=analyser, aggregate=aggregate)
    assert past._scores(pairs_of(ASKED)).tolist() == pytest.approx(expected)
    assert max(expected) > 0


@pytest.mark.parametrize("aggregate", ["max", "squares", "count"])
def test_a_question_does_not_see_the_gold_of_its_own_year(monkeypatch, aggregate):
    labelled(monkeypatch)
    before = PastQuestionRetriever("coliee/task3/sample/en/train", aggregate=aggregate)._scores(pairs_of(QUESTIONS))
    labelled(monkeypatch, {**GOLD, "R98-1-1": ["1"], "R98-3-1": ["1", "2", "3"]})
    after = PastQuestionRetriever("coliee/task3/sample/en/train", aggregate=aggregate)._scores(pairs_of(QUESTIONS))
    own = pairs_of(QUESTIONS)["qid"].str.startswith("R98").to_numpy()
    assert (before[own] == after[own]).all()
    assert (before[~own] != after[~own]).any()


def test_past_questions_find_what_they_score_and_nothing_else(monkeypatch):
    labelled(monkeypatch)
    asked = pd.DataFrame({"qid": ["R99-1-1", "H97-1-1"], "query": ["The owner lends a lamp and a boat.", "A gate"]})
    past = PastQuestionRetriever("coliee/task3/sample/en/train")
    found = past(asked)
    assert set(found["qid"]) == {"R99-1-1"}  # of the other's year and before there is no question
    assert found["score"].is_monotonic_decreasing
    assert past._scores(found).tolist() == pytest.approx(found["score"].tolist())
    assert past(found[["qid", "query", "docno"]])["docno"].tolist() == found["docno"].tolist()
    assert (
        PastQuestionRetriever("coliee/task3/sample/en/train", num_results=1)(asked)["docno"].tolist()
        == found["docno"].tolist()[:1]
    )
    assert past(asked.iloc[:0]).empty
    assert past(found.iloc[:0]).empty


def test_an_article_that_the_collection_lacks_is_not_retrieved(monkeypatch):
    labelled(monkeypatch, {**GOLD, "H98-1-1": ["1", "26-99"]})
    asked = pd.DataFrame({"qid": ["R99-1-1"], "query": ["The owner lends a lamp and a boat."]})
    found = PastQuestionRetriever("coliee/task3/sample/en/train")(asked)
    assert set(found["docno"]) <= {"1", "2", "3", "4", "5"}


def test_past_questions_of_chosen_years_are_seen_by_all_other_years(monkeypatch):
    labelled(monkeypatch)
    asked = pairs_of({"R99-1-1": "The owner", "H98-9-9": "The owner", "H97-1-1": "The owner"})
    past = PastQuestionRetriever("coliee/task3/sample/en/train", aggregate="count", exam_years=["H98", "R98"])
    counts = asked.assign(score=past._scores(asked)).pivot(index="qid", columns="docno", values="score")
    assert counts.loc["R99-1-1"].tolist() == counts.loc["H97-1-1"].tolist() == [1, 2, 2, 1, 0]
    assert counts.loc["H98-9-9"].tolist() == [0, 1, 1, 1, 0]  # those of R98 alone


def test_past_questions_refuse_what_is_no_way_to_take_them():
    with pytest.raises(ValueError, match="newest"):
        PastQuestionRetriever("coliee/task3/sample/en/train", aggregate="newest")


def test_runs_of_characters_weigh_as_those_of_scikit_learn():
    vectorizer = sklearn_text.TfidfVectorizer(sublinear_tf=True, analyzer="char", ngram_range=(3, 5))
    texts = list(QUESTIONS.values())
    expected = (vectorizer.fit_transform(texts)[0] @ vectorizer.transform(texts).T).toarray()[0]
    index = LexicalIndex.build([{"docno": q, "text": t} for q, t in QUESTIONS.items()], analyser="characters")
    found = index.tf_idf().search(texts[0]).set_index("docno")["score"]
    assert found[list(QUESTIONS)].tolist() == pytest.approx(expected.tolist())
