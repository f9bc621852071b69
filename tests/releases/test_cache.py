"""The cache: complete entries below the data folder, which everything works without."""

import errno
import multiprocessing
import os
import time
import warnings
import zlib
from pathlib import Path

import ir_datasets
import pytest
from zips import write_zip

from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.releases import files as cache
from ir_coliee.releases.zips import Slice

KEY, OTHER = "0" * 24, "1" * 24
TEST = "coliee/task1/2025/test"
TEXTS = {f"90000{n}": f"Decision {n}. café" * n for n in range(1, 6)}


@pytest.fixture
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("COLIEE_HOME", str(folder))
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "parent"))
    return folder


def origin():
    return os.path.join(os.environ["COLIEE_HOME"].split(os.pathsep)[-1], "release.zip")


def put_zip(home, texts=TEXTS):
    return write_zip(home / "task1_test_files_2025.zip", {f"{name}.txt": text for name, text in texts.items()})


def entries(home):
    root = home / ".cache" / "ir_coliee"
    return sorted(path.name for path in root.iterdir()) if root.is_dir() else []


def looked_up(texts=TEXTS):
    store = ir_datasets.load(TEST).docs_store()
    return {name: store.get(name).text for name in reversed(list(texts))}


def refuse(*_args, **_options):
    raise OSError(errno.ENOSPC, "No space left on device")


# --- look-ups from a zip ---------------------------------------------------------------------------


def test_the_first_look_up_in_a_zip_makes_the_cache_and_the_second_uses_it(home, monkeypatch):
    put_zip(home)
    assert looked_up() == TEXTS
    (entry,) = entries(home)
    assert entry.startswith("documents-")
    monkeypatch.setattr(cache, "_built", refuse)
    assert looked_up() == TEXTS


def test_a_loop_over_all_documents_makes_no_cache(home):
    put_zip(home)
    assert {doc.doc_id: doc.text for doc in ir_datasets.load(TEST).docs_iter()} == TEXTS
    assert entries(home) == []


def test_look_ups_in_a_folder_make_no_cache(home):
    for name, text in TEXTS.items():
        path = home / "task1_test_files_2025" / f"{name}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert looked_up() == TEXTS
    assert not (home / ".cache").exists()


def test_a_zip_of_other_content_has_another_entry_and_the_same_content_elsewhere_the_same(home):
    path = put_zip(home)
    looked_up()
    before = entries(home)
    path.rename(home / "task1_test_files_2025 (1).zip")
    assert looked_up() == TEXTS
    assert entries(home) == before
    (home / "task1_test_files_2025 (1).zip").unlink()
    changed = {**TEXTS, "900003": "Another decision."}
    put_zip(home, changed)
    assert looked_up() == changed
    assert len(entries(home)) == 2


def test_a_cache_that_is_deleted_meanwhile_does_no_harm(home):
    put_zip(home)
    store = ir_datasets.load(TEST).docs_store()
    store.get("900001")
    cache.purge()
    assert store.get("900002").text == TEXTS["900002"]


def test_a_slice_is_named_as_the_file_of_the_copy(tmp_path):
    (tmp_path / "texts").write_bytes(b"onetwo")
    piece = Slice("made.zip/2.txt", zlib.crc32(b"two"), str(tmp_path / "texts"), 3, 6)
    assert (piece.read_bytes(), str(piece)) == (b"two", "made.zip/2.txt")


@pytest.mark.parametrize("start", [0, 7])
def test_damaged_texts_in_the_cache_are_read_from_the_copy(home, start):
    put_zip(home)
    looked_up()
    (texts,) = (home / ".cache" / "ir_coliee").glob("*/texts.bin")
    texts.write_bytes(texts.read_bytes()[:start] + b"?" + texts.read_bytes()[start + 1 :])
    assert looked_up() == TEXTS


