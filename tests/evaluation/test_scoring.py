"""Scores of a run against counts in plain Python, read from the sample's own files."""

import json
import re

import ir_datasets
import pytest
from fixture_releases import copy_of_release, write_task1
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain_measures import PLAIN
from samples import PREDICTION, RATIONALE, SAMPLE, TASK1, TASK2, TASK3, TASK4, frame

from ir_coliee import MacroF, MacroF2, MacroP, MacroR, MicroF1, MicroP, MicroR
from ir_coliee.errors import MalformedFileError
from ir_coliee.evaluation.comparison import compare
from ir_coliee.evaluation.scoring import score

SAMPLE_NOTE = (
    "this data is synthetic: scores on it say nothing about COLIEE and are not comparable with its leaderboards"
)
SYNTHETIC_NOTE = SAMPLE_NOTE.replace(":", ", and its relevant items are planted and easy to find:")


def sample_json(name):
    return json.loads((SAMPLE / name).read_text(encoding="utf-8"))


CASES = {q[:6]: {item[:6] for item in items} for q, items in sample_json("task1_test_labels_sample.json").items()}
PARAGRAPHS = {
    case: {f"{case}_{item.strip()[:3]}" for item in items.split(",")}
    for case, items in sample_json("task2_test_labels_sample.json").items()
}
XML = (SAMPLE / "COLIEEsamplestatute_data-English" / "test" / "riteval_R99_en.xml").read_text(encoding="utf-8")
PAIRS = re.findall(r'<pair id="([^"]+)" label="([YN])">\s*<t1>(.*?)</t1>', XML, re.DOTALL)
LABELS = {query: label for query, label, _ in PAIRS}
QUESTIONS = {query: {*re.findall(r"(?m)^Article (\d+(?:-\d+)*)", quoted)} for query, _, quoted in PAIRS}


def torts(name="test001.jsonl"):
    return [json.loads(line) for line in (SAMPLE / "LJPJTsample" / name).read_text(encoding="utf-8").splitlines()]


def gold_of_claims(records):
    return {
        record["tort_id"]: {
            f"{record['tort_id']}_{side[0]}{claim['id']}"
            for side in ("plaintiff", "defendant")
            for claim in record[f"{side}_claims"]
            if claim["is_accepted"]
        }
        for record in records
    }


CLAIMS = gold_of_claims(torts())


def counts(gold, run):
    return [(len(items & {*run.get(q, ())}), len({*run.get(q, ())}), len(items)) for q, items in gold.items()]


def plain(measures, counts):
    return {str(measure): float(PLAIN[measure](counts)) for measure in measures}


def micro(gold, run):
    return plain((MicroF1, MicroP, MicroR), counts(gold, run))


def macro(gold, run):
    tp, returned, _ = map(sum, zip(*counts(gold, run)))
    return plain((MacroF2, MacroP, MacroR), counts(gold, run)) | {"returned": returned, "tp": tp}


def runs(gold, others, most=6):
    """Any run over the gold's queries, of gold items and others, each item once and in any order."""
    pool = st.sampled_from(sorted(set().union(*gold.values(), others)))
    lists = st.lists(pool, unique=True, max_size=most)
    return st.fixed_dictionaries({}, optional=dict.fromkeys(gold, lists)).filter(lambda run: any(run.values()))


@pytest.mark.slow
@settings(max_examples=15)
@given(runs(CASES, {"900521", "900989", "900001"}), runs(PARAGRAPHS, {"900009_001", "900010_001"}))
def test_tasks_1_and_2_are_pooled_over_queries(of_cases, of_paragraphs):
    assert score(TASK1, frame(of_cases)).figures == pytest.approx(micro(CASES, of_cases), abs=1e-12)
    assert score(TASK2, frame(of_paragraphs)).figures == pytest.approx(micro(PARAGRAPHS, of_paragraphs), abs=1e-12)


