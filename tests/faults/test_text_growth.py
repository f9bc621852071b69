"""Every function that reads a text takes a time in proportion to its length, whatever the text."""

import importlib
import inspect
import pkgutil
import signal
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ir_coliee.text
from ir_coliee.errors import ColieeError
from ir_coliee.releases import civil_code
from ir_coliee.text import analysers

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="Windows has no alarm that ends a pattern without end"),
]

SIZE = 20_000  # characters
SECONDS = 1.0  # of processor time, twenty times what a linear function takes on a slow machine
MODULES = [importlib.import_module(it.name) for it in pkgutil.walk_packages(ir_coliee.text.__path__, "ir_coliee.text.")]
#: Names of arguments that are no text of a user's file, but a name or a setting.
_NAMES = {"name", "unit", "title", "kind", "form", "separator", "term"}

PIECES = [
    *(" ", "\t", "\n", "\r\n", "\n\n", " \n", "\u00a0", "\u3000", "\x85", "\u2028", "\0", "\u0301", "\u3099", "\u0f73"),
    *("1", "1999 ", "１", "一", "三百九十八", "iv", *"()[]{<（）「」\"',"),
    *(".", "...", ";", ":", "-", "_", "*", "|", "、", "。", "・", "a", "A", "é", "ß", "İ", "ｶ", "\ud800", "\U00020000"),
    *("第", "条", "の二", "第一条", "前条", "この節", "第一項", "第一節、"),
    *("及び", "又は", "、かつ", "から", "本文", "は、"),
    *("Article 1", "Articles 1 to 2 ", "that Article of ", "(1)", "(a) ", "Sections 1", ", 1", " of this Part", "the "),
    *("the preceding ", "(except Article 2)", "Part I ", "Deleted", "[1]\n", "\n[1] ", "v.", "FC ", "No. ", "e.g. "),
    *("FRAGMENT_SUPPRESSED", "_SUPPRESSED", "Summary:", "May 1, ", "1er mai 2001 ", "l'", "{query}", "yes", "答え："),
]
#: Opening, repeated pieces and end of texts on which a function was once quadratic, or worse.
FOUND = [
    ("", "that Article of ", "", ""),
    ("", "provisions of Article 1 ", "", ""),
    ("", "第一条は", "", ""),
    ("", "Article 1 (except Article 2) ", "", ""),
    ("Article 1 (except Article 2", "\n", "", "x)"),
    ("Sections 1", ", 1", " of this Part", ""),
    ("第一条（第二条", "、かつ", "", "x）"),
    ("", "第一編", "第一節、", ""),
    ("Article 1", " ", "x", "\nx"),
    ("第一条", " ", "x", "\nx"),
    ("Part I", " ", ".", "x.\nArticle 1 x"),
    ("Article 1 x\n", "x\n", "", ""),
    ("a", "\u0327\u0301", "", ""),
    ("a", "\u0f73", "", ""),
    ("", "A", "", ""),
    ("</think>", "\n", "", ")"),
]


def readers() -> Iterator[tuple[str, Callable[[str], object]]]:
    """Yield every public function that needs one text, and perhaps a language."""
    for module in MODULES:
        for name, function in vars(module).items():
            if name.startswith("_") or not inspect.isfunction(function) or function.__module__ != module.__name__:
                continue
            needed = {it.name: it for it in inspect.signature(function).parameters.values() if it.default is it.empty}
            languages = ["en", "ja"] if needed.pop("language", None) else [None]
            (text, parameter), *others = *needed.items(), ("", None)
            if parameter is None or len(others) > 1 or str(parameter.annotation) != "str" or text in _NAMES:
                continue
            for language in languages:
                fixed = {"language": language} if language else {}
                yield f"{module.__name__[10:]}.{name} {language or ''}", _by_name(function, text, fixed)
    for analyser in (analysers.English(), analysers.Shingles(3, "case"), analysers.JapaneseWords()):
        yield type(analyser).__name__, analyser
    yield "case", analysers.ANALYSERS["case"]


def _by_name(function: Callable[..., object], name: str, fixed: dict[str, str]) -> Callable[[str], object]:
    return lambda text: function(**{name: text}, **fixed)


READERS = dict(readers())


def read(function: Callable[[str], object], text: str) -> float:
    """Read a text; return the processor time. A pattern without end is ended together with the process."""
    start = time.thread_time()
    signal.alarm(60)
    try:
        result = function(text)
        if isinstance(result, Iterator):
            list(result)
    except (ColieeError, ValueError):
        pass
    finally:
        signal.alarm(0)
    return time.thread_time() - start


def hostile(opening: str, first: str, second: str, end: str) -> str:
    times = SIZE // max(len(first + second), 1)
    return opening + first * times + second * times + end


@pytest.mark.parametrize("seed", FOUND)
def test_texts_that_were_slow_once_are_read_in_little_time_by_all(tmp_path, seed):
    text = hostile(*seed)
    slow = {name: taken for name, function in READERS.items() if (taken := read(function, text)) > SECONDS}
    (tmp_path / "code.txt").write_text(text, encoding="utf-8", errors="replace")
    for language in ("en", "ja"):
        code = partial(civil_code.read_text_code, tmp_path / "code.txt")
        assert read(lambda language, code=code: code(language), language) <= SECONDS
    assert slow == {}


@pytest.mark.parametrize("name", READERS)
def test_every_function_reads_hostile_texts_in_little_time(name, is_long):
    pieces = st.sampled_from(PIECES)
    repeated = st.lists(pieces, min_size=1, max_size=3).map("".join)

    @settings(max_examples=500 if is_long else 8, database=None, suppress_health_check=HealthCheck)
    @given(
        st.tuples(pieces | st.just(""), repeated, pieces | st.just(""), st.sampled_from(["", "!", "\nx", ")", "。"]))
    )
    def check(seed):
        assert read(READERS[name], hostile(*seed)) <= SECONDS

    check()
