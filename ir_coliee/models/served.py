"""Language models on a server with OpenAI's chat completions API, such as vLLM, Ray Serve or llama.cpp."""

from __future__ import annotations

import asyncio
import json
import math
import os
import re
import threading
from collections import Counter
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from numbers import Real
from typing import Any
from urllib.parse import urlsplit

from ir_coliee.data_agreement import is_port, refuse_remote
from ir_coliee.errors import ColieeError, MissingExtraError, printable
from ir_coliee.frames import instance_of, shown
from ir_coliee.models.language_model import (
    Question,
    Reply,
    ReplyCallback,
    check_settings,
    encodable,
    is_valid,
    named_tokens,
    settings_key,
)
from ir_coliee.models.replies import answer_start, first_answer_token, split_reasoning, yes_probability
from ir_coliee.models.templates import Conversation

# The HTTP client for model servers: it limits the time and the size of a reply, and checks each connection.


_REFUSALS = (400, 401, 403, 404, 422)  # status codes whose reply tells what is wrong with the request
_REFUSAL_BYTES = 2**16
_KEPT_HEADERS = ("retry-after", "retry-after-ms", "x-should-retry")


class InvalidReplyError(Exception):
    """The server returned an invalid reply, or none in time. The message contains nothing of the reply."""


def http_client(openai: Any, base_url: str, *, timeout: float, max_bytes: int, remote_call: str | None) -> Any:
    """Return a client for ``openai.AsyncOpenAI``.

    Parameters
    ----------
    openai : module
        The library ``openai``. Its own HTTP library is used.
    base_url : str
        Address of the server.
    timeout : float
        Number of seconds from the start of a request to the last byte of the reply.
    max_bytes : int
        Largest size of a reply. Replies are not unpacked: the server is asked not to compress them.
    remote_call : str or None
        Example of a call that allows other machines, for the message; None if they are allowed. Then, proxies that the
        environment names are used as well.

    Returns
    -------
    httpx.AsyncClient
        A client that returns whole replies. Of a reply that is not successful it reads the head, and the first 64 KiB
        if the server refuses the request (400, 401, 403, 404, 422). A reply that is late, broken, too large or
        compressed raises an error that is an `InvalidReplyError` and an ``httpx.TransportError``. If no connection can
        be opened, ``httpx.ConnectError`` is raised. A connection to another machine that is not allowed raises
        `ColieeError` before anything is sent.

    Raises
    ------
    ColieeError
        If the HTTP library cannot read the address, or reads another machine's from it.
    """
    httpx: Any = import_module(openai.DefaultAsyncHttpxClient.__base__.__module__)  # httpx, or httpx2 from openai 3 on
    _check_url(httpx, base_url, remote_call)

    class RefusedReplyError(httpx.TransportError, InvalidReplyError):
        pass

    class LimitedClient(httpx.AsyncClient):
        async def send(self, request: Any, **options: Any) -> Any:
            try:
                return await asyncio.wait_for(self._send(request, **{**options, "stream": True}), timeout)
            except (asyncio.TimeoutError, httpx.TransportError) as error:
                if isinstance(error, (InvalidReplyError, httpx.ConnectError)):
                    raise
                raise RefusedReplyError(_problem(httpx, error, timeout)) from None

        async def _send(self, request: Any, **options: Any) -> Any:
            if remote_call is not None:
                request.extensions["trace"] = _checked_connection(remote_call)
            response = await super().send(request, **options)
            try:
                self.cookies.clear()
                content = await self._content(response) if response.is_success else await _refusal(response)
            finally:
                await response.aclose()
            headers = {name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers}
            headers["content-type"] = "application/json"  # whatever it claims to be, it is parsed as JSON in UTF-8
            return httpx.Response(response.status_code, headers=headers, content=content, request=request)

        async def _content(self, response: Any) -> bytes:
            if response.headers.get("content-encoding", "identity") != "identity":
                raise RefusedReplyError("a compressed reply")
            content = bytearray()
            async for part in response.aiter_raw():
                content += part
                if len(content) > max_bytes:
                    raise RefusedReplyError(f"a reply of more than {max_bytes:,} bytes")
            return bytes(content)

    return LimitedClient(
        trust_env=remote_call is None,
        follow_redirects=False,
        # of a connection that is kept, bytes behind a reply would be read as the reply to the next question
        headers={"accept-encoding": "identity", "connection": "close"},
        timeout=timeout,
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=None),
    )


