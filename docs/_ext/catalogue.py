"""The catalogue: a page for each task with its editions as sections, written into ``docs/catalogue`` before each build.

All facts come from `ir_coliee.editions`, the documentation of the datasets and the leaderboards; the template is
``docs/_templates/task.md``. ``docs/catalogue/index.md`` is written by hand and includes ``_citations.md``.
"""

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import catalogue_facts
import ir_datasets
from catalogue_examples import examples, run
from generated_files import write_generated
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ir_coliee.datasets.documentation import CONTENTS, overview_papers, page_name
from ir_coliee.editions import TASK_NAMES, Split, built_in_editions
from ir_coliee.editions.edition import CERTAINTIES, LAYOUTS
from ir_coliee.measures import MEASURES

_CITATIONS = "_citations.md"
_TEMPLATES = Path(__file__).parents[1] / "_templates"


def pages() -> dict[str, str]:
    """Return the text of each page by its name, such as ``task1``."""
    template = _environment().get_template("task.md")
    return {name: template.render(_page(editions)) for name, editions in splits_by_page().items()}


def splits_by_page() -> dict[str, dict[str, list[Split]]]:
    """Return the train and test splits of each page and edition; the newest edition first, the sample last."""
    splits = [split for each in built_in_editions() for split in each.main_splits]
    splits.sort(key=lambda split: (list(TASK_NAMES).index(split.task), split.is_built_in, -split.year))
    by_page: dict[str, dict[str, list[Split]]] = {}
    for split in splits:
        by_page.setdefault(page_name(split), {}).setdefault(split.edition, []).append(split)
    return by_page


def citations() -> str:
    """Return the BibTeX entries of the overview papers of all editions."""
    entries = [entry for each in built_in_editions() for entry in overview_papers(each.name).values()]
    return "\n".join(f"```bibtex\n{entry.strip()}\n```\n" for entry in entries)


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES), trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    environment.filters.update(table=markdown_table, plain=as_markdown)
    return environment


def _page(editions: Mapping[str, Sequence[Split]]) -> Mapping[str, Any]:
    """The variables of the template."""
    newest = next(iter(editions.values()))
    shown = editions.get("sample", newest)
    used = {split.measure for splits in editions.values() for split in splits}
    forms = {name: _submissions(splits) for name, splits in editions.items()}
    return {
        "facts": catalogue_facts,
        "editions": editions,
        "page": page_name(newest[0]),
        "title": f"{_task_label(newest[0])}: {TASK_NAMES[newest[0].task].partition(': ')[0]}",
        "tasks": [_task(split) for split in _tests(shown)],
        "overview": [_overview_row(splits) for splits in editions.values()],
        "certainties": CERTAINTIES,
        "layouts": LAYOUTS,
        "forms": forms,
        "as_in": {name: _equal_before(name, forms) for name in forms},
        "measures": [measure for measure in MEASURES if measure.__name__ in used],
    }


def _tests(splits: Sequence[Split]) -> list[Split]:
    """Return the test split of each task of splits, in English if it has that language."""
    return [*{split.task: split for split in reversed(splits) if split.name == "test"}.values()][::-1]


def _submissions(splits: Sequence[Split]) -> list[list[list[str]]]:
    """Return the rows of the submission forms of an edition, each form once."""
    forms = dict.fromkeys(split.submission for split in splits)
    return [catalogue_facts.submission_rows(form) for form in forms]


def _equal_before(name: str, forms: Mapping[str, object]) -> str:
    """Return the edition before it on the page with an equal form whose rows the page shows; empty if there is none."""
    first = next(each for each in forms if forms[each] == forms[name])
    return "" if first == name else first


def _overview_row(splits: Sequence[Split]) -> list[str]:
    """The row of an edition: languages, queries, documents, measure, and how many official results there are."""
    first = next((split for split in splits if split.name == "test"), splits[0])
    train = next((split for split in splits if split.name == "train"), None)
    listed = sum(len(board.listed) for board in catalogue_facts.official_results(splits) if "-" not in board.task)
    return [
        f"[{first.edition}](#{page_name(first)}-{first.edition})",
        ", ".join(dict.fromkeys(split.language for split in splits)),
        *(catalogue_facts.count_cell(each and each.counts.get("queries")) for each in (train, first)),
        catalogue_facts.count_cell(first.counts.get("docs")),
        ", ".join(dict.fromkeys(f"`{split.measure}`" for split in splits)),
        f"{listed} runs" if listed else "–",
    ]


def _task(split: Split) -> Mapping[str, Any]:
    """What belongs to one task: the pilot has two on its page."""
    plain, full = ir_datasets.load(split.id), ir_datasets.load(f"{split.id}/full")
    named = {"queries": plain.queries_cls(), "all": full.queries_cls(), "documents": plain.docs_cls()}
    queries, documents, relevant = CONTENTS[split.task]
    return {
        "name": TASK_NAMES[split.task].rpartition(": ")[2],
        "contents": [["queries", queries], ["documents", documents], ["relevant", relevant]],
        "examples": examples(split),
        "fields": {name: ", ".join(f"`{field}`" for field in kind._fields) for name, kind in named.items()},
        "id": split.id,
        "has_output": split.is_built_in,
    }


def sample_outputs() -> dict[str, str]:
    """Return what the examples of the sample print, by the names of the files that the pages include."""
    splits = [split for page in splits_by_page().values() for split in _tests(page.get("sample", []))]
    outputs, before = {}, Path.cwd()
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, COLIEE_HOME="data"):
        os.chdir(folder)
        try:
            for split in splits:
                for number, example in enumerate(examples(split), start=1):
                    name = f"outputs/{split.id.replace('/', '-')}-{number}.txt"
                    outputs[name] = run(example).replace(str(Path.cwd() / "data"), "data")
        finally:
            os.chdir(before)
    return outputs


def _task_label(split: Split) -> str:
    return re.sub(r"(?<=task)(?=\d)", " ", page_name(split)).capitalize()


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
    """Write the pages and the citations, and delete pages of earlier builds."""
    folder = Path(app.srcdir) / "catalogue"
    texts = {f"{name}.md": text for name, text in pages().items()} | {_CITATIONS: citations()} | sample_outputs()
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
