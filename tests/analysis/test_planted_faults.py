"""One fault is planted in a run: the causes name it, and the report names it first."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from analysis.pages.small_pictures import small_pictures  # noqa: F401  (fixture)

from ir_coliee.analysis import evaluate, losses_by_group, query_properties, report
from ir_coliee.analysis.runs import EvaluatedRuns
from ir_coliee.releases.release import LocalRelease
from ir_coliee.synthetic import write_release

TEST = "coliee/task1/2025/test"
FRENCH = (
    "[1] Le demandeur a présenté une demande de contrôle de la décision, et la Cour est d'avis qu'elle est rejetée. "
)
FIRST = {
    "french": r"Loss of a group: the \d+ queries with “language: French” have",
    "cut": r"Loss: \d+ of \d+ relevant items \(\d+\.\d %\) are ranked below the cut-off\.",
    "later": r"Year filter: returned items of a later year by what they and the query mention: \d+",
    "long": r"Cut-off: return all items with a score of at least",
    "absent": r"Loss: \d+ of \d+ relevant items \(\d+\.\d %\) are not among the candidates\.",
}


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EvaluatedRuns]:
    """A release of which a quarter of the queries are French, with a run without answers."""
    home = tmp_path_factory.mktemp("planted")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLIEE_HOME", str(home))
        write_release(TEST, home, scale=0.07)
        shutil.rmtree(home / "task1_train_files_2025")  # with it, a report compares the splits, which takes long
        release = LocalRelease.open(TEST)
        for number, query_id in enumerate(sorted(query.query_id for query in release.queries())):
            if number % 4 == 0:
                text = f"{FRENCH * (12 + number % 5)} Voir l'arrêt de {2004 + number % 20}."
                (Path(str(release.corpus)) / f"{query_id}.txt").write_text(text, encoding="utf-8")
        yield evaluate(TEST, {"empty": {}})


def run_with(fault: str, seed: int, empty: EvaluatedRuns) -> tuple[dict[str, dict[str, float]], ...]:
    """Answers and rankings in which relevant items have scores above .8 and others below 1, but for the fault."""
    chance, documents = random.Random(seed), [*empty.documents.ids()]
    language = query_properties(empty).set_index("query_id")["language"]
    answers, rankings = {}, {}
    for query_id, relevant in empty.gold.groupby("query_id")["doc_id"].agg(set).items():
        later = [each for each in documents if empty.facts.is_later(query_id, each) and each not in relevant]
        others = sorted({*chance.sample(documents, 40)} - relevant - {*later, query_id})
        scores = {each: 0.97 * chance.random() for each in others}
        lost = {"french": 0.9 if language[query_id] == "French" else 0.05, "absent": 0.5}.get(fault, 0.05)
        scores |= {each: 0.9 + chance.random() for each in sorted(relevant) if chance.random() > lost}
        if fault == "later":
            scores |= {each: 1.5 + chance.random() for each in chance.sample(later, min(3, len(later)))}
        ranked = sorted(scores, key=scores.__getitem__, reverse=True)
        kept = sum(score >= 0.95 for score in scores.values())
        rankings[query_id] = {each: scores[each] for each in ranked}
        answers[query_id] = {each: scores[each] for each in ranked[: {"cut": 1, "long": kept + 6}.get(fault, kept)]}
    return answers, rankings


@pytest.mark.usefixtures("small_pictures")
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 20))])
@pytest.mark.parametrize("fault", FIRST)
def test_the_planted_fault_is_the_first_finding(fault: str, seed: int, empty: EvaluatedRuns) -> None:
    answers, rankings = run_with(fault, seed, empty)
    made = report(TEST, {"mine": answers}, rankings={"mine": rankings})
    found = [block for block in made.blocks[:12] if isinstance(block, str) and block.startswith("  ")]
    assert re.match(FIRST[fault], found[0].strip()), found
    if fault != "french":
        assert not any("French" in sentence for sentence in found)
    if fault != "later":
        assert not any("Year filter" in sentence for sentence in found)


def test_losses_of_a_group_are_those_of_a_count(empty: EvaluatedRuns) -> None:
    answers, rankings = run_with("french", 3, empty)
    runs = evaluate(TEST, {"mine": answers}, rankings={"mine": rankings})
    row = losses_by_group(runs, ["language"]).iloc[0]
    french = {*query_properties(runs).query("language == 'French'")["query_id"]}
    gold = [*runs.gold.itertuples(index=False, name=None)]
    lost = [pair for pair in gold if pair[1] not in rankings[pair[0]]]
    inside, outside = ([pair[0] in french for pair in pairs] for pairs in (gold, lost))
    others = (len(lost) - sum(outside)) / (len(gold) - sum(inside))
    assert (row["group"], row["cause"], row["num_queries"]) == ("French", "not among the candidates", len(french))
    assert (row["relevant"], row["lost"]) == (sum(inside), sum(outside))
    assert row["share_of_others"] == pytest.approx(others)
    assert row["excess"] == pytest.approx(sum(outside) - others * sum(inside))
    assert row["p_holm"] < 0.01
