"""The generated pages of the datasets: complete, equal to the edition files, and with examples that run."""

import json
import re

import pytest
from typer.testing import CliRunner

from ir_coliee.cli.command_line import app
from ir_coliee.datasets.documentation import info_url, overview_papers
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


def section_of(split, sections):
    return sections[info_url(split).partition("#")[2]]


def test_every_edition_and_task_has_a_section_and_a_row_of_the_overview(sections):
    pages = catalogue.pages()
    for split in MAIN_SPLITS:
        assert section_of(split, sections)
        page = catalogue.page_name(split)
        assert f"| [{split.edition}](#{page}-{split.edition}) |" in pages[page]


def test_every_split_has_the_counts_of_the_edition_file(sections):
    for split in MAIN_SPLITS:
        for each in (split, SPLITS.get(f"{split.id}/as-distributed", split)):
            counts = [each.counts.get(entity) for entity in ("queries", "docs", "qrels")]
            cells = ["–" if count is None else f"{count} {count.certainty}" for count in counts]
            assert f"| `{each.id}` | {' | '.join(cells)} |" in section_of(split, sections)


def test_the_ids_are_those_that_the_command_lists():
    listed = {row["id"] for row in json.loads(CliRunner().invoke(app, ["list", "--json"]).stdout)}
    texts = catalogue.pages().values()
    shown = {name for text in texts for name in re.findall(r"^\|.*`(coliee/[^`]+)` \|", text, re.MULTILINE)}
    assert shown <= listed
    assert {split.id for split in MAIN_SPLITS} <= shown


def test_exam_years_have_their_numbers_of_questions():
    page = catalogue.pages()["task3"]
    header, r05 = (next(line for line in page.splitlines() if line.startswith(start)) for start in ("| exam", "| R05"))
    of_edition = dict(zip(header.split(" | "), r05.split(" | ")))
    assert of_edition["2025"] == f"{SPLITS['coliee/task3/2025/en/r05'].counts['queries']} M"


def test_every_official_result_is_shown(sections):
    for (edition, task), board in leaderboards().items():
        text = sections[f"{task.partition('-')[0]}-{edition}"]
        assert f"`ir_coliee leaderboard {edition} {task}`" in text
        for run in board.listed[: catalogue.catalogue_facts.RUNS_SHOWN - 1]:  # a baseline is no formal run
            assert catalogue.as_markdown(run.team) in text
            assert str(run.value) in text


def test_files_forms_notes_exclusions_and_citations_are_shown(sections):
    for split in MAIN_SPLITS:
        text = section_of(split, sections)
        assert all(note in text for note in split.notes)
        assert all(question in text for question in split.excluded)
        assert all(f"`{earlier}`" in text for earlier in split.continues)
        assert all(entry.strip() in catalogue.citations() for entry in overview_papers(split.edition).values())
        assert f"`{split.submission.file}`" in text or "The submission form is that of" in text
        assert split.is_built_in or all(f"`{name}`" in text for name in split.optional_files.get("answers", ()))


def test_the_tabs_of_a_task_print_the_same_first_query_and_figures():
    outputs = catalogue.sample_outputs()
    for task in {name.rpartition("-")[0] for name in outputs}:
        python, command_line, pyterrier = (outputs[f"{task}-{number}.txt"] for number in (1, 2, 3))
        first, *figures = python.splitlines()
        assert pyterrier.splitlines()[0] == first
        qid, gold = first.split(" ", 1)
        assert gold == str([doc for query, doc in re.findall(r"^(\S+) 0 (\S+) 1$", command_line, re.M) if query == qid])
        numbers = re.findall(r"\d\.\d{4}", " ".join(figures))
        assert numbers
        assert set(numbers) <= set(re.findall(r"\d\.\d{4}", command_line))


def test_names_with_special_characters_are_shown_as_they_are():
    assert catalogue.as_markdown("UB_2025 *") == r"UB\_2025 \*"
    assert catalogue.as_markdown("see https://a.b/c_d, p. 1") == "see <https://a.b/c_d>, p. 1"
    assert catalogue.markdown_table([["a|b"]], "h") == "| h |\n| --- |\n| a\\|b |"


def test_only_pages_of_earlier_builds_are_deleted(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "pages", lambda: {"task1": "generated"})
    monkeypatch.setattr(catalogue, "sample_outputs", lambda: {"outputs/1.txt": "printed"})
    folder = tmp_path / "catalogue"
    folder.mkdir()
    for name in ("index.md", "task9-1999.md"):
        (folder / name).write_text("by hand", encoding="utf-8")
    catalogue.write_pages(type("App", (), {"srcdir": str(tmp_path)}))
    assert (folder / "index.md").read_text(encoding="utf-8") == "by hand"
    assert not (folder / "task9-1999.md").exists()
    assert (folder / "outputs" / "1.txt").read_text(encoding="utf-8") == "printed"
    assert (folder / "task1.md").read_text(encoding="utf-8") == "generated"
