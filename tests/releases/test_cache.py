"""The cache: complete entries below the data folder, which everything works without."""

import errno
import multiprocessing
import os
import time
from pathlib import Path

import pytest

from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.releases import cache

KEY, OTHER = "0" * 24, "1" * 24


@pytest.fixture
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("COLIEE_HOME", str(folder))
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "parent"))
    return folder


def entries(home):
    root = home / ".cache" / "ir_coliee"
    return sorted(path.name for path in root.iterdir()) if root.is_dir() else []


def build(folder):
    (folder / "content").write_text("built")


def thing(home, build=build, key=KEY):
    return cache.entry("thing", key, str(home / "release.zip"), build)


def refuse(*_args, **_options):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_an_entry_is_below_the_data_folder_of_its_content_or_else_below_that_of_ir_datasets(
    home, tmp_path, monkeypatch
):
    monkeypatch.setenv("COLIEE_HOME", os.pathsep.join([str(tmp_path / "nowhere"), str(home)]))
    assert home in thing(home).parents
    make = Path.mkdir

    def mkdir(path, *args, **options):
        if home in path.parents:
            raise PermissionError(errno.EACCES, "Permission denied")
        make(path, *args, **options)

    cache.purge()
    monkeypatch.setattr(Path, "mkdir", mkdir)
    own = tmp_path / "parent" / "coliee" / ".cache" / "ir_coliee"
    assert thing(home).parent == own
    assert cache.purge() == [own]
    assert not (tmp_path / "nowhere").exists()


def test_where_nothing_can_be_written_there_is_no_entry_but_a_hint(home):
    with pytest.warns(ColieeWarning, match="The cache could not be written .*No space left"):
        assert thing(home, refuse) is None
    assert entries(home) == []


def _die_in_the_middle(home):
    os.environ["COLIEE_HOME"] = str(home)
    thing(home, lambda folder: (build(folder), os._exit(9)))


@pytest.mark.slow
def test_what_a_killed_process_leaves_is_no_entry_and_is_deleted_by_the_next_build(home):
    process = multiprocessing.get_context("spawn").Process(target=_die_in_the_middle, args=(home,))
    process.start()
    process.join(60)
    assert process.exitcode == 9
    (left,) = entries(home)
    assert "unfinished-" in left
    assert (thing(home) / "content").read_text() == "built"
    assert entries(home) == [f"thing-{KEY}"]


@pytest.mark.parametrize("end", [lambda home: cache.purge(), lambda home: thing(home, key=OTHER)])
def test_what_another_call_is_building_stays_however_old_it_is(home, end):
    def interrupted(folder):
        build(folder)
        os.utime(folder, (0, 0))
        end(home)

    assert (thing(home, interrupted) / "content").read_text() == "built"


def _build_slowly(home, number):
    os.environ["COLIEE_HOME"] = str(home)

    def slow(folder):
        (folder / "content").write_text(f"{number}")
        time.sleep(0.3)

    return thing(home, slow)


def test_of_two_processes_that_build_one_entry_both_have_it_whole(home):
    with multiprocessing.get_context("spawn").Pool(2) as builders:
        places = {*builders.starmap(_build_slowly, [(home, number) for number in range(2)], chunksize=1)}
    assert len(places) == 1
    assert (places.pop() / "content").read_text() in ("0", "1")
    assert entries(home) == [f"thing-{KEY}"]


def test_purge_deletes_the_entries_and_nothing_else(home):
    root = home / ".cache" / "ir_coliee"
    thing(home)
    (root / "notes.txt").write_text("mine")
    (home / "task1_train_labels_2025.json").write_text("{}")
    assert cache.purge() == [root]
    assert cache.purge() == []
    kept = [".cache", "ir_coliee", "notes.txt", "task1_train_labels_2025.json"]
    assert sorted(path.name for path in home.rglob("*")) == kept
    (root / "notes.txt").unlink()
    thing(home)
    cache.purge()
    assert [path.name for path in home.iterdir()] == ["task1_train_labels_2025.json"]


@pytest.mark.parametrize("link", [".cache", ".cache/ir_coliee"])
def test_a_link_is_neither_written_through_nor_deleted_behind(home, tmp_path, link):
    outside = tmp_path / "outside"
    (outside / "ir_coliee" / f"thing-{KEY}").mkdir(parents=True)
    (home / link).parent.mkdir(exist_ok=True)
    (home / link).symlink_to(outside / "ir_coliee" if "/" in link else outside, target_is_directory=True)
    assert tmp_path / "parent" in thing(home, key=OTHER).parents
    with pytest.raises(ColieeError, match="is a link"):
        cache.purge()
    assert [path.name for path in (outside / "ir_coliee").iterdir()] == [f"thing-{KEY}"]


def test_a_purge_that_fails_names_the_folder(home, monkeypatch):
    thing(home)
    monkeypatch.setattr("shutil.rmtree", refuse)
    with pytest.raises(ColieeError, match=r"ir_coliee could not be deleted \(No space left"):
        cache.purge()
