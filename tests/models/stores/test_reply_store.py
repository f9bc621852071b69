"""Damaged, foreign, locked and full reply stores, and several writers: an error that names the file, or no reply."""

import os
import sqlite3
import subprocess
import sys
import textwrap

import pytest

from ir_coliee.errors import ColieeError
from ir_coliee.models import Question, Reply, ReplyStore, stores
from ir_coliee.models.templates import Turn

QUESTIONS = [Question((Turn("user", f"question {number}"),)) for number in range(300)]


@pytest.fixture
def path(tmp_path):
    """The file of a store of 300 replies."""
    store = ReplyStore(tmp_path / "replies.sqlite")
    for question in QUESTIONS:
        store.add("a model", question, Reply("Yes", 0.5))
    return store.path


def altered(path, *commands):
    connection = sqlite3.connect(path)
    for command in commands:
        connection.execute(command)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("place", [0, 10, 18, 50, 100, 4096, 5000, 8192, 12000])
@pytest.mark.parametrize("kind", ["cut", "zeros", "ones"])
def test_a_damaged_file_is_named_or_its_replies_are_those_that_were_stored(path, place, kind):
    data = path.read_bytes()
    rest = {"cut": b"", "zeros": bytes(60) + data[place + 60 :], "ones": b"\xff" * 60 + data[place + 60 :]}[kind]
    path.write_bytes(data[:place] + rest)
    try:
        replies = ReplyStore(path).find("a model", QUESTIONS).values()
        outcome = str(path) if all(type(reply.text) is str and 0 <= (reply.yes or 0) <= 1 for reply in replies) else ""
    except ColieeError as error:
        outcome = str(error)
    assert str(path) in outcome


@pytest.mark.parametrize("value", ["yes = 7", "yes = -0.1", "yes = 'often'", "yes = 9e999", "text = x'00ff'"])
def test_an_altered_reply_is_missing(path, value):
    altered(path, f"UPDATE replies SET {value}")
    store = ReplyStore(path)
    assert store.find("a model", QUESTIONS) == {}
    store.add("a model", QUESTIONS[0], Reply("No", 0.25))
    assert store.find("a model", QUESTIONS) == {QUESTIONS[0]: Reply("No", 0.25)}


def test_a_text_that_is_no_text_is_an_error_that_names_the_file(path):
    altered(path, "UPDATE replies SET text = CAST(x'fffe' AS TEXT)")
    with pytest.raises(ColieeError, match=r"replies\.sqlite cannot be used"):
        ReplyStore(path).find("a model", QUESTIONS)


@pytest.mark.parametrize(
    "command",
    [
        "ALTER TABLE replies ADD COLUMN model TEXT",
        "CREATE TABLE notes (text TEXT)",
        "CREATE TRIGGER other BEFORE INSERT ON replies BEGIN DELETE FROM replies; END",
        "ALTER TABLE replies RENAME TO others",
    ],
)
def test_a_store_of_another_version_and_a_database_of_others_are_refused_and_not_changed(path, command):
    altered(path, command)
    before = path.read_bytes()
    with pytest.raises(ColieeError, match=r"replies\.sqlite cannot be used (.|\n)*another version"):
        ReplyStore(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"x", b"\0", b"my notes" * 1000, b"SQLite format 3\0", b"SQLite format 3\0" * 999, bytes(9999)]
)
def test_a_file_that_is_no_database_is_refused_and_not_changed(tmp_path, content):
    (tmp_path / "notes").write_bytes(content)
    with pytest.raises(ColieeError, match="notes cannot be used as a reply store"):
        ReplyStore(tmp_path / "notes")
    assert (tmp_path / "notes").read_bytes() == content


@pytest.mark.parametrize("journal_mode", ["DELETE", "WAL"])
def test_a_database_of_somebody_else_is_refused_and_not_changed(tmp_path, journal_mode):
    thesis = tmp_path / "my thesis? 100% #1.db"
    altered(thesis, f"PRAGMA journal_mode={journal_mode}", "CREATE TABLE notes (text TEXT)")
    before = thesis.read_bytes()
    with pytest.raises(ColieeError, match=r"cannot be used as a reply store\.\n.*other tables") as caught:
        ReplyStore(thesis)
    assert thesis.read_bytes() == before
    assert len(str(caught.value).replace(str(thesis), "thesis.db").partition("\n")[0]) <= 100


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="another system")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ColieeError, match="pipe cannot be used as a reply store"):
        ReplyStore(tmp_path / "pipe")


def test_what_is_no_file_is_refused(tmp_path):
    for name in (".", "nowhere/replies.sqlite", "a\0b", "a" * 300):
        with pytest.raises(ColieeError, match="cannot be used as a reply store"):
            ReplyStore(tmp_path / name)


