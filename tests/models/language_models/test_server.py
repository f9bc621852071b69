import contextlib
import itertools
import os
import random
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

pytest.importorskip("httpx2")

from stub_server import StubServer, well

from ir_coliee.errors import ColieeError
from ir_coliee.models import Question, ReplyStore, ServedModel, get_replies
from ir_coliee.models.templates import Turn


def question(words, sample=0):
    return Question((Turn("user", words),), sample)


def asked(request):
    return request["messages"][-1]["content"]


QUESTIONS = [question(f"question {number}") for number in range(40)]
NOW = {"Retry-After": "0"}  # a server may ask for a pause that short


def model(server, **options):
    return ServedModel("stub", server.base_url, **options)


@pytest.mark.parametrize("in_flight", [1, 4])
def test_no_more_questions_are_under_way_than_allowed(in_flight):
    together = threading.Barrier(in_flight, timeout=60)
    with StubServer(lambda *_: together.wait() is not None and well("Yes")) as server:
        get_replies(model(server, in_flight=in_flight), QUESTIONS)
    assert server.most_at_once == in_flight


def test_a_server_asks_for_a_pause():
    times = []

    def behave(number, _request):
        times.append(time.monotonic())
        return (429, {"Retry-After": "0.3"}, {}) if number == 0 else well("Yes")

    with StubServer(behave) as server:
        assert get_replies(model(server), [question("a")])[question("a")].text == "Yes"
    assert len(times) == 2
    assert times[1] - times[0] >= 0.3


