"""Which addresses are this machine's: one notation, from which no library reads another host."""

from urllib.parse import urlsplit

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ir_coliee.data_agreement import is_local, refuse_remote
from ir_coliee.errors import ColieeError

LOCAL = [
    "http://127.0.0.1:8000/v1",
    "https://localhost/v1/",
    "http://[::1]:8000/v1",
    "http://127.255.0.9/a-b/c_d/v1.2",
    "http://127.0.0.1",
    "http://127.0.0.1:80/",
    "tcp://127.0.0.1:8786",
    "tls://localhost:65535",
    "ws://[::1]:8786",
    "127.0.0.1:8786",
    "inproc://10.0.0.1/7/1",
]
REMOTE = {
    "backslash before the host": "http://evil.example\\@127.0.0.1/v1",
    "backslash behind the host": "http://127.0.0.1\\@evil.example/v1",
    "user": "http://user@127.0.0.1/v1",
    "zone": "http://[::1%25eth0]/v1",
    "escaped dot": "http://127%2e0.0.1/v1",
    "escaped slash": "http://evil.example%2f@127.0.0.1/v1",
    "tab": "http://127.0.0.1\t.evil.example/v1",
    "newline": "http://127.0.0.1\n/v1",
    "zero byte": "http://127.0.0.1\0.evil.example/v1",
    "blank": "http://127.0.0.1 .evil.example/v1",
    "query": "http://127.0.0.1/v1?a=b",
    "fragment": "http://127.0.0.1#.evil.example",
    "octal": "http://0177.0.0.1/v1",
    "two numbers": "http://127.1/v1",
    "full-width digits": "http://１２７.0.0.1/v1",
    "mapped": "http://[::ffff:127.0.0.1]/v1",
    "long form of ::1": "http://[0:0:0:0:0:0:0:1]/v1",
    "all interfaces": "http://0.0.0.0/v1",
    "dot at the end": "http://localhost./v1",
    "name that begins like it": "http://localhost.evil.example/v1",
    "name that begins like the number": "http://127.0.0.1.evil.example/v1",
    "path upwards": "http://127.0.0.1/../v1",
    "port 0": "http://127.0.0.1:0/v1",
    "too large a port": "http://127.0.0.1:65536/v1",
    "other machine": "http://10.0.0.7:8000/v1",
    "other name": "https://models.example/v1",
    "nothing": "",
    "threads with a path": "inproc://x/7/1@evil.example",
}


def test_addresses_of_this_machine_are_recognised_and_every_other_notation_is_refused():
    assert [address for address in LOCAL if not is_local(address)] == []
    assert [kind for kind, address in REMOTE.items() if is_local(address)] == []


def test_the_message_shows_no_control_characters_and_is_short():
    with pytest.raises(ColieeError, match=r"^http://127\\n\\x1b\[2J.* is not a loopback address") as caught:
        refuse_remote(["http://127\n\x1b[2J" + "x" * 500], "allow_remote=True")
    assert len(str(caught.value).partition("\n")[0]) <= 100


HOSTS = ["localhost", "127.0.0.1", "127.255.0.9", "[::1]"]
PATHS = st.lists(st.text("09AZaz_.~-", max_size=4), max_size=3).map(lambda parts: "".join(f"/{part}" for part in parts))
PLAIN = st.builds(
    lambda scheme, host, port, path: f"{scheme}://{host}{port}{path}",
    st.sampled_from(["http", "https"]),
    st.sampled_from(HOSTS),
    st.just("") | st.integers(0, 70_000).map(":{}".format),
    PATHS,
)
HOSTILE = st.text(max_size=2) | st.sampled_from(
    ["evil.example", "@", "\\", ":", "//", "%2f", "%25eth0", "?", "#", "\t", "\n", "0", "1", ".", "..", "[", "]"]
)
CRAFTED = st.builds(
    lambda address, place, text: address[: place % len(address)] + text + address[place % len(address) :],
    PLAIN,
    st.integers(0, 1000),
    HOSTILE,
)


@settings(max_examples=120)
@given(PLAIN | CRAFTED | st.lists(HOSTILE | st.sampled_from(["http://", *HOSTS]), max_size=6).map("".join))
@example("http://127.0.0.1:80/v1")
@example("httpa://localhost")
def test_the_library_that_connects_reads_the_same_host_and_port_from_an_address_of_this_machine(address):
    if not is_local(address) or not address.startswith(("http://", "https://")):
        return
    theirs, ours = pytest.importorskip("httpx2").URL(address), urlsplit(address)
    usual = {"http": 80, "https": 443}[ours.scheme]
    assert (theirs.scheme, theirs.host, theirs.port or usual) == (ours.scheme, ours.hostname, ours.port or usual)
    assert (theirs.userinfo, theirs.raw_path.decode()) == (b"", ours.path or "/")