@pytest.mark.parametrize("damage", [lambda texts: texts[:-8], lambda texts: b"", lambda texts: texts * 2])
def test_texts_of_another_size_in_the_cache_are_told_and_do_no_harm(home, damage):
    put_zip(home)
    looked_up()
    (texts,) = (home / ".cache" / "ir_coliee").glob("*/texts.bin")
    texts.write_bytes(damage(texts.read_bytes()))
    os.utime(home / "task1_test_files_2025.zip", (0, 0))  # so that it is opened again
    with pytest.warns(ColieeWarning, match="purge"):
        assert looked_up() == TEXTS


def test_the_positions_of_the_texts_are_those_of_the_archive(home):
    put_zip(home)
    assert looked_up() == TEXTS
    (entry,) = (home / ".cache" / "ir_coliee").iterdir()
    assert os.listdir(entry) == ["texts.bin"]


def test_the_texts_of_a_zip_with_a_password_are_not_copied(home, monkeypatch):
    monkeypatch.setenv("COLIEE_PASSWORD", "sesame")
    texts = {f"{name}.txt": text for name, text in TEXTS.items()}
    write_zip(home / "task1_test_files_2025.zip", texts, password="sesame")
    assert looked_up() == TEXTS
    assert entries(home) == []


def test_nothing_of_the_users_files_is_changed(home):
    path = put_zip(home)
    before = path.read_bytes(), path.stat().st_mtime_ns
    looked_up()
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert sorted(p.name for p in home.iterdir()) == [".cache", path.name]


# --- where it cannot be written --------------------------------------------------------------------


def test_on_a_full_disk_reading_goes_on_with_a_warning_and_nothing_is_left(home, monkeypatch):
    put_zip(home)
    monkeypatch.setattr("ir_coliee.releases.zips.open", refuse, raising=False)
    with pytest.warns(ColieeWarning, match="The cache could not be written .*No space left"):
        assert looked_up() == TEXTS
    assert entries(home) == []


