"""Files and folders on disk and in ZIP archives are read alike, and damage is an error that names the file."""

import multiprocessing
import os
import stat
import subprocess
import sys
import warnings
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from zips import write_aes_zip, write_zip

from ir_coliee.errors import ColieeError, ColieeWarning, MissingExtraError, MissingReleaseError
from ir_coliee.releases import zips as encrypted_zips
from ir_coliee.releases import zips as zip_folders
from ir_coliee.releases.files import DiskFolder, File
from ir_coliee.releases.search import walk
from ir_coliee.releases.zips import open_archive
from ir_coliee.storage import XML

ENTRIES = {"b/2.txt": "two", "b/10.txt": "ten", "a/x/deep.txt": "deep", "top.json": "{}", "b/über.txt": "ü"}


def as_folder(tmp_path, kind, entries=ENTRIES):
    if kind == "zip":
        path = write_zip(tmp_path / "made.zip", entries)
        return open_archive(File(DiskFolder(str(tmp_path)), path.name))
    for name, text in entries.items():
        path = tmp_path / "made" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return DiskFolder(str(tmp_path / "made"))


def opened(path):
    return open_archive(File(DiskFolder(str(path.parent)), path.name))


def contents(folder, within=""):
    found = {f"{within}{file.name}": file.read_bytes().decode() for file in folder.files()}
    for inner in folder.folders():
        found |= contents(inner, f"{within}{inner.name}/")
    return found


# --- a folder is a folder --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["disk", "zip"])
def test_a_folder_lists_and_reads_what_is_in_it(tmp_path, kind):
    folder = as_folder(tmp_path, kind)
    assert folder.name == "made"
    assert [file.name for file in folder.files()] == ["top.json"]
    assert [inner.name for inner in folder.folders()] == ["a", "b"]
    assert contents(folder) == ENTRIES


@pytest.mark.parametrize("kind", ["disk", "zip"])
def test_a_file_tells_its_name_its_stem_and_its_place(tmp_path, kind):
    file = as_folder(tmp_path, kind).folders()[1].files()[0]
    assert (file.name, file.stem) == ("10.txt", "10")
    place = {"disk": tmp_path / "made" / "b" / "10.txt", "zip": tmp_path / "made.zip" / "b" / "10.txt"}[kind]
    assert str(file) == str(place)


@pytest.mark.parametrize("kind", ["disk", "zip"])
def test_litter_and_hidden_files_are_not_listed(tmp_path, kind):
    litter = {"__MACOSX/._900001.txt": "", ".DS_Store": "", "b/._2.txt": "", ".cache/x.txt": "", ".git/config": ""}
    assert contents(as_folder(tmp_path, kind, {**ENTRIES, **litter})) == ENTRIES


@pytest.mark.parametrize("kind", ["disk", "zip"])
def test_equal_places_are_equal_and_can_be_keys(tmp_path, kind):
    one, other = (
        as_folder(tmp_path, kind),
        as_folder(tmp_path, kind) if kind == "disk" else opened(tmp_path / "made.zip"),
    )
    assert one == other
    assert {one.files()[0]: 1}[other.files()[0]] == 1
    assert one.folders()[0] != one.folders()[1]


@pytest.mark.parametrize("kind", ["disk", "zip"])
def test_the_stamp_of_a_file_changes_with_its_content(tmp_path, kind):
    before = as_folder(tmp_path, kind).files()[0].stamp
    after = as_folder(tmp_path, kind, {**ENTRIES, "top.json": "{ }"}).files()[0].stamp
    assert before != after


names = st.text("abAB019_-. ü", min_size=1, max_size=6).filter(lambda name: name.strip(". ") == name)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.tuples(names, names).map("/".join) | names.map("{}.txt".format), st.text(max_size=20), max_size=6
    )
)
def test_any_tree_reads_alike_from_a_zip(tmp_path_factory, entries):
    entries = {name: text for name, text in entries.items() if not any(o.startswith(f"{name}/") for o in entries)}
    folder = tmp_path_factory.mktemp("tree")
    path = write_zip(folder / "any.zip", {name: text.encode("utf-8", "replace") for name, text in entries.items()})
    found = contents(opened(path))
    assert found == {name: text.encode("utf-8", "replace").decode() for name, text in entries.items()}


def test_a_broken_link_is_not_listed_and_a_link_is_what_it_points_to(tmp_path):
    folder = as_folder(tmp_path, "disk")
    (tmp_path / "made" / "broken.txt").symlink_to(tmp_path / "nowhere")
    (tmp_path / "made" / "linked").symlink_to(tmp_path / "made" / "b", target_is_directory=True)
    assert [file.name for file in folder.files()] == ["top.json"]
    assert [inner.name for inner in folder.folders()] == ["a", "b", "linked"]


