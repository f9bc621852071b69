import functools
import itertools
import json
import math
from fractions import Fraction
from types import SimpleNamespace

import ir_datasets
import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_measures import PLAIN

from ir_coliee import MacroF, MacroF2, MicroF1, MicroP, editions
from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeError, MalformedRunError, MissingLabelsError
from ir_coliee.evaluation.cutoffs import cross_validate_cutoffs, encode_run, standard_grid
from ir_coliee.evaluation.gold import query_ids, scored_gold
from ir_coliee.evaluation.scoring import synthetic_notes
from ir_coliee.evaluation.tuning import submitted_split, tune, tuning_measures
from ir_coliee.transformers import AdaptiveCutoff, ExpectedFCutoff, TopK

TASK1, TASK2, TASK3 = "coliee/task1/sample/train", "coliee/task2/sample/train", "coliee/task3/sample/en/train"
RATIONALE = "coliee/pilot/sample/rationale/train"


def run_of(rows):
    return pd.DataFrame(rows, columns=["qid", "docno", "score"])


def gold_of(dataset_id):
    """Each scored query's relevant items, also where there are none."""
    gold = {query_id: set() for query_id in scored_gold(editions.split(dataset_id))["query_id"]}
    for qrel in ir_datasets.load(dataset_id).qrels_iter():
        if qrel.relevance > 0:
            gold[qrel.query_id].add(qrel.doc_id)
    return gold


def right_first(dataset_id, wrong):
    """A run that has all gold on top, then a wrong item, the same for all queries."""
    rows = []
    for query_id, items in gold_of(dataset_id).items():
        rows += [(query_id, item, 9.0) for item in sorted(items)]
        rows.append((query_id, f"{query_id}_{wrong}" if dataset_id == TASK2 else wrong, 1.0))
    return run_of(rows)


# --- the figures, in plain Python ------------------------------------------------------------------


def plainly_kept(cutoff, scores):
    """How many of the scores, best first, a cut-off keeps: each rule from its definition."""
    if not scores:
        return 0
    best, name, a = scores[0], type(cutoff).__name__, cutoff.arguments()
    min_items, max_items = a.get("min_items") or 0, a.get("max_items") or a.get("k") or len(scores)
    if name == "TopK":
        meeting = len(scores)
    elif name == "GapCutoff":
        places = range(min_items, min(max_items, len(scores) - 1) + 1)
        meeting = max(places, key=lambda n: (scores[n - 1] - scores[n], -n), default=len(scores))
    else:
        share = a.get("ratio")
        bounds = [best * share if best > 0 else best / share] if share else []
        bounds += [a["threshold"]] if a.get("threshold") is not None else []
        margin = a.get("margin", math.inf)
        meeting = sum(all(score >= bound for bound in bounds) and best - score < margin for score in scores)
    return min(max(meeting, min_items), max_items, len(scores))


@functools.cache  # most cut-offs of a grid give the same counts as another
def plain(measure, counts):
    return PLAIN[measure](counts)


def counts_of(cutoff, lists, scores, gold):
    """(tp, returned, relevant) of each query."""
    sizes = sizes_of(cutoff, scores)
    return tuple((len(gold[q].intersection(lists[q][:n])), n, len(gold[q])) for q, n in zip(lists, sizes))


def sizes_of(cutoff, scores):
    if isinstance(cutoff, (AdaptiveCutoff, ExpectedFCutoff)):  # from their definition in the tests of the cut-offs
        matrix = np.full((len(scores), max(map(len, scores))), -np.inf)
        for row, own in zip(matrix, scores):
            row[: len(own)] = own
        return cutoff.sizes(matrix, np.array([len(own) for own in scores])).tolist()
    return [plainly_kept(cutoff, own) for own in scores]


def best_place(values):
    return max(range(len(values)), key=lambda place: (values[place], -place))


def plain_oracle(measure, lists, gold):
    """The best of all combinations of cuts, by the sums that they can reach."""
    at_each_depth = [
        [(len(gold[q].intersection(items[:n])), n, len(gold[q])) for n in range(len(items) + 1)]
        for q, items in lists.items()
    ]
    if measure != MicroF1:
        return sum(max(PLAIN[measure]([counts]) for counts in own) for own in at_each_depth) / len(lists)
    reachable = {(0, 0)}
    for own in at_each_depth:
        reachable = {(tp + more, n + items) for tp, n in reachable for more, items, _ in own}
    return max(Fraction(2 * tp, n + sum(map(len, gold.values()))) for tp, n in reachable)


