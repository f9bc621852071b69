"""Features of siblings, structure and references on frames, against loops over the rows."""

import numpy as np
import pandas as pd
import pytest

from ir_coliee.engine.articles.collection import ArticleCollection
from ir_coliee.errors import ColieeError
from ir_coliee.releases.article_references import article_references
from ir_coliee.transformers import ArticleFeatures
from ir_coliee.transformers.features import feature_matrix

CODE = "coliee/task3/sample/en"
ARTICLES = ArticleCollection.of(CODE).articles
DOCNOS = [article.doc_id for article in ARTICLES]
QIDS = ["R99-01-A", "R99-01-I", "R99-01-U", "R99-02-A", "keys"]
LEVELS = {"section": 3, "chapter": 2, "finest": 5}


def results(seed=0, number=8):
    """Some articles of each question, in any order, with two columns of scores."""
    random = np.random.default_rng(seed)
    frames = [
        pd.DataFrame({"qid": qid, "docno": random.choice(DOCNOS[:20], number, replace=False).astype(object)})
        for qid in QIDS
    ]
    frame = pd.concat(frames, ignore_index=True).sample(frac=1, random_state=seed)
    return frame.assign(score=random.normal(size=len(frame)), bm25=random.random(len(frame)).round(1))


def tables(frame, column):
    """The scores of all articles of each question, and their ratios to its best."""
    scores = {qid: dict.fromkeys(DOCNOS, 0.0) for qid in frame["qid"].unique()}
    for qid, docno, score in zip(frame["qid"], frame["docno"], frame[column]):
        scores[qid][docno] = score
    ratios = {qid: {d: s / max(row.values()) for d, s in row.items()} for qid, row in scores.items()}
    return scores, ratios


def place(article, depth):
    return (article.part, article.chapter, article.section, article.subsection, article.division)[:depth]


def unit(docno, depth):
    own = next(article for article in ARTICLES if article.doc_id == docno)
    return [article.doc_id for article in ARTICLES if place(article, depth) == place(own, depth)]


def near(docno, distance):
    at = DOCNOS.index(docno)
    return DOCNOS[max(at - distance, 0) : at + distance + 1]


@pytest.mark.parametrize("power", [2.0, 3.0])
def test_sibling_features(power):
    frame = results()
    features = ArticleFeatures(CODE, ["score", "bm25"], families=["siblings", "number"], power=power)
    names, found = features.feature_names, feature_matrix(features(frame))
    assert len(names) == found.shape[1] == 2 * 9 + 3
    for column in ("score", "bm25"):
        evidence = {
            qid: {d: max(r, 0) ** power for d, r in row.items()} for qid, row in tables(frame, column)[1].items()
        }
        for row, (qid, docno) in enumerate(zip(frame["qid"], frame["docno"])):
            siblings = [other for other in QIDS if other[:6] == qid[:6] and other != qid and qid != "keys"]
            mean = {d: np.mean([evidence[other][d] for other in siblings]) if siblings else 0.0 for d in DOCNOS}
            values = dict(zip(names, found[row]))
            ordered = sorted(mean.values(), reverse=True)
            expected = {
                "mean": mean[docno],
                "mean_ratio": mean[docno] / ordered[0] if ordered[0] else 0.0,
                "mean_rank": sum(value > mean[docno] for value in ordered),
                "mean_gap": mean[docno] - ordered[1],
                "best": max((evidence[other][docno] for other in siblings), default=0.0),
                "near": sum(mean[d] for d in near(docno, 2)),
            }
            for level, depth in LEVELS.items():
                sums = {d: sum(mean[other] for other in unit(d, depth)) for d in DOCNOS[:25]}
                best = max(sums.values())
                expected[f"mean_{level}"] = sums[docno] / best if best else 0.0
            for feature, value in expected.items():
                assert values[f"{column}.siblings.{feature}"] == pytest.approx(value, abs=1e-6)
            assert values["number.group_size"] == len(siblings) + 1
            assert values["number.place"] == DOCNOS.index(docno)
            assert values["number.number"] == (0 if qid == "keys" else int(qid[4:6]))


def test_structure_features():
    frame = results(1)
    features = ArticleFeatures(CODE, ["bm25"], families=["structure"])
    found = feature_matrix(features(frame))
    scores, ratios = tables(frame, "bm25")
    for row, (qid, docno) in enumerate(zip(frame["qid"], frame["docno"])):
        expected = {
            **{f"best_{level}": max(scores[qid][d] for d in unit(docno, depth)) for level, depth in LEVELS.items()},
            **{f"near_{n}": max(scores[qid][d] for d in near(docno, n) if d != docno) for n in (1, 2)},
            **{f"sum_{level}": sum(ratios[qid][d] ** 2 for d in unit(docno, depth)) for level, depth in LEVELS.items()},
        }
        assert features.feature_names == [f"bm25.structure.{feature}" for feature in expected]
        np.testing.assert_allclose(found[row], list(expected.values()), atol=1e-6)


def test_reference_features():
    frame = results(2, 18)
    features = ArticleFeatures(CODE, ["bm25"], families=["references"])
    found = feature_matrix(features(frame))
    graph, (_, ratios) = article_references(CODE), tables(frame, "bm25")
    for row, (qid, docno) in enumerate(zip(frame["qid"], frame["docno"])):
        expected = [
            max((ratios[qid][d] for d in linked), default=0.0)
            for edges in (lambda edge: True, lambda edge: edge.mutatis_mutandis)
            for linked in (
                {edge.source for edge in graph.incoming(docno) if edges(edge)},
                {edge.target for edge in graph.outgoing(docno) if edges(edge)},
            )
        ]
        np.testing.assert_allclose(found[row], expected, atol=1e-6)
    assert (found > 0).any(axis=0).all()


def test_an_unknown_article_family_or_power_is_refused():
    run = pd.DataFrame({"qid": ["R99-01-A"], "docno": ["2099"], "score": [1.0]})
    with pytest.raises(ColieeError, match=rf"2099 is not an article of {CODE}\.\nPass results of this dataset"):
        ArticleFeatures(CODE)(run)
    with pytest.raises(ValueError, match="power must be a finite number > 0, got 0"):
        ArticleFeatures(CODE, power=0)
    with pytest.raises(ValueError, match="families must be"):
        ArticleFeatures(CODE, families=["words"])
