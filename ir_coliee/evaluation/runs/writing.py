"""Writing run files: the official form of the edition and nothing else."""

from __future__ import annotations

import json
import numbers
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedRunError
from ir_coliee.evaluation.runs.file_writing import write_file
from ir_coliee.evaluation.runs.format_rules import MAX_LIST_LENGTH, MAX_SCORE, OFFICIAL_TAG, WORD
from ir_coliee.evaluation.task_evaluation import TASK_EVALUATIONS
from ir_coliee.releases import search as copies
from ir_coliee.releases import statutes, torts

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


def write_run(split: Split, answers: pd.DataFrame, path: Path, tag: str, *, overwrite: bool = False) -> None:
    """Write an answer set in the organisers' form, whole or not at all.

    ``answers`` has the columns qid, docno and score, and may have rank, in any order of rows. For tasks 4, 5
    and prediction the first answer of each query counts; an item that a query has twice is written once, with a
    `ColieeWarning`, which is also given for a tag that the organisers do not ask for. A file that is there already is
    left alone if it says the same; if not, `ExistingFileError` is raised unless ``overwrite``. Raises
    `MalformedRunError` for an id, a label or a score that the form cannot hold and for more than 100 articles of a
    question, `ColieeError` where the file cannot be written.
    """
    answers = _best_first(answers)
    if split.submission.has_scores:
        _refuse_long_lists(answers)
    _write(split, answers, path, tag, overwrite=overwrite)


def write_long_list(split: Split, ranking: pd.DataFrame, path: Path, tag: str, *, overwrite: bool = False) -> None:
    """Write the long list that goes with an answer set of task 3: the first 100 articles of each question.

    ``ranking`` is as ``answers`` of `write_run`, as long as it may be, and so is what is raised; also `ColieeError`
    for an edition that wants no long list.
    """
    if not split.submission.long_file:
        raise ColieeError(f"{split.id}: the organisers ask for no long list here. Write the answer set alone.")
    ranking = _best_first(ranking)
    _write(split, ranking[ranking["rank"] < MAX_LIST_LENGTH], path, tag, overwrite=overwrite)


def check_run_frame(answers: pd.DataFrame) -> None:
    """Raise `MalformedRunError` for what is no frame with qid, docno and score, ids as strings and finite scores.

    A number as an id equals no zero-padded string: the run would score 0 without a word. Scores are numbers that 32
    bits can hold, in which trec_eval keeps them.
    """
    import pandas as pd

    if not isinstance(answers, pd.DataFrame):
        raise MalformedRunError(
            f"A run is a frame with qid, docno and score, not of the type {type(answers).__name__}."
        )
    if repeated := answers.columns[answers.columns.duplicated()].tolist():
        raise MalformedRunError(f"The run has two columns {repeated[0]!r}.")
    if missing := [column for column in ("qid", "docno", "score") if column not in answers.columns]:
        raise MalformedRunError(f"The run has no column {missing[0]!r}. It needs qid, docno and score.")
    for query_id, docno in zip(answers["qid"], answers["docno"]):
        for column, value in (("qid", query_id), ("docno", docno)):
            if not isinstance(value, str):
                raise MalformedRunError(
                    f"Query {query_id!r}: the {column} {value!r} is no string. Read ids as strings, "
                    "in pandas with dtype=str."
                )
    for query_id, docno, score in zip(answers["qid"], answers["docno"], answers["score"]):
        if not _is_score(score):
            raise MalformedRunError(
                f"Query {query_id!r}: the score of {docno!r}, {score!r}, is no finite 32-bit number."
            )


def strictly_decreasing(query_ids: Iterable[str], scores: Iterable[float]) -> Iterator[np.float32]:
    """The scores, lowered where needed so that they fall strictly within each query, best first.

    They fall as 32-bit numbers, in which trec_eval compares them; equal ones it would order by document
    id. Raises `MalformedRunError` for a score that is not finite, also once it is lowered.

    >>> [str(score) for score in strictly_decreasing(["1", "1", "2"], [0.5, 0.5, 0.5])]
    ['0.5', '0.49999997', '0.5']
    """
    import numpy as np

    query, last = None, np.float32(np.inf)
    for query_id, score in zip(query_ids, scores):
        _refuse_unwritable_score(query_id, score)
        lowest = np.float32(np.inf) if query_id != query else last
        with np.errstate(over="ignore"):  # what is too low is refused below
            query, last = query_id, min(np.float32(score), np.nextafter(lowest, np.float32(-np.inf)))
        _refuse_unwritable_score(query_id, float(last))
        yield last


def _is_score(score: object) -> bool:
    return isinstance(score, numbers.Real) and abs(float(score)) <= MAX_SCORE


