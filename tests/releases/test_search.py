"""Where files are searched for, which are accepted and chosen, and the error when there is none."""

import os
from pathlib import Path

import ir_datasets
import pytest
from zips import write_zip

from ir_coliee.editions import SPLITS, data_folders
from ir_coliee.errors import AmbiguousReleaseError, ColieeWarning, MissingLabelsError, MissingReleaseError
from ir_coliee.releases.files import DiskFolder, File
from ir_coliee.releases.release import LocalRelease
from ir_coliee.releases.search import Listing, in_zip, items_of_query, listing, numbered_folders
from ir_coliee.releases.zips import open_archive

TEST = SPLITS["coliee/task1/2025/test"]
LONG_AGO = 10**18
#: A document in each layout.
DOCUMENT = {"": "900001.txt", "candidates": "901/candidates/001.txt", "paragraphs": "901/paragraphs/001.txt"}


@pytest.fixture
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("COLIEE_HOME", str(folder))
    return folder


def put(path, text="{}"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def put_all(folder, places, text="A decision."):
    for place in places.split():
        put(folder / place, text)


def place_of(split, role):
    """The path of what is found; None if nothing is."""
    found = LocalRelease.open(SPLITS[split] if isinstance(split, str) else split).find(role)
    return found and Path(str(found.node))


# --- data folders ----------------------------------------------------------------------------------


HOMES = {"/a": ["/a"], os.pathsep.join(["/a", "", "/b"]): ["/a", "/b"], "~/law": ["/user/law"]}
HOMES |= {folders: ["/irds/coliee"] for folders in (os.pathsep, "", None)}


@pytest.mark.parametrize("coliee_home", HOMES)
def test_the_data_folders_are_those_of_the_variables(monkeypatch, coliee_home):
    for name, value in {"HOME": "/user", "USERPROFILE": "/user", "IR_DATASETS_HOME": "/irds"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("COLIEE_HOME", raising=False)
    if coliee_home is not None:
        monkeypatch.setenv("COLIEE_HOME", coliee_home)
    assert data_folders() == [*map(Path, HOMES[coliee_home])]
    monkeypatch.delenv("COLIEE_HOME", raising=False)
    monkeypatch.delenv("IR_DATASETS_HOME")
    assert data_folders() == [Path("/user/.ir_datasets/coliee")]


# --- layouts ---------------------------------------------------------------------------------------


@pytest.fixture(params=["disk", "zip"])
def make(request, tmp_path):
    """Write a folder of these files, on disk or in a ZIP archive."""

    def made(*places):
        if request.param == "zip":
            write_zip(tmp_path / "made.zip", dict.fromkeys(places, "text"))
            return open_archive(File(DiskFolder(str(tmp_path)), "made.zip"))
        put_all(tmp_path / "made", " ".join(places))
        return DiskFolder(str(tmp_path / "made"))

    return made


@pytest.mark.parametrize(
    ("names", "order"),
    [
        ("010.txt 002.txt 1001.txt notes.txt labels.json .DS_Store", "002.txt 010.txt 1001.txt"),
        ("p10.txt p2.txt p1.txt list.json EE.xml mapping.txt an_id_mapping_2.txt", "p1.txt p2.txt p10.txt"),
        ("10 9", "9 10"),
    ],
)
def test_items_are_ordered_by_number_also_under_other_names(make, names, order):
    folder = make("900/base_case.txt", "901/candidates/007.txt", *(f"901/paragraphs/{name}" for name in names.split()))
    empty, case = numbered_folders(folder)
    assert [file.name for file in items_of_query(case, "paragraphs")] == order.split()
    assert [file.name for file in items_of_query(case, "candidates")] == ["007.txt"]
    assert items_of_query(empty, "paragraphs") == []


# --- listings --------------------------------------------------------------------------------------


def places(home, name):
    return [str(found.node).removeprefix(f"{home}{os.sep}") for found in Listing(str(home)).named(name)]


def test_a_name_is_found_at_every_depth_nearest_first_with_its_kind_and_parents(home):
    put_all(home, "a/b/x.json z/x.json x.json")
    write_zip(home / "y.ZIP", {"b/x.json": "{}", "__MACOSX/x.json": ""})
    assert places(home, "x.json") == ["x.json", "z/x.json", "a/b/x.json", "y.ZIP/b/x.json"]
    *_, last = Listing(str(home)).named("x.json")
    (archive,) = Listing(str(home)).named("y")
    assert (last.parents, in_zip(last.node), in_zip(archive.node)) == (("y", "b"), True, True)
    assert places(home / "nowhere", "x.json") == []


@pytest.mark.parametrize("name", ["x.json", "x (1).json", "x(12).json", "clean_x.json", "clean_x (1).json"])
def test_additions_of_tools_to_a_name_are_ignored(home, name):
    put_all(home, "old_x.json x.json2 X.json ._x.json")
    for other in ("x (1).json.bak", "x (a).json", "x (1) 2.json"):
        put(home / other)
    assert places(home, "x.json") == []
    put(home / name)
    assert places(home, "x.json") == [name]
    assert sorted(places(home, "?.js*")) == sorted([name, "X.json", "x.json2"])


def test_links_are_followed_but_never_in_a_circle_or_upwards(home):
    put(home.parent / "others" / "x.json")
    put(home / "a" / "x.json")
    (home / "a" / "round").symlink_to(home, target_is_directory=True)
    (home / "a" / "up").symlink_to(home.parent, target_is_directory=True)
    (home / "b").symlink_to(home.parent / "others", target_is_directory=True)
    assert places(home, "x.json") == ["a/x.json", "b/x.json"]


def test_the_listing_of_a_very_large_folder_ends_with_a_warning(tmp_path, monkeypatch):
    monkeypatch.setattr("ir_coliee.releases.search.MAX_ENTRIES", 20)
    for number in range(30):
        (tmp_path / f"folder{number:02}" / "inner").mkdir(parents=True)
    put(tmp_path / "found.json")
    with pytest.warns(ColieeWarning, match=r"ended before .*folder00, after more than 20 files (?s:.*)COLIEE_HOME"):
        assert places(tmp_path, "found.json") == ["found.json"]


def age(home):
    """Time stamps of long ago, so that nothing looks like a change in the moment of the listing."""
    for path in [*home.rglob("*"), home]:
        os.utime(path, ns=(LONG_AGO, LONG_AGO))


def replace_in_place(home):
    write_zip(home / "a" / "package.zip", {"new.json": "{ }"})
    os.utime(home / "a", ns=(LONG_AGO, LONG_AGO))


@pytest.mark.parametrize(
    "change",
    [
        lambda home: put(home / "a" / "new.json"),
        lambda home: (home / "a" / "x.json").unlink(),
        lambda home: (home / "a" / "new").mkdir(),
        replace_in_place,
        lambda home: home.rename(home.with_name("elsewhere")),
    ],
)
def test_a_folder_is_listed_again_only_after_a_change(home, change):
    put(home / "a" / "x.json")
    write_zip(home / "a" / "package.zip", {"old.json": "{}"})
    assert not Listing(str(home)).is_current()  # made in the moment of a change
    age(home)
    before = listing(str(home))
    assert listing(str(home)) is before
    change(home)
    assert listing(str(home)) is not before
    if change is replace_in_place:
        assert [found.node.read_bytes() for found in listing(str(home)).named("new.json")] == [b"{ }"]


# --- what is found ---------------------------------------------------------------------------------


def in_way(home, name, document, way):
    """Put a corpus of this name into the data folder in one of the ways in which it comes."""
    if way in ("folder", "nested", "cases"):
        folder = home / name / {"folder": "", "nested": name, "cases": "cases"}[way]
        put(folder / document)
        return folder
    within = {"zip": "", "nested zip": f"{name}/", "package": f"any/{name}/"}[way]
    return write_zip(home / ("all of it.zip" if way == "package" else f"{name}.zip"), {f"{within}{document}": "text"})


@pytest.mark.parametrize("way", ["folder", "nested", "cases", "zip", "nested zip", "package"])
@pytest.mark.parametrize("split", ["coliee/task1/2025/test", "coliee/task1/2020/test", "coliee/task2/2025/test"])
def test_a_corpus_of_every_layout_is_found_in_every_way(home, split, way):
    release = LocalRelease.open(split)
    place = in_way(home, release.split.files["corpus"][0], DOCUMENT[release.split.item_folder], way)
    found = LocalRelease.open(split).find("corpus")
    assert str(found.node).startswith(str(place))
    assert found.reason == ""
    assert len(LocalRelease.open(split).documents()) == 1


#: Files of a data folder, a split, its role, and what is found (a path, or nothing).
CORPUS = "task1_test_files_2025/900001.txt"
FOUND = """
a/b/c/d/{CORPUS} | task1/2025/test | corpus | a/b/c/d/task1_test_files_2025
COLIEE2025/{CORPUS} | task1/2025/test | corpus | COLIEE2025/task1_test_files_2025
COLIEE_2018-2026/{CORPUS} | task1/2025/test | corpus | COLIEE_2018-2026/task1_test_files_2025
backup_of_2024/{CORPUS} | task1/2025/test | corpus | backup_of_2024/task1_test_files_2025
coliee-20240131/{CORPUS} | task1/2025/test | corpus | coliee-20240131/task1_test_files_2025
COLIEE2024/{CORPUS} | task1/2025/test | corpus |
2024/{CORPUS} | task1/2025/test | corpus |
__MACOSX/{CORPUS} .cache/{CORPUS} old_{CORPUS} | task1/2025/test | corpus |
task1_test_files_2025 task1_train_files_2025/900001.txt | task1/2025/test | corpus |
{CORPUS} | task1/2025/train | corpus |
{CORPUS} | task2/2025/test | corpus |
# names of participants without a year: a folder names the edition, and the task of labels
COLIEE2025/Test/task1_test_files/1.txt | task1/2025/test | corpus | COLIEE2025/Test/task1_test_files
COLIEE2025/Task1/Test/cases/1.txt | task1/2025/test | corpus | COLIEE2025/Task1/Test/cases
COLIEE2025/Task1/Train/cases/1.txt | task1/2025/test | corpus |
Test/task1_test_files/1.txt task1_test_labels_2025.json | task1/2025/test | corpus |
COLIEE2025/task1_test_labels.json | task1/2025/test | labels | COLIEE2025/task1_test_labels.json
COLIEE2025/task1/test_labels.json | task1/2025/test | labels | COLIEE2025/task1/test_labels.json
COLIEE2025/test_labels.json test_labels.json | task1/2025/test | labels |
# labels go before a list without labels, and dated names before others
COLIEE2025/task1_test_labels.json task1_test_no_labels_2025.json | task1/2025/test | labels | \
COLIEE2025/task1_test_labels.json
a/task1_test_no_labels_2025.json | task1/2025/test | labels | a/task1_test_no_labels_2025.json
task1_test_labels_2025.json x/task1_test_no_labels_2025.json | task1/2025/test | labels | task1_test_labels_2025.json
task1_test_labels_2025.json/900001.txt | task1/2025/test | labels |
# 2021: one pool for both splits, and labels without task and year
train/task1_files/900001.txt | task1/2021/test | corpus | train/task1_files
train_labels.json | task1/2021/train | labels | train_labels.json
train_labels.json | task2/2021/train | labels |
COLIEE2021/task2/train_labels.json | task1/2021/train | labels |
COLIEE2021/task2/train_labels.json | task2/2021/train | labels | COLIEE2021/task2/train_labels.json
# the train archive of task 2 of 2023 holds the labels of 2022 among the case folders
task2_train_files_2023/task2_train_labels_2022.json | task2/2022/train | labels |
# both splits of 2018 and 2019 have files of the same names
COLIEE2018_CaseLaw_Training_Data/IR/IR.xml | task1/2018/train | labels | COLIEE2018_CaseLaw_Training_Data/IR/IR.xml
COLIEE2018_CaseLaw_Test_Data/gold_standard/entailment/ee.xml | task2/2018/test | labels | \
COLIEE2018_CaseLaw_Test_Data/gold_standard/entailment/ee.xml
task1_train/task1.xml | task1/2019/train | labels | task1_train/task1.xml
# statutes: the folder tells the edition
COLIEE2024/{CODE} COLIEE2025/{CODE} | task3/2025/en/train | articles | COLIEE2025/{CODE}
"""
CODE, LABELS = "civil_code_en-1to724-2.txt", "task1_test_labels_2025.json"


@pytest.mark.parametrize("row", [row for row in FOUND.strip().split("\n") if not row.startswith("#")])
def test_a_file_is_found_by_its_name_and_the_folders_around_it(home, row):
    files, split, role, found = (cell.strip().format(CORPUS=CORPUS, CODE=CODE) for cell in row.split("|"))
    put_all(home, files, "{}")
    assert place_of(f"coliee/{split}", role) == (home / found if found else None)


def test_the_name_of_the_data_folder_tells_the_edition_where_nothing_nearer_does(monkeypatch, tmp_path):
    root = tmp_path / "COLIEE2025statute_data-English"
    monkeypatch.setenv("COLIEE_HOME", str(root))
    code = put(root / "text" / "civil_code_en-1to724-2.txt")
    other = put(root / "COLIEE2023statute_data-English" / "text" / "civil_code_en-1to724-2.txt")
    put(root / CORPUS.replace("2025", "2026"))
    assert place_of("coliee/task3/2025/en/train", "articles") == code
    assert place_of("coliee/task3/2023/en/train", "articles") == other
    assert place_of("coliee/task3/2024/en/train", "articles") is None
    assert place_of("coliee/task1/2026/test", "corpus") == root / "task1_test_files_2026"
    monkeypatch.setenv("COLIEE_HOME", str(root / "task1_test_files_2026"))  # the folder of documents itself
    assert place_of("coliee/task1/2026/test", "corpus") == root / "task1_test_files_2026"


OF_CONTENT = [
    ("riteval_H30.xml", '<pair id="H30-901-1"><t2>A gate.</t2></pair>', "task3/2019/en/test", "H30"),
    ("my_H30_questions.xml", '<pair id="H30-901-1"><t2>門は、とじる。</t2></pair>', "task3/2019/ja/test", "H30"),
    ("TestData_en.xml", '<pair id="R06-901-1"><t2>A gate.</t2></pair>', "task3/2025/en/test", "R06"),
    ("civil_something.txt", "Civil Code\nArticle 1  A gate.", "task3/2019/en/test", "articles"),
    ("civil_something.txt", "民法\n第一条　門は、とじる。", "task3/2019/ja/test", "articles"),
    ("train001.jsonl", '{"version": "train_001.jsonl"}', "pilot/2025/prediction/train", "instances"),
    ("train001.jsonl", '{"version": "LJPJT26-train001.jsonl"}', "pilot/2026/prediction/train", "instances"),
    ("my train set.jsonl", '{"version": "LJPJT26-train001.jsonl"}', "pilot/2026/prediction/train", "instances"),
    ("2026/train001.jsonl", '{"version": "train001.jsonl"}', "pilot/2026/prediction/train", "instances"),
]
OTHERS = {
    "task3/2019/en/test": "task3/2019/ja/test",
    "task3/2019/ja/test": "task3/2019/en/test",
    "pilot/2025/prediction/train": "pilot/2026/prediction/train",
    "pilot/2026/prediction/train": "pilot/2025/prediction/train",
}


@pytest.mark.parametrize(("name", "text", "split", "role"), OF_CONTENT)
def test_a_file_without_a_year_or_language_in_its_name_is_recognised_by_its_content(home, name, text, split, role):
    path = put(home / name, text)
    put(home / "notes_H30.xml", '<pair id="H29-901-1"><t2>A gate.</t2></pair>')
    put(home / "civil_notes.txt", "Notes on Article 1 of the code.")
    assert place_of(f"coliee/{split}", role) == path
    if split in OTHERS:
        assert place_of(f"coliee/{OTHERS[split]}", role) is None


# --- which of several --------------------------------------------------------------------------------


QUOTED = '<pair id="R06-901-1"><t1>Article 5</t1><t2>A gate.</t2></pair>'
JSONL = '{"version": "test001.jsonl", "court_decision": null}'
R06 = ("coliee/task3/2025/en/test", "R06")
INSTANCES = ("coliee/pilot/2025/prediction/test", "instances")
#: Split and role, files with their texts, the number of the chosen one and the reason.
CHOSEN = [
    ((TEST.id, "corpus"), {"a.zip": CORPUS, f"z/{CORPUS}": "text"}, 1, "read from the folder, not from the ZIP"),
    ((TEST.id, "corpus"), {CORPUS: "text", f"b/{CORPUS}": "text"}, 0, "the first of 2 with the same content"),
    ((TEST.id, "corpus"), {CORPUS: "text", f"b/{CORPUS}": "other"}, None, ""),
    (("coliee/task3/2024/en/train", "articles"), {f"a/{CODE}": "1\n", f"b/{CODE}": "1\r\n"}, 0, "the same content"),
    ((TEST.id, "labels"), {LABELS: "{}", f"clean_{LABELS}": "[]"}, 0, "the file with the exact name"),
    ((TEST.id, "labels"), {f"a/{LABELS}": "{}", f"b/{LABELS}": "[]"}, None, ""),
    (R06, {"a/riteval_R06_en.xml": QUOTED[:22], "b/TestData_en.xml": QUOTED}, 1, "most articles and answers"),
    (INSTANCES, {"a/test001.jsonl": JSONL, "b/test001.jsonl": JSONL.replace("null", "true")}, 1, "most articles"),
]


@pytest.mark.parametrize(("wanted", "files", "chosen", "reason"), CHOSEN)
def test_of_several_files_of_an_accepted_name_a_rule_chooses_one_or_all_are_named(home, wanted, files, chosen, reason):
    dataset_id, role = wanted
    for name, text in files.items():
        if name.endswith(".zip"):
            write_zip(home / name, {text: "In the archive."})
        else:
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_bytes(text.encode())
    release = LocalRelease.open(dataset_id)
    if chosen is None:
        with pytest.raises(AmbiguousReleaseError, match="COLIEE_HOME") as caught:
            release.find(role)
        assert all(str(home / name.removesuffix("/900001.txt")) in str(caught.value) for name in files)
    else:
        assert str(home / [*files][chosen]).startswith(str(release.find(role).node))
        assert reason in release.find(role).reason


# --- files come and go -----------------------------------------------------------------------------


def texts():
    return [doc.text for doc in ir_datasets.load(TEST.id).docs_iter()]


def test_what_is_added_moved_replaced_or_removed_is_noticed_and_nothing_is_changed(home):
    with pytest.raises(MissingReleaseError):
        texts()
    for entries in ({"900001.txt": "Old."}, {"900001.txt": "New.", "900002.txt": "Too."}):
        write_zip(home / "task1_test_files_2025.zip", entries)
        assert texts() == [*entries.values()]
    assert ir_datasets.load(TEST.id).docs_store().get("900002").text == "Too."
    put(home / "downloads" / CORPUS, "On disk.")
    before = sorted((str(path), path.stat().st_mtime_ns) for path in home.rglob("*"))
    assert texts() == ["On disk."]
    assert sorted((str(path), path.stat().st_mtime_ns) for path in home.rglob("*")) == before
    (home / "downloads").rename(home / "COLIEE2025")
    assert place_of(TEST, "corpus") == home / "COLIEE2025" / "task1_test_files_2025"
    (home / "COLIEE2025").rename(home / "COLIEE2024")
    assert texts() == ["New.", "Too."]


# --- what is missing -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("split", "role", "names"),
    [
        (TEST, "corpus", ["task1_test_files_2025", "Expected content: all decisions in one folder, named by a number"]),
        (TEST, "labels", ["task1_test_labels_2025.json", "task1_test_no_labels_2025.json"]),
        (SPLITS["coliee/task1/2020/test"], "labels", ["below a folder that names the edition and the task also: "]),
        (SPLITS["coliee/task1/2019/test"], "labels", ["or noticed_cases.txt in each case folder"]),
        (SPLITS["coliee/task3/2024/en/test"], "articles", ["civil_code_en-1to724-2.txt"]),
        (SPLITS["coliee/task3/2024/en/test"], "R05", ["questions of R05", "riteval_R05_en.xml, TestData_en.xml"]),
    ],
)
def test_a_missing_file_names_id_edition_folders_accepted_names_and_organisers(home, monkeypatch, split, role, names):
    monkeypatch.setenv("COLIEE_HOME", os.pathsep.join([str(home), str(home / "nowhere")]))
    release = LocalRelease.open(split)
    with pytest.raises(MissingReleaseError) as caught:
        release.corpus if role == "corpus" else release.file(role)
    searched = f"{home}, {home / 'nowhere'} (no such folder)"
    for words in [split.id, f"COLIEE {split.edition}", searched, "COLIEE_HOME", "https://coliee.org", *names]:
        assert words in str(caught.value)
    assert not isinstance(caught.value, MissingLabelsError)


@pytest.mark.parametrize(
    ("place", "split", "role", "next_step"),
    [
        (f"COLIEE2025/{CODE}", "coliee/task3/2024/en/train", "articles", "Put it into a folder COLIEE2024, if"),
        ("task1_test_labels.json", TEST.id, "labels", "Rename the right one to task1_test_labels_2025.json"),
    ],
)
def test_what_has_the_name_and_is_not_accepted_is_named_with_what_to_do(home, place, split, role, next_step):
    path = put(home / place)
    with pytest.raises(MissingReleaseError, match=rf"Not accepted, .*: {path}. {next_step}"):
        LocalRelease.open(split).file(role)
