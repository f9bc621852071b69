"""Task 2 learned: gradient boosting over lexical scores of the fragment and of what stands around it.

The recipe is the package's own, measured on the edition of 2025: each score counts as value, ratio to the best, rank
and gap to the second; beside them stand places and lengths. Where to cut is decided on train cases that were not
learned.
"""

from __future__ import annotations

import ir_datasets
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.baselines.learned import HeldOut, held_out, labelled_train, learner
from ir_coliee.baselines.runs import BaselineRun, NotLearned, same_labels, topics
from ir_coliee.datasets.folds import Folds, by_block, edition_blocks
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, MissingReleaseError
from ir_coliee.measures import MicroF1
from ir_coliee.text.analysers import Analysis, English, Shingles
from ir_coliee.text.markers import without_markers
from ir_coliee.transformers import (
    CandidatePool,
    ExpectedFCutoff,
    LexicalIndex,
    ScoreFeatures,
    Scores,
    ThresholdCutoff,
    out_of_fold,
)
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.transformers.features.features import feature_matrix, with_features

_AROUND = 3000  # characters, half of them on either side
_FOLDS = 5  # where it is not known how many cases each edition brought
_SCORES = ("words", "pairs", "triples", "characters", "bm25")
_OF_SURROUNDINGS = 4 * len(_SCORES)  # features, the last of all
_PLACED = 0.5  # if fewer of the train split's paragraphs have surroundings to be scored with, nobody's are looked at

#: The recipe's comes first, and wins where others are as good.
CUTOFFS: list[Cutoff] = [
    ThresholdCutoff(0.25, min_items=1),
    *(
        ThresholdCutoff(percent / 100, min_items=1, max_items=max_items)
        for max_items in (1, 2, 3, 5)
        for percent in range(5, 65, 5)
    ),
    *(ExpectedFCutoff(1.0, average="micro", min_items=1, max_items=max_items) for max_items in (2, 3, 5)),
]


def paragraphs(split: Split) -> list[BaselineRun]:
    """The paragraphs of each case by what was learned from the train split, cut.

    A case whose fragment is not found in its base case is answered by a model that knows the fragment alone. Of the
    train split itself each block of cases is answered by a model that has not seen it. Raises `NotLearned` where there
    are no labels, or too few, and `MissingExtraError` without LightGBM.
    """
    train, gold = labelled_train(split)
    own = same_labels(train, split)
    seen = candidates(train)
    asked = seen if own else candidates(split)
    folds = _folds(train, list(topics(train)["qid"]))
    around = bool(_placed(seen).mean() >= _PLACED)
    if not around:
        seen, asked = by_fragment_alone(seen), by_fragment_alone(asked)
    whole, placed = seen[_placed(seen)], _placed(asked)
    chosen = held_out(whole, gold, folds, CUTOFFS, MicroF1)

    def answered(known: pd.DataFrame, unknown: pd.DataFrame) -> pd.DataFrame:
        if not own:
            return learner(known).fit(known, gold)(unknown)
        run = out_of_fold(learner(known), known, gold, folds)
        return run[run["qid"].isin(unknown["qid"])]

    runs = [chosen.run if own else answered(whole, asked[placed])]
    if not placed.all():
        runs.append(answered(by_fragment_alone(seen), by_fragment_alone(asked[~placed])))
    run = pd.concat(runs, ignore_index=True)
    return [BaselineRun("learned", chosen.cutoff(run), run, [_note(split, train, chosen, around)])]


def candidates(split: Split) -> pd.DataFrame:
    """The paragraphs of all cases with features, the last of which are by the surroundings of the fragment.

    Where a fragment has none, these are missing (NaN).
    """
    pool = CandidatePool(split.id)(topics(split))
    pipelines = _pipelines(split)
    around = {f"{name}_around": pipeline for name, pipeline in pipelines.items()}
    texts = surroundings_of(split)
    found = Scores(pipelines, len(pool))(pool.assign(place=pool["rank"] + 1.0))
    found = found.assign(fragment=found["query"], query=[texts.get(qid, "") for qid in found["qid"]])
    found = Scores(around, len(pool))(found)
    found["query"] = found.pop("fragment")
    by_fragment = ScoreFeatures([*pipelines], gap=2)(found)
    by_surroundings = feature_matrix(ScoreFeatures([*around], gap=2)(found))
    by_surroundings[~found["qid"].isin(texts.keys()).to_numpy()] = np.nan
    return with_features(with_features(by_fragment, _places_and_lengths(split, found)), by_surroundings)


