"""What stands beside the figures: warnings, the figure without known queries, tables and records."""

from dataclasses import replace

import ir_datasets
import pandas as pd
import pytest
from fixture_releases import write_task1
from samples import RATIONALE, TASK1, TASK3, TASK4

from ir_coliee.evaluation.leaderboards import place
from ir_coliee.evaluation.scoring import Scores, as_frame, as_record, as_table, score
from ir_coliee.evaluation.statistics import Interval


def gold(dataset):
    found = {}
    for qrel in ir_datasets.load(dataset.id).qrels_iter():
        found.setdefault(qrel.query_id, {})[qrel.doc_id] = 1.0
    return found


def documents(dataset, number=None):
    """A ranking of one query: the first documents."""
    return dict.fromkeys([document.doc_id for document in ir_datasets.load(dataset.id).docs_iter()][:number], 1.0)


@pytest.mark.parametrize("dataset", [TASK1, TASK3, TASK4])
def test_a_complete_answer_set_has_no_warning(dataset):
    assert score(dataset, gold(dataset)).warnings == []
    assert score(RATIONALE, {}).warnings == []  # a court may accept no claim


@pytest.mark.parametrize(
    ("dataset", "total", "first"), [(TASK1, 12, "900656"), (TASK3, 20, "R99-01-A"), (TASK4, 20, "R99-01-A")]
)
def test_unanswered_queries_are_counted(dataset, total, first):
    run = gold(dataset)
    kept = sorted(run)[-2:]
    (warning,) = score(dataset, {query: run[query] for query in kept}).warnings
    assert warning.startswith(f"{total - 2} of {total} queries have no answer, which counts as wrong: {first}, ")
    (nothing,) = score(dataset, {}).warnings
    assert nothing.startswith(f"{total} of {total} queries have no answer")


def test_answers_that_count_as_wrong_are_counted():
    run = pd.DataFrame([("900545", "900545"), ("900862", "case-7")], columns=["qid", "docno"])
    for answers in (run, run.astype("category")):  # ids may be categories
        scored = score(TASK1, answers.assign(score=1.0))
        assert scored.warnings[1].startswith("1 answers are the query itself, which is always wrong")
        (note,) = [note for note in scored.notes if "counted as wrong" in note]
        assert note.startswith(
            "answers that are not candidates of their query, counted as wrong: 1 (first: 'case-7' is"
        )


def test_a_ranking_that_was_not_cut_is_told_by_its_size():
    rankings = {
        101: {"900521": 2.0} | {f"90{n:04}": 1.0 for n in range(100)},
        20: documents(TASK1, 20),
        10: documents(TASK1, 10),
    }
    for size, ranking in rankings.items():
        found = [w for w in score(TASK1, dict.fromkeys(gold(TASK1), ranking)).warnings if "items per query" in w]
        expected = f"{size} items per query look like a ranking: every item counts as an answer"
        assert [warning[: len(expected)] for warning in found] == [expected] * (size > 10)


def test_the_long_list_is_checked_as_well():
    run = gold(TASK3)
    first = dict(list(run.items())[:1])
    (warning,) = score(TASK3, run, long_list=first).warnings
    assert warning.startswith("long list: 19 of 20 queries have no answer")


def test_gated_accuracy_warns_of_a_ranking_and_of_missing_answers():
    gated = replace(TASK3, measure="GatedAccuracy")  # the sample, scored as in 2026
    ranking = dict.fromkeys(gold(TASK3), documents(TASK3))
    answers = dict(list(gold(TASK4).items())[:5])
    found = score(gated, ranking, answers=answers)
    size, missing = found.warnings
    assert size.startswith("105 items per query look like a ranking: accuracy does not penalise")
    assert missing.startswith("answers: 15 of 20 queries have no answer")
    assert found.figures["GatedAccuracy"] == 0.25


def test_questions_that_the_organisers_excluded_are_told_from_unknown_queries():
    run = {**gold(TASK3), "R99-99-A": {"1": 1.0}, "R99-98-A": {"1": 1.0}}
    scored = score(replace(TASK3, excluded=("R99-99-A",)), run)
    assert [note.partition(" (")[0] for note in scored.notes if "ignored" in note] == [
        "answers to questions that the organisers excluded, ignored: 1",
        "answers to unknown queries, ignored: 1",
    ]
    assert scored.warnings == []


# --- tables and records --------------------------------------------------------------------------------


def scores(figures, interval=None, placed=None):
    table = pd.DataFrame({"query_id": ["900001"], "tp": 1, "returned": 3, "relevant": 2, "MicroF1": 1 / 3})
    return Scores(figures, interval, placed, table, ["a note"], ["a note on the gold"])


