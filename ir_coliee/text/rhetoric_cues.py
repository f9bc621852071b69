"""Cues of what a paragraph of a decision does, from ``etc/rhetoric_cues.yaml``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ir_coliee.text.tokenisers import words

_FILE = Path(__file__).parents[1] / "etc" / "rhetoric_cues.yaml"


@cache
def rhetoric_cues() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Cues of conclusions, the judge's own voice, facts, norms, citations, statutes, disposals and negations.

    Returns
    -------
    dict of str to tuple
        The cues of each list, each as a sequence of words.

    Examples
    --------
    >>> [*rhetoric_cues()]
    ['conclusion', 'voice', 'facts', 'norm', 'citation', 'statute', 'disposal', 'negation']
    >>> ("set", "aside") in rhetoric_cues()["disposal"]
    True
    """
    import yaml  # its import is slow

    lists: dict[str, list[str]] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return {name: tuple(tuple(words(cue)) for cue in cues) for name, cues in lists.items()}
