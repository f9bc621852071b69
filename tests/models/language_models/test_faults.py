"""Faults of a server: none becomes a reply, time and memory are bounded, and when it is mended nothing is lost."""

import bz2
import gzip
import itertools
import json
import re
import time
import tracemalloc

import pytest

pytest.importorskip("httpx2")

from stub_server import HostileServer, completion, http

from ir_coliee.errors import ColieeError
from ir_coliee.models import Question, ReplyStore, ServedModel, get_replies
from ir_coliee.models.templates import Turn

QUESTIONS = [Question((Turn("user", f"May {name} rescind the sale?"),)) for name in "ABCDEF"]
GOOD = json.dumps(completion("No")).encode()
LIMIT = 2**20 + 512 * 2**13  # bytes of a reply
BUFFERS = 2**24  # bytes of the sockets
TIMEOUT = 2.0  # seconds
CHUNKED = "Transfer-Encoding: chunked"
CALL = {"id": "1", "type": "function", "function": {"name": "search", "arguments": "{}"}}


def well(request):
    return [http(json.dumps(completion(f"re: {request['messages'][-1]['content']}")).encode())]


def changed(content="No", **fields):
    return http(json.dumps(completion(content, **fields)).encode())


def endless(*head):
    return lambda: itertools.chain(head, itertools.repeat(b" " * 2**16, 100 * 2**20 // 2**16))


def dripping(head, piece, times=300):
    def drip():  # until the client has gone
        yield head
        for _ in range(times):
            yield piece
            time.sleep(0.1)

    return drip


def nothing_more(*pieces):
    def hang_up():
        yield from pieces
        raise BrokenPipeError

    return hang_up


def status(code, *headers, body=b"{}"):
    return http(body, *headers, status=f"{code} No")


def logprobs(content):
    return changed(logprobs={"content": content, "refusal": None})


INVALID, UNREADABLE, BROKEN = "a reply with", "a reply that cannot be read", "a broken reply or connection"
LARGE, LATE, NONE = "more than 5,242,880 bytes", "no whole reply within 2 seconds", None
FAULTS = {
    # not an answer
    "filtered": (changed(content="", finish_reason="content_filter"), r"without an answer \(content_filter\)"),
    "half of it filtered": (changed(finish_reason="content_filter"), r"without an answer \(content_filter\)"),
    "refused": (changed(content=None, refusal="I cannot."), r"without an answer \(refusal\)"),
    "calls a tool": (changed(content=None, finish_reason="tool_calls", tool_calls=[CALL]), "tool_calls"),
    "calls a tool and says stop": (changed(tool_calls=[CALL]), "tool_calls"),
    "calls a function": (changed(function_call=CALL["function"]), "function_call"),
    "aborted": (changed(finish_reason="abort"), r"without an answer \(abort\)"),
    "no text": (changed(content=None), "a reply without a text"),
    "of another question": (changed(index=1), "its index is not 0"),
    "of another model": (changed(model="gpt-2"), "a reply of another model, gpt-2"),
    "blank": (changed(content=" \n"), NONE),
    "all reasoning": (changed(content=None, reasoning="No?", finish_reason="length"), NONE),
    "cut off before the answer": (changed(content="The statement", finish_reason="length"), NONE),
    # statuses
    "busy": (status(429, "Retry-After: 0"), "status 429"),
    "fails": (status(500, body=b"not even JSON"), "status 500"),
    "takes no such question": (status(400, body=b'{"error": {"message": "too long"}}'), "status 400"),
    "page of an error": (endless(http(b"", "Content-Length: 99999999999", status="400 No")), "status 400"),
    "redirects": (status(308, "Location: http://evil.example/v1"), "status 308"),
    "redirects nowhere": (status(308, "Location: http://["), "status 308|a broken reply"),
    # JSON
    "nested lists": (http(b"[" * 100_000), UNREADABLE),
    "nested objects": (http(b'{"choices":' * 100_000 + b"1" + b"}" * 100_000), UNREADABLE),
    "nested in a reply": (http(GOOD.replace(b'"stub"', b"[" * 100_000 + b"]" * 100_000)), UNREADABLE),
    "half": (http(GOOD[:50]), UNREADABLE),
    "nothing": (http(b""), UNREADABLE),
    "not UTF-8": (http(b"\xff\xfe\xfa"), UNREADABLE),
    "many digits": (http(b"1" * 100_000), UNREADABLE),
    "page": (http(b"<p>It works!</p>", "Content-Type: text/html"), UNREADABLE),
    "in a charset that unpacks": (http(bz2.compress(GOOD), "Content-Type: text/html; charset=bz2"), UNREADABLE),
    "null": (http(b"null"), INVALID),
    "list": (http(b"[]"), INVALID),
    "no choices": (http(b'{"choices": []}'), INVALID),
    "choices by name": (http(b'{"choices": {"0": 1}}'), INVALID),
    "choice null": (http(b'{"choices": [null]}'), INVALID),
    "message null": (http(b'{"choices": [{"message": null}]}'), INVALID),
    "text that is none": (changed(content={"a": 1}), "a reply w"),
    "tokens that are none": (logprobs([5]), INVALID),
    "alternatives that are none": (logprobs([{"token": "Yes", "top_logprobs": 5}]), INVALID),
    "probability above 1": (logprobs([{"token": "Y", "top_logprobs": [{"token": "Y", "logprob": 1e6}]}]), "a reply w"),
    # HTTP
    "no HTTP": (nothing_more(b"SSH-2.0-OpenSSH_9.6\r\n" * 3), BROKEN),
    "HTTP of another version": (nothing_more(b"HTTP/9.9 200 OK\r\n\r\n"), UNREADABLE),
    "status of letters": (nothing_more(b"HTTP/1.1 two OK\r\n\r\n"), BROKEN),
    "zero byte in a header": (nothing_more(b"HTTP/1.1 200 OK\r\na: \0\r\n\r\n"), BROKEN),
    "length of letters": (http(GOOD, "Content-Length: many"), BROKEN),
    "two lengths": (http(GOOD, "Content-Length: 5", "Content-Length: 6"), BROKEN),
    "unknown protocol": (http(b"", status="101 Switching Protocols"), BROKEN),
    "unknown transfer": (http(GOOD, "Transfer-Encoding: gzip"), BROKEN),
    "negative chunk": (http(b"-5\r\nabcde\r\n", CHUNKED), BROKEN),
    "chunk longer than it says": (http(b"3\r\nabcde\r\n0\r\n\r\n", CHUNKED), BROKEN),
    "half a chunk": (nothing_more(http(b"5\r\nab", CHUNKED)), BROKEN),
    "hangs up": (nothing_more(), BROKEN),
    "hangs up in the middle": (nothing_more(http(GOOD, f"Content-Length: {len(GOOD) + 1}")), BROKEN),
    # size
    "compressed": (http(gzip.compress(GOOD + b" " * 2**25, 1), "Content-Encoding: gzip"), UNREADABLE),
    "endless body": (endless(http(b"", "Content-Length: 99999999999")), LARGE),
    "endless body without a length": (endless(b"HTTP/1.1 200 OK\r\n\r\n"), LARGE),
    "endless chunk": (endless(http(b"ffffffffff\r\n", CHUNKED)), LARGE),
    "endless header": (endless(b"HTTP/1.1 200 OK\r\nX: "), BROKEN),
    "endless status line": (endless(b"HTTP/1.1 200 "), BROKEN),
    "endless size of a chunk": (endless(http(b"1;", CHUNKED)), BROKEN),
    "endless trailer": (endless(http(b"0\r\nX: ", CHUNKED)), BROKEN),
    # time
    "never answers": (dripping(b"", b"", times=30), LATE),
    "a status byte by byte": (dripping(b"", b"H"), LATE),
    "heads one by one": (dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), LATE),
    "a body byte by byte": (dripping(http(b"", "Content-Length: 1000"), b" "), LATE),
    "chunks one by one": (dripping(http(b"", CHUNKED), b"1\r\n \r\n"), LATE),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_after_the_server_is_mended_a_rerun_gives_the_replies_of_an_undisturbed_run(fault, tmp_path):
    reply, expected = FAULTS[fault]
    asked_of = []

    def disturbed(request):
        is_disturbed = "May C" in request["messages"][-1]["content"]
        return well(request) if not is_disturbed else reply() if callable(reply) else [reply]

    def mended(request):
        asked_of.append(request["messages"][-1]["content"])
        return well(request)

    def ask(server):
        model = ServedModel("stub", server.base_url, retries=0, in_flight=1, timeout=TIMEOUT, probabilities=True)
        return get_replies(model, QUESTIONS, store)

    store = ReplyStore(tmp_path / "replies.sqlite")
    tracemalloc.start()
    start, message = time.monotonic(), ""
    with HostileServer(disturbed) as server:
        try:
            ask(server)
        except ColieeError as error:
            message = str(error)
        took = time.monotonic() - start
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (expected is None) == (message == "")
    assert re.search(rf"(?s)of 6 questions.*1 × .*({expected or ''})", message) or not expected
    assert not any(question.conversation[0].content in message for question in QUESTIONS)
    assert took < TIMEOUT + 10
    assert server.bytes_sent < LIMIT + BUFFERS + 2**25
    assert peak < 3 * LIMIT + 2 * len(reply if isinstance(reply, bytes) else b"")
    with HostileServer(mended) as server:
        found = ask(server)
    assert {q: r.text for q, r in found.items()} == {q: f"re: {q.conversation[0].content}" for q in QUESTIONS}
    assert asked_of[0] == QUESTIONS[2].conversation[0].content
    assert sorted(asked_of) == sorted({*asked_of} - {q.conversation[0].content for q in QUESTIONS[:2]})
