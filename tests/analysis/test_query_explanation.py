"""One query looked at, for every task of the sample: with runs, without runs, without labels and without texts."""

import json
import shutil

import pytest
from analysis.hostile_sample import SAMPLE

from ir_coliee.analysis import show
from ir_coliee.errors import ColieeError, ExistingFileError, MissingLabelsError
from ir_coliee.releases.release import LocalRelease
from ir_coliee.synthetic import write_release

TASK1 = "coliee/task1/sample/test"
#: Of each split of the sample: a query, an item that is relevant and one that is not, and what its texts are.
QUERIES = {
    TASK1: ("900656", "900557", "900664", ["decision"]),
    "coliee/task2/sample/test": ("900009", "900009_003", "900009_001", ["fragment", "base case"]),
    "coliee/task3/sample/en/test": ("R99-01-A", "55", "9", ["statement"]),
    "coliee/task3/sample/ja/test": ("R99-01-A", "55", "9", ["statement"]),
    "coliee/task4/sample/en/test": ("R99-01-A", "Y", "N", ["statement", "articles"]),
    "coliee/task4/sample/ja/test": ("R99-01-A", "Y", "N", ["statement", "articles"]),
    "coliee/pilot/sample/prediction/test": ("900101", "True", "False", []),
    "coliee/pilot/sample/rationale/test": ("900101", "900101_p0", "900101_d0", []),
}
CLAIMS = ["claims of the plaintiff", "claims of the defendant"]


@pytest.fixture(params=QUERIES)
def split(request):
    return request.param


def run_of(split):
    """A run that returns an item that is not relevant."""
    query_id, _relevant, other, _texts = QUERIES[split]
    return {"mine": {query_id: {other: 1.0}}}


def test_the_outcomes_of_a_run_are_those_of_its_evaluation(split):
    query_id, relevant, other, _texts = QUERIES[split]
    explanation = show(split, query_id, run_of(split))
    expected = explanation.runs.outcomes("mine")
    expected = expected[expected["query_id"] == query_id].set_index("doc_id")
    answers = explanation.answers.set_index("doc_id")
    for column in ("outcome", "answer_rank", "rank", "score"):
        assert answers[column].dropna().to_dict() == expected[column].dropna().to_dict()
    assert answers["outcome"][relevant] == "miss"
    assert answers["outcome"][other] == "false"
    (figures,) = explanation.figures.to_dict("records")
    assert (figures["tp"], figures["returned"]) == (0, 1)
    assert figures["relevant"] == len(explanation.relevant)
    assert relevant in str(explanation)


def test_a_query_is_shown_without_runs(split):
    query_id, relevant, _other, names = QUERIES[split]
    explanation = show(split, query_id)
    assert explanation.figures is None
    assert explanation.items == tuple(sorted(explanation.relevant))
    assert list(explanation.texts) == (names or CLAIMS)
    text, page = str(explanation), explanation.page()
    labelled = "gold label" if explanation.runs.scorer.evaluation.single_answer else "relevant items"
    assert f"\n{labelled}: {', '.join(explanation.relevant)}\n" in text
    for whole in explanation.texts.values():
        assert whole[:30].strip().split("\n")[0] in text
        assert whole.strip().split("\n")[-1].replace("'", "&#x27;").replace("<", "&lt;").replace(">", "&gt;") in page
    assert relevant in page


def test_json_has_everything_and_texts_only_below_their_keys(split):
    query_id, _relevant, _other, _names = QUERIES[split]
    explanation = show(split, query_id, run_of(split))
    content = json.loads(json.dumps(explanation.as_json(), allow_nan=False))
    assert [item["doc_id"] for item in content["items"]] == list(explanation.items)
    runs = [run for item in content["items"] for run in item["runs"]]
    assert [run["outcome"] for run in runs] == explanation.answers["outcome"].tolist()
    assert [run["reason"] for run in runs] == explanation.answers["reason"].tolist()
    assert content["texts"]["query"] == explanation.texts
    assert all(content["texts"]["items"].values())
    texts = [*explanation.texts.values(), *content.pop("texts")["items"].values()]
    evidence = [item.pop("evidence") for item in content["items"]]
    assert len(evidence) == len(explanation.items)
    assert not any(text[:20] in json.dumps(content, ensure_ascii=False) for text in texts if len(text) > 20)