async def _refusal(response: Any) -> bytes:
    """Return the beginning of a reply that refuses the request."""
    content = bytearray()
    if response.status_code in _REFUSALS and "content-encoding" not in response.headers:
        async for part in response.aiter_raw():
            content += part
            if len(content) > _REFUSAL_BYTES:
                break
    return bytes(content[:_REFUSAL_BYTES])


def _check_url(httpx: Any, base_url: str, remote_call: str | None) -> None:
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL:
        raise ColieeError(f"{printable(base_url, 50)} is not a valid URL. Correct base_url.") from None
    if remote_call is not None:
        refuse_remote([url.netloc.decode()], remote_call)


def _problem(httpx: Any, error: Exception, timeout: float) -> str:
    if isinstance(error, (asyncio.TimeoutError, httpx.TimeoutException)):
        return f"no whole reply within {timeout:g} seconds"
    return f"a broken reply or connection ({type(error).__name__})"


def _checked_connection(remote_call: str) -> Any:
    """Return a function for httpcore's ``trace`` that refuses a connection that leads to another machine."""

    async def check(event: str, details: Any) -> None:
        if event == "connection.connect_tcp.complete":  # before anything is sent
            stream = details["return_value"]
            try:
                peer = stream.get_extra_info("server_addr")[0]
                refuse_remote([f"[{peer}]" if ":" in peer else peer], remote_call)
            except BaseException:
                await stream.aclose()
                raise

    return check


# Chat completions of a server: the request for a question, and the reply in a response.


_REASONING_FIELDS = ("reasoning", "reasoning_content")  # of servers that split reasoning from the answer
_NO_ANSWER = frozenset({"content_filter", "tool_calls", "function_call", "abort", "error"})  # reasons of an end


class NoAnswerError(InvalidReplyError):
    """The server replied, but not with an answer to the question. The message contains nothing of the reply."""


def messages(conversation: Conversation) -> list[dict[str, str]]:
    """Return the turns of a conversation as the messages of a request."""
    return [{"role": turn.role, "content": encodable(turn.content)} for turn in conversation]


