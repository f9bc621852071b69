import functools
import json
import math
from fractions import Fraction

import ir_datasets
import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_measures import PLAIN

from ir_coliee import AnswerAccuracy, MacroF, MacroF2, MicroF1, MicroP, editions
from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeError, MalformedFileError, MalformedRunError, MissingLabelsError
from ir_coliee.evaluation.cutoffs import encode_run, standard_grid
from ir_coliee.evaluation.gold import query_ids, scored_gold
from ir_coliee.evaluation.scoring import Scorer, synthetic_notes
from ir_coliee.evaluation.tuning import submitted_split, tune, tuning_measures
from ir_coliee.synthetic import write_release
from ir_coliee.transformers import AdaptiveCutoff, ExpectedFCutoff, ThresholdCutoff, TopK

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


@pytest.mark.slow
def test_the_same_seed_gives_the_same_tuning_and_the_folds_depend_on_it():
    run = pd.concat([right_first(TASK3, "1"), run_of([(q, "2", 20.0) for q in list(gold_of(TASK3))[::2]])])
    one, again = (tune(TASK3, run, seed=1) for _ in range(2))
    assert one.record() == again.record()
    assert len({tune(TASK3, run, seed=seed, folds=2).best.held_out for seed in range(8)}) > 1


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


def test_the_part_that_is_submitted_is_the_test_of_the_edition():
    assert submitted_split(SPLITS["coliee/task3/2023/en/r02"]).id == "coliee/task3/2023/en/test"
    assert submitted_split(SPLITS["coliee/pilot/2025/rationale/train"]).id == "coliee/pilot/2025/rationale/test"
    for itself in ("coliee/task1/2018/test", "coliee/task3/2023/en/r04/as-distributed"):
        assert submitted_split(SPLITS[itself]).id == itself


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*its name has no year")
def test_several_exam_years_are_held_out_one_at_a_time(tmp_path, monkeypatch):
    write_release("coliee/task3/2026/ja", tmp_path, scale=0.02)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    dataset_id = "coliee/task3/2026/ja/train"
    gold = gold_of(dataset_id)
    years = {q: q.split("-")[0] for q in gold}
    assert len(set(years.values())) > 2
    # two years alone are answered: one has its gold before a wrong article, the other behind it
    gold_first, wrong_first = sorted(set(years.values()), key=lambda year: (list(years.values()).count(year), year))[
        -2:
    ]
    wrong = {q: "1" if "1" not in items else "2" for q, items in gold.items()}
    scores = {gold_first: (20.0, 18.0), wrong_first: (8.5, 9.0)}  # a ratio serves both, but neither alone tells it
    answered = [q for q in gold if years[q] in scores]
    rows = [(q, item, scores[years[q]][0]) for q in answered for item in gold[q]]
    rows += [(q, wrong[q], scores[years[q]][1]) for q in answered]
    found = tune(dataset_id, run_of(rows))
    cutoffs = standard_grid(encode_run(run_of(rows), scored_gold(editions.split(dataset_id))))

    ranked = {q: sorted((row for row in rows if row[0] == q), key=lambda row: (-row[2], row[1])) for q in sorted(gold)}
    lists, scores = (
        {q: [row[1] for row in own] for q, own in ranked.items()},
        [[r[2] for r in own] for own in ranked.values()],
    )
    tables = [dict(zip(lists, counts_of(cutoff, lists, scores, gold))) for cutoff in cutoffs]
    held_out = []
    for year in sorted(set(years.values())):
        values = [plain(MacroF2, tuple(c for q, c in table.items() if years[q] != year)) for table in tables]
        held_out += [c for q, c in tables[best_place(values)].items() if years[q] == year]
    assert found.best.by_year < found.best.held_out
    assert found.best.by_year == pytest.approx(float(PLAIN[MacroF2](held_out)), abs=1e-12)
    assert any("that breaks ties" in note for note in found.notes)  # 2026 is ranked by another measure
    assert math.isnan(tune(TASK3, right_first(TASK3, "1")).best.by_year)


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

    monkeypatch.setattr("ir_coliee.evaluation.gold.scored_gold", labelled)
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


