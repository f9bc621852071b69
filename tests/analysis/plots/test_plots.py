"""Each kind of frame has a drawing that fits its figure, changes nothing, and is the same each time."""

import math
import re
import sys
import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from example_frames import example_frame, kinds

from ir_coliee.analysis import plots
from ir_coliee.analysis.catalogue import ANALYSES
from ir_coliee.analysis.frame import AnalysisFrame
from ir_coliee.analysis.plots import PLOTS
from ir_coliee.errors import ExistingFileError, MissingExtraError

matplotlib = pytest.importorskip("matplotlib")
figure = pytest.importorskip("matplotlib.figure")
text = pytest.importorskip("matplotlib.text")

LONG = "coliee-task1-2025-test.a_run_with_a_long_name_"
RUNS = {"three runs": ["bm25", "learned", "mine"], "long names": [f"{LONG}{number}" for number in range(20)]}


def texts_of(ax):
    """Return the texts that are drawn; ticks outside the limits of an axis are not."""
    for _ in range(2):  # as savefig does, because the layout needs the ticks
        ax.get_figure().draw_without_rendering()
    hidden = set()
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        hidden |= {tick.label1 for tick in axis.get_major_ticks() if not low - 1e-9 <= tick.get_loc() <= high + 1e-9}
    found = ax.get_figure().findobj(text.Text)
    return [each for each in found if each not in hidden and each.get_visible() and each.get_text().strip()]


def test_every_analysis_of_the_catalogue_has_a_drawing_and_an_example():
    assert set(ANALYSES) - {"drift", "items"} <= set(PLOTS)
    assert kinds() == sorted(PLOTS)


@pytest.mark.parametrize("kind", kinds())
@pytest.mark.parametrize(
    ("runs", "width"), [("three runs", 5.5), pytest.param("long names", 3.3, marks=pytest.mark.long)]
)
def test_all_text_is_within_the_figure_and_labels_do_not_overlap(kind, runs, width):
    frame = example_frame(kind, RUNS[runs])
    before = pd.DataFrame(frame).copy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = frame.plot(width=width)
    pd.testing.assert_frame_equal(pd.DataFrame(frame), before)
    texts, whole = texts_of(ax), ax.get_figure().bbox
    assert whole.width / ax.get_figure().dpi == width
    boxes = [(each, each.get_window_extent()) for each in texts]
    for each, box in boxes:
        assert min(box.x0 - whole.x0, whole.x1 - box.x1, box.y0 - whole.y0, whole.y1 - box.y1) > -1, each.get_text()
    inside = {*ax.texts}  # the numbers of bars and points are within the data area
    names = [each.get_text() for each, _ in boxes if each not in inside]
    x0, y0, x1, y1 = np.array([box.extents for each, box in boxes if each not in inside]).reshape(-1, 4).T
    across = np.minimum.outer(x1, x1) - np.maximum.outer(x0, x0)
    down = np.minimum.outer(y1, y1) - np.maximum.outer(y0, y0)
    overlapping = np.argwhere(np.triu(np.minimum(across, down) >= 1, 1))
    assert not [(names[one], names[other]) for one, other in overlapping]


@pytest.mark.slow
@pytest.mark.parametrize("kind", kinds())
def test_empty_frames_say_so_and_missing_values_are_left_out(kind):
    frame = example_frame(kind)
    ax = AnalysisFrame.of(frame.iloc[:0], kind=kind, title="t").plot()
    assert [each.get_text() for each in texts_of(ax) if each.get_text() == "nothing to show"]
    for column in frame.select_dtypes("float").columns.difference(["beta"]):
        missing = AnalysisFrame.of(frame.assign(**{column: np.nan}), kind=kind, title=frame.title)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            drawn = missing.plot(width=3.3)
        assert not [each.get_text() for each in texts_of(drawn) if "nan" in each.get_text().lower()]