def _pipelines(split: Split) -> dict[str, pt.Transformer]:
    """What scores paragraphs for a text, by name."""
    content: Analysis = English("case", stemmed=False)
    pairs, triples = (Shingles(number, "case", fewest=1, share=1.0) for number in (2, 3))
    analysers: list[Analysis] = [content, pairs, triples, "characters", "case"]
    *indexes, whole = LexicalIndex.each_from_dataset(split.id, analysers, verbose=True)
    return dict(zip(_SCORES, [*(index.tfidf() for index in indexes), whole.bm25(statistics="pool")]))


def surroundings_of(split: Split) -> dict[str, str]:
    """What stands around each fragment in its base case; a fragment that has nothing around it is left out."""
    try:
        queries = ir_datasets.load(f"{split.id}/full").queries_iter()
        found = {query.query_id: surroundings(query.fragment, query.base_case) for query in queries}
    except MissingReleaseError:  # a base case is not there
        return {}
    return {name: text for name, text in found.items() if text}


def surroundings(fragment: str, base_case: str) -> str:
    """The fragment with 1,500 characters before and behind it, markers left out; nothing where it is not found.

    White space counts as one blank. In 2018 there is no base case but the fragment, around which nothing stands.

    >>> surroundings("The lamp\\nwas lit.", "We see FRAGMENT_SUPPRESSED. The lamp was lit.  So be it.")
    'We see . The lamp was lit. So be it.'
    >>> surroundings("The lamp was lit.", "The gate was shut."), surroundings("A lamp.", "A lamp.")
    ('', '')
    """
    fragment, base_case = (" ".join(text.split()) for text in (fragment, base_case))
    start = base_case.find(fragment)
    if start < 0 or len(base_case) == len(fragment):
        return ""
    around = base_case[max(start - _AROUND // 2, 0) : start + len(fragment) + _AROUND // 2]
    return " ".join(without_markers(around).split())


def _places_and_lengths(split: Split, results: pd.DataFrame) -> npt.NDArray[np.float64]:
    """The paragraph's place in its case, from 1, and as a share; the logarithm of paragraphs, and of characters."""
    lengths = {paragraph.doc_id: len(paragraph.text) for paragraph in ir_datasets.load(split.id).docs_iter()}
    places, sizes = results["place"], results.groupby("qid")["docno"].transform("size")
    counts = (sizes, results["docno"].map(lengths), results["query"].str.len())
    return np.column_stack([places, places / sizes, *map(np.log1p, counts)]).astype(np.float64)


def _placed(found: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Which candidates have no feature missing."""
    return np.asarray(~np.isnan(feature_matrix(found)).any(axis=1), dtype=bool)


def by_fragment_alone(found: pd.DataFrame) -> pd.DataFrame:
    """The candidates without the features of the surroundings."""
    return with_features(found.drop(columns="features"), feature_matrix(found)[:, :-_OF_SURROUNDINGS])


def _folds(train: Split, queries: list[str]) -> Folds:
    """Blocks of cases as each edition brought them, where the copy is as large as the official one; else equal ones."""
    try:
        sizes = edition_blocks(train.id)
    except ColieeError:
        sizes = []
    if len(queries) < 2:
        raise NotLearned("the train split has one case only")
    return by_block(queries, sizes if sum(sizes) == len(queries) else min(_FOLDS, len(queries)))


def _note(split: Split, train: Split, chosen: HeldOut, around: bool) -> str:
    """What was decided, and on what."""
    own = "; each block of cases by a model of the others, but the cut-off on all: optimistic"
    own = own if same_labels(train, split) else ""
    alone = "" if around else "; by the fragment alone, since most are not found in their base case"
    return (
        f"learned from {train.id}{own}{alone}; cut-off {chosen.cutoff!r}: the best on blocks of cases that were not "
        f"learned (MicroF1 {chosen.value:.4f} there)"
    )
