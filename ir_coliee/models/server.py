"""A language model behind the interface of OpenAI's servers, which vLLM, Ray Serve, llama.cpp and others speak."""

from __future__ import annotations

import asyncio
import json
import math
import os
import threading
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any
from urllib.parse import urlsplit

from ir_coliee.data_agreement import refuse_remote
from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.models.language_model import Question, Reply, ReplyCallback, check_settings, encodable
from ir_coliee.models.yes_probability import yes_probability

_KEY = "OPENAI_API_KEY"
_OF_THE_QUESTION = (400, 413, 422)  # what a server says of a question that it cannot take; the next one may do
_ALTERNATIVES = 20  # tokens that a server is asked to weigh; no server gives more


def _check_address(url: str) -> None:
    """Raises `ValueError` for what a client could not connect to, whatever runs there."""
    try:
        parts = urlsplit(url)
        well = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except (ValueError, AttributeError):
        well = False
    if not well or not url.isprintable():
        raise ValueError(f"base_url={url!r} is no address such as 'http://127.0.0.1:8000/v1'")


class _NoReplyError(Exception):
    """A server has sent something that is no reply."""


@dataclass(frozen=True)
class ServedModel:
    """A model on a server that speaks OpenAI's chat completions; by default one on this machine.

    ``model``: its name there. ``base_url``: the address up to ``/v1``; that of another machine needs ``allow_remote``,
    because texts are sent there. ``temperature``, from 0, and ``max_tokens``: of its replies. ``probabilities``: ask
    for those of the first token, and so for how probable yes is; not every server can. ``in_flight``: questions that
    it is asked at a time. ``retries``: of a question that the server does not take (429), fails at (500), does not
    answer within ``timeout`` seconds, or answers with nonsense; the pauses grow, or are those that the server asks
    for. ``per_minute``: the most questions a minute. The key, if the server wants one, is read from OPENAI_API_KEY.

    Needs the extra ``llm``. Raises `ColieeError` for an address of another machine.

    >>> ServedModel("a-model", in_flight=4).base_url
    'http://127.0.0.1:8000/v1'
    """

    model: str
    base_url: str = "http://127.0.0.1:8000/v1"
    temperature: float = 0.0
    max_tokens: int = 512
    probabilities: bool = False
    in_flight: int = 16
    retries: int = 5
    timeout: float = 120.0
    per_minute: int | None = None
    allow_remote: bool = False

    def __post_init__(self) -> None:
        if not self.allow_remote:
            refuse_remote([str(self.base_url)], "ServedModel(..., allow_remote=True)")
        _check_address(self.base_url)
        check_settings(self, max_tokens=1, in_flight=1, retries=0)
        if self.per_minute is not None:
            check_settings(self, per_minute=1)
        if not (isinstance(self.timeout, Real) and self.timeout > 0):
            raise ValueError(f"timeout={self.timeout!r} is not a number above 0")

    @property
    def identity(self) -> str:
        """The model and how it is asked; not where it runs."""
        return json.dumps([self.model, self.temperature, self.max_tokens, self.probabilities])

    def ask(self, questions: Sequence[Question], heard: ReplyCallback) -> None:
        """Ask all questions. One that the server cannot take, or fails at while it answers others, does not stop them.

        Raises `ColieeError` at the end where any was not answered, soon where the server answers nothing any more.
        """
        try:
            import openai
        except ImportError:
            raise MissingExtraError("A model on a server", "llm") from None
        _in_a_loop(_Asking(self, openai, questions, heard).all())

    def _request(self, question: Question) -> dict[str, Any]:
        told: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": turn.role, "content": encodable(turn.content)} for turn in question.conversation],
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        if self.temperature:
            told["seed"] = question.sample
        if self.probabilities:
            told |= {"logprobs": True, "top_logprobs": _ALTERNATIVES}
        return told


