"""A process that has imported everything and starts each attacked program as a fork of itself.

It reads a list of jobs per line, runs them at the same time, and answers with their outcomes; all in JSON.
"""

import encodings.cp437  # noqa: F401  of names in ZIP archives; another user may not be able to import it later
import errno
import faulthandler
import json
import os
import resource
import shutil
import signal
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import Any

import attacked_writes
from attacker import tree

from ir_coliee.errors import ColieeError, ColieeHint

_GROWING = {"os.mkdir", "os.link", "os.symlink"}
_SHRINKING = {"os.remove", "os.rmdir", "os.rename", "os.truncate"}
_LONGEST = 120  # seconds after which a program that does not end is given up
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR


class Fault:
    """What happens to a program before one of its operations on files, which are counted from 1."""

    def __init__(self, kind: str, at: int, below: str) -> None:
        self.kind, self.at, self.below = kind, at, below
        self.operations = 0

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        is_open = event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike))
        if not (is_open or event in _GROWING or event in _SHRINKING or event == "fcntl.flock"):
            return
        if event != "fcntl.flock" and not os.fsdecode(arguments[0]).startswith(self.below):
            return
        is_growing = event in _GROWING or (is_open and bool(arguments[2] & _WRITE_FLAGS))
        if is_open and not is_growing:
            return
        self.operations += 1
        if self.operations < self.at:
            return
        if self.kind == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        elif self.kind in ("ENOSPC", "EDQUOT") and is_growing:
            raise OSError(getattr(errno, self.kind), os.strerror(getattr(errno, self.kind)), str(arguments[0]))
        elif self.kind == "EROFS":
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(arguments[0]))
        elif self.kind.startswith("vanish") and self.operations == self.at:
            self.kind, folder = "", os.path.join(self.below, self.kind.partition(" ")[2])
            shutil.rmtree(folder, ignore_errors=True)


def attacked(job: dict[str, Any]) -> dict[str, Any]:
    """Run a program in this process."""
    place = Path(job["place"])
    attacked_writes.enter(place, job.get("tag", "mine"))
    time.sleep(job.get("delay", 0))
    write = attacked_writes.WRITES[job["write"]]
    program = write.before if job.get("before") else write.program
    fault = Fault(job.get("fault", ""), job.get("at", 0), str(place))
    if fault.kind == "size":  # the process ends in the middle of a write
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (fault.at, fault.at))
    elif fault.kind == "EFBIG":
        resource.setrlimit(resource.RLIMIT_FSIZE, (fault.at, fault.at))
    elif fault.kind == "timer":
        signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        signal.setitimer(signal.ITIMER_REAL, fault.at / 1000)
    if job.get("user"):
        os.setgid(job["user"])
        os.setuid(job["user"])
    sys.addaudithook(fault)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        outcome, result = "done", None
        try:
            for _ in range(job.get("times", 1)):
                result = program(place)
        except ColieeError as error:
            outcome, result = "refused", f"{type(error).__name__}: {error}"
        except BaseException:
            outcome, result = "failed", traceback.format_exc()
    told = [str(one.message) for one in caught if issubclass(one.category, ColieeHint)]
    foreign = [str(one.message) for one in caught if issubclass(one.category, (ResourceWarning, RuntimeWarning))]
    return {"outcome": outcome, "result": result, "told": told, "foreign": foreign, "operations": fault.operations}


def on_a_full_disk(job: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a program where a share of the space is free, once more when all is free, and from the start."""
    results = []
    place = Path(job["place"])
    write = attacked_writes.WRITES[job["write"]]
    for share in (job["free"], None, 1):
        if share is not None:
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(job["template"], place)
            if write.before:
                finished(*started({**job, "before": True}))
        filler = place.parent / "filler"
        if share is not None and share < 1:
            status = os.statvfs(place)
            filler.write_bytes(bytes(int(status.f_bavail * status.f_frsize * (1 - share))))
        results.append(finished(*started(job)))
        filler.unlink(missing_ok=True)
        results[-1]["tree"] = tree(place)
    return results


def started(job: dict[str, Any]) -> tuple[int, int]:
    """Start a job in a fork; return its process id and the pipe with its outcome."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    try:
        faulthandler.dump_traceback_later(_LONGEST, exit=True)
        os.close(reading)
        os.dup2(os.open(os.devnull, os.O_RDWR), 1)
        answer = json.dumps(attacked(job)).encode()
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(answer)
    finally:
        os._exit(0)


def finished(process: int, reading: int) -> dict[str, Any]:
    """Wait for a job."""
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(process, 0)
    if os.WIFSIGNALED(status):
        return {"outcome": "killed", "signal": os.WTERMSIG(status), "told": [], "operations": 0}
    if not answer:
        return {"outcome": "failed", "result": f"no answer within {_LONGEST} s", "told": [], "operations": 0}
    return json.loads(answer)


def main() -> None:
    """Answer each line."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    attacked_writes.baseline_runs()
    for line in sys.stdin:
        jobs = json.loads(line)
        if "free" in jobs[0]:
            outcomes = on_a_full_disk(jobs[0])
        else:
            processes = [started(job) for job in jobs]
            outcomes = [finished(*process) for process in processes]
        print(json.dumps(outcomes), file=answers, flush=True)


if __name__ == "__main__":
    main()
