"""The first section: the main findings on each run in plain words, and what would mend them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ir_coliee.analysis.agreement import comparison
from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.losses import loss_by_cause
from ir_coliee.analysis.outcome_causes import miss_causes, misses
from ir_coliee.analysis.plain_values import plain_rows
from ir_coliee.analysis.report.advice import OF_CAUSE, OF_KIND, OF_RANKED
from ir_coliee.analysis.report.inputs import Inputs, first_line
from ir_coliee.analysis.report.official_figures import scores
from ir_coliee.display import Block, Heading, number_cell
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.scoring import Scores, synthetic_notes

_SMALL = 0.05  # a loss of fewer relevant items, or a kind of fewer returned items, is not among the findings
_SIGNIFICANT = 0.05
_GAIN = 0.005  # a better cut-off with less gain is not worth a change
_GROUPS = 3  # named groups
_COMPARED = "the best rank, threshold or ratio for all queries"  # what the cut-off of a run is compared with

Row = dict[str, Any]


def findings(inputs: Inputs) -> Iterator[Block]:
    """Yield for each run its figure, its losses, its false answers, its cut-off, and the groups that differ."""
    of_runs = scores(inputs)
    yield from (f"Note: {note}." for note in synthetic_notes(inputs.runs.split))
    if len(of_runs) > 1:
        yield _best_run(inputs)
    for name, scored in of_runs.items():
        if len(of_runs) > 1:
            yield Heading(f"Findings on {name}", 2)
        yield _figure(inputs, name, scored)
        for part in (_losses, _cutoff, _false_answers, _groups):
            try:
                yield from part(inputs, name)
            except ColieeError as error:
                yield f"  Not available: {first_line(error)}"


def _best_run(inputs: Inputs) -> str:
    """Name the best run, and say whether the next one is significantly worse."""
    frame = comparison(inputs.runs)
    values = {**dict(zip(frame["run_a"], frame["value_a"])), **dict(zip(frame["run_b"], frame["value_b"]))}
    best, second = sorted(values, key=lambda name: -values[name])[:2]
    if values[best] == values[second]:
        return f"Of {len(values)} runs {best} and {second} have the same {frame.measure}, {values[best]:.4f}, the best."
    pair = frame[frame["run_a"].isin([best, second]) & frame["run_b"].isin([best, second])].iloc[0]
    without = "" if pair["p_holm"] < _SIGNIFICANT else "not "
    return (
        f"Of {len(values)} runs {best} is the best with {frame.measure} {values[best]:.4f}, before {second} with "
        f"{values[second]:.4f}. The difference is {without}significant (p {pair['p_holm']:.4f}, corrected)."
    )


def _figure(inputs: Inputs, name: str, scored: Scores) -> str:
    counts = inputs.runs.counts
    tp, returned, relevant = (
        int(array[counts.runs.index(name)].sum()) for array in (counts.tp, counts.returned, counts.relevant)
    )
    label, value = next(iter(scored.figures.items()))
    label = label[:1].upper() + label[1:]
    certainty = f" (95 % interval {scored.interval.low:.4f} to {scored.interval.high:.4f})" if scored.interval else ""
    place = f" {scored.place.sentence}." if scored.place else ""
    if inputs.runs.scorer.evaluation.single_answer:
        return f"{label} is {value:.4f}{certainty}.{place} {tp} of {relevant} answers are right."
    return (
        f"{label} is {value:.4f}{certainty}.{place} Of {relevant} relevant items {tp} are returned and "
        f"{relevant - tp} are missed; {returned - tp} of {returned} returned items are false."
    )


def _losses(inputs: Inputs, name: str) -> Iterator[str]:
    """Yield a sentence on each large loss, the largest first."""
    lost = inputs.result("losses").query("run == @name and type == 'loss' and share >= @_SMALL")
    for row in plain_rows(lost.sort_values("items", ascending=False, kind="stable")):
        cause = row["name"]
        if cause in (misses.BELOW, misses.CUT):
            advice = OF_RANKED[inputs.is_for("cutoff_curve") and _best_cutoff(inputs, name).is_weaker]
        else:
            advice = OF_CAUSE.get(cause, "")
        lost_items = f"{loss_by_cause(inputs.runs, cause, row['items'])}."
        yield " ".join(filter(None, (f"  Loss: {lost_items}", advice, _if_returned(inputs.runs, name, cause))))


def _if_returned(runs: EvaluatedRuns, name: str, cause: str) -> str:
    """Return what the run would reach if it also returned the items that are lost by a cause, and nothing else."""
    if runs.scorer.evaluation.single_answer or runs.runs[name].stages:
        return ""
    counts, lost = runs.counts, miss_causes(runs, name).query("cause == @cause")["query_id"].value_counts()
    found = lost.reindex(counts.query_ids, fill_value=0).to_numpy()
    tp, returned, relevant = (each[counts.runs.index(name)] for each in (counts.tp, counts.returned, counts.relevant))
    value = float(runs.measure.aggregate(tp + found, returned + found, relevant))
    return f"With these items {runs.measure} would be {value:.4f}."


def _false_answers(inputs: Inputs, name: str) -> Iterator[str]:
    """Yield a sentence on each frequent kind of false answers that can be explained."""
    found = plain_rows(inputs.result("false_answers").query("run == @name and share >= @_SMALL"))
    if inputs.runs.scorer.evaluation.single_answer and found:
        wrong = [f"{row['kind']} ({row['items']})" for row in found]
        yield f"  Wrong answers: {', '.join(wrong)}."
    for row in found:
        if row["kind"] in OF_KIND:
            share = f"{100 * row['share']:.1f} % of the returned items"
            yield f"  False answers: {row['items']} ({share}) are of the kind “{row['kind']}”. {OF_KIND[row['kind']]}"


class _BestCutoff(NamedTuple):
    """The points of the cut-off curve of a run: itself, the best of those compared, and the best cut of each query."""

    chosen: Row
    best: Row
    oracle: Row

    @property
    def gain(self) -> float:
        return float(self.best["value"] - self.chosen["value"])

    @property
    def is_weaker(self) -> bool:
        """Whether it returns more items than the run, and gains by that."""
        return self.gain >= _GAIN and bool(self.best["returned"] > self.chosen["returned"])

    @property
    def judgement(self) -> str:
        """What is wrong with the cut-off of the run."""
        more = self.best["returned"] - self.chosen["returned"]
        if more == 0:
            return "not the best one that returns so many items"
        return "too strict: return more items" if more > 0 else "too weak: return fewer items"


def _best_cutoff(inputs: Inputs, name: str) -> _BestCutoff:
    points = {row["point"]: row for row in plain_rows(inputs.result("cutoff_curve").query("run == @name"))}
    return _BestCutoff(points["chosen"], points["best"], points["oracle"])


def _cutoff(inputs: Inputs, name: str) -> Iterator[str]:
    """Yield how much the best rank, threshold or ratio for all queries would gain."""
    if inputs.runs.runs[name].ranking is None or not inputs.is_for("cutoff_curve"):
        return
    found = _best_cutoff(inputs, name)
    chosen, best = found.chosen, found.best
    kept = f"{chosen['returned']:.2f} items per query are returned"
    if found.gain < _GAIN:
        value = f"{inputs.runs.measure} {best['value']:.4f}"
        compared = "better than" if found.gain <= -_GAIN else "about as good as"
        judgement = f"The cut-off is {compared} {_COMPARED} ({value})"
        yield f"  {judgement}: {kept}. {_limit(inputs, found)}"
        return
    yield (
        f"  The cut-off is {found.judgement}. Now {kept}. {_COMPARED.capitalize()} ({_described(best)}) returns "
        f"{best['returned']:.2f} and has {inputs.runs.measure} {best['value']:.4f} instead of {chosen['value']:.4f}. "
        "This figure is optimistic, because the cut-off was chosen on these labels; ir_coliee tune chooses one on the "
        f"train split. {_limit(inputs, found)}"
    )


def _limit(inputs: Inputs, found: _BestCutoff) -> str:
    """Return what no cut-off can exceed."""
    return f"No cut-off of this ranking reaches more than {inputs.runs.measure} {found.oracle['value']:.4f}."


def _described(point: Row) -> str:
    """Return the rule of a cut-off with its number."""
    setting = point["setting"]
    return {
        "rank": f"the first {setting:g} items",
        "threshold": f"all items with a score of at least {number_cell(setting)}",
        "ratio": f"all items with at least {setting:g} times the highest score of the query",
    }[point["cutoff"]]


def _groups(inputs: Inputs, name: str) -> Iterator[str]:
    """Yield the groups of queries that differ most clearly from the others."""
    of_run = inputs.result("groups").query("run == @name and p_holm < @_SIGNIFICANT").sort_values("p_holm")
    if of_run.empty:
        yield "  No group of queries differs significantly from the other queries."
    for row in plain_rows(of_run.drop_duplicates("property"))[:_GROUPS]:
        group = f"{row['property'].replace('_', ' ')}: {row['group']}"
        side = "higher" if row["difference"] > 0 else "lower"
        yield (
            f"  Queries with “{group}” ({row['num_queries']} queries) differ: their {inputs.runs.official_name} is "
            f"{row['value']:.4f}, {abs(row['difference']):.4f} {side} than that of the others (p {row['p_holm']:.4f}, "
            "corrected)."
        )
