"""Explanations of what a model server refuses: a parameter of the requests, or the model, the address or the key.

A message about a question may repeat its text, and is not shown then.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ir_coliee.errors import printable
from ir_coliee.models.language_models.http_client import InvalidReplyError

if TYPE_CHECKING:
    from ir_coliee.models.language_models.server import ServedModel

_REFUSED_PARAMETER = (400, 422)
_REFUSED_ACCESS = (401, 403)
_NOT_FOUND = 404
_OPTIONAL_FIELDS = frozenset({"response_format", "logprobs", "top_logprobs", "seed"})
_NEEDED_FIELDS = frozenset({"temperature", "max_tokens"})  # they may also be too large for one question
_UNKNOWN = re.compile(r"unsupported|not support|unrecogni[sz]ed|unknown|unexpected|not permitted", re.IGNORECASE)
_REMEDIES = {
    "response_format": "Use a template without a [schema], or a server that supports structured output.",
    "chat_template_kwargs": "Leave out chat_options.",
    "logprobs": "Leave out probabilities=True.",
    "top_logprobs": "Leave out probabilities=True.",
    "temperature": "Give temperature=None, which is not sent.",
    "max_tokens": 'Give extra_body={"max_completion_tokens": ...}, which is sent in its place.',
}
_MOST_CHARACTERS = 200


def description(failure: Exception) -> str:
    """Describe a failure without the message of the server."""
    if isinstance(failure, InvalidReplyError):
        return str(failure)
    status = _status(failure)
    return f"status {status}" if status else type(failure).__name__


def descriptions(failures: Iterable[Exception]) -> str:
    """Describe failures with the number of each kind, the most frequent first."""
    return ", ".join(f"{number} × {what}" for what, number in Counter(map(description, failures)).most_common())


def stops(failure: Exception) -> bool:
    """Whether a failure concerns the model, the address or the key, so that every request would fail."""
    return _status(failure) in (*_REFUSED_ACCESS, _NOT_FOUND)


def explanation(failure: Exception, served: ServedModel) -> str:
    """Return the server's message of a failure that concerns every request, shortened, and the next step."""
    said = _shown(_message(failure))
    if _status(failure) in _REFUSED_ACCESS:
        return f"{said}Set the environment variable OPENAI_API_KEY to a key that the server accepts."
    if not served.base_url.rstrip("/").endswith("/v1"):
        return f"{said}base_url does not end with /v1, as the addresses of most servers do. Correct it."
    return f"{said}Check that the server has a model named {printable(served.model, 40)}, and its address, base_url."


def said(failure: Exception, request: Mapping[str, Any]) -> str:
    """Return a line with the server's message about a request, shortened; empty if it repeats text of the request."""
    message = _message(failure)
    contents = [each["content"] for each in request["messages"]]
    if any(content in message or _sequences(content) & _sequences(message) for content in contents):
        return ""
    return _shown(message)


def _sequences(text: str) -> set[tuple[str, ...]]:
    """Return the sequences of three words of a text."""
    words = text.split()
    return set(zip(words, words[1:], words[2:]))


def _shown(message: str) -> str:
    return f"The server's message is: {printable(message, _MOST_CHARACTERS)}\n" if message else ""


def refused_parameter(failure: Exception, request: Mapping[str, Any]) -> str:
    """Return the parameter that the server does not know, by its error; empty if the error concerns the question."""
    if _status(failure) not in _REFUSED_PARAMETER:
        return ""
    names = {*request.get("extra_body", ()), *_OPTIONAL_FIELDS.intersection(request)}
    if _UNKNOWN.search(str(failure)):
        names |= _NEEDED_FIELDS.intersection(request)
    if (named := getattr(failure, "param", None)) in names:
        return str(named)
    places = {name: found.start() for name in names if (found := re.search(rf"\b{re.escape(name)}\b", str(failure)))}
    return min(places, key=places.__getitem__, default="")


def remedy(parameter: str) -> str:
    """Return what to do if the server refuses a parameter."""
    return _REMEDIES.get(parameter, "Leave it out of extra_body.")


def _status(failure: Exception) -> int | None:
    return getattr(failure, "status_code", None)


def _message(failure: Exception) -> str:
    """Return the message in the body of an error: of OpenAI's API, of FastAPI, or a text alone."""
    body = getattr(failure, "body", None)
    if isinstance(body, Mapping):
        body = body.get("message") or body.get("detail")
    return " ".join(body.split()) if isinstance(body, str) else ""
