"""What is shown of stages and loops, with a clock that is set by hand: nothing waits."""

import sys
import threading

import pytest

import ir_coliee.progress
from ir_coliee.progress import Monitor, progress, quiet, sentence, stage, stages, steps


class Screen:
    """A form of progress that keeps what it is given."""

    delay = interval = 1000.0  # the thread never shows anything; the tests call Monitor.show

    def __init__(self):
        self.shown, self.reports, self.closed = [], [], 0

    def show(self, now):
        self.shown.append(sentence(now))

    def report(self, line):
        self.reports.append(line)

    def close(self):
        self.closed += 1


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def screen():
    return Screen()


@pytest.fixture
def monitor(monkeypatch, screen, clock):
    monitor = Monitor(lambda: screen, clock)
    monkeypatch.setattr(ir_coliee.progress, "_MONITOR", monitor)
    return monitor


def test_a_loop_shows_its_share_and_an_estimate_and_reports_its_time(monitor, screen, clock):
    for number in progress(range(4), "indexing", unit="documents"):
        if number == 1:
            monitor.show()
        clock.now += 3
    assert screen.shown == ["indexing: 25 %, 1 of 4 documents, 3.0 s, about 9.0 s left"]
    assert screen.reports == ["indexing: 4 documents, 12 s"]
    assert screen.closed == 1


def test_a_short_loop_is_not_mentioned(monitor, screen, clock):
    for _ in progress(range(4), "indexing"):
        clock.now += 0.1
    assert screen.reports == []


def test_a_loop_of_unknown_length_has_no_estimate(monitor, screen, clock):
    for _ in progress(iter("abc"), "reading", unit="lines"):
        clock.now += 5
        monitor.show()
    assert screen.shown[-1] == "reading: 2 lines, 15 s so far"
    assert screen.reports == ["reading: 3 lines, 15 s"]


def test_stages_are_numbered_by_their_names_and_those_that_are_skipped_count(monitor, screen, clock):
    with stages("learned", ["words", "n-grams", "fitting"]):
        monitor.show()
        with stage("words"):
            clock.now += 2
        with stage("fitting"):
            clock.now += 70
            monitor.show()
    assert screen.shown == ["learned: 0.0 s so far", "3 of 3: fitting: 1 min 10 s so far"]
    assert screen.reports == ["1 of 3: words: 2.0 s", "3 of 3: fitting: 1 min 10 s", "learned: 3 stages, 1 min 12 s"]


def test_a_stage_that_was_not_announced_is_a_detail(monitor, screen, clock):
    with stages("learned", ["words", "n-grams"]):
        with stage("indexing"):  # of a function that is called between the stages
            clock.now += 1
            monitor.show()
        with stage("n-grams"), stage("words of task 1"):
            monitor.show()
    assert screen.shown == ["learned, indexing: 1.0 s so far", "2 of 2: n-grams, words of task 1: 0.0 s so far"]
    assert screen.reports == ["learned: 2 stages, 1.0 s"]


def test_loops_in_a_stage_are_shown_with_it_and_those_inside_them_are_not(monitor, screen, clock):
    with stages("learned", ["words", "n-grams"]), stage("n-grams"):
        for _ in progress(range(2), "blocks"):
            for _ in progress(range(3), "rows"):
                clock.now += 1
            monitor.show()
    assert screen.shown == [
        "2 of 2: n-grams, blocks: 0 %, 0 of 2, 3.0 s so far",
        "2 of 2: n-grams, blocks: 50 %, 1 of 2, 6.0 s, about 6.0 s left",
    ]
    assert screen.reports == ["2 of 2: n-grams: 6.0 s", "learned: 2 stages, 6.0 s"]
    assert screen.closed == 1


def test_stages_in_a_stage_are_one_line_with_it(monitor, screen, clock):
    outer = stages("baselines", ["bm25", "learned"]), stage("learned")
    inner = stages("learned", ["words", "n-grams"]), stage("n-grams")
    with outer[0], outer[1], inner[0], inner[1]:
        clock.now += 1
        monitor.show()
    assert screen.shown == ["2 of 2: learned, 2 of 2: n-grams: 1.0 s so far"]
    assert screen.reports == [
        "2 of 2: learned, 2 of 2: n-grams: 1.0 s",
        "2 of 2: learned: 1.0 s",
        "baselines: 2 stages, 1.0 s",
    ]


def in_thread(function):
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()


def test_the_loops_of_other_threads_are_shown_while_the_first_has_none(monitor, screen, clock):
    def other():
        with stage("of the other thread"):
            for _ in progress("ab", "fitting"):
                monitor.show()
                clock.now += 1

    with stages("learned", ["search", "fit"]), stage("search"):
        in_thread(other)
        for _ in progress("ab", "indexing"):
            in_thread(other)
    assert screen.shown[0] == "1 of 2: search, of the other thread, fitting: 0 %, 0 of 2, 0.0 s so far"
    assert screen.shown[2] == "1 of 2: search, indexing: 0 %, 0 of 2, 0.0 s so far"
    assert screen.reports == ["1 of 2: search: 6.0 s", "learned: 2 stages, 6.0 s"]


