"""The page docs/reference/measures.md is what the measures declare."""

import re
import subprocess
import sys
from pathlib import Path

import ir_measures
import pytest

import ir_coliee
from ir_coliee.editions import SPLITS
from ir_coliee.measures import MEASURES
from ir_coliee.measures.base import ParamInfo
from ir_coliee.measures.documentation import page

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "measures.md"


def section(measure):
    return page().partition(f"### {measure.NAME}\n")[2].partition("\n##")[0]


@pytest.mark.skipif(not PAGE.exists(), reason="no docs here")
def test_the_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m ir_coliee.measures > docs/reference/measures.md"


def test_the_command_prints_the_page():
    finished = subprocess.run([sys.executable, "-m", "ir_coliee.measures"], capture_output=True, check=True)
    assert finished.stdout.decode() == page()


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_a_measure_declares_all_that_is_said_of_it(measure):
    for declared in (measure.PRETTY_NAME, measure.SHORT_DESC, measure.FORMULA, measure.UNDEFINED, measure.SOURCE):
        assert declared.strip()
        assert declared == measure.PRETTY_NAME or declared in section(measure)
    assert type(measure).__doc__
    for name, about in measure.SUPPORTED_PARAMS.items():
        assert isinstance(about, ParamInfo)
        assert f"`{name}`: {about.desc}; by default {about.default!r}" in section(measure)
    for column in (*measure.RUN_INPUTS, *measure.QREL_INPUTS):
        assert column in section(measure)


def test_every_public_measure_has_a_section():
    sections = re.findall(r"^### (\w+)$", page(), re.MULTILINE)
    assert sorted(sections) == [name for name in ir_coliee.__all__ if name[0].isupper()]


def test_the_official_measure_of_every_edition_is_in_the_table():
    rows = re.findall(r"\(`(\w+)`\) \| (\d{4})(?: to (\d{4}))? \| `(\w+)` \|", page())
    listed = {
        (task, str(year)): measure
        for task, first, last, measure in rows
        for year in range(int(first), int(last or first) + 1)
    }
    table = {(split.task, split.edition): split.measure for split in SPLITS.values() if split.edition != "sample"}
    assert listed == table
    for measure in listed.values():
        assert ir_measures.parse_measure(measure) in MEASURES


def test_the_examples_of_the_page_run(capsys):
    examples = re.findall(r"```python\n(.*?)```", page(), re.DOTALL)
    assert examples
    for example in examples:
        exec(compile(example, "measures.md", "exec"), {})
    assert "GatedAccuracy" in capsys.readouterr().out