@pytest.mark.slow
@settings(max_examples=15)
@given(st.fixed_dictionaries({}, optional=dict.fromkeys(LABELS, st.sampled_from("YN"))).filter(bool))
def test_task_4_is_the_share_of_all_questions_answered_right(answers):
    right = sum(answers.get(query) == label for query, label in LABELS.items())
    run = {query: [answer] for query, answer in answers.items()}
    assert score(TASK4, frame(run)).figures == {"AnswerAccuracy": pytest.approx(right / 20), "correct": right}


@pytest.mark.slow
@settings(max_examples=15)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            tort: st.lists(st.sampled_from([f"{tort}_p0", f"{tort}_p1", f"{tort}_d0"]), unique=True) for tort in CLAIMS
        },
    )
)
def test_rationale_is_the_mean_of_the_instances_f1_under_both_conventions(run):
    conventions = MacroF, MacroF(empty=1)
    expected = plain((*conventions, MicroF1), counts(CLAIMS, run))
    for party in ("plaintiff", "defendant"):
        of_party = [
            {tort: {claim for claim in claims if f"_{party[0]}" in claim} for tort, claims in of.items()}
            for of in (CLAIMS, run)
        ]
        expected |= {f"{party} {name}": value for name, value in plain(conventions, counts(*of_party)).items()}
    assert score(RATIONALE, frame(run)).figures == pytest.approx(expected)


def test_an_instance_without_any_claim_stays_in_the_mean():
    gold = gold_of_claims(torts("train001.jsonl"))
    assert len(gold) == 12
    assert sum(not accepted for accepted in gold.values()) == 2  # one of them has no claim at all
    figures = score("coliee/pilot/sample/rationale/train", frame(gold)).figures
    assert figures["MacroF"] == pytest.approx(10 / 12)


@pytest.mark.parametrize("dataset", [TASK1, TASK3, TASK4, PREDICTION])
def test_a_run_without_answers_scores_0(dataset):
    assert set(score(dataset, frame({})).figures.values()) == {0.0}


# --- figures on the ranking ------------------------------------------------------------------------


def on_ranking(gold, ranking):
    figures = {"AP": 0.0}
    for query, relevant in gold.items():
        ranks = [rank for rank, item in enumerate(ranking.get(query, ()), start=1) if item in relevant]
        precisions = [found / rank for found, rank in enumerate(ranks, start=1)]
        figures["AP"] += sum(precisions) / len(relevant) / len(gold)
    for k in (5, 10, 30):
        cut = counts(gold, {query: items[:k] for query, items in ranking.items()})
        figures[f"MicroR@{k}"] = float(PLAIN[MicroR](cut))
    return figures


@pytest.mark.slow
@settings(max_examples=15)
@given(runs(QUESTIONS, {"1", "2", "12-2"}), runs(QUESTIONS, {"1", "2", "12-2"}, most=12))
def test_task_3_is_averaged_and_map_and_recall_at_k_are_computed_on_the_ranking(answers, ranking):
    assert score(TASK3, frame(answers)).figures == pytest.approx(macro(QUESTIONS, answers), abs=1e-12)
    expected = macro(QUESTIONS, answers) | on_ranking(QUESTIONS, ranking)
    assert score(TASK3, frame(answers), long_list=frame(ranking)).figures == pytest.approx(expected, abs=1e-12)


# --- ids that are no strings, gold that names nothing -----------------------------------------------


@pytest.fixture
def copy_of_2025(home):
    """A synthetic test split of five cases whose labels name two that are not there; a maker of it."""

    def make(labels):
        write_task1(home, {case: f"[1]\nThe lamp {case} was lent." for case in range(900001, 900006)}, labels)
        return "coliee/task1/2025/test"

    return make


@pytest.mark.filterwarnings("ignore::ir_coliee.errors.ColieeWarning")  # the reader says so too
def test_gold_that_names_no_document_counts_as_not_found_and_is_said(copy_of_2025):
    unknown = ["900009.txt", "900007.txt", "900006.txt"]
    synthetic = copy_of_2025({"900001.txt": ["900002.txt", "900008.txt"], "900003.txt": unknown})
    scored = score(synthetic, frame({"900001": ["900002"], "900003": ["900004"]}))
    assert scored.figures == pytest.approx({"MicroF1": 2 / 7, "MicroP": 1 / 2, "MicroR": 1 / 5})
    assert scored.notes == []
    assert scored.gold_notes == [
        "gold items that the release does not contain, counted as not found: 4 "
        "(900008 (query 900001), 900009 (query 900003), 900007 (query 900003), …)",
        "every noticed case belongs to exactly one query (5 of 5), and none is a query: comparing queries helps",
        SYNTHETIC_NOTE,
        "queries that are labelled in the train split too were not looked for: coliee/task1/2025/train: the folder of "
        "documents of COLIEE 2025 was not found.",
    ]


