"""The generated pages of the datasets: complete, equal to the edition files, and with examples that run."""

import json
import os
import re
import warnings

import pytest
from typer.testing import CliRunner

from ir_coliee.cli.command_line import app
from ir_coliee.datasets.documentation import overview_papers
from ir_coliee.editions import SPLITS, built_in_editions
from ir_coliee.errors import ColieeWarning
from ir_coliee.evaluation.leaderboards import leaderboards
from ir_coliee.synthetic import write_release

catalogue = pytest.importorskip("catalogue", reason="no docs here")  # docs/_ext
catalogue_examples = pytest.importorskip("catalogue_examples")

MAIN_SPLITS = [split for edition in built_in_editions() for split in edition.main_splits]
TASKS = {(split.edition, split.task): catalogue.example_split(split) for split in MAIN_SPLITS}
#: The newest edition of each task and form of files; .ci/run docs runs the others, and building the site the sample.
NEWEST = {(split.task, split.layout, split.measure): split for split in TASKS.values() if not split.is_built_in}
IN_THE_DOCS_STEP = "COLIEE_SITE" in os.environ
WITH_EXAMPLES = [
    split for split in TASKS.values() if not split.is_built_in and (split in NEWEST.values()) is not IN_THE_DOCS_STEP
]


@pytest.fixture(scope="module")
def texts():
    return catalogue.pages()


def page_of(split, texts):
    return texts[catalogue.page_name(split)]


@pytest.mark.parametrize("split", WITH_EXAMPLES, ids=lambda split: split.id)
def test_the_tabs_run_and_agree(split, tmp_path, monkeypatch):
    write_release(catalogue.release_id(split), tmp_path / "data", scale=0.002)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ColieeWarning)
        warnings.filterwarnings("ignore", ".*though its name has no year", ColieeWarning)  # the release is smaller
        python, command_line, pyterrier = map(catalogue_examples.run, catalogue_examples.examples(split))
    first, *figures = python.splitlines()
    assert pyterrier.splitlines()[0] == first
    qid, gold = first.split(" ", 1)
    assert gold == str([docno for query, docno in re.findall(r"^(\S+) 0 (\S+) 1$", command_line, re.M) if query == qid])
    numbers = re.findall(r"\d\.\d{4}", " ".join(figures))
    assert numbers
    assert set(numbers) <= set(re.findall(r"\d\.\d{4}", command_line))
    assert split.measure in pyterrier


def test_every_edition_and_task_has_a_page(texts):
    assert set(texts) == {catalogue.page_name(split) for split in MAIN_SPLITS}
    overview = catalogue.overview()
    for name in texts:
        assert f"]({name}.md)" in overview
        assert f" <{name}>\n" in overview


def test_every_id_is_on_its_page_with_the_counts_of_the_edition_file(texts):
    for split in SPLITS.values():
        counts = [split.counts.get(entity) for entity in ("queries", "docs", "qrels")]
        cells = ["–" if count is None else f"{count} {count.certainty}" for count in counts]
        is_year = split.name not in ("train", "test") and "/" not in split.name
        row = f"| `{split.id}` | {' | '.join(cells[::2] if is_year else cells)} |"
        if not split.name.endswith("/as-distributed") or split.name.startswith(("train", "test")):
            assert row in page_of(split, texts), row


def test_the_ids_are_those_that_the_command_lists(texts):
    listed = {row["id"] for row in json.loads(CliRunner().invoke(app, ["list", "--json"]).stdout)}
    shown = {name for text in texts.values() for name in re.findall(r"^\|.*`(coliee/[^`]+)` \|", text, re.MULTILINE)}
    assert shown <= listed
    assert {split.id for split in MAIN_SPLITS} <= shown


def test_every_official_result_is_shown(texts):
    for (edition, task), board in leaderboards().items():
        text = texts[f"{task.partition('-')[0]}-{edition}"]
        assert f"`ir_coliee leaderboard {edition} {task}`" in text
        for run in board.listed[: catalogue.catalogue_facts.RUNS_SHOWN - 1]:  # a baseline is no formal run
            assert catalogue.as_markdown(run.team) in text
            assert str(run.value) in text


def test_notes_exclusions_and_citations_are_shown(texts):
    for split in MAIN_SPLITS:
        text = page_of(split, texts)
        assert all(note in text for note in split.notes)
        assert all(question in text for question in split.excluded)
        assert all(entry.strip() in text for entry in overview_papers(split.edition).values())
        assert all(f"`{earlier}`" in text for earlier in split.continues)
        assert catalogue.page_name(split) == split.id.split("/")[1] + "-" + split.edition


def test_names_with_special_characters_are_shown_as_they_are():
    assert catalogue.as_markdown("UB_2025 *") == r"UB\_2025 \*"
    assert catalogue.as_markdown("see https://a.b/c_d, p. 1") == "see <https://a.b/c_d>, p. 1"
    assert catalogue.markdown_table([["a|b"]], "h") == "| h |\n| --- |\n| a\\|b |"


def test_only_pages_that_no_edition_has_are_deleted(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "pages", lambda: {"task1-2025": "generated"})
    monkeypatch.setattr(catalogue, "sample_outputs", lambda: {"outputs/1.txt": "printed"})
    folder = tmp_path / "catalogue"
    folder.mkdir()
    for name in ("index.md", "task9-1999.md"):
        (folder / name).write_text("by hand", encoding="utf-8")
    catalogue.write_pages(type("App", (), {"srcdir": str(tmp_path)}))
    assert (folder / "index.md").read_text(encoding="utf-8") == "by hand"
    assert not (folder / "task9-1999.md").exists()
    assert (folder / "outputs" / "1.txt").read_text(encoding="utf-8") == "printed"
    assert (folder / "task1-2025.md").read_text(encoding="utf-8") == "generated"
