import re
from dataclasses import dataclass, field

import ir_datasets
import ir_measures
import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee import AnswerAccuracy, GatedAccuracy
from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.models import Reply
from ir_coliee.models.templates import template
from ir_coliee.transformers import (
    AnswersAsDocuments,
    CandidateEntailment,
    Entailment,
    FewShotExamples,
    LexicalIndex,
    QuotedArticles,
)


@dataclass
class Model:
    """Says what it is told to say to the last words of a conversation."""

    says: object
    identity: str = "told"
    asked: list = field(default_factory=list, compare=False)

    def ask(self, questions, on_reply):
        for question in questions:
            self.asked.append(question)
            said = self.says(question) if callable(self.says) else self.says
            on_reply(question, said if isinstance(said, Reply) else Reply(said))


def last(question):
    return question.conversation[-1].content


TEST = "coliee/task4/sample/en/test"
QUERIES = pd.DataFrame({"qid": ["R99-1-1", "R99-1-2"], "query": ["a lamp", "a gate"]}, index=[4, 4])


def test_a_query_is_answered_by_what_the_model_says_and_by_its_probabilities_before_words():
    model = Model(lambda question: "Yes" if "lamp" in last(question) else Reply("Yes", 0.25))
    answered = Entailment(model)(QUERIES)
    assert answered.to_dict("list") == QUERIES.to_dict("list") | {"qanswer": ["Y", "N"], "yes": [1.0, 0.25]}
    assert answered.index.tolist() == [0, 1]


def test_the_articles_of_a_query_stand_in_one_question_in_order_each_once():
    frame = pd.DataFrame(
        {
            "qid": ["1", "2", "1", "1"],
            "query": ["q1", "q2", "q1", "q1"],
            "docno": ["5", "5", "3", "5"],
            "text": ["five", "five", "three", "five"],
        }
    )
    model = Model("Yes")
    answered = Entailment(model)(frame)
    assert answered["docno"].tolist() == frame["docno"].tolist()
    assert answered["qanswer"].tolist() == ["Y"] * 4
    (first, second) = map(last, model.asked)
    assert "five\n\nthree\n\nStatement: q1" in first
    assert "three" not in second


def test_neither_yes_nor_no_is_asked_once_more_then_the_default_and_counted():
    model = Model("I cannot say.")
    with pytest.warns(
        ColieeWarning, match=r"2 questions .* neither yes nor no twice \(the default is Y\): R99-1-1, R99-1-2"
    ):
        answered = Entailment(model, default="Y")(QUERIES)
    assert answered["qanswer"].tolist() == ["Y", "Y"]
    assert len(model.asked) == 4


def test_samples_vote_and_a_draw_is_the_default():
    model = Model(lambda question: "Yes" if question.sample < 2 else "No")
    assert Entailment(model, samples=3)(QUERIES)["yes"].tolist() == pytest.approx([2 / 3] * 2)
    assert Entailment(model, samples=4, default="N")(QUERIES)["qanswer"].tolist() == ["N", "N"]
    assert Entailment(model, samples=4, default="Y")(QUERIES)["qanswer"].tolist() == ["Y", "Y"]


@dataclass
class Narrow(Model):
    """A model that takes conversations of so many characters."""

    window: int = 10**9

    def fits(self, conversation):
        return sum(len(turn.content) for turn in conversation) <= self.window


def around(template_name, query):
    """The characters of a question about one character of text, but for that character."""
    return sum(len(turn.content) for turn in template(template_name).conversation(query, "x")) - 1


