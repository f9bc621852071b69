import itertools
import json
import math
import random
from types import SimpleNamespace

import pandas as pd
import pytest

from ir_coliee import MacroF, MacroF2, MicroF1, editions
from ir_coliee.errors import ColieeWarning
from ir_coliee.evaluation.cutoffs import cross_validate_cutoffs, encode_run, oracle, parse_cutoff, standard_grid
from ir_coliee.evaluation.gold import scored_gold
from ir_coliee.evaluation.tuning import tune, tuning_measures, warn_of_other_sizes
from ir_coliee.transformers import TopK

TASK1, TASK2, TASK3 = "coliee/task1/sample/train", "coliee/task2/sample/train", "coliee/task3/sample/en/train"
RATIONALE = "coliee/pilot/sample/rationale/train"


def run_of(rows):
    return pd.DataFrame(rows, columns=["qid", "docno", "score"])


def gold_of(dataset_id):
    """Each scored query's relevant items, also where there are none."""
    gold = scored_gold(editions.split(dataset_id))
    return {query: sorted(of.loc[of["relevance"] > 0, "doc_id"]) for query, of in gold.groupby("query_id", sort=False)}


def right_first(dataset_id, wrong):
    """A run that has all gold on top, then a wrong item, the same for all queries."""
    rows = [(query_id, item, 9.0) for query_id, items in gold_of(dataset_id).items() for item in items]
    place = "{}_" if dataset_id == TASK2 else ""
    return run_of([*rows, *((query_id, place.format(query_id) + wrong, 1.0) for query_id in gold_of(dataset_id))])


@pytest.mark.parametrize(("dataset_id", "measure"), [(TASK2, MicroF1), (TASK3, MacroF2), (RATIONALE, MacroF(empty=1))])
def test_the_figures_are_those_of_searching_and_validating_each_kind_by_itself(dataset_id, measure):
    gold, draw = scored_gold(editions.split(dataset_id)), random.Random(dataset_id)
    run = right_first(dataset_id, "001" if dataset_id == TASK2 else "1")
    run["score"] = [draw.random() for _ in range(len(run))]
    found = tune(dataset_id, run, measure=measure)
    grid = standard_grid(encode_run(run, gold))
    assert found.tried == len(grid)
    for kind, tuned in [(None, found.best), *((row.rule, row) for row in found.rules.itertuples())]:
        cutoffs = [cutoff for cutoff in grid if kind in (None, type(cutoff).__name__)]
        validated = cross_validate_cutoffs(gold, run, measure, cutoffs)
        assert all(getattr(tuned, name) == getattr(validated, name) for name in ("cutoff", "optimistic", "held_out"))
    assert sorted(found.rules["rule"]) == sorted({type(cutoff).__name__ for cutoff in grid})
    assert found.rules["optimistic"].is_monotonic_decreasing
    assert found.oracle == oracle(gold, run, measure).value
    assert found.perfect == 1
    assert found.lost_by_ranking + found.lost_by_cutting == pytest.approx(1 - found.best.optimistic)
    assert found.items["returned"].item() == len(found.best.cutoff(run)) / gold["query_id"].nunique()


def test_the_official_measure_of_the_part_chooses():
    assert [tune(id, right_first(id, "1")).measure for id in (TASK1, TASK3, RATIONALE)] == [MicroF1, MacroF2, MacroF]
    assert tuning_measures(editions.split(RATIONALE)) == (MacroF, MacroF(empty=1))


def test_on_a_test_part_it_is_said_that_the_choice_is_not_honest():
    for dataset_id in ("coliee/task3/sample/en/test", "coliee/task3/sample/en/r99"):
        rows = [(q, d, float(n)) for q, items in gold_of(dataset_id).items() for n, d in enumerate(items)]
        note, _synthetic_note = tune(dataset_id, run_of(rows)).notes
        assert "must not be used" in note
        assert note.endswith(f"Tune on {TASK3}")


def test_several_exam_years_are_held_out_one_at_a_time(monkeypatch):
    gold = scored_gold(editions.split(TASK3))
    years = dict(zip(gold["query_id"].unique(), itertools.cycle(["R98", "R99", "H99"])))
    monkeypatch.setattr("ir_coliee.evaluation.tuning.exam_id", lambda query_id: SimpleNamespace(year=years[query_id]))
    run = pd.concat([right_first(TASK3, "1"), run_of([(q, "2", 20.0) for q in list(years)[::2]])])
    by_year = cross_validate_cutoffs(gold, run, MacroF2, groups=years).held_out
    assert tune(TASK3, run).best.by_year == by_year


def test_the_run_of_the_test_is_warned_about_if_the_cut_off_keeps_far_more_or_fewer_of_it():
    tuned = tune(TASK2, right_first(TASK2, "001"))
    kept = tuned.items["returned"].item()
    answers, queries = run_of([("1", str(n), 1.0) for n in range(int(10 * kept))]), 10
    warn_of_other_sizes(tuned, answers, queries)
    for number in (3, 40):
        with pytest.warns(ColieeWarning, match="different systems"):
            warn_of_other_sizes(tuned, answers, number)


def test_unanswered_queries_are_noted():
    notes = tune(TASK2, right_first(TASK2, "001").iloc[:1]).notes
    assert "queries without an answer in the run, counted as unanswered: 7 of 8" in notes


def test_of_a_part_with_one_query_nothing_is_held_out(monkeypatch):
    one = scored_gold(editions.split(TASK2)).iloc[:1]
    monkeypatch.setattr("ir_coliee.evaluation.scoring.scored_gold", lambda split: one)
    found = tune(TASK2, right_first(TASK2, "001"))
    assert found.best.optimistic == 1
    assert math.isnan(found.best.held_out)
    assert found.rules["held_out"].isna().all()
    assert found.record()["best"]["held_out"] is None


def test_of_a_file_without_scores_only_the_order_is_cut(tmp_path):
    run = right_first(TASK1, "900001")
    (tmp_path / "a.run").write_text("".join(f"{row.qid} {row.docno} mine\n" for row in run.itertuples()))
    found = tune(TASK1, tmp_path / "a.run")
    assert isinstance(found.best.cutoff, TopK)
    assert found.rules["rule"].tolist() == ["TopK"]
    assert any("no scores" in note for note in found.notes)


def test_the_record_is_json_and_its_cut_offs_are_python():
    record = json.loads(json.dumps(tune(TASK3, right_first(TASK3, "1")).record(), allow_nan=False))
    assert (record["id"], record["measure"], record["best"]["by_year"]) == (TASK3, "MacroF2", None)
    for rule in [record["best"], *record["rules"]]:
        assert repr(parse_cutoff(rule["cutoff"])) == rule["cutoff"]
