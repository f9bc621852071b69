"""Calibration: whether items with the probability p are relevant in the share p of cases."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ir_coliee.analysis.analysis_frame import AnalysisFrame
from ir_coliee.analysis.evaluated_run import EvaluatedRun
from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.display import number_cell
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, Integers

_BINS = 10
_Z = 1.959963984540054  # the 97.5 % quantile of the normal distribution


def calibration(runs: EvaluatedRuns) -> AnalysisFrame:
    """Compare the probabilities that runs give to items with the share of these items that is relevant.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs. The scores of a ranking are analysed, or those of the answers of a task with one answer per question.
        Runs with scores outside [0, 1] are left out.

    Returns
    -------
    AnalysisFrame
        A row for each run and non-empty tenth of [0, 1]: run, from_score, to_score, items (their number), predicted
        (their mean score), observed (the share that is relevant), and low and high, the 95 % Wilson interval of this
        share [1]_. A note for each run has the expected calibration error [2]_: the mean, over the items, of the
        absolute difference of observed and predicted.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ColieeError
        If no run has scores in [0, 1].

    References
    ----------
    .. [1] E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
    .. [2] M. P. Naeini, G. F. Cooper and M. Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning,
       AAAI 2015.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> ranking = {"900656": {"900557": 0.9, "900664": 0.5, "900912": 0.25}}
    >>> runs = evaluate("coliee/task1/sample/test", {"mine": {"900656": {"900557": 0.9}}}, rankings={"mine": ranking})
    >>> calibration(runs)[["from_score", "items", "observed"]].to_numpy().tolist()
    [[0.2, 1.0, 1.0], [0.5, 1.0, 0.0], [0.9, 1.0, 1.0]]
    """
    gold = pd.MultiIndex.from_frame(runs.gold)
    tables, notes, reasons = [], [], []
    for name, run in runs.runs.items():
        items = _items(run, runs.scorer.evaluation.single_answer)
        items = items[items["qid"].isin(runs.query_ids)]
        scores = items["score"].to_numpy(np.float64)
        if reason := _no_probabilities(scores):
            reasons.append(f"{printable(name)} {reason}")
            continue
        is_relevant = pd.MultiIndex.from_frame(items[["qid", "docno"]]).isin(gold)
        table = _bins(scores, is_relevant)
        error = float((table["items"] * (table["observed"] - table["predicted"]).abs()).sum() / len(scores))
        tables.append(table.assign(run=name))
        notes.append(f"{printable(name)}: expected calibration error {error:.4f}, {len(scores)} items")
    if not tables:
        raise ColieeError("\n".join(["No run has probabilities as scores.", *(f"{reason}." for reason in reasons)]))
    frame = pd.concat(tables, ignore_index=True)
    columns = ["run", "from_score", "to_score", "items", "predicted", "observed", "low", "high"]
    left_out = [f"Left out: {reason}." for reason in reasons]
    note = "Scores in [0, 1] are taken as probabilities. Items that are neither ranked nor answered are not counted."
    return AnalysisFrame.of(
        frame[columns], kind="calibration", title="Calibration of probabilities", notes=[*notes, note, *left_out]
    )


def wilson_interval(successes: Integers, trials: Integers) -> tuple[Floats, Floats]:
    """Return the 95 % Wilson interval of shares; ``trials`` are at least 1.

    Examples
    --------
    >>> low, high = wilson_interval(np.array([0, 5]), np.array([10, 10]))
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.0, 0.2366], [0.2775, 0.7634])
    """
    share = successes / trials
    scale = 1 + _Z**2 / trials
    centre = (share + _Z**2 / (2 * trials)) / scale
    half = _Z * np.sqrt(share * (1 - share) / trials + _Z**2 / (4 * trials**2)) / scale
    return np.clip(centre - half, 0, 1), np.clip(centre + half, 0, 1)


def _items(run: EvaluatedRun, single_answer: bool) -> pd.DataFrame:
    if single_answer:
        return run.answers
    empty: pd.DataFrame = run.answers.iloc[:0]
    return empty if run.ranking is None else run.ranking


def _no_probabilities(scores: Floats) -> str:
    """Return why scores are no probabilities; empty if they may be."""
    if not len(scores):
        return "has no ranking"
    if scores.min() < 0 or scores.max() > 1:
        return f"has scores from {number_cell(scores.min())} to {number_cell(scores.max())}, not in [0, 1]"
    return "has no scores: all are equal" if scores.min() == scores.max() else ""


def _bins(scores: Floats, is_relevant: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> pd.DataFrame:
    """Return the columns of a run, with a row for each bin that has items; 1 is in the last bin."""
    bins = np.minimum((scores * _BINS).astype(np.int64), _BINS - 1)
    counts = np.bincount(bins, minlength=_BINS)
    used = np.flatnonzero(counts)
    hits = np.bincount(bins, weights=is_relevant, minlength=_BINS)[used]
    count = counts[used]
    low, high = wilson_interval(hits.astype(np.int64), count)
    columns = {
        "from_score": used / _BINS,
        "to_score": (used + 1) / _BINS,
        "items": count,
        "predicted": np.bincount(bins, weights=scores, minlength=_BINS)[used] / count,
        "observed": hits / count,
        "low": low,
        "high": high,
    }
    frame: pd.DataFrame = pd.DataFrame(columns)
    return frame
