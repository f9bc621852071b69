"""The features of the paragraphs of all cases, for the texts of their queries.

Every number is computed from the texts; no label is read. Document frequencies and latent vectors are those of all
paragraphs that are given together, which are those of the train split and of the split to answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from ir_coliee.baselines.recipes import FeatureTable
from ir_coliee.datasets.folds import FragmentCases
from ir_coliee.engine.paragraphs.latent_vectors import latent_vectors
from ir_coliee.engine.paragraphs.pools import Pools
from ir_coliee.engine.paragraphs.query_scores import cosines, mean_bm25
from ir_coliee.engine.paragraphs.quoted_elsewhere import quoted_features, quoted_names
from ir_coliee.engine.paragraphs.style_features import (
    FORM,
    NEIGHBOURS,
    PLACES,
    cue_features,
    cue_names,
    form_features,
    neighbour_features,
    place_features,
)
from ir_coliee.engine.paragraphs.term_vectors import ContentWords, character_counts, character_tf_idf, tf_idf
from ir_coliee.engine.paragraphs.token_texts import TokenTexts
from ir_coliee.frames import Floats
from ir_coliee.progress import stage

_KINDS = ("", "_ratio", "_rank", "_gap", "_z")
_WHOLE_CASE = "base"  # a query text that is too long for character n-grams
#: The features of a paragraph that are compared with those of the other paragraphs of its case.
_COMPARED = ("log_length", *NEIGHBOURS, "voice", "conclusion", "citation", "facts", "quotation_marks")


def case_features(
    cases: FragmentCases, queries: Mapping[str, Sequence[str]], decisions: Iterable[str] | None = None
) -> FeatureTable:
    """Compute the features of the paragraphs of all cases.

    Parameters
    ----------
    cases : FragmentCases
        The cases.
    queries : mapping of str to sequence of str
        Texts of the query of each case, by family (see `Role.query_texts`).
    decisions : iterable of str, optional
        Decisions that are searched for the words of paragraphs, each once; by default the base cases are.

    Returns
    -------
    FeatureTable
        A row for each paragraph, with 25 features of each query text (20 of a whole base case), 2 of the paragraph's
        neighbours for the first one, and besides 4 of the paragraph's place, 48 others of the paragraph, and 24 of its
        words in other decisions.
    """
    number = len(cases.texts)
    with stage("texts of the cases"):
        tokens = TokenTexts.of([*cases.texts, *(text for texts in queries.values() for text in texts)])
    with stage("scores of the paragraphs"):
        starts = {family: number + place * len(cases.qids) for place, family in enumerate(queries)}
        columns = _of_vectors(tokens, starts, cases)
        columns |= {f"places.{name}": values for name, values in zip(PLACES, place_features(cases.pools).T)}
    with stage("quoted elsewhere"):
        quoted = quoted_features(tokens.first(number), cases.pools, cases.base_cases, decisions)
        columns |= {f"quoted.{name}": values for name, values in zip(quoted_names(), quoted.T)}
    qids = np.array(cases.qids, dtype=object).repeat(cases.sizes)
    return FeatureTable.of(qids.tolist(), cases.docnos, columns)


def _of_vectors(tokens: TokenTexts, starts: Mapping[str, int], cases: FragmentCases) -> dict[str, Floats]:
    """Compute the features that need vectors, which take much memory and are not kept."""
    number = len(cases.texts)
    vectors = _Vectors(tokens, number, starts.get(_WHOLE_CASE, len(tokens)))
    scores = _scores(vectors, starts, cases.pools)
    return scores | _style(cases.texts, tokens.first(number), vectors, cases.pools)


def _scores(vectors: _Vectors, starts: Mapping[str, int], pools: Pools) -> dict[str, Floats]:
    columns: dict[str, Floats] = {}
    for family, start in starts.items():
        for name, scores in vectors.scores(slice(start, start + len(pools.sizes)), pools):
            fivefold = pools.fivefold(scores).T
            columns |= {f"{family}.{name}{kind}": values for kind, values in zip(_KINDS, fivefold)}
    first = next(iter(starts))
    for name, step in (("previous", -1), ("next", 1)):
        columns[f"{first}.words_z_of_{name}"] = pools.neighbour(columns[f"{first}.words_z"], step)
    return columns


def _style(texts: Sequence[str], paragraphs: TokenTexts, vectors: _Vectors, pools: Pools) -> dict[str, Floats]:
    form = form_features(texts, paragraphs.sizes.astype(np.float64))
    neighbours = neighbour_features(vectors.words[: len(texts)], vectors.latent[: len(texts)], pools)
    values = np.hstack([form, neighbours, cue_features(paragraphs)]).T
    columns = {f"paragraph.{name}": column for name, column in zip([*FORM, *NEIGHBOURS, *cue_names()], values)}
    for name in _COMPARED:
        ranks, z = pools.rank_and_z(columns[f"paragraph.{name}"]).T
        columns |= {f"paragraph.{name}_rank": ranks, f"paragraph.{name}_z": z}
    return columns


class _Vectors:
    """Paragraphs, which are the first rows, and query texts as vectors of each kind of terms.

    Parameters
    ----------
    tokens : TokenTexts
        The texts.
    paragraphs : int
        The number of paragraphs.
    with_characters : int
        The number of texts, from the first one, of which character n-grams are counted.
    """

    def __init__(self, tokens: TokenTexts, paragraphs: int, with_characters: int) -> None:
        content = ContentWords.of(tokens)
        self.paragraphs = paragraphs
        self.counts = content.counts()
        self.words = tf_idf(self.counts, paragraphs)
        self.pairs = tf_idf(content.pair_counts(), paragraphs)
        ngrams = character_counts(self.counts[:with_characters], content.vocabulary)
        self.characters = character_tf_idf(ngrams, paragraphs)
        self.latent = latent_vectors(self.words, paragraphs)

    def scores(self, queries: slice, pools: Pools) -> Iterator[tuple[str, Floats]]:
        """Yield each score of the paragraphs for the query texts in some rows, with its name."""
        named = {"words": self.words, "pairs": self.pairs, "characters": self.characters}
        for name, vectors in named.items():
            if queries.stop <= vectors.shape[0]:
                yield name, cosines(vectors[: self.paragraphs], vectors[queries], pools)
        yield "latent", (self.latent[: self.paragraphs] * self.latent[queries][pools.numbers]).sum(axis=1)
        yield "bm25", mean_bm25(self.counts[: self.paragraphs], self.counts[queries], pools)