@pytest.mark.parametrize(
    ("window", "of_model", "expected"),
    [
        (10, 10**9, ["one one", "two two", "three th", "ree three"]),
        (None, around("plain.en", "a lamp") + 16, ["one one\ntwo two", "three three"]),
    ],
)
def test_a_text_beyond_a_window_is_halved_between_lines_until_it_fits_and_voted_on(window, of_model, expected):
    text = "one one\ntwo two\nthree " + ("three three" if window else "three")
    model = Narrow(lambda question: "Yes" if "two" in last(question) else "No", window=of_model)
    split = r"1 question was split into chunks, whose probabilities are averaged: R99-1-1\."
    with pytest.warns(ColieeWarning, match=split):
        answered = Entailment(model, window=window)(QUERIES[:1].assign(text=text))
    parts = [last(question).split("\n\n")[0].removeprefix("Articles:\n") for question in model.asked]
    assert parts == expected
    assert answered["yes"].tolist() == pytest.approx([1 / len(expected)])
    assert all(map(model.fits, (question.conversation for question in model.asked)))


@pytest.mark.parametrize("text", ["", "a long text of several words " * 50])
def test_a_question_beyond_the_window_of_a_model_is_named(text):
    model = Narrow("Yes", window=50)
    with pytest.raises(ColieeError, match=r"Query R99-1-1 without a text exceeds .*\nThe model is told\. Use"):
        Entailment(model)(QUERIES[:1].assign(text=text))
    assert model.asked == []


JAPANESE = QUERIES.assign(query=["ランプは動産である。", "A gate (門) is a movable."])


@pytest.mark.parametrize(
    ("template_name", "warned"),
    [("plain.en", "Japanese, unlike the prompt plain.en: R99-1-1"), ("plain.ja", "not Japanese, .*ja: R99-1-2")],
)
def test_questions_in_another_language_than_the_prompt_are_counted_once(template_name, warned):
    with pytest.warns(ColieeWarning) as caught:
        Entailment(Model("Yes"), template_name)(JAPANESE)
    (only,) = caught
    assert re.search(rf"1 question was {warned}\.", str(only.message))
    assert only.filename == __file__


def test_a_prompt_without_letters_suits_any_language(tmp_path, recwarn):
    (tmp_path / "mine.txt").write_text("[question]\n{text} {query}\n[question without text]\n{query}", encoding="utf-8")
    Entailment(Model("Yes"), str(tmp_path / "mine.txt"))(JAPANESE)
    assert [*recwarn] == []


def test_questions_without_a_text_beside_others_that_have_one_are_counted():
    model = Model("Yes")
    with pytest.warns(
        ColieeWarning, match=r"1 question was asked without a text, because the text is blank: R99-1-2\."
    ):
        Entailment(model)(QUERIES.assign(text=["a well", "\u3000 "]))
    assert [("Articles" in last(question)) for question in model.asked] == [True, False]


def test_candidates_are_scored_one_by_one_and_ranked():
    pool = pd.DataFrame({"qid": ["900"] * 3, "query": ["q"] * 3, "docno": list("abc"), "text": ["x", "lamp", "y"]})
    model = Model(lambda question: Reply("", 0.75) if "lamp" in last(question) else Reply("No"))
    ranked = CandidateEntailment(model)(pool.assign(rank=[2, 1, 0]))
    assert ranked[["docno", "score", "rank"]].values.tolist() == [["b", 0.75, 0], ["a", 0.0, 1], ["c", 0.0, 2]]


def test_a_whole_pipeline_for_task_4_in_an_experiment():
    gold = {qrel.query_id: qrel.doc_id for qrel in ir_datasets.load(TEST).qrels_iter()}
    dataset = pt.get_dataset(f"irds:{TEST}")
    right = {row.query: gold[row.qid] for row in dataset.get_topics().itertuples()}
    articles = {q.statement: q.t1 for q in ir_datasets.load(f"{TEST}/full").queries_iter()}

    def says(question):
        (statement,) = (query for query in right if f"Statement: {query}\n" in last(question))
        assert articles[statement].strip() in last(question)
        return {"Y": "Yes.", "N": "No."}[right[statement]]

    solved = FewShotExamples("coliee/task4/sample/en/train")
    system = QuotedArticles(TEST) >> Entailment(Model(says), examples=solved) >> AnswersAsDocuments()
    table = pt.Experiment([system], dataset.get_topics(), dataset.get_qrels(), [AnswerAccuracy], plan="tree")
    assert table["AnswerAccuracy"].tolist() == [1.0]