def response_format(question: Question) -> dict[str, Any]:
    """Return the parameter that restricts the reply to the schema of a question; an empty dict without a schema."""
    if not question.schema:
        return {}
    schema = {"name": "answer", "schema": json.loads(question.schema), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


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
        choice = completion.choices[0]
        _check_answer(completion, choice, model)
        fields = (getattr(choice.message, name, None) for name in _REASONING_FIELDS)
        apart = next(filter(None, fields), "")
        reasoning, text = split_reasoning(choice.message.content or "")
        yes = _yes_probability(choice.logprobs, text, named, is_split=bool(apart))
        reply = Reply(text, yes, "\n\n".join(filter(None, (apart, reasoning))), choice.finish_reason == "length")
    except (AttributeError, LookupError, TypeError, OverflowError):
        raise InvalidReplyError("a reply without a choice") from None
    if not is_valid(reply):
        raise InvalidReplyError("a reply whose text or probability is invalid")
    return reply


def _check_answer(completion: Any, choice: Any, model: str) -> None:
    if getattr(choice, "index", None) not in (0, None):
        raise NoAnswerError("a reply to another question: its index is not 0")
    if not _is_same_model(getattr(completion, "model", None), model):
        raise NoAnswerError(f"a reply of another model, {printable(completion.model, 40)}")
    reason, message = choice.finish_reason, choice.message
    if reason in _NO_ANSWER:
        raise NoAnswerError(f"a reply without an answer ({reason})")
    for name in ("refusal", "tool_calls", "function_call"):
        if getattr(message, name, None):
            raise NoAnswerError(f"a reply without an answer ({name})")
    if message.content is None and reason != "length":
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
    content = (logprobs and logprobs.content) or []
    tokens = [token.token for token in content]
    text = "".join(tokens)
    if is_split and not answer_start(text):
        start = text.rfind(answer) if answer else -1
        if start < 0:
            return None
        tokens = _from_offset(tokens, start)
    position = first_answer_token(tokens)
    if position is None:
        return None
    alternatives = content[len(content) - len(tokens) + position].top_logprobs
    return yes_probability(((each.token, math.exp(each.logprob)) for each in alternatives), named)


def _from_offset(tokens: list[str], offset: int) -> list[str]:
    """Return the tokens from that which begins at an offset of their text, or contains it."""
    for number, token in enumerate(tokens):
        offset -= len(token)
        if offset < 0:
            return tokens[number:]
    return []


# Explanations of what a model server refuses: the model, the address, the key, or a question.


_REFUSED_ACCESS = (401, 403)
_NOT_FOUND = 404
_ADVICE = (
    "If it does not accept a parameter: temperature=None sends none, extra_body={'max_completion_tokens': ...} sends "
    "that in place of max_tokens, probabilities=False no logprobs, a template without a [schema] no response_format.\n"
)
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


def _status(failure: Exception) -> int | None:
    return getattr(failure, "status_code", None)


def _message(failure: Exception) -> str:
    """Return the message in the body of an error: of OpenAI's API, of FastAPI, or a text alone."""
    body = getattr(failure, "body", None)
    if isinstance(body, Mapping):
        body = body.get("message") or body.get("detail")
    return " ".join(body.split()) if isinstance(body, str) else ""


_KEY = "OPENAI_API_KEY"
_REFUSED_AT_FIRST = 8  # questions; if all of them fail, the others are not asked
_REFUSED_QUESTION = (400, 413, 422)  # status codes that concern a single question; other questions may succeed
_ALTERNATIVES = 20  # requested alternatives to the first token; servers return at most 20
_BYTES = 2**20  # largest size of a reply, to which _TOKEN_BYTES are added for each token
_TOKEN_BYTES = 2**13  # of a token and its alternatives as JSON
_MOST_BYTES = 2**26
_PORT = re.compile(r":([^:\]]*)$")
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
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname)
    except (ValueError, AttributeError):
        is_valid = False
    if not is_valid or not url.isprintable():
        raise ValueError(f"base_url must be a URL, got {shown(url)}.\nFor example: 'http://127.0.0.1:8000/v1'.")
    port = _PORT.search(parts.netloc)
    if port and not is_port(port[1]):
        raise ValueError(f"The port in base_url must be 1 to 65535, got {shown(url)}.")


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
    per_minute : int, optional
        Maximum number of questions per minute.
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
    per_minute: int | None = None
    allow_remote: bool = False

    def __post_init__(self) -> None:
        if not (isinstance(self.model, str) and self.model):
            raise ValueError(f"model must be the name of a model, got {shown(self.model)}.")
        _check_address(self.base_url)
        if not self.allow_remote:
            refuse_remote([self.base_url], _REMOTE_CALL)
        check_settings(self, max_tokens=1, in_flight=1, retries=0)
        if self.per_minute is not None:
            check_settings(self, per_minute=1)
        if not (isinstance(self.timeout, Real) and self.timeout > 0):
            raise ValueError(f"timeout must be a number > 0, got {shown(self.timeout)}.")
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
            import openai
        except ImportError:
            raise MissingExtraError("A model on a server", "llm") from None
        try:
            _run_in_thread(_ConcurrentRequests(self, openai, questions, on_reply).run())
        except _InterruptedError as error:
            raise error.args[0] from None

    def _request(self, question: Question) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.model,
            "messages": messages(question.conversation),
            **({} if self.temperature is None else {"temperature": self.temperature}),
            **({} if "max_completion_tokens" in self.extra_body else {"max_tokens": self.max_tokens}),
            **response_format(question),
        }
        template = {"chat_template_kwargs": dict(self.chat_options)} if self.chat_options else {}
        if extra_body := {**self.extra_body, **template}:
            request["extra_body"] = extra_body
        if self.temperature:
            request["seed"] = question.sample
        if self.probabilities:
            request |= {"logprobs": True, "top_logprobs": _ALTERNATIVES}
        return request


class _InterruptedError(Exception):
    """Brings a KeyboardInterrupt or SystemExit of a callback out of the event loop."""


