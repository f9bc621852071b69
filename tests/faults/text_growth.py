"""The time of every function that reads a text, by the length of the text, over hostile texts.

``python tests/faults/text_growth.py`` prints a table of all functions, which takes some minutes.
"""

import atexit
import functools
import gc
import importlib
import inspect
import itertools
import json
import math
import pkgutil
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hostile_texts import Seed, seeds

import ir_coliee.text
from ir_coliee.errors import ColieeError
from ir_coliee.releases import civil_code_text, quoted_articles, text_fingerprints
from ir_coliee.text import analysers, spans, templates, text_irregularities, tokenisers

LARGEST_EXPONENT = 1.2
LONGEST = 64_000  # characters of the texts that are looked at before anything is measured
CPU_LIMIT = 3  # seconds for all that is measured of a text
MOST_FAILURES = 1  # of a reader; then it is given up
USUAL = Seed("", "[1]\nThe keeper relied on Article 1, as of May 1, 2001.\n第一条の規定は、灯に準用する。\n", "", "")

MODULES = [
    *(importlib.import_module(it.name) for it in pkgutil.walk_packages(ir_coliee.text.__path__, "ir_coliee.text.")),
    *(civil_code_text, quoted_articles, text_fingerprints),
]
#: What takes a string that is not a text of a user's file, such as a name.
NO_TEXT = {
    *("analysers.check_analyser", "analysers.analyser_from_description", "provisions.level_number"),
    *("french.check_unit", "text_fingerprints.groups_by"),
}
_ARGUMENTS = {"latest": 2099, "number": 5, "text_id": "900001", "code": {}, "spans": (), "irregularities": ()}
_OBJECTS = {
    analysers.English: analysers.English(),
    analysers.Shingles: analysers.Shingles(3, "case"),
    analysers.JapaneseWords: analysers.JapaneseWords(),
    analysers.Pretokenised: analysers.Pretokenised(),
    tokenisers.Analyser: tokenisers.ANALYSERS["case"],
    spans.Span: spans.Span(0, sys.maxsize),
    templates.Template: templates.template("plain.en"),
}


class Reader(NamedTuple):
    """A function that reads a text, with the patterns by which it may do so."""

    name: str
    read: Callable[[str], object]
    patterns: list[re.Pattern[str]]


class Growth(NamedTuple):
    """How the time of a reader grows with a text: the exponent, and the seconds for the longest text."""

    exponent: float
    seconds: float
    size: int


class Failure(NamedTuple):
    """What a reader does not read in linear time, with the reason in words."""

    reader: str
    seed: Seed
    reason: str


# --- readers ---------------------------------------------------------------------------------------


def readers() -> dict[str, Reader]:
    """Every public function and method of the modules that takes a text, by its name."""
    found = {}
    for module in MODULES:
        patterns = list(_patterns(module, set()))
        for name, function in itertools.chain(_functions(module), _special(module)):
            found[name] = Reader(name, function, patterns)
    return found


def _functions(module: types.ModuleType) -> Iterator[tuple[str, Callable[[str], object]]]:
    place = module.__name__.removeprefix("ir_coliee.").removeprefix("text.").removeprefix("releases.")
    for name, value in vars(module).items():
        if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(value):
            yield from _variants(f"{place}.{name}", value)
        elif inspect.isclass(value):
            for method, function in vars(value).items():
                if inspect.isfunction(function) and (method == "__call__" or not method.startswith("_")):
                    bound = getattr(_OBJECTS.get(value), method, function)
                    yield from _variants(f"{place}.{name}.{method}".removesuffix(".__call__"), bound)


def _variants(name: str, function: Callable[..., object]) -> Iterator[tuple[str, Callable[[str], object]]]:
    """The function for each language, and with all its switches on."""
    parameters = inspect.signature(function).parameters
    texts = [it.name for it in parameters.values() if _takes_text(it)]
    if not texts or name in NO_TEXT:
        return
    fixed = {it.name: _ARGUMENTS[it.name] for it in parameters.values() if it.name in _ARGUMENTS}
    switches = {it.name: True for it in parameters.values() if it.default is False}
    for language in ("en", "ja") if "language" in parameters else (None,):
        spoken = {"language": language} if language else {}
        for switched in ({}, switches) if switches else ({},):
            shown = ", ".join([*(language for _ in spoken), *switched])
            arguments = fixed | spoken | switched
            annotations = {text: str(parameters[text].annotation) for text in texts}

            def read(text, annotations=annotations, arguments=arguments):
                given = {name: _as(annotation, text) for name, annotation in annotations.items()}
                return function(**given, **arguments)

            yield name + (f" ({shown})" if shown else ""), read


