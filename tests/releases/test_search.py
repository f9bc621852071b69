"""Where files are searched for, which are accepted, and the error when there is none."""

import json
import os
import re
import warnings
from dataclasses import replace
from pathlib import Path

import ir_datasets
import pytest
from zips import write_zip

from ir_coliee.editions import SPLITS, Count, Split, data_folders
from ir_coliee.errors import (
    AmbiguousReleaseError,
    ColieeError,
    ColieeWarning,
    MalformedFileError,
    MissingLabelsError,
    MissingReleaseError,
)
from ir_coliee.releases.cases import read_json_labels
from ir_coliee.releases.release import LocalRelease
from ir_coliee.releases.search import CORPUS_LAYOUTS

TEST = SPLITS["coliee/task1/2025/test"]
STATUTES = Split(
    "task3",
    "2098",
    "en",
    "train",
    {
        "articles": ("civil_code_en-1to724-2.txt",),
        "H98": ("riteval_H98_en.xml",),
        "H99": ("riteval_H99_en.xml", "TestData_en.xml"),
    },
    exam_years=("H98", "H99"),
)
CORPUS, LABELS = (" or ".join(names) for names in TEST.files.values())
PILOT = Split("prediction", "2098", "ja", "train", {"instances": ("train001.jsonl", "train_001.jsonl")})


def missing_names(split):
    """The accepted names of each missing file or folder, joined by "or"."""
    return [" or ".join(split.files[role]) for role in LocalRelease.open(split).missing]


def find(split, role):
    return Path(str(LocalRelease.open(split).corpus if role == "corpus" else LocalRelease.open(split).file(role)))


@pytest.fixture
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("COLIEE_HOME", str(folder))
    return folder


@pytest.fixture
def no_terminal(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)


def put_corpus(parent, name="task1_test_files_2025"):
    folder = parent / name
    folder.mkdir(parents=True)
    (folder / "900001.txt").write_text("A decision.")
    return folder


def put(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}")
    return path


# --- the data folder -------------------------------------------------------------------------------


def test_coliee_home_goes_first(monkeypatch, tmp_path):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "a"))
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "b"))
    assert data_folders() == [tmp_path / "a"]


def test_coliee_home_may_name_several_folders(monkeypatch, tmp_path):
    monkeypatch.setenv("COLIEE_HOME", os.pathsep.join([str(tmp_path / "a"), "", str(tmp_path / "b")]))
    assert data_folders() == [tmp_path / "a", tmp_path / "b"]


def test_the_tilde_in_coliee_home_is_the_home_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("COLIEE_HOME", os.path.join("~", "law"))
    assert data_folders() == [tmp_path / "law"]


@pytest.mark.parametrize("coliee_home", [None, ""])
def test_without_coliee_home_the_home_of_ir_datasets_serves(monkeypatch, tmp_path, coliee_home):
    if coliee_home is None:
        monkeypatch.delenv("COLIEE_HOME", raising=False)
    else:
        monkeypatch.setenv("COLIEE_HOME", coliee_home)
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path))
    assert data_folders() == [tmp_path / "coliee"]


def test_without_any_variable_it_is_the_usual_folder_of_ir_datasets(monkeypatch):
    monkeypatch.delenv("COLIEE_HOME", raising=False)
    monkeypatch.delenv("IR_DATASETS_HOME", raising=False)
    assert data_folders() == [ir_datasets.util.home_path() / "coliee"]
    assert data_folders() == [Path.home() / ".ir_datasets" / "coliee"]


def test_a_local_copy_in_the_home_of_ir_datasets_is_found(monkeypatch, tmp_path):
    monkeypatch.delenv("COLIEE_HOME", raising=False)
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path))
    corpus = put_corpus(tmp_path / "coliee")
    assert find(TEST, "corpus") == corpus


def test_a_colon_alone_names_no_folder_and_the_usual_one_serves(monkeypatch, tmp_path):
    monkeypatch.setenv("COLIEE_HOME", os.pathsep)
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path))
    assert data_folders() == [tmp_path / "coliee"]


# --- finding ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", [".", "COLIEE 2025", "a/b/c/d", "Test (1)"])
def test_a_local_copy_is_found_at_any_depth(home, where):
    corpus = put_corpus(home / where)
    assert find(TEST, "corpus") == corpus


def test_a_folder_that_holds_a_folder_of_its_own_name_is_entered_once(home):
    outer = home / "task1_test_files_2025"
    corpus = put_corpus(outer)
    assert find(TEST, "corpus") == corpus
    assert [doc.doc_id for doc in ir_datasets.load(TEST.id).docs_iter()] == ["900001"]


@pytest.mark.parametrize("inner", ["cases", "corpus"])
def test_documents_in_an_inner_folder_are_found(home, inner):
    corpus = put_corpus(home / "task1_test_files_2025", inner)
    assert find(TEST, "corpus") == corpus


@pytest.mark.parametrize("name", ["{} (1)", "{}(2)", "clean_{}", "clean_{} (1)"])
def test_what_browsers_and_participants_add_to_a_name_does_no_harm(home, name):
    corpus = put_corpus(home, name.format("task1_test_files_2025"))
    labels = put(home / (name.format("task1_test_labels_2025") + ".json"))
    assert find(TEST, "corpus") == corpus
    assert find(TEST, "labels") == labels


def test_a_name_below_a_folder_of_another_year_is_ignored(home):
    split = SPLITS["coliee/task3/2025/en/train"]
    put(home / "COLIEE2024statute_data-English" / "text" / "civil_code_en-1to724-2.txt")
    with pytest.raises(MissingReleaseError):
        find(split, "articles")
    code = put(home / "COLIEE2025statute_data-English" / "text" / "civil_code_en-1to724-2.txt")
    assert find(split, "articles") == code


def test_the_year_of_the_data_folder_itself_says_nothing(monkeypatch, tmp_path):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "backup 2024"))
    corpus = put_corpus(tmp_path / "backup 2024")
    assert find(TEST, "corpus") == corpus


def test_what_macos_leaves_in_archives_is_no_copy(home):
    put_corpus(home / "__MACOSX")
    with pytest.raises(MissingReleaseError):
        find(TEST, "corpus")
    corpus = put_corpus(home / "release")
    assert find(TEST, "corpus") == corpus


def test_our_own_cache_is_no_copy(home):
    put_corpus(home / ".cache")
    with pytest.raises(MissingReleaseError):
        find(TEST, "corpus")