def test_a_query_without_gold_is_left_out_and_that_is_said_of_the_gold(copy_of_2025):
    synthetic = copy_of_2025({"900001.txt": ["900002.txt"], "900003.txt": []})
    scored = score(synthetic, frame({"900001": ["900002"], "900003": ["900004"]}))
    assert scored.figures == {"MicroF1": 1.0, "MicroP": 1.0, "MicroR": 1.0}
    assert scored.gold_notes[0] == "queries without gold, not scored: 1 of 2"


GOLD_NOTES = [
    (TASK4, "accuracy of one answer to all questions: Y 10 of 20 (0.5000), N 10 of 20 (0.5000)"),
    (PREDICTION, "accuracy of one answer to all questions: False 4 of 6 (0.6667), True 2 of 6 (0.3333)"),
    (RATIONALE, "instances without an accepted claim: 1 of 6; "),
]


@pytest.mark.parametrize(("dataset", "expected"), GOLD_NOTES)
def test_what_constant_answers_reach_and_how_many_instances_have_no_claim_is_said(dataset, expected):
    note, synthetic = score(dataset, frame({})).gold_notes
    assert note.startswith(expected)
    assert synthetic == SAMPLE_NOTE


# --- what stands beside the figures ----------------------------------------------------------------


def test_each_query_has_its_counts_and_its_own_value_of_the_official_measure():
    run = {"900862": ["900593", "900521"]}
    table = score(TASK1, frame(run)).per_query
    assert table.columns.tolist() == ["query_id", "tp", "returned", "relevant", "MicroF1"]
    expected = [(query, *counts({query: gold}, run)[0]) for query, gold in CASES.items()]
    values = [pytest.approx(float(PLAIN[MicroF1]([row[1:]]))) for row in sorted(expected)]
    assert [*table.iloc[:, :4].itertuples(index=False, name=None)] == sorted(expected)
    assert table["MicroF1"].tolist() == values


def test_a_long_list_is_cut_at_a_hundred_and_that_is_said():
    question, articles = next(iter(QUESTIONS.items()))
    others = [number for number in map(str, range(1, 106)) if number not in articles][:100]
    scored = score(TASK3, frame({question: sorted(articles)}), long_list=frame({question: [*others, *articles]}))
    assert scored.figures["MicroR@30"] == scored.figures["AP"] == 0.0
    assert f"long list: items beyond the first 100 of a query, ignored: {len(articles)}" in scored.notes


def test_a_run_of_an_edition_with_a_leaderboard_has_a_place(copy_of_2025, monkeypatch):
    synthetic = copy_of_2025({"900001.txt": ["900002.txt", "900004.txt"], "900003.txt": ["900005.txt"]})
    monkeypatch.setattr("ir_coliee.releases.release.LocalRelease.is_synthetic", False)
    scored = score(synthetic, frame({"900001": ["900002", "900005"], "900003": ["900004", "900002"]}))
    board = scored.place.leaderboard
    assert (str(scored.place.value), board.edition, board.task) == ("0.2857", "2025", "task1")
    assert (
        "scored over 2 queries and 3 gold items, but the leaderboard over 400 queries and 1759 gold items: "
        "the figures are not comparable"
    ) in scored.gold_notes


