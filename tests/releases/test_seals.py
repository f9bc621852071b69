"""A seal tells later which files changed, and its hash depends on the content of the files that are read alone."""

import codecs
import errno
import hashlib
import json
import os
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from zips import write_zip

from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeError, ColieeWarning, ExistingFileError, MalformedFileError
from ir_coliee.releases import audit as sealed_state
from ir_coliee.releases import audit as seals
from ir_coliee.releases.audit import audit, compute_seal, seal
from ir_coliee.releases.files import purge
from ir_coliee.releases.release import LocalRelease

TEST = replace(SPLITS["coliee/task1/2025/test"], counts={})
TASK2 = replace(SPLITS["coliee/task2/2025/train"], counts={})
TEXTS = {"900001.txt": b"Query.\nOne.\n", "900002.txt": b"Case two.", "900003.txt": b"Case three."}
LABELS = b'{"900001.txt": ["900002.txt"]}'
CORPUS, LABEL_FILE, SEAL_FILE = (
    "task1_test_files_2025",
    "task1_test_labels_2025.json",
    "seals/coliee-task1-2025-test.json",
)


@pytest.fixture
def home(tmp_path, monkeypatch):
    return put(tmp_path / "data", monkeypatch)


def put(home, monkeypatch, *, below="", texts=TEXTS, labels=LABELS, label_file=LABEL_FILE):
    """Write a local copy into a data folder, and make it the data folder."""
    monkeypatch.setenv("COLIEE_HOME", str(home))
    corpus = home / below / CORPUS
    corpus.mkdir(parents=True)
    for name, text in texts.items():
        (corpus / name).write_bytes(text)
    (home / below / label_file).write_bytes(labels)
    return home


def hash_of(split):
    return compute_seal(LocalRelease.open(split)).hash


def changes(split=TEST):
    return [(change.kind, change.file) for change in audit(split).seal.changes]


def checks(result):
    return {finding.check: finding for finding in result.findings}


# --- the hash --------------------------------------------------------------------------------------


def test_the_hash_is_that_of_sorted_lines_of_role_name_and_fingerprint(home):
    files = {("corpus", name): text for name, text in TEXTS.items()} | {("labels", ""): LABELS}
    lines = sorted(f"{role}\0{name}\0{hashlib.sha256(text).hexdigest()}\n" for (role, name), text in files.items())
    assert hash_of(TEST) == hashlib.sha256("".join(lines).encode()).hexdigest()


def test_the_hash_depends_on_no_place_name_of_a_folder_time_archive_or_line_end(home, tmp_path, monkeypatch):
    expected = hash_of(TEST)
    put(tmp_path / "other ö", monkeypatch, below="COLIEE2025/task1/x", label_file=f"clean_{LABEL_FILE}")
    assert hash_of(TEST) == expected
    as_on_windows = {name: codecs.BOM_UTF8 + text.replace(b"\n", b"\r\n") for name, text in TEXTS.items()}
    put(tmp_path / "windows", monkeypatch, texts=as_on_windows)
    (tmp_path / "windows" / CORPUS / "readme.txt").write_text("not read")
    assert hash_of(TEST) == expected
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "zipped"))
    (tmp_path / "zipped").mkdir()
    write_zip(tmp_path / "zipped" / f"{CORPUS}.zip", {f"{CORPUS}/{n}": t.decode() for n, t in reversed(TEXTS.items())})
    (tmp_path / "zipped" / LABEL_FILE).write_bytes(LABELS)
    assert hash_of(TEST) == expected


@pytest.mark.parametrize(
    ("name", "content"), [(f"{CORPUS}/900003.txt", b"Case three!"), (LABEL_FILE, LABELS.replace(b"2", b"3", 1))]
)
def test_the_hash_depends_on_every_byte(home, name, content):
    before = hash_of(TEST)
    (home / name).write_bytes(content)
    assert hash_of(TEST) != before


def test_two_files_that_exchange_their_names_change_the_hash(home):
    before = hash_of(TEST)
    put_there = {"900002.txt": TEXTS["900003.txt"], "900003.txt": TEXTS["900002.txt"]}
    for name, text in put_there.items():
        (home / CORPUS / name).write_bytes(text)
    assert hash_of(TEST) != before