def test_a_file_is_no_folder_of_documents_and_a_folder_is_no_label_file(home):
    put(home / "task1_test_files_2025")
    (home / "task1_test_labels_2025.json").mkdir()
    assert missing_names(TEST) == [CORPUS, LABELS]


def test_a_name_must_match_as_a_whole(home):
    put_corpus(home, "old_task1_test_files_2025")
    put_corpus(home, "task1_test_files_2025.bak")
    with pytest.raises(MissingReleaseError):
        find(TEST, "corpus")


def test_the_other_split_and_another_year_are_no_copy(home):
    put_corpus(home, "task1_train_files_2025")
    put_corpus(home, "task1_test_files_2098")
    with pytest.raises(MissingReleaseError):
        find(TEST, "corpus")


def test_links_are_followed_and_a_circle_of_links_ends(home, tmp_path):
    corpus = put_corpus(tmp_path / "elsewhere")
    (home / "a_link").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    (tmp_path / "elsewhere" / "back").symlink_to(home, target_is_directory=True)
    (home / "here").symlink_to(home, target_is_directory=True)
    found = find(TEST, "corpus")
    assert found.resolve() == corpus.resolve()
    assert missing_names(TEST) == [LABELS]


def test_an_inner_folder_that_is_a_link_to_the_outer_one_is_not_entered_for_ever(home):
    corpus = put_corpus(home)
    (corpus / "cases").symlink_to(corpus, target_is_directory=True)
    assert len(find(TEST, "corpus").relative_to(corpus).parts) <= 1


def test_of_two_folders_the_first_goes_first_and_the_second_fills_gaps(monkeypatch, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    monkeypatch.setenv("COLIEE_HOME", os.pathsep.join([str(first), str(second)]))
    put_corpus(second)
    labels = put(second / "task1_test_labels_2025.json")
    corpus = put_corpus(first)
    assert find(TEST, "corpus") == corpus
    assert find(TEST, "labels") == labels


def test_a_home_that_does_not_exist_has_no_copy(monkeypatch, tmp_path):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "nowhere"))
    with pytest.raises(MissingReleaseError, match="nowhere"):
        find(TEST, "corpus")


def test_the_first_name_of_the_table_goes_before_the_others(home):
    without = put(home / "a" / "task1_test_no_labels_2025.json")
    assert find(TEST, "labels") == without


def test_any_of_the_names_serves_and_the_organisers_own_goes_first(home):
    own = put(home / "z" / "train001.jsonl")
    put(home / "a" / "train_001.jsonl")
    assert find(PILOT, "instances") == own


def test_the_file_of_one_exam_year_can_be_asked_for(home):
    put(home / "train" / "riteval_H98_en.xml")
    second = put(home / "train" / "riteval_H99_en.xml")
    assert find(STATUTES, "H99") == second


def test_two_different_files_of_one_name_are_refused_with_both_paths(home):
    one, two = put(home / "a" / "riteval_H98_en.xml"), put(home / "b" / "riteval_H98_en (1).xml")
    two.write_text("[]")
    with pytest.raises(AmbiguousReleaseError) as caught:
        find(STATUTES, "H98")
    assert str(one) in str(caught.value)
    assert str(two) in str(caught.value)


def test_two_folders_of_one_name_are_refused_with_both_paths(home):
    one, two = put_corpus(home / "a"), put_corpus(home / "b", "clean_task1_test_files_2025")
    (two / "900001.txt").write_text("Another decision.")
    with pytest.raises(AmbiguousReleaseError) as caught:
        find(TEST, "corpus")
    assert str(one) in str(caught.value)
    assert str(two) in str(caught.value)


def test_a_folder_and_a_link_to_it_are_one_copy(home):
    corpus = put_corpus(home / "release")
    (home / "task1_test_files_2025").symlink_to(corpus, target_is_directory=True)
    assert find(TEST, "corpus").resolve() == corpus.resolve()


def test_two_equal_files_of_one_name_are_no_hindrance(home):
    one, two = put(home / "a" / "riteval_H98_en.xml"), put(home / "b" / "riteval_H98_en.xml")
    assert find(STATUTES, "H98") in (one, two)


def test_the_sample_is_found_whatever_the_variables_say(home):
    found = find(SPLITS["coliee/task1/sample/test"], "corpus")
    assert found.name == "task1_test_files_sample"
    assert home not in found.parents


def test_a_folder_of_the_users_with_the_samples_names_is_not_taken_for_it(home):
    put_corpus(home, "task1_test_files_sample")
    assert home not in find(SPLITS["coliee/task1/sample/test"], "corpus").parents


# --- copies come and go ----------------------------------------------------------------------------


def test_a_local_copy_that_appears_after_a_failed_load_is_found(home):
    with pytest.raises(MissingReleaseError):
        ir_datasets.load(TEST.id).docs_iter()
    put_corpus(home)
    assert [doc.doc_id for doc in ir_datasets.load(TEST.id).docs_iter()] == ["900001"]


def test_a_local_copy_that_moves_is_found_again(home):
    corpus = put_corpus(home / "downloads")
    store = ir_datasets.load(TEST.id).docs_store()
    assert store.get("900001").text == "A decision."
    corpus.parent.rename(home / "coliee-2025")
    assert find(TEST, "corpus") == home / "coliee-2025" / "task1_test_files_2025"
    assert ir_datasets.load(TEST.id).docs_store().get("900001").text == "A decision."


def test_a_local_copy_that_goes_is_missing_again(home):
    corpus = put_corpus(home)
    find(TEST, "corpus")
    (corpus / "900001.txt").unlink()
    corpus.rmdir()
    with pytest.raises(MissingReleaseError):
        find(TEST, "corpus")


def test_when_the_variable_changes_the_other_folder_counts(monkeypatch, tmp_path):
    for name in ("a", "b"):
        corpus = put_corpus(tmp_path / name)
        monkeypatch.setenv("COLIEE_HOME", str(tmp_path / name))
        assert find(TEST, "corpus") == corpus


def test_searching_changes_nothing_in_the_folder(home):
    put_corpus(home / "release")
    put(home / "release" / "task1_test_labels_2025.json").write_text('{"900001.txt": []}')
    before = sorted((str(path), path.stat().st_mtime_ns) for path in home.rglob("*"))
    dataset = ir_datasets.load(TEST.id)
    dataset.docs_store().get("900001")
    list(dataset.queries_iter())
    assert sorted((str(path), path.stat().st_mtime_ns) for path in home.rglob("*")) == before


