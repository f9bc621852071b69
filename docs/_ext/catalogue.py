"""The catalogue: a page for each edition and task of the package, written into ``docs/catalogue`` before each build.

All facts come from `ir_coliee.editions`, the documentation of the datasets and the leaderboards; the template is
``docs/_templates/dataset.md``. ``docs/catalogue/index.md`` is written by hand and includes ``overview.txt``.
"""

import os
import re
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import catalogue_facts
import ir_datasets
from catalogue_examples import examples, run
from generated_files import write_generated
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from typer.testing import CliRunner

from ir_coliee.cli.command_line import app as commands
from ir_coliee.datasets.documentation import CONTENTS, overview_papers, page_name
from ir_coliee.editions import LANGUAGE_NAMES, TASK_NAMES, Split, built_in_editions, edition
from ir_coliee.editions.edition import LABEL_FORMATS, LAYOUTS
from ir_coliee.measures import MEASURES

_OVERVIEW = "overview.txt"
_TEMPLATES = Path(__file__).parents[1] / "_templates"


def pages() -> dict[str, str]:
    """Return the text of each page by its name, such as ``task1-2025``."""
    template = _environment().get_template("dataset.md")
    return {name: template.render(_page(splits)) for name, splits in splits_by_page().items()}


def splits_by_page() -> dict[str, list[Split]]:
    """Return the train and test splits of each page; task by task, the newest edition first, the sample last."""
    splits = [split for each in built_in_editions() for split in each.main_splits]
    splits.sort(key=lambda split: (list(TASK_NAMES).index(split.task), split.is_built_in, -split.year))
    by_page: dict[str, list[Split]] = {}
    for split in splits:
        by_page.setdefault(page_name(split), []).append(split)
    return by_page


def overview() -> str:
    """Return the tables of all pages, with the tree of the pages."""
    sections: dict[str, list[tuple[str, list[Split]]]] = {}
    for name, splits in splits_by_page().items():
        sections.setdefault(_task_label(splits[0]), []).append((name, splits))
    rows = {label: [_overview_row(*page) for page in found] for label, found in sections.items()}
    tree = [(f"{label.capitalize()}, {page[1][0].edition}", page[0]) for label in sections for page in sections[label]]
    names = {label: _task_name(found[0][1][0]) for label, found in sections.items()}
    return _environment().get_template("overview.txt").render(sections=rows, names=names, tree=tree)


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES), trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    environment.filters.update(table=markdown_table, plain=as_markdown)
    return environment


def _overview_row(name: str, splits: Sequence[Split]) -> list[str]:
    """The row of a page: edition, languages, queries, documents, measure, and how many official results there are."""
    first = next((split for split in splits if split.name == "test"), splits[0])
    train = next((split for split in splits if split.name == "train"), None)
    listed = sum(len(board.listed) for board in catalogue_facts.official_results(splits) if "-" not in board.task)
    return [
        f"[{first.edition}]({name}.md)",
        ", ".join(dict.fromkeys(split.language for split in splits)),
        *(catalogue_facts.count_cell(each and each.counts.get("queries")) for each in (train, first)),
        catalogue_facts.count_cell(first.counts.get("docs")),
        ", ".join(dict.fromkeys(f"`{split.measure}`" for split in splits)),
        f"{listed} runs" if listed else "–",
    ]


# --- a page ----------------------------------------------------------------------------------------


def _page(splits: Sequence[Split]) -> Mapping[str, Any]:
    """The variables of the template."""
    first = splits[0]
    tasks = {split.task: split for split in splits}
    return {
        "facts": catalogue_facts,
        "splits": splits,
        "first": first,
        "title": f"COLIEE {first.edition} {_task_label(first)}: {_task_name(first)}",
        "summary": _summary(splits, list(tasks.values())),
        "tasks": [_task(split) for split in tasks.values()],
        "layout": LAYOUTS[first.layout],
        "status": _status(first),
        "papers": overview_papers(first.edition),
        "release": release_id(first),
    }


def _summary(splits: Sequence[Split], tasks: Sequence[Split]) -> list[list[str]]:
    """What the datasets consist of, with a column for each task."""
    languages = " and ".join(dict.fromkeys(LANGUAGE_NAMES[split.language] for split in splits))
    queries, documents, relevant = zip(*(CONTENTS[split.task] for split in tasks))
    return [
        ["queries", *queries],
        ["documents", *documents],
        ["relevant", *relevant],
        ["candidates", *("a pool for each query" if split.has_pools else "all documents" for split in tasks)],
        ["texts", *(languages for _ in tasks)],
        ["official measure", *(f"[`{split.measure}`](../reference/measures.md)" for split in tasks)],
    ]


