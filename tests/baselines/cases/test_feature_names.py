"""The names of features that users read are explained on the page about learning, each once and no other."""

import re

import pages
import pytest

from ir_coliee.baselines.cases.evidence import COMPACT, LEAN
from ir_coliee.engine.cases.candidates import GRAPH_FEATURES, KINDS

PAGE = pages.ROOT / "docs" / "how-to" / "learn.md"


def names_in_tables():
    """The names in the first column of each table of the section."""
    section = re.search(r"## What do the names of the features of task 1 mean.*?(?=\n## )", PAGE.read_text(), re.DOTALL)
    for table in re.findall(r"\|---\|---\|\n((?:\|.*\n)+)", section[0]):
        yield [name for row in table.splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1])]


@pytest.mark.skipif(not PAGE.exists(), reason="no pages here")
def test_each_feature_is_explained_on_the_page():
    scores, kinds, of_pairs, of_second_round = names_in_tables()
    assert sorted(scores) == sorted(COMPACT.scores)
    assert kinds == [f"_{kind}" for kind in KINDS]
    assert sorted(of_pairs) == sorted(COMPACT.pair_features)
    assert sorted(of_second_round) == sorted(GRAPH_FEATURES)
    assert {*LEAN.scores} < {*scores}
