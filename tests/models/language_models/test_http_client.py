"""Hostile and broken servers: a reply has a limit of time and of size, and texts go to this machine alone."""

import bz2
import gzip
import itertools
import json
import socket
import time
import tracemalloc

import pytest

pytest.importorskip("openai")

from stub_server import HostileServer, completion

from ir_coliee.errors import ColieeError
from ir_coliee.models import Question, ServedModel, get_replies
from ir_coliee.text.templates import Turn

QUESTION = Question((Turn("user", "Is a lamp a movable?"),))
GOOD = json.dumps(completion("Yes")).encode()
MIB = 2**20


def http(body=b"", *headers, status="200 OK"):
    """A whole reply, or only its head if a header states another length."""
    lines = [f"HTTP/1.1 {status}", *headers]
    if not any(header.lower().startswith(("content-length", "transfer-encoding")) for header in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def ask(server, **options):
    return get_replies(ServedModel("stub", server.base_url, **{"retries": 0, **options}), [QUESTION])[QUESTION].text


def failure(reply, **options):
    """The message of the error that a server's reply leads to, and the server."""
    with HostileServer(reply) as server, pytest.raises(ColieeError) as caught:
        ask(server, **options)
    assert "movable" not in str(caught.value)
    return str(caught.value), server


def test_the_hostile_server_can_also_behave_well():
    with HostileServer(lambda: [http(GOOD)]) as server:
        assert ask(server) == "Yes"


# --- time --------------------------------------------------------------------------------------------------

DRIPS = {
    "status": lambda: itertools.repeat(b"H"),
    "head": lambda: itertools.chain([b"HTTP/1.1 200 OK\r\nX: "], itertools.repeat(b"x")),
    "heads": lambda: itertools.repeat(b"HTTP/1.1 100 Continue\r\n\r\n"),
    "body": lambda: itertools.chain([http(b"", "Content-Length: 1000")], itertools.repeat(b" ")),
    "chunks": lambda: itertools.chain([http(b"", "Transfer-Encoding: chunked")], itertools.repeat(b"1\r\n \r\n")),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", DRIPS)
def test_a_server_that_sends_a_byte_now_and_then_is_given_up_when_the_time_is_over(kind):
    def drip():  # until the client has gone; after a minute, the server hangs up
        for piece in itertools.islice(DRIPS[kind](), 600):
            yield piece
            time.sleep(0.1)
        yield from hang_up()

    message, _ = failure(drip, timeout=0.5)
    assert "did not answer 1 of 1 questions.\nThe failures were 1 × no whole reply within 0.5 seconds." in message


# --- more than was asked for ---------------------------------------------------------------------------------


def test_a_second_reply_to_one_question_is_not_that_to_the_next_one():
    unasked = http(json.dumps(completion("No")).encode())
    questions = [QUESTION._replace(sample=sample) for sample in range(20)]
    with HostileServer(lambda: [http(GOOD) + unasked]) as server:
        found = get_replies(ServedModel("stub", server.base_url, in_flight=1, temperature=1.0), questions)
    assert {reply.text for reply in found.values()} == {"Yes"}
    assert server.connections == 20


# --- size --------------------------------------------------------------------------------------------------

LIMIT = MIB + 512 * 2**13
BUFFERS = 16 * MIB  # of the sockets


def endless(*head):
    return lambda: itertools.chain(head, itertools.repeat(b" " * 2**16, 200 * MIB // 2**16))


def chunk(data):
    return b"%x\r\n%b\r\n" % (len(data), data)


ENDLESS = {
    "body": (endless(http(b"", f"Content-Length: {10**12}")), "more than 5,242,880 bytes"),
    "body until it hangs up": (endless(b"HTTP/1.1 200 OK\r\n\r\n"), "more than 5,242,880 bytes"),
    "chunk": (endless(http(b"ffffffffff\r\n", "Transfer-Encoding: chunked")), "more than 5,242,880 bytes"),
    "header": (endless(b"HTTP/1.1 200 OK\r\nX: "), "a broken reply"),
    "status line": (endless(b"HTTP/1.1 200 "), "a broken reply"),
    "chunk's size": (endless(http(b"1;", "Transfer-Encoding: chunked")), "a broken reply"),
    "trailer": (endless(http(b"0\r\nX: ", "Transfer-Encoding: chunked")), "a broken reply"),
    "page of an error": (endless(http(b"", f"Content-Length: {10**12}", status="400 Bad Request")), "status 400"),
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_of_an_endless_reply_no_more_is_read_than_the_limit(kind):
    reply, expected = ENDLESS[kind]
    tracemalloc.start()
    message, server = failure(reply)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert expected in message
    assert server.bytes_sent < LIMIT + BUFFERS
    assert peak < 3 * LIMIT  # the reply, a copy of it, and what the libraries import at first use


def test_a_reply_up_to_the_limit_is_read_and_the_limit_grows_with_the_tokens():
    reply = [http(GOOD + b" " * (LIMIT - len(GOOD)))]
    with HostileServer(lambda: reply) as server:
        assert ask(server) == "Yes"
        with pytest.raises(ColieeError, match="a reply of more than 1,056,768 bytes"):
            ask(server, max_tokens=1)


@pytest.mark.parametrize("encoding", ["gzip", "identity, gzip", "GZIP", "x"])
def test_a_compressed_reply_is_not_unpacked(encoding):
    bomb = http(gzip.compress(GOOD + b" " * 50 * MIB, 1), f"Content-Encoding: {encoding}")
    tracemalloc.start()
    message, server = failure(lambda: [bomb])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "1 × a compressed reply" in message
    assert b"accept-encoding: identity\r\n" in server.heads[0]
    assert peak < 10 * MIB


@pytest.mark.parametrize("charset", ["bz2", "zlib", "hex", "rot13", "idna", "utf-7", "unicode_escape", "nowhere", '"'])
def test_the_charset_of_a_reply_is_not_used(charset):
    reply = http(bz2.compress(GOOD), f"Content-Type: text/html; charset={charset}")
    message, _ = failure(lambda: [reply])
    assert "1 × a reply that cannot be read (" in message


# --- form --------------------------------------------------------------------------------------------------

NOT_JSON = {
    "nested lists": b"[" * 100_000,
    "nested lists, closed": b"[" * 100_000 + b"]" * 100_000,
    "nested objects": b'{"choices":' * 100_000 + b"1" + b"}" * 100_000,
    "nested in a reply": GOOD.replace(b'"stub"', b"[" * 100_000 + b"]" * 100_000),
    "half": GOOD[:50],
    "nothing": b"",
    "zero bytes": bytes(1000),
    "not UTF-8": b"\xff\xfe\xfa",
    "many digits": b"1" * 100_000,
}


@pytest.mark.parametrize("kind", NOT_JSON)
def test_a_body_that_cannot_be_read_is_an_invalid_reply(kind):
    message, _ = failure(lambda: [http(NOT_JSON[kind], "Content-Type: application/json")])
    assert "1 × a reply that cannot be read (" in message


OTHER_JSON = [
    b"null",
    b"5",
    b"[]",
    b'"choices"',
    b"{}",
    b'{"choices": null}',
    b'{"choices": 5}',
    b'{"choices": {"0": 1}}',
    b'{"choices": [5]}',
    b'{"choices": [null]}',
    b'{"choices": [{"message": null}]}',
    b'{"choices": [{"message": {"content": {"a": 1}}}]}',
    b'{"choices": [{"message": {"content": "Yes"}, "logprobs": 5}]}',
    b'{"choices": [{"message": {"content": "Yes"}, "logprobs": {"content": [5]}}]}',
    b'{"choices": [{"message": {"content": "Yes"}, "logprobs": {"content": [{"token": 5}]}}]}',
    b'{"choices": [{"message": {"content": "Yes"}, "logprobs": {"content": [{"token": "Yes", "top_logprobs": 5}]}}]}',
    GOOD.replace(b"null", b'{"content": [{"token": "Y", "top_logprobs": [{"token": "Y", "logprob": 1e999}]}]}'),
]


@pytest.mark.parametrize("body", OTHER_JSON)
def test_json_of_another_form_is_an_invalid_reply(body):
    message, _ = failure(lambda: [http(body, "Content-Type: application/json")])
    assert "1 × a reply w" in message


BROKEN = {
    "no HTTP": b"SSH-2.0-OpenSSH_9.6\r\n" * 3,
    "HTTP of another version": b"HTTP/9.9 200 OK\r\n\r\n",
    "status of letters": b"HTTP/1.1 two OK\r\n\r\n",
    "status of many digits": b"HTTP/1.1 99999999 OK\r\n\r\n",
    "blank in a header's name": b"HTTP/1.1 200 OK\r\na b: c\r\n\r\n",
    "zero byte in a header": b"HTTP/1.1 200 OK\r\na: \0\r\n\r\n",
    "length of letters": http(GOOD, "Content-Length: many"),
    "unknown protocol": http(b"", status="101 Switching Protocols"),
    "negative length": http(GOOD, "Content-Length: -1"),
    "two lengths": http(GOOD, "Content-Length: 5", "Content-Length: 6"),
    "unknown transfer": http(GOOD, "Transfer-Encoding: gzip"),
    "chunk of letters": http(b"many\r\n", "Transfer-Encoding: chunked"),
    "negative chunk": http(b"-5\r\nabcde\r\n", "Transfer-Encoding: chunked"),
    "chunk longer than it says": http(b"3\r\nabcde\r\n0\r\n\r\n", "Transfer-Encoding: chunked"),
    "half a chunk": http(b"5\r\nab", "Transfer-Encoding: chunked"),
    "too short": http(GOOD, f"Content-Length: {len(GOOD) + 1}"),
    "nothing": b"",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_no_http_is_no_reply(kind):
    message, _ = failure(lambda: itertools.chain([BROKEN[kind]], hang_up()))
    expected = (
        "a reply that cannot be read (" if kind == "HTTP of another version" else "a broken reply or connection ("
    )
    assert f"did not answer 1 of 1 questions.\nThe failures were 1 × {expected}" in message


def hang_up():
    raise BrokenPipeError
    yield


@pytest.mark.parametrize(
    "location", ["http://evil.example/v1", "//evil.example", "http://[", "http://\x00", "\xff", "http://a:99999", ""]
)
def test_no_redirect_is_followed_and_none_is_an_error_of_its_own(location):
    message, server = failure(lambda: [http(b"", f"Location: {location}", status="308 Permanent Redirect")])
    assert "status 308" in message or "a broken reply" in message
    assert len(server.heads) == 1


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_the_server_that_a_redirect_names_is_not_asked(status):
    with HostileServer(lambda: [http(GOOD)]) as other:
        location = f"Location: {other.base_url}/chat/completions"
        message, _ = failure(lambda: [http(b"", location, status=status)])
    assert f"status {status[:3]}" in message
    assert other.connections == 0


@pytest.mark.slow
@pytest.mark.parametrize("after", ["315360000", "1e400", "nan", "-1", "x", "Fri, 31 Dec 9999 23:59:59 GMT", "1" * 5000])
def test_a_pause_of_years_is_not_waited_for(after):
    busy = http(b"", f"Retry-After: {after}", status="429 Too Many Requests")
    message, server = failure(lambda: [busy], retries=1)
    assert "status 429" in message
    assert len(server.heads) <= 2


def test_a_cookie_is_not_sent_back():
    busy = http(b"", "Set-Cookie: a=b", "Retry-After: 0", "retry-after-ms: 1", status="500 Oh")
    _, server = failure(lambda: [busy], retries=1)
    assert len(server.heads) == 2
    assert not any(b"cookie" in head for head in server.heads)


# --- where texts go ----------------------------------------------------------------------------------------


def own_address():
    """Another address of this machine than that of loopback; none without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return probe.getsockname()[0]


def is_reached(family, address, host):
    """Whether a client that uses an address reaches a server of this machine."""
    try:
        with socket.create_server((host, 0)) as server, socket.socket(family) as client:
            client.settimeout(30)
            client.connect((address, server.getsockname()[1]))
    except OSError:
        return False
    return True


@pytest.mark.parametrize("kind", ["mapped", "own"])
def test_when_localhost_leads_elsewhere_nothing_is_sent(kind, monkeypatch):
    family, elsewhere, listening = socket.AF_INET6, "::ffff:127.0.0.1", "127.0.0.1"
    if kind == "own":
        family, elsewhere, listening = socket.AF_INET, own_address(), ""
    if elsewhere is None or not is_reached(family, elsewhere, listening):
        pytest.skip("this machine has no other address")
    resolve = socket.getaddrinfo

    def resolved(host, port, *arguments, **options):
        if host in ("localhost", b"localhost"):
            return [
                (
                    family,
                    socket.SOCK_STREAM,
                    socket.IPPROTO_TCP,
                    "",
                    (elsewhere, port, 0, 0)[: 4 if ":" in elsewhere else 2],
                )
            ]
        return resolve(host, port, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    with HostileServer(lambda: [http(GOOD)], host=listening) as server:
        url = f"http://localhost:{server.port}/v1"
        with pytest.raises(ColieeError, match=r"is not a loopback address(.|\n)*data-use agreement"):
            get_replies(ServedModel("stub", url, retries=0), [QUESTION])
        allowed = ServedModel("stub", url, retries=0, allow_remote=True)
        assert get_replies(allowed, [QUESTION])[QUESTION].text == "Yes"
    assert (server.connections, len(server.heads)) == (2, 1)


@pytest.mark.parametrize(
    "address",
    ["http://a\\b/v1", "http://a b/v1", "http://a..b/v1", "http://a%zz/v1", "http://xn--/v1", "http://\u2028x/v1"],
)
def test_an_address_that_the_library_cannot_read_is_an_error_of_ours(address):
    with pytest.raises((ColieeError, ValueError)) as caught:
        get_replies(ServedModel("stub", address, retries=0, allow_remote=True), [QUESTION])
    assert type(caught.value) in (ColieeError, ValueError)


@pytest.mark.parametrize("address", ["ftp://a/v1", "http:///v1", ""])
def test_an_address_must_be_valid_also_where_other_machines_are_allowed(address):
    with pytest.raises(ValueError, match="base_url must be a URL, got"):
        ServedModel("stub", address, allow_remote=True)