@st.composite
def rankings(draw, dataset_id):
    """Fictional scores of a few items of each query: some right, some wrong, some queries without an answer."""
    pools = {}
    for pair in ir_datasets.load(dataset_id).scoreddocs_iter():
        pools.setdefault(pair.query_id, []).append(pair.doc_id)
    gold, rows = gold_of(dataset_id), []
    for query_id, items in gold.items():
        pool = sorted(set(sorted(items)[:2] + pools.get(query_id, [])[:2]))
        if not pool:  # an instance without claims
            continue
        scores = st.sampled_from([-1.0, 0.5, 1.0, 2.5, 4.0, 9.0])
        rows += [
            (query_id, item, score) for item, score in draw(st.dictionaries(st.sampled_from(pool), scores)).items()
        ]
    assume(rows)
    return run_of(rows)


@pytest.mark.slow
@pytest.mark.parametrize(("dataset_id", "measure"), [(TASK2, MicroF1), (RATIONALE, MacroF(empty=1))])
@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_the_figures_are_those_of_cutting_and_scoring_in_plain_python(dataset_id, measure, data):
    run = data.draw(rankings(dataset_id))
    gold = gold_of(dataset_id)
    found = tune(dataset_id, run, measure=measure, folds=len(gold))  # so that it does not matter how they are dealt

    answers = {q: [] for q in sorted(gold)}
    for row in sorted(run.itertuples(), key=lambda row: (-row.score, row.docno)):
        answers[row.qid].append((row.docno, row.score))
    lists = {q: [docno for docno, _ in own] for q, own in answers.items()}
    scores = [[score for _, score in own] for own in answers.values()]
    grid = standard_grid(encode_run(run, scored_gold(editions.split(dataset_id))))
    counts = [counts_of(cutoff, lists, scores, gold) for cutoff in grid]

    for kind, tuned in [(None, found.best), *((row.rule, row) for row in found.rules.itertuples())]:
        cells = [n for n, cutoff in enumerate(grid) if kind in (None, type(cutoff).__name__)]
        values = [plain(measure, counts[n]) for n in cells]
        assert tuned.cutoff == grid[cells[best_place(values)]]
        assert tuned.optimistic == pytest.approx(float(max(values)), abs=1e-12)
        held_out = []
        for q in range(len(lists)):
            elsewhere = [plain(measure, counts[n][:q] + counts[n][q + 1 :]) for n in cells]
            held_out.append(counts[cells[best_place(elsewhere)]][q])
        assert tuned.held_out == pytest.approx(float(PLAIN[measure](held_out)), abs=1e-12)
    assert sorted(found.rules["rule"]) == sorted({type(cutoff).__name__ for cutoff in grid})
    assert found.rules["optimistic"].is_monotonic_decreasing

    ideal = PLAIN[measure]([(len(items), len(items), len(items)) for items in gold.values()])
    oracle = plain_oracle(measure, lists, gold)
    assert found.oracle == pytest.approx(float(oracle), abs=1e-12)
    assert found.lost_by_ranking == pytest.approx(float(ideal - oracle), abs=1e-12)
    assert found.lost_by_cutting == pytest.approx(float(oracle) - found.best.optimistic, abs=1e-12)
    for row in found.recall.itertuples():
        assert row.tp == sum(len(gold[q].intersection(items[: row.depth])) for q, items in lists.items())
    returned = sizes_of(found.best.cutoff, scores)
    assert found.items["mean"].tolist() == [sum(map(len, gold.values())) / len(gold), sum(returned) / len(gold)]


def test_a_run_that_has_all_gold_on_top_loses_nothing():
    for dataset_id, wrong in ((TASK2, "001"), (TASK3, "1")):
        found = tune(dataset_id, right_first(dataset_id, wrong))
        assert found.best.optimistic == found.best.held_out == found.oracle == found.perfect == 1
        assert found.lost_by_ranking == found.lost_by_cutting == 0
        assert found.notes == synthetic_notes(SPLITS[dataset_id])


def test_the_gold_itself_is_worth_less_than_1_where_an_instance_without_any_counts_0():
    assert min(map(len, gold_of(RATIONALE).values())) == 0
    with_gold = sum(map(bool, gold_of(RATIONALE).values()))
    run = run_of([(q, item, 1.0) for q, items in gold_of(RATIONALE).items() for item in items])
    found = tune(RATIONALE, run)
    assert found.perfect == found.oracle == pytest.approx(with_gold / len(gold_of(RATIONALE)))
    assert found.lost_by_ranking == 0
    assert tune(RATIONALE, run, measure=MacroF(empty=1)).perfect == 1


def test_the_recall_goes_down_to_the_last_item_of_the_run():
    split = editions.split(TASK3)
    rows = [(q, str(n), -float(n)) for q in query_ids(split) for n in range(1, 8)]
    assert tune(TASK3, run_of(rows)).recall["depth"].tolist() == [1, 2, 3, 5, 7]
    assert tune(TASK3, run_of(rows[:1])).recall["depth"].tolist() == [1]


