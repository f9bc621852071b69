"""The section that says how a page was made: commands, versions, fingerprints of data and runs, seeds."""

from __future__ import annotations

import hashlib
import inspect
import platform
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import ir_coliee
from ir_coliee.analysis.groups import groups
from ir_coliee.analysis.report.inputs import Inputs, first_line
from ir_coliee.analysis.report.run_metadata import as_rows, run_metadata
from ir_coliee.display import Block, Details, Heading, Preformatted, Table
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.comparison import compare_counts
from ir_coliee.evaluation.runs import file_beside
from ir_coliee.evaluation.statistics import intervals
from ir_coliee.releases.audit import compute_seal

#: The libraries that figures depend on.
LIBRARIES = (
    "ir_datasets",
    "ir_measures",
    "pyterrier",
    "pytrec-eval-terrier",
    "numpy",
    "scipy",
    "pandas",
    "matplotlib",
    "lightgbm",
    "scikit-learn",
    "numba",
    "fugashi",
    "PyStemmer",
)


def versions() -> dict[str, str]:
    """Return the versions of Python, of this package and of the libraries that are installed.

    Examples
    --------
    >>> [*versions()][:3]
    ['Python', 'ir_coliee', 'ir_datasets']
    """
    found = {"Python": platform.python_version(), "ir_coliee": ir_coliee.__version__}
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def origins(inputs: Inputs) -> Iterator[Block]:
    """Yield what is needed to make the page again, and the commands to go on with."""
    yield Heading("Commands", 2)
    if any(run.path is None for run in inputs.runs.runs.values()):
        yield "Some runs were passed from memory, so that no command line makes this page again."
    else:
        yield "This page is made again by:"
        yield Preformatted(page_command(inputs))
        yield "To look further:"
        yield Preformatted("\n".join(_next_commands(inputs)))
    yield Heading("Files of the runs", 2)
    yield Table(["run", "file", "name", "SHA-256"], [*_files(inputs)])
    yield Heading("Data", 2)
    yield from _data(inputs)
    yield Heading("Seeds", 2)
    yield _seeds()
    yield Heading("Versions", 2)
    yield Table(["software", "version"], [*versions().items()])
    yield Heading("Fields of ir_metadata", 2)
    yield (
        "The fields of ir_metadata that are known here; the page has them as a JSON data block too. The platform is "
        "that of this page. The fields of the actor and of the method must come from the author of a run."
    )
    yield Details("Fields of ir_metadata", Table(["field", "value"], as_rows(run_metadata(inputs, versions()))))


def page_command(inputs: Inputs) -> str:
    """Return the command line that makes the page again."""
    return inputs.command("report", "--out", "report.html", *["--with-texts"] * inputs.with_texts)


def _next_commands(inputs: Inputs) -> Iterator[str]:
    """Yield the commands that look further into the runs."""
    runs = [*inputs.runs.runs.values()]
    yield inputs.command("analyse")
    if len(runs) == 2:
        yield inputs.command("diff")
    yield inputs.command("score")


def _files(inputs: Inputs) -> Iterator[list[object]]:
    """Yield a row for each file of each run, as it is now."""
    for number, (name, run) in enumerate(inputs.runs.runs.items()):
        if run.path is None:
            yield [name, "answer set", "in memory", ""]
            continue
        given = {role: files[number] for role, files in inputs.files.items() if files}
        files = {
            "answer set": run.path,
            "ranking": given.get("rankings") or file_beside(run.path, ".trec"),
            "long list": file_beside(run.path, ".long"),
            "answers": given.get("answers") or file_beside(run.path, ".answers"),
        }
        seen: set[Path] = set()
        for role, path in files.items():
            if path is not None and path not in seen:
                seen.add(path)
                yield [name, role, path.name, hashlib.sha256(path.read_bytes()).hexdigest()]


def _data(inputs: Inputs) -> Iterator[Block]:
    split = inputs.runs.split
    facts = {"dataset": split.id, "name": split.pretty_name, "official measure": split.measure}
    yield Table.of_facts(facts | {"synthetic": "yes" if inputs.runs.release.is_synthetic else "no"})
    try:
        seal = compute_seal(inputs.runs.release)
    except ColieeError as error:
        yield f"The files of the split have no fingerprint. {first_line(error)}"
        return
    yield (
        f"Fingerprint of the {len(seal.files):,} files that the split is read from, the same for every participant who "
        f"has the same files (ir_coliee audit {split.id} --seal prints it): {seal.hash}"
    )


def _seeds() -> Table:
    """Return what is random on the page, with the defaults that the sections use."""
    bootstrap, swaps, permutations = (
        inspect.signature(each).parameters for each in (intervals, compare_counts, groups)
    )
    rows = [
        ["bootstrap resamples of the intervals", bootstrap["resamples"].default, bootstrap["seed"].default],
        ["swaps of the comparison", swaps["permutations"].default, swaps["seed"].default],
        ["permutations of the groups of queries", permutations["permutations"].default, permutations["seed"].default],
    ]
    return Table(["what is random", "number", "seed"], rows)
