"""Ids of passages, and the numbered paragraphs of a decision; shared by passage splitting and paragraph retrieval.

The passages of ``900001`` have the ids ``900001%p0``, ``900001%p1``, …, as those of PyTerrier's own passagers, so that
PyTerrier's aggregation works on our passages and ours on PyTerrier's.
"""

from __future__ import annotations

from ir_coliee.text.decisions import paragraphs

PASSAGE_SEPARATOR = "%p"  #: The separator between the id of a document or query and the number of its passage.


def document_id(passage_id: str) -> str:
    """Return the id of a passage's document: the id up to the last separator, or the whole id without one.

    >>> document_id("900001%p2"), document_id("900001")
    ('900001', '900001')
    """
    return passage_id.rpartition(PASSAGE_SEPARATOR)[0] or passage_id


def numbered_paragraphs(text: str) -> dict[int, str]:
    r"""Return the paragraphs of a decision by their positions, see `ir_coliee.text.decisions.paragraphs`.

    Paragraphs without text are left out. For a decision without any text, the result is one empty paragraph.

    >>> numbered_paragraphs("[1]\nA lamp.\n[2]\n[3]\nA gate.")
    {1: 'A lamp.', 3: 'A gate.'}
    """
    return {number: paragraph for number, paragraph in enumerate(paragraphs(text)) if paragraph} or {0: ""}