ODD = [
    (429, NOW, {}),
    (500, NOW, {"error": {"message": "oh"}}),
    (200, {}, b"{"),
    (200, {}, {"choices": []}),
    None,
    (200, {"Content-Length": "9999", "Connection": "close"}, b'{"choices": [{'),
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_whatever_a_server_does_each_question_is_answered_once_and_no_answer_is_asked_for_again(seed, tmp_path):
    chance = random.Random(seed)
    answered = []

    def behave(_number, request):
        with lock:
            if chance.random() < 0.4:
                return chance.choice(ODD)
            answered.append(asked(request))
        return well(f"re: {asked(request)}")

    lock = threading.Lock()
    runs = 0
    found = None
    with StubServer(behave) as server:
        while found is None:
            runs += 1
            with contextlib.suppress(ColieeError):
                found = get_replies(model(server, retries=0), QUESTIONS, ReplyStore(tmp_path / "replies.sqlite"))
    assert runs > 1
    assert sorted(answered) == sorted(q.conversation[0].content for q in QUESTIONS)
    assert {q.conversation[0].content: reply.text for q, reply in found.items()} == {q: f"re: {q}" for q in answered}


@pytest.mark.parametrize("name", ["STUB", "stub-2026-01-01", "/models/stub.gguf"])
def test_a_server_may_name_the_model_in_more_detail(name):
    with StubServer(lambda *_: well("No", model=name)) as server:
        assert get_replies(model(server), QUESTIONS[:1])[QUESTIONS[0]].text == "No"


@pytest.mark.parametrize(
    ("status", "body", "path", "expected"),
    [
        (404, {"error": {"message": "No model `stub`\nexists"}}, "", "No model `stub` exists.*named stub"),
        (404, {"detail": "Not Found"}, "/v1", "message is: Not Found.*does not end with /v1"),
        (404, b"", "/v1", "refused the requests with status 404.\nbase_url does not end with /v1"),
        (401, {"error": "invalid key " + 300 * "x"}, "", "invalid key x+.*OPENAI_API_KEY"),
    ],
)
def test_refused_models_addresses_and_keys_are_explained_at_once(status, body, path, expected):
    with StubServer(lambda *_: (status, {}, body)) as server, pytest.raises(ColieeError) as caught:
        get_replies(ServedModel("stub", server.base_url.removesuffix(path), in_flight=2, retries=3), QUESTIONS)
    assert re.search(f"(?s){expected}", str(caught.value))
    assert max(map(len, str(caught.value).splitlines())) < 250
    assert len(server.requests) <= 2


def test_a_key_with_other_characters_is_refused_without_showing_it(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "clé-secret")
    with pytest.raises(ColieeError, match=r"^OPENAI_API_KEY has characters beyond ASCII") as caught:
        get_replies(ServedModel("stub", "http://127.0.0.1:9/v1"), QUESTIONS[:1])
    assert "secret" not in repr(caught.value)


def test_nobody_listens():
    with pytest.raises(ColieeError, match=r"(?s)No server answers at http://127\.0\.0\.1:9/v1\..*base_url"):
        get_replies(ServedModel("stub", "http://127.0.0.1:9/v1", retries=0), QUESTIONS)


def test_a_proxy_of_the_environment_is_passed_by(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with StubServer(lambda *_: well("Yes")) as server:
        assert len(get_replies(model(server, retries=0), [question("a")])) == 1


@pytest.mark.parametrize("url", ["https://models.example/v1", "http://10.0.0.7:8000/v1", "http://0.0.0.0:80/v1"])
def test_another_machine_needs_a_word(url):
    with pytest.raises(ColieeError, match=r"data-use agreement .* allow_remote=True"):
        ServedModel("a-model", url)
    assert ServedModel("a-model", url, allow_remote=True).base_url == url


SCRIPT = """
    import signal
    import sys
    from ir_coliee.models import Question, ReplyStore, ServedModel, get_replies
    from ir_coliee.models.templates import Turn

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell starts programs that ignore it
    questions = [Question((Turn("user", f"question {n}"),)) for n in range(200)]
    try:
        get_replies(ServedModel("stub", sys.argv[1], in_flight=4), questions, ReplyStore(sys.argv[2]))
    except KeyboardInterrupt:
        print("stopped")
"""


def started(server, path):
    command = [sys.executable, "-c", textwrap.dedent(SCRIPT), server.base_url, str(path)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT], ids=["killed", "Ctrl-C"])
@pytest.mark.skipif(os.name != "posix", reason="signals of another system")
def test_a_run_that_is_stopped_while_the_server_hangs_asks_only_what_is_missing(stop, tmp_path):
    path = tmp_path / "replies.sqlite"
    hanging, over = threading.Event(), threading.Event()

    def behave(number, request):
        if number == 63:  # each of the four requests in flight hangs
            hanging.set()
        if number >= 60:
            over.wait(120)
        return well(asked(request))

    with StubServer(behave) as server:
        run = started(server, path)
        while not hanging.wait(0.1):
            assert run.poll() is None, run.communicate()[1]
        run.send_signal(stop)
        out, _err = run.communicate(timeout=60)  # less than the client's patience
        over.set()
        assert run.returncode == (-stop if stop == signal.SIGKILL else 0)
        assert out == ("" if stop == signal.SIGKILL else "stopped\n")
        questions = [question(f"question {number}") for number in range(200)]
        already = ReplyStore(path).find(model(server).identity, questions)
        assert len(already) == 60
        found = get_replies(model(server), questions, ReplyStore(path))
    missing = [q.conversation[0].content for q in questions if q not in already]
    assert sorted(map(asked, server.requests[64:])) == sorted(missing)
    assert len(found) == 200


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ValueError])
def test_an_exception_of_the_callback_ends_the_call_while_other_requests_hang(error, tmp_path):
    over, met = threading.Event(), []

    def behave(number, request):
        if number >= 4:
            over.wait(60)
        return well(asked(request))

    class InterruptedStore(ReplyStore):
        def add(self, identity, values):
            super().add(identity, values)
            met.extend(values)
            if len(met) == 3:
                raise error

    with StubServer(behave) as server:
        store, served = InterruptedStore(tmp_path / "replies.sqlite"), model(server, in_flight=4)
        start = time.monotonic()
        with pytest.raises(error):
            get_replies(served, QUESTIONS, store)
        assert time.monotonic() - start < 20  # the client would wait ten minutes
        over.set()
    assert list(store.find(served.identity, QUESTIONS)) == sorted(met, key=QUESTIONS.index)
    assert 3 <= len(met) <= 4


@pytest.mark.parametrize("allow_remote", [True, False])
@pytest.mark.parametrize(
    "url",
    ["127.0.0.1:8000", "ftp://127.0.0.1/", "http://127.0.0.1\n", "http://127.0.0.1:65536/v1", "http://[::1]:x/v1"],
)
def test_what_is_no_address_is_refused(url, allow_remote):
    with pytest.raises(ValueError, match="base_url must be a URL, got"):
        ServedModel("a-model", url, allow_remote=allow_remote)


NUMBERS = "temperature", "max_tokens", "in_flight", "retries", "timeout"


@pytest.mark.parametrize(
    ("name", "value"),
    [*itertools.product(NUMBERS, ["1", [1], float("nan"), -1]), ("model", None), ("model", ""), ("model", 5)],
)
def test_parameters_out_of_range_are_refused(name, value):
    with pytest.raises(ValueError, match=f"{name} must be"):
        ServedModel(**{"model": "a-model", name: value})