# --- which measure, which split ---------------------------------------------------------------------


def test_the_official_measure_of_the_part_chooses():
    assert [tune(id, right_first(id, "1")).measure for id in (TASK1, TASK3, RATIONALE)] == [MicroF1, MacroF2, MacroF]
    assert tuning_measures(editions.split(RATIONALE)) == (MacroF, MacroF(empty=1))


@pytest.mark.parametrize(
    "dataset_id", ["coliee/task4/sample/en/train", "coliee/task5/2021/en/test", "coliee/pilot/sample/prediction/train"]
)
@pytest.mark.parametrize("measure", [None, MicroF1])
def test_a_task_of_one_answer_a_question_is_refused_before_anything_is_read(dataset_id, measure):
    with pytest.raises(ColieeError, match="the label with the higher score"):
        tune(dataset_id, "no-such-file", measure=measure)


def test_on_a_test_part_it_is_said_that_the_choice_is_not_honest():
    for dataset_id in ("coliee/task3/sample/en/test", "coliee/task3/sample/en/r99"):
        rows = [(q, d, float(n)) for q, items in gold_of(dataset_id).items() for n, d in enumerate(sorted(items))]
        note, _synthetic_note = tune(dataset_id, run_of(rows)).notes
        assert "must not be used" in note
        assert note.endswith(f"Tune on {TASK3}")


def test_several_exam_years_are_held_out_one_at_a_time(monkeypatch):
    gold = scored_gold(editions.split(TASK3))
    years = dict(zip(gold["query_id"].unique(), itertools.cycle(["R98", "R99", "H99"])))
    monkeypatch.setattr("ir_coliee.evaluation.tuning.exam_id", lambda query_id: SimpleNamespace(year=years[query_id]))
    run = pd.concat([right_first(TASK3, "1"), run_of([(q, "2", 20.0) for q in list(years)[::2]])])
    by_year = cross_validate_cutoffs(run, gold, MacroF2, groups=years).held_out
    assert tune(TASK3, run).best.by_year == by_year


def test_the_part_that_is_submitted_is_the_test_of_the_edition():
    assert submitted_split(SPLITS["coliee/task3/2023/en/r02"]).id == "coliee/task3/2023/en/test"
    assert submitted_split(SPLITS["coliee/pilot/2025/rationale/train"]).id == "coliee/pilot/2025/rationale/test"
    for itself in ("coliee/task1/2018/test", "coliee/task3/2023/en/r04/as-distributed"):
        assert submitted_split(SPLITS[itself]).id == itself


# --- the test's run beside it ----------------------------------------------------------------------

TEST = "coliee/task2/sample/test"


def test_the_run_of_the_test_is_cut_and_counted_beside_and_chooses_nothing():
    test_gold = gold_of(TEST)
    rows = [(q, sorted(items)[0], 9.0) for q, items in test_gold.items()]
    alone, found = tune(TASK2, right_first(TASK2, "001")), tune(TASK2, right_first(TASK2, "001"), test_run=run_of(rows))
    assert found.best == alone.best
    assert alone.test_value is None
    assert found.test_value == pytest.approx(2 * len(rows) / (len(rows) + sum(map(len, test_gold.values()))))
    assert found.items[["split", "items"]].values.tolist() == [
        [split, items] for split in ("train", "test") for items in ("gold", "returned")
    ]
    assert found.items["mean"].tolist()[2:] == [sum(map(len, test_gold.values())) / len(test_gold), 1.0]


def test_a_test_without_labels_is_counted_over_all_its_queries(monkeypatch):
    def labelled(split):
        if split.id == TEST:
            raise MissingLabelsError("no labels")
        return scored_gold(split)

    monkeypatch.setattr("ir_coliee.evaluation.scoring.scored_gold", labelled)
    queries = query_ids(editions.split(TEST))
    test = run_of([(q, f"{q}_001", 9.0) for q in queries[1:]])
    found = tune(TASK2, right_first(TASK2, "001"), test_run=test)
    assert found.test_value is None
    assert found.items[["split", "items"]].values.tolist() == [
        ["train", "gold"],
        ["train", "returned"],
        ["test", "returned"],
    ]
    assert found.items["mean"].iloc[2] == pytest.approx(1 - 1 / len(queries))
    assert found.items["queries"].iloc[2] == len(queries)
    assert f"test run: queries without an answer after the cut-off: 1 of {len(queries)}" in found.notes


