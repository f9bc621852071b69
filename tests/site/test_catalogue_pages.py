"""The generated pages of the datasets: complete, equal to the edition files, and with examples that run."""

import json
import re

import pytest
from typer.testing import CliRunner

from ir_coliee.cli.command_line import app
from ir_coliee.editions import SPLITS, built_in_editions
from ir_coliee.evaluation.leaderboards import leaderboards

catalogue = pytest.importorskip("catalogue", reason="no docs here")  # docs/_ext

MAIN_SPLITS = [split for edition in built_in_editions() for split in edition.main_splits]


@pytest.fixture(scope="module")
def sections():
    """The text of each edition, by page and edition."""
    found = {}
    for text in catalogue.pages().values():
        _, *parts = re.split(r"^\((\S+)\)=$", text, flags=re.MULTILINE)
        found |= dict(zip(parts[::2], parts[1::2]))
    return found


def test_every_split_has_the_counts_of_the_edition_file():
    pages = catalogue.pages()
    for split in MAIN_SPLITS:
        for each in (split, SPLITS.get(f"{split.id}/as-distributed", split)):
            counts = [each.counts.get(entity) for entity in ("queries", "docs", "qrels")]
            cells = ["–" if count is None else f"{count} {count.certainty}" for count in counts]
            assert f"| `{each.id}` | {' | '.join(cells)} |" in pages[catalogue.page_name(split)]


def test_the_ids_are_those_that_the_command_lists():
    listed = {row["id"] for row in json.loads(CliRunner().invoke(app, ["list", "--json"]).stdout)}
    texts = catalogue.pages().values()
    shown = {name for text in texts for name in re.findall(r"^\|.*`(coliee/[^`]+)` \|", text, re.MULTILINE)}
    assert shown <= listed
    assert {split.id for split in MAIN_SPLITS} <= shown


def test_the_first_official_results_are_shown(sections):
    for (edition, task), board in leaderboards().items():
        text = sections[f"{task.partition('-')[0]}-{edition}"]
        for run in board.listed[: catalogue.RUNS_SHOWN - 1]:  # a baseline is no formal run
            assert catalogue.as_markdown(run.team) in text
            assert str(run.value) in text


@pytest.mark.slow
def test_the_tabs_of_a_task_print_the_same_figures():
    outputs = catalogue.sample_outputs()
    for task in {name.rpartition("-")[0] for name in outputs}:
        python, command_line = (outputs[f"{task}-{number}.txt"] for number in (1, 2))
        numbers = re.findall(r"\d\.\d{4}", python)
        assert numbers
        assert set(numbers) <= set(re.findall(r"\d\.\d{4}", command_line))


def test_names_with_special_characters_are_shown_as_they_are():
    assert catalogue.as_markdown("UB_2025 *") == r"UB\_2025 \*"
    assert catalogue.markdown_table([["a|b"]], "h") == "| h |\n| --- |\n| a\\|b |"
