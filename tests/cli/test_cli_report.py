"""The command `report`: the page that it writes, what it says, and what it refuses."""

import re
import stat
import sys
from pathlib import Path

import pytest
from analysis.pages.page_checks import problems
from analysis.pages.small_pictures import small_pictures  # noqa: F401  (fixture)
from calls import TEST_IDS

TASK1, TASK2 = TEST_IDS[:2]
A = "900656 900557\n900656 900664\n900795 900754\n900862 900593\n"
B = "900656 900557\n900656 900912\n900795 900754\n900545 900593\n"
RANKING = "900656 Q0 900557 1 3.0 a\n900656 Q0 900664 2 2.0 a\n900656 Q0 900912 3 1.0 a\n900795 Q0 900754 1 0.5 a\n"


@pytest.mark.slow
def test_a_page_is_written_and_named(call, two_runs):
    finished = call("report", TASK1, *two_runs, "--out", "report.html")
    assert (finished.status, finished.out) == (0, "file: report.html\n")
    text = Path("report.html").read_text(encoding="utf-8")
    assert problems(text) == []
    assert "ir_coliee report coliee/task1/sample/test a.run b.run --out report.html" in text
    assert "ir_coliee diff coliee/task1/sample/test a.run b.run" in text
    assert re.search(r'<th scope="row"[^>]*>a.run</th><td[^>]*>ranking</td><td[^>]*>a.run.trec</td>', text)


@pytest.mark.slow
@pytest.mark.usefixtures("small_pictures")
def test_the_command_line_on_the_page_makes_it_again(call, two_runs):
    Path("elsewhere.trec").write_text(RANKING)
    call("report", TASK1, "b.run", "--ranking", "elsewhere.trec", "--with-texts", "--out", "report.html")
    text = Path("report.html").read_text(encoding="utf-8")
    (line,) = re.findall(r"ir_coliee (report .*) --out report\.html", text.split("<script")[0])[:1]
    assert line == f"report {TASK1} b.run --ranking elsewhere.trec"
    assert call(*line.split(), "--out", "again.html").status == 0


@pytest.mark.slow
@pytest.mark.usefixtures("small_pictures")
def test_a_page_with_texts_is_private(call, two_runs):
    finished = call("report", TASK1, *two_runs, "--out", "report.html", "--with-texts")
    assert "data-use agreement" not in finished.out  # the sample is free
    if sys.platform != "win32":
        assert stat.S_IMODE(Path("report.html").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([TASK2, "a.run", "--out", "o.html"], "query ids are known"),
        ([TASK1, "no-such.run", "--out", "o.html"], "no-such.run"),
        ([TASK1, "a.run", "b.run", "--ranking", "a.run.trec", "--out", "o.html"], "rankings has 1 entries for 2 runs"),
        ([TASK1, "a.run", "--out", ".", "--overwrite"], "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_named(call, two_runs, arguments, message):
    finished = call("report", *arguments)
    assert (finished.status, finished.out) == (2, "")
    assert message in finished.err
    assert "Traceback" not in finished.err
    assert len(finished.err.splitlines()[0]) <= 100
    assert not Path("o.html").exists()
