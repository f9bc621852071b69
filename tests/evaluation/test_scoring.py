"""Scores of a run against counts in plain Python, read from the sample's own files."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ir_coliee
from ir_coliee.datasets.releases import part
from ir_coliee.errors import MalformedRunError
from ir_coliee.evaluation.scoring import score

TASK1 = part("coliee/task1/sample/test")
TASK2 = part("coliee/task2/sample/test")
TASK3 = part("coliee/task3/sample/en/test")
TASK4 = part("coliee/task4/sample/en/test")
PREDICTION = part("coliee/pilot/sample/prediction/test")
RATIONALE = part("coliee/pilot/sample/rationale/test")
SAMPLE = Path(ir_coliee.__file__).parent / "datasets" / "sample"


def sample_json(name):
    return json.loads((SAMPLE / name).read_text(encoding="utf-8"))


def gold_of_cases():
    labels = sample_json("task1_test_labels_sample.json")
    return {query[:6]: {item[:6] for item in items} for query, items in labels.items()}


def gold_of_paragraphs():
    labels = sample_json("task2_test_labels_sample.json")
    return {case: {f"{case}_{item.strip()[:3]}" for item in items.split(",")} for case, items in labels.items()}


def pair_elements():
    xml = (SAMPLE / "COLIEEsamplestatute_data-English" / "test" / "riteval_R99_en.xml").read_text(encoding="utf-8")
    return re.findall(r'<pair id="([^"]+)" label="([YN])">\s*<t1>(.*?)</t1>', xml, re.DOTALL)


def gold_of_questions():
    head = re.compile(r"^Article (\d+(?:-\d+)*)", re.MULTILINE)
    return {query: set(head.findall(quoted)) for query, _label, quoted in pair_elements()}


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


CASES, PARAGRAPHS, QUESTIONS, CLAIMS = (
    gold_of_cases(),
    gold_of_paragraphs(),
    gold_of_questions(),
    gold_of_claims(torts()),
)
LABELS = {query: label for query, label, _quoted in pair_elements()}
DECISIONS = {record["tort_id"]: str(record["court_decision"]) for record in torts()}


def frame(run):
    """A result frame of query id to items, best first."""
    rows = [(query, item, -float(n)) for query, items in run.items() for n, item in enumerate(items)]
    return pd.DataFrame(rows, columns=["qid", "docno", "score"]).astype({"qid": str, "docno": str, "score": float})


def micro(gold, run):
    tp = sum(len(gold[query] & set(run.get(query, ()))) for query in gold)
    returned = sum(len(set(run.get(query, ()))) for query in gold)
    relevant = sum(len(items) for items in gold.values())
    return {
        "F1": 2 * tp / (returned + relevant),
        "P": tp / returned if returned else 0.0,
        "R": tp / relevant,
    }


def macro(gold, run):
    f2 = p = r = 0.0
    for query, relevant in gold.items():
        returned = set(run.get(query, ()))
        hits = len(relevant & returned)
        p += hits / len(returned) if returned else 0.0
        r += hits / len(relevant)
        f2 += 5 * hits / (4 * len(relevant) + len(returned))
    return {"F2": f2 / len(gold), "P": p / len(gold), "R": r / len(gold)}


def runs(gold, others):
    """Any run over the gold's queries, of gold items and others, each item once and in any order."""
    pool = st.sampled_from(sorted(set().union(*gold.values(), others)))
    lists = st.lists(pool, unique=True, max_size=6)
    return st.fixed_dictionaries({}, optional=dict.fromkeys(gold, lists)).filter(lambda run: any(run.values()))


@pytest.mark.parametrize(
    ("gold", "queries", "entries"), [(CASES, 12, 32), (PARAGRAPHS, 8, 12), (QUESTIONS, 20, 27), (CLAIMS, 6, 16)]
)
def test_the_independent_reading_finds_the_samples_gold(gold, queries, entries):
    assert (len(gold), sum(map(len, gold.values()))) == (queries, entries)


@settings(max_examples=50, deadline=None)
@given(runs(CASES, {"900521", "900989", "900001"}))
def test_task_1_is_pooled_over_queries(run):
    assert score(TASK1, frame(run)).figures == pytest.approx(micro(CASES, run), abs=1e-12)


@settings(max_examples=50, deadline=None)
@given(runs(PARAGRAPHS, {"900009_001", "900010_001"}))
def test_task_2_is_pooled_over_queries(run):
    assert score(TASK2, frame(run)).figures == pytest.approx(micro(PARAGRAPHS, run), abs=1e-12)


