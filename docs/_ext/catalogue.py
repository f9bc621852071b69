"""The catalogue: a page for each task with its editions as sections, written into ``docs/catalogue`` before each build.

All facts come from `ir_coliee.editions`, the documentation of the datasets and the leaderboards; the template is
``docs/_templates/task.md``. ``docs/catalogue/index.md`` is written by hand and includes ``_citations.md``.
"""

import contextlib
import io
import os
import re
import shlex
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import ir_datasets
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from typer.testing import CliRunner

from ir_coliee.cli.command_line import app as commands
from ir_coliee.datasets.documentation import CONTENTS, overview_papers, page_name
from ir_coliee.display import Table
from ir_coliee.editions import SPLITS, TASK_NAMES, Count, Split, SubmissionForm, built_in_editions
from ir_coliee.editions.edition import CERTAINTIES, LABEL_FORMATS, LAYOUTS
from ir_coliee.evaluation.leaderboards import Leaderboard, leaderboards
from ir_coliee.evaluation.runs import MAX_LIST_LENGTH, TAG_ASKED_FOR
from ir_coliee.progress import quiet

RUNS_SHOWN, COLUMNS_SHOWN = 3, 6  # of a leaderboard

_PYTHON = """\
import ir_datasets
from ir_coliee import score
from ir_coliee.baselines import run_baseline

dataset = ir_datasets.load("{id}")
query = next(dataset.queries_iter())
qrels = [qrel for qrel in dataset.qrels_iter() if qrel.query_id == query.query_id]
print(query.query_id, [qrel.doc_id for qrel in qrels if qrel.relevance])

run = run_baseline(dataset{quick})[0]
print(score(dataset, run.answers))
"""
_COMMANDS = """\
ir_coliee baseline {id}{quick}
ir_coliee score {id} coliee-runs/{file}.{tag}
"""

Rows = list[list[str]]