# --- what is missing -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("split", "role", "names"),
    [
        (TEST, "corpus", ["task1_test_files_2025"]),
        (TEST, "labels", ["task1_test_labels_2025.json", "task1_test_no_labels_2025.json"]),
        (STATUTES, "articles", ["civil_code_en-1to724-2.txt"]),
        (PILOT, "instances", ["train001.jsonl", "train_001.jsonl"]),
    ],
)
def test_a_missing_local_copy_names_id_edition_folder_accepted_names_and_organisers(home, split, role, names):
    with pytest.raises(MissingReleaseError) as caught:
        find(split, role)
    message = str(caught.value)
    for word in [split.id, f"COLIEE {split.edition}", str(home), "COLIEE_HOME", "https://coliee.org", *names]:
        assert word in message
    assert not isinstance(caught.value, MissingLabelsError)


def test_every_folder_that_was_searched_is_named(monkeypatch, tmp_path):
    folders = [str(tmp_path / "one"), str(tmp_path / "two")]
    monkeypatch.setenv("COLIEE_HOME", os.pathsep.join(folders))
    with pytest.raises(MissingReleaseError) as caught:
        find(TEST, "corpus")
    assert all(folder in str(caught.value) for folder in folders)


def test_missing_labels_beside_documents_are_an_error_of_their_own(home):
    put_corpus(home)
    with pytest.raises(MissingLabelsError, match=r"(?s)label file.*task1_test_labels_2025\.json"):
        find(TEST, "labels")


def test_a_missing_exam_year_names_its_own_file_only(home):
    put(home / "riteval_H98_en.xml")
    with pytest.raises(MissingReleaseError, match=r"riteval_H99_en\.xml") as caught:
        find(STATUTES, "H99")
    assert "riteval_H98_en.xml" not in str(caught.value)


def test_what_is_missing_is_reported_file_by_file(home):
    assert missing_names(STATUTES) == [
        "civil_code_en-1to724-2.txt",
        "riteval_H98_en.xml",
        "riteval_H99_en.xml or TestData_en.xml",
    ]
    put(home / "riteval_H98_en.xml")
    assert missing_names(STATUTES) == ["civil_code_en-1to724-2.txt", "riteval_H99_en.xml or TestData_en.xml"]
    put(home / "test" / "TestData_en.xml").write_text('<dataset><pair id="H99-1-1"><t2>A.</t2></pair></dataset>')
    assert missing_names(STATUTES) == ["civil_code_en-1to724-2.txt"]
    put(home / "text" / "civil_code_en-1to724-2.txt")
    assert missing_names(STATUTES) == []


def test_another_accepted_name_is_not_missing(home):
    put(home / "train_001.jsonl")
    assert missing_names(PILOT) == []


@pytest.mark.parametrize("dataset_id", [name for name, split in SPLITS.items() if split.edition == "sample"])
def test_nothing_of_the_sample_is_missing(home, dataset_id):
    assert missing_names(SPLITS[dataset_id]) == []


# --- every name that a release has had -------------------------------------------------------------

CASE_LAW = [split for split in SPLITS.values() if split.task in ("task1", "task2") and split.edition != "sample"]
#: The patterns of the names that were seen, from the description of the data.
FOLDER_NAME = re.compile(
    r"task(1|2)_((train|test)(_files)?_20\d\d|20\d\d_(train|test)(_no_?labels)?|(train|test)(_files)?|files)"
)
LABELS_NAME = re.compile(
    r"task(1|2)_(train|test)(_20\d\d)?(_no)?_labels(_20\d\d)?\.json|(train|test)(_no)?_labels\.json"
)
IN_CORPUS = {
    "flat": {"900001.txt": "A decision."},
    "pools": {"901/base_case.txt": "A case.", "901/candidates/001.txt": "A decision."},
    "cases": {"901/entailed_fragment.txt": "A fragment.", "901/paragraphs/001.txt": "A paragraph."},
}
each_way = pytest.mark.parametrize("way", ["folder", "nested", "zip", "nested zip", "zip of a package"])


def put_release(home, name, entries, way="folder"):
    """A corpus of this name in a way in which it comes."""
    if way == "zip":
        return write_zip(home / f"{name}.zip", entries)
    if way == "nested zip":
        return write_zip(home / f"{name}.zip", {f"{name}/{entry}": text for entry, text in entries.items()})
    if way == "zip of a package":
        return write_zip(home / "all of it.zip", {f"any/{name}/{entry}": text for entry, text in entries.items()})
    folder = home / name / name if way == "nested" else home / name
    for entry, text in entries.items():
        (folder / entry).parent.mkdir(parents=True, exist_ok=True)
        (folder / entry).write_text(text)
    return folder


def folder_names(split):
    """The names of a corpus of this split that the pattern has, those with a year first."""
    task, name, edition = split.task, split.name, split.edition
    if edition in ("2018", "2019") or (task, edition) == ("task1", "2021"):
        return split.files["corpus"]
    names = [f"{task}_{name}_{edition}", f"{task}_{name}_files_{edition}", f"{task}_{edition}_{name}"]
    return names + [f"{task}_{edition}_{name}_nolabels", f"{task}_{edition}_{name}_no_labels"] * (name == "test")


def test_the_names_below_are_those_of_the_pattern():
    since_2019 = [split for split in CASE_LAW if split.edition != "2018"]
    names = {name for split in since_2019 for name in folder_names(split)}
    assert all(FOLDER_NAME.fullmatch(name) for name in names)
    # six editions of task 1 in the usual names, 2021 with its one pool, seven of task 2, and 2019
    assert len(names) == 6 * 8 + 1 + 7 * 8 + 4


@pytest.mark.slow
@pytest.mark.parametrize("split", CASE_LAW, ids=lambda split: split.id)
@each_way
def test_a_corpus_is_found_under_every_name_and_in_every_way(tmp_path, monkeypatch, split, way):
    for number, name in enumerate(folder_names(split)):
        home = tmp_path / str(number)
        home.mkdir()
        monkeypatch.setenv("COLIEE_HOME", str(home))
        place = put_release(home, name, IN_CORPUS[split.layout], way)
        found = LocalRelease.open(split).find("corpus")
        assert str(found.node).startswith(str(place))
        assert found.reason == ""
        assert CORPUS_LAYOUTS[split.layout].count_documents(found.node) == 1