def _refuse_unwritable_score(query_id: str, score: object) -> None:
    if not _is_score(score):
        raise MalformedRunError(
            f"Query {query_id!r}: the score {score} cannot be written, it is no finite 32-bit number."
        )


def _best_first(answers: pd.DataFrame) -> pd.DataFrame:
    """The answers in order, each once, with ranks from 0."""
    from ir_coliee.frames import sort_results

    check_run_frame(answers)
    answers = sort_results(answers)
    repeated = answers.duplicated(["qid", "docno"])
    if not repeated.any():
        return answers
    message = f"{repeated.sum()} answers that a query has already, the first of query {answers['qid'][repeated].iat[0]}"
    warnings.warn(f"{message}; written once", ColieeWarning, stacklevel=3)
    return sort_results(answers[~repeated])


def _refuse_long_lists(answers: pd.DataFrame) -> None:
    beyond = answers["qid"][answers["rank"] == MAX_LIST_LENGTH]
    if len(beyond):
        raise MalformedRunError(
            f"Query {beyond.iat[0]!r} has more than {MAX_LIST_LENGTH} articles. Cut the ranking; the whole of it goes "
            "into the long list, where the edition has one."
        )


def _write(split: Split, answers: pd.DataFrame, path: Path, tag: str, *, overwrite: bool) -> None:
    if not WORD.fullmatch(tag):
        raise ColieeError(f"run tag {tag!r}: 1 to 12 letters or digits are wanted, and no blank")
    if split.submission.columns:
        if not OFFICIAL_TAG.fullmatch(tag):
            message = f"run tag {tag!r}: the organisers ask for 1 to 12 letters or digits"
            warnings.warn(message, ColieeWarning, stacklevel=3)
        text = _columns_text(split, answers, tag)
    else:
        text = _instances_text(split, answers)
    # the pilot's texts may hold half a character, which JSON can escape and no text file can hold
    write_file(path, text.encode(errors="backslashreplace"), overwrite=overwrite)


def _columns_text(split: Split, answers: pd.DataFrame, tag: str) -> str:
    form = split.submission
    if TASK_EVALUATIONS[split.task].single_answer:
        answers = answers[answers["rank"] == 0]
    lines = []
    scores = strictly_decreasing(answers["qid"], answers["score"])
    for query_id, docno, score, rank in zip(answers["qid"], answers["docno"], scores, answers["rank"]):
        _refuse_unwritable_ids(split, query_id, docno)
        values = {
            "query": form.format_query(query_id),
            "Q0": "Q0",
            "item": form.format_item(split.item_of(docno)),
            "tag": tag,
        }
        values |= {"rank": str(rank + 1), "score": str(score)}
        lines.append(" ".join(values[column] for column in form.columns) + "\n")
    return "".join(lines)


def _refuse_unwritable_ids(split: Split, query_id: str, docno: str) -> None:
    item = split.item_of(docno)
    if not WORD.fullmatch(query_id) or not WORD.fullmatch(item):
        raise MalformedRunError(
            f"Query {query_id!r}: the item {docno!r} cannot be written. Ids in a run are ASCII, without blanks."
        )
    if split.docno_of(query_id, item) != docno:
        raise MalformedRunError(f"Query {query_id!r}: {docno!r} is no item of this query, and would be read as one.")
    if TASK_EVALUATIONS[split.task].single_answer and docno not in {answer.doc_id for answer in statutes.ANSWERS}:
        raise MalformedRunError(f"Query {query_id!r}: the label {docno!r} is neither Y nor N.")


def _instances_text(split: Split, answers: pd.DataFrame) -> str:
    """The split's own file with the answers in it and null in every label that is not asked for."""
    file = copies.find_file(split, "instances")
    instances = torts.read_instances(file)  # a damaged copy is told before it is filled in
    single_answer = TASK_EVALUATIONS[split.task].single_answer
    if single_answer:
        answers = answers[answers["rank"] == 0]
        possible = {(i.query_id, answer.doc_id) for i in instances for answer in torts.ANSWERS}
    else:
        possible = {(i.query_id, claim.doc_id) for i in instances for claim in i.claims}
    answered = set(zip(answers["qid"], answers["docno"]))
    for query_id, docno in sorted(answered - possible):
        raise MalformedRunError(f"Query {query_id!r}: {docno!r} is no answer that the test file has room for.")
    decisions = dict(answered)
    lines = []
    for record in torts.read_json_lines(file):
        tort_id = record["tort_id"]
        if single_answer and tort_id not in decisions:
            raise MalformedRunError(f"instance {tort_id} has no answer; the organisers want one for each")
        record["court_decision"] = decisions[tort_id] == "True" if single_answer else None
        for key, side in torts.SIDES.items():
            for claim in record[key]:
                chosen = (tort_id, f"{tort_id}_{side}{claim['id']}") in answered
                claim["is_accepted"] = None if single_answer else chosen
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines)
