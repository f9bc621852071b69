"""Servers on loopback: one that speaks OpenAI's chat completions, and one that sends any bytes."""

import contextlib
import itertools
import json
import re
import socketserver
import threading
from collections.abc import Callable, Iterable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def completion(text: str, first_tokens: Sequence[tuple[str, float]] | None = None, **fields: Any) -> dict[str, Any]:
    """Return a chat completion as OpenAI's API has it.

    Parameters
    ----------
    text : str
        Text of the reply.
    first_tokens : sequence of (str, float), optional
        The first token and its alternatives, with their log-probabilities. None if they are not known.
    **fields
        Other values of the whole or of its choice, where these have a field of the name, else of the message.
    """
    top = [{"token": token, "logprob": logprob, "bytes": None} for token, logprob in first_tokens or ()]
    logprobs = {"content": [{**top[0], "top_logprobs": top}], "refusal": None} if top else None
    message = {"role": "assistant", "content": text, "refusal": None}
    choice = {"index": 0, "finish_reason": "stop", "message": message, "logprobs": logprobs}
    whole = {"id": "1", "object": "chat.completion", "created": 0, "model": "stub", "choices": [choice]}
    for name, value in fields.items():
        next((each for each in (whole, choice) if name in each), message)[name] = value
    return whole


class StubServer:
    """``behave``: from the number of a request and what was asked to (status, headers, body), or None to hang up."""

    def __init__(self, behave: Callable):
        self.requests = []
        self.most_at_once = 0
        self._now = 0
        self._lock = threading.Lock()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with stub._lock:
                    number = len(stub.requests)
                    stub.requests.append(asked)
                    stub._now += 1
                    stub.most_at_once = max(stub.most_at_once, stub._now)
                answer = behave(number, asked)
                with stub._lock:
                    stub._now -= 1
                if answer is None:
                    self.close_connection = True
                    self.connection.close()
                    return
                status, headers, body = answer
                content = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                usual = {"Content-Type": "application/json", "Content-Length": str(len(content))}
                for name, value in {**usual, **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_words):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_request):  # a client that has gone is none of the test's business
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        self.base_url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_error):
        self._server.shutdown()
        self._server.server_close()


def well(text, **options):
    return 200, {}, completion(text, **options)


def http(body=b"", *headers, status="200 OK"):
    """A whole reply as bytes, or only its head if a header states another length."""
    lines = [f"HTTP/1.1 {status}", *headers]
    if not any(header.lower().startswith(("content-length", "transfer-encoding")) for header in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class HostileServer:
    """``reply`` makes the pieces of bytes that a request is answered by. It notes what it received and sent.

    ``connections`` counts also those of a client that sent nothing. All notes are complete after the ``with`` block.
    """

    def __init__(self, reply: Callable[[Any], Iterable[bytes]], host="127.0.0.1"):
        self.heads = []
        self.bytes_sent = 0
        self.connections = 0
        hostile = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                with contextlib.suppress(OSError):  # the client has gone
                    while head := b"".join(itertools.takewhile(bytes.strip, self.rfile)):
                        hostile.heads.append(head.lower())
                        size = int(re.search(rb"content-length: ([0-9]+)", head.lower())[1])
                        for piece in reply(json.loads(self.rfile.read(size))):
                            self.connection.sendall(piece)
                            hostile.bytes_sent += len(piece)

        class Server(socketserver.ThreadingTCPServer):
            def verify_request(self, *_request):
                hostile.connections += 1
                return True

        self._server = Server((host, 0), Handler)
        self.port = self._server.server_address[1]
        self.base_url = f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_error):
        self._server.shutdown()
        self._server.server_close()
