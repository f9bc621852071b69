"""Names of files and folders that show that documents are missing, doubled or misnamed."""

import warnings

import pytest

from ir_coliee.editions.edition import ITEM_FOLDERS
from ir_coliee.releases import cases
from ir_coliee.releases.files import DiskFolder
from ir_coliee.releases.findings import FindingWarning
from ir_coliee.releases.release import LocalRelease


def put(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("A lamp.")
    return folder


def problems(folder, layout):
    corpus = DiskFolder(str(folder))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cases._documents(corpus, None, ITEM_FOLDERS.get(layout, ""), "task2")
    return {warning.message.check: [*warning.message.ids] for warning in caught}


def case(*numbers, query="901", items="paragraphs"):
    return [f"{query}/base_case.txt", *(f"{query}/{items}/{number}.txt" for number in numbers)]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        (["001", "002", "003"], {}),
        (["1", "2", "10"], {"skipped-paragraph": ["901 03-09"]}),
        (["000", "001"], {}),
        (["001", "003", "004", "0999"], {"skipped-paragraph": ["901 002", "901 0005-0998"]}),
        (["002"], {"skipped-paragraph": ["901 001"]}),
        (["001", "2", "003"], {"otherwise-padded-number": ["901 2"]}),
        (["001", "002", "02"], {"repeated-number": ["901 002=02"], "otherwise-padded-number": ["901 02"]}),
        (["998", "999", "1000"], {"skipped-paragraph": ["901 001-997"]}),
    ],
)
def test_the_numbers_of_the_paragraphs_of_a_case(tmp_path, numbers, expected):
    found = problems(put(tmp_path, *case(*numbers)), "cases")
    if numbers[-1] == "0999":
        assert found.pop("otherwise-padded-number") == ["901 0999"]
    assert found == expected


def test_names_that_a_browser_or_a_person_has_changed_are_misnamed(tmp_path):
    put(tmp_path, *case("001"), *case("001", query="901 (1)"), "901/paragraphs/001 (1).txt", "901/paragraphs/2.txt.txt")
    put(tmp_path, "901/paragraphs/notes.txt", "901/paragraphs/.DS_Store", "readme.txt")
    expected = ["901 (1)", "901/paragraphs/001 (1).txt", "901/paragraphs/2.txt.txt"]
    assert problems(tmp_path, "cases") == {"misnamed-file": expected}


def test_the_loader_warns_once_of_a_split_and_names_the_folder_and_the_next_step(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    put(tmp_path / "task2_train_files_2025", *case("001", "003"), *case("001", "003", query="903"))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            LocalRelease.open("coliee/task2/2025/train").documents()
    (message,) = (str(warning.message) for warning in caught if issubclass(warning.category, FindingWarning))
    assert message == (
        f"{tmp_path / 'task2_train_files_2025'}: numbers that are skipped within a query: 2 (901 002, 903 002). "
        "Restore the missing files: the organisers number the paragraphs of a case without gaps."
    )
