"""Files on disk and in ZIP archives are read alike; what is damaged, too large or no text is refused by name."""

import multiprocessing
import os
import pickle
import stat
import struct
import sys
import tracemalloc
import warnings
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from run_lines import saved
from zips import write_aes_zip, write_zip

from ir_coliee.errors import ColieeError, ColieeWarning, MalformedFileError, MissingExtraError, MissingReleaseError
from ir_coliee.releases import zips
from ir_coliee.releases.files import DiskFolder, File, read_json, read_text, read_xml, warnings_about
from ir_coliee.releases.findings import FindingWarning
from ir_coliee.releases.search import walk
from ir_coliee.releases.zips import has_password, open_archive
from ir_coliee.storage import ARCHIVE, INNER_ARCHIVE, XML

ENTRIES = {"b/2.txt": "two", "b/10.txt": "ten", "a/x/deep.txt": "deep", "top.json": "{}", "b/über.txt": "ü"}
each_kind = pytest.mark.parametrize("kind", ["disk", "zip"])


def opened(path):
    return open_archive(File(DiskFolder(str(path.parent)), path.name))


def folder_of(tmp_path, kind, entries=ENTRIES):
    """The entries as a folder on disk or in a ZIP archive."""
    if kind == "zip":
        return opened(write_zip(tmp_path / "made.zip", entries))
    for name, text in entries.items():
        path = tmp_path / "made" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return DiskFolder(str(tmp_path / "made"))


def contents(folder, within=""):
    found = {f"{within}{file.name}": file.read_bytes().decode() for file in folder.files()}
    for inner in folder.folders():
        found |= contents(inner, f"{within}{inner.name}/")
    return found