def test_an_entry_lies_below_the_data_folder_that_its_content_comes_from(home, tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", os.pathsep.join([str(tmp_path / "nowhere"), str(home)]))
    put_zip(home)
    assert looked_up() == TEXTS
    assert len(entries(home)) == 1
    assert not (tmp_path / "nowhere").exists()


def test_where_the_data_folder_cannot_be_written_the_folder_of_ir_datasets_serves(home, monkeypatch):
    put_zip(home)
    true_mkdir = Path.mkdir

    def mkdir(path, *args, **options):
        if home in path.parents:
            raise PermissionError(errno.EACCES, "Permission denied")
        true_mkdir(path, *args, **options)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    assert looked_up() == TEXTS
    assert not (home / ".cache").exists()
    own = Path(os.environ["IR_DATASETS_HOME"]) / "coliee" / ".cache" / "ir_coliee"
    assert len(list(own.iterdir())) == 1
    assert cache.purge() == [own]


# --- entries ---------------------------------------------------------------------------------------


def build(folder):
    (folder / "content").write_text("built")


def test_an_entry_is_built_once(home):
    times = []
    for _ in range(3):
        entry = cache.entry("thing", KEY, origin(), lambda folder: (times.append(1), build(folder)))
        assert (entry / "content").read_text() == "built"
    assert len(times) == 1
    assert entries(home) == [f"thing-{KEY}"]


def test_an_entry_has_the_permissions_of_other_folders(home):
    (home / "other").mkdir()
    entry = cache.entry("thing", KEY, origin(), build)
    assert entry.stat().st_mode == (home / "other").stat().st_mode


def test_an_ir_datasets_folder_that_cannot_be_created_is_no_error(home, tmp_path):
    (tmp_path / "parent").write_text("a file")
    assert cache.entry("thing", KEY, origin(), build).is_dir()


def test_the_key_is_of_the_whole_content():
    assert cache.key_of(["a", "b"]) == cache.key_of(iter(["a", "b"])) != cache.key_of(["ab"])
    assert cache.key_of([]) != cache.key_of([""])


class Stopped(BaseException):
    pass


def test_a_build_that_is_interrupted_leaves_nothing(home):
    def interrupted(folder):
        build(folder)
        raise Stopped

    with pytest.raises(Stopped):
        cache.entry("thing", KEY, origin(), interrupted)
    assert entries(home) == []
    assert cache.entry("thing", KEY, origin(), build).is_dir()


def _die_in_the_middle(home):
    os.environ["COLIEE_HOME"] = home
    cache.entry("thing", KEY, origin(), lambda folder: (build(folder), os._exit(9)))


def test_what_a_killed_process_leaves_is_no_entry_and_is_deleted_by_the_next_build(home):
    process = multiprocessing.get_context("spawn").Process(target=_die_in_the_middle, args=(str(home),))
    process.start()
    process.join(60)
    assert process.exitcode == 9
    (left,) = entries(home)
    assert "unfinished-" in left
    assert (cache.entry("thing", KEY, origin(), build) / "content").read_text() == "built"
    assert entries(home) == [f"thing-{KEY}"]


@pytest.mark.parametrize("end", [cache.purge, lambda: cache.entry("thing", OTHER, origin(), build)])
def test_what_another_call_is_building_stays_however_old_it_is(home, end):
    def interrupted(folder):
        build(folder)
        os.utime(folder, (0, 0))
        end()

    assert (cache.entry("thing", KEY, origin(), interrupted) / "content").read_text() == "built"


def _build_slowly(home, number, results):
    os.environ["COLIEE_HOME"] = home

    def slow(folder):
        (folder / "content").write_text(f"{number}")
        time.sleep(0.3)

    results.put(str(cache.entry("thing", KEY, origin(), slow)))


def test_of_two_processes_that_build_one_entry_both_have_it_whole(home):
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    builders = [context.Process(target=_build_slowly, args=(str(home), n, results)) for n in range(2)]
    for builder in builders:
        builder.start()
    places = {results.get(timeout=60) for _ in builders}
    assert len(places) == 1
    assert (Path(places.pop()) / "content").read_text() in ("0", "1")
    assert entries(home) == [f"thing-{KEY}"]


# --- purge -----------------------------------------------------------------------------------------


def test_purge_deletes_what_is_ours_and_nothing_else(home):
    cache.entry("thing", KEY, origin(), build)
    (home / ".cache" / "of_another_program").mkdir()
    (home / "task1_train_labels_2025.json").write_text("{}")
    assert cache.purge() == [home / ".cache" / "ir_coliee"]
    assert sorted(p.name for p in home.rglob("*")) == [".cache", "of_another_program", "task1_train_labels_2025.json"]
    assert cache.purge() == []


def test_an_emptied_cache_folder_goes_too(home):
    cache.entry("thing", KEY, origin(), build)
    cache.purge()
    assert list(home.iterdir()) == []


def test_purge_leaves_what_is_no_entry(home):
    cache.entry("thing", KEY, origin(), build)
    (home / ".cache" / "ir_coliee" / "notes.txt").write_text("mine")
    assert cache.purge() == [home / ".cache" / "ir_coliee"]
    assert [path.name for path in (home / ".cache" / "ir_coliee").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("link", [".cache", ".cache/ir_coliee"])
def test_a_link_is_neither_written_through_nor_deleted_behind(home, tmp_path, link):
    outside = tmp_path / "outside"
    (outside / "ir_coliee" / f"thing-{KEY}").mkdir(parents=True)
    (home / link).parent.mkdir(exist_ok=True)
    (home / link).symlink_to(outside / "ir_coliee" if "/" in link else outside, target_is_directory=True)
    put_zip(home)
    assert looked_up() == TEXTS
    with pytest.raises(ColieeError, match="is a link"):
        cache.purge()
    assert [path.name for path in (outside / "ir_coliee").iterdir()] == [f"thing-{KEY}"]


def test_a_purge_that_fails_says_where(home, monkeypatch):
    cache.entry("thing", KEY, origin(), build)
    monkeypatch.setattr("shutil.rmtree", refuse)
    with pytest.raises(ColieeError, match=r"ir_coliee could not be deleted \(No space left"):
        cache.purge()


def test_no_warning_comes_where_all_is_well(home):
    put_zip(home)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        looked_up()