def test_an_error_in_a_stage_or_loop_is_reported_as_a_stop(monitor, screen, clock):
    def failing():
        yield 1
        clock.now += 3
        raise KeyError("x")

    with pytest.raises(KeyError), stage("fitting"):
        list(progress(failing(), "rows"))
    assert screen.reports == ["fitting: stopped after 3.0 s"]
    assert screen.closed == 1


def test_a_stage_that_cannot_be_read_from_the_cache_is_not_reported_as_read(monitor, screen, clock):
    with stages("learned", ["words", "n-grams"]):
        with pytest.raises(ValueError, match="damaged"), stage("words", from_cache=True):
            raise ValueError("damaged")
        with stage("n-grams", from_cache=True):
            pass
    assert screen.reports == ["2 of 2: n-grams: from cache"]


def test_a_group_of_one_stage_is_not_counted(monitor, screen, clock):
    with stages("baseline", ["bm25"]), stage("bm25"):
        clock.now += 1
    assert screen.reports == ["1 of 1: bm25: 1.0 s", "baseline: 1.0 s"]


def test_the_only_step_of_a_loop_is_not_counted(monitor, screen, clock):
    for _ in progress(["R99-01-A"], "asking", unit="questions"):
        clock.now += 1
    assert screen.reports == ["asking: 1.0 s"]


def test_a_loop_of_a_cell_that_failed_is_not_shown_in_later_cells(monitor, screen, clock, monkeypatch):
    def build(documents):  # a traceback keeps the arguments
        for _ in documents:
            clock.now += 2
            raise KeyError("x")

    with pytest.raises(KeyError) as kept:
        build(progress("abc", "indexing"))
    monkeypatch.setattr(sys, "last_value", kept.value, raising=False)  # as prompts and notebooks do
    monitor.show()
    assert screen.reports == ["indexing: stopped after 2.0 s"]
    assert (screen.shown, screen.closed) == ([], 1)
    assert [*progress("ab", "afterwards")] == ["a", "b"]
    assert screen.closed == 2


def test_a_loop_that_another_function_has_begun_goes_on(monitor, screen, clock):
    def without_title(lines):
        assert next(lines) == "title"
        return lines

    for _ in without_title(progress(["title", "one", "two"], "reading", unit="lines")):
        clock.now += 1
        monitor.show()
    assert screen.shown == [
        "reading: 33 %, 1 of 3 lines, 1.0 s, about 2.0 s left",
        "reading: 66 %, 2 of 3 lines, 2.0 s, about 1.0 s left",
    ]
    assert screen.reports == ["reading: 3 lines, 2.0 s"]


def test_a_loop_that_is_left_early_ends(monitor, screen, clock):
    for _ in progress("abc", "indexing", unit="documents"):
        clock.now += 1
        break
    assert screen.reports == ["indexing: 1 of 3 documents, 1.0 s"]


def test_steps_are_counted_from_those_that_are_done(monitor, screen, clock):
    with steps("asking", total=10, done=8, unit="questions") as advance:
        clock.now += 4
        advance()
        monitor.show()
    assert screen.shown == ["asking: 90 %, 9 of 10 questions, 4.0 s, about 4.0 s left"]


def test_quiet_and_not_verbose_show_nothing(monitor, screen, clock):
    with quiet(), stages("learned", ["words"]), stage("words"), steps("asking", total=1) as advance:
        assert [*progress("ab", "indexing")] == ["a", "b"]
        advance()
    with steps("asking", total=1, verbose=False):
        assert [*progress("ab", "indexing", verbose=False)] == ["a", "b"]
    clock.now += 1
    assert screen.closed == 0


def test_without_stderr_nothing_is_shown(monitor, screen, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert [*progress("ab", "indexing")] == ["a", "b"]
    assert screen.closed == 0


def test_a_worker_process_shows_nothing(monitor, screen, monkeypatch):
    monkeypatch.setattr("multiprocessing.parent_process", lambda: object())
    assert [*progress("ab", "indexing")] == ["a", "b"]
    assert screen.closed == 0


def test_a_stage_without_a_number_is_a_detail_of_the_stage_around_it(monitor, screen, clock):
    def index():
        with stage("indexing task 1"):
            for _ in progress(["d1", "d2"], "reading", unit="documents"):
                clock.now += 1
            monitor.show()

    index()
    with stages("learned", ["words", "n-grams"]), stage("n-grams"):
        index()
    assert screen.shown == ["indexing task 1: 2.0 s so far", "2 of 2: n-grams, indexing task 1: 2.0 s so far"]
    assert screen.reports == ["indexing task 1: 2.0 s", "2 of 2: n-grams: 2.0 s", "learned: 2 stages, 2.0 s"]


def test_not_verbose_stages_show_nothing(monitor, screen, clock):
    with stage("indexing", verbose=False):
        clock.now += 1
    assert screen.closed == 0


@pytest.mark.parametrize("total", ["x", 1.5, -1])
def test_a_total_that_is_no_number_is_refused_where_it_is_given(total):
    with pytest.raises(ValueError, match="total must be an integer >= 0"), steps("asking", total=total):
        pass
