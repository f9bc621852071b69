"""Retrieval by names, judges and years: what a researcher gets from a release."""

import pandas as pd
import pytest

from ir_coliee.transformers import CitedYearRetriever, JudgeMentionRetriever, NameRetriever

TEST = "coliee/task1/2025/test"
MARKER = "<FRAGMENT_SUPPRESSED>"
QUERY = (
    f"Karu, J.\nMay 1, 2015.\n[1]\nOdd J.A. in {MARKER} (1998) and Justice Odd decided on it, as they did of Kestry. "
    f"{'The gate is shut. ' * 5} In Tammsaare, {MARKER}, it was so."
)
NAMED = {
    "900001": QUERY,
    "900002": "Odd, J.A.\nMay 1, 1998.\n[1]\nKestry asks.",
    "900003": "Karu, J.\nMay 1, 2003.\n[1]\nTammsaare asks.",
    "900004": "Tamm, J.\nMay 1, 1998.\n[1]\nKestry and Tammsaare ask.",
}
FILLER = {f"91{number:04}": f"[1]\nFiller {number} is grey." for number in range(130)}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    folder = tmp_path / "task1_test_files_2025"
    folder.mkdir()
    for name, text in (NAMED | FILLER).items():
        (folder / f"{name}.txt").write_text(text)


def found(retriever):
    results = retriever(pd.DataFrame({"qid": ["900001"], "query": [QUERY]}))
    return dict(zip(results["docno"], results["score"]))


def test_names_of_the_head_are_found():
    assert found(NameRetriever(TEST)).keys() == {"900002", "900003", "900004"}


def test_names_near_a_citation_are_found():
    """In 900004 stands Tammsaare, which is near one, and Kestry, which is not."""
    scores = [found(NameRetriever(TEST, near_citations=near)) for near in (False, True)]
    assert scores[0]["900004"] > scores[1]["900004"] > 0


def test_the_judge_of_a_decision_is_found_and_the_own_one_is_not():
    assert found(JudgeMentionRetriever(TEST)) == {"900002": 2}


def test_the_year_of_a_decision_is_found_near_a_citation():
    assert found(CitedYearRetriever(TEST)) == {"900002": 1, "900004": 1}
