"""The features of the recipe of task 3 against loops and scikit-learn, and what labels they may know."""

import math

import numpy as np
import pytest
from small_code import ARTICLES, GOLD, QUESTIONS, TO_ANSWER, questions

from ir_coliee.baselines.articles import article_features
from ir_coliee.engine.articles.evidence import EVIDENCE, ArticleEvidence
from ir_coliee.text.analysers import STOP_WORDS, English
from ir_coliee.text.statutes import exam_id

sklearn_text = pytest.importorskip("sklearn.feature_extraction.text")

ROWS = np.arange(len(QUESTIONS))
DOCNOS = [article.doc_id for article in ARTICLES]
WORDS = {"token_pattern": r"\w+"}
YEARS = {qid: exam_id(qid).year for qid in QUESTIONS}


@pytest.fixture(scope="module")
def evidence():
    return ArticleEvidence(questions(), ROWS, English(stem=False))


@pytest.fixture(scope="module")
def scores(evidence):
    """Each score by question and article."""
    return {
        name: {
            (qid, docno): values[row, column]
            for row, qid in enumerate(QUESTIONS)
            for column, docno in enumerate(DOCNOS)
        }
        for name, values in evidence.scores([*EVIDENCE]).items()
    }


@pytest.fixture(scope="module")
def features(evidence):
    """Each feature by question and article."""
    table = article_features(evidence)
    rows = list(zip(table.qids, table.docnos))
    return {name: dict(zip(rows, table.values[:, number].tolist())) for number, name in enumerate(table.names)}


def cosines(queries, texts, fitted_on, **options):
    vectorizer = sklearn_text.TfidfVectorizer(sublinear_tf=True, **options).fit(fitted_on)
    return (vectorizer.transform(queries) @ vectorizer.transform(texts).T).toarray()


def seen(qid):
    """The questions of other exam years that have a relevant article in the code."""
    return [other for other in GOLD if YEARS[other] != YEARS[qid] and {*GOLD[other]} & {*DOCNOS}]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("words", {**WORDS, "stop_words": [*STOP_WORDS]}),
        ("pairs", {**WORDS, "ngram_range": (2, 2)}),
        ("triples", {**WORDS, "ngram_range": (3, 3)}),
        ("characters", {"analyzer": "char", "ngram_range": (3, 5)}),
        ("caption", {**WORDS, "stop_words": [*STOP_WORDS]}),
    ],
)
def test_cosines_with_articles_are_those_of_scikit_learn(scores, name, options):
    texts = [
        " ".join((each.effective_caption if name == "caption" else each.default_text()).split()) for each in ARTICLES
    ]
    expected = cosines(QUESTIONS.values(), texts, texts, **options)
    found = np.reshape([*scores[f"lexical.{name}"].values()], expected.shape)
    assert found == pytest.approx(expected)
    assert found.any()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("words", {**WORDS, "stop_words": [*STOP_WORDS]}),
        ("characters", {"analyzer": "char", "ngram_range": (3, 5)}),
    ],
)
def test_past_questions_are_those_of_other_years(scores, name, options):
    texts = [*QUESTIONS.values()]
    of_pair = cosines(texts, texts, texts, **options)
    number = {qid: row for row, qid in enumerate(QUESTIONS)}
    for qid in QUESTIONS:
        for docno in DOCNOS:
            found = [of_pair[number[qid], number[past]] for past in seen(qid) if docno in GOLD[past]]
            assert scores[f"past.{name}_nearest"][qid, docno] == pytest.approx(max(found, default=0))
            assert scores[f"past.{name}_squares"][qid, docno] == pytest.approx(sum(x * x for x in found))
            assert scores["past.frequency"][qid, docno] == len(found)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("stems", {**WORDS, "stop_words": [*STOP_WORDS]}),
        ("characters", {"analyzer": "char", "ngram_range": (3, 5)}),
    ],
)
def test_kernel_ridge_is_solved_without_the_questions_of_the_own_year(scores, name, options):
    texts = [" ".join(each.default_text().split()) for each in ARTICLES] + [*QUESTIONS.values()]
    kernel = cosines(texts, texts, texts, **options)
    number = {qid: len(DOCNOS) + row for row, qid in enumerate(QUESTIONS)}
    for qid in QUESTIONS:
        examples = [*range(len(DOCNOS)), *(number[other] for other in seen(qid))]
        targets = np.vstack(
            [np.eye(len(DOCNOS)), *([float(docno in GOLD[other]) for docno in DOCNOS] for other in seen(qid))]
        )
        solved = np.linalg.solve(kernel[np.ix_(examples, examples)] + 0.5 * np.eye(len(examples)), targets)
        expected = kernel[number[qid], examples] @ solved
        assert [scores[f"ridge.{name}"][qid, docno] for docno in DOCNOS] == pytest.approx(expected, abs=1e-9)