MINE = scores({"MicroF1": 2 / 7, "MicroP": 1.0}, Interval(0.1, 0.5, 0.95), place("task1", 2023, 0.29))
BARE = scores({"MicroF1": 0.25, "MicroP": 0.5})


def test_frames_records_and_tables_have_figures_intervals_and_places():
    (row,) = as_frame({"mine": MINE}).to_dict("records")
    figures = {"MicroF1": 2 / 7, "MicroP": 1.0}
    assert row == {"run": "mine", **figures, "low": 0.1, "high": 0.5, "rank": 3, "worst": 3, "of": 22}
    content = as_record({"mine": MINE, "bare": BARE})
    assert content["mine"]["figures"] == figures
    assert content["mine"]["interval"] == {"low": 0.1, "high": 0.5, "level": 0.95}
    assert (content["mine"]["place"]["rank"], content["mine"]["place"]["of"]) == (3, 22)
    assert "3rd of 22" in content["mine"]["place"]["sentence"]
    nothing = {"interval": None, "place": None, "warnings": []}
    notes = {"notes": ["a note"], "gold_notes": ["a note on the gold"]}
    assert content["bare"] == {"figures": {"MicroF1": 0.25, "MicroP": 0.5}, **nothing, **notes}
    header, rows, *_ = as_table({"mine": MINE, "bare": BARE, "long": scores({"MicroF1": 0.5, "AP": 0.75})})
    assert header == ["run", "F1", "95 % interval", "P", "MAP"]
    assert rows == [
        ["mine", 2 / 7, "0.1000 to 0.5000", 1.0, None],
        ["bare", 0.25, "", 0.5, None],
        ["long", 0.5, "", None, 0.75],
    ]


# --- the figure without the queries that are labelled in the train split too -------------------------

TEST = "coliee/task1/2025/test"
RUN = {"900011": {"900014": 1.0}, "900012": {"900011": 1.0}, "900013": {"900014": 1.0, "900012": 0.5}}


@pytest.fixture
def known(home):
    """A test split whose query 900011 has the text of a labelled train query."""
    write_task1(
        home, {"900001": "A lamp.", "900002": "A gate.", "900003": "A door."}, {"900001.txt": ["900003.txt"]}, "train"
    )
    texts = {"900011": "A lamp.", "900012": "A gate.", "900013": "A bell.", "900014": "A key."}
    write_task1(home, texts, {f"{query}.txt": ["900014.txt"] for query in RUN})
    return home


@pytest.mark.usefixtures("known")
def test_the_figure_of_the_other_queries_stands_beside_the_official_one():
    found = score(TEST, RUN)
    assert found.figures["MicroF1"] == pytest.approx(4 / 7)  # 2 right of 4 returned and 3 relevant
    assert found.figures["MicroF1 unseen"] == pytest.approx(2 / 5)
    assert found.gold_notes[-1].endswith("left out of the unseen figure: 1")
    assert as_frame({"mine": found})["MicroF1 unseen"].tolist() == [pytest.approx(0.4)]
    assert as_record({"mine": found})["mine"]["figures"]["MicroF1 unseen"] == pytest.approx(0.4)
    header, (row,), *_ = as_table({"mine": found})
    assert header[3] == "F1 unseen"
    assert row[3] == pytest.approx(0.4)
    assert not [note for note in found.gold_notes if "not looked for" in note]


@pytest.mark.parametrize("missing", ["task1_train_labels_2025.json", "task1_train_files_2025/900001.txt"])
def test_it_is_left_out_if_the_train_split_is_not_at_hand(known, missing):
    (known / missing).unlink()
    (known / "task1_train_files_2025" / "900001.txt").unlink(missing_ok=True)
    found = score(TEST, RUN)
    (note,) = (note for note in found.gold_notes if "not looked for" in note)
    assert note.startswith("queries that are labelled in the train split too were not looked for: ")
    assert "train" in note.partition(": ")[2]
    assert "F1 unseen" not in as_table({"mine": found}).header


@pytest.mark.usefixtures("known")
def test_password_protected_texts_are_not_decrypted_for_it(monkeypatch):
    monkeypatch.setattr("ir_coliee.releases.release.has_password", lambda file: True)
    found = score(TEST, RUN)
    assert "MicroF1 unseen" not in found.figures
    assert found.gold_notes[-1].endswith("were not looked for: the texts are in a password-protected archive")


@pytest.mark.usefixtures("known")
def test_it_is_left_out_for_train_splits_and_where_no_query_is_known():
    assert score("coliee/task1/2025/train", {"900001": {"900003": 1.0}}).figures.get("MicroF1 unseen") is None
    assert score("coliee/task1/sample/test", {"900862": {"900593": 1.0}}).figures.get("MicroF1 unseen") is None
