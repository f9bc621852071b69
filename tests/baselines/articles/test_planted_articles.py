"""Evidence that is planted in a code of random words is found by the family of features for it, and not by others."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from small_code import article

from ir_coliee.baselines.articles import STANDARD, article_features
from ir_coliee.baselines.recipes import BoostedLearner, GivenCutoff, QueryBlock, held_out
from ir_coliee.engine.articles.collection import ArticleCollection, ArticleQuestions
from ir_coliee.engine.articles.evidence import ArticleEvidence
from ir_coliee.transformers import TopK

pytestmark = pytest.mark.slow

pytest.importorskip("lightgbm")
pytest.importorskip("sklearn")

YEARS = ("H97", "H98", "H99", "R97", "R98", "R99")
NUMBERS, ARTICLES, VOCABULARY, WORDS = 8, 42, 30, 5
RECIPE = replace(
    STANDARD, learners=(BoostedLearner(num_iterations=30, learning_rate=0.2, num_leaves=8),), cut=GivenCutoff(TopK(1))
)


class Planted:
    """Two questions of each number of each exam, each with one relevant article.

    Articles have words of half of the alphabet, and the words that only questions have are of the other half. If past
    questions are not to tell the article, no article is relevant in two years.
    """

    def __init__(self, kind):
        self.random = np.random.default_rng(7)
        self.kind = kind
        self.article_words, self.question_words = self.vocabulary("abcdefghijklm"), self.vocabulary("nopqrstuvwxyz")
        self.of_article = [self.random.choice(VOCABULARY, WORDS, replace=False) for _ in range(ARTICLES)]
        self.articles = [self.article(place) for place in range(ARTICLES)]
        self.texts, self.gold = {}, {}
        for exam, year in enumerate(YEARS):
            for number in range(1, NUMBERS + 1):
                pair = self.pair(exam, number)
                for letter, place, other in zip("AI", pair, pair[::-1]):
                    qid = f"{year}-{number}-{letter}"
                    self.gold[qid], self.texts[qid] = str(place + 1), " ".join(self.question(place, other))

    def vocabulary(self, letters):
        return ["".join(self.random.choice([*letters], 7)) for _ in range(VOCABULARY)]

    def pair(self, exam, number):
        """The relevant articles of two sibling questions."""
        if self.kind == "number":
            return [5 * number - 3] * 2
        of_exam = {"past": range(ARTICLES), "structure": range(6 * exam + 1, 6 * exam + 7, 3)}
        return self.random.choice(of_exam.get(self.kind, range(7 * exam, 7 * exam + 7)), 2, replace=False).tolist()

    def article(self, place):
        text = " ".join(self.article_words[word] for word in self.of_article[place])
        if self.kind == "references":
            text += f" Article {linked(place) + 1} applies."
        return article(str(place + 1), "", text, chapter="Chapter I", section=f"Section {place // 3}")

    def question(self, place, other):
        """The words of a question to which an article is relevant, as another one is to its sibling."""
        if self.kind == "past":  # words that are always the same for the article, and that no article has
            return [f"{self.question_words[place % VOCABULARY]}{place}"] * 2
        if self.kind == "number":
            return self.random.choice(self.question_words, WORDS)
        words = self.question_words if self.kind == "translation" else self.article_words
        sources = {"siblings": [other], "structure": [place - 1, place + 1], "references": [linked(place)]}
        chosen = [
            self.random.choice(self.of_article[each], 4, replace=False) for each in sources.get(self.kind, [place])
        ]
        return [words[word] for word in np.concatenate(chosen)]

    def blocks(self):
        train = pd.DataFrame({"qid": [*self.texts], "query": [*self.texts.values()]})
        questions = ArticleQuestions.of(ArticleCollection(self.articles, "en"), train, self.qrels)
        evidence = ArticleEvidence(questions, questions.train, "words")
        table = cache(lambda hidden: article_features(evidence, hidden))

        def block(fold):
            qids = questions.qids[questions.folds == fold]

            def table_without(names):
                return table(frozenset(map(int, names))).of_queries(qids)

            return QueryBlock(str(fold), table_without(frozenset()), table_without=table_without)

        return [*map(block, range(questions.num_folds))]

    @property
    def qrels(self):
        return pd.DataFrame({"qid": [*self.gold], "docno": [*self.gold.values()], "label": 1})


def linked(place):
    """The article to which an article refers."""
    return (place + 17) % ARTICLES


@pytest.mark.parametrize(
    ("kind", "alone", "others"),
    [
        ("lexical", ["lexical"], ["past", "number", "siblings"]),  # the other families have words of articles too
        ("past", ["past"], ["lexical", "number", "siblings"]),
        ("past", ["ridge"], ["lexical", "number", "siblings"]),
        ("translation", ["translation"], ["lexical", "past", "ridge", "number"]),  # siblings and structure have it too
        ("siblings", ["siblings"], ["lexical", "past", "ridge", "translation", "number", "structure"]),
        ("structure", ["structure"], ["lexical", "past", "ridge", "translation", "number"]),
        ("references", ["references"], ["lexical", "past", "ridge", "translation", "number", "siblings", "structure"]),
        ("number", ["number"], ["lexical", "past", "ridge", "translation"]),
    ],
)
def test_each_family_finds_its_own_evidence_and_the_others_do_not(kind, alone, others):
    planted = Planted(kind)
    blocks = planted.blocks()

    def value(families):
        own = blocks
        for family in {*blocks[0].table.families} - {*families}:
            own = [block.without(family) for block in own]
        return held_out(RECIPE, own, planted.qrels).value

    assert value(alone) > 0.7
    assert value(others) < 0.3