def test_a_file_that_is_gone_says_so(tmp_path):
    file = as_folder(tmp_path, "disk").files()[0]
    os.unlink(str(file))
    with pytest.raises(MissingReleaseError, match=r"top\.json no longer exists"):
        file.read_bytes()
    with pytest.raises(MissingReleaseError, match=r"top\.json"):
        _ = file.stamp


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_or_file_without_permission_says_so(tmp_path):
    folder = as_folder(tmp_path, "disk")
    file = folder.files()[0]
    os.chmod(str(file), 0)
    with pytest.raises(ColieeError, match=r"top\.json cannot be read \(Permission denied\)"):
        file.read_bytes()
    os.chmod(str(folder), 0)
    with pytest.raises(ColieeError, match="cannot be read"):
        folder.files()
    os.chmod(str(folder), 0o700)


def test_what_cannot_be_listed_is_an_error_with_its_place(tmp_path, monkeypatch):
    folder = as_folder(tmp_path, "disk")

    def refuse(path):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(ColieeError, match=r"made cannot be read \(Permission denied\)"):
        folder.files()
    with pytest.warns(ColieeWarning, match="skipped"):
        assert list(walk(folder, lambda _: True)) == []


# --- zips ------------------------------------------------------------------------------------------


def test_a_zip_in_a_folder_counts_as_a_folder_of_its_name(tmp_path):
    as_folder(tmp_path, "zip")
    found = {"/".join(within): folder.name for within, folder, _ in walk(DiskFolder(str(tmp_path)), lambda _: True)}
    assert found == {"": tmp_path.name, "made": "made", "made/a": "a", "made/a/x": "x", "made/b": "b"}


def test_separators_of_windows_in_a_zip_are_separators(tmp_path):
    path = write_zip(tmp_path / "made.zip", {"b\\2.txt": "two"})
    assert contents(opened(path)) == {"b/2.txt": "two"}


@pytest.mark.parametrize("name", ["../outside.txt", "/etc/outside.txt", "b/../../outside.txt", "C:/outside.txt"])
def test_a_name_that_points_out_of_the_zip_is_ignored_with_a_warning(tmp_path, name):
    path = write_zip(tmp_path / "inner" / "made.zip", {name: "out", "in.txt": "in"})
    with pytest.warns(ColieeWarning, match=r"point outside the archive.*outside\.txt"):
        assert contents(opened(path)) == {"in.txt": "in"}
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["inner", "made.zip"]


def test_a_link_in_a_zip_is_no_file(tmp_path):
    path = tmp_path / "made.zip"
    with zipfile.ZipFile(path, "w") as made:
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(link, "/etc/passwd")
        made.writestr("in.txt", "in")
    assert contents(opened(path)) == {"in.txt": "in"}


def test_a_file_that_is_no_zip_says_so(tmp_path):
    (tmp_path / "made.zip").write_bytes(b"PK\3\4 no zip at all")
    with pytest.raises(ColieeError, match=r"(?s)made\.zip is not a readable ZIP archive .*Restore it"):
        opened(tmp_path / "made.zip")


def test_a_truncated_zip_is_ignored_when_a_data_folder_is_searched(tmp_path):
    path = write_zip(tmp_path / "made.zip", ENTRIES)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.warns(ColieeWarning, match=r"(?s)made\.zip is not a readable ZIP archive.*skipped"):
        assert [folder.name for _, folder, _ in walk(DiskFolder(str(tmp_path)), lambda _: True)] == [tmp_path.name]


