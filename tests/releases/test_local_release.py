"""A local release: files that are found once, entities of every task, and the keys that change with the files."""

import pytest
from fixture_releases import contents_of_release, expected, write_task1

from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeError, ColieeWarning, UnknownIdError
from ir_coliee.evaluation.scoring import score
from ir_coliee.releases import cases, search
from ir_coliee.releases.article_references import article_references
from ir_coliee.releases.cache import forget
from ir_coliee.releases.release import LocalRelease, document_sources, inventory

TEST = SPLITS["coliee/task1/2025/test"]


def test_one_score_opens_each_split_once_and_parses_each_label_file_once(tmp_path, monkeypatch):
    opened, parsed = [], []
    init, parse = LocalRelease.__init__, cases.read_json_labels
    monkeypatch.setattr(LocalRelease, "__init__", lambda self, *given: opened.append(given[0].id) or init(self, *given))
    monkeypatch.setattr(cases, "read_json_labels", lambda file: parsed.append(file.name) or parse(file))
    search._LISTINGS.clear()
    forget()
    run = tmp_path / "run.txt"
    run.write_text("900656 900557 mine\n")
    assert score("coliee/task1/sample/test", run).figures["MicroP"] == 1
    assert sorted(opened) == ["coliee/task1/sample/test", "coliee/task1/sample/train"]  # for queries known from train
    assert sorted(parsed) == ["task1_test_labels_sample.json", "task1_train_labels_sample.json"]


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("task1_test_labels_2025.json", '{"900001.txt": ["900002.txt"]}'),
        ("COLIEE2023/task2_test_labels_2023.json", '{"900": ["001.txt"]}'),
        (
            "COLIEE2018_CaseLaw_Test_Data/gold_standard/ir/ir.xml",
            "<x><entry id='1'><cases_noticed>2</cases_noticed></entry></x>",
        ),
    ],
)
def test_a_label_file_alone_has_the_state_labels_only(home, name, labels):
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(labels)
    states = {status.id: status.state for status in inventory(SPLITS) if status.files and "/sample/" not in status.id}
    assert [state.partition(":")[0] for state in states.values()] == ["labels only"]
    assert "score, compare, tune and validate work" in next(iter(states.values()))
    assert len(LocalRelease.open(next(iter(states))).qrels()) == 1


def test_a_list_of_queries_alone_is_incomplete(home):
    (home / "task1_test_no_labels_2025.json").write_text('["900001.txt"]')
    assert [status.state for status in inventory([TEST.id])] == ["incomplete"]


CHANGES = {
    "add": lambda corpus: (corpus / "900004.txt").write_text("Decision 4."),
    "remove": lambda corpus: (corpus / "900003.txt").unlink(),
    "change": lambda corpus: (corpus / "900003.txt").write_text("Another decision 3."),
    "labels": lambda corpus: (corpus.parent / "task1_test_labels_2025.json").write_text('{"900001.txt": []}'),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_fingerprint_changes_with_the_files(home, change):
    texts = {f"90000{number}": f"Decision {number}." for number in (1, 2, 3)}
    corpus = write_task1(home, texts, {"900001.txt": ["900002.txt"]})
    fingerprint = LocalRelease.open(TEST).sources.fingerprint
    CHANGES[change](corpus)
    assert LocalRelease.open(TEST).sources.fingerprint != fingerprint


def test_a_fingerprint_needs_no_labels_where_folders_are_queries(fixture_home):
    home = fixture_home("task2/2026", irregular=False)
    (home / "task2_test_labels_2026.json").unlink()
    assert LocalRelease.open("coliee/task2/2026/test").sources.fingerprint


def test_sources_of_documents_exist_for_tasks_1_to_3():
    assert document_sources("coliee/task1/sample/test/full") == document_sources("coliee/task1/sample/test")
    live, all_articles = (document_sources(f"coliee/task3/sample/en{view}") for view in ("", "/deleted"))
    assert live.fingerprint != all_articles.fingerprint
    assert live.origin == all_articles.origin
    assert document_sources("coliee/task4/sample/en/test") is None
    assert document_sources("vaswani") is None


def test_an_id_without_articles_is_refused():
    with pytest.raises(ColieeError, match="coliee/task1/sample/test has no articles"):
        article_references("coliee/task1/sample/test")
    with pytest.raises(UnknownIdError):
        article_references("coliee/task3/1999/ja")


def test_a_code_without_hierarchy_says_what_it_lacks(home):
    text = "<Articles><Article num='1'><caption/><text>第一条　門は、とじる。</text></Article></Articles>"
    (home / "civil.xml").write_text(text, encoding="utf-8")
    with pytest.warns(ColieeWarning, match="(?s)no parts and chapters.*129AC"):
        assert article_references("coliee/task3/2026/ja").references == ()


@pytest.mark.parametrize("release", expected())
def test_a_release_is_read_as_before(release, fixture_home):
    variant, _, name = release.partition("/")
    fixture_home(name, irregular=variant == "irregular")
    assert contents_of_release(name) == expected()[release]["ids"]