@settings(max_examples=50, deadline=None)
@given(runs(QUESTIONS, {"1", "2", "12-2"}))
def test_task_3_is_averaged_over_queries(run):
    assert score(TASK3, frame(run)).figures == pytest.approx(macro(QUESTIONS, run), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.fixed_dictionaries({}, optional=dict.fromkeys(LABELS, st.sampled_from("YN"))).filter(bool))
def test_task_4_is_the_share_of_all_questions_answered_right(answers):
    right = sum(answers.get(query) == label for query, label in LABELS.items())
    run = {query: [answer] for query, answer in answers.items()}
    assert score(TASK4, frame(run)).figures == {"accuracy": pytest.approx(right / 20)}


@settings(max_examples=40, deadline=None)
@given(st.fixed_dictionaries(dict.fromkeys(DECISIONS, st.sampled_from(["True", "False"]))))
def test_prediction_is_the_share_of_instances_decided_right(answers):
    right = sum(answers[tort] == decision for tort, decision in DECISIONS.items())
    run = {tort: [answer] for tort, answer in answers.items()}
    assert score(PREDICTION, frame(run)).figures == {"accuracy": pytest.approx(right / 6)}


def rationale(gold, run, empty):
    values = []
    for tort, accepted in gold.items():
        chosen = set(run.get(tort, ()))
        both = len(accepted) + len(chosen)
        values.append(2 * len(accepted & chosen) / both if both else empty)
    return sum(values) / len(values)


@settings(max_examples=50, deadline=None)
@given(
    st.fixed_dictionaries(
        {}, optional={tort: st.lists(st.sampled_from([f"{tort}_p0", f"{tort}_p1", f"{tort}_d0"])) for tort in CLAIMS}
    )
)
def test_rationale_is_the_mean_of_the_instances_f1_under_both_conventions(run):
    run = {tort: list(dict.fromkeys(claims)) for tort, claims in run.items()}
    figures = score(RATIONALE, frame(run)).figures
    assert figures == {
        "F1 (empty = 0)": pytest.approx(rationale(CLAIMS, run, 0)),
        "F1 (empty = 1)": pytest.approx(rationale(CLAIMS, run, 1)),
    }


def test_an_instance_without_accepted_claims_separates_the_conventions():
    figures = score(RATIONALE, frame(CLAIMS)).figures
    assert figures == {"F1 (empty = 0)": pytest.approx(5 / 6), "F1 (empty = 1)": pytest.approx(1.0)}


def test_an_instance_without_any_claim_stays_in_the_mean():
    gold = gold_of_claims(torts("train001.jsonl"))
    assert len(gold) == 12
    assert sum(not accepted for accepted in gold.values()) == 2  # one of them has no claim at all
    figures = score(part("coliee/pilot/sample/rationale/train"), frame(gold)).figures
    assert figures["F1 (empty = 0)"] == pytest.approx(10 / 12)


def test_the_official_figure_stands_first():
    first = {p.task: next(iter(score(p, frame(g)).figures)) for p, g in [(TASK1, CASES), (TASK2, PARAGRAPHS)]}
    assert first == {"task1": "F1", "task2": "F1"}
    ranking = frame(QUESTIONS)
    assert list(score(TASK3, ranking, ranking).figures) == ["F2", "P", "R", "MAP", "R@5", "R@10", "R@30"]


@pytest.mark.parametrize(("dataset", "gold"), [(TASK1, CASES), (TASK2, PARAGRAPHS), (TASK3, QUESTIONS)])
def test_the_gold_itself_scores_1(dataset, gold):
    assert set(score(dataset, frame(gold)).figures.values()) == {1.0}


@pytest.mark.parametrize("dataset", [TASK1, TASK2, TASK3, TASK4, PREDICTION, RATIONALE])
def test_a_run_without_answers_scores_0(dataset):
    figures = score(dataset, frame({})).figures
    # an instance without accepted claims is answered right by no claim, if empty counts as 1
    by_convention = figures.pop("F1 (empty = 1)", 0.0)
    assert set(figures.values()) == {0.0}
    assert by_convention == pytest.approx(1 / 6 if dataset is RATIONALE else 0.0)


def test_a_run_without_a_hit_scores_0():
    assert set(score(TASK1, frame({"900656": ["900521"], "900795": ["900521"]})).figures.values()) == {0.0}


