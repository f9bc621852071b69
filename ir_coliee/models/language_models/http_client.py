"""The HTTP client for model servers: it limits the time and the size of a reply, and checks each connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ir_coliee.data_agreement import refuse_remote
from ir_coliee.errors import ColieeError, printable

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
        transport=None if remote_call is None else _local_transport(httpx, remote_call),
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


def _local_backend(httpcore: Any, remote_call: str) -> Any:
    """Return what opens connections, if they lead to this machine."""

    class LocalBackend(httpcore.AnyIOBackend):
        async def connect_tcp(self, host: str, port: int, **options: Any) -> Any:
            stream = await super().connect_tcp(host, port, **options)
            try:
                peer = stream.get_extra_info("server_addr")[0]
                refuse_remote([f"[{peer}]" if ":" in peer else peer], remote_call)
            except BaseException:
                await stream.aclose()
                raise
            return stream

    return LocalBackend()


def _local_transport(httpx: Any, remote_call: str) -> Any:
    """Return a transport whose connections lead to this machine. It has no timeouts of its own."""
    httpcore: Any = import_module(httpx.__name__.replace("httpx", "httpcore"))

    @contextmanager
    def translated_errors() -> Iterator[None]:
        try:
            yield
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException) as error:
            raise getattr(httpx, type(error).__name__)("") from error  # both libraries use the same names

    class Body(httpx.AsyncByteStream):
        def __init__(self, response: Any) -> None:
            self._response = response

        async def __aiter__(self) -> AsyncIterator[bytes]:
            with translated_errors():
                async for part in self._response.aiter_stream():
                    yield part

        async def aclose(self) -> None:
            await self._response.aclose()

    class LocalTransport(httpx.AsyncBaseTransport):
        def __init__(self) -> None:
            self._pool = httpcore.AsyncConnectionPool(
                network_backend=_local_backend(httpcore, remote_call),
                max_connections=None,
                max_keepalive_connections=None,
            )

        async def handle_async_request(self, request: Any) -> Any:
            url = request.url
            target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
            sent = httpcore.Request(request.method, target, headers=request.headers.raw, content=request.stream)
            with translated_errors():
                response = await self._pool.handle_async_request(sent)
            return httpx.Response(response.status, headers=response.headers, stream=Body(response))

        async def aclose(self) -> None:
            await self._pool.aclose()

    return LocalTransport()