@pytest.mark.parametrize(
    ("release", "split_id", "sealed"),
    [
        ("task2/2019", "coliee/task2/2019/train", {"corpus", "labels"}),
        ("task3/2026/ja", "coliee/task4/2026/ja/test", {"articles", "R07", "answers"}),
        ("pilot/2025", "coliee/pilot/2025/rationale/train", {"instances"}),
    ],
)
def test_all_files_that_a_split_is_read_from_are_sealed(fixture_home, release, split_id, sealed):
    home = fixture_home(release, irregular=False)
    if "answers" in sealed:  # handed out after the run
        (questions,) = home.rglob("*R07*_jp.xml")
        (questions.parent / "QA.txt").write_text("R98-01-A Y\n")
    files = compute_seal(LocalRelease.open(split_id)).files
    assert set(files) == sealed
    if "corpus" in files:
        (case, *_) = sorted({name.partition("/")[0] for name in files["corpus"]})
        names = {name for name in files["corpus"] if name.startswith(f"{case}/")}
        on_disk = {path.relative_to(path.parents[1 if path.parent.name == case else 2]).as_posix()
                   for path in home.rglob(f"task2_train/{case}/**/*.txt")}  # fmt: skip
        assert names == on_disk
        assert f"{case}/entailing_paragraphs.txt" in names


# --- what has changed ------------------------------------------------------------------------------


def test_an_audit_without_a_seal_says_nothing_of_seals(home):
    result = audit(TEST)
    assert result.seal is None
    assert "sealed" not in str(result)


def test_a_sealed_copy_is_unchanged_and_keeps_no_text(home):
    sealed = seal(TEST)
    assert sealed.seal.path == str(home / SEAL_FILE)
    assert sealed.seal.hash == hash_of(TEST)
    assert audit(TEST).seal == sealed.seal._replace(is_new=False)
    assert changes() == []
    written = (home / SEAL_FILE).read_text()
    assert "Case" not in written
    assert str(home) not in written


def test_changed_missing_and_added_files_are_wrong_and_named_with_their_times(home):
    seal(TEST)
    (home / CORPUS / "900003.txt").write_bytes(b"Case threE.")
    (home / CORPUS / "900002.txt").unlink()
    (home / CORPUS / "900004.txt").write_bytes(b"Case four.")
    (home / LABEL_FILE).write_bytes(LABELS.replace(b"2", b"3", 1).replace(b"2", b"3"))
    result = audit(TEST)
    assert result.is_wrong
    assert result.seal.hash_now == hash_of(TEST) != result.seal.hash
    found = checks(result)
    assert found["changed-since-sealed"].ids == ("900003.txt", LABEL_FILE)
    assert found["missing-since-sealed"].ids == ("900002.txt",)
    assert found["added-since-sealed"].ids == ("900004.txt",)
    assert f"{LABEL_FILE}, dated {time.strftime('%Y', time.gmtime())}-" in found["changed-since-sealed"].message
    assert "sealed " in str(result)
    assert "changed since: 2 changed, 1 missing, 1 added" in str(result)
    assert {finding.level for finding in found.values() if "sealed" in finding.check} == {"wrong"}


def test_an_audit_that_cannot_read_a_sealed_copy_tells_what_has_changed(home):
    seal(TEST)
    (home / LABEL_FILE).write_bytes(b"{")
    expected = pytest.raises(MalformedFileError, match="not JSON")
    with pytest.warns(ColieeWarning, match=rf"files that changed since .* UTC: 1 \({LABEL_FILE}"), expected:
        audit(TEST)


def test_a_change_of_equal_size_that_is_back_dated_is_seen_and_said(home):
    (home / CORPUS / "900002.txt").touch()
    seal(TEST)
    before = os.stat(home / CORPUS / "900002.txt")
    (home / CORPUS / "900002.txt").write_bytes(b"Case twO.")
    os.utime(home / CORPUS / "900002.txt", ns=(before.st_atime_ns, before.st_mtime_ns - 10**9 * 3600))
    found = checks(audit(TEST))["changed-since-sealed"]
    assert found.ids == ("900002.txt",)
    assert "UTC, before it was sealed" in found.message


def test_a_clock_that_was_set_back_hides_no_change(home, monkeypatch):
    monkeypatch.setattr("ir_coliee.releases.audit._now", lambda: "2099-01-01T00:00:00+00:00")
    seal(TEST)
    (home / CORPUS / "900002.txt").write_bytes(b"Case twO.")
    assert changes() == [("changed", "900002.txt")]


def test_a_time_that_no_calendar_has_is_left_out(home, monkeypatch):
    seal(TEST)
    (home / CORPUS / "900002.txt").write_bytes(b"Case twO.")
    utc = sealed_state._utc
    monkeypatch.setattr(sealed_state, "_utc", lambda seconds: utc(seconds * 10**6))
    result = audit(TEST)
    assert result.seal.changes == (("changed", "900002.txt", None),)
    assert "1 (900002.txt)" in checks(result)["changed-since-sealed"].message


