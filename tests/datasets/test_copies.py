"""Where copies are looked for, what counts as one, and what is said when there is none."""

import os
from pathlib import Path

import ir_datasets
import pytest

from ir_coliee.datasets.copies import data_folders, find, missing_files
from ir_coliee.datasets.releases import PARTS, Part
from ir_coliee.errors import AmbiguousCopyError, MissingCopyError, MissingLabelsError

TEST = PARTS["coliee/task1/2025/test"]
STATUTES = Part(
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
LABELS = "task1_test_labels_2025.json or task1_test_no_labels_2025.json"
PILOT = Part("prediction", "2098", "ja", "train", {"instances": ("train001.jsonl", "train_001.jsonl")})


@pytest.fixture
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("COLIEE_HOME", str(folder))
    return folder


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


def test_a_copy_in_the_home_of_ir_datasets_is_found(monkeypatch, tmp_path):
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
def test_a_copy_is_found_at_any_depth(home, where):
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


def test_a_name_below_a_folder_of_another_year_is_passed_over(home):
    part = PARTS["coliee/task3/2025/en/train"]
    put(home / "COLIEE2024statute_data-English" / "text" / "civil_code_en-1to724-2.txt")
    with pytest.raises(MissingCopyError):
        find(part, "articles")
    code = put(home / "COLIEE2025statute_data-English" / "text" / "civil_code_en-1to724-2.txt")
    assert find(part, "articles") == code


def test_the_year_of_the_data_folder_itself_says_nothing(monkeypatch, tmp_path):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "backup 2024"))
    corpus = put_corpus(tmp_path / "backup 2024")
    assert find(TEST, "corpus") == corpus


def test_what_macos_leaves_in_archives_is_no_copy(home):
    put_corpus(home / "__MACOSX")
    with pytest.raises(MissingCopyError):
        find(TEST, "corpus")
    corpus = put_corpus(home / "release")
    assert find(TEST, "corpus") == corpus


def test_our_own_cache_is_no_copy(home):
    put_corpus(home / ".cache")
    with pytest.raises(MissingCopyError):
        find(TEST, "corpus")


def test_a_file_is_no_folder_of_documents_and_a_folder_is_no_label_file(home):
    put(home / "task1_test_files_2025")
    (home / "task1_test_labels_2025.json").mkdir()
    assert missing_files(TEST) == ["task1_test_files_2025", LABELS]


def test_a_name_must_match_as_a_whole(home):
    put_corpus(home, "old_task1_test_files_2025")
    put_corpus(home, "task1_test_files_2025.bak")
    with pytest.raises(MissingCopyError):
        find(TEST, "corpus")


def test_the_other_part_and_another_year_are_no_copy(home):
    put_corpus(home, "task1_train_files_2025")
    put_corpus(home, "task1_test_files_2098")
    with pytest.raises(MissingCopyError):
        find(TEST, "corpus")


def test_links_are_followed_and_a_circle_of_links_ends(home, tmp_path):
    corpus = put_corpus(tmp_path / "elsewhere")
    (home / "a_link").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    (tmp_path / "elsewhere" / "back").symlink_to(home, target_is_directory=True)
    (home / "here").symlink_to(home, target_is_directory=True)
    found = find(TEST, "corpus")
    assert found.resolve() == corpus.resolve()
    assert missing_files(TEST) == [LABELS]


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
    with pytest.raises(MissingCopyError, match="nowhere"):
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
    with pytest.raises(AmbiguousCopyError) as caught:
        find(STATUTES, "H98")
    assert str(one) in str(caught.value)
    assert str(two) in str(caught.value)


def test_two_folders_of_one_name_are_refused_with_both_paths(home):
    one, two = put_corpus(home / "a"), put_corpus(home / "b", "clean_task1_test_files_2025")
    with pytest.raises(AmbiguousCopyError) as caught:
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
    found = find(PARTS["coliee/task1/sample/test"], "corpus")
    assert found.name == "task1_test_files_sample"
    assert home not in found.parents


