"""The listing of a data folder: which files have a name, and when the folder is listed again."""

import os
import warnings

import pytest
from zips import write_zip

from ir_coliee.errors import ColieeWarning
from ir_coliee.releases.search import Listing, frozen_listings, listing
from ir_coliee.releases.zips import ZipFolder

LONG_AGO = 10**18


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def put(path, text="{}"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def places(home, name):
    return [str(found.node).removeprefix(f"{home}{os.sep}") for found in Listing(str(home)).named(name)]


def age(home):
    """Time stamps of long ago, so that nothing looks like a change in the moment of the listing."""
    for path in [*home.rglob("*"), home]:
        os.utime(path, ns=(LONG_AGO, LONG_AGO))


# --- names -----------------------------------------------------------------------------------------


def test_a_name_is_found_at_every_depth_nearest_first(home):
    for place in ("a/b", "z", "."):
        put(home / place / "x.json")
    assert places(home, "x.json") == ["x.json", "z/x.json", "a/b/x.json"]


def test_a_candidate_tells_its_kind_and_the_folders_it_lies_in(home):
    put(home / "a" / "x" / "y.json")
    write_zip(home / "z.zip", {"b/y.json": "{}"})
    here = Listing(str(home))
    (folder,) = here.named("x")
    on_disk, zipped = sorted(here.named("y.json"), key=lambda found: found.in_zip)
    assert (folder.is_folder, folder.in_zip, folder.parents) == (True, False, ("a",))
    assert (on_disk.is_folder, on_disk.in_zip, on_disk.parents) == (False, False, ("a", "x"))
    assert (zipped.is_folder, zipped.in_zip, zipped.parents) == (False, True, ("z", "b"))
    (of_zip,) = here.named("z")
    assert (of_zip.is_folder, of_zip.in_zip) == (True, True)


@pytest.mark.parametrize("name", ["x.json", "x (1).json", "x(12).json", "clean_x.json", "clean_x (1).json"])
def test_what_is_added_to_a_name_does_not_count(home, name):
    put(home / name)
    assert places(home, "x.json") == [name]


@pytest.mark.parametrize("name", ["x (1).json.bak", "x (a).json", "old_x.json", "x.json2", "x (1) 2.json", "X.json"])
def test_another_name_is_not_found(home, name):
    put(home / name)
    assert places(home, "x.json") == []


def test_a_pattern_finds_what_it_matches_as_a_whole(home):
    for name in ("train001.jsonl", "train002 (1).jsonl", "train1.jsonl", "atrain001.jsonl"):
        put(home / name)
    assert sorted(places(home, "train???.jsonl")) == ["train001.jsonl", "train002 (1).jsonl"]
    assert len(places(home, "*train*.jsonl")) == 4


def test_litter_and_hidden_files_are_not_listed(home):
    for place in ("__MACOSX", ".cache", ".hidden"):
        put(home / place / "x.json")
    put(home / "._x.json")
    assert places(home, "x.json") == []
    assert places(home, "._x.json") == []


def test_documents_are_not_listed_nor_are_case_folders_entered(home):
    put(home / "corpus" / "900001.txt")
    put(home / "corpus" / "901" / "x.json")
    put(home / "corpus" / "x.json")
    assert places(home, "900001.txt") == []
    assert places(home, "x.json") == ["corpus/x.json"]


def test_a_folder_named_by_an_edition_is_entered(home):
    put(home / "2025" / "x.json")
    put(home / "1025" / "x.json")
    assert places(home, "x.json") == ["2025/x.json"]


def test_a_folder_that_does_not_exist_lists_nothing(home):
    assert places(home / "nowhere", "x.json") == []


# --- zips ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["x.zip", "x (1).zip", "clean_x.zip", "x.ZIP"])
def test_a_zip_is_a_folder_of_its_name(home, name):
    write_zip(home / name, {"900001.txt": "one"})
    (found,) = Listing(str(home)).named("x")
    assert isinstance(found.node, ZipFolder)


def test_folders_and_files_in_a_zip_are_listed(home):
    write_zip(home / "package.zip", {"x/900001.txt": "one", "x.json": "{}", "__MACOSX/x/._900001.txt": ""})
    assert places(home, "x") == ["package.zip/x"]
    assert places(home, "x.json") == ["package.zip/x.json"]


@pytest.mark.parametrize("content", [b"", b"PK\3\4", b"no zip at all", b"PK\5\6" + b"\xff" * 18])
def test_a_broken_zip_among_others_is_ignored_with_a_warning_that_names_it(home, content):
    (home / "a.zip").write_bytes(content)
    write_zip(home / "b.zip", {"x.json": "{}"})
    with pytest.warns(ColieeWarning, match=r"(?s)a\.zip.*skipped"):
        assert places(home, "x.json") == ["b.zip/x.json"]


def test_a_folder_that_lost_its_permissions_is_ignored_with_a_warning_that_names_it(home, monkeypatch):
    put(home / "closed" / "x.json")
    put(home / "open" / "x.json")
    scan = os.scandir

    def refuse(path):
        if os.path.basename(path) == "closed":
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.warns(ColieeWarning, match=r"closed cannot be read \(Permission denied\).*skipped"):
        assert places(home, "x.json") == ["open/x.json"]


# --- changes ---------------------------------------------------------------------------------------


def test_what_has_not_changed_is_listed_once(home):
    put(home / "a" / "x.json")
    age(home)
    assert listing(str(home)) is listing(str(home))
    assert listing(str(home)).is_current()


def test_a_listing_made_in_the_moment_of_a_change_is_not_trusted(home):
    put(home / "x.json")
    assert not Listing(str(home)).is_current()


def add_a_file(home):
    put(home / "a" / "new.json")


def take_a_file(home):
    (home / "a" / "x.json").unlink()


def add_a_folder(home):
    (home / "a" / "new").mkdir()


def replace_the_zip_in_place(home):
    old = (home / "a" / "package.zip").read_bytes()
    write_zip(home / "b.zip", {"new.json": "{ }"})
    (home / "a" / "package.zip").write_bytes((home / "b.zip").read_bytes())
    (home / "b.zip").unlink()
    os.utime(home, ns=(LONG_AGO, LONG_AGO))
    assert (home / "a" / "package.zip").read_bytes() != old


def take_the_data_folder(home):
    for path in sorted(home.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    home.rmdir()


@pytest.mark.parametrize(
    "change", [add_a_file, take_a_file, add_a_folder, replace_the_zip_in_place, take_the_data_folder]
)
def test_a_change_is_noticed(home, change):
    put(home / "a" / "x.json")
    write_zip(home / "a" / "package.zip", {"old.json": "{}"})
    age(home)
    before = listing(str(home))
    assert before.is_current()
    change(home)
    assert not before.is_current()
    assert listing(str(home)) is not before


def test_a_zip_replaced_in_place_is_read_anew(home):
    write_zip(home / "package.zip", {"old.json": "{}"})
    age(home)
    assert [found.node.name for found in listing(str(home)).named("old.json")] == ["old.json"]
    write_zip(home / "package.zip", {"new.json": "[1]"})
    os.utime(home, ns=(LONG_AGO, LONG_AGO))
    assert list(listing(str(home)).named("old.json")) == []
    (found,) = listing(str(home)).named("new.json")
    assert found.node.read_bytes() == b"[1]"


def test_a_data_folder_that_appears_is_listed(home):
    later = home / "later"
    assert list(listing(str(later)).named("x.json")) == []
    put(later / "x.json")
    assert len(list(listing(str(later)).named("x.json"))) == 1


def test_a_link_to_a_folder_that_contains_the_data_folder_is_not_entered(home):
    put(home.parent / "others" / "x.json")
    put(home / "a" / "x.json")
    (home / "a" / "up").symlink_to(home.parent, target_is_directory=True)
    assert places(home, "x.json") == ["a/x.json"]


def test_a_circle_of_links_ends(home):
    put(home / "a" / "x.json")
    (home / "a" / "round").symlink_to(home, target_is_directory=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert places(home, "x.json") == ["a/x.json"]


def test_a_damaged_zip_replaced_in_place_is_read_anew(home):
    (home / "package.zip").write_bytes(b"cut off")
    age(home)
    with pytest.warns(ColieeWarning, match="skipped"):
        assert list(listing(str(home)).named("x.json")) == []
    write_zip(home / "package.zip", {"x.json": "{}"})
    os.utime(home, ns=(LONG_AGO, LONG_AGO))
    assert [found.in_zip for found in listing(str(home)).named("x.json")] == [True]


def test_within_a_report_a_folder_is_listed_once_and_anew_for_it(home):
    put(home / "x.json")
    age(home)
    before = listing(str(home))
    with frozen_listings():
        during = listing(str(home))
        put(home / "y.json")
        assert listing(str(home)) is during
        assert during is not before
    assert len(list(listing(str(home)).named("y.json"))) == 1


def test_a_report_that_fails_holds_the_listing_no_longer(home):
    with pytest.raises(RuntimeError), frozen_listings():
        raise RuntimeError
    put(home / "x.json")
    first = listing(str(home))
    assert listing(str(home)) is not first  # made in the moment of a change


def test_the_listing_of_a_very_large_folder_ends_with_a_warning(tmp_path, monkeypatch):
    monkeypatch.setattr("ir_coliee.releases.search.MAX_ENTRIES", 20)
    for number in range(30):
        (tmp_path / f"folder{number:02}" / "inner").mkdir(parents=True)
    (tmp_path / "found.json").touch()
    with pytest.warns(ColieeWarning, match=r"ended before .*folder00, after more than 20 files and folders") as caught:
        listing = Listing(str(tmp_path))
    assert [message for message in caught if "COLIEE_HOME" in str(message.message)]
    assert [*listing.named("found.json")]
    assert [*listing.named("inner")] == []
