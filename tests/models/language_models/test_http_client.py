"""Hostile and broken servers: a reply has a limit of time and of size, and texts go to this machine alone."""

import json
import socket

import pytest

pytest.importorskip("httpx2")

from stub_server import HostileServer, completion, http

from ir_coliee.errors import ColieeError
from ir_coliee.models import Question, ServedModel, get_replies
from ir_coliee.models.templates import Turn

QUESTION = Question((Turn("user", "Is a lamp a movable?"),))
GOOD = json.dumps(completion("Yes")).encode()
MIB = 2**20


def ask(server, **options):
    return get_replies(ServedModel("stub", server.base_url, **{"retries": 0, **options}), [QUESTION])[QUESTION].text


def failure(reply, **options):
    """The message of the error that a server's reply leads to, and the server."""
    with HostileServer(reply) as server, pytest.raises(ColieeError) as caught:
        ask(server, **options)
    assert "movable" not in str(caught.value)
    return str(caught.value), server


# --- more than was asked for ---------------------------------------------------------------------------------


def test_a_second_reply_to_one_question_is_not_that_to_the_next_one():
    unasked = http(json.dumps(completion("No")).encode())
    questions = [QUESTION._replace(sample=sample) for sample in range(20)]
    with HostileServer(lambda _: [http(GOOD) + unasked]) as server:
        found = get_replies(ServedModel("stub", server.base_url, in_flight=1, temperature=1.0), questions)
    assert {reply.text for reply in found.values()} == {"Yes"}
    assert server.connections == 20


# --- size --------------------------------------------------------------------------------------------------

LIMIT = MIB + 512 * 2**13


def test_a_reply_up_to_the_limit_is_read_and_the_limit_grows_with_the_tokens():
    reply = [http(GOOD + b" " * (LIMIT - len(GOOD)))]
    with HostileServer(lambda _: reply) as server:
        assert ask(server) == "Yes"
        with pytest.raises(ColieeError, match="a reply of more than 1,056,768 bytes"):
            ask(server, max_tokens=1)


def test_the_server_that_a_redirect_names_is_not_asked():
    with HostileServer(lambda _: [http(GOOD)]) as other:
        location = f"Location: {other.base_url}/chat/completions"
        message, _ = failure(lambda _: [http(b"", location, status="307 Temporary")])
    assert "status 307" in message
    assert other.connections == 0


@pytest.mark.slow
@pytest.mark.parametrize("after", ["1e400", "nan", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_pause_of_years_is_not_waited_for(after):
    busy = http(b"", f"Retry-After: {after}", status="429 Too Many Requests")
    message, server = failure(lambda _: [busy], retries=1)
    assert "status 429" in message
    assert len(server.heads) <= 2


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
            where = (elsewhere, port, 0, 0)[: 4 if ":" in elsewhere else 2]
            return [(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", where)]
        return resolve(host, port, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    with HostileServer(lambda _: [http(GOOD)], host=listening) as server:
        url = f"http://localhost:{server.port}/v1"
        with pytest.raises(ColieeError, match=r"is not a loopback address(.|\n)*data-use agreement"):
            get_replies(ServedModel("stub", url, retries=0), [QUESTION])
        allowed = ServedModel("stub", url, retries=0, allow_remote=True)
        assert get_replies(allowed, [QUESTION])[QUESTION].text == "Yes"
    assert (server.connections, len(server.heads)) == (2, 1)
