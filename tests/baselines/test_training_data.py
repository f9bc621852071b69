"""The labelled queries that a baseline is fitted on: which exam years, and that no others have an effect."""

import re
import shutil

import ir_datasets
import pytest

from ir_coliee.baselines import plan_baseline, run_baseline
from ir_coliee.baselines.training import training_data
from ir_coliee.datasets.folds import exam_year
from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeError, InsufficientTrainingDataError, MissingReleaseError
from ir_coliee.synthetic import write_release

YEARS = SPLITS["coliee/task3/2025/en/train"].exam_years
LATER = YEARS[YEARS.index("H22") :]


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """A small synthetic release of tasks 3 and 4."""
    home = tmp_path_factory.mktemp("release")
    write_release("coliee/task3/2025/en", home, scale=0.012, seed=3)
    return home


@pytest.fixture
def home(release, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(release))
    return release


def test_an_exam_year_is_answered_from_the_years_before_it_or_from_all_others(home):
    r03 = SPLITS["coliee/task3/2025/en/r03"]
    earlier, all_but = training_data(r03), training_data(r03, "all-but")
    assert earlier.exam_years == YEARS[: YEARS.index("R03")]
    assert all_but.exam_years == tuple(year for year in YEARS if year != "R03")
    assert str(earlier) == "H18 to R02 of coliee/task3/2025/en/train"
    assert str(all_but) == "H18 to R05 without R03 of coliee/task3/2025/en/train"
    assert set(earlier.qrels()["qid"]) <= set(earlier.topics()["qid"])
    assert set(earlier.topics()["qid"].map(exam_year)) <= set(earlier.exam_years)


@pytest.mark.parametrize("name", ["test", "r06", "train"])
def test_other_splits_have_the_whole_train_split(home, name):
    split = SPLITS[f"coliee/task3/2025/en/{name}"]
    training = training_data(split)
    assert (training.split.name, training.exam_years) == ("train", None)
    with pytest.raises(ColieeError, match=f"for an exam year of a train split; {split.id} is none"):
        training_data(split, "all-but")


def test_the_first_exam_year_has_none_before_it(home):
    with pytest.raises(InsufficientTrainingDataError, match=r"no exam year before H18\.\n--train all-but"):
        training_data(SPLITS["coliee/task4/2025/en/h18"])
    plan = plan_baseline(SPLITS["coliee/task3/2025/en/h18"])
    assert plan.tags == ("bm25",)
    assert "the run learned was left out" in plan.notes[0]


def test_the_files_of_the_train_split_are_looked_at_before_anything_is_fitted(release, tmp_path, monkeypatch):
    home = tmp_path / "home"
    shutil.copytree(release, home)
    monkeypatch.setenv("COLIEE_HOME", str(home))
    split = SPLITS["coliee/task4/2025/en/r05"]
    assert plan_baseline(split).tags == ("majority", "tfidf", "alignment")
    next(file for file in home.rglob("*") if "H20" in file.name).unlink()
    with pytest.raises(MissingReleaseError, match="coliee/task4/2025/en/h20: the file with the questions of H20"):
        plan_baseline(split)


def with_other_labels(release, folder, years, change):
    """A copy of a release with other labels of some exam years; return the years whose files differ."""
    shutil.copytree(release, folder, ignore=shutil.ignore_patterns(".cache"))
    changed = set()
    for file in folder.rglob("*"):
        for year in years:
            if file.is_file() and year in file.name:
                text = file.read_bytes()
                file.write_bytes(change(text))
                changed |= {year} if file.read_bytes() != text else set()
    return changed


def with_swapped_answers(text):
    """Swap Y and N, the labels of task 4."""
    return text.replace(b'"Y"', b'"?"').replace(b'"N"', b'"Y"').replace(b'"?"', b'"N"')


def with_other_articles(text):
    """Replace the articles that a question quotes, the labels of task 3, by other articles of the collection."""
    numbers = [doc.doc_id for doc in ir_datasets.load("coliee/task3/2025/en").docs_iter() if doc.doc_id.isdecimal()]
    following = dict(zip(numbers, [*numbers[1:], numbers[0]]))
    return re.sub(
        rb"Article (\d+)(?![-\d])",
        lambda found: b"Article " + following.get(found[1].decode(), found[1].decode()).encode(),
        text,
    )


@pytest.mark.slow
@pytest.mark.parametrize(("task", "change"), [("task3", with_other_articles), ("task4", with_swapped_answers)])
def test_the_labels_of_the_answered_and_the_later_years_have_no_effect(home, tmp_path, monkeypatch, task, change):
    pytest.importorskip("lightgbm")
    split, other_home = SPLITS[f"coliee/{task}/2025/en/h22"], tmp_path / "other"
    # in task 4 the questions quote the articles, so only Y and N are labels
    assert with_other_labels(home, other_home, LATER, change) == set(LATER)
    runs = {}
    for folder in (home, other_home):
        monkeypatch.setenv("COLIEE_HOME", str(folder))
        runs[folder] = [(run.notes, run.answers, run.ranking) for run in run_baseline(split)]
    for (notes, answers, ranking), (other_notes, other_answers, other_ranking) in zip(*runs.values(), strict=True):
        assert notes == other_notes
        assert answers.equals(other_answers)
        assert ranking is other_ranking or ranking.equals(other_ranking)
    # but they have one if they may be seen
    of_other = [(run.notes, run.answers["score"].tolist()) for run in run_baseline(split, train="all-but")]
    monkeypatch.setenv("COLIEE_HOME", str(home))
    assert of_other != [(run.notes, run.answers["score"].tolist()) for run in run_baseline(split, train="all-but")]
