"""Write run files in the official form of the edition."""

from __future__ import annotations

import functools
import json
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.editions import Dataset, Split, as_split
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedRunError
from ir_coliee.evaluation import runs
from ir_coliee.evaluation.gold import TASK_EVALUATIONS
from ir_coliee.evaluation.runs import MAX_LIST_LENGTH, MAX_SCORE, Run
from ir_coliee.frames import Integers, shown, sort_results
from ir_coliee.releases import statutes, torts
from ir_coliee.releases.files import read_lines
from ir_coliee.releases.release import LocalRelease
from ir_coliee.storage import INSTANCE, write_file


def write_run(dataset: Dataset, run: Run, out: Path | str, tag: str, *, overwrite: bool = False) -> None:
    """Write an answer set in the official form; an incomplete file is never left behind.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the run answers.
    run : path, pandas.DataFrame or dict
        The answer set: qid, docno, score and optionally rank, in any order of rows. In tasks 4, 5 and prediction only
        the best answer of each query is written; an item that a query has twice is written once, with a warning.
    out : Path or str
        The file to write.
    tag : str
        The run tag. A tag other than 1 to 12 letters or digits gives a `ColieeWarning`.
    overwrite : bool, default False
        Whether to replace an existing file with other content. A file with the same content is not changed.

    Raises
    ------
    ExistingFileError
        If the file exists with other content and ``overwrite`` is False.
    MalformedRunError
        If an id, label or score cannot be written in this form, or if a question has more than 100 articles.
    ColieeError
        If the file cannot be written.
    """
    split = as_split(dataset)
    answers = _sort_answers(runs.load_run(split, run).frame)
    too_long = answers["qid"][answers["rank"] == MAX_LIST_LENGTH]
    if split.submission.has_scores and len(too_long):
        problem = f"Query {too_long.iat[0]!r} has more than {MAX_LIST_LENGTH} articles"
        raise MalformedRunError(f"{problem}.\nCut it; where the edition has a long list, the ranking belongs there.")
    _write(split, answers, out, tag, overwrite=overwrite)


def write_long_list(dataset: Dataset, run: Run, out: Path | str, tag: str, *, overwrite: bool = False) -> None:
    """Write the long list that goes with an answer set of task 3: the first 100 articles of each question.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the run answers.
    run : path, pandas.DataFrame or dict
        The ranking: qid, docno, score and optionally rank.
    out, tag, overwrite
        As in `write_run`.

    Raises
    ------
    ColieeError
        If the edition has no long list, and as raised by `write_run`.
    """
    split = as_split(dataset)
    if not split.submission.long_file:
        raise ColieeError(f"{split.id} has no long list. Write the answer set only.")
    ranking = _sort_answers(runs.load_run(split, run).frame)
    _write(split, ranking[ranking["rank"] < MAX_LIST_LENGTH], out, tag, overwrite=overwrite)


def write_ranking(dataset: Dataset, run: Run, out: Path | str, tag: str, *, overwrite: bool = False) -> None:
    """Write a ranking in TREC's format, with document ids, for `ir_coliee tune`, `cut` and `fuse` and for other tools.

    This is a form for experiments; `write_run` writes the official one.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the run answers.
    run : path, pandas.DataFrame or dict
        The ranking: qid, docno, score and optionally rank.
    out, tag, overwrite
        As in `write_run`.

    Raises
    ------
    ExistingFileError
        If the file exists with other content and ``overwrite`` is False.
    MalformedRunError
        If an id or score cannot be written in this form.
    ColieeError
        If the file cannot be written.
    """
    ranking = _sort_answers(runs.load_run(as_split(dataset), run).frame)
    runs.check_tag(tag)
    _check_column_texts(ranking["qid"], ranking["docno"], ranking["docno"])
    scores = map(str, strictly_decreasing(ranking["qid"], ranking["score"]))
    columns = zip(ranking["qid"], ranking["docno"], (ranking["rank"] + 1).tolist(), scores)
    text = "".join(f"{query_id} Q0 {docno} {rank} {score} {tag}\n" for query_id, docno, rank, score in columns)
    write_file(out, text.encode(), overwrite=overwrite)


def strictly_decreasing(query_ids: Iterable[str], scores: Iterable[float]) -> npt.NDArray[np.float32]:
    """Lower scores where needed so that they decrease strictly within each query.

    trec_eval compares scores as 32-bit numbers and orders equal ones by document id.

    Parameters
    ----------
    query_ids : iterable of str
        The query of each answer; the answers of a query are adjacent and sorted, best first.
    scores : iterable of float
        The score of each answer.

    Returns
    -------
    numpy.ndarray of float32
        The scores to be written.

    Raises
    ------
    MalformedRunError
        If a score is not finite, or would not be after lowering.

    Examples
    --------
    >>> [str(score) for score in strictly_decreasing(["1", "1", "2"], [0.5, 0.5, 0.5])]
    ['0.5', '0.49999997', '0.5']
    """
    queries, values = np.array([*query_ids], dtype=object), np.array([*scores], dtype=np.float64)
    _check_finite(queries, values)
    # The 32-bit numbers are numbered in ascending order. After adding its place to each number, the numbers of a query
    # must not increase. A step between two queries lets the first score of a query be as high as it is.
    places = np.arange(len(values))
    places -= (2**32 + len(values)) * np.append(False, queries[1:] != queries[:-1])[: len(values)].cumsum()
    numbers = _in_ascending_order(values.astype(np.float32).view(np.int32).astype(np.int64))
    lowered = _in_ascending_order(np.minimum.accumulate(numbers + places) - places)
    written = lowered.astype(np.int32).view(np.float32)
    _check_finite(queries, written)
    return written


