"""The names that edition files may use for synthetic releases are those that the writer implements."""

import re
from pathlib import Path

import pytest
import yaml

import ir_coliee.synthetic
from ir_coliee.editions import PAIR_FORMS, SPLITS, built_in_editions
from ir_coliee.synthetic import pair_files
from ir_coliee.synthetic.exam_years import exam_year
from ir_coliee.synthetic.styles import case_law_style, statute_style, tort_style

IRREGULARITIES = yaml.safe_load((Path(__file__).parents[2] / "docs" / "_ext" / "irregularities.yaml").read_text())
SOURCES = "\n".join(path.read_text() for path in Path(ir_coliee.synthetic.__file__).parent.glob("*.py"))


def test_the_forms_of_pair_files_are_those_that_are_written():
    assert list(pair_files.FORMS) == list(PAIR_FORMS)


def test_every_exam_year_of_an_edition_has_a_form_and_facts():
    years = {year for split in SPLITS.values() if not split.is_built_in for year in split.exam_years}
    assert {exam_year(year).english_form for year in years} <= set(PAIR_FORMS)
    assert exam_year("H20").options == "12345"
    assert exam_year("R77").options == "AIUEO"


@pytest.mark.parametrize("irregularity", IRREGULARITIES)
def test_every_irregularity_is_implemented_and_described(irregularity):
    assert f'"{irregularity}"' in SOURCES
    assert re.fullmatch(r"[A-Z].*\.", IRREGULARITIES[irregularity])


def test_every_irregularity_is_listed_by_an_edition():
    listed = set()
    for edition in built_in_editions():
        for split in edition.main_splits:
            style = (
                tort_style if split.layout == "JSON Lines" else statute_style if split.exam_years else case_law_style
            )
            assert style(split, irregular=False).irregularities == frozenset()
            listed |= style(split, irregular=True).irregularities
    assert listed == set(IRREGULARITIES)
