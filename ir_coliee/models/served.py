"""Language models on a server with OpenAI's chat completions API, such as vLLM, Ray Serve or llama.cpp."""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any
from urllib.parse import urlsplit

from ir_coliee.data_agreement import refuse_remote
from ir_coliee.errors import ColieeError, MissingExtraError, printable
from ir_coliee.frames import check_number, instance_of, integer_at_least, shown
from ir_coliee.models.language_model import (
    Question,
    Reply,
    ReplyCallback,
    encodable,
    is_valid,
    named_tokens,
    settings_key,
)
from ir_coliee.models.replies import answer_start, first_answer_token, split_reasoning, yes_probability

# Failures of requests.


_REFUSED_QUESTION = (400, 413, 422)  # status codes that concern a single question; other questions may succeed
_REFUSED_ACCESS = (401, 403)
_NOT_FOUND = 404
_BUSY = (408, 409, 429)  # status codes after which the same request may succeed, as after those from 500
_REFUSAL_BYTES = 2**16
_MAX_SHOWN = 200
_ADVICE = (
    "If it does not accept a parameter: temperature=None sends none, extra_body={'max_completion_tokens': ...} sends "
    "that in place of max_tokens, probabilities=False no logprobs, a template without a [schema] no response_format.\n"
)


class InvalidReplyError(Exception):
    """The server returned an invalid reply, or none in time. The message contains nothing of the reply.

    Attributes
    ----------
    status : int
        Its status code, 0 for a reply without one or with that of success.
    pause : float or None
        Number of seconds that the server asks to wait.
    said : str
        The server's message, if it refuses the request.
    """

    def __init__(self, problem: str, status: int = 0, pause: float | None = None, said: str = "") -> None:
        super().__init__(problem)
        self.status, self.pause, self.said = status, pause, said

    @property
    def stops(self) -> bool:
        """Whether it concerns the model, the address or the key, so that every request would fail."""
        return self.status in (*_REFUSED_ACCESS, _NOT_FOUND)

    @property
    def is_final(self) -> bool:
        """Whether the same request would fail again at once."""
        return 0 < self.status < 500 and self.status not in _BUSY


class NoAnswerError(InvalidReplyError):
    """The server replied, but not with an answer to the question. The message contains nothing of the reply."""

    is_final = True


class NoConnectionError(InvalidReplyError):
    """No connection to the server can be opened."""


def _explanation(refusal: InvalidReplyError, served: ServedModel) -> str:
    """Return the server's message of a failure that concerns every request, shortened, and the next step."""
    said = _shown(refusal.said)
    if refusal.status in _REFUSED_ACCESS:
        return f"{said}Set the environment variable OPENAI_API_KEY to a key that the server accepts."
    if not served.base_url.rstrip("/").endswith("/v1"):
        return f"{said}base_url does not end with /v1, as the addresses of most servers do. Correct it."
    return f"{said}Check that the server has a model named {printable(served.model, 40)}, and its address, base_url."


def _said(message: str, request: Mapping[str, Any]) -> str:
    """Return a line with the server's message about a request; empty if it repeats text of the request."""
    contents = [each["content"] for each in request["messages"]]
    repeats = any(each in message or _sequences(each) & _sequences(message) for each in contents)
    return "" if repeats else _shown(message)


def _requested_pause(headers: Mapping[str, str]) -> float | None:
    """Return the number of seconds that the server asks to wait, None for none and for a longer pause than allowed."""
    try:
        pause = float(headers["retry-after"])
    except (KeyError, ValueError):
        return None
    return pause if 0 <= pause <= _LONGEST_PAUSE else None


