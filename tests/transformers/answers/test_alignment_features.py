"""Features of statements and their articles, against plain computations on the words."""

import math
import re

import numpy as np
import pandas as pd
import pytest

from ir_coliee.errors import ColieeError
from ir_coliee.transformers.answers.features import AlignmentFeatures, PastAnswerFeatures
from ir_coliee.transformers.features.learning import feature_matrix

ARTICLES = (
    "Article 5 (1) A lamp that burns for three days must be shut; unless the keeper consents, it may not be sold.\n"
    "Article 6 A gate is closed within two months."
)
SENTENCES = (
    "(1) A lamp that burns for three days must be shut; unless the keeper consents, it may not be sold.",
    "A gate is closed within two months.",
)
STATEMENT = "A lamp burns in the hall. If the keeper consents, the lamp may be sold within four months."
CLAUSE = "the lamp may be sold within four months."
OTHER = "A gate is not closed."
STOP_WORDS = {"a", "that", "for", "be", "the", "it", "not", "is", "in", "if"}


def words(text):
    return re.findall(r"[a-z0-9]+", text.lower())


def content(text):
    return {word for word in words(text) if word not in STOP_WORDS}


def pairs(text):
    return set(zip(words(text), words(text)[1:]))


def fourgrams(text):
    joined = " ".join(words(text))
    return {joined[start : start + 4] for start in range(len(joined) - 3)}


def frame(statements, text=ARTICLES):
    rows = {
        "qid": [f"R99-{number}-A" for number in range(1, len(statements) + 1)],
        "docno": "Y",
        "score": 0.0,
        "rank": 0,
    }
    return pd.DataFrame(rows).assign(query=statements, text=text)


def features_of(table, language="en"):
    transformer = AlignmentFeatures(language)
    return pd.DataFrame(feature_matrix(transformer(table)), columns=transformer.feature_names, index=table["qid"])


def expected_features():
    """The 40 features of the alignment of STATEMENT, by name."""
    bodies = " ".join(SENTENCES)
    texts = [STATEMENT, OTHER, bodies]  # the articles are one text
    df = {word: sum(word in content(text) for text in texts) for text in texts for word in content(text)}
    idf = {word: math.log(1 + (3 - n + 0.5) / (n + 0.5)) for word, n in df.items()}

    def share(part, whole):
        return len(part & whole) / len(part)

    def idf_share(part, whole):
        return sum(idf[word] for word in part & whole) / sum(idf[word] for word in part)

    def longest(one, other):
        one, other = words(one), f" {' '.join(words(other))} "
        runs = [one[i:j] for i in range(len(one)) for j in range(i + 1, len(one) + 1)]
        return max((len(run) for run in runs if f" {' '.join(run)} " in other), default=0)

    best = max(SENTENCES, key=lambda sentence: idf_share(content(STATEMENT), content(sentence)))
    assert best == SENTENCES[0]
    found = {}
    for name, part in (("statement", STATEMENT), ("clause", CLAUSE)):
        for place, whole in (("articles", bodies), ("sentence", best)):
            found[f"coverage.{name}_by_{place}"] = share(content(part), content(whole))
            found[f"coverage.idf_of_{name}_by_{place}"] = idf_share(content(part), content(whole))
            found[f"coverage.phrases_of_{name}_by_{place}"] = share(pairs(part), pairs(whole))
            found[f"longest.{name}_in_{place}"] = longest(part, whole)
            found[f"longest.share_of_{name}_in_{place}"] = longest(part, whole) / len(words(part))
        missing = [idf[word] for word in content(part) - content(bodies)]
        found[f"coverage.characters_of_{name}"] = share(fourgrams(part), fourgrams(bodies))
        found[f"unmatched.sum_of_{name}"] = sum(missing)
        found[f"unmatched.largest_of_{name}"] = max(missing)
        found[f"unmatched.number_of_{name}"] = len(missing)
    return found | {
        "coverage.idf_of_sentence_by_statement": idf_share(content(best), content(STATEMENT)),
        "negation.statement": 0,
        "negation.clause": 0,
        "negation.sentence": 1,
        "negation.statement_differs": 1,
        "negation.clause_differs": 1,
        "exceptions.statement": 0,
        "exceptions.articles": 1,
        "exceptions.sentence": 1,
        "numbers.statement": 1,
        "numbers.missing": 1,
        "length.log_ratio": math.log((1 + len(words(STATEMENT))) / (1 + len(words(bodies)))),
    }


def test_the_alignment_equals_a_plain_computation():
    found = features_of(frame([STATEMENT, OTHER])).loc["R99-1-A"]
    assert found[:40].to_dict() == pytest.approx(expected_features(), abs=1e-6)


