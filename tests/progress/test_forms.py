"""Logs and terminals: which form is chosen, and what is written."""

import io
import sys
import threading

import pytest
from tqdm import tqdm

import ir_coliee.progress
from ir_coliee.progress import Log, Monitor, Status, TerminalBar, bar_line, choose_form, progress

NOW = Status(("2 of 6: n-grams",), "indexing coliee/task1/sample/train", 1200, 3600, "documents", 12.0, 24.0)


class Stream(io.StringIO):
    def __init__(self, is_terminal=True, encoding="utf-8"):
        super().__init__()
        self.is_terminal, self.chosen_encoding = is_terminal, encoding

    def isatty(self):
        return self.is_terminal

    @property
    def encoding(self):
        return self.chosen_encoding


@pytest.mark.parametrize(
    ("is_terminal", "term", "form"),
    [(True, "xterm", TerminalBar), (True, "dumb", Log), (False, "xterm", Log)],
)
def test_a_bar_is_for_terminals_and_lines_are_for_everything_else(monkeypatch, is_terminal, term, form):
    monkeypatch.setattr(sys, "stderr", Stream(is_terminal))
    monkeypatch.setenv("TERM", term)
    assert type(choose_form()) is form


def test_a_log_is_never_silent_for_ten_seconds_and_has_no_line_soon_after_another_one():
    seconds, written, stream = 0, [], Stream(is_terminal=False)
    log = Log(stream, lambda: seconds)
    for seconds in range(1, 40):  # the thread shows the status every second
        before = len(stream.getvalue())
        log.show(NOW)
        if seconds == 18:
            log.report("2 of 6: n-grams: 18 s")
        written += [seconds] * (len(stream.getvalue()) > before)
    assert Log.interval == 1
    assert written == [3, 11, 18, 26, 34]
    assert stream.getvalue().splitlines()[1:3] == [
        "2 of 6: n-grams, indexing coliee/task1/sample/train: 33 %, 1,200 of 3,600 documents, 12 s, about 24 s left",
        "2 of 6: n-grams: 18 s",
    ]


@pytest.mark.parametrize("form", [Log, TerminalBar])
def test_a_computation_goes_on_if_its_log_or_terminal_is_closed(form):
    stream = Stream()
    shown = form(stream)
    stream.close()
    shown.show(NOW)
    shown.report("2 of 6: n-grams: 36 s")
    shown.close()


def test_a_terminal_that_cannot_encode_the_bar_gets_one_of_ascii():
    stream = Stream(encoding="ascii")
    TerminalBar(stream).show(NOW)
    assert "#" in stream.getvalue()
    stream.getvalue().encode("ascii")


@pytest.mark.parametrize("width", range(10, 140))
def test_a_bar_fits_into_the_width_and_its_figures_are_whole(width):
    line = bar_line(NOW, width)
    assert line.endswith("1,200/3,600 documents [00:12<00:24]")
    assert len(line) <= max(width, len("...  33 % 1,200/3,600 documents [00:12<00:24]"))


def test_what_is_left_out_first_is_the_bar_then_the_loop():
    lines = [bar_line(NOW, width, unicode=False) for width in (120, 105, 80, 60, 50)]
    assert lines == [
        "2 of 6: n-grams, indexing coliee/task1/sample/train  33 % #######------------- "
        "1,200/3,600 documents [00:12<00:24]",
        "2 of 6: n-grams, indexing coliee/task1/sample/train  33 % ###------- 1,200/3,600 documents [00:12<00:24]",
        "2 of 6: n-grams  33 % #######------------- 1,200/3,600 documents [00:12<00:24]",
        "2 of 6: n-grams  33 % 1,200/3,600 documents [00:12<00:24]",
        "2 of ...  33 % 1,200/3,600 documents [00:12<00:24]",
    ]


def test_the_stages_around_the_current_one_are_left_out_too():
    now = NOW._replace(stages=("1 of 2: learned", *NOW.stages))
    lines = [bar_line(now, width, unicode=False) for width in (125, 80, 60)]
    assert lines == [
        "1 of 2: learned, 2 of 6: n-grams, indexing coliee/task1/sample/train  33 % ###------- "
        "1,200/3,600 documents [00:12<00:24]",
        "1 of 2: learned, 2 of 6: n-grams  33 % 1,200/3,600 documents [00:12<00:24]",
        "2 of 6: n-grams  33 % 1,200/3,600 documents [00:12<00:24]",
    ]


def test_other_output_removes_the_bar_and_an_open_line_keeps_it_away(monkeypatch):
    stream = Stream()
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "stderr", stream)
    bar = TerminalBar(stream)
    bar.show(NOW)
    written = len(stream.getvalue())
    print("an open line", end="")
    assert stream.getvalue()[written:].strip("\r ") == "an open line"
    bar.show(NOW)
    assert stream.getvalue().endswith("an open line")
    print(" that ends")
    bar.show(NOW)
    assert stream.getvalue().endswith("[00:12<00:24]")
    bar.close()
    assert sys.stdout is sys.stderr is stream


def test_a_loop_can_end_in_the_middle_of_a_print(monkeypatch):
    """The loop of a generator ends when its last reference is removed, which can happen at any time."""
    is_showing = threading.Event()

    def clock():
        if threading.current_thread().name == "drawing":
            is_showing.set()
        return 0.0

    monitor = Monitor(lambda: TerminalBar(stream), clock)

    class Collecting(Stream):
        def write(self, text):
            if text == "printed":
                drawing.start()
                is_showing.wait(0.1)
                loop.close()
            return super().write(text)

    stream = Collecting()
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(ir_coliee.progress, "_MONITOR", monitor)
    loop = progress("abc", "indexing")
    next(loop)
    monitor.show()
    drawing = threading.Thread(target=monitor.show, name="drawing", daemon=True)
    printing = threading.Thread(target=print, args=("printed",), daemon=True)
    printing.start()
    printing.join(5)
    assert not printing.is_alive()
    drawing.join(5)
    assert not drawing.is_alive()


def test_the_bar_leaves_room_for_the_sign_of_an_interrupt(monkeypatch):
    stream = Stream()
    monkeypatch.setattr(sys, "stderr", stream)
    bar = TerminalBar(stream)
    bar.show(NOW._replace(stages=("a stage with a long name " * 9,)))
    shown = stream.getvalue()[1:]
    assert len(shown) == 80 - 1 - len("^C")
    stream.write("^C")
    bar.clear()
    assert stream.getvalue().endswith("^C\r" + " " * len(shown + "^C") + "\r")


def test_a_report_is_not_written_into_the_bar_of_another_library(monkeypatch):
    stream = Stream()
    monkeypatch.setattr(sys, "stderr", stream)
    other = tqdm(total=2, desc="an experiment", file=stream)
    bar = TerminalBar(stream)
    bar.report("indexing: 14 s")
    bar.close()
    other.close()
    assert "\nindexing: 14 s\n" in stream.getvalue()