def pages() -> dict[str, str]:
    """Return the text of each page by its name, such as ``task1``."""
    templates = FileSystemLoader(Path(__file__).parents[1] / "_templates")
    environment = Environment(loader=templates, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    environment.filters.update(table=markdown_table, plain=as_markdown)
    template = environment.get_template("task.md")
    by_page = splits_by_page()
    statutes = dict.fromkeys(("task4", "task5"), by_page["task3"])  # they have the files of task 3
    return {name: template.render(_variables(found, statutes.get(name, {}))) for name, found in by_page.items()}


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


def _variables(editions: Mapping[str, Sequence[Split]], described: Mapping[str, Sequence[Split]]) -> Mapping[str, Any]:
    """The variables of the template; the page of task 3 has described the files of editions."""
    newest = next(iter(editions.values()))
    page = page_name(newest[0])
    all_notes = {
        name: [note for note in dict.fromkeys(_notes(splits)) if note not in _notes(described.get(name, []))]
        for name, splits in editions.items()
    }
    each_note = dict.fromkeys(note for notes in all_notes.values() for note in notes)
    editions_of = {note: [name for name in editions if note in all_notes[name]] for note in each_note}
    forms = {name: list(dict.fromkeys(split.submission for split in splits)) for name, splits in editions.items()}
    return {
        "page": page,
        "title": f"{page.replace('task', 'task ').capitalize()}: {TASK_NAMES[newest[0].task].partition(': ')[0]}",
        "tasks": [_task(split) for split in _tests(editions.get("sample", newest))],
        "editions": editions,
        "counts": [
            _counts(each) for splits in editions.values() for split in splits for each in _as_distributed_too(split)
        ],
        "certainties": CERTAINTIES,
        "tag": TAG_ASKED_FOR,
        "exam_years": [] if described else _exam_years(editions),
        "measures": {
            name: " or ".join(dict.fromkeys(f"`{split.measure}`" for split in splits))
            for name, splits in editions.items()
        },
        "files": {name: [] if name in described else _files(splits) for name, splits in editions.items()},
        "layouts": {name: LAYOUTS[splits[0].layout] for name, splits in editions.items()},
        "labels": {
            name: "; ".join(dict.fromkeys(LABEL_FORMATS[split.labels] for split in splits))
            for name, splits in editions.items()
        },
        "forms": {name: list(map(submission_rows, forms[name])) for name in editions},
        "as_in": {name: next(each for each in forms if forms[each] == forms[name]) for name in editions},
        "boards": {name: _boards(splits) for name, splits in editions.items()},
        "notes": {name: [note for note in notes if len(editions_of[note]) == 1] for name, notes in all_notes.items()},
        "shared_notes": {note: names for note, names in editions_of.items() if len(names) > 1},
    }


def _tests(splits: Sequence[Split]) -> list[Split]:
    """Return the test split of each task of splits, in English if it has that language."""
    return [*{split.task: split for split in reversed(splits) if split.name == "test"}.values()][::-1]


def _task(split: Split) -> Mapping[str, Any]:
    """What belongs to one task: the pilot has two on its page."""
    plain, full = ir_datasets.load(split.id), ir_datasets.load(f"{split.id}/full")
    kinds = {"queries": plain.queries_cls(), "all": full.queries_cls(), "documents": plain.docs_cls()}
    return {
        "name": TASK_NAMES[split.task].rpartition(": ")[2],
        "contents": [list(row) for row in zip(("queries", "documents", "relevant"), CONTENTS[split.task])],
        "fields": {name: ", ".join(f"`{field}`" for field in kind._fields) for name, kind in kinds.items()},
        "id": split.id,
        "file": split.id.replace("/", "-"),
        "examples": examples(split),
        "has_output": split.is_built_in,
    }


# --- counts, files and forms -----------------------------------------------------------------------


def count_cell(count: Count | None) -> str:
    """Return a count with the letter of its certainty, or a dash."""
    return "–" if count is None else f"{count} {count.certainty}"


def _counts(split: Split) -> list[str]:
    return [f"`{split.id}`", *(count_cell(split.counts.get(entity)) for entity in ("queries", "docs", "qrels"))]


def _as_distributed_too(split: Split) -> Iterator[Split]:
    yield split
    if f"{split.id}/as-distributed" in SPLITS:
        yield SPLITS[f"{split.id}/as-distributed"]


def _exam_years(editions: Mapping[str, Sequence[Split]]) -> Rows:
    """Return each exam year with its number of questions, and the editions with it in their train split and test."""
    counts: dict[str, str] = {}
    names: dict[tuple[str, str], dict[str, None]] = {}
    for edition, splits in editions.items():
        for split in splits:
            for year in split.of_exam_years(split.exam_years):
                counts.setdefault(year.exam_years[0], count_cell(year.counts.get("queries")))
                names.setdefault((year.exam_years[0], split.name), {})[edition] = None
    return [
        [year, counts[year], *(_range([*names.get((year, name), ())]) for name in ("train", "test"))] for year in counts
    ]


def _range(newest_first: Sequence[str]) -> str:
    return " to ".join(dict.fromkeys([*newest_first[-1:], *newest_first[:1]]))


def _files(splits: Sequence[Split]) -> Rows:
    """Return role, language and the organisers' names in the train and test split."""
    found: dict[str, dict[str, str]] = {}
    for split in splits:
        language = f" ({split.language})" if split.exam_years else ""
        for role, name in _names(split):
            found.setdefault(f"{role}{language}", {})[split.name] = f"`{name}`"
    return [[role, names.get("train", "–"), names.get("test", "–")] for role, names in found.items()]


def _names(split: Split) -> Iterator[tuple[str, str]]:
    for role, names in split.files.items():
        if role not in split.exam_years:
            yield role, names[0]
    if split.exam_years:
        first, last = (split.files[split.exam_years[end]][0] for end in (0, -1))
        yield "questions", first if first == last else f"{first} … {last}"
    for role, names in split.optional_files.items():
        yield f"{role} (optional)", names[0]


def submission_rows(form: SubmissionForm) -> Rows:
    """Return the names of the submitted files, and the form of their lines."""
    line = " ".join(form.columns) or "the test file with its empty values filled in"
    written = form.format_query("001"), form.format_item("018")
    facts = {
        "run file": f"`{form.file}`",
        "form": f"{form.format}: `{line}`" if form.columns else line,
        "ids": "" if written == ("001", "018") else f"query 001 is written `{written[0]}`, item 018 `{written[1]}`",
        "long list": f"`{form.long_file}`, up to {MAX_LIST_LENGTH} items a query" if form.long_file else "",
        "answers": f"`{form.answers_file}`" if form.answers_file else "",
        "reference runs": f"also for the exam years {', '.join(form.reference_years)}" if form.reference_years else "",
        "description": f"`{form.description_file}`" if form.description_file else "",
        "subject of the mail": f"`{form.mail_subject}`" if form.mail_subject else "",
        "rules": "; ".join(form.rules),
    }
    return [[name, fact] for name, fact in facts.items() if fact]


# --- official results and notes --------------------------------------------------------------------


def _boards(splits: Sequence[Split]) -> list[tuple[Leaderboard, Table]]:
    """Return the leaderboards of the task and edition of splits, with their first rows and the columns with values."""
    tasks = {split.task for split in splits}
    found = []
    for (edition, task), board in leaderboards().items():
        if edition == splits[0].edition and task.partition("-")[0] in tasks:
            table = next(block for block in board.frame().display() if isinstance(block, Table))
            rows = [row[:COLUMNS_SHOWN] for row in table.rows[:RUNS_SHOWN]]
            found.append((board, table._replace(header=table.header[:COLUMNS_SHOWN], rows=rows)))
    return found


def _notes(splits: Sequence[Split]) -> Iterator[str]:
    """Yield what is unusual about the files and figures of splits, and which earlier queries they continue."""
    for split in splits:
        yield from split.notes
    for split in splits:
        if split.excluded:
            yield f"Not scored, though handed out: {', '.join(split.excluded)}."
        if split.is_unverified:
            yield f"The names and the layout of the files of the {split.name} split are not verified."
        if split.submission.is_unverified:
            yield "The form of a submission is that of neighbouring editions."
        if split.shares_corpus:
            yield "The train and the test split have one common folder of documents."
        if split.continues:
            yield f"`{split.id}` begins with the queries of {', '.join(f'`{earlier}`' for earlier in split.continues)}."


# --- examples --------------------------------------------------------------------------------------


def examples(split: Split) -> list[tuple[str, str, str]]:
    """Return title, language and code of each example for a split that has labels."""
    ranks = split.task in ("task1", "task2", "task3")
    names = {
        "id": split.id,
        "file": split.id.replace("/", "-"),
        "tag": "bm25" if ranks else "tfidf" if split.task == "rationale" else "majority",
    }
    has_quick = ranks or split.task == "task4"  # what leaves out the runs that take longer
    return [
        ("Python", "python", _PYTHON.format(**names, quick=", fast=True" if has_quick else "")),
        ("Command line", "sh", _COMMANDS.format(**names, quick=" --fast" if has_quick else "")),
    ]


def run(language: str, code: str) -> str:
    """Return what an example prints. It reads the data folder and writes into the working directory."""
    with quiet(), contextlib.redirect_stdout(io.StringIO()) as output:
        if language == "python":
            exec(compile(code, "example", "exec"), {"__name__": "__main__"})
            return output.getvalue()
        results = [CliRunner().invoke(commands, shlex.split(line)[1:]) for line in code.splitlines()]
    if any(result.exit_code for result in results):
        raise RuntimeError("\n".join([code, *(result.output for result in results)]))
    return "".join(result.stdout for result in results)


def sample_outputs() -> dict[str, str]:
    """Return what the examples of the sample print, by the names of the files that the pages include."""
    splits = [split for page in splits_by_page().values() for split in _tests(page.get("sample", []))]
    outputs, before = {}, Path.cwd()
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, COLIEE_HOME="data"):
        os.chdir(folder)
        try:
            for split in splits:
                for number, (_, language, code) in enumerate(examples(split), start=1):
                    outputs[f"outputs/{split.id.replace('/', '-')}-{number}.txt"] = run(language, code)
        finally:
            os.chdir(before)
    return outputs


