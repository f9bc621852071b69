"""Chooses a cut-off for a ranked run, and says what the choice is worth and what is lost beside it.

The best of thousands of cut-offs looks better on the queries that chose it than it will on others. So each value
stands beside the one on queries that did not choose, and both below the oracle, which no cut-off exceeds.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import ir_measures
import numpy as np

from ir_coliee.datasets.folds import exam_year
from ir_coliee.editions import SPLITS, TASK_NAMES, Split
from ir_coliee.errors import ColieeError, MalformedFileError, MalformedRunError, MissingLabelsError
from ir_coliee.evaluation.cutoff_analysis import answers_per_query, attainable_recall, oracle
from ir_coliee.evaluation.cutoff_search import cross_validated, fit_cutoff, standard_grid
from ir_coliee.evaluation.encoded_run import EncodedRun, encode
from ir_coliee.evaluation.gold import query_ids
from ir_coliee.evaluation.inputs import Dataset, Run, as_split, frame_of
from ir_coliee.evaluation.measure_ratios import require_set_measure
from ir_coliee.evaluation.runs import as_frame, open_run, read_run
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.evaluation.task_evaluation import EMPTY_AS_1, task_evaluation
from ir_coliee.frames import sort_results
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.releases.reading import read_text
from ir_coliee.text.statutes import exam_id
from ir_coliee.transformers.candidates.cutoffs import Cutoff, TopK

if TYPE_CHECKING:
    import pandas as pd

_DEPTHS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


class TunedCutoff(NamedTuple):
    """The best of some cut-offs, its value on the queries that chose it, and what such a choice is worth on others.

    ``held_out``: the value where each fold of the queries is cut by what is best on the other folds; NaN where there
    is a single query. ``by_year``: the same with the exam years as folds; NaN where there are not several.
    """

    cutoff: Cutoff
    optimistic: float
    held_out: float
    by_year: float


@dataclass(frozen=True, eq=False)
class Tuning:
    """The best cut-off of a run on a split, and what it is worth.

    ``best``: of all cut-offs that were tried. ``rules``: the best of each kind, a row each, the highest value first:
    ``rule``, and what `TunedCutoff` has. ``folds``: into how many the queries were dealt. ``oracle``: the value where
    each query is cut at the place that is best for the whole; ``perfect``: that of the gold itself. ``recall``: as
    `ir_coliee.evaluation.cutoff_analysis.attainable_recall` gives it, down to the last item of the run. ``items``: gold
    and returned items per query, as `answers_per_query` there gives them, of this split and of the test split where its
    run was given. ``test_value``: that of ``best`` on the test split; None without its run or its labels. ``notes``:
    what should be said beside the figures.
    """

    split: Split
    measure: ColieeMeasure
    best: TunedCutoff
    rules: pd.DataFrame
    folds: int
    oracle: float
    perfect: float
    recall: pd.DataFrame
    items: pd.DataFrame
    test_value: float | None
    notes: list[str]

    @property
    def lost_by_ranking(self) -> float:
        """What no cut gains: from the oracle to the value of the gold."""
        return self.perfect - self.oracle

    @property
    def lost_by_cutting(self) -> float:
        """What cutting the same ranking better could gain: from the best cut-off to the oracle."""
        return self.oracle - self.best.optimistic

    def record(self) -> dict[str, Any]:
        """All of it as JSON takes it: cut-offs as Python writes them, None for NaN."""
        record = {
            "id": self.split.id,
            "measure": str(self.measure),
            "best": {**self.best._asdict(), "cutoff": repr(self.best.cutoff)},
            "rules": self.rules.assign(cutoff=self.rules["cutoff"].map(repr)).to_dict("records"),
            "folds": self.folds,
            "oracle": self.oracle,
            "perfect": self.perfect,
            "lost_by_ranking": self.lost_by_ranking,
            "lost_by_cutting": self.lost_by_cutting,
            "recall": self.recall.to_dict("records"),
            "items": self.items.to_dict("records"),
            "test_value": self.test_value,
            "notes": self.notes,
        }
        without_nan: dict[str, Any] = _without_nan(record)
        return without_nan


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_without_nan(each) for each in value]
    return None if value != value else value


def tuning_measures(split: Split) -> tuple[ColieeMeasure, ...]:
    """What a cut-off of a split can be chosen for: the official measure, in both readings where it has two.

    The accuracy by which task 3 of 2026 is ranked finds no item too many; there it is the F2 that settles ties. Raises
    `ColieeError` for a task whose answers are no cut of a ranking.

    >>> tuning_measures(as_split("coliee/pilot/sample/rationale/train"))
    (MacroF, MacroF(empty=1))
    """
    form = task_evaluation(split)
    if form.single_answer:
        raise ColieeError(
            f"{split.id} has no cut-off to tune: in {TASK_NAMES[split.task]} each question is answered with the one of "
            "two labels that scores higher. Tasks 1 to 3 and rationale extraction have a cut-off."
        )
    return (form.measure, EMPTY_AS_1) if form.unanswered == "answer" else (form.measure,)


def submitted_split(split: Split) -> Split:
    """The test split of the same edition, which a cut-off is tuned for; the split itself where it is that.

    >>> submitted_split(as_split("coliee/task3/sample/en/r98")).id
    'coliee/task3/sample/en/test'
    """
    return split if split.is_test else SPLITS[f"{split.id.removesuffix(split.name)}test"]


def tune(
    dataset: Dataset,
    run: Run,
    *,
    test_run: Run | None = None,
    measure: ColieeMeasure | None = None,
    folds: int = 5,
    seed: int = 0,
) -> Tuning:
    """Choose the cut-off of a ranked run on a split with labels.

    ``run``: a frame with qid, docno and score, or the path of a run file (for the pilot in TREC's form). ``test_run``: the
    run of the same system on the test split of the same edition; neither it nor its labels take split in the choice.
    ``measure``: one of sets, without an @k; if None the first of `tuning_measures`. ``folds``: how many groups the
    queries are dealt into, shuffled by ``seed``, each held out in turn; no more than there are queries.

    The cut-offs of `ir_coliee.evaluation.cutoff_search.standard_grid` are tried; of a file without scores, which
    tells nothing but the order, `TopK` alone. Every query with gold counts, answered or not. Raises `ColieeError`
    for a task without a cut-off and for a ``test_run`` beside a test split, `MissingLabelsError`, `MalformedFileError`,
    `MalformedRunError` where `ir_coliee.evaluation.scoring.score` does, for a run without an answer and for a score
    that is no finite number, and `ValueError` for fewer than two folds and for a measure that cannot choose.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["900001"] * 2, "docno": ["900001_008", "900001_001"], "score": [2.0, 1.0]})
    >>> best = tune("coliee/task2/sample/train", run).best
    >>> best.cutoff, best.optimistic == 2 * 1 / (1 + 12)  # 1 found of 1 returned and 12 relevant
    (TopK(k=1), True)
    """
    import pandas as pd

    split = as_split(dataset)
    official, *_ = tuning_measures(split)
    chosen = official if measure is None else measure
    require_set_measure(chosen)
    if folds < 2:
        raise ValueError(f"folds={folds!r} is not a whole number from 2")
    scorer = Scorer(split)
    qrels = scorer.gold
    ranking = _ranking(scorer, run)
    on_test = None if test_run is None else _ranking(Scorer(_test_beside(split)), test_run)

    encoded = encode(ranking.frame, qrels, rel=chosen["rel"])
    tried = standard_grid(encoded)
    if not ranking.has_scores or (on_test and not on_test.has_scores):
        tried = [cutoff for cutoff in tried if isinstance(cutoff, TopK)]
    search = _Search(ranking.frame, qrels, chosen, min(folds, len(encoded.queries)), seed, _has_several_years(encoded))
    best = search.best(tried)
    items = answers_per_query({split.name: (best.cutoff(ranking.frame), qrels)}, rel=chosen["rel"])
    beside = on_test and _beside(on_test, best.cutoff, chosen)
    return Tuning(
        split=split,
        measure=chosen,
        best=best,
        rules=_best_of_each_kind(search, tried),
        folds=search.folds,
        oracle=oracle(ranking.frame, qrels, chosen).value,
        perfect=float(chosen.aggregate(encoded.relevant, encoded.relevant, encoded.relevant)),
        recall=_recall(ranking.frame, qrels, encoded.depth, chosen["rel"]),
        items=pd.concat([items, beside.items], ignore_index=True) if beside else items,
        test_value=beside.value if beside else None,
        notes=[
            *_notes_on_split(split, chosen),
            *_notes_on_run(ranking, encoded),
            *(beside.notes if beside else []),
            *scorer.gold_notes,
        ],
    )


class _Ranking(NamedTuple):
    """A run that was checked, in order, with ids as categories, by which it is encoded quickest."""

    scorer: Scorer
    frame: pd.DataFrame
    has_scores: bool
    notes: list[str]


def _ranking(scorer: Scorer, run: Run) -> _Ranking:
    import pandas as pd

    has_scores = True
    if isinstance(run, (str, Path)):
        run, has_scores = _read(scorer.split, Path(run))
    else:
        run = frame_of(run)
    notes = scorer.check(run)
    if not has_scores:
        notes.append("the file has no scores, and its order alone can be cut: TopK was tried, and no other rule")
    if run.empty:
        raise MalformedRunError(f"The run has no answer to a query of {scorer.split.id}: there is nothing to cut.")
    run = run.assign(score=pd.to_numeric(run["score"]).astype(np.float64))
    frame = sort_results(run).astype({"qid": "category", "docno": "category"})
    return _Ranking(scorer, frame, has_scores, notes)


def _read(split: Split, path: Path) -> tuple[pd.DataFrame, bool]:
    """The run of a file, and whether it has scores. The pilot's own form has decisions alone: there TREC's is read."""
    if not split.submission.columns:
        return _read_trec(path), True
    answers = read_run(split, path)
    return as_frame(answers), all(answer.has_score for answer in answers)


def _read_trec(path: Path) -> pd.DataFrame:
    import pandas as pd

    answers: list[ir_measures.ScoredDoc] = []
    for number, line in enumerate(read_text(open_run(path)).split("\n"), start=1):
        try:
            answers += ir_measures.read_trec_run(io.StringIO(line))
        except ValueError:
            expected = "a ranking in TREC's form, six columns: query Q0 item rank score tag"
            raise MalformedFileError(path, number, "no line of a ranking", expected) from None
    return pd.DataFrame(answers, columns=["query_id", "doc_id", "score"]).set_axis(["qid", "docno", "score"], axis=1)


def _test_beside(split: Split) -> Split:
    if split.is_test:
        raise ColieeError(
            f"{split.id} is the test itself: no other run can be put beside it. Tune on "
            f"{split.train.id if split.train else 'the train split'}, with the test's run beside that one's."
        )
    return submitted_split(split)


class _Beside(NamedTuple):
    """What a cut-off makes of the test's run: rows of ``Tuning.items``, its value where it is known, notes."""

    items: pd.DataFrame
    value: float | None
    notes: list[str]