def _task(split: Split) -> Mapping[str, Any]:
    """What belongs to one task: the pilot has two on its page."""
    shown = example_split(split)
    return {
        "name": TASK_NAMES[split.task].rpartition(": ")[2],
        "labels": LABEL_FORMATS[split.labels],
        "measure": next(measure for measure in MEASURES if measure.__name__ == split.measure),
        "form": split.submission,
        "examples": examples(shown),
        "fields": _fields(shown),
        "id": shown.id,
    }


def sample_outputs() -> dict[str, str]:
    """Return what the examples of the sample print, by the names of the files that its pages include."""
    splits = {split.id: split for split in map(example_split, edition("sample").main_splits)}
    outputs, before = {}, Path.cwd()
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, COLIEE_HOME="data"):
        os.chdir(folder)
        try:
            for split in splits.values():
                for number, example in enumerate(examples(split), start=1):
                    name = f"outputs/{split.id.replace('/', '-')}-{number}.txt"
                    outputs[name] = run(example).replace(str(Path.cwd() / "data"), "data")
        finally:
            os.chdir(before)
    return outputs


def example_split(split: Split) -> Split:
    """Return the test split of a split's task and edition, in English if it has that language."""
    splits = edition(split.edition).main_splits
    return next(each for each in splits if (each.task, each.name) == (split.task, "test"))


def _fields(split: Split) -> Mapping[str, str]:
    """The fields of queries and documents, which ir_datasets knows without the data."""
    plain, full = ir_datasets.load(split.id), ir_datasets.load(f"{split.id}/full")
    named = {"queries": plain.queries_cls(), "all": full.queries_cls(), "documents": plain.docs_cls()}
    return {name: ", ".join(f"`{field}`" for field in kind._fields) for name, kind in named.items()}


def _task_label(split: Split) -> str:
    return re.sub(r"(?<=task)(?=\d)", " ", split.id.split("/")[1])


def _task_name(split: Split) -> str:
    return TASK_NAMES[split.task].partition(": ")[0]


def release_id(split: Split) -> str:
    """Return the id under which a synthetic release with the files of a split is written."""
    if split.exam_years:
        return f"coliee/task3/{split.edition}/{split.language}"
    return "/".join(split.id.split("/")[:3])


def _status(split: Split) -> Mapping[str, str]:
    """The command that shows the state of the files, and what it prints where there are none."""
    words = ["status", split.id.split("/")[1], split.edition]
    with mock.patch.dict(os.environ, COLIEE_HOME="/data/coliee"):
        result = CliRunner().invoke(commands, words)
    if result.exit_code:
        raise RuntimeError(result.output)
    output = "\n".join(
        textwrap.fill(line, 94, subsequent_indent="  ", break_long_words=False) for line in result.stdout.splitlines()
    )
    return {"command": " ".join(["ir_coliee", *words]), "output": output}


# --- Markdown --------------------------------------------------------------------------------------


def markdown_table(rows: Sequence[Sequence[str]], *header: str) -> str:
    """Return rows as a table of Markdown."""
    lines = [list(header), ["---"] * len(header), *rows]
    cells = ([str(cell).replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def as_markdown(text: str) -> str:
    """Return a text that is no Markdown, such as a name or a source, as Markdown; addresses become links."""
    escaped = re.sub(r"([\\`*_\[\]<>])", r"\\\1", text)
    return re.sub(r"https?://[^\s,;)]+", lambda match: f"<{match[0].replace(chr(92), '')}>", escaped)


# --- Sphinx ----------------------------------------------------------------------------------------


def write_pages(app: Any) -> None:
    """Write the pages and the overview, and delete pages that no edition has."""
    folder = Path(app.srcdir) / "catalogue"
    texts = {f"{name}.md": text for name, text in pages().items()} | {_OVERVIEW: overview()} | sample_outputs()
    for path in folder.glob("*.md"):
        if path.name != "index.md" and path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        write_generated(folder / name, text)


def hide_source(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Remove the links to the source of a generated page, which the repository does not have."""
    if page in {f"catalogue/{name}" for name in splits_by_page()}:
        context["page_source_suffix"] = ""


def setup(app: Any) -> dict[str, Any]:
    """Connect the catalogue to Sphinx."""
    app.connect("builder-inited", write_pages)
    app.connect("html-page-context", hide_source)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