def _message(content: bytes) -> str:
    """Return the message in the body of a refusal: of OpenAI's API, of FastAPI, or a text alone."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = content.decode(errors="replace")
    if isinstance(body, Mapping):
        body = body.get("error", body)
    if isinstance(body, Mapping):
        body = body.get("message") or body.get("detail")
    return " ".join(body.split()) if isinstance(body, str) else ""


def _sequences(text: str) -> set[tuple[str, ...]]:
    """Return the sequences of three words of a text."""
    words = text.split()
    return set(zip(words, words[1:], words[2:]))


def _shown(message: str) -> str:
    return f"The server's message is: {printable(message, _MAX_SHOWN)}\n" if message else ""


# Reading the reply from a chat completion.


_REASONING_FIELDS = ("reasoning", "reasoning_content")  # of servers that split reasoning from the answer
_NO_ANSWER = frozenset({"content_filter", "tool_calls", "function_call", "abort", "error"})  # reasons of an end


def parse_completion(completion: Any, model: str, named: tuple[str, str] | None = None) -> Reply:
    """Return the reply of a completion of a model; ``named`` is as in `yes_probability`.

    Raises
    ------
    InvalidReplyError
        If the completion has no reply, or an invalid one.
    NoAnswerError
        If the reply is not an answer of this model: a refusal, a filtered text, a call of a tool, or no text at all.
    """
    try:
        choice = completion["choices"][0]
        _check_answer(completion, choice, model)
        message = choice["message"]
        apart = next(filter(None, map(message.get, _REASONING_FIELDS)), "")
        reasoning, text = split_reasoning(message.get("content") or "")
        yes = _yes_probability(choice.get("logprobs"), text, named, is_split=bool(apart))
        reply = Reply(text, yes, "\n\n".join(filter(None, (apart, reasoning))), choice.get("finish_reason") == "length")
    except (AttributeError, LookupError, TypeError, OverflowError):
        raise InvalidReplyError("a reply without a choice") from None
    if not is_valid(reply):
        raise InvalidReplyError("a reply whose text or probability is invalid")
    return reply


def _check_answer(completion: Any, choice: Any, model: str) -> None:
    if choice.get("index") not in (0, None):
        raise NoAnswerError("a reply to another question: its index is not 0")
    if not _is_same_model(completion.get("model"), model):
        raise NoAnswerError(f"a reply of another model, {printable(completion['model'], 40)}")
    reason, message = choice.get("finish_reason"), choice["message"]
    if reason in _NO_ANSWER:
        raise NoAnswerError(f"a reply without an answer ({reason})")
    for name in ("refusal", "tool_calls", "function_call"):
        if message.get(name):
            raise NoAnswerError(f"a reply without an answer ({name})")
    if message.get("content") is None and reason != "length":
        raise NoAnswerError("a reply without a text")


def _is_same_model(replied: Any, asked: str) -> bool:
    """Whether a reply is of the model that was asked; servers add dates, and folders or endings of files."""
    if not (isinstance(replied, str) and replied):
        return True
    one, other = replied.casefold(), asked.casefold()
    return one in other or other in one


def _yes_probability(logprobs: Any, answer: str, named: tuple[str, str] | None, *, is_split: bool) -> float | None:
    """Return the probability of yes from the token with which the answer begins, and its alternatives.

    Servers that split reasoning from the answer return the tokens of both, or of the answer only.
    """
    content = (logprobs and logprobs.get("content")) or []
    tokens = [token["token"] for token in content]
    text = "".join(tokens)
    if is_split and not answer_start(text):
        start = text.rfind(answer) if answer else -1
        if start < 0:
            return None
        ends = accumulate(map(len, tokens))
        tokens = [token for token, end in zip(tokens, ends) if end > start]
    position = first_answer_token(tokens)
    if position is None:
        return None
    alternatives = content[len(content) - len(tokens) + position]["top_logprobs"]
    return yes_probability(((each["token"], math.exp(each["logprob"])) for each in alternatives), named)


_REFUSED_AT_FIRST = 8  # questions; if all of them fail, the others are not asked
_ALTERNATIVES = 20  # requested alternatives to the first token; servers return at most 20
_BYTES = 2**20  # largest size of a reply, to which _TOKEN_BYTES are added for each token
_TOKEN_BYTES = 2**13  # of a token and its alternatives as JSON
_MOST_BYTES = 2**26
_LONGEST_PAUSE = 120.0  # seconds
# what the other parameters set, and what would change the form of the reply
_OWN_FIELDS = frozenset(
    {"model", "messages", "temperature", "max_tokens", "seed", "logprobs", "top_logprobs", "response_format"}
    | {"chat_template_kwargs", "n", "stream"}
)
_REMOTE_CALL = "ServedModel(..., allow_remote=True)"


def _check_address(url: str) -> None:
    """Raise `ValueError` for an invalid URL."""
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except (ValueError, AttributeError):
        is_valid = False
    if not is_valid or not url.isprintable():
        raise ValueError(f"base_url must be a URL, got {shown(url)}.\nFor example: 'http://127.0.0.1:8000/v1'.")


@dataclass(frozen=True)
class ServedModel:
    """A language model on a server with OpenAI's chat completions API, by default on this machine.

    If the server requires a key, it is read from the environment variable ``OPENAI_API_KEY``. This class needs the
    extra ``llm``.

    Parameters
    ----------
    model : str
        Name of the model on the server.
    base_url : str
        Address of the API, up to and including ``/v1``.
    temperature : float, optional
        Sampling temperature, at least 0. None sends none, for servers that accept only their own.
    max_tokens : int
        Maximum number of tokens of a reply, including its reasoning. A reply that is cut off there is marked as
        ``truncated``.
    probabilities : bool or tuple of str
        Request the probabilities of the tokens, and compute the probability of yes from the first word of the answer,
        after the reasoning. Not every server supports this. Use it only with prompts that ask for a one-word answer.
        ``("yes", "no")`` names the two tokens that are compared, as in `LocalModel`.
    chat_options : mapping, optional
        Variables of the model's chat template, such as ``{"enable_thinking": False}`` or ``{"reasoning_effort":
        "low"}``. They are sent as ``chat_template_kwargs``, which vLLM, SGLang and llama.cpp read.
    extra_body : mapping, optional
        Further fields of the request, such as ``{"top_p": 0.95}``, and ``{"reasoning_effort": "low"}`` for servers
        that expect it there. With ``{"max_completion_tokens": 512}``, ``max_tokens`` is not sent.
    in_flight : int
        Number of concurrent requests.
    retries : int
        Number of retries of a question if the server is busy (429), fails (500), does not answer in time, or returns an
        invalid reply. The pauses between retries increase, or have the length that the server requests, up to two
        minutes.
    timeout : float
        Number of seconds for an attempt, from the connection to the last byte of the reply.
    allow_remote : bool
        Allow a server on another machine. Texts are then sent to that machine.

    Raises
    ------
    ColieeError
        If the address is on another machine and ``allow_remote`` is False.
    ValueError
        If the address is not a URL, ``model`` is not a name, or another parameter is out of range.

    Notes
    -----
    Only an answer of the model that was asked is a reply: a refusal, a filtered text, a call of a tool, or the name of
    another model counts as a failure of its question. Failures are counted, and asked again in the next call.
    A reply may have 1 MiB and 8 KiB for each of ``max_tokens``, in all at most 64 MiB, and must not be compressed.
    Other replies count as invalid. Redirects are not followed. Without ``allow_remote``, proxies are not used, and
    the address of each connection is checked before anything is sent.

    Examples
    --------
    >>> ServedModel("a-model", in_flight=4).base_url
    'http://127.0.0.1:8000/v1'
    """

    model: str
    base_url: str = "http://127.0.0.1:8000/v1"
    temperature: float | None = 0.0
    max_tokens: int = 512
    probabilities: bool | tuple[str, str] = False
    chat_options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    extra_body: Mapping[str, Any] = field(default_factory=dict, hash=False)
    in_flight: int = 16
    retries: int = 5
    timeout: float = 120.0
    allow_remote: bool = False

    def __post_init__(self) -> None:
        if not (isinstance(self.model, str) and self.model):
            raise ValueError(f"model must be the name of a model, got {shown(self.model)}.")
        _check_address(self.base_url)
        if not self.allow_remote:
            refuse_remote([self.base_url], _REMOTE_CALL)
        for name, minimum in (("max_tokens", 1), ("in_flight", 1), ("retries", 0)):
            integer_at_least(name, getattr(self, name), minimum)
        if self.temperature is not None:
            check_number("temperature", self.temperature, "a finite number >= 0", lambda value: 0 <= value < math.inf)
        check_number("timeout", self.timeout, "a number > 0", lambda seconds: seconds > 0)
        for name in ("chat_options", "extra_body"):
            instance_of(name, getattr(self, name), Mapping, "a mapping")
        named_tokens(self)
        if own := sorted(_OWN_FIELDS.intersection(self.extra_body)):
            raise ValueError(f"extra_body must not contain {own[0]!r}, which other parameters of ServedModel set.")

    @property
    def identity(self) -> str:
        """Key of the stored replies: the model and its settings, but not the address."""
        settings = self.model, self.temperature, self.max_tokens, self.probabilities
        return settings_key(*settings, chat_options=self.chat_options, extra_body=self.extra_body)

    def ask(self, questions: Sequence[Question], on_reply: ReplyCallback) -> None:
        """Ask all questions. If the server fails to answer a question, the others are asked nevertheless.

        Raises
        ------
        ColieeError
            At the end, if a question was not answered; earlier, if the server stops answering, or refuses the model,
            the address or the key (401, 403, 404), with its explanation.
        MissingExtraError
            If the extra ``llm`` is not installed.
        """
        try:
            import httpx2
            from anyio.from_thread import start_blocking_portal
        except ImportError:
            raise MissingExtraError("A model on a server", "llm") from None
        requests = _ConcurrentRequests(self, httpx2, questions, on_reply)
        with start_blocking_portal() as portal:  # a thread with its own event loop: a notebook has a running one
            portal.call(requests.run)
        requests.raise_failures()

    def _request(self, question: Question) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": turn.role, "content": encodable(turn.content)} for turn in question.conversation],
            **({} if self.temperature is None else {"temperature": self.temperature}),
            **({} if "max_completion_tokens" in self.extra_body else {"max_tokens": self.max_tokens}),
            **({"chat_template_kwargs": dict(self.chat_options)} if self.chat_options else {}),
            **self.extra_body,
        }
        if question.schema:
            schema = {"name": "answer", "schema": json.loads(question.schema), "strict": True}
            request["response_format"] = {"type": "json_schema", "json_schema": schema}
        if self.temperature:
            request["seed"] = question.sample
        if self.probabilities:
            request |= {"logprobs": True, "top_logprobs": _ALTERNATIVES}
        return request


class _ConcurrentRequests:
    """The concurrent requests of one call of `ServedModel.ask`."""

    def __init__(self, served: ServedModel, httpx: Any, questions: Sequence[Question], on_reply: ReplyCallback) -> None:
        self._served, self._httpx, self._on_reply = served, httpx, on_reply
        self._max_bytes = min(_BYTES + _TOKEN_BYTES * served.max_tokens, _MOST_BYTES)
        self._remaining = iter(questions)
        self._num_questions = len(questions)
        self._failures: list[InvalidReplyError] = []
        self._num_replies = 0
        self._said = ""
        self._stopped = False
        self._error: BaseException | None = None  # of the callback or of a connection, raised in the caller's thread

    async def run(self) -> None:
        """Ask the questions, and note the failures."""
        import anyio

        served, httpx = self._served, self._httpx
        key = os.environ.get("OPENAI_API_KEY", "").strip() or "none"
        if not key.isascii():  # the error of a header that cannot be encoded would contain it
            raise ColieeError("OPENAI_API_KEY has characters beyond ASCII, which no key has. Correct it.")
        client = httpx.AsyncClient(
            trust_env=served.allow_remote,  # proxies that the environment names
            follow_redirects=False,
            # of a connection that is kept, bytes behind a reply would be read as the reply to the next question
            headers={
                "authorization": f"Bearer {key}",
                "accept-encoding": "identity",
                "connection": "close",
            },
            timeout=served.timeout,
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=None),
        )
        async with client, anyio.create_task_group() as group:
            for _ in range(served.in_flight):
                group.start_soon(self._ask_remaining, client, group.cancel_scope)

    def raise_failures(self) -> None:
        """Raise what ended the requests, or `ColieeError` if the server did not answer all questions."""
        if self._error is not None:
            raise self._error
        if not self._failures:
            return
        url = printable(self._served.base_url, 50)
        if not self._num_replies and isinstance(self._failures[0], NoConnectionError):
            raise ColieeError(
                f"No server answers at {url}.\nStart a server there, such as that of vLLM or llama.cpp, or give its "
                "address: ServedModel(..., base_url=...)."
            )
        if refusal := next((each for each in self._failures if each.stops), None):
            raise ColieeError(f"{url} refused the requests with {refusal}.\n{_explanation(refusal, self._served)}")
        missing = self._num_questions - self._num_replies
        descriptions = Counter(map(str, self._failures)).most_common()
        failures = ", ".join(f"{number} × {what}" for what, number in descriptions)
        others = f", and {rest} were not asked" if (rest := missing - len(self._failures)) else ""
        advice = _ADVICE if any(each.status in _REFUSED_QUESTION for each in self._failures) else ""
        kept = "Run it again with a ReplyStore, which has the other replies" if self._num_replies else "Run it again"
        raise ColieeError(
            f"{url} did not answer {missing} of {self._num_questions} questions.\n"
            f"The failures were {failures}{others}.\n{self._said}{advice}{kept}, to ask only the missing questions."
        )

    async def _ask_remaining(self, client: Any, scope: Any) -> None:
        import anyio

        for question in self._remaining:
            if self._stopped:
                return
            num_replies_before = self._num_replies
            try:
                request = self._served._request(question)
                reply = await self._reply(client, request)
                self._num_replies += 1
                self._on_reply(question, reply)
            except InvalidReplyError as error:
                self._failures.append(error)
                self._said = self._said or _said(error.said, request)
                concerns_question = (
                    isinstance(error, NoAnswerError)
                    or error.status in _REFUSED_QUESTION
                    or self._num_replies > num_replies_before
                )
                are_all_refused = not self._num_replies and len(self._failures) >= _REFUSED_AT_FIRST
                self._stopped |= are_all_refused or error.stops or not concerns_question
            except anyio.get_cancelled_exc_class():
                raise
            except BaseException as error:  # as it is, and not in a group; KeyboardInterrupt would end the event loop
                self._error, self._stopped = error, True
                scope.cancel()

    async def _reply(self, client: Any, request: dict[str, Any]) -> Reply:
        """Return the reply to a request, which is repeated if it fails in a way that may pass."""
        import anyio

        attempt = 0
        while True:
            try:
                return await self._attempt(client, request)
            except InvalidReplyError as error:
                if error.is_final or attempt >= self._served.retries:
                    raise
                await anyio.sleep(min(0.5 * 2**attempt, 8) if error.pause is None else error.pause)
                attempt += 1

    async def _attempt(self, client: Any, request: dict[str, Any]) -> Reply:
        import anyio

        served, httpx = self._served, self._httpx
        try:
            with anyio.fail_after(served.timeout):
                content = await self._content(client, request)
            return parse_completion(json.loads(content), served.model, named_tokens(served))
        except (TimeoutError, httpx.TimeoutException):
            raise InvalidReplyError(f"no whole reply within {served.timeout:g} seconds") from None
        except httpx.ConnectError as error:
            raise NoConnectionError(f"no connection ({type(error).__name__})") from None
        except httpx.TransportError as error:
            raise InvalidReplyError(f"a broken reply or connection ({type(error).__name__})") from None
        except (ValueError, RecursionError) as error:
            raise InvalidReplyError(f"a reply that cannot be read ({type(error).__name__})") from None

    async def _content(self, client: Any, request: dict[str, Any]) -> bytes:
        """Return the body of a reply. Of one that is not successful, only the beginning of a refusal is read."""
        url = f"{self._served.base_url.rstrip('/')}/chat/completions"
        trace = {} if self._served.allow_remote else {"trace": _check_connection}
        async with client.stream("POST", url, json=request, extensions=trace) as response:
            limit = self._max_bytes if response.is_success else _REFUSAL_BYTES
            content = bytearray()
            if response.is_success or response.is_client_error:  # another one may never end
                async for part in response.aiter_raw():
                    content += part
                    if len(content) > limit:
                        break
            if not response.is_success:
                status, said = response.status_code, _message(bytes(content[:limit]))
                raise InvalidReplyError(f"status {status}", status, _requested_pause(response.headers), said)
            if len(content) > limit:
                raise InvalidReplyError(f"a reply of more than {limit:,} bytes")
        return bytes(content)


async def _check_connection(event: str, details: Any) -> None:
    """Refuse a connection that leads to another machine, before anything is sent: a ``trace`` of httpcore."""
    if event == "connection.connect_tcp.complete":
        stream = details["return_value"]
        try:
            peer = stream.get_extra_info("server_addr")[0]
            refuse_remote([f"[{peer}]" if ":" in peer else peer], _REMOTE_CALL)
        except BaseException:
            await stream.aclose()
            raise
