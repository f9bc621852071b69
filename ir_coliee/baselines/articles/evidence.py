"""The candidate articles of questions, with the features of the recipe of task 3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ir_coliee.baselines.recipes import FeatureTable
from ir_coliee.engine.articles.collection import ArticleCollection
from ir_coliee.engine.articles.evidence import EVIDENCE, TOTAL, ArticleEvidence
from ir_coliee.engine.articles.features import (
    FORMS,
    SIBLING_FEATURES,
    UNITS,
    evidence,
    fourfold,
    group_sizes,
    reference_features,
    sibling_features,
    structure_features,
)
from ir_coliee.frames import Floats, Integers
from ir_coliee.text.statutes import LEVELS


def best_articles(scores: Floats, number: int) -> Integers:
    """Return the articles with the highest scores of each question, best first; ties in the order of the code.

    Examples
    --------
    >>> best_articles(np.array([[1.0, 3.0, 3.0]]), 2).tolist()
    [[1, 2]]
    """
    return np.argsort(-scores, axis=1, kind="stable")[:, :number]


def of_candidates(scores: Floats, candidates: Integers) -> Floats:
    """Return the scores of the candidates (questions x candidates)."""
    return np.take_along_axis(scores, candidates, axis=1)


# The candidate articles of questions, with the features of the recipe of task 3.


_CANDIDATES = 40

#: The scores with features of siblings and of structure, by the names in these.
_SCORES = {
    "total": TOTAL,
    "ridge": "ridge.characters",
    "paragraph_bm25": "lexical.paragraph_bm25",
    "paragraph_stems": "lexical.paragraph_stems",
    "ibm1": "translation.ibm1",
}
_MEANS = tuple(kind for kind in SIBLING_FEATURES if kind.startswith("mean"))
#: The power of the siblings' evidence, and the kinds of features.
_SIBLINGS = {
    **dict.fromkeys(("total", "ridge", "paragraph_bm25"), (2.0, SIBLING_FEATURES)),
    "ibm1": (3.0, _MEANS),
}
_STRUCTURE = {
    **dict.fromkeys(
        ("paragraph_bm25", "ridge", "paragraph_stems"), (*(f"best_{level}" for level in UNITS), "near_1", "near_2")
    ),
    "total": tuple(f"sum_{level}" for level in LEVELS),
    "ibm1": ("best_finest", "best_chapter", "near_1"),
}


def article_features(article_evidence: ArticleEvidence, hidden: frozenset[int] = frozenset()) -> FeatureTable:
    """Find the candidate articles of questions and compute their features.

    Parameters
    ----------
    article_evidence : ArticleEvidence
        The scores of all articles for the questions: for all that have the same exam year and number, or for none of
        them.
    hidden : frozenset of int
        The folds whose labels are not used.

    Returns
    -------
    FeatureTable
        The 40 articles of each question with the highest sum of scores, each divided by the question's best.
    """
    questions, rows = article_evidence.questions, article_evidence.rows
    scores = article_evidence.scores([*EVIDENCE], hidden)
    candidates = best_articles(scores[TOTAL], _CANDIDATES)
    groups = questions.exams.groups[rows]
    columns = {
        name: of_candidates(values, candidates)
        for features in _of_articles(scores, groups, questions.collection)
        for name, values in features.items()
    }
    columns["siblings.group_size"] = _of_questions(group_sizes(groups), candidates)
    columns["number.number"] = _of_questions(questions.exams.numbers[rows], candidates)
    columns["number.place"] = candidates.astype(np.float64)
    columns |= _lengths([questions.texts[row] for row in rows], questions.collection, candidates)
    docnos = questions.collection.docnos[candidates].ravel().tolist()
    qids = questions.qids[rows].repeat(candidates.shape[1]).tolist()
    return FeatureTable.of(qids, docnos, {name: values.ravel() for name, values in columns.items()})


def _of_articles(
    scores: Mapping[str, Floats], groups: Integers, collection: ArticleCollection
) -> Iterator[dict[str, Floats]]:
    """Yield the features of each score (questions x articles), so that few matrices are kept at a time."""
    units = collection.units
    for name in (name for name, each in EVIDENCE.items() if each.has_forms):
        yield {f"{name}{form}": values for form, values in zip(FORMS, fourfold(scores[name]))}
    for name, (power, kinds) in _SIBLINGS.items():
        found = sibling_features(evidence(scores[_SCORES[name]], power), groups, units, kinds)
        yield _named(f"siblings.{name}_", found)
    for name, kinds in _STRUCTURE.items():
        yield _named(f"structure.{name}_", structure_features(scores[_SCORES[name]], units, kinds))
    yield _named("references.", reference_features(scores[TOTAL], collection))


def _named(prefix: str, features: Mapping[str, Floats]) -> dict[str, Floats]:
    return {f"{prefix}{name}": values for name, values in features.items()}


def _of_questions(values: Integers | Floats, candidates: Integers) -> Floats:
    """Return the value of each question for each of its candidates."""
    return np.broadcast_to(values[:, None].astype(np.float64), candidates.shape)


def _lengths(texts: Sequence[str], collection: ArticleCollection, candidates: Integers) -> dict[str, Floats]:
    """Return the logarithms of the numbers of characters of question, article and caption."""
    of_questions = np.log1p([len(text) for text in texts])
    of_texts, of_captions = (
        np.log1p([len(getattr(article, name)) for article in collection.articles])
        for name in ("text", "effective_caption")
    )
    return {
        "lengths.question": _of_questions(of_questions, candidates),
        "lengths.article": of_texts[candidates],
        "lengths.caption": of_captions[candidates],
    }