def test_several_runs_share_one_table_and_the_misses_come_first():
    runs = {"a": {"900656": {"900557": 2.0, "900664": 1.0}}, "b": {"900656": {"900557": 1.0}}}
    rankings = {"b": {"900656": {"900557": 9.0, "900593": 8.0, "900912": 7.0}}}
    explanation = show(TASK1, "900656", runs, rankings=rankings)
    assert explanation.items == ("900912", "900664", "900557")
    answers = explanation.answers.set_index(["doc_id", "run"])
    row = answers.loc["900912", "b"]
    assert row[["outcome", "rank", "score"]].tolist() == ["miss", 3, 7.0]
    assert row["reason"] == "ranked below the cut-off"
    assert answers.loc["900912", "a"]["reason"] == "not returned (no ranking)"
    assert answers.loc["900664", "a"]["reason"] == "other"
    assert answers.loc["900557", "a"]["reason"] is None
    lines = str(explanation).split("\n")
    assert any(line.split()[:2] == ["900664", "no"] for line in lines)
    assert "a has no ranking" in str(explanation)
    assert "b has no ranking" not in str(explanation)
    other = show(TASK1, "900656", {"a": runs["a"], "other": {"900795": {"900754": 1.0}}})
    assert "other has no answer to this query." in str(other)
    assert "a has no answer" not in str(other)
    assert other.figures["tp"].tolist() == [1, 0]


def test_items_are_named_in_any_spelling_of_a_run():
    ranked = {"900656": {"900557": 9.0, "900593": 8.0}}
    run = {"mine": {"900656": {"900557": 9.0}}}
    explanation = show(TASK1, "900656.txt", run, rankings={"mine": ranked}, items=["900593.txt"])
    assert explanation.items == ("900593",)
    assert explanation.answers[["outcome", "rank"]].to_numpy().tolist() == [[None, 2]]
    assert "not returned, rank 2, score 8" in str(explanation)


@pytest.mark.parametrize(
    ("query_id", "options", "error", "message"),
    [
        (
            "900657",
            {},
            ColieeError,
            r"has no query '900657'.\nNearest known ids: .*900656.*\n`ir_coliee analyse ",
        ),
        ("", {}, ColieeError, r"^No query id was given.\nThe 12 known ids begin with 900656, .*\n`ir_coliee analyse "),
        ("x" * 5000, {}, ColieeError, "has no query 'xx"),
        (900656, {}, TypeError, "query_id must be a string, got a value of type int."),
        ("900656", {"items": ["900000"]}, ColieeError, "is no candidate of query 900656"),
        ("900656", {"items": ["nothing"]}, ColieeError, "is no candidate of query 900656"),
        ("900656", {"items": "900557"}, TypeError, "items must be a list of document ids, got '900557'."),
        ("900656", {"items": [900557]}, TypeError, "Each of the items must be a string, got a value of type int."),
        ("900656", {"rankings": [{"900656": {"900557": 1.0}}]}, ColieeError, "No run was passed"),
    ],
)
def test_what_is_not_known_is_refused_with_what_is_near(query_id, options, error, message):
    with pytest.raises(error, match=message) as raised:
        show(TASK1, query_id, **options)
    assert len(str(raised.value).split("\n")[0]) <= 100


def test_without_labels_the_outcomes_are_unknown(split, monkeypatch):
    def refuse(_release):
        raise MissingLabelsError("no labels")

    monkeypatch.setattr(LocalRelease, "qrels", refuse)
    query_id, _relevant, other, _texts = QUERIES[split]
    explanation = show(split, query_id, run_of(split))
    assert explanation.relevant is None
    assert explanation.figures is None
    assert explanation.items == (other,)
    text = str(explanation)
    assert "no gold labels, so outcomes and figures are unknown" in text
    assert "  mine: returned" in text
    (item,) = explanation.as_json()["items"]
    assert item["relevant"] is None
    assert item["runs"][0]["outcome"] is None


def test_a_query_that_the_labels_leave_out_has_no_outcomes(monkeypatch):
    qrels = [qrel for qrel in LocalRelease.open(TASK1).qrels() if qrel.query_id != "900656"]
    monkeypatch.setattr(LocalRelease, "qrels", lambda _release: qrels)
    explanation = show(TASK1, "900656", run_of(TASK1))
    assert explanation.relevant is explanation.figures is None
    assert "no labels of this query, so outcomes and figures are unknown" in str(explanation)
    assert explanation.answers["outcome"].tolist() == [None]