def test_a_file_that_is_locked_by_another_process_is_named(path, monkeypatch):
    monkeypatch.setattr(stores, "_TIMEOUT_S", 0.1)
    store = ReplyStore(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(ColieeError, match=r"replies\.sqlite cannot be used (.|\n)*locked"):
        store.add("a model", QUESTIONS[0], Reply("No"))
    other.execute("ROLLBACK")
    store.add("a model", QUESTIONS[0], Reply("No"))
    assert store.find("a model", QUESTIONS[:1]) == {QUESTIONS[0]: Reply("No")}


def run(script, *arguments):
    command = [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


FULL = """
    import resource, sys
    from ir_coliee.errors import ColieeError
    from ir_coliee.models import Question, Reply, ReplyStore
    from ir_coliee.models.templates import Turn

    store = ReplyStore(sys.argv[1])
    store.add("a model", Question((Turn("user", "first"),)), Reply("Yes"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    try:
        for number in range(1000):
            store.add("a model", Question((Turn("user", str(number)),)), Reply("Yes" * 1000))
    except ColieeError as error:
        print(error)
"""


@pytest.mark.skipif(os.name != "posix", reason="limits of another system")
def test_a_full_disk_is_named_and_what_was_stored_is_kept(tmp_path):
    path = tmp_path / "replies.sqlite"
    out, err = run(FULL, path).communicate(timeout=120)
    assert f"{path} cannot be used as a reply store" in out, err
    first = Question((Turn("user", "first"),))
    assert ReplyStore(path).find("a model", [first]) == {first: Reply("Yes")}


WRITE = """
    import sys
    from ir_coliee.models import Question, Reply, ReplyStore
    from ir_coliee.models.templates import Turn

    store = ReplyStore(sys.argv[1])
    for number in range(100):
        store.add("a model", Question((Turn("user", f"question {number}"),)), Reply(f"{number}", 0.5))
        store.add(sys.argv[2], Question((Turn("user", f"question {number}"),)), Reply(f"{number}"))
"""


@pytest.mark.slow
@pytest.mark.parametrize("processes", [2, 4])
def test_processes_that_write_at_once_lose_nothing(processes, tmp_path):
    path = tmp_path / "replies.sqlite"
    writers = [run(WRITE, path, number) for number in range(processes)]
    for writer in writers:
        _, err = writer.communicate(timeout=120)
        assert (writer.returncode, err) == (0, "")
    store = ReplyStore(path)
    for identity in ("a model", *map(str, range(processes))):
        found = store.find(identity, QUESTIONS)
        assert [reply.text for reply in found.values()] == [str(number) for number in range(100)]


FIRST_VERSION = """
    import hashlib, json, sqlite3, sys

    connection = sqlite3.connect(sys.argv[1])
    form = "replies (key BLOB PRIMARY KEY, text TEXT NOT NULL, yes REAL) WITHOUT ROWID"
    connection.execute(f"CREATE TABLE IF NOT EXISTS {form}")
    for number in range(300):
        content = json.dumps(["a model", [["user", f"question {number}"]], 0])
        key = hashlib.blake2b(content.encode(), digest_size=20).digest()
        connection.execute("INSERT INTO replies VALUES (?, ?, ?)", (key, f"<think>{number}", number / 300))
    connection.commit()
"""


@pytest.fixture
def first_version(tmp_path):
    """A store as the first version wrote it, by a program that has nothing of ours."""
    exec(textwrap.dedent(FIRST_VERSION.replace("sys.argv[1]", repr(str(tmp_path / "replies.sqlite")))), {})
    return tmp_path / "replies.sqlite"


def test_a_store_of_the_first_version_keeps_its_replies_and_takes_reasoning(first_version):
    expected = {question: Reply(f"<think>{n}", n / 300) for n, question in enumerate(QUESTIONS)}
    for _ in range(2):  # it is converted once, and opened again
        store = ReplyStore(first_version)
        assert store.find("a model", QUESTIONS) == expected
        store.add("a model", QUESTIONS[0], Reply("No", 0.25, "true at first sight", True))
        expected[QUESTIONS[0]] = Reply("No", 0.25, "true at first sight", True)


@pytest.mark.slow
def test_processes_that_convert_a_store_at_once_lose_nothing(first_version):
    opening = "import sys; from ir_coliee.models import ReplyStore; ReplyStore(sys.argv[1])"
    for process in [run(opening, first_version) for _ in range(3)]:
        assert process.communicate(timeout=120)[1] == ""
    assert len(ReplyStore(first_version).find("a model", QUESTIONS)) == 300


def test_a_conversion_that_fails_leaves_the_store_as_it_was(first_version, monkeypatch):
    monkeypatch.setattr(ReplyStore, "ADDED_COLUMNS", ("reasoning TEXT NOT NULL DEFAULT ''", "a b c, d"))
    with pytest.raises(ColieeError, match="cannot be used as a reply store"):
        ReplyStore(first_version)
    connection = sqlite3.connect(first_version)
    assert len(connection.execute("SELECT key, text, yes FROM replies").fetchall()) == 300
    assert len(connection.execute("PRAGMA table_info(replies)").fetchall()) == 3
    connection.close()