class _ConcurrentRequests:
    """The concurrent requests of one call of `ServedModel.ask`."""

    def __init__(
        self, served: ServedModel, openai: Any, questions: Sequence[Question], on_reply: ReplyCallback
    ) -> None:
        self._served, self._openai, self._on_reply = served, openai, on_reply
        self._remaining = iter(questions)
        self._num_questions = len(questions)
        self._failures: list[Exception] = []
        self._num_replies = 0
        self._said = ""
        self._stopped = False
        self._next_start = 0.0

    async def run(self) -> None:
        async with self._client() as client:
            tasks = [asyncio.create_task(self._ask_remaining(client)) for _ in range(self._served.in_flight)]
            try:
                await asyncio.gather(*tasks)
            finally:
                self._stopped = True
                while running := [task for task in tasks if not task.done()]:
                    for task in running:  # before Python 3.12, wait_for can ignore that its task is cancelled
                        task.cancel()
                    await asyncio.wait(running, timeout=0.1)
        url = printable(self._served.base_url, 50)
        if self._failures and not self._num_replies and isinstance(self._failures[0], self._openai.APIConnectionError):
            raise ColieeError(
                f"No server answers at {url}.\nStart a server there, such as that of vLLM or llama.cpp, or give its "
                "address: ServedModel(..., base_url=...)."
            ) from None
        if refusal := next(filter(stops, self._failures), None):
            raise ColieeError(
                f"{url} refused the requests with {description(refusal)}.\n{explanation(refusal, self._served)}"
            ) from None
        if self._failures:
            missing = self._num_questions - self._num_replies
            others = f", and {rest} were not asked" if (rest := missing - len(self._failures)) else ""
            advice = _ADVICE if any(_status(each) in _REFUSED_QUESTION for each in self._failures) else ""
            kept = (
                "Run it again with a ReplyStore, which has the other replies" if self._num_replies else "Run it again"
            )
            raise ColieeError(
                f"{url} did not answer {missing} of {self._num_questions} questions.\n"
                f"The failures were {descriptions(self._failures)}{others}.\n"
                f"{self._said}{advice}{kept}, to ask only the missing questions."
            ) from None

    def _client(self) -> Any:
        served = self._served
        client = http_client(
            self._openai,
            served.base_url,
            timeout=served.timeout,
            max_bytes=min(_BYTES + _TOKEN_BYTES * served.max_tokens, _MOST_BYTES),
            remote_call=None if served.allow_remote else _REMOTE_CALL,
        )
        return self._openai.AsyncOpenAI(
            base_url=served.base_url,
            api_key=os.environ.get(_KEY) or "none",
            timeout=served.timeout,
            max_retries=served.retries,
            http_client=client,
        )

    async def _ask_remaining(self, client: Any) -> None:
        for question in self._remaining:
            await self._wait_for_rate_limit()
            num_replies_before = self._num_replies
            request = self._served._request(question)
            try:
                reply = await self._reply(client, request)
            except (self._openai.APIError, InvalidReplyError) as error:
                self._failures.append(error)
                self._said = self._said or said(error, request)
                concerns_question = (
                    isinstance(error, NoAnswerError)
                    or getattr(error, "status_code", None) in _REFUSED_QUESTION
                    or self._num_replies > num_replies_before
                )
                are_all_refused = not self._num_replies and len(self._failures) >= _REFUSED_AT_FIRST
                self._stopped |= are_all_refused or stops(error) or not concerns_question
            else:
                self._num_replies += 1
                try:
                    self._on_reply(question, reply)
                except (KeyboardInterrupt, SystemExit) as error:  # would end the event loop before its tasks
                    raise _InterruptedError(error) from None
            if self._stopped:
                return

    async def _wait_for_rate_limit(self) -> None:
        """Wait until the limit of questions per minute allows another request."""
        if self._served.per_minute is not None:
            now = asyncio.get_running_loop().time()
            start = max(now, self._next_start)
            self._next_start = start + 60 / self._served.per_minute
            await asyncio.sleep(start - now)

    async def _reply(self, client: Any, request: dict[str, Any]) -> Reply:
        for pause in range(self._served.retries + 1):
            try:
                completion = await client.chat.completions.create(**request)
                return parse_completion(completion, self._served.model, named_tokens(self._served))
            except NoAnswerError:  # the same question would get the same again at once
                raise
            except self._openai.APIConnectionError as error:
                if isinstance(error.__cause__, (InvalidReplyError, ColieeError)):
                    raise error.__cause__ from None
                raise
            except InvalidReplyError as error:
                problem = str(error)
            except (self._openai.APIResponseValidationError, ValueError, RecursionError) as error:
                problem = f"a reply that cannot be read ({type(error).__name__})"
            await asyncio.sleep(min(0.1 * 2**pause, 8))
        raise InvalidReplyError(problem)


def _run_in_thread(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in a thread with its own event loop, because a notebook already has a running loop."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        future = asyncio.run_coroutine_threadsafe(coroutine, loop)
        try:
            future.result()
        except BaseException:
            future.cancel()
            raise
    finally:
        # wait for all other tasks, which the coroutine may have left if it was cancelled
        asyncio.run_coroutine_threadsafe(_finish_other_tasks(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _finish_other_tasks() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.gather(*others, return_exceptions=True)