def _in_ascending_order(bits: Integers) -> Integers:
    """Map the bits of 32-bit floats, read as integers, to integers in the order of the floats, and back."""
    return np.where(bits < 0, -(2**31) - bits, bits)


def _check_finite(query_ids: npt.NDArray[np.object_], scores: npt.NDArray[np.floating[Any]]) -> None:
    is_finite = np.abs(scores) <= MAX_SCORE
    if not is_finite.all():
        row = is_finite.argmin()
        raise MalformedRunError(f"Query {query_ids[row]!r}: the score {scores[row]} is not a finite 32-bit number.")


def _sort_answers(answers: pd.DataFrame) -> pd.DataFrame:
    """Return the answers sorted, without repetitions, with ranks from 0."""
    answers = sort_results(answers)
    repeated = answers.duplicated(["qid", "docno"])
    if repeated.any():
        first = answers["qid"][repeated].iat[0]
        message = f"{repeated.sum()} repeated answers, the first of query {first}; each is written once"
        warnings.warn(message, ColieeWarning, stacklevel=3)
        answers = sort_results(answers[~repeated])
    return answers


def _write(split: Split, answers: pd.DataFrame, path: Path | str, tag: str, *, overwrite: bool) -> None:
    runs.check_tag(tag)
    if split.submission.columns:
        if remark := runs.remark_on_tag(tag):
            warnings.warn(remark, ColieeWarning, stacklevel=3)
        text = _format_lines(split, answers, tag)
    else:
        text = _format_instances(split, answers)
    # the pilot's texts may contain lone surrogates, which JSON can escape but UTF-8 cannot encode
    write_file(path, text.encode(errors="backslashreplace"), overwrite=overwrite)


def _format_lines(split: Split, answers: pd.DataFrame, tag: str) -> str:
    form = split.submission
    single_answer, labels = TASK_EVALUATIONS[split.task].single_answer, [answer.doc_id for answer in statutes.ANSWERS]
    if single_answer:
        answers = answers[answers["rank"] == 0]
    lines = []
    items = [split.item_of(docno) for docno in answers["docno"]]
    _check_column_texts(answers["qid"], items, answers["docno"])
    scores = strictly_decreasing(answers["qid"], answers["score"])
    for query_id, item, docno, score, rank in zip(answers["qid"], items, answers["docno"], scores, answers["rank"]):
        if split.docno_of(query_id, item) != docno:
            raise MalformedRunError(f"Query {query_id!r}: {docno!r} is of another query.\nUse items of its pool.")
        if single_answer and docno not in labels:
            raise MalformedRunError(f"Query {query_id!r}: the label must be Y or N, got {docno!r}.")
        values = {
            "query": form.format_query(query_id),
            "Q0": "Q0",
            "item": form.format_item(item),
            "tag": tag,
            "rank": str(rank + 1),
            "score": str(score),
        }
        lines.append(" ".join(values[column] for column in form.columns) + "\n")
    return "".join(lines)


def _check_column_texts(query_ids: Iterable[str], items: Iterable[str], docnos: Iterable[str]) -> None:
    is_writable = functools.cache(runs.COLUMN_TEXT.fullmatch)  # most ids occur many times
    for query_id, item, docno in zip(query_ids, items, docnos):
        if not is_writable(query_id) or not is_writable(item):
            answer = f"Query {shown(query_id, 30)}: the item {shown(docno, 30)}"
            raise MalformedRunError(f"{answer} cannot be written.\nIds in a run file must be ASCII without blanks.")


def _format_instances(split: Split, answers: pd.DataFrame) -> str:
    """Return the split's own file with the answers filled in, and null for labels that are not asked for."""
    file = LocalRelease.open(split).file("instances")
    instances = torts.read_instances(file)  # reports a damaged local release before it is filled in
    single_answer = TASK_EVALUATIONS[split.task].single_answer
    if single_answer:
        answers = answers[answers["rank"] == 0]
        possible = {(i.query_id, answer.doc_id) for i in instances for answer in torts.ANSWERS}
    else:
        possible = {(i.query_id, claim.doc_id) for i in instances for claim in i.claims}
    answered = set(zip(answers["qid"], answers["docno"]))
    for query_id, docno in sorted(answered - possible):
        raise MalformedRunError(f"Query {query_id!r}: the test file has no place for the answer {docno!r}.")
    decisions = dict(answered)
    lines = []
    for _, line in read_lines(file, INSTANCE):
        record = json.loads(line)  # with lone surrogates as they are
        tort_id = record["tort_id"]
        if single_answer and tort_id not in decisions:
            raise MalformedRunError(f"Instance {tort_id} has no answer. The organisers require one for each instance.")
        record["court_decision"] = decisions[tort_id] == "True" if single_answer else None
        for key, side in torts.SIDES.items():
            for claim in record[key]:
                chosen = (tort_id, f"{tort_id}_{side}{claim['id']}") in answered
                claim["is_accepted"] = None if single_answer else chosen
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines)