def test_translations_are_those_of_a_model_that_saw_no_label_of_the_fold(scores):
    for fold in range(3):
        of_fold = {qid for qid, number in zip(QUESTIONS, questions().folds) if number == fold}
        others = questions({qid: [] if qid in of_fold else docnos for qid, docnos in GOLD.items()})
        found = ArticleEvidence(others, ROWS, English(stem=False)).scores(["translation.ibm1"])["translation.ibm1"]
        for row, qid in enumerate(QUESTIONS):
            if qid in of_fold:
                assert [scores["translation.ibm1"][qid, docno] for docno in DOCNOS] == pytest.approx(found[row])


def test_density_of_gold_around_number_and_place(scores):
    for qid, docno in scores["number.density"]:
        expected = sum(
            math.exp(-((int(exam_id(qid).question_no) - int(exam_id(past).question_no)) ** 2) / 2)
            * math.exp(-((DOCNOS.index(docno) - DOCNOS.index(gold)) ** 2) / (2 * 8**2))
            for past in seen(qid)
            for gold in GOLD[past]
            if gold in DOCNOS
        )
        assert scores["number.density"][qid, docno] == pytest.approx(expected)


def ratio(scores, qid, docno):
    best = max(scores[qid, other] for other in DOCNOS)
    return scores[qid, docno] / best if best else 0.0


SUMMED = [
    *(f"lexical.{name}" for name in ("words", "pairs", "triples", "characters", "caption", "bm25")),
    *("lexical.stems_bm25", "lexical.full"),
    *(f"lexical.paragraph_{name}" for name in ("stems", "characters", "bm25")),
    *("past.words_nearest", "past.words_squares", "past.characters_nearest", "past.characters_squares"),
    *("past.stems_nearest", "ridge.stems", "ridge.characters"),
]


@pytest.fixture(scope="module")
def total(scores):
    return {pair: sum(ratio(scores[name], *pair) for name in SUMMED) for pair in scores["lexical.words"]}


def test_candidates_have_the_highest_sum_of_scores_relative_to_the_best(evidence, features, total):
    table = article_features(evidence)
    assert table.qids.tolist() == [qid for qid in QUESTIONS for _ in DOCNOS]
    expected = [docno for qid in QUESTIONS for docno in sorted(DOCNOS, key=lambda docno: -total[qid, docno])]
    assert table.docnos.tolist() == expected
    assert features["total.sum"] == pytest.approx(total, rel=1e-6)


def test_scores_have_four_forms(features, scores, total):
    names = [*SUMMED[:6], *SUMMED[8:15], "past.frequency", *SUMMED[16:], "translation.ibm1", "number.density"]
    assert {name for name in features if f"{name}_rank" in features} == {
        *names,
        "total.sum",
        *(f"siblings.{name}_mean" for name in OF_SIBLINGS),
    }
    for name, values in {**{name: scores[name] for name in names}, "total.sum": total}.items():
        for qid, docno in values:
            of_query = sorted((values[qid, other] for other in DOCNOS), reverse=True)
            value, found = values[qid, docno], [features[f"{name}{form}"][qid, docno] for form in FORMS]
            higher = sum(other > value + 1e-12 for other in of_query)
            expected = [value, ratio(values, qid, docno), higher, value - of_query[1]]
            assert found == pytest.approx(expected, rel=1e-5, abs=1e-6), name


FORMS = ("", "_ratio", "_rank", "_gap")
OF_SIBLINGS = {  # a score: a score and the power of its ratio to the best, 0 for negative scores
    "total": (None, 2),
    "ridge": ("ridge.characters", 2),
    "paragraph_bm25": ("lexical.paragraph_bm25", 2),
    "ibm1": ("translation.ibm1", 3),
}