def test_a_damaged_entry_is_named(tmp_path):
    path = write_zip(tmp_path / "made.zip", {"b/2.txt": "two" * 100}, compression=zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"twotwo", b"owtowt", 1))
    with pytest.raises(ColieeError, match=r"made\.zip: b/2\.txt cannot be read"):
        contents(opened(path))


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(st.data())
def test_a_zip_with_any_byte_changed_is_read_or_refused_by_name(tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp()
    path = write_zip(folder / "mutated.zip", ENTRIES, password=data.draw(st.sampled_from([None, "sesame"])))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        patch.setenv("COLIEE_PASSWORD", "sesame")
        warnings.simplefilter("ignore", ColieeWarning)
        try:
            contents(opened(path))
        except UnicodeDecodeError:  # of the test's own
            return
        except ColieeError as error:
            assert "mutated.zip" in str(error)  # noqa: PT017


def test_an_entry_that_claims_to_be_huge_is_refused_unread(tmp_path):
    path = write_zip(tmp_path / "made.zip", {"bomb.xml": b"0" * (XML.max_bytes + 1)})
    with pytest.raises(ColieeError, match=r"made\.zip.bomb\.xml: 16,000,001 bytes are too many"):
        contents(opened(path))


def test_a_zip_that_is_replaced_is_read_anew(tmp_path):
    path = write_zip(tmp_path / "made.zip", {"a.txt": "old"})
    assert contents(opened(path)) == {"a.txt": "old"}
    write_zip(path, {"a.txt": "newer"})
    assert contents(opened(path)) == {"a.txt": "newer"}


def _read_often(place, results):
    folder = opened(place)
    results.put(all(file.read_bytes() == file.name.encode() * 999 for _ in range(20) for file in folder.files()))


@pytest.mark.slow
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork on this system")
def test_processes_that_were_forked_read_one_zip_side_by_side(tmp_path):
    path = write_zip(tmp_path / "made.zip", {f"{n}.txt": f"{n}.txt" * 999 for n in range(30)})
    opened(path)
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    readers = [context.Process(target=_read_often, args=(path, results)) for _ in range(3)]
    for reader in readers:
        reader.start()
    assert [results.get(timeout=60) for _ in readers] == [True] * 3


# --- passwords -------------------------------------------------------------------------------------


@pytest.fixture(params=["traditional", "AES"])
def locked(request, tmp_path):
    write = {"traditional": write_zip, "AES": write_aes_zip}[request.param]
    return write(tmp_path / "locked.zip", ENTRIES, password="sesame")


def test_with_the_password_a_locked_zip_reads_like_any_other(locked, monkeypatch):
    monkeypatch.setenv("COLIEE_PASSWORD", "sesame")
    assert contents(opened(locked)) == ENTRIES


def test_the_names_in_a_locked_zip_need_no_password(locked, monkeypatch):
    monkeypatch.delenv("COLIEE_PASSWORD", raising=False)
    assert [file.name for file in opened(locked).files()] == ["top.json"]


def test_without_a_password_the_error_says_where_it_goes(locked, monkeypatch):
    monkeypatch.delenv("COLIEE_PASSWORD", raising=False)
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(ColieeError, match=r"locked\.zip is protected by a password\. Set COLIEE_PASSWORD"):
        contents(opened(locked))


def test_threads_read_encrypted_and_other_entries_under_one_lock(tmp_path, monkeypatch):
    path = write_zip(tmp_path / "mixed.zip", {"a.txt": "plain"})
    write_aes_zip(path, {"b.txt": "locked"}, "sesame", mode="a")
    monkeypatch.setenv("COLIEE_PASSWORD", "sesame")
    folder = opened(path)
    lock = zip_folders._zip_file(folder.archive)._lock
    read = zip_folders._LimitedReader.read
    is_held = []

    def checked(stream, size=-1, /):
        is_held.append(lock._is_owned())
        return read(stream, size)

    monkeypatch.setattr(zip_folders._LimitedReader, "read", checked)
    assert contents(folder) == {"a.txt": "plain", "b.txt": "locked"}
    assert is_held
    assert all(is_held)


@pytest.mark.parametrize("word", ["Sesame", "x", "ü" * 40])
def test_a_wrong_password_says_so(locked, monkeypatch, word):
    monkeypatch.setenv("COLIEE_PASSWORD", word)
    with pytest.raises(ColieeError, match=r"locked\.zip: the password is wrong"):
        contents(opened(locked))


def test_a_wrong_password_that_passes_the_check_byte_is_found_by_the_content(tmp_path, monkeypatch):
    locked = write_zip(tmp_path / "locked.zip", {"a.txt": "words " * 50}, password="sesame")
    seen = 0
    for n in range(1500):
        monkeypatch.setenv("COLIEE_PASSWORD", f"wrong{n}")
        with pytest.raises(ColieeError, match="the password is wrong"):
            contents(opened(locked))
        seen += 1
    assert seen == 1500


def test_at_a_terminal_the_password_is_asked_for_once(locked, monkeypatch):
    monkeypatch.delenv("COLIEE_PASSWORD", raising=False)
    asked = []
    encrypted_zips._asked.cache_clear()
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("getpass.getpass", lambda prompt: asked.append(prompt) or "sesame")
    assert contents(opened(locked)) == ENTRIES
    assert len(asked) == 1
    assert "locked.zip" in asked[0]


def test_after_a_wrong_answer_the_password_is_asked_for_again(locked, monkeypatch):
    monkeypatch.delenv("COLIEE_PASSWORD", raising=False)
    answers = iter(["wrong", "sesame"])
    encrypted_zips._asked.cache_clear()
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("getpass.getpass", lambda prompt: next(answers))
    with pytest.raises(ColieeError, match="the password is wrong"):
        contents(opened(locked))
    assert contents(opened(locked)) == ENTRIES


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_without_the_extra_the_traditional_encryption_is_read_slowly_with_a_reason(tmp_path, monkeypatch, compression):
    locked = write_zip(tmp_path / "locked.zip", ENTRIES, password="sesame", compression=compression)
    monkeypatch.setenv("COLIEE_PASSWORD", "sesame")
    monkeypatch.setitem(sys.modules, "_zipdecrypter", None)
    encrypted_zips._fast_cipher.cache_clear()
    with pytest.warns(ColieeWarning, match=r"pip install 'ir_coliee\[zip\]'"):
        assert contents(opened(locked)) == ENTRIES
    monkeypatch.setenv("COLIEE_PASSWORD", "wrong")
    with pytest.raises(ColieeError, match="the password is wrong"):
        contents(opened(locked))
    encrypted_zips._fast_cipher.cache_clear()


def test_without_the_extra_aes_names_it(tmp_path, monkeypatch):
    locked = write_aes_zip(tmp_path / "locked.zip", ENTRIES, password="sesame")
    monkeypatch.setenv("COLIEE_PASSWORD", "sesame")
    monkeypatch.setitem(sys.modules, "pyzipper", None)
    with pytest.raises(MissingExtraError, match=r"ir_coliee\[zip\]"):
        contents(opened(locked))


def test_an_entry_with_a_damaged_description_of_its_encryption_is_named(tmp_path, monkeypatch):
    locked = write_aes_zip(tmp_path / "locked.zip", {"top.json": "{}"}, password="sesame")
    described = locked.read_bytes().rpartition(b"AE\x03")
    locked.write_bytes(described[0] + b"AE\x8c" + described[2])
    monkeypatch.setenv("COLIEE_PASSWORD", "sesame")
    with pytest.raises(ColieeError, match=r"locked\.zip: top\.json cannot be read\.\nThe entry is damaged"):
        contents(opened(locked))


def test_pythons_own_zip_reader_stays_as_it_is(tmp_path):
    locked = write_zip(tmp_path / "locked.zip", ENTRIES, password="sesame")
    program = f"""
import zipfile
before = zipfile.ZipExtFile, zipfile._ZipDecrypter
from ir_coliee.releases.files import DiskFolder, File
from ir_coliee.releases.zips import has_password, open_archive
from ir_coliee.storage import XML
assert [f.read_bytes() for f in open_archive(File(DiskFolder({str(tmp_path)!r}), {locked.name!r})).files()] == [b"{{}}"]
assert (zipfile.ZipExtFile, zipfile._ZipDecrypter) == before
"""
    environment = {**os.environ, "COLIEE_PASSWORD": "sesame"}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)


