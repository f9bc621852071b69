"""Curves: the figure by cut-off, recall by depth, precision and recall beside the official runs, answers per query."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ir_coliee.analysis.frame import AnalysisFrame
from ir_coliee.analysis.runs import EvaluatedRun, EvaluatedRuns, beta_of
from ir_coliee.display import number_cell
from ir_coliee.errors import ColieeError, printable, printable_list
from ir_coliee.evaluation import cutoffs as cutoff_analysis
from ir_coliee.evaluation.cutoffs import MAX_ITEMS, best_of_all_values
from ir_coliee.frames import Floats
from ir_coliee.measures import MacroP, MacroR, MicroMeasure, MicroP, MicroR
from ir_coliee.transformers.candidates.cutoffs import Cutoff, RatioCutoff, ThresholdCutoff, TopK

_OPTIMISTIC = (
    "best, oracle: found with these labels, so optimistic. oracle: each query is cut at its best rank. "
    "chosen: the run's own answer set. returned: mean number of items per query."
)
_RULES = {TopK: ("rank", "k"), ThresholdCutoff: ("threshold", "threshold"), RatioCutoff: ("ratio", "ratio")}
_DEPTHS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
_RATIOS = np.arange(0.02, 1.001, 0.02).round(2).tolist()
_THRESHOLDS = 50  # the number of thresholds of a curve


def cutoff_curve(runs: EvaluatedRuns) -> AnalysisFrame:
    """Return the figure of each ranking by cut-off: at each rank, threshold and ratio to the best score.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs; those with a ranking are analysed.

    Returns
    -------
    AnalysisFrame
        A row for each cut-off: run; cutoff (``rank``, ``threshold`` or ``ratio``); setting, its number; returned, the
        mean number of items that a query keeps; value, the set measure; and point, which is ``best`` for the best
        cut-off of a ranking, of all ranks, thresholds and ratios, and otherwise ``grid``. Two more rows for each run
        have no setting: point ``chosen`` is the run's own answer set, point ``oracle`` the ranking with each query cut
        at its best rank. These three points come first. From ``chosen`` to ``best`` is what one better cut-off for all
        queries gains, from ``best`` to ``oracle`` what only a cut of each query by itself gains, and from ``oracle`` to
        1 what is lost by the ranking. Thresholds are quantiles of the first 20 scores of the queries. Thresholds and
        ratios are left out if the scores of a ranking depend only on the rank.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ColieeError
        If no run has a ranking.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> ranking = {"900656": {"900557": 0.9, "900664": 0.5, "900912": 0.25}}
    >>> runs = evaluate("coliee/task1/sample/test", {"mine": {"900656": {"900557": 0.9}}}, rankings={"mine": ranking})
    >>> cutoff_curve(runs)[["cutoff", "setting", "point"]].to_numpy().tolist()[0]
    ['rank', 3.0, 'best']
    """
    _ = runs.scorer.gold
    missing = _without_ranking(runs)
    frame = pd.concat([_curve(runs, name) for name, run in runs.runs.items() if run.ranking is not None])
    frame = frame.sort_values("point", key=lambda point: point == "grid", kind="stable", ignore_index=True)
    title, notes, main = f"{runs.measure} by cut-off", [_OPTIMISTIC, *missing], "point != 'grid'"
    return AnalysisFrame.of(frame, "cutoff_curve", title, notes, main_rows=main, numbers=["setting"])


def recall_by_depth(runs: EvaluatedRuns) -> AnalysisFrame:
    """Return the recall of each ranking by depth, which no cut-off that keeps at most so many items can exceed.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs; those with a ranking are analysed.

    Returns
    -------
    AnalysisFrame
        The columns run, depth and recall: the share of all relevant items for a micro measure, otherwise the mean
        recall of the queries. The last depth of a ranking is its own.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ColieeError
        If no run has a ranking.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> ranking = {"900656": {"900557": 0.9, "900664": 0.5, "900912": 0.25}}
    >>> runs = evaluate("coliee/task1/sample/test", {"mine": {"900656": {"900557": 0.9}}}, rankings={"mine": ranking})
    >>> recall_by_depth(runs).round(4).to_numpy().tolist()
    [['mine', 1, 0.0312], ['mine', 2, 0.0312], ['mine', 3, 0.0625]]
    """
    gold, average = runs.scorer.gold, str(MicroR if isinstance(runs.measure, MicroMeasure) else MacroR)
    tables, missing = [], _without_ranking(runs)
    for name, run in runs.runs.items():
        if run.ranking is None:
            continue
        depths = _depths(run.ranking, _DEPTHS[-1])
        table = cutoff_analysis.attainable_recall(gold, run.ranking, depths, rel=runs.measure["rel"])
        tables.append(pd.DataFrame({"run": name, "depth": table["depth"], "recall": table[average]}))
    frame = pd.concat(tables).sort_values("depth", kind="stable", ignore_index=True)
    title = f"{average} by depth of the ranking"
    return AnalysisFrame.of(frame, "recall_by_depth", title, missing, spread=("run", "recall"))


def precision_recall(runs: EvaluatedRuns) -> AnalysisFrame:
    """Return precision and recall of the runs, and of the official runs of the split's leaderboard.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.

    Returns
    -------
    AnalysisFrame
        The columns run, precision, recall, value (the set measure; of official runs as printed), beta (of the measure)
        and official, which is true for the runs of the leaderboard. Train splits and synthetic releases have none.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ColieeError
        If the task has one answer per question, so that precision and recall are its accuracy.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> answers = {"mine": {"900656": {"900557": 2.0, "900664": 1.0}}, "other": {"900656": {"900557": 1.0}}}
    >>> runs = evaluate("coliee/task1/sample/test", answers)
    >>> precision_recall(runs)[["run", "precision", "recall"]].round(4).to_numpy().tolist()
    [['mine', 0.5, 0.0312], ['other', 1.0, 0.0312]]
    """
    _ = runs.scorer.gold
    measure = runs.measure
    if runs.scorer.evaluation.single_answer:
        raise ColieeError(f"{runs.split.id} has one answer per question: precision and recall are its accuracy.")
    averages = (MicroP, MicroR) if isinstance(measure, MicroMeasure) else (MacroP, MacroR)
    ours = [
        (name, *(run.scored.value(each) for each in (*averages, measure)), False)
        for name, run in runs.runs.items()
        if run.scored is not None
    ]
    official, notes = _official_points(runs)
    frame = pd.DataFrame([*official, *ours], columns=["run", "precision", "recall", "value", "official"])
    frame.insert(4, "beta", beta_of(measure))
    if not isinstance(measure, MicroMeasure):
        notes.append(f"{measure} is a mean over queries, so it is not the F of the mean precision and recall.")
    title = f"Precision and recall for {measure}"
    return AnalysisFrame.of(frame, "precision_recall", title, notes, numbers=["beta"])


def answers_per_query(runs: EvaluatedRuns) -> AnalysisFrame:
    """Return how many queries have each number of relevant and of returned items.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.

    Returns
    -------
    AnalysisFrame
        The columns run, which is ``gold`` in the rows on relevant items; items, the number of items per query; and
        num_queries, how many queries have this number. Numbers that occur nowhere have no row. Notes give mean and
        median.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> runs = evaluate("coliee/task1/sample/test", {"mine": {"900656": {"900557": 2.0, "900664": 1.0}}})
    >>> answers_per_query(runs).query("run == 'mine' and num_queries > 0").to_numpy().tolist()
    [['mine', 0, 11], ['mine', 2, 1]]
    """
    counts = runs.counts
    sizes = {"gold": counts.relevant[0], **dict(zip(counts.runs, counts.returned))}
    items = np.unique(np.concatenate([*sizes.values()]))
    rows = [(run, int(each), int((numbers == each).sum())) for each in items for run, numbers in sizes.items()]
    frame = pd.DataFrame(rows, columns=["run", "items", "num_queries"])
    title = "Queries by their number of relevant and returned items"
    notes = [
        f"{printable(name)}: {numbers.mean():.4f} items per query, median {np.median(numbers):g}"
        for name, numbers in sizes.items()
    ]
    return AnalysisFrame.of(frame, "answers_per_query", title, notes, spread=("run", "num_queries"))


def _curve(runs: EvaluatedRuns, name: str) -> pd.DataFrame:
    """Return the points of a run with a ranking."""
    run, gold, measure = runs.runs[name], runs.scorer.gold, runs.measure
    assert run.ranking is not None
    assert run.scored is not None
    cutoffs = [*curve_cutoffs(run.ranking)]
    encoded = cutoff_analysis.encode_run(run.ranking, gold, rel=measure["rel"])
    cutoffs += [each for each in best_of_all_values(encoded, measure) if type(each) in {*map(type, cutoffs)}]
    cutoffs = sorted({repr(cutoff): cutoff for cutoff in cutoffs}.values(), key=_place_in_curve)
    _, returned = cutoff_analysis.cutoff_counts(encoded, cutoffs)
    values = cutoff_analysis.cutoff_values(encoded, measure, cutoffs)
    best = cutoff_analysis.index_of_best(values)
    rules = [_RULES[type(cutoff)] for cutoff in cutoffs]
    curve = pd.DataFrame(
        {
            "cutoff": [name for name, _ in rules],
            "setting": [float(getattr(cutoff, parameter)) for cutoff, (_, parameter) in zip(cutoffs, rules)],
            "returned": returned.sum(axis=1) / len(runs.query_ids),
            "value": values,
            "point": ["best" if number == best else "grid" for number in range(len(cutoffs))],
        }
    )
    oracle = cutoff_analysis.oracle(gold, run.ranking, measure)
    points = {
        "cutoff": "",
        "setting": np.nan,
        "returned": [float(run.scored.counts.returned.mean()), float(oracle.sizes.mean())],
        "value": [run.scored.value(measure), oracle.value],
        "point": ["chosen", "oracle"],
    }
    table = pd.concat([curve, pd.DataFrame(points)], ignore_index=True)
    table.insert(0, "run", name)
    return table


def curve_cutoffs(ranking: pd.DataFrame) -> Iterator[Cutoff]:
    """Yield the cut-offs of a curve."""
    yield from map(TopK, _depths(ranking, 100))
    if (ranking.groupby("rank")["score"].nunique() <= 1).all():
        return  # the rank determines the score, so these cut-offs would repeat those above
    thresholds = np.quantile(ranking.loc[ranking["rank"] < MAX_ITEMS, "score"], np.linspace(1, 0, _THRESHOLDS))
    yield from map(ThresholdCutoff, dict.fromkeys(map(float, thresholds)))
    yield from map(RatioCutoff, reversed(_RATIOS))


def _place_in_curve(cutoff: Cutoff) -> tuple[int, float]:
    """Return a key that sorts the cut-offs of each kind by growing answer sets."""
    _, parameter = _RULES[type(cutoff)]
    setting = float(getattr(cutoff, parameter))
    return [*_RULES].index(type(cutoff)), setting if isinstance(cutoff, TopK) else -setting


def _depths(ranking: pd.DataFrame, largest: int) -> list[int]:
    """Return the depths at which a ranking is cut; the last one is its own, if that is not above the largest."""
    own = int(ranking.groupby("qid").size().max())
    return sorted({*(depth for depth in _DEPTHS if depth <= min(own, largest)), min(own, largest)})


def _without_ranking(runs: EvaluatedRuns) -> list[str]:
    """Return a note on the runs without a ranking. Raises `ColieeError` if no run has one."""
    names = [name for name, run in runs.runs.items() if run.ranking is None]
    if len(names) == len(runs.runs):
        if runs.scorer.evaluation.single_answer:
            raise ColieeError(f"{runs.split.id} has one answer per question, so its runs have no rankings.")
        raise ColieeError(
            f"No ranking of {printable_list(names)} was found.\n"
            "Pass the rankings that the runs were cut from (--ranking, rankings=), or put them beside the runs as "
            "RUN.trec."
        )
    return [f"No ranking found: {printable_list(names)}."] if names else []


def _official_points(runs: EvaluatedRuns) -> tuple[list[tuple[str, float, float, float, bool]], list[str]]:
    """Return the official runs whose precision and recall are known, and notes on the leaderboard."""
    leaderboard = runs.scorer.leaderboard
    if leaderboard is None:
        return [], ["No official results: they exist only for test splits of real editions."]
    average = "Micro" if runs.split.task in ("task1", "task2") else "Macro"
    precision, recall = f"{average}P", f"{average}R"
    rows = [row for row in leaderboard.rows if row.get(precision) and row.get(recall)]
    notes = [leaderboard.note]
    if unknown := len(leaderboard.rows) - len(rows):
        notes.append(f"Official runs without printed precision and recall, left out: {unknown}.")
    points = []
    for row in rows:
        name = " ".join(filter(None, (row["team"], row["run"])))
        points.append((name, float(row[precision]), float(row[recall]), float(row[leaderboard.figure]), True))
    return points, notes


# Calibration: whether items with the probability p are relevant in the share p of cases.


_BINS = 10


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
        share [1]_. A note for each run has the expected calibration error [2]_ of the items with a score of at
        least 0.1: the mean, over them, of the absolute difference of observed and predicted.

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
        likely = table[table["from_score"] > 0]  # the many items that are easily told from relevant ones say nothing
        number = int(likely["items"].sum())
        error = float((likely["items"] * (likely["observed"] - likely["predicted"]).abs()).sum() / max(number, 1))
        tables.append(table.assign(run=name))
        notes.append(
            f"{printable(name)}: expected calibration error {error:.4f} of the {number} items from {1 / _BINS} on"
        )
    if not tables:
        raise ColieeError("\n".join(["No run has probabilities as scores.", *(f"{reason}." for reason in reasons)]))
    frame = pd.concat(tables, ignore_index=True)
    columns = ["run", "from_score", "to_score", "items", "predicted", "observed", "low", "high"]
    note = "Scores in [0, 1] are taken as probabilities. Items that are neither ranked nor answered are not counted."
    notes += [note, *(f"Left out: {reason}." for reason in reasons)]
    return AnalysisFrame.of(frame[columns], "calibration", "Calibration of probabilities", notes)


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
    from scipy.stats import binomtest  # takes long to import

    bins = np.minimum((scores * _BINS).astype(np.int64), _BINS - 1)
    counts = np.bincount(bins, minlength=_BINS)
    used = np.flatnonzero(counts)
    hits = np.bincount(bins, weights=is_relevant, minlength=_BINS)[used]
    count = counts[used]
    wilson = [binomtest(int(k), int(n)).proportion_ci(method="wilson") for k, n in zip(hits, count)]
    columns = {
        "from_score": used / _BINS,
        "to_score": (used + 1) / _BINS,
        "items": count,
        "predicted": np.bincount(bins, weights=scores, minlength=_BINS)[used] / count,
        "observed": hits / count,
        "low": [each.low for each in wilson],
        "high": [each.high for each in wilson],
    }
    return pd.DataFrame(columns)