def siblings_of(qid):
    number = qid.rpartition("-")[0]
    return [other for other in QUESTIONS if other.rpartition("-")[0] == number and other != qid]


def units(level):
    """The articles below the same headings, by article."""
    depth = {"chapter": 2, "section": 3, "finest": 5}[level]
    place = {each.doc_id: (each.part, each.chapter, each.section, "", "")[:depth] for each in ARTICLES}
    return {docno: [other for other in DOCNOS if place[other] == place[docno]] for docno in DOCNOS}


def around(docno, distance):
    position = DOCNOS.index(docno)
    return DOCNOS[max(0, position - distance) : position + distance + 1]


@pytest.mark.parametrize("name", OF_SIBLINGS)
def test_siblings_are_the_other_questions_of_the_same_exam_and_number(features, scores, total, name):
    score, power = OF_SIBLINGS[name]
    values = scores[score] if score else total
    positive = {pair: max(value, 0.0) for pair, value in values.items()}
    found = {pair: ratio(positive, *pair) ** power for pair in values}
    means = {
        (qid, docno): sum(found[other, docno] for other in siblings_of(qid)) / max(len(siblings_of(qid)), 1)
        for qid, docno in found
    }
    assert any(means.values())
    for qid, docno in found:
        assert features[f"siblings.{name}_mean"][qid, docno] == pytest.approx(means[qid, docno], rel=1e-5)
        assert features["siblings.group_size"][qid, docno] == 1 + len(siblings_of(qid))
        for level in ("finest", "section", "chapter"):
            sums = {pair: sum(means[pair[0], other] for other in units(level)[pair[1]]) for pair in means}
            expected = ratio(sums, qid, docno)
            assert features[f"siblings.{name}_mean_{level}"][qid, docno] == pytest.approx(expected, rel=1e-5)
        if name != "ibm1":
            best = max((found[other, docno] for other in siblings_of(qid)), default=0)
            assert features[f"siblings.{name}_best"][qid, docno] == pytest.approx(best, rel=1e-5)
            near = sum(means[qid, other] for other in around(docno, 2))
            assert features[f"siblings.{name}_near"][qid, docno] == pytest.approx(near, rel=1e-5)


def test_structure_is_the_best_score_around_an_article(features, scores, total):
    of_scores = {
        "paragraph_bm25": "lexical.paragraph_bm25",
        "ridge": "ridge.characters",
        "paragraph_stems": "lexical.paragraph_stems",
        "ibm1": "translation.ibm1",
    }
    levels = {**dict.fromkeys(of_scores, ("finest", "section", "chapter")), "ibm1": ("finest", "chapter")}
    for name, score in of_scores.items():
        for qid, docno in total:
            for level in levels[name]:
                best = max(scores[score][qid, other] for other in units(level)[docno])
                assert features[f"structure.{name}_best_{level}"][qid, docno] == pytest.approx(best, rel=1e-5)
            for distance in (1, 2) if name != "ibm1" else (1,):
                best = max(scores[score][qid, other] for other in around(docno, distance) if other != docno)
                assert features[f"structure.{name}_near_{distance}"][qid, docno] == pytest.approx(best, rel=1e-5)
    for qid, docno in total:
        sums = {
            level: sum(max(ratio(total, qid, other), 0.0) ** 2 for other in units(level)[docno])
            for level in ("chapter", "section", "finest")
        }
        for level, unit in (("chapter", "chapter"), ("section", "section"), ("division", "finest")):
            assert features[f"structure.total_sum_{level}"][qid, docno] == pytest.approx(sums[unit], rel=1e-5)


def test_references_lead_to_the_best_score_of_the_linked_articles(features, total):
    outgoing = {"3": ["1"], "5": ["4"]}
    incoming = {"1": ["3"], "4": ["5"]}
    for qid, docno in total:
        for name, links in (
            ("outgoing", outgoing),
            ("incoming", incoming),
            ("outgoing_mutatis_mutandis", {"3": ["1"]}),
            ("incoming_mutatis_mutandis", {"1": ["3"]}),
        ):
            best = max((ratio(total, qid, other) for other in links.get(docno, [])), default=0)
            assert features[f"references.{name}"][qid, docno] == pytest.approx(best, rel=1e-5)


