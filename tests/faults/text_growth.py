"""The time of every function that reads a text, by the length of the text, over hostile texts.

``python tests/faults/text_growth.py`` prints the table of docs/explanations/robustness-tests.md, which takes some
minutes.
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
from ir_coliee.releases import audit as text_fingerprints
from ir_coliee.releases import civil_code as civil_code_text
from ir_coliee.text import analysers, citation_places, reply_lists, spans, templates, tokenisers
from ir_coliee.text.placed_tokens import PlacedTokens

LARGEST_EXPONENT = 1.2
SHORT, LONG = 2_000, 16_000  # characters of the texts that each reader is given
SHORTEST_TIME = 0.002  # seconds; what takes less for a long text is not looked at further
CPU_LIMIT = 3  # seconds for a short and a long text; twenty times as much where they take a suspicious time

MODULES = [
    *(importlib.import_module(it.name) for it in pkgutil.walk_packages(ir_coliee.text.__path__, "ir_coliee.text.")),
    *(civil_code_text, text_fingerprints),
]
#: Functions that read no text of a user's file, but names, numbers, positions and settings.
NO_TEXT = {
    *("analysers.Shingles.bounds", "analysers.analyser_from_description", "analysers.analyser_version"),
    *("analysers.check_analyser", "analysers.check_text_analyser", "analysers.describe_analyser"),
    *("analysers.tokeniser", "english.stemmer_version", "french.check_unit", "japanese.dictionary_version"),
    *("numerals.int_to_kanji", "numerals.int_to_roman", "placed_tokens.PlacedTokens.span"),
    *("provisions.level_number", "sentences.windows"),
    *("statutes.english_title", "statutes.japanese_title", "templates.Conversation.display"),
    "templates.Template.display",
}
#: The function that takes a text together with its tokens.
_OF_TOKENS = "citation_places.citation_places"
_ARGUMENTS = {
    **{"latest": 2099, "number": 5, "text_id": "900001", "code": {}, "spans": (), "irregularities": ()},
    "form": reply_lists.ListForm(("ranking",), re.compile(" ?[>,] ?| ")),
}
_OBJECTS = {
    analysers.English: analysers.English(),
    analysers.Shingles: analysers.Shingles(3, "case"),
    analysers.JapaneseWords: analysers.JapaneseWords(),
    analysers.JapaneseLemmas: analysers.JapaneseLemmas(),
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
        variants = itertools.chain.from_iterable(itertools.starmap(_variants, _functions(module)))
        for name, read in itertools.chain(variants, _special(module)):
            found[name] = Reader(name, read, patterns)
    return found


def function_of(reader: str) -> str:
    """The function that a reader calls; a reader is one with certain arguments."""
    return reader.partition(" (")[0]


def functions() -> set[str]:
    """Every public function and method of the modules."""
    return {name for module in MODULES for name, _ in _functions(module)}


def _functions(module: types.ModuleType) -> Iterator[tuple[str, Callable[..., object]]]:
    place = module.__name__.removeprefix("ir_coliee.").removeprefix("text.").removeprefix("releases.")
    for name, value in vars(module).items():
        if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(value):
            yield f"{place}.{name}", value
        elif inspect.isclass(value):
            for method, function in vars(value).items():
                if inspect.isfunction(function) and (method == "__call__" or not method.startswith("_")):
                    bound = getattr(_OBJECTS.get(value), method, function)
                    yield f"{place}.{name}.{method}".removesuffix(".__call__"), bound


def _variants(name: str, function: Callable[..., object]) -> Iterator[tuple[str, Callable[[str], object]]]:
    """The function for each language, and with all its switches on."""
    parameters = inspect.signature(function).parameters
    texts = [it.name for it in parameters.values() if _takes_text(it)]
    if not texts or name in NO_TEXT or name == _OF_TOKENS:
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
    return text if "[" not in annotation else [text, *text.split()]


def _special(module: types.ModuleType) -> Iterator[tuple[str, Callable[[str], object]]]:
    """What takes a text in another way: the readers of a file."""
    if module is civil_code_text:
        read = module.read_text_code
        for language in ("en", "ja"):
            yield f"civil_code_text.read_text_code ({language})", lambda text, at=language: read(_file(text), at)
    if module is citation_places:
        yield _OF_TOKENS, lambda text: module.citation_places(text, PlacedTokens.of(text))
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
    """The growth from a length on; if it is too large, that of texts 4 and 16 times as long.

    Memory that no longer fits into the caches of the processor makes middle lengths grow faster than long ones.
    """
    for longer, repeats in ((1, 1), (4, 3), (16, 2)):
        found = growth(reader, seed, longer * size, repeats)
        if found.exponent <= LARGEST_EXPONENT:
            break
    return found


def is_suspicious(reader: Reader, seed: Seed) -> bool:
    """Whether eight times the length takes 13 times as long, and twice that length 2.5 times as long again."""
    longer = seconds(reader, seed.text(LONG))
    return (
        longer > SHORTEST_TIME
        and longer > 13 * seconds(reader, seed.text(SHORT))
        and seconds(reader, seed.text(2 * LONG)) > 2.5 * longer
    )


# --- the attack, in a process with a limit ---------------------------------------------------------


def attack(names: Sequence[str], inputs: int, seed: int, module: str = "text_growth") -> list[Failure]:
    """Read hostile texts, so many with each reader, in another process, up to the first failure of each reader.

    A text that does not end within a processor time is a failure.
    """
    failures: list[Failure] = []
    rest = list(names)
    while rest:
        task = {"module": module, "readers": rest, "inputs": inputs, "seed": seed}
        command = [sys.executable, __file__, "--attack"]
        child = subprocess.run(command, input=json.dumps(task), capture_output=True, text=True, encoding="utf-8")
        lines = [json.loads(line) for line in child.stdout.splitlines()]
        failures += [Failure(name, Seed(*text), reason) for name, text, reason in lines if reason]
        if child.returncode == 0:
            break
        if child.returncode != -signal.SIGXCPU or not lines:
            raise RuntimeError(child.stderr)
        name, text, _ = lines[-1]  # the text that was begun and did not end
        failures.append(Failure(name, Seed(*text), "did not end within its processor time"))
        del rest[: rest.index(name) + 1]
    return failures


def _attacked(task: dict[str, Any]) -> None:
    """Attack readers in this process; write each text before it is read, and each failure."""
    known = importlib.import_module(task["module"]).readers()
    warnings.simplefilter("ignore")
    gc.disable()  # collecting many small objects grows by rules of its own
    for name in task["readers"]:
        for text in texts_for(known[name], task["inputs"], task["seed"]):
            print(json.dumps([name, text, ""]), flush=True)
            try:
                reason = _fault(known[name], text)
            except Exception as error:
                reason = f"{type(error).__name__}: {error}"[:100]
            if reason:
                print(json.dumps([name, text, reason]), flush=True)
                break
        gc.collect()


def texts_for(reader: Reader, inputs: int, seed: int) -> Iterator[Seed]:
    """So many hostile texts for a reader."""
    return itertools.islice(seeds(reader.patterns, random.Random(f"{seed} {reader.name}")), inputs)


def _fault(reader: Reader, text: Seed) -> str:
    """How the time grows, in words, if it grows too fast."""
    _allow(CPU_LIMIT)
    if not is_suspicious(reader, text):
        return ""
    _allow(20 * CPU_LIMIT)
    found = measured(reader, text, LONG // 4)
    if found.exponent <= LARGEST_EXPONENT:
        return ""
    return f"exponent {found.exponent:.2f}, {found.seconds:.2f} s for {found.size:,} characters"


def _allow(limit: int) -> None:
    """Limit the processor time from now on; more of it ends the process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = math.ceil(used.ru_utime + used.ru_stime) + limit
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


