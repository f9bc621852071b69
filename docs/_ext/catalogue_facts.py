"""The facts of a page of the catalogue, as rows and sentences, from the edition files and the leaderboards."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from ir_coliee.datasets.documentation import page_name
from ir_coliee.display import Table
from ir_coliee.editions import (
    SPLITS,
    Count,
    Split,
    SubmissionForm,
    built_in_editions,
    collection_id,
)
from ir_coliee.editions.edition import LABEL_FORMATS, LANGUAGE_NAMES
from ir_coliee.evaluation.leaderboards import Leaderboard, leaderboards
from ir_coliee.evaluation.runs import MAX_LIST_LENGTH, TAG_ASKED_FOR

ENTITIES = ("queries", "docs", "qrels")
RUNS_SHOWN = 5  # of a leaderboard

Rows = list[list[str]]


# --- ids and counts --------------------------------------------------------------------------------


def count_cell(count: Count | None) -> str:
    """Return a count with the letter of its certainty, or a dash."""
    return "–" if count is None else f"{count} {count.certainty}"


def count_rows(splits: Sequence[Split]) -> Rows:
    """Return id and counts of the train and test splits, and of those with the questions that were not scored."""
    return [
        [f"`{split.id}`", *(count_cell(split.counts.get(entity)) for entity in ENTITIES)]
        for split in _as_distributed_too(splits)
    ]


def _as_distributed_too(splits: Sequence[Split]) -> list[Split]:
    return [each for split in splits for each in (split, SPLITS.get(f"{split.id}/as-distributed")) if each]


def exam_year_rows(editions: Mapping[str, Sequence[Split]]) -> Rows:
    """Return the exam years with their number of questions in each edition; that of the first language that has one."""
    found: dict[str, dict[str, str]] = {}
    for edition, splits in editions.items():
        for split in splits:
            for year in split.of_exam_years(split.exam_years):
                if count := year.counts.get("queries"):
                    found.setdefault(year.exam_years[0], {}).setdefault(edition, count_cell(count))
    return [[year, *(found[year].get(edition, "") for edition in editions)] for year in sorted(found)]


def collections(splits: Sequence[Split]) -> list[str]:
    """Return the ids of the collections of articles that the splits search."""
    return [*dict.fromkeys(collection_id(split) for split in splits if split.task == "task3")]


# --- files -----------------------------------------------------------------------------------------


def label_forms(splits: Sequence[Split]) -> list[str]:
    """Return the forms of the gold labels of splits."""
    return [*dict.fromkeys(LABEL_FORMATS[split.labels] for split in splits)]


def file_rows(splits: Sequence[Split]) -> Rows:
    """Return split, role, the organisers' name and the other accepted names of each file."""
    rows = []
    for split in splits:
        language = f"{split.language} " if split.exam_years else ""
        for role, names in _names_by_role(split):
            first, *others = (f"`{name}`" for name in names)
            rows.append([f"{language}{split.name}", role, first, ", ".join(others)])
    return list(map(list, dict.fromkeys(map(tuple, rows))))  # both tasks of the pilot have the same files


def _names_by_role(split: Split) -> Iterator[tuple[str, Sequence[str]]]:
    for role, names in split.files.items():
        if role not in split.exam_years:
            yield role, (*names, *split.undated_names(role))
    if split.exam_years:
        first, last = (split.files[split.exam_years[end]] for end in (0, -1))
        yield "questions", [early if early == late else f"{early} … {late}" for early, late in zip(first, last)]
    for role, names in split.optional_files.items():
        yield f"{role} (optional)", names


# --- submission ------------------------------------------------------------------------------------


def submission_rows(form: SubmissionForm) -> Rows:
    """Return the names of the submitted files, and the form of their lines."""
    line = " ".join(form.columns) or "the test file with its empty values filled in"
    facts = {
        "run file": f"`{form.file}`",
        "form": f"{form.format}: `{line}`" if form.columns else line,
        "ids": _written_ids(form),
        "run tag": TAG_ASKED_FOR if form.columns else "",
        "long list": f"`{form.long_file}`, up to {MAX_LIST_LENGTH} items a query" if form.long_file else "",
        "answers": f"`{form.answers_file}`" if form.answers_file else "",
        "reference runs": f"also for the exam years {', '.join(form.reference_years)}" if form.reference_years else "",
        "description": f"`{form.description_file}`" if form.description_file else "",
        "subject of the mail": f"`{form.mail_subject}`" if form.mail_subject else "",
        "rules": "; ".join(form.rules),
    }
    return [[name, fact] for name, fact in facts.items() if fact]