def test_numbers_places_and_lengths(features):
    texts = {each.doc_id: (len(each.text), len(each.effective_caption)) for each in ARTICLES}
    for qid, docno in features["lengths.question"]:
        assert features["number.number"][qid, docno] == int(exam_id(qid).question_no)
        assert features["number.place"][qid, docno] == DOCNOS.index(docno)
        lengths = [features[f"lengths.{name}"][qid, docno] for name in ("question", "article", "caption")]
        assert lengths == pytest.approx([math.log1p(n) for n in (len(QUESTIONS[qid]), *texts[docno])], rel=1e-6)


# --- what labels the features may know -----------------------------------------------------------------


def rows_of(table, qids):
    return table.of_queries(qids)


def same(one, other):
    return one.docnos.tolist() == other.docnos.tolist() and np.array_equal(one.values, other.values)


@pytest.mark.parametrize("year", ["H98", "H99", "R98"])
def test_no_label_of_a_year_reaches_its_own_features(year):
    own = [qid for qid in GOLD if YEARS[qid] == year]
    permuted = {**GOLD, **{qid: ["5", "4"] for qid in own}}
    before, after = (
        article_features(ArticleEvidence(questions(gold), ROWS, English(stem=False))) for gold in (GOLD, permuted)
    )
    assert same(rows_of(before, own), rows_of(after, own))
    assert not same(rows_of(before, TO_ANSWER), rows_of(after, TO_ANSWER))  # the labels do count where they may


@pytest.mark.parametrize("fold", [0, 1, 2])
def test_without_the_labels_of_a_fold_no_feature_depends_on_them(fold):
    hidden = frozenset({fold})
    of_fold = [qid for qid, number in zip(QUESTIONS, questions().folds) if number == fold]
    assert len({YEARS[qid] for qid in of_fold}) == 1
    permuted = {**GOLD, **{qid: ["5", "4"] for qid in of_fold}}
    before, after = (
        article_features(ArticleEvidence(questions(gold), ROWS, English(stem=False)), hidden)
        for gold in (GOLD, permuted)
    )
    assert same(before, after)
    everything = article_features(ArticleEvidence(questions(), ROWS, English(stem=False)))
    assert not same(rows_of(before, TO_ANSWER), rows_of(everything, TO_ANSWER))


def test_the_questions_of_an_exam_can_be_scored_by_themselves(evidence):
    to_answer = evidence.questions.to_answer
    assert evidence.questions.qids[to_answer].tolist() == TO_ANSWER
    alone = ArticleEvidence(evidence.questions, to_answer, English(stem=False))
    assert same(article_features(alone), rows_of(article_features(evidence), TO_ANSWER))


def test_questions_that_share_no_word_with_anything_have_finite_features(monkeypatch):
    for text in ("", "zzz", "?"):
        monkeypatch.setitem(QUESTIONS, "R99-1-U", text)
        monkeypatch.setitem(QUESTIONS, "H99-1-I", text)  # whose label is then all that it knows
        of_all = questions({**GOLD, "H99-1-I": ["99"]})
        table = article_features(ArticleEvidence(of_all, ROWS, English(stem=False)))
        assert np.isfinite(table.values).all()
        assert np.abs(table.values).max() < 1e3


def test_a_question_to_answer_of_a_labelled_year_does_not_see_that_year(monkeypatch):
    monkeypatch.setitem(QUESTIONS, "H98-9-A", "A lamp may be lent to a neighbour of the owner.")
    to_answer = [*TO_ANSWER, "H98-9-A"]
    permuted = {qid: ["5", "4"] if YEARS[qid] == "H98" else docnos for qid, docnos in GOLD.items()}
    before, after = (
        article_features(ArticleEvidence(of_gold, of_gold.to_answer, English(stem=False)))
        for of_gold in (questions(gold, to_answer) for gold in (GOLD, permuted))
    )
    assert same(rows_of(before, ["H98-9-A"]), rows_of(after, ["H98-9-A"]))
    assert not same(before, after)