@pytest.mark.parametrize("name", ["{} (1)", "{}(12)", "clean_{}"])
@each_way
def test_what_is_added_to_a_name_does_no_harm_in_any_way(home, name, way):
    put_release(home, name.format("task1_test_files_2025"), IN_CORPUS["flat"], way)
    assert CORPUS_LAYOUTS["flat"].count_documents(LocalRelease.open(TEST).corpus) == 1


@pytest.mark.parametrize("split", CASE_LAW, ids=lambda split: split.id)
@pytest.mark.filterwarnings("ignore:.*its name has no year")
def test_every_name_of_labels_in_the_table_is_found_and_fits_the_pattern(tmp_path, monkeypatch, split):
    for number, name in enumerate(split.files["labels"]):
        home = tmp_path / str(number)
        monkeypatch.setenv("COLIEE_HOME", str(home))
        labels = put(home / name)
        assert find(split, "labels") == labels
        assert name.endswith(".xml") or LABELS_NAME.fullmatch(name)


@pytest.mark.parametrize("name", ["task1_test_files_2025", "task1_train_files_2026", "task2_test_files_2025"])
def test_no_name_of_another_part_is_taken(home, name):
    put_release(home, name, IN_CORPUS["cases" if "task2" in name else "flat"])
    found = {split.id for split in CASE_LAW if LocalRelease.open(split).find("corpus")}
    task, split, _, edition = name.split("_")
    assert found == {f"coliee/{task}/{edition}/{split}"}


@pytest.mark.parametrize("place", ["cases", "corpus", "cases/corpus"])
@pytest.mark.parametrize("dataset_id", ["coliee/task1/2026/test", "coliee/task2/2026/test"])
@each_way
def test_documents_in_an_inner_folder_are_found_in_every_way(home, place, dataset_id, way):
    split = SPLITS[dataset_id]
    entries = {f"{place}/{name}": text for name, text in IN_CORPUS[split.layout].items()}
    put_release(home, split.files["corpus"][0], entries, way)
    assert str(LocalRelease.open(split).corpus).endswith(place)
    assert CORPUS_LAYOUTS[split.layout].count_documents(LocalRelease.open(split).corpus) == 1


@pytest.mark.parametrize("place", ["", "task1_test_files_2025/", "elsewhere/"])
def test_labels_in_a_zip_are_found_beside_and_inside_the_corpus(home, place):
    name = f"{place}task1_test_labels_2025.json"
    write_zip(home / "x.zip", {name: "{}", "task1_test_files_2025/900001.txt": ""})
    assert find(TEST, "labels") == home / "x.zip" / name


def test_both_splits_below_folders_of_their_own_are_distinguished(home):
    for folder, split in (("Training", "train"), ("Test", "test")):
        put(home / "COLIEE2019" / folder / "task1.xml").write_text("<COLIEE/>")
        put_release(home / "COLIEE2025" / folder, f"task1_{split}_files", IN_CORPUS["flat"])
        put(home / "COLIEE2025" / folder / f"task1_{split}_labels.json")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for folder, name in (("Training", "train"), ("Test", "test")):
            split = SPLITS[f"coliee/task1/2025/{name}"]
            assert find(split, "corpus") == home / "COLIEE2025" / folder / f"task1_{name}_files"
            assert find(split, "labels") == home / "COLIEE2025" / folder / f"task1_{name}_labels.json"
    assert find(SPLITS["coliee/task1/2019/train"], "labels") == home / "COLIEE2019" / "Training" / "task1.xml"


# --- several copies --------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["zip", "nested zip", "zip of a package"])
def test_the_unpacked_folder_goes_before_the_zip_with_a_reason(home, way):
    put_release(home, "task1_test_files_2025", {"900001.txt": "In the zip."}, way)
    folder = put_release(home / "z", "task1_test_files_2025", {"900001.txt": "Unpacked."})
    found = LocalRelease.open(TEST).find("corpus")
    assert str(found.node) == str(folder)
    assert found.reason == "read from the folder, not from the ZIP archive of the same name"
    assert ir_datasets.load(TEST.id).docs_store().get("900001").text == "Unpacked."


def test_unpacked_labels_go_before_those_in_a_zip(home):
    name = "task1_test_labels_2025.json"
    write_zip(home / "x.zip", {name: '{"900001.txt": []}'})
    labels = put(home / "deep" / "down" / name)
    assert find(TEST, "labels") == labels
    assert "read from the folder" in LocalRelease.open(TEST).find("labels").reason


@pytest.mark.parametrize("way", ["folder", "zip"])
def test_of_identical_files_the_first_serves_with_a_reason(home, way):
    first = put_release(home / "a", "task1_test_files_2025", IN_CORPUS["flat"], way)
    put_release(home / "b", "task1_test_files_2025 (1)", IN_CORPUS["flat"], way)
    found = LocalRelease.open(TEST).find("corpus")
    assert str(found.node).startswith(str(first))
    assert found.reason == "the first of 2 with the same content"


def test_a_release_unpacked_twice_in_pools_is_compared_to_the_last_file(home):
    split = SPLITS["coliee/task2/2025/test"]
    put_release(home / "a", "task2_test_files_2025", IN_CORPUS["cases"])
    second = put_release(home / "b", "task2_test_files_2025", IN_CORPUS["cases"])
    assert LocalRelease.open(split).find("corpus").reason == "the first of 2 with the same content"
    (second / "901" / "paragraphs" / "001.txt").write_text("Another paragraph.")
    with pytest.raises(AmbiguousReleaseError):
        find(split, "corpus")


@pytest.mark.parametrize(("sizes", "taken"), [((2, 3), 1), ((3, 2), 0), ((3, 1), 0)])
@pytest.mark.parametrize("way", ["folder", "zip"])
def test_of_different_files_the_one_of_the_official_size_is_chosen_with_a_reason(home, sizes, taken, way):
    split = replace(TEST, counts={"docs": Count(3, "M"), "queries": Count(1, "M")})
    for place, size in zip("ab", sizes):
        entries = {f"90000{n}.txt": f"Decision {n} of {place}." for n in range(size)}
        put_release(home / place, "task1_test_files_2025", entries, way)
    found = LocalRelease.open(split).find("corpus")
    assert CORPUS_LAYOUTS["flat"].count_documents(found.node) == 3
    assert str(found.node).startswith(str(home / "ab"[taken]))
    assert found.reason == "the folder with the official number of documents, of 2"


