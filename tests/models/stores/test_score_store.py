"""Score stores: each score is computed once, by one model, and a damaged or foreign file gives an error or nothing."""

import math
import os
import sqlite3
import subprocess
import sys
import textwrap

import pytest

from ir_coliee.errors import ColieeError
from ir_coliee.models import ReplyStore, ScoreStore
from ir_coliee.models.loading import checkpoint_identity, folder_hash
from ir_coliee.models.stores import get_scores

PAIRS = [("a lamp", f"text {number}") for number in range(1200)]
SCORES = {pair: (float(number), -1 / 3) for number, pair in enumerate(PAIRS)}


@pytest.fixture
def path(tmp_path):
    """The file of a store of 1,200 rows."""
    store = ScoreStore(tmp_path / "scores.sqlite")
    store.add("a model", SCORES)
    return store.path


def test_scores_are_found_to_the_last_bit_by_model_and_texts(path):
    store = ScoreStore(path)
    assert store.find("a model", PAIRS) == SCORES
    assert store.find("another model", PAIRS) == {}
    for changed in (("a lam", "ptext 1"), ("a lamp", "text 1", ""), ("text 1", "a lamp"), ("a lamptext 1",)):
        assert store.find("a model", [changed]) == {}


def test_the_file_holds_no_text(path):
    ScoreStore(path).add("a model", {("a lamp by the gate", "It shines at night."): [1.0]})
    content = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"lamp" not in content
    assert b"night" not in content


def test_texts_with_lone_surrogates_have_scores(tmp_path):
    store = ScoreStore(tmp_path / "scores.sqlite")
    store.add("a model", {("\ud800",): [1.0]})
    assert store.find("a model", [("\ud800",), ("?",)]) == {("\ud800",): (1.0,)}


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
def test_after_an_interruption_only_what_was_not_stored_is_computed(batches, tmp_path):
    store, stopped, second = ScoreStore(tmp_path / "scores.sqlite"), Computer(batches), Computer()
    texts = [("a", "b" * (number % 9)) for number in range(30)]
    with pytest.raises(KeyboardInterrupt):
        get_scores(texts, stopped, store, lambda: "a model")
    scores = get_scores(texts, second, ScoreStore(store.path), lambda: "a model")
    assert scores.tolist() == [[1, number % 9] for number in range(30)]
    assert len(stopped.seen) == 2 * batches
    assert sorted(stopped.seen + second.seen) == sorted(set(texts))


def test_without_a_store_equal_texts_are_computed_once():
    computer = Computer()
    assert get_scores([("a", "b")] * 5, computer).tolist() == [[1, 1]] * 5
    assert computer.seen == [("a", "b")]


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_a_score_that_is_not_finite_is_refused_and_not_stored(score, tmp_path):
    store = ScoreStore(tmp_path / "scores.sqlite")
    with pytest.raises(ColieeError, match=r"not a finite number(.|\n)*bfloat16"):
        get_scores([("a",)], lambda texts: [([0], [[score]])], store, lambda: "a model")
    assert store.find("a model", [("a",)]) == {}


@pytest.mark.parametrize("place", [0, 18, 100, 4096, 5000, 12000])
@pytest.mark.parametrize("kind", ["cut", "ones"])
def test_a_damaged_file_is_named_or_its_scores_are_finite(path, place, kind):
    data = path.read_bytes()
    path.write_bytes(data[:place] + (b"" if kind == "cut" else b"\xff" * 60 + data[place + 60 :]))
    try:
        found = ScoreStore(path).find("a model", PAIRS)
        outcome = str(path) if all(math.isfinite(score) for row in found.values() for score in row) else ""
    except ColieeError as error:
        outcome = str(error)
    assert str(path) in outcome


@pytest.mark.parametrize("value", ["x''", "x'00ff'", "'often'", "7", "x'000000000000f07f'", "x'ffffffffffffffff'"])
def test_an_altered_score_is_missing(path, value):
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE scores SET value = {value}")
    connection.close()
    assert ScoreStore(path).find("a model", PAIRS) == {}


def test_another_store_another_database_and_another_file_are_refused_and_not_changed(tmp_path):
    replies = ReplyStore(tmp_path / "replies.sqlite").path
    (tmp_path / "notes").write_text("my notes " * 100)
    for path in (replies, tmp_path / "notes"):
        before = path.read_bytes()
        with pytest.raises(ColieeError, match="cannot be used as a score store"):
            ScoreStore(path)
        assert path.read_bytes() == before


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="another system")
def test_a_folder_that_cannot_be_written_is_named():
    with pytest.raises(ColieeError, match=r"/proc/scores\.sqlite cannot be used as a score store"):
        ScoreStore("/proc/scores.sqlite")


WRITE = """
    import sys
    from ir_coliee.models import ScoreStore

    store = ScoreStore(sys.argv[1])
    for number in range(100):
        store.add("a model", {("a", str(other)): [other, 0.5] for other in range(number, number + 10)})
        store.add(sys.argv[2], {("a", str(number)): [number]})
"""


def test_processes_that_write_at_once_lose_nothing(tmp_path):
    path = tmp_path / "scores.sqlite"
    command = [sys.executable, "-c", textwrap.dedent(WRITE), path]
    writers = [subprocess.Popen([*command, str(n)], stderr=subprocess.PIPE, text=True) for n in range(2)]
    for writer in writers:
        _, err = writer.communicate(timeout=120)
        assert (writer.returncode, err) == (0, "")
    texts = [("a", str(number)) for number in range(109)]
    store = ScoreStore(path)
    assert store.find("a model", texts) == {text: (float(text[1]), 0.5) for text in texts}
    assert [len(store.find(str(n), texts)) for n in range(2)] == [100, 100]


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
    (tmp_path / "other").rename(tmp_path / "weights")
    assert folder_hash(tmp_path) in seen


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
