"""Stores of replies, scores and embeddings: what was stored is found to the last bit, and nothing else is touched."""

import math
import os
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing

import numpy as np
import pytest

from ir_coliee.errors import ColieeError
from ir_coliee.models import EmbeddingStore, Question, Reply, ReplyStore, ScoreStore, stores
from ir_coliee.models.loading import checkpoint_identity, folder_hash
from ir_coliee.models.stores import get_scores
from ir_coliee.models.templates import Turn


def question(words, sample=0):
    return Question((Turn("user", words),), sample)


PAIRS = [("a lamp", f"text {number}") for number in range(1200)]
VALUES = {
    ReplyStore: {question(f"question {n}", n % 2): Reply(f"Yes, {n}", n / 300, "Is it?", n == 3) for n in range(300)},
    ScoreStore: {pair: (float(number), -1 / 3) for number, pair in enumerate(PAIRS)},
    EmbeddingStore: {(f"text {n}",): np.full((n % 3 + 1, 2), n / 7, np.float32) for n in range(300)},
}


@pytest.fixture(params=VALUES, ids=lambda kind: kind.__name__)
def stored(request, tmp_path):
    """The class and the file of a store with values of a model."""
    path = tmp_path / "store.sqlite"
    request.param(path).add("a model", VALUES[request.param])
    return request.param, path


def equal(found, expected):
    return found.keys() == expected.keys() and all(np.array_equal(found[key], expected[key]) for key in expected)


def test_values_are_found_to_the_last_bit_by_model_and_content_and_can_be_replaced(stored):
    kind, path = stored
    expected = VALUES[kind]
    again = kind(path)
    assert equal(again.find("a model", expected), expected)
    assert again.find("another model", expected) == {}
    first, second = list(expected)[:2]
    again.add("a model", {first: expected[second]})
    assert equal(kind(path).find("a model", [first]), {first: expected[second]})


def test_a_key_is_that_of_its_texts_alone(tmp_path):
    store = ScoreStore(tmp_path / "scores.sqlite")
    store.add("a model", {("a lamp", "text 1"): [1.0], ("\ud800",): [1.0]})
    for changed in (("a lam", "ptext 1"), ("a lamp", "text 1", ""), ("text 1", "a lamp"), ("a lamptext 1",), ("?",)):
        assert store.find("a model", [changed]) == {}
    assert store.find("a model", [("\ud800",)]) == {("\ud800",): (1.0,)}
    assert not any(b"lamp" in file.read_bytes() for file in tmp_path.iterdir())


def test_a_reply_with_lone_surrogates_is_stored_and_one_without_an_answer_is_missing(tmp_path):
    store = ReplyStore(tmp_path / "replies.sqlite")
    store.add(
        "a model",
        {question("a"): Reply("No\ud800"), question("b"): Reply(" "), question("c"): Reply("Per", truncated=True)},
    )
    assert store.find("a model", [question(name) for name in "abc"]) == {question("a"): Reply("No?")}


@pytest.mark.parametrize("place", [0, 18, 100, 4096, 5000, 12000])
@pytest.mark.parametrize("damage", ["cut", "zeros", "ones"])
def test_a_damaged_file_is_named_or_has_values_of_the_kind(stored, place, damage):
    kind, path = stored
    data = path.read_bytes()
    rest = {"cut": b"", "zeros": bytes(60) + data[place + 60 :], "ones": b"\xff" * 60 + data[place + 60 :]}[damage]
    path.write_bytes(data[:place] + rest)
    message = ""
    try:
        found = kind(path).find("a model", VALUES[kind]).values()
    except ColieeError as error:
        message = str(error)
    if message:
        assert str(path) in message
    else:
        numbers = [value.yes if kind is ReplyStore else value for value in found]
        assert all(np.isfinite(each).all() for each in numbers)