@pytest.mark.parametrize("sizes", [(1, 2), (3, 3)])
def test_different_files_of_which_none_or_each_has_that_size_are_refused_with_their_places(home, sizes):
    split = replace(TEST, counts={"docs": Count(3, "M"), "queries": Count(1, "M")})
    places = []
    for place, size in zip("ab", sizes):
        entries = {f"90000{n}.txt": f"Decision {n} of {place}." for n in range(size)}
        places.append(put_release(home / place, "task1_test_files_2025", entries))
    with pytest.raises(AmbiguousReleaseError) as caught:
        find(split, "corpus")
    assert all(str(place) in str(caught.value) for place in places)
    assert "COLIEE_HOME" in str(caught.value)


def test_different_label_files_of_one_name_are_refused(home):
    name = "task1_test_labels_2025.json"
    one, two = put(home / "a" / name), put(home / "b" / name)
    two.write_text('{"900001.txt": []}')
    with pytest.raises(AmbiguousReleaseError) as caught:
        find(TEST, "labels")
    assert f"{one}, {two}" in str(caught.value)


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_of_several_data_folders_the_first_that_has_it_counts_zipped_or_not(tmp_path, monkeypatch, order):
    monkeypatch.setenv("COLIEE_HOME", os.pathsep.join(str(tmp_path / place) for place in order))
    put_release(tmp_path / "a", "task1_test_files_2025", {"900001.txt": "Of a."}, "zip")
    put_release(tmp_path / "b", "task1_test_files_2025", {"900001.txt": "Of b."})
    assert ir_datasets.load(TEST.id).docs_store().get("900001").text == f"Of {order[0]}."


# --- names without a year --------------------------------------------------------------------------


def queries(number):
    return json.dumps({f"{900_000 + n}.txt": [] for n in range(number)})


def put_labels(home, name, number):
    path = put(home / name)
    path.write_text(queries(number))
    return path


def with_labels(role="labels", task="task1", name="train"):
    """The editions that take what lies in the data folder."""
    splits = (split for split in CASE_LAW if split.task == task and split.name == name)
    return {split.edition for split in splits if LocalRelease.open(split).find(role)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "edition"),
    [(650, "2021"), (898, "2022"), (959, "2023"), (1278, "2024"), (1678, "2025"), (2001, "2026"), (520, "2020")],
)
@pytest.mark.parametrize("name", ["train_labels.json", "task1_train_labels.json", "clean_train_labels (1).json"])
def test_labels_without_a_year_are_those_of_the_edition_that_has_as_many_queries(home, number, edition, name):
    put_labels(home, name, number)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert with_labels() == {edition}


@pytest.mark.parametrize("number", [1, 897, 5000])
def test_labels_without_a_year_and_of_no_known_size_belong_to_what_they_lie_beside(home, number):
    put_labels(home / "x", "task1_train_labels.json", number)
    assert with_labels() == set()
    put_release(home / "x", "task1_train_files_2025", IN_CORPUS["flat"])
    put_release(home / "y", "task1_train_files_2024", IN_CORPUS["flat"])
    with pytest.warns(ColieeWarning, match=rf"2025/train, although its name has no year and it has {number} queries"):
        assert with_labels() == {"2025"}


def test_labels_in_a_corpus_folder_belong_to_it(home):
    put_release(home, "task1_train_files_2025", IN_CORPUS["flat"])
    labels = put_labels(home / "task1_train_files_2025", "train_labels.json", 7)
    with pytest.warns(ColieeWarning, match=r"7 queries instead of 1678"):
        assert find(SPLITS["coliee/task1/2025/train"], "labels") == labels


