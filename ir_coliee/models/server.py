"""Language models on a server with OpenAI's chat completions API, such as vLLM, Ray Serve or llama.cpp."""

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
_REFUSED_QUESTION = (400, 413, 422)  # status codes that concern one question; the next one may succeed
_ALTERNATIVES = 20  # alternatives to the first token that are requested; no server returns more


def _check_address(url: str) -> None:
    """Raise `ValueError` for an invalid URL."""
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except (ValueError, AttributeError):
        is_valid = False
    if not is_valid or not url.isprintable():
        raise ValueError(f"base_url must be a URL such as 'http://127.0.0.1:8000/v1', got {url!r}.")


class _NoReplyError(Exception):
    """A server has sent an invalid reply."""


@dataclass(frozen=True)
class ServedModel:
    """A language model on a server with OpenAI's chat completions API, by default on this machine.

    The key, if the server requires one, is read from the environment variable ``OPENAI_API_KEY``. This needs the extra
    ``llm``.

    Parameters
    ----------
    model : str
        Name of the model on the server.
    base_url : str
        Address up to ``/v1``.
    temperature : float
        Sampling temperature, at least 0.
    max_tokens : int
        Largest number of tokens of a reply.
    probabilities : bool
        Request the probabilities of the first token, from which the probability of yes is computed. Not every server
        supports this.
    in_flight : int
        Number of questions that are sent at a time.
    retries : int
        Retries of a question if the server is busy (429), fails (500), does not answer in time, or returns an invalid
        reply. The pauses grow, or are those that the server asks for.
    timeout : float
        Seconds to wait for a reply.
    per_minute : int, optional
        Largest number of questions per minute.
    allow_remote : bool
        Allow a server on another machine, to which texts are then sent.

    Raises
    ------
    ColieeError
        For an address of another machine without ``allow_remote``.

    Examples
    --------
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
            raise ValueError(f"timeout must be a number > 0, got {self.timeout!r}.")

    @property
    def identity(self) -> str:
        """Key of the stored replies: the model and its settings, but not the address."""
        return json.dumps([self.model, self.temperature, self.max_tokens, self.probabilities])

    def ask(self, questions: Sequence[Question], on_reply: ReplyCallback) -> None:
        """Ask all questions. A question that the server refuses or fails at does not stop the others.

        Raises
        ------
        ColieeError
            After the last question if any was not answered; early if the server does not answer at all any more.
        MissingExtraError
            Without the extra ``llm``.
        """
        try:
            import openai
        except ImportError:
            raise MissingExtraError("A model on a server", "llm") from None
        _in_a_loop(_Asking(self, openai, questions, on_reply).all())

    def _request(self, question: Question) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": turn.role, "content": encodable(turn.content)} for turn in question.conversation],
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        if self.temperature:
            request["seed"] = question.sample
        if self.probabilities:
            request |= {"logprobs": True, "top_logprobs": _ALTERNATIVES}
        return request


class _Asking:
    """The concurrent requests of one call of `ServedModel.ask`."""

    def __init__(
        self, served: ServedModel, openai: Any, questions: Sequence[Question], on_reply: ReplyCallback
    ) -> None:
        self._served, self._openai, self._on_reply = served, openai, on_reply
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
                f"No server answers at {self._served.base_url} ({_described(self._failures[0])}). Start a server "
                "there, such as that of vLLM or llama.cpp, or give its address: ServedModel(..., base_url=...)."
            ) from None
        if self._failures:
            raise ColieeError(
                f"{self._served.base_url} did not answer {len(self._failures)} of {self._number} questions; the first "
                f"failure was {_described(self._failures[0])}. With a ReplyStore the other replies are stored: "
                "run it again to ask only the missing questions."
            ) from None

    def _client(self) -> Any:
        served = self._served
        # a proxy or a redirection would send texts to another machine
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
                of_the_question = getattr(error, "status_code", None) in _REFUSED_QUESTION or self._replies > before
                self._ended |= not of_the_question
            else:
                self._on_reply(question, reply)
                self._replies += 1
            if self._ended:
                return

    async def _in_time(self) -> None:
        """Wait as the limit of questions per minute requires."""
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
        raise _NoReplyError("a reply without a choice") from None
    if not isinstance(reply.text, str) or (reply.yes is not None and math.isnan(reply.yes)):
        raise _NoReplyError("a reply whose text or probability is invalid")
    return reply


def _yes_probability(logprobs: Any) -> float | None:
    """Probability of yes by the first token that is not blank and its alternatives."""
    for token in (logprobs and logprobs.content) or ():
        if token.token.strip():
            return yes_probability((candidate.token, math.exp(candidate.logprob)) for candidate in token.top_logprobs)
    return None


def _described(failure: Exception) -> str:
    """Kind of a failure, without the server's message, which may repeat the question."""
    status = getattr(failure, "status_code", None)
    return f"status {status}" if status else f"{type(failure).__name__.lstrip('_')}"


def _in_a_loop(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in a thread with its own event loop, since a notebook's loop is running already."""
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
        # after the coroutine has finished or was cancelled
        asyncio.run_coroutine_threadsafe(_all_ended(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _all_ended() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.gather(*others, return_exceptions=True)
