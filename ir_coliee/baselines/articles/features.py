"""The candidate articles of questions, with the features of the recipe of task 3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ir_coliee.arrays import Floats, Integers
from ir_coliee.baselines.articles.evidence import ArticleEvidence
from ir_coliee.baselines.articles.score_matrices import (
    best_articles,
    fourfold_features,
    of_candidates,
    ratios,
    sum_of_ratios,
)
from ir_coliee.baselines.recipes import FeatureTable
from ir_coliee.engine.articles.article_collection import ArticleCollection, UnitLevel
from ir_coliee.engine.articles.references import reference_features
from ir_coliee.engine.articles.siblings import group_sizes, sibling_maxima, sibling_means
from ir_coliee.engine.articles.structure import neighbour_maxima, neighbour_sums, unit_maxima, unit_sums

_CANDIDATES = 40
_SURROUNDINGS = 2  # articles before and behind

_OF_ARTICLES = [f"lexical.{name}" for name in ("words", "pairs", "triples", "characters", "caption", "bm25")]
_OF_PARAGRAPHS = [f"lexical.paragraph_{name}" for name in ("stems", "characters", "bm25")]
_PAST = [f"past.{name}_{kind}" for name in ("words", "characters") for kind in ("nearest", "squares")]
_RIDGE = ["ridge.stems", "ridge.characters"]

_UNITS: tuple[UnitLevel, ...] = ("finest", "section", "chapter")
_LEVELS: tuple[UnitLevel, ...] = ("part", "chapter", "section", "subsection", "division")
_OF_IBM1: tuple[UnitLevel, ...] = ("finest", "chapter")
_STRUCTURE = {"paragraphs": "lexical.paragraph_bm25", "ridge": "ridge.characters", "stems": "lexical.paragraph_stems"}

#: The scores whose ratios are added up to find the candidates.
_SUMMED = [
    *(*_OF_ARTICLES, "lexical.stems_bm25", "lexical.full", *_OF_PARAGRAPHS),
    *(*_PAST, "past.stems_nearest", *_RIDGE),
]
#: The scores that are features in four forms.
_FOURFOLD = [
    *(*_OF_ARTICLES, *_OF_PARAGRAPHS, "lexical.sum", *_PAST, "past.frequency"),
    *(*_RIDGE, "translation.ibm1", "number.density"),
]


def article_features(evidence: ArticleEvidence, hidden: frozenset[int] = frozenset()) -> FeatureTable:
    """Find the candidate articles of questions and compute their features.

    Parameters
    ----------
    evidence : ArticleEvidence
        The scores of all articles for the questions: for all that have the same exam year and number, or for none of
        them.
    hidden : frozenset of int
        The folds whose labels are not used.

    Returns
    -------
    FeatureTable
        The 40 articles of each question with the highest sum of scores, each divided by the question's best.
    """
    questions, rows, scores = evidence.questions, evidence.rows, evidence.scores(hidden)
    scores["lexical.sum"] = sum_of_ratios(scores[name] for name in _SUMMED)
    candidates = best_articles(scores["lexical.sum"], _CANDIDATES)
    columns: dict[str, Floats] = {}
    for name in _FOURFOLD:
        columns |= fourfold_features(name, scores[name], candidates)
    columns |= _sibling_features(scores, questions.exams.groups[rows], questions.collection, candidates)
    for name, values in _structure(scores, questions.collection):
        columns[name] = of_candidates(values, candidates)
    for name, values in reference_features(scores["lexical.sum"], questions.collection).items():
        columns[f"references.{name}"] = of_candidates(values, candidates)
    columns |= _number_features(questions.exams.numbers[rows], candidates)
    columns |= _lengths([questions.texts[row] for row in rows], questions.collection, candidates)
    docnos = questions.collection.docnos[candidates].ravel().tolist()
    qids = questions.qids[rows].repeat(candidates.shape[1]).tolist()
    return FeatureTable.of(qids, docnos, {name: values.ravel() for name, values in columns.items()})


def _sibling_features(
    scores: Mapping[str, Floats], groups: Integers, collection: ArticleCollection, candidates: Integers
) -> dict[str, Floats]:
    """Return features of what the questions of the same exam and number find."""
    found = {
        "siblings.sum": ratios(scores["lexical.sum"]) ** 2,
        "siblings.ridge": ratios(scores["ridge.characters"]) ** 2,
        "siblings.paragraphs": ratios(scores["lexical.paragraph_bm25"]) ** 2,
        "siblings.ibm1": ratios(scores["translation.ibm1"]) ** 3,
    }
    columns: dict[str, Floats] = {}
    for name, values in found.items():
        means = sibling_means(values, groups)
        columns |= fourfold_features(name, means, candidates)
        others = {f"{name}_{level}": ratios(unit_sums(means, collection.units(level))) for level in _UNITS}
        if name != "siblings.ibm1":
            others[f"{name}_best"] = sibling_maxima(values, groups)
            others[f"{name}_around"] = neighbour_sums(means, _SURROUNDINGS)
        columns |= {each: of_candidates(other, candidates) for each, other in others.items()}
    sizes = group_sizes(groups).astype(np.float64)
    return {**columns, "siblings.number": np.broadcast_to(sizes[:, None], candidates.shape)}


def _structure(scores: Mapping[str, Floats], collection: ArticleCollection) -> Iterator[tuple[str, Floats]]:
    """Yield the best scores in the units and at the neighbours of each article, and sums by level of heading."""
    for name, of_score in _STRUCTURE.items():
        for level in _UNITS:
            yield f"structure.{name}_{level}", unit_maxima(scores[of_score], collection.units(level))
        for distance in (1, _SURROUNDINGS):
            yield f"structure.{name}_at_{distance}", neighbour_maxima(scores[of_score], distance)
    squares, translated = ratios(scores["lexical.sum"]) ** 2, scores["translation.ibm1"]
    for level in _LEVELS:
        yield f"structure.sum_{level}", unit_sums(squares, collection.units(level))
    for level in _OF_IBM1:
        yield f"structure.ibm1_{level}", unit_maxima(translated, collection.units(level))
    yield "structure.ibm1_at_1", neighbour_maxima(translated, 1)


def _number_features(numbers: Integers, candidates: Integers) -> dict[str, Floats]:
    """Return the number of each question and the place of each article in the code."""
    of_questions = np.broadcast_to(numbers[:, None].astype(np.float64), candidates.shape)
    return {"number.question": of_questions, "number.place": candidates.astype(np.float64)}


def _lengths(texts: Sequence[str], collection: ArticleCollection, candidates: Integers) -> dict[str, Floats]:
    """Return the logarithms of the numbers of characters of question, article and caption."""
    of_questions = np.log1p([len(text) for text in texts])
    of_texts, of_captions = (
        np.log1p([len(getattr(article, name)) for article in collection.articles])
        for name in ("text", "effective_caption")
    )
    return {
        "lengths.question": np.broadcast_to(of_questions[:, None], candidates.shape),
        "lengths.article": of_texts[candidates],
        "lengths.caption": of_captions[candidates],
    }