def test_files_in_a_zip_are_named_with_the_time_of_the_archive(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    texts = {f"{CORPUS}/{name}": text.decode() for name, text in TEXTS.items()}
    (tmp_path / LABEL_FILE).write_bytes(LABELS)
    write_zip(tmp_path / f"{CORPUS}.zip", texts)
    seal(TEST)
    (tmp_path / f"{CORPUS}.zip").unlink()
    write_zip(tmp_path / f"{CORPUS}.zip", texts | {f"{CORPUS}/900002.txt": "Case twO."})
    os.utime(tmp_path / f"{CORPUS}.zip", (978_307_200, 978_307_200))
    assert audit(TEST).seal.changes == (("changed", "900002.txt", "2001-01-01T00:00:00+00:00"),)


def test_a_password_protected_archive_is_sealed_by_fingerprints_alone(home, tmp_path, monkeypatch):
    expected = hash_of(TEST)
    protected = tmp_path / "protected"
    protected.mkdir()
    monkeypatch.setenv("COLIEE_HOME", str(protected))
    monkeypatch.setenv("COLIEE_PASSWORD", "sesame")
    texts = {f"{CORPUS}/{name}": text.decode() for name, text in TEXTS.items()}
    write_zip(protected / f"{CORPUS}.zip", texts, "sesame")
    (protected / LABEL_FILE).write_bytes(LABELS)
    assert seal(TEST).seal.hash == expected
    assert "Case" not in (protected / SEAL_FILE).read_text()


def test_a_sealed_label_file_whose_labels_are_published_later_has_changed(home):
    (home / LABEL_FILE).unlink()
    without = home / "task1_test_no_labels_2025.json"
    without.write_text('{"900001.txt": []}')
    seal(TEST)
    (home / LABEL_FILE).write_bytes(LABELS)
    assert changes() == [("changed", LABEL_FILE)]
    assert seal(TEST, overwrite=True).seal.changes == ()


# --- what is not sealed ----------------------------------------------------------------------------


def test_a_copy_in_which_something_is_wrong_is_not_sealed(home):
    (home / LABEL_FILE).write_bytes(LABELS.replace(b"900002", b"900009"))
    result = seal(TEST)
    assert result.seal is None
    assert result == audit(TEST)
    assert checks(result)["gold-without-document"].ids == ("900001 900009",)
    assert not (home / "seals").exists()


def test_a_warning_does_not_prevent_a_seal(home):
    (home / LABEL_FILE).write_text('{"900001.txt": ["900002.txt", "900002.txt"]}')
    assert checks(seal(TEST))["repeated-gold"].level == "changes your score"


def test_a_seal_of_the_same_content_is_kept_with_its_time(home, monkeypatch):
    first = seal(TEST)
    monkeypatch.setattr("ir_coliee.releases.audit._now", lambda: "2099-01-01T00:00:00+00:00")
    written = (home / SEAL_FILE).read_bytes()
    assert first.seal.is_new
    assert seal(TEST).seal == seal(TEST, overwrite=True).seal == first.seal._replace(is_new=False)
    assert (home / SEAL_FILE).read_bytes() == written


def test_a_seal_of_other_content_is_replaced_only_if_that_is_asked_for(home):
    seal(TEST)
    (home / CORPUS / "900003.txt").write_bytes(b"Case threE.")
    written = (home / SEAL_FILE).read_bytes()
    with pytest.raises(ExistingFileError, match="is the seal of other content") as refusal:
        seal(TEST)
    assert SEAL_FILE in str(refusal.value).replace(os.sep, "/")
    assert (home / SEAL_FILE).read_bytes() == written
    assert seal(TEST, overwrite=True).seal.hash == hash_of(TEST)
    assert changes() == []


def damaged(content):
    return content[: len(content) // 2]


def altered(content):
    return content.replace('"900001.txt": "', '"900007.txt": "')


def of_another_split(content):
    return content.replace("coliee/task1/2025/test", "coliee/task1/2026/test")


def pairs_for_names(content):
    record = json.loads(content)
    digest = hashlib.sha256(b"corpus\x001\0x\n").hexdigest()
    return json.dumps({**record, "files": {"corpus": [[1, "x"]]}, "hash": digest})


def newer(content):
    return content.replace('"version": 1', '"version": 2')


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (damaged, "it is not a seal, or it is damaged"),
        (lambda content: "", "it is not a seal, or it is damaged"),
        (lambda content: "[]", "it is not a seal, or it is damaged"),
        (lambda content: "[" * 100_000, "it is not a seal, or it is damaged"),
        (lambda content: content.replace('"corpus": {', '"corpus": 7, "x": {'), "it is not a seal, or it is damaged"),
        (lambda content: content.replace("ir_coliee seal", "a seal"), "it is not a seal, or it is damaged"),
        (lambda content: content.replace('"sealed": "2', '"sealed": "x'), "it is not a seal, or it is damaged"),
        (altered, "its hash does not fit"),
        (
            lambda content: re.sub('"sealed": ".*?"', '"sealed": "0001-01-01T00:00:00+23:00"', content),
            "or it is damaged",
        ),
        (lambda content: re.sub('"sealed": ".*?"', '"sealed": "2026-11-22T20:15:00"', content), "or it is damaged"),
        (pairs_for_names, "it is not a seal, or it is damaged"),
        (lambda content: content.replace('"version": 1', '"version": 0'), "it is not a seal, or it is damaged"),
        (of_another_split, "it is the seal of coliee/task1/2026/test"),
        (newer, "newer version"),
    ],
)
def test_a_seal_that_cannot_be_trusted_is_refused_with_its_file_and_the_next_step(home, change, problem):
    path = Path(seal(TEST).seal.path)
    path.write_text(change(path.read_text()))
    for call in (audit, seal):
        with pytest.raises(MalformedFileError, match=problem) as refusal:
            call(TEST)
        assert str(refusal.value).startswith(str(path))
        next_step = "Upgrade ir_coliee" if change is newer else "compare the hash with the one that you noted"
        assert next_step in str(refusal.value)
    assert seal(TEST, overwrite=True).seal.changes == ()
    assert changes() == []


