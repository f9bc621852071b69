"""A seal tells later which files changed, and its hash depends on the content of the files that are read alone."""

import codecs
import hashlib
import os
from dataclasses import replace
from pathlib import Path

import pytest
from zips import write_zip

from ir_coliee.editions import SPLITS
from ir_coliee.errors import ExistingFileError, MalformedFileError
from ir_coliee.releases.audit import audit, compute_seal, seal
from ir_coliee.releases.cache import purge
from ir_coliee.releases.release import LocalRelease

TEST = replace(SPLITS["coliee/task1/2025/test"], counts={})
TEXTS = {"900001.txt": b"Query.\nOne.\n", "900002.txt": b"Case two.", "900003.txt": b"Case three."}
LABELS = b'{"900001.txt": ["900002.txt"]}'
CORPUS, LABEL_FILE = "task1_test_files_2025", "task1_test_labels_2025.json"
SEAL_FILE = "seals/coliee-task1-2025-test.sha256"


@pytest.fixture
def home(tmp_path, monkeypatch):
    return put(tmp_path / "data", monkeypatch)


def put(home, monkeypatch, *, below="", texts=TEXTS, label_file=LABEL_FILE):
    """Write a local copy into a data folder, and make it the data folder."""
    monkeypatch.setenv("COLIEE_HOME", str(home))
    corpus = home / below / CORPUS
    corpus.mkdir(parents=True)
    for name, text in texts.items():
        (corpus / name).write_bytes(text)
    (home / below / label_file).write_bytes(LABELS)
    return home


def put_zip(home, password):
    home.mkdir()
    (home / LABEL_FILE).write_bytes(LABELS)
    write_zip(home / f"{CORPUS}.zip", {f"{CORPUS}/{name}": text for name, text in reversed(TEXTS.items())}, password)


def hash_of(split):
    return compute_seal(LocalRelease.open(split)).hash


def changes(split=TEST):
    return [finding for finding in audit(split).findings if finding.check.endswith("-since-sealed")]


def test_a_seal_is_a_list_of_sha256sum_whose_own_sum_is_the_hash(home):
    sealed = seal(TEST)
    assert sealed.seal == str(home / SEAL_FILE)
    files = {**{f"corpus/{name}": text for name, text in TEXTS.items()}, "labels": LABELS}
    lines = [f"{hashlib.sha256(text).hexdigest()}  {name}\n" for name, text in files.items()]
    assert (home / SEAL_FILE).read_text() == "".join(lines)
    assert hashlib.sha256((home / SEAL_FILE).read_bytes()).hexdigest() == sealed.hash == hash_of(TEST)
    assert audit(TEST) == sealed


def test_the_hash_depends_on_no_place_name_of_a_folder_time_archive_or_line_end(home, tmp_path, monkeypatch):
    expected = hash_of(TEST)
    put(tmp_path / "other ö", monkeypatch, below="COLIEE2025/task1/x", label_file=f"clean_{LABEL_FILE}")
    assert hash_of(TEST) == expected
    as_on_windows = {name: codecs.BOM_UTF8 + text.replace(b"\n", b"\r\n") for name, text in TEXTS.items()}
    put(tmp_path / "windows", monkeypatch, texts=as_on_windows)
    (tmp_path / "windows" / CORPUS / "readme.txt").write_text("not read")
    assert hash_of(TEST) == expected
    monkeypatch.setenv("COLIEE_PASSWORD", "sesame")
    for password in (None, "sesame"):
        monkeypatch.setenv("COLIEE_HOME", str(tmp_path / f"zipped {password}"))
        put_zip(tmp_path / f"zipped {password}", password)
        assert seal(TEST).hash == expected


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
    names = compute_seal(LocalRelease.open(split_id)).files
    assert {name.partition("/")[0] for name in names} == sealed
    if "corpus" in sealed:
        (folder,) = home.rglob("task2_train")
        on_disk = {path.relative_to(folder).as_posix() for path in folder.glob("*/**/*.txt")}
        assert {name.removeprefix("corpus/") for name in names} - {"labels"} == on_disk


def test_changed_missing_and_added_files_are_wrong_and_named(home):
    sealed = seal(TEST)
    before = (home / CORPUS / "900003.txt").stat()
    (home / CORPUS / "900003.txt").write_bytes(b"Case threE.")
    os.utime(home / CORPUS / "900003.txt", ns=(before.st_atime_ns, before.st_mtime_ns))
    (home / CORPUS / "900002.txt").unlink()
    (home / CORPUS / "900004.txt").write_bytes(b"Case four.")
    (home / LABEL_FILE).write_bytes(LABELS.replace(b"2", b"3", 1).replace(b"2", b"3"))
    result = audit(TEST)
    assert result.is_wrong
    assert result.hash == hash_of(TEST) != sealed.hash
    found = {finding.check: finding.ids for finding in result.findings if finding.level == "wrong"}
    assert found["changed-since-sealed"] == ("corpus/900003.txt", "labels")
    assert found["missing-since-sealed"] == ("corpus/900002.txt",)
    assert found["added-since-sealed"] == ("corpus/900004.txt",)


def test_a_seal_of_other_content_is_replaced_only_if_that_is_asked_for(home):
    seal(TEST)
    (home / CORPUS / "900003.txt").write_bytes(b"Case threE.")
    written = (home / SEAL_FILE).read_bytes()
    with pytest.raises(ExistingFileError, match="is the seal of other content") as refusal:
        seal(TEST)
    assert "900003.txt" in str(refusal.value)
    assert (home / SEAL_FILE).read_bytes() == written
    assert seal(TEST, overwrite=True).hash == hash_of(TEST)
    assert changes() == []


@pytest.mark.parametrize(
    ("content", "line"),
    [("", 1), ("[]\n", 1), ("f" * 64 + "  labels\n" + "0" * 64, 2), ("g" * 64 + "  labels\n", 1), ("\0\0", 1)],
)
def test_a_damaged_seal_is_refused_with_its_file_line_and_the_next_step(home, content, line):
    path = Path(seal(TEST).seal)
    path.write_text(content)
    for call in (audit, seal):
        with pytest.raises(MalformedFileError, match=f"sha256, line {line}: .*(?s:.*)seal again") as refusal:
            call(TEST)
        assert str(refusal.value).startswith(str(path))
    seal(TEST, overwrite=True)
    assert changes() == []


def test_a_seal_lies_in_the_data_folder_of_the_files_and_survives_purge(home, tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", os.pathsep.join([str(tmp_path / "first"), str(home)]))
    assert Path(seal(TEST).seal) == home / SEAL_FILE
    assert Path(seal("coliee/task2/sample/test").seal).parent == tmp_path / "first" / "seals"
    (home / ".cache" / "ir_coliee" / f"index-{'0' * 24}").mkdir(parents=True)
    assert purge()
    assert changes() == changes("coliee/task2/sample/test") == []
