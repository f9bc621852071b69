"""ZIP archives within ZIP archives, as participants keep them: one level is opened, within the limits."""

import io
import struct
import warnings
import zipfile
from pathlib import Path

import ir_datasets
import pytest
from fixture_releases import copy_of_release
from zips import write_aes_zip, write_zip

from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.releases.files import DiskFolder, File
from ir_coliee.releases.release import LocalRelease, inventory
from ir_coliee.releases.search import walk
from ir_coliee.releases.zips import has_password, open_archive, unpacked
from ir_coliee.storage import INNER_ARCHIVE

TASK1 = "coliee/task1/2025/train"


def packed(path, folder, root):
    """The files below a folder as one ZIP archive, with their paths from the root."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return write_zip(path, {file.relative_to(root).as_posix(): file.read_bytes() for file in files})


def opened(path):
    return open_archive(File(DiskFolder(str(path.parent)), path.name))


def inner_of(path):
    """The only archive within an archive."""
    outer = opened(path)
    (inner,) = [file for file in outer.files() if file.name.endswith(".zip")]
    return open_archive(inner)


def texts(folder):
    return {file.name: file.read_bytes().decode() for file in folder.files()}


def walked(folder):
    """The paths of all folders that are found, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = [str(below) for _, below, _ in walk(DiskFolder(str(folder)), lambda _: True)]
    return found, [str(warning.message) for warning in caught]


@pytest.fixture
def nested(tmp_path, monkeypatch):
    """A data folder with one ZIP archive, which has the documents and the labels as ZIP archives, and their folder."""
    made = copy_of_release("task1/2025", tmp_path / "made", irregular=False)
    for folder in filter(Path.is_dir, [*made.iterdir()]):
        packed(tmp_path / "parts" / f"{folder.name}.zip", folder, made)
    for labels in made.glob("*.json"):
        (tmp_path / "parts" / labels.name).write_bytes(labels.read_bytes())
    packed(tmp_path / "data" / "COLIEE2025.zip", tmp_path / "parts", tmp_path / "parts")
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "data"))
    return made


def test_a_release_in_nested_archives_is_loaded_as_from_folders(nested, monkeypatch):
    (status,) = inventory([TASK1])
    assert status.state.startswith("complete")
    assert status.files["corpus"].kind == "zip"
    assert "COLIEE2025.zip/task1_train_files_2025.zip/task1_train_files_2025" in status.files["corpus"].path
    dataset = ir_datasets.load(f"{TASK1}/full")
    entities = [list(dataset.docs_iter()), list(dataset.queries_iter()), list(dataset.qrels_iter())]
    of_nested = LocalRelease.open(TASK1).fingerprint
    looked_up = dataset.docs_store().get(entities[0][-1].doc_id)  # from the plain file in the cache
    assert looked_up == entities[0][-1]
    monkeypatch.setenv("COLIEE_HOME", str(nested))
    release = LocalRelease.open(TASK1)
    assert [*map(list, (release.documents(), release.queries(full=True), release.qrels()))] == entities
    assert release.fingerprint != of_nested  # of time stamps instead of check sums


@pytest.mark.parametrize("way", [write_zip, write_aes_zip])
@pytest.mark.parametrize("protected", ["inner", "outer", "both"])
def test_inner_and_outer_may_have_a_password(tmp_path, monkeypatch, way, protected):
    if way is write_aes_zip:
        pytest.importorskip("pyzipper")
    monkeypatch.setenv("COLIEE_PASSWORD", "lamp")
    (tmp_path / "data").mkdir()
    write = {True: lambda path, entries: way(path, entries, "lamp"), False: write_zip}
    inner = write[protected != "outer"](tmp_path / "inner.zip", {"900001.txt": "one"}).read_bytes()
    outer = write[protected != "inner"](tmp_path / "data" / "outer.zip", {"inner.zip": inner})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColieeWarning)  # the hint to install a fast cipher
        folder = inner_of(outer)
        (file,) = folder.files()
        assert texts(folder) == {"900001.txt": "one"}
        assert has_password(file)
        assert str(file) == f"{outer}/inner.zip/900001.txt"
        monkeypatch.setenv("COLIEE_PASSWORD", "wrong")
        with pytest.raises(ColieeError, match=r"outer\.zip.*password is wrong"):
            file.read_bytes() if protected == "inner" else opened(outer).files()[0].read_bytes()


