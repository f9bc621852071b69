"""The known ids that are nearest to a misspelled one, compared by segments: task, edition, language and split."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

_SEGMENT = re.compile(r"[^\W_]+")
_WORD_AND_NUMBER = re.compile(r"(\D*)(\d{0,9})(.*)")
_MIN_RATIO = 0.6  # of equal letters, below which two words have nothing in common
_OTHER_NUMBER = 0.3  # the similarity of two words with different numbers is below it
_LANGUAGE = 0.5  # the weight of a language
_SURPLUS = 0.25  # the weight of a segment that only the known id has
_MARGIN = 0.25  # how much less similar than the nearest id the others may be
_MAX_IDS = 3


def id_segments(dataset_id: str) -> list[str]:
    """Return the segments of a dataset id in lower case, without the prefixes that all ids have.

    Examples
    --------
    >>> id_segments("irds:coliee/task3/2025/en/r05"), id_segments("Task1 2025")
    (['task3', '2025', 'en', 'r05'], ['task1', '2025'])
    """
    return [segment for segment in _SEGMENT.findall(dataset_id.lower()) if segment not in ("irds", "coliee")]


def nearest_ids(dataset_id: str, known: Iterable[str]) -> list[str]:
    """Return the known ids that an unknown id probably means.

    Parameters
    ----------
    dataset_id : str
        The unknown id.
    known : iterable of str
        The known ids; of equally near ones the first are returned.

    Returns
    -------
    list of str
        Up to three ids, the nearest first; none if nothing is alike. Their segments may have another order, another
        number or a similar spelling, and they may have more segments or fewer.

    Examples
    --------
    >>> known = ["coliee/task3/2025/en/test", "coliee/task3/2025/ja/test", "coliee/task3/2026/ja/test"]
    >>> nearest_ids("coliee/task3/2025/test", known)
    ['coliee/task3/2025/en/test', 'coliee/task3/2025/ja/test']
    >>> nearest_ids("coliee/2026/task3/en/tset", known)[0]
    'coliee/task3/2026/ja/test'
    """
    segments = id_segments(dataset_id)
    matches = {name: _match(segments, id_segments(name)) for name in known}
    near = {
        name: common - surplus for name, (common, surplus) in matches.items() if common >= max(1, len(segments) / 2)
    }
    best = sorted(near, key=lambda name: -near[name])[:_MAX_IDS]
    return [name for name in best if near[name] >= near[best[0]] - _MARGIN]


def _match(segments: list[str], known: list[str]) -> tuple[float, float]:
    """Return the similarity of the segments that correspond, and the weight of those that only the known id has."""
    common, left, remaining = 0.0, 0, list(known)
    for segment in segments:
        nearest = max(remaining, key=lambda other: _alike(segment, other), default="")
        if value := _alike(segment, nearest):
            remaining.remove(nearest)
            common += value
        else:
            left += 1
    surplus = sorted(map(_weight, remaining), reverse=True)[left:]  # the others replace those left over
    return common, _SURPLUS * sum(surplus)


def _weight(segment: str) -> float:
    return _LANGUAGE if len(segment) == 2 and segment.isalpha() else 1.0


@lru_cache(maxsize=10_000)
def _alike(segment: str, other: str) -> float:
    """Return how alike two segments are, from 0 to the weight of the other: in their letters and their numbers."""
    (word, number, rest), (other_word, other_number, other_rest) = (
        match.groups() for match in map(_WORD_AND_NUMBER.match, (segment, other)) if match
    )
    ratio = SequenceMatcher(None, word + rest, other_word + other_rest).ratio()
    if ratio < _MIN_RATIO or bool(number) != bool(other_number):
        return 0.0
    distance = abs(int(number or 0) - int(other_number or 0))
    return _weight(other) * ratio * (_OTHER_NUMBER / distance if distance else 1.0)