@pytest.mark.parametrize("kind", ["recall_by_depth", "losses"])
def test_names_are_text_and_not_formulas(kind):
    names = ["$\\frac{a$", "_hidden", "a\nb", "x" * 200, "<b>"]
    shown = " ".join(each.get_text() for each in texts_of(example_frame(kind, names).plot(width=3.3)))
    for name in (r"$\frac{a$", "_hidden", r"a\nb", "<b>"):
        assert name in shown


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["cutoff_curve", "losses"])
def test_equal_frames_give_equal_pictures_also_in_threads(kind):
    drawn = []

    def draw():
        drawn.append(plots.picture(example_frame(kind)).svg)

    threads = [threading.Thread(target=draw) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(drawn) == 2
    assert len({*drawn}) == 1


def test_a_picture_is_one_element_that_loads_nothing():
    picture = plots.picture(example_frame("losses"))
    assert re.fullmatch(r"<svg .*</svg>", picture.svg, re.DOTALL)
    assert not re.findall(r"<script|<metadata|href=\"[^#]", picture.svg)


@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_precision_and_recall_on_a_line_of_equal_f_have_this_f(beta):
    frame = example_frame("precision_recall")
    ax = AnalysisFrame.of(frame.assign(beta=beta), kind=frame.kind, title="t").plot()
    (contours,) = (each for each in ax.collections if hasattr(each, "levels"))
    for value, path in zip(contours.levels, contours.get_paths()):
        recall, precision = path.vertices[(path.vertices > 0.02).all(axis=1)].T
        assert (1 + beta**2) * precision * recall / (beta**2 * precision + recall) == pytest.approx(value, abs=1e-3)


def test_the_bars_of_a_waterfall_begin_where_the_level_before_ends():
    frame = example_frame("losses", ["bm25"])
    bars = [(patch.get_x(), patch.get_x() + patch.get_width()) for patch in frame.plot().patches]
    left = 0
    for (start, end), kind in zip(bars, frame["type"]):
        assert {"level": start == 0, "loss": end == left, "gain": start == left}[kind]
        left = start if kind == "loss" else end
    assert left == frame["items"].iloc[-1]


def test_notebooks_show_the_picture_of_a_plot_as_it_is_now():
    formatters = pytest.importorskip("IPython.core.formatters")
    ax = example_frame("losses").plot()
    before = formatters.SVGFormatter()(ax)
    assert before.startswith("<svg")
    ax.set_xlabel("articles")
    assert formatters.SVGFormatter()(ax) != before


def test_series_differ_without_their_colours():
    styles = [plots.line_style(number) for number in range(20)]
    assert len({(each["marker"], str(each["linestyle"])) for each in styles}) == 20
    assert len({plots.bar_style(number)["hatch"] for number in range(7)}) == 7
    assert len({(each["facecolor"], each["hatch"]) for each in map(plots.bar_style, range(42))}) == 42


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_saved_files_are_equal_and_not_written_over(tmp_path, ending):
    for name in ("a", "b"):
        plots.save(example_frame("agreement").plot(), tmp_path / f"{name}.{ending}")
    assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()
    with pytest.raises(ExistingFileError):
        plots.save(example_frame("losses").plot(), tmp_path / f"a.{ending}")
    plots.save(example_frame("losses").plot(), tmp_path / f"a.{ending}", overwrite=True)


def test_fonts_of_pdf_files_are_true_type_and_settings_stay(tmp_path):
    before = dict(matplotlib.rcParams)
    plots.save(example_frame("agreement").plot(), tmp_path / "a.pdf")
    written = (tmp_path / "a.pdf").read_bytes()
    assert b"/Type3" not in written
    assert b"/CIDFontType2" in written
    assert dict(matplotlib.rcParams) == before


def test_another_ending_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"\.svg, \.pdf or \.png"):
        plots.save(example_frame("agreement").plot(), tmp_path / "a.jpg")


def test_without_matplotlib_the_frames_work(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    frame = example_frame("agreement")
    assert "learned" in str(frame)
    with pytest.raises(MissingExtraError, match="plot"):
        frame.plot()


def test_a_kind_without_a_drawing_names_the_others():
    with pytest.raises(ValueError, match="no plot; there are plots of ablations"):
        AnalysisFrame.of(pd.DataFrame(), kind="properties", title="t").plot()


@pytest.mark.parametrize("width", [0, -1, 1, math.nan, 1e9, "wide"])
def test_a_width_is_a_number_of_inches(width):
    with pytest.raises(ValueError, match="width must be from 2 to 100 inches, got"):
        plots.new_axes(width)
