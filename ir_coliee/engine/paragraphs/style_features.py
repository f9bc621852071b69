"""Features of the paragraphs of a case that need no query: place, length, neighbours, quotation marks and cues."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from scipy import sparse

from ir_coliee.engine.paragraphs.cue_counts import cue_counts
from ir_coliee.engine.paragraphs.pools import Pools
from ir_coliee.engine.paragraphs.query_scores import similarities
from ir_coliee.engine.paragraphs.token_texts import TokenTexts
from ir_coliee.frames import Floats
from ir_coliee.text.case_paragraphs import remove_marks
from ir_coliee.text.rhetoric_cues import rhetoric_cues

_DIGITS = re.compile(r"\d+")
_QUOTATION_MARKS = '"“”«»'

#: The names of the features of `place_features`.
PLACES = ("place", "share_of_place", "places_from_end", "log_pool_size")
#: The names of the features of `form_features`.
FORM = ("log_length", "numbers_per_word", "quotation_marks", "quotation_marks_per_word", "ends_in_colon")
#: The names of the features of `neighbour_features`.
NEIGHBOURS = ("previous", "next", "others", "earlier", "latent_mean")


def cue_names() -> list[str]:
    """Names of the features of `cue_features`."""
    return [f"{name}{kind}" for kind in ("", "_per_word") for name in rhetoric_cues()]


def place_features(pools: Pools) -> Floats:
    """Place of each paragraph (from 1), its share of their number, places after it, and log(1 + their number)."""
    places, sizes = pools.places + 1, pools.sizes.repeat(pools.sizes)
    return np.column_stack([places, places / sizes, sizes - places, np.log1p(sizes)])


def form_features(texts: Sequence[str], words: Floats) -> Floats:
    """Features of the characters of texts (see `FORM`).

    Parameters
    ----------
    texts : sequence of str
        The texts; their paragraph marks are left out.
    words : float64 array
        The number of words of each text.

    Returns
    -------
    float64 array of shape (texts, 5)
        log(1 + characters), groups of digits per word, quotation marks, quotation marks per word, and whether the last
        character is a colon.
    """
    plain = [" ".join(remove_marks(text).split()) for text in texts]
    lengths = np.log1p(np.array([len(text) for text in plain], dtype=np.float64))
    digits = np.array([len(_DIGITS.findall(text)) for text in plain], dtype=np.float64)
    marks = np.array([sum(map(text.count, _QUOTATION_MARKS)) for text in plain], dtype=np.float64)
    colons = np.array([text.endswith(":") for text in plain], dtype=np.float64)
    words = np.maximum(words, 1)
    return np.column_stack([lengths, digits / words, marks, marks / words, colons])


def cue_features(texts: TokenTexts) -> Floats:
    """Count of the cues of each list in each text, and the same per word (texts x 16, see `cue_names`)."""
    counts = cue_counts(texts, rhetoric_cues())
    return np.hstack([counts, counts / np.maximum(texts.sizes, 1)[:, None]])


def neighbour_features(vectors: sparse.csr_matrix, latent: Floats, pools: Pools) -> Floats:
    """Cosines of each paragraph with others of its pool (see `NEIGHBOURS`).

    They are those with the previous and the next paragraph, the mean of those with all others, the highest one with an
    earlier paragraph, and that of the latent vector with the mean of the pool's.

    Parameters
    ----------
    vectors : csr_matrix, paragraphs x terms
        Vectors of length 1.
    latent : float64 array, paragraphs x dimensions
        Latent vectors of length 1.
    pools : Pools
        The pools.

    Returns
    -------
    float64 array of shape (paragraphs, 5)
        0 where there is no such paragraph.
    """
    of_pools = []
    for cosines in similarities(vectors, pools):
        np.fill_diagonal(cosines, 0)
        beside = np.diagonal(cosines, 1)
        others = cosines.sum(axis=1) / max(len(cosines) - 1, 1)
        earlier = np.tril(cosines, -1).max(axis=1)
        of_pools.append(np.column_stack([np.append(0, beside), np.append(beside, 0), others, earlier]))
    means = np.add.reduceat(latent, pools.bounds[:-1])
    means /= np.maximum(np.sqrt((means**2).sum(axis=1, keepdims=True)), np.finfo(np.float64).tiny)
    with_mean = (latent * means[pools.numbers]).sum(axis=1)
    return np.column_stack([np.concatenate(of_pools), with_mean])