def test_a_size_that_several_editions_have_tells_nothing_without_a_corpus(home):
    """The tests of 2024, 2025 and 2026 have 400 queries each, those of task 2 have 100 since 2020."""
    put_labels(home / "x", "task1_test_labels.json", 400)
    put_labels(home / "x", "task2_test_labels.json", 100)
    assert with_labels(name="test") == with_labels(task="task2", name="test") == set()
    put_release(home / "x", "task1_test_files_2025", IN_CORPUS["flat"])
    put_release(home / "y", "task1_test_files_2024", IN_CORPUS["flat"])
    put_release(home / "x", "task2_test_files_2023", IN_CORPUS["cases"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert with_labels(name="test") == {"2025"}
        assert with_labels(task="task2", name="test") == {"2023"}


def test_the_labels_of_another_edition_are_not_taken_for_lying_beside(home):
    put_release(home, "task1_train_files_2025", IN_CORPUS["flat"])
    put_labels(home, "task1_train_labels.json", 959)
    assert with_labels() == {"2023"}


@pytest.mark.parametrize(
    ("name", "number", "edition"),
    [
        ("task1_test_files", 1563, "2022"),
        ("task1_test", 1335, "2023"),
        ("clean_task1_test_files (1)", 1734, "2024"),
        ("task1_test_files", 2159, "2025"),
        ("task1_test", 1848, "2026"),
    ],
)
def test_a_corpus_without_a_year_is_that_of_the_edition_that_has_as_many_documents(home, name, number, edition):
    write_zip(home / f"{name}.zip", {f"{900_000 + n}.txt": "" for n in range(number)})
    assert with_labels("corpus", name="test") == {edition}


def test_a_corpus_without_a_year_and_of_no_known_size_belongs_to_the_labels_beside_it(home):
    corpus = put_release(home / "x", "task1_test_files", IN_CORPUS["flat"])
    assert with_labels("corpus", name="test") == set()
    put(home / "task1_test_labels_2024.json")
    put(home / "x" / "task1_test_labels_2025.json")
    assert with_labels("corpus", name="test") == {"2025"}
    assert find(TEST, "corpus") == corpus


def shared_label_names():
    """Each name that the label files of two tasks may have, with a split of either task that may have it."""
    for one in CASE_LAW:
        for other in CASE_LAW:
            if one.task != other.task and (one.edition, one.name) == (other.edition, other.name):
                for name in LocalRelease(one, []).accepted_names["labels"]:
                    if name in LocalRelease(other, []).accepted_names["labels"]:
                        yield pytest.param(name, one, other, id=f"{one.id} {name}")


def test_the_names_that_two_tasks_share_are_those_without_task_and_year():
    assert {param.values[0] for param in shared_label_names()} == {
        "train_labels.json",
        "test_labels.json",
        "test_no_labels.json",
    }


@pytest.mark.parametrize("folder", ["COLIEE{edition}", "x"])
@pytest.mark.parametrize(("name", "split", "other"), list(shared_label_names()))
def test_labels_of_the_number_of_another_task_are_not_taken(home, name, split, other, folder):
    folder = home / folder.format(edition=split.edition)
    for each in (split, other):
        put_release(folder, each.files["corpus"][0], IN_CORPUS[each.layout])
    labels = put_labels(folder, name, int(split.counts["queries"]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert find(split, "labels") == labels
        assert not LocalRelease.open(other).has("labels")
        with pytest.raises(MissingLabelsError, match=f"Rename the right one to {other.task}_{other.name}"):
            LocalRelease.open(other).file("labels")


def test_labels_of_the_number_of_another_task_are_taken_where_the_folder_names_their_task(home):
    put_release(home / "task2", "task2_2021_train", IN_CORPUS["cases"])
    put_labels(home / "task2", "train_labels.json", 650)
    with pytest.warns(ColieeWarning, match="650 queries instead of 425"):
        assert LocalRelease.open("coliee/task2/2021/train").has("labels")


@pytest.mark.parametrize("labels", ["train_labels.json", "task1_train_labels.json"])
def test_a_corpus_and_labels_without_a_year_and_of_no_known_size_belong_to_no_edition(home, labels):
    put_release(home / "x", "task1_train_files", IN_CORPUS["flat"])
    put_labels(home / "x", labels, 3)
    assert with_labels("corpus") == set()


def test_case_folders_without_a_year_are_recognised_by_their_number(home):
    entries = {f"{n:03}/paragraphs/001.txt": "" for n in range(1, 726)}
    write_zip(home / "task2_train_files.zip", entries)
    assert with_labels("corpus", task="task2") == {"2024"}


def test_task_1_of_2019_and_of_2020_are_distinguished_by_the_number_of_queries(home):
    entries = {f"{n:03}/candidates/001.txt": "" for n in range(1, 521)}
    write_zip(home / "task1_train.zip", entries)
    assert with_labels("corpus") == {"2020"}


def test_all_without_a_year_and_in_one_folder_go_together(home):
    write_zip(home / "x" / "task1_test_files.zip", {f"{900_000 + n}.txt": "" for n in range(2159)})
    labels = put_labels(home / "x", "task1_test_labels.json", 400)
    assert with_labels(name="test") == with_labels("corpus", name="test") == {"2025"}
    assert find(TEST, "labels") == labels


@pytest.mark.parametrize("name", ["task1_test_labels.json", "test_labels.json"])
def test_labels_without_a_year_go_before_a_file_without_labels_that_has_one(home, name):
    put_release(home, "task1_test_files_2025", IN_CORPUS["flat"])
    put_labels(home, "task1_test_no_labels_2025.json", 400)
    labels = put_labels(home, name, 400)
    assert find(TEST, "labels") == labels


def test_published_labels_of_2021_go_before_the_list_without_labels(home):
    split = SPLITS["coliee/task1/2021/test"]
    put_labels(home, "test_no_labels.json", 250)
    labels = put_labels(home, "test_labels.json", 250)
    assert find(split, "labels") == labels


@pytest.mark.parametrize("content", ["3", "null", '"words"', "", "{", "[" * 100_000, "\xff", "9" * 5000])
@pytest.mark.filterwarnings("ignore:.*its name has no year", "ignore:.*is not UTF-8")
def test_labels_without_a_year_that_are_no_labels_end_in_our_errors(home, content):
    put_release(home, "task1_train_files_2025", IN_CORPUS["flat"])
    (home / "train_labels.json").write_bytes(content.encode("latin-1"))
    for edition in ("2021", "2025"):
        with pytest.raises(MalformedFileError):
            read_json_labels(LocalRelease.open(SPLITS[f"coliee/task1/{edition}/train"]).file("labels"))


@pytest.mark.parametrize(
    ("dataset_id", "role", "better", "lesser"),
    [
        ("coliee/task1/2025/train", "labels", "task1_train_labels_2025.json", "train_labels.json"),
        ("coliee/task3/2019/en/test", "H30", "riteval_H30_en.xml", "all of H30.xml"),
    ],
)
def test_an_undated_name_is_not_read_where_a_dated_one_is_found(
    home, monkeypatch, no_terminal, dataset_id, role, better, lesser
):
    monkeypatch.delenv("COLIEE_PASSWORD", raising=False)
    write_zip(home / "locked.zip", {lesser: "{}"}, password="sesame")
    with pytest.raises(ColieeError, match="protected by a password"):
        LocalRelease.open(SPLITS[dataset_id]).find(role)
    put(home / better)
    assert find(SPLITS[dataset_id], role) == home / better


# --- years in the names of folders -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("folder", "taken"),
    [
        ("COLIEE2025", True),
        ("coliee-2025-data", True),
        ("2025", True),
        ("COLIEE2024", False),
        ("2024", False),
        ("task1 of 2024", False),
        ("COLIEE 2018-2026", True),
        ("coliee_2018_2026", True),
        ("backup of 2024", True),
        ("coliee-20240131", True),
        ("COLIEE", True),
    ],
)
def test_a_folder_that_bears_the_year_of_one_other_edition_is_ignored(home, folder, taken):
    put_release(home / folder, "task1_test_files_2025", IN_CORPUS["flat"])
    assert (LocalRelease.open(TEST).find("corpus") is not None) == taken


def test_the_stray_label_file_of_another_year_is_taken_for_neither(home):
    """The train archive of task 2 of 2023 holds the labels of 2022 among the case folders."""
    this, before = SPLITS["coliee/task2/2023/train"], SPLITS["coliee/task2/2022/train"]
    corpus = put_release(home, "task2_train_files_2023", IN_CORPUS["cases"])
    put(corpus / "task2_train_labels_2022.json")
    assert LocalRelease.open(this).find("labels") is None
    assert LocalRelease.open(before).find("labels") is None
    labels = put(home / "task2_train_labels_2023.json")
    assert find(this, "labels") == labels


# --- copies that cannot be read --------------------------------------------------------------------


def test_a_corpus_that_lost_its_permissions_says_so(home, monkeypatch):
    corpus = put_corpus(home)
    scan = os.scandir

    def refuse(path):
        if str(path) == str(corpus):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(ColieeError, match=r"cannot be read.*permissions") as caught, pytest.warns(ColieeWarning):
        find(TEST, "corpus")
    assert str(corpus) in str(caught.value)


def test_a_broken_zip_does_not_hide_the_others(home):
    home.joinpath("task1_test_files_2025.zip").write_bytes(b"PK\3\4 cut off")
    put_release(home / "again", "task1_test_files_2025", IN_CORPUS["flat"], "zip")
    with pytest.warns(ColieeWarning, match=r"task1_test_files_2025\.zip is not a readable ZIP archive"):
        assert CORPUS_LAYOUTS["flat"].count_documents(LocalRelease.open(TEST).corpus) == 1


def test_a_zip_replaced_in_place_is_read_anew(home):
    put_release(home, "task1_test_files_2025", {"900001.txt": "Old."}, "zip")
    assert [doc.text for doc in ir_datasets.load(TEST.id).docs_iter()] == ["Old."]
    put_release(home, "task1_test_files_2025", {"900001.txt": "New.", "900002.txt": "Too."}, "zip")
    dataset = ir_datasets.load(TEST.id)
    assert [doc.text for doc in dataset.docs_iter()] == ["New.", "Too."]
    assert dataset.docs_store().get("900002").text == "Too."


def test_a_folder_unpacked_later_goes_before_the_zip(home):
    put_release(home, "task1_test_files_2025", {"900001.txt": "In the zip."}, "zip")
    assert [doc.text for doc in ir_datasets.load(TEST.id).docs_iter()] == ["In the zip."]
    put_release(home, "task1_test_files_2025", {"900001.txt": "Unpacked."})
    assert [doc.text for doc in ir_datasets.load(TEST.id).docs_iter()] == ["Unpacked."]


# --- what only the content tells -------------------------------------------------------------------


def pilot(edition, name="train"):
    return SPLITS[f"coliee/pilot/{edition}/prediction/{name}"]


def put_instances(path, version):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"version": version, "tort_id": "900000", "court_decision": True}) + "\n")
    return path