def test_a_file_of_the_pilot_must_have_each_instance_once(tmp_path):
    lines = (SAMPLE / "LJPJTsample" / "test001.jsonl").read_text(encoding="utf-8").splitlines()
    whole = tmp_path / "whole.jsonl"
    for content, named in ((lines[:-1], "900106"), ([*lines, lines[0]], "900101")):
        whole.write_text("\n".join(content), encoding="utf-8")
        with pytest.raises(MalformedFileError, match=named):
            score(PREDICTION, whole)
    whole.write_text("\n".join(lines), encoding="utf-8")
    assert score(RATIONALE, whole).figures["MacroF(empty=1)"] == 1.0


# --- task 3 of 2026: the answer right and all articles found ---------------------------------------

GATED = "coliee/task3/2026/ja/train"


@pytest.fixture(scope="module")
def questions_of_2026(tmp_path_factory):
    """A copy of a static release: the gold articles of its questions, and their labels."""
    with pytest.MonkeyPatch.context() as patched:
        home = copy_of_release("task3/2026/ja", tmp_path_factory.mktemp("copy"), irregular=False)
        patched.setenv("COLIEE_HOME", str(home))
        articles = {}
        for pair in ir_datasets.load(GATED).qrels_iter():
            articles.setdefault(pair.query_id, set()).add(pair.doc_id)
        labels = {pair.query_id: pair.doc_id for pair in ir_datasets.load("coliee/task4/2026/ja/train").qrels_iter()}
        yield articles, labels


@pytest.mark.slow
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_question_of_2026_counts_where_its_answer_is_right_and_all_articles_are_found(questions_of_2026, data):
    articles, labels = questions_of_2026
    pool = sorted(set().union(*articles.values()))
    run = {q: data.draw(st.sampled_from([sorted(gold), [*gold, pool[0]], pool[:1]])) for q, gold in articles.items()}
    answers = {question: data.draw(st.sampled_from("YN")) for question in labels}
    right = {question for question in articles if answers[question] == labels[question]}
    found = {question for question, gold in articles.items() if gold <= set(run[question])}
    scored = score(GATED, frame(run), answers=frame({question: [label] for question, label in answers.items()}))
    assert scored.figures == pytest.approx(
        {
            "GatedAccuracy": len(right & found) / len(articles),
            "MacroF2": macro(articles, run)["MacroF2"],
            "answers right": len(right) / len(articles),
            "all articles found": len(found) / len(articles),
            "articles a question": sum(len(set(items)) for items in run.values()) / len(articles),
        }
    )
    assert next(iter(scored.figures)) == "GatedAccuracy"
    assert scored.interval.low <= scored.figures["GatedAccuracy"] <= scored.interval.high
    assert dict(zip(scored.per_query["query_id"], scored.per_query["answer_right"])) == {
        question: question in right for question in articles
    }
    assert scored.per_query.loc[scored.per_query["passed"], "query_id"].tolist() == sorted(right & found)


def test_of_2026_without_the_answers_the_official_figure_is_left_out_and_that_is_said(questions_of_2026):
    scored = score(GATED, frame(questions_of_2026[0]))
    assert list(scored.figures) == ["MacroF2", "all articles found", "articles a question"]
    assert scored.interval is None
    assert any(note.startswith("not computed: GatedAccuracy, answers right") for note in scored.notes)


def test_runs_of_2026_are_compared_by_the_official_accuracy_where_the_answers_are_given(questions_of_2026):
    articles, labels = questions_of_2026
    right = frame({question: [label] for question, label in labels.items()})
    wrong = frame({question: ["N" if label == "Y" else "Y"] for question, label in labels.items()})
    runs = {"all": frame(articles), "none": frame(articles)}
    (row,) = compare(GATED, runs, answers={"all": right, "none": wrong}).to_dict("records")
    assert compare(GATED, list(runs.values()), answers=[right, right])["value_b"].tolist() == [1.0]
    assert (row["value_a"], row["value_b"], row["differing"]) == (1.0, 0.0, len(articles))
    (by_f2,) = compare(GATED, runs).to_dict("records")
    assert (by_f2["value_a"], by_f2["value_b"], by_f2["differing"]) == (1.0, 1.0, 0)
    with pytest.raises(ValueError, match="MacroF2 does not use the answers"):
        compare(GATED, runs, measure=MacroF2, answers={"all": right, "none": wrong})
