"""The bar in a Jupyter notebook that is executed for real."""

import pytest

pytestmark = pytest.mark.slow

#: Each look at the clock is a second later than the last one, and `show` draws what the thread would draw later.
SETUP = """
import itertools
import ir_coliee.progress
from ir_coliee.progress import monitor, progress, stage, stages

ir_coliee.progress._MONITOR = watched = monitor.Monitor(clock=itertools.count().__next__)
"""
STAGES = """
with stages("learned run", ["words", "n-grams"]):
    with stage("words"):
        for number in progress(range(3), "indexing <task 1>", unit="documents"):
            watched.show()
    with stage("n-grams"):
        watched.show()
        print("printed")
"""
UNFINISHED = """
from ir_coliee.progress import Status
from ir_coliee.progress import NotebookBar

NotebookBar().show(Status(("2 of 6: n-grams",), "indexing <task 1>", 1200, 3600, "documents", 12.0, 24.0))
"""
FAILING = """
def build(documents):
    for document in documents:
        watched.show()
        raise KeyError("x")

build(progress(range(3), "failing"))
"""
AFTERWARDS = """
for number in progress(range(2), "afterwards", unit="queries"):
    watched.show()
"""
BY_THE_THREAD = """
NotebookBar.delay = NotebookBar.interval = 0.01
seen = monitor.Event()
show = NotebookBar.show
NotebookBar.show = lambda bar, now: (show(bar, now), seen.set())
for number in progress(range(1), "seen", unit="queries"):
    assert seen.wait(30)
"""


@pytest.fixture(scope="module")
def cells():
    """The outputs of each cell."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    sources = [SETUP, STAGES, UNFINISHED, FAILING, AFTERWARDS, BY_THE_THREAD]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    nbclient.NotebookClient(notebook, allow_errors=True, kernel_name="python3").execute()
    return [cell["outputs"] for cell in notebook["cells"]]


def bars(outputs):
    return [output["data"] for output in outputs if output["output_type"] == "display_data"]


def test_one_line_with_the_time_remains_of_a_computation_with_stages(cells):
    printed = [output["text"] for output in cells[1] if output["output_type"] == "stream"]
    assert printed == ["printed\n"]
    assert bars(cells[1]) == [
        {"text/html": "<div>learned run: 2 stages, 11 s</div>", "text/plain": "learned run: 2 stages, 11 s"}
    ]


def test_a_running_loop_is_a_bar_without_scripts(cells):
    (bar,) = bars(cells[2])
    assert bar["text/html"] == (
        '<div><progress max="100" value="33"></progress> 33 % 2 of 6: n-grams, indexing &lt;task 1&gt; '
        "1,200/3,600 documents [00:12&lt;00:24]</div>"
    )
    assert bar["text/plain"].startswith("2 of 6: n-grams, indexing <task 1>: 33 %, 1,200 of 3,600 documents, 12 s")


def test_a_loop_that_failed_is_not_shown_in_later_cells(cells):
    assert any(output["output_type"] == "error" and output["ename"] == "KeyError" for output in cells[3])
    assert [bar["text/plain"] for bar in bars(cells[4])] == ["afterwards: 2 queries, 4.0 s"]


def test_the_thread_draws_in_the_cell_that_it_belongs_to(cells):
    (bar,) = bars(cells[5])
    assert bar["text/plain"].startswith("seen: ")