def _takes_text(parameter: inspect.Parameter) -> bool:
    is_text = re.search(r"\bstr\b|SourceText", str(parameter.annotation))
    needed = parameter.default is parameter.empty
    return bool(is_text) and needed and parameter.name not in ("language", *_ARGUMENTS)


def _as(annotation: str, text: str) -> object:
    if annotation == "SourceText":
        return _source(text)
    return text if "[" not in annotation else [text, *text.split()]


def _source(text: str) -> text_irregularities.SourceText:
    return text_irregularities.SourceText("900001", text.encode(errors="surrogatepass"), text)


def _special(module: types.ModuleType) -> Iterator[tuple[str, Callable[[str], object]]]:
    """What takes a text in another way: the irregularities, and the readers of a file."""
    if module is text_irregularities:
        kinds = ("DECISION_IRREGULARITIES", "PARAGRAPH_IRREGULARITIES", "FRAGMENT_IRREGULARITIES")
        for kind in kinds:
            for one in getattr(module, kind):
                yield f"text_irregularities: {one.name}", lambda text, one=one: one.occurs_in(_source(text))
    if module is civil_code_text:
        read = module.read_text_code
        for language in ("en", "ja"):
            yield f"civil_code_text.read_text_code ({language})", lambda text, at=language: read(_file(text), at)
    if module is templates:
        yield "templates.template", lambda text: module.template(str(_file(text)))


def _file(text: str) -> Path:
    """A file with the text; one for all texts of this process."""
    path = _folder() / "900001.txt"
    path.write_text(text, encoding="utf-8", errors="replace")
    return path


@functools.cache
def _folder() -> Path:
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return Path(folder.name)


def _patterns(module: types.ModuleType, seen: set[str]) -> Iterator[re.Pattern[str]]:
    """The patterns of a module and of those that it imports from."""
    seen.add(module.__name__)
    for value in list(vars(module).values()):
        fields = vars(value).values() if hasattr(value, "__dataclass_fields__") and not isinstance(value, type) else ()
        yield from (it for it in (value, *fields) if isinstance(it, re.Pattern) and isinstance(it.pattern, str))
        other = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
        if isinstance(other, str) and other.startswith("ir_coliee.text.") and other not in seen:
            yield from _patterns(importlib.import_module(other), seen)


# --- times -----------------------------------------------------------------------------------------


def seconds(reader: Reader, text: str, repeats: int = 1) -> float:
    """The shortest processor time of a text, of this thread: it is exact although the process has a limit."""
    times = []
    for _ in range(repeats):
        start = time.thread_time()
        try:
            result = reader.read(text)
            if isinstance(result, Iterator):
                list(result)
        except ColieeError:
            pass
        times.append(time.thread_time() - start)
    return min(times)


def growth(reader: Reader, seed: Seed, size: int, repeats: int = 2) -> Growth:
    """The exponent of the time over texts of one, two, four and eight times a length, by least squares."""
    sizes = [size, 2 * size, 4 * size, 8 * size]
    times = [max(seconds(reader, seed.text(it), repeats), 1e-6) for it in sizes]
    x, y = [math.log(it) for it in sizes], [math.log(it) for it in times]
    x_mean, y_mean = sum(x) / 4, sum(y) / 4
    slope = sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y)) / sum((a - x_mean) ** 2 for a in x)
    return Growth(slope, times[-1], 8 * size)


def measured(reader: Reader, seed: Seed, size: int) -> Growth:
    """The growth from a length on. If it is too large, longer texts are measured: a step, as of a cache, passes."""
    for repeats in (1, 3, 3):
        found = growth(reader, seed, size, repeats)
        if found.exponent <= LARGEST_EXPONENT or found.seconds > 1:
            break
        size *= 4
    return found


