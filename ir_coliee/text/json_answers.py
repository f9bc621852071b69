"""Read the answer field of a JSON object in a language model's reply."""

from __future__ import annotations

import json
import re
from typing import Any

_KEYS = ("answer", "final_answer", "final answer", "conclusion", "verdict", "label", "答え", "回答", "解答", "結論")
_FENCED = re.compile(r"```[a-z0-9]{0,9}\s*([{\[][^`]*)```", re.IGNORECASE)
_JSON_LIKE = re.compile(r"""\{\s*["'](?:\w|\s){1,40}["']\s*:|\{\s*(?:answer|reason\w*)\s*:|\[\s*["'{\[]|\{\s*\}""")
_FIELD = re.compile(
    r"""[{,]\s*["']?(?:final[_ ])?answer["']?\s*:\s*["']?([^"',{}\[\]]{0,40})["']?\s*(?=[,}])""", re.IGNORECASE
)


def json_answers(text: str) -> list[str] | None:
    """Return the answers of a reply that is JSON, or contains a JSON object with an answer.

    Parameters
    ----------
    text : str
        A reply without reasoning.

    Returns
    -------
    list of str or None
        The values of the answer fields, ``true`` and ``false`` as words; an empty list for JSON without such a field.
        None if the reply is not JSON.

    Examples
    --------
    >>> json_answers('Here it is: {"reason": "Yes at first sight.", "answer": "no"}'), json_answers('{"yes": 0.2}')
    (['no'], [])
    >>> json_answers("No, because a deed is missing.") is None
    True
    """
    fenced = _FENCED.findall(text)
    start, end = text.find("{"), text.rfind("}")
    is_quoted = text.count('"', 0, max(start, 0)) % 2 == 1
    candidates = fenced or [text[start : end + 1] if 0 <= start < end and not is_quoted else text]
    is_json = False
    values: list[str] = []
    for candidate in candidates:
        try:
            fields = _fields(json.loads(candidate, object_pairs_hook=_Pairs))
        except (ValueError, RecursionError):
            # JSON that is cut off, has single quotes, or further commas
            fields = _FIELD.findall(candidate) if candidate[:1] in ("{", "[") else []
        else:
            is_json |= candidate.lstrip()[:1] in ("{", "[")
        values += fields
    if values or is_json or _JSON_LIKE.match(text):
        return values
    return None


class _Pairs(list[tuple[str, Any]]):
    """The fields of a JSON object, including repeated ones."""


def _fields(value: Any) -> list[str]:
    """Return the values of the answer fields of an object, or of several objects in a list."""
    objects = value if isinstance(value, list) and not isinstance(value, _Pairs) else [value]
    pairs = [pair for each in objects if isinstance(each, _Pairs) for pair in each]
    found = [field for key, field in pairs if key.strip().lower() in _KEYS]
    return [json.dumps(field) if isinstance(field, bool) else str(field) for field in found]