def test_a_folder_of_the_users_with_the_samples_names_is_not_taken_for_it(home):
    put_corpus(home, "task1_test_files_sample")
    assert home not in find(PARTS["coliee/task1/sample/test"], "corpus").parents


# --- copies come and go ----------------------------------------------------------------------------


def test_a_copy_that_appears_after_a_failed_load_is_found(home):
    with pytest.raises(MissingCopyError):
        ir_datasets.load(TEST.id).docs_iter()
    put_corpus(home)
    assert [doc.doc_id for doc in ir_datasets.load(TEST.id).docs_iter()] == ["900001"]


def test_a_copy_that_moves_is_found_again(home):
    corpus = put_corpus(home / "downloads")
    store = ir_datasets.load(TEST.id).docs_store()
    assert store.get("900001").text == "A decision."
    corpus.parent.rename(home / "coliee-2025")
    assert find(TEST, "corpus") == home / "coliee-2025" / "task1_test_files_2025"
    assert ir_datasets.load(TEST.id).docs_store().get("900001").text == "A decision."


def test_a_copy_that_goes_is_missing_again(home):
    corpus = put_corpus(home)
    find(TEST, "corpus")
    (corpus / "900001.txt").unlink()
    corpus.rmdir()
    with pytest.raises(MissingCopyError):
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
    ("part", "role", "names"),
    [
        (TEST, "corpus", ["task1_test_files_2025"]),
        (TEST, "labels", ["task1_test_labels_2025.json", "task1_test_no_labels_2025.json"]),
        (STATUTES, "articles", ["civil_code_en-1to724-2.txt"]),
        (PILOT, "instances", ["train001.jsonl", "train_001.jsonl"]),
    ],
)
def test_a_missing_copy_names_id_edition_folder_accepted_names_and_organisers(home, part, role, names):
    with pytest.raises(MissingCopyError) as caught:
        find(part, role)
    message = str(caught.value)
    for word in [part.id, f"COLIEE {part.edition}", str(home), "COLIEE_HOME", "https://coliee.org", *names]:
        assert word in message
    assert not isinstance(caught.value, MissingLabelsError)


def test_every_folder_that_was_searched_is_named(monkeypatch, tmp_path):
    folders = [str(tmp_path / "one"), str(tmp_path / "two")]
    monkeypatch.setenv("COLIEE_HOME", os.pathsep.join(folders))
    with pytest.raises(MissingCopyError) as caught:
        find(TEST, "corpus")
    assert all(folder in str(caught.value) for folder in folders)


def test_missing_labels_beside_documents_are_an_error_of_their_own(home):
    put_corpus(home)
    with pytest.raises(MissingLabelsError, match=r"label file.*task1_test_labels_2025\.json"):
        find(TEST, "labels")


def test_a_missing_exam_year_names_its_own_file_only(home):
    put(home / "riteval_H98_en.xml")
    with pytest.raises(MissingCopyError, match=r"riteval_H99_en\.xml") as caught:
        find(STATUTES, "H99")
    assert "riteval_H98_en.xml" not in str(caught.value)


def test_what_is_missing_is_told_file_by_file(home):
    assert missing_files(STATUTES) == [
        "civil_code_en-1to724-2.txt",
        "riteval_H98_en.xml",
        "riteval_H99_en.xml or TestData_en.xml",
    ]
    put(home / "riteval_H98_en.xml")
    assert missing_files(STATUTES) == ["civil_code_en-1to724-2.txt", "riteval_H99_en.xml or TestData_en.xml"]
    put(home / "test" / "TestData_en.xml")
    assert missing_files(STATUTES) == ["civil_code_en-1to724-2.txt"]
    put(home / "text" / "civil_code_en-1to724-2.txt")
    assert missing_files(STATUTES) == []


def test_another_accepted_name_is_not_missing(home):
    put(home / "train_001.jsonl")
    assert missing_files(PILOT) == []


@pytest.mark.parametrize("dataset_id", [name for name, part in PARTS.items() if part.edition == "sample"])
def test_nothing_of_the_sample_is_missing(home, dataset_id):
    assert missing_files(PARTS[dataset_id]) == []