def _beside(test: _Ranking, cutoff: Cutoff, measure: ColieeMeasure) -> _Beside:
    answers, queries, rel = cutoff(test.frame), query_ids(test.scorer.split), measure["rel"]
    notes = [f"test run: {note}" for note in test.notes]
    if silent := len(set(queries).difference(answers["qid"])):
        notes.append(f"test run: queries without an answer behind the cut-off: {silent} of {len(queries)}")
    try:
        qrels = test.scorer.gold
    except MissingLabelsError:
        items = answers_per_query({"test": (answers, _unjudged(queries))}, rel=rel)
        return _Beside(items[items["items"] == "returned"], None, notes)
    encoded = encode(answers, qrels, rel=rel)
    value = measure.aggregate(encoded.found(encoded.lengths), encoded.lengths, encoded.relevant)
    return _Beside(answers_per_query({"test": (answers, qrels)}, rel=rel), float(value), notes)


def _unjudged(queries: Sequence[str]) -> pd.DataFrame:
    """Qrels of queries whose gold is not known, so that the unanswered ones count too."""
    import pandas as pd

    return pd.DataFrame({"qid": queries, "docno": "", "label": 0})


@dataclass(frozen=True, eq=False)
class _Search:
    """Looks for the best of some cut-offs, always on the same queries and folds."""

    ranking: pd.DataFrame
    qrels: pd.DataFrame
    measure: ColieeMeasure
    folds: int
    seed: int
    has_several_years: bool

    def best(self, cutoffs: Sequence[Cutoff]) -> TunedCutoff:
        run, qrels, measure = self.ranking, self.qrels, self.measure
        if self.folds < 2:
            return TunedCutoff(*fit_cutoff(run, qrels, measure, cutoffs), np.nan, np.nan)
        dealt = cross_validated(run, qrels, measure, cutoffs, folds=self.folds, seed=self.seed)
        by_year = np.nan
        if self.has_several_years:
            by_year = cross_validated(run, qrels, measure, cutoffs, groups=exam_year).held_out
        return TunedCutoff(dealt.cutoff, dealt.optimistic, dealt.held_out, by_year)