def test_an_inner_archive_may_have_the_name_of_the_outer_one(tmp_path):
    inner = write_zip(tmp_path / "same.zip", {"900001.txt": "one"}).read_bytes()
    outer = write_zip(tmp_path / "data" / "same.zip", {"same.zip": inner, "900001.txt": "other"})
    assert texts(inner_of(outer)) == {"900001.txt": "one"}
    assert File(opened(outer), "900001.txt").read_bytes() == b"other"


def test_a_damaged_inner_archive_is_skipped_with_both_names(tmp_path):
    write_zip(tmp_path / "outer.zip", {"inner.zip": b"PK\3\4 no archive", "a/b.txt": "b"})
    found, messages = walked(tmp_path)
    assert found == [str(tmp_path), f"{tmp_path}/outer.zip", f"{tmp_path}/outer.zip/a"]
    assert len(messages) == 1
    assert messages[0].startswith(f"{tmp_path}/outer.zip/inner.zip is not a readable ZIP archive")


def test_an_archive_within_two_others_is_not_opened(tmp_path):
    third = write_zip(tmp_path / "other" / "third.zip", {"a.txt": "a"}).read_bytes()
    second = write_zip(tmp_path / "other" / "second.zip", {"third.zip": third}).read_bytes()
    write_zip(tmp_path / "data" / "first.zip", {"second.zip": second})
    found, messages = walked(tmp_path / "data")
    assert found[-1] == f"{tmp_path}/data/first.zip/second.zip"
    assert len(messages) == 1
    assert messages[0].startswith(
        f"{tmp_path}/data/first.zip/second.zip/third.zip: an archive within two others is not opened. Unpack"
    )


def test_an_inner_archive_above_the_limit_is_not_unpacked(tmp_path, monkeypatch):
    path = write_zip(tmp_path / "bomb.zip", {"inner.zip": b"x"})
    content = path.read_bytes()
    huge = struct.pack("<I", INNER_ARCHIVE.max_bytes + 1)
    central = content.index(b"PK\1\2")
    path.write_bytes(content[: central + 24] + huge + content[central + 28 :])  # the size that it claims to have
    monkeypatch.setattr(zipfile.ZipFile, "read", None)
    _, messages = walked(tmp_path)
    assert len(messages) == 1
    assert messages[0].startswith(f"{path}/inner.zip: 300,000,001 bytes are too many for a ZIP archive within another")


def test_a_directory_that_claims_to_be_huge_is_not_read(tmp_path):
    path = write_zip(tmp_path / "sparse.zip", {"a.txt": "a"})
    content = path.read_bytes()
    end = content.index(b"PK\5\6")
    with open(path, "r+b") as file:
        file.truncate(1_000_000_000)
        file.seek(0, io.SEEK_END)
        file.write(content[end : end + 12] + struct.pack("<II", 999_000_000, 100) + content[end + 20 :])
    _, messages = walked(tmp_path)
    assert len(messages) == 1
    assert "sparse.zip is not a readable ZIP archive (its directory has 999,000,000 bytes" in messages[0]


def test_many_inner_archives_are_read_in_any_order(tmp_path):
    inner = {
        f"{number}.zip": write_zip(tmp_path / "other" / f"{number}.zip", {"a.txt": str(number)}).read_bytes()
        for number in range(6)  # more than are held in memory
    }
    folders = [*map(open_archive, opened(write_zip(tmp_path / "outer.zip", inner)).files())]
    for _ in range(2):
        assert [texts(folder)["a.txt"] for folder in folders] == [*"012345"]


def test_documents_larger_than_any_release_are_not_written_into_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    folder = opened(write_zip(tmp_path / "bomb.zip", {f"90000{number}.txt": "0" * 1_000 for number in range(5)}))
    monkeypatch.setattr("ir_coliee.releases.zips._MAX_BYTES", 4_999)
    assert unpacked(folder.files()) == folder.files()
    assert not (tmp_path / ".cache").exists()
    monkeypatch.setattr("ir_coliee.releases.zips._MAX_BYTES", 5_000)
    assert [file.read_bytes() for file in unpacked(folder.files())] == [b"0" * 1_000] * 5
    assert (tmp_path / ".cache").exists()