@pytest.mark.parametrize(
    ("split", "documents"), [(TASK1, "task1_test_files_sample"), ("coliee/task3/sample/en/test", "text")]
)
def test_without_texts_there_are_ids_ranks_and_reasons(split, documents, tmp_path, monkeypatch):
    shutil.copytree(SAMPLE, tmp_path / "sample")
    for folder in (tmp_path / "sample").rglob(documents):
        shutil.rmtree(folder)
    monkeypatch.setattr("ir_coliee.releases.release._SAMPLE_FOLDER", tmp_path / "sample")
    query_id, relevant, other, _texts = QUERIES[split]
    explanation = show(split, query_id, run_of(split), rankings={"mine": {query_id: {other: 2.0, relevant: 1.0}}})
    assert "are not at hand, so why pairs match is unknown" in str(explanation)
    assert "statement" in explanation.texts if split != TASK1 else explanation.texts == {}
    assert "miss, rank 2, score 1, ranked below the cut-off\n    At rank 2 with" in str(explanation)
    assert set(explanation.as_json()["texts"]["items"].values()) == {""}
    assert all(item["evidence"] == [] for item in explanation.as_json()["items"])


def test_in_task_3_of_2026_a_question_passes_with_the_right_answer_and_all_articles(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    write_release("coliee/task3/2026/ja", tmp_path, scale=0.01)
    gold = {qrel.query_id: qrel.doc_id for qrel in LocalRelease.open("coliee/task4/2026/ja/test").qrels()}
    query_id, right = min(gold.items())
    articles = {a.doc_id: 1.0 for a in LocalRelease.open("coliee/task3/2026/ja/test").qrels() if a.query_id == query_id}
    wrong = "N" if right == "Y" else "Y"
    runs = {name: {query_id: articles} for name in ("right", "wrong", "silent")}
    answers = {"right": {query_id: {right: 1.0}}, "wrong": {query_id: {wrong: 1.0}}}
    figures = show("coliee/task3/2026/ja/test", query_id, runs, answers=answers).figures
    assert figures["answer_right"].tolist() == figures["passed"].tolist() == [True, False, None]
    assert figures["value"].tolist() == [1.0, 1.0, 1.0]


def test_a_page_is_readable_by_the_user_alone_and_not_written_over(tmp_path):
    explanation = show(TASK1, "900656")
    explanation.write_page(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_mode & 0o077 == 0
    (tmp_path / "page.html").write_text("mine")
    with pytest.raises(ExistingFileError, match="--overwrite"):
        explanation.write_page(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == "mine"
    explanation.write_page(tmp_path / "page.html", overwrite=True)
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == explanation.page()


def test_pages_name_the_data_use_agreement_but_of_the_sample(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    write_release("coliee/task3/2026/ja", tmp_path, scale=0.01)
    query_id = LocalRelease.open("coliee/task3/2026/ja/test").queries()[0].query_id
    restricted, free = show("coliee/task3/2026/ja/test", query_id), show(TASK1, "900656")
    assert "data-use agreement" in restricted.page()
    assert "data-use agreement" in restricted.as_json()["notice"]
    assert "data-use agreement" not in free.page()
    assert free.as_json()["notice"] is None


def test_many_items_are_left_out_of_the_text_but_not_of_the_page():
    returned = {f"{number}": 1.0 for number in range(900500, 901000)}
    docs = [
        doc.doc_id for doc in LocalRelease.open(TASK1).documents() if doc.doc_id in returned and doc.doc_id != "900656"
    ]
    explanation = show(TASK1, "900656", {"all": {"900656": dict.fromkeys(docs, 1.0)}})
    assert len(explanation.items) > 20
    assert f"{len(explanation.items) - 3} of {len(explanation.items)} items are not explained here" in str(explanation)
    assert f"The first 20 of {len(explanation.items)} items" in str(explanation)
    page = explanation.page()
    assert "not explained here" not in page
    assert "The first 20" not in page
    assert all(f"{doc_id}: " in page for doc_id in explanation.items)