def test_micro_f1_is_not_the_mean_of_per_query_f1():
    run = {"900862": ["900593"], "900989": ["900521", "900532", "900545", "900557"]}
    # 2 hits of 5 returned and 32 relevant; a mean over the 12 queries would be (1 + 2/10)/12 = 0.1
    assert score(TASK1, frame(run)).figures["F1"] == pytest.approx(4 / 37)


def test_an_item_returned_twice_counts_once():
    once, twice = {"900862": ["900593", "900521"]}, {"900862": ["900593", "900521", "900593", "900521"]}
    assert score(TASK1, frame(twice)).figures == score(TASK1, frame(once)).figures
    assert score(TASK1, frame(twice)).figures["P"] == 0.5


def test_an_item_outside_the_collection_counts_as_a_wrong_answer():
    assert score(TASK1, frame({"900862": ["900593", "900001"]})).figures["P"] == 0.5


def test_the_query_case_in_its_own_answer_counts_as_a_wrong_answer():
    assert score(TASK1, frame({"900862": ["900593", "900862"]})).figures["P"] == 0.5


def test_answers_to_unknown_queries_do_not_count_as_returned():
    run = {"900862": ["900593"], "900001": ["900521", "900532"]}
    assert score(TASK1, frame(run)).figures["P"] == 1.0


def test_the_number_of_dropped_answers_is_said():
    notes = score(TASK1, frame({"900862": ["900593"], "900001": ["900521", "900532"]})).notes
    assert any("2" in note for note in notes)


def test_a_run_with_mostly_unknown_queries_is_refused():
    run = {"900862": ["900593"], "900001": ["900521"], "900002": ["900521"]}
    with pytest.raises(MalformedRunError):
        score(TASK1, frame(run))


@pytest.mark.parametrize(
    ("dataset", "unknown", "example"),
    [(TASK1, "t1-1", "'900545'"), (TASK3, "R99-1-A", "'R99-01-A'"), (PREDICTION, "1", "'900101'")],
)
def test_a_run_without_a_known_query_is_refused_with_both_forms_of_id(dataset, unknown, example):
    with pytest.raises(MalformedRunError, match="No query id of the run is known") as caught:
        score(dataset, frame({unknown: ["Y"]}))
    assert example in str(caught.value)
    assert repr(unknown) in str(caught.value)


@pytest.mark.parametrize(
    ("dataset", "query", "labels"), [(TASK4, "R99-01-A", "YN"), (PREDICTION, "900101", ["True", "False"])]
)
def test_a_question_with_two_different_answers_is_refused(dataset, query, labels):
    with pytest.raises(MalformedRunError, match=query):
        score(dataset, frame({query: labels}))


def test_the_same_label_twice_counts_once():
    query, label = next(iter(LABELS.items()))
    assert score(TASK4, frame({query: [label, label]})).figures == {"accuracy": pytest.approx(1 / 20)}


# --- figures on the ranking ------------------------------------------------------------------------


def on_ranking(gold, ranking):
    average = 0.0
    for query, relevant in gold.items():
        hits = 0
        for rank, item in enumerate(ranking.get(query, ()), start=1):
            if item in relevant:
                hits += 1
                average += hits / rank / len(relevant)
    entries = sum(map(len, gold.values()))
    found = {
        k: sum(len(relevant & set(ranking.get(query, ())[:k])) for query, relevant in gold.items()) for k in (5, 10, 30)
    }
    return {"MAP": average / len(gold)} | {f"R@{k}": hits / entries for k, hits in found.items()}


@settings(max_examples=40, deadline=None)
@given(
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            QUESTIONS, st.permutations(sorted(set().union(*QUESTIONS.values()))).map(lambda items: list(items)[:12])
        ),
    ).filter(bool)
)
def test_map_and_recall_at_k_are_computed_on_the_ranking(ranking):
    answers = {query: items[:1] for query, items in ranking.items()}
    expected = macro(QUESTIONS, answers) | on_ranking(QUESTIONS, ranking)
    assert score(TASK3, frame(answers), frame(ranking)).figures == pytest.approx(expected, abs=1e-12)


def test_recall_at_k_is_pooled_over_the_articles_not_averaged_over_the_questions():
    one = next(query for query, items in QUESTIONS.items() if len(items) == 1)
    two = next(query for query, items in QUESTIONS.items() if len(items) == 2)
    ranking = {one: sorted(QUESTIONS[one]), two: sorted(QUESTIONS[two])[:1]}
    assert score(TASK3, frame(ranking), frame(ranking)).figures["R@5"] == pytest.approx(2 / 27)