# --- Markdown and Sphinx ---------------------------------------------------------------------------


def markdown_table(rows: Sequence[Sequence[str]], *header: str) -> str:
    """Return rows as a table of Markdown."""
    lines = [list(header), ["---"] * len(header), *rows]
    cells = ([str(cell).replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def as_markdown(text: str) -> str:
    """Return a text that is no Markdown, such as a name or a source, as Markdown."""
    return re.sub(r"([\\`*_\[\]<>])", r"\\\1", text)


def write_generated(path: Path, text: str) -> None:
    """Write a file if its text has changed: an unchanged page is not built again."""
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def write_pages(app: Any) -> None:
    """Write the pages, the citations and the outputs of the examples."""
    texts = {f"{name}.md": text for name, text in pages().items()} | {"_citations.md": citations()} | sample_outputs()
    for name, text in texts.items():
        write_generated(Path(app.srcdir) / "catalogue" / name, text)


def hide_source(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Remove the links to the source of a generated page, which the repository does not have."""
    if page in {f"catalogue/{name}" for name in splits_by_page()}:
        context["page_source_suffix"] = ""


def setup(app: Any) -> dict[str, Any]:
    """Connect the catalogue to Sphinx."""
    app.connect("builder-inited", write_pages)
    app.connect("html-page-context", hide_source)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