def test_a_japanese_statement_is_compared_by_characters():
    article = "（灯）\n第五条　灯は、三日の間に限り、点すことができる。ただし、祭りの日は、この限りでない。"
    found = features_of(frame(["灯は，三月の間，点すことができない。"], article), "ja").iloc[0]
    assert found["longest.statement_in_articles"] == len("点すことができ")
    # of 点す, すこ, こと, とが, がで, でき, きな, ない the articles lack one, their first sentence two
    assert (found["coverage.clause_by_articles"], found["coverage.clause_by_sentence"]) == (7 / 8, 6 / 8)
    assert (found["negation.statement"], found["negation.sentence"], found["negation.statement_differs"]) == (1, 0, 1)
    assert (found["exceptions.articles"], found["exceptions.sentence"], found["numbers.missing"]) == (2, 0, 1)


PAST = {
    "R97-01-A": ("A lamp is lit at night.", "Y"),
    "R97-01-I": ("A gate is not shut.", "N"),
    "R98-01-A": ("A lamp is not shut.", "N"),
}


@pytest.fixture(scope="module")
def past():
    topics = pd.DataFrame({"qid": [*PAST], "query": [statement for statement, _ in PAST.values()]})
    gold = pd.DataFrame({"qid": [*PAST], "docno": [answer for _, answer in PAST.values()], "label": 1})
    return topics, gold


def test_past_answers_equal_a_plain_computation(past):
    asked = {"R99-01-A": "A lamp is not lit.", "R98-02-A": "A lamp at night is not shut.", "R99-01-I": "Nothing else."}
    rows = pd.DataFrame({"qid": [*asked], "query": [*asked.values()], "docno": "Y", "score": 0.0, "rank": 0})
    found = feature_matrix(PastAnswerFeatures("en").fit(*past)(rows))
    tokens = {"R97-01-A": {"lamp", "lit", "night"}, "R97-01-I": {"gate", "shut"}, "R98-01-A": {"lamp", "shut"}}
    df = {word: sum(word in each for each in tokens.values()) for word in {"lamp", "lit", "night", "gate", "shut"}}
    idf = {word: math.log(1 + (3 - n + 0.5) / (n + 0.5)) for word, n in df.items()}

    def norm(words):
        return math.sqrt(sum(idf[word] ** 2 for word in words))

    for row, (qid, statement) in zip(found, asked.items()):
        known = content(statement) & idf.keys()
        similar = []
        for name, words in tokens.items():
            if name[:3] == qid[:3] or not known & words:
                continue
            cosine = sum(idf[word] ** 2 for word in known & words) / norm(known) / norm(words)
            sign = 1 if PAST[name][1] == "Y" else -1
            flipped = sign * (1 if ("not" in statement.split()) == ("not" in PAST[name][0].split()) else -1)
            similar.append((cosine, sign, flipped))
        if not similar:
            assert row.tolist() == [0] * 5
            continue
        best, total = max(similar), sum(cosine**2 for cosine, _, _ in similar)
        means = [sum(each[0] ** 2 * each[kind] for each in similar) / total for kind in (1, 2)]
        assert row == pytest.approx([best[0], best[1], means[0], best[2], means[1]], abs=1e-6)


def test_labels_of_the_own_exam_year_do_not_matter(past):
    topics, gold = past
    rows = pd.DataFrame(
        {"qid": ["R97-01-A", "R97-09-A"], "query": "A lamp is lit.", "docno": "Y", "score": 0.0, "rank": 0}
    )
    other = gold.assign(docno=["N", "Y", "N"])
    found = [feature_matrix(PastAnswerFeatures("en").fit(topics, labels)(rows)) for labels in (gold, other)]
    assert np.array_equal(*found)
    later = gold.assign(docno=["Y", "N", "Y"])
    assert not np.array_equal(found[0], feature_matrix(PastAnswerFeatures("en").fit(topics, later)(rows)))


def test_past_answers_need_a_labelled_statement(past):
    topics, gold = past
    with pytest.raises(ColieeError, match="None of the 3 topics"):
        PastAnswerFeatures("en").fit(topics, gold.assign(label=0))
    for rows in (1, 0):
        with pytest.raises(ValueError, match="is not fitted"):
            PastAnswerFeatures("en")(frame([STATEMENT]).head(rows))


@pytest.mark.parametrize("answer", ["zzz", "y", ""])
def test_a_past_answer_that_is_neither_yes_nor_no_is_refused(past, answer):
    topics, gold = past
    with pytest.raises(ColieeError, match="Query R97-01-I: its answer in the qrels must be Y or N"):
        PastAnswerFeatures("en").fit(topics, gold.assign(docno=["Y", answer, "N"]))