def _written_ids(form: SubmissionForm) -> str:
    query, item = "001", "018"
    written = form.format_query(query), form.format_item(item)
    return "" if written == (query, item) else f"query {query} is written `{written[0]}`, item {item} `{written[1]}`"


# --- official results ------------------------------------------------------------------------------


def official_results(splits: Sequence[Split]) -> list[Leaderboard]:
    """Return the leaderboards of the task and edition of splits, the first release of one after it."""
    tasks = {split.task for split in splits}
    found = (board for (edition, _), board in leaderboards().items() if edition == splits[0].edition)
    return [board for board in found if board.task.partition("-")[0] in tasks]


def leaderboard_table(board: Leaderboard) -> Table:
    """Return the first rows of a leaderboard, without the columns that have no value."""
    table = next(block for block in board.frame().display() if isinstance(block, Table))
    return table._replace(rows=table.rows[:RUNS_SHOWN])


# --- irregularities and overlap --------------------------------------------------------------------


def irregularities(splits: Sequence[Split]) -> list[str]:
    """Return what is unusual about the files and figures of splits: their notes, exclusions and what is unverified."""
    notes = dict.fromkeys(note for split in splits for note in split.notes)
    return [*notes, *_by_language(splits, _unscored_and_unverified)]


def _unscored_and_unverified(split: Split) -> Iterator[str]:
    if split.excluded:
        yield f"Not scored, though handed out: {', '.join(split.excluded)}."
    if split.is_unverified:
        yield f"The names and the layout of the files of the {split.name} split are not verified."
    if split.submission.is_unverified:
        yield "The form of a submission is that of neighbouring editions."


def overlaps(splits: Sequence[Split]) -> list[str]:
    """Return which queries the splits share with those of other editions."""
    return _by_language(splits, _overlaps)


def _overlaps(split: Split) -> Iterator[str]:
    others = [*_others(split)]
    if split.continues:
        yield f"`{split.id}` begins with the queries of {', '.join(f'`{earlier}`' for earlier in split.continues)}."
    if later := [other for other in others if split.id in other.continues]:
        yield f"The queries of the {split.name} split are in the train split of {_links(later)} too."
    if split.shares_corpus:
        yield "The train and the test split have one common folder of documents."
    shared = [other for other in others if set(other.exam_years).intersection(split.exam_years)]
    if split.name == "train" and (tests := [other for other in shared if other.name == "test"]):
        yield f"The train split contains the exam years of the tests of {_links(tests)}."
    if split.name == "test" and (trains := [other for other in shared if other.name == "train"]):
        yield (
            f"The exam year of the test is in the train splits of {_links(trains)}: do not learn from these to answer "
            "the test."
        )


def _others(split: Split) -> Iterator[Split]:
    """The train and test splits of the same task and language in other editions."""
    for edition in built_in_editions():
        for other in edition.main_splits:
            same_task = (other.task, other.language) == (split.task, split.language)
            if same_task and other.edition != split.edition:
                yield other


def _links(splits: Sequence[Split]) -> str:
    return ", ".join(f"[{split.edition}](#{page_name(split)}-{split.edition})" for split in splits)


def _by_language(splits: Sequence[Split], sentences: Callable[[Split], Iterator[str]]) -> list[str]:
    """Return the sentences on splits, each once; those that hold in one of two languages begin with the language."""
    languages: dict[str, dict[str, None]] = {}
    for split in splits:
        for sentence in sentences(split):
            languages.setdefault(sentence, {})[split.language] = None
    all_languages = {split.language for split in splits}
    return [
        sentence
        if set(found) == all_languages
        else f"{' and '.join(LANGUAGE_NAMES[each] for each in found)}: {sentence}"
        for sentence, found in languages.items()
    ]
