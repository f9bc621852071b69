"""What the systems write: never over another run, continued after an interruption, and without labels, too."""

import json
import signal
import threading
from collections import Counter

import pytest
from system_scripts import SYSTEMS, status

from ir_coliee.evaluation.checks import validate
from ir_coliee.models import ReplyStore, ScoreStore
from ir_coliee.synthetic import write_release

if not SYSTEMS.is_dir():
    pytest.skip("the examples are in the repository alone", allow_module_level=True)

pytestmark = pytest.mark.slow
RUN = "coliee-task1-sample-test.IITDLI"


@pytest.fixture(autouse=True)
def working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_run_its_ranking_figures_and_settings_are_written_and_the_same_command_changes_nothing(tmp_path, capsys):
    assert status("task1_iitdli", "--out", "mine") == 0
    written = files(tmp_path / "mine")
    assert {*written} == {RUN, f"{RUN}.trec", f"{RUN}.figures.json", "settings.json"}
    settings = json.loads(written["settings.json"])
    assert (settings["system"], settings["dataset"]) == ("task1 IITDLI", "coliee/task1/sample/test")
    assert {*settings["fingerprints"]} == {"coliee/task1/sample/test", "coliee/task1/sample/train"}
    assert f"next: ir_coliee score coliee/task1/sample/test mine/{RUN}" in capsys.readouterr().out
    assert status("task1_iitdli", "--out", "mine") == 0
    assert files(tmp_path / "mine") == written


def test_other_settings_in_the_same_folder_are_refused_with_what_differs_unless_forced(tmp_path, capsys):
    assert status("task4_llntu", "--out", "mine") == 0
    before = files(tmp_path / "mine")
    other = "--dataset", "coliee/task4/sample/en/test", "--run", "LLNTUdulcsO", "--out", "mine"
    assert status("task4_llntu", *other) == 2
    message = capsys.readouterr().err
    assert "mine has a run with other settings" in message
    assert "dataset: coliee/task4/sample/ja/test there, coliee/task4/sample/en/test here" in message
    assert "run: None there, LLNTUdulcsO here" in message
    assert files(tmp_path / "mine") == before
    assert status("task4_llntu", *other, "--overwrite") == 0
    assert json.loads((tmp_path / "mine" / "settings.json").read_text())["run"] == "LLNTUdulcsO"


@pytest.fixture
def release(tmp_path, monkeypatch):
    """A synthetic release of task 1, and a function that takes the labels of a split away."""
    folder = tmp_path / "release"
    write_release("coliee/task1/2025", folder, scale=0.003)
    monkeypatch.setenv("COLIEE_HOME", str(folder))

    def unlabel(split):
        labels = folder / f"task1_{split}_labels_2025.json"
        (folder / f"task1_{split}_no_labels_2025.json").write_text(json.dumps([*json.loads(labels.read_text())]))
        labels.unlink()

    return unlabel


def test_an_unlabelled_split_is_answered_without_figures(release, tmp_path, capsys):
    release("test")
    assert status("task1_iitdli", "--dataset", "coliee/task1/2025/test", "--out", "mine") == 0
    output = capsys.readouterr().out
    assert "not scored: the local release has no labels" in output
    run = tmp_path / "mine" / "coliee-task1-2025-test.IITDLI"
    assert f"next: ir_coliee submit coliee/task1/2025/test {run.relative_to(tmp_path)} --tag IITDLI" in output
    assert [finding for finding in validate("coliee/task1/2025/test", run) if finding.level == "error"] == []
    assert not run.with_name(f"{run.name}.figures.json").exists()


def test_replies_are_stored_so_that_nothing_is_asked_twice_after_an_interruption(tmp_path, monkeypatch, capsys):
    pytest.importorskip("httpx2")
    pytest.importorskip("torch")  # tiny_checkpoint needs it
    asked = Counter()
    add = ReplyStore.add

    def counted(store, identity, replies):
        asked.update([*replies])
        add(store, identity, replies)
        if len(asked) == 7:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    monkeypatch.setattr(ReplyStore, "add", counted)
    command = "task4_trlabs", "--model", "causal=tiny", "--out"
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell starts Python without it
    assert status(*command, "mine") == 130
    assert "Run the same command again to continue" in capsys.readouterr().err
    signal.signal(signal.SIGINT, before)
    run = tmp_path / "mine" / "coliee-task4-sample-en-test.TRLABS"
    assert not run.exists()
    interrupted = len(asked)
    assert status(*command, "mine") == 0
    assert 7 <= interrupted < len(asked)
    assert {*asked.values()} == {1}
    continued = run.read_bytes()
    assert status(*command, "other") == 0
    assert {*asked.values()} == {2}
    assert (tmp_path / "other" / run.name).read_bytes() == continued
    (tmp_path / "mine" / "replies.sqlite").write_text("no database")
    assert status(*command, "mine") == 2
    assert "cannot be used as a reply store" in capsys.readouterr().err


def test_trainings_and_scores_are_stored_so_that_nothing_is_computed_twice(tmp_path, monkeypatch):
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("torch")  # tiny_checkpoint needs it
    from ir_coliee.transformers.rerankers.checkpoints import CrossEncoderCheckpoint

    scored, trained = Counter(), []
    add, training_job = ScoreStore.add, CrossEncoderCheckpoint.training_job

    def counted(store, identity, scores):
        scored.update([*scores])
        add(store, identity, scores)
        if len(trained) == 1 and len(scored) == 8:
            raise KeyboardInterrupt

    monkeypatch.setattr(ScoreStore, "add", counted)
    monkeypatch.setattr(
        CrossEncoderCheckpoint, "training_job", lambda *given: trained.append(1) or training_job(*given)
    )
    command = "task4_ua", "--model", "tiny", "--batch-size", "4", "--out"
    assert status(*command, "mine") == 130
    assert (len(trained), len(scored)) == (1, 8)
    assert status(*command, "mine") == 0
    assert len(trained) == 1
    assert {*scored.values()} == {1}
    run = tmp_path / "mine" / "coliee-task4-sample-en-test.UA"
    assert run.exists()
    assert status(*command, "other") == 0
    assert len(trained) == 2
    assert (tmp_path / "other" / run.name).read_bytes() == run.read_bytes()
