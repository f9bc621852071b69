"""Counts of cues, which are words and phrases, in texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ir_coliee.engine.paragraphs.token_texts import TokenTexts
from ir_coliee.frames import Booleans, Floats, Integers


def cue_counts(texts: TokenTexts, lists: Mapping[str, Iterable[Sequence[str]]]) -> Floats:
    """Count the places of each text at which a cue of a list begins.

    Parameters
    ----------
    texts : TokenTexts
        The texts.
    lists : mapping of str to iterable
        The cues of each list, each a sequence of words.

    Returns
    -------
    float64 array of shape (texts, lists)

    Examples
    --------
    >>> texts = TokenTexts.of(["I find, and I find that it is not so.", ""])
    >>> cue_counts(texts, {"voice": [("i", "find"), ("i", "find", "that")], "negation": [("not",)]}).tolist()
    [[2.0, 1.0], [0.0, 0.0]]
    """
    numbers = {word: number for number, word in enumerate(texts.vocabulary)}
    owners = texts.owners
    counts = np.zeros((len(texts), len(lists)))
    for column, cues in enumerate(lists.values()):
        begins = np.zeros(len(texts.tokens), dtype=np.bool_)
        for cue in cues:
            if numbers.keys() >= set(cue):
                begins |= _begins(texts, owners, [numbers[word] for word in cue])
        counts[:, column] = np.bincount(owners[begins], minlength=len(texts))
    return counts


def _begins(texts: TokenTexts, owners: Integers, cue: Sequence[int]) -> Booleans:
    """Whether a cue begins at each token."""
    tokens = texts.tokens
    places = np.flatnonzero(tokens == cue[0])
    places = places[places + len(cue) <= len(tokens)]
    for offset, number in enumerate(cue[1:], start=1):
        places = places[tokens[places + offset] == number]
    places = places[owners[places] == owners[places + len(cue) - 1]]
    found = np.zeros(len(tokens), dtype=np.bool_)
    found[places] = True
    return found