def a_link_loop(seals):
    seals.symlink_to(seals.name)


def a_link_to_nothing(seals):
    seals.symlink_to(seals.parent / "unmounted")


def a_file(seals):
    seals.write_text("a file")


@pytest.mark.parametrize("put_there", [a_link_loop, a_link_to_nothing, a_file])
def test_a_copy_whose_seal_cannot_be_reached_does_not_count_as_never_sealed(home, put_there):
    seals = Path(seal(TEST).seal.path).parent
    seals.rename(home / "kept")
    (home / CORPUS / "900003.txt").write_bytes(b"Case threE.")
    put_there(seals)
    for call in (audit, seal):
        with pytest.raises(ColieeError, match="cannot be read") as refusal:
            call(TEST)
        assert str(refusal.value).startswith(str(home / SEAL_FILE))


@pytest.mark.parametrize("error", [PermissionError(errno.EACCES, "not permitted"), OSError(errno.ELOOP, "a loop")])
def test_no_error_but_that_of_a_missing_file_tells_that_there_is_no_seal(home, monkeypatch, error):
    def lstat(path, *args, **kwargs):
        if Path(path).parent.name == "seals":
            raise error
        return usual(path, *args, **kwargs)

    usual = os.lstat
    monkeypatch.setattr(os, "lstat", lstat)
    with pytest.raises(ColieeError, match="cannot be read"):
        audit(TEST)


def test_a_seal_that_cannot_be_written_or_read_is_an_error_with_its_path(home, monkeypatch):
    def replace_file(path, content):
        raise PermissionError(errno.EACCES, "not permitted")

    monkeypatch.setattr(seals, "replace_file", replace_file)
    with pytest.raises(ColieeError, match="cannot be written") as refusal:
        seal(TEST)
    assert str(home / SEAL_FILE) in str(refusal.value)
    (home / SEAL_FILE).mkdir(parents=True)
    with pytest.raises(ColieeError, match="cannot be read"):
        audit(TEST)


# --- the place -------------------------------------------------------------------------------------


def test_a_seal_survives_purge(home):
    seal(TEST)
    (home / ".cache" / "ir_coliee" / f"index-{'0' * 24}").mkdir(parents=True)
    assert purge()
    assert changes() == []


def test_a_seal_lies_in_the_data_folder_of_the_files_and_each_split_has_its_own(home, tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", os.pathsep.join([str(tmp_path / "first"), str(home)]))
    assert Path(seal(TEST).seal.path) == home / SEAL_FILE
    assert Path(seal("coliee/task2/sample/test").seal.path).parent == tmp_path / "first" / "seals"
    assert audit("coliee/task2/sample/test").seal.changes == ()
    record = json.loads((home / SEAL_FILE).read_text())
    assert (record["format"], record["version"], record["id"]) == ("ir_coliee seal", 1, TEST.id)
