"""Language models on a server with OpenAI's chat completions API, such as vLLM, Ray Serve or llama.cpp."""

from __future__ import annotations

import asyncio
import os
import re
import threading
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any
from urllib.parse import urlsplit

from ir_coliee.data_agreement import is_port, refuse_remote
from ir_coliee.errors import ColieeError, MissingExtraError, printable
from ir_coliee.frames import shown
from ir_coliee.models.language_models.completions import NoAnswerError, messages, parse_completion, response_format
from ir_coliee.models.language_models.http_client import InvalidReplyError, http_client
from ir_coliee.models.language_models.language_model import (
    Question,
    Reply,
    ReplyCallback,
    check_options,
    check_settings,
    named_tokens,
    settings_key,
)
from ir_coliee.models.language_models.refusals import (
    description,
    descriptions,
    explanation,
    refused_parameter,
    remedy,
    said,
    stops,
)

_KEY = "OPENAI_API_KEY"
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
        check_options(self, "chat_options", "extra_body")
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
        self._refused_parameter = self._said = ""
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
        if self._refused_parameter:
            raise ColieeError(
                f"{url} does not accept the parameter {self._refused_parameter}.\n"
                f"{self._said}{remedy(self._refused_parameter)}"
            ) from None
        if self._failures:
            missing = self._num_questions - self._num_replies
            others = f", and {rest} were not asked" if (rest := missing - len(self._failures)) else ""
            kept = (
                "Run it again with a ReplyStore, which has the other replies" if self._num_replies else "Run it again"
            )
            raise ColieeError(
                f"{url} did not answer {missing} of {self._num_questions} questions.\n"
                f"The failures were {descriptions(self._failures)}{others}.\n"
                f"{self._said}{kept}, to ask only the missing questions."
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
                self._refused_parameter = self._refused_parameter or refused_parameter(error, request)
                self._stopped |= bool(self._refused_parameter) or stops(error) or not concerns_question
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