class _Asking:
    """One round of questions."""

    def __init__(self, served: ServedModel, openai: Any, questions: Sequence[Question], heard: ReplyCallback) -> None:
        self._served, self._openai, self._heard = served, openai, heard
        self._waiting = iter(questions)
        self._number = len(questions)
        self._failures: list[Exception] = []
        self._replies = 0
        self._ended = False
        self._next_start = 0.0

    async def all(self) -> None:
        async with self._client() as client:
            askers = [asyncio.create_task(self._one_after_the_other(client)) for _ in range(self._served.in_flight)]
            try:
                await asyncio.gather(*askers)
            finally:
                for asker in askers:
                    asker.cancel()
                await asyncio.gather(*askers, return_exceptions=True)
        if self._failures and not self._replies and isinstance(self._failures[0], self._openai.APIConnectionError):
            raise ColieeError(
                f"Nothing answers at {self._served.base_url} ({_described(self._failures[0])}). Start a server there, "
                "such as that of vLLM or llama.cpp, or give the address of yours: ServedModel(..., base_url=...)."
            ) from None
        if self._failures:
            raise ColieeError(
                f"{len(self._failures)} of {self._number} questions were not answered by {self._served.base_url}; the "
                f"first time it was {_described(self._failures[0])}. Replies that came are kept where a file for them "
                "is given: run it again, and only what is missing is asked."
            ) from None

    def _client(self) -> Any:
        served = self._served
        # a proxy or a redirection would lead texts off the machine
        transport = self._openai.DefaultAsyncHttpxClient(trust_env=served.allow_remote, follow_redirects=False)
        key = os.environ.get(_KEY) or "none"
        return self._openai.AsyncOpenAI(
            base_url=served.base_url,
            api_key=key,
            timeout=served.timeout,
            max_retries=served.retries,
            http_client=transport,
        )

    async def _one_after_the_other(self, client: Any) -> None:
        for question in self._waiting:
            await self._in_time()
            before = self._replies
            try:
                reply = await self._reply(client, question)
            except (self._openai.APIError, _NoReplyError) as error:
                self._failures.append(error)
                of_the_question = getattr(error, "status_code", None) in _OF_THE_QUESTION or self._replies > before
                self._ended |= not of_the_question
            else:
                self._heard(question, reply)
                self._replies += 1
            if self._ended:
                return

    async def _in_time(self) -> None:
        """Wait until it is this question's turn, where there is a limit to them."""
        if self._served.per_minute is not None:
            now = asyncio.get_running_loop().time()
            start = max(now, self._next_start)
            self._next_start = start + 60 / self._served.per_minute
            await asyncio.sleep(start - now)

    async def _reply(self, client: Any, question: Question) -> Reply:
        for pause in range(self._served.retries + 1):
            try:
                return _read(await client.chat.completions.create(**self._served._request(question)))
            except (_NoReplyError, self._openai.APIResponseValidationError, ValueError) as error:
                nonsense = error
                await asyncio.sleep(min(0.1 * 2**pause, 8))
        raise _NoReplyError(str(nonsense))


def _read(completion: Any) -> Reply:
    try:
        choice = completion.choices[0]
        reply = Reply(choice.message.content or "", _yes_probability(choice.logprobs))
    except (AttributeError, LookupError, TypeError, OverflowError):
        raise _NoReplyError("an answer without a choice") from None
    if not isinstance(reply.text, str) or (reply.yes is not None and math.isnan(reply.yes)):
        raise _NoReplyError("an answer that is no text, or of no probability")
    return reply


def _yes_probability(logprobs: Any) -> float | None:
    """By the first token that is not blank, and what might have stood in its place."""
    for token in (logprobs and logprobs.content) or ():
        if token.token.strip():
            return yes_probability((candidate.token, math.exp(candidate.logprob)) for candidate in token.top_logprobs)
    return None


def _described(failure: Exception) -> str:
    """What went wrong, without what a server wrote, which may repeat the question."""
    status = getattr(failure, "status_code", None)
    return f"status {status}" if status else f"{type(failure).__name__.lstrip('_')}"


def _in_a_loop(work: Coroutine[Any, Any, None]) -> None:
    """Run it in a thread with a loop of its own, because a notebook has one that runs. Ctrl-C ends it at once."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        future = asyncio.run_coroutine_threadsafe(work, loop)
        try:
            future.result()
        except BaseException:
            future.cancel()
            raise
    finally:
        # after the coroutine, cancelled or not, has left its context
        asyncio.run_coroutine_threadsafe(_all_ended(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _all_ended() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.gather(*others, return_exceptions=True)