ALTERED = ["x''", "x'00ff'", "'often'", "7", "x'000000000000f07f'", "x'ffffffffffffffff'"]
ALTERED += ['CAST(\'["Yes", 7, "", 0]\' AS BLOB)', "CAST('[null]' AS BLOB)"]
ALTERED += ["CAST('{\"ab\": 1}' AS BLOB)", f"x'{'5b' * 100_001}'"]


@pytest.mark.parametrize("value", ALTERED)
def test_an_altered_value_is_missing(stored, value):
    kind, path = stored
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE {kind.NAME} SET value = {value}")
    connection.close()
    assert kind(path).find("a model", VALUES[kind]) == {}


FOREIGN = {
    "another column": "ALTER TABLE {name} ADD COLUMN model TEXT",
    "another table": "CREATE TABLE notes (text TEXT)",
    "a trigger": "CREATE TRIGGER other BEFORE INSERT ON {name} BEGIN DELETE FROM {name}; END",
    "another name": "ALTER TABLE {name} RENAME TO others",
    "another kind": "",
}


@pytest.mark.parametrize("command", FOREIGN.values(), ids=FOREIGN)
def test_a_database_of_another_version_or_of_somebody_else_is_refused_and_not_changed(stored, command):
    kind, path = stored
    other = ScoreStore if kind is ReplyStore else ReplyStore
    with sqlite3.connect(path) as connection:
        connection.execute(command.format(name=kind.NAME))
    connection.close()
    before = path.read_bytes()
    with pytest.raises(ColieeError, match=r"store\.sqlite cannot be used as a (.|\n)*another version"):
        (kind if command else other)(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"x", b"my notes" * 1000, b"SQLite format 3\0", bytes(9999)])
def test_a_file_that_is_no_database_is_refused_and_not_changed(tmp_path, content):
    (tmp_path / "notes").write_bytes(content)
    with pytest.raises(ColieeError, match="notes cannot be used as a reply store"):
        ReplyStore(tmp_path / "notes")
    assert (tmp_path / "notes").read_bytes() == content


def test_what_a_killed_process_began_is_undone(stored, tmp_path):
    kind, path = stored
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for command in (
            "PRAGMA journal_mode=DELETE",
            "PRAGMA cache_size=1",
            "BEGIN",
            f"UPDATE {kind.NAME} SET value = x'00'",
        ):
            connection.execute(command)
        for name in ("store.sqlite", "store.sqlite-journal"):
            (tmp_path / f"killed-{name}").write_bytes((tmp_path / name).read_bytes())
        connection.execute("ROLLBACK")
    assert equal(kind(tmp_path / "killed-store.sqlite").find("a model", VALUES[kind]), VALUES[kind])


def test_what_is_no_file_is_refused(tmp_path):
    for name in (".", "nowhere/replies.sqlite", "a" * 300):
        with pytest.raises(ColieeError, match="cannot be used as a reply store"):
            ReplyStore(tmp_path / name)