# --- what testers brought --------------------------------------------------------------------------


def test_a_link_to_itself_hides_nothing(tmp_path):
    folder = as_folder(tmp_path, "disk")
    (tmp_path / "made" / "loop").symlink_to(tmp_path / "made" / "loop")
    assert contents(folder) == ENTRIES


def test_a_name_given_twice_in_a_zip_is_reported_and_the_last_is_used(tmp_path):
    path = tmp_path / "made.zip"
    with zipfile.ZipFile(path, "w") as made, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made.writestr("a.txt", "first")
        made.writestr("a.txt", "second")
    with pytest.warns(ColieeWarning, match=r"more than once, of which the last is used: a\.txt"):
        assert contents(opened(path)) == {"a.txt": "second"}


def test_names_that_are_nested_beyond_all_measure_are_ignored(tmp_path):
    path = write_zip(tmp_path / "made.zip", {"a/" * 5000 + "b.txt": "deep", "c.txt": "c"})
    with pytest.warns(ColieeWarning, match="too deep"):
        assert contents(opened(path)) == {"c.txt": "c"}


def test_a_password_that_is_no_utf8_is_taken_byte_by_byte(tmp_path, monkeypatch):
    locked = write_zip(tmp_path / "locked.zip", {"a.txt": "a"}, password="sésame")
    monkeypatch.setenv("COLIEE_PASSWORD", "sésame".encode().decode("ascii", "surrogateescape"))
    assert contents(opened(locked)) == {"a.txt": "a"}


def test_no_answer_at_the_prompt_is_no_damaged_file(locked, monkeypatch):
    def hang_up(_prompt):
        raise EOFError

    monkeypatch.delenv("COLIEE_PASSWORD", raising=False)
    encrypted_zips._asked.cache_clear()
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("getpass.getpass", hang_up)
    with pytest.raises(ColieeError, match="enter it at the terminal"):
        contents(opened(locked))
