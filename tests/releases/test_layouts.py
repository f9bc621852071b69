"""The layouts of tasks 1 and 2: which files are documents, and where the corpus folder is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zips import write_zip

from ir_coliee.releases.files import DiskFolder, File
from ir_coliee.releases.search import CORPUS_LAYOUTS, as_number, by_number, is_number, numbered_files, numbered_folders
from ir_coliee.releases.zips import open_archive

FLAT = {"900001.txt": "one", "900002.txt": "two"}
POOLS = {"901/base_case.txt": "query", "901/candidates/001.txt": "one", "902/candidates/001.txt": "one"}
CASES = {"901/entailed_fragment.txt": "query", "901/paragraphs/001.txt": "one", "901/paragraphs/002.txt": "two"}
LAYOUTS = {"flat": (FLAT, 2), "pools": (POOLS, 2), "cases": (CASES, 2)}
each_layout = pytest.mark.parametrize("layout", LAYOUTS)


@pytest.fixture(params=["disk", "zip"])
def make(request, tmp_path):
    """Writes a folder of these names and texts, on disk or in a zip."""

    def made(entries):
        if request.param == "zip":
            path = write_zip(tmp_path / "made.zip", entries)
            return open_archive(File(DiskFolder(str(tmp_path)), path.name))
        for name, text in entries.items():
            path = tmp_path / "made" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return DiskFolder(str(tmp_path / "made"))

    return made


def below(place, entries):
    return {f"{place}/{name}": text for name, text in entries.items()}


def stems(files):
    return [file.stem for file in files]


# --- numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["0", "001", "900001", "1025"])
def test_ascii_digits_are_a_number(name):
    assert is_number(name)
    assert as_number(name) == int(name)


@pytest.mark.parametrize("name", ["", "1a", "-1", "1.0", " 1", "²", "１", "٣", "9" * 5000])
def test_what_python_could_not_read_or_is_not_ascii_is_no_number(name):
    assert not is_number(name)
    assert as_number(name) == name


@given(st.text(max_size=8) | st.integers(0, 10**9).map(str))
def test_a_number_can_be_sorted_by(name):
    if is_number(name):
        assert by_number(name) == (int(name), name)


def test_paddings_of_one_number_have_an_order():
    assert sorted(["1000", "101", "1", "001"], key=by_number) == ["001", "1", "101", "1000"]


# --- documents -------------------------------------------------------------------------------------


def test_numbered_files_are_ordered_by_number_and_litter_is_none(make):
    litter = ["mapping.txt", "9_id_mapping.txt", "900003.json", "900004", "x900005.txt", "._900001.txt", ".DS_Store"]
    folder = make({**dict.fromkeys(litter, ""), "1000.txt": "", "999.txt": "", "101.txt": ""})
    assert stems(numbered_files(folder)) == ["101", "999", "1000"]


def test_numbered_folders_are_ordered_by_number(make):
    folder = make({"1000/a.txt": "", "999/a.txt": "", "101/a.txt": "", "notes/a.txt": "", "5.txt": ""})
    assert [inner.name for inner in numbered_folders(folder)] == ["101", "999", "1000"]


@each_layout
def test_documents_in_the_folder_itself_are_found(make, layout):
    entries, documents = LAYOUTS[layout]
    folder = make(entries)
    assert CORPUS_LAYOUTS[layout].find_corpora(folder) == [folder]
    assert CORPUS_LAYOUTS[layout].count_documents(folder) == documents


@each_layout
@pytest.mark.parametrize("place", ["made", "cases", "corpus", "IR/data", "a/b/c/d"])
def test_documents_a_few_levels_down_are_found(make, layout, place):
    entries, documents = LAYOUTS[layout]
    (found,) = CORPUS_LAYOUTS[layout].find_corpora(make(below(place, entries)))
    assert found.name == place.rpartition("/")[2]
    assert CORPUS_LAYOUTS[layout].count_documents(found) == documents


@each_layout
def test_documents_too_far_down_are_not_looked_for(make, layout):
    assert CORPUS_LAYOUTS[layout].find_corpora(make(below("a/b/c/d/e", LAYOUTS[layout][0]))) == []


@each_layout
def test_the_nearest_documents_count(make, layout):
    entries = LAYOUTS[layout][0]
    folder = make({**below("near", entries), **below("further/down", entries)})
    assert [inner.name for inner in CORPUS_LAYOUTS[layout].find_corpora(folder)] == ["near"]


@each_layout
def test_several_folders_as_near_are_all_given(make, layout):
    entries = LAYOUTS[layout][0]
    assert [
        inner.name
        for inner in CORPUS_LAYOUTS[layout].find_corpora(make({**below("a", entries), **below("b", entries)}))
    ] == [
        "a",
        "b",
    ]


@pytest.mark.parametrize(
    ("layout", "other"),
    [
        ("flat", "pools"),
        ("flat", "cases"),
        ("pools", "flat"),
        ("pools", "cases"),
        ("cases", "flat"),
        ("cases", "pools"),
    ],
)
def test_documents_in_another_layout_are_none(make, layout, other):
    assert CORPUS_LAYOUTS[layout].find_corpora(make(LAYOUTS[other][0])) == []


def test_both_tasks_of_2018_below_one_folder_are_distinguished(make):
    folder = make({**below("IR/data", POOLS), **below("Entailment1/data", CASES)})
    (pools,), (cases,) = CORPUS_LAYOUTS["pools"].find_corpora(folder), CORPUS_LAYOUTS["cases"].find_corpora(folder)
    assert (str(pools).endswith("IR/data"), str(cases).endswith("Entailment1/data")) == (True, True)


def test_a_first_case_that_lacks_its_items_does_no_harm(make):
    folder = make({"900/base_case.txt": "", **POOLS})
    assert CORPUS_LAYOUTS["pools"].find_corpora(folder) == [folder]
    assert CORPUS_LAYOUTS["pools"].count_documents(folder) == 2


# --- items -----------------------------------------------------------------------------------------


def items(folder, layout="cases"):
    (case,) = numbered_folders(folder)
    return [file.name for file in CORPUS_LAYOUTS[layout].items(case)]


def test_items_are_ordered_by_number_and_other_files_beside_them_are_none(make):
    names = ["010.txt", "002.txt", "1001.txt", "notes.txt", "labels.json", ".DS_Store"]
    assert items(make({f"901/paragraphs/{name}": "" for name in names})) == ["002.txt", "010.txt", "1001.txt"]


@pytest.mark.parametrize(
    ("names", "order"),
    [
        (["p10.txt", "p2.txt", "p1.txt"], ["p1.txt", "p2.txt", "p10.txt"]),
        (["10", "9"], ["9", "10"]),
        (["a.txt", "b 2.txt", "b 10.txt"], ["a.txt", "b 2.txt", "b 10.txt"]),
        (["p1.txt", "list.json", "EE.xml", "mapping.txt", "an_id_mapping_2.txt", ".DS_Store"], ["p1.txt"]),
    ],
)
def test_items_that_are_named_otherwise_are_ordered_by_the_numbers_in_their_names(make, names, order):
    folder = make({f"901/paragraphs/{name}": "" for name in names})
    assert items(folder) == order
    assert CORPUS_LAYOUTS["cases"].count_documents(folder) == len(order)


def test_items_of_the_other_layout_are_none(make):
    folder = make({"901/paragraphs/001.txt": "", "901/candidates/002.txt": ""})
    assert items(folder, "cases") == ["001.txt"]
    assert items(folder, "pools") == ["002.txt"]


def test_a_case_without_a_folder_of_items_has_none(make):
    assert items(make({"901/base_case.txt": ""})) == []
