"""Each miss has the cause, and each false answer the kind, that was planted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import ir_datasets
import pytest
from fixture_releases import write_task1

from ir_coliee.analysis import evaluate, false_answer_kinds, false_answers, items, losses, miss_causes
from ir_coliee.releases.article_references import article_references
from ir_coliee.releases.release import LocalRelease
from ir_coliee.synthetic import write_release

TEST = "coliee/task1/2025/test"
TEXTS = {
    "900001": "The query, heard in 2005.",
    "900002": "A lamp of 1999.",
    "900003": "A gate, decided in 2010.",
    "900004": "Another query, heard in 2004.",
    "900005": "A WELL.",
    "900006": "A well.",
    "900007": "A road.",
    "900008": "A field of 2003.",
    "900009": "A ferry.",
    "900010": "A bell of 2001.",
}
GOLD = {
    "900001": ["900002", "900003", "900004", "900005", "900007", "900008", "900009", "900099"],
    "900004": ["900002"],
}
RANKED = {"900001": ["900002", "900006", "900009", "900010", "900008"], "900004": ["900008", "900009", "900010"]}
LATER = "The item cites or reports a decision or a hearing of 2010, the query mentions no year after 2005"
ANSWERS = {"900001": ["900002"], "900004": ["900008", "900009", "900010"]}


def put(home: Path, texts: Mapping[str, str], gold: Mapping[str, Sequence[str]]) -> None:
    write_task1(home, texts, {f"{query}.txt": [f"{case}.txt" for case in cases] for query, cases in gold.items()})


def run(items: Mapping[str, Sequence[str]]) -> dict[str, dict[str, float]]:
    """A run whose scores fall from 9 by 1 with each rank."""
    return {query: {item: 9.0 - rank for rank, item in enumerate(ranked)} for query, ranked in items.items()}


@pytest.mark.filterwarnings("ignore:.*900099")
class TestMisses:
    """The causes of misses of task 1 with a ranking."""

    def causes(self, home: Path, more: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, str, str]]:
        """The causes for query 900001, whose ranking has some more items."""
        put(home, TEXTS, GOLD)
        ranked = {query: [*items, *more.get(query, [])] for query, items in RANKED.items()}
        runs = evaluate(TEST, {"mine": run(ANSWERS)}, rankings={"mine": run(ranked)})
        causes = miss_causes(runs, "mine")
        of_query = causes[causes["query_id"] == "900001"]
        assert of_query.set_index("doc_id")["evidence"].to_dict() == {
            doc_id: "900006" if doc_id == "900005" else "" for doc_id in of_query["doc_id"]
        }
        return {doc_id: tuple(reason) for _, doc_id, *reason, _ in of_query.itertuples(index=False)}

    def test_the_first_cause_that_applies_with_its_hint(self, home: Path) -> None:
        absent = ("not among the candidates", "Not among the 5 items of the ranking.")
        last = "the last returned item is at rank 1 and has 9."
        assert self.causes(home, {}) == {
            "900099": ("not in the collection", "The local release has no item 900099.", ""),
            "900003": (*absent, f"YearFilter would drop it: {LATER}."),
            "900004": (*absent, "DropQueries would drop it: the item is a query of the split."),
            "900005": (
                "not among the candidates, which have its text",
                "900006, at rank 2, has the same text.",
                "",
            ),
            "900007": (*absent, ""),
            "900008": ("ranked below the cut-off", f"At rank 5 with score 5; {last}", ""),
            "900009": ("ranked below the cut-off", f"At rank 3 with score 7; {last}", ""),
        }

    @pytest.mark.parametrize(("more", "item"), [(["900003"], "900003"), (["900001"], "900004")])
    def test_a_filter_that_would_drop_items_of_the_ranking_is_no_hint(
        self, home: Path, more: list[str], item: str
    ) -> None:
        assert self.causes(home, {"900004": more})[item][2] == ""

    def test_the_cut_off_is_that_of_each_query(self, home: Path) -> None:
        put(home, TEXTS, GOLD)
        answers = {"900001": ["900009"], "900004": RANKED["900004"]}
        runs = evaluate(TEST, {"mine": run(answers)}, rankings={"mine": run(RANKED)})
        causes = miss_causes(runs, "mine").set_index("doc_id")["cause"]
        assert causes["900002"].iloc[0] == "ranked above the cut-off, not returned"
        assert causes["900008"] == "ranked below the cut-off"
        assert "mine: of 1 items ranked below the cut-off of their query: 0 by at most 1, 1 by at most 3" in (
            "\n".join(losses(runs).notes)
        )

    def test_the_detail_names_other_rankings(self, home: Path) -> None:
        put(home, TEXTS, GOLD)
        rankings = {"mine": run(RANKED), "other": run({"900001": ["900010", "900007"]})}
        runs = evaluate(TEST, dict.fromkeys(rankings, run(ANSWERS)), rankings=rankings)
        causes = miss_causes(runs, "mine").set_index("doc_id")
        assert causes.loc["900007", "detail"] == "Not among the 5 items of the ranking; other has it at rank 2."

    def test_without_a_ranking(self, home: Path) -> None:
        put(home, TEXTS, GOLD)
        runs = evaluate(TEST, {"mine": run(ANSWERS)})
        causes = miss_causes(runs, "mine").set_index(["query_id", "doc_id"])
        assert {*causes["cause"]} == {"not in the collection", "not returned (no ranking)"}
        assert causes.loc[("900001", "900003"), "detail"] == "The run returns 1 item for the query."
        frame = losses(runs)
        assert frame["name"].tolist()[-3:] == ["reachable", "not returned (no ranking)", "kept"]
        assert "pass rankings" in frame.notes[-1]

    def test_without_the_documents_only_ranks_are_told(self, home: Path) -> None:
        put(home, {}, GOLD)
        (home / "task1_test_files_2025").rmdir()
        runs = evaluate(TEST, {"mine": run(ANSWERS)}, rankings={"mine": run(RANKED)})
        causes = miss_causes(runs, "mine").set_index("doc_id")["cause"]
        assert causes["900003"] == causes["900005"] == causes["900099"] == "not among the candidates"
        assert causes["900009"] == "ranked below the cut-off"
        assert {*false_answers(runs)["kind"]} == {"other"}
        assert "not at hand" in false_answers(runs).notes[-1]


def test_kinds_of_false_answers_of_case_retrieval(home: Path) -> None:
    words = " ".join(f"word{number}" for number in range(40))
    texts = TEXTS | {
        "900004": f"Another query of 2004: {words}.",
        "900011": f"Another query of 2004: {words} again.",
        "900012": "A LAMP, of 1999",
        "900013": "A mill.",
        "900014": "A tree.",
    }
    gold = {"900001": ["900002", "900004"], "900004": ["900014"], "900011": ["900013"]}
    put(home, texts, gold)
    answers = {
        "900001": ["900012", "900003", "900014", "900008"],
        "900004": ["900013", "900002"],
        "900011": ["900999"],
    }
    runs = evaluate(TEST, {"mine": run(answers)})
    found = false_answer_kinds(runs, "mine")
    kinds = {tuple(row) for row in found.drop(columns="evidence").itertuples(index=False)}
    for detail, evidence in zip(found["detail"], found["evidence"]):  # which a sentence on an item names
        assert evidence in detail
        assert bool(evidence) == detail.startswith(("The same text", "Relevant to", "Noticed by"))
    rows = items(runs)
    outcomes = runs.outcomes("mine")["outcome"].value_counts()
    assert rows["outcome"].value_counts().to_dict() == outcomes.drop("hit", errors="ignore").to_dict()
    assert rows.loc[rows["outcome"] == "false", "evidence"].tolist() == found["evidence"].tolist()
    assert kinds == {
        ("900001", "900012", "duplicate of a relevant item", "The same text as 900002."),
        ("900001", "900003", "of a later year, by what it mentions", f"{LATER}."),
        ("900001", "900014", "noticed by a relevant case", "Noticed by 900004, a relevant case."),
        ("900001", "900008", "other", "No known relation to the 2 relevant items of the query."),
        (
            "900004",
            "900013",
            "relevant to a near-duplicate query",
            "Relevant to 900011, a near-duplicate of the query.",
        ),
        ("900004", "900002", "other", "No known relation to the 1 relevant item of the query."),
        ("900011", "900999", "other", "Not a candidate of the query."),
    }
    frame = false_answers(runs)
    assert frame["items"].sum() == 7
    assert frame["share"].sum() == pytest.approx(1.0)
    assert frame["kind"].iloc[0] == "other"


def test_paragraphs_and_articles_beside_relevant_ones_and_references() -> None:
    runs = evaluate("coliee/task2/sample/test", {"mine": run({"900009": ["900009_001", "900009_002", "900009_005"]})})
    kinds = false_answer_kinds(runs, "mine")
    assert kinds[["doc_id", "kind", "detail"]].to_numpy().tolist() == [
        ["900009_001", "other", "No known relation to the 2 relevant items of the query."],
        ["900009_002", "beside a relevant item", "Beside 900009_003."],
        ["900009_005", "beside a relevant item", "Beside 900009_004."],
    ]
    split = "coliee/task3/sample/en/test"
    graph = article_references(split)
    gold = {(qrel.query_id, qrel.doc_id) for qrel in ir_datasets.load(split).qrels_iter()}
    to, by = (
        {(query, getattr(edge, end)) for query, item in gold for edge in edges(item) if edge.kind != "structural"}
        - gold
        for end, edges in (("source", graph.incoming), ("target", graph.outgoing))
    )
    answers: dict[str, list[str]] = {}
    for query, item in to | by:
        answers.setdefault(query, []).append(item)
    kinds = false_answer_kinds(evaluate(split, {"mine": run(answers)}), "mine")
    found = {kind: {*zip(rows["query_id"], rows["doc_id"])} for kind, rows in kinds.groupby("kind")}
    assert found == {"refers to a relevant article": to, "referred to by a relevant article": by - to}


def test_labels_are_confused_in_two_ways() -> None:
    split = "coliee/pilot/sample/prediction/test"
    instances = [query.query_id for query in ir_datasets.load(split).queries_iter()]
    runs = evaluate(split, {"mine": {query: {"True": 1.0} for query in instances[:-1]}})
    gold = dict(zip(runs.gold["query_id"], runs.gold["doc_id"]))
    wrong = sum(gold[query] == "False" for query in instances[:-1])
    assert false_answers(runs)[["kind", "items"]].to_numpy().tolist() == [["True instead of False", wrong]]
    causes = miss_causes(runs, "mine")["cause"]
    assert causes.value_counts().to_dict() == {"wrong answer": wrong, "not answered": 1}
    labels = [*gold.values()]
    right = len(instances) - 1 - wrong
    of_labels = f"False 0 of {labels.count('False')}, True {right} of {labels.count('True')}"
    assert losses(runs).notes[1] == f"mine: right answers by gold label: {of_labels}"


@pytest.mark.filterwarnings("ignore::ir_coliee.errors.ColieeWarning")
@pytest.mark.parametrize(("task", "scale"), [("task1/2018", 0.03), ("task2/2025", 0.02)])
def test_an_item_that_its_pool_lacks_is_not_in_the_collection(home: Path, task: str, scale: float) -> None:
    write_release(f"coliee/{task}", home, scale=scale)
    split = f"coliee/{task}/test"
    qrel = next(iter(ir_datasets.load(split).qrels_iter()))
    documents = LocalRelease.open(split).documents()
    Path(str(documents.files[documents.ids.index(qrel.doc_id)])).unlink()
    runs = evaluate(split, {"mine": {qrel.query_id: {"900000_900000": 1.0}}})
    causes = miss_causes(runs, "mine").set_index(["query_id", "doc_id"])
    assert causes.loc[(qrel.query_id, qrel.doc_id), ["cause", "detail", "hint"]].to_list() == [
        "not in the collection",
        f"The pool of query {qrel.query_id} has no item {qrel.doc_id}.",
        "",
    ]
    assert causes["cause"].value_counts()["not in the collection"] == 1
    assert false_answer_kinds(runs, "mine")["detail"].tolist() == ["Not a candidate of the query."]
