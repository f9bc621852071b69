"""Measure what the baselines take: seconds, processor seconds, memory, and the seconds of each stage.

It writes a synthetic release and runs ``ir_coliee baseline``, with ``--fast`` and without, first with nothing kept and
then once more. Memory is the largest sum over all processes, seen every fifth of a second, in which shared pages count
once for each process. Linux only. Run it as ``python benchmarks/baseline_costs.py coliee/task1/2025/test``, on a
machine with two cores and nothing else to do; with ``--scale 0.1`` the release has a tenth of the documents.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from ir_coliee import synthetic
from ir_coliee.editions import as_split
from ir_coliee.releases.release import LocalRelease

PAUSE_S = 0.2
STAGE = re.compile(r"(?:\d+ of \d+: )?(?P<name>.*): (?P<seconds>[\d.]+ s|\d+ min.*)")


class Taken(NamedTuple):
    """What a run of the command took."""

    seconds: float
    processor_seconds: float
    gigabytes: float
    stages: list[str]


def taken(arguments: list[str], log: Path) -> Taken:
    """Run the command line, and return what it took; its output goes into a file."""
    before, start, peak = os.times(), time.perf_counter(), 0
    with log.open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "ir_coliee", *arguments], stdout=file, stderr=file, start_new_session=True
        )
        while process.poll() is None:
            peak = max(peak, resident(process.pid))
            time.sleep(PAUSE_S)
    seconds, after = time.perf_counter() - start, os.times()
    lines = log.read_text().splitlines()
    if process.returncode:
        raise SystemExit("\n".join(lines))
    spent = (after.children_user - before.children_user) + (after.children_system - before.children_system)
    return Taken(seconds, spent, peak / 1e9, [line for line in lines if STAGE.fullmatch(line)])


def resident(session: int) -> int:
    """Return the bytes of memory of all processes of a session."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if int(fields[3]) == session:
            total += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("dataset", nargs="?", default="coliee/task1/2025/test")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the true size")
    parser.add_argument("--stages", action="store_true", help="print the seconds of each stage")
    options = parser.parse_args()
    split = as_split(options.dataset)
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        os.environ.update(COLIEE_HOME=str(work / "home"), IR_DATASETS_HOME=str(work / "parent"))
        synthetic.write_release(split.id.rpartition("/")[0], work / "home", scale=options.scale)
        documents = sum(len(LocalRelease.open(each).documents()) for each in (split, split.train) if each)
        print(f"{documents:,} documents, {os.cpu_count()} cores\n{'':24}{'s':>9}{'processor s':>13}{'GB':>7}")
        for name, arguments in (("--fast", ["--fast"]), ("all runs", [])):
            subprocess.run([sys.executable, "-m", "ir_coliee", "purge"], check=True, capture_output=True)
            for state in ("cold", "kept"):
                command = ["baseline", split.id, *arguments, "--out", str(work / "runs"), "--force"]
                run = taken(command, work / "log")
                print(f"{name + ', ' + state:24}{run.seconds:9.1f}{run.processor_seconds:13.1f}{run.gigabytes:7.2f}")
                if options.stages:
                    print("".join(f"    {line}\n" for line in run.stages), end="")


if __name__ == "__main__":
    main()