@pytest.mark.parametrize(
    ("name", "version", "edition"),
    [
        ("train001.jsonl", "train_001.jsonl", "2025"),
        ("train_001.jsonl", "train001.jsonl", "2025"),
        ("LJPJT26-train001.jsonl", "LJPJT26-train001.jsonl", "2026"),
        ("train001.jsonl", "LJPJT26-train001.jsonl", "2026"),
        ("my train set.jsonl", "LJPJT26-train001.jsonl", "2026"),
        ("2026/train001.jsonl", "train001.jsonl", "2026"),
    ],
)
def test_instances_are_of_the_edition_that_their_name_lines_or_folder_tell(home, name, version, edition):
    path = put_instances(home / name, version)
    assert find(pilot(edition), "instances") == path
    assert missing_names(pilot({"2025": "2026", "2026": "2025"}[edition])) != []


OTHER = {"en": "ja", "ja": "en"}
ENGLISH, JAPANESE = (
    '<pair id="H30-901-1"><t2>A gate.</t2></pair>',
    '<pair id="H30-901-1"><t2>門は、とじる。</t2></pair>',
)


@pytest.mark.parametrize(("text", "language"), [(ENGLISH, "en"), (JAPANESE, "ja")])
@pytest.mark.parametrize("name", ["riteval_H30.xml", "H30.xml", "my_H30_questions.xml"])
def test_questions_of_2019_are_recognised_by_their_content(home, name, text, language):
    (home / name).write_text(text, encoding="utf-8")
    here, not_here = SPLITS[f"coliee/task3/2019/{language}/test"], SPLITS[f"coliee/task3/2019/{OTHER[language]}/test"]
    assert find(here, "H30") == home / name
    with pytest.raises(MissingReleaseError):
        find(not_here, "H30")


def test_a_file_that_has_no_question_of_the_year_is_none_of_2019(home):
    (home / "notes_H30.xml").write_text('<pair id="H29-901-1"><t2>A gate.</t2></pair>')
    with pytest.raises(MissingReleaseError):
        find(SPLITS["coliee/task3/2019/en/test"], "H30")


@pytest.mark.parametrize(
    ("text", "language"), [("Civil Code\nArticle 1  A gate.", "en"), ("民法\n第一条　門は、とじる。", "ja")]
)
def test_the_civil_code_of_2019_is_recognised_by_its_content(home, text, language):
    (home / "civil_something.txt").write_text(text, encoding="utf-8")
    (home / "civil_notes.txt").write_text("Notes on Article 1 of the code.")
    assert find(SPLITS[f"coliee/task3/2019/{language}/test"], "articles") == home / "civil_something.txt"


# --- what the folders around a name tell -----------------------------------------------------------


@pytest.mark.parametrize("folder", ["Training", "train", "contest", "latest", "COLIEE 2021"])
@pytest.mark.parametrize("name", ["train", "test"])
def test_the_pool_of_2021_serves_both_splits_wherever_it_lies(home, folder, name):
    corpus = put_corpus(home / folder, "task1_files")
    assert find(SPLITS[f"coliee/task1/2021/{name}"], "corpus") == corpus


def test_the_data_folder_may_be_the_folder_of_documents_itself(monkeypatch, tmp_path):
    corpus = put_corpus(tmp_path)
    monkeypatch.setenv("COLIEE_HOME", str(corpus))
    assert find(TEST, "corpus") == corpus


def test_the_name_of_the_data_folder_tells_the_edition_where_nothing_nearer_does(monkeypatch, tmp_path):
    root = tmp_path / "COLIEE2025statute_data-English"
    code = put(root / "text" / "civil_code_en-1to724-2.txt")
    other = put(root / "COLIEE2023statute_data-English" / "text" / "civil_code_en-1to724-2.txt")
    monkeypatch.setenv("COLIEE_HOME", str(root))
    assert find(SPLITS["coliee/task3/2025/en/train"], "articles") == code
    assert find(SPLITS["coliee/task3/2023/en/train"], "articles") == other
    with pytest.raises(MissingReleaseError):
        find(SPLITS["coliee/task3/2024/en/train"], "articles")


def test_a_name_with_its_year_counts_in_a_data_folder_of_another_year(monkeypatch, tmp_path):
    corpus = put_corpus(tmp_path / "coliee2026")
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "coliee2026"))
    assert find(TEST, "corpus") == corpus


