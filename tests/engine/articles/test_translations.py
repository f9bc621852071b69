"""IBM model 1 against expectation maximisation with dictionaries."""

from collections import Counter, defaultdict
from math import log

import numpy as np
import pytest
from scipy import sparse

from ir_coliee.engine.articles.evidence import counted, translation_scores, translation_tables

ARTICLES = ["lamp oil lamp", "gate keeper gate key", "boat pledge oil"]
QUESTIONS = ["light lamp night", "keeper guard gate gate", "ship pledge", "light oil light"]
GOLD = {(0, 0), (1, 1), (2, 2), (2, 0), (3, 0)}
INDEX = counted([*ARTICLES, *QUESTIONS], "words")
COUNTS = INDEX.counts
OF_ARTICLES, OF_QUESTIONS = COUNTS[:3], COUNTS[3:]
TERMS = list(INDEX.vocabulary)


def relevant(gold):
    matrix = np.zeros((len(QUESTIONS), len(ARTICLES)))
    for pair in gold:
        matrix[pair] = 1
    return sparse.csr_matrix(matrix)


def plain_table(gold, rounds):
    """P(w | t) by loops."""
    pairs = [(QUESTIONS[question], ARTICLES[article]) for question, article in gold]
    pairs += [(article, article) for article in ARTICLES]
    pairs = [(text.split(), sorted(set(article.split()))) for text, article in pairs]
    probability = {(w, t): 5.0 if w == t else 1.0 for text, article in pairs for w in text for t in article}
    for _ in range(rounds):
        expected, total = defaultdict(float), defaultdict(float)
        for text, article in pairs:
            for w in text:
                sum_ = sum(probability[w, t] for t in article)
                for t in article:
                    expected[w, t] += probability[w, t] / sum_
                    total[t] += probability[w, t] / sum_
        probability = {(w, t): value / total[t] for (w, t), value in expected.items()}
    return probability


def as_dict(table):
    cells = sparse.coo_matrix(table)
    return {(TERMS[w], TERMS[t]): value for w, t, value in zip(cells.row, cells.col, cells.data)}


@pytest.mark.parametrize(("left_out", "rounds"), [([], 1), ([], 4), ([0, 2], 4)])
def test_the_table_is_that_of_loops_over_dictionaries(left_out, rounds):
    table = translation_tables(OF_QUESTIONS, OF_ARTICLES, relevant(GOLD))(np.array(left_out), rounds)
    kept = {pair for pair in GOLD if pair[0] not in left_out}
    assert as_dict(table) == pytest.approx(plain_table(kept, rounds), abs=1e-9)
    other = relevant(kept | {(question, 1) for question in left_out})  # other labels change no bit
    again = translation_tables(OF_QUESTIONS, OF_ARTICLES, other)(np.array(left_out), rounds)
    assert (table != again).nnz == 0


def test_scores_are_those_of_the_formula():
    asked = ["light lamp gate gate", "unknown ship"]
    table = translation_tables(OF_QUESTIONS, OF_ARTICLES, relevant(GOLD))()
    collection = Counter(" ".join([*ARTICLES, *QUESTIONS]).split())
    translation = plain_table(GOLD, 4)
    expected = np.zeros((2, 3))
    for row, question in enumerate(asked):
        for column, article in enumerate(ARTICLES):
            tf = Counter(article.split())
            for w in set(question.split()) & set(collection):
                translated = sum(translation.get((w, t), 0) * tf[t] / tf.total() for t in tf)
                probability = 0.7 * translated + 0.3 * tf[w] / tf.total()
                expected[row, column] += max(0, log(0.7 * probability / (collection[w] / collection.total()) + 0.3))
    frequencies = INDEX.collection.cf
    scores = translation_scores(INDEX.query_vectors(asked), OF_ARTICLES, table, frequencies)
    np.testing.assert_allclose(scores, expected, atol=1e-9)
    assert (scores > 0).any()


def test_texts_without_words_have_no_translations_and_no_scores():
    nothing = sparse.csr_matrix((2, 3))
    table = translation_tables(nothing, nothing, sparse.csr_matrix(np.eye(2)))()
    assert table.nnz == 0
    assert translation_scores(nothing, nothing, table, np.zeros(3)).tolist() == [[0, 0], [0, 0]]
    counts = sparse.csr_matrix(np.array([[1.0, 0.0], [0.0, 0.0]]))  # the second text has no word
    pairs = translation_tables(counts, counts, sparse.csr_matrix(np.array([[0.0, 1.0], [1.0, 0.0]])))
    assert pairs().toarray().tolist() == [[1, 0], [0, 0]]
