"""Start attacked programs, and compare what they leave on disk."""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
Job = dict[str, Any]
UNFINISHED = "unfinished-"


class Attacker:
    """A process that runs attacked programs, see `fork_server`."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def together(self, *jobs: Job) -> list[Job]:
        """Run programs at the same time; return their outcomes."""
        print(json.dumps([{**job, "place": str(job["place"])} for job in jobs]), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        assert answer, "the process that starts the attacked programs has ended"
        return json.loads(answer)

    def run(self, write: str, place: Path, **options: Any) -> Job:
        """Run one program; return its outcome."""
        return self.together({"write": write, "place": place, **options})[0]


@contextlib.contextmanager
def attacker(command: Sequence[str] = ()) -> Iterator[Attacker]:
    """Start the process, below a command if one is given."""
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    with (
        tempfile.TemporaryDirectory() as home,
        subprocess.Popen(
            [*command, sys.executable, str(FOLDER / "fork_server.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **threads, "COLIEE_HOME": home, "IR_DATASETS_HOME": home},
        ) as process,
    ):
        try:
            yield Attacker(process)
        finally:
            process.stdin.close()


def tree(place: Path) -> dict[str, str]:
    """The digest of each file below a folder, and an empty one of each folder that is not finished."""
    paths = [path for path in sorted(place.rglob("*")) if path.is_file() or UNFINISHED in path.name]
    return {
        str(path.relative_to(place)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in paths
    }


def finished(files: dict[str, str]) -> dict[str, str]:
    """The files without those that a program has not finished."""
    return {name: digest for name, digest in files.items() if UNFINISHED not in name}


def renewed(template: Path, place: Path) -> Path:
    """A copy of a folder, in the place of an earlier one."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(template, place)
    return place