# --- the table of the docs -------------------------------------------------------------------------


def table(inputs: int, seed: int) -> Iterator[str]:
    """Rows of a module: its functions with the largest exponent of each, and the time of the slowest."""
    yield "| module | largest exponent of each function | longest time |"
    yield "|---|---|---:|"
    by_function = itertools.groupby(sorted(readers().values(), key=_place), key=_place)
    for module, group in itertools.groupby(by_function, key=lambda item: item[0][0]):
        exponents, times = [], []
        for (_, function), variants in group:
            grown = [found for reader in variants for found in worst(reader, inputs, seed)]
            slow = [it.exponent for it in grown if it.seconds > 0.01]  # below, it is the time of copying memory
            exponents.append(f"`{function}` {max(slow):.2f}" if slow else f"`{function}` –")
            times.append(max(it.seconds / it.size for it in grown) * 1e6)
        yield f"| `{module}` | {', '.join(exponents)} | {max(times):.2g} s |"


def _place(reader: Reader) -> tuple[str, str]:
    """Module and function of a reader."""
    module, _, function = re.split(r"(\.(?=[A-Za-z_.]+$)|: )", function_of(reader.name), maxsplit=1)
    return module, function


def worst(reader: Reader, inputs: int, seed: int, measurements: int = 3, longest: int = 2_000_000) -> Iterator[Growth]:
    """The growth over the costliest texts, and over those whose time grew most from a short to a long text."""
    times = []
    for text in texts_for(reader, inputs, seed):
        longer = seconds(reader, text.text(LONG))
        grown = longer / seconds(reader, text.text(SHORT)) if longer > SHORTEST_TIME else 0
        times.append((longer, grown, text))
    costliest = sorted(times, key=lambda it: -it[0])[:measurements]
    grown_most = sorted(times, key=lambda it: -it[1])[:measurements]
    for text in dict.fromkeys(text for *_, text in costliest + grown_most):
        size = LONG // 4
        while 8 * size < longest and seconds(reader, text.text(8 * size)) < 0.03:
            size *= 2
        yield measured(reader, text, size)
    gc.collect()


def main() -> None:
    """Attack what standard input says, or print the table."""
    if "--attack" in sys.argv:
        _attacked(json.load(sys.stdin))
        return
    warnings.simplefilter("ignore")
    gc.disable()
    for row in table(int(sys.argv[1]) if len(sys.argv) > 1 else 500, seed=16):
        print(row, flush=True)


if __name__ == "__main__":
    main()