def test_a_label_file_in_a_folder_of_the_other_task_is_ignored(home):
    put_corpus(home, "task1_files")
    put(home / "task2_training_corpus" / "train_labels.json").write_text('{"900001": ["001.txt"]}')
    split = SPLITS["coliee/task1/2021/train"]
    with pytest.raises(MissingLabelsError):
        find(split, "labels")
    own = put(home / "train_labels.json")
    own.write_text('{"900001.txt": []}')
    with pytest.warns(ColieeWarning, match="no year"):
        assert find(split, "labels") == own


def test_of_a_file_and_a_cleaned_one_beside_it_the_one_as_it_came_is_read(home):
    put_corpus(home)
    own = put(home / "task1_test_labels_2025.json")
    put(home / "clean_task1_test_labels_2025.json").write_text('{"900001.txt": []}')
    assert find(TEST, "labels") == own


def test_a_folder_that_was_renamed_is_recognised_by_the_label_file_beside_it(home):
    corpus = put_corpus(home / "Task1" / "Test", "cases")
    put(home / "Task1" / "Test" / "task1_test_labels_2025.json").write_text('{"900001.txt": []}')
    assert find(TEST, "corpus") == corpus
    with pytest.raises(MissingReleaseError):
        find(SPLITS["coliee/task1/2024/test"], "corpus")


def test_of_two_files_of_instances_the_one_with_labels_is_read(home):
    put(home / "given" / "test001.jsonl").write_text('{"version": "test001.jsonl", "court_decision": null}')
    labelled = put(home / "later" / "test001.jsonl")
    labelled.write_text('{"version": "test001.jsonl", "court_decision": true}')
    assert find(pilot("2025", "test"), "instances") == labelled


def test_of_a_test_under_two_names_the_one_that_says_more_is_read(home):
    split = SPLITS["coliee/task3/2025/en/test"]
    pair = '<pair id="R06-901-1"{}>{}<t2>A gate.</t2></pair>'
    bare = put(home / "test" / "riteval_R06_en.xml")
    bare.write_text(pair.format("", ""))
    assert find(split, "R06") == bare
    quoted = put(home / "task4" / "TestData_en.xml")
    quoted.write_text(pair.format("", "<t1>Article 5</t1>"))
    assert find(split, "R06") == quoted
    bare.write_text(pair.format(' label="Y"', "<t1>Article 5</t1>"))
    os.utime(bare.parent, ns=(1, 1))
    assert find(split, "R06") == bare


def test_one_text_with_both_line_ends_is_one_copy(home):
    one = put(home / "a" / "civil_code_en-1to724-2.txt")
    one.write_bytes(b"Article 1  A gate.\n")
    put(home / "b" / "civil_code_en-1to724-2.txt").write_bytes(b"Article 1  A gate.\r\n")
    assert find(STATUTES, "articles") == one


def test_a_zip_within_a_zip_is_not_ignored_without_a_word(home):
    write_zip(home / "outer.zip", {"task1_test_files_2025.zip": b"PK"})
    with pytest.warns(ColieeWarning, match=r"outer\.zip/task1_test_files_2025\.zip is not a readable ZIP"):
        assert "corpus" in {role for role in TEST.files if find_or_none(role) is None}


def find_or_none(role):
    try:
        return find(TEST, role)
    except MissingReleaseError:
        return None


#: The names of the reference's tables, word for word, with the edition and split that they belong to.
NAMES_OF_RELEASES = """
task1/2019/train task1_train
task1/2019/test task1_test
task1/2020/train task1_train_2020
task1/2020/test task1_test_2020
task1/2021/train task1_files
task1/2022/train task1_train_files_2022
task1/2022/test task1_test_files_2022
task1/2026/test task1_test_files_2026
task2/2020/train task2_train_2020
task2/2020/test task2_test_2020
task2/2021/train task2_2021_train
task2/2021/test task2_2021_test_nolabels
task2/2022/train task2_2022_train
task2/2022/test task2_2022_test
task2/2023/train task2_train_files_2023
task2/2026/test task2_test_files_2026
"""


@pytest.mark.parametrize("line", NAMES_OF_RELEASES.split("\n")[1:-1])
def test_every_corpus_name_of_the_releases_is_found(home, line):
    name, folder = line.split()
    split = SPLITS[f"coliee/{name}"]
    inner = {"flat": "", "pools": "900001/candidates", "cases": "900001/paragraphs"}[split.layout]
    document = home / "any" / folder / inner / "900001.txt"
    document.parent.mkdir(parents=True)
    document.write_text("A decision.")
    assert find(split, "corpus") == home / "any" / folder


LABELS_OF_RELEASES = """
task1/2018/train COLIEE2018_CaseLaw_Training_Data/IR/IR.xml
task1/2018/test COLIEE2018_CaseLaw_Test_Data/gold_standard/ir/ir.xml
task2/2018/train COLIEE2018_CaseLaw_Training_Data/Entailment1/EE.xml
task2/2018/test COLIEE2018_CaseLaw_Test_Data/gold_standard/entailment/ee.xml
task1/2019/train task1_train/task1.xml
task1/2019/test task1_test/task1_test_golden-labels.xml
task2/2019/train task2_train/task2.xml
task2/2019/test task2_test/task2_test_golden-labels.xml
task1/2020/train task1_train_2020_labels.json
task1/2020/test task1_test_2020_labels.json
task1/2021/train train_labels.json
task1/2021/test test_no_labels.json
task1/2021/test task1_test_labels_2021.json
task1/2022/train task1_train_labels_2022.json
task1/2025/test task1_test_no_labels_2025.json
task1/2026/test task1_test_labels_2026.json
task2/2020/train task2_train_labels_2020.json
task2/2021/test task2_test_labels_2021.json
task2/2023/train task2_train_labels_2023.json
task2/2026/test task2_test_labels_2026.json
"""


@pytest.mark.filterwarnings("ignore:.*its name has no year")
@pytest.mark.parametrize("line", LABELS_OF_RELEASES.split("\n")[1:-1])
def test_every_label_name_of_the_releases_is_found(home, line):
    name, place = line.split()
    labels = put(home / place)
    assert find(SPLITS[f"coliee/{name}"], "labels") == labels


def test_what_has_the_name_and_is_ignored_is_said_with_what_would_tell(home):
    code = put(home / "COLIEE2025statute_data-English" / "civil_code_en-1to724-2.txt")
    with pytest.raises(MissingReleaseError) as caught:
        find(SPLITS["coliee/task3/2024/en/train"], "articles")
    assert f"Not accepted, because they seem to be of another edition, split or task: {code}" in str(caught.value)
    assert "COLIEE2024" in str(caught.value)
