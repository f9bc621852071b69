"""A server on this machine that answers by a language model, to run the real code of served models without another."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ir_coliee.errors import ColieeError
from ir_coliee.models.language_models.language_model import LanguageModel, Question, Reply
from ir_coliee.text.templates import Conversation, Turn

_PATH = "/v1/chat/completions"
_POLL = 0.01  # seconds after which a stopped server is noticed


@contextmanager
def loopback_server(model: LanguageModel) -> Iterator[str]:
    """Serve a language model on 127.0.0.1 with OpenAI's chat completions API.

    Requests are answered one after the other, with the model's own settings; of a request only the turns, the seed
    (the number of the sample) and ``logprobs`` are used. The probabilities of the first token are those of Yes and No,
    if the model computes them.

    Parameters
    ----------
    model : LanguageModel
        The model that answers.

    Yields
    ------
    str
        The address of the API, for `ServedModel`; it is valid inside the ``with`` block.

    Examples
    --------
    >>> from ir_coliee.models import ServedModel, get_replies
    >>> class Echo:
    ...     identity = "echo"
    ...     def ask(self, questions, on_reply):
    ...         for question in questions:
    ...             on_reply(question, Reply(question.conversation[-1].content, yes=0.75))
    >>> with loopback_server(Echo()) as address:
    ...     served = ServedModel("echo", base_url=address, probabilities=True)
    ...     print(*get_replies(served, [Question(Conversation([Turn("user", "A lamp?")]))]).values())
    Reply(text='A lamp?', yes=0.75, reasoning='', truncated=False)
    """
    server = _Server(model)
    thread = threading.Thread(target=server.serve_forever, args=(_POLL,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{_PATH.removesuffix('/chat/completions')}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def completion(
    text: str, first_tokens: Sequence[tuple[str, float]] | None = None, *, reasoning: str = "", truncated: bool = False
) -> dict[str, Any]:
    """Return a chat completion as OpenAI's API has it.

    Parameters
    ----------
    text : str
        Text of the reply.
    first_tokens : sequence of (str, float), optional
        The first token and its alternatives, with their log-probabilities. None if they are not known.
    reasoning : str
        What the model wrote before its reply.
    truncated : bool
        Whether the reply was cut off at the token limit.
    """
    top = [{"token": token, "logprob": logprob, "bytes": None} for token, logprob in first_tokens or ()]
    logprobs = {"content": [{**top[0], "top_logprobs": top}], "refusal": None} if top else None
    message = {"role": "assistant", "content": text, "refusal": None}
    if reasoning:
        message["reasoning_content"] = reasoning
    finish = "length" if truncated else "stop"
    choice = {"index": 0, "finish_reason": finish, "message": message, "logprobs": logprobs}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "stub", "choices": [choice]}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # as many as a client may open at once

    def __init__(self, model: LanguageModel) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self._model, self._lock = model, threading.Lock()

    def reply(self, question: Question) -> Reply:
        replies: list[Reply] = []
        with self._lock:  # a model need not answer concurrent calls
            self._model.ask([question], lambda _, reply: replies.append(reply))
        return replies[0]

    def handle_error(self, *_request: Any) -> None:
        """Ignore a client that has closed its connection."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path != _PATH:
            return self._send(404, _error(f"There is only {_PATH}."))
        try:
            request = json.loads(content)
            question = _question(request)
        except (ValueError, LookupError, TypeError):
            return self._send(400, _error("The request is not a chat completion."))
        try:
            reply = self.server.reply(question)
        except ColieeError as error:  # such as a question that is longer than the model's window
            return self._send(400, _error(str(error)))
        first_tokens = _first_tokens(reply) if request.get("logprobs") else None
        self._send(200, completion(reply.text, first_tokens, reasoning=reply.reasoning, truncated=reply.truncated))

    def _send(self, status: int, body: Mapping[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_words: Any) -> None:
        """Print nothing."""


def _question(request: Mapping[str, Any]) -> Question:
    turns = [Turn(message["role"], message["content"]) for message in request["messages"]]
    return Question(Conversation(turns), request.get("seed") or 0)


def _first_tokens(reply: Reply) -> Sequence[tuple[str, float]] | None:
    """Return Yes and No with their log-probabilities, the more probable one first."""
    if reply.yes is None:
        return None
    weights = {"Yes": reply.yes, "No": 1 - reply.yes}
    return sorted(((word, math.log(max(p, 1e-300))) for word, p in weights.items()), key=lambda each: -each[1])


def _error(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error"}}
