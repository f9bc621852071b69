"""The table of all analyses says what is true of them."""

import pages
import pytest
from analysis.random_runs import gold_of, random_runs

import ir_coliee.analysis
from ir_coliee.analysis import AnalysisFrame, evaluate
from ir_coliee.analysis.catalogue import ANALYSES, chosen
from ir_coliee.editions import TASK_NAMES, split
from ir_coliee.errors import ColieeError

SPLITS = [
    "coliee/task1/sample/test",
    "coliee/task2/sample/test",
    "coliee/task3/sample/en/test",
    "coliee/task4/sample/en/test",
    "coliee/pilot/sample/prediction/test",
    "coliee/pilot/sample/rationale/test",
]


MAY_BE_EMPTY = {"losses_by_group", "hard_for_all"}


def probabilities(run):
    """The same run with scores in [0, 1]."""
    return {query: {item: 1 / (2 + rank) for rank, item in enumerate(items)} for query, items in run.items()}


def runs_of(dataset_id, number, *, with_rankings=True):
    if split(dataset_id).task in ("task4", "prediction"):
        other = {"Y": "N", "N": "Y", "True": "False", "False": "True"}
        right = {query: min(items) for query, items in gold_of(dataset_id).items()}
        wrong = {f"run{n}": [*right][n : 2 * n + 2] for n in range(number)}
        return evaluate(
            dataset_id,
            {
                run: {
                    q: {other[label] if q in ids else label: 0.5 + 0.01 * len(label) + 0.2 * (q in ids)}
                    for q, label in right.items()
                }
                for run, ids in wrong.items()
            },
        )
    answers, rankings = random_runs(dataset_id, number)
    rankings = {name: probabilities(run) for name, run in rankings.items()} if with_rankings else None
    return evaluate(dataset_id, {name: probabilities(run) for name, run in answers.items()}, rankings=rankings)


@pytest.fixture(scope="module", params=SPLITS)
def runs(request):
    return runs_of(request.param, 2)


@pytest.mark.slow
def test_every_analysis_of_a_task_can_be_made_of_two_runs_with_rankings(runs):
    for analysis in chosen(runs.split):
        frame = analysis(runs)
        assert isinstance(frame, AnalysisFrame)
        assert frame.kind == analysis.name
        assert len(frame) or analysis.name in MAY_BE_EMPTY
        assert str(frame).startswith(frame.title)
        assert set(frame.as_json()) == {"title", "notes", "rows"}


def test_an_analysis_of_another_task_is_refused(runs):
    others = [analysis for analysis in ANALYSES.values() if not analysis.is_for(runs.split)]
    for analysis in others:
        with pytest.raises(ColieeError, match=f"{analysis.name} is for .*, got {runs.split.id}"):
            analysis(runs)


@pytest.mark.parametrize("name", ANALYSES)
def test_what_an_analysis_needs_is_what_it_asks_for(name):
    analysis = ANALYSES[name]
    dataset_id = next(dataset_id for dataset_id in SPLITS if analysis.is_for(split(dataset_id)))
    needs_rankings = name in {"cutoff_curve", "recall_by_depth", "calibration"}
    single, unranked = runs_of(dataset_id, 1), runs_of(dataset_id, 2, with_rankings=False)
    for runs, is_needed in ((single, analysis.needs_several_runs), (unranked, needs_rankings)):
        if is_needed:
            with pytest.raises(ColieeError):
                analysis(runs)
        else:
            assert len(analysis(runs)) or name in MAY_BE_EMPTY


def test_each_name_is_that_of_an_exported_function_and_described_in_one_line():
    for name, analysis in ANALYSES.items():
        assert analysis.function is getattr(ir_coliee.analysis, name)
        assert 10 < len(analysis.description) < 70
        assert set(analysis.tasks) <= TASK_NAMES.keys()


@pytest.mark.skipif(not pages.PAGES, reason="no pages here")
def test_the_page_lists_every_analysis_with_its_description():
    page = (pages.ROOT / "docs" / "how-to" / "analyse.md").read_text(encoding="utf-8")
    for analysis in ANALYSES.values():
        assert f"| `{analysis.name}` | {analysis.description} |" in page


def test_an_unknown_name_is_answered_with_all_names():
    with pytest.raises(ColieeError, match=r"There is no analysis 'loss'\.\nThe analyses are: drift, hardest_queries, "):
        chosen(split(SPLITS[0]), ["losses", "loss"])
    assert [analysis.name for analysis in chosen(split(SPLITS[0]), ["agreement", "losses", "agreement"])] == [
        "agreement",
        "losses",
    ]