def walked(folder):
    """The paths of all folders that are found, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = [str(below) for _, below, _ in walk(DiskFolder(str(folder)))]
    return found, [str(warning.message) for warning in caught]


# --- folders ---------------------------------------------------------------------------------------


@each_kind
def test_a_folder_lists_and_reads_its_files_without_litter(tmp_path, kind):
    litter = {"__MACOSX/._900001.txt": "", ".DS_Store": "", "b/._2.txt": "", ".cache/x.txt": "", ".git/config": ""}
    folder = folder_of(tmp_path, kind, {**ENTRIES, **litter})
    assert folder.name == "made"
    assert [file.name for file in folder.files()] == ["top.json"]
    assert [inner.name for inner in folder.folders()] == ["a", "b"]
    assert contents(folder) == ENTRIES
    file = folder.folders()[1].files()[0]
    place = {"disk": tmp_path / "made", "zip": tmp_path / "made.zip"}[kind]
    assert (file.name, file.stem, str(file)) == ("10.txt", "10", str(place / "b" / "10.txt"))


names = st.text("abAB019_-. ü", min_size=1, max_size=6).filter(lambda name: name.strip(". ") == name)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.tuples(names, names).map("/".join) | names.map("{}.txt".format), st.text(max_size=20), max_size=6
    )
)
def test_any_tree_reads_alike_from_a_zip(tmp_path_factory, entries):
    entries = {name: text for name, text in entries.items() if not any(o.startswith(f"{name}/") for o in entries)}
    written = {name: text.encode("utf-8", "replace") for name, text in entries.items()}
    path = write_zip(tmp_path_factory.mktemp("tree") / "any.zip", written)
    assert contents(opened(path)) == {name: content.decode() for name, content in written.items()}


def test_what_is_gone_or_cannot_be_read_is_named(tmp_path, monkeypatch):
    folder = folder_of(tmp_path, "disk")
    file = folder.files()[0]
    monkeypatch.setattr(os, "open", lambda *_: (_ for _ in ()).throw(PermissionError(13, "Permission denied")))
    with pytest.raises(ColieeError, match=r"top\.json cannot be read \(Permission denied\)"):
        file.read_bytes()
    monkeypatch.undo()
    os.unlink(str(file))
    with pytest.raises(MissingReleaseError, match=r"top\.json no longer exists"):
        file.read_bytes()
    with pytest.raises(MissingReleaseError, match=r"top\.json"):
        _ = file.stamp
    monkeypatch.setattr(os, "scandir", lambda path: (_ for _ in ()).throw(PermissionError(13, "Permission denied")))
    with pytest.raises(ColieeError, match=r"made cannot be read \(Permission denied\)"):
        folder.files()
    assert [message.endswith("skipped.") for message in walked(tmp_path / "made")[1]] == [True]


# --- ZIP archives ----------------------------------------------------------------------------------


def test_a_zip_is_a_folder_of_its_name_and_windows_separators_are_separators(tmp_path):
    write_zip(tmp_path / "made.zip", {"b\\2.txt": "two", "a/x/deep.txt": "deep"})
    found = {"/".join(within): folder.name for within, folder, _ in walk(DiskFolder(str(tmp_path)))}
    assert found == {"": tmp_path.name, "made": "made", "made/a": "a", "made/a/x": "x", "made/b": "b"}


@pytest.mark.parametrize(
    "name", ["../outside.txt", "/etc/outside.txt", "b/../../outside.txt", "C:/outside.txt", "a/" * 5000 + "outside.txt"]
)
def test_a_name_that_points_outside_or_too_deep_is_ignored_with_a_warning(tmp_path, name):
    path = write_zip(tmp_path / "inner" / "made.zip", {name: "out", "in.txt": "in"})
    with pytest.warns(ColieeWarning, match=r"point outside the archive, or too deep"):
        assert contents(opened(path)) == {"in.txt": "in"}
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["inner", "made.zip"]


@pytest.mark.parametrize("place", ["900002.txt", "901/candidates/900002.txt"])
@pytest.mark.parametrize("password", [None, "sesame"])
def test_a_symbolic_link_in_a_zip_is_refused_by_name(tmp_path, monkeypatch, place, password):
    monkeypatch.setenv("COLIEE_PASSWORD", "sesame")
    path = write_zip(tmp_path / "made.zip", {"900001.txt": "one", place: "/etc/passwd"}, password)
    content = path.read_bytes()
    central = content.rindex(b"PK\1\2")
    attributes = struct.pack("<I", (stat.S_IFLNK | 0o777) << 16)
    path.write_bytes(content[: central + 38] + attributes + content[central + 42 :])
    folder = opened(path)
    with pytest.raises(ColieeError, match=rf"made\.zip/{place} is a symbolic link"):
        contents(folder)
    assert File(folder, "900001.txt").read_bytes() == b"one"


def test_a_damaged_zip_is_named_and_skipped_in_a_data_folder(tmp_path):
    path = write_zip(tmp_path / "made.zip", ENTRIES)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ColieeError, match=r"(?s)made\.zip is not a readable ZIP archive .*Restore it"):
        opened(path)
    found, messages = walked(tmp_path)
    assert found == [str(tmp_path)]
    assert messages[0].endswith("It is skipped.")


def with_size(path, size):
    """Change the size that an archive states of its last entry."""
    content = path.read_bytes()
    central = content.rindex(b"PK\1\2")
    path.write_bytes(content[: central + 24] + struct.pack("<I", size) + content[central + 28 :])
    return path


def test_an_entry_above_the_limit_of_its_kind_is_refused_unread(tmp_path, monkeypatch):
    path = with_size(write_zip(tmp_path / "made.zip", {"bomb.xml": b"0"}), XML.max_bytes + 1)
    monkeypatch.setattr(zipfile.ZipFile, "open", None)
    with pytest.raises(ColieeError, match=r"made\.zip.bomb\.xml: 16,000,001 bytes are too many"):
        contents(opened(path))


def test_an_archive_whose_files_together_are_above_the_limit_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(zips, "ARCHIVE", ARCHIVE._replace(max_bytes=4_999))
    path = write_zip(tmp_path / "bomb.zip", {f"90000{number}.txt": "0" * 1_000 for number in range(5)})
    with pytest.raises(MalformedFileError, match=r"bomb\.zip: 5,000 bytes are too many for the content"):
        opened(path)
    assert walked(tmp_path)[0] == [str(tmp_path)]


@pytest.mark.parametrize("password", [None, "sesame"])
def test_of_an_entry_no_more_is_unpacked_than_the_archive_states(tmp_path, monkeypatch, password):
    monkeypatch.setenv("COLIEE_PASSWORD", "sesame")
    path = with_size(write_zip(tmp_path / "bomb.zip", {"900001.txt": b"0" * 50_000_000}, password), 7)
    tracemalloc.start()
    try:
        with pytest.raises(ColieeError, match=r"bomb\.zip"):
            contents(opened(path))
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_a_directory_that_claims_to_be_huge_is_not_read(tmp_path):
    path = write_zip(tmp_path / "sparse.zip", {"a.txt": "a"})
    content = path.read_bytes()
    end = content.index(b"PK\5\6")
    with open(path, "r+b") as file:
        file.truncate(1_000_000_000)
        file.seek(0, os.SEEK_END)
        file.write(content[end : end + 12] + struct.pack("<II", 999_000_000, 100) + content[end + 20 :])
    _, messages = walked(tmp_path)
    assert len(messages) == 1
    assert "sparse.zip is not a readable ZIP archive (its directory has 999,000,000 bytes" in messages[0]


def _read_often(place):
    return all(file.read_bytes() == file.name.encode() * 999 for _ in range(20) for file in opened(place).files())


@pytest.mark.slow
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork on this system")
def test_processes_that_were_forked_read_one_zip_side_by_side(tmp_path):
    path = write_zip(tmp_path / "made.zip", {f"{n}.txt": f"{n}.txt" * 999 for n in range(30)})
    opened(path)
    with multiprocessing.get_context("fork").Pool(3) as pool:
        assert pool.map(_read_often, [path] * 3, chunksize=1) == [True] * 3


# --- archives within archives ----------------------------------------------------------------------


def inner_of(path):
    """The only archive within an archive."""
    (inner,) = opened(path).files()
    return open_archive(inner)


@pytest.mark.parametrize("way", [write_zip, write_aes_zip])
@pytest.mark.parametrize("protected", ["inner", "outer", "both"])
def test_inner_and_outer_may_have_a_password(tmp_path, monkeypatch, way, protected):
    monkeypatch.setenv("COLIEE_PASSWORD", "lamp")
    (tmp_path / "data").mkdir()
    write = {True: lambda path, entries: way(path, entries, "lamp"), False: write_zip}
    inner = write[protected != "outer"](tmp_path / "inner.zip", {"900001.txt": "one"}).read_bytes()
    outer = write[protected != "inner"](tmp_path / "data" / "outer.zip", {"inner.zip": inner})
    (file,) = inner_of(outer).files()
    assert (file.read_bytes(), has_password(file), str(file)) == (b"one", True, f"{outer}/inner.zip/900001.txt")
    monkeypatch.setenv("COLIEE_PASSWORD", "wrong")
    with pytest.raises(ColieeError, match=r"outer\.zip.*password is wrong"):
        file.read_bytes() if protected == "inner" else opened(outer).files()[0].read_bytes()


def test_inner_archives_that_are_damaged_too_deep_or_too_large_are_skipped_by_name(tmp_path):
    third = write_zip(tmp_path / "other" / "third.zip", {"a.txt": "a"}).read_bytes()
    second = write_zip(tmp_path / "other" / "second.zip", {"third.zip": third}).read_bytes()
    write_zip(tmp_path / "data" / "a.zip", {"damaged.zip": b"PK\3\4 no archive", "second.zip": second, "b/b.txt": "b"})
    with_size(write_zip(tmp_path / "data" / "b.zip", {"large.zip": b"x"}), INNER_ARCHIVE.max_bytes + 1)
    data = tmp_path / "data"
    found, messages = walked(data)
    assert sorted(found) == [str(data), f"{data}/a.zip", f"{data}/a.zip/b", f"{data}/a.zip/second.zip", f"{data}/b.zip"]
    assert [message.removeprefix(f"{data}/")[:80] for message in sorted(messages)] == [
        "a.zip/damaged.zip is not a readable ZIP archive (File is not a zip file).\nRestor",
        "a.zip/second.zip/third.zip: an archive within two others is not opened. Unpack t",
        "b.zip/large.zip: 300,000,001 bytes are too many for a ZIP archive within another"[:80],
    ]


# --- passwords -------------------------------------------------------------------------------------


@pytest.fixture(params=["traditional", "AES"])
def locked(request, tmp_path, monkeypatch):
    monkeypatch.delenv("COLIEE_PASSWORD", raising=False)
    zips._asked.cache_clear()
    write = {"traditional": write_zip, "AES": write_aes_zip}[request.param]
    return write(tmp_path / "locked.zip", ENTRIES, password="sesame")


def test_a_locked_zip_is_listed_without_and_read_with_the_password(locked, monkeypatch):
    assert [file.name for file in opened(locked).files()] == ["top.json"]
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(ColieeError, match=r"locked\.zip is protected by a password\. Set COLIEE_PASSWORD"):
        contents(opened(locked))
    monkeypatch.setenv("COLIEE_PASSWORD", "sesame")
    assert contents(opened(locked)) == ENTRIES
    assert {zipfile.ZipExtFile.__module__, zipfile._ZipDecrypter.__module__} == {
        "zipfile"
    }  # the library is not patched


def test_a_wrong_password_that_passes_the_check_byte_is_found_by_the_content(tmp_path, monkeypatch):
    locked = write_zip(tmp_path / "locked.zip", {"a.txt": "words " * 50}, password="sesame")
    for n in range(1_000):  # one in 256 passes
        monkeypatch.setenv("COLIEE_PASSWORD", f"wrong{n}")
        with pytest.raises(ColieeError, match="the password is wrong"):
            File(opened(locked), "a.txt").read_bytes()


def test_at_a_terminal_the_password_is_asked_for_until_it_is_right(locked, monkeypatch):
    answers, asked = ["wrong", "sesame"], []
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("getpass.getpass", lambda prompt: asked.append(prompt) or answers[len(asked) - 1])
    with pytest.raises(ColieeError, match="password is wrong"):
        contents(opened(locked))
    assert contents(opened(locked)) == ENTRIES
    assert len(asked) == 2
    assert "locked.zip" in asked[0]


@pytest.mark.parametrize("write", [write_zip, write_aes_zip])
def test_without_the_extra_no_encrypted_archive_is_read(tmp_path, monkeypatch, write):
    locked = write(tmp_path / "locked.zip", {"a.txt": "a"}, password="sesame")
    monkeypatch.setenv("COLIEE_PASSWORD", "sesame")
    monkeypatch.setitem(sys.modules, "pyzipper", None)
    zips._decrypting.cache_clear()
    with pytest.raises(MissingExtraError, match=r"ir_coliee\[zip\]"):
        contents(opened(locked))
    zips._decrypting.cache_clear()


def test_an_entry_with_a_damaged_description_of_its_encryption_is_named(tmp_path, monkeypatch):
    locked = write_aes_zip(tmp_path / "locked.zip", {"top.json": "{}"}, password="sesame")
    described = locked.read_bytes().rpartition(b"AE\x03")
    locked.write_bytes(described[0] + b"AE\x8c" + described[2])
    monkeypatch.setenv("COLIEE_PASSWORD", "sesame")
    with pytest.raises(ColieeError, match=r"locked\.zip/top\.json cannot be read\.\nThe entry is damaged"):
        contents(opened(locked))


# --- text, JSON and XML ----------------------------------------------------------------------------


@given(st.text().map(lambda text: text.translate(dict.fromkeys(map(ord, "\r\ufeff\0")))), st.booleans(), st.booleans())
def test_bom_and_carriage_returns_before_line_feeds_change_nothing(tmp_path_factory, text, bom, crlf):
    data = (b"\xef\xbb\xbf" if bom else b"") + (text.replace("\n", "\r\n") if crlf else text).encode()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_text(saved(tmp_path_factory.getbasetemp(), data)) == text
    assert read_text(saved(tmp_path_factory.getbasetemp(), b"One.\rTwo.\r\n")) == "One.\rTwo.\n"


def test_of_a_repeated_key_the_last_value_counts_and_the_keys_are_named(tmp_path):
    path = saved(tmp_path, b'\xef\xbb\xbf{"b": 1, "a": 2, "b": 3, "c": {"d": 4, "d": 5}, "a": 6}\r\n')
    with pytest.warns(ColieeWarning, match=r"some\.run") as caught:
        assert read_json(path, "an object") == {"b": 3, "a": 6, "c": {"d": 5}}
    assert [str(warning.message).rpartition(": ")[2] for warning in caught] == ["d", "a, b"]


def test_five_warnings_are_issued_about_a_file_and_the_others_counted_and_kept():
    with warnings.catch_warnings(record=True) as caught, warnings_about("labels.json") as warn:
        warnings.simplefilter("always")
        for line in range(1, 1_001):
            warn(line, "a problem")
    messages = [str(warning.message) for warning in caught]
    assert messages[:5] == [f"labels.json, line {line}: a problem" for line in range(1, 6)]
    assert messages[5].startswith("labels.json: more warnings: 995 (labels.json, line 6: a problem")
    assert caught[5].message.ids == [f"labels.json, line {line}: a problem" for line in range(6, 1_001)]


def test_a_warning_of_a_reader_can_be_pickled_for_another_process():
    warning = FindingWarning("901", "empty-text", "texts without a letter or digit", ["001"])
    again = pickle.loads(pickle.dumps(warning))
    assert (type(again), str(again), vars(again)) == (type(warning), str(warning), vars(warning))


def test_every_element_of_xml_comes_with_the_line_that_it_begins_on(tmp_path):
    lamps = "<lamps>\n<lamp\n n='1'/><lamp n='2'>\nl&lt;&#9312;</lamp>\n\n<!-- <lamp/> --><lamp/></lamps>"
    root, lines = read_xml(saved(tmp_path, lamps.encode()), "lamps")
    assert [lines[lamp] for lamp in root.iter()] == [1, 2, 3, 6]
    assert [lamp.get("n") for lamp in root] == ["1", "2", None]
    assert root[1].text == "\nl<①"


@pytest.mark.parametrize("encoding", ["Shift_JIS", "UTF-16", "utf-8", "none-such"])
def test_xml_is_read_as_utf8_whatever_is_declared(tmp_path, encoding):
    declared = f"<?xml version='1.0' encoding='{encoding}'?><a>門</a>".encode()
    assert read_xml(saved(tmp_path, declared), "a gate")[0].text == "門"