def is_suspicious(reader: Reader, seed: Seed, size: int) -> bool:
    """Whether a text of four times the length takes more than six times as long."""
    longer = seconds(reader, seed.text(size))
    return longer > 0.0005 and longer > 6 * seconds(reader, seed.text(size // 4), repeats=2)


def usual_size(reader: Reader, budget: float) -> int:
    """Length of a usual text that is read in so many seconds."""
    size = 1_000
    while size < LONGEST and seconds(reader, USUAL.text(size), repeats=2) < budget / 2:
        size *= 2
    return size


# --- the attack, in a process with a limit ---------------------------------------------------------


def attack(names: Sequence[str], inputs: int, seed: int, budget: float, module: str = "text_growth") -> list[Failure]:
    """Read hostile texts, so many with each reader, in another process; a text that does not end there is a failure."""
    failures: list[Failure] = []
    rest = [(name, 0) for name in names]
    while rest:
        task = {"module": module, "readers": rest, "inputs": inputs, "seed": seed, "budget": budget}
        command = [sys.executable, __file__, "--attack"]
        child = subprocess.run(command, input=json.dumps(task), capture_output=True, text=True, encoding="utf-8")
        lines = [json.loads(line) for line in child.stdout.splitlines()]
        failures += [Failure(line[0], Seed(*line[2]), line[3]) for line in lines if line[3]]
        if child.returncode == 0:
            break
        if child.returncode != -signal.SIGXCPU or not lines:
            raise RuntimeError(child.stderr)
        name, number, text, _ = lines[-1]  # the text that was begun and did not end
        failures.append(Failure(name, Seed(*text), f"did not end in {CPU_LIMIT} s of processor time"))
        rest = [(name, number + 1), *rest[[it for it, _ in rest].index(name) + 1 :]]
        if sum(failure.reader == name for failure in failures) >= MOST_FAILURES:
            del rest[0]
    return failures


def _attacked(task: dict[str, Any]) -> None:
    """Attack readers in this process; write each text before it is read, and each failure."""
    known = importlib.import_module(task["module"]).readers()
    warnings.simplefilter("ignore")
    gc.disable()  # collecting many small objects grows by rules of its own
    for name, first in task["readers"]:
        reader = known[name]
        chance = random.Random(f"{task['seed']} {name}")
        texts = list(itertools.islice(seeds(reader.patterns, chance), task["inputs"]))
        failures = 0
        _allow(CPU_LIMIT)
        size = usual_size(reader, task["budget"])
        for number, seed in enumerate(texts[first:], first):
            _allow(CPU_LIMIT)
            print(json.dumps([name, number, seed, ""]), flush=True)
            try:
                found = measured(reader, seed, size // 2) if is_suspicious(reader, seed, size) else None
                wrong = found and found.exponent > LARGEST_EXPONENT
                reason = f"exponent {found.exponent:.2f}, {found.seconds:.2f} s for {found.size:,}" if wrong else ""
            except Exception as error:
                reason = f"{type(error).__name__}: {error}"[:100]
            if reason:
                failures += 1
                print(json.dumps([name, number, seed, reason]), flush=True)
            if failures >= MOST_FAILURES:
                break
        gc.collect()


def _allow(limit: int) -> None:
    """Limit the processor time from now on; more of it ends the process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = math.ceil(used.ru_utime + used.ru_stime) + limit
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


# --- the table of the docs -------------------------------------------------------------------------


def table(inputs: int, seed: int, budget: float = 0.001, costliest: int = 5, longest: int = 4_000_000) -> Iterator[str]:
    """Rows of a function, its largest exponent and its largest time of a character, over its costliest texts."""
    yield f"| function | largest exponent of {costliest} texts | µs a character |"
    yield "|---|---:|---:|"
    for name, reader in sorted(readers().items()):
        texts = list(itertools.islice(seeds(reader.patterns, random.Random(f"{seed} {name}")), inputs))
        size = usual_size(reader, budget)
        texts.sort(key=lambda text: -seconds(reader, text.text(size)))
        grown = []
        for text in texts[:costliest]:
            length = size
            while seconds(reader, text.text(8 * length)) < 0.05 and 8 * length < longest:
                length *= 2
            grown.append(measured(reader, text, length))
        gc.collect()
        each = max(it.seconds / it.size for it in grown) * 1e6
        yield f"| `{name}` | {max(it.exponent for it in grown):.2f} | {each:.2f} |"


def main() -> None:
    """Attack what standard input says, or print the table."""
    if "--attack" in sys.argv:
        _attacked(json.load(sys.stdin))
        return
    warnings.simplefilter("ignore")
    gc.disable()
    for row in table(int(sys.argv[1]) if len(sys.argv) > 1 else 200, seed=16):
        print(row, flush=True)


if __name__ == "__main__":
    main()
