"""Synthetic releases: layout, sizes, planted relevance, and refused calls."""

import hashlib
import json
import os
import re
import subprocess
import sys
import zipfile

import ir_datasets
import pytest

from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeError, ExistingFileError
from ir_coliee.releases.release import LocalRelease
from ir_coliee.synthetic import write_release

pytestmark = pytest.mark.slow

PROGRESS = "ir_coliee.synthetic.release.progress"
SCALE = 0.01
TINY = 0.002
QUOTATION = re.compile(r" It was held in <FRAGMENT_SUPPRESSED> that ([a-z ]+)\.")


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    write_release("coliee/task1/2025", folder, scale=SCALE, seed=7)
    return folder


def release_of(split):
    """Return the common id of the splits of a release."""
    if split.exam_years:
        return f"coliee/task3/{split.edition}/{split.language}"
    return split.id.rpartition("/")[0].removesuffix("/prediction").removesuffix("/rationale")


EDITIONS = sorted({release_of(split) for split in SPLITS.values() if split.edition != "sample"})


def digest(folder):
    """Return the name of every file and the hash of its bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def gold_of(release, split):
    gold = json.loads((release / f"task1_{split}_labels_2025.json").read_text())
    return {query.removesuffix(".txt"): [case.removesuffix(".txt") for case in cases] for query, cases in gold.items()}


def texts_of(release, split):
    return {path.stem: path.read_text() for path in (release / f"task1_{split}_files_2025").glob("[0-9]*.txt")}


def year_of(text):
    (year,) = re.findall(r"^Decided in (\d{4})\.$", text, re.MULTILINE)
    return int(year)


def words_of(text):
    """Return the words of the paragraphs without numbers, full stops and inserted quotations."""
    body = text.split("\n", 2)[2].removesuffix("\n[End of document]")
    return re.sub(r"\[\d+\]", " ", QUOTATION.sub("", body)).replace(".", " ").split()


def test_the_written_paths_are_returned_and_have_the_true_layout(tmp_path):
    paths = write_release("coliee/task1/2025", str(tmp_path / "new" / "folder"), scale=0.001).paths
    assert sorted(path.name for path in paths) == [
        "task1_test_files_2025",
        "task1_test_labels_2025.json",
        "task1_train_files_2025",
        "task1_train_labels_2025.json",
    ]
    assert sorted(paths) == sorted((tmp_path / "new" / "folder").iterdir())


@pytest.mark.parametrize("split", ["train", "test"])
def test_names_are_six_digits_from_900000_and_labels_name_files(release, split):
    texts, gold = texts_of(release, split), gold_of(release, split)
    assert [name for name in texts if not re.fullmatch(r"9\d{5}", name)] == []
    assert all((release / f"task1_{split}_files_2025" / f"{name}.txt").is_file() for name in texts)
    assert set(gold) | {case for cases in gold.values() for case in cases} <= set(texts)


@pytest.mark.parametrize("split", ["train", "test"])
def test_the_corpus_holds_nothing_but_documents(release, split):
    assert {path.suffix for path in (release / f"task1_{split}_files_2025").iterdir()} == {".txt"}


def test_train_and_test_share_no_file_name(release):
    assert not set(texts_of(release, "train")) & set(texts_of(release, "test"))


def test_the_files_have_the_form_of_the_organisers(release):
    for path in (release / "task1_test_files_2025").glob("[0-9]*.txt"):
        data = path.read_bytes()
        assert data.isascii()
        assert b"\r" not in data
        text = data.decode()
        assert text.startswith(" <FRAGMENT_SUPPRESSED>  (FC)\nDecided in ")
        assert text.endswith("\n[End of document]")
        marks = [int(number) for number in re.findall(r"^\[(\d+)\]$", text, re.MULTILINE)]
        assert marks == list(range(1, len(marks) + 1))
        assert marks


@pytest.mark.parametrize(
    ("scale", "sizes"),
    [(SCALE, {"train": (74, 17), "test": (22, 4)}), (0.02, {"train": (147, 34), "test": (43, 8)})],
)
def test_the_scale_is_the_share_of_the_true_size(tmp_path, scale, sizes):
    write_release("coliee/task1/2025", tmp_path, scale=scale)
    for split, (docs, queries) in sizes.items():
        assert (len(texts_of(tmp_path, split)), len(gold_of(tmp_path, split))) == (docs, queries)


def test_even_the_smallest_release_has_queries_and_gold(tmp_path):
    write_release("coliee/task1/2025", tmp_path, scale=1e-9)
    for split in ("train", "test"):
        gold = gold_of(tmp_path, split)
        assert len(gold) >= 3
        assert all(gold.values())
        assert len(texts_of(tmp_path, split)) == 12


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(release, tmp_path):
    for name, seed in (("again", 7), ("other", 8)):
        write_release("coliee/task1/2025", tmp_path / name, scale=SCALE, seed=seed)
    assert digest(tmp_path / "again") == digest(release)
    for split in ("train", "test"):
        assert not set(texts_of(tmp_path / "other", split).values()) & set(texts_of(release, split).values())


def test_the_id_of_a_split_or_of_the_edition_names_the_same_release(release, tmp_path):
    for name in ("train", "test"):
        write_release(f"coliee/task1/2025/{name}", tmp_path / name, scale=SCALE, seed=7)
        assert digest(tmp_path / name) == digest(release)


# --- planted relevance -----------------------------------------------------------------------------


@pytest.mark.parametrize("split", ["train", "test"])
def test_a_noticed_case_is_another_case_not_later_than_the_query_and_named_once(release, split):
    texts = texts_of(release, split)
    years = {name: year_of(text) for name, text in texts.items()}
    for query, cases in gold_of(release, split).items():
        assert cases
        assert query not in cases
        assert len(set(cases)) == len(cases)
        assert [case for case in cases if years[case] > years[query]] == []
    assert all(1985 <= year <= 2025 for year in years.values())
    assert len(set(years.values())) > 5


def test_no_query_of_the_test_is_noticed(release):
    gold = gold_of(release, "test")
    assert not set(gold) & {case for cases in gold.values() for case in cases}


@pytest.mark.parametrize("split", ["train", "test"])
def test_a_query_quotes_a_passage_of_each_case_that_it_notices(release, split):
    texts = texts_of(release, split)
    for query, cases in gold_of(release, split).items():
        quotations = QUOTATION.findall(texts[query])
        assert len(quotations) == len(cases)
        for quotation, case in zip(quotations, cases):
            assert len(quotation.split()) == 30
            assert f" {quotation} " in " " + " ".join(words_of(texts[case])) + " "


def test_only_queries_quote(release):
    gold = gold_of(release, "test")
    quoting = {name for name, text in texts_of(release, "test").items() if QUOTATION.search(text)}
    assert quoting == set(gold)


def test_a_decision_names_no_other_case(release):
    texts = texts_of(release, "test")
    assert [name for name, text in texts.items() for other in texts if other in text] == []


def test_lengths_vary_as_those_of_decisions_do(release):
    lengths = sorted(len(words_of(text)) for text in texts_of(release, "train").values())
    assert 90 <= lengths[0] < 2_000
    assert 2_000 < lengths[len(lengths) // 2] < 6_000
    assert lengths[-1] > 8_000


def test_no_two_decisions_are_the_same(release):
    texts = [text for split in ("train", "test") for text in texts_of(release, split).values()]
    assert len(set(texts)) == len(texts) == 96


# --- as a local copy -------------------------------------------------------------------------------


def test_a_synthetic_release_loads_as_the_edition(release, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(release))
    for split in ("train", "test"):
        dataset_id = f"coliee/task1/2025/{split}"
        assert LocalRelease.open(SPLITS[dataset_id]).missing == ()
        dataset = ir_datasets.load(dataset_id)
        gold = gold_of(release, split)
        assert [query.query_id for query in dataset.queries] == list(gold)
        assert [(qrel.query_id, qrel.doc_id) for qrel in dataset.qrels] == [
            (query, case) for query, cases in gold.items() for case in cases
        ]
        assert {doc.doc_id for doc in dataset.docs} == set(texts_of(release, split))


# --- refused calls ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "taken", ["task1_test_labels_2025.json", "task1_train_files_2025", "task1_train_labels_2025.json"]
)
def test_nothing_is_overwritten_and_nothing_written_where_a_name_is_taken(tmp_path, taken):
    (tmp_path / taken).write_text("mine")
    with pytest.raises(ExistingFileError, match=re.escape(str(tmp_path / taken))):
        write_release("coliee/task1/2025", tmp_path, scale=SCALE)
    assert [path.name for path in tmp_path.iterdir()] == [taken]
    assert (tmp_path / taken).read_text() == "mine"


def test_writing_twice_is_refused_and_changes_nothing(tmp_path):
    write_release("coliee/task1/2025", tmp_path, scale=0.001)
    before = digest(tmp_path)
    with pytest.raises(FileExistsError):
        write_release("coliee/task1/2025", tmp_path, scale=0.001, seed=1)
    assert digest(tmp_path) == before


@pytest.mark.parametrize("scale", [0, -1, 1.01, float("nan"), float("inf")])
def test_a_scale_outside_of_its_range_is_refused(tmp_path, scale):
    with pytest.raises(ColieeError, match=f"got {scale}"):
        write_release("coliee/task1/2025", tmp_path / "new", scale=scale)
    assert not (tmp_path / "new").exists()


def test_a_negative_seed_is_refused(tmp_path):
    with pytest.raises(ColieeError, match="got -1"):
        write_release("coliee/task1/2025", tmp_path / "new", scale=SCALE, seed=-1)


@pytest.mark.parametrize(
    ("dataset_id", "next_step"),
    [
        ("coliee/task1/sample", "coliee/task1/2025"),
        ("coliee/task3/sample/en", "coliee/task3/2025/en"),
        ("coliee/task1/2098", "coliee/task1/2025"),
        ("coliee/task1", "coliee/task1/2025"),
        ("coliee/task3/2025", "coliee/task3/2025/en or coliee/task3/2025/ja"),
        ("no", "`ir_coliee list`"),
        ("", "`ir_coliee list`"),
    ],
)
def test_an_id_that_names_no_release_is_refused_with_a_next_step(tmp_path, dataset_id, next_step):
    with pytest.raises(ColieeError) as caught:
        write_release(dataset_id, tmp_path / "new", scale=SCALE)
    problem, _, advice = str(caught.value).partition("\n")
    assert repr(dataset_id) in problem
    assert next_step in advice
    assert "sample" not in advice
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("edition", "other_names"),
    [
        ("coliee/task2/2025", ["coliee/task2/2025/train", "coliee/task2/2025/test/full"]),
        (
            "coliee/task3/2025/en",
            ["coliee/task4/2025/en", "coliee/task4/2025/en/h18", "coliee/task3/2025/en/test/as-distributed"],
        ),
        ("coliee/task3/2021/ja", ["coliee/task5/2021/ja/test"]),
        ("coliee/task3/2026", ["coliee/task3/2026/ja/deleted", "coliee/task4/2026/ja/train"]),
        ("coliee/pilot/2026", ["coliee/pilot/2026/rationale", "coliee/pilot/2026/prediction/test"]),
    ],
)
def test_every_id_of_a_release_names_it(tmp_path, edition, other_names):
    write_release(edition, tmp_path / "edition", scale=TINY)
    for number, name in enumerate(other_names):
        write_release(name, tmp_path / str(number), scale=TINY)
        assert digest(tmp_path / str(number)) == digest(tmp_path / "edition")


def test_progress_sees_every_file(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(PROGRESS, lambda numbers, *given, **options: seen.append((given, options)) or numbers)
    write_release("coliee/task1/2025", tmp_path, scale=0.001)
    write_release("coliee/task3/2025/en", tmp_path, scale=0.001, verbose=True)
    assert seen == [
        (("writing coliee/task1/2025/train",), {"unit": "decisions", "verbose": False}),
        (("writing coliee/task1/2025/test",), {"unit": "decisions", "verbose": False}),
        (("writing coliee/task3/2025/en",), {"unit": "exam years", "verbose": True}),
    ]


# --- all releases ----------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_without_irregularities_none_are_reported_and_with_them_some(tmp_path, edition):
    assert write_release(edition, tmp_path / "plain", scale=TINY).irregularities == {}
    planted = write_release(edition, tmp_path / "irregularities", scale=TINY, irregularities=True)
    assert planted.irregularities
    assert all(places and all(isinstance(place, str) for place in places) for places in planted.irregularities.values())


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_splits_of_the_edition_are_counted(tmp_path, edition):
    planted = write_release(edition, tmp_path, scale=TINY)
    assert set(planted.splits) == {split.id for split in SPLITS.values() if release_of(split) == edition}


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_planted_in_a_file_names_a_file(tmp_path, edition):
    planted = write_release(edition, tmp_path, scale=TINY, irregularities=True)
    files = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    named = {place for places in planted.irregularities.values() for place in places if "/" in place}
    assert named - files == set()


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("archive", [False, True])
def test_a_release_takes_what_it_returns_and_nothing_else(tmp_path, edition, archive):
    planted = write_release(edition, tmp_path, scale=TINY, archive=archive, irregularities=True)
    assert all(path.exists() for path in planted.paths)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert [taken for taken in planted.paths if path.is_relative_to(taken)], path


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_archive_holds_the_same_files(tmp_path, edition):
    write_release(edition, tmp_path / "plain", scale=TINY)
    planted = write_release(edition, tmp_path / "packed", scale=TINY, archive=True)
    for path in planted.paths:
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                assert {name.partition("/")[0] for name in archive.namelist()} == {path.stem}
                archive.extractall(tmp_path / "unpacked")
        else:
            (tmp_path / "unpacked" / path.name).write_bytes(path.read_bytes())
    assert digest(tmp_path / "unpacked") == digest(tmp_path / "plain")
    assert any(path.suffix == ".zip" for path in planted.paths)


def test_the_bytes_do_not_hang_on_the_order_of_sets(tmp_path):
    """A new process hashes strings anew."""
    program = "import sys, pathlib\nfrom ir_coliee.synthetic import write_release\n"
    for edition in (
        "coliee/task1/2021",
        "coliee/task1/2019",
        "coliee/task2/2026",
        "coliee/task3/2017/en",
        "coliee/pilot/2025",
    ):
        program += f"write_release({edition!r}, pathlib.Path(sys.argv[1]), scale={TINY}, irregularities=True)\n"
    for hash_seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed}
        subprocess.run([sys.executable, "-c", program, tmp_path / hash_seed], check=True, env=environment)
    assert digest(tmp_path / "1") == digest(tmp_path / "2")


@pytest.mark.parametrize("edition", ["coliee/task2/2025", "coliee/task3/2026/ja", "coliee/pilot/2025"])
@pytest.mark.parametrize("archive", [False, True])
def test_the_same_seed_gives_the_same_bytes_in_all_layouts(tmp_path, edition, archive):
    for name, seed in (("one", 3), ("again", 3), ("other", 4)):
        write_release(edition, tmp_path / name, scale=TINY, seed=seed, irregularities=True, archive=archive)
    assert digest(tmp_path / "one") == digest(tmp_path / "again")
    assert digest(tmp_path / "one") != digest(tmp_path / "other")


# --- safely written --------------------------------------------------------------------------------


class StoppedError(Exception):
    pass


def stop_at_the_third(numbers, *_given, **_options):
    for number in numbers:
        if number == 2:
            raise StoppedError
        yield number


@pytest.mark.parametrize("edition", ["coliee/task1/2025", "coliee/task2/2018", "coliee/task3/2025/en"])
@pytest.mark.parametrize("archive", [False, True])
def test_a_stopped_run_leaves_nothing_and_can_be_repeated(tmp_path, monkeypatch, edition, archive):
    monkeypatch.setattr(PROGRESS, stop_at_the_third)
    with pytest.raises(StoppedError):
        write_release(edition, tmp_path, scale=TINY, archive=archive)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    assert write_release(edition, tmp_path, scale=TINY, archive=archive).paths[0].exists()


def test_a_run_that_was_killed_between_two_folders_can_be_repeated(tmp_path):
    *_, last = write_release("coliee/task1/2025", tmp_path, scale=TINY).paths
    whole = digest(tmp_path)
    last.unlink()
    write_release("coliee/task1/2025", tmp_path, scale=TINY)
    assert digest(tmp_path) == whole
    last.unlink()
    with pytest.raises(ExistingFileError):
        write_release("coliee/task1/2025", tmp_path, scale=TINY, seed=1)
    assert not last.exists()


@pytest.mark.parametrize(
    ("edition", "taken"),
    [
        ("coliee/task1/2018", "COLIEE2018_CaseLaw_Test_Data/IR"),
        ("coliee/task2/2026", "task2_test_labels_2026.json"),
        ("coliee/task3/2025/en", "COLIEE2025statute_data-English"),
        ("coliee/pilot/2026", "LJPJT26"),
    ],
)
def test_a_broken_link_is_not_written_through(tmp_path, edition, taken):
    (tmp_path / taken).parent.mkdir(exist_ok=True)
    (tmp_path / taken).symlink_to(tmp_path / "nowhere")
    with pytest.raises(ExistingFileError, match=re.escape(taken)):
        write_release(edition, tmp_path, scale=TINY)
    assert not (tmp_path / "nowhere").exists()


def test_a_name_that_is_taken_while_writing_is_not_written_over(tmp_path, monkeypatch):
    def take(numbers, *_given, **_options):
        for number in numbers:
            (tmp_path / "task1_test_files_2025").write_text("mine")
            yield number

    monkeypatch.setattr(PROGRESS, take)
    with pytest.raises(ExistingFileError):
        write_release("coliee/task1/2025", tmp_path, scale=TINY)
    assert [path.name for path in tmp_path.iterdir()] == ["task1_test_files_2025"]


def test_an_existing_archive_is_not_written_over(tmp_path):
    (tmp_path / "task1_train_files_2025.zip").write_text("mine")
    with pytest.raises(ExistingFileError, match="zip"):
        write_release("coliee/task1/2025", tmp_path, scale=TINY, archive=True)
    assert [path.name for path in tmp_path.iterdir()] == ["task1_train_files_2025.zip"]


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(ExistingFileError, match="not a folder"):
        write_release("coliee/task1/2025", tmp_path / "taken", scale=TINY)


def test_both_tasks_of_2018_fit_into_one_folder(tmp_path):
    for task in ("task1", "task2"):
        write_release(f"coliee/{task}/2018", tmp_path, scale=TINY)
    assert sorted(path.name for path in (tmp_path / "COLIEE2018_CaseLaw_Training_Data").iterdir()) == [
        "Entailment1",
        "IR",
    ]