def test_the_run_of_another_part_is_no_run_of_the_test():
    with pytest.raises(MalformedRunError, match=f"None of the run's query ids are known.\nIds of {TASK1[:-5]}test"):
        tune(TASK1, right_first(TASK1, "900001"), test_run=right_first(TASK1, "900001"))


def test_nothing_can_be_put_beside_the_test_itself():
    with pytest.raises(ColieeError, match=f"Tune on {TASK2}"):
        tune(TEST, right_first(TEST, "001"), test_run=right_first(TEST, "001"))


# --- runs that are hard to tune on -----------------------------------------------------------------


def test_a_run_of_one_query_is_tuned_on_all_queries():
    found = tune(TASK2, right_first(TASK2, "001").iloc[:1])
    assert found.best.optimistic == pytest.approx(2 / (1 + 12))
    assert "queries without an answer in the run, counted as unanswered: 7 of 8" in found.notes


def test_of_a_part_with_one_query_nothing_is_held_out(monkeypatch):
    one = scored_gold(editions.split(TASK2)).iloc[:1]
    monkeypatch.setattr("ir_coliee.evaluation.gold.scored_gold", lambda split: one)
    found = tune(TASK2, right_first(TASK2, "001"))
    assert found.best.optimistic == 1
    assert math.isnan(found.best.held_out)
    assert found.rules["held_out"].isna().all()
    assert "there is a single query, so no query can be held out" in found.notes
    assert found.record()["best"]["held_out"] is None


def test_more_folds_than_queries_are_as_many_as_queries():
    assert tune(TASK2, right_first(TASK2, "001")).folds == 5
    assert tune(TASK2, right_first(TASK2, "001"), folds=100).folds == 8


def test_a_run_without_a_hit_says_that_nothing_is_learned():
    found = tune(
        TASK2, run_of([(q, f"{q}_001", 1.0) for q in set(gold_of(TASK2)) if f"{q}_001" not in gold_of(TASK2)[q]])
    )
    assert found.best.optimistic == found.best.held_out == found.oracle == 0
    assert any("contains no relevant item" in note for note in found.notes)


def test_equal_scores_are_noted():
    tied = right_first(TASK2, "001").assign(score=1.0)
    assert any("all scores of a query are equal" in note for note in tune(TASK2, tied).notes)
    by_query = tied.assign(score=tied["qid"].astype(float))
    assert any("all scores of a query are equal" in note for note in tune(TASK2, by_query).notes)
    once = tied.assign(score=[*tied["score"][:-1], 0.0])
    assert not any("equal" in note for note in tune(TASK2, once).notes)
    assert not any("equal" in note for note in tune(TASK2, tied.drop_duplicates("qid")).notes)


def test_an_empty_run_is_refused():
    with pytest.raises(MalformedRunError, match="the run is empty"):
        tune(TASK2, run_of([]))


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, None, "much"])
def test_a_score_that_is_no_finite_number_is_refused_by_name(score):
    run = right_first(TASK2, "001").astype({"score": object})
    run.loc[[0, 3], "score"] = score
    with pytest.raises(MalformedRunError, match=rf"{run['qid'][0]}'?: .*{score}'?, is not a finite 32-bit number"):
        tune(TASK2, run)


def test_the_run_of_another_edition_is_refused():
    with pytest.raises(MalformedRunError, match="None of the run's query ids are known"):
        tune(TASK1, run_of([("990001", "990002", 1.0)]))


def test_what_of_the_run_does_not_count_is_noted():
    run = pd.concat([right_first(TASK2, "001"), run_of([("999999", "999999_001", 1.0)])])
    assert "answers to unknown queries, ignored: 1" in tune(TASK2, run).notes


