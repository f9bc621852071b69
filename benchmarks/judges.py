"""Measure the speed of questions to a language model's server, and what runs that are killed ask twice.

A stub server on this machine answers each question after a delay. First, questions of a judge are asked with 1 and
with 16 requests in flight; the questions per second are compared with the bound of in flight / delay. Then a run
with 4 in flight is killed (SIGKILL) at each tenth request and started again with the file of its replies, until it
ends. By the server's log, no question with a stored reply is asked again, so that a kill costs at most the requests in
flight, and the answers equal those of the uninterrupted run. The exit status is 1 if that fails or a bound is missed.

Run it as ``python benchmarks/judges.py``; it needs the extra ``llm``.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "models"))

from stub_server import StubServer, well

from ir_coliee.models import Question, ReplyStore, ServedModel, get_replies
from ir_coliee.text.templates import Conversation, Turn, template

ARTICLES = "Article 7 A lamp is returned by the ferryman when the gate is closed. " * 50
QUESTIONS = {1: 20, 16: 320}  #: number of questions by requests in flight: the same ideal time
KILLED_QUESTIONS, KILLED_IN_FLIGHT, KILL_AT = 50, 4, 10
SMALLEST_SHARE = 0.7  # of the bound, on a machine that is busy


def model(url: str, in_flight: int) -> ServedModel:
    return ServedModel("stub", url, in_flight=in_flight)


def ask(url: str, path: str, in_flight: int, questions: int) -> None:
    """Run in a process of its own: print the elapsed seconds and a hash of the answers."""
    conversations = [template("plain.en").conversation(f"Lamp {n} is old.", ARTICLES) for n in range(questions)]
    asked = [Question(conversation) for conversation in conversations]
    start = time.perf_counter()
    replies = get_replies(model(url, in_flight), asked, ReplyStore(path))
    seconds = time.perf_counter() - start
    print(seconds, "".join(replies[question].text[0] for question in asked))


def started(server: StubServer, path: Path, in_flight: int, questions: int) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, "--ask", server.base_url, str(path), str(in_flight), str(questions)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def finished(run: subprocess.Popen[str]) -> tuple[float, str]:
    out, _ = run.communicate()
    if run.returncode:
        raise SystemExit(run.returncode)
    seconds, answers = out.split()
    return float(seconds), answers


def reply(request: dict[str, Any]) -> tuple[int, dict[str, str], Any]:
    """Answer yes or no depending on the question, so that the answers of two runs can be compared."""
    words = request["messages"][-1]["content"]
    return well("Yes" if hashlib.sha256(words.encode()).digest()[0] % 2 else "No")


def asked(request: dict[str, Any]) -> Question:
    return Question(Conversation(Turn(**turn) for turn in request["messages"]))


def throughput(folder: Path, in_flight: int, delay: float) -> bool:
    """Time an uninterrupted run, and compare it with the bound."""

    def late(_number: int, request: dict[str, Any]) -> tuple[int, dict[str, str], Any]:
        time.sleep(delay)
        return reply(request)

    questions = QUESTIONS[in_flight]
    with StubServer(late) as server:
        seconds, _ = finished(started(server, folder / f"{in_flight}.sqlite", in_flight, questions))
        once = len({*map(asked, server.requests)}) == len(server.requests) == questions
    rate, bound = questions / seconds, in_flight / delay
    print(f"{in_flight:>9} {questions:>9} {seconds:>8.2f} {rate:>12.2f} {bound:>7.1f} {rate / bound:>6.3f}")
    return once and rate >= SMALLEST_SHARE * bound


def killed(folder: Path) -> bool:
    """Kill a run at each tenth request of an attempt, and start it again until it ends."""
    path, questions = folder / "killed.sqlite", KILLED_QUESTIONS
    with StubServer(lambda _, request: reply(request)) as server:
        _, answers = finished(started(server, folder / "whole.sqlite", KILLED_IN_FLIGHT, questions))
    kill, over = threading.Event(), threading.Event()
    first_of_attempt = 0

    def behave(number: int, request: dict[str, Any]) -> tuple[int, dict[str, str], Any]:
        if number - first_of_attempt == KILL_AT - 1:
            kill.set()
        if number - first_of_attempt >= KILL_AT - 1 and not last_attempt:
            over.wait(60)  # until the run is killed
        return reply(request)

    again = attempts = 0
    last_attempt = False
    seen: set[Question] = set()
    with StubServer(behave) as server:
        while True:
            attempts += 1
            kill.clear()
            over.clear()
            stored = set(ReplyStore(path).find(model(server.base_url, KILLED_IN_FLIGHT).identity, seen))
            first_of_attempt = len(server.requests)
            last_attempt = questions - len(stored) < KILL_AT
            run = started(server, path, KILLED_IN_FLIGHT, questions)
            if last_attempt:
                found = finished(run)[1]
            else:
                kill.wait(60)
                run.kill()
                run.communicate()
                over.set()
            new = [*map(asked, server.requests[first_of_attempt:])]
            again += sum(question in stored for question in new)
            seen.update(new)
            if last_attempt:
                break
    extra = len(server.requests) - questions
    print(f"killed {attempts - 1} times: {len(server.requests)} requests for {questions} questions", end="; ")
    print(
        f"{extra} repeated because they were in flight ({extra / max(1, attempts - 1):.1f} a kill, "
        f"at most {KILLED_IN_FLIGHT})"
    )
    print(f"questions with a stored reply that were asked again: {again}; ", end="")
    print("the same answers" if found == answers else "OTHER answers")
    return not again and found == answers and extra <= KILLED_IN_FLIGHT * (attempts - 1)


def main() -> int:
    """Print both results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--delay", type=float, default=0.5, help="seconds before the server answers")
    parser.add_argument("--ask", nargs=4, help=argparse.SUPPRESS)  # the run that is timed or killed
    options = parser.parse_args()
    if options.ask:
        url, path, in_flight, questions = options.ask
        ask(url, path, int(in_flight), int(questions))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'in flight':>9} {'questions':>9} {'seconds':>8} {'questions/s':>12} {'bound':>7} {'share':>6}")
        within = [throughput(Path(folder), in_flight, options.delay) for in_flight in QUESTIONS]
        return 0 if killed(Path(folder)) and all(within) else 1


if __name__ == "__main__":
    sys.exit(main())
