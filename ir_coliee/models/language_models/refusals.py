"""Explanations of what a model server refuses: a parameter of the requests, or the model, the address or the key.

A message about a question may repeat its text, so of these only the name of the parameter is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ir_coliee.errors import printable
from ir_coliee.models.language_models.http_client import InvalidReplyError

if TYPE_CHECKING:
    from ir_coliee.models.language_models.server import ServedModel

_REFUSED_PARAMETER = (400, 422)
_REFUSED_ACCESS = (401, 403)
_NOT_FOUND = 404
_OPTIONAL_FIELDS = frozenset({"response_format", "logprobs", "top_logprobs", "seed"})
_REMEDIES = {
    "response_format": "Use a template without a [schema], or a server that supports structured output.",
    "chat_template_kwargs": "Leave out chat_options.",
    "logprobs": "Leave out probabilities=True.",
    "top_logprobs": "Leave out probabilities=True.",
}
_MOST_CHARACTERS = 200


def description(failure: Exception) -> str:
    """Describe a failure without the message of the server."""
    if isinstance(failure, InvalidReplyError):
        return str(failure)
    status = _status(failure)
    return f"status {status}" if status else type(failure).__name__


def stops(failure: Exception) -> bool:
    """Whether a failure concerns the model, the address or the key, so that every request would fail."""
    return _status(failure) in (*_REFUSED_ACCESS, _NOT_FOUND)


def explanation(failure: Exception, served: ServedModel) -> str:
    """Return the server's message of a failure that concerns every request, shortened, and the next step."""
    message = _message(failure)
    said = f"The server's message is: {printable(message, _MOST_CHARACTERS)}\n" if message else ""
    if _status(failure) in _REFUSED_ACCESS:
        return f"{said}Set the environment variable OPENAI_API_KEY to a key that the server accepts."
    if not served.base_url.rstrip("/").endswith("/v1"):
        return f"{said}base_url does not end with /v1, as the addresses of most servers do. Correct it."
    return f"{said}Check that the server has a model named {printable(served.model, 40)}, and its address, base_url."


def refused_parameter(failure: Exception, request: Mapping[str, Any]) -> str:
    """Return the optional parameter that the server refused, by the message of the server; empty if there is none."""
    if _status(failure) not in _REFUSED_PARAMETER:
        return ""
    optional = [*request.get("extra_body", ()), *_OPTIONAL_FIELDS.intersection(request)]
    words = f"{getattr(failure, 'param', '')} {failure}"
    return next((name for name in sorted(optional) if name in words), "")


def remedy(parameter: str) -> str:
    """Return what to do if the server refuses a parameter."""
    return _REMEDIES.get(parameter, "Leave it out.")


def _status(failure: Exception) -> int | None:
    return getattr(failure, "status_code", None)


def _message(failure: Exception) -> str:
    """Return the message in the body of an error: of OpenAI's API, of FastAPI, or a text alone."""
    body = getattr(failure, "body", None)
    if isinstance(body, Mapping):
        body = body.get("message") or body.get("detail")
    return " ".join(body.split()) if isinstance(body, str) else ""
