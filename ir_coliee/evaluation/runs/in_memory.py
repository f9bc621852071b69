"""Runs in memory: conversion to a frame, and checks of its columns, ids and scores."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
import pandas as pd

from ir_coliee.arguments import shown
from ir_coliee.arrays import Booleans
from ir_coliee.errors import ColieeError, MalformedRunError, printable
from ir_coliee.evaluation.runs.format_rules import MAX_SCORE

#: A path, a frame with qid, docno and score, or a dict from query id to document id to score.
Run: TypeAlias = "pd.DataFrame | Mapping[str, Mapping[str, float]] | Path | str"

#: Several runs: a list, or a dict from name to run.
Runs: TypeAlias = "Mapping[str, Run] | Sequence[Run]"


def frame_of(run: Run) -> pd.DataFrame:
    """Return a run in memory as a frame with PyTerrier's column names.

    Parameters
    ----------
    run : pandas.DataFrame or dict
        A frame with qid, docno and score; a frame with ir_measures' names query_id and doc_id, which are left out where
        they only repeat qid and docno; or a dict from query id to document id to score. Anything else is returned
        unchanged, so that `check_run_frame` reports it.

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    MalformedRunError
        If a value of the dict is not a dict from document id to score.
    """
    if isinstance(run, Mapping):
        for query_id, scores in run.items():
            if isinstance(scores, (pd.DataFrame, Path)):
                raise MalformedRunError(
                    f"One run is expected here, got a dict of {len(run)} runs.\n"
                    "score takes one run; compare takes several."
                )
            if not isinstance(scores, Mapping):
                raise MalformedRunError(
                    f"The answers to query {shown(query_id)} must be a dict from document id to score.\n"
                    f"Got a value of type {type(scores).__name__}."
                )
        rows = [(query_id, doc_id, score) for query_id, scores in run.items() for doc_id, score in scores.items()]
        columns = ["qid", "docno", "score"]
        try:
            return pd.DataFrame(rows, columns=columns)
        except OverflowError:  # of pandas 2, for an integer that no float represents; the checks of the run refuse it
            return pd.DataFrame(rows, columns=columns, dtype=object)
    if isinstance(run, pd.DataFrame):
        pairs = (("query_id", "qid"), ("doc_id", "docno"))
        unneeded = [theirs for theirs, ours in pairs if theirs in run.columns and ours in run.columns]
        run = run.drop(columns=unneeded) if unneeded else run
        return run if {"qid", "docno"} <= set(run.columns) else run.rename(columns=dict(pairs))
    return cast("pd.DataFrame", run)


def require_frame(run: Run) -> pd.DataFrame:
    """Return a run in memory as `frame_of` does, for functions that have no dataset to read a file for.

    Raises
    ------
    ColieeError
        If the run is a path.
    """
    if isinstance(run, (str, Path)):
        raise ColieeError(
            f"A run must be a data frame or a dict here, got the path {printable(str(run), 40)}.\n"
            "Read the file for its dataset: ir_coliee.evaluation.runs.load_run(dataset, path).frame."
        )
    return frame_of(run)


def named_runs(runs: Runs) -> dict[str, Run]:
    """Return runs by name; a run of a list is named by its path, or by its place if it is in memory.

    Parameters
    ----------
    runs : list of path, pandas.DataFrame or dict; or dict from name to such a run
        The runs.

    Returns
    -------
    dict of str to path, pandas.DataFrame or dict

    Raises
    ------
    TypeError
        If the argument is neither a list nor a dict.
    ColieeError
        If a file is given twice, or if two names are written alike, such as 1 and "1".

    Examples
    --------
    >>> list(named_runs(["a.run", {"R99-01-A": {"Y": 1.0}}]))
    ['a.run', 'run 2']
    """
    check_is_runs("runs", runs)
    if isinstance(runs, Mapping):
        named = [(path_name(str(name)), run) for name, run in runs.items()]
        if len(dict(named)) < len(named):
            names = [name for name, _ in named]
            repeated_name = next(name for name in names if names.count(name) > 1)
            raise ColieeError(f"Two runs have the name {printable(repeated_name, 40)}. Give each run its own name.")
    else:
        named = [(path_name(run) if isinstance(run, (str, Path)) else f"run {n}", run) for n, run in enumerate(runs, 1)]
    files = [_resolved(Path(run)) for _, run in named if isinstance(run, (str, Path))]
    if repeated := [file.name for file in files if files.count(file) > 1]:
        raise ColieeError(f"{printable(repeated[0])} was given twice. Give each run once.")
    return dict(named)


def check_is_runs(argument: str, runs: object) -> None:
    """Raise `TypeError` for a value that is neither a list of runs nor a dict from name to run, as a single run."""
    if not isinstance(runs, (Mapping, Sequence)) or isinstance(runs, (str, bytes)):
        expected = "a list of runs or a dict from name to run"
        raise TypeError(f"{argument} must be {expected}, got a value of type {type(runs).__name__}.")


def path_name(path: Path | str) -> str:
    r"""Return a path or name as text; what is not UTF-8 in it is escaped, because tables cannot hold it.

    Examples
    --------
    >>> path_name("a\udcff.run")
    'a\\udcff.run'
    """
    return str(path).encode(errors="backslashreplace").decode()


def _resolved(path: Path) -> Path:
    """Return the path without links; a path that no file can have is reported when it is opened."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # RuntimeError: links in a circle, before Python 3.13
        return path


