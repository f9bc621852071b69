"""Measure the speed of questions to a language model's server, and the cost of an interrupted run.

A stub server on the local machine answers each question after a delay. First, 1,000 questions of a synthetic task 4
are asked with 16 requests in flight; the time is compared with the ideal of 1,000 x delay / 16. Then the same run is
killed (SIGKILL) halfway and started again with the file of its replies. By the server's log, the second start must
ask exactly the questions without a stored reply, each once, and the answers must equal those of the uninterrupted
run. The exit status is 1 if that fails or if the bound is missed.

Run it as ``python benchmarks/answering.py``; it needs the extra ``llm``.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "models"))

import pyterrier as pt
from stub_server import StubServer, well

from ir_coliee.models import Question, ReplyStore, ServedModel
from ir_coliee.synthetic import write_release
from ir_coliee.text.templates import Turn
from ir_coliee.transformers import AnswersAsDocuments, Entailment, QuotedArticles

EDITION, SPLIT = "coliee/task4/2025/en", "coliee/task4/2025/en/train"
QUESTIONS, IN_FLIGHT = 1000, 16
BOUND = 1.3  # times the ideal
SETTLING_S = 1.0  # for the requests in flight when the run was killed


def model(url: str) -> ServedModel:
    return ServedModel("stub", url, in_flight=IN_FLIGHT)


def ask(url: str, kept: Path) -> None:
    """Run in a process of its own: print the elapsed seconds, the processor seconds and a hash of the answers."""
    topics = pt.get_dataset(f"irds:{SPLIT}").get_topics()[:QUESTIONS]
    pipeline = QuotedArticles(SPLIT) >> Entailment(model(url), reply_store=ReplyStore(kept)) >> AnswersAsDocuments()
    start, processor = time.perf_counter(), time.process_time()
    answers = pipeline(topics)
    seconds, processor = time.perf_counter() - start, time.process_time() - processor
    written = "\n".join(answers["qid"] + " " + answers["docno"])
    print(seconds, processor, hashlib.sha256(written.encode()).hexdigest())


def started(server: StubServer, kept: Path) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, "--ask", server.base_url, str(kept)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def finished(run: subprocess.Popen[str]) -> tuple[float, float, str]:
    out, _ = run.communicate()
    if run.returncode:
        raise SystemExit(run.returncode)
    seconds, processor, answers = out.split()
    return float(seconds), float(processor), answers


def answer(_number: int, request: dict) -> tuple:
    """Answer yes or no depending on the question, so that the answers of two runs can be compared."""
    words = request["messages"][-1]["content"]
    return well("Yes" if hashlib.sha256(words.encode()).digest()[0] % 2 else "No")


def logged(requests: list[dict]) -> list[Question]:
    return [Question(tuple(Turn(**turn) for turn in request["messages"])) for request in requests]


def whole(folder: Path, delay: float) -> tuple[bool, str, set[Question]]:
    """Time an uninterrupted run and compare it with the ideal."""
    with StubServer(answer, delay) as server:
        seconds, processor, answers = finished(started(server, folder / "whole.sqlite"))
        asked = logged(server.requests)
    ideal = len(asked) * delay / IN_FLIGHT
    within = seconds <= BOUND * ideal and len(set(asked)) == len(asked) == QUESTIONS
    print(f"{len(asked)} questions, {IN_FLIGHT} in flight, {delay} s each, at most {server.most_at_once} at once")
    print(f"{seconds:.2f} s, of the processor {processor:.1f} s; ideal {ideal:.2f} s", end="; ")
    print(f"{seconds / ideal:.3f} times, bound {BOUND}", end=": ")
    print("within" if within else "MISSED")
    return within, answers, set(asked)


def killed(folder: Path, delay: float, answers: str, questions: set[Question]) -> bool:
    """Kill a run halfway and start it again."""
    path = folder / "killed.sqlite"
    with StubServer(answer, delay) as server:
        run = started(server, path)
        while len(server.requests) < QUESTIONS // 2:
            time.sleep(delay / 10)
        run.kill()
        run.communicate()
        time.sleep(delay + SETTLING_S)
        before = logged(server.requests)
        kept = set(ReplyStore(path).known(model(server.base_url).identity, questions))
        seconds, _, again = finished(started(server, path))
        after = Counter(logged(server.requests[len(before) :]))
    exact = after == Counter(questions - kept)
    same = again == answers
    print(f"killed at half: {len(before)} calls made, {len(kept)} replies kept, {len(before) - len(kept)} in flight")
    print(f"run again in {seconds:.2f} s: {after.total()} calls, {len(questions - kept)} were missing", end=": ")
    print("exactly these" if exact else "OTHERS", "and", "the same answers" if same else "OTHER answers")
    return exact and same and len(before) - len(kept) <= IN_FLIGHT


def main() -> int:
    """Print both results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--delay", type=float, default=0.5, help="seconds before the server answers")
    parser.add_argument(
        "--ask", nargs=2, metavar=("URL", "FILE"), help="carry out the run that is timed (used by the benchmark itself)"
    )
    options = parser.parse_args()
    if options.ask:
        ask(options.ask[0], Path(options.ask[1]))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COLIEE_HOME"] = str(Path(folder, "release"))
        write_release(EDITION, Path(folder, "release"))
        within, answers, questions = whole(Path(folder), options.delay)
        return 0 if killed(Path(folder), options.delay, answers, questions) and within else 1


if __name__ == "__main__":
    sys.exit(main())