def test_a_file_that_is_locked_by_another_process_is_named(stored, monkeypatch):
    kind, path = stored
    monkeypatch.setattr(stores, "_TIMEOUT_S", 0.1)
    locked = kind(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(ColieeError, match=r"store\.sqlite cannot be used (.|\n)*locked"):
        locked.add("a model", VALUES[kind])
    other.execute("ROLLBACK")
    locked.add("another", VALUES[kind])
    assert equal(locked.find("another", VALUES[kind]), VALUES[kind])


def run(script, *arguments):
    command = [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


FULL = """
    import resource, sys
    from ir_coliee.errors import ColieeError
    from ir_coliee.models import ScoreStore

    store = ScoreStore(sys.argv[1])
    store.add("a model", {("first",): [1.0]})
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    try:
        for number in range(1000):
            store.add("a model", {(str(number),): [0.5] * 500})
    except ColieeError as error:
        print(error)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="limits of another system")
def test_a_full_disk_is_named_and_what_was_stored_is_kept(tmp_path):
    path = tmp_path / "scores.sqlite"
    out, err = run(FULL, path).communicate(timeout=120)
    assert f"{path} cannot be used as a score store" in out, err
    assert ScoreStore(path).find("a model", [("first",)]) == {("first",): (1.0,)}


WRITE = """
    import sys
    from ir_coliee.models import ScoreStore

    store = ScoreStore(sys.argv[1])
    for number in range(100):
        store.add("a model", {("a", str(other)): [other, 0.5] for other in range(number, number + 10)})
        store.add(sys.argv[2], {("a", str(number)): [number]})
"""


@pytest.mark.slow
def test_processes_that_write_at_once_lose_nothing(tmp_path):
    path = tmp_path / "scores.sqlite"
    for writer in [run(WRITE, path, number) for number in range(3)]:
        _, err = writer.communicate(timeout=120)
        assert (writer.returncode, err) == (0, "")
    texts = [("a", str(number)) for number in range(109)]
    store = ScoreStore(path)
    assert store.find("a model", texts) == {text: (float(text[1]), 0.5) for text in texts}
    assert [len(store.find(str(n), texts)) for n in range(3)] == [100, 100, 100]


class Computer:
    """Scores texts in batches of two by their lengths, counts them, and may stop after some batches."""

    def __init__(self, batches=math.inf):
        self.seen, self.left = [], batches

    def __call__(self, texts):
        for start in range(0, len(texts), 2):
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            positions = range(len(texts))[start : start + 2]
            self.seen += [texts[position] for position in positions]
            yield positions, [[len(text) for text in texts[position]] for position in positions]


@pytest.mark.parametrize("batches", range(5))
def test_after_an_interruption_only_what_was_not_stored_is_computed_and_equal_texts_once(batches, tmp_path):
    store, stopped, second = ScoreStore(tmp_path / "scores.sqlite"), Computer(batches), Computer()
    texts = [("a", "b" * (number % 9)) for number in range(30)]
    with pytest.raises(KeyboardInterrupt):
        get_scores(texts, stopped, store, lambda: "a model")
    scores = get_scores(texts, second, ScoreStore(store.path), lambda: "a model")
    assert scores.tolist() == [[1, number % 9] for number in range(30)]
    assert len(stopped.seen) == 2 * batches
    assert sorted(stopped.seen + second.seen) == sorted(set(texts))


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_a_score_that_is_not_finite_is_refused_and_not_stored(score, tmp_path):
    store = ScoreStore(tmp_path / "scores.sqlite")
    with pytest.raises(ColieeError, match=r"not a finite number(.|\n)*bfloat16"):
        get_scores([("a",)], lambda texts: [([0], [[score]])], store, lambda: "a model")
    assert store.find("a model", [("a",)]) == {}


def test_the_hash_of_a_folder_follows_the_content_of_all_its_files(tmp_path):
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "weights").write_bytes(b"1")
    seen = {folder_hash(tmp_path)}
    (tmp_path / "1_Pooling" / "config.json").write_text("{}")
    seen.add(folder_hash(tmp_path))
    (tmp_path / "weights").write_bytes(b"22")
    seen.add(folder_hash(tmp_path))
    assert len(seen) == 3
    (tmp_path / "weights").rename(tmp_path / "other")
    assert folder_hash(tmp_path) not in seen


def test_a_published_model_is_identified_by_the_commit_in_the_cache(tmp_path, monkeypatch):
    pytest.importorskip("huggingface_hub")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    assert checkpoint_identity("team/model") is None
    snapshot = tmp_path / "models--team--model" / "snapshots" / ("c" * 40)
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}")
    (tmp_path / "models--team--model" / "refs").mkdir()
    (tmp_path / "models--team--model" / "refs" / "main").write_text("c" * 40)
    assert checkpoint_identity("team/model") == ["team/model", "c" * 40]
    assert checkpoint_identity("no such\nname") is None
