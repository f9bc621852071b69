"""Evidence that is planted in random texts is found by the family of features for it, and not without it."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ir_coliee.baselines import paragraphs
from ir_coliee.baselines.paragraphs import Role, paragraph_recipe
from ir_coliee.baselines.recipes import QueryBlock, held_out
from ir_coliee.datasets.folds import FragmentCases
from ir_coliee.text.cues import rhetoric_cues

pytest.importorskip("lightgbm")
pytest.importorskip("sklearn")

CASES, PARAGRAPHS, WORDS = 40, 8, 30
FAR = Role(CASES, [1000])
CUES = [" ".join(cue) for cue in rhetoric_cues()["conclusion"]]


class Planted:
    """Cases of random words, one paragraph of each of which is relevant."""

    def __init__(self, kind):
        self.generator = np.random.default_rng(7)
        self.relevant = self.generator.integers(0, PARAGRAPHS, CASES)
        self.decisions = [self.words(100) for _ in range(10)]
        self.cases = FragmentCases([], [], [], [], [], [])
        for number, relevant in enumerate(self.relevant):
            paragraphs = [self.words(WORDS) for _ in range(PARAGRAPHS)]
            cited, elsewhere = self.words(40), self.words(300)
            if kind == "windows":  # the paragraph is told beside the citation, and each of the others far from it
                cited = " ".join(self.generator.permutation(paragraphs[relevant].split()))
                others = [text for place, text in enumerate(paragraphs) if place != relevant]
                elsewhere = f"{elsewhere} {' '.join(self.generator.permutation(' '.join(others).split()))}"
            elif kind == "quoted":
                self.decisions += [f"{self.words(50)} {paragraphs[relevant]} {self.words(50)}" for _ in range(3)]
            elif kind == "paragraph":
                chosen = " ".join(self.generator.choice(CUES, 3, replace=False)).split()
                paragraphs[relevant] = " ".join([*chosen, *paragraphs[relevant].split()[len(chosen) :]])
            fragment = f"The fragment {number} is here."
            base_case = f"{cited} FRAGMENT_SUPPRESSED {self.words(150)} {elsewhere} {self.words(150)} {fragment}"
            docnos = [f"{number}_{place}" for place in range(PARAGRAPHS)]
            self.cases += FragmentCases([str(number)], [fragment], [base_case], docnos, paragraphs, [PARAGRAPHS])

    def words(self, number):
        return " ".join(f"w{word}" for word in self.generator.integers(0, 2000, number))

    @property
    def gold(self):
        docnos = [f"{number}_{place}" for number, place in enumerate(self.relevant)]
        return pd.DataFrame({"qid": [*map(str, range(CASES))], "docno": docnos, "label": 1})


@pytest.mark.parametrize(
    ("kind", "others"),
    [
        ("windows", ["paragraph", "places", "quoted"]),  # the base case has the window too
        ("quoted", ["windows", "base", "paragraph", "places"]),
        ("paragraph", ["base", "places", "quoted"]),  # cues are no words of the query: the window's scores are lower
    ],
)
def test_each_family_finds_its_own_evidence_and_the_others_do_not(kind, others):
    planted = Planted(kind)
    queries = FAR.query_texts(planted.cases, delete_fragment=True)
    table = paragraphs.case_features(planted.cases, queries, planted.decisions)
    recipe = paragraph_recipe(FAR)
    recipe = replace(recipe, learners=tuple(replace(each, num_iterations=60, seeds=1) for each in recipe.learners))

    def value(families):
        own = table
        for family in set(table.families) - set(families):
            own = own.without(family)
        blocks = [
            QueryBlock(str(number), own.of_queries([str(q) for q in range(number, CASES, 4)])) for number in range(4)
        ]
        return held_out(recipe, blocks, planted.gold).value

    assert value([kind]) > 0.8
    assert value(others) < 0.5