def test_without_a_ranking_its_figures_are_left_out():
    assert set(score(TASK3, frame(QUESTIONS)).figures) == {"F2", "P", "R"}


def test_a_ranking_changes_nothing_where_no_figure_is_computed_on_it():
    answers = frame({"900862": ["900593"]})
    assert score(TASK1, answers, frame(CASES)) == score(TASK1, answers)


def test_the_callers_frames_are_not_changed():
    answers, ranking = frame(QUESTIONS), frame(QUESTIONS)
    before = answers.copy(deep=True)
    score(TASK3, answers, ranking)
    pd.testing.assert_frame_equal(answers, before)
    pd.testing.assert_frame_equal(ranking, before)


def test_a_complete_part_has_nothing_to_note():
    assert score(TASK1, frame(CASES)).notes == []


# --- ids that are no strings, gold that names nothing -----------------------------------------------


@pytest.mark.parametrize(("dataset", "gold"), [(TASK1, CASES), (TASK2, PARAGRAPHS), (TASK3, QUESTIONS)])
@pytest.mark.parametrize("column", ["qid", "docno"])
def test_numbers_as_ids_are_refused_and_named(dataset, gold, column):
    answers = frame(gold)
    answers[column] = range(len(answers))
    with pytest.raises(MalformedRunError, match=f"the {column} 0 is no string"):
        score(dataset, answers)
    with pytest.raises(MalformedRunError, match=f"the {column} 0 is no string"):
        score(dataset, frame(gold), answers)


def test_a_single_missing_id_among_strings_is_refused():
    answers = frame(CASES).astype({"docno": object})
    answers.loc[5, "docno"] = None
    with pytest.raises(MalformedRunError, match=f"Query '{answers.loc[5, 'qid']}': the docno None is no string"):
        score(TASK1, answers)


@pytest.mark.parametrize("missing", ["qid", "docno", "score"])
def test_a_run_without_a_column_is_refused_by_its_name(missing):
    with pytest.raises(MalformedRunError, match=f"no column '{missing}'"):
        score(TASK1, frame(CASES).drop(columns=missing))


@pytest.fixture
def copy_of_2025(tmp_path, monkeypatch):
    """A made-up test part of five cases whose labels name two that are not there; a maker of it."""

    def make(labels):
        corpus = tmp_path / "task1_test_files_2025"
        corpus.mkdir()
        for case in range(900001, 900006):
            (corpus / f"{case}.txt").write_text(f"[1]\nThe lamp {case} was lent.", encoding="utf-8")
        (tmp_path / "task1_test_labels_2025.json").write_text(json.dumps(labels), encoding="utf-8")
        monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
        return part("coliee/task1/2025/test")

    return make


@pytest.mark.filterwarnings("ignore::ir_coliee.errors.ColieeWarning")  # the reader says so too
def test_gold_that_names_no_document_counts_as_not_found_and_is_said(copy_of_2025):
    made_up = copy_of_2025(
        {"900001.txt": ["900002.txt", "900008.txt"], "900003.txt": ["900009.txt", "900007.txt", "900006.txt"]}
    )
    scored = score(made_up, frame({"900001": ["900002"], "900003": ["900004"]}))
    assert scored.figures == pytest.approx({"F1": 2 / 7, "P": 1 / 2, "R": 1 / 5})
    assert scored.notes == []
    assert scored.gold_notes == [
        "gold that names no item in the copy, counted as not found: 4, "
        "as 900008 (query 900001), 900009 (query 900003), 900007 (query 900003), …"
    ]


def test_a_query_without_gold_is_left_out_and_that_is_said_of_the_gold(copy_of_2025):
    made_up = copy_of_2025({"900001.txt": ["900002.txt"], "900003.txt": []})
    scored = score(made_up, frame({"900001": ["900002"], "900003": ["900004"]}))
    assert scored.figures == {"F1": 1.0, "P": 1.0, "R": 1.0}
    assert scored.gold_notes == ["queries without gold, left out: 1 of 2"]


@pytest.mark.parametrize("dataset", [TASK1, TASK2, TASK3, TASK4, PREDICTION, RATIONALE], ids=lambda dataset: dataset.id)
def test_of_gold_without_a_fault_nothing_is_said(dataset):
    assert score(dataset, frame({})).gold_notes == []