def run_name(run: Run) -> str:
    """Return the name of a run in messages: its path, or "the run" for one in memory."""
    return str(run) if isinstance(run, (str, Path)) else "the run"


def check_run_frame(answers: object) -> None:
    """Check that a run is a frame with string ids and finite scores.

    An integer id never equals a zero-padded string, so such a run would silently score 0. Scores must be numbers that
    32 bits can represent, because trec_eval stores them so.

    Parameters
    ----------
    answers : object
        The run; it should be a frame with the columns qid, docno and score.

    Raises
    ------
    MalformedRunError
        If the run is not such a frame.
    """
    if not isinstance(answers, pd.DataFrame):
        raise _not_a_run(answers)
    if answers.columns.nlevels > 1:
        raise MalformedRunError("The columns of the run have several levels of names. Give each column one name.")
    if repeated := answers.columns[answers.columns.duplicated()].tolist():
        raise MalformedRunError(f"The run has two columns named {repeated[0]!r}. Give each column once.")
    if missing := [column for column in ("qid", "docno", "score") if column not in answers.columns]:
        raise MalformedRunError(f"The run has no column {missing[0]!r}. It needs qid, docno and score.")
    for column in ("qid", "docno"):
        values = answers[column].tolist()
        if not all(issubclass(kind, str) for kind in {*map(type, values)}):
            row = next(row for row, value in enumerate(values) if not isinstance(value, str))
            query_id = answers["qid"].tolist()[row]
            raise MalformedRunError(
                f"Query {shown(query_id, 25)}: the {column} {shown(values[row], 25)} is not a string.\n"
                "Read ids as strings, in pandas with dtype=str."
            )
    is_finite = _are_finite(answers["score"])
    if not is_finite.all():
        query_id, docno, score = answers[["qid", "docno", "score"]].astype(object).iloc[is_finite.argmin()]
        raise MalformedRunError(
            f"Query {shown(query_id, 20)}: the score of {shown(docno, 20)}, {shown(score, 15)}, is not a "
            "finite 32-bit number."
        )


def _not_a_run(value: object) -> MalformedRunError:
    kind = type(value).__name__
    hint = "A frame has the columns qid, docno and score; a dict maps query ids to document ids to scores."
    if hasattr(value, "transform_iter"):
        hint = f"{kind} is a transformer; pass its results: pipeline(topics)."
    return MalformedRunError(f"A run must be a path, a data frame or a dict, got a value of type {kind}.\n{hint}")


def _are_finite(scores: pd.Series[Any]) -> Booleans:
    """Return for each score whether it is a number that 32 bits can represent."""
    if isinstance(scores.dtype, np.dtype) and scores.dtype.kind in "iuf":
        return np.asarray(scores.abs() <= MAX_SCORE)
    return np.array([isinstance(score, numbers.Real) and abs(cast("float", score)) <= MAX_SCORE for score in scores])