def _has_several_years(encoded: EncodedRun) -> bool:
    years = {exam_id(query_id).year for query_id in encoded.queries}
    return "" not in years and len(years) > 1


def _best_of_each_kind(search: _Search, cutoffs: Sequence[Cutoff]) -> pd.DataFrame:
    import pandas as pd

    kinds: dict[type[Cutoff], list[Cutoff]] = {}
    for cutoff in cutoffs:
        kinds.setdefault(type(cutoff), []).append(cutoff)
    rows = [(kind.__name__, *search.best(of_kind)) for kind, of_kind in kinds.items()]
    frame = pd.DataFrame(rows, columns=["rule", *TunedCutoff._fields])
    return frame.sort_values("optimistic", ascending=False, kind="stable", ignore_index=True)


def _recall(ranking: pd.DataFrame, qrels: pd.DataFrame, last: int, rel: int) -> pd.DataFrame:
    return attainable_recall(ranking, qrels, [*(depth for depth in _DEPTHS if depth < last), last], rel=rel)


def _notes_on_split(split: Split, measure: ColieeMeasure) -> Iterator[str]:
    if split.is_test and split.train:
        yield (
            f"{split.id} is what runs are scored on. A cut-off that its labels chose is no honest choice there, and its "
            f"value says nothing of other queries: tune on {split.train.id}"
        )
    if task_evaluation(split).figures[0].needs == "answers":
        yield (
            "runs of this edition are ranked by the questions that are answered right with all articles found, for "
            f"which no article is too many; the cut-off is chosen for {measure}, which settles ties"
        )


def _notes_on_run(ranking: _Ranking, encoded: EncodedRun) -> Iterator[str]:
    yield from ranking.notes
    if silent := int((encoded.lengths == 0).sum()):
        yield f"queries without an answer in the run, counted as such: {silent} of {len(encoded.queries)}"
    if not encoded.hits.any():
        yield "the run finds no relevant item, so that nothing tells where to cut it"
    if len(encoded.queries) < 2:
        yield "there is one query: nothing can be held out"
    if encoded.depth > 1 and _all_tied(encoded):
        yield "all scores of a query are equal, so that no rule but TopK tells its items apart"


def _all_tied(encoded: EncodedRun) -> bool:
    best = encoded.scores[:, :1]
    return bool(((encoded.scores == best) | np.isneginf(encoded.scores)).all())
