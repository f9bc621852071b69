"""Runs in memory: conversion to a frame, and checks of its columns, ids and scores."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias, cast

import pandas as pd

from ir_coliee.arguments import shown
from ir_coliee.errors import MalformedRunError
from ir_coliee.evaluation.runs.format_rules import MAX_SCORE

#: A path, a frame with qid, docno and score, or a dict from query id to document id to score.
Run: TypeAlias = "pd.DataFrame | Mapping[str, Mapping[str, float]] | Path | str"


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
        If a value of the dict is not a dict.
    """
    if isinstance(run, Mapping):
        for query_id, scores in run.items():
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
        raise MalformedRunError(
            f"A run must be a frame with qid, docno and score, got a value of type {type(answers).__name__}."
        )
    if repeated := answers.columns[answers.columns.duplicated()].tolist():
        raise MalformedRunError(f"The run has two columns named {repeated[0]!r}. Give each column once.")
    if missing := [column for column in ("qid", "docno", "score") if column not in answers.columns]:
        raise MalformedRunError(f"The run has no column {missing[0]!r}. It needs qid, docno and score.")
    for query_id, docno in zip(answers["qid"], answers["docno"]):
        for column, value in (("qid", query_id), ("docno", docno)):
            if not isinstance(value, str):
                raise MalformedRunError(
                    f"Query {shown(query_id, 25)}: the {column} {shown(value, 25)} is not a string.\n"
                    "Read ids as strings, in pandas with dtype=str."
                )
    for query_id, docno, score in zip(answers["qid"], answers["docno"], answers["score"]):
        if not is_finite_score(score):
            raise MalformedRunError(
                f"Query {shown(query_id, 20)}: the score of {shown(docno, 20)}, {shown(score, 15)}, is not a "
                "finite 32-bit number."
            )


def is_finite_score(score: Any) -> bool:
    """Return whether a score is a number that 32 bits can represent."""
    return isinstance(score, numbers.Real) and bool(abs(cast("float", score)) <= MAX_SCORE)