def test_retrieved_articles_and_the_answer_are_what_gated_accuracy_reads():
    corpus = [{"docno": "1", "text": "a lamp"}, {"docno": "2", "text": "a gate"}]
    texts = {document["docno"]: document["text"] for document in corpus}
    add_text = pt.apply.text(lambda row: texts[row["docno"]])
    system = LexicalIndex.build(corpus).bm25() % 1 >> add_text >> Entailment(Model("Yes"))
    run = system(QUERIES.reset_index(drop=True)).rename(columns={"qid": "query_id", "docno": "doc_id"})
    qrels = pd.DataFrame({"query_id": QUERIES["qid"], "doc_id": ["1", "1"], "relevance": 1, "gold_answer": "Y"})
    assert ir_measures.calc_aggregate([GatedAccuracy], qrels, run) == {GatedAccuracy: 0.5}


def answers_of(*answers, qids=("1", "2")):
    return AnswersAsDocuments()(pd.DataFrame({"qid": qids, "qanswer": answers}))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: answers_of("Y", "N", qids=("1", "1")), ColieeError, "Query 1 has two answers"),
        *[
            (lambda answer=answer: answers_of("Y", answer), ColieeError, "Query 2: its answer")
            for answer in ("X", None)
        ],
        (lambda: Entailment(Model("Yes"))(QUERIES.assign(query=[1, 2])), ColieeError, "R99-1-1"),
        (lambda: Entailment(Model("Yes"))(QUERIES.assign(text=[1, "x"])), ColieeError, "R99-1-1"),
        (lambda: Entailment(Model("Yes"), default="yes"), ValueError, "default"),
        (lambda: Entailment(Model("Yes"), samples=0), ValueError, "samples"),
        (lambda: Entailment(Model("Yes"), window=0), ValueError, "window"),
        (lambda: Entailment(Model("Yes"), "nowhere"), ColieeError, "nowhere"),
        (lambda: Entailment(Model(Reply("Yes", 1.5)))(QUERIES), ColieeError, "told returned an invalid reply"),
        (lambda: Entailment(Model(Reply(None)))(QUERIES), ColieeError, r"invalid reply\.\nIts text is of type"),
    ],
)
def test_what_cannot_be_answered_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


# --- solved examples -------------------------------------------------------------------------------

TRAIN = "coliee/task4/sample/en/train"


def test_half_of_the_examples_are_answered_with_yes_and_none_is_of_the_same_exam_year():
    questions = list(ir_datasets.load(f"{TRAIN}/full").queries_iter())
    by_statement = {question.statement: question for question in questions}
    asked = [("R99-1-1", q.statement, q.t1) for q in questions[:5]]
    for (_, statement, _), solved in zip(asked, FewShotExamples(TRAIN, number=4).choose(asked)):
        assert sorted(example.answer for example in solved) == ["N", "N", "Y", "Y"]
        assert statement in {example.query for example in solved}  # nothing is more like it
    same_year = by_statement[questions[0].statement].year
    (none,) = FewShotExamples(TRAIN, number=4).choose([(f"{same_year}-01-Z", "a lamp", "")])
    assert [example for example in none if by_statement[example.query].year == same_year] == []


def test_the_nearest_example_comes_last_and_an_odd_one_is_the_nearest_left():
    question = next(iter(ir_datasets.load(f"{TRAIN}/full").queries_iter()))
    (solved,) = FewShotExamples(TRAIN, number=3).choose([("R99-1-1", question.statement, question.t1)])
    assert (len(solved), solved[-1].query) == (3, question.statement)


def test_a_part_without_labels_has_no_examples(monkeypatch):
    class Unlabelled:
        queries_lang = staticmethod(lambda: "en")
        queries_iter = staticmethod(lambda: iter([]))

    monkeypatch.setattr(ir_datasets, "load", lambda _id: Unlabelled)
    with pytest.raises(ColieeError, match="no labelled question"):
        FewShotExamples("coliee/task4/sample/en/train").choose([("R99-1-1", "a", "")])