def test_what_is_to_be_said_of_the_gold_is_among_the_notes():
    of_gold = Scorer(editions.split(RATIONALE)).gold_notes
    assert of_gold
    assert set(of_gold) <= set(tune(RATIONALE, right_first(RATIONALE, "1")).notes)


def test_a_measure_that_cannot_choose_and_too_few_folds_are_refused():
    for measure in (MicroP @ 5, AnswerAccuracy, ir_measures.AP, ir_measures.NumQ):
        with pytest.raises(ValueError, match=r"cannot be used to choose a cut-off|measure must be a set measure"):
            tune(TASK2, right_first(TASK2, "001"), measure=measure)
    with pytest.raises(ValueError, match="folds must be an integer >= 2, got 1"):
        tune(TASK2, right_first(TASK2, "001"), folds=1)


def test_the_callers_frame_stays_as_it_is():
    run = right_first(TASK3, "1").iloc[::-1]
    before = run.copy()
    tune(TASK3, run)
    pd.testing.assert_frame_equal(run, before)


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


def test_a_ranking_of_the_pilot_is_read_in_trecs_form(tmp_path):
    rows = [(q, item, 0.5 + n / 10) for q, items in gold_of(RATIONALE).items() for n, item in enumerate(sorted(items))]
    (tmp_path / "a.run").write_text(
        "\n".join(f"{q} Q0 {item} {len(rows) - n} {score} mine" for n, (q, item, score) in enumerate(rows))
    )
    assert tune(RATIONALE, tmp_path / "a.run").record() == tune(RATIONALE, run_of(rows)).record()
    for wrong in ('{"tort_id": "900001"}', "900001 Q0 900001_p0 1 much mine"):
        (tmp_path / "b.run").write_text(f"{rows[0][0]} Q0 {rows[0][1]} 1 0.5 mine\n{wrong}\n")
        with pytest.raises(MalformedFileError, match=r"b\.run, line 2: .*\.\nExpected: 6 columns: query Q0 item"):
            tune(RATIONALE, tmp_path / "b.run")


def test_a_file_with_scores_is_told_from_one_without(tmp_path):
    (query_id, items), *_ = gold_of(TASK1).items()
    first, second = sorted(items)[:2] if len(items) > 1 else (*items, "900001")
    for text, has_scores in [
        (f"{query_id} {first} mine\n\n{query_id} {second} mine\n", False),
        (f"{query_id} Q0 {first} 1 -1 mine\n{query_id} Q0 {second} 2 -2 mine\n", True),
        (json.dumps({query_id: [first, second]}), False),
        (json.dumps({query_id: {first: 0.75, second: 0.5}}), True),
        (json.dumps({query_id: {first: -2.5, second: -3.5}}), True),
        (json.dumps({query_id: {first: -2, second: -2}}), True),
    ]:
        (tmp_path / "a.run").write_text(text)
        found = tune(TASK1, tmp_path / "a.run")
        assert any("no scores" in note for note in found.notes) is not has_scores, text
        assert (found.rules["rule"].size > 1) is has_scores


def test_a_file_that_is_no_run_is_refused_with_its_place(tmp_path):
    (tmp_path / "a.run").write_text("R98-01-A\n")
    with pytest.raises(MalformedFileError, match=r"a\.run, line 1"):
        tune(TASK3, tmp_path / "a.run")


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


def test_a_threshold_alone_is_tried_so_that_long_lists_can_be_kept_whole():
    rows = [("900001", f"900001_p{n}", 0.9 - n / 100) for n in range(30)] + [("900001", "900001_p40", 0.1)]
    gold = pd.DataFrame([("900001", f"900001_p{n}", 1) for n in range(30)], columns=["qid", "docno", "label"])
    tried = standard_grid(encode_run(run_of(rows), gold))
    assert [
        cutoff
        for cutoff in tried
        if isinstance(cutoff, ThresholdCutoff) and cutoff.max_items is None and cutoff.min_items == 0
    ]