REFUSALS = [
    (TASK2, {"test_run": right_first(TASK1, "900001")}, MalformedRunError, "of the run's query ids are known"),
    (TEST, {"test_run": right_first(TEST, "001")}, ColieeError, f"Tune on {TASK2}"),
    (TASK2, {"run": run_of([])}, MalformedRunError, "the run is empty"),
    (TASK2, {"measure": MicroP @ 5}, ValueError, "cannot be used to choose a cut-off"),
    (TASK2, {"measure": ir_measures.AP}, ValueError, "measure must be a set measure"),
    (TASK2, {"folds": 1}, ValueError, "folds must be an integer >= 2, got 1"),
]


@pytest.mark.parametrize(("dataset_id", "arguments", "error", "problem"), REFUSALS)
def test_what_cannot_be_tuned_is_refused(dataset_id, arguments, error, problem):
    with pytest.raises(error, match=problem):
        tune(dataset_id, **{"run": right_first(dataset_id, "001"), **arguments})


def test_what_limits_the_choice_is_noted():
    whole = right_first(TASK2, "001")
    wrong = whole[whole["score"] == 1.0].drop_duplicates("qid").assign(docno=lambda run: run["qid"] + "_002")
    wrong = wrong[[row.docno not in gold_of(TASK2)[row.qid] for row in wrong.itertuples()]]
    for run, note in [
        (whole.iloc[:1], "queries without an answer in the run, counted as unanswered: 7 of 8"),
        (whole.assign(score=1.0), "all scores of a query are equal, so only TopK can separate its items"),
        (wrong, "the run contains no relevant item, so all cut-offs have the same value"),
    ]:
        assert note in tune(TASK2, run).notes
    assert not any("equal" in note for note in tune(TASK2, whole).notes)


# --- runs that are hard to tune on -----------------------------------------------------------------


def test_of_a_part_with_one_query_nothing_is_held_out(monkeypatch):
    one = scored_gold(editions.split(TASK2)).iloc[:1]
    monkeypatch.setattr("ir_coliee.evaluation.scoring.scored_gold", lambda split: one)
    found = tune(TASK2, right_first(TASK2, "001"))
    assert found.best.optimistic == 1
    assert math.isnan(found.best.held_out)
    assert found.rules["held_out"].isna().all()
    assert "there is a single query, so no query can be held out" in found.notes
    assert found.record()["best"]["held_out"] is None


# --- run files and JSON ----------------------------------------------------------------------------


def test_a_run_file_is_tuned_like_its_frame(tmp_path):
    run = right_first(TASK3, "1")
    lines = [f"{row.qid} Q0 {row.docno} {n} {row.score} mine" for n, row in enumerate(run.itertuples(), start=1)]
    (tmp_path / "a.run").write_text("\n".join(lines))
    assert tune(TASK3, tmp_path / "a.run").record() == tune(TASK3, str(tmp_path / "a.run")).record()
    assert tune(TASK3, tmp_path / "a.run").record() == tune(TASK3, run).record()


@pytest.mark.filterwarnings("ignore:the cut-off keeps")  # one item for each query of the test split
def test_of_a_file_without_scores_only_the_order_is_cut(tmp_path):
    run = right_first(TASK1, "900001")
    (tmp_path / "a.run").write_text("".join(f"{row.qid} {row.docno} mine\n" for row in run.itertuples()))
    found = tune(TASK1, tmp_path / "a.run")
    assert isinstance(found.best.cutoff, TopK)
    assert found.rules["rule"].tolist() == ["TopK"]
    assert any("no scores" in note for note in found.notes)
    queries = query_ids(editions.split("coliee/task1/sample/test"))
    (tmp_path / "test.run").write_text("".join(f"{query_id} 900001 mine\n" for query_id in queries))
    test = run_of([(query_id, "900001", 1.0) for query_id in queries])
    assert tune(TASK1, run, test_run=test).rules["rule"].size > 1
    assert tune(TASK1, tmp_path / "a.run", test_run=test).rules["rule"].tolist() == ["TopK"]
    both = tune(TASK1, run, test_run=tmp_path / "test.run")
    assert both.rules["rule"].tolist() == ["TopK"]
    assert any(note.startswith("test run: the file has no scores") for note in both.notes)


def test_the_record_is_json_and_its_cut_offs_are_python():
    record = json.loads(json.dumps(tune(TASK3, right_first(TASK3, "1")).record(), allow_nan=False))
    assert record["id"] == TASK3
    assert record["measure"] == "MacroF2"
    assert record["best"]["by_year"] is None
    names = {name: getattr(__import__("ir_coliee.transformers", fromlist=[name]), name) for name in _names(record)}
    for rule in [record["best"], *record["rules"]]:
        assert repr(eval(rule["cutoff"], names)) == rule["cutoff"]


def _names(record):
    return [rule["rule"] for rule in record["rules"]]
